"""A merged ruleset: a document with everything that it extends and all mods, before anything is compiled."""

from collections.abc import Mapping as Map
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tilewright.base.node import Mapping
from tilewright.base.problem import Source
from tilewright.language.documents.options import OptionSetting

if TYPE_CHECKING:
    from tilewright.language.documents.cards import Played


@dataclass(frozen=True, slots=True)
class Whole:
    """A ruleset with all that it extends and all mods. `document` is `full` without what `if:` says is not there;
    `cards`: the card of each option that a form plays a card by; `presets`: those that were named."""

    document: Mapping
    full: Mapping
    options: dict[str, OptionSetting]
    mods: tuple[str, ...]
    kind: str
    sources: tuple[Source, ...]
    cards: "Map[str, Played]" = field(default_factory=dict)
    presets: tuple[str, ...] = ()
