"""The sorts of sentences of rulebooks. Each is the message `rulebook.SORT.KEY` of the catalogue; the phrases of words
are `words.WORD.ROLE`, the sentences of steps `verbs.VERB.KEY`."""

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
