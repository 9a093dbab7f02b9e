"""The layout of numbers that kernels share: what is where in an image, a hand, a context, a result.

Names in capitals are places. What is marked `@kernel` has these numbers compiled in. Knows no ruleset."""

from typing import NamedTuple, Self, get_type_hints

from tilewright.base.kernels import I32, I64, I32x2, I64x2, zeros

# What the image begins with: numbers, and where its lists begin.
(
    FACES,
    KINDS,
    BLOCKS,
    LOOKUPS,
    GROUPS,
    WORDS,  # of counters; the first STILL of them do not depend on the table
    STILL,
    LEASTS,  # numbers that counters are compared with
    TILE_WORD,  # the first word of facts after those of counters
    ITEM_WORD,  # the first word of items
    ITEM_WORDS,
    FACT_WORDS,  # of all facts; the last says whether the form accepts the reading
    DEPTH,  # parts of a reading at most
    QUESTIONS,
    CELLS,  # the column of a hand where the cells of questions begin
    SPECIALS,  # the column where what melds have more, or less, of each face than their groups begins
    MELDS,  # the column where its melds begin
    PROGRAM_OF,  # by question: where its program begins and ends, whether it asks for waits; -1: only Python answers
    TILE_CELLS,  # the cells of faces, -1 where no question looks at them
    KIND_CELLS,  # the same by plain tile
    DIFFERENT_CELLS,  # the same: 1 for each plain tile that occurs
    WAITS_CELL,  # how many tiles complete the hand
    MELD_CELLS,  # by group, concealed and exposed: where the cells that count it are, after how many they are
    GROUP_TILES,  # by group: where its tiles are, after how many they are
    WAITS_ALL,  # whether tiles of which no copy is left are waits, too
    OPTIONS_WITH,  # by case and plain tile: the parts with this tile, -1 where a slot needs different ones
    ASKED,  # questions about numbers
    CONTESTED,  # how many items contests have, then which
    PLAIN,  # by face: its plain tile, -1 for one that tables do not know
    FACE_BITS,  # by face: its facts, from TILE_WORD on
    GROUP_BITS,  # the same by group
    BLOCK_OF,  # by plain tile: its block
    BLOCK_TILES,  # by block: where its tiles are, after how many they are
    COPIES,  # by plain tile: how many there are
    RADIX,  # by plain tile: what one more adds to the number of its block
    PLACES,  # by block: its record of numbers
    MELD_PART,  # by group: its part as a concealed and as an exposed meld
    LOOKUP_AT,  # by case: where its record begins
    PART_WORDS,  # by part: its counters
    PART_ORDER,  # by part: where it stands in a reading
    COMPLETED,  # by part, tile, and whether it is exposed: the part as the tile completes it, -1 without the tile
    THRESHOLDS,  # by number compared with: the copy of the counters, the shift, then what is added by word
    TOPS,  # by word: the top bits of its fields
    FORM_BITS,  # by form: its facts, from TILE_WORD on
    LEVELS,  # of the program
    LEVEL_AT,  # by level: where its record begins
    ACCEPTS,  # by form: the steps that accept it
    TURN_OF,  # by item: the record of its turn
    ALONE,  # by word: the items that count alone
    ALONE_ASKED,  # by item of these: how many questions about numbers, and where they are listed
    UNKNOWN_PLACES,  # by word: items of whose places only Python knows
    WANTS,  # how many bits wants have
    PARTS,
    SOLES,  # families that let no others count
    SOLE,  # by family of these and word: its items
    EXTRA,  # by word: items that do not end what counts alone
    ODD,  # by word: items whose worth is no fixed number
    SUMS,  # what worths are added up in: measures, each without and with what is extra
    WORTH,  # by item, closed and open (in a contest: at places without and with an exposed part): what it adds to sums
    TIMES,  # by item: what it is multiplied by: the slot of a question plus one, minus a column of the context, or 0;
    # BY_PLACES for an item of a contest, which counts at so many places
    PATTERN_OF,  # by item: the number of its pattern
    CODE_AT,  # by item: where it counts in the code of its pattern
    PATTERN_WORDS,
    ROOM,  # numbers that a row of the working space has to hold
    SEARCHES,  # whether cases are searched: there are no blocks
    OTHERS,  # forms that only the engine knows: how many cases, whether each is concealed, its room by plain tile
    PART_BITS,  # by part: the facts of its tiles, from TILE_WORD on, where some are wild; else 0
    TEXT_OF,  # by question: its text, 0 for another question
    PART_TEXT,  # by part: how it is spelled
    PLACES_OF_TEXT,  # of plain tiles in texts
) = range(70)
HEADER = 70

