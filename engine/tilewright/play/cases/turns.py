"""Turns of a play: the moves of a case, read and made in a match.

A seat that a play does not mention passes where it may. Knows no case and no expectations.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tilewright.language.documents.former import OF_TURNS
from tilewright.play.match import Match
from tilewright.play.model.moves import ANSWER, PASS, Move, Text
from tilewright.play.offers.finding import AmbiguousMove, fitting, spelled
from tilewright.play.offers.legality import illegal
from tilewright.play.offers.refusals import refusals
from tilewright.play.rules import Rules
from tilewright.scoring.case_hands import read_seat, seat_names
from tilewright.scoring.case_mistakes import CaseError, way_out

OTHERS, EVERYONE = "others", "everyone"


@dataclass(frozen=True, slots=True)
class WrittenTurn:
    """One entry of a play: who does what, choosing what by name; a teacher's comment, why it is refused, what is
    expected afterwards. `who` is a seat, `others`, `everyone`, or empty where nobody moves."""

    who: str = ""
    does: str = ""
    choice: Mapping[str, str] = field(default_factory=dict)
    say: Text = field(default_factory=dict)
    refused: str | None = None
    expect: Mapping[str, Any] = field(default_factory=dict)


def entries_of(case: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The entries of a case's play. Raises CaseError."""
    play = case.get("play")
    if not isinstance(play, list | tuple) or not all(isinstance(entry, Mapping) for entry in play):
        raise CaseError("wrong-play", "play is a list of moves", "for instance [{E: discard, tile: 5m}]")
    return play


def read_turn(rules: Rules, entry: Mapping[str, Any]) -> WrittenTurn:
    """One entry of a play. Raises CaseError."""
    rest = {str(key): value for key, value in entry.items() if key not in OF_TURNS}
    seats = [OTHERS, EVERYONE, *seat_names(rules.data)]
    who = next((key for key in rest if key in seats), next(iter(rest), ""))
    does = rest.pop(who, "")
    say, expect, why = entry.get("say") or {}, entry.get("expect") or {}, entry.get("refused")
    if not isinstance(expect, Mapping) or not isinstance(why, str | None) or not isinstance(does, str):
        hint = "for instance {E: discard, tile: 5m}"
        raise CaseError("wrong-play", f"a move is a seat with what it does, not {dict(entry)!r:.60}", hint)
    known = [*rules.program.play.offers, PASS, ANSWER]
    if who and does not in known:
        raise CaseError("unknown-offer", f"there is no offer called {does!r}", way_out(does, known))
    if who and who not in seats:
        read_seat(rules.data, who, "play")
    if why is not None and who in ("", OTHERS, EVERYONE):
        raise CaseError("wrong-play", "a refused move is that of one seat", "say whose")
    choice = {name: text_of(value) for name, value in rest.items()}
    return WrittenTurn(who, does, choice, say if isinstance(say, Mapping) else {"en": str(say)}, why, expect)


def text_of(value: Any) -> str:
    """What is chosen, as moves write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


# --- moves


def make(game: Match, turn: WrittenTurn) -> None:
    """Make the move of a turn; one that should be refused is only tried. Raises CaseError."""
    if not turn.who:
        return
    if turn.who in (OTHERS, EVERYONE):
        for each in game.asked:
            if each in game.asked:  # the answers of others may have decided it already
                make_for(game, each, turn)
        return
    seat = read_seat(game.program.data, turn.who, "play")
    assert seat is not None
    if turn.refused is not None:
        expect_refusal(game, seat, turn, turn.refused)
    else:
        make_for(game, seat, turn)


def make_for(game: Match, seat: int, turn: WrittenTurn) -> None:
    """Make a seat's move, once every seat that may pass before it has passed. Raises CaseError."""
    found = fitting(game, seat, turn.does, turn.choice)
    expected = not found and (game.question(seat) is not None or bool(refusals(game, seat)))
    why = no_move(game, seat, turn) if expected else None
    while not found:
        if not all_pass(game):
            raise why or no_move(game, seat, turn)
        found = fitting(game, seat, turn.does, turn.choice)
    if len(found) > 1:
        several = AmbiguousMove(found)
        raise CaseError("ambiguous-move", several.why, f"say which: {several.ways}")
    game.answer(found[0])


def all_pass(game: Match) -> bool:
    """Every asked seat passes; False if one may not."""
    if game.window is None or not game.window.may_pass:
        return False
    game.pass_all()
    return True


def no_move(game: Match, seat: int, turn: WrittenTurn) -> CaseError:
    """Why the move cannot be made now."""
    return CaseError("illegal-move", str(illegal(game, as_written(game, seat, turn))))


def as_written(game: Match, seat: int, turn: WrittenTurn) -> Move:
    """The move as the play has it, tiles as moves write them."""
    return Move(seat, turn.does, tuple((name, " ".join(spelled(game, text))) for name, text in turn.choice.items()))


def close_window(game: Match, following: WrittenTurn | None) -> None:
    """Seats that have not answered pass once another has, unless the next turn is theirs."""
    window = game.window
    if window is None or not window.answers or not window.may_pass:
        return
    asked = {game.program.names[seat] for seat in game.asked}
    if following is None or following.who not in (*asked, OTHERS, EVERYONE):
        all_pass(game)


def expect_refusal(game: Match, seat: int, turn: WrittenTurn, why: str) -> None:
    """Check that the move is refused for the expected reason. Raises CaseError."""
    if fitting(game, seat, turn.does, turn.choice):
        raise CaseError("not-refused", f"{turn.who} may do {turn.does} here", "leave out `refused`")
    error = illegal(game, as_written(game, seat, turn))
    if not any(why in reason for reason in (*error.reason.values(), str(error))):
        raise CaseError("case-fails", f"the move should be refused with {why!r}, but it is with {str(error)!r}")
