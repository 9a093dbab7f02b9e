"""The small print of a card: a line in, a few words on what its codes and colours mean out.

"Any like numbers, any 2 suits". Knows the structure of lines, but neither paper nor screen.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from tilewright.cards.model import ANY, COLOURS, NUMBERS, SUITED, CardCode, CardLineText, CardPattern, CardSet

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
SIZES = {
    count: tuple(words.split("/"))  # singular and plural
    for count, words in enumerate(
        (
            "single/singles",
            "pair/pairs",
            "set of three/sets of three",
            "set of four/sets of four",
            "set of five/sets of five",
            "set of six/sets of six",
        ),
        start=1,
    )
}
SIZE_OF = {"I": 1, "A": 2, "P": 3, "K": 4, "Q": 5}
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
PARITY = {"o": "odd ", "e": "even "}
ODD = "13579"


def words_of(line: CardLineText) -> str:
    """What the line's codes and colours mean, as one phrase; empty if there is nothing to say."""
    phrases = dict.fromkeys([*code_words(line), *free_words(line), *suit_words(line)])
    text = ", ".join(phrases)
    return text[:1].upper() + text[1:]


def code_words(line: CardLineText) -> Iterator[str]:
    """A phrase for each code, in the order of the text."""
    only = "".join(code.chars for code in line.codes if code.letter == "!")
    for code in line.codes:
        if code.letter in WORDS:
            yield WORDS[code.letter](line, code, only)


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


def either(letters: Sequence[str], last: str = "or") -> str:
    """ "2 or 5", "N, E, W or S"."""
    *most, end = letters
    return f"{', '.join(most)} {last} {end}" if most else end


# --- suits


def suit_words(line: CardLineText) -> Iterator[str]:
    """In how many suits the colours are, if a pattern leaves that open."""
    bound = [list(bound_sets(line, pattern)) for pattern in line.patterns]
    counts = [len({one.colour for one in sets}) for sets in bound]
    others = "others in " if any(map(has_free_suit(line), line.patterns)) else ""
    if any(one.letter in NUMBERS for sets in bound for one in sets):
        numbers = sorted({count for count in counts if count})
        yield f"{others}any {either([str(count) for count in numbers])} suit{'' if numbers == [1] else 's'}"
    elif most := max(counts):
        yield "any dragon" if most == 1 else f"any {most} dragons"


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


def free_words(line: CardLineText) -> Iterator[str]:
    """Which sets are in any suit and listed by no code."""
    listed = free_numbers(line)
    for pattern in line.patterns:
        free = [number for number, one in enumerate(pattern.sets) if suit_of(one) == ANY and number not in listed]
        if free:
            yield free_phrase(pattern, free)


def free_phrase(pattern: CardPattern, numbers: Sequence[int]) -> str:
    """A phrase for the sets with these numbers being in any suit."""
    return f"{sets_name(pattern, numbers)} in any {'one ' if len(numbers) > 1 else ''}suit"


# --- sets


def sets_name(pattern: CardPattern, numbers: Sequence[int]) -> str:
    """Names of sets: by their size if it is unique, else by their positions."""
    counts = {pattern.sets[number].count for number in numbers}
    alike = [number for number, one in enumerate(pattern.sets) if one.count in counts]
    if len(counts) == 1 and alike == sorted(numbers) and counts <= SIZES.keys():
        return SIZES[counts.pop()][len(numbers) > 1]
    return f"{either([ordinal(pattern, number) for number in numbers], 'and')} set{'s' if len(numbers) > 1 else ''}"


def ordinal(pattern: CardPattern, number: int) -> str:
    """ "First", "last" and so on."""
    if number == len(pattern.sets) - 1:
        return "last"
    return ORDINALS[number] if number < len(ORDINALS) else f"{number + 1}th"


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


