"""What a page is sent tells nothing of tiles that its player has not seen: with other hidden tiles it is sent the same,
at the same time, until the rules show one of them or somebody does what only these tiles allow."""

import asyncio
from itertools import count

import pytest
from budget import FACTOR
from games import mostly_soaked
from play_worlds import DIFFERENT, WORLDS, World
from two_worlds import compared

pytestmark = [pytest.mark.slow, pytest.mark.budgeted]

VIEWS = 40 if FACTOR == 1 else 6_000  # of each world: more than 100,000 in `make soak`


@pytest.mark.parametrize("world", mostly_soaked(WORLDS, DIFFERENT), ids=str)
@pytest.mark.timeout(7_200)
def test_other_hidden_tiles_change_nothing_that_is_sent(world: World) -> None:
    """Views, events, who is asked, results, help, refusals and the times of all of them; for each player and an
    onlooker."""
    viewers, views = world.rules.data.seats.count + 1, 0
    for number in count():
        seed, viewer = divmod(number, viewers)
        found = asyncio.run(compared(world, seed, viewer))
        assert found.difference is None, f"seed {seed}, viewer {viewer}"
        views += found.views
        if views >= VIEWS:
            break


@pytest.mark.parametrize(("name", "seed", "viewer"), [("riichi", 37, 3), ("sanma", 39, 1)])
def test_what_once_told_of_hidden_tiles(name: str, seed: int, viewer: int) -> None:
    """Games in which a message more, or a message less, told whether others might claim a tile or rob a kong."""
    world = next(world for world in WORLDS if str(world) == name)
    assert asyncio.run(compared(world, seed, viewer)).difference is None
