"""Patterns: when each counts, how it relates to others, its worth, with examples as pictures of their tiles."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import chain
from typing import Any

from tilewright.language.compiled.ir import Apply, Const, HasGroups, Ir, Lookup, nodes
from tilewright.language.compiled.ruleset import Example, Pattern
from tilewright.language.documents.fields import section
from tilewright.language.documents.mods import listed
from tilewright.rulebook.clauses import keeps_letters, sentence, split_templates, templates
from tilewright.rulebook.expressions import written
from tilewright.rulebook.writing import BookBlock, Codes, Teller
from tilewright.tiles.notation import NotationError, read_tiles, write_tile


def patterns(teller: Teller) -> Iterator[BookBlock]:
    if sentences := [text for _, text in families(teller)]:
        yield teller.heading("families")
        yield BookBlock("list", items=tuple(sentences))
    if letters := letters_text(teller):
        yield BookBlock("text", letters)
    for title, found in by_worth(teller):
        yield BookBlock("heading", title)
        for pattern in found:
            yield BookBlock(
                "entry",
                teller.say.named(pattern.id, pattern.name),
                id=f"pattern-{pattern.id}",
                worth=worth(teller, pattern),
                blocks=tuple(pattern_blocks(teller, pattern)),
            )


def by_worth(teller: Teller) -> list[tuple[str, list[Pattern]]]:
    """The patterns under their worth, cheap ones first in each measure; those without a plain one are last."""
    order = {one.id: place for place, one in enumerate(teller.data.scoring.measures)}
    found: dict[tuple[int, float], list[Pattern]] = {}
    for pattern in teller.data.patterns:
        place = (len(order), 0.0)
        fixed = [(name, ir.value) for name, ir in own(teller, pattern.worth).items() if isinstance(ir, Const)]
        match fixed:
            case [(measure, int() | Fraction() as number)]:
                place = (order.get(measure, len(order)), float(number))
        found.setdefault(place, []).append(pattern)
    last = teller.within("worth_other") if len(found) > 1 else teller.title("patterns")
    return [
        (last if place[0] == len(order) else fixed_amounts(teller, patterns[0].worth), patterns)
        for place, patterns in sorted(found.items(), key=lambda one: one[0])
    ]


def pattern_blocks(teller: Teller, pattern: Pattern) -> Iterator[BookBlock]:
    """The blocks of a pattern, with examples."""
    if about := teller.note("patterns", pattern.id):
        yield BookBlock("text", about)
    known = tautologies(teller, teller.say.named(pattern.id, pattern.name))
    if wording := teller.wording("patterns", pattern.id):
        yield BookBlock("text", wording)
    elif sentences := [sentence(one) for one in conditions(teller, pattern) if one not in known]:
        yield BookBlock("text", " ".join(sentences))
    if beside := list(notes(teller, pattern)):
        yield BookBlock("text", " ".join(beside))
    for example in pattern.examples:
        if (block := pictured(teller, example)) is not None:
            yield block


def tautologies(teller: Teller, name: str) -> tuple[str, str]:
    """Conditions that say no more than the name of a pattern: a mark, or a form, of the same name."""
    return name, teller.say.phrase("words.form.equal", name)


def conditions(teller: Teller, pattern: Pattern) -> Iterator[str]:
    """When it counts."""
    if pattern.each is not None:
        ways = [templates(teller.say, way) for way in each(teller, pattern)]
        yield teller.frame("each", groups=teller.say.joint("or").join(ways))
    if pattern.when is not None:
        yield teller.say.truth(pattern.when)
    if pattern.late is not None:
        yield teller.frame("late", when=teller.say.truth(pattern.late))
    if pattern.times is not None:
        yield times(teller, pattern.times)


def times(teller: Teller, count: Ir) -> str:
    """How often it counts."""
    match count:
        case Apply(op="size", args=(Lookup(kind="zone", of=None) as zone,)):
            return teller.frame("times_each", zone=teller.say.zone(zone.name))
    return teller.frame("times", count=teller.say.number(count))


def letters_text(teller: Teller) -> str:
    """What letters in patterns mean; empty if there are none."""
    told = [one for one in teller.data.patterns if not teller.wording("patterns", one.id)]
    asked = (split_templates(text) for one in told if one.when is not None for text in has_texts(one.when))
    counted = (way for one in told if one.each is not None for way in each(teller, one))
    shown = any(keeps_letters(teller.say, way) for way in chain(asked, counted))
    return teller.frame("letters") if shown else ""


def each(teller: Teller, pattern: Pattern) -> list[list[str]]:
    """The templates of the groups that it counts, by the ways to have them."""
    node = section(teller.whole.document, "patterns", pattern.id)
    if written := [item.text for item in listed(node, "each")]:
        return [written]
    return [[item.text for item in way.items] for way in getattr(section(node, "each").get("any"), "items", ())]


def notes(teller: Teller, pattern: Pattern) -> Iterator[str]:
    """How it relates to others."""
    names = {one.id: teller.say.named(one.id, one.name) for one in teller.data.patterns}
    for key in ("everyone", "limit", "extra", "alone", "provisional"):
        if getattr(pattern, key):
            yield teller.frame(key)
    if pattern.excludes:
        others = [names.get(one, one) for one in pattern.excludes]
        yield teller.frame("excludes", patterns=teller.say.listed(others, "and"))
    if pattern.family in {id for id, _ in families(teller)}:
        yield teller.frame("of_family", family=teller.family(pattern.family))


def families(teller: Teller) -> Iterator[tuple[str, str]]:
    """Families whose patterns do not simply add up, with a sentence on each, once for all its patterns."""
    for id, keep in teller.data.families.items():
        names = [teller.say.named(one.id, one.name) for one in teller.data.patterns if one.family == id]
        key = "sole" if id in teller.data.sole else f"family_{keep}" if keep != "all" and len(names) > 1 else ""
        if key and names:
            yield id, teller.frame(key, family=teller.family(id), patterns=teller.say.listed(names, "and"))


def worth(teller: Teller, pattern: Pattern) -> str:
    """Its worth, in each of its measures."""
    usual = amounts(teller, pattern.worth)
    if pattern.exposed is None:
        return usual
    if all(isinstance(ir, Const) and ir.value == 0 for ir in pattern.exposed.values()):
        return teller.within("concealed_worth", worth=usual)
    return teller.within("exposed_worth", worth=usual, exposed=amounts(teller, pattern.exposed))


def amounts(teller: Teller, worth: Mapping[str, Ir]) -> str:
    return teller.say.listed([amount(teller, name, ir) for name, ir in own(teller, worth).items()], "and")


def fixed_amounts(teller: Teller, worth: Mapping[str, Ir]) -> str:
    """Those that are the same for every hand."""
    return amounts(teller, {name: ir for name, ir in worth.items() if isinstance(ir, Const)})


def own(teller: Teller, worth: Mapping[str, Ir]) -> dict[str, Ir]:
    """A worth without what its measures bring, and without what is only used for computing if there is more to it."""
    measures = [one for one in teller.data.scoring.measures if one.id in worth]
    shown = {one.id for one in measures if not one.inner} or worth.keys()
    brought = {(name, number.value) for one in measures for name, number in one.brings.items()}
    return {
        name: ir
        for name, ir in worth.items()
        if name in shown and not (isinstance(ir, Const) and (name, ir.value) in brought)
    }


def amount(teller: Teller, measure: str, ir: Ir) -> str:
    number = teller.say.number(ir)
    if isinstance(ir, Const) and isinstance(ir.value, int | Fraction):
        return teller.within("worth", number=number, measure=teller.say.unit(measure, ir.value))
    return teller.within("worth_formula", number=number, measure=teller.say.measure(measure))


def has_texts(ir: Ir) -> Iterator[str]:
    """The templates in a condition, as `has` has them."""
    yield from (written(node) for node in nodes(ir) if isinstance(node, HasGroups))


# --- examples


def pictured(teller: Teller, example: Example) -> BookBlock | None:
    """An example as tiles; None if its tiles cannot be read."""
    case = example.case
    try:
        given = as_list(case.get("melds"))
        melds = [meld.get("tiles", "") if isinstance(meld, Mapping) else meld for meld in given]
        return BookBlock(
            "example",
            text=teller.within("comma").join(circumstances(teller, case)),
            groups=tuple(split(teller, case.get("hand", ""))),
            win="".join(codes(teller, case.get("win", case.get("win_tile", "")) or "")[:1]),
            melds=tuple(codes(teller, meld) for meld in melds),
            bonus=codes(teller, case.get("bonus", "")),
            yes=example.yes,
        )
    except NotationError:
        return None


def split(teller: Teller, hand: object) -> Iterator[Codes]:
    """The tiles of a hand, grouped as written."""
    parts = str(hand).split() if isinstance(hand, str) else [str(one) for one in as_list(hand)]
    try:
        found = [codes(teller, part) for part in parts]
    except NotationError:
        found = [codes(teller, hand)]
    together = len(found) > 1 and all(len(codes) == 1 for codes in found)
    yield from [tuple(code for codes in found for code in codes)] if together else found


def codes(teller: Teller, tiles: object) -> Codes:
    return tuple(write_tile(tile, teller.data.tiles) for tile in read_tiles(tiles or "", teller.data.tiles))


def circumstances(teller: Teller, case: Mapping[str, object]) -> Iterator[str]:
    """The kind of win, if the example gives it."""
    if case.get("self_draw"):
        yield teller.within("by_own_draw")
    for key in ("seat_wind", "round_wind"):
        if case.get(key):
            yield teller.within(key, tile=wind_name(teller, str(case[key])))
    yield from (teller.say.mark(str(flag)) for flag in as_list(case.get("flags")))
    marks = case.get("marks")
    if isinstance(marks, Mapping):
        yield from (f"{teller.say.mark(str(name))}{teller.colon}{value}" for name, value in marks.items())
    zones = case.get("zones")
    if isinstance(zones, Mapping):
        yield from (f"{teller.say.zone(str(name))}{teller.colon}{value}" for name, value in zones.items())


def wind_name(teller: Teller, code: str) -> str:
    tile = teller.data.tiles.by_code(code)
    return code if tile is None else teller.say.tile_name(tile.index)


def as_list(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [] if value is None else [value]
