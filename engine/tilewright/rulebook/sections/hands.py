"""Winning hands: each form with a hand of it, each kind of group with a few of them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from tilewright.base.node import Mapping as MappingNode
from tilewright.base.node import Node, Scalar
from tilewright.language.compiled.ruleset import Example, Form
from tilewright.language.documents.fields import is_null, items, section, texts
from tilewright.rulebook.sections.examples import pictured
from tilewright.rulebook.sections.patterns import has_texts
from tilewright.rulebook.sections.scoring import minimum
from tilewright.rulebook.sentences.groups import has_letters, is_known, template
from tilewright.rulebook.sentences.words import sentence
from tilewright.rulebook.writing.blocks import BookBlock, Codes
from tilewright.rulebook.writing.teller import Teller
from tilewright.scoring.case_mistakes import CaseError
from tilewright.tiles.notation import write_tile

WORD = re.compile(r"[a-z_]+")
MOST_TRIED = 300  # examples scored to find one of each form
MOST_KINDS = 3  # pictures of a kind of group


def hands(teller: Teller) -> Iterator[BookBlock]:
    """What a hand needs to win: its form, and so much worth."""
    if needed := minimum(teller):
        yield BookBlock("text", needed)
    yield teller.heading("forms")
    found = dict(pictures(teller))
    for form in teller.data.forms:
        inner = tuple(form_blocks(teller, form, found))
        yield BookBlock("entry", sentence(teller.say.form(form.id), ""), id=f"form-{form.id}", blocks=inner)
    yield teller.heading("groups")
    wanted = wanted_kinds(teller)
    for kind in teller.data.groups.kinds:
        if kind not in wanted:
            continue
        label = group_label(teller, kind)
        yield BookBlock("tiles", label=label, groups=tuple(group_pictures(teller, kind)))


def form_blocks(teller: Teller, form: Form, pictures: Mapping[str, BookBlock]) -> Iterator[BookBlock]:
    """A form: its groups or the author's wording, its conditions, an example hand."""
    node = section(teller.whole.document, "forms", form.id)
    about = [about] if (about := teller.note("forms", form.id)) else []
    groups, also = lists_of(node, "groups"), lists_of(node, "also")
    picked, rest = lists_of(node, "of"), lists_of(node, "rest")
    if said := teller.wording("forms", form.id):
        about.append(said)
    elif form.shape.pick is not None:
        about += [teller.frame("form_pick", count=form.shape.pick, groups=told(teller, one)) for one in picked]
    elif also or len(groups) > 1:
        for key, lists in (("form_any", groups), ("form_also", also)):
            yield BookBlock("text", " ".join([*about, teller.frame(key)]))
            yield BookBlock("list", items=tuple(sentence(told(teller, one), "") for one in lists))
            about = []
        about += [teller.frame("form_rest", groups=told(teller, one, "or")) for one in rest]
    else:
        about += [teller.frame("form_groups", groups=told(teller, one)) for one in groups]
    if not said and any(has_letters(one) for one in (*groups, *also, *picked)):
        about.append(teller.frame("letters"))
    if form.matches:
        about.append(sentence(teller.say.truth(form.matches)))
    if form.card is not None:
        about.append(teller.frame("form_card", card=teller.say.named(form.card.id, form.card.name)))
    if form.shape.concealed:
        about.append(teller.frame("concealed_form"))
    if form.when is not None:
        about.append(teller.say.only_if(form.when))
    yield BookBlock("text", " ".join(about))
    if form.id in pictures:
        yield pictures[form.id]


def lists_of(node: Node, key: str) -> list[list[str]]:
    """The lists of templates under a key: one, or several of which one is enough."""
    found = node.get(key) if isinstance(node, MappingNode) else None
    lists = items(found.get("any")) if isinstance(found, MappingNode) else (found,)
    return [[item.text for item in items(one) if isinstance(item, Scalar)] for one in lists if not is_null(one)]


def told(teller: Teller, written: Sequence[str], last: str = "and") -> str:
    """Templates in words, but for those of absent tiles."""
    return teller.say.listed([template(teller.say, one) for one in written if is_known(teller.say, one)], last)


