"""Advice for a seat: what a fast bot would do and why, the waits, the nearest hands of a card.

A view in; plain data for a page or lines for a terminal out. Knows nothing but the view: no tile of others, and no tile
of the wall.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from rich.text import Text

from tilewright.hands.distance.cards import dividing as dividing_of
from tilewright.hands.listed import NEVER
from tilewright.hands.reading import Hand, Meld
from tilewright.hands.readings import ReadingSearch as HandReader
from tilewright.hands.waits import best_discards, distance, useful
from tilewright.play.model import ANSWER, PASS, Move, SeenMeld, move_json
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.bots.decision import NOTHING
from tilewright.players.bots.fast import FastBot
from tilewright.players.bots.position import FormReader, Position, Unchanged
from tilewright.players.player import Player
from tilewright.presentation.advice import nearest_lines, waits_lines
from tilewright.presentation.catalogue import translations
from tilewright.presentation.names import RulesetNames
from tilewright.scoring.case import read_case, read_seen
from tilewright.scoring.case_mistakes import CaseError, bounded
from tilewright.scoring.nearest import Nearest, NearHand, cards_of
from tilewright.scoring.plain.scene import Situation
from tilewright.scoring.rules import DiscardAdvice, ScoringRules, Wait, Waits
from tilewright.scoring.score import json_number
from tilewright.tiles.notation import read_tiles, write_tile

BONUS = "bonus"
MOST_NEAR = 10  # hands of a card
MOST_DISCARDS = 8  # shown for a hand with an extra tile
MOST_READY = 3  # of them, shown with every wait


@dataclass(frozen=True)
class SeatHand:
    """The own hand in a view as a case, and the visible tiles elsewhere. `less`: a tile left out. Of a seat that makes
    several: the one of this `number` (0: all melds count), with the tiles that it gets, or all."""

    rules: ScoringRules
    view: View
    less: str = ""
    number: int = 0
    tiles: tuple[int, ...] | None = None

    def without(self, code: str) -> "SeatHand":
        return replace(self, less=code)

    def hands(self) -> "Iterator[SeatHand]":
        """The hand; of a seat that makes several, each open one, without the tiles that go to others in the hands of
        the card that are nearest together."""
        if self.rules.data.seats.hands == 1:
            yield self
            return
        dividing = dividing_of(self.rules.judge.reader)
        numbers, faces = self.view.open_hands(self.seat), list(self.view.hand)
        melds = [tuple(self.held_meld(one) for one in self.view.melds(self.seat) if one.hand == n) for n in numbers]
        nearest = dividing.look(faces, melds).nearest()
        kept, free = list[tuple[int, ...]](), list(faces)
        for row, lying in zip(nearest, melds, strict=False):
            (facts,) = dividing.rows.told([row], Hand(tuple(free), lying))
            kept.append(facts.kept)
            for face in facts.kept:
                free.remove(face)
        for at, number in enumerate(numbers):
            own = Counter(faces)
            own.subtract(face for other, some in enumerate(kept) if other != at for face in some)
            yield replace(self, number=number, tiles=tuple(own.elements()))

    def held_meld(self, one: SeenMeld) -> Meld:
        """An own group on the table."""
        assert one.group is not None
        return Meld(one.group, tuple(face for face in one.tiles if face is not None), one.exposed, one.wild)

    def waits(self) -> Waits:
        """The tiles that complete the hand, of several the nearest; with the flags of the table, if they fit it. Raises
        CaseError."""
        if self.rules.data.seats.hands > 1 and not self.number:
            found = [hand.waits() for hand in self.hands()]
            return min(found, key=lambda one: NEVER if one.distance is None else one.distance, default=Waits(None, ""))
        rules = self.at_table
        try:
            return rules.waits(**self.case, **self.remembered, seen=self.seen)
        except CaseError:
            return rules.waits(**self.case, seen=self.seen)

    def barred(self) -> tuple[Mapping[str, str], ...]:
        """Why, by language, the hand may not win on a discard; empty if it may."""
        faces = (face for face in self.view.hand if write_tile(face, self.rules.data.tiles) == self.less)
        return self.view.claims_barred(next(faces, None))

    def nearest(self) -> Nearest:
        """The hands of the card that it is nearest to. Raises CaseError."""
        return self.at_table.nearest(self.case["hand"], self.case["melds"], seen=self.seen, limit=MOST_NEAR)

    @cached_property
    def at_table(self) -> ScoringRules:
        """The rules with the tiles that are wild at the table, in the notation of `rules`."""
        if self.rules.data.tiles.spelling is None:
            return self.view.rules
        return self.view.rules.as_on_card() if self.rules.shifts else self.rules

    @cached_property
    def case(self) -> dict[str, Any]:
        view, tiles = self.view, self.rules.data.tiles
        hand = [write_tile(face, tiles) for face in (view.hand if self.tiles is None else self.tiles)]
        if self.less:
            hand.remove(self.less)
        wind, round_wind = view.wind(self.seat), view.round_wind
        return {
            "hand": hand,
            "melds": [self.meld(one) for one in view.melds(self.seat) if self.number in (0, one.hand)],
            "bonus": [write_tile(face, tiles) for face in self.bonus],
            "seat_wind": None if wind is None else self.seat + 1,
            "round_wind": None if round_wind is None else write_tile(round_wind, tiles),
        }

    @property
    def seat(self) -> int:
        assert self.view.seat is not None
        return self.view.seat

    @property
    def bonus(self) -> tuple[int, ...]:
        """The bonus tiles of the own seat."""
        lying = self.view.zone(BONUS, self.seat) if BONUS in self.rules.data.zones else ()
        return tuple(face for face in lying if face is not None)

    def meld(self, lying: SeenMeld) -> Mapping[str, Any]:
        codes = [write_tile(face, self.rules.data.tiles) for face in lying.tiles if face is not None]
        return {"tiles": codes, "concealed": not lying.exposed}

    @cached_property
    def remembered(self) -> dict[str, Any]:
        """Truth marks that are set, as flags; other marks with their values."""
        found: dict[str, Any] = {"flags": [], "marks": {}}
        for mark in self.rules.data.marks.values():
            value = self.view.mark(mark.id, self.seat if mark.of == "seat" else None)
            if mark.type == "truth" and value is True:
                found["flags"].append(mark.id)
            elif mark.type == "tiles" and value:
                found["marks"][mark.id] = [write_tile(face, self.rules.data.tiles) for face in value]
            elif mark.type == "number" and value is not None:
                found["marks"][mark.id] = value
        return found

    @cached_property
    def seen(self) -> list[str]:
        """Visible tiles outside the own hand, and the one left out."""
        own = [one for one in self.view.melds(self.seat) if self.number in (0, one.hand)]
        melds = [face for lying in own for face in lying.tiles if face is not None]
        others = self.view.seen - Counter((*melds, *self.bonus))
        return [*(write_tile(face, self.rules.data.tiles) for face in others.elements()), *filter(None, [self.less])]


Plain = dict[str, Any]
Translated = dict[str, str]


def help_json(rules: Rules, what: str, view: View) -> Plain:
    """`hint`, `waits` or `nearest` for the seat of a view. KeyError for anything else."""
    return HELPS[what](rules, view)


# --- hints


def hint_json(rules: Rules, view: View) -> Plain:
    """What a fast bot would answer: the move, its reason by language, how many tiles the hand is then away (`away`) and
    how many helpful tiles are left (`left`), if known. Without a question the move is null."""
    if view.question is None:
        return {"move": None, "reason": NOT_ASKED, "away": None, "left": None}
    bot = FastBot(rules, 0)
    move = bot.choose(view)
    if bot.reader.effects.get(move.does, NOTHING).wins:
        return {"move": move_json(move), "reason": WINS, "away": 0, "left": None}
    away, left = standing(bot, bot.reader, move, view)
    return {"move": move_json(move), "reason": reason_of(move, away, left), "away": away, "left": left}


def standing(bot: FastBot, reader: FormReader, move: Move, view: View) -> tuple[int | None, int | None]:
    """How many tiles away the hand is after a move, and how many helpful ones are left; None if the move does not show
    it."""
    if move.does == ANSWER:
        return None, None
    before = reader.position(view)
    after = before if move.does == PASS else reader.after(before, move, view)
    if after is None:
        return None, None
    away, left = rank(bot, reader, after)
    return (away, left) if away < NEVER else (None, None)


def rank(bot: FastBot, reader: FormReader, position: Position) -> tuple[int, int]:
    """Tiles away, and helpful tiles left; of a hand with an extra tile, after the best discard."""
    if position.tiles and reader.full(position):
        _, found = bot.judge.discard(position, list(dict.fromkeys(position.tiles)))
    else:
        found = bot.judge.rank(position)
    return -found[0], found[1]


def reason_of(move: Move, away: int | None, left: int | None) -> Translated:
    if move.does == PASS:
        return NO_BETTER
    if move.does == ANSWER:
        return LEAST_USEFUL if len(move.choice) == 1 and " " in move.choice[0][1] else CUSTOM
    if away is None or left is None:
        return CUSTOM
    return translations("advice.ready" if away == 1 else "advice.away", away=away, left=left)


NOT_ASKED = translations("server.not_your_turn")
WINS = translations("advice.wins")
NO_BETTER = translations("advice.no_better")
LEAST_USEFUL = translations("advice.least_useful")
CUSTOM = translations("advice.custom")


# --- waits


def waits_json(rules: Rules, view: View) -> Plain:
    """What the hand waits for, or what brings it nearer, or what to discard: `away` (null: no form can be made any
    more), `unit`, `tiles`, `useful`, `discards`; those that leave a waiting hand have its `waits`. `barred`: why a
    waiting hand may not win on a discard. `problem`: why there is no advice."""
    held = SeatHand(rules, view)
    try:
        waits = held.waits()
    except CaseError as error:
        return {"problem": error.message}
    ready = [one.code for one in waits.discards[:MOST_DISCARDS] if one.distance == 1]
    return {
        **plain_waits(waits),
        "barred": barred_json(held) if waits.tiles else [],
        "discards": [discard_json(held, one, one.code in ready) for one in waits.discards],
    }


def plain_waits(waits: Waits) -> Plain:
    return {
        "away": waits.distance,
        "unit": waits.unit,
        "tiles": [wait_json(wait) for wait in waits.tiles],
        "useful": counted(waits.useful),
    }


def wait_json(wait: Wait) -> Plain:
    value = None if wait.value is None else json_number(wait.value)
    return {"code": wait.code, "left": wait.left, "value": value, "reason": dict(wait.reasons) or None}


def discard_json(held: SeatHand, discard: DiscardAdvice, every: bool) -> Plain:
    """A tile to discard. `every`: with the waits of the hand and their worth."""
    found = {"code": discard.code, "away": discard.distance, "tiles": counted(discard.tiles)}
    if not every:
        return found
    then = held.without(discard.code)
    try:
        return found | {"waits": [wait_json(wait) for wait in then.waits().tiles], "barred": barred_json(then)}
    except CaseError:
        return found


def barred_json(held: SeatHand) -> list[Translated]:
    return [dict(reason) for reason in held.barred()]


def counted(tiles: Iterable[tuple[str, int]]) -> list[Plain]:
    return [{"code": code, "left": left} for code, left in tiles]


# --- near hands


def nearest_json(rules: Rules, view: View) -> Plain:
    """The nearest hands of the card: `cards` by name, `hands`, `dead` lines with the reason, `reason`: why no hand is
    possible any more. Without a card, the `forms` of hands, the nearest first. `problem`: why there is no advice."""
    held = SeatHand(rules, view)
    cards = cards_of(rules.judge)
    try:
        if not cards:
            return {"cards": [], "hands": [], "dead": [], "reason": None, "forms": forms_json(held)}
        every = [(hand, hand.nearest()) for hand in held.hands()]
    except CaseError as error:
        return {"problem": error.message}
    each = (MOST_NEAR + len(every) - 1) // max(len(every), 1)
    return {
        "cards": [dict(card.name) or {"en": card.id} for card, _ in cards],
        "hands": [near_json(hand, near) for hand, found in every for near in found.hands[:each]],
        "dead": [{"line": line, "why": why} for _, found in every[:1] for line, why in found.dead],
        "reason": next((dict(found.reasons) for _, found in every if found.reasons), None),
        "forms": [],
    }


def near_json(held: SeatHand, near: NearHand) -> Plain:
    """A near hand; of a seat that makes several, with the number of the one it would be."""
    found = near.as_json() | {"groups": groups_json(held, near)}
    return found | {"of_hand": held.number} if held.number else found


def groups_json(held: SeatHand, near: NearHand) -> list[list[Plain]]:
    """The sets of a near hand, tile by tile: whether the hand has each, and `by` itself or a wild tile."""
    tiles = held.rules.data.tiles
    lying = [code for meld in held.case["melds"] for code in meld["tiles"]]
    own = Counter(tiles.tiles[face].plain for face in (*read_tiles(near.keep, tiles), *read_tiles(lying, tiles)))
    wild = {face for one in tiles.wild for face in one.tiles.tiles}
    helpers = iter([write_tile(face, tiles) for face in own.elements() if face in wild])
    missing = Counter(need.rpartition("|")[2] for need in near.needs)
    found = []
    for text in near.hand:
        faces = read_tiles(text, tiles)
        code = write_tile(faces[0], tiles)
        has = len(faces) - min(missing[code], len(faces))
        natural = min(own[faces[0]], has)
        missing[code] -= len(faces) - has
        own[faces[0]] -= natural
        by = [next(helpers, code) if natural <= at < has else code for at in range(len(faces))]
        found.append([{"code": code, "has": at < has, "by": one} for at, one in enumerate(by)])
    return found


def forms_json(held: SeatHand) -> list[Plain]:
    """How far the hand is from each form (`away`), and the tiles that bring it nearer; of a hand with an extra tile,
    after the best `discard`, unless it is complete. Raises CaseError."""
    with bounded():
        rules = held.view.rules  # with the tiles that are wild now
        situation = read_case(rules.data, {**held.case, "winner": False})
        rules.expect_size(situation)
        seen = read_seen(rules.data, situation, held.seen)
        found = [
            (form, best_of(rules, reader, situation, seen)) for form, reader in readers_of(Unchanged(rules)).items()
        ]
    possible = sorted((pair for pair in found if pair[1].distance < NEVER), key=lambda pair: pair[1].distance)
    tiles = rules.data.tiles
    return [
        {
            "form": form,
            "away": best.distance,
            "discard": None if best.tile is None else write_tile(best.tile, tiles),
            "tiles": counted((write_tile(tile, tiles), left) for tile, left in best.useful),
        }
        for form, best in possible
    ]


@dataclass(frozen=True, slots=True)
class Best:
    """How far a hand is from a form, and which tiles, with copies left, bring it nearer; without `tile`, if any."""

    distance: int
    useful: Iterable[tuple[int, int]]
    tile: int | None = None


def best_of(rules: ScoringRules, reader: HandReader, situation: Situation, seen: Sequence[int]) -> Best:
    """The best result for a hand that aims for what this reads."""
    if rules.judge.size(situation.hand) in rules.judge.full_sizes:
        if distance(reader, situation.hand) == 0:
            return Best(0, ())
        first = best_discards(reader, situation.hand, seen)[0]
        return Best(first.distance, first.useful, first.tile)
    left = rules.copies_left(situation, seen)
    nearer = [(tile, left.get(tile, 0)) for tile in useful(reader, situation.hand)]
    return Best(distance(reader, situation.hand), nearer)


@lru_cache(maxsize=8)
def readers_of(same: Unchanged[ScoringRules]) -> dict[str, HandReader]:
    """For each form with groups, a reader of hands as that form alone."""
    data = same.rules.data
    return {form.id: HandReader(data.tiles, data.groups, [form.shape]) for form in data.forms if form.shape.has_groups}


HELPS: dict[str, Callable[[Rules, View], Plain]] = {"hint": hint_json, "waits": waits_json, "nearest": nearest_json}


# --- as lines


@dataclass(frozen=True)
class Advice:
    """`quick`: the player whose choice is the hint; `names`: in the language of the player."""

    rules: ScoringRules
    quick: Player
    names: RulesetNames

    def hint(self, view: View) -> Move:
        """What a fast bot would answer."""
        return self.quick.choose(view)

    @cached_property
    def has_cards(self) -> bool:
        """Whether some form is won by a card."""
        return bool(cards_of(self.rules.judge))

    def nearest(self, view: View) -> list[Text]:
        """The hands of the card nearest to the own one."""
        lines = list[Text]()
        try:
            for hand in SeatHand(self.rules, view).hands():
                if hand.number:
                    lines.append(Text(self.names.say("advice.of_hand", number=hand.number), "bold"))
                lines += nearest_lines(hand.nearest(), self.rules, self.names, every=False)
        except CaseError as error:
            return [Text(error.message, "yellow")]
        return lines

    def waits(self, view: View) -> list[Text]:
        """The waits of the hand with their worth, or the tiles that bring it nearer."""
        held = SeatHand(self.rules, view)
        try:
            waits = held.waits()
        except CaseError as error:
            return [Text(error.message, "yellow")]
        lines = list(waits_lines(replace(waits, discards=waits.discards[:MOST_DISCARDS]), self.names))
        return [*lines, *(self.barred_lines(held) if waits.tiles else ()), *self.ready_lines(held, waits)]

    def ready_lines(self, held: SeatHand, waits: Waits) -> Iterator[Text]:
        """For the discards that leave a waiting hand: the waits with their worth."""
        ready = [discard for discard in waits.discards if discard.distance == 1]
        for discard in ready[:MOST_READY]:
            yield Text()
            yield Text("  ") + self.names.filled("advice.without", "", tile=Text(discard.code, "bold cyan"))
            then = held.without(discard.code)
            try:
                yield from waits_lines(then.waits(), self.names)
                yield from self.barred_lines(then)
            except CaseError as error:
                yield Text(f"  {error.message}", "yellow")

    def barred_lines(self, held: SeatHand) -> Iterator[Text]:
        """Why a waiting hand cannot win on a discard."""
        for reason in held.barred():
            why = Text(self.names.translated(reason), "yellow")
            yield Text("  ") + self.names.filled("table.barred", "", reason=why)
