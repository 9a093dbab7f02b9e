"""The fast way with lines of JSON reads and writes as `json` does, whatever stands there."""

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from budget import budget
from commands import run
from engines import without_kernels
from hypothesis import given, settings
from hypothesis import strategies as st
from random_hands import random_case

import tilewright
from tilewright.authoring.case_files import case_of
from tilewright.cli import case_lines as json_lines
from tilewright.cli.case_lines import ScoreTexts, case_on, json_of, line_blocks, text_of
from tilewright.cli.score_cases import Answers, ScoreAnswers
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.score import Details, PatternScore, Score

pytestmark = pytest.mark.long

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
LINES = [
    *(
        '{"a": 1, "a": 2}',
        ' {"a": 1}\r',
        '{"a": -0}',
        '{"a": 1E5}',
        '{"a": 1e-400}',
        '{"a": "\\u00e9\\/\\ud83c\\udc00"}',
    ),
    *('{"a": 1e999}', '{"a": NaN}', '{"a": "\\ud800"}', '{"a": 01}', '{"a": 1,}', '{"a": "\t"}', "{}x", "[1]", "", "1"),
    *(
        '{"a": 123456789012345678}',
        '{"a": 1234567890123456789}',
        '{"a": -123456789012345678}',
        '{"a": 0.%s}' % ("1" * 30),
    ),
    *("\ufeff{}", "\u3000{}", "[" * 5000),
]


@pytest.mark.parametrize(
    "line", [*(line.encode() for line in LINES), b'{"a": "\xff"}', b"\xff", b'{"a": "\xed\xa0\x80"}']
)
def test_a_line_is_read_as_json_reads_it(line: bytes) -> None:
    assert result_of(lambda: case_on(line)) == result_of(lambda: case_of(text_of(line)))


@given(st.dictionaries(st.text(), VALUES, max_size=4), st.booleans())
@settings(max_examples=budget(25))
def test_any_case_is_read_as_json_reads_it(case: dict[str, Any], escaped: bool) -> None:
    line = json.dumps(case, ensure_ascii=escaped).encode(errors="surrogatepass")
    assert result_of(lambda: case_on(line)) == result_of(lambda: case_of(text_of(line)))


@given(st.dictionaries(st.text(), VALUES, max_size=4))
@settings(max_examples=budget(25))
def test_any_result_is_written_as_json_writes_it(result: dict[str, Any]) -> None:
    assert json_of(result) == json.dumps(result, ensure_ascii=False)


def test_numbers_of_any_size_and_signs_without_a_partner_are_written() -> None:
    numbers = [sign * digit * 10.0**power for power in range(-30, 30) for digit in (1, 1.5, 7 / 3) for sign in (1, -1)]
    for value in [*numbers, 2**70, -(2**70), "\ud800"]:
        assert json_of({"a": value}) == json.dumps({"a": value}, ensure_ascii=False)


# --- scores

NUMBERS = st.integers() | st.fractions() | st.sampled_from([Fraction(1, 3 * 10**n) for n in range(3, 30, 5)])
MEASURES = st.dictionaries(st.text(), NUMBERS, max_size=3)
PATTERNS = st.builds(PatternScore, st.text(), st.text(), NUMBERS, NUMBERS)
NAMES = st.none() | st.text() | st.just("\ud800")
DETAILS = st.builds(
    Details,
    st.tuples(st.text(), st.text()),
    NAMES,
    st.none() | MEASURES,
    NAMES,
    NAMES,
    st.dictionaries(st.text(), st.text()),
)
ONE_SCORE = st.builds(
    lambda details, *rest: Score(*rest, lambda: details),
    *(DETAILS, st.booleans(), NUMBERS, st.text(), MEASURES, st.lists(PATTERNS, max_size=3).map(tuple), NAMES),
)


@given(st.lists(ONE_SCORE, max_size=3), st.lists(DETAILS, max_size=2), VALUES)
@settings(max_examples=budget(25))
def test_scores_are_written_as_json_writes_them(scores: list[Score], details: list[Details], id: Any) -> None:
    """Those that share their values and patterns, too."""
    texts = ScoreTexts()
    alike = [one._replace(tell=lambda it=it: it, reason=it.form) for one in scores for it in details]
    lost = [one._replace(win=not one.win, total=one.total + 1) for one in scores]
    for score in [*scores, *alike, *lost, *scores]:
        assert texts.text_of(score, id) == json.dumps(score.as_json(id), ensure_ascii=False)


@pytest.mark.parametrize("ruleset", ["riichi", "cantonese", "mcr", "sichuan"])
def test_scores_of_hands_are_written_as_json_writes_them(ruleset: str) -> None:
    rules, random, texts = tilewright.load(ruleset), Random(7), ScoreTexts()
    for number in range(60):
        case = random_case(rules, random)
        try:
            score = rules.score_case(case)
        except CaseError:
            continue  # too many copies
        assert texts.text_of(score, number) == json.dumps(score.as_json(number), ensure_ascii=False)


def result_of(ask: Callable[[], dict[str, Any]]) -> object:
    """The case as text, in which -0.0 is not 0, or the problem."""
    try:
        return repr(ask())
    except CaseError as error:
        return error.problem


