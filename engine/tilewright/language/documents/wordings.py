"""Wordings: sentences of authors in place of derived ones, and whether they still fit what they describe.

Beside a wording stands the fingerprint of what it describes: of the part as it is written, of the actions and terms
that it uses, and of what options in these are set to. Once the part has changed, or with another setting, there is
another one. `abcdef with any options` says that the wording holds whatever these options are set to. Names, notes and
examples do not count, wherever they stand in the part.
"""

import json
import re
from collections.abc import Iterator
from collections.abc import Mapping as Map
from dataclasses import dataclass, replace
from hashlib import sha256

from tilewright.base.node import Mapping, Node, Sequence, plain
from tilewright.language.documents.fields import entries, section, text, texts
from tilewright.language.documents.schema import Schema, below, document_schema, is_text, items
from tilewright.language.documents.whole import MergedRuleset

# the sections whose parts may have a wording
WORDED = ("forms", "terms", "phases", "actions", "offers", "restrictions", "triggers", "patterns")
LINES = "payments"  # whose lines may have one
WORDING, OF = "wording", "wording_of"
ANY_OPTIONS = " with any options"  # behind a fingerprint
IF = "if"
# What is said beside a wording, not by it.
UNCOUNTED = frozenset(
    {"examples", "needs", "rare", "worth", "exposed", "family", "excludes", "limit", "extra", "alone"}
)
USED = ("actions", "terms")  # what a part uses by name, and what counts with it
NAME = re.compile(r"[^\W\d]\w*")
LETTERS = str.maketrans("0123456789abcdef", "abcdefghijklmnop")  # no fingerprint looks like a number
LENGTH = 6


@dataclass(frozen=True, slots=True)
class Wording:
    """The wording of a part. `id`: for a line of payments, `win.ron`; `text`: by language; `of`: what stands beside it,
    empty if nothing does; `now`: what would have to; `options`: those whose settings count in it; `with_any`: what
    says that they do not."""

    part: str
    id: str
    text: Map[str, str]
    of: str
    now: str
    options: tuple[str, ...]
    with_any: str
    node: Mapping

    @property
    def is_stale(self) -> bool:
        return bool(self.of) and self.of != self.now


@dataclass(frozen=True, slots=True)
class Described:
    """What a wording describes: the part and what it uses, as written, and the settings of options that decide about
    these."""

    parts: dict[str, str]
    settings: dict[str, str]

    def fingerprint(self, any_options: bool = False) -> str:
        """Six letters, with what follows them if the settings are not to count."""
        counted = self.parts if any_options or not self.settings else {**self.parts, "options": self.settings}
        digest = sha256(json.dumps(counted, sort_keys=True).encode()).hexdigest()
        return digest[:LENGTH].translate(LETTERS) + (ANY_OPTIONS if any_options else "")


def wordings(whole: MergedRuleset) -> Iterator[Wording]:
    """Every wording of a merged document."""
    for part, id, node in worded(whole.full):
        if found := texts(node.get(WORDING)):
            of, what = text(node, OF), described(whole, part, id)
            any_options = of.endswith(ANY_OPTIONS)
            options = () if any_options else tuple(what.settings)
            yield Wording(part, id, found, of, what.fingerprint(any_options), options, what.fingerprint(True), node)


def worded(document: Mapping) -> Iterator[tuple[str, str, Mapping]]:
    """The parts that may have a wording, with their sections and ids."""
    for part in WORDED:
        yield from ((part, id, node) for id, node in entries(document, part))
    for id, _ in entries(document, LINES):
        yield from ((LINES, f"{id}.{line}", node) for line, node in entries(document, LINES, id))


def described(whole: MergedRuleset, part: str, id: str) -> Described:
    """What a part is, with the actions and terms that it uses, directly or through others."""
    parts: dict[str, str] = {}
    said = set[str]()
    todo = [(part, id)]
    while todo:
        at = todo.pop()
        key = ".".join(at)
        if key in parts or (node := part_of(whole.full, *at)) is None:
            continue
        counted = without_notes(node, schema_of(*at))
        parts[key] = written(counted)
        # that the part exists is not what its wording describes
        names = set(NAME.findall(written(without(counted, IF)) if at == (part, id) else parts[key]))
        said |= names
        todo += [(used, name) for used in USED for name in section(whole.full, used).entries if name in names]
    return Described(parts, {id: setting.written for id, setting in whole.options.items() if id in said})


def part_of(document: Mapping, part: str, id: str) -> Node | None:
    *path, last = id.split(".")
    return section(document, part, *path).get(last)


def schema_of(part: str, id: str) -> Schema:
    found = document_schema("ruleset")
    for key in (part, *id.split(".")):
        found = below(found, key)
    return found


def without_notes(node: Node, part: Schema) -> Node:
    """A part without its texts for people, and without what is said beside its wording."""
    return without_texts(without(node, *UNCOUNTED), part)


def without(node: Node, *keys: str) -> Node:
    """A mapping without some of its keys."""
    if not isinstance(node, Mapping):
        return node
    return Mapping({key: entry for key, entry in node.entries.items() if key not in keys}, node.place)


def without_texts(node: Node, part: Schema) -> Node:
    """A node without the texts for people in it, as its schema marks them."""
    if isinstance(node, Sequence):
        return Sequence(tuple(without_texts(item, items(part)) for item in node.items), node.place)
    if not isinstance(node, Mapping):
        return node
    kept = {
        key: replace(entry, value=without_texts(entry.value, below(part, key)))
        for key, entry in node.entries.items()
        if not is_text(part, key)
    }
    return Mapping(kept, node.place)


def written(node: Node) -> str:
    """A part as text, without its layout; keys in any order are the same."""
    return json.dumps(plain(node), sort_keys=True, default=str)
