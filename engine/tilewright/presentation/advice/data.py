"""Advice as plain data: a view in; what a fast bot would do and why, the waits, the nearest hands of a card, out.

The same advice as in the terminal, for a page to draw. Knows nothing but the view.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tilewright.hands.listed import NEVER
from tilewright.hands.readings import ReadingSearch as HandReader
from tilewright.hands.waits import best_discards, distance, useful
from tilewright.play.model import ANSWER, PASS, Move, move_json
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.bots.decision import NOTHING
from tilewright.players.bots.fast import FastBot
from tilewright.players.bots.position import FormReader, Position, Unchanged
from tilewright.presentation.advice.seat_hand import MOST_DISCARDS, MOST_NEAR, SeatHand
from tilewright.presentation.catalogue import translations
from tilewright.scoring.case import read_case, read_seen
from tilewright.scoring.case_mistakes import CaseError, bounded
from tilewright.scoring.nearest import NearHand, cards_of
from tilewright.scoring.plain.scene import Situation
from tilewright.scoring.rules import DiscardAdvice, ScoringRules, Wait, Waits
from tilewright.scoring.score import json_number
from tilewright.tiles.notation import read_tiles, write_tile

Plain = dict[str, Any]
Text = dict[str, str]


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


def reason_of(move: Move, away: int | None, left: int | None) -> Text:
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


def barred_json(held: SeatHand) -> list[Text]:
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
