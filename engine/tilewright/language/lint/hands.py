"""Lint that needs the tiles themselves: patterns that no hand can satisfy.

Looks at the compiled ruleset; reports only what is certain, and nothing if there are wild tiles or if options decide.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tilewright.base.problem import Problem
from tilewright.language.compiled.ir import Apply, HasGroups
from tilewright.language.compiled.ruleset import CompiledRuleset, Form, Pattern
from tilewright.language.documents.fields import section
from tilewright.language.lint.impossible import why_impossible
from tilewright.language.lint.view import DocumentView, names_below

if TYPE_CHECKING:
    from tilewright.language.documents.whole import MergedRuleset

TILES = (("tiles", "suits"), ("tiles", "unranked"), ("tiles", "special"), ("groups",))
FORMS = (("forms",),)


def lint_hands(view: DocumentView, data: CompiledRuleset) -> Iterator[Problem]:
    """Patterns of the checked documents that no hand satisfies."""
    if data.tiles.wild or leaves_out(view.whole, TILES):
        return
    forms = () if leaves_out(view.whole, FORMS) or asks_options(view, "forms") else data.forms
    for pattern in data.patterns:
        own = pattern.place is not None and view.is_own(pattern.place)
        if not own or asks_options(view, "patterns", pattern.id):
            continue
        if why := impossible(pattern, data, () if pattern.everyone else forms):
            yield impossible_pattern(pattern, why)


def leaves_out(whole: "MergedRuleset", parts: Iterable[tuple[str, ...]]) -> bool:
    """Whether these options leave something out: then other options may make it possible."""
    return any(
        section(whole.full, *part).entries.keys() != section(whole.document, *part).entries.keys() for part in parts
    )


def asks_options(view: DocumentView, *path: str) -> bool:
    """Whether it depends on options, also through terms."""

    def asks() -> bool:
        options = view.keys("options").keys()
        return bool(options and options & view.closure(names_below(section(view.full, *path))))

    found: bool = view.whole.found.once(("asks options", path), asks)
    return found


def impossible(pattern: Pattern, data: CompiledRuleset, forms: Sequence[Form]) -> str | None:
    """Why no hand can satisfy a pattern; None if some may."""
    tests = [] if pattern.when is None else [pattern.when]
    if pattern.each is not None:
        each = HasGroups(tuple(case for cases in pattern.each for case in cases))
        if why_impossible(each, data, forms):
            return "no tiles make the groups of `each`"
        tests.append(each)
    return why_impossible(Apply("truth", "and", tuple(tests)), data, forms) if tests else None


# --- problems


def impossible_pattern(pattern: Pattern, why: str) -> Problem:
    return Problem(
        "impossible-pattern",
        f"no hand can have the pattern {pattern.id}: {why}",
        pattern.place,
        "fix or remove one of its tests",
    )
