"""The page's files: the catalogue is whole in every language, nothing names a game, nothing takes markup from anybody,
nothing comes from elsewhere, and a table is drawn from few bytes."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_no_variant import names_in_games, variants

import tilewright

STATIC = Path(tilewright.__file__).parent / "web" / "static"
MODULES = sorted((STATIC / "js").rglob("*.js"))
LANGUAGES = ("en", "zh")
AREAS = sorted(path.stem for path in (STATIC / "messages" / "en").glob("*.json"))
KEY = re.compile(r"""\bt(?:As)?\(\s*(?:[^"`()]*,\s*)?(["`])([a-z]+\.[^"`]+)\1""")
CHOSEN = re.compile(r"""\?\s*"([a-z]+\.[a-z_]+)"\s*:\s*"([a-z]+\.[a-z_]+)\"""")
SLOT = re.compile(r"\{(\w+)")
MOST_BYTES = 300_000  # of everything that is fetched before an editor is opened
OF_EDITORS = {"cards", "workshop", "replays", "replay", "codemirror"}
FRAME = ("base", "lobby", "table", "rules")


def messages(language: str, area: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((STATIC / "messages" / language / f"{area}.json").read_text(encoding="utf-8"))
    return found


def own_modules() -> Iterator[Path]:
    """Modules whose words are in these files: not those of the areas that have tests of their own."""
    return (path for path in MODULES if not OF_EDITORS & {*path.parts, path.stem})


def code_of(module: Path) -> str:
    """A module without its comments."""
    return re.sub(r"(?m)(^|\s)//.*$", "", module.read_text(encoding="utf-8"))


@pytest.mark.parametrize("area", AREAS)
def test_every_language_has_the_same_messages(area: str) -> None:
    """What the server says in English may be in other languages alone."""
    english, chinese = (messages(language, area) for language in LANGUAGES)
    assert english.keys() <= chinese.keys()
    assert area not in FRAME or english.keys() == chinese.keys()
    assert all(key.startswith(f"{area}.") and english[key] and chinese[key] for key in english)
    for key, text in english.items():
        assert set(SLOT.findall(chinese[key])) <= set(SLOT.findall(text)), key


def test_every_message_that_is_asked_for_is_there() -> None:
    known = {key for area in AREAS for key in messages("en", area)}
    for module in own_modules():
        text = code_of(module)
        asked = {key for _, key in KEY.findall(text)} | {key for pair in CHOSEN.findall(text) for key in pair}
        for key in asked:
            start, variable, _ = key.partition("${")
            fits = any(one.startswith(start) for one in known) if variable else key in known
            assert fits, f"{module.name}: {key}"


def test_every_message_is_asked_for() -> None:
    text = "\n".join(module.read_text(encoding="utf-8") for module in own_modules())
    starts = {key.partition("${")[0] for _, key in KEY.findall(text) if "${" in key}
    for area in FRAME:
        for key in messages("en", area):
            said = f'"{key.removesuffix("_me")}"' in text
            assert said or any(key.startswith(start) for start in starts), key


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
    """Before an editor is opened, as the files are, in one language."""
    sizes = {
        path: path.stat().st_size for path in STATIC.rglob("*") if path.suffix in (".js", ".css", ".json", ".html")
    }
    assert sum(size for path, size in sizes.items() if not {"zh", path.stem, *path.parts} & OF_EDITORS) < MOST_BYTES
