"""Requests about rules: what can be played, rules as a page needs them, faces of tiles, rulebooks.

Workers make everything, and it is cached here as they packed it, by the digest of the rules. `?table=CODE` with a
digest names a table with these rules, for a server that does not play it. Knows no running table.
"""

import re
from asyncio import to_thread
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Raw, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from tilewright.presentation.catalogue import translations
from tilewright.presentation.tile_svg import STYLES
from tilewright.web.access import Access, Seeker
from tilewright.web.http import body_as, json_response, known_person, packed_response, while_connected
from tilewright.web.protocol.limits import MadeOnce, address_of
from tilewright.web.protocol.messages import MOST_CODE
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.spec import NO_TEXTS, BadSpec, Spec, Texts, read_spec
from tilewright.web.requests import AskAbout, AskRulebook
from tilewright.web.work import asker, packed
from tilewright.web.workers.pool import GameFailed, NoWorkerFree, WorkerLost
from tilewright.web.workers.wire import unpacked

Plain = dict[str, Any]
DIGEST = re.compile(r"[0-9a-f]{64}")
SECONDS = 20.0  # of processor time for one piece of work
FOR_EVER = {"cache-control": "public, max-age=31536000, immutable"}
SCORE_CARDS = {"html": "text/html", "svg": "image/svg+xml"}
CHOICES = ("options", "mods", "presets", "source")  # that only those who set a table up need
LANGUAGE = re.compile(r"[a-z]{2,3}([-_][A-Za-z0-9]{1,8})*")

UNKNOWN_RULES = translations("server.unknown_rules")
UNKNOWN_RULESET = translations("server.unknown_ruleset")
BAD_RULES = translations("server.bad_rules")
BUSY = translations("server.rules_busy")
BROKEN = translations("server.rules_too_slow")


def kept(request: Request) -> MadeOnce:
    """The results of this server."""
    found: MadeOnce = request.app.state.rules
    return found


async def result(request: Request, key: tuple[str, ...], job: str, payload: Plain) -> bytes:
    """The result of a job, packed; from the cache, if possible."""
    making = kept(request).get(key, asker(request), lambda: work(request, job, payload))
    return await while_connected(request, making)


def digest_of(text: str) -> str:
    """A short key for a long one."""
    return sha256(text.encode()).hexdigest()


class Offered(Struct, frozen=True):
    """The bundled rulesets, as a job lists them."""

    rulesets: list[Plain]


class About(Struct, frozen=True):
    """What is looked for in rules as a page needs them."""

    digest: str
    tiles: Raw = Raw(b"[]")


# --- handlers


async def rulesets(request: Request) -> Response:
    """Every bundled ruleset, in outline."""
    return json_response([outline(one) for one in (await offered(request)).rulesets])


async def ruleset(request: Request) -> Response:
    """A bundled ruleset with options, mods and presets."""
    id = await bundled_id(request)
    return json_response(next(one for one in (await offered(request)).rulesets if one["id"] == id))


def outline(ruleset: Plain) -> Plain:
    """A ruleset without what is chosen at a table."""
    return {key: value for key, value in ruleset.items() if key not in CHOICES}


async def offered(request: Request) -> Offered:
    return msgspec.json.decode(unpacked(await result(request, ("rulesets",), "about-rulesets", {})), type=Offered)


async def strips(request: Request) -> Response:
    """Typical tiles of every bundled ruleset, drawn; `set`: a name of STYLES."""
    style = style_of(request)
    return packed_response(request, await result(request, ("strips", style), "strips", {"set": style}))


async def showcase(request: Request) -> Response:
    """A hand of a bundled ruleset that bots play; its rules are known by their digest from now on."""
    spec = read_spec({"ruleset": {"id": await bundled_id(request)}})
    await about_of(request, spec)
    return packed_response(
        request, await result(request, ("showcase", digest_of(spec.key)), "showcase", {"spec": spec})
    )


async def about_spec(request: Request) -> Response:
    """The rules of a spec as a page needs them."""
    return packed_response(request, await about_of(request, (await body_as(request, AskAbout)).spec))


async def about_digest(request: Request) -> Response:
    """The same of rules with a known digest."""
    return packed_response(request, await known(request), FOR_EVER)


async def faces(request: Request) -> Response:
    """The sprite of the tiles of rules with a known digest; `set`: a name of STYLES."""
    style = style_of(request)
    about = await known(request)

    async def make() -> bytes:
        tiles = (await to_thread(read_about, about)).tiles
        return await work(request, "faces", {"tiles": tiles, "set": style})

    key = ("faces", request.path_params["digest"], style)
    found = await while_connected(request, kept(request).get(key, asker(request), make))
    return packed_response(request, found, FOR_EVER, "image/svg+xml")


def style_of(request: Request) -> str:
    """The requested style of tiles."""
    style = request.query_params.get("set", "")
    return style if style in STYLES else next(iter(STYLES))


async def rulebook_bundled(request: Request) -> Response:
    """The rulebook of a bundled ruleset with default options."""
    id, language = await bundled_id(request), language_in(request.query_params.get("lang"))
    payload = {"spec": {"ruleset": {"id": id}}, "lang": language}
    return packed_response(request, await result(request, ("rulebook", id, language), "about-rulebook", payload))


