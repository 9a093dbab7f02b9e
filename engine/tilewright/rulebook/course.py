"""The course of a hand in the order in which one learns it: seats and deal, a turn, claims, the end of the hand; what
is not allowed; the words used.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from tilewright.language.compiled.ir import Const
from tilewright.language.compiled.play import Offer, Phase, Restriction, Trigger, every_step
from tilewright.language.vocabulary.steps import Declare, Settle
from tilewright.rulebook.clauses import sentence
from tilewright.rulebook.course_sentences import PlaySentences
from tilewright.rulebook.in_use import InUse
from tilewright.rulebook.writing import BookBlock, Teller


@dataclass(frozen=True)
class Course:
    """The phases of a game by the chapters that tell of them, and its offers with the first chapter that has them."""

    teller: Teller
    play: PlaySentences

    @cached_property
    def used(self) -> InUse:
        return InUse(self.teller.data)

    @cached_property
    def phases(self) -> tuple[Phase, ...]:
        """Those of this game, in the order in which play comes to them."""
        return tuple(one for one in self.play.phases() if one.id in self.used.phases)

    @cached_property
    def reached(self) -> dict[str, frozenset[str]]:
        """The phases that may come at some time after each."""
        after = {one.id: {*self.play.after(one)} for one in self.phases}
        found = {}
        for start in after:
            seen, todo = set[str](), [*after[start]]
            while todo:
                if (id := todo.pop()) in after and id not in seen:
                    seen.add(id)
                    todo += after[id]
            found[start] = frozenset(seen)
        return found

    def chapter(self, phase: Phase) -> str:
        """The chapter of a phase: the deal is what comes once, before what comes again and again."""
        again = phase.id in self.reached[phase.id]
        if not again and any(id in self.reached[id] for id in self.reached[phase.id]):
            return "deal"
        if not phase.offers and (not again or any(isinstance(one.does, Settle) for one in every_step(phase.do))):
            return "ends"
        return "claims" if phase.who is not None and phase.who.type == "seats" else "turn"

    @cached_property
    def chapters(self) -> dict[str, list[Phase]]:
        found: dict[str, list[Phase]] = {"deal": [], "turn": [], "claims": [], "ends": []}
        for phase in self.phases:
            found[self.chapter(phase)].append(phase)
        return found

    @cached_property
    def offers(self) -> dict[str, list[Offer]]:
        """The offers by chapter: each where it is first made, in the deal only if it is nowhere else."""
        offered = [one for one in self.play.offered() if self.used.is_offered(one)]
        found: dict[str, list[Offer]] = {}
        for offer in offered:
            chapters = [id for id, phases in self.chapters.items() if any(offer.id in one.offers for one in phases)]
            later = [id for id in chapters if id != "deal"]
            found.setdefault((later or chapters)[0], []).append(offer)
        return found

    @cached_property
    def restrictions(self) -> list[Restriction]:
        """Those of what can happen."""
        return [replace(one, bars=bars) for one in self.play.play.restrictions if (bars := self.used.bars(one))]

    # --- chapters

    def deal(self) -> Iterator[BookBlock]:
        yield from seats(self.teller)
        yield from self.told("deal")

    def turn(self) -> Iterator[BookBlock]:
        yield from self.told("turn")
        if triggers := tuple(map(self.trigger, self.play.triggers())):
            yield self.teller.heading("automatic")
            yield BookBlock("list", items=triggers)
        if barring := [one for one in self.restrictions if not self.is_of_wins(one)]:
            yield self.teller.heading("forbidden")
            yield BookBlock("list", items=tuple(map(self.restriction, barring)))

    def trigger(self, one: Trigger) -> str:
        return self.teller.wording("triggers", one.id) or self.play.trigger(one)

    def restriction(self, one: Restriction) -> str:
        return self.teller.wording("restrictions", one.id) or self.play.restriction(one)

    def claims(self) -> Iterator[BookBlock]:
        asked = {id for one in self.chapters["claims"] for id in one.offers}
        offers = [one for one in self.play.offered() if one.id in asked and self.used.is_offered(one)]
        if order := self.play.claim_order(offers):
            yield BookBlock("text", order)
        yield from self.told("claims")

    def ends(self) -> Iterator[BookBlock]:
        yield from self.told("ends")

    def told(self, chapter: str) -> Iterator[BookBlock]:
        """The phases of a chapter, then its offers."""
        for phase in self.chapters[chapter]:
            if sentences := self.play.phase(phase):
                yield BookBlock("heading", sentence(self.teller.say.phase(phase.id), ""), id=f"phase-{phase.id}")
                yield from described(self.teller, "phases", phase.id, sentences)
        for offer in self.offers.get(chapter, ()):
            inner = tuple(described(self.teller, "offers", offer.id, self.play.offer(offer, ranked=False)))
            title = sentence(self.play.offer_name(offer.id), "")
            yield BookBlock("entry", title, id=f"offer-{offer.id}", blocks=inner)

    # --- wins

    def is_of_wins(self, restriction: Restriction) -> bool:
        """Whether it bars nothing but wins."""
        names = {bar.rpartition(".")[2] for bar in restriction.bars}
        offers = [self.play.play.offers[name] for name in names if name in self.play.play.offers]
        return len(offers) == len(names) and all(map(declares, offers))

    def may_not_win(self) -> Iterator[BookBlock]:
        """The restrictions on wins."""
        if barring := [one for one in self.restrictions if self.is_of_wins(one)]:
            yield self.teller.heading("may_not_win")
            yield BookBlock("list", items=tuple(map(self.restriction, barring)))

    # --- words

    def words(self) -> Iterator[BookBlock]:
        """What an action of the ruleset is in detail, and the terms."""
        yield from terms(self.teller, self.used)
        noted = [one for one in self.play.actions() if self.teller.note("actions", one.id)]
        actions = [one for one in self.play.actions() if one in noted or not self.play.is_told_in_place(one)]
        if actions:
            yield self.teller.heading("actions")
        for action in actions:
            inner = tuple(described(self.teller, "actions", action.id, self.play.action(action)))
            id = f"action-{action.id.replace('_', '-')}"
            yield BookBlock("entry", sentence(self.play.action_name(action.id), ""), id=id, blocks=inner)


def declares(offer: Offer) -> bool:
    """Whether it is a win."""
    return any(one.verb == Declare.declared.name for one in every_step(offer.do))


def described(teller: Teller, part: str, id: str, sentences: Iterable[str]) -> Iterator[BookBlock]:
    """The note on a part of play, then the author's wording or else its sentences."""
    if about := teller.note(part, id):
        yield BookBlock("text", about)
    if wording := teller.wording(part, id):
        yield BookBlock("text", wording)
    else:
        yield BookBlock("list", items=tuple(sentences))


