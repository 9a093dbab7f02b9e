"""A comparison as lines for people, as data for programs, and as workflow commands."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, groupby
from typing import Any

from rich.text import Text

from tilewright.authoring.layout import flow
from tilewright.presentation.catalogue import say
from tilewright.presentation.names import RulesetNames
from tilewright.presentation.problems import escaped
from tilewright.rulebook.changes import FactChange, RuleChange, disclosed
from tilewright.rulebook.comparison import Comparison
from tilewright.rulebook.differences import GameChange, HandChange, HandResult
from tilewright.rulebook.sides import Options
from tilewright.scoring.score import json_number, show_number

MOST_SHOWN = 8  # hands, and games
MOST_REASONS = 5
SIGNS: Mapping[str, tuple[str, str]] = {
    "added": ("+", "green"),
    "removed": ("−", "red"),
    "renamed": ("~", "yellow"),
    "changed": ("~", "yellow"),
}
TITLES: Mapping[str, str] = {  # of sections that rulebooks call otherwise
    "restrictions": "forbidden",
    "triggers": "automatic",
    "terms": "words",
}
OWN_TITLES = ("game", "phases", "offers", "table", "rest", "disclosed")
STYLES = {"none": "bold green", "fix": "bold green", "addition": "bold green", "breaking": "bold red"}


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """A line about a change, a hand or a game. `text`: what it is; `more`: the lines below it. Of a `change` of the
    rules, `name` says what changed."""

    text: str
    more: tuple[str, ...] = ()
    name: str = ""
    change: RuleChange | None = None


@dataclass(frozen=True, slots=True)
class ChangeSection:
    """Changes under a title; a title alone stands above the parts that follow."""

    title: str
    lines: tuple[ChangeLine, ...] = ()


class ComparisonLines:
    """Writes a comparison in a language."""

    def __init__(self, found: Comparison, language: str = "en") -> None:
        self.found, self.language = found, language
        self.old, self.new = (RulesetNames(side.rules.data, language) for side in (found.old, found.new))

    def say(self, id: str, **slots: object) -> str:
        return say(id, self.language, **slots)

    def lines(self) -> Iterator[Text | str]:
        """All of it; the verdict comes last."""
        parts = (self.disclosed(), self.rules(), self.hands(), self.plays(), self.games(), self.others())
        yield from self.text_lines(chain(*parts))
        yield Text(self.verdict(), STYLES[self.found.verdict])

    def text_lines(self, parts: Iterable[ChangeSection]) -> Iterator[Text | str]:
        """Parts as lines, indented."""
        colon = self.say("rulebook.frame.colon")
        for part in parts:
            yield Text(part.title, "bold")
            for one in part.lines:
                if one.change is None:
                    yield f"  {one.text}"
                else:
                    sign, style = SIGNS[one.change.what]
                    more = f"{colon}{one.text}" if one.text else ""
                    yield Text.assemble("  ", (f"{sign} {one.name}", style), more)
                yield from (f"      {line}" for line in one.more)

    # --- rules

    def disclosed(self) -> Iterator[ChangeSection]:
        """What the new rules show to players and the old ones do not."""
        if not self.found.changes:
            return
        lines = [
            ChangeLine(one.text, (self.say("changes.hidden", hidden=", ".join(one.hidden)),) if one.hidden else ())
            for one in disclosed(self.found.new, self.found.old)
        ]
        if lines:
            yield ChangeSection(self.title("disclosed"), tuple(lines))

    @property
    def shown(self) -> list[RuleChange]:
        """The changes that are more than another explanation."""
        return [one for one in self.found.changes if not one.is_note and not one.is_elsewhere]

    def rules(self) -> Iterator[ChangeSection]:
        """What changes for players."""
        if self.found.differs:
            yield from self.changes(self.shown)

    def others(self) -> Iterator[ChangeSection]:
        """What no hand and no game shows, and what is explained otherwise."""
        found, shown = self.found, self.shown
        if shown and not found.differs:
            yield ChangeSection(self.say("changes.not_shown"))
            yield from self.changes(shown)
        if others := [one.name for one in found.changes if one.is_elsewhere]:
            yield ChangeSection(self.say("changes.elsewhere", names=self.some(others)))
        if notes := [one for one in found.changes if one.is_note and not one.is_elsewhere]:
            yield ChangeSection(self.say("changes.notes"))
            yield from self.changes(notes)

    def changes(self, changes: list[RuleChange]) -> Iterator[ChangeSection]:
        for section, members in groupby(changes, key=lambda one: one.section):
            yield ChangeSection(self.title(section), tuple(map(self.change, members)))

    def title(self, section: str) -> str:
        """The name of a section, as rulebooks have it."""
        if section in OWN_TITLES:
            return self.say(f"changes.section.{section}")
        return self.say(f"rulebook.title.{TITLES.get(section, section)}")

    def change(self, one: RuleChange) -> ChangeLine:
        """An entry: in one line where all of it comes or goes."""
        name = f"{one.name} ({self.under(one.options)})" if one.options else one.name
        if one.what in ("added", "removed"):
            return ChangeLine(
                " ".join(text for fact in one.facts for text in ended(fact.now or fact.was)), (), name, one
            )
        more = [self.say("changes.renamed", was=one.was, now=one.id)] if one.what == "renamed" else []
        more += [line for fact in one.facts for line in self.fact(fact)]
        return ChangeLine("", tuple(more), name, one)

    def fact(self, fact: FactChange) -> Iterator[str]:
        """What was said and is said: side by side if it is one sentence for one, else below each other."""
        label = self.say(f"changes.about.{fact.about}") + self.say("rulebook.frame.colon")
        if fact.through:
            yield label + self.say("changes.through", terms=", ".join(fact.through))
        elif len(fact.now) == 1 and len(fact.was) == 1:
            yield label + self.say("changes.now_was", now=fact.now[0], was=fact.was[0])
        elif not fact.now and not fact.was:
            yield label + self.say("changes.unsaid")
        else:
            yield from (label + self.say("changes.no_longer", text=text) for text in fact.was)
            yield from (label + self.say("changes.newly", text=text) for text in fact.now)

    def under(self, options: Options) -> str:
        return self.say("changes.under", options=", ".join(f"{id}={value}" for id, value in options))

    # --- hands and games

    def hands(self) -> Iterator[ChangeSection]:
        if not self.found.hands:
            return
        lines = [
            ChangeLine(self.hand_text(one), (f"{self.result(one.was, self.old)} → {self.result(one.now, self.new)}",))
            for one in self.hands_shown()
        ]
        yield ChangeSection(self.hands_title(), (ChangeLine(self.worths()), *lines))

    def hands_title(self) -> str:
        """How many hands come out otherwise."""
        found = self.found
        stated = sum(one.stated for one in found.hands)
        return self.say("changes.hands", count=len(found.hands), scored=found.scored, stated=stated or "")

    def worths(self) -> str:
        """How many of them are worth more, and less."""
        more = sum(one.now.total > one.was.total for one in self.found.hands)
        less = sum(one.now.total < one.was.total for one in self.found.hands)
        return self.say("changes.worths", more=more, less=less)

    def hands_shown(self) -> list[HandChange]:
        """The plainest of them, each once."""
        found = dict[tuple[str, Options], HandChange]()
        for one in sorted(self.found.hands, key=simplicity):
            found.setdefault((str(one.case), one.options), one)
        return list(found.values())[:MOST_SHOWN]

    def hand_text(self, one: HandChange) -> str:
        """The hand as a case."""
        text = ", ".join(f"{key}: {flow(value)}" for key, value in one.case.items())
        return f"{text} ({self.under(one.options)})" if one.options else text

    def result(self, one: HandResult, names: RulesetNames) -> str:
        """`3 han (Pinfu 1, Tsumo 1)`, or why it is no win."""
        if one.score is None:
            return self.say("changes.unreadable", why=one.error)
        if not one.score.win:
            return names.translated(one.score.reasons)
        unit = names.unit(one.score.unit, one.score.total)
        patterns = ", ".join(
            f"{names.translated(p.names) or p.name} {show_number(p.worth)}" for p in one.score.patterns
        )
        paid = "  ".join(f"{seat} {show_number(gain)}" for seat, gain in (one.score.payments or {}).items())
        why = "; ".join(filter(None, [patterns, paid]))
        return f"{show_number(one.score.total)} {unit}{f' ({why})' if why else ''}"

    def plays(self) -> Iterator[ChangeSection]:
        if plays := self.found.plays:
            lines = (ChangeLine(f"{one.id}: {one.problem}") for one in plays[:MOST_SHOWN])
            yield ChangeSection(self.say("changes.plays", count=len(plays)), tuple(lines))

    def games(self) -> Iterator[ChangeSection]:
        if games := self.found.games:
            lines = (ChangeLine(self.game_text(one)) for one in games[:MOST_SHOWN])
            yield ChangeSection(self.say("changes.games", count=len(games), played=self.found.played), tuple(lines))

    def game_text(self, one: GameChange) -> str:
        nothing = self.say("changes.nothing")
        id = "changes.game_asks" if one.asks else "changes.game"
        where = {"number": one.number, "players": one.players, "hand": one.hand, "event": one.event}
        return self.say(id, **where, was=one.was or nothing, now=one.now or nothing)

    # --- the verdict

    def verdict(self) -> str:
        """The last line."""
        why = self.why()
        return self.outcome() + (self.say("rulebook.frame.colon") + why if why else "")

    def outcome(self) -> str:
        """The verdict without its reasons."""
        found = self.found
        if found.verdict != "none":
            return self.say(f"changes.verdict.{found.verdict}")
        if not found.scored and not found.played:
            return self.say("changes.verdict.same")
        return self.say("changes.verdict.none", scored=found.scored, played=found.played)

    def why(self) -> str:
        """The reasons for the verdict; empty if there are none."""
        return self.some(self.reasons()) if self.found.verdict != "none" else ""

    def some(self, texts: list[str]) -> str:
        """The first of some texts, and how many more there are."""
        left = len(texts) - MOST_REASONS
        more = [self.say("changes.more", count=left)] if left > 0 else []
        return self.say("rulebook.frame.semicolon").join([*texts[:MOST_REASONS], *more])

    def reasons(self) -> list[str]:
        return [self.say(f"changes.breaks.{id}", **slots) for id, slots in self.found.reasons]

    # --- for programs

    def github(self) -> Iterator[str]:
        """A workflow command for each change, for the hands and games, and for the verdict."""
        found = self.found
        for one in found.changes:
            facts = [line for fact in one.facts for line in self.fact(fact)]
            title = f"{self.title(one.section)}: {one.name}"
            sign = SIGNS[one.what][0]
            yield f"::notice title={escaped(title, more=':,')}::{escaped(' '.join([sign, one.name, *facts]))}"
        level = "warning" if found.verdict == "breaking" else "notice"
        counts = map(str, self.text_lines(chain(self.hands(), self.plays(), self.games())))
        yield f"::{level} title=tilewright diff::{escaped(chr(10).join([self.verdict(), *counts]))}"

    def as_json(self) -> dict[str, Any]:
        """The comparison as plain data."""
        found = self.found
        return {
            "verdict": found.verdict,
            "differs": found.differs,
            "reasons": self.reasons(),
            "changes": [change_json(one) for one in found.changes],
            "shows": [one.text for part in self.disclosed() for one in part.lines],
            "scored": found.scored,
            "hands": [hand_json(one) for one in found.hands],
            "plays": [{"case": one.id, "problem": one.problem, "options": dict(one.options)} for one in found.plays],
            "played": found.played,
            "games": [game_json(one) for one in found.games],
        }


def ended(sentences: tuple[str, ...]) -> Iterator[str]:
    """The sentences, each with its full stop."""
    for one in sentences:
        yield one if one.endswith((".", "。", "!", "?")) else f"{one}."


def simplicity(one: HandChange) -> tuple[bool, bool, int]:
    """Hands that are stated and short come first."""
    return not one.stated, bool(one.options), len(str(one.case))


def change_json(one: RuleChange) -> dict[str, Any]:
    facts = [
        {"about": fact.about, "was": list(fact.was), "now": list(fact.now), "through": list(fact.through)}
        for fact in one.facts
    ]
    was = {"was": one.was} if one.was else {}
    options = {"options": dict(one.options)} if one.options else {}
    return {"section": one.section, "id": one.id, "what": one.what, "name": one.name, **was, **options, "facts": facts}


def hand_json(one: HandChange) -> dict[str, Any]:
    return {
        "case": {key: value if isinstance(value, str | bool | int) else flow(value) for key, value in one.case.items()},
        "options": dict(one.options),
        "stated": one.stated,
        "was": result_json(one.was),
        "now": result_json(one.now),
    }


def result_json(one: HandResult) -> dict[str, Any]:
    if one.score is None:
        return {"error": one.error}
    payments = one.score.payments
    paid = {} if payments is None else {"payments": {seat: json_number(gain) for seat, gain in payments.items()}}
    return one.score.worth_json() | paid


def game_json(one: GameChange) -> dict[str, Any]:
    return {
        "game": one.number,
        "seed": one.seed,
        "players": one.players,
        "hand": one.hand,
        "event": one.event,
        "may": one.asks,
        "was": one.was,
        "now": one.now,
    }
