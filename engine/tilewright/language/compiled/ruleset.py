"""A compiled ruleset: everything that scoring needs, as frozen data without documents.

Evaluates nothing.
"""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from tilewright.base.problem import Place
from tilewright.hands.reading import Groups, Shape
from tilewright.language.compiled.ir import Const, Ir, Matches, WantedCase
from tilewright.language.compiled.play import Play
from tilewright.language.documents.former import FormerNames
from tilewright.tiles.tileset import Spelling, TileSet

Text = Mapping[str, str]  # language -> text; a plain string is under "en"
Amounts = tuple[tuple[int | Fraction, Text], ...]  # from the lowest up, with their names
OptionValue = bool | int | Fraction | str


@dataclass(frozen=True, slots=True)
class CardLine:
    """A line of a card for a form. `category`: its group, as an id; `group` as printed."""

    text: str
    group: str
    category: str
    value: int
    exposed: bool


@dataclass(frozen=True, slots=True)
class CardData:
    """A card in play. The shape of its form lists the hands; their entries are indices in `lines`. `spelling`: tiles in
    the letters of the card; None where a letter is also the code of a tile that has none."""

    id: str
    name: Text
    lines: tuple[CardLine, ...]
    spelling: Spelling | None = None


@dataclass(frozen=True, slots=True)
class Form:
    """A winning shape: groups that use up the hand or single tiles of them, or a regular expression, or a card, or a
    condition alone. `shape` has no cases if the groups do not matter."""

    id: str
    name: Text
    shape: Shape
    matches: Matches | None = None
    card: CardData | None = None
    when: Ir | None = None


@dataclass(frozen=True, slots=True)
class SeatRules:
    """`order`: the direction of turns, seen from above; `reversed`: when they go the other way; `hands`: how many each
    seat makes of its tiles."""

    count: int
    winds: tuple[int, ...]  # tile of the nth seat from the dealer; other seats have none
    names: tuple[str, ...] = ()
    order: str = "counterclockwise"
    reversed: Ir | None = None
    hands: int = 1


@dataclass(frozen=True, slots=True)
class ZoneFill:
    """How a zone is filled when the wall is shuffled. `source`: a zone, empty for the shuffled one."""

    count: Ir
    source: str = ""
    end: str = "front"


@dataclass(frozen=True, slots=True)
class Zone:
    """`keep`: this many tiles at its end are not counted. `most`: the most tiles that ever lie in it. `when_empty`: the
    phase that follows a draw from it when empty. `stacks`: how many stacks it has. How a table shows it: `sideways`
    (while it holds, the first tile that comes here lies so), `side` of the hand, `slanted` walls, `stacked` tiles, so
    many on one another."""

    id: str
    of: str  # seat, table
    seen_by: str  # owner, everyone, nobody, others
    claimable: bool = False
    takes: ZoneFill | None = None
    keep: Ir | None = None
    when_empty: str = ""
    stacks: Ir | None = None
    name: Text = field(default_factory=dict)
    sideways: Ir | None = None
    side: str = "right"
    slanted: bool = False
    stacked: int = 0
    most: Ir | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """`start` is None if the table sets it first. `own`, `any`: the events of its own seat, and of any seat, that end
    it. `secret`: only its seat sees it. `stick`: a table shows it as one."""

    id: str
    of: str  # seat, table, match
    type: str  # truth number seat suit direction tiles
    name: Text
    start: Ir | None = None
    own: tuple[str, ...] = ()
    any: tuple[str, ...] = ()
    secret: bool = False
    stick: bool = False
    about: Text = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure. `unit`: the word behind a number of it, `one|many` where it depends on the number. `brings`: what a
    pattern that is worth some of it is worth besides."""

    id: str
    name: Text
    start: Ir | None = None
    cap: Ir | None = None
    value: Ir | None = None
    table: tuple[tuple[Fraction, Ir], ...] = ()  # ascending
    names: Amounts = ()
    inner: bool = False
    unit: Text = field(default_factory=dict)
    brings: Mapping[str, Const] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Example:
    """An example of a pattern as written: a case (tilewright.scoring.case) and whether the pattern counts. `id`: empty
    if it has none."""

    case: Mapping[str, object]
    yes: bool
    place: Place | None = None
    id: str = ""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern. `each`: alternatives, each a list of cases; None if the pattern has no `each`. `late`: what its `when`
    asks of measures besides, once everything else counts."""

    id: str
    name: Text
    about: Text = field(default_factory=dict)
    everyone: bool = False
    worth: Mapping[str, Ir] = field(default_factory=dict)  # measure -> number
    exposed: Mapping[str, Ir] | None = None
    when: Ir | None = None
    each: tuple[tuple[WantedCase, ...], ...] | None = None
    times: Ir | None = None
    family: str | None = None
    excludes: tuple[str, ...] = ()
    limit: bool = False
    extra: bool = False
    alone: bool = False
    provisional: bool = False
    examples: tuple[Example, ...] = ()
    place: Place | None = None
    late: Ir | None = None


