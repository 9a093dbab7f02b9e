"""The reference of sockets and requests: every message and body with its fields, from the classes that read and write
them; and the HTTP interface as an OpenAPI document, from routes and bodies, for programs that make clients of it.

`python -m tilewright.web.reference PAGE SCHEMA TYPES HTTP` writes the tables into the page, between its marks, and the
JSON schema of all messages, their types for TypeScript and the OpenAPI document into files (`make docs`). What requests
are for is the first sentence of the handler's docstring.
"""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import Struct, inspect
from starlette.routing import Route

from tilewright.authoring.reference import table
from tilewright.base.version import __version__
from tilewright.web.app import routes
from tilewright.web.protocol.messages import VERSION, Message, SeatSetup, Setup
from tilewright.web.protocol.replies import SeatInfo, ServerMessage, SpectatorInfo, TableInfo, TimeToAnswer, TimeWindow
from tilewright.web.protocol.shape import in_words
from tilewright.web.protocol.spec import Spec, SpecDocument, SpecMod
from tilewright.web.requests import BODIES, Body

Plain = dict[str, Any]

MARKED = re.compile(r"(?<=<!-- )(\w+): written by `make docs` -->\n.*?(?=<!-- end -->$)", re.MULTILINE | re.DOTALL)
REQUEST = re.compile(r"`(?:[A-Z]+ /api/[^`]+|\.\.\.[^`]+)`")  # in the docstring of a body
PARTS: dict[str, tuple[type[Struct], ...]] = {
    "page": (*get_args(Message), Spec, SpecDocument, SpecMod, Setup, SeatSetup),
    "requests": BODIES,
    "server": (*get_args(ServerMessage), TableInfo, SeatInfo, SpectatorInfo, TimeWindow, TimeToAnswer),
}


def main(arguments: Sequence[str]) -> None:
    """Write the tables into the page; the schema, the types and the HTTP interface into their files."""
    page, schema, types, http = map(Path, arguments)
    page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
    schema.write_text(schema_text(), encoding="utf-8")
    types.write_text("".join(types_of(json.loads(schema_text()))), encoding="utf-8")
    http.write_text(openapi_text(), encoding="utf-8")


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


# --- the HTTP interface


VALUE = re.compile(r"\{(\w+)(?::\w+)?\}")  # in the path of a route
NAMED = re.compile(r"`(?:([A-Z]+) )?(/api/[^`]+|\.\.\.[^`]+)`")  # in the docstring of a body
OPEN = {"/api/health"}  # wants no key
ANSWERS = {".json": "application/json", ".svg": "image/svg+xml", ".css": "text/css", ".zip": "application/zip"}
ERROR: dict[str, Any] = {
    "type": "object",
    "properties": {
        "error": {
            "type": "object",
            "properties": {
                "code": {"type": "string"},
                "message": {"type": "string"},
                "hint": {"type": ["string", "null"]},
                "problems": {"type": "array", "items": {"type": "object"}},
            },
            "required": ["code", "message"],
        }
    },
    "required": ["error"],
}


@cache
def openapi() -> dict[str, Any]:
    """The document, of OpenAPI 3.1."""
    named = bodies()
    _, parts = msgspec.json.schema_components(BODIES, ref_template="#/components/schemas/{name}")
    paths: dict[str, dict[str, Any]] = {}
    for route in routes():
        if isinstance(route, Route) and route.path.startswith("/api/"):
            path = VALUE.sub(r"{\1}", route.path)
            for method in sorted((route.methods or set()) - {"HEAD"}):
                paths.setdefault(path, {})[method.lower()] = operation(
                    route, method, named.get((method, in_docs(path)))
                )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "The Tilewright web table",
            "version": __version__,
            "license": {"name": "MIT", "identifier": "MIT"},
            "description": "Requests beside the socket, whose messages are in web-protocol.schema.json.",
        },
        "servers": [{"url": "/"}],
        "security": [{"key": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "key": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A person, or below /api/admin the server's token.",
                }
            },
            "schemas": {name: without_lines(part) for name, part in parts.items()} | {"Error": ERROR},
            "responses": {
                "Error": {
                    "description": "Why not.",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
                }
            },
        },
    }


def operation(route: Route, method: str, body: type[Body] | None) -> dict[str, Any]:
    """What a request is for, what it brings and what it gets."""
    kind = ANSWERS.get(Path(route.path).suffix, "application/json")
    found: dict[str, Any] = {
        "operationId": "_".join([method.lower(), *re.findall(r"\w+", route.path.removeprefix("/api"))]),
        "summary": summary(route.endpoint.__doc__ or ""),
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in VALUE.findall(route.path)
        ],
        "responses": {
            "200": {"description": "Done.", "content": {kind: {}}},
            "default": {"$ref": "#/components/responses/Error"},
        },
    }
    if body is not None:
        reference = {"$ref": f"#/components/schemas/{body.__name__}"}
        found["requestBody"] = {"required": True, "content": {"application/json": {"schema": reference}}}
    return found | ({"security": []} if route.path in OPEN else {})


def bodies() -> dict[tuple[str, str], type[Body]]:
    """The bodies of requests, by method and path as the docs write it."""
    return {request: body for body in BODIES for request in requests_of(body)}


def requests_of(body: type[Body]) -> Iterator[tuple[str, str]]:
    """The requests that bring a body, as its docstring names them."""
    method = path = ""
    for verb, place in NAMED.findall(body.__doc__ or ""):
        method = verb or method
        path = path.rpartition("/")[0] + place.removeprefix("...") if place.startswith("...") else place
        yield method, path


def in_docs(path: str) -> str:
    """A path as the docs write it: `/api/cards/ID`."""
    return VALUE.sub(lambda value: value[1].upper(), path)


def summary(text: str) -> str:
    """The first sentence of a docstring, in one line."""
    return " ".join(text.split("\n\n")[0].split()).partition(". ")[0].rstrip(".")


def without_lines(part: dict[str, Any]) -> dict[str, Any]:
    """A class with its docstring in one line, which Pythons indent differently, and without empty texts that stand
    for names that were left out."""
    for field in part.get("properties", {}).values():
        if "pattern" in field and field.get("default") == "":
            del field["default"]
    return part | {"description": " ".join(part.get("description", "").split())}


def openapi_text() -> str:
    return json.dumps(openapi(), ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    main(sys.argv[1:])
