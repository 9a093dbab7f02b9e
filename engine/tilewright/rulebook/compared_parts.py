"""Parts of a ruleset that players meet, each with what is said of it: what a comparison compares.

A side in; sections of entries out, each entry with its facts: what it means, in normal form, and the sentences of the
rulebook that say it. Sentences are made when they are asked for. Compares nothing.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

from tilewright.base.node import Mapping as MappingNode
from tilewright.language.compiled.ir import Ir
from tilewright.language.compiled.play import Action, Button, Offer, Phase, Restriction, Trigger
from tilewright.language.compiled.ruleset import Form, Mark, Measure, Pattern, PaymentLine, Text, Zone
from tilewright.language.documents.fields import entries, section, texts
from tilewright.language.documents.mods import listed
from tilewright.language.documents.options import Preset, choices_of, default_of, presets_of
from tilewright.rulebook.clauses import sentence
from tilewright.rulebook.in_use import terms_in
from tilewright.rulebook.overview import option_row, preset_text, wild_text
from tilewright.rulebook.patterns import amounts, conditions, notes, worth
from tilewright.rulebook.payments import line_name, payments_name
from tilewright.rulebook.scoring import amounts_text, formula_steps, match, measure_sentences, payment_text
from tilewright.rulebook.scoring import table as measure_table
from tilewright.rulebook.sides import NormalForm, OpenSide
from tilewright.rulebook.winning_hands import form_blocks, group_label, templates_of
from tilewright.rulebook.writing import BookBlock
from tilewright.scoring.explain import describe
from tilewright.tiles.notation import write_tile, write_tiles
from tilewright.tiles.tileset import Tile, TileClass, Wild

Say = Callable[[], Iterable[str]]
CLAIMED = ("each", "when", "late", "times")  # fields of patterns that are its condition
RELATED = ("everyone", "limit", "extra", "alone", "provisional", "family", "excludes")
NAME, NOTE, WORDING = "name", "note", "wording"
EXPLAINING = (NOTE, WORDING)  # facts that say in other words what others mean
READ = (NAME, *EXPLAINING, "names", "amounts")  # facts that change nothing but what is read


@dataclass(frozen=True)
class Fact:
    """Something about an entry. `meaning`: in normal form; `sentences`: those that say it; `written`: the same in
    the words of the language, where sentences are too coarse; `terms`: the terms of the ruleset in it."""

    meaning: Hashable
    sentences: Say = field(default=lambda: ())
    written: Say = field(default=lambda: ())
    terms: Say = field(default=lambda: ())


@dataclass(frozen=True)
class Entry:
    """A pattern, an option, a phase: its name, and its facts by what they are about."""

    name: str
    facts: Mapping[str, Fact]

    @property
    def meaning(self) -> Hashable:
        """What it is but for what it is called."""
        return frozenset((key, fact.meaning) for key, fact in self.facts.items() if key not in READ)


Entries = dict[str, Entry]


@dataclass(frozen=True)
class Parts:
    """The entries of a side by section. `form`: makes normal forms."""

    side: OpenSide
    form: NormalForm

    def sections(self) -> dict[str, Entries]:
        """Every section, in the order of the rulebook."""
        return {name: dict(made(self)) for name, made in SECTIONS.items()}

    # --- facts

    def name(self, names: Text | None, id: str) -> Fact:
        given = dict(names or {})
        say = self.side.teller.say
        return of_texts(given, lambda: [say.named(id, given)])

    def note(self, *path: str) -> Fact:
        given = texts(section(self.side.whole.document, *path).get("about"))
        teller = self.side.teller
        return of_texts(given, lambda: filter(None, [teller.note(*path)]))

    def wording(self, part: str, id: str) -> Fact:
        """What the author says of a part in place of derived sentences."""
        teller = self.side.teller
        given = teller.wordings.get((part, id), {})
        return of_texts(given, lambda: filter(None, [teller.wording(part, id)]))

    def explaining(self, part: str, id: str) -> dict[str, Fact]:
        """The note on a part, and its wording."""
        return {NOTE: self.note(part, *id.split(".")), WORDING: self.wording(part, id)}

    def course(self, part: Phase | Offer | Restriction | Trigger | Action) -> list[str]:
        """What the rulebook says of a part of play."""
        play = self.side.play
        match part:
            case _ if play is None:
                return []
            case Phase():
                return play.phase(part)
            case Offer():
                return play.offer(part)
            case Restriction():
                return [play.restriction(part)]
            case Trigger():
                return [play.trigger(part)]
            case Action():
                return play.action(part)

    def fact(self, part: object, sentences: Say = lambda: (), *shown: Ir | None) -> Fact:
        """A fact about a compiled part. `shown`: its expressions, to be written where sentences are too coarse."""
        written = [one for one in shown if one is not None]
        data = self.side.rules.data
        return Fact(
            self.form.of(part), sentences, lambda: [describe(one, data) for one in written], lambda: terms_in(part)
        )


def of_texts(given: Mapping[str, str], sentences: Say) -> Fact:
    """A fact about texts by language."""
    return Fact(frozenset(given.items()), sentences, lambda: by_language(given))


def by_language(names: Mapping[str, str]) -> list[str]:
    return [f"{language}: {text}" for language, text in names.items()]


def simple(**facts: Fact) -> dict[str, Fact]:
    """The facts that say something."""
    return {key: one for key, one in facts.items() if one.meaning not in (None, frozenset(), ())}


# --- the game


def of_game(parts: Parts) -> Iterator[tuple[str, Entry]]:
    data, teller = parts.side.rules.data, parts.side.teller
    seats = data.seats

    def players() -> list[str]:
        around = teller.frame("players", count=seats.count, order=teller.within(seats.order))
        return [around, teller.frame("seats", seats=teller.say.listed(teller.seat_names(), "and"))]

    about = of_texts(data.about, lambda: filter(None, [teller.say.named("", data.about)]))
    winds = tuple(data.tiles.tiles[tile].code for tile in seats.winds)
    asked = (seats.count, winds, seats.names, seats.order, parts.form.of(seats.reversed))
    facts = simple(name=parts.name(data.name, data.id), note=about, seats=Fact(asked, players))
    yield data.id, Entry(teller.say.named(data.id, data.name), facts)


def of_tiles(parts: Parts) -> Iterator[tuple[str, Entry]]:
    """Families of tiles, classes, and wild tiles."""
    tiles = parts.side.rules.data.tiles
    families = defaultdict[str, list[Tile]](list)
    for tile in tiles.tiles:
        if tile.copies:
            families[tile.family].append(tile)
    for family, members in families.items():
        yield family, family_entry(parts, family, members)
    for name, found in tiles.classes.items():
        if name not in families and (found.tiles or found.words):
            yield f"class {name}", class_entry(parts, name, found)
    for wild in tiles.wild:
        yield f"wild {wild.id}", wild_entry(parts, wild)


def family_entry(parts: Parts, family: str, members: Sequence[Tile]) -> Entry:
    """A suit or family: its tiles with their copies, and their names."""
    tiles, say = parts.side.rules.data.tiles, parts.side.teller.say
    what = [(t.code, t.copies, t.seat, t.marks, t.seen_by, t.rank, tiles.tiles[t.plain].code) for t in members]
    names = {t.code: frozenset(tiles.names.get(t.index, {}).items()) for t in members}
    called = Fact(
        frozenset(names.items()),
        lambda: [say.tile_name(t.index) for t in members],
        lambda: [text for t in members for text in by_language(tiles.names.get(t.index, {}))],
    )
    facts = simple(
        tiles=Fact(frozenset(what), lambda: [f"{t.code} × {t.copies}" for t in members]),
        names=called,
        name=parts.name(tiles.titles.get(family), family),
    )
    return Entry(sentence(say.class_name(family), ""), facts)


def class_entry(parts: Parts, name: str, found: TileClass) -> Entry:
    tiles = parts.side.rules.data.tiles
    codes = frozenset(tiles.tiles[tile].code for tile in found.tiles)
    text = write_tiles(sorted(found.tiles), tiles) if found.tiles else ""
    facts = simple(tiles=Fact((codes, frozenset(found.words)), lambda: filter(None, [text, *found.words])))
    return Entry(sentence(parts.side.teller.say.class_name(name), ""), facts)


def wild_entry(parts: Parts, wild: Wild) -> Entry:
    data = parts.side.rules.data
    when = parts.form.of(data.wild_when.get(wild.id))
    codes = [frozenset(data.tiles.tiles[t].code for t in one.tiles) for one in (wild.tiles, wild.stands_for)]
    what = (*codes, frozenset(wild.stands_for.words), frozenset(wild.tiles.words), wild.groups, wild.zones, when)
    facts = simple(wild=Fact(what, lambda: [wild_text(parts.side.teller, wild.id)]))
    return Entry(wild.id.replace("_", " "), facts)


def of_groups(parts: Parts) -> Iterator[tuple[str, Entry]]:
    data = parts.side.rules.data
    made = defaultdict[str, set[tuple[str, ...]]](set)
    for group in data.groups.groups:
        codes = tuple(write_tile(tile, data.tiles) for tile in group.tiles)
        for kind in (*group.kinds, *group.meld_kinds):
            made[kind].add(codes)
    for id in data.groups.kinds:
        yield id, group_entry(parts, id, frozenset(made[id]))


def group_entry(parts: Parts, id: str, made: frozenset[tuple[str, ...]]) -> Entry:
    data, teller = parts.side.rules.data, parts.side.teller
    kind = data.groups.kinds[id]
    what = (made, kind.stands_for, kind.any, kind.across_suits)
    facts = simple(group=Fact(what, lambda: [group_label(teller, id)]), name=parts.name(data.group_names.get(id), id))
    return Entry(sentence(teller.say.group_kind(id), ""), facts)


# --- winning hands


def of_forms(parts: Parts) -> Iterator[tuple[str, Entry]]:
    for form in parts.side.rules.data.forms:
        yield form.id, Entry(sentence(parts.side.teller.say.form(form.id), ""), form_facts(parts, form))


def form_facts(parts: Parts, form: Form) -> dict[str, Fact]:
    teller, shape = parts.side.teller, form.shape
    if parts.form.by_name:
        groups: Hashable = tuple(sorted(templates_of(teller, "forms", form.id)))
    else:
        listed_twice = shape.listed if form.card is None else None
        groups = (parts.form.of(shape.cases), listed_twice, shape.melds)
    asked = (parts.form.of(form.matches), parts.form.of(form.when))
    what = (groups, shape.pick, shape.concealed, *asked)
    shown = Fact(
        what,
        lambda: [text for block in form_blocks(teller, form, {}) for text in (block.text, *block.items) if text],
        lambda: [describe(one, parts.side.rules.data) for one in (form.matches, form.when) if one is not None],
        lambda: terms_in(form),
    )
    facts = simple(name=parts.name(form.name, form.id), **parts.explaining("forms", form.id), form=shown)
    if form.card is not None:
        lines = [f"{one.text}  {one.value}" for one in form.card.lines]
        facts["card"] = Fact((form.card.id, tuple(lines)), lambda: lines)
    return facts


def of_patterns(parts: Parts) -> Iterator[tuple[str, Entry]]:
    for pattern in parts.side.rules.data.patterns:
        name = parts.side.teller.say.named(pattern.id, pattern.name)
        yield pattern.id, Entry(name, pattern_facts(parts, pattern))


def pattern_facts(parts: Parts, pattern: Pattern) -> dict[str, Fact]:
    teller = parts.side.teller
    condition = tuple(getattr(pattern, key) for key in CLAIMED)
    related = [*(getattr(pattern, key) for key in RELATED[:-1]), frozenset(pattern.excludes)]
    worths = [*pattern.worth.values(), *(pattern.exposed or {}).values()]
    return simple(
        name=parts.name(pattern.name, pattern.id),
        **parts.explaining("patterns", pattern.id),
        worth=parts.fact((pattern.worth, pattern.exposed), lambda: [worth(teller, pattern)], *worths),
        condition=parts.fact(
            condition,
            lambda: map(sentence, conditions(teller, pattern)),
            pattern.when,
            pattern.late,
            pattern.times,
        ),
        relations=parts.fact(related, lambda: notes(teller, pattern)),
    )


# --- scoring


def of_scoring(parts: Parts) -> Iterator[tuple[str, Entry]]:
    """Measures, how readings are chosen and limited, and families of patterns."""
    data, teller = parts.side.rules.data, parts.side.teller
    for measure in data.scoring.measures:
        yield measure.id, measure_entry(parts, measure)
    yield "scoring", Entry(teller.title("scoring"), counting_facts(parts))
    for id in data.families:
        if any(one.family == id for one in data.patterns) and (data.families[id] != "all" or id in data.sole):
            yield f"family {id}", family_of_patterns(parts, id)


def measure_entry(parts: Parts, measure: Measure) -> Entry:
    teller = parts.side.teller
    amounts_of = Fact(
        parts.form.of((measure.names, measure.unit)),
        lambda: [amounts_text(teller, measure)] if measure.names else [],
        lambda: [text for _, names in measure.names for text in by_language(names)],
    )
    counted = (measure.start, measure.cap, measure.value)
    counting = parts.fact(
        (*counted, measure.table, measure.brings),
        lambda: measure_sentences_of(parts, measure),
        *(*counted, *(amount for _, amount in measure.table)),
    )
    facts = simple(name=parts.name(measure.name, measure.id), counting=counting, amounts=amounts_of)
    return Entry(sentence(teller.say.measure(measure.id), ""), facts)


def counting_facts(parts: Parts) -> dict[str, Fact]:
    """The least, the best, the most."""
    data, teller = parts.side.rules.data, parts.side.teller
    scoring = data.scoring
    most, by_discard = scoring.pays_at_most, scoring.completed_by_discard
    least = [teller.frame("minimum", minimum=amounts(teller, dict(scoring.minimum)))] if scoring.minimum else []
    return simple(
        minimum=parts.fact(frozenset(scoring.minimum), lambda: least, *(one for _, one in scoring.minimum)),
        best=Fact(scoring.best, lambda: [teller.frame("best", measure=teller.say.measure(scoring.best))]),
        by_discard=Fact(by_discard, lambda: [teller.frame(f"by_discard_{by_discard}")]),
        at_most=parts.fact(
            most, lambda: [] if most is None else [teller.frame("pays_at_most", number=teller.say.number(most))], most
        ),
        details=parts.fact(
            (scoring.waits, scoring.ignored_flags, scoring.worth_more),
            lambda: [f"waits: {scoring.waits}", *(f"ignores: {one}" for one in sorted(scoring.ignored_flags))],
            scoring.worth_more,
        ),
    )


def family_of_patterns(parts: Parts, id: str) -> Entry:
    data, teller = parts.side.rules.data, parts.side.teller
    key = "sole" if id in data.sole else f"family_{data.families[id]}"
    names = [teller.say.named(one.id, one.name) for one in data.patterns if one.family == id]
    said = teller.frame(key, family=teller.family(id), patterns=teller.say.listed(names, "and"))
    kept = Fact((data.families[id], id in data.sole), lambda: [said])
    return Entry(sentence(teller.family(id), ""), simple(family=kept, name=parts.name(data.family_names.get(id), id)))


def measure_sentences_of(parts: Parts, measure: Measure) -> list[str]:
    """How a measure is counted, the rows of its table one by one."""
    teller = parts.side.teller
    found = [*measure_sentences(teller, measure), *formula_steps(teller, measure)]
    if measure.table:
        block = measure_table(teller, measure)
        found += [teller.colon.join((f"{block.head[0]} {start}", f"{amount}")) for start, amount in block.rows]
    return found


def of_payments(parts: Parts) -> Iterator[tuple[str, Entry]]:
    """The lines of all payments."""
    for id, lines in parts.side.rules.data.payments.items():
        for line in lines:
            yield f"{id}.{line.id}", payment_entry(parts, id, line, alone=len(lines) == 1)


def payment_entry(parts: Parts, id: str, line: PaymentLine, *, alone: bool) -> Entry:
    data, teller = parts.side.rules.data, parts.side.teller
    whole = sentence(payments_name(teller.say, id), "")
    name = "" if alone else line_name(teller.say, id, line)
    pays = parts.fact(line, lambda: [payment_text(teller, id, line)], *line.expressions)
    called = parts.name(data.payment_names.get(id, {}).get(line.id), line.id)
    facts = simple(name=called, **parts.explaining("payments", f"{id}.{line.id}"), payment=pays)
    return Entry(f"{whole}, {name}" if name and name != whole else whole, facts)


# --- play


def of_phases(parts: Parts) -> Iterator[tuple[str, Entry]]:
    used, say = parts.side.used, parts.side.teller.say
    for phase in used.play.phases.values():
        if phase.id in used.phases:
            yield phase.id, course_entry(parts, "phases", phase, say.phase(phase.id), phase.who)


def of_offers(parts: Parts) -> Iterator[tuple[str, Entry]]:
    used, say = parts.side.used, parts.side.teller.say
    for offer in used.play.offers.values():
        if used.is_offered(offer):
            yield offer.id, course_entry(parts, "offers", offer, say.named(offer.id, offer.name), offer.when)


def course_entry(parts: Parts, section: str, part: Phase | Offer, name: str, asked: Ir | None) -> Entry:
    """A phase or an offer: its name, and what happens."""
    kept = tuple(getattr(part, one.name) for one in fields(part) if one.name != "name")
    course = parts.fact(kept, lambda: parts.course(part), asked)
    facts = simple(name=parts.name(part.name, part.id), **parts.explaining(section, part.id), course=course)
    return Entry(sentence(name, ""), facts)


def of_restrictions(parts: Parts) -> Iterator[tuple[str, Entry]]:
    for one in parts.side.used.play.restrictions:
        if parts.side.used.bars(one):
            yield one.id, restriction_entry(parts, one)


def restriction_entry(parts: Parts, one: Restriction) -> Entry:
    barred = parts.fact((frozenset(one.bars), one.when), lambda: parts.course(one), one.when)
    facts = simple(name=parts.name(one.reason, one.id), **parts.explaining("restrictions", one.id), barred=barred)
    return Entry(parts.side.teller.say.named(one.id, one.reason).rstrip(".。"), facts)


def of_triggers(parts: Parts) -> Iterator[tuple[str, Entry]]:
    """What happens by itself, and the ruleset's own verbs."""
    used = parts.side.used
    for trigger in used.triggers:
        yield trigger.id, trigger_entry(parts, trigger)
    for action in used.play.actions.values():
        if action.id in used.verbs:
            yield f"action {action.id}", action_entry(parts, action)


