"""Marks: what tells whether the code, or a file, is what it was when something was made of it and kept.

Knows no document.
"""

import hashlib
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tilewright.base.files import is_file, unsaved_at
from tilewright.base.version import __version__
from tilewright.language.companions.files import names_like
from tilewright.language.documents.bundled import data_folder

CODE = (".py", ".lark", ".json", ".so", ".pyd")
NO_CODE = ("__pycache__", "static")  # folders without what rules depend on


@cache
def code_of_package() -> str:
    """A fingerprint of the package's files and of the schemas: when its code changes, compiled rulesets may change."""
    package = Path(__file__).resolve().parents[1]
    stamps = [stamp for folder in (package, data_folder("schemas")) for stamp in stamps_in(folder)]
    return hashlib.sha256(repr((__version__, sorted(stamps))).encode()).hexdigest()


def stamps_in(folder: Path) -> Iterator[tuple[str, int]]:
    """The files of code and tables in a folder and below, each with the time of its last change."""
    for where, folders, files in os.walk(folder):
        folders[:] = [one for one in folders if one not in NO_CODE]
        paths = (os.path.join(where, name) for name in files if name.endswith(CODE))
        yield from ((path, os.stat(path).st_mtime_ns) for path in paths)


def mark_of(path: Path) -> str:
    """The hash of a file's text, or the names that fit a pattern; "" if there is no such file, or it is none."""
    if path.name.endswith(".*"):
        return " ".join(names_like(path))
    if not is_file(path):
        return ""
    content = unsaved_at(path)
    if content is not None:
        return hashlib.sha256(content).hexdigest()
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
