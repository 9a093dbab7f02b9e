"""Judging hands of compiled play by kernels, where these tell: whether one wins, laid out for the scoring kernel
straight from the state, and whether a seat is barred from winning on a discard, as far as it knows itself.

In: the state of a machine that asks. Out: the answer, or NONE where only a match tells it. Of the bonus tiles of a seat
only what scoring makes of them decides its table. `W`: what `WinTables` knows of the ruleset, and the tables of scoring
that were met, by what decides them.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cache

import numpy as np

from tilewright.base.arrays import Array
from tilewright.base.kernels import I64, entry, kernel, wrapped
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.chance import mixed
from tilewright.play.compiled.machine.going import begin_frame
from tilewright.play.compiled.machine.operands import Machine, acting
from tilewright.play.compiled.machine.running import run
from tilewright.play.program import Program
from tilewright.scoring.kernel import layout as scored
from tilewright.scoring.kernel.judging import score_one
from tilewright.scoring.kernel.layout import ScoringArrays
from tilewright.scoring.plain.scene import Situation
from tilewright.scoring.quick import LoneHands

Rows = Mapping[str, tuple[int, bool]]


class WinTables:
    """The tables of scoring that were met, and what else decides whether hands of a ruleset win."""

    def __init__(self, program: Program, lone: LoneHands, rows: Rows, marks: Mapping[str, int]) -> None:
        self.program, self.lone, self.data = program, lone, program.rules.data
        self.signatures: dict[Hashable, int] = {}
        self.generation = lone.kernel.generation
        self.used = 0  # tables that are known
        self.numbers = np.array(self.laid_out(rows, marks), np.int64)

    @classmethod
    def of(cls, program: Program, rows: Rows, marks: Mapping[str, int]) -> "WinTables | None":
        """The tables of a ruleset; None where the scoring kernel asks what the state does not say."""
        rules = program.rules
        if rules.quick.hands is None or not program.judges_alone:
            return None
        asked, lone = program.asked, rules.quick.hands
        held = any(name in (*asked.flags, *asked.marks, *asked.terms) for name, _ in lone.flags)
        if held or asked.others or program.has_seen_tiles or not lone.known.zones.isdisjoint(asked.zones):
            return None
        return cls(program, lone, rows, marks)

    def laid_out(self, rows: Rows, marks: Mapping[str, int]) -> list[int]:
        """What the kernel knows."""
        program, lone, asked = self.program, self.lone, self.program.asked
        numbers = [0] * KNOWN
        bonus = lone.known.bonus
        numbers[ASKS_DISCARDER] = int(bonus.asks_more)
        numbers[ASKS_BONUS] = int("bonus" in rows and (bonus.asks_more or bool(bonus.parts)))
        numbers[EXPOSES] = int(lone.exposes)
        numbers[SPECIALS] = int(lone.kernel.image[scored.SPECIALS]) if lone.specials else at.NONE
        numbers[IN_SIGHT] = at.NONE if lone.seen is None else lone.seen
        zones = self.data.zones
        numbers[OPEN_MELDS] = int("melds" in zones and zones["melds"].seen_by == "everyone")
        names = (*asked.flags, *asked.marks)
        open_rows = [0] * at.MOST_ROWS
        for zone in zones.values():
            first, of_seat = rows[zone.id]
            for seat in range(program.count if of_seat else 1):
                open_rows[first + seat] = int(zone.seen_by == "everyone")
        bits = self.bonus_bits()
        for place, more in (
            (MARKS, counted((marks[name], int(self.data.marks[name].of == "seat")) for name in names)),
            (ZONES, counted((rows[name][0], int(rows[name][1]), column) for name, column in lone.zones)),
            (OPEN, open_rows),
            (IS_SPECIAL, [int(face in lone.specials) for face in range(program.first)]),
            (BONUS_BIT, [bits.get(face, at.NONE) for face in range(program.first)]),
            (SIGNATURES, [at.NONE] * (at.MOST_SEATS << MOST_BONUS)),
            (CONTEXTS, [0] * (2 * MOST_CONTEXTS)),
        ):
            numbers[place] = len(numbers)
            numbers += more
        return numbers

    def bonus_bits(self) -> dict[int, int]:
        """The bit of each face that forms do not have: a bonus tile."""
        faces = sorted({self.program.face[tile] for tile in self.program.box})
        image = self.lone.kernel.image
        own = [face for face in faces if int(image[image[scored.PLAIN] + face]) < 0]
        return {face: bit for bit, face in enumerate(own[:MOST_BONUS])}

    # --- answers

    def judged(
        self, state: Array, image: Array, round_wind: int | None, situation: Callable[[], Situation]
    ) -> bool | None:
        """Whether the hand that the machine asks about wins; None where only a match tells. `situation`: of that hand,
        its zones and the tiles in sight aside."""
        hand = cache(situation)  # few answers need it
        while True:
            self.set_round(round_wind)
            found = judge_win.run(state, image, self.numbers, self.lone.arguments)
            if found in (NO, YES):
                return bool(found == YES)
            if found == LEFT:
                return None
            if found == SIGNATURE:
                self.sign(hand())
            elif found == CONTEXT:
                self.learn(hand())
            else:
                self.lone.learn()

    def set_round(self, wind: int | None) -> None:
        """Be ready to judge hands of a round with this wind."""
        self.numbers[ROUND] = at.NONE if wind is None else wind
        self.catch_up()

    def catch_up(self) -> None:
        """Forget what scoring has forgotten."""
        kernel = self.lone.kernel
        kernel.forget_much()
        if self.generation != kernel.generation or 2 * self.used > MOST_CONTEXTS:
            self.generation, self.used = kernel.generation, 0
            self.numbers[self.numbers[CONTEXTS] :] = 0

    def sign(self, situation: Situation) -> None:
        """Note what scoring makes of the bonus tiles that the kernel has found."""
        numbers = self.numbers
        seat, bits = int(numbers[SEAT]), int(numbers[BONUS])
        signature = seat, self.lone.kernel.bonus.signature(situation)
        number = self.signatures.setdefault(signature, len(self.signatures))
        numbers[int(numbers[SIGNATURES]) + (seat << MOST_BONUS) + bits] = number

    def learn(self, situation: Situation) -> None:
        """Note the table of the hand that was asked about."""
        context, key = self.lone.kernel.context(situation), int(self.numbers[KEY])
        spot = place_of.run(self.numbers, key)
        self.numbers[spot : spot + 2] = key, context
        self.used += 1


def counted(rows: Iterable[Iterable[int]]) -> list[int]:
    """Rows of numbers after how many they are."""
    found = [list(row) for row in rows]
    return [len(found), *(number for row in found for number in row)]


# What becomes of a hand. SIGNATURE, CONTEXT, VERDICT: what has to be found first; LEFT: only a match knows.
NO, YES, SIGNATURE, CONTEXT, VERDICT, LEFT = range(6)

# What W begins with: numbers, and where its lists begin.
(
    KEY,  # of the table that was not met
    SEAT,  # whose signature is not known, and its bonus tiles as bits
    BONUS,
    ASKS_DISCARDER,
    ASKS_BONUS,
    EXPOSES,  # whether a claimed tile exposes the part that it completes
    SPECIALS,  # the column of special tiles of melds, NONE where nothing asks for them
    IN_SIGHT,  # the column of tiles in sight like the winning one
    MARKS,  # those that scoring asks for, each with whether it is of seats, after how many there are
    ZONES,  # the zones: row, whether of seats, column; after how many there are
    OPEN,  # by row: whether everyone sees its tiles
    OPEN_MELDS,  # whether everyone sees those of melds
    IS_SPECIAL,  # by face
    BONUS_BIT,  # by face: its bit among bonus tiles
    SIGNATURES,  # by seat and bonus tiles: what scoring makes of them, as a number, NONE where that is not known
    CONTEXTS,  # the number of each table by key
    ROUND,  # the wind of the round
) = range(17)
KNOWN = 17
MOST_BONUS, MOST_CONTEXTS = 10, 8_192
PRIME = 1_099_511_628_211  # of the Fowler-Noll-Vo hash


@entry
def judge_win(S: I64, P: I64, W: I64, scoring: ScoringArrays) -> int:
    """Whether the hand that the machine asks about wins. `scoring`: what `score_one` takes."""
    image, hands, given = scoring.image, scoring.hands, scoring.given
    seat, tile, hand_row = S[at.REQUEST_SEAT], S[at.ASKED_TILE], P[at.HAND_ROW]
    if tile < 0 or S[at.WHERE + tile] == at.IN_MELDS - seat or S[at.WINNERS] or S[at.ASKED_TERMS] < 0:
        return LEFT
    own = S[at.WHERE + tile] == hand_row + seat
    self_draw = own and S[at.ASKED_DISCARDER] < 0
    signature = signature_of(S, P, W, seat)
    if signature == at.NONE:
        return SIGNATURE
    context = context_of(W, key_of(S, P, W, seat, self_draw, signature))
    if context < 0:
        return CONTEXT
    count, size = 0, S[at.LAID_SIZE + seat]
    first = scored.GIVEN + scored.HAND
    row = at.ROW + (hand_row + seat) * at.MOST_TILES
    for spot in range(S[at.ROW_START + hand_row + seat], S[at.ROW_END + hand_row + seat]):
        if S[row + spot] != tile:
            given[first + count] = P[P[at.FACE] + S[row + spot]]
            count += 1
    if 2 * size > hands.shape[1] - image[scored.MELDS]:
        return LEFT
    melds = first + count
    for meld in range(size):
        laid = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        given[melds + meld] = 2 * S[laid + at.LAID_GROUP] + S[laid + at.LAID_EXPOSED]
        if P[P[at.UNPLACED] + given[melds + meld]]:
            return LEFT
    cells = melds + size
    end = add_cells(S, P, W, seat, given, cells)
    if W[IN_SIGHT] >= 0:
        given[end], given[end + 1] = W[IN_SIGHT], in_sight(S, P, W, tile)
        end += 2
    given[scored.GIVEN_TILES], given[scored.GIVEN_MELDS], given[scored.GIVEN_CELLS] = count, size, (end - cells) // 2
    given[scored.GIVEN + scored.WIN] = P[P[at.FACE] + tile]
    given[scored.GIVEN + scored.CONTEXT] = context
    given[scored.GIVEN + scored.SHOWN] = 0 if self_draw else W[EXPOSES]
    worth = score_one(scoring)
    if worth == scored.MISSING:
        return VERDICT
    if worth < scored.NO_READING:
        return LEFT
    return YES if worth >= 0 and scoring.worths[worth + 1, scored.ENOUGH] else NO


@kernel
def signature_of(S: Array, P: Array, W: Array, seat: int) -> int:
    """What scoring makes of the bonus tiles of a seat, as a number; NONE where it has to be found first."""
    if P[at.BONUS_ROW] < 0 or not W[ASKS_BONUS]:
        return 0
    row, bits, spread = P[at.BONUS_ROW] + seat, 0, 0
    is_plain = True
    for spot in range(S[at.ROW_START + row], S[at.ROW_END + row]):
        face = P[P[at.FACE] + S[at.ROW + row * at.MOST_TILES + spot]]
        bit = W[W[BONUS_BIT] + face]
        spread += mixed(face + 1)
        if bit < 0 or bits >> bit & 1:
            is_plain = False
        else:
            bits |= 1 << bit
    if not is_plain:
        return wrapped(spread) >> 2 | 1 << 61
    W[SEAT], W[BONUS] = seat, bits
    return int(W[W[SIGNATURES] + (seat << MOST_BONUS) + bits])


@kernel
def key_of(S: Array, P: Array, W: Array, seat: int, self_draw: bool, signature: int) -> int:
    """What decides how hands of a seat score, besides their tiles and zones, as one number that is not 0."""
    is_open = 0
    for meld in range(S[at.LAID_SIZE + seat]):
        is_open |= S[at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD + at.LAID_EXPOSED]
    discarder = S[at.ASKED_DISCARDER] if W[ASKS_DISCARDER] and not self_draw else at.NONE
    key = ((W[ROUND] + 2) * at.MOST_SEATS + seat) * (at.MOST_SEATS + 1) + discarder + 1
    key = wrapped((key * 4 + 2 * self_draw + is_open) * PRIME)
    key = wrapped((key ^ S[at.ASKED_TERMS]) * PRIME)
    key = wrapped((key ^ signature) * PRIME)
    for spot in range(W[W[MARKS]]):
        mark, of_seat = W[W[MARKS] + 1 + 2 * spot], W[W[MARKS] + 2 + 2 * spot]
        place = mark * at.MOST_SEATS + (seat if of_seat else 0)
        key = wrapped((key ^ (S[at.MARK + place] + 11)) * PRIME)
        tiles = at.MARK_TILES + place * at.MARK_LIST
        for tile in range(S[tiles] + 1):
            key = wrapped((key ^ S[tiles + tile]) * PRIME)
    return int(key) if key != 0 else 1


@kernel
def context_of(W: Array, key: int) -> int:
    """The number of the table with this key, NONE where it was not met."""
    W[KEY] = key
    spot = place_of(W, key)
    return int(W[spot + 1]) if W[spot] == key else at.NONE


@entry
def place_of(W: I64, key: int) -> int:
    """Where the table of a key is known, or a free place for it."""
    spot = (key ^ key >> 23) % MOST_CONTEXTS
    while W[W[CONTEXTS] + 2 * spot] != 0 and W[W[CONTEXTS] + 2 * spot] != key:
        spot = (spot + 1) % MOST_CONTEXTS
    return int(W[CONTEXTS] + 2 * spot)


@kernel
def add_cells(S: Array, P: Array, W: Array, seat: int, given: Array, to: int) -> int:
    """What a hand says of zones and of special tiles in melds, from this place of what is given on. Where it ends."""
    for spot in range(W[W[ZONES]]):
        entry = W[ZONES] + 1 + 3 * spot
        row, column = W[entry] + (seat if W[entry + 1] else 0), W[entry + 2]
        for number in range(S[at.ROW_START + row], S[at.ROW_END + row] - P[P[at.KEEPS] + row]):
            given[to], given[to + 1] = column + P[P[at.FACE] + S[at.ROW + row * at.MOST_TILES + number]], 1
            to += 2
    for meld in range(S[at.LAID_SIZE + seat] if W[SPECIALS] >= 0 else 0):
        laid = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        for number in range(S[laid + at.LAID_COUNT]):
            tile = S[laid + at.LAID_TILES + number]
            face = P[P[at.FACE] + tile]
            if W[W[IS_SPECIAL] + face]:
                given[to], given[to + 1] = W[SPECIALS] + face, 1
                given[to + 2], given[to + 3] = W[SPECIALS] + P[P[at.PLAIN] + tile], -1
                to += 4
    return int(to)


@kernel
def in_sight(S: Array, P: Array, W: Array, win: int) -> int:
    """How many tiles like this one everyone sees, besides it."""
    everyone, found = (1 << P[at.SEATS]) - 1, 0
    for tile in range(P[at.FIRST], P[at.TILES]):
        if tile == win or P[P[at.PLAIN] + tile] != P[P[at.PLAIN] + win]:
            continue
        row = S[at.WHERE + tile]
        if S[at.SHOWN + tile] == everyone:
            found += 1
        elif row >= 0:
            found += W[W[OPEN] + row]
        elif row <= at.IN_MELDS:
            found += is_open_meld(S, P, W, at.IN_MELDS - row, tile)
    return found


@kernel
def is_open_meld(S: Array, P: Array, W: Array, seat: int, tile: int) -> int:
    """Whether everyone sees the meld of a seat that this tile is in."""
    for meld in range(S[at.LAID_SIZE + seat]):
        laid = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        for number in range(S[laid + at.LAID_COUNT]):
            if S[laid + at.LAID_TILES + number] == tile:
                seen = S[laid + at.LAID_SEEN]
                return int(W[OPEN_MELDS] if seen < 0 else seen == (1 << P[at.SEATS]) - 1)
    return 0


@entry
def claims_barred(m: Machine, seat: int, face: int) -> int:
    """Whether restrictions bar a seat from winning on a discard after it has discarded this face; now, if it holds none
    (NONE: now in any case). NONE where the machine does not tell."""
    S, P = m.S, m.P
    discarded = one_of_hand(S, P, seat, face)
    code, depth, place = P[at.BARRED_NOW if discarded < 0 else at.BARRED_AFTER], S[at.DEPTH], S[at.AT]
    if code < 0 or depth + 1 >= at.MOST_DEPTH:
        return at.NONE
    S[at.DEPTH], S[at.AT] = depth + 1, code
    begin_frame(S, seat)
    S[acting(S) + 1] = discarded
    status = run(m)
    S[at.DEPTH], S[at.AT], S[at.PROBLEM] = depth, place, 0
    return int(S[at.HOLDS]) if status == at.TRIED else at.NONE


@kernel
def one_of_hand(S: Array, P: Array, seat: int, face: int) -> int:
    """A tile of a hand that shows this face, or NONE."""
    row = P[at.HAND_ROW] + seat
    for spot in range(S[at.ROW_START + row], S[at.ROW_END + row]):
        tile = S[at.ROW + row * at.MOST_TILES + spot]
        if P[P[at.FACE] + tile] == face:
            return int(tile)
    return at.NONE
