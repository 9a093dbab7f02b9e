"""The search for forms: whether the tiles of a seat may be one, where no table tells it (`play.form_search`).

Knows no ruleset."""

from tilewright.base.arrays import Array
from tilewright.base.kernels import I64, entry, kernel
from tilewright.play import form_search as form
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.tiles import count_bits, is_bare_hand, is_exposed, meld_of

LEFT, LEADS, NEXT, TAKEN = at.WORK, at.WORK + 64, at.WORK + 96, at.WORK + 128  # of the working space
MOST_PARTS = 32
NEVER = 99  # tiles that a hand lacks
LAST_BIT = 60  # records from this number on share a bit


@entry
def may_be_form(S: I64, P: I64, image: I64, seat: int, kind: int) -> bool:
    """Whether the hand of a seat, with one more plain tile (NONE: as it is), may be a form; where it makes several, one
    of them."""
    if P[at.HANDS] > 1:
        return may_be_divided(S, P, image, seat, kind)
    if not may_be_complete(S, P, image, seat, kind):
        return False
    records, exposed = image[0], is_exposed(S, seat, at.NONE)
    held = S[at.ALIKE + seat * at.MOST_ALIKE] | (1 << kind if kind >= 0 else 0)
    found = S[at.LOOKED + at.LOOKED_ROW * seat + 3]
    for number in range(image[records]):
        record = image[records + 1 + number]
        if not found >> min(number, LAST_BIT) & 1:
            continue
        if image[record + form.KIND] == form.COVERED and held & ~image[record + form.USES]:
            continue
        if is_record(S, P, image, record, seat, kind, exposed):
            return True
    return False


@kernel
def may_be_complete(S: Array, P: Array, image: Array, seat: int, kind: int) -> bool:
    """The same, judged only by how many of each tile the hand has. If the hand has drawn a tile since it was looked at,
    it may be a form if that tile may have completed it."""
    known, came = at.LOOKED + at.LOOKED_ROW * seat, S[at.CAME + seat]
    if kind < 0 and came >= 0 and S[known] == S[at.CHANGES + seat]:
        return bool(S[known + 1] >> P[P[at.PLAIN] + came] & 1)
    known = look_at_hand(S, image, seat)
    return bool(S[known] >> kind & 1 if kind >= 0 else S[known + 1])


@kernel
def look_at_hand(S: Array, image: Array, seat: int) -> int:
    """Where it is known which plain tiles may complete the hand of a seat, as bits; then whether it may be a form as it
    is; then for which records one of these holds, as bits. Judged once for each hand, only by how many of each tile it
    has."""
    known, records = at.LOOKED + at.LOOKED_ROW * seat, image[0]
    if S[known] != S[at.CHANGES + seat] + 1:
        completing, complete, found = 0, 0, 0
        for number in range(image[records]):
            S[known + 1] = S[known + 2] = 0
            look_at_record(S, image, image[records + 1 + number], seat, known + 1)
            if S[known + 1] or S[known + 2]:
                completing, complete = completing | S[known + 1], complete | S[known + 2]
                found |= 1 << min(number, LAST_BIT)
        S[known], S[known + 1], S[known + 2], S[known + 3] = S[at.CHANGES + seat] + 1, completing, complete, found
    return known + 1


@kernel
def look_at_record(S: Array, image: Array, record: int, seat: int, known: int) -> None:
    """Add what may complete a hand to a form to what is known."""
    if image[record + form.KIND] != form.COVERED:
        S[known], S[known + 1] = -1, 1
        return
    if S[at.ALIKE + seat * at.MOST_ALIKE] & ~image[record + form.USES]:
        return
    slot = slot_of_melds(S, image, record, seat)
    if slot == form.UNCLEAR:
        S[known], S[known + 1] = S[known] | image[record + form.USES], 1
    elif slot != form.NOWHERE and image[record + form.SUMS]:
        look_at_sums(S, image, image[record + form.SUMS], at.ALIKE + seat * at.MOST_ALIKE, known)
    elif slot != form.NOWHERE:
        look_at_fixed(S, image, record, at.COUNT + seat * at.MOST_FACES, known)


