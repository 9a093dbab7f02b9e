"""Faults: what can be wrong in the text of a line, with one function for each.

Knows the codes and common confusions. Knows no grammar: the place of the failure and the expected tokens are passed in.
"""

import re
from collections.abc import Iterator
from typing import Literal

from tilewright.base.problem import Severity
from tilewright.cards.codes import CODES, Expander, is_pair_among_singles
from tilewright.cards.model import SIGNS, TILES, CardCode, CardLineText, CardPattern, Fault
from tilewright.cards.sayings import codes_of

Due = Literal["sets", "codes", "value", "nothing"]  # what was expected at the failure

MOST_CHARACTERS = 400
MOST_PATTERNS = 2
MOST_STAGES = 2
MOST_DIGITS = 4
ORDINALS = ("first", "second")

ENDINGS = {
    "x": "exposed is a capital X, x is a sign",
    "c": "closed is a capital C, c is a suit",
    "": "write X (exposed) or C (closed) before the value, as in X25",
}
SLIPS = {
    "Oo": "the white dragon is 0, not O; separate two patterns with | or a small o",
    "Jj": "wild tiles are not written: they stand for tiles of the sets",
    "\\¦": "separate two patterns with | or a small o",
    "([{": "write a note beside the line, not in it",
    ",.;&": "separate sets with nothing but a space",
    "“”\"'": "put a title on its own line",
}
COLOURS = {
    "d": "a small d is the suit dots; dragons are a capital D",
    "g": "a small g is the colour green; the green dragon is a capital G",
    "r": "a small r is the colour red; the red dragon is a capital R",
    "b": "b is the colour blue; bams are m, the white dragon is 0",
    "m": "m is the suit bams, written before its sets",
    "c": "c is the suit craks, written before its sets",
    "a": "a is any suit, written before its sets",
}
FOR_TILES = re.compile(r"([grbamcd])(?=\s*\1|\s*$)|B(?=\s*B|\s*$)|(?<=G)g|(?<=R)r|(?<=D)d")  # no set follows
SMALL_O = re.compile(r"o{2,}|(?<=\S)o|o(?=\S)")
WORD = re.compile(r"[0-9A-Za-z]*")
VALUE = re.compile(r"(?P<end>[xc]?)\s*(?P<value>[0-9]{1,4})\s*$")
BACKWARDS = re.compile(r"(?P<value>[0-9]{1,4})\s*(?P<end>[XC])\s*$")
ENDED = re.compile(r"[XCc]\s*[0-9]*\s*$")
SETS = re.compile(rf"[|o1-9DGR0FNEWSfnewsgrbBaMmd{SIGNS}](?:\s*[|o1-9DGR0FNEWSfnewsgrbBaMmdcx{SIGNS}])*")
NOTE = re.compile(r"[(\[{][^)\]}]*[)\]}]?")
SAME = re.compile(r"(.)\1*", re.DOTALL)
TYPED = (  # what may be written without spaces, all in small letters: colours and tiles, codes, an ending
    "[fnewsgrbamcdxo]*(?:[iakpqz][fnewsgrd]{2,}|y[oefnwsgrd]+|u[iapkq][fnewsgrd]{2}|l[oe]?|v[aoe]|t)*[cx]?"
)
KNOWN = "any|all|and|odd|one|nos|runs?|like|same|red|green|dragons?|bams?"  # words made of valid letters
ENGLISH = rf"(?<![^\W_])(?:(?i:{KNOWN})|(?!{TYPED}(?![^\W_]))[^\W\d_](?:(?=[^\W\d_])[^A-Z]){{2,}})(?![^\W_])"
WORDS = re.compile(rf"{ENGLISH}(?:[\s,]+(?:(?:[1-9]|or|of|in|nos?)[\s,]+)*{ENGLISH})*")


# --- the whole text


