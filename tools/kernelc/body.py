"""A kernel in C: its statements. It is translated again until no type of a local name changes."""

import ast
from collections.abc import Iterator
from functools import partial
from typing import cast

from kernelc.c_types import ArrayType, NotC, TupleType, Type, joined, safe, widened
from kernelc.expressions import Expressions
from kernelc.values import Value, constant, widened_text


class Body(Expressions):
    """The translation of a kernel."""

    def translate(self) -> None:
        """Fill in the text of the form. Raises NotC."""
        form, self.tree = self.form, self.sources.of(self.function)
        arguments = self.tree.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults:
            raise self.refuse(self.tree, "takes more than plain arguments")
        self.parameters = [one.arg for one in arguments.args]
        if len(self.parameters) != len(form.types):
            raise self.refuse(self.tree, f"takes {len(self.parameters)} arguments, not {len(form.types)}")
        stored = {x.id for x in ast.walk(self.tree) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)}
        self.locals = stored | set(self.parameters)
        self.variables = dict(zip(self.parameters, form.types, strict=True))
        while True:
            before = dict(self.variables), form.result, form.returns
            self.lines, self.depth, self.temporaries = [], 1, 0
            self.statements(self.tree.body)
            if before == (self.variables, form.result, form.returns):
                break
        if form.result is not None and not ends(self.tree.body):
            raise self.refuse(self.tree, "does not end with a result on every way")
        self.write()

    def write(self) -> None:
        form, c_name = self.form, self.program.c_name
        given, changed = [], []
        for name, type in zip(self.parameters, form.types, strict=True):
            if isinstance(type, TupleType):
                given.append(f"const {c_name(type)} *{safe(name)}")
            elif self.variables[name] != type:  # it becomes wider
                given.append(f"{c_name(type)} {safe(name)}_given")
                changed.append(f"    {c_name(self.variables[name])} {safe(name)} = {safe(name)}_given;")
            else:
                given.append(f"{c_name(type)} {safe(name)}")
        is_small = len(self.lines) <= 5  # compilers leave even these alone where they are called often
        kind = "static inline" if is_small else "static"
        form.head = f"{kind} {c_name(form.result)} {form.name}({', '.join(given) or 'void'})"
        own = {name: type for name, type in self.variables.items() if name not in self.parameters}
        zero = [f"    {c_name(type)} {safe(name)} = {nothing(type)};" for name, type in own.items()]
        place = f"// {self.function.__module__}:{self.function.__name__}, line {self.function.__code__.co_firstlineno}"
        form.text = "\n".join([place, f"{form.head} {{", *changed, *zero, *self.lines, "}", ""])

    def statements(self, statements: list[ast.stmt]) -> None:
        for one in statements:
            try:
                self.statement(one)
            except NotC as error:
                raise error if ".py:" in str(error) else self.refuse(one, f"- {error}") from None

    def statement(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Expr(ast.Constant()) | ast.Pass():
                pass
            case ast.Expr(ast.Call() as call):
                value = self.value(call)
                if value.text and not value.text.startswith("t_"):
                    self.put(f"{value.text};")
            case ast.Assign(targets, given):
                self.assign(targets, given)
            case ast.AnnAssign(target, _, given) if given is not None:
                self.assign([target], given)
            case ast.AugAssign(target, op, given):
                self.augment(statement, target, op, given)
            case ast.If():
                self.branch(statement)
            case ast.While(test, body, []):
                self.repeat(test, body)
            case ast.For(ast.Name(name), iterated, body, []):
                self.loop(name, iterated, body)
            case ast.Return(None):
                self.returned(None)
                self.put("return;")
            case ast.Return(ast.expr() as given):
                value = self.whole(self.value(given))
                self.returned(value.type)
                self.put(f"return {self.cast(value, self.form.result)};")
            case ast.Break():
                self.put("break;")
            case ast.Continue():
                self.put("continue;")
            case _:
                raise self.refuse(statement)

    def returned(self, type: Type) -> None:
        form = self.form
        form.result = joined(form.result, type, "what it returns") if form.returns else type
        form.returns = True

    # --- ways

    def branch(self, statement: ast.If) -> None:
        self.put(f"if ({self.condition(statement.test)}) {{")
        self.inside(statement.body)
        while statement.orelse:
            orelse = statement.orelse
            if len(orelse) == 1 and isinstance(orelse[0], ast.If):
                with self.aside() as before:
                    condition = self.condition(orelse[0].test)
                if not before:
                    statement = orelse[0]
                    self.put(f"}} else if ({condition}) {{")
                    self.inside(statement.body)
                    continue
            self.put("} else {")
            self.inside(orelse)
            break
        self.put("}")

    def inside(self, statements: list[ast.stmt]) -> None:
        self.depth += 1
        self.statements(statements)
        self.depth -= 1

    def repeat(self, test: ast.expr, body: list[ast.stmt]) -> None:
        with self.aside(1) as before:
            condition = self.condition(test)
        with self.block("for (;;)" if before else f"while ({condition})"):
            if before:
                self.lines += before
                self.put(f"if (!({condition})) break;")
            self.statements(body)

    def loop(self, name: str, iterated: ast.expr, body: list[ast.stmt]) -> None:
        """A loop over a range, an array or a few numbers."""
        at = f"i_{self.temporary()[2:]}"
        if isinstance(iterated, ast.Call) and self.object_of(iterated.func) is range:
            given = self.many(iterated.args)
            if len(given) < 3 and is_filling(name, body):
                return self.fill(at, name, given, cast(ast.Assign, body[0]))
            head = self.range_of(at, given)
            item = Value("i64", at)
        else:
            value = self.value(iterated)
            if isinstance(value.type, ArrayType) and value.type.dims == 1:
                element = value.type.element
                value = value if value.text.isidentifier() else self.kept(value)
                head = f"for (int64_t {at} = 0; {at} < {value.text}.n0; {at}++)"
                item = Value(widened(element), widened_text(f"{value.text}.p[{at}]", element))
            elif value.parts is not None and all(one.is_constant for one in value.parts):
                table, kind, size = self.program.table(name, [one.constant for one in value.parts])
                head = f"for (int64_t {at} = 0; {at} < {size}; {at}++)"
                item = Value(kind, f"{table}[{at}]")
            else:
                raise self.refuse(iterated, "is not looped over")
        with self.block(head):
            self.name(name, item)
            self.statements(body)

    def fill(self, at: str, name: str, given: list[Value], statement: ast.Assign) -> None:
        """A loop that gives neighbours one number. Where the first and the last may be written, so may all between."""
        first, end = (self.kept(self.whole_number(one)) for one in (constant(0), *given)[-2:])
        last = Value("i64", f"({self.cast(end, 'i64')} - 1)")
        with self.block(f"if ({self.cast(first, 'i64')} <= {last.text})"):
            for spot in (first, last):
                self.name(name, spot)
                self.statement(statement)
            with self.block(f"for (int64_t {at} = {self.cast(first, 'i64')} + 1; {at} < {last.text}; {at}++)"):
                self.name(name, Value("i64", at))
                place, element = self.element(cast(ast.Subscript, statement.targets[0]), "W")
                self.put(f"R{place[1:]} = {self.cut(self.value(statement.value), element)};")
            self.name(name, last)

    def range_of(self, at: str, given: list[Value]) -> str:
        """The head of a loop over a range."""
        values = [self.whole_number(one) for one in given]
        if len(values) == 1:
            values.insert(0, constant(0))
        start, stop, step = values if len(values) == 3 else [*values, constant(1)]
        end, step = self.cast(self.kept(stop), "i64"), self.kept(step)
        by = self.cast(step, "i64")
        if step.is_constant:
            test = f"{at} {'<' if step.constant > 0 else '>'} {end}"
        else:
            test = f"({by} > 0 ? {at} < {end} : {at} > {end})"
        return f"for (int64_t {at} = {self.cast(start, 'i64')}; {test}; {at} += {by})"

    # --- assignments

    def assign(self, targets: list[ast.expr], given: ast.expr) -> None:
        several = any(isinstance(one, ast.Tuple) for one in targets)
        if isinstance(given, ast.Tuple) and several and not any(isinstance(x, ast.Starred) for x in given.elts):
            places = [x for t in targets for x in (t.elts if isinstance(t, ast.Tuple) else [t])]
            names = {x.id for x in places if isinstance(x, ast.Name)}
            value = Value(None, parts=self.many(given.elts))
            used = {x.id for x in ast.walk(given) if isinstance(x, ast.Name)}
            if len(targets) > 1 or len(names) < len(places) or used & names:
                value = self.kept(value)
        else:
            value = self.value(given)
            if len(targets) > 1 or any(self.writes(one) for one in targets):
                value = self.kept(value)
        for target in targets:
            self.store(target, value)

    def store(self, target: ast.expr, value: Value) -> None:
        match target:
            case ast.Name(name):
                self.name(name, value)
            case ast.Tuple(targets):
                if value.parts is None:
                    value = value if value.text.isidentifier() else self.kept(value)
                parts = self.fields(target, value)
                if len(parts) != len(targets):
                    raise self.refuse(target, "has another length")
                for one, part in zip(targets, parts, strict=True):
                    self.store(one, part)
            case ast.Subscript():
                place, element = self.element(target, "W")
                self.put(f"{place} = {self.cut(value, element)};")
            case _:
                raise self.refuse(target)

    def name(self, name: str, value: Value) -> None:
        value = self.whole(value)
        if value.type is None:
            raise NotC(f"`{name}` is given nothing")
        if name in self.parameters and isinstance(value.type, TupleType):
            raise NotC(f"`{name}` is a tuple that is replaced")
        known = self.variables.get(name)
        self.variables[name] = value.type if known is None else joined(known, value.type, f"`{name}`")
        self.put(f"{safe(name)} = {self.cast(value, self.variables[name])};")

    def augment(self, statement: ast.stmt, target: ast.expr, op: ast.operator, given: ast.expr) -> None:
        if isinstance(target, ast.Name):
            before = self.value(ast.copy_location(ast.Name(target.id, ast.Load()), statement))
            self.name(target.id, self.binary(statement, op, before, self.value(given)))
            return
        if not isinstance(target, ast.Subscript):
            raise self.refuse(statement)
        place, element = self.element(target, "W")
        before = Value(widened(element), widened_text(f"R{place[1:]}", element), reads=True)
        if self.writes(given):
            before = self.kept(before)
        self.put(f"{place} = {self.cut(self.binary(statement, op, before, self.value(given)), element)};")


def nothing(type: Type) -> str:
    """What a name holds before it has a value."""
    return "{0}" if isinstance(type, ArrayType | TupleType) else "0"


def ends(statements: list[ast.stmt]) -> bool:
    """Whether these never go on to what follows."""
    match statements[-1]:
        case ast.Return():
            return True
        case ast.If(_, body, orelse):
            return bool(orelse) and ends(body) and ends(orelse)
        case ast.While(ast.Constant(True), body):
            return not any(isinstance(x, ast.Break) for one in body for x in outside_loops(one))
    return False


def is_filling(name: str, body: list[ast.stmt]) -> bool:
    """Whether a loop only gives elements side by side the same number, found without a call or another element."""
    match body:
        case [ast.Assign([ast.Subscript(ast.Name(), place)], given)]:
            index = place.elts if isinstance(place, ast.Tuple) else [place]
            read = [*index, given]
            are_plain = not any(isinstance(one, ast.Subscript | ast.Call) for part in read for one in ast.walk(part))
            return are_plain and follows(name, index[-1]) and not any(map(partial(names, name), (*index[:-1], given)))
    return False


def follows(name: str, index: ast.expr) -> bool:
    """Whether an index is that of a loop, or something added to it."""
    match index:
        case ast.Name(id):
            return id == name
        case ast.BinOp(left, ast.Add(), right):
            return (follows(name, left) and not names(name, right)) or (follows(name, right) and not names(name, left))
    return False


def names(name: str, node: ast.expr) -> bool:
    """Whether it is named in an expression."""
    return any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(node))


def outside_loops(node: ast.AST) -> Iterator[ast.AST]:
    """A statement and what is in it, but for loops."""
    if not isinstance(node, ast.For | ast.While):
        yield node
        for one in ast.iter_child_nodes(node):
            yield from outside_loops(one)
