"""Reports: what a check may say of its files beside their problems, for people and for programs."""

from collections.abc import Iterable
from typing import Any, Protocol

from rich.text import Text

from tilewright.base.problem import Problem


class CheckReport(Protocol):
    """A report about the files that were checked. `name`: its key in JSON."""

    name: str

    def add(self, file: str) -> None:
        """Take in a file that has no errors."""
        ...

    @property
    def fails(self) -> bool:
        """Whether the check fails for what the report found."""
        ...

    @property
    def notes(self) -> Iterable[Problem]:
        """What it found, as notes among the problems."""
        ...

    def lines(self) -> Iterable[Text | str]: ...
    def as_json(self) -> list[dict[str, Any]]: ...
