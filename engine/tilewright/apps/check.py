"""`check`: documents, cards, case files and folders of them in; every problem out, and the exit code.

Knows which kinds of files there are and in what order they are looked at; the mistakes are found in the layers below.
"""

import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path

from rich.text import Text

from tilewright.apps.case_file import CaseFile
from tilewright.apps.exits import FINE, PROBLEMS, Unusable
from tilewright.apps.opening import CARD, Choices, head, kind_at, show_problems, unusable_if_missing
from tilewright.apps.screen import counted, show, table
from tilewright.base.document import MAX_BYTES
from tilewright.base.problem import Problem, RulesetError
from tilewright.cards.faults import MOST_CHARACTERS
from tilewright.language.card_forms import read_processed
from tilewright.language.library import (
    PLAIN,
    SUFFIXES,
    is_document,
    kind_of,
    path_of,
    read_document,
    shown,
)
from tilewright.language.load import is_for, line_of, problems_of, rulesets_near
from tilewright.language.mods import listed
from tilewright.scoring.examples import Reopen, check_examples
from tilewright.scoring.rules import Rules, load

CASES = ".jsonl"
SCHEMAS = ".schema.json"
MARKED = re.compile(
    r"""^[\s{]*["']?(tilewright["']?\s*:|kind["']?\s*:\s*["']?(base|ruleset|mod|card)\b)""", re.MULTILINE
)
TITLE_ROW = re.compile(r"""[“”„‟"‘’'«»].*[“”"‘’'«»] ?(\(.*\))?""")  # of a card as plain text, over tiles
TILES_ROW = re.compile(r"([1-9DGR0FNEWSfnewsgrbamcdx+=|-] ?){8}")
ENDED_ROW = re.compile(r"(?=.*\d)([1-9DGR0FNEWSfnewsgrbamcdox+=|-] ?){10}.*[XC] ?\d{1,4}( ?\(.*\))?")
STDIN = "stdin"


@dataclass(frozen=True, slots=True)
class Checked:
    """A file with what was found in it. `kind`: as it says; `contents`: how much of it was tried out."""

    name: str
    kind: str
    contents: str
    problems: tuple[Problem, ...]


def check_command(paths: Sequence[str], format: str, fail_on: str, choices: Choices) -> int:
    """Check what the paths name and print what is found, in the format asked for."""
    return check_each(files_of(paths), partial(check_file, choices=choices), format, fail_on)


def check_each(files: Sequence[str], check: Callable[[str], Checked], format: str, fail_on: str) -> int:
    """Check files, one after the other, and print what is found."""
    checked = []
    for file in files:
        checked.append(check(file))
        if format == "text":
            show_problems(checked[-1].problems)
    problems = list(dict.fromkeys(problem for file in checked for problem in file.problems))
    if format == "text":
        show(summary(checked, problems))
    else:
        from tilewright.apps.report import render

        sys.stdout.write(render(problems, format, [file.name for file in checked]))
    failing = [problem for problem in problems if problem.severity == "error" or fail_on == "warning"]
    return PROBLEMS if failing else FINE


# --- which files


def files_of(paths: Sequence[str]) -> list[str]:
    """The files that paths name, each once, in order: files, those of folders, bundled ids, `-`."""
    return list(dict.fromkeys(file for path in paths for file in files_at(path)))


def files_at(path: str) -> Iterator[str]:
    where = Path(path)
    if where.is_dir():
        found = [str(file) for file in files_in(where) if belongs(file)]
        if not found:
            raise Unusable(f"no rules, no cards and no cases are in {path}")
        yield from found
    elif path == "-" or where.is_file():
        yield path
    else:
        try:
            yield str(path_of(path))
        except RulesetError as error:
            raise unusable_if_missing(error) from None


def files_in(folder: Path) -> Iterator[Path]:
    """The files of a folder and of those in it, in order, but for hidden ones."""
    for file in sorted(folder.rglob("*")):
        if not any(part.startswith(".") for part in file.relative_to(folder).parts) and file.is_file():
            yield file


def belongs(file: Path) -> bool:
    """In a folder, documents, cards and case files are looked at; other texts and other YAML are not."""
    if file.suffix == CASES or is_plain_card(file):
        return True
    return file.suffix in SUFFIXES and not file.name.endswith(SCHEMAS) and MARKED.search(head(file)) is not None


def is_card(file: Path) -> bool:
    """Whether a file in a folder is a card, plain text or YAML."""
    return is_plain_card(file) or (file.suffix in SUFFIXES and kind_at(file) == CARD and belongs(file))


def is_plain_card(file: Path) -> bool:
    """Whether a text, of whatever contents, looks like a card."""
    return file.suffix.lower() in PLAIN and looks_like_a_card(head(file))


def looks_like_a_card(text: str) -> bool:
    """Whether some line of a text stands as only cards have it; those of YAML have none."""
    rows = [row for line in text.splitlines() if (row := " ".join(line.split())) and len(row) <= MOST_CHARACTERS]
    titled = (TITLE_ROW.fullmatch(title) and TILES_ROW.match(row) for title, row in pairwise(rows))
    return any(ENDED_ROW.fullmatch(row) for row in rows) or any(titled)


# --- one file


