"""Cases with a play: a prepared table, moves made at it, and what is expected. In: rules, and a case as written. Out: a
problem for each unmet expectation, at the line of the move. A seat that a play does not mention passes where it may."""

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import zip_longest
from typing import Any

from tilewright.base.problem import Place, Problem, RulesetError
from tilewright.language.compiled.ruleset import RulesetCase, Zone
from tilewright.language.documents.former import OF_TURNS
from tilewright.play.finding import AmbiguousMove, fitting, spelled
from tilewright.play.layout import KEYS, TablePosition, read_layout
from tilewright.play.legality import illegal, refusals
from tilewright.play.match import Match
from tilewright.play.model import ANSWER, PASS, Move, Text
from tilewright.play.noting import PlayResults
from tilewright.play.rules import Rules
from tilewright.play.state import plain_value
from tilewright.play.view import View
from tilewright.scoring.case import read_lying, read_mark
from tilewright.scoring.case_hands import read_seat, seat_names
from tilewright.scoring.case_mistakes import CaseError, way_out
from tilewright.scoring.examples import Tell, agrees, found_as, nobody, shown, stands_in, unfit_options
from tilewright.scoring.score import json_number

Entry = Mapping[str, Any]
Reopen = Callable[[Mapping[str, Any]], Rules]  # the same rules with other options
OF_PLAYS = ("seed", "options", "play", "expect")
BESIDE = ("id", "ruleset", "name", "about", "source")
OF_A_HAND = ("win", "win_tile", "self_draw", "discarder", "winner")  # what a play shows and does not say


def check_plays(
    rules: Rules,
    reopen: Reopen,
    of: Set[str] | None = None,
    tell: Tell = nobody,
    known: PlayResults | None = None,
) -> Iterator[Problem]:
    """A problem for each unmet expectation in the cases of a ruleset that have a play. `of`: only cases in these
    documents; `known`: what plays gave under other rules, which is taken over where they are the same to them."""
    for entry in rules.data.cases:
        options = entry.case.get("options")
        if "play" in entry.case and stands_in(entry.place, of):
            try:
                there = reopen(options) if isinstance(options, Mapping) else rules
            except RulesetError as error:
                yield unfit_options(error, entry.place)
                continue
            if known is None:
                yield from check_entry(entry, there)
            else:
                yield from known.of(there, entry, partial(check_entry, entry))
            tell(entry.place)


def check_entry(entry: RulesetCase, rules: Rules) -> Iterator[Problem]:
    return check_play(rules, entry.case, entry.expect, entry.place, entry.moves)


def check_play(
    rules: Rules, case: Entry, expect: Mapping[str, Any], place: Place | None, moves: Sequence[Place] = ()
) -> Iterator[Problem]:
    """A problem for each unmet expectation in one play. `moves`: where its entries are."""
    try:
        game = begun(rules, case, listen=False)
        entries = entries_of(case)
    except CaseError as error:
        if expect.get("error") != error.code:
            yield Problem("wrong-case", error.message, place, error.hint)
        return
    if (yield from check_turns(rules, game, entries, moves, place)):
        yield from compare(game, expect, place)
    del game.judging  # they know each other, and would take memory until they are collected


def check_turns(
    rules: Rules, game: Match, entries: Sequence[Entry], moves: Sequence[Place], place: Place | None
) -> Generator[Problem, None, bool]:
    """Make the moves, with a problem for each unmet expectation on the way. Returns whether all were made."""
    turns: list[WrittenTurn] = []
    where = place
    try:
        for number, entry in enumerate(entries):
            where = moves[number] if number < len(moves) else place
            turns.append(read_turn(rules, entry))
        for number, turn in enumerate(turns):
            where = moves[number] if number < len(moves) else place
            make(game, turn)
            close_window(game, turns[number + 1] if number + 1 < len(turns) else None)
            yield from compare(game, turn.expect, where)
    except CaseError as error:
        yield Problem(error.code, error.message, where, error.hint)
        return False
    return True


def found_at_end(rules: Rules, case: Entry, expect: Mapping[str, Any]) -> dict[str, Any]:
    """What a play gives at its end of what it expects there. Raises CaseError."""
    game = begun(rules, case)
    turns = [read_turn(rules, entry) for entry in entries_of(case)]
    for turn, following in zip_longest(turns, turns[1:]):
        make(game, turn)
        close_window(game, following)
    return {key: SAID[key](game) for key in expect if key in SAID}


