"""The shape of documents: keys, types and numbers as in the schema; and the walk of document and schema together.

`check_shape` finds mismatches, in the author's language; `walk` yields what the schema marks in a valid document:
expressions, names, and blocks of them; `missing_keys` finds what a merged document lacks: the schema's x-required
(always) and x-playable (of a ruleset, not of a base). Knows no names and no expressions.
"""

import re
from collections.abc import Iterator
from collections.abc import Sequence as Several
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from tilewright.base.memory import latest
from tilewright.base.node import Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Place, Problem
from tilewright.base.spelling import closest, hint
from tilewright.language.documents.companions import sources_of
from tilewright.language.documents.editions import FIRST, MARK, NEWEST, answer_to
from tilewright.language.documents.fields import kind_of
from tilewright.language.documents.schema import NOTHING, Schema, below, document_schema, items, marks, resolve, schema

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator, ValidationError

REMEMBERED = 128  # documents
EXACTLY = Context(prec=40)  # numbers of documents have at most 30 digits

Path = tuple[str, ...]


# --- the walk


@dataclass(frozen=True, slots=True)
class MarkedNode:
    """A node that the schema marks. `sort` expr: `node` is a scalar, `what` the expected type; ref: a scalar
    that names a `what`; key: the key of an entry that names a `what`; block: a mapping of tests (`what` is condition)
    or a list of templates (templates), whose parts follow as nodes of their own. `path`: keys and indices from the
    root."""

    sort: Literal["expr", "ref", "key", "block"]
    what: str
    node: Node
    path: Path
    schema: Schema


def walk(node: Node, part: Schema) -> list[MarkedNode]:
    """Everything below a node that its schema marks, in the order of the document. Null counts as absent."""
    found: list[MarkedNode] = []
    gather(node, part, (), found)
    return found


def gather(node: Node, part: Schema, path: Path, found: list[MarkedNode]) -> None:
    part = resolve(part)
    if not marks(part):
        return
    if isinstance(node, Scalar):
        found += marked(node, part, path)
        return
    if part.get("x-block") == ("templates" if isinstance(node, Sequence) else "condition"):
        found.append(MarkedNode("block", part["x-block"], node, path, part))
    if isinstance(node, Sequence):
        for index, item in enumerate(node.items):
            gather(item, items(part), (*path, str(index)), found)
        return
    for key, value in node.items():
        inner = below(part, key)
        if key not in part.get("properties", {}):
            found += marked_key(node.key(key), part, inner, (*path, key))
        gather(value, inner, (*path, key), found)


def marked(node: Scalar, part: Schema, path: Path) -> Iterator[MarkedNode]:
    if node.value is None:
        return
    if "x-expr" in part:
        yield MarkedNode("expr", part["x-expr"], node, path, part)
    if "x-ref" in part and not isinstance(node.value, bool):
        yield MarkedNode("ref", part["x-ref"], node, path, part)


def marked_key(key: Scalar, part: Schema, inner: Schema, path: Path) -> Iterator[MarkedNode]:
    if named := part.get("propertyNames", {}).get("x-ref"):
        yield MarkedNode("key", named, key, path, part)
    if named := inner.get("x-ref-key"):
        yield MarkedNode("key", named, key, path, part)


# --- the check


def check_shape(document: Node) -> Iterator[Problem]:
    """The differences of the document from the schema, one problem per mistake."""
    if not isinstance(document, Mapping):
        yield Problem(
            "not-a-document",
            "a document is a mapping: tilewright, kind, id, name and sections",
            document.place,
            f"start it with `{MARK}: {NEWEST}`",
        )
        return
    yield from problems_of_shape(Identical(document))


@dataclass(frozen=True, slots=True, eq=False)
class Identical:
    """A document, compared by its text, so that each is checked once per process."""

    document: Mapping

    def __hash__(self) -> int:
        return hash(self.document.place.source.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identical) and sources_of(self.document) == sources_of(other.document)


@latest(lambda one: one.document.place.source.name, REMEMBERED)
def problems_of_shape(one: Identical) -> tuple[Problem, ...]:
    return differences(one.document)


