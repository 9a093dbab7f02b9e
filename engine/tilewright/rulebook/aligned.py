"""Two rulebooks aligned: rows of what stands side by side, with the words marked that differ.

Sections and entries are matched by their ids, wherever they stand; other blocks, items and rows of tables by what they
say, in order. Words are compared, in a script without spaces signs; texts that have little in common are marked as a
whole. Knows no page, and of rules only what rulebooks say.
"""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import groupby
from typing import TypedDict, TypeVar

from tilewright.rulebook.writing import BookBlock, Codes, Rulebook, Section

T = TypeVar("T")
Two = tuple[T | None, T | None]
Blocks = tuple[BookBlock, ...]
Row = tuple[str, ...]
Columns = tuple[int | None, int | None]

TITLED = ("entry", "heading")  # blocks that are matched by their ids or titles
MOST_COMPARED = 4_000  # of what is in order neither here nor there: pairs that are compared with each other
MANY = 1_000  # what is there so often is only matched next to something rarer
SOME = 0.01  # more than nothing
SAME_LABEL = 0.6  # of the words above two rows of tiles
FEW_ROWS = 4  # of a table that stay beside the changed ones
ALIKE = 0.45  # of the words of two texts: less is another text
LEAST = {"text": ALIKE, "tiles": 0.3, "table": 0.3, "example": 0.3, "list": 0.0}  # of the words: less is another block


@dataclass(frozen=True, slots=True)
class AlignedRow:
    """What stands side by side: blocks of the one book and of the other, the same ones in both or with marks.
    `is_entry`: it is an entry of both, whose blocks are titles; `rows`: what is in it."""

    old: Blocks
    new: Blocks
    is_entry: bool = False
    rows: "tuple[AlignedRow, ...]" = ()

    @property
    def is_same(self) -> bool:
        return self.old == self.new and all(row.is_same for row in self.rows)

    @property
    def kind(self) -> str:
        """The kind of its first block."""
        return next(block.block for block in (*self.new, *self.old))


@dataclass(frozen=True, slots=True)
class AlignedSection:
    """A section that one of the books or both have."""

    id: str
    title: str
    rows: tuple[AlignedRow, ...]

    @property
    def differences(self) -> int:
        """How many of its rows are not the same."""
        return sum(not row.is_same for row in self.rows)


def aligned(old: Rulebook, new: Rulebook) -> tuple[AlignedSection, ...]:
    """Every section of both books, in order."""
    aligner = Aligner(dict(entries_of(old)), dict(entries_of(new)))
    found = []
    for one, other in in_order(old.sections, new.sections, lambda section: section.id, lambda one, other: 0.0):
        section = other or one
        assert section is not None
        rows = aligner.rows(blocks_of(one), blocks_of(other))
        found.append(AlignedSection(section.id, section.title, tuple(rows)))
    return tuple(one for one in found if one.rows)


def blocks_of(section: Section | None) -> Blocks:
    return () if section is None else section.blocks


def entries_of(book: Rulebook) -> Iterator[tuple[str, BookBlock]]:
    for section in book.sections:
        yield from ((block.id, block) for block in section.blocks if block.block == "entry" and block.id)


@dataclass(frozen=True)
class Aligner:
    """Aligns blocks. `old`, `new`: the entries of each book by id."""

    old: Mapping[str, BookBlock]
    new: Mapping[str, BookBlock]

    def rows(self, old: Sequence[BookBlock], new: Sequence[BookBlock]) -> Iterator[AlignedRow]:
        """The rows of two lists of blocks."""
        gone, come = list[BookBlock](), list[BookBlock]()
        pairs = in_order([*placed(old)], [*placed(new)], lambda one: one.key, self.likeness)
        for left, right in pairs:
            one, other = self.brought_together(left.block if left else None, right.block if right else None)
            if one is not None and other is not None:
                if gone or come:
                    yield AlignedRow(tuple(gone), tuple(come))
                    gone, come = [], []
                yield from self.pair(one, other)
            gone += [one] if one is not None and other is None else []
            come += [other] if other is not None and one is None else []
        if gone or come:
            yield AlignedRow(tuple(gone), tuple(come))

    def brought_together(self, old: BookBlock | None, new: BookBlock | None) -> Two[BookBlock]:
        """An entry that stands elsewhere in the other book is shown where the new one has it."""
        if old is None and new is not None and new.id in self.old and new.block == "entry":
            return self.old[new.id], new
        if new is None and old is not None and old.id in self.new and old.block == "entry":
            return None, None
        return old, new

    def likeness(self, old: "PlacedBlock", new: "PlacedBlock") -> float:
        """How much two blocks that are not the same say the same; 0 for what does not belong side by side."""
        one, other = old.block, new.block
        if one.block != other.block:
            return 0.0
        if one.block in TITLED:
            is_elsewhere = one.id in self.new or other.id in self.old
            return 1.0 if one.text == other.text and not is_elsewhere else 0.0
        if old.under != new.under or likeness(words([one.label]), words([other.label])) < SAME_LABEL:
            return 0.0
        found = likeness(old.said, new.said) + SOME
        return found if found >= LEAST[one.block] else 0.0

    def pair(self, old: BookBlock, new: BookBlock) -> Iterator[AlignedRow]:
        """The rows of two blocks that belong together; another id alone is not seen."""
        old = replace(old, id=new.id)
        if old == new or shows_the_same(old, new):
            yield AlignedRow((new,), (new,))
        elif old.block == "list":
            yield from item_rows(old, new)
        elif old.block == "table":
            yield from table_rows(old, new)
        else:
            one, other = (replace(block, blocks=()) for block in marked_blocks(old, new))
            row = AlignedRow((one,), (other,), old.block == "entry", tuple(self.rows(old.blocks, new.blocks)))
            yield AlignedRow((new,), (new,)) if row.is_same else row


