"""The command to play at a table in a terminal."""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from importlib import import_module
from pathlib import Path
from secrets import randbits
from shlex import quote, split
from typing import Annotated, Literal

import typer

from tilewright.authoring.open_rules import CannotBegin, Notation, RulesChoice, in_notation
from tilewright.base.problem import Problem, RulesetError
from tilewright.base.spelling import seen
from tilewright.cli.arguments import MOST_GAMES, HandNotation, Mods, Sets, complete_ruleset
from tilewright.cli.command import FINE, PROBLEMS, STOPPED, command
from tilewright.cli.output import show_problems
from tilewright.cli.starting_points import StartingPoint, starting_point
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.play.log import Log, LogError
from tilewright.play.rules import Rules
from tilewright.play.table import Table
from tilewright.players.player import NoPlayer, Player, names_in, player_of
from tilewright.players.programs.process import Report
from tilewright.presentation.console import show
from tilewright.presentation.names import RulesetNames
from tilewright.presentation.seat_advice import Advice
from tilewright.scoring.case_hands import seat_names
from tilewright.scoring.case_mistakes import CaseError
from tilewright.terminal.plain import PlainTable
from tilewright.terminal.saved_games import (
    ReopenedGame,
    SavedGame,
    begin,
    ends_of,
    games_folder,
    go_on,
    kept_games,
    new_game_file,
)
from tilewright.terminal.seats import standing_lines
from tilewright.terminal.session import YOU, GameSession

QUICK = "fast"  # the bot that gives hints
USUAL = "fast"  # the opponents of the person
SEED_BITS = 32
OVER = '"event":"over"'  # in the last line of the log of a finished match
DUMB = ("", "dumb", "unknown")  # terminals that cannot show a table


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """The options of the command line. `names`: a ruleset; to resume, a log after a ruleset, either of them, or
    nothing for the last game played."""

    names: tuple[str, ...]
    choices: RulesChoice = field(default_factory=RulesChoice)
    resume: bool = False
    seat: str | None = None
    players: str | None = None
    bots: str | None = None
    watch: bool = False
    seed: int | None = None
    hands: int | None = None
    log: Path | None = None
    tiles: Literal["unicode", "letters"] = "letters"
    notation: Notation = "codes"
    language: str = "en"
    pace: float = 0.3
    plain: bool = False
    layout: Path | None = None
    case: str | None = None


@dataclass(frozen=True)
class Opening:
    """A game ready to play: its rules, its table, its players, its log. `written`: the rules in the notation of the
    player."""

    rules: Rules
    written: Rules
    table: Table
    players: tuple[str, ...]
    keeper: SavedGame


@command("play")
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
        bool, typer.Option("--resume", help="Continue a game: the one in this log, or else the last one.")
    ] = False,
    seat: Annotated[
        str | None, typer.Option(metavar="SEAT", help="Where you sit: E, S ..., or a number; 1 deals first.")
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="Who plays: random, fast, careful, strong, command:PROGRAM or mjai:PROGRAM; commas between.",
        ),
    ] = None,
    bots: Annotated[str | None, typer.Option(metavar="NAME", help="Who plays all the other seats.")] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Only bots play.")] = False,
    seed: Annotated[
        int | None, typer.Option(metavar="S", help="The seed of walls and dice; by default a random one.")
    ] = None,
    hands: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=MOST_GAMES, help="The number of hands; by default the whole match."),
    ] = None,
    log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the log to this file, not to the folder of games.")
    ] = None,
    tiles: Annotated[
        Literal["letters", "unicode"], typer.Option(case_sensitive=False, help="How tiles are drawn.")
    ] = "letters",
    notation: HandNotation = "codes",
    language: Annotated[
        str, typer.Option(metavar="CODE", help="The language of the table and its rules: en, zh, ja ...")
    ] = "en",
    pace: Annotated[
        float, typer.Option(metavar="SECONDS", min=0, max=10, help="Seconds between the moves of others.")
    ] = 0.3,
    plain: Annotated[bool, typer.Option("--plain", help="Line by line, without a screen.")] = False,
    layout: Annotated[Path | None, typer.Option(metavar="FILE", help="Start at the position in this file.")] = None,
    case: Annotated[
        str | None, typer.Option(metavar="ID", help="Start at this case of the ruleset, or of the --layout file.")
    ] = None,
    set_: Sets,
    mod: Mods,
) -> int:
    """Play at a table against bots.

    Example: tilewright play cantonese --bots careful
    """
    options = PlayOptions(
        names=tuple(names),
        choices=RulesChoice.of(set_, mod),
        resume=resume,
        seat=seat,
        players=players,
        bots=bots,
        watch=watch,
        seed=seed,
        hands=hands,
        log=log,
        tiles=tiles,
        notation=notation,
        language=language,
        pace=pace,
        plain=plain,
        layout=layout,
        case=case,
    )
    expect_terminal(options)
    try:
        opening = resumed(options) if resume else begun(options)
    except LogError as error:
        show_problems([error.problem])
        return PROBLEMS
    with ExitStack() as stack:
        stack.callback(opening.keeper.close)
        return played(opening, options, stack)


