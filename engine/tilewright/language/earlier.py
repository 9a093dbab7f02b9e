"""The bundled documents of earlier versions: for games that were begun with them, and did not keep their texts.

They are in an archive with a folder for each version. Since tables keep the texts of their rules, it does not grow.
"""

import tarfile
from collections.abc import Iterator, Mapping
from pathlib import PurePath

from tilewright.language.documents.bundled import data_folder

ARCHIVE = "earlier.tar.xz"


def earlier_documents() -> Iterator[Mapping[str, str]]:
    """The texts of the documents of each version, by their ids; the newest version first."""
    versions: dict[str, dict[str, str]] = {}
    with tarfile.open(data_folder("rulesets") / ARCHIVE) as archive:
        for member in archive:
            file, path = archive.extractfile(member), PurePath(member.name)
            if file is not None:
                versions.setdefault(path.parent.name, {})[path.stem] = file.read().decode()
    yield from (versions[name] for name in sorted(versions, reverse=True))
