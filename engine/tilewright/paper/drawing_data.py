"""A card as plain data for drawing: for pages that draw it themselves and do not know the card language."""

from collections.abc import Iterator
from typing import Any

from tilewright.cards.model import Card, CardLineText, CardPattern
from tilewright.paper.layout import PrintRow
from tilewright.paper.sheet import SheetSection, sections_of
from tilewright.paper.small_print import joined_sets, signs_at, suit_of


def drawn_json(card: Card) -> dict[str, Any]:
    """The shape in docs/cards.md ("For programs")."""
    groups = [group_json(section) for section in sections_of(card)]
    return {"id": card.id, "name": dict(card.name), "about": card.about, "source": card.source, "groups": groups}


def group_json(section: SheetSection) -> dict[str, Any]:
    """A title with its lines."""
    lines = [row_json(row) for row in section.rows]
    return {"title": section.group.title, "note": section.group.note, "lines": lines}


def row_json(row: PrintRow) -> dict[str, Any]:
    """A line: what to draw, or why nothing is drawn."""
    if row.line is None:
        return {"line": row.text, "error": row.words}
    return {
        "line": row.text,
        "patterns": [list(parts_json(row.line, pattern)) for pattern in row.line.patterns],
        "remark": row.words,
        "exposed": row.line.exposed,
        "value": row.line.value,
    }


def parts_json(line: CardLineText, pattern: CardPattern) -> Iterator[dict[str, Any]]:
    """Its sets and signs in order."""
    for at, (one, joined) in enumerate(zip(pattern.sets, joined_sets(line, pattern), strict=True)):
        yield from signs_json(pattern, at)
        yield {"set": one.letter * one.count, "colour": suit_of(one) or None, "joined": joined}
    yield from signs_json(pattern, len(pattern.sets))


def signs_json(pattern: CardPattern, at: int) -> Iterator[dict[str, Any]]:
    """The signs in front of a set, or behind the last."""
    return ({"sign": sign} for sign in signs_at(pattern, at))
