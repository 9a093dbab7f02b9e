"""Cards: how fast a card is processed, how fast a hand's nearest lines are found, how fast the draws are simulated.

The bundled cards one by one; then all their lines as one large card, with some more, so that it has over 4 000 hands.
One core, seeded hands. Run by `make bench`.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from statistics import median

import tilewright
from tilewright.base.problem import Source
from tilewright.cards.document import read_card
from tilewright.cards.model import Card, CardEntry, CardGroup
from tilewright.cards.process import process
from tilewright.cards.text import write_text
from tilewright.hands.draws import DEALS, difficulty
from tilewright.hands.reading import Hand
from tilewright.scoring.nearest import cards_of, nearest

CARDS = sorted((Path(__file__).parent.parent / "cards").glob("*.yaml"))
MORE = ("FFFF 11111 r22222 UQ12 X25",)
HANDS = 200
ROUNDS = 5
SEED = 20_261_121
LEAST_HANDS = 4_000


def milliseconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1000


def opened(path: Path) -> Card:
    card, problems = read_card(Source(path.name, path.read_text(encoding="utf-8")))
    assert not [problem for problem in problems if problem.severity == "error"]
    return card


def large_card(cards: list[Card]) -> Card:
    """The lines of all cards under one name, no two groups called alike."""
    groups = [replace(group, title=f"{card.id} {group.title}") for card in cards for group in card.groups]
    more = CardGroup("More", tuple(CardEntry(text) for text in MORE))
    return Card("large", {"en": "Large"}, (*groups, more))


def measure_processing(cards: list[Card]) -> None:
    print(f"{'processing, median of ' + str(ROUNDS):34}{'lines':>8}{'hands':>8}{'ms':>10}{'lines a second':>16}")
    for card in cards:
        processed = process(card)
        took = median(milliseconds(partial(process, card)) for _ in range(ROUNDS))
        lines = len(processed.lines)
        print(f"{card.id:34}{lines:8}{processed.count:8}{took:10.1f}{lines / took * 1000:16,.0f}")


def measure_nearest(card: Card) -> None:
    """Missing tiles of every hand of the card, the ten nearest lines with everything told of them, and the draws."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.txt"
        path.write_text(write_text(card), encoding="utf-8")
        rules = tilewright.load("american", mods=[str(path)])
    ((_, rows),) = cards_of(rules.judge)
    count = len(rows.listing.rows)
    assert count >= LEAST_HANDS, count
    print(f"\n{f'a card of {count} hands':34}{'ms':>10}")
    print(f"{'matrices, once, and numpy':34}{milliseconds(lambda: rows.matrix):10.2f}")
    random, box = Random(SEED), list(rows.wild.copies.elements())
    hands = [Hand(tuple(sorted(random.sample(box, 13)))) for _ in range(HANDS)]
    questions: list[tuple[str, Callable[[Hand], object]]] = [
        ("missing tiles of every hand", rows.missing),
        ("ten nearest lines, all told", lambda hand: nearest(rules.judge, hand, limit=10)),
        ("every line, all told", lambda hand: nearest(rules.judge, hand)),
    ]
    for name, ask in questions:
        print(f"{name:34}{median(milliseconds(partial(ask, hand)) for hand in hands):10.2f}")
    print(f"{f'draws of {DEALS} deals':34}{milliseconds(lambda: difficulty(rows, DEALS, SEED)):10.0f}")


if __name__ == "__main__":
    print(f"Python {sys.version.split()[0]}, one core\n")
    all_cards = [opened(path) for path in CARDS]
    large = large_card(all_cards)
    measure_processing([*all_cards, large])
    measure_nearest(large)
