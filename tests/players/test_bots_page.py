"""docs/bots.md: its messages have the shape of the schema, and its bot plays a hand of any sort."""

import json
import re
import sys
from pathlib import Path

import jsonschema_rs
import pytest
from commands import run

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/bots.md").read_text(encoding="utf-8")
SCHEMA = json.loads((ROOT / "schemas/bots.schema.json").read_text(encoding="utf-8"))
MESSAGES = [json.loads(text) for text in re.findall(r"^```json\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda one: str(one.get("message", one.get("move"))))
def test_the_messages_of_the_page_have_the_shape_of_the_schema(message: dict[str, object]) -> None:
    """A greeting with a name, and what is no message, are answers."""
    shape = "answer" if "message" not in message or "name" in message else "told"
    jsonschema_rs.validator_for({**SCHEMA, "$ref": f"#/$defs/{shape}"}).validate(message)


def test_every_message_is_on_the_page() -> None:
    assert {"hello", "ask", "ended", "over"} == {one["message"] for one in MESSAGES if "message" in one}


@pytest.mark.parametrize("ruleset", ["cantonese", "american", "sichuan"])
def test_the_bot_of_the_page_plays(ruleset: str, tmp_path: Path) -> None:
    (name, code) = re.findall(r"^```python (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[0]
    (tmp_path / name).write_text(code, encoding="utf-8")
    players = f"command:{sys.executable} {name},fast,fast,fast"
    done = run("simulate", ruleset, "--games", "1", "--jobs", "1", "--players", players, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Reported" not in done.stdout
