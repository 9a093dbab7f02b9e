"""Mistakes in YAML syntax: a complaint of ruamel.yaml in, the author's mistake and its fix out.

The parser says where it failed and what it expected. The mistake is found in the lines around; an unknown complaint
becomes `bad-yaml`, in our words as well.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.reader import ReaderError

from tilewright.base.problem import Place, Problem, Source

QUOTES = "if it is part of a text, put the whole text in quotes"
INDENT = "align the keys of a mapping, and the dashes of a list, exactly"
ITEM = r"\s*(?:- +)*"
KEY = re.compile(ITEM + r"(?:\"[^\"]*\"|'[^']*'|[^\s:#,\[\]{}][^:#]*):(?:\s|$)")
NO_SPACE_AFTER_KEY = re.compile(ITEM + r"([\w.-]+:)[^\s:]")
NO_SPACE_AFTER_DASH = re.compile(r"\s*(-)[^\s-]")
BEYOND = re.compile(r"\\U(?!000|0010)[0-9a-fA-F]{8}")
CLOSING = {"[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class Complaint:
    """An error of the parser: what it expected, where it failed, and where the current part began."""

    wish: str
    place: Place
    start: Place

    @property
    def line(self) -> str:
        """The line where the parser failed."""
        return self.place.source.line(self.place.line)

    @property
    def above(self) -> tuple[Place, str]:
        """The line over that line, and its text."""
        place = Place(self.place.source, self.place.line - 1, 1)
        return place, place.source.line(place.line)

    @property
    def before(self) -> str:
        """The part of that line before the place."""
        return self.line[: self.place.column - 1]

    @property
    def sign(self) -> str:
        """The character there; empty at the end of a line."""
        return self.line[self.place.column - 1 : self.place.column]

    @property
    def indent(self) -> Place:
        """The place of the first word of that line."""
        start = len(self.line) - len(self.line.lstrip(" \t"))
        return Place(self.place.source, self.place.line, start + 1, max(1, len(self.line.rstrip()) - start))


def syntax_problem(error: YAMLError, source: Source) -> Problem:
    """The mistake behind a complaint of the parser."""
    if isinstance(error, ReaderError):
        return bad_character(source, error.position)
    complaint = complaint_of(error, source)
    found = (problem for part, find in MISTAKES.items() if part in complaint.wish for problem in find(complaint))
    return next(found, None) or bad_yaml(complaint.place)


def complaint_of(error: YAMLError, source: Source) -> Complaint:
    """The parts of an exception that matter; without a place, the beginning of the document."""
    if not isinstance(error, MarkedYAMLError):
        return Complaint("", source.place(0), source.place(0))
    marks = [mark.index for mark in (error.problem_mark, error.context_mark) if mark] or [0]
    return Complaint(f"{error.problem or ''} {error.context or ''}", source.place(marks[0]), source.place(marks[-1]))


def no_token(complaint: Complaint) -> Iterator[Problem]:
    """A character that nothing can begin with."""
    yield tab(complaint) if complaint.sign == "\t" else reserved(complaint.place, complaint.sign)


def no_value_here(complaint: Complaint) -> Iterator[Problem]:
    """A `:` after something that cannot be a key."""
    above, text = complaint.above
    if KEY.match(complaint.before + " "):
        yield colon_in_value(complaint.place)
    elif found := NO_SPACE_AFTER_KEY.match(text):
        yield no_space(above, found)
    elif KEY.match(text):
        yield bad_indentation(complaint.indent, "this line is indented under a line that has a value already")
    elif text.strip():
        yield no_colon(above, text)


def no_key(complaint: Complaint) -> Iterator[Problem]:
    """A word where a key is expected."""
    text = complaint.start.source.line(complaint.start.line)
    if found := NO_SPACE_AFTER_DASH.match(text) or NO_SPACE_AFTER_KEY.match(text):
        yield no_space(complaint.start, found)
    else:
        yield no_colon(complaint.start, text)


def no_block_end(complaint: Complaint) -> Iterator[Problem]:
    """Something that does not continue the mapping or list around it."""
    above, text = complaint.above
    ends = complaint.before.rstrip()[-1:]
    if complaint.sign and complaint.sign in "]},":
        yield not_opened(complaint)
    elif complaint.before.strip(" -"):
        yield text_behind(complaint.place, quoted=ends != "" and ends in "\"'")
    elif complaint.sign == "-":
        yield bad_indentation(complaint.indent, "a list entry where a key is expected")
    elif found := NO_SPACE_AFTER_KEY.match(text):
        yield no_space(above, found)
    else:
        yield bad_indentation(complaint.indent, "the indentation of this line matches no line above it")


def no_comma(complaint: Complaint) -> Iterator[Problem]:
    """Brackets that hold something unexpected, most often because they are never closed."""
    opening = complaint.start.source.line(complaint.start.line)[complaint.start.column - 1]
    if complaint.sign and complaint.sign in "]}":
        yield wrong_bracket(complaint.place, opening, complaint.sign)
    elif not complaint.sign or (complaint.place.line > complaint.start.line and KEY.match(complaint.before + ": ")):
        yield not_closed(complaint.start, opening, CLOSING[opening])
    else:
        yield comma_missing(complaint.place)


def no_content(complaint: Complaint) -> Iterator[Problem]:
    """Nothing where a value is expected."""
    if complaint.sign == ",":
        yield Problem("nothing-here", "there is nothing before this comma", complaint.place, "remove one comma")
    elif complaint.sign and complaint.sign in "]}":
        yield not_opened(complaint)


def no_list_here(complaint: Complaint) -> Iterator[Problem]:
    """`key: - entry`."""
    yield bad_indentation(
        complaint.place,
        "a list with dashes cannot begin after a key on the same line",
        "begin it on the next line, or write [a, b]; a text that begins with '-' needs quotes",
    )


def no_question(complaint: Complaint) -> Iterator[Problem]:
    """`key: ? value`."""
    yield reserved(complaint.place, "?")


def no_quote(complaint: Complaint) -> Iterator[Problem]:
    """A quoted text that runs to the end of the document."""
    quote = complaint.start.source.line(complaint.start.line)[complaint.start.column - 1]
    yield not_closed(complaint.start, quote, quote)


def no_escape(complaint: Complaint) -> Iterator[Problem]:
    r"""A `\` in double quotes that does not begin an escape."""
    at = complaint.before.rfind("\\")
    place = Place(complaint.place.source, complaint.place.line, at + 1, complaint.place.column - at)
    yield Problem(
        "bad-escape",
        r"unknown escape after '\' in double quotes",
        place,
        r"write '\\' for one '\', or use single quotes, where it has no meaning",
    )


def no_block_header(complaint: Complaint) -> Iterator[Problem]:
    """`key: > text`: the sign begins a block of lines."""
    yield reserved(complaint.start, complaint.start.source.line(complaint.start.line)[complaint.start.column - 1])


def no_name(complaint: Complaint) -> Iterator[Problem]:
    """`*` or `&` without a name, or `!` with an unexpected one."""
    yield reserved(complaint.start, complaint.start.source.line(complaint.start.line)[complaint.start.column - 1])


def no_directive(complaint: Complaint) -> Iterator[Problem]:
    """A line that begins with `%`."""
    yield reserved(complaint.start, "%")


def no_document(complaint: Complaint) -> Iterator[Problem]:
    """Something after what looked like the whole document."""
    source = complaint.place.source
    percent = next((n for n in range(1, complaint.place.line + 1) if source.line(n).startswith("%")), None)
    if percent:
        yield reserved(Place(source, percent, 1), "%")
    else:
        yield bad_indentation(complaint.indent, "this line is indented less than the first key of the document")


def no_end(complaint: Complaint) -> Iterator[Problem]:
    """Text after `...`."""
    yield Problem(
        "several-documents", "the document ended at '...', but something follows", complaint.place, "remove the '...'"
    )


def no_block_line(complaint: Complaint) -> Iterator[Problem]:
    """Empty lines of a block that are longer than its first line."""
    yield bad_indentation(
        complaint.place,
        "an empty line above has more spaces than the first line of this text",
        "remove the spaces from the empty line",
    )


MISTAKES: dict[str, Callable[[Complaint], Iterator[Problem]]] = {
    "cannot start any token": no_token,
    "mapping values are not allowed here": no_value_here,
    "could not find expected ':'": no_key,
    "expected <block end>": no_block_end,
    "expected ',' or": no_comma,
    "expected the node content": no_content,
    "sequence entries are not allowed here": no_list_here,
    "mapping keys are not allowed here": no_question,
    "while scanning a quoted scalar": no_quote,
    "while scanning a double-quoted scalar": no_escape,
    "more indented follow up line": no_block_line,
    "while scanning a block scalar": no_block_header,
    "an alias": no_name,
    "an anchor": no_name,
    "tag": no_name,
    "directive": no_directive,
    "<document start>": no_document,
    "document end marker": no_end,
}


def bad_yaml(place: Place) -> Problem:
    """An unknown complaint."""
    return Problem(
        "bad-yaml",
        "from here on the document cannot be read",
        place,
        "look for a quote, bracket or indentation that differs from the lines around it",
    )


def bad_character(source: Source, offset: int) -> Problem:
    """A control character."""
    return Problem(
        "bad-character",
        f"documents cannot hold the character U+{ord(source.text[offset]):04X}",
        source.place(offset),
        "remove it; it is invisible",
    )


def no_such_character(source: Source) -> Problem:
    r"""`\Uffffffff`: beyond the last character."""
    found = BEYOND.search(source.text)
    place = source.place(found.start(), 10) if found else source.place(0)
    return Problem(
        "bad-escape", r"there is no character with the number after this '\U'", place, "write the character itself"
    )


def tab(complaint: Complaint) -> Problem:
    """A tab outside of texts."""
    if complaint.before.strip(" "):
        return Problem("tab", "a tab where only spaces are allowed", complaint.place, "use a space instead")
    return Problem("tab", "this line is indented with a tab", complaint.place, "indent with spaces")


def reserved(place: Place, sign: str) -> Problem:
    """A character with a meaning in YAML at the beginning of a value."""
    return Problem("reserved-sign", f"an unquoted value cannot begin with '{sign}' here", place, QUOTES)


def colon_in_value(place: Place) -> Problem:
    """`key: a: b`."""
    return Problem(
        "colon-in-value",
        "an unquoted value contains a ':' followed by a space",
        place,
        "put the whole value in quotes; if it is a mapping, write {a: b} or begin it on the next line",
    )


def no_space(line: Place, found: re.Match[str]) -> Problem:
    """`key:value` or `-entry`."""
    sign = found[1][-1]
    return Problem(
        "no-space",
        f"a space is missing after the '{sign}'",
        Place(line.source, line.line, found.end(1)),
        f"write '{found[1]} {found[0][-1]}...'",
    )


def no_colon(line: Place, text: str) -> Problem:
    """A line with a key and no value."""
    start = len(text) - len(text.lstrip(" "))
    return Problem(
        "no-colon",
        "a ':' is missing: this line is a key without a value",
        Place(line.source, line.line, start + 1, max(1, len(text.rstrip()) - start)),
        "write 'key: value'; a long text continues in indented lines",
    )


def bad_indentation(place: Place, message: str, hint: str = INDENT) -> Problem:
    """A line too far to the left or to the right."""
    return Problem("bad-indentation", message, place, hint)


def text_behind(place: Place, quoted: bool) -> Problem:
    """`'it's'`, `*name text`."""
    message = "there is something after the end of a quoted text" if quoted else "a value ended, but something follows"
    hint = "quote the whole value, with the kind of quotes that it does not contain" if quoted else QUOTES
    return Problem("text-behind-value", message, place, hint)


def not_opened(complaint: Complaint) -> Problem:
    """A `]`, `}` or `,` outside of brackets."""
    return Problem("not-opened", f"a '{complaint.sign}' is outside of brackets", complaint.place, QUOTES)


def wrong_bracket(place: Place, opening: str, sign: str) -> Problem:
    """`[a}`."""
    return Problem("wrong-bracket", f"'{opening}' is closed by '{sign}'", place, f"write '{CLOSING[opening]}'")


def not_closed(place: Place, opening: str, closing: str) -> Problem:
    """A bracket or a quote without an end."""
    return Problem("not-closed", f"this {opening} is never closed", place, f"put {closing} where it ends")


def comma_missing(place: Place) -> Problem:
    """`[a "b"]`, `{a: 1 b: 2}`."""
    return Problem(
        "no-comma",
        "between brackets a ',' is missing before this",
        place,
        "separate the entries with commas; a text with ': ' in it needs quotes",
    )
