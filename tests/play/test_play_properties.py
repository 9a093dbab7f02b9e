"""What holds at every table: no tile is lost or doubled, nobody's money either, a table never changes, and a game is
its ruleset, seed and answers, on every machine."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from budget import budget, every
from games import mostly_soaked
from play_worlds import (
    DIFFERENT,
    WORLDS,
    World,
    answer_by_lot,
    check_tiles,
    dump,
    near_wall,
    played,
    started,
)

from tilewright import IllegalMove, Move, load
from tilewright.play.legal_choices import live_bars
from tilewright.play.log import LogError, lines, read_log
from tilewright.play.match import Match
from tilewright.play.model import PASS, Event
from tilewright.play.resume import resume, verify
from tilewright.play.scene import TableScene
from tilewright.play.table import Table

pytestmark = pytest.mark.slow

# Walls as they come, and walls that make somebody win.
SEEDS = {False: range(1, 1 + budget(1)), True: range(2, 2 + budget(1))}
STARTS = [(seed, near) for near, seeds in SEEDS.items() for seed in seeds]
every_world = pytest.mark.parametrize("world", WORLDS, ids=str)
different_worlds = pytest.mark.parametrize("world", mostly_soaked(WORLDS, DIFFERENT), ids=str)
REFUSED = (World("american"), World("uzje"))  # where something is refused in a game by lot


# --- tiles and money


def check_groups(game: Match) -> None:
    """Every group on the table is made of its tiles, wild ones for what they stand for."""
    for row in game.zones["melds"]:
        for group in row:
            stands = dict(group.wild)
            made = sorted(stands.get(tile, game.program.plain[tile]) for tile in group.tiles)
            assert made == sorted(game.program.data.groups.groups[group.group].tiles)


class Watch:
    """Looks at a game at every event. The box is spread at the first shuffle."""

    def __init__(self) -> None:
        self.total: Fraction | int | None = None
        self.kinds: Counter[str] = Counter()

    def look(self, game: Match, event: Event) -> None:
        self.kinds[event.kind] += 1
        if event.kind == "shuffle" or game.draws or any(game.zones["hand"]):
            check_tiles(game)
        if event.kind == "hand" and self.total is None:
            self.total = sum(game.balances)
        if event.kind != "over" and self.total is not None:
            assert sum(game.balances) == self.total


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    """Looks at every game that is played in the test."""
    seen, announce = Watch(), Match.announce

    def announced(game: Match, *args: object, **named: object) -> None:
        announce(game, *args, **named)  # type: ignore[arg-type]
        seen.look(game, game.events[-1])

    monkeypatch.setattr(Match, "announce", announced)
    return seen


@every_world
@pytest.mark.parametrize(("seed", "near"), STARTS)
def test_no_tile_and_no_point_is_lost(world: World, seed: int, near: bool, watch: Watch) -> None:
    """Nor from hand to hand of a match."""
    game = started(world, seed, hands=1 if near else 2, near=near)
    for here in played(game, seed):
        check_groups(here)
    assert [result.hand for result in game.results] == list(range(1, watch.kinds["hand"] + 1))
    assert watch.kinds["result"] == len(game.results)
    assert watch.kinds["over"] == 1
    assert not any(result.problems for result in game.results)
    gains = [sum(of_hands) for of_hands in zip(*(result.player_gains for result in game.results), strict=True)]
    assert sum(gains) + game.pot == 0
    if not game.program.play.match.placement:
        assert len({game.scores[player] - gain for player, gain in enumerate(gains)}) == 1


# --- tables


@different_worlds
def test_a_table_does_not_change_when_somebody_answers(world: World) -> None:
    game = started(world, 7, near=True)
    lots = Random(7)
    for number, here in enumerate(played(game, 7)):
        if number % every(31):
            continue
        table = Table(here.copy())
        move = answer_by_lot(here, here.asked[0], lots)
        before = dump(table.game)
        assert before == dump(here)
        after = table.push(move)
        assert dump(table.game) == before
        there = here.copy()
        there.answer(move)
        assert dump(after.game) == dump(there)
        assert dump(here) == before


@different_worlds
def test_the_same_answers_make_the_same_game(world: World) -> None:
    first = started(world, 9, near=True)
    moves = []
    lots = Random(9)
    while not first.over:
        moves.append(answer_by_lot(first, lots.choice(first.asked), lots))
        first.answer(moves[-1])
    second, third = started(world, 9, near=True), started(world, 10, near=True)
    quiet = world.rules.game(9, hands=1, layout={"walls": [near_wall(world.rules, Random(9))]}, listen=False)
    for move in moves:
        second.answer(move)
        quiet.answer(move)
    assert list(lines(second)) == list(lines(first))
    assert dump(second.results) == dump(first.results)
    assert next(lines(third)) != next(lines(first))
    assert quiet.events == [], "nobody listens to it"
    assert dump(quiet.results) == dump(
        [replace(result, payments=(), left=(), marks={}, pot=0) for result in first.results]
    )


def sums() -> str:
    """One sum over the logs of games of different worlds."""
    found = sha256()
    for world in DIFFERENT:
        game = started(world, 4, near=True)
        for _ in played(game, 4):
            pass
        found.update("\n".join(lines(game)).encode())
    return found.hexdigest()


def test_other_processes_write_the_same_logs() -> None:
    """Their sets are in another order, and nothing depends on that."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": "1"}
    command = [sys.executable, "-c", "from test_play_properties import sums; print(sums())"]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == sums()


