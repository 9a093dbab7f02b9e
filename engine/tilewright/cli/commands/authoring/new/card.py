"""Write a card of hands to start from."""

from pathlib import Path

from tilewright.authoring.new_documents import write_card
from tilewright.cli.arguments import NewFolder, NewName
from tilewright.cli.command import FINE, command


@command
def new_card(name: NewName, to: NewFolder = Path(".")) -> int:
    """Write the file and print its path."""
    print(write_card(name, to))
    return FINE
