"""Cards as the user names them: an id or a path in; the card and the problems of its document out.

Problems of single lines are up to the commands: a card with a wrong line still has its others.
"""

from dataclasses import dataclass
from pathlib import Path

from tilewright.authoring.open_rules import CARD, CannotBegin, cannot_begin_if_missing
from tilewright.base.files import is_file
from tilewright.base.problem import Problem, RulesetError
from tilewright.cards.model import Card
from tilewright.language.documents.library import is_document, kind_at, path_of, read_card


@dataclass(frozen=True, slots=True)
class CardFile:
    """A card file. `path` of its file; `problems`: of the document, not of its lines."""

    path: Path
    card: Card
    problems: tuple[Problem, ...]


def open_card(name: str) -> CardFile:
    """The card of an id or a path. Raises RulesetError if it cannot be read as a card, CannotBegin if it is missing."""
    path = card_path(name)
    return CardFile(path, *read_card(path))


def played_path(name: str) -> Path:
    """The file of a card to be played. Raises RulesetError for a document of another kind."""
    path = card_path(name)
    if is_document(path) and kind_at(path) != CARD:
        open_card(name)
    return path


def card_path(name: str) -> Path:
    """The file that a name means: an existing one, or a bundled card."""
    path = Path(name)
    if is_file(path):
        return path
    if path.is_dir():
        raise CannotBegin(f"{name} is a folder, not a card", f"'tilewright card check {name}' checks the cards in it")
    if path.exists():
        raise CannotBegin(f"{name} is a pipe or a device, not a file")
    try:
        return path_of(name, what="card")
    except RulesetError as error:
        raise cannot_begin_if_missing(error) from None
