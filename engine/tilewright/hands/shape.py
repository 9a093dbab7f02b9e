"""The shape of a winning hand: what a form needs of its groups. Frozen data; letters are already unfolded.

Knows no conditions: a form that also has a `when` or a regular expression is asked through a function.
"""

from dataclasses import dataclass

from tilewright.hands.group import Groups
from tilewright.hands.listed import Listing


@dataclass(frozen=True, slots=True)
class Slot:
    """`count` groups, each one of `groups` (or, only as a meld, of `meld_groups`); or `count` single tiles, each one
    of `tiles`; or, with `each`, one of every tile of `tiles`. `different`: no two of these are the same."""

    count: int
    groups: frozenset[int] = frozenset()
    meld_groups: frozenset[int] = frozenset()
    tiles: frozenset[int] = frozenset()
    each: bool = False
    different: bool = False
    exposed: bool | None = None


@dataclass(frozen=True, slots=True)
class Shape:
    """A form. `cases`: alternative lists of slots that use up the hand. `pick`: this many different single tiles, each
    of some slot of a case. `listed`: whole hands one by one, as of a card, in place of cases. None of these: the form
    is a condition alone and its readings have no groups but the melds. `melds`: kinds that may lie on the table in
    place of their tiles, besides groups that fill slots."""

    form: str
    cases: tuple[tuple[Slot, ...], ...] = ()
    pick: int | None = None
    concealed: bool = False
    melds: tuple[str, ...] = ()
    listed: Listing | None = None

    @property
    def has_groups(self) -> bool:
        """Groups or tiles of the shape use up the hand."""
        return bool(self.cases) or self.pick is not None or self.listed is not None


def sizes_of(shape: Shape, groups: Groups) -> frozenset[int]:
    """How many tiles the hands of a form have, groups that stand for smaller ones counted as those; none for a form
    that is a condition alone."""
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
