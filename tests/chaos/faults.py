"""Faults: what fails while people play, each for a while. A fault is done when everything works again, and says what it
has done.
"""

import asyncio
import os
import random
import resource
import signal
import sqlite3
import subprocess
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from processes import descendants, kill_all
from web_server import Server

from chaos.site import ROOT, Site
from chaos.versions import newer_version, older_version

SQLITE, POSTGRESQL = "sqlite", "postgresql"
Strike = Callable[[Site, random.Random], Awaitable[str]]


class CannotStrike(Exception):
    """What this fault needs is not here."""


@dataclass(frozen=True)
class Fault:
    """`database`: the kind that it needs; `once`: it changes the rest of the run."""

    strike: Strike
    database: str | None = None
    once: bool = False

    @property
    def name(self) -> str:
        return self.strike.__name__.replace("_", " ")


# --- processes


async def kill_server(site: Site, chance: random.Random) -> str:
    server = chance.choice(site.servers)
    server.kill()
    await asyncio.sleep(chance.uniform(0.1, 4))
    await start(server)
    return f"{name_of(site, server)} was killed and started again"


async def stop_server(site: Site, chance: random.Random) -> str:
    server = chance.choice(site.servers)
    process, server.process = server.process, None
    assert process is not None
    process.send_signal(signal.SIGINT)
    code = await asyncio.to_thread(process.wait, 60)
    if process.stdout is not None:
        process.stdout.close()
    if code != 0:
        site.ended.append(f"{name_of(site, server)} was stopped and ended with code {code}")
    await start(server)
    return f"{name_of(site, server)} was stopped, as Ctrl-C does, and started again"


async def kill_all_servers(site: Site, chance: random.Random) -> str:
    for server in site.servers:
        server.kill()
    await asyncio.sleep(chance.uniform(0.1, 2))
    await asyncio.gather(*map(start, site.servers))
    return "all servers were killed and started again"


async def freeze_server(site: Site, chance: random.Random) -> str:
    """As a virtual machine that is moved: it wakes up and believes that it still plays its tables."""
    server, seconds = chance.choice(site.servers), chance.uniform(2, 12)
    assert server.process is not None
    frozen = [server.process.pid, *descendants(server.process.pid)]
    for word in (signal.SIGSTOP, signal.SIGCONT):
        for pid in frozen:
            with suppress(ProcessLookupError):
                os.kill(pid, word)
        if word == signal.SIGSTOP:
            await asyncio.sleep(seconds)
    return f"{name_of(site, server)} stood still for {seconds:.1f} s"


async def kill_workers(site: Site, chance: random.Random) -> str:
    server = chance.choice(site.servers)
    assert server.process is not None
    workers = descendants(server.process.pid)
    chosen = workers if chance.random() < 0.5 else [chance.choice(workers)] if workers else []
    kill_all(chosen)
    return f"{len(chosen)} of {len(workers)} workers of {name_of(site, server)} were killed"


# --- the database


async def kill_postgresql(site: Site, chance: random.Random) -> str:
    assert site.cluster is not None
    site.cluster.kill()
    await asyncio.sleep(chance.uniform(0.1, 6))
    await start_postgresql(site)
    return "PostgreSQL was killed and started again"


async def restart_postgresql(site: Site, chance: random.Random) -> str:
    assert site.cluster is not None
    await asyncio.to_thread(site.cluster.stop)
    await start_postgresql(site)
    return "PostgreSQL was stopped and started again"


async def start_postgresql(site: Site) -> None:
    """It may need more than one try, while processes of the old one still end."""
    assert site.cluster is not None
    for last in (False, False, True):
        try:
            await asyncio.to_thread(site.cluster.start)
            return
        except AssertionError:
            if last:
                raise
            site.cluster.kill()


