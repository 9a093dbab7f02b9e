"""Some of the nearest whole hands, drawn by lot (`hands.distance.approach.Look.target`, `players.bots.worth.wholes`),
over flat ways.

`A`, `T`, `N`, `B`: as in `hands.distance.flat.rows`; `Q`: which targets are nearest; `K`: what is
known of the ruleset. Knows no ruleset."""

from typing import Any

from tilewright.base.arrays import Array
from tilewright.base.kernels import kernel, wrapped
from tilewright.hands.distance.flat import rows as flat
from tilewright.hands.distance.flat import searched
from tilewright.hands.distance.flat.listed import NOWHERE
from tilewright.hands.distance.flat.rows import block_at, join_after, join_before, read_rows, spare
from tilewright.hands.distance.flat.searched import (
    FIELD,
    FIELD_MASK,
    is_possible,
    lowest_of,
    searched_row,
    state_before,
    tiles_of_block,
)
from tilewright.hands.distance.flat.searched_ways import join_after as join_others
from tilewright.hands.distance.flat.searched_ways import searched_distance
from tilewright.hands.distance.kernels import NEVER
from tilewright.play.compiled.kernel import chance
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.chance import GOLDEN, mixed
from tilewright.players.compiled.kernel import layout as bot

# --- lots


@kernel
def begin_lots(B: Array, seed: int, player: int, decision: int) -> None:
    """Numbers as `SeededChoices` gives them."""
    B[bot.LOTS] = mixed(mixed(mixed(seed) + player) + decision)


@kernel
def below(B: Array, bound: int) -> int:
    """The next number below a bound."""
    B[bot.LOTS] = wrapped(B[bot.LOTS] + GOLDEN)
    return chance.below(mixed(B[bot.LOTS]), bound)


# --- whole hands


@kernel
def draw_whole(A: Array, T: Array, N: Array, B: Array, Q: Array, plan: int, held: int, kinds: int, best: int) -> bool:
    """Draw one of the nearest whole hands into WHOLE; `look_at` has found how far they are. False if there are none."""
    number = draw_way(A, B, plan, best)
    if number < 0:
        return False
    if number < A[plan]:
        draw_tabled(A, T, N, B, Q, A[plan + 1 + number], held, kinds)
        return True
    for kind in range(kinds):
        B[flat.WHOLE + kind] = 0
    draw_searched(A, B, A[plan + 3 + number], held)
    return True


@kernel
def draw_way(A: Array, B: Array, plan: int, best: int) -> int:
    """Draw one of the nearest ways, by its place among the distances; NONE if there are none."""
    search = plan + 3 + A[plan]
    first, count = search + 1 + A[search], 0
    end = first + A[plan] + A[search]
    for way in range(first, end):
        count += B[flat.FAR + A[way]] == best
    if best >= NEVER or count == 0:
        return at.NONE
    chosen = below(B, count)
    for way in range(first, end):
        if B[flat.FAR + A[way]] == best:
            if chosen == 0:
                return int(A[way])
            chosen -= 1
    return at.NONE


@kernel
def draw_tabled(A: Array, T: Array, N: Array, B: Array, Q: Array, way: int, held: int, kinds: int) -> None:
    """Draw one of the nearest whole hands by a way by tables."""
    read_rows(A, N, B, way, held)
    join_before(A, T, N, B, way)
    join_after(A, N, B, way)
    for kind in range(kinds):
        B[flat.WHOLE + kind] = A[A[way + flat.FIXED] + kind]
    state = A[way + flat.STATES] - 1
    for number in range(A[way + flat.BLOCKS]):
        one, state = draw_split(A, T, B, way, number, state)
        if one:
            draw_target(A, T, B, Q, way, number, one, held)


@kernel
def row_of(A: Array, way: int, number: int) -> int:
    """Where the row of a class is."""
    return int(A[way + flat.ROWS] + number * A[way + flat.STATES])


