"""People: their keys, names and settings, and the lines of cards that they have won; and the bans of people and of
addresses, each for a time or for ever.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from tilewright.web.storage.database import clock, now
from tilewright.web.storage.models import BansModel, WinsModel
from tilewright.web.storage.models import PeopleModel as Model
from tilewright.web.storage.row_access import RowAccess, columns, hashed, made, one, reading, writing
from tilewright.web.storage.rows import Ban, BanKind, Conflict, NotFound, Person, WonLine

MOST_WON = 2_000  # lines of one person; the one that was won longest ago is forgotten first


class People(RowAccess):
    async def person_by_key(self, key: str) -> Person | None:
        """The person with a key."""
        return await self.find_person(Model.key_hash == hashed(key))

    async def person(self, id: int) -> Person | None:
        return await self.find_person(Model.id == id)

    @reading
    def find_person(self, connection: Connection, condition: Any) -> Person | None:
        found = connection.execute(select(*columns(Model, Person)).where(condition))
        return one(Person, found.first())

    async def new_person(self, key: str, name: str) -> Person:
        """Add a person with a new key; returns the existing one if the key is known."""
        try:
            return await self.try_new_person(key, name)
        except Conflict:
            found = await self.person_by_key(key)
            if found is None:
                raise
            return found

    @writing
    def try_new_person(self, connection: Connection, key: str, name: str) -> Person:
        """Raises Conflict if the key is known."""
        time = now()
        values = {"key_hash": hashed(key), "name": name, "settings": {}, "created": time, "seen": time}
        done = connection.execute(insert(Model).values(values).returning(Model.id))
        return Person(done.scalar_one(), name, {})

    @writing
    def update_person(
        self,
        connection: Connection,
        id: int,
        name: str | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> Person:
        """Change a person's name or settings (all of them). Raises NotFound."""
        changed = {"name": name, "settings": None if settings is None else dict(settings)}
        values = {key: value for key, value in changed.items() if value is not None}
        if values:
            connection.execute(update(Model).where(Model.id == id).values(values))
        found = one(Person, connection.execute(select(*columns(Model, Person)).where(Model.id == id)).first())
        if found is None:
            raise NotFound("there is no such person")
        return found

    # --- lines of cards

    @writing
    def add_win(self, connection: Connection, person: int, card: str, line: str, hand: str) -> None:
        """Count a win of a person with a line of a card. `hand`: the table and the number of the hand, which counts
        once."""
        values = {"person": person, "card": card, "line": line, "count": 1, "last": now(), "hand": hand}
        again = {"count": WinsModel.count + 1, "last": now(), "hand": hand}
        key = [WinsModel.person, WinsModel.card, WinsModel.line]
        added = self.insert_into(WinsModel).values(values)
        connection.execute(added.on_conflict_do_update(index_elements=key, set_=again, where=WinsModel.hand != hand))
        theirs = WinsModel.person == person
        if (connection.scalar(select(func.count()).where(theirs)) or 0) > MOST_WON:
            oldest = select(WinsModel.card, WinsModel.line).where(theirs).order_by(WinsModel.last).limit(1)
            in_card, with_line = connection.execute(oldest).one()
            forgotten = delete(WinsModel).where(theirs, WinsModel.card == in_card, WinsModel.line == with_line)
            connection.execute(forgotten)

    @reading
    def wins(self, connection: Connection, person: int, card: str) -> list[WonLine]:
        """The lines of a card that a person has won with."""
        wanted = select(*columns(WinsModel, WonLine)).where(WinsModel.person == person, WinsModel.card == card)
        return [made(WonLine, row) for row in connection.execute(wanted.order_by(WinsModel.line))]


class Bans(RowAccess):
    @writing
    def ban(self, connection: Connection, ban: Ban) -> None:
        """Add a ban, or replace the one of the same person or address."""
        values = asdict(ban)
        added = self.insert_into(BansModel).values(values)
        changed = added.on_conflict_do_update(index_elements=[BansModel.kind, BansModel.subject], set_=values)
        connection.execute(changed)

    @writing
    def unban(self, connection: Connection, kind: BanKind, subject: str) -> bool:
        """End a ban. Returns whether there was one."""
        ended = delete(BansModel).where(BansModel.kind == kind, BansModel.subject == subject)
        return connection.execute(ended).rowcount == 1

    @reading
    def bans(self, connection: Connection) -> list[Ban]:
        """The bans that hold now, latest first."""
        wanted = select(*columns(BansModel, Ban)).where(or_(BansModel.until.is_(None), BansModel.until > clock()))
        found = connection.execute(wanted.order_by(BansModel.created.desc(), BansModel.kind, BansModel.subject))
        return [made(Ban, row) for row in found]
