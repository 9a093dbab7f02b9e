"""Form sizes: how many tiles the hands of a form have, groups that stand for smaller ones counted as those."""

from tilewright.hands.group import Groups
from tilewright.hands.shape import Shape, Slot


def sizes_of(shape: Shape, groups: Groups) -> frozenset[int]:
    """Every size; none for a form that is a condition alone."""
    if not shape.has_groups:
        return frozenset()
    if shape.pick is not None:
        return frozenset({shape.pick})
    listed = {sum(count for _, count in row) for row in shape.listed.rows} if shape.listed else set()
    return frozenset(listed | {sum(size_of_slot(slot, groups) for slot in case) for case in shape.cases})


def size_of_slot(slot: Slot, groups: Groups) -> int:
    """How many tiles the slot takes up."""
    if slot.each:
        return slot.count * len(slot.tiles)
    sizes = [len(groups.groups[group].tiles) for group in slot.groups] + [1 for _ in slot.tiles]
    return slot.count * min(sizes, default=0)
