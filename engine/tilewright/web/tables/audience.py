"""Audience: the open pages of a table, which seats they show, whether they keep it awake, and what each is sent.

In: moments, each for a viewer. Out: messages to pages. Spectators get them later. Knows no worker and no move.
"""

import time
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from tilewright.web.protocol import refusals
from tilewright.web.protocol.limits import AddressCounts
from tilewright.web.protocol.messages import Id
from tilewright.web.protocol.moments import ALL, Parts
from tilewright.web.protocol.refusals import by_language
from tilewright.web.protocol.replies import ChatLine, Client, ShowChat, ShowInfo, ShowTable, SpectatorInfo, TableInfo
from tilewright.web.protocol.settings import Settings
from tilewright.web.protocol.shape import json_text
from tilewright.web.storage.rows import Person
from tilewright.web.tables.broadcast import ChatLines, DelayedMoments, Story, Times, ViewerMoment
from tilewright.web.tables.pending import OpenQuestion
from tilewright.web.tables.record import TableRecord, info_of
from tilewright.web.tables.seats import Seat

Plain = dict[str, Any]
MOST_LISTED = 100  # spectators that the host sees by name
INFO_SECONDS = 0.2  # between two messages with the state of a table


class Audience:
    """`clients`: the pages, each with the player whose seat it shows. `is_awake`: the page of a person with a seat is
    open, or, where no person has one, that of the host; otherwise nothing moves. `asleep_since`, `awake_since`: when
    that changed; `numbers`: of spectators, by person; `returned`: pages still to be told that a bot played."""

    def __init__(self, record: TableRecord) -> None:
        self.record = record
        self.seats, self.pending = record.seats, record.pending
        self.clients: dict[str, tuple[Client, int | None]] = {}
        self.is_awake = False
        self.asleep_since = self.awake_since = time.monotonic()
        self.numbers: dict[int, int] = {}
        self.returned: set[str] = set()
        self.info_sent = -INFO_SECONDS
        self.info_due: float | None = None
        self.story, self.late = Story(), DelayedMoments(record.setup.spectator_delay)
        self.chat = ChatLines()

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

    def seat_shown(self, client: Client) -> int | None:
        """The player whose seat a page shows, if it is here and shows one."""
        return self.clients.get(client.id, (client, None))[1]

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
        near = AddressCounts.of(page.address for page in watching)
        has_room = not settings.public or near.has_room(client.address, limits.onlookers_from)
        if player is None and (len(watching) >= limits.onlookers or not has_room):
            raise refusals.too_many("server.many_onlookers")

    def attach(self, client: Client, player: int | None) -> None:
        """Add a page; the person of its seat plays again."""
        self.unseat(client)
        self.clients[client.id] = (client, player)
        if player is not None:
            seat = self.seats[player]
            if seat.taken_over:
                self.returned.add(client.id)
            seat.clients.add(client.id)
            seat.taken_over = False
            self.pending.forget_thought(player)
        self.look_around()

    def attach_person(self, person: int) -> None:
        """Show a person's seat on all pages of the person."""
        for client in self.pages:
            if client.person.id == person:
                self.attach(client, self.seats.of_person(client.person))

    def detach(self, client: Client) -> None:
        """Remove a page."""
        if client.id in self.clients:
            self.unseat(client)
            self.returned.discard(client.id)
            del self.clients[client.id]
            self.look_around()
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
            self.pending.leave(player)

    def shown(self, player: int) -> list[Client]:
        """The pages that show a seat."""
        return [self.clients[id][0] for id in self.seats[player].clients]

    def look_on(self, client: Client) -> None:
        """Make a page a spectator, whose seat is no longer its person's."""
        self.clients[client.id] = (client, None)
        self.look_around()

    # --- who keeps the table awake

    def keeps_awake(self, client: Client, player: int | None) -> bool:
        """Whether the table goes on for a page that shows this seat."""
        return player is not None or (not self.seats.has_people and self.is_host(client.person))

    def look_around(self) -> None:
        """See whether the table is awake, after pages or seats have changed."""
        was_awake, self.is_awake = self.is_awake, any(self.keeps_awake(*one) for one in self.clients.values())
        if self.is_awake and not was_awake:
            self.awake_since = time.monotonic()
        elif was_awake and not self.is_awake:
            self.asleep_since = time.monotonic()

    def is_host(self, person: Person | None) -> bool:
        return person is not None and person.id == self.record.row.host

    # --- spectators

    @property
    def spectators(self) -> Iterator[Client]:
        """The pages that show no seat."""
        return (client for client, player in self.clients.values() if player is None)

    def spectator_infos(self) -> list[SpectatorInfo]:
        """The people who watch, as the host sees them."""
        names = {
            client.person.id: client.person.name
            for client in self.spectators
            if not self.is_host(client.person) and self.seats.of_person(client.person) is None
        }
        return [
            SpectatorInfo(self.numbers.setdefault(person, len(self.numbers) + 1), name)
            for person, name in list(names.items())[:MOST_LISTED]
        ]

    def pages_of(self, number: int) -> list[Client]:
        """The pages of the spectator with a number."""
        return [page for page in self.spectators if self.numbers.get(page.person.id) == number]

    def hide(self) -> None:
        """Forget what spectators were to see."""
        self.late.forget()
        self.story.forget(ALL)

    # --- who is away

    def leaving(self) -> Iterator[tuple[Seat, float]]:
        """People who are away, and when a bot is to play for them, as long as others play."""
        if self.is_awake and self.record.is_playing:
            for seat in self.seats.all:
                if seat.is_persons and not seat.clients and not seat.taken_over:
                    yield seat, max(seat.left, self.awake_since) + self.record.setup.away_seconds

    # --- showing

    def show(self, viewer: str, moment: ViewerMoment) -> None:
        """Show a moment to one viewer; to spectators, later."""
        if viewer == ALL:
            if self.record.setup.spectators:
                self.late.add(moment)
                self.show_delayed()
            return
        self.put(viewer, moment)

    def put(self, viewer: str, moment: ViewerMoment) -> None:
        """Send a moment to every page of this viewer, encoded once, with what has changed in its view."""
        before = self.story.view(viewer)
        self.story.add(viewer, moment)
        text = None
        for client, player in self.clients.values():
            if self.viewer(player) == viewer:
                text = text or json_text(moment.message(self.record.code, self.pending.times(viewer), before))
                client.send_text(text)

    def show_answered(self, question: OpenQuestion, player: int, view: Parts | None) -> None:
        """A player has answered before others: send the moment again with those still asked. `view`: the new view of
        that player, if it has changed. One who answered while claims were held back has been shown it already: another
        message would tell that somebody else is asked."""
        for viewer, last in list(self.story.last.items()):
            asked = question.asked_for(viewer)
            if viewer == str(player):
                if question.hidden and last.asked == asked:
                    continue
                self.show(viewer, replace(last, view=view or last.view, events=[], asked=asked))
            elif not question.hidden and viewer != ALL:
                self.show(viewer, replace(last, events=[], asked=asked))

    def show_delayed(self) -> None:
        for moment in self.late.due(self.record.state == "over"):
            self.put(ALL, moment)

    def count_answer(self) -> None:
        """Count an answer: spectators are shown what happened so many answers ago."""
        self.late.answers += 1

    def viewer(self, player: int | None) -> str | None:
        """The viewer of a page; None if it may not see the table."""
        if player is not None:
            return str(player)
        return ALL if self.record.setup.spectators else None

    def last(self, player: int) -> ViewerMoment:
        """The last moment that a player was shown."""
        return self.story.last[str(player)]

    def say(self, line: ChatLine) -> None:
        """Send every page what a player says. Raises Refused."""
        self.chat.add(line, time.monotonic())
        text = json_text(ShowChat(self.record.code, line))
        for client in self.pages:
            client.send_text(text)

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
            shown = (self.is_host(client.person), player)
            if shown not in texts:
                texts[shown] = json_text(ShowInfo(self.record.code, self.info(client.person, player)))
            client.send_text(texts[shown])

    def dues(self) -> Iterator[float]:
        """When the state of the table is to be sent, if it has changed."""
        if self.info_due is not None:
            yield self.info_due

    def info(self, person: Person | None = None, player: int | None = None) -> TableInfo:
        """The state of the table, for somebody who shows this seat."""
        record, host = self.record, self.is_host(person)
        return replace(
            info_of(record.row, [seat.info() for seat in self.seats.all], player, host),
            state=record.state,
            hand=record.hand + (record.state == "playing"),
            scores=record.scores,
            watching=sum(1 for _ in self.spectators),
            spectators=self.spectator_infos() if host else [],
            problem=None if record.problem is None else by_language(record.problem),
        )

    def send_table(self, client: Client, id: Id = None) -> None:
        """Send a page all that it needs to draw the table."""
        client.send(self.table(client, id))
        self.returned.discard(client.id)

    def table(self, client: Client, id: Id = None) -> ShowTable:
        """The table as a page last saw it."""
        player = self.clients[client.id][1]
        viewer = self.viewer(player)
        last = None if viewer is None else self.story.last.get(viewer)
        times = Times() if viewer is None or last is None else self.pending.times(viewer)
        return ShowTable(
            table=self.record.code,
            info=self.info(client.person, player),
            about_digest=self.record.row.digest,
            token=None if player is None else self.token(client, player),
            stood_in=client.id in self.returned,
            pressed=() if player is None else self.seats[player].pressed,
            seq=0 if last is None else last.seq,
            view=None if last is None else last.view,
            asked=() if last is None else last.asked,
            story=[] if viewer is None else self.story.events(viewer),
            result=None if last is None else self.shown_result(last),
            claim=times.claim,
            clock=times.clock,
            pause=times.pause,
            chat=list(self.chat.last),
            id=id,
        )

    def shown_result(self, last: ViewerMoment) -> Plain | None:
        """The result that a new page shows: of the moment, or of the end."""
        return self.record.result if self.record.state == "over" else last.result

    def token(self, client: Client, player: int) -> str | None:
        """The secret of the seat's link, for its person alone."""
        is_own = self.seats[player].row.person == client.person.id
        return client.seat_token(self.record.code, player) if is_own else None
