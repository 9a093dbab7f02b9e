"""The archive of a pack, and where it comes from: a pack in, the bytes of one zip out, the same everywhere; bytes of a
stranger in, the pack out, or why it is none; a file, a folder or an address in, its bytes out.

Entries are stored without compression, `pack.json` first, then the files by name, all with the same time and rights. An
archive is a pack only if it is, byte for byte, what packing its files gives: nothing can be hidden in it.

This is the only code that fetches anything. Addresses are https; http only leads to this machine. Sizes, redirects and
time are bounded. Raises CannotBegin if a source cannot be reached.
"""

import hashlib
import io
import ipaddress
import os
import stat
import struct
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from urllib.error import URLError
from urllib.parse import urljoin, urlsplit
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import msgspec

from tilewright.authoring.open_rules import CannotBegin
from tilewright.base.problem import Problem, RulesetError
from tilewright.base.version import __version__
from tilewright.language.documents.editions import NEWEST
from tilewright.language.documents.locked_packs import MOST_FILE, MOST_FILES
from tilewright.language.documents.packs import LOCK
from tilewright.sharing.contents import Manifest, PackContents, contents_of, files_of, why_no_name

MANIFEST = "pack.json"
MOST_BYTES = 8_000_000  # of an archive
MOST_MANIFEST = 256_000
RIGHTS = (stat.S_IFREG | 0o644) << 16
UNIX = 3
FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # of the calendar of zip
ENCRYPTED = 0x1 | 0x40 | 0x2000  # bits of an entry
NOT_ZIP = (BadZipFile, NotImplementedError, RuntimeError, ValueError, EOFError, OSError, struct.error, OverflowError)


# --- the archive


def write_archive(pack: PackContents) -> bytes:
    """The archive of a pack."""
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", ZIP_STORED) as archive:
        for name, content in ((MANIFEST, pack.manifest.text()), *sorted(pack.files.items())):
            info = ZipInfo(name, FIRST_DAY)
            info.create_system, info.external_attr = UNIX, RIGHTS
            archive.writestr(info, content)
    return buffer.getvalue()


def read_archive(content: bytes) -> PackContents:
    """The pack in an archive. Raises RulesetError with the reason why it is none."""
    if len(content) > MOST_BYTES:
        raise RulesetError([Problem("bad-pack", f"a pack has at most {MOST_BYTES:,} bytes")])
    try:
        with ZipFile(io.BytesIO(content)) as archive:
            if problems := list(entry_problems(archive.infolist())):
                raise RulesetError(problems)
            files = {info.filename: archive.read(info) for info in archive.infolist()}
    except NOT_ZIP as error:
        raise RulesetError([no_archive(str(error), content)]) from None
    manifest = read_manifest(files.pop(MANIFEST, None))
    if problems := list(hash_problems(manifest, files)):
        raise RulesetError(problems)
    pack = contents_of(files)
    if differing := [field for field in Manifest.__struct_fields__ if values(manifest, field) != values(pack, field)]:
        raise RulesetError([other_manifest(differing)])
    if write_archive(pack) != content:
        raise RulesetError([other_bytes()])
    return pack


def values(found: Manifest | PackContents, field: str) -> object:
    return getattr(found if isinstance(found, Manifest) else found.manifest, field)


# --- entries, before any is read


def entry_problems(entries: list[ZipInfo]) -> Iterator[Problem]:
    """Why entries are not those of a pack."""
    if len(entries) > MOST_FILES + 1:
        yield Problem("bad-pack", f"a pack has at most {MOST_FILES} files, not {len(entries):,}")
        return
    if sum(entry.file_size for entry in entries) > MOST_BYTES:
        yield Problem("bad-pack", f"the files of a pack have at most {MOST_BYTES:,} bytes together")
        return
    seen: dict[str, str] = {}
    for entry in entries:
        name = entry.orig_filename
        first = seen.get(name.lower())
        seen.setdefault(name.lower(), name)
        if first is not None:
            why: str | None = "is there twice" if first == name else f"and {first} differ in capitals alone"
        else:
            why = why_no_name(name) or why_no_entry(entry)
        if why is not None:
            yield bad_entry(name, why)


def why_no_entry(entry: ZipInfo) -> str | None:
    """Why this is no plain file of a pack; None if it is one."""
    mode = entry.external_attr >> 16
    if entry.flag_bits & ENCRYPTED:
        return "is encrypted"
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return "is a link" if stat.S_ISLNK(mode) else "is no file"
    if entry.compress_type != ZIP_STORED or entry.compress_size != entry.file_size:
        return "is compressed: `tilewright pack` makes packs, other programs do not"
    if entry.file_size > (MOST_MANIFEST if entry.orig_filename == MANIFEST else MOST_FILE):
        return f"has more than {MOST_FILE:,} bytes"
    return None


# --- the manifest


def read_manifest(content: bytes | None) -> Manifest:
    """The manifest of an archive. Raises RulesetError."""
    if content is None:
        raise RulesetError([Problem("bad-pack", f"it has no {MANIFEST}", None, "`tilewright pack FOLDER` makes packs")])
    try:
        version = msgspec.json.decode(content, type=LanguageOfPack).language
        if version > NEWEST:
            raise RulesetError([newer_language(version)])
        return msgspec.json.decode(content, type=Manifest)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise RulesetError([bad_manifest(str(error))]) from None


class LanguageOfPack(msgspec.Struct, frozen=True):
    """Of a manifest only the edition of the language: newer ones may have other keys."""

    language: int


def hash_problems(manifest: Manifest, files: dict[str, bytes]) -> Iterator[Problem]:
    """Files that are missing, that the manifest does not have, or that have other contents."""
    for name in manifest.files.keys() - files.keys():
        yield bad_entry(name, f"is missing, though {MANIFEST} has it")
    for name, content in files.items():
        if name not in manifest.files:
            yield bad_entry(name, f"is not in {MANIFEST}")
        elif hashlib.sha256(content).hexdigest() != manifest.files[name]:
            yield bad_entry(name, f"has other contents than {MANIFEST} says")


# --- problems


def no_archive(why: str, content: bytes) -> Problem:
    is_text = content.lstrip()[:1] == b"{"
    hint = "if it is an index, name a pack of it: `tilewright add NAME --index INDEX`" if is_text else None
    return Problem("bad-pack", f"this is no archive of a pack: {why[:1].lower()}{why[1:]}", None, hint)


def bad_entry(name: str, why: str) -> Problem:
    return Problem("bad-pack", f"{ascii(name[:100])[1:-1]} {why}")


def bad_manifest(why: str) -> Problem:
    return Problem("bad-pack", f"{MANIFEST} cannot be read: {why[:1].lower()}{why[1:]}")


def newer_language(version: int) -> Problem:
    return Problem(
        "bad-pack",
        f"it is written in edition {version} of the language, and this program reads editions up to {NEWEST}",
        None,
        "update Tilewright",
    )


def other_manifest(fields: list[str]) -> Problem:
    return Problem("bad-pack", f"{MANIFEST} says something else than the documents: {', '.join(fields)}")


def other_bytes() -> Problem:
    return Problem(
        "bad-pack",
        "there is more in this archive than its files, or in another way",
        None,
        "`tilewright pack` makes packs; do not pack them again with another program",
    )


# --- where packs come from


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
