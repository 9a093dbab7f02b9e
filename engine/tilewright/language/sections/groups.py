"""The groups of a ruleset: the `groups` section of a document in, every concrete group of a tile set out.

Knows the section's keys and the tiles. Knows no hand and no form.
"""

import re
from collections import Counter
from collections.abc import Iterator
from collections.abc import Mapping as Map
from dataclasses import dataclass, field
from functools import cached_property

from tilewright.base.document import Entry, Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Problem, RulesetError
from tilewright.hands.reading import Group, GroupKind, Groups, copies_in_box, serves
from tilewright.tiles.tileset import Tile, TileSet

MOST_GROUPS = 20_000  # concrete groups of a ruleset, and of one kind while it is built
MOST_TILES = 200  # in a group
MAKERS = ("alike", "run", "ranks", "any")
SPAN = re.compile(r"\s*(\w+)?\s*(\.\.)?\s*(\w+)?\s*")

Names = Map[str, bool]  # kind -> found only among melds


def build_groups(
    section: Mapping, tiles: TileSet, removed: frozenset[str] = frozenset(), numbers: Map[str, int] | None = None
) -> Groups:
    """Every kind of the section and every group it can make with these tiles, in the order of the tile set.

    `removed` are names that `if` removed from the whole: they are skipped. `numbers` are options that
    a span may name. Raises RulesetError with every problem of the section.
    """
    read = _Section(removed, numbers or {})
    kinds = {name: read.kind(name, entry) for name, entry in section.entries.items() if not _empty(entry.value)}
    read.check_links(kinds, section)
    if not read.problems:
        drafts = _Maker(tiles, kinds, read, section).drafts()
    if read.problems:
        raise RulesetError(read.problems)
    return _numbered(kinds, drafts, tiles)


