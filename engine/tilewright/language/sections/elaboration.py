"""The tools to elaborate the sections of a ruleset: the merged ruleset, its tiles and groups, and the lowering of its
expressions.

Expects a ruleset whose shape and names are checked. Each section is a function of an `Elaboration`, in a module of this
package.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TypeVar

from tilewright.base.memory import TheSame
from tilewright.base.node import Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Place, Problem, RulesetError, has_errors
from tilewright.hands.reading import Groups
from tilewright.language.compiled.ir import Const, Ir, WantedCase
from tilewright.language.documents.fields import is_null, section
from tilewright.language.documents.options import OptionSetting
from tilewright.language.documents.whole import MergedRuleset
from tilewright.language.expressions.folding import MOST_BITS, bits
from tilewright.language.expressions.lower import lower, lower_condition, lower_in_two, lower_templates, term_bodies
from tilewright.language.expressions.scope import Lookups, Scope, declare, option_scope
from tilewright.language.sections.groups import build_groups
from tilewright.language.sections.tiles import removed_names, tiles_of
from tilewright.tiles.tileset import TileSet

OF_TILES = ("tiles", "seats", "zones", "marks", "groups")  # sections that tiles and groups are made of
MOST_SETS = 12  # of tiles and groups, of one document with different options and mods
WORD = re.compile(r"\w+")

T = TypeVar("T")


@dataclass(slots=True)
class Elaboration:
    """The shared state of the sections of one ruleset: tiles and groups, the words in scope, the problems found."""

    whole: MergedRuleset
    tiles: TileSet
    groups: Groups
    scope: Scope
    problems: list[Problem] = field(default_factory=list)
    bits: dict[str, int] = field(default_factory=dict)  # of each measure and term

    def expression(self, node: Node | None, wanted: str, scope: Scope | None = None) -> Ir | None:
        """An expression, if there is one; none after a mistake."""
        if node is None or is_null(node) or not isinstance(node, Scalar):
            return None
        ir, problems = lower(node, wanted, scope or self.scope)
        self.problems.extend(problems)
        if ir is not None and ir.type == "number" and bits(ir, self.bits) > MOST_BITS:
            self.problems.append(too_large(node))
        return ir

    def needed(self, node: Node | None, wanted: str, scope: Scope | None = None) -> Ir:
        """A required expression; the shape check reports a missing one."""
        return self.expression(node, wanted, scope) or Const(wanted, 0)

    def condition(self, node: Node | None, scope: Scope | None = None) -> Ir | None:
        if node is None or is_null(node):
            return None
        ir, problems = lower_condition(node, scope or self.scope)
        self.problems.extend(problems)
        return ir

    def condition_in_two(self, node: Node | None, scope: Scope) -> tuple[Ir | None, Ir | None]:
        """What the reading decides of a condition, and what asks for measures."""
        if node is None or is_null(node):
            return None, None
        when, late, problems = lower_in_two(node, scope)
        self.problems.extend(problems)
        return when, late

    def cases_of(self, node: Node | None, scope: Scope) -> tuple[WantedCase, ...]:
        if node is None:
            return ()
        cases, problems = lower_templates(node, scope)
        self.problems.extend(problems)
        return cases

    def once(self, part: str, node: Node, make: Callable[[], T], *beside: object) -> T:
        """What a part of the document becomes: the very same object as before, while the names and options in it mean
        the same. `beside`: what else it is made from. A part with a problem is made again each time."""
        scope = self.scope
        if scope.earlier is None or scope.note is not None:
            return make()
        key = part, id(node), *beside, *self.bits.items()
        known: tuple[T] | None = scope.earlier.recall(key, scope, term_bodies)
        if known is not None:
            return known[0]
        scope.parts.append(looked_up := Lookups())
        before = len(self.problems)
        try:
            made = make()
        finally:
            scope.parts.pop()
        scope.tell(looked_up)
        if len(self.problems) == before:
            scope.earlier.keep(key, node, looked_up, (made,))
        return made

    def tile(self, node: Node) -> tuple[int, ...]:
        """The tiles of one item of a list; those of classes in order."""
        name = node.text if isinstance(node, Scalar) else ""
        if (found := self.tiles.by_code(name)) is not None:
            return (found.index,)
        known = self.tiles.families.get(name)
        return (
            known
            if known is not None
            else tuple(sorted(self.tiles.classes[name].tiles))
            if name in self.tiles.classes
            else ()
        )


def begin(whole: MergedRuleset, note: Callable[[Ir, Place], None] | None = None) -> Elaboration:
    """The tiles, the groups and the words of a ruleset; raises RulesetError. `note` is told where each truth that an
    expression is made of is written."""
    known: dict[object, tuple[TileSet, Groups]] = whole.shared.once("tiles and groups", dict)
    key = what_tiles_depend_on(whole)
    if key not in known:
        if len(known) >= MOST_SETS:
            known.clear()
        tiles = build_tiles(whole)
        gone = removed_names(whole.full, whole.document) | removed(whole)
        known[key] = tiles, build_groups(section(whole.document, "groups"), tiles, gone, whole_numbers(whole))
    tiles, groups = known[key]
    return Elaboration(whole, tiles, groups, replace(declare(whole, tiles, groups), note=note))


def what_tiles_depend_on(whole: MergedRuleset) -> object:
    """The sections that tiles and groups are made of, and the settings of the options that these name."""
    sections = [document.get(name) for document in (whole.document, whole.full) for name in OF_TILES]
    named: frozenset[str] = whole.found.once(
        "options of tiles", lambda: frozenset(words_in([whole.full.get(name) for name in OF_TILES]))
    )
    return TheSame(sections), tuple(setting for name, setting in whole.options.items() if name in named)


def words_in(nodes: Iterable[Node | None]) -> Iterator[str]:
    """Every word in the texts below some nodes."""
    for node in nodes:
        if isinstance(node, Scalar):
            yield from WORD.findall(node.text)
        elif isinstance(node, Sequence):
            yield from words_in(node.items)
        elif isinstance(node, Mapping):
            yield from words_in(value for _, value in node.items())


def build_tiles(whole: MergedRuleset) -> TileSet:
    """The tiles of a whole; raises RulesetError."""
    scope = option_scope(whole.options, whole.full.get("options"))
    return tiles_of(whole.document, whole.full, lambda node: known_number(node, scope), whole.options)


def known_number(node: Node, scope: Scope) -> int | Fraction:
    """A number made of options alone. Raises RulesetError."""
    if not isinstance(node, Scalar):
        raise RulesetError([Problem("wrong-type", "a number is expected here", node.place)])
    ir, problems = lower(node, "number", scope)
    if has_errors(problems):
        raise RulesetError(problems)
    if isinstance(ir, Const) and isinstance(ir.value, int | Fraction):
        return ir.value
    raise RulesetError([Problem("wrong-type", "a number that is known before the game is expected here", node.place)])


def whole_numbers(whole: MergedRuleset) -> dict[str, int]:
    """Options that are whole numbers."""
    return {name: value for name, value in numbers(whole).items() if isinstance(value, int)}


def numbers(whole: MergedRuleset) -> dict[str, int | Fraction]:
    """Options that are numbers."""
    values = {name: value_of(setting) for name, setting in whole.options.items()}
    return {
        name: value
        for name, value in values.items()
        if isinstance(value, int | Fraction) and not isinstance(value, bool)
    }


def value_of(setting: OptionSetting) -> object:
    return setting.worth.value if isinstance(setting.worth, Scalar) else setting.chosen


def removed(whole: MergedRuleset) -> frozenset[str]:
    """Kinds of groups that an `if` removed."""
    return frozenset(section(whole.full, "groups").entries) - frozenset(section(whole.document, "groups").entries)


def too_large(node: Node) -> Problem:
    return Problem("too-large", "this number may become too large", node.place, "use smaller exponents")
