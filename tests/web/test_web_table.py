"""The table in a real browser, against a real server: by clicks, by keys alone, by touch, two at one table."""

import re
from collections.abc import Iterator
from time import monotonic
from typing import Any

import pytest
from games import PLAYED, mostly_soaked
from web_ahead import moves_of, play_out, sit_ahead
from web_client import PERSON, Table
from web_server import Server, fresh_page

CHOOSE = """() => {
  // what a person would click next who wins when it can, passes what it can, and throws away what it drew
  const middle = (one) => {
    one.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const { x, y, width, height } = one.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const seen = (selector) => [...document.querySelectorAll(selector)];
  if (seen('[data-do=next]').length) return 'result';
  if (!document.querySelector('.hand-tile')) return null;
  const [win] = seen('.offer.wins:not(:disabled)');
  if (win) return middle(win);
  const [pick] = seen('[data-offer=pick]');
  if (pick) return middle(pick.disabled ? seen('.hand-tile:not(.illegal):not(.selected)')[0] : pick);
  const [pass] = seen('.offer.pass:not(:disabled)');
  if (pass) return middle(pass);
  const tile = seen('.hand-tile[aria-disabled=false]').at(-1);
  if (tile) return middle(tile);
  const [offer] = seen('.offers .offer:not(:disabled):not(.refused)');
  return offer ? middle(offer) : null;
}"""
NEXT = f"""async (arg) => {{
  // what is to be clicked, as soon as there is anything; 'seen' once what is looked for is there
  const choose = {CHOOSE};
  const there = SEEN;
  const [end, frame] = [performance.now() + 60_000, () => new Promise(requestAnimationFrame)];
  for (; performance.now() < end; await frame()) {{
    if (there(arg)) return 'seen';
    const found = choose();
    if (found) return found;
  }}
  return null;
}}"""
IS_THERE = "(selector) => document.querySelector(selector)"
MAKE = """async ([spec, setup]) => {
  const root = document.querySelector('script[type=module]').src.replace('main.js', '');
  const { say } = await import(root + 'net.js');
  const { go } = await import(root + 'main.js');
  const { info } = await say({ say: 'make', spec, setup, sit: 0 });
  go('/t/' + info.code);
  return info.code;
}"""
TO_DO = ", ".join(
    [
        "[data-do=next]",
        "[data-offer=pick]",
        ".offer.pass:not(:disabled)",
        ".hand-tile[aria-disabled=false]",
        ".offers .offer:not(:disabled):not(.refused)",
    ]
)
SEQ = "() => document.querySelector('.log')?.textContent + document.querySelector('.felt-box')?.textContent"
FRAME = "() => new Promise(requestAnimationFrame)"  # what was clicked is drawn
INFO = """async (code) => {
  const headers = { Authorization: 'Bearer ' + localStorage['tilewright.key'] };
  return (await fetch('/api/tables/' + code, { headers })).json();
}"""
QUICK = {"claim_seconds": 0, "bot_seconds": 0}
BOTS = [{"kind": "bot", "bot": "fast"}] * 3
SHORT_HANDS = {  # seeds
    "american": 21,
    "cantonese": 3,
    "chinese_classical": 3,
    "hong_kong": 1,
    "mcr": 4,
    "riichi": 5,
    "sanma": 2,
    "sichuan": 2,
    "uzje": 15,
    "zung_jung": 1,
    "zung_jung_plus": 13,
}
SEATS = {"sanma": 3}
OPTIONS = {"uzje": {"threshold": 0.5}}
WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
TOUCH = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
MOST_STEPS = 900
PATIENCE = 60_000  # ms
AWAY = "/nothing"  # a page that asks the server for nothing


@pytest.fixture
def page(chromium: Any, web_server: Server) -> Iterator[Any]:
    """A fresh person's page, wide, where nothing is shown yet; no fault of the page passes unseen."""
    yield from opened(chromium, web_server, at=AWAY, viewport=WIDE)


