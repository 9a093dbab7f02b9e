"""Words of the expression language: each declared once, with its type, its answer and its phrases.

A word is a function whose first argument is a `Scene` (the table as seen from one seat). Its docstring is the
documentation. Everything else about words is derived from these declarations; nothing else lists them. To add a word,
declare it here, and give the `Scene` a property if it asks for something new.

Strata, lowest first: `table` (tiles, zones, seats), `waits`, `reading` (patterns may ask), `measure`, `win`, `play`.
A word of one stratum may use only the same or lower ones.
"""

from typing import Any

from tilewright.language.vocabulary.declare import (
    EXTREMES,
    Flag,
    Number,
    OneOf,
    Scene,
    Seats,
    Span,
    Tiles,
    ToldBy,
    Word,
    word,
)

# --- seats


@word("seat", told_by="seats", personal=True, example="seat == dealer")
def seat(scene: Scene) -> Seats:
    """The seat that is evaluated, acts or is scored."""
    return (scene.seat,)


@word("seat", stratum="play", told_by="play", example="seat == next(turn)")
def turn(scene: Scene) -> Seats:
    """The seat whose turn it is."""
    return scene.turn


@word("seat", told_by="seats", example="dealer in winners")
def dealer(scene: Scene) -> Seats:
    """The dealer of this hand: East, if the game has winds."""
    return (0,)


@word("seat", told_by="seats", example="winner == dealer")
def winner(scene: Scene) -> Seats:
    """The seat that won; where a win is scored or settled, the seat it is scored for."""
    return scene.winner


@word("seat", of=("seat", "group"), told_by="seats", example="payer == discarder")
def discarder(scene: Scene, group: Any = None) -> Seats:
    """The seat whose tile was won, claimed or robbed; nobody after a self-draw. Of a group: whose tile was claimed."""
    if group is None:
        return scene.discarder
    return () if group.discarder is None else (group.discarder,)


@word("seats", told_by="seats", example="count(s.score > 0 for s in seats)")
def seats(scene: Scene) -> Seats:
    """The seats still playing, in turn order from the dealer."""
    return scene.playing()


@word("seats", told_by="seats", personal=True, example="any(s.score < 0 for s in others)")
def others(scene: Scene) -> Seats:
    """The seats still playing except this one, in turn order after it."""
    return scene.others


@word("seats", told_by="seats", example="everyone.melds == 0")
def everyone(scene: Scene) -> Seats:
    """Every seat, including retired ones."""
    return tuple(range(scene.count_of_seats()))


@word("seats", told_by="seats", example="dealer in winners")
def winners(scene: Scene) -> Seats:
    """The seats that won this hand, nearest after the turn first."""
    return scene.winners


@word("seats", stratum="play", told_by="play", example="takers == 3")
def takers(scene: Scene) -> Seats:
    """The seats that take an offer together, nearest after the turn first: several winners on one tile."""
    return scene.takers


@word("seats", told_by="seats", example="count(s.concealed for s in losers)")
def losers(scene: Scene) -> Seats:
    """Everyone who did not win this hand."""
    won = set(scene.winners)
    return tuple(s for s in range(scene.count_of_seats()) if s not in won)


@word("seat", told_by="payment", example="payer == dealer")
def payer(scene: Scene) -> Seats:
    """Who pays, in a payment line."""
    return scene.sides.payer


@word("seat", told_by="payment", example="payee.score > payer.score")
def payee(scene: Scene) -> Seats:
    """Who is paid, in a payment line."""
    return scene.sides.payee


@word("seats", told_by="payment", example="3000 / payers")
def payers(scene: Scene) -> Seats:
    """Everyone who pays in this payment line."""
    return scene.sides.payers


@word("seats", told_by="payment", example="3000 / payees")
def payees(scene: Scene) -> Seats:
    """Everyone who is paid in this payment line."""
    return scene.sides.payees


@word("same", takes=("seat|tile",), of=(), told_by="seats", example="seat == next(turn)")
def next_(scene: Scene, of: int | Tiles) -> Seats | Tiles:
    """Of a seat: the next still playing, in turn order. Of a tile: the next of its suit or family, cyclically."""
    return (scene.next_playing(of),) if isinstance(of, int) else tuple(neighbour(scene, tile, 1) for tile in of)


@word("same", takes=("seat|tile",), of=(), told_by="seats", example="seat == previous(turn)")
def previous(scene: Scene, of: int | Tiles) -> Seats | Tiles:
    """Of a seat: the previous one still playing. Of a tile: the previous one of its suit or family, cyclically."""
    return (scene.previous_playing(of),) if isinstance(of, int) else tuple(neighbour(scene, tile, -1) for tile in of)


