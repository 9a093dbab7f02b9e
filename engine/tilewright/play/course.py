"""The course of play: which operations come next, what an event sets off, where a phase leads; questions, the answers
of seats, and which of them are carried out.

The running operations are a stack of frames, so that a game can stop at a question and be copied there.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tilewright.language.compiled.play import Phase, StepQuestion
from tilewright.play.expressions import NO_LETTERS
from tilewright.play.legal_choices import add_offers, answers_to, asked_in, choices_in, has_answer, picked
from tilewright.play.legality import gathered, option_of
from tilewright.play.model import IllegalMove, Move
from tilewright.play.operations import (
    NO_FACTS,
    AnswerWindow,
    Choices,
    CompiledChoice,
    CompiledOffer,
    Frame,
    Interruption,
    Operations,
    Option,
    Subject,
)
from tilewright.play.placing import weigh_hands
from tilewright.play.scene import TableScene, one, scene_at
from tilewright.play.state import TableState
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


MOST_ANSWERS = 2_000  # of one hand


def open_window(game: TableState, phase: Phase, who: Sequence[int]) -> bool:
    """Ask seats for one of the offers of a phase."""
    frame = game.stack[-1]
    frame.subject = offered(game)
    choices = choices_of_all(game, phase.id, who)
    otherwise = phase.otherwise is not None
    if not choices:
        if otherwise:
            frame.goal = game.program.otherwise[phase.id]
        else:
            stop(game, f"in {phase.id} nobody can do anything")
        return False
    game.window = AnswerWindow(phase.id, {"en": phase.id}, otherwise, choices)
    return True


def offered(game: TableState) -> Subject | None:
    """The tile of another seat that the asked seats may claim or win on; none once it is claimed."""
    tile, discarder = game.tile, game.discarder
    if tile is None or discarder is None:
        return None
    zone, seat = game.where[tile]
    return None if zone == "melds" and seat != discarder else Subject(tile, discarder)


def choices_of_all(game: TableState, phase: str, who: Sequence[int]) -> dict[int, Choices]:
    """What each asked seat may do, without seats that may do nothing; some games keep the refusals."""
    choices: dict[int, Choices] = {}
    if game.refusing:
        for seat in who:
            found = choices_in(game, phase, seat, refusals=True)
            asked = has_answer(game, found, seat)
            if asked:
                choices[seat] = found
            game.passed_over[seat] = () if asked else gathered(found.refused or ())
        return choices
    offers, found = asked_in(game, phase), Choices()
    for seat in who:
        add_offers(game, offers, seat, found)
        if found:
            if has_answer(game, found, seat):
                choices[seat] = found
            found = Choices()
    return choices


def open_question(
    game: TableState,
    ask: StepQuestion,
    who: Sequence[int],
    choosing: tuple[CompiledChoice, ...],
    letters: Mapping[str, Any],
) -> bool:
    """Ask seats a question of a step, except those whose only answer is no tiles."""
    names = [one.choose.name for one in choosing]
    for name in names:
        game.answered.setdefault(name, [None] * game.program.count)
    window = AnswerWindow("", ask.name, False, {}, ask)
    for seat in who:
        choices = answers_to(game, choosing, seat, letters)
        if not has_answer(game, choices, seat):
            stop(game, f"{game.program.names[seat]} has no answer to: {title_of(ask)}")
            return False
        only = the_only(game, choices, seat)
        if only is not None:
            window.answers[seat] = only
        else:
            window.choices[seat] = choices
    game.window = window
    if not window.choices:
        close_question(game, window)
        return False
    return True


def title_of(ask: StepQuestion) -> str:
    """What is asked, in English if it is there; by default the names of what is chosen."""
    return next(
        (ask.name[key] for key in ("en", *ask.name) if key in ask.name), ", ".join(one.name for one in ask.choose)
    )


def answer(game: TableState, move: Move) -> bool:
    """Take a seat's answer. Returns whether play continues. Raises IllegalMove."""
    option = option_of(game, move)
    window = game.window
    assert window is not None
    keep_answer(game, window, option)
    if game.answers > MOST_ANSWERS:
        break_off(game, window)
    elif window.ask is not None:
        if any(seat not in window.answers for seat in window.choices):
            return False
        close_question(game, window)
    elif len(window.answers) == len(window.choices) or decided(game, window):
        close(game, window)
    else:
        return False
    return True


def answer_together(game: TableState, moves: Sequence[Move]) -> None:
    """Take several seats' answers to one question; the others that were asked are ignored. Raises IllegalMove."""
    options = [option_of(game, move) for move in moves]
    window = game.window
    if window is None or not moves:
        raise IllegalMove("nobody is asked for a move" if window is None else "nobody answers: moves are missing")
    seats = [option.move.seat for option in options]
    if len({*seats}) < len(seats):
        raise IllegalMove("one seat answers twice")
    if window.ask is not None and not window.choices.keys() <= {*window.answers, *seats}:
        raise IllegalMove("some of those who are asked do not answer")
    for option in options:
        keep_answer(game, window, option)
    if game.answers > MOST_ANSWERS:
        break_off(game, window)
    elif window.ask is None:
        close(game, window)
    else:
        close_question(game, window)


