"""Documents: YAML text in, a tree of nodes that know their places out, or the problems of the text.

Knows no schema and no mahjong. A document comes from a stranger: size, depth, aliases and numbers have bounds, and
nothing here recurses. JSON is YAML, so it loads as well.

Two parsers of the same library make the same events: libyaml is twenty times as fast, the one in Python says what is
wrong. A document goes through libyaml; where that stops, the other reads the last entry again and says why. If the two
may read it differently, it goes through the other from the beginning, whose result counts.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Literal

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, StringMark, YAMLError
from ruamel.yaml.events import Event, NodeEvent, ScalarEvent

from tilewright.base.building import MAX_BYTES, Builder
from tilewright.base.files import unsaved_at
from tilewright.base.mistakes import no_such_character, syntax_problem
from tilewright.base.node import Entry, Mapping, Node, Scalar, Sequence, Value, plain
from tilewright.base.problem import Place, Problem, RulesetError, Source, line_starts

try:
    from ruamel.yaml.cyaml import CParser
except ImportError:  # no wheel of ruamel.yaml.clib for this platform: documents are read more slowly
    CParser = None

__all__ = ["Entry", "Mapping", "Node", "Scalar", "Sequence", "Value", "parse", "plain", "read"]
MAX_LINE = 200  # shown of a document that is not read
# Tabs, unusual line breaks and `? key`: the parsers read them differently.
UNUSUAL = ("\t", "\x85", "\u2028", "\u2029", "\ufeff")
LONE_QUESTION = re.compile(r"\?(?<![^\s,\[{]\?)(?![^\s,\[{])")  # its first character is what a text is searched for
BLANK_FIRST = re.compile(r"[^\r\n]*(?:#|[\r\n]\s*[\r\n])")  # a block whose first line is empty


def read(path: Path, name: str | None = None) -> Mapping:
    """Return the document in a file, shown to people under `name` (the path, if None), or raise its problems."""
    name = str(path) if name is None else name
    return parse_bytes(bytes_of(path, name), name)


def parse_bytes(data: bytes, name: str) -> Mapping:
    """Return the document in the content of a file, or raise its problems."""
    return parse(Source(name, text_of(data, name)))


def parse(source: Source) -> Mapping:
    """Return the document that a text holds, or raise its problems together."""
    if source.text.startswith("\ufeff"):
        source = Source(source.name, source.text[1:])
    if len(source.text) > MAX_BYTES:
        raise RulesetError([too_large(source)])
    builder = Builder(source)
    outcome = take_quickly(builder)
    if outcome == "stopped" and (problem := nearby_mistake(builder)) is not None:
        builder.problems.append(problem)
    elif outcome != "read":
        return exactly(source)
    return builder.result()


@dataclass(frozen=True, slots=True)
class DocumentHead:
    """The entries of a document as far as it was read: up to one of them, or to the end. `stopped`: at a mistake or a
    limit, so that there may be more."""

    entries: dict[str, Entry]
    stopped: bool


def head_of(text: str, until: str) -> DocumentHead:
    """The entries of a document, read no further than to that of a key. Never fails."""
    source = Source("", text[:MAX_BYTES].removeprefix("\ufeff"))
    builder = Builder(source, until=until)
    outcome = take_quickly(builder)
    if outcome != "read" and len(text) <= MAX_BYTES:
        builder, outcome = Builder(source, until=until), "stopped"
        with suppress(YAMLError, RulesetError):
            take_exactly(builder)
            outcome = "read"
    is_cut = len(text) > MAX_BYTES and until not in builder.entries
    return DocumentHead(builder.entries, outcome != "read" or is_cut)


def take_quickly(builder: "Builder") -> Literal["read", "stopped", "unsure"]:
    """Build what libyaml reads. `stopped`: at a mistake in the syntax; `unsure`: the other parser is needed from the
    beginning."""
    if CParser is None or has_what_is_read_differently(builder.source.text):
        return "unsure"
    try:
        parser = CParser(builder.source.text)
        while (event := parser.get_event()) is not None:
            if is_read_differently(event, builder):
                return "unsure"
            builder.take(event)
            builder.last = event
            if builder.is_far_enough:
                break
        return "read"
    except MarkedYAMLError:
        return "stopped"
    except (YAMLError, RulesetError, UnicodeEncodeError):
        return "unsure"


def has_what_is_read_differently(text: str) -> bool:
    """Whether the parsers may disagree because of some characters, wherever they stand."""
    return any(one in text for one in UNUSUAL) or LONE_QUESTION.search(text) is not None


def is_read_differently(event: Event, builder: "Builder") -> bool:
    """Whether the parsers may disagree about an event, or about where it stands."""
    if not isinstance(event, NodeEvent):
        return False
    if event.anchor or not isinstance(event, ScalarEvent):
        return bool(event.anchor)
    if event.style in ("|", ">"):
        return BLANK_FIRST.match(builder.source.text, event.start_mark.index) is not None
    return not event.value and not event.style and builder.in_flow()


def exactly(source: Source) -> Mapping:
    """The document as the parser in Python reads it; raises RulesetError with all problems."""
    builder = Builder(source)
    try:
        take_exactly(builder)
    except YAMLError as error:
        builder.problems.append(syntax_problem(error, source))
    except RulesetError as error:
        builder.problems += error.problems
    return builder.result()


def take_exactly(builder: "Builder") -> None:
    """Build what the parser in Python reads. Raises YAMLError and RulesetError."""
    for event in events(builder.source):
        builder.take(event)
        if builder.is_far_enough:
            return


def nearby_mistake(builder: "Builder") -> Problem | None:
    """The mistake at which libyaml stopped, in the words of the other parser, which reads from the last entry on, below
    the key of its section; None if it finds no mistake there, or reads on where libyaml had stopped."""
    source, starts = builder.source, line_starts(builder.source.text)
    lines = [starts[key.place.line - 1] for key in builder.last_keys()]
    if not lines:
        return None
    kept = [source.text[start : starts[bisect_right(starts, start)]] for start in lines[:-1]]
    ends = [*accumulate(map(len, kept))]

    def moved(mark: StringMark | None) -> None:
        if mark is not None:
            at = bisect_right(ends, mark.index)
            mark.index += lines[at] - (ends[at - 1] if at else 0)

    def is_new(event: Event) -> bool:
        line = event.start_mark.line
        first = bisect_right(starts, lines[min(line, len(kept))]) - 1
        return (first + max(0, line - len(kept)), event.start_mark.column) > builder.reached

    try:
        for event in events(Source(source.name, "".join(kept) + source.text[lines[-1] :])):
            if is_new(event) or (isinstance(event, NodeEvent) and event.anchor):
                return None  # it, or an alias, may be a mistake before that one
    except MarkedYAMLError as error:
        for mark in {id(mark): mark for mark in (error.problem_mark, error.context_mark)}.values():
            moved(mark)
        return syntax_problem(error, source)
    except (YAMLError, RulesetError):
        return None
    return None


def events(source: Source) -> Iterator[Event]:
    """The events of the parser in Python, which fails on escapes of characters that do not exist."""
    parser = YAML(typ="safe", pure=True).parse(source.text)
    while True:
        try:
            event = next(parser, None)
        except (ValueError, OverflowError):
            raise RulesetError([no_such_character(source)]) from None
        if event is None:
            return
        yield event


def bytes_of(path: Path, name: str) -> bytes:
    """The content of a file."""
    data = beginning_of(path, name)
    if len(data) > MAX_BYTES:
        raise RulesetError([too_large(Source(name, first_line(data)))])
    return data


def beginning_of(path: Path, name: str) -> bytes:
    """The content of a file; of one that is too large, one byte more than allowed."""
    data = unsaved_at(path)
    try:
        if data is None:
            mode = path.stat().st_mode
            if not (S_ISREG(mode) or S_ISDIR(mode)):
                raise RulesetError([Problem("no-file", f"'{name}' is a pipe or a device, not a file")])
            with path.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise RulesetError([Problem("no-file", f"there is no file '{name}'")]) from None
    except IsADirectoryError:
        raise RulesetError([Problem("no-file", f"'{name}' is a folder, not a document")]) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "this is not a valid file name"
        raise RulesetError([Problem("unreadable", f"'{name}' cannot be read: {reason.lower()}")]) from None
    return data


def text_of(data: bytes, name: str) -> str:
    """The text of a file, without a byte order mark."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = len(data[: error.start].decode("utf-8"))
        source = Source(name, data.decode("utf-8", "replace"))
        raise RulesetError([not_utf8(source.place(before), data[error.start])]) from None


def first_line(data: bytes) -> str:
    """The beginning of a document that is not read further."""
    return data[:MAX_LINE].decode("utf-8-sig", "ignore").partition("\n")[0].rstrip("\r")


def too_large(source: Source) -> Problem:
    """The document has more bytes than are read."""
    return Problem(
        "too-large",
        f"this document is larger than {MAX_BYTES // 1_000} kB",
        source.place(0),
        "a ruleset has a few hundred lines; is this the right file?",
    )


def not_utf8(place: Place, byte: int) -> Problem:
    """A byte that is not valid UTF-8 there."""
    return Problem(
        "not-utf8", f"this is not text in UTF-8: byte 0x{byte:02X}", place, "save the file with the encoding UTF-8"
    )
