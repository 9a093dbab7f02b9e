"""What is told of a hand before it is read: no hand that wins is turned away, many that stay below the minimum are."""

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from budget import budget

from tilewright.base.arrays import Array
from tilewright.hands.listed import Rows
from tilewright.hands.reading import Hand, Meld
from tilewright.language.compiled.ir import Lookup, Term
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.kernel.search import is_possible, may_be_form
from tilewright.play.compiled.kernel.worth import may_reach
from tilewright.play.compiled.knowledge import PlayImage, image_of
from tilewright.play.form_search import FormSearch
from tilewright.play.rules import Rules, load
from tilewright.play.value_bounds import NotBounded, ValueBounds
from tilewright.scoring.case import read_case
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.plain.scene import Situation
from tilewright.scoring.program.texts import NotPlain, plain, signs_of

pytestmark = pytest.mark.long

# An expression, its characters, how often each occurs at least, what is left of it with the letters t, s and m.
PLAIN: list[tuple[str, str, dict[str, int], str]] = [
    ("[0-3x]+[tms][NE]+", "0123xtmsNE", {}, "[mst]"),
    ("[1f]+t[NE]*", "1ftNE", {"t": 1}, "[t]"),
    ("CCCFFFPP|FFFPPPCC", "CFP", {"C": 2, "F": 3, "P": 2}, "(?:|)"),
    ("(ts|tm){2,3}d?", "tsmd", {"t": 2}, "(?:(?:[t][s]|[t][m])){2,3}"),
    ("a{3}[bs]?", "abs", {"a": 3}, "(?:[s]?){0,1}"),
]


@pytest.mark.parametrize(("text", "signs", "least", "kept"), PLAIN)
def test_plain_expressions_tell_what_they_need(text: str, signs: str, least: dict[str, int], kept: str) -> None:
    part = plain(text)
    assert signs_of(part) == frozenset(signs)
    assert part.least() == Counter(least)
    assert part.kept(frozenset("tsm")) == kept


@pytest.mark.parametrize(
    "text", ["a+?", "a++", "[^a]", ".", "a{e<=1}", "(?=a)", "(a", "a)", r"\d", "^a$", "[a&&b]", "(" * 40]
)
def test_of_other_expressions_nothing_is_told(text: str) -> None:
    with pytest.raises(NotPlain):
        plain(text)


def test_a_ruleset_without_a_minimum_has_no_bounds() -> None:
    rules = load("american")
    with pytest.raises(NotBounded):
        ValueBounds(rules.data, FormSearch(rules.judge))


@pytest.mark.parametrize(
    ("options", "share"),
    [
        ({}, 0.5),
        ({"fractions": "true", "wind_set": "compressed"}, 0.5),
        pytest.param({"threshold": "0.5"}, 0, marks=pytest.mark.soak),
    ],
)
def test_no_hand_that_wins_is_turned_away(options: dict[str, str], share: float) -> None:
    rules, chance = load("uzje", options), random.Random(9)
    image = image_of(rules.program, None)
    table, low, turned = Table(rules, image), 0, 0
    for situation in [*written_hands(rules), *(made_hand(rules, chance) for _ in range(budget(60)))]:
        holds = table.may_win(situation)
        if rules.judge.best(situation) is None:
            continue
        if rules.wins(situation):
            assert holds, situation
        else:
            low, turned = low + 1, turned + (not holds)
    assert turned >= low * share


