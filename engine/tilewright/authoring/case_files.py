"""Case files: JSON lines of hands with their expected results (`expect`); a problem for each that differs.

A line names its rules as `"ruleset": "ID"`; otherwise the file's name does: `ID.jsonl`, or `ID.anything.jsonl`.
`ID+MOD` are rules with a mod or a preset. A document next to the file takes precedence over a bundled one of the same
id.
"""

import json
import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field, replace
from math import isfinite
from pathlib import Path
from typing import Any, NoReturn

from tilewright.authoring.open_rules import RulesChoice, open_rules
from tilewright.base.problem import Place, Problem, RulesetError, Source
from tilewright.base.texts.files import unsaved_at
from tilewright.language.documents.library import path_of
from tilewright.language.documents.presets import presets_of
from tilewright.language.documents.whole import extended
from tilewright.scoring.case import CaseError
from tilewright.scoring.examples import check_case
from tilewright.scoring.rules import ScoringRules

LONGEST_NUMBER = 18  # digits

MOST_BYTES = 64 << 20
EXPECT = re.compile(r'"expect"')
NAMING = 'name it: "ruleset": "ID", or call the file ID.jsonl'
SHAPES = {"patterns": (list, "a list"), "values": (dict, "an object"), "payments": (dict, "an object")}
KINDS_OF_NAME = ("ruleset", *["mod"] * 63)


@dataclass
class CaseFile:
    """A case file being read: the rules opened so far, and how many cases were read."""

    path: Path
    choices: RulesChoice
    rules: dict[str, ScoringRules | None] = field(default_factory=dict)
    cases: int = 0

    def problems(self) -> Iterator[Problem]:
        """Every problem of the file, in its order."""
        data = unsaved_at(self.path)
        if data is None and self.path.stat().st_size <= MOST_BYTES:
            data = self.path.read_bytes()
        try:
            source = Source(str(self.path), "" if data is None else data.decode("utf-8-sig"))
        except UnicodeDecodeError:
            yield Problem("not-utf-8", "the file is not UTF-8", start_of(self.path), "save it as UTF-8")
            return
        if data is None:
            yield Problem(
                "too-large", f"the file is larger than {MOST_BYTES >> 20} MB", start_of(self.path), "split it"
            )
        for number in range(1, source.text.count("\n") + source.text.count("\r") + 2):
            if source.line(number).strip():
                yield from self.problems_of_line(place_in(source, number))

    def problems_of_line(self, place: Place) -> Iterator[Problem]:
        """The problems of the case on a line."""
        try:
            case = case_of(place.source.line(place.line))
            self.cases += 1
            rules = yield from self.rules_for(case)
            if rules is not None:
                yield from problems_of_case(rules, case, place)
        except CaseError as error:
            yield replace(error.problem, place=place)

    def rules_for(self, case: dict[str, Any]) -> Generator[Problem, None, ScoringRules | None]:
        """The rules that a case names; their problems are reported once."""
        name = case.get("ruleset", self.path.name.split(".")[0])
        if not isinstance(name, str):
            raise CaseError("wrong-value", "ruleset is the id of a ruleset", NAMING)
        if name not in self.rules:
            self.rules[name] = None
            try:
                self.rules[name] = self.open(name)
            except RulesetError as error:
                yield from error.problems
        return self.rules[name]

    def open(self, name: str) -> ScoringRules:
        """The rules called ID, or ID+MOD+MOD; a preset of the ruleset takes precedence over a mod of its name."""
        (id, kind), *others = zip(name.split("+"), KINDS_OF_NAME, strict=False)
        ruleset = self.found(id, kind)
        presets = {one.id for one in presets_of(extended(Path(ruleset)).full)} if others else set()
        mods = [mod if mod in presets else self.found(mod, kind) for mod, kind in others]
        return open_rules(ruleset, RulesChoice(self.choices.settings, (*mods, *self.choices.mods)))

    def found(self, id: str, kind: str) -> str:
        """The document next to the file, or the bundled one, of this id."""
        try:
            return str(path_of(id, self.path.parent, what=kind))
        except RulesetError as error:
            problem = error.problems[0]
            raise CaseError("unknown-rules", problem.message, problem.hint or NAMING) from None


def problems_of_case(rules: ScoringRules, case: dict[str, Any], place: Place) -> Iterator[Problem]:
    """How the result differs from the expected one, or why the case cannot be scored."""
    expect = case.pop("expect", {})
    case.pop("ruleset", None)
    if "play" in case:
        yield from problems_of_play(rules, case, checked(expect), place)
        return
    yield from check_case(rules, case, checked(expect), place)


def problems_of_play(
    rules: ScoringRules, case: dict[str, Any], expect: dict[str, Any], place: Place
) -> Iterator[Problem]:
    """The same for a case with a play."""
    from tilewright.play.cases.check import check_play
    from tilewright.play.rules import Rules as Played

    if "options" in case:
        raise CaseError("unknown-key", "a line has no options of its own", "give them with --set")
    yield from check_play(Played(rules.data), case, expect, place)


def checked(expect: Any) -> dict[str, Any]:
    """The expectations of a case, with their shape checked."""
    if not isinstance(expect, dict):
        raise CaseError("wrong-value", "expect is an object", 'for instance {"total": 8}')
    for key, (shape, wanted) in SHAPES.items():
        if key in expect and not isinstance(expect[key], shape):
            raise CaseError("wrong-value", f"expect: {key} is {wanted}, not {expect[key]!r}")
    if not all(isinstance(p, str) or (isinstance(p, dict) and "id" in p) for p in expect.get("patterns", ())):
        raise CaseError("wrong-value", "expect: patterns are ids", 'for instance ["all_pairs"]')
    return expect


def place_in(source: Source, number: int) -> Place:
    """The place of `expect` on a line, or of the whole line."""
    line = source.line(number)
    found = EXPECT.search(line)
    start, end = found.span() if found else (0, max(1, len(line)))
    return Place(source, number, start + 1, end - start)


def start_of(path: Path) -> Place:
    return Place(Source(str(path), ""), 1, 1)


def case_of(line: str) -> dict[str, Any]:
    """The case on a line. Raises CaseError if it is not one."""
    try:
        case = json.loads(line, parse_constant=refuse_constant, parse_float=some_float, parse_int=some_int)
    except RecursionError:
        raise CaseError("not-json", "the line is nested too deeply") from None
    except ValueError as error:
        raise CaseError("not-json", f"the line is not JSON: {json_complaint(error)}") from None
    if not isinstance(case, dict):
        raise CaseError("not-a-case", "a case is a JSON object", 'for instance {"hand": "...", "win_tile": "..."}')
    return case


def refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def some_float(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else refuse_constant(text)


def some_int(text: str) -> int:
    return int(text) if len(text) <= LONGEST_NUMBER else refuse_constant(text[:LONGEST_NUMBER] + "...")


def json_complaint(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg[:1].lower()}{error.msg[1:]} at column {error.colno}"
    return str(error)
