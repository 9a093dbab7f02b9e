"""Starting points: the file or the case that a game begins with in; its layout, seed and seat out."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilewright.authoring.case_files import case_of
from tilewright.authoring.open_rules import CannotBegin
from tilewright.base.document import parse_bytes
from tilewright.base.node import plain
from tilewright.base.problem import Place, Problem, RulesetError, Source
from tilewright.cli.output import opened
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.play.layout import KEYS, TableLayout, read_layout
from tilewright.play.rules import Rules
from tilewright.scoring.case_hands import read_seat
from tilewright.scoring.case_mistakes import CaseError

MOST_BYTES = 1 << 20
MOST_LINES = 100_000
# keys of cases outside a layout
BESIDE = ("id", "ruleset", "name", "about", "source", "seed", "play", "expect")


@dataclass(frozen=True, slots=True)
class StartingPoint:
    """Where a game begins, its shuffle, and the seat of the layout's owner."""

    layout: TableLayout
    seed: int | None
    seat: int | None
    place: Place | None

    def players(self, data: CompiledRuleset) -> tuple[int, ...]:
        """The player of each seat of the first hand."""
        seating = data.play.match.seating if data.play is not None else ()
        by_round = 0 < self.layout.round <= len(seating)
        places = seating[self.layout.round - 1] if by_round else tuple(range(data.seats.count))
        at = 0 if self.layout.dealer is None else places.index(self.layout.dealer)
        return (*places[at:], *places[:at])


def starting_point(rules: Rules, file: Path | None, case: str | None) -> StartingPoint:
    """The layout in a file, or the case of this id in it; without a file, a case of the ruleset. Raises RulesetError,
    CannotBegin."""
    found, place = written(rules.data, file, case)
    if options := found.get("options"):
        hint = " ".join(f"--set {name}={value}" for name, value in options.items()) if isinstance(options, dict) else ""
        raise CannotBegin(f"case {case} has its own options", hint or None)
    try:
        layout = read_layout(rules, {key: value for key, value in found.items() if key in KEYS or key not in BESIDE})
        seed = found.get("seed")
        if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool)):
            raise CaseError("wrong-value", f"seed is a whole number, not {seed!r:.40}")
    except CaseError as error:
        raise RulesetError([Problem(error.code, error.message, place, error.hint)]) from None
    return StartingPoint(layout, seed, read_seat(rules.data, found.get("seat_wind"), "seat_wind"), place)


def written(data: CompiledRuleset, file: Path | None, case: str | None) -> tuple[Mapping[str, Any], Place | None]:
    """The keys, and their places. Raises RulesetError, CannotBegin."""
    if file is None:
        entries = {entry.id: entry for entry in data.cases if "play" in entry.case}
        if case not in entries:
            known = ", ".join(entries) or "none"
            raise CannotBegin(f"{data.id} has no case '{case}' with a play", f"there is {known}")
        return entries[case].case, entries[case].place
    if file.suffix.lower() == ".jsonl":
        return line_called(file, case)
    if case is not None:
        raise CannotBegin(
            f"{file} describes one table", "leave out --case; cases by id are in a ruleset or a .jsonl file"
        )
    with opened(str(file)) as stream:
        content = stream.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise CannotBegin(f"{file} is larger than {MOST_BYTES >> 20} MB")
    found = plain(parse_bytes(content, str(file)))
    assert isinstance(found, dict)
    return found, Place(Source(str(file), content.decode("utf-8", "replace")), 1, 1)


def line_called(file: Path, case: str | None) -> tuple[Mapping[str, Any], Place]:
    """The case of this id, or the only one. Raises RulesetError, CannotBegin."""
    found: list[tuple[Mapping[str, Any], Place]] = []
    names: list[str] = []
    for number, line in lines_of(file):
        place = Place(Source(str(file), "\n" * (number - 1) + line), number, 1)
        try:
            one = case_of(line)
        except CaseError as error:
            raise RulesetError([Problem(error.code, error.message, place, error.hint)]) from None
        names.append(str(one.get("id")))
        if case is None or names[-1] == case:
            found.append((one, place))
    if len(found) == 1:
        return found[0]
    hint = f"there is {', '.join(names[:20])}" if names else None
    if not found:
        raise CannotBegin(f"{file} has no case" + (f" '{case}'" if case else ""), hint)
    which = f" '{case}'" if case else ""
    raise CannotBegin(
        f"{file} has {len(found)} cases{which}", "give each an id of its own" if case else f"--case ID: {hint}"
    )


def lines_of(file: Path) -> Iterator[tuple[int, str]]:
    """The lines that are not empty, with their numbers."""
    with opened(str(file)) as stream:
        for number, line in enumerate(stream, 1):
            if number > MOST_LINES or len(line) > MOST_BYTES:
                raise CannotBegin(f"{file} has more than {MOST_LINES:,} lines, or one that is not a case")
            if line.strip():
                yield number, line.decode("utf-8", "replace").rstrip("\n")
