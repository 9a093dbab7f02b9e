"""Lines of hands that a compiled loop scores together: blocks of lines in, the text of their results out.

What lines share (a table, zones, melds, patterns that count, payments) is read and written once, and known by its text
or numbers. Leaves every unusual line to others."""

import re
from collections.abc import Sequence
from contextlib import suppress
from operator import attrgetter

import msgspec
from msgspec import Raw

from tilewright.cli.cases.json_lines import DECODE, ScoreTexts, case_on, has_long_number, head_of, kept
from tilewright.scoring.case import read_case
from tilewright.scoring.cases.hands import read_meld
from tilewright.scoring.cases.known import MOST_TILES
from tilewright.scoring.cases.mistakes import CaseError
from tilewright.scoring.kernel.layout import RESULT_CODED, RESULT_FORM
from tilewright.scoring.kernel.lone import Found
from tilewright.scoring.plain.situation import Situation
from tilewright.scoring.rules import ScoringRules
from tilewright.scoring.score import Score
from tilewright.scoring.streams import HandStream, StreamHand, StreamMeld, StreamTable, StreamZones
from tilewright.tiles.notation import NotationError, notation_of, parse_tiles

NONE = Raw(b"")
SIMPLE_ID = re.compile(rb'[1-9]\d*|"[ !#-\[\]-~]*"').fullmatch


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
        self.stream = stream
        self.spellings = notation_of(rules.data.tiles).spellings
        self.forget()

    def forget(self) -> None:
        """Forget what was read and written."""
        self.generation = self.stream.kernel.generation
        self.tables: dict[tuple[bytes, int], StreamTable | None] = {}
        self.zones: dict[bytes, StreamZones | None] = {}
        self.melds: dict[bytes, StreamMeld | None] = {}
        self.worths: dict[int, tuple[str, str]] = {}
        self.patterns: dict[int, str] = {}
        self.ends: dict[tuple[StreamTable, int, int], str] = {}
        self.parts: dict[int, str] = {}

    def texts_of(self, lines: Sequence[bytes | None]) -> list[str]:
        """The result of each line; nothing for those that are left to others."""
        with self.stream.kernel.lock:
            self.stream.kernel.forget_much()
            if self.generation != self.stream.kernel.generation:
                self.forget()
            return self.scored(lines)

    def scored(self, lines: Sequence[bytes | None]) -> list[str]:
        texts, places, heads, hands = [""] * len(lines), list[int](), list[str](), list[StreamHand]()
        for place, line in enumerate(lines):
            with suppress(msgspec.MsgspecError, UnicodeDecodeError, KeyError, NotationError, CaseError):
                if line is not None and (hand := self.hand_on(line)) is not None:
                    places.append(place)
                    heads.append(hand[0])
                    hands.append(hand[1])
        for place, text in zip(places, self.results(heads, hands) if hands else (), strict=True):
            texts[place] = text
        return texts

    # --- lines

    def hand_on(self, line: bytes) -> tuple[str, StreamHand] | None:
        """How the result of a line begins, and its hand; None for one that others score. Raises what says that it is
        not as usual."""
        read = READ(line)
        if has_long_number(line) or not (line.isascii() or line.decode()):
            return None
        tiles = parse_tiles(read.hand, self.data.tiles) if isinstance(read.hand, str) else self.tiles(read.hand)
        melds, known, shown = list[StreamMeld](), self.melds, 0
        for raw in read.melds:
            key = bytes(raw)
            meld = known[key] if key in known else self.new_meld(key)
            if meld is None:
                return None
            shown |= meld.number & 1
            melds.append(meld)
        if len(tiles) > MOST_TILES or len(melds) > self.stream.most_melds:
            return None
        around, zones = (b"\n".join(ABOUT_TABLE(read)), shown), bytes(read.zones)
        if around not in self.tables or zones not in self.zones:
            self.read_around(line, around, zones)
        table, lying = self.tables[around], self.zones[zones]
        if table is None or lying is None:
            return None
        id = bytes(read.id)
        head = f'{{"id": {id.decode()}, ' if SIMPLE_ID(id) else head_of(DECODE(id) if id else None)
        return head, StreamHand(table, lying, tiles, self.spellings[read.win_tile], melds)

    def tiles(self, texts: list[str]) -> list[int]:
        return [*map(self.spellings.__getitem__, texts)]

    def read_around(self, line: bytes, around: tuple[bytes, int], zones: bytes) -> None:
        """Read what a line says beside its hand."""
        situation = read_case(self.data, case_on(line))
        kept(self.tables, around, self.stream.table(situation))
        kept(self.zones, zones, self.stream.zones(situation))

    def new_meld(self, key: bytes) -> StreamMeld | None:
        return kept(self.melds, key, self.stream.meld(read_meld(self.data, DECODE(key))))

    # --- results

    def results(self, heads: Sequence[str], hands: Sequence[StreamHand]) -> list[str]:
        """The results of hands; nothing for those that are left to others."""
        stream, texts, row, wide = self.stream, list[str](), 0, self.stream.kernel.result_width
        found, codes, parts = stream.results(hands), stream.lone.codes[-1].start, stream.lone.parts
        numbers = found.tolist()
        for head, hand in zip(heads, hands, strict=True):
            worth, form, coded = numbers[row], numbers[row + RESULT_FORM], numbers[row + RESULT_CODED]
            first, row = row, row + wide
            if worth < 0:
                texts.append("")
                continue
            end = self.ends.get((hand.table, worth, form)) or self.new_end(hand, stream.found(found[first:row]))
            amount, counted = self.worths.get(worth) or self.new_worth(hand, stream.found(found[first:row]))
            if coded:
                some = numbers[first + codes : first + codes + coded]
                counted = ", ".join([self.patterns.get(one) or self.new_pattern(one) for one in some])
            own = numbers[first + parts : row]
            reading = "".join([self.parts.get(part) or self.new_part(part) for part in own if part >= 0])
            texts.append(f'{head}{amount}{counted}], "reading": [{reading[2:]}], {end}')
        return texts

    def score_of(self, situation: Situation, found: Found) -> Score:
        return self.rules.quick.score_of(situation, found, self.stream.kernel.worths)

    def new_worth(self, hand: StreamHand, found: Found) -> tuple[str, str]:
        """The text of a worth, and of the patterns of which it says that they count."""
        score = self.score_of(hand.table.situation, found)
        patterns = ", ".join(map(self.written.pattern, score.patterns))
        return kept(self.worths, int(found[0]), (self.written.amount(score), patterns))

    def new_pattern(self, code: int) -> str:
        return kept(self.patterns, code, self.written.pattern(self.rules.quick.patterns[code]))

    def new_end(self, hand: StreamHand, found: Found) -> str:
        """What follows the reading; kept where all hands at such a table that are worth so much share it."""
        situation = self.stream.situation(hand)
        score = self.score_of(situation, found)
        details = score.details_json()
        details.pop("reading")
        text = f"{self.written.members(details)}}}"
        if score.win and situation.pays and not self.rules.scores.pays_alike(situation, score.values):
            return text
        return kept(self.ends, (hand.table, *found[:2]), text)

    def new_part(self, part: int) -> str:
        """A part of a reading after others."""
        return kept(self.parts, part, f", {self.written.value(self.rules.quick.text(part))}")
