"""Changes of the rules: what is added, removed, renamed and changed, and what one side shows that the other hides.

Two sides in, sentences of the rulebook out. Scores and plays nothing; which changes players notice, samples show.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from itertools import groupby
from typing import Literal

from tilewright.language.compiled.play import Trigger
from tilewright.language.compiled.ruleset import CompiledRuleset, Mark, Zone
from tilewright.language.lint.secrets import Disclosure, Part, disclosures
from tilewright.presentation.catalogue import say
from tilewright.rulebook.clauses import sentence
from tilewright.rulebook.compared_parts import EXPLAINING, NAME, READ, Entries, Entry, Fact, Parts, of_terms
from tilewright.rulebook.course_sentences import PlaySentences, asked_in
from tilewright.rulebook.expressions import Sentences
from tilewright.rulebook.sides import NormalForm, OpenSide, Options

What = Literal["added", "removed", "renamed", "changed"]
TERMS = "terms"
REST = "rest"
BY_THEMSELVES = ("options", "presets")  # sections that players see when they set up a table
COVERED = frozenset(
    {"id", "name", "about", "options", "mods", "presets", "cases", "left_out", "terms", "term_names"}
    | {"digest", "text_digest", "group_names", "family_names", "payment_names"}
)  # fields of a compiled ruleset that are compared elsewhere, or mean nothing at the table


@dataclass(frozen=True, slots=True)
class FactChange:
    """What is said of an entry only before, and only after. `about`: the end of the id of a message; `through`: the
    names of the terms that changed, where the entry itself says the same."""

    about: str
    was: tuple[str, ...]
    now: tuple[str, ...]
    through: tuple[str, ...] = ()
    elsewhere: bool = False  # a name or note in other languages alone


@dataclass(frozen=True, slots=True)
class RuleChange:
    """An entry that changed. `section`: that it is in; `id`: its id, the new one if it was renamed, and `was` the old;
    `options`: those under which it changes, where it does not otherwise."""

    section: str
    id: str
    what: What
    name: str
    facts: tuple[FactChange, ...] = ()
    was: str = ""
    options: Options = ()

    @property
    def is_seen(self) -> bool:
        """Whether players see it without a hand or a game: a name, or what a table can be set to."""
        if self.section in BY_THEMSELVES and (
            self.what != "changed" or any(one.about not in EXPLAINING for one in self.facts)
        ):
            return True
        return self.what == "renamed" or any(one.about in READ and one.about not in EXPLAINING for one in self.facts)

    @property
    def is_note(self) -> bool:
        """Whether only a note or a wording is another one."""
        return self.what == "changed" and all(one.about in EXPLAINING for one in self.facts)

    @property
    def is_elsewhere(self) -> bool:
        """Whether only names and notes in other languages are others."""
        return self.what == "changed" and all(one.elsewhere for one in self.facts)


def changes(old: OpenSide, new: OpenSide, options: Options = ()) -> list[RuleChange]:
    """Every change of a part that players meet; of the others one that names the parts."""
    one, other = forms_of(old, new)
    before, after = Parts(old, one), Parts(new, other)
    was, now = before.sections(), after.sections()
    ids = dict(renamed(was["patterns"], now["patterns"]))
    if ids:
        before = Parts(old, replace(one, ids=ids))
        was = before.sections()
    terms = Terms(dict(of_terms(before)), dict(of_terms(after)))
    found = [
        replace(change, options=options)
        for section in was
        for change in section_changes(section, was[section], now[section], terms)
    ]
    found = [*found, *terms.changes(options)]
    if not found and (rest := rest_of(one, other)):
        found.append(RuleChange(REST, REST, "changed", "", (FactChange("rest", (), rest),), options=options))
    return found


def forms_of(old: OpenSide, new: OpenSide) -> tuple[NormalForm, NormalForm]:
    """What makes the normal forms of the two."""
    one, other = NormalForm(old.rules.data), NormalForm(new.rules.data)
    by_name = one.tile_box != other.tile_box
    return replace(one, by_name=by_name), replace(other, by_name=by_name)


def is_same(old: CompiledRuleset, new: CompiledRuleset) -> bool:
    """Whether two rulesets mean the same, in hands and at the table."""
    return not parts_that_differ(old, new)


def parts_that_differ(old: CompiledRuleset, new: CompiledRuleset) -> tuple[str, ...]:
    """The fields in which two compiled rulesets do not mean the same: the tiles alone, where these differ."""
    if old is new:
        return ()
    one, other = NormalForm(old), NormalForm(new)
    return rest_of(one, other) if one.tile_box == other.tile_box else ("tiles",)


def rest_of(one: NormalForm, other: NormalForm) -> tuple[str, ...]:
    """The fields of the compiled rulesets that differ."""
    old, new = one.data, other.data
    names = [field.name for field in fields(CompiledRuleset) if field.compare and field.name not in COVERED]
    differing = (name for name in names if getattr(old, name) is not getattr(new, name))
    return tuple(name for name in differing if one.of(unordered(old, name)) != other.of(unordered(new, name)))


def unordered(data: CompiledRuleset, name: str) -> object:
    """A field of a ruleset; entries that are keys of a document have no order."""
    match name:
        case "patterns":
            return {one.id: one for one in data.patterns}
        case "forms":
            return {one.id: one for one in data.forms}
    return getattr(data, name)


# --- a section


def section_changes(section: str, was: Entries, now: Entries, terms: "Terms") -> Iterator[RuleChange]:
    """The changes of a section: those of what stays, then what comes, then what goes."""
    other_ids = dict(renamed(was, now))
    came = set(other_ids.values())
    for gone, id in other_ids.items():
        facts = tuple(fact_changes(was[gone], now[id], terms))
        yield RuleChange(section, id, "renamed", now[id].name, facts, gone)
    for id, entry in now.items():
        if id in was and (facts := tuple(fact_changes(was[id], entry, terms))):
            yield RuleChange(section, id, "changed", entry.name, facts)
    for id, entry in now.items():
        if id not in was and id not in came:
            yield RuleChange(section, id, "added", entry.name, tuple(said(entry, added=True)))
    for id, entry in was.items():
        if id not in now and id not in other_ids:
            yield RuleChange(section, id, "removed", entry.name, tuple(said(entry, added=False)))


def renamed(was: Entries, now: Entries) -> Iterator[tuple[str, str]]:
    """Old and new ids of what has another id, but means the same or has the same name."""
    gone = {id: entry for id, entry in was.items() if id not in now}
    came = {id: entry for id, entry in now.items() if id not in was}
    for id, entry in gone.items():
        same = [other for other, one in came.items() if is_renamed(entry, one)]
        if same:
            del came[same[0]]
            yield id, same[0]


def is_renamed(one: Entry, other: Entry) -> bool:
    name = one.facts.get(NAME)
    called = name is not None and NAME in other.facts and other.facts[NAME].meaning == name.meaning
    return called or (bool(one.meaning) and one.meaning == other.meaning)


def said(entry: Entry, *, added: bool) -> Iterator[FactChange]:
    """What is said of an entry that comes or goes, but for its name."""
    for about, fact in entry.facts.items():
        if about != NAME and (sentences := tuple(fact.sentences())):
            yield FactChange(about, () if added else sentences, sentences if added else ())


NOTHING = Fact(None)


def fact_changes(was: Entry, now: Entry, terms: "Terms") -> Iterator[FactChange]:
    for about in dict.fromkeys((*was.facts, *now.facts)):
        old, new = was.facts.get(about, NOTHING), now.facts.get(about, NOTHING)
        if old.meaning == new.meaning:
            continue
        gone, came = apart(old.sentences(), new.sentences())
        is_said = bool(gone or came)
        if not is_said:
            gone, came = apart(old.written(), new.written())
        through = terms.between(old, new) if not gone and not came else ()
        yield FactChange(about, gone, came, through, not is_said and about in READ)


def apart(was: Iterable[str], now: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The sentences that only the one has, and only the other."""
    old, new = tuple(was), tuple(now)
    left, right = Counter(old) - Counter(new), Counter(new) - Counter(old)
    return tuple(one for one in old if one in left), tuple(one for one in new if one in right)


