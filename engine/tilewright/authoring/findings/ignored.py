"""Ignored problems: `# tilewright: ignore[code, ...] reason` at the end of a line, or alone above it, ignores them
there.

Warnings can be ignored, and examples and cases with another result; other errors keep a ruleset from being used at all.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tilewright.base.problem import Place, Problem, Source, line_starts

COMMENT = re.compile(r"(?:^|(?<=\s))# *tilewright: *ignore\[([^\]#]*)\]([^#]*)")
OF_TRIALS = frozenset({"example-fails", "case-fails", "wrong-example", "wrong-case"})
UNUSED, UNEXPLAINED = "unused-ignore", "unexplained-ignore"


@dataclass(frozen=True, slots=True)
class Ignore:
    """A comment that ignores problems with these codes at a line, for a reason."""

    codes: tuple[str, ...]
    line: int
    place: Place
    reason: str = ""


def ignores_in(source: Source) -> Iterator[Ignore]:
    """Every such comment of a text."""
    if "ignore[" not in source.text:
        return
    starts = line_starts(source.text)
    lines = [source.line(number) for number in range(1, len(starts) + 1)]
    for number, line in enumerate(lines, 1):
        if (found := COMMENT.search(line)) is not None:
            codes = tuple(code for code in re.split(r"[\s,]+", found[1]) if code)
            alone = not line[: found.start()].strip()
            at = following(lines, number) if alone else number
            place = source.place(starts[number - 1] + found.start(), found.start(2) - found.start())
            yield Ignore(codes, at, place, found[2].strip())


def following(lines: list[str], number: int) -> int:
    """The next line that is more than a comment."""
    for later in range(number, len(lines)):
        if (text := lines[later].strip()) and not text.startswith("#"):
            return later + 1
    return number


def without_ignored(problems: Iterable[Problem], checked: Source | None) -> list[Problem]:
    """The problems that no comment at their line ignores; and of the checked text, one for each code of a comment that
    ignores nothing, and one for each comment without a reason."""
    known: dict[Source, list[Ignore]] = {}
    used = set[tuple[Place, str]]()
    kept = []
    for problem in problems:
        place = problem.place
        if place is None or not can_be_ignored(problem):
            kept.append(problem)
            continue
        if place.source not in known:
            known[place.source] = list(ignores_in(place.source))
        by = [one for one in known[place.source] if one.line == place.line and problem.code in one.codes]
        used |= {(one.place, problem.code) for one in by}
        kept += [] if by else [problem]
    for one in () if checked is None else ignores_in(checked):
        idle = [code for code in one.codes or ("",) if (one.place, code) not in used]
        kept += [unused(one, code) for code in idle]
        kept += [unexplained(one)] if not one.reason and len(idle) < len(one.codes) else []
    return kept


def can_be_ignored(problem: Problem) -> bool:
    return problem.severity != "error" or problem.code in OF_TRIALS


def unused(one: Ignore, code: str) -> Problem:
    """A comment that ignores nothing."""
    said = f"there is no {code} to ignore here" if code else "this comment names no problem"
    return Problem(UNUSED, said, one.place, "remove the code from the comment", "warning")


def unexplained(one: Ignore) -> Problem:
    """A comment that ignores something for no reason."""
    way_out = f"write it behind the code: # tilewright: ignore[{', '.join(one.codes)}] reason"
    return Problem(UNEXPLAINED, "this comment does not say why", one.place, way_out, "warning")
