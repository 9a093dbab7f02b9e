"""numba's compiler for what `@loop_kernel` marks: its usual passes, indices that are never negative, and one program of
all kernels that a kernel calls (`programs.py`). Imports numba.
"""

from pathlib import Path
from typing import Any

from numba.core import compiler, types
from numba.core.caching import NullCache
from numba.core.datamodel import register_default
from numba.core.datamodel.models import OpaqueModel
from numba.core.imputils import lower_constant
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NopythonRewrites
from numba.core.untyped_passes import InlineClosureLikes

from tilewright.base.compute.garbage import collected_less
from tilewright.base.compute.indices import unsigned_indices
from tilewright.base.compute.kept import KeptCache, Parts, Programs, keep
from tilewright.base.compute.programs import Part, Program
from tilewright.base.compute.signatures import QuickTyping

OPTIONS = {"nopython": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}
USELESS = (InlineClosureLikes, NopythonRewrites)  # for functions in functions, and for arithmetic of arrays
_parts: dict[str, "PartKernel"] = {}  # by their names and fingerprints


class LoopCompiler(compiler.CompilerBase):  # type: ignore[misc]  # numba has no types
    """numba's usual passes, and ours."""

    library: type = Program

    def _compile_bytecode(self) -> Any:
        state = self.state
        state.func_id.unique_id = state.func_id.func.fingerprint  # the same name in every process
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        state.typingctx = state.targetctx.typing_context = QuickTyping(state.typingctx)
        with collected_less():
            return super()._compile_bytecode()

    def define_pipelines(self) -> list[Any]:
        pipeline = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.add_pass_after(unsigned_indices(), NopythonRewrites)
        pipeline.passes = [named for named in pipeline.passes if named[0] not in USELESS]
        pipeline.finalize()
        return [pipeline]


class PartCompiler(LoopCompiler):
    """The same for a kernel that others call: no machine code."""

    library = Part

    def _compile_bytecode(self) -> Any:
        self.state.flags.no_compile = True
        return super()._compile_bytecode()


class PartType(types.Dispatcher):  # type: ignore[misc]  # as above
    """The type of a kernel as other kernels call it: there is nothing of it to load."""


register_default(PartType)(OpaqueModel)


@lower_constant(PartType)  # type: ignore[untyped-decorator]  # as above
def lower_part(context: Any, builder: Any, ty: Any, pyval: Any) -> Any:
    """A kernel as a value, which is never used."""
    return context.get_dummy_value()


class PartKernel(CPUDispatcher):  # type: ignore[misc]  # as above
    """A kernel as other kernels call it."""

    _cache: Any

    def __init__(self, function: Any, kept: Path) -> None:
        super().__init__(function, targetoptions={**OPTIONS, "no_cpython_wrapper": True}, pipeline_class=PartCompiler)
        self.kept, self.named = kept, "/".join(kept.parts[-2:])
        self.typingctx._remove_global(self)  # which it was inserted as
        self._type = PartType(self)
        self.typingctx.insert_global(self, self._type)
        _parts[self.named] = self

    @property
    def _numba_type_(self) -> Any:
        return self._type

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The same for literal numbers as for others."""
        return super().get_call_template([*map(types.unliteral, args)], kws)

    def compile(self, sig: Any) -> Any:
        if isinstance(self._cache, NullCache):
            keep(self.kept)
            self._cache = KeptCache(self.py_func, Parts(self.py_func, self.kept, part_of))
        return super().compile(sig)

    def add_overload(self, cres: Any) -> None:
        """Let others call it, by anything unique: it has no address."""
        args = tuple(cres.signature.args)
        cres.library.origin = (self.named, args)
        if cres.entry_point is None:  # not from the cache
            cres = cres._replace(entry_point=object())
            self.targetctx.insert_user_function(cres.entry_point, cres.fndesc, [cres.library])
        self.overloads[args] = cres


def part_of(origin: tuple[str, Any]) -> Part:
    """The part of a kernel for these types, compiled if it is not kept."""
    named, args = origin
    _parts[named].compile(args)
    found: Part = _parts[named].overloads[args].library
    return found


def compiled(function: Any, kept: Path, makes: bool, called: bool) -> Any:
    """A kernel, for others that call it (`called`) or for Python. `kept`: where its compiled forms are."""
    if called:
        return PartKernel(function, kept)
    keep(kept)
    if makes:
        made = CPUDispatcher(function, targetoptions={"nopython": True, "error_model": "numpy"})
    else:
        made = CPUDispatcher(function, targetoptions=OPTIONS, pipeline_class=LoopCompiler)
    made._cache = KeptCache(function, Programs(function, kept))
    return made
