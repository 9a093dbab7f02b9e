"""Kernels: fixed loops over arrays, written in plain Python and compiled to C when the package is built.

`tools/kernelc` translates every function that `@kernel` or `@entry` marks into the extension module
`tilewright._kernels`. What C calls is a kernel; what Python calls is an entry, whose arguments have types that are
declared here: `I64x2` is an array of 64-bit numbers with two dimensions. What the code of a machine calls is an
operation. Without the module (nobody compiled it, or it is of other sources) the same functions run as Python, on
memory instead of arrays: an element of a numpy array is an object of numpy's, and slow; the same memory as a
`memoryview` has Python's numbers. TILEWRIGHT_KERNELS=plain leaves the module out, a path there names another build of
it. Knows no mahjong.
"""

import os
import sys
from array import array
from collections.abc import Callable, Iterable
from functools import cache, cached_property, partial, update_wrapper
from hashlib import blake2b
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from math import prod
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Annotated, Any, Generic, NamedTuple, ParamSpec, TypeVar, get_args

if TYPE_CHECKING:
    from tilewright.base.arrays import Array as Array
else:
    Array = object  # numpy takes longer to import than a hand to score

Given = ParamSpec("Given")
Result = TypeVar("Result")
PACKAGE = Path(__file__).parents[1]
CHOICE, PLAIN = "TILEWRIGHT_KERNELS", "plain"  # of the environment
NAME = "tilewright._kernels"
HINT = "docs/kernels.md says how to compile them"


class Elements(NamedTuple):
    """What an array holds, as entries declare it: the name of its numpy type, and how many dimensions it has."""

    dtype: str
    dims: int


B8 = Annotated[Array, Elements("bool", 1)]
B8x2 = Annotated[Array, Elements("bool", 2)]
U8 = Annotated[Array, Elements("uint8", 1)]
U8x2 = Annotated[Array, Elements("uint8", 2)]
U8x3 = Annotated[Array, Elements("uint8", 3)]
I32 = Annotated[Array, Elements("int32", 1)]
I32x2 = Annotated[Array, Elements("int32", 2)]
I64 = Annotated[Array, Elements("int64", 1)]
I64x2 = Annotated[Array, Elements("int64", 2)]
I64x3 = Annotated[Array, Elements("int64", 3)]
F32x2 = Annotated[Array, Elements("float32", 2)]
F64 = Annotated[Array, Elements("float64", 1)]
F64x2 = Annotated[Array, Elements("float64", 2)]


