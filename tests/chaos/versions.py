"""Other versions of the code: a newer one, which is this one with a further migration, and an older one: the newest
commit with another server, and with the same migrations and rulesets, so that both can work on one database.
"""

import shutil
import subprocess
from pathlib import Path

from chaos.site import ROOT

DATA = ("rulesets", "cards", "schemas")
MIGRATIONS = "engine/tilewright/web/storage/migrations/versions"
MIGRATION = '''"""A further column, as a later version may add it."""

import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{before}"


def upgrade() -> None:
    op.add_column("people", sa.Column("later", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    with op.batch_alter_table("people") as table:
        table.drop_column("later")
'''


def newer_version(folder: Path) -> Path:
    """A copy of the code with a further migration."""
    copy = folder / "newer"
    for name in ("engine", *DATA):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    versions = copy / MIGRATIONS
    number = max(int(path.stem[1:]) for path in versions.glob("v*.py"))
    text = MIGRATION.format(revision=f"v{number + 1}", before=f"v{number}")
    (versions / f"v{number + 1}.py").write_text(text, encoding="utf-8")
    return copy


def older_version(folder: Path) -> Path | None:
    """An older version of the code; None where there is no history, or none that fits."""
    commit = older_commit()
    if commit is None:
        return None
    copy = folder / "older"
    copy.mkdir()
    archive = subprocess.run(["git", "-C", ROOT, "archive", commit, "engine", *DATA], capture_output=True, check=True)
    subprocess.run(["tar", "-x", "-C", copy], input=archive.stdout, check=True)
    return copy


def older_commit() -> str | None:
    """The newest commit whose code differs from this one, and whose rulesets and migrations do not."""
    for commit in git("rev-list", "--max-count=60", "HEAD").split():
        same = git("diff", "--stat", commit, "--", "rulesets", "cards", MIGRATIONS) == ""
        if same and git("diff", "--stat", commit, "--", "engine/tilewright/web") != "":
            return commit
    return None


def git(*words: str) -> str:
    done = subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else ""
