"""Elaborating: the name of a ruleset in; its compiled form out, or every error of it.

read -> shape -> merge and mods -> options -> names and expressions -> lint -> sections. A stage runs only if those
before found no error, so that one mistake gives one problem. A condition on options, such as `if`, is decided here.
Knows no play and no scoring, and does not search for patterns that no hand can have: `tilewright.language.check` does.
"""

from collections.abc import Callable, Iterable, Set
from collections.abc import Mapping as Map
from collections.abc import Sequence as Several
from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

from tilewright.base.memory import TheSame
from tilewright.base.node import Mapping, Node, Scalar
from tilewright.base.problem import Place, Problem, RulesetError, Source, has_errors, str_of
from tilewright.base.spelling import hint
from tilewright.language.compiled.ruleset import CompiledRuleset, Text
from tilewright.language.documents.cards import (
    PlayedCard,
    cards_played,
    choices_without_card,
    is_card,
    read_played,
    several_cards,
)
from tilewright.language.documents.fields import entries, flag, is_false, kind_of, names, section, text, text_at, texts
from tilewright.language.documents.former import former_names, settings_today
from tilewright.language.documents.library import path_of
from tilewright.language.documents.mods import in_order
from tilewright.language.documents.options import (
    Folds,
    OptionSetting,
    check_presets,
    choices_of,
    choose,
    fold,
    read_mod,
)
from tilewright.language.documents.schema import document_schema
from tilewright.language.documents.shape import missing_keys
from tilewright.language.documents.whole import (
    ExtendedDocument,
    MergedRuleset,
    NamedMods,
    extended,
    read_mod_document,
    rules_digest_of,
    text_digest_of,
    with_mods,
)
from tilewright.language.expressions import syntax, trees
from tilewright.language.expressions.lower import check_expressions
from tilewright.language.expressions.names import check_declared, check_used
from tilewright.language.lint.run import lint, lint_compiled
from tilewright.language.sections import forms, scoring, table
from tilewright.language.sections import scoring as patterns
from tilewright.language.sections import scoring as payments
from tilewright.language.sections.elaboration import Elaboration, begin
from tilewright.language.sections.play import build_play

NONE: Map[str, object] = {}
NOBODY = frozenset[Source]()  # gets warnings where only errors count
MOST_PARTS = 8  # of one name that are known at once
MOST_COMPILED = 4  # of one document, with different options
MOST_PLAYS = 64  # of one document whose problems are known at once
NOT_SHARED = ("options", "patterns", "digest", "text_digest", "kept")


def open_whole(name: str, settings: Map[str, object] = NONE, mods: Several[str] = ()) -> MergedRuleset:
    """The merged ruleset of a bundled id or a path, with options and mods. Raises RulesetError."""
    path = path_of(name, what="ruleset")
    document = extended(path)
    named = NamedMods.of(document.full, mods)
    wanted = {**named.options, **settings}
    patches = []
    card: PlayedCard | None = None
    for one in named.mods:
        mod, own = read_mod(one)
        patch = path_of(mod, path.parent, what="mod or card", others=named.known)
        wanted |= own
        if not is_card(patch):
            patches.append(read_mod_document(patch))
        elif card is None:
            card = read_played(patch, given=True)
        else:
            raise RulesetError([several_cards(card.path, patch)])
    return replace(assemble(document, patches, wanted, card), named=named)


# --- merging


