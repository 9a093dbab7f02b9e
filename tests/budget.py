"""How much random tests try: little each time, and twenty times as much in `make soak`, which sets TEST_BUDGET."""

import os

FACTOR = int(os.environ.get("TEST_BUDGET", "1"))


def budget(count: int) -> int:
    """So many examples, hands or seeds in `make test`; more where there is time for more."""
    return count * FACTOR
