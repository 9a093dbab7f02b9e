"""`card show`: a card in; a picture, a page or the card itself in either of its forms out, on stdout or in a file.

Knows which formats there are and which endings of files they have; what they look like is for the modules that draw.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tilewright.authoring.open_card import CardFile, open_card
from tilewright.authoring.open_rules import show_problems
from tilewright.base.problem import Problem
from tilewright.cards.check import problems_of_line
from tilewright.cards.model import Card
from tilewright.cards.process import ProcessedLine, understood
from tilewright.paper.files import ENDINGS, FORMATS
from tilewright.presentation.exits import FINE, PROBLEMS, Unusable

STDOUT = Path("-")
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