# --- terms


@dataclass
class Terms:
    """The terms of both sides. Those that changed are listed once, however many entries use them."""

    was: Entries
    now: Entries

    def __post_init__(self) -> None:
        both = self.was.keys() & self.now.keys()
        self.changed = [id for id in self.now if id in both and self.was[id].meaning != self.now[id].meaning]
        self.asked: set[str] = set()

    def between(self, old: Fact, new: Fact) -> tuple[str, ...]:
        """The names of the changed terms through which a fact changed."""
        used = {*old.terms(), *new.terms()}
        found = [id for id in self.changed if id in used]
        self.asked |= set(found)
        return tuple(self.now[id].name for id in found)

    def changes(self, options: Options) -> Iterator[RuleChange]:
        """The changes of the terms that entries were found to change through, and of what explains terms."""
        for id in (id for id in self.now if id in self.was):
            found = fact_changes(self.was[id], self.now[id], Terms({}, {}))
            if facts := tuple(one for one in found if id in self.asked or one.about in EXPLAINING):
                yield RuleChange(TERMS, id, "changed", self.now[id].name, facts, options=options)


# --- what is shown


@dataclass(frozen=True, slots=True)
class DisclosureLine:
    """A sentence on what is shown. `hidden`: the names of the places whose tiles the rules hide otherwise."""

    text: str
    hidden: tuple[str, ...] = ()


