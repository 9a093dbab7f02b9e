"""`card check`: cards in; every problem of them out, as `check` has it for all documents. Finds nothing itself."""

from collections.abc import Sequence
from pathlib import Path

from tilewright.apps.card import card_path
from tilewright.apps.check import Checked, check_card, check_each


def card_check_command(names: Sequence[str], format: str, fail_on: str) -> int:
    """Check the cards that are named and print what is found, in the format asked for."""
    files = dict.fromkeys(str(card_path(name)) for name in names)
    return check_each(list(files), check_file, format, fail_on)


def check_file(file: str) -> Checked:
    """Everything that is wrong with a card."""
    return check_card(Path(file))