def expect_terminal(options: PlayOptions) -> None:
    """Raise CannotBegin without a usable terminal, ModuleNotFoundError without the package that draws on it."""
    if options.plain:
        return
    import_module("textual")  # comes with an extra; import it before there is a log of a game that cannot start
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise CannotBegin("the table needs a terminal, and this is not one", "--plain plays line by line, anywhere")
    if os.name != "nt" and os.environ.get("TERM", "") in DUMB:
        raise CannotBegin("this terminal cannot show the table (TERM)", "--plain plays line by line")


# --- a new game


def begun(options: PlayOptions) -> Opening:
    """A new game, with its log. Raises RulesetError, CannotBegin."""
    if len(options.names) != 1:
        raise CannotBegin("name one ruleset", "for instance: tilewright play RULESET; --resume continues a game")
    opened = ReopenedGame(options.names[0], options.choices.settings, options.choices.mods)
    rules = opened.rules()
    if rules.data.play is None:
        raise CannotBegin(
            f"{rules.data.id} says how hands are scored, not how they are played", "it has no phase `deal`"
        )
    expect_language(options, rules.data)
    written = in_notation(rules, options.notation)
    start = None
    if options.layout is not None or options.case is not None:
        start = starting_point(rules, options.layout, options.case)
    players = players_of(options, rules.data, start)
    seed = options.seed if options.seed is not None else start.seed if start is not None else None
    seed = randbits(SEED_BITS) if seed is None else seed
    path = options.log or new_game_file(rules.data.id, datetime.now())
    table = begun_table(rules, seed, options.hands, start)
    for name in dict.fromkeys(players):
        if name != YOU:
            player_called(name, rules, seed).close()  # before there is a log of a game that cannot start
    return Opening(rules, written, table, players, begin(path, table, players, opened))


def begun_table(rules: Rules, seed: int, hands: int | None, start: StartingPoint | None) -> Table:
    """The table at its first question. Raises RulesetError for an impossible layout."""
    try:
        return rules.table(seed, hands=hands, layout=None if start is None else start.layout)
    except CaseError as error:
        place = None if start is None else start.place
        raise RulesetError([Problem(error.code, error.message, place, error.hint)]) from None


def players_of(options: PlayOptions, data: CompiledRuleset, start: StartingPoint | None = None) -> tuple[str, ...]:
    """The players by number; the person has a name of its own. Seats are those of the first hand, which in a layout may
    differ from those at the start of the match. Raises CannotBegin."""
    by_seat = players_by_seat(options, data, None if start is None else start.seat)
    players = tuple(range(len(by_seat))) if start is None else start.players(data)
    return tuple(by_seat[players.index(player)] for player in range(len(by_seat)))


