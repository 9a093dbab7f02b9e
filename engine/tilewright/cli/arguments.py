"""Arguments and options that several commands have, each declared once."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from tilewright.authoring.open_rules import Notation, bundled

MOST_GAMES = 100_000_000  # of one simulation


def complete_ruleset(incomplete: str) -> list[str]:
    """Ids of bundled rulesets, for the completion of the shell."""
    return [id for id in bundled("ruleset") if id.startswith(incomplete)]


def complete_card(incomplete: str) -> list[str]:
    """Ids of bundled cards, for the completion of the shell."""
    return [id for id in bundled("card") if id.startswith(incomplete)]


# --- rulesets and cards

RulesetName = Annotated[
    str,
    typer.Argument(metavar="RULESET", help="The id of a bundled ruleset, or a path.", autocompletion=complete_ruleset),
]
Sets = Annotated[
    list[str],
    typer.Option(
        "--set", metavar="OPTION=VALUE", default_factory=list, show_default=False, help="Set an option of the ruleset."
    ),
]
Mods = Annotated[
    list[str],
    typer.Option(
        "--mod",
        metavar="MOD[:OPTION=VALUE]",
        default_factory=list,
        show_default=False,
        help="Apply a mod: the id of a bundled one, or a path; or a preset of the ruleset.",
    ),
]
CARD_HELP = "The id of a bundled card, or a path: YAML or plain text."
CardName = Annotated[str, typer.Argument(metavar="CARD", help=CARD_HELP, autocompletion=complete_card)]
CardRules = Annotated[
    str | None,
    typer.Option(
        "--rules",
        metavar="RULESET",
        help="The ruleset whose tiles are used; by default the bundled one that is played with cards.",
        autocompletion=complete_ruleset,
    ),
]

# --- hands

HandText = Annotated[
    str, typer.Option("--hand", metavar="TILES", help="The concealed tiles; declared quads are --meld.")
]
Seen = Annotated[str, typer.Option("--seen", metavar="TILES", help="Visible tiles elsewhere on the table.")]

HandNotation = Annotated[
    Notation,
    typer.Option(
        "--notation",
        case_sensitive=False,
        help="How tiles are read and written: by their codes, or in the letters of the card: FF m222 c44 GGG NEWS.",
    ),
]

# --- new documents

NewName = Annotated[str, typer.Argument(metavar="NAME", help="The id, in lower case; the file is NAME.yaml.")]
NewFolder = Annotated[Path, typer.Option("--to", metavar="FOLDER", help="Where to write it.")]

# --- games

Processes = Annotated[
    int | None,
    typer.Option("--jobs", metavar="J", min=1, max=256, help="The number of processes; by default one per processor."),
]

# --- what is printed


def language_of_project() -> str:
    """The language of texts that the project around this folder has, else English."""
    from tilewright.authoring.project import project_above  # imported here: most commands read no project

    return project_above(Path()).language or "en"


TextLanguage = Annotated[
    str,
    typer.Option(
        "--lang",
        metavar="LANGUAGE",
        default_factory=language_of_project,
        show_default="that of tilewright.toml, else en",
        help="en, zh or ja; names also in others.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
ProblemFormat = Annotated[
    Literal["text", "json", "github", "sarif", "junit"], typer.Option("--format", help="The output format of problems.")
]
ProblemJson = Annotated[bool, typer.Option("--json", help="The same as --format json.")]
FailOn = Annotated[
    Literal["warning", "error"], typer.Option("--fail-on", help="The lowest severity that fails the check.")
]
OutputFile = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write to this file; - is stdout.", show_default=False),
]
