"""The bundled cards: without a problem, complete, and with as many hands as data/cards/figures.yaml says.

After a change to a card, `PYTHONPATH=engine:tests python tests/cards/test_bundled_cards.py` writes that file anew, to
be looked through as a diff.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tilewright.authoring.cards import page
from tilewright.base import document as documents
from tilewright.base.problem import Source
from tilewright.cards.check import problems_of_card
from tilewright.cards.codes import CODES
from tilewright.cards.document import open_card, read_card, write_yaml
from tilewright.cards.expand import Processed, ProcessedLine, process
from tilewright.cards.line import parse_line, write_line
from tilewright.cards.model import LETTERS, NUMBERS, TILES, CardCode, CardLineText, CardSet
from tilewright.cards.text import write_text

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data" / "cards"
FIGURES = DATA / "figures.yaml"
HEAD = """\
# Unique hands and tile sets of the bundled cards: of each card, each group and each line as [hands, tile sets].
# Written by `python tests/cards/test_bundled_cards.py`.
"""

CARDS = sorted(path.stem for path in (ROOT / "cards").glob("*.yaml"))
OURS = ["moon_gate", "paper_kite"]
CALCULATIONS = {"paper_kite": "Sums", "moon_gate": "Reckoning"}
EACH_TILE = "moon_gate"  # where each tile is one digit; on the other card, each set is
YEARS = {"paper_kite": "1901", "moon_gate": "1609"}


@cache
def processed(name: str) -> Processed:
    """A bundled card with its hands."""
    card, problems = open_card(ROOT / "cards" / f"{name}.yaml", f"cards/{name}.yaml")
    assert problems == ()
    return process(card)


def lines_of(name: str, title: str | None = None) -> Iterator[tuple[ProcessedLine, CardLineText]]:
    """The lines of a card, or of one group of it."""
    for group in processed(name).groups:
        for line in group.lines if title in (None, group.group.title) else ():
            assert line.line is not None, line.faults
            yield line, line.line


# --- every card


@pytest.mark.parametrize("name", CARDS)
def test_a_card_has_no_problem(name: str) -> None:
    card = processed(name)
    assert list(problems_of_card(card.card, card)) == []
    assert (card.card.id, bool(card.card.about)) == (name, True)


@pytest.mark.parametrize("name", CARDS)
def test_every_hand_has_14_tiles(name: str) -> None:
    for line, _ in lines_of(name):
        assert line.hands
        assert {sum(count for _, count in hand) for hand in line.hands} == {TILES}


@pytest.mark.parametrize("name", CARDS)
def test_a_line_is_written_as_it_was_typed(name: str) -> None:
    for line, understood in lines_of(name):
        assert parse_line(write_line(understood))[0] == replace(understood, text=write_line(understood))
        assert " ".join(line.entry.text.split()) == line.entry.text


@pytest.mark.parametrize("name", CARDS)
def test_a_card_is_the_same_in_text_and_in_yaml(name: str) -> None:
    card = processed(name).card
    text, yaml = write_text(card), write_yaml(card)
    assert read_card(Source("card.txt", text)) == (card, ())
    assert read_card(Source("card.yaml", yaml)) == (card, ())


def test_basic1_is_the_listing_of_the_source() -> None:
    listing, problems = open_card(DATA / "basic1.txt")
    card = processed("basic1").card
    assert problems == ()
    assert (listing.id, listing.name["en"], listing.groups) == (card.id, card.name["en"], card.groups)


# --- figures


@pytest.mark.parametrize("name", CARDS)
def test_the_figures_are_those_that_were_written_down(name: str) -> None:
    known: Any = documents.plain(documents.read(FIGURES))
    assert figures(name) == known[name]


def test_every_card_has_figures() -> None:
    known: Any = documents.plain(documents.read(FIGURES))
    assert sorted(known) == CARDS


def figures(name: str) -> dict[str, Any]:
    """How many hands a card has, in the shape of the file."""
    card = processed(name)
    groups = {}
    for group in card.groups:
        lines = {line.entry.text: [line.count, line.tile_sets] for line in group.lines}
        groups[group.group.title] = {"together": [group.count, group.tile_sets], "lines": lines}
    return {"together": [card.count, card.tile_sets], "groups": groups}


def rows(tree: dict[str, Any], indent: str = "") -> Iterator[str]:
    """A tree of figures as YAML."""
    for key, value in tree.items():
        if isinstance(value, dict):
            yield f"{indent}{json.dumps(key)}:"
            yield from rows(value, indent + "  ")
        else:
            yield f"{indent}{json.dumps(key)}: {value}"


def write_figures() -> None:
    """Count all cards, and keep what was counted."""
    tree = {name: figures(name) for name in CARDS}
    FIGURES.write_text(HEAD + "".join(f"{row}\n" for row in rows(tree)), encoding="utf-8")


# --- the cards of our own


@pytest.mark.parametrize("name", OURS)
def test_a_card_of_our_own_is_complete(name: str) -> None:
    card = processed(name)
    assert len(card.groups) == 10
    assert 55 <= len(card.lines) <= 65
    assert all(5 <= len(group.lines) <= 7 for group in card.groups)


@pytest.mark.parametrize("name", OURS)
def test_no_two_lines_of_our_own_share_a_hand(name: str) -> None:
    card = processed(name)
    assert card.count == sum(line.count for line in card.lines)


def test_no_line_is_on_two_cards() -> None:
    seen: dict[frozenset[Any], str] = {}
    for name in CARDS:
        for line, _ in lines_of(name):
            assert seen.setdefault(frozenset(line.hands), name) == name, line.entry.text


@pytest.mark.parametrize("name", OURS)
def test_values_are_from_25_to_75(name: str) -> None:
    card = processed(name)
    values = {line.value for _, line in lines_of(name)}
    assert min(values) == 25
    assert max(values) <= 75
    assert all(value % 5 == 0 for value in values)
    for group in card.groups:
        assert len({line.line.value for line in group.lines if line.line}) > 1, group.group.title


@pytest.mark.parametrize("name", OURS)
def test_singles_and_pairs_are_closed_and_dear(name: str) -> None:
    found = [line for _, line in lines_of(name) if all(one.count < 3 for p in line.patterns for one in p.sets)]
    assert len(found) >= 6
    assert all(not line.exposed and line.value >= 50 for line in found)


@pytest.mark.parametrize("name", OURS)
def test_the_digits_of_the_year_are_in_every_line_of_its_group(name: str) -> None:
    year = YEARS[name]
    for line, understood in lines_of(name, year):
        for pattern in understood.patterns:
            assert {one.letter for one in pattern.sets} >= set(year), line.entry.text


@pytest.mark.parametrize("name", OURS)
def test_quints_need_wild_tiles(name: str) -> None:
    found = [line for line, _ in lines_of(name) if all(any(n > 4 and t != "F" for t, n in h) for h in line.hands)]
    assert len(found) >= 4


# --- true arithmetic


@pytest.mark.parametrize("name", OURS)
def test_calculations_are_true(name: str) -> None:
    for line, understood in lines_of(name, CALCULATIONS[name]):
        for equation in equations(understood):
            assert is_true(equation, name == EACH_TILE), f"{line.entry.text}: {equation}"


def equations(line: CardLineText) -> Iterator[list[tuple[str, list[CardSet]]]]:
    """Each calculation of a line as what stands behind each sign, the first term behind no sign."""
    for pattern in line.patterns:
        assert pattern.signs
        signs = {sign.before: sign.text for sign in pattern.signs}
        for sets in calculated(line, pattern.sets):
            terms: list[tuple[str, list[CardSet]]] = [("", [])]
            for at, one in enumerate(sets):
                if at in signs:
                    terms.append((signs[at], []))
                if one.letter in NUMBERS + "0":
                    terms[-1][1].append(one)
            yield terms


def calculated(line: CardLineText, sets: tuple[CardSet, ...]) -> list[tuple[CardSet, ...]]:
    """What the codes of a line make of the numbers of a pattern."""
    every = [sets]
    for code in line.codes:
        every = [changed for old in every for changed in with_numbers(old, code)]
    return every


def with_numbers(sets: tuple[CardSet, ...], code: CardCode) -> Iterator[tuple[CardSet, ...]]:
    """The sets with every number that the code puts in; it is one of those that our calculations have."""
    if code.letter == "Z" and not set(code.chars) & set(NUMBERS):
        yield sets
        return
    old, new, sizes = {"L": ("1", NUMBERS, range(1, TILES)), "K": (code.chars[:1], code.chars, [4])}[code.letter]
    for number in new:
        yield tuple(replace(one, letter=number) if one.letter == old and one.count in sizes else one for one in sets)


def is_true(terms: list[tuple[str, list[CardSet]]], whole: bool) -> bool:
    """The sides of `=` come to the same: with each tile as one digit (`whole`), or with each set."""
    return len(set(results(terms, whole))) == 1


def results(terms: list[tuple[str, list[CardSet]]], whole: bool) -> Iterator[int]:
    """What each side of the `=` comes to."""
    text = "".join(sign + "".join(one.letter * (one.count if whole else 1) for one in term) for sign, term in terms)
    for side in text.split("="):
        yield sum(product(term) for term in re.findall(r"[+-]?[0-9x]+", side))


def product(text: str) -> int:
    """The product of numbers with an x between them; a sign before it counts."""
    result = -1 if text.startswith("-") else 1
    for factor in text.lstrip("+-").split("x"):
        result *= int(factor)
    return result


def test_the_test_of_calculations_knows_a_wrong_one() -> None:
    wrong = ["FFFF 111 + r111 = 3333 X25", "FFFF 12 x r12 = b145 DDD X25", "FFF 111 x 2222 = r2222 K234 L X25"]
    for text in wrong:
        line, faults = parse_line(text)
        assert line is not None, faults
        assert not all(is_true(equation, whole=False) for equation in equations(line))
        assert not all(is_true(equation, whole=True) for equation in equations(line))


# --- between them they use everything


def test_our_cards_use_every_code() -> None:
    used = {code.letter for name in OURS for _, line in lines_of(name) for code in line.codes}
    assert used == set(CODES)


@pytest.mark.parametrize(
    "code", ["L", "Lo", "Le", "Va", "Vo", "Ve", "Yo", "Ye", "Y1379", "UI12", "UP24", "UK24", "UQ12", "#", "~"]
)
def test_our_cards_use_the_ways_to_write_a_code(code: str) -> None:
    assert code in {one.letter + one.chars for name in OURS for _, line in lines_of(name) for one in line.codes}


def test_our_cards_use_every_letter_and_colour() -> None:
    sets = [one for name in OURS for _, line in lines_of(name) for pattern in line.patterns for one in pattern.sets]
    assert {one.letter for one in sets} == set(LETTERS)
    assert {one.colour for one in sets} == set("grbamcd")
    assert {one.count for one in sets} == {1, 2, 3, 4, 5, 6}


def test_our_cards_use_two_patterns_two_stages_and_every_sign() -> None:
    lines = [line for name in OURS for _, line in lines_of(name)]
    texts = [line.text for line in lines if len(line.patterns) == 2]
    assert any("|" in text for text in texts)
    assert any(" o " in text for text in texts)
    assert {sign.text for line in lines for pattern in line.patterns for sign in pattern.signs} == set("x+-=")
    assert {line.exposed for line in lines} == {True, False}
    assert any(sum(CODES[code.letter].stage for code in line.codes) == 2 for line in lines)


@pytest.mark.slow
def test_the_page_of_the_bundled_cards_is_fresh() -> None:
    written = (ROOT / "docs" / "bundled-cards.md").read_text(encoding="utf-8")
    assert written.splitlines() == list(page()), "run 'make docs'"


if __name__ == "__main__":
    write_figures()