@pytest.fixture
def home(chromium: Any, web_server: Server) -> Iterator[Any]:
    """The same, at the first page: drawing it takes as long as drawing a table."""
    yield from opened(chromium, web_server, viewport=WIDE)


def opened(chromium: Any, server: Server, at: str = "/", **how: Any) -> Iterator[Any]:
    """A fresh person's page; who sits down at a table at once begins `AWAY` from what the first page asks for. Without
    a service worker: tests would not see the requests that it takes over."""
    with fresh_page(chromium, server.url, service_workers="block", **how) as page:
        page.set_default_timeout(PATIENCE)
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(server.url + at)
        page.wait_for_selector("#main h1" if at == AWAY else "[data-ruleset]")
        yield page
    assert not faults


def sit_down(page: Any, ruleset: str, *, seed: int, seats: list[Any] | None = None, **spec: Any) -> str:
    """A table of one hand against quick bots; its code."""
    spec = {"ruleset": {"id": ruleset}, "mods": [], "options": {}, "hands": 1, "seed": seed, **spec}
    code: str = page.evaluate(MAKE, [spec, {"seats": seats or [{"kind": "person"}, *BOTS], **QUICK}])
    return code


def next_click(page: Any, seen: str, arg: Any = None) -> Any:
    """Where to click next, as soon as there is anything to do; "seen" once this script finds what is looked for,
    "result" after the hand."""
    found = page.evaluate(NEXT.replace("SEEN", seen), arg)
    assert found is not None, f"nothing is to be done: {page.inner_text('.own')}"
    return found


def play_on(page: Any, click: Any, *, until: str = "[data-do=next]") -> None:
    """Play the hand to its end, or until something is seen."""
    for _ in range(MOST_STEPS):
        place = next_click(page, IS_THERE, until)
        if place == "seen":
            return
        if place == "result":
            break
        click(*place)
        page.evaluate(FRAME)
    raise AssertionError(f"{until} was not reached: {page.inner_text('.own')}")


def play_some(page: Any) -> None:
    """The hand goes on: the person's next answers, and those of the others between them."""
    for _ in range(3):
        place = next_click(page, IS_THERE, "[data-do=next]")
        if isinstance(place, str):
            return
        before = page.evaluate(SEQ)
        page.mouse.click(*place)
        page.wait_for_function(f"before => ({SEQ})() !== before", arg=before)


def hand_of(page: Any) -> list[str]:
    found: list[str] = page.eval_on_selector_all(".hand-tile", "tiles => tiles.map(tile => tile.dataset.code)")
    return found


def test_two_clicks_from_the_first_page_to_playing(home: Any) -> None:
    home.click("text=American mah jongg >> xpath=ancestor::li >> button:has-text('Play')")
    home.wait_for_selector(".hand-tile:not(.illegal)")
    tiles = home.query_selector_all(".hand-tile:not(.illegal)")
    tiles[0].click()
    home.wait_for_selector(".hand-tile.selected")


def test_moves_that_are_told_before_the_rules_are_there(home: Any) -> None:
    held: list[Any] = []
    of_table = re.compile(r"/api/about/\w+\?table=\w")  # and not those of the game to watch on the first page
    home.route(of_table, lambda route: held.append(route))
    with home.expect_request(of_table):
        home.click("text=American mah jongg >> xpath=ancestor::li >> button:has-text('Play')")
    home.wait_for_timeout(1000)  # the others choose what they pass
    (request,) = held
    request.continue_()
    home.wait_for_selector(".hand-tile:not(.illegal)")
    home.wait_for_function("() => document.querySelectorAll('.packet').length === 3")
    home.wait_for_selector(".packet[data-waits=true]", state="detached")


