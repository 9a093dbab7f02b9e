"""A line: its text in, the line out, or every fault in it with its place.

The grammar is `line.lark`; what it accepts is checked further here; faults.py has the messages. Knows no other line.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple, cast

from lark import Lark, Token, Tree, UnexpectedCharacters, UnexpectedToken

from tilewright.base.grammar import parser_of
from tilewright.cards.codes import CODES
from tilewright.cards.faults import (
    MOST_CHARACTERS,
    MOST_DIGITS,
    MOST_PATTERNS,
    MOST_STAGES,
    SMALL_O,
    Due,
    bad_value,
    code_without_characters,
    empty_line,
    free_suit_not_listed,
    line_too_long,
    no_such_set,
    not_a_pair,
    repeated_letter,
    restriction_not_first,
    small_o,
    stray,
    third_pattern,
    third_stage,
    words_in,
    words_in_line,
    wrong_number_of_tiles,
)
from tilewright.cards.model import (
    ALIKE,
    ANY,
    COLOURS,
    LETTERS,
    NUMBERS,
    SUITED,
    TILES,
    CardCode,
    CardLineText,
    CardPattern,
    CardSet,
    Fault,
    Sign,
)

GRAMMAR = Path(__file__).parent / "line.lark"
MOST_FAULTS = 8
VALUE = 25
DUE: dict[str, Due] = {"SET": "sets", "LIKE": "codes", "VALUE": "value"}
WORDS = ("NEWS", NUMBERS + "0")  # letters of single tiles written as one word
Node = Tree[Token]


def parse_line(text: str) -> tuple[CardLineText | None, tuple[Fault, ...]]:
    """The line and its faults, in the order of the text; no line if one of them is an error."""
    if len(text) > MOST_CHARACTERS:
        return None, (line_too_long(text),)
    if not text.strip():
        return None, (empty_line(),)
    line, found = readable(text)
    if errors_in(found):
        found = worded(text, found)
    first = sorted(found, key=lambda fault: (fault.severity, fault.offset))[:MOST_FAULTS]  # errors first
    faults = tuple(sorted(first, key=lambda fault: fault.offset))
    return (None if errors_in(faults) else line), faults


def readable(text: str) -> tuple[CardLineText, list[Fault]]:
    """The line as far as it can be read, and all its faults, one of a kind at a place."""
    tree, strays = read(text)
    line = line_of(tree, text)
    found = {(fault.code, fault.offset): fault for fault in (*check(line, tree, strays), *strays)}
    return line, list(found.values())


def errors_in(faults: Iterable[Fault]) -> bool:
    """Whether one of these keeps the line from being used."""
    return any(fault.severity == "error" for fault in faults)


def worded(text: str, found: list[Fault]) -> list[Fault]:
    """The faults of a text with words in it: the words, and the faults without them."""
    words = words_in(text)
    if not words:
        return found
    for one in words:
        text = text[: one.start()] + " " * len(one[0]) + text[one.end() :]
    tiles = any(letter in text for letter in LETTERS)
    return [words_in_line(words[0][0], words[0].start()), *(readable(text)[1] if tiles else ())]


# --- text to tree


@cache
def grammar() -> Lark:
    """The parser, made when the first line is parsed."""
    return parser_of(GRAMMAR, "line")


def read(text: str) -> tuple[Node, list[Fault]]:
    """The tree of a text, and its unreadable parts, which are skipped like spaces.

    Every prefix of a line can be read by itself, so that as a last resort the text can be cut.
    """
    strays: list[Fault] = []
    while True:
        try:
            return grammar().parse(text), strays
        except (UnexpectedCharacters, UnexpectedToken) as error:
            fault = stray_at(error, text)
        strays.append(fault)
        behind = " " * fault.length + text[fault.offset + fault.length :]
        text = text[: fault.offset] + (behind if len(strays) < MOST_FAULTS else "")


def stray_at(error: UnexpectedCharacters | UnexpectedToken, text: str) -> Fault:
    """The error of lark, in the author's terms."""
    wished = error.allowed if isinstance(error, UnexpectedCharacters) else error.expected
    due = due_among(wished or ())
    last = error.token_history[-1] if error.token_history else None
    code = code_of(last) if due == "codes" and last else None
    return stray(text, error.pos_in_stream or 0, due, code)