def _empty(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value is None


# Reading the section


@dataclass
class _Section:
    """Reads one kind after another and collects problems."""

    removed: frozenset[str]
    numbers: Map[str, int]
    problems: list[Problem] = field(default_factory=list)

    def kind(self, name: str, entry: Entry) -> GroupKind:
        """The kind as declared; an unreadable part is a problem and left out."""
        body = entry.value.entries if isinstance(entry.value, Mapping) else {}
        found = [key for key in MAKERS if key in body]
        if len(found) != 1:
            self.problem(
                "group-without-tiles" if not found else "group-made-twice",
                f"the group '{name}' needs exactly one of {', '.join(MAKERS)}",
                entry.key,
            )
        return GroupKind(
            name,
            alike=self.number(body.get("alike"), 1) if found == ["alike"] else None,
            run=self.number(body.get("run"), 2) if found == ["run"] else None,
            ranks=self.rank_lists(body.get("ranks")) if found == ["ranks"] else (),
            any=self.words(body.get("any")) if found == ["any"] else (),
            families=self.words(body.get("in")),
            steps=self.span(body.get("by")),
            across_suits="suits" in body and self.word(body["suits"].value) == "different",
            stands_for=self.standing(body.get("stands_for")),
            called=self.called(body.get("called")),
        )

    def number(self, entry: Entry | None, least: int) -> int:
        node = entry.value if entry else None
        value = node.value if isinstance(node, Scalar) else None
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= MOST_TILES:
            return value
        if node is not None:
            self.problem("bad-number", f"a whole number from {least} to {MOST_TILES} is expected here", node)
        return least

    def rank_lists(self, entry: Entry | None) -> tuple[tuple[int, ...], ...]:
        lists: list[tuple[int, ...]] = []
        for item in _items(entry):
            nodes = item.items if isinstance(item, Sequence) else ()
            ranks = [node.value for node in nodes if isinstance(node, Scalar)]
            whole = [rank for rank in ranks if isinstance(rank, int) and not isinstance(rank, bool)]
            if whole and len(whole) == len(nodes):
                lists.append(tuple(whole))
            else:
                self.problem(
                    "bad-ranks", "a list of ranks is expected here", item, "for example [[1, 2, 4], [2, 4, 8]]"
                )
        return tuple(lists)

    def words(self, entry: Entry | None) -> tuple[str, ...]:
        return tuple(self.word(item) for item in _items(entry))

    def word(self, node: Node) -> str:
        if isinstance(node, Scalar) and isinstance(node.value, str):
            return node.value
        self.problem("bad-name", "a name is expected here", node)
        return ""

    def standing(self, entry: Entry | None) -> str | None:
        name = None if entry is None or _empty(entry.value) else self.word(entry.value)
        return None if name in self.removed else name

    def called(self, entry: Entry | None) -> Map[str, bool] | None:
        if entry is None or not isinstance(entry.value, Mapping):
            return None
        names: dict[str, bool] = {}
        for name, state in entry.value.entries.items():
            how = state.value.value if isinstance(state.value, Scalar) else None
            if how not in ("exposed", "concealed"):
                self.problem("bad-name", "a meld is called so when exposed or concealed", state.value)
            names[name] = how == "concealed"
        return names

    def span(self, entry: Entry | None) -> tuple[int, int | None]:
        """Steps of a run: `2`, `1..`, `1..4`, `..4`."""
        if entry is None:
            return 1, 1
        node = entry.value
        match = SPAN.fullmatch(str(node.value)) if isinstance(node, Scalar) else None
        ends = [self.end(text, node) for text in match.group(1, 3)] if match else [None, None]
        low, high = ends[0] if ends[0] is not None else 1, ends[1]
        if match and not match.group(2):
            high = low
        if not match or not match.group(0).strip() or low < 1 or (high is not None and high < low):
            self.problem("bad-span", "the steps of a run are a span from 1 up", node, "for example 1, 2..4 or 1..")
            return 1, 1
        return low, high

    def end(self, text: str | None, node: Node) -> int | None:
        if text is None or text.isdecimal():
            return int(text) if text else None
        if text not in self.numbers:
            self.problem("unknown-word", f"no option with a number is called '{text}'", node)
        return self.numbers.get(text, 1)

    def check_links(self, kinds: Map[str, GroupKind], section: Mapping) -> None:
        """Check that every kind named in `any` and `stands_for` exists, and that there are no cycles."""
        for kind in kinds.values():
            key = section.entries[kind.id].key
            for name in (*kind.any, *([kind.stands_for] if kind.stands_for else ())):
                if name and name not in kinds and name not in self.removed:
                    self.problem("unknown-word", f"no group is called '{name}'", key)
            if _circular(kind.id, kinds):
                self.problem("circle", f"the group '{kind.id}' is made of itself", key)

    def problem(self, code: str, message: str, node: Node, hint: str | None = None) -> None:
        self.problems.append(Problem(code, message, node.place, hint))


def _items(entry: Entry | None) -> tuple[Node, ...]:
    if entry is None:
        return ()
    return entry.value.items if isinstance(entry.value, Sequence) else (entry.value,)


def _circular(start: str, kinds: Map[str, GroupKind]) -> bool:
    seen: set[str] = set()
    ahead = [start]
    while ahead:
        kind = kinds.get(ahead.pop())
        for name in (*kind.any, *([kind.stands_for] if kind.stands_for else ())) if kind else ():
            if name == start:
                return True
            if name not in seen:
                seen.add(name)
                ahead.append(name)
    return False


# Laying out the groups


@dataclass
class _Draft:
    """A concrete group before it has a number."""

    tiles: tuple[int, ...]
    step: int | None
    kinds: set[str] = field(default_factory=set)
    melds: set[str] = field(default_factory=set)


@dataclass
class _Maker:
    """Makes the tiles of each kind."""

    tiles: TileSet
    kinds: Map[str, GroupKind]
    read: _Section
    section: Mapping

    def drafts(self) -> dict[tuple[int, ...], _Draft]:
        drafts: dict[tuple[int, ...], _Draft] = {}
        for kind in self.kinds.values():
            names = self.names(kind.id)
            for number, (tiles, step) in enumerate(self.made(kind), 1):
                if self.possible(tiles, names):
                    _add(drafts, tiles, step, names)
                if number > MOST_GROUPS or len(drafts) > MOST_GROUPS:
                    self.read.problem(
                        "too-many-groups",
                        f"with '{kind.id}' there are more than {MOST_GROUPS} groups",
                        self.section.entries[kind.id].key,
                    )
                    return drafts
        return drafts

    def names(self, kind: str) -> Names:
        """Every name of the groups of this kind, with whether they count so only among melds."""
        names: dict[str, bool] = {}
        ahead = [(kind, False)]
        while ahead:
            name, melded = ahead.pop()
            if name not in self.kinds:
                continue
            stands_for = self.kinds[name].stands_for
            melded = melded or stands_for is not None
            if names.get(name, True) and names.get(name) != melded:
                names[name] = melded
                ahead += [(union, melded) for union in self.unions.get(name, ())]
                ahead += [(stands_for, True)] if stands_for else []
        return names

    def made(self, kind: GroupKind) -> Iterator[tuple[tuple[int, ...], int | None]]:
        """The tiles in order of place and the step of a run, for every group of this kind, some twice."""
        if kind.across_suits:
            yield from self.across(kind)
        elif kind.alike:
            yield from (((tile.index,) * kind.alike, None) for tile in self.plain if self.lies_in(tile, kind))
        elif kind.run:
            for line, cyclic in self.lines(kind):
                yield from _runs(line, cyclic, kind.run, kind.steps)
        else:
            for ranks in kind.ranks:
                for suit in self.suits(kind):
                    if suit.keys() >= set(ranks):
                        yield tuple(suit[rank] for rank in ranks), None

    def lies_in(self, tile: Tile, kind: GroupKind) -> bool:
        return not kind.families or tile.family in kind.families

    def lines(self, kind: GroupKind) -> Iterator[tuple[dict[int, int], bool]]:
        """The ranges of runs: tiles by position, and whether the end is followed by the start."""
        for suit in self.tiles.suits:
            if not kind.families or suit.id in kind.families:
                ranked = self.by_suit[suit.id]
                if suit.cyclic:
                    yield dict(enumerate(ranked[rank] for rank in suit.ranks)), True
                else:
                    yield ranked, False
        for family in kind.families:
            if family in self.by_suit or family in self.read.removed:
                continue
            if family not in self.tiles.families:
                self.read.problem(
                    "unknown-word", f"no suit or family is called '{family}'", self.section.entries[kind.id].key
                )
            plain = dict.fromkeys(self.tiles.tiles[index].plain for index in self.tiles.families.get(family, ()))
            yield dict(enumerate(plain)), True

    def suits(self, kind: GroupKind) -> list[dict[int, int]]:
        return [ranked for name, ranked in self.by_suit.items() if not kind.families or name in kind.families]

    def across(self, kind: GroupKind) -> Iterator[tuple[tuple[int, ...], int | None]]:
        """The groups with each place in a suit of its own."""
        suits = self.suits(kind)
        ranks = sorted({rank for suit in suits for rank in suit})
        if kind.alike:
            wanted: list[tuple[tuple[int, ...], int | None]] = [((rank,) * kind.alike, None) for rank in ranks]
        elif kind.run:
            numbered = {rank: rank for rank in ranks}
            wanted = list(_runs(numbered, False, kind.run, kind.steps))
        else:
            wanted = [(places, None) for places in kind.ranks]
        for places, step in wanted:
            yield from ((tiles, step) for tiles in _in_different(places, suits, ()))

    def possible(self, tiles: tuple[int, ...], names: Names) -> bool:
        """Whether there are enough copies, or wild tiles for missing ones."""
        missing = {tile: count - self.copies[tile] for tile, count in Counter(tiles).items()}
        short = {tile: count for tile, count in missing.items() if count > 0}
        wild = [wild for wild in self.tiles.wild if short and serves(wild, frozenset(names))]
        helpers = {tile for tile in short for w in wild if tile in w.stands_for.tiles or w.stands_for.words}
        loose = any(w.tiles.words for w in wild)
        spare = sum(self.copies[index] for index in {index for w in wild for index in w.tiles.tiles})
        return not short or (helpers >= short.keys() and (loose or sum(short.values()) <= spare))

    @cached_property
    def unions(self) -> dict[str, list[str]]:
        """Unions of kinds, by their members."""
        unions: dict[str, list[str]] = {}
        for kind in self.kinds.values():
            for name in kind.any:
                unions.setdefault(name, []).append(kind.id)
        return unions

    @cached_property
    def plain(self) -> tuple[Tile, ...]:
        return tuple(tile for tile in self.tiles.tiles if tile.plain == tile.index)

    @cached_property
    def copies(self) -> Counter[int]:
        return copies_in_box(self.tiles)

    @cached_property
    def by_suit(self) -> dict[str, dict[int, int]]:
        ranked: dict[str, dict[int, int]] = {suit.id: {} for suit in self.tiles.suits}
        for tile in sorted(self.plain, key=lambda tile: tile.rank or 0):
            if tile.rank is not None and tile.family in ranked:
                ranked[tile.family][tile.rank] = tile.index
        return ranked


def _runs(
    line: dict[int, int], cyclic: bool, length: int, steps: tuple[int, int | None]
) -> Iterator[tuple[tuple[int, ...], int | None]]:
    low, high = steps
    widest = (max(line) - min(line)) // (1 if cyclic else length - 1) if line else 0
    for step in range(low, min(widest, high if high is not None else widest) + 1):
        for start in line:
            places = [start + step * place for place in range(length)]
            if cyclic:
                places = [place % len(line) for place in places]
            if len(set(places)) == length and all(place in line for place in places):
                yield tuple(line[place] for place in places), step


def _in_different(
    places: tuple[int, ...], suits: list[dict[int, int]], taken: tuple[int, ...]
) -> Iterator[tuple[int, ...]]:
    if len(taken) == len(places):
        yield tuple(suits[suit][rank] for suit, rank in zip(taken, places, strict=True))
        return
    for suit, ranked in enumerate(suits):
        if suit not in taken and places[len(taken)] in ranked:
            yield from _in_different(places, suits, (*taken, suit))


def _add(drafts: dict[tuple[int, ...], _Draft], tiles: tuple[int, ...], step: int | None, names: Names) -> None:
    draft = drafts.setdefault(tuple(sorted(tiles)), _Draft(tiles, step))
    if draft.step is None and step is not None:
        draft.tiles, draft.step = tiles, step
    draft.kinds |= {name for name, melded in names.items() if not melded}
    draft.melds |= {name for name, melded in names.items() if melded}


def _numbered(kinds: Map[str, GroupKind], drafts: Map[tuple[int, ...], _Draft], tiles: TileSet) -> Groups:
    place = {index: number for number, index in enumerate(tiles.order)}
    last = len(place)

    def in_order(draft: _Draft) -> list[tuple[int, int]]:
        return sorted((place.get(index, last), index) for index in draft.tiles)

    groups = tuple(_group(number, draft, tiles) for number, draft in enumerate(sorted(drafts.values(), key=in_order)))
    by_tiles = {tuple(sorted(group.tiles)): group.index for group in groups}
    return Groups(kinds, groups, by_tiles, _sizes(kinds))


def _group(number: int, draft: _Draft, tiles: TileSet) -> Group:
    start = tiles.tiles[draft.tiles[0]]
    suits = frozenset(suit for index in draft.tiles if (suit := tiles.tiles[index].suit))
    return Group(
        number,
        draft.tiles,
        frozenset(draft.kinds),
        frozenset(draft.melds - draft.kinds),
        start.index,
        start.rank,
        start.suit,
        draft.step,
        suits,
    )


def _sizes(kinds: Map[str, GroupKind]) -> dict[str, int]:
    """The number of tiles of each kind, without kinds whose groups differ in size."""
    found: dict[str, set[int]] = {name: set() for name in kinds}
    changed = True
    while changed:
        changed = False
        for name, kind in kinds.items():
            sizes = _own_sizes(kind).union(*(found.get(other, set()) for other in kind.any))
            sizes = found.get(kind.stands_for, set()) if kind.stands_for else sizes
            changed, found[name] = changed or sizes != found[name], set(sizes)
    return {name: next(iter(sizes)) for name, sizes in found.items() if len(sizes) == 1}


def _own_sizes(kind: GroupKind) -> set[int]:
    return {kind.alike or kind.run or 0} - {0} | {len(ranks) for ranks in kind.ranks}
