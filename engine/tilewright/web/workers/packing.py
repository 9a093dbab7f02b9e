"""Packing: results of workers that the server passes on without reading them, compressed once and kept like that.

In a worker: plain data, or a text, as compressed bytes. In the server: the same bytes, or their content part by part.
Knows no job.
"""

import gzip
import zlib
from collections.abc import Iterator

from tilewright.presentation.catalogue import translations
from tilewright.web.protocol.strict_json import json_bytes
from tilewright.web.workers.wire import GameFailed

MOST_CONTENT = 16_000_000  # bytes of a result
LEVEL = 6
PART = 32_000  # bytes of content that are unpacked at once
OF_GZIP = 16 + zlib.MAX_WBITS
TOO_LARGE = translations("server.table_too_large")


def packed(found: object) -> bytes:
    """A text as it is, anything else as JSON. Raises GameFailed if it is too large."""
    content = found.encode(errors="replace") if isinstance(found, str) else json_bytes(found)
    if len(content) > MOST_CONTENT:
        raise GameFailed(TOO_LARGE)
    return gzip.compress(content, LEVEL, mtime=0)


def unpacked(content: bytes) -> bytes:
    """All of it. Where it may be large, to be called in a thread."""
    return gzip.decompress(content)


def parts(content: bytes) -> Iterator[bytes]:
    """All of it, little by little."""
    unpacking = zlib.decompressobj(OF_GZIP)
    while not unpacking.eof:
        yield unpacking.decompress(content, PART)
        content = unpacking.unconsumed_tail
