"""A file of cases: a case a line in; a result a line out, as JSON or for people, in the same order and at once.

A line that names its own rules is scored by them. A wrong line gives its error in its place and the others continue.
Knows no rule.
"""

import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from rich.text import Text

from tilewright.authoring.case_files import LineRules
from tilewright.authoring.open_rules import RulesChoice, open_rules
from tilewright.base.compute.garbage import collect_rarely
from tilewright.base.processes import deaf, pool_of, serve_parent
from tilewright.cli.cases.answers import AnswersByLine, ScoreAnswers, explanations, rules_of
from tilewright.cli.cases.json_lines import case_on, line_blocks
from tilewright.cli.command import FINE, PROBLEMS
from tilewright.cli.output import opened, show_problems
from tilewright.presentation.console import show
from tilewright.presentation.explanations import explanation_lines
from tilewright.presentation.names import RulesetNames
from tilewright.presentation.scores import heading, score_lines
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.rules import ScoringRules

AHEAD = 3  # blocks that wait for each process
Block = Sequence[bytes | None]  # lines


def score_cases(ruleset: str, choices: RulesChoice, file: str, *, text: bool, explain: bool, jobs: int = 1) -> int:
    """Score every line of the file; the exit code is 1 if any of them is wrong. `jobs`: so many processes, for JSON."""
    with opened(file) as stream:
        rules = open_rules(ruleset, choices)
        of_lines = LineRules(Path() if file == "-" else Path(file).parent, choices, ruleset)
        collect_rarely()
        blocks = line_blocks(stream)
        if text:
            return print_texts(rules, of_lines, chain.from_iterable(blocks), choices.labels, explain)
        if jobs > 1:
            return print_blocks(blocks, rules, of_lines, explain, jobs)
        if file == "-":
            line_by_line(sys.stdout)
        return print_results(blocks, answers_by(rules, of_lines, explain))


def answers_by(rules: ScoringRules, of_lines: LineRules, explain: bool) -> AnswersByLine:
    """How lines are answered: by scores, or by every reading."""
    return AnswersByLine(rules, of_lines, explanations if explain else ScoreAnswers)


def line_by_line(stream: Any) -> None:
    """Flush each line, so that a pipe gets each result at once."""
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(line_buffering=True)


# --- for programs


def print_results(blocks: Iterable[Block], answers: AnswersByLine) -> int:
    """A JSON object for each line; the exit code."""
    exit_code = FINE
    for block in blocks:
        exit_code = max(exit_code, print_block(answered(block, answers)))
    return exit_code


def answered(block: Block, answers: AnswersByLine) -> tuple[str, int]:
    """The results of a block of lines, and the exit code."""
    texts, right = answers.of(block)
    return "\n".join([*texts, ""]), FINE if right else PROBLEMS


def print_block(done: tuple[str, int]) -> int:
    """Print the results of a block; the exit code."""
    text, exit_code = done
    sys.stdout.write(text)
    return exit_code


def print_blocks(blocks: Iterable[Block], rules: ScoringRules, of_lines: LineRules, explain: bool, jobs: int) -> int:
    """The same by several processes, in the order of the lines; only a few blocks are waiting at a time."""
    exit_code, waiting = FINE, deque[Future[tuple[str, int]]]()
    with pool_of(jobs, begin, replace(rules), of_lines, explain, stop=lambda: None) as pool:
        for block in blocks:
            with deaf():
                waiting.append(pool.submit(work, block))
            if len(waiting) >= jobs * AHEAD:
                exit_code = max(exit_code, print_block(waiting.popleft().result()))
        while waiting:
            exit_code = max(exit_code, print_block(waiting.popleft().result()))
    return exit_code


OF_PROCESS: list[AnswersByLine] = []  # how a process that scores blocks answers lines


def begin(rules: ScoringRules, of_lines: LineRules, explain: bool) -> None:
    """Make a process ready to answer lines."""
    serve_parent()
    collect_rarely()
    OF_PROCESS.append(answers_by(rules, of_lines, explain))


def work(block: Block) -> tuple[str, int]:
    """The results of a block of lines, and the exit code."""
    return answered(block, OF_PROCESS[-1])


# --- for people


def print_texts(
    rules: ScoringRules, of_lines: LineRules, lines: Iterator[bytes | None], settings: Sequence[str], explain: bool
) -> int:
    """A heading and the itemised score for each line, under the chosen settings; problems replace the score."""
    exit_code = FINE
    names = RulesetNames(rules.data)
    show([heading(names, settings, "bold underline"), ""])
    for number, line in enumerate(lines, start=1):
        try:
            case = case_on(line)
            head = case_heading(case, number)
            if "ruleset" in case or "options" in case:
                own = rules_of(of_lines, case)
                by = RulesetNames(own.data)
                show([head + Text(f"  {heading(by, ())}", "dim"), *answer_lines(own, by, case, explain), ""])
            else:
                show([head, *answer_lines(rules, names, case, explain), ""])
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
