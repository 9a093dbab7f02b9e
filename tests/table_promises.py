"""What every table promises, looked at from outside while bots play: after every event the tiles are exactly those of
the tile set and every point that somebody gets is paid by somebody; and nothing that a seat may not see changes what it
sees. Read off the zones of the game; nothing here asks the table whether it keeps its promises."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from tilewright.play.legal_choices import choices_in
from tilewright.play.match import Match
from tilewright.play.model import Detail, HandResult, TableMeld, question_json
from tilewright.play.placing import count_in_hand
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.player import player_of

SHOWING = {"reveal", "declare", "problem"}  # events with which tiles are shown for good
TOLD_TO_ALL = {
    "from",
    "to",
    "count",
    "places",
    "exposed",
}  # what is told of an event to those who may not see its tiles


@dataclass(frozen=True)
class Checked:
    """A game in which nothing was broken. `events`, `views`: how many were looked at."""

    results: tuple[HandResult, ...]
    events: int
    views: int


def play_checked(
    rules: Rules, seed: int, names: Sequence[str], *, hands: int | None = 1, views: int = 1, every: int = 1
) -> Checked:
    """Play a game and check it after every event; at every so many answers also what `views` viewers see."""
    game = WatchedGame(rules.program, seed, hands)
    players = [player_of(name, rules, seed) for name in names]
    random, answers, looks = Random(seed), 0, 0
    while not game.over:
        if answers % every == 0:
            viewers: list[int | None] = [None, *game.program.everyone]
            for viewer in random.sample(viewers, min(views, len(viewers))):
                check_view(game, viewer, random)
                looks += 1
        seat = game.asked[0]
        game.answer(players[game.player(seat)].choose(View(game, seat)))
        answers += 1
    for player in players:
        player.close()
    check_events(game)
    return Checked(tuple(game.results), len(game.events), looks)


# --- tiles and payments


class WatchedGame(Match):
    """A game that is checked after each of its events."""

    balance: Any = None
    shown_before: Any = None

    def announce(
        self,
        kind: str,
        seat: int | None = None,
        tiles: Sequence[int] = (),
        detail: Detail = (),
        seen_by: frozenset[int] | None = None,
        just_drawn: bool = False,
    ) -> None:
        super().announce(kind, seat, tiles, detail, seen_by, just_drawn)
        self.check_tiles(kind)
        self.check_scores(kind, dict(detail))
        self.check_shown(kind)

    def check_tiles(self, kind: str) -> None:
        """Every tile lies in one place, and every hand is counted as it lies."""
        lying = [tile for rows in self.zones.values() for row in rows for tile in flat(row)]
        if not lying:
            assert kind in ("hand", "roll", "mark"), f"there are no tiles at {kind}"
            return
        box = {tile.index: tile.copies for tile in self.program.rules.data.tiles.tiles if tile.copies}
        assert Counter(self.program.face[tile] for tile in lying) == box, f"tiles are lost or doubled at {kind}"
        assert len(set(lying)) == len(lying), f"a tile lies in two places at {kind}"
        for zone, rows in self.zones.items():
            for seat, row in enumerate(rows):
                assert all(self.where[tile] == (zone, seat) for tile in flat(row)), (
                    f"a tile is not where it lies: {kind}"
                )
        for seat, hand in enumerate(self.zones.get("hand", ())):
            held = Counter(self.program.plain[tile] for tile in hand)
            counted = {plain: number for plain, number in enumerate(self.counts[seat]) if number}
            assert counted == held, f"a hand is counted wrongly at {kind}"

    def check_scores(self, kind: str, detail: dict[str, Any]) -> None:
        """Points change by payments only, and what one gets another one pays; the end of a match may add some."""
        before, self.balance = self.balance, list(self.balances)
        if before is None or kind == "over":
            return
        gains = [after - old for after, old in zip(self.balance, before, strict=True)]
        assert sum(gains) == 0, f"payments do not balance at {kind}"
        names = self.program.names
        paid = [0] * len(names)
        if kind == "pay":
            paid[self.purse(names.index(detail["from"]))] -= detail["amount"]
            paid[self.purse(names.index(detail["to"]))] += detail["amount"]
        assert gains == paid, f"points change at {kind}"

    def purse(self, seat: int) -> int:
        return seat if seat == self.program.count else self.player(seat)

    def check_shown(self, kind: str) -> None:
        """Tiles are shown for good by events that show, and by no others."""
        shown = dict(self.shown)
        if self.shown_before is not None and kind not in SHOWING:
            more = {tile for tile in shown if shown[tile] != self.shown_before.get(tile, frozenset())}
            assert not more, f"tiles are shown at {kind}"
        self.shown_before = shown


def flat(row: Iterable[Any]) -> list[int]:
    """The tiles of a row of tiles or of groups."""
    return [tile for member in row for tile in (member.tiles if isinstance(member, TableMeld) else (member,))]


# --- views


def check_view(game: Match, viewer: int | None, random: Random) -> None:
    """Other tiles where the viewer sees none: it sees the same."""
    other = permuted(game, viewer, random)
    if other is None:
        return
    one, two = View(game, viewer), View(other, viewer)
    is_same = one.to_json() == two.to_json()  # pytest takes seconds to say where two tables differ
    assert is_same, f"seat {viewer} sees hidden tiles"
    assert (one.seen, one.hand, one.drawn, one.tile) == (two.seen, two.hand, two.drawn, two.tile)
    window = game.window
    if viewer is not None and window is not None and window.ask is None and game.question(viewer) is not None:
        question = game.question(viewer)
        assert question is not None and other.window is not None
        other.window.choices = {**window.choices, viewer: choices_in(other, window.phase, viewer)}
        again = other.question(viewer)
        assert again is not None
        assert question_json(question, one.allowed) == question_json(again, two.allowed), (
            f"{viewer} may do other things"
        )


def permuted(game: Match, viewer: int | None, random: Random) -> Match | None:
    """The game with the tiles that the viewer does not see in other places; None where there are none."""
    places = [(zone, seat, row) for zone, rows in game.zones.items() for seat, row in enumerate(rows)]
    hidden = [tile for zone, seat, row in places for tile in unseen(game, zone, seat, row, viewer)]
    if len(hidden) < 2:
        return None
    mixed = random.sample(hidden, len(hidden))
    to = dict(zip(hidden, mixed, strict=True))
    other = game.copy()
    other.zones = {zone: [[moved(member, to) for member in row] for row in rows] for zone, rows in game.zones.items()}
    other.built = {zone: tuple(to.get(tile, tile) for tile in tiles) for zone, tiles in game.built.items()}
    other.where = {to.get(tile, tile): spot for tile, spot in game.where.items()}
    other.shown = {to.get(tile, tile): seats for tile, seats in game.shown.items()}
    other.drawn = [to.get(tile, tile) for tile in game.drawn]
    other.tile = to.get(game.tile, game.tile)
    other.group = moved(game.group, to)
    other.clear_hands()
    for seat, hand in enumerate(other.zones.get("hand", ())):
        for tile in hand:
            count_in_hand(other, tile, seat, 1)
    return other


def unseen(game: Match, zone: str, seat: int, row: Sequence[Any], viewer: int | None) -> list[int]:
    """The tiles of a place that the viewer does not see: by who sees the zone or the group, and by what was shown."""
    sees = {"everyone": True, "nobody": False, "owner": viewer == seat, "others": viewer is not None and viewer != seat}
    found = []
    for member in row:
        seen = sees[game.program.data.zones[zone].seen_by]
        if isinstance(member, TableMeld) and member.seen_by is not None:
            seen = member.seen_by.issuperset(game.program.everyone) if viewer is None else viewer in member.seen_by
        if not seen:
            found += [tile for tile in flat([member]) if not was_shown(game, tile, viewer)]
    return found


def was_shown(game: Match, tile: int, viewer: int | None) -> bool:
    seats = game.shown.get(tile, frozenset())
    return seats is None or viewer in seats


def moved(member: Any, to: dict[int, int]) -> Any:
    """A tile or a group with other tiles."""
    if not isinstance(member, TableMeld):
        return to.get(member, member)
    tiles = tuple(to.get(tile, tile) for tile in member.tiles)
    wild = tuple((to.get(tile, tile), stands) for tile, stands in member.wild)
    claimed = None if member.claimed is None else to.get(member.claimed, member.claimed)
    return replace(member, tiles=tiles, wild=wild, claimed=claimed)


def check_events(game: Match) -> None:
    """Nothing is told of tiles to those who may not see them."""
    for viewer in (None, *game.program.everyone):
        view = View(game, viewer)
        for event in game.events:
            seen = view.event(event)
            if seen is None or event.seen_by is None or viewer in event.seen_by:
                continue
            assert not seen.tiles and {name for name, _ in seen.detail} <= TOLD_TO_ALL, f"{event.kind} tells too much"
