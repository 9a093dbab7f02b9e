"""Typed expressions: which types fit, conversions, and operators on what is already known, which are folded.

Where a number is expected, a set counts its members; where tiles are expected, groups and suits are their tiles; a
single thing is a set of one. Types: number truth tile tiles seat seats suit suits group groups direction name names,
and `any` after a mistake. Also bounds how large a number may become, so that no ruleset makes endless numbers. Knows
the words and the intermediate form.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from tilewright.language.compiled import ir as typed
from tilewright.language.compiled.ir import Apply, Const, Ir
from tilewright.language.vocabulary.declare import Word

SIZES = {"tile": 1, "seat": 1, "group": 1, "tiles": 150, "seats": 6, "groups": 30, "suits": 8, "names": 30}
PLURALS = {"tile": "tiles", "seat": "seats", "group": "groups", "suit": "suits", "name": "names"}
MEMBERS = {many: one for one, many in PLURALS.items()}
TILES_LIKE = ("tile", "tiles", "group", "groups", "suit", "suits")
WANTED = {
    "truth": "a truth",
    "number": "a number",
    "tile": "a tile",
    "tiles": "a tile",
    "seat": "a seat",
    "seats": "a seat",
    "group": "a group",
    "groups": "groups",
    "suit": "a suit",
    "direction": "a direction",
    "name": "a name",
    "set": "a set",
}
GIVEN = {**WANTED, "tiles": "tiles", "seats": "seats", "suits": "suits", "names": "names", "any": "anything"}
FITS = {
    "truth": ("truth",),
    "number": ("number",),
    "tile": ("tile",),
    "tiles": ("tile", "tiles"),
    "seat": ("seat",),
    "seats": ("seat", "seats"),
    "group": ("group",),
    "groups": ("group", "groups"),
    "suit": ("suit",),
    "suits": ("suit", "suits"),
    "direction": ("direction",),
    "name": ("name",),
    "names": ("name", "names"),
    "set": (*SIZES, "suit"),
}


def converted(ir: Ir, wanted: str) -> Ir | None:
    """The expression converted to a type: a set counts its members, groups and suits are their tiles."""
    if ir.type == "any" or wanted in ("any", "value") or ir.type in FITS[wanted]:
        return ir
    if wanted == "number" and (ir.type in SIZES or ir.type == "suit"):
        return Apply("number", "size", (ir,))
    if wanted == "tiles" and ir.type in TILES_LIKE:
        return Apply("tiles", "tiles", (ir,))
    return None


def way_out(given: str, wanted: str) -> str | None:
    if wanted == "truth":
        return "compare it, as in `x == 1`" if given == "number" else "ask something of it, as in `x in S` or `x > 0`"
    if wanted == "number" and given == "truth":
        return "write `1 if x else 0`"
    if wanted in ("tile", "seat", "group") and given == PLURALS[wanted]:
        return "first(S) is the first of them"
    return None


def joined(left: str, right: str) -> str | None:
    """The common type of two expressions."""
    if left == right:
        return left
    if PLURALS.get(left) == right or PLURALS.get(right) == left:
        return right if PLURALS.get(left) == right else left
    if "any" in (left, right):
        return "any"
    if left in TILES_LIKE and right in TILES_LIKE:
        return "tiles"
    if "number" in (left, right) and (left in SIZES or right in SIZES):
        return "number"
    return None


def compared(left: Ir, right: Ir) -> tuple[Ir, Ir] | None:
    """Both sides of `==`, of types that can be the same."""
    type = joined(left.type, right.type)
    if type is None:
        return None
    if type in ("number", "tiles") and left.type != right.type:
        one, two = converted(left, type), converted(right, type)
        return (one, two) if one is not None and two is not None else None
    return left, right


def contained(left: Ir, right: Ir) -> tuple[Ir, Ir] | None:
    """Both sides of `in`."""
    if left.type == "any" or right.type == "any":
        return left, right
    same = {left.type, PLURALS.get(left.type)} & {right.type, PLURALS.get(right.type)}
    if same:
        return left, right
    if left.type in TILES_LIKE and right.type in TILES_LIKE:
        one, two = converted(left, "tiles"), converted(right, "tiles")
        return (one, two) if one is not None and two is not None else None
    return None


def of_many(type: str, of: Ir | None) -> str:
    """The type for several: the union over each."""
    return PLURALS.get(type, type) if of is not None and of.type == "seats" and type not in ("name", "suit") else type


def asked_as(of: Ir, word: Word) -> Ir | None:
    """The object of a word, converted to a type that the word accepts."""
    for wanted in word.of:
        if of.type == wanted or of.type == PLURALS.get(wanted) or PLURALS.get(of.type) == wanted:
            return of
    return converted(of, "tiles") if "tiles" in word.of and of.type in TILES_LIKE else None


def as_tiles(ir: Ir) -> Ir:
    """A class as tiles; a single known tile is a set of one."""
    return Const("tiles", ir.value) if isinstance(ir, Const) and ir.type == "tile" else ir


def listed(types: Iterable[str]) -> str:
    return " or ".join(WANTED.get(type, type) for type in types) or "nothing"


# --- folding

MAX_EXPONENT = 64
MAX_BITS = 2_000  # of the parts of a constant number
MOST_BITS = 20_000  # of the parts of a number computed in a game
USUAL_BITS = 64  # what a table counts (scores, marks, tiles) is taken to fit in them
TRUE, FALSE = typed.Const("truth", True), typed.Const("truth", False)


class FoldingMistake(Exception):
    """A calculation with known numbers without a valid result."""


def apply(type: str, op: str, *args: Ir) -> Ir:
    """The operator applied, or its value."""
    if op in ("and", "or"):
        return junction(op, args)
    if op == "not":
        return negation(args[0])
    if op == "union":
        return union(args)
    if op in ("==", "!=") and args[0] == args[1] and is_steady(args[0]):
        return truth(op == "==")
    if all(isinstance(arg, typed.Const) and arg.type in ("number", "truth", "name") for arg in args):
        return known(type, op, [arg.value for arg in args if isinstance(arg, typed.Const)])
    if (same := unchanged(op, args)) is not None:
        return same
    if op in COMPARISONS and (certain := of_sizes(op, args)) is not None:
        return truth(certain)
    return typed.Apply(type, op, args)


NEUTRAL = {"+": 0, "-": 0, "*": 1, "/": 1}  # what changes nothing on the right of a sign; of + and * on the left too


def unchanged(op: str, args: Sequence[Ir]) -> Ir | None:
    """The number that a neutral one leaves as it is."""
    if op not in NEUTRAL or any(arg.type != "number" for arg in args):
        return None
    left, right = args
    if isinstance(right, typed.Const) and right.value == NEUTRAL[op]:
        return left
    return right if op in "+*" and isinstance(left, typed.Const) and left.value == NEUTRAL[op] else None


def choice(test: Ir, then: Ir, other: Ir, type: str) -> Ir:
    if isinstance(test, typed.Const):
        return then if test.value else other
    return typed.Conditional(type, test, then, other)


def truth(value: bool) -> typed.Const:
    return TRUE if value else FALSE


def number(value: int | Fraction) -> typed.Const:
    """A number, as an int if it is whole."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS:
        raise FoldingMistake("this number is too large")
    return typed.Const("number", int(value) if value.denominator == 1 else value)


