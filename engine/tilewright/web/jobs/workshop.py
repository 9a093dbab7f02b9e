"""The jobs of the workshop and its shelf: texts, a place in one or an archive in; plain data out: problems, the
outline, what can be written at a place and what stands there, edits; bundled documents, texts to begin with, packs.

A text is put in a folder of its own, with the texts of the same shelf that it names (`beside`), and may name these and
bundled documents by their ids, and nothing else. Runs in a process for untrusted texts. Knows no person.
"""

import os
import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tilewright.authoring.editor.completion import Fix, complete, describe, fixes, formatted, is_old, upgrade
from tilewright.authoring.editor.context import TextEdit, TextLocation, TextPlace, TextRange, Workspace
from tilewright.authoring.editor.navigation import CannotRename, definition, references, rename
from tilewright.authoring.editor.symbols import OutlineSection, outline
from tilewright.authoring.findings import static_stages, without_ignored
from tilewright.authoring.new_documents import bundled_heads, filled, some_pattern
from tilewright.base.node import Mapping as MappingNode
from tilewright.base.node import Node, Scalar
from tilewright.base.node import Sequence as SequenceNode
from tilewright.base.problem import Problem, RulesetError, has_errors
from tilewright.language.check import first_of, rulesets_near
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.documents.bundled import bundled_file, document_folders
from tilewright.language.documents.companions import one_text, whole_text
from tilewright.language.documents.fields import kind_of, text_at, texts
from tilewright.language.documents.library import kind_in, path_of, read_document
from tilewright.language.documents.whole import MergedRuleset, is_for
from tilewright.language.elaborate import compiled, open_whole
from tilewright.play.rules import Rules
from tilewright.presentation.problems import as_json
from tilewright.scoring.rules import setting_text
from tilewright.sharing.archive import read_archive, write_archive
from tilewright.sharing.contents import contents_of, file_name
from tilewright.web.protocol.spec import SpecDocument, folder_of_texts

Plain = dict[str, Any]

NAME = "document.yaml"
MOST_TEXT = 256_000  # characters


# --- a text and those beside it


@contextmanager
def opened(payload: Plain) -> Iterator[tuple[Rules, Path]]:
    """The rules of a text; of a mod, those of a ruleset with it (`target`, or the first that it is for). Raises
    RulesetError with the problems of the text."""
    with placed(text_in(payload), payload) as path:
        yield rules_at(path, payload, settings_in(payload)), path


def text_in(payload: Mapping[str, Any]) -> str:
    """The text, cut just above the limit if it is too long."""
    return str(payload.get("text", ""))[: MOST_TEXT + 1]


@contextmanager
def placed(text: str, payload: Mapping[str, Any]) -> Iterator[Path]:
    """The text as a file of a folder, with those beside it; what is compiled meanwhile is not cached."""
    before = os.environ.get("TILEWRIGHT_CACHE")
    with folder_of_texts() as folder:
        path = folder.path / NAME
        folder.put_beside(texts_beside(payload))
        path.write_text(text, encoding="utf-8", errors="replace", newline="")
        os.environ["TILEWRIGHT_CACHE"] = str(folder.path / "cache")
        try:
            yield path
        finally:
            if before is None:
                del os.environ["TILEWRIGHT_CACHE"]
            else:
                os.environ["TILEWRIGHT_CACHE"] = before


def texts_beside(payload: Mapping[str, Any]) -> Iterator[SpecDocument]:
    """The texts of the same shelf that a text names."""
    return (SpecDocument(name=one["name"], text=one["text"]) for one in payload.get("beside") or ())


def scalars(node: Node | None) -> Iterator[Scalar]:
    """The texts of a list, or a single one."""
    if isinstance(node, Scalar):
        if node.value is not None:
            yield node
    elif isinstance(node, SequenceNode):
        yield from (item for item in node.items if isinstance(item, Scalar))


def rules_at(path: Path, payload: Plain, settings: Mapping[str, str]) -> Rules:
    """The rules with options. Raises RulesetError."""
    return Rules(compiled(whole_at(path, payload, settings)))


def whole_at(path: Path, payload: Plain, settings: Mapping[str, str]) -> MergedRuleset:
    """The text with all that it extends, or a ruleset with it. Raises RulesetError."""
    document = read_document(path)
    if kind_of(document) != "mod":
        return open_whole(str(path), settings)
    target = target_of(path, payload)
    if target is None:
        raise RulesetError([nothing_to_change(document)])
    return open_whole(str(rules_file(path, target)), settings, [*needed(document, path), str(path)])


def target_of(path: Path, payload: Plain) -> str | None:
    """The ruleset that a mod is looked at with: the one that is wanted if the mod is for it; None if it is for none."""
    targets = list(targets_of(path, read_document(path)))
    wanted = str(payload.get("target") or "")
    return wanted if wanted in targets else next(iter(targets), None)


