"""The image of a ruleset, made: its tables and its program as one list of numbers, which the kernel runs.

In: tables and a program. Out: the image, whose numbers `layout` places. Knows no hands."""

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, islice
from math import prod
from typing import Any

from tilewright.language.compiled.ir import Const, nodes
from tilewright.language.compiled.ruleset import Pattern
from tilewright.language.vocabulary import words
from tilewright.scoring.image.engine import CaseLookup, Engine
from tilewright.scoring.image.numbers import WORD, CountingNumbers, SearchImage, signed_word, word_at
from tilewright.scoring.image.tables import MOST_SLOTS, BlockTable, Splits, Vector, options_of, radix_of
from tilewright.scoring.kernel import layout as at
from tilewright.scoring.kernel.scores import ClassFeature, ImageNumbers, ScoringImage
from tilewright.scoring.program.contexts import BonusQuestions, TableQuestions
from tilewright.scoring.program.layout import EXPOSED, Feature, KnownPart
from tilewright.scoring.program.measures import KnownValues
from tilewright.scoring.program.tallies import KINDS, TILES, WAITS, Cells, CompiledQuestions, compiled

MOST_DENSE = 5_000_000  # numbers of counts of a block, each of which has a place
MOST_MELDS = 32  # of a hand
KNOWN_WANTS = (1 << at.MOST_WANTS) - 1
CELLS = {at.TILE_CELLS: TILES, at.KIND_CELLS: KINDS, at.DIFFERENT_CELLS: Cells("different"), at.WAITS_CELL: WAITS}


