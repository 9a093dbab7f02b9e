"""What steps, offers, choices, restrictions and triggers are compiled to: data with functions. Knows no table."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tilewright.language.compiled.play import Choose, Offer, Restriction
from tilewright.play.model.moves import Move

SceneFunction = Callable[..., Any]  # of a `TableScene` and its letters: the value of an expression


@dataclass(slots=True)
class Operations:
    """Operations in order, each a function of a table and a frame. `name`: what they belong to; `phase`: whether that
    is a phase; `paths`: of the steps whose operation has this number."""

    name: str
    operations: list[Callable[..., bool | None]] = field(default_factory=list)
    phase: bool = False
    paths: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Listeners:
    """What an event sets off: marks that it ends (of its own seat, of every seat, of the table) and triggers."""

    own: tuple[str, ...] = ()
    every: tuple[str, ...] = ()
    table: tuple[str, ...] = ()
    triggers: "tuple[CompiledTrigger, ...]" = ()


@dataclass(frozen=True, slots=True)
class CompiledTrigger:
    """A trigger: its condition, its steps alone, and its steps behind the condition; the arguments that it is given."""

    when: SceneFunction | None
    steps: Operations
    code: Operations
    takes: tuple[str, ...] = ()

    def given(self, letters: Mapping[str, Any]) -> dict[str, Any]:
        """Its arguments, of those of the event."""
        return {name: letters[name] for name in self.takes}


@dataclass(frozen=True)
class CompiledChoice:
    """A choice, with its functions. `near`: tiles of one zone of the seat or of the table; `alone`: they do not depend
    on what else is chosen; `alike`: if the condition compares a property of the tile with an earlier choice, that
    property and the name of the choice."""

    choose: Choose
    most: SceneFunction | None
    least: SceneFunction | None
    source: SceneFunction | None
    classes: SceneFunction | None
    seats: SceneFunction | None
    when: SceneFunction | None
    near: bool
    alone: bool
    alike: tuple[SceneFunction, str] | None


@dataclass(frozen=True, slots=True)
class CompiledBar:
    """A restriction, with the function that says when it bars. `late`: it depends on what is chosen; `ever`: whether it
    may bar any choice now (None: not known in advance)."""

    restriction: Restriction
    holds: SceneFunction | None
    late: bool
    ever: SceneFunction | None


@dataclass(frozen=True)
class CompiledOffer:
    """An offer in one phase, with its functions. Its condition is `early` or, if it depends on what is chosen, `late`.
    `wins`: it declares a hand; `asks_wins`: its condition is that the hand wins. `from_own_hand`: the name of the
    choice, if one tile of the own hand is all that is chosen, with its `moves` by seat and face; `of_group`: a group of
    the hand, or a meld that grows, is chosen first; `helped`: wild tiles may stand in its group; `alone`: of several
    choices, those of one tile that do not depend on earlier ones; `swaps`: pairs of tiles that change places."""

    offer: Offer
    early: SceneFunction | None
    late: SceneFunction | None
    most: SceneFunction | None
    choosing: tuple[CompiledChoice, ...]
    code: Operations
    bars: tuple[CompiledBar, ...]
    then: tuple[str, SceneFunction | None] | None
    wins: bool
    asks_wins: bool
    from_own_hand: str | None
    alone: tuple[CompiledChoice, ...]
    swaps: tuple[tuple[SceneFunction, SceneFunction], ...]
    of_group: bool
    helped: bool
    moves: tuple[dict[int, Move], ...]
