"""The course of play: which operations come next, what an event sets off, where a phase leads.

The running operations are a stack of frames, so that a game can stop at a question and be copied there.
"""

from collections.abc import Callable, Mapping
from typing import Any

from tilewright.play.program.compiled import Operations
from tilewright.play.scene.expressions import NO_LETTERS
from tilewright.play.scene.placing import weigh_hands
from tilewright.play.scene.scene import TableScene, one, scene_at
from tilewright.play.state.frames import NO_FACTS, Frame, Interruption, Subject
from tilewright.play.state.state import TableState
from tilewright.scoring.wildness import wild_now

MOST_OPERATIONS = 10_000  # between two answers


def start(game: TableState, phase: str, seat: int, before: Interruption | None = None) -> None:
    """A phase begins."""
    game.stack.append(Frame(game.program.phases[phase], seat, {}, before))


def begin(
    game: TableState,
    code: Operations,
    seat: int,
    letters: dict[str, Any],
    facts: Mapping[str, Any] = NO_FACTS,
    subject: Subject | None = None,
) -> None:
    """Run steps before the current ones continue."""
    game.stack.append(Frame(code, seat, letters, None, facts, subject))


def run(game: TableState, after_hand: Callable[[], None]) -> None:
    """Run operations until one stops (a seat has to answer), a tile may be claimed that players want to see first, or
    none is left. `after_hand` is called after each hand; it may begin the next."""
    stack, done, shifts, pausing = game.stack, 0, game.base.shifts, game.pausing
    while stack or game.hand_ended:
        if pausing and game.to_claim and is_between_phases(game):
            game.to_claim = False
            return
        if game.hand_ended:
            game.hand_ended = False
            after_hand()
            continue
        if shifts:
            shift(game)
        frame = stack[-1]
        at, operations = frame.at, frame.code.operations
        if at == len(operations):
            stack.pop()
            continue
        frame.at = at + 1
        done += 1
        if done > MOST_OPERATIONS:
            stop(game, f"{frame.code.name} takes more than {MOST_OPERATIONS:,} steps")
            done = 0
        elif operations[at](game, frame):
            return


def is_between_phases(game: TableState) -> bool:
    """Whether all that the last phase set off has been carried out, as far as it is: what comes next may depend on
    hidden tiles."""
    return game.hand_ended or (game.stack[-1].code.phase and game.stack[-1].at == 0)


def shift(game: TableState) -> None:
    """Update which tiles are wild."""
    base = game.base
    now = wild_now(base.data, TableScene(game, 0), lambda when, there: bool(base.evaluator(when)(there, {})))
    if now != game.wild:
        game.wild, game.program = now, game.base.as_wild(now)
        game.judging = game.judge_of(game)
        weigh_hands(game)


def stop(game: TableState, why: str) -> None:
    """Play cannot continue: treat the wall as empty."""
    game.announce("problem", None, (), (("says", why),))
    leave_for(game, game.program.exhausted, 0)


def run_out(game: TableState, zone: str) -> None:
    """A tile was needed from an empty zone."""
    phase = game.program.rules.data.zones[zone].when_empty
    if phase:
        leave_for(game, phase, game.turn)
    else:
        game.announce("problem", None, (), (("says", f"{zone} is empty"),))


def leave_for(game: TableState, phase: str, seat: int) -> None:
    """Drop everything that runs and start a phase."""
    game.stack.clear()
    game.window = None
    if phase == "end":
        game.end_hand(phase)
    else:
        start(game, phase, seat)


def fire(
    game: TableState,
    event: str,
    seat: int,
    subject: Subject | None = None,
    letters: Mapping[str, Any] = NO_LETTERS,
) -> None:
    """An event: marks end, triggers follow. `letters`: the arguments of an action."""
    if event in game.program.listeners:
        end_marks(game, event, seat)
        trigger(game, event, seat, subject, letters)


def trigger(
    game: TableState,
    event: str,
    seat: int,
    subject: Subject | None = None,
    letters: Mapping[str, Any] = NO_LETTERS,
) -> None:
    """Run the triggers after an event whose marks have ended. Nothing changes until one of them holds."""
    listeners = game.program.listeners.get(event)
    if listeners is None:
        return
    triggers, facts = listeners.triggers, in_question(game, subject)
    for number, first in enumerate(triggers):
        if first.when is None or first.when(TableScene(game, seat, first.given(letters), facts), {}):
            for later in reversed(triggers[number + 1 :]):
                begin(game, later.code, seat, later.given(letters), facts)
            begin(game, first.steps, seat, first.given(letters), facts)
            return


def in_question(game: TableState, subject: Subject | None) -> Mapping[str, Any]:
    """The subject of triggers, even if another tile is in question now: after a claim that drew a replacement tile, it
    is still the claimed tile."""
    if subject is None or subject.tile == game.tile:
        return NO_FACTS
    return {"tile": (subject.tile,), "discarder": one(subject.discarder)}


def end_marks(game: TableState, event: str, seat: int) -> None:
    listeners = game.program.listeners.get(event)
    if listeners is None:
        return
    for name in listeners.own:
        game.marks[name][seat] = None
    for name in listeners.every:
        game.marks[name] = [None] * game.program.count
    for name in listeners.table:
        if name in game.marks:
            game.marks[name][0] = None
        else:
            game.match_marks[name] = None


def follow(game: TableState, frame: Frame, goal: Any, leave: bool = False) -> None:
    """Continue as a goal says; the goal of a taken answer has priority over that of the phase."""
    chosen = goal if frame.goal is None or leave else frame.goal
    if chosen is None:
        stop(game, f"nothing follows {frame.code.name}")
        return
    phase, seat_of = chosen
    seats = (frame.seat,) if seat_of is None else seat_of(scene_at(game, frame), {})
    seat = seats[0] if seats else frame.seat
    if phase == "back":
        go_back(game, frame)
        return
    if phase == "end":
        running = (one.code.name for one in reversed(game.stack) if one.code.phase)
        game.end_hand(next(running, frame.code.name))
        return
    if seat_of is not None:
        game.turn = seat
    before = None if leave or phase not in game.program.goes_back else interrupted(game, frame)
    if before is None:
        game.stack.clear()
    else:
        del game.stack[game.stack.index(frame) :]
    start(game, phase, seat, before)


def interrupted(game: TableState, frame: Frame) -> Interruption | None:
    """What is restored when the interruption of a frame ends."""
    found = next((one for one in reversed(game.stack) if one.code.phase), frame)
    return found.before


def interrupt(game: TableState, phase: str, seat: int, tile: int | None = None) -> None:
    """Run a phase now, with the tile in question if one is named; the acting seat is the discarder. Whether somebody
    is asked there may depend on hidden tiles, so a pausing game stops first."""
    before = Interruption(game.tile, game.discarder, game.turn, game.group)
    game.discarder = seat
    if tile is not None:
        game.tile = tile
    if game.program.play.phases[phase].who is not None:
        game.to_claim = game.pausing
    start(game, phase, seat, before)


def go_back(game: TableState, frame: Frame) -> None:
    """Continue what was interrupted, with everything as it was."""
    while game.stack:
        top = game.stack.pop()
        if top.before is not None:
            before = top.before
            game.tile, game.discarder, game.turn = before.tile, before.discarder, before.turn
            game.group = before.group
            return
    stop(game, f"{frame.code.name} goes back, and nothing was interrupted")
