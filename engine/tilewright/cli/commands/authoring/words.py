"""The command that looks up words and keys."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Annotated

import typer
from rich.text import Text

from tilewright.authoring.open_rules import CannotBegin
from tilewright.authoring.words import Kind, VocabularyEntry, call, entries, key_entries
from tilewright.base.spelling import hint
from tilewright.cli.arguments import AsJson
from tilewright.cli.command import FINE, command
from tilewright.cli.output import print_json
from tilewright.presentation.console import Row, show, table

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
        show(listing(found) if word is None else details(found))
    return FINE


def speaking_of(word: str) -> list[str]:
    """The words and keys that are explained with this word, in one number or the other."""
    said = re.compile(rf"\b{re.escape(word.rstrip('s'))}s?\b", re.IGNORECASE)
    found = [entry.name for entry in (*entries(), *key_entries()) if said.search(f"{entry.name} {entry.doc}")]
    return list(dict.fromkeys(found))


def listing(found: Sequence[VocabularyEntry]) -> Iterator[Text]:
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
