"""A file of cases: a case a line in; a result a line out, as JSON or for people, in the same order and at once.

A wrong line gives its error in its place and the others continue. Knows no rule.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO

from rich.text import Text

from tilewright.authoring.case_files import case_of
from tilewright.authoring.open_rules import CannotBegin, RulesChoice, open_rules
from tilewright.cli.command import FINE, PROBLEMS
from tilewright.cli.output import show_problems
from tilewright.presentation.console import show
from tilewright.presentation.explanations import explanation_json, explanation_lines
from tilewright.presentation.names import RulesetNames
from tilewright.presentation.scores import heading, score_lines
from tilewright.scoring.case import CaseError
from tilewright.scoring.rules import ScoringRules

LONGEST_LINE = 1 << 20  # bytes; a case of a hand takes some hundreds


def score_cases(ruleset: str, choices: RulesChoice, file: str, *, text: bool, explain: bool) -> int:
    """Score every line of the file; the exit code is 1 if any of them is wrong."""
    with opened(file) as stream:
        rules = open_rules(ruleset, choices)
        if file == "-":
            line_by_line(sys.stdout)
        if text:
            return print_texts(rules, lines_of(stream), choices.labels, explain)
        answer = explained(rules) if explain else scored(rules)
        return print_results(lines_of(stream), answer)


def opened(file: str) -> AbstractContextManager[BinaryIO]:
    """The file to read cases from; - is stdin."""
    if file == "-":
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(file).open("rb")
    except OSError as error:
        raise CannotBegin(f"{file} cannot be read: {(error.strerror or str(error)).lower()}") from None


def line_by_line(stream: Any) -> None:
    """Flush each line, so that a pipe gets each result at once."""
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(line_buffering=True)


def lines_of(stream: BinaryIO) -> Iterator[bytes | None]:
    """The lines of a file; None for one that is too long, which is skipped without being stored."""
    while line := stream.readline(LONGEST_LINE + 1):
        too_long = len(line) > LONGEST_LINE
        while too_long and not line.endswith(b"\n") and (line := stream.readline(LONGEST_LINE)):
            pass
        yield None if too_long else line


def text_of(line: bytes | None) -> str:
    """A line as text. Raises CaseError if it is too long or not UTF-8."""
    if line is None:
        raise CaseError("line-too-long", f"the line is longer than {LONGEST_LINE} bytes", "write one case per line")
    try:
        return line.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CaseError("not-utf-8", "the line is not UTF-8", "save the file as UTF-8") from None


# --- for programs


def print_results(lines: Iterator[bytes | None], answer: Callable[[dict[str, Any]], dict[str, Any]]) -> int:
    """A JSON object for each line."""
    exit_code = FINE
    write, dumps = sys.stdout.write, json.JSONEncoder(ensure_ascii=False).encode
    for line in lines:
        id = None
        try:
            case = case_of(text_of(line))
            id = case.get("id")
            result = answer(case)
        except CaseError as error:
            result = error_object(id, error)
            exit_code = PROBLEMS
        write(dumps(result) + "\n")
    return exit_code


def scored(rules: ScoringRules) -> Callable[[dict[str, Any]], dict[str, Any]]:
    score = rules.score_case
    return lambda case: score(case).as_json(case.get("id"))


def explained(rules: ScoringRules) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda case: {"id": case.get("id"), **explanation_json(rules.explain(case))}


def error_object(id: object, error: CaseError) -> dict[str, Any]:
    return {"id": id, "error": {"code": error.code, "message": error.message, "hint": error.hint}}


# --- for people


def print_texts(rules: ScoringRules, lines: Iterator[bytes | None], settings: Sequence[str], explain: bool) -> int:
    """A heading and the itemised score for each line, under the chosen settings; problems replace the score."""
    exit_code = FINE
    names = RulesetNames(rules.data)
    show([heading(names, settings, "bold underline"), ""])
    for number, line in enumerate(lines, start=1):
        try:
            case = case_of(text_of(line))
            show([case_heading(case, number), *answer_lines(rules, names, case, explain), ""])
        except CaseError as error:
            show([Text(f"line {number}", "bold")])
            show_problems([error.problem])
            exit_code = PROBLEMS
    return exit_code


def answer_lines(rules: ScoringRules, names: RulesetNames, case: dict[str, Any], explain: bool) -> Iterator[Text]:
    if explain:
        return explanation_lines(rules.explain(case), rules.score_case(case), names)
    return score_lines(rules.score_case(case), names)


def case_heading(case: dict[str, Any], number: int) -> Text:
    """The name of the case, and its description if there is one."""
    line = Text(str(case.get("id", f"line {number}")), "bold")
    about = case.get("about") or case.get("name")
    return line + Text(f"  {about}", "dim") if isinstance(about, str) else line
