"""The course of a hand as sentences: phases, offers, steps, restrictions, automatic effects.

A compiled play in, lists of sentences out, in the language of a `Sentences`. Knows no blocks and no page.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from tilewright.language.compiled.ir import Apply, Const, Ir, Lookup, Quantifier, Var
from tilewright.language.compiled.play import (
    Action,
    Choose,
    Goal,
    Loop,
    Numbers,
    Offer,
    Phase,
    Play,
    Restriction,
    Step,
    StepBlock,
    Text,
    Trigger,
    Use,
    every_step,
)
from tilewright.language.vocabulary.declare_steps import held, leads_to
from tilewright.language.vocabulary.step_fields import ChoicesField, Dice
from tilewright.language.vocabulary.steps import BACK, END
from tilewright.language.vocabulary.words import everyone, seats
from tilewright.presentation.catalogue import blanks, has
from tilewright.rulebook.clauses import CLAUSES, FRAMES, GIVEN, is_said, sentence
from tilewright.rulebook.expressions import Sentences
from tilewright.rulebook.payments import WIN, besides, payments_name, pays

START = "deal"


@dataclass(frozen=True)
class PlaySentences:
    """The play in sentences."""

    say: Sentences
    play: Play
    subject: str = ""  # who acts, if that is not the seat
    worded: frozenset[str] = frozenset()  # actions that the author describes
    shown: dict[str, bool] = field(default_factory=dict)  # whether an action has any clause

    # --- phases

    def phases(self) -> list[Phase]:
        """Every phase, in the order in which play comes to it; phases that no goal reaches are last."""
        found: dict[str, Phase] = {}
        waiting = [START]
        while waiting:
            id = waiting.pop(0)
            if id in self.play.phases and id not in found:
                phase = found[id] = self.play.phases[id]
                waiting += list(self.after(phase))
        return [*found.values(), *(phase for id, phase in self.play.phases.items() if id not in found)]

    def after(self, phase: Phase) -> Iterator[str]:
        """The phases that may follow one."""
        offers = [self.play.offers[offer] for offer in phase.offers]
        goals = [phase.then, *(offer.then for offer in offers), phase.otherwise]
        yield from (goal.phase for goal in goals if goal is not None)
        for steps in (phase.do, *(offer.do for offer in offers)):
            for step in every_step(steps):
                yield from leads_to(step.does)

    def phase(self, phase: Phase) -> list[str]:
        """A phase, as sentences."""
        here = self.where(asked_in(phase.do))
        found = [sentence(text) for text in here.steps(phase.do)]
        if phase.who is not None and phase.offers:
            offers = self.say.listed([self.offer_name(offer) for offer in phase.offers])
            must = "asked_one" if len(phase.offers) == 1 else "asked_must"
            key = "asked" if phase.otherwise is not None else must
            found.append(self.frame(key, who=sentence(self.say.seats(phase.who), ""), offers=offers))
        if phase.secret:
            found.append(self.frame("secretly"))
        if phase.otherwise is not None:
            found.append(self.continued("nobody_takes", phase.otherwise))
        if phase.then is not None:
            found.append(self.continued("then", phase.then))
        return found

    def continued(self, key: str, goal: Goal) -> str:
        """The sentence on where play continues; the end and the return have their own."""
        if goal.phase in (END, BACK):
            return self.frame(f"{key}_{goal.phase}")
        return self.frame(key, goal=self.goal(goal))

    def goal(self, goal: Goal) -> str:
        """Where play continues."""
        if goal.phase in (END, BACK):
            return self.say.word(FRAMES, f"goal_{goal.phase}")
        phase = self.say.phase(goal.phase)
        if goal.seat is None:
            return phase
        return self.say.word(FRAMES, "goal_seat", phase=phase, seat=self.say.seats(goal.seat))

    # --- offers

    def offered(self) -> list[Offer]:
        """The offers that some phase has and that can be taken."""
        used = {offer for phase in self.play.phases.values() for offer in phase.offers}
        found = [offer for offer in self.play.offers.values() if offer.id in used]
        return [offer for offer in found if not (isinstance(offer.when, Const) and offer.when.value is False)]

    def offer_name(self, id: str) -> str:
        return self.say.named(id, self.play.offers[id].name)

    def offer(self, offer: Offer, ranked: bool = True) -> list[str]:
        """An offer, as sentences. `ranked`: with its priority among claims."""
        here = self.where([(one.name, one.type) for one in offer.choose] + asked_in(offer.do))
        found = []
        if offer.group:
            found.append(self.frame("makes", group=self.say.group_kind(offer.group)))
        if offer.choose:
            found.append(self.frame("choose", what=here.choices(offer.choose)))
        if offer.when is not None:
            found.append(here.say.only_if(offer.when))
        found += [sentence(text) for text in here.steps(offer.do)]
        if offer.rank is not None and ranked:
            found.append(self.frame("rank", rank=offer.rank))
        if offer.most is not None:
            found.append(self.frame("several", count=self.say.number(offer.most)))
        if offer.then is not None:
            found.append(self.continued("then", offer.then))
        return found

    def claim_order(self, offers: Iterable[Offer]) -> str:
        """Which claim on a tile goes before which; empty if they are all alike."""
        ranks: dict[int, list[str]] = {}
        for offer in offers:
            if offer.rank is not None:
                ranks.setdefault(offer.rank, []).append(self.offer_name(offer.id))
        if len(ranks) < 2:
            return ""
        order = self.say.word(FRAMES, "claim_next").join(self.say.listed(ranks[rank]) for rank in sorted(ranks))
        return self.frame("claim_order", order=order)

    def choices(self, chosen: tuple[Choose, ...]) -> str:
        return self.say.listed([self.choice(one) for one in chosen], "and")

    def choice(self, choose: Choose) -> str:
        """One choice."""
        what = self.chosen(choose)
        if choose.onto and choose.source is not None:
            group, onto = self.say.group_kind(choose.group), self.say.group_kind(choose.onto)
            return self.step_word("a_group_onto", group=group, onto=onto, zone=self.say.tiles(choose.source))
        if choose.kind in ("tiles", "group", "form") and choose.source is not None:
            return self.step_word("from_zone", what=what, zone=self.say.tiles(choose.source))
        if choose.kind == "flag" and choose.question:
            return self.say.bracketed(self.say.named(choose.name, choose.question), what)
        return what

    def chosen(self, choose: Choose) -> str:
        match choose.kind:
            case "tiles":
                return self.tiles_chosen(choose)
            case "group":
                return self.step_word("a_group", group=self.say.group_kind(choose.group))
            case "form":
                return self.step_word("a_form", form=self.say.form(choose.form))
            case "number":
                return self.step_word("a_number", least=self.bound(choose.least), most=self.bound(choose.most))
            case "seat":
                return self.step_word("a_seat", seats=self.say.seats(choose.seats) if choose.seats is not None else "")
            case "suit":
                return self.step_word("a_suit")
        return self.step_word("yes_no")

    def bound(self, ir: Ir | None) -> str:
        return self.say.number(ir) if ir is not None else "0"

    def tiles_chosen(self, choose: Choose) -> str:
        """So many tiles, of some classes."""
        same = choose.least is None or choose.least == choose.most
        if same or choose.most is None:
            count = self.counted(choose.most or choose.least)
        else:
            count = self.step_word("between", least=self.bound(choose.least), most=self.bound(choose.most))
        if not choose.of:
            return count
        return self.step_word("tiles_of", count=count, classes=self.say.listed([self.say.tiles(c) for c in choose.of]))

    def counted(self, ir: Ir | None) -> str:
        """`one tile`, `3 tiles`."""
        if ir is None or (isinstance(ir, Const) and ir.value == 1):
            return self.step_word("one_tile")
        return self.step_word("tiles", count=self.say.number(ir))

    # --- restrictions, automatic effects, actions

    def restriction(self, one: Restriction) -> str:
        """A restriction with its reason."""
        what = self.say.listed([self.barred(bar) for bar in one.bars])
        offers = [self.play.offers[name] for bar in one.bars if (name := bar.rpartition(".")[2]) in self.play.offers]
        here = self.where((chosen.name, chosen.type) for offer in offers for chosen in offer.choose)
        reason = self.say.named(one.id, one.reason).rstrip(".。")
        if one.when is None:
            return self.frame("barred", what=sentence(what, ""), reason=reason)
        return self.frame("barred_when", what=sentence(what, ""), when=here.say.truth(one.when), reason=reason)

    def barred(self, bar: str) -> str:
        """An offer, or a verb, everywhere or in a phase."""
        phase, dot, name = bar.rpartition(".")
        called = self.event(name)
        return self.say.bracketed(called, self.say.phase(phase)) if dot else called

    def event(self, name: str) -> str:
        """The name of an offer, phase or verb."""
        if name in self.play.offers:
            return self.offer_name(name)
        if name in self.play.actions:
            return self.action_name(name)
        if name in self.play.phases:
            return self.say.phase(name)
        noun = f"verbs.{name}.noun"
        return self.message(noun) if has(noun) else name.replace("_", " ")

    def triggers(self) -> list[Trigger]:
        """The triggers with an effect in this game that is shown."""
        return [one for one in self.play.triggers if not is_never(one.when) and self.steps(one.do)]

    def trigger(self, one: Trigger) -> str:
        here = self.where(asked_in(one.do))
        events = self.say.listed([self.event(name).lower() for name in one.after])
        steps = sentence(self.say.word(FRAMES, "semicolon").join(here.steps(one.do)), ".", first=False)
        if one.when is None:
            return self.frame("trigger", events=events, steps=steps)
        return self.frame("trigger_when", events=events, when=self.say.truth(one.when), steps=steps)

    def actions(self) -> list[Action]:
        """The ruleset's own verbs that this game uses and that are shown."""
        phases, offers = self.play.phases.values(), self.offered()
        lists = [*(one.do for one in phases), *(one.do for one in offers), *(one.do for one in self.triggers())]
        found = {name for steps in lists for name in self.used(steps)}
        return [one for one in self.play.actions.values() if one.id in found and self.action(one)]

    def used(self, steps: tuple[Step, ...]) -> set[str]:
        """The actions that steps do, those inside others too; without those that no tile of this game causes."""
        todo, found = [*steps], set[str]()
        for step in todo:
            if not self.step(step):
                continue
            if isinstance(step.does, Use) and step.does.action not in found:
                found.add(step.does.action)
                todo += self.play.actions[step.does.action].do
            elif isinstance(step.does, StepBlock):
                todo += step.does.steps
            todo += step.other
        return found

    def action(self, action: Action) -> list[str]:
        """An action of the ruleset, as sentences."""
        here = self.where([*action.takes, *asked_in(action.do)])
        return [sentence(text) for text in here.steps(action.do)]

    def action_name(self, id: str) -> str:
        return self.say.named(id, self.play.actions[id].name)

    def where(self, known: Iterable[tuple[str, str]]) -> "PlaySentences":
        """The same with choices and arguments in scope: each named by its sort, unless another has the same sort."""
        names = dict(known)
        sorts = Counter(names.values())
        given = {name: sort for name, sort in names.items() if sorts[sort] == 1 and is_said(GIVEN, sort)}
        return replace(self, say=replace(self.say, given={**self.say.given, **given}))

    # --- steps

    def steps(self, steps: tuple[Step, ...]) -> list[str]:
        """Steps as clauses, without those that only set marks without a name."""
        return [text for step in steps if (text := self.step(step))]

    def step(self, step: Step) -> str:
        """A step with its loops and conditions; nothing for one that no tile of this game causes."""
        letters = {loop.letter: "it" for loop in step.loops[-1:] if loop.letter}
        here = replace(self, say=replace(self.say, given={**self.say.given, **letters})) if letters else self
        if acting := self.acting(step):
            return acting
        if is_of_each(step):
            return self.of_each(step)
        text = here.verb(step)
        if not text or is_never(step.when) or any(is_empty(loop.members) for loop in step.loops):
            return ""
        if step.when is not None:
            text = self.step_word("if", when=here.say.truth(step.when), step=text)
        if step.other and (others := here.steps(step.other)):
            joint = self.say.word(FRAMES, "semicolon")
            text += joint + self.step_word("else", steps=joint.join(others))
        if step.until is not None:
            text = self.step_word("until", when=here.say.truth(step.until), step=text)
        for loop in reversed(step.loops):
            text = self.loop(loop, text)
        return text

    def acting(self, step: Step) -> str:
        """A step that seats do one after the other, with them as its subject; empty if its clause has no such."""
        if step.when is not None or step.other or step.until is not None or isinstance(step.does, StepBlock | Use):
            return ""
        if (
            len(step.loops) != 1
            or step.loops[0].letter
            or isinstance(members := step.loops[0].members, tuple | Numbers)
        ):
            return ""
        subject = self.subjects(members)
        text = replace(self, subject=subject).verb(step)
        return text if text.startswith(subject) else ""

    def of_each(self, step: Step) -> str:
        """An action of the ruleset that is done with each member of a set."""
        *outer, loop = step.loops
        if is_empty(loop.members) or isinstance(loop.members, tuple | Numbers) or not self.verb(step):
            return ""
        assert isinstance(step.does, Use)
        action = self.action_name(step.does.action)
        action = action[:1].lower() + action[1:]
        text = self.step_word("use_all", action=action, members=self.say.thing(loop.members))
        for one in reversed(outer):
            text = self.loop(one, text)
        return text

    def subjects(self, members: Ir) -> str:
        """Seats of which each does something."""
        if seats.is_asked(members) or everyone.is_asked(members):
            return self.step_word("each_player")
        named = self.say.seats(members)
        return named if members.type == "seat" else self.step_word("each_of", seats=named)

    def loop(self, loop: Loop, text: str) -> str:
        """The clause for a loop."""
        members = loop.members
        if isinstance(members, Numbers):
            return self.numbers(members, text)
        if not loop.letter and (seats.is_asked(members) or everyone.is_asked(members)):
            return self.step_word("for_each", step=text)
        if not loop.letter and not isinstance(members, tuple) and members.type == "seat":
            return self.step_word("for_one", seat=sentence(self.say.seats(members), ""), step=text)
        if not loop.letter and not isinstance(members, tuple):
            return self.step_word("for_seats", seats=self.say.seats(members), step=text)
        if isinstance(members, tuple):
            return self.step_word("for_some", members=self.say.listed([self.say.thing(m) for m in members]), step=text)
        return self.step_word("for_some", members=self.say.thing(members), step=text)

    def numbers(self, span: Numbers, text: str) -> str:
        """The clause for a loop over numbers: how often, if that is plain."""
        match span:
            case Numbers(Const(value=int(least)), Const(value=int(most))):
                return self.step_word("repeated", count=max(0, most - least + 1), step=text)
            case Numbers(Const(value=1), most):
                return self.step_word("repeated", count=self.say.number(most), step=text)
        return self.step_word(
            "for_numbers", least=self.say.number(span.least), most=self.say.number(span.most), step=text
        )

    def verb(self, step: Step) -> str:
        """The clause of a verb; empty if it only sets marks without a name."""
        does = step.does
        return self.in_turn(self.steps(does.steps)) if isinstance(does, StepBlock) else does.clause(self)

    # --- the parts of steps: see `Speaker`

    def blanks(self, id: str) -> frozenset[str]:
        return blanks(id, self.say.language)

    def message(self, id: str, **blanks: object) -> str:
        return self.say.phrase(id, **blanks)

    def actor(self) -> str:
        return self.subject or self.say.word_seat()

    def zone(self, id: str) -> str:
        return self.say.zone(id)

    def tiles(self, ir: Ir) -> str:
        return self.say.tiles(ir)

    def set_of(self, ir: Ir) -> str:
        return self.say.domain(ir)

    def seats(self, ir: Ir) -> str:
        return self.say.seats(ir)

    def thing(self, ir: Ir) -> str:
        return self.say.thing(ir)

    def truth(self, ir: Ir) -> str:
        return self.say.truth(ir)

    def mark_name(self, id: str) -> str:
        return self.say.mark(id) if self.say.has_name(id) else ""

    def name(self, text: Text) -> str:
        return self.say.named("", text)

    def phase_name(self, id: str) -> str:
        return self.say.phase(id)

    def listed(self, members: Sequence[str]) -> str:
        return self.say.listed(members)

    def in_turn(self, clauses: Sequence[str]) -> str:
        return self.say.word(FRAMES, "semicolon").join(clauses)

    def payment_in_full(self, id: str) -> str | None:
        """Payments: one short line is given in full, others by their name."""
        lines = self.say.data.payments.get(id, ())
        if not lines:
            return ""
        short = len(lines) == 1 and lines[0].when is None and not besides(self.say, lines[0])
        return pays(self.say, lines[0]) if short else None

    def payments(self, ids: tuple[str, ...]) -> str:
        names = [self.say.word(FRAMES, "the_win") if id == WIN else payments_name(self.say, id) for id in ids]
        return self.say.listed(names, "and")

    def used_action(self, name: str, arguments: Sequence[tuple[str, Ir]]) -> str:
        """An action of the ruleset, with its arguments."""
        used = self.play.actions[name]
        if not self.is_shown(used):
            return ""
        action = self.action_name(name)
        action = action[:1].lower() + action[1:]
        if not arguments and self.is_told_in_place(used):
            return self.step_word("used", action=action, steps=self.steps(used.do)[0])
        if not arguments:
            return action
        given = self.say.word(FRAMES, "semicolon").join(self.say.thing(ir) for _, ir in arguments)
        return self.step_word("use_with" if len(arguments) > 1 else "use_one", action=action, arguments=given)

    def is_shown(self, action: Action) -> bool:
        """Whether it has any clause."""
        if action.id not in self.shown:
            self.shown[action.id] = bool(self.steps(action.do))
        return self.shown[action.id]

    def is_told_in_place(self, action: Action) -> bool:
        """Whether its only step is told where it is used."""
        if action.takes or action.id in self.worded or any(isinstance(one.does, Use) for one in every_step(action.do)):
            return False
        return len(self.steps(action.do)) == 1

    # --- words

    def frame(self, key: str, **named: object) -> str:
        return sentence(self.say.word(FRAMES, key, **named), "")

    def step_word(self, key: str, **named: object) -> str:
        return self.say.word(CLAUSES, key, **named)


