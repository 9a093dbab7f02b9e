"""A word is declared in one place: everything else follows from its declaration."""

import ast
from collections.abc import Iterator
from dataclasses import fields
from itertools import islice
from pathlib import Path
from typing import cast, get_args

import pytest
from engines import score_by_kernel
from oracles.hands import cases

import tilewright
from tilewright.authoring.reference import render_reference
from tilewright.authoring.words import entries
from tilewright.base.document import Mapping, Scalar, parse
from tilewright.base.problem import Place, Source
from tilewright.language.compiled.ir import Ir
from tilewright.language.documents.bundled import data_folder
from tilewright.language.documents.schema import parts, schema
from tilewright.language.elaborate import open_whole
from tilewright.language.expressions.folding import FITS
from tilewright.language.expressions.lower import lower, lower_condition
from tilewright.language.expressions.scope import Scope, declare
from tilewright.language.vocabulary.declare import Flag, Number, Scene, ToldBy, word
from tilewright.language.vocabulary.words import WORDS
from tilewright.language.write_schema import generate
from tilewright.play.rules import Rules, load
from tilewright.play.scene import TableScene
from tilewright.presentation.catalogue import LANGUAGES, messages
from tilewright.rulebook.book import rulebook_of
from tilewright.rulebook.pages import markdown
from tilewright.scoring.case import read_case
from tilewright.scoring.explain import explain
from tilewright.scoring.plain.scene import Situation
from tilewright.scoring.plain.walker import evaluate

pytestmark = pytest.mark.long

PACKAGE = Path(tilewright.__file__).parent
VOCABULARY = PACKAGE / "language" / "vocabulary"
BASE = "zung_jung"
RULES = f"""\
tilewright: 1
kind: ruleset
id: lucky
name: Lucky
extends: {BASE}
patterns:
  lucky_seat: {{name: Lucky seat, worth: 7, when: luck >= 3}}
  lucky_hand: {{name: Lucky hand, worth: 9, when: lucky and not luck == 2}}
  twice_lucky: {{name: Twice lucky, worth: luck, when: twice(luck) == 8}}
"""


@word(
    "number",
    told_by="seats",
    personal=True,
    example="luck == 3",
)
def luck(scene: Scene) -> int:
    """The luck of the seat: its number from 1."""
    return scene.seat + 1


@word(
    "truth",
    told_by="hand",
    personal=True,
    test=Flag(),
    example="lucky or concealed",
)
def lucky(scene: Scene) -> bool:
    """The tiles of the hand have an even sum."""
    return sum(map(scene.plain, scene.tiles)) % 2 == 0


@word(
    "number",
    takes=("number",),
    of=(),
    told_by="arguments",
    example="twice(score) > 4",
)
def twice(scene: Scene | None, number: Number) -> Number:
    """The number and as much again."""
    return 2 * number


PHRASES = [  # of the catalogue, in each language
    ("words.luck.number", "the luck of the seat", "座位的運氣", "席の運"),
    ("words.lucky.affirmed", "the hand is lucky", "手氣好", "手がついている"),
    ("words.lucky.denied", "the hand is unlucky", "手氣差", "手がついていない"),
    ("words.twice.number", "twice {0}", "{0}的兩倍", "{0}の二倍"),
]


@pytest.fixture(autouse=True)
def made_up_words(monkeypatch: pytest.MonkeyPatch) -> None:
    for one in (luck, lucky, twice):
        monkeypatch.setitem(WORDS, one.name, one)
    for id, *texts in PHRASES:
        for language, text in zip(LANGUAGES, texts, strict=True):
            monkeypatch.setitem(cast(dict[str, str], messages(language, "words")), id, text)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "lucky.yaml"
    path.write_text(RULES, encoding="utf-8")
    return path


@pytest.fixture
def rules(file: Path) -> Rules:
    return load(file)


@pytest.fixture
def scope() -> Scope:
    return declare(open_whole(BASE))


def lowered(text: str, scope: Scope) -> Ir:
    ir, problems = lower(Scalar(text, text, Place(Source("test", text), 1, 1, len(text))), "value", scope)
    assert ir is not None and not problems, problems
    return ir


# --- a made-up word


