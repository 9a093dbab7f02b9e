"""Plain values: values of the language as data that a log can hold."""

from typing import Any

from tilewright.play.program.program import Program


def plain_value(program: Program, type: str, value: Any) -> Any:
    """A value as plain data: tiles as codes, seats by name."""
    if type in ("tile", "tiles"):
        return [program.code[tile] for tile in value]
    if type in ("seat", "seats"):
        return [program.names[seat] for seat in value]
    return list(value) if isinstance(value, tuple) else value
