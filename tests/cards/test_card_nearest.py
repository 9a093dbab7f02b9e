"""How near hands are to the hands of cards: against a matcher that tries every way to hand out wild tiles.

Cards are lines of the first card and random ones; hands are near one of their hands, with wild tiles and melds.
"""

from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from budget import budget
from oracles.card_lines import Hand as CardHand
from oracles.card_lines import Listed, Refused, listed, read
from oracles.card_nearest import BOX, WILD, Held, Meld, live, missing, possible
from oracles.random_card_lines import drafts
from ruamel.yaml import YAML

import tilewright
from tilewright.hands.listed import NEVER, Rows
from tilewright.hands.reading import Listing
from tilewright.scoring.case import read_case
from tilewright.tiles.notation import parse_tiles

ROOT = Path(__file__).parents[2]
LISTINGS = budget(7)
HANDS_OF_EACH = 10
HANDS_OF_A_CARD = budget(25)
ROWS = 24  # hands of one listing
SUITS = {"m": "s", "c": "m", "d": "p"}
OTHERS = {"G": "F", "R": "C", "0": "P", **dict(zip("NEWS", "NEWS", strict=True)), WILD: "J"}
FLOWERS = [f"{number}{kind}" for kind in "fg" for number in "1234"]


@cache
def rules(*mods: str) -> tilewright.Rules:
    return tilewright.load("american", mods=mods)


def code(tile: str, random: Random) -> str:
    """The tile in the ruleset's notation; flowers are all alike."""
    if tile == "F":
        return random.choice(FLOWERS)
    return OTHERS[tile] if tile in OTHERS else tile[1] + SUITS[tile[0]]


def plain(tile: str) -> int:
    found = rules().data.tiles.by_code(code(tile, Random(0)))
    assert found is not None
    return found.plain


@cache
def lines() -> list[tuple[str, Listed]]:
    """Lines of the first card, and random ones."""
    first = YAML(typ="safe", pure=True).load((ROOT / "tests" / "drafts" / "basic1.yaml").read_text("utf-8"))
    found = [(text, listed(text)) for group in first["groups"].values() for text in group]
    for draft in drafts(150, seed=3):
        try:
            text = draft.plain().strip()
            found.append((text, listed(text)))
        except Refused:
            continue
    return found


def a_hand(hands: list[CardHand], random: Random, seen: tuple[int, ...]) -> Held:
    """Near one of the hands: some sets are melds, some tiles wild, some anything. `seen`: so many tiles are gone."""
    deck, tiles, melds = BOX.copy(), Counter[str](), []
    melding, spoilt, wild = random.random() < 0.6, random.random() * 0.6, random.random() * 0.3
    for tile, count in random.choice(hands):
        faces = Counter(WILD if count > 2 and random.random() < wild else tile for _ in range(count))
        if melding and 2 < count < 7 and random.random() < 0.4 and faces[tile] and faces <= deck:
            melds.append(Meld(tile, count, faces[WILD], random.random() < 0.9))
            deck -= faces
            continue
        for face in faces.elements():
            if not deck[face] or random.random() < spoilt:
                face = random.choice(list(deck.elements()))
            tiles[face] += 1
            deck[face] -= 1
    gone = Counter(random.sample(list(deck.elements()), random.choice(seen)))
    if random.random() < 0.3:  # wild tiles become scarce
        gone[WILD] = max(gone[WILD], deck[WILD] - random.randint(0, 2))
    return Held(tiles, tuple(melds), gone)


def case(held: Held, random: Random) -> dict[str, Any]:
    """The hand as a case."""
    melds = []
    for meld in held.melds:
        faces = [code(tile, random) for tile in [meld.tile] * (meld.count - meld.wild) + [WILD] * meld.wild]
        melds.append({"tiles": faces, "concealed": not meld.exposed})
    return {"hand": [code(tile, random) for tile in held.tiles.elements()], "melds": melds, "winner": False}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(LISTINGS))
def test_rows(seed: int) -> None:
    """Tiles missing of every row, which rows are possible, and the live tiles of the nearest."""
    random = Random(f"rows {seed}")
    rows: list[tuple[int, CardHand, bool]] = []
    for entry, (text, found) in enumerate(random.sample(lines(), 8)):
        chosen = random.sample(sorted(found.hands), min(len(found.hands), ROWS // 8))
        rows += [(entry, hand, not read(text).exposed) for hand in chosen]
    sets = tuple(tuple((plain(tile), count) for tile, count in hand) for _, hand, _ in rows)
    listing = Listing(
        sets, tuple(entry for entry, _, _ in rows), frozenset(entry for entry, _, closed in rows if closed)
    )
    asked = Rows(rules().data.tiles, rules().data.groups, listing)
    for _ in range(HANDS_OF_EACH):
        held = a_hand([hand for _, hand, _ in rows], random, (0, 0, 20, 50, 90))
        hand = read_case(rules().data, case(held, random)).hand
        gone = Counter({plain(tile): count for tile, count in held.gone.items()})
        expected = [missing(hand, held, closed) for _, hand, closed in rows]
        found = asked.missing(hand, gone).tolist()
        assert found == [NEVER if number is None else number for number in expected], held
        assert asked.possible(hand.melds, gone).tolist() == [
            possible(hand, held, closed) for _, hand, closed in rows
        ], held
        nearest = min((row for row in range(len(rows)) if found[row] < NEVER), key=lambda row: found[row], default=None)
        if nearest is not None:
            assert asked.live(hand, gone).tolist()[nearest] == live(rows[nearest][1], held), (held, rows[nearest])


@pytest.mark.slow
def test_lines_of_a_card(tmp_path: Path) -> None:
    """The same asked of rules that are played with the card: every hand of every line."""
    random = Random("card")
    few = [(text, found) for text, found in lines() if len(found.hands) <= 6]
    chosen = [*few[:8], *random.sample(few[8:], 8)]  # of the first card, and others
    path = tmp_path / "mine.txt"
    path.write_text("\n".join(["Mine", "“All”", *(text for text, _ in chosen)]), "utf-8")
    played = rules(str(path))
    hands = [(text, hand, not read(text).exposed) for text, found in chosen for hand in found.hands]
    for _ in range(HANDS_OF_A_CARD):
        held = a_hand([hand for _, hand, _ in hands], random, (0, 0, 20, 40))
        told = case(held, random)
        seen = [code(tile, random) for tile in held.gone.elements()]
        near = played.nearest(told["hand"], told["melds"], seen=seen, every=True)
        expected = Counter(
            (text, tuple(sorted((plain(tile), count) for tile, count in hand)), number)
            for text, hand, closed in hands
            if (number := missing(hand, held, closed)) is not None
        )
        assert Counter((one.line, sets_told(one.hand), one.missing) for one in near.hands) == expected, held
        assert near.possible == bool(expected), held


def sets_told(hand: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """The sets of a hand as they are written, as tiles and how many."""
    tiles = rules().data.tiles
    sets = [parse_tiles(text, tiles) for text in hand]
    return tuple(sorted((tiles.tiles[faces[0]].plain, len(faces)) for faces in sets))
