"""Where kernels are written: their syntax, which of them write into arrays, and what files a program is made from."""

import ast
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from tilewright.base.kernels import Entry, Operation


def plain_of(value: Any) -> FunctionType | None:
    """The function of a kernel or an entry as it is written; None for everything else."""
    if isinstance(value, Entry):
        value = value.plain
    elif not (isinstance(value, FunctionType) and value.__dict__.get("is_kernel")):
        return None
    return value if isinstance(value, FunctionType) else None


def operations_of(value: Any) -> tuple[Operation, ...]:
    """The operations of a table; none where it is something else."""
    return value if isinstance(value, tuple) and all(isinstance(one, Operation) for one in value) else ()


class Sources:
    """What was read of the files that kernels are written in."""

    def __init__(self) -> None:
        self.trees: dict[str, ast.Module] = {}
        self.bindings: dict[str, dict[str, list[ast.stmt]]] = {}
        self.files: set[Path] = set()  # whose text decides what a program does
        self.followed: set[tuple[str, str]] = set()
        self.writing: dict[Callable[..., Any], bool] = {}

    def tree(self, file: str) -> ast.Module:
        if file not in self.trees:
            self.trees[file] = ast.parse(Path(file).read_text(encoding="utf-8"))
        return self.trees[file]

    def of(self, function: FunctionType) -> ast.FunctionDef:
        """The syntax of a kernel."""
        name, file = function.__code__.co_name, function.__code__.co_filename
        self.files.add(Path(file))
        (found,) = (one for one in self.tree(file).body if isinstance(one, ast.FunctionDef) and one.name == name)
        return found

    def called(self, function: FunctionType, node: ast.AST) -> Iterator[FunctionType]:
        """The kernels that are called in a part of a kernel."""
        for one in ast.walk(node):
            if isinstance(one, ast.Call) and isinstance(one.func, ast.Name):
                found = plain_of(function.__globals__.get(one.func.id))
                if found is not None:
                    yield found
            elif isinstance(one, ast.Call) and isinstance(one.func, ast.Subscript):
                name = one.func.value.id if isinstance(one.func.value, ast.Name) else ""
                yield from (operation.plain for operation in operations_of(function.__globals__.get(name)))

    def writes(self, function: FunctionType) -> bool:
        """Whether a kernel, or one that it calls, writes into an array."""
        if function not in self.writing:
            seen, waiting, found = {function}, [function], False
            while waiting and not found:
                one = waiting.pop()
                tree = self.of(one)
                found = any(isinstance(x, ast.Subscript) and isinstance(x.ctx, ast.Store) for x in ast.walk(tree))
                for other in self.called(one, tree):
                    if other not in seen:
                        seen.add(other)
                        waiting.append(other)
            self.writing[function] = found
        return self.writing[function]

    # --- constants

    def follow(self, module: ModuleType, name: str) -> None:
        """Note the files that decide what a name of a module is."""
        file = getattr(module, "__file__", None)
        if file is None or (file, name) in self.followed or not module.__name__.startswith(PACKAGES):
            return
        self.followed.add((file, name))
        for statement in self.binding(file).get(name, ()):
            if isinstance(statement, ast.ImportFrom):
                self.follow_import(module, statement, name)
            else:
                self.files.add(Path(file))
                for one in ast.walk(statement):
                    if isinstance(one, ast.Name):
                        self.follow(module, one.id)

    def binding(self, file: str) -> dict[str, list[ast.stmt]]:
        """The statements of a module that give each of its names a value."""
        if file not in self.bindings:
            found = self.bindings[file] = dict[str, list[ast.stmt]]()
            for statement in self.tree(file).body:
                for name in bound(statement):
                    found.setdefault(name, []).append(statement)
        return self.bindings[file]

    def follow_import(self, module: ModuleType, statement: ast.ImportFrom, name: str) -> None:
        for alias in statement.names:
            source = sys.modules.get(statement.module or "")
            if (alias.asname or alias.name) == name and source is not None:
                self.files.add(Path(str(module.__file__)))
                self.follow(source, alias.name)


PACKAGES = ("tilewright.",)  # whose names are followed


def bound(statement: ast.stmt) -> set[str]:
    """The names that a statement of a module gives a value."""
    match statement:
        case ast.FunctionDef(name) | ast.ClassDef(name):
            return {name}
        case ast.ImportFrom(names=aliases):
            return {one.asname or one.name for one in aliases}
        case ast.Import():
            return set()
    return {one.id for one in ast.walk(statement) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
