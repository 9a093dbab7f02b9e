"""Choices and goals: what seats choose, and where play continues, as frozen data with lowered expressions."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tilewright.language.compiled.ir import Ir

Text = Mapping[str, str]  # language -> text; a plain string is under "en"


@dataclass(frozen=True, slots=True)
class Goal:
    """Where play continues: a phase, `end` or `back`. `seat`: who then has the turn."""

    phase: str
    seat: Ir | None = None


@dataclass(frozen=True, slots=True)
class Choose:
    """One thing that is chosen. `kind`: tiles group form number seat suit flag; `type`: that of the word it becomes
    (one tile if exactly one is asked for). Fields that the kind does not use are empty.

    `source` is a zone (as in Move), by default the hand.

    tiles: `least` to `most` of `source`, each of one of the classes `of` (None: any). group: of kind `group` out of
    `source`, or by adding a tile of it to a meld of kind `onto`. form: the tiles of form `form` out of `source`.
    number: `least` to `most`. seat: one of `seats`. flag: yes or no to `question`. `when` asks about the choice.
    `title`: its name for people."""

    name: str
    kind: str
    type: str
    most: Ir | None = None
    least: Ir | None = None
    source: Ir | None = None
    of: tuple[Ir, ...] | None = None
    group: str = ""
    onto: str = ""
    form: str = ""
    seats: Ir | None = None
    question: Text = field(default_factory=dict)
    when: Ir | None = None
    title: Text = field(default_factory=dict)
