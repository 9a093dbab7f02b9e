"""Players on kernels make the moves that the bots make: the same games, hand by hand."""

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from budget import budget
from games import VARIED, mostly_soaked
from test_compiled_play import COMPILED, compiled, outcome

from tilewright.base.arrays import Array
from tilewright.hands.distance import flat_rows
from tilewright.hands.distance import flat_ways as tables
from tilewright.hands.distance.approach import Look, approach
from tilewright.hands.distance.flat_hand import look_at, look_without
from tilewright.hands.distance.flat_listed import THERE
from tilewright.hands.distance.flat_ways import FlatWays, NotFlat
from tilewright.hands.distance.kernels import NEVER
from tilewright.hands.reading import Hand, Meld
from tilewright.play.compiled.host import Host
from tilewright.play.compiled.judging import claims_barred
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.play import CompiledGame
from tilewright.play.match import Match
from tilewright.play.rules import Rules, load
from tilewright.play.scene import TableScene
from tilewright.play.view import View
from tilewright.players.bots.odds import Weights
from tilewright.players.bots.random_bot import SeededChoices
from tilewright.players.compiled.kernel import layout, weights
from tilewright.players.compiled.kernel.wholes import begin_lots, draw_whole
from tilewright.players.compiled.knowledge import classes_of, needed_by
from tilewright.players.compiled.play import LEVELS, KernelPlayers, no_targets
from tilewright.players.player import bot
from tilewright.players.simulation import game as compiled_games
from tilewright.players.simulation.game import CompiledTable, FinishedGame, table_of
from tilewright.players.simulation.run import seed_of

HELD = layout.HELD
ASKING = ("american", "card_free", "mahj_x", "sichuan")  # rulesets whose steps ask
LISTED = (
    "american",
    "card_free",
    "mahj_x",
    "royale_siamese",
    "siamese",
)  # rulesets of which kernels draw no whole hands

pytestmark = pytest.mark.slow


# --- games


def played_by_bots(
    rules: Rules, seed: int, hands: int | None, names: Sequence[str]
) -> tuple[list[tuple[int, int]], Match]:
    """The game of these bots: the seat and the number of each answer, and the match."""
    match, moves = rules.game(seed, hands=hands), list[tuple[int, int]]()
    players = [bot(name, rules, seed) for name in names]
    while match.asked:
        view = View(match, match.asked[0])
        move = players[match.player(match.asked[0])].choose(view)
        assert view.question is not None
        moves.append((match.asked[0], view.question.number_of(move)))
        match.answer(move)
    return moves, match


@pytest.mark.parametrize("id", mostly_soaked(COMPILED))
def test_both_play_the_same_games(id: str) -> None:
    play = compiled(id)
    table, count = CompiledTable(play, KernelPlayers(play, LEVELS)), play.program.count
    for number in range(budget(1)):
        names = [*LEVELS][number % 4 :] + [*LEVELS][: number % 4]
        the_same_game(table, seed_of(22, number), names[:count], 1)


@pytest.mark.parametrize("id", mostly_soaked(("riichi", "sanma"), ("sanma",)))
def test_both_play_the_last_hands_of_matches_alike(id: str) -> None:
    """Strong players count the places there, if the match is played to its end."""
    rules = load(id, {"length": "east"})
    names = ("fast", "strong", "random", "fast")[: rules.program.count]
    table = table_of(rules, names)
    for number in range(budget(1)):
        the_same_game(table, seed_of(24, number), names, None)


def test_places_count_alike_where_scores_are_in_halves(tmp_path: Path) -> None:
    """Nothing in play asks for scores there, so that the machine keeps only what they have changed by."""
    path = tmp_path / "house.yaml"
    text = "tilewright: 1\nkind: ruleset\nid: house\nname: House\nextends: cantonese\n"
    path.write_text(text + "match: {rounds: [E], placement: [300, 100, -100, -300]}\n", encoding="utf-8")
    table = table_of(load(str(path)), LEVELS)
    for number in range(budget(1)):
        the_same_game(table, seed_of(25, number), ("fast", "strong", "random", "fast"), None)


