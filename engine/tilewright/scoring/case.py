"""Cases: a hand as people and programs write it in, a situation or its mistake out.

The shape of a case is a contract (docs/cases.md); an entry of `examples` or `cases` in a ruleset is one too.
"""

import marshal
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from fractions import Fraction
from itertools import combinations, permutations
from math import isfinite, isnan
from operator import attrgetter
from types import NoneType
from typing import Any, NoReturn, TypeVar

from tilewright.base.data.arguments import plain
from tilewright.base.problem import Place, Problem, Source
from tilewright.base.regular import TooSlow
from tilewright.hands.group import Group
from tilewright.hands.needs import TooManyNeeds
from tilewright.hands.reading import Hand, Meld
from tilewright.hands.readings import TooManyReadings
from tilewright.language.compiled.ir import HasGroups, Ir, Lookup, Matches, Test, WordCall
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.documents.former import case_today, old_names_once, warn
from tilewright.language.vocabulary.case import case_fields, fields_of_others
from tilewright.language.vocabulary.words import is_personal
from tilewright.scoring.payments.wins import is_of_table
from tilewright.scoring.plain.scene import HandScene, Unanswered
from tilewright.scoring.plain.situation import MarkValue, Situation
from tilewright.scoring.plain.walker import evaluate, nodes, whole, zones_in
from tilewright.tiles.notation import LISTS, NotationError, read_tiles, sort_tiles, write_tile

T = TypeVar("T")
KEYS = tuple(case_fields())
BESIDE = ("ruleset", "expect", "play", "wall", "name", "about", "source")  # for those who keep case files
ALL_KEYS = frozenset({*KEYS, *BESIDE})
NOT_OF_TABLE = frozenset({"hand", "melds", "win_tile", "win", "bonus", "id", *BESIDE} - {"wall"})
PLAIN = frozenset({str, list, tuple, dict, bool, int, NoneType})  # of what a case says
NO_HAND = Hand(())
TABLE_FIELDS = attrgetter(*[one.name for one in fields(Situation)[1:]])  # all but the hand, in their order
NO_FLAGS: frozenset[str] = frozenset()
OF_MELDS = ("kind", "tiles", "concealed", "discarder", "hand")
MOST_WILDS = 6  # in one meld
OF_OTHERS = tuple(fields_of_others())
POT = "pot"
MOST_MELDS = 24
MOST_MISSING = 3  # flags that a hint names together
MOST_TILES = 60


@dataclass(frozen=True, slots=True)
class KnownNames:
    """What reading a case needs from its ruleset repeatedly: copies of each plain tile in the box, copies of each
    face (those that are one tile in play may be written as any of them), and flags; and what was read before."""

    data: CompiledRuleset
    box: Counter[int]
    faces: Mapping[int, int]
    most: int  # tiles that may lie in one place
    packed: "PackedCopies | None"
    flags: frozenset[str]
    of_seat: frozenset[str]  # those about one seat
    needy: frozenset[str]  # those that hold only with something else
    tile_needy: frozenset[str]  # those of them that ask more of a hand than whether it is concealed
    concealed_kinds: frozenset[str]
    kinds: Mapping[str, str]  # common name -> name in the ruleset
    tables: dict[object, "KnownTable"] = field(default_factory=dict)
    melds: dict[object, Meld] = field(default_factory=dict)
    seats: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KnownTable:
    """All that a case says beside the hand: the fields of its situation, and which hands agree with its flags: `False`
    for concealed ones, `True` for others."""

    fields: tuple[Any, ...]
    fitting: set[bool] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class PackedCopies:
    """How often each face and each plain tile may be there, in one number with a byte for each: the sum of `weights` of
    few tiles and `start` has a bit of `over` where there are too many."""

    weights: Sequence[int]
    start: int
    over: int

    def fit(self, tiles: Sequence[int]) -> bool:
        """Whether there are surely no more of any tile than exist."""
        return len(tiles) < OVER and not sum(map(self.weights.__getitem__, tiles), self.start) & self.over


KNOWN: dict[int, KnownNames] = {}
MOST_KNOWN = 64
MOST_READ = 10_000  # tables, melds, or seats that are known of one ruleset
LONGEST_KEY = 500  # bytes of a table or meld that is remembered
OVER = 0x80


