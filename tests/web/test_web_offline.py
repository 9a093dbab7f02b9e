"""The page as an application: its manifest and icons, what is there without a connection; how few bytes a first game
needs, and how few elements a rulebook."""

import json
import struct
from collections.abc import Callable
from typing import Any
from urllib.parse import urljoin

from budget import budget
from playwright.sync_api import Page
from test_web_table import AWAY
from web_server import Server, somebody

WIDE = {"width": 1280, "height": 800}
MOST_BYTES = 150_000  # of a first game: the first page, a click on Play, and a laid table
MOST_OF_MESSAGE = 7_000  # bytes of the largest message until then, which has names in every language
MOST_ELEMENTS = 1_500  # of a rulebook before its sections are opened
RULEBOOKS = ("american", "riichi", "mcr", "uzje", "zung_jung_plus")  # all in `make soak`
IS_KEPT = """async () => {
  const cache = await caches.open('tilewright.files');
  return Boolean(await cache.match('/')) && (await cache.keys()).length > 10;
}"""


def test_the_manifest_names_icons_of_their_sizes(chromium: Any, web_server: Server) -> None:
    page: Page = somebody(chromium).new_page()
    page.goto(web_server.url + AWAY)
    address = urljoin(page.url, page.get_attribute("link[rel=manifest]", "href"))
    answer = page.request.get(address)
    assert answer.headers["content-type"].startswith("application/manifest+json")
    manifest = json.loads(answer.text())
    assert manifest["start_url"] == manifest["scope"] == manifest["id"] == "/" and manifest["display"] == "standalone"
    pngs = [icon for icon in manifest["icons"] if icon["type"] == "image/png"]
    assert {icon["sizes"] for icon in pngs} == {"192x192", "512x512"}
    assert any(icon.get("purpose") == "maskable" for icon in pngs)
    for icon in pngs:
        content = page.request.get(urljoin(address, icon["src"])).body()
        assert "{}x{}".format(*struct.unpack(">II", content[16:24])) == icon["sizes"]


def test_without_a_connection_the_page_says_so(chromium: Any, web_server: Server) -> None:
    context = somebody(chromium, viewport=WIDE)
    page: Page = context.new_page()
    page.goto(web_server.url)
    page.wait_for_selector("[data-ruleset]")
    page.wait_for_function(IS_KEPT)
    context.set_offline(True)
    page.reload()
    page.wait_for_selector(".lost:has-text('There is no connection')")
    assert page.inner_text("h1") == "Mahjong, by the rules you play."
    page.goto(f"{web_server.url}/rules/riichi")
    page.wait_for_selector(".lost:has-text('There is no connection')")
    context.set_offline(False)
    page.goto(web_server.url)
    page.wait_for_selector("[data-ruleset]")
    page.wait_for_selector(".lost", state="detached")
    context.close()


def test_nothing_but_files_is_kept(chromium: Any, web_server: Server) -> None:
    context = somebody(chromium, viewport=WIDE)
    page: Page = context.new_page()
    page.goto(web_server.url)
    page.wait_for_selector(".live .take")
    page.wait_for_function(IS_KEPT)
    page.click("[data-ruleset=hong_kong] .button.main")
    page.wait_for_selector(".hand-tile")
    kept = page.evaluate("async () => (await (await caches.open('tilewright.files')).keys()).map(({ url }) => url)")
    paths = {url.removeprefix(web_server.url) for url in kept}
    assert paths and all(path == "/" or path.startswith("/static/~") for path in paths)
    context.close()


def test_a_first_game_needs_few_bytes(chromium: Any, start_server: Callable[..., Server]) -> None:
    """As they are transferred, headers too. What the socket says in all depends on how long bots play meanwhile."""
    server = start_server()  # the shared one compresses nothing
    context = somebody(chromium, viewport=WIDE, service_workers="block")
    page: Page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    sizes: dict[str, int] = {}
    names: dict[str, str] = {}
    session.on("Network.responseReceived", lambda one: names.update({one["requestId"]: one["response"]["url"]}))
    session.on("Network.loadingFinished", lambda one: sizes.update({one["requestId"]: one["encodedDataLength"]}))
    said: list[int] = []
    session.on("Network.webSocketFrameReceived", lambda one: said.append(len(one["response"]["payloadData"])))
    page.goto(server.url)
    page.wait_for_selector(".live .take")
    page.wait_for_load_state("networkidle")
    page.click(".cta .main")
    page.wait_for_selector(".hand-tile svg")
    message = max(said)
    page.wait_for_load_state("networkidle")
    largest = sorted(((size, names.get(id, "")) for id, size in sizes.items()), reverse=True)[:20]
    assert sum(sizes.values()) < MOST_BYTES and message < MOST_OF_MESSAGE, (message, largest)
    context.close()


def test_a_rulebook_begins_with_few_elements(chromium: Any, web_server: Server) -> None:
    context = somebody(chromium, viewport=WIDE)
    page: Page = context.new_page()
    for ruleset in RULEBOOKS[: budget(2)]:
        page.goto(f"{web_server.url}/rules/{ruleset}")
        page.wait_for_selector(".book details")
        assert page.evaluate("document.querySelectorAll('#app *').length") < MOST_ELEMENTS
    context.close()


def test_a_folded_section_opens_when_it_is_meant(chromium: Any, web_server: Server) -> None:
    """By its title, by a link to it or to something in it; to be searched and to be printed."""
    context = somebody(chromium, viewport=WIDE)
    page: Page = context.new_page()
    page.goto(f"{web_server.url}/rules/riichi#s-scoring")
    page.wait_for_selector("#s-scoring[open] .inside")
    assert not page.query_selector("#s-patterns .inside")
    page.goto(f"{web_server.url}/rules")
    page.goto(f"{web_server.url}/rules/riichi#offer-win")
    page.wait_for_selector("#s-turn[open] #offer-win")
    page.click("#s-payments summary")
    page.wait_for_selector("#s-payments[open] .inside")
    page.keyboard.press("Control+f")
    page.wait_for_selector("#s-patterns:not([open]) .inside", state="attached")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.wait_for_selector("#s-patterns[open]")
    assert not page.query_selector(".book details:not([open])")
    context.close()
