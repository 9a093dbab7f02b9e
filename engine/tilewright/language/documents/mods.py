"""Mods: a patch merged strictly over a whole ruleset: additions must be new, changes must exist.

`apply` gives the whole with one mod; `collisions` what two mods both change. Knows no names and no files.
"""

import re
from collections.abc import Callable, Iterator
from collections.abc import Sequence as Several
from dataclasses import dataclass, field

from tilewright.base.node import Entry, Mapping, Node, Scalar, Sequence
from tilewright.base.problem import Problem
from tilewright.base.spelling import hint
from tilewright.language.documents.merge import (
    find,
    id_of,
    insert_all,
    is_null,
    path_problem,
    put,
    scalars,
    step_ids,
    without_examples,
)
from tilewright.language.documents.packs import document_id
from tilewright.language.documents.schema import Schema, below, document_schema, items, opaque, single

Path = tuple[str, ...]
How = Callable[[Mapping, Mapping, Schema, Path], Mapping]
MAX_WEIGHT = 20_000  # characters that `was` may insert in one place, which mods over mods could double endlessly
WAS = re.compile(r"(?<![\w.])was(?!\w)")


@dataclass(frozen=True, slots=True)
class Change:
    """A leaf that a mod changes or removes. `was`: the new value uses the old one."""

    mod: str
    path: Path
    node: Scalar
    was: bool


@dataclass(frozen=True, slots=True)
class Patched:
    """A whole with a mod applied, with the problems and the changes."""

    full: Mapping
    problems: tuple[Problem, ...]
    changes: tuple[Change, ...]


def apply(full: Mapping, mod: Mapping) -> Patched:
    """The whole with the mod applied: its options, change, add, remove, insert, in this order. First go examples and
    cases that do not hold under it."""
    patcher = Patcher(mod_id(mod))
    full = without_examples(full, mod)
    part = document_schema("ruleset")
    if isinstance(options := mod.get("options"), Mapping):
        full = patcher.add(full, wrapped("options", mod, options), part, ())
    if isinstance(change := mod.get("change"), Mapping):
        full = patcher.change(full, change, part, ())
    if isinstance(add := mod.get("add"), Mapping):
        full = patcher.add(full, add, part, ())
    for item in listed(mod, "remove"):
        full = patcher.remove(full, item)
    full = insert_all(full, mod.get("insert"), patcher.problems)
    return Patched(patcher.with_terms(full), tuple(patcher.problems), tuple(patcher.changes))


def mod_id(mod: Mapping) -> str:
    id = mod.get("id")
    return str(id.value) if isinstance(id, Scalar) else ""


def listed(mod: Mapping, key: str) -> list[Scalar]:
    """The texts of a list of a mod: for, needs, conflicts, remove."""
    node = mod.get(key)
    return [item for item in node.items if isinstance(item, Scalar)] if isinstance(node, Sequence) else []


def wrapped(key: str, mod: Mapping, node: Mapping) -> Mapping:
    return Mapping({key: Entry(mod.key(key), node)}, node.place)


# --- order and collisions


def in_order(mods: Several[Mapping]) -> list[Mapping]:
    """The mods, each after those it needs, otherwise as listed."""
    listed_at = {mod_id(mod): mod for mod in reversed(mods)}
    needs = {id: [other for other in listed_at if other in needed_by(mod)] for id, mod in listed_at.items()}
    ordered: dict[str, Mapping] = {}
    for mod in mods:
        above = [mod_id(mod)]
        while above:
            under = (id for id in needs[above[-1]] if id not in ordered and id not in above)
            if (next_one := next(under, None)) is not None:
                above.append(next_one)
            else:
                ordered.setdefault(above[-1], listed_at[above[-1]])
                above.pop()
    return list(ordered.values())


def needed_by(mod: Mapping) -> set[str]:
    """The ids of the mods that a mod needs."""
    return {document_id(item.text) for item in listed(mod, "needs")}


