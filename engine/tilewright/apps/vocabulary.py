"""`words`: everything that authors may write in an expression, a condition or a step, looked up.

Lists nothing itself: words come from their declarations, tests and verbs from the schema.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.text import Text

from tilewright.apps.exits import FINE, Unusable
from tilewright.apps.screen import Row, show, table
from tilewright.language.schema import resolve, schema
from tilewright.language.suggestion import hint
from tilewright.language.words import QUANTIFIERS, WORDS, WordDeclaration

TITLES = {
    "word": "Words of expressions",
    "quantifier": "Words that go over a set",
    "test": "Tests of a condition",
    "verb": "Verbs of a step",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that authors may write. `kind` is a key of TITLES; `of` and `takes` are types."""

    name: str
    kind: str
    type: str
    doc: str
    example: str = ""
    of: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    stratum: str = ""


def words_command(word: str | None, *, as_json: bool) -> int:
    """Show one word, in every meaning that it has, or all of them."""
    found = [entry for entry in entries() if word is None or entry.name == word]
    if not found:
        raise Unusable(f"no word is called '{word}'", hint(word or "", {entry.name for entry in entries()}))
    if as_json:
        print(json.dumps([asdict(entry) for entry in found], ensure_ascii=False, indent=2))
    else:
        show(listing(found) if word is None else details(found))
    return FINE


def entries() -> Iterator[Entry]:
    """Everything there is, words first."""
    yield from (word_entry(word) for word in WORDS.values())
    doc = "Goes over the members of a set, for instance any(e for x in S)."
    yield from (Entry(name, "quantifier", "any", doc) for name in QUANTIFIERS)
    yield from schema_entries("test", schema()["$defs"]["condition"]["properties"])
    steps = schema()["$defs"]["step_body"]["properties"]
    yield from schema_entries("verb", {name: part for name, part in steps.items() if part.get("x-verb")})


def word_entry(word: WordDeclaration) -> Entry:
    doc = " ".join(word.doc.split())
    return Entry(word.name, "word", word.type, doc, word.example, word.of, word.takes, word.stratum)


def schema_entries(kind: str, properties: Mapping[str, Any]) -> Iterator[Entry]:
    for name, part in properties.items():
        whole = resolve(part)
        yield Entry(name, kind, type_name(whole), " ".join(str(whole.get("description", "")).split()))


def type_name(part: Mapping[str, Any]) -> str:
    """What may stand there, as authors say it: an expression's type, a name of something, or a kind of YAML."""
    if "const" in part:
        return str(part["const"])
    if "enum" in part:
        return ", ".join(str(value) for value in part["enum"] if value is not None)
    said = part.get("type", "mapping" if "properties" in part else "any")
    kinds = said if isinstance(said, list) else [said]
    return " or ".join(dict.fromkeys(kind_name(part, kind) for kind in kinds if kind != "null"))


def kind_name(part: Mapping[str, Any], kind: str) -> str:
    """One of the types of a place."""
    if kind == "string":
        of = str(part.get("x-expr", part.get("x-ref", "text")))
        return of.split("_or_")[0] if "x-expr" in part else of.replace("_", " ")
    if kind == "array" and isinstance(part.get("items"), dict):
        items = type_name(resolve(part["items"]))
        return "list" if items == "any" else f"list of {items}"
    return YAML_NAMES.get(kind, kind)


YAML_NAMES = {"array": "list", "object": "mapping", "integer": "number", "boolean": "truth"}


def listing(found: Sequence[Entry]) -> Iterator[Text]:
    """All words, by what they are, a line each."""
    for kind, title in TITLES.items():
        rows: list[Row] = [[Text(call(e), "bold cyan"), Text(e.type, "green"), e.doc] for e in found if e.kind == kind]
        if rows:
            yield Text(title, "bold")
            yield from table(rows)
            yield Text()


def details(found: Sequence[Entry]) -> Iterator[Text]:
    """One word with all that is declared of it."""
    for entry in found:
        yield Text(call(entry), "bold cyan") + Text(f"  {entry.type}", "green") + Text(f"  {entry.kind}", "dim")
        yield Text(f"  {entry.doc}")
        rows = [("asked of", ", ".join(entry.of)), ("example", entry.example)]
        yield from table([[Text(name, "dim"), text] for name, text in rows if text])


def call(entry: Entry) -> str:
    """The word with the types of its arguments."""
    return f"{entry.name}({', '.join(entry.takes)})" if entry.takes else entry.name
