"""The hands of a line of a card, slowly and plainly: written from the description of the language, not from the engine.

In: the text of a line. Out: its hands, each a sorted tuple of (tile, how many), or Refused. A set is (letter, how many,
colour); a colour is one of g r b (of different suits), a free one ("a", and one for each "*"), or a suit m c d.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import permutations, product

Set = tuple[str, int, str]
Pattern = tuple[Set, ...]
Hand = tuple[tuple[str, int], ...]

NUMBERS = "123456789"
SPECIAL = {"o": "13579", "e": "2468"}
DRAGONS = {"m": "G", "c": "R", "d": "0"}
SIZES = {"I": 1, "A": 2, "P": 3, "K": 4, "Q": 5}
OPPOSITE = {"N": "E", "E": "N", "S": "W", "W": "S"}

LETTER = "[1-9DGR0FNEWSdgrfnews]"  # behind a code
SETS = "[-1-9DGR0FNEWSfnewsgrbBamMcdx+= ]*"
CODE = "|".join(
    (
        "T|t",
        f"(?:[IPKQZipkqz]|A){LETTER}{{2,}}",
        "[Ll][oeOE]?",
        "[Vv][aoeAOE]",
        f"[Uu][IAPKQiapkq]{LETTER}{{2}}",
        r"\*[0-9]+",
        f">[0-9]{LETTER}+",
        f"[Yy](?:[oO]|e(?!{LETTER})|{LETTER}+)",
        "[Hh][0-9]+",
        "#",
        "~",
        "![1-9]+",
    )
)
LINE = re.compile(rf"(?P<first>{SETS})(?:[|o](?P<second>{SETS}))?(?P<codes>(?:(?:{CODE}) *)*)(?P<ending>.*)", re.DOTALL)
ENDING = re.compile(r"(?P<how>[XC]) *(?P<value>[0-9]{1,4})? *")
ENDING_AFTER_CODES = re.compile(r"(?P<how>[XCc]) *(?P<value>[0-9]{1,4})? *")

MOST = 400_000  # more than this is not written out, whatever the engine's own limit


class Refused(Exception):
    """This is no line of a card."""


class TooMany(Exception):
    """More hands than anybody waits for."""


@dataclass(frozen=True)
class Typed:
    """A line, read: codes are (letter, characters), the letter in upper case."""

    patterns: tuple[Pattern, ...]
    codes: tuple[tuple[str, str], ...]
    exposed: bool
    value: int


@dataclass(frozen=True)
class Listed:
    """The hands of a line. `most`: how many things were written down at once on the way, equal ones included."""

    hands: frozenset[Hand]
    most: int

    @property
    def tile_sets(self) -> int:
        """How many different heaps of 14 tiles the hands are."""
        return len({tuple(sorted(heap(hand).items())) for hand in self.hands})


def heap(hand: Hand) -> Counter[str]:
    """The tiles of a hand without its sets."""
    tiles: Counter[str] = Counter()
    for tile, count in hand:
        tiles[tile] += count
    return tiles


def listed(text: str) -> Listed:
    """The hands of a line; at least one."""
    line = read(text)
    hands: set[Hand] = set()
    most = 0
    for pattern in line.patterns:
        patterns = {pattern}
        for number, (letter, chars) in enumerate(line.codes):
            made: list[Pattern] = []
            for old in patterns:
                made += STAGES[letter](old, chars, allowed(line), number)
                if len(made) > MOST:
                    raise TooMany
            most = max(most, len(made))
            patterns = set(made)
        for one in patterns:
            hands.update(in_suits(one))
            most = max(most, len(hands))
            if most > MOST:
                raise TooMany
    return Listed(frozenset(hands), most)


# --- reading


def read(text: str) -> Typed:
    """What is typed, if it is typed as a line has to be."""
    if len(text) > 400:
        raise Refused("too long")
    found = LINE.fullmatch(text)
    assert found
    codes = tuple(code_of(code) for code in re.findall(CODE, found["codes"]))
    patterns = tuple(sets_of(part) for part in (found["first"], found["second"]) if part is not None)
    ending = (ENDING_AFTER_CODES if codes else ENDING).fullmatch(found["ending"] or "X25")
    if ending is None:
        raise Refused(f"cannot be read from {found['ending']!r}")
    line = Typed(patterns, codes, ending["how"] == "X", int(ending["value"] or 25))
    for fault in faults(line):
        raise Refused(fault)
    return line


def code_of(text: str) -> tuple[str, str]:
    """A code and its characters: a o e of L V Y in lower case (though E after Y is the wind), the others in upper."""
    letter, chars = text[0].upper(), text[1:]
    if letter in "LV" or (letter == "Y" and chars in ("o", "O", "e")):
        return letter, chars.lower()
    return letter, chars.upper()


def sets_of(text: str) -> Pattern:
    """Runs of equal letters, each in the colour that was typed last."""
    sets: list[Set] = []
    colour, run = "g", ""
    for char in text:
        if char in "grbBamMcd":
            colour, run = char.lower(), ""
        elif char in "x+-= ":
            run = ""
        elif char.upper() == run:
            letter, count, _ = sets.pop()
            sets.append((letter, count + 1, colour))
        else:
            run = char.upper()
            sets.append((run, 1, colour))
    return tuple(sets)


def faults(line: Typed) -> Iterable[str]:
    """Why it is no line."""
    if any(sum(count for _, count, _ in pattern) != 14 for pattern in line.patterns):
        yield "not 14 tiles"
    if sum(letter not in "T!" for letter, _ in line.codes) > 2:
        yield "three stages"
    if any(letter == "!" for letter, _ in line.codes[1:]):
        yield "a restriction is the first of the codes"
    longest = max(map(len, line.patterns))
    for letter, chars in line.codes:
        numbers = chars if letter in "*H" else chars[:1] if letter == ">" else ""
        if any(int(number) >= longest for number in numbers):
            yield "no such set"
        if letter == "U" and chars[1] == chars[2]:
            yield "two different letters"
        if letter == "H" and not all(fits(pattern, chars) for pattern in line.patterns):
            yield "a pair first, then singles"


def fits(pattern: Pattern, chars: str) -> bool:
    """The first of these sets is a pair and the others are singles, as far as there are such sets."""
    counts = [pattern[int(number)][1] for number in chars if int(number) < len(pattern)]
    return int(chars[0]) >= len(pattern) or (counts[0] == 2 and all(count == 1 for count in counts[1:]))


def allowed(line: Typed) -> str:
    """The numbers that ! leaves."""
    return next((chars for letter, chars in line.codes if letter == "!"), NUMBERS)


# --- stages: a pattern, the characters, the numbers allowed, the place among the codes -> the patterns made of it


def same(pattern: Pattern, chars: str, only: str, number: int) -> list[Pattern]:
    """T and ! make nothing."""
    return [pattern]


def alike(size: int) -> Callable[[Pattern, str, str, int], list[Pattern]]:
    """I A P K Q, and Z for every size (0): the sets of the first letter become each of the letters."""

    def stage(pattern: Pattern, chars: str, only: str, number: int) -> list[Pattern]:
        return [
            tuple(
                (new if old == chars[0] and size in (0, count) else old, count, colour)
                for old, count, colour in pattern
            )
            for new in chars
        ]

    return stage


def like_numbers(pattern: Pattern, chars: str, only: str, number: int) -> list[Pattern]:
    """L: every 1 (Le: 2) becomes each number; without one nothing happens."""
    replaced = "2" if chars == "e" else "1"
    if all(letter != replaced for letter, _, _ in pattern):
        return [pattern]
    values = [value for value in SPECIAL.get(chars, NUMBERS) if value in only]
    return [renamed(pattern, {replaced: value}) for value in values]


def unlike_numbers(pattern: Pattern, chars: str, only: str, number: int) -> list[Pattern]:
    """U: sets of a size with one of two letters become any two different numbers."""
    size, first, second = SIZES[chars[0]], chars[1], chars[2]
    if not any(count == size and letter in (first, second) for letter, count, _ in pattern):
        return [pattern]
    return [
        tuple(
            ({first: x, second: y}.get(old, old) if count == size else old, count, colour)
            for old, count, colour in pattern
        )
        for x in only
        for y in only
        if x != y
    ]


def runs(pattern: Pattern, chars: str, only: str, number: int) -> list[Pattern]:
    """V: all numbers move up together."""
    numbers = [int(letter) for letter, _, _ in pattern if letter in NUMBERS]
    found = []
    for up in range(0, 10 - max(numbers, default=9), 1 if chars == "a" else 2):
        if all(str(number + up) in only for number in numbers):
            found.append(renamed(pattern, {str(number): str(number + up) for number in numbers}))
    return found


def free_suit(pattern: Pattern, chars: str, only: str, number: int) -> list[Pattern]:
    """*: these sets have a colour of their own, a free one."""
    return [
        tuple(
            (letter, count, f"*{number}" if str(place) in tuple(chars) else colour)
            for place, (letter, count, colour) in enumerate(pattern)
        )
    ]


def one_set(pattern: Pattern, chars: str, only: str, number: int) -> list[Pattern]:
    """>: this set becomes each of the letters."""
    place = int(chars[0])
    if place >= len(pattern):
        return [pattern]
    _, count, colour = pattern[place]
    return [(*pattern[:place], (letter, count, colour), *pattern[place + 1 :]) for letter in chars[1:]]


def later_pairs(pattern: Pattern, chars: str, only: str, number: int) -> list[Pattern]:
    """Y: pairs of the first pair's number become each value, the first one excepted."""
    pairs = [place for place, (letter, count, _) in enumerate(pattern) if count == 2 and letter in NUMBERS]
    later = [place for place in pairs[1:] if pattern[place][0] == pattern[pairs[0]][0]]
    return [
        tuple(
            (value if place in later else letter, count, colour)
            for place, (letter, count, colour) in enumerate(pattern)
        )
        for value in SPECIAL.get(chars, chars)
    ]