def shows_the_same(old: BookBlock, new: BookBlock) -> bool:
    """Whether tiles are the same in another order, or other groups of the same kind: a few are chosen of all."""
    if old.block != "tiles" or old.label != new.label:
        return False
    are_chosen = all(len(codes) > 1 for codes in (*old.groups, *new.groups))
    return are_chosen or Counter(old.groups) == Counter(new.groups)


@dataclass(frozen=True)
class PlacedBlock:
    """A block with the key of the heading above it, and the words that it says itself."""

    block: BookBlock
    under: Hashable
    said: Counter[str]

    @property
    def key(self) -> Hashable:
        """What tells it from the others of its section."""
        return key_of(self.block) if self.block.block in TITLED else (self.under, self.block)


def placed(blocks: Iterable[BookBlock]) -> Iterator[PlacedBlock]:
    """Blocks with their headings."""
    under: Hashable = None
    for block in blocks:
        yield PlacedBlock(block, under, words(texts_in(block)))
        under = key_of(block) if block.block == "heading" else under


def key_of(block: BookBlock) -> Hashable:
    return block.block, block.id or block.text


def texts_in(block: BookBlock) -> Iterator[str]:
    """The texts and tiles of a block itself."""
    yield from (block.text, block.label, block.worth, *block.items, *block.head)
    yield from (cell for row in block.rows for cell in row)
    yield from (code for codes in (*block.groups, *block.melds, block.bonus) for code in codes)


# --- pairs in order


def in_order(
    old: Sequence[T], new: Sequence[T], key: Callable[[T], Hashable], alike: Callable[[T, T], float]
) -> Iterator[Two[T]]:
    """What belongs together, in the order of both; alone what is only in one."""
    keys, other_keys = [key(one) for one in old], [key(one) for one in new]
    matcher = SequenceMatcher(None, keys, other_keys, autojunk=max(len(old), len(new)) > MANY)
    for tag, start, end, other_start, other_end in matcher.get_opcodes():
        if tag == "equal":
            yield from zip(old[start:end], new[other_start:other_end], strict=True)
        else:
            yield from closest(old[start:end], new[other_start:other_end], alike)


def closest(old: Sequence[T], new: Sequence[T], alike: Callable[[T, T], float]) -> Iterator[Two[T]]:
    """Of what has no equal, those together that are most alike, in the order of both."""
    if not old or not new or len(old) * len(new) > MOST_COMPARED:
        yield from ((one, None) for one in old)
        yield from ((None, one) for one in new)
        return
    likenesses = [[alike(one, other) for other in new] for one in old]
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]  # the most from a place on
    for i in reversed(range(len(old))):
        for j in reversed(range(len(new))):
            together = likenesses[i][j] + best[i + 1][j + 1] if likenesses[i][j] else 0.0
            best[i][j] = max(together, best[i + 1][j], best[i][j + 1])
    i = j = 0
    while i < len(old) or j < len(new):
        if i < len(old) and best[i][j] == best[i + 1][j]:
            yield old[i], None
            i += 1
        elif j < len(new) and best[i][j] == best[i][j + 1]:
            yield None, new[j]
            j += 1
        else:
            yield old[i], new[j]
            i, j = i + 1, j + 1


