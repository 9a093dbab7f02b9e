"""A clock that can be set, for the processes of a run: a small library that they load first (clock.c)."""

import os
import shutil
import struct
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

SOURCE = Path(__file__).with_name("clock.c")


@dataclass(frozen=True)
class Clock:
    """`file`: has the seconds by which the clock is wrong."""

    library: Path
    file: Path

    @classmethod
    def made(cls, folder: Path) -> Self | None:
        """A clock that is right; None where there is no C compiler."""
        compiler = shutil.which("cc")
        if compiler is None:
            return None
        clock = cls(folder / "clock.so", folder / "clock")
        subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", clock.library, SOURCE, "-ldl"], check=True)
        clock.file.touch(mode=0o644)
        clock.set(0)
        return clock

    def set(self, seconds: int) -> None:
        """Let it be wrong by so many seconds."""
        file = os.open(self.file, os.O_WRONLY)
        os.pwrite(file, struct.pack("d", seconds), 0)
        os.close(file)

    @property
    def environment(self) -> Mapping[str, str]:
        return {"LD_PRELOAD": str(self.library), "TILEWRIGHT_CLOCK": str(self.file)}