@pytest.mark.slow
def test_several_processes_print_the_same(tmp_path: Path) -> None:
    hands = [{"id": n, "hand": f"222p 333s 88m {'EE' if n % 2 else 'SS'}", "melds": ["444p"]} for n in range(700)]
    lines = [json.dumps({**one, "win_tile": "E"}) for one in hands]
    lines[300] = '{"hand": "12'
    (tmp_path / "cases.jsonl").write_text("\n".join(lines), encoding="utf-8")
    command = ("score", "zung_jung_plus", "--cases", str(tmp_path / "cases.jsonl"))
    alone, together = run(*command), run(*command, "--jobs", "2")
    assert (together.returncode, together.stdout) == (1, alone.stdout)
    assert len(alone.stdout.splitlines()) == 700


# --- lines scored together

HAND = {"hand": "222p 333s 88m EE", "melds": ["444p"], "win_tile": "E", "seat_wind": "E", "self_draw": True}
ODD: list[dict[str, Any]] = [
    {"hand": []},
    {"hand": ""},
    {"hand": "222p 333s 88m X"},
    {"hand": ["2p", "2p", "2p", "3s", "3s", "3s", "8m", "8m", "E", "nonsense"]},
    {"hand": [["2p"]]},
    {"hand": "222p 3333s 8m EE", "bonus": ""},
    {"hand": "22244p 33s EEE", "win_tile": "3s"},
    {"melds": ["444p", "444p"]},
    {"melds": ["EEE"]},
    {"melds": [{"tiles": "444p", "concealed": True}]},
    {"melds": [{"tiles": "444p", "discarder": "S"}]},
    {"melds": [{"tiles": "444p", "nonsense": 1}]},
    {"melds": ["444p"] * 9},
    {"melds": None},
    {"win_tile": None, "win": "E"},
    {"win_tile": "EE"},
    {"win_tile": "8m"},
    {"winner": False},
    {"self_draw": None},
    {"self_draw": 1},
    {"self_draw": False, "discarder": "S"},
    {"self_draw": False, "discarder": 1},
    {"seat_wind": 2},
    {"seat_wind": "X"},
    {"round_wind": "S"},
    {"flags": ["nonsense"]},
    {"flags": ["last_tile"]},
    {"zones": {"nowhere": "1m"}},
    {"bonus": "E"},
    {"bonus": "1f2f"},
    {"about": "a note"},
    {"nonsense": 1},
    {"others": {"S": {"hand": "123m"}}},
]
IDS: list[Any] = [None, 0, -1, 7, 1.5, 10**17, 10**30, "a", "", 'q"', "é", "東", "a\\b", "\t", [1], {"a": 1}, True]
UNUSUAL = [
    b"",
    b"[]",
    b"{",
    b'{"hand": "1m"}',
    b"\xff",
    b'{"id": 01}',
    b'{"zones": "\xff", "zones": {}, "hand": "11m", "win_tile": "1m"}',
    b'{"zones": 1111111111111111111111, "zones": {}, "hand": "11m", "win_tile": "1m"}',
    b'{"hand": "11m", "win_tile": "1m", "id": 1, "id": "b"}',
    b'{"h\\u0061nd": "11m", "win_tile": "1m"}\r',
    b'\xef\xbb\xbf{"hand": "11m", "win_tile": "1m"}',
]


def share_together(rules: tilewright.Rules, lines: list[bytes | None]) -> float:
    """Compare the results of lines that are scored together with those of each by itself. How large a part of the
    scores was found together."""
    texts, plain, right = ScoreTexts(), without_kernels(rules), 0
    each = Answers(lambda case: texts.text_of(plain.score_case(case), case.get("id")))
    answers = ScoreAnswers(replace(rules))
    for start in range(0, len(lines), 50):
        some = lines[start : start + 50]
        found = answers.of(some)
        assert found == each.of(some)
        right += sum('"win"' in text for text in found[0])
    assert answers.together is not None
    return sum(map(bool, answers.together.texts_of(lines))) / right


@pytest.mark.parametrize("ruleset", ["riichi", "cantonese", "mcr", "sichuan", "hong_kong"])
def test_hands_are_scored_together_as_one_by_one(ruleset: str) -> None:
    rules, random = tilewright.load(ruleset), Random(11)
    cases = [{"id": number, **random_case(rules, random)} for number in range(budget(200))]
    assert share_together(rules, [json.dumps(case).encode() for case in cases]) > 0.4  # the rest wins in no form


@pytest.mark.parametrize("ruleset", ["riichi", "mcr", "zung_jung_plus"])
def test_unusual_lines_are_scored_together_as_one_by_one(ruleset: str) -> None:
    cases = [HAND, *({**HAND, **odd} for odd in ODD), *({**HAND, "id": id} for id in IDS)]
    lines = [json.dumps(case, ensure_ascii=escaped).encode() for escaped in (True, False) for case in cases]
    assert share_together(tilewright.load(ruleset), [*lines, *UNUSUAL, None, *lines]) > 0.4


@pytest.mark.parametrize("at_once", [1, 5, 20, 1_000])
def test_lines_of_a_file_are_read_in_blocks(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_lines, "LONGEST_LINE", 12)
    monkeypatch.setattr(json_lines, "MOST_AT_ONCE", at_once)
    for text in (
        b"",
        b"\n",
        b"a\r\nb\n\nc",
        b"a" * 11 + b"\n" + b"b" * 12 + b"\nc\n",
        b"a\n" + b"b" * 40,
        b"b" * 40 + b"\na",
    ):
        lines = [line if len(line) <= 12 else None for line in BytesIO(text)]
        assert [line for block in line_blocks(BytesIO(text)) for line in block] == lines
