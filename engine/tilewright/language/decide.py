"""Conditions on options, such as `if`: an expression of options only is true or false when the
ruleset is loaded.

Knows no other names; `tilewright.language.expressions.trees` has the forms of expressions.
"""

from collections.abc import Mapping as Map
from fractions import Fraction
from typing import Any

from tilewright.base.node import Mapping, Node, Scalar
from tilewright.base.problem import Problem
from tilewright.base.spelling import hint
from tilewright.language.documents.options import OptionSetting, choices_of
from tilewright.language.expressions import syntax, trees

Known = bool | int | Fraction | str


class Undecided(Exception):
    """The expression uses something that is not known when a ruleset is loaded, or uses it wrongly."""

    def __init__(
        self, message: str, span: tuple[int, int], way_out: str | None = None, code: str = "not-an-option"
    ) -> None:
        self.message, self.span, self.hint, self.code = message, span, way_out, code
        super().__init__(message)


def decide(condition: Scalar, options: Map[str, OptionSetting], declared: Node | None) -> bool | Problem:
    """Whether the condition holds with these options, or its problem."""
    if isinstance(condition.value, bool):
        return condition.value
    try:
        found = Decider(options, declared).value(syntax.parse_expression(str(condition.value)))
    except syntax.SyntaxMistake as mistake:
        return problem("syntax", condition, mistake.message, mistake.span, mistake.hint)
    except Undecided as undecided:
        return problem(undecided.code, condition, undecided.message, undecided.span, undecided.hint)
    if not isinstance(found, bool):
        return problem(
            "wrong-type", condition, "a truth is expected here", (0, len(condition.text)), "compare it: players == 4"
        )
    return found


def problem(code: str, condition: Scalar, message: str, span: tuple[int, int], way_out: str | None) -> Problem:
    return Problem(code, message, condition.at(span[0], max(1, span[1] - span[0])), way_out)


class Decider:
    """Evaluates expressions over options."""

    def __init__(self, options: Map[str, OptionSetting], declared: Node | None) -> None:
        self.options, self.declared = options, declared

    def value(self, node: trees.Expression) -> Known:
        match node:
            case trees.NumberLiteral(value=number):
                return number
            case trees.NameOf():
                return self.option(node)
            case trees.Not():
                return not self.truth(node.operand)
            case trees.And():
                truths = [self.truth(part) for part in node.operands]
                return all(truths)
            case trees.Or():
                truths = [self.truth(part) for part in node.operands]
                return any(truths)
            case trees.Choice():
                return self.value(node.then if self.truth(node.test) else node.other)
            case trees.Compare():
                return self.compare(node)
            case trees.Negative():
                return -self.number(node.operand)
            case trees.Arithmetic():
                return self.arithmetic(node)
        raise Undecided(
            "this is decided when the ruleset is loaded and can use only options",
            node.span,
            "what is decided at the table belongs in `when` or `unless`",
        )

    def option(self, name: trees.NameOf) -> Known:
        setting = self.options.get(name.id)
        if setting is None:
            raise Undecided(
                f"only options can be used here, and none is called {name.id!r}",
                name.span,
                hint(name.id, self.options) or "what is decided at the table belongs in `when` or `unless`",
            )
        worth = setting.worth
        if isinstance(worth, Scalar) and isinstance(worth.value, int | Fraction):
            return worth.value
        return setting.chosen

    def truth(self, node: trees.Expression) -> bool:
        found = self.value(node)
        if not isinstance(found, bool):
            raise Undecided("a truth is expected here", node.span, "compare it: players == 4", "wrong-type")
        return found

    def number(self, node: trees.Expression) -> int | Fraction:
        found = self.value(node)
        if isinstance(found, bool | str):
            raise Undecided("a number is expected here", node.span, None, "wrong-type")
        return found

    def compare(self, node: trees.Compare) -> bool:
        if node.operator in ("==", "!="):
            return self.same(node.left, node.right) == (node.operator == "==")
        left, right = self.number(node.left), self.number(node.right)
        return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[node.operator]

    def same(self, left: trees.Expression, right: trees.Expression) -> bool:
        for option, choice in ((left, right), (right, left)):
            if not (isinstance(option, trees.NameOf) and isinstance(choice, trees.NameOf)):
                continue
            choices = self.choices(option.id)
            if choices and choice.id not in self.options:
                return self.chosen(option.id, choice, choices)
        return self.value(left) == self.value(right)

    def choices(self, id: str) -> list[str]:
        option = self.declared.get(id) if isinstance(self.declared, Mapping) else None
        return choices_of(option) if isinstance(option, Mapping) and "choice" in option.entries else []

    def chosen(self, id: str, choice: trees.NameOf, choices: list[str]) -> bool:
        if choice.id not in choices:
            raise Undecided(
                f"option {id} has no choice {choice.id!r}", choice.span, hint(choice.id, choices), "unknown-choice"
            )
        return self.options[id].chosen == choice.id

    def arithmetic(self, node: trees.Arithmetic) -> int | Fraction:
        total = self.number(node.operands[0])
        for operator, operand in zip(node.operators, node.operands[1:], strict=True):
            total = calculated(total, operator, self.number(operand), node)
        return total


def calculated(left: int | Fraction, operator: str, right: int | Fraction, node: Any) -> int | Fraction:
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    if operator == "*":
        return left * right
    if right == 0:
        raise Undecided("this divides by 0", node.span, None, "division-by-zero")
    return Fraction(left) / right if operator == "/" else left % right
