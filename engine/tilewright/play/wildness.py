"""Wildness: which tiles are wild just now, where only the table knows. In: a program and a scene. Out: the program in
which those tiles are wild.

Tiles may be named by a mark of the table (`tiles: [lucky]`), and wild only `when` something holds. Everything below
knows wild tiles as part of the tile set, so each set of them has a program of its own, made once.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from tilewright.play.scene import FACTS, TableScene
from tilewright.tiles.tileset import TileClass, Wild

if TYPE_CHECKING:
    from tilewright.play.program import Program

Now = tuple[tuple[frozenset[int], frozenset[int]], ...]  # of each kind of wild tiles: which, and what they may be
NOTHING: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())
MOST_KNOWN = 100


def wild_now(program: "Program", scene: TableScene) -> Now:
    """The tiles that are wild at the table. What is asked is asked from the dealer's place."""
    return tuple(wild_at(program, wild, scene) for wild in program.data.tiles.wild)


def wild_at(program: "Program", wild: Wild, scene: TableScene) -> tuple[frozenset[int], frozenset[int]]:
    when = program.data.wild_when.get(wild.id)
    if when is not None and not program.answer(when)(scene, {}):
        return NOTHING
    return told(wild.tiles, scene), told(wild.stands_for, scene)


def told(members: TileClass, scene: TableScene) -> frozenset[int]:
    """The plain tiles of a class with those that its words name."""
    if not members.words:
        return members.tiles
    named = [scene.fact(word) if word in FACTS else scene.remembered(word) for word in members.words]
    return members.tiles | {scene.plain(tile) for tiles in named for tile in tiles or ()}


def as_wild(program: "Program", now: Now) -> "Program":
    """The program in which these tiles are wild."""
    known = program.as_wild
    if now not in known:
        if len(known) >= MOST_KNOWN:
            known.clear()
        known[now] = made_wild(program, now)
    return known[now]


def made_wild(program: "Program", now: Now) -> "Program":
    tiles = program.data.tiles
    wild = tuple(
        Wild(wild.id, TileClass(which), TileClass(stands), wild.groups, wild.zones)
        for wild, (which, stands) in zip(tiles.wild, now, strict=True)
        if which and stands
    )
    data = replace(program.data, tiles=replace(tiles, wild=wild))
    return replace(program, rules=type(program.rules)(data), moves={})
