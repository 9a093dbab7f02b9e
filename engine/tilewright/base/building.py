"""Building: the events of a YAML parser in, a tree of nodes that know their places out, or the problems of the text.

Size, depth, aliases and numbers have bounds. Knows no parser, no schema and no mahjong.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from ruamel.yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
)

from tilewright.base.node import Entry, Mapping, Node, Scalar, Sequence, Value
from tilewright.base.problem import Place, Problem, RulesetError, Source
from tilewright.base.version import EDITION

MAX_BYTES = 256_000  # ten times the longest bundled ruleset
MAX_DEPTH = 50
MAX_NODES = 20_000  # every alias counts with all it stands for
MAX_DIGITS = 30  # of a number, before and after the point, written out
MAX_PROBLEMS = 100  # after this many, the rest of the document is not read
NUMBER = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE]([-+]?[0-9]+))?")
NUMERIC = frozenset("0123456789+-.")  # what begins a number
BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
WORDS: dict[str, bool | None] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
GAP = re.compile(r"(?:[ \r\n]|#[^\r\n]*)*")
ANCHOR = re.compile(r"&[^\s,\[\]{}]+(?:\s+(?:#.*)?)*")


@dataclass(slots=True)
class Open:
    """An unfinished mapping or list, with the number and the depth of the nodes in it."""

    start: int
    place: Place
    anchor: str | None
    flow: bool
    entries: dict[str, Entry] | None
    items: list[Node] = field(default_factory=list)
    key: Scalar | None = None
    size: int = 1
    height: int = 1

    def closed(self, end: int) -> Node:
        """The finished node. Brackets are underlined as a whole, a block at its first word."""
        source = self.place.source
        place = source.place(self.start, end - self.start) if self.flow else self.place
        return Sequence(tuple(self.items), place) if self.entries is None else Mapping(self.entries, place)


@dataclass(frozen=True, slots=True)
class Anchored:
    """A node that aliases may repeat, with the number and the depth of the nodes in it."""

    node: Node
    size: int
    height: int


@dataclass(slots=True)
class Builder:
    """Builds nodes from parsing events. `until`: a key of the document behind whose entry nothing is needed."""

    source: Source
    until: str | None = None
    problems: list[Problem] = field(default_factory=list)
    open: list[Open] = field(default_factory=list)
    anchors: dict[str, Anchored] = field(default_factory=dict)
    root: Node | None = None
    documents: int = 0
    count: int = 0
    repeated: int = 0  # characters that aliases stand for
    last: Event | None = None  # that libyaml read

    def result(self) -> Mapping:
        """The document, or all problems in the order of the file."""
        if not self.problems:
            if isinstance(self.root, Mapping):
                return self.root
            self.problems.append(no_mapping(self.source, self.root))
        raise RulesetError(sorted(self.problems, key=lambda problem: problem.place.offset if problem.place else -1))

    @property
    def entries(self) -> dict[str, Entry]:
        """The entries of the document so far."""
        found = self.open[0].entries if self.open else getattr(self.root, "entries", None)
        return found or {}

    @property
    def is_far_enough(self) -> bool:
        return self.until is not None and len(self.open) == 1 and self.until in self.entries

    @property
    def reached(self) -> tuple[int, int]:
        """Line and column of the last event, both from 0."""
        return (-1, -1) if self.last is None else (self.last.start_mark.line, self.last.start_mark.column)

    def last_keys(self) -> Iterator[Scalar]:
        """The last key of the document, and the last one below it if that has a mapping without brackets."""
        for one in self.open[:2]:
            if one.entries is None or one.flow:
                return
            last = one.key or next((entry.key for entry in reversed(one.entries.values())), None)
            if last is not None:
                yield last
            if one.key is None:
                return

    def take(self, event: Event) -> None:
        """Process one event."""
        if len(self.problems) >= MAX_PROBLEMS:
            raise RulesetError([])
        if isinstance(event, NodeEvent):
            self.take_node(event)
        elif isinstance(event, CollectionEndEvent):
            self.close(event.end_mark.index)
        elif isinstance(event, DocumentStartEvent):
            self.start_document(event)

    def take_node(self, event: NodeEvent) -> None:
        """Process a value, an alias or the start of a mapping or a list."""
        start = event.start_mark.index
        if isinstance(event, AliasEvent):
            return self.repeat(event.anchor, self.source.place(start, len(event.anchor) + 1))
        if event.anchor and (found := ANCHOR.match(self.source.text, start)):
            start = min(found.end(), event.end_mark.index)
        if isinstance(event, (ScalarEvent, CollectionStartEvent)) and event.tag is not None:
            name = first_word(self.source.text[start : event.end_mark.index])
            self.problems.append(tag(self.source.place(start, len(name)), name))
        if isinstance(event, ScalarEvent):
            scalar = self.scalar(event, start)
            self.add(scalar, scalar.place, event.anchor)
        elif isinstance(event, CollectionStartEvent):
            self.begin(event, start)

    def begin(self, event: CollectionStartEvent, start: int) -> None:
        """A mapping or a list begins."""
        place = self.source.place(start)
        entries: dict[str, Entry] | None = {} if isinstance(event, MappingStartEvent) else None
        self.open.append(Open(start, place, event.anchor, bool(event.flow_style), entries))
        if len(self.open) > MAX_DEPTH:
            raise RulesetError([too_deep(place)])

    def scalar(self, event: ScalarEvent, start: int) -> Scalar:
        """A single value, with its problems."""
        quoted = bool(event.style)
        written = self.source.text[start : event.end_mark.index]
        if not (written or event.anchor) and self.is_value_in_block() and (gap := GAP.match(self.source.text, start)):
            start = gap.end()  # a missing value is where the next node begins
        place = self.source.place(start, len(first_word(written) if event.style in ("|", ">") else written))
        text = event.value
        try:
            if not text.isascii():
                text = text.encode("utf-16", "surrogatepass").decode("utf-16")
            return Scalar(text if quoted else value_of(text), text, place, quoted)
        except UnicodeDecodeError:
            self.problems.append(half_character(place))
        except Unusable as error:
            self.problems.append(unusable(place, error))
        return Scalar(text, text, place, quoted)

    def in_flow(self) -> bool:
        """Whether the innermost mapping or list is in brackets."""
        return bool(self.open) and self.open[-1].flow

    def is_value_in_block(self) -> bool:
        """Whether a value of a mapping without brackets comes next."""
        return bool(self.open) and not self.open[-1].flow and self.open[-1].key is not None

    def repeat(self, name: str, place: Place) -> None:
        """Process everything that an alias stands for."""
        if any(parent.anchor == name for parent in self.open):
            raise RulesetError([alias_in_itself(place, name)])
        if not (known := self.anchors.get(name)):
            raise RulesetError([unknown_alias(place, name)])
        if len(self.open) + known.height > MAX_DEPTH:
            raise RulesetError([too_deep(place)])
        self.repeated += length_of(known.node)
        if self.repeated > MAX_BYTES:
            raise RulesetError([too_much_repeated(place)])
        self.add(known.node, place, None, known.size, known.height)

    def close(self, end: int) -> None:
        """The innermost mapping or list is finished."""
        top = self.open.pop()
        self.count -= top.size - 1
        self.add(top.closed(end), top.place, top.anchor, top.size, top.height)

    def add(self, node: Node, place: Place, anchor: str | None, size: int = 1, height: int = 0) -> None:
        """Put a node of this many nodes and this depth into the mapping or list around it."""
        self.count += size
        if self.count > MAX_NODES:
            raise RulesetError([too_many_nodes(place)])
        if anchor:
            self.anchors[anchor] = Anchored(node, size, height)
        if not self.open:
            self.root = node
            return
        top = self.open[-1]
        top.size += size
        if top.height <= height:
            top.height = height + 1
        if top.entries is None:
            top.items.append(node)
        elif top.key is None:
            top.key = self.key(node, place)
        else:
            self.add_entry(top.entries, top.key, node)
            top.key = None

    def key(self, node: Node, place: Place) -> Scalar:
        """A key: its text, whatever its type as a value."""
        if not isinstance(node, Scalar):
            raise RulesetError([bad_key(place)])
        if node.text == "<<" and not node.quoted:
            self.problems.append(merge_key(place))
        top = self.open[-1]
        if not top.entries and not top.flow:
            top.place = place
        return Scalar(node.text, node.text, place, node.quoted)

    def add_entry(self, entries: dict[str, Entry], key: Scalar, value: Node) -> None:
        """A key with its value, unless the mapping has the key already."""
        if first := entries.get(key.text):
            self.problems.append(duplicate_key(key, first.key))
        else:
            entries[key.text] = Entry(key, value)

    def start_document(self, event: DocumentStartEvent) -> None:
        """A file holds one document and no YAML directives."""
        self.documents += 1
        if self.documents > 1:
            raise RulesetError([several_documents(self.source.place(event.start_mark.index, 3))])
        if event.version or event.tags:
            raise RulesetError([directive(self.source.place(self.source.text.index("%")))])


def length_of(node: Node) -> int:
    """How many characters a node has, its keys included."""
    match node:
        case Scalar():
            return len(node.text)
        case Sequence():
            return sum(map(length_of, node.items))
        case Mapping():
            return sum(len(key) + length_of(value) for key, value in node.items())


def first_word(text: str) -> str:
    """Everything up to the first white space."""
    return re.split(r"\s", text, maxsplit=1)[0]


class Unusable(Exception):
    """A number that cannot be used: too long, or invalid."""


def value_of(text: str) -> Value:
    """The value of an unquoted text; Unusable for numbers without an exact value of reasonable size."""
    if text in WORDS:
        return WORDS[text]
    if text[0] not in NUMERIC:
        return text
    if BASED.fullmatch(text):
        bounded(len(text) - 2)
        return int(text, 0)
    if number := NUMBER.fullmatch(text):
        exponent = number[1] or "0"
        bounded(len(text) + (abs(int(exponent)) if len(exponent) < 5 else MAX_DIGITS))
        exact = Fraction(text)
        return exact.numerator if exact.denominator == 1 else exact
    if NOT_FINITE.fullmatch(text):
        raise Unusable(f"'{text}' is not a number that can be counted with")
    return text


def bounded(digits: int) -> None:
    """Whether a number with this many digits may be read."""
    if digits > MAX_DIGITS:
        raise Unusable(f"a number may have {MAX_DIGITS} digits at the most")


def no_mapping(source: Source, root: Node | None) -> Problem:
    """The document is empty, or something other than keys with values."""
    if root is None or (isinstance(root, Scalar) and not root.quoted and root.value is None):
        return Problem(
            "empty-document",
            "this document is empty",
            source.place(0),
            f"begin with 'tilewright: {EDITION}' and 'kind: ruleset'",
        )
    what = "a list" if isinstance(root, Sequence) else "a single value"
    return Problem(
        "not-a-mapping",
        f"this document is {what}, but must be keys with values",
        root.place,
        f"begin with 'tilewright: {EDITION}' and 'kind: ruleset'",
    )


def too_deep(place: Place) -> Problem:
    """Mappings and lists are nested too deeply."""
    return Problem(
        "too-deep",
        f"more than {MAX_DEPTH} levels of nested lists and mappings here",
        place,
        "no ruleset needs that many; look for unclosed brackets",
    )


def too_many_nodes(place: Place) -> Problem:
    """Everything that aliases repeat is counted."""
    return Problem(
        "too-many-nodes",
        f"with its aliases expanded, this document has more than {MAX_NODES:,} values",
        place,
        "repeat less with '*', or split the document",
    )


def too_much_repeated(place: Place) -> Problem:
    """Aliases stand for more text than a document may have."""
    return Problem(
        "too-large",
        f"with its aliases expanded, this document is larger than {MAX_BYTES // 1_000} kB",
        place,
        "repeat less of it",
    )


def tag(place: Place, name: str) -> Problem:
    """A `!` tag, which would set the type of a value."""
    return Problem(
        "tag",
        f"'{name}' is a YAML tag, which documents cannot have",
        place,
        "remove it; if it is part of a text, put the text in quotes",
    )


def unknown_alias(place: Place, name: str) -> Problem:
    """A `*name` without a `&name` before it."""
    return Problem(
        "unknown-alias",
        f"'*{name}' refers to '&{name}', which is not defined above",
        place,
        "if '*' is part of a text, put the text in quotes",
    )


def alias_in_itself(place: Place, name: str) -> Problem:
    """A `*name` inside the node of `&name`."""
    return Problem(
        "alias-in-itself",
        f"'*{name}' would repeat the part of the document that contains it",
        place,
        "refer only to parts that end above it",
    )


def half_character(place: Place) -> Problem:
    r"""`\ud83d` alone: half of a character."""
    return Problem(
        "bad-escape",
        r"this text has a '\u' escape that is only half of a character",
        place,
        "write the character itself",
    )


def unusable(place: Place, error: Unusable) -> Problem:
    """A number that cannot be used."""
    return Problem("bad-number", str(error), place, "if it is a text, put it in quotes")


def bad_key(place: Place) -> Problem:
    """A list or a mapping where a key is expected."""
    return Problem(
        "bad-key",
        "a key is a word or a number, not a list or a mapping",
        place,
        "if the brackets are part of a text, put the text in quotes",
    )


def merge_key(place: Place) -> Problem:
    """`<<` of YAML 1.1."""
    return Problem(
        "merge-key", "'<<' does not merge anything here", place, "write the keys out, or use 'extends' or a mod"
    )


def duplicate_key(key: Scalar, first: Scalar) -> Problem:
    """The same key twice in one mapping."""
    return Problem(
        "duplicate-key",
        f"the key '{key.text}' appears twice in one mapping",
        key.place,
        f"the first one is on line {first.place.line}",
    )


def several_documents(place: Place) -> Problem:
    """A second `---`."""
    return Problem(
        "several-documents",
        "a second document begins here, but a file holds one",
        place,
        "remove the '---', or put what follows into its own file, unless it is `kind: texts` or `kind: cases`",
    )


def directive(place: Place) -> Problem:
    """A `%YAML` or `%TAG` line."""
    return Problem(
        "directive", "a line that begins with '%' is a YAML directive, which documents cannot have", place, "remove it"
    )