def targets_of(path: Path, mod: MappingNode) -> Iterator[str]:
    """The rulesets that a mod is for, bundled or beside it."""
    for target, ids in rulesets_near(path).items():
        if target != path and is_for(mod, ids):
            yield target.stem


def rules_file(path: Path, target: str | None) -> Path:
    """The file of a ruleset: one beside the text, or a bundled one."""
    beside = path.with_name(f"{target}.yaml")
    return beside if beside.is_file() else path_of(target or "")


def needed(mod: MappingNode, path: Path) -> list[str]:
    """The files of the mods that a mod requires. Raises RulesetError."""
    return [str(path_of(one.text, path.parent, one.place, "mod")) for one in scalars(mod.get("needs"))]


def nothing_to_change(mod: MappingNode) -> Problem:
    return Problem("no-target", "no bundled ruleset is one that this mod is for", mod.place, "say which under `for`")


def settings_in(payload: Plain) -> dict[str, str]:
    """The chosen options, as typed."""
    chosen = payload.get("options")
    return {str(id): setting_text(value) for id, value in chosen.items()} if isinstance(chosen, dict) else {}


def names_of(data: CompiledRuleset) -> Plain:
    """The names of patterns and measures."""
    return {
        "names": {pattern.id: dict(pattern.name) for pattern in data.patterns},
        "measures": {one.id: dict(one.name) or {"en": one.id} for one in data.scoring.measures},
        "units": {one.id: dict(one.unit) for one in data.scoring.measures if one.unit},
    }


# --- problems and the outline


def check(payload: Plain) -> Plain:
    """All problems of a text that need no game, with its head and its outline."""
    text = text_in(payload)
    found: Plain = {"kind": None, "id": "", "name": {}, "targets": []}
    with placed(text, payload) as path:
        *_, found_there = static_stages(path)
        problems = without_ignored(found_there, None)
        sections = outline(Workspace({path: text}), path)
        return {
            **found,
            **head_of(path),
            "outline": [*map(section_json, sections)],
            "beside": payload.get("beside") or [],
            "problems": [*problems_json(problems, path)],
            "good": not has_errors(problems),
            "old": is_old(Workspace({path: text}), path, problems),
        }


def shelved(payload: Plain) -> Plain:
    """The kind under which a text is kept: mod or ruleset, as it declares; a ruleset by default."""
    return {"kind": "mod" if kind_in(text_in(payload)) == "mod" else "ruleset"}


def head_of(path: Path) -> Plain:
    """The head of a document, as far as it can be read."""
    try:
        document = read_document(path)
    except RulesetError:
        return {}
    kind = kind_of(document)
    names = document.get("name")
    return {
        "kind": kind,
        "id": text_at(document, "id"),
        "name": by_language(names),
        "targets": list(targets_of(path, document)) if kind == "mod" else [],
    }


def by_language(node: Node | None) -> dict[str, str]:
    if isinstance(node, MappingNode):
        return {language: one.text for language, one in node.items() if isinstance(one, Scalar)}
    return {"en": node.text} if isinstance(node, Scalar) else {}


def section_json(section: OutlineSection) -> Plain:
    """A section of the outline."""
    entries = [{"id": one.id, "line": one.range.start.line, "in": one.within} for one in section.entries]
    return {"section": section.id, "line": section.range.start.line, "entries": entries}


def with_rules(work: Callable[[Rules, Path, Plain], Plain]) -> Callable[[Plain], Plain]:
    """A job that needs rules; if the text gives none, its problems are the result."""

    def done(payload: Plain) -> Plain:
        at = Path(NAME)
        try:
            with opened(payload) as (rules, at):
                return work(rules, at, payload)
        except RulesetError as error:
            found = {one.place.source.name for one in error.problems if one.place is not None}
            own = next((Path(name) for name in found if Path(name).name == NAME), at)
            return refused(error, own)

    return done


def refused(error: RulesetError, path: Path | None = None) -> Plain:
    return {"problems": [*problems_json(error.problems, path or Path(NAME))]}


def problems_json(problems: Sequence[Problem], path: Path) -> Iterator[Plain]:
    """Problems as plain data, those of the text itself without a file. Never shows a path of this machine."""
    for one in first_of(tuple(problems)):
        place = one.place
        found: Plain = {
            "code": one.code,
            "severity": one.severity,
            "message": without_folder(one.message, path),
            "hint": without_folder(one.hint, path) if one.hint else None,
        }
        if place is not None:
            found |= {"line": place.line, "column": place.column, "length": place.length}
            if place.source.name != str(path):
                found["file"] = Path(place.source.name).stem
            else:
                found["fixes"] = [*map(fix_json, fixes([one]))]
        yield found


