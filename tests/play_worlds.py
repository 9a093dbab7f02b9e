"""Random legal play for the tests: which games are played, players that choose by lot, walls that make somebody win
soon, and everything that a game remembers as plain data."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from tilewright import Move, Rules, load
from tilewright.hands.reading import Shape
from tilewright.language.vocabulary.steps import Ask
from tilewright.play.judge import TableJudge
from tilewright.play.match import Match
from tilewright.play.model import Pick, TableMeld
from tilewright.play.operations import CompiledChoice, CompiledOffer, Operations
from tilewright.play.program import Program
from tilewright.scoring.plain.scene import HandScene

TESTS = Path(__file__).parent
DRAFTS = ("drafts/sichuan.yaml", "drafts/riichi.yaml")


@dataclass(frozen=True)
class World:
    """A ruleset that is played, with its options and mods."""

    name: str
    mods: tuple[str, ...] = ()
    options: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        words = (Path(self.name).stem, *self.mods, *(f"{key}={value}" for key, value in self.options))
        return "+".join(words)

    @property
    def rules(self) -> Rules:
        return rules_of(self)


@cache
def rules_of(world: World) -> Rules:
    """The rules of a world, compiled once for all tests of a process."""
    return own_rules_of(world)


def own_rules_of(world: World) -> Rules:
    """The same for one test alone, with nothing that others have made of them."""
    name = str(TESTS / world.name) if world.name.endswith(".yaml") else world.name
    return load(name, dict(world.options), world.mods)


WORLDS = (
    World("american"),
    World("american", ("stacks", "zombie_blanks")),
    World("american", ("futures", "hot_wall", "pie")),
    World("cantonese"),
    World("card_free"),
    World("cantonese", ("several_winners",)),
    World("chinese_classical"),
    World("hong_kong", (), (("liability", True), ("full_payment", True))),
    World("mahj_x", (), (("jokers_in", "pairs"),)),
    World("mcr"),
    World("riichi"),
    World("sanma"),
    World("sichuan"),
    World("sichuan", (), (("kong_passes_on", True), ("passed_wins", True), ("fed_kong_win", "fed"))),
    World("zung_jung"),
    World("uzje"),
    World("uzje", (), (("players", 6), ("closed_quads", "hidden"), ("wind_set", "compressed"))),
    World("zung_jung_plus"),
    World("sixth_game.yaml"),
    *(World(draft) for draft in DRAFTS),
)


# Cards and jokers, several winners, zones and marks of every kind, hands that go on after a win, hidden quads, and a
# game whose words are its own: what tables have in common is tried with these, and with all in `make soak`.
DIFFERENT = (
    World("american", ("futures", "hot_wall", "pie")),
    World("cantonese", ("several_winners",)),
    World("riichi"),
    World("sichuan", (), (("kong_passes_on", True), ("passed_wins", True), ("fed_kong_win", "fed"))),
    World("uzje", (), (("players", 6), ("closed_quads", "hidden"), ("wind_set", "compressed"))),
    World("sixth_game.yaml"),
)


# --- players


def answer_by_lot(game: Match, seat: int, lots: Random) -> Move:
    """Any legal move of a seat. It wins rather than not, and does what is rare rather often, but not what retires."""
    moves = by_offer(game, seat)
    winning = [does for does in moves if does in offers_that("declare", game.program)]
    if winning and lots.random() < 0.8:
        return lots.choice(moves[winning[0]])
    weights = [0.02 if does in offers_that("retire", game.program) else 1 for does in moves]
    (does,) = lots.choices(list(moves), weights)
    return lots.choice(moves[does])


def by_offer(game: Match, seat: int) -> dict[str, list[Move]]:
    """The legal moves under their offers; of a choice of several tiles some that are found by lot."""
    question = game.question(seat)
    assert question is not None
    moves: dict[str, list[Move]] = {}
    for move in question.moves:
        moves.setdefault(move.does, []).append(move)
    lots = Random(f"{seat}/{len(game.events)}/{game.answers}")
    for pick in question.picks:
        tries = (pick.move(seat, lots.sample(pick.tiles, lots.randint(pick.least, pick.most))) for _ in range(50))
        found = next((move for move in tries if game.allows(move)), None)
        if found is not None:
            moves.setdefault(pick.does, []).append(found)
    if not moves:
        moves = {move.does: [move] for move in game.legal_moves(seat)[:1]}
    return moves


KNOWN: dict[tuple[str, str], frozenset[str]] = {}  # offers by the digest of a ruleset and a verb


def offers_that(verb: str, program: Program) -> frozenset[str]:
    """The offers that do this."""
    key = program.data.digest, verb
    if key not in KNOWN:
        offers = program.play.offers.values()
        KNOWN[key] = frozenset(offer.id for offer in offers if verb in program.verbs(offer.do))
    return KNOWN[key]


def played(game: Match, seed: int) -> Iterator[Match]:
    """The game before every answer, until it is over; seats answer in any order."""
    lots = Random(seed)
    while not game.over:
        yield game
        game.answer(answer_by_lot(game, lots.choice(game.asked), lots))


def started(world: World, seed: int, hands: int | None = 1, near: bool = False) -> Match:
    """A game at its first question. `near`: every seat has all but one tile of a full hand."""
    layout = {"walls": [near_wall(world.rules, Random(seed))]} if near else None
    return world.rules.game(seed, hands=hands, layout=layout)


# --- walls


def near_wall(rules: Rules, lots: Random) -> list[str]:
    """Tiles that give each seat, dealt one seat after the other, all but one tile of a hand that is full."""
    tiles = rules.data.tiles.tiles
    left = Counter({tile.index: tile.copies for tile in tiles if tile.copies})
    found: list[int] = []
    for _ in range(rules.data.seats.count):
        hand = near_hand(rules, left, lots)
        left.subtract(hand)
        found.extend(hand)
    return [tiles[face].code for face in found]


def near_hand(rules: Rules, left: Counter[int], lots: Random) -> list[int]:
    """All but one tile of a full hand of the tiles that are left."""
    for _ in range(1_000):
        shape = lots.choice([form.shape for form in rules.data.forms if form.shape.has_groups])
        hand = full_hand(rules, shape, lots)
        if not Counter(hand) - left:
            hand.remove(lots.choice(hand))
            return hand
    raise AssertionError("no hand is left")


def full_hand(rules: Rules, shape: Shape, lots: Random) -> list[int]:
    """Plain tiles of some hand of this shape."""
    groups = rules.data.groups.groups
    if shape.listed is not None:
        first, choices = len(rules.data.tiles.tiles), shape.listed.choices
        sets = lots.choice(shape.listed.rows)
        tiles = [(lots.choice(choices[kind - first]) if kind >= first else kind, number) for kind, number in sets]
        return [tile for tile, number in tiles for _ in range(number)]
    hand: list[int] = []
    for slot in lots.choice(shape.cases):
        if slot.each:
            hand += sorted(slot.tiles)
        elif slot.tiles:
            hand += [lots.choice(sorted(slot.tiles)) for _ in range(slot.count)]
        else:
            chosen = [lots.choice(sorted(slot.groups)) for _ in range(slot.count)]
            hand += [tile for group in chosen for tile in groups[group].tiles]
    return hand if shape.pick is None else lots.sample(sorted(set(hand)), shape.pick)


# --- tiles


def tiles_in(row: list[int | TableMeld]) -> Iterator[int]:
    for member in row:
        yield from member.tiles if isinstance(member, TableMeld) else (member,)


def check_tiles(game: Match) -> None:
    """Every tile of the box lies in one place, and what is kept to find it fast says the same."""
    where = {
        tile: (zone, at) for zone, rows in game.zones.items() for at, row in enumerate(rows) for tile in tiles_in(row)
    }
    lying = sum(1 for rows in game.zones.values() for row in rows for _ in tiles_in(row))
    assert lying == len(where)
    assert set(where) == set(game.program.box)
    assert game.where == where
    plain, family = game.program.plain, game.program.family
    for seat, hand in enumerate(game.zones["hand"]):
        assert {tile: count for tile, count in enumerate(game.counts[seat]) if count} == Counter(plain[t] for t in hand)
        assert {one: count for one, count in enumerate(game.spreads[seat]) if count} == Counter(family[t] for t in hand)
    for at, row in enumerate(game.zones["melds"]):
        assert all(group.owner == at for group in row)


# --- what a game remembers


def dump(thing: Any) -> Any:
    """Everything below a thing as plain data that can be compared and does not change any more. What belongs to the
    ruleset, and what is only kept to be fast, stands by its name."""
    if isinstance(thing, Match):
        return [(name, dump(value)) for name, value in vars(thing).items() if name not in LEFT_OUT]
    if isinstance(thing, Mapping):
        return [(dump(key), dump(value)) for key, value in thing.items()]
    if isinstance(thing, str) or not isinstance(thing, Sequence | frozenset):
        return dump_one(thing)
    return [dump(one) for one in (sorted(thing) if isinstance(thing, frozenset) else thing)]


def dump_one(thing: Any) -> Any:
    if isinstance(thing, Move | Pick):
        return str(thing)
    if isinstance(thing, Operations):
        return thing.name
    if isinstance(thing, CompiledOffer):
        return thing.offer.id
    if isinstance(thing, Program | TableJudge | HandScene | CompiledChoice | Ask) or callable(thing):
        return type(thing).__name__
    if is_dataclass(thing):
        return [type(thing).__name__, *((one.name, dump(getattr(thing, one.name))) for one in fields(thing))]
    if hasattr(thing, "__slots__"):
        return [type(thing).__name__, *((name, dump(getattr(thing, name))) for name in thing.__slots__)]
    return thing


LEFT_OUT = frozenset({"program", "judging"})
