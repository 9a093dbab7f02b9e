"""What a seat sees, the positions that it may come to, and how far they are from winning, also if it has several hands
out of the same tiles (`hands.divided`), over the numbers of a state.

`S`, `P`: the state and the image of a play; `M`: what players think with (`Mind`); `B`, `K`: its whole numbers, and
what it knows of the ruleset. Knows no ruleset.
"""

from typing import Any

from tilewright.base.arrays import Array
from tilewright.base.kernels import I64, entry, kernel
from tilewright.hands.distance import flat_listed as listed
from tilewright.hands.distance.flat_hand import distance_of, find_useful, look_at, look_without
from tilewright.hands.distance.flat_listed import THERE, end_of, fixed_of, free_of, kind_of, missing_of, wild_held
from tilewright.hands.distance.flat_rows import DISTANCE, USEFUL
from tilewright.hands.distance.kernels import NEVER
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.chance import mixed
from tilewright.play.compiled.kernel.tiles import claimed_of, grows_from, hand_count, hand_tile, mark_faces, tile_at
from tilewright.players.compiled.kernel import layout as bot


@kernel
def see_hand(S: Array, seat: int, B: Array, K: Array) -> int:
    """Count the tiles of the hand. How many there are."""
    size, counts = 0, at.COUNT + seat * at.MOST_FACES
    for kind in range(K[bot.KINDS]):
        B[bot.OWN + kind] = S[counts + kind]
        size += S[counts + kind]
    return int(size)


@kernel
def see_left(S: Array, P: Array, seat: int, B: Array, K: Array) -> None:
    """Count how many of each tile may still come, the hand being counted."""
    for kind in range(K[bot.KINDS]):
        B[bot.LEFT + kind] = K[K[bot.COPIES] + kind] - B[bot.OWN + kind]
    own = P[at.HAND_ROW] + seat
    for row in range(at.MOST_ROWS):
        seen = K[K[bot.SEEN] + row]
        if row == own or seen == bot.HIDDEN or not seen >> seat & 1:
            continue
        tiles = at.ROW + row * at.MOST_TILES
        for spot in range(tiles + S[at.ROW_START + row], tiles + S[at.ROW_END + row]):
            B[bot.LEFT + P[P[at.PLAIN] + S[spot]]] -= 1
    for tile in range(P[at.FIRST], P[at.TILES] if S[at.SHOWN_ANY] >> seat & 1 else P[at.FIRST]):
        row = S[at.WHERE + tile]
        if S[at.SHOWN + tile] >> seat & 1 and row >= 0 and row != own and not K[K[bot.SEEN] + row] >> seat & 1:
            B[bot.LEFT + P[P[at.PLAIN] + tile]] -= 1
    see_melds(S, P, seat, B, K, at.NONE, bot.LEFT)


@kernel
def see_melds(S: Array, P: Array, seat: int, B: Array, K: Array, owner: int, counts: int) -> None:
    """Take the tiles of melds that a seat sees off the counts by plain tile from `counts` on, but for those of `owner`
    (NONE: of all) that are OF_HAND."""
    for other in range(P[at.SEATS]):
        for meld in range(S[at.LAID_SIZE + other]):
            if other == owner and is_of_hand(S, B, other, meld):
                continue
            spot = at.LAID + (other * at.MOST_MELDS + meld) * at.MELD
            seen = S[spot + at.LAID_SEEN]
            if seen < 0:
                seen = K[K[bot.SEEN] + P[at.MELD_ROW] + other]
            for number in range(S[spot + at.LAID_COUNT]):
                tile = S[spot + at.LAID_TILES + number]
                if (seen | S[at.SHOWN + tile]) >> seat & 1:
                    B[counts + P[P[at.PLAIN] + tile]] -= 1


@kernel
def see_faces(S: Array, P: Array, seat: int, B: Array, K: Array) -> None:
    """Count the faces of the hand, and how many tiles may still come."""
    row, left = P[at.HAND_ROW] + seat, 0
    for face in range(K[bot.KINDS]):
        B[bot.OWN_FACES + face] = 0
        left += max(B[bot.LEFT + face], 0)
    for spot in range(S[at.ROW_START + row], S[at.ROW_END + row]):
        B[bot.OWN_FACES + P[P[at.FACE] + S[at.ROW + row * at.MOST_TILES + spot]]] += 1
    B[bot.UNSEEN] = max(1, left)


