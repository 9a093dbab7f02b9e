"""What all tests share: the checkout, the package that every Python of theirs finds; servers, databases, a browser."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from web_server import Cluster, Server, browsing, postgresql, serving

ROOT = Path(__file__).resolve().parents[1]
SHARED = {"chromium", "public_server", "run", "server", "web_server"}  # fixtures of a module that take long to begin

# No example fails because the machine is busy.
settings.register_profile("tests", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tests")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of a module that share what takes long to begin are of one group, which one worker runs."""
    for item in items:
        if SHARED.intersection(getattr(item, "fixturenames", ())) and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


@pytest.fixture(autouse=True, scope="session")
def engine_on_path(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Python processes that tests start import the engine of this checkout, and have a cache of their own, one for all
    workers; they hear Ctrl-C, as they would not where the tests run in the background of a shell."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ["PYTHONPATH"] = str(ROOT / "engine")
    folder = tmp_path_factory.getbasetemp()
    os.environ["TILEWRIGHT_CACHE"] = str((folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "cache")
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        os.environ.pop(name, None)


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


@pytest.fixture(scope="module")
def web_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests of a module, which do not disturb each other there."""
    with serving(tmp_path_factory.mktemp("web")) as server:
        yield server


@pytest.fixture(scope="session")
def postgresql_cluster() -> Iterator[Cluster]:
    """A PostgreSQL of the tests' own. Tests that use it are of the group `postgresql`, so that there is one of it."""
    with postgresql() as cluster:
        yield cluster


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.xdist_group("postgresql"))])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new, empty database: every test that takes it runs on SQLite and on PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/tables.db"
    cluster: Cluster = request.getfixturevalue("postgresql_cluster")
    return cluster.fresh()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A playwright browser for all tests of a module: `chromium.new_context(...)`, `chromium.new_page()`."""
    with browsing() as browser:
        yield browser