def assemble(
    document: ExtendedDocument,
    mods: Several[Mapping] = (),
    wanted: Map[str, object] = NONE,
    card: PlayedCard | None = None,
) -> MergedRuleset:
    """The ruleset with the mods, the options and the card. Raises RulesetError."""
    changed = with_mods(document, mods)
    full = changed.full
    missing: list[Problem] = changed.found.once("missing", lambda: list(missing_keys(full)))
    if missing:
        raise RulesetError(missing)
    wanted, old = settings_today(wanted, changed.found.once("former", lambda: former_names(full)))
    options, problems = choose(full.get("options"), wanted)
    if problems:
        raise RulesetError(problems)
    ids = tuple(text_at(mod, "id") for mod in in_order(mods))
    return MergedRuleset(
        folded(full, options, changed.found.once("folds", Folds)),
        full,
        options,
        ids,
        kind_of(document.full),
        (*document.line, *mods),
        cards_played(full, options, wanted, card),
        old=(*changed.old, *old),
        found=changed.found,
        shared=document.found,
    )


def folded(full: Mapping, options: dict[str, OptionSetting], before: Folds) -> Mapping:
    """The whole without the parts that these options remove."""
    problems: list[Problem] = []
    document = fold(full, document_schema("ruleset"), decider(full, options, problems.append), before)
    if problems:
        raise RulesetError(problems)
    assert isinstance(document, Mapping)
    return document


def decider(
    full: Mapping, options: dict[str, OptionSetting], tell: Callable[[Problem], object] = lambda problem: None
) -> Callable[[Scalar], bool]:
    """Decides conditions of options; `tell` gets the problems of those that cannot be, which hold."""

    def holds(condition: Scalar) -> bool:
        found = decide(condition, options, full.get("options"))
        if isinstance(found, Problem):
            tell(found)
            return True
        return found

    return holds


Known = bool | int | Fraction | str


class Undecided(Exception):
    """The expression uses something that is not known when a ruleset is loaded, or uses it wrongly."""

    def __init__(
        self, message: str, span: tuple[int, int], way_out: str | None = None, code: str = "not-an-option"
    ) -> None:
        self.message, self.span, self.hint, self.code = message, span, way_out, code
        super().__init__(message)


def decide(condition: Scalar, options: Map[str, OptionSetting], declared: Node | None) -> bool | Problem:
    """Whether the condition holds with these options, or its problem."""
    if isinstance(condition.value, bool):
        return condition.value
    try:
        found = Decider(options, declared).value(syntax.parse_expression(str(condition.value)))
    except syntax.SyntaxMistake as mistake:
        return problem_of_condition("syntax", condition, mistake.message, mistake.span, mistake.hint)
    except Undecided as undecided:
        return problem_of_condition(undecided.code, condition, undecided.message, undecided.span, undecided.hint)
    if not isinstance(found, bool):
        return problem_of_condition(
            "wrong-type", condition, "a truth is expected here", (0, len(condition.text)), "compare it: players == 4"
        )
    return found


def problem_of_condition(
    code: str, condition: Scalar, message: str, span: tuple[int, int], way_out: str | None
) -> Problem:
    return Problem(code, message, condition.at(span[0], max(1, span[1] - span[0])), way_out)


