"""Put what a document says besides its rules into files beside it.

Translations, wordings with what they were written of, and cases leave the document, for files such as house.ja.yaml and
house.cases.yaml; long lines become several. What it says stays the same. Example: tilewright split house.yaml
"""

from pathlib import Path
from typing import Annotated

import typer

from tilewright.authoring.open_rules import CannotBegin
from tilewright.authoring.splitting import split as split_text
from tilewright.base.document import bytes_of, text_of
from tilewright.base.files import write_whole
from tilewright.base.problem import Problem, RulesetError
from tilewright.cli.command import FINE, PROBLEMS, command
from tilewright.cli.commands.authoring.fmt import yaml_files
from tilewright.cli.output import show_problems
from tilewright.language.documents.companions import is_companion
from tilewright.language.documents.library import read_document


@command
def split(
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="Files, and folders of them.")],
) -> int:
    """Split files, each whole or not at all. A file that is no document is left as it was, and the exit code is 1."""
    problems = list[Problem]()
    for path in map(Path, yaml_files(paths)):
        if is_companion(path):
            continue
        try:
            read_document(path)
            parts = split_text(text_of(bytes_of(path, str(path)), str(path)))
        except RulesetError as error:
            problems += error.problems
            continue
        written = {path.with_name(f"{path.stem}.{part}{path.suffix}"): text for part, text in parts.items() if part}
        if there := [file.name for file in written if file.exists()]:
            raise CannotBegin(f"{path.name} would be split into {', '.join(there)}, which exists", "move it away first")
        for file, text in {**written, path: parts[""]}.items() if written else ():
            write_whole(file, text)
            print(f"wrote {file}")
    show_problems(problems)
    return PROBLEMS if problems else FINE