def trigger_entry(parts: Parts, one: Trigger) -> Entry:
    course = parts.fact((frozenset(one.after), one.when, one.do), lambda: parts.course(one), one.when)
    return Entry(one.id.replace("_", " "), simple(**parts.explaining("triggers", one.id), course=course))


def action_entry(parts: Parts, one: Action) -> Entry:
    course = parts.fact((one.takes, one.do), lambda: parts.course(one))
    facts = simple(name=parts.name(one.name, one.id), **parts.explaining("actions", one.id), course=course)
    return Entry(sentence(parts.side.teller.say.named(one.id, one.name), ""), facts)


def of_match(parts: Parts) -> Iterator[tuple[str, Entry]]:
    data, teller = parts.side.rules.data, parts.side.teller
    if data.play is None:
        return
    found = data.play.match
    asked = (found.score, found.dealer_stays, found.ends, found.placement, found.next_dealer, found.exchange)
    rounds = tuple(data.tiles.tiles[tile].code for tile in found.rounds)
    what = (rounds, found.levels, found.seating, found.equals_share, found.standings, *asked)
    shown = (one for one in asked if not isinstance(one, tuple))
    facts = simple(match=parts.fact(what, lambda: lines_of(match(teller)), *shown))
    yield "match", Entry(teller.title("match"), facts)


