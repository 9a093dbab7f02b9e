"""Audience: the open pages of a table, which seats they show, and what each of them is sent.

In: moments, each for a viewer. Out: messages to pages. Spectators get them later. Knows no worker and no move.
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
from tilewright.web.protocol.settings import Settings
from tilewright.web.protocol.strict_json import json_text
from tilewright.web.tables.broadcast import DelayedMoments, Story, Times, ViewerMoment
from tilewright.web.tables.pending import OpenQuestion
from tilewright.web.tables.record import TableRecord, info_of
from tilewright.web.tables.seats import Seat

Plain = dict[str, Any]
INFO_SECONDS = 0.2  # between two messages with the state of a table


class Audience:
    """`clients`: the pages, each with the player whose seat it shows; `empty_since`, `awake_since`: when the last one
    left, and when the first one came."""

    def __init__(self, record: TableRecord) -> None:
        self.record, self.setup = record, record.setup
        self.seats, self.pending = record.seats, record.pending
        self.clients: dict[str, tuple[Client, int | None]] = {}
        self.empty_since = self.awake_since = time.monotonic()
        self.info_sent = -INFO_SECONDS
        self.info_due: float | None = None
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

    def shows(self, client: Client, player: int | None) -> bool:
        """Whether the page is here and shows the seat of this player, or none."""
        return client.id in self.clients and self.clients[client.id][1] == player

    def check_room(self, client: Client, player: int | None, settings: Settings) -> None:
        """Check that there is room for one more page: each costs at every moment. Raises Refused."""
        limits = settings.limits
        others = [(page, seat) for page, seat in self.clients.values() if page.id != client.id]
        if sum(page.person.id == client.person.id for page, _ in others) >= limits.pages:
            raise refusals.too_many("server.many_pages")
        watching = [page for page, seat in others if seat is None]
        near = sum(page.address == client.address for page in watching)
        if player is None and (
            len(watching) >= limits.onlookers or (settings.public and near >= limits.onlookers_from)
        ):
            raise refusals.too_many("server.many_onlookers")

    def attach(self, client: Client, player: int | None) -> None:
        """Add a page; the person of its seat plays again."""
        if not self.clients:
            self.awake_since = time.monotonic()
        self.unseat(client)
        self.clients[client.id] = (client, player)
        if player is not None:
            self.seats[player].clients.add(client.id)
            self.seats[player].taken_over = False
            self.pending.forget_thought(player)

    def attach_person(self, person: int) -> None:
        """Show a person's seat on all pages of the person."""
        for client in self.pages:
            if client.person.id == person:
                self.attach(client, self.seats.of_person(client.person))

    def detach(self, client: Client) -> None:
        """Remove a page."""
        if client.id in self.clients:
            self.unseat(client)
            del self.clients[client.id]
            if not self.clients:
                self.empty_since = time.monotonic()
            self.send_info()

    def unseat(self, client: Client) -> None:
        """Take the seat from a page."""
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
        """Make a page a spectator, whose seat is no longer its person's."""
        self.clients[client.id] = (client, None)

    # --- who is away

    def leaving(self) -> Iterator[tuple[Seat, float]]:
        """People who are away, and when a bot is to play for them, as long as others are here."""
        if self.clients and self.record.is_playing:
            for seat in self.seats.all:
                if seat.is_persons and not seat.clients and not seat.taken_over:
                    yield seat, max(seat.left, self.awake_since) + self.setup.away_seconds

    # --- showing

    def show(self, viewer: str, moment: ViewerMoment) -> None:
        """Show a moment to one viewer; to spectators, later."""
        if viewer == ALL:
            if self.setup.spectators:
                self.late.add(moment)
                self.show_delayed()
            return
        self.story.add(viewer, moment)
        self.send(viewer, moment)

    def show_answered(self, question: OpenQuestion, player: int, view: Plain | None) -> None:
        """A player has answered before others: send the moment again with those still asked. `view`: the new view of
        that player, if it has changed."""
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
        """Count an answer: spectators are shown what happened so many answers ago."""
        self.late.answers += 1

    def send(self, viewer: str, moment: ViewerMoment) -> None:
        """Send a moment to every page of this viewer, encoded once."""
        text = None
        for client, player in self.clients.values():
            if self.viewer(player) == viewer:
                text = text or json_text(moment.message(self.record.code, self.pending.times(viewer)))
                client.send_text(text)

    def viewer(self, player: int | None) -> str | None:
        """The viewer of a page; None if it may not see the table."""
        if player is not None:
            return str(player)
        return ALL if self.setup.spectators else None

    def last(self, player: int) -> ViewerMoment:
        """The last moment that a player was shown."""
        return self.story.last[str(player)]

    # --- the state of the table

    def send_info(self) -> None:
        """Send everybody the state of the table: now, or soon if it was sent just before."""
        now = time.monotonic()
        self.info_due = max(now, self.info_sent + INFO_SECONDS)
        self.send_due_info(now)

    def send_due_info(self, now: float) -> None:
        """Send the state of the table if it is due, encoded once for all who are shown the same."""
        if self.info_due is None or now < self.info_due:
            return
        self.info_sent, self.info_due = now, None
        texts: dict[tuple[bool, int | None], str] = {}
        for client, player in self.clients.values():
            shown = (self.is_host(client), player)
            if shown not in texts:
                texts[shown] = json_text(ShowInfo(self.record.code, self.info(client, player)))
            client.send_text(texts[shown])

    def dues(self) -> Iterator[float]:
        """When the state of the table is to be sent, if it has changed."""
        if self.info_due is not None:
            yield self.info_due

    def is_host(self, client: Client | None) -> bool:
        return client is not None and client.person.id == self.record.row.host

    def info(self, client: Client | None = None, player: int | None = None) -> TableInfo:
        """The state of the table."""
        record = self.record
        return replace(
            info_of(record.row, [seat.info() for seat in self.seats.all]),
            host=self.is_host(client),
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
        """The table as a page last saw it."""
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
        """The result that a new page shows: of the moment, or of the end."""
        return self.record.result if self.record.state == "over" else last.result

    def token(self, client: Client, player: int) -> str | None:
        """The secret of the seat's link, for its person alone."""
        is_own = self.seats[player].row.person == client.person.id
        return client.seat_token(self.record.code, player) if is_own else None
