"""Results of hands: how a hand ended, as told lines; the standings, as text."""

from collections.abc import Callable, Sequence

from rich.text import Text

from tilewright.play.model import HandResult, Won
from tilewright.play.placements import leaders, standings
from tilewright.presentation.console import Row, table
from tilewright.presentation.events import EventTeller
from tilewright.presentation.line import WHO, SeatSlot, Slot, TilesSlot, ToldLine
from tilewright.presentation.names import RulesetNames
from tilewright.presentation.scores import gain_text, signed
from tilewright.scoring.score import Number, show_number


def end_lines(
    result: HandResult, teller: EventTeller, tile_of: Callable[[Won], str | None] = lambda won: None
) -> list[ToldLine]:
    """A line for each win, or for how the hand ended without one. `tile_of`: the code of the winning tile, if it is
    shown."""
    won = [won_line(won, result, teller.seats, tile_of(won)) for won in result.won]
    return won or [ToldLine("events.nobody_won", {"ended": teller.name("phase", result.ended)})]


def won_line(won: Won, result: HandResult, seats: Sequence[str], tile: str | None) -> ToldLine:
    """Who won, with which tile, and whose it was. `seats`: their names."""

    def seat(at: int) -> SeatSlot:
        return SeatSlot(seats[at], result.player(at))

    fed = won.situation.discarder
    how = "from" if fed is not None else "self_draw" if won.situation.self_draw else "somehow"
    slots: dict[str, Slot] = {
        WHO: seat(won.seat),
        "tile": None if tile is None else TilesSlot((tile,), 1),
        "whom": None if fed is None else seat(fed),
    }
    return ToldLine(f"results.won_{how}", slots)


# --- standings


def points_lines(result: HandResult, names: Sequence[str]) -> list[Text]:
    """What each seat won or paid, and the scores. `names`: of the players, by seat."""
    rows: list[Row] = []
    for seat, name in enumerate(names):
        player = result.player(seat)
        rows.append([name, gain_text(result.player_gains[player]), Text(show_number(result.scores[player]), "bold")])
    return table(rows, frozenset({1, 2}))


def round_lines(
    result: HandResult, results: Sequence[HandResult], wording: RulesetNames, names: Sequence[str]
) -> list[Text]:
    """The standings after a hand of a match; nothing if the ruleset does not show them. `names`: of the players."""
    if not wording.play.match.standings:
        return []
    standing = standings(results, result)
    first = leaders(standing)
    won_in = wording.say("table.won_in", level=wording.level("all"))
    rows: list[Row] = [["", wording.say("table.won"), wording.say("table.points"), won_in, ""]]
    for player, one in enumerate(standing):
        leads = Text(wording.say("table.leads") if player in first else "", "green")
        rows.append([names[player], str(one.won_in_round), signed(one.gained_in_round), str(one.won), leads])
    title = wording.say("table.level_number", level=wording.level("round"), number=result.round)
    return [Text(title, "bold"), *table(rows, frozenset({1, 2, 3}))]


def ranked_lines(scores: Sequence[Number], names: Sequence[str], placement: Sequence[Number] = ()) -> list[Text]:
    """Place, player and score, the highest first; equal scores share a place. `placement`: what the end of the match
    added to each score, shown after what the hands had left."""
    order = sorted(range(len(scores)), key=lambda player: (-scores[player], player))
    places = [1 + sum(score > scores[player] for score in scores) for player in order]
    rows: list[Row] = [
        [str(place), names[player], *sum_of(scores[player], *placement[player : player + 1])]
        for place, player in zip(places, order, strict=True)
    ]
    return table(rows, frozenset({0, 2, 3, 4}))


def sum_of(score: Number, *placed: Number) -> list[Text]:
    """A final score; before it, what the hands had left and what the placement added, if that is known."""
    parts = [part for added in placed for part in (Text(show_number(score - added)), gain_text(added))]
    return [*parts, Text(show_number(score), "bold")]
