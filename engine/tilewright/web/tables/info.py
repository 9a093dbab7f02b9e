"""How a table stands, as plain data that everybody may know: nothing in it from which tiles could be told."""

from collections.abc import Mapping
from typing import Any

from tilewright.web.storage import TableRow

Plain = dict[str, Any]
EARLY = "early"  # kept with the setup of a table, and told to nobody: answers that wait for those of others


def info_of(row: TableRow, seats: list[Plain]) -> Plain:
    """What everybody may know of a table: nothing from which its tiles could be told."""
    return {
        "code": row.code,
        "name": row.setup.get("name", ""),
        "spec": told_spec(row.spec),
        "setup": {name: value for name, value in row.setup.items() if name != EARLY},
        "state": row.state,
        "seats": seats,
        "digest": row.digest,
        "next": row.next,
        "created": row.created,
    }


def told_spec(spec: Mapping[str, Any]) -> Plain:
    """A spec without its seed, and without the texts of strangers."""
    return {
        "ruleset": named(spec["ruleset"]),
        "mods": [named(mod) for mod in spec.get("mods") or ()],
        "options": told_options(spec.get("options") or {}),
        "hands": spec.get("hands"),
    }


def named(document: Mapping[str, Any]) -> Plain:
    options = document.get("options")
    found = {name: document[name] for name in ("id", "name") if name in document}
    return found | ({"options": told_options(options)} if options else {})


def told_options(options: Mapping[str, Any]) -> Plain:
    """Settings, with cards by their names alone."""
    return {name: named(value) if isinstance(value, dict) else value for name, value in options.items()}
