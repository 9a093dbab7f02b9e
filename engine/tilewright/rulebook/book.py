"""The rulebook of a ruleset: a document made of its data alone.

A ruleset with options and mods in; sections of blocks out, in a language, to be shown as a page, HTML or Markdown.
Sentences come from the compiled rules, names and notes from the documents. Anything without words is shown as written.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from tilewright.language.compiled.ruleset import Text
from tilewright.language.documents.fields import entries, texts
from tilewright.language.documents.whole import MergedRuleset
from tilewright.language.load import load_elaborated
from tilewright.play.rules import Rules
from tilewright.rulebook.course import Course
from tilewright.rulebook.course_sentences import PlaySentences
from tilewright.rulebook.expressions import Sentences
from tilewright.rulebook.overview import card, choices, origins, tiles, what
from tilewright.rulebook.patterns import patterns
from tilewright.rulebook.scoring import match, paid_examples, payments, scoring
from tilewright.rulebook.winning_hands import hands, won_from, worked, worked_hand
from tilewright.rulebook.writing import BookBlock, Rulebook, Section, Teller, filled, spaced_section
from tilewright.scoring.rules import setting_text

ENGLISH = "en"


def rulebook_of(
    name: str, settings: Mapping[str, Any] | None = None, mods: Sequence[str] = (), language: str = ENGLISH
) -> Rulebook:
    """The rulebook of a bundled ruleset or a file. Raises RulesetError with every problem."""
    wanted = {key: setting_text(value) for key, value in (settings or {}).items()}
    found = load_elaborated(name, wanted, mods)
    return rulebook(Rules(found.data), found.merged, language)


def rulebook(rules: Rules, whole: MergedRuleset, language: str = ENGLISH) -> Rulebook:
    """The rulebook of rules. `whole`: the same before compiling."""
    teller = Teller(rules, whole, Sentences(rules.data, language, abouts_of(whole)))
    found = without_idle_classes([section_of(teller, id, blocks) for id, blocks in sections(teller)])
    kept = tuple(one for one in found if one.blocks)
    words = {key: teller.frame(key) for key in ("counts", "does_not", "exposed", "besides", "contents")}
    words |= {key: teller.within(key, text="{}") for key in ("colon", "brackets")}
    words["made_from"] = teller.frame("made_from", digest=rules.data.text_digest[:12])
    return Rulebook(
        rules.data.id,
        teller.say.named(rules.data.id, rules.data.name),
        language,
        rules.data.text_digest,
        kept,
        rules.data.tiles,
        words,
    )


def section_of(teller: Teller, id: str, blocks: Iterable[BookBlock]) -> Section:
    """A section with what there is to see of its blocks."""
    return spaced_section(teller.say, Section(id, teller.title(id), filled(blocks)))


def abouts_of(whole: MergedRuleset) -> dict[str, Text]:
    """Notes on marks and terms."""
    parts = [*entries(whole.document, "marks"), *entries(whole.document, "terms")]
    return {id: texts(node.get("about")) for id, node in parts if "about" in node.entries}


def sections(teller: Teller) -> Iterator[tuple[str, Iterator[BookBlock]]]:
    """Every section with its blocks."""
    play = teller.data.play
    worded = frozenset(id for part, id in teller.wordings if part == "actions")
    course = None if play is None else Course(teller, PlaySentences(teller.say, play, worded=worded))
    yield "what", what(teller)
    yield "tiles", tiles(teller)
    if course is not None:
        yield "deal", course.deal()
        yield "turn", course.turn()
        yield "claims", course.claims()
        yield "ends", course.ends()
    yield "hands", chain(hands(teller), () if course is None else course.may_not_win())
    hand = worked_hand(teller)
    yield "scoring", chain(scoring(teller), () if hand is None else worked(teller, hand))
    yield "card", card(teller)
    yield "patterns", patterns(teller)
    yield "payments", chain(payments(teller, paid_examples(teller)), () if hand is None else won_from(teller, hand))
    yield "match", match(teller)
    yield "choices", choices(teller)
    if course is not None:
        yield "words", course.words()
    yield "sources", origins(teller)


# --- classes of tiles


def without_idle_classes(found: Sequence[Section]) -> list[Section]:
    """The sections without the classes of tiles of which none of them speaks."""
    said = " ".join(
        text for one in found if one.id != "tiles" for block in one.blocks for text in texts_in(block)
    ).lower()
    kept = []
    for one in found:
        blocks = list(one.blocks)
        at = next((at for at, block in enumerate(blocks) if block.id == "classes"), len(blocks))
        blocks[at + 1 :] = [block for block in blocks[at + 1 :] if block.label.lower() in said]
        kept.append(replace(one, blocks=tuple(blocks[:at] if len(blocks) == at + 1 else blocks)))
    return kept


def texts_in(block: BookBlock) -> Iterator[str]:
    yield from (block.text, *block.items, *(cell for row in block.rows for cell in row))
    for inner in block.blocks:
        yield from texts_in(inner)
