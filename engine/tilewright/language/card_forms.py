"""Cards as forms: which card the forms of a ruleset are played with, and its hands in the ruleset's own tiles.

A form names an option (`card: card`), the option's choice is the id of a card beside the ruleset or among the bundled
ones, and a card that is given as a mod takes its place. `letters` of the form say what the letters of a card's lines
are: `m: bamboos` for the numbers of a suit, `F: flower_tiles`, `G: F`.
"""

from collections.abc import Iterator
from collections.abc import Mapping as Map
from dataclasses import dataclass
from pathlib import Path

from tilewright.base.node import Mapping, Scalar, Sequence
from tilewright.base.problem import Problem, RulesetError
from tilewright.cards.check import problems_of_card
from tilewright.cards.expand import in_print_order
from tilewright.cards.model import NUMBERS, SUITS, ConcreteHand
from tilewright.cards.process import MOST_OF_A_CARD, Processed, process
from tilewright.cards.text import category
from tilewright.hands.group import Groups
from tilewright.hands.listed import Listing, MixedWildTiles, Rows, Sets
from tilewright.language.library import is_document, kind_of, path_of, read_card, read_document, shown
from tilewright.language.options import OptionSetting
from tilewright.language.ruleset import CardData, CardLine
from tilewright.language.scope import is_null, section
from tilewright.tiles.tileset import TileSet

MOST_PLAYED = 50_000  # hands of a card that is played


@dataclass(frozen=True, slots=True)
class Played:
    """A card that is played, with its hands; the file that it was read from; whether it was given as a mod."""

    card: Processed
    path: Path
    given: bool = False

    @property
    def categories(self) -> tuple[str, ...]:
        """The ids of its groups of lines."""
        return tuple(category(group.group.title) for group in self.card.groups)


# --- finding the card


def read_played(path: Path, given: bool = False) -> Played:
    """The card of a file, YAML or plain text. Raises RulesetError with every error of it."""
    processed, problems = read_processed(path, MOST_PLAYED)
    if errors := [one for one in problems if one.severity == "error"]:
        raise RulesetError(errors)
    return Played(processed, path, given)


def read_processed(path: Path, most: int = MOST_OF_A_CARD) -> tuple[Processed, tuple[Problem, ...]]:
    """The card of a file with its hands, and everything that is wrong with it. Raises RulesetError for what is no
    card."""
    card, problems = read_card(path)
    processed = process(card, most)
    return processed, tuple(dict.fromkeys([*problems, *problems_of_card(card, processed)]))


def is_card(path: Path) -> bool:
    """The file holds a card: a text, or a document that says so."""
    return not is_document(path) or kind_of(read_document(path)) == "card"


def cards_played(
    full: Mapping, options: Map[str, OptionSetting], set_by_hand: Map[str, object], given: Played | None
) -> dict[str, Played]:
    """The card of each option that a form plays a card by. Raises RulesetError, also where a card is given and the
    option is set by hand besides."""
    wanted = card_options(full)
    if given is not None:
        if not wanted:
            raise RulesetError([plays_no_card(full, given)])
        if both := sorted(wanted & set_by_hand.keys()):
            raise RulesetError([card_twice(both[0], given)])
        return dict.fromkeys(wanted, given)
    found = {}
    for option in wanted & options.keys():
        choice = section(full, "options", option).get("choice")
        if isinstance(choice, Scalar):
            name, folder = str(options[option].chosen), Path(choice.place.source.name).parent
            path = path_of(name, folder, choice.place, "card")
            if not is_card(path):
                raise RulesetError([no_card_of_that_name(name, choice)])
            found[option] = read_played(path)
    return found


def card_options(full: Mapping) -> set[str]:
    """The options that forms play a card by."""
    forms = (node for _, node in section(full, "forms").items() if isinstance(node, Mapping))
    return {card.text for node in forms if isinstance(card := node.get("card"), Scalar) and not is_null(card)}