# --- truths


def junction(op: str, args: tuple[Ir, ...]) -> Ir:
    """`and`, `or`: of the unknown operands, unless a known one decides."""
    decides = op == "or"
    rest: list[Ir] = []
    for arg in args:
        if isinstance(arg, typed.Const) and arg.type == "truth":
            if arg.value == decides:
                return truth(decides)
            continue
        rest.extend(arg.args if isinstance(arg, typed.Apply) and arg.op == op else (arg,))
    if not rest:
        return truth(not decides)
    return rest[0] if len(rest) == 1 else typed.Apply("truth", op, tuple(rest))


def negation(arg: Ir) -> Ir:
    if isinstance(arg, typed.Const):
        return truth(not arg.value)
    if isinstance(arg, typed.Apply) and arg.op == "not":
        return arg.args[0]
    return typed.Apply("truth", "not", (arg,))


def is_steady(part: object) -> bool:
    """Whether equal expressions have equal values: not for tiles, which are unknown before there is a tile set."""
    match part:
        case typed.Const():
            return part.type in ("number", "truth", "name")
        case typed.HasGroups() | typed.Test():
            return False
        case tuple():
            return all(map(is_steady, part))
        case (
            typed.Apply()
            | typed.WordCall()
            | typed.Conditional()
            | typed.PickedMembers()
            | typed.Quantifier()
            | typed.Term()
            | typed.Lookup()
        ):
            return all(is_steady(getattr(part, name)) for name in part.__dataclass_fields__)
    return True


