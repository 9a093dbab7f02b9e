"""Cards of forms: the card that an option selects, read and processed. Knows no tiles of a ruleset.

A form names an option (`card: card`), the option's choice is the id of a card next to the ruleset or among the bundled
ones, and a card given as a mod replaces it.
"""

import re
from collections.abc import Iterator
from collections.abc import Mapping as Map
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.base.files import is_file
from tilewright.base.memory import latest
from tilewright.base.node import Mapping, Scalar, Sequence
from tilewright.base.problem import Problem, RulesetError
from tilewright.language.documents.bundled import data_folder
from tilewright.language.documents.fields import is_null, kind_of, section, texts
from tilewright.language.documents.library import is_document, path_of, read_card, read_document, shown
from tilewright.language.documents.options import OptionSetting

if TYPE_CHECKING:
    from tilewright.cards.expand import Processed

MOST_PLAYED = 50_000  # hands of a card in play
REMEMBERED = 8  # cards in play


ID = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class PlayedCard:
    """A card in play, with its hands; its file; whether it was given as a mod; and the document, if it is YAML."""

    card: "Processed"
    path: Path
    given: bool = False
    document: Mapping | None = None

    @property
    def categories(self) -> tuple[str, ...]:
        """The ids of its groups of lines."""
        from tilewright.cards.text import category

        return tuple(category(group.group.title) for group in self.card.groups)


def read_played(path: Path, given: bool = False) -> PlayedCard:
    """The card of a file, YAML or plain text. Raises RulesetError with every error of it."""
    processed, problems = processed_as(path)
    if errors := [one for one in problems if one.severity == "error"]:
        raise RulesetError(errors)
    return PlayedCard(processed, path, given, read_document(path) if is_document(path) else None)


def processed_as(path: Path) -> "tuple[Processed, tuple[Problem, ...]]":
    """What `read_processed` finds of a card in play, once for each text of it."""
    from tilewright.base.document import bytes_of  # imported here: a ruleset from the cache is not parsed

    try:
        content = bytes_of(path, shown(path))
    except RulesetError:
        return read_processed(path, MOST_PLAYED)
    return processed_once((str(path), shown(path), content))


@latest(lambda named: named[0], REMEMBERED)
def processed_once(named: tuple[str, str, bytes]) -> "tuple[Processed, tuple[Problem, ...]]":
    return read_processed(Path(named[0]), MOST_PLAYED)


def read_processed(path: Path, most: int | None = None) -> "tuple[Processed, tuple[Problem, ...]]":
    """The card of a file with its hands, at most this many, and its problems. Raises RulesetError if it is not a
    card."""
    from tilewright.cards.check import problems_of_card  # imported here: most rulesets have no card
    from tilewright.cards.expand import MOST_OF_A_CARD, process

    card, problems = read_card(path)
    processed = process(card, MOST_OF_A_CARD if most is None else most)
    return processed, tuple(dict.fromkeys([*problems, *problems_of_card(card, processed)]))


def is_card(path: Path) -> bool:
    """Whether the file holds a card: a plain text, or a document of that kind."""
    return not is_document(path) or kind_of(read_document(path)) == "card"


def cards_played(
    full: Mapping, options: Map[str, OptionSetting], set_by_hand: Map[str, object], given: PlayedCard | None
) -> dict[str, PlayedCard]:
    """The card of each option that selects a card for a form. Raises RulesetError, also if a card is given and the
    option is set, too."""
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
    """The options that select cards for forms."""
    forms = (node for _, node in section(full, "forms").items() if isinstance(node, Mapping))
    return {card.text for node in forms if isinstance(card := node.get("card"), Scalar) and not is_null(card)}


def name_of_bundled(id: str) -> Map[str, str]:
    """The name of a bundled card; empty if there is no such card."""
    path = data_folder("cards") / f"{id}.yaml"
    return texts(read_document(path).get("name")) if ID.fullmatch(id) and is_file(path) else {}


def choices_without_card(full: Mapping) -> Iterator[Problem]:
    """Choices of such options that name no card."""
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


def no_card_of_that_name(name: str, choice: Scalar) -> Problem:
    return Problem("not-a-card", f"{name} is the name of a document that is not a card of hands", choice.place)


def plays_no_card(full: Mapping, given: PlayedCard) -> Problem:
    id = full.get("id")
    name = id.text if isinstance(id, Scalar) else "this ruleset"
    return Problem("plays-no-card", f"no form of {name} is won by a card, so {shown(given.path)} changes nothing")


def card_twice(option: str, given: PlayedCard) -> Problem:
    return Problem(
        "several-cards", f"{shown(given.path)} is the card, and option {option} names another", None, "one of them"
    )


def several_cards(first: Path, second: Path) -> Problem:
    return Problem("several-cards", f"{shown(first)} and {shown(second)} are both cards; one is played at a time")
