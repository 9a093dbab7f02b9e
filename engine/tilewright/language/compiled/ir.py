"""The intermediate form: the compiled form of every expression and condition of a ruleset.

Small, typed, frozen. Names are resolved, options are folded to constants, conversions are explicit (`size`, `tiles`),
conditions of mappings are the same nodes as those of expressions, letters of templates are unfolded into cases.
`tilewright.scoring.plain.walker` evaluates it (the oracle, and explanations); `tilewright.scoring.image` turns it into
tables and a program.

Types: number truth tile tiles seat seats suit suits group groups direction name names.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction

Number = int | Fraction


@dataclass(frozen=True, slots=True)
class Const:
    """A constant: int or Fraction, bool, a name (str), a suit id (str), or a tuple of tile indices."""

    type: str
    value: "int | Fraction | bool | str | tuple[int, ...] | tuple[str, ...]"


@dataclass(frozen=True, slots=True)
class Lookup:
    """A word of the language, a zone, mark or measure, asked of `of` (a seat, group, tile or collection); None: of
    the seat that the expression is about. `kind`: word, zone, mark, measure, choice."""

    type: str
    kind: str
    name: str
    of: "Ir | None" = None


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the ruleset, with its body; a case may fix its value by a flag. `of` as in Word."""

    type: str
    name: str
    body: "Ir"
    of: "Ir | None" = None


@dataclass(frozen=True, slots=True)
class WordCall:
    """A word with arguments: copies(t), next(x), first(S), round_up(x, step), min(a, b), with(x) ...
    `towards(way, seat)` is the seat in a direction known only at the table."""

    type: str
    name: str
    args: tuple["Ir", ...]
    of: "Ir | None" = None


@dataclass(frozen=True, slots=True)
class Apply:
    """An operator: + - * / % ^ neg, == != < <= > >=, in not_in, is is_not (the very same tile), and or not, `size`
    (how many members a set has), `tiles` (the tiles of a group, of groups, or of a suit), `union` and `except` (of
    tiles)."""

    type: str
    op: str
    args: tuple["Ir", ...]


@dataclass(frozen=True, slots=True)
class Conditional:
    """`then` if `test` else `other`."""

    type: str
    test: "Ir"
    then: "Ir"
    other: "Ir"


@dataclass(frozen=True, slots=True)
class Var:
    """A letter bound by a quantifier around it. `named`: it runs over tiles named by the ruleset."""

    type: str
    name: str
    named: bool = False


@dataclass(frozen=True, slots=True)
class Quantifier:
    """op: any all count sum those min max; `letter` runs over the members of `domain` (equal tiles count each)."""

    type: str
    op: str
    letter: str
    domain: "Ir"
    body: "Ir"


@dataclass(frozen=True, slots=True)
class PickedMembers:
    """`ready seats`: the members of `seats` for which the truth holds."""

    type: str
    test: "Ir"  # Word or Term with of=None
    seats: "Ir"


@dataclass(frozen=True, slots=True)
class Want:
    """`count` different groups, each of one of these concrete ones, in such a state.

    `groups`: indices in Groups.groups that fit by kind (found anywhere); `meld_groups`: that fit only among melds.
    `tiles`: for KIND `tile`: single tiles (plain indices) instead of groups. `words`: tiles known only at the table
    that the group must also consist of, as sets of any of (`seat_wind`, a letter of a quantifier), minus `unless`.
    """

    count: int
    groups: frozenset[int] = frozenset()
    meld_groups: frozenset[int] = frozenset()
    tiles: frozenset[int] = frozenset()
    each: bool = False  # KIND `each`: one of each of `tiles`
    exposed: bool | None = None
    completed: bool = False
    plain: bool = False  # not of a kind that stands for another
    natural: bool = False
    different: bool = False
    of: "Ir | None" = None  # type tiles: dynamic class every tile of the group has to be in
    unless: "Ir | None" = None  # type tiles: dynamic `except`
    start: "Ir | None" = None  # type tile: where the group starts (a letter of a quantifier around)
    text: str = ""  # the template as written, for explanations


