"""The card editor in a real browser: typed, mended, processed, undone, moved, saved, reloaded, shared, printed."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from web_server import Server, fresh_page

WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
EVENS, RUNS, RED = "22 444 666 8888 DD X25", "11 222 3333 444 55 Va X25", "FF 2222 r4444 6666 X30"
CARD = f"Kitchen Table\n“Evens”\n{EVENS}\n{RED}\n“Runs”\n{RUNS}\n"
MARKUP = "<img src=x onerror=document.title='taken'>"
SECONDS = 120_000  # milliseconds, after which something hangs


class Editor:
    """A page with the editor; whatever the browser complains of is kept."""

    def __init__(self, page: Any, url: str) -> None:
        self.url = url
        self.page = page
        self.page.set_default_timeout(SECONDS)
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda one: self.faults.append(one.text) if one.type == "error" else None)

    def open(self, path: str = "/cards/new") -> "Editor":
        self.page.goto(self.url + path)
        self.page.wait_for_selector(".code textarea")
        return self

    @property
    def field(self) -> Any:
        return self.page.locator(".code textarea")

    @property
    def text(self) -> str:
        return str(self.field.input_value())

    def write(self, text: str) -> "Editor":
        """Another text altogether, as if it was pasted."""
        self.field.fill(text)
        return self

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def row(self, number: int) -> None:
        """The caret at the end of a row, counted from 1, by keys alone."""
        self.field.focus()
        self.press("Control+Home", *["ArrowDown"] * (number - 1), "End")

    def drawn(self, row: int) -> Any:
        """The line or title of a row in the drawn card."""
        return self.page.locator(f".drawn [data-row='{row}']")

    def state(self, name: str) -> None:
        """Wait until the card is saved, or whatever is expected of it."""
        self.page.wait_for_selector(f".kept[data-state='{name}']")

    def see(self, selector: str, text: str = "") -> Any:
        """Wait for something to be seen."""
        found = self.page.locator(selector).filter(has_text=text).first
        found.wait_for()
        return found

    def until(self, script: str) -> None:
        """Wait until this is so."""
        self.page.wait_for_function(f"() => !!({script})")


OpenEditor = Callable[..., Editor]


@pytest.fixture
def editor(web_server: Server, chromium: Any) -> Iterator[OpenEditor]:
    """Opens pages of one person; nothing that they do makes the browser complain. Without a service worker: tests
    would not see the requests that it takes over."""
    opened: list[Editor] = []
    people: dict[str, Any] = {}
    with ExitStack() as pages:

        def open(who: str = "Ann", size: Any = WIDE, path: str = "/cards/new", **how: Any) -> Editor:
            if who in people:
                page = people[who].new_page()
            else:
                how = {"viewport": size, "service_workers": "block", **how}
                page = pages.enter_context(fresh_page(chromium, web_server.url, **how))
                people[who] = page.context
            opened.append(Editor(page, web_server.url))
            return opened[-1].open(path)

        yield open
    assert [fault for one in opened for fault in one.faults] == []


# --- written


def a_line_is_drawn_and_counted_as_it_is_typed_and_mended(one: Editor) -> None:
    one.page.keyboard.type("Kitchen Table")  # over the name that a new card has
    assert one.text.startswith("Kitchen Table\n“")
    one.row(3)
    one.page.keyboard.type("22 444 666 8888 D")
    assert one.see(".code .figures.off").inner_text() == "13/14"
    assert one.drawn(3).locator(".set").all_inner_texts() == ["22", "444", "666", "8888", "D"]
    one.see(".code .bubble.error", "13 tiles, 1 too few")
    one.page.keyboard.type("D X25")
    one.see(".drawn [data-row='3']:not(.broken)")
    one.see(".code .row.lit .figures", "3")
    one.see("#card-detail", "3 hands")
    assert one.page.locator(".code .bubble").count() == 0
    assert one.drawn(3).locator(".worth").inner_text() == "X 25"


def what_is_wrong_stands_under_the_character(one: Editor) -> None:
    one.write("Kitchen Table\n“Evens”\n22 444 666 8888 JJ X25")
    one.row(3)
    bubble = one.see(".code .bubble.error .said")
    wrong = one.page.locator(".code .row.lit > .error").first
    assert wrong.inner_text() == "JJ"
    under, over = bubble.bounding_box(), wrong.bounding_box()
    assert under["y"] >= over["y"] + over["height"] - 12
    assert abs(under["x"] - over["x"]) < 12
    one.press("Escape")
    one.until("!document.querySelector('.code .bubble')")
    one.page.locator(".card-problems summary").click()
    one.page.locator(".card-problems .told").first.click()
    selected = "one => one.value.slice(one.selectionStart, one.selectionEnd)"
    assert one.field.evaluate(selected) == "JJ"


def letters_of_the_field_lie_upon_their_picture(one: Editor) -> None:
    long = f"{RUNS} (any run, {'and so on ' * 12})"
    one.write(f"Kitchen Table\n“Evens”\n{long}\n{EVENS}")
    one.see(".code .row.line .figures")
    heights = one.page.evaluate(
        """() => {
          const field = document.querySelector(".code textarea"), rows = [...document.querySelectorAll(".code .row")];
          const style = getComputedStyle(field), line = getComputedStyle(rows[0]);
          return [field.scrollHeight <= field.clientHeight, rows[2].offsetHeight > 1.5 * rows[0].offsetHeight,
                  style.font === line.font.replace("700", "400"), field.clientWidth - parseFloat(style.paddingLeft)
                  - parseFloat(style.paddingRight) === rows[2].clientWidth - parseFloat(line.paddingLeft)
                  - parseFloat(line.paddingRight)];
        }"""
    )
    assert heights == [True, True, True, True]


def the_line_of_the_caret_is_lit_in_both_views(one: Editor) -> None:
    one.write(CARD)
    one.see(".drawn [data-row='6']")
    one.row(4)
    one.until("document.querySelector('.drawn [data-row=\"4\"]').getAttribute('aria-current') === 'true'")
    assert one.page.locator(".code .row.lit").inner_text().startswith(RED)
    one.drawn(6).click()
    one.until("document.querySelector('.code .row.lit').textContent.startsWith('11 222')")
    one.press("F6", "ArrowUp", "ArrowUp")
    one.until("document.querySelector('.code .row.lit').textContent.startsWith('FF 2222')")


def lines_and_groups_are_inserted_moved_doubled_deleted_undone_by_keys(one: Editor) -> None:
    """What becomes of the text: tests/page_js/rows.test.mjs."""
    one.write(CARD)
    one.row(3)
    one.press("Alt+ArrowDown", "Alt+Shift+ArrowDown")
    assert one.text.split("\n")[2:5] == [RED, EVENS, EVENS]
    one.press("Control+Shift+K", "Control+Shift+K")
    assert one.text.split("\n")[2:4] == [RED, "“Runs”"]
    one.press("Control+z", "Control+z", "Control+z", "Control+z")
    assert one.text == CARD
    one.press("Control+y", "Control+z", "Alt+g")
    one.page.keyboard.type("Winds")
    one.press("End", "Control+Enter")
    one.page.keyboard.type("NNN EEEE WWWW SSS C40")
    one.see(".drawn .title", "Winds")
    assert one.text.split("\n").count("“Winds”") == 1
    one.press("Control+z", "Control+z")
    one.press("Control+Shift+z", "Control+Shift+z")
    assert "NNN EEEE WWWW SSS C40" in one.text


def figures_and_difficulty_stand_beside_each_line(one: Editor) -> None:
    one.write(CARD)
    one.see(".drawn .together", "24 different hands")
    one.until("document.querySelector('.drawn [data-row=\"6\"] .hardness')?.textContent.match(/^\\d+\\.\\d$/)")
    assert one.drawn(6).locator(".count").first.inner_text() == "15"
    assert one.drawn(5).locator(".count").inner_text() == "15"
    asked: list[str] = []
    one.page.on("request", lambda sent: asked.append(sent.post_data) if sent.url.endswith("/process") else None)
    one.row(6)
    one.press("Enter")
    one.page.keyboard.type("NN EEEE WWWW SSSS C40")
    one.until("document.querySelector('.drawn [data-row=\"7\"] .hardness')?.textContent.match(/^\\d+\\.\\d$/)")
    assert "NN EEEE WWWW SSSS" in asked[-1]
    assert "8888" not in asked[-1]


def codes_are_looked_up_and_put_in_at_the_caret(one: Editor) -> None:
    one.write(f"Kitchen Table\n“Runs”\n{RUNS.replace(' Va', '')}")
    one.row(3)
    one.press(*["ArrowLeft"] * 4, "Alt+c")
    one.page.wait_for_selector("#codes-search:focus")
    one.page.keyboard.type("run")
    one.see(".reference .put", "Va").click()
    assert one.text.endswith("\n11 222 3333 444 55 Va X25")
    one.page.keyboard.type("")
    one.see(".example button", "111 333 555 77 DDD Vo X25").click()
    assert one.text.endswith("\n111 333 555 77 DDD Vo X25")


def hands_of_a_line_are_listed_with_their_tiles(one: Editor) -> None:
    one.write(CARD)
    one.row(6)
    one.page.get_by_role("button", name="List them").click()
    one.see(".hands li", "c11 222 3333 444 55")
    assert one.page.locator(".hands li").count() == 15
    one.see(".hands li .tile svg use")


def test_text_of_strangers_is_never_html(editor: OpenEditor) -> None:
    one = editor()
    one.write(f"{MARKUP}\n“{MARKUP}”\n{EVENS} ({MARKUP})\n{MARKUP}\n(about: {MARKUP})")
    one.see(".drawn .title", MARKUP)
    one.page.get_by_role("tab", name="Paper").click()
    one.see(".sheets svg text")
    assert one.page.locator("main img").count() == 0
    assert "taken" not in one.page.title().replace(MARKUP, "")


STEPS = (
    a_line_is_drawn_and_counted_as_it_is_typed_and_mended,
    what_is_wrong_stands_under_the_character,
    letters_of_the_field_lie_upon_their_picture,
    the_line_of_the_caret_is_lit_in_both_views,
    lines_and_groups_are_inserted_moved_doubled_deleted_undone_by_keys,
    figures_and_difficulty_stand_beside_each_line,
    codes_are_looked_up_and_put_in_at_the_caret,
    hands_of_a_line_are_listed_with_their_tiles,
)


def test_a_card_is_written(editor: OpenEditor) -> None:
    """One after the other on one page; each writes another text."""
    one = editor()
    for step in STEPS:
        step(one)


# --- kept


def test_a_card_is_saved_reloaded_listed_and_deleted(editor: OpenEditor) -> None:
    one = editor("Eve")
    one.write(CARD)
    one.state("saved")
    assert re.search(r"/cards/[A-Z0-9]+$", one.page.url)
    one.page.reload()
    one.page.wait_for_selector(".code textarea")
    assert one.text == CARD
    one.page.goto(one.url + "/cards")
    one.see(".card-list h3", "Kitchen Table")
    one.page.get_by_role("button", name="Delete Kitchen Table").click()
    one.page.get_by_role("button", name="Delete", exact=True).click()
    one.see("p", "You have no cards yet")


def test_what_is_typed_survives_a_lost_network_and_a_reload(editor: OpenEditor) -> None:
    one = editor("Joe")
    one.write(CARD)
    one.state("saved")
    where = one.page.url
    one.page.route("**/api/cards**", lambda route: route.abort())
    one.row(6)
    one.page.keyboard.type(" (any run)")
    one.state("offline")
    one.page.unroute("**/api/cards**")
    one.page.route(
        "**/api/cards/*", lambda route: route.abort() if route.request.method == "PUT" else route.continue_()
    )
    one.page.goto(where)
    one.page.wait_for_selector(".code textarea")
    assert one.text == CARD.replace(RUNS, f"{RUNS} (any run)")
    one.state("offline")
    one.page.unroute("**/api/cards/*")
    one.page.get_by_role("button", name="Try now").click()
    one.state("saved")
    one.faults = [fault for fault in one.faults if "ERR_FAILED" not in fault]
    two = editor("Joe", path=where.removeprefix(one.url))
    assert two.text.endswith("(any run)\n")


def test_an_answer_that_is_lost_is_no_conflict(editor: OpenEditor) -> None:
    one = editor("Joe")
    one.write(CARD)
    one.state("saved")

    def deaf(route: Any) -> None:
        if route.request.method != "PUT":
            return route.continue_()
        route.fetch()
        route.abort()
        one.page.unroute("**/api/cards/*")

    one.page.route("**/api/cards/*", deaf)
    one.row(6)
    one.page.keyboard.type(" (any run)")
    one.state("offline")
    one.page.get_by_role("button", name="Try now").click()
    one.state("saved")
    one.faults = [fault for fault in one.faults if not re.search("ERR_FAILED|409", fault)]


def test_who_leaves_in_the_middle_stays_away_and_loses_nothing(editor: OpenEditor) -> None:
    one = editor("Joe")
    one.write("Left behind\n“Evens”\n22 444")
    one.page.get_by_role("link", name="Cards", exact=True).click()
    one.see(".card-list h3", "Left behind")
    assert one.page.url.endswith("/cards")


def test_a_list_that_was_loaded_before_a_card_was_saved_is_loaded_again(editor: OpenEditor) -> None:
    """Who leaves in the middle sees the card, whichever answer comes first: the list's or the card's."""
    one = editor("Joe")
    saving: list[Any] = []
    listing: list[Any] = []

    def late(route: Any) -> None:
        """The list is asked for before the card is saved, and answered after it."""
        if route.request.method == "POST":
            saving.append(route)
        elif listing:
            route.continue_()
        else:
            listing.extend((route, route.fetch()))
            saving[0].continue_()

    one.page.route("**/api/cards", late)
    one.write("Overtaken\n“Evens”\n22 444")
    one.page.get_by_role("link", name="Cards", exact=True).click()
    one.until("localStorage.getItem('tilewright.card.new') === null && document.querySelector('.cards')")
    route, answer = listing
    route.fulfill(response=answer)
    one.see(".card-list h3", "Overtaken")


def test_two_pages_of_one_card_do_not_lose_what_the_other_wrote(editor: OpenEditor) -> None:
    one = editor("Kim")
    one.write(CARD)
    one.state("saved")
    two = editor("Kim", path=one.page.url.removeprefix(one.url))
    one.write(f"{CARD}NNN EEEE WWWW SSS C40\n")
    one.state("saved")
    two.write(f"{CARD}FF 222 r222 b222 NNN X25\n")
    two.state("conflict")
    two.page.get_by_text("Look at the other text").click()
    assert "NNN EEEE" in two.see(".conflict pre").inner_text()
    two.page.get_by_role("button", name="Both").click()
    two.state("saved")
    assert two.page.url != one.page.url
    one.page.reload()
    one.page.wait_for_selector(".code textarea")
    assert "NNN EEEE" in one.text
    one.faults, two.faults = ([fault for fault in faults if "409" not in fault] for faults in (one.faults, two.faults))


def test_a_card_is_shared_by_link_and_the_reader_has_a_copy(editor: OpenEditor) -> None:
    one = editor()
    one.write(CARD)
    one.state("saved")
    one.page.get_by_role("button", name="Share").click()
    link = one.see("#card-link").input_value()
    assert link.startswith(one.url)
    two = editor("Lou", path=link.removeprefix(one.url))
    assert two.text == CARD
    two.state("foreign")
    two.row(6)
    two.page.keyboard.type(" (mine)")
    two.state("saved")
    assert "shared" not in two.page.url
    one.page.reload()
    one.page.wait_for_selector(".code textarea")
    assert one.text == CARD


def test_files_come_in_and_go_out(editor: OpenEditor, tmp_path: Path) -> None:
    one = editor()
    one.write(CARD)
    one.page.get_by_role("button", name="Export").click()
    with one.page.expect_download() as download:
        one.page.locator("[data-format=yaml]").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.name == "kitchen_table.yaml"
    one.state("saved")
    one.page.goto(one.url + "/cards")
    one.page.locator("input[type=file]").set_input_files(file)
    one.page.wait_for_selector(".code textarea")
    assert one.text == CARD
    one.page.goto(one.url + "/cards")
    wrong = tmp_path / "card.txt"
    wrong.write_bytes(b"%PDF-1.7 and so on")
    one.page.locator("input[type=file]").set_input_files(wrong)
    one.see("[role=alert]", "this is a PDF")


def test_a_card_goes_to_a_table(editor: OpenEditor) -> None:
    one = editor()
    one.write(CARD)
    one.page.get_by_role("button", name="Play with it").click()
    one.page.wait_for_url("**/?card=*#*")
    one.see("form.setup")
    one.until("document.querySelector('form.setup select option[value^=\"own:\"]:checked')")
    one.page.locator("form.setup button[type=submit]").click()
    one.page.wait_for_url("**/t/*")


# --- printed


@pytest.mark.parametrize(
    ("paper", "size"), [("a4", (595, 842)), pytest.param("letter", (612, 792), marks=pytest.mark.soak)]
)
def test_printing_gives_what_is_shown(editor: OpenEditor, tmp_path: Path, paper: str, size: tuple[int, int]) -> None:
    one = editor()
    one.write(CARD)
    one.page.get_by_role("tab", name="Paper").click()
    one.page.locator(".paper-bar select").select_option(paper)
    one.see(f".sheets[data-paper='{paper}'] svg text", "8888")
    one.until(f"document.querySelector('link[href$=\"paper={paper}\"]')?.sheet")
    shown = one.page.locator(".sheets svg text").all_text_contents()
    one.page.get_by_role("tab", name="Card").click()
    one.page.emulate_media(media="print")
    printed = one.page.locator(".sheets svg text").filter(visible=True)
    assert printed.all_text_contents() == shown
    assert not one.page.locator(".bar, .desk-head, .code, .drawn, .tabs").filter(visible=True).count()
    pdf = tmp_path / "card.pdf"
    one.page.pdf(path=pdf, prefer_css_page_size=True)
    found = pdf.read_bytes()
    boxes = re.findall(rb"/MediaBox ?\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", found)
    assert [tuple(round(float(one)) for one in box) for box in boxes] == [size]
    assert len(found) > 10_000


def test_the_button_prints(editor: OpenEditor) -> None:
    one = editor()
    one.write(CARD)
    one.page.evaluate("window.print = () => { window.printed = document.querySelectorAll('.sheets svg').length; }")
    one.page.get_by_role("button", name="Print").first.click()
    one.until("window.printed === 1")


# --- narrow screens


def test_a_card_is_written_on_a_phone(editor: OpenEditor) -> None:
    one = editor("Pat", NARROW, has_touch=True, is_mobile=True)
    one.write(CARD)
    one.row(4)
    one.see(".code .figures", "15")
    too_wide = "document.documentElement.scrollWidth - innerWidth"
    assert one.page.evaluate(too_wide) <= 0
    one.page.locator("[data-do=up]").tap()
    assert one.text.split("\n")[2:4] == [RED, EVENS]
    one.page.get_by_role("toolbar", name="Letters").get_by_role("button", name="F", exact=True).tap()
    one.page.locator("[data-do=undo]").tap()
    for tab in ("Card", "Paper", "Codes", "Hands"):
        one.page.get_by_role("tab", name=tab, exact=True).tap()
        one.see({"Card": ".drawn", "Paper": ".sheets svg", "Codes": ".reference", "Hands": ".hands"}[tab])
        assert one.page.evaluate(too_wide) <= 0
    one.page.get_by_role("tab", name="Card", exact=True).tap()
    one.drawn(6).tap()
    one.page.locator("[data-do=duplicate]").tap()
    one.see(".drawn [data-row='7']", "11")
    small = """() => [...document.querySelectorAll(".thumb button, .tabs button, .drawn [data-row]")]
      .filter(one => one.checkVisibility() && one.getBoundingClientRect().height < 44).length"""
    assert one.page.evaluate(small) == 0
    one.page.get_by_role("tab", name="Text", exact=True).tap()
    assert one.text.count(RUNS) == 2
    one.state("saved")


def test_it_is_all_there_in_chinese(editor: OpenEditor) -> None:
    one = editor("Wei", locale="zh-TW")
    one.write("牌卡\n「雙數」\nFF 2222 r4444 66 X30")
    one.row(3)
    one.see("#card-detail", "張數不對")
    one.page.get_by_role("tab", name="代碼").click()
    one.see(".reference", "連續")
    seen = one.page.locator("main").inner_text()
    assert "cards." not in seen
