"""Tallies: how many examples of each pattern hold, and how many cases, to be shown beside the text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tilewright.authoring.editor.context import PATCHES
from tilewright.authoring.trials import Outcome
from tilewright.base.node import Mapping as MappingNode
from tilewright.base.node import Scalar
from tilewright.base.problem import Place
from tilewright.language.documents.fields import items, section

Held = Mapping[Place, bool]  # whether what is at a place holds


@dataclass(frozen=True, slots=True)
class ExampleTally:
    """The examples of the pattern with this key, a path from the root, or the cases below it: how many hold of those
    that were tried. `line`: where the key is."""

    key: tuple[str, ...]
    line: int
    held: int
    tried: int


def tallies(document: MappingNode, held: Held) -> tuple[ExampleTally, ...]:
    """The tallies of a document, in its order."""
    found = []
    for start in ((), *((patch,) for patch in PATCHES)):
        part = section(document, *start)
        for name, entry in section(part, "patterns").entries.items():
            found.append(tally((*start, "patterns", name), entry.key, examples_of(entry.value), held))
        if "cases" in part.entries:
            places = [entry.key.place for entry in section(part, "cases").entries.values()]
            found.append(tally((*start, "cases"), part.key("cases"), places, held))
    return tuple(sorted((one for one in found if one.tried), key=lambda one: one.line))


def examples_of(pattern: object) -> list[Place]:
    """The places of the examples of a pattern."""
    return [item.place for item in items(pattern.get("examples"))] if isinstance(pattern, MappingNode) else []


def tally(path: tuple[str, ...], key: Scalar, places: Sequence[Place], held: Held) -> ExampleTally:
    tried = [held[place] for place in places if place in held]
    return ExampleTally(path, key.place.line, sum(tried), len(tried))


def held_in(outcomes: Sequence[Outcome]) -> Held:
    """Whether the examples and cases of a document hold under all rules that they were tried under."""
    failing = {problem.place for one in outcomes for problem in (*one.problems, *one.inherited)}
    return {place: place not in failing for one in outcomes for place in one.ran}
