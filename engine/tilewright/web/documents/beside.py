"""Texts beside a text: what a person's own texts name of one another, found on their shelf.

In: a text and its person; out: the texts that it names by their ids, and those that they name. Reads no text as YAML:
the workers do. Knows no rule.
"""

import re
from collections.abc import Iterator
from itertools import islice

from starlette.requests import Request

from tilewright.language.documents.bundled import bundled_file
from tilewright.language.documents.packs import document_id
from tilewright.web.protocol.spec import MOST_BESIDE
from tilewright.web.storage import Document, Store
from tilewright.web.text.names import id_in

MOST_BYTES = 600_000  # of all of them
MOST_READ = 2 * MOST_BESIDE  # texts, of which some may be too large
MOST_NAMES = 16  # that are looked up at once,
MOST_NAMED = 64  # in one text, and of all of them together,
MOST_WORDS = 2_000  # among so many words
NAMING = re.compile(r"^[ \t-]*(?:extends|needs|for|only|mods)[ \t]*:(.*(?:\n[ \t]*-.*)*)", re.MULTILINE)
NAME = re.compile(r"[a-z][a-z0-9_]*(?:/[a-z][a-z0-9_]*)*")


async def texts_beside(request: Request, person: int, text: str) -> list[dict[str, str]]:
    """The texts on a person's shelf that a text names, directly or not, the nearest first, each with its id as
    `name`; as many as are allowed."""
    store: Store = request.app.state.store
    found, room, tries = {id_in(text): text}, MOST_BYTES, MOST_READ
    asked = set(found)
    todo = named_in(text)
    while len(found) <= MOST_BESIDE and len(asked) <= MOST_NAMED:
        wanted = [*dict.fromkeys(id for id in todo if id not in asked)][:MOST_NAMES]
        if not wanted:
            break
        asked |= set(wanted)
        there: dict[str, str] = await store.documents_called(person, wanted)
        for id in (id for id in wanted if id in there):
            if tries == 0 or len(found) > MOST_BESIDE:
                break
            tries -= 1
            one: Document | None = await store.document(there[id])
            if one is not None and (size := len(one.text.encode(errors="replace"))) <= room:
                found[id] = one.text
                room -= size
                todo += named_in(one.text) if len(todo) < MOST_NAMED else ()
    return [{"name": id, "text": one} for id, one in [*found.items()][1:]]


def named_in(text: str) -> list[str]:
    """The ids of documents that a text may name and that are not bundled; the first ones, of very many."""
    words: dict[str, None] = {}
    for word in islice(words_of(text), MOST_WORDS):
        words[word] = None
        if len(words) == MOST_NAMED:
            break
    own = [word for word in words if "/" in word or bundled_file(word) is None]
    return [id for word in own for id in (document_id(word), *word.split("/")[1:2])]


def words_of(text: str) -> Iterator[str]:
    """The words where a text names others."""
    for part in NAMING.finditer(text):
        yield from (name[0] for name in NAME.finditer(re.sub(r"@[^,\]\s]*|#.*", "", part[1])))