@kernel
def draw_split(A: Array, T: Array, B: Array, way: int, number: int, state: int) -> Any:
    """Draw the state of a block where it and those after it come to a state; also the state of those."""
    here, after = row_of(A, way, B[flat.CLASS + number]), row_of(A, way, B[flat.AFTER + number + 1])
    pairs = A[way + flat.PAIRS]
    first, end = A[A[way + flat.STARTS] + state], A[A[way + flat.STARTS] + state + 1]
    least, count = 2 * NEVER + 1, 0
    for pair in range(first, end):
        missing = int(T[here + A[pairs + 2 * pair]]) + int(T[after + A[pairs + 2 * pair + 1]])
        if missing < least:
            least, count = missing, 0
        count += missing == least
    chosen = below(B, count)
    for pair in range(first, end):
        one, rest = A[pairs + 2 * pair], A[pairs + 2 * pair + 1]
        if int(T[here + one]) + int(T[after + rest]) == least:
            if chosen == 0:
                return one, rest
            chosen -= 1
    return 0, 0


@kernel
def draw_target(A: Array, T: Array, B: Array, Q: Array, way: int, number: int, state: int, held: int) -> None:
    """Add one of the nearest targets of a block in a state to the whole hand."""
    block = block_at(A, way, number)
    place = nearest_targets(A, T, B, Q, way, number, state, held)
    target = Q[place + 1 + below(B, Q[place])]
    for spot in range(A[block + flat.TILES]):
        B[flat.WHOLE + A[block + flat.BLOCK + spot]] += T[target + spot]


@kernel
def nearest_targets(A: Array, T: Array, B: Array, Q: Array, way: int, number: int, state: int, held: int) -> int:
    """Where in `Q` the nearest targets of a block in a state are, after how many there are; they are found once."""
    block = block_at(A, way, number)
    starts = A[block + flat.TARGET_STARTS] + A[A[block + flat.ASKED] + state]
    slot = slot_of(Q, starts, B[flat.KEY + number])
    if Q[slot] == 0:
        size = A[block + flat.TILES]
        first, end = A[block + flat.TARGETS] + A[starts] * size, A[block + flat.TARGETS] + A[starts + 1] * size
        if Q[bot.TARGETS_USED] + 1 + A[starts + 1] - A[starts] > Q.shape[0] or Q[bot.SLOTS_USED] > bot.SLOTS // 2:
            for spot in range(bot.POOL):
                Q[spot] = 0
            Q[bot.TARGETS_USED] = bot.POOL
            slot = slot_of(Q, starts, B[flat.KEY + number])
        place = Q[bot.TARGETS_USED]
        Q[slot], Q[slot + 1], Q[slot + 2] = starts + 1, B[flat.KEY + number], place
        for spot in range(size):
            B[bot.OWN_OF_BLOCK + spot] = max(spare(A, B, way, held, A[block + flat.BLOCK + spot]), 0)
        least, count = int(T[row_of(A, way, B[flat.CLASS + number]) + state]), 0
        for target in range(first, end, size):
            if is_near(T, B, target, size, least):
                count += 1
                Q[place + count] = target
        Q[place] = count
        Q[bot.TARGETS_USED] = place + count + 1
        Q[bot.SLOTS_USED] += 1
    return int(Q[slot + 2])


@kernel
def slot_of(Q: Array, starts: int, key: int) -> int:
    """Where in `Q` it stands which targets are nearest to the tiles of a key, or a free place for it."""
    mixed_key = (starts + 1) * 7919 + key
    spot = (mixed_key ^ mixed_key >> 15) % bot.SLOTS
    while True:
        slot = bot.SLOT + 3 * spot
        if Q[slot] == 0 or (Q[slot] == starts + 1 and Q[slot + 1] == key):
            return int(slot)
        spot = (spot + 1) % bot.SLOTS


@kernel
def is_near(T: Array, B: Array, target: int, size: int, most: int) -> bool:
    """Whether no more tiles of a target are missing beside OWN_OF_BLOCK."""
    found = 0
    for spot in range(size):
        found += max(T[target + spot] - B[bot.OWN_OF_BLOCK + spot], 0)
        if found > most:
            return False
    return True