class Decider:
    """Evaluates expressions over options."""

    def __init__(self, options: Map[str, OptionSetting], declared: Node | None) -> None:
        self.options, self.declared = options, declared

    def value(self, node: trees.Expression) -> Known:
        match node:
            case trees.NumberLiteral(value=number):
                return number
            case trees.NameOf():
                return self.option(node)
            case trees.Not():
                return not self.truth(node.operand)
            case trees.And():
                truths = [self.truth(part) for part in node.operands]
                return all(truths)
            case trees.Or():
                truths = [self.truth(part) for part in node.operands]
                return any(truths)
            case trees.Choice():
                return self.value(node.then if self.truth(node.test) else node.other)
            case trees.Compare():
                return self.compare(node)
            case trees.Negative():
                return -self.number(node.operand)
            case trees.Arithmetic():
                return self.arithmetic(node)
        raise Undecided(
            "this is decided when the ruleset is loaded and can use only options",
            node.span,
            "what is decided at the table belongs in `when` or `unless`",
        )

    def option(self, name: trees.NameOf) -> Known:
        setting = self.options.get(name.id)
        if setting is None:
            raise Undecided(
                f"only options can be used here, and none is called {name.id!r}",
                name.span,
                hint(name.id, self.options) or "what is decided at the table belongs in `when` or `unless`",
            )
        worth = setting.worth
        if isinstance(worth, Scalar) and isinstance(worth.value, int | Fraction):
            return worth.value
        return setting.chosen

    def truth(self, node: trees.Expression) -> bool:
        found = self.value(node)
        if not isinstance(found, bool):
            raise Undecided("a truth is expected here", node.span, "compare it: players == 4", "wrong-type")
        return found

    def number(self, node: trees.Expression) -> int | Fraction:
        found = self.value(node)
        if isinstance(found, bool | str):
            raise Undecided("a number is expected here", node.span, None, "wrong-type")
        return found

    def compare(self, node: trees.Compare) -> bool:
        if node.operator in ("==", "!="):
            return self.same(node.left, node.right) == (node.operator == "==")
        left, right = self.number(node.left), self.number(node.right)
        return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[node.operator]

    def same(self, left: trees.Expression, right: trees.Expression) -> bool:
        for option, choice in ((left, right), (right, left)):
            if not (isinstance(option, trees.NameOf) and isinstance(choice, trees.NameOf)):
                continue
            choices = self.choices(option.id)
            if choices and choice.id not in self.options:
                return self.chosen(option.id, choice, choices)
        return self.value(left) == self.value(right)

    def choices(self, id: str) -> list[str]:
        option = self.declared.get(id) if isinstance(self.declared, Mapping) else None
        return choices_of(option) if isinstance(option, Mapping) and "choice" in option.entries else []

    def chosen(self, id: str, choice: trees.NameOf, choices: list[str]) -> bool:
        if choice.id not in choices:
            raise Undecided(
                f"option {id} has no choice {choice.id!r}", choice.span, hint(choice.id, choices), "unknown-choice"
            )
        return self.options[id].chosen == choice.id

    def arithmetic(self, node: trees.Arithmetic) -> int | Fraction:
        total = self.number(node.operands[0])
        for operator, operand in zip(node.operators, node.operands[1:], strict=True):
            total = calculated(total, operator, self.number(operand), node)
        return total


def calculated(left: int | Fraction, operator: str, right: int | Fraction, node: Any) -> int | Fraction:
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    if operator == "*":
        return left * right
    if right == 0:
        raise Undecided("this divides by 0", node.span, None, "division-by-zero")
    return Fraction(left) / right if operator == "/" else left % right


# --- elaborating


def elaborate(whole: MergedRuleset, own: Set[Source]) -> tuple[CompiledRuleset | None, list[Problem]]:
    """The compiled form of a merged ruleset, none for a base or after an error; and the problems, with warnings only
    about the checked sources."""
    return elaborate_named(whole, own, names_and_expressions(whole))


def names_and_expressions(whole: MergedRuleset) -> list[Problem]:
    """The problems of names and expressions: the first stage, and most of what is wrong in a text that is being
    edited."""
    declared: list[Problem] = whole.found.once("declared", lambda: list(check_declared(whole)))
    if declared:
        return declared
    used: list[Problem] = whole.found.once("used", lambda: list(check_used(whole)))
    of_files = [*check_presets(whole.full), *choices_without_card(whole.full)]
    return once_a_name([*whole.old, *used, *of_files, *check_expressions(whole)])


def elaborate_named(
    whole: MergedRuleset, own: Set[Source], problems: list[Problem]
) -> tuple[CompiledRuleset | None, list[Problem]]:
    """The stages after the names, with the problems of those."""
    if has_errors(problems):
        return None, problems
    problems = reported((*problems, *problems_of_lint(whole, own)), own)
    if has_errors(problems) or whole.kind != "ruleset":
        return None, problems
    data, found = compile_with_problems(whole)
    problems += reported(found, own)
    if data is not None:
        problems += reported(problems_of_play(whole, own, data), own)
    return None if has_errors(problems) else data, problems


