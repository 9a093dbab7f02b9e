"""Players that are other programs: they get questions and answer in JSON, one object per line (docs/bots.md);
`tilewright.players.programs.mjai_player` speaks another protocol.

If a program's answer is not a legal move, the fast bot answers for it; one that is too slow, ends or does not speak the
protocol is stopped, and the fast bot replaces it. The first such problem is reported, and nothing hangs. What a program
writes to stderr goes to ours.
"""

import json
import shlex
import shutil
import signal
import subprocess
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from io import BufferedReader
from queue import Empty, Queue
from threading import Thread
from time import monotonic
from typing import IO, Any

from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.play.model import HandResult, Move, Pick, Question, move_json
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.bots.fast import FastBot
from tilewright.scoring.score import json_number
from tilewright.tiles.notation import write_tile

PROTOCOL = 1
MOST_CHARACTERS = 20_000  # of a line that a program writes
SHOWN = 200  # characters of an answer in a message
COMMAND = "command:"
SECONDS = 10.0  # for an answer
SECONDS_TO_START = 30.0
SECONDS_TO_LEAVE = 2.0
MOST_BYTES = 4 * MOST_CHARACTERS  # of a line
MOST_WAITING = 100  # unrequested lines that it wrote
Report = Callable[[str], None]


class ProcessPlayer:
    """A player that is another program. `problem`: the first thing that went wrong; it is also given to `report`."""

    def __init__(self, command: str, rules: Rules, seed: int, report: Report | None = None) -> None:
        self.command = command
        self.words = words_of(command)
        self.rules = rules
        self.stand_in = FastBot(rules, seed)
        self.problem: str | None = None
        self.seconds = SECONDS
        self._report = report
        self._program: ChildProgram | None = None
        self._gone = False
        self._asked = 0
        self._ended = 0  # the last hand whose end was sent
        self._last: View | None = None

    @property
    def plays(self) -> bool:
        """Whether the program is still asked."""
        return not self._gone

    def choose(self, view: View) -> Move:
        """The program's answer; the fast bot's if that is not valid."""
        if not self._gone:
            try:
                return self._ask(view)
            except BadAnswer as error:
                self._trouble(f"{error}; the fast bot answers this question for it")
            except ProgramFailed as error:
                self._trouble(f"{error}; the fast bot replaces it")
                self._stop()
        return self.stand_in.choose(view)

    def ended(self, view: View) -> None:
        """Notify the program that a hand has ended."""
        if self._program is not None and not self._gone:
            self._send_ended(self._program, view)

    def close(self) -> None:
        """Notify the program of the end, and wait a little for it to exit."""
        if self._program is not None and not self._gone:
            self._program.send(over(self._last))
        self._stop()

    def _ask(self, view: View) -> Move:
        question = view.question
        assert question is not None
        program = self._started(view)
        self._send_ended(program, view)
        self._asked += 1
        program.send(ask(self._asked, view))
        return move_of(read(program.line(self.seconds)), self._asked, question, view)

    def _started(self, view: View) -> "ChildProgram":
        """The program, after its hello."""
        if self._program is None:
            self._program = ChildProgram(self.words)
            self._program.send(hello(self.rules.data, view))
            try:
                expect_hello(read(self._program.line(SECONDS_TO_START)))
            except BadAnswer as error:
                raise ProgramFailed(str(error)) from None
        return self._program

    def _send_ended(self, program: "ChildProgram", view: View) -> None:
        """Send the end of the last hand, once."""
        self._last, result = view, view.result
        if result is not None and result.hand > self._ended:
            self._ended = result.hand
            program.send(ended(result, [view.name(seat) for seat in range(view.seats)]))

    def _trouble(self, why: str) -> None:
        """Report the first thing that goes wrong."""
        if self.problem is None:
            self.problem = f"{self.command}: {why}"
            if self._report is not None:
                self._report(self.problem)

    def _stop(self) -> None:
        self._gone = True
        if self._program is not None:
            self._program.stop()


class ProgramFailed(Exception):
    """The program can no longer be used; the message says why."""