def unfit(mods: Several[Mapping]) -> Iterator[Problem]:
    """Mods that lack a needed one, conflict with another, need one another, or have the same name."""
    present = {mod_id(mod): mod for mod in reversed(mods)}
    for mod in mods:
        if present[mod_id(mod)].place.source != mod.place.source:
            yield mod_twice(mod)
        for item in listed(mod, "needs"):
            if document_id(item.text) not in present:
                yield needs_mod(mod_id(mod), item)
        for item in listed(mod, "conflicts"):
            if str(item.value) in present:
                yield conflicts_with(mod_id(mod), item)
    yield from circle_of_needs(present)


def circle_of_needs(mods: dict[str, Mapping]) -> Iterator[Problem]:
    """A mod that needs itself, directly or not; the first one found."""
    rest = dict(mods)
    while free := [id for id, mod in rest.items() if not needed_by(mod) & rest.keys()]:
        for id in free:
            del rest[id]
    for id, mod in rest.items():
        if id in reached(id, rest):
            yield needs_itself(id, next(item for item in listed(mod, "needs") if document_id(item.text) in rest))
            return


def reached(id: str, mods: dict[str, Mapping]) -> set[str]:
    """The mods that a mod needs, directly or not."""
    found: set[str] = set()
    todo = [id]
    while todo:
        new = (needed_by(mods[todo.pop()]) & mods.keys()) - found
        found |= new
        todo += new
    return found


def collisions(changes: Several[Change], mods: Several[Mapping]) -> Iterator[Problem]:
    """Leaves that two mods change though neither needs the other and not both use `was`."""
    needs = {mod_id(mod): needed_by(mod) for mod in mods}
    first: dict[Path, list[Change]] = {}
    for change in (one for one in changes if not is_tried(one.path)):
        for other in first.get(change.path, []):
            apart = change.mod not in needs[other.mod] and other.mod not in needs[change.mod]
            if other.mod != change.mod and apart and not (change.was and other.was):
                yield both_change(change, other)
        first.setdefault(change.path, []).append(change)


# --- patches


