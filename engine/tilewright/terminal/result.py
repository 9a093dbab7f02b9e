"""The result of a hand: how it ended, who won what with which score, and the standings. Knows no screen."""

from itertools import zip_longest

from rich.text import Text

from tilewright.play.model.results import HandResult, Won
from tilewright.presentation.results import end_lines, points_lines, ranked_lines, round_lines
from tilewright.presentation.scores import score_lines
from tilewright.terminal.session import GameSession


def ended_lines(result: HandResult, session: GameSession) -> list[Text]:
    """How a hand ended: every win itemised, then what each player won or paid, and the scores."""
    program, names, labels = session.table.game.program, session.names, session.labels

    def tile_of(won: Won) -> str | None:
        return None if won.tile is None else program.code[program.face[won.tile]]

    lines: list[Text] = []
    for line, won in zip_longest(end_lines(result, session.teller, tile_of), result.won):
        lines.append(session.writer.text(line, "" if won else "bold"))
        lines += [*(score_lines(won.score, names) if won else ()), Text()]
    lines += points_lines(result, [f"{seat} {labels[result.player(at)]}" for at, seat in enumerate(names.seats)])
    standing = round_lines(result, session.table.game.results, names, labels)
    return [*lines, *([Text(), *standing] if standing else [])]


def standing_lines(session: GameSession) -> list[Text]:
    """The players in the order of their scores."""
    return ranked_lines(session.table.scores, session.labels, session.table.placement)


def over_text(session: GameSession) -> str:
    """The message that the match is over."""
    return session.names.say("table.level_over", level=session.names.level("all"))


def end_text(session: GameSession) -> str:
    """The heading at the end of a hand."""
    return session.names.say("terminal.end_of", level=session.names.level("hand"))
