"""Lint of questions to seats: an offer that can never be taken, a phase that asks nothing or returns to nowhere, a hand
that cannot end.

Uses the compiled play; reports only what is certain, and nothing that other options decide.
"""

from collections.abc import Callable, Iterable, Iterator

from tilewright.base.problem import Place, Problem
from tilewright.hands.reading import Group
from tilewright.language.compiled.ir import Const, Ir
from tilewright.language.compiled.play import Choose, Goal, Offer, Phase, Step
from tilewright.language.documents.fields import section
from tilewright.language.lint.impossible import TILES, asks_options, leaves_out
from tilewright.language.lint.view import PlayView, zones_in
from tilewright.language.sections.play import START
from tilewright.language.vocabulary import words
from tilewright.language.vocabulary.declare_steps import leads_to, taken_from
from tilewright.language.vocabulary.steps import Draw, Interrupt, MoveTiles, Retire, Swap
from tilewright.tiles.tileset import TileSet

BACK, END = "back", "end"

# --- choices


def counts(played: PlayView) -> Iterator[Problem]:
    """Check that of a choice of tiles the least is not more than the most, and the most at least one."""
    for choose, path in played.choices:
        least, most = choose.least, choose.most
        if choose.kind != "tiles" or asks_options(played.view, *path.split(".")[:4]):
            continue
        if isinstance(most, Const) and isinstance(least, Const) and not 1 <= int_of(most) >= int_of(least):
            yield too_few(played.place(f"{path}.tiles"), choose, int_of(most), int_of(least))


def int_of(ir: Const) -> int:
    return ir.value if isinstance(ir.value, int) else 1


def groups(played: PlayView) -> Iterator[Problem]:
    """Check that a required group can be made: with one more tile than the group it extends, of existing tiles."""
    for choose, path in played.choices:
        sizes, before = sizes_of(played, choose.group), sizes_of(played, choose.onto)
        if before and sizes and not sizes & {size + 1 for size in before}:
            yield not_onto(played.place(f"{path}.onto"), choose)
    if not leaves_out(played.view.whole, TILES):
        wanted = [(f"{path}.group", choose.group) for choose, path in played.choices]
        wanted += [(f"offers.{offer.id}.group", offer.group) for offer in played.play.offers.values()]
        for path, kind in wanted:
            if kind and not can_be_made(played, kind):
                yield never_made(played.place(path), kind)


def sizes_of(played: PlayView, kind: str) -> set[int]:
    return {len(group.tiles) for group in of_kind(played, kind)}


def of_kind(played: PlayView, kind: str) -> Iterator[Group]:
    return (group for group in played.data.groups.groups if kind in group.kinds | group.meld_kinds)


def can_be_made(played: PlayView, kind: str) -> bool:
    """Whether there are tiles for some group of a kind; wild tiles may be any."""
    tiles: TileSet = played.data.tiles
    if tiles.wild:
        return True
    copies = [0] * len(tiles.tiles)
    for tile in tiles.tiles:
        copies[tile.plain] += tile.copies
    return any(all(group.tiles.count(tile) <= copies[tile] for tile in group.tiles) for group in of_kind(played, kind))


# --- the course of play


def follows(played: PlayView, phase: Phase) -> frozenset[str]:
    """The phases that may follow a phase, `back` and `end` included; triggers may act everywhere."""
    if phase.id not in played.following:
        played.following[phase.id] = frozenset(following(played, phase))
    return played.following[phase.id]


def following(played: PlayView, phase: Phase) -> set[str]:
    found = {*after(played, phase.do), *goals(phase.then, phase.otherwise)}
    for offer in offers_of(played, phase):
        found |= after_offer(played, phase, offer)
    for trigger in played.play.triggers:
        found |= {*after(played, trigger.do)}
    return found


def after_offer(played: PlayView, phase: Phase, offer: Offer) -> set[str]:
    return {*after(played, offer.do), *goals(offer.then or phase.then)}


def after(played: PlayView, steps: tuple[Step, ...]) -> tuple[str, ...]:
    """The goals of steps themselves, also for an empty zone."""
    if id(steps) not in played.goals:
        played.goals[id(steps)] = tuple(goals_of(played, steps))
    return played.goals[id(steps)]


