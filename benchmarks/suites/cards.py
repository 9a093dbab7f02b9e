"""Cards: how fast they are processed, and how fast a hand's nearest lines are found on one of over 4,000 hands.

The large card has all lines of the bundled ones, with some more. One core, seeded hands.
"""

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

from measuring import Contender, Group, Scale, seconds

import tilewright
from tilewright.base.problem import Source
from tilewright.cards.document import read_card
from tilewright.cards.expand import process
from tilewright.cards.model import Card, CardEntry, CardGroup
from tilewright.cards.text import write_text
from tilewright.hands.draws import DEALS, difficulty
from tilewright.hands.reading import Hand
from tilewright.scoring.nearest import cards_of, nearest

CARDS = sorted((Path(__file__).parents[2] / "cards").glob("*.yaml"))
MORE = ("FFFF 11111 r22222 UQ12 X25",)
HANDS = 40  # a round
SEED = 20_261_121
LEAST_HANDS = 4_000


def groups(scale: Scale) -> Iterator[Group]:
    """The questions of this suite."""
    bundled = [opened(path) for path in CARDS]
    large = large_card(bundled)
    everyone = [Contender(one.id, partial(lines_a_second, one)) for one in (*bundled, large)]
    yield Group("processing", "cards processed", "lines/s", everyone)
    rules = rules_of(large)
    ((_, rows),) = cards_of(rules.judge)
    assert len(rows.listing.rows) >= LEAST_HANDS
    random, box = Random(SEED), list(rows.wild.copies.elements())
    hands = [Hand(tuple(sorted(random.sample(box, 13)))) for _ in range(scale.of(HANDS))]
    questions: dict[str, Callable[[Hand], object]] = {
        "missing tiles of every hand": rows.missing,
        "ten nearest lines in detail": lambda hand: nearest(rules.judge, hand, limit=10),
        "every line in detail": lambda hand: nearest(rules.judge, hand),
    }
    asked = [Contender(name, partial(milliseconds, ask, hands)) for name, ask in questions.items()]
    yield Group("nearest", f"a hand and a card of {len(rows.listing.rows):,} hands", "ms", asked)
    deals = Contender(f"{DEALS} deals", lambda turn: 1000 * seconds([partial(difficulty, rows, DEALS, turn)]))
    yield Group("draws", "draws of every line of that card", "ms", [deals], rounds=min(2, scale.rounds))


def lines_a_second(card: Card, turn: int) -> float:
    return len(process(card).lines) / seconds([partial(process, card)])


def milliseconds(ask: Callable[[Hand], object], hands: list[Hand], turn: int) -> float:
    """Of one hand."""
    return 1000 * seconds([partial(ask, hand) for hand in hands]) / len(hands)


def rules_of(card: Card) -> tilewright.Rules:
    """American with this card."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.txt"
        path.write_text(write_text(card), encoding="utf-8")
        return tilewright.load("american", mods=[str(path)])


def opened(path: Path) -> Card:
    card, problems = read_card(Source(path.name, path.read_text(encoding="utf-8")))
    assert not [problem for problem in problems if problem.severity == "error"]
    return card


def large_card(cards: list[Card]) -> Card:
    """The lines of all cards under one name, no two groups called alike."""
    groups = [replace(group, title=f"{card.id} {group.title}") for card in cards for group in card.groups]
    more = CardGroup("More", tuple(CardEntry(text) for text in MORE))
    return Card("large", {"en": "Large"}, (*groups, more))
