"""The command that serves editors."""

import sys
from typing import Annotated

import typer

from tilewright.authoring.open_rules import CannotBegin
from tilewright.cli.command import FINE, command


@command("lsp")
def lsp(
    *,
    stdio: Annotated[
        bool, typer.Option("--stdio", help="On stdin and stdout, as always; some editors say so.")
    ] = False,
) -> int:
    """Serve editors: problems as you type, completion, meanings, renaming.

    Editors start it and speak the Language Server Protocol with it, on stdin and stdout. docs/editors.md says how to
    set up VS Code, Neovim, Helix and others. Example: tilewright lsp
    """
    if sys.stdin.isatty():
        raise CannotBegin("an editor starts this command, not a person", "docs/editors.md says how to set one up")
    from tilewright.lsp.server import run_server

    run_server()
    return FINE
