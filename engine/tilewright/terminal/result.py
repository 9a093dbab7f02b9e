"""The result of a hand: how it ended, who won what with which score, and the standings. Knows no screen."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from tilewright.play.model.results import HandResult, Won
from tilewright.presentation.console import Row, table
from tilewright.presentation.line import ToldLine
from tilewright.presentation.scores import round_lines, score_lines, signed, won_line
from tilewright.scoring.score import Number, show_number
from tilewright.terminal.session import GameSession

RIGHT = frozenset({1, 2})  # columns of numbers: gains, scores


def ended_lines(result: HandResult, session: GameSession) -> list[Text]:
    """How a hand ended: every win itemised, then what each player won or paid, and the scores."""
    lines: list[Text] = []
    for won in result.won:
        lines += [
            session.writer.text(won_line(won, result, session.names.seats, tile_of(won, session))),
            *score_lines(won.score, session.names.data),
            Text(),
        ]
    if not lines:
        ended = session.teller.name("phase", result.ended)
        lines = [session.writer.text(ToldLine("events.nobody_won", {"ended": ended}), "bold"), Text()]
    seats = [name_of(result.player(seat), seat, session) for seat in range(len(result.scores))]
    order = [result.player(seat) for seat in range(len(result.scores))]
    rows = [row_of(seats[at], result.gains[player], result.scores[player]) for at, player in enumerate(order)]
    return [*lines, *table(rows, RIGHT), *standing_in_round(result, session)]


def standing_in_round(result: HandResult, session: GameSession) -> list[Text]:
    """Who leads the round, below an empty line; nothing if the ruleset shows no standings."""
    lines = round_lines(result, session.table.game.results, session.names, session.labels)
    return [Text(), *lines] if lines else []


def tile_of(won: Won, session: GameSession) -> str | None:
    """The code of the winning tile."""
    program = session.table.game.program
    return None if won.tile is None else program.code[program.face[won.tile]]


def name_of(player: int, seat: int, session: GameSession) -> str:
    """The seat and its player."""
    return f"{session.names.seats[seat]} {session.labels[player]}"


def row_of(name: str, gain: Number, score: Number) -> Row:
    shade = "green" if gain > 0 else "red" if gain < 0 else "dim"
    return [name, Text(signed(gain), shade), Text(show_number(score), "bold")]


def standing_lines(session: GameSession) -> list[Text]:
    """The players in the order of their scores."""
    return table(list(ranked(session.table.scores, session.labels)), frozenset({0, 2}))


def ranked(scores: Sequence[Number], labels: Sequence[str]) -> Iterator[Row]:
    """Place, player and score, the highest first; equal scores share a place."""
    for player in sorted(range(len(scores)), key=lambda player: (-scores[player], player)):
        place = 1 + sum(score > scores[player] for score in scores)
        yield [str(place), labels[player], Text(show_number(scores[player]), "bold")]
