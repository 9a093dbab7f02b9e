"""Splitting: the text of a document in; the texts of its files out: the rules in one language, each translation, the
wordings with what they were written of, and the cases.

What the document says does not change: `language/documents/companions.py` puts all of it back. Comments stay. Knows no
files.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml.nodes import CollectionNode, MappingNode, Node, ScalarNode, SequenceNode

from tilewright.authoring.layout import (
    NONE,
    Comments,
    Path,
    end_of,
    end_of_line,
    spliced,
    text_lines,
    tree_lines,
    tree_of,
    with_short_blocks,
    with_short_lines,
)
from tilewright.base.version import EDITION
from tilewright.language.documents.companions import CASES, OWN_LANGUAGE, SEPARATOR, TEXTS
from tilewright.language.documents.schema import (
    SECTIONS_BY_KIND,
    Schema,
    below,
    document_schema,
    is_text,
    is_translated,
    items,
)
from tilewright.language.documents.wordings import OF, WORDING

EDITORS_LINE = "# yaml-language-server: $schema="
WITH_CASES = ("base", "ruleset")  # the cases of a mod are few, and stay
Texts = dict[str, Any]


@dataclass(slots=True)
class Splitting:
    """What was found of a document. `texts`: trees by language; `edits`: characters of the document, and what becomes
    of them; `removed`: entries that leave it; `touched`: parts that are shorter now."""

    text: str
    texts: dict[str, Texts] = field(default_factory=dict)
    edits: list[tuple[int, int, str]] = field(default_factory=list)
    removed: set[int] = field(default_factory=set)
    touched: set[Path] = field(default_factory=set)


def split(text: str) -> dict[str, str]:
    """The texts of a document's files, by what stands between its name and the ending: "" for the document itself,
    "ja" for riichi.ja.yaml. Raises RulesetError if the text is no document. A document without anything to split is
    alone, and as it was."""
    found = Splitting(text)
    tree = tree_of(text)
    kind = value_at(tree, "kind")
    if not isinstance(tree, MappingNode) or kind not in SECTIONS_BY_KIND or SEPARATOR.search(text):
        return {"": text}
    gather(found, tree, document_schema(kind), ())
    found.edits += removals(found, tree)
    rules = text
    for start, end, new in sorted(found.edits, reverse=True):
        rules = spliced(rules, (start, end), new)
    rules, cases = without_cases(rules) if kind in WITH_CASES else (rules, "")
    if not found.edits and not cases:
        return {"": text}
    name, schema = value_at(tree, "id"), re.match(re.escape(EDITORS_LINE) + ".*\n", text)
    first = schema[0] if schema else ""
    parts = {"": with_short_lines(with_short_blocks(rules, found.touched))}
    if cases:
        parts[CASES] = with_short_lines(f"{first}{head(CASES, name)}\n{cases}")
    for language, texts in found.texts.items():
        parts[language] = first + texts_file(name, language, texts)
    return parts


def texts_file(id: str, language: str, texts: Texts, comments: Comments = NONE) -> str:
    """The text of a file of texts."""
    lines = [*head(TEXTS, id).splitlines(), f"language: {language}"]
    for key, value in texts.items():
        if isinstance(value, dict) and not ({language, OWN_LANGUAGE} & value.keys()):
            lines.append("")
        lines += tree_lines({key: value}, comments=comments)
    return "\n".join(lines) + "\n"


def head(kind: str, id: str) -> str:
    return f"tilewright: {EDITION}\nkind: {kind}\nid: {id}\n"


def value_at(tree: Node, key: str) -> str:
    """The word under a key of a document, "" if there is none."""
    pairs = tree.value if isinstance(tree, MappingNode) else ()
    return next((str(value.value) for name, value in pairs if name.value == key), "")


# --- texts


def gather(found: Splitting, node: Node, part: Schema, path: Path) -> None:
    """Find the texts below a node, and what becomes of them."""
    if isinstance(node, SequenceNode):
        for number, item in enumerate(node.value, 1):
            gather(found, item, items(part), (*path, value_at(item, "id") or str(number)))
    elif isinstance(node, MappingNode):
        pinned = any(key.value == OF for key, _ in node.value)
        for key, value in node.value:
            at = (*path, key.value)
            if key.value == OF and is_text(part, OF):
                put(found.texts, OWN_LANGUAGE, at, value.value)
                found.removed.add(id(key))
            elif is_translated(part, key.value):
                apart = pinned and key.value == WORDING
                take_text(found, key, value, at, apart)
            else:
                gather(found, value, below(part, key.value), at)


def take_text(found: Splitting, key: Node, value: Node, path: Path, apart: bool) -> None:
    """Take the translations of a text out of the document; the text itself, too, if that is kept `apart`."""
    by_language = languages_in(value)
    own = by_language.pop(OWN_LANGUAGE, None)
    if own is None or not (by_language or apart):
        return
    found.touched.add(path[:-1])
    for language, text in by_language.items():
        put(found.texts, language, path, {OWN_LANGUAGE: own.value, language: text.value})
    if apart:
        put(found.texts, OWN_LANGUAGE, path, own.value)
        found.removed.add(id(key))
        return
    assert isinstance(value, CollectionNode)
    if value.flow_style and own.style not in ("|", ">"):
        raw = found.text[own.start_mark.index : own.end_mark.index]
        found.edits.append((value.start_mark.index, end_of(value), raw))
        return
    column = key.start_mark.column
    first, *more = text_lines("", own.value, column)
    start = found.text.rindex(":", 0, value.start_mark.index) + 1
    found.edits.append((start, end_of(value), "\n".join([first, *more])))


def languages_in(value: Node) -> dict[str, ScalarNode]:
    """The texts of a node by language; of one without languages in the language of the document."""
    if isinstance(value, ScalarNode):
        return {OWN_LANGUAGE: value}
    pairs = value.value if isinstance(value, MappingNode) else ()
    if not all(isinstance(text, ScalarNode) and text.value for _, text in pairs):
        return {}
    return {key.value: text for key, text in pairs}


def put(texts: dict[str, Texts], language: str, path: Path, value: Any) -> None:
    """Put a text where it belongs in the tree of its language."""
    at = texts.setdefault(language, {})
    for key in path[:-1]:
        at = at.setdefault(key, {})
    at[path[-1]] = value


# --- what leaves the document


def removals(found: Splitting, node: Node) -> Iterator[tuple[int, int, str]]:
    """The characters of the entries that leave the document."""
    for item in node.value if isinstance(node, CollectionNode) else ():
        inner = item[1] if isinstance(item, tuple) else item
        if not is_emptied(found, inner):
            yield from removals(found, inner)
    if not isinstance(node, MappingNode):
        return
    leaving = [id(key) in found.removed or is_emptied(found, value) for key, value in node.value]
    kept = [number for number, leaves in enumerate(leaving) if not leaves]
    for number, (key, value) in enumerate(node.value):
        start, end = key.start_mark.index, end_of(value)
        if not leaving[number]:
            continue
        if not node.flow_style:
            begin = found.text.rfind("\n", 0, start) + 1
            end -= found.text[end - 1] == "\n"  # behind a block of text
            yield begin, min(end_of_line(found.text, end) + 1, len(found.text)), ""
        elif number < kept[-1]:
            yield start, node.value[number + 1][0].start_mark.index, ""
        elif number == kept[-1] + 1:
            yield end_of(node.value[kept[-1]][1]), end_of(node.value[-1][1]), ""


def is_emptied(found: Splitting, node: Node) -> bool:
    """Whether all entries of a mapping leave the document."""
    return (
        isinstance(node, MappingNode)
        and bool(node.value)
        and all(id(key) in found.removed or is_emptied(found, value) for key, value in node.value)
    )


def without_cases(text: str) -> tuple[str, str]:
    """A document without its cases, and these as a section; none if it has none, or with anything behind them that may
    belong to either."""
    pairs = tree_of(text).value
    at = next((number for number, (key, _) in enumerate(pairs) if key.value == CASES), None)
    if at is None or not isinstance(pairs[at][1], MappingNode):
        return text, ""
    start = pairs[at][0].start_mark.index
    end = pairs[at + 1][0].start_mark.index if at + 1 < len(pairs) else len(text)
    return text[:start].rstrip("\n") + "\n\n" * bool(text[end:]) + text[end:] or "\n", text[start:end].rstrip() + "\n"
