"""Keys: what a player is asked now, as entries with keys; and descriptions of keys. Knows no screen."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from rich.text import Text

from tilewright.play.model import Question
from tilewright.presentation.console import table
from tilewright.presentation.names import ActionEntry, RulesetNames

PASSING = ("p", "0")


@dataclass
class KeyedEntries:
    """The current question as entries; `active`: the entry that tiles of the hand are chosen for."""

    question: Question
    entries: tuple[ActionEntry, ...]
    active: ActionEntry | None
    cursor: int | None = None  # at an entry, if tiles are not asked for

    def keys(self) -> list[tuple[str, ActionEntry]]:
        """Every entry with its key."""
        numbered = [entry for entry in self.entries if not entry.passes]
        passing = [entry for entry in self.entries if entry.passes]
        return [*((str(n), entry) for n, entry in enumerate(numbered, 1)), *((PASSING[0], e) for e in passing)]

    def legal(self) -> Counter[str] | None:
        """How many of each tile may be chosen; None: tiles are not asked for, and all look the same."""
        if self.active is None:
            return None
        if self.active.pick is not None:
            return Counter(self.active.pick.tiles)
        return Counter(move.choice[-1][1] for move in self.active.moves)


def key_lines(ids: Iterable[str], names: RulesetNames, indent: str = "") -> list[Text]:
    """Keys or words with their descriptions; two spaces separate them in the message."""
    return table([names.say(id).split("  ") for id in ids], indent=indent)
