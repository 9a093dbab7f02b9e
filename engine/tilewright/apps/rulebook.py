"""The rulebook of a ruleset: a document made of its data alone.

A ruleset with options and mods in; sections of blocks out, in a language, to be shown as a page, HTML or Markdown.
Sentences come from the compiled rules, names and notes from the documents. What has no words is told as it is written.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from tilewright.apps.paper.sheet import sections_of
from tilewright.apps.rulebook_play import PlayTold, sentence
from tilewright.apps.rulebook_words import FRAMES, TITLES
from tilewright.apps.saying import Saying
from tilewright.base.node import Mapping as MappingNode
from tilewright.language.bundled import data_folder
from tilewright.language.ir import Const, Has, Ir
from tilewright.language.library import kind_of, path_of, read_document, text_at
from tilewright.language.load import Whole, ids_of, is_for, line_of, open_whole
from tilewright.language.mods import listed
from tilewright.language.options import SORTS, choices_of, default_of, number_at, read_mod
from tilewright.language.presets import presets_of
from tilewright.language.ruleset import Example, Form, Measure, Pattern, PaymentLine, RulesetData
from tilewright.language.scope import entries, section, text, texts
from tilewright.play.rules import Rules, load, setting_text
from tilewright.scoring.case import CaseError, seat_names
from tilewright.scoring.score import show_number
from tilewright.scoring.walker import nodes
from tilewright.tiles.notation import NotationError, read_tiles, write_tile
from tilewright.tiles.tileset import Tile, TileSet

Plain = dict[str, Any]
Codes = tuple[str, ...]
ENGLISH = "en"
MOST_TRIED = 300  # examples that are scored to find one of each form
MOST_KINDS = 3  # pictures of a kind of group


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a section. `block`: text list heading tiles table example entry; what the sort does not use is empty.

    text: `text`. list: `items`. heading: `text`, with `id`. tiles: `groups` of codes under a `label`. table: `head`,
    `rows`. example: `groups`, the last tile `win` apart, `melds` on the table, `bonus`, a note in `text`, `yes` or not.
    entry: `text` is its title, `worth`, and blocks inside it."""

    block: str
    text: str = ""
    id: str = ""
    items: tuple[str, ...] = ()
    label: str = ""
    groups: tuple[Codes, ...] = ()
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    win: str = ""
    melds: tuple[Codes, ...] = ()
    bonus: Codes = ()
    yes: bool | None = None
    worth: str = ""
    blocks: "tuple[Block, ...]" = ()

    def to_json(self) -> Plain:
        """As plain data, without what is empty."""
        kept = {key: value for key, value in asdict(self).items() if value not in ("", (), None) and key != "blocks"}
        return kept | ({"blocks": [block.to_json() for block in self.blocks]} if self.blocks else {})


