"""The box: every tile of a `tiles` section with its code, copies and place, before classes are named.

Knows the nodes of the section and evaluates option expressions. Knows no order and no notation but the codes.
"""

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Mapping as Table
from dataclasses import dataclass, field, replace
from fractions import Fraction

from tilewright.base.document import Mapping, Node, Scalar
from tilewright.base.problem import Place, Problem
from tilewright.base.spelling import hint
from tilewright.language.documents.options import OptionSetting
from tilewright.language.expressions.tile_classes import MOST_RANK, TileClasses, rank_out_of_range, scalars, span_of
from tilewright.tiles.notation import INVISIBLE, fold, is_gap
from tilewright.tiles.tileset import Suit, Tile, TileClass

MOST_COPIES = 1000
MOST_TILES = 500
DIGITS = "0123456789"
Number = Callable[[Node], int | Fraction]


@dataclass(slots=True)
class TileBox:
    """Collects tiles. Indices: suits, unranked families, ranks without a tile, specials.

    `families`: plain tiles, without ranks that have no tile. `codes`: code -> index. `written`: normalised code ->
    family. `lacking`: codes of the ranks that suits lack -> suit and rank.
    """

    section: Mapping
    number: Number
    options: Table[str, OptionSetting]
    removed: frozenset[str]
    signs: str = DIGITS
    tiles: list[Tile] = field(default_factory=list)
    suits: list[Suit] = field(default_factory=list)
    families: dict[str, tuple[int, ...]] = field(default_factory=dict)
    codes: dict[str, int] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)
    lacking: dict[str, tuple[str, int]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def fill(self) -> None:
        """Add suits, unranked families and ranks without a tile."""
        self.read_signs()
        for key, node in declared(self.section, "suits"):
            self.add_suit(key, node)
        for key, node in declared(self.section, "unranked"):
            self.add_family(key, node)
        self.lacking = dict(self.ranks_lacking())
        for _, node in declared(self.section, "wild"):
            for item in scalars(node.get("stands_for")):
                self.add_lacking(item)
        if self.is_full():
            self.problems.append(too_many_tiles(self.section.place))

    def is_full(self) -> bool:
        """Whether there are more tiles than allowed."""
        return len(self.tiles) > MOST_TILES

    def read_signs(self) -> None:
        """Read the signs of ranks: each one character, none twice."""
        node = section_of(self.section, "notation").get("ranks")
        self.signs = signs_of(self.section)
        for place, sign in enumerate(self.signs):
            if isinstance(node, Scalar) and (sign in self.signs[:place] or is_gap(sign)):
                self.problems.append(bad_rank_sign(sign, node.at(place)))

    # --- suits

    def add_suit(self, key: Scalar, node: Mapping) -> None:
        """A tile for each rank."""
        code, copies, ranks = text_at(node, "code"), self.copies(key, node), sorted(self.ranks(key, node))
        place = place_at(node, "code") or key.place
        if len(fold(code)) != 1 or code in self.signs or is_gap(code):
            self.problems.append(bad_suit_code(key, code, place))
        elif ranks and ranks[-1] >= len(self.signs):
            self.problems.append(rank_without_sign(ranks[-1], key, len(self.signs), place_at(node, "ranks")))
        elif not self.is_full():
            self.suits.append(Suit(key.text, code, tuple(ranks), true_at(node, "cyclic")))
            self.families[key.text] = tuple(
                self.add(self.signs[rank] + code, place, key.text, key.text, rank, copies) for rank in ranks
            )

    def ranks(self, key: Scalar, node: Mapping) -> set[int]:
        """The ranks of a suit: a span, a list of ranks and spans, or an option with one of these as value."""
        ranks = node.get("ranks")
        if isinstance(ranks, Scalar) and ranks.text in self.options:
            ranks = self.options[ranks.text].worth
        found: set[int] = set()
        for item in scalars(ranks):
            low, high = span_of(item, self.bound) or (0, None)
            if high is None or not low <= high <= MOST_RANK:
                self.problems.append(rank_out_of_range(item))
            else:
                found.update(range(low, high + 1))
        if ranks is None:
            self.problems.append(no_ranks(key))
        return found

    def bound(self, end: Scalar) -> int:
        """The end of a span that is an option; past all ranks if it is not."""
        value = self.number(end)
        return int(value) if 0 <= value <= MOST_RANK and value == int(value) else MOST_RANK + 1

    def ranks_lacking(self) -> Iterator[tuple[str, tuple[str, int]]]:
        """Codes of the ranks that suits lack, with suit and rank."""
        for suit in self.suits:
            for rank, sign in enumerate(self.signs):
                if rank not in suit.ranks and sign + suit.code not in self.codes:
                    yield sign + suit.code, (suit.id, rank)

    def add_lacking(self, item: Scalar) -> None:
        """Tiles that a wild tile stands for but that are not in the box: a rank that no suit has, or that one suit
        lacks."""
        span = span_of(item)
        if item.text in self.lacking:
            wanted = [item.text]
        elif span and span[0] == span[1] and not any(span[0] in suit.ranks for suit in self.suits):
            wanted = [code for code, (_, rank) in self.lacking.items() if rank == span[0]]
        else:
            return
        for code in wanted:
            suit, rank = self.lacking.pop(code)
            self.add(code, item.place, suit, suit, rank, 0)

    # --- unranked families

    def add_family(self, key: Scalar, node: Mapping) -> None:
        """Add a tile for each code; in an `alike` family all equal the first."""
        copies, first = self.copies(key, node), len(self.tiles)
        suits = {item.text: suit for item, suit in self.suits_of(key, node)}
        alike = first if true_at(node, "alike") else None
        for code in scalars(node.get("codes")):
            if not self.is_full():
                self.add(code.text, code.place, key.text, suits.get(code.text), None, copies, alike)
        self.families[key.text] = tuple(tile.index for tile in self.tiles[first:] if tile.plain == tile.index)

    def suits_of(self, key: Scalar, node: Mapping) -> Iterator[tuple[Scalar, str]]:
        """Codes of the family that `suits` gives to suits, without removed ones."""
        codes = {code.text for code in scalars(node.get("codes"))}
        for entry in section_of(node, "suits").entries.values():
            suit = entry.value
            if entry.key.text not in codes | self.removed:
                self.problems.append(not_in_family(entry.key, key, codes))
            elif isinstance(suit, Scalar) and any(suit.text == known.id for known in self.suits):
                yield entry.key, suit.text
            elif isinstance(suit, Scalar) and suit.value is not None and suit.text not in self.removed:
                self.problems.append(unknown_suit(suit, self.suits))

    # --- specials

    def special(self, name: str, classes: TileClasses) -> TileClass | None:
        """The tiles of a special, which replace plain copies. None if there is no special of this name."""
        specials = section_of(self.section, "special")
        node = specials.get(name)
        if not isinstance(node, Mapping):
            return None
        key = specials.key(name)
        copies, seen_by = self.copies(key, node, default=1), text_at(node, "seen_by")
        return TileClass(
            frozenset(
                self.add_special(code, plain, name, copies, place, seen_by)
                for plain, (code, place) in self.special_codes(key, node, classes)
            )
        )

    def special_codes(
        self, key: Scalar, node: Mapping, classes: TileClasses
    ) -> Iterator[tuple[int, tuple[str, Place]]]:
        """Plain tiles of a special with the code of the special one: from `codes`, otherwise with the sign."""
        found, sign, place = dict(self.given_codes(node, classes)), text_at(node, "sign"), place_at(node, "of")
        of = classes.of(node.get("of"))
        if of.words:
            self.problems.append(special_of_word(of.words[0], key, place or key.place))
        for plain in sorted({self.tiles[tile].plain for tile in of.tiles} | set(found)):
            if plain in found or sign:
                yield plain, found.get(plain) or (self.tiles[plain].code + sign, place or key.place)
            else:
                self.problems.append(special_without_code(self.tiles[plain].code, key, place or key.place))

    def given_codes(self, node: Mapping, classes: TileClasses) -> Iterator[tuple[int, tuple[str, Place]]]:
        """Plain tiles with the code that `codes` gives to their special one."""
        for entry in section_of(node, "codes").entries.values():
            for tile in classes.of(entry.value).tiles:
                yield self.tiles[tile].plain, (entry.key.text, entry.key.place)

    def add_special(self, code: str, plain: int, name: str, copies: int, place: Place, seen_by: str) -> int:
        """One special tile in place of as many plain copies."""
        left = self.tiles[plain]
        if copies > left.copies:
            self.problems.append(too_many_specials(code, copies, left, place))
        self.tiles[plain] = replace(left, copies=max(0, left.copies - copies))
        index = self.add(code, place, left.family, left.suit, left.rank, copies, plain, frozenset({name}))
        self.tiles[index] = replace(self.tiles[index], seen_by=seen_by)
        return index

    # --- one tile

    def add(
        self,
        code: str,
        place: Place,
        family: str,
        suit: str | None,
        rank: int | None,
        copies: int,
        plain: int | None = None,
        marks: frozenset[str] = frozenset(),
    ) -> int:
        """Add a tile. Returns its index."""
        index = len(self.tiles)
        self.problems.extend(self.check_code(code, place, rank is not None or bool(marks)))
        self.codes.setdefault(code, index)
        self.written.setdefault(fold(code), family)
        self.tiles.append(Tile(index, code, family, suit, rank, copies, index if plain is None else plain, None, marks))
        return index

    def check_code(self, code: str, place: Place, may_be_sign: bool) -> Iterator[Problem]:
        """Check that a code is new and visible, and not the sign of a rank that some suit has."""
        if fold(code) in self.written:
            yield two_tiles(code, self.written[fold(code)], place)
        if not code or any(sign.isspace() or sign in INVISIBLE for sign in code):
            yield bad_code(code, place)
        if not may_be_sign and code in {self.signs[rank] for suit in self.suits for rank in suit.ranks}:
            yield code_is_sign(code, place)

    def copies(self, key: Scalar, node: Mapping, default: int | None = None) -> int:
        """The copies of each tile: of the family, else the default or the number of the section."""
        copies = node.get("copies") or (self.section.get("copies") if default is None else None)
        if copies is None:
            if default is None:
                self.problems.append(no_copies(key))
            return default or 0
        value = self.number(copies)
        if value == int(value) and 0 <= value <= MOST_COPIES:
            return int(value)
        self.problems.append(bad_copies(key, value, copies.place))
        return 0


# --- reading nodes


def section_of(node: Mapping, key: str) -> Mapping:
    """The mapping under a key; empty if missing."""
    found = node.get(key)
    return found if isinstance(found, Mapping) else Mapping({}, node.place)


def declared(section: Mapping, part: str) -> Iterator[tuple[Scalar, Mapping]]:
    """The entries of a part of the section with their keys, without those that null removes."""
    for entry in section_of(section, part).entries.values():
        if isinstance(entry.value, Mapping):
            yield entry.key, entry.value


def text_at(node: Mapping, key: str) -> str:
    """The text under a key; empty if missing."""
    found = node.get(key)
    return found.text if isinstance(found, Scalar) and found.value is not None else ""


def true_at(node: Mapping, key: str) -> bool:
    """Whether the flag of a key is set."""
    found = node.get(key)
    return isinstance(found, Scalar) and found.value is True


def place_at(node: Mapping, key: str) -> Place | None:
    """The place of the value of a key."""
    found = node.get(key)
    return found.place if found else None


def signs_of(section: Mapping) -> str:
    """The signs of ranks, that of rank i at i."""
    return (text_at(section_of(section, "notation"), "ranks") or DIGITS)[: MOST_RANK + 1]


# --- problems


def two_tiles(code: str, family: str, place: Place) -> Problem:
    return Problem("duplicate-tile", f"two tiles are called '{code}'", place, f"{family} has one of this code already")


def bad_code(code: str, place: Place) -> Problem:
    return Problem("bad-code", f"'{code}' is not a tile code", place, "a code is one or more signs without spaces")


def code_is_sign(code: str, place: Place) -> Problem:
    return Problem("ambiguous-code", f"the code '{code}' is also the sign of a rank", place, "choose another code")


def bad_suit_code(key: Scalar, code: str, place: Place) -> Problem:
    message = f"'{code}' cannot be the code of {key.text}" if code else f"{key.text} has no code"
    return Problem("bad-code", message, place, "a suit has one sign of its own, which is not that of a rank")


def bad_rank_sign(sign: str, place: Place) -> Problem:
    return Problem(
        "bad-rank-sign",
        f"'{sign}' cannot be the sign of this rank",
        place,
        "each rank has a sign of its own, none of them a space or bracket",
    )


def rank_without_sign(rank: int, key: Scalar, count: int, place: Place | None) -> Problem:
    return Problem(
        "rank-without-sign",
        f"rank {rank} of {key.text} has no sign",
        place or key.place,
        f"notation.ranks has signs for 0 to {count - 1}",
    )


def no_ranks(key: Scalar) -> Problem:
    return Problem("missing-ranks", f"{key.text} has no ranks", key.place, "say which ranks it has: ranks: 1..9")


def no_copies(key: Scalar) -> Problem:
    return Problem(
        "missing-copies",
        f"the number of copies of {key.text} is missing",
        key.place,
        "write copies here, or once for all at the top of tiles",
    )


def bad_copies(key: Scalar, value: int | Fraction, place: Place) -> Problem:
    return Problem(
        "bad-copies",
        f"there cannot be {value} copies of {key.text}",
        place,
        f"a whole number from 0 to {MOST_COPIES} is expected",
    )


def too_many_tiles(place: Place) -> Problem:
    return Problem(
        "too-many-tiles", f"there are more than {MOST_TILES} different tiles", place, "remove families or ranks"
    )


def not_in_family(code: Scalar, key: Scalar, codes: Iterable[str]) -> Problem:
    return Problem("unknown-tile", f"{key.text} has no tile '{code.text}'", code.place, hint(code.text, codes))


def unknown_suit(name: Scalar, suits: Iterable[Suit]) -> Problem:
    return Problem(
        "unknown-suit", f"no suit is called '{name.text}'", name.place, hint(name.text, [suit.id for suit in suits])
    )


def special_without_code(code: str, key: Scalar, place: Place) -> Problem:
    return Problem(
        "missing-code",
        f"'{code}' has no code when it is {key.text}",
        place,
        "give a sign, or a code for it in codes",
    )


def special_of_word(word: str, key: Scalar, place: Place) -> Problem:
    return Problem(
        "special-of-word",
        f"{key.text} cannot be of '{word}': its tiles change at the table",
        place,
        "name tiles that are known before the game",
    )


def too_many_specials(code: str, copies: int, left: Tile, place: Place) -> Problem:
    return Problem(
        "bad-copies", f"there cannot be {copies} of '{code}', only {left.copies} of '{left.code}' are left", place
    )
