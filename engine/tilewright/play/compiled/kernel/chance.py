"""Chance as the table has it (`play.chance`, and the lots of random players), over the numbers of a state.

Knows no ruleset."""

from tilewright.base.arrays import Array
from tilewright.base.kernels import entry, kernel, wrapped
from tilewright.play.compiled.kernel import layout as at

WORD = (1 << 32) - 1
DIGEST, MESSAGE, SCHEDULE = 0, 16, 96  # in the working space
GOLDEN, FIRST, SECOND = (
    wrapped(one) for one in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
)  # SplitMix64's


def roots(power: float, count: int) -> list[int]:
    """The first bits of the fractions of roots of primes, which SHA-256 is made of."""
    found: list[int] = []
    number = 2
    while len(found) < count:
        if all(number % divisor for divisor in range(2, number)):
            found.append(fraction_bits(number, 2 if power == 1 / 2 else 3))
        number += 1
    return found


def fraction_bits(number: int, degree: int) -> int:
    """32 bits of the fraction of a root, exactly."""
    scaled, low, high = number << 32 * degree, 0, 1 << 40
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**degree <= scaled else (low, middle - 1)
    return low & WORD


ROUNDS, INITIAL = tuple(roots(1 / 3, 64)), tuple(roots(1 / 2, 8))


@kernel
def turned(bits: int, one: int, other: int) -> int:
    """32 bits, turned to the right by two numbers, and these combined."""
    twice = bits | bits << 32
    return (twice >> one ^ twice >> other) & WORD


@kernel
def turned_thrice(bits: int, one: int, other: int, last: int) -> int:
    """The same by three numbers."""
    twice = bits | bits << 32
    return (twice >> one ^ twice >> other ^ twice >> last) & WORD


@kernel
def write_number(S: Array, value: int, spot: int) -> int:
    """Write a number in decimal digits. Where the next byte goes."""
    size, rest = 1, value // 10
    while rest > 0:
        size, rest = size + 1, rest // 10
    rest = value
    for digit in range(spot + size - 1, spot - 1, -1):
        S[digit] = 48 + rest % 10
        rest //= 10
    return int(spot + size)


@kernel
def begin_text(S: Array) -> int:
    """Write what all hashes of this number of the hand begin with: `seed/hand/counter/`. Where the next byte goes."""
    end = at.WORK + MESSAGE
    for number in (at.SEED, at.HAND_NUMBER, at.COUNTER):
        end = write_number(S, S[number], end)
        S[end] = 47
        end += 1
    return end


@kernel
def hash_block(S: Array, start: int, block: int) -> None:
    """Eight numbers: SHA-256 of `seed/hand/counter/block`, which is shorter than 56 bytes; the text up to the block
    ends at `start`."""
    text = at.WORK + MESSAGE
    end = write_number(S, block, start)
    S[end] = 128
    for spot in range(end + 1, text + 62):
        S[spot] = 0
    bits, words = 8 * (end - text), at.WORK + SCHEDULE
    S[text + 62], S[text + 63] = bits >> 8, bits & 255
    for word in range(16):
        spot = text + 4 * word
        S[words + word] = S[spot] << 24 | S[spot + 1] << 16 | S[spot + 2] << 8 | S[spot + 3]
    for word in range(words + 16, words + 64):
        one, other = S[word - 15], S[word - 2]
        older = turned(one, 7, 18) ^ one >> 3
        newer = turned(other, 17, 19) ^ other >> 10
        S[word] = (S[word - 16] + older + S[word - 7] + newer) & WORD
    a, b, c, d = INITIAL[0], INITIAL[1], INITIAL[2], INITIAL[3]
    e, f, g, h = INITIAL[4], INITIAL[5], INITIAL[6], INITIAL[7]
    for number in range(64):
        one = h + turned_thrice(e, 6, 11, 25) + (g ^ (e & (f ^ g))) + ROUNDS[number] + S[words + number]
        other = turned_thrice(a, 2, 13, 22) + ((a & b) | (c & (a | b)))
        h, g, f, e, d, c, b, a = g, f, e, (d + one) & WORD, c, b, a, (one + other) & WORD
    found = at.WORK + DIGEST
    S[found], S[found + 1] = (INITIAL[0] + a) & WORD, (INITIAL[1] + b) & WORD
    S[found + 2], S[found + 3] = (INITIAL[2] + c) & WORD, (INITIAL[3] + d) & WORD
    S[found + 4], S[found + 5] = (INITIAL[4] + e) & WORD, (INITIAL[5] + f) & WORD
    S[found + 6], S[found + 7] = (INITIAL[6] + g) & WORD, (INITIAL[7] + h) & WORD


@kernel
def shuffle_row(S: Array, start: int, size: int) -> None:
    """Put the tiles from this number of the state on into random order: the next numbers of the hand."""
    S[at.COUNTER] += 1
    text, block, used = begin_text(S), 0, 8
    for last in range(size - 1, 0, -1):
        limit = (1 << 32) - (1 << 32) % (last + 1)
        number = limit
        while number >= limit:
            if used == 8:
                hash_block(S, text, block)
                block, used = block + 1, 0
            number = S[at.WORK + DIGEST + used]
            used += 1
        other = number % (last + 1)
        S[start + last], S[start + other] = S[start + other], S[start + last]


@kernel
def roll(S: Array, count: int) -> int:
    """A number below a bound: the next of the hand."""
    S[at.COUNTER] += 1
    limit = (1 << 32) - (1 << 32) % count
    text, number, block, used = begin_text(S), limit, 0, 8
    while number >= limit:
        if used == 8:
            hash_block(S, text, block)
            block, used = block + 1, 0
        number = S[at.WORK + DIGEST + used]
        used += 1
    return int(number % count)


@kernel
def mixed(number: int) -> int:
    """64 bits, mixed (SplitMix64)."""
    bits = wrapped(number)
    bits = wrapped((bits ^ (bits >> 30 & (1 << 34) - 1)) * FIRST)
    bits = wrapped((bits ^ (bits >> 27 & (1 << 37) - 1)) * SECOND)
    return bits ^ (bits >> 31 & (1 << 33) - 1)


@kernel
def luck_of(seed: int, player: int) -> int:
    """What the numbers of a player are drawn from in a game (`players.bots.random_bot`)."""
    return mixed(mixed(seed) + player)


@kernel
def lots_of(luck: int, decision: int) -> int:
    """Where the numbers begin that a player draws for an answer."""
    return mixed(luck + decision)


@kernel
def lot_of(lots: int, number: int, bound: int) -> int:
    """The number drawn so many places after the beginning, below the bound."""
    return below(mixed(lots + number * GOLDEN), bound)


@kernel
def below(drawn: int, bound: int) -> int:
    """64 drawn bits as a number below the bound, which has 31 bits at most."""
    return ((drawn >> 32 & WORD) * bound + ((drawn & WORD) * bound >> 32)) >> 32


@entry
def lot(luck: int, decision: int, bound: int) -> int:
    """What a random player draws for its answer: a number below the bound."""
    return lot_of(lots_of(luck, decision), 1, bound)
