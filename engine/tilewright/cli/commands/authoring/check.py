"""Find every mistake in rules, cards and case files.

With --coverage also what the examples, cases and plays of rulesets reach, and where nothing does; with --tried
which of them ran under which rules, and why others did not. A comment `# tilewright: ignore[CODE]` in a line, or above
it, ignores a warning or a failing example there.
"""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from tilewright.authoring.open_rules import CannotBegin, RulesChoice
from tilewright.cli.arguments import FailOn, Mods, ProblemFormat, ProblemJson, Sets
from tilewright.cli.check_files import CheckResult, check_each, check_file, files_of
from tilewright.cli.checks.coverage import CoverageReport
from tilewright.cli.checks.known import KnownReport
from tilewright.cli.checks.report import CheckReport
from tilewright.cli.checks.tried import TriedReport
from tilewright.cli.checks.update import update_cases
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
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Show what the examples, cases and plays of rulesets and mods reach.")
    ] = False,
    fail_under: Annotated[
        float | None,
        typer.Option(
            metavar="PERCENT", min=0, max=100, help="With --coverage: fail where less of a ruleset is reached."
        ),
    ] = None,
    tried: Annotated[
        bool,
        typer.Option("--tried", help="List the rules that every example and case ran under, also inherited ones."),
    ] = False,
    update: Annotated[
        bool, typer.Option("--update", help="Write what the cases of rulesets and mods now give, after asking.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --update: write without asking.")] = False,
    baseline: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Do not report the problems that are in this file.")
    ] = None,
    write_baseline: Annotated[
        bool, typer.Option("--write-baseline", help="Write the problems there are to the file of --baseline.")
    ] = False,
    set_: Sets,
    mod: Mods,
) -> int:
    """Check the files and print their problems."""
    if fail_under is not None and not coverage:
        raise CannotBegin("--fail-under needs --coverage")
    if yes and not update:
        raise CannotBegin("--yes needs --update")
    if write_baseline and baseline is None:
        raise CannotBegin("--write-baseline needs --baseline FILE")
    choices = RulesChoice.of(set_, mod)
    reports: list[CheckReport] = [CoverageReport(choices, fail_under)] if coverage else []
    reports += [TriedReport(choices)] if tried else []
    files = files_of(paths)
    if update:
        update_cases(files, choices, yes)
    known = None if baseline is None else KnownReport.at(baseline, write_baseline)
    reports += [known] if known is not None else []

    def check_one(file: str) -> CheckResult:
        checked = check_file(file, choices)
        return checked if known is None else replace(checked, problems=known.new(checked.problems))

    code = check_each(files, check_one, "json" if json else format, fail_on, reports)
    if known is not None:
        known.write()
    return code
