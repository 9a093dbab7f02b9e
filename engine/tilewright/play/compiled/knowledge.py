"""What a host knows of a compiled play before any game: places of rows, names by number, what ends a hand."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from tilewright.base.arrays import Array
from tilewright.language.compiled.ir import Apply, Conditional, Const, Ir, Lookup, Term, WordCall, nodes
from tilewright.language.vocabulary.words import seen
from tilewright.play.compiled.image import PlayImage
from tilewright.play.compiled.judging.wins import WinTables
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.machine import paying, seating
from tilewright.play.compiled.writing.writer import whole
from tilewright.play.model.melds import NOWHERE, ZonePlace
from tilewright.play.program.program import Program
from tilewright.play.state.state import Number

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
        any(line.operation in (paying.pay, paying.refund) for line in writer.code),
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
