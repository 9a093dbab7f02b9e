"""The command that checks: paths in, every problem of them printed."""

import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from tilewright.authoring.open_rules import CannotBegin, RulesChoice
from tilewright.authoring.project import paths_or_project
from tilewright.cli.arguments import FailOn, Mods, ProblemFormat, ProblemJson, Sets
from tilewright.cli.check_files import CheckReport, CheckResult, check_each, check_in_project, files_of
from tilewright.cli.check_jobs import results
from tilewright.cli.command import FINE, command
from tilewright.language.documents.former import OldName
from tilewright.presentation.console import show

if TYPE_CHECKING:
    from tilewright.cli.check_reports import KnownReport


@command("check")
def check(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH",
            default_factory=list,
            show_default=False,
            help="Rulesets, mods, cards, case files, folders of them, bundled ids; - is stdin. By default those of "
            "tilewright.toml.",
        ),
    ],
    *,
    format: ProblemFormat = "text",
    json: ProblemJson = False,
    fail_on: FailOn = "error",
    own: Annotated[
        bool, typer.Option("--own", help="Try the examples and cases that each file has itself, not inherited ones.")
    ] = False,
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
    watch: Annotated[
        bool, typer.Option("--watch", help="Check again what changes, and what depends on it, until Ctrl-C.")
    ] = False,
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
    """Find every mistake in rules, cards and case files.

    With --coverage also what the examples, cases and plays of rulesets reach, and where nothing does; with --tried
    which of them ran under which rules, and why others did not. A comment `# tilewright: ignore[CODE] reason` in a
    line, or above it, ignores a warning or a failing example there. A file tilewright.toml says what is checked, with
    which mods and how severely.
    """
    if fail_under is not None and not coverage:
        raise CannotBegin("--fail-under needs --coverage")
    if yes and not update:
        raise CannotBegin("--yes needs --update")
    if write_baseline and baseline is None:
        raise CannotBegin("--write-baseline needs --baseline FILE")
    if watch and (coverage or tried or update or write_baseline or json or format != "text"):
        raise CannotBegin("--watch prints problems as text, and nothing else")
    choices = RulesChoice.of(set_, mod)
    reports = [*reports_of(choices, coverage, fail_under, tried)]
    named = paths_or_project(paths)
    files = files_of(named)
    if update:
        from tilewright.cli.check_update import update_cases

        update_cases(files, choices, yes)
    known = None if baseline is None else known_at(baseline, write_baseline)
    reports += [known] if known is not None else []
    warnings.simplefilter("ignore", OldName)  # they are among the problems
    if watch:
        return check_again_and_again(lambda: files_of(named), partial(check_known, choices, own, known), fail_on)
    found = results(files, choices, own=own, jobs=jobs, cached=not no_cache)
    if known is not None:
        found = (replace(one, problems=known.new(one.problems)) for one in found)
    code = check_each(files, found, "json" if json else format, fail_on, reports)
    if known is not None:
        known.write()
    return code


def check_known(choices: RulesChoice, own: bool, known: "KnownReport | None", file: str) -> CheckResult:
    """All problems of a file but known ones."""
    checked = check_in_project(file, choices, own=own)
    return checked if known is None else replace(checked, problems=known.new(checked.problems))


# --- what only some checks need is imported for them


def check_again_and_again(find: Callable[[], list[str]], check_one: Callable[[str], CheckResult], fail_on: str) -> int:
    """Check files, and again those that depend on what changes. Ends with Ctrl-C."""
    from tilewright.cli.check_jobs import Watch

    watch = Watch(find, check_one)
    for files in watch.rounds():
        check_each(files, map(watch.check, files), "text", fail_on)
        show([Text("watching; Ctrl-C ends", "dim")])
    return FINE


def reports_of(choices: RulesChoice, coverage: bool, fail_under: float | None, tried: bool) -> Iterator[CheckReport]:
    """The reports that are asked for."""
    if coverage:
        from tilewright.cli.check_reports import CoverageReport

        yield CoverageReport(choices, fail_under)
    if tried:
        from tilewright.cli.check_reports import TriedReport

        yield TriedReport(choices)


def known_at(baseline: Path, write: bool) -> "KnownReport":
    """The problems of a file that are not reported."""
    from tilewright.cli.check_reports import KnownReport

    return KnownReport.at(baseline, write)
