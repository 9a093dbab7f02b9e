"""The workspace: the texts that are open in an editor, over the files on disk.

Everything in this package takes a workspace, the path of a document and perhaps a place in it, and gives typed answers.
Lines and columns count from 1, in code points; an end is exclusive.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tilewright.base.building import MAX_BYTES
from tilewright.base.document import bytes_of
from tilewright.base.files import made_once, unsaved
from tilewright.base.node import Mapping as MappingNode
from tilewright.base.problem import Place, RulesetError
from tilewright.language.documents.library import read_whole


@dataclass(frozen=True, slots=True, order=True)
class TextPlace:
    """A place between two characters."""

    line: int
    column: int


@dataclass(frozen=True, slots=True, order=True)
class TextRange:
    """Characters from a place up to another."""

    start: TextPlace
    end: TextPlace

    @staticmethod
    def of(place: Place) -> "TextRange":
        """The characters that a place of a document underlines."""
        return TextRange.in_line(place.line, place.column, place.column + place.length)

    @staticmethod
    def in_line(line: int, start: int, end: int) -> "TextRange":
        """Characters of one line."""
        return TextRange(TextPlace(line, start), TextPlace(line, end))

    def holds(self, at: TextPlace) -> bool:
        """Whether a place is in this range, or at its end."""
        return self.start <= at <= self.end


@dataclass(frozen=True, slots=True, order=True)
class TextLocation:
    """A range of a document."""

    path: Path
    range: TextRange


@dataclass(frozen=True, slots=True, order=True)
class TextEdit:
    """A range of a document, and what replaces it."""

    path: Path
    range: TextRange
    text: str


@dataclass(frozen=True, slots=True)
class Workspace:
    """The open texts by absolute path."""

    texts: Mapping[Path, str] = field(default_factory=dict)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Documents are read with the open texts."""
        with unsaved(self.texts):
            yield

    def text(self, path: Path) -> str:
        """The text of a document, open or not; empty if it cannot be read."""
        if path in self.texts:
            return self.texts[path].removeprefix("\ufeff")[: MAX_BYTES + 1]
        try:
            return bytes_of(path, str(path)).decode("utf-8-sig", "replace")
        except RulesetError:
            return ""


def parsed(path: Path) -> MappingNode | None:
    """The tree of a document, with its texts and cases; None if one of them does not parse."""
    return made_once(("tree", path), lambda: read_tree(path))


def read_tree(path: Path) -> MappingNode | None:
    """The same, from the files."""
    try:
        return read_whole(path)
    except RulesetError:
        return None


def path_in(place: Place) -> Path:
    """The absolute path of the document of a place."""
    return Path(place.source.name).absolute()
