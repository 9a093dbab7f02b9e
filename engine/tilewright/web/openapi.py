"""The HTTP interface as an OpenAPI document: routes and bodies in, JSON out, for programs that make clients of it.

`python -m tilewright.web.openapi FILE` writes it (`make docs`). What requests are for is the first sentence of the
handler's docstring.
"""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from starlette.routing import Route

from tilewright.base.version import __version__
from tilewright.web.app import routes
from tilewright.web.http.requests import BODIES, Body

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


def main(arguments: Sequence[str]) -> None:
    """Write the document into a file."""
    (path,) = map(Path, arguments)
    path.write_text(openapi_text(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
