"""The layout of compiled play: what is where in the state of a table and in the image of a program.

The state of a table is one list of numbers, a record; an image is another one, whose lists begin where its first
numbers say. Tiles are numbered as in `Program`: faces first, then the tiles of the table. Knows no
ruleset."""

from enum import IntEnum

from tilewright.base.records import Record, Sight
from tilewright.play import form_search

SOME, OWNER, EVERYONE = Sight.SOME, Sight.OWNER, Sight.EVERYONE

# Bounds. What is beyond them is not compiled.
MOST_SEATS, MOST_TILES, MOST_FACES, MOST_ROWS = 6, 360, 63, 64
MOST_OPTIONS, MOST_MELDS, MOST_MARKS, MOST_BLOCKS, MOST_OFFERS = 1_024, 8, 48, 16, 48
MOST_DEPTH, WINDOW, FRAME_FIELDS, MOST_TAKERS, MOST_MEASURES = 24, 40, 24, 6, 8
LISTS, LIST, MOST_LISTED = 6, 65, 62  # of a frame: how many tiles a list has, then these
MARK_LIST, MELD, MELD_TILES, MOST_DRAWN = 48, 16, 5, 64
MOST_MOVES, MOST_STEPS = 2_000, 200_000  # answers of a hand; instructions between two questions
MOST_PICKED = 60  # tiles of which some are chosen: the bits of a number
PICK, MOST_PAID, PAYMENT_ROW, MOST_LINES = 3 + MOST_PICKED, 64, 5, 60
MOST_TRIES = 200  # of a random player, until tiles may be chosen together
MOST_ALIKE = form_search.MOST_ALIKE
CONSTANTS, LOOKED_ROW = 160, 4
TAKER_ROW = 1 + 4 * MOST_TAKERS
MUCH = 1 << 45  # numbers beyond this are left to `Match`

NONE, UNSET = -1, -9  # no tile or seat; a mark that is not set
OWN_TILES = -2  # an option that stands for each tile of the hand

state = Record(__name__)  # a part of MOST_SEATS is by seat, unless it says something else

# Numbers of the table, the first of the state; registers of the code may be these.
TURN = state.number("whose turn it is", seen=EVERYONE)
TILE = state.number("the tile in question, or NONE", NONE, EVERYONE)
DISCARDER = state.number("who discarded it, or NONE", NONE, EVERYONE)
WINNERS = state.number("the seats that have won, as bits", seen=EVERYONE)
TAKERS = state.number("the seats that have taken what they were offered last, as bits", seen=EVERYONE)
PLAYING = state.number("the seats that play, as bits", seen=EVERYONE)
DRAWS = state.number("how many tiles were drawn", seen=EVERYONE)
ANSWERS = state.number("how many answers were given")
RESULT = state.number("the phase that has ended the hand, or NONE", NONE, EVERYONE)
GROUP = state.number("the group in question, or NONE", NONE, SOME)
DEPTH = state.number("the frame that code is carried out in")
OTHERWISE = state.number("the code that follows where nobody takes anything")
MAY_PASS = state.number("whether those who are asked may pass", seen=EVERYONE)
OPTIONS = state.number("how many options there are")
ASKED = state.number("the seats that are asked, as bits")
ANSWERED = state.number("those of them that have answered, as bits")
COUNTER = state.number("how often tiles were shuffled or dice rolled")
REQUEST = state.number("what the host is asked for")
REQUEST_AT = state.number("the number of the request")
REQUEST_SEAT = state.number("of which seat it is asked")
REQUEST_TO = state.number("where in the state the host writes what it finds")
PROBLEM = state.number("why the machine cannot go on (`Problem`), or 0")
AT = state.number("where the code continues")
SEAT_ASKED = state.number("the seat whose options are found, or NONE", NONE)
SEED = state.number("the seed of the game", None)
HAND_NUMBER = state.number("the number of the hand", None, EVERYONE)
MOVES = state.number("how many answers MOVE has")
READS = state.number("whether the host reads first what several seats win with")
DEALS = state.number("how many deals there were before, by whom and in which round", None, EVERYONE)
FIRST_WINNER = state.number("the seat that has won first, or NONE", NONE, EVERYONE)
MEASURED = state.number("the seats whose measures are known, as bits")
STEP = state.number(
    "the question of a step that is open, counted from 1; 0: none is, or that of a phase", seen=EVERYONE
)
WHOM = state.number("the seats that it is put to, as bits", seen=EVERYONE)
HOLDS = state.number("whether a condition that was tried holds")
SET = state.number("the answers and dice of this hand, as bits")
PAID = state.number("how many payments are noted")
NOTED = state.number("the same, with those that are being worked out")
SETTLED = state.number("how often payments were made", seen=EVERYONE)
ASKED_TILE = state.number("of the hand that may win: the tile in question")
ASKED_DISCARDER = state.number("who discarded it, or NONE")
ASKED_TERMS = state.number("the terms of the table that hold for it, as bits")
SHOWN_ANY = state.number("the seats that may have been shown a tile in this hand, as bits")
DISCARDS = state.number("how many tiles have come to where others may claim them", seen=EVERYONE)
CARRIED = state.number("the first tile that the last move of tiles has moved, or NONE")
STOPS = state.number("why the machine stops (ASK ...), 0 while it runs")
LENGTH = state.size
CONSTANT = state.part((CONSTANTS,), "the numbers that code names")

