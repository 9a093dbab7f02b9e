"""The reference of sockets and requests: every message and body with its fields, from the classes that read and write
them.

`python -m tilewright.web.http.reference PAGE SCHEMA TYPES` writes the tables into the page, between its marks, and the
JSON schema of all messages and their types for TypeScript into files (`make docs`).
"""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import Struct, inspect

from tilewright.authoring.reference import table
from tilewright.web.http.requests import BODIES
from tilewright.web.protocol.messages import VERSION, Message, SeatSetup, Setup
from tilewright.web.protocol.replies import SeatInfo, ServerMessage, SpectatorInfo, TableInfo, TimeToAnswer, TimeWindow
from tilewright.web.protocol.shape import in_words
from tilewright.web.protocol.spec import Spec, SpecDocument, SpecMod

Plain = dict[str, Any]

MARKED = re.compile(r"(?<=<!-- )(\w+): written by `make docs` -->\n.*?(?=<!-- end -->$)", re.MULTILINE | re.DOTALL)
REQUEST = re.compile(r"`(?:[A-Z]+ /api/[^`]+|\.\.\.[^`]+)`")  # in the docstring of a body
PARTS: dict[str, tuple[type[Struct], ...]] = {
    "page": (*get_args(Message), Spec, SpecDocument, SpecMod, Setup, SeatSetup),
    "requests": BODIES,
    "server": (*get_args(ServerMessage), TableInfo, SeatInfo, SpectatorInfo, TimeWindow, TimeToAnswer),
}


def main(arguments: Sequence[str]) -> None:
    """Write the tables into the page, and the schema and the types into their files."""
    page, schema, types = map(Path, arguments)
    page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
    schema.write_text(schema_text(), encoding="utf-8")
    types.write_text("".join(types_of(json.loads(schema_text()))), encoding="utf-8")


def filled(page: str) -> str:
    """The page with its marked parts filled in."""
    return MARKED.sub(
        lambda found: "\n".join([f"{found[1]}: written by `make docs` -->", "", *part(found[1]), ""]), page
    )


def part(name: str) -> Iterator[str]:
    """A table of the messages of one side, or of their parts, with a row for each field."""
    found = [row for kind in PARTS[name] for row in rows(kind)]
    yield from table(("message", "field", "what it is", "if left out"), found)


def rows(kind: type[Struct]) -> Iterator[tuple[str, str, str, str]]:
    """The fields of a message but for its id, which every message may have; the first row names the message."""
    tag = kind.__struct_config__.tag
    name = ", ".join(REQUEST.findall(kind.__doc__ or "")) or f"`{tag or kind.__name__}`"
    found = inspect.type_info(kind)
    assert isinstance(found, inspect.StructType)
    fields = [field for field in found.fields if field.name != "id" or tag is None]
    for field in fields:
        yield name, f"`{field.encode_name}`", shown(field.type), left_out(field)
        name = ""
    if not fields:
        yield name, "", "", ""


def shown(found: inspect.Type) -> str:
    """The type of a field; classes by their names."""
    match found:
        case inspect.Metadata(type=inner, extra=extra):
            return extra["en"] if extra else shown(inner)
        case inspect.StructType(cls=cls):
            return f"`{cls.__name__}`"
        case inspect.UnionType(types=types):
            others = [shown(one) for one in types if not isinstance(one, inspect.NoneType)]
            return " or ".join([*others, *(["null"] if found.includes_none else [])])
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
            return f"{in_words(found)['en']}, each {shown(item)}"
        case _:
            return in_words(found)["en"]


def left_out(field: inspect.Field) -> str:
    """The default of a field."""
    if field.required:
        return "required"
    default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
    return f"`{json.dumps(default)}`"


def schema_text() -> str:
    """The JSON schema of every message: `page` for what pages send, `server` for what they get."""
    (page, server), parts = msgspec.json.schema_components((Message, ServerMessage), ref_template="#/$defs/{name}")
    whole: Plain = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Messages of the Tilewright web table, version {VERSION}",
        "anyOf": [{"$ref": "#/$defs/page"}, {"$ref": "#/$defs/server"}],
        "$defs": {"page": page, "server": server, **dict(map(described, parts.items()))},
    }
    return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"


def described(part: tuple[str, Plain]) -> tuple[str, Plain]:
    """A class by its name, its docstring in one line: Pythons differ in how they indent it."""
    name, schema = part
    return name, {**schema, "description": " ".join(schema.get("description", "").split())}


def types_of(schema: Plain) -> Iterator[str]:
    """The types of a schema for TypeScript, in a namespace of their own."""
    yield "// Written by `make docs` from the classes of the messages.\n\ndeclare namespace Protocol {\n"
    for name, part in schema["$defs"].items():
        yield f"  /** {part['description']} */\n" if part.get("description") else ""
        yield f"  type {name} = {type_of(part, '  ')};\n"
    yield "}\n"


def type_of(schema: Plain, indent: str) -> str:
    """A type for TypeScript."""
    match schema:
        case {"$ref": str() as place}:
            return place.rpartition("/")[2]
        case {"anyOf": list() as kinds}:
            return " | ".join(dict.fromkeys(type_of(kind, indent) for kind in kinds))  # integer or number is one
        case {"enum": list() as values}:
            return " | ".join(json.dumps(value) for value in values)
        case {"type": "array"}:
            return f"Array<{type_of(schema.get('items') or {}, indent)}>"
        case {"type": "object", "properties": dict() as fields}:
            required = schema.get("required", [])
            lines = [
                f"{indent}  {name}{'' if name in required else '?'}: {type_of(field, indent + '  ')};\n"
                for name, field in fields.items()
            ]
            return "".join(["{\n", *lines, indent, "}"])
        case {"type": "object"}:
            return f"Record<string, {type_of(schema.get('additionalProperties') or {}, indent)}>"
        case {"type": "integer"}:
            return "number"
        case {"type": str() as name}:
            return name
    return "unknown"


if __name__ == "__main__":
    main(sys.argv[1:])
