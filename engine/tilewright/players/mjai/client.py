"""The client: lines of MJAI from a table elsewhere in, the answers of one of our bots out.

A line is one event, or an array of them, and is answered with one line. What cannot be followed is reported once a
hand; until the next hand the drawn tile is discarded, and nothing else done. Knows no process and no socket.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from tilewright.play.model.moves import Move
from tilewright.play.view import View
from tilewright.players.mjai.following import FollowedTable, WrongEvent, told
from tilewright.players.mjai.moves import KITA, answer_of
from tilewright.players.mjai.vocabulary import HIDDEN, NONE

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
