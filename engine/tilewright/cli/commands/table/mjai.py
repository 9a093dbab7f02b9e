"""The command that lets a bot play at another program's table."""

import socket
import sys
from typing import Annotated
from urllib.parse import urlsplit

import typer

from tilewright.authoring.open_rules import CannotBegin, RulesChoice, open_rules
from tilewright.base.spelling import seen
from tilewright.cli.arguments import Mods, RulesetName, Sets
from tilewright.cli.command import FINE, PROBLEMS, command
from tilewright.play.rules import Rules
from tilewright.players.player import BOTS
from tilewright.players.programs.mjai_client import FollowedTable, MjaiClient, WrongLine, serve
from tilewright.players.programs.mjai_words import NotInMjai, expect_followed

SCHEME, PORT = "mjsonp", 11600
SECONDS_TO_CONNECT, SECONDS_BETWEEN_LINES = 30, 3_600


@command("mjai")
def mjai(
    ruleset: RulesetName,
    player: Annotated[
        int, typer.Argument(metavar="ID", min=0, max=3, help="The player's number, where the game does not say it.")
    ] = 0,
    *,
    bot: Annotated[
        str, typer.Option(metavar="NAME", help="The bot that plays: random, fast, careful or strong.")
    ] = "careful",
    connect: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="Connect to mjsonp://HOST:PORT/ROOM, instead of reading stdin and writing stdout."
        ),
    ] = None,
    name: Annotated[str, typer.Option(metavar="NAME", help="The name under which it joins a room.")] = "tilewright",
    kita: Annotated[
        bool, typer.Option("--kita", help="Say kita for setting a north aside, as some programs do, not nukidora.")
    ] = False,
    seed: Annotated[int, typer.Option(metavar="S", help="The seed of the bot's random choices.")] = 1,
    set_: Sets,
    mod: Mods,
) -> int:
    """Let a bot play at a table of another program that speaks MJAI, on stdin and stdout or by TCP.

    Example: tilewright mjai riichi --bot careful --connect mjsonp://localhost:11600/default
    """
    rules = rules_of(ruleset, RulesChoice.of(set_, mod))
    if bot not in BOTS:
        raise CannotBegin(f"there is no bot called {bot!r}", f"bots are {', '.join(BOTS)}")
    table = FollowedTable(rules, player, kita)
    room = "" if connect is None else urlsplit(connect).path.strip("/")
    client = MjaiClient(table, BOTS[bot](rules, seed).choose, tell, name, room or "default")
    try:
        if connect is None:
            serve(client, sys.stdin.buffer, sys.stdout.buffer)
        else:
            talk(client, *address_of(connect))
    except WrongLine as error:
        tell(str(error))
        return PROBLEMS
    return FINE


def rules_of(ruleset: str, choices: RulesChoice) -> Rules:
    """Rules that are played, and under which a table can be followed. Raises CannotBegin."""
    rules = Rules(open_rules(ruleset, choices).data)
    if rules.data.play is None:
        raise CannotBegin(f"{rules.data.id} says how hands are scored, not how they are played")
    try:
        expect_followed(rules.data)
    except NotInMjai as error:
        raise CannotBegin(str(error), "docs/mjai.md says for which rulesets MJAI is") from None
    return rules


def address_of(url: str) -> tuple[str, int]:
    """Host and port. Raises CannotBegin."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port or PORT
    except ValueError:
        host, port = None, 0
    if host is None or parts.scheme != SCHEME:
        raise CannotBegin(f"{url!r} is no address of a server", f"write {SCHEME}://HOST:{PORT}/ROOM")
    return host, port


def talk(client: MjaiClient, host: str, port: int) -> None:
    """Play over a connection until the server closes it. Raises CannotBegin if there is none."""
    try:
        connection = socket.create_connection((host, port), SECONDS_TO_CONNECT)
    except OSError as error:
        raise CannotBegin(f"no connection to {host}:{port}: {error.strerror or error}") from None
    with connection:
        connection.settimeout(SECONDS_BETWEEN_LINES)
        with connection.makefile("rb") as incoming, connection.makefile("wb") as outgoing:
            serve(client, incoming, outgoing)


def tell(message: str) -> None:
    """What went wrong, on stderr."""
    print(seen(f"tilewright: {message}"), file=sys.stderr, flush=True)
