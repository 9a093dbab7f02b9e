"""The tiles of a game: each family with its copies, wild tiles, the names of classes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from tilewright.language.documents.fields import section
from tilewright.rulebook.sentences.words import sentence
from tilewright.rulebook.writing.blocks import BookBlock
from tilewright.rulebook.writing.teller import Teller
from tilewright.tiles.tileset import Tile


def tiles(teller: Teller) -> Iterator[BookBlock]:
    tiles = teller.data.tiles
    yield BookBlock("text", teller.frame("total", count=sum(tile.copies for tile in tiles.tiles)))
    families = dict.fromkeys(tiles.tiles[face].family for face in tiles.order)
    for family in families:
        yield from family_blocks(teller, family)
    for wild in tiles.wild:
        yield BookBlock("text", wild_text(teller, wild.id))
    classes = [*class_rows(teller)]
    if classes:
        yield teller.heading("classes")
        yield from classes


def family_blocks(teller: Teller, family: str) -> Iterator[BookBlock]:
    """The tiles of a family, with the copies of each."""
    faces = [tile for tile in teller.in_order() if tile.family == family and tile.copies]
    if not faces:
        return
    told_apart = [tile for tile in faces if tile.marks]
    copies_of = Counter[int]()
    for tile in faces:
        copies_of[tile.plain if tile.marks else tile.index] += tile.copies
    counts = sorted(set(copies_of.values()))
    key = "several_copies" if len(counts) > 1 else "one_copy" if counts == [1] else "copies"
    copies = teller.within(key, count=counts[0], least=counts[0], most=counts[-1])
    title = sentence(teller.say.class_name(family), "")
    yield BookBlock("tiles", label=f"{title}{teller.colon}{copies}", groups=tuple((tile.code,) for tile in faces))
    notes = list(family_notes(teller, faces))
    if told_apart:
        codes = [teller.within("special_tile", code=t.code, name=teller.say.tile_name(t.index)) for t in told_apart]
        notes.append(teller.frame("special", tiles=teller.say.listed(codes, "and")))
    if notes:
        yield BookBlock("text", " ".join(notes))


def family_notes(teller: Teller, faces: Sequence[Tile]) -> Iterator[str]:
    """Other sentences about tiles."""
    if any(tile.plain != tile.index and not tile.marks for tile in faces):
        yield teller.frame("alike")
    seats = teller.seat_names()
    owned = [(tile, tile.seat) for tile in faces if tile.seat is not None and tile.seat < len(seats)]
    if owned:
        owners = [f"{teller.say.tile_name(tile.index)} – {seats[seat]}" for tile, seat in owned]
        yield teller.frame("whose", seats=teller.within("comma").join(owners))


def wild_text(teller: Teller, id: str) -> str:
    """What wild tiles stand for, where and when."""
    wild = next(one for one in teller.data.tiles.wild if one.id == id)
    tiles, others = (
        class_text(teller, wild.tiles.tiles, wild.tiles.words),
        class_text(teller, wild.stands_for.tiles, wild.stands_for.words),
    )
    places = [teller.say.group_kind(kind, True) for kind in sorted(wild.groups)]
    places += map(teller.say.zone, sorted(wild.zones))
    text = (
        teller.frame("wild_in", tiles=tiles, others=others, groups=teller.say.listed(places, "and"))
        if places
        else teller.frame("wild", tiles=tiles, others=others)
    )
    when = teller.data.wild_when.get(id)
    return text if when is None else f"{text} {teller.frame('wild_when', when=teller.say.truth(when))}"


def class_text(teller: Teller, tiles: frozenset[int], words: Iterable[str]) -> str:
    known = [teller.say.tiles_of(tiles)] if tiles else []
    return teller.say.listed([*known, *(teller.say.class_name(word) for word in words)])


def class_rows(teller: Teller) -> Iterator[BookBlock]:
    """Names for tiles that are not families."""
    listed_classes = section(teller.whole.document, "tiles", "classes")
    for name in listed_classes.entries:
        found = teller.data.tiles.classes.get(name)
        if found is None or not found.tiles or found.words:
            continue
        codes = tuple((tile.code,) for tile in teller.in_order() if tile.index in found.tiles)
        yield BookBlock("tiles", label=sentence(teller.say.class_name(name), ""), groups=codes)
