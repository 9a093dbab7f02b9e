"""Make and keep what long runs of a ruleset need, so that the first of them starts at once."""

from tilewright.authoring.open_rules import RulesChoice, open_rules
from tilewright.base.compute.kernels import compiler, prepare
from tilewright.cli.arguments import Mods, RulesetName, Sets
from tilewright.cli.command import FINE, command
from tilewright.play.rules import Rules
from tilewright.players.simulation.compiled import warm_play
from tilewright.presentation.console import show
from tilewright.presentation.names import RulesetNames
from tilewright.presentation.scores import heading

TABLES = "Its tables are ready."
KERNELS = "Its tables and the compiled kernels that run over them are ready."
NO_KERNELS = "Kernels score no hands of this ruleset: they are scored one by one."
NO_NUMBA = (
    "pip install 'tilewright[fast]' adds numba, which compiles kernels: long runs then take a fraction of the time."
)
PLAY = "Its play by bots is compiled, too, and so are many tables of players that learn."
NO_PLAY = "It is played move by move, as compiled play does not know {what}."
SOME_PLAY = "Its play by {names} is compiled, that by others is not: compiled play does not know {what}."
LEFT_OUT = "TILEWRIGHT_KERNELS=numpy leaves compiled kernels out."


@command
def warm(ruleset: RulesetName, *, set_: Sets, mod: Mods) -> int:
    """Keep tables and compiled kernels of a ruleset."""
    choices = RulesChoice.of(set_, mod)
    rules = open_rules(ruleset, choices)
    lines = [KERNELS] if rules.warm() else [TABLES, why_not()]
    if rules.data.play is not None and prepare():
        lines.append(warmed(Rules(rules.data)))
    show([heading(RulesetNames(rules.data), choices.labels), *lines])
    return FINE


def warmed(rules: Rules) -> str:
    """Compile the play of a ruleset; says for whom."""
    unknown = warm_play(rules)
    known = [name for name, what in unknown.items() if not what]
    if len(known) == len(unknown):
        from tilewright.players.learning.vector import warm_tables  # imported here: it brings numpy

        warm_tables(Rules(rules.data))
        return PLAY
    what = next(filter(None, unknown.values()))
    return SOME_PLAY.format(names=", ".join(known), what=what) if known else NO_PLAY.format(what=what)


def why_not() -> str:
    """Why kernels are not compiled for a ruleset."""
    if prepare():
        return NO_KERNELS
    return NO_NUMBA if compiler() is None else LEFT_OUT
