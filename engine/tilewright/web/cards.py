"""Cards on the page: requests in; a person's cards, the bundled ones, and what the workers find in a text out.

A card is kept under the key of its author; anybody with its link may read it. Slow work is done in a process for
untrusted texts (`jobs/cards`), never here. Knows no table and no ruleset.
"""

import re
from asyncio import to_thread
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from tilewright.authoring.open_rules import bundled
from tilewright.cards.codes import CODES
from tilewright.cards.model import Card
from tilewright.cards.sayings import READINGS, SAYINGS
from tilewright.cards.text import CLOSING, first_language, told_of, write_text
from tilewright.language.documents.bundled import bundled_file
from tilewright.language.documents.library import read_card
from tilewright.paper.html import style
from tilewright.paper.sheet import PAPERS
from tilewright.paper.small_print import LETTER_WORDS, SUIT_WORDS
from tilewright.presentation.catalogue import translations
from tilewright.web.http import body_as, json_response, packed_response, person_of, while_connected
from tilewright.web.people import Shelf
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.spec import MOST_CARD_TEXT
from tilewright.web.requests import Body, CountDraws, DrawCard, ExportCard, ImportCard, ListHands, SaveText
from tilewright.web.storage.rows import clean_name
from tilewright.web.work import packed
from tilewright.web.workers.pool import BadSpec, GameFailed, NoWorkerFree, WorkerLost

Plain = dict[str, Any]

CARD: Literal["card"] = "card"
MOST_NAME = 100  # characters
DRAW_SECONDS, COUNT_SECONDS = 8.0, 12.0
BREAK = re.compile("\r\n?")
KEPT = {"cache-control": "max-age=3600"}

NO_CARD = translations("server.no_card")
LONG = translations("server.card_too_long", most=f"{MOST_CARD_TEXT:,}")
CHANGED = translations("server.card_conflict")
TOO_LONG = translations("server.card_too_slow")
FEWER = translations("server.simplify_card")
BUSY = translations("server.cards_busy")


# --- a person's cards


async def listed(request: Request) -> Response:
    """The person's cards, latest first, and the bundled ones."""
    bundled = await to_thread(bundled_cards)
    return json_response({"own": await SHELF.own(request), "bundled": [one.outline for one in bundled]})


async def created(request: Request) -> Response:
    """A new card of this person."""
    person, body = await person_of(request), await body_as(request, SaveText)
    text = text_of(body.text)
    return await SHELF.made(request, person, CARD, name_in(None, text), text)


async def read_bundled(request: Request) -> Response:
    """A bundled card, as plain text."""
    found = next((one for one in await to_thread(bundled_cards) if one.id == request.path_params["id"]), None)
    if found is None:
        raise SHELF.none()
    return json_response({**found.outline, "text": found.text})


def text_of(text: str) -> str:
    """A text as it is stored, with the line ends of text fields. Raises Refused."""
    if len(text) > MOST_CARD_TEXT:
        raise Refused("too-large", LONG, 413)
    return BREAK.sub("\n", text)


def name_in(name: str | None, text: str) -> str:
    """The name of a card in lists: its first line."""
    first = next((row.strip() for row in text.lstrip("\ufeff").splitlines() if row.strip()), "")
    return "" if first[:1] in CLOSING else clean_name(first, MOST_NAME)


SHELF = Shelf((CARD,), "unknown-card", NO_CARD, CHANGED, text_of, name_in)


# --- bundled cards


@dataclass(frozen=True, slots=True)
class BundledCard:
    """A bundled card, as plain text."""

    id: str
    card: Card
    text: str

    @property
    def outline(self) -> Plain:
        """As lists show it."""
        lines = sum(len(group.entries) for group in self.card.groups)
        name = self.card.name.get(first_language(self.card), self.id)
        return {"id": self.id, "name": name, "names": dict(self.card.name), "about": told_of(self.card), "lines": lines}


@lru_cache(maxsize=1)
def bundled_cards() -> tuple[BundledCard, ...]:
    """Every bundled card, read once."""
    files = [(id, bundled_file(id)) for id in bundled(CARD)]
    cards = [(id, read_card(file)[0]) for id, file in files if file is not None]
    return tuple(BundledCard(id, card, write_text(card)) for id, card in cards)


# --- work on a text


