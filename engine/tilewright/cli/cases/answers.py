"""Answers: lines of cases in, the text of their results out, whatever is asked of each. Knows no files."""

from collections.abc import Callable, Sequence
from typing import Any

from tilewright.authoring.case_files import LineRules
from tilewright.base.problem import RulesetError
from tilewright.cli.cases.hand_lines import HandLines
from tilewright.cli.cases.json_lines import ScoreTexts, case_on, json_of
from tilewright.presentation.explanations import explanation_json
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
