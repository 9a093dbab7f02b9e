"""Documents: wrong ones say what is wrong and where, right ones keep every value and the place of every character."""

import pickle
import re
import tracemalloc
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from budget import budget
from games import VARIED, mostly_soaked
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tilewright.base.building import MAX_BYTES, MAX_DEPTH, MAX_DIGITS, MAX_NODES, MAX_PROBLEMS, Builder
from tilewright.base.document import Mapping, Scalar, Sequence, exactly, parse, plain, read, take_quickly
from tilewright.base.problem import Problem, RulesetError, Source, str_of
from tilewright.language.documents.library import bundled_documents, path_of

BROKEN = Path(__file__).parents[1] / "broken_documents"
PARSER_WORDS = re.compile(r"expected|found|token|scanning|parsing|scalar|block end|codec|Errno", re.IGNORECASE)
UNPRINTED = "\u2028\u2029\ufeff\ufffe\uffff"
PRINTABLE = st.characters(exclude_categories=["Cc", "Cs"], exclude_characters=UNPRINTED)
TEXTS = st.text(PRINTABLE, min_size=1, max_size=30)


def problems_of(text: str) -> tuple[Problem, ...]:
    with pytest.raises(RulesetError) as raised:
        parse(Source("house.yaml", text))
    return raised.value.problems


def loaded(text: str) -> Mapping:
    return parse(Source("house.yaml", text))


def scalar(text: str) -> Scalar:
    node = loaded(text).get("a")
    assert isinstance(node, Scalar)
    return node


# --- wrong documents


def expected_of(file: Path) -> list[tuple[int, str]]:
    """The problems that a broken document, or the list beside it, says it has: line and code."""
    beside = (BROKEN / "expected.txt").read_text("utf-8")
    listed = re.findall(rf"^{re.escape(file.name)}:(\d+):\d+: (\S+)$", beside, re.MULTILINE)
    lines = enumerate(file.read_bytes().decode("utf-8", "replace").splitlines(), 1)
    return [(int(line), code) for line, code in listed] + [
        (number, found[1]) for number, line in lines if (found := re.search(r"# \^ (\S+)", line))
    ]


@pytest.mark.parametrize("file", sorted(BROKEN.glob("*.yaml")), ids=lambda file: file.stem)
def test_broken_document(file: Path) -> None:
    with pytest.raises(RulesetError) as raised:
        read(file, file.name)
    problems = raised.value.problems
    assert [(problem.place.line, problem.code) for problem in problems if problem.place] == expected_of(file)
    for problem in problems:
        assert problem.hint and not PARSER_WORDS.search(f"{problem.message} {problem.hint}"), str_of(problem)


def test_expected_columns() -> None:
    for line in (BROKEN / "expected.txt").read_text("utf-8").splitlines()[1:]:
        name = line.partition(":")[0]
        with pytest.raises(RulesetError) as raised:
            read(BROKEN / name, name)
        assert str_of(raised.value.problems[0]).startswith(line + ":")


@pytest.mark.parametrize(
    ("text", "column", "length"),
    [
        ("worth: @x", 8, 1),
        ("a: b\na: c", 1, 1),
        ("about: x: y", 9, 1),
        ("worth:3\nb: 4", 6, 1),
        ("name: 'it's'", 11, 1),
        ('name: "\\q"', 8, 2),
        ("a: &x [*x]", 8, 2),
        ("a: .nan", 4, 4),
        ("東: !x 1", 4, 2),
    ],
)
def test_columns(text: str, column: int, length: int) -> None:
    place = problems_of(text)[0].place
    assert place and (place.column, place.length) == (column, length)


def test_files_that_are_none(tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path, Path("a\0b")):
        with pytest.raises(RulesetError) as raised:
            read(path)
        [problem] = raised.value.problems
        assert problem.place is None and problem.code in ("no-file", "unreadable") and "Errno" not in problem.message


def test_problems_come_whole_out_of_another_process() -> None:
    error = RulesetError(problems_of("a: b\na: c\nd: @x"))
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is RulesetError and again.problems == error.problems and str(again) == str(error)


# --- bounds


