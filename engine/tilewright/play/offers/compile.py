"""Compiled offers: an offer of a phase in, the same with functions for its conditions and choices out."""

from collections.abc import Iterator, Sequence
from itertools import permutations

from tilewright.language.compiled.ir import Apply, Ir, Lookup
from tilewright.language.compiled.play import Choose, Offer, Phase
from tilewright.language.vocabulary.steps import Declare, Swap
from tilewright.language.vocabulary.words import tile, wins
from tilewright.play.offers.bars import TRUE, looks_at, may_hold
from tilewright.play.program.compiled import CompiledBar, CompiledChoice, CompiledOffer
from tilewright.play.program.program import Program
from tilewright.play.scene.expressions import Evaluator, class_of

NO_WORDS: frozenset[str] = frozenset()


def compiled_offer(program: Program, phase: Phase, offer: Offer) -> CompiledOffer:
    words = chosen_words(offer)
    late = offer.when is not None and looks_at(offer.when, words)
    when, choosing = program.perhaps(offer.when), compiled_choices(program, offer.choose, words)
    swaps = [step.does for step in offer.do if isinstance(step.does, Swap) and step.when is None]
    return CompiledOffer(
        offer,
        None if late else when,
        when if late else None,
        program.perhaps(offer.most),
        choosing,
        program.offers[offer.id],
        tuple(bars_of(program, phase, offer, words)),
        program.goal(offer.then if offer.then is not None else phase.then),
        Declare.declared.name in program.verbs(offer.do),
        wins.is_asked(offer.when),
        own_tile(offer),
        tuple(one for one in choosing if one.alone and one.choose.type == "tile") if len(choosing) > 1 else (),
        tuple((program.evaluator(swap.one), program.evaluator(swap.other)) for swap in swaps),
        bool(offer.choose) and offer.choose[0].kind == "group",
        bool(offer.group) and program.groups.is_served(offer.group),
        tuple({} for _ in program.everyone),
    )


def compiled_choices(
    program: Program, choices: Sequence[Choose], words: frozenset[str] = NO_WORDS
) -> tuple[CompiledChoice, ...]:
    """Choices with their functions; `words` that stand for what is chosen, in addition to their names."""
    words |= {choose.name for choose in choices}
    return tuple(
        CompiledChoice(
            choose,
            program.perhaps(choose.most),
            program.perhaps(choose.least),
            program.perhaps(choose.source),
            None if choose.of is None else class_of(choose.of, program.data),
            program.perhaps(choose.seats),
            program.perhaps(choose.when),
            is_near(choose.source),
            choose.kind == "tiles" and not any(looks_at(ir, words) for ir in (choose.source, *(choose.of or ())) if ir),
            alike(program, choose, choices[:at], words),
        )
        for at, choose in enumerate(choices)
    )


def alike(
    program: Program, choose: Choose, before: Sequence[Choose], words: frozenset[str]
) -> tuple[Evaluator, str] | None:
    """The two sides of the condition of a choice, if one is another tile and the other depends on this one alone."""
    when, singles = choose.when, [one.name for one in before if one.kind == "tiles" and one.type == "tile"]
    if isinstance(when, Apply) and when.op == "==":
        for own, other in permutations(when.args):
            if isinstance(other, Lookup) and other.of is None and other.name in singles:
                return None if looks_at(own, words - {choose.name}) else (program.evaluator(own), other.name)
    return None


def bars_of(program: Program, phase: Phase, offer: Offer, words: frozenset[str]) -> Iterator[CompiledBar]:
    """The restrictions that may bar an offer in a phase."""
    for restriction in program.play.restrictions:
        if any(offer.id in program.named(bar, phase.id) for bar in restriction.bars):
            when = restriction.when
            ever = TRUE if when is None else may_hold(when, words)
            late = when is not None and looks_at(when, words)
            yield CompiledBar(
                restriction, program.perhaps(when), late, None if ever == TRUE else program.evaluator(ever)
            )


def chosen_words(offer: Offer) -> frozenset[str]:
    """The words that stand for what is chosen."""
    names = {choose.name for choose in offer.choose}
    if offer.group or any(choose.kind == "group" for choose in offer.choose):
        names.add("group")
    if any(choose.onto for choose in offer.choose):
        names.add("tile")
    return frozenset(names)


def own_tile(offer: Offer) -> str | None:
    """The name of the only choice, if it is one tile of the own hand."""
    if len(offer.choose) != 1 or offer.group:
        return None
    (choose,) = offer.choose
    of_hand = isinstance(choose.source, Lookup) and choose.source.name == "hand" and choose.source.of is None
    plain = choose.kind == "tiles" and choose.type == "tile" and choose.of is None and choose.when is None
    return choose.name if plain and of_hand and choose.name == tile.name else None


def is_near(source: Ir | None) -> bool:
    """Whether the tiles are of one place: their expression names no seat."""
    if isinstance(source, Apply) and source.op == "tiles":
        source = source.args[0]
    return source is None or (isinstance(source, Lookup) and source.of is None)
