"""Spacing of a script without spaces: none between sentences, and beside numbers what the language has there."""

import re
from dataclasses import replace

from tilewright.rulebook.sentences.expressions import Sentences
from tilewright.rulebook.writing.blocks import BookBlock, Section

GAP = re.compile(r"(?<=[\u2e80-\uffef]) +(?=[\u2e80-\uffef])")
BESIDE_NUMBER = re.compile(r"(?<=[\u3400-\u9fff])(?=[0-9A-Za-z])|(?<=[0-9A-Za-z])(?=[\u3400-\u9fff])")


def spaced(say: Sentences, text: str) -> str:
    """A text as the language spaces it."""
    return text if say.is_spaced else BESIDE_NUMBER.sub(say.number_gap, GAP.sub("", text))


def spaced_section(say: Sentences, section: Section) -> Section:
    """A section with all its texts so."""
    if say.is_spaced:
        return section
    return replace(section, blocks=tuple(spaced_block(say, block) for block in section.blocks))


def spaced_block(say: Sentences, block: BookBlock) -> BookBlock:
    return replace(
        block,
        text=spaced(say, block.text),
        label=spaced(say, block.label),
        worth=spaced(say, block.worth),
        items=tuple(spaced(say, item) for item in block.items),
        head=tuple(spaced(say, cell) for cell in block.head),
        rows=tuple(tuple(spaced(say, cell) for cell in row) for row in block.rows),
        blocks=tuple(spaced_block(say, inner) for inner in block.blocks),
    )
