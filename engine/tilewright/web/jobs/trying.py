"""Trying rules: their examples, the score of a hand, an expression in it, and games played by them.

Tallies of games are plain data between parts of a simulation, each of which continues the one before; sums stay exact:
a fraction is a text like "3/2".
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, is_dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from tilewright.authoring.coverage import coverage_of, not_covered
from tilewright.authoring.editor.symbols import tallies
from tilewright.base.problem import Problem, RulesetError
from tilewright.language.compiled.ruleset import CompiledRuleset, Example, Pattern, RulesetCase
from tilewright.language.documents.fields import kind_of
from tilewright.language.documents.library import read_document
from tilewright.language.elaborate import compiled
from tilewright.play.cases import check_play
from tilewright.play.rules import Rules
from tilewright.players.player import BOTS
from tilewright.players.simulation.run import SimulationPlan, simulate
from tilewright.players.simulation.tally import Tally
from tilewright.presentation.scores import evaluation_json, explanation_json
from tilewright.presentation.simulation import Simulated, summary_json
from tilewright.report.figures import quick_json
from tilewright.scoring.case import KEYS
from tilewright.scoring.case_hands import known_of, seat_names
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.evaluation import evaluate_in_hand
from tilewright.scoring.examples import check_case, check_example, with_options
from tilewright.scoring.rules import setting_text
from tilewright.scoring.wildness import marks_asked
from tilewright.tiles.notation import NotationError, read_tiles
from tilewright.web.jobs.rules import options_json
from tilewright.web.jobs.workshop import (
    NAME,
    Plain,
    names_of,
    placed,
    problems_json,
    refused,
    rules_at,
    rules_file,
    settings_in,
    target_of,
    text_in,
    whole_at,
    with_rules,
)
from tilewright.web.protocol.spec import MOST_GAMES

MOST_EXAMPLES = 2_000
T = TypeVar("T")
MOST_READINGS = 4  # that are explained
SECONDS_OF_EXAMPLES = 10.0
SECONDS_OF_GAMES = 2.0  # after which a part of a simulation ends, if it has a game


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


def not_played(data: CompiledRuleset) -> Problem:
    return Problem(
        "not-played", "this says how hands are scored, not how they are played", None, "it has no phase `deal`"
    )


def tally_json(tally: Tally) -> Plain:
    """A tally as plain data."""
    found: Plain = msgspec.to_builtins(tally, enc_hook=str, str_keys=True)
    return found


def read_tally(data: Plain) -> Tally:
    """The tally from the plain data of `tally_json`."""
    return dataclass_of(Tally, data)


def dataclass_of(kind: type[T], data: Plain) -> T:
    types = get_type_hints(kind)
    return kind(**{name: value_of(types[name], value) for name, value in data.items()})


def value_of(kind: Any, value: Any) -> Any:
    """A value of a field of this type."""
    if is_dataclass(kind) and isinstance(kind, type):
        return dataclass_of(kind, value)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Counter:
        return Counter(value)
    if origin is dict:
        return {inner[0](key): value_of(inner[1], one) for key, one in value.items()}
    if origin is list:
        return [value_of(inner[0], one) for one in value]
    return Fraction(value) if Fraction in inner and isinstance(value, str) else value
