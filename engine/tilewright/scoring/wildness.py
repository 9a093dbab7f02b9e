"""Wildness: which tiles are wild at present, where only the table knows. In: a ruleset, and a scene or a case of
the table. Out: the ruleset in which those tiles are wild.

Tiles may be named by a mark of the table (`tiles: [lucky]`), and wild only `when` something holds. Everything below
knows wild tiles as part of the tile set, so each set of them makes a ruleset of its own. Play asks a table, scoring
a case: both use this module.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from tilewright.hands.reading import Hand
from tilewright.language.compiled.ir import Ir, Lookup, nodes
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.vocabulary.declare import Scene
from tilewright.language.vocabulary.words import WORDS
from tilewright.scoring.case import expect_case, flags_in, read_flags, read_mark, read_zones
from tilewright.scoring.case_hands import tiles_of
from tilewright.scoring.plain.scene import HandScene, Situation
from tilewright.scoring.plain.walker import evaluate
from tilewright.tiles.tileset import TileClass, Wild

Now = tuple[tuple[frozenset[int], frozenset[int]], ...]  # of each kind of wild tiles: which, and what they may be
Holds = Callable[[Ir, Any], bool]
NOTHING: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())


def shifts(data: CompiledRuleset) -> bool:
    """Which tiles are wild depends on the table."""
    return bool(data.wild_when) or any(one.tiles.words or one.stands_for.words for one in data.tiles.wild)


def wild_now(data: CompiledRuleset, scene: Scene, holds: Holds = evaluate) -> Now:
    """The tiles that are wild at the scene, evaluated for the dealer."""
    return tuple(wild_at(data, wild, scene, holds) for wild in data.tiles.wild)


def wild_at(data: CompiledRuleset, wild: Wild, scene: Scene, holds: Holds) -> tuple[frozenset[int], frozenset[int]]:
    when = data.wild_when.get(wild.id)
    if when is not None and not holds(when, scene):
        return NOTHING
    return told(wild.tiles, scene), told(wild.stands_for, scene)


def told(members: TileClass, scene: Scene) -> frozenset[int]:
    """The plain tiles of a class with those that its words name."""
    named = (tile for word in members.words for tile in evaluate(word_of(word), scene))
    return members.tiles.union(map(scene.plain, named))


def word_of(name: str) -> Lookup:
    return Lookup("tiles", "word" if name in WORDS else "mark", name)


def with_wild(data: CompiledRuleset, now: Now) -> CompiledRuleset:
    """The ruleset in which these tiles are wild, whatever the table says."""
    wild = tuple(
        Wild(wild.id, TileClass(which), TileClass(stands), wild.groups, wild.zones)
        for wild, (which, stands) in zip(data.tiles.wild, now, strict=True)
        if which and stands
    )
    return replace(data, tiles=replace(data.tiles, wild=wild), wild_when={})


# --- in a case


def wild_in(data: CompiledRuleset, case: Mapping[str, Any]) -> Now:
    """The tiles that are wild at the table of a case. Raises CaseError."""
    expect_case(case)
    return wild_now(data, table_of(data, case), may_hold)


def may_hold(when: Ir, scene: Scene) -> bool:
    """Whether a condition holds; one that zones decide that the case leaves out does."""
    return evaluate(when, scene) in (True, None)


def table_of(data: CompiledRuleset, case: Mapping[str, Any]) -> HandScene:
    """What a case says of the table, as far as it decides about wild tiles."""
    given = case.get("marks")
    asked = set(marks_asked(data))
    marks = {
        name: read_mark(data, data.marks[name].type, value, name)
        for name, value in (given.items() if isinstance(given, Mapping) else ())
        if name in asked and not isinstance(value, Mapping)
    }
    round_wind = tiles_of(data, case, "round_wind")
    flags = read_flags(data, flags_in(case))
    zones = read_zones(data, {key: value for key, value in case.items() if key == "zones"})
    situation = Situation(
        Hand(()),
        won=False,
        seat_known=True,
        round_wind=round_wind[0] if round_wind else None,
        flags=flags,
        marks=marks,
        zones=zones,
    )
    return HandScene(data, situation, unflagged=None)


def marks_asked(data: CompiledRuleset) -> Iterator[str]:
    """The marks that decide about wild tiles."""
    for wild in data.tiles.wild:
        yield from (name for name in (*wild.tiles.words, *wild.stands_for.words) if name in data.marks)
    for when in data.wild_when.values():
        yield from (node.name for node in nodes(when) if isinstance(node, Lookup) and node.kind == "mark")
