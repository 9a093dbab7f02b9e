"""The small print of a card: a line in, a few words on what its codes and colours mean out.

"Any like numbers, any 2 suits". Knows the structure of lines, but neither paper nor screen.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Protocol

from tilewright.cards.model import ANY, COLOURS, NUMBERS, SUITED, CardCode, CardLineText, CardPattern, CardSet
from tilewright.presentation import catalogue
from tilewright.presentation.catalogue import ENGLISH

SUIT_WORDS = {
    "g": "first suit",
    "r": "second suit",
    "b": "third suit",
    "a": "any suit",
    "m": "in bams",
    "c": "in craks",
    "d": "in dots",
}
LETTER_WORDS = {
    "D": "dragon of the suit",
    "G": "green dragon",
    "R": "red dragon",
    "0": "white dragon",
    "F": "any flower",
    "NEWS": "the winds",
}
CONCEALED = {True: "sets may be exposed", False: "concealed but for the last tile"}
LARGEST = 6  # tiles of a set that has a name
SIZE_OF = {"I": 1, "A": 2, "P": 3, "K": 4, "Q": 5}
ORDINALS = 9  # positions that have a name
PARITY = {"o": "odd", "e": "even"}
ODD = "13579"


class Speaker(Protocol):
    """A message of the catalogue in one language."""

    def __call__(self, id: str, /, **slots: object) -> str: ...


def words_of(line: CardLineText, language: str = ENGLISH) -> str:
    """What the line's codes and colours mean, as one phrase; empty if there is nothing to say."""
    say = partial(catalogue.say, language=language)
    phrases = dict.fromkeys([*code_words(say, line), *free_words(say, line), *suit_words(say, line)])
    text = say("sheet.comma").join(phrases)
    return text[:1].upper() + text[1:]


def code_words(say: Speaker, line: CardLineText) -> Iterator[str]:
    """A phrase for each code, in the order of the text."""
    only = "".join(code.chars for code in line.codes if code.letter == "!")
    for code in line.codes:
        if code.letter in WORDS:
            yield WORDS[code.letter](say, line, code, only)


def suit_of(one: CardSet) -> str:
    """The colour or suit that matters for a set; empty for a tile that has no suit."""
    return one.colour if one.letter in SUITED else ""


def signs_at(pattern: CardPattern, at: int) -> list[str]:
    """The signs before the set of this number, or after the last one."""
    last = len(pattern.sets)
    return [sign.text for sign in pattern.signs if min(sign.before, last) == at]


def joined_sets(line: CardLineText, pattern: CardPattern) -> list[bool]:
    """Whether each set follows the one before without a space: as typed, or, where nothing was spaced, if both are
    single tiles."""
    blanks = [line.text[one.offset + one.count : other.offset] for one, other in pairwise(pattern.sets)]
    spaced = any(map(has_space, blanks))
    singles = [one.count == other.count == 1 for one, other in pairwise(pattern.sets)]
    signs = [bool(signs_at(pattern, at)) for at in range(1, len(pattern.sets))]
    together = [not has_space(blank) and (spaced or single) for blank, single in zip(blanks, singles, strict=True)]
    return [False, *(one and not sign for one, sign in zip(together, signs, strict=True))]


def has_space(text: str) -> bool:
    return any(sign.isspace() for sign in text)


def either(say: Speaker, letters: Sequence[str], last: str = "or") -> str:
    """ "2 or 5", "N, E, W or S"."""
    *most, end = letters
    return say("sheet.comma").join(most) + say(f"sheet.{last}") + end if most else end


# --- suits


def suit_words(say: Speaker, line: CardLineText) -> Iterator[str]:
    """In how many suits the colours are, if a pattern leaves that open."""
    bound = [list(bound_sets(line, pattern)) for pattern in line.patterns]
    counts = [len({one.colour for one in sets}) for sets in bound]
    others = any(map(has_free_suit(line), line.patterns))
    if any(one.letter in NUMBERS for sets in bound for one in sets):
        numbers = sorted({count for count in counts if count})
        suits = either(say, [str(count) for count in numbers])
        yield say("sheet.other_suits" if others else "sheet.suits", suits=suits, count=max(numbers))
    elif most := max(counts):
        yield say("sheet.dragons", count=most) if most > 1 else say("sheet.dragon")


