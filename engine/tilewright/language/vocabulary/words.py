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
    Say,
    Scene,
    Seats,
    Span,
    Tiles,
    ToldBy,
    Word,
    word,
)

# --- seats


@word("seat", told_by="seats", personal=True, says=Say(("the player", "該家")), example="seat == dealer")
def seat(scene: Scene) -> Seats:
    """The seat that is evaluated, acts or is scored."""
    return (scene.seat,)


@word(
    "seat",
    stratum="play",
    told_by="play",
    says=Say(("the player whose turn it is", "輪到者")),
    example="seat == next(turn)",
)
def turn(scene: Scene) -> Seats:
    """The seat whose turn it is."""
    return scene.turn


@word("seat", told_by="seats", says=Say(("the dealer", "莊家")), example="dealer in winners")
def dealer(scene: Scene) -> Seats:
    """The dealer of this hand: East, if the game has winds."""
    return (0,)


@word("seat", told_by="seats", says=Say(("the winner", "和者")), example="winner == dealer")
def winner(scene: Scene) -> Seats:
    """The seat that won; where a win is scored or settled, the seat it is scored for."""
    return scene.winner


@word(
    "seat",
    of=("seat", "group"),
    told_by="seats",
    says=Say(("the discarder", "放銃者")),
    example="payer == discarder",
)
def discarder(scene: Scene, group: Any = None) -> Seats:
    """The seat whose tile was won, claimed or robbed; nobody after a self-draw. Of a group: whose tile was claimed."""
    if group is None:
        return scene.discarder
    return () if group.discarder is None else (group.discarder,)


@word(
    "seats",
    told_by="seats",
    says=Say(("those still playing", "在局各家"), number=("the number of players still in", "在局人數")),
    example="count(s.score > 0 for s in seats)",
)
def seats(scene: Scene) -> Seats:
    """The seats still playing, in turn order from the dealer."""
    return scene.playing()


@word(
    "seats",
    told_by="seats",
    personal=True,
    says=Say(("the others", "其他家")),
    example="any(s.score < 0 for s in others)",
)
def others(scene: Scene) -> Seats:
    """The seats still playing except this one, in turn order after it."""
    return scene.others


@word(
    "seats",
    told_by="seats",
    says=Say(("everyone", "各家"), number=("the number of players", "人數")),
    example="everyone.melds == 0",
)
def everyone(scene: Scene) -> Seats:
    """Every seat, including retired ones."""
    return tuple(range(scene.count_of_seats()))


@word(
    "seats",
    told_by="seats",
    says=Say(("the winners", "和牌者"), none=("nobody has won", "無人和牌"), some=("somebody has won", "有人和牌")),
    example="dealer in winners",
)
def winners(scene: Scene) -> Seats:
    """The seats that won this hand, nearest after the turn first."""
    return scene.winners


@word("seats", stratum="play", told_by="play", says=Say(("those who take it", "同時宣告者")), example="takers == 3")
def takers(scene: Scene) -> Seats:
    """The seats that take an offer together, nearest after the turn first: several winners on one tile."""
    return scene.takers


@word("seats", told_by="seats", says=Say(("the losers", "未和者")), example="count(s.concealed for s in losers)")
def losers(scene: Scene) -> Seats:
    """Everyone who did not win this hand."""
    won = set(scene.winners)
    return tuple(s for s in range(scene.count_of_seats()) if s not in won)


@word("seat", told_by="payment", says=Say(("the payer", "付者")), example="payer == dealer")
def payer(scene: Scene) -> Seats:
    """Who pays, in a payment line."""
    return scene.sides.payer


@word("seat", told_by="payment", says=Say(("the payee", "收者")), example="payee.score > payer.score")
def payee(scene: Scene) -> Seats:
    """Who is paid, in a payment line."""
    return scene.sides.payee


@word("seats", told_by="payment", says=Say(("the payers", "付者")), example="3000 / payers")
def payers(scene: Scene) -> Seats:
    """Everyone who pays in this payment line."""
    return scene.sides.payers


@word("seats", told_by="payment", says=Say(("the payees", "收者")), example="3000 / payees")
def payees(scene: Scene) -> Seats:
    """Everyone who is paid in this payment line."""
    return scene.sides.payees


@word(
    "same",
    takes=("seat|tile",),
    of=(),
    told_by="seats",
    says=Say(("the player after {0}", "{0}的下家"), tiles=("the tile after {0}", "{0}的下一張")),
    example="seat == next(turn)",
)
def next_(scene: Scene, of: int | Tiles) -> Seats | Tiles:
    """Of a seat: the next still playing, in turn order. Of a tile: the next of its suit or family, cyclically."""
    return (scene.next_playing(of),) if isinstance(of, int) else tuple(neighbour(scene, tile, 1) for tile in of)


