"""`play`: a ruleset, or the log of a game, as it was named in; a table in the terminal out. Knows no rule, no key."""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from secrets import randbits
from shlex import quote, split
from typing import Literal

from tilewright.authoring.open_rules import Choices, show_problems
from tilewright.base.problem import Problem, RulesetError
from tilewright.cli.positions import StartingPoint, starting_point
from tilewright.language.compiled.ruleset import RulesetData
from tilewright.play.log import Log, LogError
from tilewright.play.rules import Rules
from tilewright.play.table import Table
from tilewright.players.player import NoPlayer, Player, names_in, player_of
from tilewright.players.programs.process import Report
from tilewright.presentation.advice.lines import Advice
from tilewright.presentation.console import show
from tilewright.presentation.exits import FINE, PROBLEMS, STOPPED, Unusable
from tilewright.presentation.names import RulesetNames
from tilewright.presentation.problems import seen
from tilewright.presentation.tiles.text import TerminalTiles
from tilewright.scoring.case import CaseError, seat_names
from tilewright.terminal.games import ends_of, games_folder, kept_games, new_game_file
from tilewright.terminal.plain import PlainTable
from tilewright.terminal.result import standing_lines
from tilewright.terminal.saved_games import Opened, SavedGame, begin, go_on
from tilewright.terminal.session import YOU, GameSession

