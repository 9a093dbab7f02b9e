"""Forecasts: the prospects of a seat in forms that list their hands: every hand by its value and probability, or how
likely every hand is to be made, tile by tile, from the tiles that nobody has seen.

A row misses some tiles where no wild tile may stand, and others. A player draws one tile a turn; a set is also
completed by a claim, and the whole hand by any discard. How many of each tile come is taken as independent of the
others. Knows hands and the number of unseen tiles; knows no payments and no other seat's hand.

Players on kernels compute the same (`players.compiled.kernel.cards`), number by number: sums are made one after the
other here, and nothing is asked of numpy that processors round differently.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import exp
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from tilewright.hands.distance.cards import ListedLook, ListedPlan
from tilewright.hands.listed import Rows
from tilewright.language.compiled.ruleset import CardData
from tilewright.players.bots import chances
from tilewright.players.bots.danger import Danger
from tilewright.players.bots.odds import TurnsLeft, Weights, added, appeal, prospect_of_listed, together
from tilewright.players.bots.position import FormReader, Position
from tilewright.players.bots.worth import HandValues, ScoringContext

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tilewright.hands.matrix import Numbers, Places

    Reals = NDArray[Any]
    Counts = NDArray[Any]

LOOKS = 8  # points in time that are examined
CALLED, CALLED_LAST = 1.2, 0.35  # copies of a tile that others discard for each drawn, at the start and at the end
ENDS = 0.06  # how likely somebody else wins in each turn, once hands are ready
READY = 0.6  # the share of turns after which half of them are
MOST = 8  # tiles missing of a sort, and wild tiles
MOST_DRAWN = 4  # wild tiles that still come
NEVER_YET = 1e-9
WINNING = 0.33  # of the usual worth of lines: the worth of keeping others from winning
ALIKE = 3.0  # many rows are similar: the best one counts little more than the others
WAITING, WITH_EACH_GROUP = 0.1, 0.15  # how likely a seat waits at the end of the wall, and more for each group
PLAINER = 1.25  # power: a tile that most hands of a seat still need is more dangerous than the share of them says
WITHIN = 2  # rows that miss at most this many tiles more than the nearest are considered


class ListedPromise(Protocol):
    """The prospects of a position in listed hands."""

    def promise(self, clock: TurnsLeft, without: int | None = None) -> float:
        """The prospects of the hand, with all tiles or without one (a plain tile)."""
        ...

    def is_harmless(self, tile: int) -> bool:
        """Whether the nearest row is as near without the tile."""
        ...


@dataclass(frozen=True, eq=False)
class CardOutlook:
    """A form that lists its hands. `card` gives their values; without one all are worth the same."""

    reader: FormReader
    rows: Rows
    card: CardData | None

    @cached_property
    def usual(self) -> float:
        """The usual worth of a line."""
        values = [line.value for line in self.card.lines] if self.card is not None else []
        return sum(values) / len(values) if values else 1.0

    @cached_property
    def _appeals(self) -> "dict[Weights, Reals]":
        return {}

    def appeals(self, weights: Weights) -> "Reals":
        """How much effort every row deserves."""
        import numpy

        if weights in self._appeals:
            return self._appeals[weights]
        lines = self.card.lines if self.card is not None else ()
        worths = [lines[entry].value if lines else 1 for entry in self.rows.listing.entries]
        found = numpy.array([appeal(worth + weights.winning * self.usual, weights) for worth in worths])
        self._appeals[weights] = found
        return found

    def outlook(self, position: Position, weights: Weights) -> "Outlook | None":
        """The nearest rows that can still be made; None if there are none."""
        left = Counter({tile: max(0, count) for tile, count in position.left.items()})
        in_the_box = self.reader.approach.in_the_box
        own = [in_the_box[f] for f in (*position.tiles, *(tile for meld in position.melds for tile in meld.tiles))]
        plan = ListedPlan(self.rows, position.melds, self.rows.wild.copies - left - Counter(own))
        held = [0] * len(in_the_box)
        for face in position.tiles:
            held[self.reader.plain[face]] += 1
        look = plan.of(tuple(held))
        missing = look.missing
        if not len(missing):
            return None
        near = (missing <= missing.min() + WITHIN).nonzero()[0]
        rows = plan.rows[near]
        return Outlook(look, near, weights, self.appeals(weights)[rows], self.rows.matrix.concealed[rows], left)


@dataclass(frozen=True, eq=False)
class Outlook:
    """The rows that a hand is nearest to. All numbers are of these rows, `near` their places in the plan; `left`: how
    many of each tile are unseen."""

    look: ListedLook
    near: "Places"
    weights: Weights
    appeals: "Reals"
    concealed: "Reals"
    left: Counter[int]

    @cached_property
    def live(self) -> "Reals":
        """How many unseen tiles would bring the hand nearer."""
        spare, short = self.look.spare[:, self.near], self.look.short[:, self.near]
        plan = self.look.plan
        takes_wild = short.sum(axis=0) > self.look.wild
        lowering = (spare < 0) | ((short > 0) & takes_wild)
        natural = (lowering * self.left_of_columns).sum(axis=0)
        live: Reals = natural + takes_wild * sum(self.left[tile] for tile in plan.listing.helpers)
        return live

    @cached_property
    def left_of_columns(self) -> "Numbers":
        """How many unseen tiles there are of each column."""
        rows = self.look.plan.listing
        return rows.matrix.column(rows.left_with_choices(self.left, dict(enumerate(self.look.held))))

    def promise(self, clock: TurnsLeft, without: int | None = None) -> float:
        """The prospects of the hand, with all tiles or without one (a plain tile)."""
        missing = self.look.missing if without is None else self.look.missing_without(without)
        unseen = self.left.total()
        rows = zip(missing[self.near].tolist(), self.live.tolist(), self.concealed.tolist(), self.appeals, strict=True)
        weights = self.weights
        claims, draws = weights.claims, weights.draws
        hopes = [
            prospect_of_listed(m, n, unseen, clock, draws if closed else claims, weights) * worth
            for m, n, closed, worth in rows
        ]
        return together(hopes, ALIKE)

    def is_harmless(self, tile: int) -> bool:
        """Whether the nearest row is as near without the tile."""
        return int(self.look.missing_without(tile).min()) <= int(self.look.missing.min())


@dataclass(frozen=True, eq=False)
class Times:
    """Some of the turns that are left. `turns`: how many have gone by at each, from none on; `open`: how likely nobody
    else has won from each of them to the next; `called`: how many tiles to claim others have discarded by each;
    `unseen`: tiles."""

    turns: "Reals"
    open: "Reals"
    called: "Reals"
    unseen: int

    @cached_property
    def counts(self) -> "Reals":
        """How likely a number of tiles has come by each turn: [way, tiles unseen, number, turn]. Ways: 0 if they can
        only be drawn; n if n are missing of a set, and the last one may be claimed."""
        all_ways = self.turns + self.called  # of getting a tile
        last = np.divide(self.turns, all_ways, out=np.ones_like(all_ways), where=all_ways > 0)
        rates = np.array([np.ones_like(last)] + [number / (number - 1 + last) for number in range(1, MOST + 1)])
        shares = np.minimum(1.0, rates * self.turns / self.unseen)
        found = np.zeros((len(rates), MOST + 1, MOST + 1, len(self.turns)))
        found[:, 0, 0] = 1.0
        for tiles in range(1, MOST + 1):
            found[:, tiles] = found[:, tiles - 1] * (1 - shares)[:, None]
            found[:, tiles, 1:] += found[:, tiles - 1, :-1] * shares[:, None]
        return found

    @cached_property
    def at_least(self) -> "Reals":
        """How likely so many or more have: as `counts`."""
        found: Reals = self.counts[:, :, ::-1].cumsum(axis=2)[:, :, ::-1]
        return found


def times_of(clock: TurnsLeft, unseen: int) -> Times:
    """The turns that are left on this clock."""
    left = max(1, clock.left)
    turns = np.unique(np.linspace(0, left, min(left, LOOKS) + 1).round())
    ready = READY * (clock.gone + clock.left) - clock.gone
    each = np.cumprod([1 - ENDS / (1 + exp(ready - turn)) for turn in range(left)])
    before = np.concatenate([[0.0], each.cumsum()])[turns.astype(int)]
    part = (clock.gone + turns / 2) / (clock.gone + left)  # of the hand, half way to each
    called = turns * (CALLED + (CALLED_LAST - CALLED) * part)
    return Times(turns, np.diff(before) / np.diff(turns), called, unseen)


@dataclass(frozen=True, eq=False)
class Cases:
    """What rows miss, a column for each row. `fixed`, `free`: tiles missing where no wild tile may stand, and
    elsewhere; `wild`: wild tiles held; `closed`: rows that may not be exposed; `left`: unseen tiles of each sort,
    `wild_left`: wild ones."""

    fixed: "Counts"
    free: "Counts"
    wild: "Counts"
    closed: "Counts"
    left: "Counts"
    wild_left: int

    def won(self, times: Times) -> "tuple[Reals, Reals]":
        """How likely each row wins before anyone else does, and how likely if no wild tile came."""
        none, one = self.of_fixed(times)
        places = self.of_free(times)
        drawn = times.counts[0, min(self.wild_left, MOST), : MOST_DRAWN + 1]
        within, here = places.cumsum(axis=1), np.arange(len(self.wild))
        ready, last = np.zeros_like(none), np.zeros_like(none)
        for number in range(MOST_DRAWN + 1):
            have = np.minimum(self.wild + number, MOST)
            ready += within[here, have] * drawn[number]
            last += np.where((have < MOST)[:, None], places[here, np.minimum(have + 1, MOST)], 0.0) * drawn[number]
        waiting = ready * one + self.closed[:, None] * none * last * 2.0  # about as many tiles
        return self.over(times, none * ready, waiting), self.over(times, none * places[:, 0], places[:, 0] * one)

    def over(self, times: Times, made: "Reals", waiting: "Reals") -> "Reals":
        """How likely rows win. `made`: how likely draws have made them by each turn; `waiting`: how likely one tile is
        missing that must be drawn or win, times the copies of it."""
        yet = np.maximum(1.0 - made, NEVER_YET)
        drawn = (made[:, 1:] - made[:, :-1]) / yet[:, :-1]
        share = (waiting[:, 1:] / yet[:, 1:] + waiting[:, :-1] / yet[:, :-1]) / 2
        stays = np.clip(1.0 - drawn, 0.0, 1.0) * chances.faded(share * np.diff(times.called) / times.unseen)
        before = np.concatenate([np.ones((len(made), 1)), stays.cumprod(axis=1)], axis=1) * (1.0 - made[:, :1])
        found: Reals = made[:, 0] + ((before[:, :-1] - before[:, 1:]) * times.open).cumsum(axis=1)[:, -1]
        return found

    def of_fixed(self, times: Times) -> "tuple[Reals, Reals]":
        """How likely no tile is missing where no wild one may stand by each turn; and how likely one is, times the
        copies of it: [row, turn]."""
        tiles, rows = self.fixed.nonzero()
        wanted, left = np.minimum(self.fixed[tiles, rows], MOST), self.left[tiles]
        enough = np.maximum(times.at_least[0, left, wanted], NEVER_YET)
        copies = np.maximum(left - wanted + 1, 0)[:, None]
        none, ratios = (make((self.fixed.shape[1], len(times.turns))) for make in (np.ones, np.zeros))
        np.multiply.at(none, rows, enough)
        np.add.at(ratios, rows, times.counts[0, left, wanted - 1] * copies / enough)
        return none, none * ratios

    def of_free(self, times: Times) -> "Reals":
        """How likely so many places are left where wild tiles may stand: [row, number, turn]."""
        rows, tiles = self.free.T.nonzero()
        wanted = np.minimum(self.free[tiles, rows], MOST)
        left = np.maximum(self.left[tiles] - self.fixed[tiles, rows], 0)
        ways = np.where(self.closed[rows], 0, np.maximum(wanted - self.wild[rows], 1))
        found = np.zeros((self.free.shape[1], MOST + 1, len(times.turns)))
        found[:, 0] = 1.0
        place = np.arange(len(rows)) - np.searchsorted(rows, rows)  # of a tile among those of its row
        for number in range(int(place.max(initial=-1)) + 1):
            one = (place == number).nonzero()[0]
            way, copies, most = ways[one], left[one], wanted[one]
            short = np.zeros((len(one), int(most.max()) + 1, len(times.turns)))
            short[:, 0] = times.at_least[way, copies, most]
            for missing in range(1, short.shape[1]):
                come = times.counts[way, copies, np.maximum(most - missing, 0)]
                short[:, missing] = come * (most >= missing)[:, None]
            found[rows[one]] = summed(found[rows[one]], short)
        return found


def summed(one: "Reals", other: "Reals") -> "Reals":
    """How likely sums of two numbers are, up to the greatest of the first: [row, number, turn]."""
    found: Reals = one * other[:, :1]
    for number in range(1, other.shape[1]):
        found[:, number:] += one[:, :-number] * other[:, number : number + 1]
    return found


# --- positions


@dataclass(frozen=True, eq=False)
class CardForecast:
    """A form that lists its hands. `start`: the table at which its hands are scored."""

    cards: CardOutlook
    values: HandValues
    start: ScoringContext

    @cached_property
    def worths(self) -> "tuple[Reals, Reals]":
        """What every row is worth, if a wild tile is in it and if none is."""
        rows = self.cards.rows
        entries = dict(zip(rows.listing.entries, rows.listing.rows, strict=True))
        found = {entry: self.worths_of(entry, sets) for entry, sets in entries.items()}
        both = np.array([found[entry] for entry in rows.listing.entries]).reshape(-1, 2)
        keeping = WINNING * self.cards.usual
        return both[:, 0] + keeping, both[:, 1] + keeping

    def worths_of(self, entry: int, sets: tuple[tuple[int, int], ...]) -> tuple[float, float]:
        """What a row is worth with a wild tile and without; the value of its line if it cannot be scored so."""
        rows, card = self.cards.rows, self.cards.card
        sets = tuple((rows.members(kind)[0], count) for kind, count in sets)
        tiles = [tile for tile, count in sets for _ in range(count)]
        line = float(card.lines[entry].value) if card is not None else 1.0
        natural = self.scored(tiles) or line
        free = next((tile for tile, count in sets if (tile, count) in rows.free), None)
        if free is None or not rows.helpers:
            return natural, natural
        tiles[tiles.index(free)] = rows.helpers[0]
        return self.scored(tiles) or line, natural

    def scored(self, tiles: list[int]) -> float:
        """The total of a concealed hand that wins with a natural tile."""
        win = next(tile for tile in reversed(tiles) if tile not in self.cards.rows.helpers)
        rest = sorted(tiles, key=self.cards.rows.place.__getitem__)
        rest.remove(win)
        return self.values.of(tuple(rest), (), win, self.start)

    def of(self, position: Position, times: Times, weights: Weights) -> "Forecast | None":
        """The nearest rows that can still be made; None if there are none."""
        outlook = self.cards.outlook(position, weights)
        if outlook is None:
            return None
        rows = outlook.look.plan.rows[outlook.near]
        with_wild, natural = (worths[rows] for worths in self.worths)
        laid = any(meld.wild for meld in position.melds)
        return Forecast(outlook, with_wild, with_wild if laid else natural, times)


@dataclass(frozen=True, eq=False)
class Forecast:
    """The rows that a hand is nearest to, weighed by how likely they are made. `worths`: what each is worth with a wild
    tile, `natural`: if none comes."""

    outlook: Outlook
    worths: "Reals"
    natural: "Reals"
    times: Times

    def promise(self, clock: TurnsLeft, without: int | None = None) -> float:
        """The prospects of the hand, with all tiles or without one (a plain tile)."""
        return self.promises[without]

    def is_harmless(self, tile: int) -> bool:
        """Whether the nearest row is as near without the tile."""
        return self.outlook.is_harmless(tile)

    @cached_property
    def promises(self) -> Mapping[int | None, float]:
        """The prospects with all tiles, and without each tile of the hand."""
        held = [tile for tile, count in enumerate(self.outlook.look.held) if count]
        places = [np.arange(len(self.outlook.near)), *(self.changed(tile) for tile in held)]
        values = self.valued([None, *held], places)
        found: dict[int | None, float] = {}
        for tile, rows, changed in zip([None, *held], places, values, strict=True):
            here = values[0].copy()
            here[rows] = changed
            found[tile] = together(here.tolist(), ALIKE)
        return found

    def changed(self, tile: int) -> "Counts":
        """The rows that miss more without a tile."""
        plan, near = self.outlook.look.plan, self.outlook.near
        if tile in plan.listing.helpers:
            return np.arange(len(near))
        changed = np.zeros(len(near), np.bool_)
        for at in plan.columns_with(tile, self.outlook.look.held):
            wanted = plan.fixed[at, near] + plan.free[at, near]
            changed |= (wanted > 0) & (self.outlook.look.spare[at, near] <= plan.free[at, near])
        found: Counts = changed.nonzero()[0]
        return found

    def valued(self, without: "list[int | None]", places: "list[Counts]") -> "list[Reals]":
        """The prospects of rows without a tile each: of these rows for each of these tiles."""
        look, near = self.outlook.look, self.outlook.near
        plan, helpers = look.plan, look.plan.listing.helpers
        spare = [look.spare[:, near[rows]] for rows in places]
        wild = np.full(len(without), look.wild)
        for number, tile in enumerate(without):
            if tile in helpers:
                wild[number] -= 1
            elif tile is not None:
                for at in plan.columns_with(tile, look.held):
                    spare[number][at] -= 1  # a copy: taken by places
        rows, have = np.concatenate(places), np.concatenate(spare, axis=1)
        held = wild.repeat([len(some) for some in places])
        closed = self.outlook.concealed[rows]
        short = np.maximum(plan.free[:, near[rows]] - np.maximum(have, 0), 0)
        wild_left = sum(self.outlook.left[tile] for tile in helpers)
        won, natural = Cases(np.maximum(-have, 0), short, held, closed, self.left, wild_left).won(self.times)
        more = (self.natural - self.worths)[rows] * (held == 0)
        values = won * self.worths[rows] + natural * more
        return np.split(values, np.cumsum([len(some) for some in places])[:-1])

    @cached_property
    def left(self) -> "Counts":
        """How many of each tile of the rows are unseen."""
        found: Counts = np.minimum(self.outlook.left_of_columns[:, 0], MOST)
        return found


# --- danger


class ListedDanger(Danger):
    """What other seats may be waiting for under listed hands: a hand is seldom ready before the wall grows short, and
    groups on the table say the more, the fewer hands have them."""

    def of(self, face: int) -> float:
        """What discarding the tile may cost."""
        tile = self.uses.reader.plain[face]
        hits = ((self.hit(seat, tile) / self.weights.hit) ** PLAINER * self.ready[seat] for seat in self.others)
        return self.weights.loss * added(hits)

    @cached_property
    def ready(self) -> Mapping[int, float]:
        """How likely each seat waits for a tile that its hand seems to need most."""
        wall, thrown = self.uses.reader.wall(self.view), sum(tiles.total() for tiles in self.thrown.values())
        share = thrown / max(1, thrown + wall)
        late = share * share
        groups = {seat: len(self.view.melds(seat)) for seat in self.others}
        return {seat: min(1.0, late * (WAITING + WITH_EACH_GROUP * groups[seat])) for seat in self.others}
