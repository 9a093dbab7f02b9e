"""The command that lists packs for others."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from tilewright.authoring.open_rules import CannotBegin
from tilewright.base.files import write_whole
from tilewright.cli.arguments import AsJson
from tilewright.cli.command import FINE, PROBLEMS, command
from tilewright.presentation.catalogue import say
from tilewright.presentation.console import counted
from tilewright.sharing.contents import INDEX
from tilewright.sharing.listing import index_page, listed

PAGE = "index.html"


@command("index")
def index(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder with the packs; all is written there.")],
    *,
    title: Annotated[str, typer.Option("--title", metavar="TEXT", help="The title of the page.")] = "",
    address: Annotated[
        str, typer.Option("--address", metavar="URL", help="Where index.json will be found, for the page to name.")
    ] = "",
    lang: Annotated[str, typer.Option("--lang", metavar="LANGUAGE", help="en, zh or ja, of the pages.")] = "en",
    json: AsJson = False,
) -> int:
    """List the packs in a folder for others: an index to add them from, and a page about each.

    Example: tilewright index packs/ --title "Riverside rules"
    """
    if not folder.is_dir():
        raise CannotBegin(f"there is no folder {folder}", "put the archives of `tilewright pack` into one")
    found = listed(folder, title or say("packs.title", lang), lang, lambda name: print(name, file=sys.stderr))
    for name, text in found.pages.items():
        write_whole(folder / name, text)
    write_whole(folder / PAGE, index_page(found, lang, address))
    write_whole(folder / INDEX, found.index.text())
    if json:
        print(found.index.text(), end="")
    else:
        print(f"{folder / INDEX}: {counted(len(found.newest), 'pack')}; {folder / PAGE} shows them")
    failing = [one for one in found.newest if one.entry.check is None or one.entry.check.errors]
    return PROBLEMS if failing else FINE
