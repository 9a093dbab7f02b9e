"""Loading: the name of a document in; a whole ruleset, the problems of it, or its compiled form out.

read -> shape -> merge and mods -> options -> names and expressions -> lint -> compile. A stage runs only if those
before found no error, so that one mistake gives one problem. Knows no play and no scoring.
"""

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Mapping as Map
from collections.abc import Sequence as Several
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tilewright.base.node import Mapping, Scalar, Sequence
from tilewright.base.problem import Place, Problem, RulesetError, Severity, Source, has_errors
from tilewright.base.suggestion import hint
from tilewright.language.compiled.ruleset import RulesetData
from tilewright.language.documents.fields import kind_of, text_at
from tilewright.language.documents.library import is_document, path_of, read_document, says, siblings
from tilewright.language.documents.merge import find, merge, names_at
from tilewright.language.documents.mods import Change, apply, collisions, in_order, listed, removed_examples, unfit
from tilewright.language.documents.options import OptionSetting, choose, fold, read_mod
from tilewright.language.documents.required import missing_keys
from tilewright.language.documents.schema import document_schema
from tilewright.language.documents.whole import Whole

if TYPE_CHECKING:
    from tilewright.language.documents.cards import Played

NONE: Map[str, object] = {}
MAX_PROBLEMS = 100  # of one document that are told
MAX_BASES = 16  # that one document extends, each the next
MAX_MODS = 64  # that one mod needs
MOST_NAMED = 3  # rulesets in one message


# --- what others use


def open_whole(name: str, settings: Map[str, object] = NONE, mods: Several[str] = ()) -> Whole:
    """The whole that a bundled id or a path means, with options and mods; raises RulesetError with every problem."""
    from tilewright.language.documents.cards import is_card, read_played, several_cards  # here: it parses

    path = path_of(name, what="ruleset")
    named = Named.of(path, mods)
    wanted = {**named.options, **settings}
    patches = []
    card: Played | None = None
    for text in named.mods:
        mod, own = read_mod(text)
        patch = path_of(mod, path.parent, what="mod or card", others=named.known)
        wanted |= own
        if not is_card(patch):
            patches.append(read_mod_document(patch))
        elif card is None:
            card = read_played(patch, given=True)
        else:
            raise RulesetError([several_cards(card.path, patch)])
    return replace(assemble(path, patches, wanted, card), presets=named.presets)


@dataclass(frozen=True, slots=True)
class Named:
    """What stands where mods are named: presets of the ruleset, which stand before mods of that name, and mods.
    `options`: what the presets set; `mods`: those named, and those of presets; `known`: every preset that there is."""

    presets: tuple[str, ...] = ()
    options: Map[str, object] = field(default_factory=dict)
    mods: tuple[str, ...] = ()
    known: tuple[str, ...] = ()

    @staticmethod
    def of(path: Path, texts: Several[str]) -> "Named":
        """Raises RulesetError for what is wrong in the document and in what it extends."""
        from tilewright.language.documents.presets import presets_of

        document = read_document(path)
        if not texts or kind_of(document) not in ("base", "ruleset"):
            return Named(mods=tuple(texts))
        known = {preset.id: preset for preset in presets_of(extended(path, document)[0])}
        named, mods = list[str](), list[str]()
        options: dict[str, object] = {}
        for text in texts:
            name, own = read_mod(text)
            if name in known:
                named.append(name)
                options |= {**known[name].options, **own}
                mods += known[name].mods
            else:
                mods.append(text)
        return Named(tuple(named), options, tuple(dict.fromkeys(mods)), tuple(known))


def read_mod_document(path: Path) -> Mapping:
    """The mod of a file; raises RulesetError, also for what is none."""
    mod = read_document(path)
    if kind_of(mod) != "mod":
        raise RulesetError([not_a_mod(mod)])
    return mod


def load_data(name: str, settings: Map[str, object] = NONE, mods: Several[str] = ()) -> RulesetData:
    """The compiled ruleset of a bundled id or a path; from the cache if nothing of it has changed. Raises RulesetError
    with every error of it."""
    from tilewright.language import cache

    key = cache.Key(name, tuple(sorted((id, str(value)) for id, value in settings.items())), tuple(mods))
    if (data := cache.recall(key)) is not None:
        return data
    whole = open_whole(name, settings, mods)
    data = compiled(whole)
    cache.keep(key, files_of(name, mods, whole), data)
    return data