async def lock_file(site: Site, chance: random.Random) -> str:
    """As a backup or another program does; rarely for longer than the server waits."""
    seconds = chance.choice((1.0, 3.0, 8.0, 24.0))
    await asyncio.to_thread(hold_lock, site.url, seconds)
    return f"the file was locked for {seconds:.0f} s"


def hold_lock(file: str, seconds: float) -> None:
    connection = sqlite3.connect(file, isolation_level=None, timeout=20)
    try:
        with suppress(sqlite3.OperationalError):  # somebody else writes without end
            connection.execute("BEGIN IMMEDIATE")
            time.sleep(seconds)
            connection.execute("ROLLBACK")
    finally:
        connection.close()


# --- the disk


async def fill_disk(site: Site, chance: random.Random) -> str:
    if not site.is_mounted:
        raise CannotStrike("a disk of its own needs root, and leave to mount")
    seconds = chance.uniform(1, 6)
    ballast = site.disk / "ballast"
    await asyncio.to_thread(fill, ballast)
    await asyncio.sleep(seconds)
    ballast.unlink()
    await restore_postgresql(site)
    return f"the disk was full for {seconds:.1f} s"


def fill(ballast: Path) -> None:
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"\0" * 4_096)


async def fail_writes(site: Site, chance: random.Random) -> str:
    """No file can be written any more, by RLIMIT_FSIZE of the processes that write to the database, as if the disk had
    become read-only under them."""
    seconds = chance.uniform(1, 6)
    if site.cluster is not None:
        assert site.cluster.process is not None
        roots = [site.cluster.process.pid]
    else:
        roots = [server.process.pid for server in site.servers if server.process is not None]
    limit(roots, 0)
    await asyncio.sleep(seconds)
    limit(roots, resource.RLIM_INFINITY)
    await restore_postgresql(site)
    return f"nothing could be written for {seconds:.1f} s"


def limit(roots: Sequence[int], size: int) -> None:
    for root in roots:
        for pid in (root, *descendants(root)):
            with suppress(ProcessLookupError, PermissionError):
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


async def restore_postgresql(site: Site) -> None:
    """It ends if it cannot write; who runs it starts it again."""
    if site.cluster is None:
        return
    await asyncio.sleep(0.5)
    ready = [str(site.cluster.programs / "pg_isready"), "--quiet", "--host", str(site.cluster.folder)]
    if (await asyncio.to_thread(subprocess.run, ready)).returncode != 0:
        site.cluster.kill()
        await start_postgresql(site)


async def remount_read_only(site: Site, chance: random.Random) -> str:
    """A server that finds its disk read-only when it starts says so, and does not start."""
    if not site.is_mounted:
        raise CannotStrike("a disk of its own needs root, and leave to mount")
    for server in site.servers:
        server.kill()
    remount(site, "ro")
    try:
        said = await refused_start(site.servers[0])
    finally:
        remount(site, "rw")
        await asyncio.gather(*map(start, site.servers))
    return f"the disk was read-only at a start: {said}"


