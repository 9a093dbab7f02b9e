"""Nearest: a hand, its melds and the tiles seen in, the nearest lines of a card out.

Knows forms that are won by a card. Knows no payments, and only the tiles of a table.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tilewright.hands.listed import NEVER, Bar, ListedPlace, Rows
from tilewright.hands.reading import Hand, Meld
from tilewright.language.compiled.ruleset import CardData, CardLine
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.explain import ENGLISH, listed, said
from tilewright.scoring.plain.judge import PlainJudge
from tilewright.tiles.notation import write_group, write_tile, write_tiles


@dataclass(frozen=True, slots=True)
class NearHand:
    """A hand of a line. `hand`: its sets; `needs`: the tiles that are missing, `J|6s` where a wild tile would do;
    `live`: how many tiles that nobody has seen would bring it nearer, `left`: how many of each such tile; `keep` and
    `passes`: the tiles held that it uses, and the others."""

    missing: int
    line: str
    group: str
    value: int
    exposed: bool
    needs: tuple[str, ...]
    live: int
    hand: tuple[str, ...]
    keep: str
    passes: str
    left: tuple[tuple[str, int], ...]

    def as_json(self) -> dict[str, Any]:
        """Plain data; `passes` is called pass there."""
        return {
            "missing": self.missing,
            "line": self.line,
            "group": self.group,
            "value": self.value,
            "exposed": self.exposed,
            "needs": list(self.needs),
            "live": self.live,
            "hand": list(self.hand),
            "keep": self.keep,
            "pass": self.passes,
            "left": dict(self.left),
        }


@dataclass(frozen=True, slots=True)
class Nearest:
    """Hands by tiles missing, then the higher value, then more live tiles, then as on the card. `dead`: lines that
    cannot be made any more, each with why; `reason`: why none can (`reasons`: by language)."""

    hands: tuple[NearHand, ...]
    dead: tuple[tuple[str, str], ...] = ()
    reason: str | None = None
    reasons: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        nearest = f", the nearest {self.hands[0].missing} tiles away" if self.hands else ""
        return f"Nearest({len(self.hands)} hands{nearest}, {len(self.dead)} dead lines)"

    @property
    def possible(self) -> bool:
        """Whether some hand of the card is still possible, as the others at the table see it."""
        return self.reason is None

    def as_json(self) -> list[dict[str, Any]]:
        """Plain data of the hands; of a dead hand an empty list."""
        return [hand.as_json() for hand in self.hands]


def nearest(
    judge: PlainJudge, hand: Hand, seen: Iterable[int] = (), limit: int | None = None, every: bool = False
) -> Nearest:
    """The nearest hand of every line that can still be made (all its hands if `every`), at most `limit` of them.

    `seen`: visible tiles elsewhere. Raises CaseError where no form is won by a card.
    """
    asked = asked_of(judge, hand, seen)
    if not asked:
        raise CaseError("no-card", f"no form of {judge.data.id} is won by a card, so no line is near")
    found = sorted((near for one in asked for near in one.near(every)), key=NearRow.rank)
    dead = tuple(line for one in asked for line in one.dead())
    reasons = {} if found else listed([one.reason() for one in asked])
    return Nearest(tuple(near.card.told(near) for near in found[:limit]), dead, reasons.get(ENGLISH), reasons)


def why_not(judge: PlainJudge, hand: Hand) -> dict[str, str]:
    """Why a full hand is not on the card: a closed line that it would be, or what it lacks of the nearest one. Empty
    without a card."""
    hidden = replace(hand, melds=tuple(replace(meld, exposed=False) for meld in hand.melds))
    for card, rows in cards_of(judge):
        if not rows.exact(hand) and (closed := rows.exact(hidden)):
            return said("line_closed", line=card.lines[rows.listing.entries[closed[0]]].text)
    asked = asked_of(judge, hand)
    first = min((near for one in asked for near in one.near(every=False)), key=NearRow.rank, default=None)
    if first is None:
        return listed([one.reason() for one in asked])
    near = first.card.told(first)
    return said("nearest", line=near.line, needs=", ".join(near.needs)) if near.missing else {}


def asked_of(judge: PlainJudge, hand: Hand, seen: Iterable[int] = ()) -> "list[CardAsked]":
    """The cards of forms, applied to a hand."""
    gone = judge.reader.wild.in_the_box(seen)
    return [CardAsked(card, rows, hand, gone) for card, rows in cards_of(judge)]


def cards_of(judge: PlainJudge) -> list[tuple[CardData, Rows]]:
    """The cards that forms are won by, and their hands."""
    pairs = [(form.card, judge.reader.rows(form.shape)) for form in judge.data.forms]
    return [(card, rows) for card, rows in pairs if card is not None and rows is not None]


@dataclass(frozen=True, slots=True)
class NearRow:
    """A row of a card's hands that can still be made."""

    card: "CardAsked"
    row: int
    line: CardLine
    missing: int
    live: int

    def rank(self) -> tuple[int, int, int]:
        """The rank of a row: lower for the nearer one, then for higher value, then for more tiles left."""
        return self.missing, -self.line.value, -self.live


