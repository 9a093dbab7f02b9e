"""The round as a table: who has won how many hands of it, with how many points, and who leads; where that is told."""

from collections.abc import Sequence

from rich.text import Text

from tilewright.play.model.results import HandResult
from tilewright.play.standings import leaders, standings
from tilewright.presentation.console import Row, table
from tilewright.presentation.names import Wording
from tilewright.presentation.scores import signed

NUMBERS = frozenset({1, 2, 3})


def round_lines(
    result: HandResult, results: Sequence[HandResult], wording: Wording, names: Sequence[str]
) -> list[Text]:
    """How the players stand after a hand of a match; nothing where the ruleset does not say so. `names`: of the
    players."""
    if not wording.play.match.standings:
        return []
    standing = standings(results, result)
    first = leaders(standing)
    rows: list[Row] = [["", "won", "points", f"won in the {wording.level('all')}", ""]]
    for player, one in enumerate(standing):
        leads = Text("leads" if player in first else "", "green")
        rows.append([names[player], str(one.won_in_round), signed(one.gained_in_round), str(one.won), leads])
    return [Text(f"{wording.level('round')} {result.round + 1}", "bold"), *table(rows, NUMBERS)]