def players_by_seat(options: PlayOptions, data: CompiledRuleset, own: int | None) -> tuple[str, ...]:
    """The players by seat; the person at its `own` unless another seat is requested. Raises CannotBegin."""
    seats = data.seats.count
    if options.players is not None and options.bots is not None:
        raise CannotBegin("--players and --bots exclude each other", "--bots is for all, --players for each")
    names = names_in(options.players or options.bots or USUAL)
    if options.watch:
        if options.seat is not None or YOU in names:
            raise CannotBegin("a spectator has no seat", "leave out --watch, or the seat")
        return tuple(spread(names, seats, data))
    if YOU in names:
        if len(names) != seats or names.count(YOU) > 1:
            raise CannotBegin(f"{data.id} has {seats} seats: name {seats} players, and '{YOU}' once")
        at = names.index(YOU)
        if options.seat is not None and seat_of(options.seat, data) != at:
            raise CannotBegin(f"--seat and --players do not agree on where you sit ('{YOU}')", "leave out --seat")
        return tuple(names)
    at = (own or 0) if options.seat is None else seat_of(options.seat, data)
    others = spread(names, seats - 1, data)
    return (*others[:at], YOU, *others[at:])


def spread(names: Sequence[str], wanted: int, data: CompiledRuleset) -> list[str]:
    """One name for every seat, or a name for each."""
    if len(names) == 1:
        return list(names) * wanted
    if len(names) != wanted:
        hint = f"name one for all of them, or {wanted}: --players careful,fast,..."
        raise CannotBegin(f"{data.id} has {data.seats.count} seats: name {wanted} players, not {len(names)}", hint)
    return list(names)


def seat_of(text: str, data: CompiledRuleset) -> int:
    """A seat by its name, or by its number from the dealer (1 is the dealer)."""
    names = seat_names(data)[: data.seats.count]
    for spelled in (text, text.upper()):
        if spelled in names:
            return names.index(spelled)
    if text.isdecimal() and 0 < int(text[:9]) <= len(names):
        return int(text) - 1
    raise CannotBegin(f"nobody sits at '{text}'", f"seats are {', '.join(names)}, or 1 to {len(names)}")


def expect_language(options: PlayOptions, data: CompiledRuleset) -> None:
    """Raise CannotBegin if the ruleset has no names in the language."""
    offers = data.play.offers.values() if data.play else ()
    known = {language for names in (data.name, *(offer.name for offer in offers)) for language in names}
    if options.language not in known | {"en"}:
        raise CannotBegin(f"{data.id} has no names in '{options.language}'", f"there is {', '.join(sorted(known))}")


# --- an old one


def resumed(options: PlayOptions) -> Opening:
    """An unfinished game, to be continued. Raises RulesetError, LogError, CannotBegin."""
    given = [flag for flag, value in fixed_at_start(options).items() if value]
    if given:
        raise CannotBegin(f"{' and '.join(given)} cannot change in the middle of a game", "leave it out with --resume")
    logs = [name for name in options.names if is_log(name)]
    rulesets = [name for name in options.names if not is_log(name)]
    if len(logs) > 1 or len(rulesets) > 1:
        raise CannotBegin("--resume continues one game", "tilewright play --resume FILE")
    choices = options.choices
    opened = ReopenedGame(rulesets[0], choices.settings, choices.mods) if rulesets else None
    if not rulesets and (choices.settings or choices.mods):
        raise CannotBegin("--set and --mod need the ruleset too", "they are in the log: leave them out with --resume")
    if logs:
        keeper, table, log, rules = go_on(Path(logs[0]), opened)
        if table.over:
            keeper.close()
            raise CannotBegin(f"the match in {logs[0]} is over", "tilewright play RULESET begins another")
    else:
        keeper, table, log, rules = last_game(opened)
    if len(log.header.players) != rules.data.seats.count:
        keeper.close()
        raise CannotBegin(f"{keeper.path} does not say who played", "a log of `tilewright play` does")
    expect_language(options, rules.data)
    return Opening(rules, in_notation(rules, options.notation), table, log.header.players, keeper)


def fixed_at_start(options: PlayOptions) -> dict[str, object]:
    """What is fixed when a game begins."""
    return {
        "--seat": options.seat,
        "--players": options.players,
        "--bots": options.bots,
        "--seed": options.seed is not None,
        "--hands": options.hands,
        "--log": options.log,
        "--watch": options.watch,
        "--layout": options.layout,
        "--case": options.case,
    }


def is_log(name: str) -> bool:
    """Whether a name means a log, not a ruleset: a file that is not YAML, or not a bundled id."""
    from tilewright.language.documents.bundled import bundled_file
    from tilewright.language.documents.library import is_document

    path = Path(name)
    return not is_document(path) and (path.exists() or bundled_file(name) is None)


