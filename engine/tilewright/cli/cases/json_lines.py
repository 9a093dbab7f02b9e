"""Lines of JSON: a line in, its case out; a result in, its text out, as `json` writes it. Knows no rule."""

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, BinaryIO

import msgspec

from tilewright.authoring.case_files import LONGEST_NUMBER, case_of
from tilewright.scoring.case import CaseError
from tilewright.scoring.score import PatternScore, Score

LONGEST_LINE = 1 << 20  # bytes; a case of a hand takes some hundreds
DECODE = msgspec.json.Decoder().decode
ENCODE = msgspec.json.Encoder().encode
ENCODE_SLOWLY = json.JSONEncoder(ensure_ascii=False).encode
DIGITS = bytes.maketrans(b"-123456789", b"0000000000")
LONG_NUMBER = b"0" * (LONGEST_NUMBER + 1)
MOST_KEPT = 10_000  # texts


# --- cases


def lines_of(stream: BinaryIO) -> Iterator[bytes | None]:
    """The lines of a file; None for one that is too long, which is skipped without being stored."""
    while line := stream.readline(LONGEST_LINE + 1):
        too_long = len(line) > LONGEST_LINE
        while too_long and not line.endswith(b"\n") and (line := stream.readline(LONGEST_LINE)):
            pass
        yield None if too_long else line


def case_on(line: bytes | None) -> dict[str, Any]:
    """The case on a line; what is unusual or wrong is left to `case_of`. Raises CaseError."""
    if line is not None and LONG_NUMBER not in line.translate(DIGITS):
        with suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            case = DECODE(line)
            if isinstance(case, dict):
                return case
    return case_of(text_of(line))


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


class ScoreTexts:
    """Scores as text. What hands share is written once: kept by the identity of its values and patterns."""

    def __init__(self) -> None:
        self.worths: dict[tuple[object, ...], tuple[object, object, str]] = {}
        self.patterns: dict[int, tuple[PatternScore, dict[str, Any]]] = {}

    def text_of(self, score: Score, id: object = None) -> str:
        """`json_of(score.as_json(id))`."""
        text = self.worth(score) + json_of(score.details_json())[1:]
        return "{" + text if id is None else f"{json_of({'id': id})[:-1]}, {text}"

    def worth(self, score: Score) -> str:
        """The first part of the text, without the bracket before it."""
        key = id(score.values), id(score.patterns), score.win, score.total, score.unit
        kept = self.worths.get(key)
        if kept is None:
            if len(self.worths) >= MOST_KEPT:
                self.worths.clear()
            text = json_of(score.worth_json(self.pattern))
            kept = self.worths[key] = score.values, score.patterns, f"{text[1:-1]}, "
        return kept[2]

    def pattern(self, pattern: PatternScore) -> dict[str, Any]:
        """`pattern.as_json()`."""
        kept = self.patterns.get(id(pattern))
        if kept is None:
            if len(self.patterns) >= MOST_KEPT:
                self.patterns.clear()
            kept = self.patterns[id(pattern)] = pattern, pattern.as_json()
        return kept[1]
