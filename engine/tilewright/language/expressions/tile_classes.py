"""Classes of tiles: lists of families, classes, codes, ranks and words in, sets of tiles out.

Knows the tiles that exist and the names declared for them. Knows no notation.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from tilewright.base.document import Node, Scalar, Sequence
from tilewright.base.problem import Place, Problem
from tilewright.base.spelling import hint
from tilewright.language.vocabulary.words import WORDS
from tilewright.tiles.tileset import Tile, TileClass

MOST_RANK = 99
MOST_DEPTH = 50
SPAN = re.compile(r"\s*(?:(\w+)\s*(?:(\.\.)\s*(\w+)?)?|\.\.\s*(\w+))\s*")
Bound = Callable[[Scalar], int]


@dataclass(slots=True)
class TileClasses:
    """Every name that stands for tiles; a name's set is resolved on first use.

    `lists`: classes as declared. `special`: the tiles of a special by its id, None for other names. `words`: names
    whose tiles only the table knows. `removed`: names that an `if` removed; they are skipped. `ranks` that some suit
    has, and `lacking`: codes of the ranks that a suit lacks; naming one of these in a class is not a mistake.
    """

    codes: Mapping[str, int]
    tiles: list[Tile]
    families: Mapping[str, tuple[int, ...]]
    lists: Mapping[str, Node]
    special: Callable[[str], TileClass | None]
    words: frozenset[str]
    removed: frozenset[str]
    ranks: frozenset[int]
    lacking: Mapping[str, tuple[str, int]]
    problems: list[Problem]
    found: dict[str, TileClass] = field(default_factory=dict)
    open: list[str] = field(default_factory=list)

    def of(self, node: Node | None) -> TileClass:
        """The tiles of a list of classes; its mistakes go to the problems."""
        return union([self.member(item) for item in scalars(node)])

    def called(self, name: str, place: Place) -> TileClass:
        """The tiles of a declared name."""
        return self.named(name, place) or TileClass()

    def member(self, item: Scalar) -> TileClass:
        """The tiles of one member of a list."""
        known = None if isinstance(item.value, int) else self.named(item.text, item.place)
        if known is not None:
            return known
        if span := span_of(item):
            return self.of_ranks(item, *span)
        if item.text not in self.removed and self.lacking.get(item.text, ("", -1))[1] not in self.ranks:
            self.problems.append(unknown_tile(item, self.names()))
        return TileClass()

    def of_ranks(self, item: Scalar, low: int, high: int | None) -> TileClass:
        """The plain tiles of these ranks in every suit."""
        if max(low, high or 0) > MOST_RANK or (high is not None and low > high):
            self.problems.append(rank_out_of_range(item))
        return TileClass(frozenset(tile.index for tile in self.tiles if is_of_rank(tile, low, high)))

    def named(self, name: str, place: Place) -> TileClass | None:
        """The tiles that a name or a code stands for; None if there is none of this name."""
        if name in self.codes:
            tile = self.tiles[self.codes[name]]
            return TileClass(frozenset({tile.index if tile.marks else tile.plain}))
        if name in self.found:
            return self.found[name]
        if name in self.families:
            return TileClass(frozenset(self.families[name]))
        if name == "suited":
            return TileClass(frozenset(self.suited()))
        if name in self.open or len(self.open) >= MOST_DEPTH:
            self.problems.append(class_circle(self.open, name, place))
            return TileClass()
        return self.looked_up(name)

    def looked_up(self, name: str) -> TileClass | None:
        """The tiles of a class or special, marked as open meanwhile to find cycles; or of a word."""
        self.open.append(name)
        found = self.of(self.lists[name]) if name in self.lists else self.special(name)
        self.open.pop()
        if found is None and (name in self.words or is_tile_word(name)):
            return TileClass(words=(name,))
        if found is not None:
            self.found[name] = found
        return found

    def suited(self) -> Iterator[int]:
        """Every plain tile with a rank in the box."""
        return (tile.index for tile in self.tiles if tile.rank is not None and tile.index in self.families[tile.family])

    def names(self) -> Iterator[str]:
        """Every name and code allowed in a list."""
        yield from (*self.codes, *self.families, *self.lists, *self.words, *self.found, "suited")
        yield from (name for name in WORDS if is_tile_word(name))


def union(classes: Iterable[TileClass]) -> TileClass:
    """All tiles and words of the classes together."""
    members = tuple(classes)
    words = dict.fromkeys(word for member in members for word in member.words)
    return TileClass(frozenset().union(*(member.tiles for member in members)), tuple(words))


def scalars(node: Node | None) -> Iterator[Scalar]:
    """The members of a list; a single value is a list of one, null has none."""
    items = node.items if isinstance(node, Sequence) else (node,)
    return (item for item in items if isinstance(item, Scalar) and item.value is not None)


def is_of_rank(tile: Tile, low: int, high: int | None) -> bool:
    """Whether a plain tile has a rank from `low` to `high`."""
    return tile.rank is not None and not tile.marks and low <= tile.rank and (high is None or tile.rank <= high)


def is_tile_word(name: str) -> bool:
    """Whether the vocabulary has a word of this name that names tiles and takes no arguments."""
    return name in WORDS and WORDS[name].names_tiles


def span_of(item: Scalar, bound: Bound | None = None) -> tuple[int, int | None] | None:
    """The ends of `4`, `2..8`, `3..` (None: no upper end), `..5`. An end that is not a number is looked up with
    `bound`, if there is one; None if it is not a span."""
    match = SPAN.fullmatch(item.text)
    if match is None:
        return None
    first, dots, last, only = match.groups()
    low = end_of(item, first or "0", bound)
    high = end_of(item, only or last or first, bound)
    if low is None or high is None:
        return None
    return low, None if dots and not last else high


def end_of(item: Scalar, text: str, bound: Bound | None) -> int | None:
    """One end of a span. Numbers of four digits and more are all too large."""
    if text.isascii() and text.isdigit():
        return int(text[:4])
    return None if bound is None else bound(Scalar(text, text, item.place))


# --- problems


def unknown_tile(item: Scalar, known: Iterable[str]) -> Problem:
    return Problem(
        "unknown-tile", f"no tile and no class of tiles is called '{item.text}'", item.place, hint(item.text, known)
    )


def rank_out_of_range(item: Scalar) -> Problem:
    return Problem(
        "rank-out-of-range",
        f"'{item.text}' names no ranks",
        item.place,
        f"ranks are whole numbers from 0 to {MOST_RANK}, as in 5 or 2..8",
    )


def class_circle(above: list[str], name: str, place: Place) -> Problem:
    """A class that is made of itself, or is nested too deeply."""
    if name not in above:
        return Problem("class-too-deep", f"'{name}' lies {len(above)} classes deep", place, "name its tiles directly")
    circle = [*above[above.index(name) :], name]
    return Problem(
        "class-circle", f"a class is made of itself: {' -> '.join(circle)}", place, "remove one of them from the other"
    )
