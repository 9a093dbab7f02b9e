"""Cases of forms: what tables know of a form in, as slots to fill beside tiles that are fixed.

A form is cut into its cases; slots that leave no choice become fixed parts, whose tiles are taken away first. Forms
that ask for more than groups and tiles stay with the plain search. Knows no counters."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tilewright.hands.reading import Part, Slot
from tilewright.hands.wild import WildTiles
from tilewright.language.compiled.ruleset import CompiledRuleset, Form

GroupParts = Sequence[Part | None]  # what each group is, made of tiles of a hand; None where no hand can make it


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
        return Counter(tile for part in self.fixed for tile in part.held)

    @property
    def most(self) -> int:
        """How many parts its readings have."""
        return len(self.fixed) + sum(slot.count for slot in self.slots)


def natural_parts(data: CompiledRuleset) -> GroupParts:
    """The groups without wild tiles."""
    return [Part(group.index, group.tiles) for group in data.groups.groups]


def filled_parts(data: CompiledRuleset, wild: WildTiles) -> GroupParts | None:
    """The groups with wild tiles in their gaps; None where the same tiles may be a group in several ways."""
    if not wild.fills_gaps or not wild.stands_for:
        return None
    found: list[Part | None] = []
    for group in data.groups.groups:
        part = Part(group.index, group.tiles, wild=wild.standing(group.tiles, group.kinds | group.meld_kinds))
        found.append(None if any(map(wild.virtual, part.held)) else part)
        if any(
            len({stood for one, stood in part.wild if one == tile}) + (tile in part.tiles) > 1 for tile in part.held
        ):
            return None
    return found


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


def cases_of(data: CompiledRuleset, number: int, groups: GroupParts) -> Iterator[FormCase]:
    """The cases of the form of this number, as tables know them."""
    shape = data.forms[number].shape
    for case in shape.cases:
        if shape.pick is not None:
            yield FormCase(number, shape.concealed, (), (Slot(shape.pick, tiles=pool(case, data), different=True),))
            continue
        fixed = [(slot, part) for slot in case if (part := only_part(slot, data, groups)) is not None]
        parts = tuple(part for slot, part in fixed for _ in range(slot.count))
        yield FormCase(number, shape.concealed, parts, tuple(s for s in case if only_part(s, data, groups) is None))


def pool(case: tuple[Slot, ...], data: CompiledRuleset) -> frozenset[int]:
    """Every tile of some slot, its groups' tiles included."""
    groups = frozenset().union(*(slot.groups for slot in case))
    return frozenset(t for g in groups for t in data.groups.groups[g].tiles).union(*(slot.tiles for slot in case))


def only_part(slot: Slot, data: CompiledRuleset, groups: GroupParts) -> Part | None:
    """What must fill the slot, if there is no choice."""
    if slot.each:
        return Part(-1, tuple(tile for tile in data.tiles.order if tile in slot.tiles))
    if len(slot.groups | slot.meld_groups) == 1 and slot.groups and not slot.tiles:
        group = next(iter(slot.groups))
        return groups[group] or Part(group, data.groups.groups[group].tiles)
    return Part(-1, tuple(slot.tiles)) if len(slot.tiles) == 1 and not slot.groups else None


def options_of(slot: Slot, groups: GroupParts) -> Iterator[Part]:
    """The parts that may fill a slot from the hand."""
    for group in sorted(slot.groups):
        part = groups[group]
        if part is not None:
            yield part
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
