"""Card jobs: the text of a card in; its drawing, problems and counts as plain data out.

Runs in a process for untrusted texts, with a limit on time and memory; everything is bounded here as well. Knows no
server, no person and no user file.
"""

import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tilewright.base.document import parse
from tilewright.base.problem import Problem, RulesetError, Source
from tilewright.cards.check import problems_of_card
from tilewright.cards.codes import CODES
from tilewright.cards.document import card_of, refuse_program
from tilewright.cards.expand import (
    Processed,
    ProcessedGroup,
    ProcessedLine,
    as_typed,
    bare_card,
    process,
    understood,
    write_hand,
    write_sets,
)
from tilewright.cards.faults import MOST_CHARACTERS
from tilewright.cards.line import readable
from tilewright.cards.model import Card, CardCode, CardEntry, CardGroup, CardLineText, CardPattern
from tilewright.cards.text import first_language, read_text, told_of, write_text
from tilewright.language.documents.cards import MOST_PLAYED
from tilewright.language.documents.library import claims_to_be_ours, is_document, newest
from tilewright.language.documents.shape import check_shape
from tilewright.paper.files import FORMATS
from tilewright.paper.html import picture
from tilewright.paper.layout import PrintRow
from tilewright.paper.sheet import PAPERS, pages, parts_json
from tilewright.paper.small_print import spoken
from tilewright.presentation.catalogue import LANGUAGES
from tilewright.presentation.markup import written
from tilewright.web.protocol.spec import MOST_CARD_TEXT

Plain = dict[str, Any]

MOST_LISTED = 300  # hands of a line that are listed
MOST_AT_ONCE = 4_000  # hands whose draws are found in one call
MOST_LINES = 400  # whose draws are requested at once
DEALS = 200
SEED = 1
SECONDS = 3.0  # after which no more lines are started
PLAIN = "card.txt"
TYPES = {  # of exported cards
    "code": ("txt", "text/plain"),
    "yaml": ("yaml", "application/yaml"),
    "json": ("json", "application/json"),
    "svg": ("svg", "image/svg+xml"),
    "html": ("html", "text/html"),
}


# --- a card drawn


def draw(payload: Plain) -> Plain:
    """A card as a page draws it: its groups and lines, its problems with their places; with `process`, its counts; with
    `paper`, its sheets."""
    card, problems = read_text(Source(PLAIN, text_in(payload)))
    found = process(card, MOST_PLAYED) if payload.get("process") else unprocessed(card)
    distinct = dict.fromkeys([*problems, *problems_of_card(card, found)])
    return {
        **head_json(card),
        **counts_json(found, payload),
        "groups": [group_json(group, payload) for group in found.groups],
        "problems": [problem_json(problem) for problem in in_order(distinct)],
        **(sheets(payload) if payload.get("paper") else {}),
    }


def text_in(payload: Mapping[str, Any]) -> str:
    """The text of a card, cut just above the limit if it is too long."""
    return str(payload.get("text", ""))[: MOST_CARD_TEXT + 1]


def unprocessed(card: Card) -> Processed:
    """The card with its lines read, without their hands."""
    groups = [ProcessedGroup(group, tuple(map(only_read, group.entries)), 0, 0) for group in card.groups]
    return Processed(card, tuple(groups), 0, 0)


def only_read(entry: CardEntry) -> ProcessedLine:
    return ProcessedLine(entry, *understood(entry.text))


def in_order(problems: Mapping[Problem, None]) -> list[Problem]:
    """Problems in the order of the text."""
    return sorted(problems, key=lambda one: (one.place.line, one.place.column) if one.place else (0, 0))


def head_json(card: Card) -> Plain:
    """The head of a card."""
    name = card.name.get(first_language(card), "")
    return {"id": card.id, "name": name, "names": dict(card.name), "about": told_of(card), "source": card.source}


def counts_json(counted: Processed | ProcessedGroup | ProcessedLine, payload: Mapping[str, Any]) -> Plain:
    """How many hands and tile sets, if requested."""
    if not payload.get("process") or (isinstance(counted, ProcessedLine) and counted.error):
        return {}
    return {"hands": counted.count, "tile_sets": counted.tile_sets}