@pytest.mark.parametrize("card", ["basic1", "paper_kite", "moon_gate"])
def test_hands_of_a_card_are_found(card: str) -> None:
    """With melds and wild tiles in them, and what the others see of it is possible as the search of lists says."""
    rules, chance = load("american", {"card": card}), random.Random(10)
    rows = rules.judge.reader.rows(rules.data.forms[0].shape)
    assert rows is not None
    table, answers, wins = Table(rules, image_of(rules.program, None)), set[bool](), 0
    for _ in range(budget(60)):
        hand = listed_hand(rules, rows, chance)
        state = table.state_of(hand)
        won = Situation(hand, True, 0, True, True, None, None, frozenset())
        assert hand.win is not None
        win = rules.program.plain[hand.win]
        if rules.wins(won):
            assert may_be_form(state, table.image.numbers, table.image.forms, 0, win)
            wins += 1
        other = chance.choice([tile for tile in range(rules.program.first) if tile not in rows.helpers])
        if rules.judge.best(replace(won, hand=replace(hand, win=other))) is None and not set(hand.tiles) & {
            *rows.helpers
        }:
            assert not may_be_form(state, table.image.numbers, table.image.forms, 0, other)
        gone = table.lay_open(state, hand, chance)
        possible = bool(rows.possible(hand.melds, gone).any())
        assert is_possible(state, table.image.numbers, table.image.forms, 0, 1) == possible
        answers.add(possible)
    assert answers == {False, True}
    assert wins >= 10


def listed_hand(rules: Rules, rows: Rows, chance: random.Random) -> Hand:
    """A hand of a list with some of its sets on the table, wild tiles among them; now and then a set of another one."""
    by_tiles, melds, rest = rules.data.groups.by_tiles, list[Meld](), list[int]()
    for tile, number in chance.choice(rows.listing.rows):
        if number > 2 and chance.random() < 0.2:
            tile, number = chance.choice(
                [one for one in chance.choice(rows.listing.rows) if one[1] > 2] or [(tile, number)]
            )
        wild = chance.randrange(3) if (tile, number) in rows.free else 0
        tiles = (*(tile,) * (number - wild), *rows.helpers[:1] * wild)
        if number > 2 and chance.random() < 0.5:
            pairs = tuple((helper, tile) for helper in rows.helpers[:1] * wild)
            melds.append(Meld(by_tiles[(tile,) * number], tiles, True, pairs))
        else:
            rest += tiles
    if not rest:
        return listed_hand(rules, rows, chance)
    chance.shuffle(rest)
    return Hand(tuple(sorted(rest[1:])), tuple(melds), rest[0])


class Table:
    """The state of a machine in which one seat has a hand."""

    def __init__(self, rules: Rules, image: PlayImage) -> None:
        self.program, self.image = rules.program, image
        bounds = image.code.writer.bounds
        self.facts = {} if bounds is None else bounds.facts
        self.tiles_of = dict[int, list[int]]()
        for tile in self.program.box:
            self.tiles_of.setdefault(self.program.face[tile], []).append(tile)

    def may_win(self, situation: Situation) -> bool:
        """Whether the machine would ask the host."""
        hand, image = situation.hand, self.image
        state, kind = self.state_of(hand), at.NONE if hand.win is None else self.program.plain[hand.win]
        if not may_be_form(state, image.numbers, image.forms, 0, kind):
            return False
        known = {"self_draw": situation.self_draw, "concealed": not any(meld.exposed for meld in hand.melds)}
        names = {ir.name: number for ir, number in self.facts.items() if isinstance(ir, Lookup | Term)}
        facts = sum(1 << number for name, number in names.items() if known.get(name, name in situation.flags))
        before = state.copy()
        found = bool(may_reach(state, image.numbers, image.forms, 0, kind, facts))
        assert (state[at.COUNT : at.MARK] == before[at.COUNT : at.MARK]).all()
        return found

    def state_of(self, hand: Hand) -> Array:
        state, used = self.image.start.copy(), Counter[int]()
        for face in hand.tiles:
            kind = self.program.plain[face]
            if (fewer := int(state[at.COUNT + kind])) < at.MOST_ALIKE:
                state[at.ALIKE + fewer] |= 1 << kind
            state[at.COUNT + kind] += 1
        row = int(self.image.numbers[at.HAND_ROW])
        state[at.ROW + row * at.MOST_TILES :][: len(hand.tiles)], state[at.ROW_END + row] = hand.tiles, len(hand.tiles)
        state[at.LAID_SIZE] = len(hand.melds)
        for number, meld in enumerate(hand.melds):
            tiles = []
            for face in meld.tiles:
                own = self.tiles_of_plain(face)
                tiles.append(own[used[face] % len(own)])
                used[face] += 1
            fields = [meld.group, meld.exposed, at.NONE, at.NONE, len(tiles), at.NONE, 1, *tiles]
            start = at.LAID + number * at.MELD
            state[start : start + len(fields)] = np.array(fields, np.int64)
        return state

    def tiles_of_plain(self, face: int) -> list[int]:
        """The tiles of the table with a face, or of all that are the same in play."""
        return self.tiles_of.get(face, []) or [t for t in self.program.box if self.program.plain[t] == face]

    def lay_open(self, state: Array, hand: Hand, chance: random.Random) -> Counter[int]:
        """Some tiles as discards of another seat, as many of them as may be; the others in the wall. The discards."""
        rows, gone = self.image.code.writer.rows, Counter[int]()
        melded = {int(tile) for start in range(len(hand.melds)) for tile in self.tiles_of_meld(state, start)}
        few = chance.choice((0.1, 0.5, 0.8))
        for tile in self.program.box:
            discarded = tile not in melded and chance.random() < few
            gone[self.program.plain[tile]] += discarded
            state[at.WHERE + tile] = rows["discards"][0] + 1 if discarded else rows["wall"][0]
        for tile in melded:
            state[at.WHERE + tile] = at.IN_MELDS
        return +gone

    @staticmethod
    def tiles_of_meld(state: Array, number: int) -> list[int]:
        start = at.LAID + number * at.MELD
        tiles: list[int] = state[start + at.LAID_TILES :][: int(state[start + at.LAID_COUNT])].tolist()
        return tiles


