"""Sides: the truths that decide something in a compiled ruleset, each with what it belongs to and where it is written.

A side is a condition that is no `and`, `or` or `not` of others: each operand of those, the test of an `if`, the body of
a quantifier. In: a compiled ruleset and the places of its truths. Knows no example.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass

from tilewright.base.problem import Place
from tilewright.language.compiled.ir import (
    Apply,
    Conditional,
    Const,
    HasGroups,
    Ir,
    Lookup,
    Matches,
    PickedMembers,
    Quantifier,
    Term,
    Test,
    Var,
    WordCall,
)
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.scoring.plain.walker import children

NODES = Const | Lookup | Term | WordCall | Apply | Conditional | Var | Quantifier | PickedMembers | HasGroups
Key = tuple[str, int]  # a source and an offset in it


@dataclass(frozen=True, slots=True)
class Side:
    """A truth that decides something. `owner`: what it belongs to, as `patterns.pinfu`."""

    owner: str
    place: Place

    @property
    def key(self) -> Key:
        return self.place.source.name, self.place.offset


@dataclass(slots=True)
class WrittenTruths:
    """Where truths are written, as lowering tells it. They are kept, so that their ids stay their own."""

    places: dict[int, Place] = field(default_factory=dict)
    kept: list[Ir] = field(default_factory=list)

    def note(self, ir: Ir, place: Place) -> None:
        """The truth is written there; that of a part of it is known already."""
        if isinstance(ir, Const) or id(ir) in self.places:
            return
        self.places[id(ir)] = place
        self.kept.append(ir)
        if isinstance(ir, Apply) and ir.op in ("and", "or", "not"):
            for part in ir.args:
                self.note(part, place)


def roots_of(data: CompiledRuleset) -> Iterator[tuple[str, Ir]]:
    """Every expression of a ruleset that scoring and play ask, with what it belongs to. How a table looks, which flags
    a case may have and what buttons do is not proven by examples."""
    for pattern in data.patterns:
        yield from owned(f"patterns.{pattern.id}", pattern)
    for form in data.forms:
        yield from owned(f"forms.{form.id}", form)
    for name, body in data.terms.items():
        yield f"terms.{name}", body
    for event, lines in data.payments.items():
        for line in lines:
            yield from owned(f"payments.{event}.{line.id}", line)
    yield from owned("scoring", data.scoring)
    if data.play is not None:
        for section in ("phases", "offers", "actions"):
            for name, entry in getattr(data.play, section).items():
                yield from owned(f"{section}.{name}", entry)
        for section in ("restrictions", "triggers"):
            for entry in getattr(data.play, section):
                yield from owned(f"{section}.{entry.id}", entry)
        yield from owned("match", data.play.match)


def owned(owner: str, part: object) -> Iterator[tuple[str, Ir]]:
    """Every expression inside some frozen data."""
    if isinstance(part, NODES | Test | Matches):
        yield owner, part
    elif isinstance(part, tuple):
        for inner in part:
            yield from owned(owner, inner)
    elif isinstance(part, Mapping):
        for inner in part.values():
            yield from owned(owner, inner)
    elif is_dataclass(part):
        for one in fields(part):
            yield from owned(owner, getattr(part, one.name))


def sides_in(ir: Ir) -> Iterator[Ir]:
    """The truths of an expression that decide something; those of terms belong to the terms."""
    if ir.type == "truth" and not isinstance(ir, Const) and not is_junction(ir):
        yield ir
    for child in children(ir):
        if not (isinstance(ir, Term) and child is ir.body):
            yield from sides_in(child)


def is_junction(ir: Ir) -> bool:
    return isinstance(ir, Apply) and ir.op in ("and", "or", "not")


def sides_of(data: CompiledRuleset, written: WrittenTruths) -> Iterator[tuple[Ir, Side]]:
    """Every side of a ruleset that is written somewhere."""
    for owner, root in roots_of(data):
        for ir in sides_in(root):
            place = written.places.get(id(ir))
            if place is not None:
                yield ir, Side(owner, place)
