"""A run: people play, faults strike one after the other, then everything is quiet and everybody has to go on; at last
the logs are compared with what was acknowledged.
"""

import asyncio
import random
import re
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from chaos.faults import FAULTS, CannotStrike, Fault
from chaos.ledger import Findings, Ledger, compare
from chaos.players import Group, Player, Tally
from chaos.site import Site, site, until_running
from tilewright.play.chance import TableSecret
from tilewright.play.resume import all_disclosed
from tilewright.web.storage.database import database_at
from tilewright.web.storage.rows import TableRow
from tilewright.web.storage.store import Store

RULESETS = ("cantonese", "riichi", "american", "sichuan", "mcr", "hong_kong", "sanma", "zung_jung")
SECONDS_TO_GO_ON = 180.0  # for every table, once everything works again
LATE = 0.5  # part of the run, after which faults may strike that change its rest
SECONDS_BETWEEN = (0.5, 5.0)
MOST_SHOWN = 10


@dataclass(frozen=True)
class Plan:
    """What is tried. `faults`: the names of those that may strike."""

    minutes: float
    database: str
    servers: int
    tables: int
    seed: int
    faults: tuple[str, ...]


@dataclass
class Outcome:
    """What became of it. `stuck`: tables that did not go on; `tracebacks`: how the servers' tracebacks ended."""

    plan: Plan
    ledger: Ledger
    tally: Tally
    faults: Counter[str] = field(default_factory=Counter)
    left_out: dict[str, str] = field(default_factory=dict)
    findings: Findings = field(default_factory=Findings)
    stuck: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    tracebacks: Counter[str] = field(default_factory=Counter)

    @property
    def problems(self) -> list[str]:
        found = self.findings
        return [*found.lost, *found.doubled, *found.wrong, *self.stuck, *self.ended, *self.tally.problems]

    @property
    def is_good(self) -> bool:
        return not self.problems and self.ledger.count("acknowledged") > 0

    @property
    def summary(self) -> str:
        found, tally, ledger = self.findings, self.tally, self.ledger
        lines = [
            f"faults          {self.faults.total()}: {counted(self.faults)}",
            *(f"left out        {name}: {why}" for name, why in self.left_out.items()),
            f"moves           {ledger.count('acknowledged')} acknowledged, {ledger.count('unknown')} without a reply,"
            f" {ledger.count('refused')} refused ({counted(tally.refused)})",
            f"lost, doubled   {len(found.lost)}, {len(found.doubled)}; {found.outranked} outranked by other claims",
            f"logs            {found.logs - len(found.wrong)} of {found.logs} verified; {tally.over} games over",
            f"tables          {len(self.stuck)} stuck; {tally.seen} steps seen by onlookers",
            f"connections     {tally.lost} lost; longest outage {tally.outage:.1f} s",
            *(f"traceback       {count} x {text}" for text, count in self.tracebacks.most_common(MOST_SHOWN)),
            *(f"PROBLEM         {problem}" for problem in self.problems[:MOST_SHOWN]),
            f"seed {self.plan.seed}: {'nothing was lost' if self.is_good else f'{len(self.problems)} problems'}",
        ]
        return "\n".join(lines)


def counted(counter: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counter.items())) or "none"


async def run(plan: Plan) -> Outcome:
    with site(plan.database, plan.seed) as place:
        outcome = Outcome(plan, Ledger(), Tally(), ended=place.ended)
        await place.start(plan.servers)
        groups = [group_of(number) for number in range(plan.tables)]
        players = [player for group in groups for player in people(place, group, outcome)]
        running = [asyncio.create_task(one.run()) for one in players]
        keeping = asyncio.create_task(place.keep_up())
        try:
            await all_move(groups, outcome, "before any fault")
            await strike(place, outcome, running)
            await until_running(place)
            await all_move(groups, outcome, "after the last fault")
        finally:
            ended = await cancelled([*running, keeping])
            await place.stop()
        outcome.tally.problems += [repr(error) for error in ended if isinstance(error, Exception)]
        await read_logs(place, groups, outcome)
        for server in place.servers:
            outcome.tracebacks.update(tracebacks(server.said))
    return outcome


