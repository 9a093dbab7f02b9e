"""Trees: what expressions, templates and spans are once they are parsed, and their text again.

Every rule of `grammar.lark` becomes the dataclass of the same name. Spans are offsets in the text; they are ignored in
comparisons, so that trees with the same meaning are equal. Knows no name and no type, and parses nothing.
"""

from dataclasses import dataclass, field
from fractions import Fraction

MAX_DIGITS = 30  # of a number
Span = tuple[int, int]
NOWHERE: Span = (0, 0)


@dataclass(frozen=True, slots=True)
class NumberLiteral:
    value: int | Fraction
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class TileCode:
    """A tile code that begins with digits: `5m`, `12t`. Codes of letters only are names."""

    code: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class NameOf:
    id: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Picked:
    """`ready seats`: truths, and the seats they filter."""

    qualities: tuple[NameOf, ...]
    seats: NameOf
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    word: NameOf
    arguments: tuple["Expression", ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Quantified:
    word: NameOf
    body: "Expression"
    letter: NameOf
    domain: "Expression"
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Has:
    templates: tuple["Template", ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class AttributeOf:
    """`s.melds.kinds`: words applied in turn, the first to `of`."""

    of: "Expression"
    words: tuple[NameOf, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Negative:
    operand: "Expression"
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Power:
    base: "Expression"
    exponent: "Expression"
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """Operands with one operator fewer between them: `+ -` or `* / %`, from left to right."""

    operands: tuple["Expression", ...]
    operators: tuple[str, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Compare:
    left: "Expression"
    operator: str
    right: "Expression"
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Member:
    left: "Expression"
    right: "Expression"
    negated: bool = False
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Identity:
    """`tile is drawn`: the very same tile of the table."""

    left: "Expression"
    right: "Expression"
    negated: bool = False
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Not:
    operand: "Expression"
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class And:
    """All of the operands: `and`."""

    operands: tuple["Expression", ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Or:
    """One of the operands: `or`."""

    operands: tuple["Expression", ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Choice:
    then: "Expression"
    test: "Expression"
    other: "Expression"
    span: Span = field(default=NOWHERE, compare=False)


Expression = (
    NumberLiteral
    | TileCode
    | NameOf
    | Picked
    | Call
    | Quantified
    | Has
    | AttributeOf
    | Negative
    | Power
    | Arithmetic
    | Compare
    | Member
    | Identity
    | Not
    | And
    | Or
    | Choice
)


@dataclass(frozen=True, slots=True)
class TemplateSpot:
    """The place of a group: a rank, or a letter and the distance from it."""

    letter: str | None
    number: int = 0  # the rank, or what is added to the letter
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class ClassList:
    """`A or B except C`."""

    members: tuple[Expression, ...]
    unless: Expression | None = None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Template:
    """`[count] [adjectives] KIND [place] [in SUIT] [by STEP] [of CLASSES]`."""

    count: int | None
    adjectives: tuple[str, ...]
    kind: NameOf
    place: TemplateSpot | None = None
    suit: NameOf | None = None
    step: TemplateSpot | None = None
    classes: ClassList | None = None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Range:
    """A span of numbers. Without `most` there is no end; without `least` no beginning."""

    least: "Expression | None"
    most: "Expression | None"
    span: Span = field(default=NOWHERE, compare=False)


# --- tree to text

LEVELS: dict[type, int] = {
    Choice: 0,
    Or: 1,
    And: 2,
    Not: 3,
    Compare: 4,
    Member: 4,
    Identity: 4,
    Arithmetic: 5,
    Power: 7,
    Negative: 8,
    AttributeOf: 9,
}
ATOM = 10


def level(node: Expression) -> int:
    """How tightly a node binds."""
    if isinstance(node, Arithmetic) and node.operators[0] in "*/%":
        return 6
    return LEVELS.get(type(node), ATOM)


def unparse(node: Expression | Template | Range) -> str:
    """The text of a tree; parsing it again gives an equal tree."""
    match node:
        case Template():
            return unparse_template(node)
        case Range(least, most):
            if least == most and least is not None:
                return inside(least, 9)
            return f"{inside(least, 9) if least else ''}..{inside(most, 9) if most else ''}"
        case NumberLiteral(value):
            return decimal(value)
        case TileCode(code):
            return code
        case NameOf(id):
            return id
        case Picked(qualities, seats):
            return " ".join([*(quality.id for quality in qualities), seats.id])
        case Call(word, arguments):
            return f"{word.id}({', '.join(map(unparse, arguments))})"
        case Quantified(word, body, letter, domain):
            return f"{word.id}({unparse(body)} for {letter.id} in {inside(domain, 5)})"
        case Has(templates):
            return f"has({', '.join(map(unparse, templates))})"
        case AttributeOf(of, words):
            return ".".join([inside(of, ATOM), *(word.id for word in words)])
        case Negative(operand):
            return f"-{inside(operand, 8)}"
        case Power(base, exponent):
            return f"{inside(base, 8)} ^ {inside(exponent, 8)}"
        case Arithmetic(operands_, operators):
            first, *rest = (inside(operand, level(node) + 1) for operand in operands_)
            return " ".join([first, *(f"{op} {operand}" for op, operand in zip(operators, rest, strict=True))])
        case Compare(left, operator, right):
            return f"{inside(left, 5)} {operator} {inside(right, 5)}"
        case Member(left, right, negated):
            return f"{inside(left, 5)} {'not in' if negated else 'in'} {inside(right, 5)}"
        case Identity(left, right, negated):
            return f"{inside(left, 5)} {'is not' if negated else 'is'} {inside(right, 5)}"
        case Not(operand):
            return f"not {inside(operand, 3)}"
        case And(operands_):
            return " and ".join(inside(operand, 3) for operand in operands_)
        case Or(operands_):
            return " or ".join(inside(operand, 2) for operand in operands_)
        case Choice(then, test, other):
            return f"{inside(then, 1)} if {inside(test, 1)} else {inside(other, 0)}"


def inside(node: Expression, least: int) -> str:
    """The text of a part, in brackets where needed."""
    return unparse(node) if level(node) >= least else f"({unparse(node)})"


def decimal(value: int | Fraction) -> str:
    """A number in decimal notation; numbers of texts always have a finite number of digits."""
    if isinstance(value, int) or value.denominator == 1:
        return str(int(value)) if isinstance(value, int) else f"{int(value)}.0"
    places = next(n for n in range(1, MAX_DIGITS + 1) if (value * 10**n).denominator == 1)
    digits = str(int(value * 10**places)).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}"


def unparse_template(node: Template) -> str:
    parts = [str(node.count)] if node.count is not None else []
    parts += [*node.adjectives, node.kind.id]
    parts += [unparse_spot(node.place)] if node.place else []
    parts += ["in", node.suit.id] if node.suit else []
    parts += ["by", unparse_spot(node.step)] if node.step else []
    if node.classes:
        parts += ["of", " or ".join(inside(member, 9) for member in node.classes.members)]
        parts += ["except", inside(node.classes.unless, 9)] if node.classes.unless else []
    return " ".join(parts)


def unparse_spot(node: TemplateSpot) -> str:
    if node.letter is None:
        return str(node.number)
    return node.letter + (f"{node.number:+}" if node.number else "")