@pytest.mark.parametrize("ruleset", mostly_soaked(PLAYED, ("american", "riichi")))
def test_a_hand_of_each_ruleset_by_clicks(page: Any, ruleset: str) -> None:
    count, options = SEATS.get(ruleset, 4), OPTIONS.get(ruleset, {})
    code = sit_down(
        page, ruleset, seed=SHORT_HANDS[ruleset], seats=[{"kind": "person"}, *BOTS[: count - 1]], options=options
    )
    page.wait_for_selector(".hand-tile")
    play_on(page, page.mouse.click)
    assert len(page.query_selector_all(".result .player-row")) == count
    rows = page.query_selector_all(".result .totals tr")
    assert len(rows) == count and "You" in page.inner_text(".result .result-side")
    assert "NaN" not in page.inner_text(".result")
    page.click("[data-do=next]")
    page.wait_for_selector(".ranking")
    places = [int(place) for place in page.locator(".ranking .place").all_inner_texts()]
    scores = page.evaluate(INFO, code)["scores"]
    assert places == [1 + sum(score > own for score in scores) for own in sorted(scores, reverse=True)]


def declared_one(table: Table) -> bool:
    """A hand is won in which one player has paid for declaring ready."""
    of_pot = [[paid for paid in one["payments"] if None in (paid["from"], paid["to"])] for one in table.results]
    return any(one["winners"] and len(paid) == 2 for one, paid in zip(table.results, of_pot, strict=True))


def test_a_result_shows_what_counted_and_names_the_pot(page: Any) -> None:
    sit_ahead(page, "riichi", range(7, 30), declared_one, seats=[PERSON, *BOTS])
    page.wait_for_selector("[data-do=next]")
    side = page.inner_text(".result .result-side")
    assert "dora indicators" in side.lower() and page.query_selector(".result .open-zones .tile[data-code]")
    paid = page.text_content(".result .result-side")
    assert "→ Pot" in paid and page.query_selector(".result .winner")
    told = page.inner_text(".settlement > header p")
    assert re.search(r"^(East|South) \d", told) and "Pot 1,000" in told
    assert "Pot →" in paid and "Riichi stick" in paid and "Riichi sticks on the table" in paid
    assert " fu" in page.inner_text(".result .sums")
    assert "liable" not in page.inner_text(".result .score-lines")  # what comes to nothing is not said
    assert "Base points" not in page.inner_text(".result .sums")  # nor what is only reckoned with
    page.keyboard.press("l")
    taken = r"Pot pays 1,000 to (You|Bot \d) \(Riichi sticks on the table\)"
    assert re.search(taken, " ".join(page.inner_text(".log").split()))


def reaches_limit(table: Table) -> bool:
    return any("called" in winner["score"] for result in table.results for winner in result["winners"])


def test_a_result_tells_what_the_amount_is_called(page: Any) -> None:
    most = {"most_fan": 2}
    sit_ahead(page, "sichuan", range(1, 9), reaches_limit, seats=[PERSON, *BOTS], options=most)
    page.wait_for_selector(".result .called")
    assert page.inner_text(".result .winner:has(.called) .worth").split()[:3] == ["4", "points", "Limit"]


def is_marked(table: Table) -> bool:
    """Suits have been given up: nothing is exchanged any more."""
    return (
        table.may_answer() and not table.question["picks"] and "discard" in {move["move"] for move in moves_of(table)}
    )


def test_marks_are_seen_on_a_phone_once_they_say_something(chromium: Any, web_server: Server) -> None:
    for page in opened(chromium, web_server, at=AWAY, **TOUCH):
        sit_down(page, "sichuan", seed=2)
        page.wait_for_selector("[data-offer=pick]")
        assert not page.query_selector(".mark")
        sit_ahead(page, "sichuan", [2], is_marked)
        page.wait_for_selector(".plate .mark")
        gave_up = page.text_content(".plate .mark >> nth=0")
        assert gave_up in {f"Void suit {suit}" for suit in ("characters", "circles", "bamboos")}


