"""Lint that needs the tiles themselves: patterns that no hand can satisfy, and why no winning hand meets a condition.

Every test that is known before the game narrows the remaining hands: their tiles, the groups and the forms of these. A
test that cannot be analysed is assumed to hold, so a result is certain; with wild tiles, or if options decide, there is
none. Knows the compiled ruleset.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, pairwise
from math import floor
from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING, Any

from tilewright.base.problem import Problem
from tilewright.hands.reading import Slot
from tilewright.language.compiled.ir import Apply, Const, HasGroups, Ir, Test, Want, WantedCase
from tilewright.language.compiled.ruleset import CompiledRuleset, Form, Pattern
from tilewright.language.documents.fields import section
from tilewright.language.lint.view import DocumentView, names_below
from tilewright.language.vocabulary import words

if TYPE_CHECKING:
    from tilewright.language.documents.whole import MergedRuleset

TILES = (("tiles", "suits"), ("tiles", "unranked"), ("tiles", "special"), ("groups",))
FORMS = (("forms",),)


def lint_hands(view: DocumentView, data: CompiledRuleset) -> Iterator[Problem]:
    """Patterns of the checked documents that no hand satisfies."""
    if data.tiles.wild or leaves_out(view.whole, TILES):
        return
    forms = () if leaves_out(view.whole, FORMS) or asks_options(view, "forms") else data.forms
    for pattern in data.patterns:
        own = pattern.place is not None and view.is_own(pattern.place)
        if not own or asks_options(view, "patterns", pattern.id):
            continue
        if why := impossible(pattern, data, () if pattern.everyone else forms):
            yield impossible_pattern(pattern, why)


def leaves_out(whole: "MergedRuleset", parts: Iterable[tuple[str, ...]]) -> bool:
    """Whether these options leave something out: then other options may make it possible."""
    return any(
        section(whole.full, *part).entries.keys() != section(whole.document, *part).entries.keys() for part in parts
    )


def asks_options(view: DocumentView, *path: str) -> bool:
    """Whether it depends on options, also through terms."""

    def asks() -> bool:
        options = view.keys("options").keys()
        return bool(options and options & view.closure(names_below(section(view.full, *path))))

    found: bool = view.whole.found.once(("asks options", path), asks)
    return found


def impossible(pattern: Pattern, data: CompiledRuleset, forms: Sequence[Form]) -> str | None:
    """Why no hand can satisfy a pattern; None if some may."""
    tests = [] if pattern.when is None else [pattern.when]
    if pattern.each is not None:
        each = HasGroups(tuple(case for cases in pattern.each for case in cases))
        if why_impossible(each, data, forms):
            return "no tiles make the groups of `each`"
        tests.append(each)
    return why_impossible(Apply("truth", "and", tuple(tests)), data, forms) if tests else None


# --- problems


def impossible_pattern(pattern: Pattern, why: str) -> Problem:
    return Problem(
        "impossible-pattern",
        f"no hand can have the pattern {pattern.id}: {why}",
        pattern.place,
        "fix or remove one of its tests",
    )


# --- conditions

MOST_WAYS = 64  # ways to meet a condition that are tried
MOST_SUITS = 6  # whose combinations are tried one by one

Tests = tuple[Ir, ...]
Tiles = frozenset[int]
Need = tuple[frozenset[int], int]  # how many of these
Comparison = tuple[str, int | Fraction | str]

COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
CONCEALED, SELF_DRAW, FORM = words.concealed.node, words.self_draw.node, words.form.node
SUITS = Apply("number", "size", (words.suits.node,))
KINDS = Apply("number", "size", (words.kinds.node,))


def why_impossible(condition: Ir, data: CompiledRuleset, forms: Sequence[Form] = ()) -> str | None:
    """Why no hand in one of these forms (none: any) meets the condition."""
    return first_if_all(refused(tests, data, forms) for tests in ways(condition))


def ways(condition: Ir) -> list[Tests]:
    """The ways to meet a condition, each a row of tests; an `or` that makes too many of them stays one test."""
    if not isinstance(condition, Apply) or condition.op not in ("and", "or"):
        return [(condition,)]
    if condition.op == "or":
        found = [way for part in condition.args for way in ways(part)]
        return found if len(found) <= MOST_WAYS else [(condition,)]
    rows: list[Tests] = [()]
    for part in condition.args:
        more = ways(part)
        more = more if len(rows) * len(more) <= MOST_WAYS else [(part,)]
        rows = [(*row, *way) for row in rows for way in more]
    return rows


def refused(tests: Tests, data: CompiledRuleset, forms: Sequence[Form]) -> str | None:
    """Why no hand passes all of the tests: by themselves, then in each form."""
    if why := contradiction(tests) or lacking(Hands(data, tests)):
        return why
    return first_if_all(none_in_form(tests, form, data) for form in forms)


def none_in_form(tests: Tests, form: Form, data: CompiledRuleset) -> str | None:
    """Why no hand in a form passes the tests, including those of the form itself."""
    if why := contradiction((*tests, Apply("truth", "==", (FORM, Const("name", form.id))))):
        return why
    if form.shape.concealed and negated(CONCEALED) in tests:
        return f"form {form.id} is concealed"
    plain = bool(form.shape.cases) and form.shape.pick is None
    cases: Sequence[tuple[Slot, ...] | None] = form.shape.cases if plain else (None,)
    rows = [()] if form.when is None else ways(form.when)
    return first_if_all(
        contradiction((*tests, *row)) or lacking(Hands(data, (*tests, *row), slots, not form.shape.melds))
        for row in rows
        for slots in cases
    )


def first_if_all(reasons: Iterable[str | None]) -> str | None:
    """The first reason, if every item has one; stops at the first without."""
    first = None
    for reason in reasons:
        if not reason:
            return None
        first = first or reason
    return first


# --- tests that exclude each other


def contradiction(tests: Tests) -> str | None:
    """Why the tests cannot hold together, whatever the hand is."""
    if any(negated(test) in tests for test in tests):
        return "one test is the opposite of another"
    for subject, found in compared(tests).items():
        if not some_number([one for one in found if not isinstance(one[1], str)], subject):
            return "no number passes its tests"
        names = {name for op, name in found if op == "==" and isinstance(name, str)}
        if len(names) > 1 or any(op == "!=" and name in names for op, name in found):
            return "two names are asked for at once"
    return None


def negated(test: Ir) -> Ir:
    return test.args[0] if isinstance(test, Apply) and test.op == "not" else Apply("truth", "not", (test,))


def compared(tests: Tests) -> dict[Ir, list[Comparison]]:
    """The expressions compared with known numbers and names, and how."""
    found: dict[Ir, list[Comparison]] = {}
    for test in tests:
        if isinstance(test, Apply) and test.op in COMPARED:
            left, right = test.args
            op = test.op
            if isinstance(left, Const):
                left, right, op = right, left, MIRRORED.get(op, op)
            if (
                isinstance(right, Const)
                and right.type in ("number", "name")
                and not isinstance(right.value, bool | tuple)
            ):
                found.setdefault(left, []).append((op, right.value))
    return found


def some_number(comparisons: Sequence[Comparison], subject: Ir) -> bool:
    """Whether some number passes: one of the compared ones, or one next to or between them."""
    return not comparisons or any(passes(number, comparisons) for number in candidates(comparisons, subject))


def passes(number: int | Fraction, comparisons: Iterable[Comparison]) -> bool:
    return all(COMPARED[op](number, bound) for op, bound in comparisons)


def candidates(comparisons: Sequence[Comparison], subject: Ir) -> Iterator[int | Fraction]:
    bounds = sorted({bound for _, bound in comparisons if not isinstance(bound, str)})
    if isinstance(subject, Apply) and subject.op == "size":
        near = {floor(bound) + more for bound in bounds for more in (-1, 0, 1)}
        yield from (number for number in near if number >= 0)
    else:
        yield from (*bounds, bounds[0] - 1, bounds[-1] + 1)
        yield from (Fraction(one + two) / 2 for one, two in pairwise(bounds))


# --- limits of the tiles


@dataclass(frozen=True)
class Hands:
    """A set of hands: all that pass the tests and, if there are slots, fill them. `bare`: no meld is part of another
    group, so that the groups are exactly those melded."""

    data: CompiledRuleset
    tests: Tests
    slots: tuple[Slot, ...] | None = None
    bare: bool = True
    suits: frozenset[str] | None = None  # exactly those that occur

    @cached_property
    def passing(self) -> Tiles:
        """The tiles that pass `only` and `without`."""
        tiles = frozenset(
            tile.plain
            for tile in self.data.tiles.tiles
            if tile.copies and (self.suits is None or tile.suit is None or tile.suit in self.suits)
        )
        for test in self.tests:
            if isinstance(test, Test) and (known := together(test.classes)) is not None:
                tiles = tiles & known if test.op == "only" else tiles - known if test.op == "without" else tiles
        return tiles

    @cached_property
    def groups(self) -> frozenset[int]:
        """The groups that are made of these tiles, have what `every` needs, and fill some slot."""
        every = [together(test.classes) for test in self.tests if isinstance(test, Test) and test.op == "every"]
        wanted = [known for known in every if known is not None]
        some = self.data.groups.groups if self.slots is None else map(self.data.groups.groups.__getitem__, self.fitting)
        return frozenset(
            group.index
            for group in some
            if self.passing.issuperset(group.tiles) and all(known.intersection(group.tiles) for known in wanted)
        )

    @cached_property
    def fitting(self) -> frozenset[int]:
        return frozenset().union(*(slot.groups | slot.meld_groups for slot in self.slots or ()))

    @cached_property
    def tiles(self) -> Tiles:
        """The tiles that may be in the hand."""
        if self.slots is None:
            return self.passing
        single = frozenset[int]().union(*(slot.tiles for slot in self.slots))
        return (single & self.passing) | self.tiles_of(self.groups)

    def tiles_of(self, groups: Iterable[int]) -> Tiles:
        return frozenset(tile for index in groups for tile in self.data.groups.groups[index].tiles)

    @cached_property
    def copies(self) -> dict[int, int]:
        """How many of each plain tile there are."""
        found: dict[int, int] = {}
        for tile in self.data.tiles.tiles:
            found[tile.plain] = found.get(tile.plain, 0) + tile.copies
        return found

    def needed(self, wanted: Want | Slot) -> Need | None:
        """The tiles of which some are needed for it, and how many; None if it is impossible."""
        if wanted.tiles:
            tiles = wanted.tiles & self.passing
            count = len(wanted.tiles) if wanted.each else wanted.count
            return (tiles, count) if tiles and not (wanted.each and tiles != wanted.tiles) else None
        groups = (wanted.groups | wanted.meld_groups) & self.groups
        if not groups or (wanted.different and len(groups) < wanted.count):
            return None
        size = min(len(self.data.groups.groups[index].tiles) for index in groups)
        return self.tiles_of(groups), size * wanted.count

    def can_have(self, all_wanted: Sequence[Want | Slot]) -> bool:
        """Whether each is possible, and the copies suffice for all together."""
        needs = [self.needed(wanted) for wanted in all_wanted]
        known = [need for need in needs if need is not None]
        return len(known) == len(needs) and enough(known, self.copies)

    def has_room(self, wants: Sequence[Want]) -> bool:
        """Whether there are slots for all of the groups."""
        if self.slots is None:
            return True
        places = [
            (frozenset(at for at, slot in enumerate(self.slots) if self.may_fill(want, slot)), want.count)
            for want in wants
        ]
        return enough(places, {at: 1 if slot.each else slot.count for at, slot in enumerate(self.slots)})

    def may_fill(self, want: Want, slot: Slot) -> bool:
        if want.tiles:
            return want.tiles == slot.tiles if want.each else bool(want.tiles & slot.tiles)
        wanted, there = want.groups | want.meld_groups, slot.groups | slot.meld_groups
        return bool(wanted & there & self.groups) and None in (want.exposed, slot.exposed, *same(want, slot))

    def shown(self, wants: Sequence[Want]) -> bool:
        """Whether enough groups may be exposed, and enough concealed."""
        shown, hidden = (sum(want.count for want in wants if want.exposed is so) for so in (True, False))
        if CONCEALED in self.tests:
            by_discard = self.data.scoring.completed_by_discard == "exposed" and SELF_DRAW not in self.tests
            return shown <= by_discard or not self.bare
        if negated(CONCEALED) in self.tests and self.slots is not None and self.bare:
            return hidden < sum(slot.count for slot in self.slots)
        return True

    def most_kinds(self) -> int:
        """The most different tiles that a hand may have."""
        every = len(self.tiles)
        if self.slots is None:
            return every
        return min(
            every, sum(len(slot.tiles) if slot.each else slot.count * self.kinds_in(slot) for slot in self.slots)
        )

    def kinds_in(self, slot: Slot) -> int:
        """The most different tiles that one group of a slot may have."""
        groups = (slot.groups | slot.meld_groups) & self.groups
        return max((len(set(self.data.groups.groups[index].tiles)) for index in groups), default=1)

    def meets(self, cases: Iterable[WantedCase]) -> bool:
        return any(self.can_have(case.wants) and self.has_room(case.wants) and self.shown(case.wants) for case in cases)


def same(want: Want, slot: Slot) -> tuple[None, ...]:
    """None if both need the same exposure of their groups."""
    return (None,) if want.exposed == slot.exposed else ()


def enough(needs: Sequence[Need], there: Mapping[int, int]) -> bool:
    """Whether everything needed is there often enough."""
    return all(
        sum(count for part, count in needs if part <= whole) <= sum(there.get(one, 0) for one in whole)
        for whole in {part for part, _ in needs}
    )


def lacking(hands: Hands) -> str | None:
    """The requirement that none of these hands can meet."""
    numbers = compared(hands.tests)
    if SUITS in numbers and hands.suits is None:
        all_suits = sorted({tile.suit for tile in hands.data.tiles.tiles if tile.suit})
        if len(all_suits) <= MOST_SUITS:
            chosen = [frozenset(some) for n in range(len(all_suits) + 1) for some in combinations(all_suits, n)]
            fitting = [some for some in chosen if passes(len(some), numbers[SUITS])]
            reasons = (lacking(replace(hands, suits=some)) for some in reversed(fitting))
            return first_if_all(reasons) if fitting else f"there are {len(all_suits)} suits"
    return next(reasons_against(hands), None)


def reasons_against(hands: Hands) -> Iterator[str]:
    """Everything that is needed but impossible."""
    if not hands.passing:
        yield "no tile passes `only` and `without`"
    for test in hands.tests:
        match test:
            case HasGroups(cases=cases) if not hands.meets(cases):
                yield "no tiles that may be in the hand make the groups of `has`"
            case Test(op="include", classes=classes) if any(
                (known := tiles_of(one)) is not None and not known & hands.tiles for one in classes
            ):
                yield "`include` needs tiles that may not be in the hand"
            case Test(op="every", classes=classes) if (
                known := together(classes)
            ) is not None and not known & hands.tiles:
                yield "`every` needs tiles that may not be in the hand"
    if hands.slots is not None and not hands.can_have(hands.slots):
        yield "the tiles that may be in the hand do not make a form"
    kinds = compared(hands.tests).get(KINDS, [])
    if kinds and not any(passes(number, kinds) for number in range(hands.most_kinds() + 1)):
        yield "there are too few different tiles"
    present = {hands.data.tiles.tiles[tile].suit for tile in hands.tiles}
    if hands.suits is not None and not hands.suits <= present:
        yield "too few suits are left"


def together(classes: Sequence[Ir]) -> Tiles | None:
    """All tiles of the classes; None if the table decides."""
    known = [tiles_of(one) for one in classes]
    return frozenset[int]().union(*(one for one in known if one is not None)) if None not in known else None


def tiles_of(ir: Ir) -> Tiles | None:
    if isinstance(ir, Const) and isinstance(ir.value, tuple):
        return frozenset(index for index in ir.value if isinstance(index, int))
    return None
