"""Site: what faults strike: servers on one database, a proxy before them, one between them and one before PostgreSQL,
on a small disk of their own, with clocks that can be set.
"""

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from web_server import Cluster, Server, postgresql

from chaos.clock import Clock
from chaos.proxy import Proxy, Target

ROOT = Path(__file__).resolve().parents[2]
DISK = {"sqlite": "24m", "postgresql": "160m"}
SMALL = {"max_wal_size": "48MB", "min_wal_size": "32MB", "wal_recycle": "off", "shared_buffers": "16MB"}


@dataclass
class Site:
    """`clock`: of all processes, None without a C compiler; `is_mounted`: the disk is
    one of its own, which can be filled."""

    kind: str
    folder: Path
    disk: Path
    is_mounted: bool
    seed: int
    clock: Clock | None = None
    servers: list[Server] = field(default_factory=list)
    links: list[Proxy] = field(default_factory=list)
    cluster: Cluster | None = None
    url: str = ""  # of the database
    front: Proxy = field(init=False)
    store: Proxy | None = None
    ended: list[str] = field(default_factory=list)  # servers that ended by themselves
    upgraded: Path | None = None  # the code of a newer version, once that has been used

    def __post_init__(self) -> None:
        self.front = Proxy("front", lambda: [address(one) for one in self.servers if is_running(one)], self.seed)

    # --- start and stop

    async def start(self, count: int) -> None:
        """The database, and so many servers on it."""
        await self.front.start()
        self.url = await self.start_database()
        for number in range(count):
            server = Server(self.folder / f"server{number + 1}", self.url, environment=self.environment())
            link = Proxy(f"link {number + 1}", self.target_of(server), self.seed + number)
            await link.start()
            server.options = ("--address", f"http://127.0.0.1:{link.port}")
            self.servers.append(server)
            self.links.append(link)
        await asyncio.gather(*(asyncio.to_thread(server.start) for server in self.servers))

    async def start_database(self) -> str:
        if self.cluster is None:
            return str(self.disk / "tables.db")
        socket = self.cluster.folder / ".s.PGSQL.5432"
        self.store = await Proxy("database", lambda: [socket], self.seed).start()
        parts = urlsplit(self.cluster.fresh())
        return f"postgresql://{parts.username}@127.0.0.1:{self.store.port}{parts.path}"

    def target_of(self, server: Server) -> Callable[[], Sequence[Target]]:
        return lambda: [address(server)] if is_running(server) else []

    def environment(self) -> dict[str, str]:
        return environment(self.clock)

    async def stop(self) -> None:
        for server in self.servers:
            server.kill()
        for proxy in {*self.proxies, *self.links}:
            await proxy.stop()

    @property
    def proxies(self) -> list[Proxy]:
        links = self.links if len(self.servers) > 1 else []
        return [self.front, *links, *([self.store] if self.store else [])]

    @property
    def socket(self) -> str:
        """Where clients connect."""
        return f"ws://127.0.0.1:{self.front.port}/socket"

    @property
    def direct_url(self) -> str:
        """The database without a proxy."""
        if self.cluster is None:
            return self.url
        return f"postgresql://tester@{urlsplit(self.url).path}?host={self.cluster.folder}"

    # --- keeping it up, as systemd does

    async def keep_up(self) -> None:
        """Start again what has ended by itself, which it must not."""
        while True:
            await asyncio.sleep(0.5)
            for number, server in enumerate(self.servers, 1):
                if server.process is not None and server.process.poll() is not None:
                    self.ended.append(f"server {number} ended with code {server.process.returncode}")
                    server.kill()
                    with suppress(AssertionError):
                        await asyncio.to_thread(server.start)


def address(server: Server) -> Target:
    return "127.0.0.1", int(server.url.rpartition(":")[2])


def is_running(server: Server) -> bool:
    return server.process is not None and server.process.poll() is None and bool(server.url)


def environment(clock: Clock | None) -> dict[str, str]:
    """The environment of a server."""
    return {"PYTHONPATH": str(ROOT / "engine"), **(clock.environment if clock else {})}


@contextmanager
def site(kind: str, seed: int) -> Iterator[Site]:
    """A site without servers yet, on a disk of its own where mounts are allowed."""
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="tilewright-chaos-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        folder.chmod(0o755)
        disk = folder / "disk"
        disk.mkdir(mode=0o777)
        is_mounted = mount(disk, DISK[kind])
        if is_mounted:
            stack.callback(subprocess.run, ["umount", "--lazy", str(disk)])
        disk.chmod(0o777)
        clock = Clock.made(folder)
        found = Site(kind, folder, disk, is_mounted, seed, clock)
        if kind == "postgresql":
            clocks = clock.environment if clock else {}
            found.cluster = stack.enter_context(postgresql(parent=disk, settings=SMALL, **clocks))
        yield found


def mount(disk: Path, size: str) -> bool:
    """A small disk in memory; False where this is not allowed."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return False
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(disk)]
    return subprocess.run(command, capture_output=True).returncode == 0


async def until_running(site: Site, seconds: float = 60.0) -> None:
    """Wait until every server runs."""
    end = time.monotonic() + seconds
    while not all(is_running(server) for server in site.servers):
        if time.monotonic() > end:
            raise TimeoutError("a server does not start again")
        await asyncio.sleep(0.1)
