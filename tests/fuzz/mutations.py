"""Mutations: a text in, a similar one out, changed as text or in the tree that it describes (JSON, its lines, YAML).

`Samples` are the keys and values of good inputs, so that what is put in often has a meaning where it stands.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

MOST_SAMPLES = 40  # values of one key
MOST_NODES = 20_000  # of a tree that is mutated
SIGNS = "abz09 :,{}[]()'\"#-+*/%^.!&|<>=?@`~\\\t\n東é\u2028\x00"
SCALARS = (
    *("null", "true", "0", "-1", "1e9", "99999999999999999999", "''", "[]", "{}", "[[]]", "x", "back", "tile"),
    *("{a: b}", "1..", "..3", "9..1", "*x", "was", "1 / 0", "not not", "hand", "others", "has(pair)", "[null]", "~"),
    "2 ^ 99 ^ 9",
)
SCALAR = re.compile(r"(?<=: )[^{}\[\],#\n]+|(?<=[\[,] )[^{}\[\],#\n:]+")
EXPRESSIONS = (
    "any(any(any(any(t == u and u == v and v == w for t in tiles) for u in tiles) for v in tiles) for w in tiles)",
    "sum(sum(sum(sum(1 for a in tiles) for b in tiles) for c in tiles) for d in tiles)",
    "max(copies(t) ^ 64 ^ 64 for t in tiles)",
    "((score + 9) ^ 64) ^ 64 ^ 64",
    "2 ^ 64 * 3 ^ 64 * 7 ^ 64 / 5 ^ 64 / 11 ^ 64",
    "1 / (1 - 1)",
    "count(t in waits for t in tiles)",
    "potential(seat) + potential(next(seat))",
    "with(tile).without(tile).with(tile).waits",
    "everyone.discards.kinds",
    "has(4 sequences x by d, pair y)",
    "not " * 60 + "concealed",
    "(" * 300 + "1" + ")" * 300,
    "1" + " + 1" * 400,
    " and ".join(["concealed"] * 400),
    "if 1 else 2",
    "x" * 5_000,
    "東 == 東",
    "\x00",
    *("4 sequences n in a", "sequence n in a", "sequence n+1 in b", "9 tiles x", "99 tiles", "0 pairs"),
    *("tile x in a by d of suited except suited", "each of suited"),
    "13 concealed exposed completed plain natural different tiles",
)
THINGS: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 3, 99, 10**9, 2**53, 10**29, 10**400, 0.2, 1e-300, 1e308),
    *(
        "",
        "x",
        "東",
        "0..99",
        "..",
        "__class__",
        "../../etc/passwd",
        "{0.__class__}",
        "\ud800",
        "\x00",
        "%s%n",
        "1e999",
    ),
    *([], {}, [[]], {"": None}, [None], {"a": {"b": {"c": 1}}}, ["x"] * 500, {f"k{n}": {} for n in range(200)}),
)
Spot = tuple[Any, Any]  # a mapping or a list, and a key or an index of it


@dataclass
class Samples:
    """`values`: what stands under each key in good inputs; `holders`: keys that stand beside a key."""

    values: MutableMapping[str, list[Any]] = field(default_factory=lambda: defaultdict(list))
    holders: MutableMapping[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Samples":
        samples = cls()
        for text in texts:
            for tree in trees_in(text):
                samples.learn(tree)
        return samples

    def learn(self, tree: Any) -> None:
        for where, key in spots(tree):
            if isinstance(where, dict):
                known = self.values[str(key)]
                if len(known) < MOST_SAMPLES and where[key] not in known:
                    known.append(where[key])
                self.holders[str(key)] |= {str(other) for other in where}


def mutated(text: str, chance: Random, samples: Samples) -> str:
    """The text after one to three changes, half of them to its tree where it has one."""
    lines = text.split("\n")
    if chance.random() < 0.7:
        if (tree := tree_of(text)) is not None:
            return written(tree_mutated(tree, chance, samples), chance)
        if len(lines) > 1:
            at = chance.randrange(len(lines))
            if (tree := tree_of_json(lines[at])) is not None:
                lines[at] = written(tree_mutated(tree, chance, samples), chance)
                return "\n".join(lines)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        text = chance.choice(TEXT_MUTATIONS)(text, chance)
    return text


def crossed(text: str, other: str, chance: Random) -> str:
    """The text with a part of another one: a value under the same key, or some of its lines."""
    tree, source = tree_of(text), tree_of(other)
    if tree is not None and source is not None:
        there, here = list(spots(source)), list(spots(tree))
        names = {key for _, key in there}
        fitting = [(where, key) for where, key in here if key in names]
        if fitting:
            where, key = chance.choice(fitting)
            place, name = chance.choice([spot for spot in there if spot[1] == key])
            where[key] = copied(place[name])
            return written(tree, chance)
    lines, more = text.splitlines(keepends=True), other.splitlines(keepends=True)
    at, start = (chance.randrange(len(of) + 1) for of in (lines, more))
    return "".join([*lines[:at], *more[start : start + chance.randint(1, 8)], *lines[at:]])


# --- trees


def trees_in(text: str) -> Iterator[Any]:
    """The tree of a text, or that of each of its lines."""
    if (tree := tree_of(text)) is not None:
        yield tree
    else:
        yield from (found for line in text.splitlines() if (found := tree_of_json(line)) is not None)


def tree_of(text: str) -> Any:
    """A copy of what a text describes; None if that is no mapping."""
    found = json_of(text)
    tree = None if found is None else json.loads(found)
    return tree if isinstance(tree, dict) and tree else None


def tree_of_json(text: str) -> Any:
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return tree if isinstance(tree, dict) and tree else None


@lru_cache(maxsize=500)
def json_of(text: str) -> str | None:
    """What a text says, as JSON, unless it says nothing that can be changed. YAML is read once: that takes long."""
    try:
        json.loads(text)
        return text
    except RecursionError:
        return None
    except ValueError:
        pass
    if not re.search(r"^[\w\"{]", text) or ":" not in text or text.startswith("{") or "&" in text:
        return None
    try:
        return json.dumps(YAML(typ="safe", pure=True).load(text), default=str)
    except (YAMLError, ValueError, TypeError, RecursionError, AttributeError, KeyError, IndexError):
        return None


def written(tree: Any, chance: Random) -> str:
    return json.dumps(tree, ensure_ascii=chance.random() < 0.5, default=str)


def copied(value: Any) -> Any:
    return json.loads(json.dumps(value, default=str))


def spots(node: Any) -> Iterator[Spot]:
    """Every place of a tree where something stands."""
    stack, count = [node], 0
    while stack and count < MOST_NODES:
        node = stack.pop()
        for key in list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ():
            count += 1
            yield node, key
            stack.append(node[key])


def tree_mutated(tree: Any, chance: Random, samples: Samples) -> Any:
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        if places := list(spots(tree)):
            chance.choice(TREE_MUTATIONS)(chance, places, samples)
    return tree


def replaced(chance: Random, places: list[Spot], samples: Samples) -> None:
    where, key = chance.choice(places)
    where[key] = copied(chance.choice(THINGS))


def sampled(chance: Random, places: list[Spot], samples: Samples) -> None:
    """What stands under a key stands there in another input, too."""
    where, key = chance.choice(places)
    if known := samples.values.get(str(key)):
        where[key] = copied(chance.choice(known))


def added(chance: Random, places: list[Spot], samples: Samples) -> None:
    """A key appears that stands beside one that is there in another input."""
    named = [(where, key) for where, key in places if isinstance(where, dict)]
    if named:
        where, key = chance.choice(named)
        if others := sorted(samples.holders.get(str(key), ())):
            new = chance.choice(others)
            where[new] = copied(chance.choice(samples.values[new]))


def renamed(chance: Random, places: list[Spot], samples: Samples) -> None:
    """A key is called as another one is, or as none is."""
    named = [(where, key) for where, key in places if isinstance(where, dict)]
    (where, key), (_, other) = chance.choice(named), chance.choice(named)
    new = chance.choice((other, f"{key}x", str(key)[1:], "東", "seat", "all", "if", "__init__", "a" * 3_000))
    where[new] = where.pop(key)


def moved(chance: Random, places: list[Spot], samples: Samples) -> None:
    """What stands in one place stands in another, too; a copy, so that nothing stands in itself."""
    (where, key), (there, other) = chance.choice(places), chance.choice(places)
    where[key] = copied(there[other])


def lost(chance: Random, places: list[Spot], samples: Samples) -> None:
    where, key = chance.choice(places)
    if chance.random() < 0.5:
        where[key] = None
    else:
        del where[key]


def grafted(chance: Random, places: list[Spot], samples: Samples) -> None:
    """An expression or a template without measure, where a text stands or a condition."""
    fitting = [
        (where, key)
        for where, key in places
        if isinstance(where[key], str) or key in ("when", "worth", "value", "amount", "is", "times")
    ]
    where, key = chance.choice(fitting or places)
    where[key] = chance.choice(EXPRESSIONS)


def scalar_mutated(chance: Random, places: list[Spot], samples: Samples) -> None:
    """A text loses, gains or changes a sign; a number becomes another one."""
    fitting = [(where, key) for where, key in places if isinstance(where[key], str | int | float)]
    if fitting:
        where, key = chance.choice(fitting)
        value = where[key]
        if isinstance(value, str):
            where[key] = chance.choice(TEXT_MUTATIONS)(value, chance)
        else:
            where[key] = chance.choice((-value, value + 1, value - 1, value * 2, value * 1000, value / 3, str(value)))


def joined(chance: Random, places: list[Spot], samples: Samples) -> None:
    """Two texts of the input as one expression."""
    texts = [(where, key) for where, key in places if isinstance(where[key], str) and len(where[key]) < 2_000]
    if texts:
        (where, key), (there, other) = chance.choice(texts), chance.choice(texts)
        words = chance.choice(("{} and {}", "{} + {}", "({}) ^ ({})", "not {}", "{} if {} else 0", "{}({})", "{}.{}"))
        where[key] = words.format(where[key], there[other])


def repeated(chance: Random, places: list[Spot], samples: Samples) -> None:
    """A mapping or a list with a hundred more of one of its parts."""
    large = [where[key] for where, key in places if isinstance(where[key], dict | list) and where[key]]
    if not large:
        return
    node = chance.choice(large)
    if isinstance(node, list):
        node.extend(copied([node[0]] * 100))
    else:
        first = json.dumps(next(iter(node.values())), default=str)
        node.update({f"more_{n}": json.loads(first) for n in range(100)})


def of_itself(chance: Random, places: list[Spot], samples: Samples) -> None:
    """A part speaks of itself: its id stands where a name may stand."""
    nested = [(where, key) for where, key in places if isinstance(where, dict) and isinstance(where[key], dict)]
    if nested:
        where, key = chance.choice(nested)
        if inside := list(spots(where[key])):
            there, other = chance.choice(inside)
            there[other] = chance.choice(
                (key, [key], places[0][0].get("id") if isinstance(places[0][0], dict) else key)
            )


TREE_MUTATIONS: tuple[Callable[[Random, list[Spot], Samples], None], ...] = (
    *(replaced, sampled, sampled, sampled, added, added, added, renamed, moved, lost, grafted, scalar_mutated),
    *(scalar_mutated, joined, repeated, of_itself),
)


# --- texts


def line_lost(text: str, chance: Random) -> str:
    lines = text.splitlines(keepends=True)
    at = chance.randrange(len(lines)) if lines else 0
    return "".join(lines[:at] + lines[at + 1 :])


def line_doubled(text: str, chance: Random) -> str:
    lines = text.splitlines(keepends=True)
    at, to = (chance.randrange(len(lines) + 1) for _ in range(2))
    return "".join(lines[:to] + lines[at : at + 1] + lines[to:])


def lines_swapped(text: str, chance: Random) -> str:
    lines = text.splitlines(keepends=True)
    if lines:
        at, to = (chance.randrange(len(lines)) for _ in range(2))
        lines[at], lines[to] = lines[to], lines[at]
    return "".join(lines)


def sign_changed(text: str, chance: Random) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice(SIGNS) + text[at + chance.choice((0, 1)) :]


def sign_lost(text: str, chance: Random) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + text[at + chance.choice((1, 1, 2, 5, 40)) :]


def scalar_changed(text: str, chance: Random) -> str:
    return scalar_replaced(text, chance, chance.choice(SCALARS))


def scalar_moved(text: str, chance: Random) -> str:
    found = [match.group() for match in SCALAR.finditer(text)]
    return scalar_replaced(text, chance, chance.choice(found)) if found else text


def scalar_replaced(text: str, chance: Random, new: str) -> str:
    found = list(SCALAR.finditer(text))
    if not found:
        return text
    match = chance.choice(found)
    return text[: match.start()] + new + text[match.end() :]


def words_swapped(text: str, chance: Random) -> str:
    found = list(re.finditer(r"[a-z_]{3,}", text))
    if len(found) < 2:
        return text
    old, new = chance.sample(found, 2)
    return text[: old.start()] + new.group() + text[old.end() :]


def indented(text: str, chance: Random) -> str:
    lines = text.splitlines(keepends=True)
    if lines:
        at = chance.randrange(len(lines))
        lines[at] = chance.choice((f"  {lines[at]}", lines[at].removeprefix("  ")))
    return "".join(lines)


TEXT_MUTATIONS: tuple[Callable[[str, Random], str], ...] = (
    *(line_lost, line_doubled, lines_swapped, sign_changed, sign_lost, scalar_changed, scalar_moved, words_swapped),
    indented,
)