# --- blocks with marks


def marked_blocks(old: BookBlock, new: BookBlock) -> tuple[BookBlock, BookBlock]:
    """Two blocks of a kind with marks: in their texts, and on the tiles that only one of them has."""
    text, other_text = marked(old.text, new.text)
    label, other_label = marked(old.label, new.label)
    worth, other_worth = marked(old.worth, new.worth)
    win, other_win = marked(old.win, new.win)
    return (
        replace(old, text=text, label=label, worth=worth, win=win, **tiles_marked(old, new)),
        replace(new, text=other_text, label=other_label, worth=other_worth, win=other_win, **tiles_marked(new, old)),
    )


class TilesOfBlock(TypedDict):
    groups: tuple[Codes, ...]
    melds: tuple[Codes, ...]
    bonus: Codes


def tiles_marked(block: BookBlock, other: BookBlock) -> TilesOfBlock:
    """The tiles of a block, those marked that the other one does not have."""
    return {
        "groups": marked_groups(block.groups, other.groups),
        "melds": marked_groups(block.melds, other.melds),
        "bonus": marked_groups([block.bonus], [other.bonus])[0],
    }


# --- lists


def item_rows(old: BookBlock, new: BookBlock) -> Iterator[AlignedRow]:
    """The items of two lists: runs of those that are the same, and the others beside each other."""
    pairs = in_order(old.items, new.items, lambda item: item, Likenesses().of)
    for kind, found in groupby(pairs, kind_of_pair):
        run = list(found)
        if kind == "changed":
            for one, other in run:
                left, right = marked(one or "", other or "")
                yield AlignedRow(list_of([left]), list_of([right]))
        else:
            gone, come = ([pair[side] for pair in run if pair[side] is not None] for side in (0, 1))
            yield AlignedRow(list_of(gone), list_of(come))


@dataclass(frozen=True)
class Likenesses:
    """How much texts have in common. `known`: their words."""

    known: dict[str, Counter[str]] = field(default_factory=dict)

    def of(self, one: str, other: str) -> float:
        """From 0 to 1; 0 for what is another text."""
        found = likeness(self.words(one), self.words(other))
        return found if found >= ALIKE else 0.0

    def of_rows(self, one: Row, other: Row) -> float:
        """Rows with the same first cell belong together most."""
        return float(one[:1] == other[:1]) + self.of(" ".join(one), " ".join(other))

    def words(self, text: str) -> Counter[str]:
        if text not in self.known:
            self.known[text] = words([text])
        return self.known[text]


def kind_of_pair(pair: Two[T]) -> str:
    old, new = pair
    return "alone" if old is None or new is None else "same" if old == new else "changed"


def list_of(items: Iterable[str | None]) -> Blocks:
    kept = tuple(item for item in items if item is not None)
    return (BookBlock("list", items=kept),) if kept else ()


# --- tables


def table_rows(old: BookBlock, new: BookBlock) -> Iterator[AlignedRow]:
    """Two tables beside each other: their rows that differ, then the others, if there are more than a few."""
    columns = columns_of(old.head, new.head)
    pairs: list[Two[Row]] = [*in_order(old.rows, new.rows, lambda row: row, Likenesses().of_rows)]
    same = [pair[1] for pair in pairs if pair[0] == pair[1] and pair[1] is not None]
    folded = len(same) > FEW_ROWS and old.head == new.head
    before, after = list[Row](), list[Row]()
    for one, other in pairs:
        if one == other and folded:
            continue
        left, right = marked_cells(one, other, columns)
        before += [left] if left is not None else []
        after += [right] if right is not None else []
    head, other_head = marked_cells(old.head, new.head, columns)
    yield AlignedRow(table_of(head, before), table_of(other_head, after))
    if folded:
        rest = (replace(new, rows=tuple(same)),)
        yield AlignedRow(rest, rest)


def columns_of(old: Row, new: Row) -> list[Columns]:
    """The columns that belong together: all, if there are as many, else those with the same head."""
    if len(old) == len(new):
        return [(at, at) for at in range(len(old))]
    found = in_order([*enumerate(old)], [*enumerate(new)], lambda column: column[1], lambda one, other: 0.0)
    return [(one[0] if one else None, other[0] if other else None) for one, other in found]


