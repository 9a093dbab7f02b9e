"""`score --cases --text`: the results of a file of cases as people read them, one after the other."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.text import Text

from tilewright.authoring.case_files import case_of
from tilewright.authoring.open_rules import show_problems
from tilewright.cli.score_cases import text_of
from tilewright.presentation.console import show
from tilewright.presentation.exits import FINE, PROBLEMS
from tilewright.presentation.explanations import explanation_lines
from tilewright.presentation.scores import heading, score_lines
from tilewright.scoring.case import CaseError
from tilewright.scoring.rules import Rules


def print_texts(rules: Rules, lines: Iterator[bytes | None], said: Sequence[str], explain: bool) -> int:
    """A heading and the itemised score for each line, under the settings that were said; problems stand where the score
    would."""
    exit_code = FINE
    show([heading(rules.data, said, "bold underline"), ""])
    for number, line in enumerate(lines, start=1):
        try:
            case = case_of(text_of(line))
            show([case_heading(case, number), *answer(rules, case, explain), ""])
        except CaseError as error:
            show([Text(f"line {number}", "bold")])
            show_problems([error.problem])
            exit_code = PROBLEMS
    return exit_code


def answer(rules: Rules, case: dict[str, Any], explain: bool) -> Iterator[Text]:
    if explain:
        return explanation_lines(rules.explain(case), rules.score_case(case), rules.data)
    return score_lines(rules.score_case(case), rules.data)


def case_heading(case: dict[str, Any], number: int) -> Text:
    """What the case is called, and what it is about if it says so."""
    line = Text(str(case.get("id", f"line {number}")), "bold")
    about = case.get("about") or case.get("name")
    return line + Text(f"  {about}", "dim") if isinstance(about, str) else line
