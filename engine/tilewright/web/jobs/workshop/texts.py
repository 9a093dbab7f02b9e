"""The texts of the workshop: a ruleset or a mod as text in, its rules out.

A text is put in a folder of its own, with the texts of the same shelf that it names (`beside`), and may name these and
bundled documents by their ids, and nothing else."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tilewright.base.node import Mapping as MappingNode
from tilewright.base.node import Node, Scalar
from tilewright.base.node import Sequence as SequenceNode
from tilewright.base.problem import Problem, RulesetError
from tilewright.language.check import rulesets_near
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.documents.fields import kind_of
from tilewright.language.documents.library import path_of, read_document
from tilewright.language.documents.whole import MergedRuleset, is_for
from tilewright.language.elaborate import compiled, open_whole
from tilewright.play.rules import Rules
from tilewright.scoring.rules import setting_text
from tilewright.web.protocol.spec import SpecDocument, folder_of_texts

Plain = dict[str, Any]

NAME = "document.yaml"
MOST_TEXT = 256_000  # characters


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