@kernel
def slot_of_melds(S: Array, image: Array, record: int, seat: int) -> int:
    """NOWHERE if a meld of a seat is in no slot of a case, UNCLEAR if it is not known of one in which it is."""
    found, concealed, slots = 0, image[record + form.CONCEALED], image[record + form.SLOT_OF]
    for meld in range(S[at.LAID_SIZE + seat]):
        laid = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        slot = image[slots + S[laid + at.LAID_GROUP]]
        if slot == form.NOWHERE or (concealed and S[laid + at.LAID_EXPOSED]):
            return form.NOWHERE
        if slot == form.UNCLEAR:
            found = form.UNCLEAR
    return found


@kernel
def look_at_fixed(S: Array, image: Array, record: int, counts: int, known: int) -> None:
    """The same by the fixed tiles of a case, of which a hand may lack one."""
    lacks, found, fixed = 0, image[record + form.USES], image[record + form.FIXED]
    for spot in range(fixed + 1, fixed + 1 + 2 * image[fixed], 2):
        short = image[spot + 1] - S[counts + image[spot]]
        if short > 0:
            lacks, found = lacks + short, 1 << image[spot]
            if lacks > 1:
                return
    S[known] |= found
    if lacks == 0:
        S[known + 1] = 1


@kernel
def look_at_sums(S: Array, image: Array, sums: int, own: int, known: int) -> None:
    """The same by how many tiles the hand has in each part of the tile set that no group joins to another one. Only one
    part may lack a tile."""
    held, wild, fits = S[own], image[sums + form.SUMS_WILD], image[sums + form.SUMS_FIT]
    part = image[sums + (form.SUMS_JOINED if held & wild else form.SUMS_PARTS)]
    single = image[part + form.PARTS_SINGLE]
    odd = single & has_number(S, own, ~fits)
    if odd & (odd - 1):
        return
    odds, found = int(odd != 0), (odd if odd else single) & has_number(S, own, fits >> 1)
    for spot in range(part + form.PARTS, part + form.PARTS + image[part + form.PARTS_NUMBER]):
        count = 0
        for alike in range(at.MOST_ALIKE):
            count += count_bits(S[own + alike] & image[spot])
        more = image[spot] if fits >> (count + 1) & 1 else 0
        if fits >> count & 1:
            found |= 0 if odds else more
        else:
            odds, found = odds + 1, more
            if odds == 2:
                return
    S[known] |= found if held & wild else found | wild
    if odds == 0:
        S[known + 1] = 1


@kernel
def has_number(S: Array, own: int, numbers: int) -> int:
    """The plain tiles of which a hand has one of some numbers (bits, from none on), as bits."""
    found = ~S[own] if numbers & 1 else 0
    for alike in range(at.MOST_ALIKE):
        if numbers >> (alike + 1) & 1:
            found |= S[own + alike] & ~(S[own + alike + 1] if alike + 1 < at.MOST_ALIKE else 0)
    return int(found)


@kernel
def is_record(S: Array, P: Array, image: Array, record: int, seat: int, kind: int, exposed: int) -> bool:
    """The same for one record; `exposed`: whether a meld is."""
    if exposed and image[record + form.CONCEALED]:
        return False
    what = image[record + form.KIND]
    if what == form.COVERED:
        return is_covered(S, P, image, record, seat, kind)
    return bool(what == form.ANYTHING or is_listed(S, P, image, record, seat, kind, exposed))


@kernel
def is_covered(S: Array, P: Array, image: Array, record: int, seat: int, kind: int) -> bool:
    """Whether the tiles may fill the slots of a case. Where melds may lie inside its groups, their tiles do it with
    those of the hand. The counts of the hand change meanwhile."""
    target, slots = image[record + form.TARGET], image[record + form.SLOT_OF]
    hosts, counts = image[record + form.HOSTS], at.COUNT + seat * at.MOST_FACES
    for meld in range(S[at.LAID_SIZE + seat]):
        slot = image[slots + S[at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD + at.LAID_GROUP]]
        if slot == form.UNCLEAR:
            return True
        if slot == form.NOWHERE:
            return False
        if not hosts:
            if not target >> form.SLOT_BITS * slot & 0xFF:
                return False
            target -= 1 << form.SLOT_BITS * slot
    fixed = image[record + form.FIXED]
    for spot in range(fixed + 1, fixed + 1 + 2 * image[fixed], 2):
        if S[counts + image[spot]] + (image[spot] == kind) < image[spot + 1]:
            return False
    if kind >= 0:
        S[counts + kind] += 1
    add_fixed(S, image, fixed, counts, -1)
    if hosts:
        add_melds(S, P, seat, counts, 1)
    found = covers(S, image, record, target, counts)
    if hosts:
        add_melds(S, P, seat, counts, -1)
    add_fixed(S, image, fixed, counts, 1)
    if kind >= 0:
        S[counts + kind] -= 1
    return found