def goals_of(played: PlayView, steps: tuple[Step, ...]) -> Iterator[str]:
    for step in played.done(steps):
        yield from leads_to(step.does)
        for _, source in taken_from(step.does):
            yield from emptied(played, source)


def emptied(played: PlayView, source: Ir) -> Iterator[str]:
    for word in zones_in(source) or ():
        if (zone := played.data.zones.get(word.name)) is not None and zone.when_empty:
            yield zone.when_empty


def goals(*ways: Goal | None) -> Iterator[str]:
    return (goal.phase for goal in ways if goal is not None)


def offers_of(played: PlayView, phase: Phase) -> Iterator[Offer]:
    return (played.play.offers[name] for name in phase.offers)


def closure(played: PlayView, start: Iterable[str]) -> set[str]:
    """The phases that may be reached from some, those included."""
    found, todo = set[str](), [*start]
    while todo:
        if (name := todo.pop()) in played.play.phases and name not in found:
            found.add(name)
            todo += follows(played, played.play.phases[name])
    return found


def reached(played: PlayView) -> frozenset[str]:
    """The phases that may be reached from the deal."""
    if START not in played.reached:
        played.reached[START] = frozenset(closure(played, [START]))
    return played.reached[START]


def interrupting(played: PlayView) -> set[str]:
    """The phases that interrupt something, and those that may follow them before it continues."""
    return closure(played, {step.does.phase for step in played.steps if isinstance(step.does, Interrupt)})


def back(played: PlayView) -> Iterator[Problem]:
    """Check that phases that go `back` have interrupted something."""
    known, there = interrupting(played), reached(played)
    for phase in played.play.phases.values():
        if phase.id not in there or phase.id in known:
            continue
        if BACK in {*goals(phase.then, phase.otherwise), *after(played, phase.do)}:
            yield nowhere_back(played.place(f"phases.{phase.id}"), f"phase {phase.id}")
        for offer in offers_of(played, phase):
            if BACK in after_offer(played, phase, offer) and phase.then is None:
                yield nowhere_back(played.place(f"offers.{offer.id}"), f"{offer.id} in {phase.id}")


def ends(played: PlayView) -> Iterator[Problem]:
    """Check that the hand can end from every phase that is reached."""
    phases = played.play.phases
    ways = {name: follows(played, phases[name]) for name in reached(played)}
    back_to = {name for name in ways if any(isinstance(step.does, Interrupt) for step in below(played, phases[name]))}
    retiring = {name for name in ways if any(isinstance(step.does, Retire) for step in below(played, phases[name]))}
    ending = {END, *retiring}  # in the end nobody plays
    while more := {name for name, to in ways.items() if to & ending or (BACK in to and back_to & ending)} - ending:
        ending |= more
    stuck = [name for name in phases if name in ways and name not in ending]
    if stuck:
        yield cannot_end(played.place(f"phases.{stuck[0]}"), stuck)


def below(played: PlayView, phase: Phase) -> Iterator[Step]:
    """Every step that a phase, its offers and the triggers do."""
    parts = (phase.do, *(offer.do for offer in offers_of(played, phase)), *(one.do for one in played.play.triggers))
    return (step for steps in parts for step in played.done(steps))


def asked(played: PlayView) -> Iterator[Problem]:
    """Check that every asked seat has an answer, and that offers are made to somebody."""
    for phase in played.play.phases.values():
        key = played.place(f"phases.{phase.id}")
        if phase.who is None:
            if phase.offers or phase.otherwise is not None:
                yield nobody_asked(key, phase)
        elif "offers" not in section(played.view.full, "phases", phase.id).entries:
            yield nothing_asked(key, phase.id)
        elif phase.otherwise is None and phase.offers and all(map(is_there_sometimes, offers_of(played, phase))):
            yield nothing_left(key, phase)


def is_there_sometimes(offer: Offer) -> bool:
    """Whether an offer is there only sometimes."""
    return offer.when is not None or bool(offer.group) or any(one.kind in ("group", "form") for one in offer.choose)


