"""Results of checks, and the same as data, for a cache. Knows no document."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.base.problem import Place, Problem, Source

DASH = "-"  # the name of what is read from stdin


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A checked file. `kind`: as it declares; `contents`: how much of it was tried, in words; `examples`, `cases`: how
    many were; `notes`: what was not, and why."""

    name: str
    kind: str
    contents: str
    problems: tuple[Problem, ...]
    notes: tuple[Problem, ...] = ()
    examples: int = 0
    cases: int = 0


# --- as data


def written_result(found: CheckResult, sources: dict[Source, int]) -> dict[str, Any]:
    """A result as data; `sources` gets the sources of its problems, numbered."""
    return {
        "name": found.name,
        "kind": found.kind,
        "contents": found.contents,
        "problems": [written_problem(one, sources) for one in found.problems],
        "notes": [written_problem(one, sources) for one in found.notes],
        "examples": found.examples,
        "cases": found.cases,
    }


def written_problem(one: Problem, sources: dict[Source, int]) -> list[Any]:
    place = one.place
    where = None
    if place is not None:
        where = [sources.setdefault(place.source, len(sources)), place.line, place.column, place.length]
    return [one.code, one.message, where, one.hint, one.severity]


def read_result(data: dict[str, Any], texts: Sequence[tuple[str, str]]) -> CheckResult:
    """The same of data."""
    sources = [Source(name, text) for name, text in texts]
    problems, notes = ([read_problem(one, sources) for one in data.pop(name)] for name in ("problems", "notes"))
    return CheckResult(**data, problems=tuple(problems), notes=tuple(notes))


def read_problem(data: list[Any], sources: Sequence[Source]) -> Problem:
    code, message, where, hint, severity = data
    place = None
    if where is not None:
        source, *position = where
        place = Place(sources[source], *position)
    return Problem(code, message, place, hint, severity)
