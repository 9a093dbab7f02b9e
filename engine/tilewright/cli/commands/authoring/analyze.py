"""The command that looks for what may be wrong with patterns and options."""

from collections.abc import Mapping
from typing import Annotated

import typer

from tilewright.authoring.analysis import AnalysisBudget
from tilewright.authoring.analysis import analyze as analyzed
from tilewright.authoring.analysis_lines import AnalysisLines
from tilewright.authoring.open_rules import RulesChoice, open_rules
from tilewright.cli.arguments import AsJson, Mods, RulesetName, Sets, TextLanguage
from tilewright.cli.command import FINE, command
from tilewright.cli.output import print_json
from tilewright.cli.progress import progress_of
from tilewright.language.load import Elaborated, load_elaborated
from tilewright.presentation.console import show
from tilewright.rulebook.changes import parts_that_differ


@command("analyze")
def analyze(
    ruleset: RulesetName,
    *,
    seconds: Annotated[float, typer.Option(metavar="S", min=0, max=86_400, help="Stop after so many seconds.")] = 30,
    hands: Annotated[
        int, typer.Option(metavar="N", min=0, max=10_000_000, help="Sample so many hands, if there is time.")
    ] = 100_000,
    seed: Annotated[int, typer.Option(metavar="S", min=0, help="The seed of the hands.")] = 1,
    json: AsJson = False,
    lang: TextLanguage,
    set_: Sets,
    mod: Mods,
) -> int:
    """Look for what may be wrong with patterns and options, with a budget of time.

    Patterns that no hand can have or none had, that always come with another one, or whose worth does not go with how
    rarely they come in hands dealt at random; options that make no difference. None of it needs to be a mistake.
    Example: tilewright analyze my_rules.yaml --seconds 60
    """
    choices = RulesChoice.of(set_, mod)
    open_rules(ruleset, choices)  # says what is missing

    def opens(options: Mapping[str, str]) -> Elaborated:
        return load_elaborated(ruleset, {**choices.settings, **options}, choices.mods)

    opened = opens({})
    with progress_of(hands + len(opened.merged.options), "hands and options") as progress:
        found = analyzed(opens, parts_that_differ, AnalysisBudget(hands, seconds, seed), progress.update)
    lines = AnalysisLines(found, opened, lang)
    if json:
        print_json(lines.as_json(), indent=2)
    else:
        show(lines.lines())
    return FINE
