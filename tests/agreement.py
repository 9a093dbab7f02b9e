"""Three computations of the same hands, compared: the kernel, the plain judge, and an oracle.

Run as `python tests/agreement.py [HANDS]` for a long comparison; the tests run a short one.
"""

import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from engines import score_by_kernel
from oracles.hands import cases

import tilewright
from tilewright.scoring.case import read_case
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.score import Score

RULESETS = ("zung_jung", "zung_jung_plus", "hong_kong", "sichuan", "cantonese", "chinese_classical", "uzje")


def disagreements(ruleset: str, hands: int, seed: int = 1) -> Iterator[str]:
    """A line for every hand on which two of the three differ, or whose payments are off zero."""
    rules = tilewright.load(ruleset)
    for case in cases(ruleset, hands, seed):
        yield from (f"{case['id']}: {line}" for line in of_case(rules, ruleset, case))


def of_case(rules: tilewright.Rules, ruleset: str, case: dict[str, Any]) -> Iterator[str]:
    situation = read_case(rules.data, case)
    try:
        score_by_kernel(rules, situation)
    except AssertionError:
        yield f"the kernel says {rules.score_situation(situation)}, the judge {rules.judge.best(situation)}"
    score = rules.score_case(case)
    if score.payments is not None and sum(score.payments.values()) != 0:
        yield f"payments are off zero: {score.payments}"
    yield from against_oracle(score, import_module(f"oracles.{ruleset}").score(case))


def against_oracle(score: Score, oracle: Any) -> Iterator[str]:
    """Totals and payments are equal, and the patterns are those of one of the best readings."""
    if score.win != oracle.win or score.total != oracle.total:
        yield f"{score.total} ({score.reason or 'wins'}), the oracle says {oracle.total} {sorted(oracle.patterns)}"
    elif score.win and frozenset(p.id for p in score.patterns) not in {oracle.patterns, *oracle.alternatives}:
        yield f"counts {sorted(p.id for p in score.patterns)}, the oracle {sorted(oracle.patterns)}"
    if score.win and score.payments != oracle.payments:
        yield f"pays {score.payments}, the oracle {oracle.payments}"


def main() -> int:
    hands = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    wrong = 0
    for ruleset in RULESETS:
        try:
            lines = list(disagreements(ruleset, hands, seed=hands))
        except CaseError as error:
            lines = [str(error)]
        wrong += len(lines)
        print(f"{ruleset}: {hands} hands, {len(lines)} disagreements", *lines[:10], sep="\n  ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
