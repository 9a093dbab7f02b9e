"""Bounds of values: whether a hand may be worth enough, told before it is read (`play.value_bounds`).

Knows no ruleset."""

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel
from tilewright.play import form_search as worth
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.search import is_record
from tilewright.play.compiled.kernel.tiles import as_in_group, is_exposed, lowest

# Of the working space: how many tiles the hand has and, as bits, its plain tiles; with those of melds, plain tiles that
# are not wild, how many are wild, and all with what they may stand for.
SIZE, HELD, TILES, HELPERS, MAY_BE = range(at.WORK + 192, at.WORK + 197)


@kernel
def may_reach(S: Array, P: Array, image: Array, seat: int, kind: int, facts: int) -> bool:
    """Whether the hand of a seat with one more plain tile (NONE: as it is) may be worth what it has to. `facts`: those
    of the table that hold, as bits."""
    start, total = P[at.BOUNDS], 0
    look_at(S, P, start, seat, kind)
    patterns = start + P[start + worth.PATTERNS]
    for number in range(P[patterns]):
        pattern = start + P[patterns + 1 + number]
        if P[pattern + worth.FACTS] & ~facts:
            continue
        holds = True
        for condition in range(P[pattern + worth.CONDITIONS]):
            if not may_hold(S, P, image, start, start + P[pattern + worth.PATTERN + condition], seat, kind):
                holds = False
                break
        if not holds:
            continue
        times = 1
        if P[pattern + worth.EACH]:
            listed = start + P[pattern + worth.EACH]
            most = S[SIZE] // P[listed + worth.SMALLEST]
            times = laid_groups(S, P, listed, seat, 0) + groups_made(S, P, start, listed, seat, kind, most)
        total += times * P[pattern + worth.WORTH]
        if total >= P[start + worth.LEAST]:
            return True
    return False


@kernel
def look_at(S: Array, P: Array, start: int, seat: int, kind: int) -> None:
    """What tiles the hand has, those of its melds included, and how many of them are wild."""
    bits, wild, size, may_be = 0, 0, 0, 0
    held = S[at.ALIKE + seat * at.MOST_ALIKE] | (1 << kind if kind >= 0 else 0)
    left = held
    while left:
        one = lowest(left)
        left &= left - 1
        number, others = S[at.COUNT + seat * at.MOST_FACES + one] + (one == kind), stands(P, start, one)
        size += number
        may_be |= 1 << one | others
        if others:
            wild += number
        else:
            bits |= 1 << one
    for meld in range(S[at.LAID_SIZE + seat]):
        laid = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        for number in range(S[laid + at.LAID_COUNT]):
            tile = S[laid + at.LAID_TILES + number]
            one = P[P[at.PLAIN] + tile]
            may_be |= 1 << one | stands(P, start, one)
            if as_in_group(P, S[laid + at.LAID_GROUP], tile) != one:
                wild += 1
            else:
                bits |= 1 << one
    S[SIZE], S[HELD], S[TILES], S[HELPERS], S[MAY_BE] = size, held, bits, wild, may_be


@kernel
def may_hold(S: Array, P: Array, image: Array, start: int, spot: int, seat: int, kind: int) -> bool:
    """Whether a condition may hold."""
    what = P[spot]
    if what == worth.WITHIN:
        return bool(S[TILES] & ~P[spot + 1] == 0)
    if what == worth.HAS_GROUPS:
        for case in range(P[spot + 1]):  # noqa: SIM110 - kernels have no generators
            if may_have(S, P, start, start + P[spot + 2 + case], seat, kind):
                return True
        return False
    if what == worth.IS_FORM:
        for number in range(P[spot + 1]):
            if is_record(S, P, image, P[spot + 2 + number], seat, kind, is_exposed(S, seat, at.NONE)):
                return True
        return False
    if what == worth.OF_SUITS:
        return of_suits(S, P, start, P[spot + 2] if S[HELPERS] else P[spot + 1])
    return bool(copies(S, P, start, P[spot + 1], seat, kind) >= P[spot + 2])


