"""Formatting: what a document says stays, every comment stays, and a formatted text stays as it is."""

import re
from pathlib import Path
from random import Random

import pytest
from budget import FACTOR
from commands import fails, run

from tilewright.authoring.format import format_text
from tilewright.base.document import parse, plain
from tilewright.base.problem import RulesetError, Source
from tilewright.language.documents.bundled import KINDS, data_folder

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
BUNDLED = [
    *(path for kind in KINDS for path in sorted(data_folder(kind).glob("*.yaml"))),
    *sorted((ROOT / "examples").rglob("*.yaml")),
]
COMMENT = re.compile(r"(?:^|\s)(#.*?)\s*$", re.MULTILINE)


def changed(text: str, random: Random) -> str:
    """The text with a few changes to its spaces, comments, quotes and lines."""
    for _ in range(random.randint(1, 8)):
        text = random.choice(CHANGES)(text, random)
    return text


def at_line(text: str, random: Random) -> tuple[list[str], int]:
    lines = text.split("\n")
    return lines, random.randrange(len(lines))


def more_space(text: str, random: Random) -> str:
    places = [found.end() for found in re.finditer(r"[ :,\[\]{}-]", text)]
    at = random.choice(places or [0])
    return text[:at] + random.choice([" ", "  ", "     ", "\t"]) + text[at:]


def less_space(text: str, random: Random) -> str:
    places = [found.span() for found in re.finditer(r" +", text)]
    start, end = random.choice(places or [(0, 0)])
    return text[:start] + " " * random.randint(0, 1) + text[end:]


def comment_behind(text: str, random: Random) -> str:
    lines, at = at_line(text, random)
    lines[at] += " " * random.randint(1, 9) + f"# note {random.random()}  "
    return "\n".join(lines)


def comment_between(text: str, random: Random) -> str:
    lines, at = at_line(text, random)
    lines.insert(at, " " * random.randint(0, 9) + f"#note {random.random()}")
    return "\n".join(lines)


def blank_lines(text: str, random: Random) -> str:
    lines, at = at_line(text, random)
    lines[at:at] = [" " * random.randint(0, 5) for _ in range(random.randint(1, 3))]
    return "\n".join(lines)


def quoted(text: str, random: Random) -> str:
    found = random.choice([*re.finditer(r"(?<=[:,\[] )[\w ]+(?=[,\]}\n])", text)] or [re.search("$", text)])
    assert found is not None
    quote = random.choice("'\"")
    return text[: found.start()] + quote + found[0] + quote + text[found.end() :]


def unquoted(text: str, random: Random) -> str:
    found = random.choice([*re.finditer(r"'(\w+)'|\"(\w+)\"", text)] or [re.search("$", text)])
    assert found is not None
    return text[: found.start()] + found[0].strip("'\"") + text[found.end() :]


def swapped(text: str, random: Random) -> str:
    lines, at = at_line(text, random)
    other = min(at + random.randint(1, 3), len(lines) - 1)
    lines[at], lines[other] = lines[other], lines[at]
    return "\n".join(lines)


def shifted(text: str, random: Random) -> str:
    """A part that is indented, indented by something else."""
    lines, at = at_line(text, random)
    start = len(lines[at]) - len(lines[at].lstrip())
    end = at
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) >= start):
        end += 1
    by = random.choice([-2, -1, 1, 2, 5])
    lines[at:end] = [(" " * max(0, by) + line)[max(0, -by) :] if line.strip() else line for line in lines[at:end]]
    return "\n".join(lines)


def broken(text: str, random: Random) -> str:
    """A line more, or less, within brackets or a text."""
    at = random.choice([found.end() for found in re.finditer(r"[,\[{ ]", text)] or [0])
    return text[:at] + "\n" + " " * random.randint(0, 12) + text[at:]


def joined(text: str, random: Random) -> str:
    at = random.choice([found.start() for found in re.finditer("\n", text)] or [0])
    return text[:at] + " " + text[at + 1 :]


def odd(text: str, random: Random) -> str:
    """Something that bundled documents do not write."""
    lines, at = at_line(text, random)
    start = len(lines[at]) - len(lines[at].lstrip())
    written = random.choice(ODD).format(random.randrange(10**6))
    lines[at:at] = [" " * start + line for line in written.split("\n")]
    return "\n".join(lines)


def other_breaks(text: str, random: Random) -> str:
    return text.replace("\n", random.choice(["\r\n", "\r"]))


