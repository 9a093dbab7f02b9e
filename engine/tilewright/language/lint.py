"""Lint: what is allowed word for word and cannot be meant, in a whole whose names and expressions are in order.

Each check is a generator of problems over a `View`; this module lists them. What an author has to mend is an error;
what may be meant after all is a warning, and only about the documents that are checked, not what they extend.
"""

from collections.abc import Callable, Iterator, Set
from typing import TYPE_CHECKING

from tilewright.base.problem import Problem, Source
from tilewright.language import lint_circles, lint_names, lint_patterns, lint_play, lint_secrets, lint_sorts
from tilewright.language.view import View

if TYPE_CHECKING:
    from tilewright.language.load import Whole

Check = Callable[[View], Iterator[Problem]]
FIRST: tuple[Check, ...] = (*lint_sorts.CHECKS, *lint_circles.CHECKS)
THEN: tuple[Check, ...] = (*lint_play.CHECKS, *lint_patterns.CHECKS, *lint_secrets.CHECKS, *lint_names.CHECKS)


def lint(whole: "Whole", own: Set[Source]) -> Iterator[Problem]:
    """Everything that cannot be meant. What a thing is and circles come first: other checks rely on them."""
    view = View(whole, frozenset(own))
    found = [problem for check in FIRST for problem in check(view)]
    yield from found or (problem for check in THEN for problem in check(view))
