"""The plain engine, where a test compares it with kernels."""

from dataclasses import replace

import tilewright
from tilewright.play.rules import Rules


def fresh(ruleset: str) -> Rules:
    """Rules that scored no hand yet, by the kernel from the first one on: what tests load is shared by all of them."""
    return with_kernels(tilewright.load(ruleset))


def with_kernels(rules: Rules) -> Rules:
    """The same rules, whose hands the kernel scores from the first one on, where it knows the ruleset."""
    made = replace(rules)
    _ = made.quick.hands
    return made


def without_kernels(rules: Rules) -> Rules:
    """The same rules, whose hands the plain engine scores."""
    plain = replace(rules)
    vars(plain.many)["kernel"] = None
    return plain
