"""The kernel and the plain judge, compared."""

from dataclasses import replace

import tilewright
from tilewright.play.rules import Rules
from tilewright.scoring.plain.scene import Situation
from tilewright.scoring.score import Score


def fresh(ruleset: str) -> Rules:
    """Rules that scored no hand yet: what tests load is shared by all of them."""
    return replace(tilewright.load(ruleset))


def without_kernels(rules: Rules) -> Rules:
    """The same rules, whose hands the plain judge scores."""
    plain = replace(rules)
    vars(plain)["kernel"] = None
    return plain


def takes(rules: Rules, situation: Situation) -> bool:
    """Whether the kernel takes such a hand, if it knows the ruleset."""
    return rules.kernel is None or rules.kernel.known_image.takes(situation)


def score_by_kernel(rules: Rules, situation: Situation) -> Score | None:
    """The score of a hand by the kernel, if it finds one: the same as that of the plain judge, with its reading."""
    found = rules.quick.score(situation)
    if found is not None:
        best = rules.judge.best_with_scene(situation)
        expected = rules.scores.no_score(situation) if best is None else rules.scores.told(situation, *best)
        assert found.as_json() == expected.as_json() and found.tell() == expected.tell(), situation
    return found
