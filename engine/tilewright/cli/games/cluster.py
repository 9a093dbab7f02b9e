"""A cluster at the command line: the option, and the scheduler that it names."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from tilewright.authoring.open_rules import CannotBegin

if TYPE_CHECKING:
    from tilewright.players.simulation.cluster import Cluster

ClusterAddress = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Have the workers of this Dask scheduler play: tcp://HOST:8786. The results are the same.",
    ),
]


@contextmanager
def cluster_of(address: str | None, jobs: int | None) -> Iterator["Cluster | None"]:
    """The cluster, None if none is named. Raises CannotBegin."""
    if address is None:
        yield None
        return
    if jobs is not None:
        raise CannotBegin(
            "--jobs are processes of this machine, and --cluster has others play", "leave one of them out"
        )
    from tilewright.players.simulation.cluster import NoCluster, cluster_at

    try:
        with cluster_at(address, lambda text: print(text, file=sys.stderr)) as cluster:
            yield cluster
    except NoCluster as error:
        raise CannotBegin(str(error), error.hint) from None
