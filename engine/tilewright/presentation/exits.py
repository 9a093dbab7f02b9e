"""Exits: how a command ends, and what is said when it cannot begin.

0: fine; 1: problems in what was given; 2: wrong usage or a missing file; 130: stopped by Ctrl-C.
"""

FINE, PROBLEMS, USAGE, STOPPED = 0, 1, 2, 130


class Unusable(Exception):
    """What was asked for cannot be begun: a missing file, a name that exists already. `hint` is the way out."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message}\n  = hint: {self.hint}"
