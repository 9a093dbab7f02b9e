"""The tree walker: an expression and a scene in, its value out. The plain and obvious way.

It is the oracle of the scoring kernel (`tilewright.scoring.kernel`) and writes explanations. Values: numbers
are int or Fraction, truths bool, names and suits str, everything that is a set (seats, tiles, groups, suits, names) a
tuple; a single seat, tile or group is a tuple of one and nothing is the empty tuple. A truth is None where zones decide
it whose contents the scene does not know; a condition that is None does not hold, and neither does its opposite.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from itertools import islice, product
from typing import Any, assert_never

from tilewright.base.regular import compile_pattern
from tilewright.hands.reading import Part
from tilewright.language.compiled import ir as typed
from tilewright.language.compiled.ir import Ir, names_tiles, zones_asked
from tilewright.language.vocabulary.declare import EXTREMES, Scene
from tilewright.language.vocabulary.words import WORDS
from tilewright.tiles.notation import notation_of, string_sorted, tile_string

Letters = Mapping[str, Any]
Tiles = tuple[int, ...]
Operand = tuple[Tiles, Tiles]  # of a comparison: tiles that the ruleset names, and tiles that are found
EMPTY = {"number": 0, "truth": False, "name": "", "suit": ""}
SINGLE = {"seat", "tile", "group"}
TILES = ("tile", "tiles")
SETS = SINGLE | {"seats", "tiles", "groups", "suits", "names"}
NO_LETTERS: Letters = {}


def evaluate(ir: Ir, scene: Scene, letters: Letters = NO_LETTERS) -> Any:
    """The value of an expression asked of the scene's seat."""
    match ir:
        case typed.Const():
            return as_set(ir.value) if ir.type in SETS else ir.value
        case typed.Var():
            return letters[ir.name]
        case typed.Lookup():
            return word(ir, scene, letters)
        case typed.Term():
            return over_seats(ir, scene, letters, lambda there: term(ir, there, letters))
        case typed.WordCall():
            return call(ir, scene, letters)
        case typed.Apply():
            return apply(ir, scene, letters)
        case typed.Conditional():
            test = evaluate(ir.test, scene, letters)
            if test is None and ir.type == "truth":
                return None
            return evaluate(ir.then if test else ir.other, scene, letters)
        case typed.Quantifier():
            return quantified(ir, scene, letters)
        case typed.PickedMembers():
            seats = evaluate(ir.seats, scene, letters)
            return tuple(s for s in seats if evaluate(ir.test, scene.of_seat(s), letters))
        case typed.HasGroups():
            return first_match(ir.cases, scene, letters) is not None
        case typed.Test():
            if not tells(ir, scene):
                return None
            return TESTS[ir.op](scene, [frozenset(evaluate(c, scene, letters)) for c in ir.classes])
        case typed.Matches():
            return matches(ir, scene)
        case _:
            assert_never(ir)


def as_set(value: Any) -> tuple[Any, ...]:
    """A value of a set type as a tuple."""
    if isinstance(value, tuple):
        return value
    return () if value is None else (value,)


def empty(type: str) -> Any:
    """The value where there is nobody to ask."""
    return EMPTY.get(type, ())


# --- words


def over_seats(ir: typed.Lookup | typed.Term, scene: Scene, letters: Letters, ask: Callable[[Scene], Any]) -> Any:
    """The word asked of the acting seat, or of each seat of `of`."""
    if ir.of is None:
        return ask(scene)
    answers = [ask(scene.of_seat(seat)) for seat in evaluate(ir.of, scene, letters)]
    if ir.type in SETS:
        return tuple(member for answer in answers for member in answer)
    return answers[0] if answers else empty(ir.type)


def word(ir: typed.Lookup, scene: Scene, letters: Letters) -> Any:
    if ir.of is not None and ir.of.type not in ("seat", "seats"):
        return word_of_thing(ir, scene, letters)
    return over_seats(ir, scene, letters, lambda there: word_of_seat(ir, there))


def word_of_seat(ir: typed.Lookup, scene: Scene) -> Any:
    if ir.kind == "measure":
        return scene.values.get(ir.name, 0)
    if ir.kind == "zone":
        return scene.zone(ir.name, scene.seat)
    if ir.kind in ("mark", "choice"):
        return mark(ir, scene)
    return WORDS[ir.name].ask(scene)


