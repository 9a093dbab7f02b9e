"""The layouts of forms that are searched for, and of bounds of values, as kernels read them. Knows no ruleset.

Forms: the first number is where their records are listed, after how many they are; every record begins with what it is
and whether its form is concealed. Bounds: places are counted from their first number."""

# --- forms

KIND, CONCEALED, OWN = range(3)
ANYTHING, COVERED, LISTED = range(3)

# Tiles that groups and single tiles of slots use up: what all slots hold together; fixed tiles with their counts, after
# how many they are; by group the slot that it fills as a meld; whether melds may lie inside other groups; the tiles
# that a search takes one after the other, after how many they are, and for each where its options are listed: those
# that take no tile before it; whether every tile of a hand is in an option with others; the tiles of
# options and the fixed ones, as bits.
TARGET, FIXED, SLOT_OF, HOSTS, ORDER, OPTIONS, GROUPED, USES = range(OWN, OWN + 8)
SLOT_BITS, MOST_SLOTS = 8, 7
NOWHERE, UNCLEAR = -1, -2
# An option: its slot, how many different tiles, then each with its count.
OPTION_SLOT, OPTION_TILES, OPTION = range(3)

# Hands that are listed: how many; how many different tiles one has at most; the wild tiles and of each hand its tiles,
# as bits; where each hand is; by group its tile, if it has no other, and how many.
ROWS, MOST_TILES, WILD, BITS, PLACES, ALIKE = range(OWN, OWN + 6)
# A hand: whether it is concealed, how many tiles, how many different ones; each with its count; how many sets, and each
# as its tile, how many, and whether wild tiles may stand in it.
ROW_CONCEALED, ROW_SIZE, ROW_TILES, ROW = range(4)
SET = 3


# --- bounds

# What a hand has to be worth at least; where the patterns are listed, after how many they are; where the tiles of each
# group are; by plain tile its suit, or -1, and what it may stand for where it is wild, as bits.
LEAST, PATTERNS, GROUPS, SUITS, STANDS, HEADER = range(6)

# A pattern: what it adds, the facts of the table that it needs as bits, the groups for each of which it adds that (0:
# once), how many conditions, and these.
WORTH, FACTS, EACH, CONDITIONS, PATTERN = range(5)

# A condition: its kind, then what it takes. WITHIN: the tiles that a hand may have, as bits. HAS_GROUPS: cases, after
# how many they are. IS_FORM: records of forms that are searched for, after how many. OF_SUITS: a bit for each set of
# suits, and the same for hands with wild tiles. HAS_COPIES: tiles as bits, and how many of them there are at least.
WITHIN, HAS_GROUPS, IS_FORM, OF_SUITS, HAS_COPIES = range(5)

# A case: what it wants, after how many. What it wants: how many groups, whether none of them is exposed; a list of
# groups: the size of the smallest, how many, and these.
COUNT, HIDDEN, WANTED = range(3)
SMALLEST, NUMBER, LIST = range(3)
