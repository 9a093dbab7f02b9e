"""A file of cases: a case a line in; a result a line out, as JSON or for people, in the same order and at once.

A wrong line gives its error in its place and the others continue. Knows no rule.
"""

import json
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import replace
from io import StringIO
from itertools import islice
from typing import Any, BinaryIO, TextIO

import msgspec
from rich.text import Text

from tilewright.authoring.case_files import LONGEST_NUMBER, case_of
from tilewright.authoring.open_rules import CannotBegin, RulesChoice, open_rules
from tilewright.base.processes import deaf, pool_of, serve_parent
from tilewright.cli.command import FINE, PROBLEMS
from tilewright.cli.files import opened
from tilewright.cli.output import show_problems
from tilewright.presentation.console import show
from tilewright.presentation.explanations import explanation_json, explanation_lines
from tilewright.presentation.names import RulesetNames
from tilewright.presentation.scores import heading, score_lines
from tilewright.scoring.case import CaseError
from tilewright.scoring.rules import ScoringRules

LONGEST_LINE = 1 << 20  # bytes; a case of a hand takes some hundreds
BLOCK = 256  # lines that a process takes at once
AHEAD = 3  # blocks that wait for each process
DECODE = msgspec.json.Decoder().decode
ENCODE = msgspec.json.Encoder().encode
ENCODE_SLOWLY = json.JSONEncoder(ensure_ascii=False).encode
DIGITS = bytes.maketrans(b"-123456789", b"0000000000")
LONG_NUMBER = b"0" * (LONGEST_NUMBER + 1)


def score_cases(ruleset: str, choices: RulesChoice, file: str, *, text: bool, explain: bool, jobs: int = 1) -> int:
    """Score every line of the file; the exit code is 1 if any of them is wrong. `jobs`: so many processes, for JSON."""
    with opened(file) as stream:
        rules = open_rules(ruleset, choices)
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


def lines_of(stream: BinaryIO) -> Iterator[bytes | None]:
    """The lines of a file; None for one that is too long, which is skipped without being stored."""
    while line := stream.readline(LONGEST_LINE + 1):
        too_long = len(line) > LONGEST_LINE
        while too_long and not line.endswith(b"\n") and (line := stream.readline(LONGEST_LINE)):
            pass
        yield None if too_long else line


def case_on(line: bytes | None) -> dict[str, Any]:
    """The case on a line; what is unusual or wrong is left to `case_of`. Raises CaseError."""
    if line is not None and LONG_NUMBER not in line.translate(DIGITS):
        with suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            case = DECODE(line)
            if isinstance(case, dict):
                return case
    return case_of(text_of(line))


def text_of(line: bytes | None) -> str:
    """A line as text. Raises CaseError if it is too long or not UTF-8."""
    if line is None:
        raise CaseError("line-too-long", f"the line is longer than {LONGEST_LINE} bytes", "write one case per line")
    try:
        return line.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CaseError("not-utf-8", "the line is not UTF-8", "save the file as UTF-8") from None


# --- for programs


def print_results(
    lines: Iterable[bytes | None], answer: Callable[[dict[str, Any]], dict[str, Any]], stream: TextIO | None = None
) -> int:
    """A JSON object for each line."""
    exit_code = FINE
    write = (stream or sys.stdout).write
    for line in lines:
        id = None
        try:
            case = case_on(line)
            id = case.get("id")
            result = answer(case)
        except CaseError as error:
            result = error_object(id, error)
            exit_code = PROBLEMS
        write(json_of(result) + "\n")
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


ANSWERS: list[Callable[[dict[str, Any]], dict[str, Any]]] = []  # how a process that scores blocks answers a case


def begin(rules: ScoringRules, explain: bool) -> None:
    """Make a process ready to score."""
    serve_parent()
    ANSWERS.append(explained(rules) if explain else scored(rules))


def work(block: list[bytes | None]) -> tuple[str, int]:
    """The results of a block of lines, and the exit code."""
    stream = StringIO()
    exit_code = print_results(block, ANSWERS[-1], stream)
    return stream.getvalue(), exit_code


def json_of(result: dict[str, Any]) -> str:
    """The result as `json` writes it, which has its own way with very large and very small fractions."""
    try:
        text: bytes = msgspec.json.format(ENCODE(result), indent=0)
    except UnicodeEncodeError:
        return ENCODE_SLOWLY(result)
    numbers = text.translate(DIGITS)
    return ENCODE_SLOWLY(result) if b"0e" in numbers or b"0.0000" in numbers else text.decode()


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
