"""File lock: ensures that one server uses a file. The operating system releases it when the process ends, however that
happens.
"""

import os

ENDING = ".lock"  # of the file next to the database


class FileLock:
    """A lock on a file. `holds`: whether it is ours."""

    def __init__(self, database: str) -> None:
        self.holds = False
        self.file: int | None = None
        try:
            self.file = os.open(database + ENDING, os.O_CREAT | os.O_RDWR, 0o600)
            lock(self.file)
            self.holds = True
        except OSError:
            self.end()

    def end(self) -> None:
        if self.file is not None:
            os.close(self.file)
        self.file, self.holds = None, False


def lock(file: int) -> None:
    """Raises OSError if somebody else has locked the file."""
    if os.name == "nt":
        import msvcrt

        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]  # there on Windows only
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