@dataclass(frozen=True, slots=True, eq=False)
class CardAsked:
    """A card, and what is asked about it."""

    card: CardData
    rows: Rows
    hand: Hand
    gone: Counter[int]

    def near(self, every: bool) -> Iterator[NearRow]:
        """The rows that can still be made in the order of the card; unless `every`, the nearest one of each line, the
        one with most live tiles among equals."""
        missing, live = self.rows.missing(self.hand, self.gone), self.rows.live(self.hand, self.gone)
        entries = self.rows.listing.entries
        for row in range(len(entries)) if every else self.rows.best(missing, live):
            if missing[row] < NEVER:
                yield NearRow(self, row, self.card.lines[entries[row]], int(missing[row]), int(live[row]))

    def told(self, near: NearRow) -> NearHand:
        """The row in words."""
        line, tiles = near.line, self.rows.tiles
        (told,) = self.rows.told((near.row,), self.hand, self.gone)
        return NearHand(
            near.missing,
            line.text,
            line.group,
            line.value,
            line.exposed,
            tuple(self.place_text(place) for place in told.needs),
            near.live,
            tuple(write_group((tile,) * count, tiles) for tile, count in self.rows.listing.rows[near.row]),
            write_tiles(told.kept, tiles),
            write_tiles(told.others, tiles),
            tuple((write_tile(tile, tiles), left) for tile, left in told.live),
        )

    def place_text(self, place: ListedPlace) -> str:
        """The tile, after the wild tiles that would do: `J|6s`."""
        helpers = self.rows.helpers if place.wild else ()
        return "|".join(write_tile(tile, self.rows.tiles) for tile in (*helpers, place.tile))

    # --- what is impossible

    def dead(self) -> Iterator[tuple[str, str]]:
        """Every line that is no longer possible, and why."""
        alive = self.rows.alive(self.hand.melds, self.gone)
        for entry, line in enumerate(self.card.lines):
            bar = None if entry in alive else self.rows.why(self.hand.melds, self.gone, entry)
            if bar is not None:
                yield line.text, self.of_line(bar)

    def of_line(self, bar: Bar) -> str:
        """Why a line is impossible."""
        if bar.kind == "empty":
            return "it has no hands"
        if bar.kind == "closed":
            return "it is closed, and a group is exposed"
        if bar.kind == "melds":
            return f"no hand of it has {self.groups_text(bar.melds)}"
        return f"it {self.lack(bar)[ENGLISH]}"

    def reason(self) -> dict[str, str]:
        """Why no line of the card is possible."""
        bar = self.rows.why(self.hand.melds, self.gone)
        if bar is None or bar.kind == "empty":
            return said("card_empty")
        if bar.kind == "closed":
            return said("card_closed")
        if bar.kind == "melds":
            exposed = any(meld.exposed for meld in self.hand.melds)
            return said("card_open_melds" if exposed else "card_melds", groups=self.groups_text(bar.melds))
        return said("card_lacks", lack=self.lack(bar))

    def lack(self, bar: Bar) -> dict[str, str]:
        """`needs 2 of 1f, and 1 is left`."""
        left = "none is" if not bar.left else "1 is" if bar.left == 1 else f"{bar.left} are"
        if bar.tile is None:
            tiles = "tiles" if bar.wanted > 1 else "tile"
            return said("lack_of_wild", wanted=bar.wanted, tiles=tiles, left=left, count=bar.left)
        return said("lack_of", wanted=bar.wanted, tile=write_tile(bar.tile, self.rows.tiles), left=left, count=bar.left)

    def groups_text(self, melds: Sequence[Meld]) -> str:
        """`444p`, `444p and EEE together`."""
        groups = [write_group(self.rows.groups.groups[meld.group].tiles, self.rows.tiles) for meld in melds]
        return groups[0] if len(groups) == 1 else f"{', '.join(groups[:-1])} and {groups[-1]} together"