@pytest.mark.soak
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("name", ("random", "fast", "careful"))
@pytest.mark.parametrize("id", COMPILED)
def test_both_play_the_same_two_hundred_games(id: str, name: str) -> None:
    play = compiled(id)
    table = CompiledTable(play, None if name == "random" else KernelPlayers(play, {name}))
    for number in range(200):
        the_same_game(table, seed_of(23, number), (name,) * play.program.count, 1)


@pytest.mark.parametrize("id", mostly_soaked(("riichi", "sanma")))
def test_the_machine_tells_who_is_barred_from_winning_on_a_discard(id: str) -> None:
    """At every question, now and after each discard; it leaves little to the host."""
    play, told = compiled(id), Counter[int]()
    table, names = CompiledTable(play, KernelPlayers(play, {"careful"})), ("careful",) * 4
    for number in range(budget(3)):
        played = table.game(seed_of(26, number), names[: play.program.count], 1)
        played.hand()
        game = play.game(played.match.seed, 1)
        asked = game.begin()
        for seat, answer in played.moves:
            assert asked is not None and asked.seat == seat
            game.follower.follow()
            view = View(game.match, seat)
            for face in (at.NONE, *{*view.hand}):
                found = claims_barred(play.image.machine(game.state), seat, face)
                assert found in (at.NONE, int(bool(view.claims_barred(None if face < 0 else face))))
                told[found] += 1
            asked = game.answer(asked, answer)
    assert told[0] > told[1] > 20 * told[at.NONE]


@pytest.mark.parametrize("id", ("siamese", pytest.param("royale_siamese", marks=pytest.mark.soak)))
def test_both_call_the_same_hands_dead(id: str) -> None:
    """And only those that cannot win, of players with two hands; random players make hands dead."""
    play, called = compiled(id), 0
    names = ("fast", "random", "strong", "random")[: play.program.count]
    table = CompiledTable(play, KernelPlayers(play, LEVELS))
    for number in range(2, 2 + budget(4)):
        moves, match = the_same_game(table, seed_of(22, number), names, 1)
        game = play.rules.game(match.seed, hands=1)
        for seat, answer in moves:
            question = View(game, seat).question
            assert question is not None
            move = question.move_of(answer)
            if move.does == "accuse" and names[game.player(seat)] != "random":
                accused = TableScene(game, game.seat(move.chosen("accused")))
                assert not accused.can_win(int(move.chosen("which")))
                called += 1
            game.answer(move)
    assert called


def the_same_game(
    table: CompiledTable, seed: int, names: Sequence[str], hands: int | None
) -> tuple[list[tuple[int, int]], Match]:
    """The answers of the game that both play, and the match."""
    game = table.game(seed, names, hands)
    results = list(game.hands())
    moves, match = played_by_bots(table.play.rules, game.match.seed, hands, names)
    assert game.moves == moves
    assert list(map(outcome, results)) == list(map(outcome, match.results))
    assert game.match.balances == match.balances
    return moves, match


