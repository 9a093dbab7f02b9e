"""The same table in two worlds that differ in tiles which one viewer has not seen: what its page is sent is compared.

A table of people is played by its actor, as on a server, with pages that note every message and when it came, by a
clock of its own. In the first world all answer by lot; in the second one the others answer the same, if they can.
"""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from random import Random
from types import MappingProxyType, SimpleNamespace
from typing import Any
from unittest.mock import patch

import msgspec
from hidden_tiles import Seen
from play_worlds import World, near_wall
from worker_games import move_by_chance

from tilewright.play.match import Match
from tilewright.play.model import Event, IllegalMove, move_json
from tilewright.play.view import View
from tilewright.players.player import BOTS
from tilewright.presentation.seat_advice import help_json
from tilewright.web.jobs.session import WorkerSession
from tilewright.web.protocol.limits import Misses
from tilewright.web.protocol.messages import Setup, read
from tilewright.web.protocol.moments import GameStep, LastViews, with_parts
from tilewright.web.protocol.replies import Client
from tilewright.web.protocol.settings import Settings
from tilewright.web.protocol.shape import json_bytes
from tilewright.web.storage.rows import Person, SeatRow, TableRow
from tilewright.web.tables import actor, audience, pending
from tilewright.web.tables import played as played_tables
from tilewright.web.tables.broadcast import is_allowed
from tilewright.web.tables.inbox import ClientMessage
from tilewright.web.workers.process import Illegal

Plain = dict[str, Any]
CODE = "AAAAA"
PASS = {"move": "pass"}
HELPS = ("hint", "waits", "nearest")
TICK = 0.05  # seconds between what two players do
ONLOOKER = "all"
PROBES = 0.15  # how often the viewer tries something that it may not, or asks for help


class Diverged(Exception):
    """From here on the second world cannot be the same: somebody did what is not possible there."""


# --- a table in this process


