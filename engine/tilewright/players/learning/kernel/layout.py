"""The layout of learning on kernels: what is known of the spaces of a ruleset, what is noted of each table, and both as
one argument each. Knows no ruleset.
"""

from typing import NamedTuple

from tilewright.base.kernels import B8, I64, B8x2, F32x2, F64x2, I64x2
from tilewright.base.records import Record

# What is known of a ruleset: numbers, then where lists begin.
known = Record(__name__)
CLEARED = known.number(
    "how many parts of an observation are cleared before it is written anew, then where each begins and ends"
)
CLEARED_SHOWN = known.number("the same of those that are cleared only where tiles were told that the seat was shown")
FACES = known.number("how many faces a row of tiles has")
VIEWS = known.number("by seat: where its list of rows begins: how many there are, then each")
SEEN = known.number("by row of tiles: the seats that see them, as bits")
SEAT_OF = known.number("by row of tiles: its seat; 0 where it is of the table")
MARKS = known.number(
    "by seat: where the list of marks that it sees begins: how many truths and how many others, then each"
)
SUITS = known.number("by the number of a name: which suit it is, or NONE")
OFFERINGS = known.number("each offering, then each question of a step: SPELLING numbers")
QUESTIONS = known.number("where the questions of steps begin")
ASKS_FIELDS = known.number("by question of a step: what tells it in an observation")
TILE_WORDS = known.number("by face: the action that goes on with a move by it; NONE where no move needs one")
SUIT_WORDS = known.number("the same by the number of a name")
FLAG_WORD = known.number("the action `yes`; `no` is the next")
SEAT_WORD = known.number("the action of the own seat; the next are of those after it")
DIGIT_WORD = known.number("the action of the digit 0")
DONE = known.number("the action that ends a move")
PASS = known.number("the action to pass")
LEARNS = known.number("by player: LEARNER, RANDOM or THINKER")
SPOTS = known.number("where the single numbers are noted of which an observation tells")
COPIES = known.number("where it is noted what rows were copied from")
GROUPS = known.number("where fields of an observation begin")
TILE = known.number("where it is told: the tile in question")
DRAWN = known.number("the tile drawn")
DISCARDER = known.number("who discarded the tile in question")
TURN = known.number("whose turn it is")
PLACE = known.number("the own place")
PLAYING = known.number("who plays")
WINNERS = known.number("who has won")
ROUND = known.number("the round")
SCORES = known.number("the scores")
POT = known.number("the pot")
PHASE = known.number("the phase")
ASKED = known.number("the question of a step")
BEGUN = known.number("the move that has begun")
DISCARDS = known.number("the discards")
HAND_MELDS = known.number("the melds of each hand, where seats make several")
HAND_STATES = known.number("what each of those hands is")
DISCARDS_LISTED = known.number("how many discards are told one by one")
KNOWN = known.size
LATEST = 4  # tiles of a claimable place that are told one by one
MOST_DISCARDS = 100  # discards of a hand that are
# What is told of a discard: its face, counted from 1, or one more than there are faces where it is hidden; how many
# seats after the own one its seat is; whether it was drawn and discarded at once, turned, claimed.
DISCARD_FACE, DISCARD_SEAT, DISCARD_JUST_DRAWN, DISCARD_TURNED, DISCARD_CLAIMED, DISCARD_NUMBERS = range(6)

HAND_OPEN, HAND_WON, HAND_DEAD, HAND_NUMBERS = range(4)  # what each of several hands is

