"""Checking files: documents, cards, case files and folders of them in; every problem printed, and the exit code out.

Results are plain data, for a cache; reports say more of the files than their problems. Knows the kinds of files and
their order; the mistakes are found in the layers below.
"""

import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from rich.text import Text

from tilewright.authoring.case_files import first_line_of, kind_of_lines
from tilewright.authoring.findings import CASES, looks_like_a_card, tried
from tilewright.authoring.open_rules import CARD, CannotBegin, RulesChoice, cannot_begin_if_missing
from tilewright.authoring.project import project_above, with_project_mods
from tilewright.authoring.trials import Outcome, Untried
from tilewright.base.building import MAX_BYTES
from tilewright.base.garbage import collector_paused
from tilewright.base.node import Mapping
from tilewright.base.problem import Place, Problem, RulesetError, Source, has_errors
from tilewright.cli.command import FINE, PROBLEMS
from tilewright.cli.output import print_json, show_problems
from tilewright.language.check import MOST_NAMED, problems_of
from tilewright.language.documents.cards import read_processed
from tilewright.language.documents.companions import document_of
from tilewright.language.documents.fields import items, section
from tilewright.language.documents.library import (
    PLAIN,
    beginning_at,
    claims_to_be_ours,
    is_document,
    kind_at,
    path_of,
    read_document,
    shown,
)
from tilewright.language.documents.packs import lock_above
from tilewright.presentation.console import counted, show, table
from tilewright.presentation.problem_pages import pages

