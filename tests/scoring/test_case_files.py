"""Case files that have to be clean: what real games and house rules showed, as data."""

from pathlib import Path

import pytest

from tilewright.authoring.open_rules import RulesChoice
from tilewright.cli.check_files import check_file

FILES = sorted((Path(__file__).parents[1] / "data" / "cases").glob("*.jsonl"))


@pytest.mark.long
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_case_file_is_clean(path: Path) -> None:
    checked = check_file(str(path), RulesChoice())
    assert checked.problems == ()
