"""Hidden tiles, for the tests of views: which tiles a viewer may not see, as the language says it, and other faces for
them."""

from collections.abc import Iterator, Mapping
from random import Random

from tilewright.play.match import Match
from tilewright.play.model import Event, TableMeld

Viewer = int | None  # a seat; None: a spectator


def sees_zone(game: Match, viewer: Viewer, zone: str, owner: int) -> bool:
    match game.program.data.zones[zone].seen_by:
        case "everyone":
            return True
        case "owner":
            return viewer == owner
        case "others":
            return viewer is not None and viewer != owner
    return False


def sees_group(game: Match, viewer: Viewer, group: TableMeld) -> bool:
    if group.seen_by is None:
        return sees_zone(game, viewer, "melds", group.owner)
    return group.seen_by >= set(game.program.everyone) or viewer in group.seen_by


def was_shown(game: Match, viewer: Viewer, tile: int) -> bool:
    shown = game.shown.get(tile, frozenset())
    return shown is None or viewer in shown


def hidden_tiles(game: Match, viewer: Viewer) -> Iterator[int]:
    """Every tile that this viewer may not see now."""
    for zone, rows in game.zones.items():
        for at, row in enumerate(rows):
            for member in row:
                group = isinstance(member, TableMeld)
                seen = sees_group(game, viewer, member) if group else sees_zone(game, viewer, zone, at)
                for tile in member.tiles if group else (member,):
                    if not seen and not was_shown(game, viewer, tile):
                        yield tile


def permuted(tiles: list[int], lots: Random) -> dict[int, int]:
    """Other faces for these tiles: tile -> the tile whose face it gets."""
    others = list(tiles)
    lots.shuffle(others)
    return dict(zip(tiles, others, strict=True))


class Seen:
    """Watches a game from its first shuffle on: which tiles a viewer has ever seen, and how they lay at first."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.tiles: set[int] = set()
        self.first: list[int] = []

    def look(self, game: Match, event: Event) -> None:
        if event.kind == "shuffle" and not self.first:
            self.first = list(game.zones[str(event.get("zone"))][0])
        elif self.first:
            self.tiles |= set(self.first) - set(hidden_tiles(game, self.viewer))

    def other_faces(self, lots: Random) -> dict[int, int]:
        """Other faces for tiles that the viewer never saw: for two of them, or one in three."""
        never = [tile for tile in self.first if tile not in self.tiles]
        return permuted(lots.sample(never, min(len(never), lots.choice((2, len(never) // 3)))), lots)

    def wall(self, game: Match, faces: Mapping[int, int]) -> list[str]:
        """The wall of another game in which tiles have other faces."""
        return [game.program.code[faces.get(tile, tile)] for tile in self.first]
