"""Expressions of a kernel in C. What C cannot say the same way is refused.

C leaves open in which order parts of an expression are computed, Python does not: a call of a kernel that writes
becomes a statement of its own, and what was read before it is kept.
"""

import ast
import builtins
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from kernelc.c_types import (
    C_NAMES,
    CASTS,
    REAL,
    WHOLE,
    ArrayType,
    NotC,
    TupleType,
    Type,
    field_name,
    joined,
    literal,
    safe,
    said,
    widened,
)
from kernelc.sources import operations_of, plain_of
from kernelc.values import FOLDED, OF_PYTHON, UNKNOWN, Value, constant, widened_text
from tilewright.base.kernels import ON, Operation, lowest_bit, wrapped

if TYPE_CHECKING:
    from kernelc.program import Form, Program

MATH = {math.exp: "exp", math.sqrt: "sqrt", math.floor: "floor"}
BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"}
BINARY |= {ast.LShift: "<<", ast.RShift: ">>", ast.FloorDiv: "//", ast.Mod: "%", ast.Div: "/", ast.Pow: "**"}
COMPARED = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
UNARY: dict[type[ast.unaryop], Any] = {ast.USub: lambda x: -x, ast.Invert: lambda x: ~x, ast.UAdd: lambda x: +x}


class Expressions:
    """The lines of a kernel, and values in them."""

    def __init__(self, program: "Program", form: "Form") -> None:
        self.program, self.form, self.sources = program, form, program.sources
        self.function: FunctionType = form.function
        self.known = form.function.__globals__
        self.parameters: list[str] = []
        self.locals: set[str] = set()
        self.variables: dict[str, Type] = {}
        self.lines: list[str] = []
        self.depth, self.temporaries = 1, 0

    # --- lines

    def put(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    @contextmanager
    def aside(self, deeper: int = 0) -> Iterator[list[str]]:
        """Lines that are put elsewhere."""
        before, self.lines, self.depth = self.lines, [], self.depth + deeper
        try:
            yield self.lines
        finally:
            self.lines, self.depth = before, self.depth - deeper

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.put(f"{head} {{")
        self.depth += 1
        yield
        self.depth -= 1
        self.put("}")

    def temporary(self) -> str:
        self.temporaries += 1
        return f"t_{self.temporaries}"

    def kept(self, value: Value) -> Value:
        """The same value, computed here."""
        if value.is_constant:
            return value
        if value.parts is not None:
            return Value(value.type, parts=[self.kept(one) for one in value.parts])
        name = self.temporary()
        self.put(f"{self.program.c_name(value.type)} {name} = {value.text};")
        return Value(value.type, name)

    def refuse(self, node: ast.AST, why: str = "is not translated") -> NotC:
        place = f"{self.function.__code__.co_filename}:{getattr(node, 'lineno', '?')}"
        return NotC(f"{place}: `{ast.unparse(node).splitlines()[0][:80]}` {why}")

    # --- places

    def element(self, node: ast.Subscript, how: str = "R") -> tuple[str, str]:
        """An element of an array that is read ("R") or written ("W"), and its type."""
        value, inner = self.flat(node)
        base, *index = self.many([value, *inner])
        if not isinstance(base.type, ArrayType) or len(index) != base.type.dims:
            raise self.refuse(node, "is no element of an array")
        index = [self.whole_number(one) for one in index]
        if how == "W":  # perhaps twice
            index = [one if one.is_constant or one.text.isidentifier() else self.kept(one) for one in index]
        text = base.text if base.text.isidentifier() else f"({base.text})"
        return f"{how}{base.type.dims}({text}, {', '.join(self.cast(one, 'i64') for one in index)})", base.type.element

    def flat(self, node: ast.Subscript) -> tuple[ast.expr, list[ast.expr]]:
        """What is looked up, and by what: x[a][b] like x[a, b] if x is an array."""
        inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if isinstance(node.value, ast.Subscript) and not isinstance(node.value.slice, ast.Slice):
            value, first = self.flat(node.value)
            with self.aside():
                if isinstance(self.value(value).type, ArrayType):
                    return value, [*first, *inner]
        return node.value, list(inner)

    def fields(self, node: ast.AST, value: Value) -> list[Value]:
        """The parts of a tuple."""
        if value.parts is not None:
            return value.parts
        if isinstance(value.constant, tuple):
            return [constant(one) for one in value.constant]
        if not isinstance(value.type, TupleType):
            raise self.refuse(node, "is no tuple")
        return [Value(one, f"{value.text}.{field_name(value.type, n)}") for n, one in enumerate(value.type.items)]

    # --- values

    def many(self, nodes: list[ast.expr]) -> list[Value]:
        """Values in their order: none that reads moves past a call that writes."""
        found: list[Value] = []
        for number, node in enumerate(nodes):
            value = self.value(node)
            found.append(self.kept(value) if value.reads and any(map(self.writes, nodes[number + 1 :])) else value)
        return found

    def writes(self, node: ast.AST) -> bool:
        """Whether it calls a kernel that writes."""
        return any(self.sources.writes(one) for one in self.sources.called(self.function, node))

    def object_of(self, node: ast.expr) -> Any:
        """What a name says that is known now; UNKNOWN for others."""
        match node:
            case ast.Name(name) if name not in self.locals:
                if name not in self.known:
                    return getattr(builtins, name, UNKNOWN)
                found = self.known[name]
                if plain_of(found) is None and not isinstance(found, ModuleType):
                    self.sources.follow(self.module, name)
                return found
            case ast.Attribute(value, name):
                base = self.object_of(value)
                if isinstance(base, ModuleType):
                    self.sources.follow(base, name)
                return getattr(base, name, UNKNOWN) if base is not UNKNOWN else UNKNOWN
        return UNKNOWN

    @property
    def module(self) -> ModuleType:
        """The module that the kernel is written in."""
        made = ModuleType(self.function.__module__)
        made.__file__ = self.function.__code__.co_filename
        return made

    def value(self, node: ast.expr) -> Value:
        """An expression."""
        found = self.object_of(node)
        if found is not UNKNOWN:
            return constant(found)
        match node:
            case ast.Constant(value):
                return constant(value)
            case ast.Name(name):
                if name not in self.variables:
                    raise self.refuse(node, "has no value yet")
                type = self.variables[name]
                is_pointer = isinstance(type, TupleType) and name in self.parameters
                return Value(type, f"(*{safe(name)})" if is_pointer else safe(name))
            case ast.Attribute(value, name):
                return self.attribute(node, self.value(value), name)
            case ast.Subscript():
                return self.subscript(node)
            case ast.Tuple(parts):
                made = self.many(parts)
                return Value(TupleType("", (), tuple(self.whole(one).type for one in made)), parts=made)
            case ast.BinOp(left, op, right):
                return self.binary(node, op, *self.many([left, right]))
            case ast.Compare(left, [op], [right]):
                return self.compared(node, op, *self.many([left, right]))
            case ast.UnaryOp(ast.Not()) | ast.Compare():
                return Value("b", self.condition(node), reads=True)
            case ast.UnaryOp(op, operand):
                return self.unary(node, op, self.value(operand))
            case ast.BoolOp():
                return self.either(node)
            case ast.IfExp():
                return self.chosen(node)
            case ast.Call():
                return self.call(node)
        raise self.refuse(node)

    def attribute(self, node: ast.expr, value: Value, name: str) -> Value:
        if isinstance(value.type, ArrayType) and name == "shape":
            return Value(None, parts=[Value("i64", f"{value.text}.n{dim}") for dim in range(value.type.dims)])
        if isinstance(value.type, TupleType) and name in value.type.names:
            return self.fields(node, value)[value.type.names.index(name)]
        raise self.refuse(node)

    # --- looking up

    def subscript(self, node: ast.Subscript) -> Value:
        value, inner = self.flat(node)
        base = self.value(value)
        if isinstance(base.type, ArrayType):
            if any(isinstance(one, ast.Slice) for one in inner):
                return self.sliced(node, base, base.type, inner)
            if len(inner) == base.type.dims:
                place, element = self.element(node)
                return Value(widened(element), widened_text(place, element), reads=True)
            if len(inner) > base.type.dims:
                raise self.refuse(node, "is no element of an array")
            index = [self.cast(self.whole_number(one), "i64") for one in self.many(inner)]
            return self.view(base, base.type, index, "0", None)
        (index_value,) = self.many(inner)
        if index_value.is_constant:
            if base.is_constant:
                return constant(base.constant[index_value.constant])
            part: Value = self.fields(node, base)[index_value.constant]
            return part
        if isinstance(base.constant, tuple | np.ndarray) and np.ndim(base.constant) == 1:
            name = node.value.id if isinstance(node.value, ast.Name) else "table"
            table, kind, size = self.program.table(name, base.constant)
            return Value(kind, f"{table}[KC_READS({self.cast(self.whole_number(index_value), 'i64')}, {size})]")
        raise self.refuse(node, "is looked up by a number that is not known")

    def sliced(self, node: ast.Subscript, base: Value, type: ArrayType, inner: list[ast.expr]) -> Value:
        """A part of the last axis: x[a, b:c]."""
        *first, last = inner
        if not isinstance(last, ast.Slice) or last.step is not None or len(inner) != type.dims:
            raise self.refuse(node, "is a part of another kind")
        ends = [one for one in (last.lower, last.upper) if one is not None]
        values = [self.whole_number(one) for one in self.many([*first, *ends])]
        texts = [self.cast(one, "i64") for one in values]
        size = f"{base.text}.n{type.dims - 1}"
        start = f"kc_within({texts[len(first)]}, {size})" if last.lower is not None else "0"
        stop = f"kc_within({texts[-1]}, {size})" if last.upper is not None else size
        return self.view(base, type, texts[: len(first)], start, stop)

    def view(self, base: Value, type: ArrayType, index: list[str], start: str, stop: str | None) -> Value:
        """An array of the elements of another one: its rows at `index`; of the last axis from `start` to `stop`."""
        text = base.text
        lengths = [f"{text}.n{dim}" for dim in range(len(index), type.dims)]
        if stop is not None:
            begin = self.temporary()
            self.put(f"int64_t {begin} = {start}, {begin}_n = {stop} - {begin};")
            start, lengths[-1] = begin, f"({begin}_n > 0 ? {begin}_n : 0)"
        places = [f"KC_WRITES({one}, {text}.n{dim})" for dim, one in enumerate(index)]
        places += ["0"] * (type.dims - len(places))
        if len(index) < type.dims:
            places[-1] = start
        place = places[0]
        for dim in range(1, type.dims):
            place = f"(({place}) * {text}.n{dim} + {places[dim]})"
        made = ArrayType(type.element, type.dims - len(index))
        return self.kept(Value(made, f"{{{text}.p + {place}, {', '.join(lengths)}}}", reads=True))

    # --- arithmetic

    def unary(self, node: ast.expr, op: ast.unaryop, value: Value) -> Value:
        if value.is_constant:
            return constant(UNARY[type(op)](value.constant))
        if isinstance(op, ast.USub) and value.type in ("b", "i64", *REAL):
            kind = "i64" if value.type == "b" else value.type
            return Value(kind, f"(-{self.cast(value, kind)})", reads=value.reads)
        if isinstance(op, ast.Invert) and value.type == "i64":
            return Value(value.type, f"(~{value.text})", reads=value.reads)
        raise self.refuse(node)

    def binary(self, node: ast.AST, op: ast.operator, a: Value, b: Value) -> Value:
        sign, reads = BINARY.get(type(op)), a.reads or b.reads
        if sign is None or not isinstance(a.type, str) or not isinstance(b.type, str):
            raise self.refuse(node)
        if a.is_constant and b.is_constant and "f32" not in (a.type, b.type):
            return constant(FOLDED[sign](a.constant, b.constant))
        if sign in ("<<", ">>"):
            return self.shifted(node, sign, a, b)
        kind = self.arithmetic(node, sign, a, b)
        x, y = self.cast(a, kind), self.cast(b, kind)
        if sign == "**":
            return Value(kind, f"pow({x}, {y})", reads=reads)
        if sign in ("//", "%") and kind != "i64":
            raise self.refuse(node, "divides other numbers than i64")
        if sign == "//":
            shift = b.constant.bit_length() - 1 if b.is_power else None
            return Value(kind, f"kc_div({x}, {y})" if shift is None else f"({x} >> {shift})", reads=reads)
        if sign == "%":
            return Value(kind, f"({x} & {b.constant - 1})" if b.is_power else f"kc_mod({x}, {y})", reads=reads)
        return Value(kind, f"({x} {sign} {y})", reads=reads)

    def shifted(self, node: ast.AST, sign: str, a: Value, b: Value) -> Value:
        if a.type in REAL or b.type in REAL:
            raise self.refuse(node)
        kind = "i64" if a.type == "b" else a.type
        wide = a.is_constant and kind == "i64" and a.constant >= 0
        left = f"INT64_C({a.constant})" if wide else self.cast(a, kind)
        return Value(
            kind, f"({left} {sign} {self.cast(b, 'i64' if b.type == 'b' else b.type)})", reads=a.reads or b.reads
        )

    def arithmetic(self, node: ast.AST, sign: str, a: Value, b: Value) -> str:
        """The type of a result. What is not the same in Python, numpy and C is refused."""
        kinds = {a.type, b.type}
        if sign in ("/", "**"):
            if sign == "**" and not kinds & set(REAL):
                raise self.refuse(node, "is a power of whole numbers")
            return "f64" if "f32" not in kinds else self.mixed(node, a, b)
        if kinds == {"b"}:
            return "b" if sign in "&|^" else "i64"
        if sign in "&|^" and kinds & set(REAL):
            raise self.refuse(node)
        return self.mixed(node, a, b)

    def mixed(self, node: ast.AST, a: Value, b: Value) -> str:
        """The type of a sum and the like."""
        kinds = {a.type, b.type}
        if len(kinds) == 1:
            return str(a.type)
        if kinds <= {"b", "i64"}:
            return "i64"
        if kinds <= {"b", "i64", "f64", "f32"} and "f64" in kinds:
            return "f64"
        raise self.refuse(node, f"mixes {said(a.type)} and {said(b.type)}")

    def compared(self, node: ast.AST, op: ast.cmpop, a: Value, b: Value) -> Value:
        if isinstance(op, ast.In | ast.NotIn):
            parts = [self.cast(self.compared(node, ast.Eq(), a, one), "b") for one in self.fields(node, b)]
            return Value("b", f"{'!' if isinstance(op, ast.NotIn) else ''}({' || '.join(parts)})", reads=True)
        sign = COMPARED.get(type(op))
        if sign is None or not a.is_number or not b.is_number:
            raise self.refuse(node)
        if a.is_constant and b.is_constant:
            return constant(bool(FOLDED[sign](a.constant, b.constant)))
        kind = self.mixed(node, a, b)
        return Value("b", f"({self.cast(a, kind)} {sign} {self.cast(b, kind)})", reads=a.reads or b.reads)

    # --- conditions

    def condition(self, node: ast.expr) -> str:
        """Whether it holds, in C."""
        match node:
            case ast.UnaryOp(ast.Not(), operand):
                return f"!({self.condition(operand)})"
            case ast.BoolOp(op, values) if not any(self.writes(one) for one in values[1:]):
                parts = [self.condition(values[0]), *map(self.pure_condition, values[1:])]
                return f"({(' && ' if isinstance(op, ast.And) else ' || ').join(parts)})"
            case ast.Compare(left, ops, others) if len(ops) > 1:
                if any(self.writes(one) for one in others[1:]):
                    raise self.refuse(node, "calls in a chain")
                found = self.many([left, *others])  # those in the middle are written twice
                pairs = [self.compared(node, op, found[n], found[n + 1]) for n, op in enumerate(ops)]
                return f"({' && '.join(self.cast(one, 'b') for one in pairs)})"
        return self.cast(self.value(node), "b")

    def pure_condition(self, node: ast.expr) -> str:
        """A condition of which nothing is computed before it is asked."""
        with self.aside() as before:
            condition = self.condition(node)
        if before:
            raise self.refuse(node, "is computed too soon")
        return condition

    def either(self, node: ast.BoolOp) -> Value:
        """`and` and `or` as values: the last one that was looked at."""
        is_and = isinstance(node.op, ast.And)
        if not any(self.writes(one) for one in node.values[1:]):
            parts = [self.value(node.values[0])]
            with self.aside() as before:
                parts += [self.value(one) for one in node.values[1:]]
            if before:
                raise self.refuse(node, "is computed too soon")
            if all(one.type == "b" for one in parts):
                sign = " && " if is_and else " || "
                return Value("b", f"({sign.join(self.cast(one, 'b') for one in parts)})", reads=True)
            found = parts[-1]
            for one in reversed(parts[:-1]):
                kind = joined(one.type, found.type, "`and` or `or`")
                then, other = (found, one) if is_and else (one, found)
                chosen = f"({self.cast(one, 'b')} ? {self.cast(then, kind)} : {self.cast(other, kind)})"
                found = Value(kind, chosen, reads=True)
            return found
        name = self.temporary()
        self.put(f"bool {name} = {self.condition(node.values[0])};")
        for later in node.values[1:]:
            with self.block(f"if ({'' if is_and else '!'}{name})"):
                value = self.value(later)
                if value.type != "b":
                    raise self.refuse(node, "gives a number after a call that writes")
                self.put(f"{name} = {self.cast(value, 'b')};")
        return Value("b", name)

    def chosen(self, node: ast.IfExp) -> Value:
        condition = self.condition(node.test)
        with self.aside(1) as first:
            a = self.whole(self.value(node.body))
        with self.aside(1) as second:
            b = self.whole(self.value(node.orelse))
        kind = joined(a.type, b.type, "`if` or `else`")
        if not first and not second:
            return Value(kind, f"({condition} ? {self.cast(a, kind)} : {self.cast(b, kind)})", reads=True)
        name = self.temporary()
        self.put(f"{self.program.c_name(kind)} {name};")
        for head, lines, value in ((f"if ({condition})", first, a), ("else", second, b)):
            with self.block(head):
                self.lines += lines
                self.put(f"{name} = {self.cast(value, kind)};")
        return Value(kind, name)

    # --- calls

    def call(self, node: ast.Call) -> Value:
        if node.keywords:
            raise self.refuse(node, "has named arguments")
        called = self.object_of(node.func)
        if isinstance(node.func, ast.Subscript) and (table := operations_of(self.object_of(node.func.value))):
            return self.carry_out(node, table, *self.many([node.func.slice, *node.args]))
        args: list[Value] = []
        given = self.many([one.value if isinstance(one, ast.Starred) else one for one in node.args])
        for one, value in zip(node.args, given, strict=True):
            args += self.fields(one, value) if isinstance(one, ast.Starred) else [value]
        function = plain_of(called)
        if function is not None:
            return self.call_kernel(node, function, args)
        if isinstance(called, type) and issubclass(called, tuple) and hasattr(called, "_fields"):
            label, names = f"{called.__module__}:{called.__name__}", tuple(called._fields)
            return Value(TupleType(label, names, tuple(self.whole(one).type for one in args)), parts=args)
        if called is len and len(args) == 1:
            return self.length(node, args[0])
        if not args or not all(one.is_number for one in args):
            raise self.refuse(node)
        if called in (min, max):
            return self.extreme(called, args)
        if len(args) > 1:
            raise self.refuse(node)
        return self.converted(node, called, args[0])

    def length(self, node: ast.AST, value: Value) -> Value:
        if isinstance(value.type, ArrayType):
            return Value("i64", f"{value.text}.n0")
        return constant(len(self.fields(node, value)))

    def extreme(self, called: Any, args: list[Value]) -> Value:
        """The least or the greatest of some numbers."""
        found = args[0]
        for one in args[1:]:
            kind = joined(found.type, one.type, called.__name__)
            if found.is_constant and one.is_constant:
                found = constant(called(found.constant, one.constant))
            else:
                text = f"kc_{called.__name__}_{kind}({self.cast(found, kind)}, {self.cast(one, kind)})"
                found = Value(kind, text, reads=any(arg.reads for arg in args))
        return found

    def converted(self, node: ast.AST, called: Any, value: Value) -> Value:
        """A number made another by a function of Python, `math` or numpy."""
        if called in MATH:
            text = f"{MATH[called]}({self.cast(value, 'f64')})"
            is_floor = called is math.floor
            return Value("i64" if is_floor else "f64", f"((int64_t){text})" if is_floor else text, reads=value.reads)
        if called is lowest_bit:
            return Value("i64", f"kc_lowest_bit({self.cast(value, 'i64')})", reads=value.reads)
        if called is wrapped:
            return Value("i64", self.cast(value, "i64"), reads=value.reads)
        if called is abs:
            kind = "i64" if value.type == "b" else value.type
            text = f"fabs({value.text})" if kind == "f64" else f"kc_abs({self.cast(value, 'i64')})"
            return Value(kind, text, reads=value.reads)
        to = CASTS.get(called) if isinstance(called, type) else None
        if to is None:
            raise self.refuse(node)
        if value.is_constant:
            number = OF_PYTHON[to](value.constant)
            return Value(to, constant=number)
        return Value(to, self.cast(value, to), reads=value.reads)

    def call_kernel(self, node: ast.AST, function: FunctionType, args: list[Value]) -> Value:
        args = [self.whole(one) for one in args]
        if len(args) != function.__code__.co_argcount:
            raise self.refuse(node, f"gives {len(args)} arguments, not {function.__code__.co_argcount}")
        form = self.program.form(function, tuple(one.type for one in args))
        given = []
        for type, value in zip(form.types, args, strict=True):
            if isinstance(type, TupleType):
                if value.parts is not None or "k_" in value.text:
                    value = self.kept(Value(value.type, self.cast(value, value.type)))
                pointer = re.fullmatch(r"\(\*(\w+)\)", value.text)
                given.append(pointer[1] if pointer else f"&{value.text}")
            else:
                given.append(self.cast(value, type))
        found = Value(form.result, f"{form.name}({', '.join(given)})", reads=True)
        return self.kept(found) if self.sources.writes(function) and form.result is not None else found

    def carry_out(
        self, node: ast.AST, table: Sequence[Operation], number: Value, machine: Value, place: Value
    ) -> Value:
        """One of some operations, by its number, with the operands that begin at a place. Where the code continues."""
        place, name = self.kept(place), self.temporary()
        self.put(f"int64_t {name} = {ON};")
        with self.block(f"switch ({self.cast(self.whole_number(number), 'i64')})"):
            for case, one in enumerate(table):
                self.put(f"case {case}: {{  // {one.name}")
                spots = [self.binary(node, ast.Add(), place, constant(count)) for count in range(len(one.readers))]
                read = [
                    self.call_kernel(node, reader, [machine, spot])
                    for reader, spot in zip(one.readers, spots, strict=True)
                ]
                done = self.call_kernel(node, one.plain, [machine, *read])
                if done.type not in (None, "i64", "b"):
                    raise self.refuse(node, f"carries out {one.name}, which returns {said(done.type)}")
                self.put(f"{'' if done.type is None else f'{name} = '}{done.text};")
                self.put("} break;")
        return Value("i64", name)

    # --- conversions

    def whole(self, value: Value) -> Value:
        """A value of one type."""
        if value.type is None and value.parts is not None:
            kinds = tuple(self.whole(one).type for one in value.parts)
            return Value(TupleType("", (), kinds), parts=value.parts)
        return value

    def whole_number(self, value: Value) -> Value:
        if value.type not in WHOLE:
            raise NotC(f"{said(value.type)} is no whole number")
        return value

    def cast(self, value: Value, to: Type) -> str:
        """A value as another type."""
        if value.parts is not None:
            if not isinstance(to, TupleType):
                raise NotC("a tuple is no number")
            parts = (self.cast(one, kind) for one, kind in zip(value.parts, to.items, strict=True))
            return f"({self.program.c_name(to)}){{{', '.join(parts)}}}"
        if value.is_constant:
            if not value.is_number or not isinstance(to, str):
                raise NotC(f"{value.constant!r} is no number")
            return literal(value.constant, to)
        if value.type == to:
            return value.text
        if not isinstance(value.type, str) or not isinstance(to, str):
            raise NotC(f"{said(value.type)} is not {said(to)}")
        return f"({value.text} != 0)" if to == "b" else f"(({C_NAMES[to]}){value.text})"

    def cut(self, value: Value, element: str) -> str:
        """A value as an element of an array."""
        kind = widened(element)
        if value.type in REAL and kind not in REAL:
            raise NotC(f"{said(value.type)} is written where {element} is")
        text = self.cast(value, kind)
        return text if element == kind else f"({C_NAMES[element]}){text}"
