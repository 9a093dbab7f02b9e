"""The catalogue of messages: whole in every language, with the same blanks; every id in use is there, and no other."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import tilewright
from tilewright.language.vocabulary.declare_steps import STEPS
from tilewright.language.vocabulary.words import WORDS
from tilewright.play.model import KINDS, STEP
from tilewright.presentation.catalogue import (
    BLANK,
    ENGLISH,
    LANGUAGES,
    OPTIONAL,
    chosen,
    files,
    messages,
    say,
    translations,
)

PACKAGE = Path(tilewright.__file__).parent
AREAS = sorted({path.stem for path in files()})
OTHERS = LANGUAGES[1:]
SOURCES = sorted([*PACKAGE.rglob("*.py"), *(PACKAGE / "web" / "static" / "js").rglob("*.js")])
ID = re.compile(rf"""["`]((?:{"|".join(AREAS)})\.(?:[a-z][\w.]*)?(?:[${{][^"`]*)?)["`]""")
FOUND_BY_CODE = (
    "cards.problem.",
    "cards.ref.",
    "workshop.problem.",
)  # what the server says in English, in other languages alone


def ids(*languages: str) -> list[str]:
    return [id for language in languages for area in AREAS for id in messages(language, area)]


def uses() -> Iterator[tuple[str, str]]:
    """The ids that a module names; of one that is put together, its beginning and a $."""
    for path in SOURCES:
        if path.match("jobs/registry.py"):  # names of modules
            continue
        text = re.sub(r"(?m)(^|\s)//.*$", "", path.read_text(encoding="utf-8"))
        for id in ID.findall(text):
            yield path.name, re.sub(r"[${].*", "$", id)
    yield from (("events.py", f"events.{kind}") for kind in (*KINDS, STEP.name))


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("area", AREAS)
def test_every_language_has_the_same_messages(area: str, language: str) -> None:
    english, others = messages(ENGLISH, area), messages(language, area)
    assert [id for id in english if id not in others] == []
    assert [id for id in others if id not in english and not id.startswith(FOUND_BY_CODE)] == []
    assert all(id.startswith(f"{area}.") and english[id] and others[id] for id in english)
    found = [id for id in messages(OTHERS[0], area) if id.startswith(FOUND_BY_CODE)]
    assert [id for id in found if id not in others] == []


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("area", AREAS)
def test_a_message_has_the_same_blanks_in_every_language(area: str, language: str) -> None:
    """But for numbers that only choose between words."""
    english, others = messages(ENGLISH, area), messages(language, area)
    assert {id: blanks(text) for id, text in english.items()} == {id: blanks(others[id]) for id in english}


def test_the_page_offers_the_languages_of_the_catalogue() -> None:
    text = (PACKAGE / "web" / "static" / "js" / "text.js").read_text(encoding="utf-8")
    offered = re.search(r"LANGUAGES = \{(.*)\};", text)
    assert offered is not None and tuple(re.findall(r"(\w+):", offered[1])) == LANGUAGES


def test_the_sentences_of_words_and_steps_are_of_known_ones() -> None:
    assert {id.split(".")[1] for id in ids(ENGLISH) if id.startswith("words.")} <= {*WORDS}
    assert {id.split(".")[1] for id in ids(ENGLISH) if id.startswith("verbs.")} <= {*STEPS}


def test_a_text_of_a_ruleset_falls_back_in_order() -> None:
    """The language, its plain form, English, the first."""
    names = {"de": "Mauer", "en": "wall", "zh": "牌牆"}
    found = [chosen(names, language) for language in ("zh", "zh-Hant", "ja", "de")]
    assert found == ["牌牆", "牌牆", "wall", "Mauer"]
    assert (chosen({"de": "Mauer"}, "ja"), chosen({}, "ja")) == ("Mauer", "")


def blanks(text: str) -> set[str]:
    return {found[1] for found in BLANK.finditer(text) if found[2] is None}


def test_every_message_that_is_used_is_there() -> None:
    known = ids(*LANGUAGES)
    wrong = [use for use in uses() if not any(fits(id, use[1]) for id in known)]
    assert wrong == []


def fits(id: str, used: str) -> bool:
    return id.startswith(used[:-1]) if used.endswith("$") else id.removesuffix("_me") == used or id == used


def test_every_message_is_used() -> None:
    used = {use for _, use in uses()}
    whole = {use for use in used if not use.endswith("$")}
    starts = tuple(use[:-1] for use in used if use.endswith("$"))
    assert [id for id in ids("en") if not {id, id.removesuffix("_me")} & whole and not id.startswith(starts)] == []


@pytest.mark.parametrize("path", files(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_messages_are_in_order(path: Path) -> None:
    found = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=lambda pairs: [id for id, _ in pairs])
    assert found == sorted(set(found))


def test_what_may_be_left_out_has_blanks() -> None:
    texts = [text for language in LANGUAGES for area in AREAS for text in messages(language, area).values()]
    assert all(blanks(section) for text in texts for section in OPTIONAL.findall(text))


def test_a_message_is_filled() -> None:
    assert say("table.waiting", count=1) == "Waiting for 1 player. Send them the link, or tell them an invite code."
    assert (
        say("table.waiting", "fr", count=2) == "Waiting for 2 players. Send them the link, or tell them an invite code."
    )
    assert translations("server.seat_count", count=4) == {
        "en": "this table has 4 seats",
        "zh": "這一桌有 4 個座位",
        "ja": "この卓は4席です",
    }
