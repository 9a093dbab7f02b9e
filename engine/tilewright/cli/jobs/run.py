"""Jobs: files in; their results out in the same order, from the cache or checked now, by one process or several.

The results do not depend on the number of processes. On a terminal a line shows what is being checked.
"""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext

from tilewright.authoring.open_rules import RulesChoice
from tilewright.base.files import without_entries
from tilewright.cli.checks.results import CheckResult
from tilewright.cli.jobs.kept import KeptResults
from tilewright.cli.progress import passing_line


def results(
    files: Sequence[str], choices: RulesChoice, *, own: bool = False, jobs: int, cached: bool
) -> Iterator[CheckResult]:
    """The result of each file. `own`: inherited examples and cases are not tried; `cached`: earlier results and
    rulesets are used, and those of now are kept."""
    with nullcontext() if cached else without_entries():
        kept = KeptResults(choices, own)
        known = {file: found for file in files if (found := kept.recalled(file)) is not None}
        todo = [file for file in files if file not in known]
        checked: Iterator[CheckResult] = map(kept.checked_now, todo)
        if jobs > 1 and len(todo) > 1:
            from tilewright.cli.jobs.processes import together  # imported here: most checks need one process

            checked = together(todo, kept, jobs, cached)
        for number, file in enumerate(files, 1):
            with passing_line(f"{number} of {len(files)}: {file}"):
                result = known[file] if file in known else next(checked)
            yield result
