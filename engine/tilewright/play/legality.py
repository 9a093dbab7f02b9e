"""Legal and illegal moves: all of a seat; the option of a move, or why it is illegal (who is asked for what, the cause,
and what could be done instead, in English); what a seat may expect to do but may not, with the reason in the languages
of the ruleset. In: a table and a seat or a move.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from tilewright.language.compiled.play import Choose, Offer
from tilewright.play.legal_choices import choices_in, listed, picked
from tilewright.play.model import ANSWER, PASS, Chosen, IllegalMove, Move, Pick, Refusal, Text
from tilewright.play.operations import Choices, OpenChoice, Option
from tilewright.play.scene import TableScene
from tilewright.play.state import TableState
from tilewright.scoring.case_mistakes import way_out
from tilewright.tiles.notation import NotationError, read_tile

MOST_ALLOWED = 500  # moves of a described choice that are shown
MOST_LISTED = 5_000  # moves of one described choice
MOST_TOLD = 14  # things that could be done instead
LONGEST = 40  # characters of a wrong text


def legal_moves(game: TableState, seat: int) -> tuple[Move, ...]:
    """Every complete move of a seat, up to 5 000 of each described choice."""
    question = game.question(seat)
    if question is None or game.window is None:
        return ()
    several = [move for one in game.window.choices[seat].picks for move in listed(game, one, seat, MOST_LISTED)[0]]
    return (*several, *question.moves)


def allowed(game: TableState, seat: int, pick: Pick) -> tuple[tuple[Move, ...], bool]:
    """The first moves of a described choice that the seat is asked for, and whether those are all. Raises IllegalMove
    for another one."""
    choices = None if game.window is None else game.window.choices.get(seat)
    opened = None if choices is None else next((one for one in choices.picks if one.pick == pick), None)
    if opened is None:
        raise IllegalMove("the seat is not asked for this choice")
    return listed(game, opened, seat, MOST_ALLOWED, 2 * MOST_ALLOWED)


def option_of(game: TableState, move: Move) -> Option:
    """The option of a move. Raises IllegalMove."""
    found = legal_option(game, move)
    if found is None:
        raise illegal(game, move)
    return found


def legal_option(game: TableState, move: Move) -> Option | None:
    """The option of a move; None if it is illegal."""
    window = game.window
    if window is None or not is_move(move):
        return None
    choices = window.choices.get(move.seat)
    if choices is None or move.seat in window.answers:
        return None
    if move.does == PASS and not move.choice and window.may_pass:
        return Option(move, None, {})
    found = choices.option(move)
    if found is None:
        return next((one for opened in choices.picks if (one := picked(game, opened, move)) is not None), None)
    return found


def allows(game: TableState, move: Move) -> bool:
    """Whether the move is legal now. Finds no reasons, as players try many choices of several tiles."""
    return legal_option(game, move) is not None


# --- an illegal move


def illegal(game: TableState, move: Move) -> IllegalMove:
    """Why the move is illegal."""
    if not is_move(move):
        return IllegalMove("this is not a move; a move has a seat, an offer, and texts that it chooses")
    if game.window is None:
        return IllegalMove("nobody is asked for a move: the match is over")
    names = game.program.names
    if not game.is_seat(move.seat):
        seats = f"{names[0]} is 0, {names[-2]} is {game.program.count - 1}"
        return IllegalMove(f"no seat has the number {clipped(str(move.seat))}; {seats}")
    refusal = refused(game, move)
    if refusal is not None:
        english = next((refusal.reason[key] for key in ("en", *refusal.reason) if key in refusal.reason), "")
        return IllegalMove(f"{place(game, move.seat)}: {called(game, move.does)}: {english}", refusal.reason)
    cause, instead = cause_of(game, move)
    return IllegalMove(f"{place(game, move.seat)}: {cause}" + (f"; {instead}" if instead else ""))


def is_move(move: object) -> bool:
    """Whether its values have the types of a move."""
    return (
        isinstance(move, Move)
        and type(move.seat) is int
        and isinstance(move.does, str)
        and isinstance(move.choice, tuple)
        and all(isinstance(pair, tuple) and len(pair) == 2 for pair in move.choice)
        and all(isinstance(text, str) for pair in move.choice for text in pair)
    )


def refused(game: TableState, move: Move) -> Refusal | None:
    """The refusal that applies to the move; if every choice of an offer is refused, an incomplete move will do."""
    here = is_among_the_asked(game, move.seat)
    open_choices = game.window.choices.get(move.seat) if game.window is not None else None
    whole = open_choices is not None and move.does in offered(open_choices)
    for refusal in all_refusals(game, move.seat) if here else game.passed_over.get(move.seat, ()):
        for choice in refusal.choices or (refusal.choice,):
            if refusal.does == move.does and begins_alike(move.choice, choice, whole):
                return refusal
    return None


def begins_alike(chosen: Chosen, refused_choice: Chosen, whole: bool) -> bool:
    """Whether they choose the same as far as both go; with `whole`, everything refused must be chosen."""
    if whole and len(chosen) < len(refused_choice):
        return False
    return all(one == other for one, other in zip(chosen, refused_choice, strict=False))


def cause_of(game: TableState, move: Move) -> tuple[str, str | None]:
    """Why the move is illegal, and what could be done instead."""
    window, seat = game.window, move.seat
    assert window is not None
    if seat in window.answers:
        return "it has answered already", f"still asked: {named(game, game.asked)}"
    if seat not in window.choices:
        out = "it is out of this hand" if seat not in game.playing else "it is not asked now"
        return out, f"asked: {named(game, game.asked)}"
    choices, may = window.choices[seat], what_may_be_done(game, seat)
    if move.does == PASS:
        return ("a pass chooses nothing", None) if window.may_pass else ("it may not pass", may)
    if window.ask is not None and move.does != ANSWER:
        return f"it is asked a question, and {shown(move.does)} is not an answer", may
    if move.does not in (ANSWER, *offered(choices)):
        return not_offered(game, move), may
    return wrong_choice(game, move, choices)


def not_offered(game: TableState, move: Move) -> str:
    """Why an offer cannot be taken at all."""
    window, offers = game.window, game.program.play.offers
    assert window is not None
    if move.does not in offers:
        meant = way_out(move.does, [*offers, PASS]) if len(move.does) <= LONGEST else None
        return f"no offer is called {shown(move.does)}" + (f" ({meant})" if meant and meant.startswith("did") else "")
    offer, phase = offers[move.does], game.program.play.phases[window.phase]
    if offer.id not in phase.offers:
        return f"{called(game, offer.id)} is not offered in this phase"
    return f"{called(game, offer.id)}: {lacking(game, offer, move.seat)}"


def lacking(game: TableState, offer: Offer, seat: int) -> str:
    """What an offer needs that is not there."""
    if any(one.offer is offer and one.wins for one in game.program.offerings[game.window.phase if game.window else ""]):
        return "this is not a winning hand"
    if offer.group and game.tile is not None and not makes(game, offer.group, seat):
        return f"the hand makes no {offer.group} with {game.program.code[game.tile]}"
    group = next((choose for choose in offer.choose if choose.kind == "group"), None)
    if group is not None:
        return f"the hand has no tile for a {group.onto}" if group.onto else f"the hand has no {group.group}"
    return "there is nothing to choose" if offer.choose else "it is not there now"


def makes(game: TableState, kind: str, seat: int) -> bool:
    """Whether the hand makes a group of the kind with the tile in question."""
    program = game.program
    return game.tile is not None and bool(program.groups.held_ways(kind, program.plain[game.tile], game.counts[seat]))


# --- a wrong choice


def wrong_choice(game: TableState, move: Move, choices: Choices) -> tuple[str, str | None]:
    """What is wrong with what is chosen: the first name or text with which no choice begins."""
    listed = [option.move.choice for option in choices.every() if option.move.does == move.does]
    picks = [opened for opened in choices.picks if opened.pick.does == move.does]
    left = [*listed, *((*opened.pick.before, (opened.pick.name, "")) for opened in picks)]
    for at, (name, text) in enumerate(move.choice):
        wanted = list(dict.fromkeys(choice[at][0] for choice in left if len(choice) > at))
        if name not in wanted:
            return wrong_name(game, move, name, wanted)
        opened = next((one for one in picks if one.pick.name == name and move.choice[:at] == one.pick.before), None)
        if opened is not None:
            return wrong_pick(game, opened, text.split()) if len(move.choice) == at + 1 else too_much(move, at)
        fitting = [choice for choice in left if len(choice) > at and choice[at] == (name, text)]
        if not fitting:
            texts = list(dict.fromkeys(choice[at][1] for choice in left if len(choice) > at))
            return wrong_text(game, move, name, text), f"there is {several(texts)}"
        left = fitting
    missing = next((choice[len(move.choice)][0] for choice in left if len(choice) > len(move.choice)), "")
    texts = list(dict.fromkeys(choice[len(move.choice)][1] for choice in left if len(choice) > len(move.choice)))
    return f"{called(game, move.does)} does not say {missing}", f"there is {several(texts)}" if any(texts) else None


def wrong_name(game: TableState, move: Move, name: str, wanted: Sequence[str]) -> tuple[str, str | None]:
    if not wanted:
        return f"{called(game, move.does)} chooses nothing called {shown(name)}", None
    return f"{called(game, move.does)} chooses {' or '.join(wanted)} here, not {shown(name)}", None


def too_much(move: Move, at: int) -> tuple[str, str | None]:
    return f"nothing is chosen after {move.choice[at][0]}", None


def wrong_text(game: TableState, move: Move, name: str, text: str) -> str:
    """Why this text cannot be chosen."""
    choose = choose_of(game, move, name)
    if choose is not None and choose.kind == "tiles" and choose.type == "tile":
        return wrong_tile(game, move.seat, text)
    return f"{name} cannot be {shown(text)}"


def wrong_tile(game: TableState, seat: int, text: str) -> str:
    code = text.partition("@")[0]
    try:
        tile = read_tile(code, game.program.data.tiles)
    except NotationError:
        return f"{shown(text)} is not a tile"
    held = game.zones["hand"][seat] if "hand" in game.zones else ()
    if "@" not in text and tile not in {game.program.face[one] for one in held}:
        return f"no {code} is in the hand"
    return f"{shown(text)} cannot be chosen"


def wrong_pick(game: TableState, opened: OpenChoice, texts: Sequence[str]) -> tuple[str, str | None]:
    """Why these tiles cannot be chosen together."""
    pick, there = opened.pick, Counter(opened.pick.tiles)
    for text, number in Counter(texts).items():
        if text not in there:
            return f"{pick.name} cannot have {shown(text)}", f"there is {several(list(there))}"
        if number > there[text]:
            return f"{number} of {text} were chosen, but there are {there[text]}", None
    if not pick.least <= len(texts) <= pick.most:
        wanted = str(pick.most) if pick.least == pick.most else f"{pick.least} to {pick.most}"
        tiles = "tile is" if wanted == "1" else "tiles are"
        return f"{wanted} {tiles} to be chosen, {len(texts)} {'was' if len(texts) == 1 else 'were'}", None
    form = opened.choosing.choose.form
    return f"these tiles do not make {form}" if form else "these tiles may not be chosen together", None


def choose_of(game: TableState, move: Move, name: str) -> Choose | None:
    """How the ruleset declares a choice of an offer, or of the question that is asked."""
    ask = game.window.ask if game.window is not None else None
    offer = game.program.play.offers.get(move.does)
    found = ask.choose if ask is not None else offer.choose if offer is not None else ()
    return next((choose for choose in found if choose.name == name), None)


# --- words


def place(game: TableState, seat: int) -> str:
    """Who it is, and what is asked: `E (Claims)`."""
    window = game.window
    assert window is not None
    name = window.name if window.ask is not None else game.program.asks[window.phase]
    asked = english(name)
    return f"{game.program.names[seat]} ({asked})" if asked else game.program.names[seat]


def called(game: TableState, does: str) -> str:
    """The name of the move, as written in moves."""
    return does if does in game.program.play.offers or does == ANSWER else shown(does)


def english(text: Text | Mapping[str, str]) -> str:
    return text.get("en") or next(iter(text.values()), "")


def named(game: TableState, seats: Iterable[int]) -> str:
    return ", ".join(game.program.names[seat] for seat in seats)


def offered(choices: Choices) -> list[str]:
    """What a seat may do, by name."""
    return list(dict.fromkeys(one.offer.id for one in choices.offerings() if one is not None))


def what_may_be_done(game: TableState, seat: int) -> str:
    """What the seat may do instead."""
    window = game.window
    assert window is not None
    if window.ask is not None:
        return f"answer with {' and '.join(choose.name for choose in window.ask.choose)}"
    passing = [PASS] if window.may_pass else []
    return f"there is {several([*offered(window.choices[seat]), *passing])}"


def several(texts: Sequence[str]) -> str:
    """The texts, as far as there is room."""
    more = ["..."] if len(texts) > MOST_TOLD else []
    return ", ".join([*(text or "nothing" for text in texts[:MOST_TOLD]), *more])


def shown(text: str) -> str:
    """An untrusted text, cut to a readable length."""
    return repr(clipped(text))


def clipped(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def refusals(game: TableState, seat: int) -> tuple[Refusal, ...]:
    """What the seat may expect to do now but may not, one for each reason. If a phase has skipped it because everything
    was refused: those refusals, until the next answer is carried out."""
    if is_among_the_asked(game, seat):
        return gathered(all_refusals(game, seat))
    return game.passed_over.get(seat, ())


def all_refusals(game: TableState, seat: int) -> Sequence[Refusal]:
    """Every choice that the current phase refuses to one of the seats it asks."""
    assert game.window is not None
    return choices_in(game, game.window.phase, seat, refusals=True).refused or ()


def is_among_the_asked(game: TableState, seat: int) -> bool:
    """Whether the phase asks the seat, even if it can do nothing."""
    return game.window is not None and game.window.ask is None and seat in who_is_asked(game)


def who_is_asked(game: TableState) -> tuple[int, ...]:
    """The seats that the phase asks, even those that can do nothing."""
    frame = game.stack[-1]
    phase = game.program.play.phases[frame.code.name]
    assert phase.who is not None
    who: tuple[int, ...] = game.program.evaluator(phase.who)(TableScene(game, frame.seat, frame.letters), {})
    return who


def gathered(refused: Iterable[Refusal]) -> tuple[Refusal, ...]:
    """One refusal for each offer and reason; with several choices, its `choice` is empty."""
    found: dict[tuple[str, tuple[tuple[str, str], ...]], list[Refusal]] = {}
    for refusal in refused:
        found.setdefault((refusal.does, tuple(refusal.reason.items())), []).append(refusal)
    return tuple(together(alike) for alike in found.values())


def together(alike: Sequence[Refusal]) -> Refusal:
    """The refusals of one offer for one reason, combined."""
    choices = tuple(dict.fromkeys(refusal.choice for refusal in alike))
    first = alike[0]
    return Refusal(first.does, choices[0] if len(choices) == 1 else (), first.reason, choices)
