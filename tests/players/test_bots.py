"""Bots: what they do in plain situations, that they play every game to its end by the rules, and how well."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from budget import budget
from play_worlds import WORLDS

import tilewright
from tilewright.play.cases import begun
from tilewright.play.match import Match
from tilewright.play.model import PASS, Move, Pick, Question
from tilewright.play.rules import Rules
from tilewright.play.table import Table
from tilewright.play.view import View
from tilewright.players.bots.decision import Decision
from tilewright.players.bots.effects import Effect, effects_of
from tilewright.players.bots.fast import FastBot
from tilewright.players.bots.random_bot import SeededChoices
from tilewright.players.player import BOTS, Player, bot
from tilewright.tiles.notation import parse_tiles

pytestmark = pytest.mark.long

PLAIN = {"cantonese": {"flowers": False}, "american": {}}


@cache
def rules_of(name: str) -> Rules:
    return tilewright.load(name, PLAIN.get(name, {}))


def played(rules: Rules, players: list[Player], seed: int = 1, hands: int = 1) -> Iterator[tuple[Match, View, Move]]:
    """Every answer of a game, before it is given."""
    game = rules.game(seed, hands=hands)
    while not game.over:
        view = View(game, game.asked[0])
        move = players[game.player(game.asked[0])].choose(view)
        yield game, view, move
        game.answer(move)


def bots(rules: Rules, *names: str) -> list[Player]:
    """One for each seat, the names over and over."""
    return [bot(names[player % len(names)], rules, 7) for player in range(rules.data.seats.count)]


# --- lots


def test_lots_are_the_same_for_ever() -> None:
    lots = SeededChoices(7, 2, 31)
    assert [lots.below(1000) for _ in range(8)] == LOTS
    assert [SeededChoices(7, 2, decision).below(1000) for decision in range(4)] == FIRST_LOTS


LOTS = [778, 746, 529, 818, 191, 416, 52, 15]
FIRST_LOTS = [901, 985, 202, 826]


def test_random_moves_are_even() -> None:
    moves = tuple(Move(0, "throw", (("tile", code),)) for code in "abc")
    pick = Pick("give", "given", 1, 2, ("x", "x", "y", "z"))
    question = Question(0, "phase", {}, moves, (pick,))
    found = [SeededChoices(1, 0, decision).move(question) for decision in range(4000)]
    does = Counter(move.chosen("tile") or "pick" for move in found)
    assert all(900 < does[one] < 1100 for one in ("a", "b", "c", "pick"))
    given = Counter(move.chosen("given") for move in found if move.does == "give")
    assert set(given) == {"x", "y", "z", "x x", "x y", "x z", "y z"}
    assert given["x"] > given["y"]


def test_answers_have_numbers() -> None:
    moves = tuple(Move(0, "throw", (("tile", code),)) for code in "abc")
    before = (("to", "S"),)
    picks = (Pick("give", "given", 1, 2, ("x", "x", "y", "z")), Pick("lend", "lent", 0, 2, ("x", "y"), before))
    question = Question(0, "phase", {}, moves, picks)
    for decision in range(200):
        move = SeededChoices(1, 0, decision).move(question)
        assert question.move_of(question.number_of(move)) == move
    assert question.number_of(moves[1]) == 1
    assert question.move_of(question.number_of(picks[1].move(0, []))) == picks[1].move(0, [])
    for unknown in (Move(0, "give", (("given", "x q"),)), Move(0, "pass"), Move(0, "lend", (("lent", "x"),))):
        with pytest.raises(ValueError, match="is no answer to"):
            question.number_of(unknown)
    with pytest.raises(ValueError, match="no answer to"):
        question.move_of(-1)


# --- whole games


@pytest.mark.parametrize("name", BOTS)
def test_a_choice_follows_from_the_view_and_the_seed(name: str) -> None:
    """So that a game can be taken up again: a new bot chooses as one that has played all along."""
    rules = rules_of("cantonese")
    for number, (_, view, move) in enumerate(played(rules, bots(rules, name), 3)):
        assert bot(name, rules, 7).choose(view) == move
        if number > 25:
            break


def test_the_seed_of_a_random_bot_matters() -> None:
    rules = rules_of("cantonese")
    games = [[move for _, _, move in played(rules, [bot("random", rules, seed)] * 4, 3)] for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]


# --- how well


def won(rules: Rules, names: tuple[str, ...], seeds: range) -> tuple[Counter[str], list[int]]:
    """Wins by name, and the tiles drawn in hands that were won. Who begins changes."""
    wins, draws = Counter[str](), list[int]()
    for seed in seeds:
        seated = [names[(player + seed) % len(names)] for player in range(rules.data.seats.count)]
        *_, (game, _, _) = played(rules, bots(rules, *seated), seed)
        result = game.results[-1]
        wins.update(seated[result.player(one.seat)] for one in result.won)
        draws += [result.draws] if result.won else []
    return wins, draws


@pytest.mark.slow
def test_careful_bots_win_soon() -> None:
    wins, draws = won(tilewright.load("cantonese"), ("careful",), range(budget(4)))
    assert wins["careful"] >= budget(4) * 3 // 4
    assert sum(draws) / len(draws) < 60


@pytest.mark.soak
def test_careful_bots_win_ten_times_as_often_as_random_ones() -> None:
    wins, _ = won(tilewright.load("cantonese"), ("careful", "random"), range(24))
    assert wins["careful"] >= max(10, 10 * wins["random"])


@pytest.mark.soak
def test_careful_bots_reach_a_minimum() -> None:
    """Where only one hand in ten of those that come by themselves may win."""
    rules = tilewright.load("uzje")
    wins = {name: won(rules, (name,), range(4))[0][name] for name in ("fast", "careful")}
    assert wins["careful"] > wins["fast"]


# --- what a hand may not be won with


def given_up() -> Iterator[tuple[Match, View, Move]]:
    """A hand of bots in a game where each gives up a suit, and the table does not say that it goes first."""
    head = "tilewright: 1\nkind: ruleset\nid: own_pace\nname: Own pace\nextends: sichuan\n"
    with TemporaryDirectory() as folder:
        path = Path(folder) / "own_pace.yaml"
        path.write_text(head + "restrictions: {void_first: null}\n", encoding="utf-8")
        rules = tilewright.load(str(path))
        yield from played(rules, bots(rules, "fast"), seed=2)


def test_a_suit_that_was_given_up_goes_first() -> None:
    seen = Counter[bool]()
    for game, view, move in given_up():
        tiles = game.program.data.tiles.tiles
        barred = {tile.index for tile in tiles if tile.suit == view.mark("void") is not None}
        assert view.unwinnable == barred
        if move.does == "discard":
            holds = not barred.isdisjoint(view.hand)
            seen[holds] += 1
            assert not holds or parse_tiles(move.chosen("tile"), game.program.data.tiles)[0] in barred
    assert seen[True] > 4 and seen[False] > 4


def test_where_nothing_is_given_up_every_tile_may_win() -> None:
    view = View(rules_of("cantonese").game(1), 0)
    assert view.unwinnable == frozenset()


def test_tiles_that_must_be_of_one_suit_are() -> None:
    rules = tilewright.load("sichuan")
    for game, _, move in played(rules, bots(rules, "fast", "careful"), seed=3):
        if move.chosen("given"):
            faces = parse_tiles(move.chosen("given"), game.program.data.tiles)
            assert len({rules.data.tiles.tiles[face].suit for face in faces}) == 1
        if move.does == "discard":
            break


# --- situations


@dataclass(frozen=True)
class Situation:
    """A hand of cantonese without bonus tiles: what E and S are dealt, the first tile that is drawn, what E throws (or
    it is E who is asked); what the seat does, and the tiles that it may choose for it. What a kong is worth, a careful
    player may see in another way: it is only asked what nobody doubts."""

    east: str
    south: str
    drawn: str
    thrown: str
    does: str
    chosen: tuple[str, ...] = ("",)


WEST, NORTH = "1112223334445s", "5556667778889s"  # out of the way
ANY = "47m258p369sESWNC"
JUNK = "159m159p9sSWCCFF"
SITUATIONS = {
    "what stands alone goes": Situation("456789m23p99pEEE", ANY, "N", "", "discard", ("N",)),
    "a hand that is full wins": Situation("456789m23p99pEEE", ANY, "4p", "", "win"),
    "a kong that does no harm": Situation("1111m456p789p23pE", ANY, "N", "", "kong", ("1m 1m 1m 1m",)),
    "a kong that breaks a run": Situation("111123m45p78pEES", ANY, "W", "", "discard", ("S", "W")),
    "a group that brings the hand nearer": Situation(JUNK, "123456m78p99p55pN", "E", "5p", "pung", ("5p 5p 5p",)),
    "a group that does not": Situation(JUNK, "123789m456p99pEE", "E", "5p", PASS),
    "the tile that wins": Situation(JUNK, "123789m789p99p46p", "E", "5p", "win"),
}


def table_of(situation: Situation) -> Table:
    hands = {"E": situation.east, "S": situation.south, "W": WEST, "N": NORTH}
    table = rules_of("cantonese").table(1, layout={"walls": [{"hands": hands, "front": situation.drawn}]})
    return table.push(table.move("discard", situation.thrown)) if situation.thrown else table


@pytest.mark.parametrize(
    ("says", "name"),
    [(says, name) for says in SITUATIONS for name in ("fast", "careful") if name == "fast" or "kong" not in says],
)
def test_plain_situations(says: str, name: str) -> None:
    situation = SITUATIONS[says]
    view = table_of(situation).view(1 if situation.thrown else 0)
    move = bot(name, rules_of("cantonese"), 1).choose(view)
    assert move.does == situation.does
    assert (move.chosen("tile") or move.chosen("group")) in situation.chosen


# --- cards and what goes with them


def test_what_offers_do_is_read_from_their_steps() -> None:
    known = {
        (name, id): {word for word in effect.__slots__ if getattr(effect, word)}
        for name in ("american", "siamese", "uzje")
        for id, effect in effects_of(rules_of(name).data).items()
    }
    assert known["american", "win"] == {"wins"}
    assert known["american", "quint"] == {"melds", "claims"}
    assert known["american", "exchange"] == {"swaps"}
    assert known["american", "accuse"] == {"accuses"}
    assert known["american", "discard"] == {"discards"}
    assert known["siamese", "pung"] == {"melds", "claims", "hand"}
    assert known["siamese", "accuse"] == {"accuses", "hand"}
    assert known["uzje", "kong"] == {"melds", "concealed", "draws"}
    assert known["uzje", "added_kong"] == {"melds", "grows", "draws"}
    assert known["uzje", "challenge"] == set()


ACCUSING = {  # steps of an offer that chooses a seat and a hand: whether they make it an accusation
    "{when: 'not can_win(accused, which)', for: accused, finish: which}": True,
    "{when: 'not can_win(accused, which)', do: [{for: accused, do: [{lose_hand: {dead: which}}]}]}": True,
    "{unless: 'can_win(accused, which)', for: accused, lose_hand: {dead: which}}": True,
    "{when: 'can_win(accused, which)', for: accused, lose_hand: {dead: which}}": False,
    "{when: 'not can_win(accused, which)', lose_hand: {dead: which}}": False,
    "{when: 'not can_win(seat, which)', for: accused, lose_hand: {dead: which}}": False,
    "{when: 'not can_win(accused, which)', for: accused, lose_hand: {dead: 1}}": False,
    "{when: 'not can_win(accused, which)', for: accused, do: [{for: others, lose_hand: {dead: which}}]}": False,
}


@pytest.mark.parametrize("step", ACCUSING)
def test_an_accusation_closes_the_hand_that_cannot_win(step: str, tmp_path: Path) -> None:
    path = tmp_path / "house.yaml"
    text = "tilewright: 2\nkind: ruleset\nid: house\nname: House\nextends: siamese\nnot_inherited: [all]\n"
    path.write_text(f"{text}offers:\n  accuse:\n    do:\n      - {step}\n", encoding="utf-8")
    effect = effects_of(tilewright.load(str(path)).data)["accuse"]
    assert (effect.accuses, effect.hand) == (("accused", "which") if ACCUSING[step] else ("", ""))


def test_a_declaration_that_can_be_wrong_is_never_made() -> None:
    rules = tilewright.load("zung_jung_plus", {"illegal_calls": True})
    assert effects_of(rules.data)["illegal_call"] == Effect()
    offered = 0
    for _, view, move in played(rules, bots(rules, "fast", "careful"), 4):
        offered += any(one.does == "illegal_call" for one in asked(view).moves)
        assert move.does != "illegal_call"
    assert offered > 20


def asked(view: View) -> Question:
    question = view.question
    assert question is not None
    return question


@pytest.mark.slow
def test_passes_exchanges_and_accusations() -> None:
    """With cards: what is given away does the hand no harm if that can be, an exchange brings it nearer, and nobody is
    accused who could still win. Random players make hands dead."""
    rules = rules_of("american")
    given = exchanged = accused = 0
    for seed in range(8):
        players = bots(rules, "fast", "random")
        for game, view, move in played(rules, players, seed):
            player = players[game.player(move.seat)]
            if not isinstance(player, FastBot):
                continue
            before = player.reader.position(view)
            if move.chosen("given"):
                after = before
                for face in player.reader.faces_of(move.chosen("given")):
                    after = after.without(face)
                assert player.judge.rank(after)[0] >= player.judge.rank(before)[0] - 1
                given += 1
            elif move.does == "exchange":
                after_swap = player.reader.after(before, move, view)
                assert after_swap is not None
                faces = tuple(dict.fromkeys(before.tiles)), tuple(dict.fromkeys(after_swap.tiles))
                assert player.judge.discard(after_swap, faces[1])[1] > player.judge.discard(before, faces[0])[1]
                exchanged += 1
            elif move.does == "accuse":
                seat = game.program.names.index(move.chosen("accused"))
                assert not game.judging.possible(scene_of(game, seat))
                accused += 1
    assert given > 50
    assert exchanged
    assert accused


CALLED_DEAD = {  # the melds of each hand of East: the hand that the next player calls dead
    (): "",
    (("999m", 1), ("111s", 1)): "1",
    (("999m", 1), ("111s", 2)): "",
    (("222m", 1), ("999m", 2), ("111s", 2)): "2",
    (("NNNN", 1), ("WWWW", 1), ("222p", 2)): "",  # the only line with both has a pair of south winds
    (("NNNN", 1), ("WWWW", 1), ("SSS", 2)): "1",
    (("SSS", 1), ("NNNN", 2), ("WWWW", 2)): "2",
}


@pytest.mark.parametrize("name", ("fast", "careful", "strong"))
@pytest.mark.parametrize("melds", CALLED_DEAD)
def test_one_hand_of_two_is_called_dead(melds: tuple[tuple[str, int], ...], name: str) -> None:
    """With its own melds only, and what else lies on the table, also of the other hand."""
    rules, lying = rules_of("siamese"), [{"tiles": tiles, "hand": hand} for tiles, hand in melds]
    hand = " ".join(ACCUSED[: 27 - sum(len(parse_tiles(tiles, rules.data.tiles)) for tiles, _ in melds)])
    match = begun(rules, {"start": {"act": "W"}, "hand": hand, "melds": lying, "others": {"W": {"hand": CALLER}}})
    move = bot(name, rules, 1).choose(View(match, 1))
    assert (move.chosen("which") if move.does == "accuse" else "") == CALLED_DEAD[melds]


ACCUSED = [f"{rank}{suit}" for suit in "sp" for rank in "3456789" * 2]
CALLER = "13456789s 1345679m 45678p 1f 3f 4f PP CC E"


def scene_of(game: Match, seat: int) -> Any:
    from tilewright.play.scene import TableScene

    return TableScene(game, seat)


@pytest.mark.parametrize(("far", "text"), [(True, "yes"), (False, "no")])
def test_a_vote_for_more_passing_is_for_hands_that_are_far(far: bool, text: str) -> None:
    rules = rules_of("american")
    votes = 0
    for _, view, move in played(rules, bots(rules, "fast"), 3):
        if move.chosen("again"):
            player = bot("fast", rules, 7)
            assert isinstance(player, FastBot)
            judge = Opinion(player.judge, far)
            decision = Decision(view, asked(view), player.reader, judge, SeededChoices(0, 0, 0))  # type: ignore[arg-type]
            assert decision.move().chosen("again") == text
            votes += 1
    assert votes == 4


class Opinion:
    """A judge who is told whether hands are far."""

    def __init__(self, judge: Any, far: bool) -> None:
        self.judge = judge
        self.said = far

    def far(self, position: Any) -> bool:
        return self.said

    def __getattr__(self, name: str) -> Any:
        return getattr(self.judge, name)


def test_the_void_suit_is_the_one_that_is_needed_least() -> None:
    """In the draft of a game in which every seat chooses a suit to do without."""
    rules = next(world.rules for world in WORLDS if str(world) == "sichuan")
    chosen = 0
    for _, view, move in played(rules, bots(rules, "fast"), 2):
        for name, text in move.choice:
            if text in {suit.id for suit in rules.data.tiles.suits}:
                tiles = Counter(rules.data.tiles.tiles[face].suit for face in view.hand)
                assert tiles[text] <= min(tiles[suit.id] for suit in rules.data.tiles.suits) + 1, name
                chosen += 1
    assert chosen == 4
