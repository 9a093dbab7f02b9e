"""Views show what a seat may see, and nothing else: other hidden tiles, other secrets, answers that are not closed yet,
make no difference to them."""

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import Any

import pytest
from budget import budget, every
from games import mostly_soaked
from hidden_tiles import Seen, Viewer, hidden_tiles, permuted
from play_worlds import DIFFERENT, WORLDS, World, answer_by_lot, played, started

from tilewright import IllegalMove, Move
from tilewright.play.judge import TableJudge
from tilewright.play.legal_choices import answers_to, choices_in
from tilewright.play.legality import who_is_asked
from tilewright.play.match import Match
from tilewright.play.model import PASS, Event, TableMeld
from tilewright.play.offers import compiled_choices
from tilewright.play.operations import Choices
from tilewright.play.placing import count_in_hand
from tilewright.play.program import Program
from tilewright.play.view import View

pytestmark = pytest.mark.slow

every_world = pytest.mark.parametrize("world", mostly_soaked(WORLDS, DIFFERENT), ids=str)


def in_hidden_group(game: Match, tile: int) -> bool:
    return game.where[tile][0] == "melds"


# --- the same table with other hidden tiles


def relabelled(game: Match, faces: Mapping[int, int], viewer: Viewer) -> Match:
    """The game with other faces on these tiles (tile -> the tile whose face it gets), asked anew what the viewer may
    do."""
    program: Program = copy(game.program)
    for name in ("face", "plain", "family", "code", "place"):
        row = list(getattr(game.program, name))
        for tile, other in faces.items():
            row[tile] = getattr(game.program, name)[other]
        program.__dict__[name] = row
    again = game.copy()
    again.program = program
    again.judging = TableJudge(again)
    again.clear_hands()
    for seat, hand in enumerate(again.zones["hand"]):
        for tile in hand:
            count_in_hand(again, tile, seat, 1)
    ask_again(again, viewer)
    return again


def ask_again(game: Match, viewer: Viewer) -> None:
    """What the viewer may answer, found anew."""
    window = game.window
    if window is None or viewer is None or viewer in window.answers:
        return
    if window.ask is not None:
        if viewer in window.choices:
            letters = game.stack[-1].letters
            window.choices = {
                viewer: answers_to(game, compiled_choices(game.program, window.ask.choose), viewer, letters)
            }
        return
    found = choices_in(game, window.phase, viewer) if viewer in who_is_asked(game) else Choices()
    others = {seat: choices for seat, choices in window.choices.items() if seat != viewer}
    window.choices = {**others, viewer: found} if found else others


def shown_to(game: Match, viewer: Viewer) -> dict[str, Any]:
    """Everything that a view says."""
    view = View(game, viewer)
    zones = game.program.data.zones
    return {
        "json": view.to_json(),
        "hand": view.hand,
        "zones": {zone: [view.zone(zone, at) for at in range(len(game.zones[zone]))] for zone in zones},
        "melds": [view.melds(seat) for seat in range(view.seats)],
        "marks": {mark: [view.mark(mark, seat) for seat in range(view.seats)] for mark in game.program.data.marks},
        "seen": view.seen,
        "tile": view.tile,
        "drawn": view.drawn,
        "moves": view.legal_moves if viewer is not None and view.question is not None else (),
        "refusals": view.refusals,
        "course": (view.phase, view.turn, view.playing, view.winners, view.discarder, view.scores, view.pot),
    }


def viewers(game: Match) -> tuple[Viewer, ...]:
    return (*game.program.everyone, None)


@every_world
@pytest.mark.parametrize("near", [False, True])
def test_other_hidden_tiles_make_no_difference(world: World, near: bool) -> None:
    lots = Random(31)
    looked = 0
    for game in islice(played(started(world, 31, near=near), 31), 0, None, every(20)):
        for viewer in viewers(game):
            hidden = [tile for tile in hidden_tiles(game, viewer) if not in_hidden_group(game, tile)]
            other = relabelled(game, permuted(hidden, lots), viewer)
            looked += len(hidden) > 1
            assert shown_to(other, viewer) == shown_to(game, viewer)
    assert looked > 3


@every_world
def test_what_may_be_seen_is_shown(world: World) -> None:
    """Every tile of every zone is told or hidden just as the language says."""
    for game in islice(played(started(world, 37, near=True), 37), 0, None, every(15)):
        face = game.program.face
        for viewer in viewers(game):
            view, hidden = View(game, viewer), set(hidden_tiles(game, viewer))
            for zone, rows in game.zones.items():
                for at, row in enumerate(rows):
                    lying = [
                        t for member in row for t in (member.tiles if isinstance(member, TableMeld) else (member,))
                    ]
                    expected = [None if tile in hidden else face[tile] for tile in lying]
                    assert sorted(map(str, view.zone(zone, at))) == sorted(map(str, expected))
                    if zone != "hand":
                        assert list(view.zone(zone, at)) == expected


@every_world
def test_views_that_are_made_together_are_those_of_each_seat(world: World) -> None:
    lots = Random(53)
    for game in islice(played(started(world, 53, near=True), 53), 0, None, every(10)):
        public: dict[object, Any] = {}
        for viewer in lots.sample(viewers(game), len(viewers(game))):
            assert View(game, viewer).to_json(public) == View(game, viewer).to_json()


# --- events


