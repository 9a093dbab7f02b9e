"""Offers: the effects of taking one, read from the steps of a ruleset, never from its name."""

from collections.abc import Iterator
from dataclasses import dataclass

from tilewright.language.compiled.ir import Apply, Const, Ir, Lookup, WordCall, nodes
from tilewright.language.compiled.play import Choose, Offer, Play, Step, StepBlock, Use, Verb
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.vocabulary.steps import Ask, Declare, Draw, Finish, MakeMeld, MoveTiles, Remember, Retire, Swap
from tilewright.language.vocabulary.words import can_win, concealed, possible

HAND, MELDS, BONUS, WALL = "hand", "melds", "bonus", "wall"


@dataclass(frozen=True, slots=True)
class Effect:
    """What an offer does to the seat that takes it.

    `wins`: it declares a hand. `melds`: it makes a group, `concealed`; with `claims` from the tile in question, with
    `grows` by adding one tile to a group on the table. `discards`: the choice of tiles that go from the hand to where
    others may claim them. `sets_aside`: the choice of a tile that goes from the hand to the bonus tiles. `swaps`: two
    choices of tiles that change places. `accuses`: the choice of a seat that is out if it can make no form any more,
    or that loses a hand if that can make none. `draws`: tiles come into the hand. `pledges`: it sets a mark that
    patterns count, and has no unknown effect; `sets`: those marks; `concealed_only`: only a concealed hand may take it;
    `hand`: the choice of the hand that gets the group, or that is accused."""

    wins: bool = False
    melds: bool = False
    concealed: bool = False
    claims: bool = False
    grows: bool = False
    discards: str = ""
    sets_aside: str = ""
    swaps: tuple[str, str] | None = None
    accuses: str = ""
    draws: bool = False
    pledges: bool = False
    sets: frozenset[str] = frozenset()
    concealed_only: bool = False
    hand: str = ""

    @property
    def known(self) -> bool:
        """Whether it does something that a bot understands."""
        return self.wins or self.melds or bool(self.discards or self.swaps or self.accuses)

    @property
    def only_pledges(self) -> bool:
        """Whether it sets such a mark and leaves the hand as it is."""
        return self.pledges and not self.known


def effects_of(data: CompiledRuleset) -> dict[str, Effect]:
    """The effects of each offer of a ruleset."""
    play = data.play
    if play is None:
        return {}
    claimable = frozenset(zone.id for zone in data.zones.values() if zone.claimable)
    counted = frozenset(marks_that_count(data))
    return {offer.id: effect_of(play, offer, claimable, counted) for offer in play.offers.values()}


def marks_that_count(data: CompiledRuleset) -> Iterator[str]:
    """Truth marks of a seat that some pattern asks about."""
    for pattern in data.patterns:
        for ir in (pattern.when, pattern.times):
            for node in nodes(ir) if ir is not None else ():
                if isinstance(node, Lookup) and node.kind == "mark" and data.marks[node.name].of == "seat":
                    yield node.name


def effect_of(play: Play, offer: Offer, claimable: frozenset[str], counted: frozenset[str] = frozenset()) -> Effect:
    """The effect of one offer. `claimable`: zones whose tiles may be claimed; `counted`: marks that patterns ask
    about."""
    steps = list(steps_of(play, offer.do))
    verbs = [step.does for step in steps]
    melds = [verb for verb in verbs if isinstance(verb, MakeMeld)]
    swaps = [(word_of(verb.one), word_of(verb.other)) for verb in verbs if isinstance(verb, Swap)]
    moves = [verb for verb in verbs if isinstance(verb, MoveTiles) and word_of(verb.source) == HAND]
    pledges = any(pledge(verb, counted) for verb in verbs) and all(isinstance(v, Remember | MoveTiles) for v in verbs)
    accuses, accused_hand = accused(play, offer, steps)
    return Effect(
        wins=any(isinstance(verb, Declare) for verb in verbs),
        melds=bool(melds),
        concealed=any(meld.concealed for meld in melds),
        claims=bool(offer.group),
        grows=any(choose.onto for choose in offer.choose),
        discards=next((chosen(offer, move.tiles) for move in moves if word_of(move.to) in claimable), ""),
        sets_aside=next((chosen(offer, move.tiles) for move in moves if word_of(move.to) == BONUS), ""),
        swaps=swaps[0] if len(swaps) == 1 and all(swaps[0]) else None,
        accuses=accuses,
        draws=any(isinstance(verb, Draw) for verb in verbs),
        pledges=pledges,
        sets=frozenset(mark for verb in verbs for mark in set_to_true(verb) if pledges and mark in counted),
        hand=next((chosen(offer, meld.hand) for meld in melds), accused_hand),
        concealed_only=pledges
        and offer.when is not None
        and any(concealed.is_asked(part) for part in conjuncts(offer.when)),
    )


