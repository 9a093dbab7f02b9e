"""What is known of a compiled play before any game: its image, that is its code, its tiles and groups as one list of
numbers that the machine runs, and for the host places of rows, names by number, what ends a hand.

In: a program. Out: the numbers, with those of the scoring kernel, whose tables of readings tell forms; where it does
not know the ruleset, forms are searched for. Raises NotSayable.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import comb

import numpy as np

from tilewright.base.arrays import Array
from tilewright.hands.reading import Pair
from tilewright.language.compiled.ir import Apply, Conditional, Const, Ir, Lookup, Term, WordCall, nodes
from tilewright.language.vocabulary.words import seen
from tilewright.play.compiled.judging import WinTables
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.machine import seating
from tilewright.play.compiled.machine.operands import Machine
from tilewright.play.compiled.writing.code import PlayCode, write_play
from tilewright.play.compiled.writing.writer import NotSayable, Writer, encoded, forms_ask, most_suits, whole
from tilewright.play.form_search import FormSearch, as_bits
from tilewright.play.group_index import Counted
from tilewright.play.model import NOWHERE, TableMeld, ZonePlace
from tilewright.play.program import Program, completing
from tilewright.play.state import Number
from tilewright.play.value_bounds import NotBounded, ValueBounds
from tilewright.scoring.kernel import layout as scored
from tilewright.scoring.kernel.scores import KernelScores

NO_RANK = 1_000_000


@dataclass(frozen=True, slots=True)
class PlayImage:
    """A compiled play. `numbers`: the image; `forms`: the image of scoring, or forms to search for;
    `start`: a state before anything was dealt, with its constants; `stands`: by group, what wild tiles stand for in it,
    by plain tile."""

    code: PlayCode
    numbers: Array
    forms: Array
    start: Array
    stands: tuple[Mapping[int, int], ...]

    def machine(self, state: Array) -> Machine:
        """The machine that plays it on a table."""
        return Machine(state, self.numbers, self.forms)

    def wild_in(self, group: int, tiles: Iterable[int]) -> tuple[Pair, ...]:
        """The wild tiles among the tiles of a group, each with what it stands for."""
        stands, plain = self.stands[group], self.code.writer.program.plain
        return tuple((tile, stands[plain[tile]]) for tile in tiles if plain[tile] in stands) if stands else ()


def image_of(program: Program, kernel: KernelScores | None) -> PlayImage:
    """The image of a play. Raises NotSayable."""
    unplaced = frozenset[int]() if kernel is None else kernel.known_image.unplaced
    if kernel is not None and kernel.searches:
        kernel = None
    search = FormSearch(program.rules.judge) if kernel is None else None
    code = write_play(program, None if search is None else bounds_of(program, search))
    kinds_that_grow(code.writer)
    numbers = [0] * at.HEADER
    lay_out_numbers(numbers, code, kernel)
    lay_out_tiles(numbers, code.writer, kernel)
    lay_out_groups(numbers, code.writer, unplaced)
    add(numbers, at.SIEVES, code.writer.sieves)
    lay_out_offers(numbers, code)
    if code.writer.bounds is not None:
        add(numbers, at.BOUNDS, code.writer.bounds.numbers)
    lay_out_asks(numbers, code.writer)
    numbers[at.CODE] = len(numbers)
    numbers += encoded(code.writer.code)
    start = np.zeros(at.STATE, np.int64)
    for value, register in code.writer.constants.items():
        start[register] = value
    stands = tuple(program.groups.stands_in(group) for group in range(len(program.data.groups.groups)))
    if kernel is not None:
        return PlayImage(code, np.array(numbers, np.int64), kernel.image, start, stands)
    assert search is not None
    return PlayImage(code, np.array(numbers, np.int64), np.array(search.numbers, np.int64), start, stands)


def bounds_of(program: Program, search: FormSearch) -> ValueBounds | None:
    """What hands are worth at most; None where that is not known."""
    try:
        return ValueBounds(program.data, search)
    except NotBounded:
        return None


def add(numbers: list[int], place: int, more: Iterable[int]) -> None:
    """Add a list; its place in the header says where it begins."""
    numbers[place] = len(numbers)
    numbers += more


def lay_out_numbers(numbers: list[int], code: PlayCode, kernel: KernelScores | None) -> None:
    writer = code.writer
    program, rows = writer.program, writer.rows
    if kernel is not None:
        numbers[at.BLOCKS], numbers[at.LOOKUPS] = int(kernel.image[scored.BLOCKS]), int(kernel.image[scored.LOOKUPS])
    if numbers[at.BLOCKS] > at.MOST_BLOCKS:
        raise NotSayable(f"more than {at.MOST_BLOCKS} blocks of tiles")
    numbers[at.HANDS], numbers[at.UNIT] = program.hands, writer.unit
    numbers[at.SEARCHES], numbers[at.HAS_WILD] = int(kernel is None), int(bool(program.wild.stands_for))
    numbers[at.SEATS], numbers[at.FIRST], numbers[at.TILES] = program.count, program.first, len(program.face)
    numbers[at.HAND_ROW] = rows["hand"][0]
    numbers[at.MELD_ROW] = rows["melds"][0] if "melds" in rows else at.NONE
    numbers[at.BONUS_ROW] = rows["bonus"][0] if "bonus" in rows else at.NONE
    numbers[at.START_PHASE], numbers[at.OFFERS] = writer.phases["deal"], len(program.play.offers)
    numbers[at.MARKS] = len(writer.marks) + len(writer.answers)
    numbers[at.SEVERAL_FACES] = int(program.several_faces)
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


def lay_out_tiles(numbers: list[int], writer: Writer, kernel: KernelScores | None) -> None:
    program = writer.program
    add(numbers, at.PLAIN, program.plain)
    add(numbers, at.FACE, program.face)
    add(numbers, at.PLACE, program.place)
    shown = [program.place[face] for face in dict.fromkeys(program.face[tile] for tile in program.box)]
    if max(shown) >= at.MOST_FACES or len(set(shown)) < len(shown):
        raise NotSayable("tiles without an order")
    blocks = list[int]()
    for tile in range(program.first):
        known = kernel is not None and kernel.image[kernel.image[scored.PLAIN] + tile] == tile
        image = kernel.image if kernel is not None and known else None
        blocks += (
            (at.NONE, 0) if image is None else (int(image[image[w] + tile]) for w in (scored.BLOCK_OF, scored.RADIX))
        )
    add(numbers, at.BLOCK, blocks)
    keeps = [0] * at.MOST_ROWS
    for zone in program.data.zones.values():
        if isinstance(zone.keep, Const):
            row, of_seat = writer.rows[zone.id]
            for seat in range(program.count if of_seat else 1):
                keeps[row + seat] = whole(zone.keep)
    add(numbers, at.KEEPS, keeps)
    opened = [0] * at.MOST_ROWS
    for zone in program.data.zones.values():
        row, of_seat = writer.rows[zone.id]
        for seat in range(program.count if of_seat else 1):
            opened[row + seat] = int(zone.seen_by == "everyone")
    add(numbers, at.OPEN_ROWS, opened)
    add(numbers, at.IN_BOX, [program.wild.copies[tile] for tile in range(program.first)])
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


# --- groups


def kinds_that_grow(writer: Writer) -> None:
    """Number the kinds that code asks about: all are known once it is written."""
    if not writer.kinds:
        writer.kinds[""] = 0


def lay_out_groups(numbers: list[int], writer: Writer, unplaced: frozenset[int]) -> None:
    program = writer.program
    index, groups, ways_to = program.groups, program.data.groups.groups, WaysToMake(program)
    ways_of, ways = list[int](), list[list[int]]()
    needs_of, needs, single = list[int](), list[list[int]](), list[int]()
    grown_of, grown = list[int](), list[list[int]]()
    for kind in writer.kinds:
        is_claimed, is_own, is_grown = (kind in made for made in (writer.claimed, writer.own, writer.grown))
        for tile in range(program.first):
            found = index.ways_of(kind, tile) if is_claimed else ()
            ways_of += (len(ways), len(found))
            ways += (ways_to.row(one.group, one.rest) for one in found)
        held = index.needs_of(kind) if is_own else ()
        needs_of += (len(needs), len(held))
        needs += (ways_to.row(group, counted) for group, counted in held)
        single.append(0 if index.is_served(kind) else index.single_needs.get(kind, (0, []))[0])
        for group in range(len(groups)):
            more = index.grown(kind, group) if is_grown else ()
            if len(more) > 15:
                raise NotSayable("a meld that grows in more than 15 ways")
            grown_of += (len(grown), len(more))
            grown += (ways_to.row(one, ((tile, 1),)) for one, tile in more)
    for place, of, places, rows in (
        (at.WAYS_OF, ways_of, at.WAYS, ways),
        (at.NEEDS_OF, needs_of, at.NEEDS, needs),
        (at.GROWN_OF, grown_of, at.GROWN, grown),
    ):
        add(numbers, place, of)
        add(numbers, places, [number for row in rows for number in row])
    add(numbers, at.WAYS_ONE, [row[at.WAY_ONE] for row in ways])
    add(numbers, at.LISTED_FACES, ways_to.listed)
    add(numbers, at.STANDS, stands_of_groups(program))
    add(numbers, at.NEEDS_SINGLE, single)
    add(
        numbers,
        at.GROUP_KINDS,
        [sum(1 << n for kind, n in writer.kinds.items() if kind in group.kinds | group.meld_kinds) for group in groups],
    )
    judge = program.rules.judge
    add(numbers, at.GROUP_SIZE, [program.data.groups.size(group.index) for group in groups])
    several = range(1, program.hands + 1)  # of hands that are not finished
    numbers[at.FULL_SIZES] = sum(1 << size for size in {size * hands for size in judge.full_sizes for hands in several})
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
    add(numbers, at.UNPLACED, [int(number in unplaced) for number in range(2 * len(groups))])


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
            found.append(sum(1 << one for one in completing(program, meld)) if tile in group.tiles else 0)
    return found


def stands_of_groups(program: Program) -> list[int]:
    """By group and plain tile, what the tile stands for where it is wild in the group."""
    if not program.wild.stands_for:
        return [at.NONE]
    found = list[int]()
    for group in range(len(program.data.groups.groups)):
        stands = program.groups.stands_in(group)
        found += (stands.get(tile, at.NONE) for tile in range(program.first))
    return found


class WaysToMake:
    """Ways to make groups of tiles of a hand, as rows of numbers. `listed`: the faces, and the wild tiles, that may
    fill their places."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.there = sorted({program.face[tile] for tile in program.box})
        self.listed = [0]
        self.places = dict[tuple[int, ...], int]()

    def row(self, group: int, counted: Counted) -> list[int]:
        """A way to make a group of counted tiles of a hand."""
        if sum(number for _, number in counted) > at.HAND_TILES:
            raise NotSayable(f"groups that take more than {at.HAND_TILES} tiles of a hand")
        served, plain = self.program.groups.served(group), self.program.plain
        entries, fillings, needs = list[int](), 1, Counter[int]()
        for kind, number in counted:
            wild = served.get(kind, ())
            faces = tuple(face for face in self.there if plain[face] == kind or plain[face] in wild)
            own = comb(len(faces) + number - 1, number) if faces else 0
            entries += (kind, number, self.list(faces), self.list(wild), own)
            fillings *= own
            if len(only := {plain[face] for face in faces}) == 1:
                needs[only.pop()] += number
        if fillings >> at.STANDS_AT:
            raise NotSayable("groups that can be made in very many ways")
        several = {kind: number for kind, number in needs.items() if number > 1}
        more = min([at.MOST_ALIKE, *several.values()]) - 1 if several else 0
        row = [group, len(counted), fillings, as_bits(needs), as_bits(several), more, *entries]
        return row + [0] * (at.WAY - len(row))

    def list(self, numbers: tuple[int, ...]) -> int:
        """Where a list of numbers is, after how many they are."""
        if not numbers:
            return 0
        if numbers not in self.places:
            self.places[numbers] = len(self.listed)
            self.listed += [len(numbers), *numbers]
        return self.places[numbers]


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
    numbers[at.BARRED_NOW], numbers[at.BARRED_AFTER] = code.barred


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


