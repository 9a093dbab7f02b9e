"""Kept results: what a check of a file found, valid until something changes that it read or looked for.

An entry is found by the request: the file as it was named, from which folder, with which options and mods, and by which
code. It is valid if every file and folder that was looked at is as it was. Any failure of the cache is a miss. Knows no
document, and executes nothing that it reads.
"""

import hashlib
import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tilewright.authoring.open_rules import RulesChoice
from tilewright.base.files import entry_at, folder, write_entry
from tilewright.base.problem import Source
from tilewright.base.texts.files import FileStamp, stamp_of, unsaved
from tilewright.cli import check_files
from tilewright.cli.checks.results import DASH, CheckResult, read_result, written_result
from tilewright.language.documents.bundled import installed_folders
from tilewright.language.load import code_of_package, mark_of

FORMAT = 1  # raised when the layout of entries changes
ENTRY = ".check"
MOST_ENTRIES = 1_000  # the oldest go first
MOST_BYTES = 4_000_000  # of an entry
FLEETING = ("slow-pattern",)  # codes of problems that another run may not have
KINDS = ("base", "ruleset", "mod", "card", "cases")  # others are tried every time


@dataclass(frozen=True, slots=True)
class KeptResults:
    """The results of earlier checks with these choices. `own`: inherited examples and cases were not tried; `marks`: of
    the files and folders that were looked at in this run."""

    choices: RulesChoice
    own: bool = False
    marks: dict[tuple[str, FileStamp], str] = field(default_factory=dict)

    def recalled(self, file: str) -> CheckResult | None:
        """The result of an earlier check, if there is one and nothing has changed since."""
        with suppress(Exception):
            entry = json.loads(entry_at(self.entry(file)))
            if all(self.mark(path) == mark for path, mark in entry["seen"]):
                return read_result(entry["result"], entry["sources"])
        return None

    def checked_now(self, file: str) -> CheckResult:
        """The result of a check, which is kept."""
        with unsaved({}) as looked:
            found = check_files.check_in_project(file, self.choices, own=self.own)
        if found.kind in KINDS and file != DASH and not any(one.code in FLEETING for one in found.problems):
            with suppress(Exception):
                self.keep(file, found, looked.asked)
        return found

    def keep(self, file: str, found: CheckResult, seen: Mapping[str, FileStamp]) -> None:
        """Keep a result, unless something was changed meanwhile. `seen`: what it depends on, as it was."""
        marks = [(path, self.mark(path)) for path in sorted(seen)]
        if any(stamp_of(path) != stamp for path, stamp in seen.items()):
            return
        sources: dict[Source, int] = {}
        result = written_result(found, sources)
        texts = [(source.name, source.text) for source in sources]
        content = json.dumps({"seen": marks, "sources": texts, "result": result}).encode()
        if len(content) <= MOST_BYTES:
            write_entry(self.entry(file), content, MOST_ENTRIES)

    def entry(self, file: str) -> Path:
        """The path of the entry of a file."""
        choices = sorted(self.choices.settings.items()), self.choices.mods, self.choices.notation, self.own
        request = os.getcwd(), file, *choices, list(map(str, installed_folders()))
        name = repr((FORMAT, code_of_package(), sys.version_info[:2], request))
        return folder() / f"{hashlib.sha256(name.encode('utf-8', 'surrogateescape')).hexdigest()}{ENTRY}"

    def mark(self, path: str) -> str:
        """What tells whether a file, or the names in a folder, have changed."""
        key = path, stamp_of(path)
        if key not in self.marks:
            self.marks[key] = names_mark(path) if os.path.isdir(path) else mark_of(Path(path))
        return self.marks[key]


def names_mark(folder: str) -> str:
    """The hash of the names in a folder, but for hidden ones and backups."""
    names = sorted(name for name in os.listdir(folder) if not name.startswith(".") and not name.endswith("~"))
    return hashlib.sha256("\0".join(names).encode("utf-8", "surrogateescape")).hexdigest()
