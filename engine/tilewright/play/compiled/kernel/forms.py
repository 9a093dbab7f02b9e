"""Forms: whether the tiles of a seat make one, by the tables of readings of the scoring kernel. Knows no patterns."""

from tilewright.base.arrays import Array
from tilewright.base.kernels import I64, entry, kernel
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.search import may_be_form
from tilewright.scoring.kernel import layout as scored
from tilewright.scoring.kernel.readings import place_of

NO, YES, UNKNOWN = range(3)
UNTOLD = -1  # waits that tables do not tell


@kernel
def coming_kind(S: Array, P: Array, seat: int, tile: int) -> int:
    """The plain tile of the tile in question, if it has yet to come to the hand of a seat; else NONE."""
    if tile < 0:
        return at.NONE
    row = S[at.WHERE + tile]
    own = row == P[at.HAND_ROW] + seat or row == at.IN_MELDS - seat
    return at.NONE if own else int(P[P[at.PLAIN] + tile])


@kernel
def is_form(S: Array, P: Array, image: Array, seat: int, tile: int) -> int:
    """Whether the hand of a seat with the tile in question, if it has yet to come, makes a form: YES, NO, or UNKNOWN
    where tables do not tell."""
    kind = coming_kind(S, P, seat, tile)
    block = P[P[at.BLOCK] + 2 * kind] if kind >= 0 else at.NONE
    if P[at.SEARCHES]:
        return UNKNOWN if may_be_form(S, P, image, seat, kind) else NO
    if S[at.ODD + seat] or (kind >= 0 and block < 0):
        return NO
    for meld in range(S[at.LAID_SIZE + seat]):
        spot = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        if P[P[at.UNPLACED] + 2 * S[spot + at.LAID_GROUP] + S[spot + at.LAID_EXPOSED]]:
            return UNKNOWN
    bits = completing(S, P, image, seat, tile, kind)
    if bits != UNTOLD:
        return YES if bits >> P[P[at.PLAIN] + tile] & 1 else NO
    more = P[P[at.BLOCK] + 2 * kind + 1] if block >= 0 else 0
    for lookup in range(P[at.LOOKUPS]):
        record = image[image[scored.LOOKUP_AT] + lookup]
        if fits(S, image, seat, kind, block, more, record):
            return YES if has_few_suits(S, P, seat, kind) else NO
    return NO


@kernel
def has_few_suits(S: Array, P: Array, seat: int, kind: int) -> bool:
    """Whether the tiles of a seat with one more, if there is one, are of as few suits as forms may have."""
    most = P[at.MOST_SUITS]
    if most == 0:
        return True
    suits = 0  # as bits, by the first plain tile of each
    if kind >= 0:
        suits = suit_bit(P, kind)
    for held in range(P[at.FIRST]):
        if S[at.COUNT + seat * at.MOST_FACES + held] > 0:
            suits |= suit_bit(P, held)
    for meld in range(S[at.LAID_SIZE + seat]):
        spot = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        for tile in range(S[spot + at.LAID_COUNT]):
            suits |= suit_bit(P, P[P[at.PLAIN] + S[spot + at.LAID_TILES + tile]])
    while suits and most > 0:
        suits &= suits - 1
        most -= 1
    return suits == 0


@kernel
def suit_bit(P: Array, kind: int) -> int:
    """The bit of the suit of a plain tile; none if it has no suit."""
    first = P[P[at.SUIT_FIRST] + kind]
    return 1 << first if first >= 0 else 0


@kernel
def completing(S: Array, P: Array, image: Array, seat: int, tile: int, kind: int) -> int:
    """The plain tiles that complete the hand of a seat, as bits, the tile in question aside; UNTOLD where that is not
    known. They are found once for each hand, which several tiles may come to. `kind`: that of the tile, NONE if it is
    in the hand."""
    known = at.NEAR + 2 * seat
    stands = (S[at.CHANGES + seat] - (kind < 0)) * at.MOST_MELDS + S[at.LAID_SIZE + seat]
    if S[known] == stands and (kind >= 0 or (tile >= 0 and S[at.CAME + seat] == tile)):
        return int(S[known + 1])
    if kind < 0:
        return UNTOLD
    S[known], S[known + 1] = stands, find_waits(S, P, image, seat)
    return int(S[known + 1])