@word("seat", takes=("seat",), of=(), told_by="seats", example="right(dealer).score")
def right(scene: Scene, of: int) -> Seats:
    """The seat to the right at the table, playing or not; as an argument, that direction."""
    return beside(scene, of, 1)


@word("seat", takes=("seat",), of=(), told_by="seats", example="left(dealer).score")
def left(scene: Scene, of: int) -> Seats:
    """The seat to the left at the table, playing or not; as an argument, that direction."""
    return beside(scene, of, -1)


@word("seat", takes=("seat",), of=(), told_by="seats", example="across(dealer).score")
def across(scene: Scene, of: int) -> Seats:
    """The seat across the table, playing or not; as an argument, that direction."""
    return ((of + scene.count_of_seats() // 2) % scene.count_of_seats(),)


def beside(scene: Scene, of: int, by: int) -> Seats:
    """The seat this many places to the right; turns go that way, unless the ruleset has them go clockwise."""
    way = by if scene.data.seats.order == "counterclockwise" else -by
    return ((of + way) % scene.count_of_seats(),)


# --- tiles and groups


@word("tile", told_by="hand", lies=True, settable=True, example="tile in winds")
def tile(scene: Scene) -> Tiles:
    """The tile in question: the one that was drawn, discarded, robbed or won on."""
    return scene.tile


@word("tile", stratum="play", told_by="play", personal=True, secret=True, lies=True, example="tile is drawn")
def drawn(scene: Scene) -> Tiles:
    """The tile that the seat drew last."""
    return scene.drawn


@word("group", of=("seat", "tile"), stratum="play", told_by="play", settable=True, example="quad in group.kind")
def group(scene: Scene, tiles: Tiles | None = None) -> tuple[Any, ...]:
    """The group that is being made or was chosen; of a tile: the group it is in."""
    return scene.group if tiles is None else scene.groups_of(tiles)


@word("tile", told_by="table", personal=True, example="copies(seat_wind) >= 2")
def seat_wind(scene: Scene) -> Tiles:
    """The wind of the seat: the nth of `seats.winds`, counted from the dealer."""
    winds = scene.data.seats.winds[: scene.count_of_seats()]
    return (winds[scene.seat],) if scene.seat_known and scene.seat < len(winds) else ()


@word("tile", told_by="table", example="copies(round_wind) >= 2")
def round_wind(scene: Scene) -> Tiles:
    """The prevailing wind."""
    return scene.round_wind


@word("tiles", told_by="table", personal=True, example="count(t in own for t in bonus)")
def own(scene: Scene) -> Tiles:
    """The tiles that `seats` of a family gives to this seat (its own flower and season)."""
    every = scene.data.tiles.tiles
    return tuple(tile.index for tile in every if tile.seat == scene.seat) if scene.seat_known else ()


@word("tiles", told_by="hand", personal=True, lies=True, example="count(t in suited for t in tiles) == 9")
def tiles(scene: Scene) -> Tiles:
    """Every tile of the hand, its groups and the winning tile included."""
    return scene.tiles


@word("groups", personal=True, example="count(quad in g.kind for g in groups)")
def groups(scene: Scene) -> tuple[Any, ...]:
    """The groups of a won hand's reading, or the melds of a hand in play."""
    return scene.groups


@word("suits", of=("seat", "tiles", "tile", "group"), personal=True, test=Span(example=1), example="suits == 1")
def suits(scene: Scene, of: Any = None) -> tuple[str, ...]:
    """The suits that occur."""
    every = scene.data.tiles.tiles
    tiles = scene.standing if of is None else of if isinstance(of, tuple) else of.tiles
    found = (every[scene.plain(tile)].suit for tile in tiles)
    return tuple(dict.fromkeys(suit for suit in found if suit is not None))


@word("tiles", of=("seat", "tiles"), personal=True, test=Span(example="..6"), example="kinds == 7")
def kinds(scene: Scene, of: Tiles | None = None) -> Tiles:
    """The different tiles that occur; a special copy counts as its plain tile."""
    return tuple(dict.fromkeys(map(scene.plain, scene.standing if of is None else of)))


@word("number", of=("tile",), told_by="arguments", example="sum(t.rank for t in tiles)")
def rank(scene: Scene, tile: Tiles) -> int:
    """The rank of a tile as a number: 5 of a five; 0 of a tile without one, such as a wind."""
    return next((scene.data.tiles.tiles[scene.plain(one)].rank or 0 for one in tile), 0)


@word("number", takes=("tile",), told_by="hand", personal=True, asks_if_named=True, example="copies(E) == 3")
def copies(scene: Scene, tiles: Tiles, named: bool) -> int:
    """How many of this tile are in the hand, its groups included; of a named special tile, only those."""
    count = scene.copies
    return sum([count(tile, named) for tile in tiles])


@word(
    "number",
    takes=("tile",),
    stratum="waits",
    told_by="hand",
    follows_tile=True,
    asks_if_named=True,
    example="seen(tile) == 3",
)
def seen(scene: Scene, tiles: Tiles, named: bool) -> int:
    """How many of this tile everyone can see: without the one in question, and without the hand that a
    win on it shows. Of a scored hand, as far as the case says: exposed melds, and tiles in open zones."""
    count = scene.seen
    return sum([count(tile, named) for tile in tiles])


@word("tile", takes=("tile",), stratum="play", told_by="play", example="stands_for(tile) == E")
def stands_for(scene: Scene, tiles: Tiles) -> Tiles:
    """What a wild tile in an exposed group stands for."""
    return scene.stands_for(tiles)


@word("names", of=("group",), stratum="reading", example="any(quad in g.kind for g in groups)")
def kind(scene: Scene, group: Any) -> tuple[str, ...]:
    """The kinds that a group counts as."""
    if group.group < 0:
        return ()
    declared = scene.data.groups.groups[group.group]
    return tuple(declared.kinds | declared.meld_kinds if group.melded else declared.kinds)


@word("truth", told_by="table", personal=True, test=Flag(), example="concealed and self_draw")
def concealed(scene: Scene) -> bool:
    """The hand has no exposed meld."""
    return scene.concealed


@word("truth", told_by="seats", personal=True, follows_tile=True, test=Flag(), example="concealed and self_draw")
def self_draw(scene: Scene) -> bool:
    """There is no discarder, and the tile in question, if any, is in the seat's own hand."""
    return scene.self_draw


def neighbour(scene: Scene, tile: int, by: int) -> int:
    """The tile's neighbour in its suit or family, round the end; itself where there is no other."""
    every, plain = scene.data.tiles.tiles, scene.plain(tile)
    row = scene.data.tiles.families[every[plain].family]
    at = row.index(plain)
    after = (row[(at + by * step) % len(row)] for step in range(1, len(row)))
    return next((one for one in after if every[one].plain == one and every[one].copies), plain)


# --- waits


@word(
    "tiles",
    stratum="waits",
    told_by="hand",
    personal=True,
    follows_tile=True,
    secret=True,
    test=Span(example="3.."),
    example="waits == 13",
)
def waits(scene: Scene) -> Tiles:
    """The tiles that complete the hand to a form; of a full hand, of what remains without the tile in question."""
    return scene.waits


@word("number", stratum="waits", personal=True, secret=True, example="distance == 0")
def distance(scene: Scene) -> int:
    """How many tiles are missing for a form; 0 for a full hand."""
    return scene.distance


@word("truth", stratum="waits", personal=True, example="not possible")
def possible(scene: Scene) -> bool:
    """Some form is still possible with these melds, the visible tiles and the copies of each tile."""
    return scene.possible


# --- several hands of a seat


@word("number", of=("seat", "group"), stratum="play", told_by="play", personal=True, example="winner.hand_number == 2")
def hand_number(scene: Scene, group: Any = None) -> int:
    """The number of the hand that the seat has declared last, 0 before it has; of a meld, of the hand it belongs to."""
    return scene.hand_number if group is None else int(group.hand)


@word("number", stratum="win", told_by="play", personal=True, example="hands_won == 2")
def hands_won(scene: Scene) -> int:
    """How many hands the seat has declared."""
    return scene.hands_won


@word("number", stratum="play", told_by="play", personal=True, example="open_hands == 0")
def open_hands(scene: Scene) -> int:
    """How many hands of the seat are neither finished nor dead."""
    return scene.open_hands


@word("truth", takes=("seat", "number"), of=(), stratum="play", told_by="play", example="is_open(seat, 1)")
def is_open(scene: Scene, of: Any, hand: Number) -> bool:
    """The hand of this seat with this number, from 1, is neither finished nor dead."""
    return scene.of_seat(of).is_open(int(hand))


@word("truth", takes=("seat", "number"), of=(), stratum="play", told_by="play", example="takes_meld(seat, 2)")
def takes_meld(scene: Scene, of: Any, hand: Number) -> bool:
    """A meld may come to the hand of this seat with this number: it is open, and has melds or is the first that has
    none."""
    return scene.of_seat(of).takes_meld(int(hand))


@word("truth", takes=("seat", "number"), of=(), stratum="play", told_by="play", example="not can_win(seat, 1)")
def can_win(scene: Scene, of: Any, hand: Number) -> bool:
    """The hand of this seat with this number is open, and some form is still possible with its melds, the visible tiles
    and the copies of each tile. A group that is imagined counts as one of its melds."""
    return scene.of_seat(of).can_win(int(hand))


@word(
    "seat",
    takes=("tiles|group",),
    stratum="play",
    told_by="play",
    personal=True,
    name="with",
    example="with(group).distance",
)
def with_(scene: Scene, more: tuple[Any, ...]) -> Seats:
    """The seat as if it also had these tiles, or had made this group."""
    return scene.with_more(more)


@word("seat", takes=("tiles",), stratum="play", told_by="play", personal=True, example="without(tile).waits")
def without(scene: Scene, less: Tiles) -> Seats:
    """The seat as if it did not have these tiles."""
    return scene.with_less(less)


@word("tiles", takes=("group",), stratum="play", told_by="play", example="tile in completing(group)")
def completing(scene: Scene, groups: tuple[Any, ...]) -> Tiles:
    """The tiles that complete the group's kind with the tiles from the hand."""
    return scene.completing(groups)


# --- the reading


@word(
    "name",
    stratum="reading",
    told_by="form",
    personal=True,
    follows_tile=True,
    test=OneOf(of="form", example="seven_pairs"),
    names="form",
    example="form == seven_pairs",
)
def form(scene: Scene) -> str:
    """The form of the reading."""
    return scene.form


@word(
    "name",
    stratum="reading",
    personal=True,
    test=OneOf(example=["edge", "closed"]),
    values=("edge", "closed", "single", "double", "two_sided"),
    example="wait == edge",
)
def wait(scene: Scene) -> str:
    """The position of the winning tile: edge, closed, single (in a pair), double (in a triplet) or two_sided."""
    return scene.wait


@word("name", of=("name",), stratum="reading", example="form.category")
def category(scene: Scene, form: str) -> str:
    """Of a form on a card: its group of lines."""
    line = scene.line(form)
    return "" if line is None else line.category


@word("number", of=("name",), stratum="reading", example="form.value")
def value(scene: Scene, form: str) -> int:
    """Of a form on a card: its printed value."""
    line = scene.line(form)
    return 0 if line is None else line.value


# --- the table


@word("truth", stratum="win", told_by="play", personal=True, follows_tile=True, example="not wins")
def wins(scene: Scene) -> bool:
    """The hand, with the tile in question, makes a form and reaches the minimum."""
    return scene.wins


@word("number", takes=("seat",), of=(), stratum="win", told_by="play", example="potential(payee)")
def potential(scene: Scene, of: int) -> Number:
    """The highest worth of this seat's hand over its waits, counting only tiles with unseen copies."""
    return scene.of_seat(of).potential


@word("number", told_by="seats", personal=True, example="score >= 1000")
def score(scene: Scene) -> Number:
    """The score of the seat, or of the pot."""
    return scene.score


@word("number", stratum="play", told_by="play", personal=True, example="dealer.place == 1")
def place(scene: Scene) -> int:
    """The place of the seat in the match: 1 leads. Of equal scores, the one who sat first at the start is ahead."""
    return scene.place


@word("seat", told_by="seats", example="pot.score")
def pot(scene: Scene) -> Seats:
    """The pot on the table, which pays and is paid like a seat."""
    return (scene.count_of_seats(),)  # numbered like one more seat, after the others


@word("name", stratum="play", told_by="play", names="phase", example="result == exhausted")
def result(scene: Scene) -> str:
    """The phase that led to the end of the hand."""
    return scene.result


@word("number", stratum="play", told_by="play", example="deals >= 2 * everyone")
def deals(scene: Scene) -> int:
    """How often the deal has passed to another seat in this match."""
    return scene.deals


@word("any", stratum="play", told_by="play", example="was + 1")
def was(scene: Scene) -> Any:
    """In a `change` of a mod: the value before."""
    return ()


@word("number", takes=("number", "number"), of=(), told_by="arguments", example="round_up(1240, 100)")
def round_up(scene: Scene | None, number: Number, step: Number) -> Number:
    """The number, rounded up to a multiple of the step."""
    return -(-number // step) * step if step else 0


@word("same", takes=("tiles|seats|groups",), of=(), told_by="arguments", example="first(winners)")
def first(scene: Scene, members: tuple[Any, ...]) -> tuple[Any, ...]:
    """The first member of a set in its order; nothing if the set is empty."""
    return members[:1]


WORDS = {one.name: one for one in tuple(globals().values()) if isinstance(one, Word)}


def is_told_by(name: str, levels: frozenset[ToldBy]) -> bool:
    """Whether only these determine the word, or the smaller or larger of two numbers."""
    return name in EXTREMES or (name in WORDS and WORDS[name].told_by in levels)


def is_personal(name: str) -> bool:
    """Whether each seat has its own answer to the word."""
    return name in WORDS and WORDS[name].personal


def is_settable(name: str) -> bool:
    """Whether a choice may have the word's name, and is then its value."""
    return name in WORDS and WORDS[name].settable
