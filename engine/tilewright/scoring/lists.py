"""Forms that are lists of tiles, all fixed except some single ones: a hand's key in, its one reading out.

For instance thirteen different tiles and one of them again. Knows no patterns; `tilewright.hands.readings` is the
oracle.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tilewright.hands.reading import Part, Reading
from tilewright.hands.readings import ReadingSearch
from tilewright.hands.shape import Slot
from tilewright.language.compiled.ruleset import CompiledRuleset, Form
from tilewright.scoring.features import MOST
from tilewright.scoring.tables import COUNT, ONE, LookupTables


@dataclass(frozen=True, slots=True)
class ListCase:
    """Required parts, their tiles as a key, and how many further tiles there are, of which kinds (a mask
    over their counts). `needed`: each required tile, the place of its count in a key, how many; `within`: a
    mask over all counts that may be there; `choice`: the tiles that further ones may be; `lowest`: the lowest bit of
    each count."""

    fixed: tuple[Part, ...]
    key: int
    lowest: int
    free: int
    allowed: int
    needed: tuple[tuple[int, int, int], ...]
    within: int
    choice: frozenset[int]

    def rest(self, key: int) -> int | None:
        """The tiles beside the fixed ones, as a key; None where the hand is not this case."""
        rest = key - self.key
        if rest < 0 or (rest ^ key ^ self.key) & self.lowest or rest & ~self.allowed:
            return None
        return rest if counted(rest) == self.free else None

    def completed_by(self, key: int) -> frozenset[int]:
        """The tiles that make the hand this case."""
        if key & ~self.within:
            return frozenset()
        missing, here = [], 0
        for tile, place, needed in self.needed:
            held = key >> place & ONE
            here += min(held, needed)
            if held < needed:
                missing += [tile] * (needed - held)
            elif held > needed and not self.allowed >> place & 1:
                return frozenset()
        more = counted(key) - here
        if not missing and more == self.free - 1:
            return self.choice
        return frozenset(missing) if len(missing) == 1 and more == self.free else frozenset()


def counted(key: int) -> int:
    """How many tiles a key counts."""
    total = 0
    while key:
        total += key & ONE
        key >>= COUNT
    return total


def is_list(form: Form, data: CompiledRuleset) -> bool:
    """Whether in every case at most one slot leaves a choice, one of single tiles."""
    shape = form.shape
    plain = shape.cases and shape.pick is None and not (form.when or form.matches or form.card or data.tiles.wild)
    return bool(plain) and all(is_list_case(case, data) for case in shape.cases)


def is_list_case(slots: tuple[Slot, ...], data: CompiledRuleset) -> bool:
    free = [slot for slot in slots if only_part(slot, data) is None]
    return (
        len(free) < 2
        and not any(slot.groups for slot in free)
        and sum(slot.count for slot in slots) < MOST
        and not any(slot.different or slot.exposed is not None for slot in slots)
    )


def needed_tiles(form: Form, data: CompiledRuleset) -> list[frozenset[int]]:
    """For each case the tiles that have to be there."""
    fixed = [[part for slot in case if (part := only_part(slot, data))] for case in form.shape.cases]
    return [frozenset(tile for part in parts for tile in part.tiles) for parts in fixed]


def list_cases(form: Form, data: CompiledRuleset, tables: LookupTables) -> list[ListCase]:
    """The cases of a form that is a list."""
    return [list_case(case, data, tables) for case in form.shape.cases]


def list_case(slots: tuple[Slot, ...], data: CompiledRuleset, tables: LookupTables) -> ListCase:
    parts = [(slot, only_part(slot, data)) for slot in slots]
    fixed = tuple(part for slot, part in parts if part is not None for _ in range(slot.count))
    free = [slot for slot, part in parts if part is None]
    counts = Counter(tile for part in fixed for tile in part.tiles)
    choice = frozenset(tile for slot in free for tile in slot.tiles)
    weights = tables.weights
    needed = tuple((tile, weights[tile].bit_length() - 1, number) for tile, number in counts.items())
    return ListCase(
        fixed,
        key=sum(number * weights[tile] for tile, number in counts.items()),
        lowest=sum(1 << COUNT * place for place in range(1, tables.all.bit_length() // COUNT + 1)),
        free=sum(slot.count for slot in free),
        allowed=sum(ONE * weights[tile] for tile in choice),
        needed=needed,
        within=sum(ONE * weights[tile] for tile in choice | counts.keys()),
        choice=choice,
    )


def only_part(slot: Slot, data: CompiledRuleset) -> Part | None:
    """What must fill the slot, if there is no choice."""
    if slot.each:
        return Part(-1, tuple(tile for tile in data.tiles.order if tile in slot.tiles))
    if len(slot.groups) == 1 and not slot.tiles:
        group = next(iter(slot.groups))
        return Part(group, data.groups.groups[group].tiles)
    return Part(-1, tuple(slot.tiles)) if len(slot.tiles) == 1 and not slot.groups else None


def list_readings(
    form: Form, case: ListCase, rest: int, win: int, exposed: bool, tables: LookupTables, reader: ReadingSearch
) -> Iterator[Reading]:
    """The reading, once for each different part that the winning tile may be in."""
    parts = sorted([*case.fixed, *single_parts(rest, tables)], key=reader.part_order)
    for at, part in enumerate(parts):
        if win in part.tiles and part not in parts[:at]:
            done = Part(part.group, part.tiles, exposed, False, True)
            yield Reading(form.id, (*parts[:at], done, *parts[at + 1 :]), reader.wait(part.group, win))


def single_parts(key: int, tables: LookupTables) -> list[Part]:
    """Each tile of a key as a part."""
    parts: list[Part] = []
    while key:
        place = (key & -key).bit_length() - 1
        parts.append(tables.singles[place // COUNT])
        key -= 1 << place // COUNT * COUNT
    return parts
