"""Evaluation: an expression or a condition of a ruleset with the value of each of its parts, in each reading of a hand.

In: a ruleset with its documents, a text as rules have it, and a case. Out: data for people; prints nothing. The plain
way, over the tree walker, as patterns are judged.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tilewright.base.document import parse
from tilewright.base.node import Entry, Node, Scalar, Sequence
from tilewright.base.node import Mapping as MappingNode
from tilewright.base.problem import Problem, RulesetError, Source, has_errors
from tilewright.language.compiled.ir import Const, Ir, names_tiles
from tilewright.language.documents.fields import section
from tilewright.language.documents.shape import check_shape
from tilewright.language.documents.whole import MergedRuleset
from tilewright.language.expressions import trees
from tilewright.language.expressions.folding import MEMBERS
from tilewright.language.expressions.lower import lower, lower_condition, term_bodies
from tilewright.language.expressions.lowering import Lowering
from tilewright.language.expressions.scope import Scope, declare
from tilewright.language.expressions.syntax import SyntaxMistake, parse_expression
from tilewright.language.expressions.trees import Expression
from tilewright.scoring.case import read_case
from tilewright.scoring.case_hands import seat_names
from tilewright.scoring.case_mistakes import bounded
from tilewright.scoring.explain import part_texts
from tilewright.scoring.plain.judge import Verdict
from tilewright.scoring.plain.scene import HandScene
from tilewright.scoring.plain.walker import as_set, evaluate
from tilewright.scoring.rules import ScoringRules
from tilewright.scoring.score import show_number
from tilewright.tiles.notation import write_group, write_tile, write_tiles

MOST_READINGS = 20
MOST_MEMBERS = 60  # of a set, shown one by one
MOST_DEPTH = 30
MOST_PARTS = 2_000  # of one expression in one reading
JUNCTIONS = ("all", "any", "none")  # tests with a list of conditions
PATTERN = parse(
    Source("a pattern", "{tilewright: 2, kind: ruleset, id: a, name: A, patterns: {asked: {name: A, when: true}}}")
)
Letters = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PartValue:
    """A part of an expression as it is written, with its value as a text: `yes` and `no`, a number, tiles, seats.
    `parts`: those it is made of."""

    text: str
    value: str
    parts: tuple["PartValue", ...] = ()


@dataclass(frozen=True, slots=True)
class ReadingValue:
    """The expression in one reading of the hand; the best one comes first."""

    reading: tuple[str, ...]
    form: str
    whole: PartValue


def evaluate_in_hand(
    rules: ScoringRules, whole: MergedRuleset, text: str, case: Mapping[str, Any]
) -> tuple[ReadingValue, ...]:
    """The expression in each reading of the case's hand; in a hand without one, as far as that can be told. Raises
    RulesetError for a mistake in the text, CaseError for one in the case."""
    with bounded():
        there = rules.at_table(case)
        data = there.data
        scope = declare(whole, data.tiles, data.groups)
        node = node_of(text)
        if problems := list(mistakes(node, scope)):
            raise RulesetError(problems)
        situation = read_case(data, case)
        verdicts = sorted(there.judge.verdicts(situation), key=there.judge.rank, reverse=True)
        scenes = [with_values(verdict) for verdict in verdicts[:MOST_READINGS]] or [there.judge.scene(situation)]
        return tuple(reading_value(scene, Workings(scope, scene), node) for scene in scenes)


def node_of(text: str) -> Node:
    """The text as a document has it: a mapping of tests in braces, else an expression."""
    source = Source("the expression", text)
    if text.lstrip().startswith("{"):
        return parse(source)
    return Scalar(text, text, source.place(0, len(text)))


def mistakes(node: Node, scope: Scope) -> Iterator[Problem]:
    """The errors of an expression, or of a condition as a pattern has it."""
    if isinstance(node, Scalar):
        found = lower(node, "value", scope)[1]
    else:
        pattern = section(PATTERN, "patterns", "asked")
        condition = MappingNode({**pattern.entries, "when": Entry(pattern.key("when"), node)}, pattern.place)
        patterns = MappingNode({"asked": Entry(pattern.key("when"), condition)}, pattern.place)
        document = MappingNode({**PATTERN.entries, "patterns": Entry(PATTERN.key("patterns"), patterns)}, node.place)
        found = list(check_shape(document)) or lower_condition(node, scope)[1]
    yield from (one for one in found if one.severity == "error")


def with_values(verdict: Verdict) -> HandScene:
    return replace(verdict.scene, values=verdict.values)


def reading_value(scene: HandScene, workings: "Workings", node: Node) -> ReadingValue:
    if scene.reading is None:
        return ReadingValue((), "", workings.of_node(node))
    return ReadingValue(part_texts(scene.data, scene.parts), scene.reading.form, workings.of_node(node))


@dataclass(frozen=True, slots=True)
class Workings:
    """Values of an expression and its parts in one scene. `bound`, `domains`, `letters`: of quantifiers around it."""

    scope: Scope
    scene: HandScene
    text: str = ""
    bound: Mapping[str, str] = field(default_factory=dict)
    domains: Mapping[str, Ir] = field(default_factory=dict)
    letters: Letters = field(default_factory=dict)
    depth: int = 0
    told: Counter[str] = field(default_factory=Counter)  # how many parts so far

    # --- conditions

    def of_node(self, node: Node) -> PartValue:
        if isinstance(node, Scalar):
            found = replace(self, text=str(node.text)).of_text(node)
            return found if found is not None else PartValue(node.text, "")
        lines = node.entries.values() if isinstance(node, MappingNode) else ()
        return PartValue(written(node), self.said_of_condition(node), tuple(self.of_line(line) for line in lines))

    def of_line(self, entry: Entry) -> PartValue:
        """One test of a condition, with the expression in it if it has one."""
        alone = MappingNode({entry.key.text: entry}, entry.key.place)
        inner: tuple[PartValue, ...] = ()
        if entry.key.text == "test" and isinstance(entry.value, Scalar):
            inner = (self.of_node(entry.value),)
        elif entry.key.text in JUNCTIONS and isinstance(entry.value, Sequence):
            inner = tuple(map(self.of_node, entry.value.items))
        return PartValue(f"{entry.key.text}: {written(entry.value)}", self.said_of_condition(alone), inner)

    def said_of_condition(self, node: Node) -> str:
        ir, _ = lower_condition(node, self.scope)
        return "" if ir is None else self.said(evaluate(ir, self.scene, self.letters), ir)

    # --- expressions

    def of_text(self, node: Scalar) -> PartValue | None:
        try:
            return self.of_tree(parse_expression(node.text))
        except SyntaxMistake:
            return None  # not an expression, as the tests of a condition may be

    def of_tree(self, tree: Expression) -> PartValue | None:
        """A part with its parts; nothing for what has no value by itself, as the name of a form."""
        ir = self.lowered(tree)
        self.told["parts"] += 1
        if ir is None or self.depth > MOST_DEPTH or self.told["parts"] > MOST_PARTS:
            return None
        value = self.said(evaluate(ir, self.scene, self.letters), ir)
        return PartValue(self.text[slice(*tree.span)], value, tuple(replace(self, depth=self.depth + 1).inside(tree)))

    def lowered(self, tree: Expression) -> Ir | None:
        lowering = Lowering(self.scope, term_bodies, bound=dict(self.bound), domains=dict(self.domains))
        ir = lowering.expression(tree)
        return None if has_errors(lowering.problems) or ir.type == "any" else ir

    def inside(self, tree: Expression) -> Iterator[PartValue]:
        if isinstance(tree, trees.NameOf):
            yield from self.of_term(tree)
        yield from (found for part in parts_of(tree) if self.tells(part) and (found := self.of_tree(part)) is not None)
        if isinstance(tree, trees.Quantified):
            yield from self.members(tree)

    def tells(self, part: Expression) -> bool:
        """Whether the value of a part is worth a line: not of a number, a tile or a letter, nor of a name that is the
        same for each member of a set."""
        match part:
            case trees.NumberLiteral() | trees.TileCode():
                return False
            case trees.NameOf(id=name) if name in self.bound:
                return False
            case trees.NameOf() if self.bound:
                return not isinstance(self.lowered(part), Const)
        return True

    def members(self, tree: trees.Quantified) -> Iterator[PartValue]:
        """The body of a quantifier for each member of its set."""
        domain = self.lowered(tree.domain)
        if domain is None:
            return
        letter, single = tree.letter.id, domain.type not in ("number", "suits", "names")
        type = MEMBERS.get(domain.type, domain.type)
        seen = set()
        for member in as_set(evaluate(domain, self.scene, self.letters))[:MOST_MEMBERS]:
            value = (member,) if single else member
            named = self.said(value, domain)
            if named in seen:
                continue
            seen.add(named)
            within = replace(
                self,
                bound={**self.bound, letter: type},
                domains={**self.domains, letter: domain},
                letters={**self.letters, letter: value},
            )
            body = within.of_tree(tree.body)
            if body is not None:
                yield PartValue(f"{letter} = {named}: {body.text}", body.value, body.parts)

    def of_term(self, tree: trees.NameOf) -> Iterator[PartValue]:
        """What a term of the ruleset is."""
        declared = self.scope.words.get(tree.id)
        if declared is None or declared.section != "terms" or declared.node is None or tree.id in self.bound:
            return
        body = declared.node.get("is") if isinstance(declared.node, MappingNode) else declared.node
        if body is not None and not (isinstance(body, Scalar) and body.value is None):
            yield replace(self, bound={}, domains={}).of_node(body)

    # --- values

    def said(self, value: Any, ir: Ir) -> str:
        """A value as a text."""
        tiles = self.scene.data.tiles
        match ir.type:
            case "truth":
                return "unknown" if value is None else "yes" if value else "no"
            case "number":
                return show_number(value)
            case "tile" | "tiles" if names_tiles(ir) is None and len(value) == 1:
                return write_tile(value[0], tiles)
            case "tile" | "tiles":
                return write_tiles(value, tiles) or "none"
            case "group" | "groups":
                return ", ".join(write_group(part.tiles, tiles) for part in value) or "none"
            case "seat" | "seats":
                names = seat_names(self.scene.data)
                return ", ".join(names[seat] for seat in value) or "nobody"
        return ", ".join(map(str, as_set(value))) if isinstance(value, tuple) else str(value)


def parts_of(tree: Expression) -> tuple[Expression, ...]:
    """The expressions that a part is made of, without what a quantifier evaluates for each member."""
    match tree:
        case trees.Quantified(domain=domain):
            return (domain,)
        case trees.Call(arguments=arguments):
            return arguments
        case trees.AttributeOf(of=of):
            return (of,)
        case trees.Negative(operand=operand) | trees.Not(operand=operand):
            return (operand,)
        case trees.Power(base=base, exponent=exponent):
            return (base, exponent)
        case trees.Arithmetic(operands=operands) | trees.And(operands=operands) | trees.Or(operands=operands):
            return operands
        case (
            trees.Compare(left=left, right=right)
            | trees.Member(left=left, right=right)
            | trees.Identity(left=left, right=right)
        ):
            return (left, right)
        case trees.Choice(then=then, test=test, other=other):
            return (test, then, other)
    return ()


def written(node: Node) -> str:
    """A node in one line, as a document may have it."""
    match node:
        case Scalar():
            return node.text
        case Sequence():
            return f"[{', '.join(map(written, node.items))}]"
        case MappingNode():
            return f"{{{', '.join(f'{key}: {written(value)}' for key, value in node.items())}}}"
