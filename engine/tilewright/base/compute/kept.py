"""What is kept of compiled kernels: numba's cache, in a folder that the kernel names, and for parts of programs.

Folders are named after all that compiled forms depend on, so that neither the place of a source file nor its comments
matter. Imports numba.
"""

import os
import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from shutil import rmtree
from typing import Any

from numba.core import caching
from numba.core.compiler import compile_result

from tilewright.base.compute.programs import Part

MOST_VERSIONS = 2  # of a kernel, that are kept beside the present one


class Folder(caching._CacheLocator):  # type: ignore[misc]  # numba has no types
    """A folder, as numba asks for one."""

    def __init__(self, path: Path) -> None:
        self.path, self._py_file = path, str(path)

    def get_cache_path(self) -> str:
        return str(self.path)

    def get_source_stamp(self) -> str:
        return ""

    def get_disambiguator(self) -> str:
        return ""


class Programs(caching.CompileResultCacheImpl):  # type: ignore[misc]  # as above
    """How programs are written: as numba does."""

    named = "program"

    def __init__(self, function: Any, path: Path) -> None:
        self._lineno, self._locator, self._filename_base = function.__code__.co_firstlineno, Folder(path), self.named


class Parts(Programs):
    """How parts are written: their own code, and which parts they call; `part_of` finds these."""

    named = "part"

    def __init__(self, function: Any, path: Path, part_of: Callable[[Any], Part]) -> None:
        super().__init__(function, path)
        self.part_of = part_of

    def reduce(self, cres: Any) -> Any:
        cres.fndesc.typemap = cres.fndesc.calltypes = None  # as numba does
        calls = [part.origin for part in cres.library.parts]
        return cres.library.name, zlib.compress(cres.library.bitcode, 1), calls, cres.fndesc, cres.signature

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        name, bitcode, calls, fndesc, signature = payload
        library = Part(target_context.codegen(), name)
        library.restore(zlib.decompress(bitcode), [self.part_of(origin) for origin in calls])
        known = {"library": library, "fndesc": fndesc, "signature": signature, "objectmode": False, "lifted": ()}
        return compile_result(target_context=target_context, entry_point=object(), **known)


class KeptCache(caching.FunctionCache):  # type: ignore[misc]  # as above
    """The cache of a function."""

    def __init__(self, function: Any, written: Programs) -> None:
        self._name, self._py_func, self._impl = repr(function), function, written
        self._cache_path = written.locator.get_cache_path()
        self._cache_file = caching.IndexDataCacheFile(self._cache_path, written.filename_base, "")
        self.enable()

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        """What is kept for these types, and not for others: processes that write at the same time may mix them up."""
        found = super()._load_overload(sig, target_context)
        return found if found is not None and tuple(found.signature.args) == tuple(sig) else None


def keep(kept: Path) -> None:
    """Mark what is kept of a kernel as used; where nothing is, drop what has not been used for longest."""
    if kept.exists():
        with suppress(OSError):
            os.utime(kept)
        return
    say_what_takes_long()
    with suppress(OSError):
        known = sorted(kept.parent.iterdir(), key=lambda path: path.stat().st_mtime)
        for path in known[:-MOST_VERSIONS]:
            rmtree(path, ignore_errors=True)


@cache
def say_what_takes_long() -> None:
    print("compiling fast kernels: this takes some minutes, once", file=sys.stderr)
