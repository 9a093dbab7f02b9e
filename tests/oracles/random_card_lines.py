"""Random lines of a card: all shapes, valid but for rare accidents, the same for the same seed.

A draft is a line in pieces, so that a line that went wrong can be made simpler; `texts` are the ways to type it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random

Piece = tuple[str, str, int]  # the colour typed before it ("" for none), letter, how many

NUMBERS = "123456789"
LETTERS = NUMBERS + "DGR0FNEWS"
OFTEN = NUMBERS * 2 + "DDDGR0FFNEWS"
COLOURS = ("", "", "", "", "g", "r", "r", "b", "a", "m", "c", "d")
SIZES = (1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6)
SIZE_CODES = {"I": 1, "A": 2, "P": 3, "K": 4, "Q": 5}
SIGNS = ("x", "+", "-", "=")
MUTATIONS = "123456789DGR0FNEWSfnewsgrbBamMcdx+-=|o TIAPKQZLUVYHtipkqzluvyh*>#~!XC|  "


@dataclass(frozen=True)
class Draft:
    """The pieces of a line."""

    patterns: tuple[tuple[Piece, ...], ...]
    codes: tuple[str, ...] = ()
    ending: str = "X25"

    def plain(self) -> str:
        """The line with all its spaces."""
        patterns = (" ".join(colour + letter * count for colour, letter, count in pattern) for pattern in self.patterns)
        return " ".join((" | ".join(patterns), *self.codes, self.ending))

    def typed(self, random: Random) -> str:
        """The line as somebody in a hurry may type it: spaces left out, either case, signs."""
        packed = random.random() < 0.5
        parts = [pattern_text(pattern, packed, random) for pattern in self.patterns]
        gap = "" if packed else " "
        between = gap + random.choice("|o") + gap
        return gap.join((between.join(parts), *self.codes, self.ending))

    def simpler(self) -> Iterator["Draft"]:
        """Drafts with a little less in them."""
        for place in range(len(self.codes)):
            yield replace(self, codes=self.codes[:place] + self.codes[place + 1 :])
        if len(self.patterns) > 1:
            yield from (replace(self, patterns=(pattern,)) for pattern in self.patterns)
        for number, pattern in enumerate(self.patterns):
            for place, (colour, letter, count) in enumerate(pattern):
                for piece in {("", letter, count), ("", "F", count)} - {(colour, letter, count)}:
                    changed = (*pattern[:place], piece, *pattern[place + 1 :])
                    yield replace(self, patterns=(*self.patterns[:number], changed, *self.patterns[number + 1 :]))


def simplest(draft: Draft, wrong: Callable[[str], bool]) -> str:
    """A line about as short as they come that is still wrong; the draft's own, if it is wrong only as it was typed."""
    smaller = next((one for one in draft.simpler() if wrong(one.plain())), None)
    return draft.plain() if smaller is None else simplest(smaller, wrong)


def drafts(count: int, seed: int = 1) -> Iterator[Draft]:
    """So many random drafts."""
    random = Random(f"card lines {seed}")
    for _ in range(count):
        yield draft(random)


def draft(random: Random) -> Draft:
    """A line: half of them have one pattern, most have a code, some two."""
    moving = random.random() < 0.1
    count = 2 if random.random() < 0.3 else 1
    numbers = [0, *random.sample(range(1, 5), random.randint(1, 4))]
    patterns = tuple(moving_pattern(numbers, random) if moving else a_pattern(random) for _ in range(count))
    codes = [code(random.choice(patterns), random) for _ in range(random.choices((0, 1, 2), (1, 4, 4))[0])]
    if moving and random.random() < 0.9:
        codes = [*codes[1:], "H" + "".join(map(str, numbers))]
        random.shuffle(codes)
    if random.random() < 0.1:
        codes.insert(random.randint(0, len(codes)), random.choice("Tt"))
    if random.random() < 0.15:
        codes.insert(0, "!" + "".join(sorted(random.sample(NUMBERS, random.randint(1, 6)))))
    return Draft(patterns, tuple(codes), ending(bool(codes), random))


