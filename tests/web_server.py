"""A real server in a process of its own, a private PostgreSQL, a browser: what tests of the web table run against."""

import asyncio
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from preloaded import ROOMY, Fork, begin
from processes import HANGS, descendants, kill_all

SECONDS_TO_START = SECONDS_TO_END = HANGS
ADMIN = "t" * 40  # the administrator's token of a server that many tests share
BROWSERS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
BROWSER_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-site-isolation-trials",  # the next page of a context has the process of the one before
    "--renderer-process-limit=1",
    "--in-process-gpu",  # nothing is drawn by one
    "--js-flags=--single-threaded --min-semi-space-size=64",  # a machine that runs several tests has no idle cores
)
NO_BROWSER = "no browser: this test needs Chromium (Debian and Ubuntu: apt-get install chromium)"
USER = "tester"
NO_POSTGRESQL = "no PostgreSQL: this test needs its programs (Debian and Ubuntu: apt-get install postgresql)"


# --- the server


@dataclass
class Server:
    """`tilewright serve` on a free port, with a database in its folder unless another one is named. After `kill` or
    `stop`, `start` begins it again with the same database and port, so that pages which are open find it again. In
    tests it is a fork of a process that has imported the engine (`preloaded`), unless it starts `anew`, as users do."""

    folder: Path
    database: str = ""
    options: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    python: str = sys.executable
    program: tuple[str, ...] = ("-m", "tilewright")
    own_database: bool = True
    anew: bool = False
    url: str = ""
    first_line: str = ""
    process: subprocess.Popen[str] | Fork | None = None

    def start(self) -> "Server":
        self.folder.mkdir(parents=True, exist_ok=True)
        port = self.url.rpartition(":")[2] or "0"
        command = [self.python, *self.program, "serve", "--port", port, *self.named_database(), *self.options]
        with self.errors.open("ab") as errors:
            self.process = (subprocess.Popen if self.anew else begin)(
                command,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={**os.environ, **self.environment},
                cwd=self.folder,
                start_new_session=True,
            )
        self.url = self.first_link()
        return self

    def named_database(self) -> tuple[str, ...]:
        if not self.database and not self.own_database:
            return ()
        return ("--database", self.database or str(self.folder.resolve() / "tables.db"))

    def first_link(self) -> str:
        """The link that it prints first."""
        assert self.process is not None and self.process.stdout is not None
        self.first_line = self.process.stdout.readline()
        found = re.search(r"http://\S+", self.first_line)
        if found is None:
            self.kill()
            raise AssertionError(f"the server printed {self.first_line!r}\n{self.said}")
        return found[0].rstrip("/")

    @property
    def errors(self) -> Path:
        """The file of all that it says on stderr."""
        return self.folder / "server.txt"

    @property
    def said(self) -> str:
        return self.errors.read_text(encoding="utf-8", errors="replace") if self.errors.exists() else ""

    @property
    def socket(self) -> str:
        """Where clients connect their socket."""
        return f"{self.url.replace('http', 'ws', 1)}/socket"

    def stop(self) -> int:
        """Ends it as Ctrl-C does; its exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(SECONDS_TO_END)
        finally:
            self.kill()

    def kill(self) -> None:
        """Ends it at once, and all its processes, as a failure of the machine does."""
        if self.process is not None:
            end_group(self.process)
            self.process = None


def end_group(process: subprocess.Popen[Any] | Fork) -> None:
    """Ends a process that leads a group, and whatever it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(SECONDS_TO_END)
    if process.stdout is not None:
        process.stdout.close()


@contextmanager
def serving(
    folder: Path,
    database: str = "",
    options: Sequence[str] = (),
    own_database: bool = True,
    anew: bool = False,
    roomy: bool = False,
    **environment: str,
) -> Iterator[Server]:
    """A server while the block runs. `anew`: begun as it is for users, and not as a fork; `roomy`: one that does not
    count requests, for many tests."""
    server = Server(folder, database, tuple(options), environment, own_database=own_database, anew=anew)
    server.program = ("-P", ROOMY) if roomy else server.program
    try:
        yield server.start()
    finally:
        server.kill()


# --- PostgreSQL


def postgresql_programs() -> Path | None:
    """The folder of the newest PostgreSQL of this machine."""
    folders = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    if found := shutil.which("initdb"):
        folders.append(Path(found).parent)
    return max(folders, key=lambda folder: [int(n) for n in re.findall(r"\d+", str(folder))], default=None)


