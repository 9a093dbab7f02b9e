"""The hands of Card Free, from the definition: which blocks the tiles make, and whether these have a category.

In: how many of each tile, as codes, and jokers. Slow, and knows nothing of the engine."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement, product

Block = tuple[str, int]  # a tile, how many; NEWS and the trio of dragons by their names
SIZES = {
    (4, 5, 5),
    (2, 4, 4, 4),
    (2, 2, 5, 5),
    (3, 3, 4, 4),
    (3, 3, 3, 5),
    (2, 2, 2, 4, 4),
    (2, 3, 3, 3, 3),
    (2, 2, 2, 2, 2, 4),
    (2, 2, 2, 2, 3, 3),
}
WINDS, DRAGONS, FLOWER = "ESWN", "CFP", "1f"
TILES = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)] + [*WINDS, *DRAGONS, FLOWER]
NUMBERS = [
    {3, 6, 9},
    {2, 4, 6},
    {4, 6, 8},
    {2, 4, 6, 8},
    *({first, first + 2, first + 4} for first in (1, 3, 5)),
    *({first, first + 2, first + 4, first + 6} for first in (1, 3)),
    *(set(range(first, first + length)) for length in (3, 4, 5, 6) for first in range(1, 11 - length)),
]


def is_hand(tiles: Mapping[str, int], jokers: int) -> bool:
    """Whether fourteen tiles and jokers are a hand."""
    return any(has_category(blocks) for blocks in blocks_of(Counter(tiles), jokers))


def blocks_of(tiles: Counter[str], jokers: int) -> Iterator[list[Block]]:
    """Every way to make blocks: all of a tile are in one, but for the dragon hand with two pungs of flowers."""
    singles = [("NEWS", WINDS, 4), ("trio", DRAGONS, 3)]
    for used in product((False, True), repeat=2):
        chosen = [one for one, use in zip(singles, used, strict=True) if use]
        if any(tiles[tile] != 1 for _, own, _ in chosen for tile in own):
            continue
        apart = [(name, size) for name, _, size in chosen]
        left = [(tile, n) for tile, n in tiles.items() if n and not any(tile in own for _, own, _ in chosen)]
        sizes = [
            [size for size in (2, 3, 4, 5, 6)[: 5 if tile == FLOWER else 4] if size >= n and (size > 2 or n == 2)]
            for tile, n in left
        ]
        for given in product(*sizes):
            spare = jokers - sum(size - n for size, (_, n) in zip(given, left, strict=True))
            if spare < 0 or spare in (1, 2) or sum(given) > 14:
                continue
            found = [*apart, *((tile, size) for (tile, _), size in zip(left, given, strict=True))]
            yield from ([*found, *more] for more in of_jokers(spare, {tile for tile, _ in left}))


def of_jokers(jokers: int, taken: set[str]) -> Iterator[list[Block]]:
    """Blocks of nothing but jokers."""
    if jokers == 0:
        yield []
    if jokers < 3:
        return
    free = [tile for tile in TILES if tile not in taken]
    for sizes in (
        made for n in (1, 2) for made in combinations_with_replacement((3, 4, 5, 6), n) if sum(made) == jokers
    ):
        for chosen in product(free, repeat=len(sizes)):
            if len(set(chosen)) == len(sizes):
                yield list(zip(chosen, sizes, strict=True))


def has_category(blocks: list[Block]) -> bool:
    """Whether the blocks are of two sizes and have a category, or are one of the dragon hands."""
    sizes, tiles = tuple(sorted(size for _, size in blocks)), [tile for tile, _ in blocks]
    dragons = sorted(size for tile, size in blocks if tile in DRAGONS)
    if sizes == (4, 4, 6) and dragons == [4, 4] and (FLOWER, 6) in blocks:
        return True
    if sizes == (2, 4, 4, 4) and dragons == [4, 4, 4] and ("1s", 2) in blocks:
        return True
    if sizes == (2,) * 7:
        return sorted(tiles) == sorted([*WINDS, *DRAGONS])
    if sizes not in SIZES or any(tile == FLOWER and size != 2 for tile, size in blocks):
        return False
    if "trio" in tiles and dragons:
        return False
    numbers = [(int(tile[0]), tile[1]) for tile in tiles if tile[0].isdigit() and tile != FLOWER]
    winds = {tile for tile in tiles if tile in WINDS}
    if not numbers:
        return not winds if "NEWS" in tiles else winds in (set(WINDS), {"N", "S"}, {"E", "W"})
    ranks, suits = {rank for rank, _ in numbers}, {suit for _, suit in numbers}
    if winds or "NEWS" in tiles:
        return False
    return (len(numbers) == len(ranks) and ranks in NUMBERS) or (len(ranks) == 1 and len(suits) == len(numbers) == 3)
