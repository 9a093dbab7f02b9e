"""New documents: write a small, commented ruleset, card or mod to start from.

The documents are in `templates/`; their contents are not known here.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from tilewright.authoring.format import format_text
from tilewright.authoring.open_rules import CannotBegin, RulesChoice, cannot_begin_if_missing
from tilewright.base.files import write_whole
from tilewright.base.node import Mapping as MappingNode
from tilewright.base.problem import RulesetError
from tilewright.language.documents.bundled import bundled_file, bundled_ids
from tilewright.language.documents.fields import english, kind_of, text_at
from tilewright.language.documents.library import read_document
from tilewright.language.documents.whole import MergedRuleset
from tilewright.language.elaborate import open_whole

ID = re.compile(r"[a-z][a-z0-9_]*")


def write_ruleset(name: str, folder: Path) -> Path:
    """Write a small ruleset of this id; the path that it was written to."""
    return write_new(folder / f"{checked_id(name)}.yaml", filled("ruleset.yaml", name, {}))


def write_mod(name: str, ruleset: str, folder: Path) -> Path:
    """Write a small mod of this id for a ruleset (an id, or a path); the path that it was written to."""
    whole = whole_of(ruleset, RulesChoice())
    words = {"TARGET_RULES": ruleset, "TARGET": text_at(whole.full, "id"), "SOME_PATTERN": some_pattern(whole)}
    return write_new(folder / f"{checked_id(name)}.yaml", filled("mod.yaml", name, words))


def write_card(name: str, folder: Path) -> Path:
    """Write a small card of this id; the path that it was written to."""
    return write_new(folder / f"{checked_id(name)}.yaml", filled("card.yaml", name, {}))


def whole_of(ruleset: str, choices: RulesChoice) -> MergedRuleset:
    """The named ruleset, with what it extends and its mods. Raises RulesetError, CannotBegin."""
    try:
        return open_whole(ruleset, choices.settings, choices.mods)
    except RulesetError as error:
        raise cannot_begin_if_missing(error) from None


def some_pattern(whole: MergedRuleset) -> str:
    """A pattern of the ruleset, to mention in a comment."""
    patterns = whole.full.get("patterns")
    return next(iter(patterns.entries), "a_pattern") if isinstance(patterns, MappingNode) else "a_pattern"


@lru_cache(maxsize=1)
def bundled_heads() -> Mapping[str, tuple[str, str, str]]:
    """Kind, name and description of each bundled document except cards."""
    found = {}
    for id in bundled_ids():
        path = bundled_file(id)
        if path is not None and path.parent.name != "cards":
            document = read_document(path)
            name, about = (" ".join(english(document, key).split()) for key in ("name", "about"))
            found[id] = (kind_of(document), name, about)
    return found


# --- the text


def filled(template: str, name: str, words: Mapping[str, str]) -> str:
    """A template with its capital words replaced, formatted."""
    text = files("tilewright.authoring").joinpath("templates", template).read_text(encoding="utf-8")
    title = name.replace("_", " ").capitalize()
    for word, value in {**words, "NAME": name, "TITLE": title}.items():
        text = text.replace(word, value)
    return format_text(text)


def checked_id(name: str) -> str:
    """The name, if it is allowed for a new document."""
    if not ID.fullmatch(name):
        simple = re.sub(r"[^a-z0-9]+", "_", Path(name).stem.lower()).strip("_")
        hint = f"for instance {simple}" if ID.fullmatch(simple) else None
        raise CannotBegin(f"'{name}' is not an id: an id has lower-case letters, digits and _, a letter first", hint)
    if name in bundled_ids():
        raise CannotBegin(f"'{name}' is the id of a bundled document", f"for instance my_{name}")
    return name


# --- the file


def write_new(path: Path, text: str) -> Path:
    """Write a new file, whole or not at all."""
    if not path.parent.is_dir():
        raise CannotBegin(f"there is no folder {path.parent}")
    try:
        write_whole(path, text, new=True)
    except FileExistsError:
        raise CannotBegin(f"{path} exists already", "choose another name, or move the file away") from None
    return path
