"""Options: the settings that a ruleset offers, those chosen, and presets: named sets of settings and mods.

`choose` makes settings of the declared options and the chosen values, as command-line texts or as values; `fold`
removes from a document what is absent with these settings (`if:`), and turns decided conditions into truths. Names of
options are linked with all others. Knows no play and no scoring.
"""

import re
from collections.abc import Callable, Iterator
from collections.abc import Mapping as Map
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from tilewright.base.node import Entry, Mapping, Node, Scalar, Sequence, plain
from tilewright.base.problem import Place, Problem, RulesetError
from tilewright.base.spelling import hint
from tilewright.language.documents.fields import entries, items, section, texts
from tilewright.language.documents.library import names_a_file, path_of
from tilewright.language.documents.schema import Schema, below
from tilewright.language.documents.schema import items as items_of

Chosen = bool | int | Fraction | str
NUMBER = re.compile(r"-?[0-9]{1,30}(\.[0-9]{1,30})?")
SORTS = ("flag", "number", "choice")
YES, NO = ("true", "yes", "on"), ("false", "no", "off")


@dataclass(frozen=True, slots=True)
class OptionSetting:
    """One option with its setting. `worth`: the value of the choice, if `of` gives values."""

    id: str
    chosen: Chosen
    worth: Node | None = None

    @property
    def written(self) -> str:
        """What is chosen and what that is worth, as text."""
        return f"{self.chosen}" if self.worth is None else f"{self.chosen}: {plain(self.worth)}"


# --- choices


def choose(section: Node | None, wanted: Map[str, object]) -> tuple[dict[str, OptionSetting], list[Problem]]:
    """Every option with its setting, and the problems of declarations and choices."""
    declared = (
        {id: node for id, node in section.items() if isinstance(node, Mapping)} if isinstance(section, Mapping) else {}
    )
    keys = {id: section.key(id) for id in declared} if isinstance(section, Mapping) else {}
    problems = [unknown_option(id, declared) for id in wanted if id not in declared]
    settings = {}
    for id, option in declared.items():
        if found := list(declaration_problems(keys[id], option)):
            problems += found
            continue
        chosen: Chosen | Problem = default_of(option)
        if id in wanted:
            chosen = read_setting(keys[id], option, wanted[id])
        if isinstance(chosen, Problem):
            problems.append(chosen)
            continue
        settings[id] = OptionSetting(id, chosen, worth_of(option, chosen))
    return settings, problems


def default_of(option: Mapping) -> Chosen:
    return value_of(option, next(sort for sort in SORTS if sort in option.entries))


def value_of(option: Mapping, key: str) -> Chosen:
    node = option.get(key)
    assert isinstance(node, Scalar) and node.value is not None
    return node.value


def worth_of(option: Mapping, chosen: Chosen) -> Node | None:
    of = option.get("of")
    return of.get(str(chosen)) if isinstance(of, Mapping) else None


def choices_of(option: Mapping) -> list[str]:
    of = option.get("of")
    if isinstance(of, Mapping):
        return list(of.entries)
    return [str(item.value) for item in of.items if isinstance(item, Scalar)] if isinstance(of, Sequence) else []


def choice_name(option: Mapping, choice: str) -> Map[str, str]:
    """The name of something that can be chosen; empty if it has none."""
    return texts(section(option, "names").get(choice))


# --- declarations


def declaration_problems(key: Scalar, option: Mapping) -> Iterator[Problem]:
    """The problems of the declaration of one option."""
    sorts = [sort for sort in SORTS if sort in option.entries]
    if len(sorts) != 1:
        yield sort_of_option(key, sorts)
        return
    belongs = {"flag": (), "number": ("from", "to", "step"), "choice": ("of", "names")}[sorts[0]]
    for name in ("of", "names", "from", "to", "step"):
        if name in option.entries and name not in belongs:
            yield does_not_belong(option.key(name), sorts[0])
    if sorts[0] == "choice" and "of" not in option.entries:
        yield Problem("missing-key", f"'of' is missing: what can be chosen for {key.text}", key.place)
    elif sorts[0] == "choice" and str(value_of(option, "choice")) not in choices_of(option):
        node = option.get("choice")
        assert isinstance(node, Scalar)
        yield no_such_choice(node.place, key.text, node.text, choices_of(option))
    elif sorts[0] == "choice":
        yield from (
            no_such_choice(named.place, key.text, named.text, choices_of(option))
            for entry in section(option, "names").entries.values()
            if (named := entry.key).text not in choices_of(option)
        )
    elif sorts[0] == "number":
        chosen = value_of(option, "number")
        node = option.get("number")
        if node is not None and isinstance(chosen, int | Fraction):
            yield from range_problems(node.place, key.text, option, chosen)


