"""Contexts: what the table says, asked once for all hands at such a table.

In: the scene of a hand that is not read. Out: the bits of facts that the table decides, the answers behind them, and
the counters that depend on them. Knows no readings."""

from dataclasses import dataclass, field
from typing import Any

from tilewright.language.compiled.ir import Ir
from tilewright.scoring.image.lookup import Memory
from tilewright.scoring.image.values import Frame
from tilewright.scoring.plain.scene import HandScene
from tilewright.scoring.plain.walker import evaluate
from tilewright.scoring.program.conditions import OfTable, Open
from tilewright.scoring.program.program import Program


@dataclass(slots=True)
class Context:
    """`bits`: the facts; `answers` in the order of the questions; `classes` that the table decides; `is_open`: whether
    the hand is exposed; `moving`: the counters that move by the number of a part; `frames`: what measures ask, by form;
    `judged`: verdicts by what counts in which form."""

    bits: int
    answers: tuple[Any, ...]
    classes: dict[Ir, frozenset[int]]
    class_key: tuple[frozenset[int], ...]
    is_open: bool
    moving: dict[int, int]
    frames: dict[int, Frame] = field(default_factory=dict)
    judged: Memory = field(default_factory=Memory)


class Contexts:
    """The contexts of a ruleset."""

    def __init__(self, program: Program) -> None:
        self.program, self.layout = program, program.layout
        self.questions = list(program.conditions.of_table)
        self.bits = [program.bits.get(OfTable(ir)) for ir in self.questions]
        self.open_bit = program.bits.get(Open())
        wants = [feature.want for feature in self.layout.features[True] if feature.want is not None]
        asked = dict.fromkeys(ir for want in wants for ir in (want.of, want.unless) if ir is not None)
        self.classes = [(ir, self.questions.index(ir)) for ir in asked]
        self.moving: dict[tuple[frozenset[int], ...], dict[int, int]] = {}

    def made(self, scene: HandScene) -> Context:
        """The context of a hand, by the scene before it is read."""
        answers = tuple([evaluate(ir, scene) for ir in self.questions])
        bits = sum([1 << bit for bit, answer in zip(self.bits, answers, strict=True) if bit is not None and answer])
        if self.open_bit is not None and not scene.concealed:
            bits |= 1 << self.open_bit
        classes = {ir: frozenset(answers[number]) for ir, number in self.classes}
        key = tuple(classes.values())
        return Context(bits, answers, classes, key, not scene.concealed, self.moving.setdefault(key, {}))

    def moved(self, context: Context, part: int) -> int:
        """The counters of a part that move."""
        row = context.moving.get(part)
        if row is None:
            row = self.layout.counted(part, context.classes, moves=True) << self.program.moving_at
            context.moving[part] = row
        return row
