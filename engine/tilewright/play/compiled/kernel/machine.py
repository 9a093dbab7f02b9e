"""The machine: runs the instructions of a play until a seat is asked, the host is, or the hand is over.

One machine runs every ruleset. The instructions do what the operations of `play.steps` do. Knows no
ruleset."""

from tilewright.base.compute.arrays import Array
from tilewright.base.compute.kernels import I32, I64, entry, kernel, long_entry
from tilewright.play.compiled.kernel import instructions as op
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.asking import chosen_tiles, close_step, drawn_tiles, lay_pool
from tilewright.play.compiled.kernel.chance import lot, lots_of, luck_of, roll, shuffle_row
from tilewright.play.compiled.kernel.forms import (
    NO,
    UNTOLD,
    YES,
    coming_kind,
    is_form,
    waits_of,
    waits_without_one,
)
from tilewright.play.compiled.kernel.groups import holds_alike, next_claimed, next_grown, next_own
from tilewright.play.compiled.kernel.payments import add_gains, pay_gains, place_of, take_back
from tilewright.play.compiled.kernel.questions import (
    answer,
    count_offers,
    moves_of,
    next_asked,
    round_table,
    seat_beside,
    sieved,
)
from tilewright.play.compiled.kernel.search import is_possible
from tilewright.play.compiled.kernel.tiles import (
    add_group,
    add_kinds,
    add_laid,
    add_lying,
    as_in_group,
    carry,
    count_bits,
    count_kinds,
    count_suits,
    gather_all,
    hand_count,
    lay_group,
    lead_of,
    lowest,
    mark_faces,
    move_tile,
    stands_for,
    there,
    tile_at,
    turn_carried,
)
from tilewright.play.compiled.kernel.worth import may_reach


@long_entry
def play(S: I64, P: I64, image: I64, places: I32) -> int:
    """Play on with random players. Why it stops: ENDED, HOST or FAILED; ASK where one finds no answer to a step."""
    status = run(S, P, image, places)
    while status == at.ASK and answered_at_random(S, P, image, places):
        status = run(S, P, image, places) if S[at.MOVES] <= at.MOST_MOVES else at.FAILED
    return int(status)


@kernel
def answered_at_random(S: Array, P: Array, image: Array, places: Array) -> bool:
    """Have random players answer until play goes on; False where one finds no answer to a step."""
    going = False
    while not going:
        seat = next_asked(S, P)
        number = random_move(S, P, image, places, seat)
        if number < 0:
            return False
        going = answer(S, P, seat, number)
    return True


@kernel
def random_move(S: Array, P: Array, image: Array, places: Array, seat: int) -> int:
    """The number of the move of a random player; NONE where it finds no tiles that may be chosen together."""
    player = S[at.PLAYER + seat]
    ask = P[at.ASKS] + (S[at.STEP] - 1) * at.ASK_ROW
    if S[at.STEP] == 0 or not P[ask + at.PICKS]:
        return lot(S[at.LUCK + player], S[at.DECISIONS + player], moves_of(S, seat))
    lots, number = lots_of(S[at.LUCK + player], S[at.DECISIONS + player]), 1
    tried = at.LISTED_SIZE + S[at.DEPTH] * at.LISTS + P[ask + at.TRIED_LIST]
    for _ in range(at.MOST_TRIES):
        chosen = drawn_tiles(S, P, seat, lots, number)
        allowed = may_choose(S, P, image, places, seat, chosen)
        if allowed:
            return chosen if allowed > 0 else at.NONE
        number += S[tried] + 2  # one of the questions, how many tiles, and each
    return at.NONE


@kernel
def may_choose(S: Array, P: Array, image: Array, places: Array, seat: int, chosen: int) -> int:
    """Whether a step allows the seat that is asked to choose these tiles (bits) together; NONE where that is not
    known."""
    ask = P[at.ASKS] + (S[at.STEP] - 1) * at.ASK_ROW
    code, depth, pc = P[ask + at.CONDITION], S[at.DEPTH], S[at.AT]
    if code < 0:
        return 1
    row = depth * at.LISTS + P[ask + at.TRIED_LIST]
    S[at.LISTED_SIZE + row] = chosen_tiles(S, seat, chosen, at.LISTED + row * at.LIST)
    S[P[ask + at.TRIED_SEAT] + depth * at.WINDOW] = seat
    S[at.AT] = code
    status = run(S, P, image, places)
    S[at.AT] = pc
    return int(S[at.HOLDS] != 0) if status == at.TRIED else at.NONE


@kernel
def start_phase(S: Array, P: Array, depth: int, phase: int, seat: int) -> int:
    """A phase begins at this depth, with nothing to go back to. Where its code is."""
    fields = at.FIELDS + depth * at.FRAME_FIELDS
    for field in range(at.FRAME_FIELDS):
        S[fields + field] = 0
    S[fields + at.GOAL], S[fields + at.PHASE] = at.NONE, phase
    S[at.TAKER + depth * at.TAKER_ROW] = 0
    S[at.FRAME + depth * at.WINDOW] = seat
    return int(P[P[at.PHASE_CODE] + phase])


@kernel
def begin_frame(S: Array, depth: int, seat: int) -> None:
    """Steps begin at this depth."""
    fields = at.FIELDS + depth * at.FRAME_FIELDS
    for field in range(at.FRAME_FIELDS):
        S[fields + field] = 0
    S[fields + at.GOAL] = S[fields + at.PHASE] = at.NONE
    S[at.TAKER + depth * at.TAKER_ROW] = 0
    S[at.FRAME + depth * at.WINDOW] = seat