@kernel
def draw_win(B: Array, K: Array, held: int) -> int:
    """Draw the winning tile of a whole hand, one that is missing if any is; it is taken out."""
    missing = whole = 0
    for spot in range(K[bot.KINDS]):
        kind = K[K[bot.ORDER] + spot]
        missing += max(B[flat.WHOLE + kind] - max(B[held + kind], 0), 0)
        whole += B[flat.WHOLE + kind]
    chosen = below(B, missing if missing else whole)
    for spot in range(K[bot.KINDS]):
        kind = K[K[bot.ORDER] + spot]
        here = B[flat.WHOLE + kind]
        if missing:
            here = max(here - max(B[held + kind], 0), 0)
        if chosen < here:
            B[flat.WHOLE + kind] -= 1
            return int(kind)
        chosen -= here
    return at.NONE


# --- by ways that are searched


@kernel
def draw_searched(A: Array, B: Array, way: int, held: int) -> None:
    """Add one of the nearest whole hands by a way that is searched to the whole hand, which is empty."""
    searched_distance(A, B, way, held)
    form = A[way + searched.FORM + B[held + A[way + searched.WILD_KIND]]]
    join_others(A, B, form)
    state = A[form + searched.STATES] - 1
    for number in range(A[form + searched.BLOCKS] - 1):
        one, state = split_searched(A, B, form, number, state)
        draw_groups(A, B, A[A[form + searched.BLOCK_AT] + number], held, A[A[form + searched.INSIDE] + one])


@kernel
def split_searched(A: Array, B: Array, form: int, number: int, state: int) -> Any:
    """Draw the state of a block where it and those after it come to a state; also the state of those."""
    here, after = searched.HERE + number * searched.MOST_STATES, searched.AFTER + (number + 1) * searched.MOST_STATES
    starts, pairs = A[form + searched.STARTS] + state, A[form + searched.PAIRS]
    first, end = pairs + 2 * A[starts], pairs + 2 * A[starts + 1]
    least, count = 2 * NEVER + 1, 0
    for pair in range(first, end, 2):
        missing = B[here + A[pair]] + B[after + A[pair + 1]]
        if missing < least:
            least, count = missing, 0
        count += missing == least
    chosen = below(B, count)
    for pair in range(first, end, 2):
        if B[here + A[pair]] + B[after + A[pair + 1]] == least:
            if chosen == 0:
                return A[pair], A[pair + 1]
            chosen -= 1
    return 0, 0


@kernel
def draw_groups(A: Array, B: Array, block: int, held: int, state: int) -> None:
    """Add groups that bring the tiles of a block into a state with the fewest missing to the whole hand."""
    key, none, one = tiles_of_block(A, B, block, held)
    while state:
        lowest = lowest_of(key)
        uses = A[block + searched.USES] + lowest + 1
        first, end, unused = A[uses], A[uses + 1], key & ~(FIELD_MASK << FIELD * max(lowest, 0))
        least = B[searched_row(A, B, block, key, none, one) + state] & 255
        count = (end - first) // searched.USE + (key != 0)
        use = first + below(B, count) * searched.USE
        for _ in range(count):
            if use == end:
                if B[searched_row(A, B, block, unused, none, one) + state] & 255 == least:
                    key = unused
                    break
            elif is_possible(A, use, key, none, one):
                rest = key - A[use + searched.TAKES]
                before = state_before(A, B, use, searched_row(A, B, block, rest, none, one), state, least)
                if before != NOWHERE:
                    add_group(A, B, A[use + searched.GROUP])
                    key, state = rest, before
                    break
            use = first if use + searched.USE >= first + count * searched.USE else use + searched.USE


@kernel
def add_group(A: Array, B: Array, group: int) -> None:
    """Add all tiles of a group to the whole hand."""
    for entry in range(group + 1, group + 1 + 2 * A[group], 2):
        B[flat.WHOLE + A[entry]] += A[entry + 1]
