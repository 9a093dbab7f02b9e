"""Expressions and conditions: what they become, and what is said of those that are wrong."""

import json
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any, get_args

import pytest
from budget import budget
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Token, Tree
from ruamel.yaml import YAML

from tilewright.base.document import Mapping, Node, Scalar, Sequence, parse
from tilewright.base.grammar import built, made_of, parser_of, tables_of, write_tables
from tilewright.base.problem import Problem, Source
from tilewright.cards import line
from tilewright.language.compiled.ir import (
    Apply,
    Conditional,
    Const,
    HasGroups,
    Ir,
    Lookup,
    Matches,
    PickedMembers,
    Quantifier,
    Term,
    Var,
    WordCall,
)
from tilewright.language.compiled.ir import Test as OfTiles
from tilewright.language.documents.whole import MergedRuleset
from tilewright.language.elaborate import compile_with_problems, open_whole
from tilewright.language.expressions import syntax
from tilewright.language.expressions.lower import always, check_expressions, lower, lower_condition, lower_templates
from tilewright.language.expressions.scope import Scope, declare
from tilewright.language.expressions.syntax import HINTS, SyntaxMistake, parse_expression, parse_span, parse_template
from tilewright.language.expressions.trees import unparse
from tilewright.language.vocabulary.declare import QUANTIFIERS
from tilewright.language.vocabulary.words import WORDS

DATA = Path(__file__).parents[1] / "data"
EXPRESSIONS = YAML(typ="safe", pure=True).load((DATA / "expressions.yaml").read_text(encoding="utf-8"))
WANTED = {"numbers": "number", "truths": "truth", "problems": "truth", "syntax": "truth", "conditions": "condition"}
CASES = [(section, case) for section, cases in EXPRESSIONS.items() for case in cases]
PARSERS = {"expression": parse_expression, "template": parse_template, "span": parse_span}


@pytest.fixture(scope="module")
def whole() -> MergedRuleset:
    return open_whole(str(DATA / "world.yaml"))


@pytest.fixture(scope="module")
def scope(whole: MergedRuleset) -> Scope:
    data, problems = compile_with_problems(whole)
    assert data is not None, problems
    return declare(whole, data.tiles, data.groups)


def node_of(value: object) -> Node:
    """A value as a node of a document of its own."""
    stream = StringIO()
    yaml = YAML()
    yaml.width = 10_000
    yaml.dump({"x": value}, stream)
    document = parse(Source("test.yaml", stream.getvalue()))
    assert isinstance(document, Mapping)
    return document.entries["x"].value


@pytest.mark.parametrize(("section", "case"), CASES, ids=[str(case["of"]) for _, case in CASES])
def test_lowered(section: str, case: dict[str, Any], scope: Scope) -> None:
    wanted = case.get("as", WANTED.get(section, "value"))
    node = node_of(case["of"])
    ir, problems = lower_condition(node, scope) if wanted == "condition" else lower(scalar(node), wanted, scope)
    if "problem" in case:
        assert_problem(problems, case, node)
    else:
        assert problems == []
        assert ir is not None and show(ir, scope) == str(case["is"]).replace("True", "yes").replace("False", "no")


def scalar(node: Node) -> Scalar:
    assert isinstance(node, Scalar)
    return node


def assert_problem(problems: list[Problem], case: dict[str, Any], node: Node) -> None:
    assert [problem.code for problem in problems] == [case["problem"]] * (1 + case.get("also", 0)), problems
    problem = problems[0]
    assert problem.place is not None
    start = innermost(node)
    assert problem.place.column - start.at(0).column + 1 == case["at"]
    assert case.get("says", "") in problem.message
    assert case.get("hint", "") in (problem.hint or "")


def innermost(node: Node) -> Scalar:
    """The last scalar of a node."""
    while not isinstance(node, Scalar):
        node = node.items[-1] if isinstance(node, Sequence) else list(node.entries.values())[-1].value
    return node


