"""The catalogue: the id of a message and the values of its blanks in, its text in a language out.

Messages are in `messages/LANGUAGE/AREA.json`; the area is the part of an id before the dot. The page is served the
same files and fills them by the same rules (`web/static/js/text.js`): `{name}` is a blank, `{count|tile|tiles}` is
chosen by a number, and text in square brackets is left out if one of its blanks is empty.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

FOLDER = Path(__file__).parent / "messages"
ENGLISH = "en"
LANGUAGES = (ENGLISH, "zh", "ja")
OPTIONAL = re.compile(r"\[([^\]]*)\]")
BLANK = re.compile(r"\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}")


@dataclass(frozen=True, slots=True)
class Blank:
    """A blank of a message. `one`, `many`: the words that its number chooses between; None: it shows its value."""

    name: str
    one: str | None = None
    many: str = ""


Section = tuple[bool, tuple[str | Blank, ...]]  # whether it may be left out; its words and blanks


def say(id: str, language: str = ENGLISH, **slots: object) -> str:
    """A message as text."""
    return "".join(map(str, pieces(id, language, slots)))


def has(id: str) -> bool:
    """Whether there is such a message."""
    return id in messages(ENGLISH, id.partition(".")[0])


def known(language: str) -> str:
    """The language of the catalogue for a code as readers give it (`zh-Hant`); English for any other."""
    code = re.split("[-_]", language)[0].lower()
    return code if code in LANGUAGES else ENGLISH


def chosen(texts: Mapping[str, str], language: str) -> str:
    """A text of a ruleset: in the language, else in English, else in the first that it has; empty if there is none."""
    found = texts.get(language) or texts.get(known(language)) or texts.get(ENGLISH)
    return found or next(iter(texts.values()), "")


def translations(id: str, **slots: object) -> dict[str, str]:
    """A message in every language."""
    return {language: say(id, language, **slots) for language in LANGUAGES}


def pieces(id: str, language: str, slots: Mapping[str, T]) -> Iterator[str | T]:
    """The words of a message and the values in its blanks, in order. A slot that is None or an empty text is empty."""
    for optional, parts in sections(id, known(language)):
        names = {part.name for part in parts if isinstance(part, Blank)}
        if optional and any(slots.get(name) in (None, "") for name in names):
            continue
        for part in parts:
            if isinstance(part, str):
                yield part
            elif part.one is not None:
                yield part.one if slots[part.name] == 1 else part.many
            else:
                yield slots[part.name]


def blanks(id: str, language: str = ENGLISH) -> frozenset[str]:
    """The names of the blanks of a message."""
    parts = (part for _, parts in sections(id, known(language)) for part in parts)
    return frozenset(part.name for part in parts if isinstance(part, Blank))


@cache
def blanks_everywhere(id: str) -> frozenset[str]:
    """The names of the blanks of a message, in whatever language."""
    return frozenset().union(*(blanks(id, language) for language in LANGUAGES))


@cache
def sections(id: str, language: str) -> tuple[Section, ...]:
    """A message taken apart."""
    texts = OPTIONAL.split(messages(language, id.partition(".")[0])[id])
    return tuple((bool(at % 2), tuple(parts_of(text))) for at, text in enumerate(texts) if text)


def parts_of(text: str) -> Iterator[str | Blank]:
    """The words and blanks of a text."""
    end = 0
    for found in BLANK.finditer(text):
        if found.start() > end:
            yield text[end : found.start()]
        yield Blank(found[1], found[2], found[3] or "")
        end = found.end()
    if text[end:]:
        yield text[end:]


@cache
def messages(language: str, area: str) -> Mapping[str, str]:
    """The messages of an area by id."""
    found: dict[str, str] = json.loads((FOLDER / language / f"{area}.json").read_text(encoding="utf-8"))
    return found


def files() -> list[Path]:
    """The files of all messages."""
    return sorted(FOLDER.rglob("*.json"))