def set_to_true(verb: Verb | StepBlock) -> Iterator[str]:
    """The marks that a step sets to true, unconditionally."""
    for mark, value in verb.values if isinstance(verb, Remember) else ():
        if isinstance(value, Const) and value.value is True:
            yield mark


def conjuncts(ir: Ir) -> Iterator[Ir]:
    """The conditions that all have to hold."""
    if isinstance(ir, Apply) and ir.op == "and":
        for part in ir.args:
            yield from conjuncts(part)
    else:
        yield ir


def pledge(verb: Verb | StepBlock, counted: frozenset[str]) -> bool:
    """Whether the step only sets marks, one of which counts."""
    return isinstance(verb, Remember) and any(mark in counted for mark, _ in verb.values)


def asked_choices(data: CompiledRuleset) -> dict[str, Choose]:
    """The choices of questions of steps, by name."""
    play = data.play
    if play is None:
        return {}
    bodies = [part.do for parts in (play.phases, play.offers, play.actions) for part in parts.values()]
    bodies += [trigger.do for trigger in play.triggers]
    asks = [step.does for steps in bodies for step in steps_of(play, steps) if isinstance(step.does, Ask)]
    return {choose.name: choose for ask in asks for choose in ask.choose}


def steps_of(play: Play, steps: tuple[Step, ...]) -> Iterator[Step]:
    """Every step, with those of blocks and of used actions."""
    for step in steps:
        yield step
        match step.does:
            case StepBlock():
                yield from steps_of(play, step.does.steps)
            case Use():
                yield from steps_of(play, play.actions[step.does.action].do)
        yield from steps_of(play, step.other)


def word_of(ir: object) -> str:
    """The name of the zone or the choice that an expression is; else empty."""
    return ir.name if isinstance(ir, Lookup) and ir.kind in ("zone", "choice") else ""


def chosen(offer: Offer, ir: Ir | None) -> str:
    """The name of the offer's choice that an expression is."""
    name = word_of(ir)
    return name if any(choose.name == name for choose in offer.choose) else ""


def accused(play: Play, offer: Offer, steps: list[Step]) -> tuple[str, str]:
    """The choice of a seat that retires if it can make no form any more; or of one that loses a hand if that can make
    none, and the choice of the hand."""
    retired = {word_of(step.does.seats) for step in steps if isinstance(step.does, Retire)}
    asks = any(step.when is not None and asks_whether_possible(step.when) for step in steps)
    seats = [choose.name for choose in offer.choose if choose.kind == "seat"]
    if asks and not retired.isdisjoint(seats):
        return next(name for name in seats if name in retired), ""
    return next(accused_hands(play, offer, steps), ("", ""))


def asks_whether_possible(ir: Ir) -> bool:
    return any(isinstance(node, Lookup) and node.kind == "word" and node.name == possible.name for node in nodes(ir))


def accused_hands(play: Play, offer: Offer, steps: list[Step]) -> Iterator[tuple[str, str]]:
    """The choices of a seat and of a hand that a step closes if it cannot win."""
    for step in steps:
        match step.when:
            case Apply(op="not", args=(WordCall(name=can_win.name, args=(of, number)),)):
                seat, hand = chosen(offer, of), chosen(offer, number)
                if seat and hand and closes(play, step, seat, hand):
                    yield seat, hand


def closes(play: Play, step: Step, seat: str, hand: str, own: bool = False) -> bool:
    """Whether a step closes a hand of a seat, both by the names of their choices. `own`: the seat carries it out."""
    for loop in step.loops:
        if not loop.letter:
            own = bool(seat) and word_of(loop.members) == seat
    match step.does:
        case Finish(hand=number):
            return own and word_of(number) == hand
        case StepBlock(steps=steps):
            return any(closes(play, one, seat, hand, own) for one in steps)
        case Use(action=action, arguments=arguments):
            names = {word_of(value): name for name, value in arguments}
            steps = play.actions[action].do if hand in names else ()
            return any(closes(play, one, names.get(seat, ""), names[hand], own) for one in steps)
    return False
