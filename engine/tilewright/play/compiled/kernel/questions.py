"""Questions: which seats are asked, what their answers are, who may take what (`play.course`, as numbers); what steps
ask, what a random player chooses, what answers become. Knows no ruleset.
"""

from typing import Any

from tilewright.base.arrays import Array
from tilewright.base.kernels import I64, entry, kernel
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.chance import lot_of
from tilewright.play.compiled.kernel.forms import NO, is_form, may_claim
from tilewright.play.compiled.kernel.tiles import lowest, tile_at

NO_RANK = 1 << 40


@kernel
def round_table(seat: int, seats: int) -> int:
    """A seat counted on by less than once round the table; a remainder takes much longer."""
    return seat - seats if seat >= seats else seat


@kernel
def seat_beside(S: Array, seat: int, by: int, seats: int) -> int:
    """The first seat that plays, going on by so many places from a seat; NONE from none."""
    if seat < 0:
        return seat
    found = round_table(seat + by, seats)
    while not S[at.PLAYING] >> found & 1 and found != seat:
        found = round_table(found + by, seats)
    return found


@kernel
def sieved(S: Array, P: Array, image: Array, sieve: int, seats: int) -> int:
    """Those of some seats (bits) that may be offered something, by what a question needs for that. All of them without
    a tile in question."""
    if S[at.TILE] < 0:
        return seats
    after, found, left = seat_beside(S, S[at.TURN], 1, P[at.SEATS]), 0, seats
    while left:
        seat = lowest(left)
        left &= left - 1
        if passes(S, P, sieve, seat, seat == after) or (
            P[sieve + at.SIEVE_WINS] and is_form(S, P, image, seat, S[at.TILE]) != NO
        ):
            found |= 1 << seat
    return int(found)


@kernel
def passes(S: Array, P: Array, sieve: int, seat: int, is_next: bool) -> bool:
    """Whether a seat may claim a group of the tile in question."""
    first = sieve + at.SIEVE_CLAIM
    for spot in range(first, first + 2 * P[sieve + at.SIEVE_CLAIMS], 2):
        if (is_next or not P[spot + 1]) and may_claim(S, P, seat, P[spot]):
            return True
    return False


@kernel
def after_turn(S: Array, P: Array, seat: int) -> int:
    """The distance after the current turn; the seat whose turn it is comes last."""
    by = seat - S[at.TURN]
    return int(by if by > 0 else by + P[at.SEATS])


@entry
def next_asked(S: I64, P: I64) -> int:
    """The first seat after the turn that has yet to answer."""
    open_seats = S[at.ASKED] & ~S[at.ANSWERED]
    if open_seats == 0:
        return at.NONE
    later = open_seats & -(2 << S[at.TURN])
    return int(lowest(later if later else open_seats))


@entry
def moves_of(S: I64, seat: int) -> int:
    """How many moves a seat may make."""
    found = S[at.MAY_PASS]
    for option in range(S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1]):
        found += S[at.OPTION + 4 * option + 2]
    return int(found)


@kernel
def count_offers(S: Array, P: Array) -> None:
    """Count what the asked seats are offered, each offer once for each of them."""
    left = S[at.ASKED]
    while left:
        seat = lowest(left)
        left &= left - 1
        first, end = S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1]
        seen = 0
        for option in range(first, end):
            offer = P[P[at.OFFER_NUMBER] + S[at.OPTION + 4 * option]]
            if not seen >> offer & 1:
                seen |= 1 << offer
                S[at.OFFERED + offer] += 1


@kernel
def choose(S: Array, P: Array, seat: int, number: int) -> None:
    """The move of this number as the answer: those of one option each come first, then tiles of the hand, then to
    pass."""
    first, end = S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1]
    own = at.ANSWER + 3 * seat
    S[own] = S[own + 1] = S[own + 2] = at.NONE
    for option in range(first, end):
        spot = at.OPTION + 4 * option
        if S[spot + 1] == at.OWN_TILES:
            continue
        if number == 0:
            S[own], S[own + 1], S[own + 2] = S[spot], S[spot + 1], S[spot + 3]
            return
        number -= 1
    for option in range(first, end):
        spot = at.OPTION + 4 * option
        if S[spot + 1] != at.OWN_TILES:
            continue
        if number < S[spot + 2]:
            bits = S[at.HELD + seat]  # marked when they were offered
            for _ in range(number):
                bits &= bits - 1
            S[own], S[own + 1] = S[spot], tile_at(S, P, seat, lowest(bits), 1)
            return
        number -= S[spot + 2]


