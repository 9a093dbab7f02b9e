"""The play of a ruleset: phases, offers, steps and the rest in; frozen data with lowered expressions out.

Expects a whole whose shape, names and expressions are checked. Reports only what needs the options. Carries
nothing out.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, Protocol, TypeVar

from tilewright.base.memory import TheSame
from tilewright.base.node import Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Problem
from tilewright.language.compiled.ir import Apply, Conditional, Const, Ir, Lookup
from tilewright.language.compiled.play import (
    MOST_TURNS,
    Action,
    Button,
    Choose,
    Goal,
    Loop,
    MatchRules,
    Numbers,
    Offer,
    Phase,
    Play,
    Restriction,
    Step,
    StepBlock,
    Text,
    Trigger,
    Use,
    Verb,
)
from tilewright.language.documents.fields import entries, flag, is_null, items, names, section, text, texts, titled
from tilewright.language.documents.whole import MergedRuleset
from tilewright.language.expressions import folding
from tilewright.language.expressions.lower import arguments_followed, is_span, letters_at, lower_classes, lower_span
from tilewright.language.expressions.scope import CHOICES, Scope, choice_type
from tilewright.language.vocabulary.declare_steps import STEPS

START = "deal"  # the first phase of every hand
HAND = Lookup("tiles", "zone", "hand")
BESIDE_A_VERB = ("id", "when", "unless", "for", "until", "do", "else")
Path = tuple[str, ...]
T = TypeVar("T")


class Lowers(Protocol):
    """Lowers expressions and collects problems: see `tilewright.language.sections.elaboration`."""

    @property
    def whole(self) -> MergedRuleset: ...
    @property
    def scope(self) -> Scope: ...
    @property
    def problems(self) -> list[Problem]: ...
    def expression(self, node: Node | None, wanted: str, scope: Scope | None = None) -> Ir | None: ...
    def needed(self, node: Node | None, wanted: str, scope: Scope | None = None) -> Ir: ...
    def condition(self, node: Node | None, scope: Scope | None = None) -> Ir | None: ...
    def tile(self, node: Node) -> tuple[int, ...]: ...
    def once(self, part: str, node: Node, make: Callable[[], T], *beside: object) -> T: ...


def build_play(lowers: Lowers) -> Play | None:
    """The play; None if no phase is called deal."""
    document = lowers.whole.document
    if not isinstance(section(document, "phases").get(START), Mapping):
        return None
    return Play(**{name: build_section(lowers, name) for name in BUILT})


def build_section(lowers: Lowers, name: str) -> Any:
    """One section of the play: the part of `Play` with its name."""
    return BUILT[name](lowers)


# --- places


@dataclass(frozen=True, slots=True)
class StepPlace:
    """A mapping of a document, with its path. Lowers its parts with the words in scope, which come from `around`, the
    document of the path."""

    lowers: Lowers
    node: Mapping
    path: Path
    around: Mapping

    @property
    def name(self) -> str:
        return self.path[-1]

    def below(self, *keys: str) -> "StepPlace":
        """The mapping under keys; empty if missing."""
        return replace(self, node=section(self.node, *keys), path=(*self.path, *keys))

    def has(self, key: str) -> bool:
        return not is_null(self.node.get(key))

    def scope(self, *keys: str) -> Scope:
        """The words in scope under keys."""
        scope = self.lowers.scope
        return scope.knowing(letters_at(self.around, (*self.path, *keys), scope))

    def expression(self, key: str, wanted: str) -> Ir | None:
        return self.lowers.expression(self.node.get(key), wanted, self.scope(key)) if self.has(key) else None

    def needed(self, key: str, wanted: str) -> Ir:
        return self.lowers.needed(self.node.get(key), wanted, self.scope(key))

    def condition(self, key: str) -> Ir | None:
        return self.lowers.condition(self.node.get(key), self.scope(key)) if self.has(key) else None

    def when(self) -> Ir | None:
        """`when` and not `unless`; None if it always holds."""
        when, unless = self.condition("when"), self.condition("unless")
        parts = [when] if when is not None else []
        parts += [folding.apply("truth", "not", unless)] if unless is not None else []
        both = folding.apply("truth", "and", *parts)
        return None if both == folding.TRUE else both

    def tiles(self, key: str) -> Ir | None:
        """Tiles with their places: a zone or groups unconverted, not turned into their tiles."""
        found = self.expression(key, "tiles")
        return None if found is None else lying(found)

    def zone(self, key: str) -> Lookup:
        """The zone of that name."""
        name = self.text(key)
        declared = self.lowers.scope.words.get(name)
        return Lookup(declared.type if declared else "tiles", "zone", name)

    def expressions(self, key: str, wanted: str) -> tuple[Ir, ...]:
        """Each member of a list."""
        scope = self.scope(key)
        return tuple(self.lowers.needed(item, wanted, scope) for item in items(self.node.get(key)))

    def mark_type(self, name: str) -> str:
        declared = self.lowers.scope.words.get(name)
        return declared.type if declared else "value"

    def text(self, key: str) -> str:
        return text(self.node, key)

    def texts(self, key: str) -> Text:
        return texts(self.node.get(key))

    def names(self, key: str) -> tuple[str, ...]:
        return names(self.node.get(key))

    def flag(self, key: str) -> bool:
        return flag(self.node, key)

    def goal(self, key: str) -> Goal | None:
        """Where play continues: a phase, or `{phase: seat}`."""
        if isinstance(self.node.get(key), Mapping):
            inner = self.below(key)
            return next(
                (Goal(name, inner.expression(name, "seats")) for name in inner.node.entries if inner.has(name)), None
            )
        return Goal(self.text(key)) if self.has(key) else None

    def choices(self, key: str) -> tuple[Choose, ...]:
        """The choices by name, in order."""
        return choices(self.below(key))

    def classes(self, key: str) -> tuple[Ir, ...] | None:
        return lower_classes(self.node.get(key), self.scope(key)) if self.has(key) else None

    def span(self, key: str) -> tuple[Ir | None, Ir | None]:
        """The ends of a range of numbers."""
        node = self.node.get(key)
        if node is None or is_null(node):
            return None, None
        least, most, problems = lower_span(node, self.scope(key))
        self.lowers.problems.extend(problems)
        return least, most


def each(
    lowers: Lowers, part: str, make: Callable[[StepPlace], T], around: Mapping | None = None
) -> Iterator[tuple[str, T]]:
    """What all entries of a section become, by name."""
    document = lowers.whole.document
    taken = [section(node, "takes") for _, node in entries(document, "actions")]
    beside = TheSame((lowers.scope.words, *taken)), tuple(section(document, "offers").entries)
    for name, node in entries(document, part):
        spot = StepPlace(lowers, node, (part, name), around or document)
        yield name, lowers.once(part, node, partial(make, spot), name, *beside)


def lying(ir: Ir) -> Ir:
    """The expression without the conversion of a group, or a zone of groups, to its tiles."""
    match ir:
        case Apply(op="tiles", args=(inner,)) if inner.type in ("group", "groups"):
            return inner
        case Conditional():
            return replace(ir, then=lying(ir.then), other=lying(ir.other))
    return ir


# --- the parts


def phase(spot: StepPlace) -> Phase:
    offers = section(spot.lowers.whole.document, "offers").entries
    return Phase(
        spot.name,
        steps(spot, "do"),
        spot.expression("who", "seats"),
        tuple(name for name in spot.names("offers") if name in offers),
        spot.goal("then"),
        spot.goal("otherwise"),
        spot.flag("secret"),
        spot.texts("name"),
    )


def offer(spot: StepPlace) -> Offer:
    rank = spot.node.get("rank")
    return Offer(
        spot.name,
        titled(spot.node, spot.name),
        rank.value if isinstance(rank, Scalar) and isinstance(rank.value, int) else None,
        spot.expression("most", "number"),
        spot.text("group"),
        spot.choices("choose"),
        spot.when(),
        steps(spot, "do"),
        spot.goal("then"),
        spot.flag("rare"),
    )


def restriction(spot: StepPlace) -> Restriction:
    return Restriction(spot.name, spot.names("bars"), spot.texts("reason"), spot.when())


def action(spot: StepPlace) -> Action:
    takes = section(spot.node, "takes")
    given = tuple((name, text(takes, name)) for name in takes.entries)
    return Action(spot.name, given, steps(spot, "do"), spot.texts("name"))


def trigger(spot: StepPlace) -> Trigger:
    takes = tuple(arguments_followed(spot.lowers.whole.document, spot.node).items())
    return Trigger(spot.name, spot.names("after"), steps(spot, "do"), spot.when(), takes)


def button(spot: StepPlace) -> Button:
    return Button(
        spot.name,
        titled(spot.node, spot.name),
        spot.text("takes"),
        spot.names("declines"),
        spot.text("sorts"),
        spot.when(),
        spot.flag("on"),
    )


def match_of(spot: StepPlace) -> MatchRules:
    return MatchRules(
        spot.expression("score", "number"),
        tuple(tile for item in items(spot.node.get("rounds")) for tile in spot.lowers.tile(item)),
        spot.condition("dealer_stays"),
        spot.condition("ends"),
        tuple(spot.lowers.needed(item, "number") for item in items(spot.node.get("placement"))),
        {level: texts(node) for level, node in section(spot.node, "levels").items() if not is_null(node)},
        tuple(places(row) for row in items(spot.node.get("seating"))),
        spot.expression("next_dealer", "seats"),
        spot.flag("equals_share"),
        spot.expression("exchange", "number"),
        spot.flag("standings"),
    )


def places(row: Node) -> tuple[int, ...]:
    """The players of a round, counted from 0."""
    written = [item.value for item in items(row) if isinstance(item, Scalar)]
    return tuple(place - 1 for place in written if isinstance(place, int))


# --- choices


def choices(spot: StepPlace) -> tuple[Choose, ...]:
    """The choices by name, in order."""
    return tuple(choose(spot.below(name)) for name, _ in entries(spot.node))


def choose(spot: StepPlace) -> Choose:
    kind = next((kind for kind in CHOICES if spot.has(kind)), "")
    least, most = bounds(spot, kind)
    return Choose(
        spot.name,
        kind,
        choice_type(spot.node),
        most,
        least,
        (spot.tiles("from") or HAND) if kind in OUT_OF_A_ZONE else None,
        spot.classes("of"),
        spot.text("group"),
        spot.text("onto"),
        spot.text("form"),
        spot.expression("seat", "seats"),
        spot.texts("flag"),
        spot.condition("when"),
        spot.texts("name"),
    )


OUT_OF_A_ZONE = ("tiles", "group", "form")


def bounds(spot: StepPlace, kind: str) -> tuple[Ir | None, Ir | None]:
    """The fewest and most that may be chosen; for tiles exactly this many, unless `least` is given."""
    if kind == "number":
        return spot.span("number")
    most = spot.expression("tiles", "number")
    return (most if most is None else spot.expression("least", "number") or most), most


# --- steps


def steps(spot: StepPlace, key: str) -> tuple[Step, ...]:
    """The steps of a list, without those that are never done."""
    node = spot.node.get(key)
    listed = node.items if isinstance(node, Sequence) else ()
    inner = [
        step(replace(spot, node=item, path=(*spot.path, key, str(index))))
        for index, item in enumerate(listed)
        if isinstance(item, Mapping)
    ]
    return tuple(one for one in inner if one is not None)


def step(spot: StepPlace) -> Step | None:
    """One step; None if it is never done."""
    when, other = spot.when(), steps(spot, "else")
    if when == folding.FALSE and not other:
        return None
    name = next((key for key in spot.node.entries if key not in BESIDE_A_VERB), "")
    until = spot.condition("until")
    if until == folding.TRUE:
        return None
    return Step(name, verb(spot, name), when, other, loops(spot), until, ".".join(spot.path))


def verb(spot: StepPlace, name: str) -> Verb | StepBlock:
    """The verb of a step: further steps, a verb of the language, or an action of the ruleset."""
    if not name:
        return StepBlock(steps(spot, "do"))
    return STEPS[name].read(spot) if name in STEPS else use(spot, name)


def loops(spot: StepPlace) -> tuple[Loop, ...]:
    """The loops of a step."""
    node = spot.node.get("for")
    if isinstance(node, Mapping):
        inner = spot.below("for")
        return tuple(Loop(members(inner, name), name) for name in node.entries if inner.has(name))
    return (Loop(spot.needed("for", "seats")),) if spot.has("for") else ()


def members(spot: StepPlace, name: str) -> Ir | tuple[Ir, ...] | Numbers:
    """The members that a letter runs over."""
    node = spot.node.get(name)
    if isinstance(node, Sequence):
        return tuple(spot.lowers.needed(item, "value", spot.scope(name)) for item in node.items)
    if isinstance(node, Scalar) and is_span(node):
        return numbers(spot, name, node)
    return spot.needed(name, "set")


def numbers(spot: StepPlace, name: str, node: Scalar) -> Numbers:
    """The numbers of a span with both ends."""
    least, most = spot.span(name)
    if least is None or most is None:
        spot.lowers.problems.append(open_loop(node))
        return Numbers(Const("number", 1), Const("number", 0))
    ends = [end.value for end in (least, most) if isinstance(end, Const) and isinstance(end.value, int | Fraction)]
    if len(ends) == 2 and ends[1] - ends[0] >= MOST_TURNS:
        spot.lowers.problems.append(long_loop(node))
    return Numbers(least, most)


def use(spot: StepPlace, name: str) -> Use:
    """An action of the ruleset."""
    inner, takes = spot.below(name), section(spot.lowers.whole.document, "actions", name, "takes")
    return Use(name, tuple((given, inner.needed(given, text(takes, given) or "value")) for given in inner.node.entries))


BUILT: dict[str, Callable[[Lowers], object]] = {
    "phases": lambda lowers: dict(each(lowers, "phases", phase)),
    "offers": lambda lowers: dict(each(lowers, "offers", offer)),
    "restrictions": lambda lowers: tuple(dict(each(lowers, "restrictions", restriction, lowers.whole.full)).values()),
    "actions": lambda lowers: dict(each(lowers, "actions", action)),
    "triggers": lambda lowers: tuple(dict(each(lowers, "triggers", trigger)).values()),
    "buttons": lambda lowers: tuple(dict(each(lowers, "buttons", button, lowers.whole.full)).values()),
    "match": lambda lowers: match_of(
        StepPlace(lowers, section(lowers.whole.document, "match"), ("match",), lowers.whole.document)
    ),
}


# --- problems


def open_loop(node: Scalar) -> Problem:
    return Problem("open-loop", "a loop goes from a number to a number", node.place, "write 1..4, or 1..(3 - given)")


def long_loop(node: Scalar) -> Problem:
    return Problem("long-loop", f"a loop goes through at most {MOST_TURNS:,} numbers", node.place)