def test_it_is_typed_and_folded(scope: Scope) -> None:
    assert lowered("luck", scope).type == "number"
    assert lowered("lucky", scope).type == "truth"
    assert lowered("twice(21)", scope) == lowered("42", scope)


def test_it_is_scored_alike_in_every_back_end(rules: Rules) -> None:
    found = set()
    for case in islice(cases(BASE, 40, seed=5), 40):
        situation = read_case(rules.data, case)
        seat = situation.seat + 1
        score_by_kernel(rules, situation)
        best = rules.judge.best(situation)
        assert best is not None
        if best.limit:
            continue
        counted = {one.pattern.id for one in best.counted}
        hand = situation.hand
        tiles = [*hand.tiles, *(t for meld in hand.melds for t in meld.tiles), hand.win or 0]
        is_even = sum(rules.data.tiles.tiles[tile].plain for tile in tiles) % 2 == 0
        assert ("lucky_seat" in counted, "twice_lucky" in counted) == (seat >= 3, seat == 4)
        assert ("lucky_hand" in counted) == (is_even and seat != 2)
        found |= counted
    assert {"lucky_seat", "lucky_hand", "twice_lucky"} <= found


def test_it_is_explained(rules: Rules) -> None:
    case = next(cases(BASE, 1, seed=5))
    assert explain(rules.judge, read_case(rules.data, case)).readings


def test_it_is_asked_at_a_table(rules: Rules, scope: Scope) -> None:
    game = rules.table(seed=1).game
    for seat in game.program.everyone:
        scene = TableScene(game, seat)
        for text, wanted in (("luck", seat + 1), ("twice(luck) - luck", seat + 1), ("dealer.luck", 1)):
            ir = lowered(text, scope)
            assert game.program.evaluator(ir)(scene, {}) == evaluate(ir, scene) == wanted
        even = sum(game.program.plain[tile] for tile in game.zones["hand"][seat]) % 2 == 0
        assert game.program.evaluator(lowered("lucky", scope))(scene, {}) is even


def test_a_condition_tests_it(scope: Scope) -> None:
    document = parse(Source("test.yaml", "x: {lucky: false}\n"))
    assert isinstance(document, Mapping)
    ir, problems = lower_condition(document.entries["x"].value, scope)
    assert not problems and ir == lowered("not lucky", scope)


def test_it_is_in_the_schema_and_the_reference() -> None:
    written = generate(data_folder("schemas"))
    assert '"number: The luck of the seat: its number from 1."' in written and '"x-word": "lucky"' in written
    assert "| `twice(number)` | number |" in render_reference()
    assert {"luck", "lucky", "twice"} <= {entry.name for entry in entries() if entry.kind == "word"}


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("en", ("the luck of the seat is at least 3", "the hand is lucky", "twice the luck of the seat is 8")),
        ("zh", ("座位的運氣至少 3", "手氣好", "座位的運氣的兩倍為 8")),
    ],
)
def test_the_rulebook_says_it(file: Path, language: str, sentences: tuple[str, ...]) -> None:
    text = markdown(rulebook_of(str(file), {}, (), language)).lower()
    assert [sentence for sentence in sentences if sentence not in text] == []


# --- in one place


