"""Lint of what takes the tiles themselves: patterns that no hand can satisfy, a wall too small for the deal.

Looks at the compiled ruleset; says only what is certain, and nothing where tiles may stand for others or where options
decide.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tilewright.base.node import Mapping, Node, Scalar
from tilewright.base.problem import Problem
from tilewright.language.impossible import why_impossible
from tilewright.language.ir import Apply, Has
from tilewright.language.lint_play import START, then_of
from tilewright.language.ruleset import Form, Pattern, RulesetData
from tilewright.language.scope import section
from tilewright.language.view import View, names_below, steps_below, text

if TYPE_CHECKING:
    from tilewright.language.load import Whole

TILES = (("tiles", "suits"), ("tiles", "unranked"), ("tiles", "special"), ("groups",))
FORMS = (("forms",),)
EVERY_SEAT = ("seats", "everyone")


def lint_hands(view: View, data: RulesetData) -> Iterator[Problem]:
    """Patterns of the checked documents that no hand satisfies, and a wall that does not last for the deal."""
    yield from small_wall(view, data)
    if data.tiles.wild or leaves_out(view.whole, TILES):
        return
    forms = () if leaves_out(view.whole, FORMS) or asks_options(view, "forms") else data.forms
    for pattern in data.patterns:
        own = pattern.place is not None and view.is_own(pattern.place)
        if not own or asks_options(view, "patterns", pattern.id):
            continue
        if why := impossible(pattern, data, () if pattern.everyone else forms):
            yield impossible_pattern(pattern, why)


def leaves_out(whole: "Whole", parts: Iterable[tuple[str, ...]]) -> bool:
    """Whether these options leave out something: then what cannot be made now may be made with others."""
    return any(
        section(whole.full, *part).entries.keys() != section(whole.document, *part).entries.keys() for part in parts
    )


def asks_options(view: View, *path: str) -> bool:
    """Whether what is said there depends on options, also through terms."""
    options = view.keys("options").keys()
    node = section(view.full, *path)
    return bool(options and options & view.closure(names_below(node)))


def impossible(pattern: Pattern, data: RulesetData, forms: Sequence[Form]) -> str | None:
    """Why no hand can satisfy a pattern; None if some may."""
    tests = [] if pattern.when is None else [pattern.when]
    if pattern.each is not None:
        each = Has(tuple(case for cases in pattern.each for case in cases))
        if why_impossible(each, data, forms):
            return "no tiles make the groups of `each`"
        tests.append(each)
    return why_impossible(Apply("truth", "and", tuple(tests)), data, forms) if tests else None


# --- the wall


def small_wall(view: View, data: RulesetData) -> Iterator[Problem]:
    """What is dealt before anybody is asked is there."""
    there = sum(tile.copies for tile in data.tiles.tiles)
    wanted = dealt(view.full, data.seats.count) + set_aside(view.full, data.seats.count)
    if wanted > there and "tiles" in view.full.entries:
        yield Problem(
            "wall-too-small",
            f"{wanted} tiles are dealt and set aside, and there are {there}",
            view.full.key("tiles").place,
        )


def dealt(full: Mapping, seats: int) -> int:
    """Tiles that the phases before the first question take, as far as numbers are written out."""
    total, name, seen = 0, START, set()
    while (phase := section(full, "phases", name)).entries and name not in seen and "who" not in phase.entries:
        seen.add(name)
        for step, _ in steps_below(phase, ()):
            times = seats if text(step, "for") in EVERY_SEAT else 1
            total += times * (number(section(step, "move").get("count")) + number(step.get("draw")))
        name = then_of(phase)
    return total


def set_aside(full: Mapping, seats: int) -> int:
    """Tiles that zones take when the wall is shuffled."""
    return sum(
        (seats if text(zone, "of") == "seat" else 1) * number(section(zone, "takes").get("count"))
        for _, zone in section(full, "zones").items()
    )


def number(node: Node | None) -> int:
    return node.value if isinstance(node, Scalar) and isinstance(node.value, int) and node.value > 0 else 0


# --- problems


def impossible_pattern(pattern: Pattern, why: str) -> Problem:
    return Problem(
        "impossible-pattern",
        f"no hand can have the pattern {pattern.id}: {why}",
        pattern.place,
        "mend or leave out one of its tests",
    )
