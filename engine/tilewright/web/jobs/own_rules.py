"""The job on rules of people's own: a spec in; what it shows to whom, how it differs from bundled rules, and the texts
themselves, out.

Runs in a process for untrusted texts. Knows no table.
"""

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from tilewright.base.problem import RulesetError
from tilewright.language.documents.bundled import bundled_file, bundled_ids, bundled_ruleset, document_folders
from tilewright.language.documents.companions import whole_text
from tilewright.language.documents.whole import MergedRuleset
from tilewright.language.elaborate import open_whole
from tilewright.language.load import Elaborated, load_elaborated
from tilewright.presentation.catalogue import ENGLISH
from tilewright.rulebook.comparison.changes import changes
from tilewright.rulebook.comparison.compare import Comparison
from tilewright.rulebook.comparison.disclosed import DisclosureLine, disclosed
from tilewright.rulebook.comparison.lines import ChangeSection, ComparisonLines
from tilewright.rulebook.comparison.sides import OpenSide, Side
from tilewright.web.protocol.spec import (
    NO_TEXTS,
    BadSpec,
    DocumentFolder,
    Spec,
    SpecDocument,
    asked_of,
    folder_of_texts,
    own_documents,
    read_spec,
)

Plain = dict[str, Any]
Asked = tuple[str, Mapping[str, str], Sequence[str]]  # a ruleset, its options, mods

LEAST_ALIKE = 0.25  # of all lines of two rulesets, so that one is taken for a copy of the other
MOST_LINES, MOST_LINE = 400, 1_000  # of a difference in sentences, and characters of each
MOST_TEXT = 150_000  # characters of all texts
MOST_COMPARED = 20_000  # lines of a text
AROUND = 2  # lines of context


def difference(payload: Plain) -> Plain:
    """What the rules of `spec`, with the texts that its table has `kept`, are in the language `lang`. `against`: the
    bundled ruleset that they are compared with; `shows`: what they show, and it does not; `changes`: what they change
    in it; `texts`: of their documents, or what differs in these. Raises BadSpec."""
    spec, language = read_spec(payload.get("spec")), str(payload.get("lang") or ENGLISH)[:20]
    with folder_of_texts() as folder:
        try:
            asked = asked_of(spec, folder, payload.get("kept") or NO_TEXTS)
            new = side(asked, language)
            base, is_copy = compared_with(spec, new.whole)
            old = None if base is None else opened(base_of(spec, base, folder), language)
        except RulesetError as error:
            raise BadSpec(folder.problems_json(error.problems)) from None
    return {
        "against": None if old is None or base is None else {"id": base, "name": dict(old.rules.data.name)},
        "shows": [shown_json(one) for one in disclosed(new, old)[:MOST_LINES]],
        "changes": [] if old is None else [*changes_json(old, new, language)],
        "texts": [*texts_json(spec, base if is_copy else None)],
    }


# --- what is compared


def side(asked: Asked, language: str) -> OpenSide:
    """Raises RulesetError."""
    name, settings, mods = asked

    def opens(options: Mapping[str, str]) -> Elaborated:
        return load_elaborated(name, {**settings, **options}, mods)

    return Side(name, opens, language).under()


def opened(asked: Asked, language: str) -> OpenSide:
    """The bundled rules with the same options, or, where they cannot have these, with their own."""
    try:
        return side(asked, language)
    except RulesetError:
        return side((asked[0], {}, asked[2]), language)


def base_of(spec: Spec, base: str, folder: DocumentFolder) -> Asked:
    """The bundled ruleset with what is bundled of the mods and options, and the card."""
    bundled = SpecDocument(id=base)
    mods = tuple(mod for mod in spec.mods if mod.text is None and spec.ruleset.text is None)
    name, settings, patches = asked_of(replace(spec, ruleset=bundled, mods=mods, beside=()), folder)
    known = open_whole(name, {}, [mod.id for mod in mods]).options
    return name, {id: value for id, value in settings.items() if id in known}, patches


def compared_with(spec: Spec, whole: MergedRuleset) -> tuple[str | None, bool]:
    """The bundled ruleset that rules are compared with, if there is one, and whether they are a copy of it: the one
    that is played, that a text extends, or that a text has most lines of."""
    if spec.ruleset.text is None:
        return spec.ruleset.id, False
    folders = {folder.resolve() for folder in document_folders()}
    for source in whole.inherited:
        path = Path(source.name).resolve()
        if path.parent in folders and bundled_ruleset(path):
            return path.stem, False
    return most_alike(spec.ruleset.text), True


def most_alike(text: str) -> str | None:
    """The bundled ruleset with most lines of a text; None if none has many."""
    mine = lines_of(text)
    found = {id: alike(mine, lines_of(own)) for id, own in bundled_texts()}
    best = max(found, key=lambda id: found[id], default=None)
    return best if best is not None and found[best] >= LEAST_ALIKE else None


def alike(one: set[str], other: set[str]) -> float:
    return len(one & other) / max(1, len(one | other))


def lines_of(text: str) -> set[str]:
    return {line.strip() for line in text.splitlines() if line.strip()}


def bundled_texts() -> Iterator[tuple[str, str]]:
    """Every bundled ruleset with its text."""
    for id in bundled_ids():
        path = bundled_file(id)
        if path is not None and path.parent.name != "cards" and bundled_ruleset(path):
            yield id, whole_text(path)


# --- as plain data


def shown_json(one: DisclosureLine) -> Plain:
    return {"text": one.text[:MOST_LINE], "hidden": [name[:MOST_LINE] for name in one.hidden]}


def changes_json(old: OpenSide, new: OpenSide, language: str) -> Iterator[Plain]:
    """What players would notice, by sections, as many lines as there is room for."""
    said = ComparisonLines(Comparison(old, new, changes(old, new)), language)
    room = MOST_LINES
    for part in said.changes(said.shown):
        lines = [*lines_json(part)][:room]
        room -= len(lines)
        if lines:
            yield {"title": part.title, "lines": lines}


def lines_json(part: ChangeSection) -> Iterable[Plain]:
    for one in part.lines:
        what = "" if one.change is None else one.change.what
        more = [text[:MOST_LINE] for text in one.more[:MOST_LINES]]
        yield {"what": what, "name": one.name[:MOST_LINE], "text": one.text[:MOST_LINE], "more": more}


def texts_json(spec: Spec, copied: str | None) -> Iterator[Plain]:
    """The texts of people's own documents; of a copy what differs from the original."""
    room = MOST_TEXT
    for kind, document in own_documents(spec):
        text = document.text or ""
        original = copied if kind == "ruleset" else None
        if original is not None:
            text = "\n".join(compared_lines(original, text)) or text
        yield {"kind": kind, "name": document.name, "text": text[:room], "whole": len(text) <= room, "from": original}
        room = max(0, room - len(text))


def compared_lines(original: str, text: str) -> Iterable[str]:
    """The lines of a copy that are not those of the bundled original, with some around them."""
    path = bundled_file(original)
    assert path is not None
    was, now = whole_text(path).splitlines(), text.splitlines()
    if len(now) > MOST_COMPARED:
        return now
    return list(difflib.unified_diff(was, now, n=AROUND, lineterm=""))[2:]