def begun(rules: Rules, case: Entry, *, listen: bool = True) -> Match:
    """The game at the first question of a case's play; without events if not `listen`. Raises CaseError."""
    for key in case:
        if key in OF_A_HAND:
            raise CaseError(
                "not-in-a-play", f"a case with `play` cannot have {key!r}", "it follows from the moves; expect it"
            )
        if key not in (*KEYS, *OF_PLAYS) and key not in BESIDE:
            raise CaseError("unknown-key", f"a case has no {key!r}", way_out(str(key), (*KEYS, *OF_PLAYS)))
    if rules.data.play is None:
        raise CaseError("no-play", f"{rules.data.id} cannot be played", "a phase called deal is where play begins")
    seed = case.get("seed", 0)
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise CaseError("wrong-value", f"seed is a whole number, not {seed!r}")
    layout = read_layout(rules, {key: case[key] for key in KEYS if key in case})
    layout = replace(layout, position=layout.position or TablePosition())
    return Match(rules.program, seed, 1, layout, listen, refusing=True)


# --- what is expected


def compare(game: Match, expect: Mapping[str, Any], place: Place | None) -> Iterator[Problem]:
    """A problem for each unmet expectation."""
    for key, wanted in expect.items():
        if key == "error":
            yield Problem("case-fails", f"nothing is wrong with the case; error should be {shown(wanted)}", place)
        elif key in COMPARED:
            yield from compare_parts(key, COMPARED[key], game, wanted, place)
        elif key in SAID:
            found = SAID[key](game)
            if not agrees(key, wanted, found):
                yield fails(key, wanted, found_as(key, found), place)
        else:
            hint = way_out(key, [*SAID, *COMPARED])
            yield Problem("unknown-key", f"nothing called {key!r} can be expected of a play", place, hint)


def fails(key: str, wanted: Any, found: Any, place: Place | None) -> Problem:
    return Problem("case-fails", f"{key} should be {shown(wanted)}, but is {shown(found)}", place)


def score_json(game: Match) -> Mapping[str, Any]:
    """The score of the first winner."""
    return game.won[game.winners[0]].score.as_json() if game.winners else {"win": False}


def of_score(key: str) -> Callable[[Match], Any]:
    return lambda game: score_json(game).get(key)


def by_seat(game: Match, values: Callable[[int], Any]) -> dict[str, Any]:
    return {game.program.names[seat]: json_number(values(seat)) for seat in game.program.everyone}


def gain(game: Match, seat: int) -> Any:
    """The points that the seat has gained since the hand began; the placement at the end of a match does not count."""
    return game.score_of(seat) - placed(game, seat) - game.before_hand[game.player(seat)]


def placed(game: Match, seat: int) -> Any:
    """What the end of the match added to the seat's score."""
    return game.placement[game.player(seat)] if game.placement else 0


def next_dealer(game: Match) -> str | None:
    """Who deals after this hand, as the seat in it."""
    return None if game.deals_next is None else game.program.names[game.seat_of(game.deals_next)]


SAID: dict[str, Callable[[Match], Any]] = {
    **{key: of_score(key) for key in ("win", "total", "unit", "values", "patterns", "reading", "form", "line")},
    "payments": lambda game: by_seat(game, lambda seat: gain(game, seat)),
    "placement": lambda game: by_seat(game, lambda seat: placed(game, seat)),
    "scores": lambda game: by_seat(game, game.score_of),
    "winners": lambda game: [game.program.names[seat] for seat in game.winners],
    "result": lambda game: game.result_phase or None,
    "next_dealer": next_dealer,
    "phase": lambda game: game.window.phase if game.window is not None else None,
    "asked": lambda game: [game.program.names[seat] for seat in game.asked],
}


def compare_parts(
    key: str, compare_one: "Comparison", game: Match, wanted: Any, place: Place | None
) -> Iterator[Problem]:
    """A problem for each named part that differs."""
    if not isinstance(wanted, Mapping):
        yield Problem("wrong-case", f"expect: {key} is a mapping, not {shown(wanted)}", place)
        return
    for name, one in wanted.items():
        try:
            found = compare_one(game, str(name), one)
        except CaseError as error:
            message = f"expect: {error.message.removeprefix('expect: ')}"  # of a seat it is there already
            yield Problem("wrong-case", message, place, error.hint)
            continue
        if found is not None:
            yield fails(f"{key} {name}", one, found[0], place)


Comparison = Callable[[Match, str, Any], tuple[Any] | None]  # the actual value, if it differs


def compare_legal(game: Match, who: str, wanted: Any) -> tuple[Any] | None:
    """What a seat may do: exactly these offers, pass or answer."""
    seat = seat_called(game, who)
    question = game.question(seat)
    does = [] if question is None else [*(one.does for one in question.picks), *(move.does for move in question.moves)]
    found = sorted(dict.fromkeys(does))
    return None if isinstance(wanted, list | tuple) and sorted(map(str, wanted)) == found else (found,)


