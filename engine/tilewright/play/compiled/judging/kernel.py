"""Whether a hand on the table wins: laid out for the scoring kernel straight from the state, and judged by it.

W: what `play.compiled.judging.wins` knows of the ruleset, and the tables of scoring that were met,
by what decides them. Knows no ruleset."""

from tilewright.base.arrays import Array
from tilewright.base.kernels import I64, entry, kernel, wrapped
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.chance import mixed
from tilewright.scoring.kernel import layout as scored
from tilewright.scoring.kernel.judging import score_one
from tilewright.scoring.kernel.layout import ScoringArrays

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
