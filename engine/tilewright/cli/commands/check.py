"""Find every mistake in rules, cards and case files."""

from functools import partial
from typing import Annotated

import typer

from tilewright.authoring.open_rules import RulesChoice
from tilewright.cli.arguments import FailOn, Mods, ProblemFormat, ProblemJson, Sets
from tilewright.cli.check_files import check_each, check_file, files_of
from tilewright.cli.command import command


@command
def check(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH", help="Rulesets, mods, cards, case files, folders of them, bundled ids; - is stdin."
        ),
    ],
    *,
    format: ProblemFormat = "text",
    json: ProblemJson = False,
    fail_on: FailOn = "error",
    set_: Sets,
    mod: Mods,
) -> int:
    """Check the files and print their problems."""
    check_one = partial(check_file, choices=RulesChoice.of(set_, mod))
    return check_each(files_of(paths), check_one, "json" if json else format, fail_on)
