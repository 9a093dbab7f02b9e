"""The command line: argv in, the exit code out. Each command is a few lines that call the module which does it.

Nothing heavy is imported before a command runs, so that `tilewright --help` answers at once.
"""

import os
import signal
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from tilewright.base.problem import RulesetError
from tilewright.base.version import __version__
from tilewright.presentation.exits import PROBLEMS, STOPPED, USAGE, Unusable

Format = Literal["text", "json", "github", "sarif", "junit"]
Level = Literal["warning", "error"]
CardFormat = Literal["terminal", "svg", "html", "code", "yaml", "json", "drawn"]
Paper = Literal["a4", "letter"]
BookFormat = Literal["html", "md", "json"]
Tiles = Literal["letters", "unicode"]
MOST_GAMES = 100_000_000  # of one simulation

app = typer.Typer(
    name="tilewright",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich" if sys.stdout is not None and sys.stdout.isatty() else None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
card = typer.Typer(no_args_is_help=True, help="Cards of hands: check, count and draw them, and see how near a hand is.")
app.add_typer(card, name="card")
new = typer.Typer(no_args_is_help=True, help="Write a small, commented document to start from.")
app.add_typer(new, name="new")


def main() -> None:
    """Run the command of argv and exit. Mistakes of the user never leave a traceback; ours do."""
    prepare_streams()
    try:
        app(prog_name="tilewright")
    except RulesetError as error:
        from tilewright.authoring.open_rules import show_problems

        show_problems(error.problems)
        sys.exit(PROBLEMS)
    except Unusable as error:
        complain(str(error))
        sys.exit(USAGE)
    except BrokenPipeError:
        leave_with(signal.SIGPIPE)
    except OSError as error:
        where = f"{error.filename}: " if error.filename is not None else ""
        complain(f"{where}{(error.strerror or 'cannot be used').lower()}")
        sys.exit(USAGE)
    except KeyboardInterrupt:
        sys.exit(STOPPED)


def leave_with(number: int) -> None:
    """End as by a signal that was not heard while others used pipes."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def complain(message: str) -> None:
    """What keeps the command from being run, on stderr; names of files may hold anything."""
    from tilewright.presentation.problems import seen

    print(*(seen(line) for line in f"tilewright: {message}".splitlines()), sep="\n", file=sys.stderr)


def prepare_streams() -> None:
    """A reader that stops reading ends the command silently, no character of a document can fail to be printed, and a
    stream that was closed is an empty one."""
    sys.stdin = sys.stdin or os.fdopen(os.open(os.devnull, os.O_RDONLY))
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


# --- what several commands take


def complete_ruleset(incomplete: str) -> list[str]:
    """Ids of bundled rulesets, for the completion of the shell."""
    from tilewright.authoring.open_rules import bundled

    return [id for id in bundled("ruleset") if id.startswith(incomplete)]


Ruleset = Annotated[
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
HandText = Annotated[
    str, typer.Option("--hand", metavar="TILES", help="The concealed tiles; declared quads are --meld.")
]
Melds = Annotated[
    list[str],
    typer.Option(
        "--meld",
        metavar="[KIND:]TILES",
        default_factory=list,
        show_default=False,
        help="A group on the table: its tiles, after its kind where that does not follow from them.",
    ),
]
Flags = Annotated[
    list[str],
    typer.Option(
        "--flag",
        metavar="MARK",
        default_factory=list,
        show_default=False,
        help="Something that is so: a mark of the ruleset.",
    ),
]
Marks = Annotated[
    list[str],
    typer.Option(
        "--mark",
        metavar="MARK=VALUE",
        default_factory=list,
        show_default=False,
        help="What a mark of the ruleset is: tiles, a number, a seat, true or false.",
    ),
]
SelfDraw = Annotated[bool, typer.Option("--self-draw", help="The winning tile was drawn.")]
Bonus = Annotated[str | None, typer.Option("--bonus", metavar="TILES", help="Bonus tiles set aside.")]
SeatWind = Annotated[str | None, typer.Option("--seat-wind", metavar="TILE", help="The wind of the seat.")]
RoundWind = Annotated[str | None, typer.Option("--round-wind", metavar="TILE", help="The wind of the round.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


# --- the commands


def show_version(wanted: bool) -> None:
    """Print the version and end, where --version stands."""
    if wanted:
        print(f"tilewright {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Mahjong rules as one readable file: checked like a program, scored, explained."""


@app.command()
def check(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH", help="Rulesets, mods, cards, case files, folders of them, bundled ids; - is stdin."
        ),
    ],
    *,
    format: Annotated[Format, typer.Option("--format", help="How problems are written.")] = "text",
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    fail_on: Annotated[Level, typer.Option("--fail-on", help="The mildest problem that fails the check.")] = "error",
    set_: Sets,
    mod: Mods,
) -> None:
    """Find every mistake in rules, cards and case files."""
    from tilewright.authoring.open_rules import Choices
    from tilewright.cli.check import check_command

    raise typer.Exit(check_command(paths, "json" if json else format, fail_on, Choices.of(set_, mod)))


