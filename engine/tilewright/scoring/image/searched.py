"""The image of cases that are searched, of texts, and of the tiles of parts, as numbers for the kernel.

In: an engine, and a function that adds numbers to its image. Knows no hands."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product

from tilewright.hands.reading import Part, Slot
from tilewright.language.compiled.ir import Ir, Matches
from tilewright.language.compiled.ruleset import Form
from tilewright.scoring.image.cases import options_of
from tilewright.scoring.image.engine import Engine
from tilewright.scoring.image.lookup import CaseLookup, FormTables
from tilewright.scoring.kernel import layout as at
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
