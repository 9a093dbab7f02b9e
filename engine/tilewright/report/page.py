"""The report as one page that fetches nothing: figures in, HTML out, with words of a language and charts that need no
script.

Readable in light and dark, on a phone and on paper. Decides nothing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import htpy as h
from markupsafe import Markup

from tilewright.base.spelling import seen
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.players.player import BOTS
from tilewright.players.simulation.estimates import Difference, Estimate
from tilewright.presentation.catalogue import chosen, say
from tilewright.presentation.markup import document, joined, lines
from tilewright.presentation.names import RulesetNames
from tilewright.report.charts import STYLE, Column, IntervalRow, Spot, histogram_chart, interval_chart, spot_chart
from tilewright.report.figures import Bar, PatternFigure, Report, RulesFigures, StandingOut

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


SHARES = ("drawn", "win.", "seat_wins.", "behind", "pattern.", "taken.")  # differences in percentage points
MINOR = ("report.hands_with", "report.before", "report.offered")  # columns for which a phone has no room
STANDING = ("report.pattern", "report.before", "report.after")
MOST_FOUND = 12  # differences in a chart

Row = tuple[h.Node, ...]  # of a table


def page(report: Report, data: CompiledRuleset, language: str) -> str:
    """The whole page. `data`: the rules that were played."""
    return ReportPage(report, ReportWords(data, language)).text()


@dataclass(frozen=True)
class ReportPage:
    """The page of a report in a language."""

    report: Report
    words: ReportWords

    def say(self, id: str, **slots: object) -> str:
        """A message."""
        return self.words.say(id, **slots)

    def text(self) -> str:
        """The page."""
        title = self.say("report.title", name=self.title(self.report.rules))
        parts = (self.compared, self.hands, self.patterns, self.seats, self.matches, self.offers, self.skill)
        content = h.main[
            h.header[h.h1[title], h.p[self.played()]],
            "\n",
            self.key_figures(),
            "\n",
            lines(one for part in parts if (one := part()) is not None),
            h.footer[self.method()],
        ]
        return document(self.words.language, title, STYLE, content)

    # --- the head

    def title(self, rules: RulesFigures) -> str:
        """The name of rules, with what was chosen."""
        chosen = [*rules.presets, *rules.mods, *rules.settings]
        name = self.words.name(rules.name, rules.id)
        return f"{name} ({', '.join(chosen)})" if chosen else name

    def played(self) -> str:
        """What was played."""
        report = self.report
        players = report.players[:1] if len(set(report.players)) == 1 else report.players
        return self.say(
            "report.played",
            matches=report.matches,
            matches_shown=f"{report.matches:,}",
            hands=f"{report.hands:,}",
            players=self.say("base.comma").join(self.bot(name) for name in players),
        ) + (self.say("report.failed", count=report.failed) if report.failed else "")

    def bot(self, name: str) -> str:
        return self.say(f"report.bot_{name}") if name in BOTS else name

    def key_figures(self) -> h.Element:
        """The figures that one asks for first."""
        report, seats = self.report, self.report.seats
        found = [
            self.figure("report.without_winner", report.drawn, True),
            self.figure("report.length", report.length, False),
            self.figure("report.value", report.value, False, self.words.unit(report.unit)),
            self.figure("report.moved", report.moved, False),
        ]
        if report.lead.changes:
            found.append(self.figure("report.lead_changes", report.lead.changes, False))
        if seats:
            dealer = seats[0]
            found.append(self.figure("report.dealer_points", dealer.points, False, signed=True, label_slot=dealer.seat))
        for one in report.skill:
            if one.won and one.won.low is not None:
                found.append(self.figure("report.skill_won", one.won, True, label_slot=self.bot(one.others)))
        return h.dl(".figures")[lines(found)]

    def figure(
        self, id: str, found: Estimate | None, percent: bool, unit: str = "", signed: bool = False, label_slot: str = ""
    ) -> h.Element:
        """A large number with its interval."""
        label = h.dt[self.say(id, of=label_slot) if label_slot else self.say(id)]
        if found is None:
            return h.div[label, h.dd[NOTHING]]
        more = [" ", h.small[unit]] if unit else None
        interval = h.span(".soft")[self.words.interval(found, percent, signed)]
        return h.div[label, h.dd[self.words.value(found, percent, signed), more, interval]]

    # --- hands

    def hands(self) -> h.Element:
        """How hands end, how long they are, what wins are worth."""
        report = self.report
        rows = []
        for one in report.ends:
            phase = "" if one.ended in (None, "exhausted") else str(one.ended).replace("_", " ")
            name, found = self.say(f"report.end_{one.kind}", phase=phase), one.of_hands
            if found is None:
                name, found = self.say("report.of_all_wins", end=name), one.of_wins
            assert found is not None
            rows.append(self.row(name, found, True))
        charts = [self.chart("report.ends", interval_chart(rows, "percent"))]
        if report.lengths:
            legend = (("first", "report.won"), ("second", "report.without_winner"))
            columns = list(self.columns(report.lengths, "report.told_length"))
            drawn = histogram_chart(columns, self.say("report.tiles_drawn"), self.say("report.of_hands"))
            charts.append(self.chart("report.lengths", drawn, legend))
        if report.values:
            columns = list(self.columns(report.values, "report.told_value"))
            drawn = histogram_chart(columns, self.words.unit(report.unit), self.say("report.of_wins"))
            charts.append(self.chart("report.values", drawn))
        return self.section("hands", charts)

    def columns(self, bars: Sequence[Bar], told: str) -> Iterator[Column]:
        """The bars of a histogram as shares of all."""
        whole = sum(bar.won + bar.nobody for bar in bars) or 1
        for bar in bars:
            low, high = f"{bar.low:,g}", f"{bar.high:,g}"
            span = low if bar.low == bar.high else f"{low}–{high}"
            share = self.words.percent((bar.won + bar.nobody) / whole)
            words = self.say(told, at=span, share=share, count=bar.won + bar.nobody)
            yield Column(low, bar.low, bar.high, bar.won / whole, bar.nobody / whole, words)

    # --- patterns

    def patterns(self) -> h.Element | None:
        """How often each comes, beside its worth."""
        report = self.report
        if not report.patterns:
            return None
        charts = []
        for measure in dict.fromkeys(one.measure for one in report.patterns):
            spots = list(self.spots([one for one in report.patterns if one.measure == measure]))
            if len(spots) > 2:
                unit = self.words.unit(measure) if measure else self.say("report.worth")
                drawn = spot_chart(spots, self.say("report.worth_in", unit=unit), self.say("report.of_wins"))
                charts.append(self.chart("report.worth_chart", drawn, shapes=True, slot=unit))
        beside = h.div(".beside")[lines(self.standing_out()), self.pattern_table()]
        content = [h.div(".stack")[lines(charts)], beside]
        return self.section("patterns", content, "report.patterns_lead", uneven=True, below=lines(self.never()))

    def never(self) -> Iterator[h.Element]:
        """The patterns that never came."""
        never = [one for one in self.report.patterns if not one.hands]
        if never:
            yield h.h3[self.say("report.never", count=len(never))]
            yield h.p[self.say("base.comma").join(self.words.name(one.name, one.id) for one in never)]
            bound = max((one.of_wins.high for one in never if one.of_wins and one.of_wins.high), default=None)
            if bound is not None:
                yield h.p(".soft")[self.say("report.never_bound", share=self.words.percent(bound))]

    def spots(self, patterns: Sequence[PatternFigure]) -> Iterator[Spot]:
        """The patterns that came, as points."""
        for one in patterns:
            share = one.of_wins
            if share is None or not one.hands or one.worth is None:
                continue
            told = self.words.told(self.words.name(one.name, one.id), share, True)
            words = f"{told}{self.say('base.semicolon')}{self.words.worth(one.worth, one.measure)}"
            kind, mark = one.stands_out or "plain", str(self.numbers.get(one.id, ""))
            yield Spot(one.worth, share.value, share.low, share.high, kind, mark, words)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The numbers of patterns that stand out, in chart and list."""
        found = [one for one in self.report.patterns if one.stands_out]
        found.sort(key=lambda one: (str(one.stands_out), -len(one.commoner_and_dearer or one.rarer_and_cheaper)))
        return {one.id: at for at, one in enumerate(found, 1)}

    def standing_out(self) -> Iterator[h.Element]:
        """The patterns that are too cheap or too dear, and beside what."""
        known = {one.id: one for one in self.report.patterns}
        for kind in ("rare_and_cheap", "common_and_dear"):
            found = [known[id] for id in self.numbers if known[id].stands_out == kind]
            if found:
                yield h.h3[key(kind), self.say(f"report.{kind}")]
                yield h.p(".soft")[self.say(f"report.{kind}_lead")]
                yield h.ol(".numbered")[lines(map(self.numbered, found))]
        if not self.numbers:
            yield h.p[self.say("report.balanced")]

    def numbered(self, one: PatternFigure) -> h.Element:
        """A pattern that is too cheap or too dear."""
        kind = one.stands_out
        beside = one.commoner_and_dearer if kind == "rare_and_cheap" else one.rarer_and_cheaper
        why = h.span(".soft")[self.say(f"report.{kind}_why", count=len(beside))]
        return h.li(value=self.numbers[one.id])[h.strong[self.words.name(one.name, one.id)], " ", why]

    def pattern_table(self) -> h.Element:
        """Every pattern that came."""
        head = ("report.pattern", "report.worth", "report.hands_with", "report.of_wins", "report.interval_head")
        rows: list[Row] = []
        for one in self.report.patterns:
            if not one.hands or one.of_wins is None:
                continue
            worth = NOTHING if one.worth is None else self.words.worth(one.worth, one.measure)
            mark = [" ", key(one.stands_out)] if one.stands_out else None
            share, interval = self.words.percent(one.of_wins.value), self.words.interval(one.of_wins, True)
            rows.append(([self.words.name(one.name, one.id), mark], worth, f"{one.hands:,}", share, interval))
        return self.table(head, rows)

    # --- seats, matches, offers, skill

    def seats(self) -> h.Element | None:
        """What a seat is worth."""
        found = self.report.seats
        if not found:
            return None
        even = 1 / len(found)
        rows = [self.row(self.seat(one.seat), one.points, False, True) for one in found]
        charts = [self.chart("report.seat_points", interval_chart(rows, "number", 0.0))]
        won = self.report.won.value / len(found) if self.report.won else 0.0
        rows = [self.row(self.seat(one.seat), one.wins, True) for one in found]
        charts.append(self.chart("report.seat_wins", interval_chart(rows, "percent", won)))
        rows = [self.row(self.seat(one.seat), one.matches, True) for one in found if one.matches]
        if rows:
            charts.append(self.chart("report.seat_matches", interval_chart(rows, "percent", even)))
        return self.section("seats", charts, "report.seats_lead")

    def seat(self, name: str) -> str:
        """A seat; the first is the dealer's."""
        return self.say("report.dealer", seat=name) if name == self.report.seats[0].seat else name

    def matches(self) -> h.Element | None:
        """Lead changes and comebacks."""
        lead = self.report.lead
        if not lead.matches:
            return None
        figures = (
            self.figure("report.hands_of_match", self.report.hands_of_match, False),
            self.figure("report.lead_changes", lead.changes, False),
            self.figure("report.behind", lead.behind, True),
            self.figure("report.last", lead.last, True),
        )
        return self.section("matches", [h.dl(".figures.wide")[lines(figures)]], "report.matches_lead")

    def offers(self) -> h.Element | None:
        """How often offers are there, and taken."""
        found = self.report.offers
        if not found:
            return None
        rows = [self.row(self.words.name(one.name, one.id), one.taken, True) for one in found]
        head = ("report.offer", "report.of_hand", "report.offered", "report.chosen", "report.taken_head")
        cells = [
            (
                self.words.name(one.name, one.id),
                self.words.number(one.of_hand.value),
                f"{one.taken.of:,.0f}",
                f"{one.taken.count:,.0f}",
                self.words.percent(one.taken.value),
            )
            for one in found
        ]
        charts = [self.chart("report.taken", interval_chart(rows, "percent"))]
        return self.section("offers", [*charts, h.div(".beside")[self.table(head, cells)]], "report.offers_lead", True)

    def skill(self) -> h.Element | None:
        """What a strong player gains; only a note where too few matches were played to tell."""
        if not self.report.skill:
            return None
        content, points, won = list[h.Element](), list[IntervalRow](), list[IntervalRow]()
        for one in self.report.skill:
            others, count = self.bot(one.others), one.matches
            label = self.say("report.against", others=others, count=count, count_shown=f"{count:,}")
            if one.won is None or one.points is None or one.won.low is None:
                content.append(h.p[self.say("report.too_few", label=label)])
            else:
                won.append(self.row(label, one.won, True))
                points.append(self.row(label, one.points, False, True))
        if won:
            drawn = interval_chart(won, "percent", self.report.skill[0].chance)
            content.append(self.chart("report.skill_matches", drawn))
            content.append(self.chart("report.skill_points", interval_chart(points, "number", 0.0)))
        return self.section("skill", content, "report.skill_lead")

    # --- comparison

    def compared(self) -> h.Element | None:
        """What other rules change."""
        found = self.report.comparison
        if found is None:
            return None
        changed = [one for one in found.differences if one.found]
        lead = "report.compared_lead" if changed else "report.compared_nothing"
        lead = lead if found.at_most is None else "report.compared_same"
        lead = lead if found.tested else "report.compared_too_few"
        slots = {"tested": found.tested, "share": self.words.percent(found.at_most or 0)}
        standing, shares = found.standing_out, [one for one in changed if self.is_share(one)][:MOST_FOUND]
        head = ("report.what", "report.before", "report.after", "report.difference", "report.interval_head")
        rest = [one for one in found.differences if not one.found]
        content = [
            h.p[self.say(lead, count=len(changed), matches=f"{self.report.matches:,}", **slots)],
            h.p[self.say("report.balance_before_after" if standing else "report.balance_of_both")],
        ]
        if standing:
            content.append(self.table(STANDING, [self.standing_cells(one) for one in standing]))
        if shares:
            drawn = interval_chart([self.change_row(one) for one in shares], "percent", 0.0)
            content.append(h.div(".charts")[self.chart("report.changes", drawn)])
        if changed:
            content.append(self.table(head, [self.change_cells(one) for one in changed]))
        return h.section("#compared")[
            h.h2[self.say("report.compared", before=self.title(self.report.rules), after=self.title(found.rules))],
            "\n",
            lines(content),
            h.details[
                h.summary[self.say("report.unchanged", count=len(rest))],
                h.p(".soft")[self.say("report.too_rare")],
                self.table(head, [self.change_cells(one) for one in rest]),
            ],
        ]

    def standing_cells(self, one: StandingOut) -> Row:
        """A pattern out of balance, before and after."""
        told = (NOTHING if how is None else self.say(f"report.{how}") for how in (one.before, one.after))
        return (self.words.name(one.name, one.id), *told)

    def is_share(self, one: Difference) -> bool:
        return one.key.startswith(SHARES)

    def what(self, one: Difference) -> str:
        """What differs."""
        comparison = self.report.comparison
        kind, _, id = one.key.partition(".")
        if kind == "win":
            return self.say(f"report.end_{id}", phase="")
        names = comparison.names.get(one.key, {}) if comparison else {}
        return self.say(f"report.diff_{kind}", of=self.words.name(names, id.replace("_", " ")))

    def change_row(self, one: Difference) -> IntervalRow:
        shown = self.words.points(one.value)
        return IntervalRow(self.what(one), one.value, one.low, one.high, shown, f"{self.what(one)}: {shown}")

    def change_cells(self, one: Difference) -> Row:
        """A row of the table of differences."""
        is_share = self.is_share(one)
        value = self.words.percent if is_share else self.words.number
        change = self.words.points if is_share else self.words.signed
        interval = NOTHING
        if one.low is not None and one.high is not None:
            interval = self.say("report.interval", low=change(one.low), high=change(one.high))
        elif one.at_most is not None:
            interval = self.say("report.no_match_differs", share=self.words.percent(one.at_most))
        return self.what(one), value(one.before), value(one.after), change(one.value), interval

    # --- parts

    def section(
        self, id: str, content: Iterable[h.Element], lead: str = "", uneven: bool = False, below: h.Node = None
    ) -> h.Element:
        """A section with its charts; `uneven`: a chart and a table beside it."""
        return h.section(id=id)[
            h.h2[self.say(f"report.section_{id}")],
            h.p[self.say(lead)] if lead else None,
            h.div(".charts.uneven" if uneven else ".charts")["\n", lines(content)],
            below,
        ]

    def chart(
        self, title: str, drawn: Markup, legend: Sequence[tuple[str, str]] = (), shapes: bool = False, slot: str = ""
    ) -> h.Element:
        """A chart with its title and legend."""
        label = self.say(title, of=slot) if slot else self.say(title)
        if shapes and self.numbers:
            legend = [(kind, f"report.{kind}") for kind in ("rare_and_cheap", "common_and_dear")]
        under = h.div(".legend")[joined(h.span[key(kind), self.say(id)] for kind, id in legend)] if legend else None
        return h.figure(role="group", aria_label=label)[h.figcaption[label], drawn, under]

    def row(self, label: str, found: Estimate, percent: bool, signed: bool = False) -> IntervalRow:
        """A row of a chart of intervals."""
        shown, told = self.words.value(found, percent, signed), self.words.told(label, found, percent, signed)
        return IntervalRow(seen(label), found.value, found.low, found.high, shown, seen(told))

    def table(self, head: Sequence[str], rows: Sequence[Row]) -> h.Element:
        """A table; numbers from the second column on."""
        kinds = ["minor" if id in MINOR else None for id in head]
        cells = joined(h.th(class_=kind)[self.say(id)] for kind, id in zip(kinds, head, strict=True))
        each = (zip(kinds, row, strict=True) for row in rows)
        body = lines(h.tr[joined(h.td(class_=kind)[cell] for kind, cell in row)] for row in each)
        return h.div(".table")[h.table[h.thead[h.tr[cells]], h.tbody[body]]]

    # --- the end

    def method(self) -> Markup:
        """How it was played and worked out."""
        report = self.report
        said = (
            self.say("report.method"),
            self.say(f"report.stopped_{report.stopped}", width=self.words.number(report.width)),
            self.say("report.made_by", version=report.version, seed=report.seed, digest=report.rules.digest[:12]),
        )
        return joined(h.p[one] for one in said)


def key(kind: str) -> h.Element:
    """The mark of a kind, beside its name."""
    return h.span(class_=["key", kind])
