"""Targets: what is fuzzed. Each takes one input and returns, whatever the input is; anything else is a finding.

Good inputs to begin with (`seeds`) come from the bundled files; `corpus/NAME` has what was found.
"""

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch
from zlib import crc32

from fuzz.application import Application
from fuzz.mutations import Samples, crossed, mutated
from play_worlds import answer_by_lot
from ruamel.yaml import YAML

from tilewright.authoring.case_files import case_of
from tilewright.authoring.open_rules import RulesChoice
from tilewright.base.problem import Problem, RulesetError, Source
from tilewright.cards.document import read_card as parsed_card
from tilewright.cards.document import write_yaml
from tilewright.cli.case_lines import ScoreTexts, case_on, json_of, text_of
from tilewright.cli.check_files import CheckResult, check_file
from tilewright.language.documents.companions import whole_text
from tilewright.language.documents.library import bundled_documents
from tilewright.play.log import LogError, lines, read_log
from tilewright.play.resume import resume, verify
from tilewright.play.rules import Rules, load
from tilewright.play.view import View
from tilewright.presentation.problems import FORMATS, render
from tilewright.scoring.case_mistakes import CaseError
from tilewright.web.protocol.messages import Heading, heading_of, message_of
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.replies import error_of
from tilewright.web.protocol.shape import json_text
from tilewright.web.protocol.spec import CACHE

ROOT = Path(__file__).parents[2]
CORPUS = Path(__file__).parent / "corpus"
PLAYED = 40  # answers, at a table of a document without errors
SCORED = ("cantonese", "riichi", "uzje", "american")
Plain = dict[str, Any]


@dataclass(frozen=True)
class Target:
    """`run` takes an input; `good` gives good ones, of which `make test` tries so many (`tried`); `seconds`: of
    processor time, the most that one may take here."""

    name: str
    run: Callable[[bytes], None]
    good: Callable[[], Iterator[str]]
    seconds: float = 10.0
    tried: int = 3

    @property
    def corpus(self) -> list[Path]:
        """The files of the corpus."""
        return sorted(path for path in (CORPUS / self.name).glob("*") if path.is_file())

    @cached_property
    def seeds(self) -> tuple[str, ...]:
        return tuple(self.good())

    @cached_property
    def samples(self) -> Samples:
        return Samples.of(self.seeds)

    def mutated(self, data: bytes, chance: Random) -> bytes:
        """An input made of this one."""
        return encoded(mutated(data.decode("utf-8", "replace"), chance, self.samples))

    def crossed(self, data: bytes, other: bytes, chance: Random) -> bytes:
        return encoded(crossed(data.decode("utf-8", "replace"), other.decode("utf-8", "replace"), chance))


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@cache
def folder() -> Path:
    """Where inputs are written; caches of rulesets, too."""
    made = tempfile.TemporaryDirectory(prefix="tilewright-fuzz-")
    KEPT.append(made)
    return Path(made.name)


KEPT: list[tempfile.TemporaryDirectory[str]] = []  # removed at the end


# --- documents


def run_document(data: bytes) -> None:
    """A document is checked, and played if nothing is wrong with it."""
    path = folder() / "documents" / "document.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    found = checked(path)
    if found.kind == "ruleset" and not any(problem.severity == "error" for problem in found.problems):
        with uncached():
            played_a_little(load(str(path)))


def checked(path: Path) -> CheckResult:
    """The result of `tilewright check`, whose problems can be shown in every format."""
    with uncached():
        found = check_file(str(path), RulesChoice())
    assert all(isinstance(one, Problem) and one.message for one in (*found.problems, *found.notes))
    for format in FORMATS:
        render(found.problems, format, [found.name])
    return found


@contextmanager
def uncached() -> Iterator[None]:
    """Inside, compiled rulesets are kept nowhere: each input has another one."""
    with patch.dict(os.environ, {CACHE: os.devnull}):
        yield


