"""The workshop on the page: a text and a question in, the workers' answer out.

Everything that reads a text is done in a process for untrusted texts (`jobs/workshop`), with limits; a text that
exceeds them is refused with the reason. Knows no table.
"""

import json
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any, ClassVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from tilewright.presentation.catalogue import translations
from tilewright.web.documents.beside import texts_beside
from tilewright.web.documents.rulesets import MOST_BODY, text_of
from tilewright.web.documents.work import asker, check_work, done, sent
from tilewright.web.http.bodies import body_as, person_of
from tilewright.web.http.requests import (
    AskAtPlace,
    Body,
    CheckText,
    EvaluateExpression,
    RenameAtPlace,
    ScoreHand,
    SimulateGames,
    TryRules,
)
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.spec import MOST_GAMES

Plain = dict[str, Any]

MOST_SIMULATIONS = 4  # of a server at a time,
SIMULATIONS_OF_ONE = 2  # and from one address; only on a public server
LINES = "application/x-ndjson"

TOO_MANY = translations("server.simulations_busy")


async def checked(request: Request) -> Response:
    """The problems of a text, its head, its outline."""
    return await sent(request, "workshop-check", await asked(request, CheckText))


async def completed(request: Request) -> Response:
    """What can be written at a line and a column."""
    return await sent(request, "workshop-complete", await asked(request, AskAtPlace))


async def described(request: Request) -> Response:
    """The meaning of the text at a line and a column."""
    return await sent(request, "workshop-describe", await asked(request, AskAtPlace))


async def declared(request: Request) -> Response:
    """Where the name at a line and a column is declared."""
    return await sent(request, "workshop-definition", await asked(request, AskAtPlace))


async def used(request: Request) -> Response:
    """Every place of the name at a line and a column."""
    return await sent(request, "workshop-references", await asked(request, AskAtPlace))


async def renamed(request: Request) -> Response:
    """The edits that give the name at a line and a column another."""
    return await sent(request, "workshop-rename", await asked(request, RenameAtPlace))


async def formatted(request: Request) -> Response:
    """The edits that lay a text out."""
    return await sent(request, "workshop-format", await asked(request, CheckText))


async def upgraded(request: Request) -> Response:
    """The edits that upgrade a text to the newest edition of the language."""
    return await sent(request, "workshop-upgrade", await asked(request, CheckText))


async def exemplified(request: Request) -> Response:
    """The examples and cases of a text, each with its outcome."""
    return await sent(request, "workshop-examples", await asked(request, TryRules))


async def covered(request: Request) -> Response:
    """What the examples and cases of a text reach, and what not."""
    return await sent(request, "workshop-coverage", await asked(request, TryRules))


async def scored(request: Request) -> Response:
    """The score of a hand under a text."""
    return await sent(request, "workshop-score", await asked(request, ScoreHand))


async def evaluated(request: Request) -> Response:
    """An expression in a hand under a text."""
    return await sent(request, "workshop-evaluate", await asked(request, EvaluateExpression))


async def asked(request: Request, kind: type[Body]) -> Plain:
    """The text and the other fields of a request of a known person, with the texts of their shelf that it names.
    Raises Refused."""
    person = await person_of(request)
    check_work(request)
    body: Plain = msgspec.to_builtins(await body_as(request, kind, MOST_BODY))
    text = text_of(body["text"])
    return body | {"text": text, "beside": await texts_beside(request, person.id, text)}


# --- many games


class Simulations:
    """How many simulations are running on a server, by the address that they are counted for."""

    by: ClassVar[Counter[str | None]] = Counter()


async def simulated(request: Request) -> Response:
    """Games between bots, up to a thousand: a line of JSON each time some are done, with the summary of all so far. No
    more games are played once the client has gone. Raises Refused."""
    payload = await asked(request, SimulateGames)
    games: int = payload.pop("games", MOST_GAMES)
    by = asker(request)
    if Simulations.by.total() >= MOST_SIMULATIONS or (by is not None and Simulations.by[by] >= SIMULATIONS_OF_ONE):
        raise Refused("busy", TOO_MANY, 503)
    first = await done(request, "workshop-games", part(payload, 0, games, None))
    return StreamingResponse(
        summaries(request, payload, games, first), media_type=LINES, headers={"cache-control": "no-store"}
    )


async def summaries(request: Request, payload: Plain, games: int, found: Plain) -> AsyncIterator[str]:
    """A summary after each part of the games, until all are played or something is wrong."""
    by = asker(request)
    Simulations.by[by] += 1
    try:
        count = 0
        while True:
            count += found.get("done", 0)
            so_far = found.pop("so_far", None)
            yield line({**found, "done": count, "of": games})
            if "problems" in found or count >= games or await request.is_disconnected():
                return
            try:
                found = await done(request, "workshop-games", part(payload, count, games, so_far))
            except Refused as error:
                yield line({"error": error.to_json(), "done": count, "of": games})
                return
    finally:
        Simulations.by[by] -= 1
        if not Simulations.by[by]:
            del Simulations.by[by]


def part(payload: Plain, first: int, games: int, so_far: Plain | None) -> Plain:
    """The request for the next games; the tally so far is always the server's, whatever a page sends."""
    return {**payload, "first": first, "games": games - first, "so_far": so_far}


def line(data: Plain) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


ROUTES: list[BaseRoute] = [
    Route("/api/workshop/check", checked, methods=["POST"]),
    Route("/api/workshop/complete", completed, methods=["POST"]),
    Route("/api/workshop/describe", described, methods=["POST"]),
    Route("/api/workshop/definition", declared, methods=["POST"]),
    Route("/api/workshop/references", used, methods=["POST"]),
    Route("/api/workshop/rename", renamed, methods=["POST"]),
    Route("/api/workshop/format", formatted, methods=["POST"]),
    Route("/api/workshop/upgrade", upgraded, methods=["POST"]),
    Route("/api/workshop/examples", exemplified, methods=["POST"]),
    Route("/api/workshop/coverage", covered, methods=["POST"]),
    Route("/api/workshop/score", scored, methods=["POST"]),
    Route("/api/workshop/evaluate", evaluated, methods=["POST"]),
    Route("/api/workshop/simulate", simulated, methods=["POST"]),
]
