"""The problems of a document, a card or a case file, stage by stage, without those that are ignored or known.

One list for the command line, the language server and the workshop: what needs no game (`static_stages`), then what the
examples and cases give (`tried`). `# tilewright: ignore[code, ...] reason` at the end of a line, or alone above it,
ignores warnings there, and examples and cases with another result; other errors keep a ruleset from being used at all.
A baseline has the problems that files had when it was written, each known by its file, its code, its message and the
text of its line, so that lines may move. Prints nothing.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

from tilewright.authoring.case_files import CaseFile
from tilewright.authoring.open_rules import CARD, RulesChoice
from tilewright.authoring.trials import Outcome, outcomes
from tilewright.base.files import from_folder
from tilewright.base.problem import Place, Problem, RulesetError, Source, has_errors, line_starts
from tilewright.language.check import merged_by_ruleset, stages_of
from tilewright.language.documents.companions import document_of, is_companion
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


# --- ignored problems

COMMENT = re.compile(r"(?:^|(?<=\s))# *tilewright: *ignore\[([^\]#]*)\]([^#]*)")
OF_TRIALS = frozenset({"example-fails", "case-fails", "wrong-example", "wrong-case"})
UNUSED, UNEXPLAINED = "unused-ignore", "unexplained-ignore"


@dataclass(frozen=True, slots=True)
class Ignore:
    """A comment that ignores problems with these codes at a line, for a reason."""

    codes: tuple[str, ...]
    line: int
    place: Place
    reason: str = ""


def ignores_in(source: Source) -> Iterator[Ignore]:
    """Every such comment of a text."""
    if "ignore[" not in source.text:
        return
    starts = line_starts(source.text)
    lines = [source.line(number) for number in range(1, len(starts) + 1)]
    for number, line in enumerate(lines, 1):
        if (found := COMMENT.search(line)) is not None:
            codes = tuple(code for code in re.split(r"[\s,]+", found[1]) if code)
            alone = not line[: found.start()].strip()
            at = following(lines, number) if alone else number
            place = source.place(starts[number - 1] + found.start(), found.start(2) - found.start())
            yield Ignore(codes, at, place, found[2].strip())


def following(lines: list[str], number: int) -> int:
    """The next line that is more than a comment."""
    for later in range(number, len(lines)):
        if (text := lines[later].strip()) and not text.startswith("#"):
            return later + 1
    return number


def without_ignored(problems: Iterable[Problem], checked: Source | None) -> list[Problem]:
    """The problems that no comment at their line ignores; and of the checked text, one for each code of a comment that
    ignores nothing, and one for each comment without a reason."""
    known: dict[Source, list[Ignore]] = {}
    used = set[tuple[Place, str]]()
    kept = []
    for problem in problems:
        place = problem.place
        if place is None or not can_be_ignored(problem):
            kept.append(problem)
            continue
        if place.source not in known:
            known[place.source] = list(ignores_in(place.source))
        by = [one for one in known[place.source] if one.line == place.line and problem.code in one.codes]
        used |= {(one.place, problem.code) for one in by}
        kept += [] if by else [problem]
    for one in () if checked is None else ignores_in(checked):
        idle = [code for code in one.codes or ("",) if (one.place, code) not in used]
        kept += [unused(one, code) for code in idle]
        kept += [unexplained(one)] if not one.reason and len(idle) < len(one.codes) else []
    return kept


def can_be_ignored(problem: Problem) -> bool:
    return problem.severity != "error" or problem.code in OF_TRIALS


def unused(one: Ignore, code: str) -> Problem:
    """A comment that ignores nothing."""
    said = f"there is no {code} to ignore here" if code else "this comment names no problem"
    return Problem(UNUSED, said, one.place, "remove the code from the comment", "warning")


def unexplained(one: Ignore) -> Problem:
    """A comment that ignores something for no reason."""
    way_out = f"write it behind the code: # tilewright: ignore[{', '.join(one.codes)}] reason"
    return Problem(UNEXPLAINED, "this comment does not say why", one.place, way_out, "warning")


# --- baselines

FORMAT = 1
MOST_BYTES = 20_000_000
KEYS = ("file", "code", "message", "text")
Known = tuple[str, str, str, str]  # the values of the keys


class WrongBaseline(Exception):
    """The file is no baseline."""


@dataclass(slots=True)
class Baseline:
    """The problems of a baseline with how many of each there were. `folder`: of its file, from which it names others;
    `left`: those not met yet."""

    folder: Path = Path()
    left: Counter[Known] = field(default_factory=Counter)

    @classmethod
    def read(cls, path: Path) -> Self:
        """The baseline of a file. Raises OSError, WrongBaseline."""
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise WrongBaseline("it is too large")
        try:
            data = json.loads(content)
            if data["tilewright"] != FORMAT:
                raise WrongBaseline(f"its format is not {FORMAT}")
            return cls(path.parent, Counter({key_of(one): count_of(one) for one in data["problems"]}))
        except (ValueError, KeyError, TypeError, RecursionError):
            raise WrongBaseline("it was not written by --write-baseline") from None

    @classmethod
    def of(cls, problems: Iterable[Problem], folder: Path) -> Self:
        return cls(folder, Counter(known_as(one, folder) for one in problems))

    def write(self, path: Path) -> None:
        """Write the baseline, the same text for the same problems. Raises OSError."""
        problems = [{**dict(zip(KEYS, key, strict=True)), "count": count} for key, count in sorted(self.left.items())]
        text = json.dumps({"tilewright": FORMAT, "problems": problems}, ensure_ascii=False, indent=1)
        path.write_text(text + "\n", encoding="utf-8")

    def new(self, problems: Iterable[Problem]) -> list[Problem]:
        """The problems that the baseline does not have, or not so often."""
        found = []
        for problem in problems:
            key = known_as(problem, self.folder)
            if self.left[key] > 0:
                self.left[key] -= 1
            else:
                found.append(problem)
        return found

    @property
    def gone(self) -> int:
        """How many problems it has that were not met."""
        return sum(self.left.values())


def known_as(problem: Problem, folder: Path) -> Known:
    place = problem.place
    if place is None:
        return "", problem.code, problem.message, ""
    return from_folder(place.source.name, folder), problem.code, problem.message, place.source.line(place.line).strip()


def key_of(one: Any) -> Known:
    file, code, message, text = (one[key] for key in KEYS)
    if not all(isinstance(value, str) for value in (file, code, message, text)):
        raise TypeError
    return file, code, message, text


def count_of(one: Any) -> int:
    count = one["count"]
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise TypeError
    return count
