"""Pages in each language, in a real browser: no page shows a word of another one.

What a page says is what it shows and what it tells screen readers: its texts, names of controls, and titles. Texts
that a person typed are left out, cards, which are shown as they are printed, and rulesets that lack the language.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from test_languages import DOCUMENTS, RULESETS, foreign
from test_web_table import WIDE, opened, play_on, sit_down
from web_server import ADMIN, Server

from tilewright.language.documents.fields import texts
from tilewright.presentation.catalogue import chosen

LANGUAGES = ("en", "zh", "ja")
NOTHING = re.compile(r"(?!)")
CODES = re.compile(r"(?<![A-Za-z])(?:[A-Z]{1,6}[\d~]*|[A-Z][a-z])(?![A-Za-z])")  # of the language of cards
NAMES_OF_LANGUAGES = ("English", "中文", "日本語")  # each in its own language, where one is chosen
PRINTED = (
    ".card-list p, .drawn .name, .drawn .about, .drawn .title b, .drawn .title .soft, .small-card h2, .small-card h3"
)
TYPED = "code, kbd, pre, textarea, .code, .cm-editor, .outline, .card-sets, .card-set, .brand .word, select.language"
SAID = f"""() => {{
  const left = `{TYPED}, {PRINTED}, script, style, svg, [lang]:not(html)`;
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
QUIET = """async () => {
  const end = performance.now() + 5_000;
  let last = performance.now();
  const seen = new MutationObserver(() => (last = performance.now()));
  seen.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  while (performance.now() < Math.min(end, last + 100)) await new Promise(requestAnimationFrame);
  seen.disconnect();
}"""
OPEN_ALL = "document.querySelectorAll('details').forEach((one) => (one.open = true))"
PLANT = """() => document.querySelector("#main").insertAdjacentHTML("beforeend", `<p>shown</p><p>這是 within 牌</p>
  <p title="titled">一</p><button aria-label="heard">二</button><input placeholder="typed"><p hidden>hidden</p>`)"""
# What every ruleset says in each language, test_languages.py asks: these show all that a page has.
TABLES = {"en": ("riichi",), "zh": ("american", "sichuan"), "ja": ("riichi",)}
SEEDS = {"american": 21, "riichi": 3, "sichuan": 2}
PATHS = {  # path -> what is there once the page is drawn
    "/": "[data-ruleset]",
    "/rules": ".variant .line",
    "/rules/RULES": ".book .tile",
    "/learn": ".lessons .tile",
    "/cards": ".panel .cover",
    "/cards/bundled-basic1": ".drawn [data-row]",
    "/workshop": ".shelf, .panel",
    "/workshop/RULES": ".cm-line",
    "/replays": ".replay-list",
    "/admin": "h1",
    "/nothing": "h1",
    "/t/KDMWQBRTZXCFGHJMNPWD": "h1",
}


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def page(chromium: Any, web_server: Server, language: str) -> Iterator[Any]:
    for page in opened(chromium, web_server, viewport=WIDE):
        page.select_option("select.language", language)
        yield page


def said(page: Any, language: str, typed: re.Pattern[str] = NOTHING) -> dict[str, list[str]]:
    """What the page says that has a word of another language, with these words; `typed`: what is typed as it is."""
    texts = (text for text in page.evaluate(SAID) if text not in NAMES_OF_LANGUAGES)
    return {text: words for text in texts if (words := foreign(typed.sub("", text), language))}


def test_pages_are_in_one_language(page: Any, web_server: Server, language: str) -> None:
    found = {}
    for path, seen in PATHS.items():
        page.goto(web_server.url + path.replace("RULES", TABLES[language][-1]))
        page.wait_for_selector(seen)
        page.keyboard.press("?")
        found |= {f"{path}: {text}": words for text, words in said(page, language).items()}
    assert found == {}


def test_the_first_game_has_rules_in_the_language_of_the_page(page: Any, web_server: Server, language: str) -> None:
    page.goto(web_server.url)
    page.wait_for_selector(".cta small")
    offered = page.inner_text(".cta small")
    assert any(chosen(texts(DOCUMENTS[id].get("name")), language) in offered for id in RULESETS)


def test_a_card_has_its_title_in_the_language_of_the_page(page: Any, web_server: Server, language: str) -> None:
    page.goto(f"{web_server.url}/cards/bundled-moon_gate")
    page.wait_for_selector(".drawn [data-row]")
    assert page.inner_text(".drawn .name") == {"en": "Moon Gate", "zh": "月洞門", "ja": "月の門"}[language]


def test_setting_up_is_in_one_language(page: Any, web_server: Server, language: str) -> None:
    """Every ruleset: its presets, options with their values, mods with their options, times."""
    found = {}
    for id in RULESETS:
        page.goto(f"{web_server.url}/#{id}")
        page.wait_for_selector(f".setup a[href='/rules/{id}']")
        page.evaluate(OPEN_ALL)
        for mod in page.locator(".mods > li > .tick input").all():
            if mod.is_enabled():  # one may exclude another
                mod.check()
        found |= {f"{id}: {text}": words for text, words in said(page, language).items()}
    assert found == {}


def test_learning_is_in_one_language(page: Any, web_server: Server, language: str) -> None:
    found = {}
    page.goto(f"{web_server.url}/learn")
    for id in RULESETS:
        page.wait_for_selector(".lessons .tile")
        page.select_option("aside select", id)
        page.wait_for_selector(f"aside a[href='/rules/{id}']")
        page.evaluate(QUIET)
        found |= {f"{id}: {text}": words for text, words in said(page, language).items()}
    assert found == {}


def test_the_workshop_is_in_one_language(page: Any, web_server: Server, language: str) -> None:
    """Every panel of a ruleset: examples, a hand with its score, an expression, games, a table; then a mistake."""
    found: dict[str, list[str]] = {}

    def look(moment: str) -> None:
        page.evaluate(QUIET)
        page.evaluate(OPEN_ALL)
        found.update({f"{moment}: {text}": words for text, words in said(page, language).items()})

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
    page.locator(".panel-body .button.main").click()
    page.wait_for_selector(".figures, .bars")
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


def test_administration_is_in_one_language(page: Any, web_server: Server, language: str) -> None:
    page.goto(f"{web_server.url}/admin")
    page.fill("input[type=password]", ADMIN)
    page.click(".sign-in button[type=submit]")
    page.wait_for_selector(".admin table")
    page.evaluate(QUIET)
    assert said(page, language) == {}


@pytest.mark.parametrize("language", ["en"], indirect=True)
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
    page.evaluate(QUIET)
    assert page.locator(".admin table").count() and not page.locator("[role=alert]").count()


def test_the_card_editor_is_in_one_language(page: Any, web_server: Server, language: str) -> None:
    found: dict[str, list[str]] = {}
    page.goto(f"{web_server.url}/cards/bundled-basic1")
    page.wait_for_selector(".drawn [data-row]")
    page.locator("[role=textbox], textarea").first.press("Control+End")
    page.keyboard.type("\n11 22 nonsense X25")
    tabs = page.locator("[role=tab]")
    for tab in range(tabs.count()):
        tabs.nth(tab).click()
        page.evaluate(QUIET)
        found |= {f"tab {tab}: {text}": words for text, words in said(page, language, CODES).items()}
    assert found == {}


@pytest.mark.parametrize("language", ["zh", "ja"], indirect=True)
def test_a_word_of_another_language_is_found(page: Any, language: str) -> None:
    """Whether it is shown, heard, or a title; in a name or in the middle of a sentence."""
    page.wait_for_selector("[data-ruleset]")
    page.evaluate(PLANT)
    words = {word for words in said(page, language).values() for word in words}
    assert {"heard", "shown", "titled", "typed", "within"} <= words and "hidden" not in words


def test_a_hand_and_its_replay_are_in_one_language(page: Any, web_server: Server, language: str) -> None:
    """At the deal, with everything beside the table, at the end, and afterwards."""
    found = {}

    def look(moment: str) -> None:
        found.update({f"{moment}: {text}": words for text, words in said(page, language).items()})

    for id in TABLES[language]:
        seats = [{"kind": "person"}, *[{"kind": "bot", "bot": "fast"}] * 2]
        code = sit_down(page, id, seed=SEEDS[id], **({"seats": seats} if id == "sanma" else {}))
        page.wait_for_selector(".hand-tile")
        look(f"{id} at the deal")
        tabs = page.locator(".side [role=tab]")
        if not tabs.count():
            page.keyboard.press("h")
        tabs.first.wait_for()
        for tab in range(tabs.count()):
            tabs.nth(tab).click()
            page.evaluate(QUIET)
            look(f"{id} tab {tab}")
        page.keyboard.press("h")
        play_on(page, page.mouse.click)
        look(f"{id} at the end")
        page.goto(f"{web_server.url}/r/{code}")
        page.wait_for_selector(".replay [data-code]", state="attached")
        page.evaluate(QUIET)
        look(f"{id} replayed")
        page.goto(web_server.url)
        page.wait_for_selector("[data-ruleset]")
    assert found == {}
