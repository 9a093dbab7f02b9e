"""Tables that are played ahead for a page: over the socket, in the name of its person, until there is what the page is
to show. Drawing every move on the way costs ten times as much as playing it.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from functools import cache, partial
from typing import Any

from web_client import FAST, PERSON, RANDOM, Plain, Refusal, Table, easy, together
from web_client import page as client

from tilewright.play.model import move_json
from tilewright.play.rules import load
from tilewright.play.view import View
from tilewright.players.player import BOTS
from tilewright.presentation.seat_advice import help_json

Enough = Callable[[Table], bool]
WHO = """async () => {
  const root = document.querySelector('script[type=module]').src.replace('main.js', '');
  const { key, ready } = await import(root + 'net.js');
  await ready();
  return key();
}"""
GO_TO = """async (path) => {
  const root = document.querySelector('script[type=module]').src.replace('main.js', '');
  (await import(root + 'main.js')).go(path);
}"""
GO = f"(code) => ({GO_TO})('/t/' + code)"
AWAY = f"() => ({GO_TO})('/nothing')"


Choose = Callable[[Plain], Plain]
PASS = {"move": "pass"}


def has_result(table: Table) -> bool:
    return bool(table.results)


def has_winner(table: Table) -> bool:
    return any(result["winners"] for result in table.results)


def has_no_winner(table: Table) -> bool:
    return any(not result["winners"] for result in table.results)


def is_over(table: Table) -> bool:
    return table.over


def is_asked(table: Table) -> bool:
    """The person has to answer."""
    return table.may_answer()


def may_claim(table: Table) -> bool:
    """The person may take a tile that somebody discarded, but not win by it."""
    return table.may_answer() and any("group" in move for move in moves_of(table)) and may_pass(table)


def may_pass(table: Table) -> bool:
    return any(move["move"] == "pass" for move in moves_of(table))


def moves_of(table: Table) -> list[Plain]:
    """What the person may do, but for choices of several tiles."""
    moves: list[Plain] = table.question["moves"] if table.question else []
    return moves


def discards(table: Table) -> list[int]:
    """How many tiles lie before each seat, or in the middle."""
    found = table.view["zones"]["discards"] if table.view else []
    return [*map(len, found.values())] if isinstance(found, dict) else [len(found)]


def has_melds(table: Table, player: int) -> bool:
    view = table.view or {}
    return any(view["melds"][seat] for seat, other in view["players"].items() if other == player)


def claiming(question: Plain) -> Plain:
    """Claims what it can, else does what is easy."""
    return next((move for move in question["moves"] if "group" in move), None) or easy(question)


class Following:
    """Makes these moves when they are asked for, and passes meanwhile. `left`: how many have not been made."""

    def __init__(self, moves: Iterable[Plain]) -> None:
        self.moves = [move for move in moves if move != PASS]
        self.made: Plain | None = None

    @property
    def left(self) -> int:
        return len(self.moves)

    def __call__(self, question: Plain) -> Plain:
        self.made, wanted = None, self.moves[0]
        if wanted not in question["moves"] and all(pick["move"] != wanted["move"] for pick in question["picks"]):
            assert PASS in question["moves"], (wanted, question)
            return PASS
        self.made = self.moves.pop(0)
        return self.made

    def again(self) -> None:
        """The last answer came too late."""
        if self.made is not None:
            self.moves.insert(0, self.made)


def answer_again(table: Table, choose: Choose) -> None:
    """Let who follows a list of moves know of those that were refused."""
    answer = table.answer

    async def tried(move: Mapping[str, str]) -> Plain:
        try:
            return await answer(move)
        except Refusal:
            if isinstance(choose, Following):
                choose.again()
            raise

    table.answer = tried  # type: ignore[method-assign]


def play_ahead(
    page: Any,
    ruleset: str,
    seeds: Iterable[int],
    enough: Enough = has_result,
    *,
    seats: Sequence[Plain] | None = None,
    choose: Choose = easy,
    **spec: Any,
) -> str:
    """The code of a table at which something is so: the first of these seeds with which it comes to it. One hand,
    unless the spec says more, against bots that choose at random, or these `seats`: the person's is the first."""
    key = page.evaluate(WHO)
    url = page.evaluate("() => location.origin.replace('http', 'ws') + '/socket'")
    spec = {"ruleset": {"id": ruleset}, "mods": [], "options": {}, "hands": 1, **spec}

    async def play() -> str:
        for seed in seeds:
            async with client(url, key) as person:
                table = await person.make(spec | {"seed": seed}, seats or [PERSON, *[RANDOM] * 3], sit=0)
                answer_again(table, choose)
                ended = has_result if spec["hands"] == 1 and enough is not is_over else is_over
                await table.play(lambda: enough(table) or ended(table), choose)  # noqa: B023
                if enough(table):
                    return table.code
        raise AssertionError(f"no hand of {ruleset} comes to it")

    with ThreadPoolExecutor(1) as thread:  # this one has the loop of the browser
        return thread.submit(asyncio.run, play()).result()


@cache
def before_ready(ruleset: str, wins: bool) -> tuple[int, list[Plain]]:
    """The seed of a game, and the moves of its first player until a discard leads to a ready hand that can win, or to
    one that cannot."""
    rules = load(ruleset)
    for seed in range(1, 40):
        game, moves = rules.game(seed, hands=1), []
        bots = [BOTS["fast"](rules, seed) for _ in game.program.everyone]
        while not game.over:
            seat = game.asked[0]
            mine, view = game.player(seat) == 0, View(game, seat)
            waits = help_json(rules, "waits", view).get("discards", []) if mine else []
            if any(one.get("waits") and any(not wait["reason"] for wait in one["waits"]) == wins for one in waits):
                return seed, moves
            move = bots[game.player(seat)].choose(view)
            moves += [move_json(move)] if mine else []
            game.answer(move)
    raise AssertionError("no hand is ready")


def sit_before_ready(page: Any, ruleset: str, *, wins: bool = True) -> None:
    """The page is at a table where a discard leads to a ready hand."""
    seed, moves = before_ready(ruleset, wins)
    follow = Following(moves)

    def enough(table: Table) -> bool:
        return not follow.left and is_asked(table) and not may_pass(table)

    sit_ahead(page, ruleset, [seed], enough, choose=follow, seats=[PERSON, *[FAST] * 3])


def play_out(code: str, *pages: Any) -> None:
    """The hand of a table is played to its end, in the names of the people of these pages. Meanwhile the pages are
    elsewhere: drawing every move would take most of the time."""
    for page in pages:
        page.evaluate(AWAY)
        page.wait_for_selector(".hand-tile", state="detached")
    keys = [page.evaluate(WHO) for page in pages]
    url = pages[0].evaluate("() => location.origin.replace('http', 'ws') + '/socket'")

    async def play() -> None:
        async with AsyncExitStack() as stack:
            people = [await stack.enter_async_context(client(url, key)) for key in keys]
            tables = [await person.join(code) for person in people]
            await together(*(table.play(partial(has_result, table)) for table in tables))

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, play()).result()
    for page in pages:
        page.evaluate(GO, code)
        page.wait_for_selector("[data-do=next]")


def sit_ahead(page: Any, *what: Any, **how: Any) -> str:
    """The same, and the page is at this table."""
    code = play_ahead(page, *what, **how)
    page.evaluate(GO, code)
    return code
