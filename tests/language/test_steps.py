"""A step of play is declared once: a made-up one is known to the schema, the reader, the lint, the table, the log, the
rulebook and the reference by its declaration alone."""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, cast

import pytest
from rich.text import Text

import tilewright
from tilewright import RulesetError
from tilewright.authoring.reference import render_reference
from tilewright.authoring.words import entries
from tilewright.language.check import problems_of
from tilewright.language.compiled.ir import Const, Ir, Lookup
from tilewright.language.compiled.play import H, Operation, VerbCompiler
from tilewright.language.documents import schema, shape
from tilewright.language.documents.bundled import data_folder
from tilewright.language.documents.schema import GENERATED, verbs
from tilewright.language.vocabulary.declare_steps import STEPS, DeclaredVerb, Sentence, StepDeclaration, step
from tilewright.language.vocabulary.step_fields import NumberField, SeatsField, ShownField, ZoneField
from tilewright.language.write_schema import generate
from tilewright.play.view import View
from tilewright.presentation.catalogue import LANGUAGES, messages
from tilewright.presentation.events import EventTeller
from tilewright.presentation.line import LineWriter
from tilewright.presentation.names import RulesetNames
from tilewright.rulebook.book import rulebook_of
from tilewright.rulebook.pages import markdown

PACKAGE = Path(tilewright.__file__).parent
GAME = """\
tilewright: 1
kind: ruleset
id: flaunting
name: Flaunting
extends: standard
zones: {shelf: {of: seat, seen_by: everyone, name: shelf}}
marks: {proud: {of: seat}}
phases:
  deal:
    do:
      - {id: build, shuffle: wall}
      - {id: hands, for: seats, move: {count: 13, from: wall, to: hand}}
      - {id: proudly, FLAUNT}
triggers:
  pride: {after: [flaunt], do: [{mark: {proud: true}}, {reveal: shelf}]}
offers:
  win: {when: not proud}
scoring: {measures: {points: {}}, best: points}
patterns:
  all_pungs: {name: All pungs, worth: 1, when: {has: [4 triplets]}}
"""


class Flaunt(DeclaredVerb):
    """Tiles are shown to some, so many times, and go to a zone."""

    tiles: Annotated[Ir, ShownField("What is flaunted.")]
    to: Annotated[Ir | None, ZoneField("Where it goes then.", goes_in=True)] = None
    before: Annotated[Ir | None, SeatsField("Who sees it.")] = None
    count: Annotated[Ir, NumberField("How often.")] = Const("number", 1)

    def times(self) -> Ir | None:
        return self.count

    def operation(self, compiler: VerbCompiler[H]) -> Operation[H]:
        tiles, to = compiler.tiles(self.tiles), None if self.to is None else compiler.zones(self.to)
        seats = None if self.before is None else compiler.members(self.before)

        def operate(at: H) -> None:
            shown = tiles(at)
            at.show(shown, None if seats is None else seats(at))
            if to is not None and shown:
                at.carry(shown, to(at)[0])

        return operate


SENTENCES = [  # of the catalogue, in each language
    (
        "verbs.flaunt.before",
        "{actor} flaunts {tiles} before {before}",
        "{actor}向{before}炫耀{tiles}",
        "{actor}は{before}に{tiles}を見せびらかす",
    ),
    ("verbs.flaunt.says", "{actor} flaunts {tiles}", "{actor}炫耀{tiles}", "{actor}は{tiles}を見せびらかす"),
    ("verbs.flaunt.noun", "flaunting", "炫耀", "見せびらかし"),
]


DECLARED = list[StepDeclaration]()  # once in a process: a worker may begin these tests several times


