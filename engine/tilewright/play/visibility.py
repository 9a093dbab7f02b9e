"""Visibility: which seats see a tile, by its zone, its group, its own declaration, and what was shown; and what
happened to tiles and hands, as events for those who saw it.
"""

from collections.abc import Iterable, Sequence

from tilewright.play.model import Detail, Seers, TableMeld, Won, ZonePlace
from tilewright.play.state import TableState


def open_tiles(game: TableState) -> list[int]:
    """The tiles that everyone can see."""
    found: list[int] = []
    for zone in game.program.rules.data.zones.values():
        if zone.id == "melds":
            for group in (group for row in game.zones[zone.id] for group in row):
                is_open = seers_of_group(game, (zone.id, group.owner), group) is None
                found.extend(t for t in group.tiles if is_open or game.shown.get(t, 0) is None)
        elif zone.seen_by == "everyone":
            found.extend(tile for row in game.zones[zone.id] for tile in row)
    here = set(found)
    found.extend(t for t, seats in game.shown.items() if seats is None and t not in here)
    return open_besides(game, found) if game.program.has_seen_tiles else found


def seen_tiles(game: TableState, question: tuple[int, ...]) -> list[int]:
    """The tiles that everyone could see when the tile in question was won on: without it and what the win has
    revealed."""
    won_on = question[0] if question else None
    return [
        tile
        for tile in open_tiles(game)
        if tile not in question and (tile not in game.opened or game.opened[tile] != won_on)
    ]


def open_hand(game: TableState, tiles: Sequence[int]) -> None:
    """A win on the tile in question shows these tiles to everyone."""
    before = set(open_tiles(game))
    game.opened.update({tile: game.tile for tile in tiles if tile not in before})
    show(game, tiles, None)


def open_besides(game: TableState, found: Sequence[int]) -> list[int]:
    """These tiles, without those that are always hidden, and with those that are seen."""
    own = [tile for tile in game.program.box if game.program.seen_by[tile]]
    there = [tile for tile in own if game.shown.get(tile, 0) is None or is_seen_by_all(game, tile)]
    return [*(tile for tile in found if not game.program.seen_by[tile]), *there]


def is_seen_by_all(game: TableState, tile: int) -> bool:
    return seers_of(game, tile, game.where[tile], game.group_of(tile)) is None


def show(game: TableState, tiles: Iterable[int], seats: frozenset[int] | None) -> None:
    """These seats (None: everyone) have seen the tiles."""
    for tile in tiles:
        before = game.shown.get(tile, frozenset())
        game.shown[tile] = None if before is None or seats is None else all_or(game, before | seats)


def spot_of(game: TableState, tile: int) -> tuple[ZonePlace, Seers]:
    """Where a tile is, and who sees it there."""
    spot = game.where[tile]
    return spot, seers_of(game, tile, spot, game.group_of(tile))


def place_name(game: TableState, spot: ZonePlace) -> str:
    """The name of a place: its zone, and whose it is if it is of a seat."""
    zone, seat = spot
    return f"{zone}@{game.program.names[seat]}" if game.program.rules.data.zones[zone].of == "seat" else zone


def seers(game: TableState, spot: ZonePlace) -> Seers:
    """Who sees the tiles of a place; None: everyone."""
    return who_sees(game, game.program.rules.data.zones[spot[0]].seen_by, spot[1])


def who_sees(game: TableState, seen_by: str, seat: int) -> Seers:
    """The seats that are meant, relative to an owner; None: everyone."""
    if seen_by == "everyone":
        return None
    if seen_by == "nobody":
        return frozenset()
    owner = frozenset({seat})
    return owner if seen_by == "owner" else frozenset(game.program.everyone) - owner


def seers_of(game: TableState, tile: int, spot: ZonePlace, group: TableMeld | None = None) -> Seers:
    """Who sees a tile in a place, in a group there or not; None: everyone. A tile's own declaration does not apply
    where nobody sees the tiles, as in a wall."""
    own, zone = game.program.seen_by[tile], game.program.rules.data.zones[spot[0]]
    if own and (zone.of == "seat" or (zone.seen_by != "nobody" and own in ("everyone", "nobody"))):
        return who_sees(game, own, spot[1])
    return seers(game, spot) if group is None else seers_of_group(game, spot, group)


def seers_of_group(game: TableState, spot: ZonePlace, group: TableMeld) -> Seers:
    """Who sees the tiles of a group on the table; None: everyone."""
    return seers(game, spot) if group.seen_by is None else all_or(game, group.seen_by)


def all_or(game: TableState, seats: frozenset[int]) -> Seers:
    """These seats; None if they are all seats."""
    return None if len(seats) == game.program.count else seats


def either(one: Seers, other: Seers) -> Seers:
    """The seats of either; None is everyone."""
    return None if one is None or other is None else one | other


def both(one: Seers, other: Seers) -> Seers:
    """The seats of both; None is everyone."""
    return other if one is None else one if other is None else one & other


def announce_tiles(
    game: TableState,
    kind: str,
    seat: int,
    tiles: Sequence[int],
    lay: Sequence[tuple[ZonePlace, Seers]],
    just_drawn: bool,
) -> None:
    """Tiles have moved from where they `lay`: announced to those who saw them or see them now."""
    groups: dict[tuple[ZonePlace, Seers], list[int]] = {}
    for tile, (origin, saw) in zip(tiles, lay, strict=True):
        groups.setdefault((origin, either(saw, spot_of(game, tile)[1])), []).append(tile)
    for (origin, who), some in groups.items():
        places = (("from", place_name(game, origin)), ("to", place_name(game, game.where[some[0]])))
        game.announce(kind, seat, some, (*places, ("count", len(some))), who, just_drawn)


def announce_swap(
    game: TableState, kind: str, seat: int, tiles: tuple[int, int], lay: Sequence[tuple[ZonePlace, Seers]]
) -> None:
    """Two tiles have exchanged the places where they `lay`."""
    one, other = (either(saw, spot_of(game, tile)[1]) for tile, (_, saw) in zip(tiles, lay, strict=True))
    game.announce(kind, seat, tiles, (("places", [place_name(game, spot) for spot, _ in lay]),), both(one, other))


def announce_meld(game: TableState, kind: str, group: TableMeld) -> None:
    if game.listening:
        seen = seers_of(game, group.tiles[0], ("melds", group.owner), group)
        for tile in group.tiles if game.program.has_seen_tiles else ():
            seen = both(seen, seers_of(game, tile, ("melds", group.owner), group))
        tiles = group.tiles
        code = game.program.code
        detail: Detail = (("exposed", group.exposed),)
        if group.wild:
            detail = (*detail, ("stands_for", [code[stands] for _, stands in group.wild]))
        if game.program.hands > 1:
            detail = (*detail, ("hand", group.hand))
        game.announce(kind, group.owner, tiles, detail, seen)


def announce_won(game: TableState, kind: str, won: Won) -> None:
    if game.listening:
        score = won.score.as_json() | {"total": won.score.total}
        names = game.program.names
        self_draw = won.situation.self_draw
        fed = None if won.situation.discarder is None else names[won.situation.discarder]
        kept = ("total", "unit", "values", "patterns", "reading", "form", "line", "group")
        detail = tuple((name, score[name]) for name in kept if name in score)
        tiles = () if won.tile is None else (won.tile,)
        hand: Detail = (("hand", won.hand),) if game.program.hands > 1 else ()
        game.announce(kind, won.seat, tiles, (("self_draw", self_draw), ("discarder", fed), *hand, *detail))
