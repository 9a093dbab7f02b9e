"""The layout of players on kernels: what is where in the list that they work in, and what they know of a ruleset.

The list that they work in begins with the working space of `hands.distance.flat.kernels`."""

from tilewright.hands.distance.flat import kernels as flat
from tilewright.play.compiled.kernel import layout as at

RANDOM, FAST = range(2)  # players

# What kernels stop for, besides what the machine does.
DECIDE = at.FAILED + 1
# What they ask then, and a move that they do not find: the game is played without them.
PLAN, TABLE, REACHES, BARS_WINS = range(4)
WAITS, UNSAID = -1, -2

# The list that players work in.
HELD = flat.WORK  # tiles of the hand that is looked at, by plain tile
LEFT = HELD + at.MOST_FACES  # how many of each plain tile may still come
OWN = LEFT + at.MOST_FACES  # tiles of the hand that is asked about
RESUMES = OWN + at.MOST_FACES  # whether a question was broken off
# What is asked, its key; of which seat (for a plan: the approach), about which group, and whether that lies concealed.
QUESTION = RESUMES + 1
MELDS = QUESTION + 5  # how many melds the plan is for that is asked for, then which
ANSWERS = MELDS + 1 + at.MOST_MELDS  # how many answers are known in this decision, then whether they were yes
ANSWERED = ANSWERS + 1
MOST_ANSWERS = 32
PLAYERS = ANSWERED + MOST_ANSWERS  # by player: RANDOM or FAST
ROUND = PLAYERS + at.MOST_SEATS  # the tile of the round's wind, or NONE
LOTS = ROUND + 1  # where the numbers of a player stand
IN_SIGHT = LOTS + 1  # how many tiles of zones are like the winning one, and everyone sees them
OWN_OF_BLOCK = IN_SIGHT + 1
MOST_TABLES = 1 << 10
TABLES = OWN_OF_BLOCK + at.MOST_FACES  # pairs of a key and the contexts of scoring, for claimed hands and drawn ones
# By seat: whether it is known which tiles bar its hand from winning, these as bits, the approach without them; then the
# marks that decided it.
MOST_BAR_MARKS = 8
BARRED = TABLES + 3 * MOST_TABLES
BARRED_ROW = 3 + MOST_BAR_MARKS
BOT = BARRED + at.MOST_SEATS * BARRED_ROW

# What is known of a ruleset: numbers, then where the lists begin.
(
    KINDS,
    LARGEST,
    MINIMUM,  # whether there is one, and whether the kernel of scoring tells what reaches it
    EFFECTS,
    SEEN,
    COPIES,
    CLASS_OF,
    ORDER,  # plain tiles in their order
    MARKS,  # how many decide the table of a seat; then each, and whether it is of seats
    ZONES,  # how many scoring asks about; then each: its row, whether it is of seats, its column, whether all see it
    SPECIALS,  # the column of special tiles in melds, or NONE
    IS_SPECIAL,
    IN_SIGHT_AT,  # the column of tiles in sight like the winning one, or NONE
    EXPOSES,  # whether a claimed tile exposes the group that it completes
    BARS,  # how many marks decide which tiles bar a hand from winning, then each, and whether it is of seats; or NONE
) = range(15)
KNOWN = 16
NO_MINIMUM, ASKS_HOST, ASKS_KERNEL = range(3)
WHOLES = 4  # hands that are examined
HIDDEN = -1  # a row of tiles that no seat sees

# Plans by melds: a table of so many pairs of a key and a place.
PLANS = 1 << 16
KEY_BITS = 12

# What an offer does (`players.bots.effects`), as bits.
WINS, DISCARDS, MAKES_MELD, IS_CONCEALED, DRAWS, SETS_ASIDE, ONLY_PLEDGES, PLEDGES = (1 << n for n in range(8))
