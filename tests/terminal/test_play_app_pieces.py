"""The pieces of the table in the terminal: tiles as they look, the row of own tiles, entries, papers and menus."""

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from tilewright.play.model import PASS, Move, Pick, Question, Refusal
from tilewright.play.rules import Rules, load
from tilewright.players.bots.fast import FastBot
from tilewright.players.bots.random_bot import RandomBot
from tilewright.presentation.names import RulesetNames, main_entry
from tilewright.presentation.tile_text import TerminalTiles
from tilewright.terminal.hand_row import TileRow
from tilewright.terminal.seats import SeatLines
from tilewright.terminal.session import GameSession
from tilewright.terminal.widgets import STYLE, HandWidget, KeyButton, Keys, Menu, PickPanel, TextPanel, TileChosen

RULESETS = ("chinese_classical", "cantonese", "zung_jung_plus", "uzje", "american")


@cache
def rules_of(name: str) -> Rules:
    return load(name)


def face(code: str, name: str = "cantonese") -> int:
    found = rules_of(name).data.tiles.by_code(code)
    assert found is not None
    return found.index


def faces_of(codes: str, name: str = "cantonese") -> list[int]:
    return [face(code, name) for code in codes.split()]


# --- tiles


@pytest.mark.parametrize("pictured", [True, False])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_tile_takes_the_same_cells(ruleset: str, pictured: bool) -> None:
    faces = TerminalTiles(rules_of(ruleset).data.tiles, pictured)
    cells = [faces.cell(tile.index) for tile in faces.tiles.tiles] + [faces.cell(None)]
    assert {cell.cell_len for cell in cells} == {faces.width}
    assert all(cell.plain.strip() for cell in cells)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_letters_are_codes_and_tell_suits_by_colour(ruleset: str) -> None:
    faces = TerminalTiles(rules_of(ruleset).data.tiles)
    assert [faces.sign(tile.index) for tile in faces.tiles.tiles] == [tile.code for tile in faces.tiles.tiles]
    suits = [suit.id for suit in faces.tiles.suits]
    assert len({faces.colours[suit] for suit in suits}) == len(suits)


def test_pictures_where_there_are_any() -> None:
    faces = TerminalTiles(rules_of("american").data.tiles, pictured=True)
    assert faces.sign(face("1m", "american")) == "🀇"
    assert faces.sign(face("J", "american")) == "J"  # Unicode's joker is none of this set's aliases
    assert faces.sign(None) == "🀫"


def test_groups_are_written_together() -> None:
    faces = TerminalTiles(rules_of("cantonese").data.tiles)
    assert faces.together(faces_of("3m 4m 5m")).plain == "345m"
    assert faces.together(faces_of("3m E")).plain == "3m E"
    assert faces.together((None, None)).plain == "▒▒▒▒"


# --- the row

HANDS = st.lists(st.sampled_from(range(34)), min_size=1, max_size=16)


def row_of(codes: str, drawn: str | None = None, is_sorted: bool = True) -> TileRow:
    row = TileRow(rules_of("cantonese").data.tiles, is_sorted)
    row.hold(faces_of(codes), None if drawn is None else face(drawn))
    return row


def codes(row: TileRow) -> str:
    return " ".join(map(row.code, row.order))


def test_a_sorted_row_has_the_drawn_tile_apart() -> None:
    row = row_of("E 9m 1m 5p 1m", drawn="1m")
    assert codes(row) == "1m 9m 5p E 1m"
    assert [place.apart for place in row.places()] == [False, False, False, False, True]
    assert row.current == "1m" and row.cursor == 4


def test_a_row_that_is_not_sorted_keeps_its_order() -> None:
    row = row_of("E 9m 1m", is_sorted=False)
    row.hold(faces_of("E 1m 5p 2s"), None)
    assert codes(row) == "E 1m 5p 2s"
    row.jump(0)
    row.carry(1)
    assert codes(row) == "1m E 5p 2s" and row.current == "E"
    row.sort(True)
    assert codes(row) == "1m 5p 2s E"


def test_the_cursor_goes_round_and_stays_inside() -> None:
    row = row_of("1m 2m 3m")
    row.jump(-1)
    row.move_cursor(1)
    assert row.cursor == 0
    row.jump(2)
    row.hold(faces_of("1m"), None)
    assert row.cursor == 0 and row.current == "1m"


def test_marks_are_of_tiles_and_end_with_the_hand() -> None:
    row = row_of("1m 1m 2m 3m")
    row.mark_all(["1m", "3m"])
    assert row.chosen == ["1m", "3m"]
    row.mark(0)
    row.mark(1)
    assert sorted(row.chosen) == ["1m", "3m"]
    row.mark(99)
    row.hold(faces_of("1m 1m 2m 4m"), None)
    assert row.chosen == []