def group_json(found: ProcessedGroup, payload: Mapping[str, Any]) -> Plain:
    """A group with its lines; `row`: of the title, None for lines before the first title."""
    group = found.group
    return {
        "title": group.title,
        "note": group.note,
        "row": group.place.line if group.place else None,
        **counts_json(found, payload),
        "lines": [line_json(line, payload) for line in found.lines],
    }


def line_json(found: ProcessedLine, payload: Mapping[str, Any]) -> Plain:
    """A line; a refused one is drawn as far as it can be read, and has no words."""
    line, entry = found.line or as_far_as_readable(found.entry.text), found.entry
    place = entry.at(0, 1) if entry.at else None
    return {
        "row": place.line if place else None,
        "column": place.column if place else None,
        "text": entry.text,
        "note": entry.note,
        "good": found.line is not None and found.error is None,
        "patterns": [list(sets_json(line, pattern)) for pattern in line.patterns] if line else [],
        "tiles": [pattern.tiles for pattern in line.patterns] if line else [],
        **(words_json(found) if found.line else {}),
        **counts_json(found, payload),
    }


def as_far_as_readable(text: str) -> CardLineText | None:
    """The readable part of a refused line."""
    return readable(text)[0] if text.strip() and len(text) <= MOST_CHARACTERS else None


def sets_json(line: CardLineText, pattern: CardPattern) -> Iterator[Plain]:
    """Sets and signs in order; `at` and `length`: the position of a set in the text of the line."""
    if not pattern.sets:
        return
    sets = iter(pattern.sets)
    for part in parts_json(line, pattern):
        if "set" in part:
            one = next(sets)
            part |= {"at": one.offset, "length": one.count}
        yield part


def words_json(found: ProcessedLine) -> Plain:
    """A line in words: read aloud, its small print, its codes."""
    line, entry = found.line, found.entry
    assert line is not None
    row = PrintRow("", entry.text, entry.note, line, found.faults)
    return {
        "spoken": {language: spoken(line, language) for language in LANGUAGES},
        "remark": {language: row.said(language) for language in LANGUAGES},
        "codes": [code_json(code) for code in line.codes],
        "exposed": line.exposed,
        "value": line.value,
    }


def code_json(code: CardCode) -> Plain:
    return {"letter": code.letter, "code": code.letter + code.chars, "says": CODES[code.letter].says, "at": code.offset}


def problem_json(problem: Problem) -> Plain:
    """A problem with its place; columns count characters from 1."""
    place = problem.place
    at = {"line": place.line, "column": place.column, "length": place.length} if place else {}
    hint = {"hint": problem.hint} if problem.hint else {}
    return {"code": problem.code, "message": problem.message, "severity": problem.severity, **hint, **at}


# --- on paper


def sheets(payload: Mapping[str, Any]) -> Plain:
    """Every page as a picture without style: the page that shows it has the style sheet."""
    card, _ = read_text(Source(PLAIN, text_in(payload)))
    paper = payload.get("paper")
    paper = paper if paper in PAPERS else "a4"
    found = [written(picture(card, [page], styled=False)) for page in pages(card, paper)]
    return {"paper": paper, "across": PAPERS[paper].across, "down": PAPERS[paper].down, "sheets": found}


# --- hands and their difficulty


def hands(payload: Plain) -> Plain:
    """The hands of one line: how many, and the first of them, as text and as tiles of the ruleset for cards."""
    text = str(payload.get("line", ""))[: MOST_CHARACTERS + 1]
    line = bare_card([text]).lines[0]
    if line.line is None or line.error:
        return {"hands": 0, "tile_sets": 0, "listed": []}
    typed = as_typed(line.line)
    written = [write_sets(typed[one]) if one in typed else write_hand(one) for one in line.hands[:MOST_LISTED]]
    tiles = list(tiles_of(line)) if line.count <= MOST_AT_ONCE else []
    listed = [{"text": one, "sets": tiles[at] if at < len(tiles) else []} for at, one in enumerate(written)]
    return {"hands": line.count, "tile_sets": line.tile_sets, "listed": listed, "ruleset": player_of_cards()}


