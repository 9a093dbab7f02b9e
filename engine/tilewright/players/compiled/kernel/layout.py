"""The layout of players on kernels: what is where in the lists that they work in, and what they know of a ruleset.

The list of whole numbers that they work in begins with the working space of `hands.distance.flat_rows`."""

from typing import NamedTuple

from tilewright.base.kernels import F64, I32, I64, U8
from tilewright.base.records import Record
from tilewright.hands.distance import flat_rows as flat
from tilewright.hands.distance.kernels import NEVER
from tilewright.play.compiled.kernel import layout as at
from tilewright.players.bots.odds import NUMBERS
from tilewright.scoring.kernel.layout import ScoringArrays

RANDOM, FAST, CAREFUL, STRONG, LEARNER = range(5)  # players; a learner is asked by whoever has it learn

# What kernels stop for, besides what the machine does.
DECIDE, LEARNS = at.FAILED + 1, at.FAILED + 2
# What they ask then, and a move that they do not find: the game is played without them.
PLAN, TABLE, TILES_BARRED, CLAIM_BARRED, LEARN, SCORE, SUIT_BARRED, REACHES, WEIGH, VALUE = range(10)
KNOWN_NOW, WAITS, UNSAID = 0, -1, -2
# As arguments of kernels.
NO, YES = range(2)
ANY_DISTANCE = NEVER

# Approaches: for each set of tiles that bar a hand from winning the one to any form, then those of the aims.
MOST_AIMS = 31
OF_ONE_BAR = MOST_AIMS + 1
MOST_BARS = 16
MOST_APPROACHES = MOST_BARS * OF_ONE_BAR
# Plans by approach and melds: a table of so many pairs of a key and a place.
PLANS = 1 << 18
MOST_CLASSES, MOST_LAID = 1 << 10, 5

# Bounds of what careful players look at: hopes, whole hands of each, seats.
HOPES, WHOLES_OF_HOPE = 3, 6
PROMISED_EACH = HOPES + 1  # prospects of a position: of its hopes, and of listed hands
MOST_SUITS = 8


# --- arguments of kernels


class Mind(NamedTuple):
    """`own`, `reals`: the lists that they work in; `known`: what they know of the ruleset; `plans`: by melds; `ways`,
    `rows`, `places`: how far hands are (`hands.distance.flat`); `targets`: those that are nearest; `scoring`:
    what the kernel of scoring takes; `judging`: what tells whether hands win (`play.compiled.judging`), nothing
    where that is left to the host."""

    own: I64
    reals: F64
    known: I64
    plans: I64
    ways: I64
    rows: U8
    places: I32
    targets: I64
    scoring: ScoringArrays
    judging: I64


# --- places