@word(
    "same",
    takes=("seat|tile",),
    of=(),
    told_by="seats",
    says=Say(("the player before {0}", "{0}的上家"), tiles=("the tile before {0}", "{0}的上一張")),
    example="seat == previous(turn)",
)
def previous(scene: Scene, of: int | Tiles) -> Seats | Tiles:
    """Of a seat: the previous one still playing. Of a tile: the previous one of its suit or family, cyclically."""
    return (scene.previous_playing(of),) if isinstance(of, int) else tuple(neighbour(scene, tile, -1) for tile in of)


@word(
    "seat",
    takes=("seat",),
    of=(),
    told_by="seats",
    says=Say(("the player to the right of {0}", "{0}的右家"), side=("the right", "下家")),
    example="right(dealer).score",
)
def right(scene: Scene, of: int) -> Seats:
    """The seat to the right at the table, playing or not; as an argument, that direction."""
    return beside(scene, of, 1)


@word(
    "seat",
    takes=("seat",),
    of=(),
    told_by="seats",
    says=Say(("the player to the left of {0}", "{0}的左家"), side=("the left", "上家")),
    example="left(dealer).score",
)
def left(scene: Scene, of: int) -> Seats:
    """The seat to the left at the table, playing or not; as an argument, that direction."""
    return beside(scene, of, -1)


