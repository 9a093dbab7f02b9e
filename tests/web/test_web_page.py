"""The page's files: nothing names a game, nothing takes markup from anybody,
nothing comes from elsewhere, and a table is drawn from few bytes."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_no_variant import names_in_games, variants

import tilewright
from tilewright.presentation.catalogue import FOLDER
from tilewright.web.static_files import read_file, stamp_of, without_comments

STATIC = Path(tilewright.__file__).parent / "web" / "static"
MODULES = sorted((STATIC / "js").rglob("*.js"))
MOST_BYTES = 155_000  # of everything that is fetched before an editor is opened, as it is sent
OF_EDITORS = {"admin", "cards", "workshop", "replays", "replay", "codemirror"}
TEXTS = ("base", "events", "lobby", "questions", "results", "rules", "table")  # in one language


def own_modules() -> Iterator[Path]:
    """Modules whose words are in these files: not those of the areas that have tests of their own."""
    return (path for path in MODULES if not OF_EDITORS & {*path.parts, path.stem})


def code_of(module: Path) -> str:
    """A module without its comments."""
    return re.sub(r"(?m)(^|\s)//.*$", "", module.read_text(encoding="utf-8"))


@pytest.mark.parametrize("module", list(own_modules()), ids=lambda path: str(path.relative_to(STATIC)))
def test_the_page_names_no_game(module: Path) -> None:
    text = module.read_text(encoding="utf-8")
    words = {*re.findall(r"[a-z]+", text.lower())}
    assert not words & variants()
    strings = {one for pair in re.findall(r'"([^"\n]*)"|`([^`\n]*)`', text) for one in pair}
    assert not strings & names_in_games()


def test_nothing_takes_markup() -> None:
    for module in own_modules():
        text = module.read_text(encoding="utf-8")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text), (
            module
        )


def test_nothing_comes_from_elsewhere() -> None:
    for path in STATIC.rglob("*"):
        if path.suffix in (".js", ".css", ".html") and "vendor" not in path.parts:
            text = path.read_text(encoding="utf-8").replace("http://www.w3.org/", "")
            assert not re.search(r"https?://\w", text), path


def test_a_table_is_drawn_from_few_bytes() -> None:
    """Before an editor is opened, in one language."""
    files = [path for path in STATIC.rglob("*") if path.suffix in (".js", ".css", ".json", ".html")]
    own = [path for path in files if not {path.stem, *path.parts} & OF_EDITORS]
    texts = [FOLDER / "en" / f"{area}.json" for area in TEXTS]
    sent = [read_file(path, stamp_of(path)) for path in (*own, *texts)]
    assert sum(len(file.encoded(file.encoding("gzip"))) for file in sent) < MOST_BYTES


def test_comments_are_not_sent() -> None:
    """Types of the page are comments; lines keep their numbers."""
    for module in MODULES:
        sent = read_file(module, stamp_of(module)).content
        assert not re.search(rb"(?m)^ *// |^ *\* @|/\*\*", sent), module
        assert sent.count(b"\n") == module.read_bytes().count(b"\n")


def test_only_comments_are_left_out() -> None:
    """A type in front of an expression is part of a line of code."""
    code = b"  /** @type {Promise<A>} */ (\n    ask(),\n  );\nexport default /** @type {B} */ (1);\n"
    bare = b"  (\n    ask(),\n  );\nexport default (1);\n"
    assert without_comments(code, ".js") == bare
    assert without_comments(b"/**\n * @param {A} a\n */\n" + code, ".js") == b"\n\n\n" + bare
