"""Duels: every player sits once in each seat of each deal, and who is better is told only where it is known."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest
from commands import fails, run

from tilewright.cli import playing
from tilewright.cli.commands.table import simulate as simulate_command
from tilewright.cli.playing import row_of, verdict
from tilewright.play.model import Move
from tilewright.play.rules import Rules, load
from tilewright.play.view import View
from tilewright.players.player import Player, bot
from tilewright.players.simulation import game
from tilewright.players.simulation.estimates import DuelSample, patterns, quantile, seating, side_of
from tilewright.players.simulation.run import SimulationPlan, simulate

pytestmark = pytest.mark.long

ANY_SEATS = Path(__file__).parents[1] / "data" / "seats.yaml"
RULES = "cantonese"
NAMES = "ABCDFG"


def with_seats(folder: Path, seats: int) -> Path:
    """A ruleset for so many seats."""
    file = folder / "some_seats.yaml"
    names = ", ".join(NAMES[:seats])
    text = ANY_SEATS.read_text(encoding="utf-8").replace("id: seats", "id: some_seats")
    file.write_text(f"{text}seats: {{count: {seats}, names: [{names}], winds: []}}\n", encoding="utf-8")
    return file


def duel(*arguments: str) -> dict[str, Any]:
    """The summary of a duel."""
    done = run("simulate", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


# --- who sits where


@pytest.mark.parametrize("seats", range(2, 7))
def test_each_player_sits_once_in_each_seat_of_each_deal(seats: int) -> None:
    for deal in range(40):
        one, other = (seating(("a", "b"), seats, 2 * deal + half) for half in (0, 1))
        assert all({mine, yours} == {"a", "b"} for mine, yours in zip(one, other, strict=True))
        assert abs(one.count("a") - one.count("b")) == seats % 2


@pytest.mark.parametrize("seats", range(2, 7))
def test_players_of_one_name_sit_together_anywhere(seats: int) -> None:
    """Over all patterns, any two seats are of the same player equally often."""
    together = Counter(
        (one, other)
        for pattern in patterns(seats)
        for one in range(seats)
        for other in range(one)
        if (one in pattern) == (other in pattern)
    )
    assert len(set(together.values())) <= 1
    assert {tuple(seating(("a", "b"), seats, 2 * deal)) for deal in range(len(patterns(seats)))} == {
        tuple("a" if seat in pattern else "b" for seat in range(seats)) for pattern in patterns(seats)
    }


@pytest.mark.parametrize("seats", [2, 3, 5, 6])
def test_any_number_of_seats(seats: int, tmp_path: Path) -> None:
    file = with_seats(tmp_path, seats)
    plan = SimulationPlan(4, 1, players=("fast", "random"), duel=True, apart=True)
    games = [batch.apart for batch in simulate(load(file), plan) if batch.apart is not None]
    hands = [[one.total(f"name.{name}.hands") for name in plan.players] for one in games]
    assert [sum(both) for both in hands] == [seats] * 4
    for first, second in zip(hands[::2], hands[1::2], strict=True):
        assert first == second[::-1]


def test_both_games_of_a_deal_have_its_tiles(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    assert duel(RULES, "--duel", "fast,random", "--games", "2", "--jobs", "1", "--logs", str(logs))["games"] == 4
    files = [file.read_text(encoding="utf-8").splitlines() for file in sorted(logs.iterdir())]
    heads = [json.loads(lines[0]) for lines in files]
    deals = [
        [event["tiles"] for event in map(json.loads, lines[1:]) if event["event"] == "move"][:4] for lines in files
    ]
    assert [head["seed"] for head in heads[::2]] == [head["seed"] for head in heads[1::2]]
    assert heads[0]["seed"] != heads[2]["seed"] and deals[0] == deals[1] != deals[2] == deals[3]
    assert all(set(one["players"]) == {"fast", "random"} for one in heads)


# --- what it comes to


def sides(*deals: tuple[float, float]) -> DuelSample:
    """Deals in which a player gained so much more than the other in each of its games, on one seat each."""
    sample = DuelSample(("a", "b"))
    for games in deals:
        for gain in games:
            hands = {"name.a.hands": 1.0, "name.b.hands": 1.0}
            sample.add({**hands, "name.a.gains": gain / 2, "name.b.gains": -gain / 2})
    return sample


def test_the_interval_is_that_of_pairs() -> None:
    """Of two seats: the difference in a deal is half of that in its two games, and deals are independent."""
    games = [(float(7 * n % 11), float(3 * n % 5 - 9)) for n in range(24)]
    found = sides(*games).differences(match=False)[0]
    each = [mean(pair) for pair in games]
    wide = quantile(0.95, len(each) - 1) * stdev(each) / len(each) ** 0.5
    assert found.value == pytest.approx(mean(each))
    assert found.low == pytest.approx(found.value - wide) and found.high == pytest.approx(found.value + wide)
    assert found.before == -found.after


def test_shares_differ_by_no_more_than_all_hands() -> None:
    sample = DuelSample(("a", "b"))
    for _ in range(24):
        sample.add({"name.a.hands": 1.0, "name.b.hands": 1.0, "name.a.wins": 1.0})
    wins = sample.differences(match=False)[1]
    assert (wins.value, wins.high) == (1.0, 1.0)
    assert wins.low is not None and 0 < wins.low < 1


def test_that_no_deal_differed_is_not_certain() -> None:
    sample = DuelSample(("a", "b"))
    for _ in range(48):
        sample.add({"name.a.hands": 1.0, "name.b.hands": 1.0, "name.a.gains": 1.0, "name.b.gains": 1.0})
    points = sample.differences(match=False)[0]
    assert (points.value, points.low, points.high) == (0, None, None)
    assert points.at_most == pytest.approx(1 - 0.05 ** (1 / 24))
    assert row_of(points)[-1] == "no deal differed; at most 11.7% do"
    assert verdict(points, sample.players).plain == "  Both gained the same in every deal"


def test_a_deal_that_broke_off_does_not_count() -> None:
    sample = sides((1, 2), (3, 4))
    sample.add({"name.a.hands": 1.0, "name.a.gains": 100.0})
    sample.add(None)
    assert sample.deals == 2
    sample.add({"name.a.hands": 1.0})
    assert sample.deals == 2, "half a deal is none"


def test_names_that_begin_alike_stay_apart() -> None:
    games = [{"name.command:x.hands": 1.0, "name.command:x.hands.hands": 5.0}]
    assert dict(side_of("command:x", games))["hands"] == 1
    assert dict(side_of("command:x.hands", games))["hands"] == 5


def test_the_better_player_is_found_by_any_number_of_jobs() -> None:
    one, several = (duel(RULES, "--duel", "random,fast", "--games", "12", "--jobs", jobs) for jobs in "12")
    assert one == several
    points, wins, _ = one["differences"]
    assert (one["deals"], one["games"], one["hands"], one["failed"]) == (12, 24, 24, 0)
    assert points["found"] and points["high"] < 0 and wins["high"] < 0
    assert points["values"][0] == pytest.approx(-points["values"][1])
    assert points["difference"] == pytest.approx(points["values"][0] - points["values"][1], abs=1e-5)


def test_nothing_is_found_between_equal_players(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bot under two names plays the same games: the difference is exactly nothing."""

    def same(name: str, rules: Rules, seed: int) -> Player:
        return bot("fast", rules, seed)

    monkeypatch.setattr(game, "player_of", same)
    monkeypatch.setattr(playing, "player_of", same)
    found = duel(RULES, "--duel", "one,other", "--games", "12", "--jobs", "1")
    assert {one["difference"] for one in found["differences"]} == {0.0}
    assert not any(one["found"] for one in found["differences"])


