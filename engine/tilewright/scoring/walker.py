"""The tree walker: an expression and a scene in, its value out. The plain and obvious way.

It is the oracle of the generated source (`tilewright.scoring.source`) and the voice of explanations. Values: numbers
are int or Fraction, truths bool, names and suits str, everything that is a set (seats, tiles, groups, suits, names) a
tuple; a single seat, tile or group is a tuple of one and nothing is the empty tuple.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, assert_never

from tilewright.base.regular import compile_pattern
from tilewright.hands.reading import Part
from tilewright.language.ir import (
    Apply,
    Call,
    Case,
    Choice,
    Const,
    Has,
    Ir,
    Matches,
    Picked,
    Quantified,
    Term,
    Test,
    Var,
    Want,
    Word,
)
from tilewright.language.words import WORDS, Scene
from tilewright.tiles.notation import tile_string

Letters = Mapping[str, Any]
EMPTY = {"number": 0, "truth": False, "name": "", "suit": ""}
SINGLE = {"seat", "tile", "group"}
SETS = SINGLE | {"seats", "tiles", "groups", "suits", "names"}
NO_LETTERS: Letters = {}


def evaluate(ir: Ir, scene: Scene, letters: Letters = NO_LETTERS) -> Any:
    """The value of an expression asked of the scene's seat."""
    match ir:
        case Const():
            return as_set(ir.value) if ir.type in SETS else ir.value
        case Var():
            return letters[ir.name]
        case Word():
            return word(ir, scene, letters)
        case Term():
            return over_seats(ir, scene, letters, lambda there: term(ir, there, letters))
        case Call():
            return call(ir, scene, letters)
        case Apply():
            return apply(ir, scene, letters)
        case Choice():
            return evaluate(ir.then if evaluate(ir.test, scene, letters) else ir.other, scene, letters)
        case Quantified():
            return quantified(ir, scene, letters)
        case Picked():
            seats = evaluate(ir.seats, scene, letters)
            return tuple(s for s in seats if evaluate(ir.test, scene.of_seat(s), letters))
        case Has():
            return first_match(ir.cases, scene, letters) is not None
        case Test():
            return TESTS[ir.op](scene, [frozenset(evaluate(c, scene, letters)) for c in ir.classes])
        case Matches():
            return matches(ir.pattern, scene)
        case _:
            assert_never(ir)


def as_set(value: Any) -> tuple[Any, ...]:
    """A value of a set type as a tuple."""
    if isinstance(value, tuple):
        return value
    return () if value is None else (value,)


def empty(type: str) -> Any:
    """What there is where nobody can be asked."""
    return EMPTY.get(type, ())


# --- words


def over_seats(ir: Word | Term, scene: Scene, letters: Letters, ask: Callable[[Scene], Any]) -> Any:
    """The word asked of the acting seat, or of each seat of `of`."""
    if ir.of is None:
        return ask(scene)
    answers = [ask(scene.of_seat(seat)) for seat in evaluate(ir.of, scene, letters)]
    if ir.type in SETS:
        return tuple(member for answer in answers for member in answer)
    return answers[0] if answers else empty(ir.type)


def word(ir: Word, scene: Scene, letters: Letters) -> Any:
    if ir.of is not None and ir.of.type not in ("seat", "seats"):
        return word_of_thing(ir, scene, letters)
    return over_seats(ir, scene, letters, lambda there: word_of_seat(ir, there))


def word_of_seat(ir: Word, scene: Scene) -> Any:
    if ir.kind == "measure":
        return scene.values.get(ir.name, 0)
    if ir.kind == "zone":
        return scene.zone(ir.name, scene.seat)
    if ir.kind in ("mark", "choice"):
        return mark(ir, scene)
    value = WORDS[ir.name].ask(scene, scene.seat)
    return as_set(value) if ir.type in SETS else value


def mark(ir: Word, scene: Scene) -> Any:
    """What the table or the case tells, else what the mark starts as."""
    value = scene.remembered(ir.name)
    if value is not None:
        return as_set(value) if ir.type in SETS else value
    declared = scene.data.marks.get(ir.name)
    if ir.type == "truth" or declared is None or declared.start is None:
        return empty(ir.type)
    return evaluate(declared.start, scene)


