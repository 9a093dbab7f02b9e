"""Opening: a ruleset as the user named it, with options, mods and a card, in; loaded rules out.

Knows ids of bundled documents and paths; problems inside a document are up to the layers below. Which bundled ruleset
is played with cards follows from the rulesets, not from a name. The layers below are imported when needed, so that a
command that opens nothing starts at once.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from tilewright.base.problem import Problem, RulesetError

if TYPE_CHECKING:
    from tilewright.language.documents.whole import MergedRuleset
    from tilewright.scoring.rules import ScoringRules

Notation = Literal["codes", "card"]  # of tiles: their codes, or the letters of a card
MISSING = ("no-such-document", "no-such-pack")
CARD = "card"
R = TypeVar("R", bound="ScoringRules")


class CannotBegin(Exception):
    """A command cannot start: a file is missing, a name is taken, a package is not installed. `hint`: what to
    do."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message}\n  = hint: {self.hint}"


@dataclass(frozen=True, slots=True)
class RulesChoice:
    """What was chosen with a ruleset: options by id, mods as `mod[:option=value]` in their order, and the notation of
    tiles."""

    settings: Mapping[str, str] = field(default_factory=dict)
    mods: tuple[str, ...] = ()
    notation: Notation = "codes"

    @staticmethod
    def of(settings: Iterable[str], mods: Iterable[str], notation: Notation = "codes") -> "RulesChoice":
        """Read `option=value` texts."""
        return RulesChoice(dict(map(setting_of, settings)), tuple(dict.fromkeys(mods)), notation)

    @property
    def labels(self) -> tuple[str, ...]:
        """Every setting as a text, those of mods included."""
        of_mods = (part.strip() for mod in self.mods for part in mod.partition(":")[2].split(","))
        return (*(f"{option}={value}" for option, value in self.settings.items()), *filter(None, of_mods))


def setting_of(text: str) -> tuple[str, str]:
    option, equals, value = text.partition("=")
    if not equals or not option.strip():
        raise CannotBegin(f"--set needs option=value, not '{text}'")
    return option.strip(), value.strip()


def open_rules(name: str, choices: RulesChoice) -> "ScoringRules":
    """The rules of an id or a path. Raises RulesetError for mistakes in them, CannotBegin if something is missing."""
    from tilewright.scoring.rules import load

    try:
        rules = load(name, choices.settings, choices.mods)
    except RulesetError as error:
        if is_card_file(name):
            raise RulesetError([card_in_place(name)]) from None
        raise cannot_begin_if_missing(error) from None
    return in_notation(rules, choices.notation)


def opened(name: str, choices: RulesChoice) -> "tuple[ScoringRules, MergedRuleset]":
    """The same rules with their documents."""
    from tilewright.language.load import load_elaborated
    from tilewright.scoring.rules import ScoringRules as Opened

    try:
        found = load_elaborated(name, choices.settings, choices.mods)
    except RulesetError as error:
        raise cannot_begin_if_missing(error) from None
    return in_notation(Opened(found.data), choices.notation), found.merged


def in_notation(rules: R, notation: Notation) -> R:
    """The same rules, with tiles read and written in this notation. Raises CannotBegin if there is no card."""
    from tilewright.scoring.rules import CaseError

    try:
        return rules if notation == "codes" else rules.as_on_card()
    except CaseError as error:
        raise CannotBegin(error.message, "leave out --notation") from None


def is_card_file(name: str) -> bool:
    """Whether a name means a card: a plain text, or a document of that kind."""
    from tilewright.base.files import is_file
    from tilewright.language.documents.bundled import bundled_file
    from tilewright.language.documents.library import is_document, kind_at

    path = Path(name)
    if not is_file(path):
        found = bundled_file(name)
        return found is not None and kind_at(found) == CARD
    return kind_at(path) == CARD if is_document(path) else path.suffix.lower() == ".txt"


def card_in_place(name: str) -> Problem:
    """A card where a ruleset is expected."""
    hint = f"play it: tilewright score {played_with_cards()} --mod {name}"
    return Problem("not-a-ruleset", f"{name} is a card of hands, not a ruleset", None, hint)


def rules_with(card: Path, rules: str | None, choices: RulesChoice) -> "ScoringRules":
    """The rules of a ruleset, or of the bundled one that is played with cards, with this card."""
    path = str(card) if card.is_absolute() else f"./{card}"
    return open_rules(rules or played_with_cards(), replace(choices, mods=(*choices.mods, path)))


def played_with_cards() -> str:
    """The id of the bundled ruleset with a form for cards."""
    from tilewright.language.documents.bundled import bundled_file
    from tilewright.language.documents.library import beginning_at
    from tilewright.language.load import load_data

    for id in bundled("ruleset"):
        file = bundled_file(id)
        if file is not None and CARD in beginning_at(file) and any(form.card for form in load_data(id).forms):
            return id
    raise CannotBegin("no bundled ruleset is played with cards", "name one: --rules RULESET")


def cannot_begin_if_missing(error: RulesetError) -> Exception:
    """A named document that does not exist is wrong usage, not a problem of a document."""
    problem = error.problems[0]
    if problem.code in MISSING and problem.place is None:
        return CannotBegin(problem.message, problem.hint)
    return error


def bundled(kind: str) -> list[str]:
    """Ids of the bundled documents of a kind."""
    from tilewright.language.documents.bundled import bundled_file, bundled_ids
    from tilewright.language.documents.library import kind_at

    files = {id: bundled_file(id) for id in bundled_ids()}
    return [id for id, file in files.items() if file is not None and kind_at(file) == kind]
