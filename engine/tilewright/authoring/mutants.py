"""Mutants: a merged ruleset in, every small change to its values and conditions out, and the compiled ruleset with one.

Changes what one document says: by default the ruleset itself, not what it extends. Only the section of a change is
compiled; the rest is taken over, the same objects, which compare at once: exactly what compiling all of it would give.
Scores and plays nothing.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from tilewright.base.node import Entry, Mapping, Node, Scalar, Sequence
from tilewright.base.node import Mapping as MappingNode
from tilewright.base.problem import Place, RulesetError, Source, has_errors
from tilewright.language.compiled.play import Play
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.documents.fields import OF_PLAY, entries, items
from tilewright.language.documents.options import SORTS, Folds, choices_of, default_of, fold
from tilewright.language.documents.schema import Schema, below, document_schema
from tilewright.language.documents.schema import items as items_of
from tilewright.language.documents.whole import MergedRuleset
from tilewright.language.elaborate import decider, folded, ruleset_of
from tilewright.language.expressions.scope import Scope, declare
from tilewright.language.sections import scoring
from tilewright.language.sections import scoring as patterns
from tilewright.language.sections import scoring as payments
from tilewright.language.sections.elaboration import Elaboration, begin
from tilewright.language.sections.play import build_section
from tilewright.scoring.rules import setting_text

Path = tuple[str, ...]
OF_SCORING = ("patterns", "terms", "scoring", "payments", "forms")
NUMBER = re.compile(r"(?<![\w.'\"])\d+(?![\w.'\"])")
COMPARISON = re.compile(r"<=|>=|==|!=|<|>")
OTHERWISE = {"<=": "<", "<": "<=", ">=": ">", ">": ">=", "==": "!=", "!=": "=="}
JUNCTION = re.compile(r"\b(and|or)\b")
NOT = re.compile(r"\bnot (?!in\b)")
WORD = re.compile(r"[^\W\d]\w*")
SHOWN = ("scoring", "worth_more")  # what tables only show
CASES = ("needs",)  # which cases are refused
NUMBERS = ("number", "template", "span", "value")


@dataclass(frozen=True, slots=True)
class Mutant:
    """A small change. `path`: of the value that changes, to `node`; `was`, `becomes`: the text before and after;
    `option`: the option whose default it changes, if it does, to `becomes`."""

    path: Path
    place: Place
    was: str
    becomes: str
    node: Node | None = None
    option: str = ""

    @property
    def name(self) -> str:
        """What is changed, and how."""
        change = f"{self.was} -> {self.becomes}" if self.becomes else f"without {self.was}"
        return f"{'.'.join(self.path)}: {change}"

    @property
    def of_play(self) -> bool:
        """Whether it changes how the game goes, not what hands are worth."""
        return not self.option and self.path[0] in OF_PLAY

    def over(self, whole: MergedRuleset) -> MergedRuleset:
        """A ruleset with the change. That of an option is made when it is opened."""
        if self.node is None:
            return whole
        full = with_node(whole.full, self.path, self.node)
        assert isinstance(full, MappingNode)
        return whole.with_documents(full, folded(full, whole.options, Folds()))


def mutants(whole: MergedRuleset, source: Source | None = None) -> Iterator[Mutant]:
    """Every mutant of what a document says, in its order: of the file itself, or of another `source` of the ruleset."""
    source = source or whole.origins[0].place.source
    found = [*of_options(whole), *of_values(whole, source), *of_exclusions(whole)]
    yield from sorted((one for one in found if one.place.source == source), key=lambda one: one.place.offset)


# --- the values of expressions


def of_values(whole: MergedRuleset, source: Source) -> Iterator[Mutant]:
    """The mutants of expressions, numbers, templates and truths that hands or plays depend on."""
    shown = {SHOWN, *(("terms", term, "is") for term in asked_by_buttons(whole))}
    for use in whole.uses:
        if use.path[0] not in (*OF_SCORING, *OF_PLAY) or "if" in use.path or use.node.place.source != source:
            continue
        if use.path[:3] in shown or (use.path[0] == "terms" and use.path[2:3] == CASES):
            continue
        if use.sort == "expr" and isinstance(use.node, Scalar):
            for text in changed_texts(use.node, use.what):
                yield changed(use.path, use.node, text)
        elif use.sort == "block" and use.what == "condition" and isinstance(use.node, MappingNode):
            for key, value in use.node.items():
                if isinstance(value, Scalar) and isinstance(value.value, bool):
                    yield changed((*use.path, key), value, "false" if value.value else "true")


def asked_by_buttons(whole: MergedRuleset) -> set[str]:
    """The words that only buttons use, which decide what the page presses for a player, not what is allowed."""
    by_buttons: set[str] = set()
    elsewhere: set[str] = set()
    for use in whole.uses:
        if isinstance(use.node, Scalar):
            (by_buttons if use.path[0] == "buttons" else elsewhere).update(WORD.findall(use.node.text))
    return by_buttons - elsewhere


def changed(path: Path, node: Scalar, text: str) -> Mutant:
    return Mutant(path, node.place, node.text, text, scalar_of(text, node))


def scalar_of(text: str, node: Scalar) -> Scalar:
    """A text at the place of a scalar."""
    if text in ("true", "false"):
        return Scalar(text == "true", text, node.place)
    if re.fullmatch(r"-?\d+", text):
        return Scalar(int(text), text, node.place)
    return Scalar(text, text, node.place)


def changed_texts(node: Scalar, what: str) -> Iterator[str]:
    """What a value may become."""
    if isinstance(node.value, bool):
        return
    if isinstance(node.value, int):
        yield from (str(node.value + by) for by in (1, -1))
    elif isinstance(node.value, str):
        yield from dict.fromkeys(changed_text(node.text, what))


def changed_text(text: str, what: str) -> Iterator[str]:
    if what in (*NUMBERS, "truth", "condition", "seats", "tiles"):
        for found in NUMBER.finditer(text):
            for by in (1, -1):
                number = int(found[0]) + by
                if number >= 0:
                    yield text[: found.start()] + str(number) + text[found.end() :]
    if what == "template":
        return
    for found in COMPARISON.finditer(text):
        yield text[: found.start()] + OTHERWISE[found[0]] + text[found.end() :]
    for found in JUNCTION.finditer(text):
        yield text[: found.start()] + ("or" if found[0] == "and" else "and") + text[found.end() :]
    for found in NOT.finditer(text):
        yield text[: found.start()] + text[found.end() :]
    if what in ("truth", "condition"):
        yield f"not ({text})"


# --- exclusions and options


def of_exclusions(whole: MergedRuleset) -> Iterator[Mutant]:
    """Every pattern without one of those that it excludes."""
    for name, node in entries(whole.full, "patterns"):
        excluded = node.get("excludes")
        for number, item in enumerate(items(excluded)):
            if isinstance(item, Scalar) and isinstance(excluded, Sequence):
                left = Sequence(excluded.items[:number] + excluded.items[number + 1 :], excluded.place)
                path = ("patterns", name, "excludes")
                yield Mutant(path, item.place, item.text, "", left)


def of_options(whole: MergedRuleset) -> Iterator[Mutant]:
    """Every option with another default."""
    for name, node in entries(whole.full, "options"):
        default = default_of(node)
        for value in other_values(node, default):
            place = next(entry.value.place for key, entry in node.entries.items() if key in SORTS)
            yield Mutant(("options", name), place, setting_text(default), setting_text(value), option=name)


def other_values(option: MappingNode, default: object) -> Iterator[object]:
    """Other values of an option, next to its default."""
    if isinstance(default, bool):
        yield not default
    elif isinstance(default, str):
        yield from (one for one in choices_of(option) if one != default)
    elif isinstance(default, int | Fraction):
        step = number_at(option, "step") or 1
        least, most = number_at(option, "from"), number_at(option, "to")
        for value in (default + step, default - step):
            if (least is None or value >= least) and (most is None or value <= most):
                yield value


def number_at(option: MappingNode, key: str) -> int | Fraction | None:
    node = option.get(key)
    return node.value if isinstance(node, Scalar) and isinstance(node.value, int | Fraction) else None


# --- trees


def with_node(node: Node, path: Path, new: Node) -> Node:
    """The tree with another node at a path."""
    if not path:
        return new
    key, rest = path[0], path[1:]
    if isinstance(node, MappingNode):
        inner = node.entries[key]
        return MappingNode({**node.entries, key: Entry(inner.key, with_node(inner.value, rest, new))}, node.place)
    assert isinstance(node, Sequence)
    at = int(key)
    return Sequence((*node.items[:at], with_node(node.items[at], rest, new), *node.items[at + 1 :]), node.place)


# --- compiled with a change


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
            inner = fold_at(wanted, item, rest, node, items_of(part), decide)
            if inner is not None:
                return Sequence((*folded.items[:at], inner, *folded.items[at + 1 :]), folded.place)
    return None