def tiles_of(line: ProcessedLine) -> Iterator[list[list[str]]]:
    """The first hands of a line, each set as codes of tiles."""
    from tilewright.scoring.nearest import cards_of  # imported here because it is slow

    rules = rules_of([line.entry.text])
    _, rows = next(iter(cards_of(rules.judge)))
    tiles = rules.data.tiles.tiles
    for row in rows.listing.rows[:MOST_LISTED]:
        yield [[tiles[tile].code] * count for tile, count in row]


def difficulty(payload: Plain) -> Plain:
    """The mean draws of lines, by their text: of as many as there is time for, the others in `left`. A refused line has
    None."""
    asked = payload.get("lines")
    texts = [str(text)[: MOST_CHARACTERS + 1] for text in asked if str(text).strip()] if isinstance(asked, list) else []
    processed = bare_card(list(dict.fromkeys(texts))[:MOST_LINES]).lines
    found: dict[str, float | None] = {line.entry.text: None for line in processed if line.error or not line.count}
    end = time.monotonic() + SECONDS
    rest = [line for line in processed if not line.error and line.count]
    while rest and time.monotonic() < end:
        some, rest = portion(rest)
        found |= draws_of_lines([line.entry.text for line in some])
    return {"draws": found, "left": [line.entry.text for line in rest], "deals": DEALS}


def portion(lines: Sequence[ProcessedLine]) -> tuple[list[ProcessedLine], list[ProcessedLine]]:
    """As many lines as stay below the limit of hands, at least one; and the others."""
    count, taken = 0, 0
    for line in lines:
        count += line.count
        if taken and count > MOST_AT_ONCE:
            break
        taken += 1
    return list(lines[:taken]), list(lines[taken:])


def draws_of_lines(texts: Sequence[str]) -> dict[str, float | None]:
    """The mean draws of valid lines. Each line has deals of its own, so its result does not depend on the others."""
    from tilewright.authoring.cards import draws_of

    return dict(zip(texts, draws_of(rules_of(texts), DEALS, SEED), strict=True))


def rules_of(texts: Sequence[str]) -> Any:
    """The ruleset for cards, with a card of these lines."""
    from tilewright.authoring.open_rules import RulesChoice, rules_with

    card = Card("lines", {"en": "Lines"}, (CardGroup("Lines", tuple(CardEntry(text) for text in texts)),))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / PLAIN
        path.write_text(write_text(card), encoding="utf-8")
        return rules_with(path, player_of_cards(), RulesChoice())


@cache
def player_of_cards() -> str:
    from tilewright.authoring.open_rules import played_with_cards

    return played_with_cards()


# --- import and export


def take_in(payload: Plain) -> Plain:
    """The text of a file as the text of a card: YAML and JSON are converted, plain text stays as typed. `text` is None
    if it cannot be converted; `problems` say why, or are those of the result."""
    text, name = text_in(payload), str(payload.get("name", ""))
    try:
        refuse_program(text[:40].encode("utf-8", "replace"), PLAIN)
        if is_document(Path(name)) or claims_to_be_ours(text):
            return document_taken_in(text)
    except RulesetError as error:
        return {"text": None, "problems": [problem_json(one) for one in error.problems]}
    card, problems = read_text(Source(PLAIN, text))
    return {"text": text, **head_json(card), "problems": [problem_json(one) for one in problems]}


def document_taken_in(text: str) -> Plain:
    """A card in YAML, as plain text. Raises RulesetError for invalid YAML."""
    document = newest(parse(Source("card.yaml", text)))
    card, problems = card_of(document, tuple(check_shape(document)))
    lines = sum(len(group.entries) for group in card.groups)
    wrong = [problem_json(one) for one in problems]
    return {"text": write_text(card) if lines else None, **head_json(card), "problems": wrong}


def give_out(payload: Plain) -> Plain:
    """A card as a file: its name, its type and its text."""
    format = str(payload.get("format", "code"))
    ending, type = TYPES.get(format, TYPES["code"])
    card, _ = read_text(Source(PLAIN, text_in(payload)))
    paper = payload.get("paper")
    text = FORMATS[format if format in TYPES else "code"](card, paper if paper in PAPERS else "a4", False)
    return {"file": f"{card.id[:60]}.{ending}", "type": type, "text": text}
