"""Lint of names: unused options, classes, terms, marks, groups and families; names that lack a language."""

from collections import Counter
from collections.abc import Iterator

from tilewright.base.node import Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Place, Problem
from tilewright.base.spelling import closest, hint
from tilewright.language.documents.fields import is_false, section, texts
from tilewright.language.documents.schema import Schema, below, document_schema, is_text, items
from tilewright.language.documents.shape import Path
from tilewright.language.documents.wordings import OF, WORDING, Wording, wordings
from tilewright.language.lint.view import DocumentView, is_true, text
from tilewright.language.vocabulary.declare_steps import written_in
from tilewright.language.vocabulary.step_fields import Dice

SHOWN = 3
LONGEST = 40  # characters of a text that is quoted
MOST = 3  # texts of a language in a document before missing ones are reported


def options_used(view: DocumentView) -> Iterator[Problem]:
    """Check that every option decides something; those of a base may be for extending documents."""
    amounts = {name for _, measure in view.entries("scoring", "measures") for name in section(measure, "names").entries}
    for name, key in view.keys("options").items():
        if view.may_warn(key) and name not in amounts and not said_outside(view, name, ("options",)):
            yield Problem(
                "unused-option", f"option {name} is never used", key.place, "use it in an `if` or in an expression"
            )


def marks_set(view: DocumentView) -> Iterator[Problem]:
    """Check that every mark is set somewhere, or fixed by cases alone."""
    assigned = {use.node.text for use in view.refs("assigned") if isinstance(use.node, Scalar)}
    dice = [dice for step, _ in view.steps for dice in written_in(step, Dice) if isinstance(dice, Mapping)]
    rolled = {name for one in dice for name in one.entries}
    for key, mark in view.entries("marks"):
        fixed = "start" in mark.entries or "needs" in mark.entries
        if view.may_warn(key) and key.text not in assigned | rolled and not fixed:
            yield Problem(
                "mark-never-set", f"mark {key.text} is never set", key.place, "set it with `mark:`, or give it a start"
            )


def marks_read(view: DocumentView) -> Iterator[Problem]:
    """Check that every mark is used somewhere."""
    for key, _ in view.entries("marks"):
        read = [
            use
            for use in view.uses_by_name.get(key.text, ())
            if use.what != "assigned" and use.path[:2] != ("marks", key.text)
        ]
        if view.may_warn(key) and not read:
            yield unused("mark", key, "is never read")


def others_used(view: DocumentView) -> Iterator[Problem]:
    """Check that classes, terms, groups and actions are used."""
    for what, part in (
        ("class", ("tiles", "classes")),
        ("term", ("terms",)),
        ("group", ("groups",)),
        ("action", ("actions",)),
    ):
        for name, entry in section(view.full, *part).entries.items():
            empty = isinstance(entry.value, Sequence) and not entry.value.items
            used = empty or said_outside(view, name, part) or plural_said(view, what, name)
            if view.may_warn(entry.key) and not used:
                yield unused(what, entry.key, "is never used")


def inner_measures(view: DocumentView) -> Iterator[Problem]:
    """Check that results show the best measure, and that inner measures are used or have names for their amounts."""
    best = text(section(view.full, "scoring"), "best")
    for key, measure in view.entries("scoring", "measures"):
        if not is_true(measure, "inner"):
            continue
        if key.text == best:
            yield inner_best(key)
        elif view.may_warn(key) and not measure.get("names") and not reckoned_with(view, key.text):
            yield unused("measure", key, "is inner, but nothing uses it")


def reckoned_with(view: DocumentView, name: str) -> bool:
    """Whether something uses a measure, other than adding to it."""
    own = ("scoring", "measures", name)
    return any(use.path[:3] != own and use.path[0] != "patterns" for use in view.uses_by_name.get(name, ()))


def said_outside(view: DocumentView, name: str, part: Path) -> bool:
    """Whether a name is used anywhere outside its own declaration."""
    own = (*part, name)
    return any(use.path[: len(own)] != own for use in view.uses_by_name.get(name, ()))


def plural_said(view: DocumentView, what: str, name: str) -> bool:
    return what == "group" and said_outside(view, f"{name}s", ("groups",))


def families(view: DocumentView) -> Iterator[Problem]:
    """Check that a declared family has patterns, and more than one."""
    members = Counter(text(pattern, "family") for _, pattern in view.entries("patterns"))
    for name, key in view.keys("families").items():
        if not members[name]:
            yield Problem("family-without-pattern", f"family {name} has no pattern", key.place, hint(name, members))
    reported: set[str] = set()
    for key, pattern in view.entries("patterns"):
        node = pattern.get("family")
        alone = isinstance(node, Scalar) and members[node.text] == 1 and not says_more(view, pattern)
        if alone and isinstance(node, Scalar) and view.is_own(node.place) and node.text not in reported:
            others = [name for name in members if name and name != node.text]
            reported |= {node.text, closest(node.text, others) or node.text}
            yield family_of_one(key, node, others)


