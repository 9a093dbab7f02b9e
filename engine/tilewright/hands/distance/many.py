"""Many hands at once: how far each is from any form after every discard, and which tiles then bring it nearer.

In: hands as counts of tiles, of a seat with known melds. Out: arrays. Answers as `tilewright.hands.waits` does. Knows
no faces.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.hands.distance.approach import Approach
from tilewright.hands.distance.near import Way
from tilewright.hands.listed import NEVER
from tilewright.hands.reading import Meld

CHUNK = 256  # hands computed together: what they need stays in the processor's cache


@dataclass(frozen=True, slots=True)
class ManyDiscards:
    """`distance`: (hands, tiles) after the discard of each plain tile, NEVER for tiles that a hand does not hold;
    `useful`: (hands, tiles, tiles) whether the last tile then brings it nearer."""

    distance: Array
    useful: Array


def discards_of(approach: Approach, hands: Array, melds: tuple[Meld, ...] = ()) -> ManyDiscards:
    """The discards of many hands, each as the number of each plain tile: (hands, tiles)."""
    count, tiles = hands.shape
    found = ManyDiscards(np.full((count, tiles), NEVER, np.uint8), np.zeros((count, tiles, tiles), np.bool_))
    plan = approach.plan(melds)
    for start in range(0, count, CHUNK):
        held = np.ascontiguousarray(hands[start : start + CHUNK].T, np.int32)
        strange = plan.strange(held)
        for ways, some in ((plan.ways, ~strange), (plan.plainly, strange)):
            if some.any():
                enter(found, ways, held, start, some)
    return found


def enter(found: ManyDiscards, ways: Sequence[Way], held: Array, start: int, some: Array) -> None:
    """Enter the discards of some of these hands: (tiles, hands), the first of them number `start`."""
    hand, tile = ((held > 0) & some).T.nonzero()
    lanes = held[:, hand]
    lanes[tile, np.arange(len(hand))] -= 1
    missing, useful = np.full(len(hand), NEVER, np.int64), np.zeros(lanes.shape, np.bool_)
    least = least_of(ways, held)
    near_enough = least <= least.min(axis=0, initial=NEVER) + 1
    for way, hopeful in zip(ways, near_enough, strict=True):
        here = hopeful[hand].nonzero()[0]
        if len(here):
            some_lanes = lanes[:, here] if len(here) < len(hand) else lanes
            before = missing[here]
            one = way.exact(some_lanes, way.near(some_lanes), before)
            nearer, no_further = one.missing < before, one.missing <= before
            missing[here] = np.minimum(before, one.missing)
            useful[:, here] = (useful[:, here] & ~nearer) | (one.useful & no_further)
    found.distance[start + hand, tile] = missing
    found.useful[start + hand, tile] = useful.T


def least_of(ways: Sequence[Way], held: Array) -> Array:
    """(ways, hands): how far away each way is at least; exact where it may be the nearest one after a discard, which
    one that is two tiles further away than another is not."""
    found = np.array([way.at_least_each(held) for way in ways], np.int64).reshape(len(ways), held.shape[1])
    best = np.full(held.shape[1], NEVER, np.int64)
    for at in np.argsort(found.sum(axis=1), kind="stable").tolist():
        here = (found[at] <= best + 1).nonzero()[0]
        if len(here):
            some = held[:, here]
            found[at, here] = ways[at].exact(some, ways[at].near(some), best[here] + 1).missing
            best = np.minimum(best, found[at])
    return found
