"""What one plays for and with: the note on a game, its aim and its card; its tiles; its options, mods and sources."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tilewright.base.node import Mapping as MappingNode
from tilewright.language.documents.cards import name_of_bundled
from tilewright.language.documents.fields import EMPTY, entries, kind_of, section, text_at, texts
from tilewright.language.documents.library import bundled_documents, kind_at, read_document
from tilewright.language.documents.mods import listed
from tilewright.language.documents.options import (
    SORTS,
    Preset,
    choice_name,
    choices_of,
    default_of,
    number_at,
    presets_of,
)
from tilewright.language.documents.whole import is_for
from tilewright.paper.sheet import sections_of
from tilewright.rulebook.clauses import sentence
from tilewright.rulebook.writing import BookBlock, Teller
from tilewright.scoring.score import show_number
from tilewright.tiles.tileset import Tile


def what(teller: Teller) -> Iterator[BookBlock]:
    if published := published_as(teller):
        yield BookBlock("text", published)
    if about := teller.note():
        yield BookBlock("text", about)
    yield BookBlock("text", aim(teller))
    mods = [doc for doc in teller.sources if kind_of(doc) == "mod"]
    presets = [one for one in presets_of(teller.whole.full) if one.id in teller.data.presets]
    names = [teller.say.named(one.id, one.name) for one in presets]
    names += [teller.say.named(text_at(mod, "id"), texts(mod.get("name"))) for mod in mods]
    if names:
        yield BookBlock("text", teller.frame("played_with", mods=teller.say.listed(names, "and")))
    if mods:
        abouts = [teller.say.named("", texts(mod.get("about"))) for mod in mods]
        yield BookBlock("list", items=tuple(sentence(about) for about in abouts if about))


def aim(teller: Teller) -> str:
    """What one plays for, in a hand and in the match."""
    forms = teller.say.listed([teller.say.form(form.id) for form in teller.data.forms])
    sentences = [teller.frame("aim", forms=forms)]
    if teller.data.play is not None and teller.data.play.match.score is not None:
        sentences.append(teller.frame("aim_score"))
    return " ".join(sentences)


def published_as(teller: Teller) -> str:
    """The version, the authors and the licence of the rules; empty if none is given."""
    data = teller.data
    authors = teller.say.listed(list(data.authors), "and") if data.authors else ""
    return teller.frame("published", version=data.version, authors=authors, license=data.license).strip()


def card(teller: Teller) -> Iterator[BookBlock]:
    """The lines of the card that is played, with their descriptions."""
    for option, played in teller.whole.cards.items():
        yield BookBlock("heading", teller.say.named(option, played.card.card.name))
        for one in sections_of(played.card.card):
            rows = [
                (
                    row.text,
                    str(row.line.value) if row.line else "",
                    teller.within("open" if row.line and row.line.exposed else "closed"),
                    row.said(teller.say.language),
                )
                for row in one.rows
            ]
            yield BookBlock("heading", one.group.title + (f" ({one.group.note})" if one.group.note else ""))
            head = tuple(teller.within(key) for key in ("line", "value", "shown", "meaning"))
            yield BookBlock("table", head=head, rows=tuple(rows))


# --- tiles


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


# --- options, mods and sources


def choices(teller: Teller) -> Iterator[BookBlock]:
    rows = [option_row(teller, id, node) for id, node in entries(teller.whole.full, "options")]
    if rows:
        yield teller.heading("options")
        keys = ["option", "can_be", "usual", "here"]
        if all(usual == here for _, _, usual, here in rows):
            keys, rows = keys[:-1], [row[:-1] for row in rows]
        yield BookBlock("table", head=tuple(sentence(teller.within(key), "") for key in keys), rows=tuple(rows))
    presets = [preset_text(teller, one) for one in presets_of(teller.whole.full)]
    if presets:
        yield teller.heading("presets")
        yield BookBlock("list", items=tuple(presets))
    if found := list(mods(teller)):
        yield teller.heading("mods")
        yield BookBlock("list", items=tuple(found))


def preset_text(teller: Teller, preset: Preset) -> str:
    """A preset: its name, its note, its settings."""
    name, about = teller.say.named(preset.id, preset.name), teller.note("presets", preset.id)
    options = dict(entries(teller.whole.full, "options"))
    labels = {id: teller.say.named(id, texts(node.get("label"))) for id, node in options.items()}
    chosen = [
        f"{labels.get(id, id)}{teller.colon}{value(teller, options.get(id, EMPTY), one)}"
        for id, one in preset.options.items()
    ]
    settings = teller.within("semicolon").join(chosen)
    text = f"{name}{teller.colon}{about}" if about else name
    return teller.within("preset", name=text, settings=settings) if settings else text


def option_row(teller: Teller, id: str, option: MappingNode) -> tuple[str, ...]:
    """Label, possible values, default, value here."""
    sort = next(sort for sort in SORTS if sort in option.entries)
    if sort == "flag":
        can = teller.within("yes") + teller.within("or") + teller.within("no")
    elif sort == "choice":
        can = teller.say.listed([value(teller, option, one) for one in choices_of(option)])
    else:
        least, most = (number_at(option, end) for end in ("from", "to"))
        can = (
            ""
            if least is None or most is None
            else teller.within("range", least=show_number(least), most=show_number(most))
        )
    here = teller.data.options.get(id, default_of(option))
    usual = value(teller, option, default_of(option))
    return teller.say.named(id, texts(option.get("label"))), can, usual, value(teller, option, here)


def value(teller: Teller, option: MappingNode, value: Any) -> str:
    """A setting of an option in words."""
    if isinstance(value, bool):
        return teller.within("yes" if value else "no")
    if not isinstance(value, str):
        return show_number(value)
    return teller.say.named(value, choice_name(option, value) or name_of_bundled(value))


def mods(teller: Teller) -> Iterator[str]:
    """The bundled mods for the ruleset."""
    ids = tuple(text_at(document, "id") for document in teller.sources)
    paths = [path for path in bundled_documents() if kind_at(path) == "mod"]
    mods = [one for one in map(read_document, paths) if is_for(one, ids)]
    names = {text_at(one, "id"): teller.say.named(text_at(one, "id"), texts(one.get("name"))) for one in mods}
    for one in mods:
        text = names[text_at(one, "id")] + teller.colon + teller.say.named("", texts(one.get("about")))
        against = [names[item.text] for item in listed(one, "conflicts") if item.text in names]
        beside = teller.within("conflicts", mods=teller.say.listed(against, "and")) if against else ""
        yield text + teller.within("brackets", text=beside) if beside else text


def origins(teller: Teller) -> Iterator[BookBlock]:
    sources = (teller.say.named("", texts(document.get("source"))) for document in teller.sources)
    found = dict.fromkeys(source for source in sources if source)
    if found:
        yield BookBlock("list", items=tuple(sentence(source) for source in found))
