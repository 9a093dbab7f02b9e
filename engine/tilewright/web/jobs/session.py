"""Sessions: a game that is played in a worker, cut into the moments that players see.

In: a game that pauses, and answers of players. Out: steps, with views and events by viewer, and the result of each hand
that ended: who won with what and why, who paid whom. Knows players by number, and "all", the spectators.

The tiles of winners are numbered: those of the hand (the winning one last), then those of each group in turn. Lines and
groups of a score refer to their tiles by these numbers.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import Raw

from tilewright.hands.reading import Hand, Part
from tilewright.play.chance import FairDeal
from tilewright.play.log import LogWriter, event_json
from tilewright.play.match import Match
from tilewright.play.model import Event, HandResult, IllegalMove, LeftHand, MadePayment, Move, Won, move_json
from tilewright.play.placements import leaders, standings
from tilewright.play.placing import walls_json, worth_more
from tilewright.play.view import View
from tilewright.presentation.events import EventTeller, end_lines
from tilewright.presentation.line import line_json
from tilewright.rulebook.payments import account_json
from tilewright.scoring.plain.judge import judge
from tilewright.scoring.plain.resolve import Counted
from tilewright.scoring.score import json_number
from tilewright.tiles.notation import write_tile
from tilewright.web.protocol.moments import ALL, GameStep, Moment, changed, encoded, parts_of
from tilewright.web.protocol.shape import json_bytes

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SeenMoment:
    """A moment with whole views; the fields are those of `Moment`."""

    views: Mapping[str, Plain]
    events: Mapping[str, list[Plain]]
    claim: bool
    ends: bool
    asked: tuple[int, ...]
    open: bool
    only: int | None = None


class WorkerSession:
    """A game with its log, and how much of both has been reported."""

    def __init__(self, game: Match, players: Sequence[str] = ()) -> None:
        self.game = game
        self.writer = LogWriter(game, players)
        self.pressed: dict[int, frozenset[str]] = {}
        self.events = 0  # that were reported
        self.results = 0
        self.views: dict[str, Plain] = {}  # the last ones, by viewer,
        self.reported: dict[str, Plain] = {}  # and the parts of those that were reported last
        self.viewers: dict[str, int | None] = {str(player): player for player in range(game.program.count)}
        self.viewers[ALL] = None

    # --- what players do

    def opening(self, taken_up: bool = False) -> GameStep:
        """The table as it is, with the whole log. For a resumed game, earlier events are not reported again."""
        lines = [self.writer.first(), *self.writer.more(self.game)]
        if taken_up:
            self.events = len(self.game.events)
            self.results = len(self.game.results) - self.game.over  # the last one is reported again
        moments = list(self.moments())
        return self.step((*lines, *self.writer.more(self.game)), moments)

    def answer(self, player: int, answer: Mapping[str, str]) -> GameStep:
        """A player answers. Raises IllegalMove."""
        window = self.game.window
        self.game.answer(self.move_of(player, answer))
        if window is not None and self.game.window is window:
            return self.step((), [self.moment(only=player)])
        moments = list(self.moments())
        return self.step(tuple(self.writer.more(self.game)), moments)

    def press(self, player: int, buttons: Sequence[str]) -> GameStep:
        """Set the pressed buttons of a player."""
        self.pressed[player] = frozenset(buttons)
        return self.step((), [])

    def move_of(self, player: int, answer: Mapping[str, str]) -> Move:
        """The move for an answer; its choices may be in any order. Raises IllegalMove."""
        if not 0 <= player < self.game.program.count:
            raise IllegalMove("there is no player with this number")
        seat = self.game.seat_of(player)
        choice = {name: text for name, text in answer.items() if name != "move"}
        names = next(
            (found for found in self.choices(seat, answer.get("move", "")) if set(found) == set(choice)), choice
        )
        return Move(seat, answer.get("move", ""), tuple((name, choice[name]) for name in names))

    def choices(self, seat: int, does: str) -> Iterator[tuple[str, ...]]:
        """The names of the choices of a move with this offer, in order."""
        question = self.game.question(seat)
        if question is not None:
            yield from (tuple(name for name, _ in move.choice) for move in question.moves if move.does == does)
            yield from ((*(n for n, _ in pick.before), pick.name) for pick in question.picks if pick.does == does)

    # --- moments

    def moments(self) -> Iterator[SeenMoment]:
        """The moments up to the next question, or the end."""
        yield self.moment()
        while not self.game.asked and not self.game.over:
            self.game.run()
            yield self.moment()

    def moment(self, only: int | None = None) -> SeenMoment:
        """The current moment, with the events since the last one."""
        game = self.game
        new = game.events[self.events :]
        self.events = len(game.events)
        if only is None or not self.views:
            public: dict[object, Any] = {}
            about = about_table(game)
            self.views = {viewer: self.view(player, public) | about for viewer, player in self.viewers.items()}
        else:
            self.views = {**self.views, str(only): self.view(only, {}) | about_table(game)}
        waits = not game.asked and not game.over
        return SeenMoment(
            views=self.views,
            events=self.events_by_viewer(new),
            claim=waits and not game.rests,
            ends=game.rests,
            asked=self.asked(),
            open=self.is_open(),
            only=only,
        )

    def view(self, player: int | None, public: dict[object, Any]) -> Plain:
        """The view of a player or of spectators. `public`: as in `View.to_json`."""
        return View(self.game, None if player is None else self.game.seat_of(player)).to_json(public)

    def events_by_viewer(self, events: Sequence[Event]) -> dict[str, list[Plain]]:
        """These events as every viewer sees them."""
        if not events:
            return {viewer: [] for viewer in self.viewers}
        known: dict[tuple[bool | None, ...], list[Plain]] = {}  # by how much of each event is seen: all, some, nothing
        found: dict[str, list[Plain]] = {}
        for viewer, player in self.viewers.items():
            view = View(self.game, None if player is None else self.game.seat_of(player))
            seen = [view.event(event) for event in events]
            shape = tuple(None if one is None else one is event for one, event in zip(seen, events, strict=True))
            if shape not in known:
                known[shape] = self.seen_events(events, seen)
            found[viewer] = known[shape]
        return found

    def seen_events(self, events: Sequence[Event], seen: Sequence[Event | None]) -> list[Plain]:
        """Events as plain data, as seen, each with its line of text, if it has one."""
        game = self.game
        players = {game.program.names[seat]: game.player(seat) for seat in game.program.everyone}
        whole = {id(event) for event, one in zip(events, seen, strict=True) if one is event}
        teller = EventTeller(game.program.data, players)
        lines = {id(event): line_json(line) for event, line in teller.lines(events, lambda event: id(event) in whole)}
        return [
            seen_json(game, event, one) | ({"told": lines[id(event)]} if id(event) in lines else {})
            for event, one in zip(events, seen, strict=True)
            if one is not None
        ]

    # --- the step

    def step(self, lines: Sequence[str], moments: Sequence[SeenMoment]) -> GameStep:
        """The step with these moments."""
        game = self.game
        ended = game.results[self.results :]
        self.results = len(game.results)
        return GameStep(
            lines=tuple(lines),
            moments=tuple(map(self.report, moments)),
            asked=self.asked(),
            buttons=self.buttons(),
            hands_done=len(game.results),
            over=game.over,
            scores=tuple(json_number(score) for score in game.scores),
            results=tuple(result_json(game, result) for result in ended),
            problem=next((result.problems[-1] for result in reversed(ended) if result.problems), None),
        )

    def report(self, moment: SeenMoment) -> Moment:
        """A moment as it is sent: what has changed, encoded."""
        views = {}
        for viewer, view in moment.views.items():
            parts = parts_of(view)
            views[viewer] = encoded(changed(self.reported.get(viewer, {}), parts))
            self.reported[viewer] = parts
        events = {viewer: [Raw(json_bytes(event)) for event in found] for viewer, found in moment.events.items()}
        return Moment(views, events, moment.claim, moment.ends, moment.asked, moment.open, moment.only)

    def asked(self) -> tuple[int, ...]:
        return tuple(self.game.player(seat) for seat in self.game.asked)

    def is_open(self) -> bool:
        """Whether everybody knows who is asked: it is their turn, or all players are asked."""
        game = self.game
        return game.turn in game.asked or set(game.playing) <= set(game.asked)

    def buttons(self) -> dict[int, dict[str, str]]:
        """The answers of pressed buttons for asked players."""
        found = {}
        for seat in self.game.asked:
            player = self.game.player(seat)
            pressed = self.pressed.get(player)
            move = self.game.answer_by(seat, pressed) if pressed else None
            if move is not None:
                found[player] = dict(move_json(move))
        return found


def about_table(game: Match) -> Plain:
    """What a page shows of a table in addition to the view."""
    names, everyone = game.program.names, game.program.everyone
    wall = (game.program.wall, 0)
    return {
        "players": {names[seat]: game.player(seat) for seat in everyone},
        "levels": {"hand": game.hand_number + 1, "dealership": game.dealership + 1, "round": game.round + 1},
        "wall_left": max(0, game.there(wall)) if wall[0] in game.zones else None,
        "over": game.over,
        "walls": walls_json(game),
        "worth_more": worth_more(game),
        "deal": None if game.fair_deal is None else {"hand": game.fair_deal.hand, "hash": game.fair_deal.hash},
    }


def seen_json(game: Match, event: Event, seen: Event) -> Plain:
    """An event as plain data, as seen; of hidden tiles, only their number."""
    found = event_json(seen, game.program)
    found.pop("seen_by", None)
    return found | ({"count": len(event.tiles)} if event.tiles and not seen.tiles else {})


# --- results


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