def test_a_hand_by_keys_alone(page: Any) -> None:
    sit_down(page, "cantonese", seed=SHORT_HANDS["cantonese"])
    page.wait_for_selector(".hand-tile")
    press = page.keyboard.press
    press("?")
    assert "Tile to the left" in page.inner_text(".key-help")
    press("Escape")
    press("Home")
    press("ArrowRight")
    press("a")
    assert page.get_attribute(".hand-tile.cursor", "data-at") == "0"
    press("End")
    assert page.get_attribute(".hand-tile.cursor", "data-at") == str(len(hand_of(page)) - 1)
    for _ in range(MOST_STEPS):
        if page.query_selector("[data-do=next]"):
            break
        by_keys(page)
    press("Enter")
    page.wait_for_selector(".ranking")
    press("l")
    assert "— Hand 1 —" in " ".join(page.inner_text(".log").split())


def by_keys(page: Any) -> None:
    """One thing that a person does who has keys alone, as soon as there is anything to do."""
    press = page.keyboard.press
    page.wait_for_selector(TO_DO, state="attached")
    if page.query_selector(".offer.pass:not(:disabled)"):
        press("p")
    elif pick := page.query_selector("[data-offer=pick]"):
        while pick.is_disabled():
            press("d")
            if page.query_selector(".hand-tile.cursor:not(.illegal):not(.selected)"):
                press(" ")
        press("Enter")
    elif page.query_selector(".hand-tile[aria-disabled=false]"):
        press("End")
        while not page.query_selector(".hand-tile.cursor[aria-disabled=false]"):
            press("ArrowLeft")
        press("Enter")
    elif page.query_selector(".offers .offer:not(:disabled):not(.refused)"):
        press("1")
    page.evaluate(FRAME)


def test_a_table_on_a_phone_by_touch(chromium: Any, web_server: Server) -> None:
    for page in opened(chromium, web_server, at=AWAY, **TOUCH):
        sit_down(page, "cantonese", seed=3)
        page.wait_for_selector(".hand-tile")
        sizes = page.eval_on_selector_all(
            ".hand-tile, .offer, .auto-button", "all => all.map(one => one.getBoundingClientRect().height)"
        )
        assert min(sizes) >= 44
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.inner_text(".plate[data-side=right] .count") == "13"
        assert next_click(page, IS_THERE, "[data-do=next]") not in ("seen", "result")
        page.touchscreen.tap(*next_click(page, IS_THERE, "[data-do=next]"))
        page.wait_for_selector(".pond .tile, .pile .tile")  # test_web_wins plays a whole hand so


def test_two_people_at_one_table(page: Any, chromium: Any, web_server: Server) -> None:
    person = {"kind": "person"}
    code = sit_down(page, "chinese_classical", seed=3, hands=2, seats=[person, person, *BOTS[:2]])
    page.click("text=New invite code")
    invite = page.inner_text(".big-code")
    assert "Valid until" in page.inner_text(".waiting-room") and code not in page.inner_text("main")
    page.click("text=New invite code")
    page.wait_for_function("old => document.querySelector('.big-code').innerText !== old", arg=invite)
    for other in opened(chromium, web_server, viewport=WIDE):
        other.fill("input.code", invite)
        other.click(".join button")
        other.wait_for_selector(".toast.bad:has-text('invite code')")  # the one before is no longer valid
        other.fill("input.code", page.inner_text(".big-code").lower())
        other.click(".join button")
        other.click(".seat-list button")
        other.fill(".ask-name input", "Bob")
        other.keyboard.press("Enter")
        assert other.url == f"{web_server.url}/t/{code}"
        other.wait_for_selector(".hand-tile")
        page.wait_for_selector(".hand-tile")
        assert hand_of(page) != hand_of(other)
        assert not other.query_selector(".other-hand .tile[data-code]")  # nobody sees another's hand
        answers = dict.fromkeys((page, other), 0)
        end = monotonic() + 2 * PATIENCE / 1000
        while min(answers.values()) < 2:
            assert monotonic() < end
            for one in answers:
                place = one.evaluate(CHOOSE)
                if isinstance(place, list):
                    one.mouse.click(*place)
                    one.evaluate(FRAME)
                    answers[one] += 1
        play_out(code, page, other)
        assert page.inner_text(".result h2").replace("You", "") != "" and other.query_selector(".result")
        page.click("[data-do=next]")
        page.wait_for_selector(".question:has(.clock):has-text('Waiting for Bob')")
        other.click("[data-do=next]")
        page.wait_for_selector("text=— hand 2 —")


