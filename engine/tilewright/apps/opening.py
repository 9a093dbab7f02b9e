"""Opening: a ruleset as the user named it, with options and mods, in; loaded rules out.

Knows ids of bundled documents and paths; what is wrong inside a document is for the layers below.
"""

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.apps.exits import Unusable
from tilewright.base.problem import Problem, RulesetError

if TYPE_CHECKING:
    from tilewright.scoring.rules import Rules

KIND = re.compile(r"""^[\s{"']*kind["']? *: *["']?(\w+)""", re.MULTILINE)
HEAD = 4_000  # characters of a file in which it says what it is
MISSING = "no-such-document"


@dataclass(frozen=True, slots=True)
class Choices:
    """What was chosen beside a ruleset: options by id, and mods as `mod[:option=value]` in their order."""

    settings: Mapping[str, str] = field(default_factory=dict)
    mods: tuple[str, ...] = ()

    @staticmethod
    def of(settings: Iterable[str], mods: Iterable[str]) -> "Choices":
        """Read `option=value` texts."""
        return Choices(dict(map(setting_of, settings)), tuple(dict.fromkeys(mods)))


def setting_of(text: str) -> tuple[str, str]:
    option, equals, value = text.partition("=")
    if not equals or not option.strip():
        raise Unusable(f"--set wants option=value, not '{text}'")
    return option.strip(), value.strip()


def open_rules(name: str, choices: Choices) -> "Rules":
    """The rules of an id or a path. Raises RulesetError for what is wrong in them, Unusable for what is not there."""
    from tilewright.scoring.rules import load

    try:
        return load(name, choices.settings, choices.mods)
    except RulesetError as error:
        raise unusable_if_missing(error) from None


def unusable_if_missing(error: RulesetError) -> Exception:
    """A document that the user named and that is not there is a wrong call, not a problem of a document."""
    problem = error.problems[0]
    if problem.code == MISSING and problem.place is None:
        return Unusable(problem.message, problem.hint)
    return error


def bundled(kind: str) -> list[str]:
    """Ids of the bundled documents of a kind."""
    from tilewright.language.bundled import bundled_file, bundled_ids

    files = {id: bundled_file(id) for id in bundled_ids()}
    return [id for id, file in files.items() if file is not None and kind_at(file) == kind]


def kind_at(file: Path) -> str:
    """The kind of document that a file says it is, without reading all of it; empty if it does not say."""
    found = KIND.search(head(file))
    return found[1] if found else ""


def head(file: Path) -> str:
    with file.open(encoding="utf-8", errors="replace") as stream:
        return stream.read(HEAD)


def show_problems(problems: Sequence[Problem]) -> None:
    """Problems on stderr, coloured on a terminal."""
    from tilewright.apps.report import render_text
    from tilewright.apps.screen import console_for

    sys.stdout.flush()
    sys.stderr.write(render_text(problems, console_for(sys.stderr).color_system is not None))