def word_of_thing(ir: Word, scene: Scene, letters: Letters) -> Any:
    """A word asked of tiles or groups."""
    assert ir.of is not None
    subject = evaluate(ir.of, scene, letters)
    if ir.of.type in ("group", "groups"):
        answers = [WORDS[ir.name].ask(scene, part) for part in subject]
        return tuple(dict.fromkeys(member for answer in answers for member in as_set(answer)))
    if ir.of.type == "name":
        return WORDS[ir.name].ask(scene, subject)
    value = WORDS[ir.name].ask(scene, as_set(subject))
    return as_set(value) if ir.type in SETS else value


def term(ir: Term, scene: Scene, letters: Letters) -> Any:
    """A truth is what the case flags, or what the body says where the hand alone can tell."""
    if scene.fixed(ir.name):
        return True
    if not tells(ir.body, scene):
        return empty(ir.type)
    return evaluate(ir.body, scene, letters)


def tells(ir: Ir, scene: Scene) -> bool:
    """Nothing in the expression asks for a zone that nobody tells of."""
    return all(map(scene.knows, zones_in(ir)))


def zones_in(ir: Ir) -> Iterator[str]:
    """Every zone that an expression looks at."""
    return (node.name for node in nodes(ir) if isinstance(node, Word) and node.kind == "zone")


def children(ir: Ir) -> Iterator[Ir]:
    """The expressions directly inside one."""
    match ir:
        case Word(of=of) if of is not None:
            yield of
        case Term():
            yield ir.body
            if ir.of is not None:
                yield ir.of
        case Call():
            yield from ir.args
            if ir.of is not None:
                yield ir.of
        case Apply():
            yield from ir.args
        case Choice():
            yield from (ir.test, ir.then, ir.other)
        case Quantified():
            yield from (ir.domain, ir.body)
        case Picked():
            yield from (ir.test, ir.seats)
        case Has():
            for want in (want for case in ir.cases for want in case.wants):
                yield from (part for part in (want.of, want.unless, want.start) if part is not None)
        case Test():
            yield from ir.classes


def nodes(ir: Ir) -> Iterator[Ir]:
    """The expression and everything inside it."""
    yield ir
    for child in children(ir):
        yield from nodes(child)


# --- words with arguments


def call(ir: Call, scene: Scene, letters: Letters) -> Any:
    args = [evaluate(argument, scene, letters) for argument in ir.args]
    if ir.name == "towards":
        return scene.towards(args[0], next(iter(args[1]), 0)) if args[1] else ()
    if ir.name in ("min", "max"):
        return min(args) if ir.name == "min" else max(args)
    if ir.name in ("round_up", "first"):
        value = WORDS[ir.name].ask(scene, *args)
        return as_set(value) if ir.type in SETS else value
    if ir.name in ("copies", "seen"):
        seats = [scene.seat] if ir.of is None else evaluate(ir.of, scene, letters)
        return sum(WORDS[ir.name].ask(scene, seat, tile) for seat in seats for tile in args[0])
    subject = args[0] if not ir.args or ir.args[0].type in ("tile", "tiles", "group") else next(iter(args[0]), None)
    if subject is None:
        return empty(ir.type)
    declared = WORDS[ir.name]
    value = declared.ask(scene, scene.seat, subject) if declared.of else declared.ask(scene, subject)
    return as_set(value) if ir.type in SETS else value


# --- operators


def apply(ir: Apply, scene: Scene, letters: Letters) -> Any:
    if ir.op == "and":
        return all(evaluate(argument, scene, letters) for argument in ir.args)
    if ir.op == "or":
        return any(evaluate(argument, scene, letters) for argument in ir.args)
    args = [evaluate(argument, scene, letters) for argument in ir.args]
    if ir.op == "tiles":
        return tiles_of(args[0], scene)
    if ir.op in ("in", "not_in"):
        return is_in(args[0], args[1], scene) == (ir.op == "in")
    if ir.op in ("==", "!="):
        return same(args[0], args[1], ir.args[0].type, scene) == (ir.op == "==")
    return OPERATORS[ir.op](*args)


