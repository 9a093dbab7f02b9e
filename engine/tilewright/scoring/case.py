"""Cases: a hand as people and programs write it in, a situation or its mistake out.

The shape of a case is a contract (docs/cases.md); an entry of `examples` or `cases` in a ruleset is one too. Reads what
is said of the table; hands are read by `case_hands`.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from fractions import Fraction
from itertools import combinations
from math import isfinite, isnan
from operator import attrgetter
from types import NoneType
from typing import Any, NoReturn

from tilewright.base.arguments import plain
from tilewright.hands.reading import Hand
from tilewright.language.compiled.ir import Lookup, nodes, zones_in
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.documents.former import case_today, old_names_once, warn
from tilewright.language.vocabulary.case import case_fields, fields_of_others
from tilewright.scoring.case_hands import (
    KnownTable,
    T,
    held_as,
    key_of,
    known_of,
    read,
    read_hand,
    read_seat,
    remember_plain,
    seats_hint,
)
from tilewright.scoring.case_mistakes import CaseError, given, suggestion, truth, way_out
from tilewright.scoring.plain.scene import HandScene, MarkValue, Situation
from tilewright.scoring.plain.walker import evaluate, whole
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


# --- tables: seats, winds, flags, marks, zones, and the hands of others

NO_HAND = Hand(())
NO_FLAGS: frozenset[str] = frozenset()
OF_OTHERS = tuple(fields_of_others())


def read_table(data: CompiledRuleset, case: Mapping[str, Any]) -> Situation:
    """Everything around the hand, which is left out."""
    zones = read_zones(data, case)
    seat = read_seat(data, case.get("seat_wind"), "seat_wind")
    discarder = read_seat(data, case.get("discarder"), "discarder")
    self_draw, won = truth(case, "self_draw", False), truth(case, "winner", True)
    unseated = data.seats.count - 1
    if discarder is not None and self_draw:
        raise CaseError("self-drawn-discard", "a self-drawn win has no discarder", "leave out one of the two")
    if discarder is not None and discarder == seat:
        raise CaseError("own-discard", "the discarder is the winner's own seat", "say self_draw instead")
    round_wind = read_round_wind(data, case.get("round_wind"))
    flags, marks = read_flags(data, flags_in(case)), read_marks(data, given(case, "marks", {}))
    here = unseated if seat is None else seat
    situation = Situation(
        NO_HAND,
        won,
        here,
        seat is not None,
        self_draw,
        discarder,
        round_wind,
        flags,
        marks,
        zones,
        {},
        flags_of_others(data, here, flags, {}) if marks or flags & known_of(data).of_seat else {},
    )
    return (
        with_others(data, situation, read_others(data, case, situation))
        if given(case, "others", {}) != {}
        else situation
    )


def read_round_wind(data: CompiledRuleset, value: object) -> int | None:
    """The wind of a round: its tile, or the wind of the seat of this name or number."""
    if value is None:
        return None
    try:
        tiles = read(data, value, "round_wind")
    except CaseError:
        place = round_named(data, value)
        if place is None:
            raise
        return data.seats.winds[place]
    if len(tiles) != 1:
        raise CaseError("wrong-value", f"round_wind is one tile, not {len(tiles)}")
    return tiles[0]


def round_named(data: CompiledRuleset, value: object) -> int | None:
    """The round, from 0, that is called by the name or number of a seat that has a wind."""
    with suppress(CaseError):
        seat = read_seat(data, value, "round_wind")
        return seat if seat is not None and seat < len(data.seats.winds) else None
    return None


def flags_in(case: Mapping[str, Any]) -> list[str]:
    """The flags that a case or a seat names."""
    flags = given(case, "flags", ())
    if not isinstance(flags, Collection) or isinstance(flags, str | Mapping):
        raise CaseError("wrong-flags", "flags are a list of names", 'for instance ["last_tile"]')
    for flag in flags:
        if not isinstance(flag, str):
            raise CaseError("wrong-flags", f"a flag is a name, not {flag!r}", 'for instance ["last_tile"]')
    return list(flags)


def read_flags(data: CompiledRuleset, flags: list[str]) -> frozenset[str]:
    if not flags:
        return NO_FLAGS
    known = known_of(data).flags
    for flag in flags:
        if flag not in known and flag not in data.scoring.ignored_flags:
            raise CaseError(
                "unknown-flag",
                f"{data.id} knows no flag {flag!r}",
                suggestion(flag, known) or "list it in scoring.ignored_flags to pass over it",
            )
    return frozenset(flags) & known


def read_marks(data: CompiledRuleset, marks: object) -> dict[str, MarkValue]:
    if marks == {}:
        return {}
    if not isinstance(marks, Mapping):
        raise CaseError("wrong-marks", "marks are a mapping of names to values", "for instance {ready: true}")
    for unknown in (mark for mark in marks if mark not in data.marks):
        raise CaseError("unknown-mark", f"{data.id} has no mark {unknown!r}", way_out(str(unknown), data.marks))
    return {name: read_mark(data, data.marks[name].type, value, name) for name, value in marks.items()}


def read_mark(data: CompiledRuleset, type: str, value: Any, name: str) -> MarkValue:
    if type == "number" and value.__class__ is int:
        return int(value)
    if type in ("tile", "tiles"):
        return read(data, value, name)
    if type == "seat":
        seat = read_seat(data, value, name)
        return () if seat is None else (seat,)
    if type == "truth" and isinstance(value, bool):
        return value
    if (
        type == "number"
        and isinstance(value, int | float | Fraction)
        and not isinstance(value, bool)
        and isfinite(value)
    ):
        return whole(Fraction(str(value)))
    if type not in ("truth", "number") and isinstance(value, str):
        return value
    raise CaseError("wrong-marks", f"mark {name} is a {type}, not {value!r}")


def read_zones(data: CompiledRuleset, case: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    zones = given(case, "zones", {})
    if not isinstance(zones, Mapping):
        raise CaseError("wrong-zones", "zones are a mapping of names to tiles", f"zones are {', '.join(data.zones)}")
    if "wall" in case:
        zones = {**zones, "wall": case["wall"]}
    for unknown in (zone for zone in zones if zone not in data.zones):
        raise CaseError("unknown-zone", f"{data.id} has no zone {unknown!r}", way_out(str(unknown), data.zones))
    found = {name: read_lying(data, tiles, name) for name, tiles in zones.items()}
    for name, tiles in found.items():
        check_room(data, name, tiles)
    return found


def check_room(data: CompiledRuleset, zone: str, tiles: Sequence[int]) -> None:
    """Check that no more tiles lie in the zone than ever do."""
    most = data.zones[zone].most
    if most is not None and len(tiles) > (number := evaluate(most, HandScene(data, Situation(NO_HAND)))):
        raise CaseError("wrong-zones", f"{zone} has {len(tiles)} tiles, more than {number}", "leave some out")


def read_lying(data: CompiledRuleset, value: object, what: str) -> tuple[int, ...]:
    """The tiles of a text or list that are on the table."""
    return read(data, value, what, lying=True)


def read_others(
    data: CompiledRuleset, case: Mapping[str, Any], situation: Situation
) -> dict[int, tuple[Hand, frozenset[str]]]:
    """The hands of the losers: seat -> hand with melds and bonus, and the flags that hold for it."""
    others = given(case, "others", {})
    if not isinstance(others, Mapping):
        raise CaseError("wrong-others", "others is a mapping of seats to their hands", seats_hint(data))
    result = {}
    for seat, held in others.items():
        index = read_seat(data, seat, "others")
        if index is None or not isinstance(held, Mapping) or index == situation.seat:
            raise CaseError(
                "wrong-others", f"others: {seat!r} is not another seat with a hand", "for instance {W: {hand: 123m}}"
            )
        for key in held:
            if key not in OF_OTHERS:
                raise CaseError("unknown-key", f"others: a seat has no {key!r}", way_out(str(key), OF_OTHERS))
        result[index] = read_hand(data, held, won=False), read_flags(data, flags_in(held))
    return result


def with_others(
    data: CompiledRuleset, situation: Situation, given: Mapping[int, tuple[Hand, frozenset[str]]]
) -> Situation:
    """The situation with the hands of the losers, and the flags that hold for them."""
    told = {seat: flags for seat, (_, flags) in given.items()}
    if any(told.values()) or situation.flags_of:
        situation = replace(situation, flags_of=flags_of_others(data, situation.seat, situation.flags, told))
    return replace(situation, others={seat: hand for seat, (hand, _) in given.items()})


def flags_of_others(
    data: CompiledRuleset, here: int, flags: frozenset[str], told: Mapping[int, frozenset[str]]
) -> dict[int, frozenset[str]]:
    """For every other seat the flags of the table, and its own."""
    of_table = flags - known_of(data).of_seat
    return {seat: of_table | told.get(seat, NO_FLAGS) for seat in range(data.seats.count) if seat != here}
