"""The wire between the server and a worker: typed requests and replies, in frames of bytes.

A frame is JSON with four bytes of length before it, so that one that was cut off is noticed. What is read is validated
against the classes below, on both sides. Knows neither side.
"""

from collections.abc import Mapping
from typing import IO, Any, TypeVar

import msgspec
from msgspec import Raw, Struct

from tilewright.web.protocol.strict_json import json_bytes

Plain = dict[str, Any]
T = TypeVar("T")
LENGTH = 4  # bytes
MOST_BYTES = 64_000_000  # of a frame


class CutOff(Exception):
    """The other side has gone."""


class BadFrame(ValueError):
    """The other side sends something else."""


class GameFailed(Exception):
    """A game, or a job, cannot go on: its log does not fit, or its rules take too long or too much memory. `reason` by
    language."""

    def __init__(self, reason: Mapping[str, str]) -> None:
        self.reason = dict(reason)
        super().__init__(self.reason["en"])


# --- what the server asks of a worker


class Request(Struct, frozen=True, kw_only=True, tag_field="do", tag=str.lower, forbid_unknown_fields=True):
    """`seconds`: of processor time, after which the worker is ended."""

    seconds: float


class OpenGame(Request, frozen=True):
    """A game of a spec, or of a log, under a number; the reply is a GameOpened."""

    table: int
    spec: Plain
    log: tuple[str, ...]
    players: tuple[str, ...]


class DescribeRules(Request, frozen=True):
    """What a page needs to know of the rules of a game."""

    table: int


class BeginGame(Request, frozen=True):
    """How a game stands that was just opened: a GameStep."""

    table: int


class AnswerQuestion(Request, frozen=True):
    """A player answers: a GameStep."""

    table: int
    player: int
    move: dict[str, str]


class PressButtons(Request, frozen=True):
    """These buttons of a player are on, all others off: a GameStep."""

    table: int
    player: int
    buttons: tuple[str, ...]


class FollowLog(Request, frozen=True):
    """A copy of a game catches up with new lines of its log."""

    table: int
    lines: tuple[str, ...]


class ChooseMove(Request, frozen=True):
    """What a bot answers for a player: a move."""

    table: int
    bot: str
    player: int
    seed: int


class Advise(Request, frozen=True):
    """Advice for a player."""

    table: int
    what: str
    player: int


class CloseGame(Request, frozen=True):
    """A game is not played any more."""

    table: int


class DoJob(Request, frozen=True):
    """Work of this name, as `web.jobs.registry` lists it."""

    name: str
    payload: Plain


class CountGames(Request, frozen=True):
    """How many games there are: a sign of life."""


AnyRequest = (
    OpenGame
    | DescribeRules
    | BeginGame
    | AnswerQuestion
    | PressButtons
    | FollowLog
    | ChooseMove
    | Advise
    | CloseGame
    | DoJob
    | CountGames
)


# --- what a worker replies


class GameOpened(Struct, frozen=True):
    """A game was opened. `digest`: of its rules; `seats`: how many; `names`: of the seats."""

    digest: str
    seats: int
    names: tuple[str, ...]


class Reply(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One of: what was `found`; `problems` of documents; why a move is `illegal`; why the work is `broken` off, and
    whether the worker `leaves` afterwards."""

    found: Raw | msgspec.UnsetType = msgspec.UNSET
    problems: tuple[Plain, ...] | None = None
    illegal: dict[str, str] | None = None
    broken: dict[str, str] | None = None
    leaves: bool = False


REQUESTS: msgspec.json.Decoder[AnyRequest] = msgspec.json.Decoder(AnyRequest)
REPLIES = msgspec.json.Decoder(Reply)


def found_in(reply: Reply, kind: type[T]) -> T:
    """What a reply brings, as what it is to be. Raises BadFrame for anything else."""
    try:
        return msgspec.json.decode(reply.found if isinstance(reply.found, Raw) else b"null", type=kind)
    except msgspec.MsgspecError as error:
        raise BadFrame(str(error)) from error


# --- frames


def frame_of(data: Struct) -> bytes:
    """A request or a reply as it is sent."""
    text = json_bytes(data)
    return len(text).to_bytes(LENGTH, "big") + text


def length_of(head: bytes) -> int:
    """How many bytes follow. Raises CutOff."""
    length = int.from_bytes(head, "big")
    if len(head) != LENGTH or length > MOST_BYTES:
        raise CutOff
    return length


def read_frame(stream: IO[bytes], decoder: msgspec.json.Decoder[T]) -> T:
    """The next of a stream. Raises CutOff, BadFrame."""
    length = length_of(stream.read(LENGTH))
    return read_whole(stream.read(length), length, decoder)


def read_whole(text: bytes, length: int, decoder: msgspec.json.Decoder[T]) -> T:
    """What a frame holds. Raises CutOff, BadFrame."""
    if len(text) != length:
        raise CutOff
    try:
        return decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadFrame(str(error)) from error