async def score_card(request: Request) -> Response:
    """The score card of a bundled ruleset, as a page to print or a picture; `paper`: a4 or letter."""
    id, language = await bundled_id(request), language_in(request.query_params.get("lang"))
    paper = "letter" if request.query_params.get("paper") == "letter" else "a4"
    format = request.path_params["format"]
    if format not in SCORE_CARDS:
        raise Refused("unknown-ruleset", UNKNOWN_RULESET, 404)
    payload = {"id": id, "lang": language, "format": format, "paper": paper}
    found = await result(request, ("score card", id, language, format, paper), "score-card", payload)
    return packed_response(request, found, media_type=SCORE_CARDS[format])


async def bundled_id(request: Request) -> str:
    """The id of the bundled ruleset that a request names. Raises Refused."""
    id: str = request.path_params["id"]
    if not any(one["id"] == id for one in (await offered(request)).rulesets):
        raise Refused("unknown-ruleset", UNKNOWN_RULESET, 404)
    return id


async def rulebook_spec(request: Request) -> Response:
    """The rulebook of any rules, with their options and mods; with `table`, of the rules played there."""
    return await written(request, "about-rulebook")


async def own_rules(request: Request) -> Response:
    """What rules of people's own show and change; with `table`, of those played there."""
    return await written(request, "own-rules")


async def written(request: Request, job: str) -> Response:
    """What a job writes of the rules that a request means, in its language. Raises Refused."""
    body = await body_as(request, AskRulebook)
    spec, texts = body.spec, NO_TEXTS
    if body.table is not None and (there := await rules_at(request, body.table)) is not None:
        spec, texts = there
    if spec is None:
        raise Refused("unknown-rules", UNKNOWN_RULES, 404)
    language = language_in(body.lang)
    key = (job, digest_of(spec.key), digest_of_texts(texts), language)
    payload = {"spec": spec, "kept": texts, "lang": language}
    return packed_response(request, await result(request, key, job, payload))


# --- shared parts


async def about_of(request: Request, spec: Spec, texts: Texts = NO_TEXTS) -> bytes:
    """The rules of a spec, with the texts that a table has kept, as a page needs them; also cached by their digest."""
    cache, who = kept(request).cache, asker(request)
    key = digest_of(spec.key), digest_of_texts(texts)
    found = await result(request, ("about", *key), "about", {"spec": spec, "kept": texts})
    digest = cache.get(("digest of", *key)) or (await to_thread(read_about, found)).digest.encode()
    cache.put(("digest of", *key), digest, who)
    cache.put(("digest", digest.decode()), found, who)
    return found


def digest_of_texts(texts: Texts) -> str:
    return digest_of("".join(sorted(map(digest_of, texts.values()))))


def read_about(about: bytes) -> About:
    """What is looked for in packed rules: in a thread, since they may be large."""
    return msgspec.json.decode(unpacked(about), type=About)


async def known(request: Request) -> bytes:
    """The rules with the digest of a request: cached here, or those of a table. Raises Refused."""
    digest = request.path_params["digest"]
    if DIGEST.fullmatch(digest):
        cache, key = kept(request).cache, ("digest", digest)
        found = cache.get(key) or request.app.state.pool.about(digest)
        if found is None and (rules := await rules_at(request, request.query_params.get("table", ""))) is not None:
            await about_of(request, *rules)
            found = cache.get(key)
        if found is not None:
            return found
    raise Refused("unknown-rules", UNKNOWN_RULES, 404)


async def rules_at(request: Request, code: str) -> tuple[Spec, Texts] | None:
    """The spec of the table with this code, and the texts that it has kept. Raises Refused."""
    if not code:
        return None
    access: Access = request.app.state.router.access
    seeker = Seeker(address_of(request.scope), await known_person(request))
    row = await access.table(code[:MOST_CODE], seeker, Refused("unknown-rules", UNKNOWN_RULES, 404))
    return read_spec(row.spec), await request.app.state.store.kept_texts(row.id)


async def work(request: Request, job: str, payload: Plain) -> bytes:
    """The result of a job with limits, packed. Raises Refused if it fails."""
    try:
        return await packed(request, job, payload, SECONDS)
    except BadSpec as error:
        raise Refused("bad-spec", BAD_RULES, problems=error.problems) from None
    except NoWorkerFree:
        raise Refused("too-many", BUSY, 503) from None
    except (GameFailed, WorkerLost):
        raise Refused("broken", BROKEN, 422) from None


def language_in(language: str | None) -> str:
    """The requested language, English if it is not one."""
    return language if language and LANGUAGE.fullmatch(language) else "en"


ROUTES: list[BaseRoute] = [
    Route("/api/rulesets", rulesets),
    Route("/api/rulesets/{id}", ruleset),
    Route("/api/strips", strips),
    Route("/api/showcase/{id}", showcase),
    Route("/api/about", about_spec, methods=["POST"]),
    Route("/api/about/{digest}", about_digest),
    Route("/api/faces/{digest}.svg", faces),
    Route("/api/rulebook", rulebook_spec, methods=["POST"]),
    Route("/api/own-rules", own_rules, methods=["POST"]),
    Route("/api/rulebook/{id}", rulebook_bundled),
    Route("/api/rulebook/{id}/card.{format}", score_card),
]