def divide(a: int | Fraction, b: int | Fraction) -> int | Fraction:
    """Exact; by zero it is 0."""
    return whole(Fraction(a) / b) if b else 0


def power(a: int | Fraction, b: int | Fraction) -> int | Fraction:
    """Exact, for whole exponents from 0 to 64; others are cut to that."""
    return whole(a ** max(0, min(64, int(b))))


def whole(number: int | Fraction) -> int | Fraction:
    """An int where the number is one."""
    if type(number) is int:  # nearly always, and an abstract class is slow to ask
        return number
    return int(number) if isinstance(number, Fraction) and number.denominator == 1 else number


OPERATORS: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: whole(a + b) if not isinstance(a, tuple) else a + b,
    "-": lambda a, b: whole(a - b) if not isinstance(a, tuple) else without(a, b),
    "*": lambda a, b: whole(a * b),
    "/": divide,
    "%": lambda a, b: whole(a % b) if b else 0,
    "^": power,
    "neg": lambda a: -a,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "not": lambda a: not a,
    "size": lambda a: len(as_set(a)),
    "union": lambda *sets: tuple(member for members in sets for member in as_set(members)),
    "except": lambda a, b: tuple(member for member in a if member not in b),
}


def without(tiles: tuple[int, ...], less: tuple[int, ...]) -> tuple[int, ...]:
    """Tiles with each of the others taken away once."""
    rest = list(tiles)
    for tile in less:
        if tile in rest:
            rest.remove(tile)
    return tuple(rest)


def tiles_of(value: Any, scene: Scene) -> tuple[int, ...]:
    """The tiles of a suit, of groups or of parts."""
    if isinstance(value, str):
        return tuple(t.index for t in scene.data.tiles.tiles if t.suit == value)
    return tuple(tile for part in as_set(value) for tile in ((part,) if isinstance(part, int) else part.tiles))


def is_in(left: Any, right: Any, scene: Scene) -> bool:
    """Every member of the left is in the right; an empty left is in nothing. A special is in what its plain tile is."""
    members = set(as_set(right))
    return bool(as_set(left)) and all(
        member in members or (isinstance(member, int) and plain_in(member, members, scene)) for member in as_set(left)
    )


def plain_in(member: int, members: set[Any], scene: Scene) -> bool:
    return scene.plain(member) in members


def same(left: Any, right: Any, type: str, scene: Scene) -> bool:
    """Equal; sets whatever their order, tiles by their plain tile."""
    if type in ("tile", "tiles"):
        return sorted(map(scene.plain, as_set(left))) == sorted(map(scene.plain, as_set(right)))
    if type in SETS:
        return set(as_set(left)) == set(as_set(right))
    return bool(left == right)


# --- quantifiers


def quantified(ir: Quantified, scene: Scene, letters: Letters) -> Any:
    domain = as_set(evaluate(ir.domain, scene, letters))
    single = ir.domain.type not in ("number", "suits", "names")
    bound = [(member,) if single else member for member in domain]
    answers = (evaluate(ir.body, scene, {**letters, ir.letter: member}) for member in bound)
    if ir.op == "any":
        return any(answers)
    if ir.op == "all":
        return all(answers)
    if ir.op == "count":
        return sum(map(bool, answers))
    if ir.op == "sum":
        return whole(sum(answers))
    if ir.op == "those":
        return tuple(member for member, holds in zip(domain, answers, strict=True) if holds)
    return (min if ir.op == "min" else max)(answers, default=0)


# --- templates


def first_match(cases: Sequence[Case], scene: Scene, letters: Letters = NO_LETTERS) -> frozenset[int] | None:
    """The groups, by their place in the reading, of the first match in the order of the hand, if there is one."""
    found = (match for case in cases for match in matchings(case, scene, letters))
    return next(found, None)


