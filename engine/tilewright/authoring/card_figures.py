"""The page of the bundled cards: every line with its value, its hands and how hard it is.

`python -m tilewright.authoring.card_figures FILE` writes it; the deals of the estimate are the same every time.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from tilewright.authoring.card_counts import Asked, Counted, count_card
from tilewright.authoring.open_rules import bundled
from tilewright.cards.text import first_language

DEALS = 200
SEED = 1
HEAD = """# The bundled cards

Written by `make docs`. *Hands* and *tile sets* are what `tilewright card process` counts; *draws* is how many tiles it
takes on average to complete a hand of the line ([Cards](cards.md#counting)), over {deals} random deals (`--difficulty
--seed {seed}`).
"""


def page() -> Iterator[str]:
    """The lines of the page."""
    yield from HEAD.format(deals=DEALS, seed=SEED).splitlines()
    for id in bundled("card"):
        yield from ("", *card_part(count_card(id, Asked(deals=DEALS, seed=SEED))))


def card_part(found: Counted) -> Iterator[str]:
    """A card as a table with its groups as rows between their lines."""
    card, processed = found.processed.card, found.processed
    yield f"## {card.name.get(first_language(card), card.id)}"
    yield ""
    yield "| line | hands | tile sets | draws |"
    yield "|---|---|---|---|"
    draws = iter(found.draws)
    for group in processed.groups:
        yield f"| **{group.group.title}** | **{group.count}** | **{group.tile_sets}** | |"
        for line in group.lines:
            mean = next(draws)
            text = line.entry.text.replace("|", "\\|")
            yield f"| `{text}` | {line.count} | {line.tile_sets} | {'' if mean is None else f'{mean:.1f}'} |"
    yield f"| **Together** | **{processed.count}** | **{processed.tile_sets}** | |"


def main(arguments: list[str]) -> None:
    """Write the page."""
    Path(arguments[0]).write_text("\n".join(page()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
