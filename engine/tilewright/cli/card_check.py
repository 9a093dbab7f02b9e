"""`card check`: cards and folders in; every problem of the cards out, as `check` has it for all documents.

Finds nothing itself.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from tilewright.authoring.open_card import card_path
from tilewright.cli.check import Checked, check_card, check_each, files_in, is_card
from tilewright.presentation.exits import Unusable


def card_check_command(names: Sequence[str], format: str, fail_on: str) -> int:
    """Check the cards that are named and print what is found, in the format asked for."""
    files = dict.fromkeys(str(path) for name in names for path in cards_at(name))
    return check_each(list(files), check_file, format, fail_on)


def cards_at(name: str) -> Iterator[Path]:
    """The card of an id or a path, or all cards of a folder."""
    folder = Path(name)
    if not folder.is_dir():
        yield card_path(name)
        return
    found = [file for file in files_in(folder) if is_card(file)]
    if not found:
        raise Unusable(f"no cards are in {name}", "a card is plain text, .txt, or YAML that says kind: card")
    yield from found


def check_file(file: str) -> Checked:
    """Everything that is wrong with a card."""
    return check_card(Path(file))
