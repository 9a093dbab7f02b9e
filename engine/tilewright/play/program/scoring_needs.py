"""Scoring needs: what the scoring of a ruleset needs from the table. In: a compiled ruleset. Knows no table."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from tilewright.base.memory import TheSame
from tilewright.language.compiled.ir import Ir, Lookup, Term, WordCall, nodes, zones_in
from tilewright.language.compiled.ruleset import CompiledRuleset, Form, Measure, Pattern
from tilewright.language.vocabulary.words import seen
from tilewright.scoring.image.engine import asks_reading
from tilewright.scoring.plain.scene import KNOWN_ZONES
from tilewright.scoring.program.conditions import expressions
from tilewright.scoring.program.values import asks_seats

MOST_KNOWN = 16


@dataclass(frozen=True)
class ScoringNeeds:
    """What scoring needs from the table: truth marks and terms as flags, other marks, zones. `others`: also of seats
    that did not win; `seen`: the tiles that all can see."""

    flags: tuple[str, ...]
    marks: tuple[str, ...]
    terms: tuple[str, ...]
    zones: tuple[str, ...]
    others: bool
    seen: bool


def scoring_needs(data: CompiledRuleset) -> ScoringNeeds:
    """What the scoring of a ruleset needs from the table."""
    scoring = data.scoring
    return needs_of(TheSame((data.patterns, data.forms, scoring.measures, scoring.minimum, data.marks)))


@lru_cache(maxsize=MOST_KNOWN)
def needs_of(parts: TheSame) -> ScoringNeeds:
    """What patterns, forms, measures, and the minimum need: most mods and options leave them as they are."""
    patterns, _, _, _, known_marks = parts
    found = [node for ir in scoring_expressions(*parts[:4]) for node in nodes(ir)]
    marks = [node.name for node in found if isinstance(node, Lookup) and node.kind == "mark"]
    table_terms = [node.name for node in found if isinstance(node, Term) and is_of_table(node.body)]
    inside = {
        id(inner) for node in found if isinstance(node, Term) and is_of_table(node.body) for inner in nodes(node.body)
    }
    zones = [n.name for n in found if isinstance(n, Lookup) and n.kind == "zone" and id(n) not in inside]
    return ScoringNeeds(
        tuple(dict.fromkeys(name for name in marks if known_marks[name].type == "truth")),
        tuple(dict.fromkeys(name for name in marks if known_marks[name].type != "truth")),
        tuple(dict.fromkeys(table_terms)),
        tuple(dict.fromkeys(name for name in zones if name not in KNOWN_ZONES)),
        any(asks_seats(ir) for pattern in patterns for ir in expressions(pattern)),
        any(isinstance(node, WordCall) and node.name == seen.name for node in found),
    )


def is_of_table(body: Ir) -> bool:
    """Whether only the table can evaluate it: it uses zones that a hand does not have, and needs no reading."""
    uses_table = any(zone not in KNOWN_ZONES for zone in zones_in(body)) or any(
        isinstance(node, WordCall) and node.name == "towards" for node in nodes(body)
    )
    return uses_table and not asks_reading(body)


def scoring_expressions(
    patterns: Iterable[Pattern], forms: Iterable[Form], measures: Iterable[Measure], minimum: Iterable[tuple[str, Ir]]
) -> Iterator[Ir]:
    for pattern in patterns:
        yield from expressions(pattern)
        for worth in (pattern.worth, pattern.exposed or {}):
            yield from worth.values()
    for form in forms:
        if form.when is not None:
            yield form.when
    for measure in measures:
        yield from (ir for ir in (measure.start, measure.cap, measure.value) if ir is not None)
        yield from (row for _, row in measure.table)
    yield from (least for _, least in minimum)
