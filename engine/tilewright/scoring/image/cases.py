"""Cases of forms: what tables know of a form in, as slots to fill beside tiles that are fixed.

A form is cut into its cases; slots that leave no choice become fixed parts, whose tiles are taken away first. Forms
that ask for more than groups and tiles stay with the plain search. Knows no counters."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tilewright.hands.reading import Part
from tilewright.hands.shape import Slot
from tilewright.language.compiled.ruleset import CompiledRuleset, Form


@dataclass(frozen=True, slots=True)
class FormCase:
    """One case of a form: the parts that are the same in every reading, and the slots that leave a choice."""

    form: int
    concealed: bool
    fixed: tuple[Part, ...]
    slots: tuple[Slot, ...]

    @property
    def fixed_tiles(self) -> Counter[int]:
        """The tiles of the fixed parts."""
        return Counter(tile for part in self.fixed for tile in part.tiles)

    @property
    def most(self) -> int:
        """How many parts its readings have."""
        return len(self.fixed) + sum(slot.count for slot in self.slots)


def is_tabled(form: Form) -> bool:
    """Whether the readings of a form are found by counting tiles: no regular expression, no card, no melds inside other
    groups, no slot for exposed groups alone."""
    shape = form.shape
    return bool(
        (shape.cases or shape.pick)
        and not shape.melds
        and form.matches is None
        and form.card is None
        and shape.listed is None
        and all(slot.exposed is None for case in shape.cases for slot in case)
    )


def cases_of(data: CompiledRuleset, number: int) -> Iterator[FormCase]:
    """The cases of the form of this number, as tables know them."""
    shape = data.forms[number].shape
    for case in shape.cases:
        if shape.pick is not None:
            yield FormCase(number, shape.concealed, (), (Slot(shape.pick, tiles=pool(case, data), different=True),))
            continue
        fixed = [(slot, part) for slot in case if (part := only_part(slot, data)) is not None]
        parts = tuple(part for slot, part in fixed for _ in range(slot.count))
        yield FormCase(number, shape.concealed, parts, tuple(s for s in case if only_part(s, data) is None))


def pool(case: tuple[Slot, ...], data: CompiledRuleset) -> frozenset[int]:
    """Every tile of some slot, its groups' tiles included."""
    groups = frozenset().union(*(slot.groups for slot in case))
    return frozenset(t for g in groups for t in data.groups.groups[g].tiles).union(*(slot.tiles for slot in case))


def only_part(slot: Slot, data: CompiledRuleset) -> Part | None:
    """What must fill the slot, if there is no choice."""
    if slot.each:
        return Part(-1, tuple(tile for tile in data.tiles.order if tile in slot.tiles))
    if len(slot.groups | slot.meld_groups) == 1 and slot.groups and not slot.tiles:
        group = next(iter(slot.groups))
        return Part(group, data.groups.groups[group].tiles)
    return Part(-1, tuple(slot.tiles)) if len(slot.tiles) == 1 and not slot.groups else None


def options_of(slot: Slot, data: CompiledRuleset) -> Iterator[Part]:
    """The parts that may fill a slot from the hand."""
    for group in sorted(slot.groups):
        yield Part(group, data.groups.groups[group].tiles)
    for tile in sorted(slot.tiles):
        yield Part(-1, (tile,))


def unplaced(cases: Iterable[FormCase]) -> frozenset[tuple[int, bool]]:
    """The melds, as groups that are exposed or not, that tables cannot give to slots: those of slots with different
    groups, and of fixed parts."""
    found: set[tuple[int, bool]] = set()
    for case in cases:
        slots = [slot.groups | slot.meld_groups for slot in case.slots if slot.different]
        groups = frozenset(part.group for part in case.fixed).union(*slots) - {-1}
        found |= {(group, exposed) for group in groups for exposed in (False, True) if not (exposed and case.concealed)}
    return frozenset(found)