# --- several racks


def racks(row: TileRow) -> list[str]:
    return [" ".join(map(row.code, rack)) for rack in row.racks]


def test_tiles_of_two_hands_stand_on_two_racks() -> None:
    row = row_of("")
    row.hold(faces_of("1m 2m 3m E 9p"), face("E"), (0, 0))
    assert racks(row) == ["1m 2m 3m", "9p E"]
    assert [(place.rack, place.apart) for place in row.places()] == [*[(1, False)] * 3, (2, False), (2, True)]
    assert row.current == "E"
    assert row.change_rack() == 0 and racks(row) == ["1m 2m 3m E", "9p"] and row.current == "E"
    row.jump(0)
    assert row.change_rack() == 1 and racks(row) == ["2m 3m E", "1m 9p"] and row.current == "1m"


def test_the_tile_that_was_chosen_leaves_its_rack() -> None:
    row = row_of("")
    row.hold(faces_of("1m 1m 5p E"), None, (0, 0))
    row.jump(0)
    row.change_rack()
    row.carry(1)
    assert racks(row) == ["1m", "5p 1m E"]
    row.jump(0)
    row.hold(faces_of("1m 5p E"), None, (0, 0))
    assert racks(row) == ["", "5p 1m E"]


def test_tiles_leave_a_hand_that_is_finished() -> None:
    row = row_of("")
    row.hold(faces_of("1m 2m 3m 4m 5m 6m"), None, (0, 0))
    row.hold(faces_of("1m 4m 5m 6m"), None, (None, 0))
    assert racks(row) == ["", "1m 4m 5m 6m"]
    assert row.change_rack() is None
    row.hold(faces_of("1m"), None, (None, None))
    assert codes(row) == "1m", "who plays no more still sees what is left"


def test_groups_laid_down_count_for_their_rack() -> None:
    row = row_of("")
    row.hold(faces_of("1m 2m 3m 4m 5m"), None, (3, 0))
    assert racks(row) == ["1m", "2m 3m 4m 5m"]


@given(st.lists(st.tuples(HANDS, st.booleans(), st.booleans()), min_size=1, max_size=6))
def test_a_row_always_holds_just_the_hand(hands: list[tuple[list[int], bool, bool]]) -> None:
    row = TileRow(rules_of("cantonese").data.tiles)
    for hand, drawn, is_sorted in hands:
        row.sort(is_sorted)
        row.hold(hand, hand[-1] if drawn else None)
        assert Counter(row.order) == Counter(hand)
        assert 0 <= row.cursor < len(hand)
        if drawn:
            assert row.order[-1] == hand[-1]


# --- entries


def names(name: str = "cantonese", language: str = "en") -> RulesetNames:
    data = rules_of(name).data
    return RulesetNames(data, language, {"S": "fast"})


def question(*moves: Move, picks: Sequence[Pick] = ()) -> Question:
    return Question(0, "act", {"en": "Act"}, moves, tuple(picks))


def discard(code: str) -> Move:
    return Move(0, "discard", (("tile", code),))


KONG = Move(0, "kong", (("group", "5m 5m 5m 5m"),))


def test_tiles_of_the_hand_are_one_entry() -> None:
    asked = question(discard("1m"), discard("5m"), KONG, Move(0, "win"), Move(0, PASS))
    entries = names().entries(asked, ["1m", "5m"])
    assert [(entry.kind, entry.label.plain) for entry in entries] == [
        ("tiles", "Discard"),
        ("move", "Concealed kong 5555m"),
        ("move", "Win"),
        ("move", "Pass"),
    ]
    main = main_entry(entries)
    assert main is not None and main.does == "discard"
    assert main.of_tile("5m") == discard("5m") and main.of_tile("9p") is None


def test_a_long_list_is_one_entry() -> None:
    kongs = [Move(0, "kong", (("group", f"{rank}{suit} " * 4),)) for suit in "mps" for rank in range(1, 5)]
    (entry,) = names().entries(question(*kongs), [])
    assert entry.kind == "list" and len(entry.moves) == 12
    assert len(names().entries(question(*kongs[:9]), [])) == 9
    assert main_entry([entry]) is None


def test_a_choice_of_several_tiles() -> None:
    pick = Pick("answer", "given", 3, 3, ("1m", "1m", "2m", "E"))
    entries = names("american").entries(question(picks=[pick]), ["1m", "1m", "2m", "E"])
    assert [entry.label.plain for entry in entries] == ["Choose 3 tiles"]
    assert main_entry(entries) == entries[0]
    assert main_entry(names("american").entries(question(Move(0, "win"), picks=[pick]), ["1m"])) is None


