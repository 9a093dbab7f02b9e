"""The command that works out an expression in a hand."""

from typing import Annotated

import typer

from tilewright.authoring.open_rules import RulesChoice, opened
from tilewright.cli.arguments import AsJson, HandNotation, Mods, RulesetName, Sets
from tilewright.cli.case_options import CaseOptions, case_of, reporting, with_case
from tilewright.cli.command import FINE, command
from tilewright.cli.output import print_json
from tilewright.presentation.console import show
from tilewright.presentation.names import RulesetNames
from tilewright.presentation.scores import evaluation_json, evaluation_lines, headed
from tilewright.scoring.evaluation import evaluate_in_hand


@command("eval")
@with_case(won=True)
def eval(
    given: CaseOptions,
    ruleset: RulesetName,
    expression: Annotated[
        str,
        typer.Argument(
            metavar="EXPR", help="An expression, `waits == 1`, or tests in braces, `{suits: 1, wait: [edge]}`."
        ),
    ],
    *,
    hand: Annotated[str, typer.Option(metavar="TILES", help="The concealed tiles without the winning one.")],
    notation: HandNotation = "codes",
    json: AsJson = False,
    set_: Sets,
    mod: Mods,
) -> int:
    """Work out an expression or a condition in a hand, each part with its value.

    Example: tilewright eval riichi "count(t in terminals for t in tiles) >= 3" --hand "123m 789p 99s EEE" --win 9s
    """
    choices = RulesChoice.of(set_, mod, notation)
    rules, whole = opened(ruleset, choices)
    with reporting():
        readings = evaluate_in_hand(rules, whole, expression, case_of({"hand": hand, **given}))
    if json:
        print_json(evaluation_json(readings))
    else:
        names = RulesetNames(rules.data)
        show(headed(names, evaluation_lines(readings, names), choices.labels))
    return FINE
