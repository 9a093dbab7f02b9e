"""Documents on the page: requests in; a person's rulesets and mods, and the bundled ones to start from, out.

A document is kept under the key of its author; anybody with its link may read it. The workshop reads texts, this does
not. Knows no table and no rule.
"""

import re
from asyncio import to_thread
from functools import cache, lru_cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from tilewright.authoring.new_documents import bundled_heads, filled, some_pattern
from tilewright.language.documents.bundled import bundled_file
from tilewright.language.documents.fields import text_at, texts
from tilewright.language.documents.library import read_document
from tilewright.language.elaborate import open_whole
from tilewright.presentation.catalogue import translations
from tilewright.web.documents.shelf import Shelf
from tilewright.web.documents.work import done
from tilewright.web.http.bodies import body_as, json_response, person_of
from tilewright.web.http.requests import NewDocument
from tilewright.web.protocol.refusals import Refused
from tilewright.web.storage import DocumentKind
from tilewright.web.text.names import clean_name

Plain = dict[str, Any]

RULESET, MOD = "ruleset", "mod"
KINDS: tuple[DocumentKind, ...] = ("ruleset", "mod")
MOST_TEXT = 256_000  # bytes
MOST_BODY = 1_600_000  # bytes: a text as JSON may write each byte as six
MOST_NAME = 100  # characters
MOST_ID = 40
NEW = "my_rules"
EDITORS_LINE = re.compile(r"\A# yaml-language-server:.*\n")  # useless without a file
ID_LINE = re.compile(r"^id:[ \t]*\S+", re.MULTILINE)
NAME_LINE = re.compile(r"^(name:[ \t]*\{en:[ \t]*)", re.MULTILINE)
NAME = re.compile(r"^name:[ \t]*+(?:\{[ \t]*+(?:en|zh)[ \t]*+:[ \t]*+)?[\"']?([^,}\"'#\n]+)", re.MULTILINE)

NO_DOCUMENT = translations("server.no_document")
NO_TEXT = translations("server.no_document_text")
LONG = translations("server.document_too_long", most=f"{MOST_TEXT:,}")
CHANGED = translations("server.document_conflict")
NO_BUNDLED = translations("server.not_bundled")


# --- a person's documents


async def listed(request: Request) -> Response:
    """The person's rulesets and mods, latest first, and the bundled ones."""
    return json_response({"own": await SHELF.own(request), "bundled": await to_thread(bundled_outlines)})


async def created(request: Request) -> Response:
    """A new document: with a `text`, as a copy of a bundled one (`fork`), or from a `template`."""
    person, body = await person_of(request), await body_as(request, NewDocument, MOST_BODY)
    text = await text_to_begin_with(body)
    kind: DocumentKind = (await done(request, "workshop-kind", {"text": text}))["kind"]
    return await SHELF.made(request, person, kind, name_in(body.name, text), text)


async def read_bundled(request: Request) -> Response:
    """A bundled ruleset, base or mod, with its text."""
    id = request.path_params["id"]
    kind, name, about = (await to_thread(bundled_heads)).get(id, ("", "", ""))
    if not kind:
        raise Refused("unknown-document", NO_BUNDLED, 404)
    return json_response(
        {"id": id, "kind": kind, "name": name, "about": about, **by_language(id), "text": bundled_text(id)}
    )


# --- parts of a request


def text_of(text: str) -> str:
    """A text, if it is short enough to be stored. Raises Refused."""
    if len(text.encode(errors="replace")) > MOST_TEXT:
        raise Refused("too-large", LONG, 413)
    return text


def name_in(name: str | None, text: str) -> str:
    """The name of a document in lists: from the page, else from the text."""
    found = NAME.search(text)
    return clean_name(name or "", MOST_NAME) or clean_name(found[1] if found is not None else "", MOST_NAME)


SHELF = Shelf(KINDS, "unknown-document", NO_DOCUMENT, CHANGED, text_of, name_in, MOST_BODY)


def id_of(name: str | None, usual: str = NEW) -> str:
    """An id for a new document, made from its name."""
    simple = re.sub(r"[^a-z0-9]+", "_", (name or "").lower()).strip("_")[:MOST_ID]
    simple = simple if re.match(r"[a-z]", simple) else usual
    return f"my_{simple}" if bundled_file(simple) else simple


# --- starting points


async def text_to_begin_with(body: NewDocument) -> str:
    """The text of a new document. Raises Refused."""
    if body.fork is not None:
        if body.fork not in await to_thread(bundled_heads):
            raise Refused("unknown-document", NO_BUNDLED, 404)
        return forked(body.fork, id_of(body.name, f"my_{body.fork}"))
    if body.template in KINDS:
        return await to_thread(from_template, body.template, body)
    if body.text is None:
        raise Refused("bad-message", NO_TEXT)
    return text_of(body.text)


def forked(id: str, new: str) -> str:
    """A copy of a bundled document, with a name and an id of its own."""
    text = ID_LINE.sub(f"id: {new}", bundled_text(id), count=1)
    return NAME_LINE.sub(r"\g<1>My ", text, count=1)


def from_template(kind: str, body: NewDocument) -> str:
    """A small valid document. Raises Refused for a mod of an unknown ruleset."""
    if kind == RULESET:
        return without_editors_line(filled("ruleset.yaml", id_of(body.name), {}))
    target = body.ruleset or ""
    if target not in bundled_heads() or bundled_heads()[target][0] == MOD:
        raise Refused("unknown-document", NO_BUNDLED, 404)
    whole = open_whole(target)
    words = {"TARGET_RULES": target, "TARGET": text_at(whole.full, "id"), "SOME_PATTERN": some_pattern(whole)}
    return without_editors_line(filled("mod.yaml", id_of(body.name, "my_mod"), words))


def bundled_text(id: str) -> str:
    path = bundled_file(id)
    assert path is not None
    return without_editors_line(path.read_text(encoding="utf-8"))


def without_editors_line(text: str) -> str:
    return EDITORS_LINE.sub("", text)


@lru_cache(maxsize=1)
def bundled_outlines() -> list[Plain]:
    """The bundled rulesets, bases and mods."""
    return [
        {"id": id, "kind": kind, "name": name, "about": about, **by_language(id)}
        for id, (kind, name, about) in bundled_heads().items()
    ]


@cache
def by_language(id: str) -> Plain:
    """The name of a bundled document, and its note, in every language that they have."""
    path = bundled_file(id)
    assert path is not None
    document = read_document(path)
    return {"names": texts(document.get("name")), "abouts": texts(document.get("about"))}


ROUTES: list[BaseRoute] = [
    Route("/api/documents", listed, methods=["GET"]),
    Route("/api/documents", created, methods=["POST"]),
    Route("/api/documents/bundled/{id}", read_bundled, methods=["GET"]),
    *SHELF.routes("/api/documents"),
]
