"""Documents: cards, rulesets and mods that people write, each under the key of its author, and shared by a code."""

from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import ColumnElement, Select, delete, func, insert, select, update

from tilewright.web.storage.database import now
from tilewright.web.storage.models import DocumentsModel as Model
from tilewright.web.storage.row_access import RowAccess, columns, made, new_code, one
from tilewright.web.storage.rows import SAFE_CODE, Conflict, Document, DocumentKind, NotFound, StorageFull

ID_LENGTH = 10  # an id opens a document to its author alone
MOST_DOCUMENTS = 300  # of a person
TICK = 0.001  # seconds between two saves, so that each has a different time


class Documents(RowAccess):
    async def new_document(self, person: int, kind: DocumentKind, name: str, text: str) -> Document:
        """Add a document. Raises StorageFull at a person's limit."""
        time = now()
        document = Document(new_code(ID_LENGTH), person, kind, name, text, None, time, time)
        async with self.database.writing() as connection:
            count = await connection.scalar(select(func.count()).where(Model.person == person))
            if count is not None and count >= MOST_DOCUMENTS:
                raise StorageFull(f"one person keeps at most {MOST_DOCUMENTS} documents here")
            await connection.execute(insert(Model).values(asdict(document)))
        return document

    async def document(self, id: str) -> Document | None:
        """The document with an id, of any person."""
        return await self.find_document(Model.id == id)

    async def documents(self, person: int, kind: DocumentKind | None = None) -> list[Document]:
        """A person's documents, of one kind or all, latest first."""
        wanted = select(*columns(Model, Document)).where(Model.person == person)
        if kind is not None:
            wanted = wanted.where(Model.kind == kind)
        async with self.database.reading() as connection:
            found = await connection.execute(wanted.order_by(Model.updated.desc(), Model.id))
            return [made(Document, row) for row in found]

    async def save_document(
        self, id: str, person: int, name: str, text: str, expected_updated: float | None = None
    ) -> Document:
        """Save a new text. Raises Conflict if the document was saved after `expected_updated`, by another page of the
        same person; NotFound if it does not exist or is another person's."""
        async with self.database.writing() as connection:
            found = await connection.execute(own(id, person).with_for_update())
            old = one(Document, found.first())
            if old is None:
                raise NotFound("there is no such document")
            if expected_updated is not None and expected_updated != old.updated:
                raise Conflict("the document was saved in between")
            time = max(now(), round(old.updated + TICK, 3))
            await connection.execute(update(Model).where(Model.id == id).values(name=name, text=text, updated=time))
        return replace(old, name=name, text=text, updated=time)

    async def delete_document(self, id: str, person: int) -> None:
        """Delete a person's document. Raises NotFound."""
        async with self.database.writing() as connection:
            done = await connection.execute(delete(Model).where(Model.id == id, Model.person == person))
            if done.rowcount != 1:
                raise NotFound("there is no such document")

    async def share(self, id: str, person: int) -> str:
        """The code with which everybody may read a document; always the same one. Raises NotFound."""
        code = func.coalesce(Model.share, new_code(SAFE_CODE))
        shared = update(Model).where(Model.id == id, Model.person == person).values(share=code).returning(Model.share)
        async with self.database.writing() as connection:
            found: str | None = (await connection.execute(shared)).scalar_one_or_none()
        if found is None:
            raise NotFound("there is no such document")
        return found

    async def shared(self, code: str) -> Document | None:
        """The document shared with a code."""
        return await self.find_document(Model.share == code)

    async def find_document(self, condition: ColumnElement[bool]) -> Document | None:
        async with self.database.reading() as connection:
            found = await connection.execute(select(*columns(Model, Document)).where(condition))
            return one(Document, found.first())


def own(id: str, person: int) -> Select[Any]:
    return select(*columns(Model, Document)).where(Model.id == id, Model.person == person)
