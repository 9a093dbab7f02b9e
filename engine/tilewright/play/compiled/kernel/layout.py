"""The layout of compiled play: what is where in the state of a table and in the image of a program.

The state of a table is one list of numbers with places that are fixed here; an image is another one, whose lists begin
where its first numbers say. Tiles are numbered as in `Program`: faces first, then the tiles of the table. Knows no
ruleset."""

from enum import IntEnum

from tilewright.play.program import hand_layout

# Bounds. What is beyond them is not compiled.
MOST_SEATS, MOST_TILES, MOST_FACES, MOST_ROWS = 6, 320, 63, 64
MOST_OPTIONS, MOST_MELDS, MOST_MARKS, MOST_BLOCKS, MOST_OFFERS = 1_024, 8, 48, 16, 48
MOST_DEPTH, WINDOW, FRAME_FIELDS, MOST_TAKERS, MOST_MEASURES = 24, 40, 24, 6, 8
LISTS, LIST, MOST_LISTED = 6, 65, 62  # of a frame: how many tiles a list has, then these
MARK_LIST, MELD, MELD_TILES, MOST_DRAWN = 48, 16, 5, 64
MOST_MOVES, MOST_STEPS = 2_000, 200_000  # answers of a hand; instructions between two questions
MOST_PICKED = 60  # tiles of which some are chosen: the bits of a number
PICK, MOST_PAID, PAYMENT_ROW, MOST_LINES = 3 + MOST_PICKED, 64, 5, 60
MOST_TRIES = 200  # of a random player, until tiles may be chosen together
MOST_ALIKE = hand_layout.MOST_ALIKE
CONSTANTS, LOOKED_ROW = 160, 4
TAKER_ROW = 1 + 4 * MOST_TAKERS
MUCH = 1 << 45  # numbers beyond this are left to `Match`

NONE, UNSET = -1, -9  # no tile or seat; a mark that is not set
OWN_TILES = -2  # an option that stands for each tile of the hand

# Numbers of the table, the first of the state.
(
    TURN,
    TILE,
    DISCARDER,
    ROUND_WIND,
    WINNERS,
    TAKERS,
    PLAYING,
    DRAWS,
    ANSWERS,
    RESULT,
    GROUP,
    DEPTH,
    OTHERWISE,
    MAY_PASS,
    OPTIONS,
    ASKED,
    ANSWERED,
    COUNTER,
    REQUEST,
    REQUEST_AT,
    REQUEST_SEAT,
    REQUEST_TO,
    PROBLEM,
    AT,
    SEAT_ASKED,
    SEED,
    HAND_NUMBER,
    MOVES,
    READS,
    TOOK,
    DEALS,
    FIRST_WINNER,
    MEASURED,  # the seats whose measures are known, as bits
    STEP,  # the question of a step that is open, counted from 1; 0: none is, or that of a phase
    WHOM,  # the seats that it is put to, as bits
    HOLDS,  # whether a condition that was tried holds
    SET,  # the answers and dice of this hand, as bits
    PAID,  # how many payments are noted
    NOTED,  # the same, with those that are being worked out
    SETTLED,  # how often payments were made
    WEIGHED,  # the seats whose hands have been weighed while payments are worked out, as bits
    ASKED_TILE,  # of the hand that may win: the tile in question, its discarder, the terms of the table that hold
    ASKED_DISCARDER,
    ASKED_TERMS,
    SHOWN_ANY,  # the seats that may have been shown a tile in this hand, as bits
    DISCARDS,  # how many tiles have come to where others may claim them
    CARRIED,  # the first tile that the last move of tiles has moved, or NONE
    STOPS,  # why the machine stops (ASK ...), 0 while it runs
    LENGTH,
) = range(49)
CONSTANT = 49
FRAME = CONSTANT + CONSTANTS  # the registers of frames: WINDOW for each; the first of them is the seat
_at = FRAME + MOST_DEPTH * WINDOW


