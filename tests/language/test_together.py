"""Mistakes that do not follow from each other are reported together, whatever stage finds them."""

import re
from pathlib import Path

import pytest
from conftest import ROOT

from tilewright.base.problem import RulesetError
from tilewright.language.check import problems_of
from tilewright.language.load import load_data

FOLDER = ROOT / "tests" / "data" / "together"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_each_is_found_and_nothing_else(path: Path) -> None:
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    wanted = {number: found[1] for number, line in lines if (found := re.search(r"# is: ([\w-]+)", line))}
    errors = [one for one in problems_of(path) if one.severity == "error"]
    assert {one.place.line: one.code for one in errors if one.place} == wanted


def test_nothing_is_kept_of_what_was_checked_in_part() -> None:
    """A ruleset with errors is never opened without them."""
    path = FOLDER / "a_ruleset.yaml"
    assert len(problems_of(path)) > 5
    with pytest.raises(RulesetError):
        load_data(str(path))
