"""The targets of `make fuzz`: good inputs, all that was ever found, and some inputs made of them by lot."""

import gc
import logging
from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest
from budget import budget
from fuzz.mutations import Samples, mutated
from fuzz.run import target_names
from fuzz.survival import survive
from fuzz.targets import TARGETS, Target, application, encoded

from tilewright.web import app
from tilewright.web.workers.pool import WorkerPool

pytestmark = pytest.mark.slow

every_target = pytest.mark.parametrize("target", TARGETS.values(), ids=list(TARGETS))


def good_inputs(target: Target) -> Iterator[bytes]:
    """Some good inputs, the same every time."""
    yield from map(encoded, Random(1).sample(target.seeds, min(target.tried, len(target.seeds))))


@every_target
def test_good_inputs_and_all_findings_are_survived(target: Target) -> None:
    gc.freeze()  # what other tests have left is nothing that an input costs
    for data in [*good_inputs(target), *(path.read_bytes() for path in target.corpus)]:
        survive(target, data)


@every_target
def test_inputs_made_by_lot_are_survived(target: Target) -> None:
    for number, data in enumerate(islice(good_inputs(target), 2)):
        for seed in range(budget(2)):
            survive(target, target.mutated(data, Random(f"{number}/{seed}")))


def test_the_targets_are_known_without_importing_them() -> None:
    assert target_names() == list(TARGETS)


def test_other_servers_of_the_process_are_as_always() -> None:
    """They have workers, which are processes; and what they log is heard by all who listen."""
    application().talk([])
    assert app.WorkerPool is WorkerPool
    log = logging.getLogger("tilewright")
    assert log.propagate and application().errors not in log.handlers


def test_an_input_that_is_too_slow_or_fails_is_a_finding() -> None:
    def endless(data: bytes) -> None:
        while data:
            pass

    def failing(data: bytes) -> None:
        raise KeyError

    with pytest.raises(AssertionError, match="processor time"):
        survive(Target("endless", endless, lambda: iter(()), 0.05), b"x")
    with pytest.raises(KeyError):
        survive(Target("failing", failing, lambda: iter(())), b"x")


def test_mutations_put_in_what_stands_elsewhere() -> None:
    samples = Samples.of(['{"offers": {"pung": {"rank": 2, "group": "triplet"}}}'])
    made = {mutated('{"offers": {"chow": {"rank": 3}}}', Random(seed), samples) for seed in range(300)}
    assert any('"group": "triplet"' in text for text in made)
    assert len(made) > 100
