"""Broken documents: whatever is done to a document, checking it gives problems and never anything else.

Half of the accidents happen to the text, half to what it says: sections lost, values of another kind, keys renamed,
expressions without measure. `python tests/test_fuzz_documents.py 20000` tries many more, in the bundled rulesets as in
the drafts, and shows what fails and what takes long.
"""

import json
import random
import re
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from tilewright.authoring.open_rules import RulesChoice
from tilewright.base.problem import Problem
from tilewright.cli.check_files import check_document

ROOT = Path(__file__).parents[1]
FOLDERS = (ROOT / "rulesets", ROOT / "tests" / "drafts")
SLOW = 2.0  # seconds of this process for one check; it is told
SIGNS = "abz09 :,{}[]()'\"#-+*/%^.!&|<>=?@`~\\\t\n東é\u2028\x00"
SCALARS = (
    "null",
    "true",
    "0",
    "-1",
    "1e9",
    "99999999999999999999",
    "''",
    "[]",
    "{}",
    "[[]]",
    "x",
    "back",
    "tile",
    "{a: b}",
    "1..",
    "..3",
    "9..1",
    "*x",
    "was",
    "1 / 0",
    "not not",
    "hand",
    "others",
    "has(pair)",
    "[null]",
    "~",
    "2 ^ 99 ^ 9",
)
SCALAR = re.compile(r"(?<=: )[^{}\[\],#\n]+|(?<=[\[,] )[^{}\[\],#\n:]+")


def broken(text: str, chance: random.Random) -> str:
    """The text after one to three accidents."""
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        text = chance.choice(
            (
                line_lost,
                line_doubled,
                lines_swapped,
                sign_changed,
                sign_lost,
                scalar_changed,
                scalar_moved,
                words_swapped,
                indented,
            )
        )(text, chance)
    return text