def a_pattern(random: Random) -> tuple[Piece, ...]:
    """Sets of 14 tiles; letters come again often, so that the codes have something to do."""
    letters = random.choices(OFTEN, k=random.randint(3, 7))
    return filled([], letters, random)


def moving_pattern(numbers: list[int], random: Random) -> tuple[Piece, ...]:
    """A pair and singles in the places of these numbers (the pair in place 0), something behind them."""
    letters = random.sample(NUMBERS, max(numbers) + 1)
    sets = [("", letters[0], 2), *(("", letter, 1) for letter in letters[1:])]
    return filled(sets, [letters[0], *random.choices(OFTEN, k=4)], random)


def filled(sets: list[Piece], letters: list[str], random: Random) -> tuple[Piece, ...]:
    """The sets, and more of these letters up to 14 tiles."""
    room = 14 - sum(count for _, _, count in sets)
    while room:
        count = min(room, random.choice(SIZES))
        sets.append((random.choice(COLOURS), random.choice(letters), count))
        room -= count
    return tuple(sets)


def pattern_text(pattern: tuple[Piece, ...], packed: bool, random: Random) -> str:
    """The sets with spaces only where they have to be, or with all of them and a sign here and there."""
    text, last = "", ""
    for colour, letter, count in pattern:
        if text and (not packed or (not colour and letter == last)):
            text += f" {random.choice(SIGNS)} " if random.random() < 0.05 else " "
        shown = letter.lower() if letter in "FNEWS" and random.random() < 0.2 else letter
        text += (colour.upper() if colour in ("b", "m") and random.random() < 0.2 else colour) + shown * count
        last = letter
    return text


def code(pattern: tuple[Piece, ...], random: Random) -> str:
    """A code with characters that mostly mean something to the pattern."""
    letter = random.choice("IAPKQZLLUUVVV*>Y#~")
    if letter in SIZE_CODES or letter == "Z":
        chars = alike(pattern, SIZE_CODES.get(letter, 0), random)
    elif letter == "U":
        size = random.choice(
            [size for size, count in SIZE_CODES.items() for _, _, held in pattern if held == count] or ["K"]
        )
        letter, chars = letter + size, alike(pattern, SIZE_CODES[size], random, 2)
    elif letter in "LV":
        chars = random.choice(("a", "o", "e") if letter == "V" else ("", "", "o", "e"))
    elif letter == "*":
        chars = "".join(random.sample("0123456789"[: len(pattern)], random.randint(1, min(4, len(pattern)))))
    elif letter == ">":
        chars = random.choice("0123456789"[: len(pattern)]) + letters(random, 1)
    elif letter == "Y":
        chars = random.choice(("o", "e", letters(random, 1)))
    else:
        chars = ""
    return (letter if letter == "A" or random.random() < 0.8 else letter[0].lower() + letter[1:]) + chars


def alike(pattern: tuple[Piece, ...], size: int, random: Random, most: int = 0) -> str:
    """A letter of a set of this size (0: any), then others."""
    first = random.choice([letter for _, letter, count in pattern if size in (0, count)] or list(LETTERS))
    others = [letter for letter in LETTERS if letter != first]
    return first + "".join(random.sample(others, most - 1 if most else random.randint(1, 4)))


def letters(random: Random, least: int) -> str:
    """Some letters, numbers more often than not."""
    return "".join(random.sample(random.choice((NUMBERS, LETTERS)), random.randint(least, 4)))


def ending(codes: bool, random: Random) -> str:
    """X or C with a value or without, or nothing."""
    how = random.choice("XXXC" + "c" * codes)
    return random.choice((how, how + "25", how + "50", f"{how} 30", "", how + "1000 "))


def mutated(text: str, random: Random) -> str:
    """The line with an accident: a character lost, doubled, changed or put in, or two exchanged."""
    place = random.randrange(len(text))
    before, char, after = text[:place], text[place], text[place + 1 :]
    other = random.choice(MUTATIONS)
    return random.choice(
        (before + after, before + char + text[place:], before + other + after, before + other + text[place:])
    )
