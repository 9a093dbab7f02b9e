"""Lines of JSON: a line in, its case out; a result in, its text out, as `json` writes it. Knows no rule."""

import json
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from typing import Any, Protocol

import msgspec

from tilewright.authoring.case_files import LONGEST_NUMBER, case_of
from tilewright.base.data.memory import kept
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.score import PatternScore, Score

LONGEST_LINE = 1 << 20  # bytes; a case of a hand takes some hundreds
MOST_AT_ONCE = 1 << 17  # bytes that are read
DECODE = msgspec.json.Decoder().decode
ENCODE = msgspec.json.Encoder().encode
ENCODE_SLOWLY = json.JSONEncoder(ensure_ascii=False).encode
DIGITS = bytes.maketrans(b"-123456789", b"0000000000")
LONG_NUMBER = b"0" * (LONGEST_NUMBER + 1)


class Readable(Protocol):
    """A file, or what else gives the bytes that are there, at most so many, and waits where there are none yet."""

    def read1(self, most: int, /) -> bytes: ...


# --- cases


def line_blocks(stream: Readable) -> Iterator[list[bytes | None]]:
    """The lines of a file, as many at a time as are there; None for one that is too long, which is skipped without
    being stored."""
    rest, skips = b"", False  # of a line that is not whole yet: what is there, and whether it is too long
    while found := stream.read1(MOST_AT_ONCE):
        lines: list[bytes | None] = [*BytesIO(rest + found)]
        last = lines.pop() or b""
        if last.endswith(b"\n"):
            lines.append(last)
            last = b""
        if skips and lines:
            lines[0], skips = None, False
        skips = skips or len(last) > LONGEST_LINE
        rest = b"" if skips else last
        if lines:
            yield [None if line is None or len(line) > LONGEST_LINE else line for line in lines]
    if rest or skips:
        yield [None if skips else rest]


def case_on(line: bytes | None) -> dict[str, Any]:
    """The case on a line; what is unusual or wrong is left to `case_of`. Raises CaseError."""
    if line is not None and not has_long_number(line):
        with suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            case = DECODE(line)
            if isinstance(case, dict):
                return case
    return case_of(text_of(line))


def has_long_number(line: bytes) -> bool:
    """Whether digits stand in a row that are perhaps too many to be read."""
    return LONG_NUMBER in line.translate(DIGITS)


def text_of(line: bytes | None) -> str:
    """A line as text. Raises CaseError if it is too long or not UTF-8."""
    if line is None:
        raise CaseError("line-too-long", f"the line is longer than {LONGEST_LINE} bytes", "write one case per line")
    try:
        return line.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CaseError("not-utf-8", "the line is not UTF-8", "save the file as UTF-8") from None


# --- results


def json_of(result: dict[str, Any]) -> str:
    """The result as `json` writes it, which has its own way with very large and very small fractions."""
    try:
        text: bytes = msgspec.json.format(ENCODE(result), indent=0)
    except UnicodeEncodeError:
        return ENCODE_SLOWLY(result)
    numbers = text.translate(DIGITS)
    return ENCODE_SLOWLY(result) if b"0e" in numbers or b"0.0000" in numbers else text.decode()


def head_of(id: object) -> str:
    """How the result of a case begins."""
    return "{" if id is None else f"{json_of({'id': id})[:-1]}, "


class ScoreTexts:
    """Scores as text. Amounts and patterns, which many hands share, are written once."""

    def __init__(self) -> None:
        self.amounts: dict[tuple[object, ...], str] = {}
        self.patterns: dict[tuple[object, ...], str] = {}
        self.details: dict[object, str] = {}

    def text_of(self, score: Score, id: object = None) -> str:
        """`json_of(score.as_json(id))`."""
        return f"{head_of(id)}{self.worth(score)}{self.members(score.details_json())}}}"

    def worth(self, score: Score) -> str:
        """The text between the id and the details."""
        return f"{self.amount(score)}{', '.join(map(self.pattern, score.patterns))}], "

    def members(self, details: dict[str, Any]) -> str:
        """The members of an object."""
        return ", ".join([f'"{name}": {self.value(value)}' for name, value in details.items()])

    def amount(self, score: Score) -> str:
        """The text between the id and the first pattern."""
        key = score.win, score.total, score.unit, *score.values.items()
        text = self.amounts.get(key)
        if text is None:
            without = json_of(score._replace(patterns=()).worth_json())
            text = kept(self.amounts, key, without.removeprefix("{").removesuffix("]}"))
        return text

    def pattern(self, pattern: PatternScore) -> str:
        """`json_of(pattern.as_json())`."""
        key = pattern.id, pattern.name, pattern.worth, pattern.times
        text = self.patterns.get(key)
        return kept(self.patterns, key, json_of(pattern.as_json())) if text is None else text

    def value(self, value: Any) -> str:
        """The text of a detail: lists of texts piece by piece, for few pieces make many lists."""
        if isinstance(value, list):
            return f"[{', '.join([self.details.get(one) or self.value(one) for one in value])}]"
        key = tuple(value.items()) if isinstance(value, dict) else value
        text = self.details.get(key)
        return kept(self.details, key, json_of(value)) if text is None else text
