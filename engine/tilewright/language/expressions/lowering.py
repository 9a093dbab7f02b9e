"""Lowering: the tree of an expression, or the tests of a condition, in; its typed form out, and every mistake in it.

Names are resolved in a scope, types are checked, options are folded away, and conversions are explicit:
`size` for a set used as a number, `tiles` for groups or suits used as tiles. A mistake is reported once: anything that
depends on it has the type `any`, which fits everywhere.
"""

from collections.abc import Callable, Iterable
from collections.abc import Mapping as Map
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from typing import TypeVar

from tilewright.base.node import Node, Scalar
from tilewright.base.problem import Place, Problem, Severity
from tilewright.base.suggestion import hint
from tilewright.language.compiled.ir import (
    Apply,
    Const,
    HasGroups,
    Ir,
    Lookup,
    PickedMembers,
    Quantifier,
    Term,
    Var,
    WantedCase,
    WordCall,
    names_tiles,
)
from tilewright.language.compiled.ir import Conditional as IrChoice
from tilewright.language.documents.fields import items
from tilewright.language.documents.options import OptionSetting
from tilewright.language.expressions import folding, templates
from tilewright.language.expressions.scope import DIRECTIONS, Declared, Lookups, Scope
from tilewright.language.expressions.syntax import (
    And,
    Arithmetic,
    AttributeOf,
    Choice,
    Compare,
    Expression,
    Identity,
    Member,
    NameOf,
    Negative,
    Not,
    NumberLiteral,
    Or,
    Power,
    Span,
    SyntaxMistake,
    Template,
    TileCode,
    parse_expression,
    parse_span,
    parse_template,
)
from tilewright.language.expressions.syntax import Call as CallText
from tilewright.language.expressions.syntax import Has as HasText
from tilewright.language.expressions.syntax import Picked as PickedText
from tilewright.language.expressions.syntax import Quantified as QuantifiedText
from tilewright.language.expressions.tile_classes import is_of_rank, span_of
from tilewright.language.expressions.types import (
    GIVEN,
    MEMBERS,
    PLURALS,
    SIZES,
    TILES_LIKE,
    WANTED,
    as_tiles,
    asked_as,
    compared,
    contained,
    converted,
    joined,
    listed,
    of_many,
    way_out,
)
from tilewright.language.vocabulary.declare import QUANTIFIERS, STRATA, Word
from tilewright.language.vocabulary.words import WORDS, category

MAX_LOOPS = 4
MAX_COST = 10_000_000
ANY = Const("any", 0)
UNSURE = Lookup("truth", "word", "")  # an unknown truth after a mistake
SUITED = "suited"  # the class of every tile with a rank
T = TypeVar("T")

SIZE = "compare the set itself with a number: `hand == 14`"
# Words that authors write for others that look different.
MEANT = {
    **dict.fromkeys(("size", "length", "len"), SIZE),
    **dict.fromkeys(("contains", "contain", "includes"), "write `5s in hand` of a tile, `has(4 triplets)` of groups"),
    **dict.fromkeys(("true", "false", "yes", "no"), "a truth stands alone: `concealed` or `not concealed`"),
    "closed": "did you mean 'concealed'?",
}


def truth_alone(tree: Compare, left: Ir) -> str:
    """The hint for a truth that is compared with a number."""
    truth = tree.left if left.type == "truth" else tree.right
    name = truth.id if isinstance(truth, NameOf) else "x"
    return f"a truth stands alone: `{name}` or `not {name}`"


@dataclass(frozen=True, slots=True)
class TermBody:
    """A term once it is lowered: `highest` is the word of the highest stratum in it."""

    ir: Ir
    stratum: int = 0
    highest: str = ""
    loops: int = 0
    cost: int = 1
    depth: int = 1
    by_option: bool = False
    problems: tuple[Problem, ...] = ()


# --- lowering


