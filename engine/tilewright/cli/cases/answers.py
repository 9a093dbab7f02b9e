"""Answers: lines of cases in, the text of their results out, whatever is asked of each. Knows no files."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tilewright.cli.cases.json_lines import ScoreTexts, case_on, json_of
from tilewright.presentation.explanations import explanation_json
from tilewright.scoring.case import CaseError
from tilewright.scoring.rules import ScoringRules

if TYPE_CHECKING:
    from tilewright.cli.cases.hand_lines import HandLines

Lines = Sequence[bytes | None]


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
            return self.text_of(case), True
        except CaseError as error:
            wrong = {"code": error.code, "message": error.message, "hint": error.hint}
            return json_of({"id": id, "error": wrong}), False


class ScoreAnswers(Answers):
    """Scores of cases. The kernel scores most lines together, unless there are few."""

    def __init__(self, rules: ScoringRules) -> None:
        self.rules, self.texts = rules, ScoreTexts()
        self.together: HandLines | None = None
        super().__init__(lambda case: self.texts.text_of(rules.score_case(case), case.get("id")))

    def of(self, lines: Lines) -> tuple[list[str], bool]:
        if self.together is None and (stream := self.rules.quick.stream(len(lines))) is not None:
            from tilewright.cli.cases.hand_lines import HandLines  # which imports numpy

            self.together = HandLines(self.rules, stream, self.texts)
        if self.together is None:
            return super().of(lines)
        texts, right = self.together.texts_of(lines), True
        for place, text in enumerate(texts):
            if not text:
                texts[place], one_right = self.one(lines[place])
                right = right and one_right
        return texts, right


def explanations(rules: ScoringRules) -> Answers:
    """Every reading of the hand of a case."""
    return Answers(lambda case: json_of({"id": case.get("id"), **explanation_json(rules.explain(case))}))
