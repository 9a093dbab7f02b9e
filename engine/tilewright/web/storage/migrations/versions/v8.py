"""The ids that documents give themselves, and an index with all that lists show."""

import sqlalchemy as sa
from alembic import op

from tilewright.web.storage.models import AnyText
from tilewright.web.text.names import id_in

revision = "v8"
down_revision = "v6"

DOCUMENTS = sa.table("documents", sa.column("id"), sa.column("text", AnyText), sa.column("called"))


def upgrade() -> None:
    op.add_column("documents", sa.Column("called", sa.String(64), nullable=False, server_default=""))
    connection = op.get_bind()
    for id in connection.scalars(sa.select(DOCUMENTS.c.id)).all():
        this = DOCUMENTS.c.id == id
        text = connection.scalar(sa.select(DOCUMENTS.c.text).where(this))
        connection.execute(sa.update(DOCUMENTS).where(this).values(called=id_in(text or "")))
    op.create_index("ix_documents_listed", "documents", ["person", "updated", "called", "share", "created"])
    op.drop_index("ix_documents_person", "documents")


def downgrade() -> None:
    op.create_index("ix_documents_person", "documents", ["person"])
    op.drop_index("ix_documents_listed", "documents")
    with op.batch_alter_table("documents") as table:
        table.drop_column("called")
