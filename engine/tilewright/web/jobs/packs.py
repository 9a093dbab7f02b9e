"""Pack jobs: the bytes of an archive in, its documents as texts out; texts in, an archive out.

Runs in a process for untrusted texts. Knows no server and no person.
"""

from base64 import b64decode, b64encode
from collections.abc import Iterable
from typing import Any

from tilewright.base.problem import Problem, RulesetError
from tilewright.presentation.problems import as_json
from tilewright.sharing.archive import read_archive, write_archive
from tilewright.sharing.contents import contents_of, file_name

Plain = dict[str, Any]
KINDS = {"ruleset": "ruleset", "base": "ruleset", "mod": "mod", "card": "card"}  # of a document -> of a shelf


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
        {"kind": kinds.get(file, ("card", {}))[0], "text": content.decode("utf-8-sig")}
        for file, content in pack.files.items()
        if file in kinds or file.endswith(".txt")
    ]
    manifest = pack.manifest
    return {"name": manifest.name, "version": manifest.version, "needs": manifest.needs, "documents": documents}


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
