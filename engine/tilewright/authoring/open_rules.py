"""Opening: a ruleset as the user named it, with options and mods, in; loaded rules out.

Knows ids of bundled documents and paths; what is wrong inside a document is for the layers below.
"""

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.base.problem import Problem, RulesetError
from tilewright.presentation.exits import Unusable

if TYPE_CHECKING:
    from tilewright.scoring.rules import Rules

KIND = re.compile(r"""^[\s{"']*kind["']? *: *["']?(\w+)""", re.MULTILINE)
HEAD = 4_000  # characters of a file in which it says what it is
MISSING = "no-such-document"
CARD = "card"


@dataclass(frozen=True, slots=True)
class Choices:
    """What was chosen beside a ruleset: options by id, and mods as `mod[:option=value]` in their order."""

    settings: Mapping[str, str] = field(default_factory=dict)
    mods: tuple[str, ...] = ()

    @staticmethod
    def of(settings: Iterable[str], mods: Iterable[str]) -> "Choices":
        """Read `option=value` texts."""
        return Choices(dict(map(setting_of, settings)), tuple(dict.fromkeys(mods)))

    @property
    def said(self) -> tuple[str, ...]:
        """Every setting as a text, those of mods included."""
        of_mods = (part.strip() for mod in self.mods for part in mod.partition(":")[2].split(","))
        return (*(f"{option}={value}" for option, value in self.settings.items()), *filter(None, of_mods))


def setting_of(text: str) -> tuple[str, str]:
    option, equals, value = text.partition("=")
    if not equals or not option.strip():
        raise Unusable(f"--set wants option=value, not '{text}'")
    return option.strip(), value.strip()


def open_rules(name: str, choices: Choices) -> "Rules":
    """The rules of an id or a path. Raises RulesetError for what is wrong in them, Unusable for what is not there."""
    from tilewright.scoring.rules import load

    if is_card_file(name):
        raise RulesetError([card_in_place(name)])
    try:
        return load(name, choices.settings, choices.mods)
    except RulesetError as error:
        raise unusable_if_missing(error) from None


def is_card_file(name: str) -> bool:
    """Whether a name means a card: a plain text, or a document that says so."""
    from tilewright.language.documents.bundled import bundled_file, is_file
    from tilewright.language.documents.library import is_document

    path = Path(name)
    if not is_file(path):
        found = bundled_file(name)
        return found is not None and kind_at(found) == CARD
    return kind_at(path) == CARD if is_document(path) else path.suffix.lower() == ".txt"


def card_in_place(name: str) -> Problem:
    """A card where a ruleset is wanted."""
    from tilewright.authoring.card_rules import played_with_cards

    hint = f"play it: tilewright score {played_with_cards()} --mod {name}"
    return Problem("not-a-ruleset", f"{name} is a card of hands, and no ruleset", None, hint)


def unusable_if_missing(error: RulesetError) -> Exception:
    """A document that the user named and that is not there is a wrong call, not a problem of a document."""
    problem = error.problems[0]
    if problem.code == MISSING and problem.place is None:
        return Unusable(problem.message, problem.hint)
    return error


def bundled(kind: str) -> list[str]:
    """Ids of the bundled documents of a kind."""
    from tilewright.language.documents.bundled import bundled_file, bundled_ids

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
    from tilewright.presentation.console import console_for
    from tilewright.presentation.problems import render_text

    sys.stdout.flush()
    sys.stderr.write(render_text(problems, console_for(sys.stderr).color_system is not None))