def matchings(case: Case, scene: Scene, letters: Letters = NO_LETTERS) -> Iterator[frozenset[int]]:
    """Every way to meet all wants of a case with different groups."""
    fitting: list[list[int]] = []
    for want in case.wants:
        fitting.append(fits(want, scene, letters))
        if len(fitting[-1]) < want.count:
            return

    def choose(index: int, used: frozenset[int]) -> Iterator[frozenset[int]]:
        if index == len(case.wants):
            yield used
            return
        want = case.wants[index]
        free = [i for i in fitting[index] if i not in used]
        for chosen in selections(free, want, scene):
            yield from choose(index + 1, used | chosen)

    yield from choose(0, frozenset())


def selections(free: list[int], want: Want, scene: Scene) -> Iterator[frozenset[int]]:
    """Every way to take as many of the free groups as are wanted, in the order of the hand."""

    def take(start: int, chosen: tuple[int, ...]) -> Iterator[frozenset[int]]:
        if len(chosen) == want.count:
            yield frozenset(chosen)
            return
        for at in range(start, len(free)):
            part = scene.parts[free[at]]
            if want.different and any(scene.parts[i].tiles == part.tiles for i in chosen):
                continue
            yield from take(at + 1, (*chosen, free[at]))

    yield from take(0, ())


def fits(want: Want, scene: Scene, letters: Letters) -> list[int]:
    """The groups of the reading that may meet the want; where they are too few, perhaps some more."""
    wanted = [(i, part) for i, part in enumerate(scene.parts) if is_wanted(part, want)]
    if len(wanted) < want.count:
        return [i for i, _ in wanted]
    allowed = None if want.of is None else frozenset(as_set(evaluate(want.of, scene, letters)))
    barred = frozenset() if want.unless is None else frozenset(as_set(evaluate(want.unless, scene, letters)))
    starts = None if want.start is None else frozenset(map(scene.plain, as_set(evaluate(want.start, scene, letters))))
    return [
        i
        for i, part in wanted
        if (starts is None or (part.group >= 0 and scene.data.groups.groups[part.group].start in starts))
        and (allowed is None or allowed.issuperset(part.tiles))
        and barred.isdisjoint(part.tiles)
    ]


def is_wanted(part: Part, want: Want) -> bool:
    if part.group >= 0:
        kind = part.group in want.groups or (part.melded and part.group in want.meld_groups)
    elif want.each:
        kind = want.tiles == frozenset(part.tiles)
    else:
        kind = len(part.tiles) == 1 and part.tiles[0] in want.tiles
    return (
        kind
        and want.exposed in (None, part.exposed)
        and (part.completed or not want.completed)
        and not (want.natural and part.wild)
    )


# --- tests of tiles


def only(scene: Scene, classes: list[frozenset[int]]) -> bool:
    together = frozenset().union(*classes)
    return all(any(tile in together for tile in pair) for pair in scene.either)


def without_any(scene: Scene, classes: list[frozenset[int]]) -> bool:
    together = frozenset().union(*classes)
    return all(any(tile not in together for tile in pair) for pair in scene.either)


def include(scene: Scene, classes: list[frozenset[int]]) -> bool:
    return all(any(tile in members for pair in scene.either for tile in pair) for members in classes)


def every(scene: Scene, classes: list[frozenset[int]]) -> bool:
    together = frozenset().union(*classes)
    return all(
        any(tile in together for tile in (*part.tiles, *(wild for wild, _ in part.wild))) for part in scene.parts
    )


TESTS: dict[str, Callable[[Scene, list[frozenset[int]]], bool]] = {
    "only": only,
    "without": without_any,
    "include": include,
    "every": every,
}
MOST_SPELLINGS = 256


def matches(pattern: str, scene: Scene) -> bool:
    """Some spelling of the tile string matches: each wild tile as itself or as what it stands for."""
    regular = compile_pattern(pattern)
    spellings = {tuple(sorted(tiles)) for tiles, _ in zip(product(*scene.either), range(MOST_SPELLINGS), strict=False)}
    return any(regular.fullmatch(tile_string(tiles, scene.data.tiles)) for tiles in spellings)
