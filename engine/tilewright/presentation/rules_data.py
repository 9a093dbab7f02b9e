"""About: rules as a page needs them to show a table: names, tiles, zones, offers, as plain data.

Rules in, one object out, the same for the same rules. Knows no running table and no request.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from tilewright.language.compiled.ir import Const, Lookup
from tilewright.language.compiled.play import Choose, MatchRules, Offer, Play, Step, every_step
from tilewright.language.compiled.ruleset import CompiledRuleset, Zone
from tilewright.language.vocabulary.steps import Ask, Declare, Shuffle
from tilewright.play.exchanges import exchanges
from tilewright.play.rules import Rules
from tilewright.players.programs.process import plain, tiles_json
from tilewright.presentation.catalogue import ENGLISH
from tilewright.presentation.names import in_words, named
from tilewright.presentation.tile_shapes import drawings
from tilewright.scoring.case_hands import seat_names
from tilewright.scoring.score import json_number
from tilewright.tiles.notation import write_tile
from tilewright.tiles.tileset import Spelling, Tile, TileSet

SEES_ALL = "everyone"
Names = Mapping[str, str]


def about_json(rules: Rules) -> dict[str, Any]:
    """These rules as a page needs them. Names are by language; unnamed things have their id."""
    data = rules.data
    play = data.play or Play()
    return {
        "id": data.id,
        "digest": data.text_digest,
        "version": data.version,
        "license": data.license,
        "authors": list(data.authors),
        "name": dict(data.name),
        "about": dict(data.about),
        "languages": languages_of(data),
        "hints": data.hints,
        **seating(data),
        "levels": {level: dict(names) for level, names in play.match.levels.items()},
        "unit": data.scoring.best,
        "measures": {measure.id: named(measure.id, measure.name) for measure in data.scoring.measures},
        "units": {measure.id: dict(measure.unit) for measure in data.scoring.measures if measure.unit},
        "inner": [measure.id for measure in data.scoring.measures if measure.inner],
        "tiles": tiles_of(data),
        "indices": any(form.card is not None for form in data.forms),
        "families": {family: named(family, data.tiles.titles.get(family)) for family in data.tiles.families},
        "zones": zones_of(data, play),
        "offers": {offer.id: offer_of(offer) for offer in play.offers.values()},
        "phases": {phase.id: {"name": named(phase.id, phase.name)} for phase in play.phases.values()},
        "asks": asks_of(play),
        "exchanges": exchanges_of(play),
        "marks": marks_of(data),
        "buttons": buttons_of(play),
        "patterns": {one.id: {"name": named(one.id, one.name)} for one in data.patterns},
        "forms": {form.id: named(form.id, form.name) for form in data.forms},
        "groups": {kind: named(kind, data.group_names.get(kind)) for kind in data.groups.kinds},
        "options": {name: plain(value) for name, value in data.options.items()},
        "mods": list(data.mods),
        "cards": cards_of(data),
        "match": match_of(data, play.match),
    }


def languages_of(data: CompiledRuleset) -> list[str]:
    """The languages of its names, that of the ruleset's own name first."""
    texts = [data.name, *(one.name for one in data.patterns), *(form.name for form in data.forms)]
    texts += [offer.name for offer in data.play.offers.values()] if data.play else []
    return list(dict.fromkeys(language for text in texts for language in text)) or [ENGLISH]


# --- seats


def seating(data: CompiledRuleset) -> dict[str, Any]:
    """Seats by name, the dealer's first, with the tile of each."""
    names = seat_names(data)[: data.seats.count]
    winds = [write_tile(tile, data.tiles) for tile in data.seats.winds[: data.seats.count]]
    rest = [None] * (len(names) - len(winds))
    return {
        "seats": list(names),
        "order": data.seats.order,
        "winds": dict(zip(names, [*winds, *rest], strict=True)),
    }


def match_of(data: CompiledRuleset, match: MatchRules) -> dict[str, Any]:
    """The start score, the winds of the rounds, and whether standings are shown."""
    score = match.score.value if isinstance(match.score, Const) else 0
    return {
        "score": json_number(score) if isinstance(score, int | Fraction) else 0,
        "rounds": [write_tile(tile, data.tiles) for tile in match.rounds],
        "standings": match.standings,
        "placement": [
            json_number(ir.value)
            for ir in match.placement
            if isinstance(ir, Const) and isinstance(ir.value, int | Fraction)
        ],
    }


# --- tiles


def tiles_of(data: CompiledRuleset) -> list[dict[str, Any]]:
    """Every tile in the order of a sorted hand, with its names and the index for its corner. `as`: the tile that it
    counts as; `wild`: it may stand for others; `special`: its marks; `draw`: what its face is made of."""
    tiles = data.tiles
    drawn = {drawing.code: drawing for drawing in drawings(tiles)}
    wild = {face for one in tiles.wild for face in one.tiles.tiles}
    spelling = next((form.card.spelling for form in data.forms if form.card is not None), None)
    return [
        {
            **tile,
            "name": tile_name(tiles.tiles[face], tiles),
            "label": corner(tiles.tiles[face], spelling),
            "wild": tiles.tiles[face].plain in wild,
            "special": sorted(tiles.tiles[face].marks),
            "draw": drawn[tiles.tiles[face].code].to_json(),
        }
        for tile, face in zip(tiles_json(data), tiles.order, strict=True)
    ]


