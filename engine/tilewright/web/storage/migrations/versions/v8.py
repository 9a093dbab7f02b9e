"""What lists show: specs of tables without their texts, the ids that documents give themselves, and an index."""

import sqlalchemy as sa
from alembic import op

from tilewright.web.storage.models import AnyText, Json
from tilewright.web.storage.rows import id_in
from tilewright.web.storage.tables import without_texts

revision = "v8"
down_revision = "v7"

TABLES = sa.table("tables", sa.column("id"), sa.column("spec", Json), sa.column("shown", Json))
DOCUMENTS = sa.table("documents", sa.column("id"), sa.column("text", AnyText), sa.column("called"))


def upgrade() -> None:
    op.add_column("documents", sa.Column("called", sa.String(64), nullable=False, server_default=""))
    connection = op.get_bind()
    for id in connection.scalars(sa.select(DOCUMENTS.c.id)).all():
        this = DOCUMENTS.c.id == id
        text = connection.scalar(sa.select(DOCUMENTS.c.text).where(this))
        connection.execute(sa.update(DOCUMENTS).where(this).values(called=id_in(text or "")))
    op.add_column("tables", sa.Column("shown", sa.Text, nullable=False, server_default="{}"))
    for id in connection.scalars(sa.select(TABLES.c.id)).all():
        here = TABLES.c.id == id
        spec = connection.scalar(sa.select(TABLES.c.spec).where(here))
        connection.execute(sa.update(TABLES).where(here).values(shown=without_texts(spec or {})))
    op.create_index("ix_documents_listed", "documents", ["person", "updated", "called", "share", "created"])
    op.drop_index("ix_documents_person", "documents")


def downgrade() -> None:
    op.create_index("ix_documents_person", "documents", ["person"])
    op.drop_index("ix_documents_listed", "documents")
    with op.batch_alter_table("documents") as table:
        table.drop_column("called")
    with op.batch_alter_table("tables") as table:
        table.drop_column("shown")
