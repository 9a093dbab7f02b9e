"""Lines of cases: JSON in, cases out; results in, their text as `json` writes it out; hands scored together.

What lines share (a table, zones, melds, patterns that count, payments) is read and written once, and known by its text
or numbers. Unusual lines are left to others. Knows no rule and no file.
"""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from io import BytesIO
from operator import attrgetter
from typing import Any, Protocol

import msgspec
from msgspec import Raw

from tilewright.authoring.case_files import LONGEST_NUMBER, case_of
from tilewright.base.memory import Remembered, kept
from tilewright.scoring.case import read_case
from tilewright.scoring.case_hands import MOST_TILES, read_meld
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.kernel.layout import RESULT_CODED, RESULT_FORM
from tilewright.scoring.plain.scene import Situation
from tilewright.scoring.quick import Found, HandStream, StreamHand, StreamMeld, StreamTable, StreamZones
from tilewright.scoring.rules import ScoringRules
from tilewright.scoring.score import PatternScore, Score
from tilewright.tiles.notation import NotationError, notation_of, parse_tiles

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


# --- hands scored together


NONE = Raw(b"")
SIMPLE_ID = re.compile(rb'[1-9]\d*|"[ !#-\[\]-~]*"').fullmatch
made_of = tuple.__new__  # which makes a hand in a third of the time
UNUSUAL = (msgspec.MsgspecError, UnicodeDecodeError, KeyError, NotationError, CaseError)  # lines raise