def show(ir: Ir, scope: Scope) -> str:
    """A short form of an expression, for tests to read."""

    def inner(one: Ir) -> str:
        return show(one, scope)

    def asked(of: Ir | None, name: str) -> str:
        return name if of is None else f"{inner(of)}.{name}"

    match ir:
        case Const():
            return known(ir, scope)
        case Lookup(name=name, of=of):
            return asked(of, name)
        case Var(name=name):
            return name
        case Term(name=name, body=body, of=of):
            return f"{asked(of, name)}{{{inner(body)}}}"
        case WordCall(name=name, args=args) | Apply(op=name, args=args):
            return f"({' '.join([name, *map(inner, args)])})"
        case Conditional(test=test, then=then, other=other):
            return f"(if {inner(test)} {inner(then)} {inner(other)})"
        case Quantifier(op=op, letter=letter, domain=domain, body=body):
            return f"({op} {letter} {inner(domain)} {inner(body)})"
        case PickedMembers(test=test, seats=seats):
            return f"(pick {inner(test)} {inner(seats)})"
        case HasGroups(cases=cases):
            return f"has[{len(cases)}]"
        case OfTiles(op=op, classes=classes):
            return f"{op}({' '.join(map(inner, classes))})"
        case Matches():
            return " ".join(
                ["matches", ir.regex, *(f"{name}={shown(getattr(ir, name))}" for name in MATCHED if said(ir, name))]
            )


MATCHED = ("anywhere", "of", "order", "suits", "stands_for")