def last_game(opened: ReopenedGame | None) -> tuple[SavedGame, Table, Log, Rules]:
    """The last unfinished game; of a ruleset, if one is named. Raises LogError, CannotBegin."""
    wanted = None if opened is None else opened.rules().data.id
    for path in kept_games():
        first, last = ends_of(path)
        of_ruleset = wanted is None or f'"ruleset":{json.dumps(wanted)}' in first
        if of_ruleset and OVER not in last:
            return go_on(path, opened)
    what = f"of {wanted} " if wanted else ""
    raise CannotBegin(f"there is no game {what}to continue in {games_folder()}", "tilewright play RULESET begins one")


# --- the table


def played(opening: Opening, options: PlayOptions, stack: ExitStack) -> int:
    """Play, and print the standings at the end."""
    rules, names = opening.rules, opening.players
    spelling = opening.written.data.tiles.spelling
    wording = RulesetNames(rules.data, options.language, pictured=options.tiles == "unicode", spelling=spelling)
    seed = opening.table.game.seed
    assert isinstance(seed, int)  # fair deals are a server's
    reports: list[str] = []
    bots = [
        None if name == YOU else player_called(name, rules, seed + player, reports.append)
        for player, name in enumerate(names)
    ]
    for bot in filter(None, bots):
        stack.callback(bot.close)
    sitting = GameSession(opening.table, wording, bots, labels(names), opening.keeper, reports)
    advice = Advice(opening.written, player_called(QUICK, rules, seed), wording)
    if options.plain:
        code = plainly(sitting, advice)
    else:
        with written_apart(opening.keeper.path) if any(":" in name for name in names) else nullcontext():
            code = drawn(sitting, advice, options)
    show([] if options.plain else standing_lines(sitting))
    print(seen(farewell(sitting, opening.keeper.path)))
    return code


def player_called(name: str, rules: Rules, seed: int, report: Report | None = None) -> Player:
    """The player of a name; `report` receives the failures of one that is a program. Raises CannotBegin."""
    try:
        return player_of(name, rules, seed, report)
    except NoPlayer as error:
        raise CannotBegin(str(error)) from None


def labels(names: Sequence[str]) -> list[str]:
    """The names of players at the table: a program without its arguments, players of the same name with a number."""
    short = [program_name(name.partition(":")[2]) if ":" in name else name for name in names]
    return [f"{name} {short[: at + 1].count(name)}" if short.count(name) > 1 else name for at, name in enumerate(short)]


def program_name(command: str) -> str:
    """The name of a program: the file that is run, or the script passed to it."""
    words = split(command)
    return seen(Path(next((word for word in reversed(words) if Path(word).is_file()), words[0])).stem)


def plainly(sitting: GameSession, advice: Advice) -> int:
    """Play line by line."""
    try:
        PlainTable(sitting, advice).play()
    except KeyboardInterrupt:
        return STOPPED
    return FINE


def drawn(sitting: GameSession, advice: Advice, options: PlayOptions) -> int:
    """Play on the screen."""
    from tilewright.terminal.drawn_table import WindowOptions
    from tilewright.terminal.window import TableWindow

    window = TableWindow(sitting, advice, WindowOptions(options.pace))
    ending = window.run()
    if window.failure is not None:
        raise window.failure
    return STOPPED if ending == "stopped" else window.return_code or FINE


@contextmanager
def written_apart(log: Path) -> Iterator[None]:
    """Send the stderr of programs to a file next to the log, not over the table."""
    terminal, before = os.dup(2), sys.__stderr__
    with log.with_name(f"{log.name}.stderr").open("ab") as apart, os.fdopen(terminal, "w", encoding="utf-8") as screen:
        sys.__stderr__ = screen  # type: ignore[misc]  # declared final; the screen is drawn through it
        os.dup2(apart.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(terminal, 2)
            sys.__stderr__ = before  # type: ignore[misc]  # as above


def farewell(sitting: GameSession, path: Path) -> str:
    """Print where the game is, and how to continue it."""
    if sitting.over:
        return f"The game is in {path}"
    return f"The game is in {path}; continue with: tilewright play --resume {quote(str(path))}"