def mark(ir: typed.Lookup, scene: Scene) -> Any:
    """The value from the table or the case, else the mark's start."""
    value = scene.remembered(ir.name)
    if value is not None:
        return as_set(value) if ir.type in SETS else value
    declared = scene.data.marks.get(ir.name)
    if ir.type == "truth" or declared is None or declared.start is None:
        return empty(ir.type)
    return evaluate(declared.start, scene)


def word_of_thing(ir: typed.Lookup, scene: Scene, letters: Letters) -> Any:
    """A word asked of tiles or groups."""
    assert ir.of is not None
    subject = evaluate(ir.of, scene, letters)
    if ir.of.type in ("group", "groups"):
        answers = [WORDS[ir.name].ask(scene, part) for part in subject]
        return tuple(dict.fromkeys(member for answer in answers for member in answer))
    return WORDS[ir.name].ask(scene, subject if ir.of.type == "name" else as_set(subject))


def term(ir: typed.Term, scene: Scene, letters: Letters) -> Any:
    """A truth is what the case flags, or what the body says; where the hand alone cannot decide that, the case did not
    flag it."""
    if scene.fixed(ir.name):
        return True
    value = evaluate(ir.body, scene, letters)
    return scene.unflagged if value is None else value


def tells(ir: Ir, scene: Scene) -> bool:
    """Whether every zone that decides the expression is known."""
    return all(map(scene.knows, zones_asked(ir)))


# --- words with arguments


def call(ir: typed.WordCall, scene: Scene, letters: Letters) -> Any:
    args = [evaluate(argument, scene, letters) for argument in ir.args]
    if ir.name == "towards":
        return scene.towards(args[0], next(iter(args[1]), 0)) if args[1] else ()
    if ir.name in EXTREMES:
        return min(args) if ir.name == "min" else max(args)
    word = WORDS[ir.name]
    if word.takes_seat(ir.args[0].type):
        if not args[0]:
            return empty(ir.type)
        args[0] = args[0][0]
    return word.ask(scene, *args, *told_names(ir))


def told_names(ir: typed.WordCall) -> tuple[bool, ...]:
    """Whether the ruleset names the tiles that the word is asked with, if the word needs that."""
    return (bool(names_tiles(ir.args[0])),) if WORDS[ir.name].asks_if_named else ()


# --- operators


def apply(ir: typed.Apply, scene: Scene, letters: Letters) -> Any:
    if ir.op in ("and", "or"):
        return joined((evaluate(argument, scene, letters) for argument in ir.args), ir.op == "or")
    if ir.type == "truth" and ir.op != "not" and not tells(ir, scene):
        return None
    if ir.op in OF_TILES and ir.args[0].type in TILES:
        left, right = (operand(argument, scene, letters) for argument in ir.args)
        return OF_TILES[ir.op](left, right, scene)
    args = [evaluate(argument, scene, letters) for argument in ir.args]
    if ir.op == "tiles":
        return tiles_of(args[0], scene)
    if ir.op in ("in", "not_in"):
        return is_in(args[0], args[1]) == (ir.op == "in")
    if ir.op in ("==", "!="):
        return same(args[0], args[1], ir.args[0].type) == (ir.op == "==")
    return OPERATORS[ir.op](*args)


def joined(truths: Iterable[Any], decisive: bool) -> bool | None:
    """Whether any of the truths holds where True is decisive, or all of them where False is; None if one that is
    unknown may decide it."""
    unknown = False
    for truth in truths:
        if truth is None:
            unknown = True
        elif bool(truth) is decisive:
            return decisive
    return None if unknown else not decisive


def operand(ir: Ir, scene: Scene, letters: Letters) -> Operand:
    """The tiles of one side of a comparison."""
    match ir:
        case typed.Conditional():
            return operand(ir.then if evaluate(ir.test, scene, letters) else ir.other, scene, letters)
        case typed.Apply(op="union"):
            parts = [operand(argument, scene, letters) for argument in ir.args]
            return tuple(t for named, _ in parts for t in named), tuple(t for _, found in parts for t in found)
        case typed.Term(of=None) if names_tiles(ir) is None:
            return operand(ir.body, scene, letters)
    tiles = as_set(evaluate(ir, scene, letters))
    return (tiles, ()) if names_tiles(ir) else ((), tiles)


