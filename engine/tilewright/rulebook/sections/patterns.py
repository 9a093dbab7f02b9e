"""Patterns: when each counts, how it relates to others, its worth, with examples."""

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from tilewright.language.compiled.ir import Const, HasGroups, Ir
from tilewright.language.compiled.ruleset import Pattern
from tilewright.language.documents.fields import section
from tilewright.language.documents.mods import listed
from tilewright.rulebook.sections.examples import pictured
from tilewright.rulebook.sentences.expressions import sentence
from tilewright.rulebook.sentences.groups import template
from tilewright.rulebook.writing.blocks import BookBlock
from tilewright.rulebook.writing.teller import Teller
from tilewright.scoring.plain.walker import nodes

LETTER = re.compile(r"\b[a-z]\b")


def patterns(teller: Teller) -> Iterator[BookBlock]:
    if sentences := [text for _, text in families(teller)]:
        yield teller.heading("families")
        yield BookBlock("list", items=tuple(sentences))
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
        if len(pattern.worth) == 1:
            [(measure, ir)] = pattern.worth.items()
            if isinstance(ir, Const) and isinstance(ir.value, int | Fraction):
                place = (order.get(measure, len(order)), float(ir.value))
        found.setdefault(place, []).append(pattern)
    last = teller.within("worth_other") if len(found) > 1 else teller.title("patterns")
    return [
        (last if place[0] == len(order) else amounts(teller, patterns[0].worth), patterns)
        for place, patterns in sorted(found.items(), key=lambda one: one[0])
    ]


def pattern_blocks(teller: Teller, pattern: Pattern) -> Iterator[BookBlock]:
    """The blocks of a pattern, with examples."""
    if about := teller.note("patterns", pattern.id):
        yield BookBlock("text", about)
    title = teller.say.named(pattern.id, pattern.name)
    if wording := teller.wording("patterns", pattern.id):
        yield BookBlock("text", wording)
    elif sentences := [sentence(one) for one in conditions(teller, pattern) if one != title]:
        yield BookBlock("text", " ".join(sentences))
    if beside := list(notes(teller, pattern)):
        yield BookBlock("text", " ".join(beside))
    for example in pattern.examples:
        if (block := pictured(teller, example)) is not None:
            yield block


def conditions(teller: Teller, pattern: Pattern) -> Iterator[str]:
    """When it counts."""
    node = section(teller.whole.document, "patterns", pattern.id)
    written = [item.text for item in listed(node, "each")]
    if pattern.each is not None:
        if not written:
            lists = section(node, "each").get("any")
            parts = getattr(lists, "items", ()) if lists is not None else ()
            groups = [teller.say.listed([template(teller.say, t.text) for t in part.items], "and") for part in parts]
            yield teller.frame("each", groups=teller.say.listed(groups))
        else:
            yield teller.frame("each", groups=teller.say.listed([template(teller.say, one) for one in written], "and"))
    if pattern.when is not None:
        yield teller.say.truth(pattern.when)
    if pattern.times is not None:
        yield teller.frame("times", count=teller.say.number(pattern.times))
    if has_letters(written) or (pattern.when is not None and has_letters(has_texts(pattern.when))):
        yield teller.frame("letters")


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
    return teller.say.listed([amount(teller, name, ir) for name, ir in worth.items()], "and")


def amount(teller: Teller, measure: str, ir: Ir) -> str:
    number = teller.say.number(ir)
    if isinstance(ir, Const) and isinstance(ir.value, int | Fraction):
        return teller.within("worth", number=number, measure=teller.say.unit(measure, ir.value))
    return teller.within("worth_formula", number=number, measure=teller.say.measure(measure))


def has_letters(templates: Iterable[str]) -> bool:
    """Whether some template has a letter for a place, suit or step."""
    return any(LETTER.search(one) for one in templates)


def has_texts(ir: Ir) -> Iterator[str]:
    """The templates in a condition."""
    yield from (node.text for node in nodes(ir) if isinstance(node, HasGroups))
