"""What kernels know of the spaces of a ruleset: where fields of an observation are, and which action says what.

In: the spaces, and the image of a compiled play. Out: one list of numbers (`kernel.layout`). Raises NotSayable for what
kernels do not write."""

from collections.abc import Iterator, Sequence
from math import prod

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.language.compiled.play import Offer
from tilewright.play.compiled.image import PlayImage
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.writer import NotSayable
from tilewright.play.model.moves import PASS
from tilewright.players.learning.actions import Actions, questions, steps_of
from tilewright.players.learning.kernel import layout as learn
from tilewright.players.learning.observations import MELDS, Observations

TYPES = {"truth": learn.TRUTH, "number": learn.NUMBER, "seat": learn.SEAT, "suit": learn.SUIT, "tiles": learn.TILES}
FIELDS = {
    "groups": learn.GROUPS,
    "tile": learn.TILE,
    "drawn": learn.DRAWN,
    "discarder": learn.DISCARDER,
    "turn": learn.TURN,
    "place": learn.PLACE,
    "playing": learn.PLAYING,
    "winners": learn.WINNERS,
    "round": learn.ROUND,
    "scores": learn.SCORES,
    "pot": learn.POT,
    "phase": learn.PHASE,
    "asked": learn.ASKED,
    "begun": learn.BEGUN,
}


def notes_of(observations: Observations) -> int:
    """How much is noted of each table."""
    latest = (field for field in observations.fields.values() if field.name.startswith("latest:"))
    return learn.LATEST_TOLD + sum(prod(field.shape[:-1]) for field in latest)


def known_of(observations: Observations, image: PlayImage, learns: Sequence[bool]) -> Array:
    """What kernels know; `learns`: of each player, whether it is left to choose. Raises NotSayable."""
    actions, program = observations.actions, observations.program
    if program.has_seen_tiles or program.data.tiles.wild:
        raise NotSayable("learning: tiles that are wild, or declare who sees them")
    if any(questions([*steps_of(program.play)])):
        raise NotSayable("learning: steps that ask")
    numbers = [0] * learn.KNOWN
    numbers[learn.FACES] = observations.tiles
    numbers[learn.PASS] = actions.number(PASS)
    for name, place in FIELDS.items():
        numbers[place] = observations.starts[name]
    for place, more in (
        (learn.CLEARED, cleared(observations)),
        (learn.SEEN, seen_rows(observations, image)),
        (learn.ZONES, zones_of(observations, image)),
        (learn.MARKS, marks_of(observations, image)),
        (learn.SUITS, suits_of(observations, image)),
        (learn.LEARNS, map(int, learns)),
    ):
        numbers[place] = len(numbers)
        numbers += more
    add_offerings(numbers, actions, image)
    return np.array(numbers, np.int64)


def cleared(observations: Observations) -> list[int]:
    """How many parts of an observation are cleared at once, then where each begins and ends: all but latest tiles."""
    parts = list[int]()
    for field in observations.fields.values():
        if field.name.startswith("latest:"):
            continue
        if parts and parts[-1] == field.start:
            parts[-1] = field.stop
        else:
            parts += field.start, field.stop
    return [len(parts) // 2, *parts]


def seen_rows(observations: Observations, image: PlayImage) -> list[int]:
    """By row of tiles, the seats that see them, as bits."""
    program, found = observations.program, [0] * at.MOST_ROWS
    everyone = (1 << program.count) - 1
    for zone in program.data.zones.values():
        row, of_seat = image.code.writer.rows[zone.id]
        for seat in range(program.count if of_seat else 1):
            seers = {"everyone": everyone, "nobody": 0, "owner": 1 << seat}
            found[row + seat] = seers.get(zone.seen_by, everyone & ~(1 << seat))
    return found


def zones_of(observations: Observations, image: PlayImage) -> Iterator[int]:
    """How many zones there are, then each (`layout.ZONE`). Raises NotSayable."""
    zones, noted = observations.program.data.zones.values(), 0
    yield len(zones)
    for zone in zones:
        if zone.claimable and zone.id in (MELDS, "hand"):
            raise NotSayable(f"learning: zones.{zone.id}: tiles in it may be claimed")
        row, of_seat = image.code.writer.rows[zone.id]
        latest = observations.starts[f"latest:{zone.id}"] if zone.claimable else at.NONE
        rows = observations.count if of_seat else 1
        yield from (row, rows, observations.starts[f"zone:{zone.id}"], latest, noted, int(zone.id == MELDS))
        noted += rows * learn.LATEST if zone.claimable else 0


def marks_of(observations: Observations, image: PlayImage) -> Iterator[int]:
    """How many marks there are, then each (`layout.MARK_ENTRY`). Raises NotSayable."""
    marks = observations.program.data.marks.values()
    yield len(marks)
    for mark in marks:
        if mark.type not in TYPES:
            raise NotSayable(f"learning: marks.{mark.id}: a mark of type {mark.type}")
        field = observations.fields[f"mark:{mark.id}"]
        number, rows = image.code.writer.marks[mark.id], observations.count if mark.of == "seat" else 1
        yield from (number, TYPES[mark.type], rows, int(mark.secret), field.start, prod(field.shape[1:]))


def suits_of(observations: Observations, image: PlayImage) -> Iterator[int]:
    """By the number of a name, which suit it is."""
    names = {number: name for name, number in image.code.writer.names.items()}
    return (observations.suits.get(names.get(number, ""), at.NONE) for number in range(max(names) + 1))


# --- actions


def add_offerings(numbers: list[int], actions: Actions, image: PlayImage) -> None:
    """What the first action of each offering says, and the words that go on with a move."""
    faces = actions.program.first
    words = [actions.numbers.get(("tile", face), at.NONE) for face in range(faces)]
    numbers[learn.TILE_WORDS] = at.NONE if max(words) < 0 else len(numbers)
    numbers += words
    rows = list[int]()
    for offering in image.code.offerings:
        says, found = first_actions(actions, offering.offer)
        rows += says, found[0] if says == learn.ALONE else len(numbers)
        numbers += found
    numbers[learn.OFFERINGS] = len(numbers)
    numbers += rows


def first_actions(actions: Actions, offer: Offer) -> tuple[int, list[int]]:
    """What the first action of an offer says, and that action or, by group or face, those of its choices."""
    if ("offer", offer.id) in actions.numbers:
        return learn.ALONE, [actions.number("offer", offer.id)]
    program = actions.program
    if offer.group or offer.choose[0].kind == "group":
        groups = range(len(program.data.groups.groups))
        return learn.WITH_GROUP, [actions.numbers.get(("group", offer.id, group), at.NONE) for group in groups]
    found = [actions.numbers.get(("offer", offer.id, face), at.NONE) for face in range(program.first)]
    return learn.WITH_TILE, found
