"""A page without a browser: a small client of the socket, for tests and for load.

async with page(url) as ann:
    table = await ann.make({"ruleset": {"id": "cantonese"}, "hands": 1}, [PERSON, FAST, FAST, FAST], sit=0)
    await table.play()      # answers whatever is asked, until the table is over
"""

import asyncio
import json
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from processes import HANGS
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tilewright.web.protocol.moments import with_parts

Plain = dict[str, Any]
PERSON: Plain = {"kind": "person"}
FAST: Plain = {"kind": "bot", "bot": "fast"}
RANDOM: Plain = {"kind": "bot", "bot": "random"}
AT_ONCE: Plain = {"claim_seconds": 0, "bot_seconds": 0}
Condition = Callable[[], bool]
Choose = Callable[[Plain], Plain]
SECONDS = float(HANGS)  # after which a test has failed
OF_PICKS = ("choose", "least", "most", "tiles", "allowed", "more")  # what is no part of a move
PATIENCE = 0.5  # seconds, where something was too fast


class Refusal(Exception):
    """The server said no. `code` and the whole message."""

    def __init__(self, message: Plain) -> None:
        self.code, self.said = message["code"], message
        super().__init__(f"{message['code']}: {message['message'].get('en')}")


class Page:
    """A connection that has said hello. `heard`: every message that came, as it came; `tables` by code; `address`: from
    where it comes, as a proxy on this machine tells."""

    def __init__(self, url: str, key: str | None = None, name: str | None = None, address: str | None = None) -> None:
        self.url, self.key, self.name, self.address = url, key, name, address
        self.heard: list[str] = []
        self.loose: asyncio.Queue[Plain] = asyncio.Queue()  # errors and others that answer nothing
        self.tables: dict[str, Table] = {}
        self.keeps = True  # every message that came
        self.listeners: list[Callable[[Plain], None]] = []
        self.last = 0
        self.waiting: dict[int, asyncio.Future[Plain]] = {}
        self.connection: ClientConnection | None = None
        self.reading: asyncio.Task[None] | None = None
        self.hello: Plain = {}

    async def open(self) -> "Page":
        headers = {"X-Forwarded-For": self.address} if self.address else {}
        self.connection = await connect(
            self.url, additional_headers=headers, max_size=None, open_timeout=SECONDS, ping_interval=None, proxy=None
        )
        self.reading = asyncio.create_task(self.read())
        who = {"key": self.key} if self.key else {}
        who |= {"name": self.name} if self.name else {}
        self.hello = await self.ask("hello", v=2, **who)
        self.key = self.hello["key"]
        return self

    async def close(self) -> None:
        if self.connection is not None:
            await self.connection.close()
        if self.reading is not None:
            await asyncio.gather(self.reading, return_exceptions=True)

    async def again(self) -> "Page":
        """The same person, connected anew; tables are joined again."""
        await self.close()
        other = await Page(self.url, self.key, self.name, self.address).open()
        for table in self.tables.values():
            await other.join(table.code)
        return other

    async def read(self) -> None:
        """Hear what comes, until the connection is lost."""
        assert self.connection is not None
        try:
            async for text in self.connection:
                assert isinstance(text, str)
                if self.keeps:
                    self.heard.append(text)
                self.hear(json.loads(text))
        except ConnectionClosed:
            pass
        finally:
            for future in self.waiting.values():
                if not future.done():
                    future.set_exception(ConnectionError("the connection is lost"))
                    future.exception()  # perhaps nobody waits any more
            for table in self.tables.values():
                table.news.set()

    def hear(self, message: Plain) -> None:
        for listener in self.listeners:
            listener(message)
        table = self.tables.get(message.get("table", ""))
        if message["say"] == "table" and table is None:
            table = self.tables[message["table"]] = Table(self, message["table"])
        if table is not None:
            table.hear(message)
        future = self.waiting.pop(message.get("id", 0), None)
        if future is not None and not future.done():
            future.set_result(message)
        elif message["say"] not in ("step", "table", "info"):
            self.loose.put_nowait(message)

    @property
    def lost(self) -> bool:
        return self.reading is None or self.reading.done()

    async def send(self, text: str | bytes) -> None:
        """Anything at all."""
        assert self.connection is not None
        await self.connection.send(text)

    async def ask(self, say: str, **fields: Any) -> Plain:
        """Say something and wait for the reply; more slowly, where that was too fast. Raises Refusal."""
        while True:
            self.last += 1
            future = self.waiting[self.last] = asyncio.get_running_loop().create_future()
            await self.send(json.dumps({"say": say, "id": self.last, **fields}))
            reply = await asyncio.wait_for(future, SECONDS)
            if reply["say"] != "error":
                return reply
            if reply["code"] != "too-fast":
                raise Refusal(reply)
            await asyncio.sleep(PATIENCE)

    async def error(self) -> Plain:
        """The next error that answers nothing."""
        while True:
            message = await asyncio.wait_for(self.loose.get(), SECONDS)
            if message["say"] == "error":
                return message

    async def make(self, spec: Plain, seats: Sequence[Plain], sit: int | None = None, **setup: Any) -> "Table":
        """A new table, at which nothing waits."""
        reply = await self.ask("make", spec=spec, setup={"seats": list(seats), **AT_ONCE, **setup}, sit=sit)
        return self.tables[reply["table"]]

    async def join(self, code: str, seat: str | None = None) -> "Table":
        reply = await self.ask("join", table=code, **({"seat": seat} if seat else {}))
        return self.tables[reply["table"]]