def compare_refused(game: Match, who: str, wanted: Any) -> tuple[Any] | None:
    """What a seat is refused: at least these offers, for reasons with these words in them."""
    found: dict[str, str] = {}
    reasons: dict[str, list[str]] = {}
    for refusal in refusals(game, seat_called(game, who)):
        found.setdefault(refusal.does, next(iter(refusal.reason.values()), ""))
        reasons.setdefault(refusal.does, []).extend(refusal.reason.values())
    if not isinstance(wanted, Mapping):
        return (found,)
    holds = all(any(str(why) in reason for reason in reasons.get(does, ())) for does, why in wanted.items())
    return None if holds else (found,)


def compare_zone(game: Match, zone: str, wanted: Any) -> tuple[Any] | None:
    """The tiles of a zone, in any order; of a zone of seats, those that are named."""
    return compare_by_seat(game, kind_of_zone(game, zone).of, zone, wanted, compare_tiles)


def kind_of_zone(game: Match, zone: str) -> Zone:
    """The zone of this name. Raises CaseError."""
    data = game.program.data
    if zone not in data.zones:
        raise CaseError("unknown-zone", f"{data.id} has no zone {zone!r}", way_out(zone, data.zones))
    return data.zones[zone]


def compare_tiles(game: Match, zone: str, seat: int, wanted: Any) -> tuple[Any] | None:
    lying = (tile for member in game.zones[zone][seat] for tile in getattr(member, "tiles", (member,)))
    return compare_faces(game, zone, [game.program.face[tile] for tile in lying], wanted)


def compare_faces(game: Match, zone: str, found: Sequence[int], wanted: Any) -> tuple[Any] | None:
    tiles = read_lying(game.program.data, wanted, zone)
    return None if Counter(found) == Counter(tiles) else (" ".join(game.program.code[face] for face in found),)


def compare_seen(game: Match, who: str, wanted: Any) -> tuple[Any] | None:
    """The tiles that a seat sees in a zone, in any order; of a zone of seats, in those that are named."""
    if not isinstance(wanted, Mapping):
        message = f"what {who} sees is by zone, not {shown(wanted)}"
        raise CaseError("wrong-case", message, "for instance {hand: {E: 12m}}")
    view = View(game, seat_called(game, who))

    def compare_one(game: Match, zone: str, seat: int, tiles: Any) -> tuple[Any] | None:
        return compare_faces(game, zone, [face for face in view.zone(zone, seat) if face is not None], tiles)

    for zone, tiles in wanted.items():
        found = compare_by_seat(game, kind_of_zone(game, zone).of, zone, tiles, compare_one)
        if found is not None:
            return ({zone: found[0]},)
    return None


def compare_mark(game: Match, name: str, wanted: Any) -> tuple[Any] | None:
    """The value of a mark; of a mark of seats, for those that are named."""
    data = game.program.data
    if name not in data.marks:
        raise CaseError("unknown-mark", f"{data.id} has no mark {name!r}", way_out(name, data.marks))
    return compare_by_seat(game, data.marks[name].of, name, wanted, compare_value)


def compare_value(game: Match, name: str, seat: int, wanted: Any) -> tuple[Any] | None:
    type = game.program.data.marks[name].type
    found = game.remembered(name, seat)
    return (
        None if read_mark(game.program.data, type, wanted, name) == found else (plain_value(game.program, type, found),)
    )


def compare_by_seat(
    game: Match, of: str, name: str, wanted: Any, compare_one: Callable[[Match, str, int, Any], tuple[Any] | None]
) -> tuple[Any] | None:
    """The first of the named seats whose value differs."""
    if of != "seat":
        return compare_one(game, name, 0, wanted)
    if not isinstance(wanted, Mapping):
        raise CaseError("wrong-seat", f"{name} is one for each seat", "say whose: {E: ...}")
    found = (compare_one(game, name, seat_called(game, str(who)), one) for who, one in wanted.items())
    return next((one for one in found if one is not None), None)


def seat_called(game: Match, who: str) -> int:
    """The seat of this name. Raises CaseError."""
    seat = read_seat(game.program.data, who, "expect")
    assert seat is not None
    return seat


COMPARED: dict[str, Comparison] = {
    "legal": compare_legal,
    "refused": compare_refused,
    "zones": compare_zone,
    "sees": compare_seen,
    "marks": compare_mark,
}


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
