"""Lowering: the tree of an expression, or the tests of a condition, in; its typed form out, and every mistake in it.

Names are resolved in a scope, types are checked, options are folded away, and conversions are explicit:
`size` for a set used as a number, `tiles` for groups or suits used as tiles. A mistake is reported once: anything that
depends on it has the type `any`, which fits everywhere.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import TypeVar

from tilewright.base.node import Node, Scalar
from tilewright.base.spelling import hint
from tilewright.language.compiled import ir as typed
from tilewright.language.compiled.ir import Ir
from tilewright.language.documents.fields import items
from tilewright.language.expressions import folding, templates, trees
from tilewright.language.expressions.folding import (
    GIVEN,
    MEMBERS,
    PLURALS,
    SIZES,
    TILES_LIKE,
    WANTED,
    compared,
    contained,
    converted,
    joined,
)
from tilewright.language.expressions.naming import ANY, MAX_LOOPS, Naming
from tilewright.language.expressions.scope import DIRECTIONS
from tilewright.language.expressions.syntax import SyntaxMistake, parse_expression, parse_span, parse_template
from tilewright.language.expressions.trees import Expression, Span
from tilewright.language.vocabulary.declare import QUANTIFIERS, STRATA, Word
from tilewright.language.vocabulary.words import WORDS, category

UNSURE = typed.Lookup("truth", "word", "")  # an unknown truth after a mistake
T = TypeVar("T")


def truth_alone(tree: trees.Compare, left: Ir) -> str:
    """The hint for a truth that is compared with a number."""
    truth = tree.left if left.type == "truth" else tree.right
    name = truth.id if isinstance(truth, trees.NameOf) else "x"
    return f"a truth stands alone: `{name}` or `not {name}`"


# --- lowering


@dataclass(slots=True)
class Lowering(Naming):
    """Lowers the text in one place, and collects its problems."""

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
            return self.fit(typed.Const("number", text.value), wanted, (0, len(text.text)))
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
        if isinstance(tree, trees.NameOf) and self.word(tree.id) is None:
            self.unknown(tree, [name for name, one in self.scope.words.items() if one.kind == "option"], "option")

    # --- types

    def wanted(self, tree: Expression, wanted: str) -> Ir:
        """An expression of a type, converted if it has to be."""
        if wanted == "suit" and isinstance(tree, trees.NameOf) and self.is_suit(tree):
            return typed.Const("suit", tree.id)
        found = self.fit(self.expression(tree), wanted, tree.span)
        if self.scope.note is not None and wanted == "truth" and self.text is not None:
            self.scope.note(found, self.text.at(tree.span[0], max(1, tree.span[1] - tree.span[0])))
        return found

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
            case trees.NumberLiteral(value):
                return typed.Const("number", value)
            case trees.TileCode():
                return self.tile(tree)
            case trees.NameOf():
                return self.name(tree)
            case trees.AttributeOf():
                return self.asked(tree)
            case trees.Picked():
                return self.picked(tree)
            case trees.Call():
                return self.call(tree)
            case trees.Quantified():
                return self.quantified(tree)
            case trees.Has():
                return self.has(tree)
            case trees.Not():
                return self.apply("truth", "not", tree.span, self.wanted(tree.operand, "truth"))
            case trees.And() | trees.Or():
                op = "and" if isinstance(tree, trees.And) else "or"
                return folding.apply("truth", op, *(self.wanted(one, "truth") for one in tree.operands))
            case trees.Choice():
                return self.choice(tree)
            case trees.Compare():
                return self.compare(tree)
            case trees.Member():
                return self.member(tree)
            case trees.Identity():
                return self.identity(tree)
            case trees.Negative():
                return self.apply("number", "neg", tree.span, self.wanted(tree.operand, "number"))
            case trees.Power():
                args = self.wanted(tree.base, "number"), self.wanted(tree.exponent, "number")
                return self.apply("number", "^", tree.span, *args)
            case trees.Arithmetic():
                return self.arithmetic(tree)

    def choice(self, tree: trees.Choice) -> Ir:
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

    def arithmetic(self, tree: trees.Arithmetic) -> Ir:
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

    def compare(self, tree: trees.Compare) -> Ir:
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
        if one.type in ("suit", "suits") and isinstance(right, trees.NameOf) and self.is_suit(right):
            return one, typed.Const("suit", right.id)
        if two.type in ("suit", "suits") and isinstance(left, trees.NameOf) and self.is_suit(left):
            return typed.Const("suit", left.id), two
        return one, two

    def named(self, subject: Expression, other: Expression) -> tuple[Ir, Ir] | None:
        """A comparison of a subject with one of its names; the name of a category may look like a number."""
        if isinstance(other, trees.NumberLiteral) and is_category(subject):
            other = trees.NameOf(str(other.value), other.span)
        if not isinstance(other, trees.NameOf) or other.id in self.bound:
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
        if isinstance(subject, trees.NameOf) and subject.id in self.scope.choices:
            setting = self.setting(subject.id)
            return typed.Const("name", str(setting.chosen) if setting else ""), typed.Const("name", other.id)
        if is_category(subject) and self.scope.categories and other.id not in self.scope.categories:
            self.unknown_category(other)
        return self.expression(subject), typed.Const("name", other.id)

    def unknown_category(self, name: trees.NameOf) -> None:
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
        if isinstance(subject, trees.NameOf) and subject.id not in self.bound and subject.id not in self.scope.letters:
            self.word(subject.id)  # which decides whether it is an option with choices
            return self.scope.choices.get(subject.id, values_of(subject))
        if isinstance(subject, trees.AttributeOf):
            return () if is_category(subject) else values_of(subject.words[-1])
        return None

    def member(self, tree: trees.Member) -> Ir:
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
        return typed.Apply("truth", "not_in" if tree.negated else "in", both)

    def identity(self, tree: trees.Identity) -> Ir:
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
        return typed.Apply("truth", "is_not" if tree.negated else "is", (left, right))

    # --- words after a dot

    def asked(self, tree: trees.AttributeOf) -> Ir:
        ir = self.expression(tree.of)
        for word in tree.words:
            if ir is ANY or ir.type == "any":
                return ANY
            ir = self.ask(ir, word)
        return ir

    def picked(self, tree: trees.Picked) -> Ir:
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
            if test.type != "truth" or not isinstance(test, typed.Lookup | typed.Term | typed.Const):
                return self.wrong(
                    "wrong-type",
                    f"{quality.id} is not a mark or term that is true or false: it cannot pick among {tree.seats.id}",
                    quality.span,
                    "an operator or a word such as `and` is missing between two words",
                )
            seats = typed.PickedMembers("seats", test, seats)
        return seats

    # --- calls

    def call(self, tree: trees.Call) -> Ir:
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

    def called(self, tree: trees.Call, word: Word, args: tuple[Ir, ...]) -> Ir:
        type = word.type
        if type == "same":
            type = MEMBERS.get(args[0].type, args[0].type)
        known = [arg.value for arg in args if isinstance(arg, typed.Const) and isinstance(arg.value, int | Fraction)]
        if word.told_by == "arguments" and len(known) == len(args):
            return typed.Const(type, word.ask(None, *known))
        return typed.WordCall(type, word.name, args)

    def type_of_name(self, name: trees.NameOf) -> str:
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

    def wrong_number(self, tree: trees.Call, word: Word) -> Ir:
        if not word.takes:
            return self.wrong("wrong-arguments", f"{word.name} takes no arguments", tree.word.span)
        plural = "argument" if len(word.takes) == 1 else "arguments"
        return self.wrong(
            "wrong-arguments",
            f"{word.name} takes {len(word.takes)} {plural}, not {len(tree.arguments)}",
            tree.span,
            f"as in `{word.example}`",
        )

    def towards(self, tree: trees.Call) -> Ir:
        """A direction that is not a constant: `way(seat)`."""
        if len(tree.arguments) != 1:
            return self.wrong(
                "wrong-arguments", f"{tree.word.id} takes 1 argument, not {len(tree.arguments)}", tree.span
            )
        way, seat = self.name(tree.word), self.wanted(tree.arguments[0], "seat")
        return ANY if seat is ANY else typed.WordCall("seat", "towards", (way, seat))

    def extreme(self, tree: trees.Call) -> Ir:
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
        known = [arg.value for arg in args if isinstance(arg, typed.Const) and isinstance(arg.value, int | Fraction)]
        if len(known) == len(args):
            return typed.Const("number", min(known) if tree.word.id == "min" else max(known))
        return typed.WordCall("number", tree.word.id, tuple(args))

    def count_of(self, tree: trees.Call) -> Ir:
        """`count` of a list: how many of these truths hold."""
        match tree.arguments:
            case (trees.Member(left=trees.NameOf(id=letter), span=span),) if (
                self.text is not None and letter not in self.visible()
            ):
                whole = f"count({self.text.text[slice(*span)]} for {letter} in tiles)"
                return self.wrong("needs-for", "count(...) needs `for`", tree.word.span, f"write `{whole}`")
        truths = [self.expression(argument) for argument in tree.arguments]
        if len(truths) == 1 and truths[0].type != "truth" and truths[0] is not ANY:
            return self.needs_for(tree.word)
        fitted = [self.fit(one, "truth", argument.span) for one, argument in zip(truths, tree.arguments, strict=True)]
        each = [folding.choice(one, typed.Const("number", 1), typed.Const("number", 0), "number") for one in fitted]
        return reduce(lambda one, other: folding.apply("number", "+", one, other), each)

    # --- quantifiers

    def quantified(self, tree: trees.Quantified) -> Ir:
        word, letter = tree.word, tree.letter
        if word.id not in QUANTIFIERS:
            return self.unknown(word, QUANTIFIERS, "quantifier")
        domain = self.expression(tree.domain)
        if domain.type == "group":  # one group is its tiles, several are groups
            domain = typed.Apply("tiles", "tiles", (domain,))
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
        return typed.Quantifier(result, word.id, letter.id, domain, body)

    def inside(self, tree: trees.Quantified, type: str, domain: Ir) -> Ir:
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

    # --- templates

    def has(self, tree: trees.Has) -> Ir:
        source = self.text.text if self.text else ""
        lines = [
            self.line(template, source[template.span[0] : template.span[1]], self.text) for template in tree.templates
        ]
        cases = templates.with_tiles(self.unfolded(lines))
        return typed.HasGroups(cases, source[tree.span[0] : tree.span[1]])

    def template_list(self, node: Node, in_form: bool = False) -> tuple[typed.WantedCase, ...]:
        """A list of templates of a document. In a form, `each` of a class without tiles needs nothing; elsewhere no
        hand has it."""
        lines = []
        for item in items(node):
            tree = self.parsed(item, parse_template) if isinstance(item, Scalar) else None
            if tree is not None and isinstance(item, Scalar):
                lines.append(self.line(tree, item.text, item))
        cases = self.unfolded(lines) if len(lines) == len(items(node)) else ()
        return templates.without_empty(cases) if in_form else templates.with_tiles(cases)

    def line(self, tree: trees.Template, text: str, scalar: Scalar | None) -> templates.TemplateLine:
        """A template, with the functions to report and lower its parts."""

        def report(code: str, message: str, span: Span, hint: str | None) -> None:
            self.text = scalar
            self.wrong(code, message, span, hint)

        def class_of(member: Expression) -> Ir:
            self.text = scalar
            return self.wanted(member, "tiles")

        return templates.TemplateLine(tree, text, report, class_of, dict(self.bound))

    def unfolded(self, lines: list[templates.TemplateLine]) -> tuple[typed.WantedCase, ...]:
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
    return isinstance(subject, trees.AttributeOf) and subject.words[-1].id == category.name


def values_of(name: trees.NameOf) -> tuple[str, ...] | None:
    """The names that a word may be, if it declares them."""
    word = WORDS.get(name.id)
    return tuple(word.values) if word is not None and word.values else None