def seats(teller: Teller) -> Iterator[BookBlock]:
    """Who sits where, and how turns go."""
    seats = teller.data.seats
    players = teller.frame("players", count=seats.count, order=teller.within(seats.order))
    yield BookBlock("text", f"{players} {teller.frame('seats', seats=teller.say.listed(teller.seat_names(), 'and'))}")
    if seats.hands > 1:
        yield BookBlock("text", teller.frame("hands", count=seats.hands))


def terms(teller: Teller, used: InUse) -> Iterator[BookBlock]:
    """The named marks and terms with their meanings."""
    say, found = teller.say, []
    for id, mark in teller.data.marks.items():
        note = say.noted(say.abouts.get(id))
        if note and set(mark.name.values()) != {id}:
            found.append(sentence(say.mark(id), "") + teller.colon + sentence(note, first=False))
    for id, body in teller.data.terms.items():
        named = {id, *teller.data.term_names.get(id, {}).values()} != {id}
        if id in used.terms and named and not isinstance(body, Const):
            meaning = say.truth(body) if body.type == "truth" else say.thing(body)
            note = teller.wording("terms", id) or say.noted(say.abouts.get(id)) or meaning
            found.append(sentence(say.mark(id), "") + teller.colon + sentence(note, first=False))
    if found:
        yield BookBlock("list", items=tuple(found))
