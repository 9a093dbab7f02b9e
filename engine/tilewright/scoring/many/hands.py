"""The hands of a batch, as a kernel takes them: those that tables know, and the tables that hands lie at. Knows no
readings."""

from collections.abc import Sequence, Set

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.scoring.many.array_image import ArrayImage
from tilewright.scoring.many.batch import HandBatch, WrongRow
from tilewright.scoring.plain.situation import Situation

MIXED = np.uint64(0x9E3779B97F4A7C15)  # 2**64 divided by the golden ratio: spreads numbers evenly
SHIFT = np.uint64(29)


class ManyHands:
    """Some hands. `unplaced`: melds that tables do not place, each twice its group, one more where it is exposed.
    `alone`: hands that are scored by themselves; `first_of`: a hand of each kind of situation, `kind_of` by hand."""

    def __init__(self, image: ArrayImage, batch: HandBatch, unplaced: Set[int]) -> None:
        self.image, self.engine, self.batch = image, image.engine, batch
        self.alone = self.beyond(unplaced)
        self.first_of, self.kind_of = different(self.told_apart())

    def situation(self, row: int) -> Situation:
        """One of the hands."""
        return self.batch.situation(row, self.engine.data)

    def beyond(self, unplaced: Set[int]) -> Array:
        """The hands that tables do not know."""
        engine, batch = self.engine, self.batch
        unknown = [face for face, weight in enumerate(engine.weights) if weight > engine.keys.all]
        beyond = np.isin(batch.win, unknown) | np.any(batch.tiles[:, unknown], axis=1)
        melds = 2 * batch.melds.astype(np.int32) + batch.exposed
        beyond |= np.any(np.isin(melds, list(unplaced)) & (batch.melds >= 0), axis=1)
        for zone in engine.zones_of_terms & batch.zones.keys():
            beyond |= np.any(batch.zones[zone], axis=1)
        return np.asarray(beyond)

    def told_apart(self) -> list[Array]:
        """Columns that are equal for hands at such a table."""
        batch = self.batch
        is_open = np.any(batch.exposed & (batch.melds >= 0), axis=1)
        columns = [batch.seat, batch.discarder, batch.self_draw, batch.round_wind, is_open]
        columns += [*packed(np.stack([*batch.flags.values()]))] if batch.flags else []
        return columns + [batch.bonus[:, face] for face in np.flatnonzero(np.any(batch.bonus, axis=0))]


def check_copies(image: ArrayImage, batch: HandBatch, first: int) -> None:
    """Raises WrongRow where a hand has a tile more often than it exists. `first`: the number of the first row."""
    held = np.add(batch.tiles, batch.bonus, dtype=np.uint16)
    held[np.arange(len(batch)), batch.win] += 1
    for at in range(batch.melds.shape[1]):
        held += image.group_rows[batch.melds[:, at]]
    for face, plain in enumerate(image.engine.plain_tiles):
        if plain != face:
            held[:, plain] += held[:, face]
            held[:, face] = 0
    over = np.flatnonzero((held > image.most_copies).any(axis=1))
    if len(over):
        row, tile = int(over[0]), int(np.flatnonzero(held[over[0]] > image.most_copies)[0])
        code = image.data.tiles.tiles[tile].code
        why = f"{held[row, tile]} of {code} are held, but there are {image.most_copies[tile]}"
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