class Clock:
    """The time at a table."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def monotonic(self) -> float:
        return self.now

    @contextmanager
    def used(self) -> Iterator[None]:
        """The time of tables while the block runs."""
        time = SimpleNamespace(monotonic=self.monotonic)
        with ExitStack() as stack:
            for module in (actor, audience, pending, played_tables):
                stack.enter_context(patch.object(module, "time", time))
            yield


class NotedPage(Client):
    """A page that notes what it is sent: when, and what."""

    def __init__(self, number: int, clock: Clock) -> None:
        super().__init__(str(number), Person(number, f"P{number}", {}), "en")
        self.clock, self.last = clock, Plain({"view": None})
        self.heard: list[tuple[float, Plain]] = []

    def send_text(self, text: str) -> None:
        message = json.loads(text)
        self.heard.append((round(self.clock.now, 3), message))
        if message["say"] in ("step", "table"):
            before = self.last["view"] if message["say"] == "step" else None
            view = None if message["view"] is None else with_parts(before, message["view"])
            self.last = {**message, "view": view}

    def seat_secret(self, code: str) -> str:
        return "secret"

    def moved(self, code: str) -> None:
        raise AssertionError("there is no other server")


class NotedRows:
    """The rows of a table, without a database."""

    def __init__(self, row: TableRow) -> None:
        self.row, self.log = row, list[str]()

    async def lines(self, table: int) -> list[str]:
        return list(self.log)

    async def add_lines(self, table: int, first: int, lines: Sequence[str]) -> None:
        assert first == len(self.log)
        self.log += lines

    async def set_state(self, table: int, state: str, by: str, **fields: Any) -> TableRow:
        self.row = replace(self.row, state=state, **fields)  # type: ignore[arg-type]
        return self.row

    async def set_seat(self, row: SeatRow) -> SeatRow:
        return row


@dataclass
class LocalGame:
    """A game as a worker has it, and a copy that gives help. `asked`: what was asked of bots."""

    game: Match
    asked: list[tuple[str, ...]] = field(default_factory=list)
    session: WorkerSession = field(init=False)
    views: LastViews = field(init=False)

    def __post_init__(self) -> None:
        self.session, self.views = WorkerSession(self.game), LastViews()

    async def open(self, *_: Any, **__: Any) -> "LocalGame":
        return self

    async def opening(self) -> GameStep:
        return self.sent(self.session.opening())

    async def answer(self, player: int, move: Mapping[str, str]) -> GameStep:
        try:
            return self.sent(self.session.answer(player, move))
        except IllegalMove as error:
            raise Illegal(dict(error.reason)) from None

    async def press(self, player: int, buttons: Sequence[str]) -> GameStep:
        return self.sent(self.session.press(player, buttons))

    def sent(self, step: GameStep) -> GameStep:
        """A step as it arrives from a worker."""
        return self.views.completed(msgspec.json.decode(json_bytes(step), type=GameStep))

    async def help(self, what: str, player: int, by: str | None = None) -> Plain:
        return help_json(self.game.program.rules, what, View(self.game, self.game.seat_of(player)))

    async def prepare(self, bots: Sequence[str], alone: bool = False) -> None:
        self.asked.append(("prepare", *bots))

    async def choose(self, bot: str, player: int, seed: int, alone: bool = False) -> Mapping[str, str]:
        self.asked.append(("choose", bot))
        view = View(self.game, self.game.seat_of(player))
        return move_json(BOTS[bot](self.game.program.rules, seed).choose(view))

    async def follow(self, lines: Sequence[str]) -> None:
        pass  # it is the game itself

    async def close(self) -> None:
        pass


class LocalTable:
    """A table of people and an onlooker, each with a page. `bots`: the seats of some, by player."""

    def __init__(self, game: Match, clock: Clock, bots: Mapping[int, str] = MappingProxyType({})) -> None:
        self.game, self.clock, count = game, clock, game.program.count
        setup = Setup(seats=(), claim_seconds=1.5, spectator_delay=0)
        found = setup.to_json() | {"seats": [{"kind": "person"}] * count}
        row = TableRow(1, CODE, {"ruleset": {"id": "x"}, "seed": 1}, found, "waiting", 0, 0.0, None, "x", None, ())
        seats = [
            SeatRow(1, player, "bot", bots[player])
            if player in bots
            else SeatRow(1, player, "person", None, player, f"P{player}")
            for player in range(count)
        ]
        self.local = local = LocalGame(game)
        times = SimpleNamespace(observe=lambda _: None)
        host = SimpleNamespace(
            store=NotedRows(row),
            pool=local,
            settings=Settings(),
            misses=Misses(Settings()),
            worker="here",
            inbox_seconds=times,
            move_seconds=times,
            room_to_wake=lambda *_: nullcontext(),
            ended=lambda _: None,
            changed=lambda _: None,
        )
        self.actor = actor.TableActor(host, row, seats, local)  # type: ignore[arg-type]
        self.pages = [NotedPage(number, clock) for number in range(count + 1)]

    async def begin(self) -> None:
        for page in self.pages:
            await self.say(page, {"say": "join", "table": CODE})

    async def say(self, page: NotedPage, message: Plain) -> None:
        """A page says something; everything that follows from it happens."""
        await self.hear(page, message)
        await self.settle()

    async def hear(self, page: NotedPage, message: Plain) -> None:
        """The table hears what a page says."""
        await self.actor.guarded(self.actor.obey(ClientMessage(page, read(json_bytes(message)))))  # type: ignore[arg-type]

    async def settle(self) -> None:
        await self.actor.guarded(self.actor.advance())
        while self.actor.running:
            await asyncio.wait(set(self.actor.running))
            await self.actor.guarded(self.actor.advance())

    async def wait(self, seconds: float) -> None:
        self.clock.now += seconds
        await self.settle()

    @property
    def is_over(self) -> bool:
        return self.actor.record.state in ("over", "broken")


# --- the same play twice


@dataclass
class Script:
    """What the players did in the first world: by the number of the round and the player."""

    moves: dict[tuple[int, int], Plain] = field(default_factory=dict)


async def played(table: LocalTable, seed: int, rounds: int, viewer: int, script: Script, again: bool) -> float:
    """Play so many rounds. In each, every player in turn answers or goes on. Returns until when the two worlds have to
    be the same."""
    await table.begin()
    for number in range(rounds):
        if table.is_over:
            break
        try:
            for player, page in enumerate(table.pages[:-1]):
                if player == viewer:
                    await probe(table, page, Random(f"{seed}/{number}/probe"))
                lots = Random(f"{seed}/{number}/{player}")
                await act(table, page, player, number, script, again and player != viewer, lots)
                await table.wait(TICK)
        except Diverged:
            return table.clock.now
        await table.wait(TICK)
    return table.clock.now + 1


async def act(
    table: LocalTable, page: NotedPage, player: int, number: int, script: Script, again: bool, lots: Random
) -> None:
    """A player answers if it is asked, else passes what may be passed."""
    question = page.last["view"]["question"] if player in page.last["asked"] else None
    known = script.moves.get((number, player))
    if question is None:
        if again and known is not None and known != PASS:
            raise Diverged
        if page.last["claim"] or page.last["pause"]:
            await table.say(page, {"say": "ready", "table": CODE, "seq": page.last["seq"]})
        return
    if again:
        move = known or PASS
        if not is_allowed(question, move):
            raise Diverged
    else:
        move = move_by_chance(question, lots)
        if PASS in question["moves"] and lots.random() < 0.4:
            move = PASS
        script.moves[number, player] = move
    await table.say(page, {"say": "answer", "table": CODE, "seq": page.last["seq"], "move": move})


async def probe(table: LocalTable, page: NotedPage, lots: Random) -> None:
    """The viewer asks for help, or tries what it may not do: what comes back must not tell what others have."""
    if lots.random() > PROBES:
        return
    seq = page.last["seq"]
    if lots.random() < 0.4:
        await table.say(page, {"say": "help", "table": CODE, "what": lots.choice(HELPS), "id": 7})
        return
    program = table.game.program
    tiles = program.data.tiles.tiles
    codes = " ".join(lots.choice(tiles).code for _ in range(lots.choice((1, 1, 2, 3))))
    does = lots.choice([*program.data.play.offers, "pass", "answer", "nothing"])
    tried: list[Plain] = [
        {"move": does},
        *({"move": does, name: codes} for name in ("tile", "tiles", "with", "kept")),
    ]
    move = lots.choice(tried)
    question = page.last["view"]["question"] if page.last["view"] else None
    if not is_allowed(question, move):
        await table.say(page, {"say": "answer", "table": CODE, "seq": seq, "move": move, "id": 8})
        await table.say(page, {"say": "ready", "table": CODE, "seq": seq + 1, "id": 9})


@dataclass(frozen=True)
class Compared:
    """What a viewer was sent in both worlds, and when, up to the moment when they differ by right."""

    first: list[tuple[float, Plain]]
    second: list[tuple[float, Plain]]

    @property
    def views(self) -> int:
        return sum(message.get("view") is not None for _, message in self.first)

    @property
    def difference(self) -> tuple[Any, Any] | None:
        """The first message that differs, in both worlds."""
        for one, other in zip(self.first, self.second, strict=False):
            if one != other:
                return one, other
        if len(self.first) != len(self.second):
            rest = max(self.first, self.second, key=len)[min(len(self.first), len(self.second))]
            return (rest, None) if len(self.first) > len(self.second) else (None, rest)
        return None


async def compared(world: World, seed: int, viewer: int) -> Compared:
    """Play a table of the world twice, with other tiles hidden from the viewer: a player's number, or the number after
    the last one for the onlooker."""
    lots, script, rules = Random(f"{seed}/{viewer}"), Script(), world.rules
    rounds, near = lots.randint(3, 40), lots.random() < 0.6
    wall = near_wall(rules, Random(seed)) if near else None
    count = rules.data.seats.count
    seen = Seen(viewer if viewer < count else None)
    with watched(seen.look):
        game = rules.game(seed, hands=1, layout={"walls": [wall]} if wall else None, pausing=True)
        first = LocalTable(game, Clock())
        with first.clock.used():
            await played(first, seed, rounds, viewer, script, again=False)
    faces, clock = seen.other_faces(lots), Clock()
    there, shown = Seen(seen.viewer), list[float]()
    moved = {place for place, tile in enumerate(seen.first) if faces.get(tile, tile) != tile}

    def look(game: Match, event: Event) -> None:
        there.look(game, event)
        # what losers pay each other depends on their hidden hands, by the rules
        is_settled = event.kind == "pay" and event.get("to") not in game.winners
        is_seen = any(tile in there.tiles for place, tile in enumerate(there.first) if place in moved)
        if not shown and (is_settled or is_seen):
            shown.append(clock.now)  # the rules show it, as a flower

    with clock.used(), watched(look):
        other = rules.game(seed, hands=1, layout={"walls": [seen.wall(game, faces)]}, pausing=True)
        second = LocalTable(other, clock)
        end = await played(second, seed, rounds, viewer, script, again=True)
    until = round(min([end, *shown]), 3)
    return Compared(*([one for one in table.pages[viewer].heard if one[0] < until] for table in (first, second)))


@contextmanager
def watched(look: Callable[[Match, Event], None]) -> Iterator[None]:
    """Each event of a match is looked at while the block runs."""
    announce = Match.announce

    def announced(game: Match, *args: Any, **named: Any) -> None:
        announce(game, *args, **named)
        look(game, game.events[-1])

    with patch.object(Match, "announce", announced):
        yield
