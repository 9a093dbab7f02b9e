"""The command that shows or verifies a log."""

from json import dumps
from typing import Annotated, Any

import typer

from tilewright.authoring.open_rules import CannotBegin, RulesChoice
from tilewright.cli.arguments import AsJson, HandNotation, Mods, Sets, complete_ruleset
from tilewright.cli.command import FINE, PROBLEMS, command
from tilewright.cli.output import print_json, show_problems
from tilewright.cli.replaying import Replayed, ReplayOptions, cut_off, replayed
from tilewright.play.resume import disclosed_part
from tilewright.players.programs.mjai_player import whole_game
from tilewright.players.programs.mjai_words import NotInMjai
from tilewright.presentation.console import show
from tilewright.presentation.problems import as_json as problem_json
from tilewright.scoring.score import json_number


@command("replay")
def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The log of a game; - is stdin.")],
    *,
    verify: Annotated[bool, typer.Option("--verify", help="Only check that every line is what was played.")] = False,
    until: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Stop at the first question after event N.")
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules",
            metavar="RULESET",
            help="The ruleset of the game, if it is not a bundled one.",
            autocompletion=complete_ruleset,
        ),
    ] = None,
    notation: HandNotation = "codes",
    json: AsJson = False,
    mjai: Annotated[bool, typer.Option("--mjai", help="Print the game as a log in MJAI: an event a line.")] = False,
    set_: Sets,
    mod: Mods,
) -> int:
    """Show a game from its log, or verify the log.

    Example: tilewright replay game.jsonl --verify
    """
    if verify and until is not None:
        raise typer.BadParameter("--verify and --until exclude each other", param_hint="--verify / --until")
    if mjai and (verify or json):
        raise typer.BadParameter("--mjai excludes --verify and --json", param_hint="--mjai")
    if rules is None and (set_ or mod):
        raise typer.BadParameter("--set and --mod go with --rules", param_hint="--rules")
    options = ReplayOptions(file, rules, RulesChoice.of(set_, mod), verify, until, notation)
    done = replayed(file, options, aloud=not (verify or json or mjai))
    if json:
        print_json(replay_json(done, until))
    elif mjai and done.wrong is None:
        print_mjai(done)
    elif verify and done.wrong is None:
        show([verdict(done)])
    if done.wrong is not None:
        show_problems([done.wrong.problem])
        return PROBLEMS
    return FINE


def print_mjai(done: Replayed) -> None:
    """Print the game as lines of MJAI. Raises CannotBegin for a ruleset that MJAI has no words for."""
    assert done.game is not None
    assert done.log is not None
    try:
        for event in whole_game(done.game, done.log.header.players):
            print(dumps(event, ensure_ascii=False, separators=(",", ":"), default=json_number))
    except NotInMjai as error:
        raise CannotBegin(str(error)) from None


# --- output


def verdict(done: Replayed) -> str:
    """The sentence about a valid log."""
    assert done.log is not None and done.game is not None
    lines, hands = len(done.log.lines), len(done.hands)
    if done.game.over:
        ended = "to the end of the game"
    elif done.undisclosed is not None:
        lines = len(disclosed_part(done.log).lines)
        ended = f"to the end of hand {done.undisclosed - 1}; {cut_off(done.undisclosed)}"
    else:
        ended = f"up to a question in hand {done.game.hand_number + 1}"
    fair = "" if done.log.header.seed is not None else ", each dealt from the seed that its hash had promised"
    return f"{done.file}: {lines:,} lines are what was played, {hands:,} hand{'' if hands == 1 else 's'}{fair}, {ended}"


def replay_json(done: Replayed, until: int | None) -> dict[str, Any]:
    """Plain data (docs/simulate.md, "The verdict")."""
    log, game, wrong = done.log, done.game, done.wrong
    return {
        "file": done.file,
        "ruleset": None if log is None else log.header.ruleset,
        "seed": None if log is None else log.header.seed,
        "deals": [] if log is None or log.header.seed is not None else [deal.hash for deal in log.deals],
        "undisclosed": done.undisclosed,
        "players": [] if log is None else list(log.header.players),
        "lines": 0 if log is None else len(log.lines),
        "events": 0 if game is None else len(game.events),
        "over": game is not None and game.over,
        "scores": [] if game is None else [json_number(score) for score in game.scores[: game.program.count]],
        "placement": [] if game is None else [json_number(added) for added in game.placement],
        "hands": [hand.as_json() for hand in done.hands],
        "verified": wrong is None and until is None,
        "problem": None if wrong is None else problem_json(wrong.problem),
        "expected": None if wrong is None else wrong.expected,
        "found": None if wrong is None else wrong.found,
    }
