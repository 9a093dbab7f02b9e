"""Baselines: the problems that files had when a baseline was written, which are not reported again.

A problem is known by its file, its code, its message and the text of its line, so that lines may move. In: problems;
out: those that are new, and what a baseline has that is gone.
"""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from tilewright.base.files import from_folder
from tilewright.base.problem import Problem

FORMAT = 1
MOST_BYTES = 20_000_000
KEYS = ("file", "code", "message", "text")
Known = tuple[str, str, str, str]  # the values of the keys


class WrongBaseline(Exception):
    """The file is no baseline."""


@dataclass(slots=True)
class Baseline:
    """The problems of a baseline with how many of each there were. `folder`: of its file, from which it names others;
    `left`: those not met yet."""

    folder: Path = Path()
    left: Counter[Known] = field(default_factory=Counter)

    @classmethod
    def read(cls, path: Path) -> Self:
        """The baseline of a file. Raises OSError, WrongBaseline."""
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise WrongBaseline("it is too large")
        try:
            data = json.loads(content)
            if data["tilewright"] != FORMAT:
                raise WrongBaseline(f"its format is not {FORMAT}")
            return cls(path.parent, Counter({key_of(one): count_of(one) for one in data["problems"]}))
        except (ValueError, KeyError, TypeError, RecursionError):
            raise WrongBaseline("it was not written by --write-baseline") from None

    @classmethod
    def of(cls, problems: Iterable[Problem], folder: Path) -> Self:
        return cls(folder, Counter(known_as(one, folder) for one in problems))

    def write(self, path: Path) -> None:
        """Write the baseline, the same text for the same problems. Raises OSError."""
        problems = [{**dict(zip(KEYS, key, strict=True)), "count": count} for key, count in sorted(self.left.items())]
        text = json.dumps({"tilewright": FORMAT, "problems": problems}, ensure_ascii=False, indent=1)
        path.write_text(text + "\n", encoding="utf-8")

    def new(self, problems: Iterable[Problem]) -> list[Problem]:
        """The problems that the baseline does not have, or not so often."""
        found = []
        for problem in problems:
            key = known_as(problem, self.folder)
            if self.left[key] > 0:
                self.left[key] -= 1
            else:
                found.append(problem)
        return found

    @property
    def gone(self) -> int:
        """How many problems it has that were not met."""
        return sum(self.left.values())


def known_as(problem: Problem, folder: Path) -> Known:
    place = problem.place
    if place is None:
        return "", problem.code, problem.message, ""
    return from_folder(place.source.name, folder), problem.code, problem.message, place.source.line(place.line).strip()


def key_of(one: Any) -> Known:
    file, code, message, text = (one[key] for key in KEYS)
    if not all(isinstance(value, str) for value in (file, code, message, text)):
        raise TypeError
    return file, code, message, text


def count_of(one: Any) -> int:
    count = one["count"]
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise TypeError
    return count