@pytest.mark.parametrize(
    ("ruleset", "move", "said"),
    [
        ("american", Move(0, "exchange", (("given_tile", "5m"), ("joker", "J@S.2"))), "5m J of S, meld 2"),
        ("american", Move(0, "pung", (("group", "5m 5m J=5m"),)), "Pung 5m 5m J=5m"),
        ("american", Move(0, "accuse", (("accused", "S"),)), "S fast"),
        ("american", Move(0, "answer", (("again", "yes"),)), "yes"),
        ("american", Move(0, "answer", (("offered", "2"),)), "2"),
        ("uzje", Move(0, "progression", (("group", "1s 4s 7s"),)), "147s"),
        ("uzje", Move(0, "progression", (("group", "Z=0s 2s 4s"),)), "Z=0s 2s 4s"),
    ],
)
def test_a_move_in_words(ruleset: str, move: Move, said: str) -> None:
    assert said in names(ruleset).move_text(move).plain


def test_names_in_the_language_of_the_player() -> None:
    assert names(language="zh").move_text(discard("5m")).plain == "打 5m"
    assert names(language="tlh").move_text(discard("5m")).plain == "Discard 5m"


def test_a_refusal_in_words() -> None:
    refusal = Refusal("win", (), {"en": "below the minimum: 2 of 3 faan", "zh": "不足"})
    assert names().refusal_text(refusal).plain == "Win: below the minimum: 2 of 3 faan"


# --- a session


def session_of(rules: Rules, seed: int) -> GameSession:
    """A person, in the first seat, among random players."""
    bots = [None, *(RandomBot(player) for player in range(1, rules.data.seats.count))]
    words = RulesetNames(rules.data)
    labels = ["you", *(f"random {player}" for player in range(1, rules.data.seats.count))]
    return GameSession(rules.table(seed, hands=1), words, bots, labels, lambda table: None)


def played(session: GameSession) -> GameSession:
    """The hand to its end; the person does what a quick player would."""
    quick = FastBot(session.table.game.program.rules, 1)
    while not session.over:
        if session.question is not None:
            session.answer(quick.choose(session.view()))
        else:
            assert session.advance() is not None
    return session


def test_what_was_refused_is_told() -> None:
    """Whoever wins as soon as may be is told that a hand is not worth enough, also where nothing is asked."""
    rules = load("zung_jung_plus", {"least_points": 40})
    told = "\n".join(line.plain for seed in (2, 6, 7) for line in played(session_of(rules, seed)).story)
    assert re.search(r"^E you: Win: below the minimum: [0-9]+ of 40 points$", told, re.MULTILINE)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_person_is_told_no_hidden_tile(ruleset: str) -> None:
    """Draws of others are not told at all, and of what they pass only how many tiles."""
    session = session_of(rules_of(ruleset), 3)
    for event in played(session).table.events:
        if not session.sees(event):
            lines = [session.writer.text(line).plain for _, line in session.teller.lines([event], session.sees)]
            assert not lines or (event.kind != "draw" and re.search(r"\d+ tiles?", lines[0]))


def test_who_watches_sees_hands_and_a_person_does_not() -> None:
    session = session_of(rules_of("cantonese"), 3)
    view = session.view()
    lines = [line.plain for line in SeatLines(session.names, view, 80).others()]
    assert sum("13 tiles" in line for line in lines) == 3
    shown = SeatLines(session.names, session.table.view(None), 80, session.hands()).others()
    assert not any("13 tiles" in line.plain for line in shown)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_line_is_wider_than_the_window(ruleset: str) -> None:
    session = played(session_of(rules_of(ruleset), 4))
    for width in (40, 80, 140):
        seating = SeatLines(session.names, session.view(), width, session.hands())
        lines = [*seating.others(), *(line for seat in seating.seats_after() for line in seating.seat(seat))]
        assert max(line.cell_len for line in lines) <= width


@pytest.mark.parametrize("ruleset", ["siamese", "royale_siamese"])
def test_hands_of_a_seat_are_shown_one_by_one(ruleset: str) -> None:
    """Groups behind the hand that they belong to, and a finished hand once, with what it was worth."""
    session = session_of(rules_of(ruleset), 3)
    quick = FastBot(session.table.game.program.rules, 1)
    session.bots = [None, *(quick for _ in session.bots[1:])]
    view = played(session).view()
    won = 0
    for seat in range(session.names.data.seats.count):
        text = " ".join(line.plain for line in SeatLines(session.names, view, 200).seat(seat))
        made = [one for one in view.hands_of(seat) if one["state"] == "won"]
        assert all(f"Hand {one['hand']}, won: {one['total']} [" in text for one in made)
        assert "finished hands" not in text
        won += len(made)
    assert won