# The list of whole numbers that players work in.
own = Record(__name__, flat.WORK)
HELD = own.part((at.MOST_FACES,), "tiles of the hand that is looked at, by plain tile")
FACES = own.part((at.MOST_FACES,), "the same by face")
LEFT = own.part((at.MOST_FACES,), "how many of each plain tile may still come")
OWN = own.part((at.MOST_FACES,), "tiles of the hand that is asked about, by plain tile")
OWN_FACES = own.part((at.MOST_FACES,), "the same by face")
UNSEEN = own.number("how many tiles may still come")
# The position that is looked at.
GROUP = own.number("its group, or NONE")
CONCEALED = own.number("whether that lies concealed")
MORE = own.number("the same as a meld, or NONE")
GROWN = own.number("the meld that it grows from, or NONE")
IS_OPEN = own.number("whether a meld is exposed")
IS_FULL = own.number("whether a tile must go")
GONE = own.number("how many tiles of the hand are gone")
GONE_FACE = own.number("the face of the last of them, or NONE")
BAR = own.number("the number of the tiles that bar the hand that is looked at from winning")
RESUMES = own.number("whether a question was broken off")
QUESTION = own.part((3,), "what is asked, its key, of which seat (for a plan: the approach)")
ASKED_TILES = own.number("of a hand that is scored: where its tiles are")
ASKED_WIN = own.number("its winning tile")
ASKED_VARIANT = own.number("the variant of its table")
ASKED_ZONES = own.number("whether the zones count")
ASKED_DRAWN = own.number("whether it is drawn")
ASKED_FACE = own.number("of a question about claims: the face that is discarded")
MELDS = own.part((1 + at.MOST_MELDS,), "how many melds the plan is for that is asked for, then which")
# What the host said in this decision.
WORTHS = own.number("how many worths that only it finds")
CLAIMS_BARRED = own.part((1 + at.MOST_FACES,), "without a face, by face: whether claims are barred (2), or not (1)")
DECISION, END_OF_DECISION = WORTHS, own.size
WORTHS_USED = own.number("how many of these were used")
PLAYERS = own.part((at.MOST_SEATS,), "by player: RANDOM, FAST, CAREFUL, STRONG or LEARNER")
ROUND = own.number("the tile of the round's wind, or NONE")
PLACES_COUNT = own.number("the seats for which the places at the end of the match count in this hand, as bits")
LOTS = own.number("where the numbers of a player stand")
IN_SIGHT = own.number("how many tiles of zones are like the winning one, and everyone sees them")
OWN_OF_BLOCK = own.part((at.MOST_FACES,), "tiles of the hand that is searched, by plain tile")
MOST_TABLES = 1 << 12
TABLES = own.part((3 * MOST_TABLES,), "a key and the contexts of scoring, for claimed hands and drawn ones")
CLASSES = own.part((MOST_APPROACHES,), "by approach: where the classes of melds begin among the ways, or 0")
NEEDED = own.part((MOST_APPROACHES,), "by approach: the tiles that some way needs beside melds, as bits")
MOST_BAR_MARKS = 8
BARRED_ROW = 3 + MOST_BAR_MARKS
BARRED = own.part((at.MOST_SEATS, BARRED_ROW), "whether it is known what bars its hand, this, its approaches, marks")
# Of a careful player's moment.
TURNS_LEFT = own.number("the turns that are left")
THREAT = own.number("whether a seat has declared that it waits")
TURNS_GONE = own.number("the turns that are gone")
TURNS_SEEN = own.number("how many points in time are examined")
FORECASTS = own.number("whether the player forecasts listed hands")
THROWN = own.part((at.MOST_SEATS,), "by seat: the tiles that it has discarded, as bits")
THROWN_BY_ANY = own.number("those that somebody has")
HOPES_FOUND = own.number("how many hopes the position has")
HOPE_AIM = own.part((HOPES,), "of each: its aim")
HOPE_PLAN = own.part((HOPES,), "its plan")
HOPE_FAR = own.part((HOPES,), "how far it is")
HOPE_USEFUL = own.part((HOPES,), "what brings it nearer, as bits")
HOPE_WHOLES = own.part((HOPES,), "how many whole hands were drawn for it")
HOPE_WIN = own.part((HOPES, WHOLES_OF_HOPE), "their winning tiles")
HOPE_TILES = own.part((HOPES, WHOLES_OF_HOPE, at.MOST_FACES), "their tiles")
OUTLOOKS = own.number("how many prospects of listed hands the position has: none or one")
OUTLOOK_FAR = own.number("how far the nearest listed hand is")
OUTLOOK_AT = own.number("the place of these hands (`flat.listed`)")
AVAILABLE = own.part((at.MOST_FACES,), "by plain tile: how many the seat has or may still get")
LIMITS = own.part((at.MOST_FACES,), "and how many besides those of its melds")
# Of a seat that makes several hands (`kernel.divided`).
MOST_NEAR, MOST_DIVIDED, MOST_FAR_ROWS = 48, 2, 32
OF_HAND = own.number("the hand whose melds are looked at, from 1; 0: all of them")
MORE_HAND = own.number("the hand that the group of the position belongs to")
LIST_AT = own.number("the place of the listed hands (`flat.listed`)")
FAR_ROWS = own.part((MOST_FAR_ROWS,), "how many rows are so far")
NEAR_SIZE = own.part((MOST_DIVIDED,), "by hand: how many rows are nearest")
NEAR = own.part((MOST_DIVIDED, MOST_NEAR), "these")
JOINED_SIZE = own.number("how many joined rows may be nearest")
JOINED = own.part((MOST_NEAR**2, 3), "of each: a row of each hand, how far they are together")
TOGETHER = own.number("how far the nearest of them are")
# Of what a step asks.
THINKER = own.number("the player that thinks")
GIVABLE = own.part((at.MOST_PICKED,), "the faces that may be given")
GIVEN = own.number("those that are, as bits")
SPARE = own.number("how many tiles the hand does not need, less than nothing where unknown")
IS_FAR = own.number("whether it is far from winning, less than nothing where unknown")
SUIT_BARS = own.part((MOST_BARS, MOST_SUITS), "by bars and suit: the number of both together and 1")
SCORED = own.part((at.MOST_FACES,), "tiles of a hand that is scored, by face")
WAITS_WON = own.number("how many tiles a waiting hand may win with")
BOT = own.size

