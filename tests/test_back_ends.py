"""The back ends agree: generated source and tables, the tree walker, and an independent computation."""

import pytest
from agreement import RULESETS, disagreements


@pytest.mark.parametrize("ruleset", RULESETS)
def test_back_ends_and_oracle_agree(ruleset: str) -> None:
    assert list(disagreements(ruleset, 250)) == []
