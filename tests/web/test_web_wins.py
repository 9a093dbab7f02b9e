"""A hand won by the person at the page, in a real browser: by clicks, by keys alone, by touch; and every reason on the
result is the engine's own. The same game is played beside it, by bots from the same seed; what they do in the person's
place is done on the page."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from games import mostly_soaked
from playwright.sync_api import TimeoutError
from test_web_table import AWAY, FRAME, OPTIONS, TOUCH, opened, sit_down
from test_web_table import BOTS as THREE_BOTS
from web_ahead import Following, sit_ahead
from web_server import Server

from tilewright.play.model import PASS, Move, move_json
from tilewright.play.rules import load
from tilewright.play.view import View
from tilewright.players.player import BOTS
from tilewright.presentation.names import counted
from tilewright.web.jobs.session import result_json

WIDE = {"width": 1440, "height": 900}
SEEDS = {  # of short hands that the first player wins
    "riichi": 85,
    "american": 26,
    "chinese_classical": 43,
    "sanma": 4,
    "uzje": 101,
    "sichuan": 126,
    "mcr": 19,
}
BY_KEYS = ("american", "sichuan")  # which ask for most; american takes longest and is in `make soak`, as are the others
EXPLAINED = ("riichi",)  # the most payments
LAST = 3  # moves
MAY_PASS, SOON = ".offer.pass:enabled", 2_000  # ms
FIRST = "document.querySelector('.offer.pass:enabled, .offers .offer:enabled:not(.refused, .rare), [data-do=next]')"
ASKED = f"() => {FIRST} || document.querySelector('.hand-tile[aria-disabled=false]')"
OFFERED = """move => {
  const text = (one) => JSON.stringify(Object.entries(one).sort());
  const offers = [...document.querySelectorAll('.offer:enabled:not(.refused)')];
  return offers.findIndex(({ dataset }) => dataset.move && text(JSON.parse(dataset.move)) === text(move));
}"""
OFFERS = ".offer:enabled:not(.refused)"
ROWS = """() => [...document.querySelectorAll('.player-row')].map((row) => ({
  lines: [...row.querySelectorAll('.score-lines .line')].map((one) => one.textContent.replace(/\\s+/g, ' ').trim()),
  total: row.querySelector('.total')?.textContent,
  codes: [...row.querySelectorAll('.shown-hand .tile[data-code]')].map((one) => one.dataset.code).sort(),
}))"""
TURNED = """() => ['.board .melds', '.player-row'].map((where) => {
  const tile = (one) => one.className === 'turned' ? 'across' : one.dataset.code;
  const melds = [...document.querySelectorAll(`${where} .meld:has(.turned)`)];
  return melds.map((meld) => [...meld.children].map(tile).join(' ')).sort();
})"""
FELT = """() => ({
  title: document.querySelector('.win-panel h2')?.textContent,
  lines: [...document.querySelectorAll('.win-panel li span')].map((one) => one.textContent),
  settled: Boolean(document.querySelector('.settlement')),
})"""
PAID = """() => [...document.querySelectorAll('.payments li')].map((one) =>
  ['.why', '.amount'].map((part) => one.querySelector(part).textContent.replace(/\\s+/g, ' ').trim()))"""


@cache
def played(name: str) -> tuple[tuple[Move, ...], dict[str, Any], dict[str, Any]]:
    """What the first player does, the result of the hand, and the units of measures."""
    rules = load(name, OPTIONS.get(name, {}))
    game, moves = rules.game(SEEDS[name], hands=1), []
    bots = [BOTS["fast"](rules, SEEDS[name]) for _ in game.program.everyone]
    while not game.over:
        player = game.player(game.asked[0])
        move = bots[player].choose(View(game, game.asked[0]))
        moves += [move] if player == 0 else []
        game.answer(move)
    units = {one.id: (one.unit or one.name).get("en", one.id) for one in rules.data.scoring.measures}
    return tuple(moves), result_json(game, game.results[0]), units


# --- one thing that a person does


class Pointing:
    """A person with a mouse or a finger."""

    def __init__(self, page: Any, touch: bool = False) -> None:
        self.page, self.press = page, page.tap if touch else page.click

    def passes(self) -> None:
        with suppress(TimeoutError):  # somebody else was quicker to decide it
            self.press(MAY_PASS, timeout=SOON)

    def offer(self, number: int) -> None:
        self.press(f"{OFFERS} >> nth={number}")

    def tile(self, code: str) -> None:
        self.press(f'.hand-tile:not(.selected)[data-code="{code}"] >> nth=-1')

    def picks(self) -> None:
        self.press("[data-offer=pick]")


class Typing:
    """A person with keys alone."""

    def __init__(self, page: Any) -> None:
        self.page, self.press = page, page.keyboard.press

    def passes(self) -> None:
        self.press("p")

    def offer(self, number: int) -> None:
        offer = self.page.query_selector_all(OFFERS)[number]
        digit = offer.query_selector("kbd")
        self.press((digit or offer).inner_text().strip())

    def tile(self, code: str) -> None:
        self.press("End")
        while not self.page.query_selector(f'.hand-tile.cursor:not(.selected)[data-code="{code}"]'):
            self.press("a")
        self.press(" ")

    def picks(self) -> None:
        self.press("Enter")


def do(page: Any, person: Pointing | Typing, move: Move) -> None:
    """A move on the page, by whatever leads to it. All who may claim a tile are asked at once there, but one after the
    other in the game beside it: where another seat decides, the person may have been asked in only one of the two."""
    page.wait_for_function(ASKED)
    wanted = move_json(move)
    while page.query_selector(MAY_PASS) and (move.does == PASS or not is_possible(page, move)):
        person.passes()
        if move.does == PASS:
            return
        page.wait_for_function(ASKED)
    if move.does == PASS:
        return
    if page.evaluate(OFFERED, wanted) < 0 and (number := opening(page, move)) is not None:
        person.offer(number)
    if (number := page.evaluate(OFFERED, wanted)) >= 0:
        person.offer(number)
        return
    for code in codes_of(move):
        person.tile(code)
    if page.query_selector("[data-offer=pick]"):
        person.picks()


def codes_of(move: Move) -> list[str]:
    return " ".join(text for _, text in move.choice).split()


def opening(page: Any, move: Move) -> int | None:
    """The number of the button that leads to a move, if it is to be pressed."""
    for name in (f"mode {move.does}", move.does):
        for number, offer in enumerate(page.query_selector_all(OFFERS)):
            if offer.get_attribute("data-offer") == name:
                return None if offer.get_attribute("aria-pressed") == "true" else number
    return None


def is_possible(page: Any, move: Move) -> bool:
    """Whether what is asked can be answered by this move."""
    if page.evaluate(OFFERED, move_json(move)) >= 0 or opening(page, move) is not None:
        return True
    return all(page.query_selector(f'.hand-tile[aria-disabled=false][data-code="{one}"]') for one in codes_of(move))


def play(page: Any, name: str, person: Pointing | Typing, moves: Sequence[Move], ahead: int = 0) -> None:
    """These first moves of the hand; so many of them were made before the page is there."""
    seats = [{"kind": "person"}, *THREE_BOTS[: len(played(name)[1]["scores"]) - 1]]
    if ahead:
        follow = Following(map(move_json, played(name)[0]))
        moves = [move for move in moves if move.does != PASS][ahead:]
        left = follow.left - ahead
        options = OPTIONS.get(name, {})
        sit_ahead(page, name, [SEEDS[name]], lambda _: follow.left == left, choose=follow, seats=seats, options=options)
    else:
        sit_down(page, name, seed=SEEDS[name], seats=seats, options=OPTIONS.get(name, {}))
    page.wait_for_selector(".hand-tile")
    for move in moves:
        do(page, person, move)
        page.evaluate(FRAME)


def won(page: Any, name: str, person: Pointing | Typing, last: int = 0) -> None:
    """A whole hand, or its `last` moves."""
    moves, result, units = played(name)
    made = sum(move.does != PASS for move in moves)
    play(page, name, person, moves, ahead=max(0, made - last) if last else 0)
    page.wait_for_selector("[data-do=next]")
    assert page.inner_text(".settlement h2").startswith("You win") or len(result["winners"]) > 1
    check_rows(page, result, units)
    check_payments(page, result)


# --- what the result says


def check_rows(page: Any, result: dict[str, Any], units: dict[str, str]) -> None:
    """A row for each player: the hand where it is shown, what counts, and what it comes to."""
    rows = page.evaluate(ROWS)
    assert len(rows) == len(result["scores"])
    for row, hand in zip(rows, result["winners"], strict=False):
        assert row["lines"] == [line_text(line, units) for line in hand["lines"]]
        assert row["total"] == shown(hand["total"])
    counted = {one["player"]: one for one in (*result["winners"], *result["left"])}
    hands = [sorted(codes(one)) for one in counted.values()]  # the person has won
    assert sorted(row["codes"] for row in rows) == sorted(hands)
    on_felt, in_rows = page.evaluate(TURNED)
    assert on_felt == in_rows  # towards whom their tiles came from


def codes(hand: dict[str, Any]) -> Iterator[str]:
    for code in (*hand["hand"], *(code for meld in hand["melds"] for code in meld["tiles"]), *hand["bonus"]):
        if code is not None:
            yield code


def line_text(line: dict[str, Any], units: dict[str, str]) -> str:
    times = f" × {line['times']}" if line["times"] != 1 else ""
    worth = ", ".join(f"{shown(value)} {counted(units[measure], value)}" for measure, value in line["values"].items())
    return f"{line['name']['en']}{times} {worth}"


def check_payments(page: Any, result: dict[str, Any]) -> None:
    """Every payment, with its formula, its name and its reasons, in the order of the engine."""
    found = page.evaluate(PAID)
    assert [amount for _, amount in found] == [shown(one["amount"]) for one in result["payments"]]
    for (text, _), payment in zip(found, result["payments"], strict=True):
        why = [payment["name"], *payment["reasons"]]
        assert text.endswith(", ".join(one["en"] for one in why if one)), text
        if len(payment["formula"]) > 1:
            assert formula_text(payment["formula"]) in text.replace("Base points ", "")
    gains = page.eval_on_selector_all(".totals tbody tr", "all => all.map(one => one.cells[1].textContent)")
    assert sorted(gains) == sorted(signed(gain) for gain in result["gains"])


def formula_text(formula: Sequence[Any]) -> str:
    parts = [
        shown(one["number"]) if isinstance(one, dict) else one if isinstance(one, str) else shown(one)
        for one in formula
    ]
    return " ".join(parts).replace("( ", "(").replace(" )", ")")


def shown(number: Any) -> str:
    return f"{number:,}".replace("-", "−") if isinstance(number, int | float) else str(number)


def signed(number: Any) -> str:
    return f"+{shown(number)}" if number > 0 else shown(number)


# --- the tests


@pytest.mark.parametrize("name", mostly_soaked([one for one in SEEDS if one not in BY_KEYS], EXPLAINED))
def test_a_hand_is_won_and_every_reason_is_told(chromium: Any, web_server: Server, name: str) -> None:
    """With the last moves on the page."""
    for page in opened(chromium, web_server, at=AWAY, viewport=WIDE):
        won(page, name, Pointing(page), last=LAST)


@pytest.mark.parametrize("name", [pytest.param(one, marks=pytest.mark.soak) for one in SEEDS])
def test_a_hand_won_by_clicks(chromium: Any, web_server: Server, name: str) -> None:
    for page in opened(chromium, web_server, at=AWAY, viewport=WIDE):
        won(page, name, Pointing(page))


@pytest.mark.parametrize("name", mostly_soaked(SEEDS, BY_KEYS[1:]))
def test_a_hand_won_by_keys_alone(chromium: Any, web_server: Server, name: str) -> None:
    for page in opened(chromium, web_server, at=AWAY, viewport=WIDE):
        won(page, name, Typing(page))


def test_a_hand_won_by_touch_on_a_phone(chromium: Any, web_server: Server) -> None:
    for page in opened(chromium, web_server, at=AWAY, **TOUCH):
        won(page, "riichi", Pointing(page, touch=True))
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_win_is_shown_on_the_felt_until_a_key_is_pressed(chromium: Any, web_server: Server) -> None:
    for page in opened(chromium, web_server, at=AWAY, viewport=WIDE):
        moves, result, _ = played("riichi")
        person = Pointing(page)
        play(page, "riichi", person, moves[:-1], ahead=sum(move.does != PASS for move in moves) - 2)
        page.wait_for_function(ASKED)
        page.emulate_media(reduced_motion="no-preference")
        page.evaluate("window.setTimeout = ((later) => (what, ms) => later(what, ms * 50))(setTimeout)")  # time to look
        do(page, person, moves[-1])
        page.wait_for_selector(".win-panel .shown-hand .tile")
        lines = [line["name"]["en"] for line in result["winners"][0]["lines"] if [*line["values"]] == ["han"]]
        assert page.evaluate(FELT) == {"title": "You win by self-draw", "lines": lines, "settled": False}
        held = page.eval_on_selector_all(".score-side .score", "all => all.map(one => one.textContent)")
        assert held == ["24,000", "25,000", "25,000", "25,000"]  # nobody has been paid yet
        page.keyboard.press("Enter")
        page.wait_for_selector(".settlement [data-do=next]")
        assert not page.query_selector(".win-panel")
