"""A card with a ruleset: the rules that it is played by, and how difficult its lines are with their tiles.

Knows which bundled ruleset is played with cards from what the rulesets say, not by name.
"""

from pathlib import Path

from tilewright.authoring.open_rules import Choices, bundled, open_rules
from tilewright.hands.draws import difficulty
from tilewright.language.documents.bundled import bundled_file
from tilewright.language.documents.library import says
from tilewright.language.load import load_data
from tilewright.presentation.exits import Unusable
from tilewright.scoring.nearest import cards_of
from tilewright.scoring.rules import Rules


def rules_with(card: Path, rules: str | None, choices: Choices) -> Rules:
    """The rules of a ruleset, or of the bundled one that is played with cards, with this card."""
    path = str(card) if card.is_absolute() else f"./{card}"
    return open_rules(rules or played_with_cards(), Choices(choices.settings, (*choices.mods, path)))


def played_with_cards() -> str:
    """The id of the bundled ruleset with a form that is won by a card."""
    for id in bundled("ruleset"):
        file = bundled_file(id)
        if file is not None and says(file, "card") and any(form.card for form in load_data(id).forms):
            return id
    raise Unusable("no bundled ruleset is played with cards", "name one: --rules RULESET")


def draws_of(rules: Rules, deals: int, seed: int) -> list[float | None]:
    """The mean draws to a hand of each line of the card that is played, None for lines without hands."""
    card, rows = next(iter(cards_of(rules.judge)))
    means = {draws.entry: draws.mean for draws in difficulty(rows, deals, seed)}
    return [means.get(entry) for entry in range(len(card.lines))]