# A row of tiles as a seat sees it: the row, what of it is seen, its field, that of its latest tiles or NONE, where they
# are noted, the field that counts groups, and the number of its copy or NONE.
VIEW_ROW, VIEW_SEES, VIEW_FIELD, VIEW_LATEST, VIEW_NOTED, VIEW_GROUPS, VIEW_COPY, VIEW = range(8)
ALL, SHOWN, MELDS = range(3)  # every tile, those that the seat was shown, melds as they are declared
# A mark of a seat or of the table: its number times MOST_SEATS and the seat, its type, its field.
MARK_SPOT, MARK_TYPE, MARK_FIELD, MARK = range(4)
TRUTH, NUMBER, SEAT, SUIT, TILES = range(5)
# How moves of an offering are spelled, or answers to a question of a step: what their first action says, that action or
# where those of its choices begin; how what was chosen first goes on, and what was chosen second.
SAYS, SAID, FIRST, SECOND, SPELLING = range(5)
# What the first action says: the offer alone, with a group, with a tile; nothing but what was chosen.
ALONE, WITH_GROUP, WITH_TILE, CHOICE = range(4)
# How a choice goes on: not at all, by the tiles of a group, a tile, where a tile lies, both, and so on.
NOTHING, BY_GROUP, BY_TILE, BY_PLACE, BY_TILE_AND_PLACE, BY_SEAT, BY_SUIT, BY_FLAG, BY_NUMBER = range(9)

# What is noted of each table.
notes = Record(__name__)
STATUS = notes.number("why the table stopped")
OPEN = notes.number("whether a question is open of which others have answered their part")
ROUND_NOW = notes.number("its round")
ACTED = notes.number("whether anybody has acted in the match")
SETTLED = notes.number("which hands settle it")
WAYS = notes.number("in how many ways several tiles may be chosen")
TAKEN = notes.number("of the move that has begun: which tiles were chosen, as bits")
FROM = notes.number("from which on others may be")
WORDS = notes.number("how many of its words are known")
CHOSEN = notes.number("how many actions were chosen")
SPOTS_TOLD = notes.number("how many single numbers the observation tells")
SHOWN_TOLD = notes.number("whether it tells of tiles that the seat was shown")
DISCARDS_TOLD = notes.number("how many discards it tells")
DISCARDS_NOTED = notes.number("how often their list had begun anew")
MOST_ACTIONS = 64  # of a move
ACTIONS = notes.part((MOST_ACTIONS,), "these actions")
KNOWN_WORDS = notes.part((MOST_ACTIONS,), "these words")
# Then where the observation tells of the latest tiles, and from SPOTS on of what else is little in much room: these are
# cleared one by one.
LATEST_TOLD = notes.size
# Of each row that every seat sees in the same way, there is a copy, counted by face. From COPIES on it is noted how
# often the row had changed, and how many of its tiles the copy counts; of melds, how many are exposed.
COPY_MOVED, COPY_COUNTS, COPY = range(3)
MOST_SINGLE = 8  # numbers of the tile in question and the one drawn, the place, the round, the phase, the question
# Which hands settle a match: what they come to is what players have after it, so that kernels begin the next one.
NEVER, ALWAYS, QUIET_HANDS = range(3)

# Instead of the number of a move: more has to be chosen; its words do not tell which it is.
GOES_ON, UNSAID = -2, -3
# Who a player is: it learns, plays at random, or thinks, on kernels of its own.
RANDOM, LEARNER, THINKER = range(3)
# Instead of why a table stops: its machine runs on; others are yet to answer. Why it stops: one is asked that thinks.
RUNS, ANSWERED, THINKS = -4, -5, -6


class KernelRules(NamedTuple):
    """What kernels know of a ruleset: the image of its play, and its forms; what of it is for learning."""

    P: I64
    forms: I64
    K: I64


class KernelTables(NamedTuple):
    """Tables, by their number. The states of their machines; what is noted of each; the tiles that may be chosen
    together, as bits; the rows that all seats see, as they are told; the scores of seats and the pot, without what the
    states add to them; those of players when points were last told. Then what is told: `Tables`."""

    states: I64x2
    notes: I64x2
    ways: I64x2
    copies: F32x2
    scores: F64x2
    before: F64x2
    observations: F32x2
    masks: B8x2
    players: I64
    rewards: F32x2
    over: B8