@pytest.fixture(scope="module", autouse=True)
def flaunt(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The step is declared, and the schema written again, as long as these tests run."""
    if DECLARED:
        STEPS["flaunt"] = DECLARED.pop()
    else:
        step("flaunt", Sentence("before"), Sentence("says"), short="tiles")(Flaunt)
    folder = tmp_path_factory.mktemp("schemas")
    (folder / GENERATED).write_text(generate(data_folder("schemas")), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "data_folder", lambda name: folder)
        for id, *texts in SENTENCES:
            for language, text in zip(LANGUAGES, texts, strict=True):
                patch.setitem(cast(dict[str, str], messages(language, "verbs")), id, text)
        forget_schema()
        yield
    DECLARED.append(STEPS.pop("flaunt"))
    forget_schema()


def forget_schema() -> None:
    for function in (schema.schema, schema.referred, schema.document_schema, shape.validator, shape.problems_of_shape):
        function.cache_clear()
    schema.RESOLVED.clear()


def game(step: str, folder: Path) -> str:
    path = folder / "flaunting.yaml"
    path.write_text(GAME.replace("FLAUNT", step), encoding="utf-8")
    return str(path)


def test_the_schema_has_it() -> None:
    assert verbs()[-1] == "flaunt"
    part = schema.schema()["$defs"]["step_body"]["properties"]["flaunt"]
    assert part["description"] == "Tiles are shown to some, so many times, and go to a zone."
    assert (part["type"], part["x-expr"], part["x-required"]) == (["string", "object"], "tiles", ["tiles"])
    assert list(part["properties"]) == ["tiles", "to", "before", "count"]


def test_it_is_read(tmp_path: Path) -> None:
    rules = tilewright.load(game("for: dealer, flaunt: {tiles: hand, to: shelf, count: 2}", tmp_path))
    assert rules.data.play is not None
    found = rules.data.play.phases["deal"].do[-1]
    zones = Lookup("tiles", "zone", "hand"), Lookup("tiles", "zone", "shelf")
    assert (found.verb, found.does) == ("flaunt", Flaunt(*zones, count=Const("number", 2)))


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("flaunt: {tile: hand}", "unknown-key"),
        ("flaunt: {to: shelf}", "missing-key"),
        ("flaunt: {tiles: hand, count: many}", "unknown-word"),
        ("flaunt: {tiles: hand, to: first(shelf)}", "not-a-zone"),
        ("flaunt: [hand]", "wrong-type"),
        ("flaunt: hand, draw: 1", "several-verbs"),
    ],
    ids=lambda text: text.partition(": ")[2] or text,
)
def test_mistakes_in_it_are_found(written: str, code: str, tmp_path: Path) -> None:
    path = game(f"for: dealer, {written}", tmp_path)
    try:
        problems = problems_of(Path(path))
    except RulesetError as error:
        problems = error.problems
    places = [(one.code, one.place.line) for one in problems if one.place is not None]
    assert (code, 13) in places


def test_it_is_played_and_told(tmp_path: Path) -> None:
    table = tilewright.load(game("for: dealer, flaunt: {tiles: hand, to: shelf}", tmp_path)).game(seed=1)
    told = [event for event in table.events if event.kind == "flaunt"]
    assert [event.seat for event in told] == [0, 0] and len(told[0].tiles) == 13
    assert len(table.zones["shelf"][0]) == 13 and len(table.zones["hand"][0]) == 1  # drawn since
    assert table.marks["proud"] == [True, None, None, None]


@pytest.mark.parametrize(("language", "says"), [("en", "S: flaunting"), ("zh", "S：炫耀")], ids=["en", "zh"])
def test_players_are_told(language: str, says: str, tmp_path: Path) -> None:
    """Each what it may see."""
    match = tilewright.load(game("for: next(dealer), flaunt: {tiles: hand, before: seat}", tmp_path)).game(seed=1)
    names = RulesetNames(match.program.data, language)
    writer = LineWriter(names, lambda slot, does: Text(slot.seat))
    lines = []
    for seat in (1, 2):
        (event,) = (event for event in View(match, seat).events if event.kind == "flaunt")
        line = EventTeller(match.program.data).line(event, sees=seat == 1)
        assert line is not None
        lines.append(writer.text(line).plain)
    assert lines[0].startswith(f"{says} ") and lines[0].count(" ") > 12 and lines[1] == says


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", ("The dealer flaunts the hand before the others", "After flaunting: everyone is shown")),
        ("zh", ("莊家向其他家炫耀手牌", "炫耀之後：亮示")),
    ],
    ids=["en", "zh"],
)
def test_the_rulebook_says_it(language: str, says: tuple[str, ...], tmp_path: Path) -> None:
    path = game("for: dealer, flaunt: {tiles: hand, before: others}", tmp_path)
    text = markdown(rulebook_of(path, language=language))
    assert [one for one in says if one not in text] == []


def test_the_reference_and_the_vocabulary_have_it() -> None:
    assert "| `flaunt`.`before` | seats | Who sees it. |" in render_reference()
    assert any(entry.name == "flaunt" and entry.kind == "verb" for entry in entries())


# --- nothing else lists steps

ALSO = {"ask", "mark", "meld", "move"}  # these name other things too: messages, kinds of words, parts of a case
# The kinds of events, of which many are steps, and who reads them by their kinds.
EVENTS = {"play/model.py", "play/view.py", "players/programs/mjai_player.py"}
LETTERS = {"language/documents/former.py"}  # below which keys names are introduced
TOLD_BY_KIND = ("presentation", "terminal", "web")  # where events are told, by what they are called


@pytest.mark.long
def test_a_step_is_named_where_it_is_declared_alone() -> None:
    names = {*STEPS} - ALSO - {"flaunt"}
    modules = [path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts[0] not in TOLD_BY_KIND]
    texts = {path: path.read_text(encoding="utf-8") for path in modules if "vocabulary/steps" not in str(path)}
    found = {
        (str(path.relative_to(PACKAGE)), node.value)
        for path, text in texts.items()
        if not names.isdisjoint(re.findall(r"""["'](\w+)["']""", text))  # the others need no parsing
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in names
    }
    assert {(module, name) for module, name in found if module not in EVENTS | LETTERS} == set()


def test_all_are_declared_wherever_imports_begin() -> None:
    script = "from tilewright.language.vocabulary.declare_steps import STEPS; print(*STEPS)"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert found.split() == [verb for verb in verbs() if verb != "flaunt"]


def test_the_schema_is_data() -> None:
    """What is declared can be written to a file and read again as it is."""
    declared = {name: one.schema() for name, one in STEPS.items()}
    assert json.loads(json.dumps(declared)) == declared
