"""Expressions: an expression in, a function of a scene that gives its value out.

The tree walker (`tilewright.scoring.plain.walker`) is the plain way and the oracle; what a game evaluates at every turn
is compiled here to closures that do the same in fewer steps. Rare cases are left to the walker.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from tilewright.language.compiled.ir import (
    Apply,
    Conditional,
    Const,
    Ir,
    Lookup,
    PickedMembers,
    Quantifier,
    Term,
    Var,
    WordCall,
    names_tiles,
)
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.vocabulary.declare import EXTREMES
from tilewright.language.vocabulary.words import WORDS
from tilewright.play.scene import TableScene
from tilewright.scoring.plain.walker import (
    OF_TILES,
    OPERATORS,
    SETS,
    TILES,
    as_set,
    empty,
    evaluate,
    is_in,
    operand,
    same,
    tiles_of,
    whole,
)

Letters = Mapping[str, Any]
Evaluator = Callable[[TableScene, Letters], Any]
NO_LETTERS: Letters = {}


def evaluator_of(ir: Ir, data: CompiledRuleset) -> Evaluator:
    """The function that evaluates this expression."""
    match ir:
        case Const():
            value = as_set(ir.value) if ir.type in SETS else ir.value
            return lambda scene, letters: value
        case Var():
            name = ir.name
            return lambda scene, letters: letters[name]
        case Lookup():
            return word(ir, data)
        case Term():
            return over_seats(ir, evaluator_of(ir.body, data), data)
        case WordCall():
            return call(ir, data)
        case Apply():
            return apply(ir, data)
        case Conditional():
            test, then, other = (evaluator_of(part, data) for part in (ir.test, ir.then, ir.other))
            return lambda scene, letters: (then if test(scene, letters) else other)(scene, letters)
        case Quantifier():
            return quantified(ir, data)
        case PickedMembers():
            test, seats = evaluator_of(ir.test, data), evaluator_of(ir.seats, data)
            return lambda scene, letters: tuple(s for s in seats(scene, letters) if test(scene.of_seat(s), letters))
        case _:
            return partial(plainly, ir)


def plainly(ir: Ir, scene: TableScene, letters: Letters) -> Any:
    """The value that the tree walker finds."""
    return evaluate(ir, scene, letters)


# --- words


def word(ir: Lookup, data: CompiledRuleset) -> Evaluator:
    if ir.of is not None and ir.of.type not in ("seat", "seats"):
        return partial(plainly, ir) if ir.of.type == "name" else word_of_thing(ir, ir.of, data)
    return over_seats(ir, word_of_seat(ir), data)


def word_of_thing(ir: Lookup, of: Ir, data: CompiledRuleset) -> Evaluator:
    """The function that evaluates a word of tiles or groups."""
    things, ask = evaluator_of(of, data), WORDS[ir.name].ask

    def of_groups(scene: TableScene, letters: Letters) -> Any:
        answers = [ask(scene, group) for group in things(scene, letters)]
        return tuple(dict.fromkeys([member for answer in answers for member in answer]))

    def of_tiles(scene: TableScene, letters: Letters) -> Any:
        return ask(scene, as_set(things(scene, letters)))

    return of_groups if of.type in ("group", "groups") else of_tiles


def word_of_seat(ir: Lookup) -> Evaluator:
    """The function that evaluates a word of a seat."""
    name = ir.name
    if ir.kind == "word":
        ask = WORDS[name].ask
        return lambda scene, letters: ask(scene)
    if ir.kind == "measure":
        return lambda scene, letters: scene.values.get(name, 0)
    if ir.kind == "zone":
        return lambda scene, letters: scene.zone(name, scene.seat)
    remembered = TableScene.marked if ir.kind == "mark" else TableScene.remembered
    nothing, is_set = empty(ir.type), ir.type in SETS

    def memory(scene: TableScene, letters: Letters) -> Any:
        value = remembered(scene, name)
        return nothing if value is None else as_set(value) if is_set else value

    return memory


def over_seats(ir: Lookup | Term, ask: Evaluator, data: CompiledRuleset) -> Evaluator:
    """The word of the acting seat, or of each seat of `of`."""
    if ir.of is None:
        return ask
    seats, many, nothing = evaluator_of(ir.of, data), ir.type in SETS, empty(ir.type)

    def asked(scene: TableScene, letters: Letters) -> Any:
        answers = [ask(scene.of_seat(seat), letters) for seat in seats(scene, letters)]
        if many:
            return answers[0] if len(answers) == 1 else tuple(member for answer in answers for member in answer)
        return answers[0] if answers else nothing

    return asked


def call(ir: WordCall, data: CompiledRuleset) -> Evaluator:
    if ir.name in EXTREMES:
        return partial(plainly, ir)
    args = [evaluator_of(argument, data) for argument in ir.args]
    if ir.name == "towards":
        way, origin = args

        def towards(scene: TableScene, letters: Letters) -> Any:
            seats = origin(scene, letters)
            return scene.towards(way(scene, letters), seats[0]) if seats else ()

        return towards
    declared, nothing, (about, *more) = WORDS[ir.name], empty(ir.type), args
    ask = partial(declared.ask, named=bool(names_tiles(ir.args[0]))) if declared.asks_if_named else declared.ask
    if not declared.takes_seat(ir.args[0].type):
        if not more:
            return lambda scene, letters: ask(scene, about(scene, letters))
        return lambda scene, letters: ask(scene, *[argument(scene, letters) for argument in args])

    def of_seat(scene: TableScene, letters: Letters) -> Any:
        seats = about(scene, letters)
        return ask(scene, seats[0], *[argument(scene, letters) for argument in more]) if seats else nothing

    return of_seat


# --- operators


def apply(ir: Apply, data: CompiledRuleset) -> Evaluator:
    if ir.op == "size" and isinstance(ir.args[0], Lookup) and ir.args[0].kind == "zone" and ir.args[0].of is None:
        name = ir.args[0].name
        if name != "hand":
            return lambda scene, letters: scene.game.size(name, scene.seat)
    if ir.op in OF_TILES and ir.args[0].type in TILES:
        return of_tiles(ir, data)
    args = [evaluator_of(argument, data) for argument in ir.args]
    if ir.op in ("and", "or"):
        return all_of(args) if ir.op == "and" else any_of(args)
    if ir.op == "not":
        (negated,) = args
        return lambda scene, letters: not negated(scene, letters)
    if ir.op == "tiles":
        (thing,) = args
        return lambda scene, letters: tiles_of(thing(scene, letters), scene)
    if len(args) == 2 and (ir.op in ("in", "not_in", "==", "!=")):
        return compared(ir, *args)
    operator = OPERATORS[ir.op]
    if len(args) == 2:
        one, other = args
        return lambda scene, letters: operator(one(scene, letters), other(scene, letters))
    return lambda scene, letters: operator(*[arg(scene, letters) for arg in args])


def all_of(args: list[Evaluator]) -> Evaluator:
    if len(args) == 2:
        one, other = args
        return lambda scene, letters: bool(one(scene, letters) and other(scene, letters))

    def ask(scene: TableScene, letters: Letters) -> bool:
        for arg in args:  # noqa: SIM110 - a generator takes longer, and conditions are asked at every turn
            if not arg(scene, letters):
                return False
        return True

    return ask


def any_of(args: list[Evaluator]) -> Evaluator:
    def ask(scene: TableScene, letters: Letters) -> bool:
        for arg in args:  # noqa: SIM110 - as above
            if arg(scene, letters):
                return True
        return False

    return ask


def compared(ir: Apply, left: Evaluator, right: Evaluator) -> Evaluator:
    """Membership and equality."""
    if ir.op in ("in", "not_in"):
        return lambda scene, letters: is_in(left(scene, letters), right(scene, letters)) == (ir.op == "in")
    type = ir.args[0].type
    if type in ("seat", "number", "truth", "name", "suit"):
        if ir.op == "==":
            return lambda scene, letters: bool(left(scene, letters) == right(scene, letters))
        return lambda scene, letters: bool(left(scene, letters) != right(scene, letters))
    return lambda scene, letters: same(left(scene, letters), right(scene, letters), type) == (ir.op == "==")


def of_tiles(ir: Apply, data: CompiledRuleset) -> Evaluator:
    """A comparison of tiles: those of sets that are known or evaluated as a whole are done here, others by the
    walker."""
    left, right = ir.args
    if ir.op in ("in", "not_in") and isinstance(right, Const):
        return known_class(ir, evaluator_of(left, data), right, data)
    if ir.op in ("is", "is_not"):
        return the_very_same(evaluator_of(left, data), evaluator_of(right, data), ir.op == "is")
    if ir.op == "-" or not all(is_plain(side, data) for side in ir.args):
        return partial(plainly, ir)
    compare = kinds_in if ir.op in ("in", "not_in") else same_kinds
    return compare(evaluator_of(left, data), evaluator_of(right, data), ir.op in ("in", "=="))


def is_plain(ir: Ir, data: CompiledRuleset) -> bool:
    """Whether it names no special tile, so that only the kinds of its tiles matter."""
    if isinstance(ir, Const):
        return not any(data.tiles.tiles[tile].marks for tile in as_set(ir.value))
    if isinstance(ir, Apply) and ir.op == "union":
        return all(is_plain(arg, data) for arg in ir.args)
    return names_tiles(ir) is False


def known_class(ir: Apply, left: Evaluator, known: Const, data: CompiledRuleset) -> Evaluator:
    """Membership in a class that the ruleset names."""
    members = frozenset(as_set(known.value))
    positive, special = ir.op == "in", not is_plain(known, data)

    def ask(scene: TableScene, letters: Letters) -> bool:
        tiles = left(scene, letters)
        plain, face = scene.game.program.plain, scene.game.program.face
        for tile in tiles:
            if plain[tile] not in members and not (special and face[tile] in members):
                return not positive
        return bool(tiles) == positive

    return ask


def kinds_in(left: Evaluator, right: Evaluator, positive: bool) -> Evaluator:
    def ask(scene: TableScene, letters: Letters) -> bool:
        tiles, plain = left(scene, letters), scene.game.program.plain
        if not tiles:
            return not positive
        members = {plain[tile] for tile in right(scene, letters)}
        for tile in tiles:
            if plain[tile] not in members:
                return not positive
        return positive

    return ask


def same_kinds(left: Evaluator, right: Evaluator, positive: bool) -> Evaluator:
    def ask(scene: TableScene, letters: Letters) -> bool:
        one, other, plain = left(scene, letters), right(scene, letters), scene.game.program.plain
        if len(one) != len(other):
            return not positive
        if len(one) == 1:
            equal: bool = plain[one[0]] == plain[other[0]]
        else:
            equal = sorted([plain[tile] for tile in one]) == sorted([plain[tile] for tile in other])
        return equal == positive

    return ask


def the_very_same(left: Evaluator, right: Evaluator, positive: bool) -> Evaluator:
    def ask(scene: TableScene, letters: Letters) -> bool:
        one = left(scene, letters)
        return bool(one and one == right(scene, letters)) == positive

    return ask


def class_of(members: Sequence[Ir], data: CompiledRuleset) -> Evaluator:
    """The kinds of several classes combined, and the special tiles that they name."""
    if all(isinstance(ir, Const) for ir in members):
        known = frozenset(tile for ir in members if isinstance(ir, Const) for tile in as_set(ir.value))
        return lambda scene, letters: known

    def ask(scene: TableScene, letters: Letters) -> frozenset[int]:
        plain = scene.game.program.plain
        sides = [operand(ir, scene, letters) for ir in members]
        named = [tile for names, _ in sides for tile in names]
        return frozenset([*named, *(plain[tile] for _, found in sides for tile in found)])

    return ask


def quantified(ir: Quantifier, data: CompiledRuleset) -> Evaluator:
    domain, body, letter = evaluator_of(ir.domain, data), evaluator_of(ir.body, data), ir.letter
    single = ir.domain.type not in ("number", "suits", "names")
    if ir.op in ("any", "all"):
        return decided(domain, body, letter, single, ir.op == "any")
    fold = FOLDS[ir.op]

    def ask(scene: TableScene, letters: Letters) -> Any:
        members = as_set(domain(scene, letters))
        inner = dict(letters)

        def answers() -> Any:
            for member in members:
                inner[letter] = (member,) if single else member
                yield body(scene, inner)

        return fold(members, answers())

    return ask


def decided(domain: Evaluator, body: Evaluator, letter: str, single: bool, wanted: bool) -> Evaluator:
    """Whether one member decides (some holds, or some does not)."""

    def ask(scene: TableScene, letters: Letters) -> bool:
        inner = dict(letters)
        for member in as_set(domain(scene, letters)):
            inner[letter] = (member,) if single else member
            if bool(body(scene, inner)) == wanted:
                return wanted
        return not wanted

    return ask


FOLDS: dict[str, Callable[[Any, Any], Any]] = {
    "count": lambda members, answers: sum(map(bool, answers)),
    "sum": lambda members, answers: whole(sum(answers)),
    "those": lambda members, answers: tuple(m for m, holds in zip(members, answers, strict=True) if holds),
    "min": lambda members, answers: min(answers, default=0),
    "max": lambda members, answers: max(answers, default=0),
}
