"""Arrays on disk: named arrays computed once for a key, then mapped into memory and shared by all processes.

In: what the arrays depend on, and a function that makes them. Knows no mahjong.
"""

import hashlib
import json
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from tilewright.base.files import BadCacheEntry, folder, folders, only_of_user, opened, write_whole
from tilewright.base.version import __version__

Array = np.ndarray[Any, np.dtype[Any]]
FORMAT = 1
MAGIC = b"tilewright arrays\n"
ALIGNED = 64  # bytes that an array starts at a multiple of
MOST_BYTES = 500_000_000  # of all files; the oldest go first
ENDING = ".arrays"


def arrays_of(key: object, make: Callable[[], Mapping[str, Array]]) -> Mapping[str, Array]:
    """The arrays for a key whose `repr` is equal in every process; made if they are not in the cache, or if the module
    that makes them has changed since. Read-only."""
    text = repr((FORMAT, __version__, np.little_endian, changed(make), key))
    name = f"{hashlib.sha256(text.encode()).hexdigest()}{ENDING}"
    for place in folders():
        with suppress(Exception):
            return mapped(place / name)
    made, path = make(), folder() / name
    with suppress(Exception):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        only_of_user(path.parent.stat())
        write_whole(path, written(made), private=True)
        forget_oldest(path.parent)
        return mapped(path)
    return made


def changed(make: Callable[..., object]) -> int | None:
    """When the module of a function was changed, in nanoseconds; None where that cannot be known."""
    with suppress(AttributeError, OSError):
        return Path(make.__code__.co_filename).stat().st_mtime_ns
    return None


def written(arrays: Mapping[str, Array]) -> bytes:
    """The content of a file: its header, then the arrays one after the other."""
    places, size = {}, 0
    for name, array in arrays.items():
        places[name] = (array.dtype.str, array.shape, size)
        size += -(-array.nbytes // ALIGNED) * ALIGNED
    body = bytearray(size)
    for name, array in arrays.items():
        body[places[name][2] : places[name][2] + array.nbytes] = np.ascontiguousarray(array).tobytes()
    header = MAGIC + json.dumps({"size": size, "sum": zlib.crc32(body), "arrays": places}).encode() + b"\n"
    return header.ljust(-(-len(header) // ALIGNED) * ALIGNED, b" ") + bytes(body)


def mapped(path: Path) -> dict[str, Array]:
    """The arrays of a file, mapped into memory. Raises BadCacheEntry, OSError or ValueError."""
    with opened(path) as file:
        if file.readline(len(MAGIC)) != MAGIC:
            raise BadCacheEntry(path)
        header = json.loads(file.readline())
        start = -(-file.tell() // ALIGNED) * ALIGNED
        whole = np.memmap(file, np.uint8, "r", start, (header["size"],)) if header["size"] else np.zeros(0, np.uint8)
    if zlib.crc32(whole.data) != header["sum"]:
        raise BadCacheEntry(path)
    plain = whole.view(np.ndarray)
    return {name: array_at(plain, *place) for name, place in header["arrays"].items()}


def array_at(whole: Array, kind: str, shape: list[int], start: int) -> Array:
    """One array of the file."""
    dtype = np.dtype(kind)
    size = dtype.itemsize * int(np.prod(shape))
    return whole[start : start + size].view(dtype).reshape(shape)


def forget_oldest(where: Path) -> None:
    """Remove the oldest files, once all take too much room."""
    files = [(status.st_mtime, status.st_size, path) for path in where.glob(f"*{ENDING}") if (status := path.stat())]
    room = sum(size for _, size, _ in files)
    for _, size, path in sorted(files) if room > MOST_BYTES else ():
        if room <= MOST_BYTES * 3 // 4:
            break
        path.unlink(missing_ok=True)
        room -= size
