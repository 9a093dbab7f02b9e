"""Many hands as the kernel takes them: the hands of a batch in, rows of numbers out. Knows no readings."""

from collections.abc import Sequence

import numpy as np

from tilewright.base.arrays import Array
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.scoring.kernel import layout as at
from tilewright.scoring.kernel.scores import KernelScores
from tilewright.scoring.many.batch import HandBatch, WrongRow
from tilewright.scoring.plain.situation import Situation
from tilewright.scoring.program.tallies import Cells

MIXED = np.uint64(0x9E3779B97F4A7C15)  # 2**64 divided by the golden ratio: spreads numbers evenly
SHIFT = np.uint64(29)


class ManyHands:
    """Some hands. `alone`: hands that are scored by themselves; `first_of`: a hand of each kind of situation, `kind_of`
    by hand."""

    def __init__(self, kernel: KernelScores, batch: HandBatch) -> None:
        self.kernel, self.data, self.image, self.batch = kernel, kernel.data, kernel.known_image, batch
        self.plain_of = np.array(kernel.plain_tiles)
        self.melds = 2 * batch.melds.astype(np.int64) + batch.exposed
        self.alone = self.beyond()
        self.first_of, self.kind_of = different(self.told_apart())

    def situation(self, row: int) -> Situation:
        """One of the hands."""
        return self.batch.situation(row, self.data)

    def beyond(self) -> Array:
        """The hands that tables do not know."""
        image, batch = self.image, self.batch
        unknown = [face for face in range(len(self.plain_of)) if face not in image.faces]
        beyond = np.isin(batch.win, unknown) | np.any(batch.tiles[:, unknown], axis=1)
        beyond |= np.any(np.isin(self.melds, list(image.unplaced)) & (batch.melds >= 0), axis=1)
        for zone in image.zones & batch.zones.keys():
            beyond |= np.any(batch.zones[zone], axis=1)
        return np.asarray(beyond)

    def told_apart(self) -> list[Array]:
        """Columns that are equal for hands at such a table."""
        batch = self.batch
        is_open = np.any(batch.exposed & (batch.melds >= 0), axis=1)
        columns = [batch.seat, batch.discarder, batch.self_draw, batch.round_wind, is_open]
        columns += [*packed(np.stack([*batch.flags.values()]))] if batch.flags else []
        return columns + [batch.bonus[:, face] for face in np.flatnonzero(np.any(batch.bonus, axis=0))]

    # --- as rows

    def rows(self) -> Array:
        """A row of numbers for each hand."""
        batch, image = self.batch, self.kernel.image
        faces, melds = batch.tiles.shape[1], batch.melds.shape[1]
        cells, specials, start = image[at.CELLS], image[at.SPECIALS], image[at.MELDS]
        rows = np.empty((len(batch), start + 2 * melds), np.int32)
        rows[:, :faces] = batch.tiles
        rows[:, faces + at.WIN] = batch.win
        rows[:, faces + at.CONTEXT] = self.contexts()[self.kind_of]
        rows[:, faces + at.SHOWN] = self.kernel.exposes & ~batch.self_draw
        rows[:, faces + at.HAND : cells] = at.UNKNOWN
        rows[:, cells:specials] = 0
        for one, first in self.image.cells.items():
            counts = self.counted(one)
            if counts is not None:
                counts = counts if counts.ndim == 2 else counts[:, None]
                rows[:, cells + first : cells + first + counts.shape[1]] = counts
        if start > specials:
            rows[:, specials:start] = self.exchanged
        rows[:, start : start + melds] = batch.melds
        rows[:, start + melds :] = batch.exposed
        return rows

    def contexts(self) -> Array:
        """The numbers of the tables that hands of each kind lie at."""
        self.kernel.forget_much()
        return np.array([self.kernel.context(self.situation(int(row))) for row in self.first_of], np.int32)

    @property
    def exchanged(self) -> Array:
        """How many more, or fewer, of each face melds have than their groups: special tiles in place of plain ones."""
        more = self.batch.specials.astype(np.int32)
        for face in np.flatnonzero(more.any(axis=0)).tolist():
            more[:, self.plain_of[face]] -= more[:, face]
        return more

    def counted(self, cells: Cells) -> Array | None:
        """What some cells are of each hand; None where all are 0, or the kernel counts them."""
        match cells.source:
            case "zone":
                return self.batch.bonus if cells.name == "bonus" else self.batch.zones.get(cells.name)
            case "flag":
                return self.batch.flags.get(cells.name)
            case "shown":
                return self.seen()
        return None

    def seen(self) -> Array:
        """How many of the winning tile all can see: in exposed melds, and in zones that everyone sees."""
        batch, plain_of = self.batch, self.plain_of
        shown, groups = batch.bonus.astype(np.int32), group_rows(self.data, len(plain_of))
        for column in range(batch.melds.shape[1]):
            shown += groups[np.where(batch.exposed[:, column], batch.melds[:, column], -1)]
        for name, zone in self.data.zones.items():
            if zone.seen_by == "everyone" and name in batch.zones:
                shown += batch.zones[name]
        same = plain_of[None, :] == plain_of[batch.win][:, None]
        found: Array = np.where(same, shown, 0).sum(axis=1)
        return found