def shown(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def said(ir: Matches, name: str) -> bool:
    """It is said otherwise than where nothing is said."""
    return bool(getattr(ir, name) != getattr(Matches(""), name))


def known(ir: Const, scope: Scope) -> str:
    if isinstance(ir.value, tuple):
        assert scope.tiles is not None
        return f"[{' '.join(scope.tiles.tiles[int(index)].code for index in ir.value)}]"
    if isinstance(ir.value, bool):
        return "yes" if ir.value else "no"
    return f"'{ir.value}" if isinstance(ir.value, str) else str(ir.value)


# --- syntax


@pytest.mark.parametrize(("hint", "mode", "text"), [(hint, *case) for hint, cases in HINTS.items() for case in cases])
def test_hints(hint: str, mode: str, text: str) -> None:
    with pytest.raises(SyntaxMistake) as mistake:
        PARSERS[mode](text)
    assert mistake.value.hint == hint


@pytest.mark.parametrize(
    "text",
    [
        "not " * 60 + "a",
        "-" * 60 + "1",
        "(" * 60 + "a" + ")" * 60,
        " + ".join("a" * 60),
        "a" + ".b" * 60,
        " and ".join(["a"] * 60),
        "a if b else " * 60 + "c",
        "x" * 2001,
        "9" * 40,
        "(" * 1999,
    ],
)
def test_bounds(text: str) -> None:
    with pytest.raises(SyntaxMistake):
        parse_expression(text)


def test_long_but_fine() -> None:
    text = " and ".join(f"(count(t == {n}m for t in hand) + {n} - 2 * 3 > 4 or not ready)" for n in range(1, 10))
    assert parse_expression(text) == parse_expression(unparse(parse_expression(text)))


NAMES = [
    *WORDS,
    *QUANTIFIERS,
    "wall",
    "coins",
    "tenpai",
    "limit",
    "winds",
    "E",
    "5m",
    "t",
    "3",
    "2.5",
    "regular",
    "raise",
]
TOKENS = [
    *NAMES,
    *"()+-*/%^.,<>=!",
    "==",
    "!=",
    "<=",
    ">=",
    " and ",
    " or ",
    " not ",
    " if ",
    " else ",
    " in ",
    " is ",
    " for ",
    "has(",
    "..",
    " of ",
    " by ",
    " except ",
    " concealed ",
    "&&",
    '"',
    " ",
    "é",
    "東",
    "\n",
    "t in hand for t in ",
    "pair x",
    "[",
]
ATOMS = st.sampled_from(
    ["1", "2.5", "5m", "a", "seat", "tile", "ready seats", "f(a, b)", "any(a for t in b)", "has(2 pairs x of E or N)"]
)


def joined(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    binary = st.sampled_from(
        [
            " + ",
            " - ",
            " * ",
            " / ",
            " % ",
            " ^ ",
            " == ",
            " < ",
            " in ",
            " not in ",
            " is ",
            " is not ",
            " and ",
            " or ",
        ]
    )
    return st.one_of(
        st.builds("({}{}{})".format, parts, binary, parts),
        st.builds("{}{}{}".format, parts, binary, parts),
        st.builds("({} if {} else {})".format, parts, parts, parts),
        st.builds("not {}".format, parts),
        st.builds("-{}".format, parts),
        st.builds("({}).word.other".format, parts),
        st.builds("sum({} for t in ({}))".format, parts, parts),
    )


@settings(max_examples=budget(60))
@given(st.recursive(ATOMS, joined, max_leaves=12))
def test_round_trip(text: str) -> None:
    try:
        tree = parse_expression(text)
    except SyntaxMistake:
        return
    assert parse_expression(unparse(tree)) == tree


@settings(max_examples=budget(60))
@given(st.lists(st.sampled_from(TOKENS), max_size=25).map("".join) | st.text(max_size=60))
def test_any_text_gives_problems(scope: Scope, text: str) -> None:
    node = Scalar(text, text, scope.declarations[0].place)
    for wanted in ("truth", "number", "seats", "tiles", "value"):
        ir, problems = lower(node, wanted, scope)
        assert (ir is None) == bool(problems)


def test_any_template_gives_problems(scope: Scope) -> None:
    @settings(max_examples=budget(50))
    @given(
        st.lists(
            st.sampled_from([*TOKENS, " triplet ", " sequence ", " x", " in a", "+1", "quads", "each", "tile"]),
            max_size=12,
        ).map("".join)
    )
    def run(text: str) -> None:
        cases, problems = lower_templates(Scalar(text, text, scope.declarations[0].place), scope)
        assert not (cases and problems)

    run()


# --- a whole


def test_world_is_fine(whole: MergedRuleset) -> None:
    assert list(check_expressions(whole)) == []


def problems_of(text: str, tmp_path: Path) -> list[tuple[str, int, int]]:
    """Code, line and column of the problems of a ruleset made of world.yaml and more."""
    path = tmp_path / "more.yaml"
    (tmp_path / "world.yaml").write_text((DATA / "world.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    path.write_text("tilewright: 1\nkind: ruleset\nid: more\nname: More\nextends: world\n" + text, encoding="utf-8")
    found = check_expressions(open_whole(str(path)))
    return [(one.code, one.place.line, one.place.column) for one in found if one.place]


PLACES = {
    "a circle of terms": ("terms:\n  a: b and ready\n  b: {is: not c}\n  c: {is: {marks: [a]}}\n", [("circle", 7, 3)]),
    "through a term": ("patterns:\n  p: {name: P, worth: 1, when: cheeky}\n", [("looks-up", 7, 32)]),
    "a form looks at waits": ("forms:\n  f: {when: waits == 1}\n", [("looks-up", 7, 13)]),
    "a form looks at a term": ("forms:\n  f: {when: tenpai}\n", [("looks-up", 7, 13)]),
    "a form looks at a zone": ("forms:\n  f: {when: hand == 14}\n", []),
    "a pattern looks at a measure": ("patterns:\n  p: {name: P, worth: total}\n", [("looks-up", 7, 23)]),
    "the condition of a pattern looks at a measure": ("patterns:\n  p: {name: P, worth: 1, when: total == 0}\n", []),
    "a measure looks ahead": ("scoring: {measures: {points: {value: total}}}\n", [("looks-up", 6, 38)]),
    "a measure looks back": ("scoring: {measures: {more: {value: total * points}}}\n", []),
    "choices of an offer": (
        "offers:\n  o: {choose: {n: {number: 1..3}, t: {tiles: n, from: hand}}, when: n > t}\n",
        [],
    ),
    "a choice before it is made": (
        "offers:\n  o: {choose: {t: {tiles: n, from: hand}, n: {number: 1..3}}}\n",
        [("unknown-word", 7, 27)],
    ),
    "arguments and loops": (
        "actions:\n  act:\n    takes: {from_seat: seat}\n    do:\n"
        "      - for: {other: others}\n        do: [{mark: {rounds: other.score + from_seat.score}}]\n",
        [],
    ),
    "an argument elsewhere": (
        "actions:\n  act: {takes: {way_on: seat}, do: []}\n  other: {do: [{retire: way_on}]}\n",
        [("unknown-word", 8, 25)],
    ),
    "a loop elsewhere": (
        "actions:\n  act:\n    do: [{for: {one: others}, retire: one}, {retire: one}]\n",
        [("unknown-word", 8, 54)],
    ),
    "an answer is a word of each seat": (
        "actions:\n  act:\n    do:\n      - ask: {who: everyone, choose: {bid: {number: 0..3}}}\n"
        "      - {when: across(seat).bid > bid, draw: bid}\n",
        [],
    ),
    "a mark of another type": (
        "actions:\n  act: {do: [{mark: {ready: 3, void: coins, lucky: tile, rounds: hand}}]}\n",
        [("wrong-type", 7, 29)],
    ),
    "a start of another type": ("marks:\n  m: {of: seat, is: number, start: true}\n", [("wrong-type", 7, 36)]),
    "an argument of another type": (
        "actions:\n  one: {takes: {n: number}, do: [{draw: n}]}\n  two: {do: [{one: {n: ready}}]}\n",
        [("wrong-type", 8, 24)],
    ),
    "a folded scalar": ("terms:\n  t: >-\n    ready and\n      wal == 0\n", [("unknown-word", 9, 7)]),
    "a quoted scalar": ('terms:\n  t: "ready\\x20and wal == 0"\n', [("unknown-word", 7, 20)]),
    "a mistake in a term, used twice": ("terms:\n  t: wal == 0\n  u: t and t\n", [("unknown-word", 7, 6)]),
    "payments": ("payments: {win: {line: {from: others, amount: winds, when: pot}}}\n", [("wrong-type", 6, 60)]),
    "too many cases": (
        "patterns:\n  p: {name: P, worth: 1, when: {has: [pair a, pair b, pair c, pair d, pair e]}}\n",
        [],
    ),
    "what is not there with these options": (
        "patterns:\n  p: {name: P, worth: wal, if: tight}\n",
        [("unknown-word", 7, 23)],
    ),
}


@pytest.mark.parametrize(("text", "expected"), PLACES.values(), ids=PLACES)
def test_places(text: str, expected: list[tuple[str, int, int]], tmp_path: Path) -> None:
    assert problems_of(text, tmp_path) == expected


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("ready", None),
        ("true", None),
        ("1 < 2", True),
        ("not 1 < 2", False),
        ("loose", None),
        ("loose and 1 > 2", None),
        ("waits >= 0", True),
        ("waits > 0", None),
        ("tile == tile", True),
        ("colour == red", None),
        ("{kinds: 0..}", True),
    ],
)
def test_always(text: str, known: bool | None, scope: Scope) -> None:
    assert always(node_of(YAML(typ="safe", pure=True).load(text)), scope) is known


def test_numbers_are_exact(scope: Scope) -> None:
    ir, _ = lower(scalar(node_of("0.1 + 0.2 + limit")), "number", scope)
    assert ir == Const("number", Fraction(14, 5))


# --- the tables of the grammars


@pytest.mark.locked
@pytest.mark.parametrize(("file", "start"), [(syntax.GRAMMAR, get_args(syntax.Mode)), (line.GRAMMAR, ("line",))])
def test_the_tables_are_those_of_the_grammar(file: Path, start: tuple[str, ...]) -> None:
    """After a change of a grammar, or of lark: python tools/make_grammars.py"""
    assert json.loads(tables_of(file).read_bytes())["made_of"] == made_of(file.read_text(encoding="utf-8"), start)


def test_tables_that_do_not_fit_are_not_used(tmp_path: Path) -> None:
    file = tmp_path / "sum.lark"
    file.write_text('sum: "1" ("+" "1")*')
    write_tables(file, "sum")
    assert parser_of(file, "sum").parse("1+1") == Tree(Token("RULE", "sum"), [])
    file.write_text('sum: "2" ("+" "2")*')
    assert parser_of(file, "sum").parse("2+2") == Tree(Token("RULE", "sum"), [])


@pytest.mark.parametrize("text", ["count(t in dragons for t in hand) >= 2", "2 if concealed else 1 + 5m * 3"])
def test_the_tables_parse_as_the_grammar_says(text: str) -> None:
    grammar = built(syntax.GRAMMAR.read_text(encoding="utf-8"), get_args(syntax.Mode))
    assert syntax.grammar().parse(text, start="expression") == grammar.parse(text, start="expression")
