"""Values in one line of YAML, as people write them in cases."""

import json
import re
from typing import Any

PLAIN = re.compile(r"[A-Za-z0-9][\w .]*")
NOT_TEXT = re.compile(r"[\d.]+|true|false|null|0[xo]\w+|\d[\d.]*e\d+", re.IGNORECASE)


def flow(value: Any) -> str:
    """A value in one line of YAML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{flow(str(key))}: {flow(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, str):
        plain = PLAIN.fullmatch(value) and not NOT_TEXT.fullmatch(value)
        return value if plain else json.dumps(value, ensure_ascii=False)
    return json.dumps(value) if value is None or isinstance(value, bool | int | float) else str(value)
