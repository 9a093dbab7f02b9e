"""Steps as operations: the steps of a phase, offer, action or trigger in, a flat list of small functions out.

Each takes a game and a frame and does one thing; it returns True if a seat must be asked first. Conditions and loops
are jumps, so that a frame is data: its position, the seat, letters, open loops.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.language.compiled.ir import Ir
from tilewright.language.compiled.play import MOST_TURNS, Loop, Numbers, Phase, Step, StepBlock
from tilewright.play import course
from tilewright.play.acting import operation_of
from tilewright.play.expressions import Evaluator
from tilewright.play.operations import Frame, OpenLoop, Operations
from tilewright.play.program import Program
from tilewright.play.scene import TableScene, scene_at
from tilewright.play.state import Operation, TableState
from tilewright.scoring.plain.walker import SETS

# --- codes


def phase_code(program: Program, phase: Phase) -> Operations:
    """What a phase does automatically, asks, and continues with."""
    writer = StepCompiler(program, Operations(phase.id, phase=True))
    writer.tell("phases", phase.id)
    writer.steps(phase.do)
    if phase.who is not None and phase.offers:
        who = program.evaluator(phase.who)
        writer.add(lambda game, frame: course.open_window(game, phase, who(scene_at(game, frame), {})))
        writer.add(lambda game, frame: course.take(game, frame))
    if phase.id in program.awaited:
        writer.add(lambda game, frame: course.fire(game, phase.id, game.turn, frame.subject))
    then = program.goal(phase.then)
    writer.add(lambda game, frame: course.follow(game, frame, then))
    return writer.code


def steps_code(
    program: Program,
    steps: Sequence[Step],
    name: str,
    *,
    part: str,
    ends: str = "",
    after: str = "",
    when: Ir | None = None,
) -> Operations:
    """Steps of an entry of a section, if `when` holds; at the end the event `ends`, or (if its marks have ended before)
    the triggers `after` an offer."""
    writer = StepCompiler(program, Operations(name))
    skip = writer.jump_unless(when) if when is not None else None
    writer.tell(part, name)
    writer.steps(steps)
    if ends and ends in program.awaited:
        writer.add(lambda game, frame: course.fire(game, ends, frame.seat, letters=frame.letters))
    if after and after in program.awaited:
        writer.add(lambda game, frame: course.trigger(game, after, frame.seat, frame.subject))
    if skip is not None:
        skip.to = len(writer.code.operations)
    return writer.code


@dataclass(slots=True)
class Jump:
    """The target of a jump, known once the skipped operations are written."""

    to: int = 0


@dataclass(slots=True)
class StepCompiler:
    """Writes the operations of steps, one after another."""

    program: Program
    code: Operations

    def add(self, operation: Operation) -> None:
        self.code.operations.append(operation)

    def tell(self, part: str, name: str) -> None:
        """Tell a watch, if there is one, that these steps begin."""
        if (watch := self.program.watch) is not None:
            self.add(lambda game, frame: watch.begins(part, name))

    def steps(self, steps: Sequence[Step]) -> None:
        for step in steps:
            self.looped(step, step.loops)

    def looped(self, step: Step, loops: Sequence[Loop]) -> None:
        """The step, once for each member of its loops."""
        if not loops:
            self.turns(step)
            return
        loop, rest = loops[0], loops[1:]
        members, type = self.members(loop)
        letter, end = loop.letter, Jump()

        def begin(game: TableState, frame: Frame) -> None:
            found = members(scene_at(game, frame), {})
            if not letter:
                found = tuple(sorted(found, key=game.from_dealer))
            if found:
                frame.loops = (*frame.loops, OpenLoop(tuple(found), 0, frame.seat, frame.letters))
                enter(game, frame, letter, type)
            else:
                frame.at = end.to

        self.add(begin)
        start = len(self.code.operations)
        self.looped(step, rest)

        def again(game: TableState, frame: Frame) -> None:
            here = frame.loops[-1]
            here.at += 1
            if here.at < len(here.members):
                enter(game, frame, letter, type)
                frame.at = start
            else:
                frame.seat, frame.letters = here.seat, here.letters
                frame.loops = frame.loops[:-1]

        self.add(again)
        end.to = len(self.code.operations)

    def members(self, loop: Loop) -> tuple[Evaluator, str]:
        """What a loop runs over, and the type of that."""
        if isinstance(loop.members, Numbers):
            return self.numbers(loop.members), "numbers"
        if not isinstance(loop.members, tuple):
            return self.program.evaluator(loop.members), loop.members.type
        each = [self.program.evaluator(ir) for ir in loop.members]
        sets = bool(loop.members) and loop.members[0].type in SETS

        def found(scene: TableScene, letters: Mapping[str, Any]) -> tuple[Any, ...]:
            return tuple(member for one in each for member in (one(scene, letters) if sets else (one(scene, letters),)))

        return found, "set" if sets else "names"

    def numbers(self, span: Numbers) -> Evaluator:
        least, most = self.program.evaluator(span.least), self.program.evaluator(span.most)

        def found(scene: TableScene, letters: Mapping[str, Any]) -> tuple[int, ...]:
            first, last = math.ceil(least(scene, letters)), math.floor(most(scene, letters))
            return tuple(range(first, min(last, first + MOST_TURNS - 1) + 1))

        return found

    def turns(self, step: Step) -> None:
        """The step, again and again until its condition holds."""
        if step.until is None:
            self.conditional(step)
            return
        holds, end = self.program.evaluator(step.until), Jump()

        def begin(game: TableState, frame: Frame) -> None:
            frame.loops = (*frame.loops, OpenLoop((), MOST_TURNS, frame.seat, frame.letters))

        def decide(game: TableState, frame: Frame) -> None:
            here = frame.loops[-1]
            if here.at == 0 or holds(scene_at(game, frame), {}):
                frame.loops = frame.loops[:-1]
                frame.at = end.to
            here.at -= 1

        self.add(begin)
        again = Jump(len(self.code.operations))
        self.add(decide)
        self.conditional(step)
        self.go(again)
        end.to = len(self.code.operations)

    def conditional(self, step: Step) -> None:
        if step.when is None:
            self.verb(step)
            return
        otherwise = self.jump_unless(step.when)
        self.verb(step)
        if step.other:
            end = Jump()
            self.go(end)
            otherwise.to = len(self.code.operations)
            self.steps(step.other)
            end.to = len(self.code.operations)
        else:
            otherwise.to = len(self.code.operations)

    def jump_unless(self, condition: Ir) -> Jump:
        holds, jump = self.program.evaluator(condition), Jump()

        def decide(game: TableState, frame: Frame) -> None:
            if not holds(scene_at(game, frame), {}):
                frame.at = jump.to

        self.add(decide)
        return jump

    def go(self, jump: Jump) -> None:
        def go(game: TableState, frame: Frame) -> None:
            frame.at = jump.to

        self.add(go)

    def verb(self, step: Step) -> None:
        """The operation of a verb, and its event."""
        verb = step.does
        if isinstance(verb, StepBlock):
            self.steps(verb.steps)
            return
        operation, times = operation_of(self.program, verb, step.verb), verb.times()
        self.code.paths[len(self.code.operations)] = step.path
        if times is not None:
            self.repeated(operation, step.verb, times)
            return
        self.add(operation)
        if not verb.leaves:
            self.event(step.verb)

    def event(self, verb: str) -> None:
        if verb in self.program.awaited:
            self.add(lambda game, frame: course.fire(game, verb, frame.seat))

    def repeated(self, operation: Operation, verb: str, times: Ir) -> None:
        """A repeated verb, each time an event."""
        count, end = self.program.evaluator(times), Jump()

        def begin(game: TableState, frame: Frame) -> None:
            number = int(count(scene_at(game, frame), {}))
            if number > 0:
                frame.loops = (*frame.loops, OpenLoop((), number, frame.seat, frame.letters))
            else:
                frame.at = end.to

        self.add(begin)
        start = len(self.code.operations)
        self.add(operation)
        self.event(verb)

        def again(game: TableState, frame: Frame) -> None:
            frame.loops[-1].at -= 1
            if frame.loops[-1].at > 0:
                frame.at = start
            else:
                frame.loops = frame.loops[:-1]

        self.add(again)
        end.to = len(self.code.operations)


def enter(game: TableState, frame: Frame, letter: str, type: str) -> None:
    """Set the seat, or the letter, to the current member."""
    here = frame.loops[-1]
    member = here.members[here.at]
    if letter:
        single = type not in ("number", "numbers", "suits", "names")
        frame.letters = {**here.letters, letter: (member,) if single else member}
    else:
        frame.seat = member
