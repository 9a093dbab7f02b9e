"""Rulesets made to be slow, without a mistake in them: checking, scoring, explaining and asking for waits come to an
end, with a result or with a problem that says why there is none.

The slowest of these take a second or two, and without a bound hours.
"""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tilewright.authoring.open_rules import RulesChoice
from tilewright.base.problem import RulesetError
from tilewright.cli.check_files import check_document
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.rules import ScoringRules, load

pytestmark = pytest.mark.slow

LONGEST = 8_000  # digits of a number that comes out
HANDS = (
    {"hand": "123m345m123p456p9p", "win_tile": "9p"},
    {"hand": "111222333m444p5p", "win_tile": "5p", "self_draw": True},
    {"hand": "1199m1199p1199sE", "win_tile": "E"},
)
World = dict[str, Any]


def patterns(count: int, one: Callable[[int], World]) -> World:
    return {"patterns": {f"p{number}": one(number) for number in range(count)}}


def measures(**values: str) -> World:
    """Measures in a row, the last one the best."""
    return {"scoring": {"measures": {id: {"value": value} for id, value in values.items()}, "best": [*values][-1]}}


def wild(tiles: str, stands_for: str, **more: Any) -> World:
    return {"tiles": {"wild": {"joker": {"tiles": [tiles], "stands_for": [stands_for], **more}}}}


WORLDS: dict[str, World] = {
    "towers": measures(a="9 ^ 64", b="a ^ 4", points="b ^ 4"),
    "squares": measures(m0="tiles + 3", **{f"m{n}": f"m{n - 1} * m{n - 1}" for n in range(1, 60)}),
    "powers of tables": {
        "scoring": {
            "measures": {"points": {"table": {str(n): f"{n} ^ {n % 60}" for n in range(300)}}},
            "best": "points",
        }
    },
    "sums of sums": patterns(3, lambda n: {"worth": "sum(sum(sum(1 for a in tiles) for b in tiles) for c in tiles)"}),
    "sums of sums of sums": patterns(
        1,
        lambda n: {"worth": "sum(" * 5 + "1" + "".join(f" for {letter} in tiles)" for letter in "abcde")},
    ),
    "terms of terms": {
        "terms": {**{f"t{n}": f"t{n + 1} + t{n + 1}" for n in range(30)}, "t30": "sum(copies(a) for a in tiles)"},
        **patterns(1, lambda n: {"worth": "t0"}),
    },
    "many patterns": patterns(500, lambda n: {"worth": n, "when": "concealed"}),
    "many letters": patterns(
        60, lambda n: {"worth": n, "when": {"has": ["sequence n in a", "sequence n in b", "set of honours"]}}
    ),
    "many places": patterns(40, lambda n: {"worth": n, "each": ["set x", "set y"]}),
    "places of everything": patterns(60, lambda n: {"worth": n, "each": ["set", "set", "set", "pair"]}),
    "one large family": {
        "families": {"f": {"keep": "once"}},
        **patterns(60, lambda n: {"worth": n + 1, "family": "f", "each": ["set", "set"]}),
    },
    "several large families": {
        "families": {f"f{n}": {"keep": "once"} for n in range(8)},
        **patterns(48, lambda n: {"worth": n + 1, "family": f"f{n % 8}", "each": ["set", "set"]}),
    },
    "a chain of exclusions": patterns(300, lambda n: {"worth": 1, **({"excludes": [f"p{n - 1}"]} if n else {})}),
    "losers that exclude": {
        "families": {f"f{n}": {} for n in range(100)},
        **patterns(
            200, lambda n: {"worth": n + 1, "family": f"f{n // 2}", **({"excludes": [f"p{n + 2}"]} if n < 198 else {})}
        ),
    },
    "many forms": {"forms": {f"f{n}": {"groups": ["4 sets", "pair"]} for n in range(60)}},
    "many kinds": {
        "groups": {f"k{n}": {"any": ["sequence", "triplet", "quad"]} for n in range(30)},
        "forms": {f"f{n}": {"groups": [f"4 k{n}", "pair"]} for n in range(30)},
    },
    "single tiles": {"forms": {"loose": {"groups": ["14 tiles"]}, "picked": {"pick": 14, "of": ["each of suited"]}}},
    "steps of any length": {
        "groups": {"walk": {"run": 2, "by": "1..8"}, "march": {"run": 3, "by": "1..8"}},
        "forms": {"walks": {"groups": ["7 walks"]}, "marches": {"groups": ["4 marches", "walk"]}},
    },
    "suits of a hundred": {"tiles": {"suits": {"long": {"code": "b", "ranks": "1..99"}}}},
    "a thousand copies": {"tiles": {"copies": 1000}},
    "wild honours": wild("honours", "suited"),
    "spellings": {
        **wild("honours", "suited", **{"in": ["pair"]}),
        **patterns(5, lambda n: {"worth": 1, "when": {"matches": f".*.*.*{n}m.*"}}),
    },
    "payments": {
        "payments": {
            "win": {
                f"l{n}": {"from": "everyone", "to": "everyone", "amount": "9 ^ 64", "double": ["concealed"] * 50}
                for n in range(40)
            }
        }
    },
}


def ruleset(world: World) -> World:
    """The world as a ruleset over the standard tiles, with a name wherever there must be one."""
    document = {
        "tilewright": 1,
        "kind": "ruleset",
        "id": "hostile",
        "name": "Hostile",
        "extends": "standard",
        "scoring": {"measures": {"points": {}}, "best": "points"},
        "payments": {"win": {"all": {"from": "losers", "to": "winner", "amount": 1}}},
        **patterns(1, lambda n: {"worth": 1}),
        **world,
    }
    for id, one in (*document["patterns"].items(), *document["scoring"]["measures"].items()):
        one.setdefault("name", id)
    return document


@pytest.fixture(params=WORLDS)
def path(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TILEWRIGHT_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "hostile.yaml"
    file.write_text(json.dumps(ruleset(WORLDS[request.param])), encoding="utf-8")
    return file


def ended(question: Callable[[], object]) -> object:
    """The answer, or the problem that is one."""
    try:
        return question()
    except (RulesetError, CaseError) as error:
        return error


def questions(rules: ScoringRules) -> Iterator[object]:
    yield from (ended(partial(rules.score_case, hand)) for hand in HANDS)
    yield ended(lambda: rules.explain(HANDS[0]))
    yield ended(lambda: rules.waits(HANDS[1]["hand"]))


def test_every_question_has_an_end(path: Path) -> None:
    problems = ended(lambda: check_document(path, RulesChoice()).problems)
    assert isinstance(problems, tuple)
    if any(problem.severity == "error" for problem in problems):
        assert isinstance(ended(lambda: load(str(path))), RulesetError)
        return
    for answer in questions(load(str(path))):
        assert max(map(len, str(answer).split()), default=0) < LONGEST
