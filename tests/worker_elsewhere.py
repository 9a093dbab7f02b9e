"""A Dask worker on a machine that has another version of Tilewright, or none, as the first argument says."""

import sys
from importlib import metadata

from distributed.cli import dask_worker

known = metadata.version


def main() -> None:
    other = sys.argv.pop(1)

    def version(name: str) -> str:
        if name != "tilewright":
            return known(name)
        if other == "none":
            raise metadata.PackageNotFoundError(name)
        return other

    metadata.version = version
    dask_worker.main()