@every_world
def test_events_tell_nothing_that_is_hidden(world: World) -> None:
    """A seat that may not see the tiles of an event is told the same whatever they are."""
    game = started(world, 41, near=True)
    for _ in played(game, 41):
        pass
    other = [0] * 200
    for viewer in viewers(game):
        view = View(game, viewer)
        for event in game.events:
            if event.seen_by is not None and viewer not in event.seen_by:
                detail = tuple((name, value) for name, value in event.detail if name != "stands_for")
                changed = replace(event, tiles=tuple(other[: len(event.tiles)]), detail=detail)
                assert view.event(event) == view.event(changed)


@dataclass(frozen=True)
class Answered:
    """What seats answered at one window, and what the viewer saw and had been told when it opened."""

    asked_for: tuple[str, int, int]
    answers: tuple[Move, ...]
    shown: dict[str, Any]
    told: tuple[Event, ...]


def window_key(game: Match) -> tuple[str, int, int]:
    """Which window it is: for what, whose turn, how many tiles were drawn."""
    assert game.window is not None
    return (game.window.phase, game.turn, game.draws)


def asks_for_all(game: Match, viewer: Viewer, seed: int) -> Iterator[Answered]:
    """The windows of a game as it is played, each closed at once by those who are asked."""
    lots = Random(seed)
    while not game.over:
        key, shown, told = window_key(game), shown_to(game, viewer), View(game, viewer).events
        answers: list[Move] = []
        here = game.window
        while game.window is here:
            move = answer_by_lot(game, game.asked[0], lots)
            answers.append(move)
            game.answer(move)
        yield Answered(key, tuple(answers), shown, tuple(told))


def follow(game: Match, viewer: Viewer, windows: list[Answered]) -> int:
    """Give the same answers in a game with other hidden tiles, and compare what the viewer sees at each window that
    opens in both; how many there were. Stops where an answer is not possible here. What only asks others, who could do
    nothing but pass in the other game, is passed over."""
    same = 0
    for window in windows:
        while not game.over and window_key(game) != window.asked_for and may_all_pass(game):
            game.answer_together([Move(seat, PASS) for seat in game.asked])
        if game.over or window_key(game) != window.asked_for:
            if all(move.does == PASS for move in window.answers):
                continue
            return same
        if (viewer in game.asked) != (viewer is not None and window.shown["json"]["question"] is not None):
            raise AssertionError(f"{viewer} is asked only with some hidden tiles")
        assert shown_to(game, viewer) == window.shown
        assert tuple(View(game, viewer).events) == window.told
        same += 1
        asked = game.asked
        given = {move.seat: move for move in window.answers if move.seat in asked}
        if any(move.does != PASS for move in window.answers if move.seat not in asked):
            return same
        try:
            game.answer_together([given.get(seat, Move(seat, PASS)) for seat in asked])
        except IllegalMove:
            return same
    return same


def may_all_pass(game: Match) -> bool:
    return game.window is not None and game.window.may_pass


@every_world
def test_a_game_with_other_hidden_tiles_looks_the_same(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the first deal on, another game in which tiles are exchanged that the viewer never sees, and the same is
    answered, is the same to it: view by view, event by event."""
    announce = Match.announce
    same = 0
    for seed, viewer in enumerate(viewers(started(world, 1))):
        seen = Seen(viewer)

        def announced(game: Match, *args: Any, seen: Seen = seen, **named: Any) -> None:
            announce(game, *args, **named)
            seen.look(game, game.events[-1])

        with monkeypatch.context() as patch:
            patch.setattr(Match, "announce", announced)
            game = started(world, seed, near=True)
            windows = list(islice(asks_for_all(game, viewer, seed), budget(20)))
        wall = seen.wall(game, seen.other_faces(Random(seed)))
        same += follow(world.rules.game(seed, hands=1, layout={"walls": [wall]}), viewer, windows)
    assert same > 5


# --- secrets


@every_world
def test_answers_are_unseen_until_all_are_given(world: World) -> None:
    """Every ask is blind: what one seat answers changes the view of no other, as long as the window is open."""
    lots, waited = Random(43), 0
    for game in played(started(world, 43, near=True), 43):
        if len(game.asked) < 2:
            continue
        before = {viewer: (shown_to(game, viewer), View(game, viewer).events) for viewer in viewers(game)}
        seat = lots.choice(game.asked)
        again = game.copy()
        again.answer(answer_by_lot(game, seat, lots))
        if again.window is not None and again.window.answers:
            waited += 1
            for viewer in viewers(game):
                if viewer != seat:
                    assert (shown_to(again, viewer), View(again, viewer).events) == before[viewer]
        if waited > budget(5):
            break
    assert waited or not ASKS_TOGETHER(world)


ASKS_TOGETHER: Callable[[World], bool] = lambda world: world.name == "american"  # noqa: E731


@every_world
def test_secret_marks_are_seen_by_their_seat_alone(world: World) -> None:
    marks = [mark for mark in world.rules.data.marks.values() if mark.secret]
    for game in islice(played(started(world, 47), 47), 0, None, every(40)):
        for mark in marks:
            for owner in range(len(game.marks.get(mark.id, ()))):
                again = game.copy()
                again.marks[mark.id][owner] = {"truth": not game.marks[mark.id][owner], "number": 99}.get(mark.type)
                for viewer in viewers(game):
                    view, other = View(game, viewer), View(again, viewer)
                    if viewer != owner or mark.of != "seat":
                        assert other.mark(mark.id, owner) is None
                        assert other.to_json()["marks"] == view.to_json()["marks"]