@dataclass
class Patcher:
    """Applies the parts of one mod and collects problems and changes."""

    mod: str
    problems: list[Problem] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    terms: dict[str, Entry] = field(default_factory=dict)

    def add(self, base: Mapping, new: Mapping, part: Schema, path: Path) -> Mapping:
        """The base with the additions, which must be new, except that lists grow."""
        entries = dict(base.entries)
        for key, entry in new.entries.items():
            old, value, here = base.get(key), entry.value, (*path, key)
            if isinstance(value, Mapping) and isinstance(old, Mapping) and not single(below(part, key)):
                before = len(self.problems)
                entries[key] = Entry(base.key(key), self.add(old, value, below(part, key), here))
                if key not in part.get("properties", {}) and len(self.problems) - before == leaves(value):
                    self.problems[before:] = [exists_already(entry.key, here)]
            elif isinstance(value, Mapping) and isinstance(old, Sequence) and below(part, key).get("x-steps"):
                entries[key] = Entry(base.key(key), self.in_steps(old, value, below(part, key), here, self.add))
            elif isinstance(value, Sequence) and isinstance(old, Sequence):
                entries[key] = Entry(base.key(key), grown(old, value))
            elif old is not None:
                self.problems.append(exists_already(entry.key, here))
            elif is_null(value):
                self.problems.append(nothing_added(entry.key))
            else:
                entries[key] = entry
        return Mapping(entries, base.place)

    def change(self, base: Mapping, new: Mapping, part: Schema, path: Path) -> Mapping:
        """The base with changed values, all of which must exist."""
        entries = dict(base.entries)
        for key, entry in new.entries.items():
            old, value, here = base.get(key), entry.value, (*path, key)
            if old is None:
                if not (is_null(value) and is_tried(here)) and not changes_tried(here, value):
                    self.problems.append(nothing_to_change(entry.key, here, list(base.entries)))
            elif is_null(value):
                self.changes.append(Change(self.mod, here, entry.key, False))
                del entries[key]
            elif isinstance(value, Mapping) and isinstance(old, Mapping) and merges(below(part, key)):
                entries[key] = Entry(entry.key, self.change(old, value, below(part, key), here))
            elif isinstance(value, Mapping) and isinstance(old, Sequence) and below(part, key).get("x-steps"):
                entries[key] = Entry(entry.key, self.in_steps(old, value, below(part, key), here, self.change))
            else:
                entries[key] = Entry(entry.key, self.leaf(old, value, entry.key, here))
        return Mapping(entries, base.place)

    def in_steps(self, old: Sequence, new: Mapping, part: Schema, path: Path, how: How) -> Sequence:
        """The list of steps with the patches of the mapping."""
        ids = step_ids(old)
        for id, value in new.items():
            elsewhere = is_tried((*path, id)) and (is_null(value) or how == self.change)
            if id not in ids and not elsewhere:
                self.problems.append(nothing_to_change(new.key(id), (*path, id), ids))
        patched: list[Node] = []
        for step in old.items:
            patch = new.get(id_of(step) or "")
            if isinstance(patch, Mapping) and isinstance(step, Mapping):
                patched.append(how(step, patch, items(part), (*path, id_of(step) or "")))
            elif patch is None:
                patched.append(step)
        return Sequence(tuple(patched), old.place)

    def leaf(self, old: Node, new: Node, key: Scalar, path: Path) -> Node:
        """The new value, with the old one in place of `was`."""
        was = sum(len(WAS.findall(one.value)) for one in scalars(new) if isinstance(one.value, str))
        self.changes.append(Change(self.mod, path, key, was > 0))
        if was * weight(old) > MAX_WEIGHT:
            self.problems.append(grows_too_much(key, path))
            return old
        return self.with_was(new, old, path) if was else new

    def with_was(self, new: Node, old: Node, path: Path) -> Node:
        match new:
            case Scalar(value=str(text)) if WAS.search(text):
                if new.text == "was" and not isinstance(old, Scalar):
                    return old
                old_text = f"({old.text})" if isinstance(old, Scalar) else self.as_term(old, path)
                replaced = WAS.sub(lambda _: old_text, text)
                return Scalar(replaced, replaced, new.place, new.quoted)
            case Sequence():
                return Sequence(tuple(self.items_with_was(new, old, path)), new.place)
            case Mapping():
                entries = {
                    key: Entry(entry.key, self.with_was(entry.value, old, path)) for key, entry in new.entries.items()
                }
                return Mapping(entries, new.place)
        return new

    def items_with_was(self, new: Sequence, old: Node, path: Path) -> Iterator[Node]:
        """The items of a list; `was` alone stands for all the items that were there."""
        for item in new.items:
            if isinstance(item, Scalar) and item.value == "was" and isinstance(old, Sequence):
                yield from old.items
            else:
                yield self.with_was(item, old, path)

    def as_term(self, old: Node, path: Path) -> str:
        """A term for a condition that is not an expression, so that an expression can name it."""
        name = "_".join(("was", self.mod, *path))
        self.terms[name] = Entry(
            Scalar(name, name, old.place), Mapping({"is": Entry(Scalar("is", "is", old.place), old)}, old.place)
        )
        return name

    def with_terms(self, full: Mapping) -> Mapping:
        """The whole with the terms made of conditions."""
        if not self.terms:
            return full
        old = full.entries.get("terms")
        inner = old.value.entries if old and isinstance(old.value, Mapping) else {}
        key = old.key if old else Scalar("terms", "terms", full.place)
        terms = Entry(key, Mapping({**inner, **self.terms}, old.value.place if old else full.place))
        return Mapping({**full.entries, "terms": terms}, full.place)

    def remove(self, full: Mapping, item: Scalar) -> Mapping:
        """The whole without the node at a path."""
        path = str(item.value).split(".")
        node, at = find(full, path)
        if node is None and is_tried(tuple(path)):
            return full
        if node is None:
            self.problems.append(
                path_problem("nothing-to-remove", f"there is nothing to remove at {item.value}", full, item, at)
            )
            return full
        self.changes.append(Change(self.mod, tuple(path), item, False))
        return put(full, path, None)