class ChildProgram:
    """A running program. Its input and output go through threads, so neither side waits for the other longer than it
    chooses."""

    def __init__(self, words: list[str]) -> None:
        try:
            self._process = subprocess.Popen(words, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as error:
            raise ProgramFailed(f"it does not start: {error.strerror}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._out: Queue[str | None] = Queue()
        self._in: Queue[bytes] = Queue()
        self._babbles = False
        for work, stream in ((self._write, self._process.stdin), (self._read, self._process.stdout)):
            Thread(target=work, args=(stream,), daemon=True).start()

    def send(self, message: dict[str, Any] | list[dict[str, Any]]) -> None:
        """Queue a message."""
        self._out.put(line(message))

    def line(self, seconds: float) -> str:
        """The next line that it writes. Raises Broken."""
        until = monotonic() + seconds
        while True:
            try:
                found = self._in.get(timeout=max(0.0, until - monotonic()))
            except Empty:
                raise ProgramFailed(f"no answer in {seconds:g} seconds") from None
            if self._babbles:
                raise ProgramFailed("it writes lines without being asked")
            if not found:
                raise ProgramFailed(f"it has ended{self._how()}")
            if found.strip():
                return found.decode(errors="replace")

    def stop(self) -> None:
        """Let it exit by itself, then kill it."""
        self._out.put(None)
        try:
            self._process.wait(SECONDS_TO_LEAVE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _how(self) -> str:
        """How it ended, as far as that is known."""
        try:
            code = self._process.wait(SECONDS_TO_LEAVE)
        except subprocess.TimeoutExpired:
            return ", or has closed its stdout"
        return f" with exit code {code}" if code else ""

    def _write(self, stream: IO[bytes]) -> None:
        """Send queued messages until the end, or until the program stops reading, which a missing answer will show.
        Writing to a dead program is an error here, not a fatal signal."""
        if hasattr(signal, "SIGPIPE"):
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPIPE})
        with suppress(OSError), stream:
            while (text := self._out.get()) is not None:
                left = memoryview(text.encode())
                while left:
                    left = left[stream.write(left) :]

    def _read(self, stream: IO[bytes]) -> None:
        """Read its lines; an empty one is the end. A line that is too long is passed on in part."""
        with suppress(OSError), BufferedReader(stream) as buffered:  # type: ignore[type-var]  # it is a raw stream
            while (found := buffered.readline(MOST_BYTES)) and not self._babbles:
                self._babbles = self._in.qsize() > MOST_WAITING
                self._in.put(found)
        self._in.put(b"")


def words_of(command: str) -> list[str]:
    """The program and its arguments. Raises ValueError if there is no such program."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"the command cannot be read: {error}") from None
    if not words:
        raise ValueError("it names no program")
    if shutil.which(words[0]) is None:
        raise ValueError(f"there is no program {words[0]!r} that can be started")
    return words


# --- the protocol


class BadAnswer(ValueError):
    """A line that does not answer the question; the message says why."""


# --- to the program


def hello(data: CompiledRuleset, view: View) -> dict[str, Any]:
    """The game, and the program's seat."""
    assert view.seat is not None
    seats = range(view.seats)
    return {
        "message": "hello",
        "protocol": PROTOCOL,
        "ruleset": {
            "id": data.id,
            "name": dict(data.name),
            "options": {name: plain(value) for name, value in data.options.items()},
            "mods": list(data.mods),
            "digest": data.digest,
        },
        "tiles": tiles_json(data),
        "seats": [view.name(seat) for seat in seats],
        "player": view.player(view.seat),
        "players": view.seats,
    }


def tiles_json(data: CompiledRuleset) -> list[dict[str, Any]]:
    """Every tile in the order in which hands are written. `as`: the tile that it counts as."""
    tiles = data.tiles
    return [
        {
            "code": write_tile(face, tiles),
            "as": write_tile(tiles.tiles[face].plain, tiles),
            "family": tiles.tiles[face].family,
            "suit": tiles.tiles[face].suit,
            "rank": tiles.tiles[face].rank,
            "copies": tiles.tiles[face].copies,
        }
        for face in tiles.order
    ]


def plain(value: Any) -> Any:
    return value if isinstance(value, bool | str) else json_number(value)


def ask(number: int, view: View) -> dict[str, Any]:
    """A question, with all that the seat sees."""
    assert view.seat is not None
    return {"message": "ask", "ask": number, "player": view.player(view.seat), "view": view.to_json()}


def ended(result: HandResult, names: list[str]) -> dict[str, Any]:
    """A hand has ended. Seats are those of the hand."""
    return {
        "message": "ended",
        "hand": result.hand,
        "phase": result.ended,
        "winners": [
            {
                "player": result.player(won.seat),
                "seat": names[won.seat],
                "self_draw": won.situation.self_draw,
                "discarder": None if won.situation.discarder is None else result.player(won.situation.discarder),
                "total": json_number(won.score.total),
                "unit": won.score.unit,
                "patterns": [pattern.id for pattern in won.score.patterns],
            }
            for won in result.won
        ],
        "gains": [json_number(gain) for gain in result.player_gains],
        "scores": [json_number(score) for score in result.scores],
    }


def over(view: View | None) -> dict[str, Any]:
    """Nothing more will be asked. `view`: the last that the program's seat had."""
    if view is None or view.result is None:
        return {"message": "over", "scores": []}
    placement = view.placement or (0,) * view.seats
    scores = [score + added for score, added in zip(view.result.scores, placement, strict=True)]
    found = {"message": "over", "scores": [json_number(score) for score in scores]}
    return found | ({"placement": [json_number(added) for added in placement]} if view.placement else {})


def line(message: dict[str, Any] | list[dict[str, Any]]) -> str:
    """A message, or several together, as a line."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")) + "\n"


# --- from the program


def read(text: str) -> dict[str, Any]:
    """The object on a line. Raises BadAnswer."""
    if len(text) > MOST_CHARACTERS:
        raise BadAnswer(f"a line of more than {MOST_CHARACTERS:,} characters")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise BadAnswer(f"not JSON: {shown(text)}") from None
    if not isinstance(found, dict):
        raise BadAnswer(f"not a JSON object: {shown(text)}")
    return found


def expect_hello(answer: dict[str, Any]) -> None:
    """The program knows this protocol. Raises BadAnswer."""
    if answer.get("message") != "hello":
        raise BadAnswer(f"it does not say hello: {shown(json.dumps(answer))}")
    if answer.get("protocol") != PROTOCOL:
        raise BadAnswer(f"it speaks protocol {shown(json.dumps(answer.get('protocol')))}, and this is {PROTOCOL}")


def move_of(answer: dict[str, Any], number: int, question: Question, view: View) -> Move:
    """The move in an answer. Raises BadAnswer."""
    if answer.get("ask") != number:
        raise BadAnswer(f"an answer to {shown(json.dumps(answer.get('ask')))}, where {number} was asked")
    fields = {name: value for name, value in answer.items() if name not in ("message", "ask")}
    for move in question.moves:
        if move_json(move) == fields:
            return move
    for pick in question.picks:
        if (picked := pick_of(fields, pick, question.seat)) is not None and view.allows(picked):
            return picked
    raise BadAnswer(f"this is not a legal move: {shown(json.dumps(fields, ensure_ascii=False))}")


def pick_of(fields: dict[str, Any], pick: Pick, seat: int) -> Move | None:
    """The choice of several tiles in an answer; None if it is another."""
    chosen = fields.get(pick.name)
    if not isinstance(chosen, str) or {**fields, pick.name: ""} != {
        "move": pick.does,
        **dict(pick.before),
        pick.name: "",
    }:
        return None
    tiles = chosen.split()
    if not pick.least <= len(tiles) <= pick.most or Counter(tiles) - Counter(pick.tiles):
        return None
    return pick.move(seat, tiles)


def shown(text: str) -> str:
    """The start of a program's output, short enough for a message and without terminal control characters."""
    clean = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text[: SHOWN + 1].strip())
    return clean if len(clean) <= SHOWN else clean[:SHOWN] + "..."
