"""`card show`: a card in; a picture, a page or the card itself in either of its forms out, on stdout or in a file.

Knows which formats there are and which endings of files they have; what they look like is for the modules that draw.
"""

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tilewright.apps.card import CardFile, open_card
from tilewright.apps.exits import FINE, PROBLEMS, Unusable
from tilewright.apps.opening import show_problems
from tilewright.apps.screen import console_for
from tilewright.base.problem import Problem, Source
from tilewright.cards.check import problems_of_line
from tilewright.cards.model import Card
from tilewright.cards.process import ProcessedLine, understood

WIDTH = 100  # of a file or a pipe, which have no edge
STDOUT = Path("-")
ENDINGS = {  # of files -> the format that is written to them
    ".html": "html",
    ".htm": "html",
    ".svg": "svg",
    ".txt": "code",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".json": "json",
}
PRINTED = (".pdf", ".png", ".jpg", ".jpeg", ".ps")  # what browsers make of a page


def show_command(name: str, format: str | None, paper: str, output: Path | None) -> int:
    """Write the card in the format, wrong lines as they are; the exit code is 1 if there are any."""
    output = None if output == STDOUT else output
    format = format_of(format, output)
    file = open_card(name)
    if output is not None:
        refuse_unfit(output, file, format)
    text = FORMATS[format](file.card, paper, output is None)
    if output is None:
        sys.stdout.write(text)
    else:
        write_whole(output, text)
    problems = [*file.problems, *unread(file.card)]
    show_problems(problems)
    return PROBLEMS if any(problem.severity == "error" for problem in problems) else FINE


def unread(card: Card) -> Iterator[Problem]:
    """Why lines cannot be read."""
    for group in card.groups:
        for entry in group.entries:
            line, faults = understood(entry.text)
            if line is None:
                yield from problems_of_line(ProcessedLine(entry, line, faults))


# --- formats


def format_of(format: str | None, output: Path | None) -> str:
    """The format that is asked for, or that the ending of the file says."""
    ending = output.suffix.lower() if output else ""
    if ending in PRINTED:
        hint = f"write {output.with_suffix('.html') if output else ''}, open it in a browser and print it"
        raise Unusable(f"a card is not written as {ending}", hint)
    if format is None and ending and ending not in ENDINGS:
        raise Unusable(f"{ending} does not say how the card is to be written", f"{' '.join(ENDINGS)}, or --format")
    return format or ENDINGS.get(ending, "terminal")


def terminal(card: Card, paper: str, on_screen: bool) -> str:
    """As wide as the screen, and in its colours; without colour in a file or a pipe."""
    from tilewright.apps.paper.screen import show_text

    console = console_for(sys.stdout)
    known = on_screen and (console.is_terminal or "COLUMNS" in os.environ)
    in_colour = on_screen and console.color_system is not None and not console.no_color
    return show_text(card, in_colour, console.width if known else WIDTH)


def svg(card: Card, paper: str, on_screen: bool) -> str:
    from tilewright.apps.paper.svg import show_svg

    return show_svg(card, paper)


def html(card: Card, paper: str, on_screen: bool) -> str:
    from tilewright.apps.paper.html import show_html

    return show_html(card, paper)


def code(card: Card, paper: str, on_screen: bool) -> str:
    from tilewright.cards.text import write_text

    return write_text(card)


def yaml(card: Card, paper: str, on_screen: bool) -> str:
    from tilewright.cards.document import write_yaml

    return write_yaml(card)


def as_json(card: Card, paper: str, on_screen: bool) -> str:
    """The document as YAML without the freedoms of YAML."""
    from tilewright.base.document import parse, plain
    from tilewright.cards.document import write_yaml

    document = plain(parse(Source(card.id, write_yaml(card))))
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def drawn(card: Card, paper: str, on_screen: bool) -> str:
    from tilewright.apps.paper.drawn import drawn_json

    return json.dumps(drawn_json(card), ensure_ascii=False, indent=2) + "\n"


FORMATS: dict[str, Callable[[Card, str, bool], str]] = {
    "terminal": terminal,
    "svg": svg,
    "html": html,
    "code": code,
    "yaml": yaml,
    "json": as_json,
    "drawn": drawn,
}

# --- files


def refuse_unfit(output: Path, file: CardFile, format: str) -> None:
    """Raise Unusable for a file that cannot be written, or is the card itself."""
    if output.is_dir():
        ending = next((ending for ending, said in ENDINGS.items() if said == format), ".txt")
        raise Unusable(f"{output} is a folder", f"for instance {output / f'{file.card.id}{ending}'}")
    if not output.resolve().parent.is_dir():
        raise Unusable(f"there is no folder {output.parent}")
    if output.exists() and output.samefile(file.path):
        raise Unusable(f"{output} is the card itself, and would be lost", "write to another file")


def write_whole(path: Path, text: str) -> None:
    """Write a file, in place of one that was there; whole or not at all."""
    target = path.resolve()
    if target.exists() and not target.is_file():
        target.write_text(text, encoding="utf-8")  # a pipe or a device
        return
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".") as folder:
        draft = Path(folder) / target.name
        draft.write_text(text, encoding="utf-8")
        if target.exists():
            shutil.copymode(target, draft)
        os.replace(draft, target)
