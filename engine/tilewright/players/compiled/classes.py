"""Classes of melds: melds of one class leave a seat the same ways to win, but for those that need a tile of which the
melds have every copy."""

from collections.abc import Iterator

import numpy as np

from tilewright.hands.distance.approach import Approach
from tilewright.hands.distance.searched import SearchedWay
from tilewright.hands.distance.tabled import TabledWay
from tilewright.hands.reading import Meld
from tilewright.hands.readings import merged


def classes_of(approach: Approach) -> list[int]:
    """The class of each group, concealed and exposed, from 0."""
    numbers: dict[object, int] = {}
    return [numbers.setdefault(role_of(approach, meld), len(numbers)) for meld in all_melds(approach)]


def all_melds(approach: Approach) -> Iterator[Meld]:
    """A meld of each group, concealed and exposed."""
    for group in approach.reader.groups.groups:
        yield from (Meld(group.index, group.tiles, exposed) for exposed in (False, True))


def needed_by(approach: Approach) -> int:
    """The tiles, as bits, that some way needs anyway, whatever the class of the first meld is."""
    found = 0
    for meld in all_melds(approach):
        if role_of(approach, meld) == meld:
            continue
        for way in approach.plan((meld,)).ways:
            if isinstance(way, TabledWay):
                found |= sum(1 << tile for tile in np.flatnonzero(way.fixed).tolist())
    return found


def decides_alone(way: object) -> bool:
    """Whether a way depends on the tiles of a meld, not only on the slots that it fills (and on how many tiles there
    are besides, which kernels count)."""
    if isinstance(way, TabledWay):
        return bool(way.fixed.max(initial=0) > 1)
    return not isinstance(way, SearchedWay)


def role_of(approach: Approach, meld: Meld) -> object:
    """What tells the class: the slots that a meld fits in. The meld itself where its tiles matter, too: to forms that
    need several of a kind anyway, or take its tiles up, to groups that must be different."""
    reader, fits = approach.reader, list[tuple[int, ...]]()
    ways = approach.plan((meld,)).ways
    if any(decides_alone(way) for way in ways):
        return meld
    for shape in reader.shapes:
        if reader.may_absorb(shape, (meld,)):
            return meld
        for slots in map(merged, shape.cases if not (shape.concealed and meld.exposed) else ()):
            here = [
                number
                for number, slot in enumerate(slots)
                if (meld.group in slot.groups or meld.group in slot.meld_groups)
                and slot.exposed in (None, meld.exposed)
            ]
            if any(slots[number].different for number in here):
                return meld
            fits.append(tuple(here))
    return (meld.exposed and any(shape.concealed for shape in reader.shapes), tuple(fits))
