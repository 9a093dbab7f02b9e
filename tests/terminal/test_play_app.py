"""`tilewright play` line by line, as scripts and screen readers use it: whole hands, logs, going on, refusals."""

import json
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import COMMAND, fails, run
from games import MOSTLY_SOAKED
from processes import HANGS, process

pytestmark = pytest.mark.long

BOTS_ALONE = ("chinese_classical", "mcr", "sichuan", "uzje")  # a program plays the others
PLAIN = ("--plain", "--bots", "random")


@pytest.fixture(autouse=True)
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where games are kept."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state/tilewright/games"


def questions(table: "subprocess.Popen[str]") -> Iterator[list[str]]:
    """Each question, as soon as it is asked: its lines, down to the one that wants an answer."""
    assert table.stdout is not None
    lines: list[str] = []
    for line in table.stdout:
        lines.append(line.rstrip("\n"))
        if lines[-1] == "Your answer:":
            yield lines
            lines = []


def answer_to(lines: list[str]) -> str:
    """The first thing that may be done; of several tiles the first ones; pass where that may be done."""
    text = "\n".join(lines)
    if number := re.search(r"^  (\d+) Pass$", text, re.MULTILINE):
        return number[1]
    if pick := re.search(r"^  (\d+) .*?(\d+)( to \d+)? tiles? of (.*)$", text, re.MULTILINE):
        return " ".join([pick[1], *pick[4].split()[: int(pick[2])]])
    return "1"


# --- whole hands


@pytest.mark.parametrize("ruleset", BOTS_ALONE)
def test_bots_play_a_hand(ruleset: str) -> None:
    done = run("play", ruleset, *PLAIN, "--watch", "--seed", "3", "--hands", "1")
    assert done.returncode == 0, done.stderr
    assert f"End of the {'game' if ruleset == 'uzje' else 'hand'}" in done.stdout
    assert done.stdout.count("\n  1  ") >= 1  # somebody is first
    assert "\x1b" not in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", MOSTLY_SOAKED)
def test_a_program_plays_a_hand_of_each_ruleset(ruleset: str) -> None:
    """It reads the lines and writes numbers."""
    arguments = [*COMMAND, "play", ruleset, *PLAIN, "--seed", "3", "--hands", "1"]
    pipe, asked = subprocess.PIPE, 0
    with process(arguments, stdin=pipe, stdout=pipe, stderr=pipe) as table:
        assert table.stdin is not None and table.stderr is not None
        for lines in questions(table):
            asked += 1
            table.stdin.write(f"{answer_to(lines)}\n")
            table.stdin.flush()
        assert table.wait(HANGS) == 0, table.stderr.read()
    assert asked > 4


def test_the_score_of_a_win_is_itemised() -> None:
    """Quick players win sooner or later, and the bill says for what."""
    done = run("play", "cantonese", "--plain", "--watch", "--bots", "fast", "--seed", "3", "--hands", "6")
    assert re.search(r"^[ESWN] fast \d wins with \S+ (by self-draw|from [ESWN] fast \d)$", done.stdout, re.MULTILINE)
    assert re.search(r"^  Total +[\d.]+  points?$", done.stdout, re.MULTILINE)


def test_a_win_and_what_is_paid_for_have_names() -> None:
    done = run("play", "riichi", "--plain", "--watch", "--bots", "fast", "--seed", "2", "--hands", "1")
    assert re.search(r"^[ESWN] fast \d pays 1000 to \w+ \(Riichi stick\)$", done.stdout, re.MULTILINE)
    assert re.search(r"wins \S+ from [ESWN] fast \d: \d+ points$", done.stdout, re.MULTILINE)


def test_everything_may_be_asked() -> None:
    said = "help\nstate\nhint\nwaits\nnearest\nwhy\nlog\nbuttons\nbuttons 2\nnonsense\n99\n\nquit\n"
    out = run("play", "american", *PLAIN, "--seed", "3", stdin=said).stdout
    for text in ("a number ", "E you  0", "Hint: ", "missing", "No expected move", "hand 1", "2 Mah jongg: on"):
        assert text in out, text
    assert "'nonsense'" in out and "there is no answer 99" in out
    assert "continue with: tilewright play --resume" in out


