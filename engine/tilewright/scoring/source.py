"""Source: expressions of the intermediate form in, the same as Python source out.

The fast back end of what the tree walker does; `tests/test_back_ends.py` holds the two equal. A generated function
takes a scene `s` and gives the value. Truths, numbers and names are plain Python values, sets are tuples.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, assert_never

from tilewright.language.compiled.ir import (
    Apply,
    Conditional,
    Const,
    HasGroups,
    Ir,
    Lookup,
    Matches,
    PickedMembers,
    Quantifier,
    Term,
    Test,
    Var,
    WordCall,
    names_tiles,
)
from tilewright.language.vocabulary.declare import EXTREMES
from tilewright.language.vocabulary.words import WORDS
from tilewright.scoring import walker
from tilewright.scoring.scene import HandScene

Function = Callable[[HandScene], Any]
INFIX = {"+": "+", "-": "-", "*": "*", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
SETS = walker.SETS


class Writer:
    """Writes functions into one module of source; constants and helpers are its globals."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"w": walker, "WORDS": WORDS, "Fraction": Fraction}
        self.lines: list[str] = []

    def constant(self, value: Any) -> str:
        """A name for a value in the source; small literals stand for themselves."""
        if isinstance(value, bool | int | str) or value == ():
            return repr(value)
        name = f"k{len(self.names)}"
        self.names[name] = value
        return name

    def function(self, name: str, ir: Ir) -> None:
        """Write a function of a scene that gives the value of the expression."""
        self.lines += [f"def {name}(s):", f"    return {self.expression(ir)}"]

    def compiled(self) -> Mapping[str, Any]:
        """The functions, by name."""
        exec(compile("\n".join(self.lines), "<ruleset>", "exec"), self.names)
        return self.names

    # --- expressions

    def expression(self, ir: Ir, s: str = "s") -> str:
        """Python source of an expression, asked of the scene in variable `s`; letters are variables of their name."""
        match ir:
            case Const():
                return self.constant(walker.as_set(ir.value) if ir.type in SETS else ir.value)
            case Var():
                return f"v_{ir.name}"
            case Lookup():
                return self.word(ir, s)
            case Term():
                return self.term(ir, s)
            case WordCall():
                return self.call(ir, s)
            case Apply():
                return self.operator(ir, [self.expression(a, s) for a in ir.args], s)
            case Conditional():
                then, test, other = (self.expression(part, s) for part in (ir.then, ir.test, ir.other))
                return f"({then} if {test} else {other})"
            case Quantifier():
                return self.quantified(ir, s)
            case PickedMembers():
                test = self.expression(ir.test, f"{s}.of_seat(i)")
                return f"tuple(i for i in {self.expression(ir.seats, s)} if {test})"
            case HasGroups():
                return f"(w.first_match({self.constant(ir.cases)}, {s}, {self.letters(ir)}) is not None)"
            case Test():
                classes = ", ".join(f"frozenset({self.expression(c, s)})" for c in ir.classes)
                return f"w.TESTS[{ir.op!r}]({s}, [{classes}])"
            case Matches():
                return f"w.matches({self.constant(ir)}, {s})"
            case _:
                assert_never(ir)

    def letters(self, ir: Ir) -> str:
        """The letters that an expression uses, as a mapping."""
        used = sorted({node.name for node in walker.nodes(ir) if isinstance(node, Var)})
        return "{" + ", ".join(f"{name!r}: v_{name}" for name in used) + "}"

    def word(self, ir: Lookup, s: str) -> str:
        if ir.of is not None and ir.of.type not in ("seat", "seats"):
            return f"w.word_of_thing({self.constant(ir)}, {s}, {self.letters(ir)})"
        if ir.of is not None:
            there = self.word(Lookup(ir.type, ir.kind, ir.name), "there")
            return self.over_seats(ir.type, self.expression(ir.of, s), there, s)
        if ir.kind == "measure":
            return f"{s}.values.get({ir.name!r}, 0)"
        if ir.kind == "zone":
            return f"{s}.zone({ir.name!r}, {s}.seat)"
        if ir.kind in ("mark", "choice"):
            return f"w.mark({self.constant(ir)}, {s})"
        return f"{self.constant(WORDS[ir.name].ask)}({s})"

    def over_seats(self, type: str, seats: str, there: str, s: str) -> str:
        """The word asked of each of these seats: sets joined, a single value of the one seat."""
        answers = f"[{there} for there in map({s}.of_seat, {seats})]"
        if type in SETS:
            return f"tuple(m for a in {answers} for m in a)"
        return f"next(iter({answers}), {walker.empty(type)!r})"

    def term(self, ir: Term, s: str) -> str:
        if ir.of is not None:
            return self.over_seats(
                ir.type, self.expression(ir.of, s), self.term(Term(ir.type, ir.name, ir.body), "there"), s
            )
        body = self.expression(ir.body, s)
        known = " and ".join(f"{s}.knows({zone!r})" for zone in dict.fromkeys(walker.zones_in(ir.body)))
        value = f"({body} if {known} else {walker.empty(ir.type)!r})" if known else body
        return f"({ir.name!r} in {s}.situation.flags or {value})" if ir.type == "truth" else value

    def call(self, ir: WordCall, s: str) -> str:
        args = [self.expression(a, s) for a in ir.args]
        if ir.name in EXTREMES:
            return f"{ir.name}({', '.join(args)})"
        if ir.name not in WORDS or WORDS[ir.name].takes_seat(ir.args[0].type):
            return f"w.call({self.constant(ir)}, {s}, {self.letters(ir)})"
        return f"{self.constant(WORDS[ir.name].ask)}({', '.join([s, *args, *map(repr, walker.told_names(ir))])})"

    def operator(self, ir: Apply, args: list[str], s: str) -> str:
        if ir.op in ("and", "or"):
            return "(" + f" {ir.op} ".join(args) + ")" if args else repr(ir.op == "and")
        if ir.op == "not":
            return f"(not {args[0]})"
        if ir.op == "size":
            return f"len({args[0]})" if ir.args[0].type in SETS else f"len(w.as_set({args[0]}))"
        if ir.op == "tiles":
            return f"w.tiles_of({args[0]}, {s})"
        if ir.op in walker.OF_TILES and ir.args[0].type in walker.TILES:
            return self.of_tiles(ir, args, s)
        if ir.op in ("in", "not_in"):
            return f"(w.is_in({args[0]}, {args[1]}) is {ir.op == 'in'})"
        if ir.op in ("==", "!="):
            return self.equality(ir, args, s)
        if ir.type in ("number", "truth") and ir.op in INFIX:
            return f"({args[0]} {INFIX[ir.op]} {args[1]})"
        return f"w.OPERATORS[{ir.op!r}]({', '.join(args)})"

    def equality(self, ir: Apply, args: list[str], s: str) -> str:
        if ir.args[0].type in SETS:
            return f"(w.same({args[0]}, {args[1]}, {ir.args[0].type!r}) is {ir.op == '=='})"
        return f"({args[0]} {ir.op} {args[1]})"

    def of_tiles(self, ir: Apply, args: list[str], s: str) -> str:
        """A comparison of tiles; one with a named class, the usual case, needs few steps."""
        left, right = map(names_tiles, ir.args)
        if ir.op in ("in", "not_in") and isinstance(ir.args[1], Const):
            members = self.constant(frozenset(walker.as_set(ir.args[1].value)))
            return f"(w.in_class({args[0]}, {members}, {s}) is {ir.op == 'in'})"
        if left is None or right is None:
            return f"w.apply({self.constant(ir)}, {s}, {self.letters(ir)})"
        sides = [f"({arg}, ())" if named else f"((), {arg})" for arg, named in zip(args, (left, right), strict=True)]
        return f"w.OF_TILES[{ir.op!r}]({', '.join(sides)}, {s})"

    def quantified(self, ir: Quantifier, s: str) -> str:
        single = ir.domain.type not in ("number", "suits", "names")
        letter = f"v_{ir.letter}"
        loop = f"for {letter} in " + (
            f"zip({self.expression(ir.domain, s)})" if single else self.expression(ir.domain, s)
        )
        body = self.expression(ir.body, s)
        if ir.op in ("any", "all"):
            return f"{ir.op}(({body}) {loop})"
        if ir.op == "count":
            return f"sum(1 {loop} if {body})"
        if ir.op == "those":
            return f"tuple({letter}[0] {loop} if {body})" if single else f"tuple({letter} {loop} if {body})"
        if ir.op == "sum":
            return f"sum({body} {loop})"
        return f"{ir.op}(({body} {loop}), default=0)"


def functions(expressions: Mapping[str, Ir]) -> dict[str, Function]:
    """A compiled function of a scene for each expression."""
    writer = Writer()
    for name, ir in expressions.items():
        writer.function(name, ir)
    compiled = writer.compiled()
    return {name: compiled[name] for name in expressions}