@kernel
def fits(S: Array, image: Array, seat: int, kind: int, block: int, more: int, record: int) -> bool:
    """Whether the tiles make this case of a form."""
    fixed = record + scored.CASE
    tables = fixed + 2 * image[record + scored.FIXED_TILES]
    for spot in range(fixed, tables, 2):
        held = S[at.COUNT + seat * at.MOST_FACES + image[spot]] + (image[spot] == kind)
        if held < image[spot + 1]:
            return False
    blocks = image[scored.BLOCKS]
    for one in range(blocks):
        number = S[at.NUMBER + seat * at.MOST_BLOCKS + one] - image[tables + one] + (more if one == block else 0)
        start = image[image[tables + blocks + one] + scored.STARTS] + place_of(image, one, number)
        S[at.WORK + 2 * one], S[at.WORK + 2 * one + 1] = image[start], image[start + 1]
        if image[start] == image[start + 1]:
            return False
    target = image[record + scored.TARGET]
    slots = tables + 2 * blocks + image[record + scored.FIXED_PARTS]
    for meld in range(S[at.LAID_SIZE + seat]):
        spot = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        slot = image[slots + S[spot + at.LAID_GROUP]]
        if slot < 0 or (image[record + scored.CONCEALED] and S[spot + at.LAID_EXPOSED]):
            return False
        if not target >> scored.SLOT_BITS * slot & 0xFF:
            return False
        target -= 1 << scored.SLOT_BITS * slot
    return fills(S, image, tables + blocks, blocks, target)


@kernel
def fills(S: Array, image: Array, tables: int, blocks: int, target: int) -> bool:
    """Whether some choice of a row for each block fills this much. The working space has the rows of each block, and
    where each choice stands."""
    stands = at.WORK + 2 * at.MOST_BLOCKS
    for one in range(blocks):
        S[stands + one] = S[at.WORK + 2 * one]
    while True:
        filled = 0
        for one in range(blocks):
            table = image[tables + one]
            filled += image[image[table + scored.ROWS] + S[stands + one] * image[table + scored.ROW_WORDS]]
        if filled == target:
            return True
        one = 0
        while one < blocks:
            S[stands + one] += 1
            if S[stands + one] < S[at.WORK + 2 * one + 1]:
                break
            S[stands + one] = S[at.WORK + 2 * one]
            one += 1
        if one == blocks:
            return False


@entry
def waits_of(S: I64, P: I64, image: I64, seat: int, tile: int, less: int) -> int:
    """The plain tiles that complete the hand of a seat, as bits; UNTOLD where tables do not tell. A full hand waits
    without the tile in question; `less`: a tile of the hand that is left out, too."""
    row = P[at.HAND_ROW] + seat
    if less >= 0 and S[at.WHERE + less] != row:
        return UNTOLD
    size = S[at.ROW_END + row] - S[at.ROW_START + row] - (less >= 0)
    for meld in range(S[at.LAID_SIZE + seat]):
        spot = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        size += P[P[at.GROUP_SIZE] + S[spot + at.LAID_GROUP]]
        if P[P[at.UNPLACED] + 2 * S[spot + at.LAID_GROUP] + S[spot + at.LAID_EXPOSED]]:
            return UNTOLD
    question = at.NONE
    if P[at.FULL_SIZES] >> size & 1:
        if tile < 0 or tile == less or S[at.WHERE + tile] != row:
            return 0
        question = tile
    known = at.WAITED + 4 * seat
    key = (S[at.LAID_SIZE + seat] + 1) * 4 * at.MOST_TILES**2 + (question + 1) * at.MOST_TILES + less + 1
    if S[known] == S[at.CHANGES + seat] and S[known + 1] == key:
        return int(S[known + 2])
    if question >= 0:
        lift(S, P, question, seat, -1)
    if less >= 0:
        lift(S, P, less, seat, -1)
    found = 0 if S[at.ODD + seat] else find_waits(S, P, image, seat)
    if question >= 0:
        lift(S, P, question, seat, 1)
    if less >= 0:
        lift(S, P, less, seat, 1)
    S[known], S[known + 1], S[known + 2] = S[at.CHANGES + seat], key, found
    return int(found)


