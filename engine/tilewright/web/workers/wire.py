"""The wire between the server and a worker: typed requests and replies, in frames of bytes; and results that the server
passes on without reading them, compressed once and kept like that.

A frame is JSON with four bytes of length before it, so that a cut-off frame is noticed. Both sides validate what they
read against the classes below. Knows neither side and no job.
"""

import gzip
import zlib
from collections.abc import Iterator, Mapping
from typing import IO, Any, TypeVar

import msgspec
from msgspec import Raw, Struct

from tilewright.presentation.catalogue import translations
from tilewright.web.protocol.shape import json_bytes

Plain = dict[str, Any]
T = TypeVar("T")
LENGTH = 4  # bytes
MOST_BYTES = 64_000_000  # of a frame


class CutOff(Exception):
    """The other side has gone."""


class BadFrame(ValueError):
    """The other side sends something invalid."""


class FrameTooLarge(BadFrame):
    """The other side sends too much at once."""


class GameFailed(Exception):
    """A game, or a job, cannot continue: its log does not match, or its rules take too long or too much memory.
    `reason` by language."""

    def __init__(self, reason: Mapping[str, str]) -> None:
        self.reason = dict(reason)
        super().__init__(self.reason["en"])


# --- requests of the server


class Request(Struct, frozen=True, kw_only=True, tag_field="do", tag=str.lower, forbid_unknown_fields=True):
    """`seconds`: of processor time, after which the worker is ended."""

    seconds: float


class OpenGame(Request, frozen=True):
    """A game of a spec, or of a log, under a number; the reply is a GameOpened. `secret`: what its hands are dealt
    from, if the spec has no seed; `kept`: texts of bundled documents that it goes on with."""

    table: int
    spec: Plain
    log: tuple[str, ...]
    players: tuple[str, ...]
    secret: str | None = None
    kept: dict[str, str] = {}


class DescribeRules(Request, frozen=True):
    """The rules of a game as a page needs them, packed (see `packing`)."""

    table: int


class BeginGame(Request, frozen=True):
    """The state of a game that was just opened: a GameStep."""

    table: int


class AnswerQuestion(Request, frozen=True):
    """A player answers: a GameStep."""

    table: int
    player: int
    move: dict[str, str]


class PressButtons(Request, frozen=True):
    """The pressed buttons of a player: a GameStep."""

    table: int
    player: int
    buttons: tuple[str, ...]


class FollowLog(Request, frozen=True):
    """A copy of a game catches up with new lines of its log."""

    table: int
    lines: tuple[str, ...]


class PrepareBots(Request, frozen=True):
    """What bots find out about the rules before their first move is found out now."""

    table: int
    bots: tuple[str, ...]


class ChooseMove(Request, frozen=True):
    """A bot's answer for a player: a move."""

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
    """Close a game."""

    table: int


class DoJob(Request, frozen=True):
    """A job by its name in `web.jobs.registry`. `pack`: whether the result is to be packed (see `packing`)."""

    name: str
    payload: Plain
    pack: bool = False


class CountGames(Request, frozen=True):
    """How many games there are: a sign of life."""


AnyRequest = (
    OpenGame
    | DescribeRules
    | BeginGame
    | AnswerQuestion
    | PressButtons
    | FollowLog
    | PrepareBots
    | ChooseMove
    | Advise
    | CloseGame
    | DoJob
    | CountGames
)


# --- replies of a worker


class GameOpened(Struct, frozen=True):
    """A game was opened. `digest`: of the texts of its rules; `seats`: how many; `names`: of the seats."""

    digest: str
    seats: int
    names: tuple[str, ...]


class Reply(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One of: the result (`found`); `problems` of documents; why a move is `illegal`; why the work is `broken`, and
    whether the worker `leaves` afterwards."""

    found: Raw | msgspec.UnsetType = msgspec.UNSET
    problems: tuple[Plain, ...] | None = None
    illegal: dict[str, str] | None = None
    broken: dict[str, str] | None = None
    leaves: bool = False


REQUESTS: msgspec.json.Decoder[AnyRequest] = msgspec.json.Decoder(AnyRequest)
REPLIES = msgspec.json.Decoder(Reply)


def found_in(reply: Reply, kind: type[T]) -> T:
    """The result in a reply, as its type. Raises BadFrame for anything else."""
    try:
        return msgspec.json.decode(reply.found if isinstance(reply.found, Raw) else b"null", type=kind)
    except msgspec.MsgspecError as error:
        raise BadFrame(str(error)) from error


# --- frames


def frame_of(data: Struct) -> bytes:
    """A request or a reply as bytes."""
    text = json_bytes(data)
    return len(text).to_bytes(LENGTH, "big") + text


def length_of(head: bytes, most: int = MOST_BYTES) -> int:
    """How many bytes follow. Raises CutOff; FrameTooLarge for more than `most`."""
    length = int.from_bytes(head, "big")
    if len(head) != LENGTH:
        raise CutOff
    if length > most:
        raise FrameTooLarge(f"{length:,} bytes")
    return length


def read_frame(stream: IO[bytes], decoder: msgspec.json.Decoder[T]) -> T:
    """The next frame of a stream. Raises CutOff, BadFrame."""
    length = length_of(stream.read(LENGTH))
    return read_whole(stream.read(length), length, decoder)


def read_whole(text: bytes, length: int, decoder: msgspec.json.Decoder[T]) -> T:
    """The content of a frame. Raises CutOff, BadFrame."""
    if len(text) != length:
        raise CutOff
    try:
        return decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadFrame(str(error)) from error


# --- packed results


MOST_CONTENT = 16_000_000  # bytes of a result
LEVEL = 6
PART = 32_000  # bytes of content that are unpacked at once
OF_GZIP = 16 + zlib.MAX_WBITS
TOO_LARGE = translations("server.table_too_large")


def packed(found: object) -> bytes:
    """A text as it is, anything else as JSON. Raises GameFailed if it is too large."""
    content = found.encode(errors="replace") if isinstance(found, str) else json_bytes(found)
    if len(content) > MOST_CONTENT:
        raise GameFailed(TOO_LARGE)
    return gzip.compress(content, LEVEL, mtime=0)


def unpacked(content: bytes) -> bytes:
    """All of it. Where it may be large, to be called in a thread."""
    return gzip.decompress(content)


def parts(content: bytes) -> Iterator[bytes]:
    """All of it, little by little."""
    unpacking = zlib.decompressobj(OF_GZIP)
    while not unpacking.eof:
        yield unpacking.decompress(content, PART)
        content = unpacking.unconsumed_tail