# Words whose answers a host keeps by itself, whatever lies on the table.
KEPT = frozenset(
    {
        "dealer",
        "winners",
        "losers",
        "score",
        "seat",
        "everyone",
        "seats",
        "deals",
        "round_wind",
        "place",
        "result",
        "turn",
    }
)


@dataclass(frozen=True, slots=True)
class Opening:
    """How the first hand of every game begins. `parts`: of the state of the machine, as `open_hand` takes them; who
    deals, where players sit and their scores."""

    parts: Array
    dealer: int
    places: tuple[int, ...]
    scores: tuple[Number, ...]


@dataclass(frozen=True)
class HostKnowledge:
    """`places`: of each row, and of melds; `phases`: by number; `names`: by number; `asks_scores`: the machine reads
    scores, `pays`: it changes them; `marks`: how the marks of a hand begin, `changing`: those for which that is worked
    out for each hand; `ends_lightly`: nothing on the table decides what follows a hand; `opens_alike`: the first hand
    of every game begins alike, `openings`: then how, once one has begun; `wins`: what judges hands straight from the
    machine, None if nothing can; `declares_alone`: scoring asks for nothing of the table that only a match knows;
    `counts_seen`: it matters which tiles were in sight before a win revealed others."""

    image: PlayImage
    program: Program
    places: dict[int, ZonePlace]
    phases: tuple[str, ...]
    names: dict[int, str]
    asks_scores: bool
    pays: bool
    marks: Array
    changing: tuple[str, ...]
    ends_lightly: bool
    opens_alike: bool
    wins: WinTables | None
    declares_alone: bool
    counts_seen: bool
    openings: list[Opening] = field(default_factory=list)


