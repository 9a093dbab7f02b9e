"""The workshop in a real browser: a mistake made and mended, examples, a hand, games, a table; kept and shared."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from web_server import Server, fresh_page

WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
SECONDS = 120_000  # milliseconds, after which something hangs
MARKUP = "<img src=x onerror=document.title='taken'>"


class Bench:
    """A page with the workshop; whatever the browser complains of is kept."""

    def __init__(self, page: Any, url: str) -> None:
        self.url = url
        self.page = page
        self.page.set_default_timeout(SECONDS)
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda one: self.faults.append(one.text) if one.type == "error" else None)

    def begin(self, name: str = "Sunday rules", kind: str = "ruleset") -> "Bench":
        """A new ruleset or mod from the template."""
        self.page.goto(f"{self.url}/workshop")
        self.page.get_by_label("Name").fill(name)
        self.page.get_by_label("Kind").select_option(kind)
        self.page.get_by_role("button", name="Begin").click()
        return self.ready()

    def open(self, address: str) -> "Bench":
        self.page.goto(address)
        return self.ready()

    def ready(self) -> "Bench":
        self.page.wait_for_selector(".cm-content")
        self.page.wait_for_selector(".found-problems strong:is(.fine, .bad, .warm)", state="attached")
        return self

    @property
    def text(self) -> str:
        return str(self.page.evaluate("document.querySelector('.cm-content').cmTile.view.state.doc.toString()"))

    def put(self, text: str) -> None:
        """Another text in the editor."""
        self.page.evaluate(
            """text => {
              const { view } = document.querySelector('.cm-content').cmTile;
              view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
            }""",
            text,
        )

    def line(self, text: str) -> None:
        """The caret at the end of the line that begins so, found as one finds it: by searching."""
        self.page.locator(".cm-content").focus()
        self.page.keyboard.press("Control+Home")
        self.page.keyboard.press("Control+f")
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")
        self.page.keyboard.press("Escape")
        self.page.keyboard.press("End")

    def instead(self, old: str, new: str) -> None:
        """Another text before the caret."""
        for _ in old:
            self.page.keyboard.press("Backspace")
        self.page.keyboard.type(new)

    def undo(self, text: str) -> None:
        """Undo until the text is as it was: one step takes back what was typed without a pause, which a busy machine
        makes."""
        while self.text != text:
            before = self.text
            self.page.keyboard.press("Control+z")
            assert self.text != before

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=re.compile(f"^{name}")).click()

    def explains(self, line: str, word: str) -> bool:
        """Whether the meaning of a word shows where the mouse rests on it; it goes when the page brings news."""
        self.page.mouse.move(0, 0)
        self.page.locator(".cm-line", has_text=line).get_by_text(word).hover()
        self.page.wait_for_timeout(1_000)
        return bool(self.page.locator(".cm-tooltip .meaning").count())

    def problems(self) -> list[str]:
        return [str(text) for text in self.page.locator(".found-problems li").all_inner_texts()]

    def fine(self) -> None:
        self.page.wait_for_selector(".found-problems strong.fine")


def until(condition: Callable[[], Any]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + SECONDS / 1000
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


OpenBench = Callable[..., Bench]


@pytest.fixture
def bench(web_server: Server, chromium: Any) -> Iterator[OpenBench]:
    """Opens pages, of one person unless another is named; nothing that they do makes the browser complain."""
    opened: list[Bench] = []
    people: dict[str, Any] = {}
    with ExitStack() as pages:

        def open(who: str = "Ann", size: Any = WIDE, **how: Any) -> Bench:
            if who in people:
                page = people[who].new_page()
            else:
                page = pages.enter_context(fresh_page(chromium, web_server.url, viewport=size, **how))
                people[who] = page.context
            opened.append(Bench(page, web_server.url))
            return opened[-1]

        yield open
        faults = [fault for one in opened for fault in one.faults if "ERR_INTERNET_DISCONNECTED" not in fault]
    assert faults == []


def a_mistake_is_shown_at_its_line_and_mended(one: Bench) -> None:
    text = one.text
    one.line("one_suit:")
    one.page.keyboard.type("\nwurth: 6")
    one.page.wait_for_selector(".found-problems strong.bad")
    row = one.text.splitlines().index("    wurth: 6") + 1
    assert any(text.startswith(f"{row}:5") for text in one.problems())
    one.page.wait_for_selector(".cm-lint-marker-error")
    assert one.page.locator(".cm-lintRange-error").first.inner_text().startswith("wurth")
    one.page.locator(".found-problems li button").first.click()
    assert one.page.locator(".cm-activeLineGutter").first.inner_text() == str(row)
    one.undo(text)
    one.fine()
    assert one.problems() == []


def words_are_completed_and_explained(one: Bench) -> None:
    text = one.text
    one.line("one_suit:")
    one.page.keyboard.type("\nfam")
    one.page.locator(".cm-tooltip-autocomplete li[aria-selected=true]", has_text="family").wait_for()
    one.page.wait_for_timeout(200)  # a list that has just come takes no key yet
    one.page.keyboard.press("Enter")
    assert "    family: " in one.text
    one.undo(text)
    until(lambda: one.explains("extends: standard", "extends"))
    one.page.locator(".outline button", has_text="self drawn").click()
    one.page.locator(".cm-activeLine", has_text="self_drawn:").wait_for()


def a_text_is_laid_out_and_mended(one: Bench) -> None:
    before = one.text
    one.page.wait_for_selector(".cm-line.tally")
    assert "✓" in str(one.page.locator(".cm-line.tally").first.get_attribute("data-tally"))
    one.line("worth: 6")
    one.instead("worth: 6", "wurth:    6")
    one.page.wait_for_selector(".cm-lintRange-error")
    one.page.get_by_role("button", name="Format").click()
    until(lambda: "    wurth: 6" in one.text)
    one.page.wait_for_selector(".cm-lintRange-error")
    one.page.locator(".cm-lintRange-error").first.hover()
    one.page.get_by_role("button", name="Change to worth").click()
    one.fine()
    assert one.text == before


def an_example_fails_and_passes(one: Bench) -> None:
    one.tab("Examples")
    one.page.wait_for_selector(".example.good")
    one.line("hand: 222m 777p 567s 55s CC")
    one.instead("false}", "true}")
    one.page.wait_for_selector(".example.fails")
    assert "All triplets" in one.page.locator(".example.fails").inner_text()
    assert "1 of 7" in one.page.locator(".examples strong").first.inner_text()
    one.page.wait_for_selector(".found-problems strong.bad")
    one.instead("true}", "false}")
    one.page.wait_for_selector(".examples strong.fine")
    one.fine()


def what_no_example_reaches_is_marked(one: Bench) -> None:
    one.tab("Examples")
    one.page.get_by_role("button", name="What they do not reach").click()
    note = one.page.locator(".unreached button").first
    note.wait_for()
    assert "%" in one.page.locator(".note-box strong").inner_text()
    assert one.page.locator(".cm-lintRange-info").count() >= 1
    note.click()
    line = note.locator(".number").inner_text()
    until(lambda: one.page.locator(".cm-activeLineGutter").first.inner_text() == line)
    one.fine()


def a_hand_is_scored(one: Bench) -> None:
    one.tab("Examples")
    one.page.locator(".example .button").first.click()
    one.page.wait_for_selector(".scored .verdict.fine")
    assert one.page.locator(".verdict strong").inner_text() == "3"
    assert one.page.locator(".shown-hand .tile").count() == 14
    one.page.locator("summary", has_text="Tap tiles").click()
    one.page.locator("[data-field=win_tile]").focus()
    one.page.locator(".palette .tile-button").first.click()
    one.page.wait_for_selector(".scored .verdict.warm")


def an_expression_is_worked_out(one: Bench) -> None:
    one.tab("Examples")
    one.page.locator(".example .button").first.click()
    one.page.locator("[data-field=expression]").fill("count(t in honours for t in kinds) > least_points")
    one.page.wait_for_selector(".evaluated .parts li")
    rows = [
        text.split("\n")[0].replace("\xa0", " ") for text in one.page.locator(".evaluated .parts li").all_inner_texts()
    ]
    assert rows[:2] == ["count(t in honours for t in kinds) > least_points yes", "count(t in honours for t in kinds) 2"]
    assert "least_points 0" in rows and "t = E: t in honours yes" in rows
    one.page.locator("[data-field=expression]").fill("{suit: 1}")
    one.page.get_by_text("there is no key 'suit' here").wait_for()


def games_are_simulated_and_stopped(one: Bench) -> None:
    one.tab("Simulate")
    one.page.get_by_label("Who plays").select_option("random")
    one.page.get_by_role("button", name="Simulate").click()
    one.page.wait_for_selector(".games .figures")
    one.page.get_by_role("button", name="Stop").click()
    one.page.get_by_role("button", name="Simulate").wait_for()
    one.page.get_by_label("Games").select_option("20")
    one.page.get_by_role("button", name="Simulate").click()
    one.page.get_by_text("20 / 20").wait_for()
    assert one.page.locator(".games .figures dd").first.inner_text() == "20"


def a_name_is_found_and_changed(one: Bench) -> None:
    """F12 goes to where it is declared, Shift+F12 chooses every place of it, F2 asks for another name."""
    uses = one.text.count("one_suit")
    one.line("one_suit")
    for _ in range(3):
        one.page.keyboard.press("ArrowLeft")
    one.page.keyboard.press("Shift+F12")
    one.page.locator(".toast", has_text=re.compile(rf"{uses} place")).first.wait_for()
    one.page.keyboard.press("F2")
    one.page.get_by_label("New name").fill("all_triplets")
    one.page.get_by_role("button", name="Rename", exact=True).click()
    one.page.locator(".renaming [role=alert]", has_text="already").wait_for()
    one.page.get_by_label("New name").fill("one_colour")
    one.page.keyboard.press("Enter")
    until(lambda: one.text.count("one_colour") == uses and "one_suit" not in one.text)
    one.fine()


def a_table_is_opened(one: Bench) -> None:
    one.tab("Play")
    one.page.get_by_role("button", name="Play", exact=True).click()
    one.page.wait_for_url("**/t/*")
    one.page.wait_for_selector(".hand-row .tile, .felt")


STEPS = (
    a_mistake_is_shown_at_its_line_and_mended,
    words_are_completed_and_explained,
    a_text_is_laid_out_and_mended,
    an_example_fails_and_passes,
    what_no_example_reaches_is_marked,
    a_hand_is_scored,
    an_expression_is_worked_out,
    games_are_simulated_and_stopped,
    a_name_is_found_and_changed,
    a_table_is_opened,
)


def test_a_ruleset_is_worked_on(bench: OpenBench) -> None:
    """One after the other on one page; most leave the text as it was."""
    one = bench().begin()
    one.page.wait_for_selector(".book h2")  # the rulebook is written
    for step in STEPS:
        step(one)


OLD = """tilewright: 1
kind: mod
id: late_riichi
name: {en: Late riichi}
for: [{only: riichi}]
add:
  patterns:
    late: {name: {en: Late}, worth: 1, when: {marks: [ready, last_tile]}}   # in the last row
