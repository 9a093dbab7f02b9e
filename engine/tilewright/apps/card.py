"""Cards as the user names them: an id or a path in; the card and the problems of its document out.

What is wrong in single lines is for the commands: a card with a wrong line still has its others.
"""

from dataclasses import dataclass
from pathlib import Path

from tilewright.apps.exits import Unusable
from tilewright.apps.opening import unusable_if_missing
from tilewright.base.problem import Problem, RulesetError
from tilewright.cards import document as cards
from tilewright.cards.model import Card
from tilewright.language.bundled import is_file
from tilewright.language.library import is_document, kind_of, path_of, read_document, shown


@dataclass(frozen=True, slots=True)
class CardFile:
    """A card that was read. `path` of its file; `problems`: of the document, not of its lines."""

    path: Path
    card: Card
    problems: tuple[Problem, ...]


def open_card(name: str) -> CardFile:
    """The card of an id or a path. Raises RulesetError for what cannot be read as a card, Unusable for what is not
    there."""
    path = card_path(name)
    return CardFile(path, *read_file(path))


def card_path(name: str) -> Path:
    """The file that a name means: one that is there, or a bundled card."""
    path = Path(name)
    if is_file(path):
        return path
    if path.is_dir():
        raise Unusable(f"{name} is a folder, not a card", f"'tilewright check {name}' checks all that is in it")
    if path.exists():
        raise Unusable(f"{name} is no file, but a pipe or a device")
    try:
        return path_of(name, what="card")
    except RulesetError as error:
        raise unusable_if_missing(error) from None


def read_file(path: Path) -> tuple[Card, tuple[Problem, ...]]:
    """The card of a file, which is a document or a text."""
    if not is_document(path):
        return cards.open_card(path, shown(path))
    document = read_document(path)
    if kind_of(document) != "card":
        from tilewright.language.card_forms import not_a_card  # here: it takes long to import

        raise RulesetError([not_a_card(document)])
    return cards.card_of(document)
