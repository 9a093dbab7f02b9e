"""The score card of a ruleset: all patterns by worth with tiles, tables and sentences. Rules in, knows no paper."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from tilewright.language.compiled.ir import Const, Ir, Matches, nodes
from tilewright.language.compiled.ruleset import Measure, Pattern
from tilewright.language.load import load_elaborated
from tilewright.paper.sheet import SheetSection, sections_of
from tilewright.play.rules import Rules
from tilewright.presentation.catalogue import ENGLISH
from tilewright.rulebook.book import abouts_of, section_of
from tilewright.rulebook.clauses import sentence
from tilewright.rulebook.expressions import Sentences
from tilewright.rulebook.patterns import amounts, conditions, letters_text, pictured, tautologies, worth
from tilewright.rulebook.scoring import measure_sentences, minimum, payments, scoring
from tilewright.rulebook.writing import BookBlock, Codes, Section, Teller, spaced
from tilewright.scoring.rules import setting_text
from tilewright.tiles.tileset import TileSet

Key = tuple[tuple[str, Fraction | None], ...]  # measures with fixed amounts, or one that depends on the hand


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A pattern. `worth`: where that of its group does not say it all; `tiles`: groups of a hand that has it;
    `sentences`: when it counts."""

    id: str
    name: str
    worth: str
    tiles: tuple[Codes, ...]
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScoreGroup:
    """Patterns of one worth, which is the title."""

    title: str
    rows: tuple[ScoreRow, ...]


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """Rows of as many cells as the head has."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


@dataclass(frozen=True, slots=True)
class ScoreNotes:
    """A title with tables, each of rows under a head and perhaps a caption, and paragraphs."""

    title: str
    tables: tuple[ScoreTable, ...]
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScoreCard:
    """All of it. `cards`: the lines of cards of hands that are played."""

    id: str
    title: str
    language: str
    digest: str
    groups: tuple[ScoreGroup, ...]
    cards: tuple[SheetSection, ...]
    notes: tuple[ScoreNotes, ...]
    tiles: TileSet = field(repr=False)


def score_card_of(
    name: str, settings: Mapping[str, Any] | None = None, mods: Sequence[str] = (), language: str = ENGLISH
) -> ScoreCard:
    """The score card of a bundled ruleset or a file. Raises RulesetError with every problem."""
    wanted = {key: setting_text(value) for key, value in (settings or {}).items()}
    found = load_elaborated(name, wanted, mods)
    rules = Rules(found.data)
    teller = Teller(rules, found.merged, Sentences(found.data, language, abouts_of(found.merged)))
    measures = (sentence(teller.say.measure(one.id), "") for one in found.data.scoring.measures)
    known = (
        *(teller.frame("sum", measure=one) for one in measures),
        *(" ".join(measure_sentences(teller, one)) for one in found.data.scoring.measures if tells_all(one)),
    )
    idle = frozenset(spaced(teller.say, one) for one in known)
    said = (minimum(teller, in_full=False), letters_text(teller))
    needed = [BookBlock("text", one) for one in said if one]
    parts = {"scoring": [*scoring(teller), *needed], "payments": [*payments(teller, examples={})]}
    notes = (section_of(teller, id, blocks) for id, blocks in parts.items())
    cards = (told(part, language) for played in found.merged.cards.values() for part in sections_of(played.card.card))
    return ScoreCard(
        found.data.id,
        teller.say.named(found.data.id, found.data.name),
        language,
        found.data.text_digest,
        tuple(groups_of(teller)),
        tuple(cards),
        tuple(notes_of(one, idle) for one in notes if one.blocks),
        found.data.tiles,
    )


def tells_all(measure: Measure) -> bool:
    """Whether its table says how a measure is counted: under a head that says from what."""
    return bool(measure.table) and measure.value is not None and measure.cap is None


def told(section: SheetSection, language: str) -> SheetSection:
    """Lines of a card, with their small print in the language."""
    return replace(section, rows=tuple(replace(row, note=row.said(language)) for row in section.rows))


# --- patterns


def groups_of(teller: Teller) -> Iterator[ScoreGroup]:
    """The patterns by worth: measure by measure, each up or down as most of the document goes; at the end of a measure
    those that depend on the hand."""
    found: dict[Key, list[Pattern]] = {}
    for pattern in teller.data.patterns:
        if pattern.worth:
            found.setdefault(key_of(pattern), []).append(pattern)
    sign = -1 if is_descending(teller.data.patterns) else 1
    places = {one.id: place for place, one in enumerate(teller.data.scoring.measures)}

    def place(key: Key) -> tuple[tuple[int, bool, Fraction], ...]:
        return tuple((places[measure], amount is None, sign * (amount or Fraction(0))) for measure, amount in key)

    for key in sorted(found, key=place):
        title = title_of(teller, found[key][0], key)
        yield ScoreGroup(title, tuple(row_of(teller, pattern, title) for pattern in found[key]))


def key_of(pattern: Pattern) -> Key:
    """What patterns of one group have in common."""
    parts = {measure: fixed_amount(ir) for measure, ir in pattern.worth.items()}
    fixed = tuple((measure, amount) for measure, amount in parts.items() if amount is not None)
    return fixed or ((next(iter(parts)), None),)


def fixed_amount(ir: Ir) -> Fraction | None:
    return Fraction(ir.value) if isinstance(ir, Const) and isinstance(ir.value, int | Fraction) else None


def is_descending(patterns: Sequence[Pattern]) -> bool:
    """Whether the worth falls more often than it rises, from one pattern to the next of the same measure."""
    keys = [key_of(pattern)[0] for pattern in patterns if pattern.worth]
    steps = [
        after[1] - before[1]
        for before, after in pairwise(keys)
        if before[0] == after[0] and before[1] is not None and after[1] is not None
    ]
    return sum(step < 0 for step in steps) > sum(step > 0 for step in steps)


def title_of(teller: Teller, pattern: Pattern, key: Key) -> str:
    if key[0][1] is None:
        return sentence(teller.say.measure(key[0][0]), "")
    return amounts(teller, {measure: pattern.worth[measure] for measure, _ in key})


def row_of(teller: Teller, pattern: Pattern, title: str) -> ScoreRow:
    shown = worth(teller, pattern)
    name = teller.say.named(pattern.id, pattern.name)
    note = teller.note("patterns", pattern.id) or teller.wording("patterns", pattern.id)
    coded = pattern.when is not None and any(isinstance(node, Matches) for node in nodes(pattern.when))
    found = () if coded else conditions(teller, pattern)  # nobody reads a regex on paper
    idle = {title, *tautologies(teller, name)}
    sentences = (note,) if note else tuple(sentence(one) for one in found if one not in idle)
    drawn = (pictured(teller, example) for example in pattern.examples if example.yes)
    return ScoreRow(
        pattern.id,
        name,
        "" if shown == title else spaced(teller.say, shown),
        next((tiles_of(block) for block in drawn if block is not None), ()),
        tuple(spaced(teller.say, one) for one in sentences),
    )


def tiles_of(example: BookBlock) -> tuple[Codes, ...]:
    """The groups of an example: those in the hand, the last tile, those on the table, flowers."""
    groups = (*example.groups, (example.win,) if example.win else (), *example.melds, example.bonus)
    return tuple(group for group in groups if group)


# --- tables and sentences


def notes_of(section: Section, idle: frozenset[str]) -> ScoreNotes:
    """The tables and the sentences of a section of the rulebook, without `idle` ones; a heading begins the sentence
    that follows it, and a sentence right before a table of many columns is its caption."""
    tables, paragraphs, heading = list[ScoreTable](), list[str](), ""
    for block in section.blocks:
        if block.block == "table":
            captioned = len(block.head) > 2 and paragraphs
            tables.append(ScoreTable(block.head, block.rows, paragraphs.pop() if captioned else ""))
        texts = block.items if block.block == "list" else (block.text,) if block.block == "text" else ()
        for text in texts:
            if text and text not in idle:
                paragraphs.append(f"{heading} – {text}" if heading else text)
                heading = ""
        if block.block == "heading":
            heading = block.text
    return ScoreNotes(section.title, tuple(tables), tuple(paragraphs))
