"""Exchanges: the play of a ruleset in; its questions for tiles that then go to other seats, in order, out.

Derived from the steps: a choice of tiles of the own hand, and a move of these tiles to a zone of another seat. Knows no
running table.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tilewright.language.compiled.ir import Apply, Const, Ir, Lookup, WordCall
from tilewright.language.compiled.play import Play, Step, StepBlock, Text, Use
from tilewright.language.expressions.scope import DIRECTIONS
from tilewright.language.vocabulary.steps import Ask, MoveTiles

Bound = Mapping[str, Ir]  # the arguments of actions that are known before play
PLACE = "/"  # between the steps of a place


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question for tiles to pass. `step`: its place, as a view tells it; `way`: where the tiles go, None if that is
    not known before; `round`: that of the others that are asked with it."""

    step: str
    name: Text
    choice: str
    way: str | None
    round: str


@dataclass(frozen=True, slots=True)
class StepWalk:
    """Where a walk through steps is: the steps that lead here, arguments, and what of it is asked together."""

    play: Play
    path: tuple[str, ...] = ()
    bound: Bound = field(default_factory=dict)
    round: str = ""


def exchanges(play: Play) -> list[Exchange]:
    """The exchanges of all phases, in the order of their steps."""
    return [one for id, phase in play.phases.items() for one in walked(phase.do, StepWalk(play, round=id))]


def walked(steps: Sequence[Step], walk: StepWalk) -> Iterator[Exchange]:
    """The exchanges in steps."""
    for at, step in enumerate(steps):
        if step.when is not None and is_never(step.when, walk.bound):
            continue
        yield from in_step(step, steps[at + 1 :], walk)
        yield from walked(step.other, walk)


def in_step(step: Step, later: Sequence[Step], walk: StepWalk) -> Iterator[Exchange]:
    here = (*walk.path, step.path)
    match step.does:
        case StepBlock(steps=steps):
            together = walk.round if step.when is None and step.until is None and not step.loops else PLACE.join(here)
            yield from walked(steps, StepWalk(walk.play, walk.path, walk.bound, together))
        case Use(action=action, arguments=arguments):
            given = {name: argument(ir, walk.bound) for name, ir in arguments}
            yield from walked(walk.play.actions[action].do, StepWalk(walk.play, here, given, walk.round))
        case Ask(choose=choose, name=name):
            for one in choose:
                goal = goal_of(one.name, later) if one.kind == "tiles" else None
                if goal is not None:
                    yield Exchange(PLACE.join(here), name, one.name, way_of(goal, walk.bound), walk.round)


def goal_of(choice: str, later: Iterable[Step]) -> Ir | None:
    """Whose zone the chosen tiles are moved to; None if it is nobody else's."""
    for step in later:
        match step.does:
            case MoveTiles(tiles=Lookup(kind="choice", name=name), to=Lookup(kind="zone", of=owner)) if name == choice:
                return owner
            case StepBlock(steps=steps) if (owner := goal_of(choice, steps)) is not None:
                return owner
    return None


def way_of(seat: Ir, bound: Bound) -> str | None:
    """The direction in which a seat is; None if only the table knows."""
    match resolved(seat, bound):
        case WordCall(name=name) if name in DIRECTIONS:
            return name
    return None


# --- what is known before play


def argument(ir: Ir, bound: Bound) -> Ir:
    """An argument of an action; one that is passed on as it was given."""
    return bound.get(ir.name, ir) if isinstance(ir, Lookup) and ir.kind == "choice" else ir


def resolved(ir: Ir, bound: Bound) -> Ir:
    """A seat in a direction that is an argument, as one in that direction."""
    match ir:
        case WordCall(type=type, name="towards", args=(way, seat)):
            match argument(way, bound):
                case Const(type="direction", value=str(direction)):
                    return WordCall(type, direction, (seat,))
    return ir


def is_never(condition: Ir, bound: Bound) -> bool:
    """Whether it compares the seats of two directions that differ."""
    match condition:
        case Apply(op="==", args=(one, other)):
            match resolved(one, bound), resolved(other, bound):
                case WordCall(name=first, args=of), WordCall(name=second, args=of_other):
                    return {first, second} <= {*DIRECTIONS} and of == of_other and first != second
    return False
