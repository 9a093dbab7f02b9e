"""Files as they were: a revision of git and a file in, a copy of that revision's documents out.

All documents of the revision are there, so that what the file extends is found as it was. Needs git.
"""

import io
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zipfile import ZipFile

from tilewright.authoring.open_rules import CannotBegin
from tilewright.language.documents.library import PLAIN, SUFFIXES

MOST_BYTES = 200_000_000  # of the documents of a revision
SECONDS = 60


@contextmanager
def at_revision(revision: str, file: Path) -> Iterator[Path]:
    """The file as it was at a revision, for as long as it is needed. Raises CannotBegin."""
    folder = file.resolve().parent
    top = Path(git(folder, "rev-parse", "--show-toplevel").decode().strip())
    named = git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    commit = named.decode().strip()
    inside = file.resolve().relative_to(top).as_posix()
    listed = git(top, "ls-tree", "-r", "-z", "--name-only", commit).decode("utf-8", "surrogateescape").split("\0")
    if inside not in listed:
        raise CannotBegin(f"{file} is not in revision {revision}", f"git log -- {inside} shows where it is")
    endings = [ending for ending in (*SUFFIXES, *PLAIN) if any(name.lower().endswith(ending) for name in listed)]
    content = git(top, "archive", "--format=zip", commit, "--", *(f":(glob,icase)**/*{ending}" for ending in endings))
    with tempfile.TemporaryDirectory(prefix="tilewright-") as place:
        with ZipFile(io.BytesIO(content)) as archive:
            archive.extractall(place)
        yield Path(place) / inside


def git(folder: Path, *arguments: str) -> bytes:
    """What git prints. Raises CannotBegin."""
    try:
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, timeout=SECONDS)
    except FileNotFoundError:
        raise CannotBegin("--git needs git, which is not installed") from None
    except subprocess.TimeoutExpired:
        raise CannotBegin("git did not answer") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        what = said[-1] if said else f"there is no revision {arguments[-1].removesuffix('^{commit}')}"
        raise CannotBegin(what.removeprefix("fatal: "))
    if len(done.stdout) > MOST_BYTES:
        raise CannotBegin("the revision has more documents than can be read")
    return done.stdout