"""


def test_a_mod_is_begun_and_an_old_one_upgraded(bench: OpenBench) -> None:
    """Its rulebook is written, though it has no note yet."""
    one = bench().begin("Late riichi", "mod")
    one.page.locator(".book .inside p", has_text="Late riichi").first.wait_for()
    one.fine()
    one.put(OLD)
    one.page.get_by_role("button", name="Upgrade", exact=True).click()
    until(lambda: one.text == OLD.replace(": 1\n", ": 2\n", 1).replace("ready", "riichi"))
    one.page.get_by_role("button", name="Upgrade", exact=True).wait_for(state="detached")
    until(lambda: not [text for text in one.problems() if "is called" in text])


def test_a_block_that_cannot_be_shown_hides_no_other(bench: OpenBench) -> None:
    strange = [{"block": "list", "items": 7}, {"block": "list"}, {"block": "of later days", "text": "Of later days"}]

    def answer(route: Any) -> None:
        book = route.fetch().json()
        book["sections"][0]["blocks"][:0] = [*strange, {"block": "entry", "text": "Around it", "blocks": strange}]
        route.fulfill(json=book)

    one = bench()
    one.page.route("**/api/rulebook", answer)
    one.begin()
    first = one.page.locator(".book .inside").first
    first.locator("p", has_text="Of later days").nth(1).wait_for()
    first.locator("p", has_text="This part cannot be shown.").nth(3).wait_for()
    assert first.locator("p", has_text="Say here what kind of game").count() == 1
    assert first.locator(".entry-title", has_text="Around it").count() == 1
    assert len(one.faults) == 4  # each is told to the browser
    one.faults.clear()


def test_what_is_not_saved_survives_without_a_network_and_is_saved(bench: OpenBench) -> None:
    one = bench().begin()
    address = one.page.url
    one.line("en: Say here")
    one.page.keyboard.type(" Kept.")
    one.open(address)
    assert "Kept." in one.text
    one.page.get_by_role("button", name="Save").click()
    one.page.wait_for_selector(".save-state:not(.warm)")
    other = bench().open(address)
    assert "Kept." in other.text
    other.line("en: Say here")
    other.page.keyboard.type(" Newer.")
    other.page.keyboard.press("Control+s")
    other.page.wait_for_selector(".save-state:not(.warm)")
    one.line("en: Say here")
    one.page.keyboard.type(" Mine.")
    one.page.keyboard.press("Control+s")
    one.page.get_by_role("button", name="Take the saved version").click()
    until(lambda: "Newer." in one.text)
    assert "Mine." not in one.text
    one.faults.clear()  # a conflict is an answer that the browser notes
    one.page.context.set_offline(True)
    one.line("en: Say here")
    one.page.keyboard.type(" Offline.")
    one.page.keyboard.press("Control+s")
    one.page.get_by_text("The server cannot be reached").wait_for()
    one.page.context.set_offline(False)
    one.page.wait_for_selector(".save-state:not(.warm)")
    one.faults.clear()
    assert "Offline." in one.open(address).text


def test_a_link_shares_a_document_and_markup_in_names_stays_text(bench: OpenBench) -> None:
    one = bench().begin(name="Shared rules")
    one.line("name: {en: Shared rules}")
    one.page.get_by_role("button", name="Share").click()
    said = one.page.locator(".toast", has_text="/workshop/").inner_text()
    code = re.search(r"/workshop/([A-Z]{20})\b", said)
    assert code is not None
    other = bench("Bob").open(f"{one.url}/workshop/{code[1]}")
    assert "id: shared_rules" in other.text
    other.page.get_by_role("button", name="Keep a copy").click()
    other.page.wait_for_url(re.compile(r"/workshop/[A-Z]{10}$"))
    one.line("all_triplets:")
    one.page.keyboard.type(f"\nabout: {MARKUP}\nwurth: {MARKUP}")
    one.page.wait_for_selector(".found-problems strong.bad")
    assert one.page.locator("img").count() == 0
    assert one.page.title() != "taken"


def test_it_works_on_a_phone(bench: OpenBench) -> None:
    one = bench("Cem", NARROW, has_touch=True, is_mobile=True).begin()
    assert one.page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    one.tab("Outline")
    one.page.get_by_role("button", name="one suit").tap()
    one.page.locator(".cm-activeLine", has_text="one_suit:").wait_for()
    one.tab("Examples")
    one.page.wait_for_selector(".example.good")
    for button in one.page.locator(".bench button:visible").all():
        box = button.bounding_box()
        assert box is None or box["height"] >= 30
    assert one.page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
