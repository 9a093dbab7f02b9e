"""tilewright serve: the table in the browser. One line with the link, then a server until Ctrl-C.

Knows addresses, databases' URLs and signals. What the server does is `tilewright.web`.
"""

import asyncio
import errno
import signal
import socket
import sys
import webbrowser
from contextlib import suppress
from dataclasses import dataclass
from types import FrameType

import uvicorn
from uvicorn.server import Server

from tilewright.presentation.exits import FINE, PROBLEMS, Unusable
from tilewright.terminal.games import games_folder
from tilewright.web.protocol.settings import DAY, KEPT_IN_PUBLIC, Settings
from tilewright.web.storage import CannotOpen, Store

HERE, EVERYWHERE = "127.0.0.1", "0.0.0.0"
ANYWHERE = ("192.0.2.1", 9)  # an address that nobody has; nothing is sent there
FILE = "tables.db"
SECONDS_TO_END = 5  # for connections, once the server is to end
BACKLOG = 2048
MOST_FILES = 65_536  # open ones, of which each connection is one


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line says. `address`: where other servers on the same database reach this one."""

    host: str | None
    port: int
    database: str | None
    public: bool
    open: bool
    address: str | None = None
    keep: int | None = None  # days; 0: for ever


def serve_command(asked: Asked) -> int:
    """Serve until it is stopped; the exit code. Raises Unusable for what keeps it from beginning."""
    database = asked.database or default_database()
    host = asked.host or (EVERYWHERE if asked.public else HERE)
    with listening(host, asked.port) as listener:
        asyncio.run(try_database(database))
        allow_connections()
        port = listener.getsockname()[1]
        settings = Settings(database, host, port, asked.public, address=asked.address, keep=kept_for(asked))
        return serve(settings, listener, links(host, port), asked.open)


def kept_for(asked: Asked) -> float | None:
    """Seconds for which a server keeps what nobody needs any more; None: for ever, unless strangers come."""
    if asked.keep is None:
        return KEPT_IN_PUBLIC if asked.public else None
    return asked.keep * DAY or None


# --- where


def default_database() -> str:
    """The file beside the games of the terminal. Raises Unusable."""
    file = games_folder().parent / FILE
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = (error.strerror or "it cannot be written").lower()
        raise Unusable(f"tables cannot be kept in {file.parent}: {why}", "name a file: --database FILE") from None
    return str(file)


async def try_database(url: str) -> None:
    """The database is there, and as this version wants it. Raises Unusable."""
    try:
        store = await Store.open(url)
    except CannotOpen as error:
        raise Unusable(error.message, error.hint) from None
    await store.close()


def listening(host: str, port: int) -> socket.socket:
    """A socket at an address. Raises Unusable."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (socket.gaierror, UnicodeError):
        raise Unusable(f"{host!r} is no address", "this machine alone: 127.0.0.1; every address: --public") from None
    listener = socket.socket(family, kind, protocol)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise cannot_listen(host, port, error) from None
    return listener


def cannot_listen(host: str, port: int, error: OSError) -> Unusable:
    if error.errno == errno.EADDRINUSE:
        return Unusable(
            f"port {port} is in use: another program listens there, perhaps this one",
            f"another port: --port {port + 1}; any that is free: --port 0",
        )
    if error.errno == errno.EACCES:
        return Unusable(f"port {port} is kept for the system", "a port from 1024 on: --port 8765")
    if error.errno == errno.EADDRNOTAVAIL:
        return Unusable(f"this machine has no address {host}", "every address that it has: --public")
    return Unusable(f"nothing can listen at {host}, port {port}: {(error.strerror or '').lower()}")


def allow_connections() -> None:
    """As many as the system lets a program of this user have, and not only as few as it begins with."""
    if sys.platform == "win32":
        return
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if most == resource.RLIM_INFINITY else min(most, MOST_FILES)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def links(host: str, port: int) -> tuple[str, ...]:
    """Where pages find the server, the link for others first."""
    if host not in (EVERYWHERE, "::"):
        return (link(host, port),)
    own = own_address()
    return (link(own, port), link(HERE, port)) if own else (link(HERE, port),)


def link(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def own_address() -> str | None:
    """The address by which others in the same network reach this machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ANYWHERE)
        except OSError:
            return None
        address: str = probe.getsockname()[0]
        return address


# --- the server


class Announced(Server):
    """Says where it is, once it answers."""

    def __init__(self, config: uvicorn.Config, links: tuple[str, ...], open: bool) -> None:
        super().__init__(config)
        self.links, self.open = links, open

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.started:
            return
        first, *others = self.links
        also = f"  (on this machine also {others[0]})" if others else ""
        print(f"The tables are laid: {first}{also}  Ctrl-C ends.", flush=True)
        if self.open:
            await asyncio.to_thread(webbrowser.open, self.links[-1])

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Ctrl-C once is enough: everything is put away within a few seconds, and nothing is left about."""
        if not self.should_exit:
            super().handle_exit(sig, frame)


def serve(settings: Settings, listener: socket.socket, links: tuple[str, ...], open: bool) -> int:
    """Until Ctrl-C, which is how a server ends and no mistake."""
    from tilewright.web.app import make_app

    config = uvicorn.Config(
        make_app(settings),
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="on",
        ws="websockets-sansio",
        ws_max_size=settings.limits.make,
        ws_per_message_deflate=True,
        timeout_graceful_shutdown=SECONDS_TO_END,
        backlog=BACKLOG,
    )
    server = Announced(config, links, open)
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # whoever goes away in the middle of a message ends nobody else
    try:
        asyncio.run(server.serve([listener]))
    except KeyboardInterrupt:
        print("The tables are put away; they go on where they were.", file=sys.stderr)
    return FINE if server.started else PROBLEMS