def disclosed(new: OpenSide, old: OpenSide | None = None) -> list[DisclosureLine]:
    """What the new side shows, or lets hidden tiles decide, and the old one does not; without an old one, all of it."""
    known = set[Hashable]() if old is None else {key for key, _ in found_in(old, new)}
    speaker = Speaker(new, old)
    found = (speaker.line(one) for key, one in found_in(new, old) if key not in known)
    return list(dict.fromkeys(found))


Found = Disclosure | Zone | tuple[str, tuple[int, ...]]


def found_in(side: OpenSide, other: OpenSide | None) -> Iterator[tuple[Hashable, Found]]:
    """Everything that a side says of who sees tiles, each with what it means."""
    data = side.rules.data
    form = NormalForm(data) if other is None else forms_of(side, other)[0]
    for one in disclosures(data):
        yield (form.of(one.part), form.of(one.step) if one.step else None), one  # also when it is done is meant
    for zone in data.zones.values():
        yield (zone.id, zone.of, zone.seen_by), zone
    own = sorted((tile for tile in data.tiles.tiles if tile.seen_by), key=lambda tile: tile.seen_by)
    for seen_by, tiles in groupby(own, key=lambda tile: tile.seen_by):
        members = tuple(tiles)
        yield (seen_by, tuple(tile.code for tile in members)), (seen_by, tuple(tile.index for tile in members))


class Speaker:
    """Says what a side discloses, in its language."""

    def __init__(self, side: OpenSide, old: OpenSide | None) -> None:
        data = honest(side.rules.data, None if old is None else old.rules.data)
        self.data, self.language = data, side.teller.say.language
        self.say = Sentences(data, self.language)
        self.play = None if data.play is None else PlaySentences(self.say, data.play)

    def line(self, found: Found) -> DisclosureLine:
        match found:
            case Disclosure():
                return self.disclosure(found)
            case Zone():
                return self.seen_by(self.say.zone(found.id), found.seen_by)
        seen_by, tiles = found
        return self.seen_by(self.say.listed([self.say.tile_name(tile) for tile in tiles], "and"), seen_by)

    def seen_by(self, what: str, seen_by: str) -> DisclosureLine:
        return DisclosureLine(say(f"changes.seen_by_{seen_by}", self.language, what=sentence(what, "")))

    def disclosure(self, one: Disclosure) -> DisclosureLine:
        hidden = tuple(self.place(id) for id in one.hidden)
        where = self.name_of(one.part)
        if one.step is None or self.play is None:
            return DisclosureLine(say("changes.decides", self.language, where=where), hidden)
        if isinstance(one.part, Trigger):
            return DisclosureLine(self.play.trigger(replace(one.part, do=(one.step,))), hidden)
        takes = getattr(one.part, "takes", ())
        chosen = [(choice.name, choice.type) for choice in getattr(one.part, "choose", ())]
        here = self.play.where([*takes, *chosen, *asked_in(getattr(one.part, "do", ()))])
        return DisclosureLine(say("changes.shows", self.language, where=where, step=here.step(one.step)), hidden)

    def place(self, id: str) -> str:
        """The name of a zone, or of a word that tells of other hands."""
        return self.say.zone(id) if id in self.data.zones else say("changes.hands_of_others", self.language)

    def name_of(self, part: Part) -> str:
        """How the author calls a part; an automatic effect by what it follows."""
        if isinstance(part, Trigger) and self.play is not None:
            return sentence(self.say.listed([self.play.event(name) for name in part.after]), "")
        if isinstance(part, Mark):
            return sentence(self.say.mark(part.id), "")
        return sentence(self.say.named(part.id, getattr(part, "name", {})), "")


def honest(data: CompiledRuleset, old: CompiledRuleset | None) -> CompiledRuleset:
    """Rules whose zones have the names of other rules, or their ids alone."""
    names = {} if old is None else {id: zone.name for id, zone in old.zones.items()}
    return replace(data, zones={id: replace(zone, name=names.get(id, {})) for id, zone in data.zones.items()})
