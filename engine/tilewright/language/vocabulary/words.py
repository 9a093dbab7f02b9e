"""Words of the expression language: each declared once, with its type, what it says and how it is answered.

A word is a function whose first argument is a `Scene` (what can be asked at the table, from one seat's place).
Its docstring is the documentation; `@word` gives type, arguments, stratum and examples. From here come the type
checker's table, the reference page, completion and suggestions. Nothing else lists the words.

Strata, lowest first: `table` (tiles, zones, seats), `waits`, `reading` (patterns may ask), `measure`, `win`, `play`.
What is asked at one stratum may look only at the same or lower ones.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from tilewright.language.compiled.ruleset import RulesetData

Stratum = Literal["table", "waits", "reading", "measure", "win", "play"]
STRATA: tuple[Stratum, ...] = ("table", "waits", "reading", "measure", "win", "play")


@dataclass(frozen=True, slots=True)
class WordDeclaration:
    """`of`: types that it may be asked of after a dot; ("seat",) means also asked without a dot, of the acting seat.
    `takes`: types of its arguments. `example`: an expression that uses it."""

    name: str
    type: str
    of: tuple[str, ...]
    takes: tuple[str, ...]
    stratum: Stratum
    doc: str
    example: str
    ask: Callable[..., Any]


WORDS: dict[str, WordDeclaration] = {}
QUANTIFIERS = ("any", "all", "count", "sum", "those", "min", "max")


class Scene(Protocol):
    """What words ask: one seat of a scored hand, or of a table in play. Seats are numbers from 0, counted from the
    dealer; tiles are indices of plain tiles, faces, or tiles on the table."""

    @property
    def seat(self) -> int: ...
    @property
    def data(self) -> "RulesetData": ...
    @property
    def values(self) -> Mapping[str, Any]:
        """The measures of this seat's hand, as far as they are counted."""
        ...

    @property
    def parts(self) -> Sequence[Any]:
        """The groups that templates look at."""
        ...

    @property
    def either(self) -> Sequence[tuple[int, ...]]:
        """The identities of each tile of the hand."""
        ...

    @property
    def pieces(self) -> Sequence[tuple[int, Sequence[tuple[int, ...]]]]:
        """The groups of the hand, by number, with the identities of each tile; tiles in none apart, as number -1."""
        ...

    def fact(self, name: str) -> Any:
        """Something of the table: turn, winner, discarder, payer, tile, drawn, group, winners, result ..."""

    def about(self, name: str, of: Any) -> Any:
        """Something of a seat: tiles, groups, form, wait, waits, distance, wins, score ..."""

    def count_of_seats(self) -> int: ...
    def playing(self) -> Sequence[int]: ...
    def of_seat(self, seat: Any) -> "Scene": ...
    def zone(self, name: str, seat: int) -> tuple[Any, ...]: ...
    def plain(self, tile: int) -> int:
        """What the tile is: its kind."""
        ...

    def face(self, tile: int) -> int:
        """What the tile looks like: a special copy is a face of its own."""
        ...

    def towards(self, way: str, seat: int) -> tuple[int, ...]:
        """The seat in a direction that only the table knows."""
        ...

    def remembered(self, name: str) -> Any:
        """The value of a mark, a die or a choice; None where nothing tells it."""

    def fixed(self, term: str) -> bool:
        """The term is true because somebody says so."""
        ...

    def knows(self, zone: str) -> bool:
        """What lies in the zone is told."""
        ...