# A record of a case: these, then from CASE on counts of fixed tiles, what they take off each block's number, the tables
# of the blocks, the fixed parts, and by group the slot that it fills as a meld.
FORM, CONCEALED, TARGET, FIXED_TILES, FIXED_PARTS, CASE = range(6)
# An option of a searched case: what it fills, the bits of its slot, its part, whether it may be taken once alone, of
# how many different tiles it is; then each of them with its number. By plain tile, options begin where they are listed
# after the slots of groups.
FILLS, SLOTS, PART, ONCE, NEEDED, NEEDS = range(6)
# A record of a table: where the starts of its rows, the rows and the parts of options begin; how long a row is; its bit
# among the tables of blocks that are alike, 0 where they are many.
STARTS, ROWS, OPTIONS, ROW_WORDS, TABLE_BIT = range(5)
# Where the numbers of counts of a block that tables know are listed: where it is said, by number without so many of its
# lowest bits, where those begin; how many bits; where the first one is, whose place is 1. A number: NUMBER_BITS of it,
# then the tables that have rows for it, as bits.
LISTED, LISTED_BY, FIRST_LISTED, PLACE = range(4)
NUMBER_BITS, NUMBER = 32, (1 << 32) - 1
MOST_TABLES = 31  # that have bits
SLOT_BITS, OPTION_BITS, OPTION = 8, 16, 0xFFFF

# The columns of a hand after its faces: the winning face, its context, whether the completed part is exposed, answers;
# from CELLS on what questions count; from SPECIALS on special tiles of melds, if questions count faces; from MELDS on
# the groups of melds, then which of them are exposed.
WIN, CONTEXT, SHOWN = range(3)
HAND = 3
UNKNOWN = -(1 << 31)  # an answer that nobody asked for yet

# A hand that is given tile by tile: how many tiles, melds and cells it has; the columns after its faces; then its
# tiles, its melds (twice the group, one more where it is exposed), and columns with what to add to them.
GIVEN_TILES, GIVEN_MELDS, GIVEN_CELLS, GIVEN = range(4)
# The columns of a context: whether it is open, its class, what it says of numbers, its facts; then what measures ask
# in each form, and the answers about `times`.
OPEN, CLASS, NUMBERS, CONTEXT_BITS = 0, 1, 2, 3

# What becomes of a hand: the number of its worth, or one of these; BY_ITSELF: the plain judge has to score it.
NO_READING, MISSING, BY_ITSELF = -1, -2, -3
# The columns of a result: that, its form, how many codes it has, and the patterns that count; then MOST_CODES codes
# of patterns, and its parts. A code: the number of the pattern plus one; from the bits that are named on whether
# the hand is open, at how many closed and exposed places it counts, and how often where a question says that. A verdict
# has no codes: the patterns that count are known by its number.
RESULT, RESULT_FORM, RESULT_CODED, RESULT_PATTERNS = range(4)
MOST_CODES = 28
CODE_OPEN, CODE_CLOSED, CODE_SHOWN, CODE_TIMES = 16, 17, 25, 33
MOST_TIMES = 1 << 29
# The columns of what is missing: what it is, the context and the form of the hand, then the key.
KIND, OF_CONTEXT, OF_FORM, OF_KEY = range(4)
A_VERDICT, A_SUM = range(2)
EXPOSED_PART = 0  # among wants: that a part is exposed
MOST_WANTS = 63  # of contested patterns, as bits
BY_PLACES = 1 << 40

# A record of a contest: how many rivals it has, patterns that are in it or may drop some of them, and how many
# families; where the record of each rival is, in the order of the ruleset; their numbers, each after those that exclude
# it; by family whether no groups may be joined twice, and its members as bits.
RIVALS, CONTEST_FAMILIES, CONTEST = range(3)
# A record of a rival: whether it is in the contest, its item, which rivals exclude it and whether it excludes any, its
# family (-1: none of which not all count), its place among families that let no others count (-1: none); whether it
# never counts in a concealed hand, and in an exposed one; whether exposed parts matter; whether it counts at each
# place, and whether at disjoint ones only; how many lists of cases it has. Then its items, by word, and the lists: how
# many cases, for each how many wants, for each its bit and how many parts meet it.
(
    IN_CONTEST,
    RIVAL_ITEM,
    EXCLUDED_BY,
    EXCLUDES,
    FAMILY,
    SOLE_FAMILY,
    NEVER,
    NEVER_OPEN,
    SHOWS,
    EACH,
    DISJOINT,
    LISTS,
    RIVAL,
) = range(13)
# The values of a row in memory: the row of the worth, or BY_ITSELF; for a verdict then its patterns.
VALUE, VERDICT_PATTERNS = 0, 1
# The rows of worths: the first one says how many there are, and how many are of sums. Then each in order of its number:
# what is compared (whether it reaches the minimum, what it comes to, whether a limit or a family is all that counts,
# every measure; numbers SCALE times as large as they are), then the key of its sum.
WORTHS, WORTHS_OF_SUMS = 0, 1
ENOUGH, COMES_TO, ALL_ALONE, FIRST_MEASURE = range(4)
SCALE = 2_520  # what has this denominator is whole
# A record of measures at a table in a form: how many there are, 0 where only Python knows them; how many steps decide
# whether the minimum is reached, how many there are, and how many parts the minimum has; the number of the measure that
# the best reading is chosen by. Then steps, and parts of the minimum: the cell that is filled, or looked at; from where
# to where its program is.
MEASURES, TOWARDS, STEPS_OF_ALL, MINIMUMS, CHOSEN_BY, MEASURING = range(6)