def test_a_seat_is_given_up_and_taken_in_mid_hand(page: Any, chromium: Any, web_server: Server) -> None:
    person = {"kind": "person"}
    code = sit_down(page, "cantonese", seed=3, seats=[person, person, *BOTS[:2]])
    for other in opened(chromium, web_server, viewport=WIDE):
        other.goto(f"{web_server.url}/t/{code}")
        other.click(".seat-list button")
        other.fill(".ask-name input", "Bob")
        other.keyboard.press("Enter")
        for one in (page, other):
            one.wait_for_selector(".hand-tile")
        other.on("dialog", lambda dialog: dialog.accept())
        other.keyboard.press("o")
        other.click("button:has-text('Stand up')")
        other.wait_for_selector(".hand-tile", state="detached")
        assert not other.query_selector(".seat-list button")  # the seat is a bot's
        page.keyboard.press("o")
        page.select_option(".seat-list li:nth-child(2) select", "person")
        other.wait_for_selector("text=enter the host's invite code")
        page.click("text=New invite code")
        invite = page.inner_text(".big-code")
        other.goto(web_server.url)
        other.fill("input.code", invite)
        other.click(".join button")
        other.click("button:has-text('Sit down as player 2')")
        other.wait_for_selector(".hand-tile")


def test_friends_are_invited_to_a_game_that_is_chosen(home: Any, chromium: Any, web_server: Server) -> None:
    """Nobody sits without a name; a seat is free as soon as its page is left, and taken again where one comes back."""
    home.click(".cta button:has-text('Invite friends')")
    home.click("[data-ruleset=sichuan] button:has-text('Invite')")
    home.wait_for_selector(".waiting-room h1:has-text('Sichuan')")
    home.click(".seat-list button >> nth=0")
    home.fill(".ask-name input", "Ann")
    home.keyboard.press("Enter")
    home.wait_for_selector(".seat-list li:has-text('Ann') .badge.accent")
    for other in opened(chromium, web_server, viewport=WIDE):
        other.goto(home.url)
        other.click(".seat-list button >> nth=0")
        assert not home.query_selector(".seat-list li:has-text('Bob')")
        other.fill(".ask-name input", "Bob")
        other.keyboard.press("Enter")
        home.wait_for_selector(".seat-list li:has-text('Bob')")
        other.click(".brand")
        home.wait_for_selector(".seat-list li:has-text('Bob')", state="detached")
        other.go_back()
        home.wait_for_selector(".seat-list li:has-text('Bob')")
        other.click(".phrases button:has-text('Good luck!')")
        home.wait_for_selector(".chat-lines li:has-text('Bob Good luck!')")
        home.fill(".chat input", "<b>Welcome</b>")
        home.keyboard.press("Enter")
        other.wait_for_selector(".chat-lines li:has-text('Ann <b>Welcome</b>')")
        other.reload()
        other.wait_for_selector(".chat-lines li:has-text('Welcome')")
        home.uncheck("label:has-text('Players may chat') input")
        other.wait_for_selector(".chat", state="detached")
        other.click("button:has-text('Stand up')")
        other.wait_for_selector("button:has-text('Stand up')", state="detached")
        other.reload()
        other.wait_for_selector(".seat-list button")
        assert not other.query_selector(".seat-list .badge.accent")


