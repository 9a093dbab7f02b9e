"""The layouts of forms that are searched for, and of bounds of values, as kernels read them. Knows no ruleset.

Forms: the first number is where their records are listed, after how many they are; every record begins with what it is
and whether its form is concealed. Bounds: places are counted from their first number."""

MOST_ALIKE = 4  # tiles of a hand that are told apart by how many there are

# --- forms

KIND, CONCEALED, OWN = range(3)
ANYTHING, COVERED, LISTED = range(3)

# Tiles that groups and single tiles of slots use up: what all slots hold together; fixed tiles with their counts, after
# how many they are; by group the slot that it fills as a meld; whether melds may lie inside other groups; the tiles
# that a search takes one after the other, after how many they are, and for each where its options are listed: those
# that take no tile before it; where it stands how many tiles a hand may have of each part of the tile set, 0 where it
# is not; the tiles of options and the fixed ones, as bits.
TARGET, FIXED, SLOT_OF, HOSTS, ORDER, OPTIONS, SUMS, USES = range(OWN, OWN + 8)
SLOT_BITS, MOST_SLOTS = 8, 7
NOWHERE, UNCLEAR = -1, -2
# An option: its slot, how many different tiles, then each with its count.
OPTION_SLOT, OPTION_TILES, OPTION = range(3)
# How many tiles a hand may have of each part of the tile set that no option joins to another part: the wild tiles and
# the numbers, as bits, where the parts are listed for hands without wild tiles, and for others. A list of parts: the
# tiles that are a part each, as bits; how many other parts there are, and each as bits.
SUMS_WILD, SUMS_FIT, SUMS_PARTS, SUMS_JOINED = range(4)
PARTS_SINGLE, PARTS_NUMBER, PARTS = range(3)
MOST_SUM = 60  # of tiles of a part

# Hands that are listed: how many; how many different tiles one has at most; the wild tiles and of each hand its tiles,
# as bits; where each hand is; by group its tile, if it has no other, and how many; the number of the first choice, and
# where the tiles of each are listed, as bits. Choices stand among the tiles of a hand, each for any one of its tiles.
ROWS, MOST_TILES, WILD, BITS, PLACES, ALIKE, FIRST_CHOICE, CHOICES = range(OWN, OWN + 8)
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

# A case: the plain tiles that every group needs which it wants, as bits; what it wants, after how many. What it wants:
# how many groups, whether none of them is exposed; a list of groups: the size of the smallest, how many, and these.
CASE_TILES, CASE = range(2)
COUNT, HIDDEN, WANTED = range(3)
SMALLEST, NUMBER, LIST = range(3)