def unprivileged() -> str | None:
    """Who runs the database: it refuses to be run by root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


@contextmanager
def postgresql(
    fsync: bool = False, parent: Path | None = None, settings: Mapping[str, str] | None = None, **environment: str
) -> Iterator["Cluster"]:
    """A PostgreSQL of its own while the block runs; it is reached through a socket in its folder alone. `fsync`: what
    it was told is safe from a failure of the machine, as it is where people play; `parent`: where its folder is."""
    programs = postgresql_programs()
    assert programs is not None, NO_POSTGRESQL
    user = unprivileged()
    folder = Path(tempfile.mkdtemp(prefix="tilewright-", dir=parent))
    shutil.chown(folder, user) if user else None
    cluster = Cluster(programs, folder, user, fsync, settings or {}, environment)
    try:
        cluster.make()
        cluster.start()
        yield cluster
    finally:
        cluster.stop(signal.SIGQUIT)  # nothing of it is kept
        shutil.rmtree(folder, ignore_errors=True)


@dataclass
class Cluster:
    programs: Path
    folder: Path
    user: str | None
    fsync: bool = False
    settings: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    process: subprocess.Popen[Any] | None = None
    databases: int = 0

    def make(self) -> None:
        options = ["--auth=trust", f"--username={USER}", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
        self.run("initdb", "--pgdata", str(self.folder / "data"), *options)

    def fresh(self, like: str = "template1") -> str:
        """The URL of a new database, a copy of the one with this name: an empty one."""
        self.databases += 1
        name = f"tables_{self.databases}"
        self.run("createdb", "--host", str(self.folder), "--username", USER, "--template", like, name)
        return f"postgresql://{USER}@/{name}?host={self.folder}"

    def start(self) -> None:
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "fsync": "on" if self.fsync else "off",
            **self.settings,
        }
        options = [f"-c{name}={value}" for name, value in settings.items()]
        with (self.folder / "log.txt").open("wb") as log:
            self.process = subprocess.Popen(
                [self.programs / "postgres", "-D", self.folder / "data", *options],
                stdout=log,
                stderr=log,
                user=self.user,
                env={**os.environ, **self.environment},
                cwd=self.folder,
                start_new_session=True,
            )
        self.wait()

    def wait(self) -> None:
        end = time.monotonic() + SECONDS_TO_START
        ready = [str(self.programs / "pg_isready"), "--quiet", "--host", str(self.folder)]
        while subprocess.run(ready).returncode != 0:
            assert time.monotonic() < end, (self.folder / "log.txt").read_text(errors="replace")
            time.sleep(0.05)

    def stop(self, how: int = signal.SIGINT) -> None:
        """Connections that are still open end with it."""
        if self.process is not None:
            self.process.send_signal(how)
            try:
                self.process.wait(SECONDS_TO_END)
            finally:
                end_group(self.process)

    def kill(self) -> None:
        """Ends it at once, as a failure of the machine does."""
        if self.process is not None:
            kill_all([self.process.pid, *descendants(self.process.pid)])
            end_group(self.process)
            self.process = None

    def run(self, program: str, *arguments: str) -> None:
        command = [self.programs / program, *arguments]
        done = subprocess.run(command, user=self.user, cwd=self.folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


# --- the browser

IDLE: dict[tuple[int, str], list[Any]] = {}  # contexts of a browser and a kind, which the next page may have
# Nobody looks at most pages: drawing their pixels and their sounds takes more time than all else in a hand. What is not
# painted has its place and its size, can be clicked, and is visible to scripts.
UNSEEN = """
  window.unseen = new CSSStyleSheet();
  unseen.replaceSync("@media screen { html { opacity: 0 !important } }");
  document.adoptedStyleSheets.push(unseen);
  delete window.AudioContext;
"""


def browser_path() -> str | None:
    """The system's Chromium."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


@dataclass(frozen=True)
class Browsing:
    """A browser without a window. The loop of playwright runs while it is used, and at no other time: a thread has one
    loop at a time, and other tests have their own."""

    browser: Any
    loop: asyncio.AbstractEventLoop

    @contextmanager
    def used(self) -> Iterator[Any]:
        """The browser; whatever was opened in it is closed after the block, but for what is left of `fresh_page`."""
        with self.running():
            try:
                yield self.browser
            finally:
                kept = [context for contexts in IDLE.values() for context in contexts]
                for context in self.browser.contexts:
                    if context not in kept:
                        context.close()

    @contextmanager
    def running(self) -> Iterator[None]:
        asyncio._set_running_loop(self.loop)
        try:
            yield
        finally:
            asyncio._set_running_loop(None)


def somebody(browser: Any, *, seen: bool = False, **how: Any) -> Any:
    """A new context, in English and without motion, unless `how` says otherwise. `seen`: its pages are painted."""
    context = browser.new_context(**{"locale": "en-US", "reduced_motion": "reduce", **how})
    if not seen:
        context.add_init_script(UNSEEN)
    return context


def as_seen(script: str) -> str:
    """A script that runs while the page is as if it was painted: for what looks at opacity."""
    return f"""async (arg) => {{
      if (window.unseen) unseen.disabled = true;
      try {{
        return await ({script})(arg);
      }} finally {{
        if (window.unseen) unseen.disabled = false;
      }}
    }}"""


@contextmanager
def fresh_page(browser: Any, url: str, **how: Any) -> Iterator[Any]:
    """A page of somebody whom this site does not know, in a context of this kind. Others may have had it before: it has
    kept the files of the site, and nothing that they left there. Further pages of the context are closed, too."""
    idle = IDLE.setdefault((id(browser), repr(sorted(how.items()))), [])
    context = idle.pop() if idle else somebody(browser, **how)
    page = context.new_page()
    left = {"origin": url, "storageTypes": "cache_storage,cookies,indexeddb,local_storage,service_workers"}
    context.new_cdp_session(page).send("Storage.clearDataForOrigin", left)
    yield page  # after a failure the context is closed
    for one in context.pages:
        one.close()
    context.set_offline(False)
    idle.append(context)


@contextmanager
def browsing() -> Iterator[Browsing]:
    """A browser while the block runs."""
    from playwright.sync_api import sync_playwright

    path = browser_path()
    assert path is not None, NO_BROWSER
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(BROWSER_ARGUMENTS))
        found = Browsing(browser, asyncio.get_running_loop())
        asyncio._set_running_loop(None)
        try:
            yield found
        finally:
            asyncio._set_running_loop(found.loop)
            browser.close()
