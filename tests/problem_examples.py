"""The examples of `tilewright explain`, tried: the codes of what is wrong in a text, by the way it is to be tried."""

import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from drafts_with_mistakes import Mistake

import tilewright
from tilewright.authoring.open_rules import RulesChoice
from tilewright.base.document import parse, plain
from tilewright.base.problem import Problem, RulesetError, Source
from tilewright.cards.check import problems_of_card
from tilewright.cards.document import read_card
from tilewright.cards.expand import process
from tilewright.cli.check_files import check_document
from tilewright.language.check import problems_of
from tilewright.play.cases import check_play
from tilewright.play.rules import Rules
from tilewright.presentation.problem_pages import ProblemExample, ProblemPage
from tilewright.scoring.case_mistakes import CaseError

HEAD = "tilewright: 1\nkind: ruleset\nid: tried\nname: Tried\n"
MOD = "tilewright: 1\nkind: mod\nid: tried\nname: Tried\nfor: [{}]\n"
SMALL = """groups: {pair: {alike: 2}}
forms: {regular: {groups: [pair]}}
seats: {count: 4}
zones: {hand: {of: seat, seen_by: owner}}
scoring: {measures: {points: {name: Points, cap: 9}}, best: points}
patterns: {win: {name: Win, worth: 1, each: [pair]}}
"""
SCORING = "scoring: {measures: {points: {}}, best: points}\n"
HAND = {"hand": "234m 567p 88s 234s CC", "win_tile": "C", "seat_wind": "E"}
PLAY: dict[str, Any] = {
    "hand": "123789s 1579p WWW",
    "others": {"S": {"hand": "46m 258p 369s ESCFP"}, "W": {"hand": "55m 147p 258s NNCFP"}},
    "wall": "5m",
    "play": [{"E": "discard", "tile": "5m"}],
}


def codes_of(example: ProblemExample, text: str) -> list[str]:
    """The codes of the problems of a text, in the way that its example is tried."""
    return TRIES[example.tried](example, text)


def as_mistake(page: ProblemPage) -> Mistake:
    """An edit of a draft of tests/drafts: the right text in it becomes the wrong one."""
    example = page.example
    anywhere = {"in": example.place, "replace": example.right, "by": example.wrong, "code": page.code, "anywhere": True}
    return anywhere


def of_document(example: ProblemExample, text: str) -> list[str]:
    """A text as YAML."""
    written = text.encode("utf-8").decode("unicode_escape") if example.place == "escaped" else text
    try:
        parse(Source("tried.yaml", written))
    except RulesetError as error:
        return codes(error.problems)
    return []


def of_file(text: str, tries: bool = True) -> list[str]:
    """A text as a file. `tries`: if nothing is found, its examples and cases, and those of what it extends."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tried.yaml"
        path.write_text(text, encoding="utf-8")
        found = codes(problems_of(path))
        return found or (codes(check_document(path, RulesChoice()).problems) if tries else [])


def has_own(example: ProblemExample, text: str) -> bool:
    """Whether something may be found when examples and cases are tried: in a wrong text, and in one that has some."""
    return text != example.right or "examples" in text or "cases" in text


def of_tiles(example: ProblemExample, text: str) -> list[str]:
    """The section `tiles` of a small ruleset of its own."""
    return of_file(f"{HEAD}tiles:\n" + "".join(f"  {line}\n" for line in text.splitlines()) + SMALL)


def of_section(example: ProblemExample, text: str) -> list[str]:
    """Sections of a ruleset that extends another."""
    scoring = SCORING if example.place == "standard" else ""
    return of_file(f"{HEAD}extends: {example.place}\n{scoring}{text}\n", has_own(example, text))


def of_mod(example: ProblemExample, text: str) -> list[str]:
    """Sections of a mod for a bundled ruleset."""
    return of_file(MOD.format(example.place) + text + "\n", has_own(example, text))


def of_card(example: ProblemExample, text: str) -> list[str]:
    """A card as plain text, or the lines of one below a title."""
    whole = text if example.place == "whole" else f"My card\n“Lines”\n{text}"
    card, problems = read_card(Source("tried.txt", whole))
    return codes([*problems, *problems_of_card(card, process(card))])


@cache
def rules_of(name: str) -> Rules:
    return tilewright.load(name)


def of_case(example: ProblemExample, text: str) -> list[str]:
    """A case with these keys instead of those of a usual hand of riichi."""
    given = plain(parse(Source("tried", text)))
    assert isinstance(given, Mapping)
    try:
        rules_of("riichi").score_case({**HAND, **given})
    except CaseError as error:
        return [error.code]
    return []


def of_play(example: ProblemExample, text: str) -> list[str]:
    """A case with a play of Cantonese with these keys."""
    given = plain(parse(Source("tried", text)))
    assert isinstance(given, Mapping)
    case = {**PLAY, **given}
    return codes(check_play(rules_of("cantonese"), case, case.get("expect", {}), None))


def codes(problems: "list[Problem] | tuple[Problem, ...]") -> list[str]:
    """The codes of errors; those of warnings where there is no error."""
    errors = [one.code for one in problems if one.severity == "error"]
    return errors or [one.code for one in problems if one.severity == "warning"]


TRIES: Mapping[str, Callable[[ProblemExample, str], list[str]]] = {
    "document": of_document,
    "tiles": of_tiles,
    "section": of_section,
    "mod": of_mod,
    "card": of_card,
    "case": of_case,
    "play": of_play,
}
