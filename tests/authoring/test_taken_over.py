"""What a mod does not touch is not tried again: results taken over are those that would have been found."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import pytest
from bundled_mods import RULESETS, fitting
from games import VARIED, mostly_soaked

from tilewright.authoring.trials import OpenedRules
from tilewright.base.files import without_entries
from tilewright.base.problem import RulesetError
from tilewright.language.compiled.ruleset import RulesetCase
from tilewright.language.documents.library import path_of
from tilewright.play.cases import SAID, begun, check_plays, close_window, entries_of, make, read_turn
from tilewright.play.match import Match
from tilewright.play.noting import KnownResult, PlayResults
from tilewright.play.rules import Rules
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.examples import hands_in, may_pay, scoring_of

pytestmark = pytest.mark.usefixtures("nothing_kept")
SEVERAL = mostly_soaked(RULESETS, VARIED)
MODS = "cold_wall", "futures", "limit", "open_hands"  # of which some plays depend on each, and some do not

Facts = tuple[str, ...]


@pytest.fixture
def nothing_kept() -> Iterator[None]:
    """Rulesets are elaborated, so that what mods do not touch is the very same."""
    with without_entries():
        yield


def all_said(game: Match) -> Facts:
    """What may be expected of a game, but for what seats see."""
    codes, program = game.program.code, game.program
    said = [str(find(game)) for find in SAID.values()]
    lying = [
        str([codes[t] for one in row for t in getattr(one, "tiles", (one,))])
        for rows in game.zones.values()
        for row in rows
    ]
    asked = [str((game.question(seat), game.refusals(seat))) for seat in program.everyone]
    return (*said, *lying, *asked, str(game.marks))


def facts(entry: RulesetCase, rules: Rules) -> Iterator[Any]:
    """All that a play says on its way."""
    try:
        game = begun(rules, entry.case, listen=False)
        turns = [read_turn(rules, one) for one in entries_of(entry.case)]
        yield all_said(game)
        for turn, after in zip(turns, [*turns[1:], None], strict=True):
            make(game, turn)
            close_window(game, after)
            yield all_said(game)
    except CaseError as error:
        yield str(error)


def opened(rules: OpenedRules, options: object) -> Rules | None:
    try:
        return rules.rules(options if isinstance(options, Mapping) else None)
    except RulesetError:
        return None


@pytest.mark.slow
@pytest.mark.parametrize("id", mostly_soaked(RULESETS, ["cantonese"]))
def test_a_play_gives_what_was_taken_over(id: str) -> None:
    found, taken, tried = dict[int, list[KnownResult]](), 0, 0
    for mods in [(), *((mod,) for mod in fitting(id))]:
        results, there = PlayResults(found), OpenedRules(str(path_of(id)), mods)
        for entry in there.rules().data.cases:
            rules = opened(there, entry.case.get("options"))
            if "play" not in entry.case or rules is None:
                continue
            before = sum(map(len, found.values()))
            assert results.of(rules, entry, partial(facts, entry)) == tuple(facts(entry, rules)), (entry.id, mods)
            tried += 1
            taken += before == sum(map(len, found.values()))
        results.close()
    assert 0 < taken < tried


@pytest.mark.slow
@pytest.mark.parametrize("id", SEVERAL)
def test_a_hand_scores_as_without_a_mod_that_does_not_touch_it(id: str) -> None:
    alone = OpenedRules(str(path_of(id)))
    for mod in fitting(id):
        rules, there = alone.rules(), OpenedRules(str(path_of(id)), (mod,)).rules()
        known = {one.place.source.name for one in rules.data.cases if one.place is not None}
        if not scoring_of(rules.data, known).same_as(scoring_of(there.data, known)):
            continue
        paid_alike = rules.data.scoring.pays_at_most == there.data.scoring.pays_at_most
        for case in hands_in(rules.data):
            if "options" not in case and (paid_alike or not may_pay(case)):
                assert scored(rules, case) == scored(there, case), (mod, case)


def scored(rules: Rules, case: Mapping[str, Any]) -> object:
    try:
        return rules.score_case(case).as_json()
    except CaseError as error:
        return str(error)


@pytest.mark.parametrize("mod", MODS)
def test_some_plays_are_taken_over_and_some_are_not(mod: str) -> None:
    found, played, cantonese = dict[int, list[KnownResult]](), list[int](), str(path_of("cantonese"))
    own = {one.place.source.name for one in OpenedRules(cantonese).rules().data.cases if one.place is not None}
    for mods in ((), (mod,)):
        results, there = PlayResults(found), OpenedRules(cantonese, mods)
        assert not list(check_plays(there.rules(), there.rules, own, known=results))
        played.append(sum(map(len, found.values())))
        results.close()
    assert played[0] < played[1] < 2 * played[0]
