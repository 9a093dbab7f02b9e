"""`score --hand`: the texts of one hand in, its score or its explanation on the screen. Knows no rule."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tilewright.authoring.open_rules import show_problems
from tilewright.base.problem import Problem
from tilewright.presentation.console import show
from tilewright.presentation.exits import FINE, PROBLEMS
from tilewright.presentation.explanations import explanation_json, explanation_lines
from tilewright.presentation.scores import headed, score_lines
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
    marks: tuple[str, ...] = ()
    discarder: str | None = None
    not_won: bool = False

    def case(self) -> dict[str, Any]:
        """The same as a case; what was not said is left out. Raises CaseError."""
        said = {
            "hand": self.hand,
            "melds": [meld_of(text) for text in self.melds],
            "win_tile": self.win,
            "bonus": self.bonus,
            "seat_wind": self.seat_wind,
            "round_wind": self.round_wind,
            "flags": list(self.flags),
            "marks": dict(map(mark_of, self.marks)),
            "discarder": self.discarder,
            "self_draw": self.self_draw,
            "winner": not self.not_won,
        }
        return {key: value for key, value in said.items() if value is not None}


def meld_of(text: str) -> str | dict[str, str]:
    """A meld as a case has it: `444p` as it is, `kind:4444p` with its kind."""
    kind, colon, tiles = text.partition(":")
    return {"kind": kind.strip(), "tiles": tiles.strip()} if colon else text


def mark_of(text: str) -> tuple[str, str | int | bool]:
    """A mark with its value: `lucky=5s`, `counters=2`, `ready=true`. Raises CaseError."""
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        raise CaseError("wrong-marks", f"--mark {text} has no value", "for instance --mark NAME=5s")
    if value in TRUTHS:
        return name, TRUTHS[value]
    return name, int(value) if value.isdecimal() and len(value) <= LONGEST_NUMBER else value


def score_command(rules: Rules, texts: HandTexts, said: Sequence[str] = (), *, explain: bool, as_json: bool) -> int:
    """Print the score of a hand, under the settings that were said; the exit code is 1 if the hand cannot be read, and
    0 for a hand that does not win."""
    try:
        if explain:
            explanation, score = rules.explain(texts.case()), rules.score_case(texts.case())
            result, lines = explanation_json(explanation), explanation_lines(explanation, score, rules.data)
        else:
            score = rules.score_case(texts.case())
            result, lines = score.as_json(), score_lines(score, rules.data)
    except CaseError as error:
        show_problems([as_typed(error.problem)])
        return PROBLEMS
    if as_json:
        sys.stdout.write(json.dumps(result, ensure_ascii=False) + "\n")
    else:
        show(headed(rules.data, lines, said))
        if texts.discarder and not texts.seat_wind and score.win:
            show([NOT_PAID], sys.stderr)
    return FINE


def as_typed(problem: Problem) -> Problem:
    """The problem with the way out that the command line has, where a case has another."""
    return replace(problem, hint=HINTS.get(problem.code, problem.hint))


TRUTHS = {"true": True, "false": False}
LONGEST_NUMBER = 18  # digits
NOT_PAID = "who pays is not told: --discarder says who lost, and --seat-wind has to say who won"
HINTS: Mapping[str, str] = {
    "no-winning-tile": "say --win TILE, or --not-won for a hand that did not win",
    "self-drawn-discard": "leave out --self-draw or --discarder",
}
