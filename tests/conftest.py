"""What all tests share: the checkout, the package that every Python of theirs finds; servers, databases, a browser."""

import asyncio
import gc
import os
import re
import shutil
import signal
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import update_wrapper
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

import pytest
from budget import budget
from hypothesis import HealthCheck, settings
from preloaded import anew, preload
from web_server import ADMIN, Browsing, Cluster, Server, browsing, postgresql, serving

from tilewright.base import garbage, kernels
from tilewright.base.problem import RulesetError
from tilewright.language.documents.library import bundled_documents, path_of, shown
from tilewright.play import rules as play_rules
from tilewright.scoring import rules as scoring_rules

ROOT = Path(__file__).resolve().parents[1]
SHARED = {"chromium", "public_server", "run", "server", "web_server"}  # fixtures that take long to begin
SLOW = SHARED | {"database_url", "postgresql_cluster", "start_server"}
MOST_OF_ID = 80  # characters
MOST_SHARED = 24  # rules at a time; each keeps what it has looked up

# No example fails because the machine is busy.
settings.register_profile("tests", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tests")


def share_bundled(module: ModuleType) -> None:
    """Let `load` of a module make the rules of bundled documents once for each way that places name their files: rules
    do not change, and making their search and their play takes longer than most tests of them. Done before any test or
    module takes the function from there."""
    load = module.load
    known: OrderedDict[object, Any] = OrderedDict()

    def shared(name: Any, options: Mapping[str, Any] | None = None, mods: Sequence[Any] = ()) -> Any:
        is_plain = isinstance(mods, list | tuple) and isinstance(options or {}, dict)
        if not is_plain or not all(isinstance(one, str) and is_bundled(one) for one in (name, *mods)):
            return load(name, options, mods)
        key = (shown(ROOT / "rulesets"), name, repr(sorted((options or {}).items())), tuple(mods))
        if key not in known:
            known[key] = load(name, options, mods)
        known.move_to_end(key)
        if len(known) > MOST_SHARED:
            known.popitem(last=False)
        return known[key]

    module.load = update_wrapper(shared, load)  # type: ignore[attr-defined]


def is_bundled(name: str) -> bool:
    """The name is that of a bundled document, or with options of it, and not of a file or a preset."""
    with suppress(RulesetError):
        return path_of(name.partition(":")[0]) in set(bundled_documents())
    return False


share_bundled(scoring_rules)
share_bundled(play_rules)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of a module that share what takes long to begin are of one group, which one worker runs; they, and all that
    need a server or a database, are slow. What is slow begins first, then what is long, so that nothing of it is left
    for the end. Modules that have a budget are run again in `make soak`, with more of it."""
    for item in items:
        if getattr(getattr(item, "module", None), "budget", None) is budget:
            item.add_marker(pytest.mark.budgeted)
        fixtures = getattr(item, "fixturenames", ())
        if SHARED.intersection(fixtures) and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
        if SLOW.intersection(fixtures):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: [item.get_closest_marker(name) is None for name in ("slow", "long")])


def pytest_collectstart() -> None:
    """Tests that are collected stay: looking for garbage among them takes a third of the time of collecting."""
    gc.disable()


def pytest_collection_finish() -> None:
    """All that is there when the tests begin stays, as do the rules that they share: looking for garbage in it takes an
    eighth of the time of tests that play, and three seconds wherever a server leaves out what stays."""
    gc.freeze()
    garbage.keep_frozen()
    gc.enable()
    gc.set_threshold(200_000, 20, 50)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Nothing is left to look for garbage in: pytest does so five times as it ends."""
    gc.freeze()


def pytest_make_parametrize_id(val: object) -> str | None:
    """What a case is called where pytest would number it or write out a whole document: its words, not too many."""
    match val:
        case str():
            said = val if len(val) <= MOST_OF_ID and val.isprintable() else " ".join(re.findall(r"\w+", val))
        case Path():
            said = val.name
        case Mapping():
            said = ",".join(f"{key}={value}" for key, value in val.items()) or "nothing"
        case list() | tuple() if all(isinstance(one, str | int) for one in val):
            said = " ".join(map(str, val)) or "nothing"
        case _:
            return None
    return said[:MOST_OF_ID] if said.isprintable() else None


@pytest.fixture(autouse=True, scope="session")
def engine_on_path(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Python processes that tests start import the engine of this checkout, and have a cache of their own, one for all
    workers; they hear Ctrl-C, as they would not where the tests run in the background of a shell."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ["PYTHONPATH"] = str(ROOT / "engine")
    folder = tmp_path_factory.getbasetemp()
    folder = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    os.environ["TILEWRIGHT_CACHE"] = str(folder / "cache")
    assert kernels.are_compiled(), "run `make kernels`"  # looked for now, whatever tests set for their processes
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        os.environ.pop(name, None)
    preload(folder / "preloaded")


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the checkout."""
    return ROOT


@pytest.fixture
def anyio_backend() -> str:
    """What runs the tests that are coroutines (marked `anyio`)."""
    return "asyncio"


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts a server on a free port: `start_server()`, `start_server(database=url, options=["--public"], NAME="of the
    environment")`. Several on one database: give each the same. All end with the test."""
    with ExitStack() as servers:

        def start(**how: Any) -> Server:
            name = f"server{len(list(tmp_path.glob('server*')))}"
            return servers.enter_context(serving(tmp_path / name, **how))

        yield start


@pytest.fixture
def plain_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels are left out, in tests that use this: rules that are loaded now are scored and played by the plain
    engine, as they are where nobody compiled kernels."""
    monkeypatch.setattr(kernels, "compiled", lambda: None)


@pytest.fixture
def begun_anew() -> Iterator[None]:
    """Servers and workers that a test starts begin as they do for users, and not as forks: for tests of processes."""
    with anew():
        yield


@pytest.fixture(scope="session")
def web_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests of a worker, which do not disturb each other there: each has people of its own, and
    requests are not counted. A test that changes a server, or is about its limits, starts one."""
    with serving(tmp_path_factory.mktemp("web"), roomy=True, TILEWRIGHT_ADMIN_TOKEN=ADMIN) as server:
        yield server


@pytest.fixture(scope="session")
def postgresql_cluster() -> Iterator[Cluster]:
    """A PostgreSQL of the tests' own. Tests that use it are of the group `postgresql`, so that there is one of it."""
    with postgresql() as cluster:
        yield cluster


@pytest.fixture(scope="session")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database without rows, of which tests have copies: making its tables takes longer than most of them."""
    file = tmp_path_factory.mktemp("empty") / "tables.db"
    make_tables(f"sqlite:///{file}")
    return file


@pytest.fixture(scope="session")
def empty_database(postgresql_cluster: Cluster) -> str:
    """The name of such a database of PostgreSQL."""
    make_tables(url := postgresql_cluster.fresh())
    return urlsplit(url).path.removeprefix("/")


def make_tables(url: str) -> None:
    from tilewright.web.storage.store import Store

    async def make() -> None:
        await (await Store.open(url)).close()

    with ThreadPoolExecutor(1) as thread:  # this one may have a loop
        thread.submit(asyncio.run, make()).result()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.xdist_group("postgresql"))])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new, empty database: every test that takes it runs on SQLite and on PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite:///{shutil.copy(request.getfixturevalue('empty_file'), tmp_path / 'tables.db')}"
    cluster: Cluster = request.getfixturevalue("postgresql_cluster")
    return cluster.fresh(request.getfixturevalue("empty_database"))


@pytest.fixture(scope="session")
def browsers() -> Iterator[Browsing]:
    """The browser of all tests of a worker; `chromium` is how a test uses it."""
    with browsing() as browser:
        yield browser


@pytest.fixture
def chromium(browsers: Browsing) -> Iterator[Any]:
    """A playwright browser: `chromium.new_context(...)`, `chromium.new_page()`. Contexts end with the test."""
    with browsers.used() as browser:
        yield browser
