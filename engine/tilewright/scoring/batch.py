"""Batches: many hands as columns, and their scores as columns. In and out: numpy arrays, or tables of Apache Arrow.

Every column has a row for each hand. Tiles are counted by face, in the order of `Rules.faces`. Knows no rules.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from tilewright.base.arguments import WrongArgument, plain
from tilewright.base.arrays import Array
from tilewright.hands.reading import Hand, Meld
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.scoring.plain.scene import Situation

if TYPE_CHECKING:
    import pyarrow

NOBODY = -1  # in columns of seats, tiles and groups


class WrongRow(ValueError):
    """A row of a batch is wrong. `row`: its number, from 0; `why`: what is wrong with it."""

    def __init__(self, row: int, why: str) -> None:
        self.row, self.why = row, why
        super().__init__(f"row {row}: {why}")

    def __reduce__(self) -> tuple[type["WrongRow"], tuple[int, str]]:
        return WrongRow, (self.row, self.why)


@dataclass(frozen=True)
class HandBatch:
    """Won hands. Of n hands, with F faces of tiles:

    `tiles` (n, F) small integers: how many of each face the hand holds, without melds and the winning tile;
    `win` (n): the face of the winning tile;
    `melds` (n, M): numbers of groups, as `Rules.groups` has them, -1 where there are fewer; `exposed` (n, M): which are
    exposed; `specials` (n, F): special tiles of melds, as red fives, in place of plain ones of their groups;
    `bonus` (n, F): bonus tiles; `zones`: by name of a zone (n, F), the tiles in it; `seat`, `discarder` (n): seats from
    the dealer on, -1 where unknown; `self_draw` (n) truths; `round_wind` (n): a face, -1 where there is none; `flags`:
    by name, (n) truths."""

    tiles: Array
    win: Array
    melds: Array
    exposed: Array
    bonus: Array
    seat: Array
    discarder: Array
    self_draw: Array
    round_wind: Array
    specials: Array
    flags: Mapping[str, Array] = field(default_factory=dict)
    zones: Mapping[str, Array] = field(default_factory=dict)

    @staticmethod
    def of(
        tiles: Array,
        win: Array,
        melds: Array | None = None,
        exposed: Array | None = None,
        *,
        bonus: Array | None = None,
        seat: Array | None = None,
        discarder: Array | None = None,
        self_draw: Array | None = None,
        round_wind: Array | None = None,
        specials: Array | None = None,
        flags: Mapping[str, Array] | None = None,
        zones: Mapping[str, Array] | None = None,
    ) -> "HandBatch":
        """A batch; a column that is left out says nothing of any hand. Raises ValueError where columns do not fit
        together."""
        held = column("tiles", tiles, np.uint8)
        count = len(held) if held.ndim else 0
        nobody, no_tiles = np.full(count, NOBODY, np.int16), np.zeros_like(held)
        groups = np.zeros((count, 0), np.int16) if melds is None else column("melds", melds, np.int16)
        made = HandBatch(
            held,
            column("win", win, np.int16),
            groups,
            np.ones(groups.shape, bool) if exposed is None else column("exposed", exposed, bool),
            no_tiles if bonus is None else column("bonus", bonus, np.uint8),
            nobody if seat is None else column("seat", seat, np.int16),
            nobody if discarder is None else column("discarder", discarder, np.int16),
            np.zeros(count, bool) if self_draw is None else column("self_draw", self_draw, bool),
            nobody if round_wind is None else column("round_wind", round_wind, np.int16),
            no_tiles if specials is None else column("specials", specials, np.uint8),
            {name: column(f"flag {name}", flag, bool) for name, flag in (flags or {}).items()},
            {name: column(f"zone {name}", zone, np.uint8) for name, zone in (zones or {}).items()},
        )
        made.check()
        return made

    @staticmethod
    def of_situations(hands: Sequence[Situation], data: CompiledRuleset) -> "HandBatch":
        """The batch of won hands that were read one by one. Raises ValueError for what columns cannot hold: marks with
        values, hands of losers, and melds with wild tiles."""
        for row, one in enumerate(hands):
            if one.hand.win is None or one.marks or one.others or any(meld.wild for meld in one.hand.melds):
                lacking = "did not win, has marks, hands of losers or melds with wild tiles"
                raise WrongRow(row, f"a hand that {lacking} has no row")
        most = max((len(one.hand.melds) for one in hands), default=0)
        melds = [[meld.group for meld in one.hand.melds] for one in hands]
        exposed = [[meld.exposed for meld in one.hand.melds] for one in hands]
        flags = sorted({name for one in hands for name in one.flags})
        zones = sorted({name for one in hands for name in one.zones})
        return HandBatch.of(
            counted([one.hand.tiles for one in hands], data),
            np.array([one.hand.win for one in hands], np.int16),
            np.array([[*row, *[NOBODY] * (most - len(row))] for row in melds], np.int16).reshape(len(hands), most),
            np.array([[*row, *[False] * (most - len(row))] for row in exposed], bool).reshape(len(hands), most),
            bonus=counted([one.hand.bonus for one in hands], data),
            specials=counted([specials_of(one.hand, data) for one in hands], data),
            seat=np.array([one.seat if one.seat_known else NOBODY for one in hands], np.int16),
            discarder=np.array([NOBODY if one.discarder is None else one.discarder for one in hands], np.int16),
            self_draw=np.array([one.self_draw for one in hands], bool),
            round_wind=np.array([NOBODY if one.round_wind is None else one.round_wind for one in hands], np.int16),
            flags={name: np.array([name in one.flags for one in hands], bool) for name in flags},
            zones={name: counted([one.zones.get(name, ()) for one in hands], data) for name in zones},
        )

    def __len__(self) -> int:
        return len(self.tiles)

    def check(self) -> None:
        """Raises ValueError where columns do not fit together."""
        if self.tiles.ndim != 2:
            raise ValueError("tiles has a row for each hand and a column for each face")
        shapes = {"melds": self.melds.shape, "exposed": self.exposed.shape}
        expected = {"melds": (len(self), self.melds.shape[-1]), "exposed": self.melds.shape}
        for name in ("bonus", "specials"):
            shapes[name], expected[name] = getattr(self, name).shape, self.tiles.shape
        for name in ("win", "seat", "discarder", "self_draw", "round_wind"):
            shapes[name], expected[name] = getattr(self, name).shape, (len(self),)
        shapes |= {f"flag {name}": flag.shape for name, flag in self.flags.items()}
        expected |= {f"flag {name}": (len(self),) for name in self.flags}
        shapes |= {f"zone {name}": zone.shape for name, zone in self.zones.items()}
        expected |= {f"zone {name}": self.tiles.shape for name in self.zones}
        for name, shape in shapes.items():
            if shape != expected[name]:
                raise ValueError(f"{name} has the shape {shape}, not {expected[name]}")

    def take(self, rows: Array | slice) -> "HandBatch":
        """Some of the hands."""
        plain = {one.name: getattr(self, one.name)[rows] for one in fields(self) if one.name not in ("flags", "zones")}
        flags = {name: flag[rows] for name, flag in self.flags.items()}
        return HandBatch(**plain, flags=flags, zones={name: zone[rows] for name, zone in self.zones.items()})

    def situation(self, row: int, data: CompiledRuleset) -> Situation:
        """One of the hands."""
        specials = list(in_order(self.specials[row], data)) if self.specials[row].any() else []
        melds = tuple(
            Meld(int(group), with_specials(tiles, specials, data) if specials else tiles, bool(shown))
            for group, shown in zip(self.melds[row].tolist(), self.exposed[row], strict=True)
            if group >= 0 and (tiles := data.groups.groups[group].tiles)
        )
        hand = Hand(in_order(self.tiles[row], data), melds, int(self.win[row]), in_order(self.bonus[row], data))
        known = self.seat[row] >= 0
        return Situation(
            hand,
            seat=int(self.seat[row]) if known else data.seats.count - 1,
            seat_known=bool(known),
            self_draw=bool(self.self_draw[row]),
            discarder=int(self.discarder[row]) if self.discarder[row] >= 0 else None,
            round_wind=int(self.round_wind[row]) if self.round_wind[row] >= 0 else None,
            flags=frozenset(name for name, flag in self.flags.items() if flag[row]),
            zones={name: in_order(zone[row], data) for name, zone in self.zones.items()},
        )

    # --- Arrow

    @staticmethod
    def from_table(source: Any) -> "HandBatch":
        """The batch of a table of Apache Arrow, or of what gives one (`__arrow_c_stream__`, as data frames of pandas
        and polars do), with these columns: lists of numbers for `tiles`, `melds`, `exposed`, `bonus` and `zone:NAME`,
        numbers or truths for the others, flags as `flag:NAME`. Raises ValueError where columns are wrong (WrongRow for
        a row), and WrongArgument for what is no table."""
        import pyarrow

        if not hasattr(source, "__arrow_c_stream__"):
            raise WrongArgument(f"a table has __arrow_c_stream__, as those of pyarrow; {source!r:.40} has not")
        table = pyarrow.table(source)
        known = {one.name for one in fields(HandBatch)} - {"flags", "zones"}
        for name in table.column_names:
            if name not in known and name.partition(":")[0] not in ("flag", "zone"):
                raise ValueError(
                    f"there is no column {name!r}; there is {', '.join(sorted(known))}, flag:NAME, zone:NAME"
                )
            if table.column_names.count(name) > 1:
                raise ValueError(f"there are several columns {name!r}; keep one")
        columns = {name: rows_of(name, table.column(name)) for name in table.column_names}
        for name in ("tiles", "win"):
            if name not in columns:
                raise ValueError(f"the column {name!r} is missing")
        flags = {name[5:]: columns.pop(name) for name in list(columns) if name.startswith("flag:")}
        zones = {name[5:]: columns.pop(name) for name in list(columns) if name.startswith("zone:")}
        return HandBatch.of(**columns, flags=flags, zones=zones)

    def to_table(self) -> "pyarrow.Table":
        """The same as a table."""
        import pyarrow

        plain = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in ("flags", "zones")}
        plain |= {f"flag:{name}": flag for name, flag in self.flags.items()}
        plain |= {f"zone:{name}": zone for name, zone in self.zones.items()}
        return pyarrow.table({name: arrow_of(rows) for name, rows in plain.items()})


@dataclass(frozen=True)
class ScoreBatch:
    """The scores of a batch of n hands. `win` (n): which of them win; `totals` (n): in `unit`, 0 where a hand does not
    win; `values`: by measure (n), of the best reading, 0 without one; `patterns` (n, words) uint64: bit p of the words,
    from the lowest of the first on, says that pattern p of `ids` counts; `plain` (n): which hands the plain judge
    scored. Numbers are int64, and float64 where one of them is no whole number."""

    win: Array
    totals: Array
    unit: str
    values: Mapping[str, Array]
    patterns: Array
    ids: Sequence[str]
    plain: Array

    def __len__(self) -> int:
        return len(self.win)

    def counted(self, row: int) -> tuple[str, ...]:
        """The ids of the patterns that count in a hand."""
        bits = sum(int(word) << 64 * at for at, word in enumerate(self.patterns[row]))
        return tuple(id for number, id in enumerate(self.ids) if bits >> number & 1)

    def to_table(self) -> "pyarrow.Table":
        """The same as a table of Apache Arrow: `win`, `total`, the measures, and the ids of the patterns as a list."""
        import pyarrow

        columns: dict[str, Any] = {"win": pyarrow.array(self.win), "total": pyarrow.array(self.totals)}
        columns |= {f"value:{name}": pyarrow.array(numbers) for name, numbers in self.values.items()}
        columns["patterns"] = pyarrow.array(
            [self.counted(row) for row in range(len(self))], pyarrow.list_(pyarrow.string())
        )
        return pyarrow.table(columns)


def counted(hands: Sequence[Sequence[int]], data: CompiledRuleset) -> Array:
    """How many of each face each hand has."""
    counts = np.zeros((len(hands), len(data.tiles.tiles)), np.uint8)
    for row, tiles in enumerate(hands):
        for tile in tiles:
            counts[row, tile] += 1
    return counts


def column(name: str, rows: Any, kind: Any) -> Array:
    """Rows as an array of this kind. Raises WrongRow where a number is missing or does not fit, and ValueError where
    rows have different lengths."""
    try:
        array = np.asarray(rows)
    except ValueError:
        raise ValueError(f"{name}: rows have different lengths") from None
    if array.dtype.kind not in "buif":
        array = as_numbers(name, array)
    missing = np.isnan(array) if array.dtype.kind == "f" else np.zeros(array.shape, bool)
    made = np.where(missing, 0, array).astype(kind)
    wrong = missing | (made != array)
    if wrong.any():
        row = int(np.argwhere(wrong)[0][0])
        what = "a value is missing" if missing[row].any() else f"a number does not fit into {np.dtype(kind).name}"
        raise WrongRow(row, f"{name}: {what}")
    return made


def as_numbers(name: str, objects: Array) -> Array:
    """Objects, as data frames have them, as numbers, NaN for missing ones. Raises WrongRow."""
    found = np.full(objects.shape, np.nan)
    for place, value in np.ndenumerate(objects):
        if isinstance(value, bool | int | float | np.number | np.bool_):
            found[place] = value
        elif isinstance(value, str | bytes | Sequence | np.ndarray):
            raise WrongRow(place[0], f"{name}: {plain(value)!r:.40} is not a number")
    return found


def specials_of(hand: Hand, data: CompiledRuleset) -> list[int]:
    """The special tiles of the melds of a hand."""
    return [tile for meld in hand.melds for tile in meld.tiles if data.tiles.tiles[tile].plain != tile]


def with_specials(tiles: Sequence[int], specials: list[int], data: CompiledRuleset) -> tuple[int, ...]:
    """The tiles of a meld, with special ones in place of plain ones as far as there are some; these are taken."""
    found = []
    for tile in tiles:
        special = next((one for one in specials if data.tiles.tiles[one].plain == tile), tile)
        if special != tile:
            specials.remove(special)
        found.append(special)
    return tuple(sorted(found, key=data.tiles.order.index))


def in_order(counts: Array, data: CompiledRuleset) -> tuple[int, ...]:
    """Counted tiles one by one, in the order of the tile set."""
    return tuple([face for face in data.tiles.order if counts[face] for _ in range(int(counts[face]))])


def rows_of(name: str, column: Any) -> Array:
    """A column of Arrow as an array. Raises WrongRow where a list is missing, or has another length than the first."""
    import pyarrow

    whole, types = column.combine_chunks(), pyarrow.types
    is_fixed = types.is_fixed_size_list(whole.type)
    if not (is_fixed or types.is_list(whole.type) or types.is_large_list(whole.type)):
        return np.asarray(whole.to_numpy(zero_copy_only=False))
    sizes = [None if row is None else len(row) for row in whole]
    size = whole.type.list_size if is_fixed else next(iter(sizes), 0)
    for row, found in enumerate(sizes):
        if found != size:
            what = "the list is missing" if found is None else f"the list has {found} numbers, and others have {size}"
            raise WrongRow(row, f"{name}: {what}")
    return np.asarray(whole.flatten().to_numpy(zero_copy_only=False)).reshape(len(whole), size or 0)


def arrow_of(rows: Array) -> Any:
    """An array as a column of Arrow."""
    import pyarrow

    flat = pyarrow.array(rows.reshape(-1))
    if rows.ndim == 1:
        return flat
    if rows.shape[1] == 0:  # lists of a fixed size have at least one number
        return pyarrow.array([[]] * len(rows), pyarrow.list_(flat.type))
    return pyarrow.FixedSizeListArray.from_arrays(flat, rows.shape[1])