def differences(document: Mapping) -> tuple[Problem, ...]:
    """The same, found anew."""
    mismatches = sorted(map(mismatch, validator().iter_errors(as_json(document))), key=lambda one: len(one.path))
    found: dict[tuple[str, int, int], Problem] = {}
    unknown = {}
    for wrong in mismatches:
        if wrong.keyword == "additionalProperties":
            for name, problem in unknown_keys(document, wrong):
                unknown[name] = problem
                found.setdefault(where(problem), problem)
    for wrong in mismatches:
        if (translated := problem_of(document, wrong, unknown)) is not None:
            found.setdefault(where(translated), translated)
    return tuple(sorted(found.values(), key=where))


@cache
def validator() -> "Draft202012Validator":
    return validator_of(schema())


def validator_of(part: Schema) -> "Draft202012Validator":
    """What validates by a part of the schema."""
    from jsonschema_rs import Draft202012Validator  # here: a ruleset from the cache needs no validation

    return Draft202012Validator({**part, "$defs": schema()["$defs"]})


def as_json(node: Node) -> Any:
    """The node as JSON's values, whose numbers are whole or Decimal."""
    match node:
        case Scalar(value=Fraction() as value):
            return EXACTLY.divide(value.numerator, value.denominator)
        case Scalar(value=value):
            return value
        case Sequence(items=listed):
            return [as_json(item) for item in listed]
        case Mapping():
            return {key: as_json(value) for key, value in node.items()}


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A part of a document that differs from the schema: in which keyword of which part of the schema. `given`: what
    stands there. `in_names`: it is a key of the mapping at that path. `missing`: the key that is required."""

    keyword: str
    path: Path
    part: Schema
    given: object
    in_names: bool
    missing: str | None

    @property
    def wanted(self) -> Any:
        """What the schema says there."""
        return self.part[self.keyword]


def mismatch(error: "ValidationError") -> Mismatch:
    """An error of the validator with its part of the schema."""
    path = tuple(map(str, error.instance_path))
    in_names = error.kind.name == "propertyNames"
    if in_names:
        error = error.kind.value
    part: Any = schema()
    for step in error.schema_path[:-1]:
        part = part[step]
    keyword = error.kind.name
    return Mismatch(keyword, path, part, error.instance, in_names, error.kind.value if keyword == "required" else None)


# --- mismatches


def where(problem: Problem) -> tuple[str, int, int]:
    place = problem.place
    return (place.source.name, place.line, place.column) if place else ("", 0, 0)


def unknown_keys(document: Mapping, wrong: Mismatch) -> Iterator[tuple[tuple[Path, str | None], Problem]]:
    """Each unknown key, with the path and the key that may have been meant."""
    mapping, _ = found_at(document, wrong.path)
    known = list(wrong.part["properties"])
    assert isinstance(mapping, Mapping)
    for name, _ in mapping.items():
        if name not in known:
            free = [one for one in known if mapping.get(one) is None]
            meant = MEANT[name] if MEANT.get(name) in free else closest(name, free)
            yield (wrong.path, meant), unknown_key(mapping.key(name), free, mapping.get(name))


def problem_of(document: Mapping, wrong: Mismatch, unknown: Any) -> Problem | None:
    """The problem for a mismatch; None where an unknown key tells of it."""
    node, key = found_at(document, wrong.path)
    match wrong.keyword:
        case "additionalProperties":
            return None
        case "required":
            assert wrong.missing is not None
            return None if (wrong.path, wrong.missing) in unknown else missing_key(node.place, wrong.missing)
        case "type" if "x-ref-key" in wrong.part:
            return None if key is None else unknown_key(key, known_in_steps())
        case "type":
            return wrong_type(node, key, wrong.wanted, wrong.part)
        case "enum" if wrong.path == (MARK,):
            return wrong_version(node.place, wrong.given)
        case "enum":
            return not_one_of(node.place, wrong.wanted, wrong.given)
        case "pattern":
            name = str(wrong.given)
            place = node.key(name).place if wrong.in_names and isinstance(node, Mapping) else node.place
            return bad_name(place, name, wrong.part.get("description", ""))
        case "minItems" | "minProperties" | "maxItems" | "maxProperties":
            return wrong_count(key.place if key else node.place, wrong.keyword, wrong.wanted)
        case "minLength" | "maxLength":
            return wrong_length(node.place, wrong.wanted)
        case "minimum" | "maximum" | "exclusiveMinimum":
            return out_of_bounds(node.place, wrong.keyword, wrong.wanted)
    return Problem("wrong-shape", "this is not what is expected here", node.place, wrong.part.get("description"))


def found_at(document: Mapping, path: Several[Any]) -> tuple[Node, Scalar | None]:
    """The node at a path and its key (None: it is an item of a list or the root)."""
    node: Node = document
    key: Scalar | None = None
    for step in path:
        if isinstance(node, Mapping):
            key, node = node.key(str(step)), node.entries[str(step)].value
        elif isinstance(node, Sequence):
            key, node = None, node.items[int(step)]
    return node, key


def known_in_steps() -> list[str]:
    """The keys allowed in a step."""
    return list(schema()["$defs"]["step_body"]["properties"])


# --- after merging


def missing_keys(full: Mapping) -> Iterator[Problem]:
    """Every key that is missing in a merged document."""
    yield from missing(full, document_schema("ruleset"), full.key("kind"), kind_of(full) == "ruleset")


def missing(node: Node, part: Schema, key: Scalar, playable: bool) -> Iterator[Problem]:
    if isinstance(node, Sequence):
        for item in node.items:
            yield from missing(item, items(part), key_of(item, key), playable)
    elif isinstance(node, Mapping):
        wanted = [*part.get("x-required", ()), *(part.get("x-playable", ()) if playable else ())]
        for name in wanted:
            if name not in node.entries:
                yield lacking_key(key, name, below(part, name))
        for name, value in node.items():
            yield from missing(value, below(part, name), node.key(name), playable)


def key_of(item: Node, outer: Scalar) -> Scalar:
    """The place of an item of a list: its first key."""
    return next((entry.key for entry in item.entries.values()), outer) if isinstance(item, Mapping) else outer


# --- problems


FILE = re.compile(r"(?:.*[/\\])?([^/\\]+)\.(?:ya?ml|json|txt)", re.IGNORECASE)  # of a document or a card

# Keys that authors write for others that look different.
MEANT = {
    **dict.fromkeys(("value", "points", "score", "fan"), "worth"),
    **dict.fromkeys(("contains", "groups", "melds"), "has"),
    **dict.fromkeys(("per", "for_each"), "each"),
    **dict.fromkeys(("condition", "if_"), "when"),
    "forms": "form",
    "closed": "concealed",
    "not": "none",
}


def unknown_key(key: Scalar, known: Several[str], value: Node | None = None) -> Problem:
    way_out = hint(key.text, known)
    is_truth = isinstance(value, Scalar) and isinstance(value.value, bool)
    if MEANT.get(key.text) in known:
        way_out = f"did you mean {MEANT[key.text]!r}?"
    elif is_truth and "marks" in known and closest(key.text, known) is None:
        way_out = f"a mark or a term is tested with `marks: [{key.text}]`"
    if (answer := answer_to(key.text, known)) is not None:
        way_out = answer
    if set(key.text) & set("()"):  # {value: max(fu, 10)}: YAML ends the value at the comma
        way_out = "inside { } a comma ends a value: put quotes around an expression that has one"
    return Problem("unknown-key", f"there is no key {key.text!r} here", key.place, way_out)


def lacking_key(key: Scalar, name: str, part: Schema) -> Problem:
    says = part.get("description", "").rstrip(".")
    what = "the ruleset" if key.text == "kind" else repr(key.text)
    return Problem(
        "missing-key", f"{what} lacks {name!r}", key.place, (says and f"{name}: {says[:1].lower()}{says[1:]}") or None
    )


def missing_key(place: Place, name: str) -> Problem:
    return Problem("missing-key", f"{name!r} is missing", place)


def wrong_type(node: Node, key: Scalar | None, wanted: str | list[str], part: Schema) -> Problem:
    types = [wanted] if isinstance(wanted, str) else wanted
    names = [TYPES[one] for one in types if one != "null"]
    place = key.place if key and (not isinstance(node, Scalar) or node.value is None) else node.place
    return Problem(
        "wrong-type",
        f"{' or '.join(names)} is expected here, not {given_name(node)}",
        place,
        way_out(node, types, part),
    )


def wrong_version(place: Place, given: object) -> Problem:
    read = f"editions {FIRST} to {NEWEST} of the language are read here, not {given}"
    later = isinstance(given, Decimal | int) and given > NEWEST
    return Problem("wrong-version", read, place, "it needs a newer Tilewright" if later else f"write {NEWEST}")


def not_one_of(place: Place, wanted: Several[object], given: object) -> Problem:
    names = [str(one) for one in wanted if one is not None]
    shown = f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]
    return Problem("not-one-of", f"{shown} is expected here, not {str(given)!r}", place, hint(str(given), names))


def bad_name(place: Place, name: str, rule: str = "") -> Problem:
    way_out = by_its_id(name) or rule[:1].lower() + rule[1:].rstrip(".") or None
    return Problem("bad-name", f"{name!r} cannot be a name here", place, way_out)


def by_its_id(name: str) -> str | None:
    """The hint to name a document by its id, if the name is that of a file."""
    found = FILE.fullmatch(name)
    return f"write its id: {found[1]}; documents that name each other lie in one folder" if found is not None else None


def wrong_count(place: Place, validator: str, wanted: int) -> Problem:
    few = validator.startswith("min")
    bound = "at least" if few else "at most"
    what = "entries" if wanted != 1 else "entry"
    return Problem("too-few" if few else "too-many", f"{bound} {wanted} {what} required here", place)


def wrong_length(place: Place, wanted: int) -> Problem:
    return Problem("wrong-length", f"{wanted} character{'s' if wanted != 1 else ''} required here", place)


def out_of_bounds(place: Place, validator: str, wanted: object) -> Problem:
    bound = {"minimum": "at least", "maximum": "at most", "exclusiveMinimum": "more than"}[validator]
    return Problem("out-of-bounds", f"a number of {bound} {wanted} is expected here", place)


TYPES = {
    "object": "a mapping",
    "array": "a list",
    "string": "a text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
}


def given_name(node: Node) -> str:
    match node:
        case Mapping():
            return "a mapping"
        case Sequence():
            return "a list"
        case Scalar(value=None):
            return "nothing"
        case Scalar(value=bool()):
            return node.text
        case Scalar(value=str()):
            return "a text"
        case Scalar(value=Fraction()):
            return "a fraction"
    return "a number"


def way_out(node: Node, wanted: list[str], part: Schema) -> str | None:
    """The hint what to write instead."""
    if not isinstance(node, Scalar):
        return None
    if set(wanted) <= {"object", "null"} and node.value is not None:
        key = fitting_key(node, part)
        return f"write {{{key}: {node.text}}}" if key is not None else None
    if "array" in wanted and "string" not in wanted and node.value is not None:
        return f"write [{node.text}]"
    if "boolean" in wanted and str(node.value).lower() in ("yes", "no", "on", "off"):
        return f"write {'true' if str(node.value).lower() in ('yes', 'on') else 'false'}"
    if node.quoted and {"number", "integer"} & set(wanted):
        return "write it without quotes"
    if not node.quoted and wanted == ["string"] and node.value is not None:
        return f'write "{node.text}"'
    return None


def fitting_key(node: Scalar, part: Schema) -> str | None:
    """The first key of such a mapping whose value the node may be."""
    known = part.get("properties", NOTHING)
    errors = validator_of({"properties": known}).iter_errors(dict.fromkeys(known, as_json(node)))
    wrong = {error.instance_path[0] for error in errors}
    return next((name for name in known if name not in wrong), None)
