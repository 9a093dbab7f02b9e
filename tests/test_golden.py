"""Golden games come out as they are written down, line by line."""

from pathlib import Path

import pytest
from golden_games import files, parts, written


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_golden_game(path: Path) -> None:
    assert written(*parts(path)) == path.read_text(encoding="utf-8")
