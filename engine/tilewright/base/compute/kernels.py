"""Kernels: fixed loops over arrays, which numpy runs and numba compiles where it is installed.

A kernel is a function of arrays and numbers, written once in what both know. numba takes a third of a second to import,
and seconds to compile the first time, so it is asked only once there is much to compute (`prepare`); its results are
kept in the cache folder. TILEWRIGHT_KERNELS=numpy leaves it out. Knows no mahjong.
"""

import hashlib
import os
from collections.abc import Callable
from enum import EnumType
from functools import cache, cached_property, update_wrapper
from importlib import import_module
from numbers import Number
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Generic, ParamSpec, TypeVar

from tilewright.base.cache_files import folder

Given = ParamSpec("Given")
Result = TypeVar("Result")
COMPILER = ("indices", "kept", "kernels", "loops", "programs", "signatures")  # modules that compiled forms depend on
_chosen: list[bool] = []  # whether kernels are compiled from now on; nothing while nobody asked


class Kernel(Generic[Given, Result]):
    """A function that is compiled once `prepare` was called and numba is there. `plain`: as it is written; `makes`:
    whether it makes arrays."""

    def __init__(self, function: Callable[Given, Result], makes: bool = True) -> None:
        self.plain, self.makes = function, makes
        self._compiled: Callable[..., Result] | None = None
        update_wrapper(self, function)

    def __call__(self, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        return (self.now if _chosen else self.plain)(*args, **kwargs)

    @property
    def now(self) -> Callable[..., Result]:
        """What to call at present: the compiled function, or the one that is written."""
        if not _chosen:
            return self.plain
        if self._compiled is None:
            compile = compiler()
            if compile is None:
                self._compiled = self.plain
            else:
                self._compiled = compile(self.calling(lambda other: other.called), self.kept, self.makes, False)
        return self._compiled

    @cached_property
    def called(self) -> Callable[..., Result]:
        """What other compiled kernels call: a part of their programs, unless it makes arrays."""
        compile = compiler()
        if self.makes or compile is None:
            return self.now
        made: Callable[..., Result] = compile(self.calling(lambda other: other.called), self.kept, self.makes, True)
        return made

    @property
    def is_kept(self) -> bool:
        """Whether it was compiled before, or is now."""
        return self._compiled is not None or any(self.kept.glob("program*.nbi"))

    @property
    def kept(self) -> Path:
        """Where its compiled forms are."""
        name = f"{self.plain.__module__.partition('.')[2]}.{self.plain.__name__}"
        return folder() / "kernels" / name / self.fingerprint

    @cached_property
    def fingerprint(self) -> str:
        """A hash of what its compiled form depends on. numba notices only changes of the module that it compiles."""
        assert isinstance(self.plain, FunctionType)
        code, known = self.plain.__code__, self.plain.__globals__
        parts = [*words_of(code), str(self.makes), compiled_by()]
        for value in (known[name] for name in code.co_names if name in known):
            match value:
                case Kernel():
                    parts.append(value.fingerprint)
                case ModuleType() | EnumType():
                    parts += [constant(getattr(value, name, None)) for name in code.co_names]
                case _:
                    parts.append(constant(value))
        parts += [str(getattr(type, "_fields", "")) for type in self.plain.__annotations__.values()]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]

    @cached_property
    def as_written(self) -> Callable[..., Result]:
        """The function, never compiled, nor are the kernels that it calls: numpy is faster where arrays are long."""
        return self.calling(lambda other: other.as_written)

    def calling(self, form: "Callable[[Kernel[Any, Any]], Callable[..., Any]]") -> Callable[..., Result]:
        """The function, calling other kernels in this form."""
        assert isinstance(self.plain, FunctionType)
        known, code = self.plain.__globals__, self.plain.__code__
        names = {name: known[name] for name in (*code.co_names, "__name__", "__file__") if name in known}
        names = {name: form(value) if isinstance(value, Kernel) else value for name, value in names.items()}
        made = FunctionType(code, names, self.plain.__name__, self.plain.__defaults__)
        made.__qualname__, made.__module__ = self.plain.__qualname__, self.plain.__module__
        made.__dict__["fingerprint"] = self.fingerprint
        return made


def kernel(function: Callable[Given, Result]) -> Kernel[Given, Result]:
    """Mark a function as a kernel."""
    return Kernel(function)


def loop_kernel(function: Callable[Given, Result]) -> Kernel[Given, Result]:
    """Mark a function as a kernel that makes no arrays, calls only such kernels, and counts no index from the end.
    numba then counts no references, which takes longer than what a call for a single hand does, and takes indices as
    they are."""
    return Kernel(function, makes=False)


def prepare() -> bool:
    """Compile kernels from now on, if numba is there: there is much to compute. Whether it is."""
    if not _chosen and os.environ.get("TILEWRIGHT_KERNELS") != "numpy" and compiler() is not None:
        _chosen.append(True)
    return bool(_chosen)


def is_prepared() -> bool:
    """Whether kernels are compiled."""
    return bool(_chosen)


def pays(kernel: Kernel[..., Any], count: int, at_once: int, ever: int) -> bool:
    """Whether a kernel pays for so many things to compute: for `at_once` or more where it was compiled before, for
    `ever` or more where compiling it takes seconds first."""
    return count >= ever or (count >= at_once and kernel.is_kept)


@cache
def compiler() -> Callable[..., Any] | None:
    """numba's compiler, None where it is missing."""
    try:
        import_module("numba")
    except ImportError:
        return None
    found: Callable[..., Any] = import_module("tilewright.base.compute.loops").compiled
    return found


def words_of(code: CodeType) -> list[str]:
    """What a function says, but for its comments."""
    inner = [words for const in code.co_consts if isinstance(const, CodeType) for words in words_of(const)]
    return [code.co_code.hex(), *code.co_names, *code.co_varnames, *map(constant, code.co_consts), *inner]


def constant(value: Any) -> str:
    """The text of a constant that is compiled into a kernel; empty for any other value."""
    if isinstance(value, Number | str | tuple):
        return repr(value)
    is_array = hasattr(value, "tobytes") and not isinstance(value, type)
    return value.tobytes().hex() if is_array else ""


@cache
def compiled_by() -> str:
    """A hash of what says how kernels are compiled."""
    files = (Path(__file__).with_name(f"{name}.py") for name in COMPILER)
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
