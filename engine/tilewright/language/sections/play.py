"""The play of a ruleset: phases, offers, steps and what else is said of it in; frozen data out, with every expression
lowered where it stands.

Expects a whole whose shape, names and expressions are checked. Reports only what shows when options are known. Carries
nothing out.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from tilewright.base.node import Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Problem
from tilewright.language.compiled.ir import Apply, Choice, Const, Ir, Word
from tilewright.language.compiled.play import (
    Action,
    Ask,
    Block,
    Button,
    Choose,
    Declare,
    Draw,
    Final,
    Go,
    Goal,
    Interrupt,
    Loop,
    MakeMeld,
    Match,
    Move,
    Offer,
    Phase,
    Play,
    Refund,
    Remember,
    Restriction,
    Retire,
    Reveal,
    Roll,
    Settle,
    Shuffle,
    Step,
    Swap,
    Trigger,
    Use,
    Verb,
)
from tilewright.language.documents.fields import entries, flag, is_null, items, names, section, text, texts, titled
from tilewright.language.documents.whole import MergedRuleset
from tilewright.language.expressions import folding
from tilewright.language.expressions.lower import is_span, letters_at, lower_classes, lower_span
from tilewright.language.expressions.scope import CHOICES, Scope, choice_type

START = "deal"  # the phase that every hand begins with
HAND = Word("tiles", "zone", "hand")
SEAT = Word("seat", "word", "seat")
ONE = Const("number", 1)
MOST_NUMBERS = 1_000  # that a loop goes through
NOT_VERBS = ("id", "when", "unless", "for", "else")
Path = tuple[str, ...]


class Lowers(Protocol):
    """Lowers expressions and gathers problems: see `tilewright.language.sections.elaboration`."""

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


def build_play(lowers: Lowers) -> Play | None:
    """The play; None where no phase is called deal."""
    document = lowers.whole.document
    if not isinstance(section(document, "phases").get(START), Mapping):
        return None
    return Play(
        phases={spot.name: phase(spot) for spot in spots(lowers, "phases")},
        offers={spot.name: offer(spot) for spot in spots(lowers, "offers")},
        restrictions=tuple(restriction(spot) for spot in spots(lowers, "restrictions", lowers.whole.full)),
        actions={spot.name: action(spot) for spot in spots(lowers, "actions")},
        triggers=tuple(trigger(spot) for spot in spots(lowers, "triggers")),
        buttons=tuple(button(spot) for spot in spots(lowers, "buttons", lowers.whole.full)),
        match=match_of(Spot(lowers, section(document, "match"), ("match",), document)),
    )


# --- places


@dataclass(frozen=True, slots=True)
class Spot:
    """A mapping of a document, with its path. Lowers what stands in it with the words that its place knows; those come
    from `around`, the document that the path leads through."""

    lowers: Lowers
    node: Mapping
    path: Path
    around: Mapping

    @property
    def name(self) -> str:
        return self.path[-1]

    def below(self, *keys: str) -> "Spot":
        """The mapping behind keys; an empty one where there is none."""
        return replace(self, node=section(self.node, *keys), path=(*self.path, *keys))

    def has(self, key: str) -> bool:
        return not is_null(self.node.get(key))

    def scope(self, *keys: str) -> Scope:
        """The words known behind keys."""
        scope = self.lowers.scope
        return scope.knowing(letters_at(self.around, (*self.path, *keys), scope))

    def expression(self, key: str, wanted: str) -> Ir | None:
        return self.lowers.expression(self.node.get(key), wanted, self.scope(key)) if self.has(key) else None

    def needed(self, key: str, wanted: str) -> Ir:
        return self.lowers.needed(self.node.get(key), wanted, self.scope(key))

    def condition(self, key: str) -> Ir | None:
        return self.lowers.condition(self.node.get(key), self.scope(key)) if self.has(key) else None

    def when(self) -> Ir | None:
        """`when` and not `unless`; None where it always holds."""
        when, unless = self.condition("when"), self.condition("unless")
        parts = [when] if when is not None else []
        parts += [folding.apply("truth", "not", unless)] if unless is not None else []
        both = folding.apply("truth", "and", *parts)
        return None if both == folding.TRUE else both

    def tiles(self, key: str) -> Ir | None:
        """Tiles that lie somewhere: a zone or groups as they are, and not turned into their tiles."""
        found = self.expression(key, "tiles")
        return None if found is None else lying(found)

    def lying(self, key: str) -> Ir:
        return lying(self.needed(key, "tiles"))

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


def spots(lowers: Lowers, part: str, around: Mapping | None = None) -> Iterator[Spot]:
    """Every id of a section that is there."""
    document = lowers.whole.document
    for name, node in entries(document, part):
        yield Spot(lowers, node, (part, name), around or document)


def lying(ir: Ir) -> Ir:
    """Without the step from a group, or a zone of groups, to its tiles."""
    match ir:
        case Apply(op="tiles", args=(inner,)) if inner.type in ("group", "groups"):
            return inner
        case Choice():
            return replace(ir, then=lying(ir.then), other=lying(ir.other))
    return ir


# --- the parts


def phase(spot: Spot) -> Phase:
    offers = section(spot.lowers.whole.document, "offers").entries
    return Phase(
        spot.name,
        steps(spot, "do"),
        spot.expression("who", "seats"),
        tuple(name for name in names(spot.node.get("offers")) if name in offers),
        goal(spot, "then"),
        goal(spot, "otherwise"),
        flag(spot.node, "secret"),
        texts(spot.node.get("name")),
    )


def offer(spot: Spot) -> Offer:
    rank = spot.node.get("rank")
    return Offer(
        spot.name,
        titled(spot.node, spot.name),
        rank.value if isinstance(rank, Scalar) and isinstance(rank.value, int) else None,
        spot.expression("most", "number"),
        text(spot.node, "group"),
        choices(spot.below("choose")),
        spot.when(),
        steps(spot, "do"),
        goal(spot, "then"),
    )


def restriction(spot: Spot) -> Restriction:
    return Restriction(spot.name, names(spot.node.get("bars")), texts(spot.node.get("reason")), spot.when())


def action(spot: Spot) -> Action:
    takes = section(spot.node, "takes")
    given = tuple((name, text(takes, name)) for name in takes.entries)
    return Action(spot.name, given, steps(spot, "do"), texts(spot.node.get("name")))


def trigger(spot: Spot) -> Trigger:
    return Trigger(spot.name, names(spot.node.get("after")), steps(spot, "do"), spot.when())


def button(spot: Spot) -> Button:
    return Button(
        spot.name,
        titled(spot.node, spot.name),
        text(spot.node, "takes"),
        names(spot.node.get("declines")),
        text(spot.node, "sorts"),
        spot.when(),
        flag(spot.node, "on"),
    )


def match_of(spot: Spot) -> Match:
    return Match(
        spot.expression("score", "number"),
        tuple(tile for item in items(spot.node.get("rounds")) for tile in spot.lowers.tile(item)),
        spot.condition("dealer_stays"),
        spot.condition("ends"),
        tuple(spot.lowers.needed(item, "number") for item in items(spot.node.get("placement"))),
        {level: texts(node) for level, node in section(spot.node, "levels").items() if not is_null(node)},
        tuple(places(row) for row in items(spot.node.get("seating"))),
        spot.expression("next_dealer", "seats"),
        flag(spot.node, "equals_share"),
        spot.expression("exchange", "number"),
        flag(spot.node, "standings"),
    )


def places(row: Node) -> tuple[int, ...]:
    """The players of a round, counted from 0."""
    written = [item.value for item in items(row) if isinstance(item, Scalar)]
    return tuple(place - 1 for place in written if isinstance(place, int))


def goal(spot: Spot, key: str) -> Goal | None:
    """Where the play goes on: a phase, or `{phase: seat}`."""
    node = spot.node.get(key)
    if isinstance(node, Mapping):
        inner = spot.below(key)
        return next((Goal(name, inner.expression(name, "seats")) for name in node.entries if inner.has(name)), None)
    return Goal(text(spot.node, key)) if spot.has(key) else None


# --- choices


def choices(spot: Spot) -> tuple[Choose, ...]:
    """What is chosen, by name, in order."""
    return tuple(choose(spot.below(name)) for name, _ in entries(spot.node))


def choose(spot: Spot) -> Choose:
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
        text(spot.node, "group"),
        text(spot.node, "onto"),
        text(spot.node, "form"),
        spot.expression("seat", "seats"),
        texts(spot.node.get("flag")),
        spot.condition("when"),
    )


OUT_OF_A_ZONE = ("tiles", "group", "form")


def bounds(spot: Spot, kind: str) -> tuple[Ir | None, Ir | None]:
    """The least and the most that may be chosen; of tiles exactly so many, unless `least` is said."""
    if kind == "number":
        return spot.span("number")
    most = spot.expression("tiles", "number")
    return (most if most is None else spot.expression("least", "number") or most), most


# --- steps


def steps(spot: Spot, key: str) -> tuple[Step, ...]:
    """The steps of a list, without those that can never be done."""
    node = spot.node.get(key)
    listed = node.items if isinstance(node, Sequence) else ()
    inner = [
        step(replace(spot, node=item, path=(*spot.path, key, str(index))))
        for index, item in enumerate(listed)
        if isinstance(item, Mapping)
    ]
    return tuple(one for one in inner if one is not None)


def step(spot: Spot) -> Step | None:
    """One step; None where it is never done."""
    when, other = spot.when(), steps(spot, "else")
    if when == folding.FALSE and not other:
        return None
    verb = next((key for key in spot.node.entries if key not in NOT_VERBS), "")
    does = VERBS[verb](spot) if verb in VERBS else use(spot, verb)
    return Step("" if verb == "do" else verb, does, when, other, loops(spot), ".".join(spot.path))


def loops(spot: Spot) -> tuple[Loop, ...]:
    """What a step is done for."""
    node = spot.node.get("for")
    if isinstance(node, Mapping):
        inner = spot.below("for")
        return tuple(Loop(members(inner, name), name) for name in node.entries if inner.has(name))
    return (Loop(spot.needed("for", "seats")),) if spot.has("for") else ()


def members(spot: Spot, name: str) -> Ir | tuple[Ir, ...]:
    """What a letter goes through."""
    node = spot.node.get(name)
    if isinstance(node, Sequence):
        return tuple(spot.lowers.needed(item, "value", spot.scope(name)) for item in node.items)
    if isinstance(node, Scalar) and is_span(node):
        return numbers(spot, name, node)
    return spot.needed(name, "set")


def numbers(spot: Spot, name: str, node: Scalar) -> Const:
    """The whole numbers of a span, which is known before the game."""
    least, most = (end.value if isinstance(end, Const) else None for end in spot.span(name))
    if not isinstance(least, int) or not isinstance(most, int):
        spot.lowers.problems.append(open_loop(node))
    elif most - least >= MOST_NUMBERS:
        spot.lowers.problems.append(long_loop(node))
    else:
        return Const("numbers", tuple(range(least, most + 1)))
    return Const("numbers", ())


# --- verbs: each makes of its step what is done


def block(spot: Spot) -> Block:
    return Block(steps(spot, "do"))


def shuffle(spot: Spot) -> Shuffle:
    if not is_mapping(spot, "shuffle"):
        return Shuffle(zone_called(spot, text(spot.node, "shuffle")))
    inner = spot.below("shuffle")
    return Shuffle(inner.lying("into"), inner.tiles("tiles"))


def zone_called(spot: Spot, name: str) -> Word:
    declared = spot.lowers.scope.words.get(name)
    return Word(declared.type if declared else "tiles", "zone", name)


def draw(spot: Spot) -> Draw:
    if not is_mapping(spot, "draw"):
        return Draw(spot.needed("draw", "number"))
    inner = spot.below("draw")
    return Draw(inner.expression("count", "number") or ONE, inner.tiles("from"), end(inner))


def move(spot: Spot) -> Move:
    inner = spot.below("move")
    return Move(
        inner.lying("from"),
        inner.lying("to"),
        inner.tiles("tiles"),
        inner.expression("count", "number"),
        inner.classes("of"),
        end(inner),
    )


def end(spot: Spot) -> str:
    return text(spot.node, "end") or "front"


def swap(spot: Spot) -> Swap:
    scope = spot.scope("swap")
    one, other = (spot.lowers.needed(item, "tiles", scope) for item in items(spot.node.get("swap")))
    return Swap(one, other)


def meld(spot: Spot) -> MakeMeld:
    if not is_mapping(spot, "meld"):
        return MakeMeld(spot.needed("meld", "group"))
    inner = spot.below("meld")
    return MakeMeld(inner.needed("group", "group"), flag(inner.node, "concealed"), inner.expression("seen_by", "seats"))


def reveal(spot: Spot) -> Reveal:
    if not is_mapping(spot, "reveal"):
        return Reveal(spot.lying("reveal"))
    inner = spot.below("reveal")
    return Reveal(inner.lying("tiles"), inner.expression("to", "seats"))


def remember(spot: Spot) -> Remember:
    inner, words = spot.below("mark"), spot.lowers.scope.words
    known = {name: words[name].type for name in inner.node.entries if name in words}
    return Remember(tuple((name, inner.needed(name, known.get(name, "value"))) for name in inner.node.entries))


def roll(spot: Spot) -> Roll:
    inner = spot.below("roll")
    return Roll(
        tuple(
            (name, tuple(spot.lowers.needed(item, "value", inner.scope(name)) for item in items(dice)))
            for name, dice in inner.node.items()
            if not is_null(dice)
        )
    )


def ask(spot: Spot) -> Ask:
    inner = spot.below("ask")
    return Ask(
        texts(inner.node.get("name")),
        inner.needed("who", "seats"),
        choices(inner.below("choose")),
        flag(inner.node, "secret"),
    )


def interrupt(spot: Spot) -> Interrupt:
    if not is_mapping(spot, "interrupt"):
        return Interrupt(text(spot.node, "interrupt"))
    inner = spot.below("interrupt")
    return Interrupt(text(inner.node, "phase"), inner.expression("tile", "tiles"))


def declare(spot: Spot) -> Declare:
    if not is_mapping(spot, "declare"):
        return Declare(spot.needed("declare", "seats"))
    inner = spot.below("declare")
    return Declare(inner.expression("seat", "seats") or SEAT, inner.expression("tiles", "tiles"))


def retire(spot: Spot) -> Retire:
    return Retire(spot.needed("retire", "seats"))


def settle(spot: Spot) -> Settle:
    return Settle(text(spot.node, "settle"))


def refund(spot: Spot) -> Refund:
    return Refund(names(spot.node.get("refund")))


def final(spot: Spot) -> Final:
    return Final(names(spot.node.get("final")))


def go(spot: Spot) -> Go:
    return Go(goal(spot, "go") or Goal(""))


def use(spot: Spot, verb: str) -> Use:
    """An action of the ruleset."""
    inner, takes = spot.below(verb), section(spot.lowers.whole.document, "actions", verb, "takes")
    return Use(verb, tuple((name, inner.needed(name, text(takes, name) or "value")) for name in inner.node.entries))


VERBS: dict[str, Callable[[Spot], Verb]] = {
    "do": block,
    "shuffle": shuffle,
    "draw": draw,
    "move": move,
    "swap": swap,
    "meld": meld,
    "reveal": reveal,
    "mark": remember,
    "roll": roll,
    "ask": ask,
    "interrupt": interrupt,
    "declare": declare,
    "retire": retire,
    "settle": settle,
    "refund": refund,
    "final": final,
    "go": go,
}


def is_mapping(spot: Spot, key: str) -> bool:
    """Whether a verb is written with its details."""
    return isinstance(spot.node.get(key), Mapping)


# --- problems


def open_loop(node: Scalar) -> Problem:
    return Problem(
        "open-loop", "a loop goes from a number to a number, both known before the game", node.place, "write 1..4"
    )


def long_loop(node: Scalar) -> Problem:
    return Problem("long-loop", f"a loop goes through at most {MOST_NUMBERS:,} numbers", node.place)
