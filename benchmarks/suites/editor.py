"""The language server over stdio, with a ruleset of 3,000 lines: how long an answer takes, and problems after an edit.

By the clock: what an author waits for. The server has a core of its own beside those of its checks where there are two.
The ruleset is a bundled one whose patterns are there several times, under other names. Every edit is another text.
"""

import atexit
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

from measuring import ROOT, Contender, Group, Scale

from tilewright.language.documents.companions import whole_text

LINES = 3_000
PATTERNS = re.compile(r"(?<=\npatterns:\n)(?:(?: .*)?\n)+")
ENTRY = re.compile(r"^  (\w+):", re.MULTILINE)
ASKED = 20  # answers of a round


def groups(scale: Scale) -> Iterator[Group]:
    """The questions of this suite."""
    editor = Editor(long_ruleset())
    rounds = min(5, scale.rounds)
    answers = {
        "completion of a word of a condition": lambda: editor.ask("completion", editor.place("when: ", 6)),
        "completion of a key": lambda: editor.ask("completion", editor.place("    worth: ", 6)),
        "meaning of a name": lambda: editor.ask("hover", editor.place("excludes: [", 12)),
        "outline": lambda: editor.ask("documentSymbol"),
    }
    yield Group(
        "answers",
        f"a ruleset of {LINES:,} lines: an answer after an edit",
        "ms",
        [Contender(name, lambda turn, ask=ask: editor.answered(ask, scale)) for name, ask in answers.items()],
        rounds=rounds,
    )
    mistakes = {
        "a key that does not exist": ("worth: ", "wurth: "),
        "a word that does not exist": ("worth: ", "worth: nosuch + "),
        "a pattern that does not exist": ("excludes: [", "excludes: [nosuch, "),
    }
    yield Group(
        "problems",
        f"a ruleset of {LINES:,} lines: the problem after an edit",
        "ms",
        [Contender(name, lambda turn, edit=edit: editor.reported(*edit)) for name, edit in mistakes.items()],
        rounds=rounds,
    )


def long_ruleset() -> str:
    """A ruleset with as many lines, and no mistake."""
    text = whole_text(ROOT / "rulesets" / "riichi" / "riichi.yaml").replace("id: riichi\n", "id: long\n")
    found = PATTERNS.search(text)
    assert found is not None
    more = ""
    for number in count(1):
        if (text + more).count("\n") >= LINES:
            break
        more += ENTRY.sub(rf"  \1_{number}:", found[0])
    return text[: found.start()] + more + text[found.start() :]


class Editor:
    """An editor with one document, speaking with a server."""

    def __init__(self, text: str) -> None:
        folder = tempfile.TemporaryDirectory()
        atexit.register(folder.cleanup)
        self.text, self.good, self.version, self.number = text, text, 0, 0
        self.uri = (Path(folder.name) / "long.yaml").as_uri()
        command = [sys.executable, "-m", "tilewright", "lsp"]
        self.server = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        atexit.register(self.server.kill)
        self.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        self.send({"method": "initialized", "params": {}})
        document = {"uri": self.uri, "languageId": "tilewright", "version": 0, "text": text}
        self.send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
        self.until(lambda codes: codes == [])

    # --- what is measured

    def answered(self, ask: Any, scale: Scale) -> float:
        """The median of answers, each after an edit, in milliseconds."""
        found = []
        for _ in range(scale.of(ASKED)):
            self.change(self.good)
            start = time.perf_counter()
            ask()
            found.append((time.perf_counter() - start) * 1000)
        return median(found)

    def reported(self, right: str, wrong: str) -> float:
        """From an edit to its problem, in milliseconds. It begins when everything is checked, as when somebody stopped
        to think."""
        self.change(self.good)
        self.until(lambda codes: codes == [])
        time.sleep(0.5)
        at = self.good.index(right, len(self.good) // 3)
        start = time.perf_counter()
        self.change(self.good[:at] + wrong + self.good[at + len(right) :])
        self.until(bool)
        return (time.perf_counter() - start) * 1000

    # --- the protocol

    def place(self, before: str, further: int) -> dict[str, int]:
        """A place behind the first third of the text."""
        at = self.text.index(before, len(self.text) // 3) + further
        return {"line": self.text.count("\n", 0, at), "character": at - self.text.rfind("\n", 0, at) - 1}

    def change(self, text: str) -> None:
        """Another text, different from all before by its last comment."""
        self.version += 1
        self.text = f"{text}# {self.version}\n"
        document = {"uri": self.uri, "version": self.version}
        params = {"textDocument": document, "contentChanges": [{"text": self.text}]}
        self.send({"method": "textDocument/didChange", "params": params})

    def ask(self, what: str, place: dict[str, int] | None = None) -> Any:
        found = self.request(f"textDocument/{what}", {"textDocument": {"uri": self.uri}, "position": place})
        assert found, f"no answer to {what}"
        return found

    def until(self, holds: Any) -> None:
        """Until the problems of the newest text are as wanted."""
        while True:
            message = self.receive()
            if message.get("method") == "textDocument/publishDiagnostics":
                params = message["params"]
                if params.get("version") == self.version and holds([one["code"] for one in params["diagnostics"]]):
                    return

    def request(self, method: str, params: Any) -> Any:
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while (message := self.receive()).get("id") != self.number or "method" in message:
            pass
        return message["result"]

    def send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.server.stdin is not None
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.server.stdin.flush()

    def receive(self) -> Any:
        assert self.server.stdout is not None
        length = 0
        while (line := self.server.stdout.readline()).strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        if not length:
            raise RuntimeError("the server has ended")
        return json.loads(self.server.stdout.read(length))
