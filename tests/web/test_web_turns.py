"""Turns: nobody has more than a share of what there is little of, and people go first."""

import asyncio
import time

import pytest

from tilewright.web.protocol.limits import TIMES, AddressBuckets, AddressCounts, address_of, shared_by
from tilewright.web.workers.queue import FairQueue, NoTurn, Precedence, Usage

pytestmark = pytest.mark.anyio


class Work:
    """Pieces of work that last until they are told to end. `begun`: in the order in which they had their turn."""

    def __init__(self, turns: FairQueue) -> None:
        self.turns = turns
        self.begun: list[str] = []
        self.ends: dict[str, asyncio.Event] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def begin(self, name: str, who: object, is_costly: bool = False) -> None:
        self.ends[name] = asyncio.Event()
        self.tasks[name] = asyncio.create_task(self.do(name, who, is_costly))
        await settled()

    async def do(self, name: str, who: object, is_costly: bool) -> None:
        async with self.turns.turn(who, is_costly):
            self.begun.append(name)
            await self.ends[name].wait()

    async def end(self, name: str) -> None:
        self.ends[name].set()
        await self.tasks[name]
        await settled()


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_one_address_leaves_a_turn_to_others() -> None:
    work = Work(FairQueue(most=2, waiting=5, each=2))
    for name in ("a1", "a2", "a3"):
        await work.begin(name, "a")
    await work.begin("b1", "b")
    assert work.begun == ["a1", "b1"]
    await work.begin("c1", "c")
    await work.end("b1")
    assert work.begun == ["a1", "b1", "c1"], "others come before a second one of the same"
    await work.end("a1")
    assert work.begun[3:] == ["a2"]
    await work.begin("x1", None)
    await work.end("c1")
    assert work.begun[4:] == ["x1"]
    for name in ("a2", "x1", "a3"):
        await work.end(name)
    assert (work.turns.line, +work.turns.going) == ([], {})


async def test_the_line_is_so_long_and_no_longer() -> None:
    work = Work(FairQueue(most=1, waiting=3, each=2))
    for name in ("a1", "a2", "a3"):
        await work.begin(name, "a")
    await work.begin("a4", "a")
    with pytest.raises(NoTurn):
        await work.tasks["a4"]
    await work.begin("b1", "b")
    await work.end("a1")
    await work.begin("c1", "c")
    await work.begin("d1", "d")
    with pytest.raises(NoTurn):
        await work.tasks["d1"]
    for name in ("a2", "a3", "b1", "c1"):
        await work.end(name)


async def test_who_does_not_wait_any_more_takes_no_turn() -> None:
    work = Work(FairQueue(most=1, waiting=3, each=2))
    for name in ("1", "2", "3"):
        await work.begin(name, None)
    work.tasks["2"].cancel()
    await settled()
    work.ends["1"].set()
    work.tasks["1"].cancel()
    await settled()
    assert work.begun == ["1", "3"]
    await work.end("3")
    await work.begin("4", None)
    await work.end("4")


async def test_who_used_least_goes_first() -> None:
    work = Work(FairQueue(most=1, waiting=9, each=4))
    work.turns.usage.add("a", 9.0)
    for name in ("a1", "a2", "b1", "c1"):
        await work.begin(name, name[0])
    work.turns.usage.add("b", 1.0)
    for name in ("a1", "c1", "b1", "a2"):
        await work.end(name)
    assert work.begun == ["a1", "c1", "b1", "a2"]


async def test_who_waits_often_gives_up_a_place() -> None:
    work = Work(FairQueue(most=1, waiting=4, each=4))
    for name in ("a1", "a2", "a3", "a4", "b1"):
        await work.begin(name, name[0])
    await work.begin("c1", "c")
    with pytest.raises(NoTurn):
        await work.tasks["a4"]
    await work.begin("c2", "c")
    with pytest.raises(NoTurn):
        await work.tasks["c2"]
    for name in ("a1", "a2", "a3", "b1", "c1"):
        await work.end(name)
    assert (work.turns.line, +work.turns.going) == ([], {})


