"""Signatures of numba's functions, remembered: numba looks for that of `+` anew at every plus, twice. Imports numba."""

from collections.abc import Sequence
from functools import cache
from types import BuiltinFunctionType
from typing import Any

from numba.core import types
from numba.core.datamodel import register_default
from numba.core.datamodel.models import OpaqueModel
from numba.core.imputils import lower_constant
from numba.core.typing import Context

PLAIN = (types.Number, types.Boolean, types.Array)  # for which a literal is like any other number


class KnownFunction(types.Function):  # type: ignore[misc]  # numba has no types
    """A function of numba, which remembers its signatures."""

    def __init__(self, function: types.Function) -> None:
        self.__dict__.update(function.__dict__)
        self.signatures: dict[tuple[Any, ...], Any] = {}

    def get_call_type(self, context: Any, args: Sequence[Any], kws: Any) -> Any:
        """The signature of a call."""
        if kws:
            return super().get_call_type(context, args, kws)
        if all(isinstance(given, PLAIN) for given in args):
            args = [*map(types.unliteral, args)]
        given = tuple(args)
        if given not in self.signatures:
            self.signatures[given] = super().get_call_type(context, given, kws)
        return self.signatures[given]


register_default(KnownFunction)(OpaqueModel)


@lower_constant(KnownFunction)  # type: ignore[untyped-decorator]  # as above
def lower_function(context: Any, builder: Any, ty: Any, pyval: Any) -> Any:
    """A function as a value, which is never used."""
    return context.get_dummy_value()


known_function = cache(KnownFunction)


class QuickTyping(Context):  # type: ignore[misc]  # as above
    """What a typing context knows, found sooner."""

    def __init__(self, context: Context) -> None:
        self.__dict__ = context.__dict__

    def resolve_value_type(self, val: Any) -> Any:
        """The type of a value; of a function without asking first whether it is a number."""
        known = self._lookup_global(val) if isinstance(val, BuiltinFunctionType) else None
        return super().resolve_value_type(val) if known is None else known

    def _lookup_global(self, gv: Any) -> Any:
        known = super()._lookup_global(gv)
        return known_function(known) if type(known) is types.Function else known