def pictures(teller: Teller) -> Iterator[tuple[str, BookBlock]]:
    """A hand of each form, from the examples of patterns."""
    wanted = {form.id for form in teller.data.forms}
    examples = [one for pattern in teller.data.patterns for one in pattern.examples if one.yes]
    for example in examples[:MOST_TRIED]:
        if not wanted:
            return
        try:
            form = teller.rules.score_case(as_case(example)).form
        except CaseError:
            continue
        if form in wanted and (block := pictured(teller, example)) is not None:
            wanted.discard(form)
            yield form, replace(block, yes=None, text="")


def wanted_kinds(teller: Teller) -> set[str]:
    """The kinds of groups that some form without a wording, some pattern or some offer of this game uses, and the kinds
    that these belong to."""
    data = teller.data
    derived = (form.id for form in data.forms if not teller.wording("forms", form.id))
    texts = [text for id in derived for text in templates_of(teller, "forms", id)]
    texts += [text for one in data.patterns for text in templates_of(teller, "patterns", one.id)]
    texts += [text for one in data.patterns if one.when is not None for text in has_texts(one.when)]
    found = {
        word if word in data.groups.kinds else word.removesuffix("s") for text in texts for word in WORD.findall(text)
    }
    if data.play is not None:
        offers = data.play.offers.values()
        found |= {offer.group for offer in offers} | {one.group for offer in offers for one in offer.choose}
    for kind in [*found & {*data.groups.kinds}]:
        found |= {*data.groups.kinds[kind].any, data.groups.kinds[kind].stands_for or ""}
    return found


def templates_of(teller: Teller, *path: str) -> Iterator[str]:
    """The templates in the text of a form or pattern."""
    node = section(teller.whole.document, *path)
    for key in ("groups", "also", "rest", "of", "each"):
        yield from chain(*lists_of(node, key))


def group_label(teller: Teller, kind: str) -> str:
    """The description of a kind of group."""
    found, groups = teller.data.groups.kinds[kind], teller.data.groups
    families = teller.say.listed([teller.say.class_name(one) for one in found.families])
    suits = {suit.id for suit in teller.data.tiles.suits}
    if found.alike is not None:
        what = teller.within("alike_group", count=found.alike)
    elif found.run is not None and found.across_suits:
        what = teller.within("run_across", count=found.run)
    elif found.run is not None and found.steps != (1, 1):
        least, most = found.steps
        steps = str(least) if least == most else teller.within("any_step") if most is None else f"{least}–{most}"
        what = teller.within("run_by", count=found.run, steps=steps)
    elif found.run is not None and found.families and not set(found.families) <= suits:
        what = teller.within("run_in", count=found.run, families=families)
    elif found.run is not None:
        what = teller.within("run_group", count=found.run)
    elif found.ranks:
        lists = teller.say.listed(["-".join(map(str, ranks)) for ranks in found.ranks])
        what = teller.within("ranks_group", lists=lists)
    else:
        what = teller.within(
            "any_group",
            kinds=teller.say.listed([teller.say.group_kind(one) for one in found.any if one in groups.kinds]),
        )
    if found.stands_for in groups.kinds and found.stands_for is not None:
        what += teller.within("semicolon") + teller.within("stands_for", kind=teller.say.group_kind(found.stands_for))
    about = sentence(teller.say.noted(texts(section(teller.whole.document, "groups", kind).get("about"))))
    title = sentence(teller.say.group_kind(kind), "") + teller.colon + sentence(what, first=False)
    return f"{sentence(title)} {about}" if about else title


def group_pictures(teller: Teller, kind: str) -> Iterator[Codes]:
    """A few groups of a kind, as different as they can be."""
    groups = teller.data.groups.groups
    found = [group for group in groups if kind in group.kinds] or [one for one in groups if kind in one.meld_kinds]
    step = max(1, len(found) // MOST_KINDS)
    for group in found[step // 2 :: step][:MOST_KINDS]:
        yield tuple(write_tile(tile, teller.data.tiles) for tile in group.tiles)


def as_case(example: Example) -> dict[str, Any]:
    """An example as a case."""
    case = dict(example.case)
    return {("win_tile" if key == "win" else key): value for key, value in case.items() if key != "about"}
