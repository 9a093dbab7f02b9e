"""Forms: the section in, the possible shapes of a hand out; checks that need the tiles are done here as well."""

from collections import Counter
from collections.abc import Iterator
from collections.abc import Sequence as Several
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from tilewright.base.memory import TheSame
from tilewright.base.node import Mapping, Node, Scalar
from tilewright.base.problem import Problem
from tilewright.hands.crossed import MOST_ROWS, TooManyRows, crossed
from tilewright.hands.listed import MixedWildTiles, Rows
from tilewright.hands.reading import Groups, Listing, Shape, Slot
from tilewright.language.compiled.ir import Want, WantedCase
from tilewright.language.compiled.ruleset import CardData, Form
from tilewright.language.documents.fields import entries, flag, is_null, items, names, section, text, titled
from tilewright.language.expressions.conditions import matches_of
from tilewright.language.expressions.lower import lower_templates
from tilewright.language.expressions.scope import Scope
from tilewright.language.sections.elaboration import Elaboration

if TYPE_CHECKING:
    from tilewright.cards.expand import Processed


def forms(elaboration: Elaboration) -> Iterator[Form]:
    several = section(elaboration.whole.document, "seats").get("hands")
    for name, node in entries(elaboration.whole.document, "forms"):
        scope = elaboration.scope.within("table", f"form {name}")
        made = elaboration.once("shape", node, partial(shape, elaboration, name, node, scope), name)
        if made.cases or made.listed or not (node.get("groups") or node.get("of")):  # without cases, no tiles make it
            if several is not None and node.get("card") is None:
                elaboration.problems.extend(not_listed(name, several))
                several = None  # once
            played, listing = card_of(elaboration, node)
            yield Form(
                name,
                titled(node, name),
                made if listing is None else replace(made, listed=listing),
                None if (matches := node.get("matches")) is None else matches_of(matches),
                played,
                elaboration.condition(node.get("when"), scope),
            )


def shape(elaboration: Elaboration, name: str, node: Mapping, scope: Scope) -> Shape:
    lists = tuple(slots_of(elaboration, name, one, scope) for one in lists_of(node.get("groups") or node.get("of")))
    pick = node.get("pick")
    made = Shape(
        name,
        tuple(case for cases in lists for case in cases),
        pick.value if isinstance(pick, Scalar) and isinstance(pick.value, int) else None,
        flag(node, "concealed"),
        names(node.get("melds")),
    )
    if not made.cases or is_null(node.get("also")):
        return made
    return replace(made, cases=(), listed=listed(elaboration, name, node, lists, scope))


Cases = tuple[tuple[Slot, ...], ...]


def lists_of(node: Node | None) -> Several[Node]:
    """A list of templates, or each of several."""
    if node is None or is_null(node):
        return ()
    return items(node.get("any")) if isinstance(node, Mapping) else (node,)


def slots_of(elaboration: Elaboration, name: str, templates: Node, scope: Scope) -> Cases:
    """The cases of a list of templates."""
    cases, problems = lower_templates(templates, scope, in_form=True)
    elaboration.problems.extend(problems or unfit_for_forms(name, templates, cases))
    return tuple(tuple(map(slot, case.wants)) for case in cases)


def listed(elaboration: Elaboration, name: str, node: Mapping, kinds: tuple[Cases, ...], scope: Scope) -> Listing:
    """The hands of a form whose groups are described twice."""
    sides = tuple(case for one in lists_of(node.get("also")) for case in slots_of(elaboration, name, one, scope))
    others = [case for one in lists_of(node.get("rest")) for case in slots_of(elaboration, name, one, scope)]
    rest_slots = tuple(slot for case in others for slot in case)
    if any(
        not slot.groups | slot.meld_groups
        for case in (*sides, rest_slots, *chain.from_iterable(kinds))
        for slot in case
    ):
        elaboration.problems.append(without_groups(node))
        return Listing((), ())
    try:
        groups = tuple(group.tiles for group in elaboration.groups.groups)
        listing = crossed(kinds, sides, rest_slots, groups, len(elaboration.tiles.tiles))
        Rows.supported(elaboration.tiles, elaboration.groups, listing)
    except TooManyRows:
        elaboration.problems.append(too_many_hands(node))
    except MixedWildTiles as error:
        elaboration.problems.append(Problem("wild-tiles-of-cards", str(error), node.key("also").place))
    else:
        return listing
    return Listing((), ())


