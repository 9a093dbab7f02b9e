"""What rules show to whom, in sentences: a side in, what it discloses and the other one does not, out.

Zones keep the names that the other side gives them, and others their ids: an author may call a wall whatever they like.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from tilewright.language.compiled.play import Trigger
from tilewright.language.compiled.ruleset import CompiledRuleset, Mark, Zone
from tilewright.language.lint.secrets import Disclosure, Part, disclosures
from tilewright.presentation.catalogue import say
from tilewright.rulebook.comparison.changes import forms_of
from tilewright.rulebook.comparison.normal import NormalForm
from tilewright.rulebook.comparison.sides import OpenSide
from tilewright.rulebook.sentences.expressions import Sentences
from tilewright.rulebook.sentences.play import PlaySentences, asked_in
from tilewright.rulebook.sentences.words import sentence


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