@dataclass(frozen=True, slots=True)
class Section:
    id: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The whole document. `tiles`: those of the game, for pictures."""

    id: str
    title: str
    language: str
    digest: str
    sections: tuple[Section, ...]
    tiles: TileSet
    words: Mapping[str, str]

    def to_json(self) -> Plain:
        return {
            "id": self.id,
            "title": self.title,
            "lang": self.language,
            "digest": self.digest,
            "sections": [
                {"id": one.id, "title": one.title, "blocks": [block.to_json() for block in one.blocks]}
                for one in self.sections
            ],
        }


def rulebook_of(
    name: str, settings: Mapping[str, Any] | None = None, mods: Sequence[str] = (), language: str = ENGLISH
) -> Rulebook:
    """The rulebook of a bundled ruleset or a file. Raises RulesetError with every problem."""
    rules = load(name, settings, mods)
    wanted = {key: setting_text(value) for key, value in (settings or {}).items()}
    return rulebook(rules, open_whole(name, wanted, mods), tuple(sources_of(name, mods)), language)


def rulebook(rules: Rules, whole: Whole, sources: Sequence[MappingNode], language: str = ENGLISH) -> Rulebook:
    """The rulebook of rules. `whole`: the same before compiling; `sources`: the documents that it is made of."""
    writer = Writer(rules, whole, tuple(sources), Saying(rules.data, language, abouts_of(whole)))
    found = (Section(id, writer.title(id), tuple(make())) for id, make in writer.sections())
    kept = tuple(one for one in found if one.blocks)
    words = {key: writer.frame(key) for key in ("counts", "does_not", "exposed", "besides", "contents")}
    words["made_from"] = writer.frame("made_from", digest=rules.data.digest[:12])
    return Rulebook(
        rules.data.id,
        writer.say.named(rules.data.id, rules.data.name),
        language,
        rules.data.digest,
        kept,
        rules.data.tiles,
        words,
    )


def abouts_of(whole: Whole) -> dict[str, str]:
    """Notes on marks."""
    return {id: about for id, node in entries(whole.document, "marks") if (about := text(node, "about"))}


def sources_of(name: str, mods: Sequence[str]) -> Iterator[MappingNode]:
    """The document, all it extends, and the mods."""
    path = path_of(name, what="ruleset")
    yield from (document for _, document in line_of(path, read_document(path)))
    for mod in mods:
        found = path_of(read_mod(mod)[0], path.parent, what="mod or card")
        if found.suffix in (".yaml", ".yml", ".json"):
            yield read_document(found)


@dataclass(frozen=True)
class Writer:
    """Writes one section after another."""

    rules: Rules
    whole: Whole
    sources: tuple[MappingNode, ...]
    say: Saying

    @property
    def data(self) -> RulesetData:
        return self.rules.data

    def sections(self) -> Iterator[tuple[str, Any]]:
        """Every section with what makes its blocks."""
        yield "what", self.what
        yield "tiles", self.tiles
        if self.data.play is not None:
            told = PlayTold(self.say, self.data.play)
            yield "course", lambda: self.course(told)
            yield "offers", lambda: self.offers(told)
        yield "hands", self.hands
        yield "card", self.card
        yield "patterns", self.patterns
        yield "scoring", self.scoring
        yield "payments", self.payments
        yield "match", self.match
        yield "choices", self.choices
        yield "sources", self.origins

    def title(self, id: str) -> str:
        return self.say.word(TITLES, id)

    def frame(self, key: str, **named: object) -> str:
        return sentence(self.say.word(FRAMES, key, **named), "")

    def within(self, key: str, **named: object) -> str:
        """The same inside a sentence."""
        return self.say.word(FRAMES, key, **named)

    def heading(self, id: str) -> Block:
        return Block("heading", self.title(id), id=id)

    # --- what it is

    def what(self) -> Iterator[Block]:
        if self.data.about:
            yield Block("text", sentence(self.data.about))
        seats = self.data.seats
        yield Block(
            "text",
            self.frame("players", count=seats.count, order=self.within(seats.order))
            + " "
            + self.frame("seats", seats=self.say.listed(self.seat_names(), "and")),
        )
        mods = [doc for doc in self.sources if kind_of(doc) == "mod"]
        if mods:
            names = self.say.listed([self.say.named(text_at(m, "id"), texts(m.get("name"))) for m in mods], "and")
            yield Block("text", self.frame("played_with", mods=names))
            yield Block("list", items=tuple(sentence(about) for m in mods if (about := text_at(m, "about"))))

    def seat_names(self) -> list[str]:
        """Seats with the names of their winds, where they have some."""
        names = seat_names(self.data)[: self.data.seats.count]
        found = []
        for place, name in enumerate(names):
            wind = self.data.seats.winds[place] if place < len(self.data.seats.winds) else None
            known = wind is not None and wind in self.data.tiles.names and self.data.tiles.tiles[wind].code == name
            found.append(self.say.tile_name(wind) if known and wind is not None else name)
        return found

    # --- tiles

    def tiles(self) -> Iterator[Block]:
        tiles = self.data.tiles
        yield Block("text", self.frame("total", count=sum(tile.copies for tile in tiles.tiles)))
        families = dict.fromkeys(tiles.tiles[face].family for face in tiles.order)
        for family in families:
            yield from self.family(family)
        for wild in tiles.wild:
            yield Block("text", self.wild_text(wild.id))
        classes = [*self.class_rows()]
        if classes:
            yield self.heading("classes")
            yield from classes

    def family(self, family: str) -> Iterator[Block]:
        """The tiles of a family, with how many there are of each."""
        faces = [tile for tile in self.in_order() if tile.family == family and tile.copies]
        if not faces:
            return
        counts = sorted({tile.copies for tile in faces})
        key = "several_copies" if len(counts) > 1 else "one_copy" if counts == [1] else "copies"
        copies = self.within(key, count=counts[0], least=counts[0], most=counts[-1])
        title = sentence(self.say.class_name(family), "")
        yield Block("tiles", label=f"{title}{self.colon}{copies}", groups=tuple((tile.code,) for tile in faces))
        if notes := list(self.family_notes(faces)):
            yield Block("text", " ".join(notes))

    @property
    def colon(self) -> str:
        return "：" if self.say.is_chinese else ": "

    def family_notes(self, faces: Sequence[Tile]) -> Iterator[str]:
        """What is to be said of tiles besides."""
        if any(tile.plain != tile.index and not tile.marks for tile in faces):
            yield self.frame("alike")
        seats = self.seat_names()
        owned = [(tile, tile.seat) for tile in faces if tile.seat is not None and tile.seat < len(seats)]
        if owned:
            told = [f"{self.say.tile_name(tile.index)} – {seats[seat]}" for tile, seat in owned]
            yield self.frame("whose", seats=self.within("comma").join(told))
        for mark in sorted({mark for tile in faces for mark in tile.marks}):
            yield self.frame("special", name=mark.replace("_", " "))

    def in_order(self) -> list[Tile]:
        return [self.data.tiles.tiles[face] for face in self.data.tiles.order]

    def wild_text(self, id: str) -> str:
        """What wild tiles stand for, where and when."""
        wild = next(one for one in self.data.tiles.wild if one.id == id)
        tiles, others = (
            self.class_text(wild.tiles.tiles, wild.tiles.words),
            self.class_text(wild.stands_for.tiles, wild.stands_for.words),
        )
        places = [self.say.group_kind(kind, True) for kind in sorted(wild.groups)]
        places += map(self.say.zone, sorted(wild.zones))
        told = (
            self.frame("wild_in", tiles=tiles, others=others, groups=self.say.listed(places, "and"))
            if places
            else self.frame("wild", tiles=tiles, others=others)
        )
        when = self.data.wild_when.get(id)
        return told if when is None else f"{told} {self.frame('wild_when', when=self.say.truth(when))}"

    def class_text(self, tiles: frozenset[int], words: Iterable[str]) -> str:
        known = [self.say.tiles_of(tiles)] if tiles else []
        return self.say.listed([*known, *(self.say.class_name(word) for word in words)])

    def class_rows(self) -> Iterator[Block]:
        """Names for tiles that are no families of their own."""
        listed_classes = section(self.whole.document, "tiles", "classes")
        for name in listed_classes.entries:
            found = self.data.tiles.classes.get(name)
            if found is None or not found.tiles or found.words:
                continue
            codes = tuple((tile.code,) for tile in self.in_order() if tile.index in found.tiles)
            yield Block("tiles", label=sentence(self.say.class_name(name), ""), groups=codes)

    # --- play

    def course(self, told: PlayTold) -> Iterator[Block]:
        for phase in told.phases():
            if sentences := told.phase(phase):
                yield Block("heading", sentence(self.say.phase(phase.id), ""), id=f"phase-{phase.id}")
                if about := self.note("phases", phase.id):
                    yield Block("text", about)
                yield Block("list", items=tuple(sentences))
        if told.play.triggers:
            yield self.heading("automatic")
            found = (told.trigger(one) for one in told.play.triggers if told.steps(one.do))
            yield Block("list", items=tuple(found))
        actions = list(told.actions())
        if actions:
            yield self.heading("actions")
        for name, sentences in actions:
            inner = (Block("list", items=tuple(sentences)),)
            yield Block("entry", f"“{name}”", id=f"action-{name.replace(' ', '-')}", blocks=inner)

    def offers(self, told: PlayTold) -> Iterator[Block]:
        for offer in told.offered():
            inner = [Block("text", about)] if (about := self.note("offers", offer.id)) else []
            inner.append(Block("list", items=tuple(told.offer(offer))))
            yield Block("entry", sentence(told.offer_name(offer.id), ""), id=f"offer-{offer.id}", blocks=tuple(inner))
        if told.play.restrictions:
            yield self.heading("forbidden")
            yield Block("list", items=tuple(told.restriction(one) for one in told.play.restrictions))

    def note(self, *path: str) -> str:
        """The note on a part of the document, which is in English."""
        return sentence(text(section(self.whole.document, *path), "about"))

    # --- hands

    def hands(self) -> Iterator[Block]:
        yield self.heading("forms")
        pictures = dict(self.pictures())
        for form in self.data.forms:
            inner = tuple(self.form(form, pictures))
            yield Block("entry", sentence(self.say.form(form.id), ""), id=f"form-{form.id}", blocks=inner)
        yield self.heading("groups")
        for kind in self.data.groups.kinds:
            label = self.group_label(kind)
            yield Block("tiles", label=label, groups=tuple(self.group_pictures(kind)))

    def form(self, form: Form, pictures: Mapping[str, Block]) -> Iterator[Block]:
        """A form: what it is made of, what else holds, a hand of it."""
        node = section(self.whole.document, "forms", form.id)
        about = [about] if (about := self.note("forms", form.id)) else []
        written = [item.text for item in listed(node, "groups")] or [item.text for item in listed(node, "of")]
        groups = self.say.listed([self.say.template(one) for one in written], "and")
        if form.shape.pick is not None:
            about.append(self.frame("form_pick", count=form.shape.pick, groups=groups))
        elif written:
            about.append(self.frame("form_groups", groups=groups))
        if has_letters(written):
            about.append(self.frame("letters"))
        if form.matches:
            about.append(self.frame("form_matches", pattern=form.matches))
        if form.card is not None:
            about.append(self.frame("form_card", card=self.say.named(form.card.id, form.card.name)))
        if form.shape.concealed:
            about.append(self.frame("concealed_form"))
        if form.when is not None:
            about.append(self.frame("if", when=self.say.truth(form.when)))
        yield Block("text", " ".join(about))
        if form.id in pictures:
            yield pictures[form.id]

    def pictures(self) -> Iterator[tuple[str, Block]]:
        """A hand of each form, out of the examples of patterns."""
        wanted = {form.id for form in self.data.forms}
        examples = [one for pattern in self.data.patterns for one in pattern.examples if one.yes]
        for example in examples[:MOST_TRIED]:
            if not wanted:
                return
            try:
                form = self.rules.score_case(as_case(example)).form
            except CaseError:
                continue
            if form in wanted and (block := self.example(example)) is not None:
                wanted.discard(form)
                yield form, replace(block, yes=None, text="")

    def group_label(self, kind: str) -> str:
        """What a kind of group is."""
        found, groups = self.data.groups.kinds[kind], self.data.groups
        families = self.say.listed([self.say.class_name(one) for one in found.families])
        suits = {suit.id for suit in self.data.tiles.suits}
        if found.alike is not None:
            what = self.within("alike_group", count=found.alike)
        elif found.run is not None and found.across_suits:
            what = self.within("run_across", count=found.run)
        elif found.run is not None and found.steps != (1, 1):
            least, most = found.steps
            steps = str(least) if least == most else self.within("any_step") if most is None else f"{least}–{most}"
            what = self.within("run_by", count=found.run, steps=steps)
        elif found.run is not None and found.families and not set(found.families) <= suits:
            what = self.within("run_in", count=found.run, families=families)
        elif found.run is not None:
            what = self.within("run_group", count=found.run)
        elif found.ranks:
            lists = self.say.listed(["-".join(map(str, ranks)) for ranks in found.ranks])
            what = self.within("ranks_group", lists=lists)
        else:
            what = self.within("any_group", kinds=self.say.listed([self.say.group_kind(one) for one in found.any]))
        if found.stands_for in groups.kinds and found.stands_for is not None:
            what += self.within("semicolon") + self.within("stands_for", kind=self.say.group_kind(found.stands_for))
        about = self.note("groups", kind)
        told = sentence(self.say.group_kind(kind), "") + self.colon + sentence(what, first=False)
        return told if not about or self.say.is_chinese else f"{told} {about}"

    def group_pictures(self, kind: str) -> Iterator[Codes]:
        """A few groups of a kind, as different as they can be."""
        groups = self.data.groups.groups
        found = [group for group in groups if kind in group.kinds] or [one for one in groups if kind in one.meld_kinds]
        step = max(1, len(found) // MOST_KINDS)
        for group in found[step // 2 :: step][:MOST_KINDS]:
            yield tuple(write_tile(tile, self.data.tiles) for tile in group.tiles)

    # --- the card

    def card(self) -> Iterator[Block]:
        """The lines of the card that is played, with what they say."""
        for option, played in self.whole.cards.items():
            yield Block("heading", self.say.named(option, played.card.card.name))
            for one in sections_of(played.card.card):
                rows = [
                    (
                        row.text,
                        str(row.line.value) if row.line else "",
                        self.within("open" if row.line and row.line.exposed else "closed"),
                        row.words,
                    )
                    for row in one.rows
                ]
                yield Block("heading", one.group.title + (f" ({one.group.note})" if one.group.note else ""))
                head = tuple(self.within(key) for key in ("line", "value", "shown", "meaning"))
                yield Block("table", head=head, rows=tuple(rows))

    # --- patterns

    def patterns(self) -> Iterator[Block]:
        for pattern in self.data.patterns:
            yield Block(
                "entry",
                self.say.named(pattern.id, pattern.name),
                id=f"pattern-{pattern.id}",
                worth=self.worth(pattern),
                blocks=tuple(self.pattern(pattern)),
            )

    def pattern(self, pattern: Pattern) -> Iterator[Block]:
        """What a pattern is, with examples."""
        if pattern.about:
            yield Block("text", sentence(pattern.about))
        if told := [sentence(one) for one in self.conditions(pattern)]:
            yield Block("text", " ".join(told))
        if notes := list(self.notes(pattern)):
            yield Block("text", " ".join(notes))
        for example in pattern.examples:
            if (block := self.example(example)) is not None:
                yield block

    def conditions(self, pattern: Pattern) -> Iterator[str]:
        """When it counts."""
        node = section(self.whole.document, "patterns", pattern.id)
        written = [item.text for item in listed(node, "each")]
        if pattern.each is not None:
            if not written:
                lists = section(node, "each").get("any")
                parts = getattr(lists, "items", ()) if lists is not None else ()
                groups = [self.say.listed([self.say.template(t.text) for t in part.items], "and") for part in parts]
                yield self.frame("each", groups=self.say.listed(groups))
            else:
                yield self.frame("each", groups=self.say.listed([self.say.template(one) for one in written], "and"))
        if pattern.when is not None:
            yield self.say.truth(pattern.when)
        if pattern.times is not None:
            yield self.frame("times", count=self.say.number(pattern.times))
        if has_letters(written) or (pattern.when is not None and has_letters(has_texts(pattern.when))):
            yield self.frame("letters")

    def notes(self, pattern: Pattern) -> Iterator[str]:
        """How it stands to others."""
        names = {one.id: self.say.named(one.id, one.name) for one in self.data.patterns}
        for key in ("everyone", "limit", "extra", "alone", "provisional"):
            if getattr(pattern, key):
                yield self.frame(key)
        if pattern.excludes:
            others = [names.get(one, one) for one in pattern.excludes]
            yield self.frame("excludes", patterns=self.say.listed(others, "and"))
        if pattern.family and (keep := self.data.families.get(pattern.family, "best")) != "all":
            others = [names[one.id] for one in self.data.patterns if one.family == pattern.family]
            if len(others) > 1:
                family = self.say.named(pattern.family, self.data.family_names.get(pattern.family))
                yield self.frame(f"family_{keep}", family=family, patterns=self.say.listed(others, "and"))
        if pattern.family in self.data.sole:
            yield self.frame("sole", family=self.say.named(pattern.family, self.data.family_names.get(pattern.family)))

    def worth(self, pattern: Pattern) -> str:
        """What it is worth, in each of its measures."""
        usual = self.amounts(pattern.worth)
        if pattern.exposed is None:
            return usual
        return self.within("exposed_worth", worth=usual, exposed=self.amounts(pattern.exposed))

    def amounts(self, worth: Mapping[str, Ir]) -> str:
        return self.say.listed([self.amount(name, ir) for name, ir in worth.items()], "and")

    def amount(self, measure: str, ir: Ir) -> str:
        key = "worth" if isinstance(ir, Const) else "worth_formula"
        return self.within(key, number=self.say.number(ir), measure=self.say.measure(measure))

    # --- examples

    def example(self, example: Example) -> Block | None:
        """An example as tiles; None where it holds none that can be read."""
        case = example.case
        try:
            given = as_list(case.get("melds"))
            melds = [meld.get("tiles", "") if isinstance(meld, Mapping) else meld for meld in given]
            return Block(
                "example",
                text=", ".join(self.circumstances(case)),
                groups=tuple(self.split(case.get("hand", ""))),
                win="".join(self.codes(case.get("win", case.get("win_tile", "")) or "")[:1]),
                melds=tuple(map(self.codes, melds)),
                bonus=self.codes(case.get("bonus", "")),
                yes=example.yes,
            )
        except NotationError:
            return None

    def split(self, hand: object) -> Iterator[Codes]:
        """The tiles of a hand in the groups in which it is written."""
        parts = str(hand).split() if isinstance(hand, str) else [str(one) for one in as_list(hand)]
        try:
            found = [self.codes(part) for part in parts]
        except NotationError:
            found = [self.codes(hand)]
        together = len(found) > 1 and all(len(codes) == 1 for codes in found)
        yield from [tuple(code for codes in found for code in codes)] if together else found

    def codes(self, tiles: object) -> Codes:
        return tuple(write_tile(tile, self.data.tiles) for tile in read_tiles(tiles or "", self.data.tiles))

    def circumstances(self, case: Mapping[str, object]) -> Iterator[str]:
        """How it was won, as far as the example says."""
        if case.get("self_draw"):
            yield self.within("by_own_draw")
        for key in ("seat_wind", "round_wind"):
            if case.get(key):
                yield self.within(key, tile=case[key])
        yield from (self.say.mark(str(flag)) for flag in as_list(case.get("flags")))
        marks = case.get("marks")
        if isinstance(marks, Mapping):
            yield from (f"{self.say.mark(str(name))}: {value}" for name, value in marks.items())
        zones = case.get("zones")
        if isinstance(zones, Mapping):
            yield from (f"{self.say.zone(str(name))}: {value}" for name, value in zones.items())

    # --- scoring

    def scoring(self) -> Iterator[Block]:
        scoring = self.data.scoring
        for measure in scoring.measures:
            yield Block("text", " ".join(self.measure(measure)))
            if measure.table:
                yield self.table(measure)
        minimum = [
            self.amount(name, ir) for name, ir in scoring.minimum if not (isinstance(ir, Const) and ir.value == 0)
        ]
        told = [self.frame("minimum", minimum=self.say.listed(minimum, "and"))] if minimum else []
        told.append(self.frame("best", measure=self.say.measure(scoring.best)))
        told.append(self.frame(f"by_discard_{scoring.completed_by_discard}"))
        if scoring.pays_at_most is not None:
            told.append(self.frame("pays_at_most", number=self.say.number(scoring.pays_at_most)))
        yield Block("list", items=tuple(told))

    def measure(self, measure: Measure) -> Iterator[str]:
        """How a measure is counted."""
        name = sentence(self.say.measure(measure.id), "")
        if measure.value is not None:
            yield self.frame("formula", measure=name, formula=self.say.number(measure.value)) + "."
        elif measure.start is not None:
            yield self.frame("sum_from", measure=name, start=self.say.number(measure.start))
        else:
            yield self.frame("sum", measure=name)
        if measure.cap is not None:
            yield self.frame("cap", cap=self.say.number(measure.cap))

    def table(self, measure: Measure) -> Block:
        """From which number on there is how much."""
        before = measure.value is not None and self.say.number(measure.value)
        head = (sentence(str(before or ""), "") or self.within("from"), sentence(self.say.measure(measure.id), ""))
        rows = tuple((show_number(start), self.say.number(amount)) for start, amount in measure.table)
        return Block("table", head=head, rows=rows)

    # --- payments and the match

    def payments(self) -> Iterator[Block]:
        for name, lines in self.data.payments.items():
            if lines:
                title = self.frame("win_payment") if name == "win" else sentence(name.replace("_", " "), "")
                yield Block("heading", title, id=f"payments-{name}")
                yield Block("list", items=tuple(self.payment(name, line) for line in lines))

    def payment(self, name: str, line: PaymentLine) -> str:
        """Who pays whom how much."""
        named = {
            "payers": self.say.seats(line.payers),
            "payees": self.say.seats(line.payees),
            "amount": self.say.number(line.amount),
        }
        if line.when is None:
            told = [self.frame("pays", **named)]
        else:
            told = [self.frame("pays_when", when=self.say.truth(line.when), **named)]
        told += [self.frame("doubled", when=self.say.truth(one)) for one in line.double]
        if line.times is not None:
            told.append(self.frame("times_paid", count=self.say.number(line.times)))
        if line.round_up is not None:
            told.append(self.frame("rounded", number=self.say.number(line.round_up)))
        if line.instead:
            told.append(self.frame("instead", seats=self.say.listed([self.say.seats(one) for one in line.instead])))
        if about := self.note("payments", name, line.id):
            told.append(about)
        return " ".join(told)

    def match(self) -> Iterator[Block]:
        if self.data.play is None:
            return
        match = self.data.play.match
        told = []
        if match.score is not None:
            told.append(self.frame("start_score", number=self.say.number(match.score)))
        rounds = [self.say.tile_name(tile) for tile in match.rounds]
        several = len(rounds) > 1
        told.append(self.frame("rounds" if several else "one_round", rounds=self.say.listed(rounds, "and")))
        if match.dealer_stays is not None:
            fixed = match.dealer_stays.value if isinstance(match.dealer_stays, Const) else None
            key = "dealer_never" if fixed is False else "dealer_always" if fixed is True else "dealer_stays"
            when = "" if fixed is not None else self.say.truth(match.dealer_stays)
            told.append(self.frame(key, when=when, seats=self.next_dealer(match.next_dealer)))
        for number, row in enumerate(match.seating, 2):
            who = ", ".join(str(player + 1) for player in row)
            told.append(self.frame("seating", number=str(number), players=who))
        if match.ends is not None:
            told.append(self.frame("ends", when=self.say.truth(match.ends)))
        if match.placement:
            told.append(self.frame("placement", numbers=", ".join(self.say.number(one) for one in match.placement)))
            told.append(self.frame("equals_share" if match.equals_share else "equals_first"))
        yield Block("list", items=tuple(told))

    def next_dealer(self, seats: Ir | None) -> str:
        """To whom the deal goes."""
        return self.frame("next_player") if seats is None else self.frame("next_dealer", seats=self.say.seats(seats))

    # --- options, presets, mods, sources

    def choices(self) -> Iterator[Block]:
        rows = [self.option_row(id, node) for id, node in entries(self.whole.full, "options")]
        if rows:
            yield self.heading("options")
            head = tuple(sentence(self.within(key), "") for key in ("option", "can_be", "usual", "here"))
            yield Block("table", head=head, rows=tuple(rows))
        presets = [
            self.say.named(one.id, one.name) + (f"{self.colon}{one.about}" if one.about else "")
            for one in presets_of(self.whole.full)
        ]
        if presets:
            yield self.heading("presets")
            yield Block("list", items=tuple(presets))
        if mods := list(self.mods()):
            yield self.heading("mods")
            yield Block("list", items=tuple(mods))

    def option_row(self, id: str, option: MappingNode) -> tuple[str, ...]:
        """Label, what it can be, what it usually is, what it is here."""
        sort = next(sort for sort in SORTS if sort in option.entries)
        if sort == "flag":
            can = self.within("yes") + self.within("or") + self.within("no")
        elif sort == "choice":
            can = self.say.listed([one.replace("_", " ") for one in choices_of(option)])
        else:
            least, most = (number_at(option, end) for end in ("from", "to"))
            can = (
                ""
                if least is None or most is None
                else self.within("range", least=show_number(least), most=show_number(most))
            )
        here = self.data.options.get(id, default_of(option))
        return self.say.named(id, texts(option.get("label"))), can, self.value(default_of(option)), self.value(here)

    def value(self, value: Any) -> str:
        if isinstance(value, bool):
            return self.within("yes" if value else "no")
        return value.replace("_", " ") if isinstance(value, str) else show_number(value)

    def mods(self) -> Iterator[str]:
        """The bundled mods that it may be played with."""
        ids = {text_at(document, "id") for document in self.sources} | bundled_ids_of(self.data.id)
        found = [read_document(path) for path in sorted(data_folder("rulesets").glob("*.yaml"))]
        mods = [one for one in found if kind_of(one) == "mod" and is_for(one, ids)]
        names = {text_at(one, "id"): self.say.named(text_at(one, "id"), texts(one.get("name"))) for one in mods}
        for one in mods:
            told = f"{names[text_at(one, 'id')]}: {text_at(one, 'about')}"
            against = [names.get(item.text, item.text) for item in listed(one, "conflicts")]
            yield told + (f" ({self.within('conflicts', mods=self.say.listed(against, 'and'))})" if against else "")

    def origins(self) -> Iterator[Block]:
        found = {source: None for document in self.sources if (source := text_at(document, "source"))}
        if found:
            yield Block("list", items=tuple(sentence(source) for source in found))


# --- helpers


def bundled_ids_of(id: str) -> set[str]:
    """The ids that a bundled ruleset of this id goes back to."""
    path = data_folder("rulesets") / f"{id}.yaml"
    return ids_of(path) if path.is_file() else set()


def as_case(example: Example) -> dict[str, Any]:
    """An example as a case."""
    case = dict(example.case)
    return {("win_tile" if key == "win" else key): value for key, value in case.items() if key != "about"}


def as_list(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [] if value is None else [value]


def has_letters(templates: Iterable[str]) -> bool:
    """Some template has a letter of its own: a place, suit or step that is a letter."""
    return any(LETTER.search(one) for one in templates)


LETTER = re.compile(r"\b[a-z]\b")


def has_texts(ir: Ir) -> Iterator[str]:
    """The templates that a condition asks for."""
    yield from (node.text for node in nodes(ir) if isinstance(node, Has))
