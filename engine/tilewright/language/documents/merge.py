"""Merging: a document merged over what it extends, by id; steps inserted among others.

Mappings merge by id, null removes, other values and lists replace; over a list of steps, a mapping changes the
steps of these ids. Every node keeps the place where it was written. Knows no names, no expressions and no files.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from tilewright.base.node import Entry, Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Place, Problem
from tilewright.base.spelling import hint
from tilewright.language.documents.schema import Schema, below, document_schema, items, opaque, single

OWN = (
    "tilewright",
    "kind",
    "id",
    "name",
    "about",
    "source",
    "publisher",
    "version",
    "license",
    "authors",
    "profile",
    "extends",
    "insert",
    "not_inherited",
)  # keys of one document alone
OF_MERGING = ("extends", "insert", "not_inherited")  # those that say how it is merged
ALL = "all"


def merge(base: Mapping | None, document: Mapping) -> tuple[Mapping, list[Problem]]:
    """The document merged over its base, with its insertions carried out, and its problems."""
    inherited = {key: entry for key, entry in base.entries.items() if key not in OWN} if base else {}
    merger = Merger()
    merger.problems += not_there(document, [base] if base else [])
    own = Mapping({key: entry for key, entry in document.entries.items() if key not in OF_MERGING}, document.place)
    over = without_examples(Mapping(inherited, document.place), document)
    whole = merger.over(over, own, document_schema("ruleset"))
    whole = insert_all(whole, document.get("insert"), merger.problems)
    return whole, merger.problems


@dataclass
class Merger:
    """Merges nodes over nodes and collects problems."""

    problems: list[Problem] = field(default_factory=list)

    def over(self, base: Mapping, change: Mapping, part: Schema) -> Mapping:
        """The base with the entries of the change."""
        entries = dict(base.entries)
        for key, entry in change.entries.items():
            old = base.entries.get(key)
            if is_null(entry.value):
                if old is None:
                    self.problems.append(nothing_to_take_away(entry.key, base.entries))
                entries.pop(key, None)
            else:
                entries[key] = Entry(entry.key, self.laid(old.value if old else None, entry, below(part, key)))
        return Mapping(entries, change.place)

    def laid(self, old: Node | None, entry: Entry, part: Schema) -> Node:
        """The value of an entry merged over the previous value."""
        new = entry.value
        if opaque(part) or single(part):
            return new
        if isinstance(new, Mapping) and part.get("x-steps"):
            return self.steps(old, entry, items(part), part["x-steps"])
        if isinstance(new, Mapping):
            return self.over(old if isinstance(old, Mapping) else Mapping({}, new.place), new, part)
        if isinstance(new, Sequence):
            return Sequence(tuple(self.fresh(item, items(part)) for item in new.items), new.place)
        return new

    def fresh(self, node: Node, part: Schema) -> Node:
        """A node over nothing: a null in it removes nothing."""
        if isinstance(node, Mapping) and not opaque(part):
            return self.over(Mapping({}, node.place), node, part)
        return node

    def steps(self, old: Node | None, entry: Entry, part: Schema, noun: str) -> Node:
        """The list of steps, or examples (`noun`), with the changes of the mapping."""
        changes = entry.value
        assert isinstance(changes, Mapping)
        if not isinstance(old, Sequence):
            self.problems.append(no_steps_to_change(entry.key, noun))
            return Sequence((), changes.place)
        ids = step_ids(old)
        self.problems += [no_such_step(changes.key(id), ids, noun) for id, _ in changes.items() if id not in ids]
        kept = [self.changed(step, changes, part) for step in old.items]
        return Sequence(tuple(step for step in kept if step is not None), old.place)

    def changed(self, step: Node, changes: Mapping, part: Schema) -> Node | None:
        """One step, changed if the mapping names it; None: removed."""
        id = id_of(step)
        change = changes.get(id) if id else None
        if change is None or not isinstance(step, Mapping):
            return step
        return self.over(step, change, part) if isinstance(change, Mapping) else None


def is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value is None


# --- examples and cases that do not hold any more


def without_examples(inherited: Mapping, document: Mapping) -> Mapping:
    """What a document inherits, without the examples and cases that it says do not hold under it."""
    left_out = left_out_by(document)
    known = [path for path, _ in tried_in(inherited)] if left_out else []
    gone = {path for path in known if any(means(one.text, path) for one in left_out)}
    for case in (path for path in gone if len(path) == 1):
        inherited = put(inherited, ["cases", *case], None)
    for pattern in {path[0] for path in gone if len(path) > 1}:
        where = ["patterns", pattern, "examples"]
        examples, _ = find(inherited, where)
        assert isinstance(examples, Sequence)
        kept = tuple(item for name, item in numbered(examples) if (pattern, name) not in gone)
        inherited = put(inherited, where, Sequence(kept, examples.place))
    return inherited


def left_out_by(document: Mapping) -> list[Scalar]:
    """The names that a document has for what does not hold under it."""
    node = document.get("not_inherited")
    return [] if node is None else list(scalars(node))


def tried_in(whole: Mapping) -> Iterator[tuple[tuple[str, ...], Place]]:
    """The examples and cases of a document by their names, `(case,)` or `(pattern, example)`, with their places."""
    cases, patterns = whole.get("cases"), whole.get("patterns")
    for name, case in cases.entries.items() if isinstance(cases, Mapping) else ():
        yield (name,), case.key.place
    for name, pattern in patterns.items() if isinstance(patterns, Mapping) else ():
        examples = pattern.get("examples") if isinstance(pattern, Mapping) else None
        for id, example in numbered(examples) if isinstance(examples, Sequence) else ():
            yield (name, id), example.place


def numbered(examples: Sequence) -> list[tuple[str, Node]]:
    """Examples by id, where they have one, or by number."""
    return [(id_of(item) or str(number), item) for number, item in enumerate(examples.items, 1)]


def means(text: str, path: tuple[str, ...]) -> bool:
    """Whether `case`, `pattern.example`, the same with `*` for any characters, or `all` means an example or case."""
    parts = text.split(".")
    return text == ALL or (len(parts) == len(path) and all(map(fnmatchcase, path, parts)))


def not_there(document: Mapping, inherited: Iterable[Mapping]) -> Iterator[Problem]:
    """What a document says does not hold under it, but is in none of the documents that it inherits from."""
    left_out = left_out_by(document)
    known = [path for one in inherited for path, _ in tried_in(one)] if left_out else []
    for one in left_out:
        if not any(means(one.text, path) for path in known):
            message = f"nothing is inherited that {one.text!r} means"
            way_out = hint(one.text, [".".join(path) for path in known])
            if any(len(path) > 1 and path[0] == one.text for path in known):
                way_out = f"write {one.text}.* for the examples of that pattern"
            elif way_out is None or not way_out.startswith("did"):
                way_out = "write CASE, PATTERN.EXAMPLE or all"
            yield Problem("nothing-to-remove", message, one.place, way_out)


# --- steps


def id_of(step: Node) -> str | None:
    """The id of a step, if it has one."""
    found = step.get("id") if isinstance(step, Mapping) else None
    return str(found.value) if isinstance(found, Scalar) else None


def step_ids(steps: Node | None) -> list[str]:
    """The ids of the steps of a list."""
    return [id for step in steps.items if (id := id_of(step))] if isinstance(steps, Sequence) else []


def insert_all(whole: Mapping, insertions: Node | None, problems: list[Problem]) -> Mapping:
    """The whole with steps inserted, one insertion after another."""
    for item in insertions.items if isinstance(insertions, Sequence) else ():
        if not isinstance(item, Mapping):
            continue
        anchors = [key for key in ("before", "after") if key in item.entries]
        if len(anchors) != 1:
            problems.append(one_anchor(item.place))
        elif "do" not in item.entries:
            problems.append(Problem("missing-key", "'do' is missing: the steps to insert", item.place))
        else:
            whole = insert(whole, item, anchors[0], problems)
    return whole


def insert(whole: Mapping, item: Mapping, key: str, problems: list[Problem]) -> Mapping:
    anchor, steps = item.get(key), item.get("do")
    assert isinstance(anchor, Scalar)
    *path, id = str(anchor.value).split(".")
    target, at = find(whole, path)
    ids = step_ids(target)
    if target is None or id not in ids or not isinstance(target, Sequence) or not isinstance(steps, Sequence):
        problems.append(no_anchor(anchor, target, at, path, ids, steps))
        return whole
    index = [id_of(step) for step in target.items].index(id) + (key == "after")
    grown = Sequence((*target.items[:index], *steps.items, *target.items[index:]), target.place)
    return put(whole, path, grown)


# --- paths


def find(node: Node, path: list[str]) -> tuple[Node | None, int]:
    """The node at a path and how many steps of the path there are; a part of a path is a key, a step's id, or an
    item's value."""
    at = 0
    for part in path:
        inner = inside(node, part)
        if inner is None:
            return None, at
        node, at = inner, at + 1
    return node, at