def test_size(tmp_path: Path) -> None:
    file = tmp_path / "large.yaml"
    file.write_bytes(b"name: x\n" * (50_000_000 // 8))
    tracemalloc.start()
    with pytest.raises(RulesetError) as raised:
        read(file)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 3 * MAX_BYTES, "no more of it is read than a document may have"
    [problem] = raised.value.problems
    assert problem.code == "too-large" and problem.place and problem.place.line == 1
    assert problems_of("#" * (MAX_BYTES + 1))[0].code == "too-large"


def test_depth() -> None:
    for opening, closing in (("[", "]"), ('{"a":', "}")):
        inside = MAX_DEPTH - 1
        assert loaded("a: " + opening * inside + "1" + closing * inside)
        [problem] = problems_of("a: " + opening * 3000 + closing * 3000)
        assert problem.code == "too-deep" and problem.place
        assert problem.place.column == 4 + inside * len(opening)
    assert problems_of("".join(" " * level + "a:\n" for level in range(500)))[0].code == "too-deep"
    assert problems_of("a: " + "- " * 3000)[0].code == "bad-indentation"
    assert problems_of("a:\n  " + "- " * 3000)[0].code == "too-deep"


def test_depth_of_aliases() -> None:
    lines = ["a0: &a0 [1]"] + [f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 100)]
    [problem] = problems_of("\n".join(lines))
    assert problem.code == "too-deep" and problem.place and problem.place.line == MAX_DEPTH


def test_alias_bomb() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    [problem] = problems_of("\n".join(lines))
    assert problem.code == "too-many-nodes" and problem.place and problem.place.line == 5


@pytest.mark.slow
def test_number_of_values_and_of_problems() -> None:
    assert plain(loaded("a: [" + "1," * (MAX_NODES - 3) + "]")) == {"a": [1] * (MAX_NODES - 3)}
    assert problems_of("a: [" + "1," * (MAX_NODES - 1) + "]")[0].code == "too-many-nodes"
    assert len(problems_of("a: 1\n" * 1000)) == MAX_PROBLEMS


def test_digits() -> None:
    assert scalar("a: " + "9" * MAX_DIGITS).value == int("9" * MAX_DIGITS)
    for number in ("9" * (MAX_DIGITS + 1), "1e999999999", "1e-31", "0x" + "f" * 31, "1e" + "9" * 5000, "9" * 50_000):
        assert [problem.code for problem in problems_of(f"a: {number}")] == ["bad-number"]


# --- right documents


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("~", None),
        ("null", None),
        ("", None),
        ("true", True),
        ("False", False),
        ("yes", "yes"),
        ("on", "on"),
        ("N", "N"),
        ("12", 12),
        ("-3", -3),
        ("+3", 3),
        ("007", 7),
        ("0x1F", 31),
        ("0o17", 15),
        ("0.20", Fraction(1, 5)),
        ("1.0", 1),
        (".5", Fraction(1, 2)),
        ("2.", 2),
        ("1e3", 1000),
        ("25e-1", Fraction(5, 2)),
        ("1_000", "1_000"),
        ("0b1", "0b1"),
        ("1:30", "1:30"),
        ("2026-11-21", "2026-11-21"),
        ("1m", "1m"),
        ("'12'", "12"),
        ('"true"', "true"),
        ("=", "="),
        (">-\n  12", "12"),
        ('"\\ud83c\\udc04"', "🀄"),
        ("a b\n  c\n\n  d", "a b c\nd"),
        ("|\n  a\n  b", "a\nb\n"),
        ("a#b", "a#b"),
    ],
)
def test_values(text: str, value: object) -> None:
    found = scalar(f"a: {text}\n").value
    assert found == value and type(found) is type(value)


def test_keys_are_their_text() -> None:
    document = loaded("1: a\ntrue: b\n0x10: c\n~: d\n'2': e\n")
    assert plain(document) == {"1": "a", "true": "b", "0x10": "c", "~": "d", "2": "e"}
    assert document.key("0x10").place.line == 3 and document.get("none") is None


def test_json_is_yaml() -> None:
    assert plain(loaded('{\n\t"a":\t[1,\t2.5, null],\r\n\t"b": {"c\\/d": "\\u00e9"}\n}\n')) == {
        "a": [1, Fraction(5, 2), None],
        "b": {"c/d": "é"},
    }


