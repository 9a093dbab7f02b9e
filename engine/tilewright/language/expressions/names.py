"""Links: every used name must be declared, and only once in each of the two lists: words (of expressions) and events
(verbs, actions, offers, phases).

Knows no expressions; names inside of them are looked up by `tilewright.language.expressions.lower`.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tilewright.base.node import Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Place, Problem, Source
from tilewright.base.spelling import hint
from tilewright.language.documents.fields import section
from tilewright.language.documents.former import FAMILIES, SECTIONS, given_up
from tilewright.language.documents.schema import schema, verbs
from tilewright.language.documents.shape import MarkedNode
from tilewright.language.expressions.scope import Declared, declare
from tilewright.language.expressions.syntax import ADJECTIVES, PARTS
from tilewright.language.vocabulary.declare import QUANTIFIERS
from tilewright.language.vocabulary.words import WORDS, is_settable

if TYPE_CHECKING:
    from tilewright.language.documents.whole import MergedRuleset

RANKS = re.compile(r"\d+|\d*\.\.\d*")
TILE_WORDS = ("suited", *(name for name, word in WORDS.items() if word.names_tiles and word.told_by == "table"))
ENDS = ("back", "end")
SYNTAX = {*PARTS, *ADJECTIVES, "each", "true", "false", "suited"}
RESERVED = {"tilewright", *ENDS, *SYNTAX, *QUANTIFIERS, *(name for name, one in WORDS.items() if not one.leaves_name)}
OF_LOOKS = ("tile", "drawn", "titled")  # references to tiles that a ruleset may remove from its base
OPEN = frozenset({"class", "drawn", "titled"})  # of tiles that a base without families leaves to its rulesets
TITLES = {
    "mark": "mark or term",
    "assigned": "mark",
    "bar": "offer or verb",
    "group_or_zone": "group or zone",
    "class": "class, family or tile",
    "action": "verb or action",
    "family": "suit or family of tiles",
    "drawn": "suit, family or tile",
    "titled": "suit, family, class or tile",
}


def check_declared(whole: "MergedRuleset") -> Iterator[Problem]:
    """Names that are declared twice, or belong to the language."""
    yield from words_twice(whole)
    yield from events_twice(whole)


def check_used(whole: "MergedRuleset") -> Iterator[Problem]:
    """Undeclared names outside of expressions."""
    names = names_of(whole)
    for use in whole.uses:
        if use.sort in ("ref", "key") and isinstance(use.node, Scalar) and not is_known(use, names, whole):
            yield unknown_name(use.what, use.node, suggested(use.what, use.node.text, names))
    if not whole.mods:  # which may remove what has the name of today
        yield from renamed_to_nothing(whole)


def renamed_to_nothing(whole: "MergedRuleset") -> Iterator[Problem]:
    """Former names in a document of what is not there."""
    for part, _, new in given_up(whole.full):
        there = section(whole.full, *part.split(".")).entries
        if new.text not in there and new.place.source not in inherited(whole):
            yield nothing_renamed(part, new, hint(new.text, there))


# --- declared once


def words_twice(whole: "MergedRuleset") -> Iterator[Problem]:
    """Words with two meanings, or names of the language."""
    first: dict[str, Declared] = {}
    for declared in declare(whole).declarations:
        other = first.setdefault(declared.name, declared)
        if declared.name in RESERVED and not (declared.kind == "choice" and is_settable(declared.name)):
            yield reserved(declared.name, declared.place)
        elif other is not declared and not may_share(other, declared):
            yield twice(declared.name, "word", other.kind, other.place, declared.kind, declared.place)


def may_share(one: Declared, other: Declared) -> bool:
    """Whether they may share a name: choices, each known in its own offer, and codes of tiles, compared elsewhere."""
    return (one.kind == other.kind and one.kind in ("choice", "tile")) or {one.section, other.section} == {"codes"}


def events_twice(whole: "MergedRuleset") -> Iterator[Problem]:
    """Events with two meanings, or names of verbs of the language."""
    first: dict[str, tuple[str, Place]] = {}
    steps = set(schema()["$defs"]["step_body"]["properties"])
    for kind, part in (("action", "actions"), ("offer", "offers"), ("phase", "phases")):
        for name, entry in section(whole.full, part).entries.items():
            if name in steps or name in ENDS:
                yield reserved(name, entry.key.place)
            elif name in first:
                yield twice(name, "event", *first[name], kind, entry.key.place)
            first.setdefault(name, (kind, entry.key.place))


# --- used and declared


def is_known(use: MarkedNode, names: dict[str, set[str]], whole: "MergedRuleset") -> bool:
    assert isinstance(use.node, Scalar)
    name = use.node.text
    if use.what not in SECTIONS or use.what in ("pattern_family", "amount") or name in names[use.what]:
        return True
    if use.what == "class" and RANKS.fullmatch(name.replace(" ", "")):
        return True
    if use.what == "mark" and "flags" in use.path and name in ignored(whole.full):
        return True
    if use.what in OF_LOOKS and use.node.place.source in inherited(whole):
        return True  # of a removed tile
    return whole.kind == "base" and any(
        not section(whole.full, *part.split(".")).entries
        for part in (FAMILIES if use.what in OPEN else SECTIONS[use.what])
    )


def suggested(kind: str, name: str, names: dict[str, set[str]]) -> str | None:
    """A hint; of `phase.offer`, first among the offers of that phase."""
    phase, dot, _ = name.partition(".")
    near = (
        {one for one in names[kind] if one.startswith(f"{phase}.")}
        if dot
        else {one for one in names[kind] if "." not in one}
    )
    return hint(name, near or names[kind])


def names_of(whole: "MergedRuleset") -> dict[str, set[str]]:
    """The existing names for each kind of reference."""
    full = whole.full
    result = {kind: keys(full, parts[0]) for kind, parts in SECTIONS.items()}
    tiles = tile_codes(full)
    families = keys(full, "tiles.suits") | keys(full, "tiles.unranked")
    declared = {one.name for one in declare(whole).declarations if one.kind == "choice"}
    marks = {name for name, mark in section(full, "marks").items() if isinstance(mark, Mapping)}
    result["tile"] = tiles | special_codes(full)
    result["family"] = families
    result["drawn"] = families | result["tile"] | keys(full, "tiles.special")
    result["titled"] = result["drawn"] | keys(full, "tiles.classes")
    result["class"] = (
        families
        | tiles
        | special_codes(full)
        | keys(full, "tiles.classes")
        | keys(full, "tiles.special")
        | marks
        | {*TILE_WORDS}
    )
    result["mark"] = marks | keys(full, "terms") | declared
    result["phase"] = keys(full, "phases") | {*ENDS}
    result["group_or_zone"] = keys(full, "groups") | keys(full, "zones")
    result["event"] = {*verbs()} | keys(full, "actions") | keys(full, "offers") | keys(full, "phases")
    result["action"] = keys(full, "actions") | {*verbs()}
    result["bar"] = bars(full)
    patterns = (one for _, one in section(full, "patterns").items() if isinstance(one, Mapping))
    result["pattern_family"] |= {one.text for one in (p.get("family") for p in patterns) if isinstance(one, Scalar)}
    result["term"] = keys(full, "terms")
    return result


def keys(full: Mapping, path: str) -> set[str]:
    return set(section(full, *path.split(".")).entries)


def bars(full: Mapping) -> set[str]:
    """Offers and verbs, everywhere or in one phase."""
    does = {*verbs(), *keys(full, "actions")}
    inner = {f"{phase}.{one}" for phase, node in section(full, "phases").items() for one in {*offers_of(node), *does}}
    return keys(full, "offers") | does | inner


def offers_of(phase: Node) -> list[str]:
    """The offers that a phase names."""
    listed = phase.get("offers") if isinstance(phase, Mapping) else None
    return [item.text for item in listed.items if isinstance(item, Scalar)] if isinstance(listed, Sequence) else []


def ignored(full: Mapping) -> set[str]:
    """Flags that cases may have although they mean nothing here."""
    return {item.text for item in items_of(section(full, "scoring"), "ignored_flags")}


def inherited(whole: "MergedRuleset") -> tuple[Source, ...]:
    """The sources of extended documents."""
    return whole.inherited


# --- codes of tiles


def tile_codes(full: Mapping) -> set[str]:
    """Codes of plain tiles: those listed, and each rank of a suit with its letter, as a number or as in notation."""
    codes = {
        item.text for _, family in section(full, "tiles", "unranked").items() for item in items_of(family, "codes")
    }
    signs = section(full, "tiles", "notation").get("ranks")
    ranks = signs.text if isinstance(signs, Scalar) else ""
    for _, suit in section(full, "tiles", "suits").items():
        code = suit.get("code") if isinstance(suit, Mapping) else None
        if isinstance(code, Scalar):
            codes |= {f"{rank}{code.text}" for rank in (*map(str, range(MOST_RANK)), *ranks)}
    return codes


MOST_RANK = 100


def special_codes(full: Mapping) -> set[str]:
    """Codes of special copies, including those made by a sign."""
    codes: set[str] = set()
    for _, special in section(full, "tiles", "special").items():
        codes |= keys(special, "codes") if isinstance(special, Mapping) else set()
        sign = special.get("sign") if isinstance(special, Mapping) else None
        if isinstance(sign, Scalar):
            codes |= {f"{code}{sign.text}" for code in tile_codes(full)}
    return codes


def items_of(node: Node, key: str) -> list[Scalar]:
    inner = node.get(key) if isinstance(node, Mapping) else None
    return [item for item in inner.items if isinstance(item, Scalar)] if isinstance(inner, Sequence) else []


# --- problems


def reserved(name: str, place: Place) -> Problem:
    return Problem("reserved-name", f"{name!r} is a word of the language", place, "choose another name")


def twice(name: str, what: str, kind: str, place: Place, other: str, second: Place) -> Problem:
    """A name with two meanings; the place is in the document merged over the others, which is nearer to the author."""
    return Problem(
        "name-twice",
        f"{name!r} is a {what} twice: a {kind} ({place.source.name}:{place.line}) and a {other}",
        second,
        "choose another name for one of them",
    )


def nothing_renamed(part: str, new: Scalar, way_out: str | None) -> Problem:
    return Problem("nothing-renamed", f"nothing in `{part}` is called {new.text!r} now", new.place, way_out)


def unknown_name(kind: str, name: Scalar, way_out: str | None) -> Problem:
    code = CODES.get(kind, f"unknown-{kind.replace('_', '-')}")
    return Problem(code, f"no {TITLES.get(kind, kind)} is called {name.text!r}", name.place, way_out)


CODES = {
    "assigned": "unknown-mark",
    "bar": "unknown-offer",
    "group_or_zone": "unknown-group",
    "action": "unknown-verb",
    "drawn": "unknown-tile",
    "titled": "unknown-tile",
}