def _room(numbers: int) -> int:
    """Where the next part of the state begins."""
    global _at
    start, _at = _at, _at + numbers
    return start


FIELDS = _room(MOST_DEPTH * FRAME_FIELDS)  # of frames, by depth
TAKER = _room(MOST_DEPTH * TAKER_ROW)  # by depth: how many; then offer, seat and choices of each
LISTED = _room(MOST_DEPTH * LISTS * LIST)
ROW = _room(MOST_ROWS * MOST_TILES)  # the tiles of each place
ROW_START = _room(MOST_ROWS)
ROW_END = _room(MOST_ROWS)
WHERE = _room(MOST_TILES)  # by tile: its row, or IN_MELDS less its seat
SHOWN = _room(MOST_TILES)  # by tile: the seats that have seen it
DISCARD = _room(MOST_TILES)  # the tiles that have come to where others may claim them, in order
DISCARDED = _room(MOST_TILES)  # by tile: whether it was turned, and how it was discarded (IS_TURNED ...)
COUNT = _room(MOST_SEATS * MOST_FACES)  # by seat and plain tile: how many are in the hand
NUMBER = _room(MOST_SEATS * MOST_BLOCKS)  # by seat and block: the number of its counts
ODD = _room(MOST_SEATS)  # by seat: tiles of the hand in no block
ALIKE = _room(MOST_SEATS * MOST_ALIKE)  # by seat and number, from 1: plain tiles of which the hand has as many, as bits
MARK = _room(MOST_MARKS * MOST_SEATS)
MARK_TILES = _room(MOST_MARKS * MOST_SEATS * MARK_LIST)  # how many, then faces
LAID = _room(MOST_SEATS * MOST_MELDS * MELD)  # melds: group, exposed, discarder, seers, tiles
LAID_SIZE = _room(MOST_SEATS)
OPTION = _room(MOST_OPTIONS * 4)  # offering, choice, how many moves it is, a second choice
OPTION_FIRST = _room(MOST_SEATS * 2)  # by seat: its first option, and the one after its last
CHANGES = _room(MOST_SEATS)  # by seat: how often its hand has changed
WAITED = _room(MOST_SEATS * 4)  # by seat: CHANGES, melds and the tile left out when it was found, the waits as bits
NEAR = _room(MOST_SEATS * 2)  # by seat: the state of its hand when it was found, the tiles that complete it as bits
LOOKED = _room(MOST_SEATS * LOOKED_ROW)  # by seat: one more than CHANGES when its hand was looked at; what may complete
# it to a form that is searched for, as bits; whether it may be one as it is; for which records one of these holds
CAME = _room(MOST_SEATS)  # by seat: the tile that was the last change of its hand, NONE where one left
SCORE = _room(MOST_SEATS + 1)  # of seats, then of the pot; where no code reads them, gains since the host looked
GAIN = _room(MOST_SEATS + 1)  # the same, of payments that are being worked out
MEASURE = _room(MOST_SEATS * MOST_MEASURES)  # by seat: what its hand that won measures
WEIGHT = _room(MOST_SEATS)  # by seat: the most that its hand may still be worth
HELD = _room(MOST_SEATS)  # by seat: the faces of its hand by place, as bits, as they were marked last
FACES = _room(MOST_SEATS)  # by seat: the same at any time, if no two faces are the same in play
ANSWER = _room(MOST_SEATS * 3)  # by seat: offering, choice, a second choice
DRAWN = _room(MOST_SEATS)
FRESH = _room(MOST_SEATS)  # by seat: whether its hand has not changed since it drew
PLAYER = _room(MOST_SEATS)
DECISIONS = _room(MOST_SEATS)  # by player
LUCK = _room(MOST_SEATS)  # by player: what all its lots of a game are drawn from
OFFERED = _room(MOST_OFFERS)
TAKEN = _room(MOST_OFFERS)
MOVE = _room(2 * (MOST_MOVES + 8))  # seat and number of each answer
PICKED = _room(MOST_SEATS * PICK)  # by seat: least, most, how many tiles there are to choose from, then these
PAYMENT = _room(MOST_PAID * PAYMENT_ROW)  # line, payer, payee, amount, SETTLED when it was made
WORK = _room(256)  # of the hash
LOTS = _room(MOST_DRAWN)  # tiles of which some are drawn at random
RELISTED = _room(1)  # how often DISCARD was begun anew, or lost a tile
MOVED = _room(MOST_ROWS)  # by row: how often tiles have left it or moved in it, or its melds have changed
STATE = _at
IN_MELDS = -2
# Of a tile: it lies sideways or did before it was claimed, it was discarded, and had just been drawn; the seat that
# discarded it, and the row to which it came.
IS_TURNED, IS_DISCARD, IS_JUST_DRAWN, DISCARD_SEAT, DISCARD_SEATS, DISCARD_ROW = 1, 2, 4, 3, 7, 6

