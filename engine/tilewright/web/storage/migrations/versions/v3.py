"""Tables get a secret that their hands are dealt from; those that have not begun lose the seed that they had."""

import json
import secrets

import sqlalchemy as sa
from alembic import op

revision = "v3"
down_revision = "v2"

TABLES = sa.table("tables", sa.column("id"), sa.column("spec"), sa.column("state"), sa.column("secret"))


def upgrade() -> None:
    op.add_column("tables", sa.Column("secret", sa.String(64)))
    connection = op.get_bind()
    waiting = sa.select(TABLES.c.id, TABLES.c.spec).where(TABLES.c.state == "waiting")
    for id, spec in connection.execute(waiting).all():
        reseeded = json.dumps({**json.loads(spec), "seed": None}, separators=(",", ":"))
        values = {"spec": reseeded, "secret": secrets.token_hex(32)}
        connection.execute(sa.update(TABLES).where(TABLES.c.id == id).values(values))


def downgrade() -> None:
    with op.batch_alter_table("tables") as table:
        table.drop_column("secret")
