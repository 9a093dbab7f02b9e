"""Forms and groups: whether the tiles of a seat make a form, by the tables of readings of the scoring kernel, and which
groups the seat can make (`play.choice_values`, as numbers): of the tile in question, of its hand, of a meld.

A group is one number, `layout` says how; wild tiles may stand in it. Each search is asked again and again with where it
stands: an entry of a list and a filling. Knows no ruleset and no patterns.
"""

from tilewright.base.arrays import Array
from tilewright.base.kernels import I64, entry, kernel
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.search import may_be_form
from tilewright.play.compiled.kernel.tiles import hand_tile, tile_of_hand
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


FILLINGS = (1 << at.STANDS_AT) - 1


@kernel
def holds(S: Array, P: Array, seat: int, entry: int) -> bool:
    """Whether the hand may have what an entry of a way takes, wild tiles counted."""
    wild = P[at.LISTED_FACES] + P[entry + at.ENTRY_WILD]
    found = S[at.COUNT + seat * at.MOST_FACES + P[entry + at.ENTRY_KIND]]
    for spot in range(wild + 1, wild + 1 + P[wild]):
        found += S[at.COUNT + seat * at.MOST_FACES + P[spot]]
    return bool(found >= P[entry + at.ENTRY_COUNT])


@kernel
def has_part(S: Array, P: Array, seat: int, way: int) -> bool:
    """Whether the hand may have what a way takes, by the plain tiles that it holds."""
    own = at.ALIKE + seat * at.MOST_ALIKE
    if P[way + at.WAY_ONE] & ~S[own] or P[way + at.WAY_SEVERAL] & ~S[own + P[way + at.WAY_MORE]]:
        return False
    return bool(holds(S, P, seat, way + at.WAY_ENTRY))


@kernel
def may_claim(S: Array, P: Array, seat: int, kind: int) -> bool:
    """Whether a seat may have a group of a kind with the tile in question."""
    entry = P[at.WAYS_OF] + 2 * (kind * P[at.FIRST] + P[P[at.PLAIN] + S[at.TILE]])
    lacks, first = ~S[at.ALIKE + seat * at.MOST_ALIKE], P[entry]
    for number in range(first, first + P[entry + 1]):
        if P[P[at.WAYS_ONE] + number] & lacks == 0 and has_part(S, P, seat, P[at.WAYS] + at.WAY * number):
            return True
    return False


@kernel
def ways_to_take(faces: int, number: int) -> int:
    """How many ways there are to take so many tiles of some faces."""
    found = 1
    for one in range(number):
        found = found * (faces + one) // (one + 1)
    return found


@kernel
def filled(S: Array, P: Array, seat: int, way: int, filling: int) -> int:
    """The tiles of the hand that make the way in this filling, as part of a group; NONE where the hand lacks one."""
    entries = way + at.WAY_ENTRY
    for cell in range(entries, entries + at.ENTRY * P[way + at.WAY_ENTRIES], at.ENTRY):
        if not holds(S, P, seat, cell):
            return at.NONE
    found, count, rest, radix = 0, 0, filling, P[way + at.WAY_FILLINGS]
    for cell in range(entries, entries + at.ENTRY * P[way + at.WAY_ENTRIES], at.ENTRY):
        number, faces = P[cell + at.ENTRY_COUNT], P[at.LISTED_FACES] + P[cell + at.ENTRY_FACES]
        choice, first = 0, 0
        if P[cell + at.ENTRY_FILLINGS] > 1:
            radix //= P[cell + at.ENTRY_FILLINGS]
            choice = rest // radix
            rest -= choice * radix
        for one in range(number):
            while choice > 0:
                more = ways_to_take(P[faces] - first, number - one - 1)
                if choice < more:
                    break
                choice, first = choice - more, first + 1
            face, skip = P[faces + 1 + first], 0
            for before in range(count):
                skip += P[P[at.FACE] + hand_tile(P, found, before)] == face
            tile = tile_of_hand(S, P, seat, P[at.FACE], face, skip)
            if tile < 0:
                return at.NONE
            found |= (tile - P[at.FIRST]) << (at.HAND_AT + at.TILE_BITS * count)
            count += 1
    for spot in range(count, at.HAND_TILES):
        found |= at.NO_TILE << (at.HAND_AT + at.TILE_BITS * spot)
    return int(found)


