"""A file of cases: a case a line in; a result a line out, as JSON or for people, in the same order and at once.

A wrong line gives its error in its place and the others continue. Knows no rule.
"""

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from io import StringIO
from itertools import islice
from typing import Any, TextIO

from rich.text import Text

from tilewright.authoring.open_rules import CannotBegin, RulesChoice, open_rules
from tilewright.base.collector import collect_rarely
from tilewright.base.processes import deaf, pool_of, serve_parent
from tilewright.cli.cases.json_lines import ScoreTexts, case_on, json_of, lines_of
from tilewright.cli.command import FINE, PROBLEMS
from tilewright.cli.files import opened
from tilewright.cli.output import show_problems
from tilewright.presentation.console import show
from tilewright.presentation.explanations import explanation_json, explanation_lines
from tilewright.presentation.names import RulesetNames
from tilewright.presentation.scores import heading, score_lines
from tilewright.scoring.case import CaseError
from tilewright.scoring.rules import ScoringRules

BLOCK = 256  # lines that a process takes at once
AHEAD = 3  # blocks that wait for each process
Answer = Callable[[dict[str, Any]], str]  # a case in, its result as JSON out


def score_cases(ruleset: str, choices: RulesChoice, file: str, *, text: bool, explain: bool, jobs: int = 1) -> int:
    """Score every line of the file; the exit code is 1 if any of them is wrong. `jobs`: so many processes, for JSON."""
    with opened(file) as stream:
        rules = open_rules(ruleset, choices)
        collect_rarely()
        if jobs > 1 and not text:
            return print_blocks(blocks_of(lines_of(stream)), rules, explain, jobs)
        if file == "-":
            line_by_line(sys.stdout)
        if text:
            return print_texts(rules, lines_of(stream), choices.labels, explain)
        answer = explained(rules) if explain else scored(rules)
        return print_results(lines_of(stream), answer)


def line_by_line(stream: Any) -> None:
    """Flush each line, so that a pipe gets each result at once."""
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(line_buffering=True)


# --- for programs


def print_results(lines: Iterable[bytes | None], answer: Answer, stream: TextIO | None = None) -> int:
    """A JSON object for each line."""
    exit_code = FINE
    write = (stream or sys.stdout).write
    for line in lines:
        id = None
        try:
            case = case_on(line)
            id = case.get("id")
            text = answer(case)
        except CaseError as error:
            text = json_of(error_object(id, error))
            exit_code = PROBLEMS
        write(f"{text}\n")
    return exit_code


def blocks_of(lines: Iterator[bytes | None]) -> Iterator[list[bytes | None]]:
    """The lines in blocks that a process takes at once."""
    while block := list(islice(lines, BLOCK)):
        yield block


def print_blocks(blocks: Iterator[list[bytes | None]], rules: ScoringRules, explain: bool, jobs: int) -> int:
    """The same by several processes, in the order of the lines; only a few blocks are waiting at a time."""
    exit_code, waiting = FINE, deque[Future[tuple[str, int]]]()
    with pool_of(jobs, begin, replace(rules), explain, stop=lambda: None) as pool:
        try:
            for block in blocks:
                with deaf():
                    waiting.append(pool.submit(work, block))
                if len(waiting) >= jobs * AHEAD:
                    exit_code = max(exit_code, print_block(waiting.popleft()))
            while waiting:
                exit_code = max(exit_code, print_block(waiting.popleft()))
        except BrokenProcessPool:
            raise CannotBegin("a process ended while it scored cases", "give it fewer --jobs, or more memory") from None
    return exit_code


def print_block(done: "Future[tuple[str, int]]") -> int:
    """Print the results of a block; the exit code."""
    text, exit_code = done.result()
    sys.stdout.write(text)
    return exit_code


ANSWERS: list[Answer] = []  # how a process that scores blocks answers a case


def begin(rules: ScoringRules, explain: bool) -> None:
    """Make a process ready to score."""
    serve_parent()
    collect_rarely()
    ANSWERS.append(explained(rules) if explain else scored(rules))


def work(block: list[bytes | None]) -> tuple[str, int]:
    """The results of a block of lines, and the exit code."""
    stream = StringIO()
    exit_code = print_results(block, ANSWERS[-1], stream)
    return stream.getvalue(), exit_code


def scored(rules: ScoringRules) -> Answer:
    """How a case is answered by its score."""
    score, text_of = rules.score_case, ScoreTexts().text_of
    return lambda case: text_of(score(case), case.get("id"))


def explained(rules: ScoringRules) -> Answer:
    """How a case is answered by every reading of its hand."""
    return lambda case: json_of({"id": case.get("id"), **explanation_json(rules.explain(case))})


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
            case = case_on(line)
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