def problems_of_lint(whole: MergedRuleset, own: Set[Source]) -> list[Problem]:
    """The problems that need no compiled form, found once. Where only errors count, those do that were found for some
    sources."""
    known: dict[Set[Source], list[Problem]] = whole.found.once("lint", dict)
    if known and not own:
        return next(iter(known.values()))
    if (key := frozenset(own)) not in known:
        known[key] = list(lint(whole, own))
    return known[key]


def compile_with_problems(whole: MergedRuleset) -> tuple[CompiledRuleset | None, tuple[Problem, ...]]:
    """The compiled form with warnings; none after an error. It is known while the options are the same."""
    known: dict[object, tuple[CompiledRuleset | None, tuple[Problem, ...]]] = whole.found.once("compiled", dict)
    key = tuple(whole.options.items()), TheSame(whole.cards.values()), whole.named.presets, whole.old
    if key not in known:
        for oldest in list(known)[: 1 - MOST_COMPILED]:
            del known[oldest]
        known[key] = compiled_now(whole)
    return known[key]


def compiled_now(whole: MergedRuleset) -> tuple[CompiledRuleset | None, tuple[Problem, ...]]:
    try:
        elaboration = begin(whole)
    except RulesetError as error:
        return None, error.problems
    data = with_known_parts(ruleset_of(elaboration), whole.shared.once("parts", dict))
    problems = tuple(dict.fromkeys(elaboration.problems))
    return None if has_errors(problems) else data, problems


def with_known_parts(data: CompiledRuleset, known: dict[str, list[Any]]) -> CompiledRuleset:
    """The ruleset with the very same parts as with other options and mods, where they are equal: what follows from them
    is made once. `known`: parts by name, which gets those of this one."""

    def same(name: str, part: Any) -> Any:
        before = known.setdefault(name, [])
        for one in before:
            if one is part or one == part:
                return one
        before.append(part)
        del before[:-MOST_PARTS]
        return part

    patterns = tuple(same(f"patterns.{one.id}", one) for one in data.patterns)
    others = {one.name: getattr(data, one.name) for one in fields(data) if one.name not in NOT_SHARED}
    return replace(data, patterns=same("patterns", patterns), **{name: same(name, one) for name, one in others.items()})


def problems_of_play(whole: MergedRuleset, own: Set[Source], data: CompiledRuleset) -> list[Problem]:
    """The problems that only the compiled form shows; the same while what it looks at is the same."""
    document = [whole.document.get(name) for name in whole.document.entries if name not in ("patterns", "cases")]
    parts = [getattr(data, name) for name in ("play", "zones", "seats", "tiles", "groups", "forms", "payments")]
    looked_at = TheSame((*document, *parts))
    known: dict[object, list[Problem]] = whole.found.once("problems of play", dict)
    key = looked_at, frozenset(own)
    if key not in known:
        if len(known) >= MOST_PLAYS:
            known.clear()
        known[key] = list(lint_compiled(whole, own, data))
    return known[key]


def compiled(whole: MergedRuleset) -> CompiledRuleset:
    """The compiled form of a merged ruleset; raises RulesetError with every error of it."""
    if whole.kind != "ruleset":
        raise RulesetError([not_playable(whole)])
    data, problems = elaborate(whole, NOBODY)
    if data is None:
        raise RulesetError(one for one in problems if one.severity == "error")
    return data


