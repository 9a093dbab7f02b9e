"""Types of expressions: which types fit, and conversions. Where a number is expected, a set counts its members; where
tiles are expected, groups and suits are their tiles; a single thing is a set of one.

Types: number truth tile tiles seat seats suit suits group groups direction name names, and `any` after a mistake.
"""

from collections.abc import Iterable

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
