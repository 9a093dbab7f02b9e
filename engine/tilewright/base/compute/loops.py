"""numba's compiler for what `@loop_kernel` marks: its usual passes, indices that are never negative, and one program of
all kernels that a kernel calls.

numba links the kernels that are called so that others could call them, too: each keeps its seven arguments for every
array, and is only inlined where it is short. Here they are the program's own before it is optimised, like static
functions of C; other kernels get the program as it was before.
"""

from functools import cache
from typing import Any

from tilewright.base.compute.indices import part, unsigned_indices


@cache
def loop_compiler() -> Any:
    """The compiler, for numba's `pipeline_class`."""
    compiler, passes = part("compiler"), part("typed_passes")

    class LoopCompiler(compiler.CompilerBase):  # type: ignore[misc, name-defined]  # numba has no types
        """numba's usual passes, and ours."""

        def define_pipelines(self) -> list[Any]:
            pipeline = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
            pipeline.add_pass_after(unsigned_indices(), passes.NopythonRewrites)
            pipeline.add_pass_after(own_program(), unsigned_indices())
            pipeline.finalize()
            return [pipeline]

    return LoopCompiler


@cache
def own_program() -> Any:
    """A pass that begins a program of a kernel's own."""
    machinery, codegen = part("compiler_machinery"), part("codegen")

    class Program(codegen.JITCodeLibrary):  # type: ignore[misc, name-defined]  # as above
        """A library of numba's that nobody else calls into."""

        def _optimize_final_module(self) -> None:
            self._shared_module = self._final_module.clone()
            relink(self._shared_module, "external", "linkonce_odr")
            relink(self._final_module, "linkonce_odr", "internal")
            super()._optimize_final_module()

    @machinery.register_pass(mutates_CFG=False, analysis_only=False)
    class OwnProgram(machinery.FunctionPass):  # type: ignore[misc, name-defined]  # as above
        """The library of what is compiled."""

        _name = "own_program"

        def __init__(self) -> None:
            super().__init__()

        def run_pass(self, state: Any) -> bool:
            state.library = Program(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
            return True

    return OwnProgram


def relink(module: Any, before: str, after: str) -> None:
    """Change the linkage of functions."""
    for function in module.functions:
        if not function.is_declaration and function.linkage.name == before:
            function.linkage = after
