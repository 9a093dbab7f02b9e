"""A card on paper: its content in, pages with everything placed in points out.

Takes the largest type that fits the fewest pages, in one to three columns, and keeps groups whole if that costs little.
The content is also plain data, for pages that draw a card themselves. Knows no file format; draws nothing.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

from tilewright.base.memory import kept
from tilewright.cards.expand import understood
from tilewright.cards.model import Card, CardGroup, CardLineText, CardPattern
from tilewright.paper.layout import (
    LEAST,
    NOTE_ROWS,
    PaperSizes,
    PrintBlock,
    PrintRow,
    foot_block,
    head_block,
    line_block,
    title_block,
)
from tilewright.paper.small_print import joined_sets, signs_at, suit_of

LARGEST = 13.5
STEPS = [LEAST + 0.25 * step for step in range(int((LARGEST - LEAST) * 4) + 1)]
MARGIN = 30.0
GUTTER = 20.0
WIDEST = 330.0  # a column; wider ones are hard to read
BETWEEN = 0.85  # of the size: above a title, and under head and above foot
LEADS = (1.0, 0.8, 0.65, 0.5)  # of the size: the distance of lines, if there is room
USUAL, TIGHT = 0.4, 0.15  # and its minimum; the second to avoid another page
COLUMNS = {2: 1.0, 1: 0.9, 3: 0.85}  # weight of the type size, by the number of columns
SPLIT = 0.88  # and with broken groups
MOST_KEPT = 8  # layouts of all lines of a card at a time


@dataclass(frozen=True, slots=True)
class PaperSize:
    """A sheet: its size in points, and in CSS."""

    name: str
    width: float
    height: float
    across: str
    down: str


PAPERS = {
    "a4": PaperSize("A4", 595.28, 841.89, "210mm", "297mm"),
    "letter": PaperSize("letter", 612.0, 792.0, "8.5in", "11in"),
}


@dataclass(frozen=True, slots=True)
class Placed:
    """A block with its left upper corner on the page."""

    x: float
    y: float
    block: PrintBlock


@dataclass(frozen=True, slots=True)
class Page:
    """One side of paper. `number` from 1, of `count`."""

    paper: PaperSize
    number: int
    count: int
    placed: tuple[Placed, ...]


@dataclass(frozen=True, slots=True)
class SheetSection:
    """A group with its lines as read."""

    id: str
    group: CardGroup
    rows: tuple[PrintRow, ...]


Chunk = tuple[PrintBlock, ...]  # blocks that stay in one column
Column = list[PrintBlock]


class SheetContent(Protocol):
    """What is printed. `digits`: of the longest value; `columns`, `rows`: a weight of the type size for each number of
    columns, and of rows of small print under a line; `largest`: the largest type; `comfortable`: the size of type below
    which a second side of the sheet is used."""

    @property
    def digits(self) -> int: ...
    @property
    def columns(self) -> Mapping[int, float]: ...
    @property
    def rows(self) -> Mapping[int, float]: ...
    @property
    def largest(self) -> float: ...
    @property
    def comfortable(self) -> float: ...

    def groups(self, width: float, sizes: PaperSizes) -> list[Chunk]:
        """The title and the lines of each group."""

    def continued(self, line: str, width: float, sizes: PaperSizes) -> PrintBlock:
        """The title at the top of a column that begins with this line."""

    def head(self, width: float, sizes: PaperSizes) -> PrintBlock: ...

    def foot(self, number: str, width: float, sizes: PaperSizes) -> PrintBlock: ...


@dataclass(frozen=True)
class CardContent:
    """A card of hands."""

    card: Card
    sections: tuple[SheetSection, ...]
    rows: Mapping[int, float] = field(default_factory=lambda: {NOTE_ROWS: 1.0})
    largest: float = LARGEST
    comfortable: float = LEAST

    @cached_property
    def lines(self) -> list[CardLineText]:
        """The readable lines of all groups."""
        return [row.line for section in self.sections for row in section.rows if row.line]

    @property
    def digits(self) -> int:
        return max((len(str(line.value)) for line in self.lines), default=2)

    @property
    def columns(self) -> Mapping[int, float]:
        return {count: weight for count, weight in COLUMNS.items() if count <= max(1, len(self.sections))}

    def groups(self, width: float, sizes: PaperSizes) -> list[Chunk]:
        return [card_group(section, width, sizes) for section in self.sections]

    def continued(self, line: str, width: float, sizes: PaperSizes) -> PrintBlock:
        id = line.partition("-")[0]
        group = next(section.group for section in self.sections if section.id == id)
        return title_block(f"{line}-title", group, width, sizes, again=True)

    def head(self, width: float, sizes: PaperSizes) -> PrintBlock:
        return head_block(self.card, width, sizes)

    def foot(self, number: str, width: float, sizes: PaperSizes) -> PrintBlock:
        return foot_block(self.lines, self.card.source, number, width, sizes)


def card_group(section: SheetSection, width: float, sizes: PaperSizes) -> Chunk:
    """The title and the lines of a group."""
    title = title_block(section.id, section.group, width, sizes)
    return (title, *(line_block(row, width, sizes) for row in section.rows))


@dataclass(frozen=True, slots=True)
class PagePlan:
    """A possible layout. `weight`: of its type size, less for plans that are harder to read."""

    columns: int
    whole: bool
    sizes: PaperSizes
    weight: float

    @property
    def worth(self) -> float:
        return self.sizes.size * self.weight


def pages(card: Card, paper: str = "a4") -> tuple[Page, ...]:
    """The card on sheets of a4 or letter paper, at least one."""
    return Sheet(PAPERS[paper], CardContent(card, tuple(sections_of(card)))).pages()


def sections_of(card: Card) -> Iterator[SheetSection]:
    """The groups of a card with each line read; a line with an error has none."""
    for at, group in enumerate(card.groups, start=1):
        rows = [
            PrintRow(f"g{at}-l{number}", entry.text, entry.note, *understood(entry.text))
            for number, entry in enumerate(group.entries, start=1)
        ]
        yield SheetSection(f"g{at}", group, tuple(rows))


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is printed and the paper that it has to fit."""

    paper: PaperSize
    content: SheetContent
    kept: dict[tuple[int, float, int], list[Chunk]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def width(self) -> float:
        """The width of the printed part of a page."""
        return self.paper.width - 2 * MARGIN

    def pages(self) -> tuple[Page, ...]:
        """The pages of the best plan."""
        plan = self.loosened(self.best_plan())
        columns = self.balanced(plan)
        count = self.pages_of(plan, columns)
        return tuple(self.page(plan, columns, number, count) for number in range(1, count + 1))

    # --- choosing

    def best_plan(self) -> PagePlan:
        """The plan with the fewest pages, and of those the one worth most."""
        digits = self.content.digits
        plans = [
            PagePlan(columns, whole, PaperSizes(LEAST, digits, lead, rows), wide * tall * (1 if whole else SPLIT))
            for lead in (USUAL, TIGHT)
            for columns, wide in self.content.columns.items()
            for whole in (True, False)
            for rows, tall in self.content.rows.items()
        ]
        counts = {plan: self.count(plan) for plan in plans}
        fewest = min(counts.values())
        best = self.best_on(counts, fewest)
        if fewest == 1 and best.sizes.size < self.content.comfortable:
            return self.best_on(counts, 2)
        return best

    def best_on(self, counts: Mapping[PagePlan, int], most: int) -> PagePlan:
        """The plan worth most on so many pages. `counts`: of plans in the smallest type."""
        good = [plan for plan, count in counts.items() if count <= most]
        usual = [plan for plan in good if plan.sizes.lead == USUAL] or good
        best = usual[0]
        for plan in usual:
            best = self.larger(plan, most, best.worth) or best
        return best

    def larger(self, plan: PagePlan, count: int, worth: float) -> PagePlan | None:
        """The plan with the largest type that takes no more pages, if it is worth more than this."""
        sizes = (replace(plan.sizes, size=size) for size in STEPS if size <= self.content.largest)
        plans = [one for size in sizes if (one := replace(plan, sizes=size)).worth > worth]
        if not plans or self.count(plans[0]) > count:
            return None
        return plans[bisect_right(plans, count, key=self.count) - 1]

    def loosened(self, plan: PagePlan) -> PagePlan:
        """The plan with lines spread over the available room."""
        count = self.count(plan)
        plans = [replace(plan, sizes=replace(plan.sizes, lead=lead)) for lead in LEADS]
        return next((loose for loose in plans if self.count(loose) <= count), plan)

    # --- measuring

    def count(self, plan: PagePlan) -> int:
        """How many pages a plan takes."""
        return self.pages_of(plan, list(self.filled(plan, self.chunks(plan), self.height(plan))))

    def pages_of(self, plan: PagePlan, columns: Sequence[Column]) -> int:
        return max(1, -(-len(columns) // plan.columns))

    def column_width(self, plan: PagePlan) -> float:
        """The width of one column."""
        return min(WIDEST, (self.width - GUTTER * (plan.columns - 1)) / plan.columns)

    def height(self, plan: PagePlan) -> float:
        """The height of a column: the page without margins, head and foot."""
        fixed = self.head(plan).height + self.foot(plan, "1 / 1").height + 2 * BETWEEN * plan.sizes.size
        return self.paper.height - 2 * MARGIN - fixed

    def head(self, plan: PagePlan) -> PrintBlock:
        return self.content.head(self.width, plan.sizes)

    def foot(self, plan: PagePlan, number: str) -> PrintBlock:
        return self.content.foot(number, self.width, plan.sizes)

    # --- filling columns

    def chunks(self, plan: PagePlan) -> list[Chunk]:
        """Blocks in order: whole groups, or a title with its first line and every other line by itself."""
        groups = self.groups(plan)
        if plan.whole:
            return groups
        return [part for group in groups for part in (group[:2], *((line,) for line in group[2:]))]

    def groups(self, plan: PagePlan) -> list[Chunk]:
        """The title and the lines of each group. Cached, since plans of the same width and size are measured in
        sequence."""
        key = plan.columns, plan.sizes.size, plan.sizes.rows
        if key not in self.kept:
            kept(self.kept, key, self.content.groups(self.column_width(plan), plan.sizes), MOST_KEPT)
        return self.kept[key]

    def filled(self, plan: PagePlan, chunks: Sequence[Chunk], height: float) -> Iterator[Column]:
        """Columns, each filled as far as possible; a group taller than a column is always broken."""
        column: Column = []
        for chunk in chunks:
            for part in self.parts(plan, chunk, height):
                if column and self.tall(plan, [*column, *part]) > height:
                    yield column
                    column = self.continued(plan, part)
                column += part
        if column:
            yield column

    def parts(self, plan: PagePlan, chunk: Chunk, height: float) -> list[Chunk]:
        """A chunk, or line by line if it is taller than a column."""
        if self.tall(plan, chunk) <= height:
            return [chunk]
        return [chunk[:2], *((block,) for block in chunk[2:])]

    def continued(self, plan: PagePlan, chunk: Chunk) -> Column:
        """The start of a column: the repeated title of a group that it continues."""
        if chunk[0].kind == "title":
            return []
        return [self.content.continued(chunk[0].id, self.column_width(plan), plan.sizes)]

    def tall(self, plan: PagePlan, blocks: Sequence[PrintBlock]) -> float:
        """The total height of blocks in a column."""
        return max((y + block.height for y, block in self.stacked(plan, blocks)), default=0)

    def stacked(self, plan: PagePlan, blocks: Sequence[PrintBlock]) -> Iterator[tuple[float, PrintBlock]]:
        """Blocks with how far down they are in their column."""
        y = 0.0
        for at, block in enumerate(blocks):
            if at:
                y += (BETWEEN + plan.sizes.lead if block.kind == "title" else plan.sizes.lead) * plan.sizes.size
            yield y, block
            y += block.height

    def balanced(self, plan: PagePlan) -> list[Column]:
        """Columns of about the same height, as many as a plan needs."""
        chunks, high = self.chunks(plan), self.height(plan)
        count = self.pages_of(plan, list(self.filled(plan, chunks, high)))
        low = 0.0
        while high - low > 1:
            middle = (low + high) / 2
            columns = list(self.filled(plan, chunks, middle))
            low, high = (low, middle) if self.pages_of(plan, columns) <= count else (middle, high)
        return list(self.filled(plan, chunks, high))

    # --- placing

    def page(self, plan: PagePlan, columns: Sequence[Column], number: int, count: int) -> Page:
        """One page: the head, its columns, the foot."""
        head, foot = self.head(plan), self.foot(plan, f"{number} / {count}" if count > 1 else "")
        width = self.column_width(plan)
        own = columns[(number - 1) * plan.columns : number * plan.columns]
        left = (self.paper.width - width * plan.columns - GUTTER * (plan.columns - 1)) / 2
        top = MARGIN + head.height + BETWEEN * plan.sizes.size
        placed = [Placed(MARGIN, MARGIN, head), Placed(MARGIN, self.paper.height - MARGIN - foot.height, foot)]
        for at, column in enumerate(own):
            x = left + at * (width + GUTTER)
            placed += [Placed(x, top + y, block) for y, block in self.stacked(plan, column)]
        return Page(self.paper, number, count, tuple(placed))


# --- as data


def drawn_json(card: Card) -> dict[str, Any]:
    """The shape in docs/cards.md ("For programs")."""
    groups = [group_json(section) for section in sections_of(card)]
    return {"id": card.id, "name": dict(card.name), "about": card.about, "source": card.source, "groups": groups}


def group_json(section: SheetSection) -> dict[str, Any]:
    """A title with its lines."""
    lines = [row_json(row) for row in section.rows]
    return {"title": section.group.title, "note": section.group.note, "lines": lines}


def row_json(row: PrintRow) -> dict[str, Any]:
    """A line: what to draw, or why nothing is drawn."""
    if row.line is None:
        return {"line": row.text, "error": row.words}
    return {
        "line": row.text,
        "patterns": [list(parts_json(row.line, pattern)) for pattern in row.line.patterns],
        "remark": row.words,
        "exposed": row.line.exposed,
        "value": row.line.value,
    }


def parts_json(line: CardLineText, pattern: CardPattern) -> Iterator[dict[str, Any]]:
    """Its sets and signs in order."""
    for at, (one, joined) in enumerate(zip(pattern.sets, joined_sets(line, pattern), strict=True)):
        yield from signs_json(pattern, at)
        yield {"set": one.letter * one.count, "colour": suit_of(one) or None, "joined": joined}
    yield from signs_json(pattern, len(pattern.sets))


def signs_json(pattern: CardPattern, at: int) -> Iterator[dict[str, Any]]:
    """The signs in front of a set, or behind the last."""
    return ({"sign": sign} for sign in signs_at(pattern, at))
