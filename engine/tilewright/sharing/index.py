"""An index: one JSON file that lists packs, which anybody can host beside them.

    {"index": 1, "title": "...", "packs": {"riverside/taiwanese": [{"version": "1.2.0", "file": "...zip", ...}]}}

Files are names beside the index. Knows no page and no network.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from semantic_version import Version

from tilewright.base.problem import Problem, RulesetError
from tilewright.language.documents.locked_packs import Digest, FileName, PackName, ShortText
from tilewright.language.documents.packs import fits, version_of

INDEX = "index.json"
MOST_BYTES = 8_000_000
MOST_VERSIONS = 1_000  # of a pack


class CheckState(Struct, frozen=True, forbid_unknown_fields=True):
    """What a check of a pack found. `examples`: how many examples and cases were tried."""

    errors: int
    warnings: int
    examples: int


class IndexEntry(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A version of a pack. `file`: its archive beside the index, with its SHA-256 and its size in bytes; `pages`,
    `score_cards`, `reports`: names of pages beside the index, by document."""

    version: ShortText
    file: FileName
    sha256: Digest
    size: int
    language: int
    needs: dict[PackName, ShortText]
    title: dict[str, str]
    license: ShortText
    authors: tuple[str, ...]
    check: CheckState | None = None
    pages: dict[str, str] = {}
    score_cards: dict[str, str] = {}
    reports: dict[str, str] = {}


class PackIndex(Struct, frozen=True, forbid_unknown_fields=True):
    """`index`: the version of this format; of each pack its versions, the newest first."""

    index: Literal[1]
    title: ShortText
    packs: dict[PackName, Annotated[tuple[IndexEntry, ...], Meta(max_length=MOST_VERSIONS)]]

    def text(self) -> str:
        """As a file, the same for the same packs."""
        plain = msgspec.json.encode(msgspec.to_builtins(self), order="sorted")
        return msgspec.json.format(plain, indent=1).decode() + "\n"


def read_index(content: bytes, name: str) -> PackIndex:
    """The index in a file. Raises RulesetError."""
    try:
        return msgspec.json.decode(content, type=PackIndex)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        why = str(error)
        message = f"{name} is no index of packs: {why[:1].lower()}{why[1:]}"
        raise RulesetError([Problem("bad-index", message, None, "`tilewright index FOLDER` writes one")]) from None


def best(entries: tuple[IndexEntry, ...], ranges: list[str]) -> IndexEntry | None:
    """The newest version that is in all the ranges."""
    fitting = [entry for entry in entries if all(fits(entry.version, range) for range in ranges)]
    return max(fitting, key=lambda entry: order_of(entry.version), default=None)


def order_of(version: str) -> Version:
    """The version, to compare; those that are none come first."""
    return version_of(version) or Version("0.0.0-0")
