"""Compiling: a compiled ruleset and a change of one value in; the compiled ruleset with it out.

Only the section of the change is compiled; the rest is taken over, the same objects, which compare at once. Gives
exactly what compiling all of it would.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from tilewright.authoring.mutation.mutants import OF_PLAY, Path, with_node
from tilewright.base.node import Entry, Mapping, Node, Scalar, Sequence
from tilewright.base.problem import RulesetError, has_errors
from tilewright.language.compiled.play import Play
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.documents.options import Folds, fold
from tilewright.language.documents.schema import Schema, below, document_schema, items
from tilewright.language.documents.whole import MergedRuleset
from tilewright.language.elaborate import decider, ruleset_of
from tilewright.language.expressions.scope import Scope, declare
from tilewright.language.sections import patterns, payments, scoring
from tilewright.language.sections.elaboration import Elaboration, begin
from tilewright.language.sections.play import build_section


@dataclass
class Compiled:
    """A merged ruleset in its compiled form, from which changed ones are compiled. Raises RulesetError."""

    whole: MergedRuleset
    elaboration: Elaboration = field(init=False)
    data: CompiledRuleset = field(init=False)

    def __post_init__(self) -> None:
        self.elaboration = begin(self.whole)
        self.data = ruleset_of(self.elaboration)
        if has_errors(self.elaboration.problems):
            raise RulesetError(self.elaboration.problems)

    def changed(self, path: Path, node: Node) -> CompiledRuleset | None:
        """With another value at a path of `full`, in a part that compiles expressions; the data itself where these
        options remove that place, None where it is no ruleset."""
        document = folded_with(self.whole, path, node)
        if document is None:
            return self.data
        full = with_node(self.whole.full, path, node)
        assert isinstance(full, Mapping)
        elaboration = self.over(self.whole.with_documents(full, document), path)
        compile = (
            COMPILED.get(path[0], everything) if types_of(elaboration) == types_of(self.elaboration) else everything
        )
        try:
            data = compile(self, elaboration, path)
        except RulesetError:
            return None
        return None if has_errors(elaboration.problems) else data

    def over(self, whole: MergedRuleset, path: Path) -> Elaboration:
        """What sections of a changed ruleset are compiled with: no value of an expression changes tiles or groups."""
        known = self.elaboration
        scope: Scope = known.scope
        if path[0] not in ("patterns", "payments"):
            memo = {} if path[0] == "terms" else scope.memo
            scope = replace(declare(whole, known.tiles, known.groups), memo=memo)
        return replace(known, whole=whole, scope=scope, problems=[], bits=dict(known.bits))


def types_of(elaboration: Elaboration) -> list[tuple[str, str, str]]:
    """The type of every word in scope: a choice of one tile is a tile, one of several is tiles."""
    return [(one.owner, one.name, one.type) for one in elaboration.scope.declarations]


def pattern(known: Compiled, elaboration: Elaboration, path: Path) -> CompiledRuleset:
    """With one pattern compiled."""
    changed = patterns.pattern(elaboration, path[1], known.data.scoring.measures)
    return replace(known.data, patterns=tuple(changed if one.id == path[1] else one for one in known.data.patterns))


def payment(known: Compiled, elaboration: Elaboration, path: Path) -> CompiledRuleset:
    return replace(known.data, payments=dict(payments.payments(elaboration)))


def measures(known: Compiled, elaboration: Elaboration, path: Path) -> CompiledRuleset:
    """With the scoring compiled; with everything, if patterns depend on what has changed."""
    found = tuple(scoring.measures(elaboration))
    if [(one.id, one.brings) for one in found] != [(one.id, one.brings) for one in known.data.scoring.measures]:
        return everything(known, elaboration, path)
    return replace(known.data, scoring=scoring.scoring(elaboration, found))


def play(known: Compiled, elaboration: Elaboration, path: Path) -> CompiledRuleset:
    """With one section of the play compiled."""
    before = known.data.play
    if before is None:
        return known.data
    after: Play = replace(before, **{path[0]: build_section(elaboration, path[0])})
    return replace(known.data, play=after)


def everything(known: Compiled, elaboration: Elaboration, path: Path) -> CompiledRuleset:
    elaboration.problems.clear()
    return ruleset_of(elaboration)


Compile = Callable[[Compiled, Elaboration, Path], CompiledRuleset]
COMPILED: dict[str, Compile] = {
    "patterns": pattern,
    "payments": payment,
    "scoring": measures,
    **dict.fromkeys(OF_PLAY, play),
}


# --- trees


def folded_with(whole: MergedRuleset, path: Path, node: Node) -> Mapping | None:
    """The document with the value at a path of `full`; None if these options remove that place."""
    decide = decider(whole.full, whole.options)
    new = fold_at(whole.full, whole.document, path, node, document_schema("ruleset"), decide)
    assert new is None or isinstance(new, Mapping)
    return new


def fold_at(
    full: Node, folded: Node, path: Path, node: Node, part: Schema, decide: Callable[[Scalar], bool]
) -> Node | None:
    """`folded`, which is `full` without what is absent, with the value at a path of `full`; None if that is absent."""
    if not path:
        return fold(node, part, decide, Folds())
    key, rest = path[0], path[1:]
    if isinstance(full, Mapping):
        if not isinstance(folded, Mapping) or key not in folded.entries:
            return None
        entry = folded.entries[key]
        inner = fold_at(full.entries[key].value, entry.value, rest, node, below(part, key), decide)
        return None if inner is None else Mapping({**folded.entries, key: Entry(entry.key, inner)}, folded.place)
    assert isinstance(full, Sequence) and isinstance(folded, Sequence)
    wanted = full.items[int(key)]
    for at, item in enumerate(folded.items):
        if item.place == wanted.place:
            inner = fold_at(wanted, item, rest, node, items(part), decide)
            if inner is not None:
                return Sequence((*folded.items[:at], inner, *folded.items[at + 1 :]), folded.place)
    return None