@kernel
def add_fixed(S: Array, image: Array, fixed: int, counts: int, by: int) -> None:
    """Count fixed tiles, or those of an option, again, or take them away."""
    for spot in range(fixed + 1, fixed + 1 + 2 * image[fixed], 2):
        S[counts + image[spot]] += by * image[spot + 1]


@kernel
def add_melds(S: Array, P: Array, seat: int, counts: int, by: int) -> None:
    """Count the tiles of melds like those of the hand, or no longer."""
    for meld in range(S[at.LAID_SIZE + seat]):
        laid = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        for number in range(S[laid + at.LAID_COUNT]):
            S[counts + P[P[at.PLAIN] + S[laid + at.LAID_TILES + number]]] += by


@kernel
def covers(S: Array, image: Array, record: int, target: int, counts: int) -> bool:
    """Whether some options use up the tiles that are counted, and fill what slots have left. The tile that comes first
    in the order goes into each option that begins with it. The counts are afterwards as before."""
    order, options = image[record + form.ORDER], image[record + form.OPTIONS]
    depth, found = 0, False
    S[LEADS] = S[NEXT] = 0
    while depth >= 0:
        lead = S[LEADS + depth]
        while lead < image[order] and S[counts + image[order + 1 + lead]] == 0:
            lead += 1
        found = found or (lead == image[order] and target == 0)
        taken = at.NONE
        if not found and lead < image[order] and target and depth < MOST_PARTS - 1:
            S[LEADS + depth] = lead
            listed = image[options + lead]
            while taken < 0 and S[NEXT + depth] < image[listed]:
                option = image[listed + 1 + S[NEXT + depth]]
                S[NEXT + depth] += 1
                if has_room(S, image, option, target, counts):
                    taken = option
        if taken < 0:
            depth -= 1
            if depth >= 0:
                add_fixed(S, image, S[TAKEN + depth] + form.OPTION_TILES, counts, 1)
                target += 1 << form.SLOT_BITS * image[S[TAKEN + depth] + form.OPTION_SLOT]
            continue
        add_fixed(S, image, taken + form.OPTION_TILES, counts, -1)
        target -= 1 << form.SLOT_BITS * image[taken + form.OPTION_SLOT]
        S[TAKEN + depth] = taken
        depth += 1
        S[LEADS + depth], S[NEXT + depth] = lead, 0
    return found


@kernel
def has_room(S: Array, image: Array, option: int, target: int, counts: int) -> bool:
    """Whether the slot of an option is not full, and the tiles are there."""
    if not target >> form.SLOT_BITS * image[option + form.OPTION_SLOT] & 0xFF:
        return False
    first = option + form.OPTION
    for spot in range(first, first + 2 * image[option + form.OPTION_TILES], 2):
        if S[counts + image[spot]] < image[spot + 1]:
            return False
    return True


@kernel
def is_listed(S: Array, P: Array, image: Array, record: int, seat: int, kind: int, exposed: int) -> bool:
    """Whether the tiles may be a hand of a list, wild ones as whatever is missing."""
    bits, size, wild = 0, 0, image[record + form.WILD]
    row, alike = P[at.HAND_ROW] + seat, image[record + form.ALIKE]
    for spot in range(S[at.ROW_START + row], S[at.ROW_END + row]):
        bits |= 1 << P[P[at.PLAIN] + S[at.ROW + row * at.MOST_TILES + spot]]
        size += 1
    if kind >= 0:
        bits |= 1 << kind
        size += 1
    bits &= ~wild
    for meld in range(S[at.LAID_SIZE + seat]):
        group = S[at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD + at.LAID_GROUP]
        if image[alike + 2 * group] < 0:
            return False
        bits |= 1 << image[alike + 2 * group]
        size += image[alike + 2 * group + 1]
    if count_bits(bits) > image[record + form.MOST_TILES]:
        return False
    listed, places = image[record + form.BITS], image[record + form.PLACES]
    for number in range(image[record + form.ROWS]):
        if bits & ~image[listed + number]:
            continue
        hand = image[places + number]
        if image[hand + form.ROW_SIZE] != size or (exposed and image[hand + form.ROW_CONCEALED]):
            continue
        if has_places(S, P, image, record, hand, seat, kind):
            return True
    return False