def known_of(data: CompiledRuleset) -> KnownNames:
    """The data of the ruleset, computed once for as long as it is in use."""
    known = KNOWN.get(id(data))
    if known is None or known.data is not data:
        if len(KNOWN) >= MOST_KNOWN:
            KNOWN.clear()
        known = KNOWN[id(data)] = what_is_known(data)
    return known


def what_is_known(data: CompiledRuleset) -> KnownNames:
    box = Counter[int]()
    alike = Counter[tuple[int, frozenset[str]]]()
    for tile in data.tiles.tiles:
        box[tile.plain] += tile.copies
        alike[tile.plain, tile.marks] += tile.copies
    marks = {mark.id for mark in data.marks.values() if mark.type == "truth"}
    terms = {term for term, ir in data.terms.items() if ir.type == "truth"}
    called = [
        (name, kind.id, concealed)
        for kind in data.groups.kinds.values()
        for name, concealed in (kind.called or {}).items()
    ]
    kinds = {name: kind for name, kind, _ in called} | {kind: kind for kind in data.groups.kinds}
    of_seat = {mark for mark in marks if data.marks[mark].of == "seat"}
    of_seat |= {term for term in terms if asks_a_seat(data, data.terms[term])}
    concealed_kinds = frozenset(name for name, _, concealed in called if concealed)
    faces = {tile.index: alike[tile.plain, tile.marks] for tile in data.tiles.tiles}
    needy = (marks | terms) & data.needs.keys() - data.scoring.ignored_flags
    return KnownNames(
        data,
        box,
        faces,
        max(MOST_TILES, box.total()),
        packed(data, box, faces),
        frozenset(marks | terms),
        frozenset(of_seat),
        frozenset(needy),
        frozenset(name for name in needy if not all(is_of_table(node, data) for node in nodes(data.needs[name]))),
        concealed_kinds,
        kinds,
    )


def packed(data: CompiledRuleset, box: Counter[int], faces: Mapping[int, int]) -> PackedCopies | None:
    """The copies in one number; None where there are too many of some tile."""
    count = len(data.tiles.tiles)
    plain = [tile.plain for tile in data.tiles.tiles]
    several = sorted({tile for tile in plain if plain.count(tile) > 1 or faces[tile] != box[tile]})
    limits = [*(faces[face] for face in range(count)), *(box[tile] for tile in several)]
    if max(limits) >= OVER:
        return None
    served = frozenset[int]().union(*(wild.stands_for.tiles for wild in data.tiles.wild))
    really = [held_as(data, face) if face in served else face for face in range(count)]
    place_of = {tile: place for place, tile in enumerate(several, count)}
    places = [[face, place_of[plain[face]]] if plain[face] in place_of else [face] for face in really]
    weights = [sum(1 << 8 * place for place in counted) for counted in places]
    start = sum((OVER - 1 - limit) << 8 * place for place, limit in enumerate(limits))
    return PackedCopies(weights, start, sum(OVER << 8 * place for place in range(len(limits))))


def asks_a_seat(data: CompiledRuleset, ir: Ir) -> bool:
    """Whether the expression differs from seat to seat."""
    return any(of_each_seat(data, node) for node in nodes(ir))


def of_each_seat(data: CompiledRuleset, ir: Ir) -> bool:
    if isinstance(ir, Lookup) and ir.of is None:
        lies_with_seats = ir.kind == "zone" and data.zones[ir.name].of == "seat"
        held_of_seats = ir.kind == "mark" and data.marks[ir.name].of == "seat"
        return lies_with_seats or held_of_seats or is_personal(ir.name)
    return isinstance(ir, HasGroups | Test | Matches) or (
        isinstance(ir, WordCall) and ir.of is None and is_personal(ir.name)
    )


