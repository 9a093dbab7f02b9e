"""Show which tiles win and what each is worth, or what to draw or to discard before that."""

from tilewright.authoring.open_rules import RulesChoice, open_rules
from tilewright.cli.arguments import AsJson, HandNotation, HandText, Mods, RulesetName, Seen, Sets
from tilewright.cli.case_options import CaseOptions, case_of, reporting, with_case
from tilewright.cli.command import FINE, command
from tilewright.cli.output import print_json
from tilewright.presentation.advice.waits import waits_json, waits_lines
from tilewright.presentation.console import show
from tilewright.presentation.names import RulesetNames
from tilewright.presentation.scores import headed


@command
@with_case(won=False)
def waits(
    given: CaseOptions,
    ruleset: RulesetName,
    *,
    hand: HandText,
    seen: Seen = "",
    notation: HandNotation = "codes",
    json: AsJson = False,
    set_: Sets,
    mod: Mods,
) -> int:
    """Print the waits of a hand; the exit code is 1 if the hand cannot be read."""
    choices = RulesChoice.of(set_, mod, notation)
    rules = open_rules(ruleset, choices)
    with reporting():
        found = rules.waits(hand, **case_of(given), seen=seen)
    if json:
        print_json(waits_json(found))
    else:
        names = RulesetNames(rules.data)
        show(headed(names, waits_lines(found, names), choices.labels))
    return FINE
