"""Numbers for the kernel: what of a ruleset is searched, read as text, counted, and contested.

In: an engine, and a function that adds numbers to its image. Out: lists of numbers, whose records
`tilewright.scoring.kernel.layout` describes: cases that are searched, texts, tiles of parts; steps of patterns and
forms, turns, contests, and what items add to sums. Knows no hands.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product

from tilewright.hands.reading import Part, Slot
from tilewright.language.compiled.ir import Const, Ir, Matches
from tilewright.language.compiled.ruleset import Form, Pattern
from tilewright.scoring.image.engine import CaseLookup, Engine, FormTables
from tilewright.scoring.image.tables import options_of
from tilewright.scoring.kernel import layout as at
from tilewright.scoring.program.contexts import CountedItems, bits_in, numbers_in
from tilewright.scoring.program.layout import Case, Places
from tilewright.scoring.program.program import Candidate, Item, Level, Step, Turn, worths
from tilewright.scoring.program.texts import automaton_of, text_places

Extend = Callable[[Iterable[int]], int]  # adds numbers: where they begin
MANY = 1 << 20  # of a tile that a form has any number of


class SearchImage:
    """Searched cases, texts and parts. `tables`: of the forms."""

    def __init__(self, engine: Engine, tables: FormTables, extend: Extend) -> None:
        self.engine, self.data, self.tables, self.extend = engine, engine.data, tables, extend
        self.kinds = len(engine.plain_tiles)
        self.places = text_places(self.data.tiles)

    # --- cases

    @staticmethod
    def knows(engine: Engine) -> bool:
        """Whether the kernel can tell which hands may be in the forms that are searched for elsewhere, and answers what
        patterns ask of hands with wild tiles: each reading may give another answer."""
        asked = (automaton_of(one, engine.data.tiles) for one in engine.questions)
        by_text = engine.with_wild is None or all(one is not None for one in asked)
        return by_text and all(has_room(engine.data.forms[number]) for number in engine.searched)

    def starts(self, lookup: CaseLookup, number_of: Mapping[int, int]) -> list[int]:
        """By plain tile, where the options are listed that have it as their lowest one."""
        lists: list[list[int]] = [[] for _ in range(self.kinds)]
        for number, slot in enumerate(lookup.case.slots):
            for part in options_of(slot, self.tables.groups):
                if all(tile in self.tables.keys.weight for tile in part.held):
                    lists[min(part.held)].append(self.extend(self.option(number, slot, part, number_of)))
        return [self.extend([len(options), *options]) for options in lists]

    def option(self, number: int, slot: Slot, part: Part, number_of: Mapping[int, int]) -> Iterator[int]:
        """A part that may fill a slot."""
        place = number_of[self.engine.layout.number(part)]
        tiles = sorted(set(part.held))
        yield from (1 << at.SLOT_BITS * number, 0xFF << at.SLOT_BITS * number, place, int(slot.different), len(tiles))
        for tile in tiles:
            yield from (tile, part.held.count(tile))

    def others(self) -> Iterator[int]:
        """The cases of forms that are searched for elsewhere: whether they are concealed, and how often they may have
        each plain tile."""
        forms = [self.data.forms[number] for number in sorted(self.engine.searched)]
        yield sum(len(form.shape.cases) for form in forms)
        for form in forms:
            for case in form.shape.cases:
                yield int(form.shape.concealed)
                yield from self.room(case, form.shape.pick)

    def room(self, case: Sequence[Slot], pick: int | None) -> list[int]:
        """How often a case may have each plain tile; wild tiles, and what they stand for, as often as they like."""
        wild, groups, found = self.engine.plain.reader.wild, self.data.groups.groups, [0] * self.kinds
        for slot in case:
            for tile in range(self.kinds):
                rows = [groups[group].tiles.count(tile) for group in slot.groups | slot.meld_groups]
                found[tile] += max([*rows, int(tile in slot.tiles)], default=0) * slot.count
        free = {tile for pair in wild.stands_for.items() for tile in (pair[0], *pair[1])}
        return [MANY if tile in free else number if pick is None else 1 for tile, number in enumerate(found)]

    # --- tiles of parts

    def part_bits(self, parts: Sequence[int]) -> list[int]:
        """The facts that the tiles of each part decide."""
        return [self.engine.part_facts(number) for number in parts]

    def texts(self, questions: Sequence[Ir]) -> list[int]:
        """By question, where its text is; 0 for another question."""
        return [*map(self.text, questions)]

    def text(self, asked: Ir) -> int:
        automaton = automaton_of(asked, self.data.tiles)
        if automaton is None or not isinstance(asked, Matches):
            return 0
        moves = self.extend(state for row in automaton.moves for state in row)
        accepts = self.extend(map(int, automaton.accepts))
        return self.extend([int(asked.order == "groups"), int(asked.stands_for), moves, accepts])

    def part_texts(self, parts: Sequence[int]) -> list[int]:
        """By part, where its rows are."""
        rows = [self.rows(self.engine.layout.parts[number].part) for number in parts]
        every = {tuple(row) for ways in rows for pair in ways for row in pair}
        rank = {row: number for number, row in enumerate(sorted(every, key=lambda row: (-len(row), row)))}
        row_at = {row: self.extend([rank[row], len(row), *row]) for row in every}
        return [
            self.extend([len(ways).bit_length() - 1, *(row_at[row] for pair in ways for row in pair)]) for ways in rows
        ]

    def rows(self, part: Part) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """For each way to spell a part, its row whole and as long as what it stands for."""
        groups, identities = self.data.groups, part.identities
        size = None
        if part.group >= 0:
            group = groups.groups[part.group]
            size = min(groups.sizes[kind] for kind in group.kinds | group.meld_kinds)
        return [(self.row(tiles), self.row(tiles[:size])) for tiles in product(*identities)]

    def row(self, tiles: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted(self.places[self.engine.plain_tiles[tile]] for tile in tiles))


def has_room(form: Form) -> bool:
    """Whether the groups of a form say how often it may have a tile."""
    shape = form.shape
    return bool(shape.cases) and shape.listed is None and form.card is None


# --- what counts

MOST_WORTH = 1 << 32
MOST_RIVALS = 62  # of a contest, as bits
WORD = (1 << 64) - 1


class CountingNumbers:
    """The numbers so far, and those of a program. `contests`: the turns whose patterns are decided together;
    `numbers_of`: what the numbers of each pattern ask."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.program, self.data = engine, engine.program, engine.data
        self.items_of_all = CountedItems.of(self.program)
        named = zip(self.data.patterns, self.items_of_all.numbers, strict=True)
        self.numbers_of = {pattern.id: numbers for pattern, numbers in named}
        self.layout, self.wants = engine.layout, Places(engine.layout)
        self.numbers: list[int] = [0] * at.HEADER
        self.contests = [turn for turn in self.program.turns if turn.ranked is None]

    @cached_property
    def asked(self) -> dict[int, int]:
        """The slots of questions about numbers."""
        asked = (number for pairs in self.numbers_of.values() for of_table, number in pairs if not of_table)
        return {question: slot for slot, question in enumerate(dict.fromkeys(asked))}

    @cached_property
    def sums(self) -> dict[tuple[str, bool], int]:
        """The number of the sum of each measure, and of what is beside it."""
        measures = enumerate(self.data.scoring.measures)
        return {(m.id, extra): 2 * n + extra for n, m in measures for extra in (False, True)}

    @cached_property
    def times(self) -> list[int]:
        """The answers of the table that say how often a pattern counts."""
        patterns = self.data.patterns
        return list(dict.fromkeys(n for p in patterns for t, n in times_of(p, self.numbers_of[p.id]) if t))

    # --- numbers and bits

    def put(self, section: int, numbers: Iterable[int]) -> None:
        """Add a list, and where it begins."""
        self.numbers[section] = self.extend(numbers)

    def extend(self, numbers: Iterable[int]) -> int:
        """Add numbers. Where they begin."""
        start = len(self.numbers)
        self.numbers.extend(numbers)
        return start

    def rest(self, bits: int) -> list[int]:
        """The words of facts between those of counters and items."""
        return [word_at(bits, self.tile_word + word) for word in range(self.wide)]

    def items(self, bits: int) -> list[int]:
        return [word_at(bits, word) for word in range(self.item_words)]

    @staticmethod
    def joined(bits: Iterable[int]) -> int:
        whole = 0
        for one in bits:
            whole |= one
        return whole

    # --- sizes

    @cached_property
    def words(self) -> int:
        """Words of counters."""
        return self.program.counters // 64

    @cached_property
    def tile_word(self) -> int:
        """The first word of facts after those of counters."""
        width = self.layout.width
        return self.words * (1 + max((least - 1 for least in self.program.leasts), default=0) // width)

    @cached_property
    def item_word(self) -> int:
        return self.program.first_item // 64

    @cached_property
    def wide(self) -> int:
        """Words of facts between those of counters and items."""
        return self.item_word - self.tile_word

    @cached_property
    def item_words(self) -> int:
        return -(-max(len(self.program.items), 1) // 64)

    @property
    def times_at(self) -> int:
        """The column of a context where its answers about `times` begin."""
        return at.CONTEXT_BITS + self.wide + len(self.data.forms)

    # --- the program

    def lay_program(self) -> None:
        """The steps of patterns, and of forms."""
        levels = [self.level(level) for level in self.program.levels]
        self.numbers[at.LEVELS] = len(levels)
        self.put(at.LEVEL_AT, levels)
        target = 1 << 64 * (self.item_word + self.item_words)
        accepted = [self.program.accepted.get(form, [Step(0, 0, 0)]) for form in range(len(self.data.forms))]
        self.put(at.ACCEPTS, [self.steps([replace(one, target=target) for one in steps]) for steps in accepted])

    def level(self, level: Level) -> int:
        """The record of a level."""
        begins = [0] * (64 * self.item_word)
        for bit, steps in level.by_bit.items():
            begins[bit.bit_length() - 1] = self.steps(steps)
        always = self.steps([*level.always, *level.asking])
        return self.extend([always, *(word_at(level.indexed, word) for word in range(self.item_word)), *begins])

    def steps(self, steps: Iterable[Step]) -> int:
        """Where steps begin."""
        body = [number for step in steps for number in self.step(step)]
        return self.extend([len(body), *body])

    def step(self, step: Step) -> list[int]:
        """The numbers of a step; it looks first at the word of which most bits have to be set."""
        words = [n for n in range(-(-step.care.bit_length() // 64)) if step.care >> 64 * n & WORD] or [0]
        words.sort(key=lambda n: (step.value >> 64 * n & WORD).bit_count(), reverse=True)
        first, *rest = [(n, word_at(step.care, n), word_at(step.value, n)) for n in words]
        asks = [number for question, holds in step.asks for number in (question, int(holds))]
        looks = [number for look in rest for number in look]
        target = (step.target.bit_length() - 1) // 64
        bit = word_at(step.target, target)
        return [*first, 8 + len(looks) + len(asks), target, bit, len(rest), len(step.asks), *looks, *asks]

    # --- what counts

    def lay_turns(self) -> None:
        """The turns of items, and the items that count alone."""
        turn_of = [0] * (64 * self.item_words)
        for turn in self.program.turns:
            start = self.extend(self.contest(turn) if turn.ranked is None else self.ranked(turn))
            for item in bits_in(turn.items):
                turn_of[item] = start
        self.put(at.TURN_OF, turn_of)
        self.numbers[at.WANTS] = min(1 + len(self.wants.features), at.MOST_WANTS)  # those of all contests
        contested = self.items_of_all.contested
        self.put(at.CONTESTED, [len(contested), *contested])
        self.put(at.ALONE, self.items(self.program.alone))
        asked = [0] * (2 * 64 * self.item_words)
        for item in bits_in(self.program.alone):
            numbers = self.numbers_of[self.program.items[item].pattern.id]
            pairs = self.questions(numbers)
            asked[2 * item : 2 * item + 2] = [len(pairs) // 2, self.extend(pairs)]
        self.put(at.ALONE_ASKED, asked)
        self.put(at.UNKNOWN_PLACES, self.items(self.joined(map(self.unknown_in, self.contests))))
        self.lay_worths()

    def lay_worths(self) -> None:
        """What items add to sums."""
        program, items, data = self.program, self.program.items, self.data
        families = [program.bits_of(p for p in data.patterns if p.family == family) for family in data.sole]
        self.put(at.SOLE, (word for bits in families for word in self.items(bits)))
        beside = [p for p in data.patterns if p.extra or p.late is not None]
        self.put(at.EXTRA, self.items(program.bits_of(beside)))
        self.put(at.ODD, self.items(program.bits_of(filter(self.is_odd, data.patterns))))
        added = [w for item in items for is_open in (False, True) for w in self.worth(item, is_open)]
        self.put(at.WORTH, added)
        numbers = self.numbers_of
        self.put(at.TIMES, (self.factor(item.pattern, numbers[item.pattern.id]) for item in items))
        self.put(at.PATTERN_OF, self.items_of_all.pattern_of)
        self.put(at.CODE_AT, (at.CODE_SHOWN if item.exposed else at.CODE_CLOSED for item in items))

    def is_odd(self, pattern: Pattern) -> bool:
        """Whether what it adds to sums is no fixed number, nor one that is multiplied, or depends on them."""
        numbers = [*pattern.worth.values(), *(pattern.exposed or {}).values()]
        fixed = all(
            isinstance(ir, Const) and isinstance(ir.value, int) and abs(ir.value) < MOST_WORTH for ir in numbers
        )
        asks = pattern.times is not None and not isinstance(pattern.times, Const)
        several = isinstance(pattern.times, Const) and pattern.times.value != 1
        if pattern.id in self.program.decided:
            return pattern.limit
        return (
            not fixed
            or pattern.limit
            or pattern.late is not None
            or several
            or (pattern.alone and (asks or pattern.exposed is not None))
        )

    def worth(self, item: Item, is_open: bool) -> list[int]:
        """What an item adds to each sum, in a concealed hand or an exposed one; one of a contest at a place without an
        exposed part, or with one."""
        added, pattern = [0] * len(self.sums), item.pattern
        is_contested = pattern.id in self.program.decided
        shown = item.exposed if pattern.each is not None and not is_contested else is_open
        for measure, ir in worths(pattern, shown).items():
            added[self.sums[measure, pattern.extra]] = fixed_worth(ir) or 0
        return [number * times_in(pattern) for number in added] if is_contested else added

    def factor(self, pattern: Pattern, numbers: Sequence[tuple[bool, int]]) -> int:
        """What multiplies the worth of a pattern: the slot of a question, from one on, or a column of the context."""
        if pattern.id in self.program.decided:
            return at.BY_PLACES
        if pattern.each is not None:
            return 0
        for of_table, number in times_of(pattern, numbers):
            return -(self.times_at + self.times.index(number)) if of_table else self.asked[number] + 1
        return 0

    # --- contests

    def patterns_of(self, items: int) -> list[Pattern]:
        """The patterns of these items, in the order of the ruleset."""
        of_item, patterns = self.items_of_all.pattern_of, self.data.patterns
        return [patterns[number] for number in sorted({of_item[item] for item in bits_in(items)})]

    def contest(self, turn: Turn) -> list[int]:
        """A turn that is a contest."""
        rivals = self.patterns_of(turn.items | turn.droppers)
        if len(rivals) > MOST_RIVALS:
            rivals = []
        kept = {name: self.data.families.get(name, "best") for p in rivals if (name := p.family)}
        families = [name for name, keep in kept.items() if keep != "all"]
        members = [sum(1 << number for number, p in enumerate(rivals) if p.family == name) for name in families]
        records = [self.extend(self.rival(pattern, turn, rivals, families)) for pattern in rivals]
        order = [rivals.index(pattern) for pattern in after_excluders(rivals)]
        kinds = [
            number for name, bits in zip(families, members, strict=True) for number in (kept[name] == "once", bits)
        ]
        contest = self.extend([len(rivals), len(families), *records, *order, *map(int, kinds)])
        return [contest, *self.items(turn.items), *self.items(turn.droppers)]

    def rival(self, pattern: Pattern, turn: Turn, rivals: Sequence[Pattern], families: Sequence[str]) -> Iterator[int]:
        """The record of a pattern in a contest, or of one that may drop its patterns."""
        data, items = self.data, self.program.bits_of([pattern])
        times = times_in(pattern)
        is_once = data.families.get(pattern.family or "") == "once"
        known = self.wants.of(pattern)
        lists = () if known is None else known.used if known.each is None else (known.each,)
        yield from (
            int(items & turn.items != 0),
            (items & -items).bit_length() - 1,
            sum(1 << number for number, other in enumerate(rivals) if pattern.id in other.excludes),
            int(any(other.id in pattern.excludes for other in rivals)),
            families.index(pattern.family) if pattern.family in families else -1,
            data.sole.index(pattern.family) if pattern.family in data.sole else -1,
            int(times == 0),
            int(times == 0 or self.is_nothing_open(pattern)),
            int(pattern.exposed is not None),
            int(pattern.each is not None),
            int(not is_once),
            len(lists),
            *self.items(items),
        )
        for cases in lists:
            yield len(cases)
            yield from (number for case in cases for number in wants_of(case))

    def unknown_in(self, turn: Turn) -> int:
        """The items of a contest whose places or worths the kernel does not know."""
        patterns = self.patterns_of(turn.items | turn.droppers)
        unknown = patterns if len(patterns) > MOST_RIVALS else [p for p in patterns if not self.is_placed(p)]
        return self.program.bits_of(unknown)

    def is_placed(self, pattern: Pattern) -> bool:
        """Whether the kernel knows the places of a pattern, and what it is worth at each."""
        known = self.wants.of(pattern)
        numbers = [*pattern.worth.values(), *(pattern.exposed or {}).values()]
        times = pattern.times is None or (isinstance(pattern.times, Const) and isinstance(pattern.times.value, int))
        whole = times and all(fixed_worth(ir) is not None for ir in numbers)
        is_worth = whole or pattern.id not in self.program.decided
        return known is not None and not known.wants >> at.MOST_WANTS and is_worth

    def ranked(self, turn: Turn) -> list[int]:
        """A turn, after its candidates."""
        assert turn.ranked is not None
        spans = []
        for ranking in turn.ranked:
            start = self.extend(number for candidate in ranking for number in self.candidate(candidate))
            spans += [start, len(self.numbers)]
        return [-1, *self.items(turn.items), *spans]

    def candidate(self, candidate: Candidate) -> list[int]:
        pattern = candidate.pattern
        numbers = self.numbers_of[pattern.id]
        of_table, of_hand = -1, -1
        for said, number in times_of(pattern, numbers):
            of_table = self.times_at + self.times.index(number) if said else -1
            of_hand = -1 if said else number
        body = [
            *self.items(candidate.items),
            *self.items(candidate.droppers),
            int(self.is_nothing_open(pattern)),
            of_table,
            of_hand,
            *self.questions(numbers),
        ]
        return [1 + len(body), *body]

    def is_nothing_open(self, pattern: Pattern) -> bool:
        """Whether it is worth nothing in an exposed hand."""
        if pattern.each is not None or pattern.exposed is None:
            return False
        return all(isinstance(ir, Const) and not ir.value for ir in pattern.exposed.values())

    def questions(self, numbers: Iterable[tuple[bool, int]]) -> list[int]:
        """The questions about numbers that the hand answers, each with its slot."""
        return [n for of_table, question in numbers if not of_table for n in (question, self.asked[question])]


def times_of(pattern: Pattern, numbers: Sequence[tuple[bool, int]]) -> list[tuple[bool, int]]:
    """The question of how often a pattern counts, if it is one: whether the table answers it, and its number."""
    asked = [ir for ir in numbers_in(pattern) if not isinstance(ir, Const)]
    return [number for ir, number in zip(asked, numbers, strict=True) if ir == pattern.times]


def times_in(pattern: Pattern) -> int:
    """How often a pattern counts, where that is a fixed whole number; else 1."""
    times = pattern.times.value if isinstance(pattern.times, Const) else 1
    return times if isinstance(times, int) else 1


def fixed_worth(ir: Ir) -> int | None:
    """A worth that is a small whole number."""
    number = ir.value if isinstance(ir, Const) else None
    return number if isinstance(number, int) and abs(number) < MOST_WORTH else None


def wants_of(case: Case) -> list[int]:
    """A case of a contest: how many wants it has, each as a bit with how many parts meet it."""
    wants = [number for want, count in case.wants for number in (want.bit_length() - 1, count)]
    return [len(case.wants), *wants]


def after_excluders(patterns: Sequence[Pattern]) -> Iterator[Pattern]:
    """The patterns, each after those that exclude it."""
    done = set[str]()

    def visit(pattern: Pattern) -> Iterator[Pattern]:
        if pattern.id not in done:
            done.add(pattern.id)
            for other in patterns:
                if pattern.id in other.excludes:
                    yield from visit(other)
            yield pattern

    for pattern in patterns:
        yield from visit(pattern)


def word_at(bits: int, word: int) -> int:
    """A word of large bits, as a signed number."""
    return signed_word(bits >> 64 * word & WORD)


def signed_word(word: int) -> int:
    word &= WORD
    return word - (1 << 64) if word >> 63 else word
