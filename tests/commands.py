"""Commands that tests give: in this process, as a process of its own, or on a terminal; their output and exit codes."""

import contextlib
import io
import os
import pty
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

from processes import HANGS, process

from tilewright.cli.main import main

COMMAND = [sys.executable, "-m", "tilewright"]

Done = subprocess.CompletedProcess[str]


def run(
    *arguments: str, stdin: str = "", cwd: Path | None = None, env: dict[str, str] | None = None, merged: bool = False
) -> Done:
    """A command in this process: starting Python would take most of the time. It sees one processor, so that few games
    need no other process unless `--jobs` says so. `merged`: what it says on stderr stands in its output."""
    out = output()
    err = out if merged else output()
    before = {number: signal.getsignal(number) for number in (signal.SIGPIPE, signal.SIGINT)}
    with (
        patch.object(sys, "argv", ["tilewright", *arguments]),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8")),
        patch.dict(os.environ, env or {}),
        patch.object(os, "sched_getaffinity", lambda process: {0}, create=True),
        contextlib.chdir(cwd or Path.cwd()),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
            code: object = 0
        except SystemExit as ended:
            code = ended.code
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
    said = "" if merged else written(err)
    return Done(arguments, code if isinstance(code, int) else int(code is not None), written(out), said)


def output() -> io.TextIOWrapper:
    """A stream like those of a process whose output is kept."""
    return io.TextIOWrapper(io.BytesIO(), "utf-8")


def written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    kept = stream.detach()
    assert isinstance(kept, io.BytesIO)
    return kept.getvalue().decode()


def run_line(line: str, folder: Path) -> Done:
    """A line as it is typed in a folder: a command of ours, which may read what another program writes and be read by
    one, or another program. Everything that it says stands in its output."""
    before, found, ours = line.rpartition("tilewright ")
    ours, _, after = ours.partition(" | ")
    if after:
        said = run_line(before + found + ours, folder).stdout
        return subprocess.run(["bash", "-c", after], cwd=folder, input=said, capture_output=True, encoding="utf-8")
    if not found or (before and not before.endswith("| ")):
        return subprocess.run(
            ["bash", "-c", f"{{ {line} ; }} 2>&1"], cwd=folder, capture_output=True, encoding="utf-8", timeout=HANGS
        )
    stdin = run_line(before.removesuffix("| "), folder).stdout if before else ""
    return run(*shlex.split(ours, comments=True), stdin=stdin, cwd=folder, merged=True)


def run_process(
    *arguments: str, stdin: str = "", cwd: Path | None = None, env: dict[str, str] | None = None, hangs: float = HANGS
) -> Done:
    """The same as a process of its own, as people and scripts run it; it hangs if it takes so many seconds."""
    return subprocess.run(
        [*COMMAND, *arguments],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        cwd=cwd,
        env={**os.environ, **(env or {})},
        timeout=hangs,
    )


def on_terminal(*arguments: str, **env: str) -> str:
    """What a command writes to a terminal."""
    ours, side = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", **env}
    with process([*COMMAND, *arguments], stdout=side, stderr=side, env=environment):
        os.close(side)
        read = b""
        while True:
            try:
                chunk = os.read(ours, 65_536)
            except OSError:
                break
            if not chunk:
                break
            read += chunk
    os.close(ours)
    return read.decode()


def fails(done: Done, code: int, *said: str) -> None:
    """It ends with this code, says this on stderr and nothing of Python."""
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    for text in said:
        assert text in done.stderr
