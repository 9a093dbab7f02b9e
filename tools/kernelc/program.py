"""All kernels that entries reach, as one file of C.

From the declared types of an entry, every call gives the types of the kernel that it calls; a kernel is written once
for each list of types. Names outside a function (numbers, enums, tuples of numbers, small arrays) are looked up now and
compiled in.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any, get_type_hints

import numpy as np

from kernelc.body import Body
from kernelc.c_types import (
    C_NAMES,
    DECLARED,
    REAL,
    ArrayType,
    NotC,
    TupleType,
    Type,
    as_declared,
    declared,
    field_name,
    literal,
    signature,
)
from kernelc.sources import Sources
from tilewright.base.kernels import Entry

HEAD = Path(__file__).with_name("head.h")


@dataclass
class Form:
    """A kernel for some types of arguments: its name in C, what it returns, its text."""

    function: FunctionType
    types: tuple[Type, ...]
    name: str
    result: Type = None
    returns: bool = False  # `result` is known
    is_open: bool = True  # it is being translated
    head: str = ""
    text: str = ""


class Program:
    """All that is translated. `of`: the entries that Python calls, each with its form."""

    def __init__(self, entries: Iterable[Entry[..., Any]]) -> None:
        self.sources = Sources()
        self.forms: dict[tuple[FunctionType, tuple[Type, ...]], Form] = {}
        self.order: list[Form] = []
        self.names: dict[str, int] = {}
        self.structs: dict[Type, str] = {}
        self.tables: dict[Any, tuple[str, str]] = {}  # by content: the name and the text of a table of constants
        self.entries = [(entry, self.form_of(entry)) for entry in entries]

    def form_of(self, entry: Entry[..., Any]) -> Form:
        """An entry for the types that it declares. Raises NotC."""
        assert isinstance(entry.plain, FunctionType)
        hints = get_type_hints(entry.plain, include_extras=True)
        code = entry.plain.__code__
        try:
            types = tuple(declared(hints.get(name, name)) for name in code.co_varnames[: code.co_argcount])
        except NotC as error:
            raise NotC(f"{code.co_filename}:{code.co_firstlineno}: {entry.plain.__name__}: {error}") from None
        form = self.form(entry.plain, types)
        if isinstance(form.result, ArrayType | TupleType):
            raise NotC(f"{code.co_filename}:{code.co_firstlineno}: {entry.plain.__name__} returns no number")
        return form

    def form(self, function: FunctionType, given: Sequence[Type]) -> Form:
        """A kernel for these types, translated. Raises NotC."""
        types = as_declared(function, given)
        key = function, types
        if key not in self.forms:
            form = self.forms[key] = Form(function, types, self.unique(f"k_{function.__name__}"))
            Body(self, form).translate()
            form.is_open = False
            self.order.append(form)
        form = self.forms[key]
        if form.is_open and not form.returns:  # it calls itself: its annotation has to say what it returns
            said = function.__annotations__.get("return", "nothing")
            if said not in DECLARED:
                raise NotC(f"{function.__qualname__} calls itself, and does not declare a number as its result")
            form.result, form.returns = DECLARED[said], True
        return form

    def unique(self, name: str) -> str:
        self.names[name] = self.names.get(name, 0) + 1
        return name if self.names[name] == 1 else f"{name}_{self.names[name]}"

    def c_name(self, type: Type) -> str:
        """A type in C."""
        if type is None:
            return "void"
        if isinstance(type, str):
            return C_NAMES[type]
        if type not in self.structs:
            if isinstance(type, ArrayType):
                self.structs[type] = f"A{type.dims}_{type.element}"
            else:
                for one in type.items:
                    self.c_name(one)
                self.structs[type] = self.unique(f"T_{type.label.rpartition(':')[2] or 'tuple'}")
        return self.structs[type]

    def table(self, name: str, values: Any) -> tuple[str, str, int]:
        """A table of constants: its name, the type of its elements, and how many it has."""
        numbers = values.tolist() if isinstance(values, np.ndarray) else list(values)
        kind = "f64" if any(isinstance(one, float) for one in numbers) else "i64"
        key = name, kind, tuple(numbers)
        if key not in self.tables:
            made = self.unique(f"c_{name}")
            inside = ", ".join(literal(one, kind) for one in numbers)
            self.tables[key] = made, f"static const {C_NAMES[kind]} {made}[] = {{{inside}}};"
        return self.tables[key][0], kind, len(numbers)

    # --- its text

    def text(self) -> str:
        """The program in C."""
        wrappers = [self.wrapper(number, form) for number, (_, form) in enumerate(self.entries)]
        rows = [self.row(number, entry, form) for number, (entry, form) in enumerate(self.entries)]
        parts = [HEAD.read_text(encoding="utf-8"), "// --- types\n"]
        parts += [self.struct(type, name) for type, name in self.structs.items()]
        parts += ["\n// --- constants\n", *(text for _, text in self.tables.values())]
        parts += ["\n// --- kernels\n", *(f"{form.head};" for form in self.order), ""]
        parts += [form.text for form in self.order]
        parts += ["// --- entries: arguments as words of 64 bits in, the result as the first one out\n", *wrappers]
        parts += ["", "const kc_entry kc_entries[] = {", *rows, "    {0, 0, 0, 0, 0},", "};", ""]
        return "\n".join(parts)

    @staticmethod
    def row(number: int, entry: Entry[..., Any], form: Form) -> str:
        """An entry in the list that the extension module reads."""
        takes = "".join(map(signature, form.types))
        return f'    {{"{entry.id}", "{takes}", "{signature(form.result)}", {int(entry.is_long)}, e_{number}}},'

    def struct(self, type: Type, name: str) -> str:
        if isinstance(type, ArrayType):
            lengths = "".join(f" int64_t n{dim};" for dim in range(type.dims))
            return f"typedef struct {{ {C_NAMES[type.element]} *p;{lengths} }} {name};"
        assert isinstance(type, TupleType)
        fields = "".join(f" {self.c_name(one)} {field_name(type, n)};" for n, one in enumerate(type.items))
        return f"typedef struct {{{fields} }} {name};"

    def wrapper(self, number: int, form: Form) -> str:
        """The function that the extension module calls."""
        words = iter(range(1_000_000))

        def taken(type: Type) -> str:
            if isinstance(type, ArrayType):
                inside = [f"({C_NAMES[type.element]} *)(intptr_t)w[{next(words)}]"]
                inside += [f"w[{next(words)}]" for _ in range(type.dims)]
                return f"({self.c_name(type)}){{{', '.join(inside)}}}"
            if isinstance(type, TupleType):
                return f"({self.c_name(type)}){{{', '.join(map(taken, type.items))}}}"
            assert isinstance(type, str)
            return f"kc_real(w[{next(words)}])" if type in REAL else f"({C_NAMES[type]})w[{next(words)}]"

        lines, args = [f"static void e_{number}(int64_t *w) {{"], list[str]()
        for place, type in enumerate(form.types):
            lines.append(f"    {self.c_name(type)} a{place} = {taken(type)};")
            args.append(f"&a{place}" if isinstance(type, TupleType) else f"a{place}")
        call = f"{form.name}({', '.join(args)})"
        if form.result is None:
            lines.append(f"    {call};")
        else:
            lines.append(f"    w[0] = {f'kc_bits({call})' if form.result in REAL else f'(int64_t){call}'};")
        return "\n".join([*lines, "}"])
