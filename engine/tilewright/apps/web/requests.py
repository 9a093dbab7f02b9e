"""Requests: the body of an HTTP request, and whose it is; refusals as JSON. What every module with routes builds on.

A handler takes `request.app.state`: `.settings`, `.store`, `.houses`, `.lives`. It raises `Refused` for whatever it
does not do; the application answers with `{"error": {...}}`. Knows no table.
"""

import json
import re
from collections.abc import Iterable, Mapping
from math import isinf
from typing import TYPE_CHECKING, Any, NoReturn

from starlette.requests import Request
from starlette.responses import Response

from tilewright.apps.report import as_json
from tilewright.base.problem import Problem

if TYPE_CHECKING:
    from tilewright.apps.web.store import Person, Store

Text = str | Mapping[str, str]  # in one language (English), or by language

BEARER = "bearer "
KEY_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
LEAST_KEY, MOST_KEY = 32, 128
MOST_BODY = 300_000  # bytes
HALVES = re.compile("[\ud800-\udfff]")

UNKNOWN_PERSON = {"en": "say who you are first: open the page again", "zh": "請重新開啟頁面，讓我們認得你"}
TOO_LARGE = {"en": "this is larger than what is taken here", "zh": "內容太大，無法接受"}
NOT_JSON = {"en": "this is no JSON object", "zh": "內容不是 JSON 物件"}


class Refused(Exception):
    """Something is not done. `code` is a lower-case-with-hyphens name, `message` says why, `hint` what to do instead;
    `problems`: those of a document, as plain data; `status`: of the answer to a request."""

    def __init__(
        self,
        code: str,
        message: Text,
        status: int = 400,
        hint: Text | None = None,
        problems: Iterable[Mapping[str, Any]] = (),
    ) -> None:
        self.code, self.status, self.problems = code, status, tuple(problems)
        self.message = by_language(message)
        self.hint = None if hint is None else by_language(hint)
        super().__init__(f"{code}: {self.message.get('en', '')}")

    def to_json(self) -> dict[str, Any]:
        """As it is told in an answer, and in a message of a socket."""
        found: dict[str, Any] = {"code": self.code, "message": dict(self.message)}
        if self.hint is not None:
            found["hint"] = dict(self.hint)
        if self.problems:
            found["problems"] = [dict(problem) for problem in self.problems]
        return found


def by_language(text: Text) -> Mapping[str, str]:
    return {"en": text} if isinstance(text, str) else text


def problem_json(problem: Problem) -> dict[str, Any]:
    """A problem of a document: `code`, `message`, `severity`, and `file`, `line`, `column`, `length`, `hint`: null
    where it has none."""
    return as_json(problem)


# --- what a request brings


async def body_of(request: Request, most: int = MOST_BODY) -> dict[str, Any]:
    """The JSON object that a request brings. Raises Refused for one that is too large (413) or is none."""
    return read_object(await bytes_of(request, most))


async def bytes_of(request: Request, most: int = MOST_BODY) -> bytes:
    """What a request brings, never more than `most` bytes of it. Raises Refused."""
    said = request.headers.get("content-length", "0")
    if said.isascii() and said.isdigit() and int(said[:20]) > most:
        raise too_large()
    found = bytearray()
    async for chunk in request.stream():
        found += chunk
        if len(found) > most:
            raise too_large()
    return bytes(found)


def too_large() -> Refused:
    return Refused("too-large", TOO_LARGE, 413)


def read_object(text: bytes | str) -> dict[str, Any]:
    """The object that a JSON text is. Raises Refused."""
    try:
        found = whole(json.loads(text, parse_constant=no_number, parse_float=finite))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Refused("bad-message", NOT_JSON)
    return found


def no_number(text: str) -> NoReturn:
    """NaN and infinities, which are no JSON."""
    raise ValueError(text)


def finite(text: str) -> float:
    """A number that can be written down again."""
    number = float(text)
    return no_number(text) if isinf(number) else number


def whole(value: Any) -> Any:
    """Plain data in whose texts no half of a character is left: it could not be sent on to anybody."""
    if isinstance(value, str):
        return value if value.isascii() else HALVES.sub("\ufffd", value)
    if isinstance(value, list):
        return [whole(one) for one in value]
    return {whole(key): whole(one) for key, one in value.items()} if isinstance(value, dict) else value


# --- whose it is


async def person_of(request: Request) -> "Person":
    """The person whose key a request brings. Raises Refused (401) where there is none or nobody knows it."""
    key = key_of(request)
    store: Store = request.app.state.store
    person = await store.person_by_key(key) if key is not None else None
    if person is None:
        raise Refused("unknown-person", UNKNOWN_PERSON, 401)
    return person


def key_of(request: Request) -> str | None:
    """The key in `Authorization: Bearer KEY`, if it is shaped like one."""
    said = request.headers.get("authorization", "")
    if not said.lower().startswith(BEARER):
        return None
    key = said[len(BEARER) :].strip()
    return key if is_key(key) else None


def is_key(key: str) -> bool:
    """Long enough not to be guessed, and of characters that pass everywhere."""
    return LEAST_KEY <= len(key) <= MOST_KEY and KEY_CHARACTERS.issuperset(key)


# --- answers


def json_response(content: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Plain data as JSON, which nobody keeps."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    return Response(text, status, {"cache-control": "no-store", **(headers or {})}, "application/json")


async def refuse(request: Request, error: Exception) -> Response:
    """The answer to a request that was refused: an exception handler of the application."""
    assert isinstance(error, Refused)
    return json_response({"error": error.to_json()}, error.status)