class Entry(Generic[Given, Result]):
    """A kernel that Python calls. `plain`: as it is written; `is_long`: whether others may run meanwhile."""

    def __init__(self, plain: Callable[Given, Result], is_long: bool) -> None:
        self.plain, self.is_long = plain, is_long
        self.id = f"{plain.__module__}:{plain.__qualname__}"
        update_wrapper(self, plain)

    def __call__(self, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        return self.run(*args, **kwargs)

    @cached_property
    def run(self) -> Callable[Given, Result]:
        """What to call: the compiled function, which takes no named arguments, or the plain one."""
        return self.bind()

    def bind(self, *first: Any) -> Callable[..., Result]:
        """The function with its first arguments given: these arrays are looked at once, and not at each call."""
        module = compiled()
        if module is None:
            return on_views(self.plain, *first)
        made: Callable[..., Result] = module.bind(self.id, *first)
        return made


ON = -1  # what an operation returns where the code goes on behind it


class Operation:
    """A kernel that a machine carries out, called in a table of such by its number. Its arguments after the machine are
    operands, which stand in the code one after the other: the annotation of each, `Annotated[int, read]`, names the
    kernel that reads it, of the machine and a place of the code. It returns where the code continues: ON, or a place;
    one that returns nothing always goes on."""

    def __init__(self, plain: Callable[..., int | None]) -> None:
        assert isinstance(plain, FunctionType)
        code = plain.__code__
        self.plain, self.name = plain, plain.__name__
        self.operands = tuple(plain.__annotations__[name] for name in code.co_varnames[1 : code.co_argcount])
        self.readers: tuple[FunctionType, ...] = tuple(get_args(one)[1] for one in self.operands)
        update_wrapper(self, plain)

    def __call__(self, machine: Any, place: int) -> int:
        operands = []
        for read in self.readers:
            operands.append(read(machine, place))  # a list that grows is faster here than one that is made of a range
            place += 1
        found = self.plain(machine, *operands)
        return ON if found is None else found


def operation(function: Callable[..., int | None]) -> Operation:
    """Mark a kernel that a machine carries out."""
    return Operation(function)


def kernel(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """Mark a function that entries call, perhaps by way of others."""
    function.__dict__["is_kernel"] = True
    return function


def entry(function: Callable[Given, Result]) -> Entry[Given, Result]:
    """Mark a kernel that Python calls; its annotations say what each argument is."""
    return Entry(function, is_long=False)


def long_entry(function: Callable[Given, Result]) -> Entry[Given, Result]:
    """The same of one that may run for long: other threads run meanwhile, so none of them may use its arrays."""
    return Entry(function, is_long=True)


def wrapped(number: int) -> int:
    """The number as 64 bits hold it, in C and in Python: for sums and products that grow beyond them."""
    return (int(number) + (1 << 63) & (1 << 64) - 1) - (1 << 63)


def lowest_bit(number: int) -> int:
    """The number of the lowest bit that is set in 64 bits; -1 for none."""
    return (int(number) & -int(number)).bit_length() - 1


def are_compiled() -> bool:
    """Whether compiled kernels are there."""
    return compiled() is not None


@cache
def compiled() -> ModuleType | None:
    """The extension module. None, with one line on the error stream, if it is missing or of other sources."""
    choice = os.environ.get(CHOICE, "")
    if choice == PLAIN:
        return None
    try:
        module = loaded(choice) if os.sep in choice else import_module(NAME)
    except ImportError as error:
        say_why_not("are not compiled" if isinstance(error, ModuleNotFoundError) else f"do not load ({error})")
        return None
    if module.fingerprint != fingerprint(module.sources, PACKAGE):
        say_why_not("were compiled from other sources")
        return None
    return module


def loaded(path: str) -> ModuleType:
    """The module in a file. Raises ImportError."""
    spec = spec_from_file_location(NAME, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no extension module")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def say_why_not(why: str) -> None:
    print(f"tilewright: kernels {why}, so scoring and bots take far longer; {HINT}", file=sys.stderr)
    os.environ[CHOICE] = PLAIN  # processes that are started need not say it again


def fingerprint(sources: str, package: Path) -> str:
    """A hash of the files that kernels are made from. `sources`: their paths below the package, a line each."""
    known = blake2b(digest_size=16)
    for name in sources.split():
        try:
            known.update(b"%s\0%s\0" % (name.encode(), (package / name).read_bytes().replace(b"\r\n", b"\n")))
        except OSError:
            return ""
    return known.hexdigest()


Numbers = Any  # a memoryview, or an array of numpy: entries take either


def zeros(kind: str, *shape: int) -> Numbers:
    """Numbers of this kind ("q": 64 bits, "i": 32), all 0; each dimension has at least one."""
    size = memoryview(bytearray(8)).cast(kind).itemsize  # type: ignore[call-overload]
    return memoryview(bytearray(size * prod(shape))).cast(kind, shape)  # type: ignore[call-overload]


def listed(kind: str, numbers: Iterable[int], *shape: int) -> Numbers:
    """These numbers; in rows of this shape."""
    made: Numbers = memoryview(array(kind, numbers))
    return made.cast("B").cast(kind, shape) if shape else made


def flat(rows: Numbers) -> Numbers:
    """The same memory as one list."""
    return rows.cast("B").cast(rows.format)


def grown(rows: Numbers, times: int) -> Numbers:
    """So many times as many rows, the first of which are these."""
    more = zeros(rows.format, times * rows.shape[0], *rows.shape[1:])
    flat(more)[: prod(rows.shape)] = flat(rows)
    return more


class Rows:
    """Memory of several dimensions: `x[i, j]`, `x[i][j]`, rows `x[i]`, parts of a row `x[i, a:b]`."""

    __slots__ = ("cells", "shape", "whole")

    def __init__(self, cells: Numbers) -> None:
        self.cells, self.shape = cells, cells.shape
        self.whole = flat(cells) if 0 not in cells.shape else cells

    def __len__(self) -> int:
        return int(self.shape[0])

    def __getitem__(self, at: Any) -> Any:
        if type(at) is not tuple:
            at = (at,)
        elif type(at[-1]) is int and len(at) == len(self.shape):
            return self.cells[at]
        *first, last = at if isinstance(at[-1], slice) else (*at, slice(None))
        start = 0
        for size, place in zip(self.shape, first, strict=False):
            start = start * size + place
        rest = self.shape[len(first) :]
        row = self.whole[start * prod(rest) : (start + 1) * prod(rest)]
        return row[last] if len(rest) == 1 else Rows(row.cast("B").cast(row.format, rest))

    def __setitem__(self, at: Any, value: Any) -> None:
        self.cells[at] = value


def viewed(given: Any) -> Any:
    """An argument as plain kernels take it."""
    if isinstance(given, tuple) and hasattr(given, "_make"):
        return given._make(map(viewed, given))
    if not getattr(given, "ndim", 0):
        return given
    cells = given if isinstance(given, memoryview) else given.data
    return cells if cells.ndim == 1 else Rows(cells)


def on_views(kernel: Callable[..., Result], *first: Any) -> Callable[..., Result]:
    """The kernel with its first arguments given."""
    bound = partial(kernel, *map(viewed, first))
    return lambda *rest: bound(*map(viewed, rest))
