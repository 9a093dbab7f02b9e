"""The command that serves tables in the browser."""

import asyncio
import errno
import os
import re
import signal
import socket
import sys
import webbrowser
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer
import uvicorn
from starlette.applications import Starlette
from uvicorn.server import Server

from tilewright.authoring.open_rules import CannotBegin
from tilewright.base.garbage import spare_what_stays
from tilewright.cli.command import FINE, PROBLEMS, command
from tilewright.terminal.saved_games import games_folder
from tilewright.web.metrics import LogFormat, write_logs
from tilewright.web.protocol.settings import DAY, KEPT_IN_PUBLIC, Settings
from tilewright.web.storage.database import database_at
from tilewright.web.storage.rows import CannotOpen
from tilewright.web.storage.store import Store
from tilewright.web.storage.store import roll_back as go_back_to

HERE, EVERYWHERE = "127.0.0.1", "0.0.0.0"
ANYWHERE = ("192.0.2.1", 9)  # an address reserved for documentation; nothing is sent there
FILE = "tables.db"
HOST_NAME = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_.-]{0,252})")
SECONDS_TO_END = 5  # for connections, once the server is to end
SECONDS_TO_SWITCH = 0.0005  # after which a busy thread lets another one run: the database has one, which is asked often
BACKLOG = 2048  # connections that wait to be accepted,
ACCEPTED = 4  # and that are accepted at once, before others have their turn
LEAST_TOKEN = 24  # characters
NEW_TOKEN = "make one: openssl rand -hex 32 > {file}"
MOST_FILES = 65_536  # open files; each connection is one


