"""The plain engine, where a test compares it with kernels."""

from dataclasses import replace

import tilewright
from tilewright.play.rules import Rules


def fresh(ruleset: str) -> Rules:
    """Rules that scored no hand yet: what tests load is shared by all of them."""
    return replace(tilewright.load(ruleset))


def without_kernels(rules: Rules) -> Rules:
    """The same rules, whose hands the plain engine scores."""
    plain = replace(rules)
    vars(plain.many)["kernel"] = None
    return plain