def line_too_long(text: str) -> Fault:
    """More characters than any line has; none of them is read."""
    message = f"a line has at most {MOST_CHARACTERS} characters, this one has {len(text)}"
    return Fault("line-too-long", message, MOST_CHARACTERS, hint="give every hand of a card its own line")


def empty_line() -> Fault:
    """Nothing but spaces."""
    return Fault("empty-line", "the line is empty", hint="write its sets, as in FF 222 444 666 888 X25")


def words_in(text: str) -> list[re.Match[str]]:
    """Consecutive words of a language in a text; brackets and quotes end them."""
    return list(WORDS.finditer(re.split(r"[(\[{“”\"]", text, maxsplit=1)[0]))


def words_in_line(words: str, at: int) -> Fault:
    """Words that were meant as a note or a code."""
    hint = "put a note in brackets at the end of the line"
    if meant := next(iter(codes_of(words)), None):
        hint = f"the code for it is {meant[1]}; {hint}"
    return Fault("words-in-line", f"{words!r} are words, not tiles or codes", at, len(words), hint)


def small_o(at: int, length: int) -> Fault:
    """The letter o among tiles."""
    return Fault("small-o", "a small o means 'or'; the white dragon is the digit 0", at, length, "type zeros there")


# --- unreadable text


def stray(text: str, at: int, due: Due, last: CardCode | None) -> Fault:
    """The fault at unreadable text, as long as the part to skip. `last`: a code before it."""
    if due == "sets":
        return unknown_code(text, at, "not a tile, a colour or a code")
    if due == "codes" and last:
        return stray_behind(last, text, at)
    if due == "value" and re.match(r"[^\w\s]+\s*[0-9]", text[at:]):
        return bad_value(text[at:].rstrip(), at)
    if text[at - 1].isdigit() and text[at].upper() not in (*CODES, *"([{"):
        return bad_value(text[at:].rstrip(), at)
    return nothing_after_ending(text[at:].rstrip(), at)


def stray_behind(last: CardCode, text: str, at: int) -> Fault:
    """Something after a code that is not a code."""
    expander = CODES[last.letter]
    word, glued = first(WORD, text, at), at == last.offset + 1 + len(last.chars)
    meant = first(expander.chars, expander.canonical(word))
    if meant and not (last.chars or glued or SETS.match(text[at + len(meant) :].lstrip())):
        return parted_characters(last, meant, at)
    if word and glued and not expander.chars.fullmatch(last.chars):
        return code_without_characters(CardCode(last.letter, last.chars + word, last.offset))
    if value := VALUE.match(text, at):
        return value_without_ending(value[0].rstrip(), at, ENDINGS[value["end"]])
    if turned := BACKWARDS.match(text, at):
        return value_without_ending(turned[0].rstrip(), at, f"write {turned['end']}{turned['value']}")
    if sets := first(SETS, text, at):
        return pattern_after_codes(sets, at, expander if glued else None)
    return unknown_code(text, at, "no code")


def first(pattern: re.Pattern[str], text: str, at: int = 0) -> str:
    """The match of the pattern at a place; empty if none."""
    found = pattern.match(text, at)
    return found[0] if found else ""


def unknown_code(text: str, at: int, what: str) -> Fault:
    """An unknown character, with its repetitions; brackets with their content."""
    sign = first(NOTE, text, at) or first(SAME, text, at)
    hint = next((hint for slips, hint in SLIPS.items() if sign[0] in slips), None)
    return Fault("unknown-code", f"{sign!r} is {what}", at, len(sign), hint)


def pattern_after_codes(sets: str, at: int, glued: Expander | None) -> Fault:
    """Sets, colours or a second pattern after a code."""
    hint = "codes come after the sets; after two patterns they apply to both"
    if glued:
        hint += f"; {takes(glued)}"
    return Fault("pattern-after-codes", f"there are sets after a code: {sets!r}", at, len(sets), hint)


