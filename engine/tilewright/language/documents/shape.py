"""The shape of documents: keys, types and numbers as in the schema; and the walk of document and schema together.

`check_shape` finds mismatches, in the author's language; `walk` yields what the schema marks in a valid document:
expressions, names, and blocks of them. Knows no names and no expressions.
"""

import re
from collections.abc import Iterator
from collections.abc import Sequence as Several
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, Literal

from tilewright.base.node import Mapping, Node, Scalar, Sequence, Value, plain
from tilewright.base.problem import Place, Problem
from tilewright.base.suggestion import closest, hint
from tilewright.base.texts.latest import latest
from tilewright.language.documents.fields import kind_of
from tilewright.language.documents.schema import (
    SECTIONS_BY_KIND,
    Schema,
    below,
    document_schema,
    items,
    marks,
    referred,
    resolve,
    schema,
)

REMEMBERED = 128  # documents

Path = tuple[str, ...]
ValidationError = Any  # of jsonschema, which is imported only when something is checked


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
            "start it with `tilewright: 1`",
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
        return isinstance(other, Identical) and self.document.place.source == other.document.place.source


@latest(lambda one: one.document.place.source.name, REMEMBERED)
def problems_of_shape(one: Identical) -> tuple[Problem, ...]:
    document = one.document
    if fits(document, schema()):
        return ()
    errors = sorted(validator().iter_errors(unfitting(document)), key=lambda error: len(error.absolute_path))
    found: dict[tuple[str, int, int], Problem] = {}
    unknown = {}
    for error in errors:
        if error.validator == "additionalProperties":
            for name, problem in unknown_keys(document, error):
                unknown[name] = problem
                found.setdefault(where(problem), problem)
    for error in errors:
        for problem in translated(document, error, unknown):
            found.setdefault(where(problem), problem)
    return tuple(sorted(found.values(), key=where))


def unfitting(document: Mapping) -> object:
    """The document as plain data, without parts that fit the schema, which need no validation."""
    kind = kind_of(document)
    if kind not in SECTIONS_BY_KIND:
        return plain(document)
    part = document_schema(kind)
    required = {*schema()["required"], *part.get("required", ())}
    return {
        key: unfitting_in(value, below(part, key)) if key in part["properties"] else plain(value)
        for key, value in document.items()
        if key in required or key not in part["properties"] or not fits(value, part["properties"][key])
    }


def unfitting_in(node: Node, part: Schema) -> object:
    """A part of a document that does not fit, without entries that do. All of it where its schema says more of the
    whole than which keys it has."""
    rules = {key for key in part if key not in SAYS_NOTHING and not key.startswith("x-")}
    if not isinstance(node, Mapping) or rules - OF_ENTRIES:
        return plain(node)
    names, known, others = part.get("propertyNames", {}), part.get("properties", {}), part.get("additionalProperties")
    found = {}
    for key, entry in node.entries.items():
        of_entry = known.get(key, others if isinstance(others, dict) else None)
        fitting = of_entry is not None and fits(entry.key, names) and fits(entry.value, of_entry)
        if not fitting or key in part.get("required", ()):
            found[key] = plain(entry.value)
    return found or plain(node)


OF_ENTRIES = {"type", "properties", "additionalProperties", "propertyNames", "required"}


@lru_cache(maxsize=1)
def validator() -> Any:
    from jsonschema import Draft202012Validator, validators  # here: a ruleset from the cache needs no validation

    extend: Any = validators.extend
    return extend(Draft202012Validator, {"pattern": whole_pattern})(schema())


def whole_pattern(_: Any, pattern: str, instance: object, __: object) -> Iterator[ValidationError]:
    """The pattern for Python: `$` of JSON Schema is the end of the text, but Python allows a line break after it."""
    from jsonschema import ValidationError as Error

    if isinstance(instance, str) and not matches_wholly(pattern, instance):
        yield Error(f"{instance!r} does not match {pattern!r}")


def matches_wholly(pattern: str, text: str) -> bool:
    return compiled(pattern).search(text) is not None


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\$$", r"\\Z", pattern))


# --- the fast path for valid documents

TYPES_OF = {bool: ("boolean",), int: ("integer", "number"), Fraction: ("number",), str: ("string",)}
SAYS_NOTHING = {"description", "examples", "title", "enumDescriptions", "$schema", "$id", "$defs", "$ref", "then"}


def fits(node: Node, part: Schema) -> bool:
    """Whether a node certainly fits its schema. Unknown parts of a schema do not fit, so the
    validator, which also reports what is wrong, decides."""
    if "$ref" in part and not fits(node, referred(part["$ref"])):
        return False
    types = types_of(node)
    for key, rule in part.items():
        if key not in SAYS_NOTHING and not key.startswith("x-") and not holds(key, rule, node, types, part):
            return False
    return True


def types_of(node: Node) -> tuple[str, ...]:
    """The types of JSON Schema that a node has."""
    if isinstance(node, Scalar):
        return TYPES_OF[type(node.value)] if node.value is not None else ("null",)
    return ("object",) if isinstance(node, Mapping) else ("array",)


def holds(key: str, rule: Any, node: Node, types: tuple[str, ...], part: Schema) -> bool:
    """Whether a node satisfies one keyword of its schema; each is about one type only."""
    match key:
        case "type":
            return any(one in rule for one in types) if isinstance(rule, list) else rule in types
        case "allOf":
            return all(fits(node, one) for one in rule)
        case "if":
            return not fits(node, rule) or fits(node, part.get("then", {}))
        case "enum" | "const":
            known = rule if key == "enum" else [rule]
            return isinstance(node, Scalar) and any(
                type(one) is type(node.value) and one == node.value for one in known
            )
    match node:
        case Mapping():
            return mapping_holds(key, rule, node, part)
        case Sequence(items=listed):
            return sequence_holds(key, rule, listed)
    return scalar_holds(key, rule, node.value)