QUICK = "fast"  # whose choice is the hint
USUAL = "fast"  # who plays against the person
SEED_BITS = 32
OVER = '"event":"over"'  # in the last line of the log of a match that is over
DUMB = ("", "dumb", "unknown")  # terminals that cannot be drawn on


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for on the command line. `names`: a ruleset; to go on, a log after a ruleset, either of them, or
    nothing for the game that was played last."""

    names: tuple[str, ...]
    choices: Choices = field(default_factory=Choices)
    resume: bool = False
    seat: str | None = None
    players: str | None = None
    bots: str | None = None
    watch: bool = False
    seed: int | None = None
    hands: int | None = None
    log: Path | None = None
    tiles: Literal["unicode", "letters"] = "letters"
    language: str = "en"
    pace: float = 0.3
    plain: bool = False
    layout: Path | None = None
    case: str | None = None


@dataclass(frozen=True)
class Opening:
    """A game that is ready to be played: its rules, its table, who plays by player, its log."""

    rules: Rules
    table: Table
    players: tuple[str, ...]
    keeper: SavedGame


def play_command(asked: Asked) -> int:
    """Play until the match is over or the player leaves; the exit code is 1 if a log cannot be resumed."""
    expect_terminal(asked)
    try:
        opening = resumed(asked) if asked.resume else begun(asked)
    except LogError as error:
        show_problems([error.problem])
        return PROBLEMS
    with ExitStack() as stack:
        stack.callback(opening.keeper.close)
        return play(opening, asked, stack)


def expect_terminal(asked: Asked) -> None:
    """Raise Unusable where there is no terminal to draw on."""
    if asked.plain:
        return
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Unusable("a table is drawn on a terminal, and this is none", "--plain plays line by line, anywhere")
    if os.name != "nt" and os.environ.get("TERM", "") in DUMB:
        raise Unusable("this terminal cannot be drawn on (TERM)", "--plain plays line by line")


# --- a new game


def begun(asked: Asked) -> Opening:
    """A new game, with its log. Raises RulesetError, Unusable."""
    if len(asked.names) != 1:
        raise Unusable("play wants one ruleset", "for instance: tilewright play RULESET; --resume goes on with a game")
    opened = Opened(asked.names[0], asked.choices.settings, asked.choices.mods)
    rules = opened.rules()
    if rules.data.play is None:
        raise Unusable(f"{rules.data.id} says how hands are scored, not how they are played", "it has no phase `deal`")
    expect_language(asked, rules.data)
    start = None
    if asked.layout is not None or asked.case is not None:
        start = starting_point(rules, asked.layout, asked.case)
    players = players_of(asked, rules.data, start)
    seed = asked.seed if asked.seed is not None else start.seed if start is not None else None
    seed = randbits(SEED_BITS) if seed is None else seed
    path = asked.log or new_game_file(rules.data.id, datetime.now())
    table = begun_table(rules, seed, asked.hands, start)
    for name in dict.fromkeys(players):
        if name != YOU:
            player_called(name, rules, seed).close()  # before there is a log of a game that cannot begin
    return Opening(rules, table, players, begin(path, table, players, opened))


def begun_table(rules: Rules, seed: int, hands: int | None, start: StartingPoint | None) -> Table:
    """The table at its first question. Raises RulesetError for a layout that cannot be laid out."""
    try:
        return rules.table(seed, hands=hands, layout=None if start is None else start.layout)
    except CaseError as error:
        place = None if start is None else start.place
        raise RulesetError([Problem(error.code, error.message, place, error.hint)]) from None


def players_of(asked: Asked, data: RulesetData, start: StartingPoint | None = None) -> tuple[str, ...]:
    """Who plays, by player: the person is called so. Seats are those of the first hand, which a layout may give to
    others than they had when the match began. Raises Unusable."""
    by_seat = players_by_seat(asked, data, None if start is None else start.seat)
    players = tuple(range(len(by_seat))) if start is None else start.players(data)
    return tuple(by_seat[players.index(player)] for player in range(len(by_seat)))


def players_by_seat(asked: Asked, data: RulesetData, own: int | None) -> tuple[str, ...]:
    """Who plays, by seat; the person at its `own` unless another is asked for. Raises Unusable."""
    seats = data.seats.count
    if asked.players is not None and asked.bots is not None:
        raise Unusable("--players and --bots exclude each other", "--bots is for all, --players for each")
    names = names_in(asked.players or asked.bots or USUAL)
    if asked.watch:
        if asked.seat is not None or YOU in names:
            raise Unusable("who watches has no seat", "leave out --watch, or the seat")
        return tuple(spread(names, seats, data))
    if YOU in names:
        if len(names) != seats or names.count(YOU) > 1:
            raise Unusable(f"{data.id} has {seats} seats: name {seats} players, and '{YOU}' once")
        at = names.index(YOU)
        if asked.seat is not None and seat_of(asked.seat, data) != at:
            raise Unusable(f"--seat and --players do not agree on where you sit ('{YOU}')", "leave out --seat")
        return tuple(names)
    at = (own or 0) if asked.seat is None else seat_of(asked.seat, data)
    others = spread(names, seats - 1, data)
    return (*others[:at], YOU, *others[at:])


def spread(names: Sequence[str], wanted: int, data: RulesetData) -> list[str]:
    """One name for every seat, or a name for each."""
    if len(names) == 1:
        return list(names) * wanted
    if len(names) != wanted:
        hint = f"name one for all of them, or {wanted}: --players careful,fast,..."
        raise Unusable(f"{data.id} has {data.seats.count} seats: {wanted} players are wanted, not {len(names)}", hint)
    return list(names)


def seat_of(text: str, data: RulesetData) -> int:
    """A seat by its name, or by its number from the dealer (1 is the dealer)."""
    names = seat_names(data)[: data.seats.count]
    for spelled in (text, text.upper()):
        if spelled in names:
            return names.index(spelled)
    if text.isdecimal() and 0 < int(text[:9]) <= len(names):
        return int(text) - 1
    raise Unusable(f"nobody sits at '{text}'", f"seats are {', '.join(names)}, or 1 to {len(names)}")


def expect_language(asked: Asked, data: RulesetData) -> None:
    """Raise Unusable where the ruleset says nothing in the language."""
    offers = data.play.offers.values() if data.play else ()
    known = {language for names in (data.name, *(offer.name for offer in offers)) for language in names}
    if asked.language not in known | {"en"}:
        raise Unusable(f"{data.id} has no names in '{asked.language}'", f"there is {', '.join(sorted(known))}")


# --- an old one


def resumed(asked: Asked) -> Opening:
    """A game that was broken off, to go on. Raises RulesetError, LogError, Unusable."""
    given = [flag for flag, value in fixed_at_start(asked).items() if value]
    if given:
        raise Unusable(f"{' and '.join(given)} cannot change in the middle of a game", "leave it out with --resume")
    logs = [name for name in asked.names if is_log(name)]
    rulesets = [name for name in asked.names if not is_log(name)]
    if len(logs) > 1 or len(rulesets) > 1:
        raise Unusable("--resume goes on with one game", "tilewright play --resume FILE")
    choices = asked.choices
    opened = Opened(rulesets[0], choices.settings, choices.mods) if rulesets else None
    if not rulesets and (choices.settings or choices.mods):
        raise Unusable("--set and --mod need the ruleset too", "they are in the log: leave them out with --resume")
    if logs:
        keeper, table, log, rules = go_on(Path(logs[0]), opened)
        if table.over:
            keeper.close()
            raise Unusable(f"the match in {logs[0]} is over", "tilewright play RULESET begins another")
    else:
        keeper, table, log, rules = last_game(opened)
    if len(log.header.players) != rules.data.seats.count:
        keeper.close()
        raise Unusable(f"{keeper.path} does not say who played", "a log of `tilewright play` does")
    expect_language(asked, rules.data)
    return Opening(rules, table, log.header.players, keeper)


def fixed_at_start(asked: Asked) -> dict[str, object]:
    """What is settled when a game begins."""
    return {
        "--seat": asked.seat,
        "--players": asked.players,
        "--bots": asked.bots,
        "--seed": asked.seed is not None,
        "--hands": asked.hands,
        "--log": asked.log,
        "--watch": asked.watch,
        "--layout": asked.layout,
        "--case": asked.case,
    }


def is_log(name: str) -> bool:
    """A name means a log, not a ruleset: a file that is no YAML, or no bundled id."""
    from tilewright.language.documents.bundled import bundled_file
    from tilewright.language.documents.library import is_document

    path = Path(name)
    return not is_document(path) and (path.exists() or bundled_file(name) is None)


def last_game(opened: Opened | None) -> tuple[SavedGame, Table, Log, Rules]:
    """The game that was played last and is not over; of a ruleset, if one is named. Raises LogError, Unusable."""
    wanted = None if opened is None else opened.rules().data.id
    for path in kept_games():
        first, last = ends_of(path)
        of_ruleset = wanted is None or f'"ruleset":{json.dumps(wanted)}' in first
        if of_ruleset and OVER not in last:
            return go_on(path, opened)
    what = f"of {wanted} " if wanted else ""
    raise Unusable(f"there is no game {what}to go on with in {games_folder()}", "tilewright play RULESET begins one")


# --- the table


def play(opening: Opening, asked: Asked, stack: ExitStack) -> int:
    """Sit down, play, and say how it stands at the end."""
    rules, names = opening.rules, opening.players
    wording = RulesetNames(rules.data, TerminalTiles(rules.data.tiles, asked.tiles == "unicode"), asked.language)
    seed = opening.table.game.seed
    reports: list[str] = []
    bots = [
        None if name == YOU else player_called(name, rules, seed + player, reports.append)
        for player, name in enumerate(names)
    ]
    for bot in filter(None, bots):
        stack.callback(bot.close)
    sitting = GameSession(opening.table, wording, bots, labels(names), opening.keeper, reports)
    advice = Advice(rules, player_called(QUICK, rules, seed))
    if asked.plain:
        code = plainly(sitting, advice)
    else:
        with written_apart(opening.keeper.path) if any(":" in name for name in names) else nullcontext():
            code = drawn(sitting, advice, asked)
    show([] if asked.plain else standing_lines(sitting))
    print(seen(farewell(sitting, opening.keeper.path)))
    return code


def player_called(name: str, rules: Rules, seed: int, report: Report | None = None) -> Player:
    """The player of a name; `report` is told what goes wrong with one that is a program. Raises Unusable."""
    try:
        return player_of(name, rules, seed, report)
    except NoPlayer as error:
        raise Unusable(str(error)) from None


def labels(names: Sequence[str]) -> list[str]:
    """What players are called at the table: a program by its name alone, those of one name with a number."""
    short = [program_name(name.partition(":")[2]) if ":" in name else name for name in names]
    return [f"{name} {short[: at + 1].count(name)}" if short.count(name) > 1 else name for at, name in enumerate(short)]


def program_name(command: str) -> str:
    """What a program is called: the file that is run, or that is given to be run."""
    words = split(command)
    return seen(Path(next((word for word in reversed(words) if Path(word).is_file()), words[0])).stem)


def plainly(sitting: GameSession, advice: Advice) -> int:
    """Play line by line."""
    try:
        PlainTable(sitting, advice).play()
    except KeyboardInterrupt:
        return STOPPED
    return FINE


def drawn(sitting: GameSession, advice: Advice, asked: Asked) -> int:
    """Play on the screen."""
    from tilewright.terminal.window import TableWindow, WindowOptions

    window = TableWindow(sitting, advice, WindowOptions(asked.pace))
    code = window.run()
    if window.failure is not None:
        raise window.failure
    return window.return_code or FINE if code is None else code


@contextmanager
def written_apart(log: Path) -> Iterator[None]:
    """What programs write to stderr goes to a file beside the log, and not over the table."""
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
    """Where the game is, and how it goes on."""
    if sitting.over:
        return f"The game is in {path}"
    return f"The game is in {path}; it goes on with: tilewright play --resume {quote(str(path))}"
