"""The image of a play: its code, its tiles and groups as one list of numbers that the machine runs.

In: a program. Out: the numbers, with those of the scoring kernel, whose tables of readings tell forms. Raises
NotSayable."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.language.compiled.ir import Const
from tilewright.play.compiled.code import PlayCode, write_play
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.writer import NotSayable, Writer, forms_ask, instructions, most_suits, whole
from tilewright.play.model.melds import TableMeld
from tilewright.play.program.group_index import Counted
from tilewright.play.program.program import Program
from tilewright.play.scene import regroup
from tilewright.scoring.kernel import layout as scored
from tilewright.scoring.kernel.scores import KernelScores

NO_RANK = 1_000_000
MOST_DIFFERENT = (at.WAY - 2) // 2


@dataclass(frozen=True, slots=True)
class PlayImage:
    """A compiled play. `numbers`: the image; `forms`, `places`: those of the scoring kernel; `start`: a state before
    anything was dealt, with its constants."""

    code: PlayCode
    numbers: Array
    forms: Array
    places: Array
    start: Array


def image_of(program: Program, kernel: KernelScores) -> PlayImage:
    """The image of a play. Raises NotSayable."""
    code = write_play(program)
    kinds_that_grow(code.writer)
    numbers = [0] * at.HEADER
    lay_out_numbers(numbers, code, kernel)
    lay_out_tiles(numbers, code.writer, kernel)
    lay_out_groups(numbers, code.writer, kernel)
    lay_out_offers(numbers, code)
    lay_out_asks(numbers, code.writer)
    numbers[at.CODE] = len(numbers)
    numbers += instructions(code.writer.code)
    start = np.zeros(at.STATE, np.int64)
    for value, register in code.writer.constants.items():
        start[register] = value
    return PlayImage(code, np.array(numbers, np.int64), kernel.image, kernel.places, start)


def add(numbers: list[int], place: int, more: Iterable[int]) -> None:
    """Add a list; its place in the header says where it begins."""
    numbers[place] = len(numbers)
    numbers += more


def lay_out_numbers(numbers: list[int], code: PlayCode, kernel: KernelScores) -> None:
    writer = code.writer
    program, rows = writer.program, writer.rows
    if int(kernel.image[scored.BLOCKS]) > at.MOST_BLOCKS:
        raise NotSayable(f"more than {at.MOST_BLOCKS} blocks of tiles")
    numbers[at.SEATS], numbers[at.FIRST], numbers[at.TILES] = program.count, program.first, len(program.face)
    numbers[at.BLOCKS], numbers[at.LOOKUPS] = int(kernel.image[scored.BLOCKS]), int(kernel.image[scored.LOOKUPS])
    numbers[at.HAND_ROW] = rows["hand"][0]
    numbers[at.MELD_ROW] = rows["melds"][0] if "melds" in rows else at.NONE
    numbers[at.BONUS_ROW] = rows["bonus"][0] if "bonus" in rows else at.NONE
    numbers[at.START_PHASE], numbers[at.OFFERS] = writer.phases["deal"], len(program.play.offers)
    numbers[at.MARKS], numbers[at.SEVERAL_FACES] = len(writer.marks), int(program.several_faces)
    numbers[at.GROUPS] = len(program.data.groups.groups)
    numbers[at.WINS_EXACT], numbers[at.MOST_SUITS] = int(is_exact(program)), most_suits(program)
    if sum(program.count if of_seat else 1 for _, of_seat in rows.values()) > at.MOST_ROWS:
        raise NotSayable(f"more than {at.MOST_ROWS} places of tiles")


def is_exact(program: Program) -> bool:
    """Whether a form is all that a win needs."""
    data, asks = program.data, forms_ask(program)
    least = [ir for _, ir in data.scoring.minimum]
    return (
        not asks and all(isinstance(ir, Const) and not ir.value for ir in least) and not data.tiles.wild and not least
    )


def lay_out_tiles(numbers: list[int], writer: Writer, kernel: KernelScores) -> None:
    program, image = writer.program, kernel.image
    add(numbers, at.PLAIN, program.plain)
    add(numbers, at.FACE, program.face)
    add(numbers, at.PLACE, program.place)
    shown = [program.place[face] for face in dict.fromkeys(program.face[tile] for tile in program.box)]
    if max(shown) >= at.MOST_FACES or len(set(shown)) < len(shown):
        raise NotSayable("tiles without an order")
    blocks = list[int]()
    for tile in range(program.first):
        known = image[image[scored.PLAIN] + tile] == tile
        blocks += (int(image[image[w] + tile]) for w in (scored.BLOCK_OF, scored.RADIX)) if known else (at.NONE, 0)
    add(numbers, at.BLOCK, blocks)
    keeps = [0] * at.MOST_ROWS
    for zone in program.data.zones.values():
        if isinstance(zone.keep, Const):
            row, of_seat = writer.rows[zone.id]
            for seat in range(program.count if of_seat else 1):
                keeps[row + seat] = whole(zone.keep)
    add(numbers, at.KEEPS, keeps)
    suits = [program.data.tiles.tiles[plain].suit for plain in program.plain]
    add(numbers, at.SUIT_OF, [at.NONE if suit is None else writer.name(suit) for suit in suits])
    firsts = [at.NONE if suit is None else suits.index(suit) for suit in suits[: program.first]]
    add(numbers, at.SUIT_FIRST, firsts)
    classes = list[int]()
    for members in writer.classes:
        row_of = [
            int(program.face[tile] in members or program.plain[tile] in members) for tile in range(len(program.face))
        ]
        classes += row_of + [0] * (at.MOST_TILES - len(row_of))
    add(numbers, at.CLASSES, classes or [0])
    faces = list[int]()
    there = {program.face[tile] for tile in program.box}
    for kind in range(program.first):
        fitting = sorted(face for face in there if program.plain[face] == kind)
        if len(fitting) > 2:
            raise NotSayable("tiles of more than two faces that are alike")
        faces += [*fitting, at.NONE, at.NONE][:2]
    add(numbers, at.FACES_OF, faces)


# --- groups


def kinds_that_grow(writer: Writer) -> None:
    """Number the kinds that code asks about: all are known once it is written."""
    if not writer.kinds:
        writer.kinds[""] = 0


def lay_out_groups(numbers: list[int], writer: Writer, kernel: KernelScores) -> None:
    program = writer.program
    index, groups = program.groups, program.data.groups.groups
    ways_of, ways = list[int](), list[list[int]]()
    needs_of, needs, single = list[int](), list[list[int]](), list[int]()
    grown_of, grown = list[int](), list[list[int]]()
    for kind in writer.kinds:
        for tile in range(program.first):
            found = index.ways_of(kind, tile) if kind else ()
            ways_of += (len(ways), len(found))
            ways += (way_of(one.group, one.rest) for one in found)
        held = index.needs_of(kind) if kind else ()
        needs_of += (len(needs), len(held))
        needs += (way_of(group, counted) for group, counted in held)
        single.append(index.single_needs.get(kind, (0, []))[0])
        for group in range(len(groups)):
            more = index.grown(kind, group) if kind else ()
            if len(more) > 15:
                raise NotSayable("a meld that grows in more than 15 ways")
            grown_of += (len(grown), len(more))
            grown += (way_of(one, ((tile, 1),)) for one, tile in more)
    for place, of, places, rows in (
        (at.WAYS_OF, ways_of, at.WAYS, ways),
        (at.NEEDS_OF, needs_of, at.NEEDS, needs),
        (at.GROWN_OF, grown_of, at.GROWN, grown),
    ):
        add(numbers, place, of)
        add(numbers, places, [number for row in rows for number in row])
    add(numbers, at.NEEDS_SINGLE, single)
    add(
        numbers,
        at.GROUP_KINDS,
        [sum(1 << n for kind, n in writer.kinds.items() if kind in group.kinds | group.meld_kinds) for group in groups],
    )
    judge = program.rules.judge
    sizes = program.data.groups.sizes
    add(numbers, at.GROUP_SIZE, [min(sizes[kind] for kind in g.kinds | g.meld_kinds) for g in groups])
    numbers[at.FULL_SIZES] = sum(1 << size for size in judge.full_sizes)
    numbers[at.WAITS_ALL] = int(program.data.scoring.waits == "all")
    order = [tile for tile in program.data.tiles.order if tile < program.first]
    add(numbers, at.IN_ORDER, [*order, *[at.NONE] * (program.first - len(order))])
    add(numbers, at.COPIES, [program.rules.engine.copies.get(tile, 0) for tile in range(program.first)])
    add(numbers, at.COMPLETING, completing_bits(program))
    add(
        numbers,
        at.GROUP_SETS,
        [int(group in one) for one in writer.group_sets for group in range(len(groups))] or [0],
    )
    add(numbers, at.UNPLACED, [int(number in kernel.unplaced) for number in range(2 * len(groups))])


def completing_bits(program: Program) -> list[int]:
    """By group and each plain tile that may have come to it: the tiles that complete the group without it, as bits."""
    found = list[int]()
    for group in program.data.groups.groups:
        for tile in range(program.first):
            rest = list(group.tiles)
            if tile in rest:
                rest.remove(tile)
            # the tile that came is none of the others, which it may look like
            meld = TableMeld(0, group.index, (*rest, at.NONE), claimed=at.NONE)
            found.append(sum(1 << one for one in regroup.completing(program, meld)) if tile in group.tiles else 0)
    return found


def way_of(group: int, counted: Counted) -> list[int]:
    """A way to make a group of counted tiles of a hand."""
    if len(counted) > MOST_DIFFERENT or sum(number for _, number in counted) > 4:
        raise NotSayable("groups that take more than four tiles of a hand")
    row = [group, len(counted), *(number for pair in counted for number in pair)]
    return row + [0] * (at.WAY - len(row))


# --- offers


def lay_out_offers(numbers: list[int], code: PlayCode) -> None:
    writer = code.writer
    program = writer.program
    of_offer = {id: number for number, id in enumerate(program.play.offers)}
    compiled = {(phase, one.offer.id): one for phase, row in program.offerings.items() for one in row}
    rows = [compiled[one.phase.id, one.offer.id] for one in code.offerings]
    add(numbers, at.OFFER_CODE, code.offers)
    add(numbers, at.OFFER_GOAL, code.goals)
    add(numbers, at.OFFER_RANK, [NO_RANK if o.offer.rank is None else o.offer.rank for o in rows])
    add(numbers, at.OFFER_MOST, [whole(o.offer.most) if isinstance(o.offer.most, Const) else 1 for o in rows])
    add(numbers, at.OFFER_NUMBER, [of_offer[one.offer.id] for one in code.offerings])
    add(numbers, at.OFFER_WINS, [int(one.wins) for one in rows])
    facts = list[int]()
    for one in code.offerings:
        fact = at.SETS_GROUP if one.offer.group else 0
        for number, choose in enumerate(one.offer.choose):
            if choose.kind == "group":
                fact |= at.SETS_GROUP | (at.SETS_GROWN_TILE if choose.onto else 0)
            elif choose.name == "tile":
                fact |= at.SETS_SECOND_TILE if number else at.SETS_TILE
        facts.append(fact)
    add(numbers, at.OFFER_FACTS, facts)
    add(numbers, at.PHASE_CODE, code.phases)


def lay_out_asks(numbers: list[int], writer: Writer) -> None:
    """Questions of steps."""
    rows = list[int]()
    for ask in writer.asks:
        marks = (*ask.marks, at.NONE)[:2]
        code = at.NONE if ask.condition is None else ask.condition.place
        assert code is not None
        row = (*marks, int(ask.picks), code, ask.tried, ask.seat, ask.request)
        rows += [*row, *[0] * (at.ASK_ROW - len(row))]
    add(numbers, at.ASKS, rows or [0] * at.ASK_ROW)
