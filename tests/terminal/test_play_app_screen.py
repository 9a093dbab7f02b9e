"""`tilewright play` on a screen, played with keys and clicks as a person does who sees nothing but the screen."""

import os
import re
import signal
import sys
from pathlib import Path

import pytest
from games import PLAYED, mostly_soaked
from pseudo_terminal import Terminal, terminal

from tilewright.play.rules import load

pytestmark = pytest.mark.slow

SHORT_HANDS = {  # seeds and bots
    "chinese_classical": ("3", "fast"),
    "cantonese": ("2", "fast"),  # won with half a point
    "hong_kong": ("3", "fast"),
    "mcr": ("3", "fast"),
    "riichi": ("2", "fast"),
    "sanma": ("1", "fast"),
    "sichuan": ("2", "fast"),
    "zung_jung": ("1", "fast"),
    "zung_jung_plus": ("3", "fast"),
    "uzje": ("3", "fast"),
    "american": ("5", "random"),
}
OTHERS_WITH_A_CARD = {
    "siamese": ("5", "random"),
    "royale_siamese": ("7", "fast"),
    "card_free": ("9", "random"),
    "mahj_x": ("11", "random"),
}
QUICKLY = ("--bots", "random", "--pace", "0", "--seed", "5")
ENTER, ESCAPE, RIGHT, LEFT, END = "\r", "\x1b", "\x1b[C", "\x1b[D", "\x1b[F"
SHIFT_LEFT = "\x1b[1;2D"
COLOUR = re.compile(rb"\x1b\[[0-9;]*\b[34]8;")
MOST_KEYS = 2_000


@pytest.fixture(autouse=True)
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where games are kept."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state/tilewright/games"


def hand_to_its_end(table: Terminal) -> list[str]:
    """Answer whatever is asked until a hand has ended; every screen that asked something, the bill last."""
    seen = [""]
    while len(seen) < MOST_KEYS:
        seen.append(table.wait(lambda text: text != seen[-1] and asks(text)))
        if "End of the " in seen[-1]:
            return seen[1:]
        table.send(answer_to(seen[-1]))
    raise AssertionError(f"no end of the hand:\n{table.text}")


def answered(table: Terminal, screen: str) -> str:
    """The next screen that asks something."""
    table.send(answer_to(screen))
    return table.wait(lambda text: text != screen and asks(text))


def asks(screen: str) -> bool:
    """The screen wants a key."""
    return "[1]" in screen or "[P]" in screen or "End of the " in screen


def answer_to(screen: str) -> str:
    """A key that goes on: win, choose what a quick player would, discard the drawn tile, pass."""
    if re.search(r"\[1\] (Win|和)", screen):
        return "1"
    if "Space marks" in screen:
        return ENTER if "Hint:" in screen else "h"
    if "← → and Enter" in screen:
        return ENTER
    return "p" if "[P]" in screen else "1"


@pytest.mark.parametrize("ruleset", mostly_soaked(PLAYED, ("american", "riichi")))
def test_a_hand_of_each_ruleset_to_its_end(ruleset: str) -> None:
    seed, bots = SHORT_HANDS[ruleset]
    with terminal("play", ruleset, "--seed", seed, "--hands", "1", "--bots", bots, "--pace", "0") as table:
        seen = hand_to_its_end(table)
        assert len(seen) > 4
        if ruleset == "riichi":  # zones by their names
            screen = next(screen for screen in seen if "← → and Enter" in screen)
            assert re.search(r"dead wall \d+ · ura dora indicators 1", screen)
            assert re.search(r"(?<!ura )dora indicators \w\w?", screen)
        leave(table)
        assert "The game is in" in table.text


@pytest.mark.parametrize("ruleset", mostly_soaked(OTHERS_WITH_A_CARD, ("card_free",)))
def test_a_hand_of_the_other_games_with_a_card(ruleset: str) -> None:
    seed, bots = OTHERS_WITH_A_CARD[ruleset]
    with terminal("play", ruleset, "--seed", seed, "--hands", "1", "--bots", bots, "--pace", "0") as table:
        seen = hand_to_its_end(table)
        assert len(seen) > 4
        leave(table)


