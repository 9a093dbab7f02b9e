"""The promises of the table over seeded games of every bundled ruleset (`thousand_games.py` plays a thousand of each);
and that breaking one of them would be found."""

from collections.abc import Callable
from typing import Any

import pytest
from budget import budget
from games import MOSTLY_SOAKED, VARIED
from table_promises import play_checked

from tilewright.authoring.open_rules import bundled
from tilewright.play import view, visibility
from tilewright.play.match import Match
from tilewright.play.rules import Rules, load
from tilewright.play.view import View

pytestmark = pytest.mark.slow

# Careful players think longest; `test_play_properties` has random ones at every table, too.
TABLES = [
    pytest.param(name, table, marks=() if now else pytest.mark.soak)
    for name in bundled("ruleset")
    for table, now in (
        ("fast", False),
        ("random", name in VARIED),
        ("careful,fast,random", name in VARIED),
        ("fast,random", name not in VARIED),
    )
]
SEEDS = range(11, 11 + budget(1))


def seated(rules: Rules, names: str) -> list[str]:
    """One name for each seat, over and over."""
    seats = rules.data.seats.count
    return (names.split(",") * seats)[:seats]


@pytest.mark.parametrize(("name", "table"), TABLES)
def test_tiles_payments_and_views(name: str, table: str) -> None:
    rules = load(name)
    for seed in SEEDS:
        checked = play_checked(rules, seed, seated(rules, table), views=2, every=9)
        assert len(checked.results) == 1 and not checked.results[0].problems
        assert checked.events > 30 and checked.views > 3


@pytest.mark.parametrize(
    ("name", "options", "mods"),
    [
        ("uzje", {"closed_quads": "hidden", "players": 3}, ()),
        ("uzje", {"wind_set": "compressed", "players": 6}, ()),
        ("cantonese", {}, ("several_winners", "no_flowers")),
        ("american", {}, ("hot_wall", "zombie_blanks")),
        ("american", {"joker_count": 10}, ("tile_counts", "open_hands", "no_charleston")),
    ],
)
def test_options_and_mods_keep_the_promises(name: str, options: dict[str, Any], mods: tuple[str, ...]) -> None:
    rules = load(name, options, mods)
    for seed in range(1, 1 + budget(1)):
        checked = play_checked(rules, seed, seated(rules, "fast"), views=2, every=9)
        assert checked.results and not checked.results[0].problems


@pytest.mark.parametrize("name", MOSTLY_SOAKED)
def test_several_hands_of_a_match(name: str) -> None:
    rules = load(name)
    checked = play_checked(rules, 5, seated(rules, "fast"), hands=3, every=20)
    assert [result.hand for result in checked.results] == [1, 2, 3]


def lose_a_tile(game: Match, *_: Any) -> None:
    """After the first draws a tile is gone."""
    if game.draws == 3:
        game.zones["wall"][0].pop()


def pay_too_much(game: Match, *_: Any) -> None:
    if game.draws == 3:
        game.balances[0] += 1


def broken_after_draws(break_it: Callable[..., None]) -> Callable[..., None]:
    """The table announces tiles, but does something else first."""
    real = visibility.announce_tiles

    def announce_tiles(game: Match, *arguments: Any) -> None:
        break_it(game)
        real(game, *arguments)

    return announce_tiles


@pytest.mark.parametrize(
    ("break_it", "said"), [(lose_a_tile, "lost or doubled at draw"), (pay_too_much, "do not balance at draw")]
)
def test_what_is_lost_would_be_found(break_it: Any, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visibility, "announce_tiles", broken_after_draws(break_it))
    rules = load("cantonese")
    with pytest.raises(AssertionError, match=said):
        play_checked(rules, 1, seated(rules, "fast"))


@pytest.mark.parametrize(
    ("where", "part", "leak", "said"),
    [
        (View, "was_shown", lambda view, tile: True, "sees hidden tiles"),
        (view, "seers", lambda game, spot: None, "sees hidden tiles"),
        (View, "event", lambda view, event: event, "tells too much"),
    ],
)
def test_what_is_seen_too_much_would_be_found(
    where: Any, part: str, leak: Any, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, part, leak)
    rules = load("cantonese")
    with pytest.raises(AssertionError, match=said):
        play_checked(rules, 1, seated(rules, "fast"))