ODD = (
    "x{}: |2\n   more\n  text\n\n  # no comment",
    "x{}: |+ # a note\n  kept\n\n\n",
    "x{}: >-\n     folded\n    # no note\n\n       more\n",
    "x{}:\n- a: 1\n  b:\n  - c\n    # of the list\n  # of the item\n- d",
    'x{}: "a \\\n   b\\ \n\n  c # d"',
    "x{}: 'one\n   # two\n three'",
    "x{0}: &a{0} {{a: [1,\n   2 ], # c\n }}\ny{0}: *a{0}",
    "? x{}\n: y",
    "x{}: plain\n   text # and a note",
    "x{}: {{\n  a : 1 ,\n     b: [\n  2, 3\n], c: }}",
    '"x{}" : {{"a":1,"b":[1,2]}}',
    "# note{}",
)
CHANGES = (
    *(more_space, less_space, comment_behind, comment_between, blank_lines, quoted, unquoted, swapped, shifted),
    *(broken, joined, odd, other_breaks),
)


def holds(text: str) -> None:
    """A text that parses is formatted once, keeps every comment and says the same; another one is not formatted."""
    try:
        document = parse(Source("text", text))
    except RulesetError as error:
        with pytest.raises(RulesetError) as raised:
            format_text(text)
        assert [one.code for one in raised.value.problems] == [one.code for one in error.problems]
        return
    formatted = format_text(text)
    assert format_text(formatted) == formatted
    assert plain(parse(Source("text", formatted))) == plain(document)
    assert comments(formatted) == comments(text.replace("\r\n", "\n").replace("\r", "\n"))


def comments(text: str) -> list[str]:
    """All that may be a comment: also a quoted ` #`, with what follows it, a comment a few spaces further on."""
    return [" ".join(found.split()) for found in COMMENT.findall(text)]


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.stem)
def test_bundled_documents_are_formatted(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert format_text(text) == text, "run: tilewright fmt rulesets cards examples"


@pytest.mark.parametrize("part", range(FACTOR))
def test_changed_documents_are_formatted_once_and_keep_their_comments(part: int) -> None:
    """A hundred changed documents; in `make soak` two thousand, of all that are bundled."""
    random = Random(19 + part)
    texts = [path.read_text(encoding="utf-8") for path in BUNDLED if FACTOR > 1 or path.stat().st_size < 8_000]
    for _ in range(100):
        holds(changed(random.choice(texts), random))


MESSY = """
tilewright:
 1
kind : ruleset   # what it is
name: {en: Small,zh: "小" }


options:
    # how long
    length:   {number: 1}
    most:     {number: 5 }
    rounds_played: {number: 2,
       label: {en: Rounds, zh: 圈}}
    flowers: null
forms:
- 7 pairs
- text: |-
        Two
          lines
  # of the form
"""
NEAT = """
tilewright:
  1
kind: ruleset                             # what it is
name: {en: Small, zh: "小"}

options:
  # how long
  length:        {number: 1}
  most:          {number: 5}
  rounds_played: {number: 2,
                  label: {en: Rounds, zh: 圈}}
  flowers: null
forms:
  - 7 pairs
  - text: |-
      Two
        lines
    # of the form
"""


def test_the_layout() -> None:
    assert format_text(MESSY) == NEAT.lstrip()


def test_a_text_that_is_no_document_says_where() -> None:
    with pytest.raises(RulesetError) as raised:
        format_text("a: [1\nb: 2\n", "rules.yaml")
    assert str(raised.value).startswith("rules.yaml:1:4:")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a document to format, one that is formatted, and what is no document."""
    (tmp_path / "messy.yaml").write_text("tilewright: 1\r\nkind: mod # a mod\r\n", encoding="utf-8", newline="")
    (tmp_path / "neat.yaml").write_text("tilewright: 1\nkind: mod\n", encoding="utf-8")
    (tmp_path / "wrong.yaml").write_text("kind: mod\nname: {\n", encoding="utf-8")
    (tmp_path / "compose.yaml").write_text("services:   {}\n", encoding="utf-8")
    return tmp_path


def test_files_are_formatted_and_others_left_as_they_were(folder: Path) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for option, said in (("--check", "would format messy.yaml\n"), ("--diff", "\n+kind: mod  ")):
        done = run("fmt", ".", option, cwd=folder)
        fails(done, 1, "wrong.yaml:3:", "bracket")
        assert said in done.stdout
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    done = run("fmt", ".", cwd=folder)
    assert (done.returncode, done.stdout) == (1, "formatted messy.yaml\n")
    after = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert {name for name in before if before[name] != after[name]} == {"messy.yaml"}
    assert after["messy.yaml"] == b"tilewright: 1\nkind: mod" + b" " * 33 + b"# a mod\n"
    assert run("fmt", "messy.yaml", "neat.yaml", "--check", cwd=folder).returncode == 0


def test_stdin_and_wrong_names(folder: Path) -> None:
    assert run("fmt", "-", stdin="a:  1").stdout == "a: 1\n"
    fails(run("fmt", "missing.yaml"), 2, "there is no file missing.yaml")
    (folder / "cases.jsonl").write_text("{}\n", encoding="utf-8")
    fails(run("fmt", "cases.jsonl", cwd=folder), 1, "cases.jsonl is not YAML")
    (folder / "empty").mkdir()
    fails(run("fmt", "empty", cwd=folder), 2, "empty")