def says_more(view: DocumentView, pattern: Mapping) -> bool:
    """Whether a family of one pattern has an effect: it drops others, or `each` counts only once."""
    family = section(view.full, "families", text(pattern, "family"))
    return is_false(family, "others") or ("each" in pattern.entries and text(family, "keep") == "once")


def languages(view: DocumentView) -> Iterator[Problem]:
    """Report texts without a language that most texts of the document have."""
    found = [node for node in all_texts(view.full, document_schema("ruleset")) if view.is_own(node.place)]
    counts = Counter(language for node in found for language in texts(node))
    for language, count in counts.items():
        lacking = [node for node in found if language not in texts(node)]
        if lacking and count >= MOST and 3 * len(lacking) <= len(found):
            yield missing_language(language, lacking)


def all_texts(node: Node, part: Schema) -> Iterator[Node]:
    """Every text for people below a node, as its schema marks them."""
    if isinstance(node, Mapping):
        for key, value in node.items():
            if is_text(part, key):
                if key != OF and texts(value) and not (isinstance(value, Scalar) and not isinstance(value.value, str)):
                    yield value
            else:
                yield from all_texts(value, below(part, key))
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from all_texts(item, items(part))


def wordings_fit(view: DocumentView) -> Iterator[Problem]:
    """Check that wordings were written for what they describe now."""
    for wording in wordings(view.whole):
        said, of = wording.node.entries[WORDING], wording.node.entries.get(OF)
        here = next((text.place for text in said_in(said.value) if view.is_own(text.place)), None)
        if here is None:
            continue
        if wording.is_stale and of is not None and view.is_own(of.value.place):
            yield stale_wording(
                wording, of.value.place, f"{to_write(wording)}, or let `tilewright check --update` do so"
            )
        elif wording.is_stale:
            yield stale_wording(wording, here, f"{to_write(wording)} beside it")
        elif not wording.of:
            yield unpinned_wording(wording, said.key)


def said_in(wording: Node) -> Iterator[Node]:
    """The texts of a wording: with a base, each language may be of another document."""
    if isinstance(wording, Mapping):
        yield from (text for _, text in wording.items())
    else:
        yield wording


CHECKS = (options_used, marks_set, marks_read, others_used, inner_measures, families, languages, wordings_fit)


# --- problems


def stale_wording(wording: Wording, place: Place, way: str) -> Problem:
    what = f"{wording.part}.{wording.id}"
    return Problem(
        "stale-wording",
        f"{what} has changed since its wording was written; the rulebook does without it",
        place,
        f"read it again; if it still fits, {way}",
        "warning",
    )


def unpinned_wording(wording: Wording, key: Scalar) -> Problem:
    return Problem(
        "unpinned-wording",
        f"nothing will tell when {wording.part}.{wording.id} changes and its wording no longer fits",
        key.place,
        f"{to_write(wording)} beside it",
        "warning",
    )


def to_write(wording: Wording) -> str:
    """What makes a wording fit: where options decide about what it describes, also that it holds with any of them."""
    if not wording.options:
        return f"write `{OF}: {wording.now}`"
    options = " and ".join(wording.options) if len(wording.options) < SHOWN else f"these {len(wording.options)} options"
    return f"write `{OF}: {wording.now}` (or `{wording.with_any}`, if it holds whatever {options} are set to)"


def inner_best(key: Scalar) -> Problem:
    return Problem("inner-best", f"measure {key.text} is best, and inner: nobody would see the total", key.place)


def unused(what: str, key: Scalar, how: str) -> Problem:
    return Problem(f"unused-{what}", f"{what} {key.text} {how}", key.place, None, "warning")


def family_of_one(key: Scalar, family: Scalar, others: list[str]) -> Problem:
    meant = closest(family.text, others)
    return Problem(
        "family-of-one",
        f"pattern {key.text} is alone in its family {family.text}",
        family.place,
        f"did you mean {meant!r}?" if meant else None,
        "warning",
    )


def shortened(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()} …"


def missing_language(language: str, lacking: list[Node]) -> Problem:
    """One warning for a language, at the first text without it."""
    shown = ", ".join(shortened(next(iter(texts(node).values()))) for node in lacking[:SHOWN])
    more = f" and {len(lacking) - SHOWN} more" if len(lacking) > SHOWN else ""
    return Problem(
        "missing-language",
        f"most texts here have {language!r}, these do not: {shown}{more}",
        lacking[0].place,
        f"give each of them a text for {language}, or the language to none",
        "warning",
    )
