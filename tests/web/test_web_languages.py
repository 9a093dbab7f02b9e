"""Pages in each language, in a real browser: no page shows a word of another one. Each is opened once, and then speaks
one language after another: two of them, all in `make soak`.

What a page says is what it shows and what it tells screen readers: its texts, names of controls, and titles. Texts
that a person typed are left out, cards, which are shown as they are printed, and rulesets that lack the language.
"""

import re
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any

import pytest
from budget import budget
from games import VARIED, mostly_soaked
from test_languages import DOCUMENTS, RULESETS, foreign
from test_web_table import AWAY, WIDE, opened, sit_down
from web_ahead import sit_ahead
from web_client import FAST, PERSON
from web_server import ADMIN, Server

from tilewright.language.documents.fields import texts
from tilewright.presentation.catalogue import chosen

LANGUAGES = ("en", "zh", "ja")
PAIRS = (("ja", "zh"), ("zh", "ja"), ("ja", "en"), ("zh", "en"))  # what stays untranslated is English
NOTHING = re.compile(r"(?!)")
CODES = re.compile(r"(?<![A-Za-z])(?:[A-Z]{1,6}[\d~]*|[A-Z][a-z])(?![A-Za-z])")  # of the language of cards
NAMES_OF_LANGUAGES = ("English", "中文", "日本語")  # each in its own language, where one is chosen
PRINTED = (
    ".card-list p, .drawn .name, .drawn .about, .drawn .title b, .drawn .title .soft, .small-card h2, .small-card h3"
)
TYPED = "code, kbd, pre, textarea, .code, .cm-editor, .outline, .card-sets, .card-set, .brand .word, select.language"
OF_OTHERS = ".tables, .replays"  # that others have made, with names that they typed
SAID = f"""() => {{
  const left = `{TYPED}, {OF_OTHERS}, {PRINTED}, script, style, svg, [lang]:not(html)`;
  const heard = (one) => one.checkVisibility() && !one.closest(left);
  const read = (one) => heard(one) && !one.closest(".tile"); // which shows its code until it is drawn
  const said = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode())
    if (node.textContent.trim() && read(node.parentElement)) said.push(node.textContent.trim());
  for (const name of ["aria-label", "title", "placeholder"])
    for (const one of document.body.querySelectorAll(`[${{name}}]`)) if (heard(one)) said.push(one.getAttribute(name));
  return [...new Set(said), document.title];
}}"""
# Until nothing of the page has changed for a while: whatever it had to fetch is there.
QUIET = """async (still) => {
  const end = performance.now() + 5_000;
  let last = performance.now();
  const seen = new MutationObserver(() => (last = performance.now()));
  seen.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  while (performance.now() < Math.min(end, last + still)) await new Promise((done) => setTimeout(done, 25));
  seen.disconnect();
}"""
OPEN_ALL = "document.querySelectorAll('details').forEach((one) => (one.open = true))"
PLANT = """() => document.querySelector("#main").insertAdjacentHTML("beforeend", `<p>shown</p><p>這是 within 牌</p>
  <p title="titled">一</p><button aria-label="heard">二</button><input placeholder="typed"><p hidden>hidden</p>`)"""
# What every ruleset says in each language, test_languages.py asks. These show all that tables have, american most.
TABLES = {"american": 21, "riichi": 3, "sichuan": 2}  # seeds
HUSH = "() => (document.querySelector('#live').textContent = '')"  # it was said in the language before
PATIENCE = 10  # seconds
DRAWN, ANNOUNCED = 100, 250  # ms; twice as long as lines to be announced wait for others
SPEAKS = "language => document.documentElement.lang.startsWith(language)"
PATHS = {  # path -> what is there once the page is drawn; tests of their own walk through the others
    "/": "[data-ruleset]",
    "/rules": ".variant .line",
    "/rules/cantonese": ".book .tile",
    "/cards": ".panel .cover",
    "/workshop": ".shelf, .panel",
    "/replays": ".replay-list",
    "/admin": "h1",
    "/nothing": "h1",
    "/t/KDMWQBRTZXCFGHJMNPWD": "h1",
}


@pytest.fixture
def page(chromium: Any, web_server: Server, start_server: Callable[..., Server]) -> Iterator[Any]:
    """A page that ends before the servers that its test starts: one that asks a stopped server finds a fault."""
    yield from opened(chromium, web_server, at=AWAY, viewport=WIDE)