def due_among(terminals: Collection[str]) -> Due:
    """The part of a line that these tokens belong to."""
    return next((due for terminal, due in DUE.items() if terminal in terminals), "nothing")


# --- tree to line


def line_of(tree: Node, text: str) -> CardLineText:
    """The line of a tree."""
    patterns, *rest = tree.children
    codes = tuple(code_of(part) for part in rest if isinstance(part, Token))
    exposed, value = True, VALUE
    for ending in (part for part in rest if isinstance(part, Tree)):
        sign, *digits = cast(list[Token], ending.children)
        exposed = sign == "X"
        value = int(digits[0]) if digits and len(digits[0]) <= MOST_DIGITS else VALUE
    return CardLineText(text, tuple(patterns_of(cast(Node, patterns))), codes, exposed, value)


def patterns_of(tree: Node) -> Iterator[CardPattern]:
    """The patterns; an empty one has the place of its sign."""
    offset = 0
    for part in tree.children:
        if isinstance(part, Token):
            offset = start(part)
        else:
            tokens = cast(list[Token], part.children)
            yield pattern_of(tokens, start(tokens[0]) if tokens else offset)


def pattern_of(tokens: list[Token], offset: int) -> CardPattern:
    """Sets in their colours, and signs between them."""
    sets: list[CardSet] = []
    signs: list[Sign] = []
    colour = COLOURS[0]
    for token in tokens:
        if token.type == "SET":
            sets.append(CardSet(token[0].upper(), len(token), colour, start(token)))
        elif token.type == "SIGN":
            signs.append(Sign(ALIKE.get(str(token), str(token)), len(sets)))
        else:
            colour = token.lower()
    return CardPattern(tuple(sets), tuple(signs), offset)


def code_of(token: Token) -> CardCode:
    """A code in canonical case."""
    letter = token[0].upper()
    return CardCode(letter, CODES[letter].canonical(token[1:]), start(token))


def start(token: Token) -> int:
    """The offset of a token in the text."""
    return token.start_pos or 0


# --- checks


def check(line: CardLineText, tree: Node, strays: list[Fault]) -> Iterator[Fault]:
    """Mistakes that the grammar accepts. Those that unreadable parts may explain are not reported."""
    if meant := with_zeros(line, tree):
        yield small_o(*meant.span)
        line = meant.line
    else:
        yield from check_patterns(line, tree, strays)
    line = replace(line, patterns=line.patterns[:MOST_PATTERNS])
    yield from check_codes(line)
    yield from check_free_suits(line)
    yield from check_value(tree)


class Meant(NamedTuple):
    """A line with zeros where the letter o was typed. `span`: offset and length of the first of them."""

    line: CardLineText
    span: tuple[int, int]


def with_zeros(line: CardLineText, tree: Node) -> Meant | None:
    """A line with o's read as zeros, if that brings it nearer to hands of 14 tiles."""
    end = end_of_sets(tree, len(line.text))
    found = [one for one in SMALL_O.finditer(line.text, 0, end) if is_or(tree, one.start())]
    if not found or not off(line):
        return None
    text = line.text
    for one in found:
        text = text[: one.start()] + "0" * len(one[0]) + text[one.end() :]
    meant = replace(line_of(read(text)[0], text), text=line.text)
    return Meant(meant, (found[0].start(), len(found[0][0]))) if off(meant) < off(line) else None


def is_or(tree: Node, at: int) -> bool:
    """Whether a letter separates two patterns."""
    return any(start(token) == at for token in tokens_of(tree, "OR"))


def off(line: CardLineText) -> int:
    """How many tiles the patterns have too many or too few."""
    return sum(abs(pattern.tiles - TILES) for pattern in line.patterns)


