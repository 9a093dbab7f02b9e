"""Commands to look up problems, words and the schema."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Annotated

import typer
from rich.text import Text

from tilewright.authoring.new_documents import whole_of
from tilewright.authoring.open_rules import CannotBegin, RulesChoice
from tilewright.authoring.words import Kind, VocabularyEntry, call, entries, key_entries
from tilewright.base.spelling import hint
from tilewright.cli.arguments import AsJson, Mods, Sets
from tilewright.cli.command import FINE, command
from tilewright.cli.output import print_json
from tilewright.language.documents.schema import schema as schema_of_documents
from tilewright.language.editor_schema import schema_for
from tilewright.presentation.console import Row, show, table
from tilewright.presentation.problem_pages import KINDS, ProblemPage, pages


def complete_code(incomplete: str) -> list[str]:
    """Codes, for the completion of the shell."""
    return [code for code in pages() if code.startswith(incomplete)]


@command("explain")
def explain(
    code: Annotated[
        str | None,
        typer.Argument(
            metavar="CODE", help="The code of a problem; by default all are listed.", autocompletion=complete_code
        ),
    ] = None,
    json: AsJson = False,
) -> int:
    """Explain the code of a problem: what it means, why it is one, how to fix it, with a wrong and a right example.

    Without a code, list all of them by kind. Example: tilewright explain unknown-word
    """
    if code is not None and code not in pages():
        raise CannotBegin(f"no problem has the code '{code}'", hint(code, pages()) or "tilewright explain lists all")
    found = [pages()[code]] if code is not None else list(pages().values())
    if json:
        print_json([as_data(page) for page in found], indent=2)
    else:
        show(codes_listed() if code is None else page_lines(found[0]))
    return FINE


def as_data(page: ProblemPage) -> dict[str, object]:
    """A page as plain data."""
    example = {"wrong": page.example.wrong, "right": page.example.right}
    return {**asdict(page), "example": example}


def codes_listed() -> Iterator[Text]:
    """All codes by kind, one in a line."""
    for kind, title in KINDS.items():
        rows = [(Text(page.code, "bold cyan"), page.means) for page in pages().values() if page.kind == kind]
        yield Text(title, "bold")
        yield from table(rows)
        yield Text()


def page_lines(page: ProblemPage) -> Iterator[Text]:
    """A page: its sentences, then the examples."""
    yield Text(page.code, "bold cyan") + Text(f"  {KINDS[page.kind]}", "dim")
    yield Text(f"  {page.means} {page.why}")
    yield Text(f"  {page.fix}")
    for title, text, style in (("Wrong", page.example.wrong, "red"), ("Right", page.example.right, "green")):
        yield Text()
        yield Text(f"  {title}", "bold")
        yield from (Text(f"    {line}", style) for line in text.splitlines())


MOST_NAMED = 8  # words in a hint
TITLES: Mapping[Kind, str] = {
    "word": "Words of expressions",
    "quantifier": "Words that iterate over a set",
    "test": "Tests of a condition",
    "verb": "Verbs of a step",
    "key": "Keys of a document",
}


@command("words")
def words(
    word: Annotated[str | None, typer.Argument(metavar="WORD", help="A word or a key; by default all words.")] = None,
    json: AsJson = False,
) -> int:
    """Look up words and keys of the language."""
    found = list(entries()) if word is None else [e for e in (*entries(), *key_entries()) if e.name == word]
    if not found:
        speaking = speaking_of(word or "")
        known = {entry.name for entry in (*entries(), *key_entries())}
        near = f"these speak of it: {', '.join(speaking[:MOST_NAMED])}" if speaking else hint(word or "", known)
        raise CannotBegin(f"there is no word or key called '{word}'", near)
    if json:
        print_json([asdict(entry) for entry in found], indent=2)
    else:
        show(words_listed(found) if word is None else details(found))
    return FINE


def speaking_of(word: str) -> list[str]:
    """The words and keys that are explained with this word, in one number or the other."""
    said = re.compile(rf"\b{re.escape(word.rstrip('s'))}s?\b", re.IGNORECASE)
    found = [entry.name for entry in (*entries(), *key_entries()) if said.search(f"{entry.name} {entry.doc}")]
    return list(dict.fromkeys(found))


def words_listed(found: Sequence[VocabularyEntry]) -> Iterator[Text]:
    """Print all words by kind, one per line."""
    for kind, title in TITLES.items():
        rows: list[Row] = [[Text(call(e), "bold cyan"), Text(e.type, "green"), e.doc] for e in found if e.kind == kind]
        if rows:
            yield Text(title, "bold")
            yield from table(rows)
            yield Text()


def details(found: Sequence[VocabularyEntry]) -> Iterator[Text]:
    """Print one word with its whole declaration."""
    for entry in found:
        yield Text(call(entry), "bold cyan") + Text(f"  {entry.type}", "green") + Text(f"  {entry.kind}", "dim")
        yield Text(f"  {entry.doc}")
        rows = [("at", entry.place), ("asked of", ", ".join(entry.of)), ("example", entry.example)]
        yield from table([[Text(name, "dim"), text] for name, text in rows if text])


@command("schema")
def schema(
    ruleset: Annotated[
        str | None, typer.Argument(metavar="RULESET", help="A ruleset whose names the schema should offer.")
    ] = None,
    *,
    set_: Sets,
    mod: Mods,
) -> int:
    """Print the JSON Schema for editors."""
    choices = RulesChoice.of(set_, mod)
    print_json(schema_of_documents() if ruleset is None else schema_for(whole_of(ruleset, choices)), indent=1)
    return FINE