def divide(a: int | Fraction, b: int | Fraction) -> int | Fraction:
    """Exact; division by zero gives 0."""
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
    "-": lambda a, b: whole(a - b),
    "*": lambda a, b: whole(a * b),
    "/": divide,
    "%": lambda a, b: whole(a % b) if b else 0,
    "^": power,
    "neg": lambda a: -a,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "not": lambda a: None if a is None else not a,
    "size": lambda a: len(as_set(a)),
    "union": lambda *sets: tuple(member for members in sets for member in as_set(members)),
    "except": lambda a, b: tuple(member for member in a if member not in b),
}


def tiles_of(value: Any, scene: Scene) -> tuple[int, ...]:
    """The tiles of a suit, of groups or of parts."""
    if isinstance(value, str):
        return tuple(t.index for t in scene.data.tiles.tiles if t.suit == value)
    return tuple(tile for part in as_set(value) for tile in ((part,) if isinstance(part, int) else part.tiles))


def is_in(left: Any, right: Any) -> bool:
    """Whether every member of the left is in the right; an empty left is in nothing."""
    return bool(as_set(left)) and set(as_set(left)) <= set(as_set(right))


def same(left: Any, right: Any, type: str) -> bool:
    """Equal; sets whatever their order."""
    if type in SETS:
        return set(as_set(left)) == set(as_set(right))
    return bool(left == right)


# --- comparing tiles: by their kind, with a special tile that is named by its face


def is_special(tile: int, scene: Scene) -> bool:
    """Whether a named tile is a special copy."""
    return bool(scene.data.tiles.tiles[tile].marks)


def in_class(tiles: Tiles, members: Set[int], scene: Scene) -> bool:
    """Whether there are tiles, and each is of the class: its kind, or the special copy that it is."""
    return bool(tiles) and all(scene.plain(tile) in members or scene.face(tile) in members for tile in tiles)


def tiles_in(left: Operand, right: Operand, scene: Scene) -> bool:
    """Whether there are tiles on the left, and each of them is on the right."""
    known = {tile if is_special(tile, scene) else scene.plain(tile) for tile in right[0]}
    members = known | {scene.plain(tile) for tile in right[1]}
    if left[1] and not in_class(left[1], members, scene):
        return False
    faces = set(map(scene.face, right[1]))
    return bool(left[0] or left[1]) and all(
        tile in known or tile in faces or scene.plain(tile) in (known if is_special(tile, scene) else members)
        for tile in left[0]
    )


def same_tiles(left: Operand, right: Operand, scene: Scene) -> bool:
    """As many of each kind, and of each special copy that one side names as many as it names."""
    one, other = (*left[0], *left[1]), (*right[0], *right[1])
    if sorted(map(scene.plain, one)) != sorted(map(scene.plain, other)):
        return False
    return has_specials(left[0], other, scene) and has_specials(right[0], one, scene)


def has_specials(named: Tiles, tiles: Tiles, scene: Scene) -> bool:
    """Whether every named special copy occurs as often as it is named."""
    wanted = Counter(tile for tile in named if is_special(tile, scene))
    return not wanted or wanted <= Counter(map(scene.face, tiles))


def less_tiles(left: Operand, right: Operand, scene: Scene) -> Tiles:
    """The tiles of the left without those of the right, each removed once."""
    rest = [*left[0], *left[1]]
    for named, tiles in ((True, right[0]), (False, right[1])):
        for tile in tiles:
            gone = alike(tile, rest, scene, by_face=named and is_special(tile, scene))
            if gone is not None:
                rest.remove(gone)
    return tuple(rest)


def alike(tile: int, tiles: Sequence[int], scene: Scene, by_face: bool = False) -> int | None:
    """The one of the tiles that may be taken for a tile: itself, else one that looks the same, else one of its
    kind."""
    if tile in tiles:
        return tile
    face, plain = scene.face(tile), scene.plain(tile)
    found = next((one for one in tiles if scene.face(one) == face), None)
    return found if found is not None or by_face else next((one for one in tiles if scene.plain(one) == plain), None)


def same_tile(left: Operand, right: Operand, scene: Scene) -> bool:
    """Whether both are the very same tile; nothing is not a tile."""
    return left == right and left != ((), ())