def test_names_in_another_language() -> None:
    out = run("play", "cantonese", *PLAIN, "--seed", "3", "--language", "zh", stdin="1\n").stdout
    assert "廣東麻將" in out and "打: 1 " in out and "你的牌：" in out


def test_pictures_in_place_of_letters() -> None:
    out = run("play", "cantonese", *PLAIN, "--seed", "3", "--tiles", "unicode").stdout
    assert len(re.findall("[\U0001f000-\U0001f02b]", re.search(r"Your tiles: (.*)", out)[1])) == 15  # type: ignore[index]


def test_who_plays_where() -> None:
    out = run(
        "play", "cantonese", "--seed", "3", "--plain", "--players", "random,fast,you,random", stdin="state\nquit\n"
    ).stdout
    for line in ("E random 1  ", "S fast  ", "W you  ", "N random 2  "):
        assert line in out
    out = run("play", "uzje", "--set", "players=3", "--plain", "--seat", "w", "--players", "fast,random").stdout
    for line in ("E fast  ", "S random  ", "W you  "):
        assert line in out


def test_buttons_answer_for_the_player() -> None:
    """Two of them are pressed once, and nothing is asked any more until the match is over."""
    said = "buttons 3\nbuttons 4\npass\n1\n"
    out = run("play", "cantonese", *PLAIN, "--seed", "5", "--hands", "2", stdin=said).stdout
    assert "Skip calls: on" in out and "Discard the drawn tile: on" in out
    assert out.count("End of the hand") == 2
    assert out.count("Your turn?") == 1


@pytest.mark.slow
def test_stopped_by_the_keyboard() -> None:
    pipe = subprocess.PIPE
    with process([*COMMAND, "play", "cantonese", *PLAIN, "--seed", "3"], stdin=pipe, stdout=pipe) as table:
        assert table.stdout is not None
        next(questions(table))
        table.send_signal(signal.SIGINT)
        assert "continue with: tilewright play --resume" in table.stdout.read()
        assert table.wait(HANGS) == 130


