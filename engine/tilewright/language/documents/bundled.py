"""The bundled files: schemas, rulesets, cards and the built documentation, in a checkout or in an installed wheel.

A checkout has them next to `engine/`, a wheel in `tilewright/_data/`. Nothing else knows the difference.
"""

from functools import cache
from pathlib import Path
from typing import Literal

from tilewright.base.texts.files import is_file

Kind = Literal["schemas", "rulesets", "cards", "site"]

KINDS: tuple[Kind, ...] = ("rulesets", "cards")
PACKAGE = Path(__file__).resolve().parents[2]


@cache
def data_folder(kind: Kind) -> Path:
    """The folder of the bundled files of one kind."""
    installed = PACKAGE / "_data" / kind
    return installed if installed.is_dir() else PACKAGE.parents[1] / kind


def bundled_file(id: str) -> Path | None:
    """The bundled document with this id, a ruleset, base, mod or card."""
    for kind in KINDS:
        path = data_folder(kind) / f"{id}.yaml"
        if is_file(path):
            return path
    return None


def bundled_ids() -> list[str]:
    """Ids of all bundled documents, in order."""
    return sorted(path.stem for kind in KINDS for path in data_folder(kind).glob("*.yaml"))
