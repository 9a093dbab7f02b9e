"""`tilewright serve` with room for many tests at once: what they ask from their one address is not counted, and files
are sent as they are. PAUSE in its environment: how many seconds a result is shown."""

import os
import sys
from functools import partial

from tilewright.cli.commands.table import serve
from tilewright.cli.main import main
from tilewright.web import static_files
from tilewright.web.protocol.settings import Limits, Settings

MANY = 1_000_000


def make_room() -> None:
    """Let servers of this process answer any number of requests."""
    limits = Limits(requests=MANY, requests_burst=MANY, files=MANY, files_burst=MANY)
    pause = float(os.environ.get("PAUSE", Settings().pause))
    static_files.COMPRESS.clear()
    serve.Settings = partial(Settings, limits=limits, pause=pause)  # type: ignore[misc,assignment]


if __name__ == "__main__":
    sys.argv[0] = "tilewright"
    make_room()
    main()
