"""The lines of cards that people have won."""

import sqlalchemy as sa
from alembic import op

revision = "v6"
down_revision = "v5"

LONG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "wins",
        sa.Column("person", LONG_ID, sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("card", sa.String(64), primary_key=True),
        sa.Column("line", sa.Text, primary_key=True),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("last", sa.Float(53), nullable=False),
        sa.Column("hand", sa.String(64), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("wins")
