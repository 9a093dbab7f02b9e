"""`benchmarks/replay_mjlog.py`: hands as a server writes them down are played again, and what differs is told."""

import gzip
import io
import re
import runpy
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from mjlog_writer import mjlog

from tilewright import Move, Rules, Table, load
from tilewright.play.match import Match
from tilewright.players.player import player_of

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "benchmarks" / "replay_mjlog.py"
THROWS = "5m 14725p 369s SSWN"
HANDS = {
    "two winners on one discard": {"E": f"{THROWS} N", "S": "46m CCC 123p 789p 11s", "W": "46m FFF 234s 678s 22p"},
    "nine terminals and honours": {"E": "19m 19p 19s ESWN 258m P"},
    "kongs of every kind": {
        "E": "7p 258m 369s ESCFP 1p 1s",
        "S": "1111m 1478s 36p WWN 2m",
        "W": "777p 999s 0m 46m 4488s 3m 6s 2p",
    },
    "riichi and no winner": {"E": "123m 456p 789s 1134s F"},
}
SCRIPTS = {
    "two winners on one discard": "E discard 5m / S win / W win",
    "nine terminals and honours": "E nine_terminals",
    "kongs of every kind": "E discard 7p / W claimed_kong / W discard 3m / N drawn / E drawn / S kong 1111m / S drawn",
    "riichi and no winner": "E riichi / E discard F",
}


def rules() -> Rules:
    return load("riichi", {"sticks_to_first": False})


def scripted(name: str) -> Match:
    """A hand of which the first moves are written down; then everyone discards what it draws."""
    game = rules().game(5, hands=1, layout={"walls": [{"hands": HANDS[name]}]})
    for line in SCRIPTS[name].split(" / "):
        seat, does, *tiles = line.split()
        if does == "drawn":
            does, tiles = "discard", ["drawn"]
        while not any(move.does == does and game.program.names[move.seat] == seat for move in possible(game)):
            game.pass_all()
        game.answer(game.move(does, *tiles, seat=seat))
    while not game.over:
        if game.window is not None and game.window.may_pass:
            game.pass_all()
        else:
            game.answer(game.move("discard", "drawn"))
    return game


def possible(game: Match) -> list[Move]:
    return [move for seat in game.asked for move in game.legal_moves(seat)]


def of_bots(seed: int, hands: int) -> Match:
    game = rules().game(seed, hands=hands)
    bots = [player_of("fast", rules(), seed + player) for player in range(4)]
    while not game.over:
        seat = game.asked[0]
        game.answer(bots[game.player(seat)].choose(Table(game).view(seat)))
    return game


@cache
def script() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT))


def replayed(folder: Path) -> tuple[int, str, str]:
    """The script with this folder, in this process: its exit code, and what it says."""
    out, err = io.StringIO(), io.StringIO()
    with patch.object(sys, "argv", [str(SCRIPT), str(folder)]), redirect_stdout(out), redirect_stderr(err):
        code = script()["main"]()
    return code, out.getvalue(), err.getvalue()


@pytest.mark.slow
def test_what_was_played_comes_out_again(tmp_path: Path) -> None:
    logs = {name: mjlog(scripted(name)) for name in SCRIPTS}
    assert logs["two winners on one discard"].count("<AGARI") == 2
    assert 'type="yao9"' in logs["nine terminals and honours"]
    assert logs["kongs of every kind"].count("<DORA") == 2
    assert '<REACH who="0" step="2"' in logs["riichi and no winner"]
    logs |= {str(seed): mjlog(of_bots(seed, 6)) for seed in (0, 1)}  # a concealed and an added kong among them
    for name, text in logs.items():
        data = text.encode()
        (tmp_path / f"{name}.mjlog").write_bytes(gzip.compress(data) if name == "1" else data)
    code, out, err = replayed(tmp_path)
    assert (code, err) == (0, "")
    assert re.fullmatch(r"6 files, 16 hands, \d{3} moves, 0 differences\n", out)


WRONG = {
    "a discard of a tile that is not there": (r"(<D)\d+(/>)", r"\g<1>3\2", "E discard 1m is not offered: "),
    "a fu too many": (r'(AGARI[^>]*ten=")', r"\g<1>1", "S wins "),
    "a score": (r'sc="250,', 'sc="251,', "the scores are [19900, "),
    "another winner": (r'<AGARI who="1"', '<AGARI who="3"', "N win, W win is not offered: "),
    "no end": (r"<AGARI.*\n", "", "the log says no result"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_told(name: str, tmp_path: Path) -> None:
    pattern, other, told = WRONG[name]
    text = mjlog(scripted("two winners on one discard"))
    changed = re.sub(pattern, other, text, count=0 if name in ("a score", "no end") else 1)
    assert changed != text
    (tmp_path / "wrong.xml").write_text(changed, encoding="utf-8")
    code, out, _ = replayed(tmp_path)
    assert told in out
    assert code == 1


BAD = {
    "entities": ('<!DOCTYPE a [<!ENTITY b "c">]><mjloggm/>', "declarations"),
    "no XML": ("mahjong", "no XML"),
    "another root": ("<a/>", "begins with <a>"),
    "three players": ('<mjloggm><GO type="16"/></mjloggm>', "three play"),
    "no type": ('<mjloggm><GO type="x"/></mjloggm>', "invalid literal"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_read_is_passed_over(name: str, tmp_path: Path) -> None:
    text, told = BAD[name]
    (tmp_path / "bad.xml").write_text(text, encoding="utf-8")
    code, out, err = replayed(tmp_path)
    assert told in err
    assert (code, out) == (0, "0 files, 1 passed over, 0 hands, 0 moves, 0 differences\n")


def test_a_file_that_unpacks_to_too_much_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "large.mjlog").write_bytes(gzip.compress(b" " * (9 << 20)))
    (tmp_path / "cut.mjlog").write_bytes(gzip.compress(b"<mjloggm/>")[:-9])
    _, out, err = replayed(tmp_path)
    assert "2 passed over" in out
    assert "larger than 8 MB" in err
    assert "cannot be unpacked" in err