def ruleset_of(elaboration: Elaboration) -> CompiledRuleset:
    """Compile everything that scoring and play need, section by section; problems are collected in the elaboration."""
    whole, document = elaboration.whole, elaboration.whole.document
    measures = tuple(scoring.measures(elaboration))
    found = tuple(forms.forms(elaboration))
    elaboration.problems.extend(forms.unequal_forms(document, found, elaboration.groups))
    return CompiledRuleset(
        id=text(document, "id"),
        name=texts(document.get("name")),
        about=texts(document.get("about")),
        options={name: setting.chosen for name, setting in whole.options.items()},
        mods=mods_of(whole),
        presets=whole.named.presets,
        tiles=elaboration.tiles,
        groups=elaboration.groups,
        forms=found,
        seats=table.seats(elaboration),
        zones=dict(table.zones(elaboration)),
        marks=dict(table.marks(elaboration)),
        terms=table.terms(elaboration),
        term_names=table.term_names(elaboration),
        needs=dict(table.needs(elaboration)),
        scoring=scoring.scoring(elaboration, measures),
        families=scoring.families(elaboration),
        sole=tuple(name for name, node in entries(document, "families") if is_false(node, "others")),
        patterns=tuple(patterns.patterns(elaboration, measures)),
        payments=dict(payments.payments(elaboration)),
        cases=tuple(patterns.cases(elaboration)),
        left_out=tuple(patterns.left_out(whole)),
        play=build_play(elaboration),
        wild_when=dict(table.wild_when(elaboration)),
        group_names=names_in(document, "groups"),
        family_names=names_in(document, "families"),
        payment_names={id: names_in(document, "payments", id) for id, _ in entries(document, "payments")},
        digest=rules_digest_of(whole),
        text_digest=text_digest_of(whole),
        hints=flag(section(document, "profile"), "hints"),
        version=text(document, "version"),
        license=text(document, "license"),
        authors=names(document.get("authors")),
        former=whole.found.once("former", lambda: former_names(whole.full)),
        old_names=tuple(str_of(one) for one in once_a_name(whole.old)),
    )


def names_in(document: Mapping, *part: str) -> dict[str, Text]:
    """The names in a section, of entries that have one."""
    return {name: texts(node.get("name")) for name, node in entries(document, *part) if node.get("name")}


def mods_of(whole: MergedRuleset) -> tuple[str, ...]:
    """The ids of the mods, with a card given as one last."""
    given = dict.fromkeys(played.card.card.id for played in whole.cards.values() if played.given)
    return (*whole.mods, *given)


# --- problems


def reported(problems: Iterable[Problem], own: Set[Source]) -> list[Problem]:
    """The problems, but warnings only about these sources."""
    return [one for one in problems if one.severity == "error" or (one.place and one.place.source in own)]


ONCE_A_NAME = ("unknown-", "old-name")


def once_a_name(problems: Iterable[Problem]) -> list[Problem]:
    """The problems; of a name that is unknown or old in several places, only the first, which mentions the others."""
    first: dict[object, list[Problem]] = {}
    for problem in in_file_order(problems):
        named = problem.code.startswith(ONCE_A_NAME) and problem.place is not None
        first.setdefault(text_of(problem.place) if named and problem.place else problem, []).append(problem)
    return [named_once(found) for found in first.values()]


def text_of(place: Place) -> str:
    """The text at a place."""
    return place.source.line(place.line)[place.column - 1 : place.column - 1 + place.length]


def named_once(found: list[Problem]) -> Problem:
    lines = sorted(
        {
            one.place.line
            for one in found[1:]
            if one.place and found[0].place and one.place.source == found[0].place.source
        }
    )
    also = f" (also in line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines))})" if lines else ""
    return replace(found[0], message=found[0].message + also)


def in_file_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """The problems, each once, in the order of the file."""
    once = dict.fromkeys(problems)

    def order(problem: Problem) -> tuple[str, int, int]:
        place = problem.place
        return (place.source.name, place.line, place.column) if place else ("", 0, 0)

    return tuple(sorted(once, key=order))


def not_playable(whole: MergedRuleset) -> Problem:
    return Problem(
        "not-playable",
        "a base leaves something open and cannot be played",
        whole.full.key("kind").place,
        "extend it in a ruleset",
    )
