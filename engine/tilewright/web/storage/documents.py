"""Documents: cards, rulesets and mods that people write, each under the key of its author, and shared by a code."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, delete, func, insert, select, update

from tilewright.web.storage.database import now
from tilewright.web.storage.models import DocumentsModel as Model
from tilewright.web.storage.row_access import RowAccess, columns, made, new_code, one, reading, writing
from tilewright.web.storage.rows import (
    SAFE_CODE,
    Conflict,
    Document,
    DocumentKind,
    DocumentOutline,
    NotFound,
    StorageFull,
)
from tilewright.web.text.names import id_in

ID_LENGTH = 10  # an id opens a document to its author alone
MOST_DOCUMENTS = 300  # of a person
TICK = 0.001  # seconds between two saves, so that each has a different time


class Documents(RowAccess):
    @writing
    def new_document(self, connection: Connection, person: int, kind: DocumentKind, name: str, text: str) -> Document:
        """Add a document. Raises StorageFull at a person's limit."""
        time = now()
        document = Document(new_code(ID_LENGTH), person, kind, name, text, None, time, time)
        count = connection.scalar(select(func.count()).where(Model.person == person))
        if count is not None and count >= MOST_DOCUMENTS:
            raise StorageFull(f"one person keeps at most {MOST_DOCUMENTS} documents here")
        connection.execute(insert(Model).values(**asdict(document), called=id_in(text)))
        return document

    async def document(self, id: str) -> Document | None:
        """The document with an id, of any person."""
        return await self.find_document(Model.id == id)

    @reading
    def documents(self, connection: Connection, person: int, kinds: Sequence[DocumentKind]) -> list[DocumentOutline]:
        """A person's documents of these kinds, latest first, without their texts."""
        wanted = select(*columns(Model, DocumentOutline)).where(Model.person == person, Model.kind.in_(kinds))
        found = connection.execute(wanted.order_by(Model.updated.desc(), Model.id))
        return [made(DocumentOutline, row) for row in found]

    @reading
    def documents_called(self, connection: Connection, person: int, names: Sequence[str]) -> dict[str, str]:
        """The ids of a person's rulesets and mods that give themselves these ids: of each the latest."""
        wanted = select(Model.called, Model.id).where(Model.person == person, Model.kind != "card")
        found = connection.execute(wanted.where(Model.called.in_(names)).order_by(Model.updated, Model.id.desc()))
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
        connection.execute(update(Model).where(Model.id == id).values(values))
        return saved

    @writing
    def delete_document(self, connection: Connection, id: str, person: int) -> None:
        """Delete a person's document. Raises NotFound."""
        done = connection.execute(delete(Model).where(Model.id == id, Model.person == person))
        if done.rowcount != 1:
            raise NotFound("there is no such document")

    @writing
    def share(self, connection: Connection, id: str, person: int) -> str:
        """The code with which everybody may read a document; always the same one. Raises NotFound."""
        code = func.coalesce(Model.share, new_code(SAFE_CODE))
        shared = update(Model).where(Model.id == id, Model.person == person).values(share=code).returning(Model.share)
        found: str | None = connection.execute(shared).scalar_one_or_none()
        if found is None:
            raise NotFound("there is no such document")
        return found

    async def shared(self, code: str) -> Document | None:
        """The document shared with a code."""
        return await self.find_document(Model.share == code)

    @reading
    def find_document(self, connection: Connection, condition: ColumnElement[bool]) -> Document | None:
        found = connection.execute(select(*columns(Model, Document)).where(condition))
        return one(Document, found.first())


def own(id: str, person: int) -> Select[Any]:
    return select(*columns(Model, Document)).where(Model.id == id, Model.person == person)