def played_a_little(rules: Rules) -> None:
    """A table of the rules: random legal answers, what everybody sees, and the log of it."""
    lots, game = Random(1), rules.game(1, hands=1)
    for _ in range(PLAYED):
        if game.over:
            break
        seat = lots.choice(game.asked)
        for viewer in (seat, None):
            json.dumps(View(game, viewer).to_json())
        if not (moves := game.legal_moves(seat)):
            break
        game.answer(lots.choice(moves))
    log = read_log("log", "".join(f"{line}\n" for line in lines(game)))
    assert verify(log, rules) is None


def small_documents() -> Iterator[str]:
    """Documents that are checked in a moment, as JSON, which a mutation need not read as YAML."""
    yield from (as_json(path) for path in (*sorted((ROOT / "tests/data").glob("*.yaml")), *small_rulesets()))
    yield from (path.read_text(encoding="utf-8") for path in small_rulesets())


def small_rulesets() -> list[Path]:
    names = ("tests/sixth_game.yaml", "tests/drafts/standard.yaml", "tests/drafts/cantonese.yaml", *TABLES)
    return [ROOT / name for name in names]


TABLES = ("rulesets/bases/standard.yaml", "rulesets/cantonese/cantonese.yaml", "tests/drafts/sichuan.yaml")


