"""The expressions of the play, laid out as functions (play/expressions.py), say what the tree walker says: every one of
every ruleset, at tables in the middle of games, from every seat, with whatever may be chosen. `test_play_scenes` asks
those of scenes."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from itertools import cycle, islice, product
from random import Random
from typing import Any, get_args

import pytest
from budget import every
from games import mostly_soaked
from play_worlds import WORLDS, World, played, started

from tilewright.language.compiled.ir import Ir, Lookup, Quantifier, WordCall, nodes
from tilewright.play.match import Match
from tilewright.play.model import TableMeld
from tilewright.play.scene import TableScene
from tilewright.scoring.plain.walker import evaluate

DRAFTS = ("cantonese", "chinese_classical", "mcr", "uzje", "zung_jung_plus")
GAMES = (*WORLDS, *(World(f"drafts/{name}.yaml") for name in DRAFTS))
# Of every second one a game that somebody wins soon, of the others one as it comes; both of all in `make soak`.
NEAR = mostly_soaked(product(GAMES, (False, True)), [*zip(GAMES, cycle((False, True)), strict=False)])
SLOW = frozenset({"potential", "waits", "distance", "possible", "wins"})
KINDS = get_args(Ir)


def expressions(part: Any) -> Iterator[Ir]:
    """Every whole expression of a play."""
    if isinstance(part, KINDS):
        yield part
    elif isinstance(part, Mapping):
        yield from expressions(tuple(part.values()))
    elif isinstance(part, tuple):
        for one in part:
            yield from expressions(one)
    elif is_dataclass(part):
        for one in fields(part):
            yield from expressions(getattr(part, one.name))


def play_of(game: Match) -> list[Ir]:
    """Every expression of the play, of terms, marks and zones, once."""
    data = game.program.data
    parts = (game.program.play, data.terms, data.marks, data.zones, data.seats)
    return list(dict.fromkeys(ir for part in parts for ir in expressions(part)))


def is_slow(ir: Ir) -> bool:
    return any(isinstance(node, Lookup | WordCall) and node.name in SLOW for node in nodes(ir))


# --- what may be chosen


def chosen(game: Match, ir: Ir, seat: int, lots: Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """Values for the choices that an expression names, and what is then in question."""
    letters = {
        node.name: value_of(game, node.type, seat, lots)
        for node in nodes(ir)
        if isinstance(node, Lookup) and node.kind == "choice" and node.name not in game.answered
    }
    facts = {name: letters[name] for name in ("tile", "group") if name in letters}
    if lots.random() < 0.5 and game.zones["hand"][seat]:
        facts.setdefault("tile", (lots.choice(game.zones["hand"][seat]),))
    group = value_of(game, "group", seat, lots)
    if group and lots.random() < 0.5:
        facts.setdefault("group", group)
    return letters, facts


def value_of(game: Match, type: str, seat: int, lots: Random) -> Any:
    """Something of a type that there is at this table."""
    if type == "tile":
        return (lots.choice(game.program.box),)
    if type == "tiles":
        return tuple(lots.sample(game.program.box, lots.randint(0, 3)))
    if type in ("group", "groups"):
        groups: list[TableMeld] = [group for row in game.zones["melds"] for group in row]
        return (lots.choice(groups),) if groups else ()
    if type in ("seat", "seats"):
        return (lots.choice(game.program.everyone),)
    if type == "suit":
        suits = game.program.data.tiles.suits
        return lots.choice(suits).id if suits else ""
    if type == "direction":
        return lots.choice(["left", "right", "across"])
    return {"number": lots.randint(0, 4), "truth": lots.random() < 0.5, "name": ""}.get(type, ())


# --- both ways


def asked(ask: Any, *args: Any) -> Any:
    """The value, or the kind of the error that there is in its place."""
    try:
        return ask(*args)
    except Exception as error:
        return type(error)


def compare(game: Match, found: list[Ir], lots: Random, slow: bool) -> int:
    """Ask every expression from every seat, both ways; how often something else than nothing came of it."""
    full = 0
    for seat in game.program.everyone:
        for ir in found:
            if is_slow(ir) and not slow:
                continue
            letters, facts = chosen(game, ir, seat, lots)
            scene = TableScene(game, seat, letters, facts)
            answer, walked = asked(game.program.evaluator(ir), scene, {}), asked(evaluate, ir, scene, {})
            if ir.type == "seats":  # a set, whatever its order
                answer, walked = sorted(answer), sorted(walked)
            assert answer == walked, (ir, seat, letters, facts)
            assert not isinstance(answer, type), (ir, answer)
            full += bool(answer)
    return full


@pytest.mark.slow
@pytest.mark.parametrize(("world", "near"), NEAR, ids=str)
def test_every_expression_of_a_ruleset(world: World, near: bool) -> None:
    lots, full = Random(61), 0
    game = started(world, 61, near=near)
    found = play_of(game)
    for number, here in enumerate(islice(played(game, 61), 0, None, every(31))):
        full += compare(here, found, lots, slow=number % 3 == 0)
    assert full > 20


@pytest.mark.slow
def test_expressions_are_found() -> None:
    """There are many, of every kind."""
    found = [node for world in GAMES for ir in play_of(started(world, 1)) for node in nodes(ir)]
    kinds = {type(node).__name__ for node in found}
    assert kinds >= {
        "Const",
        "Lookup",
        "Term",
        "WordCall",
        "Apply",
        "Conditional",
        "Var",
        "Quantifier",
        "PickedMembers",
    }
    assert {node.op for node in found if isinstance(node, Quantifier)} >= {"any", "all", "count", "those"}
    assert len(found) > 1_000
