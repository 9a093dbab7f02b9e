"""The texts that the rules of a table were made of."""

import sqlalchemy as sa
from alembic import op

revision = "v7"
down_revision = "v6"

LONG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "texts",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "table_texts",
        sa.Column("table", LONG_ID, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("document", sa.String(64), primary_key=True),
        sa.Column("hash", sa.String(64), sa.ForeignKey("texts.hash"), nullable=False, index=True),
    )


def downgrade() -> None:
    """Tables that were made since need this version's rulesets again."""
    op.drop_table("table_texts")
    op.drop_table("texts")
