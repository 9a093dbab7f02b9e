"""The hands of a batch: what their tiles and tables say, before they are read. Knows no readings."""

from functools import cached_property
from typing import Any

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.scoring.image.context import Context
from tilewright.scoring.many.array_image import ArrayImage
from tilewright.scoring.many.batch import HandBatch, WrongRow
from tilewright.scoring.many.rows import different, packed
from tilewright.scoring.many.tally import Tallies
from tilewright.scoring.many.waits import completing
from tilewright.scoring.plain.situation import Situation


class ManyHands:
    """Some hands. `alone`: those that are scored by themselves; `contexts`: their tables, `context_of` by hand;
    `class_of`: by context the number of what the table decides about classes, with a context of each kind in
    `class_contexts`."""

    def __init__(self, image: ArrayImage, batch: HandBatch) -> None:
        self.image, self.engine, self.batch = image, image.engine, batch
        self.win = image.plain_of[batch.win]
        self.alone: Array = self.beyond()
        self.is_open = np.any(batch.exposed & (batch.melds >= 0), axis=1)
        self.find_contexts()

    @cached_property
    def counts(self) -> Array:
        """How many of each plain tile, melds not counted: (tiles, hands)."""
        faces = self.batch.tiles.astype(np.int16)
        faces[np.arange(len(faces)), self.batch.win] += 1
        return by_kind(faces, self.image)

    @cached_property
    def known(self) -> Array:
        """The same, nothing for hands that are scored by themselves."""
        return np.where(self.alone, 0, self.counts)

    def situation(self, row: int) -> Situation:
        """One of the hands."""
        return self.batch.situation(row, self.engine.data)

    @cached_property
    def present(self) -> Array:
        """The plain tiles that occur in each hand and its melds, as bits of 64-bit words: (words, hands)."""
        words = np.zeros((-(-len(self.counts) // 64), len(self.batch)), np.uint64)
        for tile in np.flatnonzero(self.counts.any(axis=1)).tolist():
            words[tile // 64] |= (self.counts[tile] > 0).astype(np.uint64) << np.uint64(tile % 64)
        for at in range(self.batch.melds.shape[1]):
            words |= self.image.group_words[:, self.batch.melds[:, at]]
        return words

    def beyond(self) -> Array:
        """The hands that tables do not know."""
        engine, batch = self.engine, self.batch
        unknown = [face for face, weight in enumerate(engine.weights) if weight > engine.keys.all]
        beyond = np.isin(batch.win, unknown) | np.any(batch.tiles[:, unknown], axis=1)
        unplaced = np.zeros((len(engine.data.groups.groups) + 1, 2), bool)
        for group, exposed in engine.unplaced:
            unplaced[group, int(exposed)] = True
        several = np.zeros(len(engine.data.groups.groups) + 1, bool)
        for lookup in self.image.lookups:
            several |= lookup.slot_of == -2
        unplaced |= several[:, None]
        unplaced[-1] = False
        beyond |= np.any(unplaced[batch.melds, batch.exposed.astype(np.int64)], axis=1)
        for zone in engine.zones_of_terms & batch.zones.keys():
            beyond |= np.any(batch.zones[zone], axis=1)
        return np.asarray(beyond)

    def find_contexts(self) -> None:
        """The table of each hand, asked once for hands at such a table."""
        batch = self.batch
        columns = [batch.seat, batch.discarder, batch.self_draw, batch.round_wind, self.is_open]
        columns += [*packed(np.stack([*batch.flags.values()]))] if batch.flags else []
        held = np.flatnonzero(np.any(batch.bonus, axis=0))
        columns += [batch.bonus[:, face] for face in held]
        first, self.context_of = different(columns)
        self.contexts: list[Context] = [self.engine.context(self.situation(int(row))) for row in first]
        self.first_of = first
        keys: dict[Any, int] = {}
        self.class_of = np.array([keys.setdefault(one.class_key, len(keys)) for one in self.contexts], np.int64)
        self.class_contexts = [self.contexts[int(np.flatnonzero(self.class_of == n)[0])] for n in range(len(keys))]

    def tallies(self, rows: Array) -> Tallies:
        """What is counted of some hands."""
        return Tallies(self.image.questions, self.batch.take(rows), lambda: self.waits(rows))

    def waits(self, rows: Array) -> Array:
        """How many tiles complete each hand, without its winning tile."""
        engine, batch = self.engine, self.batch.take(rows)
        counts = self.counts[:, rows]
        counts[self.win[rows], np.arange(len(rows))] -= 1
        copies = np.zeros(len(counts), np.int32)
        copies[list(engine.copies)] = list(engine.copies.values())
        found, beyond = completing(self.image.lookups, counts, batch.melds, batch.exposed, copies)
        if engine.data.scoring.waits == "all":
            for tile, row in np.argwhere(beyond).tolist():
                found[tile, row] = engine.completes(self.situation(int(rows[row])).hand, tile)
        else:
            held = counts + sum(self.image.group_counts[:, batch.melds[:, at]] for at in range(batch.melds.shape[1]))
            found &= held < copies[:, None]
        return np.asarray(found.sum(axis=0))


def by_kind(faces: Array, image: ArrayImage) -> Array:
    """Counted faces (hands, faces) as counts of plain tiles (tiles, hands)."""
    counts = np.zeros(faces.shape[::-1], np.int32)
    for face, plain in enumerate(image.engine.plain_tiles):
        counts[plain] += faces[:, face]
    return counts


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