def as_json(path: Path) -> str:
    return json.dumps(YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8")), default=str)


def whole_documents() -> Iterator[str]:
    """The bundled documents and the drafts."""
    for path in (*bundled_documents(), *sorted((ROOT / "tests/drafts").glob("*.yaml"))):
        yield whole_text(path)


def run_whole_document(data: bytes) -> None:
    """A document is checked, with its examples."""
    path = folder() / "whole" / "document.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    checked(path)


# --- mods


def run_mod(data: bytes) -> None:
    """A mod is checked, with the rulesets that it is for: a small one lies beside it."""
    path = folder() / "mods" / "mod.yaml"
    if not path.parent.exists():
        path.parent.mkdir()
        ruleset = json.loads(as_json(ROOT / "tests/sixth_game.yaml")) | {"id": "small"}
        (path.parent / "small.yaml").write_text(json.dumps(ruleset), encoding="utf-8")
    path.write_bytes(data)
    found = checked(path)
    if found.kind == "mod" and not any(problem.severity == "error" for problem in found.problems):
        with uncached(), suppress(RulesetError):
            played_a_little(load(str(path.parent / "small.yaml"), {}, [str(path)]))


def mods() -> Iterator[str]:
    """The bundled mods, and sections of the small ruleset as mods of it."""
    head = {"tilewright": 1, "kind": "mod", "id": "mod", "name": "Mod", "for": ["small"]}
    small = json.loads(as_json(ROOT / "tests/sixth_game.yaml"))
    for section, said in small.items():
        if isinstance(said, dict):
            yield json.dumps({**head, "change": {section: said}})
            yield json.dumps({**head, "options": {"on": {"default": True, "name": "On"}}, "change": {section: said}})
    for path in sorted((ROOT / "rulesets/mods").glob("*.yaml")):
        if re.search(r"^kind: mod", text := path.read_text(encoding="utf-8"), re.MULTILINE):
            yield json.dumps(json.loads(as_json(path)) | {"for": ["small"], "id": "mod"})
            yield re.sub(r"^for: .*$", "for: [small]", text, flags=re.MULTILINE)


# --- cards


def run_card(data: bytes) -> None:
    """A card as YAML and as plain text: checked, drawn, and written again."""
    for name in ("card.yaml", "card.txt"):
        path = folder() / name
        path.write_bytes(data)
        checked(path)
        with suppress(RulesetError, UnicodeDecodeError):
            card, _ = parsed_card(Source(name, data.decode("utf-8")))
            write_yaml(card)


def cards() -> Iterator[str]:
    paths = (*sorted((ROOT / "cards").glob("*.yaml")), ROOT / "tests/data/cards/basic1.txt")
    for path in paths:
        text = path.read_text(encoding="utf-8")
        yield text
        yield "\n".join(text.splitlines()[:12])
        if path.suffix == ".yaml":
            yield as_json(path)
    yield "Mine\n\n“Pairs”\nFF 11 22 33 44 55 66 Va C50\n"


# --- cases


def run_case(data: bytes) -> None:
    """A line of a case file, scored with some rules, and in a file of cases."""
    path = folder() / f"{SCORED[0]}.jsonl"
    path.write_bytes(data)
    checked(path)
    for line in data.splitlines()[:3]:
        with suppress(CaseError):
            case = case_of(line.decode("utf-8", "replace"))
            scored(load(SCORED[crc32(line) % len(SCORED)]), case)


def scored(rules: Rules, case: Plain) -> None:
    """A case, asked for in every way."""
    for question in (rules.score_case, rules.explain):
        with suppress(CaseError):
            str(question(case))
    with suppress(CaseError):
        if isinstance(hand := case.get("hand"), str):
            rules.waits(hand)


def cases() -> Iterator[str]:
    for path in sorted((ROOT / "examples/hands").glob("*.jsonl")):
        yield from (f"{line}\n" for line in path.read_text(encoding="utf-8").splitlines()[:12])


def run_lines(data: bytes) -> None:
    """Lines of JSON read the fast way give what the slow way gives, and results are written as `json` writes them."""
    texts, rules = ScoreTexts(), load(SCORED[0])
    for line in data.split(b"\n")[:5]:
        fast, slow = (read_line(read, line) for read in (case_on, lambda line: case_of(text_of(line))))
        assert fast == slow or str(fast) == str(slow), (fast, slow)
        if isinstance(fast, dict):
            assert json.loads(json_of(fast)) == json.loads(json.dumps(fast))
            with suppress(CaseError):
                score = rules.score_case(fast)
                assert texts.text_of(score) == json_of(score.as_json())


def read_line(read: Callable[[bytes], Plain], line: bytes) -> Plain | str:
    try:
        return read(line)
    except CaseError as error:
        return str(error)


# --- logs


def run_log(data: bytes) -> None:
    """A log is read, verified and resumed with the rules that it names."""
    with suppress(UnicodeDecodeError, LogError):
        log = read_log("log", data.decode("utf-8"))
        rules = logged().get(log.header.digest) or next(iter(logged().values()))
        with suppress(LogError):
            verify(log, rules)
        game = resume(log, rules)
        list(lines(game, log.header.players))


@cache
def logged() -> dict[str, Rules]:
    return {rules.data.digest: rules for rules in map(load, ("cantonese", "riichi", "sichuan"))}


def logs() -> Iterator[str]:
    """Logs of the first answers of games, and of a hand."""
    for rules in logged().values():
        for seed, answers in enumerate((3, 12, 40)):
            lots, game = Random(seed), rules.game(seed, hands=1)
            while not game.over and game.answers < answers:
                game.answer(answer_by_lot(game, lots.choice(game.asked), lots))
            yield "".join(f"{line}\n" for line in lines(game))


# --- messages and requests


def run_messages(data: bytes) -> None:
    """Each line is a message of a page: read or refused. Those that can be read go to a server, on one socket."""
    good = []
    for line in data.split(b"\n")[:12]:
        heading = Heading()
        try:
            heading = heading_of(line)
            message_of(heading, line)
            good.append(line.decode("utf-8", "replace"))
        except Refused as refused:
            json_text(error_of(refused, heading.id_given, heading.table_given))
    if good:
        application().talk(good)


def messages() -> Iterator[str]:
    """The messages of the protocol's page, alone, and as a talk."""
    text = (ROOT / "docs/web-protocol.md").read_text(encoding="utf-8")
    shown = [json.loads(block) for block in re.findall(r"```json page\n(.*?)\n```", text, re.DOTALL)]
    yield from map(json.dumps, shown)
    make = next(one for one in shown if one["say"] == "make")
    alone = make | {"setup": {**QUICK, "seats": [{"kind": "person"}, *[BOT] * 3]}}
    for ruleset in ("cantonese", "riichi", "sichuan"):
        talk = [alone | {"spec": {"ruleset": {"id": ruleset}, "hands": 1, "seed": 1}}]
        talk += [one | {"table": "TABLE"} for one in shown if "table" in one]
        yield "\n".join(map(json.dumps, talk))


BOT = {"kind": "bot", "bot": "random"}
QUICK = {"claim_seconds": 0, "bot_seconds": 0, "help": True, "spectators": True}


def run_request(data: bytes) -> None:
    """A request to a server, as JSON: method, path, query, headers and body."""
    with suppress(ValueError, RecursionError):
        found = json.loads(data)
        if isinstance(found, dict):
            application().request(found)


@cache
def application() -> Application:
    return Application(folder())


def asked_of_pages() -> list[tuple[str, str, Any]]:
    """Requests with bodies of the classes that they are read as: method, path, body."""
    case = json.loads(next(cases()))
    card, mod = next(cards()), next(mods())
    spec = {"ruleset": {"id": "cantonese"}, "mods": [{"id": "seven_pairs"}], "options": {"flowers": False}}
    own = {"ruleset": {"name": "mine", "text": "tilewright: 1\nkind: ruleset\nid: mine\nname: M\nextends: cantonese\n"}}
    text = own["ruleset"]["text"]
    return [
        ("PUT", "/api/me", {"name": "Ann", "settings": {"lang": "zh"}}),
        ("POST", "/api/about", {"spec": spec}),
        ("POST", "/api/about", {"spec": own}),
        ("POST", "/api/rulebook", {"spec": spec, "lang": "zh"}),
        ("POST", "/api/cards", {"text": card, "name": "Mine"}),
        ("PUT", "/api/cards/1", {"text": card, "name": "Mine", "expected": 1.5}),
        ("POST", "/api/documents", {"text": text, "name": "Mine"}),
        ("POST", "/api/documents", {"fork": "cantonese"}),
        ("POST", "/api/documents", {"template": "mod", "ruleset": "cantonese", "name": "M"}),
        ("PUT", "/api/documents/1", {"text": mod, "expected": 1.5}),
        ("POST", "/api/cards/draw", {"text": card, "process": True, "paper": "a4"}),
        ("POST", "/api/cards/process", {"lines": ["FF 11 22 33 44 55 66 Va C50", "222 0000 222 5555 Va X25"]}),
        ("POST", "/api/cards/hands", {"line": "FF 11 22 33 44 55 66 Va C50"}),
        ("POST", "/api/cards/import", {"text": card, "name": "c.txt"}),
        ("POST", "/api/cards/export", {"text": card, "format": "code", "paper": "a4"}),
        ("POST", "/api/workshop/check", {"text": text}),
        ("POST", "/api/workshop/complete", {"text": text, "line": 3, "column": 4}),
        ("POST", "/api/workshop/describe", {"text": text, "line": 5, "column": 3}),
        ("POST", "/api/workshop/examples", {"text": text, "target": "cantonese", "options": {}}),
        ("POST", "/api/workshop/score", {"text": text, "target": "cantonese", "options": {}, "case": case}),
        ("POST", "/api/workshop/simulate", {"text": text, "players": ["random"] * 4, "games": 1, "seed": 1}),
    ]


def requests() -> Iterator[str]:
    """A request to every route."""
    for method, path, body in asked_of_pages():
        yield json.dumps({"method": method, "path": path, "body": body}, ensure_ascii=False)
    for path in application().paths():
        yield json.dumps({"method": "GET", "path": path, "query": "", "headers": {}})
    log = next(logs())
    yield json.dumps({"method": "POST", "path": "/api/replays/read", "body": log})


# --- all of them

TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        Target("documents", run_document, small_documents),
        Target("whole_documents", run_whole_document, whole_documents, 20.0, tried=1),
        Target("mods", run_mod, mods),
        Target("cards", run_card, cards),
        Target("cases", run_case, cases),
        Target("json_lines", run_lines, cases),
        Target("logs", run_log, logs),
        Target("messages", run_messages, messages),
        Target("requests", run_request, requests),
    )
}


def seeds_of(target: Target, most: int | None = None) -> Iterator[bytes]:
    """The good inputs of a target, and its corpus."""
    yield from islice(map(encoded, target.seeds), most)
    yield from (path.read_bytes() for path in target.corpus)
