"""References: the name of a document of a pack, as authors write it, in; its parts, and whether a version fits, out.

`riverside/taiwanese@^1`: publisher, pack, and the versions that are accepted, as npm writes ranges; without them any.
The document is the one that the pack is called after; `riverside/taiwanese/flowers` is another one. Knows no files.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from tilewright.base.node import Scalar
from tilewright.base.problem import Place, Problem, RulesetError

if TYPE_CHECKING:
    from semantic_version import NpmSpec, Version

ID = "[a-z][a-z0-9_]*"
REFERENCE = re.compile(rf"(?P<publisher>{ID})/(?P<pack>{ID})(?:/(?P<document>{ID}))?(?:@(?P<range>.*))?", re.DOTALL)
PACK_NAME = re.compile(rf"{ID}/{ID}")
PACKS = "packs"  # the folder of packs that were added
MOST = 200  # characters
ANY = "*"


@dataclass(frozen=True, slots=True)
class Reference:
    """`publisher/pack/document@range`."""

    publisher: str
    pack: str
    document: str
    range: str = ANY

    @property
    def name(self) -> str:
        """The name of the pack."""
        return f"{self.publisher}/{self.pack}"

    def __str__(self) -> str:
        return self.name + (f"/{self.document}" if self.document != self.pack else "")

    @property
    def asked(self) -> str:
        """The pack with the range, as `add` takes it."""
        return self.name + (f"@{self.range}" if self.range != ANY else "")


def reference_of(text: str) -> Reference | None:
    """The reference that a text is; None if it names something else."""
    if len(text) > MOST or not (found := REFERENCE.fullmatch(text)):
        return None
    range = ANY if found["range"] is None else found["range"].strip()
    return Reference(found["publisher"], found["pack"], found["document"] or found["pack"], range)


def document_id(text: str) -> str:
    """The id of the document that a name means: of a reference, its document; an id is itself."""
    found = reference_of(text)
    return text if found is None else found.document


# --- versions


def version_of(text: str) -> "Version | None":
    """The version, if it is one."""
    from semantic_version import Version  # imported here: most documents name no versions

    try:
        return Version(text) if len(text) <= MOST else None
    except ValueError:
        return None


@lru_cache(maxsize=256)
def range_of(text: str) -> "NpmSpec | None":
    """The versions of a range, if it is one."""
    from semantic_version import NpmSpec

    try:
        return NpmSpec(text) if 0 < len(text) <= MOST else None
    except ValueError:
        return None


def fits(version: str, range: str) -> bool:
    """Whether a version is in a range. Versions before a release (2.0.0-beta.1) are only in ranges that name one."""
    found, wanted = version_of(version), range_of(range)
    return found is not None and wanted is not None and found in wanted


def checked_range(reference: Reference, place: Place | None) -> Reference:
    """The reference, if its range is one. Raises RulesetError."""
    if range_of(reference.range) is None:
        raise RulesetError([bad_range(reference, place)])
    return reference


def range_problems(nodes: Iterator[Scalar]) -> Iterator[Problem]:
    """The problems of ranges among names of documents."""
    for node in nodes:
        found = reference_of(node.text)
        if found is not None and range_of(found.range) is None:
            yield bad_range(found, node.place)


def bad_range(reference: Reference, place: Place | None) -> Problem:
    return Problem(
        "bad-range",
        f"{reference.range!r} is not a range of versions" if reference.range else "the versions are missing after @",
        place,
        f"{reference}@^1 (1.0.0 and all that change nothing of it), @~1.2 (1.2.x), @1.2.0 or '@>=1.2 <2'",
    )