# The list of other numbers that they work in, of careful players alone.
reals = Record(__name__)
STILL_OPEN = reals.part((at.MOST_TILES + 2,), "by turn that is left: how likely nobody else has won")
MOST_FAR = 32
PACES = reals.part((MOST_FAR,), "by distance: how much nearer a turn brings a hand")
STEPS = reals.part((MOST_FAR + 1,), "by distance: what is left of a worth")
AIM_WORTH = reals.part((MOST_AIMS,), "by aim: its worth")
USUAL_WORTH = reals.number("what hands are usually worth")
MOST_WEIGHTS = 23
WEIGHTS = reals.part((MOST_WEIGHTS,), "of the player that thinks (`kernel.weights`)")
WEIGHTS_OF = reals.part((2 * MOST_WEIGHTS,), "those of careful players, those of strong ones")
READY = reals.part((at.MOST_SEATS,), "by seat: how likely it waits")
DANGER = reals.part((at.MOST_FACES,), "by plain tile: what discarding it may cost, less than nothing where unknown")
HOPE_VALUE = reals.part((HOPES,), "of each hope: its value")
HOPE_WORTH = reals.part((HOPES,), "what it is worth")
HOPE_ADDED = reals.part((HOPES,), "what declarations add to that")
WHOLE_WORTH = reals.part((HOPES, WHOLES_OF_HOPE), "of each whole hand: what it is worth")
WHOLE_ADDED = reals.part((HOPES, WHOLES_OF_HOPE), "what declarations add to that")
PROMISES = reals.part((at.MOST_FACES * PROMISED_EACH,), "by face: of hopes, then of listed hands")
LISTED_SUMS = reals.part((at.MOST_FACES + 1,), "by plain tile: what prospects of rows come to without it; with all")
SHARES = reals.part((at.MOST_SEATS * at.MOST_FACES,), "by seat and plain tile: in how many of its listed hands it is")
ALIKE = reals.number("a power of `players.bots.forecasts`, for hands that are alike")
PLAINER = reals.number("the other one, for plainer hands")
# Of a strong player's forecasts of listed hands: when tiles come (`Times`), what is known of a row (`Cases`).
LOSS_NOW = reals.number("what dealing into a hand costs")
MOST_TURNS, MOST_COME = 9, 9
TURN_OF = reals.part((MOST_TURNS,), "the turns")
OPEN_AT = reals.part((MOST_TURNS,), "by turn: how likely nobody has won")
CALLED_BY = reals.part((MOST_TURNS,), "by turn: how many tiles may be claimed")
COUNTS = reals.part((MOST_COME**3 * MOST_TURNS,), "how likely just so many tiles have come")
AT_LEAST = reals.part((MOST_COME**3 * MOST_TURNS,), "how likely at least so many have")
NONE_FIXED = reals.part((MOST_TURNS,), "by turn, of a row: that no tile is fixed")
ONE_FIXED = reals.part((MOST_TURNS,), "that one is")
MADE = reals.part((MOST_TURNS,), "that it is made")
WAITING = reals.part((MOST_TURNS,), "that it waits")
FREE_PLACES = reals.part((MOST_COME * MOST_TURNS,), "by places that are free, and turn")
# Of a strong player's match (`players.bots.odds`).
OF_MATCH = reals.part((NUMBERS,), "what it knows whatever its leads")
MATCH = reals.part((NUMBERS,), "what the player that thinks knows now")
LOST = reals.number("the worth that dealing into a hand loses")
COSTS = reals.number("what that costs for each effort that such a hand deserves")
KNOWN_SCORES = reals.part((at.MOST_SEATS,), "by seat: what the host knows of its score besides what the state has")
WORTH = reals.number("of the hand that was scored, of the waits, of the position: the last answer")
MOST_WORTHS = 256
ANSWERED_WORTH = reals.part((MOST_WORTHS,), "the worths that only the host finds")
REALS = reals.size