@dataclass(frozen=True, slots=True)
class WantedCase:
    """One choice of letters: all wants hold with different groups."""

    wants: tuple[Want, ...]


@dataclass(frozen=True, slots=True)
class HasGroups:
    """The reading holds these groups: any of the cases."""

    cases: tuple[WantedCase, ...]
    text: str = ""
    type: str = "truth"


@dataclass(frozen=True, slots=True)
class Test:
    """A test of the tiles of the hand. op: only, without, every, include. Each class is tiles (Const, Word, union).
    `only` and `without`: all classes together; `every`: of each group; `include`: one tile of each class."""

    op: str
    classes: tuple["Ir", ...]
    type: str = "truth"


@dataclass(frozen=True, slots=True)
class Matches:
    """A regular expression matches tiles of a seat, written as text: all of it, or `anywhere` a part.

    of: `hand`, or `bonus` for the tiles set aside. order: `sorted`, or `groups` for group after group, larger ones
    first. `suits`: number tiles are written with their suit. `stands_for`: a group that stands for a smaller one is
    written with as many tiles as that has.
    """

    regex: str
    anywhere: bool = False
    of: str = "hand"
    order: str = "sorted"
    suits: bool = True
    stands_for: bool = False
    type: str = "truth"


Ir = (
    Const
    | Lookup
    | Term
    | WordCall
    | Apply
    | Conditional
    | Var
    | Quantifier
    | PickedMembers
    | HasGroups
    | Test
    | Matches
)


def asks_measures(part: object) -> bool:
    """Whether an expression, or one inside it, is a measure."""
    if isinstance(part, Lookup) and part.kind == "measure":
        return True
    if isinstance(part, tuple):
        return any(map(asks_measures, part))
    return is_dataclass(part) and any(asks_measures(getattr(part, one.name)) for one in fields(part))


def names_tiles(ir: Ir) -> bool | None:
    """The tiles of an expression are named by the ruleset: a code, a class, a letter that runs over one. False: they
    are those at the table or in the hand; None: both kinds."""
    match ir:
        case Const():
            return True
        case Var():
            return ir.named
        case Term(of=None):
            return names_tiles(ir.body)
        case WordCall(name="first", args=(members,)):
            return names_tiles(members)
        case Quantifier(op="those"):
            return names_tiles(ir.domain)
        case Conditional():
            found = {names_tiles(ir.then), names_tiles(ir.other)}
        case Apply(op="union"):
            found = set(map(names_tiles, ir.args))
        case Apply(op="-"):
            return names_tiles(ir.args[0])
        case _:
            return False
    return found.pop() if len(found) == 1 else None


def children(ir: Ir) -> Iterator[Ir]:
    """The expressions directly inside one."""
    match ir:
        case Lookup(of=of) if of is not None:
            yield of
        case Term():
            yield ir.body
            if ir.of is not None:
                yield ir.of
        case WordCall():
            yield from ir.args
            if ir.of is not None:
                yield ir.of
        case Apply():
            yield from ir.args
        case Conditional():
            yield from (ir.test, ir.then, ir.other)
        case Quantifier():
            yield from (ir.domain, ir.body)
        case PickedMembers():
            yield from (ir.test, ir.seats)
        case HasGroups():
            for want in (want for case in ir.cases for want in case.wants):
                yield from (part for part in (want.of, want.unless, want.start) if part is not None)
        case Test():
            yield from ir.classes


def nodes(ir: Ir) -> Iterator[Ir]:
    """The expression and everything inside it."""
    yield ir
    for child in children(ir):
        yield from nodes(child)


def is_measure(ir: Ir) -> bool:
    return isinstance(ir, Lookup) and ir.kind == "measure"


def zones_in(ir: Ir) -> Iterator[str]:
    """Every zone that an expression uses."""
    return (node.name for node in nodes(ir) if isinstance(node, Lookup) and node.kind == "zone")


def zones_asked(ir: Ir) -> Iterator[str]:
    """The zones that an expression uses outside of terms that a case may flag."""
    if isinstance(ir, Lookup) and ir.kind == "zone":
        yield ir.name
    for child in children(ir):
        if not (isinstance(child, Term) and child.type == "truth"):
            yield from zones_asked(child)
