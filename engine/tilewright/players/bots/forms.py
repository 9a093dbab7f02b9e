"""Narrower forms: the shapes of a ruleset restricted to fewer groups. Knows no worth and no table."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from tilewright.hands.distance.approach import Approach
from tilewright.hands.reading import Shape, Slot
from tilewright.hands.readings import ReadingSearch
from tilewright.language.compiled.ruleset import CompiledRuleset

Narrow = Callable[[Slot], Slot]


def approach_without(reader: ReadingSearch, tiles: frozenset[int], data: CompiledRuleset) -> Approach:
    """The tables of a reader, for hands that hold none of these tiles."""
    return Approach(within(reader, frozenset(tile.index for tile in data.tiles.tiles) - tiles, data))


def within(reader: ReadingSearch, tiles: frozenset[int], data: CompiledRuleset) -> ReadingSearch:
    """The reader, for hands of these tiles only; forms that are lists stay as they are."""
    kept = []
    for shape in reader.shapes:
        found = filled(shape, partial(of_tiles, tiles=tiles, data=data)) if shape.cases else shape
        kept += [] if found is None else [found]
    return ReadingSearch(reader.tiles, reader.groups, kept)


def limited(shape: Shape, narrow: Narrow) -> Iterator[Shape]:
    """The shape of narrower slots, if any is narrower and all can still be filled."""
    found = filled(shape, narrow)
    if found is not None and found != shape:
        yield found


def filled(shape: Shape, narrow: Narrow) -> Shape | None:
    """The shape of narrower slots; None if these cannot be filled."""
    cases = tuple(tuple(map(narrow, case)) for case in shape.cases)
    full = tuple(case for case in cases if all(slot.groups or slot.tiles for slot in case))
    return replace(shape, cases=full) if full else None


def of_tiles(slot: Slot, tiles: frozenset[int], data: CompiledRuleset) -> Slot:
    """Only groups of these tiles; a rank without a tile goes with its suit."""
    groups, faces = data.groups.groups, data.tiles.tiles
    inside = frozenset(i for i in slot.groups if all(t in tiles or not faces[t].copies for t in groups[i].tiles))
    melds = frozenset(i for i in slot.meld_groups if set(groups[i].tiles) <= tiles)
    if slot.each:
        return slot if slot.tiles <= tiles else replace(slot, tiles=frozenset())
    return replace(slot, groups=inside, meld_groups=melds, tiles=slot.tiles & tiles)


def of_kind(slot: Slot, kind: str, data: CompiledRuleset) -> Slot:
    """Only groups of one kind, in slots that allow several."""
    groups = data.groups.groups
    inside = frozenset(i for i in slot.groups if kind in groups[i].kinds)
    melds = frozenset(i for i in slot.meld_groups if kind in groups[i].meld_kinds or kind in groups[i].kinds)
    return replace(slot, groups=inside, meld_groups=melds) if inside else slot