def break_off(game: TableState, window: AnswerWindow) -> None:
    """End a hand that has lasted too long."""
    announce_answers(game, window)
    stop(game, f"a hand has at most {MOST_ANSWERS:,} answers")


def keep_answer(game: TableState, window: AnswerWindow, option: Option) -> None:
    window.answers[option.move.seat] = option
    game.answers += 1
    game.decisions[game.player(option.move.seat)] += 1


def decided(game: TableState, window: AnswerWindow) -> bool:
    """Whether the open answers can no longer matter."""
    takers = [(seat, option) for seat, option in window.answers.items() if option.offering is not None]
    if not takers:
        return False
    rank = min(rank_of(option.offering) for _, option in takers)
    best = sorted((s for s, option in takers if rank_of(option.offering) == rank), key=game.after_turn)
    places = most(game, window, best[0])
    for seat, choices in window.choices.items():
        if seat in window.answers:
            continue
        first = min(map(rank_of, choices.offerings()))
        nearer = sum(game.after_turn(taker) < game.after_turn(seat) for taker in best)
        if first < rank or (first == rank and nearer < places):
            return False
    return True


def most(game: TableState, window: AnswerWindow, seat: int) -> int:
    """How many seats may take what this one takes."""
    offering = window.answers[seat].offering
    if offering is None or offering.most is None:
        return 1
    return int(offering.most(TableScene(game, seat), {}))


def close(game: TableState, window: AnswerWindow) -> None:
    """Close the window: decide who takes what, in which order."""
    announce_answers(game, window)
    frame = game.stack[-1]
    takers = [(seat, option) for seat, option in window.answers.items() if option.offering is not None]
    game.window = None
    if not takers:
        game.takers = ()
        frame.goal = game.program.otherwise[window.phase]
        return
    if len(takers) == 1:
        frame.takers, game.takers = (takers[0][1],), (takers[0][0],)
        return
    rank = min(rank_of(option.offering) for _, option in takers)
    first = sorted((one for one in takers if rank_of(one[1].offering) == rank), key=lambda one: game.after_turn(one[0]))
    chosen = [one for one in first if one[1].offering is first[0][1].offering][: most(game, window, first[0][0])]
    frame.takers, game.takers = tuple(option for _, option in chosen), tuple(seat for seat, _ in chosen)
    game.read_before = {}
    if len(chosen) > 1:
        for seat, option in chosen:
            if option.offering is not None and option.offering.wins:
                won = game.judging.read(TableScene(game, seat))
                if won is not None:
                    game.read_before[seat] = won


def take(game: TableState, frame: Frame) -> None:
    """Carry out the next answer that is taken."""
    if not frame.takers:
        return
    option: Option = frame.takers[0]
    frame.takers = frame.takers[1:]
    if frame.takers:
        frame.at -= 1
    offering, seat = option.offering, option.move.seat
    assert offering is not None
    frame.seat = seat
    frame.goal = offering.then
    game.passed_over.clear()
    game.announce("take", seat, (), (("offer", offering.offer.id),))
    end_marks(game, offering.offer.id, seat)
    if "tile" in option.facts and option.facts["tile"][0] is not None:
        game.tile = option.facts["tile"][0]
    if "group" in option.facts:
        game.group = option.facts["group"][0]
    begin(game, offering.code, seat, {**option.letters}, subject=subject_of(game, option))


def subject_of(game: TableState, option: Option) -> Subject | None:
    """The tile that is claimed, discarded or added; of an offer without a tile, nothing."""
    tiles, groups = option.facts.get("tile") or (), option.facts.get("group") or ()
    found = next((tile for tile in (*tiles, *(group.claimed for group in groups)) if tile is not None), None)
    return None if found is None else Subject(found, game.discarder)


def announce_answers(game: TableState, window: AnswerWindow) -> None:
    if game.listening and window.choices:
        names = game.program.names
        seats = sorted(window.answers, key=game.from_dealer)
        answers = {names[seat]: written(window.answers[seat].move) for seat in seats if seat in window.choices}
        asked = window.phase or "ask"
        game.announce("answers", None, (), (("to", asked), ("answers", answers)), frozenset())


def close_question(game: TableState, window: AnswerWindow) -> None:
    """Everyone has answered: set the answers as words of the seats."""
    ask = window.ask
    assert ask is not None
    announce_answers(game, window)
    game.window = None
    answers: dict[str, Any] = {}
    for seat in sorted(window.answers, key=game.from_dealer):
        option = window.answers[seat]
        for choose in ask.choose:
            game.answered[choose.name][seat] = option.letters[choose.name]
        answers[game.program.names[seat]] = written(option.move)
    if not ask.secret:
        game.announce("told", None, (), (("name", dict(ask.name)), ("answers", answers)))


def rank_of(offering: CompiledOffer | None) -> int:
    """The priority of an offer; one without a rank comes last."""
    return 1_000_000 if offering is None or offering.offer.rank is None else offering.offer.rank


def written(move: Move) -> dict[str, str]:
    """A move as plain data."""
    return {"move": move.does, **dict(move.choice)}


def the_only(game: TableState, choices: Choices, seat: int) -> Option | None:
    """The answer, if the only one is to choose no tiles."""
    if choices.options or choices.own or len(choices.picks) != 1 or choices.picks[0].pick.most:
        return None
    opened = choices.picks[0]
    return picked(game, opened, opened.pick.move(seat, []))
