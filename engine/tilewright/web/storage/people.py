"""People: their keys, names and settings, the lines of cards that they have won, the cards, rulesets and mods that they
write, each shared by a code; and the bans of people and of addresses, each for a time or for ever.

Tables that ended long ago, people not seen for long, and bans that have ended are deleted in batches, so that nobody
waits for it. Banned people stay: databases give the numbers of deleted ones to others.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    String,
    and_,
    cast,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)

from tilewright.web.storage.database import clock, now
from tilewright.web.storage.models import (
    BansModel,
    DocumentsModel,
    LeasesModel,
    PeopleModel,
    RowAccess,
    SeatsModel,
    TablesModel,
    TableTextsModel,
    TextsModel,
    WinsModel,
    WorkersModel,
    columns,
    hashed,
    made,
    new_code,
    one,
    reading,
    writing,
)
from tilewright.web.storage.rows import (
    SAFE_CODE,
    Ban,
    BanKind,
    Conflict,
    Document,
    DocumentKind,
    DocumentOutline,
    NotFound,
    Person,
    StorageFull,
    WonLine,
    id_in,
)
from tilewright.web.storage.tables import ENDS

MOST_WON = 2_000  # lines of one person; the one that was won longest ago is forgotten first


# --- people


class People(RowAccess):
    async def person_by_key(self, key: str) -> Person | None:
        """The person with a key."""
        return await self.find_person(PeopleModel.key_hash == hashed(key))

    async def person(self, id: int) -> Person | None:
        return await self.find_person(PeopleModel.id == id)

    @reading
    def find_person(self, connection: Connection, condition: Any) -> Person | None:
        found = connection.execute(select(*columns(PeopleModel, Person)).where(condition))
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
        done = connection.execute(insert(PeopleModel).values(values).returning(PeopleModel.id))
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
            connection.execute(update(PeopleModel).where(PeopleModel.id == id).values(values))
        found = one(
            Person, connection.execute(select(*columns(PeopleModel, Person)).where(PeopleModel.id == id)).first()
        )
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


# --- documents


ID_LENGTH = 10  # an id opens a document to its author alone
MOST_DOCUMENTS = 300  # of a person
TICK = 0.001  # seconds between two saves, so that each has a different time


class Documents(RowAccess):
    @writing
    def new_document(self, connection: Connection, person: int, kind: DocumentKind, name: str, text: str) -> Document:
        """Add a document. Raises StorageFull at a person's limit."""
        time = now()
        document = Document(new_code(ID_LENGTH), person, kind, name, text, None, time, time)
        count = connection.scalar(select(func.count()).where(DocumentsModel.person == person))
        if count is not None and count >= MOST_DOCUMENTS:
            raise StorageFull(f"one person keeps at most {MOST_DOCUMENTS} documents here")
        connection.execute(insert(DocumentsModel).values(**asdict(document), called=id_in(text)))
        return document

    async def document(self, id: str) -> Document | None:
        """The document with an id, of any person."""
        return await self.find_document(DocumentsModel.id == id)

    @reading
    def documents(self, connection: Connection, person: int, kinds: Sequence[DocumentKind]) -> list[DocumentOutline]:
        """A person's documents of these kinds, latest first, without their texts."""
        wanted = select(*columns(DocumentsModel, DocumentOutline)).where(
            DocumentsModel.person == person, DocumentsModel.kind.in_(kinds)
        )
        found = connection.execute(wanted.order_by(DocumentsModel.updated.desc(), DocumentsModel.id))
        return [made(DocumentOutline, row) for row in found]

    @reading
    def documents_called(self, connection: Connection, person: int, names: Sequence[str]) -> dict[str, str]:
        """The ids of a person's rulesets and mods that give themselves these ids: of each the latest."""
        wanted = select(DocumentsModel.called, DocumentsModel.id).where(
            DocumentsModel.person == person, DocumentsModel.kind != "card"
        )
        found = connection.execute(
            wanted.where(DocumentsModel.called.in_(names)).order_by(DocumentsModel.updated, DocumentsModel.id.desc())
        )
        return {row.called: row.id for row in found}

    @writing
    def save_document(
        self, connection: Connection, id: str, person: int, name: str, text: str, expected_updated: float | None = None
    ) -> Document:
        """Save a new text. Raises Conflict if the document was saved after `expected_updated`, by another page of the
        same person; NotFound if it does not exist or is another person's."""
        found = connection.execute(own(id, person).with_for_update())
        old = one(Document, found.first())
        if old is None:
            raise NotFound("there is no such document")
        if expected_updated is not None and expected_updated != old.updated:
            raise Conflict("the document was saved in between")
        time = max(now(), round(old.updated + TICK, 3))
        saved = replace(old, name=name, text=text, updated=time)
        values = {**asdict(saved), "called": id_in(text)}
        connection.execute(update(DocumentsModel).where(DocumentsModel.id == id).values(values))
        return saved

    @writing
    def delete_document(self, connection: Connection, id: str, person: int) -> None:
        """Delete a person's document. Raises NotFound."""
        done = connection.execute(
            delete(DocumentsModel).where(DocumentsModel.id == id, DocumentsModel.person == person)
        )
        if done.rowcount != 1:
            raise NotFound("there is no such document")

    @writing
    def share(self, connection: Connection, id: str, person: int) -> str:
        """The code with which everybody may read a document; always the same one. Raises NotFound."""
        code = func.coalesce(DocumentsModel.share, new_code(SAFE_CODE))
        shared = (
            update(DocumentsModel)
            .where(DocumentsModel.id == id, DocumentsModel.person == person)
            .values(share=code)
            .returning(DocumentsModel.share)
        )
        found: str | None = connection.execute(shared).scalar_one_or_none()
        if found is None:
            raise NotFound("there is no such document")
        return found

    async def shared(self, code: str) -> Document | None:
        """The document shared with a code."""
        return await self.find_document(DocumentsModel.share == code)

    @reading
    def find_document(self, connection: Connection, condition: ColumnElement[bool]) -> Document | None:
        found = connection.execute(select(*columns(DocumentsModel, Document)).where(condition))
        return one(Document, found.first())