# --- numbers

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


def known(type: str, op: str, values: list[object]) -> Ir:
    """The value of an operator on known values."""
    if op in ("==", "!="):
        return truth((values[0] == values[1]) == (op == "=="))
    numbers = [value for value in values if isinstance(value, int | Fraction)]
    if op == "neg":
        return number(-numbers[0])
    left, right = numbers
    if op in COMPARISONS:
        return truth({"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[op])
    return number(calculated(op, left, right))


def calculated(op: str, left: int | Fraction, right: int | Fraction) -> int | Fraction:
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "^":
            return power(left, right)
    if right == 0:
        raise FoldingMistake("this divides by zero")
    return Fraction(left) / right if op == "/" else left % right


def power(base: int | Fraction, exponent: int | Fraction) -> int | Fraction:
    if exponent != int(exponent) or not 0 <= exponent <= MAX_EXPONENT:
        raise FoldingMistake(f"an exponent is a whole number from 0 to {MAX_EXPONENT}")
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if bits * int(exponent) > MAX_BITS:
        raise FoldingMistake("this number is too large")
    return base ** int(exponent)


def of_sizes(op: str, args: tuple[Ir, ...]) -> bool | None:
    """The constant result of comparing the size of a set with a number, as sizes are never negative."""
    left, right = args
    if isinstance(right, typed.Apply) and right.op == "size" and isinstance(left, typed.Const):
        mirrored = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(op, op)
        return of_sizes(mirrored, (right, left))
    if not (isinstance(left, typed.Apply) and left.op == "size" and isinstance(right, typed.Const)):
        return None
    bound = right.value
    if not isinstance(bound, int | Fraction) or bound > 0 or (bound == 0 and op in ("==", "!=", ">", "<=")):
        return None
    return op in (">", ">=", "!=")


# --- tiles


def union(args: tuple[Ir, ...]) -> Ir:
    """The union of sets of tiles; the known ones become one."""
    tiles: dict[int, None] = {}
    rest: list[Ir] = []
    for arg in args:
        if isinstance(arg, typed.Const) and isinstance(arg.value, tuple):
            tiles.update(dict.fromkeys(index for index in arg.value if isinstance(index, int)))
        else:
            rest.append(arg)
    if not rest:
        return typed.Const("tiles", tuple(tiles))
    parts = [typed.Const("tiles", tuple(tiles)), *rest] if tiles else rest
    return parts[0] if len(parts) == 1 else typed.Apply("tiles", "union", tuple(parts))


# --- how large a number may become


def bits(ir: Ir, known: dict[str, int]) -> int:
    """The most bits of numerator and denominator together. `known`: measures and terms by name; terms are added."""
    match ir:
        case typed.Const():
            return number_bits(ir)
        case typed.Lookup(name=name):
            return known.get(name, USUAL_BITS)
        case typed.Term(name=name, body=body):
            if name not in known:
                known[name] = bits(body, known)
            return known[name]
        case typed.Conditional(then=then, other=other):
            return max(bits(then, known), bits(other, known))
        case typed.Quantifier(body=body, op=op):
            return bits(body, known) * (USUAL_BITS if op == "sum" else 1)
        case typed.WordCall(args=args):
            return max([USUAL_BITS, *(bits(arg, known) for arg in args)])
        case typed.Apply(op="^", args=(base, exponent)):
            return bits(base, known) * largest(exponent)
        case typed.Apply(op="neg" | "+" | "-" | "*" | "/" | "%", args=args):
            return sum(bits(arg, known) for arg in args)
    return USUAL_BITS


def number_bits(ir: typed.Const) -> int:
    if isinstance(ir.value, str | tuple):
        return USUAL_BITS
    return ir.value.numerator.bit_length() + ir.value.denominator.bit_length()


def largest(exponent: Ir) -> int:
    """The largest exponent that there may be."""
    if isinstance(exponent, typed.Const) and isinstance(exponent.value, int):
        return max(1, exponent.value)
    return MAX_EXPONENT
