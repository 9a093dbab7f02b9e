"""Lint of what takes the tiles themselves: patterns that no hand can satisfy, a wall too small for the deal.

Looks at the compiled ruleset; says only what is certain, and nothing where tiles may stand for others.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tilewright.base.node import Mapping, Node, Scalar
from tilewright.base.problem import Problem
from tilewright.language.ir import Apply, Case, Const, Has, Ir, Test, Want
from tilewright.language.lint_play import START, then_of
from tilewright.language.ruleset import Pattern, RulesetData
from tilewright.language.scope import section
from tilewright.language.view import View, steps_below, text

if TYPE_CHECKING:
    from tilewright.language.load import Whole

Tiles = frozenset[int]
EVERY_SEAT = ("seats", "everyone")


def lint_hands(view: View, data: RulesetData) -> Iterator[Problem]:
    """Patterns of the checked documents that no hand satisfies, and a wall that does not last for the deal."""
    yield from small_wall(view, data)
    if not data.tiles.wild and not takes_tiles_away(view.whole):
        for pattern in data.patterns:
            if pattern.place is not None and view.is_own(pattern.place) and (why := impossible(pattern, data)):
                yield impossible_pattern(pattern, why)


def takes_tiles_away(whole: "Whole") -> bool:
    """Whether these options leave out tiles: then what cannot be made now may be made with others."""
    return any(
        section(whole.full, "tiles", part).entries.keys() != section(whole.document, "tiles", part).entries.keys()
        for part in ("suits", "unranked", "special")
    )


# --- patterns


def impossible(pattern: Pattern, data: RulesetData) -> str | None:
    """Why no hand can satisfy a pattern; None if some may."""
    if pattern.each is not None and all(not fitting(cases, everything(data), data) for cases in pattern.each):
        return "no tiles make the groups of `each`"
    return refused(pattern.when, data) if pattern.when is not None else None


def refused(condition: Ir, data: RulesetData) -> str | None:
    """Why no hand can meet a condition."""
    if isinstance(condition, Apply) and condition.op == "or":
        reasons = [refused(part, data) for part in condition.args]
        return reasons[0] if all(reasons) else None
    tests = condition.args if isinstance(condition, Apply) and condition.op == "and" else (condition,)
    allowed = tiles_allowed(tests, data)
    if not allowed:
        return "no tile passes `only` and `without`"
    return next((why for test in tests if (why := refused_among(test, allowed, data))), None)


def refused_among(test: Ir, allowed: Tiles, data: RulesetData) -> str | None:
    """Why a test fails for every hand of these tiles."""
    match test:
        case Has(cases=cases) if not fitting(cases, allowed, data):
            return "no tiles that may be in the hand make the groups of `has`"
        case Test(op="include", classes=classes) if any(
            (known := tiles_of(one)) is not None and not known & allowed for one in classes
        ):
            return "`include` wants tiles that may not be in the hand"
        case Test(op="every", classes=classes) if (known := together(classes)) is not None and not known & allowed:
            return "`every` wants tiles that may not be in the hand"
        case Apply(op="or"):
            return refused(test, data)
    return None


def tiles_allowed(tests: tuple[Ir, ...], data: RulesetData) -> Tiles:
    """The tiles that pass `only` and `without`."""
    allowed = everything(data)
    for test in tests:
        if isinstance(test, Test) and (known := together(test.classes)) is not None:
            if test.op == "only":
                allowed &= known
            elif test.op == "without":
                allowed -= known
    return allowed


def everything(data: RulesetData) -> Tiles:
    return frozenset(tile.plain for tile in data.tiles.tiles if tile.copies)


def together(classes: tuple[Ir, ...]) -> Tiles | None:
    """All tiles of the classes; None if the table decides."""
    known = [tiles_of(one) for one in classes]
    return frozenset().union(*(one for one in known if one is not None)) if None not in known else None


def tiles_of(ir: Ir) -> Tiles | None:
    if isinstance(ir, Const) and isinstance(ir.value, tuple):
        return frozenset(index for index in ir.value if isinstance(index, int))
    return None


def fitting(cases: tuple[Case, ...], allowed: Tiles, data: RulesetData) -> bool:
    """Whether some choice of letters can be made of these tiles."""
    return any(all(can_be_made(want, allowed, data) for want in case.wants) for case in cases)


def can_be_made(want: Want, allowed: Tiles, data: RulesetData) -> bool:
    if want.tiles:
        return bool(want.tiles & allowed)
    return any(allowed.issuperset(data.groups.groups[index].tiles) for index in want.groups | want.meld_groups)


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
    return Problem("impossible-pattern", f"no hand can have the pattern {pattern.id}: {why}", pattern.place)
