"""Players that are programs speaking MJAI: what a seat sees is written in MJAI, and what they answer is its move.

Two dialects: `mjai:` sends all that has happened as one array, and gets one answer (as mjai.app and its package do);
`mjai-lines:` sends one event a line, each of which is answered (as the first server of MJAI did). What goes wrong is
treated as with programs that speak our own protocol (`tilewright.players.programs.process`).

The orders differ: MJAI tells of a kong that may be robbed before anybody can, of an indicator before the draw or the
discard that it comes with, and of a deposit as soon as nobody won on the discard.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from tilewright.play.match import Match
from tilewright.play.model import Event, Move, Question
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.programs import process
from tilewright.players.programs.mjai_words import (
    HIDDEN,
    Vocabulary,
    barred_discards,
    move_of,
    possible_actions,
    vocabulary_of,
)
from tilewright.players.programs.process import BadAnswer, ChildProgram, ProcessPlayer, ProgramFailed, Report

MjaiEvent = dict[str, Any]


class MjaiWriter:
    """Follows a game. `honba`: at its start."""

    def __init__(self, vocabulary: Vocabulary, honba: int = 0) -> None:
        self.words, self.program = vocabulary, vocabulary.program
        self.honba = honba
        self.written: list[MjaiEvent] = []
        self.sitting: list[int] = []  # the player of each seat
        self.start: MjaiEvent = {}  # of the hand, until the first tile is drawn
        self.taken = ""  # the kind of move that is being carried out
        self.declaring: int | None = None  # who has declared and not paid yet
        self.discarded: tuple[int, str] = (0, "")  # the last player that discarded, and its tile
        self.triplets: dict[int, list[tuple[Counter[str], MjaiEvent]]] = {}  # with the hand of each (`hand_in`)
        self.ura: list[str] = []
        self.wins: list[MjaiEvent] = []
        self.gains: dict[tuple[int, int], Counter[int]] = {}  # of the players, by the winner and the win paid for
        self.reason = ""
        self.scores: list[Any] = []

    def take(self, events: Iterable[Event]) -> None:
        """Write events."""
        for event in events:
            if (handler := HANDLERS.get(event.kind)) is not None:
                handler(self, event)

    def flush(self) -> list[MjaiEvent]:
        """What was written since the last time."""
        found, self.written = self.written, []
        return found

    def flush_hands(self) -> list[MjaiEvent]:
        """The same up to the end of the last hand that has ended."""
        at = max((n for n, event in enumerate(self.written, 1) if event["type"] == "end_kyoku"), default=0)
        found, self.written = self.written[:at], self.written[at:]
        return found

    # --- the course of a hand

    def on_hand(self, event: Event) -> None:
        rounds = self.program.play.match.rounds
        players: Mapping[str, int] = event.get("players")
        self.sitting = [players[name] for name in self.program.names[:-1]]
        self.taken, self.declaring, self.reason = "", None, ""
        self.ura, self.wins, self.gains = [], [], {}
        self.triplets = {player: [] for player in self.sitting}
        *scores, pot = event.get("scores")
        self.scores = scores
        self.start = {
            "type": "start_kyoku",
            "bakaze": self.name(rounds[min(event.get("round"), len(rounds)) - 1]),
            "dora_marker": HIDDEN,
            "kyoku": event.get("dealership"),
            "honba": self.honba,
            "kyotaku": pot // self.words.stick,
            "oya": self.sitting[0],
            "scores": scores,
            "tehais": [[] for _ in self.sitting],
        }

    def on_move(self, event: Event) -> None:
        """Tiles that are dealt, discarded or revealed."""
        zone, _, owner = str(event.get("to")).partition("@")
        if zone == "hand" and self.start:
            self.start["tehais"][self.player(self.program.names.index(owner))] += self.seen(event)
        elif zone == self.words.dora:
            self.reveal(self.seen(event)[0])
        elif zone == self.words.ura:
            self.ura += self.seen(event)
        elif event.seat is not None and self.taken == "dahai" and str(event.get("from")).startswith("hand@"):
            self.discard(self.player(event.seat), self.seen(event)[0], event.just_drawn)

    def reveal(self, indicator: str) -> None:
        """An indicator: of the deal, or before what it comes with, so that what is asked about comes last."""
        if self.start:
            self.start["dora_marker"] = indicator
            return
        last = self.written[-1]["type"] if self.written else ""
        at = len(self.written) - (last in ("tsumo", "dahai"))
        self.written.insert(at, {"type": "dora", "dora_marker": indicator})

    def on_draw(self, event: Event) -> None:
        if self.start:
            self.written.append(self.start)
            self.start = {}
        self.accept()
        assert event.seat is not None
        self.add("tsumo", event.seat, pai=self.seen(event)[0])

    def discard(self, player: int, tile: str, just_drawn: bool) -> None:
        self.written.append({"type": "dahai", "actor": player, "pai": tile, "tsumogiri": just_drawn})
        self.discarded, self.taken = (player, tile), ""

    def on_take(self, event: Event) -> None:
        """A seat's answer is carried out; what it is about comes with the next event."""
        assert event.seat is not None
        self.taken = self.words.kinds.get(event.get("offer"), "")
        if self.taken == "reach":
            self.declaring = self.player(event.seat)
            self.add("reach", event.seat)
        elif self.taken == "ryukyoku":
            self.reason = self.words.ryukyoku_reason

    def accept(self) -> None:
        """Nobody won on the discard of a player that has declared."""
        if self.declaring is not None:
            self.written.append({"type": "reach_accepted", "actor": self.declaring})
            self.declaring = None

    def on_reveal(self, event: Event) -> None:
        """A tile that the others may win on before it is laid down."""
        if self.taken not in ("kakan", "nukidora") or event.seat is None or len(event.tiles) != 1:
            return
        kind, tile = self.taken, self.name(event.tiles[0])
        self.taken = ""
        if kind == "nukidora":
            self.add(kind, event.seat, pai=tile)
            return
        triplets = self.triplets[self.player(event.seat)]
        held, hand = next(one for one in triplets if self.is_like(next(iter(one[0])), tile))
        self.add(kind, event.seat, pai=tile, consumed=sorted(held.elements()), **hand)

    def on_meld(self, event: Event) -> None:
        """A group of a discard, or of four tiles of the hand."""
        kind, self.taken = self.taken, ""
        assert event.seat is not None
        if kind == "ankan":
            self.add(kind, event.seat, consumed=self.seen(event), **hand_in(event))
        elif kind in ("chi", "pon", "daiminkan"):
            self.accept()
            discarder, tile = self.discarded
            tiles = Counter(self.seen(event))
            if kind == "pon":
                self.triplets[self.player(event.seat)].append((tiles, hand_in(event)))
            rest = sorted((tiles - Counter([tile])).elements())
            self.add(kind, event.seat, target=discarder, pai=tile, consumed=rest, **hand_in(event))

    def quad_to_rob(self, seat: int, tile: int) -> None:
        """A concealed quad of this tile that may be robbed before it is laid down."""
        if self.taken == "ankan":
            self.taken = ""
            self.add("ankan", seat, consumed=[self.name(tile)] * 4)

    # --- the end of a hand

    def on_declare(self, event: Event) -> None:
        """A win; its payments are known at the end."""
        assert event.seat is not None
        won = self.player(event.seat)
        discarder = event.get("discarder")
        target = won if discarder is None else self.player(self.program.names.index(discarder))
        self.wins.append({"type": "hora", "actor": won, "target": target, **hand_in(event)})

    def on_pay(self, event: Event) -> None:
        """A payment, kept for the winner that gets it."""
        count = self.program.count
        payer, payee = (self.program.names.index(event.get(end)) for end in ("from", "to"))
        if payee < count:
            gains = self.gains.setdefault((self.player(payee), self.wins_of(payee)), Counter())
            gains[self.player(payee)] += event.get("amount")
            if payer < count:
                gains[self.player(payer)] -= event.get("amount")

    def on_result(self, event: Event) -> None:
        """The hand has ended."""
        players = sorted(self.sitting)
        if not self.wins:
            self.accept()
            paid = [sum(gained[player] for gained in self.gains.values()) for player in players]
            reason = self.reason or self.words.reasons.get(event.get("ended"), "")
            about = {"reason": reason} if reason else {}
            self.written.append({"type": "ryukyoku", **about, "deltas": paid})
        known = Counter[int]()
        for win in self.wins:
            gained = self.gains.get((win["actor"], known[win["actor"]]), Counter())
            known[win["actor"]] += 1
            ura = {"ura_markers": self.ura} if self.ura and HIDDEN not in self.ura else {}
            self.written.append({**win, "deltas": [gained[player] for player in players], **ura})
        self.written.append({"type": "end_kyoku"})

    def on_mark(self, event: Event) -> None:
        """A mark: only the counter of hands that were drawn or won by the dealer is told."""
        if event.get("name") == self.words.honba:
            self.honba = event.get("value")

    # --- words

    def wins_of(self, seat: int) -> int:
        """Which win of a seat it is paid for, from 0: the last one; before it has won, the first."""
        return max(0, [win["actor"] for win in self.wins].count(self.player(seat)) - 1)

    def add(self, kind: str, seat: int, **about: Any) -> None:
        self.written.append({"type": kind, "actor": self.player(seat), **about})

    def player(self, seat: int) -> int:
        return self.sitting[seat]

    def name(self, face: int) -> str:
        return self.words.names[face]

    def is_like(self, one: str, other: str) -> bool:
        """Whether two tiles count as the same."""
        plain, faces = self.program.plain, self.words.faces
        return plain[faces[one]] == plain[faces[other]]

    def seen(self, event: Event) -> list[str]:
        """The tiles of an event; hidden ones as often as it moves tiles."""
        return [*map(self.name, event.tiles)] or [HIDDEN] * int(event.get("count") or 1)


