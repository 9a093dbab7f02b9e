"""What happened to packs, told on the terminal or as JSON."""

import sys
from collections.abc import Sequence
from dataclasses import asdict

from tilewright.cli.output import print_json
from tilewright.language.documents.packs import LOCK
from tilewright.sharing.adding import Changed


def show_changes(changes: Sequence[Changed], *, as_json: bool) -> None:
    """Print the changes."""
    if as_json:
        print_json([asdict(change) for change in changes])
        return
    for change in changes:
        print(line_of(change))
    print(f"{LOCK} is up to date")


def line_of(change: Changed) -> str:
    """A change in a line."""
    before = f"{change.before} -> " if change.before not in (None, change.now) else ""
    return f"{change.how} {change.name} {before}{change.now}"


def show_note(text: str) -> None:
    """Say something of a source, beside the results."""
    print(text, file=sys.stderr)
