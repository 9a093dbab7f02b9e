"""The report as one page that fetches nothing: figures in, HTML out, with charts that need no script.

Readable in light and dark, on a phone and on paper. Decides nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

from tilewright.base.texts.visible import seen
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.players.levels import BOTS
from tilewright.players.simulation.estimates import Difference, Estimate
from tilewright.report.charts import Column, IntervalRow, Spot, histogram_chart, interval_chart, spot_chart
from tilewright.report.figures import Bar, PatternFigure, Report, RulesFigures, StandingOut
from tilewright.report.style import STYLE
from tilewright.report.words import NOTHING, ReportWords

SHARES = ("drawn", "win.", "seat_wins.", "behind", "pattern.", "taken.")  # differences in percentage points
MINOR = ("report.hands_with", "report.before", "report.offered")  # columns for which a phone has no room
STANDING = ("report.pattern", "report.before", "report.after")
MOST_FOUND = 12  # differences in a chart


def page(report: Report, data: CompiledRuleset, language: str) -> str:
    """The whole page. `data`: the rules that were played."""
    return "\n".join(ReportPage(report, ReportWords(data, language)).lines()) + "\n"


@dataclass(frozen=True)
class ReportPage:
    """The page of a report in a language."""

    report: Report
    words: ReportWords

    def say(self, id: str, **slots: object) -> str:
        """A message, for HTML."""
        return escape(self.words.say(id, **slots))

    def lines(self) -> Iterator[str]:
        """The page, line by line."""
        title = self.say("report.title", name=self.title(self.report.rules))
        yield "<!DOCTYPE html>"
        yield f'<html lang="{escape(self.words.language)}">'
        yield '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        yield f"<title>{title}</title><style>{STYLE}</style></head><body><main>"
        yield f"<header><h1>{title}</h1><p>{self.played()}</p></header>"
        yield from self.key_figures()
        parts = (self.compared, self.hands, self.patterns, self.seats, self.matches, self.offers, self.skill)
        for part in parts:
            yield from part()
        yield f"<footer>{self.method()}</footer></main></body></html>"

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
            players=self.words.say("base.comma").join(self.bot(name) for name in players),
        ) + (self.say("report.failed", count=report.failed) if report.failed else "")

    def bot(self, name: str) -> str:
        return self.words.say(f"report.bot_{name}") if name in BOTS else name

    def key_figures(self) -> Iterator[str]:
        """The figures that one asks for first."""
        report, seats = self.report, self.report.seats
        yield '<dl class="figures">'
        yield self.figure("report.without_winner", report.drawn, True)
        yield self.figure("report.length", report.length, False)
        yield self.figure("report.value", report.value, False, self.words.unit(report.unit))
        yield self.figure("report.moved", report.moved, False)
        if report.lead.changes:
            yield self.figure("report.lead_changes", report.lead.changes, False)
        if seats:
            yield self.figure("report.dealer_points", seats[0].points, False, signed=True, label_slot=seats[0].seat)
        for one in report.skill:
            if one.won and one.won.low is not None:
                yield self.figure("report.skill_won", one.won, True, label_slot=self.bot(one.others))
        yield "</dl>"

    def figure(
        self, id: str, found: Estimate | None, percent: bool, unit: str = "", signed: bool = False, label_slot: str = ""
    ) -> str:
        """A large number with its interval."""
        label = self.say(id, of=label_slot) if label_slot else self.say(id)
        if found is None:
            return f"<div><dt>{label}</dt><dd>{NOTHING}</dd></div>"
        value = escape(self.words.value(found, percent, signed))
        interval = escape(self.words.interval(found, percent, signed))
        more = f" <small>{text(unit)}</small>" if unit else ""
        return f'<div><dt>{label}</dt><dd>{value}{more}<span class="soft">{interval}</span></dd></div>'

    # --- hands

    def hands(self) -> Iterator[str]:
        """How hands end, how long they are, what wins are worth."""
        report = self.report
        yield self.begin("hands")
        rows = []
        for one in report.ends:
            phase = "" if one.ended in (None, "exhausted") else str(one.ended).replace("_", " ")
            name, found = self.words.say(f"report.end_{one.kind}", phase=phase), one.of_hands
            if found is None:
                name, found = self.words.say("report.of_all_wins", end=name), one.of_wins
            assert found is not None
            rows.append(self.row(name, found, True))
        yield self.chart("report.ends", interval_chart(rows, "percent"))
        if report.lengths:
            legend = (("first", "report.won"), ("second", "report.without_winner"))
            columns = list(self.columns(report.lengths, "report.told_length"))
            drawn = histogram_chart(columns, self.words.say("report.tiles_drawn"), self.words.say("report.of_hands"))
            yield self.chart("report.lengths", drawn, legend)
        if report.values:
            columns = list(self.columns(report.values, "report.told_value"))
            unit = self.words.unit(report.unit)
            yield self.chart("report.values", histogram_chart(columns, unit, self.words.say("report.of_wins")))
        yield "</div></section>"

    def columns(self, bars: Sequence[Bar], told: str) -> Iterator[Column]:
        """The bars of a histogram as shares of all."""
        whole = sum(bar.won + bar.nobody for bar in bars) or 1
        for bar in bars:
            low, high = f"{bar.low:,g}", f"{bar.high:,g}"
            span = low if bar.low == bar.high else f"{low}–{high}"
            share = self.words.percent((bar.won + bar.nobody) / whole)
            words = self.words.say(told, at=span, share=share, count=bar.won + bar.nobody)
            yield Column(low, bar.low, bar.high, bar.won / whole, bar.nobody / whole, words)

    # --- patterns

    def patterns(self) -> Iterator[str]:
        """How often each comes, beside its worth."""
        report = self.report
        if not report.patterns:
            return
        yield self.begin("patterns", "report.patterns_lead", uneven=True)
        yield '<div class="stack">'
        for measure in dict.fromkeys(one.measure for one in report.patterns):
            spots = list(self.spots([one for one in report.patterns if one.measure == measure]))
            if len(spots) > 2:
                unit = self.words.unit(measure) if measure else self.words.say("report.worth")
                drawn = spot_chart(
                    spots, self.words.say("report.worth_in", unit=unit), self.words.say("report.of_wins")
                )
                yield self.chart("report.worth_chart", drawn, shapes=True, slot=unit)
        yield f'</div><div class="beside">{"".join(self.standing_out())}{self.pattern_table()}</div></div>'
        never = [one for one in report.patterns if not one.hands]
        if never:
            names = self.words.say("base.comma").join(self.words.name(one.name, one.id) for one in never)
            bound = max((one.of_wins.high for one in never if one.of_wins and one.of_wins.high), default=None)
            yield f"<h3>{self.say('report.never', count=len(never))}</h3><p>{text(names)}</p>"
            if bound is not None:
                yield f'<p class="soft">{self.say("report.never_bound", share=self.words.percent(bound))}</p>'
        yield "</section>"

    def spots(self, patterns: Sequence[PatternFigure]) -> Iterator[Spot]:
        """The patterns that came, as points."""
        for one in patterns:
            share = one.of_wins
            if share is None or not one.hands or one.worth is None:
                continue
            told = self.words.told(self.words.name(one.name, one.id), share, True)
            words = f"{told}{self.words.say('base.semicolon')}{self.words.worth(one.worth, one.measure)}"
            kind, mark = one.stands_out or "plain", str(self.numbers.get(one.id, ""))
            yield Spot(one.worth, share.value, share.low, share.high, kind, mark, words)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The numbers of patterns that stand out, in chart and list."""
        found = [one for one in self.report.patterns if one.stands_out]
        found.sort(key=lambda one: (str(one.stands_out), -len(one.commoner_and_dearer or one.rarer_and_cheaper)))
        return {one.id: at for at, one in enumerate(found, 1)}

    def standing_out(self) -> Iterator[str]:
        """The patterns that are too cheap or too dear, and beside what."""
        known = {one.id: one for one in self.report.patterns}
        for kind in ("rare_and_cheap", "common_and_dear"):
            found = [known[id] for id in self.numbers if known[id].stands_out == kind]
            if not found:
                continue
            yield f'<h3><span class="key {kind}"></span>{self.say(f"report.{kind}")}</h3>'
            yield f'<p class="soft">{self.say(f"report.{kind}_lead")}</p><ol class="numbered">'
            for one in found:
                beside = one.commoner_and_dearer if kind == "rare_and_cheap" else one.rarer_and_cheaper
                why = self.say(f"report.{kind}_why", count=len(beside))
                name = text(self.words.name(one.name, one.id))
                yield f'<li value="{self.numbers[one.id]}"><strong>{name}</strong> <span class="soft">{why}</span></li>'
            yield "</ol>"
        if not self.numbers:
            yield f"<p>{self.say('report.balanced')}</p>"

    def pattern_table(self) -> str:
        """Every pattern that came."""
        head = ("report.pattern", "report.worth", "report.hands_with", "report.of_wins", "report.interval_head")
        rows = []
        for one in self.report.patterns:
            if not one.hands or one.of_wins is None:
                continue
            worth = NOTHING if one.worth is None else self.words.worth(one.worth, one.measure)
            mark = f' <span class="key {one.stands_out}"></span>' if one.stands_out else ""
            rows.append(
                (
                    text(self.words.name(one.name, one.id)) + mark,
                    text(worth),
                    f"{one.hands:,}",
                    escape(self.words.percent(one.of_wins.value)),
                    escape(self.words.interval(one.of_wins, True)),
                )
            )
        return self.table(head, rows)

    # --- seats, matches, offers, skill

    def seats(self) -> Iterator[str]:
        """What a seat is worth."""
        found = self.report.seats
        if not found:
            return
        even = 1 / len(found)
        yield self.begin("seats", "report.seats_lead")
        rows = [self.row(self.seat(one.seat), one.points, False, True) for one in found]
        yield self.chart("report.seat_points", interval_chart(rows, "number", 0.0))
        won = self.report.won.value / len(found) if self.report.won else 0.0
        rows = [self.row(self.seat(one.seat), one.wins, True) for one in found]
        yield self.chart("report.seat_wins", interval_chart(rows, "percent", won))
        rows = [self.row(self.seat(one.seat), one.matches, True) for one in found if one.matches]
        if rows:
            yield self.chart("report.seat_matches", interval_chart(rows, "percent", even))
        yield "</div></section>"

    def seat(self, name: str) -> str:
        """A seat; the first is the dealer's."""
        return self.words.say("report.dealer", seat=name) if name == self.report.seats[0].seat else name

    def matches(self) -> Iterator[str]:
        """Lead changes and comebacks."""
        lead = self.report.lead
        if not lead.matches:
            return
        yield self.begin("matches", "report.matches_lead")
        yield '<dl class="figures wide">'
        yield self.figure("report.hands_of_match", self.report.hands_of_match, False)
        yield self.figure("report.lead_changes", lead.changes, False)
        yield self.figure("report.behind", lead.behind, True)
        yield self.figure("report.last", lead.last, True)
        yield "</dl></div></section>"

    def offers(self) -> Iterator[str]:
        """How often offers are there, and taken."""
        found = self.report.offers
        if not found:
            return
        yield self.begin("offers", "report.offers_lead", uneven=True)
        rows = [self.row(self.words.name(one.name, one.id), one.taken, True) for one in found]
        yield self.chart("report.taken", interval_chart(rows, "percent"))
        head = ("report.offer", "report.of_hand", "report.offered", "report.chosen", "report.taken_head")
        cells = [
            (
                text(self.words.name(one.name, one.id)),
                escape(self.words.number(one.of_hand.value)),
                f"{one.taken.of:,.0f}",
                f"{one.taken.count:,.0f}",
                escape(self.words.percent(one.taken.value)),
            )
            for one in found
        ]
        yield f'<div class="beside">{self.table(head, cells)}</div></div></section>'

    def skill(self) -> Iterator[str]:
        """What a strong player gains; only a note where too few matches were played to tell."""
        if not self.report.skill:
            return
        yield self.begin("skill", "report.skill_lead")
        points, won = [], []
        for one in self.report.skill:
            others, count = self.bot(one.others), one.matches
            label = self.words.say("report.against", others=others, count=count, count_shown=f"{count:,}")
            if one.won is None or one.points is None or one.won.low is None:
                yield f"<p>{self.say('report.too_few', label=label)}</p>"
            else:
                won.append(self.row(label, one.won, True))
                points.append(self.row(label, one.points, False, True))
        if won:
            yield self.chart("report.skill_matches", interval_chart(won, "percent", self.report.skill[0].chance))
            yield self.chart("report.skill_points", interval_chart(points, "number", 0.0))
        yield "</div></section>"

    # --- comparison

    def compared(self) -> Iterator[str]:
        """What other rules change."""
        found = self.report.comparison
        if found is None:
            return
        changed = [one for one in found.differences if one.found]
        title = self.say("report.compared", before=self.title(self.report.rules), after=self.title(found.rules))
        yield f'<section id="compared"><h2>{title}</h2>'
        lead = "report.compared_lead" if changed else "report.compared_nothing"
        lead = lead if found.at_most is None else "report.compared_same"
        lead = lead if found.tested else "report.compared_too_few"
        slots = {"tested": found.tested, "share": self.words.percent(found.at_most or 0)}
        yield f"<p>{self.say(lead, count=len(changed), matches=f'{self.report.matches:,}', **slots)}</p>"
        yield f"<p>{self.say('report.balance_before_after' if found.standing_out else 'report.balance_of_both')}</p>"
        if found.standing_out:
            yield self.table(STANDING, [self.standing_cells(one) for one in found.standing_out])
        shares = [one for one in changed if self.is_share(one)][:MOST_FOUND]
        if shares:
            rows = [self.change_row(one) for one in shares]
            yield f'<div class="charts">{self.chart("report.changes", interval_chart(rows, "percent", 0.0))}</div>'
        head = ("report.what", "report.before", "report.after", "report.difference", "report.interval_head")
        if changed:
            yield self.table(head, [self.change_cells(one) for one in changed])
        rest = [one for one in found.differences if not one.found]
        yield f"<details><summary>{self.say('report.unchanged', count=len(rest))}</summary>"
        yield f'<p class="soft">{self.say("report.too_rare")}</p>'
        yield self.table(head, [self.change_cells(one) for one in rest])
        yield "</details></section>"

    def standing_cells(self, one: StandingOut) -> tuple[str, ...]:
        """A pattern out of balance, before and after."""
        told = (NOTHING if how is None else self.words.say(f"report.{how}") for how in (one.before, one.after))
        return (text(self.words.name(one.name, one.id)), *map(escape, told))

    def is_share(self, one: Difference) -> bool:
        return one.key.startswith(SHARES)

    def what(self, one: Difference) -> str:
        """What differs."""
        comparison = self.report.comparison
        kind, _, id = one.key.partition(".")
        if kind == "win":
            return self.words.say(f"report.end_{id}", phase="")
        names = comparison.names.get(one.key, {}) if comparison else {}
        return self.words.say(f"report.diff_{kind}", of=self.words.name(names, id.replace("_", " ")))

    def change_row(self, one: Difference) -> IntervalRow:
        shown = self.words.points(one.value)
        return IntervalRow(self.what(one), one.value, one.low, one.high, shown, f"{self.what(one)}: {shown}")

    def change_cells(self, one: Difference) -> tuple[str, ...]:
        """A row of the table of differences."""
        is_share = self.is_share(one)
        value = self.words.percent if is_share else self.words.number
        change = self.words.points if is_share else self.words.signed
        interval = NOTHING
        if one.low is not None and one.high is not None:
            interval = self.words.say("report.interval", low=change(one.low), high=change(one.high))
        elif one.at_most is not None:
            interval = self.words.say("report.no_match_differs", share=self.words.percent(one.at_most))
        cells = (value(one.before), value(one.after), change(one.value), interval)
        return (text(self.what(one)), *map(escape, cells))

    # --- parts

    def begin(self, id: str, lead: str = "", uneven: bool = False) -> str:
        """A section up to its charts; `uneven`: a chart and a table beside it."""
        told = f"<p>{self.say(lead)}</p>" if lead else ""
        kind = "charts uneven" if uneven else "charts"
        return f'<section id="{id}"><h2>{self.say(f"report.section_{id}")}</h2>{told}<div class="{kind}">'

    def chart(
        self, title: str, drawn: str, legend: Sequence[tuple[str, str]] = (), shapes: bool = False, slot: str = ""
    ) -> str:
        """A chart with its title and legend."""
        label = self.say(title, of=slot) if slot else self.say(title)
        keys = [(kind, self.say(id)) for kind, id in legend]
        if shapes and self.numbers:
            keys = [(kind, self.say(f"report.{kind}")) for kind in ("rare_and_cheap", "common_and_dear")]
        shown = "".join(f'<span><span class="key {kind}"></span>{name}</span>' for kind, name in keys)
        under = f'<div class="legend">{shown}</div>' if shown else ""
        return f'<figure role="group" aria-label="{label}"><figcaption>{label}</figcaption>{drawn}{under}</figure>'

    def row(self, label: str, found: Estimate, percent: bool, signed: bool = False) -> IntervalRow:
        """A row of a chart of intervals."""
        shown, told = self.words.value(found, percent, signed), self.words.told(label, found, percent, signed)
        return IntervalRow(seen(label), found.value, found.low, found.high, shown, seen(told))

    def table(self, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
        """A table of cells that are HTML already; numbers from the second column on."""
        kinds = [' class="minor"' if id in MINOR else "" for id in head]
        cells = "".join(f"<th{kind}>{self.say(id)}</th>" for kind, id in zip(kinds, head, strict=True))
        each = (zip(kinds, row, strict=True) for row in rows)
        body = "".join(f"<tr>{''.join(f'<td{kind}>{cell}</td>' for kind, cell in row)}</tr>" for row in each)
        return f'<div class="table"><table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table></div>'

    # --- the end

    def method(self) -> str:
        """How it was played and worked out."""
        report = self.report
        lines = [
            self.say("report.method"),
            self.say(f"report.stopped_{report.stopped}", width=self.words.number(report.width)),
            self.say("report.made_by", version=report.version, seed=report.seed, digest=report.rules.digest[:12]),
        ]
        return "".join(f"<p>{line}</p>" for line in lines)


def text(words: str) -> str:
    """A text of a ruleset for HTML: visible and escaped."""
    return escape(seen(words))
