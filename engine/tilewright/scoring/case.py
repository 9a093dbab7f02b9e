"""Cases: a hand as people and programs write it in, a situation or its mistake out.

The shape of a case is a contract (docs/cases.md); an entry of `examples` or `cases` in a ruleset is one too.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import fields
from itertools import combinations
from math import isnan
from operator import attrgetter
from types import NoneType
from typing import Any, NoReturn

from tilewright.base.arguments import plain
from tilewright.hands.reading import Hand
from tilewright.language.compiled.ir import Lookup, nodes, zones_in
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.documents.former import case_today, old_names_once, warn
from tilewright.language.vocabulary.case import case_fields
from tilewright.scoring.cases.hands import read_hand
from tilewright.scoring.cases.known import KnownTable, T, held_as, key_of, known_of, remember_plain
from tilewright.scoring.cases.mistakes import CaseError, way_out
from tilewright.scoring.cases.tables import read_lying, read_table
from tilewright.scoring.plain.scene import HandScene
from tilewright.scoring.plain.situation import Situation
from tilewright.scoring.plain.walker import evaluate
from tilewright.tiles.notation import write_tile

KEYS = tuple(case_fields())
BESIDE = ("ruleset", "expect", "play", "wall", "name", "about", "source")  # for those who keep case files
ALL_KEYS = frozenset({*KEYS, *BESIDE})
NOT_OF_TABLE = frozenset({"hand", "melds", "win_tile", "win", "bonus", "id", *BESIDE} - {"wall"})
PLAIN = frozenset({str, list, tuple, dict, bool, int, NoneType})  # of what a case says
TABLE_FIELDS = attrgetter(*[one.name for one in fields(Situation)[1:]])  # all but the hand, in their order
MOST_MISSING = 3  # flags that a hint names together


def read_case(data: CompiledRuleset, case: Mapping[str, Any]) -> Situation:
    """The situation that a case describes: known words only, tiles that exist, no more copies than there are. A name
    that something has no longer still means it."""
    return with_former_names(data, case, read_as_written)


def with_former_names(
    data: CompiledRuleset, given: Mapping[str, Any], reading: Callable[[CompiledRuleset, Mapping[str, Any]], T]
) -> T:
    """What a case or a layout says, read again with the names of today where it has old ones."""
    try:
        return reading(data, given)
    except CaseError:
        today, changes = case_today(given, data.former) if isinstance(given, Mapping) else ({}, ())
        if not changes:
            raise
        for problem in old_names_once(changes):
            warn(problem)
        return reading(data, today)


def read_as_written(data: CompiledRuleset, case: Mapping[str, Any]) -> Situation:
    """The same of names as they are today."""
    expect_case(case)
    if not PLAIN.issuperset(map(type, case.values())):
        case = plain_case(case)
    tables = known_of(data).tables
    beside = {name: value for name, value in case.items() if name not in NOT_OF_TABLE}
    key = key_of(beside)
    table = tables.get(key)
    if table is None and not ALL_KEYS.issuperset(case):
        name = next(name for name in case if name not in ALL_KEYS)
        raise CaseError("unknown-key", f"a case has no {name!r}", way_out(str(name), KEYS))
    hand = read_hand(data, case)
    if table is None:
        table = remember_plain(tables, key, beside, KnownTable(TABLE_FIELDS(read_table(data, plain(case)))))
    situation = Situation(hand, *table.fields)
    check_copies(data, situation)
    check_flags(data, situation, table.fitting)
    return situation


def expect_case(case: object) -> None:
    """Raise CaseError for what is no case at all."""
    if not isinstance(case, Mapping):
        raise CaseError(
            "not-a-case", f"a case is a mapping, not {case!r:.40}", 'for instance {"hand": "...", "win_tile": "..."}'
        )


def plain_case(case: Mapping[str, Any]) -> dict[str, Any]:
    """The case without numpy and pandas. Raises CaseError for a missing value of theirs."""
    found: dict[str, Any] = plain(case)
    for key, value in found.items():
        if isinstance(value, float) and isnan(value):
            raise CaseError("wrong-value", f"{key} is missing: it is {value}", "leave out what is not known")
    return found


# --- checks


def read_seen(data: CompiledRuleset, situation: Situation, value: object) -> tuple[int, ...]:
    """The visible tiles elsewhere: together with those held, no more than exist."""
    seen = read_lying(data, value, "seen")
    check_copies(data, situation, seen)
    return seen


def check_copies(data: CompiledRuleset, situation: Situation, seen: tuple[int, ...] = ()) -> None:
    """Check that no tile is held, or held and seen, more often than it exists."""
    known, held = known_of(data), held_in(situation.hand)
    held += seen
    for hand in situation.others.values():
        held += held_in(hand)
    if known.packed is not None and known.packed.fit(held):
        return
    tiles = data.tiles.tiles
    faces = Counter([held_as(data, face) for face in held])
    where = "held or seen" if seen else "held"
    plain = Counter[int]()
    for face, number in faces.items():
        plain[tiles[face].plain] += number
        if number > known.faces[face]:
            too_many(data, face, number, known.faces[face], where)
    for tile, number in plain.items():
        if number > known.box[tile]:
            too_many(data, tile, number, known.box[tile], where)


def limits_of(data: CompiledRuleset) -> list[int]:
    """How many of each face may be held, then how many of each plain tile."""
    known, faces = known_of(data), range(len(data.tiles.tiles))
    return [*(known.faces[face] for face in faces), *(known.box[tile] for tile in faces)]


def too_many(data: CompiledRuleset, tile: int, number: int, copies: int, where: str) -> NoReturn:
    there = f"there {'is' if copies == 1 else 'are'} {copies}"
    held = f"{number} of {write_tile(tile, data.tiles)} are {where}, but {there}"
    raise CaseError("too-many-copies", held)


def held_in(hand: Hand) -> list[int]:
    """Every tile of a seat."""
    held = [*hand.tiles, *hand.bonus] if hand.win is None else [*hand.tiles, hand.win, *hand.bonus]
    for meld in hand.melds:
        held += meld.tiles
    return held


def check_flags(data: CompiledRuleset, situation: Situation, fitting: set[bool]) -> None:
    """Check that no flag contradicts the hand, or needs another one that is missing; `fitting` tells of which hands at
    this table that is known."""
    if not situation.flags and not situation.marks and not situation.flags_of:
        return
    known, exposed = known_of(data), any(meld.exposed for meld in situation.hand.melds)
    if exposed in fitting:
        return
    given = flags_given(situation)
    if given & known.needy:
        check_needs(data, given, HandScene(data, situation))
    for seat, flags in situation.flags_of.items():
        if not known.needy.isdisjoint(own := flags & known.of_seat):
            check_needs(data, own, HandScene(data, situation).of_seat(seat))
    if known.tile_needy.isdisjoint(given.union(*situation.flags_of.values())):
        fitting.add(exposed)


def flags_given(situation: Situation) -> frozenset[str]:
    """The flags of the scored seat, and the truths among its marks."""
    return situation.flags | {name for name, value in situation.marks.items() if value is True}


def fits_hands_alike(data: CompiledRuleset, situation: Situation) -> bool:
    """Whether the flags of a case that was checked contradict no other hand and zones in their place, if it is as
    concealed."""
    given = flags_given(situation).union(*situation.flags_of.values())
    asked = known_of(data).needy & given
    zones = (zone for name in asked for zone in zones_in(data.needs[name]))
    return known_of(data).tile_needy.isdisjoint(asked) and not any(zones)


def check_needs(data: CompiledRuleset, flags: frozenset[str], scene: HandScene) -> None:
    """Check that the needs of these flags hold."""
    for name in sorted(flags & known_of(data).needy):
        needs = data.needs[name]
        if evaluate(needs, scene) in (True, None):
            continue
        found = (node.name for node in nodes(needs) if isinstance(node, Lookup) and node.kind == "mark")
        others = [other for other in dict.fromkeys(found) if other not in flags and data.marks[other].type == "truth"]
        several = (some for size in range(1, MOST_MISSING + 1) for some in combinations(others, size))
        missing = next((some for some in several if evaluate(needs, scene.flagged(some))), None)
        if missing is not None:
            named = " and ".join(map(repr, missing))
            raise CaseError("missing-flag", f"the flag {name!r} holds only with {named}", f"add the flag {named}")
        raise CaseError(
            "contradicted-flag",
            f"the hand contradicts the flag {name!r}",
            "leave out the flag, or change the rest of the case",
        )