@pytest.mark.parametrize("id", mostly_soaked(ASKING, ("american", "sichuan")))
def test_kernels_answer_what_steps_ask(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    play = compiled(id)
    table = CompiledTable(play, KernelPlayers(play, LEVELS))
    monkeypatch.delattr(Host, "answer_step")
    for name in LEVELS:
        game = table.game(seed_of(6, 1), (name,) * 4, 1)
        game.hand()
        assert len(game.moves) > 8


@pytest.mark.parametrize("card", ("moon_gate", pytest.param("paper_kite", marks=pytest.mark.soak)))
def test_cards_are_played_alike(card: str) -> None:
    rules = load("american", options={"card": card})
    names = ("strong", "careful", "fast", "strong")
    table = table_of(rules, names)
    game = table.game(seed_of(31, 1), names, 1)
    list(game.hands())
    assert game.moves == played_by_bots(rules, game.match.seed, 1, names)[0]


def test_weights_are_in_their_order() -> None:
    for number, name in enumerate(Weights._fields):
        assert getattr(weights, name.upper()) == layout.WEIGHTS + number
    assert len(Weights._fields) == layout.MOST_WEIGHTS


def test_a_full_list_of_tables_is_forgotten() -> None:
    """Tables are looked for up to a free place, so that half of the places stay free."""
    play = compiled("cantonese")
    players, half = KernelPlayers(play, LEVELS), layout.MOST_TABLES // 2
    table, names = CompiledTable(play, players), ("careful",) * 4
    game = table.game(3, names, 1)
    game.hand()
    players.own[layout.TABLES : layout.TABLES + 6 * half : 6] = range(1, half + 1)
    players.laid = half
    again = table.game(3, names, 1)
    again.hand()
    assert again.moves == game.moves
    assert 0 < players.laid < half


def test_simulations_give_the_same_rows() -> None:
    play, names = compiled("cantonese"), ("fast", "random", "fast", "random")
    table = CompiledTable(play, KernelPlayers(play))
    one, other = (FinishedGame(play.rules, names, rotate=True, compiled=by) for by in (table, None))
    for number in range(budget(4)):
        lines = [[hand.line() for hand in game.game(number, seed_of(4, number)).hands] for game in (one, other)]
        assert lines[0] == lines[1]


def test_simulations_use_them() -> None:
    rules = load("cantonese")
    asked = [
        compiled_games.compiled_play(rules, names, logs=False)
        for names in (("fast",), ("fast", "careful"), ("fast", "command:false"))
    ]
    assert [one.table is not None for one in asked] == [True, True, False]
    rules = load("uzje", options={"tong_ranks": "all"})
    assert compiled_games.compiled_play(rules, ("fast",), logs=False).why_not


@pytest.mark.parametrize("id", mostly_soaked(("cantonese", "hong_kong", "mcr", "riichi")))
def test_first_wins_are_declared_without_a_match(id: str) -> None:
    """Marks, zones and tiles in sight are found in the state; the match is told of the win later."""
    play, names, alone = compiled(id), ("fast",) * 4, 0
    table = CompiledTable(play, KernelPlayers(play))
    for number in range(budget(3)):
        seed = seed_of(5, number)
        game = table.game(seed, names, 1)
        result = game.hand()
        alone += bool(result.won) and game.follower.made is None
        _, match = played_by_bots(play.rules, seed, 1, names)
        assert outcome(result) == outcome(game.match.results[0]) == outcome(match.results[0])
    assert alone


def test_what_kernels_ask_for_is_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plans, tables and worths are asked for once: the same game again asks for nothing."""
    play = compiled("riichi")
    players, asked = KernelPlayers(play), list[int]()
    answer = KernelPlayers.answer

    def listen(self: KernelPlayers, game: CompiledGame) -> None:
        asked.append(int(self.own[layout.QUESTION]))
        answer(self, game)

    monkeypatch.setattr(KernelPlayers, "answer", listen)
    table = CompiledTable(play, players)
    for number in range(3):
        table.game(seed_of(3, 1), ("fast",) * 4, 1).hand()
        assert bool(asked) == (number == 0) or number == 1  # what was missing then may be asked for once more
        asked.clear()


# --- how far a hand is


def hands_of(rules: Rules, chance: random.Random, number: int) -> list[tuple[tuple[int, ...], tuple[Meld, ...]]]:
    """Hands of any tiles or of few kinds, with melds, of 13 or 14 tiles."""
    near = approach(rules.judge.reader)
    order = near.order.tolist()
    groups = [group for group in rules.data.groups.groups if len(group.tiles) >= 3]
    found = []
    for _ in range(number):
        kinds = order if chance.random() < 0.6 else order[:15]
        box = [tile for tile in kinds for _ in range(near.wild.copies[tile])]
        melds = tuple(
            Meld(group.index, group.tiles, chance.random() < 0.8)
            for group in chance.sample(groups, chance.choice((0, 0, 1, 2)))
        )
        found.append((tuple(chance.sample(box, chance.choice((13, 14)) - 3 * len(melds))), melds))
    return found


def bits_of(near_order: Sequence[int], bits: int) -> tuple[int, ...]:
    return tuple(tile for tile in near_order if bits >> tile & 1)


@pytest.mark.parametrize("id", mostly_soaked(COMPILED, (*VARIED, "card_free")))
def test_flat_ways_say_what_looks_do(id: str) -> None:
    rules = load(id)
    near = approach(rules.judge.reader)
    ways, work, order = FlatWays(near), np.zeros(layout.BOT, np.int64), near.order.tolist()
    nearest = no_targets()
    for number, (tiles, melds) in enumerate(hands_of(rules, random.Random(5), budget(8))):
        look, plan = near.look(Hand(tiles, melds)), ways.plan(melds)
        tables = ways.tables
        lists = tables.numbers.values, tables.rows.values, tables.places.values
        work[HELD : HELD + ways.kinds] = look.held
        there = near.wild.copies - near.wild.in_the_box(tile for meld in melds for tile in meld.tiles)
        work[THERE : THERE + ways.kinds] = [there[kind] for kind in range(ways.kinds)]
        distance = look_at(*lists, work, plan, HELD)
        assert (distance, bits_of(order, int(work[flat_rows.USEFUL]))) == look.roughly
        if id not in LISTED:
            draws_as_the_look(look, (*lists, work, nearest), plan, number, distance)
        kinds = {near.plain[tile] for tile in tiles}
        wanted = HELD, ways.kinds, sum(1 << kind for kind in kinds)
        assert look_without(*lists, work, plan, *wanted, distance - 1) >= distance
        assert not work[flat_rows.USEFUL : flat_rows.USEFUL + ways.kinds].any()  # none is that near
        least = look_without(*lists, work, plan, *wanted, NEVER)
        for kind in kinds:
            far, useful = look.without(next(tile for tile in tiles if near.plain[tile] == kind)).roughly
            here = int(work[flat_rows.DISTANCE + kind])
            assert here == far
            if far == least:
                assert bits_of(order, int(work[flat_rows.USEFUL + kind])) == useful


def draws_as_the_look(look: Look, lists: tuple[Array, ...], plan: int, number: int, distance: int) -> None:
    """Whole hands drawn by the same lots are the same."""
    work = lists[3]
    lots, place = SeededChoices(number, 0, 1), look.approach.reader.place
    with np.errstate(over="ignore"):  # numbers without a sign wrap around
        begin_lots(work, number, 0, 1)
    for _ in range(3):
        with np.errstate(over="ignore"):
            drawn = draw_whole(*lists, plan, HELD, len(look.approach.plain), distance)
        counts = work[flat_rows.WHOLE : flat_rows.WHOLE + len(look.approach.plain)].tolist() if drawn else []
        tiles = [kind for kind, count in enumerate(counts) for _ in range(count)]
        assert tuple(sorted(tiles, key=place.__getitem__)) == look.target(lots.below)


def test_very_many_different_tiles_are_not_flat() -> None:
    rules = load("uzje", options={"tong_ranks": "all"})
    with pytest.raises(NotFlat, match="more than 63 different tiles"):
        FlatWays(approach(rules.judge.reader)).plan(())


def test_rows_of_very_many_classes_are_not_flat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_CLASSES", 8)
    with pytest.raises(NotFlat, match="more than 8 classes"):
        FlatWays(approach(load("cantonese").judge.reader)).plan(())


@pytest.mark.parametrize("id", mostly_soaked(COMPILED, (*VARIED, "card_free", "siamese", "sichuan")))
def test_melds_of_one_class_leave_the_same_ways(id: str) -> None:
    rules = load(id)
    near, chance = approach(rules.judge.reader), random.Random(8)
    ways, classes, needed = FlatWays(near), classes_of(near), needed_by(near)
    groups = rules.data.groups.groups
    melds = [one for one in range(len(classes)) if len(groups[one // 2].tiles) >= 3]
    by_class: dict[tuple[tuple[int, ...], frozenset[int]], int] = {}
    for _ in range(budget(60)):
        chosen = sorted(chance.choices(melds, k=chance.choice((1, 2, 3))), key=classes.__getitem__)
        tiles = Counter(tile for one in chosen for tile in groups[one // 2].tiles)
        if any(count > near.wild.copies[tile] for tile, count in tiles.items()):
            continue  # no seat has these
        plan = ways.plan(tuple(Meld(one // 2, groups[one // 2].tiles, bool(one % 2)) for one in chosen))
        used_up = frozenset(t for t, count in tiles.items() if needed >> t & 1 and count >= near.wild.copies[t])
        assert by_class.setdefault((tuple(classes[one] for one in chosen), used_up), plan) == plan
