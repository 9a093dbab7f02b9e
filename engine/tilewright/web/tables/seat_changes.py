"""Seat changes: people take seats and leave them, and the host assigns the others; each change is in the database
first. Knows no game and no page that is open.
"""

from dataclasses import replace

from tilewright.web.limits.quotas import Misses
from tilewright.web.protocol import refusals
from tilewright.web.protocol.client import Client
from tilewright.web.protocol.messages import SeatSetup
from tilewright.web.storage import hashed
from tilewright.web.tables.record import TableRecord
from tilewright.web.tables.seats import STAND_IN, Seat


class SeatChanges:
    """The seats of a table, as in the database."""

    def __init__(self, record: TableRecord, misses: Misses) -> None:
        self.record, self.seats, self.misses = record, record.seats, misses

    def seat(self, player: int) -> Seat:
        """A seat of this table. Raises Refused."""
        if player >= len(self.seats):
            raise refusals.bad_message("server.seat_count", count=len(self.seats))
        return self.seats[player]

    def player_of(self, client: Client, token: str | None) -> int | None:
        """The player whose seat a page is to show: its person's, or that of a secret link. Raises Refused, if that seat
        has been given up in the game."""
        player = None if token is None else self.seats.of_token(hashed(token))
        if player is None and token is not None and self.record.row.state != "waiting":
            raise refusals.not_allowed("server.dead_seat_link")
        return self.seats.of_person(client.person) if player is None else player

    def check_host(self, client: Client) -> None:
        """Raises Refused."""
        if client.person.id != self.record.row.host:
            raise refusals.not_host()

    def check_take(self, client: Client, player: int, now: int | None) -> None:
        """Check that somebody with the seat `now`, or none, may take this one. Raises Refused."""
        state = self.record.row.state
        if not self.seats[player].is_free:
            raise refusals.seat_taken()
        if not self.record.has_secret and client.person.id != self.record.row.host:
            raise refusals.not_allowed("server.seed_was_chosen")
        if state in ("over", "broken") or self.record.is_left:
            raise refusals.not_allowed("server.table_over")
        if now is not None and state == "playing":
            raise refusals.not_allowed("server.keep_seat")

    async def check_invited(self, client: Client, code: str | None) -> None:
        """Check that somebody may take a free seat: everybody who knows the table while it waits or if it is public;
        in a private game, who has the host's invite code. Raises Refused."""
        row = self.record.row
        if row.state != "playing" or row.public:
            return
        found = await self.record.store.invited(code.upper()) if code else None
        is_wrong = found is None or found.id != row.id
        self.misses.count(is_wrong and bool(code), client.address, client.person)
        if is_wrong:
            raise refusals.not_invited()

    def check_set(self, player: int, kind: SeatSetup) -> None:
        """Check that the host may assign this seat: before the game, and later if no person has it. Raises Refused."""
        state = self.record.row.state
        if not self.record.has_secret and kind.kind == "person":
            raise refusals.not_allowed("server.seed_was_chosen")
        if state != "waiting" and (state != "playing" or self.seats[player].is_persons):
            raise refusals.not_allowed("server.game_begun")

    async def take(self, client: Client, player: int) -> None:
        """Give a free seat to a person."""
        person, token = client.person, self.token_hash(client, player)
        row = replace(self.seats[player].row, person=person.id, name=person.name, token_hash=token)
        self.seats.all[player] = Seat(await self.record.store.set_seat(row))

    async def free(self, player: int) -> None:
        """Free a seat. During a game a bot keeps it to the end, unless the host invites somebody, since a newcomer
        would see hidden tiles."""
        kind = {"kind": "bot", "bot": STAND_IN} if self.record.is_playing else {}
        row = self.seats.replace(player, person=None, name="", token_hash=None, **kind)
        await self.record.store.set_seat(row)

    async def change(self, player: int, kind: SeatSetup) -> None:
        """Change who is to have the seat."""
        row = self.seats.replace(player, kind=kind.kind, bot=kind.bot, person=None, name="", token_hash=None)
        await self.record.store.set_seat(row)

    async def fill(self) -> None:
        """Give all free seats to bots."""
        for seat in self.seats.all:
            if seat.is_free:
                await self.change(seat.row.player, SeatSetup("bot", STAND_IN))

    async def call(self, person: int, name: str) -> bool:
        """Rename a person. Returns whether one of the seats is theirs."""
        found = [seat for seat in self.seats.all if seat.is_persons and seat.row.person == person]
        called = [seat for seat in found if seat.row.name != name]
        for seat in called:
            seat.row = await self.record.store.set_seat(replace(seat.row, name=name))
        return bool(called)

    async def keep_token(self, client: Client, player: int) -> None:
        """Store the token of a person's seat."""
        row, token_hash = self.seats[player].row, self.token_hash(client, player)
        if row.person == client.person.id and row.token_hash != token_hash:
            self.seats[player].row = await self.record.store.set_seat(replace(row, token_hash=token_hash))

    def token_hash(self, client: Client, player: int) -> str:
        return hashed(client.seat_token(self.record.code, player))