def bad_value(value: str, at: int) -> Fault:
    """What follows X or C instead of a value."""
    message = f"a value has 1 to {MOST_DIGITS} digits and nothing else"
    return Fault("bad-value", message, at, len(value), "X25 and C50 are whole endings")


def value_without_ending(value: str, at: int, hint: str) -> Fault:
    """A value that follows a code."""
    return Fault("bad-value", f"the value {value!r} has no X or C before it", at, len(value), hint)


def nothing_after_ending(rest: str, at: int) -> Fault:
    """Something after X or C and the value."""
    hint = next((hint for slips, hint in SLIPS.items() if rest[0] in slips), None)
    if rest[0].upper() in CODES:
        hint = "codes come before X or C"
    elif "X" in rest or "C" in rest:
        hint = "a capital X or C ends the line; the sign x and the suit c are small letters"
    return Fault("nothing-after-ending", "nothing may follow X or C and the value", at, len(rest), hint)


# --- patterns


def third_pattern(pattern: CardPattern, text: str) -> Fault:
    """A second `|`."""
    at = max(text.rfind(sign, 0, pattern.offset + 1) for sign in "|o")
    return Fault("third-pattern", "a line has one pattern or two", at, hint="write a second line for the third one")


def wrong_number_of_tiles(line: CardLineText, number: int, end: int) -> Fault:
    """A pattern of less or more than 14 tiles; it ends at `end`."""
    pattern = line.patterns[number]
    which = f"the {ORDINALS[number]} pattern" if len(line.patterns) > 1 else "the pattern"
    lack = TILES - pattern.tiles
    off = f"{abs(lack)} too {'few' if lack > 0 else 'many'}"
    message = f"{which} has {counted(pattern.tiles, 'tile')}, {off}: a hand has {TILES}"
    text = line.text[pattern.offset : end].rstrip()
    hint = mistaken_colour(text) if lack > 0 else mistaken_ending(text, pattern, line.text[end:])
    if pattern.tiles == 2 * TILES and "/" in text:
        hint = SLIPS["\\¦"]
    return Fault("wrong-number-of-tiles", message, pattern.offset, max(1, len(text)), hint)


def counted(count: int, thing: str) -> str:
    """`1 tile`, `13 tiles`."""
    return f"{count} {thing}{'' if count == 1 else 's'}"


def mistaken_colour(text: str) -> str | None:
    """The hint for a small letter that was meant as a tile."""
    found = FOR_TILES.search(text)
    return COLOURS[found[0].lower()] if found else None


def mistaken_ending(text: str, pattern: CardPattern, rest: str) -> str | None:
    """The hint for a pattern that ends in what was meant as the value. `rest`: what follows it."""
    value = re.search(r"(?P<end>[xc]?)\s*(?P<value>[0-9]{1,4})$", text)
    if not value or pattern.tiles - len(value["value"]) != TILES:
        return None
    if rest.rstrip() in ("X", "C"):
        return f"write {rest.rstrip()}{value['value']}"
    return None if ENDED.search(rest) else ENDINGS[value["end"]]


def free_suit_not_listed(pattern: CardPattern, numbers: list[int], listed: set[str]) -> Fault:
    """Sets in any suit (`a`) that no `*` lists, though it may list others."""
    one = pattern.sets[numbers[0]]
    message = f"{which_sets(numbers)} in any suit, but no * lists {'it' if len(numbers) == 1 else 'them'}"
    digits = "".join(sorted({*listed, *map(str, numbers)}))
    hint = f"write *{digits} after the sets" if numbers[-1] < 10 else None
    return Fault("free-suit-not-listed", message, one.offset, one.count, hint, "warning")


def which_sets(numbers: list[int]) -> str:
    """`set 4 is`, `sets 1, 2 and 3 are`."""
    *others, last = map(str, numbers)
    return f"sets {', '.join(others)} and {last} are" if others else f"set {last} is"


# --- codes