def range_problems(place: Place, id: str, option: Mapping, chosen: int | Fraction) -> Iterator[Problem]:
    """The problems of a number outside the range."""
    low, high, step = (number_at(option, name) for name in ("from", "to", "step"))
    if (low is not None and chosen < low) or (high is not None and chosen > high):
        yield out_of_range(place, id, chosen, low, high)
    elif step is not None and step > 0:
        start = low if low is not None else number_at(option, "number") or 0
        if (chosen - start) % step != 0:
            yield off_step(place, id, chosen, start, step)


def number_at(option: Mapping, name: str) -> int | Fraction | None:
    node = option.get(name)
    value = node.value if isinstance(node, Scalar) else None
    return value if isinstance(value, int | Fraction) and not isinstance(value, bool) else None


# --- settings as text


def read_setting(key: Scalar, option: Mapping, wanted: object) -> Chosen | Problem:
    """The chosen value, if the option allows it."""
    sort = next(sort for sort in SORTS if sort in option.entries)
    text = str(wanted).strip()
    if sort == "flag":
        if text.lower() in (*YES, *NO):
            return text.lower() in YES
        return wrong_setting(key, text, "true or false")
    if sort == "choice":
        return text if text in choices_of(option) else no_such_choice(key.place, key.text, text, choices_of(option))
    if isinstance(wanted, bool) or not (isinstance(wanted, int | Fraction) or NUMBER.fullmatch(text)):
        return wrong_setting(key, text, "a number")
    number = Fraction(text)
    found = next(range_problems(key.place, key.text, option, number), None)
    return found or (int(number) if number.denominator == 1 else number)


def read_settings(texts: Iterator[str] | list[str] | tuple[str, ...]) -> dict[str, str]:
    """Several `option=value`: the chosen values, by option."""
    return dict(parted(text) for text in texts)


def read_mod(text: str) -> tuple[str, dict[str, str]]:
    """`mod`, or `mod:option=value,option=value`: the mod and its chosen options."""
    name, _, rest = text.partition(":")
    return name, read_settings(tuple(part for part in rest.split(",") if part.strip()))


