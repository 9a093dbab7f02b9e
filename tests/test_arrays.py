"""Arrays on disk, and kernels: what is kept comes back, and damage is a miss; compiled and written code agree."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tilewright.base.compute import kernels
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