@app.command()
def score(
    ruleset: Ruleset,
    *,
    hand: Annotated[
        str | None,
        typer.Option(metavar="TILES", help="The concealed tiles without the winning one; declared quads are --meld."),
    ] = None,
    win: Annotated[str | None, typer.Option(metavar="TILE", help="The winning tile.")] = None,
    melds: Melds,
    self_draw: SelfDraw = False,
    bonus: Bonus = None,
    seat_wind: SeatWind = None,
    round_wind: RoundWind = None,
    discarder: Annotated[str | None, typer.Option(metavar="SEAT", help="Who fed the winning tile.")] = None,
    flags: Flags,
    marks: Marks,
    not_won: Annotated[bool, typer.Option("--not-won", help="Score a hand that did not win.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Every reading, and why each pattern holds or not.")
    ] = False,
    cases: Annotated[str | None, typer.Option(metavar="FILE.jsonl", help="A case a line; - is stdin.")] = None,
    text: Annotated[bool, typer.Option("--text", help="With --cases: text for people in place of JSON lines.")] = False,
    json: AsJson = False,
    set_: Sets,
    mod: Mods,
) -> None:
    """Score a hand, or a file of hands, itemised."""
    from tilewright.authoring.open_rules import Choices, open_rules

    if (hand is None) == (cases is None):
        raise typer.BadParameter("give either --hand or --cases", param_hint="--hand / --cases")
    if cases is not None:
        from tilewright.cli.score_cases import cases_command

        if json and text:
            raise typer.BadParameter("--json and --text exclude each other", param_hint="--json / --text")
        raise typer.Exit(cases_command(ruleset, Choices.of(set_, mod), cases, text=text, explain=explain))
    from tilewright.cli.score import HandTexts, score_command

    texts = HandTexts(
        hand or "",
        tuple(melds),
        win,
        self_draw,
        bonus,
        seat_wind,
        round_wind,
        tuple(flags),
        tuple(marks),
        discarder,
        not_won,
    )
    choices = Choices.of(set_, mod)
    rules = open_rules(ruleset, choices)
    raise typer.Exit(score_command(rules, texts, choices.said, explain=explain, as_json=json))


@app.command()
def waits(
    ruleset: Ruleset,
    *,
    hand: HandText,
    melds: Melds,
    seen: Annotated[str, typer.Option(metavar="TILES", help="Tiles that are gone: they lie on the table.")] = "",
    self_draw: SelfDraw = False,
    bonus: Bonus = None,
    seat_wind: SeatWind = None,
    round_wind: RoundWind = None,
    flags: Flags,
    marks: Marks,
    json: AsJson = False,
    set_: Sets,
    mod: Mods,
) -> None:
    """Show which tiles win and what each is worth, or what to draw or to discard before that."""
    from tilewright.authoring.open_rules import Choices, open_rules
    from tilewright.cli.score import HandTexts
    from tilewright.cli.waits import waits_command

    choices = Choices.of(set_, mod)
    rules = open_rules(ruleset, choices)
    texts = HandTexts(
        hand,
        tuple(melds),
        None,
        self_draw,
        bonus,
        seat_wind,
        round_wind,
        tuple(flags),
        tuple(marks),
        not_won=True,
    )
    raise typer.Exit(waits_command(rules, texts, seen, choices.said, as_json=json))


