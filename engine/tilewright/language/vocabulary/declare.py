"""Declarations of words: the words of the expression language, and what they may query.

Everything about a word is in its declaration (`tilewright.language.vocabulary.words`). The type checker, the
evaluators, fast scoring, lint, the schema, completion, the reference and the rulebook follow from it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal, Protocol

from tilewright.language.compiled.ir import Lookup
from tilewright.language.compiled.ruleset import CardLine, CompiledRuleset

Number = int | Fraction
Seats = tuple[Any, ...]  # numbers of seats, or imagined seats
Tiles = tuple[int, ...]
Counting = Callable[[int, bool], int]  # of a tile; whether the ruleset names it

Stratum = Literal["table", "waits", "reading", "measure", "win", "play"]
STRATA: tuple[Stratum, ...] = ("table", "waits", "reading", "measure", "win", "play")
ToldBy = Literal["arguments", "seats", "table", "hand", "form", "reading", "payment", "play"]
QUANTIFIERS = ("any", "all", "count", "sum", "those", "min", "max")
EXTREMES = frozenset({"min", "max"})  # quantifiers that also take two numbers


@dataclass(frozen=True, slots=True)
class Sides:
    """Who pays whom in a payment line, each as a set of seats."""

    payer: Seats = ()
    payee: Seats = ()
    payers: Seats = ()
    payees: Seats = ()


NOBODY = Sides()


class Scene(Protocol):
    """The interface that words query: one seat of a scored hand, or of a table in play. Seats are numbers from 0,
    counted from the dealer; tiles are indices of plain tiles, faces, or tiles on the table. A single seat, tile or
    group is a tuple of one, and nothing the empty tuple."""

    @property
    def data(self) -> CompiledRuleset: ...
    @property
    def values(self) -> Mapping[str, Any]:
        """The measures of this seat's hand counted so far."""
        ...

    # the seats

    @property
    def seat(self) -> int: ...
    def count_of_seats(self) -> int: ...
    def of_seat(self, seat: Any) -> "Scene": ...
    def playing(self) -> Seats:
        """The seats still playing, in turn order from the dealer."""
        ...

    @property
    def others(self) -> Seats:
        """The seats still playing without this one, in turn order after it."""
        ...

    def next_playing(self, seat: int) -> int: ...
    def previous_playing(self, seat: int) -> int: ...
    def towards(self, way: str, seat: int) -> Seats:
        """The seat in a direction known only at the table."""
        ...

    @property
    def seat_known(self) -> bool: ...
    @property
    def turn(self) -> Seats: ...
    @property
    def winner(self) -> Seats: ...
    @property
    def winners(self) -> Seats: ...
    @property
    def takers(self) -> Seats: ...
    @property
    def discarder(self) -> Seats: ...
    @property
    def sides(self) -> Sides: ...

    # tiles and groups

    def plain(self, tile: int) -> int:
        """The plain tile: its kind."""
        ...

    def face(self, tile: int) -> int:
        """The face of the tile: a special copy has its own."""
        ...

    @property
    def tile(self) -> Tiles: ...
    @property
    def drawn(self) -> Tiles: ...
    @property
    def group(self) -> tuple[Any, ...]: ...
    def groups_of(self, tiles: Tiles) -> tuple[Any, ...]:
        """The groups on the table that contain the tiles."""
        ...

    @property
    def round_wind(self) -> Tiles: ...
    @property
    def tiles(self) -> Tiles: ...
    @property
    def standing(self) -> Sequence[int]:
        """The tiles of the hand as plain tiles, a wild one as the tile it stands for."""
        ...

    @property
    def groups(self) -> tuple[Any, ...]: ...
    @property
    def copies(self) -> Counting: ...
    @property
    def seen(self) -> Counting: ...
    def stands_for(self, tiles: Tiles) -> Tiles: ...
    @property
    def parts(self) -> Sequence[Any]:
        """The groups that templates match."""
        ...

    @property
    def either(self) -> Sequence[tuple[int, ...]]:
        """The identities of each tile of the hand."""
        ...

    @property
    def pieces(self) -> Sequence[tuple[int, Sequence[tuple[int, ...]]]]:
        """The groups of the hand, by number, with the identities of each tile; tiles in none apart, as number -1."""
        ...

    def zone(self, name: str, seat: int) -> tuple[Any, ...]: ...

    # the hand

    @property
    def concealed(self) -> bool: ...
    @property
    def self_draw(self) -> bool: ...
    @property
    def waits(self) -> Tiles: ...
    @property
    def distance(self) -> int: ...
    @property
    def possible(self) -> bool: ...
    @property
    def wins(self) -> bool: ...
    @property
    def potential(self) -> Number: ...
    def with_more(self, more: tuple[Any, ...]) -> Seats:
        """The seat with these additional tiles or groups."""
        ...

    def with_less(self, less: Tiles) -> Seats:
        """The seat without these tiles."""
        ...

    def completing(self, groups: tuple[Any, ...]) -> Tiles: ...
    @property
    def form(self) -> str: ...
    @property
    def wait(self) -> str: ...
    def line(self, form: str) -> CardLine | None:
        """The line of a card for the hand, if this form reads it as one."""
        ...

    # several hands of a seat

    @property
    def hand_number(self) -> int: ...
    @property
    def hands_won(self) -> int: ...
    @property
    def open_hands(self) -> int: ...
    def is_open(self, hand: int) -> bool: ...
    def takes_meld(self, hand: int) -> bool: ...
    def can_win(self, hand: int) -> bool: ...

    # the match

    @property
    def score(self) -> Number: ...
    @property
    def place(self) -> int: ...
    @property
    def result(self) -> str: ...
    @property
    def deals(self) -> int: ...

    # what a ruleset declares

    def remembered(self, name: str) -> Any:
        """The value of a mark, a die or a choice; None if it is unknown."""

    def fixed(self, term: str) -> bool:
        """Whether the case flags the term as true."""
        ...

    @property
    def unflagged(self) -> bool | None:
        """What a term is that the case does not flag, where zones decide it that are not known."""
        ...

    def knows(self, zone: str) -> bool:
        """Whether the contents of the zone are known."""
        ...


