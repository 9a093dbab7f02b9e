"""Indices that are never negative: a pass of numba's compiler for what `@loop_kernel` marks.

numba asks at every look-up whether the index is negative. In kernels that look up several numbers for each step that
is a third of the time; here every index is cast to an unsigned number. With NUMBA_BOUNDSCHECK=1 a negative one is an
IndexError.
"""

from functools import cache
from importlib import import_module
from typing import Any


@cache
def unsigned_indices() -> Any:
    """The pass."""
    ir, types, typing, machinery = map(part, ("ir", "types", "typing", "compiler_machinery"))
    new_name = part("ir_utils").mk_unique_var

    @machinery.register_pass(mutates_CFG=False, analysis_only=False)
    class UnsignedIndices(machinery.FunctionPass):  # type: ignore[misc, name-defined]  # numba has no types
        """Every index of a look-up in an array, cast to an unsigned number."""

        _name = "unsigned_indices"

        def __init__(self) -> None:
            super().__init__()

        def run_pass(self, state: Any) -> bool:
            for block in state.func_ir.blocks.values():
                body = []
                for statement in block.body:
                    place = self.look_up(statement)
                    if place is not None and self.is_signed(state, place):
                        body.append(self.cast(state, block, statement, place))
                    body.append(statement)
                block.body = body
            return True

        def look_up(self, statement: Any) -> Any:
            """What looks a number up: the statement itself, or its right side."""
            if isinstance(statement, ir.SetItem):
                return statement
            found = statement.value if isinstance(statement, ir.Assign) else None
            return found if isinstance(found, ir.Expr) and found.op == "getitem" else None

        def is_signed(self, state: Any, place: Any) -> bool:
            array = place.target if isinstance(place, ir.SetItem) else place.value
            index = state.typemap[place.index.name]
            is_array = isinstance(state.typemap[array.name], types.Array)
            return is_array and isinstance(index, types.Integer) and bool(index.signed)

        def cast(self, state: Any, block: Any, statement: Any, place: Any) -> Any:
            """The index of a look-up, before it; the look-up then has an unsigned one."""
            loc = statement.loc
            index = ir.Var(block.scope, new_name("index"), loc)
            state.typemap[index.name] = types.uint64
            made = ir.Assign(ir.Expr.cast(place.index, loc), index, loc)
            known = state.calltypes.pop(place)
            args = (known.args[0], types.uint64, *known.args[2:])
            place.index = index
            state.calltypes[place] = typing.signature(known.return_type, *args)
            return made

    return UnsignedIndices


def part(name: str) -> Any:
    """A module of numba's compiler."""
    return import_module(f"numba.core.{name}")
