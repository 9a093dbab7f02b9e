"""What all tests share: the checkout, and the package found by every Python that they start."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(autouse=True, scope="session")
def engine_on_path(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Python processes that tests start import the engine of this checkout, and have a cache of their own."""
    os.environ["PYTHONPATH"] = str(ROOT / "engine")
    os.environ["TILEWRIGHT_CACHE"] = str(tmp_path_factory.mktemp("cache"))
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        os.environ.pop(name, None)


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the checkout."""
    return ROOT
