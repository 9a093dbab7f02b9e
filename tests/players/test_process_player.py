"""Players that are other programs: whole hands with a bot that knows nothing of this package, and what happens with
programs that misbehave. Everything that is sent and answered has the shape of schemas/bots.schema.json."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from processes import HANGS

import tilewright
from tilewright.language.documents.bundled import data_folder
from tilewright.play.model import Move
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.player import NoPlayer, Player, bot, player_of
from tilewright.players.programs import process
from tilewright.players.programs.process import ProcessPlayer

pytestmark = pytest.mark.slow

PROGRAMS = Path(__file__).parents[1] / "programs"
SCHEMA = json.loads((data_folder("schemas") / "bots.schema.json").read_text(encoding="utf-8"))


def command(program: str, *arguments: str) -> str:
    return " ".join([f"command:'{sys.executable}' '{PROGRAMS / program}'", *arguments])


def expect_shape(message: dict[str, Any], kind: str) -> None:
    """The message has the shape of those that are sent (`told`), or answered (`answer`)."""
    shape(kind).validate(message)


@cache
def shape(kind: str) -> Any:
    return jsonschema_rs.validator_for({**SCHEMA, "$ref": f"#/$defs/{kind}"})


def hand_of(rules: Rules, first: Player, seed: int = 3, hands: int = 1) -> Iterator[tuple[Move, bool]]:
    """The moves of a game, each with whether the first player made it; the others are fast bots."""
    players: list[Player] = [first, *(bot("fast", rules, 1) for _ in range(rules.data.seats.count - 1))]
    game = rules.game(seed, hands=hands, listen=False)
    while not game.over:
        seat, ended = game.asked[0], len(game.results)
        player = game.player(seat)
        move = players[player].choose(View(game, seat))
        game.answer(move)
        yield move, player == 0
        if len(game.results) > ended:
            for player, one in enumerate(players):
                one.ended(View(game, game.seat_of(player)))


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[tuple[dict[str, Any], str]]:
    """Everything that is told and answered, in order."""
    found: list[tuple[dict[str, Any], str]] = []
    line, read = process.line, process.read

    def told(message: dict[str, Any]) -> str:
        found.append((json.loads(line(message)), "told"))
        return line(message)

    def answered(text: str) -> dict[str, Any]:
        found.append((read(text), "answer"))
        return read(text)

    monkeypatch.setattr(process, "line", told)
    monkeypatch.setattr(process, "read", answered)
    return found


@pytest.mark.parametrize(("name", "hands"), [("cantonese", 2), ("american", 1)])
def test_a_hand_with_another_program(name: str, hands: int, heard: list[tuple[dict[str, Any], str]]) -> None:
    rules = tilewright.load(name)
    with closing(player_of(command("simple_bot.py"), rules, 1)) as player:
        moves = [move for move, own in hand_of(rules, player, hands=hands) if own]
        assert isinstance(player, ProcessPlayer)
        assert player.problem is None
    for message, kind in heard:
        expect_shape(message, kind)
    kinds = [message.get("message", kind) for message, kind in heard]
    assert kinds[:2] == ["hello", "hello"]
    assert kinds.count("ask") == kinds.count("answer") == len(moves) > 10
    assert kinds.count("ended") == hands
    assert kinds[-1] == "over"
    assert (
        heard[-1][0]["scores"] == [message for message, _ in heard if message.get("message") == "ended"][-1]["scores"]
    )


def test_it_is_told_what_its_seat_sees_and_no_more(heard: list[tuple[dict[str, Any], str]]) -> None:
    rules = tilewright.load("cantonese")
    with closing(player_of(command("simple_bot.py"), rules, 1)) as player:
        list(hand_of(rules, player))
    views = [message["view"] for message, _ in heard if message.get("message") == "ask"]
    for view in views:
        hands = view["zones"]["hand"]
        assert None not in hands[view["seat"]]
        assert all(set(hand) == {None} for seat, hand in hands.items() if seat != view["seat"])
        assert set(view["zones"]["wall"]) == {None}


# way to misbehave -> what is said, whether the program is asked again
BAD = {
    "no_json": ("not JSON: my move is a secret \N{REPLACEMENT CHARACTER}[2J; the fast bot answers", True),
    "no_object": ("not a JSON object: [1, 2]; the fast bot answers", True),
    "illegal": ('this is not a legal move: {"move": "steal", "tile": "everything"}; the fast bot answers', True),
    "other_question": ("an answer to 1, where 2 was asked; the fast bot answers", True),
    "long_line": ("a line of more than 20,000 characters; the fast bot answers", True),
    "deep": ("not JSON: [[[", True),
    "babbles": ("the fast bot", False),  # it is stopped; what is wrong first depends on who is faster
    "leaves": ("it has ended with exit code 3; the fast bot replaces it", False),
    "closes": ("it has ended, or has closed its stdout; the fast bot replaces it", False),
    "sleeps": ("no answer in 0.5 seconds; the fast bot replaces it", False),
    "deaf": ("no answer in 0.5 seconds; the fast bot replaces it", False),
    "says_nothing": ("no answer in 0.5 seconds; the fast bot replaces it", False),
    "leaves_at_once": ("it has ended with exit code 1; the fast bot replaces it", False),
    "rude": ('it does not say hello: {"message": "good day", "protocol": 1}; the fast bot replaces it', False),
    "other_protocol": ("it speaks protocol 2, and this is 1; the fast bot replaces it", False),
}


@pytest.mark.parametrize("way", BAD)
def test_a_program_that_misbehaves(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hand goes on to its end with legal moves; the problem is told once; the program is gone afterwards."""
    slow = way in ("sleeps", "deaf", "says_nothing")
    monkeypatch.setattr(process, "SECONDS", 0.5 if slow else 20.0)
    monkeypatch.setattr(process, "SECONDS_TO_START", 0.5 if way == "says_nothing" else 30.0)
    monkeypatch.setattr(process, "SECONDS_TO_LEAVE", 0.2)
    said: list[str] = []
    rules = tilewright.load("cantonese")
    with closing(player_of(command("bad_bot.py", way), rules, 1, said.append)) as player:
        assert isinstance(player, ProcessPlayer)
        assert len([move for move, own in hand_of(rules, player) if own]) > 5
        says, plays_on = BAD[way]
        assert player.plays is plays_on
    assert said == [player.problem]
    assert said[0].startswith(player.command)
    assert says in said[0]
    assert not player.plays


