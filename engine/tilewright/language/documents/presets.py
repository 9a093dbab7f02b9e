"""Presets: named sets of settings and mods. A merged document in, the problems of its presets out.

Names of options are linked with all others. Knows no play.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tilewright.base.node import Mapping, Scalar
from tilewright.base.problem import Problem, RulesetError
from tilewright.language.documents.fields import entries, items, section, texts
from tilewright.language.documents.library import path_of
from tilewright.language.documents.options import choose, read_mod

Text = dict[str, str]


@dataclass(frozen=True, slots=True)
class Preset:
    """`options`: values by option; `mods` as on the command line."""

    id: str
    name: Text
    about: Text
    options: dict[str, bool | int | float | str]
    mods: tuple[str, ...]


def presets_of(document: Mapping) -> Iterator[Preset]:
    """The presets of a merged document."""
    for id, node in entries(document, "presets"):
        chosen = {name: value for name, value in section(node, "options").items() if isinstance(value, Scalar)}
        yield Preset(
            id,
            dict(texts(node.get("name"))),
            dict(texts(node.get("about"))),
            {name: simple(value) for name, value in chosen.items() if value.value is not None},
            tuple(item.text for item in items(node.get("mods")) if isinstance(item, Scalar)),
        )


def simple(node: Scalar) -> bool | int | float | str:
    """The value as plain data."""
    value = node.value
    if isinstance(value, bool | int | str):
        return value
    return node.text if value is None else float(value)


def check_presets(full: Mapping) -> Iterator[Problem]:
    """Check of a merged document that every option can have its value, and that every mod exists."""
    options = section(full, "options")
    for _, preset in entries(full, "presets"):
        for name, value in section(preset, "options").items():
            if isinstance(value, Scalar) and value.value is not None and name in options.entries:
                _, problems = choose(Mapping({name: options.entries[name]}, options.place), {name: value.value})
                yield from (replace(problem, place=value.place) for problem in problems)
        for item in items(preset.get("mods")):
            if isinstance(item, Scalar):
                yield from missing_mod(item)


def missing_mod(item: Scalar) -> Iterator[Problem]:
    """A mod that is neither next to the document nor bundled."""
    try:
        path_of(read_mod(item.text)[0], Path(item.place.source.name).parent, item.place, "mod")
    except RulesetError as error:
        yield from error.problems
