"""Forms: the section in, the possible shapes of a hand out, those of a card's hands in the ruleset's own tiles.

`letters` of a form map the letters of a card's lines: `m: bamboos` for the numbers of a suit, `F: flower_tiles`, `G:
F`. Checks that need the tiles are done here as well.
"""

from collections import Counter
from collections.abc import Iterator
from collections.abc import Mapping as Map
from collections.abc import Sequence as Several
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from tilewright.base.memory import TheSame
from tilewright.base.node import Mapping, Node, Scalar
from tilewright.base.problem import Problem
from tilewright.cards.expand import Processed, in_print_order
from tilewright.cards.model import DRAGON, DRAGON_OF, NUMBERS, SUITS, ConcreteHand
from tilewright.cards.text import category
from tilewright.hands.crossed import MOST_ROWS, TooManyRows, crossed
from tilewright.hands.listed import MixedWildTiles, Rows
from tilewright.hands.reading import Groups, Listing, Sets, Shape, Slot
from tilewright.language.compiled.ir import Want, WantedCase
from tilewright.language.compiled.ruleset import CardData, CardLine, Form
from tilewright.language.documents.fields import entries, flag, is_null, items, names, section, text, titled
from tilewright.language.expressions.conditions import matches_of
from tilewright.language.expressions.lower import lower_templates
from tilewright.language.expressions.scope import Scope
from tilewright.language.sections.elaboration import Elaboration
from tilewright.tiles.tileset import Spelling, TileSet

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


# --- cards


@dataclass(frozen=True, slots=True)
class BoundCard:
    """A card in a form, with the problems of the form."""

    card: CardData
    listing: Listing
    problems: tuple[Problem, ...]


def bind(form: Mapping, played: Processed, tiles: TileSet, groups: Groups) -> BoundCard:
    """The hands of a card as sets of tiles. Its lines are valid: a card with a wrong one is not played."""
    data = CardData(played.card.id, played.card.name, tuple(lines_of(played)))
    if form.get("letters") is None:
        return BoundCard(data, Listing((), ()), (no_letters(form),))
    letters, problems = letters_of(form, tiles)
    data = replace(data, spelling=spelling_of(letters, tiles))
    hands = [(entry, hand) for entry, one in enumerate(played.lines) for hand in one.hands]
    lacking = {tile for _, hand in hands for tile, _ in hand if tile not in letters}
    if lacking and not problems:
        problems.append(letter_missing(form, {tile[0] for tile in lacking}))
    closed = frozenset(entry for entry, line in enumerate(data.lines) if not line.exposed)
    listing = Listing(tuple(sets_of(hand, letters) for _, hand in hands), tuple(entry for entry, _ in hands), closed)
    try:
        Rows.supported(tiles, groups, listing)
    except MixedWildTiles as error:
        problems.append(Problem("wild-tiles-of-cards", str(error), form.key("card").place))
    return BoundCard(data, listing, tuple(problems))


def lines_of(played: Processed) -> Iterator[CardLine]:
    """The lines of a card for a form."""
    for group in played.groups:
        title = group.group.title
        for one in group.lines:
            if one.line is not None:
                yield CardLine(one.entry.text, title, category(title), one.line.value, one.line.exposed)


def sets_of(hand: ConcreteHand, letters: Map[str, int]) -> Sets:
    """The sets of a hand as tiles of the ruleset."""
    return tuple((letters.get(tile, 0), count) for tile, count in in_print_order(hand))


def letters_of(form: Mapping, tiles: TileSet) -> tuple[dict[str, int], list[Problem]]:
    """Every tile of a card's hands ("m2", "F") with its plain tile."""
    found: dict[str, int] = {}
    problems = []
    for letter, node in section(form, "letters").items():
        if not isinstance(node, Scalar) or is_null(node):
            continue
        if letter in SUITS:
            ranked = [tiles.tiles[index] for index in tiles.families.get(node.text, ())]
            numbers = {str(tile.rank): tile.plain for tile in ranked if tile.rank is not None}
            found |= {letter + number: numbers[number] for number in NUMBERS if number in numbers}
            if not numbers:
                problems.append(not_a_suit(letter, node))
        elif (tile := one_tile(node.text, tiles)) is not None:
            found[letter] = tile
        else:
            problems.append(not_one_tile(letter, node))
    return found, problems


def spelling_of(letters: Map[str, int], tiles: TileSet) -> Spelling | None:
    """Tiles in the letters of a card: `m2`, `G`, `F`; `mD` as on the card for the dragon of a suit. A tile without a
    letter keeps its code."""
    text_of = {tile: letter for letter, tile in letters.items()}
    texts = tuple(text_of.get(tile.plain, tile.code) if not tile.marks else tile.code for tile in tiles.tiles)
    dragons = {suit + DRAGON: letters[own] for suit, own in DRAGON_OF.items() if own in letters}
    strange = {tile.code for tile in tiles.tiles if texts[tile.index] not in letters}
    if strange & {*letters, *dragons, *SUITS}:
        return None
    return Spelling(texts, {**dragons, **letters}, frozenset(SUITS))


def one_tile(name: str, tiles: TileSet) -> int | None:
    """The plain tile that a code names, or a family or class of identical tiles."""
    if (tile := tiles.by_code(name)) is not None:
        return tile.plain
    members = tiles.families.get(name) or tuple(tiles.classes[name].tiles if name in tiles.classes else ())
    plain = {tiles.tiles[index].plain for index in members}
    return plain.pop() if len(plain) == 1 else None


# --- problems


def no_letters(form: Mapping) -> Problem:
    return Problem(
        "card-without-letters",
        "the form has no `letters` for the lines of a card, so no hand can be read",
        form.key("card").place,
        "letters: {m: a suit, c: a suit, d: a suit, G: a tile, ...}",
        "warning",
    )


def letter_missing(form: Mapping, letters: set[str]) -> Problem:
    names = ", ".join(sorted(letters))
    return Problem("unknown-letter", f"the card has {names}, which is not among `letters`", form.key("letters").place)


def not_a_suit(letter: str, node: Scalar) -> Problem:
    return Problem("wrong-letter", f"{letter} comes before numbers, so it is a suit, not {node.text!r}", node.place)


def not_one_tile(letter: str, node: Scalar) -> Problem:
    return Problem("wrong-letter", f"{letter} is one kind of tile; {node.text!r} are several", node.place)
