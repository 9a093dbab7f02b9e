"""People get a last-seen time; for existing people it is now."""

import time

import sqlalchemy as sa
from alembic import op

revision = "v2"
down_revision = "v1"


def upgrade() -> None:
    op.add_column("people", sa.Column("seen", sa.Float(53), nullable=False, server_default="0"))
    op.execute(sa.text("update people set seen = :now").bindparams(now=time.time()))


def downgrade() -> None:
    with op.batch_alter_table("people") as table:
        table.drop_column("seen")
