"""`waits`: a hand in; the tiles that win, those that bring it nearer, or the best discards, on the screen.

Knows no rule.
"""

import json
import sys
from collections.abc import Sequence

from tilewright.authoring.open_rules import show_problems
from tilewright.cli.score import HandTexts
from tilewright.presentation.advice.waits import waits_json, waits_lines
from tilewright.presentation.console import show
from tilewright.presentation.exits import FINE, PROBLEMS
from tilewright.presentation.scores import headed
from tilewright.scoring.case import CaseError
from tilewright.scoring.rules import Rules


def waits_command(rules: Rules, texts: HandTexts, seen: str, said: Sequence[str] = (), *, as_json: bool) -> int:
    """Print the waits of a hand, under the settings that were said; the exit code is 1 if the hand cannot be read."""
    try:
        waits = rules.waits(**texts.case(), seen=seen)
    except CaseError as error:
        show_problems([error.problem])
        return PROBLEMS
    if as_json:
        sys.stdout.write(json.dumps(waits_json(waits), ensure_ascii=False) + "\n")
    else:
        show(headed(rules.data, waits_lines(waits, rules.data), said))
    return FINE


# --- for programs


# --- for people
