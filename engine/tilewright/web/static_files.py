"""Statics: the files of the page, and of the documentation that `make site` builds, at /docs. Compressed once, when
first requested, and kept in memory; under a versioned name browsers cache them for ever, so that opening a page again
requests nothing. Files are read and compressed in threads.

`/static/PATH` is a file, revalidated each time; `/static/~VERSION/PATH` is the same one, for ever. The page uses the
latter. Knows no table.
"""

import asyncio
import gzip
import mimetypes
import re
import time
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import brotli
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from tilewright.language.documents.bundled import data_folder
from tilewright.presentation import catalogue
from tilewright.web.http import POLICY

FOLDER = Path(__file__).parent / "static"
MESSAGES = "messages"  # the catalogue, as a folder next to the page's own files
PAGE = "index.html"
WORKER = "worker.js"  # its folder says which pages it serves
PAGES = (
    "/",
    "/t/{code}",
    "/learn",
    "/rules",
    "/rules/{id}",
    "/cards",
    "/cards/{id}",
    "/workshop",
    "/workshop/{id}",
    "/replays",
    "/r/{code}",
)
FOR_EVER = "max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
MARK = "~"
LEAST_TO_COMPRESS = 600  # bytes
LARGE = 100_000  # bytes; compressed for a twentieth of a second at most
LOOK_SECONDS = 1.0  # between two looks for changed files
COMPRESS: dict[str, Callable[[bytes], bytes]] = {  # by encoding, the best first; browsers accept br over HTTPS only
    "br": lambda content: brotli.compress(content, quality=11 if len(content) < LARGE else 9),
    "gzip": lambda content: gzip.compress(content, 9, mtime=0),
}
SCRIPT = "text/javascript"
TYPES = {".js": SCRIPT, ".mjs": SCRIPT, ".svg": "image/svg+xml", ".json": "application/json"}
TYPES |= {".css": "text/css", ".html": "text/html", ".woff2": "font/woff2", ".webmanifest": "application/manifest+json"}
COMMENTS = {  # on lines of their own, and types within a line
    ".js": re.compile(rb"(?m)^[ ]*(?:// .*|/\*\*(?s:(?:(?!\*/).)*)\*/)$|/\*\* @(?:(?!\*/).)*\*/ ?"),
    ".css": re.compile(rb"(?s)[ ]*/\*.*?\*/"),
}
INDENT = re.compile(rb"(?m)^[ ]+")  # of style sheets: in scripts it may be part of a text
TEXTS = ("text/", "application/json", "application/manifest+json", "image/svg+xml")


@dataclass(frozen=True, slots=True)
class File:
    """A file to send. `small`: compressed, by encoding, as far as it was requested."""

    content: bytes
    kind: str
    tag: str
    stamp: tuple[int, int]
    small: dict[str, bytes] = field(default_factory=dict)

    def encoding(self, encodings: str) -> str:
        """What is used for a browser that accepts encodings; empty if none is worth it."""
        if not self.kind.startswith(TEXTS) or len(self.content) < LEAST_TO_COMPRESS:
            return ""
        return next((encoding for encoding in COMPRESS if encoding in encodings), "")

    def encoded(self, encoding: str) -> bytes:
        """The content in an encoding; compressed at most once."""
        if not encoding:
            return self.content
        if encoding not in self.small:
            self.small[encoding] = COMPRESS[encoding](self.content)
        return self.small[encoding]


def files_below(folder: Path) -> dict[str, Path]:
    """Every file of a folder that may be requested, by its path below it: no hidden ones, no types of scripts."""
    named = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
    return {name: path for name, path in named.items() if not re.search(r"(^|/)\.|\.d\.ts$", name)}


def files_of_the_page() -> dict[str, Path]:
    """The page's own files, and the catalogue beside them."""
    texts = {f"{MESSAGES}/{path.relative_to(catalogue.FOLDER).as_posix()}": path for path in catalogue.files()}
    return files_below(FOLDER) | texts


@dataclass(frozen=True, slots=True)
class Looked:
    """The files as they were when they were looked at. `stamps`: when each was changed; `page`: the single page, which
    refers to files by the `version` of all."""

    files: Mapping[str, File] = field(default_factory=dict)
    stamps: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    version: str = ""
    page: File | None = None


class Statics:
    """Files by the paths that they are requested with. A changed one is read again, soon after."""

    def __init__(self, named: Callable[[], Mapping[str, Path]] = files_of_the_page) -> None:
        self.named = named
        self.now = Looked()
        self.looking, self.compressing = asyncio.Lock(), asyncio.Lock()
        self.looked_at = -LOOK_SECONDS

    async def look(self) -> Looked:
        """The files as they are, or were a moment ago."""
        if time.monotonic() - self.looked_at < LOOK_SECONDS:
            return self.now
        async with self.looking:
            if time.monotonic() - self.looked_at >= LOOK_SECONDS:
                self.now = await asyncio.to_thread(looked, self.named, self.now)
                self.looked_at = time.monotonic()
        return self.now

    def find(self, path: str) -> tuple[File | None, bool]:
        """The file at a path below /static/, and whether its current version is requested."""
        version, slash, rest = path.partition("/")
        if version.startswith(MARK) and slash:
            return self.now.files.get(rest), version[1:] == self.now.version
        return self.now.files.get(path), False

    async def encoded(self, file: File, encoding: str) -> bytes:
        """The content of a file in an encoding. What many request at once is compressed for the first of them."""
        if not encoding or encoding in file.small:
            return file.encoded(encoding)
        async with self.compressing:
            return await asyncio.to_thread(file.encoded, encoding)


