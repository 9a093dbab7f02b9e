"""Whether hands on the table win, by the scoring kernel: what it needs to know of a ruleset and its tables.

In: the state of a machine that asks. Out: the answer, or None where only a match tells it. Of the bonus tiles of a seat
only what scoring makes of them decides its table."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cache

import numpy as np

from tilewright.base.arrays import Array
from tilewright.play.compiled.judging import kernel as known
from tilewright.play.compiled.judging.kernel import judge_win, place_of
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.program.program import Program
from tilewright.scoring.kernel import layout as scored
from tilewright.scoring.kernel.lone import LoneHands
from tilewright.scoring.plain.situation import Situation

Rows = Mapping[str, tuple[int, bool]]


class WinTables:
    """The tables of scoring that were met, and what else decides whether hands of a ruleset win."""

    def __init__(self, program: Program, lone: LoneHands, rows: Rows, marks: Mapping[str, int]) -> None:
        self.program, self.lone, self.data = program, lone, program.rules.data
        self.signatures: dict[Hashable, int] = {}
        self.generation = lone.kernel.generation
        self.used = 0  # tables that are known
        self.numbers = np.array(self.laid_out(rows, marks), np.int64)

    @classmethod
    def of(cls, program: Program, rows: Rows, marks: Mapping[str, int]) -> "WinTables | None":
        """The tables of a ruleset; None where the scoring kernel asks what the state does not say."""
        rules = program.rules
        if rules.quick.hands is None or not program.judges_alone:
            return None
        asked, lone = program.asked, rules.quick.hands
        held = any(name in (*asked.flags, *asked.marks, *asked.terms) for name, _ in lone.flags)
        if held or asked.others or program.has_seen_tiles or not lone.known.zones.isdisjoint(asked.zones):
            return None
        return cls(program, lone, rows, marks)

    def laid_out(self, rows: Rows, marks: Mapping[str, int]) -> list[int]:
        """What the kernel knows."""
        program, lone, asked = self.program, self.lone, self.program.asked
        numbers = [0] * known.KNOWN
        bonus = lone.known.bonus
        numbers[known.ASKS_DISCARDER] = int(bonus.asks_more)
        numbers[known.ASKS_BONUS] = int("bonus" in rows and (bonus.asks_more or bool(bonus.parts)))
        numbers[known.EXPOSES] = int(lone.exposes)
        numbers[known.SPECIALS] = int(lone.kernel.image[scored.SPECIALS]) if lone.specials else at.NONE
        numbers[known.IN_SIGHT] = at.NONE if lone.seen is None else lone.seen
        zones = self.data.zones
        numbers[known.OPEN_MELDS] = int("melds" in zones and zones["melds"].seen_by == "everyone")
        names = (*asked.flags, *asked.marks)
        open_rows = [0] * at.MOST_ROWS
        for zone in zones.values():
            first, of_seat = rows[zone.id]
            for seat in range(program.count if of_seat else 1):
                open_rows[first + seat] = int(zone.seen_by == "everyone")
        bits = self.bonus_bits()
        for place, more in (
            (known.MARKS, counted((marks[name], int(self.data.marks[name].of == "seat")) for name in names)),
            (known.ZONES, counted((rows[name][0], int(rows[name][1]), column) for name, column in lone.zones)),
            (known.OPEN, open_rows),
            (known.IS_SPECIAL, [int(face in lone.specials) for face in range(program.first)]),
            (known.BONUS_BIT, [bits.get(face, at.NONE) for face in range(program.first)]),
            (known.SIGNATURES, [at.NONE] * (at.MOST_SEATS << known.MOST_BONUS)),
            (known.CONTEXTS, [0] * (2 * known.MOST_CONTEXTS)),
        ):
            numbers[place] = len(numbers)
            numbers += more
        return numbers

    def bonus_bits(self) -> dict[int, int]:
        """The bit of each face that forms do not have: a bonus tile."""
        faces = sorted({self.program.face[tile] for tile in self.program.box})
        image = self.lone.kernel.image
        own = [face for face in faces if int(image[image[scored.PLAIN] + face]) < 0]
        return {face: bit for bit, face in enumerate(own[: known.MOST_BONUS])}

    # --- answers

    def judged(
        self, state: Array, image: Array, round_wind: int | None, situation: Callable[[], Situation]
    ) -> bool | None:
        """Whether the hand that the machine asks about wins; None where only a match tells. `situation`: of that hand,
        its zones and the tiles in sight aside."""
        hand = cache(situation)  # few answers need it
        while True:
            self.set_round(round_wind)
            found = judge_win.run(state, image, self.numbers, self.lone.arguments)
            if found in (known.NO, known.YES):
                return bool(found == known.YES)
            if found == known.LEFT:
                return None
            if found == known.SIGNATURE:
                self.sign(hand())
            elif found == known.CONTEXT:
                self.learn(hand())
            else:
                self.lone.learn()

    def set_round(self, wind: int | None) -> None:
        """Be ready to judge hands of a round with this wind."""
        self.numbers[known.ROUND] = at.NONE if wind is None else wind
        self.catch_up()

    def catch_up(self) -> None:
        """Forget what scoring has forgotten."""
        kernel = self.lone.kernel
        kernel.forget_much()
        if self.generation != kernel.generation or 2 * self.used > known.MOST_CONTEXTS:
            self.generation, self.used = kernel.generation, 0
            self.numbers[self.numbers[known.CONTEXTS] :] = 0

    def sign(self, situation: Situation) -> None:
        """Note what scoring makes of the bonus tiles that the kernel has found."""
        numbers = self.numbers
        seat, bits = int(numbers[known.SEAT]), int(numbers[known.BONUS])
        signature = seat, self.lone.kernel.bonus.signature(situation)
        number = self.signatures.setdefault(signature, len(self.signatures))
        numbers[int(numbers[known.SIGNATURES]) + (seat << known.MOST_BONUS) + bits] = number

    def learn(self, situation: Situation) -> None:
        """Note the table of the hand that was asked about."""
        context, key = self.lone.kernel.context(situation), int(self.numbers[known.KEY])
        spot = place_of.run(self.numbers, key)
        self.numbers[spot : spot + 2] = key, context
        self.used += 1


def counted(rows: Iterable[Iterable[int]]) -> list[int]:
    """Rows of numbers after how many they are."""
    found = [list(row) for row in rows]
    return [len(found), *(number for row in found for number in row)]
