"""Tallies: what conditions ask of the tiles of many hands, as arrays.

In: an expression, and the counts of many hands. Out: its value for each hand, or None where it asks for more than
counts. `tilewright.scoring.plain.walker` is the oracle. Knows no readings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.hands.reading import Hand
from tilewright.language.compiled.ir import (
    Apply,
    Conditional,
    HasGroups,
    Ir,
    Lookup,
    Quantifier,
    Term,
    Want,
    WantedCase,
    WordCall,
    names_tiles,
)
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.vocabulary import words
from tilewright.scoring.plain.scene import HandScene
from tilewright.scoring.plain.situation import Situation
from tilewright.scoring.plain.walker import as_set, evaluate
from tilewright.scoring.program.questions import is_static

Letters = Mapping[str, Any]
OPERATORS: dict[str, Callable[..., Any]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
    "not": np.logical_not,
}


class Unknown(Exception):
    """An expression asks for more than counts of tiles."""


@dataclass(frozen=True)
class Tallies:
    """The tiles of many hands, a row each: how many of each face, winning tile and melds included; `open`: of those
    that all can see; `zones`: of the tiles of each zone that the batch has; `melds`: how many; `win`: the winning tile,
    as a plain tile; `flags`: terms and marks that hold; `waits`: a function that gives the number of waits."""

    data: CompiledRuleset
    faces: Array
    open: Array
    zones: Mapping[str, Array]
    melds: Array
    exposed: Array
    win: Array
    flags: Mapping[str, Array]
    waits: Callable[[], Array]

    @property
    def size(self) -> int:
        return len(self.faces)

    def plain(self, faces: Array) -> Array:
        """The same by plain tile."""
        counts = np.zeros_like(faces)
        for face, tile in enumerate(self.data.tiles.tiles):
            counts[:, tile.plain] += faces[:, face]
        return counts


def tallied(ir: Ir, hands: Tallies) -> Array | None:
    """The value of an expression for each hand; None where it asks for more than counts."""
    try:
        value = Tally(hands).value(ir, {})
    except Unknown:
        return None
    return np.broadcast_to(np.asarray(value), (hands.size,))


class Tally:
    """One evaluation."""

    def __init__(self, hands: Tallies) -> None:
        self.hands = hands
        self.kinds: Array | None = None
        self.nobody = HandScene(hands.data, Situation(Hand(())))

    @property
    def counts(self) -> Array:
        """How many of each plain tile."""
        if self.kinds is None:
            self.kinds = self.hands.plain(self.hands.faces)
        return self.kinds

    def value(self, ir: Ir, letters: Letters) -> Any:
        """A number, a truth, or an array of them. Raises Unknown."""
        if is_static(ir):
            value = evaluate(ir, self.nobody, letters)
            if isinstance(value, bool | int):
                return value
            raise Unknown
        match ir:
            case Apply(op="and", args=args):
                return np.logical_and.reduce(np.broadcast_arrays(*(self.value(a, letters) for a in args)))
            case Apply(op="or", args=args):
                return np.logical_or.reduce(np.broadcast_arrays(*(self.value(a, letters) for a in args)))
            case Apply(op="size", args=(of,)):
                return self.number_of(of)
            case Apply(op=op, args=args) if op in OPERATORS and args[0].type in ("number", "truth"):
                return OPERATORS[op](*(self.value(argument, letters) for argument in args))
            case Conditional(test=test, then=then, other=other):
                return np.where(*(self.value(part, letters) for part in (test, then, other)))
            case Quantifier():
                return self.quantified(ir, letters)
            case WordCall(name=name, args=(of,), of=None) if name == words.copies.name:
                return self.copies(self.tiles(of, letters), bool(names_tiles(of)))
            case WordCall(name=name, args=(of,), of=None) if name == words.seen.name:
                return self.seen(of)
            case HasGroups(cases=(WantedCase(wants=(want,)),)):
                return self.has(want, letters)
            case Term(name=name, body=body, of=None) if ir.type == "truth":
                return np.logical_or(self.flag(name), self.value(body, letters))
        raise Unknown

    def flag(self, name: str) -> Any:
        return self.hands.flags.get(name, False)

    def tiles(self, ir: Ir, letters: Letters) -> tuple[int, ...]:
        """The tiles of an expression that is the same for all hands."""
        if not is_static(ir):
            raise Unknown
        return tuple(int(tile) for tile in as_set(evaluate(ir, self.nobody, letters)))

    def copies(self, tiles: tuple[int, ...], named: bool) -> Any:
        """How many of these tiles there are: of their kind, or of a special tile that is named."""
        if len(tiles) != 1:
            raise Unknown
        tile = self.hands.data.tiles.tiles[tiles[0]]
        return self.hands.faces[:, tile.index] if named and tile.marks else self.counts[:, tile.plain]

    def seen(self, ir: Ir) -> Array:
        """How many of the winning tile all can see."""
        if not words.tile.is_asked(ir):
            raise Unknown
        return self.hands.plain(self.hands.open)[np.arange(self.hands.size), self.hands.win]

    def has(self, want: Want, letters: Letters) -> Array:
        """Whether enough melds meet a want that only melds can meet."""
        if want.groups or want.tiles or want.completed or want.natural or want.different or want.start is not None:
            raise Unknown
        groups, members = self.hands.data.groups.groups, None if want.of is None else self.tiles(want.of, letters)
        barred = () if want.unless is None else self.tiles(want.unless, letters)
        fit = [number for number in want.meld_groups if set(barred).isdisjoint(groups[number].tiles)]
        if members is not None:
            fit = [number for number in fit if set(groups[number].tiles) <= set(members)]
        met = np.isin(self.hands.melds, fit)
        if want.exposed is not None:
            met &= self.hands.exposed == want.exposed
        enough: Array = met.sum(axis=1) >= want.count
        return enough

    def number_of(self, ir: Ir) -> Any:
        """How many members a set has."""
        if words.waits.is_asked(ir):
            return self.hands.waits()
        if words.kinds.is_asked(ir):
            return (self.counts > 0).sum(axis=1)
        if words.tiles.is_asked(ir):
            return self.hands.faces.sum(axis=1)
        if isinstance(ir, Lookup) and ir.kind == "zone" and ir.of is None:
            return (self.hands.melds >= 0).sum(axis=1) if ir.name == "melds" else self.zone(ir.name).sum(axis=1)
        raise Unknown

    def zone(self, name: str) -> Array:
        if name in ("hand", "melds"):
            raise Unknown
        return self.hands.zones.get(name, np.zeros_like(self.hands.faces))

    def quantified(self, ir: Quantifier, letters: Letters) -> Any:
        """How often something holds of the tiles, or what it comes to."""
        numbers = self.domain(ir.domain)
        total: Any = 0
        for tile in range(numbers.shape[1]):
            held = numbers[:, tile]
            if not held.any():
                continue
            value = self.value(ir.body, {**letters, ir.letter: (tile,)})
            if ir.op in ("count", "any", "all"):
                value = np.logical_not(value) if ir.op == "all" else value
                total = total + np.where(value, held, 0)
            elif ir.op == "sum":
                total = total + held.astype(np.int64) * value
            else:
                raise Unknown
        return total if ir.op in ("count", "sum") else np.equal(total, 0) if ir.op == "all" else np.greater(total, 0)

    def domain(self, ir: Ir) -> Array:
        """How often each tile is in the domain."""
        if words.tiles.is_asked(ir):
            return self.hands.faces
        if words.kinds.is_asked(ir):
            return (self.counts > 0).astype(np.int64)
        if isinstance(ir, Lookup) and ir.kind == "zone" and ir.of is None:
            return self.zone(ir.name)
        raise Unknown