@kernel
def useful_left(B: Array, bits: int, kinds: int) -> int:
    """How many of these tiles may still come."""
    found = 0
    for kind in range(kinds):
        if bits >> kind & 1 and B[bot.LEFT + kind] > 0:
            found += B[bot.LEFT + kind]
    return int(found)


@kernel
def knows_barred(S: Array, seat: int, B: Array, K: Array) -> bool:
    """Whether it is known which tiles bar a hand of the seat from winning, by its marks as they are."""
    spot, bars = bot.BARRED + seat * bot.BARRED_ROW, K[bot.BARS]
    holds = B[spot] != 0
    for number in range(K[bars]):
        mark, of_seat = K[bars + 1 + 2 * number], K[bars + 2 + 2 * number]
        if B[spot + 3 + number] != S[at.MARK + mark * at.MOST_SEATS + of_seat * seat]:
            holds = False
    return bool(holds)


# --- positions


@kernel
def take_hand(S: Array, P: Array, seat: int, B: Array, K: Array) -> None:
    """Look at the hand as it is."""
    for kind in range(K[bot.KINDS]):
        B[bot.HELD + kind], B[bot.FACES + kind] = B[bot.OWN + kind], B[bot.OWN_FACES + kind]
    B[bot.GROUP] = B[bot.MORE] = B[bot.GROWN] = B[bot.GONE_FACE] = at.NONE
    B[bot.CONCEALED] = B[bot.GONE] = B[bot.IS_OPEN] = B[bot.IS_FULL] = 0
    B[bot.BAR] = B[bot.BARRED + seat * bot.BARRED_ROW + 2] if K[bot.BARS] >= 0 else 0
    for meld in range(S[at.LAID_SIZE + seat]):
        B[bot.IS_OPEN] |= S[at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD + at.LAID_EXPOSED]
    if K[bot.COUNTS_THERE]:
        see_there(S, P, seat, B, K)


@kernel
def see_there(S: Array, P: Array, seat: int, B: Array, K: Array) -> None:
    """Count how many of each plain tile there are besides the melds of a seat that are OF_HAND."""
    for kind in range(K[bot.KINDS]):
        B[THERE + kind] = K[K[bot.COPIES] + kind]
    for meld in range(S[at.LAID_SIZE + seat]):
        if not is_of_hand(S, B, seat, meld):
            continue
        spot = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        for number in range(S[spot + at.LAID_COUNT]):
            B[THERE + P[P[at.PLAIN] + S[spot + at.LAID_TILES + number]]] -= 1


@kernel
def take_group(S: Array, P: Array, seat: int, B: Array, K: Array, group: int, concealed: int) -> None:
    """Look at the hand with a group that the seat may make."""
    take_hand(S, P, seat, B, K)
    B[bot.GROUP], B[bot.CONCEALED] = group, concealed
    B[bot.MORE] = 2 * (group & at.GROUP_MASK) + 1 - concealed
    B[bot.IS_OPEN] |= 1 - concealed
    B[bot.GROWN] = grows_from(group)
    for number in range(hand_count(group)):
        tile = hand_tile(P, group, number)
        B[THERE + P[P[at.PLAIN] + tile]] -= 1
        lose_face(B, K, P[P[at.FACE] + tile])
    claimed = claimed_of(P, group)
    if claimed >= 0 and B[bot.GROWN] < 0:
        B[THERE + P[P[at.PLAIN] + claimed]] -= 1
    see_full(S, P, seat, B, K)


@kernel
def take_swap(S: Array, P: Array, seat: int, B: Array, K: Array, given: int, taken: int) -> None:
    """Look at the hand with a tile of it exchanged for one elsewhere, perhaps of an own meld."""
    take_hand(S, P, seat, B, K)
    lose_face(B, K, P[P[at.FACE] + given])
    B[bot.HELD + P[P[at.PLAIN] + taken]] += 1
    B[bot.FACES + P[P[at.FACE] + taken]] += 1
    if S[at.WHERE + taken] == at.IN_MELDS - seat:
        B[THERE + P[P[at.PLAIN] + taken]] += 1
        B[THERE + P[P[at.PLAIN] + given]] -= 1
    see_full(S, P, seat, B, K)


