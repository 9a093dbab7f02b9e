"""The report as plain data, for `--json`: the same figures as on the page. docs/report.md lists them."""

from typing import Any

import msgspec

from tilewright.report.figures import Report

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