def inside(node: Node, part: str) -> Node | None:
    if isinstance(node, Mapping):
        return node.get(part)
    if isinstance(node, Sequence):
        return next((item for item in node.items if names(item, part)), None)
    return None


def names(item: Node, part: str) -> bool:
    return id_of(item) == part or (isinstance(item, Scalar) and str(item.value) == part)


def put(node: Node, path: list[str], new: Node | None) -> Mapping:
    """The mapping with the node at the path replaced or removed."""
    result = put_inside(node, path, new)
    assert isinstance(result, Mapping)
    return result


def put_inside(node: Node, path: list[str], new: Node | None) -> Node | None:
    if not path:
        return new
    part, *rest = path
    if isinstance(node, Mapping):
        inner = put_inside(node.entries[part].value, rest, new)
        entries = (
            {
                key: entry if key != part else Entry(entry.key, inner)
                for key, entry in node.entries.items()
                if key != part or inner is not None
            }
            if inner is not None
            else {key: entry for key, entry in node.entries.items() if key != part}
        )
        return Mapping(entries, node.place)
    if isinstance(node, Sequence):
        changed = [put_inside(item, rest, new) if names(item, part) else item for item in node.items]
        return Sequence(tuple(item for item in changed if item is not None), node.place)
    return node


def names_at(whole: Node, path: list[str]) -> list[str]:
    """The possible next parts of a path."""
    node, _ = find(whole, path)
    if isinstance(node, Mapping):
        return list(node.entries)
    if isinstance(node, Sequence):
        return [*step_ids(node), *(str(item.value) for item in node.items if isinstance(item, Scalar))]
    return []