@app.command()
def play(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="RULESET",
            help="The id of a bundled ruleset, or a path; with --resume the log of a game, or nothing.",
            autocompletion=complete_ruleset,
            default_factory=list,
            show_default=False,
        ),
    ],
    *,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a game: that of the log named, else the last one.")
    ] = False,
    seat: Annotated[
        str | None, typer.Option(metavar="SEAT", help="Where you sit: E, S ..., or a number; 1 deals first.")
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="Who plays: random, fast, careful or command:PROGRAM, with commas between."),
    ] = None,
    bots: Annotated[str | None, typer.Option(metavar="NAME", help="Who plays all the other seats.")] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Only bots play.")] = False,
    seed: Annotated[int | None, typer.Option(metavar="S", help="Of walls and dice; any, unless said.")] = None,
    hands: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=MOST_GAMES, help="So many hands; the match, unless said.")
    ] = None,
    log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the log there, and not to the folder of games.")
    ] = None,
    tiles: Annotated[Tiles, typer.Option(case_sensitive=False, help="How tiles look.")] = "letters",
    language: Annotated[str, typer.Option(metavar="CODE", help="Of the names of the ruleset: en, zh ...")] = "en",
    pace: Annotated[float, typer.Option(metavar="SECONDS", min=0, max=10, help="Between the moves of others.")] = 0.3,
    plain: Annotated[bool, typer.Option("--plain", help="Line by line, without a screen.")] = False,
    layout: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Begin at the table that this file lays out.")
    ] = None,
    case: Annotated[
        str | None, typer.Option(metavar="ID", help="Begin at this case: of the ruleset, or of the --layout file.")
    ] = None,
    set_: Sets,
    mod: Mods,
) -> None:
    """Sit down at a table against bots.

    Example: tilewright play cantonese --bots careful
    """
    from tilewright.authoring.open_rules import Choices
    from tilewright.cli.play import Asked, play_command

    asked = Asked(
        names=tuple(names),
        choices=Choices.of(set_, mod),
        resume=resume,
        seat=seat,
        players=players,
        bots=bots,
        watch=watch,
        seed=seed,
        hands=hands,
        log=log,
        tiles=tiles,
        language=language,
        pace=pace,
        plain=plain,
        layout=layout,
        case=case,
    )
    raise typer.Exit(play_command(asked))


@app.command()
def simulate(
    ruleset: Ruleset,
    *,
    games: Annotated[int, typer.Option(metavar="N", min=1, max=MOST_GAMES, help="How many games.")] = 1_000,
    seed: Annotated[int, typer.Option(metavar="S", help="Of all the games; each has one that follows from it.")] = 1,
    first: Annotated[int, typer.Option(metavar="I", min=0, help="The number of the first game; it decides seeds.")] = 0,
    jobs: Annotated[
        int | None,
        typer.Option(metavar="J", min=1, max=256, help="Processes; as many as there are processors, unless said."),
    ] = None,
    players: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="random, fast, careful or command:PROGRAM: one for all seats, or one for each with commas between.",
        ),
    ] = "fast",
    match: Annotated[bool, typer.Option("--match", help="A game is a whole match, and not one hand.")] = False,
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", metavar="FILE", help="A row for each hand: .jsonl or .parquet; - is stdout."),
    ] = None,
    logs: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Keep the log of every game there, for replay.")
    ] = None,
    json: AsJson = False,
    set_: Sets,
    mod: Mods,
) -> None:
    """Play many games between bots, and sum them up.

    Example: tilewright simulate cantonese --games 1000 --seed 7 --out games.jsonl
    """
    from tilewright.authoring.open_rules import Choices
    from tilewright.cli.simulate import Asked, plan_of, simulate_command

    plan = plan_of(games, seed, first, players, match=match, logs=logs is not None)
    asked = Asked(ruleset, Choices.of(set_, mod), plan, jobs, out, logs)
    raise typer.Exit(simulate_command(asked, as_json=json))


@app.command()
def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The log of a game; - is stdin.")],
    *,
    verify: Annotated[bool, typer.Option("--verify", help="Only say whether every line is what was played.")] = False,
    until: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Stop at the first question after event N.")
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules",
            metavar="RULESET",
            help="What was played, where that is no bundled ruleset.",
            autocompletion=complete_ruleset,
        ),
    ] = None,
    json: AsJson = False,
    set_: Sets,
    mod: Mods,
) -> None:
    """Tell a game from its log, or prove the log.

    Example: tilewright replay game.jsonl --verify
    """
    from tilewright.authoring.open_rules import Choices
    from tilewright.cli.replay import Asked, replay_command

    if verify and until is not None:
        raise typer.BadParameter("--verify and --until exclude each other", param_hint="--verify / --until")
    if rules is None and (set_ or mod):
        raise typer.BadParameter("--set and --mod go with --rules", param_hint="--rules")
    raise typer.Exit(replay_command(Asked(file, rules, Choices.of(set_, mod), verify, until), as_json=json))


