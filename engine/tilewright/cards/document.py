"""Card documents: YAML or plain text in, the card out, and back without loss.

A YAML card has the shape of the schema; deviations are problems here as well, and left out, so that the rest can be
shown. Knows no schema: `tilewright.language` checks the keys that all documents have.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath

from tilewright.base.building import Unusable as NoNumber
from tilewright.base.building import value_of
from tilewright.base.document import bytes_of, parse, text_of
from tilewright.base.node import Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Place, Problem, RulesetError, Source
from tilewright.base.version import EDITION
from tilewright.cards.model import Card, CardEntry, CardGroup
from tilewright.cards.text import (
    INVISIBLE,
    MOST_LINES,
    control_characters,
    empty_card,
    empty_group,
    first_language,
    id_of,
    read_text,
    tidy,
    told_of,
    too_many_lines,
    unfit,
    unfit_name,
    unfit_title,
    with_note,
)

YAML = (".yaml", ".yml", ".json")  # as in tilewright.language.documents.library, which cannot be imported here
KEYS = {"line": "its text", "note": "a note"}
PLAIN = re.compile(r"\w[\w .,/&'()*!>~+=;%$|-]*(?<! )")
HEAD = 40  # bytes of a file that show its program
PROGRAMS = {
    rb"\s*\{\\rtf": "an RTF file of a word processor",
    rb"PK\x03\x04|\xd0\xcf\x11\xe0": "a file of a word processor, or an archive",
    rb"%PDF-": "a PDF",
    rb"\x89PNG|\xff\xd8\xff|GIF8|BM.{4}\0{4}|RIFF.{4}WEBP|.{4}ftyp|II\*\0|MM\0\*": "a picture",
    rb"\s*<(?:!doctype|html|!DOCTYPE|HTML)": "a web page",
}
KEYWORDS = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}  # to one version of YAML or another


def open_card(path: Path, name: str | None = None) -> tuple[Card, tuple[Problem, ...]]:
    """The card in a file, shown to people under `name` (the path, if None), and its problems. Raises RulesetError if
    the file cannot be read at all."""
    name = str(path) if name is None else name
    return read_card(Source(name, text_of(content(path, name), name)))


def content(path: Path, name: str) -> bytes:
    """The bytes of a file, unless it is of a program that does not write plain text. Raises RulesetError."""
    try:
        data = bytes_of(path, name)
    except RulesetError as error:
        if error.problems[0].code == "too-large":
            with path.open("rb") as file:
                refuse_program(file.read(HEAD), name)
        raise
    refuse_program(data[:HEAD], name)
    return data


def refuse_program(head: bytes, name: str) -> None:
    """Raises RulesetError if the file begins like one of another program."""
    if what := next((what for sign, what in PROGRAMS.items() if re.match(sign, head)), ""):
        raise RulesetError([not_plain_text(what, Source(name, "").place(0))])


def read_card(source: Source) -> tuple[Card, tuple[Problem, ...]]:
    """The card of a document, YAML if its name ends so and plain text if not, as far as it can be read; and the
    problems of the document, except those of lines."""
    if PurePath(source.name).suffix.lower() not in YAML:
        return read_text(source)
    try:
        return card_of(parse(source))
    except RulesetError as error:
        return Card("card", {}, ()), error.problems


def card_of(document: Mapping, known: Iterable[Problem] = ()) -> tuple[Card, tuple[Problem, ...]]:
    """The card of a YAML document, as far as it can be read, and the problems of the document. `known`: the problems of
    the schema; a row with one of these has no other."""
    reader = YamlCardReader()
    name = dict(reader.names(document))
    groups = tuple(reader.groups(document))
    source = reader.block(document, "source")
    card = Card(reader.text(document, "id"), name, groups, "", source)
    told = dict(reader.told(document, first_language(card)))
    card = replace(card, about=told.pop(first_language(card), ""), abouts=told)
    if not card.id:
        card = replace(card, id=id_of(name.get(first_language(card), "")))
    if not reader.lines and not reader.problems:
        reader.problems.append(empty_card(document.place))
    return card, together(tuple(known), reader.problems)


def together(known: tuple[Problem, ...], found: Iterable[Problem]) -> tuple[Problem, ...]:
    """Problems of the schema and of a card, one for each mistake."""
    rows = {problem.place.line for problem in known if problem.place}
    new = [one for one in found if one.place and one.place.line not in rows]
    return *known, *(one for one in new if not known or one.code != "empty-card")


@dataclass(frozen=True, slots=True)
class CardPlace:
    """The place of the text of a line: part of a value of the document, from `start` on."""

    scalar: Scalar
    start: int

    def at(self, offset: int, length: int = 1) -> Place:
        """The place of some characters of the line."""
        return self.scalar.at(self.start + offset, length)


@dataclass(slots=True)
class YamlCardReader:
    """Reads the parts of a card and collects their problems."""

    problems: list[Problem] = field(default_factory=list)
    lines: int = 0

    def text(self, mapping: Mapping, key: str) -> str:
        """The text under a key; "" if there is none."""
        node = mapping.get(key)
        if node is None or (isinstance(node, Scalar) and node.value is None):
            return ""
        if isinstance(node, Scalar):
            return node.text
        self.problems.append(wrong_type(node, "a text"))
        return ""

    def block(self, mapping: Mapping, key: str) -> str:
        """The text of one or more lines under a key."""
        text = re.sub(r"\r\n?", "\n", self.text(mapping, key)).strip()
        if INVISIBLE.search(text):
            self.problems.append(control_characters(mapping.entries[key].value.place))
        return text

    def told(self, document: Mapping, first: str) -> Iterator[tuple[str, str]]:
        """What the card is, by language; a plain text is in the language of its name."""
        node = document.get("about")
        if isinstance(node, Mapping):
            yield from ((key, text) for key in node.entries if (text := self.block(node, key)))
        elif text := self.block(document, "about"):
            yield first, text

    def note(self, mapping: Mapping) -> str:
        """The note under the key `note`."""
        note = tidy(self.text(mapping, "note"))
        if note:
            self.problems += unfit("note", note, mapping.entries["note"].value.place)
        return note

    def names(self, document: Mapping) -> Iterator[tuple[str, str]]:
        """The name by language."""
        node = document.get("name")
        entries = node.items() if isinstance(node, Mapping) else [("en", node)]
        found = {language: one for language, one in entries if isinstance(one, Scalar) and tidy(one.text)}
        if not found:
            place = document.key("name").place if node else document.place
            self.problems.append(Problem("missing-name", "the name of the card is missing", place, "name: ..."))
        first = "en" if "en" in found else next(iter(found), "")
        for language, one in found.items():
            self.problems += unfit("name", tidy(one.text), one.place)
            self.problems += unfit_name(tidy(one.text), one.place) if language == first else ()
            yield language, tidy(one.text)

    def groups(self, document: Mapping) -> Iterator[CardGroup]:
        """The groups that have lines."""
        node = document.get("groups")
        if isinstance(node, Mapping):
            for title, entry in node.entries.items():
                self.problems += unfit_title(tidy(title), entry.key.place)
                yield self.group(entry.key, entry.value)
        elif node is not None and plain_value(node) is not None:
            self.problems.append(wrong_type(node, "a mapping of titles to lists of lines"))

    def group(self, title: Scalar, node: Node) -> CardGroup:
        """A title with its lines, and perhaps a note."""
        lines: Node | None = node
        note = ""
        if isinstance(node, Mapping):
            self.problems += unknown_keys(node, {"note": "a note", "lines": "its lines"})
            lines, note = node.get("lines"), self.note(node)
        entries = tuple(self.entries(title, lines))
        return CardGroup(tidy(title.text), entries, note, title.place)

    def entries(self, title: Scalar, node: Node | None) -> Iterator[CardEntry]:
        """The lines of a group."""
        if isinstance(node, Sequence):
            if not node.items:
                self.problems.append(empty_group(title.text, title.place))
            for item in node.items:
                yield from self.counted(item)
        elif node is None or plain_value(node) is None:
            self.problems.append(empty_group(title.text, title.place))
        else:
            self.problems.append(wrong_type(node, "a list of lines"))

    def counted(self, item: Node) -> Iterator[CardEntry]:
        """The line, unless the card has too many."""
        self.lines += 1
        if self.lines <= MOST_LINES:
            yield from self.entry(item)
        elif self.lines == MOST_LINES + 1:
            self.problems.append(too_many_lines(item.place))

    def entry(self, item: Node) -> Iterator[CardEntry]:
        """A line: a text, perhaps with a note in brackets, or `{line, note}`."""
        if isinstance(item, Scalar):
            text, note = with_note(tidy(item.text))
            yield self.typed(item, text, note)
        elif isinstance(item, Mapping) and isinstance(line := item.get("line"), Scalar):
            self.problems += unknown_keys(item, KEYS)
            yield self.typed(line, tidy(line.text), self.note(item))
        else:
            self.problems.append(wrong_type(item, "a line, as a text or as {line: ..., note: ...},"))

    def typed(self, node: Scalar, text: str, note: str) -> CardEntry:
        """The entry in a value of the document."""
        self.problems += unfit("line", text, node.place)
        spaces = len(node.text) - len(node.text.lstrip())
        return CardEntry("" if node.value is None else text, note, CardPlace(node, spaces).at)


def plain_value(node: Node) -> object:
    """The value of a scalar, and anything else unchanged."""
    return node.value if isinstance(node, Scalar) else node


# --- writing


def write_yaml(card: Card) -> str:
    """The card as a YAML document; reading it gives the same card."""
    head = [f"tilewright: {EDITION}", "kind: card", f"id: {quoted(card.id)}", *name_rows(card)]
    head += about_rows(card)
    head += [f"source: {quoted(card.source)}"] if card.source else []
    body = [row for group in card.groups for row in group_rows(group)]
    return "".join(f"{row}\n" for row in [*head, "groups:", *body])


def about_rows(card: Card) -> Iterator[str]:
    """What the card is: a plain text if it is in one language."""
    if not card.abouts:
        yield from [f"about: {quoted(card.about)}"] if card.about else []
        return
    yield "about:"
    yield from (f"  {language}: {quoted(text)}" for language, text in told_of(card).items())


def name_rows(card: Card) -> Iterator[str]:
    """The name: a plain text if it is only in English."""
    if card.name.keys() <= {"en"}:
        yield f"name: {quoted(card.name.get(first_language(card), ''))}"
        return
    yield "name:"
    first = first_language(card)
    ordered = sorted(card.name.items(), key=lambda one: one[0] != first)
    yield from (f"  {quoted(language)}: {quoted(text)}" for language, text in ordered)


def group_rows(group: CardGroup) -> Iterator[str]:
    """A title with its lines."""
    yield f"  {quoted(group.title)}:" + ("" if group.entries or group.note else " []")
    indent = "    "
    if group.note:
        yield f"    note: {quoted(group.note)}"
        yield "    lines:" + ("" if group.entries else " []")
        indent = "      "
    for entry in group.entries:
        yield from (indent + row for row in entry_rows(entry))


def entry_rows(entry: CardEntry) -> Iterator[str]:
    """A line, and its note."""
    if not entry.note and with_note(entry.text) == (entry.text, ""):
        yield f"- {quoted(entry.text)}"
        return
    yield f"- line: {quoted(entry.text)}"
    if entry.note:
        yield f"  note: {quoted(entry.note)}"


def quoted(text: str) -> str:
    """The text as a value or key of YAML, in quotes if needed."""
    if PLAIN.fullmatch(text) and re.search(r"[^\W\d_]", text) and text.lower() not in KEYWORDS and is_text(text):
        return text
    return "".join(sign if sign.isprintable() else escape(sign) for sign in json.dumps(text, ensure_ascii=False))


def is_text(text: str) -> bool:
    """Whether YAML reads this as a text, not as a number."""
    try:
        return value_of(text) == text
    except NoNumber:
        return False


def escape(sign: str) -> str:
    """An invisible character, as YAML writes it in double quotes."""
    return f"\\U{ord(sign):08x}"


# --- problems


def not_plain_text(what: str, place: Place) -> Problem:
    typed = "copy its text into a text editor" if what != "a picture" else "type the card from it in a text editor"
    return Problem(
        "not-plain-text", f"this is {what}, not plain text", place, f"{typed}, and save it as plain text (.txt)"
    )


def wrong_type(node: Node, wanted: str) -> Problem:
    given = "a mapping" if isinstance(node, Mapping) else "a list" if isinstance(node, Sequence) else "a single value"
    return Problem(
        "wrong-type", f"{wanted} is expected here, not {given}", node.place, "groups: {title: [line, ...], ...}"
    )


def unknown_keys(mapping: Mapping, known: dict[str, str]) -> Iterator[Problem]:
    """Each key without a meaning there."""
    listed = ", ".join(f"{key} ({what})" for key, what in known.items())
    for key, entry in mapping.entries.items():
        if key not in known:
            yield Problem("unknown-key", f"there is no key {key!r} here", entry.key.place, f"there is {listed}")
