"""A game that the engine has never heard of (tests/sixth_game.yaml) is played to the end by its rules. What they mean
is shown scene by scene in tests/plays/two_rivers.yaml; here whole games are held against rules written down once more,
in plain Python."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest
from budget import budget
from play_worlds import TESTS, World, answer_by_lot, check_tiles, near_wall, played, started

from tilewright import Move
from tilewright.language.elaborate import compile_with_problems, open_whole
from tilewright.play.log import lines, read_log
from tilewright.play.match import Match
from tilewright.play.resume import verify
from tilewright.play.view import View
from tilewright.players.player import bot
from tilewright.tiles.tileset import Tile

pytestmark = pytest.mark.long

WORLD = World("sixth_game.yaml")
FLOOD = 6


def test_it_is_checked_without_a_problem() -> None:
    _, problems = compile_with_problems(open_whole(str(TESTS / "sixth_game.yaml"), {}, []))
    assert [str(problem) for problem in problems] == []


# --- the rules once more


def tiles_of(game: Match, seat: int) -> list[Tile]:
    """The tiles in the hand, as the tile set declares them."""
    return [game.program.data.tiles.tiles[game.program.face[tile]] for tile in game.zones["hand"][seat]]


def is_muddy(game: Match, seat: int) -> bool:
    return game.answered["void"][seat] in {tile.suit for tile in tiles_of(game, seat)}


def is_complete(counts: Counter[tuple[str, int]]) -> bool:
    """Sets and one pair, by trying everything. A bridge has a rank far from any other."""
    pairs = [key for key, count in counts.items() if count >= 2]
    return any(is_sets(counts - Counter({pair: 2})) for pair in pairs)


def is_sets(counts: Counter[tuple[str, int]]) -> bool:
    """Three alike, or three in a row of one suit, until nothing is left."""
    if not counts:
        return True
    family, rank = min(counts)
    run = Counter({(family, rank + by): 1 for by in range(3)})
    alike = Counter({(family, rank): 3})
    return any(group <= counts and is_sets(counts - group) for group in (run, alike))


def keys_of(tiles: list[Tile]) -> Counter[tuple[str, int]]:
    return Counter((tile.family, 100 * tile.index if tile.rank is None else tile.rank) for tile in tiles)


def may_win(game: Match, seat: int) -> bool:
    """The hand, with a discard in question, is complete and clear of the suit given up."""
    tiles = tiles_of(game, seat)
    void = game.answered["void"][seat]
    if game.tile is not None and game.where[game.tile] != ("hand", seat) and game.discarder is not None:
        tiles.append(game.program.data.tiles.tiles[game.program.face[game.tile]])
    return void not in {tile.suit for tile in tiles} and is_complete(keys_of(tiles))


def river_hand(lots: Random, suit: str, left: Counter[int]) -> list[int]:
    """A full hand of one suit and bridges, of the tiles that are left; empty where it cannot be had."""
    data = WORLD.rules.data
    tiles, groups = data.tiles.tiles, data.groups.groups
    free = [group.tiles for group in groups if {tiles[tile].suit for tile in group.tiles} <= {suit, None}]
    sets, pairs = ([group for group in free if len(group) == size] for size in (3, 2))
    hand = [tile for group in (*lots.choices(sets, k=5), lots.choice(pairs)) for tile in group]
    return [] if Counter(hand) - left else hand


def sailing(seed: int) -> Match:
    """A game in which each seat wants one tile, of the suit that it has not given up or of a bridge."""
    rules, lots = WORLD.rules, Random(seed)
    suits = [suit.id for suit in rules.data.tiles.suits]
    hands: list[list[int]] = []
    while len(hands) < 3:
        kept = lots.sample([*suits, lots.choice(suits)], 3)
        left = Counter({tile.index: tile.copies for tile in rules.data.tiles.tiles})
        hands = []
        for suit in kept:
            tries = (river_hand(lots, suit, left) for _ in range(50))
            hand = next(filter(None, tries), [])
            left.subtract(hand)
            hands += [hand] if hand else []
    for hand in hands:
        hand.remove(lots.choice(hand))
    wall = [tile for hand in hands for tile in hand]
    game = rules.game(seed, hands=1, layout={"walls": [[rules.data.tiles.tiles[tile].code for tile in wall]]})
    for seat, suit in enumerate(kept):
        game.answer(Move(seat, "answer", (("void", next(other for other in suits if other != suit)),)))
    return game


def begun(seed: int) -> Match:
    """A game as it comes, or one that goes fast."""
    return sailing(seed) if seed % 3 else started(WORLD, seed)


def windows(seed: int) -> Iterator[Match]:
    """A game at every question about the offers of a phase."""
    for game in played(begun(seed), seed):
        if game.window is not None and game.window.ask is None:
            yield game


# --- whole games


@pytest.mark.parametrize("seed", range(budget(6)))
def test_a_win_is_offered_to_whoever_may_win(seed: int) -> None:
    for game in windows(seed):
        for seat in game.asked:
            question = game.question(seat)
            assert question is not None
            assert ("win" in {move.does for move in question.moves}) == may_win(game, seat)


@pytest.mark.parametrize("seed", range(budget(3)))
def test_mud_goes_first_and_is_not_claimed(seed: int) -> None:
    for game in windows(seed):
        tiles = game.program.data.tiles.tiles
        for seat in game.asked:
            question = game.question(seat)
            assert question is not None
            void = game.answered["void"][seat]
            thrown = [tiles[game.program.code.index(m.choice[0][1])] for m in question.moves if m.does == "discard"]
            if thrown and is_muddy(game, seat):
                assert {tile.suit for tile in thrown} == {void}
            elif thrown:
                assert {tile.code for tile in thrown} == {tile.code for tile in tiles_of(game, seat)}
            if any(move.does.endswith("_claim") for move in question.moves):
                assert game.tile is not None
                assert tiles[game.program.face[game.tile]].suit != void


@pytest.mark.parametrize("seed", range(budget(10)))
def test_a_hand_ends_with_one_seat_left_or_a_dry_wall(seed: int) -> None:
    game = begun(seed)
    for here in played(game, seed):
        check_tiles(here)
    result = game.results[0]
    winners = [won.seat for won in result.won]
    assert len(set(winners)) == len(winners)
    assert result.problems == ()
    assert sum(result.player_gains) == 0
    if result.ended == "sailed":
        assert len(winners) >= 2
        assert len(game.playing) == 1
    else:
        assert result.ended == "run_dry"
        assert len(winners) <= 1
        assert game.size("wall", 0) == 0
        check_flood(game)


def check_flood(game: Match) -> None:
    """Whoever is muddy pays whoever is clear, of those still playing, and nobody else does."""
    names = game.program.names
    paid = [dict(event.detail) for event in game.events if event.kind == "pay"]
    muddy = [seat for seat in game.playing if is_muddy(game, seat)]
    expected = {(names[one], names[other]) for one in muddy for other in game.playing if other not in muddy}
    assert {(pay["from"], pay["to"]) for pay in paid if pay["payments"] == "flood"} == expected
    assert all(pay["amount"] == FLOOD for pay in paid if pay["payments"] == "flood")


def test_both_ends_come() -> None:
    ends = set()
    for seed in range(12):
        game = begun(seed)
        for _ in played(game, seed):
            pass
        ends.add((game.results[0].ended, len(game.results[0].won)))
    assert {end for end, _ in ends} == {"sailed", "run_dry"}
    assert ("run_dry", 1) in ends


@pytest.mark.parametrize("name", ["random", "careful"])
def test_bots_play_a_match(name: str) -> None:
    """The deal goes round once; a winner keeps it; its log is proved."""
    rules = WORLD.rules
    game = rules.game(3, hands=3, layout={"walls": [near_wall(rules, Random(3))]})
    bots = [bot(name, rules, seed) for seed in range(3)]
    while not game.over:
        seat = game.asked[0]
        game.answer(bots[game.player(seat)].choose(View(game, seat)))
    assert sum(game.balances) == 150
    for before, after in pairwise(game.results):
        stays = any(won.seat == 0 for won in before.won)
        assert after.dealer == (before.dealer if stays else (before.dealer + 1) % 3)
    log = read_log("game.jsonl", "".join(line + "\n" for line in lines(game)))
    assert verify(log, rules) is None


def test_nobody_learns_what_is_given_up() -> None:
    """Two games in which the others give up another suit look the same to a seat."""
    games = [started(WORLD, 5) for _ in range(2)]
    for game, suits in zip(games, ("nns", "nsn"), strict=True):
        for seat in (0, 1, 2):
            moves = {move.chosen("void")[0]: move for move in game.legal_moves(seat)}
            game.answer(moves[suits[seat]])
    one, other = (View(game, 0) for game in games)
    assert one.to_json() == other.to_json()
    assert one.events == other.events
    assert View(games[0], None).to_json() == View(games[1], None).to_json()


def test_a_random_match_goes_to_its_end() -> None:
    game = WORLD.rules.game(8)
    lots = Random(8)
    while not game.over:
        game.answer(answer_by_lot(game, lots.choice(game.asked), lots))
    assert len(game.results) >= 3
    assert sum(game.balances) == 150