def speak(page: Any, language: str, afresh: str = "") -> None:
    """`afresh`: the page is loaded again, until this is seen, so that it announces in this language what it shows."""
    page.select_option("select.language", language)
    page.wait_for_function(SPEAKS, arg=language)
    page.evaluate(HUSH)
    if afresh:
        page.reload()
        page.wait_for_selector(afresh)


def mixed(page: Any, moment: str, typed: re.Pattern[str] = NOTHING, afresh: str = "") -> dict[str, list[str]]:
    """What the page says in one language after another that has a word of another one, with the moment."""
    found = {}
    page.evaluate(QUIET, ANNOUNCED)
    for language in LANGUAGES if budget(1) > 1 else PAIRS[len(moment) % len(PAIRS)]:
        speak(page, language, afresh)
        end = monotonic() + PATIENCE
        while (wrong := quietly_said(page, language, typed)) and monotonic() < end:
            continue  # what the server says in one language may still be on its way
        found |= {f"{moment}, {language}: {text}": words for text, words in wrong.items()}
    return found


def quietly_said(page: Any, language: str, typed: re.Pattern[str]) -> dict[str, list[str]]:
    page.evaluate(QUIET, DRAWN)
    return said(page, language, typed)


def said(page: Any, language: str, typed: re.Pattern[str] = NOTHING) -> dict[str, list[str]]:
    """What the page says that has a word of another language, with these words; `typed`: what is typed as it is."""
    texts = (text for text in page.evaluate(SAID) if text not in NAMES_OF_LANGUAGES)
    return {text: words for text in texts if (words := foreign(typed.sub("", text), language))}


def test_pages_are_in_one_language(page: Any, web_server: Server) -> None:
    found = {}
    for path, seen in PATHS.items():
        page.goto(web_server.url + path)
        page.wait_for_selector(seen)
        page.keyboard.press("?")
        found |= mixed(page, path)
    assert found == {}


def test_the_first_game_has_rules_in_the_language_of_the_page(page: Any, web_server: Server) -> None:
    for language in LANGUAGES[1:]:
        page.select_option("select.language", language)
        page.goto(web_server.url)
        page.wait_for_selector(".cta small")
        offered = page.inner_text(".cta small")
        assert any(chosen(texts(DOCUMENTS[id].get("name")), language) in offered for id in RULESETS)


def test_a_card_has_its_title_in_the_language_of_the_page(page: Any, web_server: Server) -> None:
    for language, title in (("en", "Moon Gate"), ("zh", "月洞門"), ("ja", "月の門")):
        page.select_option("select.language", language)
        page.goto(f"{web_server.url}/cards/bundled-moon_gate")
        page.wait_for_selector(".drawn [data-row]")
        assert page.inner_text(".drawn .name") == title


def test_setting_up_is_in_one_language(page: Any, web_server: Server) -> None:
    """Some rulesets, all in `make soak`: presets, options with their values, mods with their options, times."""
    found = {}
    for id in [*VARIED, *(id for id in RULESETS if id not in VARIED)][: budget(len(VARIED))]:
        page.goto(f"{web_server.url}/#{id}")
        page.wait_for_selector(f".setup a[href='/rules/{id}']")
        page.evaluate(OPEN_ALL)
        for mod in page.locator(".mods > li > .tick input").all():
            if mod.is_enabled():  # one may exclude another
                mod.check()
        found |= mixed(page, id)
    assert found == {}


def test_learning_is_in_one_language(page: Any, web_server: Server) -> None:
    found = {}
    page.goto(f"{web_server.url}/learn")
    for id in [*TABLES][: budget(1)]:
        page.wait_for_selector(".lessons .tile")
        page.select_option("aside select", id)
        page.wait_for_selector(f"aside a[href='/rules/{id}']")
        found |= mixed(page, id)
    assert found == {}


def test_the_workshop_is_in_one_language(page: Any, web_server: Server) -> None:
    """Every panel of a ruleset: examples, a hand with its score, an expression, games, a table; then a mistake."""
    found: dict[str, list[str]] = {}

    def look(moment: str) -> None:
        page.evaluate(QUIET, DRAWN)
        page.evaluate(OPEN_ALL)
        found.update(mixed(page, moment))

    page.goto(f"{web_server.url}/workshop/sichuan")  # whose examples are soon tried
    page.wait_for_selector(".panel-side .book .tile")
    tabs = page.locator(".panel-side [role=tab]")
    look("rules")
    tabs.nth(1).click()
    page.locator(".example .button").first.click()
    page.wait_for_selector(".scored .verdict")
    page.fill("[data-field=expression]", "waits == 1")
    page.wait_for_selector(".evaluated .parts")
    look("hand")
    page.fill("[data-field=hand]", "1m 1m")
    look("no hand")
    page.fill("[data-field=hand]", "99x")
    page.fill("[data-field=expression]", "no_such_word + 1")
    look("mistakes in a hand")
    tabs.nth(1).click()
    look("examples")
    tabs.nth(4).click()
    look("table")
    tabs.nth(3).click()
    for at, value in enumerate(("random", "20")):
        page.locator(".games select").nth(at).select_option(value)
    page.locator(".panel-body .button.main").click()
    page.get_by_text("20 / 20").wait_for()
    look("games")
    begin_document(page, web_server)
    page.locator(".cm-content").press("Control+End")
    page.keyboard.type("\nnonsense: 1\nforms: 3\n")
    page.wait_for_selector(".found-problems li")
    look("mistakes in a document")
    assert found == {}


