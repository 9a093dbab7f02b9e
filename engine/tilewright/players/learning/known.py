"""What kernels know of the spaces of a ruleset: where fields of an observation are, which action says what, and whether
the points after it are all that a match of a single hand comes to.

In: the spaces, and the image of a compiled play. Out: one list of numbers (`kernel.layout`). Raises NotSayable for what
kernels do not write. Where the rules themselves end the match with its first hand, points for placement follow.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from math import inf, prod

import numpy as np

from tilewright.base.arrays import Array
from tilewright.language.compiled.ir import Apply, Conditional, Const, Ir, Lookup, Quantifier, Term, Var, nodes
from tilewright.language.compiled.play import Choose, Offer, StepQuestion
from tilewright.language.compiled.ruleset import Zone
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.knowledge import PlayImage
from tilewright.play.compiled.writing.writer import NotSayable
from tilewright.play.legality import MOST_LISTED
from tilewright.play.match import Match
from tilewright.play.model import PASS
from tilewright.play.offers import is_near
from tilewright.play.rules import Rules
from tilewright.play.scene import TableScene
from tilewright.play.state import Number
from tilewright.players.learning.actions import Actions
from tilewright.players.learning.kernel import layout as learn
from tilewright.players.learning.observations import MELDS, Observations, key_of

TYPES = {"truth": learn.TRUTH, "number": learn.NUMBER, "seat": learn.SEAT, "suit": learn.SUIT, "tiles": learn.TILES}
KINDS = {"seat": learn.BY_SEAT, "suit": learn.BY_SUIT, "flag": learn.BY_FLAG, "number": learn.BY_NUMBER}
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
    "discards": learn.DISCARDS,
}
FIELDS_OF_HANDS = {"hand_melds": learn.HAND_MELDS, "hand_states": learn.HAND_STATES}  # of seats that make several


def told_of(observations: Observations) -> list[int]:
    """A number of an observation for each of the latest tiles, which is 0 before they are told."""
    fields = [field for field in observations.fields.values() if field.name.startswith("latest:")]
    return [number for field in fields for number in range(field.start, field.stop, observations.tiles)]


def most_single(observations: Observations) -> int:
    """How many single numbers an observation tells at most."""
    found = learn.MOST_SINGLE + learn.MOST_ACTIONS
    for mark in observations.program.data.marks.values():
        rows = observations.fields[f"mark:{mark.id}"].shape[0]
        found += rows * (at.MARK_LIST if mark.type == "tiles" else 1)
    return found


def most_ways(image: PlayImage) -> int:
    """How many ways to choose several tiles may be listed."""
    return MOST_LISTED if any(one.condition for one in image.code.writer.asks) else 0


def known_of(observations: Observations, image: PlayImage, kinds: Sequence[int]) -> Array:
    """What kernels know; `kinds`: of each player, whether it learns, plays at random or thinks. Raises NotSayable."""
    actions, program = observations.actions, observations.program
    if program.has_seen_tiles:
        raise NotSayable("learning: tiles that declare who sees them")
    numbers = [0] * learn.KNOWN
    numbers[learn.FACES], numbers[learn.DISCARDS_LISTED] = observations.tiles, observations.most_discards
    numbers[learn.PASS], numbers[learn.DONE] = actions.number(PASS), actions.number("done")
    numbers[learn.SEAT_WORD], numbers[learn.DIGIT_WORD] = actions.number("seat", 0), actions.number("digit", 0)
    numbers[learn.FLAG_WORD] = actions.numbers.get(("flag", "yes"), at.NONE)
    for name, place in (FIELDS | (FIELDS_OF_HANDS if program.hands > 1 else {})).items():
        numbers[place] = observations.starts[name]
    parts, shown = cleared(observations, image)
    for place, more in (
        (learn.CLEARED, parts),
        (learn.CLEARED_SHOWN, shown),
        (learn.SEEN, seen_rows(observations, image)),
        (learn.SUITS, suits_of(observations, image)),
        (learn.SEAT_OF, seats_of_rows(observations, image)),
        (learn.ASKS_FIELDS, fields_of_questions(observations, image)),
        (learn.TILE_WORDS, tile_words(actions)),
        (learn.SUIT_WORDS, suit_words(actions, image)),
        (learn.LEARNS, kinds),
    ):
        numbers[place] = len(numbers)
        numbers += more
    numbers[learn.SPOTS] = learn.LATEST_TOLD + len(told_of(observations))
    numbers[learn.COPIES] = numbers[learn.SPOTS] + most_single(observations)
    seats = range(observations.count)
    numbers[learn.VIEWS] = len(numbers)
    numbers += by_seat(len(numbers), [counted([*rows_of(observations, image, seat)]) for seat in seats])
    numbers[learn.MARKS] = len(numbers)
    numbers += by_seat(len(numbers), [truths_first([*marks_of(observations, image, seat)]) for seat in seats])
    add_spellings(numbers, actions, image)
    return np.array(numbers, np.int64)


def cleared(observations: Observations, image: PlayImage) -> tuple[list[int], list[int]]:
    """The parts of an observation that are cleared at once: rows of tiles that are not copied; then those rows where no
    seat sees any but those that it was shown."""
    hidden, parts, shown = hidden_rows(observations, image), list[int](), list[int]()
    for zone in observations.program.data.zones.values():
        field = observations.fields[f"zone:{zone.id}"]
        if not is_copied(zone):
            for start, stop in pairwise(range(field.start, field.stop + 1, observations.tiles + 1)):
                add_part(shown if start in hidden else parts, start, stop)
    return [len(parts) // 2, *parts], [len(shown) // 2, *shown]


def add_part(parts: list[int], start: int, stop: int) -> None:
    """Add a part to others, or to the last of them if it begins there."""
    if parts and parts[-1] == start:
        parts[-1] = stop
    else:
        parts += start, stop


def hidden_rows(observations: Observations, image: PlayImage) -> set[int]:
    """Where rows of tiles begin of which no seat sees any but those that it was shown."""
    views = [entry for seat in range(observations.count) for entry in rows_of(observations, image, seat)]
    seen = {entry[learn.VIEW_FIELD] for entry in views if entry[learn.VIEW_SEES] != learn.SHOWN}
    return {entry[learn.VIEW_FIELD] for entry in views} - seen


def by_seat(place: int, lists: Sequence[Sequence[int]]) -> list[int]:
    """Lists of each seat: where each begins, then these. `place`: where this is."""
    found, more = list[int](), list[int]()
    for numbers in lists:
        found.append(place + len(lists) + len(more))
        more += numbers
    return found + more


def counted(entries: Sequence[Sequence[int]]) -> list[int]:
    """Entries after how many they are."""
    return [len(entries), *chain(*entries)]


def truths_first(marks: Sequence[Sequence[int]]) -> list[int]:
    """Marks after how many of them are truths and how many are not, in that order."""
    truths = [entry for entry in marks if entry[learn.MARK_TYPE] == learn.TRUTH]
    others = [entry for entry in marks if entry[learn.MARK_TYPE] != learn.TRUTH]
    return [len(truths), len(others), *chain(*truths, *others)]


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


def is_copied(zone: Zone) -> bool:
    """Whether there are copies of the rows of a zone: every seat sees them in the same way, and they may be long."""
    return zone.id == MELDS or (zone.claimable and zone.seen_by == "everyone")


def copied_rows(observations: Observations, image: PlayImage) -> dict[int, int]:
    """The number of the copy of each row that has one."""
    copied = [zone for zone in observations.program.data.zones.values() if is_copied(zone)]
    firsts = [image.code.writer.rows[zone.id] for zone in copied]
    rows = [first + seat for first, of_seat in firsts for seat in range(observations.count if of_seat else 1)]
    return {row: number for number, row in enumerate(rows)}


def rows_of(observations: Observations, image: PlayImage, seat: int) -> Iterator[list[int]]:
    """The rows of tiles as a seat sees them (`layout.VIEW`). Raises NotSayable."""
    seen, starts, noted = seen_rows(observations, image), observations.starts, learn.LATEST_TOLD
    copies = copied_rows(observations, image)
    for zone in observations.program.data.zones.values():
        if zone.claimable and zone.id in (MELDS, "hand"):
            raise NotSayable(f"learning: zones.{zone.id}: tiles in it may be claimed")
        first, of_seat = image.code.writer.rows[zone.id]
        for away in range(observations.count if of_seat else 1):
            row = first + ((seat + away) % observations.count if of_seat else 0)
            sees = learn.ALL if seen[row] >> seat & 1 else learn.SHOWN
            latest, groups = at.NONE, starts["groups"] + 2 * away
            if zone.claimable:
                latest = starts[f"latest:{zone.id}"] + away * learn.LATEST * observations.tiles
            field = starts[f"zone:{zone.id}"] + away * (observations.tiles + 1)
            copy = copies.get(row, at.NONE)
            yield [row, learn.MELDS if zone.id == MELDS else sees, field, latest, noted, groups, copy]
            noted += learn.LATEST if zone.claimable else 0


def marks_of(observations: Observations, image: PlayImage, seat: int) -> Iterator[list[int]]:
    """The marks that a seat sees (`layout.MARK`). Raises NotSayable."""
    for mark in observations.program.data.marks.values():
        if mark.type not in TYPES:
            raise NotSayable(f"learning: marks.{mark.id}: a mark of type {mark.type}")
        field, first = observations.fields[f"mark:{mark.id}"], image.code.writer.marks[mark.id] * at.MOST_SEATS
        owners = range(observations.count if mark.of == "seat" else 1)
        if mark.secret:
            owners = owners[: int(mark.of == "seat")]  # the own one, or none
        for away in owners:
            spot = first + ((seat + away) % observations.count if mark.of == "seat" else 0)
            yield [spot, TYPES[mark.type], field.start + away * prod(field.shape[1:])]


def suits_of(observations: Observations, image: PlayImage) -> Iterator[int]:
    """By the number of a name, which suit it is."""
    names = {number: name for name, number in image.code.writer.names.items()}
    return (observations.suits.get(names.get(number, ""), at.NONE) for number in range(max(names) + 1))


def seats_of_rows(observations: Observations, image: PlayImage) -> list[int]:
    """By row of tiles, whose it is; 0 where it is of the table."""
    found = [0] * at.MOST_ROWS
    for row, of_seat in image.code.writer.rows.values():
        for seat in range(observations.count if of_seat else 0):
            found[row + seat] = seat
    return found


def fields_of_questions(observations: Observations, image: PlayImage) -> Iterator[int]:
    """By question of a step, what tells it in an observation."""
    return (observations.starts["asks"] + observations.asks[key_of(ask)] for ask in questions_of(image))


def questions_of(image: PlayImage) -> Iterator[StepQuestion]:
    """The questions of steps that the machine asks."""
    writer = image.code.writer
    for one in writer.asks:
        ask = writer.requests[one.request].ask
        assert ask is not None
        yield ask


# --- actions


def tile_words(actions: Actions) -> list[int]:
    """By face, the action that goes on with a move by it."""
    return [actions.numbers.get(("tile", face), at.NONE) for face in range(actions.program.first)]


def suit_words(actions: Actions, image: PlayImage) -> list[int]:
    """By the number of a name, the action of the suit."""
    return [actions.numbers.get(("suit", name), at.NONE) for name in image.code.writer.names]


def add_spellings(numbers: list[int], actions: Actions, image: PlayImage) -> None:
    """How the moves of each offering are spelled, and the answers to each question of a step."""
    rows = list[int]()
    for offering in image.code.offerings:
        says, found = first_actions(actions, offering.offer)
        rows += says, found[0] if says == learn.ALONE else len(numbers), *choices_of(actions, offering.offer, says)
        numbers += found
    for ask in questions_of(image):
        rows += learn.CHOICE, at.NONE, *two([how(actions, choose) for choose in ask.choose])
    numbers[learn.OFFERINGS] = len(numbers)
    numbers[learn.QUESTIONS] = len(numbers) + learn.SPELLING * len(image.code.offerings)
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


def choices_of(actions: Actions, offer: Offer, says: int) -> tuple[int, int]:
    """How the choices of an offer go on."""
    found = [how(actions, choose) for choose in offer.choose]
    if says == learn.WITH_GROUP:
        found = [of_group(actions), *found[0 if offer.group else 1 :]]
    elif says == learn.WITH_TILE:
        found[0] = learn.NOTHING if is_near(offer.choose[0].source) else learn.BY_PLACE
    return two(found)


def how(actions: Actions, choose: Choose) -> int:
    """How a choice goes on."""
    if choose.kind == "group":
        return of_group(actions)
    if choose.kind == "tiles":
        return learn.BY_TILE if is_near(choose.source) else learn.BY_TILE_AND_PLACE
    return KINDS[choose.kind]


def of_group(actions: Actions) -> int:
    """How a group goes on: by its tiles, if there are words for them."""
    return learn.NOTHING if max(tile_words(actions)) < 0 else learn.BY_GROUP


def two(found: Sequence[int]) -> tuple[int, int]:
    """How two choices go on, of which there may be fewer."""
    one, other = (*found, learn.NOTHING, learn.NOTHING)[:2]
    return one, other


# Words whose answers a first hand does not change, unless it changes a score.
LASTING = frozenset({"score", "seat", "everyone", "seats", "deals", "dealer", "round_wind"})
Bounds = tuple[float, float]
UNKNOWN: Bounds = (-inf, inf)


class FirstHands:
    """First hands of a ruleset. `settled`: which of them settle a match, as is known before they are played: ALWAYS,
    QUIET_HANDS (those that change no score) or NEVER."""

    def __init__(self, rules: Rules) -> None:
        match = rules.program.play.match
        self.ends = match.ends if match.placement or match.exchange else None
        self.game = rules.game(0, hands=1, listen=False)
        if not self.settles(self.game.scores):
            self.settled = learn.NEVER
        else:
            self.settled = learn.QUIET_HANDS if self.ends is not None and asks_scores(self.ends) else learn.ALWAYS

    def settles(self, scores: Sequence[Number]) -> bool:
        """Whether a hand that leaves players with these scores settles the match."""
        if self.ends is None:
            return True
        self.game.balances[:-1] = scores
        _, ends = bounds(self.ends, self.game)
        return not ends


def asks_scores(ir: Ir) -> bool:
    """Whether an expression asks for a score."""
    if isinstance(ir, Term) and asks_scores(ir.body):
        return True
    return any(isinstance(part, Lookup) and part.name == "score" for part in nodes(ir))


def bounds(ir: Ir, game: Match) -> Bounds:
    """The least and the most that a number may be after the first hand, if no score changes; a truth is 0 or 1."""
    if all(map(is_lasting, nodes(ir))):
        value = game.program.evaluator(ir)(TableScene(game, 0), {})
        return (float(value), float(value)) if ir.type in ("number", "truth") else UNKNOWN
    if isinstance(ir, Term) and ir.of is None:
        return bounds(ir.body, game)
    if isinstance(ir, Conditional):
        then, other = bounds(ir.then, game), bounds(ir.other, game)
        return min(then[0], other[0]), max(then[1], other[1])
    found = of_operator(ir.op, [bounds(part, game) for part in ir.args]) if isinstance(ir, Apply) else UNKNOWN
    return (max(0.0, found[0]), min(1.0, found[1])) if ir.type == "truth" else found


def of_operator(op: str, parts: list[Bounds]) -> Bounds:
    """The bounds of what an operator makes of numbers or truths."""
    lows, highs = [low for low, _ in parts], [high for _, high in parts]
    match op:
        case "and":
            return min(lows), min(highs)
        case "or":
            return max(lows), max(highs)
        case "not":
            return 1 - highs[0], 1 - lows[0]
        case "+":
            return sum(lows), sum(highs)
        case ">=":
            return float(lows[0] >= highs[1]), float(highs[0] >= lows[1])
        case ">":
            return float(lows[0] > highs[1]), float(highs[0] > lows[1])
        case "<=" | "<":
            return of_operator(">" + op[1:], parts[::-1])
    return UNKNOWN


def is_lasting(ir: Ir) -> bool:
    """Whether a part of an expression is the same after a first hand that changes no score."""
    if isinstance(ir, Lookup):
        return ir.kind == "word" and ir.name in LASTING
    return isinstance(ir, Const | Apply | Conditional | Quantifier | Var | Term)