def test_a_long_line_begins_where_a_short_one_does() -> None:
    """Only what goes on below is indented."""
    session = played(session_of(rules_of("siamese"), 3))
    for width, seat in product((40, 80), range(2)):
        lines = SeatLines(session.names, session.view(), width).seat(seat)
        assert lines[0].plain[:3] in ("  E", "  W", "▶ E", "▶ W")


# --- widgets


class Stage(App[None]):
    """A row and keys, and what was clicked of them."""

    CSS = STYLE

    def __init__(self) -> None:
        super().__init__()
        self.clicked: list[object] = []
        self.answer: object = ...

    def compose(self) -> ComposeResult:
        yield HandWidget(id="hand")
        yield Keys(id="keys")

    def on_hand_widget_clicked(self, event: HandWidget.Clicked) -> None:
        self.clicked.append(event.place)

    def on_keys_clicked(self, event: Keys.Clicked) -> None:
        self.clicked.append(event.key)


def on_stage(act: Callable[[Stage, Pilot[None]], Coroutine[Any, Any, None]], width: int = 40) -> None:
    """Do something with a stage that is set."""

    async def run() -> None:
        stage = Stage()
        async with stage.run_test(size=(width, 24)) as pilot:
            await act(stage, pilot)

    asyncio.run(run())


@pytest.mark.parametrize(("boxed", "width"), [(False, 40), (True, 40), (True, 24), (False, 14)])
@pytest.mark.parametrize("pictured", [False, True])
def test_a_click_finds_its_tile(boxed: bool, width: int, pictured: bool) -> None:
    row = row_of("1m 2m 3m 4p 5p 6p C", drawn="C")
    faces = TerminalTiles(row.tiles, pictured)

    async def act(stage: Stage, pilot: Pilot[None]) -> None:
        hand = stage.query_one(HandWidget)
        hand.draw(row.places(), faces, TileChosen(0, frozenset({1})), width, boxed=boxed)
        await pilot.pause()
        for line, start, end in hand.spans:
            assert end <= width
            await pilot.click(HandWidget, offset=((start + end) // 2, line * hand.block + hand.block // 2))
        assert stage.clicked == list(range(7))

    on_stage(act, width)


def test_keys_go_on_below_and_are_clicked() -> None:
    async def act(stage: Stage, pilot: Pilot[None]) -> None:
        keys = stage.query_one(Keys)
        keys.draw(
            [
                KeyButton("1", Text("Win")),
                KeyButton("2", Text("Kong 5555m"), active=True),
                KeyButton("P", Text("Pass")),
            ],
            24,
        )
        await pilot.pause()
        assert keys.lines == 2
        await pilot.click(Keys, offset=(1, 0))
        await pilot.click(Keys, offset=(1, 1))
        await pilot.click(Keys, offset=(22, 1))  # beside them
        assert stage.clicked == ["1", "P"]

    on_stage(act)


@pytest.mark.parametrize(
    ("panel", "keys", "answer"),
    [
        (lambda: Menu("Kong", [Text("1111m"), Text("2222m")], "Esc"), ["2"], 1),
        (lambda: Menu("Kong", [Text("1111m"), Text("2222m")], "Esc"), ["down", "enter"], 1),
        (lambda: Menu("Kong", [Text("1111m"), Text("2222m")], "Esc"), ["9", "escape"], None),
        (
            lambda: PickPanel("Three", [Text("1m"), Text("2m"), Text("3m")], "Esc"),
            ["space", "down", "down", "space", "enter"],
            [0, 2],
        ),
        (lambda: PickPanel("Three", [Text("1m")], "Esc"), ["escape"], None),
        (lambda: TextPanel("Bill", [Text("a line")] * 90), ["down", "end", "pageup", "home", "enter"], None),
        (lambda: TextPanel("Bill", [Text("a line")], seconds=0.01), [], None),
        (lambda: Menu("[/b] [@click=app.quit()]x", [Text("[/b]"), Text("\x1b[2J")], "Esc"), ["1"], 0),
    ],
)
def test_panels_answer(panel: Callable[[], Any], keys: list[str], answer: object) -> None:
    async def act(stage: Stage, pilot: Pilot[None]) -> None:
        def keep(chosen: object) -> None:
            stage.answer = chosen

        await stage.push_screen(panel(), keep)
        await pilot.pause()
        await pilot.press(*keys)
        while stage.answer is ...:
            await pilot.pause()
        assert stage.answer == answer

    on_stage(act)


def test_nothing_is_wider_than_the_window() -> None:
    """A menu of long things in a small window."""

    async def act(stage: Stage, pilot: Pilot[None]) -> None:
        await stage.push_screen(TextPanel("Bill", [Text("東西" * 60)]))
        await pilot.pause()
        panel = stage.screen.query_one(".panel")
        assert panel.region.right <= 40 and cell_len("東") == 2

    on_stage(act)
