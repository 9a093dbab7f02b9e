"""Mahjong rules as documents: checked like a program, scored, explained, played. No variant is known to this code.

    import tilewright
    rules = tilewright.load("my_ruleset.yaml")
    score = rules.score("222p 333s 88m EE", melds=["444p"], win="E", self_draw=True)
    table = rules.table(seed=7)
    table = table.push(table.legal_moves()[0])

A ruleset travels load -> check -> compile -> score -> play -> present. The layers follow it, and imports point only
down this list, from a layer to itself and to those above it in the list (tests/project/test_layers.py reads it):

    base          problems with a place and a way out, documents as trees of nodes; knows no mahjong
    tiles         tile sets and their notation: frozen data
    hands         groups, readings of a hand, waits, distance: pure search
    cards         the card language: lines of a card -> concrete hands; knows no ruleset
    language      text -> compiled ruleset: schema, expressions, vocabulary, links, mods, lint
    scoring       the best reading of a win, itemised and explained
    play          the table: phases, offers, choices, views, the match, the log of events
    players       whatever chooses a legal move from a view: bots, other programs, simulation
    presentation  problems, events, scores, advice and tiles as text, data and pictures; no front end
    authoring     help for authors of rules: files opened and checked, completion, the generated reference
    paper         cards as they are printed
    rulebook      the rulebook of a ruleset, made from its data
    report        the report of a ruleset: what games between bots show of it
    sharing       packs of documents: made, added to a folder, listed for others
    terminal      the table in a terminal
    web           the table in the browser: server, workers, storage and its page
    lsp           the language server: what authoring knows of a text, for editors
    cli           the commands, a module each

The names below are the whole public face; they are imported when first used, so that importing the package is free.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tilewright.base.version import __version__

if TYPE_CHECKING:
    from tilewright.base.problem import Place, Problem, RulesetError, Source
    from tilewright.play.model import IllegalMove, Move
    from tilewright.play.rules import Rules, load
    from tilewright.play.table import Table
    from tilewright.scoring.case_mistakes import CaseError
    from tilewright.scoring.score import Score


__all__ = [
    "CaseError",
    "IllegalMove",
    "Move",
    "Place",
    "Problem",
    "Rules",
    "RulesetError",
    "Score",
    "Source",
    "Table",
    "__version__",
    "load",
]
_HOMES = {
    "CaseError": "tilewright.scoring.case_mistakes",
    "IllegalMove": "tilewright.play.model",
    "Move": "tilewright.play.model",
    "Place": "tilewright.base.problem",
    "Problem": "tilewright.base.problem",
    "Rules": "tilewright.play.rules",
    "RulesetError": "tilewright.base.problem",
    "Score": "tilewright.scoring.score",
    "Source": "tilewright.base.problem",
    "Table": "tilewright.play.table",
    "load": "tilewright.play.rules",
}


def __getattr__(name: str) -> Any:
    """The public name, from the module that it lives in."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
