"""Operands: how an operation reads what stands after its number in the code, and the frame that it acts in.

An instruction is the number of an operation and up to seven operands. A register below `layout.FRAME` is one of the
table, another one belongs to the frame. Knows no ruleset."""

from typing import Annotated, NamedTuple

from tilewright.base.arrays import Array
from tilewright.base.kernels import I64, kernel
from tilewright.play.compiled.kernel import layout as at


class Machine(NamedTuple):
    """What runs a play. `S`: the state of a table; `P`: the image of the play; `forms`: the image of
    scoring, or forms to search for."""

    S: I64
    P: I64
    forms: I64


# --- operands


@kernel
def number_at(m: Machine, place: int) -> int:
    """The number that stands there."""
    found: int = m.P[place]
    return found


@kernel
def register_at(m: Machine, place: int) -> int:
    """Where the register is in the state."""
    register: int = m.P[place]
    return register + m.S[at.DEPTH] * at.WINDOW if register >= at.FRAME else register


@kernel
def value_at(m: Machine, place: int) -> int:
    """What is in the register."""
    S, register = m.S, m.P[place]
    found: int = S[register + S[at.DEPTH] * at.WINDOW if register >= at.FRAME else register]
    return found


@kernel
def given_at(m: Machine, place: int) -> int:
    """The same; UNSET where no register is named."""
    return int(m.S[register_at(m, place)] if m.P[place] >= 0 else at.UNSET)


@kernel
def list_at(m: Machine, place: int) -> int:
    """Where the list of the frame is in the state: how many tiles it has, then these."""
    return int(at.LISTED + (m.S[at.DEPTH] * at.LISTS + m.P[place]) * at.LIST)


@kernel
def rest_at(m: Machine, place: int) -> int:
    """The place itself, where further operands begin."""
    return place


Number = Annotated[int, number_at]
Place = Annotated[int, number_at, "place"]  # of the code
Register = Annotated[int, register_at]
Value = Annotated[int, value_at]
Given = Annotated[int, given_at]
List = Annotated[int, list_at]
Rest = Annotated[int, rest_at]
MOST_OPERANDS = at.INSTRUCTION - 1


# --- the frame


@kernel
def fields_of(S: Array) -> int:
    """Where the fields of the frame are in the state."""
    return int(at.FIELDS + S[at.DEPTH] * at.FRAME_FIELDS)


@kernel
def acting(S: Array) -> int:
    """Where the seat that acts in the frame is in the state."""
    return int(at.FRAME + S[at.DEPTH] * at.WINDOW)


@kernel
def ask_host(S: Array, kind: int, number: int, seat: int, to: int) -> None:
    """Stop for something that the host does; `to`: where it writes what it finds."""
    S[at.REQUEST], S[at.REQUEST_AT], S[at.REQUEST_SEAT], S[at.REQUEST_TO] = kind, number, seat, to
    S[at.STOPS] = at.HOST
