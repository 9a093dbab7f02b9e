"""Contexts: what the table says, asked once for all hands at such a table.

In: the scene of a hand that is not read. Out: the bits of facts that the table decides, and the answers behind them.
Knows no readings."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tilewright.language.compiled.ir import Ir
from tilewright.scoring.plain.scene import HandScene
from tilewright.scoring.plain.walker import evaluate
from tilewright.scoring.program.conditions import OfTable, Open
from tilewright.scoring.program.program import Program
from tilewright.scoring.program.values import Frame

MOST_KNOWN = 20_000  # entries of a memory before it is emptied


class Memory(dict[Any, Any]):
    """Values by what decides them; all are dropped when there are more than `most`."""

    def __init__(self, most: int = MOST_KNOWN) -> None:
        super().__init__()
        self.most = most

    def keep(self, key: Any, value: Any) -> Any:
        """The value, kept."""
        if len(self) > self.most:
            self.clear()
        self[key] = value
        return value

    def known(self, key: Any, find: Callable[[], Any]) -> Any:
        """The value, found where it is not known."""
        found = self.get(key)
        return self.keep(key, find()) if found is None else found


@dataclass(slots=True)
class Context:
    """`bits`: the facts; `answers` in the order of the questions; `classes`: the tiles of each class that the table
    decides; `is_open`: whether the hand is exposed; `frames`: what measures ask, by form."""

    bits: int
    answers: tuple[Any, ...]
    classes: tuple[frozenset[int], ...]
    is_open: bool
    frames: dict[int, Frame] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TableQuestions:
    """What is asked of a table. `bits`: of those that are facts; `open_bit`: of an exposed hand; `classes`: the numbers
    of those that are classes of tiles."""

    questions: tuple[Ir, ...]
    bits: tuple[int | None, ...]
    open_bit: int | None
    classes: tuple[int, ...]

    @classmethod
    def of(cls, program: Program) -> "TableQuestions":
        """The questions of a program."""
        questions, bits = tuple(program.conditions.of_table), program.bits
        return cls(
            questions,
            tuple(bits.get(OfTable(ir)) for ir in questions),
            bits.get(Open()),
            tuple(questions.index(ir) for ir in program.layout.classes),
        )

    def asked(self, scene: HandScene) -> Context:
        """The context of a hand, by the scene before it is read."""
        answers = tuple([evaluate(ir, scene) for ir in self.questions])
        bits = sum([1 << bit for bit, answer in zip(self.bits, answers, strict=True) if bit is not None and answer])
        if self.open_bit is not None and not scene.concealed:
            bits |= 1 << self.open_bit
        return Context(bits, answers, tuple(frozenset(answers[number]) for number in self.classes), not scene.concealed)
