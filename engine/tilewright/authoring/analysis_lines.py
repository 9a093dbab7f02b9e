"""An analysis as lines for people and as data for programs. Finds nothing."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rich.text import Text

from tilewright.authoring.analysis import Analysis, Implied, NeverFound, WorthAndRarity
from tilewright.authoring.dead_options import DeadOption
from tilewright.base.problem import Place
from tilewright.language.documents.fields import section, texts
from tilewright.language.load import Elaborated
from tilewright.presentation.catalogue import say
from tilewright.presentation.names import RulesetNames
from tilewright.scoring.score import show_number

MOST_NAMED = 5  # patterns beside which one stands out
Line = tuple[Place | None, str]


@dataclass
class AnalysisLines:
    """Writes an analysis of a ruleset in a language."""

    found: Analysis
    opened: Elaborated
    language: str = "en"
    names: RulesetNames = field(init=False)

    def __post_init__(self) -> None:
        self.names = RulesetNames(self.opened.data, self.language)
        self.patterns = {one.id: self.names.name_of(one.id, one.name) for one in self.opened.data.patterns}

    def say(self, id: str, **slots: object) -> str:
        return say(id, self.language, **slots)

    def lines(self) -> Iterator[Text | str]:
        """The findings by kind, each behind its place; how many there are comes last."""
        found = self.found
        yield from self.part(self.say("analysis.title.never"), map(self.never, found.never))
        yield from self.part(self.say("analysis.title.implied"), map(self.implied, found.implied))
        yield from self.part(self.say("analysis.title.dead"), map(self.dead, found.dead))
        yield from self.part(self.say("analysis.title.out_of_line"), map(self.out_of_line, found.out_of_line))
        if not found.hands:
            yield Text(self.say("analysis.no_hands"), "yellow")
        if found.untried:
            yield Text(self.say("analysis.untried", names=self.joined(map(self.option, found.untried))), "yellow")
        count = found.findings
        summary = self.say("analysis.found", count=count, hands=found.hands, options=found.options)
        yield Text(f"{self.opened.data.id}: {summary}", "bold yellow" if count else "bold green")

    def part(self, title: str, lines: Iterable[Line]) -> Iterator[Text]:
        for number, (place, text) in enumerate(lines):
            if not number:
                yield Text(title, "bold")
            at = f"{place.source.name}:{place.line}:{place.column}: " if place is not None else ""
            yield Text.assemble("  ", (at, "dim"), text)

    def never(self, one: NeverFound) -> Line:
        name = self.patterns[one.pattern]
        if one.why:
            return one.place, self.say("analysis.impossible", name=name, why=one.why)
        return one.place, self.say("analysis.unseen", name=name, count=self.found.hands)

    def implied(self, one: Implied) -> Line:
        names = {"name": self.patterns[one.pattern], "other": self.patterns[one.other], "count": one.hands}
        text = self.say("analysis.together", **names) if one.mutual else self.say("analysis.implies", **names)
        return one.place, text

    def dead(self, one: DeadOption) -> Line:
        told = {"name": self.option(one.id), "values": ", ".join(one.values)}
        if one.hands is not None:
            return one.place, self.say("analysis.dead_hands", count=one.hands, **told)
        return one.place, self.say("analysis.dead_alone", **told) if one.alone else self.say("analysis.dead", **told)

    def out_of_line(self, one: WorthAndRarity) -> Line:
        told = {
            "name": self.patterns[one.id],
            "worth": f"{worth_text(one)} {self.names.measure(one.measure)}",
            "worth_rank": one.worth_rank,
            "rarity_rank": one.rarity_rank,
            "of": one.of,
            "hands": one.hands,
            "dealt": self.found.dealt,
            "beside": self.joined(self.patterns[id] for id in one.beside),
        }
        return one.place, self.say(f"analysis.out_of_line.{one.stands_out}", **told)

    def option(self, id: str) -> str:
        """The label of an option; its id if it has none."""
        return self.names.name_of(id, texts(section(self.opened.merged.full, "options", id).get("label")))

    def joined(self, names: Iterable[str]) -> str:
        found = list(names)
        return ", ".join(found[:MOST_NAMED]) + (", …" if len(found) > MOST_NAMED else "")

    # --- for programs

    def as_json(self) -> dict[str, Any]:
        found = self.found
        return {
            "ruleset": self.opened.data.id,
            "hands": found.hands,
            "dealt": found.dealt,
            "options": found.options,
            "untried": list(found.untried),
            "findings": [
                *(self.never_json(one) for one in found.never),
                *(self.implied_json(one) for one in found.implied),
                *(self.dead_json(one) for one in found.dead),
                *(self.out_of_line_json(one) for one in found.out_of_line),
            ],
        }

    def never_json(self, one: NeverFound) -> Mapping[str, Any]:
        kind = "impossible" if one.why else "unseen"
        return finding(kind, self.never(one), {"pattern": one.pattern, "why": one.why or None})

    def implied_json(self, one: Implied) -> Mapping[str, Any]:
        kind = "together" if one.mutual else "implies"
        return finding(kind, self.implied(one), {"pattern": one.pattern, "other": one.other, "hands": one.hands})

    def dead_json(self, one: DeadOption) -> Mapping[str, Any]:
        told = {"option": one.id, "values": list(one.values), "proven": one.hands is None, "alone": one.alone}
        return finding("dead-option", self.dead(one), {**told, "hands": one.hands})

    def out_of_line_json(self, one: WorthAndRarity) -> Mapping[str, Any]:
        told = {"pattern": one.id, "measure": one.measure, "worth": one.worth, "worth_rank": one.worth_rank}
        told |= {"hands": one.hands, "rarity_rank": one.rarity_rank, "of": one.of, "stands_out": one.stands_out}
        return finding("out-of-line", self.out_of_line(one), {**told, "beside": list(one.beside)})


def finding(kind: str, line: Line, told: Mapping[str, Any]) -> Mapping[str, Any]:
    """A finding as data: its kind, place and text, then what it is about."""
    place, text = line
    at: dict[str, Any] = {"file": None, "line": None, "column": None, "length": None}
    if place is not None:
        at = {"file": place.source.name, "line": place.line, "column": place.column, "length": place.length}
    return {"kind": kind, **at, "text": text, **told}


def worth_text(one: WorthAndRarity) -> str:
    return show_number(Fraction(one.worth or 0).limit_denominator())
