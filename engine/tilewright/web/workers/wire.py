"""The wire between the server and a house: plain data in frames of bytes, each with its length before it.

Knows neither side. A frame is JSON with four bytes of length before it, so that one that was cut off is noticed.
"""

import json
from typing import IO, Any

LENGTH = 4  # bytes
MOST_BYTES = 64_000_000  # of a frame


class CutOff(Exception):
    """The other side has gone, or speaks something else."""


def frame_of(data: Any) -> bytes:
    """Plain data as it is sent."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
    return len(text).to_bytes(LENGTH, "big") + text


def length_of(head: bytes) -> int:
    """How many bytes follow. Raises CutOff."""
    length = int.from_bytes(head, "big")
    if len(head) != LENGTH or length > MOST_BYTES:
        raise CutOff
    return length


def read_frame(stream: IO[bytes]) -> Any:
    """The next data of a stream. Raises CutOff."""
    length = length_of(stream.read(LENGTH))
    text = stream.read(length)
    if len(text) != length:
        raise CutOff
    return json.loads(text)
