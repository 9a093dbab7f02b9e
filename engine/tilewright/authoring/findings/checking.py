"""Checking: a document, a card or a case file in; its problems out, stage by stage.

One list of problems for the command line, the language server and the workshop: what needs no game (`static_problems`),
then what the examples and cases give (`tried`), without those that comments ignore. Prints nothing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from tilewright.authoring.case_files import CaseFile
from tilewright.authoring.findings.ignored import can_be_ignored, without_ignored
from tilewright.authoring.open_rules import CARD, RulesChoice
from tilewright.authoring.trials import Outcome, outcomes
from tilewright.base.problem import Problem, RulesetError, Source, has_errors
from tilewright.language.check import merged_by_ruleset, stages_of
from tilewright.language.companions.files import document_of, is_companion
from tilewright.language.documents.library import is_document, kind_at, read_document, shown
from tilewright.scoring.examples import Tell, nobody

CASES = ".jsonl"
TITLE_ROW = re.compile(r"""[“”„‟"‘’'«»].*[“”"‘’'«»] ?(\(.*\))?""")  # of a card as plain text, over tiles
TILES_ROW = r"([1-9DGR0FNEWSfnewsgrbamcdx|{signs}] ?){{8}}"
ENDED_ROW = r"(?=.*\d)([1-9DGR0FNEWSfnewsgrbamcdox|{signs}] ?){{10}}.*[XC] ?\d{{1,4}}( ?\(.*\))?"
NO_CHOICES = RulesChoice()


@dataclass(frozen=True, slots=True)
class Tried:
    """All problems of a file. `outcomes`: of its examples and cases, one for each ruleset; none after an error;
    `cases`: of a case file, how many."""

    problems: tuple[Problem, ...]
    outcomes: tuple[Outcome, ...] = ()
    cases: int = 0


def static_stages(path: Path) -> Iterator[tuple[Problem, ...]]:
    """The problems of a file that need no game, as far as they are known after each stage, at last all of them, also
    those that are ignored. Those of a case file are found when it is tried."""
    yield from [()] if path.suffix.lower() == CASES else stages_of(path)


def tried(
    path: Path,
    problems: Sequence[Problem],
    choices: RulesChoice = NO_CHOICES,
    tell: Tell = nobody,
    *,
    own: bool = False,
) -> Tried:
    """All problems of a file, with those of its examples and cases. `problems`: those that need no game, also
    ignored ones; `tell` is told of each example and case that was tried, and may raise to stop; `own`: inherited ones
    are not tried."""
    if path.suffix.lower() == CASES:
        cases = CaseFile(path, choices)
        found = []
        for problem in cases.problems():
            found.append(problem)
            tell(problem.place)
        return Tried(tuple(found), cases=cases.cases)
    if not is_document(path):
        return Tried(tuple(problems))
    if kind_at(path) == CARD:
        return Tried(tuple(without_ignored(problems, source_of(path, problems))))
    if is_companion(path):
        if (document := document_of(path)) == path:
            return Tried(tuple(problems))
        of = tried(document, problems, choices, tell)
        return Tried(tuple(one for one in of.problems if one.place and one.place.source.name == shown(path)))
    all_problems, done = list(problems), list[Outcome]()
    if not has_errors(problems):
        try:
            done = list(outcomes(path, choices, tell, own=own))
        except RulesetError as error:
            all_problems += error.problems
    all_problems += merged_by_ruleset({one.ruleset: one.problems for one in done}, lambda one: one)
    all_problems += (problem for one in done for problem in one.inherited)
    kept = without_ignored(dict.fromkeys(all_problems), source_of(path, all_problems))
    return Tried(tuple(kept), tuple(done))


def looks_like_a_card(text: str) -> bool:
    """Whether some line of a text is one that only plain-text cards have."""
    from tilewright.cards.faults import MOST_CHARACTERS  # imported here: a ruleset is checked without cards
    from tilewright.cards.model import SIGNS

    of_tiles, ended = (re.compile(row.format(signs=SIGNS)) for row in (TILES_ROW, ENDED_ROW))
    rows = [row for line in text.splitlines() if (row := " ".join(line.split())) and len(row) <= MOST_CHARACTERS]
    titled = (TITLE_ROW.fullmatch(title) and of_tiles.match(row) for title, row in pairwise(rows))
    return any(ended.fullmatch(row) for row in rows) or any(titled)


def source_of(path: Path, problems: Sequence[Problem]) -> Source | None:
    """The text of a document; None where errors kept it from being checked in full."""
    stopped = any(one.severity == "error" and not can_be_ignored(one) for one in problems)
    return None if stopped else read_document(path).place.source