class HandLine(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A case whose tiles are read, and the rest only where it was not met before."""

    hand: list[str] | str
    win_tile: str
    id: Raw = NONE
    melds: list[Raw] = []
    self_draw: Raw = NONE
    seat_wind: Raw = NONE
    round_wind: Raw = NONE
    discarder: Raw = NONE
    flags: Raw = NONE
    marks: Raw = NONE
    bonus: Raw = NONE
    zones: Raw = NONE
    ruleset: Raw = NONE
    options: Raw = NONE


READ = msgspec.json.Decoder(HandLine).decode
ABOUT_TABLE = attrgetter("self_draw", "seat_wind", "round_wind", "discarder", "flags", "marks", "bonus")


class HandLines:
    """Results of hands under one ruleset."""

    def __init__(self, rules: ScoringRules, stream: HandStream, texts: ScoreTexts) -> None:
        self.rules, self.data, self.written = rules, rules.data, texts
        self.stream, self.most_melds = stream, stream.most_melds
        self.spellings = notation_of(rules.data.tiles).spellings
        self.forget()

    def forget(self) -> None:
        """Forget what was read and written."""
        self.generation = self.stream.kernel.generation
        self.tables: dict[tuple[bytes, int], StreamTable | None] = {}
        self.zones: dict[bytes, StreamZones | None] = {}
        self.melds = Remembered(self.new_meld)
        self.worths: dict[int, tuple[str, str]] = {}
        self.patterns = Remembered(self.new_pattern)
        self.ends: dict[tuple[StreamTable, int, int], str] = {}
        self.shared_ends: dict[tuple[object, ...], str] = {}  # by measures
        self.parts = Remembered(self.new_part)

    def texts_of(self, lines: Sequence[bytes | None]) -> list[str]:
        """The result of each line; nothing for those that are left to others."""
        with self.stream.kernel.lock:
            self.stream.kernel.forget_much()
            if self.generation != self.stream.kernel.generation:
                self.forget()
            return self.scored(lines)

    def scored(self, lines: Sequence[bytes | None]) -> list[str]:
        texts, places, heads, hands = [""] * len(lines), list[int](), list[str](), list[StreamHand]()
        whole = b"".join([line for line in lines if line is not None])
        usual = whole.isascii() and not has_long_number(whole)
        for place, line in enumerate(lines):
            try:
                hand = self.hand_on(line) if line is not None and (usual or is_fine(line)) else None
            except UNUSUAL:
                continue
            if hand is not None:
                places.append(place)
                heads.append(hand[0])
                hands.append(hand[1])
        if hands:
            self.write(texts, places, heads, hands)
        return texts

    # --- lines

    def hand_on(self, line: bytes) -> tuple[str, StreamHand] | None:
        """How the result of a line begins, and its hand; None for one that others score. Raises what says that it is
        not as usual."""
        read = READ(line)
        hand, face, shown, melds = read.hand, self.spellings.__getitem__, 0, []
        tiles = parse_tiles(hand, self.data.tiles) if isinstance(hand, str) else [*map(face, hand)]
        for raw in read.melds:
            meld = self.melds[bytes(raw)]
            if meld is None:
                return None
            shown |= meld.number & 1
            melds.append(meld)
        if len(tiles) > MOST_TILES or len(melds) > self.most_melds:
            return None
        around, zones = (b"\n".join(ABOUT_TABLE(read)), shown), bytes(read.zones)
        if around not in self.tables or zones not in self.zones:
            self.read_around(line, around, zones)
        table, lying = self.tables[around], self.zones[zones]
        if table is None or lying is None:
            return None
        head = "{"
        if id := bytes(read.id):
            head = f'{{"id": {id.decode()}, ' if SIMPLE_ID(id) else head_of(DECODE(id))
        return head, made_of(StreamHand, (table, lying, tiles, face(read.win_tile), melds))

    def read_around(self, line: bytes, around: tuple[bytes, int], zones: bytes) -> None:
        """Read what a line says beside its hand."""
        situation = read_case(self.data, case_on(line))
        kept(self.tables, around, self.stream.table(situation))
        kept(self.zones, zones, self.stream.zones(situation))

    def new_meld(self, key: bytes) -> StreamMeld | None:
        return self.stream.meld(read_meld(self.data, DECODE(key)))

    # --- results

    def write(self, texts: list[str], places: Sequence[int], heads: Sequence[str], hands: Sequence[StreamHand]) -> None:
        """Write the results of hands in their places; nothing for those that are left to others."""
        stream, row, wide = self.stream, 0, self.stream.kernel.result_width
        found, codes, parts = stream.results(hands), stream.lone.first_code, stream.lone.parts
        numbers, ends, worths = found.tolist(), self.ends, self.worths
        pattern, part = self.patterns.__getitem__, self.parts.__getitem__
        for place, head, hand in zip(places, heads, hands, strict=True):
            worth, form, coded = numbers[row], numbers[row + RESULT_FORM], numbers[row + RESULT_CODED]
            first, row = row, row + wide
            if worth < 0:
                continue
            end = ends.get((hand[0], worth, form)) or self.new_end(hand, stream.found(found[first:row]))
            amount, counted = worths.get(worth) or self.new_worth(hand, stream.found(found[first:row]))
            if coded:
                counted = ", ".join(map(pattern, numbers[first + codes : first + codes + coded]))
            reading = "".join(map(part, numbers[first + parts : row]))
            texts[place] = f'{head}{amount}{counted}], "reading": [{reading[2:]}], {end}'

    def score_of(self, situation: Situation, found: Found) -> Score:
        return self.rules.quick.score_of(situation, found, self.stream.kernel.worths)

    def new_worth(self, hand: StreamHand, found: Found) -> tuple[str, str]:
        """The text of a worth, and of the patterns of which it says that they count."""
        score = self.score_of(hand.table.situation, found)
        patterns = ", ".join(map(self.written.pattern, score.patterns))
        return kept(self.worths, int(found[0]), (self.written.amount(score), patterns))

    def new_pattern(self, code: int) -> str:
        return self.written.pattern(self.rules.quick.patterns[code])

    def new_end(self, hand: StreamHand, found: Found) -> str:
        """What follows the reading; kept where all hands at such a table that are worth so much share it."""
        score = self.score_of(hand.table.situation, found)
        shared = hand.table, found[1], score.reason, *score.values.values()
        text = self.shared_ends.get(shared)
        if text is None:
            situation = self.stream.situation(hand)
            details = self.score_of(situation, found).details_json()
            details.pop("reading")
            text = f"{self.written.members(details)}}}"
            if score.win and situation.pays and not self.rules.scores.pays_alike(situation, score.values):
                return text
            kept(self.shared_ends, shared, text)
        return kept(self.ends, (hand.table, *found[:2]), text)

    def new_part(self, part: int) -> str:
        """A part of a reading after others; nothing for none."""
        return f", {self.written.value(self.rules.quick.text(part))}" if part >= 0 else ""


def is_fine(line: bytes) -> bool:
    """Whether a line has no number that is perhaps too long. Raises UnicodeDecodeError."""
    return bool(line.isascii() or line.decode()) and not has_long_number(line)