def card_of(elaboration: Elaboration, node: Mapping) -> tuple[CardData | None, Listing | None]:
    """The card of a form, and its hands."""
    played = elaboration.whole.cards.get(text(node, "card"))
    if played is None:
        return None, None
    return elaboration.once("card", node, partial(bound_card, elaboration, node, played.card), TheSame((played.card,)))


def bound_card(elaboration: Elaboration, node: Mapping, card: "Processed") -> tuple[CardData, Listing]:
    from tilewright.language.sections.cards import bind  # imported here: most rulesets have no card

    bound = bind(node, card, elaboration.tiles, elaboration.groups)
    elaboration.problems.extend(bound.problems)
    return bound.card, bound.listing


def slot(want: Want) -> Slot:
    return Slot(want.count, want.groups, want.meld_groups, want.tiles, want.each, want.different, want.exposed)


# --- checks that need the tiles


def unfit_for_forms(form: str, templates: Node, cases: Several[WantedCase]) -> Iterator[Problem]:
    """Check that templates of a form do not depend on the table, and that some hand has them."""
    if not cases:
        yield Problem(
            "impossible-form",
            f"no tiles make the groups of form {form}",
            templates.place,
            "remove the form, or fix its groups",
            "warning",
        )
    texts_of = {item.text: item for item in items(templates) if isinstance(item, Scalar)}
    for want in dict.fromkeys(want for case in cases for want in case.wants):
        if want.of is not None or want.unless is not None or want.completed or want.natural:
            yield Problem(
                "looks-up",
                "a form is about the groups of a hand, not about how they were made",
                texts_of[want.text].place,
                "put what else must hold in `when`",
            )


def without_groups(form: Mapping) -> Problem:
    return Problem(
        "looks-up",
        "groups that are described twice are groups, not single tiles",
        form.key("also").place,
        "name a kind of group in each template",
    )


def too_many_hands(form: Mapping) -> Problem:
    return Problem(
        "too-many-cases",
        f"groups that are described twice make more than {MOST_ROWS} hands",
        form.key("also").place,
        "give them classes or places",
    )


def unequal_forms(document: Mapping, forms: Several[Form], groups: Groups) -> Iterator[Problem]:
    """Forms of groups that use up a different number of tiles than most."""
    used = {form.id: set(sizes_of(form.shape, groups)) for form in forms}
    usual = Counter(size for sizes in used.values() for size in sizes).most_common(1)
    for name, sizes in used.items():
        if sizes - {usual[0][0] if usual else 0}:
            node = section(document, "forms", name)
            given = " or ".join(str(size) for size in sorted(sizes))
            yield Problem(
                "wrong-size",
                f"form {name} uses up {given} tiles, and a hand has {usual[0][0]}",
                (node.get("groups") or node).place,
            )


def sizes_of(shape: Shape, groups: Groups) -> Iterator[int]:
    """How many tiles each case of a form uses up."""
    if shape.pick is not None:
        yield shape.pick
        return
    for case in shape.cases:
        totals = {0}
        for slot in case:
            totals = {total + size for total in totals for size in slot_sizes(slot, groups)}
        yield from totals


def slot_sizes(slot: Slot, groups: Groups) -> set[int]:
    if slot.each:
        return {len(slot.tiles)}
    if slot.tiles:
        return {slot.count}
    return {slot.count * len(groups.groups[index].tiles) for index in slot.groups} or {
        slot.count * groups.sizes[kind]
        for index in slot.meld_groups
        for kind in groups.groups[index].meld_kinds
        if kind in groups.sizes
    }


def not_listed(form: str, hands: Node) -> Iterator[Problem]:
    """A form that is no list of hands, where seats make several."""
    if isinstance(hands, Scalar) and hands.value != 1:
        yield Problem(
            "hands-not-listed",
            f"each seat makes {hands.value} hands, and the form {form} is not one of a card",
            hands.place,
            "give every form a `card`, or let a seat make one hand",
        )