@kernel
def begin_call(S: Array, depth: int, seat: int, back: int, facts: int) -> None:
    """Steps begin one level below this depth, and go back to that place of code; what is in question there: the fields
    from `facts` on."""
    fields, inner = at.FIELDS + depth * at.FRAME_FIELDS, at.FIELDS + (depth + 1) * at.FRAME_FIELDS
    S[fields + at.BACK_TO] = back
    begin_frame(S, depth + 1, seat)
    S[inner + at.HAS_FACTS] = S[fields + facts]
    S[inner + at.FACT_TILE], S[inner + at.FACT_DISCARDER] = S[fields + facts + 1], S[fields + facts + 2]


@kernel
def claimant_of(claims: int, owner: int, seat: int) -> int:
    """Whose tile it is that moves to where others may claim it: of the owner of its place (2), or of the acting seat
    (1); NONE where nobody may (0)."""
    if claims == 0:
        return at.NONE
    return owner if claims == 2 else seat


@kernel
def register(number: int, base: int) -> int:
    """Where a register of code is in the state; `base`: of the registers of frames."""
    return number + base if number >= at.FRAME else number


@kernel
def list_at(depth: int, number: int) -> int:
    """Where a list of a frame begins."""
    return at.LISTED + (depth * at.LISTS + number) * at.LIST


@kernel
def size_at(depth: int, number: int) -> int:
    """Where the size of a list is."""
    return at.LISTED_SIZE + depth * at.LISTS + number