@kernel
def may_have(S: Array, P: Array, start: int, case: int, seat: int, kind: int) -> bool:
    """Whether a hand may have the groups of a case."""
    if P[case + worth.CASE_TILES] & ~S[MAY_BE]:
        return False
    for number in range(P[case + worth.CASE]):
        want = start + P[case + worth.CASE + 1 + number]
        listed = want + worth.WANTED
        left = P[want + worth.COUNT] - laid_groups(S, P, listed, seat, P[want + worth.HIDDEN])
        if left <= 0:
            continue
        if left * P[listed + worth.SMALLEST] > S[SIZE]:
            return False
        if groups_made(S, P, start, listed, seat, kind, left) < left:
            return False
    return True


@kernel
def laid_groups(S: Array, P: Array, listed: int, seat: int, hidden: int) -> int:
    """How many melds of a seat are in a list of groups; `hidden`: only those that are not exposed."""
    found = 0
    for meld in range(S[at.LAID_SIZE + seat]):
        laid = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        if hidden and S[laid + at.LAID_EXPOSED]:
            continue
        for number in range(P[listed + worth.NUMBER]):
            if P[listed + worth.LIST + number] == S[laid + at.LAID_GROUP]:
                found += 1
                break
    return found


@kernel
def groups_made(S: Array, P: Array, start: int, listed: int, seat: int, kind: int, most: int) -> int:
    """How many groups of a list the tiles of a hand make at most, wild ones among them; `most`: more are not looked
    for. Each group may take tiles that others need, too."""
    groups, made = start + P[start + worth.GROUPS], 0
    for place in range(P[listed + worth.NUMBER]):
        tiles, times = start + P[groups + P[listed + worth.LIST + place]], 1
        while made < most and has_tiles(S, P, start, tiles, seat, kind, times):
            made, times = made + 1, times + 1
        if made >= most:
            break
    return made


@kernel
def has_tiles(S: Array, P: Array, start: int, tiles: int, seat: int, kind: int, times: int) -> bool:
    """Whether a hand may have the tiles of a group so often, wild ones among them."""
    counts = at.COUNT + seat * at.MOST_FACES
    for spot in range(tiles + 1, tiles + 1 + 2 * P[tiles], 2):
        short = times * P[spot + 1] - S[counts + P[spot]] - (P[spot] == kind)
        if short > 0 and short > helpers(S, P, start, 1 << P[spot], counts, kind):
            return False
    return True


@kernel
def stands(P: Array, start: int, kind: int) -> int:
    """What a plain tile may stand for, as bits."""
    return int(P[start + P[start + worth.STANDS] + kind])


@kernel
def helpers(S: Array, P: Array, start: int, members: int, counts: int, kind: int) -> int:
    """How many tiles of a hand may stand for one of a class."""
    found, left = 0, S[HELD] if S[HELPERS] else 0
    while left:
        one = lowest(left)
        left &= left - 1
        if stands(P, start, one) & members:
            found += S[counts + one] + (one == kind)
    return int(found)


@kernel
def of_suits(S: Array, P: Array, start: int, table: int) -> bool:
    """Whether the suits of a hand are a set of a table."""
    suits, left = 0, S[TILES]
    while left:
        suit = P[start + P[start + worth.SUITS] + lowest(left)]
        left &= left - 1
        if suit >= 0:
            suits |= 1 << suit
    return bool(table >> suits & 1)


@kernel
def copies(S: Array, P: Array, start: int, members: int, seat: int, kind: int) -> int:
    """How many tiles of a hand and its melds are of a class, or may stand for one of it."""
    found, left = 0, S[HELD]
    while left:
        one = lowest(left)
        left &= left - 1
        if members >> one & 1 or stands(P, start, one) & members:
            found += S[at.COUNT + seat * at.MOST_FACES + one] + (one == kind)
    for meld in range(S[at.LAID_SIZE + seat]):
        laid = at.LAID + (seat * at.MOST_MELDS + meld) * at.MELD
        for number in range(S[laid + at.LAID_COUNT]):
            one = P[P[at.PLAIN] + S[laid + at.LAID_TILES + number]]
            found += members >> one & 1 or (stands(P, start, one) & members) != 0
    return int(found)