def files_of(name: str, mods: Several[str], whole: Whole) -> Iterator[Path]:
    """Every file that the whole depends on: those that are read, and those that would be read before them."""
    from tilewright.language.cache import looked_for

    start = path_of(name)
    yield start.resolve()
    for path, document in line_of(start, read_document(start)):
        if base := text_at(document, "extends"):
            yield from looked_for(base, path.parent)
    for text in Named.of(start, mods).mods:
        yield from looked_for(read_mod(text)[0], start.parent)
    for played in whole.cards.values():
        yield from looked_for(played.path.stem, played.path.parent)
        yield played.path.resolve()


def problems_of(path: Path) -> tuple[Problem, ...]:
    """Every problem of one document that needs no game, in the order of the file. What is not YAML by its name is read
    as a card in plain text."""
    from tilewright.language.documents.cards import read_processed

    try:
        if not is_document(path):
            return first_of(in_file_order(read_processed(path)[1]))
        document = read_document(path)
    except RulesetError as error:
        return first_of(error.problems)
    if kind_of(document) == "mod":
        found: Iterable[Problem] = problems_of_mod(path, document)
    elif kind_of(document) == "card":
        found = read_processed(path)[1]
    else:
        found = problems_of_ruleset(path, document)
    return first_of(in_file_order(found))


# --- a whole


def assemble(
    path: Path, mods: Several[Mapping], wanted: Map[str, object] = NONE, card: "Played | None" = None
) -> Whole:
    """The ruleset of a file with all that it extends, the mods, the options and the card. Raises RulesetError."""
    from tilewright.language.documents.cards import cards_played  # here: it parses

    document = read_document(path)
    if kind_of(document) not in ("base", "ruleset"):
        raise RulesetError([not_a_ruleset(document)])
    full, sources = extended(path, document)
    full = patched(full, path, mods)
    if problems := list(missing_keys(full)):
        raise RulesetError(problems)
    options, problems = choose(full.get("options"), wanted)
    if problems:
        raise RulesetError(problems)
    ids = tuple(text_at(mod, "id") for mod in in_order(mods))
    return Whole(
        folded(full, options),
        full,
        options,
        ids,
        kind_of(document),
        (*sources, *(mod.place.source for mod in mods)),
        cards_played(full, options, wanted, card),
    )


def extended(path: Path, document: Mapping) -> tuple[Mapping, tuple[Source, ...]]:
    """The document over everything it extends, and their sources, the document's first."""
    chain = list(line_of(path, document))
    full: Mapping | None = None
    for _, one in reversed(chain):
        full, problems = merge(full, one)
        if problems:
            raise RulesetError(problems)
    assert full is not None
    return full, tuple(one.place.source for _, one in chain)


def line_of(path: Path, document: Mapping) -> Iterator[tuple[Path, Mapping]]:
    """The document and all it extends, nearest first."""
    seen = []
    first = document.get("extends")
    while True:
        yield path, document
        seen.append(path.resolve())
        base = document.get("extends")
        if not isinstance(base, Scalar) or base.value is None:
            return
        path = path_of(str(base.value), path.parent, base.place, "base or ruleset")
        if path.resolve() in seen:
            raise RulesetError([extends_itself(first if isinstance(first, Scalar) else base)])
        if len(seen) > MAX_BASES:
            raise RulesetError([extends_too_far(base)])
        document = read_document(path)
        if kind_of(document) not in ("base", "ruleset"):
            raise RulesetError([cannot_extend(base, kind_of(document))])


def patched(full: Mapping, path: Path, mods: Several[Mapping]) -> Mapping:
    """The whole with the mods applied, each after those it needs."""
    if not mods:
        return full
    problems = [*unfit(mods), *(not_for(mod, full) for mod in mods if not is_for(mod, ids_of(path)))]
    changes: list[Change] = []
    for mod in in_order(mods):
        result = apply(full, mod)
        full = result.full
        problems += result.problems
        changes += result.changes
    problems += collisions(changes, mods)
    if problems:
        raise RulesetError(problems)
    return full


def ids_of(path: Path) -> tuple[str, ...]:
    """The ids of a document and of all it extends, its own first."""
    return tuple(text_at(document, "id") for _, document in line_of(path, read_document(path)))


def is_for(mod: Mapping, ids: Several[str]) -> bool:
    """Whether a mod is for the ruleset with these ids, its own first."""
    if kind_of(mod) != "mod":
        return False
    return any(target.text in (ids[:1] if alone else ids) for target, alone in targets_of(mod))


