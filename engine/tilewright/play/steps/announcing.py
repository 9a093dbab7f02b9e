"""Announcing: what happened to tiles and hands, as events for those who saw it."""

from collections.abc import Sequence

from tilewright.play.model.events import Detail, Seers
from tilewright.play.model.melds import TableMeld, ZonePlace
from tilewright.play.model.results import Won
from tilewright.play.scene.visibility import both, either, place_name, seers_of, spot_of
from tilewright.play.state.state import TableState


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
