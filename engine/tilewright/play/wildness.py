"""Wildness: the program in which those tiles are wild that are so at the table just now, each made once."""

from dataclasses import replace
from typing import TYPE_CHECKING

from tilewright.play.scene import TableScene
from tilewright.scoring import wildness
from tilewright.scoring.wildness import Now, with_wild

if TYPE_CHECKING:
    from tilewright.play.program import Program

MOST_KNOWN = 100


def wild_now(program: "Program", scene: TableScene) -> Now:
    """The tiles that are wild at the table."""
    return wildness.wild_now(program.data, scene, lambda when, there: bool(program.answer(when)(there, {})))


def as_wild(program: "Program", now: Now) -> "Program":
    """The program in which these tiles are wild."""
    known = program.as_wild
    if now not in known:
        if len(known) >= MOST_KNOWN:
            known.clear()
        known[now] = replace(program, rules=type(program.rules)(with_wild(program.data, now)), moves={})
    return known[now]