def check_patterns(line: CardLineText, tree: Node, strays: list[Fault]) -> Iterator[Fault]:
    """One or two, of 14 tiles each."""
    if len(line.patterns) > MOST_PATTERNS:
        yield third_pattern(line.patterns[MOST_PATTERNS], line.text)
    begin, ends = 0, [*(start(sign) for sign in tokens_of(tree, "OR")), end_of_sets(tree, len(line.text))]
    for number, pattern in enumerate(line.patterns[:MOST_PATTERNS]):
        end = ends[number]
        unread = any(begin <= fault.offset < end or fault.code == "pattern-after-codes" for fault in strays)
        if pattern.tiles != TILES and not unread:
            yield wrong_number_of_tiles(line, number, end)
        begin = end


def tokens_of(tree: Node, terminal: str) -> Iterator[Token]:
    """Every token of a kind, anywhere."""
    return (token for token in tree.scan_values(lambda one: isinstance(one, Token)) if token.type == terminal)


def end_of_sets(tree: Node, end: int) -> int:
    """The place of the first code or the ending."""
    behind = tree.children[1:2]
    first = behind[0].children[0] if behind and isinstance(behind[0], Tree) else next(iter(behind), None)
    return start(first) if isinstance(first, Token) else end


def check_codes(line: CardLineText) -> Iterator[Fault]:
    """Check each code with its characters, their order and number."""
    stages = 0
    for at, code in enumerate(line.codes):
        stages += CODES[code.letter].stage
        if code.letter == "!" and at:
            yield restriction_not_first(code)
        if CODES[code.letter].stage and stages == MOST_STAGES + 1:
            yield third_stage(code)
        if CODES[code.letter].chars.fullmatch(code.chars):
            yield from check_characters(line, code)
        else:
            yield code_without_characters(code)


def check_characters(line: CardLineText, code: CardCode) -> Iterator[Fault]:
    """No character twice, and every set there."""
    sets = CODES[code.letter].sets
    for index in range(sets.stop or 0, len(code.chars)):
        if code.chars[index] in code.chars[sets.stop or 0 : index]:
            yield repeated_letter(code, index)
    for index in sorted({code.chars.index(char) for char in code.chars[sets]}):
        yield from no_such_set(line, code, index)
    if code.letter == "H":
        yield from not_a_pair(line, code)


def check_free_suits(line: CardLineText) -> Iterator[Fault]:
    """Check that every suited set in any suit is listed after a `*`."""
    listed = {char for code in line.codes if code.letter == "*" for char in code.chars}
    for pattern in line.patterns:
        free = [at for at, one in enumerate(pattern.sets) if one.colour == ANY and one.letter in SUITED]
        if unlisted := [at for at in free if str(at) not in listed]:
            yield free_suit_not_listed(pattern, unlisted, listed)


def check_value(tree: Node) -> Iterator[Fault]:
    """A value of few digits."""
    for token in tokens_of(tree, "VALUE"):
        if len(token) > MOST_DIGITS:
            yield bad_value(str(token), start(token))


# --- line to text


def write_line(line: CardLineText) -> str:
    """The line in canonical form; reading it gives an equal line."""
    patterns = " | ".join(write_pattern(pattern) for pattern in line.patterns)
    codes = [code.letter + code.chars for code in line.codes]
    return " ".join([patterns, *codes, f"{'X' if line.exposed else 'C'}{line.value}"])


def write_pattern(pattern: CardPattern) -> str:
    """Sets with their colours and signs, separated except single winds or numbers side by side: `NEWS 2024 r222222`."""
    words: list[str] = []
    before: CardSet | None = None
    for number, one in enumerate(pattern.sets):
        signs = [sign.text for sign in pattern.signs if sign.before == number]
        colour = "" if one.colour == (before.colour if before else COLOURS[0]) else one.colour
        text = colour + one.letter * one.count
        if before and not signs and not colour and side_by_side(before, one):
            words[-1] += text
        else:
            words += [*signs, text]
        before = one
    return " ".join([*words, *(sign.text for sign in pattern.signs if sign.before >= len(pattern.sets))])


def side_by_side(one: CardSet, other: CardSet) -> bool:
    """Two single tiles that are read in one word."""
    single = one.count == other.count == 1 and one.letter != other.letter
    return single and any(one.letter in word and other.letter in word for word in WORDS)
