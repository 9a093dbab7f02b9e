"""No page shows a word of another language: the catalogue, the bundled rules, their rulebooks, the events of games.

Walks the data that pages are made of, in each language; test_web_languages.py walks pages in a browser. The words that
may stand in another language's text are listed here, each with the reason.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import golden_games
import pytest
from bundled_mods import DOCUMENTS, RULESETS, together
from rich.text import Text
from test_rulebook import book

from tilewright.base.node import Mapping, Node, Scalar, Sequence
from tilewright.language.documents.fields import kind_of
from tilewright.play.match import Match
from tilewright.play.rules import load
from tilewright.presentation.catalogue import LANGUAGES, chosen, files, messages
from tilewright.presentation.events import EventTeller, end_lines
from tilewright.presentation.line import LineWriter
from tilewright.presentation.names import RulesetNames
from tilewright.presentation.rules_data import about_json
from tilewright.rulebook.writing import BookBlock
from tilewright.web.jobs.rules import rulesets_json
from tilewright.web.jobs.session import result_json

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("rulebook")]  # of which each is made once

TEXTS = ("name", "about", "label", "reason", "say", "source", "flag", "in_short")  # keys of documents that hold a text
BY_NAME = ("names", "levels")  # and those that hold texts by name
CJK = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff66-\uff9f]+")
BLANKS = re.compile(r"\{[^}]*\}")
SETS = re.compile(r"\b[rgbacmd]?[FDGRNEWS]{2,6}\b")  # of a card
KANA = re.compile(r"[\u3041-\u30fa]+")
LATIN = re.compile(r"[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ'’.-]*[A-Za-zÀ-ɏ]")

ALLOWED = {
    # names
    "Tilewright", "tilewright", "Ùzje", "Pomax", "Alan", "Kwan", "Plus", "EMA", "WRC",
    "isoraqathedh.pollux.casa", "ujmj.gmi", "Isoraqathedh.pollux.casa",
    "Advanced", "Burton", "Cardfreemahj.com", "John", "MAHJ-X", "Mahjx.com", "Riichi", "cardfreemahj.com", "mahjx.com",
    "Basic", "Singles", "Pairs",  # a bundled card and a title on it, as they are printed
    # formats, units, protocols and their fields
    "YAML", "JSON", "HTTPS", "SHA", "MB", "kB", "IPv", "Content-Length", "txt", "yaml", "html", "svg", "say", "hello",
    "true", "false", "id", "text", "name",
    "mod",
    # keys
    "Ctrl", "Alt", "Esc", "Enter", "Home", "End", "Shift", "PageUp", "PageDown",
    # what is typed at a prompt, in a document or on a card, which is in English everywhere
    "serve", "host-name", "replay", "verify", "play", "resume", "plain", "help", "buttons", "hint", "log", "nearest",
    "pass", "quit", "state", "waits", "why", "table", "kind", "run", "pair", "Le", "Lo", "Ve", "Vo", "Va", "SS", "NN",
    "UK", "UTF", "for", "minutes", "publisher", "version",
}  # fmt: skip
REGEX = re.compile(r"(?<=符合 |含有 )\S+")  # what a hand that is written as text is compared with
TYPED_TILES = re.compile(r"\b(?:[0-9a-fx]+[a-z]|[A-Z])+\b|\[[^\]]*\]\+?", re.ASCII)  # and regular expressions of them


def foreign(text: str, language: str) -> list[str]:
    """The words of another language in a text."""
    text = SETS.sub("", BLANKS.sub("", text))
    if language == "en":
        return CJK.findall(text)
    found = [word for word in LATIN.findall(text) if word not in ALLOWED]
    return found + (KANA.findall(text) if language == "zh" else [])


# --- the catalogue and the documents


@pytest.mark.parametrize("language", LANGUAGES)
def test_messages_are_in_their_language(language: str) -> None:
    areas = sorted({path.stem for path in files()})
    texts = [pair for area in areas for pair in messages(language, area).items()]
    assert {id: words for id, text in texts if (words := foreign(text, language))} == {}


@pytest.mark.parametrize("id", [id for id, one in DOCUMENTS.items() if kind_of(one) != "card"])  # which are as printed
def test_a_bundled_document_has_every_text_in_its_languages(id: str) -> None:
    found = list(texts_in(DOCUMENTS[id]))
    assert [path for path, said in found if not {*LANGUAGES} <= {*said}] == []
    for language in LANGUAGES:
        assert {path: words for path, said in found if (words := foreign(said[language], language))} == {}


def texts_in(node: Node | None, path: tuple[str, ...] = ()) -> Iterator[tuple[str, dict[str, str]]]:
    """Every text for readers, by its path."""
    if isinstance(node, Mapping):
        for key, inner in node.items():
            here = (*path, key)
            named = path[-1:] and path[-1] in BY_NAME
            if (key in TEXTS or named) and (said := by_language(inner)):
                yield ".".join(here), said
            elif "expect" not in here:
                yield from texts_in(inner, here)
    elif isinstance(node, Sequence):
        for at, item in enumerate(node.items):
            yield from texts_in(item, (*path, str(at)))


def by_language(node: Node | None) -> dict[str, str]:
    """The text of a node; a plain one is English."""
    if isinstance(node, Scalar) and isinstance(node.value, str):
        return {"en": node.text}
    inner = dict(node.items()) if isinstance(node, Mapping) else {}
    said = {language: one.text for language, one in inner.items() if isinstance(one, Scalar)}
    return said if len(said) == len(inner) and "en" in said else {}


# --- rulebooks, and what the page gets to know


@pytest.mark.parametrize("id", RULESETS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_rulebook_is_in_one_language(language: str, id: str) -> None:
    assert {text: words for text in told_by_book(id, language) if (words := foreign(text, language))} == {}


@pytest.mark.parametrize(("id", "mods"), together(), ids=str)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_rulebook_with_mods_is_in_one_language(language: str, id: str, mods: tuple[str, ...]) -> None:
    assert {text: words for text in told_by_book(id, language, *mods) if (words := foreign(text, language))} == {}


def told_by_book(id: str, language: str, *mods: str) -> Iterator[str]:
    """Every text of a rulebook, without tile codes."""
    found = book(id, language, *mods)
    yield from (found.title, *(text for key, text in found.words.items() if key != "made_from"))
    for section in found.sections:
        yield section.title
        if section.id == "card":  # its lines and titles are shown as they are printed
            rows = [row for block in section.blocks for row in (block.head, *block.rows)]
            yield from (cell for row in rows for cell in row[1:])
        else:
            yield from (REGEX.sub("", text) for block in section.blocks for text in texts_of(block))


def texts_of(block: BookBlock) -> Iterator[str]:
    yield from (block.text, block.label, block.worth, *block.items, *block.head)
    yield from (cell for row in block.rows for cell in row)
    yield from (text for inner in block.blocks for text in texts_of(inner))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_knows_which_rules_are_in_its_language(language: str) -> None:
    assert {one["id"] for one in rulesets_json() if language in one["languages"]} == {*RULESETS}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_page_knows_of_rules_has_names_in_its_language(language: str) -> None:
    whole = {id: about_json(load(id)) for id in RULESETS} | {f"{one['id']} offered": one for one in rulesets_json()}
    found = {}
    for id, about in whole.items():
        named = ((path, chosen(names, language)) for path, names in names_in(about))
        found |= {f"{id} {path}": words for path, text in named if (words := foreign(text, language))}
    assert found == {}


def names_in(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, dict[str, str]]]:
    """Every text by language that the page may show; it does not show ids that stand for names."""
    if isinstance(value, dict) and "en" in value:
        ids = [one.replace("_", " ") for one in reversed(path) if one not in ("name", "label")]
        if value != {"en": (ids or [""])[0]}:
            yield ".".join(path), value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from names_in(inner, (*path, key))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            name = inner.get("name") if isinstance(inner, dict) else None
            yield from names_in(inner, (*path, name if isinstance(name, str) else str(at)))


# --- games


@cache
def game(id: str) -> Match:
    """The first golden game."""
    games = ((golden_games.head_of(head), text) for head, text in map(golden_games.parts, golden_games.files()))
    head, text = next((head, text) for head, text in games if head["ruleset"] == id)
    match = golden_games.begun(head)
    for move in golden_games.moves_of(text):
        golden_games.carry_out(match, move)
    return match


@pytest.mark.parametrize("id", RULESETS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_events_and_payments_are_told_in_one_language(language: str, id: str) -> None:
    """At the table, in its log, and at the end."""
    match = game(id)
    names = RulesetNames(match.program.data, language)
    writer = LineWriter(names, lambda slot, does: Text("—"))
    result = match.results[-1]
    tellers = [EventTeller(match.program.data, record=record) for record in (False, True)]
    lines = [line for teller in tellers for _, line in teller.lines(match.events, lambda event: True)]
    lines += end_lines(result, tellers[0])
    texts = {re.sub(TYPED_TILES, "", writer.text(line).plain) for line in lines}
    texts |= {chosen(names, language) for _, names in names_in(result_json(match, result))}
    assert {text: words for text in texts if (words := foreign(text, language))} == {}