class FlatImage(CountingNumbers):
    """What the kernel needs of a ruleset. `parts`: the number in the layout of each part of the kernel."""

    def is_known(self) -> bool:
        """Whether the kernel knows the ruleset."""
        engine = self.engine
        few = all(len(lookup.case.slots) <= MOST_SLOTS for row in engine.lookups for lookup in row)
        if not self.is_judged or not few:
            return False
        if self.searches:
            return SearchImage.knows(engine)
        tables = {id(table): table for row in engine.lookups for lookup in row for table in lookup.tables}.values()
        return all(size_of(table.block.copies) <= MOST_DENSE for table in tables)

    @cached_property
    def is_tabled(self) -> bool:
        """Whether whole tables are made of all forms."""
        engine = self.engine
        tables = [table for row in engine.lookups for lookup in row for table in lookup.tables]
        return engine.fits and not engine.searched and all(table.whole is not None for table in tables)

    @cached_property
    def searches(self) -> bool:
        """Whether the kernel searches cases: tables do not know them all, or wild tiles."""
        return not self.is_tabled or self.engine.with_wild is not None

    @property
    def is_judged(self) -> bool:
        """Whether numbers say what decides about a reading."""
        known = self.engine.fits and KnownValues(self.data).static and not self.program.looked_at
        return known and not any(map(self.decides, self.data.patterns))

    def decides(self, pattern: Pattern) -> bool:
        """Whether what a pattern is worth decides what counts, in a way that numbers do not say."""
        moving = any(not isinstance(ir, Const) for ir in (pattern.exposed or {}).values())
        asked = self.numbers_of[pattern.id]
        return bool(asked) and (pattern.id in self.program.decided or (moving and pattern.each is None))

    @cached_property
    def asking(self) -> CompiledQuestions:
        """The questions of the program."""
        known = self.engine.tells_waits and self.is_tabled
        asked = (ir for ir in self.engine.questions if known or not any(map(words.waits.is_asked, nodes(ir))))
        return compiled(asked, self.data)

    # --- the whole image

    def made(self) -> ScoringImage:
        """The image."""
        engine = self.engine
        self.tables = engine.with_wild if self.searches and engine.with_wild else engine.tables
        self.blocks = [] if self.searches else self.tables.keys.blocks
        self.lookups = [lookup for row in self.tables.lookups for lookup in row if lookup.possible]
        self.search = SearchImage(engine, self.tables, self.extend)
        self.parts = self.numbered_parts()
        self.number_of = {part: number for number, part in enumerate(self.parts)}
        self.lay_out()
        parts, groups = [self.layout.parts[number] for number in self.parts], range(len(self.data.groups.groups))
        several = {(group, shown) for group in groups if self.is_ambiguous(group) for shown in (False, True)}
        table = TableQuestions.of(self.program)
        tested = (*table.questions, *KnownValues(self.data).questions)
        return ScoringImage(
            ImageNumbers(
                array("q", self.numbers).tobytes(),
                array("q", self.asking.numbers).tobytes(),
            ),
            tuple(known.part.tiles for known in parts),
            tuple(
                (EXPOSED if known.part.exposed else 0) | sum(bit for bit, one in self.still_wants if one.holds(*known))
                for known in parts
            ),
            tuple(self.class_features(parts)),
            self.items_of_all,
            tuple(self.asked),
            tuple(self.times),
            table,
            BonusQuestions.of(tested),
            self.asking.layout.first,
            frozenset(2 * group + shown for group, shown in {*engine.unplaced, *several}),
            tuple(engine.wild_in(group) for group in groups),
            frozenset(face for face, weight in enumerate(engine.weights) if weight <= engine.keys.all),
            engine.zones_of_terms,
            engine.asks_others,
        )

    @property
    def still_wants(self) -> list[tuple[int, Feature]]:
        """The wants of places that the table does not decide, each with its bit."""
        return [(bit & KNOWN_WANTS, one) for one, bit in self.wants.features.items() if not one.moves]

    def class_features(self, parts: Sequence[KnownPart]) -> Iterator[ClassFeature]:
        """What the table decides about parts."""
        classes, moving = self.layout.classes, self.layout.features[True]
        for feature in dict.fromkeys([*moving, *(one for one in self.wants.features if one.moves)]):
            assert feature.want is not None
            of, unless = (None if ir is None else classes.index(ir) for ir in (feature.want.of, feature.want.unless))
            counter = 1 << self.layout.lowest(moving[feature].number) if feature in moving else 0
            want = self.wants.features.get(feature, 0) & KNOWN_WANTS
            there = (number for number, known in enumerate(parts) if feature.holds(*known))
            yield ClassFeature(of, unless, counter, want, tuple(there))

    def numbered_parts(self) -> list[int]:
        """The numbers in the layout of all parts: of tables, as any tile completes them, and of melds."""
        engine = self.engine
        tables = {id(table): table for lookup in self.lookups for table in lookup.tables}.values()
        held = dict.fromkeys([*(n for t in tables for n in t.numbers), *(n for one in self.lookups for n in one.fixed)])
        self.completed = {
            (number, tile, shown): done
            for number in held
            for tile in set(self.layout.parts[number].part.held)
            for shown in (False, True)
            if (done := engine.completed(number, tile, shown)) is not None
        }
        groups = range(len(self.data.groups.groups))
        melds = [engine.meld_number(group, shown) for group in groups for shown in (False, True)]
        return list(dict.fromkeys([*held, *self.completed.values(), *melds]))

    # --- sizes

    @property
    def still(self) -> int:
        """Words of those counters that the table does not decide."""
        return self.program.moving_at // 64

    @cached_property
    def depth(self) -> int:
        """Parts of a reading at most, melds included."""
        return self.layout.most

    @property
    def cells(self) -> int:
        """The column of a hand where the cells of questions begin."""
        return len(self.data.tiles.tiles) + at.HAND + len(self.engine.questions)

    @property
    def specials(self) -> int:
        """The column where special tiles of melds begin, if a question looks at faces."""
        return self.cells + self.asking.layout.width

    @property
    def pattern_words(self) -> int:
        return -(-max(len(self.data.patterns), 1) // 64)

    # --- layout

    def lay_out(self) -> None:
        """Fill the numbers."""
        engine, data = self.engine, self.data
        blocks, groups, kinds = self.blocks, len(data.groups.groups), len(engine.plain_tiles)
        sizes = {
            at.FACES: len(data.tiles.tiles),
            at.KINDS: kinds,
            at.BLOCKS: len(blocks),
            at.LOOKUPS: len(self.lookups),
            at.GROUPS: groups,
            at.WORDS: self.words,
            at.STILL: self.still,
            at.LEASTS: len(self.program.leasts),
            at.TILE_WORD: self.tile_word,
            at.ITEM_WORD: self.item_word,
            at.ITEM_WORDS: self.item_words,
            at.FACT_WORDS: self.item_word + self.item_words + 1,
            at.DEPTH: self.depth,
            at.QUESTIONS: len(engine.questions),
            at.CELLS: self.cells,
            at.SPECIALS: self.specials,
            at.MELDS: self.specials + (len(data.tiles.tiles) if TILES in self.asking.layout.first else 0),
            at.WAITS_ALL: int(data.scoring.waits == "all"),
            at.ASKED: len(self.asked),
            at.PARTS: len(self.parts),
            at.SOLES: len(self.data.sole),
            at.SUMS: len(self.sums),
            at.PATTERN_WORDS: self.pattern_words,
            at.SEARCHES: int(self.searches),
            at.PLACES_OF_TEXT: len(self.search.places),
        }
        for name, size in sizes.items():
            self.numbers[name] = size
        keys = self.item_words + len(self.items_of_all.contested) + len(self.asked) + 2, 2 + len(self.sums)
        stack, patterns = self.asking.room, len(data.patterns)
        several = (at.MOST_PLACES + 1, 64 * self.item_words) if self.contests else ()
        rows = (kinds, self.numbers[at.FACT_WORDS], MOST_MELDS + self.depth, stack, patterns, 2 * len(self.sums))
        lines = max(*rows, *keys, *several) // 8 + 1 | 1  # an odd number: rows begin in different sets of a cache
        self.numbers[at.ROOM] = 8 * lines
        self.lay_tiles()
        self.lay_questions()
        self.lay_places()
        self.lay_parts()
        self.put(at.LOOKUP_AT, [0] * len(self.lookups))
        tables: dict[int, int] = {}
        for number, lookup in enumerate(self.lookups):
            if self.searches:
                found = self.search.starts(lookup, self.number_of)
            else:
                found = [self.table(table, tables) for table in lookup.tables]
            self.numbers[self.numbers[at.LOOKUP_AT] + number] = self.extend(self.lookup(lookup, found))
        tabled = () if self.searches else self.lookups
        self.put(at.OPTIONS_WITH, [self.options(lookup, tile) for lookup in tabled for tile in range(kinds)])
        self.lay_search()
        self.lay_program()
        self.lay_turns()

    def lay_tiles(self) -> None:
        """What tiles and groups of melds are."""
        engine, data = self.engine, self.data
        known, keys = [weight <= self.tables.keys.all for weight in self.tables.weights], self.tables.keys
        self.put(at.PLAIN, (tile if fits else -1 for tile, fits in zip(engine.plain_tiles, known, strict=True)))
        self.put(at.FACE_BITS, (word for bits in engine.tile_bits for word in self.rest(bits)))
        of_groups = [self.joined(engine.tile_bits[tile] for tile in group.tiles) for group in data.groups.groups]
        self.put(at.GROUP_BITS, (word for bits in of_groups for word in self.rest(bits)))
        block_of, radix = [0 if self.searches else -1] * len(known), [0] * len(known)
        for number, block in enumerate(self.blocks):
            for tile, step in zip(block.tiles, radix_of(block.copies), strict=True):
                block_of[tile], radix[tile] = number, step
        self.put(at.BLOCK_OF, block_of)
        self.put(at.BLOCK_TILES, [self.extend([len(block.tiles), *block.tiles]) for block in self.blocks])
        self.put(at.COPIES, (keys.copies.get(tile, 0) for tile in range(len(known))))
        self.put(at.RADIX, radix)

    def lay_search(self) -> None:
        """What forms, tiles and texts are that no table knows."""
        search, parts = self.search, self.parts
        if self.searches:
            self.put(at.OTHERS, search.others())
        if self.tables.has_wild:
            self.put(at.PART_BITS, (word for bits in search.part_bits(parts) for word in self.rest(bits)))
        self.put(at.TEXT_OF, search.texts(self.engine.questions))
        self.put(at.PART_TEXT, search.part_texts(parts))

    def lay_questions(self) -> None:
        """The programs of questions, and the cells that they look at."""
        asked, groups = self.asking, self.data.groups.groups
        codes = [asked.codes.get(question) for question in self.engine.questions]
        spans = [(-1, -1, 0) if code is None else (code.start, code.stop, int(WAITS in code.cells)) for code in codes]
        self.put(at.PROGRAM_OF, (number for span in spans for number in span))
        first = asked.layout.first
        for section, cells in CELLS.items():
            self.numbers[section] = first.get(cells, -1)
        counting = [(first[cells] + place, melds) for cells in first for place, melds in enumerate(cells.melds)]
        of_melds = [[cell for cell, melds in counting if meld in melds] for meld in range(2 * len(groups))]
        self.put(at.MELD_CELLS, [self.extend([len(cells), *cells]) for cells in of_melds])
        self.put(at.GROUP_TILES, [self.extend([len(group.tiles), *group.tiles]) for group in groups])

    def lay_parts(self) -> None:
        """What parts count, and what they become."""
        engine = self.engine
        groups = range(len(self.data.groups.groups))
        melds = (self.number_of[engine.meld_number(group, shown)] for group in groups for shown in (False, True))
        self.put(at.MELD_PART, melds)
        self.put(at.PART_WORDS, (word_at(self.layout.row(n), word) for n in self.parts for word in range(self.still)))
        orders = [self.order(part) for part in self.parts]
        rank = {order: number for number, order in enumerate(sorted(set(orders)))}
        self.put(at.PART_ORDER, (rank[order] for order in orders))
        kinds = len(engine.plain_tiles)
        done = [-1] * (len(self.parts) * kinds * 2)
        for (part, tile, shown), number in self.completed.items():
            done[(self.number_of[part] * kinds + tile) * 2 + shown] = self.number_of[number]
        self.put(at.COMPLETED, done)
        tops = [self.program.tops >> 64 * word & WORD for word in range(self.words)]
        self.put(at.TOPS, map(signed_word, tops))
        records = []
        for more, down, up in self.program.thresholds:
            adds = [more >> 64 * word & WORD for word in range(self.words)]
            records += [up // self.program.counters, down, *adds, *(top >> down for top in tops)]
        self.put(at.THRESHOLDS, map(signed_word, records))
        self.put(at.FORM_BITS, (word for bits in engine.form_bits for word in self.rest(bits)))

    def order(self, number: int) -> Any:
        """Where a part stands among those of a reading, and among the readings that are alike before it."""
        known = self.layout.parts[number]
        tiles, group, wild = self.engine.plain.reader.part_order(known.part)
        return tuple(tiles), group, wild, not known.part.completed, known.part.exposed, known.wait or ""

    def table(self, table: BlockTable, known: dict[int, int]) -> int:
        """Where the record of a table is; its rows are shared with tables that are alike."""
        if id(table) not in known:
            whole, key = table.whole, id(table.whole)
            assert whole is not None
            if key not in known:
                known[key] = self.extend(whole.rows)
                known[-key] = self.extend(self.starts(whole, table.block.copies))
            options = self.extend(self.number_of[number] for number in table.numbers)
            bit = self.tables_of[table.block.copies].get(key, at.MOST_TABLES)
            bits = 1 << bit if bit < at.MOST_TABLES else 0
            known[id(table)] = self.extend([known[-key], known[key], options, whole.width, bits])
        return known[id(table)]

    def starts(self, whole: Splits, copies: Vector) -> list[int]:
        """The first row of each place, the next one after it; of place 0, which knows no counts, none."""
        after = dict(zip(whole.keys, islice(whole.starts, 1, None), strict=True))
        found, start, first = [0, 0], 0, after.get
        for key in self.keys_of[copies]:
            start = first(key, start)
            found.append(start)
        return found

    @cached_property
    def tables_of(self) -> dict[Vector, dict[int, int]]:
        """For the copies of blocks the tables that there are, each with its number among them."""
        found = dict[Vector, dict[int, int]]()
        for table in () if self.searches else (table for lookup in self.lookups for table in lookup.tables):
            alike = found.setdefault(table.block.copies, {})
            if table.whole is not None:
                alike.setdefault(id(table.whole), len(alike))
        return found

    @cached_property
    def keys_of(self) -> dict[Vector, dict[int, int]]:
        """For the copies of blocks the numbers that some table knows, in order, each with these tables as bits."""
        found = dict[Vector, dict[int, int]]()
        wholes = {id(t.whole): t.whole for lookup in self.lookups for t in lookup.tables if t.whole is not None}
        for copies, tables in self.tables_of.items():
            known = dict[int, int]()
            for name, number in tables.items():
                bit = 1 << number if number < at.MOST_TABLES else 0
                for key in wholes[name].keys:
                    known[key] = known.get(key, 0) | bit
            found[copies] = dict(sorted(known.items()))
        return found

    def lay_places(self) -> None:
        """Where the numbers of each block are listed; blocks that are alike share them."""
        lists = {copies: self.listed(size_of(copies), keys) for copies, keys in self.keys_of.items()}
        self.put(at.PLACES, (number for block in self.blocks for number in lists[block.copies]))

    def listed(self, size: int, keys: Mapping[int, int]) -> tuple[int, int, int]:
        """The record of these numbers, which are less than `size`: about one begins with each prefix."""
        shift = max(size.bit_length() - len(keys).bit_length(), 0)
        first = self.extend(key | tables << at.NUMBER_BITS for key, tables in keys.items())
        counts = Counter(key >> shift for key in keys)
        sizes = (counts[prefix] for prefix in range((size >> shift) + 1))
        return self.extend(accumulate(sizes, initial=first)), shift, first

    def lookup(self, lookup: CaseLookup, tables: Sequence[int]) -> Iterator[int]:
        """The record of a case. `tables`: those of blocks; of a searched case, where options are listed by plain
        tile."""
        case, fixed = lookup.case, lookup.case.fixed_tiles
        yield from (case.form, int(case.concealed), lookup.target, len(fixed), len(lookup.fixed))
        yield from (number for pair in fixed.items() for number in pair)
        for block in self.blocks:
            yield sum(fixed[tile] * step for tile, step in zip(block.tiles, radix_of(block.copies), strict=True))
        yield from () if self.searches else tables
        yield from (self.number_of[part] for part in lookup.fixed)
        slots = [slot.groups | slot.meld_groups for slot in case.slots]
        for group in range(len(self.data.groups.groups)):
            fit = [number for number, groups in enumerate(slots) if group in groups]
            yield fit[0] if len(fit) == 1 else -1
        yield from tables if self.searches else ()

    def is_ambiguous(self, group: int) -> bool:
        """Whether a meld of a group may fill several slots of a case."""
        cases = (lookup.case.slots for lookup in self.lookups)
        return any(sum(group in slot.groups | slot.meld_groups for slot in slots) > 1 for slots in cases)

    def options(self, lookup: CaseLookup, tile: int) -> int:
        """Where the parts with a tile are, each after what it fills and how many tiles it has; -1 where there are slots
        for different parts that may hold the tile."""
        found: list[int] = []
        for number, slot in enumerate(lookup.case.slots):
            parts = [part.tiles for part in options_of(slot, self.engine.tables.groups) if tile in part.tiles]
            if parts and slot.different and sum(tiles.count(tile) for tiles in parts) > self.engine.keys.copies[tile]:
                return -1
            for tiles in parts if not slot.different else ():
                found += [1 << at.SLOT_BITS * number, len(tiles), *tiles]
        return self.extend([len(found), *found])


def made_image(engine: Engine) -> ScoringImage | None:
    """The image of a ruleset; None where the kernel does not know it."""
    making = FlatImage(engine)
    return making.made() if making.is_known() else None


def size_of(copies: Vector) -> int:
    """How many numbers the counts of a block may make."""
    return prod(count + 1 for count in copies)