def parted(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name.strip(), value.strip()


# --- if

Decide = Callable[[Scalar], bool]


@dataclass(frozen=True, slots=True)
class Folds:
    """What earlier settings made of the nodes of a document, so that what is decided alike is the very same node.
    `steady`: nodes in which nothing is decided; `made`: what became of others. Both with their parts of the schema, by
    identity; the nodes are kept with them."""

    steady: dict[tuple[int, int], Node] = field(default_factory=dict)
    made: dict[tuple[object, ...], tuple[Node, Node]] = field(default_factory=dict)

    def is_steady(self, node: Node, part: Schema) -> bool:
        """Whether nothing is decided in a node that was folded."""
        return not is_decided(node, part) if isinstance(node, Scalar) else (id(node), id(part)) in self.steady

    def same(self, node: Node, parts: tuple[object, ...], make: Callable[[], Node]) -> Node:
        """What a node becomes with these parts, made once."""
        key = (id(node), *parts)
        if key not in self.made:
            self.made[key] = node, make()
        return self.made[key][1]


def fold(node: Node, part: Schema, decide: Decide, before: Folds) -> Node | None:
    """The node without absent parts (None: all of it), and without the `if` of present ones."""
    if isinstance(node, Scalar):
        if not is_decided(node, part):
            return node
        value = decide(node)
        return before.same(node, (value,), lambda: replace(node, value=value))
    if (id(node), id(part)) in before.steady:
        return node
    if isinstance(node, Sequence):
        return fold_sequence(node, part, decide, before)
    return fold_mapping(node, part, decide, before)


def is_decided(node: Scalar, part: Schema) -> bool:
    """Whether a value is a condition that options decide."""
    return bool(part.get("x-decided")) and isinstance(node.value, str)


def fold_sequence(node: Sequence, part: Schema, decide: Decide, before: Folds) -> Node:
    inside = items_of(part)
    kept = [fold(item, inside, decide, before) for item in node.items]
    if all(before.is_steady(item, inside) for item in node.items):
        before.steady[id(node), id(part)] = node
        return node
    there = tuple(item for item in kept if item is not None)
    return before.same(node, tuple(map(id, there)), lambda: Sequence(there, node.place))


def fold_mapping(node: Mapping, part: Schema, decide: Decide, before: Folds) -> Node | None:
    condition = node.get("if") if "if" in part.get("properties", {}) else None
    if isinstance(condition, Scalar) and condition.value is not None and not decide(condition):
        return None
    entries, steady = {}, condition is None
    for key, entry in node.entries.items():
        if condition is None or key != "if":
            under = below(part, key)
            inner = fold(entry.value, under, decide, before)
            steady = steady and before.is_steady(entry.value, under)
            if inner is not None:
                entries[key] = entry if inner is entry.value else Entry(entry.key, inner)
    if steady:
        before.steady[id(node), id(part)] = node
        return node
    parts = ((key, id(entry.value)) for key, entry in entries.items())
    return before.same(node, tuple(parts), lambda: Mapping(entries, node.place))


# --- problems


def unknown_option(id: str, declared: Map[str, object]) -> Problem:
    return Problem("unknown-option", f"there is no option {id!r}", None, hint(id, declared))


def sort_of_option(key: Scalar, sorts: list[str]) -> Problem:
    what = f"not {' and '.join(sorts)} together" if sorts else "and has none of them"
    return Problem("sort-of-option", f"option {key.text} is one of flag, number and choice, {what}", key.place)


def does_not_belong(key: Scalar, sort: str) -> Problem:
    return Problem("sort-of-option", f"{key.text!r} does not belong to a {sort}", key.place)


def no_such_choice(place: Place, id: str, text: str, choices: list[str]) -> Problem:
    return Problem(
        "unknown-choice",
        f"option {id} cannot be {text!r}",
        place,
        f"a file of your own is a mod: --mod {text}" if names_a_file(text) else hint(text, choices) or one_of(choices),
    )


def one_of(choices: list[str]) -> str:
    return f"one of {', '.join(choices)}"


def wrong_setting(key: Scalar, text: str, wanted: str) -> Problem:
    return Problem("wrong-setting", f"option {key.text} needs {wanted}, not {text!r}", key.place)


def out_of_range(
    place: Place, id: str, chosen: int | Fraction, low: int | Fraction | None, high: int | Fraction | None
) -> Problem:
    least = [f"at least {shown(low)}"] if low is not None else []
    bounds = " and ".join([*least, *([f"at most {shown(high)}"] if high is not None else [])])
    return Problem("out-of-range", f"option {id} is {bounds}, not {shown(chosen)}", place)


def off_step(place: Place, id: str, chosen: int | Fraction, start: int | Fraction, step: int | Fraction) -> Problem:
    return Problem(
        "out-of-range",
        f"option {id} goes in steps of {shown(step)} from {shown(start)}, so {shown(chosen)} is not possible",
        place,
    )


def shown(number: int | Fraction | None) -> str:
    if number is None:
        return ""
    return str(number) if number == int(number) else f"{float(number):g}"


# --- presets

Text = dict[str, str]


@dataclass(frozen=True, slots=True)
class Preset:
    """`options`: values by option; `mods` as on the command line."""

    id: str
    name: Text
    about: Text
    options: dict[str, bool | int | float | str]
    mods: tuple[str, ...]


def presets_of(document: Mapping) -> Iterator[Preset]:
    """The presets of a merged document."""
    for id, node in entries(document, "presets"):
        chosen = {name: value for name, value in section(node, "options").items() if isinstance(value, Scalar)}
        yield Preset(
            id,
            dict(texts(node.get("name"))),
            dict(texts(node.get("about"))),
            {name: simple(value) for name, value in chosen.items() if value.value is not None},
            tuple(item.text for item in items(node.get("mods")) if isinstance(item, Scalar)),
        )


def simple(node: Scalar) -> bool | int | float | str:
    """The value as plain data."""
    value = node.value
    if isinstance(value, bool | int | str):
        return value
    return node.text if value is None else float(value)


def check_presets(full: Mapping) -> Iterator[Problem]:
    """Check of a merged document that every option can have its value, and that every mod exists."""
    options = section(full, "options")
    for _, preset in entries(full, "presets"):
        for name, value in section(preset, "options").items():
            if isinstance(value, Scalar) and value.value is not None and name in options.entries:
                _, problems = choose(Mapping({name: options.entries[name]}, options.place), {name: value.value})
                yield from (replace(problem, place=value.place) for problem in problems)
        for item in items(preset.get("mods")):
            if isinstance(item, Scalar):
                yield from missing_mod(item)


def missing_mod(item: Scalar) -> Iterator[Problem]:
    """A mod that is neither next to the document nor bundled."""
    try:
        path_of(read_mod(item.text)[0], Path(item.place.source.name).parent, item.place, "mod")
    except RulesetError as error:
        yield from error.problems
