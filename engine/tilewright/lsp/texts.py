"""The open texts: what an editor sends in, documents by path out; places of the protocol to places of texts and back.

The protocol counts lines and characters from 0, characters in units of an encoding that editor and server agree on.
Lines end with LF, CR LF or CR, for the protocol as for documents.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls import uris

from tilewright.authoring.case_files import kind_of_lines
from tilewright.authoring.editor.context import TextEdit, TextLocation, TextPlace, TextRange, Workspace
from tilewright.authoring.findings import CASES, looks_like_a_card
from tilewright.base.problem import BREAK, Source, line_starts
from tilewright.language.documents.library import PLAIN, SUFFIXES, claims_to_be_ours

UNITS: dict[str, Callable[[str], int]] = {
    types.PositionEncodingKind.Utf8: lambda text: len(text.encode("utf-8", "surrogatepass")),
    types.PositionEncodingKind.Utf16: lambda text: len(text.encode("utf-16-le", "surrogatepass")) // 2,
    types.PositionEncodingKind.Utf32: len,
}
OF_CASES = ('"hand"', '"ruleset"', '"play"', '"expect"')


@dataclass(slots=True)
class OpenTexts:
    """The texts that are open in an editor, by path. `uris`: as the editor calls them; `encoding`: of characters."""

    texts: dict[Path, str] = field(default_factory=dict)
    versions: dict[Path, int] = field(default_factory=dict)
    uris: dict[Path, str] = field(default_factory=dict)
    encoding: str = types.PositionEncodingKind.Utf16

    def workspace(self) -> Workspace:
        """The open texts as they are now."""
        return Workspace(dict(self.texts))

    def path(self, uri: str) -> Path:
        """The path of a document; of one that has no file, a path that no file has."""
        found = uris.to_fs_path(uri) if uri.startswith("file:") else None
        if found is not None:
            return Path(found)
        name = "".join(char if char.isalnum() else "_" for char in uri)[-80:]
        return Path.cwd() / f"{name}.yaml"

    def uri(self, path: Path) -> str:
        """The name of a document for the editor."""
        return self.uris.get(path) or uris.from_fs_path(str(path)) or str(path)

    def open(self, uri: str, text: str, version: int) -> Path:
        path = self.path(uri)
        self.uris[path], self.texts[path], self.versions[path] = uri, text, version
        return path

    def close(self, uri: str) -> Path:
        path = self.path(uri)
        for kept in (self.uris, self.texts, self.versions):
            kept.pop(path, None)
        return path

    def change(self, uri: str, changes: list[Any], version: int) -> Path:
        """Apply changes of a text, each after the one before."""
        path = self.path(uri)
        text = self.texts.get(path, "")
        for change in changes:
            text = self.changed(text, change)
        self.texts[path], self.versions[path] = text, version
        self.uris.setdefault(path, uri)
        return path

    def changed(self, text: str, change: Any) -> str:
        """A text after a change: of a range of it, or of all of it."""
        range = getattr(change, "range", None)
        if range is None:
            return str(change.text)
        start, end = sorted((self.offset(text, range.start), self.offset(text, range.end)))
        return f"{text[:start]}{change.text}{text[end:]}"

    # --- places

    def offset(self, text: str, at: types.Position) -> int:
        """The offset of a place of the protocol; beyond the end of a line, that end."""
        starts = line_starts(text)
        if at.line >= len(starts):
            return len(text)
        return starts[at.line] + self.characters(line_of(text, at.line), at.character)

    def characters(self, line: str, units: int) -> int:
        """How many characters so many units of a line are."""
        if self.encoding == types.PositionEncodingKind.Utf32 or line.isascii():
            return max(0, min(units, len(line)))
        width, taken = UNITS[self.encoding], 0
        for count, char in enumerate(line):
            if taken >= units:
                return count
            taken += width(char)
        return len(line)

    def place(self, path: Path, at: types.Position) -> TextPlace:
        """A place of the protocol as a place of a document."""
        text = self.text(path)
        return TextPlace(at.line + 1, self.characters(line_of(text, at.line), at.character) + 1)

    def position(self, text: str, at: TextPlace) -> types.Position:
        """A place of a text as one of the protocol."""
        line = line_of(text, at.line - 1)
        before = line[: max(0, at.column - 1)]
        return types.Position(max(0, at.line - 1), len(before) if before.isascii() else UNITS[self.encoding](before))

    def range(self, text: str, range: TextRange) -> types.Range:
        return types.Range(self.position(text, range.start), self.position(text, range.end))

    def location(self, location: TextLocation) -> types.Location:
        return types.Location(self.uri(location.path), self.range(self.text(location.path), location.range))

    def edit(self, edit: TextEdit) -> types.TextEdit:
        return types.TextEdit(self.range(self.text(edit.path), edit.range), edit.text)

    def text(self, path: Path) -> str:
        """The text of a document, open or on disk."""
        return self.texts[path] if path in self.texts else Workspace().text(path)


def line_of(text: str, number: int) -> str:
    """A line of a text, counted from 0, without its break."""
    return Source("", text).line(number + 1)


def is_ours(path: Path, text: str) -> bool:
    """Whether a text is one that can be checked: other YAML, texts and lines of JSON are left alone."""
    suffix = path.suffix.lower()
    if suffix in SUFFIXES:
        return claims_to_be_ours(text)
    if suffix == CASES:
        first = BREAK.split(text.lstrip(), maxsplit=1)[0]
        return kind_of_lines(first) == "cases" and any(key in first for key in OF_CASES)
    return suffix in PLAIN and looks_like_a_card(text)
