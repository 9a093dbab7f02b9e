"""The command that makes packs."""

from pathlib import Path
from typing import Annotated

import typer

from tilewright.authoring.open_rules import CannotBegin
from tilewright.base.files import write_whole
from tilewright.base.problem import has_errors
from tilewright.cli.arguments import AsJson
from tilewright.cli.command import FINE, PROBLEMS, command
from tilewright.cli.output import print_json, show_problems
from tilewright.language.check import problems_of
from tilewright.sharing.archive import write_archive
from tilewright.sharing.contents import contents_of, file_name, files_of


@command("pack")
def pack(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder whose documents are packed.")],
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            show_default=False,
            help="The archive, or the folder for it; by default PUBLISHER-ID-VERSION.zip here.",
        ),
    ] = None,
    json: AsJson = False,
) -> int:
    """Make a pack of the documents in a folder: one archive to share, the same whoever makes it.

    Example: tilewright pack taiwanese/
    """
    if not folder.is_dir():
        raise CannotBegin(f"there is no folder {folder}", "a pack is made of the documents in a folder")
    contents = contents_of(files_of(folder))
    documents = [folder / name for name in sorted(contents.files) if name.endswith((".yaml", ".txt"))]
    problems = [problem for path in documents for problem in problems_of(path)]
    show_problems(problems)
    if has_errors(problems):
        return PROBLEMS
    path = output if output is not None and not output.is_dir() else (output or Path()) / file_name(contents.manifest)
    content = write_archive(contents)
    write_whole(path, content)
    if json:
        print_json({"file": str(path), "size": len(content), "manifest": contents.manifest.plain()})
    else:
        print(path)
    return FINE