def same(value: Value, other: object) -> bool:
    """Equality as in JSON: in Python `True == 1`."""
    return type(value) is type(other) and value == other


def mapping_holds(key: str, rule: Any, node: Mapping, part: Schema) -> bool:
    match key:
        case "required":
            return all(name in node.entries for name in rule)
        case "properties":
            return all(fits(value, rule[name]) for name, value in node.items() if name in rule)
        case "additionalProperties":
            known = part.get("properties", {})
            others = (value for name, value in node.items() if name not in known)
            return next(others, None) is None if rule is False else all(fits(value, rule) for value in others)
        case "propertyNames":
            return all(fits(entry.key, rule) for entry in node.entries.values())
        case "minProperties":
            return len(node.entries) >= int(rule)
        case "maxProperties":
            return len(node.entries) <= int(rule)
    return key in OF_LISTS or key in OF_SCALARS


def sequence_holds(key: str, rule: Any, listed: Several[Node]) -> bool:
    match key:
        case "items":
            return all(fits(item, rule) for item in listed)
        case "minItems":
            return len(listed) >= int(rule)
        case "maxItems":
            return len(listed) <= int(rule)
    return key in OF_MAPPINGS or key in OF_SCALARS


def scalar_holds(key: str, rule: Any, value: Value) -> bool:
    number = value if isinstance(value, int | Fraction) and not isinstance(value, bool) else None
    match key, value:
        case "pattern", str():
            return matches_wholly(rule, value)
        case "minLength", str():
            return len(value) >= int(rule)
        case "maxLength", str():
            return len(value) <= int(rule)
        case "minimum", _ if number is not None:
            return number >= Fraction(rule)
        case "maximum", _ if number is not None:
            return number <= Fraction(rule)
        case "exclusiveMinimum", _ if number is not None:
            return number > Fraction(rule)
    return key in OF_MAPPINGS or key in OF_LISTS or key in OF_SCALARS


OF_MAPPINGS = {"required", "properties", "additionalProperties", "propertyNames", "minProperties", "maxProperties"}
OF_LISTS = {"items", "minItems", "maxItems"}
OF_SCALARS = {"pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum"}


# --- mismatches


def where(problem: Problem) -> tuple[str, int, int]:
    place = problem.place
    return (place.source.name, place.line, place.column) if place else ("", 0, 0)


# --- from JSON Schema's errors to problems


def unknown_keys(document: Mapping, error: ValidationError) -> Iterator[tuple[tuple[Path, str | None], Problem]]:
    """Each unknown key, with the path and the key that may have been meant."""
    mapping, _ = found_at(document, error.absolute_path)
    known = list(error.schema["properties"])
    assert isinstance(mapping, Mapping)
    for name, _ in mapping.items():
        if name not in known:
            free = [one for one in known if mapping.get(one) is None]
            meant = MEANT[name] if MEANT.get(name) in free else closest(name, free)
            yield (path_of(error), meant), unknown_key(mapping.key(name), free, mapping.get(name))


def translated(document: Mapping, error: ValidationError, unknown: Any) -> Iterator[Problem]:
    """The problem for an error."""
    node, key = found_at(document, error.absolute_path)
    wanted, given = error.validator_value, error.instance
    in_names = "propertyNames" in error.absolute_schema_path
    match error.validator:
        case "additionalProperties":
            return
        case "required":
            for name in wanted:
                if name not in given and (path_of(error), name) not in unknown:
                    yield missing_key(node.place, name)
        case "type" if "x-ref-key" in error.schema:
            if key is not None:
                yield unknown_key(key, known_beside(error))
        case "type":
            yield wrong_type(node, key, wanted, error.schema)
        case "const":
            yield wrong_version(node.place, wanted, given)
        case "enum":
            yield not_one_of(node.place, wanted, given)
        case "pattern":
            place = node.key(given).place if in_names and isinstance(node, Mapping) else node.place
            yield bad_name(place, str(given), error.schema.get("description", ""))
        case "minItems" | "minProperties" | "maxItems" | "maxProperties":
            yield wrong_count(key.place if key else node.place, error.validator, wanted)
        case "minLength" | "maxLength":
            yield wrong_length(node.place, wanted)
        case "minimum" | "maximum" | "exclusiveMinimum":
            yield out_of_bounds(node.place, error.validator, wanted)
        case _:
            yield Problem(
                "wrong-shape", "this is not what is expected here", node.place, error.schema.get("description")
            )


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


def path_of(error: ValidationError) -> Path:
    return tuple(str(step) for step in error.absolute_path)


def known_beside(error: ValidationError) -> list[str]:
    """The keys allowed in a step."""
    return list(schema()["$defs"]["step_body"]["properties"])


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
    if set(key.text) & set("()"):  # {value: max(fu, 10)}: YAML ends the value at the comma
        way_out = "inside { } a comma ends a value: put quotes around an expression that has one"
    return Problem("unknown-key", f"there is no key {key.text!r} here", key.place, way_out)


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


def wrong_version(place: Place, wanted: object, given: object) -> Problem:
    return Problem("wrong-version", f"this is version {wanted} of the language, not {given}", place, f"write {wanted}")


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
        known = part.get("properties", {})
        key = next((name for name, one in known.items() if fits(node, one)), None)
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
