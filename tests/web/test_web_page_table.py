"""What a player sees of a table, in a real browser: nothing is cut on a phone, a claimed tile is no tile in question,
an answer counts for its own question, every winner is named, options stand in order."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from test_web_access import SIZES, wrong_of
from test_web_table import AWAY, BOTS, FRAME, INFO, PHONE, QUICK, TOUCH, WIDE, opened, sit_down
from web_ahead import GO, WHO, has_result, is_asked, may_claim, sit_ahead, sit_before_ready
from web_client import FAST, PERSON, RANDOM, Table, together
from web_client import page as client
from web_server import Server

LAPTOP, WIDER = {"width": 1024, "height": 640}, {"width": 1440, "height": 900}
CLAIM = ".offer[data-offer]:not(.pass, .wins, .refused):has(> .tiles)"
ASKED = ".offer.pass:enabled, .hand-tile[aria-disabled=false]"
CUT = """selector => [...document.querySelectorAll(selector)]
  .filter(one => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
  .map(one => one.textContent.trim())"""
RIGHTMOST = """selector => Math.max(
  ...[...document.querySelectorAll(selector)].map(one => one.getBoundingClientRect().right))"""
OVERLAPS = """([one, others]) => {
  const before = (a, b) => a.right <= b.left + 1 || a.bottom <= b.top + 1;
  const apart = (a, b) => before(a, b) || before(b, a);
  const box = document.querySelector(one).getBoundingClientRect();
  return [...document.querySelectorAll(others)].filter(other => !apart(box, other.getBoundingClientRect())).length;
}"""


def test_a_claimed_tile_is_no_tile_in_question(chromium: Any, web_server: Server) -> None:
    for page in opened(chromium, web_server, at=AWAY, viewport=WIDE):
        sit_ahead(page, "hong_kong", range(3, 9), may_claim)
        page.click(f"{CLAIM} >> nth=0")
        page.wait_for_selector(".own .melds .meld")
        page.wait_for_selector(".hand-tile[aria-disabled=false]")
        page.wait_for_timeout(1000)  # the page has moved the focus to a tile, which nobody points at
        assert page.inner_text(".question-text") == "Your turn"
        assert not page.query_selector(".question .tile")
        assert not page.query_selector(".hand-tile.drawn")


class TooLate:
    """Between a page and the server: the first answer also arrives for a question that is over, and its refusal is held
    back; the second answer does not arrive."""

    def __init__(self, page: Any) -> None:
        self.answers: list[dict[str, Any]] = []
        self.refusals: list[str] = []
        page.route_web_socket("**/socket", self.connect)

    def connect(self, page: Any) -> None:
        self.page, self.server = page, page.connect_to_server()
        page.on_message(self.answer)
        self.server.on_message(self.hear)

    def answer(self, text: str) -> None:
        message = json.loads(text)
        if message["say"] == "answer":
            self.answers.append(message)
            if len(self.answers) > 1:
                return
            self.server.send(json.dumps(message | {"seq": message["seq"] - 1}))
            text = json.dumps(message | {"id": -1})
        self.server.send(text)

    def hear(self, text: str) -> None:
        message = json.loads(text)
        is_refusal = self.answers and message.get("id") == self.answers[0]["id"]
        self.refusals.append(text) if is_refusal else self.page.send(text)


def test_an_answer_that_came_too_late_opens_no_later_question(chromium: Any, web_server: Server) -> None:
    for page in opened(chromium, web_server, at=AWAY, viewport=WIDE):
        late = TooLate(page)
        page.reload()
        page.wait_for_selector("#main h1")
        sit_down(page, "hong_kong", seed=3)
        for _ in range(2):
            page.wait_for_selector(ASKED)
            page.click(f"{ASKED} >> nth=0")
            page.evaluate(FRAME)
        page.wait_for_function(f"() => !document.querySelector('{ASKED}')")
        assert (len(late.answers), len(late.refusals)) == (2, 1)
        late.page.send(late.refusals[0])
        page.wait_for_timeout(500)  # the page has read it
        assert not page.query_selector(ASKED)


def several_won(table: Table) -> bool:
    return any(len(result["winners"]) > 1 for result in table.results)


def test_every_winner_of_a_hand_is_named(chromium: Any, web_server: Server) -> None:
    for page in opened(chromium, web_server, at=AWAY, viewport=LAPTOP):
        sit_ahead(page, "sichuan", range(1, 9), several_won, seats=[PERSON, *[FAST] * 3])
        page.wait_for_selector(".winner >> nth=1")
        names = page.eval_on_selector_all(".winner h3", "all => all.map(one => one.textContent)")
        assert len(names) == len(page.query_selector_all(".winner")) == len({*names})
        assert all(" win" in name for name in names)
        assert not page.evaluate(OVERLAPS, [".result .result-body", ".result h2, .result [data-do=next]"])


def test_nothing_is_cut_on_a_phone(chromium: Any, web_server: Server) -> None:
    for page in opened(chromium, web_server, at=AWAY, **TOUCH):
        sit_down(page, "sichuan", seed=1)
        page.wait_for_selector("[data-offer=pick]")
        assert not page.evaluate(CUT, "[data-offer=pick], [data-offer=pick] .label, .question-text")
        sit_ahead(page, "sichuan", range(1, 9), may_claim)  # with a mark on the seat
        page.wait_for_selector(".question .tile")
        assert page.text_content(".plate[data-side=me] .mark").startswith("Void suit ")
        assert not page.evaluate(CUT, ".question, .question-text, .plate .name, .table-bar .title strong")
        page.tap(".auto-button")
        assert page.evaluate(RIGHTMOST, ".auto") <= PHONE["width"]


def has_bonus(table: Table) -> bool:
    return is_asked(table) and bool(table.view) and any(table.view["zones"]["bonus"].values())


def test_what_a_seat_has_set_aside_is_seen_on_a_phone(chromium: Any, web_server: Server) -> None:
    for page in opened(chromium, web_server, at=AWAY, **TOUCH):
        sit_ahead(page, "hong_kong", range(1, 9), has_bonus)
        page.wait_for_selector(".rim [data-zone] .tile[data-code]")


def test_options_stand_in_order(chromium: Any, web_server: Server) -> None:
    """Fields first, level with one another; what is ticked below them."""
    for page in opened(chromium, web_server, viewport=WIDE):
        page.click("[data-ruleset=riichi] button:has-text('Set up')")
        fold = ".setup .fold:has(> summary:has-text('Options'))"
        page.click(f"{fold} > summary")
        grid = f"{fold} .form-grid"
        kinds = page.eval_on_selector_all(f"{grid} > *", "all => all.map(one => one.classList[0])")
        assert kinds == sorted(kinds) and {*kinds} == {"field", "tick"}
        tops = "all => all.slice(0, 3).map(one => Math.round(one.getBoundingClientRect().top))"
        assert len({*page.eval_on_selector_all(f"{grid} select, {grid} input[type=number]", tops)}) == 1
        assert "South" in page.inner_text(f"{grid} >> nth=0")


TABLE = ".settlement footer button:has-text('Table')"
DEALT = ".log-panel .log li:has-text('— Hand 2 —')"
HEADER = ".settlement header p"
END = """() => [...document.querySelectorAll('.pond .tile, .pile .tile, .centre, .plate .score')]
  .map(one => one.dataset.code ?? one.textContent)"""


def after_honba(table: Table) -> bool:
    return any(result["played"]["marks"]["honba"] for result in table.results)


def test_the_table_after_a_hand_is_that_of_its_end(chromium: Any, web_server: Server) -> None:
    """Also for a page that is opened then; the next hand begins when one goes on."""
    for page in opened(chromium, web_server, at=AWAY, viewport=WIDER):
        sit_ahead(page, "hong_kong", [3], has_result, hands=2)
        page.wait_for_selector("[data-do=next]")
        page.click(TABLE)
        shown = page.evaluate(END)
        page.reload()
        page.wait_for_selector("[data-do=next]")
        page.click(TABLE)
        assert page.evaluate(END) == shown and len(shown) > 20
        assert not page.query_selector(DEALT)
        assert wrong_of(page, SIZES) == {}
        for size in (PHONE, WIDER):  # the buttons stand above the hand, and nobody is waited for
            page.set_viewport_size(size)
            page.evaluate(FRAME)
            assert page.evaluate(OVERLAPS, [".settlement.aside footer", ".hand-tile"]) == 0
            assert not page.is_visible(".question")
        page.click("[data-do=next]")
        page.wait_for_selector(DEALT)
        page.wait_for_selector(ASKED)
        sit_ahead(page, "riichi", [1], after_honba, hands=3, seats=[PERSON, FAST, FAST, FAST])
        page.wait_for_selector(f"{HEADER}:text-is('East 2 · Honba 1 · Pot 2,000')")
        page.reload()  # after which the match is over
        page.wait_for_selector(f"{HEADER}:text-is('East 2 · Honba 1 · Pot 2,000')")
        page.click("[data-do=next]")
        page.wait_for_selector(".ranking")
        assert page.text_content(".centre .counts .mark") == "Honba 1"


class HeldBack:
    """Between a page and the server: after a result, what the server says is held back until the page has shown it."""

    def __init__(self, page: Any) -> None:
        self.later: list[str] | None = None
        page.route_web_socket("**/socket", self.connect)

    def connect(self, page: Any) -> None:
        self.page, server = page, page.connect_to_server()
        page.on_message(server.send)
        server.on_message(self.hear)

    def hear(self, text: str) -> None:
        if self.later is not None:
            return self.later.append(text)
        self.page.send(text)
        if json.loads(text).get("result"):
            self.later = []

    def deals(self) -> bool:
        return any('"event":"hand"' in text for text in self.later or ())

    def send(self) -> None:
        later, self.later = self.later or [], None
        for text in later:
            self.page.send(text)


async def begin_with_another(url: str, key: str) -> tuple[str, str]:
    """The code of a table at which this person plays with somebody, and the key of the other."""
    spec = {"ruleset": {"id": "hong_kong"}, "mods": [], "options": {}, "hands": 2, "seed": 3}
    async with client(url, key) as ann, client(url) as bob:
        table = await ann.make(spec, [PERSON, PERSON, RANDOM, RANDOM], sit=0)
        await (await bob.join(table.code)).say("sit", player=1)
        return table.code, str(bob.key)


async def play_a_hand(url: str, code: str, *keys: str) -> None:
    async with client(url, keys[0]) as ann, client(url, keys[1]) as bob:
        tables = [await one.join(code) for one in (ann, bob)]
        await together(*(one.play(partial(has_result, one)) for one in tables))


def test_the_next_hand_begins_when_time_is_up(chromium: Any, start_server: Any) -> None:
    """For a page that looks at the result, at a table where somebody else does not go on either."""
    server: Server = start_server(roomy=True, PAUSE="0.5")
    for page in opened(chromium, server, at=AWAY, viewport=WIDER):
        held = HeldBack(page)
        page.reload()
        page.wait_for_selector("#main h1")
        key = page.evaluate(WHO)
        with ThreadPoolExecutor(1) as thread:  # this one has the loop of the browser
            code, other = thread.submit(asyncio.run, begin_with_another(server.socket, key)).result()
            page.evaluate(GO, code)
            page.wait_for_selector(".hand-tile")
            playing = thread.submit(asyncio.run, play_a_hand(server.socket, code, key, other))
            page.wait_for_selector("[data-do=next]")
            playing.result()
        assert page.query_selector(".settlement .clock") and not page.query_selector(DEALT)
        while not held.deals():
            page.wait_for_timeout(50)
        held.send()
        page.wait_for_selector(DEALT)
        page.wait_for_selector(".settlement", state="detached")


WATCH = """async ([spec, setup]) => {
  const root = document.querySelector('script[type=module]').src.replace('main.js', '');
  const { say } = await import(root + 'net.js');
  const { go } = await import(root + 'main.js');
  const { info } = await say({ say: 'make', spec, setup });
  go('/t/' + info.code);
  return info.code;
}"""


def test_a_spectator_looks_at_the_end_of_a_hand(chromium: Any, web_server: Server) -> None:
    for page in opened(chromium, web_server, at=AWAY, viewport=WIDER):
        spec = {"ruleset": {"id": "hong_kong"}, "mods": [], "options": {}, "hands": 2, "seed": 3}
        code = page.evaluate(WATCH, [spec, {"seats": [BOTS[0], *BOTS], **QUICK, "spectator_delay": 0}])
        page.wait_for_selector("[data-do=next]")
        page.click(TABLE)
        shown = page.evaluate(END)
        while page.evaluate(INFO, code)["state"] != "over":
            page.wait_for_timeout(100)
        page.wait_for_timeout(300)
        assert page.evaluate(END) == shown and not page.query_selector(DEALT)
        page.click("[data-do=next]")
        page.wait_for_selector("[data-do=next]:has-text('Final result')")
        page.click("[data-do=next]")
        page.wait_for_selector(".ranking")
        assert page.query_selector(".end .chart")


ON_HELP = """() => localStorage.setItem('tilewright.prefs', JSON.stringify({ help: 'on', panel: true, tab: 'help' }))"""
APART = """() => [...document.querySelectorAll('.discard-list .row')].map(row => {
  const [tile, text] = [...row.children].map(one => one.getBoundingClientRect());
  return Math.round(text.left - tile.right);
})"""


def test_a_discard_that_leads_to_a_ready_hand_is_explained(chromium: Any, web_server: Server) -> None:
    for page in opened(chromium, web_server, at=AWAY, viewport=WIDER):
        page.evaluate(ON_HELP)
        page.reload()
        sit_before_ready(page, "hong_kong", wins=False)
        page.wait_for_selector(".discard-list .wait.no")
        assert "Ready after a discard." in page.inner_text(".side-body")
        first = page.inner_text(".discard-list .row >> nth=0")
        assert "then ready, but no tile wins" in first and "below the minimum" in first
        assert {*page.evaluate(APART)} == {page.evaluate(APART)[-1]}


def has_peeked(table: Table) -> bool:
    return is_asked(table) and bool(table.view) and any(table.view["zones"]["wall"])


def test_a_peeked_tile_is_shown_where_it_lies(chromium: Any, web_server: Server) -> None:
    for page in opened(chromium, web_server, at=AWAY, viewport=WIDER):
        sit_ahead(page, "cantonese", range(3, 9), has_peeked, mods=[{"id": "futures", "options": {}}])
        tile = page.wait_for_selector(".wall-stack.next .tile.peeked[data-code]")
        assert "only you have seen it" in tile.get_attribute("title")


def test_stacks_are_drawn_as_stacks(chromium: Any, web_server: Server) -> None:
    for page in opened(chromium, web_server, at=AWAY, viewport=WIDER):
        sit_ahead(page, "american", [3], is_asked, mods=[{"id": "stacks", "options": {}}])
        page.wait_for_selector(".own-zone .stacks")
        for where in (".own-zone", ".seat[data-side=top] .lying"):
            heights = "all => all.map(one => one.children.length)"
            assert page.eval_on_selector_all(f"{where} .tile-stack", heights) == [3] * 7