def test_a_match_is_compared_by_its_scores() -> None:
    found = duel("sanma", "--duel", "fast,random", "--games", "2", "--match", "--jobs", "1", "--first", "3")
    assert (found["match"], found["first"], found["deals"], found["games"]) == (True, 3, 2, 4)
    figures = {one["of"]: one for one in found["differences"]}
    assert list(figures) == ["points", "wins", "fed", "score", "matches_won"]
    assert sum(figures["matches_won"]["values"]) == pytest.approx(2 / 3)
    assert sum(figures["score"]["values"]) == pytest.approx(2 * 35_000)
    assert figures["score"]["low"] is None, "two deals tell nothing"


def test_the_summary_is_readable() -> None:
    said = run("simulate", RULES, "--duel", "random,fast", "--games", "12", "--jobs", "1").stdout
    assert "random against fast: 12 deals, each played twice, with seats exchanged; seed 1" in said
    assert re.search(r"Points a hand +-\d+\.\d\d +\+\d+\.\d\d +-\d+\.\d\d +-\d+\.\d\d to -\d+\.\d\d", said)
    assert said.rstrip().endswith("fast gains more than random")
    few = run("simulate", RULES, "--duel", "random,fast", "--games", "2", "--jobs", "1").stdout
    assert few.rstrip().endswith("Too few deals to tell who gains more")


# --- what goes wrong


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--duel", "fast"), "a duel is between two players, not fast"),
        (("--duel", "fast,fast"), "name two different ones"),
        (("--duel", "fast,careful,random"), "a duel is between two players, not fast, careful, random"),
        (("--duel", "fast,clever"), "there is no player called 'clever'; players are random, fast, careful, strong"),
        (("--duel", ""), "a duel is between two players"),
        (("--duel", "fast,random", "--players", "fast"), "leave out --players"),
        (("--duel", "fast,random", "--out", "hands.jsonl"), "a duel writes no rows"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    fails(run("simulate", RULES, *arguments, cwd=tmp_path), 2, said)
    assert not list(tmp_path.iterdir())


class Stumbling:
    """A player that breaks off every game."""

    def choose(self, view: View) -> Move:
        raise ZeroDivisionError("it stumbled")

    def ended(self, view: View) -> None: ...

    def close(self) -> None: ...


def test_a_game_that_breaks_off_is_told_with_the_way_to_play_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game, "player_of", lambda name, rules, seed: Stumbling())
    monkeypatch.setattr(simulate_command, "fit_duel", lambda *given: None)
    done = run("simulate", RULES, "--duel", "one,other", "--games", "2", "--first", "5", "--jobs", "1", merged=True)
    assert done.returncode == 1
    assert "4 games broke off" in done.stdout
    assert "tilewright simulate cantonese --games 1 --first 5 --seed 1 --duel one,other --logs logs" in done.stdout


def keys_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield key
            yield from keys_in(one)
    for one in value if isinstance(value, list) else ():
        yield from keys_in(one)


def test_the_page_tells_every_key(root: Path) -> None:
    found = duel(RULES, "--duel", "random,fast", "--games", "1", "--jobs", "1")
    page = (root / "docs" / "simulate.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `.*$", page.partition("## Duels")[2].partition("\n## ")[0], re.MULTILINE)
    assert set(keys_in(found)) <= set(re.findall(r"\w+", "".join(rows)))