@kernel
def rank_of(S: Array, P: Array, offering: int) -> int:
    return int(P[P[at.OFFER_RANK] + offering])


@kernel
def best_rank(S: Array, P: Array) -> int:
    """The best rank among the answers; NO_RANK where nobody takes anything."""
    rank = NO_RANK
    for seat in range(P[at.SEATS]):
        if S[at.ANSWERED] >> seat & 1 and S[at.ANSWER + 3 * seat] >= 0:
            rank = min(rank, rank_of(S, P, S[at.ANSWER + 3 * seat]))
    return int(rank)


@kernel
def takes(S: Array, P: Array, seat: int, rank: int) -> bool:
    """Whether the seat has answered with something of this rank."""
    answer = S[at.ANSWER + 3 * seat]
    return bool(S[at.ANSWERED] >> seat & 1 and answer >= 0 and rank_of(S, P, answer) == rank)


@kernel
def is_decided(S: Array, P: Array) -> bool:
    """Whether the open answers can no longer matter."""
    rank = best_rank(S, P)
    if rank == NO_RANK:
        return False
    best = at.NONE
    for by in range(1, P[at.SEATS] + 1):
        seat = round_table(S[at.TURN] + by, P[at.SEATS])
        if best < 0 and takes(S, P, seat, rank):
            best = seat
    places = P[P[at.OFFER_MOST] + S[at.ANSWER + 3 * best]]
    for seat in range(P[at.SEATS]):
        if not S[at.ASKED] >> seat & 1 or S[at.ANSWERED] >> seat & 1:
            continue
        first, nearer = NO_RANK, 0
        for option in range(S[at.OPTION_FIRST + 2 * seat], S[at.OPTION_FIRST + 2 * seat + 1]):
            first = min(first, rank_of(S, P, S[at.OPTION + 4 * option]))
        for other in range(P[at.SEATS]):
            if takes(S, P, other, rank) and after_turn(S, P, other) < after_turn(S, P, seat):
                nearer += 1
        if first < rank or (first == rank and nearer < places):
            return False
    return True


@kernel
def close(S: Array, P: Array) -> None:
    """Close the question: decide who takes what, in which order."""
    depth, count, answers = S[at.DEPTH], 0, 0  # those that take something, as bits
    takers = at.TAKER + depth * at.TAKER_ROW
    S[at.TAKERS] = S[at.READS] = 0
    for seat in range(P[at.SEATS]):
        if S[at.ANSWERED] >> seat & 1 and S[at.ANSWER + 3 * seat] >= 0:
            answers |= 1 << seat
    if answers == 0:
        S[takers] = 0
        S[at.FIELDS + depth * at.FRAME_FIELDS + at.GOAL] = S[at.OTHERWISE]
        return
    if answers & (answers - 1) == 0:
        take(S, takers, 0, lowest(answers))
        S[takers] = 1
        return
    rank, what, most = best_rank(S, P), at.NONE, 1
    for by in range(1, P[at.SEATS] + 1):
        seat = round_table(S[at.TURN] + by, P[at.SEATS])
        if not takes(S, P, seat, rank):
            continue
        answer = S[at.ANSWER + 3 * seat]
        if what < 0:
            what, most = answer, P[P[at.OFFER_MOST] + answer]
        if answer == what and count < most:
            take(S, takers, count, seat)
            count += 1
    S[takers] = count
    if count > 1 and P[P[at.OFFER_WINS] + what]:
        S[at.READS] = 1


@kernel
def take(S: Array, takers: int, number: int, seat: int) -> None:
    """A seat takes what it has answered, as one of those who do."""
    spot, answer = takers + 1 + 4 * number, at.ANSWER + 3 * seat
    S[spot], S[spot + 1], S[spot + 2], S[spot + 3] = S[answer], seat, S[answer + 1], S[answer + 2]
    S[at.TAKERS] |= 1 << seat


@entry
def answer(S: I64, P: I64, seat: int, number: int) -> bool:
    """A seat answers with the move of this number. Whether play continues."""
    step = S[at.STEP]
    if step and P[P[at.ASKS] + (step - 1) * at.ASK_ROW + at.PICKS]:
        S[at.ANSWER + 3 * seat + 1] = number
    else:
        choose(S, P, seat, number)
    S[at.ANSWERED] |= 1 << seat
    S[at.ANSWERS] += 1
    S[at.DECISIONS + S[at.PLAYER + seat]] += 1
    S[at.MOVE + 2 * S[at.MOVES]], S[at.MOVE + 2 * S[at.MOVES] + 1] = seat, number
    S[at.MOVES] += 1
    if step:
        if S[at.ANSWERED] != S[at.ASKED]:
            return False
        close_step(S, P)
        return True
    if S[at.ANSWER + 3 * seat] >= 0:
        S[at.TAKEN + P[P[at.OFFER_NUMBER] + S[at.ANSWER + 3 * seat]]] += 1
    if S[at.ANSWERED] != S[at.ASKED] and not is_decided(S, P):
        return False
    close(S, P)
    return True