async def cancelled(tasks: Sequence["asyncio.Task[None]"]) -> list[BaseException | None]:
    """End tasks, and give what each ended with. Python 3.11 loses a cancellation that comes together with the result
    that a task waits for, so they are cancelled until they end."""
    while waiting := [task for task in tasks if not task.done()]:
        for task in waiting:
            task.cancel()
        await asyncio.wait(waiting, timeout=1)
    return list(await asyncio.gather(*tasks, return_exceptions=True))


def group_of(number: int) -> Group:
    """Two or three people at each table, and bots; one seat is never a bot's where three play."""
    ruleset = RULESETS[number % len(RULESETS)]
    seats = 3 if ruleset == "sanma" else 4
    persons = 2 + number % 2
    return Group(ruleset, persons, seats - persons)


def people(place: Site, group: Group, outcome: Outcome) -> list[Player]:
    """The players of a table, and an onlooker."""
    seats = [*range(group.people), None]
    chance = random.Random(f"{outcome.plan.seed} {group.ruleset}")
    return [Player(place, group, seat, outcome.ledger, outcome.tally, chance.getrandbits(32)) for seat in seats]


async def all_move(groups: Sequence[Group], outcome: Outcome, when: str) -> None:
    """A move is made at every table."""
    start = time.monotonic()
    while waiting := [group for group in groups if group.moved < start]:
        if time.monotonic() > start + SECONDS_TO_GO_ON:
            outcome.stuck += [f"no move at table {group.code or '-'} ({group.ruleset}) {when}" for group in waiting]
            return
        await asyncio.sleep(0.1)


async def strike(place: Site, outcome: Outcome, running: Sequence["asyncio.Task[None]"]) -> None:
    """One fault after the other, each at least once, until the time is over."""
    plan = outcome.plan
    chance = random.Random(plan.seed)
    faults = [one for one in FAULTS if one.name in plan.faults and one.database in (None, plan.database)]
    start, number, least = time.monotonic(), 0, len(faults)
    bag: list[Fault] = []
    while faults and (number < least or time.monotonic() < start + plan.minutes * 60):
        began = time.monotonic() - start
        if not bag:
            due = [one for one in faults if not one.once or began >= LATE * plan.minutes * 60]
            bag = chance.sample(due, len(due))
        fault, number = bag.pop(), number + 1
        try:
            said = await fault.strike(place, random.Random(f"{plan.seed} {number}"))
            outcome.faults[fault.name] += 1
        except CannotStrike as error:
            said = f"{fault.name} left out: {error}"
            outcome.left_out[fault.name] = str(error)
        except AssertionError as error:
            said = f"{fault.name}: {error}"
            outcome.ended.append(said)
        print(f"{began:7.1f} s  {said} ({time.monotonic() - start - began:.1f} s)", flush=True)
        if fault.once or fault.name in outcome.left_out:
            faults.remove(fault)
        await asyncio.sleep(chance.uniform(*SECONDS_BETWEEN))


async def read_logs(place: Site, groups: Sequence[Group], outcome: Outcome) -> None:
    """Compare the log of every table with what was acknowledged there."""
    store = Store(database_at(place.direct_url))
    try:
        for group in groups:
            for code, ruleset in group.tables.items():
                row = await store.table(code)
                sent = outcome.ledger.sent.get(code, {})
                if row is None:
                    outcome.findings.wrong.append(f"table {code} is gone")
                elif lines := await store.lines(row.id):
                    add(outcome.findings, compare(code, ruleset, disclosed(row, lines), sent))
                elif sent:
                    outcome.findings.wrong.append(f"table {code} has no log")
    finally:
        await store.close()


def disclosed(row: TableRow, lines: Sequence[str]) -> Sequence[str]:
    """The log with the seed of its last hand, which a game that goes on keeps."""
    return lines if row.secret is None else all_disclosed(lines, TableSecret(row.secret))


def add(all: Findings, one: Findings) -> None:
    all.logs += one.logs
    all.outranked += one.outranked
    all.lost += one.lost
    all.doubled += one.doubled
    all.wrong += one.wrong


def tracebacks(said: str) -> Counter[str]:
    """How often each error ended a traceback."""
    ends = re.findall(r"^Traceback .*?\n(?:[ \t].*\n|\n)+(\S.*)", said, re.MULTILINE)
    return Counter(end[:160] for end in ends)
