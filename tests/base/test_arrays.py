"""Arrays on disk: what is kept comes back, and damage is a miss."""

import os
from pathlib import Path

import numpy as np
import pytest

from tilewright.base import arrays
from tilewright.base.arrays import arrays_of


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