def marked_cells(old: Row | None, new: Row | None, columns: Iterable[Columns]) -> Two[Row]:
    """The cells of two rows with marks; those without a counterpart are marked as a whole."""
    if old is None or new is None:
        return alone(old), alone(new)
    before, after = list[str](), list[str]()
    for one, other in columns:
        if one is not None and other is not None:
            left, right = marked(old[one], new[other])
            before.append(left)
            after.append(right)
        elif one is not None:
            before.append(wholly(old[one]))
        elif other is not None:
            after.append(wholly(new[other]))
    return tuple(before), tuple(after)


def alone(row: Row | None) -> Row | None:
    return None if row is None else tuple(map(wholly, row))


def table_of(head: Row | None, rows: Sequence[Row]) -> Blocks:
    return (BookBlock("table", head=head or (), rows=tuple(rows)),) if rows else ()


# --- words


SCRIPT = r"\u2e80-\uffef"  # Chinese and Japanese
TOKEN = re.compile(
    rf"[{SCRIPT}]|(?<!\w)[-−+]?\d+(?:[.,]\d+)*|\d+|[^\W\d{SCRIPT}]+(?:['’][^\W\d{SCRIPT}]+)*|\s+|.", re.DOTALL
)
WORD = re.compile(rf"\w|[{SCRIPT}]")
IN_SCRIPT = re.compile(rf"[{SCRIPT}]")
MOST_TOKENS = 2_000  # of two texts that are compared word by word
SLIGHT = 3  # letters between marked words that are marked with them; a sign of script is two

Stretch = tuple[str, bool]


class MarkedText(str):
    """A text with marks. `stretches`: the text in pieces, each with whether it is marked."""

    stretches: tuple[Stretch, ...]

    def __new__(cls, stretches: Iterable[Stretch]) -> "MarkedText":
        kept = tuple(one for one in stretches if one[0])
        made = super().__new__(cls, "".join(text for text, _ in kept))
        made.stretches = kept
        return made


class MarkedCodes(tuple[str, ...]):
    """Tiles that are marked together."""


def words(texts: Iterable[str]) -> Counter[str]:
    """The words of texts, each with how often it is there."""
    return Counter(token for text in texts for token in TOKEN.findall(text) if WORD.match(token))


def likeness(one: Counter[str], other: Counter[str]) -> float:
    """How much of the words two texts have in common, from 0 to 1."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


def marked(old: str, new: str) -> tuple[str, str]:
    """Both texts with the words marked that only one of them has."""
    if old == new:
        return old, new
    before, after = TOKEN.findall(old), TOKEN.findall(new)
    if len(before) + len(after) > MOST_TOKENS or likeness(words([old]), words([new])) < ALIKE:
        return wholly(old), wholly(new)
    pieces = joined(pieces_of(before, after))
    return (
        MarkedText(stretch for was, _, same in pieces for stretch in tight(was, not same)),
        MarkedText(stretch for _, now, same in pieces for stretch in tight(now, not same)),
    )


def wholly(text: str) -> str:
    return MarkedText([(text, True)])


def pieces_of(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[str, str, bool]]:
    """Stretches of both in order, each with whether it is the same in both."""
    for tag, start, end, other_start, other_end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        yield "".join(before[start:end]), "".join(after[other_start:other_end]), tag == "equal"


def joined(pieces: Iterable[tuple[str, str, bool]]) -> list[tuple[str, str, bool]]:
    """The same without slight stretches between marked ones, which would be hard to read."""
    found = list(pieces)
    kept: list[tuple[str, str, bool]] = []
    for at, (was, now, same) in enumerate(found):
        same = same and not (0 < at < len(found) - 1 and is_slight(was))
        if kept and not kept[-1][2] and not same:
            kept[-1] = kept[-1][0] + was, kept[-1][1] + now, False
        else:
            kept.append((was, now, same))
    return kept


def is_slight(text: str) -> bool:
    return sum(2 if IN_SCRIPT.match(sign) else 1 for sign in text if sign.isalnum()) <= SLIGHT


def tight(text: str, is_marked: bool) -> Iterator[Stretch]:
    """A stretch, its mark without the spaces around it."""
    if not is_marked or not text.strip():
        yield text, False
        return
    core = text.strip()
    start = text.index(core)
    yield text[:start], False
    yield core, True
    yield text[start + len(core) :], False


def marked_groups(groups: Sequence[Codes], others: Sequence[Codes]) -> tuple[Codes, ...]:
    """Groups of tiles, those marked that the others do not have."""
    left = Counter(groups) - Counter(others)
    found: list[Codes] = []
    for codes in groups:
        found.append(MarkedCodes(codes) if left[codes] > 0 else codes)
        left[codes] -= 1
    return tuple(found)