@command("serve")
def serve(
    *,
    host: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Where to listen; by default on this machine only.")
    ] = None,
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="Which port; 0: any free one.")] = 8765,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            envvar="TILEWRIGHT_DATABASE",
            help="Where to store tables: a file, or postgresql://...; by default a file of the user.",
        ),
    ] = None,
    public: Annotated[
        bool,
        typer.Option(
            "--public", help="Let other machines connect: listen at every address, and limit what each may do."
        ),
    ] = False,
    open_: Annotated[bool, typer.Option("--open", help="Open the page in your browser.")] = False,
    host_name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A name by which pages reach this server, like mahjong.example.org; may be repeated. IP addresses and "
            "names of this machine need none.",
            show_default=False,
        ),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="Where other servers on the same database reach this one.", show_default=False
        ),
    ] = None,
    keep: Annotated[
        int | None,
        typer.Option(
            metavar="DAYS",
            min=0,
            help="How long to keep finished tables and people who no longer come; 0: for ever. "
            "With --public a year, else for ever.",
            show_default=False,
        ),
    ] = None,
    admin_token_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            envvar="TILEWRIGHT_ADMIN_TOKEN_FILE",
            help="The file with the token of the administrator's page, /admin; or TILEWRIGHT_ADMIN_TOKEN has it.",
            show_default=False,
        ),
    ] = None,
    metrics_token_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            envvar="TILEWRIGHT_METRICS_TOKEN_FILE",
            help="The file with the token of /metrics, for Prometheus; or TILEWRIGHT_METRICS_TOKEN has it.",
            show_default=False,
        ),
    ] = None,
    log: Annotated[LogFormat, typer.Option(help="How to write the log on stderr.")] = "text",
    roll_back: Annotated[
        str | None,
        typer.Option(
            metavar="VERSION",
            help="Change the tables of the database back to those of an earlier version, like v6, and end.",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Serve tables in the browser, for you, your friends and bots.

    Example: tilewright serve --open
    """
    if sys.platform == "win32":
        raise CannotBegin(
            "the server runs on Linux and macOS", "on Windows start it in WSL, or play with `tilewright play`"
        )
    admin_token = token_in(admin_token_file, "TILEWRIGHT_ADMIN_TOKEN")
    metrics_token = token_in(metrics_token_file, "TILEWRIGHT_METRICS_TOKEN")
    write_logs(log)
    database = database or default_database()
    if roll_back is not None:
        asyncio.run(go_back(database, roll_back))
        return FINE
    host = host or (EVERYWHERE if public else HERE)
    with listening(host, port) as listener:
        asyncio.run(try_database(database))
        allow_connections()
        port = listener.getsockname()[1]
        settings = Settings(
            database,
            host,
            port,
            public,
            host_names=tuple(map(checked_name, host_name or ())),
            address=address,
            keep=kept_for(keep, public),
            admin_token=admin_token,
            metrics_token=metrics_token,
        )
        return run_server(settings, listener, links(host, port), open_)


def checked_name(name: str) -> str:
    """The name of a host. Raises CannotBegin for anything else."""
    if not HOST_NAME.fullmatch(name):
        raise CannotBegin(f"{name!r} is not the name of a host", "without http:// and port: mahjong.example.org")
    return name


def kept_for(days: int | None, public: bool) -> float | None:
    """Seconds for which a server keeps unused data; None: for ever, unless it is public."""
    if days is None:
        return KEPT_IN_PUBLIC if public else None
    return days * DAY or None


def token_in(file: Path | None, variable: str) -> str | None:
    """The token in a file or an environment variable, if there is one. Raises CannotBegin."""
    if file is None:
        token, place = os.environ.get(variable), variable
    else:
        try:
            token, place = file.read_text(encoding="utf-8"), str(file)
        except (OSError, UnicodeDecodeError) as error:
            why = (getattr(error, "strerror", None) or "it is not text").lower()
            raise CannotBegin(f"the token in {file} cannot be read: {why}", NEW_TOKEN.format(file=file)) from None
    token = token and token.strip()
    if token is not None and (len(token) < LEAST_TOKEN or not token.isascii() or not token.isprintable()):
        raise CannotBegin(f"{place} has no token of at least {LEAST_TOKEN} letters or digits", "openssl rand -hex 32")
    return token


# --- where


def default_database() -> str:
    """The file next to the games of the terminal. Raises CannotBegin."""
    file = games_folder().parent / FILE
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = (error.strerror or "it cannot be written").lower()
        raise CannotBegin(f"tables cannot be kept in {file.parent}: {why}", "name a file: --database FILE") from None
    return str(file)


async def go_back(url: str, version: str) -> None:
    """Change the tables of the database back to those of an earlier version. Raises CannotBegin."""
    try:
        await go_back_to(database_at(url), version)
    except CannotOpen as error:
        raise CannotBegin(error.message, error.hint) from None
    print(f"The tables of the database are of version {version} now: start the server of that version.")


async def try_database(url: str) -> None:
    """Open the database and bring it to this version. Raises CannotBegin."""
    try:
        store = await Store.open(url)
    except CannotOpen as error:
        raise CannotBegin(error.message, error.hint) from None
    await store.close()


def listening(host: str, port: int) -> socket.socket:
    """A socket at an address. Raises CannotBegin."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (socket.gaierror, UnicodeError):
        raise CannotBegin(
            f"{host!r} is not an address", "this machine alone: 127.0.0.1; every address: --public"
        ) from None
    listener = socket.socket(family, kind, protocol)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise cannot_listen(host, port, error) from None
    return listener


def cannot_listen(host: str, port: int, error: OSError) -> CannotBegin:
    if error.errno == errno.EADDRINUSE:
        return CannotBegin(
            f"port {port} is in use: another program listens there, perhaps this one",
            f"another port: --port {port + 1}; any free one: --port 0",
        )
    if error.errno == errno.EACCES:
        return CannotBegin(f"port {port} is reserved for the system", "a port from 1024 on: --port 8765")
    if error.errno == errno.EADDRNOTAVAIL:
        return CannotBegin(f"this machine has no address {host}", "every address that it has: --public")
    return CannotBegin(f"nothing can listen at {host}, port {port}: {(error.strerror or '').lower()}")


def allow_connections() -> None:
    """Raise the number of open files to the system's limit for this user."""
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if most == resource.RLIM_INFINITY else min(most, MOST_FILES)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def links(host: str, port: int) -> tuple[str, ...]:
    """The links to the server, the one for others first."""
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
    """Prints its links once it answers. After SIGUSR1 it makes no new tables, and stops when no game is played."""

    def __init__(self, app: Starlette, config: uvicorn.Config, links: tuple[str, ...], open: bool) -> None:
        super().__init__(config)
        self.app, self.links, self.open = app, links, open
        self.stops_when_drained = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.started:
            return
        for listener in sockets or ():
            listener.listen(BACKLOG)
        spare_what_stays()
        self.app.state.watchdog.start()
        first, *others = self.links
        also = f" (on this machine also {others[0]})" if others else ""
        print(f"Serving at {first}{also}  Ctrl-C stops.", flush=True)
        if hasattr(signal, "SIGUSR1"):
            asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, self.drain)
        if self.open:
            await asyncio.to_thread(webbrowser.open, self.links[-1])

    def drain(self) -> None:
        print("Makes no new tables; stops when no game is played.", file=sys.stderr, flush=True)
        self.app.state.router.tables.draining = self.stops_when_drained = True

    async def on_tick(self, counter: int) -> bool:
        done = self.stops_when_drained and self.app.state.router.tables.is_drained
        return await super().on_tick(counter) or done

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop after one Ctrl-C: everything is closed within a few seconds, and nothing is left behind."""
        if not self.should_exit:
            super().handle_exit(sig, frame)


def run_server(settings: Settings, listener: socket.socket, links: tuple[str, ...], open: bool) -> int:
    """Run until Ctrl-C, the normal end of a server."""
    from tilewright.web.app import make_app
    from tilewright.web.connections import BoundedRequests, BoundedSocket

    app = make_app(settings)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="on",
        http=BoundedRequests,
        ws=BoundedSocket,
        ws_max_size=settings.limits.make,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=SECONDS_TO_END,
        backlog=ACCEPTED,
    )
    server = Announced(app, config, links, open)
    if hasattr(signal, "SIGPIPE"):
        signal.signal(
            signal.SIGPIPE, signal.SIG_IGN
        )  # a client that leaves in the middle of a message must not end the others
    sys.setswitchinterval(SECONDS_TO_SWITCH)
    try:
        asyncio.run(server.serve([listener]))
    except KeyboardInterrupt:
        print("Stopped. The tables continue at the next start.", file=sys.stderr)
    return FINE if server.started else PROBLEMS
