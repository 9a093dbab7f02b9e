"""Cards as forms: the hands of a card in the ruleset's own tiles.

`letters` of a form map the letters of a card's lines: `m: bamboos` for the numbers of a suit,
`F: flower_tiles`, `G: F`.
"""

from collections.abc import Iterator
from collections.abc import Mapping as Map
from dataclasses import dataclass, replace

from tilewright.base.node import Mapping, Scalar
from tilewright.base.problem import Problem
from tilewright.cards.expand import Processed, in_print_order
from tilewright.cards.model import DRAGON, DRAGON_OF, NUMBERS, SUITS, ConcreteHand
from tilewright.cards.text import category
from tilewright.hands.listed import MixedWildTiles, Rows
from tilewright.hands.reading import Groups, Listing, Sets
from tilewright.language.compiled.ruleset import CardData, CardLine
from tilewright.language.documents.fields import is_null, section
from tilewright.tiles.tileset import Spelling, TileSet

# --- finding the card


# --- hands in tiles of the ruleset


@dataclass(frozen=True, slots=True)
class BoundCard:
    """A card in a form, with the problems of the form."""

    card: CardData
    listing: Listing
    problems: tuple[Problem, ...]


def bind(form: Mapping, played: Processed, tiles: TileSet, groups: Groups) -> BoundCard:
    """The hands of a card as sets of tiles. Its lines are valid: a card with a wrong one is not played."""
    data = CardData(played.card.id, played.card.name, tuple(lines_of(played)))
    if form.get("letters") is None:
        return BoundCard(data, Listing((), ()), (no_letters(form),))
    letters, problems = letters_of(form, tiles)
    data = replace(data, spelling=spelling_of(letters, tiles))
    hands = [(entry, hand) for entry, one in enumerate(played.lines) for hand in one.hands]
    lacking = {tile for _, hand in hands for tile, _ in hand if tile not in letters}
    if lacking and not problems:
        problems.append(letter_missing(form, {tile[0] for tile in lacking}))
    closed = frozenset(entry for entry, line in enumerate(data.lines) if not line.exposed)
    listing = Listing(tuple(sets_of(hand, letters) for _, hand in hands), tuple(entry for entry, _ in hands), closed)
    try:
        Rows.supported(tiles, groups, listing)
    except MixedWildTiles as error:
        problems.append(Problem("wild-tiles-of-cards", str(error), form.key("card").place))
    return BoundCard(data, listing, tuple(problems))


def lines_of(played: Processed) -> Iterator[CardLine]:
    """The lines of a card for a form."""
    for group in played.groups:
        title = group.group.title
        for one in group.lines:
            if one.line is not None:
                yield CardLine(one.entry.text, title, category(title), one.line.value, one.line.exposed)


def sets_of(hand: ConcreteHand, letters: Map[str, int]) -> Sets:
    """The sets of a hand as tiles of the ruleset."""
    return tuple((letters.get(tile, 0), count) for tile, count in in_print_order(hand))


def letters_of(form: Mapping, tiles: TileSet) -> tuple[dict[str, int], list[Problem]]:
    """Every tile of a card's hands ("m2", "F") with its plain tile."""
    found: dict[str, int] = {}
    problems = []
    for letter, node in section(form, "letters").items():
        if not isinstance(node, Scalar) or is_null(node):
            continue
        if letter in SUITS:
            ranked = [tiles.tiles[index] for index in tiles.families.get(node.text, ())]
            numbers = {str(tile.rank): tile.plain for tile in ranked if tile.rank is not None}
            found |= {letter + number: numbers[number] for number in NUMBERS if number in numbers}
            if not numbers:
                problems.append(not_a_suit(letter, node))
        elif (tile := one_tile(node.text, tiles)) is not None:
            found[letter] = tile
        else:
            problems.append(not_one_tile(letter, node))
    return found, problems


def spelling_of(letters: Map[str, int], tiles: TileSet) -> Spelling | None:
    """Tiles in the letters of a card: `m2`, `G`, `F`; `mD` as on the card for the dragon of a suit. A tile without a
    letter keeps its code."""
    text_of = {tile: letter for letter, tile in letters.items()}
    texts = tuple(text_of.get(tile.plain, tile.code) if not tile.marks else tile.code for tile in tiles.tiles)
    dragons = {suit + DRAGON: letters[own] for suit, own in DRAGON_OF.items() if own in letters}
    strange = {tile.code for tile in tiles.tiles if texts[tile.index] not in letters}
    if strange & {*letters, *dragons, *SUITS}:
        return None
    return Spelling(texts, {**dragons, **letters}, frozenset(SUITS))


def one_tile(name: str, tiles: TileSet) -> int | None:
    """The plain tile that a code names, or a family or class of identical tiles."""
    if (tile := tiles.by_code(name)) is not None:
        return tile.plain
    members = tiles.families.get(name) or tuple(tiles.classes[name].tiles if name in tiles.classes else ())
    plain = {tiles.tiles[index].plain for index in members}
    return plain.pop() if len(plain) == 1 else None


# --- problems


def no_letters(form: Mapping) -> Problem:
    return Problem(
        "card-without-letters",
        "the form has no `letters` for the lines of a card, so no hand can be read",
        form.key("card").place,
        "letters: {m: a suit, c: a suit, d: a suit, G: a tile, ...}",
        "warning",
    )


def letter_missing(form: Mapping, letters: set[str]) -> Problem:
    names = ", ".join(sorted(letters))
    return Problem("unknown-letter", f"the card has {names}, which is not among `letters`", form.key("letters").place)


def not_a_suit(letter: str, node: Scalar) -> Problem:
    return Problem("wrong-letter", f"{letter} comes before numbers, so it is a suit, not {node.text!r}", node.place)


def not_one_tile(letter: str, node: Scalar) -> Problem:
    return Problem("wrong-letter", f"{letter} is one kind of tile; {node.text!r} are several", node.place)