def targets_of(mod: Mapping) -> Iterator[tuple[Scalar, bool]]:
    """The ids that a mod is for, and whether each means that ruleset alone, without what extends it."""
    node = mod.get("for")
    for item in node.items if isinstance(node, Sequence) else ():
        only = item.get("only") if isinstance(item, Mapping) else None
        if isinstance(item, Scalar):
            yield item, False
        elif isinstance(only, Scalar):
            yield only, True


def folded(full: Mapping, options: dict[str, OptionSetting]) -> Mapping:
    """The whole without what is not there with these options."""
    from tilewright.language.expressions.decide import (
        decide,  # here: it parses, and what comes from the cache is not parsed
    )

    problems: list[Problem] = []

    def holds(condition: Scalar) -> bool:
        found = decide(condition, options, full.get("options"))
        if isinstance(found, Problem):
            problems.append(found)
            return True
        return found

    document = fold(full, document_schema("ruleset"), holds)
    if problems:
        raise RulesetError(problems)
    assert isinstance(document, Mapping)
    return document


# --- checking


def problems_of_ruleset(path: Path, document: Mapping) -> Iterator[Problem]:
    try:
        whole = assemble(path, ())
    except RulesetError as error:
        yield from error.problems
        return
    problems, data = checked(whole, {document.place.source})
    if data is not None:
        from tilewright.language import cache

        cache.keep(cache.Key(str(path), (), ()), files_of(str(path), (), whole), data)  # its examples are tried next
    yield from blamed(problems, path, document)


def blamed(problems: list[Problem], path: Path, document: Mapping) -> list[Problem]:
    """The problems; those at lines of a base that is in order by itself are of the document, which leaves something
    open or takes something away."""
    own, extends = document.place.source, document.get("extends")
    elsewhere = [one for one in problems if one.place is not None and one.place.source != own]
    if not elsewhere or not isinstance(extends, Scalar):
        return problems
    base = problems_of(path_of(str(extends.value), path.parent, extends.place))
    if has_errors(base):
        return [one for one in base if one.severity == "error"]
    return [one if one not in elsewhere else left_open(one, extends) for one in problems]


def checked(whole: Whole, own: set[Source]) -> tuple[list[Problem], RulesetData | None]:
    """What is wrong in a whole, and its compiled form if nothing is and it is a ruleset; warnings only about what the
    sources say that are checked."""
    from tilewright.language.compile import compile_with_problems
    from tilewright.language.documents.cards import choices_without_card
    from tilewright.language.documents.presets import check_presets
    from tilewright.language.expressions.lower import check_expressions
    from tilewright.language.expressions.names import check_declared, check_used
    from tilewright.language.lint.run import lint, lint_compiled

    if problems := list(check_declared(whole)):
        return problems, None
    problems = once_a_name(
        [*check_used(whole), *check_presets(whole), *choices_without_card(whole.full), *check_expressions(whole)]
    )
    if has_errors(problems):
        return problems, None
    problems = told((*problems, *lint(whole, own)), own)
    if has_errors(problems) or whole.kind != "ruleset":
        return problems, None
    data, found = compile_with_problems(whole)
    problems += told(found, own)
    if data is None:
        return problems, None
    problems += told(lint_compiled(whole, own, data), own)
    return problems, None if has_errors(problems) else data


def compiled(whole: Whole) -> RulesetData:
    """The compiled ruleset of a whole; raises RulesetError with every error of it."""
    if whole.kind != "ruleset":
        raise RulesetError([not_playable(whole)])
    problems, data = checked(whole, {whole.sources[0], *whole.sources[len(whole.sources) - len(whole.mods) :]})
    if data is None:
        raise RulesetError(one for one in problems if one.severity == "error")
    return data


def told(problems: Iterable[Problem], own: set[Source]) -> list[Problem]:
    """The problems, but warnings only about these sources."""
    return [one for one in problems if one.severity == "error" or (one.place and one.place.source in own)]


def once_a_name(problems: Iterable[Problem]) -> list[Problem]:
    """The problems, but of a name that is unknown in several places only the first, which tells of the others."""
    first: dict[object, list[Problem]] = {}
    for problem in in_file_order(problems):
        named = problem.code.startswith("unknown-") and problem.place is not None
        first.setdefault(text_of(problem.place) if named and problem.place else problem, []).append(problem)
    return [told_once(found) for found in first.values()]


def text_of(place: Place) -> str:
    """What stands at a place."""
    return place.source.line(place.line)[place.column - 1 : place.column - 1 + place.length]


def told_once(found: list[Problem]) -> Problem:
    lines = sorted(
        {
            one.place.line
            for one in found[1:]
            if one.place and found[0].place and one.place.source == found[0].place.source
        }
    )
    also = f" (also in line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines))})" if lines else ""
    return replace(found[0], message=found[0].message + also)