def moving_pair(pattern: Pattern, chars: str, only: str, number: int) -> list[Pattern]:
    """H: each of these sets is the pair once, and other sets of the number of the first of them go with it."""
    places = [int(char) for char in chars if int(char) < len(pattern)]
    if int(chars[0]) >= len(pattern):
        return [pattern]
    mark = pattern[places[0]][0]
    found = []
    for pair in places:
        new = []
        for place, (letter, count, colour) in enumerate(pattern):
            if place in places:
                new.append((letter, 2 if place == pair else 1, colour))
            else:
                new.append((pattern[pair][0] if letter == mark and mark in NUMBERS else letter, count, colour))
        found.append(tuple(new))
    return found


def any_order(pattern: Pattern, chars: str, only: str, number: int) -> list[Pattern]:
    """#: the numbers change places in every way."""
    numbers = sorted({letter for letter, _, _ in pattern if letter in NUMBERS})
    if len(numbers) > 8:
        raise TooMany
    return [renamed(pattern, dict(zip(numbers, order, strict=True))) for order in permutations(numbers)]


def opposite_winds(pattern: Pattern, chars: str, only: str, number: int) -> list[Pattern]:
    """~: as it is, and with the winds swapped."""
    return [pattern, renamed(pattern, OPPOSITE)]


