"""Results: a hand that ended, as plain data: who won with what and why, who paid whom.

The tiles of winners are numbered: those of the hand (the winning one last), then those of each group in turn. Lines and
groups of a score refer to their tiles by these numbers.
"""

from collections.abc import Sequence
from typing import Any

from tilewright.hands.reading import Hand, Part
from tilewright.play.match import Match
from tilewright.play.model.deals import FairDeal
from tilewright.play.model.results import HandResult, LeftHand, MadePayment, Won
from tilewright.play.standings import leaders, standings
from tilewright.play.view import View
from tilewright.presentation.events import EventTeller, end_lines
from tilewright.presentation.line import line_json
from tilewright.rulebook.payments import account_json
from tilewright.scoring.plain.judge import judge
from tilewright.scoring.plain.resolve import Counted
from tilewright.scoring.score import json_number
from tilewright.tiles.notation import write_tile

Plain = dict[str, Any]


def result_json(game: Match, result: HandResult) -> Plain:
    """A hand of this game that has ended."""
    return {
        "hand": result.hand,
        "ended": result.ended,
        "winners": [winner_json(game, result, won) for won in result.won],
        "gains": [json_number(gain) for gain in result.player_gains],
        "scores": [json_number(score) for score in result.scores],
        "told": [line_json(line) for line in end_lines(result, EventTeller(game.program.rules.data))],
        "left": [left_json(game, result, left) for left in result.left],
        "payments": [payment_json(game, result, payment) for payment in result.payments if payment.amount],
        "dealer": result.dealer,
        "problems": list(result.problems),
        "standings": standings_json(game, result),
        "played": played_json(game, result),
        "deal": None if result.deal is None else deal_json(result.deal),
    }


def played_json(game: Match, result: HandResult) -> Plain:
    """Which hand of the match it was, and what lay on the table in it, as a view has it."""
    view, data, rounds = View(game, None), game.program.data, game.program.play.match.rounds
    seen = {name: value for name, value in result.marks.items() if value is not None and not data.marks[name].secret}
    return {
        "levels": {"hand": result.hand, "dealership": result.dealership, "round": result.round},
        "round_wind": view.code(rounds[result.round - 1]) if result.round <= len(rounds) else None,
        "marks": {name: view.plain_mark(name, value) for name, value in seen.items()},
        "pot": json_number(result.pot),
    }


def deal_json(deal: FairDeal) -> Plain:
    """A fair deal that is over: its hash, and the text that has this hash, with the seed and salt in it."""
    return {"hash": deal.hash, "hashed": deal.hashed, "seed": deal.seed.seed, "salt": deal.seed.salt}


def payment_json(game: Match, result: HandResult, payment: MadePayment) -> Plain:
    """A payment: who pays whom how much, what for, and how that came about. The pot is nobody's."""
    data, count = game.program.data, game.program.count
    payer, payee = (result.player(seat) if seat < count else None for seat in (payment.payer, payment.payee))
    account = {"formula": [], "reasons": []} if payment.account is None else account_json(data, payment.account)
    name = data.payment_names.get(payment.payments, {}).get(payment.line)
    return {
        "from": payer,
        "to": payee,
        "amount": json_number(payment.amount),
        "name": None if name is None else dict(name),
        **account,
    }


def left_json(game: Match, result: HandResult, left: LeftHand) -> Plain:
    """A hand that did not win: what of it is shown, and what it counts if everyone's hands do."""
    hand, counts = left.hand, left.verdict if left.shown and not left.hidden_melds else None
    found = hand_json(game, hand.tiles, hand) | {"player": result.player(left.seat), "values": {}, "lines": []}
    if not left.shown:
        found["hand"] = [None] * len(hand.tiles)
    for at in left.hidden_melds:
        found["melds"][at]["tiles"] = [None] * len(hand.melds[at].tiles)
    if counts is None or counts.scene.reading is None:
        return found
    groups = places_of(game, hand, counts.scene.parts)
    lines = [
        {
            "id": one.pattern.id,
            "name": dict(one.pattern.name) or {"en": one.pattern.id},
            "values": {measure: json_number(worth) for measure, worth in one.worth.items()},
            "times": json_number(one.times),
            "tiles": tiles_of(one, groups, len(groups)),
        }
        for one in counts.counted
    ]
    values, unit = {id: json_number(value) for id, value in counts.values.items()}, game.program.data.scoring.best
    return found | {"groups": groups, "unit": unit, "total": values[unit], "values": values, "lines": lines}


def standings_json(game: Match, result: HandResult) -> Plain:
    """The standings after a hand: hands won, in the match and in its round, and points gained in the round."""
    standing = standings(game.results, result)
    return {
        "round": result.round,
        "won": [one.won for one in standing],
        "won_in_round": [one.won_in_round for one in standing],
        "gained_in_round": [json_number(one.gained_in_round) for one in standing],
        "leaders": list(leaders(standing)),
    }


