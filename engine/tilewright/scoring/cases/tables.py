"""Tables of cases: seats, winds, flags, marks, zones and the hands of others in, a situation without its hand out."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from math import isfinite
from typing import Any

from tilewright.hands.reading import Hand
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.vocabulary.case import fields_of_others
from tilewright.scoring.cases.hands import read, read_hand, read_seat, seats_hint
from tilewright.scoring.cases.known import known_of
from tilewright.scoring.cases.mistakes import CaseError, given, suggestion, truth, way_out
from tilewright.scoring.plain.scene import HandScene
from tilewright.scoring.plain.situation import MarkValue, Situation
from tilewright.scoring.plain.walker import evaluate, whole

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
