"""Pages in each language, in a real browser: no page shows a word of another one.

What a page says is what it shows and what it tells screen readers: its texts, names of controls, and titles. Texts
that a person typed are left out, cards, which are shown as they are printed, and rulesets that lack the language.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from test_languages import OWN_WORDS, RULESETS, foreign
from test_web_table import WIDE, opened, play_on, sit_down
from web_server import Server

LANGUAGES = ("en", "zh", "ja")
NAMES_OF_LANGUAGES = ("English", "中文", "日本語")  # each in its own language, where one is chosen
PRINTED = (
    ".card-list p, .drawn .name, .drawn .about, .drawn .title b, .drawn .title .soft, .small-card h2, .small-card h3"
)
TYPED = "code, kbd, pre, textarea, .code, .cm-editor, .outline, .card-sets, .card-set, .brand .word, select.language"
SAID = f"""(others) => {{
  const left = `{TYPED}, {PRINTED}, script, style, svg, [lang]:not(html), ${{others.join(", ")}}`;
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
TABLES = {"en": ("american", "riichi"), "zh": ("american", "riichi", "sichuan", "uzje"), "ja": ("riichi", "sanma")}
SEEDS = {"american": 21, "riichi": 3, "sanma": 3, "sichuan": 2, "uzje": 3}
PATHS = {  # path -> what is there once the page is drawn
    "/": "[data-ruleset]",
    "/rules/RULES": ".book .tile",
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


def said(page: Any, language: str) -> dict[str, list[str]]:
    """What the page says that has a word of another language, with these words."""
    others = [f"[data-ruleset={id}]" for id in RULESETS if id not in OWN_WORDS[language]] or [".none"]
    texts = (text for text in page.evaluate(SAID, others) if text not in NAMES_OF_LANGUAGES)
    return {text: words for text in texts if (words := foreign(text, language))}


def test_pages_are_in_one_language(page: Any, web_server: Server, language: str) -> None:
    found = {}
    for path, seen in PATHS.items():
        page.goto(web_server.url + path.replace("RULES", TABLES[language][-1]))
        page.wait_for_selector(seen)
        page.keyboard.press("?")
        found |= {f"{path}: {text}": words for text, words in said(page, language).items()}
    assert found == {}


def test_setting_up_is_in_one_language(page: Any, web_server: Server, language: str) -> None:
    found = {}
    for id in TABLES[language]:
        page.click(f"[data-ruleset={id}] .button:not(.main)")
        page.wait_for_selector(".setup")
        page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        found |= {f"{id}: {text}": words for text, words in said(page, language).items()}
        page.goto(web_server.url)
        page.wait_for_selector("[data-ruleset]")
    assert found == {}


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