async def drawn(request: Request) -> Response:
    """A card as a page draws it, with its problems; with `process`, the counts of its lines; with `paper`, on paper."""
    body = await asked(request, DrawCard)
    return await sent(request, "card-draw", body, (2 if body.get("paper") else 1) * DRAW_SECONDS)


async def processed(request: Request) -> Response:
    """How hard some lines are: `lines` in; the mean draws by line out, and the lines left for lack of time."""
    return await sent(request, "card-difficulty", await asked(request, CountDraws), COUNT_SECONDS)


async def hands_listed(request: Request) -> Response:
    """The hands of one line."""
    return await sent(request, "card-hands", await asked(request, ListHands))


async def taken_in(request: Request) -> Response:
    """A file as the text of a card."""
    return await sent(request, "card-import", await asked(request, ImportCard))


async def given_out(request: Request) -> Response:
    """A card as a file: its name, type and text."""
    return await sent(request, "card-export", await asked(request, ExportCard))


async def asked(request: Request, kind: type[Body]) -> Plain:
    """The work that a request of a known person asks for. Raises Refused."""
    await person_of(request)
    body: Plain = msgspec.to_builtins(await body_as(request, kind))
    return body | {"text": text_of(body["text"])} if "text" in body else body


async def sent(request: Request, job: str, payload: Plain, seconds: float = DRAW_SECONDS) -> Response:
    """The result of a worker as an answer. Raises Refused if it fails or takes too long."""
    try:
        return packed_response(request, await while_connected(request, packed(request, job, payload, seconds)))
    except (NoWorkerFree, WorkerLost):
        raise Refused("busy", BUSY, 503) from None
    except GameFailed:
        raise Refused("too-slow", TOO_LONG, 422, FEWER) from None
    except BadSpec as error:
        raise Refused("bad-message", str(error), problems=error.problems) from None


# --- reference


async def codes(request: Request) -> Response:
    """The reference of the card language: what can be typed, and what it means."""
    return json_response(await to_thread(reference), headers=KEPT)


@lru_cache(maxsize=1)
def reference() -> Plain:
    """Tiles, colours, codes, legends of printed cards, and their meanings, as plain data."""
    return {
        "tiles": [{"type": letter, "says": says} for letter, says in LETTER_WORDS.items()],
        "colours": [{"type": letter, "says": says} for letter, says in SUIT_WORDS.items()],
        "codes": [
            {
                "letter": one.letter,
                "type": one.sample,
                "takes": one.takes,
                "says": one.doc,
                "line": one.examples[0][0],
                "hands": one.examples[0][1],
            }
            for one in CODES.values()
        ],
        "paper": [
            {"printed": one.example, "type": one.code, "says": one.says, "line": one.line, "hands": one.hands}
            for one in SAYINGS
        ],
        "readings": [
            {
                "title": chapter.title,
                "readings": [
                    {"says": one.says, "lines": [list(line) for line in one.lines]} for one in chapter.readings
                ],
            }
            for chapter in READINGS
        ],
    }


async def sheet_style(request: Request) -> Response:
    """The style sheet of printed cards, for A4 or the requested size."""
    paper = PAPERS.get(request.query_params.get("paper", ""), PAPERS["a4"])
    sheet = f".sheets .sheet{{width:{paper.across};height:calc({paper.down} - 1px)}}"
    text = f"{style()}@page{{size:{paper.name};margin:0}}@media print{{{sheet}}}"
    return Response(text, headers=KEPT, media_type="text/css")


ROUTES: list[BaseRoute] = [
    Route("/api/cards", listed, methods=["GET"]),
    Route("/api/cards", created, methods=["POST"]),
    Route("/api/cards/codes", codes, methods=["GET"]),
    Route("/api/cards/sheet.css", sheet_style, methods=["GET"]),
    Route("/api/cards/draw", drawn, methods=["POST"]),
    Route("/api/cards/process", processed, methods=["POST"]),
    Route("/api/cards/hands", hands_listed, methods=["POST"]),
    Route("/api/cards/import", taken_in, methods=["POST"]),
    Route("/api/cards/export", given_out, methods=["POST"]),
    Route("/api/cards/bundled/{id}", read_bundled, methods=["GET"]),
    *SHELF.routes("/api/cards"),
]
