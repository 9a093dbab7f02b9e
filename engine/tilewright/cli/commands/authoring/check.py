"""Find every mistake in rules, cards and case files.

With --coverage also what the examples, cases and plays of rulesets reach, and where nothing does; with --tried
which of them ran under which rules, and why others did not. A comment `# tilewright: ignore[CODE]` in a line, or above
it, ignores a warning or a failing example there.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tilewright.authoring.open_rules import CannotBegin, RulesChoice
from tilewright.cli.arguments import FailOn, Mods, ProblemFormat, ProblemJson, Sets
from tilewright.cli.check_files import check_each, files_of
from tilewright.cli.checks.report import CheckReport
from tilewright.cli.command import command
from tilewright.cli.jobs.run import results

if TYPE_CHECKING:
    from tilewright.cli.checks.known import KnownReport


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
        bool,
        typer.Option(
            "--update",
            help="Write what cases now give, after asking, also inherited ones.",
        ),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --update: write without asking.")] = False,
    baseline: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Do not report the problems that are in this file.")
    ] = None,
    write_baseline: Annotated[
        bool, typer.Option("--write-baseline", help="Write the problems there are to the file of --baseline.")
    ] = False,
    jobs: Annotated[int, typer.Option(metavar="J", min=1, max=64, help="The number of processes.")] = 1,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Check what has not changed since an earlier check, too.")
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
    reports = [*reports_of(choices, coverage, fail_under, tried)]
    files = files_of(paths)
    if update:
        from tilewright.cli.checks.update import update_cases

        update_cases(files, choices, yes)
    known = None if baseline is None else known_at(baseline, write_baseline)
    reports += [known] if known is not None else []
    found = results(files, choices, jobs, not no_cache)
    if known is not None:
        found = (replace(one, problems=known.new(one.problems)) for one in found)
    code = check_each(files, found, "json" if json else format, fail_on, reports)
    if known is not None:
        known.write()
    return code


# --- what only some checks need is imported for them


def reports_of(choices: RulesChoice, coverage: bool, fail_under: float | None, tried: bool) -> Iterator[CheckReport]:
    """The reports that are asked for."""
    if coverage:
        from tilewright.cli.checks.coverage import CoverageReport

        yield CoverageReport(choices, fail_under)
    if tried:
        from tilewright.cli.checks.tried import TriedReport

        yield TriedReport(choices)


def known_at(baseline: Path, write: bool) -> "KnownReport":
    """The problems of a file that are not reported."""
    from tilewright.cli.checks.known import KnownReport

    return KnownReport.at(baseline, write)