def word(
    type: str,
    *,
    of: tuple[str, ...] = ("seat",),
    takes: tuple[str, ...] = (),
    stratum: Stratum = "table",
    example: str = "",
    name: str = "",
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare the decorated function as a word."""

    def declare(ask: Callable[..., Any]) -> Callable[..., Any]:
        title = name or ask.__name__.rstrip("_")
        WORDS[title] = WordDeclaration(title, type, of, takes, stratum, (ask.__doc__ or "").strip(), example, ask)
        return ask

    return declare


# --- seats


@word("seat", example="seat == dealer")
def seat(scene: Scene, of: int) -> int:
    """The seat that is asked, acts or is scored."""
    return of


@word("seat", stratum="play", example="seat == next(turn)")
def turn(scene: Scene, of: int) -> Any:
    """The seat whose turn it is."""
    return scene.fact("turn")


@word("seat", example="dealer in winners")
def dealer(scene: Scene, of: int) -> int:
    """The dealer of this hand: East, where winds are played."""
    return 0


@word("seat", example="winner == dealer")
def winner(scene: Scene, of: int) -> Any:
    """The seat that won; where a win is scored or settled, the seat it is scored for."""
    return scene.fact("winner")


@word("seat", of=("seat", "group"), example="payer == discarder")
def discarder(scene: Scene, of: Any) -> Any:
    """The seat whose tile was won or claimed, also the robbed one; nobody after a self-draw. Of a group: who fed it."""
    return scene.fact("discarder") if isinstance(of, int) else scene.about("discarder", of)


@word("seats", example="count(s.score > 0 for s in seats)")
def seats(scene: Scene, of: int) -> Sequence[int]:
    """The seats still playing, in turn order from the dealer."""
    return scene.playing()


@word("seats", example="any(s.score < 0 for s in others)")
def others(scene: Scene, of: int) -> Sequence[int]:
    """The seats still playing without the one asked, in turn order after it."""
    count = scene.count_of_seats()
    playing = set(scene.playing())
    return tuple(s % count for s in range(of + 1, of + count) if s % count in playing)


@word("seats", example="everyone.melds == 0")
def everyone(scene: Scene, of: int) -> Sequence[int]:
    """Every seat, the retired ones too."""
    return tuple(range(scene.count_of_seats()))


@word("seats", example="dealer in winners")
def winners(scene: Scene, of: int) -> Any:
    """The seats that won this hand, nearest after the turn first."""
    return scene.fact("winners")


@word("seats", stratum="play", example="takers == 3")
def takers(scene: Scene, of: int) -> Any:
    """The seats whose answers are carried out together, nearest after the turn first: several winners on one tile."""
    return scene.fact("takers")


@word("seats", example="count(s.concealed for s in losers)")
def losers(scene: Scene, of: int) -> Sequence[int]:
    """Everyone who did not win this hand."""
    won = set(scene.fact("winners"))
    return tuple(s for s in range(scene.count_of_seats()) if s not in won)


@word("seat", example="payer == dealer")
def payer(scene: Scene, of: int) -> Any:
    """Who pays, in a payment line."""
    return scene.fact("payer")


@word("seat", example="payee.score > payer.score")
def payee(scene: Scene, of: int) -> Any:
    """Who is paid, in a payment line."""
    return scene.fact("payee")


@word("seats", example="3000 / payers")
def payers(scene: Scene, of: int) -> Any:
    """Everyone who pays in this payment line."""
    return scene.fact("payers")


@word("seats", example="3000 / payees")
def payees(scene: Scene, of: int) -> Any:
    """Everyone who is paid in this payment line."""
    return scene.fact("payees")


@word("same", takes=("seat|tile",), of=(), example="seat == next(turn)")
def next_(scene: Scene, of: Any) -> Any:
    """Of a seat: the next still playing, in turn order. Of a tile: the next of its suit or family, round the end."""
    return scene.about("next", of)


@word("same", takes=("seat|tile",), of=(), example="seat == previous(turn)")
def previous(scene: Scene, of: Any) -> Any:
    """Of a seat: the one before it still playing. Of a tile: the one before in its suit or family, round the end."""
    return scene.about("previous", of)


@word("seat", takes=("seat",), of=(), example="right(dealer).score")
def right(scene: Scene, of: int) -> int:
    """The seat to the right at the table, playing or not; as an argument, that direction."""
    return beside(scene, of, 1)


@word("seat", takes=("seat",), of=(), example="left(dealer).score")
def left(scene: Scene, of: int) -> int:
    """The seat to the left at the table, playing or not; as an argument, that direction."""
    return beside(scene, of, -1)


@word("seat", takes=("seat",), of=(), example="across(dealer).score")
def across(scene: Scene, of: int) -> int:
    """The seat across the table, playing or not; as an argument, that direction."""
    return (of + scene.count_of_seats() // 2) % scene.count_of_seats()


def beside(scene: Scene, of: int, by: int) -> int:
    """The seat so many places to the right; turns go that way, unless the ruleset has them go clockwise."""
    way = by if scene.data.seats.order == "counterclockwise" else -by
    return (of + way) % scene.count_of_seats()


# --- tiles and groups


@word("tile", example="tile in winds")
def tile(scene: Scene, of: int) -> Any:
    """The tile in question: the one that was drawn, discarded, robbed or won on."""
    return scene.fact("tile")


@word("tile", stratum="play", example="tile is drawn")
def drawn(scene: Scene, of: int) -> Any:
    """The tile that the seat drew last."""
    return scene.about("drawn", of)


@word("group", of=("seat", "tile"), stratum="play", example="quad in group.kind")
def group(scene: Scene, of: Any) -> Any:
    """The group that is being made or was chosen; of a tile: the group it lies in."""
    return scene.about("group", of) if isinstance(of, tuple) else scene.fact("group")


@word("tile", example="copies(seat_wind) >= 2")
def seat_wind(scene: Scene, of: int) -> Any:
    """The wind of the seat: the nth of `seats.winds`, counted from the dealer."""
    return scene.about("seat_wind", of)


@word("tile", example="copies(round_wind) >= 2")
def round_wind(scene: Scene, of: int) -> Any:
    """The prevailing wind."""
    return scene.fact("round_wind")


@word("tiles", example="count(t in own for t in bonus)")
def own(scene: Scene, of: int) -> Any:
    """The tiles that `seats` of a family gives to this seat (its own flower and season)."""
    return scene.about("own", of)


@word("tiles", example="count(t in suited for t in tiles) == 9")
def tiles(scene: Scene, of: int) -> Any:
    """Every tile of the hand, its groups and the winning tile included."""
    return scene.about("tiles", of)


@word("groups", example="count(quad in g.kind for g in groups)")
def groups(scene: Scene, of: int) -> Any:
    """Of a won hand the groups of its reading, of a hand in play its melds."""
    return scene.about("groups", of)


@word("suits", of=("seat", "tiles", "tile", "group"), example="suits == 1")
def suits(scene: Scene, of: Any) -> Any:
    """The suits that occur."""
    return scene.about("suits", of)


@word("tiles", of=("seat", "tiles"), example="kinds == 7")
def kinds(scene: Scene, of: Any) -> Any:
    """The different tiles that occur; a special copy is the tile that it is a copy of."""
    return scene.about("kinds", of)


@word("number", takes=("tile",), example="copies(E) == 3")
def copies(scene: Scene, of: int, tile: int, named: bool = False) -> Any:
    """How many of this tile are in the hand, its groups included; of a special tile that is named, those alone."""
    return scene.about("copies", of)(tile, named)


@word("number", takes=("tile",), stratum="waits", example="seen(tile) == 3")
def seen(scene: Scene, of: int, tile: int, named: bool = False) -> Any:
    """How many of this tile lie on the table for all to see: without the one in question, and without the hand that a
    win on it opens. Of a scored hand, as far as the case tells: exposed melds, and what lies in open zones."""
    return scene.about("seen", of)(tile, named)


@word("tile", takes=("tile",), stratum="play", example="stands_for(tile) == E")
def stands_for(scene: Scene, of: int, tile: int) -> Any:
    """What a wild tile in an exposed group stands for."""
    return scene.about("stands_for", of)(tile)


@word("names", of=("group",), stratum="reading", example="any(quad in g.kind for g in groups)")
def kind(scene: Scene, of: Any) -> Any:
    """The kinds that a group is."""
    return scene.about("kind", of)


@word("truth", example="concealed and self_draw")
def concealed(scene: Scene, of: int) -> Any:
    """The hand has no exposed meld."""
    return scene.about("concealed", of)


@word("truth", example="concealed and self_draw")
def self_draw(scene: Scene, of: int) -> Any:
    """There is no discarder, and the tile in question, if any, lies in the own hand."""
    return scene.about("self_draw", of)


# --- waits


@word("tiles", stratum="waits", example="waits == 13")
def waits(scene: Scene, of: int) -> Any:
    """The tiles that complete the hand to a form; of a full hand, of what remains without the tile in question."""
    return scene.about("waits", of)


@word("number", stratum="waits", example="distance == 0")
def distance(scene: Scene, of: int) -> Any:
    """How many tiles are still wanting for a form; 0 for a full hand."""
    return scene.about("distance", of)


@word("truth", stratum="waits", example="not possible")
def possible(scene: Scene, of: int) -> Any:
    """Some form can still be made, as far as the melds, the tiles in sight and the copies of each tile tell."""
    return scene.about("possible", of)


@word("seat", takes=("tiles|group",), stratum="play", name="with", example="with(group).distance")
def with_(scene: Scene, of: int, more: Any) -> Any:
    """The seat as if it had also these tiles, or had made this group."""
    return scene.about("with", of)(more)


@word("seat", takes=("tiles",), stratum="play", example="without(tile).waits")
def without(scene: Scene, of: int, less: Any) -> Any:
    """The seat as if it had put these tiles away."""
    return scene.about("without", of)(less)


@word("tiles", takes=("group",), stratum="play", example="tile in completing(group)")
def completing(scene: Scene, of: int, group: Any) -> Any:
    """The tiles that make the group's kind with what the hand gave to it."""
    return scene.about("completing", of)(group)


# --- the reading


@word("name", stratum="reading", example="form == seven_pairs")
def form(scene: Scene, of: int) -> Any:
    """The form of the reading."""
    return scene.about("form", of)


@word("name", stratum="reading", example="wait == edge")
def wait(scene: Scene, of: int) -> Any:
    """Where the winning tile stands: edge, closed, single (in a pair), double (in a triplet) or two_sided."""
    return scene.about("wait", of)


@word("name", of=("name",), stratum="reading", example="form.category")
def category(scene: Scene, of: Any) -> Any:
    """Of a form on a card: the group of lines it stands in."""
    return scene.about("category", of)


@word("number", of=("name",), stratum="reading", example="form.value")
def value(scene: Scene, of: Any) -> Any:
    """Of a form on a card: its printed value."""
    return scene.about("value", of)


# --- the table


@word("truth", stratum="win", example="not wins")
def wins(scene: Scene, of: int) -> Any:
    """The hand, with the tile in question if it does not hold it, is a form and reaches the minimum."""
    return scene.about("wins", of)


@word("number", takes=("seat",), of=(), stratum="win", example="potential(payee)")
def potential(scene: Scene, of: int) -> Any:
    """The most the hand of this seat is worth over its waits, counting only tiles that it has not seen all of."""
    return scene.about("potential", of)


@word("number", example="score >= 1000")
def score(scene: Scene, of: int) -> Any:
    """What the seat, or the pot, has."""
    return scene.about("score", of)


@word("number", stratum="play", example="dealer.place == 1")
def place(scene: Scene, of: int) -> Any:
    """The place of the seat in the match: 1 leads. Of equal scores, who sat first at the start is ahead."""
    return scene.about("place", of)


@word("seat", example="pot.score")
def pot(scene: Scene, of: int) -> Any:
    """The pot on the table, which pays and is paid like a seat."""
    return scene.fact("pot")


@word("name", stratum="play", example="result == exhausted")
def result(scene: Scene, of: int) -> Any:
    """The phase that led to the end of the hand."""
    return scene.fact("result")


@word("number", stratum="play", example="deals >= 2 * everyone")
def deals(scene: Scene, of: int) -> Any:
    """How often the deal has passed to another seat in this match."""
    return scene.fact("deals")


@word("any", stratum="play", example="was + 1")
def was(scene: Scene, of: int) -> Any:
    """In a `change` of a mod: what stood here before."""
    return scene.fact("was")


@word("number", takes=("number", "number"), of=(), example="round_up(1240, 100)")
def round_up(scene: Scene, number: Any, step: Any) -> Any:
    """The number, rounded up to a multiple of the step."""
    return -(-number // step) * step if step else 0


@word("same", takes=("tiles|seats|groups",), of=(), example="first(winners)")
def first(scene: Scene, members: Any) -> Any:
    """The first member of a set in its order; of nothing, nothing."""
    return members[0] if members else None
