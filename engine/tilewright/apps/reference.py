"""The reference of the language as Markdown, from the schema and the declared words; nothing is listed here.

`python -m tilewright.apps.reference FILE` writes it (`make docs`); without a file it goes to stdout.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tilewright.apps.vocabulary import Entry, call, entries, type_name
from tilewright.language.schema import resolve, schema
from tilewright.language.words import STRATA

Part = Mapping[str, Any]

KINDS = ("ruleset", "mod", "card")
FRAME = ("tilewright", "kind", "id", "name", "about", "source")
ANY_ID = "*id*"
DEEPEST = 6  # keys below a section; what lies deeper is described where it stands first

INTRODUCTION = """\
# The language

<!-- Written by `make docs` from schemas/tilewright.yaml and the declared words; change those, not this file. -->

A document is YAML. What has a fixed set of keys is a mapping; arithmetic, comparison and groups with letters are
strings. A key of the tables below stands inside those before its last dot; *id* is a name that you choose. Where a type
is `truth`, `number`, `tiles`, `seats`, `template` or `span`, a string is an [expression](#expressions) of that type.
`tilewright words WORD` shows any word on the command line, `tilewright schema` lets editors complete them.
"""

OPERATORS = """\
Templates name groups of the hand; a list of them asks for different groups, and letters stand for the same rank, tile,
suit or step throughout the list:

    [how many] [concealed|exposed|completed|plain|natural|different] KIND
        [place] [in SUIT] [by STEP] [of CLASS or CLASS except CLASS]

Spans are ranges of whole numbers: `4`, `2..8`, `3..`, `..most`.

A word without a dot is asked of the seat that the expression is about: `score` is `seat.score`.

Operators, loosest first: `a if c else b`, `or`, `and`, `not`, `== != < <= > >=`, `in` and `not in`, `+ -`, `* / %`,
`^`, `-`, `.`, brackets. Where a number is wanted, a set counts its members. Over a set: `any(e for x in S)`.\
"""

STRATUM_TITLES = {
    "table": "The table: asked anywhere",
    "waits": "Waits: not in forms",
    "reading": "The reading: in patterns",
    "measure": "Measures: where totals are computed",
    "win": "The win: in payments and in play",
    "play": "The play: at the table only",
}


def render_reference() -> str:
    """The whole reference."""
    return "\n".join([INTRODUCTION, *documents(), *sections(), *steps(), *conditions(), *expressions(), ""])


def main(arguments: Sequence[str]) -> None:
    """Write the reference to the file that is named, or to stdout."""
    if arguments:
        Path(arguments[0]).write_text(render_reference(), encoding="utf-8")
    else:
        sys.stdout.write(render_reference())


# --- the structure


def documents() -> Iterator[str]:
    """What every document has, and the kinds with what is theirs alone."""
    yield "## Documents\n"
    top, ruleset = schema()["properties"], schema()["$defs"]["ruleset"]["properties"]
    yield from key_table(keys({key: top.get(key) or ruleset[key] for key in FRAME}, "", 1))
    for kind in KINDS:
        part = schema()["$defs"][kind]
        yield f"\n### {kind}\n\n{sentence(part)}\n"
        yield from key_table(keys(own_keys(kind, part["properties"]), "", 1))


def own_keys(kind: str, properties: Part) -> Part:
    """The keys of a kind of document that are neither those of all nor sections of a ruleset."""
    elsewhere = {*FRAME, *(schema()["$defs"]["part"]["properties"] if kind != "card" else ())}
    return {key: part for key, part in properties.items() if key not in elsewhere}


def sections() -> Iterator[str]:
    """Every section of a ruleset with its keys."""
    yield "\n## Sections"
    for name, part in schema()["$defs"]["part"]["properties"].items():
        if name not in FRAME:
            whole = resolve(part)
            yield f"\n### {name}\n\n{sentence(part)}\n"
            yield from key_table(keys_below(whole, "", DEEPEST))


def steps() -> Iterator[str]:
    """The verbs, and what may stand beside one."""
    properties = schema()["$defs"]["step_body"]["properties"]
    yield "\n## Steps\n\nA step is one verb, or a list of steps under `do`, and any of the keys below.\n\n### Verbs\n"
    verbs = {name: part for name, part in properties.items() if part.get("x-verb")}
    yield from key_table(keys(verbs, "", 2))
    yield "\n### Beside a verb\n"
    yield from key_table(keys({name: part for name, part in properties.items() if name not in verbs}, "", 1))


def conditions() -> Iterator[str]:
    yield "\n## Conditions\n\nA condition is an expression, or a mapping of these tests, which must all hold.\n"
    yield from key_table((e.name, e.type, e.doc) for e in entries() if e.kind == "test")


def expressions() -> Iterator[str]:
    """The words, by what they may look at."""
    names = [f"`{entry.name}`" for entry in entries() if entry.kind == "quantifier" and entry.name != "any"]
    yield f"\n## Expressions\n\n{OPERATORS}\nLikewise {', '.join(names)}."
    for stratum in STRATA:
        found = [e for e in entries() if e.kind == "word" and e.stratum == stratum]
        if found:
            yield f"\n### {STRATUM_TITLES[stratum]}\n"
            yield from word_table(found)


# --- keys


def keys(properties: Mapping[str, Any], before: str, depth: int) -> Iterator[tuple[str, str, str]]:
    """Key, type and description of each property and of those below it."""
    for name, part in properties.items():
        whole = resolve(part)
        if sentence(whole):
            yield before + name, type_name(whole), sentence(whole)
        if depth > 1 and not is_shared(part) and whole.get("x-block") != "condition":
            yield from keys_below(whole, f"{before}{name}.", depth - 1)


def keys_below(part: Part, before: str, depth: int) -> Iterator[tuple[str, str, str]]:
    """The keys of a mapping, of the entries of an id map, of the items of a list."""
    yield from keys(part.get("properties", {}), before, depth)
    entry = part.get("additionalProperties")
    if isinstance(entry, dict):
        yield from keys({ANY_ID: entry}, before, depth)
    items = part.get("items")
    if isinstance(items, dict) and not is_shared(items):
        yield from keys_below(resolve(items), before, depth)


def is_shared(part: Part) -> bool:
    """What has a table of its own: conditions and steps; and what is a section of a ruleset."""
    name = str(part.get("$ref", "")).rsplit("/", 1)[-1]
    return name in {"condition", "steps", "step", "step_body", *schema()["$defs"]["part"]["properties"], "part"}


def sentence(part: Part) -> str:
    return " ".join(str(part.get("description", "")).split())


# --- Markdown


def key_table(rows: Iterator[tuple[str, str, str]] | Sequence[tuple[str, str, str]]) -> Iterator[str]:
    """A table of keys, nothing if there are none."""
    found = list(rows)
    if found:
        yield "| key | is | says |"
        yield "|---|---|---|"
        yield from (f"| {path_text(path)} | {escaped(type)} | {escaped(doc)} |" for path, type, doc in found)


def path_text(path: str) -> str:
    """A path with its ids in italics."""
    return ".".join(part if part == ANY_ID else f"`{part}`" for part in path.split("."))


def word_table(found: Sequence[Entry]) -> Iterator[str]:
    yield "| word | type | asked of | says | example |"
    yield "|---|---|---|---|---|"
    for entry in found:
        cells = (f"`{call(entry)}`", entry.type, ", ".join(entry.of) or "—", entry.doc, f"`{entry.example}`")
        yield "| " + " | ".join(map(escaped, cells)) + " |"


def escaped(text: str) -> str:
    """Text that stays inside its cell of a table."""
    return text.replace("|", "\\|").replace("\n", " ")


if __name__ == "__main__":
    main(sys.argv[1:])
