"""What sentences of rulebooks are made of: the sorts of messages, the speaker, and how a clause becomes a sentence.

Each sort is the message `rulebook.SORT.KEY` of the catalogue; the phrases of words are `words.WORD.ROLE`, the sentences
of steps `verbs.VERB.KEY`. `Sentences` is a speaker. Knows no sentence itself.
"""

from collections.abc import Iterable
from typing import Protocol

from tilewright.language.compiled.ir import Ir, Quantifier
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.vocabulary.words import WORDS
from tilewright.presentation.catalogue import has

TITLES, FRAMES = "title", "frame"
CLAUSES = "clause"  # of steps: loops, conditions, choices
GIVEN = "given"  # what a name stands for in context
TILES, NUMBERS, EXTREMES, TRUTHS, AMOUNTS = "tiles", "number", "extreme", "truth", "amount"
GROUPS = "group"  # templates of groups
TOWARDS = "rulebook.towards"  # a seat in a direction that only the table knows


def id_of(sort: str, key: str) -> str:
    return f"rulebook.{sort}.{key}"


def is_said(sort: str, key: str) -> bool:
    """Whether there is such a sentence."""
    return has(id_of(sort, key))


def phrase_of(word: str, role: str) -> str | None:
    """The message for a word of the language in a role, if it has one. Of a word with arguments, {0} is the first.

    `noun`: seats or tiles that it stands for. `tiles`: the same of tiles, if it is asked of seats or tiles. `of`: the
    tiles of somebody ({0}). `number`: it as a number, or its size. `side`: it as a direction. `affirmed`, `denied`: a
    truth. `equal`, `different`: it is {0} or is not; `value.NAME`: one of its names. `none`, `some`, `one`, `exactly`:
    its size; {0} is the number, after the arguments."""
    id = f"words.{word}.{role}"
    return id if word in WORDS and has(id) else None


CLAUSE_STARTS = frozenset({"A", "All", "An", "How", "It", "Its", "Nobody", "The", "What", "Who"})


def phrase(name: str) -> str:
    """A name inside a sentence: one that begins like a clause is not a proper name and begins in lower case."""
    first, _, rest = name.partition(" ")
    return f"{first.lower()} {rest}" if rest and first in CLAUSE_STARTS else name


def sentence(text: str, stop: str = ".", first: bool = True) -> str:
    """A clause as a sentence: capitalised, with a full stop."""
    if not text:
        return text
    if stop and text[-1] not in ".。!?！？":
        text += "。" if max(text[0], text[-1]) >= "\u2e80" else stop
    if not first:
        return text
    place = 1 if text[0] in "([" and len(text) > 1 else 0
    return text[:place] + text[place].upper() + text[place + 1 :]


class Speaker(Protocol):
    """Words for names, things, numbers and conditions of a ruleset in one language."""

    @property
    def data(self) -> CompiledRuleset: ...
    @property
    def is_spaced(self) -> bool: ...
    def word(self, sort: str, key: str, *args: object, **named: object) -> str: ...
    def phrase(self, id: str, *args: object, **named: object) -> str: ...
    def listed(self, items: Iterable[str], last: str = "or") -> str: ...
    def tile_name(self, tile: int) -> str: ...
    def class_name(self, name: str) -> str: ...
    def group_kind(self, kind: str, several: bool = False) -> str: ...
    def form(self, id: str) -> str: ...
    def phase(self, id: str) -> str: ...
    def truth(self, ir: Ir, holds: bool = True) -> str: ...
    def thing(self, ir: Ir) -> str: ...
    def seats(self, ir: Ir) -> str: ...
    def tiles(self, ir: Ir) -> str: ...
    def number(self, ir: Ir, loosest: int = 0) -> str: ...
    def domain(self, ir: Ir) -> str: ...
    def members(self, ir: Ir) -> str: ...
    def inside(self, ir: Quantifier) -> "Speaker": ...
    def one_of(self, ir: Quantifier, several: bool = False) -> str: ...
