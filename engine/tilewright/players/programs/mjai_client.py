"""The client: lines of MJAI from a table elsewhere in, the answers of one of our bots out.

A line is one event, or an array of them, and is answered with one line. What cannot be followed is reported once a
hand; until the next hand the drawn tile is discarded, and nothing else done. Knows no process and no socket.

The table is followed here: a hand is a match of its own in which the hidden tiles lie anyhow. Whatever is reported is
carried out in it: tiles that become known change places with those that lie where they should, and the other seats are
trusted, whose hands are not known here. So marks, restrictions and what our own seat may do follow from the rules.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, BinaryIO

from tilewright.play.match import Match
from tilewright.play.model import PASS, IllegalMove, Move
from tilewright.play.placing import exchange
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.programs.mjai_words import (
    CLAIMS,
    HIDDEN,
    KITA,
    NONE,
    answer_of,
    kind_of,
    of_tiles,
    vocabulary_of,
)
from tilewright.scoring.case_mistakes import CaseError

MOST_TILES = 20  # in one list of an event
MOST_COUNTED = 10_000  # hands of a game, and counters of one
MOST_POINTS = 10_000_000


class WrongEvent(ValueError):
    """An event that cannot have happened under these rules, or is no event; the message says why."""


class FollowedTable:
    """A table elsewhere, seen from one seat. `player`: ours, unless the game says so; `hands`: how many have begun;
    `decisions`: how often we were asked; `kita`: setting a tile aside is called so."""

    def __init__(self, rules: Rules, player: int = 0, kita: bool = False) -> None:
        self.rules, self.words = rules, vocabulary_of(rules.program)
        self.player, self.hands, self.decisions = player, 0, 0
        self.match: Match | None = None
        self.known: set[int] = set()  # tiles that are where they lie
        self.indicators: list[int] = []  # faces that were told
        self.kita = kita

    # --- what is told

    def take(self, event: Mapping[str, Any]) -> None:
        """Carry out an event. Raises WrongEvent; then the hand can no longer be followed."""
        self.kita = self.kita or event.get("type") == "kita"
        kind = kind_of(dict(event))
        handler = HANDLERS.get(kind)
        if handler is None or (self.match is None and kind not in ("start_game", "start_kyoku")):
            return
        try:
            handler(self, event)
        except WrongEvent:
            self.match = None
            raise
        except IllegalMove as error:
            self.match = None
            raise WrongEvent(f"{kind} is not possible under these rules: {error}") from None

    def view(self) -> View | None:
        """What our seat sees, if it has to answer now."""
        match = self.match
        if match is None or match.over or match.window is None:
            return None
        seat = match.seat_of(self.player)
        drawn = match.drawn[seat]
        if seat not in match.asked or (drawn is not None and self.is_hidden(drawn)):
            return None
        return View(match, seat)

    def decide(self, choose: Callable[[View], Move]) -> Move | None:
        """The move that is chosen for our seat; None if it has nothing to answer."""
        view = self.view()
        if view is None or self.match is None:
            return None
        self.match.decisions[self.player] = self.decisions
        self.decisions += 1
        return choose(view)

    # --- games and hands

    def start_game(self, event: Mapping[str, Any]) -> None:
        if "id" in event:
            self.player = number(event, "id", self.rules.data.seats.count - 1)
        self.hands, self.decisions, self.match = 0, 0, None

    def start_kyoku(self, event: Mapping[str, Any]) -> None:
        """A hand is dealt: ours is known, and the first indicator."""
        count = self.rules.data.seats.count
        deals = number(event, "kyoku", count) - 1
        scores = listed(event, "scores")[:count]
        honba, sticks = number(event, "honba", MOST_COUNTED), number(event, "kyotaku", MOST_COUNTED)
        oya, wind = number(event, "oya", count - 1), self.face(event.get("bakaze"))
        own = self.own_hand(listed(event, "tehais")[:count])
        if len(scores) < count or deals < 0:
            raise WrongEvent("start_kyoku: a hand has scores, and its number from 1")
        given = {
            "dealer": self.words.program.names[oya],
            "deals": deals,
            "round_wind": self.words.program.code[wind],
            "scores": [scores[(oya + seat) % count] for seat in range(count)],
            "pot": sticks * self.words.stick,
            "marks": {self.words.honba: honba},
        }
        if not all(isinstance(score, int) and abs(score) <= MOST_POINTS for score in scores):
            raise WrongEvent("start_kyoku: scores are numbers")
        try:
            layout = self.rules.layout(**given)
        except CaseError as error:
            raise WrongEvent(f"start_kyoku: {error.message}") from None
        self.hands += 1
        match = self.match = Match(self.rules.program, 0, 1, layout, listen=False)
        match.hand_number, match.hands = self.hands - 1, self.hands
        seat = match.seat_of(self.player)
        match.trusted = frozenset(match.program.everyone) - {seat}
        self.known, self.indicators = set(), []
        drawn = match.drawn[seat]
        if len(own) != len(match.zones["hand"][seat]) - (drawn is not None):
            raise WrongEvent(f"start_kyoku: {len(own)} tiles are dealt to player {self.player}")
        self.hold(seat, Counter(map(self.face, own)), but=drawn)
        self.dora({"dora_marker": event.get("dora_marker")})

    def own_hand(self, rows: list[Any]) -> list[Any]:
        """Our tiles among the hands that are dealt; where only one is shown, it is ours."""
        hands = [listed({"tehai": row}, "tehai") for row in rows]
        shown = [player for player, hand in enumerate(hands) if hand and HIDDEN not in hand]
        if len(shown) == 1:
            self.player = shown[0]
        return hands[self.player] if self.player < len(hands) else []

    def end(self, event: Mapping[str, Any]) -> None:
        """The hand is over, or the game."""
        self.match = None

    # --- tiles

    def tsumo(self, event: Mapping[str, Any]) -> None:
        """A tile is drawn; whoever was asked for the last one did not take it."""
        seat = self.seat(event)
        match = self.now()
        if match.window is not None and match.window.may_pass:
            match.answer_together([Move(match.asked[0], PASS)])
            self.know_table()
        drawn = match.drawn[seat]
        if match.over or match.turn != seat or drawn is None or match.where.get(drawn) != ("hand", seat):
            raise WrongEvent("tsumo: under these rules it is not this player who draws")
        if event.get("pai") != HIDDEN:
            self.identify(drawn, self.face(event.get("pai")))
        self.settle()

    def dora(self, event: Mapping[str, Any]) -> None:
        """An indicator; it is revealed here when the rules say so."""
        self.indicators.append(self.face(event.get("dora_marker")))
        self.settle()

    def dahai(self, event: Mapping[str, Any]) -> None:
        seat, face = self.seat(event), self.face(event.get("pai"))
        match, drawn = self.now(), event.get("tsumogiri") is True
        self.hold(seat, Counter([face]), drawn=drawn)
        match.fresh[seat] = match.fresh[seat] and drawn  # the tile drawn may look the same
        code = self.words.program.code[face]
        self.answer(seat, "dahai", lambda moves: [move for move in moves if move.choice[0][1] == code])

    def declare(self, event: Mapping[str, Any]) -> None:
        self.answer(self.seat(event), "reach", list)

    def meld(self, event: Mapping[str, Any]) -> None:
        """A group: of a discard, of a meld and one more tile, or of the hand."""
        seat, kind = self.seat(event), kind_of(dict(event))
        consumed = [self.face(name) for name in listed(event, "consumed")]
        added = [] if kind == "ankan" else [self.face(event.get("pai"))]
        self.hold(seat, Counter(added if kind == "kakan" else consumed))
        program = self.words.program
        tiles = Counter(program.code[face] for face in (*consumed, *added))
        if kind in CLAIMS and (match := self.now()).tile is not None:
            tiles = Counter(program.code[face] for face in consumed)
            tiles[program.code[program.face[match.tile]]] += 1
        self.answer(seat, kind, lambda moves: of_tiles(moves, tiles, self.words))

    def set_aside(self, event: Mapping[str, Any]) -> None:
        """A tile that is set aside; tables do not always say which, as there is but one kind of them."""
        seat = self.seat(event)
        face = self.face(event.get("pai", self.words.aside))
        self.hold(seat, Counter([face]))
        code = self.words.program.code[face]
        self.answer(seat, "nukidora", lambda moves: [move for move in moves if move.choice[0][1] == code])

    # --- the match that is played here

    def answer(self, seat: int, kind: str, meant: Callable[[list[Move]], list[Move]]) -> None:
        """Have a seat make the move of this kind that is meant."""
        match = self.now()
        trusted = match.trusted
        match.trusted = trusted | {seat}
        self.ask_again()
        question = match.question(seat) if seat in match.asked else None
        wanted = self.words.offers.get(kind)
        moves = meant([move for move in question.moves if move.does == wanted]) if question is not None else []
        if not moves:
            raise WrongEvent(f"{kind} is not possible under these rules")
        match.trusted = trusted
        match.answer_together([moves[0]])
        if not match.over:
            self.know_table()
            self.settle()

    def settle(self) -> None:
        """Name the indicators that were revealed, and ask anew: the tiles may be others now."""
        match = self.now()
        lying = match.zones[self.words.dora][0]
        for tile, face in zip(list(lying), self.indicators, strict=False):
            self.identify(tile, face)
        self.ask_again()

    def ask_again(self) -> None:
        """Open the question anew, with the tiles that lie there now."""
        match = self.now()
        if match.window is not None:
            match.window = None
            match.stack[-1].at -= 1
            match.play_on()

    def know_table(self) -> None:
        """What lies open is known; hands of other seats are not, except for what is about to be laid down."""
        match = self.now()
        asked_about = {match.tile, *(() if match.group is None else match.group.tiles)}
        for seat in match.program.everyone:
            if seat in match.trusted:
                self.known.difference_update(set(match.zones["hand"][seat]) - asked_about)
            self.known.update(match.zones["discards"][seat])
            self.known.update(tile for group in match.zones["melds"][seat] for tile in group.tiles)
            if "bonus" in match.zones:
                self.known.update(match.zones["bonus"][seat])

    # --- tiles that become known

    def hold(self, seat: int, faces: Counter[int], drawn: bool = False, but: int | None = None) -> None:
        """These tiles are in a hand, one tile of it aside (`but`). `drawn`: the one drawn last is one of them, which
        otherwise stays if it can."""
        match = self.now()
        last = match.drawn[seat]
        hand = [tile for tile in match.zones["hand"][seat] if tile != but]
        for face in faces.elements():
            free = [tile for tile in hand if self.is_hidden(tile)]
            if drawn and last in free:
                free, fitting = [last], []
            else:
                fitting = [tile for tile in hand if match.program.face[tile] == face]
            if not fitting and not free:
                raise WrongEvent(f"{self.words.names[face]} cannot be in this hand")
            tile = min(fitting or free, key=lambda one: (one == last) != bool(fitting))
            hand.remove(tile)
            self.identify(tile, face)

    def identify(self, tile: int, face: int) -> None:
        """The tile that lies there looks like this. Raises WrongEvent if there is no such tile left."""
        match, program = self.now(), self.words.program
        if program.face[tile] == face:
            self.known.add(tile)
            return
        if tile in self.known:
            raise WrongEvent(f"{self.words.names[face]} is told where {self.words.names[program.face[tile]]} lies")
        other = next((one for one in program.box if program.face[one] == face and self.is_hidden(one)), None)
        if other is None:
            raise WrongEvent(f"there are not so many {self.words.names[face]} under these rules")
        fresh = list(match.fresh)
        exchange(match, tile, other)
        match.fresh = fresh  # no hand has changed, it is only known better
        match.drawn = [{tile: other, other: tile}.get(one, one) if one is not None else None for one in match.drawn]
        match.tile = {tile: other, other: tile}.get(match.tile, match.tile) if match.tile is not None else None
        self.known.add(other)

    def is_hidden(self, tile: int) -> bool:
        return tile not in self.known

    # --- what an event says

    def now(self) -> Match:
        if self.match is None or self.match.over:
            raise WrongEvent("the hand is over here")
        return self.match

    def seat(self, event: Mapping[str, Any]) -> int:
        return self.now().seat_of(number(event, "actor", self.rules.data.seats.count - 1))

    def face(self, name: Any) -> int:
        """The tile of a name. Raises WrongEvent."""
        face = self.words.faces.get(name) if isinstance(name, str) else None
        if face is None:
            raise WrongEvent(f"{str(name)[:20]!r} is no tile of {self.rules.data.id}")
        return face


HANDLERS: Mapping[str, Callable[[FollowedTable, Mapping[str, Any]], None]] = {
    "start_game": FollowedTable.start_game,
    "start_kyoku": FollowedTable.start_kyoku,
    "tsumo": FollowedTable.tsumo,
    "dahai": FollowedTable.dahai,
    "dora": FollowedTable.dora,
    "reach": FollowedTable.declare,
    **dict.fromkeys(("chi", "pon", "daiminkan", "ankan", "kakan"), FollowedTable.meld),
    "nukidora": FollowedTable.set_aside,
    **dict.fromkeys(("hora", "ryukyoku", "end_kyoku", "end_game"), FollowedTable.end),
}


def number(event: Mapping[str, Any], key: str, most: int) -> int:
    """A whole number from 0. Raises WrongEvent."""
    found = event.get(key, 0 if key in ("honba", "kyotaku") else None)
    if not isinstance(found, int) or isinstance(found, bool) or not 0 <= found <= most:
        raise WrongEvent(f"{key} is a number from 0 to {most}, not {str(found)[:20]!r}")
    return found


def listed(event: Mapping[str, Any], key: str) -> list[Any]:
    """A short list. Raises WrongEvent."""
    found = event.get(key)
    if not isinstance(found, list) or len(found) > MOST_TILES:
        raise WrongEvent(f"{key} is a list of at most {MOST_TILES}")
    return found


def told(events: Iterable[Mapping[str, Any]], table: FollowedTable) -> None:
    """Carry out events, in their order. Raises WrongEvent."""
    for event in events:
        table.take(event)


MOST_BYTES = 1_000_000  # of a line
MOST_EVENTS = 5_000  # in one
LONGEST = 200  # characters of a line in a message
Answer = dict[str, Any]


class WrongLine(ValueError):
    """A line that is not MJAI; the message says why. Nothing after it can be understood."""


class MjaiClient:
    """A bot at a table elsewhere. `choose`: its move for a view; `name`, `room`: what it says where it is asked;
    `report`: gets what goes wrong."""

    def __init__(
        self,
        table: FollowedTable,
        choose: Callable[[View], Move],
        report: Callable[[str], None],
        name: str = "tilewright",
        room: str = "default",
    ) -> None:
        self.table, self.choose, self.warn = table, choose, report
        self.name, self.room = name, room
        self.lost = False  # this hand cannot be followed
        self.lists = False  # the server says what may be answered where it asks

    def reply(self, line: str) -> Answer | None:
        """The answer to a line; None if none is expected. Raises WrongLine."""
        events = events_in(line)
        last = events[-1] if events else {}
        if last.get("type") == "hello":
            return {"type": "join", "name": self.name, "room": self.room}
        if last.get("type") == "error":
            raise WrongLine(f"the server reports an error: {shortened(line)}")
        self.follow(events)
        self.lists = self.lists or "possible_actions" in last
        if self.lists and "possible_actions" not in last:
            return {"type": NONE}
        return self.lost_answer(last) if self.lost else self.answer()

    def follow(self, events: list[Answer]) -> None:
        """Take the events in."""
        for event in events:
            if event.get("type") in ("start_game", "start_kyoku"):
                self.lost = False
            if not self.lost:
                try:
                    told([event], self.table)
                except WrongEvent as error:
                    self.lost = True
                    self.warn(f"{error}; until the next hand the drawn tile is discarded ({shortened(str(event))})")

    def answer(self) -> Answer:
        """The answer of the bot, if it is asked."""
        table = self.table
        view = table.view()
        move = table.decide(self.choose)
        if view is None or move is None:
            return {"type": NONE}
        found = answer_of(move, view, table.words)
        if table.kita and found["type"] == "nukidora":
            found = {**found, "type": KITA}
        return found

    def lost_answer(self, event: Answer) -> Answer:
        """The answer in a hand that cannot be followed."""
        own = event.get("type") == "tsumo" and event.get("actor") == self.table.player
        if not own or event.get("pai") in (None, HIDDEN):
            return {"type": NONE}
        return {"type": "dahai", "actor": self.table.player, "pai": event["pai"], "tsumogiri": True}


def events_in(line: str) -> list[Answer]:
    """The events of a line. Raises WrongLine."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise WrongLine(f"not JSON: {shortened(line)}") from None
    events = found if isinstance(found, list) else [found]
    if len(events) > MOST_EVENTS or not all(isinstance(event, dict) for event in events):
        raise WrongLine(f"not an event of MJAI, nor an array of at most {MOST_EVENTS:,}: {shortened(line)}")
    return events


def lines_of(stream: BinaryIO) -> Iterator[str]:
    """The lines of a stream that hold something. Raises WrongLine for one that is too long."""
    while line := stream.readline(MOST_BYTES + 1):
        if len(line) > MOST_BYTES:
            raise WrongLine(
                f"a line of more than {MOST_BYTES:,} bytes: {shortened(line[:1000].decode(errors='replace'))}"
            )
        if text := line.decode(errors="replace").strip():
            yield text


def serve(client: MjaiClient, incoming: BinaryIO, outgoing: BinaryIO) -> None:
    """Answer every line until there are no more. Raises WrongLine and OSError."""
    for line in lines_of(incoming):
        answer = client.reply(line)
        if answer is not None:
            outgoing.write(json.dumps(answer, separators=(",", ":")).encode() + b"\n")
            outgoing.flush()


def shortened(text: str) -> str:
    """The start of what was received, without control characters."""
    clean = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text[: LONGEST + 1])
    return clean if len(clean) <= LONGEST else f"{clean[:LONGEST]}..."