def check_file(file: str, choices: Choices) -> Checked:
    """Everything that is wrong with a document or a case file."""
    if file == "-":
        return check_stdin(choices)
    if file.endswith(CASES):
        cases = CaseFile(Path(file), choices)
        problems = tuple(cases.problems())
        return Checked(file, "cases", counted(cases.cases, "case"), problems)
    if not is_document(Path(file)) or kind_at(Path(file)) == CARD:
        return check_card(Path(file))
    return check_document(Path(file), choices)


def check_stdin(choices: Choices) -> Checked:
    """The document or the plain-text card on stdin; its problems say so in place of a file name."""
    content = sys.stdin.buffer.read(MAX_BYTES + 1)
    text = content[:MAX_BYTES].decode("utf-8", "replace")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / ("stdin.txt" if looks_like_a_card(text) and not MARKED.search(text) else "stdin.yaml")
        file.write_bytes(content)
        checked = check_file(str(file), choices)
        return replace(checked, name=STDIN, problems=tuple(renamed(p, str(file)) for p in checked.problems))


def renamed(problem: Problem, file: str) -> Problem:
    place = problem.place
    if place is None or place.source.name != file:
        return problem
    return replace(problem, place=replace(place, source=replace(place.source, name=STDIN)))


def check_card(path: Path) -> Checked:
    """What is wrong with a card, line by line."""
    try:
        processed, problems = read_processed(path)
    except RulesetError as error:
        return Checked(shown(path), CARD, "", error.problems)
    contents = f"{counted(len(processed.lines), 'line')}, {counted(processed.count, 'hand')}"
    return Checked(shown(path), CARD, contents, problems)


def check_document(path: Path, choices: Choices) -> Checked:
    """Static problems; if there are no errors, examples and cases as well."""
    kind = kind_at(path)
    problems = list(problems_of(path))
    contents = ""
    if not any(problem.severity == "error" for problem in problems):
        try:
            tried = sources_tried(path, kind)
            for rules, reopen in trials(path, kind, choices):
                problems += tried_out(rules, reopen, tried)
                contents = contents_of(rules) if kind == "ruleset" else ""
        except RulesetError as error:
            problems += error.problems
    return Checked(shown(path), kind, contents, tuple(dict.fromkeys(problems)))


def sources_tried(path: Path, kind: str) -> set[str]:
    """The documents whose examples a check of this one tries: its own; and, with a ruleset, those of the bases that lie
    beside it. What stands in another ruleset, or below it, holds there and is tried there."""
    document = read_document(path)
    tried = {document.place.source.name}
    for where, below in line_of(path, document) if kind == "ruleset" else ():
        if below is not document and kind_of(below) == "ruleset":
            break
        if where.resolve().parent == path.resolve().parent:
            tried.add(below.place.source.name)
    return tried


def tried_out(rules: Rules, reopen: Reopen, sources: Set[str]) -> Iterator[Problem]:
    """What comes out otherwise than the examples and cases of these documents say."""
    yield from check_examples(rules, reopen, sources)
    if any("play" in entry.case for entry in rules.data.cases):
        from tilewright.play.cases import check_plays

        yield from check_plays(rules, reopen, sources)


def trials(path: Path, kind: str, choices: Choices) -> Iterator[tuple[Rules, Reopen]]:
    """The rules in which the examples of a document are tried, its own, or for a mod those of all it is for; and how to
    open them with other options."""
    if kind == "ruleset":
        yield opened(str(path), choices.settings, choices.mods)
    elif kind == "mod":
        mod = read_document(path)
        needs = [str(path_of(str(item.value), path.parent, item.place, "mod")) for item in listed(mod, "needs")]
        for target, ids in rulesets_near(path).items():
            if is_for(mod, ids):
                yield opened(str(target), {}, [*needs, str(path)])


def opened(path: str, settings: Mapping[str, str], mods: Sequence[str]) -> tuple[Rules, Reopen]:
    """Rules, and how to open them with other options."""
    return load(path, settings, mods), lambda options: load(path, {**settings, **options}, mods)


def contents_of(rules: Rules) -> str:
    """How many patterns, examples and cases a ruleset has."""
    patterns = rules.data.patterns
    examples = sum(len(pattern.examples) for pattern in patterns) + len(rules.data.cases)
    return f"{counted(len(patterns), 'pattern')}, {counted(examples, 'example')}"


# --- what is said


def summary(checked: Sequence[Checked], problems: Sequence[Problem]) -> Iterator[Text]:
    """A line for each file and one for all."""
    yield from table([summary_row(file) for file in checked])
    errors = sum(problem.severity == "error" for problem in problems)
    warnings = len(problems) - errors
    said = [counted(n, noun) for n, noun in ((errors, "error"), (warnings, "warning")) if n]
    style = "bold red" if errors else "bold yellow" if warnings else "bold green"
    yield Text(f"{counted(len(checked), 'file')} checked: {', '.join(said) or 'no problems'}", style)


def summary_row(file: Checked) -> list[Text | str]:
    errors = any(problem.severity == "error" for problem in file.problems)
    sign = Text("✗", "red") if errors else Text("!", "yellow") if file.problems else Text("✓", "green")
    return [sign, file.name, Text(file.kind, "dim"), Text(file.contents, "dim")]
