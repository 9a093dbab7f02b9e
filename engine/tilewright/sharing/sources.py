"""Sources: a file, a folder or an address in; the bytes of a pack or an index out. The only code that fetches anything.

Addresses are https; http only leads to this machine. Sizes, redirects and time are bounded. Raises CannotBegin if a
source cannot be reached.
"""

import ipaddress
import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from urllib.error import URLError
from urllib.parse import urljoin, urlsplit

from tilewright.authoring.open_rules import CannotBegin
from tilewright.base.version import __version__
from tilewright.language.documents.packs import LOCK
from tilewright.sharing.archive import MOST_BYTES, write_archive
from tilewright.sharing.contents import contents_of, files_of

SECONDS = 60.0  # of a whole download
TIMEOUT = 20.0  # of one read
CHUNK = 65_536
MOST_REDIRECTS = 5
WHAT_IS_ADDED = "a pack is a file, a folder, an address, or a name that is in an index: --index URL"
GIT_SECONDS = 20

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Fetched:
    """The bytes of an archive; whether they were made from a folder, whose contents may change under one version."""

    content: bytes
    from_folder: bool = False


def is_address(source: str) -> bool:
    return source.startswith(("https://", "http://"))


def fetch_pack(source: str, root: Path, say: Say = lambda _: None) -> Fetched:
    """The archive that a source gives: an address, or a file or folder, relative to `root`. `say`: what the user should
    know of it. Raises CannotBegin; RulesetError if a folder is no pack."""
    if is_address(source):
        return Fetched(download(source, MOST_BYTES))
    path = root / source
    if path.is_dir():
        if (state := git_state(path)) is not None:
            say(f"{source}: {state}")
        return Fetched(write_archive(contents_of(files_of(path))), from_folder=True)
    if not path.is_file():
        raise CannotBegin(
            f"there is no pack {source}", "a pack is a file, a folder, an address, or a name: --index URL"
        )
    with path.open("rb") as file:
        return Fetched(file.read(MOST_BYTES + 1))


def fetch_text(source: str, root: Path, most: int) -> bytes:
    """The bytes of an index, from an address or a file. Raises CannotBegin."""
    if is_address(source):
        return download(source, most)
    path = root / source
    if not path.is_file():
        raise CannotBegin(f"there is no index {source}", "`tilewright index FOLDER` writes one")
    with path.open("rb") as file:
        return file.read(most + 1)


def beside(source: str, name: str) -> str:
    """The address or path of a file beside another."""
    return urljoin(source, name) if is_address(source) else (Path(source).parent / name).as_posix()


def relative_source(source: str, here: Path, root: Path) -> str:
    """A source as typed in a folder, as the lock in `root` names it: relative to that, if it is below or near it."""
    if is_address(source):
        return source
    return Path(os.path.relpath((here / source).resolve(), root.resolve())).as_posix()


def git_state(folder: Path) -> str | None:
    """What git says of a working copy: its commit, and whether files were changed since; None if it is none."""
    try:
        asked = ["git", "-C", str(folder)]
        commit = subprocess.run(
            [*asked, "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True, timeout=GIT_SECONDS, check=True
        ).stdout.strip()
        dirty = subprocess.run(
            [*asked, "status", "--porcelain", "--", "."],
            capture_output=True,
            text=True,
            timeout=GIT_SECONDS,
            check=True,
        ).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None
    return f"commit {commit}" + (", with changes that are not committed" if dirty else "")


# --- the network


def download(address: str, most: int) -> bytes:
    """What is at an address, up to one byte more than `most`. Raises CannotBegin."""
    from urllib.request import HTTPRedirectHandler, Request, build_opener

    class Redirects(HTTPRedirectHandler):
        """Follows a few redirects, each to an address that may be asked itself."""

        max_redirections = MOST_REDIRECTS

        def redirect_request(self, req, fp, code, msg, headers, newurl):  # type: ignore[no-untyped-def]
            check_address(newurl)
            return super().redirect_request(req, fp, code, msg, headers, newurl)

    check_address(address)
    until = monotonic() + SECONDS
    content = bytearray()
    try:
        request = Request(address, headers={"User-Agent": f"tilewright/{__version__}"})
        with build_opener(Redirects).open(request, timeout=TIMEOUT) as answer:
            while len(content) <= most and (chunk := answer.read(CHUNK)):
                content += chunk
                if monotonic() > until:
                    raise CannotBegin(f"{address} takes too long: more than {SECONDS:.0f} seconds")
    except (URLError, OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise CannotBegin(f"{address} cannot be fetched: {reason}", f"{LOCK} and the packs stay as they were") from None
    return bytes(content[: most + 1])


def check_address(address: str) -> None:
    """Raises CannotBegin for an address that is not asked: only https, and http on this machine."""
    parts = urlsplit(address)
    if parts.scheme == "https" or (parts.scheme == "http" and is_this_machine(parts.hostname or "")):
        return
    raise CannotBegin(f"{address} is not fetched: its contents could be changed on the way", "use https")


def is_this_machine(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