@kernel
def tiles_of(image: Array, record: int, kind: int) -> int:
    """A tile, or the tiles of a choice, as bits."""
    choice = kind - image[record + form.FIRST_CHOICE]
    return int(image[image[record + form.CHOICES] + choice] if choice >= 0 else 1 << kind)


@kernel
def has_places(S: Array, P: Array, image: Array, record: int, hand: int, seat: int, kind: int) -> bool:
    """Whether a listed hand has enough of each tile, and a set for each meld."""
    first, alike = hand + form.ROW, image[record + form.ALIKE]
    sets = first + 2 * image[hand + form.ROW_TILES]
    for spot in range(first, sets, 2):
        own, tile, different = tiles_of(image, record, image[spot]), 0, 0
        while own:
            if own & 1:
                held = S[at.COUNT + seat * at.MOST_FACES + tile] + (tile == kind)
                for meld in range(S[at.LAID_SIZE + seat]):
                    group = alike + 2 * S[at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD + at.LAID_GROUP]
                    if image[group] == tile:
                        held += image[group + 1]
                different += held > 0
                if held > image[spot + 1] or different > 1:
                    return False
            own, tile = own >> 1, tile + 1
    return has_sets(S, image, record, sets, seat, 1)


@kernel
def has_sets(S: Array, image: Array, record: int, sets: int, seat: int, number: int) -> bool:
    """Whether a listed hand has a set for each meld of the hand of this number."""
    alike = image[record + form.ALIKE]
    for meld in range(S[at.LAID_SIZE + seat]):
        laid = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        if S[laid + at.LAID_HAND] != number:
            continue
        own = alike + 2 * S[laid + at.LAID_GROUP]
        left, tiles = 0, 0
        for spot in range(sets + 1, sets + 1 + form.SET * image[sets], form.SET):
            if image[own] >= 0 and image[spot + 1] == image[own + 1]:
                some = tiles_of(image, record, image[spot])
                left, tiles = left + (some >> image[own] & 1), tiles | (some if some >> image[own] & 1 else 0)
        for other in range(meld + 1):
            beside = at.LAID + (seat * at.MOST_MELDS + other) * at.MELD
            one = alike + 2 * S[beside + at.LAID_GROUP]
            same = image[one] >= 0 and tiles >> image[one] & 1 and image[one + 1] == image[own + 1]
            left -= same and S[beside + at.LAID_HAND] == number
        if left < 0 or tiles == 0:
            return False
    return True


# --- seats that make several hands, any of their tiles


@kernel
def may_be_divided(S: Array, P: Array, image: Array, seat: int, kind: int) -> bool:
    """Whether some tiles of a seat, with one more plain tile among them if there is one, are a hand of a list with the
    melds of one of its open hands."""
    bare = False
    for number in range(1, P[at.HANDS] + 1):
        is_bare = is_bare_hand(S, seat, number)
        if S[at.CLOSED + seat] >> number & 1 or (is_bare and bare):
            continue
        bare = bare or is_bare
        for record in range(image[image[0]]):
            if has_listed(S, P, image, image[image[0] + 1 + record], seat, kind, number):
                return True
    return False