# --- tests of conditions


@dataclass(frozen=True, slots=True)
class OneOf:
    """A test that the word is one of some names. `of`: their declarations, as `x-ref` in the schema; empty: the word's
    own."""

    example: object
    of: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """A test that the word's number is in a span."""

    example: object


@dataclass(frozen=True, slots=True)
class Flag:
    """A test that the word is true, or false."""

    example: object = True


WordTest = OneOf | Span | Flag


# --- words


def unanswered(scene: Scene) -> Any:
    """Stands for the answer of a word until the function below its declaration is known."""
    raise NotImplementedError  # only a declaration of ours that lacks its function comes here


@dataclass(frozen=True, slots=True)
class Word:
    """A word. As a decorator it takes its name, its answer and its documentation from a function.

    `of`: types that it may be asked of after a dot; ("seat",) means also asked without a dot, of the acting seat.
    `takes`: types of its arguments. `example`: an expression that uses it. `ask`: its value, asked of a scene, then of
    the thing before the dot if that is no seat, or of its arguments; a seat as an argument is its number.

    `told_by`: what determines it. `personal`: each seat has its own. `follows_tile`: the tile in question decides it.
    `secret`: only its seat may know it. `lies`: its tiles are physical ones on the table, not kinds of tiles.
    `asks_if_named`: its answer also gets whether the ruleset names the tiles of its argument. `settable`: a choice may
    have this name, and then replaces its value. `test`: how a condition tests it under its name. `values`: its possible
    names; `names`: what they are names of. The phrases of the rulebook for it are in the catalogue (`words.NAME.`)."""

    type: str
    of: tuple[str, ...] = ("seat",)
    takes: tuple[str, ...] = ()
    stratum: Stratum = "table"
    told_by: ToldBy = "reading"
    personal: bool = False
    follows_tile: bool = False
    secret: bool = False
    lies: bool = False
    asks_if_named: bool = False
    settable: bool = False
    test: WordTest | None = None
    values: tuple[str, ...] = ()
    names: Literal["value", "form", "phase"] = "value"
    example: str = ""
    name: str = ""
    ask: Callable[..., Any] = field(default=unanswered, compare=False)

    def __call__(self, ask: Callable[..., Any]) -> "Word":
        return replace(self, name=self.name or ask.__name__.rstrip("_"), ask=ask)

    @property
    def doc(self) -> str:
        return " ".join((self.ask.__doc__ or "").split())

    @property
    def node(self) -> Lookup:
        """The word as an expression."""
        return Lookup(self.type, "word", self.name)

    def is_asked(self, ir: object) -> bool:
        """Whether the expression is this word without an object."""
        return isinstance(ir, Lookup) and ir.name == self.name and ir.kind == "word" and ir.of is None

    def takes_seat(self, type: str) -> bool:
        """Whether an argument of this type is one seat."""
        return type == "seat" and bool(self.takes) and type in self.takes[0].split("|")

    @property
    def leaves_name(self) -> bool:
        """Whether a ruleset may use its name for something of its own: it only ever follows a tile and a dot."""
        return self.of == ("tile",) and not self.takes

    @property
    def names_tiles(self) -> bool:
        """Whether it stands for tiles and takes no arguments."""
        return self.type in ("tile", "tiles") and not self.takes


word = Word  # as a decorator
