"""The watch of a program: what is told of everything that its games ask and do, to see what plays reach.

Ordinary programs have none, and take no longer for it.
"""

from collections.abc import Mapping
from typing import Any, Protocol

from tilewright.language.compiled.ir import Ir
from tilewright.play.model.results import Won


class Watch(Protocol):
    """What is told of each game of a program."""

    def asks(self, ir: Ir, scene: Any, letters: Mapping[str, Any]) -> None:
        """An expression is evaluated."""
        ...

    def begins(self, section: str, name: str) -> None:
        """The steps of an offer, action, trigger or phase begin."""
        ...

    def settles(self, payments: str, scene: Any) -> None:
        """Payments are carried out."""
        ...

    def wins(self, won: Won) -> None:
        """A hand is declared."""
        ...
