"""Lines of cards: what they say, what is said of those that are wrong, and how many hands they stand for."""

import re
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bounds import calls
from budget import budget
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from tilewright.cards import faults
from tilewright.cards.codes import CODES
from tilewright.cards.expand import MOST_HANDS, TooManyHands, faults_of, hands_of, write_hand
from tilewright.cards.line import grammar, parse_line, write_line
from tilewright.cards.model import LETTERS, TILES, CardCode, CardLineText, CardPattern, CardSet, Fault, Sign
from tilewright.cards.sayings import SAYINGS, CardPhrase, codes_of

MISTAKES = YAML(typ="safe", pure=True).load(
    (Path(__file__).parents[1] / "data" / "cards" / "mistakes.yaml").read_text("utf-8")
)
WRONG = [case for cases in MISTAKES.values() for case in cases]
EXAMPLES = [(line, hands) for code in CODES.values() for line, hands in code.examples]
EXAMPLES_OF_A_CODE = 6
RANDOM_TEXTS = budget(1_000)
TEXTS_AT_ONCE = 10
CALLS_FOR_A_CARD = 330_000  # twice as many as there are
MOST_MEMORY = 100 << 20

SIGNS = "".join(dict.fromkeys("".join(line for line, _ in EXAMPLES) + "oxXcCaAMBbd+-=|"))
PIECES = st.sampled_from([*(word for line, _ in EXAMPLES for word in line.split()), *SIGNS])
TEXTS = st.one_of(st.text(SIGNS, max_size=60), st.text(max_size=40), st.lists(PIECES, max_size=12).map(" ".join))

SPELLINGS = [
    ("FF222444666888X25", "FF 222 444 666 888 X25"),
    ("11122233344DDDVaX25", "111 222 333 44 DDD Va X25"),
    ("FF1111NEWSDDDDLX25", "FF 1111 N E W S DDDD L X25"),
    ("ff 1111 news DDDD l", "FF 1111 NEWS DDDD L X25"),
    ("Ff 1111 NeWs DDDD L X", "FF 1111 NEWS DDDD L X25"),
    ("FF 11 22 33 44 55 66 vac0050", "FF 11 22 33 44 55 66 Va C50"),
    ("  FF\t222  444 666\u00a0888   X   25  ", "FF 222 444 666 888 X25"),
    ("FF 1111 NEWS DDDD LO", "FF 1111 NEWS DDDD Lo X25"),
    ("FF 222 444 666 888 VA", "FF 222 444 666 888 Va"),
    ("FF 222 444 666 888 o 222 4444 r666 8888", "FF 222 444 666 888 | 222 4444 r666 8888"),
    ("FF222444666888o2224444r6668888", "FF 222 444 666 888 | 222 4444 r666 8888"),
    ("FF 1111 B1111 M1111", "FF 1111 b1111 m1111 X25"),
    ("FFF 1111 8888 DDD uk18", "FFF 1111 8888 DDD UK18"),
    ("11 22 88 NNNN SSSS ua1g", "11 22 88 NNNN SSSS UA1G"),
    ("11 55 99 NN SS FF r11>6369c30", "11 55 99 NN SS FF r11 >6369 C30"),
    ("11 55 99 NN SS FF r11 >6nf", "11 55 99 NN SS FF r11 >6NF"),
    ("FF 1111 r11 NNNN b11 ydgr", "FF 1111 r11 NNNN b11 YDGR"),
    ("FF 1111 r11 NNNN b11 YO", "FF 1111 r11 NNNN b11 Yo"),
    ("FF 1111 NEWS a1111 *6LX25", "FF 1111 NEWS a1111 *6 L X25"),
    ("11 2 3 4 5 1111 EEEE h01234VaX25", "11 2 3 4 5 1111 EEEE H01234 Va X25"),
    ("FF1111NEWSDDDD!135LX25", "FF 1111 NEWS DDDD !135 L X25"),
    ("FF 2 x 2 = 4 222222222", "FF2x2=4 222222222"),
]


def understood(text: str) -> CardLineText:
    """A line that is right, without its text."""
    line, found = parse_line(text)
    assert line is not None, found
    return replace(line, text="")


def all_said(text: str) -> list[Fault]:
    """The faults of a text, those that show in its hands included."""
    line, found = parse_line(text)
    return [*found, *(faults_of(line) if line else ())]


# --- what is wrong


@pytest.mark.parametrize("case", WRONG, ids=[case["line"] for case in WRONG])
def test_mistakes(case: dict[str, Any]) -> None:
    found, wanted = all_said(case["line"]), case.get("errors") or case["warnings"]
    assert [[fault.code, fault.offset + 1] for fault in found] == [want[:2] for want in wanted]
    for fault, (_, _, words) in zip(found, wanted, strict=True):
        assert words in f"{fault.message}; {fault.hint}"
        assert fault.severity == ("error" if "errors" in case else "warning")
        assert fault.offset + fault.length <= len(case["line"])