@long_entry
def run(S: I64, P: I64, image: I64, places: I32) -> int:
    """Run instructions until something else is wanted. Why it stops. Each branch asks for one instruction: then LLVM
    makes a single jump of them."""
    depth, pc = S[at.DEPTH], S[at.AT]
    base, steps, status = depth * at.WINDOW, 0, 0
    code, hands, seats = P[at.CODE], P[at.HAND_ROW], P[at.SEATS]
    while status == 0:
        spot = code + pc * at.INSTRUCTION
        what, A, B, C = P[spot], P[spot + 1], P[spot + 2], P[spot + 3]
        pc += 1
        steps += 1
        a, b, c = register(A, base), register(B, base), register(C, base)
        fields = at.FIELDS + depth * at.FRAME_FIELDS
        if what == op.JUMP:
            pc = A
        elif what == op.IF_NOT:
            if S[a] == 0:
                pc = B
        elif what == op.IF:
            if S[a] != 0:
                pc = B
        elif what == op.IF_EQUAL:
            if S[a] == S[b]:
                pc = C
        elif what == op.IF_DIFFERENT:
            if S[a] != S[b]:
                pc = C
        elif what == op.IF_LESS:
            if S[a] < S[b]:
                pc = C
        elif what == op.IF_AT_MOST:
            if S[a] <= S[b]:
                pc = C
        elif what == op.COPY:
            S[a] = S[b]
        elif what == op.ADD:
            S[a] = S[b] + S[c]
        elif what == op.SUBTRACT:
            S[a] = S[b] - S[c]
        elif what == op.MULTIPLY:
            if abs(float(S[b]) * float(S[c])) > at.MUCH:
                S[at.PROBLEM] = 14
            else:
                S[a] = S[b] * S[c]
        elif what == op.DIVIDE:  # quotient, two numbers, where it continues without a whole one
            if S[c] == 0:
                S[a] = 0
            elif S[b] % S[c] != 0:
                pc = P[spot + 4]
            else:
                S[a] = S[b] // S[c]
        elif what == op.NEXT:
            S[a] = seat_beside(S, S[b], 1, seats)
        elif what == op.PREVIOUS:
            S[a] = seat_beside(S, S[b], seats - 1, seats)
        elif what == op.IF_NOT_NEXT:  # seat, the one before it, where it continues unless it is
            if S[a] != seat_beside(S, S[b], 1, seats):
                pc = C
        elif what == op.LIST_SIZE:
            S[a] = S[size_at(depth, B)]
        elif what == op.LIST_WAITS:  # list, seat, tile in question, request, tile left out, forms ask
            less = P[spot + 5]
            gone = at.NONE if less < 0 else S[less + base if less >= at.FRAME else less]
            bits = waits_of(S, P, image, places, S[b], S[c], gone)
            if bits == UNTOLD or (bits != 0 and P[spot + 6]):
                if P[spot + 4] < 0:
                    S[at.PROBLEM] = 12
                else:
                    S[at.REQUEST], S[at.REQUEST_AT], S[at.REQUEST_SEAT] = at.VALUE, P[spot + 4], S[b]
                    S[at.REQUEST_TO] = A
                    status = at.HOST
            elif bits:
                size = S[size_at(depth, A)]
                for number in range(P[at.FIRST]):
                    kind = P[P[at.IN_ORDER] + number]
                    if kind >= 0 and bits >> kind & 1:
                        S[list_at(depth, A) + size] = kind
                        size += 1
                S[size_at(depth, A)] = size
        elif what == op.LIST_KINDS:  # list, seat, the request of the host
            if S[at.WINNERS] >> S[b] & 1:  # a hand that has won is known by its reading
                S[at.REQUEST], S[at.REQUEST_AT], S[at.REQUEST_SEAT] = at.VALUE, C, S[b]
                S[at.REQUEST_TO] = A
                status = at.HOST
            else:
                S[size_at(depth, A)] = add_kinds(S, P, S[b], list_at(depth, A), S[size_at(depth, A)])
        elif what == op.COUNT_KINDS:  # number, the first row, the seats whose rows they are
            S[a] = count_kinds(S, P, B, S[c])
        elif what == op.LIST_COMPLETING:  # list, group
            if S[b] >= 0:
                claimed = S[b] >> at.CLAIMED_AT & at.NO_TILE
                if claimed == at.NO_TILE:
                    S[at.PROBLEM] = 13
                else:
                    group = S[b] & ((1 << at.GROUP_BITS) - 1)
                    kind = as_in_group(P, group, claimed + P[at.FIRST])
                    bits, size = P[P[at.COMPLETING] + group * P[at.FIRST] + kind], S[size_at(depth, A)]
                    for number in range(P[at.FIRST]):
                        if bits >> number & 1:
                            S[list_at(depth, A) + size] = number
                            size += 1
                    S[size_at(depth, A)] = size
        elif what == op.LIST_HAND_WITHOUT:  # list, seat, group
            row, size = hands + S[b], S[size_at(depth, A)]
            for number in range(S[at.ROW_START + row], S[at.ROW_END + row]):
                tile, gone = S[at.ROW + row * at.MOST_TILES + number], False
                for one in range(hand_count(S[c]) if S[c] >= 0 else 0):
                    if (S[c] >> (at.HAND_AT + 8 * one) & at.NO_TILE) + P[at.FIRST] == tile:
                        gone = True
                if not gone and size < at.LIST - 2:
                    S[list_at(depth, A) + size] = tile
                    size += 1
            S[size_at(depth, A)] = size
        elif what == op.LIST_MELDS:  # list, seats whose melds they are, a class of tiles, the seat that chooses
            d = register(P[spot + 4], base)
            S[size_at(depth, A)] = add_laid(S, P, S[b], C, S[d], list_at(depth, A), S[size_at(depth, A)])
        elif what == op.LIST_LYING:  # list, row, seats whose rows they are, a class of tiles, the seat that chooses
            d, e = P[spot + 4], register(P[spot + 5], base)
            S[size_at(depth, A)] = add_lying(S, P, B, S[c], d, S[e], list_at(depth, A), S[size_at(depth, A)])
        elif what == op.STANDS_FOR:
            S[a] = stands_for(S, P, S[b])
        elif what == op.LIST_MELD:
            meld, size = at.LAID + S[b] * at.MELD, S[size_at(depth, A)]
            for tile in range(S[meld + at.LAID_COUNT]):
                S[list_at(depth, A) + size] = S[meld + at.LAID_TILES + tile]
                size += 1
            S[size_at(depth, A)] = size
        elif what == op.LIST_GROUP:
            if S[b] >= 0:
                S[size_at(depth, A)] = add_group(
                    S, P, S[b], S[at.FRAME + base], list_at(depth, A), S[size_at(depth, A)]
                )
        elif what == op.EACH_MELD:  # meld, how far, seat, where it continues with a meld
            if S[b] < S[at.LAID_SIZE + S[c]]:
                S[a] = S[c] * at.MOST_MELDS + S[b]
                S[b] += 1
                pc = P[spot + 4]
        elif what == op.MELD_IS:
            S[a] = P[P[at.GROUP_KINDS] + S[at.LAID + S[b] * at.MELD + at.LAID_GROUP]] >> C & 1
        elif what == op.MELD_AMONG:  # truth, meld, set of groups
            group = S[at.LAID + S[b] * at.MELD + at.LAID_GROUP]
            S[a] = P[P[at.GROUP_SETS] + C * P[at.GROUPS] + group]
        elif what == op.MELD_DISCARDER:
            S[a] = S[at.LAID + S[b] * at.MELD + at.LAID_DISCARDER]
        elif what == op.SCORE_OF:
            S[a] = S[at.SCORE + S[b]]
        elif what == op.PLACE_OF:
            S[a] = place_of(S, S[b], seats)
        elif what == op.MEASURE:  # number, seat, measure, where it continues where that is not known
            if S[b] < seats and S[at.MEASURED] >> S[b] & 1:
                S[a] = S[at.MEASURE + S[b] * at.MOST_MEASURES + C]
            else:
                pc = P[spot + 4]
        elif what == op.CLEAR_GAINS:
            for seat in range(seats + 1):
                S[at.GAIN + seat] = 0
            S[at.NOTED], S[at.WEIGHED] = S[at.PAID], 0
        elif what == op.GAIN:  # amount, who pays it together, who is paid, rounded up to, where else it continues, line
            step = 0 if P[spot + 4] < 0 else S[register(P[spot + 4], base)]
            if not add_gains(S, S[a], S[b], S[c], step, seats, P[spot + 6]):
                pc = P[spot + 5]
        elif what == op.PAY:
            pay_gains(S, seats)
        elif what == op.REFUND:  # seat, lines of payments as bits, whether what they paid is kept for good
            take_back(S, S[a], B, C)
        elif what == op.RETIRE:
            S[at.PLAYING] &= ~S[a]
        elif what == op.ROLL:  # number, bound, the bit of the die, NONE: a mark
            S[a] = roll(S, B)
            if C >= 0:
                S[at.SET] |= 1 << C
        elif what == op.POOL:  # question, list, seat, least, most
            d, e = register(P[spot + 4], base), register(P[spot + 5], base)
            lay_pool(S, P, A, S[c], list_at(depth, B), S[size_at(depth, B)], S[d], S[e])
        elif what == op.ASK:  # question, who is asked, the bits of the answers
            S[at.WHOM], S[at.STEP], S[at.MAY_PASS] = S[b], A + 1, 0
            S[at.SET] |= C
            for seat in range(seats):
                S[at.ANSWER + 3 * seat] = at.NONE
                S[at.ANSWER + 3 * seat + 1] = S[at.ANSWER + 3 * seat + 2] = 0
            if S[at.ASKED] != S[b] and not P[P[at.ASKS] + A * at.ASK_ROW + at.PICKS]:
                S[at.PROBLEM] = 18
            elif S[at.ASKED] == 0:
                close_step(S, P)
            else:
                status = at.ASK
        elif what == op.TRIED:
            S[at.HOLDS] = S[a]
            status = at.TRIED
        elif what == op.LIST_COPY:
            size = S[size_at(depth, A)]
            for number in range(min(S[size_at(depth, B)], at.LIST - 2 - size)):
                S[list_at(depth, A) + size] = S[list_at(depth, B) + number]
                size += 1
            S[size_at(depth, A)] = size
        elif what == op.COUNT_SUITS:
            S[a] = count_suits(S, P, list_at(depth, B), S[size_at(depth, B)])
        elif what == op.POTENTIAL:  # number, seat; nothing changes while payments are worked out
            if S[b] >= 0 and S[at.WEIGHED] >> S[b] & 1:
                S[a] = S[at.WEIGHT + S[b]]
            else:
                S[at.REQUEST], S[at.REQUEST_SEAT], S[at.REQUEST_TO] = at.POTENTIAL, S[b], a
                status = at.HOST
        elif what == op.FIRST_TILE:  # tile, row, seat
            row = B + S[c]
            S[a] = S[at.ROW + row * at.MOST_TILES + S[at.ROW_START + row]] if there(S, P, row) > 0 else at.NONE
        elif what == op.FIRST_SEAT:
            S[a] = lowest(S[b]) if S[b] else at.NONE
        elif what == op.AWAY:  # seat, by how many places
            S[a] = round_table(S[b] + C, seats) if S[b] >= 0 else at.NONE
        elif what == op.OTHERS:
            S[a] = S[at.PLAYING] & ~(1 << S[b])
        elif what == op.SIZE:
            if P[spot + 4]:
                S[a] = S[at.LAID_SIZE + S[c]]
            else:
                S[a] = max(0, there(S, P, B + S[c]))
        elif what == op.POPULATION:
            S[a] = count_bits(S[b])
        elif what == op.GET_MARK:
            value = S[at.MARK + B * at.MOST_SEATS + S[c]]
            S[a] = P[spot + 4] if value == at.UNSET else value
        elif what == op.SET_MARK:
            S[at.MARK + A * at.MOST_SEATS + S[b]] = S[c]
        elif what == op.UNSET_OWN:
            S[at.MARK + A * at.MOST_SEATS + S[b]] = at.UNSET
            S[at.MARK_TILES + (A * at.MOST_SEATS + S[b]) * at.MARK_LIST] = 0
        elif what == op.UNSET_ALL:  # marks, NONE after the last, if there are less than seven
            number = spot + 1
            while number < spot + at.INSTRUCTION and P[number] >= 0:
                for seat in range(seats):
                    S[at.MARK + P[number] * at.MOST_SEATS + seat] = at.UNSET
                number += 1
        elif what == op.UNSET_TILES:  # a mark of tiles
            for seat in range(seats):
                S[at.MARK + A * at.MOST_SEATS + seat] = at.UNSET
                S[at.MARK_TILES + (A * at.MOST_SEATS + seat) * at.MARK_LIST] = 0
        elif what == op.IF_IN_CLASS:  # tile, class, where it continues
            if S[a] >= 0 and P[P[at.CLASSES] + B * at.MOST_TILES + S[a]]:
                pc = C
        elif what == op.IF_NOT_IN_CLASS:
            if S[a] < 0 or not P[P[at.CLASSES] + B * at.MOST_TILES + S[a]]:
                pc = C
        elif what == op.IN_SUIT:
            S[a] = S[b] >= 0 and P[P[at.SUIT_OF] + S[b]] == S[c]
        elif what == op.IN_SEATS:
            S[a] = S[c] >> S[b] & 1 if S[b] >= 0 else 0
        elif what == op.SAME_KIND:
            one, other = S[b], S[c]
            if one < 0 or other < 0:
                S[a] = 1 if one == other else 0
            else:
                S[a] = 1 if P[P[at.PLAIN] + one] == P[P[at.PLAIN] + other] else 0
        elif what == op.DRAWN_OF:
            S[a] = S[at.DRAWN + S[b]]
        elif what == op.SELF_DRAW:
            d = register(P[spot + 4], base)
            S[a] = 1 if S[d] < 0 and (S[c] < 0 or S[at.WHERE + S[c]] == hands + S[b]) else 0
        elif what == op.CONCEALED:
            holds = 1
            for meld in range(S[at.LAID_SIZE + S[b]]):
                if S[at.LAID + (S[b] * at.MOST_MELDS + meld) * at.MELD + at.LAID_EXPOSED]:
                    holds = 0
            S[a] = holds
        elif what == op.ADD_SEAT:
            S[a] = S[b] | 1 << S[c] if S[c] >= 0 else S[b]
        elif what == op.WINS:  # truth, seat, tile, where it continues with an answer, and where without a form
            found = is_form(S, P, image, places, S[b], S[c])
            if found == NO:
                S[a] = 0
                pc = P[spot + 5]
            elif found == YES and P[at.WINS_EXACT] and S[c] >= 0:
                S[a] = 1
                pc = P[spot + 4]
        elif what == op.POSSIBLE:
            S[a] = is_possible(S, P, image, S[b])
        elif what == op.IF_NO_FORM:  # seat, tile, where it continues without a form
            if is_form(S, P, image, places, S[a], S[b]) == NO:
                pc = C
        elif what == op.IF_TOO_LOW:  # seat, tile, where it continues if the hand is not worth enough, facts as bits
            d = register(P[spot + 4], base)
            if not may_reach(S, P, image, S[a], coming_kind(S, P, S[a], S[b]), S[d]):
                pc = C
        elif what == op.EACH_SEAT:  # seat, those left, where it continues with a seat
            bits = S[b]
            if bits:
                S[a], S[b] = lowest(bits), bits & (bits - 1)
                pc = C
        elif what == op.LIST_CLEAR:
            S[size_at(depth, A)] = 0
        elif what == op.LIST_ADD:
            if S[b] >= 0:
                S[list_at(depth, A) + S[size_at(depth, A)]] = S[b]
                S[size_at(depth, A)] += 1
        elif what == op.LIST_ZONE:
            row = B + S[c]
            size = S[size_at(depth, A)]
            for tile in range(S[at.ROW_START + row], S[at.ROW_END + row] - P[P[at.KEEPS] + row]):
                if size < at.LIST - 2:
                    S[list_at(depth, A) + size] = S[at.ROW + row * at.MOST_TILES + tile]
                    size += 1
                else:
                    S[at.PROBLEM] = 1
            S[size_at(depth, A)] = size
        elif what == op.LIST_MARK:
            mark = at.MARK_TILES + (B * at.MOST_SEATS + S[c]) * at.MARK_LIST
            size = S[size_at(depth, A)]
            for tile in range(S[mark]):
                if size < at.LIST - 2:
                    S[list_at(depth, A) + size] = S[mark + 1 + tile]
                    size += 1
                else:
                    S[at.PROBLEM] = 1
            S[size_at(depth, A)] = size
        elif what == op.EACH_LISTED:  # tile, how far, list, where it continues with a tile
            if S[b] < S[size_at(depth, C)]:
                S[a] = S[list_at(depth, C) + S[b]]
                S[b] += 1
                pc = P[spot + 4]
        elif what == op.IN_LIST:
            found = 0
            if S[b] >= 0:
                kind = P[P[at.PLAIN] + S[b]]
                for tile in range(S[size_at(depth, C)]):
                    if P[P[at.PLAIN] + S[list_at(depth, C) + tile]] == kind:
                        found = 1
            S[a] = found
        elif what == op.IN_MARK:  # truth, tile, mark, seat: true also if it is among these tiles
            mark = at.MARK_TILES + (C * at.MOST_SEATS + S[register(P[spot + 4], base)]) * at.MARK_LIST
            if S[b] >= 0:
                kind = P[P[at.PLAIN] + S[b]]
                for tile in range(S[mark]):
                    if P[P[at.PLAIN] + S[mark + 1 + tile]] == kind:
                        S[a] = 1
        elif what == op.SET_MARK_TILES:
            mark = at.MARK_TILES + (A * at.MOST_SEATS + S[b]) * at.MARK_LIST
            size = S[size_at(depth, C)]
            if size >= at.MARK_LIST:
                S[at.PROBLEM] = 2
                size = 0
            S[mark] = size
            S[at.MARK + A * at.MOST_SEATS + S[b]] = 0
            for tile in range(size):
                S[mark + 1 + tile] = P[P[at.FACE] + S[list_at(depth, C) + tile]]
        elif what == op.SHUFFLE:
            size = gather_all(S, P, A)
            shuffle_row(S, at.ROW + A * at.MOST_TILES, size)
        elif what == op.MOVE_COUNT:  # count, from, its seat, to, its seat, flags, where an empty row leads
            e = register(P[spot + 5], base)
            row, goal, number = B + S[c], P[spot + 4] + S[e], S[a]
            left = there(S, P, row)
            if number > 0 and left <= 0:
                if P[spot + 7] < 0:
                    S[at.PROBLEM] = 3
                else:
                    depth = base = 0
                    pc = start_phase(S, P, 0, P[spot + 7], S[at.TURN])
            else:
                flags, S[at.CARRIED] = P[spot + 6], at.NONE
                if flags & 8 and number > 0:
                    if left > at.MOST_DRAWN:
                        S[at.PROBLEM] = 19
                        left = 0
                    for one in range(left):
                        S[at.LOTS + one] = S[at.ROW + row * at.MOST_TILES + S[at.ROW_START + row] + one]
                    shuffle_row(S, at.LOTS, left)
                for one in range(min(number, left)):
                    if flags & 8:
                        tile = S[at.LOTS + one]
                    elif flags & 1:
                        tile = S[at.ROW + row * at.MOST_TILES + S[at.ROW_END + row] - 1]
                    else:
                        tile = S[at.ROW + row * at.MOST_TILES + S[at.ROW_START + row]]
                    owner = claimant_of(flags >> 1 & 3, S[c], S[at.FRAME + base])
                    move_tile(S, P, image, tile, goal, owner)
        elif what == op.MOVE_TILE:  # tile, from, its seat, to, its seat, whether it may be claimed there
            e = register(P[spot + 5], base)
            tile, S[at.CARRIED] = S[a], at.NONE
            if tile >= 0:
                if tile < P[at.FIRST]:
                    S[at.PROBLEM] = 4
                elif S[at.WHERE + tile] == B + S[c]:
                    owner = claimant_of(P[spot + 6], S[c], S[at.FRAME + base])
                    move_tile(S, P, image, tile, P[spot + 4] + S[e], owner)
        elif what == op.MOVE_LIST:  # list, from, its seat, to, its seat, whether they may be claimed there
            e = register(P[spot + 5], base)
            S[at.CARRIED] = at.NONE
            for number in range(S[size_at(depth, A)]):
                tile = S[list_at(depth, A) + number]
                if tile < P[at.FIRST]:
                    S[at.PROBLEM] = 4
                elif S[at.WHERE + tile] == B + S[c]:
                    owner = claimant_of(P[spot + 6], S[c], S[at.FRAME + base])
                    move_tile(S, P, image, tile, P[spot + 4] + S[e], owner)
        elif what == op.TURN:  # row, seat: the first tile that was moved there lies sideways, unless another one does
            turn_carried(S, A + S[b])
        elif what == op.DRAW:  # from, its seat, from the back, where an empty row leads
            row = A + S[b]
            if there(S, P, row) <= 0:
                if P[spot + 4] < 0:
                    S[at.PROBLEM] = 3
                else:
                    depth = base = 0
                    pc = start_phase(S, P, 0, P[spot + 4], S[at.TURN])
            else:
                end = S[at.ROW_END + row] - 1 if C else S[at.ROW_START + row]
                tile, seat = S[at.ROW + row * at.MOST_TILES + end], S[at.FRAME + base]
                S[at.DISCARDED + tile] &= ~at.IS_TURNED
                carry(S, P, image, tile, hands + seat)
                S[at.TILE], S[at.DISCARDER], S[at.DRAWN + seat], S[at.FRESH + seat] = tile, at.NONE, tile, 1
                S[at.DRAWS] += 1
        elif what == op.LAY:
            if S[a] >= 0:
                seen = at.NONE if C < 0 else S[c]
                if S[at.LAID_SIZE + S[at.FRAME + base]] >= at.MOST_MELDS - 1:
                    S[at.PROBLEM] = 5
                else:
                    lay_group(S, P, image, S[a], S[at.FRAME + base], B, seen)
        elif what == op.REVEAL:
            seen = S[b]
            S[at.SHOWN_ANY] |= seen
            for number in range(S[size_at(depth, A)]):
                tile = S[list_at(depth, A) + number]
                if tile >= P[at.FIRST]:
                    S[at.SHOWN + tile] |= seen
        elif what == op.GROUP_TILE:
            found = at.NONE
            if S[b] >= 0:
                claimed = S[b] >> at.CLAIMED_AT & at.NO_TILE
                found = at.NONE if claimed == at.NO_TILE else claimed + P[at.FIRST]
            S[a] = found
        elif what == op.GROUP_LEAD:  # tile, group of a hand
            if S[b] >= 0 and S[b] >> at.SOURCE_AT & 3 == at.OWN_GROUP:
                S[a] = lead_of(S, P, S[b])
            else:
                S[at.PROBLEM] = 14
        elif what == op.GROUP_DISCARDER:
            S[a] = (S[b] >> at.FROM_AT & 7) - 1 if S[b] >= 0 else at.NONE
        elif what == op.INTERRUPT:
            S[fields + at.BACK_TO] = pc
            seat, tile = S[at.FRAME + base], S[b] if B >= 0 else at.NONE
            if depth + 2 >= at.MOST_DEPTH:
                S[at.PROBLEM] = 6
            else:
                depth += 1
                base = depth * at.WINDOW
                pc = start_phase(S, P, depth, A, seat)
                fields = at.FIELDS + depth * at.FRAME_FIELDS
                S[fields + at.INTERRUPTS] = 1
                S[fields + at.OLD_TILE], S[fields + at.OLD_DISCARDER] = S[at.TILE], S[at.DISCARDER]
                S[fields + at.OLD_TURN], S[fields + at.OLD_GROUP] = S[at.TURN], S[at.GROUP]
                S[at.DISCARDER] = seat
                if tile >= 0:
                    S[at.TILE] = tile
        elif what == op.GO:  # phase, seat (NONE: the acting one), whether it goes back later
            seat = S[at.FRAME + base]
            if B >= 0:
                seat = S[b] if S[b] >= 0 else seat
                S[at.TURN] = seat
            if C and S[fields + at.INTERRUPTS]:
                tile, discarder = S[fields + at.OLD_TILE], S[fields + at.OLD_DISCARDER]
                turn, group = S[fields + at.OLD_TURN], S[fields + at.OLD_GROUP]
                pc = start_phase(S, P, depth, A, seat)
                S[fields + at.INTERRUPTS] = 1
                S[fields + at.OLD_TILE], S[fields + at.OLD_DISCARDER] = tile, discarder
                S[fields + at.OLD_TURN], S[fields + at.OLD_GROUP] = turn, group
            else:
                depth = base = 0
                pc = start_phase(S, P, 0, A, seat)
        elif what == op.BACK:
            while depth > 0 and not S[at.FIELDS + depth * at.FRAME_FIELDS + at.INTERRUPTS]:
                depth -= 1
            if depth == 0:
                S[at.PROBLEM] = 7
            else:
                fields = at.FIELDS + depth * at.FRAME_FIELDS
                S[at.TILE], S[at.DISCARDER] = S[fields + at.OLD_TILE], S[fields + at.OLD_DISCARDER]
                S[at.TURN], S[at.GROUP] = S[fields + at.OLD_TURN], S[fields + at.OLD_GROUP]
                depth -= 1
                base = depth * at.WINDOW
                pc = S[at.FIELDS + depth * at.FRAME_FIELDS + at.BACK_TO]
        elif what == op.END:
            found = depth
            while found > 0 and S[at.FIELDS + found * at.FRAME_FIELDS + at.PHASE] < 0:
                found -= 1
            S[at.RESULT] = S[at.FIELDS + found * at.FRAME_FIELDS + at.PHASE]
            status = at.ENDED
        elif what == op.RETURN:
            depth -= 1
            base = depth * at.WINDOW
            pc = S[at.FIELDS + depth * at.FRAME_FIELDS + at.BACK_TO]
        elif what == op.SUBJECT:  # the tile of another seat that may be claimed or won on
            tile, discarder = S[at.TILE], S[at.DISCARDER]
            S[fields + at.HAS_SUBJECT] = 0
            if tile >= 0 and discarder >= 0:
                row = S[at.WHERE + tile]
                if row > at.IN_MELDS or row == at.IN_MELDS - discarder:
                    S[fields + at.HAS_SUBJECT] = 1
                    S[fields + at.SUBJECT_TILE], S[fields + at.SUBJECT_DISCARDER] = tile, discarder
        elif what == op.WINDOW_BEGIN:  # seat, those left, those asked, where it continues without any, what they need
            bits, sieve = S[c], P[spot + 5]
            if sieve:
                bits = sieved(S, P, image, places, P[at.SIEVES] + sieve, bits)
            S[at.OPTIONS] = S[at.ASKED] = S[at.ANSWERED] = 0
            for seat in range(seats):
                S[at.OPTION_FIRST + 2 * seat] = S[at.OPTION_FIRST + 2 * seat + 1] = 0
            if bits == 0:
                S[at.SEAT_ASKED] = at.NONE
                pc = P[spot + 4]
            else:
                S[a] = S[at.SEAT_ASKED] = lowest(bits)
                S[b] = bits & (bits - 1)
        elif what == op.WINDOW_SEAT:  # seat, those left, where it continues with a seat
            seat, bits = S[at.SEAT_ASKED], S[b]
            S[at.OPTION_FIRST + 2 * seat + 1] = S[at.OPTIONS]
            if S[at.OPTIONS] > S[at.OPTION_FIRST + 2 * seat]:
                S[at.ASKED] |= 1 << seat
            if bits:
                seat = lowest(bits)
                S[a], S[b], S[at.SEAT_ASKED] = seat, bits & (bits - 1), seat
                S[at.OPTION_FIRST + 2 * seat] = S[at.OPTIONS]
                pc = C
        elif what == op.WINDOW_END:  # code where nobody takes anything, whether one may pass, whether nothing follows
            S[at.TAKER + depth * at.TAKER_ROW] = 0
            if S[at.ASKED] == 0:
                if not B:
                    S[at.PROBLEM] = 8
                elif C:
                    pc = A
                else:
                    S[fields + at.GOAL] = A
            else:
                S[at.OTHERWISE], S[at.MAY_PASS] = A, B
                count_offers(S, P)
                status = at.ASK
        elif what == op.OFFER:  # offering, choice, a second choice
            option = at.OPTION + 4 * S[at.OPTIONS]
            if S[at.OPTIONS] >= at.MOST_OPTIONS - 1:
                S[at.PROBLEM] = 9
            else:
                S[option], S[option + 1], S[option + 2] = A, S[b], 1
                S[option + 3] = at.NONE if C < 0 else S[c]
                S[at.OPTIONS] += 1
        elif what == op.OWN_TILES_OFFER:
            count = mark_faces(S, P, S[b])
            if count:
                option = at.OPTION + 4 * S[at.OPTIONS]
                S[option], S[option + 1], S[option + 2] = A, at.OWN_TILES, count
                S[at.OPTIONS] += 1
        elif what == op.OWN_TILES_LIST:  # list, seat, whether the last tile of each face
            mark_faces(S, P, S[b])
            size = 0
            for place in range(at.MOST_FACES):
                if S[at.HELD + S[b]] >> place & 1:
                    S[list_at(depth, A) + size] = tile_at(S, P, S[b], place, C)
                    size += 1
            S[size_at(depth, A)] = size
        elif what == op.CLAIM_FIRST:  # group, search, kind, where it continues without a group
            S[b] = at.NONE
            if S[at.TILE] >= 0:
                S[b] = next_claimed(S, P, S[at.SEAT_ASKED], C, a, 0, S[at.DISCARDER])
            if S[b] < 0:
                pc = P[spot + 4]
        elif what == op.CLAIM_NEXT:  # group, search, kind, where it continues with one
            S[b] = next_claimed(S, P, S[at.SEAT_ASKED], C, a, S[b], S[at.DISCARDER])
            if S[b] >= 0:
                pc = P[spot + 4]
        elif what == op.OWN_FIRST:
            S[b] = at.NONE
            if holds_alike(S, P, S[at.SEAT_ASKED], C):
                S[b] = next_own(S, P, S[at.SEAT_ASKED], C, a, 0)
            if S[b] < 0:
                pc = P[spot + 4]
        elif what == op.OWN_NEXT:
            S[b] = next_own(S, P, S[at.SEAT_ASKED], C, a, S[b])
            if S[b] >= 0:
                pc = P[spot + 4]
        elif what == op.GROW_FIRST:  # the same, and the kind that grows
            S[b] = next_grown(S, P, S[at.SEAT_ASKED], C, P[spot + 5], a, 0)
            if S[b] < 0:
                pc = P[spot + 4]
        elif what == op.GROW_NEXT:
            S[b] = next_grown(S, P, S[at.SEAT_ASKED], C, P[spot + 5], a, S[b])
            if S[b] >= 0:
                pc = P[spot + 4]
        elif what == op.TAKE:  # whether only its goal follows, once all have taken something
            takers = at.TAKER + depth * at.TAKER_ROW
            count = S[takers]
            if count > 0 and S[at.READS]:  # what several seats win with is read before any of it changes
                S[at.READS] = 0
                S[at.REQUEST] = at.READ
                pc -= 1
                status = at.HOST
            elif count > 0:
                offering, seat, group, second = S[takers + 1], S[takers + 2], S[takers + 3], S[takers + 4]
                for number in range(1, 4 * count - 3):
                    S[takers + number] = S[takers + number + 4]
                S[takers] = count - 1
                goal = P[P[at.OFFER_GOAL] + offering]
                S[fields + at.GOAL], S[fields + at.BACK_TO] = goal, goal if A and goal >= 0 else pc
                if count > 1:
                    S[fields + at.BACK_TO] = pc - 1
                S[at.FRAME + base] = seat
                facts = P[P[at.OFFER_FACTS] + offering]
                tile = at.NONE
                if facts & at.SETS_GROUP:
                    S[at.GROUP] = group
                    claimed = group >> at.CLAIMED_AT & at.NO_TILE
                    tile = at.NONE if claimed == at.NO_TILE else claimed + P[at.FIRST]
                    if facts & at.SETS_GROWN_TILE:
                        S[at.TILE] = tile
                    if facts & at.SETS_SECOND_TILE:
                        S[at.TILE] = tile = second
                elif facts & at.SETS_TILE:
                    S[at.TILE] = tile = group
                if depth + 2 >= at.MOST_DEPTH:
                    S[at.PROBLEM] = 6
                else:
                    depth += 1
                    base = depth * at.WINDOW
                    begin_frame(S, depth, seat)
                    fields = at.FIELDS + depth * at.FRAME_FIELDS
                    if tile >= 0:
                        S[fields + at.HAS_SUBJECT] = 1
                        S[fields + at.SUBJECT_TILE], S[fields + at.SUBJECT_DISCARDER] = tile, S[at.DISCARDER]
                    S[at.FRAME + base + 1], S[at.FRAME + base + 2] = group, second
                    pc = P[P[at.OFFER_CODE] + P[P[at.OFFER_NUMBER] + offering]]
        elif what == op.FOLLOW:
            pc = S[fields + at.GOAL] if S[fields + at.GOAL] >= 0 else A
            if pc < 0:
                S[at.PROBLEM] = 10
        elif what == op.CALL or what == op.CALL_TRIGGER:  # code, seat, how many arguments, these
            if depth + 2 >= at.MOST_DEPTH:
                S[at.PROBLEM] = 6
            else:
                begin_call(S, depth, S[b], pc, at.HAS_FACTS if what == op.CALL else at.GIVES_FACTS)
                depth += 1
                for number in range(C):
                    given = P[spot + 4 + number]
                    S[at.FRAME + depth * at.WINDOW + 1 + number] = S[given + base if given >= at.FRAME else given]
                base = depth * at.WINDOW
                pc = A
        elif what == op.FIND_FACTS:  # what the triggers after an event are about
            S[fields + at.GIVES_FACTS] = 0
            if A and S[fields + at.HAS_SUBJECT] and S[fields + at.SUBJECT_TILE] != S[at.TILE]:
                S[fields + at.GIVES_FACTS] = 1
                S[fields + at.GIVEN_TILE] = S[fields + at.SUBJECT_TILE]
                S[fields + at.GIVEN_DISCARDER] = S[fields + at.SUBJECT_DISCARDER]
        elif what == op.FACT_TILE:
            S[a] = S[fields + B + 1] if S[fields + B] else S[at.TILE]
        elif what == op.FACT_DISCARDER:
            S[a] = S[fields + B + 2] if S[fields + B] else S[at.DISCARDER]
        elif what == op.HOST:  # kind, where it is listed, seat, where the value goes
            d = register(P[spot + 4], base)
            S[at.REQUEST], S[at.REQUEST_AT], S[at.REQUEST_SEAT], S[at.REQUEST_TO] = A, B, S[c], d
            status = at.HOST
        elif what == op.DECLARE:  # seat, the terms of the table that hold, NONE where only the host knows
            S[at.REQUEST], S[at.REQUEST_SEAT], S[at.ASKED_TERMS] = at.DECLARE, S[a], S[b]
            status = at.HOST
        elif what == op.NEAR:  # truth, seat, where it continues if its hand lacks one tile at most
            if waits_without_one(S, P, image, places, S[b]):
                S[a] = 1
                pc = C
        elif what == op.JUDGE:  # truth, seat, tile, discarder, terms that hold, request
            d, e = register(P[spot + 4], base), register(P[spot + 5], base)
            S[at.ASKED_TILE], S[at.ASKED_DISCARDER], S[at.ASKED_TERMS] = S[c], S[d], S[e]
            S[at.REQUEST], S[at.REQUEST_AT], S[at.REQUEST_SEAT], S[at.REQUEST_TO] = at.WIN, P[spot + 6], S[b], a
            status = at.HOST
        else:
            S[at.PROBLEM] = 11
        if S[at.PROBLEM] or steps > at.MOST_STEPS:
            status = at.FAILED
    S[at.DEPTH], S[at.AT] = depth, pc
    return int(status)