def test_aliases_repeat() -> None:
    document = loaded("a: &x\n  b: [1, 2]\nc: *x\nd: &y 3\ne: *y\n")
    assert plain(document) == {"a": {"b": [1, 2]}, "c": {"b": [1, 2]}, "d": 3, "e": 3}
    number = document.get("d")
    assert isinstance(number, Scalar) and (number.place.column, number.place.length) == (7, 1)


def test_mark_and_line_ends(tmp_path: Path) -> None:
    file = tmp_path / "house.yaml"
    file.write_bytes(b"\xef\xbb\xbfa: 1\r\nb: [x,\r\n  y]\r\nc:\r\n  - z\r\n")
    document = read(file, "house.yaml")
    assert plain(document) == {"a": 1, "b": ["x", "y"], "c": ["z"]}
    assert document.key("a").place.column == 1
    found = document.get("b")
    assert isinstance(found, Sequence) and (found.items[1].place.line, found.items[1].place.column) == (3, 3)
    assert found.place.source.line(2) == "b: [x," and found.place.source.name == "house.yaml"


def test_nodes_pickle() -> None:
    document = loaded("a: {b: [1, 0.5, x]}\n")
    assert pickle.loads(pickle.dumps(document)) == document


# --- places inside scalars


def styles(text: str) -> list[str]:
    """A text written in every way that YAML has for it."""
    double = text.replace("\\", "\\\\").replace('"', '\\"')
    simple = re.sub(r'[\\"]', "", text)
    coded = "".join(f"\\U{ord(sign):08x}" if number % 3 else sign for number, sign in enumerate(simple))
    return [
        f'a: "{double}"\n',
        "a: '" + text.replace("'", "''") + "'\n",
        "a: &x '" + text.replace("'", "''") + "'\n",
        f'a: "{coded}"\n',
        f"a: |2\n   {text}\n",
        f"a: >-2\n  {text}\n  \n  more\n",
    ]


@given(TEXTS)
@settings(max_examples=budget(50))
def test_every_character_has_its_place(text: str) -> None:
    for written in styles(text):
        check_places(scalar(written), written)


@given(
    st.lists(st.text("abc:#é東", min_size=1, max_size=5), min_size=1, max_size=6),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["a: ", "a: '", 'a: "', "a: >\n  ", "a: |\n  ", "a: &x >-\n  "]),
    st.integers(0, 2),
)
@settings(max_examples=budget(60))
def test_places_in_several_lines(words: list[str], end: str, opening: str, empty: int) -> None:
    closing = opening[-1] if opening[-1] in "'\"" else ""
    lines = ["x" + word.rstrip(":").replace(":#", "").rstrip(":") for word in words]
    written = (opening + (end + end * empty + "  ").join(lines) + closing + "\n").replace("\n  ", end + "  ")
    check_places(scalar(written), written)


def check_places(node: Scalar, written: str) -> None:
    """Every visible character of the value stands where the node says, or an escape of it does."""
    for offset, sign in enumerate(node.text):
        if sign in " \n":
            continue
        place = node.at(offset)
        there = written[place.offset : place.offset + place.length]
        assert there in (sign, f"\\U{ord(sign):08x}", "\\" + sign, "''"), (written, offset, sign, there)
    end = node.at(len(node.text)).offset
    assert node.at(len(node.text) + 5).offset == end <= len(written)


def test_places_of_parts() -> None:
    node = scalar('a: "has(tri\\u0070let) == 4"')
    place = node.at(4, 7)
    assert node.text[4:11] == "triplet" and place.source.text[place.offset :][: place.length] == "tri\\u0070let"
    assert scalar("a: ''").at(0).column == 4


# --- two parsers

PIECES = [
    *(
        "a",
        "b",
        "c: ",
        "k:",
        "x: 1",
        "- ",
        "\n",
        "\n  ",
        "\n    ",
        "\r\n",
        "\r",
        " ",
        ", ",
        ",",
        "[",
        "]",
        "{",
        "}",
        "'",
        '"',
    ),
    *(
        "# c",
        " #",
        "|\n  ",
        ">-\n  ",
        "|+\n",
        "|2\n   ",
        "&a ",
        "*a",
        "!t ",
        "? ",
        "?",
        "%",
        "@",
        "~",
        "no",
        "0o7",
        "1_000",
    ),
    *(
        "\t",
        "東",
        "😀",
        "\x85",
        "\u2028",
        "\ufeff",
        "...",
        "---",
        "\\u00e9",
        "''",
        ':"',
        "=",
        "<<: ",
        "//",
        "\u3000",
        "\x00",
    ),
]
LONG = path_of("cantonese").with_name("cantonese.cases.yaml").read_text("utf-8")
OPENINGS = ["", "a: ", "a:\n  ", "a: {", "a: [", "- ", "a:\n  b: 1\n  c: "]