def lines_of(blocks: Iterable[BookBlock]) -> list[str]:
    return [text for block in blocks for text in (block.text, *block.items) if text]


# --- the table


def of_table(parts: Parts) -> Iterator[tuple[str, Entry]]:
    """Zones, marks and buttons: what lies and is remembered at the table."""
    data, say = parts.side.rules.data, parts.side.teller.say
    for id, zone in data.zones.items():
        counted = (zone.keep, zone.most, zone.takes.count if zone.takes else None)
        facts = simple(name=parts.name(zone.name, id), zone=parts.fact(unnamed(zone), nothing_said, *counted))
        yield f"zone {id}", Entry(sentence(say.zone(id), ""), facts)
    for id, mark in data.marks.items():
        needs = data.needs.get(id)
        fact = parts.fact((unnamed(mark), needs), nothing_said, mark.start, needs)
        facts = simple(name=parts.name(mark.name, id), mark=fact)
        yield f"mark {id}", Entry(sentence(say.mark(id), ""), facts)
    for button in parts.side.used.play.buttons:
        pressed = parts.fact(unnamed(button), nothing_said, button.when)
        facts = simple(name=parts.name(button.name, button.id), button=pressed)
        yield f"button {button.id}", Entry(say.named(button.id, button.name), facts)


def unnamed(part: Zone | Mark | Button) -> object:
    return replace(part, name={})