def fix_json(fix: Fix) -> Plain:
    """What may be done about a problem."""
    return {"kind": fix.kind, "what": fix.what, "edits": [*map(edit_json, fix.edits)]}


def without_folder(text: str, path: Path) -> str:
    for folder in (path.parent, *(folder.parent for folder in document_folders())):
        text = text.replace(f"{folder}{os.sep}", "")
    return text


def edit_json(edit: TextEdit) -> Plain:
    """An edit of the text: from a line and a column to another, exclusive."""
    return range_json(edit.range) | {"text": edit.text}


def range_json(range: TextRange) -> Plain:
    start, end = range.start, range.end
    return {"line": start.line, "column": start.column, "end_line": end.line, "end_column": end.column}


# --- editing


@contextmanager
def edited(payload: Plain) -> Iterator[tuple[Workspace, Path]]:
    """A workspace with the text alone, in a folder with those beside it."""
    with folder_of_texts() as folder:
        path = folder.path / NAME
        folder.put_beside(texts_beside(payload))
        yield Workspace({path: text_in(payload)}), path


def offers(payload: Plain) -> Plain:
    """What can be written at a line and a column: the columns of the word there and the suggestions."""
    with edited(payload) as (workspace, path):
        found = complete(workspace, path, place_in(payload))
        return columns_json(found.range) | {"offers": [asdict(one) for one in found.offers]}


def meaning(payload: Plain) -> Plain:
    """The meaning of the text at a line and a column."""
    with edited(payload) as (workspace, path):
        found = describe(workspace, path, place_in(payload))
        return columns_json(found.range) | {"found": [asdict(found.found)] if found.found else []}


def declared(payload: Plain) -> Plain:
    """Where the name at a line and a column is declared, here, beside it or in a bundled document."""
    with edited(payload) as (workspace, path):
        found = definition(workspace, path, place_in(payload))
        return {"places": [location_json(one, path) for one in found]}


def used(payload: Plain) -> Plain:
    """Every place in the text of the name at a line and a column."""
    with edited(payload) as (workspace, path):
        found = references(workspace, path, place_in(payload))
        return {"places": [location_json(one, path) for one in found if one.path == path]}


def renamed(payload: Plain) -> Plain:
    """The edits that give the name at a line and a column another; or why it cannot be changed."""
    with edited(payload) as (workspace, path):
        try:
            found = rename(workspace, path, place_in(payload), str(payload.get("name", "")))
        except CannotRename as error:
            return {"edits": [], "reason": str(error)}
        elsewhere = next((one.path.stem for one in found if one.path != path), None)
        if elsewhere is not None:
            return {"edits": [], "reason": f"it is also a name in {elsewhere}, another text of the shelf"}
        return {"edits": [*map(edit_json, found)], "reason": None}


def laid_out(payload: Plain) -> Plain:
    """The edits that format the text; its problems, if it is no document."""
    with edited(payload) as (workspace, path):
        try:
            return {"edits": [*map(edit_json, formatted(workspace, path))], "problems": []}
        except RulesetError as error:
            return {"edits": [], **refused(error, path)}


def upgraded(payload: Plain) -> Plain:
    """The edits that upgrade the text to the newest edition of the language, and what a person has to change."""
    with edited(payload) as (workspace, path):
        try:
            edits, left = upgrade(workspace, path)
        except RulesetError as error:
            return {"edits": [], **refused(error, path)}
        return {"edits": [*map(edit_json, edits)], "problems": [*problems_json(left, path)]}


def place_in(payload: Plain) -> TextPlace:
    return TextPlace(int(payload.get("line", 1)), int(payload.get("column", 1)))


def columns_json(range: TextRange) -> Plain:
    return {"start": range.start.column, "end": range.end.column}


def location_json(location: TextLocation, path: Path) -> Plain:
    """A place in the text, or in another document, which is named."""
    file = {} if location.path == path else {"file": location.path.stem}
    return range_json(location.range) | file


# --- the shelf


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
    return {"documents": [listed(id) for id in bundled_heads()]}


def bundled(payload: Plain) -> Plain:
    """The bundled document `id` with its text; nothing if there is none."""
    id = payload["id"]
    return {**listed(id), "text": bundled_text(id)} if id in bundled_heads() else {}


def listed(id: str) -> Plain:
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
        return pack_refused([Problem("bad-pack", "this is no file of a pack")])
    except RulesetError as error:
        return pack_refused(error.problems)
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
        return pack_refused(error.problems)
    archive = write_archive(contents)
    return {"file": file_name(contents.manifest), "content": b64encode(archive).decode()}


def pack_refused(problems: Iterable[Problem]) -> Plain:
    return {"problems": [as_json(one) for one in problems]}
