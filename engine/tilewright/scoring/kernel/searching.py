"""Searching: the counted tiles of a hand in, the parts of one way after the other to use them up out. For cases whose
tables would be too large, and for wild tiles.

The lowest tile that is left goes into every part that has it as its lowest. Knows no patterns."""

from tilewright.base.kernels import Array, kernel
from tilewright.scoring.kernel import layout as at


@kernel
def may_be_other(image: Array, hands: Array, space: Array) -> bool:
    """Whether the hand may be in a form that the kernel does not know: it has no tile more often than that has room."""
    row, melds, kinds = space[at.NOW, at.NOW_ROW], image[at.MELDS], image[at.KINDS]
    most, is_open = (hands.shape[1] - melds) // 2, False
    others = image[image[at.OTHERS]]
    if not others:
        return False
    for kind in range(kinds):
        space[at.HELD, kind] = space[at.COUNTS, kind]
    for meld in range(melds, melds + most):
        if hands[row, meld] < 0:
            continue
        is_open = is_open or hands[row, meld + most] != 0
        tiles = image[image[at.GROUP_TILES] + hands[row, meld]]
        for spot in range(tiles + 1, tiles + 1 + image[tiles]):
            space[at.HELD, image[spot]] += 1
    for other in range(others):
        record = image[at.OTHERS] + 1 + other * (1 + kinds)
        fits = not (image[record] and is_open)
        for kind in range(kinds):
            fits = fits and space[at.HELD, kind] <= image[record + 1 + kind]
        if fits:
            return True
    return False


@kernel
def begin_search(image: Array, record: int, target: int, space: Array) -> None:
    """Take the fixed tiles of a case away; its fixed parts come after the melds."""
    fixed = record + at.CASE
    parts = fixed + 2 * image[record + at.FIXED_TILES]
    for spot in range(fixed, parts, 2):
        space[at.COUNTS, image[spot]] -= image[spot + 1]
    for part in range(image[record + at.FIXED_PARTS]):
        space[at.CHOSEN, space[at.NOW, at.NOW_LYING] + part] = image[parts + part]
    space[at.NOW, at.NOW_LEFT], space[at.NOW, at.NOW_TAKEN], space[at.NOW, at.NOW_BEGUN] = target, 0, 0


@kernel
def end_search(image: Array, record: int, space: Array) -> None:
    """Give back all that was taken."""
    while space[at.NOW, at.NOW_TAKEN]:
        give_back(image, space)
    fixed = record + at.CASE
    for spot in range(fixed, fixed + 2 * image[record + at.FIXED_TILES], 2):
        space[at.COUNTS, image[spot]] += image[spot + 1]


@kernel
def give_back(image: Array, space: Array) -> int:
    """Give the last part back. Where its option is listed."""
    taken = space[at.NOW, at.NOW_TAKEN] - 1
    spot = space[at.TAKEN, taken]
    option = image[spot]
    tiles = option + at.NEEDS
    for need in range(tiles, tiles + 2 * image[option + at.NEEDED], 2):
        space[at.COUNTS, image[need]] += image[need + 1]
    space[at.NOW, at.NOW_LEFT] += image[option + at.FILLS]
    space[at.NOW, at.NOW_TAKEN] = taken
    return int(spot)


@kernel
def fits(image: Array, option: int, space: Array) -> bool:
    """Whether the slot of an option has room for it, and the tiles are there."""
    if not space[at.NOW, at.NOW_LEFT] & image[option + at.SLOTS]:
        return False
    tiles = option + at.NEEDS
    for need in range(tiles, tiles + 2 * image[option + at.NEEDED], 2):
        if space[at.COUNTS, image[need]] < image[need + 1]:
            return False
    return True


@kernel
def next_way(image: Array, record: int, space: Array) -> bool:
    """Find the next way to use the tiles up: its parts, after the melds. False where there are no more."""
    kinds, first = image[at.KINDS], space[at.NOW, at.NOW_LYING] + image[record + at.FIXED_PARTS]
    starts = record + at.CASE + 2 * image[record + at.FIXED_TILES] + image[record + at.FIXED_PARTS] + image[at.GROUPS]
    spot = -1
    if space[at.NOW, at.NOW_BEGUN]:
        if not space[at.NOW, at.NOW_TAKEN]:
            return False
        spot = give_back(image, space) + 1
    space[at.NOW, at.NOW_BEGUN] = 1
    while True:
        taken = space[at.NOW, at.NOW_TAKEN]
        tile = space[at.LOWEST_HELD, taken - 1] if taken else 0
        while tile < kinds and space[at.COUNTS, tile] == 0:
            tile += 1
        if tile == kinds:
            if not space[at.NOW, at.NOW_LEFT]:
                space[at.NOW, at.NOW_OWN] = first + taken
                return True
            spot = stop = 0
        else:
            begin = image[starts + tile]
            stop = begin + 1 + image[begin]
            if spot < 0:
                spot = begin + 1
                if taken and space[at.LOWEST_HELD, taken - 1] == tile:
                    spot = space[at.TAKEN, taken - 1]
                    spot += image[image[spot] + at.ONCE]
        while spot < stop and not fits(image, image[spot], space):
            spot += 1
        if spot < stop:
            option = image[spot]
            tiles = option + at.NEEDS
            for need in range(tiles, tiles + 2 * image[option + at.NEEDED], 2):
                space[at.COUNTS, image[need]] -= image[need + 1]
            space[at.NOW, at.NOW_LEFT] -= image[option + at.FILLS]
            space[at.TAKEN, taken], space[at.LOWEST_HELD, taken] = spot, tile
            space[at.CHOSEN, first + taken] = image[option + at.PART]
            space[at.NOW, at.NOW_TAKEN] = taken + 1
            spot = -1
        elif taken:
            spot = give_back(image, space) + 1
        else:
            return False
