"""Bonus tiles: what the questions of a ruleset make of those of a seat, so that tables are told apart by no more.

In: the expressions that are asked of a table. Out: for a situation, something that is the same for bonus tiles that
decide nothing differently. Knows no patterns."""

from collections.abc import Collection, Hashable, Iterator
from dataclasses import dataclass
from typing import Any

from tilewright.language.compiled.ir import (
    Apply,
    Conditional,
    Const,
    Ir,
    Lookup,
    Matches,
    Quantifier,
    Term,
    Var,
    children,
    nodes,
)
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.scoring.plain.scene import HandScene
from tilewright.scoring.plain.situation import Situation
from tilewright.scoring.plain.walker import evaluate
from tilewright.scoring.program.contexts import Memory

OF_SEAT = frozenset({"seat_wind", "round_wind", "own", "seat", "dealer"})  # words that seat and round decide
OF_SIDE = OF_SEAT | {"self_draw", "concealed", "winner"}  # the same, with whether its win is a self-draw
BONUS = Lookup("tiles", "zone", "bonus")
MOST_KNOWN = 10_000


@dataclass(frozen=True, slots=True)
class BonusQuestions:
    """What is asked of bonus tiles. `asks_more`: expressions ask more of a table than who wins, marks and bonus tiles;
    then each set of these is one of its own."""

    asks_more: bool
    parts: tuple[Ir, ...]

    @classmethod
    def of(cls, asked: Collection[Ir]) -> "BonusQuestions":
        """Of the expressions that are asked of a table."""
        asks_more = not all(is_known(n) for ir in asked for n in nodes(ir))
        parts = [BONUS] if asks_more else [part for ir in asked for part in bonus_parts(ir)]
        return cls(asks_more, tuple(dict.fromkeys(parts)))


class BonusTiles:
    """What the bonus tiles of a seat decide."""

    def __init__(self, data: CompiledRuleset, asked: BonusQuestions) -> None:
        self.data, self.asked = data, asked
        self.signatures = Memory(MOST_KNOWN)

    def signature(self, situation: Situation) -> Hashable:
        """What the bonus tiles of a situation decide."""
        bonus = situation.hand.bonus
        if not bonus:
            return ()
        if self.asked.asks_more:
            return tuple(sorted(bonus))
        key = bonus, situation.seat, situation.seat_known, situation.round_wind
        found: Hashable = self.signatures.known(key, lambda: self.newly(situation))
        return found

    def newly(self, situation: Situation) -> Hashable:
        scene = HandScene(self.data, situation)
        return None, *(plain(evaluate(part, scene)) for part in self.asked.parts)


def plain(answer: Any) -> Hashable:
    """An answer, the order of tiles aside."""
    found: Hashable = tuple(sorted(answer)) if isinstance(answer, tuple) else answer
    return found


def is_bonus(ir: Ir) -> bool:
    return ir == BONUS or (isinstance(ir, Matches) and ir.of == "bonus")


def is_known(ir: Ir) -> bool:
    """Whether a part of an expression asks for nothing of the table but who wins, a mark of theirs, or bonus tiles."""
    if isinstance(ir, Lookup):
        return ir.of is None and (ir.kind != "word" or ir.name in OF_SIDE)
    if isinstance(ir, Matches):
        return is_bonus(ir)
    return isinstance(ir, Apply | Conditional | Const | Quantifier | Term | Var) and getattr(ir, "of", None) is None


def is_of_seat(ir: Ir) -> bool:
    """Whether a part of an expression asks for bonus tiles, or for what the seat decides."""
    if isinstance(ir, Lookup):
        return is_bonus(ir) or (ir.of is None and ir.kind == "word" and ir.name in OF_SEAT)
    return is_known(ir)


def bonus_parts(ir: Ir) -> Iterator[Ir]:
    """Parts of an expression that ask for bonus tiles and for nothing else but the seat: their answers decide what the
    bonus tiles are worth to it. The tiles themselves where such a part would have letters of its surroundings."""
    if not any(map(is_bonus, nodes(ir))):
        return
    if all(map(is_of_seat, nodes(ir))):
        yield ir
    elif isinstance(ir, Apply | Conditional | Term):
        for child in children(ir):
            yield from bonus_parts(child)
    else:
        yield BONUS
