"""Winning hands: each form with a hand of it, each kind of group with a few, and one hand worked out by the engine.

The latter is an example of the ruleset, with what everyone gains or pays for it: the one that shows the most patterns,
up to a number that one can follow.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from tilewright.base.node import Mapping as MappingNode
from tilewright.base.node import Node, Scalar
from tilewright.language.compiled.ruleset import Example, Form
from tilewright.language.documents.fields import is_null, items, section, texts
from tilewright.rulebook.clauses import has_letters, is_known, sentence, template
from tilewright.rulebook.patterns import has_texts, pictured
from tilewright.rulebook.scoring import minimum
from tilewright.rulebook.writing import BookBlock, Codes, Teller
from tilewright.scoring.case_hands import seat_names
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.score import PatternScore, Score, show_number
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


# --- one of them worked out


MOST_PATTERNS = 5  # more are hard to follow


@dataclass(frozen=True, slots=True)
class WorkedHand:
    """An example with its score."""

    example: Example
    score: Score


def worked_hand(teller: Teller) -> WorkedHand | None:
    """The example that shows how worths are added; None if the ruleset has none that wins."""
    best: tuple[int, WorkedHand] | None = None
    examples = [one for pattern in teller.data.patterns for one in pattern.examples if one.yes]
    for example in examples[:MOST_TRIED]:
        score = scored(teller, as_case(example))
        if score is None or not score.win or pictured(teller, example) is None:
            continue
        shown = -1 if len(score.patterns) > MOST_PATTERNS else len(score.patterns)
        if best is None or shown > best[0]:
            best = shown, WorkedHand(example, score)
    return best[1] if best else None


def scored(teller: Teller, case: Mapping[str, Any]) -> Score | None:
    """The score of a case; None if there is no such hand."""
    try:
        return teller.rules.score_case(case)
    except CaseError:
        return None


def worked(teller: Teller, hand: WorkedHand) -> Iterator[BookBlock]:
    """The hand, its patterns in a bill, and what it comes to in every measure."""
    picture = pictured(teller, hand.example)
    assert picture is not None
    yield teller.heading("worked")
    yield replace(picture, yes=None)
    score = hand.score
    rows = [(pattern_name(teller, one), worth(teller, one.measure or score.unit, one.worth)) for one in score.patterns]
    measures = [one for one in teller.data.scoring.measures if not one.inner and score.values.get(one.id)]
    rows += [
        (sentence(teller.say.measure(one.id), ""), show_number(score.values[one.id]))
        for one in measures
        if one.id != score.unit
    ]
    total = worth(teller, score.unit, score.total)
    called = teller.say.named("", score.called) if score.called else ""
    rows.append((teller.within("total_row"), total + teller.within("brackets", text=called) if called else total))
    head = tuple(sentence(teller.within(key), "") for key in ("pattern_head", "worth_head"))
    yield BookBlock("table", head=head, rows=tuple(rows))


def pattern_name(teller: Teller, pattern: PatternScore) -> str:
    name = teller.say.named(pattern.id, pattern.names)
    return name if pattern.times == 1 else teller.within("times_of", name=name, count=show_number(pattern.times))


def worth(teller: Teller, measure: str, number: Any) -> str:
    return teller.within("worth", number=show_number(number), measure=teller.say.unit(measure, number))


def won_from(teller: Teller, hand: WorkedHand) -> Iterator[BookBlock]:
    """What each player gains for the worked hand, by who wins it from whom."""
    seats, names = seat_names(teller.data)[: teller.data.seats.count], teller.seat_names()
    rows = []
    for winner, discarder in cases(len(seats)):
        case = {key: value for key, value in as_case(hand.example).items() if key not in ("self_draw", "discarder")}
        how = {"self_draw": True} if discarder is None else {"discarder": seats[discarder]}
        score = scored(teller, {**case, "seat_wind": seats[winner], **how})
        if score is None or not score.win or not score.payments:
            continue
        key = "case_draw" if discarder is None else "case_discard"
        from_whom = {} if discarder is None else {"seat": names[discarder]}
        gains = tuple(signed(score.payments.get(seat, 0)) for seat in seats)
        label = sentence(teller.within(key, winner=names[winner], **from_whom), "")
        rows.append((label, worth(teller, score.unit, score.total), *gains))
    if rows:
        yield teller.heading("won_from")
        head = (sentence(teller.within("case_head"), ""), sentence(teller.within("worth_head"), ""), *names)
        yield BookBlock("table", head=head, rows=tuple(rows))


def cases(seats: int) -> Iterator[tuple[int, int | None]]:
    """Winner and discarder (None: self-drawn): a player who does not deal, then the dealer."""
    yield 1, None
    if seats > 2:
        yield 1, 2
    yield 1, 0
    yield 0, None
    yield 0, 1


def signed(number: Any) -> str:
    shown = show_number(abs(number))
    return f"+{shown}" if number > 0 else f"−{shown}" if number < 0 else shown