@dataclass(slots=True)
class Lowering:
    """Lowers the text in one place and collects its problems. `bodies` finds the terms of a scope, lowered."""

    scope: Scope
    bodies: Callable[[Scope], Map[str, TermBody]]
    problems: list[Problem] = field(default_factory=list)
    text: Scalar | None = None
    start: int = 0  # of the text in the scalar
    bound: dict[str, str] = field(default_factory=dict)  # letters of quantifiers -> type
    domains: dict[str, Ir] = field(default_factory=dict)  # letters of quantifiers -> their domains
    loops: int = 0
    deepest: int = 0
    factor: int = 1
    cost: int = 0
    expensive: bool = False
    depth: int = 0
    stratum: int = 0
    highest: str = ""
    by_option: bool = False
    looked_up: Lookups = field(default_factory=Lookups)

    # --- names that are looked up

    def word(self, name: str) -> Declared | None:
        """The name of the whole that is so called."""
        found = self.looked_up.words[name] = self.scope.words.get(name)
        return found

    def setting(self, name: str) -> OptionSetting | None:
        """The setting of an option."""
        self.by_option = True
        found = self.looked_up.settings[name] = self.scope.settings.get(name)
        return found

    def body(self, name: str) -> TermBody | None:
        """A lowered term."""
        found = self.looked_up.terms[name] = self.bodies(self.scope).get(name)
        return found

    # --- problems

    def problem(
        self, code: str, message: str, place: Place | None, hint: str | None = None, severity: Severity = "error"
    ) -> Const:
        found = Problem(code, message, place, hint, severity)
        if found not in self.problems:
            self.problems.append(found)
        return ANY

    def wrong(
        self, code: str, message: str, span: Span, hint: str | None = None, severity: Severity = "error"
    ) -> Const:
        """A problem at some characters of the text."""
        place = None if self.text is None else self.text.at(span[0], max(1, span[1] - span[0]))
        return self.problem(code, message, place, hint, severity)

    def unknown(self, name: NameOf, known: Iterable[str], what: str = "word") -> Const:
        elsewhere = next((one for one in self.scope.declarations if one.name == name.id and one.owner), None)
        way_out = f"only {elsewhere.owner} has a word of this name" if elsewhere else None
        way_out = way_out or MEANT.get(name.id) or hint(name.id, known)
        if way_out and way_out.startswith("there is") and what == "word":
            way_out = None
        return self.wrong("unknown-word", f"unknown {what} {name.id!r}", name.span, way_out)

    # --- texts

    def of_scalar(self, node: Node, wanted: str) -> Ir:
        if isinstance(node, Scalar):
            return self.scalar(node, wanted)
        return self.problem("wrong-type", f"{WANTED.get(wanted, 'an expression')} is expected here", node.place)

    def scalar(self, text: Scalar, wanted: str) -> Ir:
        """A literal value, or the expression in a text."""
        self.text = text
        if isinstance(text.value, bool):
            return self.fit(folding.truth(text.value), wanted, (0, len(text.text)))
        if isinstance(text.value, int | Fraction):
            return self.fit(Const("number", text.value), wanted, (0, len(text.text)))
        tree = self.parsed(text, parse_expression)
        return ANY if tree is None else self.wanted(tree, wanted)

    def parsed(self, text: Scalar, parse: Callable[[str], T]) -> T | None:
        """The tree of a text; None after a mistake in its syntax."""
        self.text = text
        try:
            return parse(text.value if isinstance(text.value, str) else text.text)
        except SyntaxMistake as mistake:
            self.wrong("syntax", mistake.message, mistake.span, mistake.hint)
            return None

    def span(self, node: Node) -> tuple[Ir | None, Ir | None]:
        """The ends of a range of numbers; none if it is open."""
        if not isinstance(node, Scalar) or not isinstance(node.value, str):
            exact = self.scalar(node, "number") if isinstance(node, Scalar) else None
            return exact, exact
        tree = self.parsed(node, parse_span)
        ends = (tree.least, tree.most) if tree else (None, None)
        least, most = (None if end is None else self.wanted(end, "number") for end in ends)
        return least, most

    def option_named(self, node: Node) -> None:
        """Check the name of an option, whatever its value."""
        tree = self.parsed(node, parse_expression) if isinstance(node, Scalar) else None
        if isinstance(tree, NameOf) and self.word(tree.id) is None:
            self.unknown(tree, [name for name, one in self.scope.words.items() if one.kind == "option"], "option")

    # --- types

    def wanted(self, tree: Expression, wanted: str) -> Ir:
        """An expression of a type, converted if it has to be."""
        if wanted == "suit" and isinstance(tree, NameOf) and self.is_suit(tree):
            return Const("suit", tree.id)
        found = self.fit(self.expression(tree), wanted, tree.span)
        if self.scope.note is not None and wanted == "truth" and self.text is not None:
            self.scope.note(found, self.text.at(tree.span[0], max(1, tree.span[1] - tree.span[0])))
        return found

    def fit(self, ir: Ir, wanted: str, span: Span) -> Ir:
        fitted = converted(ir, wanted)
        if fitted is None:
            return self.wrong(
                "wrong-type",
                f"{WANTED[wanted]} is expected here, not {GIVEN.get(ir.type, ir.type)}",
                span,
                way_out(ir.type, wanted),
            )
        return fitted

    def apply(self, type: str, op: str, span: Span, *args: Ir) -> Ir:
        """An operator, folded; nothing if an operand is wrong."""
        if any(arg is ANY for arg in args):
            return ANY if type != "truth" else UNSURE
        try:
            return folding.apply(type, op, *args)
        except folding.FoldingMistake as mistake:
            return self.wrong("wrong-number", str(mistake), span)

    # --- expressions

    def expression(self, tree: Expression) -> Ir:
        self.cost += self.factor
        match tree:
            case NumberLiteral(value):
                return Const("number", value)
            case TileCode():
                return self.tile(tree)
            case NameOf():
                return self.name(tree)
            case AttributeOf():
                return self.asked(tree)
            case PickedText():
                return self.picked(tree)
            case CallText():
                return self.call(tree)
            case QuantifiedText():
                return self.quantified(tree)
            case HasText():
                return self.has(tree)
            case Not():
                return self.apply("truth", "not", tree.span, self.wanted(tree.operand, "truth"))
            case And() | Or():
                op = "and" if isinstance(tree, And) else "or"
                return folding.apply("truth", op, *(self.wanted(one, "truth") for one in tree.operands))
            case Choice():
                return self.choice(tree)
            case Compare():
                return self.compare(tree)
            case Member():
                return self.member(tree)
            case Identity():
                return self.identity(tree)
            case Negative():
                return self.apply("number", "neg", tree.span, self.wanted(tree.operand, "number"))
            case Power():
                args = self.wanted(tree.base, "number"), self.wanted(tree.exponent, "number")
                return self.apply("number", "^", tree.span, *args)
            case Arithmetic():
                return self.arithmetic(tree)

    def choice(self, tree: Choice) -> Ir:
        test, then, other = self.wanted(tree.test, "truth"), self.expression(tree.then), self.expression(tree.other)
        if ANY in (test, then, other):
            return ANY
        type = joined(then.type, other.type)
        if type is None:
            return self.cannot_mix(then, other, tree.span)
        return folding.choice(test, converted(then, type) or then, converted(other, type) or other, type)

    def cannot_mix(self, left: Ir, right: Ir, span: Span, way_out: str | None = None) -> Ir:
        return self.wrong(
            "cannot-compare",
            f"{GIVEN.get(left.type, left.type)} and {GIVEN.get(right.type, right.type)} cannot be compared or mixed",
            span,
            way_out,
        )

    def arithmetic(self, tree: Arithmetic) -> Ir:
        """From left to right; sums of tiles are tiles."""
        values = [self.expression(operand) for operand in tree.operands]
        tiles = all(value.type in TILES_LIKE for value in values) and tree.operators[0] in "+-"
        type = "tiles" if tiles else "number"
        args = [self.fit(value, type, operand.span) for value, operand in zip(values, tree.operands, strict=True)]
        result = args[0]
        for op, arg in zip(tree.operators, args[1:], strict=True):
            result = self.apply(type, "union" if tiles and op == "+" else op, tree.span, result, arg)
        return result

    # --- comparisons

    def compare(self, tree: Compare) -> Ir:
        if tree.operator not in ("==", "!="):
            left, right = self.expression(tree.left), self.expression(tree.right)
            if {left.type, right.type} == {"truth", "number"}:
                self.cannot_mix(left, right, tree.span, truth_alone(tree, left))
                return UNSURE
            left, right = self.fit(left, "number", tree.left.span), self.fit(right, "number", tree.right.span)
            return self.apply("truth", tree.operator, tree.span, left, right)
        named = self.named(tree.left, tree.right) or self.named(tree.right, tree.left)
        left, right = named or self.sides(tree.left, tree.right)
        if ANY in (left, right):
            return UNSURE
        both = compared(left, right)
        if both is None:
            is_truth = {left.type, right.type} == {"truth", "number"}
            self.cannot_mix(left, right, tree.span, truth_alone(tree, left) if is_truth else None)
            return UNSURE
        return self.apply("truth", tree.operator, tree.span, *both)

    def sides(self, left: Expression, right: Expression) -> tuple[Ir, Ir]:
        """Both sides; a name next to a suit is that of a suit."""
        one, two = self.expression(left), self.expression(right)
        if one.type in ("suit", "suits") and isinstance(right, NameOf) and self.is_suit(right):
            return one, Const("suit", right.id)
        if two.type in ("suit", "suits") and isinstance(left, NameOf) and self.is_suit(left):
            return Const("suit", left.id), two
        return one, two

    def named(self, subject: Expression, other: Expression) -> tuple[Ir, Ir] | None:
        """A comparison of a subject with one of its names; the name of a category may look like a number."""
        if isinstance(other, NumberLiteral) and is_category(subject):
            other = NameOf(str(other.value), other.span)
        if not isinstance(other, NameOf) or other.id in self.bound:
            return None
        names = self.names_of(subject)
        if names is None or (
            other.id not in names and (self.word(other.id) is not None or other.id in self.scope.letters)
        ):
            return None
        if names and other.id not in names:
            return self.expression(subject), self.wrong(
                "unknown-word", f"unknown word {other.id!r}", other.span, hint(other.id, names)
            )
        if isinstance(subject, NameOf) and subject.id in self.scope.choices:
            setting = self.setting(subject.id)
            return Const("name", str(setting.chosen) if setting else ""), Const("name", other.id)
        if is_category(subject) and self.scope.categories and other.id not in self.scope.categories:
            self.unknown_category(other)
        return self.expression(subject), Const("name", other.id)

    def unknown_category(self, name: NameOf) -> None:
        """A group that another card may have, but not the one in play."""
        self.wrong(
            "unknown-category",
            f"the card has no group of lines called {name.id}",
            name.span,
            hint(name.id, self.scope.categories),
            "warning",
        )

    def names_of(self, subject: Expression) -> tuple[str, ...] | None:
        """The names that a subject may be compared with: an option's choices, waits, categories of a card (any)."""
        if isinstance(subject, NameOf) and subject.id not in self.bound and subject.id not in self.scope.letters:
            self.word(subject.id)  # which decides whether it is an option with choices
            return self.scope.choices.get(subject.id, values_of(subject))
        if isinstance(subject, AttributeOf):
            return () if is_category(subject) else values_of(subject.words[-1])
        return None

    def member(self, tree: Member) -> Ir:
        left, right = self.sides(tree.left, tree.right)
        if ANY in (left, right):
            return UNSURE
        if right.type not in SIZES and right.type not in ("suit", "any"):
            self.wrong(
                "wrong-type",
                f"something with members is expected here, not {GIVEN.get(right.type, right.type)}",
                tree.right.span,
            )
            return UNSURE
        both = contained(left, right)
        if both is None:
            self.cannot_mix(left, right, tree.span)
            return UNSURE
        return Apply("truth", "not_in" if tree.negated else "in", both)

    def identity(self, tree: Identity) -> Ir:
        """`is`: both sides must be tiles on the table, since only these have an identity."""
        left, right = self.wanted(tree.left, "tile"), self.wanted(tree.right, "tile")
        if ANY in (left, right):
            return UNSURE
        for side, at in ((left, tree.left.span), (right, tree.right.span)):
            if not self.lies(side):
                self.wrong(
                    "kind-of-tile",
                    "`is` asks for the very same tile on the table, and this names only what kind of tile it is",
                    at,
                    "write `==`",
                )
                return UNSURE
        self.look("is", STRATA.index("play"), tree.span)
        return Apply("truth", "is_not" if tree.negated else "is", (left, right))

    def lies(self, ir: Ir) -> bool:
        """Whether the tiles of an expression are physical ones on the table, not only kinds."""
        match ir:
            case Lookup(kind="zone" | "choice"):
                return True
            case Apply(op="tiles", args=(inner,)):
                return inner.type in ("group", "groups")
            case Lookup(kind="word", name=name):
                return WORDS[name].lies
            case Var(name=name):
                return name in self.domains and self.lies(self.domains[name])
            case Term(body=body):
                return self.lies(body)
            case WordCall(name="first", args=(members,)) | Quantifier(op="those", domain=members):
                return self.lies(members)
            case IrChoice(then=then, other=other):
                return self.lies(then) and self.lies(other)
            case Apply(op="union", args=args):
                return all(map(self.lies, args))
        return False

    # --- names

    def is_suit(self, name: NameOf) -> bool:
        declared = self.word(name.id)
        return declared is not None and declared.section == "suits" and name.id not in self.bound

    def name(self, name: NameOf) -> Ir:
        """The meaning of a name here: a letter, a word of this place, a name of the whole, a word of the language."""
        if name.id in self.bound:
            type = self.bound[name.id]
            named = type == "tile" and bool(names_tiles(self.domains[name.id]))
            return Var(type, name.id, named)
        if name.id in self.scope.letters:
            return Lookup(self.scope.letters[name.id], "choice", name.id)
        if (declared := self.word(name.id)) is not None:
            return self.declared(declared, name, None)
        if name.id == SUITED:
            return self.tile_class(name.id)
        if name.id in DIRECTIONS:
            return Const("direction", name.id)
        if name.id in QUANTIFIERS:
            return self.needs_for(name)
        if (word := WORDS.get(name.id)) is None:
            if (tile := self.tile_called(name.id)) is not None:
                return tile
            return self.unknown(name, self.visible())
        if word.takes:
            return self.wrong("wrong-arguments", f"{name.id} needs arguments", name.span, f"as in `{word.example}`")
        if "seat" not in word.of:
            return self.wrong(
                "wrong-type", f"{name.id} is asked of {listed(word.of)}", name.span, f"as in `{word.example}`"
            )
        self.look(word.name, STRATA.index(word.stratum), name.span)
        return Lookup(word.type, "word", word.name)

    def visible(self) -> set[str]:
        return {*self.bound, *self.scope.visible(), *QUANTIFIERS, SUITED}

    def look(self, word: str, stratum: int, span: Span, term: str = "") -> None:
        """Check that nothing uses something decided later."""
        if stratum > self.stratum:
            self.stratum, self.highest = stratum, word
        if stratum > STRATA.index(self.scope.limit):
            through = f", as {term} does" if term else ""
            is_sum = (STRATA[stratum], self.scope.limit) == ("measure", "reading")
            self.wrong(
                "looks-up",
                f"{self.scope.subject or 'this'} may not look at {word}{through}",
                span,
                "only the `when` of a pattern may, and then the pattern counts last"
                if is_sum
                else "that is decided only later",
            )

    def declared(self, declared: Declared, name: NameOf, of: Ir | None) -> Ir:
        """A name of the whole, of given seats or of the default one."""
        match declared.kind:
            case "option":
                return self.option(declared, name)
            case "family" | "class" | "tile":
                return self.tiles_called(declared)
            case "term":
                return self.term(declared, name, of)
            case "measure":
                return self.measure(declared, name, of)
            case "zone" | "mark" | "choice":
                asked = of if declared.of == "seat" else None
                return Lookup(of_many(declared.type, asked), declared.kind, declared.name, asked)
        return Const("name", declared.name)

    def option(self, declared: Declared, name: NameOf) -> Ir:
        setting = self.setting(declared.name)
        if declared.type == "list":
            return self.wrong(
                "wrong-type", f"{name.id} is worth a list; it can only be compared with its choices", name.span
            )
        value = (
            setting.worth.value
            if setting and isinstance(setting.worth, Scalar)
            else setting.chosen
            if setting
            else None
        )
        if declared.type == "truth":
            return folding.truth(bool(value))
        if declared.type == "name":
            return Const("name", str(value))
        return Const("number", value if isinstance(value, int | Fraction) else 0)

    def term(self, declared: Declared, name: NameOf, of: Ir | None) -> Ir:
        body = self.body(declared.name)
        if body is None or body.ir.type == "any":
            return ANY
        self.look(body.highest, body.stratum, name.span, f"the term {declared.name}")
        self.deepest = max(self.deepest, self.loops + body.loops)
        self.check_cost(body.cost * self.factor, name.span)
        self.depth = max(self.depth, body.depth)
        self.by_option = self.by_option or body.by_option
        if self.loops + body.loops > MAX_LOOPS:
            self.too_many_loops(name.span)
        if isinstance(body.ir, Const) and body.ir.type in ("truth", "number"):
            return body.ir
        return Term(of_many(body.ir.type, of), declared.name, body.ir, of)

    def measure(self, declared: Declared, name: NameOf, of: Ir | None) -> Ir:
        self.look(declared.name, STRATA.index("measure"), name.span)
        if self.scope.measures is not None and declared.name not in self.scope.measures:
            return self.wrong(
                "looks-up", f"{self.scope.subject} may look only at measures before it, not at {name.id}", name.span
            )
        return Lookup("number", "measure", declared.name, of)

    # --- tiles

    def tile(self, tree: TileCode) -> Ir:
        found = self.tile_called(tree.code)
        if found is not None:
            return found
        return self.wrong("unknown-tile", f"no tile is written {tree.code!r}", tree.span)

    def tile_called(self, code: str) -> Const | None:
        """The tile of a code; without a tile set, whatever a suit may have is one."""
        if self.scope.tiles is None:
            return (
                Const("tile", ()) if code[-1:] in self.scope.suits and len(code) > 1 and code[:-1].isdigit() else None
            )
        tile = self.scope.tiles.by_code(code)
        index = tile.index if tile else self.scope.tiles.aliases.get(code)
        if index is None:
            return None
        found = self.scope.tiles.tiles[index]
        return Const("tile", (index if found.marks else found.plain,))

    def tiles_called(self, declared: Declared) -> Ir:
        """The tiles of a code, family or class; none for what `if` removed."""
        if declared.kind == "tile":
            return self.tile_called(declared.name) or Const("tile", ())
        return self.tile_class(declared.name)

    def tile_class(self, name: str) -> Ir:
        found = self.scope.tiles.classes.get(name) if self.scope.tiles else None
        if found is None:
            return Const("tiles", ())
        words = [self.word_of_class(word) for word in found.words]
        return folding.apply("tiles", "union", Const("tiles", tuple(sorted(found.tiles))), *words)

    def word_of_class(self, name: str) -> Ir:
        """Tiles known only at the table: a word, a mark or a term."""
        return self.fit(self.name(NameOf(name)), "tiles", (0, 1))

    def classes(self, node: Node | None) -> tuple[Ir, ...]:
        """Each class of a list: names, codes and ranks. Unknown names are reported when names are linked."""
        return tuple(self.class_item(item) for item in items(node) if isinstance(item, Scalar))

    def class_item(self, item: Scalar) -> Ir:
        self.text = item
        name = item.text
        if name == SUITED:
            return self.tile_class(name)
        if (declared := self.word(name)) is not None and not isinstance(item.value, int):
            return as_tiles(self.declared(declared, NameOf(name, (0, len(name))), None))
        if (tile := self.tile_called(name)) is not None and not isinstance(item.value, int):
            return as_tiles(tile)
        if (ranks := span_of(item)) is not None and self.scope.tiles is not None:
            return Const("tiles", tuple(tile.index for tile in self.scope.tiles.tiles if is_of_rank(tile, *ranks)))
        return self.word_of_class(name) if name in WORDS else Const("tiles", ())

    # --- words after a dot

    def asked(self, tree: AttributeOf) -> Ir:
        ir = self.expression(tree.of)
        for word in tree.words:
            if ir is ANY or ir.type == "any":
                return ANY
            ir = self.ask(ir, word)
        return ir

    def ask(self, of: Ir, name: NameOf) -> Ir:
        """A word of a seat, of seats, of tiles or of groups."""
        declared, word = self.word(name.id), WORDS.get(name.id)
        follows = word is not None and word.leaves_name and of.type not in ("seat", "seats")
        if declared is not None and declared.kind in ("zone", "mark", "term", "measure", "choice") and not follows:
            if of.type not in ("seat", "seats"):
                return self.wrong(
                    "wrong-type", f"{name.id} is asked of a seat, not of {GIVEN.get(of.type, of.type)}", name.span
                )
            return self.of_one(self.declared(declared, name, of), of, name)
        if word is None:
            known = [one for one, two in WORDS.items() if not two.takes and asked_as(of, two)]
            if of.type in ("seat", "seats"):
                known += [
                    one
                    for one, two in self.scope.words.items()
                    if two.kind in ("zone", "mark", "term", "measure", "choice")
                ]
            return self.unknown(name, known)
        if word.takes:
            return self.wrong("wrong-arguments", f"{name.id} cannot follow a dot", name.span, f"as in `{word.example}`")
        asked = asked_as(of, word)
        if asked is None:
            return self.wrong(
                "wrong-type",
                f"{name.id} is asked of {listed(word.of)}, not of {GIVEN.get(of.type, of.type)}",
                name.span,
                f"write `{name.id}` alone, or ask a seat: `winner.{name.id}`" if "seat" in word.of else None,
            )
        self.look(word.name, STRATA.index(word.stratum), name.span)
        return self.of_one(Lookup(of_many(word.type, asked), "word", word.name, asked), asked, name)

    def of_one(self, ir: Ir, of: Ir, name: NameOf) -> Ir:
        """Several seats, or tiles, have no single number or truth."""
        if of.type in ("seats", "tiles") and ir.type in ("number", "truth", "name", "suit", "direction"):
            one = MEMBERS[of.type]
            return self.wrong(
                "wrong-type",
                f"{name.id} applies to one {one} at a time",
                name.span,
                f"as in any(s.{name.id} ... for s in S)" if one == "seat" else f"as in sum(t.{name.id} for t in S)",
            )
        return ir

    def picked(self, tree: PickedText) -> Ir:
        """`ready seats`: truths of a seat, before a word for seats."""
        seats = self.name(tree.seats)
        if seats is not ANY and seats.type not in ("seat", "seats", "any"):
            return self.wrong(
                "picks-only-seats",
                f"only seats can be picked this way, not {GIVEN.get(seats.type, seats.type)}",
                tree.span,
                "an operator or a word such as `and` is missing between two words",
            )
        for quality in reversed(tree.qualities):
            test = self.name(quality)
            if test is ANY or seats is ANY:
                return ANY
            if test.type != "truth" or not isinstance(test, Lookup | Term | Const):
                return self.wrong(
                    "wrong-type",
                    f"{quality.id} is not a mark or term that is true or false: it cannot pick among {tree.seats.id}",
                    quality.span,
                    "an operator or a word such as `and` is missing between two words",
                )
            seats = PickedMembers("seats", test, seats)
        return seats

    # --- calls

    def needs_for(self, name: NameOf) -> Ir:
        return self.wrong("needs-for", f"{name.id}(...) needs `for`", name.span, f"write {name.id}(e for x in S)")

    def call(self, tree: CallText) -> Ir:
        name = tree.word
        if name.id in ("min", "max"):
            return self.extreme(tree)
        if name.id == "count" and tree.arguments:
            return self.count_of(tree)
        if name.id in QUANTIFIERS:
            return self.needs_for(name)
        if self.type_of_name(name) == "direction" and name.id not in DIRECTIONS:
            return self.towards(tree)
        word = WORDS.get(name.id)
        if word is None or name.id in self.scope.letters:
            if name.id in self.visible():
                declared = self.word(name.id)
                as_class = f"ask `t in {name.id}` of tiles, as in `count(t in {name.id} for t in tiles)`"
                way_out = as_class if declared is not None and declared.type == "tiles" else None
                return self.wrong("wrong-arguments", f"{name.id} takes no arguments", name.span, way_out)
            return self.unknown(name, [one for one, two in WORDS.items() if two.takes] + list(QUANTIFIERS))
        if len(tree.arguments) != len(word.takes):
            return self.wrong_number(tree, word)
        args = [self.argument(argument, takes) for argument, takes in zip(tree.arguments, word.takes, strict=True)]
        if any(arg is ANY for arg in args):
            return ANY
        self.look(word.name, STRATA.index(word.stratum), name.span)
        return self.called(tree, word, tuple(args))

    def called(self, tree: CallText, word: Word, args: tuple[Ir, ...]) -> Ir:
        type = word.type
        if type == "same":
            type = MEMBERS.get(args[0].type, args[0].type)
        known = [arg.value for arg in args if isinstance(arg, Const) and isinstance(arg.value, int | Fraction)]
        if word.told_by == "arguments" and len(known) == len(args):
            return Const(type, word.ask(None, *known))
        return WordCall(type, word.name, args)

    def type_of_name(self, name: NameOf) -> str:
        declared = self.word(name.id)
        return self.bound.get(name.id) or self.scope.letters.get(name.id) or (declared.type if declared else "")

    def argument(self, tree: Expression, takes: str) -> Ir:
        """An argument of one of several types."""
        ir = self.expression(tree)
        if ir.type in takes.split("|"):
            return ir
        for wanted in takes.split("|"):
            if (fitted := converted(ir, wanted)) is not None:
                return fitted
        names = " or ".join(WANTED[wanted] for wanted in takes.split("|"))
        one_by_one = "write `sum(e for t in S)` with e of a single t, or count tiles: `count(t in S for t in tiles)`"
        return self.wrong(
            "wrong-type",
            f"{names} is expected here, not {GIVEN.get(ir.type, ir.type)}",
            tree.span,
            one_by_one if (ir.type, takes) == ("tiles", "tile") else None,
        )

    def wrong_number(self, tree: CallText, word: Word) -> Ir:
        if not word.takes:
            return self.wrong("wrong-arguments", f"{word.name} takes no arguments", tree.word.span)
        plural = "argument" if len(word.takes) == 1 else "arguments"
        return self.wrong(
            "wrong-arguments",
            f"{word.name} takes {len(word.takes)} {plural}, not {len(tree.arguments)}",
            tree.span,
            f"as in `{word.example}`",
        )

    def towards(self, tree: CallText) -> Ir:
        """A direction that is not a constant: `way(seat)`."""
        if len(tree.arguments) != 1:
            return self.wrong(
                "wrong-arguments", f"{tree.word.id} takes 1 argument, not {len(tree.arguments)}", tree.span
            )
        way, seat = self.name(tree.word), self.wanted(tree.arguments[0], "seat")
        return ANY if seat is ANY else WordCall("seat", "towards", (way, seat))

    def extreme(self, tree: CallText) -> Ir:
        """`min` and `max` of a list."""
        if not tree.arguments:
            return self.wrong(
                "wrong-arguments", f"{tree.word.id} takes numbers", tree.span, f"write {tree.word.id}(a, b)"
            )
        if len(tree.arguments) == 1:
            return self.needs_for(tree.word)
        args = [self.wanted(argument, "number") for argument in tree.arguments]
        if any(arg is ANY for arg in args):
            return ANY
        known = [arg.value for arg in args if isinstance(arg, Const) and isinstance(arg.value, int | Fraction)]
        if len(known) == len(args):
            return Const("number", min(known) if tree.word.id == "min" else max(known))
        return WordCall("number", tree.word.id, tuple(args))

    def count_of(self, tree: CallText) -> Ir:
        """`count` of a list: how many of these truths hold."""
        match tree.arguments:
            case (Member(left=NameOf(id=letter), span=span),) if self.text is not None and letter not in self.visible():
                whole = f"count({self.text.text[slice(*span)]} for {letter} in tiles)"
                return self.wrong("needs-for", "count(...) needs `for`", tree.word.span, f"write `{whole}`")
        truths = [self.expression(argument) for argument in tree.arguments]
        if len(truths) == 1 and truths[0].type != "truth" and truths[0] is not ANY:
            return self.needs_for(tree.word)
        fitted = [self.fit(one, "truth", argument.span) for one, argument in zip(truths, tree.arguments, strict=True)]
        each = [folding.choice(one, Const("number", 1), Const("number", 0), "number") for one in fitted]
        return reduce(lambda one, other: folding.apply("number", "+", one, other), each)

    # --- quantifiers

    def quantified(self, tree: QuantifiedText) -> Ir:
        word, letter = tree.word, tree.letter
        if word.id not in QUANTIFIERS:
            return self.unknown(word, QUANTIFIERS, "quantifier")
        domain = self.expression(tree.domain)
        if domain.type == "group":  # one group is its tiles, several are groups
            domain = Apply("tiles", "tiles", (domain,))
        type = MEMBERS.get(domain.type, domain.type if domain.type in SIZES else "any")
        if domain is not ANY and type == "any" and domain.type != "any":
            domain = self.wrong(
                "wrong-type", f"a set is expected here, not {GIVEN.get(domain.type, domain.type)}", tree.domain.span
            )
        if (
            letter.id in self.bound
            or self.word(letter.id) is not None
            or (letter.id in WORDS and not WORDS[letter.id].leaves_name)
            or letter.id in self.scope.letters
        ):
            return self.wrong(
                "taken-name", f"{letter.id} already means something else", letter.span, "use another letter"
            )
        body = self.inside(tree, type, domain)
        if ANY in (domain, body):
            return UNSURE if word.id in ("any", "all") else ANY
        result = {"any": "truth", "all": "truth", "those": PLURALS.get(domain.type, domain.type)}.get(word.id, "number")
        return Quantifier(result, word.id, letter.id, domain, body)

    def inside(self, tree: QuantifiedText, type: str, domain: Ir) -> Ir:
        """The body of a quantifier, with its letter bound."""
        before = self.bound, self.domains, self.factor
        self.bound = {**self.bound, tree.letter.id: type}
        self.domains = {**self.domains, tree.letter.id: domain}
        self.factor *= SIZES.get(domain.type, 1)
        self.loops += 1
        self.deepest = max(self.deepest, self.loops)
        if self.loops > MAX_LOOPS:
            self.too_many_loops(tree.span)
        body = self.wanted(tree.body, "truth" if tree.word.id in ("any", "all", "count", "those") else "number")
        self.check_cost(0, tree.span)
        self.loops -= 1
        self.bound, self.domains, self.factor = before
        return body

    def too_many_loops(self, span: Span) -> None:
        self.expensive = True  # one mistake, one problem
        self.wrong("too-deep", f"quantifiers are nested at most {MAX_LOOPS} deep, terms included", span)

    def check_cost(self, more: int, span: Span) -> None:
        """Check that every expression takes a bounded number of steps."""
        self.cost += more
        if self.cost > MAX_COST and not self.expensive:
            self.expensive = True
            self.wrong("too-much-work", "this may take too many steps", span, "nest fewer quantifiers over tiles")

    # --- templates

    def has(self, tree: HasText) -> Ir:
        source = self.text.text if self.text else ""
        lines = [
            self.line(template, source[template.span[0] : template.span[1]], self.text) for template in tree.templates
        ]
        cases = templates.with_tiles(self.unfolded(lines))
        return HasGroups(cases, source[tree.span[0] : tree.span[1]])

    def template_list(self, node: Node, in_form: bool = False) -> tuple[WantedCase, ...]:
        """A list of templates of a document. In a form, `each` of a class without tiles needs nothing; elsewhere no
        hand has it."""
        lines = []
        for item in items(node):
            tree = self.parsed(item, parse_template) if isinstance(item, Scalar) else None
            if tree is not None and isinstance(item, Scalar):
                lines.append(self.line(tree, item.text, item))
        cases = self.unfolded(lines) if len(lines) == len(items(node)) else ()
        return templates.without_empty(cases) if in_form else templates.with_tiles(cases)

    def line(self, tree: Template, text: str, scalar: Scalar | None) -> templates.TemplateLine:
        """A template, with the functions to report and lower its parts."""

        def report(code: str, message: str, span: Span, hint: str | None) -> None:
            self.text = scalar
            self.wrong(code, message, span, hint)

        def class_of(member: Expression) -> Ir:
            self.text = scalar
            return self.wanted(member, "tiles")

        return templates.TemplateLine(tree, text, report, class_of, dict(self.bound))

    def unfolded(self, lines: list[templates.TemplateLine]) -> tuple[WantedCase, ...]:
        if not lines:
            return ()
        if self.scope.tiles is not None and self.scope.groups is not None:
            return templates.unfold(lines, self.scope.tiles, self.scope.groups)
        templates.check(
            lines, [name for name, one in self.scope.words.items() if one.kind == "group"], self.scope.suits.values()
        )
        return ()


def is_category(subject: Expression) -> bool:
    """Whether it is the word for the group of lines of a hand on a card: the other side is the name of one."""
    return isinstance(subject, AttributeOf) and subject.words[-1].id == category.name


def values_of(name: NameOf) -> tuple[str, ...] | None:
    """The names that a word may be, if it declares them."""
    word = WORDS.get(name.id)
    return tuple(word.values) if word is not None and word.values else None