# Frames, by depth. Registers of the code from FRAME on are those of the frame.
FRAME = state.part((MOST_DEPTH, WINDOW), "registers; the first is the seat that acts")
FIELDS = state.part((MOST_DEPTH, FRAME_FIELDS), "what it came from, what follows, what it is about")
TAKER = state.part((MOST_DEPTH, TAKER_ROW), "how many take something; then offer, seat and choices of each")
LISTED = state.part((MOST_DEPTH, LISTS, LIST), "lists: how many tiles, then these")

# Tiles.
ROW = state.part((MOST_ROWS, MOST_TILES), "the tiles of each place", seen=SOME)
ROW_START = state.part((MOST_ROWS,), "where they begin", 0)
ROW_END = state.part((MOST_ROWS,), "behind the last of them", 0)
WHERE = state.part((MOST_TILES,), "by tile: its row, IN_MELDS less its seat, or NONE", NONE, SOME)
SHOWN = state.part((MOST_TILES,), "by tile: the seats that have seen it", 0)
DISCARD = state.part((MOST_TILES,), "the tiles that have come to where others may claim them, in order", seen=EVERYONE)
DISCARDED = state.part(
    (MOST_TILES,), "by tile: whether it was turned, how it was discarded (IS_TURNED ...)", 0, EVERYONE
)
COUNT = state.part((MOST_SEATS, MOST_FACES), "by plain tile: how many are in the hand", 0, OWNER)
NUMBER = state.part((MOST_SEATS, MOST_BLOCKS), "by block: the number of its counts", 0, OWNER)
ODD = state.part((MOST_SEATS,), "tiles of the hand in no block", 0, OWNER)
ALIKE = state.part((MOST_SEATS, MOST_ALIKE), "by number, from 1: plain tiles of which the hand has as many", 0, OWNER)
MARK = state.part((MOST_MARKS, MOST_SEATS), "values of marks, or UNSET", UNSET, SOME)
MARK_TILES = state.part((MOST_MARKS, MOST_SEATS, MARK_LIST), "how many, then faces", seen=SOME)
CLAIMED_FROM = state.part(
    (MOST_TILES,), "by tile: who had discarded it, or NONE, when a group that claims it was found last"
)
LAID = state.part((MOST_SEATS, MOST_MELDS, MELD), "melds", seen=SOME)
LAID_SIZE = state.part((MOST_SEATS,), "how many melds there are", 0, EVERYONE)
CLOSED = state.part((MOST_SEATS,), "its hands that are finished or dead, as bits from 1 on", 0, EVERYONE)
HANDS_WON = state.part((MOST_SEATS,), "how many hands it has declared", 0, EVERYONE)
WON = state.part((MOST_SEATS,), "which hands those are, as bits from 1 on", 0, EVERYONE)
HAND_WON = state.part((MOST_SEATS,), "the number of the hand that it has declared last", 0, EVERYONE)
WON_TILES = state.part((MOST_SEATS, LIST), "how many tiles that one has besides its melds, then these")

# Questions.
OPTION = state.part((MOST_OPTIONS, 4), "offering, choice, how many moves it is, a second choice", seen=OWNER)
OPTION_FIRST = state.part((MOST_SEATS, 2), "its first option, and the one after its last")

# What was found of hands.
CHANGES = state.part((MOST_SEATS,), "how often its hand has changed", 0)
WAITED = state.part((MOST_SEATS, 4), "CHANGES, melds and tiles of when they were found, the waits as bits", NONE, OWNER)
NEAR = state.part((MOST_SEATS, 2), "the state of its hand when they were found, what completes it as bits", NONE, OWNER)
LOOKED = state.part(
    (MOST_SEATS, LOOKED_ROW), "what may complete it to forms that are searched for (`search`)", 0, OWNER
)
CAME = state.part((MOST_SEATS,), "the tile that was the last change of its hand, NONE where one left", NONE, OWNER)