def like_numbers(line: CardLineText, code: CardCode, only: str) -> str:
    first = "2" if code.chars == "e" else "1"
    several = how_many(line, lambda one: one.letter == first) > 1
    if only:
        return f"like numbers {either(only)}" if several else f"number {either(only)}"
    kind = PARITY.get(code.chars, "")
    return f"any like {kind}numbers" if several else f"any {kind}number"


def run(line: CardLineText, code: CardCode, only: str) -> str:
    numbers = numbers_in(line)
    if not numbers:
        return "any run"
    kinds = {"odd" if number in ODD else "even" for number in numbers}
    kind = kinds.pop() if code.chars != "a" and len(kinds) == 1 else ""
    words = ["any", kind, "run" if len(numbers) > 1 else "number"]
    if code.chars != "a" and not kind:
        words.append(f"from an {'odd' if numbers[0] in ODD else 'even'} number")
    if only:
        words.append(f"of {either(only, 'and')}" if len(numbers) > 1 else f"of {either(only)}")
    elif numbers[0] > "2" or (numbers[0] == "2" and not kind):
        words.append(f"from {numbers[0]} up")
    return " ".join(word for word in words if word)


def like_sets(line: CardLineText, code: CardCode, only: str) -> str:
    size = SIZE_OF[code.letter]
    count = how_many(line, lambda one: one.count == size and one.letter == code.chars[0])
    numbers = set(code.chars) <= set(NUMBERS)
    return f"{SIZES[size][count > 1]} {either(sorted(code.chars) if numbers else code.chars)}"


def like_any(line: CardLineText, code: CardCode, only: str) -> str:
    return f"{code.chars[0]} may be {either(code.chars[1:])}"


def unlike(line: CardLineText, code: CardCode, only: str) -> str:
    size, letters = SIZE_OF[code.chars[0]], code.chars[1:]
    count = how_many(line, lambda one: one.count == size and one.letter in letters)
    among = f" of {either(only, 'and')}" if only else ""
    return f"{SIZES[size][count > 1]} any 2 unlike numbers{among}"


def free_suit(line: CardLineText, code: CardCode, only: str) -> str:
    return free_phrase(*listed_sets(line, code.chars))


def replaced(line: CardLineText, code: CardCode, only: str) -> str:
    return f"{sets_name(*listed_sets(line, code.chars[0]))} {either(code.chars[1:])}"


def later_pairs(line: CardLineText, code: CardCode, only: str) -> str:
    if code.chars in PARITY:
        return f"later pairs any like {PARITY[code.chars]}number"
    return f"later pairs {either(code.chars)}"


def moving_pair(line: CardLineText, code: CardCode, only: str) -> str:
    pattern, numbers = listed_sets(line, code.chars)
    return f"pair may be {either([pattern.sets[number].letter for number in numbers])}"


Words = Callable[[CardLineText, CardCode, str], str]
WORDS: dict[str, Words] = {
    "T": lambda line, code, only: "these numbers only",
    "L": like_numbers,
    "V": run,
    **dict.fromkeys(SIZE_OF, like_sets),
    "Z": like_any,
    "U": unlike,
    "*": free_suit,
    ">": replaced,
    "Y": later_pairs,
    "H": moving_pair,
    "#": lambda line, code, only: "numbers in any order",
    "~": lambda line, code, only: "opposite winds too",
}


# --- a line read aloud


def spoken(line: CardLineText) -> str:
    """The sets of a line, naming the suit wherever it changes."""
    return ", or ".join(" ".join(spoken_sets(pattern)) for pattern in line.patterns)


def spoken_sets(pattern: CardPattern) -> Iterator[str]:
    """The sets and signs of a pattern."""
    several, last = suits_of(pattern) > 1, "g"
    for at, one in enumerate(pattern.sets):
        yield from signs_at(pattern, at)
        suit = suit_of(one)
        changes = suit and (suit != last or (several and not at))
        last = suit or last
        yield f"({SUIT_WORDS[suit]}) {one.letter * one.count}" if changes else one.letter * one.count
    yield from signs_at(pattern, len(pattern.sets))
