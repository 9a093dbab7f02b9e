"""The report as plain data, for `--json`: the same figures as on the page (docs/report.md lists them); and the main
ones from single hands, for rules that are being written.

There each game is one hand, so hands are independent of each other, and a tally is enough.
"""

from typing import Any

import msgspec

from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.players.simulation.estimates import mean_of, share_of_trials
from tilewright.players.simulation.tally import Tally
from tilewright.report.figures import Report, pattern_figure, patterns_in_balance
from tilewright.scoring.case_hands import seat_names

DIGITS = 6  # decimals


def report_json(report: Report) -> dict[str, Any]:
    """Plain data, numbers rounded."""
    found: dict[str, Any] = rounded(msgspec.to_builtins(report))
    return found


def rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, list | tuple) else value


def quick_json(data: CompiledRuleset, tally: Tally) -> dict[str, Any]:
    """Estimates of hands won, and by seat of wins and points; the patterns that stand out, and beside how many."""
    wins = sum(tally.wins.values())
    found = [
        pattern_figure(data, pattern, tally, share_of_trials(count_of(tally, pattern.id), wins))
        for pattern in data.patterns
    ]
    balanced = [one for one in patterns_in_balance(found) if one.stands_out]
    names = seat_names(data)
    return rounded(  # type: ignore[no-any-return]
        {
            "won": msgspec.to_builtins(share_of_trials(tally.won, tally.hands)),
            "seats": [
                {
                    "seat": names[seat],
                    "wins": msgspec.to_builtins(share_of_trials(sum(side.wins.values()), tally.hands)),
                    "points": msgspec.to_builtins(mean_of(side.gains)),
                }
                for seat, side in sorted(tally.seats.items())
            ],
            "standing_out": [
                {
                    "id": one.id,
                    "stands_out": one.stands_out,
                    "beside": max(len(one.commoner_and_dearer), len(one.rarer_and_cheaper)),
                }
                for one in balanced
            ],
        }
    )


def count_of(tally: Tally, pattern: str) -> int:
    """The winning hands with a pattern."""
    return tally.patterns[pattern].hands if pattern in tally.patterns else 0