# Names that stand for something else too: types, keys of documents and what they may say.
SHARED = {
    *FITS,
    *(key for part in parts(schema()) if "x-block" not in part for key in part.get("properties", ())),
    *(value for part in parts(schema()) if "enumDescriptions" not in part for value in part.get("enum", ())),
}
ALSO = {  # where a name that is shared with nothing in documents is something else than the word
    "authoring/case_files.py": {"winners"},  # a field of the rows of simulated games
    "language/documents/companions.py": {"was"},  # what a translation was made of
    "language/compiled/ir.py": {"first"},  # what is known of a set is known of its first
    "language/documents/mods.py": {"was"},
    "language/documents/former.py": {"drawn", "result"},  # drawings of tiles; a key of cases, which names a phase
    "language/expressions/conditions.py": {"without"},  # the test of tiles
    "language/expressions/naming.py": {"first"},
    "language/expressions/names.py": {"drawn"},  # the same
    "language/lint/impossible.py": {"without"},
    "language/lint/patterns.py": {"without"},
    "play/cases.py": {"winners", "result"},  # what a case of play expects
    "play/finding.py": {"drawn"},  # zones of a case
    "play/legality.py": {"was"},  # in a sentence
    "play/operations.py": {"takers"},  # a slot
    "play/match.py": {"winners", "result"},  # details of an event
    "rulebook/side_by_side.py": {"turn"},  # a chapter
    "play/log.py": {"result"},  # a kind of event
    "play/model.py": {"place", "winners", "result"},
    "play/view.py": {"turn", "winners", "drawn", "kinds", "place"},  # what a seat sees
    "rulebook/book.py": {"turn"},  # a chapter
    "rulebook/course.py": {"turn"},
    "rulebook/comparison.py": {"was"},  # what something was in the older rules
    "rulebook/comparison_lines.py": {"was"},
    "rulebook/sides.py": {"place"},  # a field of compiled parts
    "scoring/examples.py": {"place"},  # a field of compiled parts
    "scoring/case.py": {"seen"},  # a field of a case
    "scoring/program/conditions.py": {"without"},
    "scoring/plain/walker.py": {"without"},
}
ENGINE = ("language", "scoring", "play", "rulebook", "authoring")


COMPILED = PACKAGE / "play" / "compiled"  # gives words their instructions; their declarations should


def modules() -> Iterator[Path]:
    apart = {VOCABULARY, COMPILED}
    return (path for layer in ENGINE for path in (PACKAGE / layer).rglob("*.py") if not apart & {*path.parents})


def test_no_other_module_names_a_word_or_asks_which_it_is() -> None:
    names, named, asked = {*WORDS} - SHARED, dict[str, set[str]](), set[str]()
    for path in modules():
        module, nodes = str(path.relative_to(PACKAGE)), [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
        if said := strings(nodes) & names:
            named[module] = said - ALSO.get(module, set())
        asked |= {f"{module}:{line}: {said}" for line, said in names_asked(nodes)}
    assert named == {module: set() for module in ALSO}
    assert {one for one in asked if "'first'" not in one and "'hand'" not in one} == set()


def strings(nodes: list[ast.AST]) -> set[str]:
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def names_asked(nodes: list[ast.AST]) -> Iterator[tuple[int, str]]:
    """Words that the name of a node is compared with or matched against."""
    for node in nodes:
        if isinstance(node, ast.Compare) and any(is_name(side) for side in (node.left, *node.comparators)):
            yield from words_in(node)
        if isinstance(node, ast.MatchClass):
            yield from (
                said
                for key, pattern in zip(node.kwd_attrs, node.kwd_patterns, strict=True)
                if key == "name"
                for said in words_in(pattern)
            )


def is_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "name"


def words_in(node: ast.AST) -> Iterator[tuple[int, str]]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and inner.value in WORDS:
            yield inner.lineno, repr(inner.value)


# --- what fast scoring remembers


def test_every_field_of_a_situation_is_in_the_key_or_elsewhere() -> None:
    """What is not in the key of a context: the hand, of which the engine takes what it needs, whether it won, and what
    lies with others, where the plain judge scores."""
    elsewhere = {"hand", "won", "zones", "others", "flags_of", "open_tiles"}
    assert {one.name for one in fields(Situation) if not one.metadata} == elsewhere
    levels = {one.metadata["tells"] for one in fields(Situation) if one.metadata}
    assert levels <= set(get_args(ToldBy))


def test_a_measure_may_ask_for_copies(tmp_path: Path) -> None:
    """Two hands that differ in nothing but what a measure asks for with an argument."""
    path = tmp_path / "copies.yaml"
    text = RULES.split("patterns:")[0].replace("lucky", "copies")
    path.write_text(f"{text}scoring:\n  measures:\n    fives: {{name: Fives, value: 'points + 10 * copies(5p)'}}\n")
    rules = load(path)
    for hand, copies in (("234m 567m 345p 678s 5", 1), ("234m 567m 345s 678s 5", 0)):
        score = rules.score(f"{hand}s", win="5s", seat_wind="E", self_draw=True)
        assert score.values["fives"] - score.values["points"] == 10 * copies