@kernel
def next_group(S: Array, P: Array, seat: int, entry: int, ways: int, claimed: int, to: int, stand: int) -> int:
    """The next group with tiles of the hand, into register `to`, in one of the `ways` that an entry names;
    `claimed`: the tile that it claims, as part of a group. Where the search stands then, NONE at its end."""
    number, filling = stand >> at.STANDS_AT, stand & FILLINGS
    while number < P[entry + 1]:
        way = ways + at.WAY * (P[entry] + number)
        most = P[way + at.WAY_FILLINGS] if has_part(S, P, seat, way) else 0
        while filling < most:
            made = filled(S, P, seat, way, filling)
            filling += 1
            if made >= 0:
                S[to] = P[way + at.WAY_GROUP] | claimed | made
                return int(number << at.STANDS_AT | filling)
        number, filling = number + 1, 0
    return at.NONE


@kernel
def next_claimed(S: Array, P: Array, seat: int, kind: int, to: int, stand: int, discarder: int) -> int:
    """The same for a group with the tile in question."""
    tile = S[at.TILE]
    entry = P[at.WAYS_OF] + 2 * (kind * P[at.FIRST] + P[P[at.PLAIN] + tile])
    S[at.CLAIMED_FROM + tile] = discarder
    return next_group(S, P, seat, entry, P[at.WAYS], (tile - P[at.FIRST]) << at.CLAIMED_AT, to, stand)


@kernel
def next_own(S: Array, P: Array, seat: int, kind: int, to: int, stand: int) -> int:
    """The same for a group of the hand."""
    return next_group(S, P, seat, P[at.NEEDS_OF] + 2 * kind, P[at.NEEDS], at.NO_TILE << at.CLAIMED_AT, to, stand)


@kernel
def holds_alike(S: Array, P: Array, seat: int, kind: int) -> bool:
    """Whether the hand has as many of one tile as the groups of a kind need, if they are of one tile."""
    least = min(P[P[at.NEEDS_SINGLE] + kind], at.MOST_ALIKE)
    return bool(least == 0 or S[at.ALIKE + seat * at.MOST_ALIKE + least - 1] != 0)


@kernel
def next_grown(S: Array, P: Array, seat: int, kind: int, onto: int, to: int, stand: int) -> int:
    """The same for a meld of kind `onto` with a tile of the hand; an entry is 16 times the meld and a way."""
    entry, filling = stand >> at.STANDS_AT, stand & FILLINGS
    meld, number = entry >> 4, entry & 15
    while meld < S[at.LAID_SIZE + seat]:
        group = S[at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD + at.LAID_GROUP]
        if P[P[at.GROUP_KINDS] + group] >> onto & 1:
            ways = P[at.GROWN_OF] + 2 * (kind * P[at.GROUPS] + group)
            while number < P[ways + 1]:
                way = P[at.GROWN] + at.WAY * (P[ways] + number)
                while filling < P[way + at.WAY_FILLINGS]:
                    made = filled(S, P, seat, way, filling)
                    filling += 1
                    if made >= 0:
                        own, which = made >> at.HAND_AT & at.NO_TILE, (at.NO_TILE ^ meld) << at.MELD_AT
                        S[to] = (P[way + at.WAY_GROUP] | own << at.CLAIMED_AT | made) ^ which
                        return int((meld << 4 | number) << at.STANDS_AT | filling)
                number, filling = number + 1, 0
        meld, number, filling = meld + 1, 0, 0
    return at.NONE
