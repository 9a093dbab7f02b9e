"""The jobs of a shelf: bundled documents, texts to begin with, made from these and from templates; and packs, read and
written.

Runs in a process for untrusted texts. Knows no person.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from typing import Any

from tilewright.authoring.new_documents import bundled_heads, filled, some_pattern
from tilewright.base.problem import Problem, RulesetError
from tilewright.language.documents.bundled import bundled_file
from tilewright.language.documents.companions import one_text, whole_text
from tilewright.language.documents.fields import text_at, texts
from tilewright.language.documents.library import read_document
from tilewright.language.elaborate import open_whole
from tilewright.presentation.problems import as_json
from tilewright.sharing.archive import read_archive, write_archive
from tilewright.sharing.contents import contents_of, file_name

Plain = dict[str, Any]
KINDS = {"ruleset": "ruleset", "base": "ruleset", "mod": "mod", "card": "card"}  # of a document -> of a shelf
RULESET, MOD = "ruleset", "mod"
MOST_ID = 40
NEW = "my_rules"
EDITORS_LINE = re.compile(r"^# yaml-language-server:.*\n", re.MULTILINE)  # useless without a file
ID_LINE = re.compile(r"^id:[ \t]*\S+", re.MULTILINE)  # of the document, and of its texts and cases
NAME_LINE = re.compile(r"^(name:[ \t]*(?:\{en:[ \t]*)?[\"']?)", re.MULTILINE)


# --- texts to begin with


def outlines(payload: Plain) -> Plain:
    """The bundled rulesets, bases and mods, with their names and notes in every language that they have."""
    return {"documents": [outline(id) for id in bundled_heads()]}


def bundled(payload: Plain) -> Plain:
    """The bundled document `id` with its text; nothing if there is none."""
    id = payload["id"]
    return {**outline(id), "text": bundled_text(id)} if id in bundled_heads() else {}


def outline(id: str) -> Plain:
    kind, name, about = bundled_heads()[id]
    path = bundled_file(id)
    assert path is not None
    document = read_document(path)
    more = {"names": texts(document.get("name")), "abouts": texts(document.get("about"))}
    return {"id": id, "kind": kind, "name": name, "about": about, **more}


def begun(payload: Plain) -> Plain:
    """The text of a new document called `name`: a copy of the bundled one `fork`, with a name and an id of its own; or
    a small valid one, from the template for rulesets, or for mods of `ruleset`. Nothing if that is not bundled."""
    heads, name = bundled_heads(), payload.get("name")
    if (fork := payload.get("fork")) is not None:
        return {"text": forked(fork, id_of(name, f"my_{fork}"))} if fork in heads else {}
    if payload["template"] == RULESET:
        return {"text": without_editors_line(filled("ruleset.yaml", id_of(name), {}))}
    target = payload.get("ruleset") or ""
    if target not in heads or heads[target][0] == MOD:
        return {}
    whole = open_whole(target)
    words = {"TARGET_RULES": target, "TARGET": text_at(whole.full, "id"), "SOME_PATTERN": some_pattern(whole)}
    return {"text": without_editors_line(filled("mod.yaml", id_of(name, "my_mod"), words))}


def id_of(name: str | None, usual: str = NEW) -> str:
    """An id for a new document, made from its name."""
    simple = re.sub(r"[^a-z0-9]+", "_", (name or "").lower()).strip("_")[:MOST_ID]
    simple = simple if re.match(r"[a-z]", simple) else usual
    return f"my_{simple}" if bundled_file(simple) else simple


def forked(id: str, new: str) -> str:
    return NAME_LINE.sub(r"\g<1>My ", ID_LINE.sub(f"id: {new}", bundled_text(id)))


def bundled_text(id: str) -> str:
    path = bundled_file(id)
    assert path is not None
    return without_editors_line(whole_text(path))


def without_editors_line(text: str) -> str:
    return EDITORS_LINE.sub("", text)


# --- packs


def unpack(payload: Plain) -> Plain:
    """The documents of a pack: kind of shelf, name, text; its name, version and needs. Or the problems of it."""
    try:
        pack = read_archive(b64decode(str(payload.get("content", "")), validate=True))
    except ValueError:
        return refused([Problem("bad-pack", "this is no file of a pack")])
    except RulesetError as error:
        return refused(error.problems)
    kinds = {f"{one.id}.yaml": (KINDS[one.kind], one.name) for one in pack.manifest.documents}
    documents = [
        {"kind": kinds.get(file, ("card", {}))[0], "text": in_one_text(file, pack.files)}
        for file in pack.files
        if file in kinds or file.endswith(".txt")
    ]
    manifest = pack.manifest
    return {"name": manifest.name, "version": manifest.version, "needs": manifest.needs, "documents": documents}


def in_one_text(file: str, files: Mapping[str, bytes]) -> str:
    """The text of a document of a pack, with its texts and cases below it."""
    start = file.removesuffix(".yaml")
    names = [file, *(one for one in files if one.startswith(f"{start}.") and one != file and one.endswith(".yaml"))]
    return one_text(files[name].decode("utf-8-sig") for name in names)


def pack(payload: Plain) -> Plain:
    """The archive of texts, `texts`: by id; its usual name. Or the problems of them."""
    texts = payload.get("texts")
    files = {f"{id}.yaml": str(text).encode(errors="replace") for id, text in (texts or {}).items()}
    try:
        contents = contents_of(files)
    except RulesetError as error:
        return refused(error.problems)
    archive = write_archive(contents)
    return {"file": file_name(contents.manifest), "content": b64encode(archive).decode()}


def refused(problems: Iterable[Problem]) -> Plain:
    return {"problems": [as_json(one) for one in problems]}