DASH = "-"  # the name of what is read from stdin


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A checked file. `kind`: as it declares; `contents`: how much of it was tried, in words; `examples`, `cases`: how
    many were; `notes`: what was not, and why."""

    name: str
    kind: str
    contents: str
    problems: tuple[Problem, ...]
    notes: tuple[Problem, ...] = ()
    examples: int = 0
    cases: int = 0


class CheckReport(Protocol):
    """A report about the files that were checked. `name`: its key in JSON."""

    name: str

    def add(self, file: str) -> None:
        """Take in a file that has no errors."""
        ...

    @property
    def fails(self) -> bool:
        """Whether the check fails for what the report found."""
        ...

    @property
    def notes(self) -> Iterable[Problem]:
        """What it found, as notes among the problems."""
        ...

    def lines(self) -> Iterable[Text | str]: ...
    def as_json(self) -> list[dict[str, Any]]: ...


# --- as data


def written_result(found: CheckResult, sources: dict[Source, int]) -> dict[str, Any]:
    """A result as data; `sources` gets the sources of its problems, numbered."""
    return {
        "name": found.name,
        "kind": found.kind,
        "contents": found.contents,
        "problems": [written_problem(one, sources) for one in found.problems],
        "notes": [written_problem(one, sources) for one in found.notes],
        "examples": found.examples,
        "cases": found.cases,
    }


def written_problem(one: Problem, sources: dict[Source, int]) -> list[Any]:
    place = one.place
    where = None
    if place is not None:
        where = [sources.setdefault(place.source, len(sources)), place.line, place.column, place.length]
    return [one.code, one.message, where, one.hint, one.severity]


def read_result(data: dict[str, Any], texts: Sequence[tuple[str, str]]) -> CheckResult:
    """The same of data."""
    sources = [Source(name, text) for name, text in texts]
    problems, notes = ([read_problem(one, sources) for one in data.pop(name)] for name in ("problems", "notes"))
    return CheckResult(**data, problems=tuple(problems), notes=tuple(notes))


def read_problem(data: list[Any], sources: Sequence[Source]) -> Problem:
    code, message, where, hint, severity = data
    place = None
    if where is not None:
        source, *position = where
        place = Place(sources[source], *position)
    return Problem(code, message, place, hint, severity)


# --- checking


STDIN = "stdin"
OTHER_RULES = ("unknown-ruleset", "other-ruleset", "undisclosed-deal")  # why a log is passed by


def check_each(
    files: Sequence[str],
    results: Iterable[CheckResult],
    format: str,
    fail_on: str,
    reports: Sequence[CheckReport] = (),
) -> int:
    """Print the problems of files in the requested format, as they are checked, and the reports; 1 if any of them
    fails. `results`: of these files."""
    checked: list[CheckResult] = []
    problems: dict[Problem, None] = {}  # each once: a broken ruleset breaks its case files
    for file, result in zip(files, results, strict=True):
        checked.append(result)
        if format == "text":
            show_problems([one for one in checked[-1].problems if one not in problems])
        problems |= dict.fromkeys(checked[-1].problems)
        if not has_errors(checked[-1].problems):
            for report in reports:
                report.add(file)
    if format == "text":
        show([*summary(checked, list(problems)), *(line for report in reports for line in report.lines())])
    else:
        show_for_programs(checked, list(problems), format, reports)
    failing = [one for one in problems if one.severity == "error" or (fail_on, one.severity) == ("warning", "warning")]
    return PROBLEMS if failing or any(report.fails for report in reports) else FINE


def show_for_programs(
    checked: Sequence[CheckResult], problems: Sequence[Problem], format: str, reports: Sequence[CheckReport]
) -> None:
    """Print the problems, with what reports found: in JSON beside them, otherwise as notes among them."""
    from tilewright.presentation.problems import as_json, in_order, render

    found = [*problems, *dict.fromkeys(note for file in checked for note in file.notes)]
    if reports and format == "json":
        told = {report.name: report.as_json() for report in reports}
        print_json({"problems": list(map(as_json, in_order(found))), **told}, indent=2)
        return
    more = dict.fromkeys(note for report in reports for note in report.notes)
    sys.stdout.write(render([*found, *more], format, [file.name for file in checked]))


# --- which files


def files_of(paths: Sequence[str]) -> list[str]:
    """The files that paths name, each once, in order: files, those in folders, bundled ids, `-`."""
    return list(dict.fromkeys(file for path in paths for file in files_at(path)))


def files_at(path: str) -> Iterator[str]:
    where = Path(path)
    if where.is_dir():
        found = [str(file) for file in files_in(where) if belongs(file) and document_of(file) == file]
        if not found:
            raise CannotBegin(f"no rules, no cards and no cases are in {path}")
        yield from found
    elif path == DASH or where.is_file():
        yield path
    else:
        try:
            yield str(path_of(path))
        except RulesetError as error:
            raise cannot_begin_if_missing(error) from None


def files_in(folder: Path) -> Iterator[Path]:
    """The files of a folder and of those in it, in order, but for hidden ones and those of packs that were added."""
    for file in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
        if not hidden and file.is_file() and lock_above(file) is None:
            yield file


def belongs(file: Path) -> bool:
    """Whether a file of a folder is checked: documents, cards and case files are, other texts and YAML are not."""
    if file.suffix.lower() == CASES or is_plain_card(file):
        return True
    return is_document(file) and is_ours_or_unreadable(file)


def is_ours_or_unreadable(file: Path) -> bool:
    """Whether a check of a file of YAML finds something: what cannot be read is an error."""
    try:
        return claims_to_be_ours(beginning_at(file))
    except RulesetError:
        return True


def is_card(file: Path) -> bool:
    """Whether a file in a folder is a card, plain text or YAML."""
    return is_plain_card(file) or (is_document(file) and kind_at(file) == CARD)


def is_plain_card(file: Path) -> bool:
    """Whether a text, of whatever contents, looks like a card."""
    if file.suffix.lower() not in PLAIN:
        return False
    try:
        return looks_like_a_card(beginning_at(file))
    except RulesetError:
        return True


# --- one file


def check_in_project(file: str, choices: RulesChoice, *, own: bool) -> CheckResult:
    """All problems of a file, as its project has them. `own`: inherited examples and cases are not tried."""
    where = Path(file) if file != DASH else Path("stdin")
    try:
        project, chosen = project_above(where), with_project_mods(where, choices)
    except RulesetError as error:
        return CheckResult(file, "", "", error.problems)
    checked = check_file(file, chosen, own=own)
    return replace(checked, problems=tuple(project.graded(checked.problems)))


def check_file(file: str, choices: RulesChoice, *, own: bool = False) -> CheckResult:
    """All problems of a document or a case file, whatever its project says."""
    if file == DASH:
        return check_stdin(choices, own=own)
    if file.lower().endswith(CASES):
        kind = kind_of_lines(first_line_of(Path(file)))
        if kind != "cases":
            return (
                check_log(file) if kind == "log" else CheckResult(file, kind, "of simulated games: nothing to try", ())
            )
        found = tried(Path(file), (), choices)
        return CheckResult(file, "cases", counted(found.cases, "case"), found.problems, cases=found.cases)
    if not is_document(Path(file)) or kind_at(Path(file)) == CARD:
        return check_card(Path(file))
    return check_document(Path(file), choices, own=own)


def check_log(file: str) -> CheckResult:
    """Whether a log is what was played; one of rules that are not here as they were is passed by."""
    from tilewright.cli.replaying import replayed

    done = replayed(file)
    if done.wrong is None:
        return CheckResult(file, "log", f"{counted(len(done.hands), 'hand')}, as played", ())
    problem = done.wrong.problem
    if problem.code not in OTHER_RULES:
        return CheckResult(file, "log", "", (problem,))
    note = Problem("not-tried", f"the log was not replayed: {problem.message}", problem.place, problem.hint, "note")
    return CheckResult(file, "log", f"not replayed: {problem.message}", (), (note,))


def check_stdin(choices: RulesChoice, *, own: bool) -> CheckResult:
    """The document or the plain-text card on stdin, which its problems name instead of a file."""
    content = sys.stdin.buffer.read(MAX_BYTES + 1)
    text = content[:MAX_BYTES].decode("utf-8", "replace")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / ("stdin.txt" if looks_like_a_card(text) and not claims_to_be_ours(text) else "stdin.yaml")
        file.write_bytes(content)
        checked = check_file(str(file), choices, own=own)
        problems, notes = (tuple(renamed(p, str(file)) for p in found) for found in (checked.problems, checked.notes))
        return replace(checked, name=STDIN, problems=problems, notes=notes)


def renamed(problem: Problem, file: str) -> Problem:
    place = problem.place
    if place is None or place.source.name != file:
        return problem
    return replace(problem, place=replace(place, source=replace(place.source, name=STDIN)))


def check_card(path: Path) -> CheckResult:
    """The problems of a card, line by line."""
    try:
        processed, problems = read_processed(path)
    except RulesetError as error:
        return CheckResult(shown(path), CARD, "", error.problems)
    contents = f"{counted(len(processed.lines), 'line')}, {counted(processed.count, 'hand')}"
    return CheckResult(shown(path), CARD, contents, tried(path, problems).problems)


@collector_paused()
def check_document(path: Path, choices: RulesChoice, *, own: bool = False) -> CheckResult:
    """Static problems; if there are no errors, examples and cases as well."""
    kind = kind_at(path)
    found = tried(path, problems_of(path), choices, own=own)
    contents, notes, done = "", list[Problem](), found.outcomes
    if done:
        contents = contents_of(kind, done)
        notes = list(dict.fromkeys(not_tried(left) for one in done for left in one.untried))
    elif kind == "base" and not has_errors(found.problems):
        contents, notes = of_base(path)
    examples, cases = (sum(counts) for counts in ([one.examples for one in done], [one.cases for one in done]))
    return CheckResult(shown(path), kind, contents, found.problems, tuple(notes), examples, cases)


def of_base(path: Path) -> tuple[str, list[Problem]]:
    """The number of examples and cases of a base, which are tried elsewhere."""
    document = read_document(path)
    patterns, cases = section(document, "patterns"), section(document, "cases")
    count = sum(len(items(node.get("examples"))) for _, node in patterns.items() if isinstance(node, Mapping))
    if not count and not cases.entries:
        return "", []
    text = f"{tried_in_words(count, len(cases.entries))}, tried with the rulesets that extend it"
    return text, [Problem("not-tried", text, document.key("id").place, severity="note")]


def not_tried(one: Untried) -> Problem:
    """Examples were not tried, and why."""
    examples = counted(one.count, "example") + (" was" if one.count == 1 else " were")
    return Problem("not-tried", f"{examples} not tried: {one.reason}", one.place, severity="note")


def contents_of(kind: str, found: Sequence[Outcome]) -> str:
    """How many patterns, examples and cases were tried, and how many were not, and why."""
    tried = tried_in_words(sum(one.examples for one in found), sum(one.cases for one in found))
    left = [left for one in found for left in one.untried]
    reasons = list(dict.fromkeys(one.reason for one in left))
    more = [f"{len(reasons) - MOST_NAMED} more"] if len(reasons) > MOST_NAMED else []
    why = f"; {sum(one.count for one in left)} not tried ({', '.join(reasons[:MOST_NAMED] + more)})" if left else ""
    noun, number = ("pattern", found[0].patterns) if kind == "ruleset" else ("ruleset", len(found))
    return f"{counted(number, noun)}, {tried}{why}"


def tried_in_words(examples: int, cases: int) -> str:
    """How many examples and cases."""
    found = [counted(count, noun) for count, noun in ((examples, "example"), (cases, "case")) if count]
    return " and ".join(found) or "no examples or cases"


# --- output


def summary(checked: Sequence[CheckResult], problems: Sequence[Problem]) -> Iterator[Text]:
    """A line for each file and a summary."""
    yield from table([summary_row(file) for file in checked])
    counts = {level: sum(problem.severity == level for problem in problems) for level in ("error", "warning", "note")}
    errors, warnings = counts["error"], counts["warning"]
    found = [counted(n, noun) for noun, n in counts.items() if n]
    style = "bold red" if errors else "bold yellow" if warnings else "bold green"
    words = tried_in_words(sum(one.examples for one in checked), sum(one.cases for one in checked))
    tried = "" if all(one.kind == CARD for one in checked) else f", {words} tried"
    yield Text(f"{counted(len(checked), 'file')} checked{tried}: {', '.join(found) or 'no problems'}", style)
    if known := [one.code for one in sorted(problems, key=lambda one: one.severity != "error") if one.code in pages()]:
        yield Text(f"tilewright explain {known[0]} says more", "dim")


def summary_row(file: CheckResult) -> list[Text | str]:
    errors = any(problem.severity == "error" for problem in file.problems)
    sign = Text("✗", "red") if errors else Text("!", "yellow") if file.problems else Text("✓", "green")
    return [sign, file.name, Text(file.kind, "dim"), Text(file.contents, "dim")]