# Points, in parts of one: as many of them as UNIT says.
SCORE = state.part((MOST_SEATS + 1,), "of seats, then of the pot; gains, where no code reads them", seen=EVERYONE)
GAIN = state.part((MOST_SEATS + 1,), "the same, of payments that are being worked out")
SPENT = state.part((MOST_SEATS + 1,), "what seats and the pot pay by these")
MEASURE = state.part((MOST_SEATS, MOST_MEASURES), "what its hand measures", seen=EVERYONE)
HELD = state.part((MOST_SEATS,), "the faces of its hand by place, as bits, as they were marked last", seen=OWNER)
FACES = state.part((MOST_SEATS,), "the same at any time, if no two faces are the same in play", 0, OWNER)
ANSWER = state.part((MOST_SEATS, 3), "offering, choice, a second choice", seen=OWNER)
DRAWN = state.part((MOST_SEATS,), "the tile that it drew last, or NONE", NONE, OWNER)
FRESH = state.part((MOST_SEATS,), "whether its hand has not changed since it drew", 0, OWNER)
PLAYER = state.part((MOST_SEATS,), "who sits there", seen=EVERYONE)
DECISIONS = state.part((MOST_SEATS,), "by player: how many answers it has given")
LUCK = state.part((MOST_SEATS,), "by player: what all its lots of a game are drawn from")
OFFERED = state.part((MOST_OFFERS,), "how often seats were offered it", 0)
TAKEN = state.part((MOST_OFFERS,), "how often they took it", 0)
MOVE = state.part((MOST_MOVES + 8, 2), "seat and number of each answer")
PICKED = state.part((MOST_SEATS, PICK), "least, most, how many tiles there are to choose from, then these", seen=OWNER)
PAYMENT = state.part((MOST_PAID, PAYMENT_ROW), "line, payer, payee, amount, SETTLED when it was made", seen=EVERYONE)
WORK = state.part((256,), "of the hash, and of searches")
LOTS = state.part((MOST_DRAWN,), "tiles of which some are drawn at random")
RELISTED = state.number("how often DISCARD was begun anew, or lost a tile", None)
MOVED = state.part((MOST_ROWS,), "by row: how often tiles have left it or moved in it, or its melds have changed")
STATE, BEGINNINGS = state.size, state.beginnings
IN_MELDS = -2
# Of a tile: it lies sideways or did before it was claimed, it was discarded, and had just been drawn; the seat that
# discarded it, and the row to which it came.
IS_TURNED, IS_DISCARD, IS_JUST_DRAWN, DISCARD_SEAT, DISCARD_SEATS, DISCARD_ROW = 1, 2, 4, 3, 7, 6

# The fields of a frame.
frame = Record(__name__)
BACK_TO = frame.number("where the code goes back to")
GOAL = frame.number("the code that follows, or NONE")
PHASE = frame.number("the phase, or NONE")
INTERRUPTS = frame.number("whether something goes on after it; this was in question there:")
OLD_TILE = frame.number("the tile")
OLD_DISCARDER = frame.number("its discarder")
OLD_TURN = frame.number("whose turn it was")
OLD_GROUP = frame.number("the group")
HAS_FACTS = frame.number("whether steps know other facts than the table:")
FACT_TILE = frame.number("the tile in question")
FACT_DISCARDER = frame.number("its discarder")
HAS_SUBJECT = frame.number("whether the frame is about a tile:")
SUBJECT_TILE = frame.number("the tile")
SUBJECT_DISCARDER = frame.number("its discarder")
GIVES_FACTS = frame.number("whether triggers know other facts than the table:")
GIVEN_TILE = frame.number("the tile")
GIVEN_DISCARDER = frame.number("its discarder")

# A meld: its group, whether it is exposed, who discarded its tile, who has seen it, how many tiles, the one that was
# claimed, the hand of its seat that it belongs to; then the tiles.
LAID_GROUP, LAID_EXPOSED, LAID_DISCARDER, LAID_SEEN, LAID_COUNT, LAID_CLAIMED, LAID_HAND, LAID_TILES = range(8)

# A group that is chosen, as one number of 63 bits: its index, the tile that was claimed for it or with which it grew
# (NO_TILE: all are of the hand), then the tiles of the hand, NO_TILE after the last. A meld that grows takes one tile
# of the hand; the last place says which meld it is.
GROUP_BITS, TILE_BITS, HAND_TILES = 9, 9, 5
CLAIMED_AT, HAND_AT = GROUP_BITS, GROUP_BITS + TILE_BITS
MELD_AT = HAND_AT + TILE_BITS * (HAND_TILES - 1)
GROUP_MASK, NO_TILE = (1 << GROUP_BITS) - 1, (1 << TILE_BITS) - 1

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
    NO_CODE = 21  # for a step
    NOT_IN_MELD = 22  # a tile that takes the place of another
    OF_ONE_PLACE = 23  # that change places
    NOT_OF_UNIT = 24  # a number that is not whole, or no multiple of the smallest part that points have


