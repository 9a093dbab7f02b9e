"""Analysis of a ruleset with a budget: what sampled hands show of its patterns, and which options are dead.

The same seed gives the same analysis, unless time is up.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic

from tilewright.authoring.analysis.dead_options import DeadOption, Differing, Opens, OptionTrials
from tilewright.authoring.analysis.relations import Implied, NeverFound, WorthAndRarity, implied, never, out_of_line
from tilewright.authoring.analysis.seen import look
from tilewright.authoring.mutation.sampling import Case
from tilewright.scoring.rules import ScoringRules

FOR_HANDS = 0.6  # of the time; the rest is for options
MOST_CASES = 1_000  # that are scored with every value of an option


@dataclass(frozen=True, slots=True)
class AnalysisBudget:
    """As many hands, and seconds, as it may take."""

    hands: int = 100_000
    seconds: float = 30.0
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Analysis:
    """The findings. `hands`: complete ones that were sampled; `dealt`: those of them dealt like drawn tiles; `options`:
    how many were tried, besides the `untried` ones."""

    hands: int
    dealt: int
    never: tuple[NeverFound, ...]
    implied: tuple[Implied, ...]
    dead: tuple[DeadOption, ...]
    out_of_line: tuple[WorthAndRarity, ...]
    options: int = 0
    untried: tuple[str, ...] = ()

    @property
    def findings(self) -> int:
        return len(self.never) + len(self.implied) + len(self.dead) + len(self.out_of_line)


def analyze(
    opens: Opens,
    differing: Differing,
    budget: AnalysisBudget | None = None,
    done: Callable[[int], object] = lambda count: None,
) -> Analysis:
    """Analyze a ruleset; `opens` opens it with options besides those chosen, `differing` compares two. `done` is told
    how many hands and then options were tried. Raises RulesetError."""
    budget = AnalysisBudget() if budget is None else budget
    started = monotonic()
    found = opens({})
    rules = ScoringRules(found.data)
    seen = look(rules, budget.hands, budget.seed, started + FOR_HANDS * budget.seconds, done)
    trials = OptionTrials(opens, differing, some(seen.cases), started + budget.seconds, budget.seed)
    dead = tuple(trials.dead(lambda count: done(budget.hands + count)))
    return Analysis(
        seen.total,
        seen.hands["dealt"],
        tuple(never(rules.data, seen)),
        tuple(implied(rules.data, seen)),
        dead,
        tuple(out_of_line(rules.data, seen)),
        len(found.merged.options) - len(trials.untried),
        tuple(trials.untried),
    )


def some(cases: Sequence[Case]) -> Sequence[Case]:
    """At most so many cases, of every sort."""
    return cases[:: max(1, -(-len(cases) // MOST_CASES))]
