"""docs/bots.md: its messages have the keys of the schema, and its bot plays a hand."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs/bots.md").read_text(encoding="utf-8")
SCHEMA = json.loads((ROOT / "schemas/bots.schema.json").read_text(encoding="utf-8"))
MESSAGES = [json.loads(text) for text in re.findall(r"^```json\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)]


@pytest.mark.parametrize("message", [one for one in MESSAGES if "message" in one], ids=lambda one: str(one["message"]))
def test_the_messages_of_the_page_have_known_keys(message: dict[str, object]) -> None:
    own = "greeting" if message["message"] == "hello" and "name" in message else message["message"]
    assert message.keys() <= SCHEMA["$defs"][own]["properties"].keys()


def test_every_message_is_on_the_page() -> None:
    assert {"hello", "ask", "ended", "over"} == {one["message"] for one in MESSAGES if "message" in one}


def test_the_bot_of_the_page_plays(tmp_path: Path) -> None:
    (name, code) = re.findall(r"^```python (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[0]
    (tmp_path / name).write_text(code, encoding="utf-8")
    players = f"command:{sys.executable} {name},fast,fast,fast"
    words = ["simulate", "cantonese", "--games", "1", "--jobs", "1", "--players", players]
    command = [sys.executable, "-m", "tilewright", *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Reported" not in done.stdout
