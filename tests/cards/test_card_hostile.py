"""Whatever is typed as a line of a card: it is read or refused, with a place inside the text; nothing crashes."""

import tracemalloc
from random import Random

import pytest
from bounds import calls
from budget import budget
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from oracles.random_card_lines import MUTATIONS, draft, mutated

from tilewright.cards import expand
from tilewright.cards.expand import MOST_HANDS, TooManyHands, bare_card, faults_of, hands_of
from tilewright.cards.line import parse_line, write_line
from tilewright.cards.model import CardLineText

pytestmark = pytest.mark.slow

AT_ONCE = 20  # calls; a short line that is read has hundreds
MOST = budget(2_500)  # hands of a line
MEMORY = 2_000 * MOST  # bytes on the way to a refusal
EXAMPLES = budget(50)

hostile = settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
SETS = (
    "FFFF 1111 222 r333",
    "11 22 r33 b44 FFFFFF",
    "22 3 4 5 a6666 NEWS D",
    "123456789FFFFF",
    "a5555 b11 22 dDDDD Nm7",
    "",
)
CODES = st.text("TIAPKQZLUVYHtipkqzluvyh*>#~!oae0123456789DGRFNEWSfnews XCc|", max_size=14)


@hostile
@given(st.text(max_size=80))
@example("\ud800")
@example("1 2 3 FFFFFFFFFFF | 1 2 3 FFFFFFFFFFF | FFFFFF FFFFFFFF *3")
def test_any_text(text: str) -> None:
    survive(text)


@hostile
@given(st.text(MUTATIONS, max_size=60))
def test_any_text_of_the_letters_of_the_language(text: str) -> None:
    survive(text)


@hostile
@given(st.sampled_from(SETS), CODES)
def test_any_codes(sets: str, codes: str) -> None:
    survive(sets + codes)


@hostile
@given(st.integers(0), st.integers(1, 4), st.sampled_from(["", "é", "東", "\x00", "０", "²", "\u202e", "(", "“"]))
def test_accidents(seed: int, accidents: int, stranger: str) -> None:
    random = Random(seed)
    text = draft(random).typed(random)
    for _ in range(accidents):
        text = mutated(text, random) or "F"
    place = random.randrange(len(text) + 1)
    survive(text[:place] + stranger + text[place:])


def survive(text: str) -> CardLineText | None:
    """The line that is read, after all that is done to lines has been done to it."""
    line, faults = parse_line(text)
    found = list(faults)
    assert (line is None) == any(fault.severity == "error" for fault in faults)
    if line is not None:
        again, _ = parse_line(write_line(line))
        assert again == replaced_text(line, write_line(line))
        try:
            assert len(hands_of(line)) <= MOST_HANDS
            found += faults_of(line)
        except TooManyHands:
            pass
    for fault in found:
        assert fault.code and fault.message
        assert 0 <= fault.offset <= len(text) and 1 <= fault.length <= max(1, len(text))
    for one in bare_card([text]).lines:
        told = {fault.code for fault in one.faults}
        assert bool(one.hands) == (one.error is None and "no-hands" not in told)
        one.as_json()
    return line


def replaced_text(line: CardLineText, text: str) -> CardLineText:
    """The same line, typed in another way."""
    return CardLineText(text, line.patterns, line.codes, line.exposed, line.value)


LONG = {
    "flowers": "F" * 1_000_000,
    "pairs": "11 " * 333_333,
    "spaces": " " * 1_000_000,
    "codes": "FFFF 1111 222 r333 " + "L" * 1_000_000,
    "characters of a code": "FFFF 1111 222 r333 K" + "2468" * 250_000,
    "numbers of sets": "FFFF 1111 222 r333 *" + "0" * 1_000_000,
    "a value": "FFFF 1111 222 r333 X" + "9" * 1_000_000,
    "bars": "|" * 1_000_000,
    "lines": "FFFF 1111 222 r333\n" * 50_000,
    "brackets": "(" * 1_000_000,
    "strange": "東" * 1_000_000,
    "half characters": "\ud800" * 1_000_000,
    "one too many": "FFFF 1111 222 r333".ljust(401),
}