def test_the_host_sees_who_watches_and_removes_them(page: Any, chromium: Any, web_server: Server) -> None:
    code = sit_down(page, "cantonese", seed=3)
    page.wait_for_selector(".hand-tile")
    for other in opened(chromium, web_server, viewport=WIDE):
        other.fill("input.code", f"{web_server.url}/t/{code.lower()}")
        other.click(".join button")
        other.wait_for_selector(".table-bar")
        page.keyboard.press("o")
        page.click("text=Others may watch")
        other.wait_for_selector("text=This table may not be watched")
        page.click(".spectators button")
        other.wait_for_selector("text=the host has removed you")
        page.wait_for_selector(".spectators", state="detached")
        other.reload()
        other.wait_for_selector("text=the host has removed you")


def test_a_reload_in_mid_hand_changes_nothing(page: Any) -> None:
    sit_down(page, "zung_jung_plus", seed=8)
    page.wait_for_selector(".hand-tile[aria-disabled=false]")
    page.click(".hand-tile >> nth=0")
    page.wait_for_selector(".hand-tile[aria-disabled=false], .offer.pass:not(:disabled), [data-do=next]")
    before, wall = hand_of(page), page.inner_text(".facts")
    page.keyboard.press("l")
    page.reload()
    page.wait_for_selector(".hand-tile")
    page.wait_for_selector(".log")  # what is open stays open
    assert hand_of(page) == before
    assert page.inner_text(".facts") == wall
    play_some(page)


def test_a_server_that_dies_in_mid_hand_loses_nothing(start_server: Any, chromium: Any) -> None:
    server: Server = start_server()
    for page in opened(chromium, server, at=AWAY, viewport=WIDE):
        sit_down(page, "zung_jung_plus", seed=SHORT_HANDS["zung_jung_plus"])
        page.wait_for_selector(".hand-tile[aria-disabled=false]")
        page.click(".hand-tile >> nth=0")
        page.wait_for_selector(".hand-tile[aria-disabled=false], .offer.pass:not(:disabled)")
        before, wall = hand_of(page), page.inner_text(".facts")
        server.kill()
        page.wait_for_selector(".lost")
        server.start()
        page.wait_for_selector(".lost", state="detached")
        assert hand_of(page) == before
        assert page.inner_text(".facts") == wall
        play_some(page)


def test_help_rulebook_and_card_beside_the_table(page: Any) -> None:
    sit_down(page, "american", seed=SHORT_HANDS["american"])
    page.wait_for_selector(".hand-tile")
    page.wait_for_selector(".side .small-card li")  # the card lies there from the first
    page.keyboard.press("h")
    page.click(".help-part >> nth=0 >> button")
    page.wait_for_selector(".help-part .hint")
    page.wait_for_selector(".hand-tile.hinted")
    page.keyboard.press("r")
    page.wait_for_selector(".side .book .tile svg")
    page.keyboard.press("k")
    page.wait_for_selector(".side .small-card li")
    page.keyboard.press("k")
    page.wait_for_selector(".side", state="detached")


def test_a_table_is_set_up_from_the_data_of_its_ruleset(home: Any) -> None:
    home.click("[data-ruleset=cantonese] button:has-text('Set up')")
    home.wait_for_selector(".setup .presets, .setup .fold")
    assert home.is_visible(".setup button[type=submit]")  # always in reach
    home.click(".fold:has(.mods) > summary")
    boxes = home.query_selector_all(".setup .mods .tick")
    names = [box.inner_text() for box in boxes]
    boxes[names.index("Limit")].click()
    assert "Not together with Limit" in home.inner_text(".setup .mods")
    home.fill(".setup .mods input[type=number]", "50")
    home.press(".setup .mods input[type=number]", "Tab")
    assert home.inner_text(".fold:has(.mods) .told") == "Limit"
    home.click(".fold:has-text('How it is played') > summary")
    home.fill("label:has-text('Number of hands') input", "3")
    home.select_option("label:has-text('Time to claim') select", "0")
    home.click(".setup button[type=submit]")
    home.wait_for_selector(".hand-tile")
    code = home.url.rpartition("/")[2]
    info = home.evaluate(INFO, code)
    assert info["spec"]["mods"] == [{"id": "limit", "options": {"most_paid": 50}}]
    assert info["spec"]["hands"] == 3
    home.goto(home.url.rpartition("/t/")[0])
    home.wait_for_selector(f".resume a[href='/t/{code}']")
    assert home.inner_text(".cta .main small").replace("\xa0", " ") == "Cantonese, with 3 bots"  # what was played last