def bound_sets(line: CardLineText, pattern: CardPattern) -> Iterator[CardSet]:
    """The sets whose suit follows from their colour; not those that a code puts in any suit."""
    listed = free_numbers(line)
    return (one for at, one in enumerate(pattern.sets) if suit_of(one) in {*COLOURS} and at not in listed)


def has_free_suit(line: CardLineText) -> Callable[[CardPattern], bool]:
    """Whether some sets of a pattern are in any suit, whatever the others are."""
    listed = free_numbers(line)
    return lambda pattern: any(
        suit_of(one) and (at in listed or one.colour == ANY) for at, one in enumerate(pattern.sets)
    )


def free_numbers(line: CardLineText) -> set[int]:
    """The numbers of the sets that a code puts in any suit."""
    return {int(number) for code in line.codes if code.letter == "*" for number in code.chars}


def suits_of(pattern: CardPattern) -> int:
    """How many colours the sets of a pattern have."""
    return len({suit_of(one) for one in pattern.sets} & set(COLOURS))


def free_words(say: Speaker, line: CardLineText) -> Iterator[str]:
    """Which sets are in any suit and listed by no code."""
    listed = free_numbers(line)
    for pattern in line.patterns:
        free = [number for number, one in enumerate(pattern.sets) if suit_of(one) == ANY and number not in listed]
        if free:
            yield free_phrase(say, pattern, free)


def free_phrase(say: Speaker, pattern: CardPattern, numbers: Sequence[int]) -> str:
    """A phrase for the sets with these numbers being in any suit."""
    return say("sheet.in_one_suit" if len(numbers) > 1 else "sheet.in_suit", sets=sets_name(say, pattern, numbers))


# --- sets


def sets_name(say: Speaker, pattern: CardPattern, numbers: Sequence[int]) -> str:
    """Names of sets: by their size if it is unique, else by their positions."""
    counts = {pattern.sets[number].count for number in numbers}
    alike = [number for number, one in enumerate(pattern.sets) if one.count in counts]
    if len(counts) == 1 and alike == sorted(numbers) and max(counts) <= LARGEST:
        return say(f"sheet.size_{counts.pop()}", count=len(numbers))
    ordinals = either(say, [ordinal(say, pattern, number) for number in numbers], "and")
    return say("sheet.nth", ordinals=ordinals, count=len(numbers))


def ordinal(say: Speaker, pattern: CardPattern, number: int) -> str:
    """ "First", "last" and so on."""
    if number == len(pattern.sets) - 1:
        return say("sheet.last")
    return say(f"sheet.ordinal_{number + 1}") if number < ORDINALS else say("sheet.ordinal", number=number + 1)


def listed_sets(line: CardLineText, chars: str) -> tuple[CardPattern, list[int]]:
    """The first pattern that has a set of these numbers, and which of them it has."""
    for pattern in line.patterns:
        if numbers := sorted({int(char) for char in chars if int(char) < len(pattern.sets)}):
            return pattern, numbers
    return line.patterns[0], [0]


def how_many(line: CardLineText, fits: Callable[[CardSet], bool]) -> int:
    """How many sets of one pattern fit, at most."""
    return max(sum(fits(one) for one in pattern.sets) for pattern in line.patterns)


def numbers_in(line: CardLineText) -> str:
    """The different numbers of the first pattern that has any, ascending."""
    return next((n for p in line.patterns if (n := "".join(sorted({s.letter for s in p.sets} & set(NUMBERS))))), "")


# --- codes


def like_numbers(say: Speaker, line: CardLineText, code: CardCode, only: str) -> str:
    first = "2" if code.chars == "e" else "1"
    several = how_many(line, lambda one: one.letter == first) > 1
    if only:
        return say("sheet.like_of" if several else "sheet.number_of", numbers=either(say, only))
    return say(f"sheet.{'like' if several else 'number'}_{PARITY.get(code.chars, 'any')}")


