"""Saved games: the folder of a player's games, and the log of each in a file that is written while it is played. A game
that was killed continues from there.

A log names its ruleset by id. Next to the log of a game by a document that is not bundled is a note of how it was
opened, so that it can be opened again.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

from tilewright.authoring.open_rules import CannotBegin, RulesChoice, open_rules
from tilewright.base.problem import RulesetError
from tilewright.language.documents.bundled import bundled_file
from tilewright.language.documents.library import pack_reference, path_of
from tilewright.play.log import Log, LogError, LogWriter, lines, place_of, read_log
from tilewright.play.resume import first_difference, resume
from tilewright.play.rules import Rules
from tilewright.play.table import Table
from tilewright.scoring.rules import setting_text

FOLDER = ("tilewright", "games")
ENDING = ".jsonl"
MOST_READ = 20_000  # bytes at either end of a log
MOST_IN_NAME = 40  # characters of a ruleset's name
NOTE = ".opened"
MOST_BYTES = 500_000_000  # of a log
DAMAGED = "remove this line and all after it: a truncated log continues from there"


@dataclass(frozen=True)
class ReopenedGame:
    """How a game was opened: the ruleset as typed, settings, mods."""

    ruleset: str
    settings: Mapping[str, str]
    mods: tuple[str, ...]

    @property
    def is_bundled(self) -> bool:
        """Whether its id alone identifies it."""
        names = (self.ruleset, *(mod.partition(":")[0] for mod in self.mods))
        return all(bundled_file(name) is not None and not Path(name).exists() for name in names)

    def absolute(self) -> "ReopenedGame":
        """The same with absolute paths."""
        return ReopenedGame(rooted(self.ruleset), self.settings, tuple(map(rooted, self.mods)))

    def rules(self) -> Rules:
        return Rules(open_rules(self.ruleset, RulesChoice(self.settings, self.mods)).data)


def rooted(name: str) -> str:
    """An absolute path, also of a document of a pack; an id unchanged."""
    path, colon, rest = name.partition(":")
    if pack_reference(path) is not None:
        return str(path_of(path).resolve()) + colon + rest
    return str(Path(path).resolve()) + colon + rest if Path(path).exists() else name


class SavedGame:
    """Writes the log of one game. The file stays locked while it is open."""

    def __init__(self, path: Path, stream: TextIO, writer: LogWriter) -> None:
        self.path, self.stream, self.writer = path, stream, writer

    def __call__(self, table: Table) -> None:
        """Write the new lines of the table's log."""
        self.stream.writelines(f"{line}\n" for line in self.writer.more(table.game))
        self.stream.flush()

    def close(self) -> None:
        self.stream.close()


def begin(path: Path, table: Table, players: tuple[str, ...], opened: ReopenedGame) -> SavedGame:
    """Create a new log. Raises CannotBegin if there is one already."""
    try:
        stream = path.open("x", encoding="utf-8")
    except FileExistsError:
        raise CannotBegin(f"{path} exists already", f"continue it: tilewright play --resume {path}") from None
    lock(stream, path)
    writer = LogWriter(table.game, players)
    stream.write(f"{writer.first()}\n")
    if not opened.is_bundled:
        note_of(path).write_text(json.dumps(asdict(opened.absolute()), ensure_ascii=False) + "\n", encoding="utf-8")
    return SavedGame(path, stream, writer)


def go_on(path: Path, opened: ReopenedGame | None) -> tuple[SavedGame, Table, Log, Rules]:
    """Open an unfinished log: it, its game and its rules; `opened`: how to open the ruleset. Raises LogError,
    CannotBegin."""
    stream = open_kept(path)
    lock(stream, path)
    log = read_kept(path, stream)
    if log.header.seed is None:
        raise CannotBegin(f"{path} was dealt by a server, which alone can continue it", "tilewright replay shows it")
    rules = rules_of(log, opened or noted(path))
    game = resume(log, rules)
    if (difference := first_difference(lines(game, log.header.players), log.lines)) is not None:
        raise damaged(log, difference.line)
    writer = LogWriter(game, log.header.players)
    all_lines = [writer.first(), *writer.more(game)]
    os.ftruncate(stream.fileno(), len("\n".join(log.lines).encode()))  # rewrite a line that was cut off
    stream.seek(0, os.SEEK_END)
    stream.write("".join(f"\n{line}" for line in all_lines[len(log.lines) :]) + "\n")
    stream.flush()
    return SavedGame(path, stream, writer), Table(game), log, rules


def open_kept(path: Path) -> TextIO:
    """The file of a log, open for reading and writing. Raises CannotBegin."""
    if path.is_dir() or not path.exists():
        raise CannotBegin(f"there is no log {path}", "tilewright play --resume continues the last game")
    if path.stat().st_size > MOST_BYTES:
        raise CannotBegin(f"{path} is too large for a log", None)
    return path.open("r+", encoding="utf-8", newline="\n")


def read_kept(path: Path, stream: TextIO) -> Log:
    """The log in a file. Raises LogError, CannotBegin."""
    try:
        return read_log(str(path), stream.read())
    except UnicodeDecodeError as error:
        raise CannotBegin(f"{path} is no log: byte {error.start + 1} is no UTF-8 text") from None


def damaged(log: Log, number: int) -> LogError:
    """The error for a line that does not match the replayed game."""
    text = log.lines[number - 1] if number <= len(log.lines) else ""
    return LogError("damaged-log", "this line is not what was played", place_of(log.name, number, text), DAMAGED)


# --- which rules


def rules_of(log: Log, opened: ReopenedGame | None) -> Rules:
    """The rules that a log was played with. Raises RulesetError, CannotBegin."""
    header = log.header
    if opened is not None:
        return opened.rules()
    settings = {name: setting_text(value) for name, value in header.options.items()}
    try:
        return ReopenedGame(header.ruleset, settings, header.mods).rules()
    except (RulesetError, CannotBegin) as error:
        hint = f"name what it was played with: tilewright play RULESET.yaml --resume {log.name}"
        what = ", ".join((header.ruleset, *header.mods))
        raise CannotBegin(
            f"{log.name} was played with {what}, which cannot be opened: {message_of(error)}", hint
        ) from None


def message_of(error: RulesetError | CannotBegin) -> str:
    return error.message if isinstance(error, CannotBegin) else error.problems[0].message


def noted(path: Path) -> ReopenedGame | None:
    """The note next to a log, if there is a readable one."""
    try:
        note: Any = json.loads(note_of(path).read_text(encoding="utf-8"))
        settings = {str(name): str(value) for name, value in note["settings"].items()}
        return ReopenedGame(str(note["ruleset"]), settings, tuple(map(str, note["mods"])))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def note_of(path: Path) -> Path:
    return path.with_name(path.name + NOTE)


# --- one at a time


def lock(stream: TextIO, path: Path) -> None:
    """Keep others from playing the same log. Raises CannotBegin if somebody does."""
    if os.name == "nt":
        return
    import fcntl

    try:
        fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        stream.close()
        raise CannotBegin(f"{path} is being played right now", "leave the other table first") from None
    except OSError:
        with suppress(OSError):  # a file system without locks
            stream.flush()


# --- the folder of games


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
