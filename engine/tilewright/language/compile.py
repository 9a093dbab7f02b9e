"""Compiling: a whole ruleset in, everything that scoring needs as frozen data out, or every problem on the way.

Expects a whole whose shape and names are checked. Knows no hand; what templates stand for is found here, and so is a
form that uses up another number of tiles.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from collections.abc import Sequence as Several
from dataclasses import dataclass, field, replace
from fractions import Fraction

from tilewright.base.node import Mapping, Node, Scalar, plain
from tilewright.base.problem import Problem, RulesetError, has_errors
from tilewright.hands.group import Groups
from tilewright.hands.listed import Listing
from tilewright.hands.shape import Shape, Slot
from tilewright.language.compiled.ir import Case, Const, Ir, Want
from tilewright.language.compiled.ruleset import (
    CardData,
    CaseInRuleset,
    Example,
    Form,
    LeftOut,
    Mark,
    Measure,
    Pattern,
    PaymentLine,
    RulesetData,
    Scoring,
    Seats,
    Takes,
    Text,
    Zone,
)
from tilewright.language.documents.fields import (
    english,
    entries,
    flag,
    is_false,
    is_null,
    items,
    names,
    section,
    text,
    texts,
    titled,
)
from tilewright.language.documents.options import OptionSetting
from tilewright.language.documents.whole import Whole
from tilewright.language.expressions import folding
from tilewright.language.expressions.conditions import matches_of
from tilewright.language.expressions.lower import lower, lower_condition, lower_templates
from tilewright.language.expressions.magnitude import MAX_BITS, USUAL, bits
from tilewright.language.expressions.scope import Scope, declare, option_scope
from tilewright.language.expressions.terms import term_bodies
from tilewright.language.sections.amounts import amount_problems, amounts
from tilewright.language.sections.cards import bind
from tilewright.language.sections.groups import build_groups
from tilewright.language.sections.play import build_play
from tilewright.language.sections.tiles import removed_names, tiles_of
from tilewright.language.vocabulary.words import winner
from tilewright.tiles.tileset import TileSet


def compile_with_problems(whole: Whole) -> tuple[RulesetData | None, tuple[Problem, ...]]:
    """The compiled ruleset and what is odd about it; no ruleset if something is wrong in it."""
    try:
        tiles = build_tiles(whole)
        groups = build_groups(
            section(whole.document, "groups"),
            tiles,
            removed_names(whole.full, whole.document) | removed(whole),
            whole_numbers(whole),
        )
    except RulesetError as error:
        return None, error.problems
    compiler = Compiler(whole, tiles, groups, declare(whole, tiles, groups))
    data = compiler.data()
    problems = tuple(dict.fromkeys(compiler.problems))
    return (None if any(one.severity == "error" for one in problems) else data), problems


def build_tiles(whole: Whole) -> TileSet:
    """The tiles of a whole; raises RulesetError."""
    scope = option_scope(whole.options, whole.full.get("options"))
    return tiles_of(whole.document, whole.full, lambda node: known_number(node, scope), whole.options)


def known_number(node: Node, scope: Scope) -> int | Fraction:
    """A number that is made of options alone; raises RulesetError."""
    if not isinstance(node, Scalar):
        raise RulesetError([Problem("wrong-type", "a number is wanted here", node.place)])
    ir, problems = lower(node, "number", scope)
    if has_errors(problems):
        raise RulesetError(problems)
    if isinstance(ir, Const) and isinstance(ir.value, int | Fraction):
        return ir.value
    raise RulesetError([Problem("wrong-type", "a number that is known before the game is wanted here", node.place)])


def whole_numbers(whole: Whole) -> dict[str, int]:
    """Options that are whole numbers."""
    return {name: value for name, value in numbers(whole).items() if isinstance(value, int)}


def numbers(whole: Whole) -> dict[str, int | Fraction]:
    """Options that are numbers."""
    values = {name: value_of(setting) for name, setting in whole.options.items()}
    return {
        name: value
        for name, value in values.items()
        if isinstance(value, int | Fraction) and not isinstance(value, bool)
    }


def value_of(setting: OptionSetting) -> object:
    return setting.worth.value if isinstance(setting.worth, Scalar) else setting.chosen


def removed(whole: Whole) -> frozenset[str]:
    """Kinds of groups that an `if` took away."""
    return frozenset(section(whole.full, "groups").entries) - frozenset(section(whole.document, "groups").entries)


# --- the compiler


@dataclass(slots=True)
class Compiler:
    """Compiles one section after another and gathers problems."""

    whole: Whole
    tiles: TileSet
    groups: Groups
    scope: Scope
    problems: list[Problem] = field(default_factory=list)
    bits: dict[str, int] = field(default_factory=dict)  # of each measure and term

    def data(self) -> RulesetData:
        document = self.whole.document
        measures = tuple(self.measures())
        forms = tuple(self.forms())
        self.problems.extend(unequal_forms(document, forms, self.groups))
        return RulesetData(
            id=text(document, "id"),
            name=texts(document.get("name")),
            about=english(document, "about"),
            options={name: setting.chosen for name, setting in self.whole.options.items()},
            mods=mods_of(self.whole),
            presets=self.whole.presets,
            tiles=self.tiles,
            groups=self.groups,
            forms=forms,
            seats=self.seats(),
            zones=dict(self.zones()),
            marks=dict(self.marks()),
            terms=self.terms(),
            term_names=self.term_names(),
            scoring=self.scoring(measures),
            families=self.families(),
            sole=tuple(name for name, node in entries(self.whole.document, "families") if is_false(node, "others")),
            patterns=tuple(self.patterns(measures)),
            payments=dict(self.payments()),
            cases=tuple(self.cases()),
            left_out=tuple(left_out(self.whole)),
            play=build_play(self),
            wild_when=dict(self.wild_when()),
            group_names=names_in(document, "groups"),
            family_names=names_in(document, "families"),
            payment_names={id: names_in(document, "payments", id) for id, _ in entries(document, "payments")},
            digest=digest_of(self.whole),
        )

    # --- expressions

    def expression(self, node: Node | None, wanted: str, scope: Scope | None = None) -> Ir | None:
        """An expression, if there is one; after a mistake none."""
        if node is None or is_null(node) or not isinstance(node, Scalar):
            return None
        ir, problems = lower(node, wanted, scope or self.scope)
        self.problems.extend(problems)
        if ir is not None and ir.type == "number" and bits(ir, self.bits) > MAX_BITS:
            self.problems.append(too_large(node))
        return ir

    def needed(self, node: Node | None, wanted: str, scope: Scope | None = None) -> Ir:
        """An expression that has to be there; what is missing is a problem of the shape."""
        return self.expression(node, wanted, scope) or Const(wanted, 0)

    def condition(self, node: Node | None, scope: Scope | None = None) -> Ir | None:
        if node is None or is_null(node):
            return None
        ir, problems = lower_condition(node, scope or self.scope)
        self.problems.extend(problems)
        return ir

    def cases_of(self, node: Node | None, scope: Scope) -> tuple[Case, ...]:
        if node is None:
            return ()
        cases, problems = lower_templates(node, scope)
        self.problems.extend(problems)
        return cases

    # --- forms

    def forms(self) -> Iterator[Form]:
        for name, node in entries(self.whole.document, "forms"):
            scope = self.scope.within("table", f"form {name}")
            shape = self.shape(name, node, scope)
            if shape.cases or not (node.get("groups") or node.get("of")):  # without cases no tiles make it
                card, listing = self.card(node)
                yield Form(
                    name,
                    titled(node, name),
                    replace(shape, listed=listing),
                    None if (matches := node.get("matches")) is None else matches_of(matches),
                    card,
                    self.condition(node.get("when"), scope),
                )

    def shape(self, name: str, node: Mapping, scope: Scope) -> Shape:
        templates = node.get("groups") or node.get("of")
        cases, problems = lower_templates(templates, scope, in_form=True) if templates is not None else ((), [])
        pick = node.get("pick")
        self.problems.extend(problems)
        if templates is not None and not problems:
            self.problems.extend(unfit_for_forms(name, templates, cases))
        return Shape(
            name,
            tuple(tuple(map(slot, case.wants)) for case in cases),
            pick.value if isinstance(pick, Scalar) and isinstance(pick.value, int) else None,
            flag(node, "concealed"),
            names(node.get("melds")),
        )

    def card(self, node: Mapping) -> tuple[CardData | None, Listing | None]:
        """The card that a form is won by, and its hands."""
        played = self.whole.cards.get(text(node, "card"))
        if played is None:
            return None, None
        bound = bind(node, played.card, self.tiles, self.groups)
        self.problems.extend(bound.problems)
        return bound.card, bound.listing

    # --- table

    def seats(self) -> Seats:
        node = section(self.whole.document, "seats")
        count = self.expression(node.get("count"), "number")
        tiles = [index for ir in map(self.tile, items(node.get("winds"))) for index in ir]
        number = count.value if isinstance(count, Const) and isinstance(count.value, int) else 0
        if not 1 <= number <= MOST_SEATS and node.get("count") is not None:
            self.problems.append(Problem("out-of-bounds", f"from 1 to {MOST_SEATS} play", node.key("count").place))
        return Seats(
            number,
            tuple(tiles),
            names(node.get("names")),
            text(node, "order") or "counterclockwise",
            self.expression(node.get("reversed"), "truth"),
        )

    def tile(self, node: Node) -> tuple[int, ...]:
        """The tiles that one item of a list names; classes have theirs in order."""
        name = node.text if isinstance(node, Scalar) else ""
        if (found := self.tiles.by_code(name)) is not None:
            return (found.index,)
        known = self.tiles.families.get(name)
        return (
            known
            if known is not None
            else tuple(sorted(self.tiles.classes[name].tiles))
            if name in self.tiles.classes
            else ()
        )

    def zones(self) -> Iterator[tuple[str, Zone]]:
        for name, node in entries(self.whole.document, "zones"):
            yield (
                name,
                Zone(
                    name,
                    text(node, "of"),
                    text(node, "seen_by"),
                    flag(node, "claimable"),
                    self.takes(node),
                    self.expression(node.get("keep"), "number"),
                    text(node, "when_empty"),
                    self.expression(node.get("stacks"), "number"),
                    titled(node, name),
                ),
            )

    def takes(self, node: Mapping) -> Takes | None:
        """What a zone is filled with."""
        takes = node.get("takes")
        if not isinstance(takes, Mapping):
            return None
        return Takes(self.needed(takes.get("count"), "number"), text(takes, "from"), text(takes, "end") or "front")

    def marks(self) -> Iterator[tuple[str, Mark]]:
        for name, node in entries(self.whole.document, "marks"):
            type = text(node, "is") or "truth"
            yield (
                name,
                Mark(
                    name,
                    text(node, "of"),
                    type,
                    titled(node, name),
                    self.expression(node.get("start"), type),
                    self.condition(node.get("needs")),
                    names(section(node, "until").get("own")),
                    names(section(node, "until").get("any")),
                    flag(node, "secret"),
                ),
            )

    def terms(self) -> dict[str, Ir]:
        bodies = term_bodies(self.scope)
        for body in bodies.values():
            self.problems.extend(body.problems)
        return {name: bodies[name].ir for name in section(self.whole.document, "terms").entries if name in bodies}

    def term_names(self) -> dict[str, Text]:
        return {
            name: titled(node, name) if isinstance(node, Mapping) else {"en": name}
            for name, node in section(self.whole.document, "terms").items()
            if not is_null(node)
        }

    # --- scoring

    def measures(self) -> Iterator[Measure]:
        earlier: list[str] = []
        options = numbers(self.whole)
        for name, node in entries(self.whole.document, "scoring", "measures"):
            scope = self.scope.within("measure", f"measure {name}", frozenset(earlier))
            start, cap, value = (self.expression(node.get(key), "number", scope) for key in ("start", "cap", "value"))
            table = self.table(section(node, "table"), scope)
            parts = [part for part in (start, cap, value, *(row for _, row in table)) if part is not None]
            most = max([USUAL, *(bits(part, self.bits) for part in parts)])
            self.bits[name] = most if most <= MAX_BITS else USUAL  # reported once
            called = section(node, "names")
            self.problems.extend(amount_problems(called, options))
            rest = (table, amounts(called, options), flag(node, "inner"))
            yield Measure(name, titled(node, name), start, cap, value, *rest)
            earlier.append(name)

    def table(self, node: Mapping, scope: Scope) -> tuple[tuple[Fraction, Ir], ...]:
        rows = []
        for key, value in node.items():
            try:
                rows.append((Fraction(key), self.needed(value, "number", scope)))
            except (ValueError, ZeroDivisionError):
                self.problems.append(Problem("wrong-type", "a table goes from number to number", node.key(key).place))
        return tuple(sorted(rows, key=lambda row: row[0]))

    def scoring(self, measures: Several[Measure]) -> Scoring:
        node = section(self.whole.document, "scoring")
        scope = self.scope.within("measure", "the minimum")
        minimum = tuple(
            (name, self.needed(value, "number", scope))
            for name, value in section(node, "minimum").items()
            if not is_null(value)
        )
        best = text(node, "best") or (measures[-1].id if measures else "")
        return Scoring(
            tuple(measures),
            best,
            minimum,
            text(node, "completed_by_discard") or "concealed",
            text(node, "waits") or "possible",
            self.expression(node.get("pays_at_most"), "number"),
            frozenset(names(node.get("ignores"))),
        )

    def families(self) -> dict[str, str]:
        found = {name: text(node, "keep") or "best" for name, node in entries(self.whole.document, "families")}
        for _, node in entries(self.whole.document, "patterns"):
            if family := text(node, "family"):
                found.setdefault(family, "best")
        return found

    # --- patterns

    def patterns(self, measures: Several[Measure]) -> Iterator[Pattern]:
        first = measures[0].id if measures else ""
        for name, node in entries(self.whole.document, "patterns"):
            scope = self.scope.within("reading", f"pattern {name}")
            exposed = node.get("exposed")
            pattern = Pattern(
                id=name,
                name=titled(node, name),
                about=english(node, "about"),
                everyone=text(node, "for") == "everyone",
                worth=self.worth(node.get("worth"), first, scope),
                exposed=None if exposed is None or is_null(exposed) else self.worth(exposed, first, scope),
                when=self.condition(node.get("when"), scope),
                each=self.each(node.get("each"), scope),
                times=self.expression(node.get("times"), "number", scope),
                family=text(node, "family") or None,
                excludes=names(node.get("excludes")),
                limit=flag(node, "limit"),
                extra=flag(node, "extra"),
                alone=flag(node, "alone"),
                provisional=flag(node, "provisional"),
                examples=tuple(examples(node.get("examples"))),
                place=section(self.whole.document, "patterns").key(name).place,
            )
            yield pattern

    def worth(self, node: Node | None, first: str, scope: Scope) -> dict[str, Ir]:
        """Worth by measure; a number alone is of the first measure."""
        if node is None or is_null(node):
            return {}
        if isinstance(node, Mapping):
            return {name: self.needed(value, "number", scope) for name, value in node.items() if not is_null(value)}
        return {first: self.needed(node, "number", scope)}

    def each(self, node: Node | None, scope: Scope) -> tuple[tuple[Case, ...], ...] | None:
        if node is None or is_null(node):
            return None
        lists = items(node.get("any")) if isinstance(node, Mapping) else (node,)
        return tuple(self.cases_of(one, scope) for one in lists)

    # --- payments and cases

    def payments(self) -> Iterator[tuple[str, tuple[PaymentLine, ...]]]:
        for name, node in section(self.whole.document, "payments").items():
            if isinstance(node, Mapping):
                yield name, tuple(self.payment(key, line) for key, line in node.items() if isinstance(line, Mapping))

    def payment(self, name: str, node: Mapping) -> PaymentLine:
        to = node.get("to")
        whoever_won = Scalar(winner.name, winner.name, node.place)
        return PaymentLine(
            name,
            self.needed(node.get("from"), "seats"),
            self.needed(whoever_won if to is None or is_null(to) else to, "seats"),
            self.needed(node.get("amount"), "number"),
            self.holds(node),
            self.expression(node.get("times"), "number"),
            tuple(ir for one in items(node.get("double")) if (ir := self.condition(one)) is not None),
            self.expression(node.get("round_up"), "number"),
            tuple(ir for one in items(node.get("instead")) if (ir := self.expression(one, "seats")) is not None),
        )

    def holds(self, node: Mapping) -> Ir | None:
        """`when` and not `unless`."""
        when, unless = self.condition(node.get("when")), self.condition(node.get("unless"))
        if unless is None:
            return when
        barred = folding.apply("truth", "not", unless)
        return barred if when is None else folding.apply("truth", "and", when, barred)

    def wild_when(self) -> Iterator[tuple[str, Ir]]:
        """When tiles are wild, where that is said."""
        scope = self.scope.within("table", "wild tiles")
        for name, node in entries(self.whole.document, "tiles", "wild"):
            when = self.condition(node.get("when"), scope)
            if when is not None:
                yield name, when

    def cases(self) -> Iterator[CaseInRuleset]:
        for name, node in entries(self.whole.document, "cases"):
            case = {key: plain(value) for key, value in node.items() if key != "expect" and not is_null(value)}
            expect = plain(section(node, "expect"))
            yield CaseInRuleset(
                name,
                case,
                expect if isinstance(expect, dict) else {},
                section(self.whole.document, "cases").key(name).place,
                tuple(item.place for item in items(node.get("play"))),
            )


MOST_SEATS = 12


def names_in(document: Mapping, *part: str) -> dict[str, Text]:
    """The names of those in a section that have one."""
    return {name: texts(node.get("name")) for name, node in entries(document, *part) if node.get("name")}


def mods_of(whole: Whole) -> tuple[str, ...]:
    """The ids of the mods, a card that was given as one last."""
    given = dict.fromkeys(played.card.card.id for played in whole.cards.values() if played.given)
    return (*whole.mods, *given)


# --- reading nodes


def examples(node: Node | None) -> Iterator[Example]:
    for item in items(node):
        if isinstance(item, Mapping):
            case = {key: plain(value) for key, value in item.items() if key not in ("id", "yes") and not is_null(value)}
            yield Example(case, flag(item, "yes"), item.place)


def left_out(whole: Whole) -> Iterator[LeftOut]:
    """The patterns with examples that do not exist with these options."""
    there = section(whole.document, "patterns").entries
    for name, node in entries(whole.full, "patterns"):
        if name not in there and (count := len(items(node.get("examples")))):
            yield LeftOut(name, count, section(whole.full, "patterns").key(name).place)


def slot(want: Want) -> Slot:
    return Slot(want.count, want.groups, want.meld_groups, want.tiles, want.each, want.different, want.exposed)


def too_large(node: Node) -> Problem:
    return Problem("too-large", "this number may become too large", node.place, "use smaller powers")


def digest_of(whole: Whole) -> str:
    """What tells rulesets apart, the same on every machine: SHA-256 of the texts of all documents, and of the options
    as they are chosen."""
    cards = [played.path.read_text("utf-8-sig", "replace") for _, played in sorted(whole.cards.items())]
    told = [source.text for source in whole.sources] + cards
    options = sorted((name, str(setting.chosen)) for name, setting in whole.options.items())
    said = json.dumps([[text.replace("\r\n", "\n") for text in told], options])
    return hashlib.sha256(said.encode()).hexdigest()


# --- what only the tiles show


def unfit_for_forms(form: str, templates: Node, cases: Several[Case]) -> Iterator[Problem]:
    """Templates of a form say nothing of the table, and some hand has them."""
    if not cases:
        yield Problem(
            "impossible-form",
            f"no tiles make the groups of form {form}",
            templates.place,
            "take out the form, or mend its groups",
            "warning",
        )
    texts_of = {item.text: item for item in items(templates) if isinstance(item, Scalar)}
    for want in dict.fromkeys(want for case in cases for want in case.wants):
        if want.of is not None or want.unless is not None or want.completed or want.natural:
            yield Problem(
                "looks-up",
                "a form says which groups a hand has, not how they came about",
                texts_of[want.text].place,
                "what else must hold stands in `when`",
            )


def unequal_forms(document: Mapping, forms: Several[Form], groups: Groups) -> Iterator[Problem]:
    """Forms of groups that use up another number of tiles than most."""
    used = {form.id: set(sizes_of(form.shape, groups)) for form in forms}
    usual = Counter(size for sizes in used.values() for size in sizes).most_common(1)
    for name, sizes in used.items():
        if sizes - {usual[0][0] if usual else 0}:
            node = section(document, "forms", name)
            given = " or ".join(str(size) for size in sorted(sizes))
            yield Problem(
                "wrong-size",
                f"form {name} uses up {given} tiles, and a hand has {usual[0][0]}",
                (node.get("groups") or node).place,
            )


def sizes_of(shape: Shape, groups: Groups) -> Iterator[int]:
    """How many tiles each case of a form uses up."""
    if shape.pick is not None:
        yield shape.pick
        return
    for case in shape.cases:
        totals = {0}
        for slot in case:
            totals = {total + size for total in totals for size in slot_sizes(slot, groups)}
        yield from totals


def slot_sizes(slot: Slot, groups: Groups) -> set[int]:
    if slot.each:
        return {len(slot.tiles)}
    if slot.tiles:
        return {slot.count}
    return {slot.count * len(groups.groups[index].tiles) for index in slot.groups} or {
        slot.count * groups.sizes[kind]
        for index in slot.meld_groups
        for kind in groups.groups[index].meld_kinds
        if kind in groups.sizes
    }