def test_a_tile_goes_to_the_other_rack() -> None:
    with terminal("play", "siamese", "--hands", "1", *QUICKLY) as table:
        screen = table.wait("M moves to the other hand")
        before = [line.split() for line in screen.splitlines() if line.startswith((" 1 ", " 2 "))]
        assert [len(line) for line in before] == [15, 15], "the deal is divided evenly"
        table.send("m")
        screen = table.wait("to hand 1")
        assert [len(line.split()) for line in screen.splitlines() if line.startswith((" 1 ", " 2 "))] == [16, 14]


@pytest.mark.parametrize("players", ["6"])
def test_any_number_of_seats(players: str) -> None:
    with terminal("play", "uzje", "--set", f"players={players}", "--seat", "3", "--hands", "1", *QUICKLY) as table:
        screen = table.wait(asks)
        assert all(f"random {number}" in screen for number in range(1, int(players)))
        assert "W you" in screen
        for _ in range(4):
            screen = answered(table, screen)


def leave(table: Terminal) -> None:
    """From the bill of the last hand to the end."""
    table.send(ENTER)
    table.wait("─ The match is over")
    table.send(ENTER)
    table.wait("Q leaves")
    table.send("q")
    assert table.ended() == 0


# --- killed and gone on


def test_a_killed_game_goes_on(games: Path) -> None:
    with terminal("play", "cantonese", "--hands", "1", *QUICKLY, "--seed", "8") as table:
        table.wait("← → and Enter")
        seen = [table.text]
        for _ in range(6):
            seen.append(answered(table, seen[-1]))
        while "← → and Enter" not in seen[-1]:
            table.send("p")
            seen.append(table.wait(lambda text: text != seen[-1] and asks(text)))
        os.kill(table.pid, signal.SIGKILL)
        assert table.ended() == -signal.SIGKILL
    with terminal("play", "--resume", "--pace", "0") as table:
        after = table.wait("← → and Enter")
        assert hand_line(after) == hand_line(seen[-1])
        hand_to_its_end(table)
    (log,) = games.iterdir()
    assert '"event":"over"' in log.read_text(encoding="utf-8").splitlines()[-1]


def hand_line(screen: str) -> str:
    """The line of the own tiles."""
    lines = screen.splitlines()
    return lines[next(number for number, line in enumerate(lines) if "← → and Enter" in line) + 1]


@pytest.mark.parametrize("how", ["\x03", signal.SIGTERM, signal.SIGHUP])
def test_stopped_from_outside(how: str | signal.Signals) -> None:
    with terminal("play", "cantonese", *QUICKLY) as table:
        table.wait("← → and Enter")
        if isinstance(how, str):
            table.send(how)
        else:
            os.kill(table.pid, how)
        assert table.ended() == 130
        assert b"\x1b[?1049l" in table.written  # the screen is as it was


def test_a_program_at_the_table_does_not_write_over_it(tmp_path: Path) -> None:
    """It says something to stderr, and leaves: another replaces it."""
    program = tmp_path / "loud.py"
    program.write_text("import sys\nprint('nonsense ' * 100, file=sys.stderr)\n", encoding="utf-8")
    log = tmp_path / "game.jsonl"
    command = f"command:{sys.executable} {program}"
    with terminal("play", "cantonese", *QUICKLY, "--bots", command, "--log", str(log)) as table:
        screen = table.wait(asks)
        assert "S loud 1" in screen
        while "fast bot replaces it" not in screen:
            table.send(answer_to(screen))
            screen = table.wait(lambda text, before=screen: text != before and asks(text))  # type: ignore[misc]
        assert b"nonsense" not in table.written
    assert "nonsense" in log.with_name("game.jsonl.stderr").read_text(encoding="utf-8")


def test_a_terminal_that_is_closed(tmp_path: Path) -> None:
    """The window of the terminal is gone: so is the table, and its log is whole."""
    log = tmp_path / "game.jsonl"
    with terminal("play", "cantonese", *QUICKLY, "--log", str(log)) as table:
        table.wait("← → and Enter")
        os.close(table.main)
        table.main = os.open(os.devnull, os.O_RDONLY)
        table.code = table.left()
    assert log.read_text(encoding="utf-8").endswith("}\n")


# --- looks