def group_rows(data: CompiledRuleset, faces: int) -> Array:
    """How many of each tile each group has, (groups, faces); the last, -1, has none."""
    counts = np.zeros((len(data.groups.groups) + 1, faces), np.uint16)
    for number, group in enumerate(data.groups.groups):
        for tile in group.tiles:
            counts[number, tile] += 1
    return counts


def check_copies(data: CompiledRuleset, copies: Sequence[int], batch: HandBatch, first: int) -> None:
    """Raises WrongRow where a hand has a tile more often than it exists. `copies`: of each face; any number of those
    that only wild tiles stand for, which have 0. `first`: the number of the first row."""
    most = np.array([count or np.iinfo(np.uint16).max for count in copies], np.uint16)
    groups = group_rows(data, len(copies))
    held = np.add(batch.tiles, batch.bonus, dtype=np.uint16)
    held[np.arange(len(batch)), batch.win] += 1
    for column in range(batch.melds.shape[1]):
        held += groups[batch.melds[:, column]]
    for face, tile in enumerate(data.tiles.tiles):
        if tile.plain != face:
            held[:, tile.plain] += held[:, face]
            held[:, face] = 0
    over = np.flatnonzero((held > most).any(axis=1))
    if len(over):
        row, face = int(over[0]), int(np.flatnonzero(held[over[0]] > most)[0])
        why = f"{held[row, face]} of {data.tiles.tiles[face].code} are held, but there are {most[face]}"
        raise WrongRow(first + row, why)


# --- rows


def different(columns: Sequence[Array]) -> tuple[Array, Array]:
    """The first row of each kind, and for every row the number of its kind. Columns are one-dimensional integers."""
    size = len(columns[0])
    if not size:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    mixed = np.zeros(size, np.uint64)
    for column in columns:
        mixed = (mixed ^ column.astype(np.uint64)) * MIXED
        mixed ^= mixed >> SHIFT
    _, first, kind = np.unique(mixed, return_index=True, return_inverse=True)
    if all(np.array_equal(column[first][kind], column) for column in columns):
        return first, kind
    together = np.stack([column.astype(np.int64) for column in columns], axis=1)  # two kinds were mixed into one number
    _, first, kind = np.unique(together, axis=0, return_index=True, return_inverse=True)
    return first, kind.reshape(-1)


def packed(bits: Array) -> list[Array]:
    """Truths, a row for each of many things, as columns of 64-bit words."""
    count, size = bits.shape
    padded = np.zeros((-(-max(count, 1) // 64) * 64, size), bool)
    padded[:count] = bits
    words = np.packbits(padded.reshape(-1, 64, size), axis=1, bitorder="little")
    return [np.ascontiguousarray(word.T).view(np.uint64).reshape(-1) for word in words]