POOL = -3  # an option that stands for several tiles


@kernel
def add_option(S: Array, offering: int, choice: int, moves: int, second: int) -> None:
    """One more option of the asked seat."""
    option = at.OPTION + 4 * S[at.OPTIONS]
    if S[at.OPTIONS] >= at.MOST_OPTIONS - 1:
        S[at.PROBLEM] = at.Problem.MANY_OPTIONS
    else:
        S[option], S[option + 1], S[option + 2], S[option + 3] = offering, choice, moves, second
        S[at.OPTIONS] += 1


@kernel
def lay_pool(S: Array, P: Array, ask: int, seat: int, start: int, size: int, least: int, most: int) -> None:
    """Put a choice of so many of the tiles that begin there to a seat, in the order of the tile set; where it can only
    choose none, nothing."""
    pick = at.PICKED + seat * at.PICK
    if size > at.MOST_PICKED:
        S[at.PROBLEM] = at.Problem.MANY_TO_CHOOSE_FROM
        return
    most = max(most, 0)
    least = min(max(least, 0), most, size)
    S[pick], S[pick + 1], S[pick + 2] = least, min(most, size), size
    for number in range(size):
        tile, spot = S[start + number], pick + 3 + number
        place = P[P[at.PLACE] + tile]
        while spot > pick + 3 and P[P[at.PLACE] + S[spot - 1]] > place:
            S[spot] = S[spot - 1]
            spot -= 1
        S[spot] = tile
    if S[pick + 1] == 0:
        return
    add_option(S, ask, POOL, 0, at.NONE)


@kernel
def drawn_tiles(S: Array, P: Array, seat: int, lots: Any, number: int) -> int:
    """The tiles that a random player draws with its numbers after so many, as bits of those that it may choose from."""
    pick = at.PICKED + seat * at.PICK
    size = S[pick + 2]
    count = S[pick] + lot_of(lots, number + 1, S[pick + 1] - S[pick] + 1)
    for spot in range(size):
        S[at.WORK + spot] = spot
    chosen = 0
    for one in range(count):
        spot = lot_of(lots, number + 2 + one, size - one)
        drawn, last = S[at.WORK + spot], at.WORK + size - one - 1
        S[at.WORK + spot] = S[last]
        face = P[P[at.FACE] + S[pick + 3 + drawn]]
        while drawn > 0 and P[P[at.FACE] + S[pick + 2 + drawn]] == face:
            drawn -= 1
        while chosen >> drawn & 1:  # of tiles that look the same, the first
            drawn += 1
        chosen |= 1 << drawn
    return int(chosen)


@kernel
def chosen_tiles(S: Array, seat: int, chosen: int, start: int) -> int:
    """Write the tiles of a choice from there on. How many there are."""
    pick, size = at.PICKED + seat * at.PICK, 0
    for spot in range(S[pick + 2]):
        if chosen >> spot & 1:
            S[start + size] = S[pick + 3 + spot]
            size += 1
    return size


@kernel
def close_step(S: Array, P: Array) -> None:
    """Everyone has answered what a step asks: the answers become marks."""
    ask = P[at.ASKS] + (S[at.STEP] - 1) * at.ASK_ROW
    first, second = P[ask + at.FIRST_MARK], P[ask + at.SECOND_MARK]
    for seat in range(P[at.SEATS]):
        if not S[at.WHOM] >> seat & 1:
            continue
        mark, chosen = first * at.MOST_SEATS + seat, S[at.ANSWER + 3 * seat + 1]
        if P[ask + at.PICKS]:
            tiles = at.MARK_TILES + mark * at.MARK_LIST
            count = 0
            for spot in range(at.MOST_PICKED):
                count += chosen >> spot & 1
            if count >= at.MARK_LIST:
                S[at.PROBLEM] = at.Problem.MANY_MARKED
            else:
                S[tiles] = chosen_tiles(S, seat, chosen, tiles + 1)
                S[at.MARK + mark] = 0
        else:
            S[at.MARK + mark] = chosen
            if second >= 0:
                S[at.MARK + second * at.MOST_SEATS + seat] = S[at.ANSWER + 3 * seat + 2]
    S[at.STEP] = 0