# --- legal and illegal moves


@different_worlds
def test_every_legal_move_can_be_made(world: World) -> None:
    lots = Random(11)
    for number, game in enumerate(played(started(world, 11, near=True), 11)):
        if number % every(19):
            continue
        for seat in game.asked:
            moves = game.legal_moves(seat)
            assert len(set(moves)) == len(moves)
            assert moves
            for move in lots.sample(moves, min(6, len(moves))):
                assert game.allows(move)
                game.copy().answer(move)


def test_tiles_that_have_to_be_alike_are_found_as_if_every_pair_was_tried(tmp_path: Path) -> None:
    """Which tile goes for which wild one: written so that it is looked up, and so that it is asked of every pair."""
    (tmp_path / "tried.yaml").write_text(
        "tilewright: 1\nkind: ruleset\nid: tried\nname: Tried\nextends: american\n"
        "offers: {exchange: {choose: {joker: {when: not stands_for(joker) != given_tile}}}}\n",
        encoding="utf-8",
    )
    lots, exchanges = Random(6), 0
    looked_up, tried = (load(one).game(6, hands=10) for one in ("american", tmp_path / "tried.yaml"))
    while not looked_up.over:
        seat = lots.choice(looked_up.asked)
        question = looked_up.question(seat)
        assert question == tried.question(seat)
        exchanges += sum(move.does == "exchange" for move in question.moves)
        move = answer_by_lot(looked_up, seat, lots)
        looked_up.answer(move)
        tried.answer(move)
    assert tried.over
    assert exchanges > 20


@different_worlds
def test_quick_answers_are_those_that_are_found_anew(world: World) -> None:
    """What seats wait for, and which restrictions can bar no tile of a hand just now."""
    for number, game in enumerate(played(started(world, 5, near=True), 5)):
        for seat in game.playing if number % every(15) == 0 else ():
            scene = TableScene(game, seat)
            assert game.judging.waits(scene) == game.judging.found_waits(scene)
        for seat in game.asked if number % every(3) == 0 else ():
            for offering in game.program.offerings.get(game.window.phase, ()):
                idle = [bar for bar in offering.bars if bar not in live_bars(game, seat, offering)]
                for tile in game.zones["hand"][seat] if offering.from_own_hand else ():
                    letters = {"tile": (tile,)}
                    assert not any(bar.holds(TableScene(game, seat, letters, letters), {}) for bar in idle)


def test_long_lists_of_moves_are_complete() -> None:
    """Three natural tiles out of thirteen or fourteen: every choice of alike ones once."""
    game = World("american").rules.game(1)
    while not game.question(game.asked[0]).picks:
        game.answer(Move(game.asked[0], PASS))
    for seat in game.asked:
        (pick,) = game.question(seat).picks
        listed = {move.chosen(pick.name) for move in game.legal_moves(seat)}
        chosen = {" ".join(sorted(three, key=pick.tiles.index)) for three in threes(pick.tiles)}
        assert listed == chosen


