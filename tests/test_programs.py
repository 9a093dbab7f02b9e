"""Compiled kernels: what Python calls is one program, which is kept with the parts that others may link."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

KERNELS = """
from tilewright.base.compute.kernels import loop_kernel
FACTOR = 3

@loop_kernel
def times(number: int, by: int) -> int:
    return number * by

@loop_kernel
def inner(number: int) -> int:
    return times(number, FACTOR) + times(number, 1) + times(number, number)

@loop_kernel
def outer(number: int) -> int:
    return inner(number) - int(number > 2)

@loop_kernel
def other(number: int) -> int:
    return -inner(number)
"""
CALL = """
import sys
import made
from numba.core.event import install_recorder
from tilewright.base.compute.kernels import prepare
assert prepare()
name, number = sys.argv[1:]
with install_recorder("numba:compile") as recorder:
    found = getattr(made, name).now(int(number))
called = [event.data["dispatcher"].__name__ for _, event in recorder.buffer if event.is_start]
print(found, *sorted(name for name in called if name in vars(made)))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with kernels."""
    pytest.importorskip("numba")
    (tmp_path / "made.py").write_text(KERNELS)
    return tmp_path


def call(folder: Path, name: str, number: int = 5) -> str:
    """What a kernel of a folder gives in a process of its own, and which kernels are compiled for that."""
    path = os.pathsep.join((str(folder), os.environ["PYTHONPATH"]))
    environment = {
        **os.environ,
        "PYTHONPATH": path,
        "TILEWRIGHT_CACHE": str(folder / "cache"),
        "TILEWRIGHT_KERNELS": "",
    }
    command = [sys.executable, "-c", CALL, name, str(number)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def kept(folder: Path) -> set[str]:
    """The files that are kept of kernels, but for their folders' hashes."""
    files = (folder / "cache" / "kernels").rglob("*.nbc")
    return {f"{path.parents[1].name.rpartition('.')[2]} {path.name.partition('.')[0]}" for path in files}


def test_a_kernel_is_compiled_once_with_all_that_it_calls(folder: Path) -> None:
    assert call(folder, "outer") == "44 inner outer times"  # `times` once for literal numbers and others
    assert kept(folder) == {"outer program", "inner part", "times part"}
    assert call(folder, "outer", 2) == "12"


def test_a_part_that_is_kept_is_linked_by_other_programs(folder: Path) -> None:
    call(folder, "outer")
    assert call(folder, "other") == "-45 other"
    assert call(folder, "inner") == "45 inner"  # as a program, for Python
    assert kept(folder) == {"outer program", "other program", "inner program", "inner part", "times part"}


def test_only_what_has_changed_is_compiled_anew(folder: Path) -> None:
    call(folder, "outer")
    (folder / "made.py").write_text("# a comment\n" + KERNELS.replace("FACTOR = 3", "FACTOR = 4"))
    assert call(folder, "outer") == "49 inner outer"
    (folder / "made.py").write_text(KERNELS)
    assert call(folder, "outer") == "44"


def test_a_part_that_is_lost_is_compiled_anew(folder: Path) -> None:
    call(folder, "outer")
    for path in (folder / "cache" / "kernels").glob("*times*/*/*.nbc"):
        path.unlink()
    assert call(folder, "other") == "-45 other times"
