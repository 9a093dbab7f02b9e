"""Write a ruleset to start from."""

from pathlib import Path

from tilewright.authoring.new_documents import write_ruleset
from tilewright.cli.arguments import NewFolder, NewName
from tilewright.cli.command import FINE, command


@command
def new_ruleset(name: NewName, to: NewFolder = Path(".")) -> int:
    """Write the file and print its path."""
    print(write_ruleset(name, to))
    return FINE
