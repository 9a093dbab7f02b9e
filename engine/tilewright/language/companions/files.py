"""Files: where the companions of a document are. In its own file below a line `---`, or in files beside it whose names
begin with its own: riichi.ja.yaml beside riichi.yaml.

In: paths and texts. Out: paths, and the documents of a text. Knows no schema.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from tilewright.base.files import files_in, unsaved_at
from tilewright.base.node import Mapping
from tilewright.base.problem import RulesetError, Source
from tilewright.language.companions.joining import COMPANIONS, word_at

ENDINGS = (".yaml", ".yml", ".json")  # of documents
SEPARATOR = re.compile(r"^---[ \t]*(?:#.*)?$(?:\r\n|\n|\r)?", re.MULTILINE)
BEGUN = re.compile(r"^[^#%\s]", re.MULTILINE)  # a line of a document: above it, `---` begins the first one
MOST_KINDS = 256  # of texts that are known at once
MOST_PARTS = 64  # of one text: each is read apart
WRITTEN = re.compile(r"[^\r\n]")


def beside(path: Path) -> list[Path]:
    """The files beside a document with its companions, in order."""
    if path.suffix.lower() not in ENDINGS:
        return []
    start = f"{path.stem}."
    named = (file for file in files_in(path.parent, ENDINGS) if file.stem.startswith(start))
    return [file for file in named if is_companion(file)]


def is_companion(path: Path) -> bool:
    """Whether a file holds texts or cases of a document."""
    return path.suffix.lower() in ENDINGS and "." in path.stem and kind_in_file(path) in COMPANIONS


def kind_in_file(path: Path) -> str:
    """The kind that a file declares; empty if none is declared before a mistake, or it cannot be read."""
    from tilewright.base.document import beginning_of  # imported here: a ruleset from the cache is not parsed

    try:
        return kind_in_content(beginning_of(path, str(path)))
    except RulesetError:
        return ""


@lru_cache(maxsize=MOST_KINDS)
def kind_in_content(content: bytes) -> str:
    """The same of the content of a file."""
    from tilewright.base.document import head_of

    head = head_of(content.decode("utf-8", "replace"), "kind")
    return word_at(Mapping(head.entries, Source("", "").place(0)), "kind")


def document_of(path: Path) -> Path:
    """The file of the document that a file beside it is a companion of: the longest name that is there. The file itself
    if it is none."""
    name = path.stem if is_companion(path) else ""
    while "." in name:
        name = name.rpartition(".")[0]
        for suffix in ENDINGS:
            if (file := path.with_name(f"{name}{suffix}")).is_file() or unsaved_at(file) is not None:
                return file
    return path


def pattern_of(path: Path) -> Path:
    """What the names of all files beside a document look like that might be companions: a path that `names_like`
    looks up."""
    return path.with_name(f"{path.stem}.*")


def names_like(pattern: Path) -> list[str]:
    """The names of the files that look so."""
    start = pattern.name.removesuffix("*")
    return [file.name for file in files_in(pattern.parent, ENDINGS) if file.name.startswith(start)]


def whole_text(path: Path) -> str:
    """The text of a document with its companions below it: one text that says all that the files do."""
    return one_text(file.read_text(encoding="utf-8") for file in (path, *beside(path)))


def one_text(texts: Iterable[str]) -> str:
    """The texts of a document and of its companions as one."""
    first, *more = texts
    return "---\n".join([first, *more] if not more else [f"{one.rstrip()}\n" for one in (first, *more)])


def documents_in(source: Source) -> Iterator[Mapping]:
    """The documents in a text: one, and companions of it. Raises RulesetError with the problems of a text."""
    from tilewright.base.building import several_documents
    from tilewright.base.document import parse

    starts = [0]
    for found in SEPARATOR.finditer(source.text):
        if BEGUN.search(source.text, starts[-1], found.start()):
            starts.append(found.end())
        if len(starts) > MOST_PARTS:
            raise RulesetError([several_documents(source.place(found.start(), 3))])
    ends = [*(source.text.rindex("---", 0, start) for start in starts[1:]), len(source.text)]
    for start, end in zip(starts, ends, strict=True):
        if not start:
            yield parse(source if len(starts) == 1 else Source(source.name, source.text[:end]))
            continue
        blank = WRITTEN.sub(" ", source.text[:start])  # each place is that in the whole text
        document = parse(Source(source.name, blank + source.text[start:end]))
        if word_at(document, "kind") not in COMPANIONS:
            raise RulesetError([several_documents(source.place(source.text.rindex("---", 0, start), 3))])
        yield document