# Rows of the working space: of a hand, of a reading, and of what counts in it.
(
    COUNTS,  # by plain tile
    NUMBERS_OF,  # by block: the number of its counts
    TILE_FACTS,
    TABLES,  # by block: the tables that have rows for its counts, as bits
    LYING,  # melds: twice the group, one more where it is exposed
    WAY,  # by block: its row in a table, of the way that it is now
    WAY_END,  # the first one after those that use it up
    WAY_LEFT,  # what it and those before it have to fill
    TRIED,  # the same three of a hand that is tried
    TRIED_END,
    TRIED_LEFT,
    CHOSEN,  # parts
    ORDERED,  # the same as the reader lists them
    COUNTERS,
    FACTS,
    COUNTING,  # items
    CLOSED,  # by item of a contest: at how many places without an exposed part it counts
    SHOWN_AT,  # the same: at how many places with one
    ANSWERED,  # by slot of a question
    FINAL,  # items that count in the end
    PATTERNS,
    CODES,  # by pattern that counts
    KEY,
    HELD,  # by plain tile, melds included
    WAITING,  # by plain tile: whether it completes the hand
    STACK,
    MEASURED,  # sums by measure, then measures
    TAKEN,  # by option that a search has taken: where it is listed
    LOWEST_HELD,  # the same: the lowest tile that was left
    SPELLED,  # tiles or groups of a text
    MEETING,  # by want: the parts that meet it, as bits
    MATCHES,  # parts that meet cases, as bits
    NEXT_PART,  # by match: the lowest part that may be added for the same want
    FIRST_PLACE,  # by rival of a contest: its first one among all places
    PLACES_AT,  # the places of rivals
    KEPT,  # those that are left of them, of each rival from its first one on
    KEPT_NUMBER,  # by rival: how many
    KEPT_SHOWN,  # by rival: how many of them with an exposed part
    USED,  # by rival: the parts that it uses there
    TURN_AT,  # of a choice, by depth: what comes next
    TURN_TAKEN,  # by depth: what was chosen
    TURN_PARTS,  # by depth: the parts that are taken, or joined by it
    BEST_TAKEN,  # the best choice
    OPTION_RIVAL,  # by option of a choice, the most valuable ones first
    OPTION_PLACE,
    OPTION_SHOWN,
    TOTAL,  # by measure: what a choice is worth
    BEST_TOTAL,
    NOW,  # the columns below
) = range(49)
SPACE = 49
MOST_PLACES = 256  # of a contest, and ways to meet a list of cases
NOW_ROW, NOW_CONTEXT, NOW_FORM, NOW_LYING, NOW_OWN, NOW_CODED, NOW_CELLS, NOW_WAITS, NOW_FOUND = range(9)
NOW_LEFT, NOW_TAKEN, NOW_BEGUN = range(9, 12)  # what a search has to fill, options that it has taken, whether it began
NOW_MET = 12  # whether it is known which parts meet wants
MIXED, SHIFT, LOW = -7046029254386353131, 29, (1 << 35) - 1  # 2**64 by the golden ratio spreads numbers evenly
STUCK_NOWHERE, STUCK_OFTEN = -1, -2


class ScoringArrays(NamedTuple):
    """What kernels of scoring take: what is known of the ruleset, and what was met; hands and their results; the
    working space, (SPACE, ROOM); and `given`, a hand by itself."""

    image: I64
    programs: I64
    contexts: I64x2
    moving: I64x2
    met: I64x2
    verdicts: I64x2
    sums: I64x2
    worths: I64x2
    measuring: I64
    hands: I32x2
    results: I64x2
    missing: I64x2
    space: I64x2
    given: I32

    @classmethod
    def small(cls) -> Self:
        """Arrays of one element each."""
        kinds = [kind.__metadata__[0] for kind in get_type_hints(cls, include_extras=True).values()]
        return cls(*(zeros({"int32": "i", "int64": "q"}[kind.dtype], *(1,) * kind.dims) for kind in kinds))