@kernel
def has_listed(S: Array, P: Array, image: Array, record: int, seat: int, kind: int, number: int) -> bool:
    """The same for one list and one hand."""
    wild, alike, exposed = image[record + form.WILD], image[record + form.ALIKE], 0
    held, helpers = S[at.ALIKE + seat * at.MOST_ALIKE] | (1 << kind if kind >= 0 else 0), 0
    for helper in range(P[at.FIRST]):
        if wild >> helper & 1:
            helpers += S[at.COUNT + seat * at.MOST_FACES + helper] + (helper == kind)
    for meld in range(S[at.LAID_SIZE + seat]):
        laid = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        if S[laid + at.LAID_HAND] == number:
            group = alike + 2 * S[laid + at.LAID_GROUP]
            if image[group] < 0:
                return False
            held |= 1 << image[group]
            exposed |= S[laid + at.LAID_EXPOSED]
    listed, places = image[record + form.BITS], image[record + form.PLACES]
    for row in range(image[record + form.ROWS]):
        bits = image[listed + row]
        if (kind >= 0 and not (bits | wild) >> kind & 1) or count_bits(bits & ~held) > helpers:
            continue
        hand = image[places + row]
        if exposed and image[hand + form.ROW_CONCEALED]:
            continue
        if lacks_of(S, image, hand, seat, kind, number, alike, helpers) == 0:
            return True
    return False


@kernel
def lacks_of(S: Array, image: Array, hand: int, seat: int, kind: int, number: int, alike: int, helpers: int) -> int:
    """How many tiles a seat lacks for a listed hand with the melds of the hand of this number, with so many wild tiles;
    NEVER where it has no set for one of them."""
    first = hand + form.ROW
    sets = first + 2 * image[hand + form.ROW_TILES]
    end, lacks, free_lacks = sets + 1 + form.SET * image[sets], 0, 0
    for meld in range(S[at.LAID_SIZE + seat]):
        laid = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        if S[laid + at.LAID_HAND] == number and sets_for(S, image, sets, seat, number, alike, laid) < 0:
            return NEVER
    for spot in range(first, sets, 2):
        fixed, free = 0, 0
        for one in range(sets + 1, end, form.SET):
            if image[one] == image[spot]:
                if image[one + 2]:
                    free += image[one + 1]
                else:
                    fixed += image[one + 1]
        for meld in range(S[at.LAID_SIZE + seat]):
            laid = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
            own = alike + 2 * S[laid + at.LAID_GROUP]
            if S[laid + at.LAID_HAND] == number and image[own] == image[spot]:
                for one in range(sets + 1, end, form.SET):
                    if image[one] == image[spot] and image[one + 1] == image[own + 1]:
                        if image[one + 2]:
                            free -= image[own + 1]
                        else:
                            fixed -= image[own + 1]
                        break
        spare = S[at.COUNT + seat * at.MOST_FACES + image[spot]] + (image[spot] == kind) - fixed
        lacks -= min(spare, 0)
        free_lacks += max(free - max(spare, 0), 0)
    return int(lacks + max(free_lacks - helpers, 0))


@kernel
def sets_for(S: Array, image: Array, sets: int, seat: int, number: int, alike: int, laid: int) -> int:
    """How many sets like a meld a listed hand has beyond those of the melds of a hand."""
    own, found = alike + 2 * S[laid + at.LAID_GROUP], 0
    for one in range(sets + 1, sets + 1 + form.SET * image[sets], form.SET):
        found += image[one] == image[own] and image[one + 1] == image[own + 1]
    for meld in range(S[at.LAID_SIZE + seat]):
        other = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        group = alike + 2 * S[other + at.LAID_GROUP]
        if S[other + at.LAID_HAND] == number:
            found -= image[group] == image[own] and image[group + 1] == image[own + 1]
    return int(found)


# --- hands of a list that a seat could still make


@kernel
def is_possible(S: Array, P: Array, image: Array, seat: int, hand: int) -> bool:
    """Whether a seat could still make a hand of a list with the melds of its hand of this number, as the others see it,
    who know these and the tiles that lie open elsewhere (`hands.listed.Rows.possible`)."""
    count_left(S, P, seat, hand)
    exposed, records = is_exposed(S, seat, hand), image[0]
    for number in range(image[records]):
        record, wild = image[records + 1 + number], 0
        for kind in range(P[at.FIRST]):
            if image[record + form.WILD] >> kind & 1:
                wild += S[LEFT + kind]
        count_choices(S, image, record)
        for row in range(image[record + form.ROWS]):
            listed = image[image[record + form.PLACES] + row]
            if exposed and image[listed + form.ROW_CONCEALED]:
                continue
            if is_left(S, P, image, record, listed, seat, hand, wild):
                return True
    return False


