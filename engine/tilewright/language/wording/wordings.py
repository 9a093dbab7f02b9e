"""Wordings: sentences of authors in place of derived ones, and whether they still fit what they describe.

Beside a wording stands the fingerprint of what it describes: of the part as it is written, and of the actions and terms
that it uses. A part that has changed since has another one. Notes, names and examples do not count.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from tilewright.base.node import Mapping, Node, plain
from tilewright.language.compiled.ruleset import Text
from tilewright.language.documents.fields import entries, section, text, texts

# the sections whose parts may have a wording
WORDED = ("forms", "terms", "phases", "actions", "offers", "restrictions", "triggers", "patterns")
LINES = "payments"  # whose lines may have one
WORDING, OF = "wording", "wording_of"
UNCOUNTED = frozenset(
    {WORDING, OF, "name", "about", "reason", "examples", "rare"}  # words, and what is told beside a wording
    | {"worth", "exposed", "family", "excludes", "limit", "extra", "alone"}
)
USED = ("actions", "terms")  # what a part uses by name, and what counts with it
NAME = re.compile(r"[^\W\d]\w*")
LETTERS = str.maketrans("0123456789abcdef", "abcdefghijklmnop")  # no fingerprint looks like a number
LENGTH = 6


@dataclass(frozen=True, slots=True)
class Wording:
    """The wording of a part. `id`: for a line of payments, `win.ron`; `text`: by language; `of`: the fingerprint beside
    it, empty if there is none; `now`: the one of the part as it is."""

    part: str
    id: str
    text: Text
    of: str
    now: str
    node: Mapping

    @property
    def is_stale(self) -> bool:
        return bool(self.of) and self.of != self.now


def wordings(document: Mapping) -> Iterator[Wording]:
    """Every wording of a merged document."""
    for part, id, node in worded(document):
        if found := texts(node.get(WORDING)):
            yield Wording(part, id, found, text(node, OF), fingerprint(document, part, id), node)


def worded(document: Mapping) -> Iterator[tuple[str, str, Mapping]]:
    """The parts that may have a wording, with their sections and ids."""
    for part in WORDED:
        yield from ((part, id, node) for id, node in entries(document, part))
    for id, _ in entries(document, LINES):
        yield from ((LINES, f"{id}.{line}", node) for line, node in entries(document, LINES, id))


def fingerprint(document: Mapping, part: str, id: str) -> str:
    """Six letters for what a part is, with the actions and terms that it uses, directly or through others."""
    counted: dict[str, object] = {}
    todo = [(part, id)]
    while todo:
        part, id = todo.pop()
        key = f"{part}.{id}"
        if key in counted or (node := part_of(document, part, id)) is None:
            continue
        counted[key] = written(node if not isinstance(node, Mapping) else without_notes(node))
        names = set(NAME.findall(str(counted[key])))
        todo += [(used, name) for used in USED for name in section(document, used).entries if name in names]
    digest = sha256(json.dumps(counted, sort_keys=True).encode()).hexdigest()
    return digest[:LENGTH].translate(LETTERS)


def part_of(document: Mapping, part: str, id: str) -> Node | None:
    *path, last = id.split(".")
    return section(document, part, *path).get(last)


def without_notes(node: Mapping) -> Mapping:
    kept = {key: entry for key, entry in node.entries.items() if key not in UNCOUNTED}
    return Mapping(kept, node.place)


def written(node: Node) -> str:
    """A part as text, without its layout; keys in any order are the same."""
    return json.dumps(plain(node), sort_keys=True, default=str)