def remount(site: Site, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{how}", str(site.disk)], check=True, capture_output=True)


# --- the clock


async def jump_clock(site: Site, chance: random.Random) -> str:
    if site.clock is None:
        raise CannotStrike("setting the clock needs a C compiler")
    seconds = chance.choice((-86_400, -3_600, -20, -7, 7, 20, 3_600, 86_400))
    site.clock.set(seconds)
    said = f"the clock jumped by {seconds} s"
    if chance.random() < 0.5:
        said += f"; {await kill_server(site, chance)}"
    await asyncio.sleep(chance.uniform(1, 4))
    site.clock.set(0)
    if chance.random() < 0.5:
        said += f", and back; {await kill_server(site, chance)}"
    return said


# --- connections


async def cut_connections(site: Site, chance: random.Random) -> str:
    proxy = chance.choice(site.proxies)
    return f"{proxy.cut()} connections of {proxy.name} were cut"


async def delay_connections(site: Site, chance: random.Random) -> str:
    proxy, delay, seconds = chance.choice(site.proxies), chance.uniform(0.05, 0.8), chance.uniform(2, 8)
    proxy.delay = delay
    await asyncio.sleep(seconds)
    proxy.delay = 0.0
    return f"{proxy.name} was {delay:.2f} s late for {seconds:.1f} s"


async def silence_connections(site: Site, chance: random.Random) -> str:
    """Nothing passes, and nobody is told, as when a cable is pulled; then the connections break."""
    proxy, seconds = chance.choice(site.proxies), chance.uniform(2, 15)
    proxy.silent = True
    await asyncio.sleep(seconds)
    proxy.silent = False
    proxy.cut()
    return f"{proxy.name} was silent for {seconds:.1f} s"


# --- versions


async def use_older_version(site: Site, chance: random.Random) -> str:
    """One server after the other is replaced by an older version, and later back."""
    if site.upgraded is not None:
        raise CannotStrike("a newer version has changed the database by now")
    older = await asyncio.to_thread(cached, older_version, site.folder)
    if older is None:
        raise CannotStrike("no older version with these rulesets and migrations (or no history) is here")
    for server in site.servers:
        await replace_version(server, older)
        await asyncio.sleep(chance.uniform(1, 4))
    for server in site.servers:
        await replace_version(server, None)
    return "an older version played, and then this one again"


async def use_newer_version(site: Site, chance: random.Random) -> str:
    """A newer version changes the database, one server after the other; this one refuses it from then on."""
    newer = await asyncio.to_thread(cached, newer_version, site.folder)
    site.upgraded = newer
    for server in site.servers:
        await replace_version(server, newer)
        await asyncio.sleep(chance.uniform(1, 3))
    server = chance.choice(site.servers)
    server.kill()
    with version(server, None):
        said = await refused_start(server)
    await start(server)
    return f"a newer version plays from here on; this one said: {said}"


def cached(make: Callable[[Path], Path | None], folder: Path) -> Path | None:
    made = folder / make.__name__.partition("_")[0]
    return made if made.exists() else make(folder)


async def replace_version(server: Server, code: Path | None) -> None:
    server.kill()
    server.environment = environment_of(server, code)
    await start(server)


def environment_of(server: Server, code: Path | None) -> dict[str, str]:
    return {**server.environment, "PYTHONPATH": str((code or ROOT) / "engine")}


@contextmanager
def version(server: Server, code: Path | None) -> Iterator[None]:
    before = server.environment
    server.environment = environment_of(server, code)
    try:
        yield
    finally:
        server.environment = before


# --- starting


async def start(server: Server) -> None:
    """Start a server that is down; the database may need a moment."""
    for last in (False, False, True):
        try:
            await asyncio.to_thread(server.start)
            return
        except AssertionError:
            if last:
                raise
            await asyncio.sleep(1)


async def refused_start(server: Server) -> str:
    """What a server says that does not start. Raises AssertionError if it does, or fails without a reason."""
    before = len(server.said)
    try:
        await asyncio.to_thread(server.start)
    except AssertionError:
        said = server.said[before:].strip()
        assert said and "Traceback" not in said, f"the server failed without a reason: {said}"
        return " ".join(said.split())
    server.kill()
    raise AssertionError("the server has started")


def name_of(site: Site, server: Server) -> str:
    return f"server {site.servers.index(server) + 1}"


FAULTS = (
    Fault(kill_server),
    Fault(kill_workers),
    Fault(stop_server),
    Fault(kill_all_servers),
    Fault(freeze_server),
    Fault(kill_postgresql, POSTGRESQL),
    Fault(restart_postgresql, POSTGRESQL),
    Fault(lock_file, SQLITE),
    Fault(fill_disk),
    Fault(fail_writes),
    Fault(remount_read_only, SQLITE),
    Fault(jump_clock),
    Fault(cut_connections),
    Fault(delay_connections),
    Fault(silence_connections),
    Fault(use_older_version),
    Fault(use_newer_version, once=True),
)