# The list of the nearest targets that were found: how far it is filled, how many were found; for each of these what was
# asked, for which tiles, and where they are.
TARGETS_USED, SLOTS_USED, SLOT = range(3)
SLOTS = 1 << 15
POOL = SLOT + 3 * SLOTS
MOST_TARGETS = 1 << 20  # more than a table has

# What is known of a ruleset: numbers, then where the lists begin.
known = Record(__name__)
KINDS = known.number("how many plain tiles")
HANDS = known.number("how many hands each seat makes")
LARGEST = known.number("how many tiles a hand has, at most")
MINIMUM = known.number("whether there is one")
EFFECTS = known.number("by offering: what it does, as bits")
SEEN = known.number("by row: who sees its tiles")
COPIES = known.number("by plain tile: how many there are")
ORDER = known.number("plain tiles in their order")
MARKS = known.number("how many decide the table of a seat; then each, and whether it is of seats")
ZONES = known.number(
    "how many scoring asks about; then each: its row, whether it is of seats, its column, whether all see it"
)
SPECIALS = known.number("the column of special tiles in melds, or NONE")
IS_SPECIAL = known.number("by face: whether it is special")
IN_SIGHT_AT = known.number("the column of tiles in sight like the winning one, or NONE")
EXPOSES = known.number("whether a claimed tile exposes the group that it completes")
BARS = known.number(
    "how many marks decide which tiles bar a hand from winning, then each, and whether it is of seats; or NONE"
)
# Of careful players:
AIMS = known.number("how many there are; then whether each may have exposed groups")
TARGETS = known.number("whole hands that are scored")
DEPENDS = known.number("whether the worth of a tile may depend on its face, or on the table")
COSTS_BY_CLAIMS = known.number("whether a concealed hand can declare something that a claim prevents")
BARS_CLAIMS = known.number("whether a hand's waits may bar it from winning on a discard")
OWN_ARE_SAFE = known.number("whether a seat cannot win on its own discards")
PLEDGED = known.number("how many marks show that a seat waits, then each")
CLAIMABLE = known.number("how many rows have tiles that may be claimed; then each, and whether it is of seats")
WALL = known.number("the row of the wall, or NONE, and how many of its tiles are kept")
PLAIN = known.number("by face")
TILES_OF = known.number("by group: its tiles, GROUP_TILES of them, NONE behind the last")
USES = known.number(
    "by plain tile: where its uses are: how many; then what completes each as bits, how many tiles, and these"
)
MOST_USES = known.number("how many uses a plain tile has, at most")
# Of hands that are listed, and of questions of steps:
COUNTS_THERE = known.number("whether it matters how many of each tile there are besides melds")
APPEALS = known.number("of careful players: where among the other numbers the appeals of rows are, or NONE")
WORTHS_OF_ROWS = known.number("of strong ones: where the worths of rows are, with a wild tile, then without")
ROWS = known.number("how many there are")
SCORES = known.number("whether whole hands are drawn and scored here")
JUDGES = known.number("whether hands are scored here")
ACCUSES_ANY = known.number("whether some offer accuses")
ASKS = known.number("by question of a step: what its choices are of")
SUITS = known.number("how many; then the number of the name of each, and its plain tiles as bits")
FAMILIES = known.number("by plain tile")
KNOWN, GROUP_TILES = known.size, 20
WHOLES = 4  # hands that are examined
HIDDEN = -1  # a row of tiles that no seat sees
# Variants of the table of a seat: what it can still declare counts as declared, or not, or what an offering declares.
PROMISED, PLAINLY, DECLARED = range(3)

# What an offer does (`players.bots.effects`), as bits.
WINS, DISCARDS, MAKES_MELD, IS_CONCEALED, DRAWS, SETS_ASIDE, ONLY_PLEDGES, PLEDGES = (1 << n for n in range(8))
SWAPS, ACCUSES = 1 << 8, 1 << 9
# What a choice of a step is of.
NO_CHOICE, OF_FLAGS, OF_NUMBERS, OF_SUITS, OF_OTHERS = range(5)
ASKED_CHOICES = 2  # of each question