@kernel
def take_option(S: Array, P: Array, seat: int, B: Array, K: Array, option: int) -> int:
    """Look at the hand after an option that makes a group, or exchanges two tiles: what that does (bits); else 0."""
    effect = K[K[bot.EFFECTS] + S[option]]
    if not effect & (bot.MAKES_MELD | bot.SWAPS):
        return 0
    if effect & bot.MAKES_MELD:
        take_group(S, P, seat, B, K, S[option + 1], 1 if effect & bot.IS_CONCEALED else 0)
        B[bot.MORE_HAND] = S[option + 3] if K[bot.HANDS] > 1 else 1
    else:
        take_swap(S, P, seat, B, K, S[option + 1], S[option + 3])
    return int(effect)


@kernel
def lose_face(B: Array, K: Array, face: int) -> None:
    """Look at the hand with one tile less."""
    B[bot.HELD + K[K[bot.PLAIN] + face]] -= 1
    B[bot.FACES + face] -= 1
    B[bot.GONE] += 1
    B[bot.GONE_FACE] = face


@kernel
def see_full(S: Array, P: Array, seat: int, B: Array, K: Array) -> None:
    """Note whether the position has as many tiles as a form, so that one must go."""
    size = P[P[at.GROUP_SIZE] + B[bot.MORE] // 2] if B[bot.MORE] >= 0 else 0
    for kind in range(K[bot.KINDS]):
        size += B[bot.HELD + kind]
    for meld in range(S[at.LAID_SIZE + seat]):
        if meld != B[bot.GROWN]:
            size += P[P[at.GROUP_SIZE] + S[at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD + at.LAID_GROUP]]
    B[bot.IS_FULL] = P[at.FULL_SIZES] >> size & 1


# --- how far they are


@kernel
def plan_of(S: Array, seat: int, M: Any, which: int) -> int:
    """The plan for the melds of a seat in the position that is looked at; `which`: 0 to any form, else one more than
    the aim. WAITS where it is yet to be made."""
    if M.known[bot.HANDS] > 1:
        return divided_plan(S, seat, M)
    return plan_with(S, seat, M, which + bot.OF_ONE_BAR * M.own[bot.BAR], M.own[bot.MORE], M.own[bot.GROWN])


@kernel
def divided_plan(S: Array, seat: int, M: Any) -> int:
    """The rows that are nearest to all open hands of a seat together, in the position that is looked at. WAITS where
    the plan of a hand is yet to be made."""
    A, B, hands = M.ways, M.own, 0
    for number in range(1, M.known[bot.HANDS] + 1):
        if S[at.CLOSED + seat] >> number & 1:
            continue
        B[bot.OF_HAND] = number
        plan = plan_with(S, seat, M, bot.OF_ONE_BAR * B[bot.BAR], B[bot.MORE], B[bot.GROWN])
        B[bot.OF_HAND] = 0
        if plan < 0:
            return int(plan)
        lists = plan + 1 + A[plan]
        B[bot.LIST_AT] = A[lists + 1]
        find_near(A, B, A[lists + 1], hands)
        hands += 1
    B[bot.TOGETHER] = join(A, B, B[bot.LIST_AT], hands) if hands else NEVER
    B[bot.JOINED_SIZE] = B[bot.JOINED_SIZE] if hands else 0
    return bot.KNOWN_NOW


@kernel
def is_of_hand(S: Array, B: Array, seat: int, meld: int) -> bool:
    """Whether a meld of a position is OF_HAND."""
    if B[bot.OF_HAND] == 0:
        return True
    if meld == S[at.LAID_SIZE + seat]:
        return bool(B[bot.MORE_HAND] == B[bot.OF_HAND])
    return bool(S[at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD + at.LAID_HAND] == B[bot.OF_HAND])


@kernel
def plan_with(S: Array, seat: int, M: Any, approach: int, more: int, grown: int) -> int:
    """The plan of an approach for the melds of a seat without one of them, and with one more (NONE: without or with
    none). WAITS where it is yet to be made."""
    B, melds, count = M.own, bot.MELDS + 1, 0
    classes = B[bot.CLASSES + approach]
    B[bot.QUESTION], B[bot.QUESTION + 1], B[bot.QUESTION + 2] = bot.PLAN, 0, approach
    if classes == 0:
        return bot.WAITS
    key = approach + 1
    for meld in range(S[at.LAID_SIZE + seat] + (more >= 0)):
        if meld == grown or not is_of_hand(S, B, seat, meld):
            continue
        if meld == S[at.LAID_SIZE + seat]:
            found = more
        else:
            spot = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
            found = 2 * S[spot + at.LAID_GROUP] + S[spot + at.LAID_EXPOSED]
        spot = count
        kind = M.ways[classes + found]
        while spot > 0 and M.ways[classes + B[melds + spot - 1]] > kind:
            B[melds + spot] = B[melds + spot - 1]
            spot -= 1
        B[melds + spot] = found
        count += 1
    if count > bot.MOST_LAID:
        return bot.UNSAID
    B[bot.MELDS] = count
    for number in range(count):
        key = key * bot.MOST_CLASSES + M.ways[classes + B[melds + number]] + 1
    used_up = B[bot.NEEDED + approach] if count else 0
    if used_up:
        used_up = used_up_by(B, M.known, used_up)
    if used_up:
        key ^= mixed(used_up) >> 4 & (1 << 60) - 1
    spot = spot_of(M.plans, key)
    if M.plans[2 * spot] == key:
        return int(M.plans[2 * spot + 1])
    B[bot.QUESTION + 1] = key
    return bot.WAITS


@kernel
def used_up_by(B: Array, K: Array, kinds: int) -> int:
    """Of these kinds (bits) those of which the melds of a plan have every copy."""
    seen, found = 0, 0
    for meld in range(bot.MELDS + 1, bot.MELDS + 1 + B[bot.MELDS]):
        tiles = K[bot.TILES_OF] + B[meld] // 2 * bot.GROUP_TILES
        for spot in range(tiles, tiles + bot.GROUP_TILES):
            seen |= 1 << K[spot] if K[spot] >= 0 else 0
    for kind in range(K[bot.KINDS] if seen & kinds else 0):
        if not (seen & kinds) >> kind & 1:
            continue
        left = K[K[bot.COPIES] + kind]
        for meld in range(bot.MELDS + 1, bot.MELDS + 1 + B[bot.MELDS]):
            tiles = K[bot.TILES_OF] + B[meld] // 2 * bot.GROUP_TILES
            for spot in range(tiles, tiles + bot.GROUP_TILES):
                left -= K[spot] == kind
        if left <= 0:
            found |= 1 << kind
    return int(found)


@entry
def spot_of(H: I64, key: int) -> int:
    """Where the plan of a key is, or a free place for it."""
    spot = (key ^ key >> 17 ^ key >> 31) % bot.PLANS
    while H[2 * spot] != 0 and H[2 * spot] != key:
        spot = (spot + 1) % bot.PLANS
    return int(spot)


@kernel
def look(M: Any, plan: int) -> int:
    """How far the tiles held are; the kinds that bring them nearer under USEFUL, how far by each way under FAR."""
    return look_at(M.ways, M.rows, M.places, M.own, plan, bot.HELD)


@kernel
def distance_held(M: Any, plan: int) -> int:
    """How far the tiles held are, by each way under FAR."""
    if M.known[bot.HANDS] > 1:
        return int(M.own[bot.TOGETHER])
    return distance_of(M.ways, M.rows, M.places, M.own, plan, bot.HELD)


@kernel
def useful_held(M: Any, plan: int, distance: int) -> int:
    """The kinds that bring the tiles held nearer, as bits; how far they are has just been found."""
    if M.known[bot.HANDS] > 1:
        return useful_together(M, distance)
    find_useful(M.ways, M.rows, M.places, M.own, plan, bot.HELD, distance)
    return int(M.own[USEFUL])


@kernel
def look_without_each(M: Any, plan: int, wanted: int, most: int) -> int:
    """How far the tiles held are without one of each of these kinds (bits), under DISTANCE; for the nearest of them the
    kinds that bring them nearer, under USEFUL, if they are no further than `most`. The least distance."""
    if M.known[bot.HANDS] > 1:
        return look_without_kinds(M, wanted, most)
    return look_without(M.ways, M.rows, M.places, M.own, plan, bot.HELD, M.known[bot.KINDS], wanted, most)


@kernel
def distance_without(M: Any, plan: int, kind: int) -> int:
    """How far the tiles held are without one of this kind."""
    if M.known[bot.HANDS] > 1:
        return look_without_kind(M, kind, False)
    M.own[bot.HELD + kind] -= 1
    found = look(M, plan)
    M.own[bot.HELD + kind] += 1
    return found


@kernel
def kinds_held(B: Array, kinds: int) -> int:
    """The plain tiles held, as bits."""
    found = 0
    for kind in range(kinds):
        if B[bot.HELD + kind] > 0:
            found |= 1 << kind
    return int(found)


# --- moves


@kernel
def option_at(S: Array, seat: int, number: int) -> int:
    """Where the option of a move is that stands for itself."""
    option = at.OPTION + 4 * S[at.OPTION_FIRST + 2 * seat]
    while number > 0 or S[option + 1] == at.OWN_TILES:
        number -= S[option + 1] != at.OWN_TILES
        option += 4
    return int(option)


@kernel
def discarded(S: Array, P: Array, seat: int, K: Array, number: int, singles: int) -> int:
    """The tile that a move discards; NONE if it does not."""
    if number < singles:
        option = option_at(S, seat, number)
        return int(S[option + 1]) if K[K[bot.EFFECTS] + S[option]] & bot.DISCARDS else at.NONE
    number -= singles
    mark_faces(S, P, seat)
    bits, place = S[at.HELD + seat], 0
    while not bits >> place & 1 or number > 0:
        number -= bits >> place & 1
        place += 1
    return int(tile_at(S, P, seat, place, 1))


NO_ROW = 0  # in the place of the row of a second hand


@kernel
def find_near(A: Array, B: Array, place: int, number: int) -> None:
    """Find the rows that are nearest to one hand, as if it had all tiles for itself: of equals the first."""
    wild, rows = wild_held(A, B, place, bot.HELD), A[place + listed.ROWS]
    for missing in range(bot.MOST_FAR_ROWS):
        B[bot.FAR_ROWS + missing] = 0
    for row in range(rows):
        missing = missing_of(A, B, A[place + listed.STARTS + row], bot.HELD, wild, bot.MOST_FAR_ROWS - 1)
        B[listed.MISSING + row] = missing
        if missing < bot.MOST_FAR_ROWS:
            B[bot.FAR_ROWS + missing] += 1
    last, before = 0, 0
    while last < bot.MOST_FAR_ROWS - 1 and before + B[bot.FAR_ROWS + last] < bot.MOST_NEAR:
        before += B[bot.FAR_ROWS + last]
        last += 1
    left, count, near = bot.MOST_NEAR - before, 0, bot.NEAR + number * bot.MOST_NEAR
    for row in range(rows):
        missing = B[listed.MISSING + row]
        if missing < last or (missing == last and left > 0):
            left -= missing == last
            B[near + count] = A[place + listed.STARTS + row]
            count += 1
    B[bot.NEAR_SIZE + number] = count


@kernel
def join(A: Array, B: Array, place: int, hands: int) -> int:
    """Join the nearest rows of one hand or two, and keep those that may be nearest with one tile less. How far the
    nearest are."""
    least, count = NEVER, 0
    for one in range(B[bot.NEAR_SIZE]):
        for other in range(B[bot.NEAR_SIZE + 1] if hands > 1 else 1):
            row, second = B[bot.NEAR + one], B[bot.NEAR + bot.MOST_NEAR + other] if hands > 1 else NO_ROW
            missing = missing_together(A, B, place, row, second, least + 1)
            if missing <= least + 1:
                joined = bot.JOINED + 3 * count
                B[joined], B[joined + 1], B[joined + 2] = row, second, missing
                count += 1
                least = min(least, missing)
    kept = 0
    for spot in range(count):
        joined, to = bot.JOINED + 3 * spot, bot.JOINED + 3 * kept
        if B[joined + 2] <= least + 1:
            B[to], B[to + 1], B[to + 2] = B[joined], B[joined + 1], B[joined + 2]
            kept += 1
    B[bot.JOINED_SIZE] = kept
    return int(least)


@kernel
def entry_like(A: Array, row: int, kind: int) -> int:
    """What a row has of a kind, 0 if nothing."""
    if row != NO_ROW:
        for one in range(row + listed.ENTRIES, end_of(A, row)):
            if kind_of(A[one]) == kind:
                return int(A[one])
    return 0


@kernel
def missing_together(A: Array, B: Array, place: int, row: int, second: int, most: int) -> int:
    """How many tiles two rows miss together, or one; NEVER if more than so many."""
    lacks, places = 0, -wild_held(A, B, place, bot.HELD)
    for spot in range(row + listed.ENTRIES, end_of(A, row)):
        kind = kind_of(A[spot])
        like = entry_like(A, second, kind)
        spare = B[bot.HELD + kind] - fixed_of(A[spot]) - fixed_of(like)
        lacks -= min(spare, 0)
        places += max(free_of(A[spot]) + free_of(like) - max(spare, 0), 0)
    for spot in range(second + listed.ENTRIES, end_of(A, second) if second != NO_ROW else 0):
        kind = kind_of(A[spot])
        if entry_like(A, row, kind) == 0:
            spare = B[bot.HELD + kind] - fixed_of(A[spot])
            lacks -= min(spare, 0)
            places += max(free_of(A[spot]) - max(spare, 0), 0)
            if lacks > most:
                return NEVER
    found = lacks + max(places, 0)
    return int(found if found <= most else NEVER)


@kernel
def lowering_together(A: Array, B: Array, place: int, row: int, second: int) -> int:
    """The kinds that bring the tiles nearer to two rows together, as bits."""
    lacking, short, places, wild = 0, 0, 0, wild_held(A, B, place, bot.HELD)
    for one in range(row + listed.ENTRIES, end_of(A, row)):
        kind = kind_of(A[one])
        like = entry_like(A, second, kind)
        spare = B[bot.HELD + kind] - fixed_of(A[one]) - fixed_of(like)
        free = free_of(A[one]) + free_of(like) - max(spare, 0)
        lacking |= int(spare < 0) << kind
        short |= int(free > 0) << kind
        places += max(free, 0)
    for one in range(second + listed.ENTRIES, end_of(A, second) if second != NO_ROW else 0):
        kind = kind_of(A[one])
        if entry_like(A, row, kind) == 0:
            spare = B[bot.HELD + kind] - fixed_of(A[one])
            free = free_of(A[one]) - max(spare, 0)
            lacking |= int(spare < 0) << kind
            short |= int(free > 0) << kind
            places += max(free, 0)
    return int(lacking | short | A[place + listed.WILD] if places > wild else lacking)


@kernel
def useful_together(M: Any, distance: int) -> int:
    """The kinds that bring the tiles nearer to the joined rows that are this far, as bits."""
    A, B, found = M.ways, M.own, 0
    for spot in range(B[bot.JOINED_SIZE] if distance else 0):
        joined = bot.JOINED + 3 * spot
        if B[joined + 2] == distance:
            found |= lowering_together(A, B, B[bot.LIST_AT], B[joined], B[joined + 1])
    return int(found)


@kernel
def look_without_kind(M: Any, kind: int, useful: bool) -> int:
    """How far the tiles are without one of this kind, and what brings them nearer then, under USEFUL, if that is
    wanted."""
    A, B, least, found = M.ways, M.own, NEVER, 0
    B[bot.HELD + kind] -= 1
    for spot in range(B[bot.JOINED_SIZE]):
        joined = bot.JOINED + 3 * spot
        missing = missing_together(A, B, B[bot.LIST_AT], B[joined], B[joined + 1], least)
        if missing < least:
            least, found = missing, 0
        if useful and missing == least and 0 < least < NEVER:
            found |= lowering_together(A, B, B[bot.LIST_AT], B[joined], B[joined + 1])
    B[bot.HELD + kind] += 1
    B[USEFUL + kind] = found
    return int(least)


@kernel
def look_without_kinds(M: Any, wanted: int, most: int) -> int:
    """How far the tiles are without one of each of these kinds (bits), under DISTANCE; for the nearest of them the
    kinds that bring them nearer, under USEFUL, if they are no further than `most`. The least distance."""
    B, least = M.own, NEVER
    for kind in range(M.known[bot.KINDS]):
        if wanted >> kind & 1:
            B[DISTANCE + kind] = look_without_kind(M, kind, most >= 0)
            least = min(least, B[DISTANCE + kind])
    return int(least)