def own(id: str, person: int) -> Select[Any]:
    return select(*columns(DocumentsModel, Document)).where(DocumentsModel.id == id, DocumentsModel.person == person)


# --- old data


MOST = 200  # rows of one transaction


class Purge(RowAccess):
    async def see(self, people: Iterable[int]) -> None:
        """Record that these people were just seen."""
        ids = list(people)
        for first in range(0, len(ids), MOST):
            await self.see_some(ids[first : first + MOST])

    @writing
    def see_some(self, connection: Connection, ids: Sequence[int]) -> None:
        connection.execute(update(PeopleModel).where(PeopleModel.id.in_(ids)).values(seen=now()))

    @reading
    def is_first(self, connection: Connection, worker: str) -> bool:
        """Whether a server is the first of all running ones, which does what one of them has to do."""
        first = connection.scalar(select(func.min(WorkersModel.id)).where(WorkersModel.until > clock()))
        return bool(first == worker)

    @writing
    def purge_tables(self, connection: Connection, before: float) -> int:
        """Delete a batch of tables, with their logs, that ended before a time, or were made before it and never ended;
        none that is being played. Returns how many."""
        ended = TablesModel.state.in_(ENDS)
        old = or_(and_(ended, TablesModel.finished < before), and_(~ended, TablesModel.created < before))
        held = exists().where(LeasesModel.table == TablesModel.id, LeasesModel.until > clock())
        wanted = select(TablesModel.id).where(old & ~held).order_by(TablesModel.id).limit(MOST)
        count = connection.execute(delete(TablesModel).where(TablesModel.id.in_(wanted))).rowcount
        if count:
            is_kept = exists().where(TableTextsModel.hash == TextsModel.hash)
            connection.execute(delete(TextsModel).where(~is_kept))
        return count

    async def purge_people(self, before: float) -> int:
        """Delete a batch of people, with their documents, not seen since a time and without tables. Returns how
        many."""
        return await self.delete_people(PeopleModel.seen < before)

    async def purge_guests(self, before: float) -> int:
        """Delete a batch of people not seen since a time, without tables and documents. Returns how many."""
        return await self.delete_people(
            (PeopleModel.seen < before) & ~exists().where(DocumentsModel.person == PeopleModel.id)
        )

    @writing
    def purge_bans(self, connection: Connection) -> None:
        """Delete the bans that have ended."""
        connection.execute(delete(BansModel).where(BansModel.until < clock()))

    @writing
    def delete_people(self, connection: Connection, condition: ColumnElement[bool]) -> int:
        has_made, sits, is_banned = (
            exists().where(TablesModel.host == PeopleModel.id),
            exists().where(SeatsModel.person == PeopleModel.id),
            exists().where(BansModel.kind == "person", BansModel.subject == cast(PeopleModel.id, String)),
        )
        wanted = (
            select(PeopleModel.id)
            .where(condition & ~has_made & ~sits & ~is_banned)
            .order_by(PeopleModel.id)
            .limit(MOST)
        )
        ids = list(connection.execute(wanted).scalars())
        for theirs in (DocumentsModel, WinsModel):
            connection.execute(delete(theirs).where(theirs.person.in_(ids)))
        return connection.execute(delete(PeopleModel).where(PeopleModel.id.in_(ids))).rowcount