def is_tried(path: Path) -> bool:
    """Whether a path leads to an example or a case, which no game depends on: it may exist in only some rulesets, and
    several mods may remove it."""
    return path[:1] == ("cases",) or (path[:1] == ("patterns",) and path[2:3] == ("examples",))


def changes_tried(path: Path, value: Node) -> bool:
    """Whether a change at a path is one of a whole case, or of nothing but examples of a pattern."""
    if path[:1] == ("patterns",) and len(path) == 2:
        return isinstance(value, Mapping) and set(value.entries) == {"examples"}
    return is_tried(path) and len(path) == (2 if path[0] == "cases" else 3)


def changed_examples(mod: Mapping) -> Iterator[tuple[Scalar, Path, str]]:
    """The examples and cases that a mod changes or removes, with the places, and which of both it does."""
    for item in listed(mod, "remove"):
        if is_tried(path := tuple(str(item.value).split("."))):
            yield item, path, "remove"
    change = mod.get("change")
    if isinstance(change, Mapping):
        yield from changed_below(change, ())


def changed_below(node: Mapping, path: Path) -> Iterator[tuple[Scalar, Path, str]]:
    for name, value in node.items():
        here = (*path, name)
        if is_null(value):
            yield from [(node.key(name), here, "remove")] if is_tried(here) else ()
            continue
        own = here if isinstance(value, Mapping) else (*here, "")  # a list is one of all examples of a pattern
        if is_tried(here) and len(own) == (2 if here[0] == "cases" else 4):
            yield node.key(name), here, "change"
        if isinstance(value, Mapping):
            yield from changed_below(value, here)


def merges(part: Schema) -> bool:
    """Whether a mapping there is changed key by key, not replaced."""
    return not opaque(part) and not single(part)


def leaves(node: Node) -> int:
    """How many values there are below a mapping."""
    return sum(leaves(value) for _, value in node.items()) if isinstance(node, Mapping) and node.entries else 1


def weight(node: Node) -> int:
    """The approximate number of characters of a repeated value."""
    return sum(len(one.text) + 1 for one in scalars(node))


def grown(old: Sequence, new: Sequence) -> Sequence:
    """The list with additions at its end; a name is not added twice."""
    there = {item.value for item in old.items if isinstance(item, Scalar)}
    more = tuple(item for item in new.items if not (isinstance(item, Scalar) and item.value in there))
    return Sequence((*old.items, *more), old.place)


# --- problems


def exists_already(key: Scalar, path: Path) -> Problem:
    return Problem(
        "exists-already", f"{'.'.join(path)} exists already", key.place, "change it, or add under another id"
    )


def nothing_added(key: Scalar) -> Problem:
    return Problem("nothing-to-remove", "`add` removes nothing", key.place, "use `remove`, or {} if it has no details")


def nothing_to_change(key: Scalar, path: Path, known: list[str]) -> Problem:
    return Problem(
        "nothing-to-change",
        f"there is nothing to change at {'.'.join(path)}",
        key.place,
        hint(key.text, known) or "what is new belongs in `add`",
    )


def needs_mod(mod: str, item: Scalar) -> Problem:
    return Problem(
        "needs-mod", f"{mod} needs the mod {item.value}, which is missing", item.place, f"--mod {item.value}"
    )


def grows_too_much(key: Scalar, path: Path) -> Problem:
    return Problem("grows-too-much", f"repeating `was` makes {'.'.join(path)} too long", key.place, "use `was` once")


def needs_itself(mod: str, item: Scalar) -> Problem:
    return Problem("needs-in-a-circle", f"what {mod} needs leads back to {mod}", item.place)


def mod_twice(mod: Mapping) -> Problem:
    place = mod.key("id").place
    return Problem("mod-twice", f"two mods are called {mod_id(mod)}", place, "give one of them another id")


def conflicts_with(mod: str, item: Scalar) -> Problem:
    return Problem("mods-conflict", f"{mod} cannot be played with {item.value}", item.place)


def both_change(change: Change, other: Change) -> Problem:
    return Problem(
        "mods-collide",
        f"{change.mod} and {other.mod} both change {'.'.join(change.path)}",
        change.node.place,
        "let one need the other, or let both change it with `was`",
    )