# What the host is asked for.
VALUE, WIN, DECLARE, READ, MEASURES = range(5)

# The first numbers of an image: sizes, and where its lists begin.
image = Record(__name__)
SEATS = image.number("how many seats")
FIRST = image.number("the first tile of the table")
TILES = image.number("the number after the last")
BLOCKS = image.number("how many blocks hands are counted by")
LOOKUPS = image.number("how many cases of forms tables know")
HAND_ROW = image.number("the row of the first hand")
MELD_ROW = image.number("the row of the first melds, or NONE")
BONUS_ROW = image.number("the row of the first bonus tiles, or NONE")
START_PHASE = image.number("the phase that a hand begins with")
OFFERS = image.number("how many offers")
MARKS = image.number("those of answers and dice included")
SEVERAL_FACES = image.number("whether plain tiles have several faces")
WINS_EXACT = image.number("whether a form is enough for a win")
PLAIN = image.number("by tile: its plain tile")
FACE = image.number("by tile: its face")
PLACE = image.number("by tile: its place in the order of the tile set")
BLOCK = image.number("by plain tile: its block, or NONE, and what it adds to its number")
KEEPS = image.number("by row: how many of its last tiles do not count as there")
CLASSES = image.number("by class and tile: whether it is one")
WAYS_OF = image.number("by kind and plain tile: its ways, from which on and how many")
WAYS = image.number("ways to make groups of the tile in question")
NEEDS_OF = image.number("by kind: the same for groups of the hand")
NEEDS = image.number("these ways")
NEEDS_SINGLE = image.number("by kind: of how many tiles of one plain tile its groups are, or 0")
GROWN_OF = image.number("by kind and group: the same for melds that grow")
GROWN = image.number("these ways")
GROUP_KINDS = image.number("by group: its kinds, as bits")
LISTED_FACES = image.number("faces that may fill a place of a group, and wild tiles that may, after how many they are")
OFFER_CODE = image.number("by offer: its code")
OFFER_GOAL = image.number("by offering: the code that follows")
OFFER_RANK = image.number("by offering: its rank")
OFFER_MOST = image.number("by offering: how many seats may take it")
OFFER_FACTS = image.number("by offering: what its choices put in question")
OFFER_NUMBER = image.number("by offering: its offer")
OFFER_WINS = image.number("by offering: whether seats win by it")
PHASE_CODE = image.number("by phase: its code")
GROUPS = image.number("how many groups")
COPIES = image.number("by plain tile")
IN_ORDER = image.number("plain tiles in the order of the tile set")
GROUP_SIZE = image.number("by group: how many tiles it counts as in a form")
STANDS = image.number("by group and plain tile: what the tile stands for in the group where it is wild there, or NONE")
HAS_WILD = image.number("whether there are wild tiles")
FULL_SIZES = image.number("of hands, as bits")
WAITS_ALL = image.number("whether tiles of which no copy is left are waits, too")
COMPLETING = image.number("by group and plain tile that came to it: what completes it, as bits")
SUIT_OF = image.number("by tile: the number of the name of its suit, or NONE")
UNPLACED = image.number("by group, concealed and exposed: whether tables do not know the meld")
GROUP_SETS = image.number("by set of groups that code asks about, and group: whether it is one of them")
SEARCHES = image.number("whether forms are searched for, as no table of the scoring kernel knows them")
CODE = image.number("instructions")
ASKS = image.number("by question of a step: ASK_ROW numbers")
MOST_SUITS = image.number("of a hand that makes a form; 0: any number")
SUIT_FIRST = image.number("by plain tile: the first plain tile of its suit, or NONE")
BOUNDS = image.number("what hands may be worth, as far as that is asked")
IN_BOX = image.number("by plain tile: how many there are, of all faces")
OPEN_ROWS = image.number("by row: whether everyone sees its tiles")
SIEVES = image.number("what seats need for the offers of a question")
WAYS_ONE = image.number("by way to make a group of the tile in question: its WAY_ONE")
BARRED_NOW = image.number("the code of whether a seat is barred from winning on a discard, or NONE")
BARRED_AFTER = image.number("the same after it has discarded a tile")
HANDS = image.number("how many hands each seat makes")
UNIT = image.number("how many parts a point has, so that payments are whole numbers of them")
HEADER = image.size
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