def takes(code: Expander) -> str:
    """`V takes a (all), o (odd) or e (even), as in Va`."""
    return f"{code.letter} takes {code.takes}" + (f", as in {code.sample}" if code.sample != code.letter else "")


def code_without_characters(code: CardCode) -> Fault:
    """A code whose characters are missing or invalid."""
    message = f"{code.letter} does not take {code.chars!r}" if code.chars else f"{code.letter} lacks its characters"
    return Fault("code-without-characters", message, code.offset, 1 + len(code.chars), takes(CODES[code.letter]))


def parted_characters(code: CardCode, meant: str, at: int) -> Fault:
    """`P 25`: the characters follow a space."""
    message = f"a space separates {code.letter} from its characters"
    length = at + len(meant) - code.offset
    return Fault("code-without-characters", message, code.offset, length, f"write {code.letter}{meant}")


def repeated_letter(code: CardCode, index: int) -> Fault:
    """A character that its code lists twice: useless, or a mistake if two different letters are needed."""
    message = f"{code.letter} lists {code.chars[index]} twice"
    severity: Severity = "error" if code.letter == "U" else "warning"
    return Fault("repeated-letter", message, code.offset + 1 + index, 1, takes(CODES[code.letter]), severity)


def restriction_not_first(code: CardCode) -> Fault:
    """`!` after another code."""
    return Fault(
        "restriction-not-first",
        "! must come before all other codes",
        code.offset,
        1 + len(code.chars),
        "move it to the front",
    )


def third_stage(code: CardCode) -> Fault:
    """One code too many."""
    message = "a line has at most two codes, not counting T and !"
    return Fault("third-stage", message, code.offset, 1 + len(code.chars), "write a line for each hand it makes")


def no_such_set(line: CardLineText, code: CardCode, index: int) -> Iterator[Fault]:
    """The number of a set that a pattern does not have: an error if none has it."""
    number = int(code.chars[index])
    lacking = [at for at, pattern in enumerate(line.patterns) if number >= len(pattern.sets)]
    if not lacking:
        return
    everywhere = len(lacking) == len(line.patterns)
    which = f"the {ORDINALS[lacking[0]]} pattern has" if not everywhere else "there is"
    last = max(len(line.patterns[at].sets) for at in lacking) - 1
    yield Fault(
        "no-such-set",
        f"{which} no set {number}",
        code.offset + 1 + index,
        hint=f"sets are counted from 0, the last one is {last}",
        severity="error" if everywhere else "warning",
    )


def not_a_pair(line: CardLineText, code: CardCode) -> Iterator[Fault]:
    """H whose sets are not a pair and singles."""
    listed = [int(number) for number in code.chars]
    for pattern in line.patterns:
        sizes = [one.count for one in pattern.sets]
        if max(listed) < len(sizes) and not is_pair_among_singles(sizes, listed):
            shown = " ".join(pattern.sets[number].letter * pattern.sets[number].count for number in listed)
            yield Fault(
                "not-a-pair",
                f"H lists {shown}, not a pair and singles",
                code.offset,
                1 + len(code.chars),
                "sets are counted from 0; the first set listed is a pair, each other one a single",
            )
            return


# --- faults of the hands


def too_many_hands(most: int) -> Fault:
    """More hands than the limit."""
    message = f"the line makes more than {most:,} hands".replace(",", " ")
    return Fault("too-many-hands", message, hint="remove a code, or let it list less")


def no_hands(code: CardCode | None) -> Fault:
    """No hands; only `!` removes hands."""
    at, length = (code.offset, 1 + len(code.chars)) if code else (0, 1)
    hint = "let ! list all numbers of at least one hand"
    return Fault("no-hands", "the line makes no hand", at, length, hint, "warning")


def changes_nothing(code: CardCode) -> Fault:
    """A code without which the line has the same hands."""
    message = f"without this {code.letter} the hands are the same"
    return Fault("changes-nothing", message, code.offset, 1 + len(code.chars), CODES[code.letter].says, "warning")
