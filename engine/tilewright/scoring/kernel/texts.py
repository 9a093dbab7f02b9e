"""Texts: a reading in, what regular expressions say of its text out, by automata over tiles (`scoring.program.texts`).

Knows no patterns."""

from tilewright.base.kernels import Array, kernel
from tilewright.scoring.kernel import layout as at

MOST_WILD = 8  # wild tiles of a reading, each itself or what it stands for


@kernel
def text_answer(image: Array, text: int, space: Array) -> int:
    """Whether some spelling of a reading matches; UNKNOWN for very many wild tiles.

    A text: whether it goes group by group, whether groups are as long as what they stand for; then the automaton.
    A part: how many wild tiles it has; for each way to spell it where its rows are, whole and shortened."""
    choices, parts = 0, image[at.PART_TEXT]
    for spot in range(space[at.NOW, at.NOW_OWN]):
        choices += image[image[parts + space[at.CHOSEN, spot]]]
    if choices > MOST_WILD:
        return at.UNKNOWN
    for choice in range(1 << choices):
        state = read_rows(image, text, choice, space) if image[text] else read_sorted(image, text, choice, space)
        if image[image[text + 3] + state]:
            return 1
    return 0


@kernel
def row_of(image: Array, text: int, spot: int, choice: int, space: Array) -> int:
    """Where the row of a part of a reading is, spelled by the lowest bits of a choice: its rank among rows, how many
    tiles it has, and their places."""
    record = image[image[at.PART_TEXT] + space[at.CHOSEN, spot]]
    way = choice & (1 << image[record]) - 1
    return int(image[record + 1 + 2 * way + image[text + 1]])


@kernel
def read_sorted(image: Array, text: int, choice: int, space: Array) -> int:
    """The state after all tiles, sorted."""
    kinds, moves, state = image[at.PLACES_OF_TEXT], image[text + 2], 0
    for place in range(kinds):
        space[at.SPELLED, place] = 0
    for spot in range(space[at.NOW, at.NOW_OWN]):
        row = row_of(image, text, spot, choice, space)
        choice >>= image[image[image[at.PART_TEXT] + space[at.CHOSEN, spot]]]
        for tile in range(row + 2, row + 2 + image[row + 1]):
            space[at.SPELLED, image[tile]] += 1
    for place in range(kinds):
        for _ in range(space[at.SPELLED, place]):
            state = image[moves + state * (kinds + 1) + place]
    return int(image[moves + state * (kinds + 1) + kinds])


@kernel
def read_rows(image: Array, text: int, choice: int, space: Array) -> int:
    """The state after all groups, each sorted, larger ones first."""
    kinds, moves, state = image[at.PLACES_OF_TEXT], image[text + 2], 0
    own = space[at.NOW, at.NOW_OWN]
    for spot in range(own):
        row = row_of(image, text, spot, choice, space)
        choice >>= image[image[image[at.PART_TEXT] + space[at.CHOSEN, spot]]]
        place = spot
        while place and image[space[at.SPELLED, place - 1]] > image[row]:
            space[at.SPELLED, place] = space[at.SPELLED, place - 1]
            place -= 1
        space[at.SPELLED, place] = row
    for spot in range(own):
        row = space[at.SPELLED, spot]
        for tile in range(row + 2, row + 2 + image[row + 1]):
            state = image[moves + state * (kinds + 1) + image[tile]]
        state = image[moves + state * (kinds + 1) + kinds]
    return int(state)