@app.command()
def serve(
    *,
    host: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Where to listen; this machine alone, unless said.")
    ] = None,
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="Which port; 0: any that is free.")] = 8765,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            envvar="TILEWRIGHT_DATABASE",
            help="Where tables are kept: a file, or postgresql://...; a file of yours, unless said.",
        ),
    ] = None,
    public: Annotated[
        bool, typer.Option("--public", help="Other machines may come: listen everywhere, and be strict with everybody.")
    ] = False,
    open_: Annotated[bool, typer.Option("--open", help="Show the page in your browser.")] = False,
    address: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="Where other servers on the same database reach this one.", show_default=False
        ),
    ] = None,
    keep: Annotated[
        int | None,
        typer.Option(
            metavar="DAYS",
            min=0,
            help="How long ended tables and people who do not come any more are kept; 0: for ever. "
            "With --public a year, else for ever.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Lay tables in the browser, for you, your friends and bots.

    Example: tilewright serve --open
    """
    from tilewright.cli.serve import Asked, serve_command

    raise typer.Exit(serve_command(Asked(host, port, database, public, open_, address, keep)))


@app.command()
def words(
    word: Annotated[str | None, typer.Argument(metavar="WORD", help="A word or a key; all words unless said.")] = None,
    json: AsJson = False,
) -> None:
    """Look up words and keys of the language."""
    from tilewright.authoring.words import words_command

    raise typer.Exit(words_command(word, as_json=json))


@app.command()
def schema(
    ruleset: Annotated[
        str | None, typer.Argument(metavar="RULESET", help="A ruleset whose own names the schema is to offer.")
    ] = None,
    *,
    set_: Sets,
    mod: Mods,
) -> None:
    """Print the JSON Schema for editors."""
    from tilewright.authoring.new_documents import schema_command
    from tilewright.authoring.open_rules import Choices

    raise typer.Exit(schema_command(ruleset, Choices.of(set_, mod)))


@app.command("rulebook")
def rulebook(
    ruleset: Ruleset,
    *,
    lang: Annotated[str, typer.Option("--lang", metavar="LANGUAGE", help="en or zh; names also in others.")] = "en",
    format: Annotated[
        BookFormat | None,
        typer.Option(
            "--format",
            case_sensitive=False,
            show_default=False,
            help="A page with pictures, Markdown, or data. Unless said, as the file ends; on a screen Markdown.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write to this file; - is stdout.", show_default=False),
    ] = None,
    set_: Sets,
    mod: Mods,
) -> None:
    """Write the rulebook of a ruleset, made from its data.

    Example: tilewright rulebook my_ruleset.yaml -o my_rules.html
    """
    from tilewright.authoring.open_rules import Choices
    from tilewright.cli.rulebook import rulebook_command

    raise typer.Exit(rulebook_command(ruleset, Choices.of(set_, mod), lang, format, output))


# --- cards


def complete_card(incomplete: str) -> list[str]:
    """Ids of bundled cards, for the completion of the shell."""
    from tilewright.authoring.open_rules import bundled

    return [id for id in bundled("card") if id.startswith(incomplete)]


CARD_HELP = "The id of a bundled card, or a path: YAML or plain text."
CardName = Annotated[str, typer.Argument(metavar="CARD", help=CARD_HELP, autocompletion=complete_card)]
CardRules = Annotated[
    str | None,
    typer.Option(
        "--rules",
        metavar="RULESET",
        help="The ruleset whose tiles are used; the bundled one that is played with cards, unless said.",
        autocompletion=complete_ruleset,
    ),
]


@card.command("check")
def card_check(
    cards: Annotated[
        list[str],
        typer.Argument(metavar="CARD", help=f"{CARD_HELP} A folder: its cards.", autocompletion=complete_card),
    ],
    *,
    format: Annotated[Format, typer.Option("--format", help="How problems are written.")] = "text",
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    fail_on: Annotated[Level, typer.Option("--fail-on", help="The mildest problem that fails the check.")] = "error",
) -> None:
    """Find every mistake in cards, with its place and a way out.

    Example: tilewright card check my_card.txt
    """
    from tilewright.cli.card_check import card_check_command

    raise typer.Exit(card_check_command(cards, "json" if json else format, fail_on))


@card.command("process")
def card_process(
    card: Annotated[
        str,
        typer.Argument(metavar="CARD", help=f"{CARD_HELP} - reads bare lines.", autocompletion=complete_card),
    ],
    *,
    list_: Annotated[bool, typer.Option("--list", help="Print every hand under its line.")] = False,
    difficulty: Annotated[
        bool, typer.Option("--difficulty", help="Estimate how many draws each line takes, from random deals.")
    ] = False,
    deals: Annotated[int, typer.Option(metavar="N", min=1, max=10_000, help="Deals of the estimate.")] = 200,
    seed: Annotated[int, typer.Option(metavar="S", help="Of the random deals.")] = 1,
    rules: CardRules = None,
    json: AsJson = False,
    set_: Sets,
    mod: Mods,
) -> None:
    """Count the hands of each line, group and card.

    Example: tilewright card process my_card.txt --list
    """
    from tilewright.authoring.card_counts import Asked
    from tilewright.authoring.open_rules import Choices
    from tilewright.cli.card_process import process_command

    asked = Asked(list_, deals if difficulty else 0, seed, rules, Choices.of(set_, mod))
    raise typer.Exit(process_command(card, asked, as_json=json))


@card.command("show")
def card_show(
    card: CardName,
    *,
    format: Annotated[
        CardFormat | None,
        typer.Option(
            "--format",
            case_sensitive=False,
            show_default=False,
            help="A picture or a page; code is the card as plain text, yaml and json as document, drawn (JSON) what is"
            " printed of each line. Unless said, as the ending of the file says.",
        ),
    ] = None,
    paper: Annotated[
        Paper, typer.Option("--paper", case_sensitive=False, help="The size of the page, for svg and html.")
    ] = "a4",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write to this file; - is stdout.", show_default=False),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Draw a card as it is printed, or write it as text or YAML.

    Example: tilewright card show my_card.txt -o my_card.html
    """
    from tilewright.cli.card_show import show_command

    raise typer.Exit(show_command(card, "json" if json else format, paper, output))


@card.command("nearest")
def card_nearest(
    card: CardName,
    *,
    hand: HandText,
    meld: Melds,
    melds: Annotated[
        list[str],
        typer.Option(
            "--melds",
            metavar="GROUPS",
            default_factory=list,
            show_default=False,
            help="Several groups on the table, with blanks between them.",
        ),
    ],
    seen: Annotated[str, typer.Option(metavar="TILES", help="Tiles that are gone: they lie on the table.")] = "",
    limit: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Print so many hands at most; 10 in the table unless said.")
    ] = None,
    every: Annotated[bool, typer.Option("--every", help="Every hand of a line, not only its nearest.")] = False,
    rules: CardRules = None,
    json: AsJson = False,
    set_: Sets,
    mod: Mods,
) -> None:
    """Show the lines that a hand is nearest to: what to keep, what to pass, what is needed.

    Example: tilewright card nearest my_card.txt --hand "222m 46m 88m 5p 1s EEW C"
    """
    from tilewright.authoring.open_rules import Choices
    from tilewright.cli.card_nearest import Held, nearest_command

    groups = (*meld, *(group for text in melds for group in text.replace(",", " ").split()))
    held = Held(hand, groups, seen, limit, every)
    raise typer.Exit(nearest_command(card, rules, Choices.of(set_, mod), held, as_json=json))


# --- new


Name = Annotated[str, typer.Argument(metavar="NAME", help="The id, in lower case; the file is NAME.yaml.")]
Folder = Annotated[Path, typer.Option("--to", metavar="FOLDER", help="Where to write it.")]


@new.command("ruleset")
def new_ruleset(name: Name, to: Folder = Path(".")) -> None:
    """Write a ruleset to start from."""
    from tilewright.authoring.new_documents import write_ruleset

    print(write_ruleset(name, to))


@new.command("card")
def new_card(name: Name, to: Folder = Path(".")) -> None:
    """Write a card of hands to start from."""
    from tilewright.authoring.new_documents import write_card

    print(write_card(name, to))


@new.command("mod")
def new_mod(
    name: Name,
    ruleset: Annotated[
        str,
        typer.Option(
            "--for",
            metavar="RULESET",
            help="The ruleset that it changes: an id, or a path.",
            autocompletion=complete_ruleset,
        ),
    ],
    to: Folder = Path("."),
) -> None:
    """Write a mod (a house rule) to start from."""
    from tilewright.authoring.new_documents import write_mod

    print(write_mod(name, ruleset, to))