def asked_in(steps: tuple[Step, ...]) -> list[tuple[str, str]]:
    """The answers and dice of steps, with their sorts."""
    found = []
    for step in every_step(steps):
        found += [(one.name, one.type) for _, choose in held(step.does, ChoicesField) for one in choose]
        found += [(name, values[0].type) for _, dice in held(step.does, Dice) for name, values in dice]
    return found


def is_of_each(step: Step) -> bool:
    """Whether it is an action whose only argument is each member of a set in turn."""
    if step.when is not None or step.other or step.until is not None or not step.loops:
        return False
    match step.does, step.loops[-1]:
        case Use(arguments=((_, Var(name=name) | Lookup(of=None, name=name)),)), Loop(letter=letter, members=members):
            return name == letter and not isinstance(members, tuple | Numbers)
    return False


def is_never(ir: Ir | None) -> bool:
    """Whether a condition needs a tile of a class without tiles."""
    match ir:
        case Apply(op="and"):
            return any(map(is_never, ir.args))
        case Apply(op="in"):
            return isinstance(ir.args[1], Const) and ir.args[1].value == ()
    return False


def is_empty(members: Ir | tuple[Ir, ...] | Numbers) -> bool:
    """The tiles of a class without tiles."""
    return isinstance(members, Quantifier) and members.op == "those" and is_never(members.body)