@pytest.mark.parametrize("what", LONG)
def test_long_lines_are_refused_at_once(what: str) -> None:
    with calls(AT_ONCE):
        line, faults = parse_line(LONG[what])
    assert line is None and [fault.code for fault in faults] == ["line-too-long"]
    assert len(faults[0].message) < 200


def test_the_longest_line_is_read() -> None:
    assert survive("FFFF 1111 222 r333".ljust(400)) is not None


VALID = "FFFF 1111 222 r333 K12 X25"
STRANGE = {
    "long s, an S in capitals": "ſ",
    "sharp s, SS in capitals": "ß",
    "kelvin, a k in small letters": "\u212a",
    "dotless i": "ı",
    "I with a dot": "İ",
    "superscript two": "²",
    "full-width one": "１",
    "arabic one": "١",
    "circled one": "①",
    "roman one": "Ⅰ",
    "cyrillic E": "Е",
    "greek N": "Ν",
    "cyrillic X": "Х",
    "full-width bar": "｜",
    "horizontal bar": "―",
    "percent sign": "٪",
    "nul": "\x00",
    "escape": "\x1b[31m",
    "delete": "\x7f",
    "right to left": "\u202e",
    "isolate": "\u2066",
    "joiner": "\u200d",
    "combining": "e\u0301\u0327",
    "many accents": "F" + "\u0301" * 100,
    "half a character": "\ud83c",
    "tile": "🀀",
    "tag": "\U000e0041",
    "last of all": "\U0010ffff",
    "percent": "%s%d{0}",
    "backslash": "\\N\\d",
}


@pytest.mark.parametrize("what", STRANGE)
def test_strange_characters_are_no_letters(what: str) -> None:
    for place in range(len(VALID) + 1):
        assert survive(VALID[:place] + STRANGE[what] + VALID[place:]) is None, place


@pytest.mark.parametrize("space", ["\t", "\n", "\r", "\v", "\u00a0", "\u2003", "\u2028", "\u3000"])
def test_spaces_of_all_kinds_are_spaces(space: str) -> None:
    for place in range(len(VALID) + 1):
        same = survive(VALID[:place] + " " + VALID[place:])
        other = survive(VALID[:place] + space + VALID[place:])
        assert (same is None) == (other is None), place
        if same is not None and other is not None:
            assert (other.patterns, other.codes, other.value) == (same.patterns, same.codes, same.value)


HUGE = {
    "nine numbers": "1 22 r3 44 b5 66 a7 c8 m9 NN #",
    "nine numbers twice": "1 22 r3 44 b5 66 a7 c8 m9 NN # #",
    "unlike, then unlike": "1 r2 b3 a4 55 r66 FFFFF N UI12 UA56",
    "unlike in a free suit": "1 r2 33 b44 a5 FFF NNNN UI12 UA34",
    "unlike, in any order": "1 22 r3 44 b5 66 a7 c8 m9 8 1 UI12 #",
    "in any order, then unlike": "1 22 r3 44 b5 66 a7 c8 m9 8 1 # UI12",
    "two patterns": "1 r22 b333 a44 5 c66 m7 F E | 1 r22 b333 a44 5 c66 m7 8 9 # ~",
    "free suits": "1 r22 b333 a44 5 c66 m7 8 9 # *4",
}


@pytest.mark.parametrize("what", HUGE)
def test_too_many_hands_are_refused_before_they_are_made(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a smaller limit than the real one, which `make soak` takes."""
    monkeypatch.setattr(expand, "MOST_HANDS", MOST)
    monkeypatch.setattr(expand, "MOST_STEPS", 2 * MOST)
    tracemalloc.start()
    try:
        (refused,) = bare_card([HUGE[what]]).lines
        assert tracemalloc.get_traced_memory()[1] < MEMORY
    finally:
        tracemalloc.stop()
    assert refused.error is not None and refused.error.code == "too-many-hands" and not refused.hands
