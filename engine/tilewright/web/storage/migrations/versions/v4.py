"""Longer codes of tables, invite codes, and names without invisible characters."""

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from alembic import op

from tilewright.web.storage.models import AnyText, Json
from tilewright.web.storage.rows import clean_name

revision = "v4"
down_revision = "v3"

LONG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
PEOPLE = sa.table("people", sa.column("id"), sa.column("name", AnyText))
SEATS = sa.table("seats", sa.column("table"), sa.column("player"), sa.column("name", AnyText))
DOCUMENTS = sa.table("documents", sa.column("id"), sa.column("name", AnyText))
TABLES = sa.table("tables", sa.column("id"), sa.column("setup", Json))
MOST = 300_000  # characters of a name: none is cut
BATCH = 1_000  # rows


def upgrade() -> None:
    lengthen(16, 32)
    op.create_table(
        "invites",
        sa.Column("table", LONG_ID, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("code", sa.String(16), nullable=False, unique=True),
        sa.Column("until", sa.Float(53), nullable=False),
    )
    for rows in (PEOPLE, SEATS, DOCUMENTS):
        change(rows, rows.c.name, lambda name: clean_name(name, MOST))
    change(TABLES, TABLES.c.setup, with_clean_name)


def downgrade() -> None:
    """Codes that do not fit any more are cut: links to these tables end."""
    op.drop_table("invites")
    op.execute(sa.text("update tables set code = substr(code, 1, 16), next = substr(next, 1, 16)"))
    lengthen(32, 16)


def lengthen(old: int, new: int) -> None:
    """Change the length of the columns with codes of tables."""
    with op.batch_alter_table("tables") as table:
        for name, nullable in (("code", False), ("next", True)):
            table.alter_column(
                name, existing_type=sa.String(old), type_=sa.String(new), existing_nullable=nullable, nullable=nullable
            )


def change(rows: sa.TableClause, column: sa.ColumnClause[Any], new: Callable[[Any], Any]) -> None:
    """Change a column of all rows; only those that differ are written."""
    connection = op.get_bind()
    keys = [other for other in rows.c if other.name != column.name]
    changed = sa.update(rows).where(*(key == sa.bindparam(f"_{key.name}") for key in keys))
    changed = changed.values({column.name: sa.bindparam("_new", type_=column.type)})
    differ = [
        {f"_{key.name}": value for key, value in zip(keys, found, strict=True)} | {"_new": new(old)}
        for *found, old in connection.execute(sa.select(*keys, column))
        if new(old) != old
    ]
    for first in range(0, len(differ), BATCH):
        connection.execute(changed, differ[first : first + BATCH])


def with_clean_name(setup: dict[str, Any]) -> dict[str, Any]:
    """A setup whose name is clean."""
    name = setup.get("name")
    return {**setup, "name": clean_name(name, MOST)} if isinstance(name, str) else setup
