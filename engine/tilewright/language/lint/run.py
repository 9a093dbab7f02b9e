"""Lint: valid but surely unintended rules, in a whole whose names and expressions are valid.

Each check is a generator of problems over a `DocumentView`; this module lists them. Something that an author must fix
is an error; something that may be intended is a warning, and only about the checked documents, not what they extend.
"""

from collections.abc import Callable, Iterator, Set
from typing import TYPE_CHECKING

from tilewright.base.problem import Problem, Source
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.lint import (
    names,
    offers,
    patterns,
    payments,
    phases,
    secrets,
    structure,
    tiles_in_play,
)
from tilewright.language.lint.impossible import lint_hands
from tilewright.language.lint.view import DocumentView, PlayView

if TYPE_CHECKING:
    from tilewright.language.documents.whole import MergedRuleset

Check = Callable[[DocumentView], Iterator[Problem]]
FIRST: tuple[Check, ...] = structure.CHECKS
THEN: tuple[Check, ...] = (*phases.CHECKS, *patterns.CHECKS, *secrets.CHECKS, *names.CHECKS)

PLAYED: tuple[Callable[[PlayView], Iterator[Problem]], ...] = (
    *tiles_in_play.CHECKS,
    *offers.CHECKS,
    *payments.CHECKS,
)


def lint(whole: "MergedRuleset", own: Set[Source]) -> Iterator[Problem]:
    """All problems that need no compiled form. Sorts and cycles come first: other checks rely on them."""
    view = DocumentView(whole, frozenset(own))
    found = [problem for check in FIRST for problem in check(view)]
    yield from found or (problem for check in THEN for problem in check(view))


def lint_compiled(whole: "MergedRuleset", own: Set[Source], data: CompiledRuleset) -> Iterator[Problem]:
    """All problems that only the compiled form shows."""
    view = DocumentView(whole, frozenset(own))
    if data.play is not None:
        played = PlayView(view, data, data.play)
        for check in PLAYED:
            yield from check(played)


def search(whole: "MergedRuleset", own: Set[Source], data: CompiledRuleset) -> Iterator[Problem]:
    """Patterns that no hand can have. This is slow, so it is done only by explicit checks."""
    yield from lint_hands(DocumentView(whole, frozenset(own)), data)
