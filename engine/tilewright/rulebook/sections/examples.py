"""Examples of patterns as pictures: the tiles in their groups, and the kind of win."""

from collections.abc import Iterator, Mapping
from typing import Any

from tilewright.language.compiled.ruleset import Example
from tilewright.rulebook.writing.blocks import BookBlock, Codes
from tilewright.rulebook.writing.teller import Teller
from tilewright.tiles.notation import NotationError, read_tiles, write_tile


def pictured(teller: Teller, example: Example) -> BookBlock | None:
    """An example as tiles; None if its tiles cannot be read."""
    case = example.case
    try:
        given = as_list(case.get("melds"))
        melds = [meld.get("tiles", "") if isinstance(meld, Mapping) else meld for meld in given]
        return BookBlock(
            "example",
            text=teller.within("comma").join(circumstances(teller, case)),
            groups=tuple(split(teller, case.get("hand", ""))),
            win="".join(codes(teller, case.get("win", case.get("win_tile", "")) or "")[:1]),
            melds=tuple(codes(teller, meld) for meld in melds),
            bonus=codes(teller, case.get("bonus", "")),
            yes=example.yes,
        )
    except NotationError:
        return None


def split(teller: Teller, hand: object) -> Iterator[Codes]:
    """The tiles of a hand, grouped as written."""
    parts = str(hand).split() if isinstance(hand, str) else [str(one) for one in as_list(hand)]
    try:
        found = [codes(teller, part) for part in parts]
    except NotationError:
        found = [codes(teller, hand)]
    together = len(found) > 1 and all(len(codes) == 1 for codes in found)
    yield from [tuple(code for codes in found for code in codes)] if together else found


def codes(teller: Teller, tiles: object) -> Codes:
    return tuple(write_tile(tile, teller.data.tiles) for tile in read_tiles(tiles or "", teller.data.tiles))


def circumstances(teller: Teller, case: Mapping[str, object]) -> Iterator[str]:
    """The kind of win, if the example gives it."""
    if case.get("self_draw"):
        yield teller.within("by_own_draw")
    for key in ("seat_wind", "round_wind"):
        if case.get(key):
            yield teller.within(key, tile=wind_name(teller, str(case[key])))
    yield from (teller.say.mark(str(flag)) for flag in as_list(case.get("flags")))
    marks = case.get("marks")
    if isinstance(marks, Mapping):
        yield from (f"{teller.say.mark(str(name))}{teller.colon}{value}" for name, value in marks.items())
    zones = case.get("zones")
    if isinstance(zones, Mapping):
        yield from (f"{teller.say.zone(str(name))}{teller.colon}{value}" for name, value in zones.items())


def wind_name(teller: Teller, code: str) -> str:
    tile = teller.data.tiles.by_code(code)
    return code if tile is None else teller.say.tile_name(tile.index)


def as_list(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [] if value is None else [value]
