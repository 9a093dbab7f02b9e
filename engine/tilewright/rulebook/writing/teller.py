"""The teller, with which every section of a rulebook is written. Rules and their documents in, words out."""

from dataclasses import dataclass
from functools import cached_property

from tilewright.base.node import Mapping as MappingNode
from tilewright.language.compiled.ruleset import CompiledRuleset, Text
from tilewright.language.documents.fields import section, texts
from tilewright.language.documents.whole import MergedRuleset
from tilewright.language.documents.wordings import wordings
from tilewright.play.rules import Rules
from tilewright.presentation.catalogue import has
from tilewright.rulebook.sentences.expressions import Sentences
from tilewright.rulebook.sentences.words import FRAMES, TITLES, sentence
from tilewright.rulebook.writing.blocks import BookBlock
from tilewright.scoring.cases.hands import seat_names
from tilewright.tiles.tileset import Tile


@dataclass(frozen=True)
class Teller:
    """`whole`: the rules before compiling."""

    rules: Rules
    whole: MergedRuleset
    say: Sentences

    @property
    def data(self) -> CompiledRuleset:
        return self.rules.data

    @property
    def sources(self) -> tuple[MappingNode, ...]:
        """The documents of the rules, including a chosen card."""
        given = {played.path: played.document for played in self.whole.cards.values() if played.given}
        return (*self.whole.origins, *(document for document in given.values() if document is not None))

    def title(self, id: str) -> str:
        return self.say.word(TITLES, id)

    def frame(self, key: str, **named: object) -> str:
        return sentence(self.say.word(FRAMES, key, **named), "")

    def within(self, key: str, **named: object) -> str:
        """The same inside a sentence."""
        return self.say.word(FRAMES, key, **named)

    def heading(self, id: str) -> BookBlock:
        return BookBlock("heading", self.title(id), id=id)

    def seat_names(self) -> list[str]:
        """Seats with the names of their winds, if any."""
        names = seat_names(self.data)[: self.data.seats.count]
        found = []
        for place, name in enumerate(names):
            wind = self.data.seats.winds[place] if place < len(self.data.seats.winds) else None
            known = wind is not None and wind in self.data.tiles.names and self.data.tiles.tiles[wind].code == name
            found.append(self.say.tile_name(wind) if known and wind is not None else self.direction(name))
        return found

    def direction(self, name: str) -> str:
        """The name of a seat in the language, if it is called E, S, W or N."""
        id = f"names.seat_{name}"
        return self.say.phrase(id) if has(id) else name

    @property
    def colon(self) -> str:
        return self.within("colon")

    def in_order(self) -> list[Tile]:
        return [self.data.tiles.tiles[face] for face in self.data.tiles.order]

    def note(self, *path: str) -> str:
        """The note on a part of the document, or on the whole; in English if the language has none."""
        node = section(self.whole.document, *path) if path else self.whole.document
        return sentence(self.say.named("", texts(node.get("about"))))

    @cached_property
    def wordings(self) -> dict[tuple[str, str], Text]:
        """What authors say in place of derived sentences, by section and id; without what is out of date."""
        return {(one.part, one.id): one.text for one in wordings(self.whole) if not one.is_stale}

    def wording(self, part: str, id: str) -> str:
        """The author's sentences on a part; empty if it has none."""
        return sentence(self.say.named("", self.wordings.get((part, id))))

    def family(self, id: str) -> str:
        """The name of a family of patterns."""
        return self.say.named(id, self.data.family_names.get(id))
