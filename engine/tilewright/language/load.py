"""Loading: the name of a ruleset in; its compiled form out, from the cache if its texts are unchanged."""

import warnings
from collections.abc import Iterator
from collections.abc import Mapping as Map
from collections.abc import Sequence as Several
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.base.garbage import collector_paused
from tilewright.language import cache
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.documents.fields import text_at
from tilewright.language.documents.former import OldName
from tilewright.language.documents.options import read_mod

if TYPE_CHECKING:
    from tilewright.language.documents.whole import MergedRuleset

NONE: Map[str, object] = {}


@dataclass(frozen=True, slots=True)
class Elaborated:
    """A ruleset in both forms: its merged documents and the compiled form."""

    merged: "MergedRuleset"
    data: CompiledRuleset


def load_data(
    name: str, settings: Map[str, object] = NONE, mods: Several[str] = (), *, keep: bool = True
) -> CompiledRuleset:
    """The compiled ruleset of a bundled id or a path; from the cache if its texts are unchanged. Raises RulesetError
    with every error of it. `keep`: it is put into the cache otherwise."""
    data = cache.recall(key_of(name, settings, mods))
    data = data if data is not None else elaborated(name, settings, mods, keep=keep).data
    for text in data.old_names:
        warnings.warn(text, OldName, stacklevel=4)
    return data


def load_elaborated(name: str, settings: Map[str, object] = NONE, mods: Several[str] = ()) -> Elaborated:
    """The same with its documents, for callers that show their text."""
    data = cache.recall(key_of(name, settings, mods))
    if data is None:
        return elaborated(name, settings, mods)
    from tilewright.language import elaborate

    return Elaborated(elaborate.open_whole(name, settings, mods), data)


def elaborated(name: str, settings: Map[str, object], mods: Several[str], *, keep: bool = True) -> Elaborated:
    """A ruleset elaborated now, and put into the cache."""
    with collector_paused():
        from tilewright.language import elaborate  # imported here: a ruleset from the cache is not parsed

        whole = elaborate.open_whole(name, settings, mods)
        data = elaborate.compiled(whole)
        if keep:
            cache.keep(key_of(name, settings, mods), files_of(whole), data)
    return Elaborated(whole, data)


def key_of(name: str, settings: Map[str, object] = NONE, mods: Several[str] = ()) -> cache.CacheKey:
    """The key of the compiled ruleset in the cache."""
    return cache.CacheKey(name, tuple(sorted((id, str(value)) for id, value in settings.items())), tuple(mods))


def files_of(whole: "MergedRuleset") -> Iterator[Path]:
    """Every file that the whole depends on: those read, and those that would take precedence over them."""
    start = Path(whole.sources[0].name)
    yield start.resolve()
    for document in whole.origins:
        yield from cache.companions_looked_for(Path(document.place.source.name))
        if base := text_at(document, "extends"):
            yield from cache.looked_for(base, Path(document.place.source.name).parent)
    for text in whole.named.mods:
        yield from cache.looked_for(read_mod(text)[0], start.parent)
    for played in whole.cards.values():
        yield from cache.looked_for(played.path.stem, played.path.parent)
        yield played.path.resolve()
