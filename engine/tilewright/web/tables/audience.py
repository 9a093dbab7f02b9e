"""Audience: the pages that are open at a table, which seats they show, and what each of them is sent.

In: moments, each for a viewer. Out: messages to pages. Those who look on are told later. Knows no worker and no move.
"""

import time
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from tilewright.web.protocol import refusals
from tilewright.web.protocol.client import Client
from tilewright.web.protocol.messages import Id
from tilewright.web.protocol.moments import ALL
from tilewright.web.protocol.refusals import by_language
from tilewright.web.protocol.replies import ShowInfo, ShowTable, TableInfo
from tilewright.web.protocol.strict_json import json_text
from tilewright.web.tables.broadcast import DelayedMoments, Story, Times, ViewerMoment
from tilewright.web.tables.pending import OpenQuestion
from tilewright.web.tables.record import TableRecord, info_of
from tilewright.web.tables.seats import Seat

Plain = dict[str, Any]


class Audience:
    """`clients`: the pages, each with the player whose seat it shows; `empty_since`, `awake_since`: when the last one
    went, and when the first one came."""

    def __init__(self, record: TableRecord) -> None:
        self.record, self.setup = record, record.setup
        self.seats, self.pending = record.seats, record.pending
        self.clients: dict[str, tuple[Client, int | None]] = {}
        self.empty_since = self.awake_since = time.monotonic()
        self.story, self.late = Story(), DelayedMoments(self.setup.spectator_delay)

    # --- who is here

    @property
    def is_empty(self) -> bool:
        return not self.clients

    def __contains__(self, client: Client) -> bool:
        return client.id in self.clients

    @property
    def pages(self) -> list[Client]:
        return [client for client, _ in self.clients.values()]

    def player_of(self, client: Client) -> int:
        """The player that a page shows. Raises Refused."""
        player = self.clients[client.id][1]
        if player is None:
            raise refusals.not_seated()
        return player

    def attach(self, client: Client, player: int | None) -> None:
        """A page is open at the table; whose seat it shows is played by its person again."""
        if not self.clients:
            self.awake_since = time.monotonic()
        self.unseat(client)
        self.clients[client.id] = (client, player)
        if player is not None:
            self.seats[player].clients.add(client.id)
            self.seats[player].taken_over = False
            self.pending.forget_thought(player)

    def attach_person(self, person: int) -> None:
        """Every page of a person shows the seat that is the person's."""
        for client in self.pages:
            if client.person.id == person:
                self.attach(client, self.seats.of_person(client.person))

    def detach(self, client: Client) -> None:
        """A page is gone."""
        if client.id in self.clients:
            self.unseat(client)
            del self.clients[client.id]
            if not self.clients:
                self.empty_since = time.monotonic()
            self.send_info()

    def unseat(self, client: Client) -> None:
        """A page shows its seat no more."""
        _, player = self.clients.get(client.id, (client, None))
        if player is None:
            return
        seat = self.seats[player]
        seat.clients.discard(client.id)
        if not seat.clients:
            seat.left = time.monotonic()
            self.pending.stop_waiting_for(player)

    def shown(self, player: int) -> list[Client]:
        """The pages that show a seat."""
        return [self.clients[id][0] for id in self.seats[player].clients]

    def look_on(self, client: Client) -> None:
        """A page that showed a seat, which is not its person's any more, looks on."""
        self.clients[client.id] = (client, None)

    # --- who is away

    def leaving(self) -> Iterator[tuple[Seat, float]]:
        """People who are away, and when somebody is to play for them; as long as others are here."""
        if self.clients and self.record.is_playing:
            for seat in self.seats.all:
                if seat.is_persons and not seat.clients and not seat.taken_over:
                    yield seat, max(seat.left, self.awake_since) + self.setup.away_seconds

    # --- showing

    def show(self, viewer: str, moment: ViewerMoment) -> None:
        """A moment to one viewer; to those who look on, later."""
        if viewer == ALL:
            if self.setup.spectators:
                self.late.add(moment)
                self.show_delayed()
            return
        self.story.add(viewer, moment)
        self.send(viewer, moment)

    def show_answered(self, question: OpenQuestion, player: int, view: Plain | None) -> None:
        """Somebody has answered before others did: the moment is the same, but for who is still asked. `view`: what
        that player sees, if it is not the same."""
        for viewer, last in list(self.story.last.items()):
            asked = question.asked_for(viewer)
            if viewer == str(player):
                self.show(viewer, replace(last, view=view or last.view, events=[], asked=asked))
            elif not question.hidden and viewer != ALL:
                self.show(viewer, replace(last, events=[], asked=asked))

    def show_delayed(self) -> None:
        for moment in self.late.due(self.record.state == "over"):
            self.story.add(ALL, moment)
            self.send(ALL, moment)

    def count_answer(self) -> None:
        """An answer was given: those who look on are told of what was so many answers ago."""
        self.late.answers += 1

    def send(self, viewer: str, moment: ViewerMoment) -> None:
        """A moment to every page that sees the table as this viewer: encoded once."""
        text = None
        for client, player in self.clients.values():
            if self.viewer(player) == viewer:
                text = text or json_text(moment.message(self.record.code, self.pending.times(viewer)))
                client.send_text(text)

    def viewer(self, player: int | None) -> str | None:
        """As whom a page sees the table; None where it may not see it."""
        if player is not None:
            return str(player)
        return ALL if self.setup.spectators else None

    def last(self, player: int) -> ViewerMoment:
        """What a player was told last."""
        return self.story.last[str(player)]

    # --- how the table stands

    def send_info(self) -> None:
        """Send everybody the state of the table."""
        for client, player in self.clients.values():
            client.send(ShowInfo(self.record.code, self.info(client, player)))

    def info(self, client: Client | None = None, player: int | None = None) -> TableInfo:
        """How the table stands."""
        record = self.record
        return replace(
            info_of(record.row, [seat.info() for seat in self.seats.all]),
            host=client is not None and client.person.id == record.row.host,
            me=player,
            state=record.state,
            hand=record.hand + (record.state == "playing"),
            scores=record.scores,
            watching=sum(other is None for _, other in self.clients.values()),
            problem=None if record.problem is None else by_language(record.problem),
        )

    def send_table(self, client: Client, id: Id = None) -> None:
        """Send a page all that it needs to draw the table."""
        client.send(self.table(client, id))

    def table(self, client: Client, id: Id = None) -> ShowTable:
        """The table as a page saw it last."""
        player = self.clients[client.id][1]
        viewer = self.viewer(player)
        last = None if viewer is None else self.story.last.get(viewer)
        times = Times() if viewer is None or last is None else self.pending.times(viewer)
        return ShowTable(
            table=self.record.code,
            info=self.info(client, player),
            about_digest=self.record.row.digest,
            token=None if player is None else self.token(client, player),
            pressed=() if player is None else self.seats[player].pressed,
            seq=0 if last is None else last.seq,
            view=None if last is None else last.view,
            asked=() if last is None else last.asked,
            story=[] if viewer is None else self.story.events(viewer),
            result=None if last is None else self.shown_result(last),
            claim=times.claim,
            clock=times.clock,
            pause=times.pause,
            id=id,
        )

    def shown_result(self, last: ViewerMoment) -> Plain | None:
        """The result that a page shows when it comes: of the moment, or of the end."""
        return self.record.result if self.record.state == "over" else last.result

    def token(self, client: Client, player: int) -> str | None:
        """The secret of the seat's link, for its person alone."""
        is_own = self.seats[player].row.person == client.person.id
        return client.seat_token(self.record.code, player) if is_own else None