def nothing_said() -> Iterable[str]:
    return ()


def of_terms(parts: Parts) -> Iterator[tuple[str, Entry]]:
    """The terms, each with its own text: those inside it are names."""
    closed, data = replace(parts.form, terms=True), parts.side.rules.data
    for id, body in data.terms.items():
        yield id, term_entry(parts, id, body, closed.of((body, data.needs.get(id))))


def term_entry(parts: Parts, id: str, body: Ir, meaning: Hashable) -> Entry:
    say, data = parts.side.teller.say, parts.side.rules.data
    written = [body, *(needs for name, needs in data.needs.items() if name == id)]
    fact = Fact(
        meaning,
        lambda: [say.truth(body) if body.type == "truth" else say.thing(body)],
        lambda: [describe(one, data) for one in written],
    )
    return Entry(sentence(say.mark(id), ""), simple(term=fact, **parts.explaining("terms", id)))


# --- choices


def of_options(parts: Parts) -> Iterator[tuple[str, Entry]]:
    """Options of the whole document, also of what an `if` removes."""
    for id, node in entries(parts.side.whole.full, "options"):
        yield id, option_entry(parts, id, node)


def option_entry(parts: Parts, id: str, node: MappingNode) -> Entry:
    label, can, usual, _ = option_row(parts.side.teller, id, node)
    facts = simple(
        name=parts.name(texts(node.get("label")), id),
        values=Fact(values_of(node), lambda: [can]),
        default=Fact(str(default_of(node)), lambda: [usual]),
    )
    return Entry(label, facts)


