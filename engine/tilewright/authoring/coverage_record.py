"""The record of coverage: what hands and plays reach of a ruleset, while they are scored and played.

It opens rulesets with the places of their truths, follows expressions part by part as the tree walker evaluates them,
and is the watch of games. A side is a truth that decides something and is no `and`, `or` or `not` of others: each
operand of those, the test of an `if`, the body of a quantifier. Decides nothing about what ought to be reached.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cached_property, partial
from typing import Any

from tilewright.base.memory import Remembered
from tilewright.base.problem import Place
from tilewright.language.compiled.ir import Apply, Conditional, Const, Ir, PickedMembers, Quantifier, Term, children
from tilewright.language.compiled.ruleset import CompiledRuleset, PaymentLine
from tilewright.language.elaborate import ruleset_of
from tilewright.language.load import load_elaborated
from tilewright.language.sections.elaboration import begin
from tilewright.play.compile import compile_program
from tilewright.play.model import Won
from tilewright.play.operations import Watch
from tilewright.play.program import Program
from tilewright.play.rules import Rules
from tilewright.scoring.payments import Payment, PaymentQuery, carried_out, pairs
from tilewright.scoring.plain.judge import Values, Verdict, find_one, judge
from tilewright.scoring.plain.scene import HandScene, Situation
from tilewright.scoring.plain.walker import NO_LETTERS, as_set, evaluate, joined
from tilewright.scoring.rules import setting_text

Letters = Mapping[str, Any]
WIN = "win"
NO_SETTINGS: Mapping[str, object] = {}
Key = tuple[str, int]  # a source and an offset in it


@dataclass(frozen=True, slots=True)
class Side:
    """A truth that decides something. `owner`: what it belongs to, as `patterns.pinfu`."""

    owner: str
    place: Place

    @property
    def key(self) -> Key:
        return self.place.source.name, self.place.offset


@dataclass(slots=True)
class WrittenTruths:
    """Where truths are written, as lowering tells it. They are kept, so that their ids stay their own."""

    places: dict[int, Place] = field(default_factory=dict)
    kept: list[Ir] = field(default_factory=list)

    def note(self, ir: Ir, place: Place) -> None:
        """The truth is written there; that of a part of it is known already."""
        if isinstance(ir, Const) or id(ir) in self.places:
            return
        self.places[id(ir)] = place
        self.kept.append(ir)
        if isinstance(ir, Apply) and ir.op in ("and", "or", "not"):
            for part in ir.args:
                self.note(part, place)


def roots_of(data: CompiledRuleset) -> Iterator[tuple[str, Ir]]:
    """Every expression of a ruleset that scoring and play ask, with what it belongs to. How a table looks, which flags
    a case may have and what buttons do is not proven by examples."""
    for pattern in data.patterns:
        yield from owned(f"patterns.{pattern.id}", pattern)
    for form in data.forms:
        yield from owned(f"forms.{form.id}", form)
    for name, body in data.terms.items():
        yield f"terms.{name}", body
    for event, lines in data.payments.items():
        for line in lines:
            yield from owned(f"payments.{event}.{line.id}", line)
    yield from owned("scoring", data.scoring)
    if data.play is not None:
        for section in ("phases", "offers", "actions"):
            for name, entry in getattr(data.play, section).items():
                yield from owned(f"{section}.{name}", entry)
        for section in ("restrictions", "triggers"):
            for entry in getattr(data.play, section):
                yield from owned(f"{section}.{entry.id}", entry)
        yield from owned("match", data.play.match)


def owned(owner: str, part: object) -> Iterator[tuple[str, Ir]]:
    """Every expression inside some frozen data."""
    if isinstance(part, Ir):
        yield owner, part
    elif isinstance(part, tuple):
        for inner in part:
            yield from owned(owner, inner)
    elif isinstance(part, Mapping):
        for inner in part.values():
            yield from owned(owner, inner)
    elif is_dataclass(part):
        for one in fields(part):
            yield from owned(owner, getattr(part, one.name))


def sides_in(ir: Ir) -> Iterator[Ir]:
    """The truths of an expression that decide something; those of terms belong to the terms."""
    if ir.type == "truth" and not isinstance(ir, Const) and not is_junction(ir):
        yield ir
    for child in children(ir):
        if not (isinstance(ir, Term) and child is ir.body):
            yield from sides_in(child)


def is_junction(ir: Ir) -> bool:
    return isinstance(ir, Apply) and ir.op in ("and", "or", "not")


def sides_of(data: CompiledRuleset, written: WrittenTruths) -> Iterator[tuple[Ir, Side]]:
    """Every side of a ruleset that is written somewhere."""
    for owner, root in roots_of(data):
        for ir in sides_in(root):
            place = written.places.get(id(ir))
            if place is not None:
                yield ir, Side(owner, place)


@dataclass(frozen=True)
class WatchedRules(Rules):
    """Rules whose games are watched."""

    watch: Watch | None = None

    @cached_property
    def program(self) -> Program:
        return compile_program(self, self.watch)


@dataclass
class CoverageRecord:
    """What was reached. `reached`: how often each entry of a section (section, id); `outcomes`: how often each side
    held and failed; `sides`: every side of the rulesets that were opened; `settings`: the values of options with which
    something was tried."""

    written: WrittenTruths = field(default_factory=WrittenTruths)
    sides: dict[Key, Side] = field(default_factory=dict)
    outcomes: Counter[tuple[Key, bool]] = field(default_factory=Counter)
    reached: Counter[tuple[str, str]] = field(default_factory=Counter)
    settings: dict[str, set[object]] = field(default_factory=dict)
    keys: dict[int, Key] = field(default_factory=dict)  # of sides, by the id of their expression
    deep: dict[int, bool] = field(default_factory=dict)  # whether there are sides in an expression, by its id
    restrictions: dict[int, str] = field(default_factory=dict)  # by the id of their condition
    kept: list[CompiledRuleset] = field(default_factory=list)  # so that ids stay their own

    def open(self, name: str, settings: Mapping[str, object] = NO_SETTINGS, mods: Sequence[str] = ()) -> Rules:
        """The rules of a ruleset, watched. Raises RulesetError."""
        texts = {id: setting_text(value) for id, value in settings.items()}
        merged = load_elaborated(name, texts, mods).merged  # without errors
        data = ruleset_of(begin(merged, self.written.note))
        self.kept.append(data)
        for ir, side in sides_of(data, self.written):
            self.keys[id(ir)] = self.sides.setdefault(side.key, side).key
        if data.play is not None:
            self.restrictions |= {id(one.when): one.id for one in data.play.restrictions if one.when is not None}
        return WatchedRules(data, self)

    def tried(self, data: CompiledRuleset) -> None:
        """Something was tried with the options of these rules."""
        for name, value in data.options.items():
            self.settings.setdefault(name, set()).add(value)

    # --- what games tell

    def asks(self, ir: Ir, scene: Any, letters: Letters) -> None:
        restriction = self.restrictions.get(id(ir))
        if restriction is not None:
            self.reached["restrictions", restriction] += bool(self.follow(ir, scene, letters))
        elif self.has_sides(ir):
            self.follow(ir, scene, letters)

    def begins(self, section: str, name: str) -> None:
        self.reached[section, name] += 1

    def settles(self, payments: str, scene: Any) -> None:
        self.pay(payments, scene)

    def wins(self, won: Won) -> None:
        self.hand(Rules(won.scene.data), won.situation)

    # --- hands

    def hand(self, rules: Rules, situation: Situation) -> Values | None:
        """Follow the scoring of a hand: every reading, and the payments for a win. The measures of the best reading."""
        best: Verdict | None = None
        for scene in self.scenes(rules, situation):
            verdict = judge(scene)
            self.patterns(scene, verdict)
            if best is None or rules.judge.rank(verdict) > rules.judge.rank(best):
                best = verdict
        if best is None:
            return None
        if situation.won or rules.judge.for_everyone:
            self.reached.update(("patterns", one.pattern.id) for one in best.counted)
        if situation.won and best.short is None:
            known = Remembered(partial(self.loser, rules, situation), {situation.seat: best.values})
            if situation.pays:
                values_of = {seat: known[seat] for seat in range(rules.data.seats.count)}
                scene = rules.judge.scene(situation)
                self.pay(WIN, replace(scene, values=best.values, values_of=values_of))
        return best.values

    def scenes(self, rules: Rules, situation: Situation) -> Iterator[HandScene]:
        """The scenes of the readings that are forms; the conditions of forms are followed."""
        plain = rules.judge
        if situation.won:
            for reading in plain.won(situation):
                form = plain.forms[reading.form]
                if form.when is not None:
                    self.follow(form.when, plain.scene(situation, reading))
        yield from plain.scenes(situation)

    def patterns(self, scene: HandScene, verdict: Verdict) -> None:
        """Follow the patterns and measures of a reading."""
        for pattern in scene.data.patterns:
            if not (pattern.everyone or scene.situation.won):
                continue
            if pattern.when is not None:
                self.follow(pattern.when, scene)
            if pattern.late is not None:
                self.follow(pattern.late, verdict.others)
            if find_one(pattern, scene) is not None:
                written = pattern.exposed if not scene.concealed and pattern.exposed is not None else pattern.worth
                for ir in (*written.values(), *(() if pattern.times is None else (pattern.times,))):
                    self.follow(ir, scene)
        known = replace(scene, values=verdict.values)
        for measure in scene.data.scoring.measures:
            for part in (measure.start, measure.cap, measure.value):
                if part is not None:
                    self.follow(part, known)
        for _, least in scene.data.scoring.minimum:
            self.follow(least, known)

    def loser(self, rules: Rules, situation: Situation, seat: int) -> Values:
        """The measures of a seat that did not win, followed."""
        hand = situation.others.get(seat)
        if hand is not None and rules.judge.for_everyone:
            self.hand(rules, replace(situation, hand=hand, won=False, seat=seat, others={}))
        return rules.scores.values_of_loser(situation, seat)

    def pay(self, event: str, scene: PaymentQuery) -> None:
        """Follow the lines of payments."""
        before: list[Payment] = []
        for line in scene.data.payments.get(event, ()):
            for _, _, here in pairs(line, scene, self.follow):
                if line.when is None or self.follow(line.when, here):
                    for ir in parts_of(line):
                        self.follow(ir, here)
            found = [charge.payment for charge in carried_out(line, scene, before)]
            before += found
            self.reached["payments", f"{event}.{line.id}"] += bool(found)

    # --- expressions

    def follow(self, ir: Ir, scene: Any, letters: Letters = NO_LETTERS) -> Any:
        """The value of an expression; each side of it that is asked is recorded."""
        value = self.value(ir, scene, letters) if self.has_sides(ir) else evaluate(ir, scene, letters)
        key = self.keys.get(id(ir))
        if key is not None:
            self.outcomes[key, bool(value)] += 1
        return value

    def has_sides(self, ir: Ir) -> bool:
        """Whether the expression, or something in it, is a side."""
        known = self.deep.get(id(ir))
        if known is None:
            inner = [self.has_sides(child) for child in children(ir)]
            known = self.deep[id(ir)] = id(ir) in self.keys or any(inner)
            self.written.kept.append(ir)
        return known

    def value(self, ir: Ir, scene: Any, letters: Letters) -> Any:
        """The value, its parts followed as far as the tree walker evaluates them."""
        match ir:
            case Apply(op="and" | "or" as op, args=args):
                return joined((self.follow(arg, scene, letters) for arg in args), op == "or")
            case Apply(op="not", args=(arg,)):
                self.follow(arg, scene, letters)
            case Conditional(test=test, then=then, other=other):
                self.follow(then if self.follow(test, scene, letters) else other, scene, letters)
            case Term(of=None, name=name, body=body):
                if not scene.fixed(name):
                    self.follow(body, scene, letters)
            case Term(of=of, body=body) if of is not None:
                for seat in self.follow(of, scene, letters):
                    there = scene.of_seat(seat)
                    if not there.fixed(ir.name):
                        self.follow(body, there, letters)
            case Quantifier():
                self.members(ir, scene, letters)
            case PickedMembers(test=test, seats=seats):
                for seat in self.follow(seats, scene, letters):
                    self.follow(test, scene.of_seat(seat), letters)
            case _:
                for child in children(ir):
                    self.follow(child, scene, letters)
        return evaluate(ir, scene, letters)

    def members(self, ir: Quantifier, scene: Any, letters: Letters) -> None:
        """Follow the body for each member, up to the one that decides."""
        single = ir.domain.type not in ("number", "suits", "names")
        for member in as_set(self.follow(ir.domain, scene, letters)):
            bound = {**letters, ir.letter: (member,) if single else member}
            holds = self.follow(ir.body, scene, bound)
            if ir.op in ("any", "all") and bool(holds) is (ir.op == "any"):
                return


def parts_of(line: PaymentLine) -> Iterator[Ir]:
    """The expressions of a line that are asked where it holds."""
    yield from line.instead
    yield from (ir for ir in (line.times, line.round_up) if ir is not None)
    yield line.amount
    yield from line.double