def test_no_such_program() -> None:
    rules = tilewright.load("cantonese")
    for text, says in [
        ("command:no-such-program-anywhere --fast", "there is no program 'no-such-program-anywhere'"),
        ("command:", "it names no program"),
        ("command:'unclosed", "cannot be read"),
        ("quick", "there is no player called 'quick'; players are random, fast, careful, strong and command:PROGRAM"),
    ]:
        with pytest.raises(NoPlayer, match=says):
            player_of(text, rules, 1)


def test_a_program_that_cannot_be_started(tmp_path: Path) -> None:
    """It is there, and is no program of this machine."""
    broken = tmp_path / "broken"
    broken.write_text("#!/no/such/interpreter\n", encoding="utf-8")
    broken.chmod(0o755)
    rules, said = tilewright.load("cantonese"), list[str]()
    with closing(player_of(f"command:'{broken}'", rules, 1, said.append)) as player:
        assert sum(own for _, own in hand_of(rules, player)) > 5
    assert len(said) == 1
    assert "it does not start: No such file or directory" in said[0]


WRITES_TO_NOBODY = """
import signal, sys, threading
from tilewright.players.programs.process import ChildProgram

signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # as the commands have it, whose reader may go away
program = ChildProgram([sys.executable, "-c", "import os; os.close(0)"])
program._process.wait()
program.send({"ask": 1})
for thread in threading.enumerate():
    if thread is not threading.main_thread():
        thread.join()
print("goes on")
"""


def test_a_program_that_is_gone_takes_nobody_with_it() -> None:
    done = subprocess.run([sys.executable, "-c", WRITES_TO_NOBODY], capture_output=True, text=True, timeout=HANGS)
    assert (done.returncode, done.stdout) == (0, "goes on\n"), done.stderr