OF_TILES: dict[str, Callable[[Operand, Operand, Scene], Any]] = {
    "in": tiles_in,
    "not_in": lambda left, right, scene: not tiles_in(left, right, scene),
    "==": same_tiles,
    "!=": lambda left, right, scene: not same_tiles(left, right, scene),
    "-": less_tiles,
    "is": same_tile,
    "is_not": lambda left, right, scene: not same_tile(left, right, scene),
}


# --- quantifiers


def quantified(ir: typed.Quantifier, scene: Scene, letters: Letters) -> Any:
    domain = as_set(evaluate(ir.domain, scene, letters))
    single = ir.domain.type not in ("number", "suits", "names")
    bound = [(member,) if single else member for member in domain]
    answers = (evaluate(ir.body, scene, {**letters, ir.letter: member}) for member in bound)
    if ir.op in ("any", "all"):
        return joined(answers, ir.op == "any") if tells(ir.domain, scene) else None
    if ir.op == "count":
        return sum(map(bool, answers))
    if ir.op == "sum":
        return whole(sum(answers))
    if ir.op == "those":
        return tuple(member for member, holds in zip(domain, answers, strict=True) if holds)
    return (min if ir.op == "min" else max)(answers, default=0)


# --- templates


def first_match(
    cases: Sequence[typed.WantedCase], scene: Scene, letters: Letters = NO_LETTERS
) -> frozenset[int] | None:
    """The groups, by their place in the reading, of the first match in the order of the hand, if there is one."""
    found = (match for case in possible(cases, scene) for match in matchings(case, scene, letters))
    return next(found, None)


def possible(cases: Sequence[typed.WantedCase], scene: Scene) -> Iterator[typed.WantedCase]:
    """The cases for all of whose wants the reading may have a group: a quick rejection."""
    held = {part.group for part in scene.parts}
    for case in cases:
        for want in case.wants:
            if held.isdisjoint(want.groups) and held.isdisjoint(want.meld_groups) and not want.tiles:
                break
        else:
            yield case


def matchings(case: typed.WantedCase, scene: Scene, letters: Letters = NO_LETTERS) -> Iterator[frozenset[int]]:
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


def selections(free: list[int], want: typed.Want, scene: Scene) -> Iterator[frozenset[int]]:
    """Every way to take the needed number of free groups, in the order of the hand."""

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


def fits(want: typed.Want, scene: Scene, letters: Letters) -> list[int]:
    """The groups of the reading that may meet the want; if they are too few, perhaps some more."""
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


def is_wanted(part: Part, want: typed.Want) -> bool:
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


def matches(ir: typed.Matches, scene: Scene) -> bool:
    """Some spelling of the tiles matches: each wild tile as itself or as what it stands for."""
    regular = compile_pattern(ir.regex)
    ask = regular.search if ir.anywhere else regular.fullmatch
    rows = rows_of(ir, scene)
    choices = islice(product(*(tile for row in rows for tile in row)), MOST_SPELLINGS)
    return any(ask(text) for text in {spelling(tiles, [len(row) for row in rows], ir, scene) for tiles in choices})


def rows_of(ir: typed.Matches, scene: Scene) -> Sequence[Sequence[tuple[int, ...]]]:
    """The text row by row: for each tile what it may count as."""
    if ir.of == "bonus":
        return [[(scene.plain(tile),) for tile in scene.zone("bonus", scene.seat)]]
    if ir.order == "sorted" and not ir.stands_for:
        return [scene.either]
    rows = [tiles[: counted_size(group, scene)] if ir.stands_for else tiles for group, tiles in scene.pieces]
    return rows if ir.order == "groups" else [[tile for row in rows for tile in row]]


def counted_size(group: int, scene: Scene) -> int | None:
    """How many tiles a group counts as: of one that stands for another those of that; None without a group."""
    return None if group < 0 else scene.data.groups.size(group)


def spelling(tiles: Sequence[int], lengths: Sequence[int], ir: typed.Matches, scene: Scene) -> str:
    """The text of rows of these lengths: each sorted, larger ones first, equal ones in the order of their tiles."""
    tileset, start = scene.data.tiles, 0
    places = notation_of(tileset).string_places
    rows = []
    for length in lengths:
        row = string_sorted((tileset.tiles[tile].plain for tile in tiles[start : start + length]), tileset)
        rows.append((-length, [places[tile] for tile in row], row))
        start += length
    return "".join(tile_string(row, tileset, suits=ir.suits) for _, _, row in sorted(rows))