def choices_without_card(full: Mapping) -> Iterator[Problem]:
    """Choices of such options that no card is called by."""
    for option in sorted(card_options(full)):
        node = section(full, "options", option)
        of = node.get("of")
        if "choice" not in node.entries and node.entries:
            yield Problem("no-choice", f"option {option} says which card is used, so it is a choice", node.place)
        for item in of.items if isinstance(of, Sequence) else ():
            if isinstance(item, Scalar):
                try:
                    path_of(item.text, Path(item.place.source.name).parent, item.place, "card")
                except RulesetError as error:
                    yield from error.problems


# --- the hands in tiles of the ruleset


@dataclass(frozen=True, slots=True)
class Bound:
    """A card as a form plays it, with what is wrong in the form."""

    card: CardData
    listing: Listing
    problems: tuple[Problem, ...]


def bind(form: Mapping, played: Processed, tiles: TileSet, groups: Groups) -> Bound:
    """The hands of a card as sets of tiles. Its lines are in order: no card is played that has a wrong one."""
    data = CardData(played.card.id, played.card.name, tuple(lines_of(played)))
    if form.get("letters") is None:
        return Bound(data, Listing((), ()), (no_letters(form),))
    letters, problems = letters_of(form, tiles)
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
    return Bound(data, listing, tuple(problems))


def lines_of(played: Processed) -> Iterator[CardLine]:
    """The lines of a card as a form knows them."""
    for group in played.groups:
        title = group.group.title
        for one in group.lines:
            if one.line is not None:
                yield CardLine(one.entry.text, title, category(title), one.line.value, one.line.exposed)


def sets_of(hand: ConcreteHand, letters: Map[str, int]) -> Sets:
    """The sets of a hand as tiles of the ruleset."""
    return tuple((letters.get(tile, 0), count) for tile, count in in_print_order(hand))


def letters_of(form: Mapping, tiles: TileSet) -> tuple[dict[str, int], list[Problem]]:
    """Every tile of a card's hands ("m2", "F") with the plain tile that it is."""
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


def one_tile(name: str, tiles: TileSet) -> int | None:
    """The plain tile that a code names, or a family or class whose tiles are all alike."""
    if (tile := tiles.by_code(name)) is not None:
        return tile.plain
    members = tiles.families.get(name) or tuple(tiles.classes[name].tiles if name in tiles.classes else ())
    plain = {tiles.tiles[index].plain for index in members}
    return plain.pop() if len(plain) == 1 else None


# --- problems


def no_card_of_that_name(name: str, choice: Scalar) -> Problem:
    return Problem("not-a-card", f"{name} is the name of a document that is no card of hands", choice.place)


def plays_no_card(full: Mapping, given: Played) -> Problem:
    id = full.get("id")
    name = id.text if isinstance(id, Scalar) else "this ruleset"
    return Problem("plays-no-card", f"no form of {name} is won by a card, so {shown(given.path)} changes nothing")


def card_twice(option: str, given: Played) -> Problem:
    return Problem(
        "several-cards", f"{shown(given.path)} is the card, and option {option} names another", None, "one of them"
    )


def several_cards(first: Path, second: Path) -> Problem:
    return Problem("several-cards", f"{shown(first)} and {shown(second)} are both cards; one is played at a time")


def no_letters(form: Mapping) -> Problem:
    return Problem(
        "card-without-letters",
        "the form does not say what the letters of a card's lines are, so no hand can be read by it",
        form.key("card").place,
        "letters: {m: a suit, c: a suit, d: a suit, G: a tile, ...}",
        "warning",
    )


def letter_missing(form: Mapping, letters: set[str]) -> Problem:
    names = ", ".join(sorted(letters))
    return Problem(
        "unknown-letter", f"the card has {names}, and letters do not say what that is", form.key("letters").place
    )


def not_a_suit(letter: str, node: Scalar) -> Problem:
    return Problem("wrong-letter", f"{letter} stands before numbers, so it is a suit, not {node.text!r}", node.place)


def not_one_tile(letter: str, node: Scalar) -> Problem:
    return Problem("wrong-letter", f"{letter} is one kind of tile; {node.text!r} are several", node.place)
