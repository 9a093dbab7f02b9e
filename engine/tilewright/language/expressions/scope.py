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
from tilewright.hands.reading import Groups
from tilewright.language.compiled.ir import Ir
from tilewright.language.documents.fields import is_null, items, section, text
from tilewright.language.documents.options import OptionSetting, choices_of
from tilewright.language.documents.whole import MergedRuleset
from tilewright.language.vocabulary.declare import STRATA, Stratum
from tilewright.language.vocabulary.declare_steps import written
from tilewright.language.vocabulary.step_fields import ChoicesField, Dice
from tilewright.language.vocabulary.words import WORDS
from tilewright.tiles.tileset import TileSet

if TYPE_CHECKING:
    pass

Kind = Literal[
    "option", "family", "class", "tile", "zone", "mark", "term", "group", "form", "phase", "measure", "choice"
]
MOST_LOWERED = 20_000  # expressions that are known at once
MOST_WAYS = 8  # of one expression, with other options
MOST_WORLDS = 8  # of tiles, groups and cards, of one ruleset
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
class Lookups:
    """What the names in an expression were found to be: names of the whole, options, lowered terms; None if there is no
    such name."""

    words: dict[str, Declared | None] = field(default_factory=dict)
    settings: dict[str, OptionSetting | None] = field(default_factory=dict)
    terms: dict[str, object] = field(default_factory=dict)

    def hold(self, scope: "Scope", terms: Callable[["Scope"], Map[str, object]]) -> bool:
        """Whether they are the same in this scope."""
        return (
            all(scope.settings.get(name) == setting for name, setting in self.settings.items())
            and all(scope.words.get(name) == declared for name, declared in self.words.items())
            and (not self.terms or all(terms(scope).get(name) is body for name, body in self.terms.items()))
        )

    def add(self, other: "Lookups") -> None:
        """What was looked up for a part as well."""
        self.words.update(other.words)
        self.settings.update(other.settings)
        self.terms.update(other.terms)


@dataclass(frozen=True, slots=True)
class EarlierLowerings:
    """What expressions, and parts with expressions, became before, with the same tiles, groups and cards: with other
    options, or in a document that shares them. Only those without a problem are kept. `found`: by node and place, with
    what was looked up."""

    found: dict[tuple[object, ...], list[tuple[Node, Lookups, Any]]] = field(default_factory=dict)

    def recall(self, key: tuple[object, ...], scope: "Scope", terms: Callable[["Scope"], Map[str, object]]) -> Any:
        """What an expression became with the same names and options; None if that is not known."""
        for _, looked_up, made in self.found.get(key, ()):
            if looked_up.hold(scope, terms):
                scope.tell(looked_up)
                return made
        return None

    def keep(self, key: tuple[object, ...], node: Node, looked_up: Lookups, made: Any) -> None:
        if len(self.found) > MOST_LOWERED:
            self.found.clear()
        known = self.found.setdefault(key, [])
        known.append((node, looked_up, made))  # the node is kept, so that its id stays its own
        del known[:-MOST_WAYS]


@dataclass(frozen=True, slots=True)
class Scope:
    """The names that may be used in one place.

    `words`: names of the whole by name; `declarations`: the same in file order, with every second declaration of a
    name and every word of a single offer, action or step. `letters`: type of each word that only this place has.
    `limit`: the highest stratum allowed here, `subject`: the expression, for messages. `measures`: those already
    counted here; None: all. `memo` keeps terms once they are lowered; `earlier`: what was lowered before; `note` is
    told where each truth is written; `parts`: what is looked up in the parts that are being made.
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
    earlier: EarlierLowerings | None = field(default=None, compare=False)
    note: Callable[[Ir, Place], None] | None = field(default=None, compare=False)
    parts: list[Lookups] = field(default_factory=list, compare=False)

    def tell(self, looked_up: Lookups) -> None:
        """The part that is being made, if any, has an expression in which this was looked up."""
        if self.parts:
            self.parts[-1].add(looked_up)

    def place_of(self, node: Node, what: str) -> tuple[object, ...]:
        """What tells a node that is lowered here from others."""
        return id(node), what, *self.letters.items(), self.limit, self.measures

    def within(self, limit: Stratum, subject: str, measures: frozenset[str] | None = None) -> "Scope":
        """The same for a place limited to strata up to `limit`."""
        return replace(self, limit=limit, subject=subject, measures=measures)

    def knowing(self, letters: Map[str, str]) -> "Scope":
        """The same with more words of this place alone."""
        return replace(self, letters={**self.letters, **letters}) if letters else self

    def visible(self) -> Iterator[str]:
        """Every name that may be used here."""
        yield from self.letters
        yield from self.words
        yield from WORDS


def declare(whole: MergedRuleset, tiles: TileSet | None = None, groups: Groups | None = None) -> Scope:
    """Every name of the merged document. With tiles and groups, classes and templates are resolved."""
    named: Scope = whole.found.once("scope", lambda: scope_of(whole.full))
    categories = frozenset(name for played in whole.cards.values() for name in played.categories)
    scope = replace(named, settings=whole.options, tiles=tiles, groups=groups, categories=categories, memo={}, parts=[])
    return replace(scope, earlier=earlier_lowerings(whole.shared.once("worlds", list), scope))


def scope_of(full: Mapping) -> Scope:
    """Every name of a merged document, whatever the options are."""
    declarations = tuple(declarations_of(full))
    words: dict[str, Declared] = {}
    for declared in declarations:
        if declared.section not in ("offers", "actions", "steps"):
            words.setdefault(declared.name, declared)
    choices = {
        name: tuple(choices_of(node))
        for name, node in section(full, "options").items()
        if isinstance(node, Mapping) and node.get("choice") is not None
    }
    suits = {text(node, "code"): name for name, node in section(full, "tiles", "suits").items()}
    return Scope(words, declarations, choices=choices, suits=suits)


def earlier_lowerings(worlds: list[tuple[object, EarlierLowerings]], scope: Scope) -> EarlierLowerings:
    """What was lowered before with the tiles, groups and cards of a scope; without tiles and groups, with their
    names."""
    names = [name for name, one in scope.words.items() if one.kind == "group"] if scope.groups is None else None
    world = scope.tiles, scope.groups, scope.categories, scope.suits, names
    known = next((earlier for other, earlier in worlds if other == world), None)
    if known is None:
        known = EarlierLowerings()
        worlds.append((world, known))
        del worlds[:-MOST_WORLDS]
    return known


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