CARD = """async () => {
  const root = document.querySelector('script[type=module]').src.replace('main.js', '');
  const { api } = await import(root + 'net.js');
  const text = ['name: Tuesday club', '', '== Hands ==', 'FF 222 444 666 888 X25', ''].join(String.fromCharCode(10));
  return (await api('POST', '/api/cards', { text })).id;
}"""


def test_hints_are_on_where_the_ruleset_says_so(page: Any) -> None:
    """Until the player chooses otherwise, for this and for other rulesets."""
    sit_down(page, "cantonese", seed=5)
    page.wait_for_selector(".hand-tile.hinted")
    if not page.query_selector(".side"):
        page.keyboard.press("h")
    help_mode = page.locator(".side select >> nth=0")
    assert help_mode.input_value() == "on"
    help_mode.select_option("demand")
    sit_down(page, "chinese_classical", seed=5)
    page.wait_for_selector(".hand-tile[aria-disabled=false]")
    page.wait_for_selector(".help-part >> nth=0 >> button")
    assert not page.query_selector(".hand-tile.hinted")
    assert page.locator(".hand-tile.drawn").count() == 1  # it stands apart, whatever is chosen


INDEX = "() => document.querySelector('.table-page').style.getPropertyValue('--tile-index')"


@pytest.mark.parametrize(("locale", "shown"), [("en-US", "inline"), ("ja-JP", "none")])
def test_numerals_are_on_tiles_at_the_first_visit_in_english(
    chromium: Any, web_server: Server, locale: str, shown: str
) -> None:
    for page in opened(chromium, web_server, at=AWAY, viewport=WIDE, locale=locale):
        sit_down(page, "cantonese", seed=5)
        page.wait_for_selector(".hand-tile")
        assert page.evaluate(INDEX) == shown
        page.keyboard.press("o")
        page.select_option(".side select:has(option[value=auto]):has(option[value=on])", "off")
        assert page.evaluate(INDEX) == "none"


def test_at_the_table(page: Any) -> None:
    """One thing after another, on one page."""
    for step in (
        a_tile_is_named,
        a_hand_that_is_not_sorted_is_arranged_by_hand,
        buttons_are_kept_from_table_to_table,
        each_hand_begins_sorted,
        what_is_to_be_done_is_said,
        a_page_leaves_its_style_behind,
    ):
        step(page)


def a_tile_is_named(page: Any) -> None:
    """By a right click as by a long press; and what cannot be declined has no pass."""
    sit_down(page, "cantonese", seed=5)
    page.wait_for_selector(".hand-tile[aria-disabled=false]")
    assert not page.is_visible(".offer.pass")  # but its room stays, so that nothing moves when it comes
    assert page.locator(".offer.pass").bounding_box()["width"] > 50
    name = page.get_attribute(".hand-tile >> nth=0", "title")
    page.click(".hand-tile >> nth=0", button="right")
    page.wait_for_selector(f".question-text .why:text-is('{name}')")
    page.keyboard.press("Escape")
    before = hand_of(page)
    page.hover(".hand-tile >> nth=0")
    page.mouse.down()
    page.wait_for_selector(f".question-text .why:text-is('{name}')")
    page.mouse.up()
    assert hand_of(page) == before