def begin_document(page: Any, web_server: Server) -> None:
    page.goto(f"{web_server.url}/workshop")
    page.locator(".shelf-columns form input:not([type=file])").first.fill("A")
    page.locator(".shelf-columns form button[type=submit]").first.click()
    page.wait_for_selector(".cm-content")


def test_administration_is_in_one_language(page: Any, start_server: Callable[..., Server]) -> None:
    page.goto(f"{start_server(TILEWRIGHT_ADMIN_TOKEN=ADMIN).url}/admin")
    page.fill("input[type=password]", ADMIN)
    page.click(".sign-in button[type=submit]")
    page.wait_for_selector(".admin table")
    assert mixed(page, "signed in") == {}


def test_only_the_answer_to_a_token_is_for_it(page: Any, web_server: Server) -> None:
    """Who signs in before the server has refused the first look stays signed in; a wrong token is told."""
    late: list[Any] = []
    page.route("**/api/admin", lambda route: route.continue_() if late else late.append(route))
    page.goto(f"{web_server.url}/admin")
    page.fill("input[type=password]", "nobody's")
    page.click(".sign-in button[type=submit]")
    page.wait_for_selector(".sign-in [role=alert]")
    page.fill("input[type=password]", ADMIN)
    page.click(".sign-in button[type=submit]")
    page.wait_for_selector(".admin table")
    with page.expect_response(lambda answer: answer.status == 401):
        late.pop().continue_()
    page.evaluate(QUIET, DRAWN)
    assert page.locator(".admin table").count() and not page.locator("[role=alert]").count()


def test_the_card_editor_is_in_one_language(page: Any, web_server: Server) -> None:
    found: dict[str, list[str]] = {}
    page.goto(f"{web_server.url}/cards/bundled-basic1")
    page.wait_for_selector(".drawn [data-row]")
    page.locator("[role=textbox], textarea").first.press("Control+End")
    page.keyboard.type("\n11 22 nonsense X25")
    tabs = page.locator("[role=tab]")
    for tab in range(tabs.count()):
        tabs.nth(tab).click()
        found |= mixed(page, f"tab {tab}", CODES)
    assert found == {}


def test_a_word_of_another_language_is_found(page: Any) -> None:
    """Whether it is shown, heard, or a title; in a name or in the middle of a sentence."""
    for language in ("zh", "ja"):
        speak(page, language)
        page.evaluate(QUIET, DRAWN)
        page.evaluate(PLANT)
        words = {word for words in said(page, language).values() for word in words}
        assert {"heard", "shown", "titled", "typed", "within"} <= words and "hidden" not in words


@pytest.mark.parametrize("id", mostly_soaked(TABLES, ["american"]))
def test_a_hand_and_its_replay_are_in_one_language(page: Any, web_server: Server, id: str) -> None:
    """At the deal, with everything beside the table, at the end, and afterwards."""
    sit_down(page, id, seed=TABLES[id])
    page.wait_for_selector(".hand-tile")
    found = mixed(page, "at the deal", afresh=".hand-tile")
    tabs = page.locator(".side [role=tab]")
    if not tabs.count():
        page.keyboard.press("h")
    tabs.first.wait_for()
    for tab in range(tabs.count()):
        tabs.nth(tab).click()
        found |= mixed(page, f"tab {tab}")
    page.keyboard.press("h")
    code = sit_ahead(page, id, [TABLES[id]], seats=[PERSON, *[FAST] * 3])
    page.wait_for_selector("[data-do=next]")
    found |= mixed(page, "at the end", afresh="[data-do=next]")
    page.click("[data-do=next]")
    page.wait_for_selector(".ranking")
    page.goto(f"{web_server.url}/r/{code}")
    page.wait_for_selector(".replay [data-code]", state="attached")
    found |= mixed(page, "replayed")
    assert found == {}