def run(say: Speaker, line: CardLineText, code: CardCode, only: str) -> str:
    numbers = numbers_in(line)
    if not numbers:
        return say("sheet.run_any")
    kinds = {"odd" if number in ODD else "even" for number in numbers}
    kind = kinds.pop() if code.chars != "a" and len(kinds) == 1 else ""
    found = say(f"sheet.{'run' if len(numbers) > 1 else 'number'}_{kind or 'any'}")
    if code.chars != "a" and not kind:
        found = say("sheet.from_odd" if numbers[0] in ODD else "sheet.from_even", run=found)
    if only:
        return say("sheet.run_of", run=found, numbers=either(say, only, "and" if len(numbers) > 1 else "or"))
    if numbers[0] > "2" or (numbers[0] == "2" and not kind):
        return say("sheet.run_up", run=found, number=numbers[0])
    return found


def like_sets(say: Speaker, line: CardLineText, code: CardCode, only: str) -> str:
    size = SIZE_OF[code.letter]
    count = how_many(line, lambda one: one.count == size and one.letter == code.chars[0])
    numbers = set(code.chars) <= set(NUMBERS)
    letters = either(say, sorted(code.chars) if numbers else code.chars)
    return say("sheet.sets_of", sets=say(f"sheet.size_{size}", count=max(count, 1)), letters=letters)


def like_any(say: Speaker, line: CardLineText, code: CardCode, only: str) -> str:
    return say("sheet.may_be", letter=code.chars[0], letters=either(say, code.chars[1:]))


def unlike(say: Speaker, line: CardLineText, code: CardCode, only: str) -> str:
    size, letters = SIZE_OF[code.chars[0]], code.chars[1:]
    count = how_many(line, lambda one: one.count == size and one.letter in letters)
    numbers = either(say, only, "and") if only else None
    return say("sheet.unlike", sets=say(f"sheet.size_{size}", count=max(count, 1)), numbers=numbers)


def free_suit(say: Speaker, line: CardLineText, code: CardCode, only: str) -> str:
    return free_phrase(say, *listed_sets(line, code.chars))


def replaced(say: Speaker, line: CardLineText, code: CardCode, only: str) -> str:
    sets = sets_name(say, *listed_sets(line, code.chars[0]))
    return say("sheet.sets_of", sets=sets, letters=either(say, code.chars[1:]))


def later_pairs(say: Speaker, line: CardLineText, code: CardCode, only: str) -> str:
    if code.chars in PARITY:
        return say(f"sheet.later_{PARITY[code.chars]}")
    return say("sheet.later", letters=either(say, code.chars))


def moving_pair(say: Speaker, line: CardLineText, code: CardCode, only: str) -> str:
    pattern, numbers = listed_sets(line, code.chars)
    return say("sheet.pair_may_be", letters=either(say, [pattern.sets[number].letter for number in numbers]))


Words = Callable[[Speaker, CardLineText, CardCode, str], str]
WORDS: dict[str, Words] = {
    "T": lambda say, line, code, only: say("sheet.these_only"),
    "L": like_numbers,
    "V": run,
    **dict.fromkeys(SIZE_OF, like_sets),
    "Z": like_any,
    "U": unlike,
    "*": free_suit,
    ">": replaced,
    "Y": later_pairs,
    "H": moving_pair,
    "#": lambda say, line, code, only: say("sheet.any_order"),
    "~": lambda say, line, code, only: say("sheet.opposite"),
}


# --- a line read aloud


def spoken(line: CardLineText, language: str = ENGLISH) -> str:
    """The sets of a line, naming the suit wherever it changes."""
    say = partial(catalogue.say, language=language)
    return say("sheet.or_else").join(" ".join(spoken_sets(say, pattern)) for pattern in line.patterns)


def spoken_sets(say: Speaker, pattern: CardPattern) -> Iterator[str]:
    """The sets and signs of a pattern."""
    several, last = suits_of(pattern) > 1, "g"
    for at, one in enumerate(pattern.sets):
        yield from signs_at(pattern, at)
        suit = suit_of(one)
        changes = suit and (suit != last or (several and not at))
        last = suit or last
        yield f"({say(f'sheet.suit_{suit}')}) {one.letter * one.count}" if changes else one.letter * one.count
    yield from signs_at(pattern, len(pattern.sets))
