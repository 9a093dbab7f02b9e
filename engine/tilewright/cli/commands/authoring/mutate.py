"""The command that looks for what no example of a ruleset proves."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.text import Text

from tilewright.authoring.mutation import MutationPlan, MutationResult, MutationWork
from tilewright.authoring.mutation import mutate as try_mutants
from tilewright.authoring.open_rules import RulesChoice, open_rules
from tilewright.cli.arguments import AsJson, Mods, RulesetName, Sets
from tilewright.cli.command import FINE, PROBLEMS, command
from tilewright.cli.output import print_json
from tilewright.cli.progress import progress_of
from tilewright.language.documents.library import path_of
from tilewright.presentation.console import counted, show


@command("mutate")
def mutate(
    ruleset: RulesetName,
    *,
    limit: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Try this many mutants, chosen by the seed; by default all.")
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(metavar="M", min=0, help="Stop after so many minutes, tried or not."),
    ] = None,
    hands: Annotated[
        int, typer.Option(metavar="N", min=0, max=100_000, help="How many hands are sampled for ranks and examples.")
    ] = 400,
    seed: Annotated[int, typer.Option(metavar="S", help="The seed of what is chosen and sampled.")] = 1,
    jobs: Annotated[int, typer.Option(metavar="J", min=1, max=256, help="The number of processes.")] = 1,
    fail_over: Annotated[
        float | None,
        typer.Option(metavar="PERCENT", min=0, max=100, help="Fail where more of the mutants survive."),
    ] = None,
    json: AsJson = False,
    set_: Sets,
    mod: Mods,
) -> int:
    """Find small changes to a ruleset that no example, case or play of it notices.

    Numbers, comparisons, `and` and `or`, `not`, worths, exclusions and defaults of options are changed one at a time.
    Those that survive come with a case that would notice them. Example: tilewright mutate my_rules.yaml --jobs 4
    --minutes 5
    """
    choices = RulesChoice.of(set_, mod)
    rules = open_rules(ruleset, choices)
    plan = MutationPlan(str(path_of(ruleset)), choices, limit, minutes, hands, seed, jobs)
    work = MutationWork(plan)
    with progress_of(len(work.mutants), "mutants") as progress:
        result = try_mutants(work, progress.update)
    if json:
        print_json(result_json(result), indent=2)
    else:
        show(result_lines(rules.data.id, result))
    return PROBLEMS if fail_over is not None and result.percent > fail_over else FINE


def result_lines(id: str, result: MutationResult) -> Iterator[Text | str]:
    """The survivors, each with its example, and how many there are."""
    for one in result.survivors:
        at = one.place
        changes = f"changes {one.changes} of {result.hands} hands" if one.changes else "changes no sampled hand"
        becomes = f"`{one.was}` becomes `{one.becomes}`" if one.becomes else f"without `{one.was}`"
        yield Text.assemble((f"{at.source.name}:{at.line}:{at.column}", "dim"), f" {one.path}: ", (becomes, "bold"))
        yield Text(f"  {changes}", "yellow" if one.changes else "dim")
        yield from (f"  {line}" for line in one.example.splitlines())
    left = f"; {counted(result.mutants - result.tried, 'mutant')} not tried" if result.tried < result.mutants else ""
    text = (
        f"{id}: {len(result.survivors)} of {counted(result.counted, 'mutant')} survive ({result.percent:.1f} %){left}"
    )
    yield Text(text, "bold yellow" if result.survivors else "bold green")


def result_json(result: MutationResult) -> dict[str, Any]:
    """The same for programs."""
    return {
        "mutants": result.mutants,
        "tried": result.tried,
        "invalid": result.invalid,
        "equivalent": result.equivalent,
        "hands": result.hands,
        "percent": round(result.percent, 1),
        "survivors": [
            {
                "file": one.place.source.name,
                "line": one.place.line,
                "column": one.place.column,
                "length": one.place.length,
                "path": one.path,
                "was": one.was,
                "becomes": one.becomes,
                "changes": one.changes,
                "example": one.example or None,
            }
            for one in result.survivors
        ],
    }