# --- logs


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The log of a hand between bots."""
    path = tmp_path_factory.mktemp("played") / "whole.jsonl"
    done = run("play", "american", *PLAIN, "--watch", "--hands", "1", "--seed", "3", "--log", str(path))
    assert done.returncode == 0, done.stderr
    return path.read_text(encoding="utf-8").splitlines()


def test_a_log_cut_anywhere_goes_on_to_the_same_end(whole: list[str], tmp_path: Path) -> None:
    lines, cut = whole, tmp_path / "cut.jsonl"
    for number in (1, 2, len(lines) // 3, len(lines) // 2):
        cut.write_text("\n".join([*lines[:number], lines[number][:50]]), encoding="utf-8")
        done = run("play", "--resume", str(cut), "--plain")
        assert done.returncode == 0, done.stderr
        assert cut.read_text(encoding="utf-8").splitlines() == lines
    cut.write_text("\n".join(lines[:-1]), encoding="utf-8")  # nothing is left to be answered
    fails(run("play", "--resume", str(cut), "--plain"), 2, "is over")
    assert cut.read_text(encoding="utf-8").splitlines() == lines


def test_the_log_is_written_as_it_happens(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    run("play", "cantonese", *PLAIN, "--seed", "3", "--log", str(log), stdin="1\n")
    lines = log.read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0])["players"] == ["you", "random", "random", "random"]
    assert json.loads(lines[0])["seed"] == 3
    discards = [line for line in lines if '"offer":"discard"' in line]
    run("play", "--resume", str(log), "--plain", stdin="1\n")
    assert log.read_text(encoding="utf-8").splitlines()[: len(lines)] == lines
    assert len([line for line in log.read_text(encoding="utf-8").splitlines() if '"offer":"discard"' in line]) > len(
        discards
    )


def test_the_last_game_goes_on(games: Path) -> None:
    run("play", "cantonese", *PLAIN, "--seed", "3")
    run("play", "chinese_classical", *PLAIN, "--seed", "4")
    assert len(list(games.iterdir())) == 2
    assert "Chinese Classical" in run("play", "--resume", "--plain").stdout
    assert "Cantonese" in run("play", "cantonese", "--resume", "--plain").stdout
    fails(run("play", "uzje", "--resume", "--plain"), 2, "no game of uzje")


def test_a_ruleset_of_ones_own_goes_on(tmp_path: Path) -> None:
    """The log names it by its id; beside the log stands where it is."""
    own = tmp_path / "kitchen.yaml"
    own.write_text(
        "tilewright: 1\nkind: ruleset\nid: kitchen\nname: {en: Kitchen}\nextends: cantonese\nmatch: {score: 7}\n",
        encoding="utf-8",
    )
    run("play", str(own), *PLAIN, "--set", "flowers=false")
    done = run("play", "--resume", "--plain", cwd=tmp_path.parent)
    assert "Kitchen" in done.stdout and "  7  " in done.stdout and "bonus" not in done.stdout
    own.write_text(own.read_text(encoding="utf-8").replace("score: 7", "score: 8"), encoding="utf-8")
    fails(run("play", "--resume", "--plain"), 1, "other-ruleset")


# --- what is refused


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("cantoneese", "--plain"), "did you mean 'cantonese'?"),
        (("cantonese",), "--plain"),
        (("--plain",), "one ruleset"),
        (("cantonese", "uzje", "--plain"), "one ruleset"),
        (("cantonese", "--plain", "--seat", "Q"), "seats are E, S, W, N"),
        (("cantonese", "--plain", "--seat", "5"), "1 to 4"),
        (("cantonese", "--plain", "--bots", "genius"), "genius"),
        (("cantonese", "--plain", "--players", "fast,fast"), "name 3 players, not 2"),
        (("cantonese", "--plain", "--players", "you,you,fast,fast"), "'you' once"),
        (("cantonese", "--plain", "--players", "you,fast,fast,fast", "--seat", "S"), "do not agree"),
        (("cantonese", "--plain", "--watch", "--seat", "E"), "a spectator has no seat"),
        (("cantonese", "--plain", "--bots", "fast", "--players", "fast"), "exclude each other"),
        (("cantonese", "--plain", "--language", "tlh"), "there is de, en, ja, zh"),
        (("cantonese", "--plain", "--hands", "0"), "--hands"),
        (("cantonese", "--plain", "--pace", "-1"), "--pace"),
        (("cantonese", "--plain", "--log", "/no/such/folder/x.jsonl"), "no such file"),
        (("cantonese", "--plain", "--case", "nothing"), "pung_before_chow"),
        (("uzje", "--plain", "--case", "challenged_quad"), "--set closed_quads=hidden"),
        (("cantonese", "--plain", "--layout", "/no/such/file.yaml"), "cannot be read"),
        (("--resume", "--plain", "--case", "a"), "--case cannot change"),
        (("--resume", "--plain"), "no game to continue"),
        (("--resume", "--plain", "/no/such/log.jsonl"), "no log"),
        (("--resume", "--plain", "--seed", "3"), "--seed cannot change"),
        (("--resume", "--plain", "--set", "flowers=false"), "leave them out"),
    ],
)
def test_what_cannot_be_begun(arguments: tuple[str, ...], said: str) -> None:
    fails(run("play", *arguments), 2, said)


def test_a_wrong_number_of_seats() -> None:
    fails(run("play", "uzje", "--set", "players=9", "--plain"), 1, "at most 6")


POSITION = """
seat_wind: S
hand: 123m 456p 789s 1134s
scores: {S: 19000}
dealer: N
pot: 1000
start: {new_turn: S}
wall: 5s
"""


def test_a_game_begins_at_a_position(tmp_path: Path) -> None:
    file, log = tmp_path / "position.yaml", tmp_path / "game.jsonl"
    file.write_text(POSITION, encoding="utf-8")
    done = run("play", "riichi", "--layout", str(file), *PLAIN, "--hands", "1", "--log", str(log), stdin="1\n")
    assert "pot 1000" in done.stdout
    assert re.search(r"▶? ?S you +19000", done.stdout)
    assert "drawn 5s" in done.stdout
    assert "End of the hand" in done.stdout
    assert "0 problems" not in done.stdout
    assert run("replay", str(log), "--verify").returncode == 0


def test_a_game_begins_at_a_case(tmp_path: Path) -> None:
    done = run("play", "cantonese", "--case", "pung_before_chow", *PLAIN, "--seed", "1")
    assert "Your tiles: 5m 1p 5p 7p 9p 1s 2s 3s 7s 8s 9s W W W" in done.stdout
    file = tmp_path / "riichi.jsonl"
    cases = [{"id": name, "hand": hand, "play": []} for name, hand in (("a", "123m456p789s1134s"), ("b", "1m"))]
    file.write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
    done = run("play", "riichi", "--layout", str(file), "--case", "a", *PLAIN, "--seed", "1")
    assert "Your tiles: 1m 2m 3m 8m 4p 5p 6p 1s 1s 3s 4s 7s 8s 9s, drawn 8m" in done.stdout
    fails(run("play", "riichi", "--layout", str(file), "--case", "b", *PLAIN), 1, f"{file}:2:1", "13 or 14 are needed")
    fails(run("play", "riichi", "--layout", str(file), *PLAIN), 2, "there is a, b")
    fails(run("play", "riichi", "--layout", str(file), "--case", "c", *PLAIN), 2, "has no case 'c'")


def test_a_position_that_is_none_is_told_with_its_file(tmp_path: Path) -> None:
    file = tmp_path / "position.yaml"
    for text, said in (
        ("hnad: 1m", "did you mean 'hand'?"),
        ("- 1", "position.yaml:1"),
        ("seed: x", "seed is a whole number"),
    ):
        file.write_text(f"{text}\n", encoding="utf-8")
        fails(run("play", "riichi", "--layout", str(file), *PLAIN), 1, said)


def test_a_ruleset_that_only_scores(tmp_path: Path) -> None:
    bare = tmp_path / "bare.yaml"
    bare.write_text(
        "tilewright: 1\nkind: ruleset\nid: bare\nname: Bare\n"
        "tiles: {copies: 4, suits: {bamboos: {code: s, ranks: 1..9}}}\n"
        "groups: {pair: {alike: 2}}\nforms: {regular: {groups: [7 pairs]}}\n"
        "seats: {count: 2}\nscoring: {measures: {points: {}}, best: points}\n",
        encoding="utf-8",
    )
    fails(run("play", str(bare), "--plain"), 2, "not how they are played")


@pytest.mark.parametrize(
    ("line", "wrong", "said"),
    [
        (0, "{}", "not-a-log"),
        (0, "", "not-json"),
        (5, "nonsense", "not-json"),
        (9, '{"n":9,"event":"draw"}', "damaged-log"),
    ],
)
def test_a_damaged_log(whole: list[str], tmp_path: Path, line: int, wrong: str, said: str) -> None:
    log = tmp_path / "game.jsonl"
    text = "".join(f"{found}\n" for found in [*whole[:line], wrong, *whole[line + 1 : -1]])
    log.write_text(text, encoding="utf-8")
    fails(run("play", "--resume", str(log), "--plain"), 1, said, f"game.jsonl:{line + 1}:1")
    assert log.read_text(encoding="utf-8") == text  # nothing of it is lost


def test_no_log_at_all(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    log.write_bytes(b"\xff\xfe\x00")
    fails(run("play", "--resume", str(log), "--plain"), 2, "no UTF-8")
    log.write_bytes(b"")
    fails(run("play", "--resume", str(log), "--plain"), 1, "empty-log")
    fails(run("play", "--resume", str(tmp_path), "--plain"), 2, "no log")


def test_a_log_is_not_written_over(whole: list[str], tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    log.write_text("".join(f"{line}\n" for line in whole), encoding="utf-8")
    fails(run("play", "cantonese", *PLAIN, "--log", str(log)), 2, "exists already", "--resume")
    fails(run("play", "--resume", str(log), "--plain"), 2, "is over")
    assert log.read_text(encoding="utf-8").splitlines() == whole