@entry
def open_hand(S: I64, P: I64, seed: int, opening: I64) -> None:
    """The first hand of a game begins as that of another did. `opening`: parts of the state, each after where it begins
    and how many numbers it has."""
    S[at.SEED], S[at.HAND_NUMBER], S[at.DEALS] = seed, 0, 0
    begin_hand(S, P)
    spot = 0
    while spot < opening.shape[0]:
        start, size = opening[spot], opening[spot + 1]
        for number in range(size):
            S[start + number] = opening[spot + 2 + number]
        spot += 2 + size


@entry
def begin_hand(S: I64, P: I64) -> None:
    """The table before a hand, nothing on it and no mark set; the first phase begins."""
    for number in range(at.LENGTH):
        if number not in (at.SEED, at.HAND_NUMBER, at.DEALS):
            S[number] = 0
    S[at.TILE] = S[at.DISCARDER] = S[at.GROUP] = S[at.RESULT] = S[at.SEAT_ASKED] = S[at.FIRST_WINNER] = at.NONE
    S[at.PLAYING] = (1 << P[at.SEATS]) - 1
    S[at.RELISTED] += 1
    for row in range(at.MOST_ROWS):
        S[at.ROW_START + row] = S[at.ROW_END + row] = 0
        S[at.MOVED + row] += 1
    for tile in range(at.MOST_TILES):
        S[at.WHERE + tile], S[at.SHOWN + tile], S[at.DISCARDED + tile] = at.NONE, 0, 0
    for spot in range(at.MOST_SEATS * at.MOST_FACES):
        S[at.COUNT + spot] = 0
    for spot in range(at.MOST_SEATS * at.MOST_BLOCKS):
        S[at.NUMBER + spot] = 0
    for spot in range(at.MOST_SEATS * at.MOST_ALIKE):
        S[at.ALIKE + spot] = 0
    for seat in range(at.MOST_SEATS):
        S[at.CHANGES + seat], S[at.WAITED + 4 * seat] = 0, at.NONE
        S[at.CAME + seat] = S[at.NEAR + 2 * seat] = at.NONE
        S[at.ODD + seat] = S[at.LAID_SIZE + seat] = S[at.LOOKED + at.LOOKED_ROW * seat] = S[at.FACES + seat] = 0
        S[at.DRAWN + seat], S[at.LUCK + seat], S[at.FRESH + seat] = at.NONE, luck_of(S[at.SEED], seat), 0
    for spot in range(P[at.MARKS] * at.MOST_SEATS):
        S[at.MARK + spot] = at.UNSET
        S[at.MARK_TILES + spot * at.MARK_LIST] = 0
    for offer in range(at.MOST_OFFERS):
        S[at.OFFERED + offer] = S[at.TAKEN + offer] = 0
    S[at.AT] = start_phase(S, P, 0, P[at.START_PHASE], 0)