def values_of(node: MappingNode) -> Hashable:
    """What an option may be set to."""
    bounds = tuple(one.text for key in ("from", "to", "step") for one in listed(node, key))
    return frozenset(choices_of(node)), bounds, "flag" in node.entries


def of_presets(parts: Parts) -> Iterator[tuple[str, Entry]]:
    for one in presets_of(parts.side.whole.full):
        yield one.id, preset_entry(parts, one)


def preset_entry(parts: Parts, one: Preset) -> Entry:
    what = (frozenset((id, str(value)) for id, value in one.options.items()), frozenset(one.mods))
    chosen = Fact(what, lambda: [preset_text(parts.side.teller, one)])
    name = parts.side.teller.say.named(one.id, one.name)
    return Entry(name, simple(name=parts.name(one.name, one.id), preset=chosen))


SECTIONS: Mapping[str, Callable[[Parts], Iterable[tuple[str, Entry]]]] = {
    "game": of_game,
    "tiles": of_tiles,
    "groups": of_groups,
    "forms": of_forms,
    "patterns": of_patterns,
    "scoring": of_scoring,
    "payments": of_payments,
    "phases": of_phases,
    "offers": of_offers,
    "restrictions": of_restrictions,
    "triggers": of_triggers,
    "match": of_match,
    "table": of_table,
    "options": of_options,
    "presets": of_presets,
}