def path_problem(code: str, message: str, whole: Node, scalar: Scalar, at: int) -> Problem:
    """The problem of an unknown path, at its first unknown part."""
    parts = str(scalar.value).split(".")
    offset = sum(len(part) + 1 for part in parts[:at])
    return Problem(code, message, scalar.at(offset, len(parts[at])), hint(parts[at], names_at(whole, parts[:at])))


# --- problems


def nothing_to_take_away(key: Scalar, known: dict[str, Entry]) -> Problem:
    way = hint(key.text, known)
    return Problem(
        "nothing-to-remove",
        f"there is no {key.text!r} to remove here",
        key.place,
        way if way and way.startswith("did") else "leave it out; {} or [] is an entry without details",
    )


def no_steps_to_change(key: Scalar, noun: str) -> Problem:
    message = f"there is no list of {noun}s in {key.text!r} to change"
    return Problem(f"no-{noun}s-to-change", message, key.place, f"write a list of {noun}s")


def no_such_step(key: Scalar, ids: list[str], noun: str) -> Problem:
    return Problem(f"unknown-{noun}", f"no {noun} is called {key.text!r} here", key.place, hint(key.text, ids))


def one_anchor(place: Place) -> Problem:
    return Problem("no-anchor", "an insertion has either before or after", place)


def no_anchor(
    anchor: Scalar, target: Node | None, at: int, path: list[str], ids: list[str], steps: Node | None
) -> Problem:
    if target is not None and anchor.value is not None and not isinstance(steps, Sequence):
        return Problem("no-anchor", "a list of steps is inserted, not a mapping", anchor.place)
    parts = [*path, str(anchor.value).split(".")[-1]]
    offset = sum(len(part) + 1 for part in parts[:at])
    missing = parts[at] if target is None else parts[-1]
    place = anchor.at(offset, len(missing))
    return Problem("no-anchor", f"no step {missing!r} is there to insert at", place, hint(missing, ids))


def scalars(node: Node) -> Iterator[Scalar]:
    """Every scalar below a node."""
    match node:
        case Scalar():
            yield node
        case Sequence(items=inner):
            for item in inner:
                yield from scalars(item)
        case Mapping():
            for _, value in node.items():
                yield from scalars(value)
