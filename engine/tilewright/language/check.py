"""Checking: a document in, every problem of it out, in the order of the file.

A ruleset is elaborated, then searched for patterns that no hand can have; a mod over each ruleset that it is for. What
has errors is checked again without the entries that they are in (`sound`).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Set
from collections.abc import Mapping as Map
from collections.abc import Sequence as Several
from dataclasses import replace
from pathlib import Path

from tilewright.base.files import files_in, is_file, unsaved_at
from tilewright.base.garbage import collector_paused
from tilewright.base.node import Mapping, Scalar
from tilewright.base.problem import Place, Problem, RulesetError, Severity, Source, has_errors
from tilewright.base.spelling import hint
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.documents.bundled import bundled_ruleset, is_bundled
from tilewright.language.documents.cards import read_processed
from tilewright.language.documents.companions import COMPANIONS, document_of, sources_of, translation_problems
from tilewright.language.documents.fields import is_null, kind_of, text_at
from tilewright.language.documents.library import (
    SUFFIXES,
    candidates,
    in_place_of,
    is_document,
    is_in_part,
    kind_at,
    pack_reference,
    path_of,
    read_alone,
    read_document,
    shown,
    siblings,
    text_places,
)
from tilewright.language.documents.merge import find, names_at, not_there
from tilewright.language.documents.mods import changed_examples, listed
from tilewright.language.documents.options import choose
from tilewright.language.documents.packs import document_id
from tilewright.language.documents.publication import cases_in, check_head
from tilewright.language.documents.whole import (
    MergedRuleset,
    NamedMods,
    TargetRuleset,
    extended,
    ids_of,
    is_for,
    patched,
    targets_of,
)
from tilewright.language.elaborate import assemble, elaborate_named, in_file_order, names_and_expressions, reported
from tilewright.language.lint.run import search
from tilewright.language.load import files_of, keep_compiled, key_of
from tilewright.language.sound import MISNAMED, SoundPart

MAX_PROBLEMS = 100  # reported for one document
BLAMED = re.compile(r"(over \S+|with this mod|in [\w, ]+): ")  # how problems elsewhere begin
MOST_ROUNDS = 3  # in which a document is checked again without what is wrong
MAX_MODS = 64  # needed by one mod
MOST_NAMED = 3  # rulesets, or lines, in one message


@collector_paused()
def problems_of(path: Path) -> tuple[Problem, ...]:
    """Every problem of one document that needs no game, in the order of the file. A file that is not YAML by its name
    is read as a plain-text card."""
    *_, found = stages_of(path)
    return found


def stages_of(path: Path) -> Iterator[tuple[Problem, ...]]:
    """The problems of one document as far as they are known after each stage, at last all of them: its shape, its names
    and expressions, everything; then those of later stages in the parts that are sound. For an editor, which shows what
    there is and goes on to the next text in between."""
    found: tuple[Problem, ...] = ()
    for found in stages_as_written(path):
        yield found
    if more := errors_besides(path, found):
        yield first_of(in_file_order([*found, *more]))


def errors_besides(path: Path, problems: Several[Problem]) -> list[Problem]:
    """The errors that later stages find in a document without the entries that earlier ones found errors in."""
    more = list[Problem]()
    if is_in_part() or not has_errors(problems) or not is_document(path):
        return more
    try:
        part = SoundPart(read_alone(path))
    except RulesetError:
        return more
    for _ in range(MOST_ROUNDS):
        errors = [one for one in problems if one.severity == "error"]
        places = [one.place for one in errors if one.place and one.place.source == part.document.place.source]
        known = len(places) == len(errors) and MISNAMED.isdisjoint(one.code for one in errors)
        smaller = part.without(places) if known else None
        if not places or smaller is None or kind_of(part.document) == "card":
            return more
        part = smaller
        with in_place_of(path, part.document):
            *_, problems = stages_as_written(path)
        own = (one for one in problems if one.place and one.place.source == part.document.place.source)
        found = (one for one in own if one.severity == "error" and not BLAMED.match(one.message))
        more += (without_list(one) for one in found if not part.explains(one))
    return more


def without_list(problem: Problem) -> Problem:
    """The problem without a hint that lists all names, as some are gone."""
    lists = problem.hint is not None and problem.hint.startswith("there is")
    return replace(problem, hint=None) if lists else problem


def stages_as_written(path: Path) -> Iterator[tuple[Problem, ...]]:
    """The problems after each stage, each of which runs only if those before found no error."""
    try:
        if not is_document(path):
            yield first_of(in_file_order(read_processed(path)[1]))
            return
        document = read_document(path)
    except RulesetError as error:
        yield first_of(error.problems)
        return
    kind = kind_of(document)
    if kind in COMPANIONS:
        yield from stages_of_companion(path, document)
        return
    if kind == "card":
        stages: Iterator[Iterable[Problem]] = iter([read_processed(path)[1]])
    else:
        stages = stages_of_mod(path, document) if kind == "mod" else stages_of_ruleset(path, document)
    of_head = [*check_head(document), *translation_problems(document, text_places(document))]
    for found in stages:
        yield first_of(in_file_order([*of_head, *found]))


def stages_of_companion(path: Path, companion: Mapping) -> Iterator[tuple[Problem, ...]]:
    """The problems of a document at lines of one of its companions."""
    of = document_of(path)
    if of == path:
        yield (alone(companion),)
        return
    for found in stages_of(of):
        yield tuple(one for one in found if one.place is not None and one.place.source.name == shown(path))


def stages_of_ruleset(path: Path, document: Mapping) -> Iterator[Iterable[Problem]]:
    yield ()
    try:
        line = extended(path)
    except RulesetError as error:
        yield error.problems
        return
    try:
        whole = assemble(line)
    except RulesetError as error:
        yield blamed(list(error.problems), path, document)
        return
    own = frozenset(sources_of(document))
    named = names_and_expressions(whole)
    if not has_errors(named):
        yield reported(named, own)
    data, problems = checked(whole, own, named)
    if data is not None and not is_in_part():
        keep_compiled(key_of(str(path)), files_of(whole), data)  # its examples are tried next
    yield [*blamed(problems, path, document), *unfit_cases(path, document)]


def checked(
    whole: MergedRuleset, own: Set[Source], named: list[Problem] | None = None
) -> tuple[CompiledRuleset | None, list[Problem]]:
    """The compiled form of a merged ruleset, none for a base or after an error; and every problem of it, with warnings
    only about the sources that are checked. `named`: those of its names and expressions, if they are known."""
    data, problems = elaborate_named(whole, own, names_and_expressions(whole) if named is None else named)
    if data is not None:
        problems += reported(search(whole, own, data), own)
    return None if has_errors(problems) else data, problems


def blamed(problems: list[Problem], path: Path, document: Mapping) -> list[Problem]:
    """The problems; those at lines of a base that is valid by itself are the document's, which leaves something open or
    removes something."""
    own, extends = sources_of(document), document.get("extends")
    elsewhere = [one for one in problems if one.place is not None and one.place.source not in own]
    if not elsewhere or not isinstance(extends, Scalar):
        return problems
    base = problems_of(path_of(str(extends.value), path.parent, extends.place))
    if has_errors(base):
        return [one for one in base if one.severity == "error"]
    return [*(one for one in problems if one not in elsewhere), *left_open(elsewhere, extends, document)]


def alone(companion: Mapping) -> Problem:
    """No document is beside its texts or cases."""
    kind, id = kind_of(companion), text_at(companion, "id")
    return Problem(
        "no-document",
        f"no document is beside these {kind}",
        companion.key("id").place,
        f"put the file beside {id}.yaml, and call it {id}.{text_at(companion, 'language') or kind}.yaml",
    )


def first_of(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """The problems, or the first of them and how many more there are."""
    more = len(problems) - MAX_PROBLEMS
    if more <= 0:
        return problems
    worst = min((one.severity for one in problems[MAX_PROBLEMS:]), key=("error", "warning", "note").index)
    return (*problems[:MAX_PROBLEMS], many_more(more, problems[MAX_PROBLEMS].place, worst))


# --- mods


def stages_of_mod(path: Path, mod: Mapping) -> Iterator[Iterable[Problem]]:
    """The problems of a mod with each ruleset it is for, next to it or bundled; after its shape, those with the
    first."""
    yield ()
    if "for" not in mod.entries:
        yield [Problem("missing-key", "'for' is missing: the rulesets it is for", mod.key("kind").place)]
        return
    known = rulesets_near(path)
    problems = list(unknown_targets(path, targets_of(mod), known))
    try:
        mods = with_needed(path, mod)
    except RulesetError as error:
        yield [*problems, *error.problems]
        return
    over = {target: ids[0] for target, ids in known.items() if is_for(mod, ids)}
    problems += unfit_cases(path, mod)
    names = names_with_needed(path, mod)
    found = dict[str, list[Problem]]()
    for target, id in over.items():
        found[id] = list(problems_over(target, mods, mod, names))
        if len(found) == 1:
            yield [*problems, *found[id]]
    problems += merged_by_ruleset(found, lambda one: (one.code, one.place, "" if is_at(one, mod) else one.message))
    changed = list(changed_examples(mod))
    if (changed or "not_inherited" in mod.entries) and not any(map(has_errors, found.values())):
        wholes = [whole_without(target, mods, mod) for target in over]
        problems += [*changed_nowhere(changed, wholes), *not_there(mod, wholes)]
    yield problems


def unknown_targets(
    path: Path, targets: Iterable[TargetRuleset], known: Map[Path, tuple[str, ...]]
) -> Iterator[Problem]:
    """Rulesets that a mod, or a case, is for but that are not there, or are broken."""
    for target in targets:
        if not any(map(target.meets, known.values())):
            item = target.name
            if pack_reference(item.text) is not None:
                yield from unknown_pack(item, path)
                continue
            beside = next((one for one in candidates(item.text, path.parent, plain=False) if is_file(one)), None)
            if beside is not None and kind_at(beside) not in ("mod", "card"):
                yield broken_target(item, beside)
            else:
                yield unknown_target(item, {id for ids in known.values() for id in (ids[:1] if target.alone else ids)})


def unknown_pack(item: Scalar, path: Path) -> Iterator[Problem]:
    """Why the ruleset of a pack that a mod is for is not known."""
    try:
        target = path_of(item.text, path.parent, item.place, "ruleset")
    except RulesetError as error:
        yield from error.problems
    else:
        yield broken_target(item, target)


def unfit_cases(path: Path, document: Mapping) -> Iterator[Problem]:
    """The rulesets that cases of a document are for but that are not there, or do not have the case."""
    targets = [target for case in cases_in(document) for target in targets_of(case)]
    if not targets:
        return
    known = rulesets_near(path)
    own = text_at(document, "id")
    having = [ids for ids in known.values() if own in ids or is_for(document, ids)]
    for target in targets:
        unknown = list(unknown_targets(path, [target], known))
        yield from unknown
        if not unknown and not any(map(target.meets, having)):
            yield never_tried(target, document)


def merged_by_ruleset(found: Map[str, Several[Problem]], key: Callable[[Problem], object]) -> Iterator[Problem]:
    """The problems of several rulesets, those with the same key once; with the names of the rulesets that have it,
    unless all do."""
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
    """A ruleset merged with the other mods, for which this one is checked."""
    return patched(extended(target), [one for one in mods if one is not mod])


def inherited_by(path: Path, document: Mapping) -> list[Mapping]:
    """What a document changes: what it extends, or each ruleset that a mod is for. Raises RulesetError."""
    if kind_of(document) == "mod":
        mods = with_needed(path, document)
        return [whole_without(one, mods, document) for one, ids in rulesets_near(path).items() if is_for(document, ids)]
    extends = document.get("extends")
    return [extended(path_of(extends.text, path.parent, extends.place)).full] if isinstance(extends, Scalar) else []


def changed_nowhere(
    changed: Several[tuple[Scalar, tuple[str, ...], str]], wholes: Several[Mapping]
) -> Iterator[Problem]:
    """Examples and cases that a mod changes or removes but that none of its rulesets has."""
    for named, path, done in changed:
        if wholes and not any(find(whole, list(path))[0] for whole in wholes):
            hints = [name for whole in wholes for name in names_at(whole, list(path[:-1]))]
            message = f"no ruleset that the mod is for has {'.'.join(path)} to {done}"
            code = "nothing-to-remove" if done == "remove" else "nothing-to-change"
            yield Problem(code, message, named.place, hint(path[-1], hints))


def is_at(problem: Problem, mod: Mapping) -> bool:
    """Whether the problem is in the text of the mod itself, not in something that it breaks."""
    return problem.place is not None and problem.place != mod.key("for").place


def with_needed(path: Path, mod: Mapping) -> list[Mapping]:
    """The mod and all that it needs, transitively. Raises RulesetError."""
    found = {text_at(mod, "id"): mod}
    todo = [mod]
    while todo:
        for item in listed(todo.pop(), "needs"):
            if (id := document_id(item.text)) not in found:
                found[id] = read_document(path_of(item.text, path.parent, item.place, "mod"))
                todo.append(found[id])
                if len(found) > MAX_MODS:
                    raise RulesetError([too_many_mods(item)])
    return list(found.values())


def rulesets_near(path: Path) -> dict[Path, tuple[str, ...]]:
    """The playable rulesets next to a file and among the bundled ones, with their ids and those of all they extend.
    Documents that extend a bundled one hidden by one next to the file belong to another game."""
    found, beside = {}, {other.stem for other in files_in(path.parent, SUFFIXES)}
    for near in siblings(path.parent):
        try:
            ids = ids_near(near, path)
            if ids and (is_bundled(path) or near.parent == path.parent or beside.isdisjoint(ids)):
                found[near] = ids
        except (RulesetError, OSError):
            continue  # it has problems of its own, which a check of it reports
    return found


def ids_near(near: Path, path: Path) -> tuple[str, ...]:
    """The ids of a playable ruleset near a file and of all it extends; nothing for another document. Raises
    RulesetError."""
    if is_bundled(near) and not is_bundled(path) and unsaved_at(near) is None:
        return bundled_ruleset(near)  # to read them all would take longer than the rest of a check
    return ids_of(near) if kind_at(near) == "ruleset" else ()


def names_with_needed(path: Path, mod: Mapping) -> tuple[str, ...]:
    """The names with which a ruleset is loaded with a mod and those that it needs. Raises RulesetError."""
    needs = (str(path_of(item.text, path.parent, item.place, "mod")) for item in listed(mod, "needs"))
    return (*needs, str(path))


def problems_over(target: Path, mods: Several[Mapping], mod: Mapping, names: tuple[str, ...]) -> Iterator[Problem]:
    """The problems of a ruleset merged with a mod, all at lines of the mod."""
    own = frozenset(sources_of(mod))
    try:
        document = extended(target)
        whole = assemble(document, mods)
        data, found = checked(whole, own)
        if data is not None and len(names) == len(mods) and not is_in_part():  # its examples are tried next
            whole = replace(whole, named=NamedMods.of(document.full, names))
            keep_compiled(key_of(str(target), mods=names), files_of(whole), data)
        found += unfit_settings(mod, whole)
    except RulesetError as error:
        found = list(error.problems)
    foreign = [
        one for one in found if one.place is not None and one.place.source not in own and one.severity == "error"
    ]
    alone = {(one.code, one.place) for one in problems_of(target)} if foreign else set()
    if any((one.code, one.place) in alone for one in foreign):
        yield broken_target(mod.key("for"), target)
    yield from (one for one in found if one.place is None or one.place.source in own)
    for problem, places in once_each(one for one in foreign if (one.code, one.place) not in alone):
        yield breaks(mod, problem, places)


def unfit_settings(mod: Mapping, whole: MergedRuleset) -> Iterator[Problem]:
    """The options for trying examples that cannot be set."""
    for key, value in tried_with(mod).items():
        yield from (replace(one, place=value.place) for one in choose(whole.full.get("options"), {key: value.text})[1])


def tried_with(mod: Mapping) -> dict[str, Scalar]:
    """The options with which the examples and cases of the rulesets of a mod are tried."""
    node = mod.get("tried_with")
    found = node.items() if isinstance(node, Mapping) else ()
    return {key: value for key, value in found if isinstance(value, Scalar)}


# --- problems


def unknown_target(item: Scalar, known: set[str]) -> Problem:
    return Problem(
        "no-such-document", f"no ruleset or base is called {item.text!r}", item.place, hint(item.text, known)
    )


def broken_target(at: Scalar, file: Path) -> Problem:
    return Problem(
        "broken-ruleset",
        f"{file.stem} has mistakes of its own, so the mod was not tried with it",
        at.place,
        f"mend {file.name} first",
    )


def never_tried(target: TargetRuleset, document: Mapping) -> Problem:
    if kind_of(document) == "mod":
        message = f"the mod is not for {target}, so the case is never tried there"
        way_out = f"it is for {', '.join(map(str, targets_of(document)))}"
    else:
        own = text_at(document, "id")
        message = f"{target} neither is nor extends {own}, so the case is never tried there"
        way_out = f"without `for` it is tried for {own} and all that extend it"
    return Problem("never-tried", message, target.name.place, way_out)


def many_more(count: int, place: Place | None, severity: Severity) -> Problem:
    message = f"from here on there are {count:,} more problems"
    return Problem("many-problems", message, place, "fix these first and check again", severity)


def too_many_mods(item: Scalar) -> Problem:
    return Problem("too-many-mods", f"more than {MAX_MODS} mods need one another in a chain", item.place)


def left_open(problems: Several[Problem], extends: Scalar, document: Mapping) -> Iterator[Problem]:
    """Problems that a ruleset makes at lines of its base, where it removes what these use, or else at `extends`: the
    same at several lines is one."""
    for problem, places in once_each(problems):
        removal = removed_in(document, problem)
        yield replace(
            problem,
            message=f"over {extends.text}: {problem.message} ({named(places)})",
            place=extends.place if removal is None else removal.place,
            hint=problem.hint if removal is None else f"{removal.text} is removed here; remove what uses it, too",
        )


def once_each(problems: Iterable[Problem]) -> Iterable[tuple[Problem, Several[Place]]]:
    """Problems that differ, each with its places."""
    found: dict[Problem, list[Place]] = {}
    for problem in problems:
        if problem.place is not None:
            found.setdefault(replace(problem, place=None), []).append(problem.place)
    return found.items()


def named(places: Several[Place]) -> str:
    """Lines of files, in a message."""
    more = f" and {len(places) - MOST_NAMED} more" if len(places) > MOST_NAMED else ""
    return ", ".join(f"{one.source.name}:{one.line}" for one in places[:MOST_NAMED]) + more


def removed_in(document: Mapping, problem: Problem) -> Scalar | None:
    """What a document removes of the names in a problem."""
    named = set(re.findall(r"[\w]+", problem.message))
    removed = ((item.text.rpartition(".")[2], item) for item in listed(document, "remove"))
    return next((item for name, item in (*nulls(document), *removed) if name in named), None)


def nulls(node: Mapping) -> Iterator[tuple[str, Scalar]]:
    """The keys below a node that have no value: what it removes of a base."""
    for name, entry in node.entries.items():
        if is_null(entry.value):
            yield name, entry.key
        elif isinstance(entry.value, Mapping):
            yield from nulls(entry.value)


def breaks(mod: Mapping, problem: Problem, places: Several[Place]) -> Problem:
    """A problem that a mod makes at lines of the ruleset that it changes."""
    message = f"with this mod: {problem.message} ({named(places)})"
    return replace(problem, message=message, place=(removed_in(mod, problem) or mod.key("for")).place)
