"""Access: codes of tables and invite codes, looked up for people. In: a code, and who asks from where. Out: the table,
or a refusal, the same whether there is no such table or nobody may know of it. Wrong codes are counted.
"""

from dataclasses import dataclass

from tilewright.web.limits.quotas import Misses
from tilewright.web.protocol import refusals
from tilewright.web.protocol.refusals import Refused
from tilewright.web.storage import Person, SeatRow, Store, TableRow, hashed


@dataclass(frozen=True, slots=True)
class Seeker:
    """Who looks for a table: an address, the person if known, and the secret of a seat's link if there is one."""

    address: str
    person: Person | None = None
    seat: str | None = None


class Access:
    """Looks tables up. A safe code is the right to see the table; a guessable one, of an older version, is that for the
    people of the table alone, unless it is public."""

    def __init__(self, store: Store, misses: Misses) -> None:
        self.store, self.misses = store, misses

    async def table(self, code: str, seeker: Seeker, missing: Refused | None = None) -> TableRow:
        """The table with a code. Raises Refused: `missing`, or that too many codes were wrong; never to the people of
        the table."""
        row = await self.store.table(code)
        if row is not None and await self.belongs(row, seeker):
            return row
        if row is not None and row.is_guessable and not row.public:
            row = None
        self.misses.count(row is None, seeker.address, seeker.person)
        if row is None:
            raise missing or refusals.unknown_table()
        return row

    async def belongs(self, row: TableRow, seeker: Seeker) -> bool:
        """Whether somebody made the table, has a seat there, or the link of one."""
        if seeker.person is not None and seeker.person.id == row.host:
            return True
        return any(is_seat_of(seat, seeker) for seat in await self.store.seats(row.id))

    async def invited(self, code: str, seeker: Seeker) -> TableRow:
        """The table of an invite code, while somebody can still sit down there. Raises Refused."""
        row = await self.store.invited(code)
        if row is not None and not await self.has_room(row):
            row = None
        self.misses.count(row is None, seeker.address, seeker.person)
        if row is None:
            raise refusals.unknown_invite()
        return row

    async def has_room(self, row: TableRow) -> bool:
        """Whether the table waits, or has a free seat."""
        if row.state == "waiting":
            return True
        seats = await self.store.seats(row.id) if row.state == "playing" else []
        return any(seat.kind == "person" and seat.person is None for seat in seats)


def is_seat_of(seat: SeatRow, seeker: Seeker) -> bool:
    if seat.person is None:
        return False
    has_link = seeker.seat is not None and seat.token_hash == hashed(seeker.seat)
    return has_link or (seeker.person is not None and seat.person == seeker.person.id)