# The fields of a frame.
(
    BACK_TO,
    GOAL,
    PHASE,
    INTERRUPTS,
    OLD_TILE,
    OLD_DISCARDER,
    OLD_TURN,
    OLD_GROUP,
    HAS_FACTS,
    FACT_TILE,
    FACT_DISCARDER,
    HAS_SUBJECT,
    SUBJECT_TILE,
    SUBJECT_DISCARDER,
    GIVES_FACTS,
    GIVEN_TILE,
    GIVEN_DISCARDER,
) = range(17)

# A meld: its group, whether it is exposed, who discarded its tile, who has seen it, how many tiles; then these.
LAID_GROUP, LAID_EXPOSED, LAID_DISCARDER, LAID_SEEN, LAID_COUNT, LAID_CLAIMED, LAID_TILES = range(7)

# A group that is chosen, as one number: its index, where it comes from, the claimed tile, who discarded it, then the
# tiles of the hand, NO_TILE after the last; of a meld that grows, one tile and which meld.
GROUP_BITS, SOURCE_AT, CLAIMED_AT, FROM_AT, HAND_AT, MELD_AT = 10, 10, 12, 20, 23, 31
GROUP_MASK, NO_TILE, HAND_TILES = (1 << GROUP_BITS) - 1, 255, 5
CLAIMED_GROUP, OWN_GROUP, GROWN_GROUP = range(3)

# What the kernel stops for.
ASK, ENDED, HOST, FAILED, TRIED = 1, 2, 3, 4, 5


class Problem(IntEnum):
    """Why the machine cannot go on: the game is then played by `Match`."""

    MANY_LISTED = 1  # tiles of a list
    MANY_MARKED = 2  # tiles of a mark
    NO_TILE = 3  # in a zone that a tile is taken of, and no phase follows
    NOT_OF_TABLE = 4  # what is moved is a face
    MANY_MELDS = 5
    TOO_DEEP = 6  # calls
    NOTHING_INTERRUPTED = 7  # and play goes back
    NOBODY_ASKED = 8  # and nothing follows
    MANY_OPTIONS = 9
    UNTOLD_WAITS = 12  # of an imagined hand
    NOTHING_CLAIMED = 13  # for a group
    LARGE_NUMBER = 14
    NOTHING_FOLLOWS = 15
    MANY_PAYMENTS = 16
    MANY_TO_CHOOSE_FROM = 17
    NO_ANSWER = 18  # that a seat may give
    MANY_DRAWN = 19  # tiles of which some are drawn
    NOT_OF_HAND = 20  # a group


# What the host is asked for.
VALUE, DECLARE, SETTLE, READ, OPERATE, POTENTIAL, WIN = range(7)

