"""Scope: a whole ruleset in, every name that its expressions may use out, each with its kind and type.

Knows where each section declares names. Parses no expression: the type of a term, and of a letter that runs over a
set, is found by `tilewright.language.expressions.lower`.
"""

from collections.abc import Callable, Iterator
from collections.abc import Mapping as Map
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from tilewright.base.node import Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Place
from tilewright.hands.group import Groups
from tilewright.language.compiled.ir import Ir
from tilewright.language.documents.fields import is_null, items, section, text
from tilewright.language.documents.options import OptionSetting, choices_of
from tilewright.language.documents.whole import MergedRuleset
from tilewright.language.vocabulary.declare import STRATA, Stratum
from tilewright.language.vocabulary.steps.declare import written
from tilewright.language.vocabulary.steps.fields import ChoicesField, Dice
from tilewright.language.vocabulary.words import WORDS
from tilewright.tiles.tileset import TileSet

if TYPE_CHECKING:
    pass

Kind = Literal[
    "option", "family", "class", "tile", "zone", "mark", "term", "group", "form", "phase", "measure", "choice"
]
GROUP_ZONE = "melds"  # the zone of declared groups: the only one whose members are groups
DIRECTIONS = tuple(
    name
    for name, word in WORDS.items()
    if not word.of and word.takes and "seat" in word.takes[0].split("|") and word.type in ("seat", "same")
)


@dataclass(frozen=True, slots=True)
class Declared:
    """A name that expressions may use. `of`: its owner (seat, table, match); `section`: where it is declared; `node`:
    its declaration; `owner`: the offer, action, trigger or phase that introduces it. The type of a term is `any` until
    it is lowered."""

    name: str
    kind: Kind
    type: str
    section: str
    place: Place
    node: Node
    of: str = ""
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Scope:
    """The names that may be used in one place.

    `words`: names of the whole by name; `declarations`: the same in file order, with every second declaration of a
    name and every word of a single offer, action or step. `letters`: type of each word that only this place has.
    `limit`: the highest stratum allowed here, `subject`: the expression, for messages. `measures`: those already
    counted here; None: all. `memo` keeps terms once they are lowered; `note` is told where each truth is written.
    """

    words: Map[str, Declared] = field(default_factory=dict)
    declarations: tuple[Declared, ...] = ()
    settings: Map[str, OptionSetting] = field(default_factory=dict)
    choices: Map[str, tuple[str, ...]] = field(default_factory=dict)
    suits: Map[str, str] = field(default_factory=dict)  # code -> suit
    tiles: TileSet | None = None
    groups: Groups | None = None
    categories: frozenset[str] = frozenset()  # groups of lines on the cards in play
    letters: Map[str, str] = field(default_factory=dict)
    limit: Stratum = STRATA[-1]
    subject: str = ""
    measures: frozenset[str] | None = None
    memo: dict[str, Any] = field(default_factory=dict, compare=False)
    note: Callable[[Ir, Place], None] | None = field(default=None, compare=False)

    def within(self, limit: Stratum, subject: str, measures: frozenset[str] | None = None) -> "Scope":
        """The same for a place limited to strata up to `limit`."""
        return replace(self, limit=limit, subject=subject, measures=measures)

    def knowing(self, letters: Map[str, str]) -> "Scope":
        """The same with more words of this place alone."""
        return replace(self, letters={**self.letters, **letters})

    def visible(self) -> Iterator[str]:
        """Every name that may be used here."""
        yield from self.letters
        yield from self.words
        yield from WORDS


def declare(whole: MergedRuleset, tiles: TileSet | None = None, groups: Groups | None = None) -> Scope:
    """Every name of the merged document. With tiles and groups, classes and templates are resolved."""
    declarations = tuple(declarations_of(whole.full))
    words: dict[str, Declared] = {}
    for declared in declarations:
        if declared.section not in ("offers", "actions", "steps"):
            words.setdefault(declared.name, declared)
    options = section(whole.full, "options")
    choices = {
        name: tuple(choices_of(node))
        for name, node in options.items()
        if isinstance(node, Mapping) and node.get("choice") is not None
    }
    suits = {text(node, "code"): name for name, node in section(whole.full, "tiles", "suits").items()}
    categories = frozenset(name for played in whole.cards.values() for name in played.categories)
    return Scope(words, declarations, whole.options, choices, suits, tiles, groups, categories)


def option_scope(settings: Map[str, OptionSetting], options: Node | None) -> Scope:
    """The names that may be used in an `if`, and in numbers of the tiles: only options."""
    declarations = tuple(options_of(options)) if isinstance(options, Mapping) else ()
    choices = {
        declared.name: tuple(choices_of(declared.node))
        for declared in declarations
        if isinstance(declared.node, Mapping) and declared.node.get("choice") is not None
    }
    return Scope(
        {declared.name: declared for declared in declarations}, declarations, settings, choices, subject="an option"
    )


# --- reading nodes


# --- declarations