def winner_json(game: Match, result: HandResult, won: Won) -> Plain:
    """A win: the hand as it is shown, its score, and which tiles make each line of it count."""
    tiles, situation = game.program.rules.data.tiles, won.situation
    hand = situation.hand
    score = won.score.as_json()
    discarder = situation.discarder
    return {
        "player": result.player(won.seat),
        "seat": game.program.names[won.seat],
        "tile": None if hand.win is None else write_tile(hand.win, tiles),
        "self_draw": situation.self_draw,
        "discarder": None if discarder is None else result.player(discarder),
        "total": score["total"],
        "unit": score["unit"],
        "values": score["values"],
        **hand_json(game, own_tiles(hand), hand),
        "score": score,
        "card": card_of(game, won),
        **evidence(game, won),
    }


def hand_json(game: Match, own: Sequence[int], hand: Hand) -> Plain:
    """The tiles of a hand, its own ones in this order."""
    tiles = game.program.rules.data.tiles
    return {
        "hand": [write_tile(face, tiles) for face in own],
        "melds": [
            {"tiles": [write_tile(face, tiles) for face in meld.tiles], "exposed": meld.exposed} for meld in hand.melds
        ],
        "bonus": [write_tile(face, tiles) for face in hand.bonus],
    }


def own_tiles(hand: Hand) -> list[int]:
    """The tiles that are in no group on the table, the winning one last."""
    return [*hand.tiles, *(() if hand.win is None else (hand.win,))]


def card_of(game: Match, won: Won) -> str | None:
    """The id of the card that the hand is on."""
    reading = won.scene.reading
    forms = game.program.rules.data.forms
    return next((form.card.id for form in forms if reading and form.card and form.id == reading.form), None)


def evidence(game: Match, won: Won) -> Plain:
    """The groups of the reading, and the lines of the score, each with its tiles."""
    if won.scene.reading is None:
        return {"groups": [], "lines": [score_line_json(won, pattern.id, ()) for pattern in won.score.patterns]}
    groups = places_of(game, won.situation.hand, won.scene.parts)
    counted = {one.pattern.id: one for one in judge(won.scene).counted}
    every = len(groups)
    lines = [
        score_line_json(won, pattern.id, tiles_of(counted.get(pattern.id), groups, every))
        for pattern in won.score.patterns
    ]
    return {"groups": groups, "lines": lines}


def tiles_of(counted: Counted | None, groups: Sequence[Sequence[int]], every: int) -> list[int]:
    """The tiles of the groups that a pattern used; none if it is about the whole hand."""
    used = frozenset() if counted is None else counted.used
    return [] if len(used) == every else sorted(tile for group in used if group < every for tile in groups[group])


def score_line_json(won: Won, id: str, tiles: Sequence[int]) -> Plain:
    """A pattern that counts: its name by language, what it is worth, its tiles."""
    pattern = next(one for one in won.score.patterns if one.id == id)
    return {
        "id": id,
        "name": dict(pattern.names) or {"en": pattern.name},
        "values": {pattern.measure or won.score.unit: json_number(pattern.worth)},
        "times": json_number(pattern.times),
        "tiles": list(tiles),
    }


def places_of(game: Match, hand: Hand, parts: Sequence[Part]) -> list[list[int]]:
    """The tiles of every group of the reading, by their numbers."""
    own = own_tiles(hand)
    free = list(range(len(own)))
    found: list[list[int]] = [[] for _ in parts]
    at, melds = len(own), iter(hand.melds)
    for number, part in enumerate(parts):
        if part.melded and (meld := next(melds, None)) is not None:
            found[number] = list(range(at, at + len(meld.tiles)))
            at += len(meld.tiles)
    tiles = game.program.rules.data.tiles.tiles
    plain = [tiles[face].plain for face in own]
    for number, part in sorted(enumerate(parts), key=lambda pair: not pair[1].completed):
        if not part.melded:
            found[number] = taken(part, free, plain)
    return found


def taken(part: Part, free: list[int], plain: Sequence[int]) -> list[int]:
    """The tiles of the hand that a group uses, taken from the free ones; the winning one, which is the last, if it
    completes the group."""
    found = []
    for tile in lying(part):
        places = [place for place in free if plain[place] == tile]
        if places:
            place = places[-1] if part.completed else places[0]
            free.remove(place)
            found.append(place)
    return sorted(found)


def lying(part: Part) -> list[int]:
    """The tiles of a group as plain tiles, wild ones as themselves."""
    wild, found = list(part.wild), []
    for tile in part.tiles:
        pair = next((pair for pair in wild if pair[1] == tile), None)
        if pair is not None:
            wild.remove(pair)
        found.append(tile if pair is None else pair[0])
    return found
