"""Compile: the play of a ruleset in, a program out that runs fast.

Steps become lists of small operations over a table and a frame; expressions become functions.
"""

from collections.abc import Callable, Mapping
from typing import Any

from tilewright.language.compiled.ir import Ir
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.play.expressions import Evaluator, evaluator_of
from tilewright.play.offers import bars_of_claims, bars_of_wins, compiled_offer
from tilewright.play.operations import CompiledTrigger, Listeners, Watch
from tilewright.play.program import Program
from tilewright.play.scene import TableScene
from tilewright.play.state import TableState
from tilewright.play.steps import phase_code, steps_code
from tilewright.scoring.rules import ScoringRules
from tilewright.scoring.wildness import Now, with_wild

MOST_KNOWN = 100  # cached programs with other tiles wild


def compile_program(rules: ScoringRules, watch: Watch | None = None) -> Program:
    """The program of a ruleset; `watch` is told what its games ask and do. Raises ValueError for one without a phase
    called deal."""
    data = rules.data
    evaluator = evaluators_of(data) if watch is None else watched_evaluators(data, watch)
    reverse = None if data.seats.reversed is None else evaluator(data.seats.reversed)
    program = Program(
        rules,
        evaluator,
        programs_as_wild(rules, watch),
        keeps={zone.id: counting(evaluator(zone.keep)) for zone in data.zones.values() if zone.keep is not None},
        reverse=None if reverse is None else lambda game, seat: bool(reverse(TableScene(game, seat), {})),
        watch=watch,
    )
    compile_steps(program)
    compile_listeners(program)
    offers = program.play.offers
    for phase in program.play.phases.values():
        program.offerings[phase.id] = tuple(
            compiled_offer(program, phase, offers[id]) for id in phase.offers if id in offers
        )
    program.bars_of_wins.extend(map(evaluator, bars_of_wins(program)))
    program.bars_of_claims.extend((restriction, evaluator(ir)) for restriction, ir in bars_of_claims(program))
    return program


def evaluators_of(data: CompiledRuleset) -> Callable[[Ir], Evaluator]:
    """The functions of expressions, each compiled once."""
    known: dict[Ir, Evaluator] = {}

    def evaluator(ir: Ir) -> Evaluator:
        if ir not in known:
            known[ir] = evaluator_of(ir, data)
        return known[ir]

    return evaluator


def watched_evaluators(data: CompiledRuleset, watch: Watch) -> Callable[[Ir], Evaluator]:
    """The functions of expressions, which tell when they are asked. Equal expressions of two places stay apart."""

    def evaluator(ir: Ir) -> Evaluator:
        ask = evaluator_of(ir, data)

        def told(scene: TableScene, letters: Mapping[str, Any]) -> Any:
            watch.asks(ir, scene, letters)
            return ask(scene, letters)

        return told

    return evaluator


def programs_as_wild(rules: ScoringRules, watch: Watch | None) -> Callable[[Now], Program]:
    """The programs in which other tiles are wild, each compiled once."""
    known: dict[Now, Program] = {}

    def as_wild(now: Now) -> Program:
        if now not in known:
            if len(known) >= MOST_KNOWN:
                known.clear()
            known[now] = compile_program(type(rules)(with_wild(rules.data, now)), watch)
        return known[now]

    return as_wild


def counting(evaluator: Evaluator) -> Callable[[TableState, int], int]:
    """The number that an expression gives for a table and a seat."""
    return lambda game, seat: int(evaluator(TableScene(game, seat), {}))


def compile_steps(program: Program) -> None:
    """The operations of actions, offers, triggers and phases."""
    play = program.play
    for action in play.actions.values():
        program.actions[action.id] = steps_code(program, action.do, action.id, part="actions", ends=action.id)
    for offer in play.offers.values():
        program.offers[offer.id] = steps_code(program, offer.do, offer.id, part="offers", after=offer.id)
    for trigger in play.triggers:
        steps, code = (
            steps_code(program, trigger.do, trigger.id, part="triggers", when=when) for when in (None, trigger.when)
        )
        takes = tuple(name for name, _ in trigger.takes)
        program.triggers[trigger.id] = CompiledTrigger(program.perhaps(trigger.when), steps, code, takes)
    for phase in play.phases.values():
        program.phases[phase.id] = phase_code(program, phase)


def compile_listeners(program: Program) -> None:
    """What waits for each event."""
    marks = program.data.marks.values()
    for event in sorted(program.awaited):
        program.listeners[event] = Listeners(
            tuple(mark.id for mark in marks if mark.of == "seat" and event in mark.own),
            tuple(mark.id for mark in marks if mark.of == "seat" and event in mark.any),
            tuple(mark.id for mark in marks if mark.of != "seat" and event in (*mark.own, *mark.any)),
            tuple(program.triggers[trigger.id] for trigger in program.play.triggers if event in trigger.after),
        )