def a_hand_that_is_not_sorted_is_arranged_by_hand(page: Any) -> None:
    page.click("[data-button=sort]")
    first, second, *rest = hand_of(page)
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowRight")
    assert hand_of(page) == [second, first, *rest]
    page.drag_and_drop(".hand-tile >> nth=0", ".hand-tile >> nth=2")
    assert hand_of(page) == [first, rest[0], second, *rest[1:]]
    page.click("[data-button=sort]")
    assert sorted(hand_of(page)) == sorted([first, second, *rest])


def buttons_are_kept_from_table_to_table(page: Any) -> None:
    page.click("[data-button=skip_calls]")
    page.wait_for_selector("[data-button=skip_calls][aria-pressed=true]")


def each_hand_begins_sorted(page: Any) -> None:
    code = sit_down(page, "cantonese", seed=3, hands=2)
    page.wait_for_url(f"**/t/{code}")
    page.wait_for_selector(".hand-tile")
    assert page.get_attribute("[data-button=skip_calls]", "aria-pressed") == "true"
    page.click("[data-button=sort]")
    play_out(code, page)
    assert page.get_attribute("[data-button=sort]", "aria-pressed") == "false"
    page.click("[data-do=next]")
    page.wait_for_selector("[data-button=sort][aria-pressed=true]")
    assert page.get_attribute("[data-button=skip_calls]", "aria-pressed") == "true"


def what_is_to_be_done_is_said(page: Any) -> None:
    """And why a tile may not be taken: a joker is not passed."""
    sit_down(page, "american", seed=7)
    page.wait_for_selector(".hand-tile.illegal")
    assert page.inner_text(".question") == "Pass to the right: choose 3 tiles"
    assert not page.is_visible(".offer.pass")  # nothing beside the offer of that name
    illegal = page.query_selector(".hand-tile.illegal")
    reason = illegal.get_attribute("title").partition(": ")[2]
    assert reason
    illegal.click(force=True)
    page.wait_for_selector(".question .why")
    assert page.inner_text(".question .why") == reason
    assert not page.query_selector(".hand-tile.selected")


def a_page_leaves_its_style_behind(page: Any) -> None:
    page.click(".brand")
    page.click("nav a[href='/cards']")
    page.wait_for_selector("h1:has-text('Cards')")
    assert page.get_attribute("link[href$='/table.css']", "media") == "not all"
    assert page.get_attribute("link[href$='/cards.css']", "media") == "all"


def test_what_is_set_up(home: Any) -> None:
    """Presets say what they change; a card of one's own is named; hints are on from the start; all that in Chinese."""
    home.click("[data-ruleset=riichi] button:has-text('Set up')")
    home.wait_for_selector(".preset")
    pressed = ".preset[aria-pressed=true] strong"
    assert [one.inner_text() for one in home.query_selector_all(pressed)] == ["As usual"]
    home.click(".preset:has-text('EMA 2016')")
    assert home.inner_text(pressed) == "EMA 2016"
    assert "Starting points: 30,000" in home.inner_text(".fold:has-text('Options') .told")
    home.go_back()
    home.wait_for_selector("[data-ruleset]")
    card = home.evaluate(CARD)
    home.goto(f"{home.url}?card={card}#american")
    home.wait_for_selector(".fold:has-text('Options') .told:has-text('Tuesday club')")
    assert "own:" not in home.inner_text(".setup")
    home.evaluate("location.hash = '#cantonese'")
    home.click(".fold:has-text('How it is played') > summary")
    home.check("label:has-text('Show hints from the start') input")
    home.select_option("select.language", "zh")
    home.click(".setup button[type=submit]")
    home.wait_for_selector(".hinted")
    assert home.evaluate("document.documentElement.lang") == "zh-Hant"
    assert home.text_content(".offer.pass span") == "過"
    assert "理牌" in home.inner_text(".autos")