class Table:
    """A table as a page sees it. `steps`: how many came."""

    def __init__(self, page: Page, code: str) -> None:
        self.page, self.code = page, code
        self.news = asyncio.Event()
        self.info: Plain = {}
        self.stood_in = False
        self.seq, self.view, self.asked = 0, None, ()  # type: ignore[var-annotated]
        self.token: str | None = None
        self.results: list[Plain] = []
        self.events: list[Plain] = []
        self.window: Plain | None = None
        self.steps = 0
        self.claim: Plain | None = None
        self.pause: Plain | None = None
        self.ready = -1  # the moment that was passed last

    def hear(self, message: Plain) -> None:
        match message["say"]:
            case "table":
                self.info, self.token = message["info"], message["token"] or self.token
                self.stood_in = message["stood_in"]
                self.take(message)
            case "info":
                self.info = message["info"]
            case "step":
                assert message["seq"] in (self.seq, self.seq + 1), "a moment is missing"
                self.steps += 1
                self.events += message["events"]
                if message["result"] is not None and message["seq"] != self.seq:
                    self.results.append(message["result"])
                self.take(message)
        self.news.set()

    def take(self, message: Plain) -> None:
        if message["view"] is not None:
            message["view"] = with_parts(None if message["say"] == "table" else self.view, message["view"])
        self.seq, self.view, self.asked = message["seq"], message["view"], tuple(message["asked"])
        self.claim, self.pause = message["claim"], message["pause"]

    @property
    def me(self) -> int | None:
        return self.info["me"]

    @property
    def over(self) -> bool:
        return self.info["state"] == "over"

    @property
    def question(self) -> Plain | None:
        return None if self.view is None else self.view["question"]

    async def until(self, condition: Condition, seconds: float = SECONDS) -> None:
        """Wait until something is so at the table."""
        async with asyncio.timeout(seconds):
            while not condition():
                if self.page.lost:
                    raise ConnectionError("the connection is lost")
                if self.info.get("state") == "broken":
                    raise AssertionError(f"the table is broken: {self.info['problem']}")
                self.news.clear()
                await self.news.wait()

    async def answer(self, move: Mapping[str, str]) -> Plain:
        return await self.page.ask("answer", table=self.code, seq=self.seq, move=dict(move))

    async def say(self, say: str, **fields: Any) -> Plain:
        return await self.page.ask(say, table=self.code, **fields)

    async def play(
        self, until: Callable[[], bool] | None = None, choose: Callable[[Plain], Plain] | None = None
    ) -> None:
        """Answer whatever is asked, until something is so, or the table is over."""
        enough = until or (lambda: False)
        choose = choose or easy
        self.ready = -1
        while True:
            await self.until(lambda: self.over or enough() or self.may_answer() or self.waits())
            if self.over or enough():
                return
            if self.may_answer():
                await self.try_answer(choose)
            else:
                await self.pass_on()

    def may_answer(self) -> bool:
        return self.question is not None and self.me in self.asked

    def waits(self) -> bool:
        """A window is open that may be passed, and has not been."""
        return (self.claim or self.pause) is not None and self.me is not None and self.ready != self.seq

    async def pass_on(self) -> None:
        """This moment has been seen."""
        self.ready = self.seq
        await self.say("ready", seq=self.seq)

    async def try_answer(self, choose: Choose) -> None:
        """Answer, unless the table goes on meanwhile."""
        seq = self.seq
        assert self.question is not None
        try:
            await self.answer(choose(self.question))
        except Refusal as refusal:
            if refusal.code not in ("stale", "not-your-turn"):
                raise
        await self.until(lambda: self.over or self.seq != seq or not self.may_answer())


def easy(question: Plain) -> Plain:
    """What can always be answered: win, else throw what stands last, else pass, else the first tiles."""
    moves = question["moves"]
    for move in moves:
        if move["move"] == "win":
            return move
    if moves:
        plain = [move for move in moves if move["move"] in ("pass", "discard")]
        return plain[-1] if plain else moves[0]
    return picked(question["picks"][0], question["picks"][0]["least"])


def picked(pick: Plain, count: int) -> Plain:
    """The first tiles of a choice of several."""
    said = {name: text for name, text in pick.items() if name not in OF_PICKS}
    return said | {pick["choose"]: (pick.get("allowed") or [" ".join(pick["tiles"][:count])])[0]}


def at_random(seed: int) -> Choose:
    """Any answer at all."""
    chance = random.Random(seed)

    def choose(question: Plain) -> Plain:
        moves = [*question["moves"], *(picked(pick, pick["least"]) for pick in question["picks"])]
        return chance.choice(moves)

    return choose


@asynccontextmanager
async def page(
    url: str, key: str | None = None, name: str | None = None, address: str | None = None
) -> AsyncIterator[Page]:
    """A page that is open while the block runs."""
    found = await Page(url, key, name, address).open()
    try:
        yield found
    finally:
        await found.close()


async def together(*doing: Awaitable[Any]) -> None:
    """All of these; the first that fails ends them."""
    async with asyncio.TaskGroup() as group:
        for one in doing:
            group.create_task(wait_for(one))


async def play_beyond(seq: int, *tables: Table, choose: Choose = easy) -> None:
    """All play until each has seen a later moment than this, on its own page: another's page may hear of it later."""
    await together(*(table.play(partial(has_seen, table, seq + 1), choose) for table in tables))


def has_seen(table: Table, seq: int) -> bool:
    return bool(table.over or table.seq >= seq)


async def settled(table: Table, seconds: float = 0.2) -> None:
    """Nothing has come for so long."""
    seen = -1
    while seen != table.steps:
        seen = table.steps
        await asyncio.sleep(seconds)


async def wait_for(doing: Awaitable[Any]) -> None:
    await doing
