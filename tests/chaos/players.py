"""Players: clients that go on playing whatever happens. A connection that is lost is opened again, a table that is over
is followed by another one; every answer is written down with what became of it.
"""

import asyncio
import random
import secrets
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from web_client import FAST, PERSON, Page, Plain, Refusal, Table, picked
from websockets.exceptions import WebSocketException

from chaos.ledger import Ledger
from chaos.site import Site

PATIENCE = 12.0  # seconds without a reply or any news, after which somebody connects again
SECONDS_TO_MAKE = 60.0  # of a table: its rules may have to be compiled
CERTAIN = {"stale", "not-your-turn", "illegal-move", "not-seated", "too-fast", "too-large", "too-many", "bad-message"}
LOST = (OSError, TimeoutError, WebSocketException)
SETUP = {"claim_seconds": 0.4, "bot_seconds": 0.02, "away_seconds": 3600, "spectators": True, "spectator_delay": 2}


@dataclass
class Tally:
    """What clients met. `outage`: the longest time in which somebody could not answer, or not see the table;
    `problems`: what must not happen."""

    refused: Counter[str] = field(default_factory=Counter)
    lost: int = 0  # connections
    outage: float = 0.0
    problems: list[str] = field(default_factory=list)
    seen: int = 0  # steps that onlookers saw
    over: int = 0  # tables


@dataclass
class Group:
    """The people of one table after another. `tables`: the ruleset of each, by code; `moved`: when an answer was
    acknowledged last."""

    ruleset: str
    people: int
    bots: int
    code: str = ""
    made: asyncio.Event = field(default_factory=asyncio.Event)
    tables: dict[str, str] = field(default_factory=dict)
    moved: float = 0.0


class Player:
    """A person of a group; with `seat` None an onlooker."""

    def __init__(self, site: Site, group: Group, seat: int | None, ledger: Ledger, tally: Tally, seed: int) -> None:
        self.site, self.group, self.seat = site, group, seat
        self.ledger, self.tally = ledger, tally
        self.chance = random.Random(seed)
        self.key = secrets.token_urlsafe(32)
        self.pace = 0.25
        self.waiting: float | None = None  # since the first try to answer
        self.away: float | None = None  # since the connection was lost

    async def run(self) -> None:
        """Play until cancelled."""
        while True:
            page = Page(self.site.socket, self.key, f"Player {self.seat}")
            page.keeps = False
            try:
                async with asyncio.timeout(PATIENCE):
                    await page.open()
                await self.at_tables(page)
            except LOST:
                self.tally.lost += 1
            except Refusal as refusal:
                self.tally.refused[reason(refusal)] += 1
            except AssertionError as error:
                self.tally.problems.append(f"table {self.group.code} ({self.group.ruleset}): {error}")
                self.leave_table()
            finally:
                self.away = self.away or time.monotonic()
                await self.hang_up(page)
            await asyncio.sleep(self.chance.uniform(0.1, 0.6))

    async def hang_up(self, page: Page) -> None:
        """Close the connection, and see whether a message came that must not."""
        if page.connection is not None:
            page.connection.transport.abort()
        if page.reading is not None:
            (ended,) = await asyncio.gather(page.reading, return_exceptions=True)
            if isinstance(ended, AssertionError):
                self.tally.problems.append(f"table {self.group.code} ({self.group.ruleset}): {ended}")

    def leave_table(self) -> None:
        """The next table, unless others have left already."""
        if self.seat == 0:
            self.group.code = ""
            self.group.made.clear()

    # --- one table after another

    async def at_tables(self, page: Page) -> None:
        while True:
            table = await self.come(page)
            self.tally.outage = max(self.tally.outage, time.monotonic() - (self.away or time.monotonic()))
            self.away = None
            while not table.over and self.group.code == table.code:
                await self.go_on(table)
            if self.group.code == table.code:
                self.tally.over += self.seat == 0
                self.leave_table()
            if self.seat != 0:
                await asyncio.sleep(0.2)

    async def come(self, page: Page) -> Table:
        """To the table of the group, on one's seat."""
        if self.seat == 0 and not self.group.code:
            async with asyncio.timeout(SECONDS_TO_MAKE):
                return await self.make(page)
        await self.group.made.wait()
        async with asyncio.timeout(PATIENCE):
            table = await page.join(self.group.code)
            if self.seat is not None and table.me is None:
                await table.say("sit", player=self.seat)
            assert table.me == self.seat, f"seat {self.seat} has become {table.me}"
            return table

    async def make(self, page: Page) -> Table:
        seats = [PERSON] * self.group.people + [FAST] * self.group.bots
        spec = {"ruleset": {"id": self.group.ruleset}, "hands": self.chance.choice((None, 2))}
        table = await page.make(spec, seats, sit=0, **SETUP)
        self.group.code = table.code
        self.group.tables[table.code] = self.group.ruleset
        self.group.made.set()
        return table

    async def go_on(self, table: Table) -> None:
        """Wait for something to do, and do it."""
        if self.seat is None:
            steps = table.steps
            await table.until(lambda: table.over or table.steps > steps or table.code != self.group.code, PATIENCE)
            self.tally.seen += table.steps - steps
            return
        await table.until(
            lambda: table.over or table.may_answer() or table.waits() or table.code != self.group.code, PATIENCE
        )
        if table.may_answer():
            with self.measured():
                await self.answer(table)
        elif table.waits() and not table.over:
            table.ready = table.seq
            async with asyncio.timeout(PATIENCE):
                await table.say("ready", seq=table.seq)

    @contextmanager
    def measured(self) -> Iterator[None]:
        """How long it takes from the first try to answer until an answer is taken."""
        self.waiting = self.waiting or time.monotonic()
        yield
        self.tally.outage = max(self.tally.outage, time.monotonic() - self.waiting)
        self.waiting = None

    async def answer(self, table: Table) -> None:
        await asyncio.sleep(self.chance.uniform(0.2, 1.8) * self.pace)
        if not table.may_answer():
            return
        seq, question = table.seq, table.question
        assert question is not None and table.me is not None
        move = self.chosen(question)
        entry = self.ledger.send(table.code, table.me, question, move)
        try:
            async with asyncio.timeout(PATIENCE):
                await table.answer(move)
            entry.outcome = "acknowledged"
            self.group.moved = time.monotonic()
        except Refusal as refusal:
            if refusal.code not in CERTAIN:
                raise  # perhaps it was written, and the confirmation lost
            self.tally.refused[reason(refusal)] += 1
            entry.outcome = "refused"
            if refusal.code not in ("stale", "not-your-turn"):
                self.tally.problems.append(f"{table.code}: {move} was refused: {refusal}")
        await table.until(lambda: table.over or table.seq != seq or not table.may_answer(), PATIENCE)

    def chosen(self, question: Plain) -> Plain:
        """A win if there is one; else anything, rather a discard than a pass."""
        for move in question["moves"]:
            if move["move"] == "win":
                return dict(move)
        moves = [*question["moves"], *(picked(pick, pick["least"]) for pick in question["picks"])]
        return dict(self.chance.choice(moves))


def reason(refusal: Refusal) -> str:
    """Why something was refused, for the summary."""
    message: str = refusal.said["message"]["en"]
    return message if refusal.code == "broken" else refusal.code