def renamed(pattern: Pattern, names: dict[str, str]) -> Pattern:
    """All sets of a letter get another."""
    return tuple((names.get(letter, letter), count, colour) for letter, count, colour in pattern)


STAGES: dict[str, Callable[[Pattern, str, str, int], list[Pattern]]] = {
    "T": same,
    "!": same,
    "Z": alike(0),
    **{letter: alike(size) for letter, size in SIZES.items()},
    "L": like_numbers,
    "U": unlike_numbers,
    "V": runs,
    "*": free_suit,
    ">": one_set,
    "Y": later_pairs,
    "H": moving_pair,
    "#": any_order,
    "~": opposite_winds,
}


# --- suits


def in_suits(pattern: Pattern) -> Iterable[Hand]:
    """The pattern in every choice of suits, the same hand several times if it comes out so."""
    colours = sorted({colour for letter, _, colour in pattern if letter in NUMBERS + "D" and colour not in "mcd"})
    printed = [place for place, colour in enumerate(colours) if colour in "grb"]
    for suits in product("mcd", repeat=len(colours)):
        if len({suits[place] for place in printed}) == len(printed):
            chosen = dict(zip(colours, suits, strict=True))
            yield tuple(sorted((tile(letter, chosen.get(colour, colour)), count) for letter, count, colour in pattern))


def tile(letter: str, suit: str) -> str:
    """A tile by name: "m2", "G", "F"."""
    if letter in NUMBERS:
        return suit + letter
    return DRAGONS[suit] if letter == "D" else letter
