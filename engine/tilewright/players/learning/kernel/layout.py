"""The layout of learning on kernels: what is known of the spaces of a ruleset, and what is noted of each table."""

# What is known of a ruleset: numbers, then where lists begin.
(
    CLEARED,  # how many parts of an observation are cleared before it is written anew, then where each begins and ends
    FACES,  # how many faces a row of tiles has
    ZONES,  # how many there are, then each
    SEEN,  # by row of tiles: the seats that see them, as bits
    MARKS,  # how many there are, then each
    SUITS,  # by the number of a name: which suit it is, or NONE
    OFFERINGS,  # by offering: what its first action says, and that action or where those of its choices begin
    TILE_WORDS,  # by face: the action that goes on with a move by it; NONE where no move needs one
    PASS,  # the action to pass
    LEARNS,  # by player: whether it is left to choose
    GROUPS,  # where fields of an observation begin
    TILE,
    DRAWN,
    DISCARDER,
    TURN,
    PLACE,
    PLAYING,
    WINNERS,
    ROUND,
    SCORES,
    POT,
    PHASE,
    ASKED,
    BEGUN,
) = range(24)
KNOWN = 24
LATEST = 4  # tiles of a claimable place that are told one by one

# A zone: its first row, how many rows, its field, that of its latest tiles or NONE, where these are noted, and whether
# melds lie there.
ZONE_ROW, ZONE_ROWS, ZONE_FIELD, ZONE_LATEST, ZONE_NOTED, ZONE_MELDS, ZONE = range(7)
# A mark: its number, its type, how many rows, whether it is secret, its field, and the width of a row.
MARK, MARK_TYPE, MARK_ROWS, MARK_SECRET, MARK_FIELD, MARK_WIDTH, MARK_ENTRY = range(7)
TRUTH, NUMBER, SEAT, SUIT, TILES = range(5)
# What the first action of an offering says: the offer alone, with a group, with a tile.
ALONE, WITH_GROUP, WITH_TILE = range(3)

# What is noted of each table: why it stopped, its round, whether anybody has acted in the match, which hands settle it;
# and of the move that has begun: how many of its words are known, an option that begins so, how many actions were
# chosen, and these.
STATUS, ROUND_NOW, ACTED, SETTLED, WORDS, LIKE, CHOSEN, ACTIONS = range(8)
MOST_ACTIONS = 8  # of a move
# Then where the observation tells the latest tiles, which are cleared one by one, as there are few in much room.
LATEST_TOLD = ACTIONS + MOST_ACTIONS
# Which hands settle a match: what they come to is what players have after it, so that kernels begin the next one.
NEVER, ALWAYS, QUIET_HANDS = range(3)

GOES_ON, UNSAID = -2, -3  # instead of the number of a move: more has to be chosen; its words do not tell which it is