@dataclass(frozen=True, slots=True)
class Scoring:
    measures: tuple[Measure, ...]
    best: str
    minimum: tuple[tuple[str, Ir], ...] = ()
    completed_by_discard: str = "concealed"
    waits: str = "possible"
    pays_at_most: Ir | None = None
    ignored_flags: frozenset[str] = frozenset()
    worth_more: Ir | None = None  # of the tile in question


@dataclass(frozen=True, slots=True)
class PaymentLine:
    id: str
    payers: Ir
    payees: Ir
    amount: Ir
    when: Ir | None = None
    times: Ir | None = None
    double: tuple[Ir, ...] = ()
    round_up: Ir | None = None
    instead: tuple[Ir, ...] = ()

    @property
    def expressions(self) -> tuple[Ir, ...]:
        """All expressions of the line."""
        rest = (self.when, self.times, self.round_up)
        return (
            self.payers,
            self.payees,
            self.amount,
            *self.double,
            *self.instead,
            *(ir for ir in rest if ir is not None),
        )


@dataclass(frozen=True, slots=True)
class RulesetCase:
    """An entry of `cases`: a hand or a play with its expected result. `moves`: the places of its moves."""

    id: str
    case: Mapping[str, object]
    expect: Mapping[str, object]
    place: Place | None = None
    moves: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A pattern that does not exist with the chosen options, and how many examples it has."""

    pattern: str
    examples: int
    place: Place | None = None


@dataclass(frozen=True, slots=True, repr=False)
class CompiledRuleset:
    id: str
    name: Text
    about: Text
    options: Mapping[str, OptionValue]
    mods: tuple[str, ...]
    tiles: TileSet
    groups: Groups
    forms: tuple[Form, ...]
    seats: SeatRules
    zones: Mapping[str, Zone]
    marks: Mapping[str, Mark]
    terms: Mapping[str, Ir]  # bodies
    term_names: Mapping[str, Text]
    scoring: Scoring
    families: Mapping[str, str]  # family -> best, all, once
    sole: tuple[str, ...]  # families next to which no other pattern counts
    patterns: tuple[Pattern, ...]
    payments: Mapping[str, tuple[PaymentLine, ...]]
    cases: tuple[RulesetCase, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    play: Play | None = None  # None if no phase is called deal
    wild_when: Mapping[str, Ir] = field(default_factory=dict)  # tiles that are wild only while it holds
    group_names: Mapping[str, Text] = field(default_factory=dict)  # of named kinds
    family_names: Mapping[str, Text] = field(default_factory=dict)  # of named families of patterns
    payment_names: Mapping[str, Mapping[str, Text]] = field(default_factory=dict)  # of named lines
    needs: Mapping[str, Ir] = field(default_factory=dict)  # of marks and terms: what a case with that flag must fulfil
    presets: tuple[str, ...] = ()  # named ones; their settings are among options and mods
    digest: str = ""  # SHA-256 of the rules without names and notes, and of the options
    text_digest: str = ""  # SHA-256 of every source text and of the options
    hints: bool = False  # shown from the start, until the player chooses otherwise
    version: str = ""
    license: str = ""  # SPDX expression
    authors: tuple[str, ...] = ()
    former: FormerNames = field(default_factory=FormerNames)
    old_names: tuple[str, ...] = ()  # warnings of those that documents and options use
    # The checksum of its entry in the cache, by which what was made of it is found; none where it was made of another.
    kept: str = field(default="", init=False, compare=False)

    def __repr__(self) -> str:
        return f"CompiledRuleset({self.id!r}, {len(self.patterns)} patterns, mods={self.mods!r})"


def name_at(named: Amounts, number: int | Fraction) -> Text:
    """The name of the number: that of the highest amount it reaches; none below the lowest."""
    place = bisect_right(named, number, key=lambda pair: pair[0])
    return named[place - 1][1] if place else {}