@word(
    "seat",
    takes=("seat",),
    of=(),
    told_by="seats",
    says=Say(("the player across from {0}", "{0}的對家"), side=("the other side", "對家")),
    example="across(dealer).score",
)
def across(scene: Scene, of: int) -> Seats:
    """The seat across the table, playing or not; as an argument, that direction."""
    return ((of + scene.count_of_seats() // 2) % scene.count_of_seats(),)


def beside(scene: Scene, of: int, by: int) -> Seats:
    """The seat this many places to the right; turns go that way, unless the ruleset has them go clockwise."""
    way = by if scene.data.seats.order == "counterclockwise" else -by
    return ((of + way) % scene.count_of_seats(),)


# --- tiles and groups


@word(
    "tile",
    told_by="hand",
    lies=True,
    settable=True,
    says=Say(("the tile in question", "該牌")),
    example="tile in winds",
)
def tile(scene: Scene) -> Tiles:
    """The tile in question: the one that was drawn, discarded, robbed or won on."""
    return scene.tile


@word(
    "tile",
    stratum="play",
    told_by="play",
    personal=True,
    secret=True,
    lies=True,
    says=Say(("the tile just drawn", "剛摸的牌")),
    example="tile is drawn",
)
def drawn(scene: Scene) -> Tiles:
    """The tile that the seat drew last."""
    return scene.drawn


@word(
    "group",
    of=("seat", "tile"),
    stratum="play",
    told_by="play",
    settable=True,
    says=Say(("the group", "該組")),
    example="quad in group.kind",
)
def group(scene: Scene, tiles: Tiles | None = None) -> tuple[Any, ...]:
    """The group that is being made or was chosen; of a tile: the group it is in."""
    return scene.group if tiles is None else scene.groups_of(tiles)


@word(
    "tile",
    told_by="table",
    personal=True,
    says=Say(("the seat wind", "門風")),
    example="copies(seat_wind) >= 2",
)
def seat_wind(scene: Scene) -> Tiles:
    """The wind of the seat: the nth of `seats.winds`, counted from the dealer."""
    winds = scene.data.seats.winds[: scene.count_of_seats()]
    return (winds[scene.seat],) if scene.seat_known and scene.seat < len(winds) else ()


@word("tile", told_by="table", says=Say(("the round wind", "圈風")), example="copies(round_wind) >= 2")
def round_wind(scene: Scene) -> Tiles:
    """The prevailing wind."""
    return scene.round_wind


@word(
    "tiles",
    told_by="table",
    personal=True,
    says=Say(("the seat's own flowers and seasons", "自己的花")),
    example="count(t in own for t in bonus)",
)
def own(scene: Scene) -> Tiles:
    """The tiles that `seats` of a family gives to this seat (its own flower and season)."""
    every = scene.data.tiles.tiles
    return tuple(tile.index for tile in every if tile.seat == scene.seat) if scene.seat_known else ()


@word(
    "tiles",
    told_by="hand",
    personal=True,
    lies=True,
    says=Say(("the tiles of the hand", "手中的牌")),
    example="count(t in suited for t in tiles) == 9",
)
def tiles(scene: Scene) -> Tiles:
    """Every tile of the hand, its groups and the winning tile included."""
    return scene.tiles


@word("groups", personal=True, says=Say(("the groups", "各組")), example="count(quad in g.kind for g in groups)")
def groups(scene: Scene) -> tuple[Any, ...]:
    """The groups of a won hand's reading, or the melds of a hand in play."""
    return scene.groups


@word(
    "suits",
    of=("seat", "tiles", "tile", "group"),
    personal=True,
    test=Span(example=1),
    says=Say(
        ("the suits", "花色"),
        number=("the number of suits", "花色數"),
        one=("all tiles of suits are of one suit", "數牌只有一種花色"),
        exactly=("the tiles are of {0} suits", "有 {0} 種花色"),
    ),
    example="suits == 1",
)
def suits(scene: Scene, of: Any = None) -> tuple[str, ...]:
    """The suits that occur."""
    every = scene.data.tiles.tiles
    tiles = scene.standing if of is None else of if isinstance(of, tuple) else of.tiles
    found = (every[scene.plain(tile)].suit for tile in tiles)
    return tuple(dict.fromkeys(suit for suit in found if suit is not None))


@word(
    "tiles",
    of=("seat", "tiles"),
    personal=True,
    test=Span(example="..6"),
    says=Say(
        ("the different tiles", "不同的牌"),
        number=("the number of different tiles", "不同牌的張數"),
        exactly=("there are {0} different tiles", "有 {0} 種不同的牌"),
    ),
    example="kinds == 7",
)
def kinds(scene: Scene, of: Tiles | None = None) -> Tiles:
    """The different tiles that occur; a special copy counts as its plain tile."""
    return tuple(dict.fromkeys(map(scene.plain, scene.standing if of is None else of)))


@word(
    "number",
    takes=("tile",),
    told_by="hand",
    personal=True,
    asks_if_named=True,
    says=Say(
        number=("the copies of {0} in the hand", "手中{0}的張數"),
        none=("there is no {0} in the hand", "手中沒有{0}"),
        some=("there is {0} in the hand", "手中有{0}"),
        exactly=("there are {1} {0} in the hand", "手中有 {1} 張{0}"),
    ),
    example="copies(E) == 3",
)
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
    says=Say(number=("the copies of {0} in sight", "已見的{0}張數")),
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


@word(
    "truth",
    told_by="table",
    personal=True,
    test=Flag(),
    says=Say(affirmed=("the hand is concealed", "門前清"), denied=("some group is exposed", "有副露")),
    example="concealed and self_draw",
)
def concealed(scene: Scene) -> bool:
    """The hand has no exposed meld."""
    return scene.concealed


@word(
    "truth",
    told_by="seats",
    personal=True,
    follows_tile=True,
    test=Flag(),
    says=Say(
        affirmed=("the winning tile is self-drawn", "自摸"),
        denied=("the winning tile comes from another player", "和他家的牌"),
    ),
    example="concealed and self_draw",
)
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
    says=Say(
        ("the tiles waited for", "所聽的牌"),
        of=("the tiles that {0} waits for", "{0}所聽的牌"),
        number=("the number of tiles waited for", "所聽的張數"),
        none=("the hand waits for nothing", "不聽任何牌"),
        some=("the hand waits for some tile", "有所聽的牌"),
        exactly=("the hand waits for {0} different tiles", "聽 {0} 種牌"),
    ),
    example="waits == 13",
)
def waits(scene: Scene) -> Tiles:
    """The tiles that complete the hand to a form; of a full hand, of what remains without the tile in question."""
    return scene.waits


@word(
    "number",
    stratum="waits",
    personal=True,
    secret=True,
    says=Say(number=("the number of tiles missing", "尚欠張數")),
    example="distance == 0",
)
def distance(scene: Scene) -> int:
    """How many tiles are missing for a form; 0 for a full hand."""
    return scene.distance


@word(
    "truth",
    stratum="waits",
    personal=True,
    says=Say(affirmed=("the hand can still win", "仍可能和牌")),
    example="not possible",
)
def possible(scene: Scene) -> bool:
    """Some form is still possible with these melds, the visible tiles and the copies of each tile."""
    return scene.possible


@word(
    "seat",
    takes=("tiles|group",),
    stratum="play",
    told_by="play",
    personal=True,
    says=Say(("the hand with {0}", "加上{0}的手牌")),
    name="with",
    example="with(group).distance",
)
def with_(scene: Scene, more: tuple[Any, ...]) -> Seats:
    """The seat as if it also had these tiles, or had made this group."""
    return scene.with_more(more)


@word(
    "seat",
    takes=("tiles",),
    stratum="play",
    told_by="play",
    personal=True,
    says=Say(("the hand without {0}", "除去{0}的手牌")),
    example="without(tile).waits",
)
def without(scene: Scene, less: Tiles) -> Seats:
    """The seat as if it did not have these tiles."""
    return scene.with_less(less)


@word(
    "tiles",
    takes=("group",),
    stratum="play",
    told_by="play",
    says=Say(
        (
            "the tiles that complete the kind of {0} with its tiles from the hand",
            "能與{0}中出自手牌的牌組成同類的牌",
        )
    ),
    example="tile in completing(group)",
)
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
    says=Say(names="form", equal=("the form is {0}", "牌型為{0}"), different=("the form is not {0}", "牌型不是{0}")),
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
    values={
        "edge": ("edge", "邊張"),
        "closed": ("closed", "嵌張"),
        "single": ("single", "單騎"),
        "double": ("double", "雙碰"),
        "two_sided": ("two-sided", "兩面"),
    },
    says=Say(equal=("the wait is: {0}", "聽法為{0}")),
    example="wait == edge",
)
def wait(scene: Scene) -> str:
    """The position of the winning tile: edge, closed, single (in a pair), double (in a triplet) or two_sided."""
    return scene.wait


