"""Texts of strangers on the pages of a server, in a real browser: each is shown as text, and no script of them runs."""

import asyncio
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hostile_texts import CARD, IMAGE, ruleset_of
from test_web_table import AWAY
from web_ahead import WHO
from web_asking import Asker
from web_client import PERSON, RANDOM, Page
from web_server import Server, somebody

from tilewright.sharing.archive import write_archive
from tilewright.sharing.contents import contents_of

pytestmark = pytest.mark.slow

SECONDS = 30_000  # milliseconds
WIDE = {"width": 1280, "height": 800}
NAME = "<img src=x onerror=f()>"  # of a person, as long as one may be
SHOWN = "(text) => document.body.innerText.includes(text)"
TAKEN = "document.querySelectorAll('img[src=x], [onerror], body script').length"


async def played(server: Server, who: Asker, text: str) -> tuple[str, str]:
    """The codes of two public tables of the rules and the name of this person: one waits for people, one is over."""
    spec = {"ruleset": {"name": IMAGE, "text": text}, "hands": 1, "seed": 1}
    page = await Page(server.socket, who.key).open()
    try:
        waiting = await page.make(spec, [PERSON, PERSON, RANDOM, RANDOM], 0, public=True, name=IMAGE)
        over = await page.make(spec, [PERSON, RANDOM, RANDOM, RANDOM], 0, public=True, name=IMAGE)
        for table in (waiting, over):
            await table.say("chat", text=IMAGE)
        await over.play()
    finally:
        await page.close()
    return waiting.code, over.code


def test_texts_of_strangers_are_text_on_every_page(web_server: Server, chromium: Any) -> None:
    context = somebody(chromium, viewport=WIDE)
    context.set_default_timeout(SECONDS)
    page, beside = context.new_page(), context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("dialog", lambda one: (faults.append(one.message), one.dismiss()))
    page.goto(web_server.url + AWAY)
    ann = Asker(web_server.url, page.evaluate(WHO))
    ann.do("PUT", "/api/me", {"name": NAME})
    text = ruleset_of(IMAGE, publisher="stranger", version="1.0.0", authors=[IMAGE])
    with ThreadPoolExecutor(1) as thread:  # this one has the loop of the browser
        waiting, over = thread.submit(asyncio.run, played(web_server, ann, text)).result()
    beside.goto(f"{web_server.url}/t/{waiting}")
    beside.get_by_role("button", name="Sit here").first.click()  # the lobby shows tables with somebody at them
    document = ann.do("POST", "/api/documents", {"text": text, "name": IMAGE})["id"]
    pack = write_archive(contents_of({"hostile.yaml": text.encode()}))
    ann.do("POST", "/api/packs", {"content": b64encode(pack).decode()})
    card = ann.do("POST", "/api/cards", {"text": CARD})["id"]
    places = ("/", f"/t/{waiting}", f"/t/{over}", "/replays", f"/r/{over}", "/workshop", f"/workshop/{document}")
    for place in (*places, "/cards", f"/cards/{card}"):
        page.goto(web_server.url + place)
        page.wait_for_function(SHOWN, arg="<img src=x")
        for tab in page.get_by_role("tab").all():
            tab.dispatch_event("click")
            page.wait_for_timeout(100)
            assert page.evaluate(TAKEN) == 0, (place, tab.inner_text())
        assert page.evaluate(TAKEN) == 0 and not faults, (place, faults)
