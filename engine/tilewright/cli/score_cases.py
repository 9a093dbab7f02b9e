"""Files of cases: a case a line in; an answer a line out, as JSON or for people, in the same order and at once.

A line that names its own rules is scored by them. A wrong line gives its error in its place and the others continue.
Knows no rule.
"""

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from rich.text import Text

from tilewright.authoring.case_files import LineRules
from tilewright.authoring.open_rules import RulesChoice, open_rules
from tilewright.base.garbage import collect_rarely
from tilewright.base.problem import RulesetError
from tilewright.base.processes import deaf, pool_of, serve_parent
from tilewright.cli.case_lines import HandLines, ScoreTexts, case_on, json_of, line_blocks
from tilewright.cli.command import FINE, PROBLEMS
from tilewright.cli.output import opened, show_problems
from tilewright.presentation.console import show
from tilewright.presentation.names import RulesetNames
from tilewright.presentation.scores import explanation_json, explanation_lines, heading, score_lines
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.rules import ScoringRules

Lines = Sequence[bytes | None]
OWN = (b"ruleset", b"options", b"\\u")  # in lines that may have rules of their own


class Answers:
    """Results of cases, each by itself. `text_of`: the result of one as text; raises CaseError."""

    def __init__(self, text_of: Callable[[dict[str, Any]], str]) -> None:
        self.text_of = text_of

    def of(self, lines: Lines) -> tuple[list[str], bool]:
        """The result of each line, and whether all are right."""
        answers = [self.one(line) for line in lines]
        return [text for text, _ in answers], all(right for _, right in answers)

    def one(self, line: bytes | None) -> tuple[str, bool]:
        """The result of a line, and whether it is right."""
        id = None
        try:
            case = case_on(line)
            id = case.get("id")
            case.pop("options", None)  # of which the rules are
            return self.text_of(case), True
        except CaseError as error:
            return wrong_line(id, error), False


def wrong_line(id: object, error: CaseError) -> str:
    """The answer to a line that is wrong."""
    return json_of({"id": id, "error": {"code": error.code, "message": error.message, "hint": error.hint}})


class ScoreAnswers(Answers):
    """Scores of cases. The kernel scores most lines together."""

    def __init__(self, rules: ScoringRules) -> None:
        self.rules, self.texts = rules, ScoreTexts()
        self.together: HandLines | None = None
        super().__init__(lambda case: self.texts.text_of(rules.score_case(case), case.get("id")))

    def of(self, lines: Lines) -> tuple[list[str], bool]:
        if self.together is None and not self.rules.shifts and (stream := self.rules.quick.stream) is not None:
            self.together = HandLines(self.rules, stream, self.texts)
        if self.together is None:
            return super().of(lines)
        texts, right = self.together.texts_of(lines), True
        for place in [place for place, text in enumerate(texts) if not text]:
            texts[place], one_right = self.one(lines[place])
            right = right and one_right
        return texts, right


def explanations(rules: ScoringRules) -> Answers:
    """Every reading of the hand of a case."""
    return Answers(lambda case: json_of({"id": case.get("id"), **explanation_json(rules.explain(case))}))


class AnswersByLine:
    """Answers by the rules that each line names, or else by the usual ones. `make`: how lines are answered under
    rules."""

    def __init__(self, usual: ScoringRules, rules: LineRules, make: Callable[[ScoringRules], Answers]) -> None:
        self.rules, self.make, self.usual = rules, make, make(usual)
        self.others: dict[int, Answers] = {}

    def of(self, lines: Lines) -> tuple[list[str], bool]:
        """The result of each line, and whether all are right."""
        if not has_own(b"".join([line for line in lines if line is not None])):
            return self.usual.of(lines)
        texts, right = [""] * len(lines), True
        together: dict[Answers, list[int]] = {}
        for place, line in enumerate(lines):
            try:
                together.setdefault(self.answers_to(line), []).append(place)
            except CaseError as error:
                texts[place], right = wrong_line(case_on(line).get("id"), error), False
        for answers, places in together.items():
            found, good = answers.of([lines[place] for place in places])
            right = right and good
            for place, text in zip(places, found, strict=True):
                texts[place] = text
        return texts, right

    def answers_to(self, line: bytes | None) -> Answers:
        """How a line is answered. Raises CaseError for rules that cannot be opened."""
        if line is None or not has_own(line):
            return self.usual
        try:
            case = case_on(line)
        except CaseError:
            return self.usual  # which says what is wrong
        if "ruleset" not in case and "options" not in case:
            return self.usual
        rules = rules_of(self.rules, case)
        if id(rules) not in self.others:
            self.others[id(rules)] = self.make(rules)
        return self.others[id(rules)]


def has_own(lines: bytes) -> bool:
    """Whether lines may have rules of their own."""
    return any(key in lines for key in OWN)


def rules_of(rules: LineRules, case: dict[str, Any]) -> ScoringRules:
    """The rules of a case. Raises CaseError, also for rules with mistakes."""
    try:
        return rules.of(case)
    except RulesetError as error:
        first = error.problems[0]
        raise CaseError(first.code, first.message, first.hint) from None


# --- files


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