@kernel
def count_left(S: Array, P: Array, seat: int, hand: int) -> None:
    """Count the tiles that do not lie open elsewhere than in the melds of a hand of a seat, by plain tile."""
    everyone = (1 << P[at.SEATS]) - 1
    for kind in range(P[at.FIRST]):
        S[LEFT + kind] = P[P[at.IN_BOX] + kind]
    for tile in range(P[at.FIRST], P[at.TILES]):
        row = S[at.WHERE + tile]
        if row == at.NONE:
            continue
        is_open = S[at.SHOWN + tile] == everyone
        if row <= at.IN_MELDS:
            laid = meld_of(S, at.IN_MELDS - row, tile)
            if row == at.IN_MELDS - seat and S[laid + at.LAID_HAND] == hand:
                continue
            seen = S[laid + at.LAID_SEEN]
            is_open = is_open or seen == everyone or (seen == at.NONE and P[P[at.OPEN_ROWS] + P[at.MELD_ROW]] != 0)
        else:
            is_open = is_open or P[P[at.OPEN_ROWS] + row] != 0
        S[LEFT + P[P[at.PLAIN] + tile]] -= is_open


@kernel
def is_left(S: Array, P: Array, image: Array, record: int, listed: int, seat: int, hand: int, wild: int) -> bool:
    """Whether there are enough tiles left for a listed hand; `wild`: how many that stand in for others."""
    first = listed + form.ROW
    sets, needed = first + 2 * image[listed + form.ROW_TILES], 0
    if not has_sets(S, image, record, sets, seat, hand):
        return False
    for spot in range(first, sets, 2):
        kind, there = image[spot], S[LEFT + image[spot]]
        fixed, free = 0, 0
        for one in range(sets + 1, sets + 1 + form.SET * image[sets], form.SET):
            if image[one] == kind and image[one + 2]:
                free += image[one + 1]
            elif image[one] == kind:
                fixed += image[one + 1]
        own = tiles_of(image, record, kind)
        laid = laid_fixed(S, image, sets, seat, hand, image[record + form.ALIKE], kind, own)
        if fixed - laid > max(0, there - laid_natural(S, P, seat, hand, own)):
            return False
        needed += max(0, free - max(0, there - fixed))
    return bool(needed <= wild)


@kernel
def count_choices(S: Array, image: Array, record: int) -> None:
    """Count for each choice the tile of which most are left."""
    first, choices = image[record + form.FIRST_CHOICE], image[record + form.CHOICES]
    for number in range(image[choices - 1]):
        own, tile, most = image[choices + number], 0, 0
        while own:
            if own & 1:
                most = max(most, S[LEFT + tile])
            own, tile = own >> 1, tile + 1
        S[LEFT + first + number] = most


@kernel
def laid_fixed(S: Array, image: Array, sets: int, seat: int, hand: int, alike: int, kind: int, tiles: int) -> int:
    """How many places of a tile (or of a choice, of these tiles) the melds of a hand fill where no wild tile may
    stand."""
    found = 0
    for meld in range(S[at.LAID_SIZE + seat]):
        laid = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        own = alike + 2 * S[laid + at.LAID_GROUP]
        if S[laid + at.LAID_HAND] != hand:
            continue
        for spot in range(sets + 1, sets + 1 + form.SET * image[sets], form.SET):
            if image[own] < 0 or not tiles >> image[own] & 1:
                continue
            if image[spot] == kind and image[spot + 1] == image[own + 1]:
                found += 0 if image[spot + 2] else image[own + 1]
                break
    return int(found)


@kernel
def laid_natural(S: Array, P: Array, seat: int, hand: int, tiles: int) -> int:
    """How many of these plain tiles (bits) the melds of a hand have."""
    found = 0
    for meld in range(S[at.LAID_SIZE + seat]):
        laid = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        for number in range(S[laid + at.LAID_COUNT] if S[laid + at.LAID_HAND] == hand else 0):
            found += tiles >> P[P[at.PLAIN] + S[laid + at.LAID_TILES + number]] & 1
    return int(found)
