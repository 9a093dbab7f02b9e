"""The command that scores a hand, or a file of hands."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from tilewright.authoring.open_rules import RulesChoice, open_rules
from tilewright.base.problem import Problem
from tilewright.cli.arguments import AsJson, HandNotation, Mods, RulesetName, Sets
from tilewright.cli.case_options import CaseOptions, case_of, with_case
from tilewright.cli.command import FINE, PROBLEMS, command
from tilewright.cli.output import print_json, show_problems
from tilewright.cli.result_files import COLUMNS
from tilewright.presentation.console import show
from tilewright.presentation.names import RulesetNames
from tilewright.presentation.scores import explanation_json, explanation_lines, headed, score_lines
from tilewright.scoring.case_mistakes import CaseError


@command("score")
@with_case(won=True)
def score(
    given: CaseOptions,
    ruleset: RulesetName,
    *,
    hand: Annotated[
        str | None,
        typer.Option(metavar="TILES", help="The concealed tiles without the winning one; declared quads are --meld."),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show every reading, and why each pattern counts or not.")
    ] = False,
    cases: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="One case per line (.jsonl; - is stdin), or hands in columns (.parquet)."),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", metavar="FILE.parquet", help="With --cases FILE.parquet: write the scores here."),
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="With --cases: readable text instead of JSON lines.")] = False,
    jobs: Annotated[
        int, typer.Option("--jobs", metavar="J", min=1, max=64, help="With --cases: so many processes, for JSON lines.")
    ] = 1,
    notation: HandNotation = "codes",
    json: AsJson = False,
    set_: Sets,
    mod: Mods,
) -> int:
    """Score a hand, or a file of hands, itemised."""
    if (hand is None) == (cases is None):
        raise typer.BadParameter("give either --hand or --cases", param_hint="--hand / --cases")
    choices = RulesChoice.of(set_, mod, notation)
    if cases is None:
        return score_hand(ruleset, choices, {"hand": hand, **given}, explain=explain, as_json=json)
    if Path(cases).suffix.lower() in COLUMNS:
        from tilewright.cli.result_files import score_columns

        if notation != "codes":
            raise typer.BadParameter("columns of hands have tiles by number", param_hint="--notation")
        return score_columns(ruleset, choices, cases, out)
    if out is not None:
        raise typer.BadParameter("it is for --cases FILE.parquet", param_hint="--out")
    if json and text:
        raise typer.BadParameter("--json and --text exclude each other", param_hint="--json / --text")
    from tilewright.cli.score_cases import score_cases  # here: a hand alone needs no fast JSON

    return score_cases(ruleset, choices, cases, text=text, explain=explain, jobs=jobs)


def score_hand(ruleset: str, choices: RulesChoice, given: CaseOptions, *, explain: bool, as_json: bool) -> int:
    """Print the score of a hand; the exit code is 1 if the hand cannot be read."""
    rules = open_rules(ruleset, choices)
    names = RulesetNames(rules.data)
    try:
        case = case_of(given)
        score = rules.score_case(case)
        if explain:
            explanation = rules.explain(case)
            result, lines = explanation_json(explanation), explanation_lines(explanation, score, names)
        else:
            result, lines = score.as_json(), score_lines(score, names)
    except CaseError as error:
        show_problems([as_typed(error.problem)])
        return PROBLEMS
    if as_json:
        print_json(result)
    else:
        show(headed(names, lines, choices.labels))
        if "discarder" in case and "seat_wind" not in case and score.win:
            show([NOT_PAID], sys.stderr)
    return FINE


def as_typed(problem: Problem) -> Problem:
    """The problem with a hint for the command line instead of a case."""
    return replace(problem, hint=HINTS.get(problem.code, problem.hint))


NOT_PAID = "payments are unknown: --discarder gives who lost, and --seat-wind who won"
HINTS: Mapping[str, str] = {
    "no-winning-tile": "give --win TILE, or --not-won for a hand that did not win",
    "self-drawn-discard": "leave out --self-draw or --discarder",
}
