"""Automata answer what regular expressions ask of hands as the expressions do."""

from collections.abc import Hashable
from itertools import product
from random import Random

import pytest
from budget import budget

import tilewright
from tilewright.hands.reading import Hand, Meld, Part, Reading
from tilewright.language.compiled.ir import Matches
from tilewright.scoring.case import read_case
from tilewright.scoring.plain.scene import HandScene, Situation
from tilewright.scoring.plain.walker import matches, rows_of
from tilewright.scoring.program.texts import TextAutomaton, automaton_of, text_places

EXPRESSIONS = [
    *("[0-9xa-f]+[tsm]", "[0-9xa-f]+[tms][NESWHVZCFP]+", "[1f]+t[NESWHVZCFP]+", "CCC|FFF|PPP", "[1-9xa-f]*s?N+"),
    *(".{3}.{3}.{3}.{3}.{2}", "(?:1|2|3)*s?Z?", "[1-9xa-f]*s?0s", "", "(?:a?b?)*[stm].{0,20}", "([0-9]+[st]){1,2}C*"),
]
UNKNOWN = [r"(.)\1", "(?=1)1s", "[^1]*", "(?:(?:a?){50}){50}b", "(?:(?:a?|b?)(?:a?|b?)(?:a?|b?)){20}C", "1+?s"]


@pytest.mark.long
@pytest.mark.parametrize("regex", EXPRESSIONS)
def test_an_automaton_says_what_the_expression_says(regex: str) -> None:
    rules, random, found = tilewright.load("uzje"), Random(5), set[bool]()
    for number in range(budget(120)):
        scene = scene_of(rules, random, number % 4)
        for anywhere in (False, True):
            for order, suits, stands_for in (("sorted", True, False), ("groups", True, True), ("sorted", False, True)):
                ir = Matches(regex, anywhere, "hand", order, suits, stands_for)
                automaton = automaton_of(ir, rules.data.tiles)
                assert automaton is not None
                said = matches(ir, scene)
                assert spelled(automaton, ir, scene) == said, (ir, scene.reading)
                found.add(said)
    assert len(found) == 2


@pytest.mark.parametrize("regex", UNKNOWN)
def test_other_expressions_have_no_automaton(regex: str) -> None:
    ir = Matches(regex)
    assert automaton_of(ir, tilewright.load("uzje").data.tiles) is None


def test_bonus_tiles_are_told_apart_by_what_expressions_say_of_them() -> None:
    """A set of four counts: other tiles are only counted."""
    rules = tilewright.load("uzje")
    kernel = rules.kernel
    assert kernel is not None

    def decided(bonus: str) -> Hashable:
        case = {"hand": "369s 5xes 9xas CCC E", "win_tile": "E", "bonus": bonus}
        return kernel.bonus.signature(read_case(rules.data, case))

    assert not kernel.bonus.asked.asks_more
    assert decided("h") == decided("r") != decided("hi") == decided("qj")
    assert decided("hijk") == decided("opqr") != decided("hijo")
    assert decided("hijkopqr") != decided("hijkopq")


def larger_first(row: list[int]) -> tuple[int, list[int]]:
    return -len(row), row


def spelled(automaton: TextAutomaton, ir: Matches, scene: HandScene) -> bool:
    """Whether some spelling of the tiles of a scene matches, each row sorted, larger ones first."""
    places, rows = text_places(scene.data.tiles), rows_of(ir, scene)
    ways = (product(*row) for row in rows)
    return any(
        automaton.matches(
            sorted((sorted(places[scene.plain(t)] for t in row) for row in way), key=lambda r: (-len(r), r))
        )
        for way in product(*ways)
    )


def scene_of(rules: tilewright.Rules, random: Random, size: int) -> HandScene:
    """A reading of some groups, with wild tiles among them; few kinds of tiles, so that expressions match."""
    parts = [part for part in rules.engine.filled or () if part is not None]
    suit = {"stm"[random.randrange(3)], random.choice("CNEFZ")}
    alike = [part for part in parts if all(rules.data.tiles.tiles[tile].code[-1] in suit for tile in part.tiles)]
    chosen = random.choices(alike, k=size + 1)
    melds = tuple(Meld(part.group, part.held, True, part.wild) for part in chosen[:1])
    lying = Part(chosen[0].group, chosen[0].tiles, True, True, wild=chosen[0].wild)
    hand = Hand(tuple(tile for part in chosen[1:] for tile in part.held), melds)
    return HandScene(rules.data, Situation(hand), Reading("regular", (lying, *chosen[1:])))
