"""Scoring many hands: a batch of won hands in, their scores as columns out.

The columns become rows of numbers, over which a kernel runs. A hand that asks for more (a wild tile, a form that is
searched for) is scored by the plain judge alone. Knows no text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tilewright.base.arrays import Array
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.scoring.batch import HandBatch, ScoreBatch, WrongRow
from tilewright.scoring.kernel import layout as at
from tilewright.scoring.kernel.scores import KernelScores, Worth
from tilewright.scoring.plain.judge import PlainJudge, Verdict
from tilewright.scoring.plain.scene import Situation
from tilewright.scoring.program.tallies import Cells

CHUNK = 16_384  # hands at a time
MOST_MELDS = 32  # of a hand
WORD = (1 << 64) - 1
Number = int | Fraction
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


# --- scores


@dataclass(frozen=True)
class Verdicts:
    """The verdicts of a chunk; for each hand the number of its own, -1 without a reading; the patterns that count, as
    the words of `ScoreBatch`; and which hands were scored by themselves."""

    of_hand: Array
    verdicts: list[Verdict | Worth]
    patterns: Array
    plain: Array


class ManyScores:
    """Scoring of many hands under one ruleset."""

    def __init__(self, judge: PlainJudge, kernel: KernelScores | None) -> None:
        self.judge, self.kernel, self.data = judge, kernel, judge.data
        wild, faces = judge.reader.wild, range(len(self.data.tiles.tiles))
        self.copies = [wild.copies[face] for face in faces]

    def score(self, batch: HandBatch) -> ScoreBatch:
        """The scores of a batch. Raises ValueError where a column does not fit the ruleset."""
        self.check(batch)
        parts = [self.chunk(batch.take(slice(first, first + CHUNK)), first) for first in range(0, len(batch), CHUNK)]
        return self.columns_of(parts)

    def check(self, batch: HandBatch) -> None:
        """Raises ValueError where a column does not fit the ruleset."""
        faces = len(self.data.tiles.tiles)
        if batch.tiles.shape[1] != faces:
            raise ValueError(f"tiles has {batch.tiles.shape[1]} columns, but {self.data.id} has {faces} faces")
        limits = {"win": faces, "melds": len(self.data.groups.groups), "round_wind": faces}
        limits |= dict.fromkeys(("seat", "discarder"), self.data.seats.count)
        for name, limit in limits.items():
            rows = getattr(batch, name)
            least = 0 if name == "win" else -1
            wrong = np.argwhere((rows < least) | (rows >= limit))
            if len(wrong):
                raise WrongRow(int(wrong[0][0]), f"{name}: the number is not from {least} to {limit - 1}")
        if batch.melds.shape[1] > MOST_MELDS:
            raise ValueError(f"melds has {batch.melds.shape[1]} columns, more than {MOST_MELDS}")
        for name in batch.flags:
            if name not in self.data.marks and name not in self.data.terms:
                raise ValueError(f"{self.data.id} knows no flag {name!r}")
        for name in batch.zones:
            if name not in self.data.zones:
                raise ValueError(f"{self.data.id} has no zone {name!r}")

    def columns_of(self, parts: Sequence[Verdicts]) -> ScoreBatch:
        """The columns of the scores."""
        best, measures = self.data.scoring.best, [measure.id for measure in self.data.scoring.measures]
        won, patterns, plain = [], [], []
        values: dict[str, list[Array]] = {name: [] for name in measures}
        for part in parts:
            wins = np.array([verdict.short is None for verdict in part.verdicts] + [False], bool)
            won.append(wins[part.of_hand])
            patterns.append(part.patterns)
            plain.append(part.plain)
            for name, columns in values.items():
                columns.append(numbers([verdict.values[name] for verdict in part.verdicts] + [0])[part.of_hand])
        joined = {name: together(columns, np.int64) for name, columns in values.items()}
        wins = together(won, bool)
        return ScoreBatch(
            wins,
            np.where(wins, joined[best], 0),
            best,
            joined,
            np.concatenate([*patterns, self.words([])[:0]]),
            [pattern.id for pattern in self.data.patterns],
            together(plain, bool),
        )

    def chunk(self, batch: HandBatch, first: int) -> Verdicts:
        """The verdicts on some hands, the first of which is in this row."""
        check_copies(self.data, self.copies, batch, first)
        if self.kernel is None:
            found = self.nothing(len(batch))
        else:
            found = self.in_a_loop(self.kernel, ManyHands(self.kernel, batch))
        for row in np.flatnonzero(found.plain).tolist():
            verdict = self.alone(batch, row)
            if verdict is not None:
                found.of_hand[row] = len(found.verdicts)
                found.verdicts.append(verdict)
                found.patterns[row] = self.words([verdict])[0]
        return found

    def nothing(self, count: int) -> Verdicts:
        """Hands that are all to be scored by themselves."""
        words = np.zeros((count, len(self.words([])[0])), np.uint64)
        return Verdicts(np.full(count, -1, np.int64), [], words, np.ones(count, bool))

    def in_a_loop(self, kernel: KernelScores, hands: ManyHands) -> Verdicts:
        """The verdicts on hands that tables know, hand by hand in a compiled loop."""
        with kernel.lock:
            results = np.asarray(kernel.judge(hands.rows(), np.arange(len(hands.batch)), len(hands.batch)))
            worths = kernel.worths
        number = results[:, at.RESULT]
        numbers, of_hand = np.unique(np.maximum(number, -1), return_inverse=True)
        none = int(len(numbers) > 0 and numbers[0] < 0)
        patterns = results[:, at.RESULT_PATTERNS : at.RESULT_PATTERNS + kernel.image[at.PATTERN_WORDS]]
        patterns[number < 0] = 0
        plain = hands.alone | (number == at.BY_ITSELF)
        verdicts: list[Verdict | Worth] = [worths[worth] for worth in numbers[none:].tolist()]
        return Verdicts(np.where(plain, -1, of_hand - none), verdicts, patterns.astype(np.uint64), plain)

    def words(self, verdicts: Sequence[Verdict]) -> Array:
        """The patterns that count in each verdict, as words; then none."""
        order = {pattern.id: number for number, pattern in enumerate(self.data.patterns)}
        masks = [sum(1 << order[one.pattern.id] for one in verdict.counted) for verdict in verdicts] + [0]
        words = range(-(-max(len(order), 1) // 64))
        return np.array([[mask >> 64 * word & WORD for word in words] for mask in masks], np.uint64)

    def alone(self, batch: HandBatch, row: int) -> Verdict | None:
        """The verdict on one hand, scored by itself."""
        return self.judge.best(batch.situation(row, self.data))


def together(columns: Sequence[Array], kind: type) -> Array:
    """The rows of several columns; of this kind where there are none."""
    return np.concatenate(columns) if columns else np.zeros(0, kind)


def numbers(values: Sequence[Number]) -> Array:
    """Numbers as integers, or floats where one is no whole number."""
    whole = all(isinstance(value, int) for value in values)
    return np.array(values, np.int64) if whole else np.array([float(value) for value in values])
