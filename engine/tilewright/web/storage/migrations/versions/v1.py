"""The first version: people, tables with seats and logs, leases of servers, documents."""

import sqlalchemy as sa
from alembic import op

revision = "v1"
down_revision = None

LONG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TIME = sa.Float(53)


def upgrade() -> None:
    op.create_table(
        "people",
        sa.Column("id", LONG_ID, primary_key=True),
        sa.Column("key_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("created", TIME, nullable=False),
    )
    op.create_table(
        "tables",
        sa.Column("id", LONG_ID, primary_key=True),
        sa.Column("code", sa.String(16), nullable=False, unique=True),
        sa.Column("spec", sa.Text, nullable=False),
        sa.Column("setup", sa.Text, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("host", LONG_ID, sa.ForeignKey("people.id"), index=True),
        sa.Column("created", TIME, nullable=False),
        sa.Column("finished", TIME),
        sa.Column("digest", sa.String(128)),
        sa.Column("next", sa.String(16)),
        sa.Column("scores", sa.Text, nullable=False),
    )
    op.create_index("ix_tables_state_public", "tables", ["state", "public"])
    op.create_table(
        "seats",
        sa.Column("table", LONG_ID, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("player", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("bot", sa.String(64)),
        sa.Column("person", LONG_ID, sa.ForeignKey("people.id"), index=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("token_hash", sa.String(64), unique=True),
    )
    op.create_table(
        "lines",
        sa.Column("table", LONG_ID, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("first", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "workers",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("until", TIME, nullable=False),
    )
    op.create_table(
        "leases",
        sa.Column("table", LONG_ID, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("worker", sa.String(64), sa.ForeignKey("workers.id"), nullable=False, index=True),
        sa.Column("until", TIME, nullable=False),
    )
    op.create_table(
        "documents",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("person", LONG_ID, sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("share", sa.String(32), unique=True),
        sa.Column("created", TIME, nullable=False),
        sa.Column("updated", TIME, nullable=False),
    )


def downgrade() -> None:
    for table in ("documents", "leases", "workers", "lines", "seats", "tables", "people"):
        op.drop_table(table)