# --- the tile in question


def in_question(played: PlayView) -> Iterator[Problem]:
    """Check that an offer to make a group of the tile in question is made where there may be one."""
    there, reported = with_tile(played), set[str]()
    for name in reached(played) - there:
        for offer in offers_of(played, played.play.phases[name]):
            if offer.group and offer.id not in reported:
                reported.add(offer.id)
                yield no_tile(played.place(f"phases.{name}.offers"), offer.id, name)


def with_tile(played: PlayView) -> set[str]:
    """The phases in which a tile may be in question when they ask."""
    play = played.play
    if any(
        brings_tile(played, one.do) and {*one.after} - {Draw.declared.name, Swap.declared.name} for one in play.triggers
    ):
        return set(play.phases)
    start: list[str] = []
    for phase in play.phases.values():
        if brings_tile(played, phase.do):
            start += [phase.id, *after(played, phase.do)]
        for offer in offers_of(played, phase):
            if brings_tile(played, offer.do) or any(map(chooses_tile, offer.choose)):
                start += after_offer(played, phase, offer)
    return closure(played, start)


def brings_tile(played: PlayView, steps: tuple[Step, ...]) -> bool:
    """Whether steps may put a tile in question: by drawing or exchanging it, or moving it to where it can be
    claimed."""
    return any(
        isinstance(step.does, Draw | Swap) or (isinstance(step.does, MoveTiles) and may_be_claimed(played, step.does))
        for step in played.done(steps)
    )


def may_be_claimed(played: PlayView, move: MoveTiles) -> bool:
    zones = [played.data.zones.get(word.name) for word in zones_in(move.to) or ()]
    return any(zone is not None and zone.claimable for zone in zones)


def chooses_tile(choose: Choose) -> bool:
    return choose.name == words.tile.name or choose.kind == "group"


CHECKS: tuple[Callable[[PlayView], Iterator[Problem]], ...] = (counts, groups, back, ends, asked, in_question)


# --- problems


def too_few(place: Place, choose: Choose, most: int, least: int) -> Problem:
    bounds = f"at most {most} tiles are chosen" + (f", and at least {least}" if most >= 1 else "")
    return Problem("never-chosen", f"{bounds}: this is impossible", place, "write at least 1, and no less than `least`")


def not_onto(place: Place, choose: Choose) -> Problem:
    return Problem(
        "never-made",
        f"adding a tile to a {choose.onto} cannot make a {choose.group}",
        place,
        "`onto` is a kind of meld with one tile less",
    )


def never_made(place: Place, kind: str) -> Problem:
    return Problem("never-made", f"there are not enough tiles for any {kind}", place, "name another kind of group")


def no_tile(place: Place, offer: str, phase: str) -> Problem:
    return Problem(
        "no-tile-in-question",
        f"in {phase} no tile is in question that {offer} could be made of",
        place,
        "`choose` a group of the hand, or offer it where a tile was discarded or drawn",
    )


def nowhere_back(place: Place, what: str) -> Problem:
    return Problem("back-to-nowhere", f"{what} goes back, but has interrupted nothing", place, "use `interrupt`")


def cannot_end(place: Place, phases: list[str]) -> Problem:
    return Problem(
        "cannot-end",
        f"once the play is in {' or '.join(phases[:3])} the hand can never end",
        place,
        "one of the phases that follow must lead to `end`",
    )


def nobody_asked(place: Place, phase: Phase) -> Problem:
    what = "has offers" if phase.offers else "has `otherwise`"
    return Problem("nobody-asked", f"phase {phase.id} {what} and asks nobody", place, "add `who`")


def nothing_asked(place: Place, phase: str) -> Problem:
    return Problem(
        "nothing-asked", f"phase {phase} asks, and offers nothing", place, "add `offers`, or leave out `who`"
    )


def nothing_left(place: Place, phase: Phase) -> Problem:
    return Problem(
        "nothing-left",
        f"in {phase.id} nobody may pass, and each offer is there only sometimes",
        place,
        "add `otherwise`: what follows when nobody takes one",
        "warning",
    )