@kernel
def waits_without_one(S: Array, P: Array, image: Array, seat: int) -> bool:
    """Whether the hand of a seat waits once some tile of it is left out, as far as tables tell."""
    row = P[at.HAND_ROW] + seat
    for spot in range(S[at.ROW_START + row], S[at.ROW_END + row]):
        if waits_of(S, P, image, seat, at.NONE, S[at.ROW + row * at.MOST_TILES + spot]) > 0:
            return True
    return False


@kernel
def lift(S: Array, P: Array, tile: int, seat: int, by: int) -> None:
    """Count a tile less in a hand, or more again."""
    kind = P[P[at.PLAIN] + tile]
    S[at.COUNT + seat * at.MOST_FACES + kind] += by
    block = P[P[at.BLOCK] + 2 * kind]
    if block < 0:
        S[at.ODD + seat] += by
    else:
        S[at.NUMBER + seat * at.MOST_BLOCKS + block] += by * P[P[at.BLOCK] + 2 * kind + 1]


@kernel
def find_waits(S: Array, P: Array, image: Array, seat: int) -> int:
    """The plain tiles that complete the hand as it is counted, as bits; UNTOLD where it holds all copies of a tile that
    may be one."""
    found, first = 0, P[at.FIRST]
    blocks, counts = image[scored.BLOCKS], at.COUNT + seat * at.MOST_FACES
    for lookup in range(P[at.LOOKUPS]):
        record = image[image[scored.LOOKUP_AT] + lookup]
        fixed = record + scored.CASE
        tables, lacks, lacking = fixed + 2 * image[record + scored.FIXED_TILES], 0, at.NONE
        for spot in range(fixed, tables, 2):
            short = image[spot + 1] - S[counts + image[spot]]
            if short > 0:
                lacks, lacking = lacks + short, image[spot]
                if lacks > 1:
                    break
        if lacks > 1:
            continue
        stuck, several = at.NONE, False
        for block in range(blocks if lacks == 0 else 0):
            number = S[at.NUMBER + seat * at.MOST_BLOCKS + block] - image[tables + block]
            start = image[image[tables + blocks + block] + scored.STARTS] + place_of(image, block, number)
            if image[start] == image[start + 1]:
                several = stuck >= 0
                stuck = block
                if several:
                    break
        if several:
            continue
        for kind in range(first):
            if found >> kind & 1 or (lacks and kind != lacking):
                continue
            block = P[P[at.BLOCK] + 2 * kind]
            if block < 0 or (stuck >= 0 and block != stuck):
                continue
            if S[counts + kind] >= P[P[at.COPIES] + kind]:
                if P[at.WAITS_ALL]:
                    return UNTOLD
                continue
            if fits(S, image, seat, kind, block, P[P[at.BLOCK] + 2 * kind + 1], record) and has_few_suits(
                S, P, seat, kind
            ):
                found |= 1 << kind
    if not P[at.WAITS_ALL]:
        for meld in range(S[at.LAID_SIZE + seat]):
            spot = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
            for tile in range(S[spot + at.LAID_COUNT]):
                found &= ~used_up(S, P, seat, P[P[at.PLAIN] + S[spot + at.LAID_TILES + tile]])
    return int(found)


@kernel
def used_up(S: Array, P: Array, seat: int, kind: int) -> int:
    """The bit of a plain tile of which the seat holds all copies, melds included; else none."""
    return 1 << kind if copies_of(S, P, seat, kind) >= P[P[at.COPIES] + kind] else 0


@kernel
def copies_of(S: Array, P: Array, seat: int, kind: int) -> int:
    """How many of a plain tile a seat has, melds included."""
    held = S[at.COUNT + seat * at.MOST_FACES + kind]
    for meld in range(S[at.LAID_SIZE + seat]):
        spot = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        for tile in range(S[spot + at.LAID_COUNT]):
            held += P[P[at.PLAIN] + S[spot + at.LAID_TILES + tile]] == kind
    return int(held)
