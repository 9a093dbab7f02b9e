"""Workshop jobs: the text of a ruleset or of a mod in, plain data out: its problems, its examples, the score of a hand,
games played by it.

Runs in a process for untrusted texts, with a limit on time and memory. A text is put in a folder of its own, with the
texts of the same shelf that it names (`beside`), and may name these and bundled documents by their ids, and nothing
else. Knows no server and no person.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from tilewright.authoring.coverage.marks import not_covered
from tilewright.authoring.coverage.run import coverage_of
from tilewright.authoring.editor.completion import complete
from tilewright.authoring.editor.fixes import Fix, fixes, formatted, is_old, upgrade
from tilewright.authoring.editor.meanings import describe
from tilewright.authoring.editor.navigation import CannotRename, definition, references, rename
from tilewright.authoring.editor.outline import OutlineSection, outline
from tilewright.authoring.editor.tallies import tallies
from tilewright.authoring.editor.workspace import TextEdit, TextLocation, TextPlace, TextRange, Workspace
from tilewright.authoring.findings.checking import static_stages
from tilewright.authoring.findings.ignored import without_ignored
from tilewright.base.node import Mapping as MappingNode
from tilewright.base.node import Node, Scalar
from tilewright.base.node import Sequence as SequenceNode
from tilewright.base.problem import Problem, RulesetError, has_errors
from tilewright.language.check import first_of, rulesets_near
from tilewright.language.compiled.ruleset import CompiledRuleset, Example, Pattern, RulesetCase
from tilewright.language.documents.bundled import document_folders
from tilewright.language.documents.fields import kind_of, text_at
from tilewright.language.documents.library import kind_in, path_of, read_document
from tilewright.language.documents.whole import MergedRuleset, is_for
from tilewright.language.elaborate import compiled, open_whole
from tilewright.play.cases.check import check_play
from tilewright.play.rules import Rules
from tilewright.players.levels import BOTS
from tilewright.players.simulation.run import SimulationPlan, simulate
from tilewright.players.simulation.tally import Tally
from tilewright.presentation.explanations import evaluation_json, explanation_json
from tilewright.presentation.simulation import Simulated, summary_json
from tilewright.report.quick import quick_json
from tilewright.scoring.case import KEYS, CaseError, known_of, seat_names
from tilewright.scoring.evaluation import evaluate_in_hand
from tilewright.scoring.examples import check_case, check_example, with_options
from tilewright.scoring.rules import setting_text
from tilewright.scoring.wildness import marks_asked
from tilewright.tiles.notation import NotationError, read_tiles
from tilewright.web.jobs.offered import options_json
from tilewright.web.jobs.tallies import read_tally, tally_json
from tilewright.web.protocol.spec import MOST_GAMES, SpecDocument, folder_of_texts

Plain = dict[str, Any]

NAME = "document.yaml"
MOST_TEXT = 256_000  # characters
MOST_EXAMPLES = 2_000
MOST_READINGS = 4  # that are explained
SECONDS_OF_EXAMPLES = 10.0
SECONDS_OF_GAMES = 2.0  # after which a part of a simulation ends, if it has a game


# --- problems


def check(payload: Plain) -> Plain:
    """All problems of a text that need no game, with its head and its outline."""
    text = text_in(payload)
    found: Plain = {"kind": None, "id": "", "name": {}, "targets": []}
    with placed(text, payload) as path:
        *_, found_there = static_stages(path)
        problems = without_ignored(found_there, None)
        sections = outline(Workspace({path: text}), path)
        return {
            **found,
            **head_of(path),
            "outline": [*map(section_json, sections)],
            "beside": payload.get("beside") or [],
            "problems": [*problems_json(problems, path)],
            "good": not has_errors(problems),
            "old": is_old(Workspace({path: text}), path, problems),
        }


def shelved(payload: Plain) -> Plain:
    """The kind under which a text is kept: mod or ruleset, as it declares; a ruleset by default."""
    return {"kind": "mod" if kind_in(text_in(payload)) == "mod" else "ruleset"}


def head_of(path: Path) -> Plain:
    """The head of a document, as far as it can be read."""
    try:
        document = read_document(path)
    except RulesetError:
        return {}
    kind = kind_of(document)
    names = document.get("name")
    return {
        "kind": kind,
        "id": text_at(document, "id"),
        "name": by_language(names),
        "targets": list(targets_of(path, document)) if kind == "mod" else [],
    }


def by_language(node: Node | None) -> dict[str, str]:
    if isinstance(node, MappingNode):
        return {language: one.text for language, one in node.items() if isinstance(one, Scalar)}
    return {"en": node.text} if isinstance(node, Scalar) else {}


def targets_of(path: Path, mod: MappingNode) -> Iterator[str]:
    """The rulesets that a mod is for, bundled or beside it."""
    for target, ids in rulesets_near(path).items():
        if target != path and is_for(mod, ids):
            yield target.stem


# --- a text in a folder of its own


def text_in(payload: Mapping[str, Any]) -> str:
    """The text, cut just above the limit if it is too long."""
    return str(payload.get("text", ""))[: MOST_TEXT + 1]


@contextmanager
def placed(text: str, payload: Mapping[str, Any]) -> Iterator[Path]:
    """The text as a file of a folder, with those beside it; what is compiled meanwhile is not cached."""
    before = os.environ.get("TILEWRIGHT_CACHE")
    with folder_of_texts() as folder:
        path = folder.path / NAME
        folder.put_beside(texts_beside(payload))
        path.write_text(text, encoding="utf-8", errors="replace", newline="")
        os.environ["TILEWRIGHT_CACHE"] = str(folder.path / "cache")
        try:
            yield path
        finally:
            if before is None:
                del os.environ["TILEWRIGHT_CACHE"]
            else:
                os.environ["TILEWRIGHT_CACHE"] = before


def texts_beside(payload: Mapping[str, Any]) -> Iterator[SpecDocument]:
    """The texts of the same shelf that a text names."""
    return (SpecDocument(name=one["name"], text=one["text"]) for one in payload.get("beside") or ())


def scalars(node: Node | None) -> Iterator[Scalar]:
    """The texts of a list, or a single one."""
    if isinstance(node, Scalar):
        if node.value is not None:
            yield node
    elif isinstance(node, SequenceNode):
        yield from (item for item in node.items if isinstance(item, Scalar))


def problems_json(problems: Sequence[Problem], path: Path) -> Iterator[Plain]:
    """Problems as plain data, those of the text itself without a file. Never shows a path of this machine."""
    for one in first_of(tuple(problems)):
        place = one.place
        found: Plain = {
            "code": one.code,
            "severity": one.severity,
            "message": without_folder(one.message, path),
            "hint": without_folder(one.hint, path) if one.hint else None,
        }
        if place is not None:
            found |= {"line": place.line, "column": place.column, "length": place.length}
            if place.source.name != str(path):
                found["file"] = Path(place.source.name).stem
            else:
                found["fixes"] = [*map(fix_json, fixes([one]))]
        yield found


def fix_json(fix: Fix) -> Plain:
    """What may be done about a problem."""
    return {"kind": fix.kind, "what": fix.what, "edits": [*map(edit_json, fix.edits)]}


def without_folder(text: str, path: Path) -> str:
    for folder in (path.parent, *(folder.parent for folder in document_folders())):
        text = text.replace(f"{folder}{os.sep}", "")
    return text


# --- rules of a text


@contextmanager
def opened(payload: Plain) -> Iterator[tuple[Rules, Path]]:
    """The rules of a text; of a mod, those of a ruleset with it (`target`, or the first that it is for). Raises
    RulesetError with the problems of the text."""
    with placed(text_in(payload), payload) as path:
        yield rules_at(path, payload, settings_in(payload)), path


def rules_at(path: Path, payload: Plain, settings: Mapping[str, str]) -> Rules:
    """The rules with options. Raises RulesetError."""
    return Rules(compiled(whole_at(path, payload, settings)))


def whole_at(path: Path, payload: Plain, settings: Mapping[str, str]) -> MergedRuleset:
    """The text with all that it extends, or a ruleset with it. Raises RulesetError."""
    document = read_document(path)
    if kind_of(document) != "mod":
        return open_whole(str(path), settings)
    target = target_of(path, payload)
    if target is None:
        raise RulesetError([nothing_to_change(document)])
    return open_whole(str(rules_file(path, target)), settings, [*needed(document, path), str(path)])


def target_of(path: Path, payload: Plain) -> str | None:
    """The ruleset that a mod is looked at with: the one that is wanted if the mod is for it; None if it is for none."""
    targets = list(targets_of(path, read_document(path)))
    wanted = str(payload.get("target") or "")
    return wanted if wanted in targets else next(iter(targets), None)


def rules_file(path: Path, target: str | None) -> Path:
    """The file of a ruleset: one beside the text, or a bundled one."""
    beside = path.with_name(f"{target}.yaml")
    return beside if beside.is_file() else path_of(target or "")


def needed(mod: MappingNode, path: Path) -> list[str]:
    """The files of the mods that a mod requires. Raises RulesetError."""
    return [str(path_of(one.text, path.parent, one.place, "mod")) for one in scalars(mod.get("needs"))]


def nothing_to_change(mod: MappingNode) -> Problem:
    return Problem("no-target", "no bundled ruleset is one that this mod is for", mod.place, "say which under `for`")


def settings_in(payload: Plain) -> dict[str, str]:
    """The chosen options, as typed."""
    chosen = payload.get("options")
    return {str(id): setting_text(value) for id, value in chosen.items()} if isinstance(chosen, dict) else {}


def refused(error: RulesetError, path: Path | None = None) -> Plain:
    return {"problems": [*problems_json(error.problems, path or Path(NAME))]}


def with_rules(work: Callable[[Rules, Path, Plain], Plain]) -> Callable[[Plain], Plain]:
    """A job that needs rules; if the text gives none, its problems are the result."""

    def done(payload: Plain) -> Plain:
        at = Path(NAME)
        try:
            with opened(payload) as (rules, at):
                return work(rules, at, payload)
        except RulesetError as error:
            found = {one.place.source.name for one in error.problems if one.place is not None}
            own = next((Path(name) for name in found if Path(name).name == NAME), at)
            return refused(error, own)

    return done


# --- examples


@with_rules
def examples(rules: Rules, path: Path, payload: Plain) -> Plain:
    """Every example and case of the text with its outcome; and the fields of a hand."""
    until = monotonic() + SECONDS_OF_EXAMPLES
    tried = list[Plain]()
    left = 0
    for one in trials(rules, path, payload):
        if monotonic() > until or len(tried) >= MOST_EXAMPLES:
            left += 1
            continue
        tried.append(one())
    options = options_json(whole_at(path, payload, settings_in(payload)).full)
    names = {key: names for key, names in names_of(rules.data).items() if key != "names"}
    held = {one["place"]: one["good"] for one in tried}
    return {
        "examples": [{key: value for key, value in one.items() if key != "place"} for one in tried],
        "tallies": [asdict(one) for one in tallies(read_document(path), held)],
        "left": left,
        "asks": asked_of_hands(rules),
        "options": options,
        **names,
    }


@with_rules
def coverage(rules: Rules, path: Path, payload: Plain) -> Plain:
    """How much of the text its examples and cases reach, of 100, and notes on what they do not. A mod is covered over
    its target alone."""
    is_mod = kind_of(read_document(path)) == "mod"
    over = rules_file(path, target_of(path, payload)) if is_mod else None
    found = coverage_of(path, over=over)
    own = replace(found, parts=tuple(part for part in found.parts if part.place.source.name == str(path)))
    return {"percent": own.percent, "notes": [*problems_json([*map(not_covered, own.missing)], path)]}


def trials(rules: Rules, path: Path, payload: Plain) -> Iterator[Callable[[], Plain]]:
    """The examples and cases of the text, tried one by one."""
    own = str(path)
    for pattern in rules.data.patterns:
        for example in pattern.examples:
            if example.place is None or example.place.source.name == own:
                yield partial(try_example, rules, pattern, example, path)
    for entry in rules.data.cases:
        if entry.place is None or entry.place.source.name == own:
            yield partial(try_case, rules, entry, path, payload)


def try_example(rules: Rules, pattern: Pattern, example: Example, path: Path) -> Plain:
    """An example of a pattern, scored."""
    problems = list(check_example(rules, pattern, example))
    found = {
        "kind": "example",
        "of": pattern.id,
        "name": dict(pattern.name),
        "yes": example.yes,
        "place": example.place,
        "line": example.place.line if example.place else None,
        "case": plain_case(example.case),
    }
    return found | outcome(problems, path) | score_of(rules, example.case)


def try_case(rules: Rules, entry: RulesetCase, path: Path, payload: Plain) -> Plain:
    """A case of the ruleset: a hand that is scored, or a play."""
    plays = "play" in entry.case

    def reopen(options: Mapping[str, Any]) -> Rules:
        chosen = {str(id): setting_text(value) for id, value in options.items()}
        return rules_at(path, payload, settings_in(payload) | chosen)

    found = {
        "kind": "play" if plays else "case",
        "of": entry.id,
        "name": {},
        "yes": True,
        "place": entry.place,
        "line": entry.place.line if entry.place else None,
        "case": {} if plays else plain_case(entry.case),
    }
    try:
        there, case = with_options(rules, entry.case, reopen)
        there = Rules(there.data)
    except RulesetError as error:
        return found | outcome(error.problems, path)
    if plays:
        return found | outcome(list(check_play(there, entry.case, entry.expect, entry.place, entry.moves)), path)
    return found | outcome(list(check_case(there, case, entry.expect, entry.place)), path) | score_of(there, case)


def outcome(problems: Sequence[Problem], path: Path) -> Plain:
    return {"good": not problems, "problems": [*problems_json(problems, path)]}


def score_of(rules: Rules, case: Mapping[str, Any]) -> Plain:
    """The score of a hand, in short."""
    try:
        score = rules.score_case(case).as_json()
    except CaseError:
        return {}
    return {
        "score": {key: score[key] for key in ("win", "total", "unit")}
        | {"patterns": [one["id"] for one in score["patterns"]]}
    }


def plain_case(case: Mapping[str, Any]) -> Plain:
    """The fields of a case, for a form: texts, truths and lists of texts."""
    found = {key: shown(case[key]) for key in KEYS if key in case}
    return found | ({"win_tile": shown(case["win"])} if "win" in case else {})


def shown(value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, list | tuple):
        return [shown(one) for one in value]
    if isinstance(value, Mapping):
        return {str(key): shown(one) for key, one in value.items()}
    return str(value)


def asked_of_hands(rules: Rules) -> Plain:
    """The fields of a hand other than its tiles."""
    data, known = rules.data, known_of(rules.data)
    asked = dict.fromkeys([*marks_asked(data), *(rules.program.asked.marks if data.play is not None else ())])
    marks = [data.marks[name] for name in asked if data.marks[name].type != "truth"]
    winds = [data.tiles.tiles[face].code for face in data.seats.winds]
    return {
        "seats": list(seat_names(data)[: data.seats.count]),
        "winds": winds,
        "flags": sorted(known.flags),
        "marks": [{"id": mark.id, "name": dict(mark.name)} for mark in marks],
        "kinds": sorted(known.kinds),
        "unit": data.scoring.best,
        "playable": data.play is not None,
    }


# --- one hand


@with_rules
def score(rules: Rules, path: Path, payload: Plain) -> Plain:
    """The score of a hand under the text, every reading of it, and its tiles."""
    asked = asked_case(payload)
    try:
        result = rules.score_case(asked)
        explained = explanation_json(rules.explain(asked))
    except CaseError as error:
        return {"problems": [*problems_json([replace(error.problem, place=None)], path)]}
    return {
        "score": result.as_json(),
        "reasons": dict(result.reasons),
        "readings": explained["readings"][:MOST_READINGS],
        **names_of(rules.data),
        "inner": [one.id for one in rules.data.scoring.measures if one.inner],
        "tiles": tiles_in(asked, rules.data),
    }


def evaluate(payload: Plain) -> Plain:
    """An expression in each reading of a hand under the text, each part with its value."""
    at = Path(NAME)
    try:
        with placed(text_in(payload), payload) as at:
            whole = whole_at(at, payload, settings_in(payload))
            found = evaluate_in_hand(
                Rules(compiled(whole)), whole, str(payload.get("expression", "")), asked_case(payload)
            )
            return {"readings": evaluation_json(found)}
    except RulesetError as error:
        return refused(error, at)
    except CaseError as error:
        return {"problems": [*problems_json([replace(error.problem, place=None)], at)]}


def asked_case(payload: Plain) -> Plain:
    """The case of a request, with the keys that cases have."""
    case = payload.get("case")
    return {key: value for key, value in case.items() if key in KEYS} if isinstance(case, dict) else {}


def tiles_in(case: Plain, data: CompiledRuleset) -> Plain:
    """The tiles of a hand as codes, to be drawn."""
    melds = case.get("melds")
    texts = [one.get("tiles") if isinstance(one, dict) else one for one in melds] if isinstance(melds, list) else []
    return {
        "hand": codes(case.get("hand"), data),
        "melds": [codes(one, data) for one in texts],
        "win": codes(case.get("win_tile") or case.get("win"), data),
        "bonus": codes(case.get("bonus"), data),
    }


def codes(text: Any, data: CompiledRuleset) -> list[str]:
    try:
        return [data.tiles.tiles[face].code for face in read_tiles(text or "", data.tiles)]
    except (NotationError, TypeError):
        return []


# --- many games


@with_rules
def games(rules: Rules, path: Path, payload: Plain) -> Plain:
    """Games `first` and those after it, as many as there is time for, at least one; the tally continues `so_far`, from
    the result of the part before."""
    if rules.data.play is None:
        return {"problems": [*problems_json([not_played(rules.data)], path)]}
    plan = plan_in(payload)
    tally = read_tally(payload["so_far"]) if payload.get("so_far") else Tally()
    until, before = monotonic() + SECONDS_OF_GAMES, tally.games
    for batch in simulate(rules, plan, stops=lambda: tally.games > before and monotonic() > until):
        tally.merge(batch.tally)
    over = Simulated(rules.data, replace(plan, games=tally.games, first=0), tally)
    return {
        "done": tally.games - before,
        "so_far": tally_json(tally),
        "summary": summary_json(over) | names_of(rules.data) | {"report": quick_json(rules.data, tally)},
    }


def plan_in(payload: Plain) -> SimulationPlan:
    """What is to be played."""
    wanted = [str(name) for name in payload.get("players") or () if str(name) in BOTS]
    first = max(0, int(payload.get("first", 0)))
    count = max(1, min(int(payload.get("games", 1)), MOST_GAMES))
    players = tuple(wanted[:1] or ["fast"])
    return SimulationPlan(count, int(payload.get("seed", 1)), first, players, compiles=False)


def names_of(data: CompiledRuleset) -> Plain:
    """The names of patterns and measures."""
    return {
        "names": {pattern.id: dict(pattern.name) for pattern in data.patterns},
        "measures": {one.id: dict(one.name) or {"en": one.id} for one in data.scoring.measures},
        "units": {one.id: dict(one.unit) for one in data.scoring.measures if one.unit},
    }


def not_played(data: CompiledRuleset) -> Problem:
    return Problem(
        "not-played", "this says how hands are scored, not how they are played", None, "it has no phase `deal`"
    )


# --- editing


@contextmanager
def edited(payload: Plain) -> Iterator[tuple[Workspace, Path]]:
    """A workspace with the text alone, in a folder with those beside it."""
    with folder_of_texts() as folder:
        path = folder.path / NAME
        folder.put_beside(texts_beside(payload))
        yield Workspace({path: text_in(payload)}), path


def offers(payload: Plain) -> Plain:
    """What can be written at a line and a column: the columns of the word there and the suggestions."""
    with edited(payload) as (workspace, path):
        found = complete(workspace, path, place_in(payload))
        return columns_json(found.range) | {"offers": [asdict(one) for one in found.offers]}


def meaning(payload: Plain) -> Plain:
    """The meaning of the text at a line and a column."""
    with edited(payload) as (workspace, path):
        found = describe(workspace, path, place_in(payload))
        return columns_json(found.range) | {"found": [asdict(found.found)] if found.found else []}


def declared(payload: Plain) -> Plain:
    """Where the name at a line and a column is declared, here, beside it or in a bundled document."""
    with edited(payload) as (workspace, path):
        found = definition(workspace, path, place_in(payload))
        return {"places": [location_json(one, path) for one in found]}


def used(payload: Plain) -> Plain:
    """Every place in the text of the name at a line and a column."""
    with edited(payload) as (workspace, path):
        found = references(workspace, path, place_in(payload))
        return {"places": [location_json(one, path) for one in found if one.path == path]}


def renamed(payload: Plain) -> Plain:
    """The edits that give the name at a line and a column another; or why it cannot be changed."""
    with edited(payload) as (workspace, path):
        try:
            found = rename(workspace, path, place_in(payload), str(payload.get("name", "")))
        except CannotRename as error:
            return {"edits": [], "reason": str(error)}
        elsewhere = next((one.path.stem for one in found if one.path != path), None)
        if elsewhere is not None:
            return {"edits": [], "reason": f"it is also a name in {elsewhere}, another text of the shelf"}
        return {"edits": [*map(edit_json, found)], "reason": None}


def laid_out(payload: Plain) -> Plain:
    """The edits that format the text; its problems, if it is no document."""
    with edited(payload) as (workspace, path):
        try:
            return {"edits": [*map(edit_json, formatted(workspace, path))], "problems": []}
        except RulesetError as error:
            return {"edits": [], **refused(error, path)}


def upgraded(payload: Plain) -> Plain:
    """The edits that upgrade the text to the newest edition of the language, and what a person has to change."""
    with edited(payload) as (workspace, path):
        try:
            edits, left = upgrade(workspace, path)
        except RulesetError as error:
            return {"edits": [], **refused(error, path)}
        return {"edits": [*map(edit_json, edits)], "problems": [*problems_json(left, path)]}


def place_in(payload: Plain) -> TextPlace:
    return TextPlace(int(payload.get("line", 1)), int(payload.get("column", 1)))


def columns_json(range: TextRange) -> Plain:
    return {"start": range.start.column, "end": range.end.column}


def edit_json(edit: TextEdit) -> Plain:
    """An edit of the text: from a line and a column to another, exclusive."""
    return range_json(edit.range) | {"text": edit.text}


def range_json(range: TextRange) -> Plain:
    start, end = range.start, range.end
    return {"line": start.line, "column": start.column, "end_line": end.line, "end_column": end.column}


def location_json(location: TextLocation, path: Path) -> Plain:
    """A place in the text, or in another document, which is named."""
    file = {} if location.path == path else {"file": location.path.stem}
    return range_json(location.range) | file


def section_json(section: OutlineSection) -> Plain:
    """A section of the outline."""
    entries = [{"id": one.id, "line": one.range.start.line, "in": one.within} for one in section.entries]
    return {"section": section.id, "line": section.range.start.line, "entries": entries}
