"""What a page folds away: aligned rows in, the same with runs of what is the same in both books put together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from tilewright.rulebook.side_by_side.aligned import AlignedRow
from tilewright.rulebook.writing.blocks import BookBlock

SHORT = 160  # characters: unchanged text that is not worth folding away


@dataclass(frozen=True)
class Folded:
    """Rows that are the same in both books."""

    rows: tuple[AlignedRow, ...]

    @property
    def blocks(self) -> tuple[BookBlock, ...]:
        return tuple(block for row in self.rows for block in row.new)

    @property
    def is_short(self) -> bool:
        """Whether it is shown anyway."""
        plain = all(block.block in ("text", "list", "heading") for block in self.blocks)
        return plain and sum(len(text) for block in self.blocks for text in (block.text, *block.items)) <= SHORT

    @property
    def count(self) -> int:
        """The parts: entries, texts, items and rows."""
        return sum(len(one.items) or len(one.rows) or 1 for one in self.blocks if one.block != "heading")

    @property
    def names(self) -> list[str]:
        """What its entries are called."""
        return [block.text for block in self.blocks if block.block == "entry"]


def folded(rows: Sequence[AlignedRow]) -> Iterator[AlignedRow | Folded]:
    """The rows in order; those that are the same in both books together, but for headings of what differs."""
    shown = {at for at, row in enumerate(rows) if not row.is_same}
    shown |= {heading for at in shown if (heading := heading_of(rows, at)) is not None}
    for is_shown, found in groupby(enumerate(rows), lambda one: one[0] in shown):
        members = tuple(row for _, row in found)
        yield from members if is_shown else [Folded(members)]


def heading_of(rows: Sequence[AlignedRow], at: int) -> int | None:
    """The place of the heading above a row. Entries are below a heading only if they follow it at once."""
    if rows[at].kind == "heading":
        return None
    for place in reversed(range(at)):
        if any(block.block == "heading" for block in rows[place].new):
            is_of_entries = rows[place + 1].kind == "entry"
            return place if is_of_entries or rows[at].kind != "entry" else None
    return None