def written_hands(rules: Rules) -> Iterator[Situation]:
    """The hands of the examples of patterns, won on a discard and drawn."""
    for pattern in rules.data.patterns:
        for example in pattern.examples:
            for self_draw in (False, True):
                with suppress(CaseError):  # a flag may say how it was won
                    yield read_case(rules.data, {**example.case, "self_draw": self_draw})


def made_hand(rules: Rules, chance: random.Random) -> Situation:
    """A hand of four sets and a pair at random, some of the sets on the table, often of few suits."""
    data, copies = rules.data, rules.judge.reader.wild.copies
    groups, program = data.groups.groups, rules.program
    sets = [group for group in groups if "set" in group.kinds | group.meld_kinds]
    pairs = [group for group in groups if "pair" in group.kinds]
    while True:
        family = chance.choice([None, *(tile.suit for tile in data.tiles.tiles if tile.suit)])
        fitting = [one for one in sets if family is None or data.tiles.tiles[one.tiles[0]].suit in (family, None)]
        chosen, laid = [chance.choice(fitting) for _ in range(4)], chance.randrange(5)
        if chance.random() < 0.4:
            chosen[1] = chosen[0]
        melds, rest = list[Meld](), list(chance.choice(pairs).tiles)
        for number, group in enumerate(chosen):
            stands = {what: wild for wild, what in program.groups.stands_in(group.index).items() if not copies[what]}
            tiles = tuple(stands.get(tile, tile) for tile in group.tiles)
            if number < laid:
                wild = tuple((stands[tile], tile) for tile in group.tiles if tile in stands)
                melds.append(Meld(group.index, tiles, chance.random() < 0.8, wild))
            else:
                rest += tiles
        every = Counter([*rest, *(tile for meld in melds for tile in meld.tiles)])
        if any(number > copies[tile] for tile, number in every.items()) or any(len(g.tiles) > 3 for g in chosen[laid:]):
            continue
        chance.shuffle(rest)
        hand = Hand(tuple(sorted(rest[1:])), tuple(melds), rest[0])
        return Situation(hand, True, 0, True, chance.random() < 0.5, None, None, frozenset())