def tile_name(tile: Tile, tiles: TileSet) -> dict[str, str]:
    """The name of a tile: its own, that of the tile it is a copy of, or one made of rank or code and family."""
    given = tiles.names.get(tile.index) or (tiles.names.get(tile.plain) if not tile.marks else None)
    if given:
        return dict(given)
    first = str(tile.rank) if tile.rank is not None else tile.code
    besides = [in_words(mark) for mark in sorted(tile.marks)]
    return {ENGLISH: " ".join([*besides, first, in_words(tile.family)])}


def corner(tile: Tile, spelling: Spelling | None) -> str:
    """The index in the corner of a tile: what a card calls it in its lines (`2`, `F`, `DG`), else its rank as a number,
    else its code."""
    if spelling is None:
        return str(tile.rank) if tile.rank is not None else tile.code
    called = [text for text, index in spelling.also.items() if index == tile.plain and text[0] in spelling.suits]
    letters = [text[1:] if text in called else text for text in (*called, spelling.texts[tile.index])]
    return "".join(dict.fromkeys(letters))


# --- zones


def zones_of(data: CompiledRuleset, play: Play) -> list[dict[str, Any]]:
    """The zones of tiles. `wall`: tiles are shuffled into it; `sorts`: a button sorts it; `turns`: a claimed tile in it
    lies sideways."""
    walls, sorted_ones = set(shuffled(play)), {button.sorts for button in play.buttons}
    return [zone_of(zone, zone.id in walls, zone.id in sorted_ones) for zone in data.zones.values()]


def zone_of(zone: Zone, wall: bool, sorts: bool) -> dict[str, Any]:
    return {
        "id": zone.id,
        "name": named(zone.id, zone.name),
        "of": zone.of,
        "seen_by": zone.seen_by,
        "claimable": zone.claimable,
        "sorts": sorts,
        "wall": wall or (zone.takes is not None and zone.seen_by != SEES_ALL),
        "turns": zone.sideways != Const("truth", False),
        "side": zone.side,
        "slanted": zone.slanted,
        "stacked": zone.stacked,
    }


def shuffled(play: Play) -> Iterator[str]:
    """The zones that tiles are shuffled into."""
    for step in steps_of(play):
        if isinstance(step.does, Shuffle) and isinstance(step.does.into, Lookup):
            yield step.does.into.name


def steps_of(play: Play) -> Iterator[Step]:
    """Every step of a play."""
    for steps in (
        *(phase.do for phase in play.phases.values()),
        *(offer.do for offer in play.offers.values()),
        *(action.do for action in play.actions.values()),
        *(trigger.do for trigger in play.triggers),
    ):
        yield from every_step(steps)


# --- what a seat may do


def offer_of(offer: Offer) -> dict[str, Any]:
    """An offer, and what a seat that takes it chooses. `wins`: it declares a hand; `rare`: it is seldom taken."""
    return {
        "name": named(offer.id, offer.name),
        "wins": any(isinstance(step.does, Declare) for step in every_step(offer.do)),
        "rank": offer.rank,
        "rare": offer.rare,
        "group": offer.group or None,
        "chooses": [choose_of(choose) for choose in offer.choose],
    }


def choose_of(choose: Choose) -> dict[str, Any]:
    """A choice. One tile is of kind `tile`, several are `tiles`."""
    kind = "tile" if choose.kind == "tiles" and choose.type == "tile" else choose.kind
    return {"name": choose.name, "kind": kind, "label": named(choose.name, choose.question or choose.title)}


def asks_of(play: Play) -> dict[str, Any]:
    """The questions of steps, by the name of the choice, with the name of the question."""
    asks = [step.does for step in steps_of(play) if isinstance(step.does, Ask)]
    return {
        choose.name: {"asked": named(choose.name, ask.name), **choose_of(choose)}
        for ask in asks
        for choose in ask.choose
    }


def exchanges_of(play: Play) -> list[dict[str, Any]]:
    """The questions for tiles that go to other seats, in order."""
    return [
        {"step": one.step, "name": named(one.choice, one.name), "way": one.way, "round": one.round}
        for one in exchanges(play)
    ]


def buttons_of(play: Play) -> list[dict[str, Any]]:
    """The buttons, which answer for a seat."""
    return [
        {
            "id": button.id,
            "name": named(button.id, button.name),
            "on": button.on,
            "takes": button.takes or None,
            "declines": list(button.declines),
            "sorts": button.sorts or None,
        }
        for button in play.buttons
    ]


def marks_of(data: CompiledRuleset) -> dict[str, Any]:
    """The marks of a table."""
    return {
        mark.id: {
            "name": named(mark.id, mark.name),
            "of": mark.of,
            "is": mark.type,
            "secret": mark.secret,
            "stick": mark.stick,
        }
        for mark in data.marks.values()
    }


def cards_of(data: CompiledRuleset) -> list[dict[str, Any]]:
    """The cards of forms, each with the option that chooses it, if one has its id."""
    cards = {form.card.id: form.card for form in data.forms if form.card is not None}
    options = {value: name for name, value in data.options.items() if isinstance(value, str)}
    return [{"option": options.get(card.id), "id": card.id, "name": dict(card.name)} for card in cards.values()]
