"""Digests of a merged ruleset, the same on every machine: of its texts, and of its rules without names and notes.

The digest of the texts says that nothing at all was changed: what pages show of rules is known by it. That of the rules
stays the same where a comment, a translation, a note or an example was changed, or a part moved to a base: games and
logs are known by it. It is of the rules in the newest edition of the language, whatever edition they are written in.
"""

import hashlib
import json
from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from tilewright.base.document import bytes_of
from tilewright.base.node import Mapping, Node, Scalar, Sequence
from tilewright.language.companions.joining import sources_of
from tilewright.language.documents.fields import nowhere
from tilewright.language.documents.library import shown
from tilewright.language.documents.schema import Schema, below, document_schema, items
from tilewright.language.documents.whole import MergedRuleset
from tilewright.language.editions.table import MARK

FORM = Scalar(1, "1", nowhere())  # in place of the edition: raised when the same rules get other digests
FOR_READERS = "x-readers"  # the mark of the schema for what only people read


def text_digest_of(whole: MergedRuleset) -> str:
    """SHA-256 of the texts of all documents, and of the chosen options."""
    read = (bytes_of(played.path, shown(played.path)) for _, played in sorted(whole.cards.items()))
    cards = [content.decode("utf-8-sig", "replace") for content in read]
    documents: list[str] = whole.found.once("texts", lambda: [t for one in whole.origins for t in texts_of(one)])
    return digest_of([[text.replace("\r\n", "\n") for text in documents + cards], chosen(whole)])


def texts_of(document: Mapping) -> Iterator[str]:
    """The texts of a document and of its companions, the same in one file and in several."""
    first, *others = sources_of(document)
    yield first.text
    yield from (source.text.lstrip() for source in others)


def rules_digest_of(whole: MergedRuleset) -> str:
    """SHA-256 of the merged document without what only people read, of the lines of cards, and of the options."""
    cards = [
        [option, [[line.entry.text for line in group.lines] for group in played.card.groups]]
        for option, played in sorted(whole.cards.items())
    ]
    return digest_of_text(f"[{rules_text(whole)}, {json.dumps(cards)}, {json.dumps(chosen(whole))}]")


def rules_text(whole: MergedRuleset) -> str:
    """The document without what only people read, as JSON, whatever edition it was written in. That of a section is
    known while it is the very same."""
    schema, parts = document_schema("ruleset"), list[str]()
    for key, node in {**dict(whole.document.items()), MARK: FORM}.items():
        if FOR_READERS not in (part := below(schema, key)):
            written = partial(rules_of_section, key, node, part)
            parts.append(whole.shared.of_node(node, f"rules of {key}", written))
    return f"[{', '.join(parts)}]"


def rules_of_section(key: str, node: Node, part: Schema) -> str:
    return json.dumps([key, rules_in(node, part)])


def chosen(whole: MergedRuleset) -> list[tuple[str, str]]:
    return sorted((name, str(setting.chosen)) for name, setting in whole.options.items())


def rules_in(node: Node, schema: Schema) -> object:
    """A part of a document as plain data, without what only people read. The order of keys counts: it may be that of
    play."""
    match node:
        case Scalar(value=value):
            return str(value) if isinstance(value, Fraction) else value
        case Sequence(items=found):
            return [rules_in(item, items(schema)) for item in found]
        case Mapping():
            parts = ((key, value, below(schema, key)) for key, value in node.items())
            return [[key, rules_in(value, part)] for key, value, part in parts if FOR_READERS not in part]


def digest_of(content: object) -> str:
    return digest_of_text(json.dumps(content))


def digest_of_text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