def threes(tiles: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for one in range(len(tiles)):
        for two in range(one + 1, len(tiles)):
            for three in range(two + 1, len(tiles)):
                yield tiles[one], tiles[two], tiles[three]


@different_worlds
def test_every_other_move_is_refused(world: World) -> None:
    lots = Random(13)
    offers = world.rules.program.play.offers
    for game in islice(played(started(world, 13), 13), 0, None, every(19)):
        before = dump(game)
        seat = game.asked[0]
        legal = set(game.legal_moves(seat))
        other = lots.choice([s for s in game.program.everyone if s != seat])
        wrong = [
            Move(seat, "no_such_offer"),
            Move(seat, PASS, (("tile", "1m"),)),
            Move(99, PASS),
            Move(-1, PASS),
            *(Move(seat, does) for does in offers),
            *(Move(seat, move.does, ((name, "?"),)) for move in legal for name, _ in move.choice[:1]),
            *(Move(seat, move.does, (*move.choice, ("more", "1"))) for move in legal),
        ]
        if other not in game.asked:
            wrong.append(Move(other, lots.choice([PASS, *offers])))
        for move in (move for move in wrong if move not in legal):
            with pytest.raises(IllegalMove) as caught:
                game.answer(move)
            assert str(caught.value)
        assert dump(game) == before


@pytest.mark.parametrize("world", mostly_soaked(WORLDS, (*DIFFERENT, *REFUSED)), ids=str)
def test_refusals_say_why(world: World) -> None:
    """What is refused is no legal move, and whoever tries it all the same is told the same."""
    told, lots = 0, Random(17)
    for seed, near in dict.fromkeys((*STARTS, (3, True))):
        for game in played(started(world, seed, near=near), seed):
            for seat in game.program.everyone:
                legal = game.legal_moves(seat)
                for refusal in game.refusals(seat):
                    told += 1
                    move = Move(seat, refusal.does, lots.choice(refusal.choices or (refusal.choice,)))
                    assert all(refusal.reason.values())
                    assert move not in legal
                    with pytest.raises(IllegalMove) as caught:
                        game.answer(move)
                    assert caught.value.reason in [r.reason for r in game.refusals(seat) if r.does == refusal.does]
    assert told or world not in REFUSED


def test_nobody_answers_twice_or_after_the_end() -> None:
    game = World("american").rules.game(1, hands=1)
    first = game.asked[0]
    move = game.legal_moves(first)[0]
    game.answer(move)
    with pytest.raises(IllegalMove, match="answered already"):
        game.answer(move)
    for _ in played(game, 1):
        pass
    with pytest.raises(IllegalMove, match="nobody is asked"):
        game.answer(move)


# --- logs


def log_of(world: World, seed: int = 21, hands: int = 1) -> tuple[Match, str]:
    """A whole game and its log."""
    game = started(world, seed, hands=hands, near=True)
    to_the_end(game)
    return game, "".join(line + "\n" for line in lines(game))


def to_the_end(game: Match) -> None:
    """Players of whom each answers by what is asked, and by nothing else."""
    while not game.over:
        seat = game.asked[0]
        game.answer(answer_by_lot(game, seat, Random(f"{seat}/{game.hand_number}/{game.answers}")))


@different_worlds
def test_a_log_that_is_cut_goes_on_to_the_same_end(world: World) -> None:
    _, text = log_of(world, hands=1 + (world.name == "cantonese"))
    whole = read_log("game.jsonl", text)
    assert verify(whole, world.rules) is None
    lots = Random(23)
    ends = [number + 1 for number, character in enumerate(text) if character == "\n"]
    cuts = [lots.choice(ends), *(lots.randrange(ends[0], len(text)) for _ in range(3))]
    for cut in cuts:
        log = read_log("cut.jsonl", text[:cut])
        assert verify(log, world.rules) is None
        again = resume(log, world.rules)
        to_the_end(again)
        assert "".join(line + "\n" for line in lines(again)) == text


@different_worlds
def test_a_log_in_which_a_byte_was_changed_is_found_out(world: World) -> None:
    _, text = log_of(world)
    lots = Random(29)
    header = text.index("\n")
    places = [
        *(lots.randrange(header) for _ in range(6)),
        *(lots.randrange(header, len(text)) for _ in range(8)),
        *(lots.choice([n for n, c in enumerate(text) if c == "\n"]) for _ in range(2)),
        *(len(text) - back for back in (1, 2, 3)),
    ]
    for place in places:
        other = lots.choice([other for other in 'x 1"}' if other != text[place]])
        assert is_found_out(text[:place] + other + text[place + 1 :], world), (place, other)


def is_found_out(text: str, world: World) -> bool:
    try:
        return verify(read_log("game.jsonl", text), world.rules) is not None
    except LogError as error:
        return bool(error.problem.message)


def test_every_field_of_the_first_line_is_proved() -> None:
    world = World("cantonese")
    _, text = log_of(world, hands=2)
    first, rest = text.split("\n", 1)
    changes = {
        '"ruleset":"cantonese"': '"ruleset":"cantonesf"',
        '"seed":21': '"seed":22',
        '"hands":2': '"hands":3',
        '"mods":[]': '"mods":["x"]',
        '"players":[]': '"players":["x"]',
        '"log":2': '"log":3',
        '"tilewright":1': '"tilewright":2',
        '"walls":[["': '"walls":[["1m","',
        '"options":{"': '"options":{"x":1,"',
        '"digest":"': '"digest":"0',
        '"sum":"': '"sum":"0',
    }
    for old, new in changes.items():
        assert old in first
        assert is_found_out(first.replace(old, new) + "\n" + rest, world), new
