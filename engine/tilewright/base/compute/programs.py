"""Programs: what numba has made of kernels, as LLVM is given it.

numba optimises every function with all that it calls, and makes machine code of it, for each of its callers again. Here
a kernel that others call is a `Part`: its own functions as they were lowered. What Python calls is a `Program`: its
parts, each once, optimised together like static functions of C. Imports numba.
"""

from collections.abc import Iterable
from typing import Any

import llvmlite.binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.runtime import rtsys


class Part(JITCodeLibrary):  # type: ignore[misc]  # numba has no types
    """The functions of one kernel, for programs that link them. `origin`: the kernel, and the types that it is called
    with; `parts`: those that it calls."""

    _shared_module: Any

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.origin: tuple[str, Any] = (name, ())
        self.parts: list[Part] = []
        self.bitcode = b""

    def restore(self, bitcode: bytes, parts: list["Part"]) -> None:
        """Be what was finished before."""
        self.bitcode, self.parts, self._finalized = bitcode, parts, True

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        """Nothing more is added: link what is no part, and nothing else."""
        self._raise_if_finalized()
        module = self._final_module
        for library in dict.fromkeys(self._linking_libraries):
            if isinstance(library, Part):
                self.parts.append(library)
            elif library is not rtsys.library:  # what counts references
                module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        relink(module.functions, "external", "linkonce_odr")
        relink(module.global_variables, "common", "internal")  # environments: only what Python calls has one
        self.restore(module.as_bitcode(), self.parts)

    def _get_module_for_linking(self) -> Any:
        """With all parts, for a library that is no program."""
        self._ensure_finalized()
        if self._shared_module is None:
            self._shared_module = llvm.parse_bitcode(self.bitcode)
            link_parts(self._shared_module, self.parts)
        return self._shared_module


class Program(JITCodeLibrary):  # type: ignore[misc]  # as above
    """A kernel that Python calls, with all its parts; nothing else calls into it."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Link its parts, then optimise and compile all."""
        link_parts(self._final_module, self._linking_libraries)
        self._linking_libraries = [library for library in self._linking_libraries if not isinstance(library, Part)]
        super().finalize()

    def _optimize_final_module(self) -> None:
        relink(self._final_module.functions, "linkonce_odr", "internal")
        super()._optimize_final_module()

    def _get_module_for_linking(self) -> Any:
        """What names the functions of the machine code that is kept: nobody links a program."""
        names = [function.name for function in self.get_defined_functions() if function.linkage.name == "external"]
        return llvm.parse_assembly("\n".join(f'define void @"{name}"() {{ ret void }}' for name in names))


def link_parts(module: Any, libraries: Iterable[Any]) -> None:
    """Add the parts among libraries, and all that these call, to a module: each once."""
    waiting, linked = [library for library in libraries if isinstance(library, Part)], set[Any]()
    while waiting:
        part = waiting.pop()
        if part.origin not in linked:
            linked.add(part.origin)
            waiting += part.parts
            module.link_in(llvm.parse_bitcode(part.bitcode))


def relink(symbols: Iterable[Any], before: str, after: str) -> None:
    """Change the linkage of what is defined."""
    for symbol in symbols:
        if not symbol.is_declaration and symbol.linkage.name == before:
            symbol.linkage = after