def hand_in(event: Event) -> MjaiEvent:
    """The hand of a meld or of a win, where a seat makes several: an extension of ours."""
    hand = event.get("hand")
    return {} if hand is None else {"hand": hand}


HANDLERS: Mapping[str, Callable[[MjaiWriter, Event], None]] = {
    "hand": MjaiWriter.on_hand,
    "move": MjaiWriter.on_move,
    "draw": MjaiWriter.on_draw,
    "take": MjaiWriter.on_take,
    "reveal": MjaiWriter.on_reveal,
    "meld": MjaiWriter.on_meld,
    "declare": MjaiWriter.on_declare,
    "pay": MjaiWriter.on_pay,
    "result": MjaiWriter.on_result,
    "mark": MjaiWriter.on_mark,
}


END_GAME: MjaiEvent = {"type": "end_game"}


def whole_game(match: Match, names: Sequence[str]) -> Iterator[MjaiEvent]:
    """All that has happened in a match that keeps its events, with every tile. Raises NotInMjai."""
    writer = MjaiWriter(vocabulary_of(match.program))
    yield start_game(None, names)
    for event in match.events:
        writer.take([event])
        if event.kind == "result":
            yield from writer.flush()
    yield from writer.flush()
    if match.over:
        yield END_GAME


def start_game(player: int | None, names: Sequence[str]) -> MjaiEvent:
    """The first event: whose game it is, if it is one player's, and who plays."""
    return {"type": "start_game", **({} if player is None else {"id": player}), "names": list(names)}