@pytest.mark.slow
@given(st.sampled_from(OPENINGS), st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
@example("a: ", "\r\n[!t ")
@settings(max_examples=budget(250), deadline=None)
def test_both_parsers_agree(opening: str, text: str) -> None:
    """What the fast parser makes of a document is what the exact one makes of it, to the last place."""
    source = Source("house.yaml", (opening + text).lstrip("\ufeff"))
    found = quickly(source)
    assert found is None or found == exactly(source)
    assert read_or_refused(parse, source) == read_or_refused(exactly, source)


@pytest.mark.long
@given(st.data())
@settings(max_examples=budget(40), deadline=None)
def test_mistakes_are_the_same_wherever_reading_begins(data: st.DataObject) -> None:
    """Of a long document only the last entry is read again, by the parser that says what is wrong."""
    text = LONG
    for _ in range(data.draw(st.integers(1, 2))):
        start = data.draw(st.integers(0, len(text)))
        end = start + data.draw(st.sampled_from([0, 0, 0, 1, 3, 40]))
        text = text[:start] + data.draw(st.sampled_from(PIECES)) + text[end:]
    source = Source("house.yaml", text.lstrip("\ufeff"))
    assert read_or_refused(parse, source) == read_or_refused(exactly, source)


def quickly(source: Source) -> Mapping | None:
    """The document as libyaml reads it; None if that is not installed, if the other parser is needed, or if anything is
    wrong."""
    builder = Builder(source)
    read = take_quickly(builder) == "read" and not builder.problems
    return builder.root if read and isinstance(builder.root, Mapping) else None


def read_or_refused(read: Callable[[Source], Mapping], source: Source) -> Mapping | tuple[Problem, ...]:
    try:
        return read(source)
    except RulesetError as error:
        return error.problems


@pytest.mark.parametrize(
    "path", mostly_soaked(bundled_documents(), [path_of(id) for id in VARIED]), ids=lambda path: path.stem
)
def test_bundled_documents_are_read_quickly(path: Path) -> None:
    source = Source(str(path), path.read_text("utf-8"))
    assert quickly(source) == exactly(source)


# --- anything at all

MUTANTS = [
    "tilewright: 1\nkind: ruleset\npatterns:\n  pure: {worth: 3, when: \"x == 'y'\"}\n  mixed:\n"
    "    - &a [1, 0.5]\n    - *a\n    - >\n      a\n\n      b\n",
    '{"a": [1, {"b": null}], "c": "\\u00e9"}',
]
SIGNS = "\t\n\r \"'#%&*,-.:<>?@[]\\`{|}!~0aé東\x00\x85\u2028\ufeff"


@given(st.text(st.sampled_from(SIGNS) | st.characters(exclude_categories=["Cs"]), max_size=60))
@settings(max_examples=budget(60))
def test_any_text(text: str) -> None:
    survives(text)


@given(
    st.sampled_from(MUTANTS),
    st.lists(st.tuples(st.integers(0, 200), st.integers(0, 3), st.text(SIGNS, max_size=3)), min_size=1, max_size=4),
)
@settings(max_examples=budget(60))
def test_mutated_documents(text: str, changes: list[tuple[int, int, str]]) -> None:
    for at, cut, put in changes:
        text = text[:at] + put + text[at + cut :]
    survives(text)


@given(st.binary(max_size=60))
@settings(max_examples=budget(50))
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    file = tmp_path_factory.getbasetemp() / "any.yaml"
    file.write_bytes(data)
    try:
        read(file)
    except RulesetError as error:
        assert error.problems


def survives(text: str) -> None:
    """A text is a document or has problems that stand inside of it."""
    try:
        pickle.dumps(parse(Source("any.yaml", text)))
    except RulesetError as error:
        for problem in error.problems:
            assert problem.place and problem.place.line >= 1 and problem.place.column >= 1
            assert problem.code != "bad-yaml" or problem.hint