def knowledge_of(image: PlayImage, program: Program) -> HostKnowledge:
    writer = image.code.writer
    marks = np.full(at.MOST_MARKS * at.MOST_SEATS, at.UNSET, np.int64)
    changing = list[str]()
    for mark in program.data.marks.values():
        plain = mark.start is None or (isinstance(mark.start, Const) and mark.type in ("truth", "number"))
        if mark.of == "match" or not plain:
            changing.append(mark.id)
        elif isinstance(mark.start, Const):
            start = writer.marks[mark.id] * at.MOST_SEATS
            marks[start : start + (program.count if mark.of == "seat" else 1)] = whole(mark.start)
    return HostKnowledge(
        image,
        program,
        place_names(image, program),
        tuple(writer.phases),
        {number: text for text, number in writer.names.items()},
        any(line.operation in (seating.score, seating.placement) for line in writer.code),
        any(line.operation in (seating.pay, seating.refund) for line in writer.code),
        marks,
        tuple(changing),
        all(map(is_kept, asked_at_the_end(program))),
        opens_alike(program),
        WinTables.of(program, writer.rows, writer.marks),
        declares_alone(program),
        program.asked.seen or any(counts_seen(request.ir) for request in writer.requests if request.ir is not None),
    )


def declares_alone(program: Program) -> bool:
    """Whether marks, terms, zones and tiles in sight are all that scoring asks for besides tiles and seats."""
    more = program.asked.others, program.watch, program.slow_to_read, program.has_seen_tiles
    return program.judges_alone and not any(more) and program.data.marks.keys() >= set(program.asked.marks)


