"""The card that is played: its lines with their descriptions."""

from collections.abc import Iterator

from tilewright.paper.sheet import sections_of
from tilewright.rulebook.writing.blocks import BookBlock
from tilewright.rulebook.writing.teller import Teller


def card(teller: Teller) -> Iterator[BookBlock]:
    """The lines of the card that is played, with their descriptions."""
    for option, played in teller.whole.cards.items():
        yield BookBlock("heading", teller.say.named(option, played.card.card.name))
        for one in sections_of(played.card.card):
            rows = [
                (
                    row.text,
                    str(row.line.value) if row.line else "",
                    teller.within("open" if row.line and row.line.exposed else "closed"),
                    row.said(teller.say.language),
                )
                for row in one.rows
            ]
            yield BookBlock("heading", one.group.title + (f" ({one.group.note})" if one.group.note else ""))
            head = tuple(teller.within(key) for key in ("line", "value", "shown", "meaning"))
            yield BookBlock("table", head=head, rows=tuple(rows))
