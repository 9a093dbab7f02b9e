"""Case files that lie beside no ruleset of their own: what real games showed, and what lies around it."""

from pathlib import Path

import pytest

from tilewright.apps.check import check_file
from tilewright.apps.opening import Choices

FILES = sorted((Path(__file__).parent / "data" / "cases").glob("*.jsonl"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_case_file_is_clean(path: Path) -> None:
    checked = check_file(str(path), Choices())
    assert checked.problems == ()