def looked(named: Callable[[], Mapping[str, Path]], before: Looked) -> Looked:
    """The files as they are now; what has not changed since is not read again."""
    paths = named()
    stamps = {name: stamp_of(path) for name, path in paths.items()}
    if stamps == before.stamps:
        return before
    files = {
        name: before.files[name] if before.stamps.get(name) == stamps[name] else read_file(path, stamps[name])
        for name, path in paths.items()
    }
    tags = "".join(f"{name}={file.tag}\n" for name, file in sorted(files.items()))
    version = sha256(tags.encode()).hexdigest()[:12]
    return Looked(files, stamps, version, page_of(files[PAGE], version) if PAGE in files else None)


def page_of(page: File, version: str) -> File:
    """The single page, with the version of the files that it refers to."""
    text = page.content.replace(b'"/static/', f'"/static/{MARK}{version}/'.encode())
    return file_of(text, page.kind, page.stamp)


def stamp_of(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_mtime_ns, found.st_size


def read_file(path: Path, stamp: tuple[int, int]) -> File:
    kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return file_of(without_comments(path.read_bytes(), path.suffix), kind, stamp)


def without_comments(content: bytes, suffix: str) -> bytes:
    """A script or a style sheet without what only authors read; its lines keep their numbers."""
    found = COMMENTS.get(suffix)
    bare = found.sub(lambda comment: b"\n" * comment[0].count(b"\n"), content) if found else content
    return INDENT.sub(b"", bare) if suffix == ".css" else bare


def file_of(content: bytes, kind: str, stamp: tuple[int, int]) -> File:
    return File(content, kind, f'"{sha256(content).hexdigest()[:16]}"', stamp)


# --- responses


async def sent(request: Request, statics: Statics, file: File, keep: str, status: int = 200) -> Response:
    """A file; without content if the browser has it already."""
    headers = {"cache-control": keep, "vary": "accept-encoding"} | ({} if keep == FOR_EVER else {"etag": file.tag})
    if status == 200 and file.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    encoding = file.encoding(request.headers.get("accept-encoding", ""))
    content = await statics.encoded(file, encoding)
    if encoding:
        headers["content-encoding"] = encoding
    if file.kind == SCRIPT:
        headers["content-type"] = SCRIPT  # without a charset, which modules have no need of: there are dozens of them
    return Response(content, status, headers, file.kind)


async def static_file(request: Request) -> Response:
    """A file of the page."""
    statics: Statics = request.app.state.statics
    path = request.path_params["path"]
    file, is_now = statics.find(path)
    if not is_now:
        await statics.look()
        file, is_now = statics.find(path)
    if file is None:
        return Response("there is no such file\n", 404, media_type="text/plain")
    return await sent(request, statics, file, FOR_EVER if is_now else ASK_AGAIN)


async def page(request: Request) -> Response:
    """The single page, whatever it is to show."""
    return await paged(request, 200)


async def worker(request: Request) -> Response:
    """The service worker: for all pages, and asked for again each time."""
    statics: Statics = request.app.state.statics
    file = (await statics.look()).files.get(WORKER)
    if file is None:
        return Response("there is no such file\n", 404, media_type="text/plain")
    return await sent(request, statics, file, ASK_AGAIN)


async def lost_page(request: Request) -> Response:
    """The single page for an unknown address: it reports that itself."""
    return await paged(request, 404)


async def paged(request: Request, status: int) -> Response:
    statics: Statics = request.app.state.statics
    file = (await statics.look()).page
    if file is None:
        return Response("the page is missing from this installation\n", 500, media_type="text/plain")
    return await sent(request, statics, file, ASK_AGAIN, status)


# --- the documentation


INDEX = "index.html"
MOST_PAGES = 1_000  # whose scripts are remembered
SCRIPT_OF_PAGE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
MISSING = "The documentation is not part of this installation. In a copy of Tilewright, `make site` builds it.\n"


def site() -> Statics:
    """The files of the site; none where it was not built."""
    return Statics(lambda: files_below(data_folder("site")))


async def documentation(request: Request) -> Response:
    """A page or file of the site."""
    statics: Statics = request.app.state.site
    files = (await statics.look()).files
    path = request.path_params.get("path") or INDEX
    file, _ = statics.find(path)
    if file is None and INDEX not in files:
        return Response(MISSING, 404, media_type="text/plain")
    if file is None:
        return Response("there is no such page\n", 404, media_type="text/plain")
    response = await sent(request, statics, file, ASK_AGAIN)
    if scripts := scripts_of(file.content, file.kind):
        response.headers["content-security-policy"] = f"{POLICY}; script-src 'self' {' '.join(scripts)}"
    return response


@lru_cache(maxsize=MOST_PAGES)
def scripts_of(content: bytes, kind: str) -> list[str]:
    """The hashes of the scripts that stand in a page, which may run besides the server's own."""
    found = SCRIPT_OF_PAGE.findall(content) if kind == "text/html" else []
    return [f"'sha256-{b64encode(sha256(script).digest()).decode()}'" for script in found]


async def front(request: Request) -> Response:
    """The front page, whose links are relative to its folder."""
    return RedirectResponse("/docs/")


ROUTES: list[BaseRoute] = [
    Route("/static/{path:path}", static_file, methods=["GET"]),
    Route(f"/{WORKER}", worker, methods=["GET"]),
    *(Route(path, page, methods=["GET"]) for path in PAGES),
    Route("/docs", front, methods=["GET"]),
    Route("/docs/{path:path}", documentation, methods=["GET"]),
]