def test_clicks_and_windows_of_any_size_until_it_is_left(games: Path) -> None:
    with terminal("play", "cantonese", *QUICKLY, columns=40, lines=12) as table:
        table.wait("too small")
        assert "50 × 18" in table.text
        table.resize(120, 40)
        screen = table.wait("← → and Enter")
        assert "┌" in screen  # tiles as boxes, where there is room
        table.resize(80, 24)
        before = hand_line(table.wait(lambda text: "← → and Enter" in text and "┌" not in text))
        assert COLOUR.search(table.written)
        table.click("[?]")
        table.wait("─ Keys")
        table.send(ENTER)
        table.wait(lambda text: "─ Keys" not in text)
        table.send("q")
        table.wait("Leave the table?")
        table.send(ESCAPE)
        table.wait(lambda text: "Leave the table?" not in text)
        first = before.split()[0]
        table.click(before.strip()[: len(first)])
        table.wait(lambda text: hand_line(text).startswith(f" [{first}"))
        table.click(f"[{first}")
        table.wait(f"You discard {first}")
        table.wait(asks)
        table.send("q")
        table.wait("Leave the table?")
        table.send("1")
        assert table.ended() == 0
        assert b"continue with: tilewright play --resume" in table.written
    assert len(list(games.iterdir())) == 1


def test_pictures_without_colours_take_the_cells_that_they_need() -> None:
    with terminal("play", "cantonese", "--tiles", "unicode", *QUICKLY, NO_COLOR="1") as table:
        screen = table.wait("← → and Enter")
        assert not COLOUR.search(table.written)
        assert "[" in hand_line(screen)  # the cursor shows without colours
        assert sum(0x1F000 <= ord(sign) < 0x1F02C for sign in hand_line(screen)) == 14
        table.send("t")
        assert re.search(r"\d[mps]", hand_line(table.wait(lambda text: re.search(r" \d[mps] ", text) is not None)))


# --- keys and clicks


def test_papers_and_hints() -> None:
    with terminal("play", "american", *QUICKLY, "--seed", "2") as table:
        table.wait("Space marks")
        for key, heading in (("?", "Keys"), ("n", "Nearest hands"), ("l", "What happened"), ("w", "Waits")):
            table.send(key)
            table.wait(f"─ {heading}")
            table.send(ENTER)
            table.wait(lambda text, gone=heading: f"─ {gone}" not in text)  # type: ignore[misc]
        table.send("h")
        table.wait("Hint:")


def test_buttons_stay_on() -> None:
    with terminal("play", "cantonese", "--hands", "2", *QUICKLY) as table:
        table.wait("← → and Enter")
        table.send("b")
        screen = table.wait("Buttons that answer for you")
        number = re.search(r"(\d) \[ \] Discard the drawn tile", screen)
        skip = re.search(r"(\d) \[ \] Skip calls", screen)
        assert number is not None and skip is not None
        table.send(number[1])
        table.wait("Buttons that answer for you")
        table.send(skip[1])
        table.wait(lambda text: text.count("[x]") == 3)
        table.send(ESCAPE)
        for _ in range(2):
            table.wait("End of the hand")  # without another key
            table.send(ENTER)
        table.wait("─ The match is over")


def test_each_hand_begins_sorted() -> None:
    """Also for who has switched sorting off and moved a tile."""
    seed, bots = SHORT_HANDS["cantonese"]
    with terminal("play", "cantonese", "--hands", "2", "--pace", "0", "--seed", seed, "--bots", bots) as table:
        *_, last, drawn = hand_line(table.wait("← → and Enter")).split()
        table.send("s")
        table.wait("as you arrange it")
        table.send(SHIFT_LEFT)
        table.wait(lambda text: f"{drawn} {last}" in text)
        hand_to_its_end(table)
        table.send(ENTER)
        screen = table.wait(lambda text: "hand 2 ·" in text and asks(text))
        order = [tile.code for tile in load("cantonese").data.tiles.tiles]
        rows = [line.replace("[", " ").replace("]", " ").split() for line in screen.splitlines()]
        row = next(row for row in rows if len(row) >= 13 and set(row) <= set(order))[:13]
        assert row == sorted(row, key=order.index)
        table.send("b")
        table.wait("[x] Sort")


def test_watching() -> None:
    watched = ("--watch", "--hands", "1", "--bots", "fast", "--seed", "2", "--pace", "0.5")
    with terminal("play", "cantonese", *watched) as table:
        table.wait("Watching")
        table.send(" ")
        paused = table.wait("Paused")
        table.send(ENTER)
        table.wait(lambda text: text != paused)
        for _ in range(3):
            table.send("+")
        table.send(" ")
        table.wait("End of the hand")
        leave(table)
