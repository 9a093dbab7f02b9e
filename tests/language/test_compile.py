"""Compiling a whole: what comes out for scoring, and what only shows when tiles and groups are there."""

from pathlib import Path

import pytest

from tilewright.language.compiled.ir import Apply, Const, HasGroups, Lookup
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.elaborate import compile_with_problems, open_whole

WORLD = Path(__file__).parents[1] / "data" / "world.yaml"
HEAD = "tilewright: 1\nkind: ruleset\nid: more\nname: More\nextends: world\n"


def compiled(text: str, tmp_path: Path) -> tuple[CompiledRuleset | None, list[tuple[str, str, int]]]:
    """What world.yaml and more becomes; code, severity and line of its problems."""
    (tmp_path / "world.yaml").write_text(WORLD.read_text(encoding="utf-8"), encoding="utf-8")
    path = tmp_path / "more.yaml"
    path.write_text(HEAD + text, encoding="utf-8")
    data, problems = compile_with_problems(open_whole(str(path)))
    return data, [(one.code, one.severity, one.place.line) for one in problems if one.place]


PROBLEMS = {
    "nothing": ("about: nothing\n", []),
    "too few tiles": ("forms:\n  short: {groups: [3 sets, pair]}\n", [("wrong-size", "error", 7)]),
    "too many tiles": ("forms:\n  long: {groups: [7 pairs, tile]}\n", [("wrong-size", "error", 7)]),
    "as many tiles": ("forms:\n  other: {groups: [quad x, 4 arith, tile, tile]}\n", [("lonely-letter", "error", 7)]),
    "pick": ("forms:\n  other: {pick: 13, of: [each of winds]}\n", [("wrong-size", "error", 7)]),
    "a form of the table": ("forms:\n  f: {groups: [4 sets, pair of seat_wind]}\n", [("looks-up", "error", 7)]),
    "a form no tiles make": ("forms:\n  f: {groups: [4 sets, pair of stars]}\n", [("impossible-form", "warning", 7)]),
    "numbers without end": (
        "scoring: {measures: {a: {value: points ^ 64}, b: {value: a ^ 64}}}\n",
        [("too-large", "error", 6)],
    ),
    "copies without a number": ("tiles: {copies: wall}\n", [("unknown-word", "error", 6)]),
}


@pytest.mark.parametrize(("text", "expected"), PROBLEMS.values(), ids=PROBLEMS)
def test_problems(text: str, expected: list[tuple[str, str, int]], tmp_path: Path) -> None:
    data, problems = compiled(text, tmp_path)
    assert problems == expected
    assert (data is None) == any(severity == "error" for _, severity, _ in problems)


def test_each_of_nothing_is_an_empty_slot_of_a_form(tmp_path: Path) -> None:
    text = (
        "tiles: {classes: {none: []}}\nforms:\n  f: {groups: [4 sets, pair, each of none]}\n"
        "patterns: {p: {name: P, worth: 1, when: {has: [each of none, pair]}}}\n"
    )
    data, problems = compiled(text, tmp_path)
    assert data is not None and problems == []
    regular, form = (next(one for one in data.forms if one.id == id).shape for id in ("regular", "f"))
    assert form.cases == regular.cases
    assert data.patterns[-1].when == HasGroups((), "each of none, pair")


def test_a_pattern(tmp_path: Path) -> None:
    data, problems = compiled(
        "patterns:\n  p: {name: {en: P, zh: 皮}, worth: 3, exposed: {doubles: limit}, family: f, limit: true,\n"
        "      each: {any: [[pair x, pair x+1], [2 sequences x]]}, when: {concealed: true},\n"
        "      examples: [{hand: 1m, win: 1m, yes: true}]}\n",
        tmp_path,
    )
    assert data is not None and problems == []
    pattern = next(one for one in data.patterns if one.id == "p")
    assert pattern.name == {"en": "P", "zh": "皮"}
    assert pattern.worth == {"points": Const("number", 3)}
    assert pattern.exposed is not None and list(pattern.exposed) == ["doubles"]
    assert pattern.each is not None and [len(cases) for cases in pattern.each] == [21, 19]
    assert pattern.when == Lookup("truth", "word", "concealed")
    assert pattern.examples[0].case == {"hand": "1m", "win": "1m"} and pattern.examples[0].yes
    assert data.families["f"] == "best" and pattern.limit and not pattern.everyone


def test_payments(tmp_path: Path) -> None:
    data, _ = compiled(
        "payments:\n  win:\n    line: {from: others, amount: hand, when: ready, unless: self_draw,\n"
        "      double: [concealed], instead: [discarder, winner.liable], round_up: 100}\n",
        tmp_path,
    )
    assert data is not None
    (line,) = data.payments["win"]
    assert line.payees == Lookup("seat", "word", "winner")
    assert line.amount == Apply("number", "size", (Lookup("tiles", "zone", "hand"),))
    assert isinstance(line.when, Apply) and line.when.op == "and" and len(line.when.args) == 2
    assert (len(line.double), len(line.instead), line.round_up) == (1, 2, Const("number", 100))


def test_measures_and_marks(tmp_path: Path) -> None:
    data, _ = compiled(
        "scoring: {measures: {total: {cap: 9, table: {3: 1, 0: 0.5}}}, minimum: {points: 1}}\n"
        "marks: {ready: {needs: {has: [pair]}}}\n",
        tmp_path,
    )
    assert data is not None
    total = data.scoring.measures[-1]
    assert [row for row, _ in total.table] == [0, 3] and total.cap == Const("number", 9)
    assert data.scoring.minimum == (("points", Const("number", 1)),)
    assert isinstance(data.needs["ready"], HasGroups)
    assert data.marks["rounds"].start == Const("number", 0)
    assert data.seats.count == 4 and len(data.seats.winds) == 4
    assert [form.id for form in data.forms] == ["regular", "pairs"]
    assert all(form.shape.cases for form in data.forms)
