"""The command that explains codes of problems."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated

import typer
from rich.text import Text

from tilewright.authoring.open_rules import CannotBegin
from tilewright.base.spelling import hint
from tilewright.cli.arguments import AsJson
from tilewright.cli.command import FINE, command
from tilewright.cli.output import print_json
from tilewright.presentation.console import show, table
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
        show(listing() if code is None else page_lines(found[0]))
    return FINE


def as_data(page: ProblemPage) -> dict[str, object]:
    """A page as plain data."""
    example = {"wrong": page.example.wrong, "right": page.example.right}
    return {**asdict(page), "example": example}


def listing() -> Iterator[Text]:
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