MJAI = "mjai:"
MJAI_LINES = "mjai-lines:"


class MjaiPlayer(ProcessPlayer):
    """A player that is a program speaking MJAI. `in_lines`: an event a line. Raises NotInMjai for a ruleset that MJAI
    has no words for."""

    def __init__(
        self, command: str, rules: Rules, seed: int, report: Report | None = None, *, in_lines: bool = False
    ) -> None:
        self.words_of_mjai = vocabulary_of(rules.program)
        super().__init__(command, rules, seed, report)
        self.in_lines = in_lines
        self.writer: MjaiWriter | None = None
        self.read = 0  # events of the table

    def ended(self, view: View) -> None:
        """Tell the program how the hand ended."""
        if self._program is None or self._gone:
            return
        try:
            self._tell(self._program, self._caught_up(view).flush_hands())
        except BadAnswer as error:
            self._trouble(str(error))
        except ProgramFailed as error:
            self._trouble(f"{error}; the fast bot replaces it")
            self._stop()

    def close(self) -> None:
        """Notify the program of the end, and wait a little for it to exit."""
        if self._program is not None and not self._gone:
            self._program.send(END_GAME if self.in_lines else [END_GAME])
        self._stop()

    def _ask(self, view: View) -> Move:
        question = view.question
        assert question is not None
        program = self._started(view)
        answer = self._tell(program, self._news(view, question))
        return move_of(answer, question, view, self.words_of_mjai)

    def _started(self, view: View) -> ChildProgram:
        if self._program is None:
            assert view.seat is not None
            player = view.player(view.seat)
            self._program = ChildProgram([*self.words, str(player)] if not self.in_lines else self.words)
            self.writer = MjaiWriter(self.words_of_mjai, int(view.mark(self.words_of_mjai.honba)))
            names = [str(one) for one in range(view.seats)]
            try:
                self._tell(self._program, [start_game(player, names)], process.SECONDS_TO_START)
            except BadAnswer as error:
                raise ProgramFailed(str(error)) from None
        return self._program

    def _news(self, view: View, question: Question) -> list[MjaiEvent]:
        """What has happened since the last time; the last event with what may be answered to it."""
        writer = self._caught_up(view)
        if view.discarder is not None and view.tile is not None:
            writer.quad_to_rob(view.discarder, view.tile)
        news = writer.flush()
        if self.in_lines:
            news[-1] = asking(news[-1], question, view, self.words_of_mjai)
        return news

    def _caught_up(self, view: View) -> MjaiWriter:
        """The writer, with everything written that has happened."""
        assert self.writer is not None
        self.writer.take(view.events_since(self.read))
        self.read = view.event_count
        return self.writer

    def _tell(self, program: ChildProgram, news: list[MjaiEvent], seconds: float | None = None) -> dict[str, Any]:
        """Send events; the answer to the last of them. Raises BadAnswer and ProgramFailed."""
        seconds = self.seconds if seconds is None else seconds
        if not self.in_lines:
            program.send(news)
            return process.read(program.line(seconds))
        answer: dict[str, Any] = {}
        for event in news:
            program.send(event)
            answer = process.read(program.line(seconds))
        return answer


def asking(event: MjaiEvent, question: Question, view: View, words: Any) -> MjaiEvent:
    """An event with what the seat may answer to it."""
    barred = barred_discards(question, view, words)
    return {
        **event,
        "possible_actions": possible_actions(question, view, words),
        **({"cannot_dahai": barred} if barred else {}),
    }
