"""How much random tests try: little each time, and twenty times as much in `make soak`, which sets TEST_BUDGET."""

import os

FACTOR = int(os.environ.get("TEST_BUDGET", "1"))


def budget(count: int) -> int:
    """So many examples, hands or seeds in `make test`; more where there is time for more."""
    return count * FACTOR


def every(count: int) -> int:
    """At each so many answers of a game; at each one where there is time."""
    return max(1, count // FACTOR)
