"""The table: seats, zones, marks and terms of a ruleset, and when tiles are wild."""

from collections.abc import Iterator

from tilewright.base.node import Mapping, Scalar
from tilewright.base.problem import Problem
from tilewright.language.compiled.ir import Const, Ir
from tilewright.language.compiled.ruleset import Mark, SeatRules, Text, Zone, ZoneFill
from tilewright.language.documents.fields import entries, flag, is_null, items, names, section, text, texts, titled
from tilewright.language.expressions.lower import term_bodies
from tilewright.language.sections.elaboration import Elaboration


def seats(elaboration: Elaboration) -> SeatRules:
    node = section(elaboration.whole.document, "seats")
    players = elaboration.expression(node.get("count"), "number")
    tiles = [index for ir in (elaboration.tile(item) for item in items(node.get("winds"))) for index in ir]
    number = players.value if isinstance(players, Const) and isinstance(players.value, int) else 0
    if not 1 <= number <= MOST_SEATS and node.get("count") is not None:
        elaboration.problems.append(Problem("out-of-bounds", f"from 1 to {MOST_SEATS} play", node.key("count").place))
    return SeatRules(
        number,
        tuple(tiles),
        names(node.get("names")),
        text(node, "order") or "counterclockwise",
        elaboration.expression(node.get("reversed"), "truth"),
        count(node, "hands") or 1,
    )


MOST_SEATS = 12


def zones(elaboration: Elaboration) -> Iterator[tuple[str, Zone]]:
    for name, node in entries(elaboration.whole.document, "zones"):
        yield (
            name,
            Zone(
                name,
                text(node, "of"),
                text(node, "seen_by"),
                flag(node, "claimable"),
                takes(elaboration, node),
                elaboration.expression(node.get("keep"), "number"),
                text(node, "when_empty"),
                elaboration.expression(node.get("stacks"), "number"),
                titled(node, name),
                elaboration.expression(node.get("sideways"), "truth"),
                text(node, "side") or "right",
                flag(node, "slanted"),
                count(node, "stacked"),
                elaboration.expression(node.get("most"), "number"),
            ),
        )


def count(node: Mapping, key: str) -> int:
    found = node.get(key)
    return found.value if isinstance(found, Scalar) and isinstance(found.value, int) else 0


def takes(elaboration: Elaboration, node: Mapping) -> ZoneFill | None:
    """The tiles that a zone takes."""
    takes = node.get("takes")
    if not isinstance(takes, Mapping):
        return None
    return ZoneFill(
        elaboration.needed(takes.get("count"), "number"), text(takes, "from"), text(takes, "end") or "front"
    )


def marks(elaboration: Elaboration) -> Iterator[tuple[str, Mark]]:
    for name, node in entries(elaboration.whole.document, "marks"):
        type = text(node, "is") or "truth"
        yield (
            name,
            Mark(
                name,
                text(node, "of"),
                type,
                titled(node, name),
                elaboration.expression(node.get("start"), type),
                names(section(node, "until").get("own")),
                names(section(node, "until").get("any")),
                flag(node, "secret"),
                flag(node, "stick"),
                texts(node.get("about")),
            ),
        )


def terms(elaboration: Elaboration) -> dict[str, Ir]:
    bodies = term_bodies(elaboration.scope)
    for body in bodies.values():
        elaboration.problems.extend(body.problems)
    return {name: bodies[name].ir for name in section(elaboration.whole.document, "terms").entries if name in bodies}


def needs(elaboration: Elaboration) -> Iterator[tuple[str, Ir]]:
    """What must hold for a case to have a mark or term as a flag, where anything must."""
    for part in ("marks", "terms"):
        for name, node in entries(elaboration.whole.document, part):
            condition = elaboration.condition(node.get("needs")) if isinstance(node, Mapping) else None
            if condition is not None:
                yield name, condition


def term_names(elaboration: Elaboration) -> dict[str, Text]:
    return {
        name: titled(node, name) if isinstance(node, Mapping) else {"en": name}
        for name, node in section(elaboration.whole.document, "terms").items()
        if not is_null(node)
    }


def wild_when(elaboration: Elaboration) -> Iterator[tuple[str, Ir]]:
    """The conditions of wild tiles, if given."""
    scope = elaboration.scope.within("table", "wild tiles")
    for name, node in entries(elaboration.whole.document, "tiles", "wild"):
        when = elaboration.condition(node.get("when"), scope)
        if when is not None:
            yield name, when