def counts_seen(ir: Ir) -> bool:
    """Whether an expression counts tiles in sight."""
    return any(isinstance(node, WordCall) and node.name == seen.name for node in nodes(ir))


def place_names(image: PlayImage, program: Program) -> dict[int, ZonePlace]:
    """The place of each row, and of melds."""
    found: dict[int, ZonePlace] = {at.NONE: NOWHERE}
    for zone, (first, of_seat) in image.code.writer.rows.items():
        for seat in range(program.count if of_seat else 1):
            found[first + seat] = zone, seat
    return found | {at.IN_MELDS - seat: ("melds", seat) for seat in program.everyone}


def opens_alike(program: Program) -> bool:
    """Whether the first hand of every game begins with the same marks and scores."""
    marks, score = program.data.marks.values(), program.play.match.score
    starts = [*(mark.start for mark in marks), score]
    kept = all(is_kept(node) for start in starts if start is not None for node in nodes(start))
    return kept and not any(mark.type == "tiles" and mark.start is not None for mark in marks)


def asked_at_the_end(program: Program) -> Iterator[Ir]:
    """Every part of the expressions that decide what follows a hand."""
    match = program.play.match
    for ir in (match.dealer_stays, match.ends, match.next_dealer, match.exchange, *match.placement):
        if ir is not None:
            yield from nodes(ir)


def is_kept(ir: Ir) -> bool:
    """Whether a host answers a part of an expression by itself."""
    if isinstance(ir, Lookup):
        return ir.kind == "word" and ir.name in KEPT
    return isinstance(ir, Const | Apply | Conditional | Term)
