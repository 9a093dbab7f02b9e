"""Case files: JSON lines of hands with their expected results (`expect`); a problem for each that differs.

A line names its rules as `"ruleset": "ID"`; otherwise the file's name does: `ID.jsonl`, or `ID.anything.jsonl`.
`ID+MOD` are rules with a mod, a card or a preset; `options` sets options of them. A document next to the file takes
precedence over a bundled one of the same id, and paths are read from there.
"""

import json
import re
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field, replace
from io import BytesIO
from math import isfinite
from pathlib import Path
from typing import Any, Literal, NoReturn

from tilewright.authoring.open_rules import RulesChoice, open_rules
from tilewright.base.files import unsaved_at
from tilewright.base.problem import Place, Problem, RulesetError, Source
from tilewright.language.documents.former import called, case_today
from tilewright.language.documents.library import names_a_file, path_of
from tilewright.language.documents.options import presets_of
from tilewright.language.documents.whole import extended
from tilewright.language.elaborate import once_a_name
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.examples import check_case
from tilewright.scoring.rules import ScoringRules, setting_text

LONGEST_NUMBER = 18  # digits

MOST_BYTES = 64 << 20
EXPECT = re.compile(r'"expect"')
NAMING = 'name it: "ruleset": "ID", or call the file ID.jsonl'
SHAPES = {"patterns": (list, "a list"), "values": (dict, "an object"), "payments": (dict, "an object")}
RESULTS = {"game", "hand", "seats", "winners", "gains"}  # what the rows of simulated games have
LONGEST_FIRST = 1 << 20  # bytes of a first line
LinesKind = Literal["cases", "log", "results"]
KINDS_OF_NAME = ("ruleset", *["mod or card"] * 63)


def kind_of_lines(text: str) -> LinesKind:
    """What lines of JSON are, by the first of them: the log of a game, the results of simulated ones, or cases."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    try:
        found = case_of(first)
    except CaseError:
        return "cases"
    if {"tilewright", "log"} <= found.keys():
        return "log"
    return "results" if found.keys() >= RESULTS else "cases"


def first_line_of(path: Path) -> str:
    """The first line of a file that is not empty. Raises OSError."""
    data = unsaved_at(path)
    with BytesIO(data) if data is not None else path.open("rb") as stream:
        while (line := stream.readline(LONGEST_FIRST)) and not line.strip():
            pass
    return line.decode("utf-8-sig", "replace")


@dataclass
class CaseFile:
    """A case file being read: the rules opened so far, and how many cases were read."""

    path: Path
    choices: RulesChoice
    broken: set[RulesetError] = field(default_factory=set)
    cases: int = 0
    old: dict[tuple[str, str], list[Problem]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rules = LineRules(self.path.parent, self.choices)

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
        yield from once_a_name(problem for found in self.old.values() for problem in found)

    def problems_of_line(self, place: Place) -> Iterator[Problem]:
        """The problems of the case on a line."""
        try:
            case = case_of(place.source.line(place.line))
            self.cases += 1
            options = case.get("options", {})
            rules = yield from self.rules_for(case)
            if rules is not None:
                self.note_old({**case, "options": options}, rules, place)
                yield from problems_of_case(rules, case_today(case, rules.data.former)[0], place)
        except CaseError as error:
            yield replace(error.problem, place=place)

    def note_old(self, case: dict[str, Any], rules: ScoringRules, place: Place) -> None:
        """Remember the old names of a case, for a warning of each."""
        line = place.source.line(place.line)
        for one in case_today(case, rules.data.former)[1]:
            start = line.find(f'"{one.old}"') + 1
            found = replace(place, column=start + 1, length=len(one.old))
            self.old.setdefault((one.old, one.new), []).append(called(one.old, one.new, one.since, found))

    def rules_for(self, case: dict[str, Any]) -> Generator[Problem, None, ScoringRules | None]:
        """The rules that a case names; their problems are reported once."""
        try:
            return self.rules.of(case, self.path.name.split(".")[0])
        except RulesetError as error:
            if error not in self.broken:
                self.broken.add(error)
                yield from error.problems
            return None


@dataclass
class LineRules:
    """The rules that lines name, each opened once. `folder`: where what they name is looked for first; `choices`: for
    all of them; `usual`: of lines that name none, as the user named them."""

    folder: Path
    choices: RulesChoice
    usual: str = ""
    opened: dict[tuple[object, ...], ScoringRules | RulesetError] = field(default_factory=dict)

    def of(self, case: dict[str, Any], by_file: str | None = None) -> ScoringRules:
        """The rules of a case, whose keys for them are taken out; `by_file`: the name that its file gives. Raises
        CaseError, RulesetError."""
        name, options = case.pop("ruleset", by_file), case.pop("options", {})
        if name is not None and not isinstance(name, str):
            raise CaseError("wrong-value", "ruleset is the id of a ruleset", NAMING)
        if not isinstance(options, Mapping):
            raise CaseError("wrong-value", "options is an object", 'for instance {"flowers": false}')
        settings = {str(id): setting_text(value) for id, value in options.items()}
        found = self.named(name, {})
        if not settings or isinstance(found, RulesetError):
            return usable(found)
        having = self.named(name, settings)
        if isinstance(having, RulesetError):
            first = having.problems[0]
            raise CaseError("wrong-case", first.message, first.hint)
        return having

    def named(self, name: str | None, settings: Mapping[str, str]) -> ScoringRules | RulesetError:
        key = name, *sorted(settings.items())
        if key not in self.opened:
            try:
                self.opened[key] = self.open(name, settings)
            except RulesetError as error:
                self.opened[key] = error
        return self.opened[key]

    def open(self, name: str | None, settings: Mapping[str, str]) -> ScoringRules:
        """The rules called ID, or ID+MOD+MOD; a preset of the ruleset takes precedence over a mod of its name."""
        chosen = {**self.choices.settings, **settings}
        if name is None:
            return open_rules(self.usual, replace(self.choices, settings=chosen))
        (id, kind), *others = zip(name.split("+"), KINDS_OF_NAME, strict=False)
        ruleset = self.found(id, kind)
        presets = {one.id for one in presets_of(extended(Path(ruleset)).full)} if others else set()
        mods = [mod if mod in presets else self.found(mod, kind) for mod, kind in others]
        return open_rules(ruleset, replace(self.choices, settings=chosen, mods=(*mods, *self.choices.mods)))

    def found(self, name: str, kind: str) -> str:
        """The document next to the file, or the bundled one, of this id; or the one at a path from there."""
        try:
            at = str(self.folder / name) if names_a_file(name) else name
            return str(path_of(at, self.folder, what=kind))
        except RulesetError as error:
            problem = error.problems[0]
            raise CaseError("unknown-rules", problem.message, problem.hint or NAMING) from None


def usable(found: ScoringRules | RulesetError) -> ScoringRules:
    if isinstance(found, RulesetError):
        raise found
    return found


def problems_of_case(rules: ScoringRules, case: dict[str, Any], place: Place) -> Iterator[Problem]:
    """How the result differs from the expected one, or why the case cannot be scored."""
    expect = case.pop("expect", {})
    if "play" in case:
        yield from problems_of_play(rules, case, checked(expect), place)
        return
    yield from check_case(rules, case, checked(expect), place)


def problems_of_play(
    rules: ScoringRules, case: dict[str, Any], expect: dict[str, Any], place: Place
) -> Iterator[Problem]:
    """The same for a case with a play."""
    from tilewright.play.cases import check_play
    from tilewright.play.rules import Rules as Played

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
