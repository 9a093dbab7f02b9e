"""MJAI: our bots play through it as they play directly, programs that speak it sit at our tables, and neither side is
harmed by what the other writes."""

import io
import json
import socket
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any, ClassVar

import pytest
from commands import run

import tilewright
from tilewright.play.match import Match
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.player import NoPlayer, bot, is_program, names_in, player_of
from tilewright.players.programs import mjai_client, mjai_player, process
from tilewright.players.programs.mjai_client import FollowedTable, MjaiClient, WrongEvent, WrongLine, events_in, serve
from tilewright.players.programs.mjai_player import MjaiEvent, MjaiPlayer, whole_game
from tilewright.players.programs.mjai_words import CLAIMS, QUADS, NotInMjai, answer_of, move_of, vocabulary_of
from tilewright.players.simulation.run import SimulationPlan, simulate

pytestmark = pytest.mark.long

BOT = Path(__file__).parents[1] / "programs" / "mjai_bot.py"
TWO_HANDS = str(Path(__file__).parents[1] / "data" / "mjai_two_hands.yaml")
PREFIXES = ("mjai", "mjai-lines")


def command(prefix: str, *arguments: str) -> str:
    return " ".join([f"{prefix}:'{sys.executable}' '{BOT}'", *arguments])


# --- our bots at our tables, through MJAI


class OurBot:
    """A program at the table that is our own client; the moves of the last one are looked at."""

    name, rules = "fast", tilewright.load("riichi")
    started: ClassVar[list["OurBot"]] = []

    def __init__(self, words: list[str]) -> None:
        self.table = FollowedTable(self.rules)
        self.client = MjaiClient(self.table, bot(self.name, self.rules, 1).choose, self.report)
        self.lines, self.told, self.wrong = list[str](), list[Any](), list[str]()
        self.view: dict[str, Any] | None = None
        self.started.append(self)

    def report(self, message: str) -> None:
        self.wrong.append(message)

    def send(self, message: Any) -> None:
        self.told.append(message)
        answer = self.client.reply(json.dumps(message))
        self.lines.append(json.dumps(answer))

    def line(self, seconds: float) -> str:
        return self.lines.pop(0)

    def stop(self) -> None:
        """It needs no stopping."""


def expect_same_game(
    monkeypatch: pytest.MonkeyPatch, rules: Rules, name: str, seed: int, hands: int | None, in_lines: bool
) -> Match:
    """Every player of a match is a bot that gets MJAI: each sees the table as the bot sees it that gets views, and
    makes the same moves. Returns the match."""
    monkeypatch.setattr(mjai_player, "ChildProgram", OurBot)
    monkeypatch.setattr(OurBot, "name", name)
    monkeypatch.setattr(OurBot, "rules", rules)
    monkeypatch.setattr(OurBot, "started", [])
    said: list[str] = []
    players = [
        MjaiPlayer(sys.executable, rules, 1, said.append, in_lines=in_lines) for _ in range(rules.data.seats.count)
    ]
    direct, match = bot(name, rules, 1), rules.game(seed, hands=hands)
    seen: dict[int, Any] = {}
    decide = FollowedTable.decide

    def watched(table: FollowedTable, choose: Any) -> Any:
        view = table.view()
        if view is not None:
            seen[table.player] = shown(view)
        return decide(table, choose)

    monkeypatch.setattr(FollowedTable, "decide", watched)
    while not match.over:
        seat, ended = match.asked[0], len(match.results)
        view = View(match, seat)
        wanted = direct.choose(view)
        assert players[match.player(seat)].choose(view) == wanted, (match, seed)
        assert seen[match.player(seat)] == shown(view)
        match.answer(wanted)
        if len(match.results) > ended:
            for number, one in enumerate(players):
                one.ended(View(match, match.seat_of(number)))
    assert said == [message for one in OurBot.started for message in one.wrong] == []
    return match


def shown(view: View) -> dict[str, Any]:
    """What a seat sees, without what only a match that keeps events has."""
    return {key: value for key, value in view.to_json().items() if key not in ("refusals", "step")}


GAMES = [
    ("riichi", {"orphans_rob": "true", "late_kan_dora": "false", "swap_calling": "true"}, "random", 3, 1, False),
    ("riichi", {}, "careful", 4, 1, True),
    ("sanma", {}, "random", 5, 1, False),
    ("sanma", {}, "fast", 2, 2, True),
]