async def test_a_turn_is_left_to_those_whose_work_is_little() -> None:
    work = Work(FairQueue(most=2, waiting=9, each=4))
    work.turns.usage.add("a", 9.0)
    await work.begin("a1", "a")
    await work.begin("b1", "b", is_costly=True)
    assert work.begun == ["a1"], "both are costly, one for what was used, one for what is asked"
    await work.begin("c1", "c")
    assert work.begun == ["a1", "c1"]
    await work.end("a1")
    await work.end("c1")
    await work.end("b1")
    assert work.turns.costly == 0


def test_what_was_used_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tilewright.web.workers.queue.SECONDS_TO_FORGET", 0.001)
    usage = Usage()
    usage.add("a", 5.0)
    time.sleep(0.05)
    usage.add("b", 5.0)
    assert usage.of("a") < 0.01 and set(usage.used) == {"b"}


def test_little_is_what_is_little_beside_what_others_used() -> None:
    usage = Usage()
    usage.add("a", 8.0)
    assert not usage.is_little("a") and usage.is_little("b")
    usage.add("b", 30.0)
    assert usage.is_little("a") and not usage.is_little("b")


async def test_bots_think_when_nobody_waits() -> None:
    order, precedence = list[str](), Precedence()

    async def behind(name: str) -> None:
        async with precedence.behind():
            order.append(name)
            await settled()

    async with asyncio.TaskGroup() as group, precedence.before(), precedence.before():
        for name in ("bots 1", "bots 2"):
            group.create_task(behind(name))
        await settled()
        order.append("people")
    assert order == ["people", "bots 1", "bots 2"]


async def test_bots_do_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tilewright.web.workers.queue.PATIENCE", 0.01)
    precedence = Precedence()
    async with precedence.before(), precedence.behind():
        assert precedence.first == 1


HOUSEHOLDS = [address_of({"client": (f"2001:db8:0:{number:x}::1", 1)}) for number in range(100)]


def test_a_wide_network_has_some_times_as_much_as_an_address() -> None:
    buckets = AddressBuckets(0.0, 3)
    assert [buckets.take(HOUSEHOLDS[0]) for _ in range(4)] == [True, True, True, False]
    assert sum(buckets.take(household) for household in HOUSEHOLDS for _ in range(3)) == 3 * TIMES - 3
    assert not buckets.has(HOUSEHOLDS[50]) and buckets.near.has(HOUSEHOLDS[50])
    assert buckets.take("2001:db8:1::/64") and buckets.take("192.0.2.7")
    buckets.forget(HOUSEHOLDS[50])
    assert buckets.take(HOUSEHOLDS[50])


def test_a_wide_network_holds_some_times_as_many_as_an_address() -> None:
    counts = AddressCounts()
    for household in HOUSEHOLDS:
        if counts.has_room(household, 2):
            counts.enter(household)
    assert counts.total == 2 * TIMES
    assert counts.has_room("2001:db8:1::/64", 2) and counts.has_room("192.0.2.7", 2)
    counts.leave(HOUSEHOLDS[0])
    assert counts.has_room(HOUSEHOLDS[99], 2)
    for household in HOUSEHOLDS[1:]:
        counts.leave(household)
    assert (counts.total, counts.near, counts.wide) == (0, {}, {})


def test_a_wide_network_has_one_share_of_what_is_divided() -> None:
    assert {shared_by(household) for household in HOUSEHOLDS} == {"2001:db8::/48"}
    assert [shared_by(address) for address in ("192.0.2.7", "somewhere", "")] == ["192.0.2.7", "somewhere", ""]


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:0:1:aaaa::7", "2001:db8:0:1::/64"),
        ("2001:db8:0:1:bbbb::8", "2001:db8:0:1::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("somewhere", "somewhere"),
    ],
)
def test_an_address_is_what_somebody_has_to_oneself(host: str, address: str) -> None:
    assert address_of({"client": (host, 5_000)}) == address
    assert address_of({"client": None}) == ""
