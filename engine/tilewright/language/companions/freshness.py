"""Freshness: whether translations still fit the texts that they were made of. A joined document in, problems out.

What is missing is no mistake: the text is shown in the language of the document.
"""

from collections.abc import Iterator

from tilewright.base.node import Mapping, Node, Scalar
from tilewright.base.problem import Problem
from tilewright.base.spelling import hint
from tilewright.language.companions.joining import (
    OWN_LANGUAGE,
    TEXTS,
    WAS,
    TextPlaces,
    companions_of,
    texts_for,
    translation_in,
    word_at,
)

MOST_SHOWN = 60  # characters of a text


def translation_problems(document: Mapping, places: TextPlaces) -> Iterator[Problem]:
    """The texts of a document's companions that have no place in it, or were made of another text."""
    for companion in companions_of(document):
        if word_at(companion, "kind") == TEXTS:
            yield from problems_below(document, companion, word_at(companion, "language"), places)


def problems_below(node: Node, texts: Node, language: str, places: TextPlaces) -> Iterator[Problem]:
    for at in texts_for(node, texts, language, places):
        if at.is_text:
            if at.node is None and translation_in(at.texts, language) is not None:
                yield unknown_text(at.key, node)
            elif (problem := unfit(at.key, at.node, at.texts, language)) is not None:
                yield problem
        elif at.node is None or isinstance(at.node, Scalar) or not isinstance(at.texts, Mapping):
            yield unknown_text(at.key, node)
        else:
            yield from problems_below(at.node, at.texts, language, at.places)


def unfit(key: Scalar, node: Node | None, text: Node, language: str) -> Problem | None:
    """Why a translation does not fit what it stands for."""
    if not isinstance(text, Mapping):
        return None  # a translation that does not say what it was made of
    if unknown := [one for one in text.entries if one not in (OWN_LANGUAGE, WAS, language)]:
        return other_language(text.key(unknown[0]), language)
    source, now = text.get(OWN_LANGUAGE), own_text(node)
    if translation_in(text, language) is None or now is None:
        return None
    if WAS in text.entries or (isinstance(source, Scalar) and not is_same(source.text, now.text)):
        was = text.get(WAS) or source
        return stale_translation(key, was.text if isinstance(was, Scalar) else "", now.text, WAS in text.entries)
    return None


def own_text(node: Node | None) -> Scalar | None:
    """The text of a document in its own language."""
    found = node.get(OWN_LANGUAGE) if isinstance(node, Mapping) else node
    return found if isinstance(found, Scalar) and found.value is not None else None


def is_same(one: str, other: str) -> bool:
    """Whether two texts are the same, however they are laid out."""
    return one.split() == other.split()


# --- problems


def stale_translation(key: Scalar, was: str, now: str, marked: bool) -> Problem:
    return Problem(
        "stale-translation",
        f"this translates {quoted(was)}, which is now {quoted(now)}",
        key.place,
        f"read it again, and remove `{WAS}:` once it fits"
        if marked
        else f"`tilewright translate` marks it with `{WAS}:`",
        "warning",
    )


def unknown_text(key: Scalar, node: Node) -> Problem:
    known = list(node.entries) if isinstance(node, Mapping) else []
    return Problem(
        "unknown-text",
        f"the document has no text {key.text!r} here",
        key.place,
        hint(key.text, known) or "`tilewright translate` leaves out what the document no longer has",
        "warning",
    )


def other_language(key: Scalar, language: str) -> Problem:
    return Problem(
        "unknown-text",
        f"{key.text!r} is none of {OWN_LANGUAGE}, {language} and {WAS}",
        key.place,
        f"texts of another language than {language} are in a file of their own",
        "warning",
    )


def quoted(text: str) -> str:
    """The beginning of a text, in quotes."""
    line = " ".join(text.split())
    return f"'{line if len(line) <= MOST_SHOWN else line[:MOST_SHOWN] + '…'}'"
