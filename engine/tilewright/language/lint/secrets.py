"""Lint of secrets: a mark that is set from hidden information must be secret, or it leaks.

Taint is tracked by names: of zones, marks, words, and the terms made of them.
"""

from collections.abc import Iterator

from tilewright.base.node import Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Problem
from tilewright.language.lint.view import DocumentView, is_true, names_below, text
from tilewright.language.vocabulary.words import WORDS

SECTIONS = ("actions", "triggers", "phases")
FOR_ALL = "everyone"


def leaks(view: DocumentView) -> Iterator[Problem]:
    """Marks that reveal private information of their seat."""
    marks = dict(view.entries("marks"))
    public = {key.text: key for key, mark in view.entries("marks") if not is_true(mark, "secret")}
    secret = {
        *(word.name for word in WORDS.values() if word.secret),
        *(key.text for key in marks if key.text not in public),
        *(key.text for key, zone in view.entries("zones") if text(zone, "seen_by") not in ("", FOR_ALL, "nobody")),
    }
    found: dict[str, set[str]] = {}
    for part in SECTIONS:
        for _, node in view.entries(part):
            for mark, names in assigned(node, set()):
                if seen := view.closure(names) & secret - {mark}:
                    found.setdefault(mark, set()).update(seen)
    for mark, names in found.items():
        if mark in public:
            yield leaks_secret(public[mark], names)


def assigned(node: Node, conditions: set[str]) -> Iterator[tuple[str, set[str]]]:
    """Every mark that is set below a node, with the names in its value and in the conditions around it."""
    if isinstance(node, Sequence):
        for item in node.items:
            yield from assigned(item, conditions)
    if not isinstance(node, Mapping):
        return
    here = conditions | names_below(node.get("when")) | names_below(node.get("unless"))
    mark = node.get("mark")
    if isinstance(mark, Mapping):
        for name, value in mark.items():
            yield name, here | names_below(value)
    for _, value in node.items():
        yield from assigned(value, here)


CHECKS = (leaks,)


# --- problems


def leaks_secret(key: Scalar, names: set[str]) -> Problem:
    return Problem(
        "leaks-secret",
        f"mark {key.text} must be secret: it is set from {', '.join(sorted(names))}",
        key.place,
        "add secret: true",
    )