class CaseError(Exception):
    """A case cannot be scored; `problem` says why and what to do."""

    def __init__(self, code: str, message: str, hint: str | None = None, place: Place | None = None) -> None:
        self.problem = Problem(code, message, place, hint)
        super().__init__(message)

    def __reduce__(self) -> tuple[type["CaseError"], tuple[str, str, str | None, Place | None]]:
        """Pickled as its problem, so that it arrives whole from another process."""
        return CaseError, (self.code, self.message, self.hint, self.problem.place)

    @property
    def code(self) -> str:
        """What kind of mistake it is (docs/problems.md)."""
        return self.problem.code

    @property
    def message(self) -> str:
        """What is wrong, in English."""
        return self.problem.message

    @property
    def hint(self) -> str | None:
        """What to do about it, if that is known."""
        return self.problem.hint


class bounded(AbstractContextManager[None]):
    """Reports what would take too long, and what the case would have to say, as a problem of the case."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, TooSlow):
            message = f"a regular expression of the ruleset takes too long: {error}"
            raise CaseError("slow-pattern", message) from None
        if isinstance(error, Unanswered):
            raise CaseError("unanswered", str(error), error.hint) from None
        if isinstance(error, TooManyReadings | TooManyNeeds):
            raise CaseError(
                "too-many-readings",
                "this hand can be read in more ways than can be tried",
                "fewer wild tiles, or narrower groups in the ruleset",
            ) from None


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


# --- what was read before


def key_of(value: Any) -> bytes | None:
    """A key for what was read from such data; None for what cannot be plain data."""
    try:
        return marshal.dumps(value, 2)
    except ValueError:
        return None


def remember_plain(known: dict[object, T], key: bytes | None, value: object, read: T) -> T:
    """What was read, kept by its key if it was read from short, plain data: that alone has a key of its own."""
    if key is None or len(key) > LONGEST_KEY or not is_plain(value):
        return read
    return remember(known, key, read)


def is_plain(value: object) -> bool:
    """Whether JSON could have it, tuples for lists."""
    if isinstance(value, dict):
        return all(map(is_plain, value)) and all(map(is_plain, value.values()))
    if isinstance(value, list | tuple):
        return all(map(is_plain, value))
    return value is None or isinstance(value, str | bool | int | float)


def remember(known: dict[Any, T], key: object, value: T) -> T:
    """The value, kept for the next time; before there are too many, all are dropped."""
    if len(known) >= MOST_READ:
        known.clear()
    known[key] = value
    return value


# --- hands


def read_hand(data: CompiledRuleset, case: Mapping[str, Any], won: bool | None = None) -> Hand:
    """The tiles of a seat."""
    won = truth(case, "winner", True) if won is None else won
    if case.get("hand", ()) is None:
        raise CaseError("wrong-value", "the hand is missing", 'write "" where all tiles are in melds')
    tiles = tiles_of(data, case, "hand")
    melds = given(case, "melds", ())
    if not isinstance(melds, LISTS) or isinstance(melds, str) or len(melds) > MOST_MELDS:
        raise CaseError("wrong-melds", f"melds are a list of at most {MOST_MELDS}", 'for instance ["444p", "EEE"]')
    declared = tuple([read_meld(data, meld) for meld in melds])
    bonus = tiles_of(data, case, "bonus")
    if case.get("win") is not None and case.get("win_tile") is not None:
        raise CaseError("wrong-value", "win and win_tile are both given, and are the same", "leave one out")
    win = tiles_of(data, case, "win" if case.get("win_tile") is None else "win_tile")
    if not won and win:
        raise CaseError(
            "unwon-tile",
            "a hand that did not win has no winning tile",
            'put the tile into "hand", or leave out "winner"',
        )
    if not won:
        return Hand(sort_tiles(tiles, data.tiles), declared, None, bonus)
    if len(win) != 1:
        raise CaseError(
            "no-winning-tile", "the case does not say which tile won", 'name it as "win_tile", or say "winner": false'
        )
    return Hand(sort_tiles(tiles, data.tiles), declared, win[0], bonus)


def given(case: Mapping[str, Any], key: str, default: Any) -> Any:
    """What is under a key of the case; the default where that is nothing."""
    value = case.get(key)
    return default if value is None else value


def tiles_of(data: CompiledRuleset, case: Mapping[str, Any], key: str) -> tuple[int, ...]:
    """The tiles under a key of the case, none where it is missing."""
    value = case.get(key)
    return () if value is None else read(data, value, key, lying=True)


def read(data: CompiledRuleset, value: object, what: str, lying: bool = False) -> tuple[int, ...]:
    """The tiles of a text or list; of those that are on the table at most as many as exist."""
    try:
        tiles = read_tiles(value, data.tiles)
    except NotationError as error:
        text = value if isinstance(value, str) else " ".join(map(str, value)) if isinstance(value, list) else str(value)
        place = Place(Source(what, text), 1, error.offset + 1, max(1, error.length))
        raise CaseError("wrong-tiles", f"{what}: {error.message}", error.hint, place) from None
    if len(tiles) > MOST_TILES and (not lying or len(tiles) > known_of(data).most):
        most = known_of(data).most if lying else MOST_TILES
        raise CaseError("too-many-tiles", f"{what} has {len(tiles)} tiles, more than {most}")
    return tiles


def read_meld(data: CompiledRuleset, meld: object) -> Meld:
    """A declared group: text ("444p", "concealed 4444p") or a mapping with kind, tiles and concealed."""
    known = known_of(data).melds
    key = key_of(meld)
    found = known.get(key)
    return remember_plain(known, key, meld, newly_read_meld(data, plain(meld))) if found is None else found


def newly_read_meld(data: CompiledRuleset, meld: object) -> Meld:
    if isinstance(meld, str):
        word, _, rest = meld.strip().partition(" ")
        concealed = word == "concealed"
        return made(data, read(data, rest if concealed else meld, "meld"), None, concealed)
    if not isinstance(meld, Mapping) or "tiles" not in meld:
        raise CaseError("wrong-melds", "a meld is text or has `tiles`", 'for instance "444p"')
    for key in meld:
        if key not in OF_MELDS:
            raise CaseError("unknown-key", f"a meld has no {key!r}", way_out(str(key), OF_MELDS))
    kind = meld.get("kind")
    if not isinstance(kind, str | None):
        raise CaseError("unknown-kind", f"the kind of a meld is a name, not {kind!r}", kinds_hint(data))
    concealed = truth(meld, "concealed", kind in known_of(data).concealed_kinds)
    found = made(data, read(data, meld["tiles"], "meld"), kind, concealed)
    discarder = read_seat(data, meld.get("discarder"), "discarder of a meld")
    found = found if discarder is None else replace(found, discarder=discarder)
    return replace(found, hand=hand_of(data, meld["hand"])) if "hand" in meld else found


def hand_of(data: CompiledRuleset, number: object) -> int:
    """The hand of its seat that a meld belongs to."""
    most = data.seats.hands
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= most:
        raise CaseError("wrong-value", f"the hand of a meld is a number from 1 to {most}, not {number!r:.40}")
    return number


def kinds_hint(data: CompiledRuleset) -> str:
    return f"there is {', '.join(known_of(data).kinds)}"


def made(data: CompiledRuleset, faces: tuple[int, ...], kind: str | None, concealed: bool) -> Meld:
    """The meld that these tiles make, of that kind if one is named."""
    kinds = known_of(data).kinds
    named = None if kind is None else kinds.get(kind)
    if kind is not None and named is None:
        raise CaseError("unknown-kind", f"no group is called {kind!r}", way_out(kind, kinds))
    if not faces:
        raise CaseError("wrong-melds", "a meld has no tiles", 'for instance "444p"')
    for group, wild in groups_of(data, faces):
        if named is None or named in group.kinds | group.meld_kinds:
            lying = tuple(held_as(data, face) for face in faces)
            return Meld(group.index, lying, not concealed, wild)
    text = " ".join(write_tile(face, data.tiles) for face in faces)
    raise CaseError(
        "no-group", f"{text} is not a {'group' if kind is None else kind} of this ruleset", kinds_hint(data)
    )


def groups_of(data: CompiledRuleset, faces: tuple[int, ...]) -> list[tuple[Group, tuple[tuple[int, int], ...]]]:
    """The groups that these tiles can be, each with what its wild tiles stand for."""
    tiles = data.tiles.tiles
    plain = [tiles[face].plain for face in faces]
    direct = data.groups.by_tiles.get(tuple(sorted(plain)))
    if direct is not None:
        forced = tuple((held_as(data, tile), tile) for tile in plain if held_as(data, tile) != tile)
        return [(data.groups.groups[direct], forced)]
    result = []
    for group in data.groups.groups:
        if len(group.tiles) == len(plain) and (wild := substitution(data, plain, group)) is not None:
            result.append((group, wild))
    return result


def held_as(data: CompiledRuleset, face: int) -> int:
    """The tile itself; of a rank without a tile the wild tile that it has to be, if one stands for it."""
    if not data.tiles.wild or data.tiles.tiles[face].copies > 0:
        return face
    standing = (tile for wild in data.tiles.wild if face in wild.stands_for.tiles for tile in wild.tiles.tiles)
    return min(standing, default=face)


def substitution(data: CompiledRuleset, plain: list[int], group: Group) -> tuple[tuple[int, int], ...] | None:
    """What the wild tiles among these stand for if they make the group; None if they cannot."""
    missing, wilds = list(group.tiles), []
    for tile in plain:
        if tile in missing and not any(tile in w.tiles.tiles for w in data.tiles.wild):
            missing.remove(tile)
        else:
            wilds.append(tile)
    for order in sorted(set(permutations(missing))) if len(wilds) <= MOST_WILDS else ():
        if all(can_stand(data, wild, stood, group) for wild, stood in zip(wilds, order, strict=True)):
            return tuple((w, s) for w, s in zip(wilds, order, strict=True) if w != s)
    return None


def can_stand(data: CompiledRuleset, wild: int, stood: int, group: Group) -> bool:
    return wild == stood or any(
        wild in w.tiles.tiles
        and stood in w.stands_for.tiles
        and (not w.groups or w.groups & (group.kinds | group.meld_kinds))
        for w in data.tiles.wild
    )


# --- the table


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


def read_seat(data: CompiledRuleset, value: object, what: str) -> int | None:
    """A seat by its wind, or by its number from the dealer (1 is the dealer)."""
    if value is None:
        return None
    if isinstance(value, str):
        seats = known_of(data).seats
        seat = seats.get(value)
        return remember(seats, value, newly_read_seat(data, value, what)) if seat is None else seat
    return newly_read_seat(data, value, what)


def newly_read_seat(data: CompiledRuleset, value: object, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise CaseError("wrong-seat", f"{what}: a seat is a wind or a number", seats_hint(data))
    if str(value).isdecimal() and 1 <= int(value) <= data.seats.count:
        return int(value) - 1
    for text in (str(value), str(value).swapcase()):
        if text in data.seats.names:
            return data.seats.names.index(text)
        with suppress(NotationError, ValueError):
            (tile,) = read_tiles(text, data.tiles)
            return data.seats.winds[: data.seats.count].index(tile)
    raise CaseError("wrong-seat", f"{what}: nobody sits at {value!r}", seats_hint(data))


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


def seats_hint(data: CompiledRuleset) -> str:
    return f"seats are {', '.join(seat_names(data)[: data.seats.count])}"


def seat_names(data: CompiledRuleset) -> tuple[str, ...]:
    """Names of the seats in results: the ruleset's, else by wind, others by number; and the pot after them."""
    if len(data.seats.names) >= data.seats.count:
        return (*data.seats.names[: data.seats.count], POT)
    winds = tuple(write_tile(tile, data.tiles) for tile in data.seats.winds[: data.seats.count])
    return (*winds, *(str(n + 1) for n in range(len(winds), data.seats.count)), POT)


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


def truth(case: Mapping[str, Any], key: str, default: bool) -> bool:
    value = case.get(key, default)
    if not isinstance(value, bool):
        raise CaseError("wrong-value", f"{key} is true or false, not {value!r}")
    return value


def way_out(name: str, known: Iterable[str]) -> str | None:
    """The name that was probably meant, or all names."""
    names = list(known)
    return suggestion(name, names) or (f"there is {', '.join(names)}" if names else None)


def suggestion(name: str, known: Iterable[str]) -> str | None:
    close = get_close_matches(name, list(known), 1)
    return f"did you mean {close[0]!r}?" if close else None
