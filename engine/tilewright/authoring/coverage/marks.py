"""Marks: the coverage of one text as spans, for an editor to show. Knows no editor."""

from dataclasses import dataclass
from typing import Literal

from tilewright.authoring.coverage.run import CONDITION, Coverage, CoveredPart
from tilewright.base.problem import Problem

State = Literal["covered", "partly", "missing"]


@dataclass(frozen=True, slots=True)
class CoverageMark:
    """Some characters of a text (line and column count from 1) and whether they are covered; `lacks`: in a sentence
    what is missing, empty where nothing is."""

    line: int
    column: int
    length: int
    state: State
    lacks: str


def marks(coverage: Coverage, source: str) -> tuple[CoverageMark, ...]:
    """The marks of the parts that are written in a source, in its order."""
    parts = sorted((part for part in coverage.parts if part.place.source.name == source), key=place_of)
    return tuple(CoverageMark(*place_of(part), state_of(part), lacks(part)) for part in parts)


def place_of(part: CoveredPart) -> tuple[int, int, int]:
    return part.place.line, part.place.column, part.place.length


def state_of(part: CoveredPart) -> State:
    return "covered" if part.covered else "partly" if part.reached else "missing"


def lacks(part: CoveredPart) -> str:
    """What is missing of a part, as a sentence; empty where nothing is."""
    if part.covered:
        return ""
    if part.kind == CONDITION:
        place = part.place
        text = place.source.line(place.line)[place.column - 1 : place.column - 1 + place.length].strip()
        return f"{part.id}: `{text}` is never {'asked' if len(part.lacks) == 2 else part.lacks[0]}"
    return MISSING[part.kind].format(part.id)


MISSING = {
    "pattern": "pattern {} never counts",
    "payment": "payment {} is never made",
    "offer": "offer {} is never taken",
    "restriction": "restriction {} never bars anything",
    "trigger": "trigger {} never does anything",
    "option": "option {} is tried with one value only",
    "mod": "mod {} has no example or case of its own",
}


def not_covered(part: CoveredPart) -> Problem:
    """A part that is not reached, as a note at its place."""
    return Problem("not-covered", lacks(part), part.place, severity="note")