def declarations_of(full: Mapping) -> Iterator[Declared]:
    """Every name, in the order of this list."""
    yield from options_of(section(full, "options"))
    yield from tiles_of(section(full, "tiles"))
    yield from named(full, "zones", "zone", zone_type)
    yield from named(full, "marks", "mark", mark_type)
    yield from named(full, "terms", "term", lambda name, node: "any")
    for part, kind in SIMPLE.items():
        yield from named(full, part, kind, lambda name, node: "name")
    for name, entry in section(full, "scoring", "measures").entries.items():
        if not is_null(entry.value):
            yield Declared(name, "measure", "number", "measures", entry.key.place, entry.value, "seat")
    marks = frozenset(section(full, "marks").entries)
    for part in ("offers", "actions", "triggers", "phases"):
        for owner, node in section(full, part).items():
            yield from (replace(one, owner=owner) for one in introduced(node, part, marks))


SIMPLE: dict[str, Kind] = {"groups": "group", "forms": "form", "phases": "phase"}


def options_of(options: Mapping) -> Iterator[Declared]:
    for name, entry in options.entries.items():
        if isinstance(entry.value, Mapping):
            yield Declared(name, "option", option_type(entry.value), "options", entry.key.place, entry.value)


def option_type(node: Mapping) -> str:
    if node.get("flag") is not None:
        return "truth"
    worth = node.get("of")
    if node.get("number") is not None:
        return "number"
    if not isinstance(worth, Mapping):
        return "name"
    numbers = all(isinstance(value, Scalar) and not isinstance(value.value, str | bool) for _, value in worth.items())
    return "number" if numbers else "list"


def tiles_of(tiles: Mapping) -> Iterator[Declared]:
    """Suits, families and their codes, specials and their codes, classes. A class may have the name of a wild tile."""
    for part, kind in TILE_PARTS.items():
        for name, entry in section(tiles, part).entries.items():
            if not is_null(entry.value):
                yield Declared(name, kind, "tiles", part, entry.key.place, entry.value)
                yield from codes_of(part, entry.value)


TILE_PARTS: dict[str, Kind] = {"suits": "family", "unranked": "family", "special": "class", "classes": "class"}


def codes_of(part: str, node: Node) -> Iterator[Declared]:
    """The codes of an unranked family or of a special."""
    if part == "unranked" and isinstance(node, Mapping):
        for item in items(node.get("codes")):
            if isinstance(item, Scalar):
                yield Declared(item.text, "tile", "tile", "codes", item.place, item)
    if part == "special":
        for code, entry in section(node, "codes").entries.items():
            yield Declared(code, "tile", "tile", "codes", entry.key.place, entry.value)


def named(full: Mapping, part: str, kind: Kind, type_of: Any) -> Iterator[Declared]:
    """Every id of a section."""
    for name, entry in section(full, part).entries.items():
        if not is_null(entry.value):
            yield Declared(
                name,
                kind,
                type_of(name, entry.value),
                part,
                entry.key.place,
                entry.value,
                text(entry.value, "of") or ("seat" if kind in ("mark", "zone", "term") else ""),
            )


def zone_type(name: str, node: Node) -> str:
    return "groups" if name == GROUP_ZONE else "tiles"


def mark_type(name: str, node: Node) -> str:
    return text(node, "is") or "truth"


# --- words of play


def introduced(node: Node, part: str, marks: frozenset[str]) -> Iterator[Declared]:
    """Words that offers, actions and steps introduce: those of an offer, action or loop are known only inside it."""
    if isinstance(node, Sequence):
        for item in node.items:
            yield from introduced(item, part, marks)
    if not isinstance(node, Mapping):
        return
    for key, entry in node.entries.items():
        yield from words_of_step(key, entry.value, part, marks)
        yield from introduced(entry.value, part, marks)


def words_of_step(key: str, node: Node, part: str, marks: frozenset[str]) -> Iterator[Declared]:
    if not isinstance(node, Mapping):
        return
    if key == "choose" and part == "offers":
        yield from local(node, "offers", choice_type)
    elif key == "takes" and part == "actions":
        yield from local(node, "actions", lambda value: value.text if isinstance(value, Scalar) else "any")
    elif key == "for":
        yield from local(node, "steps", lambda value: "any")
    for chosen in written(key, node, ChoicesField):
        yield from local(chosen, "asks", choice_type, "seat")
    for dice in written(key, node, Dice):
        yield from (one for one in local(dice, "dice", die_type, "table") if one.name not in marks)


def local(node: Node, part: str, type_of: Any, of: str = "") -> Iterator[Declared]:
    for name, entry in node.entries.items() if isinstance(node, Mapping) else ():
        if not is_null(entry.value):
            yield Declared(name, "choice", type_of(entry.value), part, entry.key.place, entry.value, of)


def choice_type(node: Node) -> str:
    """The type of a choice: one tile if exactly one is asked for."""
    if not isinstance(node, Mapping):
        return "any"
    for key, type in CHOICES.items():
        if node.get(key) is not None:
            one = key == "tiles" and text(node, key) == "1" and text(node, "least") in ("", "1")
            return "tile" if one else type
    return "any"


CHOICES = {
    "tiles": "tiles",
    "group": "group",
    "form": "tiles",
    "number": "number",
    "seat": "seat",
    "suit": "suit",
    "flag": "truth",
}


def die_type(node: Node) -> str:
    """The type of the values on a die."""
    values = [item.value if isinstance(item, Scalar) else None for item in items(node)]
    if all(value in DIRECTIONS for value in values):
        return "direction"
    return "name" if any(isinstance(value, str) for value in values) else "number"