def line_lost(text: str, chance: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    at = chance.randrange(len(lines)) if lines else 0
    return "".join(lines[:at] + lines[at + 1 :])


def line_doubled(text: str, chance: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    at, to = (chance.randrange(len(lines) + 1) for _ in range(2))
    return "".join(lines[:to] + lines[at : at + 1] + lines[to:])


def lines_swapped(text: str, chance: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    if lines:
        at, to = (chance.randrange(len(lines)) for _ in range(2))
        lines[at], lines[to] = lines[to], lines[at]
    return "".join(lines)


def sign_changed(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice(SIGNS) + text[at + chance.choice((0, 1)) :]


def sign_lost(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + text[at + chance.choice((1, 1, 2, 5, 40)) :]


def scalar_changed(text: str, chance: random.Random) -> str:
    return scalar_replaced(text, chance, chance.choice(SCALARS))


def scalar_moved(text: str, chance: random.Random) -> str:
    found = [match.group() for match in SCALAR.finditer(text)]
    return scalar_replaced(text, chance, chance.choice(found)) if found else text


def scalar_replaced(text: str, chance: random.Random, new: str) -> str:
    found = list(SCALAR.finditer(text))
    if not found:
        return text
    match = chance.choice(found)
    return text[: match.start()] + new + text[match.end() :]


def words_swapped(text: str, chance: random.Random) -> str:
    found = list(re.finditer(r"[a-z_]{3,}", text))
    if len(found) < 2:
        return text
    old, new = chance.sample(found, 2)
    return text[: old.start()] + new.group() + text[old.end() :]


def indented(text: str, chance: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    if lines:
        at = chance.randrange(len(lines))
        lines[at] = chance.choice((f"  {lines[at]}", lines[at].removeprefix("  ")))
    return "".join(lines)


# --- accidents of what a document says

EXPRESSIONS = (
    "any(any(any(any(t == u and u == v and v == w for t in tiles) for u in tiles) for v in tiles) for w in tiles)",
    "sum(sum(sum(sum(1 for a in tiles) for b in tiles) for c in tiles) for d in tiles)",
    "max(copies(t) ^ 64 ^ 64 for t in tiles)",
    "((score + 9) ^ 64) ^ 64 ^ 64",
    "2 ^ 64 * 3 ^ 64 * 7 ^ 64 / 5 ^ 64 / 11 ^ 64",
    "1 / (1 - 1)",
    "count(t in waits for t in tiles)",
    "potential(seat) + potential(next(seat))",
    "with(tile).without(tile).with(tile).waits",
    "everyone.discards.kinds",
    "has(4 sequences x by d, pair y)",
    "not " * 60 + "concealed",
    "(" * 300 + "1" + ")" * 300,
    "1" + " + 1" * 400,
    " and ".join(["concealed"] * 400),
    "if 1 else 2",
    "x" * 5_000,
    "東 == 東",
    "\x00",
)
TEMPLATES = (
    "4 sequences n in a",
    "sequence n in a",
    "sequence n+1 in b",
    "9 tiles x",
    "99 tiles",
    "0 pairs",
    "tile x in a by d of suited except suited",
    "each of suited",
    "13 concealed exposed completed plain natural different tiles",
)
THINGS: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1,
    3,
    99,
    10**9,
    10**29,
    0.2,
    "",
    "x",
    "東",
    "0..99",
    "..",
    "__class__",
    "../../etc/passwd",
    "{0.__class__}",
    [],
    {},
    [[]],
    {"": None},
    [None],
    {"a": {"b": {"c": 1}}},
    ["x"] * 500,
    {f"k{n}": {} for n in range(200)},
)
Document = dict[str, Any]
Spot = tuple[Any, Any]  # a mapping or a list, and a key or an index of it


@cache
def said_by(text: str) -> str:
    """What a document says, as JSON: read once, since reading takes as long as checking."""
    return json.dumps(YAML(typ="safe", pure=True).load(text), default=str)


def reworded(text: str, chance: random.Random) -> str:
    """The document after one to three accidents to what it says, written as JSON."""
    document = json.loads(said_by(text))
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        if places := list(spots(document)):
            happened = chance.choice((replaced, renamed, moved, lost, grafted, grafted, repeated, of_itself))
            happened(document, chance, places)
    return json.dumps(document, ensure_ascii=chance.random() < 0.5, default=str)


def spots(node: Any) -> Iterator[Spot]:
    """Every place of a document where something stands."""
    for key in list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ():
        yield node, key
        yield from spots(node[key])


def replaced(document: Document, chance: random.Random, places: list[Spot]) -> None:
    where, key = chance.choice(places)
    where[key] = chance.choice(THINGS)


def renamed(document: Document, chance: random.Random, places: list[Spot]) -> None:
    """A key is called as another one is, or as none is."""
    named = [(where, key) for where, key in places if isinstance(where, dict)]
    (where, key), (_, other) = chance.choice(named), chance.choice(named)
    new = chance.choice((other, f"{key}x", str(key)[1:], "東", "seat", "all", "if", "__init__", "a" * 3_000))
    where[new] = where.pop(key)


def moved(document: Document, chance: random.Random, places: list[Spot]) -> None:
    """What stands in one place stands in another, too; a copy, so that nothing stands in itself."""
    (where, key), (there, other) = chance.choice(places), chance.choice(places)
    where[key] = json.loads(json.dumps(there[other], default=str))


def lost(document: Document, chance: random.Random, places: list[Spot]) -> None:
    where, key = chance.choice(places)
    if chance.random() < 0.5:
        where[key] = None
    else:
        del where[key]


def grafted(document: Document, chance: random.Random, places: list[Spot]) -> None:
    """An expression or a template without measure, where a text stands or a condition."""
    fitting = [
        (where, key)
        for where, key in places
        if isinstance(where[key], str) or key in ("when", "worth", "value", "amount", "is", "times")
    ]
    where, key = chance.choice(fitting or places)
    where[key] = chance.choice(EXPRESSIONS if isinstance(where, dict) else TEMPLATES)


def repeated(document: Document, chance: random.Random, places: list[Spot]) -> None:
    """A mapping or a list with a hundred more of one of its parts."""
    large = [where[key] for where, key in places if isinstance(where[key], dict | list) and where[key]]
    if not large:
        return
    node = chance.choice(large)
    if isinstance(node, list):
        node.extend([node[0]] * 100)
    else:
        first = json.dumps(next(iter(node.values())), default=str)
        node.update({f"more_{n}": json.loads(first) for n in range(100)})


def of_itself(document: Document, chance: random.Random, places: list[Spot]) -> None:
    """A part speaks of itself: its id stands where a name may stand."""
    nested = [(where, key) for where, key in places if isinstance(where, dict) and isinstance(where[key], dict)]
    if nested:
        where, key = chance.choice(nested)
        inside = list(spots(where[key]))
        if inside:
            there, other = chance.choice(inside)
            there[other] = chance.choice((key, [key], document.get("id")))


# --- checking


def check(folders: Path, seed: int) -> str:
    """Break one document and check it, the examples too; the document is whole again afterwards. Says which it was."""
    chance = random.Random(seed)
    path = chance.choice(sorted(folders.glob("*/*.yaml")))
    text = path.read_text(encoding="utf-8")
    try:
        path.write_text(chance.choice((broken, reworded))(text, chance), encoding="utf-8", newline="")
        problems = check_document(path, RulesChoice()).problems
        assert all(isinstance(problem, Problem) and problem.message for problem in problems)
    finally:
        path.write_text(text, encoding="utf-8")
    return f"{path.parent.name}/{path.name}"


def copied(to: Path) -> Path:
    """A folder with copies of the folders of documents."""
    for folder in FOLDERS:
        shutil.copytree(folder, to / folder.name)
    return to


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory.mktemp("fuzz"))


@pytest.mark.slow
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
def test_broken_documents_give_problems(folders: Path, seed: int) -> None:
    check(folders, seed)


def main() -> None:
    """Try so many seeds, from the second number on; show those that fail or take long."""
    folders = copied(Path(tempfile.mkdtemp()))
    first, count = int(sys.argv[2]) if len(sys.argv) > 2 else 0, int(sys.argv[1])
    for seed in range(first, first + count):
        begun = time.process_time()
        try:
            name = check(folders, seed)
            if (taken := time.process_time() - begun) > SLOW:
                print(f"seed {seed}: {taken:.1f} s for {name}", flush=True)
        except Exception:
            print(f"seed {seed}\n{traceback.format_exc(limit=-6)}", flush=True)
    shutil.rmtree(folders)


if __name__ == "__main__":
    main()