def test_every_fault_has_a_mistake() -> None:
    told = set(re.findall(r'Fault\(\s*"([a-z-]+)"', Path(faults.__file__).read_text("utf-8")))
    shown = {want[0] for case in WRONG for want in case.get("errors") or case["warnings"]}
    assert told == shown | {"empty-line", "line-too-long"}


@pytest.mark.parametrize("one", SAYINGS, ids=lambda one: one.example)
def test_what_the_paper_says_is_found_and_its_line_is_right(one: CardPhrase) -> None:
    assert all_said(one.line) == [] and len(hands_of(understood(one.line))) == one.hands
    assert next((code for _, code in codes_of(one.example)), "") == one.code
    assert re.sub(r"\d", "", one.code)[:1] in {code.letter for code in understood(one.line).codes} | {""}


@pytest.mark.parametrize("text", ["", " ", "\t\n"])
def test_empty_lines(text: str) -> None:
    assert [fault.code for fault in parse_line(text)[1]] == ["empty-line"]


@pytest.mark.parametrize("text", ["F" * 401, "FF " * 1_000_000], ids=len)
def test_long_lines_are_refused_at_once(text: str) -> None:
    with calls(20):
        line, (fault,) = parse_line(text)
    assert (line, fault.code) == (None, "line-too-long")


def test_few_faults_are_told() -> None:
    line, found = parse_line("V?" * 200)
    assert line is None and len(found) == 8


