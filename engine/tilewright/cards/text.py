"""Plain-text cards: a text in, the card out, and back without loss.

The first line is the name; titles are in quotes, each on its own line; every other line is a line of the card, as it
is printed. A note follows a title or a line in round brackets. Directly below the name, `(key: value)` lines hold the
other fields of the card: `(id: ...)`, `(language: zh)` of the first line where that is not English, `(name fr: ...)`,
`(about: ...)`, `(source: ...)`; in the last two, a backslash with n or t is a line break or a tab.

Not possible in a card, because no text could express it: line breaks and other control characters in a name, title or
note; a name that looks like a title or a line of the card, or that is followed by `(id: ...)` and the like; a title
with a quote directly followed by a bracket, without any letter or digit, or with more than 100 characters. Space around
texts does not count, and a tab is a space.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tilewright.base.building import MAX_BYTES
from tilewright.base.document import too_large
from tilewright.base.mistakes import bad_character
from tilewright.base.problem import Place, Problem, Source, line_ends, line_starts
from tilewright.cards.line import parse_line
from tilewright.cards.model import SIGNS, Card, CardEntry, CardGroup

MOST_LINES = 400
MOST_OF_A_TITLE = 100  # characters; a few hundred more would be too long for a key in YAML
CLOSING = {  # the closing quotes of titles
    sign: closing
    for opening, closing in (
        ('“”„‟"', '“”"'),
        ("‘’‚‛'", "‘’'"),
        ("«»", "«»"),
        ("‹›", "‹›"),
        ("「", "」"),
        ("『", "』"),
    )
    for sign in opening
}
ENDS_TOO_SOON = re.compile(r"[“”\"]\s*\(")
BRACKETS = re.compile(r"\s*\([^()]*\)\s*$")
FIELD = re.compile(r"\((?P<key>[^:]*):(?P<value>.*)\)")
KNOWN_FIELD = re.compile(r"\(\s*(?:(?:id|language|about|source)\s*|(?:name|about)\s[^:()]*):.*\)$")
WORD = re.compile(r"(?=[^\W\d_]{4})[DGRFNEWSfnewsgrbamcdxXC]*[^\W\d_DGRFNEWSfnewsgrbamcdxXC]")
DIGITS = re.compile(r"[0-9]{3,}|[0-9](?:[ ,/-]+[0-9])+")
LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z0-9]+)*")
ID = re.compile(r"[a-z][a-z0-9_]*")
INVISIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
ESCAPES = {"n": "\n", "t": "\t", "\\": "\\"}
KEYS = "(id: ...), (language: zh), (name zh: ...), (about: ...), (about zh: ...), (source: ...)"
TITLES_STAND = "if it is a title: in plain text, put it in quotes on its own line, in YAML it is a key of `groups`"


# --- shared by plain text and YAML


def slug(title: str) -> str:
    """A title as an id: letters and digits in lower case, `and` for &, _ for everything between."""
    words = re.split(r"[\W_]+", title.lower().replace("&", " and "))
    return "_".join(word for word in words if word)


def category(title: str) -> str:
    """The name of a group as rules use it; brackets at the end of its title, as in Singles & Pairs (concealed), are a
    note."""
    return slug(BRACKETS.sub("", title)) or slug(title)


def id_of(name: str) -> str:
    """The id of a card without one: its name, as far as ids can hold it."""
    letters = re.sub(r"[^a-z0-9_]", "", slug(name)).strip("_")
    return letters if ID.fullmatch(letters) else f"card_{letters}".rstrip("_")


def tidy(text: str) -> str:
    """The text as a card stores it: tabs are spaces, and surrounding space is dropped."""
    return text.replace("\t", " ").strip()


def with_note(text: str) -> tuple[str, str]:
    """A line and the note in brackets at its end; a bracket that begins or ends elsewhere belongs to the line."""
    line, bracket, rest = text.partition("(")
    if bracket and line.strip() and rest.endswith(")"):
        return line.rstrip(), tidy(rest[:-1])
    return text, ""


def titled(text: str) -> tuple[str, str] | None:
    """The title in quotes, and the note after it; None if this is something else."""
    closing = CLOSING.get(text[0], "")
    if not closing or len(text) < 2:
        return None
    if text[-1] in closing:
        return text[1:-1], ""
    found = re.fullmatch(rf".(.*?)[{closing}]\s*\((.*)\)", text) if text.endswith(")") else None
    return (found[1], tidy(found[2])) if found else None


def looks_like_a_title(text: str) -> bool:
    """Whether an unreadable line looks more like a title than like a line."""
    tiles = re.match(rf"[1-9DGR0FNEWSfnewsgrbamcdx|\s{SIGNS}]*", text)
    found = re.findall(r"[1-9DGR0FNEWSfnews]", tiles.group() if tiles else "")
    return len(found) < 8 and "(" not in text and not re.search(r"[XC]\s*\d+$", text)


def lacks_quotes(text: str) -> bool:
    """Whether a line is a title without quotes: words, or numbers alone, and no hand."""
    if len(text) > MOST_OF_A_TITLE or not looks_like_a_title(text):
        return False
    return bool(WORD.search(text) or DIGITS.fullmatch(text)) and parse_line(text)[0] is None


def is_name(text: str) -> bool:
    """Whether a card may have this name, so that its whole first line is read as the name."""
    return bool(text) and titled(text) is None and parse_line(text)[0] is None and field_behind(text) is None


def field_behind(text: str) -> re.Match[str] | None:
    """A detail of a card, as `(id: ...)`, in the line of its name or alone in a line."""
    return KNOWN_FIELD.search(text) if text.endswith(")") else None


def unfit(what: str, text: str, place: Place) -> Iterator[Problem]:
    """Why a text, in quotes or not, cannot be the name, title or note of a card."""
    if re.search(r"[\r\n]", text):
        yield Problem("bad-text", f"a {what} is written on one line", place, "use a space instead of the line break")
    elif INVISIBLE.search(text):
        yield control_characters(place)


def unfit_title(title: str, place: Place) -> Iterator[Problem]:
    """Why a text cannot be a title."""
    yield from unfit("title", title, place)
    if not slug(title):
        yield Problem("bad-text", "a title has a letter or a digit", place, "groups are named by their titles")
    if len(title) > MOST_OF_A_TITLE:
        yield Problem("bad-text", f"a title has at most {MOST_OF_A_TITLE} characters", place, "the rest can be a note")
    if ENDS_TOO_SOON.search(title):
        yield Problem("bad-text", "a title cannot have a bracket directly after a quote", place, "remove the quote")


def unfit_name(name: str, place: Place) -> Iterator[Problem]:
    """Why a text cannot be the name of a card in the language of its first line."""
    if name and not is_name(name):
        yield Problem(
            "bad-text",
            "a card cannot be called like a title in quotes, like a line of a card or with (id: ...) after it",
            place,
            "remove that, or add a word",
        )


# --- reading


def read_text(source: Source) -> tuple[Card, tuple[Problem, ...]]:
    """The card in a text, as far as it can be read, and the problems of its format."""
    source = Source(source.name, source.text.removeprefix("\ufeff"))
    if len(source.text) > MAX_BYTES:
        return Card("card", {}, ()), (too_large(source),)
    reader = TextCardReader(source)
    if found := INVISIBLE.search(source.text):
        reader.problems.append(bad_character(source, found.start()))
    rows = list(rows_of(source))
    for row in rows[reader.head(rows) :]:
        if reader.lines == MOST_LINES or len(reader.groups) > MOST_LINES:
            reader.problems.append(too_many_lines(row.whole))
            break
        reader.take(row)
    card = reader.card()
    if not reader.lines and not reader.problems:
        reader.problems.append(empty_card(source.place(0)))
    return card, tuple(reader.problems)


@dataclass(frozen=True, slots=True)
class TextRow:
    """A line of the file that is not blank, without the space around it. `start`: its offset in the file."""

    source: Source
    start: int
    text: str

    def at(self, offset: int, length: int = 1) -> Place:
        """The place of some characters of the row."""
        return self.source.place(self.start + offset, length)

    @property
    def whole(self) -> Place:
        """The place of the row."""
        return self.at(0, len(self.text))


def rows_of(source: Source) -> Iterator[TextRow]:
    """The lines of a text that are not blank, in order."""
    seen = INVISIBLE.sub(" ", source.text)
    for start, end in zip(line_starts(seen), line_ends(seen), strict=True):
        if text := tidy(seen[start:end]):
            yield TextRow(source, start + len(seen[start:end]) - len(seen[start:end].lstrip()), text)


@dataclass(slots=True)
class OpenedCard:
    """A group that is not finished."""

    title: str
    note: str
    place: Place | None
    entries: list[CardEntry] = field(default_factory=list)
    quoted: bool = True


@dataclass(slots=True)
class TextCardReader:
    """Reads a card row by row."""

    source: Source
    problems: list[Problem] = field(default_factory=list)
    name: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    groups: list[OpenedCard] = field(default_factory=list)
    lines: int = 0

    def card(self) -> Card:
        """The card; a group without a title holds the lines before the first title."""
        for at, one in enumerate(self.groups):
            # an unquoted title may not be one, nor the next
            explained = any(not near.quoted for near in self.groups[at : at + 2])
            if not one.entries and one.place and not explained:
                self.problems.append(empty_group(one.title, one.place))
        names = {key.removeprefix("name "): text for key, text in self.fields.items() if key.startswith("name ")}
        first = self.fields.get("language", "en")
        if first in names and self.name:
            self.problems.append(said_twice(f"name {first}", self.places[f"name {first}"]))
        name = {first: self.name} | names if self.name else names
        groups = tuple(CardGroup(one.title, tuple(one.entries), one.note, one.place) for one in self.groups)
        about, source = (unescaped(self.fields.get(key, "")).strip() for key in ("about", "source"))
        others = {key.removeprefix("about "): text for key, text in self.fields.items() if key.startswith("about ")}
        abouts = {language: told for language, text in others.items() if (told := unescaped(text).strip())}
        if first in abouts and about:
            self.problems.append(said_twice(f"about {first}", self.places[f"about {first}"]))
        first_about = abouts.pop(first, "")
        about = about or first_about
        return Card(self.fields.get("id") or id_of(self.name), name, groups, about, source, abouts)

    def head(self, rows: list[TextRow]) -> int:
        """Read the name and the fields below it. Returns the number of rows used."""
        taken = 0
        if rows and (name := self.name_in(rows[0])):
            self.name = name
            taken = 1
        elif rows:
            self.problems.append(missing_name(rows[0].whole))
        while taken < len(rows) and rows[taken].text.startswith("("):
            self.take_field(rows[taken])
            taken += 1
        return taken

    def name_in(self, row: TextRow) -> str:
        """The name in a row; "" if there is none."""
        found = field_behind(row.text)
        name = row.text[: found.start()].rstrip() if found else row.text
        if not is_name(name):
            return ""
        if found:
            self.problems.append(field_elsewhere(row.at(found.start(), len(found[0])), found[0]))
        return name

    def take_field(self, row: TextRow) -> None:
        """`(key: value)`."""
        found = FIELD.fullmatch(row.text)
        if found is None:
            self.problems.append(not_a_field(row))
            return
        key, value = re.sub(r"\s+", " ", found["key"].strip()), tidy(found["value"])
        problems = list(field_problems(key, value, row, found))
        if not problems and key in self.fields:
            problems.append(said_twice(key, row.whole))
        if not problems and value:
            self.fields[key], self.places[key] = value, row.whole
        self.problems += problems

    def take(self, row: TextRow) -> None:
        """A title, or a line of the card."""
        if row.text[0] in CLOSING:
            self.groups.append(self.opened(row))
            return
        if lacks_quotes(row.text):
            self.problems.append(title_without_quotes(row))
            self.groups.append(OpenedCard(row.text, "", row.whole, quoted=False))
            return
        if row.text[0] == "(" and field_behind(row.text):
            self.problems.append(field_elsewhere(row.whole, row.text))
            return
        if not self.groups:
            self.groups.append(OpenedCard("", "", None))
            if not looks_like_a_title(row.text):
                self.problems.append(no_title(row.whole))
        text, note = with_note(row.text)
        self.groups[-1].entries.append(CardEntry(text, note, row.at))
        self.lines += 1

    def opened(self, row: TextRow) -> OpenedCard:
        """The group that a title opens, even a faulty one."""
        found = titled(row.text)
        if found is None:
            self.problems.append(bad_title(row))
            return OpenedCard(tidy(row.text.strip("".join(CLOSING))), "", row.whole)
        title, note = found
        place = row.at(0, len(title) + 2)
        self.problems += unfit_title(tidy(title), place)
        return OpenedCard(tidy(title), note, place)


def field_problems(key: str, value: str, row: TextRow, found: re.Match[str]) -> Iterator[Problem]:
    """The problems of a `(key: value)` by itself."""
    word, _, language = key.partition(" ")
    place = row.at(found.end("value") - len(found["value"].lstrip()), len(value))
    if key in ("about", "source"):
        return
    if key == "id":
        if not ID.fullmatch(value):
            yield Problem("bad-name", f"{value!r} cannot be an id", place, "lower-case letters, digits and _")
    elif key == "language" or (word in ("name", "about") and language):
        code = value if key == "language" else language
        if not LANGUAGE.fullmatch(code):
            yield Problem("bad-name", f"{code!r} is not a language", place, "a language is written en, zh, zh-Hant")
    else:
        yield Problem("unknown-key", f"a card has no key {key!r}", row.at(1, len(found["key"])), f"write {KEYS}")


def unescaped(text: str) -> str:
    r"""The text with `\n`, `\t` and `\\` replaced by their characters."""
    return re.sub(r"\\([nt\\])", lambda found: ESCAPES[found[1]], text)


# --- writing


def write_text(card: Card) -> str:
    """The card as plain text; reading it gives the same card."""
    return "".join(f"{row}\n" for row in [*head_of(card), *(row for group in card.groups for row in body_of(group))])


def first_language(card: Card) -> str:
    """The language of the first name."""
    return "en" if "en" in card.name else next(iter(card.name), "en")


def told_of(card: Card) -> dict[str, str]:
    """What the card is, by language."""
    return ({first_language(card): card.about} if card.about else {}) | dict(card.abouts)


def head_of(card: Card) -> Iterator[str]:
    """The name and the other fields."""
    language = first_language(card)
    if name := card.name.get(language, ""):
        yield name
    if language != "en":
        yield f"(language: {language})"
    if card.id != id_of(name):
        yield f"(id: {card.id})"
    yield from (f"(name {other}: {text})" for other, text in card.name.items() if other != language)
    abouts = ((f"about {other}", text) for other, text in card.abouts.items())
    told = (("about", card.about), *abouts, ("source", card.source))
    yield from (f"({key}: {escaped(text)})" for key, text in told if text)


def body_of(group: CardGroup) -> Iterator[str]:
    """The title and the lines below it."""
    if group.title or group.place:
        yield noted(f"“{group.title}”", group.note)
    yield from (noted(entry.text, entry.note) for entry in group.entries)


def noted(text: str, note: str) -> str:
    """The text followed by its note."""
    return f"{text} ({note})" if note else text


def escaped(text: str) -> str:
    """The text on one line."""
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")


# --- problems


def missing_name(place: Place) -> Problem:
    return Problem("missing-name", "the name of the card is missing", place, "write it on its own line before this")


def control_characters(place: Place) -> Problem:
    return Problem("bad-text", "cards cannot hold control characters", place, "remove them; they are invisible")


def empty_card(place: Place) -> Problem:
    return Problem("empty-card", "this card is empty", place, "begin with its name; then titles in quotes, and lines")


def empty_group(title: str, place: Place) -> Problem:
    return Problem("empty-group", f"there is no line under the title {title!r}", place, "remove it, or add its lines")


def too_many_lines(place: Place) -> Problem:
    return Problem(
        "too-many-lines", f"a card has at most {MOST_LINES} lines", place, "what follows is not read; make two cards"
    )


def no_title(place: Place) -> Problem:
    return Problem(
        "no-title", "this line comes before the first title", place, "write a title in quotes above: “Any Numbers”"
    )


def said_twice(key: str, place: Place) -> Problem:
    return Problem("duplicate-key", f"{key!r} is given already", place, "keep one of them")


def not_a_field(row: TextRow) -> Problem:
    """A line in brackets below the name that is not a `(key: value)`."""
    if not row.text.endswith(")"):
        return Problem("not-closed", "this ( is never closed", row.at(0), "put ) at the end of the line")
    return Problem("unknown-key", "a line in brackets below the name has a key and a text", row.whole, f"write {KEYS}")


def field_elsewhere(place: Place, text: str) -> Problem:
    """`(key: value)` on the line of the name, or among the lines of the card."""
    message = f"{text.partition(':')[0]}: ...) belongs directly below the name, on its own line"
    return Problem("misplaced-field", message, place, "move it there")


def title_without_quotes(row: TextRow) -> Problem:
    """Words or numbers that are not a hand."""
    hint = f"if it is a title, put it in quotes: “{row.text}”"
    return Problem("not-a-line", "this is not a line of hands", row.whole, hint)


def bad_title(row: TextRow) -> Problem:
    """A line that begins with a quote and is not a title."""
    signs = CLOSING[row.text[0]]
    if found := re.match(rf".+?[{signs}]\s*(\()", row.text):
        return Problem("not-closed", "this ( is never closed", row.at(found.start(1)), "put ) at the end of the line")
    closing = next((at for at, sign in enumerate(row.text) if at and sign in signs), None)
    if closing is None:
        message, hint = f"this {row.text[0]} is never closed", f"put {signs[:2][-1]} at the end of the title"
        return Problem("not-closed", message, row.at(0), hint)
    rest = len(row.text) - closing - 1
    return Problem("text-behind-title", "there is text after a title", row.at(closing + 1, rest), "put it in brackets")
