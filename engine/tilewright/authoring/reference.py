"""The reference of the language as Markdown, from the schema and the declared words, and the table of a case's fields;
nothing is listed here.

`python -m tilewright.authoring.reference LANGUAGE.md CASES.md` writes the one page, and the table into the other,
between its marks (`make docs`).
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from tilewright.authoring.words import (
    ANY_ID,
    DocumentKey,
    Part,
    VocabularyEntry,
    call,
    entries,
    keys,
    section_keys,
    sections,
    sentence,
)
from tilewright.language.documents.schema import schema
from tilewright.language.vocabulary.case import case_fields
from tilewright.language.vocabulary.declare import STRATA

MARK = "written by `make docs`"
MARKED = re.compile(rf"(?<=<!-- )(\w+): {MARK} -->\n.*?(?=<!-- end -->$)", re.MULTILINE | re.DOTALL)
KINDS = ("ruleset", "mod", "card")
FRAME = ("tilewright", "kind", "id", "name", "about", "source")

INTRODUCTION = """\
# The language

<!-- Written by `make docs` from schemas/tilewright.yaml and the declared words; change those, not this file. -->

A document is YAML. A fixed set of keys is a mapping; arithmetic, comparison and groups with letters are
strings. In the tables below, a key is nested in those before its last dot; *id* is a name that you choose. Where a type
is `truth`, `number`, `tiles`, `seats`, `template` or `span`, a string is an [expression](#expressions) of that type.
`tilewright words WORD` shows any word on the command line, `tilewright schema` lets editors complete them.
[guide.md](guide.md) explains the same things with examples of rules; this page is for looking up.
"""

OPERATORS = """\
Templates name groups of the hand; a list of them needs different groups, and letters stand for the same rank, tile,
suit or step throughout the list:

    [how many] [concealed|exposed|completed|plain|natural|different] KIND
        [place] [in SUIT] [by STEP] [of CLASS or CLASS except CLASS]

Spans are ranges of whole numbers: `4`, `2..8`, `3..`, `..most`.

A word without a dot refers to the seat that the expression is about: `score` is `seat.score`.

Tiles are compared by kind: a red five is a five. A special tile named by its code or class means
only that copy. `is` and `is not` compare tiles on the table, not kinds.

Operators, loosest first: `a if c else b`, `or`, `and`, `not`, `== != < <= > >=`, `in`, `not in`, `is` and `is not`,
`+ -`, `* / %`, `^`, `-`, `.`, brackets. Where a number is expected, a set counts as its size. Over a set:
`any(e for x in S)`.\
"""

STRATUM_TITLES = {
    "table": "The table: available anywhere",
    "waits": "Waits: not in forms",
    "reading": "The reading: in patterns",
    "measure": "Measures: where totals are computed",
    "win": "The win: in payments and in play",
    "play": "The play: at the table only",
}


def render_reference() -> str:
    """The whole reference."""
    body = [*documents(), *section_tables(), *steps(), *conditions(), *expressions()]
    return "\n".join([INTRODUCTION, *contents(body), *body, ""])


def main(arguments: Sequence[str]) -> None:
    """Write the reference, and the table into its page."""
    language, cases = map(Path, arguments)
    language.write_text(render_reference(), encoding="utf-8")
    cases.write_text(with_parts(cases.read_text(encoding="utf-8"), CASE_PAGE), encoding="utf-8")


def with_parts(page: str, written: Mapping[str, Callable[[], Iterator[str]]]) -> str:
    """The page with its marked parts filled in."""
    return MARKED.sub(lambda found: f"{found[1]}: {MARK} -->\n\n{chr(10).join(written[found[1]]())}\n\n", page)


def case_table() -> Iterator[str]:
    """A row for each field of a case."""
    rows = ((f"`{name}`", field.page, field.default) for name, field in case_fields().items())
    yield from table(("key", "is", "unless given"), rows)


CASE_PAGE = {"case": case_table}  # the marked parts of docs/cases.md


# --- the structure


def contents(body: Iterable[str]) -> Iterator[str]:
    """A line for each heading of the page, with those below it."""
    for title, *below in chapters(re.findall(r"^(##+) (.*)$", "\n".join(body), re.MULTILINE)):
        yield f"- {link(title)}" + (f": {', '.join(map(link, below))}" if below else "")
    yield ""


def chapters(headings: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Titles, each with the titles below it."""
    found: list[list[str]] = []
    for marks, title in headings:
        if marks == "##":
            found.append([])
        found[-1].append(title)
    return found


def link(title: str) -> str:
    """A link to a heading of this page."""
    return f"[{title}](#{re.sub(r'[^a-z0-9 _-]', '', title.lower()).replace(' ', '-')})"


def documents() -> Iterator[str]:
    """The keys of every document, and those of each kind."""
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


def section_tables() -> Iterator[str]:
    """Every section of a ruleset with its keys."""
    yield "\n## Sections"
    for name, part in sections().items():
        yield f"\n### {name}\n\n{sentence(part)}\n"
        yield from key_table(section_keys(name))


def steps() -> Iterator[str]:
    """The verbs, and the keys allowed next to one."""
    properties = schema()["$defs"]["step_body"]["properties"]
    yield "\n## Steps\n\nA step is one verb, or a list of steps under `do`, and any of the keys below.\n\n### Verbs\n"
    verbs = {name: part for name, part in properties.items() if part.get("x-verb")}
    yield from key_table(keys(verbs, "", 2))
    yield "\n### Beside a verb\n"
    yield from key_table(keys({name: part for name, part in properties.items() if name not in verbs}, "", 1))


def conditions() -> Iterator[str]:
    """The tests of conditions."""
    yield "\n## Conditions\n\nA condition is an expression, or a mapping of these tests, which must all hold.\n"
    tests = [entry for entry in entries() if entry.kind == "test"]
    yield from table(
        ("test", "is", "says", "example"), ((f"`{e.name}`", e.type, e.doc, f"`{e.example}`") for e in tests)
    )


def expressions() -> Iterator[str]:
    """The words, by stratum."""
    names = [f"`{entry.name}`" for entry in entries() if entry.kind == "quantifier" and entry.name != "any"]
    yield f"\n## Expressions\n\n{OPERATORS}\nLikewise {', '.join(names)}."
    for stratum in STRATA:
        found = [e for e in entries() if e.kind == "word" and e.stratum == stratum]
        if found:
            yield f"\n### {STRATUM_TITLES[stratum]}\n"
            yield from word_table(found)


# --- Markdown


def key_table(rows: Iterable[DocumentKey]) -> Iterator[str]:
    """A table of keys, nothing if there are none."""
    found = [(path_text(key.path), key.type, key.doc) for key in rows]
    if found:
        yield from table(("key", "is", "says"), found)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    yield from (f"| {' | '.join(map(escaped, row))} |" for row in rows)


def path_text(path: str) -> str:
    """A path with its ids in italics."""
    return ".".join(part if part == ANY_ID else f"`{part}`" for part in path.split("."))


def word_table(found: Sequence[VocabularyEntry]) -> Iterator[str]:
    rows = ((f"`{call(e)}`", e.type, ", ".join(e.of) or "—", e.doc, f"`{e.example}`") for e in found)
    yield from table(("word", "type", "asked of", "says", "example"), rows)


def escaped(text: str) -> str:
    """Text that stays inside its cell of a table."""
    return text.replace("|", "\\|").replace("\n", " ")


if __name__ == "__main__":
    main(sys.argv[1:])
