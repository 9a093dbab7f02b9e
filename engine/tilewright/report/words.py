"""Words of a report: numbers and names in a language. Knows no page."""

from collections.abc import Mapping
from dataclasses import dataclass

from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.players.simulation.estimates import Estimate
from tilewright.presentation.catalogue import chosen, say
from tilewright.presentation.names import RulesetNames

NOTHING = "–"


@dataclass(frozen=True)
class ReportWords:
    """The words for the report of a ruleset."""

    data: CompiledRuleset
    language: str

    def say(self, id: str, **slots: object) -> str:
        return say(id, self.language, **slots)

    def name(self, names: Mapping[str, str], id: str = "") -> str:
        return chosen(names, self.language) or id

    def unit(self, id: str, value: float = 2) -> str:
        """The word behind a number of a measure, by default behind several."""
        return RulesetNames(self.data, self.language).unit(id, 1 if value == 1 else 2)

    def worth(self, value: float, measure: str) -> str:
        """A number of a measure."""
        return f"{self.number(value)} {self.unit(measure, value)}"

    # --- numbers

    def percent(self, value: float) -> str:
        """A share; more digits for small ones."""
        digits = 1 if value == 0 or value >= 0.01 else 2 if value >= 0.001 else 3
        return f"{100 * value:.{digits}f}%"

    def number(self, value: float) -> str:
        """A number with about three digits; a small one with four decimals."""
        size = abs(value)
        digits = 0 if size >= 1000 or value == int(value) else 1 if size >= 10 else 2 if size >= 0.1 else 4
        return f"{value:,.{digits}f}".replace("-", "−")

    def signed(self, value: float) -> str:
        text = self.number(value)
        return f"+{text}" if value > 0 else text

    def points(self, value: float) -> str:
        """A difference of shares, in percentage points."""
        digits = 1 if abs(value) >= 0.01 or value == 0 else 2
        sign = "+" if value > 0 else ""
        return self.say("report.points", number=f"{sign}{100 * value:.{digits}f}".replace("-", "−"))

    # --- estimates

    def interval(self, found: Estimate, percent: bool, signed: bool = False) -> str:
        """The interval in brackets; empty if there is none."""
        if found.low is None or found.high is None:
            return ""
        write = self.percent if percent else self.signed if signed else self.number
        return self.say("report.interval", low=write(found.low), high=write(found.high))

    def value(self, found: Estimate, percent: bool, signed: bool = False) -> str:
        return self.percent(found.value) if percent else (self.signed if signed else self.number)(found.value)

    def told(self, label: str, found: Estimate, percent: bool, signed: bool = False) -> str:
        """A value in words."""
        interval = self.interval(found, percent, signed)
        return self.say("report.told", label=label, value=self.value(found, percent, signed), interval=interval)
