"""Arrays on disk, and kernels: what is kept comes back, and damage is a miss; compiled and written code agree."""

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tilewright.base.compute import arrays, kernels
from tilewright.base.compute.arrays import arrays_of
from tilewright.base.compute.kernels import kernel, prepare


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TILEWRIGHT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


MADE = {
    "counts": np.arange(12, dtype=np.int16).reshape(3, 4),
    "none": np.zeros((0, 5)),
    "bits": np.array([2**63], "u8"),
}


def unasked() -> dict[str, np.ndarray]:
    raise AssertionError("the arrays are in the cache")


def test_arrays_come_back_as_they_were() -> None:
    for make in (lambda: MADE, unasked):
        known = arrays_of(("a", 1), make)
        assert known.keys() == MADE.keys()
        for name, array in MADE.items():
            assert known[name].dtype == array.dtype and np.array_equal(known[name], array)
            assert make is not unasked or not known[name].flags.writeable


@pytest.mark.parametrize("damage", ["a byte", "an end", "nothing left", "open to others"])
def test_a_damaged_file_is_made_again(damage: str, folder: Path) -> None:
    arrays_of("a", lambda: MADE)
    (file,) = folder.glob("*.arrays")
    content = bytearray(file.read_bytes())
    if damage == "a byte":
        content[-60] ^= 1
    elif damage == "an end":
        del content[-64:]
    elif damage == "nothing left":
        content.clear()
    else:
        file.chmod(0o666)
    file.write_bytes(content)
    other = {"counts": np.zeros(2)}
    assert np.array_equal(arrays_of("a", lambda: other)["counts"], np.zeros(2))
    assert np.array_equal(arrays_of("a", unasked)["counts"], np.zeros(2))


def test_the_oldest_files_go_when_there_is_no_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "MOST_BYTES", 10_000)
    for number in range(8):
        arrays_of(number, lambda: {"zeros": np.zeros(250)})
        for age, file in enumerate(sorted(folder.glob("*.arrays"), key=lambda path: path.stat().st_mtime_ns)):
            os.utime(file, (age, age))
    assert sum(file.stat().st_size for file in folder.glob("*.arrays")) <= 10_000
    assert len(arrays_of(7, unasked)["zeros"]) == 250, "the newest is there"


def test_without_a_folder_arrays_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE", os.devnull)
    assert arrays_of("a", lambda: MADE) is MADE


@kernel
def doubled(number: int) -> int:
    return 2 * number


@kernel
def sum_of_doubles(numbers: np.ndarray) -> int:
    total = 0
    for number in numbers:
        total += doubled(number)
    return total


def made_of(text: str) -> ModuleType:
    """A module of this text."""
    made = ModuleType("tests.made")
    exec(text, vars(made))
    return made


MODULE = """
from tilewright.base.compute.kernels import kernel
import limits
LAST = 3

@kernel
def inner(x: int) -> int:
    return x + LAST

@kernel
def outer(x: int) -> int:
    return inner(x) * limits.MOST

@kernel
def other(x: int) -> int:
    return x
"""


@pytest.mark.parametrize(
    ("old", "new", "compiled_anew"),
    [
        ("LAST = 3", "LAST = 4", {"inner", "outer"}),
        ("x + LAST", "x - LAST", {"inner", "outer"}),
        ("* limits", "+ limits", {"outer"}),
        ("return x\n", "return x + 0\n", {"other"}),
        ("LAST = 3", "LAST = 3  # a comment", set()),
    ],
)
def test_a_kernel_is_compiled_anew_if_what_it_says_or_calls_changes(
    old: str, new: str, compiled_anew: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "limits", made_of("MOST = 9"))
    before, after = vars(made_of(MODULE)), vars(made_of(MODULE.replace(old, new)))
    names = ("inner", "outer", "other")
    assert {name for name in names if before[name].fingerprint != after[name].fingerprint} == compiled_anew


def test_a_kernel_is_compiled_anew_if_a_number_of_another_module_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    prints = []
    for text in ("MOST = 9", "MOST = 8", "MOST = 9; LEAST = 0"):
        monkeypatch.setitem(sys.modules, "limits", made_of(text))
        prints.append(vars(made_of(MODULE))["outer"].fingerprint)
    assert prints[0] == prints[2] != prints[1]


def test_a_kernel_gives_the_same_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TILEWRIGHT_KERNELS")
    monkeypatch.setattr(kernels, "_chosen", [])
    numbers = np.arange(100)
    assert sum_of_doubles.plain(numbers) == 9900
    assert prepare() and sum_of_doubles.now is not sum_of_doubles.plain
    assert sum_of_doubles(numbers) == 9900


def test_numba_can_be_left_out() -> None:
    code = "import sys; from tilewright.base.compute.kernels import prepare; print(prepare(), 'numba' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "TILEWRIGHT_KERNELS": "numpy"}, capture_output=True, text=True
    )
    assert done.stdout == "False False\n", done.stderr
