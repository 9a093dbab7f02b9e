"""The result of a hand: how it ended, who won what with which score, and the standings. Knows no screen."""

from collections.abc import Sequence
from itertools import zip_longest

from rich.text import Text

from tilewright.play.model import HandResult, Won
from tilewright.presentation.console import Row, table
from tilewright.presentation.names import RulesetNames
from tilewright.presentation.results import end_lines, points_lines, ranked_lines, round_lines
from tilewright.presentation.scores import score_lines
from tilewright.scoring.score import show_number
from tilewright.terminal.session import GameSession


def ended_lines(result: HandResult, session: GameSession) -> list[Text]:
    """How a hand ended: every win itemised, then what each player won or paid, and the scores."""
    program, names, labels = session.table.game.program, session.names, session.labels

    def tile_of(won: Won) -> str | None:
        return None if won.tile is None else program.code[program.face[won.tile]]

    lines: list[Text] = []
    for line, won in zip_longest(end_lines(result, session.teller, tile_of), result.won):
        lines.append(session.writer.text(line, "" if won else "bold"))
        lines += [*(score_lines(won.score, names, at_table=True) if won else ()), Text()]
    seats = [f"{seat} {labels[result.player(at)]}" for at, seat in enumerate(names.seats)]
    if names.data.seats.hands > 1 and (paid := payment_lines(result, names, seats)):
        lines += [*paid, Text()]
    lines += points_lines(result, seats)
    standing = round_lines(result, session.table.game.results, names, labels)
    return [*lines, *([Text(), *standing] if standing else [])]


def payment_lines(result: HandResult, names: RulesetNames, seats: Sequence[str]) -> list[Text]:
    """Every payment between seats as it was made, with what it was for. `seats`: with their players."""
    rows: list[Row] = []
    for paid in result.payments:
        if {paid.payer, paid.payee} <= set(range(len(seats))):
            why = names.translated(names.data.payment_names.get(paid.payments, {}).get(paid.line, {}))
            rows.append([f"{seats[paid.payer]} → {seats[paid.payee]}", show_number(paid.amount), Text(why, "dim")])
    return table(rows, frozenset({1}))


def standing_lines(session: GameSession) -> list[Text]:
    """The players in the order of their scores."""
    return ranked_lines(session.table.scores, session.labels, session.table.placement)


def over_text(session: GameSession) -> str:
    """The message that the match is over."""
    return session.names.say("table.level_over", level=session.names.level("all"))


def end_text(session: GameSession) -> str:
    """The heading at the end of a hand."""
    return session.names.say("terminal.end_of", level=session.names.level("hand"))
