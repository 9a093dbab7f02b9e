"""The schema of documents with the names of one ruleset, for editors that complete them. In: a merged ruleset."""

import json
from typing import TYPE_CHECKING, Any

from tilewright.language.documents.schema import Schema, parts, schema

if TYPE_CHECKING:
    from tilewright.language.documents.whole import MergedRuleset

WITH_RANKS = ("class", "tile")  # where ranks (2..8) and tiles (5m) are allowed besides names
DIGITS = "0123456789."


def schema_for(whole: "MergedRuleset") -> Schema:
    """The schema in which every place for a name lists the names of this ruleset; editors complete them."""
    from tilewright.language.documents.fields import text_at
    from tilewright.language.expressions.names import names_of

    copy: Schema = json.loads(json.dumps(schema()))
    names = names_of(whole)
    for part in parts(copy):
        kind = part.get("x-ref")
        if kind in names and "string" in as_list(part.get("type", "string")):
            part.update(named_only(sorted(names[kind])) if kind in WITH_RANKS else listed(part, sorted(names[kind])))
    copy["title"] = f"Tilewright document, with the names of {text_at(whole.full, 'id')}"
    return copy


def listed(part: Schema, names: list[str]) -> Schema:
    """The addition to the schema that restricts strings to these names."""
    if as_list(part.get("type", "string")) == ["string"]:
        return {"enum": names}
    return {"if": {"type": "string"}, "then": {"enum": names}}


def named_only(names: list[str]) -> Schema:
    """The same, except that strings beginning with a digit are not names."""
    plain = [name for name in names if name[0] not in DIGITS]
    return {"if": {"type": "string", "pattern": "^[^0-9.]"}, "then": {"enum": plain}}


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
