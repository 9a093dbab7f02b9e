"""The bundled files: schemas, rulesets, cards and the built documentation, in a checkout or in an installed wheel; and
the documents that other Python packages bring, and those of earlier versions.

A checkout has them next to `engine/`, a wheel in `tilewright/_data/`. Nothing else knows the difference. Among the
rulesets, each game has a folder of its own, as have the mods and the bases. A package brings documents with an entry
point of the group `tilewright.rulesets` that names it: the YAML files in its folder. The documents of earlier versions,
for games that were begun with them and did not keep their texts, are in an archive with a folder for each version;
since tables keep the texts of their rules, it does not grow.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path, PurePath
from typing import Literal

from tilewright.base.files import is_file, unsaved_at

Kind = Literal["schemas", "rulesets", "cards", "site"]

KINDS: tuple[Kind, ...] = ("rulesets", "cards")
HEAD = re.compile(r"^(kind|id|extends): (\w+)$", re.MULTILINE)  # as every bundled document has them
PACKAGE = Path(__file__).resolve().parents[2]
ENTRY_POINTS = "tilewright.rulesets"
ARCHIVE = "earlier.tar.xz"  # of the documents of earlier versions


@cache
def data_folder(kind: Kind) -> Path:
    """The folder of the bundled files of one kind."""
    installed = PACKAGE / "_data" / kind
    return installed if installed.is_dir() else PACKAGE.parents[1] / kind


@cache
def installed_folders() -> tuple[Path, ...]:
    """The folders of the Python packages that bring documents, by the names of their entry points. A package that
    cannot be found brings none."""
    from importlib.metadata import entry_points  # imported here: bundled documents are found without
    from importlib.util import find_spec

    found: list[Path] = []
    for entry in sorted(entry_points(group=ENTRY_POINTS), key=lambda one: (one.name, one.value)):
        with suppress(ImportError, ValueError, AttributeError):
            spec = find_spec(entry.module)
            found += map(Path, (spec.submodule_search_locations or ()) if spec is not None else ())
    return tuple(dict.fromkeys(folder.resolve() for folder in found if folder.is_dir()))


@cache
def ruleset_folders() -> tuple[Path, ...]:
    """The folder of the bundled rulesets, and those in it."""
    root = data_folder("rulesets")
    return (root, *sorted(folder for folder in root.iterdir() if folder.is_dir()))


def is_bundled(path: Path) -> bool:
    """Whether a file lies in a folder of bundled rulesets."""
    return path.parent in ruleset_folders()


def document_folders() -> Iterator[Path]:
    """Every folder of documents that are found by their ids from everywhere: the bundled ones first."""
    yield from ruleset_folders()
    yield data_folder("cards")
    yield from installed_folders()


def documents_of(folder: Path) -> list[Path]:
    """The documents of a folder, in order, without texts and cases of others, which have a point in their names."""
    return sorted(path for path in folder.glob("*.yaml") if "." not in path.stem)


def bundled_file(id: str) -> Path | None:
    """The document with this id, a ruleset, base, mod or card, that is bundled or that a Python package brings."""
    return next((path for folder in document_folders() if is_file(path := folder / f"{id}.yaml")), None)


def bundled_ids() -> list[str]:
    """Ids of all these documents, in order."""
    return sorted({path.stem for folder in document_folders() for path in documents_of(folder)})


def bundled_ruleset(path: Path) -> tuple[str, ...]:
    """The ids of a bundled ruleset and of all it extends, its own first, without parsing them; nothing for another
    document."""
    heads = [bundled_head(path)]
    if heads[0].get("kind") != "ruleset":
        return ()
    while base := heads[-1].get("extends"):
        beside = path.with_name(f"{base}.yaml")
        file = beside if beside.is_file() else bundled_file(base)
        assert file is not None
        heads.append(bundled_head(file))
    return tuple(head.get("id", "") for head in heads)


def bundled_head(path: Path) -> dict[str, str]:
    """The kind, the id and the base of a bundled document."""
    content = unsaved_at(path)
    return dict(
        HEAD.findall(path.read_text(encoding="utf-8") if content is None else content.decode("utf-8", "replace"))
    )


def earlier_documents() -> Iterator[Mapping[str, str]]:
    """The texts of the documents of each version, by their ids; the newest version first."""
    import tarfile  # imported here: hardly any game asks for them

    versions: dict[str, dict[str, str]] = {}
    with tarfile.open(data_folder("rulesets") / ARCHIVE) as archive:
        for member in archive:
            file, path = archive.extractfile(member), PurePath(member.name)
            if file is not None:
                versions.setdefault(path.parent.name, {})[path.stem] = file.read().decode()
    yield from (versions[name] for name in sorted(versions, reverse=True))