@word(
    "name",
    of=("name",),
    stratum="reading",
    says=Say(("the group of lines on the card", "牌卡上的組別")),
    example="form.category",
)
def category(scene: Scene, form: str) -> str:
    """Of a form on a card: its group of lines."""
    line = scene.line(form)
    return "" if line is None else line.category


@word(
    "number",
    of=("name",),
    stratum="reading",
    says=Say(number=("the printed value of the line", "牌卡上所印的分值")),
    example="form.value",
)
def value(scene: Scene, form: str) -> int:
    """Of a form on a card: its printed value."""
    line = scene.line(form)
    return 0 if line is None else line.value


# --- the table


@word(
    "truth",
    stratum="win",
    told_by="play",
    personal=True,
    follows_tile=True,
    says=Say(affirmed=("the hand can win", "可和牌")),
    example="not wins",
)
def wins(scene: Scene) -> bool:
    """The hand, with the tile in question, makes a form and reaches the minimum."""
    return scene.wins


@word(
    "number",
    takes=("seat",),
    of=(),
    stratum="win",
    told_by="play",
    says=Say(number=("the most the hand can be worth", "可能的最高分")),
    example="potential(payee)",
)
def potential(scene: Scene, of: int) -> Number:
    """The highest worth of this seat's hand over its waits, counting only tiles with unseen copies."""
    return scene.of_seat(of).potential


@word(
    "number",
    told_by="seats",
    personal=True,
    says=Say(number=("the score", "分數")),
    example="score >= 1000",
)
def score(scene: Scene) -> Number:
    """The score of the seat, or of the pot."""
    return scene.score


@word(
    "number",
    stratum="play",
    told_by="play",
    personal=True,
    says=Say(number=("the place in the match", "名次")),
    example="dealer.place == 1",
)
def place(scene: Scene) -> int:
    """The place of the seat in the match: 1 leads. Of equal scores, the one who sat first at the start is ahead."""
    return scene.place


@word("seat", told_by="seats", says=Say(("the pot", "公池")), example="pot.score")
def pot(scene: Scene) -> Seats:
    """The pot on the table, which pays and is paid like a seat."""
    return (scene.count_of_seats(),)  # numbered like one more seat, after the others


@word(
    "name",
    stratum="play",
    told_by="play",
    says=Say(names="phase", equal=("the hand ended with: {0}", "本局以「{0}」結束")),
    example="result == exhausted",
)
def result(scene: Scene) -> str:
    """The phase that led to the end of the hand."""
    return scene.result


@word(
    "number",
    stratum="play",
    told_by="play",
    says=Say(number=("the number of times that the deal has passed", "過莊次數")),
    example="deals >= 2 * everyone",
)
def deals(scene: Scene) -> int:
    """How often the deal has passed to another seat in this match."""
    return scene.deals


@word("any", stratum="play", told_by="play", example="was + 1")
def was(scene: Scene) -> Any:
    """In a `change` of a mod: the value before."""
    return ()


@word(
    "number",
    takes=("number", "number"),
    of=(),
    told_by="arguments",
    says=Say(number=("{0}, rounded up to a multiple of {1}", "{0}（進位至 {1} 的倍數）")),
    example="round_up(1240, 100)",
)
def round_up(scene: Scene | None, number: Number, step: Number) -> Number:
    """The number, rounded up to a multiple of the step."""
    return -(-number // step) * step if step else 0


@word(
    "same",
    takes=("tiles|seats|groups",),
    of=(),
    told_by="arguments",
    says=Say(("the first of {0}", "{0}中最先者")),
    example="first(winners)",
)
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