@pytest.mark.parametrize(("name", "options", "who", "seed", "hands", "in_lines"), GAMES)
def test_bots_play_through_mjai_as_they_play_directly(
    name: str, options: dict[str, str], who: str, seed: int, hands: int, in_lines: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    expect_same_game(monkeypatch, tilewright.load(name, options), who, seed, hands, in_lines)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("in_lines", [False, True])
@pytest.mark.parametrize("who", ["random", "fast", "careful"])
@pytest.mark.parametrize("name", ["riichi", "sanma"])
def test_whole_matches_through_mjai(
    name: str, who: str, in_lines: bool, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"orphans_rob": str(seed % 2 == 0).lower(), "late_kan_dora": str(seed % 3 == 0).lower()}
    expect_same_game(monkeypatch, tilewright.load(name, options), who, seed, None, in_lines)


# --- games as MJAI


def played(name: str, who: str, seed: int, hands: int) -> Match:
    rules = tilewright.load(name)
    match, one = rules.game(seed, hands=hands), bot(who, rules, seed)
    while not match.over:
        match.answer(one.choose(View(match, match.asked[0])))
    return match


def of_kind(events: list[MjaiEvent], *kinds: str) -> list[MjaiEvent]:
    return [event for event in events if event["type"] in kinds]


@pytest.mark.parametrize(("name", "seed"), [("riichi", 1), ("riichi", 8), ("sanma", 1)])
def test_a_whole_game_is_written(name: str, seed: int) -> None:
    """Scores follow from the deltas, tiles from what happened to them, and any player can follow it."""
    match = played(name, "fast", seed, 4)
    count = match.program.count
    events = list(whole_game(match, [f"p{number}" for number in range(count)]))
    assert (events[0]["type"], events[-1]["type"]) == ("start_game", "end_game")
    starts = of_kind(events, "start_kyoku")
    assert len(starts) == len(of_kind(events, "end_kyoku")) == len(match.results) == 4
    assert all(len(hand) == 13 and "?" not in hand for start in starts for hand in start["tehais"])
    scores, pot = list(starts[0]["scores"]), 0
    for event in events:
        if event["type"] == "start_kyoku":
            assert (event["scores"], 1000 * event["kyotaku"]) == (scores, pot)
        if event["type"] == "reach_accepted":
            scores[event["actor"]] -= 1000
            pot += 1000
        if event["type"] in ("hora", "ryukyoku"):
            scores = [score + delta for score, delta in zip(scores, event["deltas"], strict=True)]
            pot -= sum(event["deltas"])
    assert scores == list(match.results[-1].scores)
    for number in range(count):
        expect_followed(events, tilewright.load(name), number)


def expect_followed(events: list[MjaiEvent], rules: Rules, number: int) -> None:
    table = FollowedTable(rules, number)
    asked = 0
    for event in events:
        table.take(event)
        asked += table.view() is not None
    assert asked > 20


def test_a_game_as_mjai_on_the_command_line(tmp_path: Path) -> None:
    done = run("simulate", "riichi", "--games", "1", "--jobs", "1", "--logs", str(tmp_path))
    assert done.returncode == 0
    (log,) = tmp_path.iterdir()
    written = run("replay", str(log), "--mjai")
    events = [json.loads(line) for line in written.stdout.splitlines()]
    assert written.returncode == 0
    assert [event["type"] for event in events[:3]] == ["start_game", "start_kyoku", "tsumo"]
    assert events[0]["names"] == ["fast"] * 4


def test_the_hands_of_a_seat_are_told() -> None:
    """Of each meld and each win which of several hands it is; a program names it, and a win has its own payments."""
    rules, lots = tilewright.load(TWO_HANDS, {"set_jokers": "0"}), Random(4)
    words, match = vocabulary_of(rules.program), rules.game(3, hands=2)
    chosen, fast = [Counter[Any]() for _ in range(2)], bot("fast", rules, 1)
    while not match.over:
        view = View(match, match.asked[0])
        moves = view.question.moves if view.question is not None else ()
        calls = [move for move in moves if words.kinds.get(move.does) in (*CLAIMS, *QUADS, "hora")]
        for move in calls:
            assert move_of(answer_of(move, view, words), view.question, view, words) == move
        match.answer(lots.choice(calls) if calls and lots.random() < 0.1 else fast.choose(view))
    events = [*whole_game(match, ["a", "b", "c", "d"])]
    for event in match.events:
        if event.kind in ("meld", "declare"):
            chosen[0][event.kind == "declare", event.get("hand")] += 1
    for event in of_kind(events, *CLAIMS, *QUADS, "hora"):
        chosen[1][event["type"] == "hora", event["hand"]] += 1
    assert chosen[0] == chosen[1]
    assert len(chosen[0]) == 4
    paid = [one for one in match.events if one.kind == "pay" and one.get("to") in match.program.names[:-1]]
    won = of_kind(events, "hora")
    assert len(won) > len({win["actor"] for win in won})
    assert sum(win["deltas"][win["actor"]] for win in won) == sum(one.get("amount") for one in paid)
    assert of_kind(events, "kakan") and of_kind(events, "ankan")


def test_a_table_of_several_hands_is_not_followed() -> None:
    done = run("mjai", TWO_HANDS)
    assert (done.returncode, "a seat may win one of its hands and play on" in done.stderr) == (2, True)


# --- programs that speak MJAI at our tables


def hand_of(rules: Rules, first: Any, hands: int = 1) -> Iterator[bool]:
    """Play hands with this player and fast bots; for each move whether it was the first player's."""
    players = [first, *(bot("fast", rules, 1) for _ in range(rules.data.seats.count - 1))]
    match = rules.game(3, hands=hands)
    while not match.over:
        seat, ended = match.asked[0], len(match.results)
        number = match.player(seat)
        match.answer(players[number].choose(View(match, seat)))
        yield number == 0
        if len(match.results) > ended:
            for number, one in enumerate(players):
                one.ended(View(match, match.seat_of(number)))


@pytest.mark.slow
@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("name", ["riichi", "sanma"])
def test_a_program_that_speaks_mjai(name: str, prefix: str) -> None:
    rules, said = tilewright.load(name), list[str]()
    with closing(player_of(command(prefix), rules, 1, said.append)) as one:
        assert sum(hand_of(rules, one, hands=2)) > 10
        assert isinstance(one, MjaiPlayer)
        assert one.plays
    assert said == []


@pytest.mark.slow
def test_it_plays_in_a_simulation() -> None:
    rules = tilewright.load("riichi")
    plan = SimulationPlan(2, 1, 0, (command("mjai"), "fast", "fast", "fast"), False, False)
    tally = [batch.tally for batch in simulate(rules, plan, jobs=1)]
    assert sum(one.hands for one in tally) == 2
    assert not any(one.failed or one.problems for one in tally)


BAD = {
    "no_json": ("not JSON: the drawn tile \N{REPLACEMENT CHARACTER}[2J; the fast bot answers", True),
    "no_object": ("not a JSON object: [1, 2]; the fast bot answers", True),
    "illegal": ("this is not a legal move: {'type': 'dahai', 'actor': 0, 'pai': '9z'}; the fast bot answers", True),
    "odd": ("this is not a legal move", True),
    "deep": ("not JSON: [[[", True),
    "long_line": ("a line of more than 20,000 characters", True),
    "babbles": ("the fast bot", False),
    "leaves": ("it has ended with exit code 3; the fast bot replaces it", False),
    "closes": ("it has ended, or has closed its stdout; the fast bot replaces it", False),
    "sleeps": ("no answer in 0.5 seconds; the fast bot replaces it", False),
    "leaves_at_once": ("it has ended with exit code 1; the fast bot replaces it", False),
}


@pytest.mark.slow
@pytest.mark.parametrize("way", BAD)
def test_a_program_that_misbehaves(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "SECONDS", 0.5 if way == "sleeps" else 20.0)
    monkeypatch.setattr(process, "SECONDS_TO_LEAVE", 0.2)
    rules, said = tilewright.load("riichi"), list[str]()
    with closing(player_of(command("mjai", way), rules, 1, said.append)) as one:
        assert isinstance(one, MjaiPlayer)
        assert sum(hand_of(rules, one)) > 5
        says, plays_on = BAD[way]
        assert one.plays is plays_on
    assert said == [one.problem]
    assert says in said[0]


def test_names_of_programs() -> None:
    assert names_in("fast, mjai:bot --list=a=1,b=2,mjai-lines:x y,command:z") == (
        "fast",
        "mjai:bot --list=a=1,b=2",
        "mjai-lines:x y",
        "command:z",
    )
    assert [is_program(name) for name in ("mjai:x", "mjai-lines:x", "command:x", "fast")] == [True, True, True, False]


@pytest.mark.parametrize("name", ["cantonese", "mcr", "american", "uzje", "siamese"])
def test_rulesets_that_mjai_has_no_words_for(name: str) -> None:
    rules = tilewright.load(name)
    with pytest.raises(NotInMjai, match=f"{name} cannot be told in MJAI: it lacks"):
        vocabulary_of(rules.program)
    with pytest.raises(NoPlayer, match="it lacks"):
        player_of(command("mjai"), rules, 1)
    done = run("mjai", name)
    assert done.returncode == 2
    assert "the offer riichi, the zone dora_indicators" in done.stderr


# --- the mjai_client, and what servers may write

START = {
    "type": "start_kyoku",
    "bakaze": "E",
    "dora_marker": "1p",
    "kyoku": 1,
    "honba": 0,
    "kyotaku": 0,
    "oya": 0,
    "scores": [25000] * 4,
    "tehais": [["1m", "2m", "3m", "4m", "5mr", "6m", "7m", "8m", "9m", "1p", "1p", "E", "N"], *[["?"] * 13] * 3],
}
TSUMO = {"type": "tsumo", "actor": 0, "pai": "C"}


def our_client(said: list[str]) -> MjaiClient:
    rules = tilewright.load("riichi")
    return MjaiClient(FollowedTable(rules), bot("fast", rules, 1).choose, said.append)


def replies(events: list[Any], said: list[str]) -> Any:
    """What the client answers to these events in one line."""
    return our_client(said).reply(json.dumps(events))


def test_it_answers_what_it_is_asked() -> None:
    said: list[str] = []
    answer = replies([{"type": "start_game", "id": 0}, START, TSUMO], said)
    assert answer["type"] == "dahai"
    assert answer["pai"] in ("E", "N", "C")
    assert replies([{"type": "start_game", "id": 0}, START], said) == {"type": "none"}
    assert replies([{"type": "start_game", "id": 1}, START, TSUMO], said)["type"] == "dahai"  # the hand shown is ours
    assert replies([], said) == {"type": "none"}
    assert replies([{"type": "shiny_new_event"}, TSUMO], said) == {"type": "none"}
    assert said == []


DRAWN = {"type": "dahai", "actor": 0, "pai": "C", "tsumogiri": True}
WRONG = {
    "deal": ([{**START, "tehais": [["1m"] * 12]}], "12 tiles are dealt"),
    "five_alike": ([{**START, "tehais": [["1m"] * 13]}], "there are not so many 1m under these rules"),
    "no_tile": ([{**START, "dora_marker": "5z"}], "'5z' is no tile of riichi"),
    "no_list": ([{**START, "scores": 25000}], "scores is a list"),
    "long_list": ([{**START, "scores": [1] * 1000}], "scores is a list of at most"),
    "odd_scores": ([{**START, "scores": [None] * 4}], "scores are numbers"),
    "few_scores": ([{**START, "scores": [1]}], "a hand has scores"),
    "huge_scores": ([{**START, "scores": [10**30] * 4}], "scores are numbers"),
    "no_dealer": ([{**START, "oya": 4}], "oya is a number from 0 to 3, not '4'"),
    "no_wind": ([{**START, "bakaze": "1m"}], "round_wind is the wind of a round"),
    "no_number": ([{**START, "honba": "x"}], "honba is a number from 0"),
    "truth": ([{**START, "oya": True}], "oya is a number"),
    "no_actor": ([START, {"type": "tsumo", "pai": "C"}], "actor is a number"),
    "not_held": ([START, TSUMO, {"type": "dahai", "actor": 0, "pai": "9s"}], "9s cannot be in this hand"),
    "not_ready": ([START, TSUMO, {"type": "hora", "actor": 1}, TSUMO], None),
    "other_turn": ([START, {"type": "dahai", "actor": 2, "pai": "9s"}], "dahai is not possible under these rules"),
    "two_draws": ([START, TSUMO, {**TSUMO, "actor": 2, "pai": "?"}], "it is not this player who draws"),
    "told_twice": ([START, TSUMO, {**TSUMO, "pai": "F"}], "F is told where C lies"),
    "no_group": (
        [START, TSUMO, DRAWN, {"type": "pon", "actor": 1, "target": 0, "pai": "C", "consumed": ["E", "E"]}],
        "pon is not possible under these rules",
    ),
    "no_chow": ([START, TSUMO, DRAWN, {"type": "chi", "actor": 1, "consumed": "2m"}], "consumed is a list"),
    "no_north": ([START, TSUMO, {"type": "nukidora", "actor": 0, "pai": "N"}], "nukidora is not possible"),
}


@pytest.mark.parametrize("name", WRONG)
def test_events_that_cannot_be(name: str) -> None:
    """They are reported once; the drawn tile is discarded until the next hand, which is played again."""
    said: list[str] = []
    one = our_client(said)
    events, says = WRONG[name]
    one.reply(json.dumps([{"type": "start_game", "id": 0}]))
    for event in events:
        one.reply(json.dumps(event))
    drawn = {"type": "tsumo", "actor": 0, "pai": "8s"}
    assert one.reply(json.dumps(drawn)) in ({**DRAWN, "pai": "8s"}, {"type": "none"})
    assert len(said) == (says is not None)
    assert says is None or says in said[0]
    one.reply(json.dumps(START))
    answer = one.reply(json.dumps(TSUMO))
    assert answer is not None
    assert answer["type"] == "dahai"
    assert len(said) == (says is not None)


def test_lines_that_are_not_mjai(monkeypatch: pytest.MonkeyPatch) -> None:
    for line, says in [
        ("{", "not JSON: {"),
        ("[" * 100_000, "not JSON"),
        ("7", "not an event of MJAI"),
        ("[[]]", "not an event of MJAI"),
        (json.dumps([{}] * 5_001), "an array of at most 5,000"),
    ]:
        with pytest.raises(WrongLine, match=says.replace("[", r"\[")):
            events_in(line)
        assert run("mjai", "riichi", stdin=line).returncode == 1
    monkeypatch.setattr(mjai_client, "MOST_BYTES", 100)
    with pytest.raises(WrongLine, match="a line of more than 100 bytes"):
        serve(our_client([]), io.BytesIO(b"x" * 200), io.BytesIO())
    assert "5,000" in f"{mjai_client.MOST_EVENTS:,}"


def test_a_hand_that_went_wrong_is_forgotten() -> None:
    table = FollowedTable(tilewright.load("riichi"))
    table.take(START)
    with pytest.raises(WrongEvent):
        table.take({"type": "dahai", "actor": 3, "pai": "1m"})
    assert table.match is None
    assert table.view() is None
    assert mjai_client.MOST_TILES >= 14


def test_on_stdin() -> None:
    lines = "\n".join(map(json.dumps, [[{"type": "start_game", "id": 0}], [START, TSUMO], [{"type": "end_game"}]]))
    done = run("mjai", "riichi", "--bot", "fast", stdin=lines)
    kinds = [json.loads(line)["type"] for line in done.stdout.splitlines()]
    assert (done.returncode, kinds, done.stderr) == (0, ["none", "dahai", "none"], "")


def test_by_tcp() -> None:
    """It joins a room, plays, and ends when the server closes the connection."""
    heard: list[Any] = []
    said = [
        {"type": "hello", "protocol": "mjsonp", "protocol_version": 3},
        {"type": "start_game", "id": 0},
        START,
        TSUMO,
    ]

    def host(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection, connection.makefile("rw", encoding="utf-8") as lines:
            for event in said:
                print(json.dumps(event), file=lines, flush=True)
                heard.append(json.loads(lines.readline()))

    with socket.create_server(("localhost", 0)) as listening:
        listening.settimeout(30)
        thread = Thread(target=host, args=(listening,), daemon=True)
        thread.start()
        port = listening.getsockname()[1]
        done = run("mjai", "riichi", "--connect", f"mjsonp://localhost:{port}/east", "--name", "ours", "--bot", "fast")
        thread.join(30)
    assert done.returncode == 0
    assert heard[0] == {"type": "join", "name": "ours", "room": "east"}
    assert [answer["type"] for answer in heard[1:]] == ["none", "none", "dahai"]
    for url in ("localhost:1", "http://localhost", "mjsonp://", "mjsonp://localhost:x"):
        assert "is no address of a server" in run("mjai", "riichi", "--connect", url).stderr
    gone = run("mjai", "riichi", "--connect", f"mjsonp://localhost:{port}")
    assert gone.returncode == 2
    assert "no connection to localhost" in gone.stderr
    assert "there is no bot called 'slow'" in run("mjai", "riichi", "--bot", "slow").stderr