@pytest.mark.long
@settings(max_examples=RANDOM_TEXTS // TEXTS_AT_ONCE, suppress_health_check=list(HealthCheck))
@given(st.lists(TEXTS, min_size=TEXTS_AT_ONCE, max_size=TEXTS_AT_ONCE))
def test_nothing_crashes_on_random_text(texts: list[str]) -> None:
    for text in texts:
        line, found = parse_line(text)
        assert (line is None) == any(fault.severity == "error" for fault in found)
        assert all(0 <= fault.offset <= len(text) and fault.length > 0 for fault in found)


# --- what is right


@pytest.mark.parametrize(("text", "like"), SPELLINGS)
def test_spellings(text: str, like: str) -> None:
    assert understood(text) == understood(like)


def test_a_line_in_full() -> None:
    line = understood("FFx11 a22r33=m44 4444|gDDDDdNEWS111g222!135T>0fR C5")
    sets = [[(one.letter * one.count, one.colour) for one in pattern.sets] for pattern in line.patterns]
    assert sets[0] == [("FF", "g"), ("11", "g"), ("22", "a"), ("33", "r"), ("44", "m"), ("4444", "m")]
    assert sets[1] == [("DDDD", "g"), *((wind, "d") for wind in "NEWS"), ("111", "d"), ("222", "g")]
    assert [pattern.signs for pattern in line.patterns] == [(Sign("x", 1), Sign("=", 4)), ()]
    assert line.codes == (CardCode("!", "135"), CardCode("T"), CardCode(">", "0FR"))
    assert (line.exposed, line.value) == (False, 5)


def test_places_are_those_of_the_text() -> None:
    line = parse_line(" FF r11 11 11111111 | 22 222 2222 DDDDD L X25")[0]
    assert line
    assert [[one.offset for one in pattern.sets] for pattern in line.patterns] == [[1, 5, 8, 11], [22, 25, 29, 34]]
    assert [pattern.offset for pattern in line.patterns] == [1, 22]
    assert [code.offset for code in line.codes] == [40]


@st.composite
def patterns(draw: st.DrawFn) -> CardPattern:
    """Sets of any colours, 14 tiles together, with signs."""
    sets: list[CardSet] = []
    while left := TILES - sum(one.count for one in sets):
        size = draw(st.integers(1, min(5, left)))
        sets.append(CardSet(draw(st.sampled_from(LETTERS)), size, draw(st.sampled_from("grbamcd"))))
    signs = draw(st.lists(st.builds(Sign, st.sampled_from("x+-=/÷±·"), st.integers(0, len(sets))), max_size=3))
    return CardPattern(tuple(sets), tuple(sorted(signs, key=lambda sign: sign.before)))


def codes() -> st.SearchStrategy[CardCode]:
    """Codes that fit any pattern."""
    letters = st.lists(st.sampled_from(LETTERS), min_size=2, max_size=5, unique=True).map("".join)
    two = st.lists(st.sampled_from(LETTERS), min_size=2, max_size=2, unique=True).map("".join)
    plain = [
        CardCode("T"),
        CardCode("#"),
        CardCode("~"),
        CardCode("L"),
        CardCode("L", "o"),
        CardCode("L", "e"),
        CardCode("Y", "o"),
        CardCode("Y", "e"),
    ]
    return st.one_of(
        st.sampled_from([*plain, *(CardCode("V", step) for step in "aoe"), CardCode("*", "0"), CardCode("*", "21")]),
        st.builds(CardCode, st.sampled_from("IAPKQZY"), letters),
        st.builds(CardCode, st.just(">"), st.tuples(st.sampled_from("012"), letters).map("".join)),
        st.builds(CardCode, st.just("U"), st.tuples(st.sampled_from("IAPKQ"), two).map("".join)),
    )


LINES = st.builds(
    CardLineText,
    st.just(""),
    st.lists(patterns(), min_size=1, max_size=2).map(tuple),
    st.tuples(st.sampled_from([(), (CardCode("!", "1357"),)]), st.lists(codes(), max_size=2).map(tuple)).map(
        lambda both: both[0] + both[1]
    ),
    st.booleans(),
    st.integers(0, 9999),
)


@settings(max_examples=budget(40))
@given(LINES)
def test_written_and_read_again(line: CardLineText) -> None:
    assert understood(write_line(line)) == line


@pytest.mark.parametrize(("text", "hands"), EXAMPLES, ids=[line for line, _ in EXAMPLES])
def test_examples(text: str, hands: int) -> None:
    line = understood(text)
    assert len(hands_of(line)) == hands
    assert all_said(text) == []
    assert understood(write_line(line)) == line


# --- the codes


def test_every_code_has_examples_of_its_own() -> None:
    for code in CODES.values():
        used = [line for line, _ in code.examples if code.letter in {one.letter for one in understood(line).codes}]
        assert len(set(used)) >= EXAMPLES_OF_A_CODE
        assert code.doc and code.takes and code.says


def test_the_grammar_has_the_codes_of_the_registry() -> None:
    """Each letter begins one terminal of the rule `code`, with its own characters and with none."""
    rules = [rule for rule in grammar().rules if rule.origin.name == "code"]
    terminals = {terminal.name: terminal.pattern.to_regexp() for terminal in grammar().terminals}
    patterns = [terminals[rule.expansion[0].name] for rule in rules]
    letters = {chr(sign) for sign in range(32, 127) for pattern in patterns if re.fullmatch(pattern, chr(sign))}
    assert {letter.upper() for letter in letters} == set(CODES)
    for code in CODES.values():
        assert sum(bool(re.fullmatch(pattern, code.letter)) for pattern in patterns) == 1
        for line, _ in code.examples:
            written = next(one for one in understood(line).codes if one.letter == code.letter)
            assert sum(bool(re.fullmatch(pattern, written.letter + written.chars)) for pattern in patterns) == 1


# --- hands


@settings(max_examples=budget(40))
@given(LINES)
def test_hands_are_sorted_and_whole(line: CardLineText) -> None:
    try:
        hands = hands_of(line)
    except TooManyHands:
        assert "too-many-hands" in [fault.code for fault in faults_of(line)]
        return
    assert hands == tuple(sorted(set(hands)))
    for hand in hands[:50]:
        assert sum(count for _, count in hand) == TILES
        assert hand == tuple(sorted(hand))
        assert hands_of(understood(write_hand(hand))) == (hand,)
    list(faults_of(line))


def test_a_hand_is_written_as_a_line() -> None:
    texts = [write_hand(hand) for hand in hands_of(understood("FF 222 444 666 888 X25"))]
    assert sorted(texts) == ["FF c222 444 666 888", "FF d222 444 666 888", "FF m222 444 666 888"]
    (hand,) = hands_of(understood("m2042 EWSN 111 11 c1"))
    assert write_hand(hand) == "NEWS 0 m11 111 2 24 c1"


def test_sets_matter_and_their_order_does_not() -> None:
    assert hands_of(understood("FF m1111 NEWS DDDD")) == hands_of(understood("mDDDD SWEN 1111 FF"))
    assert hands_of(understood("FF m11 11 NEWS DDDD")) != hands_of(understood("FF m1111 NEWS DDDD"))


@pytest.mark.slow
def test_nearly_too_many_hands_are_made() -> None:
    """Those that are too many are refused (`test_card_hostile.py`)."""
    tracemalloc.start()
    try:
        assert 40_000 < len(hands_of(understood("11 r22 b33 a44 55 r66 b77 UA12 UA34"))) <= MOST_HANDS
        assert tracemalloc.get_traced_memory()[1] < MOST_MEMORY
    finally:
        tracemalloc.stop()


def test_a_restriction_of_too_many_hands_is_none_too_many() -> None:
    line = understood("1 r22 b333 a44 555 r666 !1357 UA24 UP35")
    assert hands_of(line)
    assert list(faults_of(line)) == []
    with pytest.raises(TooManyHands):
        hands_of(replace(line, codes=line.codes[1:]))


def test_a_card_is_little_work() -> None:
    """70 lines, read and expanded, the grammar built."""
    grammar.cache_clear()
    hands_of.cache_clear()
    with calls(CALLS_FOR_A_CARD):
        assert sum(len(hands_of(understood(line))) for line, _ in EXAMPLES[-70:]) > 2_000


@pytest.mark.parametrize(
    ("typed", "sign"), [*zip("x+-=/÷±·", "x+-=/÷±·", strict=True), ("×", "x"), ("–", "-"), ("—", "-"), ("∕", "/")]
)
def test_printed_signs_are_no_tiles(typed: str, sign: str) -> None:
    line, faults = parse_line(f"22 {typed} 22 = 4444 FFFF DD X25")
    assert line is not None and not [fault for fault in faults if fault.severity == "error"]
    assert line.patterns[0].signs == (Sign(sign, 1), Sign("=", 2))
    assert line.patterns[0].tiles == 14
