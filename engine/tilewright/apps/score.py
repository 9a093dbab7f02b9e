"""`score --hand`: the texts of one hand in, its score or its explanation on the screen. Knows no rule."""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from tilewright.apps.exits import FINE, PROBLEMS
from tilewright.apps.explained import explanation_json, explanation_lines
from tilewright.apps.itemised import score_lines
from tilewright.apps.opening import show_problems
from tilewright.apps.screen import show
from tilewright.scoring.case import CaseError
from tilewright.scoring.rules import Rules


@dataclass(frozen=True, slots=True)
class HandTexts:
    """A hand as it stands on the command line."""

    hand: str
    melds: tuple[str, ...] = ()
    win: str | None = None
    self_draw: bool = False
    bonus: str | None = None
    seat_wind: str | None = None
    round_wind: str | None = None
    flags: tuple[str, ...] = ()
    discarder: str | None = None
    not_won: bool = False

    def case(self) -> dict[str, Any]:
        """The same as a case; what was not said is left out."""
        said = {
            "hand": self.hand,
            "melds": [meld_of(text) for text in self.melds],
            "win_tile": self.win,
            "bonus": self.bonus,
            "seat_wind": self.seat_wind,
            "round_wind": self.round_wind,
            "flags": list(self.flags),
            "discarder": self.discarder,
            "self_draw": self.self_draw,
            "winner": not self.not_won,
        }
        return {key: value for key, value in said.items() if value is not None}


def meld_of(text: str) -> str | dict[str, str]:
    """A meld as a case has it: `444p` as it is, `kind:4444p` with its kind."""
    kind, colon, tiles = text.partition(":")
    return {"kind": kind.strip(), "tiles": tiles.strip()} if colon else text


def score_command(rules: Rules, texts: HandTexts, *, explain: bool, as_json: bool) -> int:
    """Print the score of a hand; the exit code is 1 if the hand cannot be read, and 0 for a hand that does not win."""
    try:
        if explain:
            explanation = rules.explain(texts.case())
            result, lines = explanation_json(explanation), explanation_lines(explanation, rules.data)
        else:
            score = rules.score_case(texts.case())
            result, lines = score.as_json(), headed(rules, score_lines(score, rules.data))
    except CaseError as error:
        show_problems([error.problem])
        return PROBLEMS
    if as_json:
        sys.stdout.write(json.dumps(result, ensure_ascii=False) + "\n")
    else:
        show(lines)
    return FINE


def headed(rules: Rules, lines: Iterator[Text]) -> Iterator[Text]:
    """The lines under the name of the ruleset and its mods."""
    name = rules.data.name.get("en") or rules.data.id
    yield Text(name, "bold") + Text("".join(f" + {mod}" for mod in rules.data.mods), "dim")
    yield from lines
