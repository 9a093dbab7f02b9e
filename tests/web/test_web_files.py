"""Pages and files cost the server little, however often and by whom they are requested: each is compressed once, files
are looked for once a second at most, and every path has a rate."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from test_web_table import AWAY, MAKE, QUICK, WIDE, opened
from web_client import FAST, PERSON
from web_server import Server, somebody

from tilewright.web import static_files
from tilewright.web.http import RateLimited
from tilewright.web.protocol.settings import Limits, Settings
from tilewright.web.static_files import File, Statics, file_of, files_below

pytestmark = pytest.mark.anyio
TOGETHER = 50
TEXT = b"<p>tiles</p>\n" * 1_000


@pytest.fixture
def compressed(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Everything that is compressed."""
    done: list[bytes] = []

    def counting(compress: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
        return lambda content: (done.append(content), compress(content))[1]

    counted = {encoding: counting(compress) for encoding, compress in static_files.COMPRESS.items()}
    monkeypatch.setattr(static_files, "COMPRESS", counted)
    return done


def site(folder: Path) -> Statics:
    (folder / "index.html").write_bytes(TEXT)
    return Statics(lambda: files_below(folder))


async def test_what_many_request_at_once_is_compressed_once(compressed: list[bytes]) -> None:
    statics, file = Statics(), file_of(TEXT, "text/html", (0, 0))
    found = await asyncio.gather(*(statics.encoded(file, "br") for _ in range(TOGETHER)))
    assert len(set(found)) == len(compressed) == 1


async def test_the_page_is_the_same_until_a_file_changes(
    tmp_path: Path, compressed: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    statics = site(tmp_path)
    pages: list[File | None] = [(await statics.look()).page for _ in range(TOGETHER)]
    assert pages[0] is not None and all(page is pages[0] for page in pages)
    for _ in range(TOGETHER):
        await statics.encoded(pages[0], pages[0].encoding("gzip, br"))
    assert len(compressed) == 1
    (tmp_path / "other.js").write_text("// other")
    assert (await statics.look()).page is pages[0], "looked for a moment ago"
    monkeypatch.setattr(static_files, "LOOK_SECONDS", 0)
    assert (await statics.look()).page is not pages[0]


async def test_files_are_looked_for_once_a_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    statics, looks = site(tmp_path), []
    named = statics.named
    monkeypatch.setattr(statics, "named", lambda: (looks.append(1), named())[1])
    await asyncio.gather(*(statics.look() for _ in range(TOGETHER)))
    assert len(looks) == 1


async def test_every_path_has_a_rate() -> None:
    """Those of pages and files are not those of requests; another address has its own."""

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    limited = RateLimited(answer, Settings(limits=Limits(files=0.001, files_burst=4, requests=0.001, requests_burst=2)))

    async def status(path: str, address: str = "192.0.2.1") -> int:
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {"type": "http", "path": path, "headers": [], "client": (address, 1)}
        await limited(scope, None, send)  # type: ignore[arg-type]
        return int(sent[0]["status"])

    paths = ["/", "/static/js/main.js", "/docs/", "/nowhere", "/t/ABC", "/static/~0/none.js", "/metrics", "/worker.js"]
    assert [await status(path) for path in paths] == [200] * 4 + [429] * 4
    assert [await status("/api/health") for _ in range(3)] == [200, 200, 429]
    assert await status("/", "192.0.2.2") == 200


# --- addresses that tell a secret


@pytest.fixture
def host(chromium: Any, web_server: Server) -> Iterator[Any]:
    yield from opened(chromium, web_server, at=AWAY, viewport=WIDE)


@pytest.mark.slow
def test_the_secret_of_a_seat_is_in_no_request(host: Any, chromium: Any) -> None:
    """A link with it opens the seat in another browser; what a proxy would log does not have it."""
    code = host.evaluate(
        MAKE, [{"ruleset": {"id": "cantonese"}, "hands": 1}, {"seats": [PERSON, FAST, FAST, FAST], **QUICK}]
    )
    host.wait_for_selector(".hand-tile")
    host.keyboard.press("o")
    link = host.input_value(".field:has-text('link') input")
    path, _, token = link.partition("#seat=")
    assert path.endswith(f"/t/{code}") and len(token) > 20
    other = somebody(chromium, viewport=WIDE).new_page()
    asked: list[str] = []
    other.on("request", lambda request: asked.append(f"{request.url.partition('#')[0]} {request.headers}"))
    other.goto(link)
    other.wait_for_selector(".hand-tile")
    assert asked and not any(token in one for one in asked)
    assert token not in other.url
