"""Questions: those of a phase or a step, the answers of seats, and which of them are carried out."""

from collections.abc import Mapping, Sequence
from typing import Any

from tilewright.language.compiled.play import Phase, StepQuestion
from tilewright.play.model.moves import IllegalMove, Move
from tilewright.play.offers.legal_choices import add_offers, answers_to, asked_in, choices_in, has_answer, picked
from tilewright.play.offers.legality import option_of
from tilewright.play.offers.refusals import gathered
from tilewright.play.program.choices import Choices, Option
from tilewright.play.program.compiled import CompiledChoice, CompiledOffer
from tilewright.play.scene.scene import TableScene
from tilewright.play.state.frames import AnswerWindow, Frame, Subject
from tilewright.play.state.state import TableState
from tilewright.play.steps.course import begin, end_marks, stop

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