def first_of(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """The problems, or as many as somebody reads, and how many more there are."""
    more = len(problems) - MAX_PROBLEMS
    if more <= 0:
        return problems
    worst = min((one.severity for one in problems[MAX_PROBLEMS:]), key=("error", "warning", "note").index)
    return (*problems[:MAX_PROBLEMS], many_more(more, problems[MAX_PROBLEMS].place, worst))


def in_file_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """The problems, each once, in the order of the file."""
    once = dict.fromkeys(problems)

    def order(problem: Problem) -> tuple[str, int, int]:
        place = problem.place
        return (place.source.name, place.line, place.column) if place else ("", 0, 0)

    return tuple(sorted(once, key=order))


# --- mods


def problems_of_mod(path: Path, mod: Mapping) -> Iterator[Problem]:
    """What is wrong in a mod over each ruleset it is for that lies beside it or is bundled."""
    if "for" not in mod.entries:
        yield Problem("missing-key", "'for' is missing: the rulesets it is for", mod.key("kind").place)
        return
    known = rulesets_near(path)
    for item, alone in targets_of(mod):
        if not any(item.text in (ids[:1] if alone else ids) for ids in known.values()):
            yield unknown_target(item, {id for ids in known.values() for id in (ids[:1] if alone else ids)})
    try:
        mods = with_needed(path, mod)
    except RulesetError as error:
        yield from error.problems
        return
    over = {target: ids[0] for target, ids in known.items() if is_for(mod, ids)}
    found = {id: list(problems_over(target, mods, mod)) for target, id in over.items()}
    yield from told_by_ruleset(found, lambda one: (one.code, one.place, "" if is_at(one, mod) else one.message))
    if not any(map(has_errors, found.values())):
        yield from removed_nowhere(mod, [whole_without(target, mods, mod) for target in over])


def told_by_ruleset(found: Map[str, Several[Problem]], key: Callable[[Problem], object]) -> Iterator[Problem]:
    """The problems of several rulesets, those with the same key once; where not all rulesets have a problem, with the
    names of those that do."""
    first: dict[object, Problem] = {}
    names: dict[object, list[str]] = {}
    for id, problems in found.items():
        for problem in problems:
            first.setdefault(key(problem), problem)
            names.setdefault(key(problem), []).append(id)
    for same, problem in first.items():
        where = list(dict.fromkeys(names[same]))
        yield problem if len(where) == len(found) else inside(problem, where)


def inside(problem: Problem, rulesets: Several[str]) -> Problem:
    """The problem, with the names of the rulesets that have it."""
    more = f" and {len(rulesets) - MOST_NAMED} more" if len(rulesets) > MOST_NAMED else ""
    return replace(problem, message=f"in {', '.join(rulesets[:MOST_NAMED])}{more}: {problem.message}")


def whole_without(target: Path, mods: Several[Mapping], mod: Mapping) -> Mapping:
    """The whole of a ruleset with the other mods, for which this one is checked."""
    return patched(extended(target, read_document(target))[0], target, [one for one in mods if one is not mod])


def removed_nowhere(mod: Mapping, wholes: Several[Mapping]) -> Iterator[Problem]:
    """Examples and cases that a mod takes away and that none of its rulesets has."""
    for named, path in removed_examples(mod):
        if wholes and not any(find(whole, list(path))[0] for whole in wholes):
            hints = [name for whole in wholes for name in names_at(whole, list(path[:-1]))]
            message = f"no ruleset that the mod is for has {'.'.join(path)} to remove"
            yield Problem("nothing-to-remove", message, named.place, hint(path[-1], hints))


def is_at(problem: Problem, mod: Mapping) -> bool:
    """Whether the problem is in the text of the mod itself, and not in what it breaks."""
    return problem.place is not None and problem.place != mod.key("for").place


def with_needed(path: Path, mod: Mapping) -> list[Mapping]:
    """The mod and all that it needs, and all that they need. Raises RulesetError."""
    found = {text_at(mod, "id"): mod}
    todo = [mod]
    while todo:
        for item in listed(todo.pop(), "needs"):
            if item.text not in found:
                found[item.text] = read_document(path_of(item.text, path.parent, item.place, "mod"))
                todo.append(found[item.text])
                if len(found) > MAX_MODS:
                    raise RulesetError([too_many_mods(item)])
    return list(found.values())


def rulesets_near(path: Path) -> dict[Path, tuple[str, ...]]:
    """The playable rulesets beside a file and among the bundled ones, with their ids and those of all they extend. What
    extends a bundled document that one beside the file stands before is of another game."""
    found, beside = {}, {other.stem for other in path.parent.glob("*.yaml")}
    for near in siblings(path.parent):
        try:
            if says(near, "ruleset") and kind_of(read_document(near)) == "ruleset":
                ids = ids_of(near)
                if near.parent == path.parent or beside.isdisjoint(ids):
                    found[near] = ids
        except (RulesetError, OSError):
            continue  # it has problems of its own, and is checked by itself
    return found


def problems_over(target: Path, mods: Several[Mapping], mod: Mapping) -> Iterator[Problem]:
    """What is wrong in the whole of a ruleset and a mod, all of it at lines of the mod."""
    own = mod.place.source
    try:
        whole = assemble(target, mods)
        found, _ = checked(whole, {own})
        found += unfit_settings(mod, whole)
    except RulesetError as error:
        found = list(error.problems)
    for problem in found:
        if problem.place is None or problem.place.source == own:
            yield problem
        elif problem.severity == "error":
            yield breaks(mod, target, problem)


def unfit_settings(mod: Mapping, whole: Whole) -> Iterator[Problem]:
    """What cannot be set of that with which examples are tried."""
    for key, value in tried_with(mod).items():
        yield from (replace(one, place=value.place) for one in choose(whole.full.get("options"), {key: value.text})[1])


def tried_with(mod: Mapping) -> dict[str, Scalar]:
    """The options with which the examples and cases of the rulesets of a mod are tried."""
    node = mod.get("tried_with")
    found = node.items() if isinstance(node, Mapping) else ()
    return {key: value for key, value in found if isinstance(value, Scalar)}


# --- problems


def not_a_ruleset(document: Mapping) -> Problem:
    node = document.key("kind")
    return Problem(
        "not-a-ruleset", f"a {kind_of(document)} is no ruleset", node.place, "play it over a ruleset, as a mod or card"
    )


def not_playable(whole: Whole) -> Problem:
    return Problem(
        "not-playable",
        "a base leaves something open and cannot be played",
        whole.full.key("kind").place,
        "extend it in a ruleset",
    )


def extends_itself(base: Scalar) -> Problem:
    return Problem("extends-in-a-circle", f"extending {base.value!r} leads back to itself", base.place)


def extends_too_far(base: Scalar) -> Problem:
    return Problem("extends-too-far", f"more than {MAX_BASES} documents are extended, each by the next", base.place)


def cannot_extend(base: Scalar, kind: str) -> Problem:
    return Problem("cannot-extend", f"{base.value!r} is a {kind}; only a base or a ruleset can be extended", base.place)


def not_a_mod(mod: Mapping) -> Problem:
    return Problem("not-a-mod", f"{text_at(mod, 'id')} is a {kind_of(mod)}, not a mod", mod.key("kind").place)


def not_for(mod: Mapping, full: Mapping) -> Problem:
    return Problem(
        "not-for-this",
        f"the mod {text_at(mod, 'id')} is not for {text_at(full, 'id')}",
        mod.key("for").place,
        "it is for " + ", ".join(f"{item.text} alone" if alone else item.text for item, alone in targets_of(mod)),
    )


def unknown_target(item: Scalar, known: set[str]) -> Problem:
    return Problem(
        "no-such-document", f"no ruleset or base is called {item.text!r}", item.place, hint(item.text, known)
    )


def many_more(count: int, place: Place | None, severity: Severity) -> Problem:
    message = f"from here on there are {count:,} more problems"
    return Problem("many-problems", message, place, "mend the first ones and check again", severity)


def too_many_mods(item: Scalar) -> Problem:
    return Problem("too-many-mods", f"more than {MAX_MODS} mods are needed, one by the other", item.place)


def left_open(problem: Problem, extends: Scalar) -> Problem:
    """A problem that a ruleset makes at a line of its base."""
    place = problem.place
    where = f" ({place.source.name}:{place.line})" if place else ""
    return replace(problem, message=f"over {extends.text}: {problem.message}{where}", place=extends.place)


def breaks(mod: Mapping, target: Path, problem: Problem) -> Problem:
    """A problem that a mod makes at a line of the ruleset that it changes."""
    place = problem.place
    where = f"{place.source.name}:{place.line}" if place else str(target)
    return Problem(
        problem.code,
        f"with this mod: {problem.message} ({where})",
        mod.key("for").place,
        problem.hint,
        problem.severity,
    )
