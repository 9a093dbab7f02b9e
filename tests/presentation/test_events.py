"""Events are as their kinds declare them, and each can be told in every language."""

import pytest
from rich.text import Text

from tilewright import load
from tilewright.play.match import Match
from tilewright.play.model import KINDS, Event
from tilewright.play.view import View
from tilewright.players.bots.fast import FastBot
from tilewright.presentation.catalogue import LANGUAGES, has
from tilewright.presentation.events import EventTeller
from tilewright.presentation.line import LineWriter, line_json
from tilewright.presentation.names import RulesetNames

pytestmark = pytest.mark.long

SEED = 4


@pytest.fixture(scope="module", params=["riichi", "sichuan", "american"])
def game(request: pytest.FixtureRequest) -> Match:
    """A hand of quick players."""
    game = load(request.param).game(SEED, hands=1)
    bots = [FastBot(game.program.rules, player) for player in range(game.program.count)]
    while not game.over:
        seat = game.asked[0]
        game.answer(bots[seat].choose(View(game, seat)))
    return game


def test_details_are_declared_and_in_order(game: Match) -> None:
    for event in game.events:
        declared, names = list(KINDS[event.kind].detail), [name for name, _ in event.detail]
        assert names == [name for name in declared if name in names], event


@pytest.mark.parametrize(
    ("language", "one", "more"),
    [("en", "1 double", "64 points"), ("zh", "1 番", "64 分"), ("ja", "1 翻", "64 点")],
)
def test_a_number_has_the_right_word_behind_it(language: str, one: str, more: str) -> None:
    names = RulesetNames(load("american").data, language)
    assert [f"{number} {names.unit(id, number)}" for id, number in (("doubles", 1), ("total", 64))] == [one, more]


def test_every_kind_has_a_message() -> None:
    assert [kind for kind in KINDS if not has(f"events.{kind}")] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_record_has_a_line_for_every_event(game: Match, language: str) -> None:
    told = EventTeller(game.program.data, record=True).lines(game.events, lambda event: True)
    names = RulesetNames(game.program.data, language)
    writer = LineWriter(names, lambda slot, does: Text(slot.seat))
    assert [event for event, _ in told] == game.events
    assert all(writer.text(line).plain.strip() and "{" not in writer.text(line).plain for _, line in told)


def test_a_discard_is_told_as_such(game: Match) -> None:
    told = EventTeller(game.program.data).lines(game.events, lambda event: True)
    discards = [event for event, line in told if line.id == "events.discard"]
    offers = {event.get("offer") for event in discards}
    assert offers == {"discard"}
    assert len(discards) == sum(event.kind == "take" and event.get("offer") == "discard" for event in game.events)


def test_a_mark_does_not_repeat_the_offer_that_sets_it() -> None:
    riichi = [
        Event("take", 0, detail=(("offer", "riichi"),)),
        Event("mark", 0, detail=(("name", "riichi"), ("value", True))),
    ]
    told = EventTeller(load("riichi").data).lines(riichi, lambda event: True)
    assert [event.kind for event, _ in told] == ["take"]


def test_who_does_not_see_tiles_is_told_how_many(game: Match) -> None:
    def told(sees: bool) -> dict[int, str]:
        lines = (EventTeller(game.program.data).lines([event], lambda event: sees) for event in hidden)
        return {at: str(line_json(line)) for at, found in enumerate(lines) for _, line in found}

    hidden: list[Event] = [event for event in game.events if event.seen_by is not None and event.tiles]
    assert hidden and all("'tiles': ['" not in line for line in told(False).values())
    assert any("'tiles': ['" in line for line in told(True).values())
