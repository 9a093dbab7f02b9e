"""The layout of players on kernels: what is where in the lists that they work in, and what they know of a ruleset.

The list of whole numbers that they work in begins with the working space of `hands.distance.flat.rows`."""

from typing import NamedTuple

from tilewright.base.compute.kernels import B8, F64, I32, I64, U8
from tilewright.hands.distance.flat import rows as flat
from tilewright.hands.distance.kernels import NEVER
from tilewright.play.compiled.kernel import layout as at
from tilewright.players.careful.placement import NUMBERS
from tilewright.scoring.kernel.judging import LoneArrays

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
    what the kernel of scoring takes; `totals`: by number of a worth, what it comes to where it wins, else 0; `judging`,
    `wins`: what tells whether hands win (`play.compiled.judging.kernel`), nothing where that is left to the host."""

    own: I64
    reals: F64
    known: I64
    plans: I64
    ways: I64
    rows: U8
    places: I32
    targets: I64
    scoring: LoneArrays
    totals: F64
    judging: I64
    wins: B8


# --- places


class Places:
    """Numbers one after the other."""

    def __init__(self, first: int) -> None:
        self.end = first

    def room(self, numbers: int) -> int:
        """Where so many numbers begin."""
        start, self.end = self.end, self.end + numbers
        return start


# The list of whole numbers that players work in.
_own = Places(flat.WORK)
HELD = _own.room(at.MOST_FACES)  # tiles of the hand that is looked at, by plain tile
FACES = _own.room(at.MOST_FACES)  # the same by face
LEFT = _own.room(at.MOST_FACES)  # how many of each plain tile may still come
OWN = _own.room(at.MOST_FACES)  # tiles of the hand that is asked about, by plain tile
OWN_FACES = _own.room(at.MOST_FACES)  # the same by face
UNSEEN = _own.room(1)  # how many tiles may still come
# The group of the position that is looked at, or NONE; whether it lies concealed; the same as a meld, or NONE; the meld
# that it grows from, or NONE; whether a meld is exposed; whether a tile must go; how many tiles of the hand are gone,
# and the face of the last of them, or NONE.
GROUP = _own.room(1)
CONCEALED, MORE, GROWN, IS_OPEN, IS_FULL, GONE, GONE_FACE = (_own.room(1) for _ in range(7))
BAR = _own.room(1)  # the number of the tiles that bar the hand that is looked at from winning
RESUMES = _own.room(1)  # whether a question was broken off
QUESTION = _own.room(3)  # what is asked, its key, of which seat (for a plan: the approach)
# Of a hand that is scored: where its tiles are, its winning tile, the variant of its table, whether the zones count,
# whether it is drawn; of a question about claims: the face that is discarded.
ASKED_TILES = _own.room(1)
ASKED_WIN, ASKED_VARIANT, ASKED_ZONES, ASKED_DRAWN, ASKED_FACE = (_own.room(1) for _ in range(5))
MELDS = _own.room(1 + at.MOST_MELDS)  # how many melds the plan is for that is asked for, then which
# What the host said in this decision: worths that only it finds, how many; by face, and without one, whether claims are
# barred: 0 where that is unknown, 1, or 2 where they are.
WORTHS = _own.room(1)
CLAIMS_BARRED = _own.room(1 + at.MOST_FACES)
DECISION, END_OF_DECISION = WORTHS, _own.end
WORTHS_USED = _own.room(1)
PLAYERS = _own.room(at.MOST_SEATS)  # by player: RANDOM, FAST, CAREFUL, STRONG or LEARNER
ROUND = _own.room(1)  # the tile of the round's wind, or NONE
PLACES_COUNT = _own.room(1)  # the seats for which the places at the end of the match count in this hand, as bits
LOTS = _own.room(1)  # where the numbers of a player stand
IN_SIGHT = _own.room(1)  # how many tiles of zones are like the winning one, and everyone sees them
OWN_OF_BLOCK = _own.room(at.MOST_FACES)
MOST_TABLES = 1 << 12
TABLES = _own.room(3 * MOST_TABLES)  # a key and the contexts of scoring, for claimed hands and drawn ones
CLASSES = _own.room(MOST_APPROACHES)  # by approach: where the classes of melds begin among the ways, or 0
NEEDED = _own.room(MOST_APPROACHES)  # by approach: the tiles that some way needs beside melds, as bits
# By seat: whether it is known which tiles bar its hand from winning, these as bits, the number of their approaches;
# then the marks that decided it.
MOST_BAR_MARKS = 8
BARRED_ROW = 3 + MOST_BAR_MARKS
BARRED = _own.room(at.MOST_SEATS * BARRED_ROW)
# Of a careful player's moment: the turns that are left, whether a seat has declared that it waits, by seat the tiles
# that it has thrown as bits, those that somebody has.
TURNS_LEFT, THREAT = _own.room(1), _own.room(1)
TURNS_GONE, TURNS_SEEN = _own.room(1), _own.room(1)  # those that are gone; how many points in time are examined
FORECASTS = _own.room(1)  # whether the player forecasts listed hands
THROWN = _own.room(at.MOST_SEATS)
THROWN_BY_ANY = _own.room(1)
# The hopes of a position: how many; of each its aim, its plan, how far it is, and what brings it nearer as bits; how
# many whole hands were drawn for it, their winning tiles, and their tiles.
HOPES_FOUND = _own.room(1)
HOPE_AIM, HOPE_PLAN, HOPE_FAR, HOPE_USEFUL, HOPE_WHOLES = (_own.room(HOPES) for _ in range(5))
HOPE_WIN = _own.room(HOPES * WHOLES_OF_HOPE)
HOPE_TILES = _own.room(HOPES * WHOLES_OF_HOPE * at.MOST_FACES)
OUTLOOKS = _own.room(1)  # how many prospects of listed hands the position has: none or one
OUTLOOK_FAR = _own.room(1)  # how far the nearest listed hand is, the place of these hands (`flat.listed`)
OUTLOOK_AT = _own.room(1)
AVAILABLE = _own.room(at.MOST_FACES)  # by plain tile: how many the seat has or may still get,
LIMITS = _own.room(at.MOST_FACES)  # and how many besides those of its melds
# Of what a step asks: the player that thinks, the faces that may be given, those that are as bits; how many tiles the
# hand does not need, and whether it is far from winning, less than nothing where unknown; by bars and suit the number
# of both together and 1.
THINKER = _own.room(1)
GIVABLE = _own.room(at.MOST_PICKED)
GIVEN = _own.room(1)
SPARE, IS_FAR = _own.room(1), _own.room(1)
SUIT_BARS = _own.room(MOST_BARS * MOST_SUITS)
SCORED = _own.room(at.MOST_FACES)  # tiles of a hand that is scored, by face
WAITS_WON = _own.room(1)  # how many tiles a waiting hand may win with
BOT = _own.end

# The list of other numbers that they work in, of careful players alone.
_reals = Places(0)
STILL_OPEN = _reals.room(at.MOST_TILES + 2)  # by turn that is left: how likely nobody else has won
MOST_FAR = 32
PACES = _reals.room(MOST_FAR)
STEPS = _reals.room(MOST_FAR + 1)
AIM_WORTH = _reals.room(MOST_AIMS)
USUAL_WORTH = _reals.room(1)
MOST_WEIGHTS = 23
WEIGHTS = _reals.room(MOST_WEIGHTS)  # of the player that thinks (`kernel.weights`)
WEIGHTS_OF = _reals.room(2 * MOST_WEIGHTS)  # those of careful players, those of strong ones
READY = _reals.room(at.MOST_SEATS)  # by seat: how likely it waits
DANGER = _reals.room(at.MOST_FACES)  # by plain tile: what discarding it may cost, less than nothing where unknown
HOPE_VALUE, HOPE_WORTH, HOPE_ADDED = (_reals.room(HOPES) for _ in range(3))
WHOLE_WORTH, WHOLE_ADDED = (_reals.room(HOPES * WHOLES_OF_HOPE) for _ in range(2))
PROMISES = _reals.room(at.MOST_FACES * PROMISED_EACH)  # by face: of hopes, then of listed hands
LISTED_SUMS = _reals.room(at.MOST_FACES + 1)  # by plain tile: what prospects of rows come to without it; with all
SHARES = _reals.room(at.MOST_SEATS * at.MOST_FACES)  # by seat and plain tile: in how many of its listed hands it is
ALIKE, PLAINER = _reals.room(1), _reals.room(1)  # powers of `players.careful.forecasts`
# Of a strong player's forecasts of listed hands: what dealing into one costs; turns, how likely nobody has won, tiles
# to claim, how likely tiles have come (`Times`); by turn, what is known of a row (`Cases`).
LOSS_NOW = _reals.room(1)
MOST_TURNS, MOST_COME = 9, 9
TURN_OF, OPEN_AT, CALLED_BY = (_reals.room(MOST_TURNS) for _ in range(3))
COUNTS = _reals.room(MOST_COME**3 * MOST_TURNS)
AT_LEAST = _reals.room(MOST_COME**3 * MOST_TURNS)
NONE_FIXED, ONE_FIXED, MADE, WAITING = (_reals.room(MOST_TURNS) for _ in range(4))
FREE_PLACES = _reals.room(MOST_COME * MOST_TURNS)
# What a strong player knows of its match (`players.careful.placement`), whatever its leads; what the player that thinks
# knows now. Then the worth that dealing into a hand loses, and what it costs for each effort that such a hand deserves.
OF_MATCH, MATCH = (_reals.room(NUMBERS) for _ in range(2))
LOST, COSTS = _reals.room(1), _reals.room(1)
SCORES = _reals.room(at.MOST_SEATS)  # by seat: what the host knows of its score besides what the state has
WORTH = _reals.room(1)  # of the hand that was scored, of the waits, of the position: the last answer
MOST_WORTHS = 256
ANSWERED_WORTH = _reals.room(MOST_WORTHS)
REALS = _reals.end

# The list of the nearest targets that were found: how far it is filled, how many were found; for each of these what was
# asked, for which tiles, and where they are.
TARGETS_USED, SLOTS_USED, SLOT = range(3)
SLOTS = 1 << 15
POOL = SLOT + 3 * SLOTS
MOST_TARGETS = 1 << 20  # more than a table has

# What is known of a ruleset: numbers, then where the lists begin.
(
    KINDS,
    LARGEST,
    MINIMUM,  # whether there is one
    EFFECTS,
    SEEN,
    COPIES,
    ORDER,  # plain tiles in their order
    MARKS,  # how many decide the table of a seat; then each, and whether it is of seats
    ZONES,  # how many scoring asks about; then each: its row, whether it is of seats, its column, whether all see it
    SPECIALS,  # the column of special tiles in melds, or NONE
    IS_SPECIAL,
    IN_SIGHT_AT,  # the column of tiles in sight like the winning one, or NONE
    EXPOSES,  # whether a claimed tile exposes the group that it completes
    BARS,  # how many marks decide which tiles bar a hand from winning, then each, and whether it is of seats; or NONE
    # Of careful players:
    AIMS,  # how many there are; then whether each may have exposed groups
    TARGETS,  # whole hands that are scored
    DEPENDS,  # whether the worth of a tile may depend on its face, or on the table
    COSTS_BY_CLAIMS,  # whether a concealed hand can declare something that a claim prevents
    BARS_CLAIMS,  # whether a hand's waits may bar it from winning on a discard
    OWN_ARE_SAFE,  # whether a seat cannot win on its own discards
    PLEDGED,  # how many marks show that a seat waits, then each
    CLAIMABLE,  # how many rows have tiles that may be claimed; then each, and whether it is of seats
    WALL,  # the row of the wall, or NONE, and how many of its tiles are kept
    PLAIN,  # by face
    TILES_OF,  # by group: its tiles, GROUP_TILES of them, NONE behind the last
    USES,  # by plain tile: where its uses are: how many; then what completes each as bits, how many tiles, and these
    MOST_USES,
    # Of hands that are listed, and of questions of steps:
    COUNTS_THERE,  # whether it matters how many of each tile there are besides melds
    APPEALS,  # of careful players: where among the other numbers the appeals of rows are, or NONE
    WORTHS_OF_ROWS,  # of strong ones: where the worths of rows are, with a wild tile, then without
    ROWS,  # how many there are
    SCORES,  # whether whole hands are drawn and scored here
    JUDGES,  # whether hands are scored here
    ACCUSES_ANY,  # whether some offer accuses
    ASKS,  # by question of a step: what its choices are of
    SUITS,  # how many; then the number of the name of each, and its plain tiles as bits
    FAMILIES,  # by plain tile
) = range(37)
KNOWN, GROUP_TILES = 40, 20
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