# The first numbers of an image: sizes, and where its lists begin.
(
    SEATS,
    FIRST,  # the first tile of the table
    TILES,  # the number after the last
    BLOCKS,
    LOOKUPS,
    HAND_ROW,
    MELD_ROW,
    BONUS_ROW,
    START_PHASE,
    OFFERS,
    MARKS,  # those of answers and dice included
    SEVERAL_FACES,
    WINS_EXACT,  # whether a form is enough for a win
    PLAIN,
    FACE,
    PLACE,
    BLOCK,
    KEEPS,
    CLASSES,
    WAYS_OF,
    WAYS,
    NEEDS_OF,
    NEEDS,
    NEEDS_SINGLE,
    GROWN_OF,
    GROWN,
    GROUP_KINDS,
    LISTED_FACES,  # faces that may fill a place of a group, and wild tiles that may, after how many they are
    OFFER_CODE,
    OFFER_GOAL,
    OFFER_RANK,
    OFFER_MOST,
    OFFER_FACTS,
    OFFER_NUMBER,
    OFFER_WINS,
    PHASE_CODE,
    GROUPS,
    COPIES,  # by plain tile
    IN_ORDER,  # plain tiles in the order of the tile set
    GROUP_SIZE,  # by group: how many tiles it counts as in a form
    STANDS,  # by group and plain tile: what the tile stands for in the group where it is wild there, or NONE
    HAS_WILD,  # whether there are wild tiles
    FULL_SIZES,  # of hands, as bits
    WAITS_ALL,  # whether tiles of which no copy is left are waits, too
    COMPLETING,  # by group and plain tile that came to it: what completes it, as bits
    SUIT_OF,  # by tile: the number of the name of its suit, or NONE
    UNPLACED,  # by group, concealed and exposed: whether tables do not know the meld
    GROUP_SETS,  # by set of groups that code asks about, and group: whether it is one of them
    SEARCHES,  # whether forms are searched for, as no table of the scoring kernel knows them
    CODE,
    ASKS,  # by question of a step: ASK_ROW numbers
    MOST_SUITS,  # of a hand that makes a form; 0: any number
    SUIT_FIRST,  # by plain tile: the first plain tile of its suit, or NONE
    BOUNDS,  # what hands may be worth, as far as that is asked
    IN_BOX,  # by plain tile: how many there are, of all faces
    OPEN_ROWS,  # by row: whether everyone sees its tiles
    SIEVES,  # what seats need for the offers of a question
    WAYS_ONE,  # by way to make a group of the tile in question: its WAY_ONE
    BARRED_NOW,  # the code of whether a seat is barred from winning on a discard, or NONE
    BARRED_AFTER,  # the same after it has discarded a tile
) = range(60)
HEADER = 64
# A way to make a group: the group, how many different tiles, how often they can be filled at most; then each with its
# count, the faces and the wild tiles that may fill it, and how often. Before these, plain tiles as bits: those that a
# hand needs for it, then those of which it needs several, and how many more than one.
WAY_GROUP, WAY_ENTRIES, WAY_FILLINGS, WAY_ONE, WAY_SEVERAL, WAY_MORE, WAY_ENTRY = range(7)
ENTRY_KIND, ENTRY_COUNT, ENTRY_FACES, ENTRY_WILD, ENTRY_FILLINGS = range(5)
ENTRY, WAY = 5, WAY_ENTRY + 5 * HAND_TILES
STANDS_AT = 20  # where a search stands: a way, then a filling of so many bits
INSTRUCTION = 8
# What seats need for any offer of a question, one of these: a form with the tile in question (a truth); how many kinds
# of groups are claimed, each with whether only the seat after the turn may.
SIEVE_WINS, SIEVE_CLAIMS, SIEVE_CLAIM = range(3)

# A question of a step: the marks that answers become (NONE: there is no second), whether several tiles are chosen, the
# code of their condition (NONE: there is none), the list and the register of the seat that it looks at, what the host
# knows of it.
FIRST_MARK, SECOND_MARK, PICKS, CONDITION, TRIED_LIST, TRIED_SEAT, ASKED_FOR = range(7)
ASK_ROW = 8

# Facts of an offer.
SETS_GROUP, SETS_GROWN_TILE, SETS_TILE, SETS_SECOND_TILE = 1, 2, 4, 8
