"""Games: the folder with the logs of a player's games, and which of them is the latest."""

import os
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from tilewright.authoring.open_rules import CannotBegin

FOLDER = ("tilewright", "games")
ENDING = ".jsonl"
MOST_READ = 20_000  # bytes at either end of a log
MOST_IN_NAME = 40  # characters of a ruleset's name


def games_folder() -> Path:
    """The folder for the saved state of a user's programs, as the system has it."""
    state = os.environ.get("XDG_STATE_HOME") or (os.environ.get("LOCALAPPDATA") if os.name == "nt" else "")
    try:
        base = Path(state) if state else Path.home() / ".local" / "state"
    except RuntimeError:
        raise CannotBegin("there is no home folder to keep the game in", "name a file: --log FILE") from None
    return base.joinpath(*FOLDER)


def new_game_file(ruleset: str, now: datetime) -> Path:
    """A name for the log of a new game, in an existing folder."""
    folder = games_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = (error.strerror or "it cannot be written").lower()
        raise CannotBegin(f"the game cannot be kept in {folder}: {why}", "name a file: --log FILE") from None
    name = re.sub(r"[^\w-]+", "_", Path(ruleset).stem)[:MOST_IN_NAME]
    stem = f"{now:%Y-%m-%d-%H%M%S}-{name}"
    return next(path for path in names(folder, stem) if not path.exists())


def names(folder: Path, stem: str) -> Iterator[Path]:
    yield folder / f"{stem}{ENDING}"
    number = 2
    while True:
        yield folder / f"{stem}-{number}{ENDING}"
        number += 1


def kept_games() -> list[Path]:
    """The logs of games, latest first."""
    folder = games_folder()
    files = [path for path in folder.glob(f"*{ENDING}") if path.is_file()] if folder.is_dir() else []
    return sorted(files, key=lambda path: path.stat().st_mtime, reverse=True)


def ends_of(path: Path) -> tuple[str, str]:
    """The beginning and the end of a log."""
    with path.open("rb") as stream:
        first = stream.readline(MOST_READ)
        stream.seek(max(0, path.stat().st_size - MOST_READ))
        return first.decode(errors="replace"), stream.read().decode(errors="replace").rstrip().rpartition("\n")[2]
