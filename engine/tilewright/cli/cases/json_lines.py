"""Lines of JSON: a line in, its case out; a result in, its text out, as `json` writes it. Knows no rule."""

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, BinaryIO, TypeVar

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
Key = TypeVar("Key")


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
    """Scores as text. Amounts and patterns, which many hands share, are written once."""

    def __init__(self) -> None:
        self.amounts: dict[tuple[object, ...], str] = {}
        self.patterns: dict[tuple[object, ...], str] = {}
        self.details: dict[object, str] = {}

    def text_of(self, score: Score, id: object = None) -> str:
        """`json_of(score.as_json(id))`."""
        head = "{" if id is None else f"{json_of({'id': id})[:-1]}, "
        patterns = ", ".join(map(self.pattern, score.patterns))
        details = ", ".join([f'"{name}": {self.value(value)}' for name, value in score.details_json().items()])
        return f"{head}{self.amount(score)}{patterns}], {details}}}"

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


def kept(texts: dict[Key, str], key: Key, text: str) -> str:
    """The text, kept for the next time; before there are too many, all are dropped."""
    if len(texts) >= MOST_KEPT:
        texts.clear()
    texts[key] = text
    return text
