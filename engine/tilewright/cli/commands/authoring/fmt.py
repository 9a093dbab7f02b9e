"""Lay out rulesets, mods and cards as the bundled ones are.

Only spaces and blank lines change; every comment stays. Example: tilewright fmt . --check
"""

import sys
from difflib import unified_diff
from pathlib import Path
from typing import Annotated

import typer

from tilewright.authoring.format import format_text
from tilewright.authoring.open_rules import CannotBegin
from tilewright.authoring.project import paths_or_project
from tilewright.base.building import MAX_BYTES
from tilewright.base.document import bytes_of, text_of
from tilewright.base.files import write_whole
from tilewright.base.problem import Problem, RulesetError
from tilewright.cli.check_files import STDIN, belongs, files_in
from tilewright.cli.command import FINE, PROBLEMS, command
from tilewright.cli.output import show_problems

SUFFIXES = (".yaml", ".yml")


@command
def fmt(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH",
            default_factory=list,
            show_default=False,
            help="Files, and folders of them; - is stdin, written to stdout. By default those of tilewright.toml.",
        ),
    ],
    *,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; name the files that would change, and exit with 1.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Write nothing; print what would change, and exit with 1 if anything would.")
    ] = False,
) -> int:
    """Format files, each whole or not at all. A file that is no document is left as it was, and the exit code is 1."""
    changed, problems = 0, list[Problem]()
    for path in yaml_files(paths_or_project(paths)):
        try:
            before, after = both(path)
        except RulesetError as error:
            problems += error.problems
            continue
        if path == "-" and not (check or diff):
            sys.stdout.write(after)
        elif before != after:
            changed += 1
            report(path, before, after, diff=diff, only=check or diff)
    show_problems(problems)
    return PROBLEMS if problems or (changed and (check or diff)) else FINE


def yaml_files(paths: list[str]) -> list[str]:
    """The files that paths name, each once. Of a folder, those that `check` would read."""
    found = []
    for path in paths:
        where = Path(path)
        if where.is_dir():
            files = [str(file) for file in files_in(where) if file.suffix.lower() in SUFFIXES and belongs(file)]
            if not files:
                raise CannotBegin(f"no rulesets, mods or cards in YAML are in {path}")
            found += files
        elif path == "-" or where.exists():
            found.append(path)
        else:
            raise CannotBegin(f"there is no file {path}", "bundled documents are not formatted by their ids")
    return list(dict.fromkeys(found))


def both(path: str) -> tuple[str, str]:
    """The text of a file, and the same formatted. Raises RulesetError if it is no document."""
    if path == "-":
        text = text_of(sys.stdin.buffer.read(MAX_BYTES + 1), STDIN)
        return text, format_text(text, STDIN)
    if Path(path).suffix.lower() not in SUFFIXES:
        raise RulesetError([Problem("not-yaml", f"{path} is not YAML", None, "only .yaml and .yml are formatted")])
    content = bytes_of(Path(path), path)
    after = format_text(text_of(content, path), path)
    return content.decode("utf-8"), after


def report(path: str, before: str, after: str, *, diff: bool, only: bool) -> None:
    """Write a file that changes, unless `only` that is asked, and say so."""
    name = STDIN if path == "-" else path
    if not only:
        write_whole(Path(path), after)
    if diff:
        lines = unified_diff(before.splitlines(), after.splitlines(), name, name, lineterm="")
        sys.stdout.writelines(f"{line}\n" for line in lines)
    else:
        print(f"{'would format' if only else 'formatted'} {name}")
