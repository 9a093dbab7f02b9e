"""The workshop on the page: a text and a question in, the workers' answer out.

Everything that reads a text is done in a process for untrusted texts (`jobs/workshop`), with limits; a text that
exceeds them is refused with the reason. Knows no table.
"""

import json
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
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
QUESTIONS: dict[str, tuple[str, type[Body], str]] = {  # the end of the address: a job, what is sent, what it is for
    "check": ("workshop-check", CheckText, "The problems of a text, its head, its outline."),
    "complete": ("workshop-complete", AskAtPlace, "What can be written at a line and a column."),
    "describe": ("workshop-describe", AskAtPlace, "The meaning of the text at a line and a column."),
    "definition": ("workshop-definition", AskAtPlace, "Where the name at a line and a column is declared."),
    "references": ("workshop-references", AskAtPlace, "Every place of the name at a line and a column."),
    "rename": ("workshop-rename", RenameAtPlace, "The edits that give the name at a line and a column another."),
    "format": ("workshop-format", CheckText, "The edits that lay a text out."),
    "upgrade": ("workshop-upgrade", CheckText, "The edits that upgrade a text to the newest edition of the language."),
    "examples": ("workshop-examples", TryRules, "The examples and cases of a text, each with its outcome."),
    "coverage": ("workshop-coverage", TryRules, "What the examples and cases of a text reach, and what not."),
    "score": ("workshop-score", ScoreHand, "The score of a hand under a text."),
    "evaluate": ("workshop-evaluate", EvaluateExpression, "An expression in a hand under a text."),
}


def answering(job: str, kind: type[Body], doc: str) -> Callable[[Request], Awaitable[Response]]:
    """What answers a request with the result of a job."""

    async def answered(request: Request) -> Response:
        return await sent(request, job, await asked(request, kind))

    answered.__doc__ = doc
    return answered


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
    *(Route(f"/api/workshop/{name}", answering(*one), methods=["POST"]) for name, one in QUESTIONS.items()),
    Route("/api/workshop/simulate", simulated, methods=["POST"]),
]
