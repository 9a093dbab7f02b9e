"""The course of a hand, player actions, and restrictions."""

from collections.abc import Iterator
from dataclasses import replace

from tilewright.language.compiled.ir import Const
from tilewright.rulebook.sections.in_use import InUse
from tilewright.rulebook.sections.play import PlaySentences
from tilewright.rulebook.sentences.expressions import sentence
from tilewright.rulebook.writing.blocks import BookBlock
from tilewright.rulebook.writing.teller import Teller


def course(teller: Teller, play: PlaySentences) -> Iterator[BookBlock]:
    used = InUse(teller.data)
    for phase in play.phases():
        if phase.id in used.phases and (sentences := play.phase(phase)):
            yield BookBlock("heading", sentence(teller.say.phase(phase.id), ""), id=f"phase-{phase.id}")
            if about := teller.note("phases", phase.id):
                yield BookBlock("text", about)
            yield BookBlock("list", items=tuple(sentences))
    if triggers := tuple(play.trigger(one) for one in play.triggers()):
        yield teller.heading("automatic")
        yield BookBlock("list", items=triggers)
    actions = list(play.actions())
    if actions:
        yield teller.heading("actions")
    for action in actions:
        inner = [BookBlock("text", about)] if (about := teller.note("actions", action.id)) else []
        inner.append(BookBlock("list", items=tuple(play.action(action))))
        id = f"action-{action.id.replace('_', '-')}"
        yield BookBlock("entry", sentence(play.action_name(action.id), ""), id=id, blocks=tuple(inner))


def words(teller: Teller) -> Iterator[BookBlock]:
    """The named marks and terms with their meanings."""
    say, found = teller.say, []
    for id, mark in teller.data.marks.items():
        note = say.noted(say.abouts.get(id))
        if note and set(mark.name.values()) != {id}:
            found.append(say.mark(id) + teller.colon + sentence(note, first=False))
    used = InUse(teller.data).terms
    for id, body in teller.data.terms.items():
        if id in used and {id, *teller.data.term_names.get(id, {}).values()} != {id} and not isinstance(body, Const):
            meaning = say.truth(body) if body.type == "truth" else say.thing(body)
            note = say.noted(say.abouts.get(id)) or meaning
            found.append(sentence(say.mark(id), "") + teller.colon + sentence(note, first=False))
    if found:
        yield teller.heading("words")
        yield BookBlock("list", items=tuple(found))


def offers(teller: Teller, play: PlaySentences) -> Iterator[BookBlock]:
    used = InUse(teller.data)
    for offer in filter(used.is_offered, play.offered()):
        inner = [BookBlock("text", about)] if (about := teller.note("offers", offer.id)) else []
        inner.append(BookBlock("list", items=tuple(play.offer(offer))))
        yield BookBlock("entry", sentence(play.offer_name(offer.id), ""), id=f"offer-{offer.id}", blocks=tuple(inner))
    barring = [replace(one, bars=bars) for one in play.play.restrictions if (bars := used.bars(one))]
    if barring:
        yield teller.heading("forbidden")
        yield BookBlock("list", items=tuple(map(play.restriction, barring)))
    yield from words(teller)
