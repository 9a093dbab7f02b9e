"""What players on kernels know of a ruleset, as numbers. What they cannot be taught raises NotSayable.

Melds of one class leave a seat the same ways to win, but for those that need a tile of which the melds have every copy.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from tilewright.base.arrays import Array
from tilewright.hands.distance.approach import Approach
from tilewright.hands.distance.searched import SearchedWay
from tilewright.hands.distance.tabled import TabledWay
from tilewright.hands.reading import Meld
from tilewright.hands.readings import merged
from tilewright.language.compiled.ir import Lookup, nodes
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.knowledge import PlayImage
from tilewright.play.compiled.play import CompiledPlay
from tilewright.play.compiled.writing.offers import is_of_hand
from tilewright.play.compiled.writing.writer import NotSayable
from tilewright.play.offers import bars_of_wins, own_tile
from tilewright.players.bots.careful import RulesModel, forecasts_of
from tilewright.players.bots.effects import MELDS, WALL, Effect
from tilewright.players.bots.forecasts import ALIKE, PLAINER
from tilewright.players.bots.odds import NUMBERS, STRONG
from tilewright.players.bots.position import FormReader
from tilewright.players.bots.worth import KnownMarks
from tilewright.players.compiled.kernel import layout as bot
from tilewright.scoring.kernel import layout as scored
from tilewright.scoring.quick import LoneHands


class Knowledge:
    """What kernels know. `hands`: the kernel of scoring, None where no hand is scored; `minimum`: whether wins need
    one; `model`: what careful players know, None without such."""

    def __init__(
        self,
        compiled: CompiledPlay,
        reader: FormReader,
        hands: LoneHands | None,
        minimum: bool,
        model: RulesModel | None,
    ) -> None:
        self.image: PlayImage = compiled.image
        self.rules, self.program = compiled.rules, compiled.program
        self.reader, self.hands, self.minimum, self.model = reader, hands, minimum, model
        self.marks = KnownMarks(compiled.rules)

    @property
    def data(self) -> CompiledRuleset:
        return self.program.data

    @property
    def rows(self) -> int:
        """How many listed hands careful players weigh."""
        cards = () if self.model is None else self.model.cards
        return sum(len(one.rows.listing.rows) for one in cards)

    # --- numbers

    def numbers(self) -> Array:
        """What is known, as `layout` says. Raises NotSayable."""
        if self.program.has_seen_tiles:
            raise NotSayable("players on kernels: tiles that declare who sees them")
        approach, model = self.reader.approach, self.model
        aims = () if model is None else model.aims
        numbers = [0] * bot.KNOWN
        numbers[bot.HANDS] = self.program.hands
        numbers[bot.KINDS], numbers[bot.MINIMUM] = self.program.first, int(self.minimum)
        plans = [one.plan(()) for one in (approach, *(aim.approach for aim in aims))]
        numbers[bot.LARGEST] = min(at.MOST_TILES, *(plan.largest for plan in plans))
        hands = self.hands
        specials = frozenset[int]() if hands is None else hands.specials
        numbers[bot.SPECIALS] = int(hands.kernel.image[scored.SPECIALS]) if hands and hands.specials else at.NONE
        numbers[bot.IN_SIGHT_AT] = at.NONE if hands is None or hands.seen is None else hands.seen
        tabled = all(isinstance(way, TabledWay) for plan in plans for way in plan.ways)
        numbers[bot.EXPOSES], numbers[bot.COUNTS_THERE] = int(bool(hands and hands.exposes)), int(not tabled)
        draws = all(isinstance(way, TabledWay | SearchedWay) for plan in plans for way in plan.ways)
        numbers[bot.SCORES], numbers[bot.JUDGES] = int(draws and hands is not None), int(hands is not None)
        if model is not None and aims and model.special and not numbers[bot.SCORES]:
            raise NotSayable("careful players: special tiles in hands that the scoring kernel does not know")
        numbers[bot.ACCUSES_ANY], numbers[bot.APPEALS] = int(self.accuses()), at.NONE
        lists: list[tuple[int, Sequence[int]]] = [
            (bot.EFFECTS, [self.effect_of(one.offer.id) for one in self.image.code.offerings]),
            (bot.SEEN, self.seen_rows()),
            (bot.COPIES, [approach.wild.copies[tile] for tile in range(self.program.first)]),
            (bot.ORDER, sorted(range(self.program.first), key=approach.reader.place.__getitem__)),
            (bot.BARS, self.marks_of_bars()),
            (bot.MARKS, self.marks_of_tables()),
            (bot.ZONES, self.zones_of_hands()),
            (bot.IS_SPECIAL, [int(face in specials) for face in range(self.program.first)]),
            (bot.ASKS, self.choices_of_asks()),
            (bot.SUITS, self.suits()),
            (bot.FAMILIES, self.families()),
            (bot.PLAIN, self.reader.plain),
            (bot.TILES_OF, self.tiles_of_groups()),
        ]
        if model is not None:
            lists += [
                (bot.AIMS, [len(aims), *(int(aim.open_hand) for aim in aims)]),
                (bot.PLEDGED, self.pledged()),
                (bot.CLAIMABLE, self.claimable()),
                (bot.WALL, self.wall()),
            ]
            numbers[bot.TARGETS], numbers[bot.DEPENDS] = model.targets, int(model.special)
            numbers[bot.COSTS_BY_CLAIMS] = int(self.marks.costs_by_claims(()))
            numbers[bot.BARS_CLAIMS], numbers[bot.OWN_ARE_SAFE] = (
                int(self.marks.bars_claims),
                int(self.marks.own_are_safe),
            )
            numbers[bot.MOST_USES] = model.uses.most
            if model.cards:
                numbers[bot.APPEALS], numbers[bot.ROWS] = bot.REALS, self.rows
                numbers[bot.WORTHS_OF_ROWS] = bot.REALS + self.rows
        for place, more in lists:
            numbers[place] = len(numbers)
            numbers += more
        if model is not None:
            numbers[bot.USES] = len(numbers)
            numbers += self.uses(model, len(numbers))
        if not self.program.bars_of_wins:
            numbers[bot.BARS] = at.NONE
        return np.array(numbers, np.int64)

    def tiles_of_groups(self) -> list[int]:
        """The tiles of each group."""
        found = list[int]()
        for group in self.data.groups.groups:
            if len(group.tiles) > bot.GROUP_TILES:
                raise NotSayable("players on kernels: groups of many tiles")
            found += [*group.tiles, *[at.NONE] * (bot.GROUP_TILES - len(group.tiles))]
        return found

    def effect_of(self, offer: str) -> int:
        """What an offer does, as bits."""
        effect = self.reader.effects.get(offer, Effect())
        chosen = self.program.play.offers[offer].choose
        of_own_tiles = own_tile(self.program.play.offers[offer]) is not None
        names = tuple(one.name for one in chosen)
        exchanges = effect.swaps is None or (effect.swaps == names and is_of_hand(chosen[0]))
        of_hand = (effect.hand,) if self.program.hands > 1 else ()
        accuses = not effect.accuses or names == (effect.accuses, *of_hand)
        if not (exchanges and accuses) or (of_own_tiles and not effect.discards):
            raise NotSayable(f"players on kernels: offers.{offer}")
        bits = (
            (effect.wins, bot.WINS),
            (effect.discards, bot.DISCARDS),
            (effect.melds, bot.MAKES_MELD),
            (effect.concealed, bot.IS_CONCEALED),
            (effect.draws, bot.DRAWS),
            (effect.sets_aside, bot.SETS_ASIDE),
            (effect.only_pledges, bot.ONLY_PLEDGES),
            (effect.pledges, bot.PLEDGES),
            (effect.swaps is not None, bot.SWAPS),
            (bool(effect.accuses), bot.ACCUSES),
        )
        return sum(bit for holds, bit in bits if holds)

    def accuses(self) -> bool:
        """Whether some offer accuses. Raises NotSayable where that is not only of listed hands."""
        found = any(self.reader.effects[one.offer.id].accuses for one in self.image.code.offerings)
        if found and not all(shape.listed is not None for shape in self.reader.approach.reader.shapes):
            raise NotSayable("players on kernels: accusations where not all hands are listed")
        return found

    def seen_rows(self) -> list[int]:
        """By row, the seats that see its tiles, as bits."""
        program, found = self.program, [bot.HIDDEN] * at.MOST_ROWS
        everyone = (1 << program.count) - 1
        for zone in self.data.zones.values():
            row, of_seat = self.row_of(zone.id)
            if zone.seen_by == "nobody" and zone.id == MELDS:
                raise NotSayable("players on kernels: melds that nobody sees")
            for seat in range(program.count if of_seat else 1) if zone.seen_by != "nobody" else ():
                own = {"everyone": everyone, "owner": 1 << seat}.get(zone.seen_by, everyone & ~(1 << seat))
                found[row + seat] = own
        return found

    def row_of(self, zone: str) -> tuple[int, bool]:
        """The row of a zone, the first of those of seats; whether it is of seats."""
        row, of_seat = self.image.code.writer.rows[zone]
        return row, bool(of_seat)

    def marks_of_tables(self) -> list[int]:
        """The marks that decide how a seat scores, each with whether it is of seats, after how many there are."""
        writer, marks = self.image.code.writer, self.data.marks
        seen = [name for name in self.marks.lasting if not marks[name].secret or marks[name].of == "seat"]
        flags = () if self.hands is None else self.hands.flags
        if not {*seen, *self.marks.promised(())}.isdisjoint(name for name, _ in flags):
            raise NotSayable("players on kernels: lasting marks that scoring counts with")
        return [len(seen), *(one for name in seen for one in (writer.marks[name], int(marks[name].of == "seat")))]

    def marks_of_bars(self) -> list[int]:
        """The marks that decide which tiles bar a hand from winning, each with whether it is of seats, after how many
        there are."""
        writer = self.image.code.writer
        words = [node for ir in bars_of_wins(self.program) for node in nodes(ir) if isinstance(node, Lookup)]
        names = dict.fromkeys(word.name for word in words if word.kind == "mark")
        others = [word.name for word in words if word.kind != "mark" and (word.kind, word.name) != ("zone", "hand")]
        marks = self.data.marks
        if others or len(names) > bot.MOST_BAR_MARKS or any(marks[name].type == "tiles" for name in names):
            raise NotSayable("players on kernels: tiles that bar a hand from winning by more than marks")
        if names and self.minimum:
            raise NotSayable("players on kernels: tiles that bar a hand from winning, beside a minimum")
        return [len(names), *(one for name in names for one in (writer.marks[name], int(marks[name].of == "seat")))]

    def zones_of_hands(self) -> list[int]:
        """The zones that scoring asks about, after how many there are: row, whether of seats, column, whether open."""
        columns = {} if self.hands is None else dict(self.hands.zones)
        names = [*self.marks.zones, *(("bonus",) if "bonus" in self.data.zones else ())]
        found = [len(names)]
        for name in names:
            row, of_seat = self.row_of(name)
            is_open = name == "bonus" or self.data.zones[name].seen_by == "everyone"
            found += [row, int(of_seat), columns.get(name, at.NONE), int(is_open)]
        return found

    # --- what steps ask

    def choices_of_asks(self) -> list[int]:
        """By question of a step what its choices are of."""
        found = list[int]()
        kinds = {"flag": bot.OF_FLAGS, "number": bot.OF_NUMBERS, "suit": bot.OF_SUITS}
        for one in self.image.code.writer.asks:
            asked = self.image.code.writer.requests[one.request].ask
            names = [] if asked is None else [choose.name for choose in asked.choose]
            of = [kinds.get(self.reader.asked[name].kind, bot.OF_OTHERS) for name in names]
            found += (of + [bot.NO_CHOICE] * bot.ASKED_CHOICES)[: bot.ASKED_CHOICES]
        return found

    def suits(self) -> list[int]:
        """The number of the name of each suit, and its plain tiles as bits, after how many suits there are."""
        suits, tiles = self.data.tiles.suits, self.data.tiles.tiles
        if len(suits) > bot.MOST_SUITS:
            raise NotSayable("players on kernels: many suits")
        found = [len(suits)]
        for suit in suits:
            kinds = {tile.plain for tile in tiles if tile.suit == suit.id}
            found += [self.image.code.writer.name(suit.id), sum(1 << kind for kind in kinds)]
        return found

    def families(self) -> list[int]:
        """By tile the number of its family."""
        numbers = dict[object, int]()
        return [numbers.setdefault(tile.family, len(numbers)) for tile in self.data.tiles.tiles]

    # --- careful players

    def pledged(self) -> list[int]:
        """The marks that show that a seat waits, after how many there are."""
        marks = [self.image.code.writer.marks[name] for name in self.marks.pledged]
        return [len(marks), *marks]

    def claimable(self) -> list[int]:
        """The rows of tiles that may be claimed, each with whether it is of seats, after how many there are."""
        rows = [self.row_of(zone.id) for zone in self.data.zones.values() if zone.claimable]
        return [len(rows), *(number for row, of_seat in rows for number in (row, int(of_seat)))]

    def wall(self) -> list[int]:
        """The row of the wall, and how many of its tiles are never drawn."""
        return [self.row_of(WALL)[0], self.reader.kept] if WALL in self.data.zones else [at.NONE, 0]

    @staticmethod
    def uses(model: RulesModel, start: int) -> list[int]:
        """By plain tile where its uses are; then these, each as what completes it and the tiles of it."""
        count = len(model.reader.plain)
        places, found = [0] * count, list[int]()
        for tile in range(count):
            rests = model.uses.of_tile.get(tile, ())
            places[tile] = start + count + len(found)
            found.append(len(rests))
            for rest in rests:
                found += [sum(1 << one for one in model.uses.completing[rest]), len(rest)]
                found += [number for pair in rest for number in pair]
        return places + found

    def reals(self) -> Array:
        """The other numbers that players work in, with what careful players know."""
        reals = np.zeros(bot.REALS + 3 * self.rows, np.float64)
        if self.model is not None:
            if len(self.model.aims) > bot.MOST_AIMS or len(self.model.cards) > 1:
                raise NotSayable("careful players: many aims, or several forms that list their hands")
            reals[bot.ALIKE], reals[bot.PLAINER] = ALIKE, PLAINER
            for cards, forecast in zip(self.model.cards, forecasts_of(self.model), strict=True):
                reals[bot.REALS :] = [*cards.appeals(self.model.careful), *forecast.worths[0], *forecast.worths[1]]
            for number, aim in enumerate(self.model.aims):
                reals[bot.AIM_WORTH + number] = aim.worth
            reals[bot.USUAL_WORTH], reals[bot.LOST], reals[bot.COSTS] = self.model.usual, self.model.lost, STRONG.loss
            if self.model.placement is not None:
                reals[bot.OF_MATCH : bot.OF_MATCH + NUMBERS] = self.model.placement.numbers
            for number, weights in enumerate((self.model.careful, self.model.strong)):
                first = bot.WEIGHTS_OF + number * bot.MOST_WEIGHTS
                reals[first : first + bot.MOST_WEIGHTS] = weights
        return reals


def classes_of(approach: Approach) -> list[int]:
    """The class of each group, concealed and exposed, from 0."""
    numbers: dict[object, int] = {}
    return [numbers.setdefault(role_of(approach, meld), len(numbers)) for meld in all_melds(approach)]


def all_melds(approach: Approach) -> Iterator[Meld]:
    """A meld of each group, concealed and exposed."""
    for group in approach.reader.groups.groups:
        yield from (Meld(group.index, group.tiles, exposed) for exposed in (False, True))


def needed_by(approach: Approach) -> int:
    """The tiles, as bits, that some way needs anyway, whatever the class of the first meld is."""
    found = 0
    for meld in all_melds(approach):
        if role_of(approach, meld) == meld:
            continue
        for way in approach.plan((meld,)).ways:
            if isinstance(way, TabledWay):
                found |= sum(1 << tile for tile in np.flatnonzero(way.fixed).tolist())
    return found


def decides_alone(way: object) -> bool:
    """Whether a way depends on the tiles of a meld, not only on the slots that it fills (and on how many tiles there
    are besides, which kernels count)."""
    if isinstance(way, TabledWay):
        return bool(way.fixed.max(initial=0) > 1)
    return not isinstance(way, SearchedWay)


def role_of(approach: Approach, meld: Meld) -> object:
    """What tells the class: the slots that a meld fits in. The meld itself where its tiles matter, too: to forms that
    need several of a kind anyway, or take its tiles up, to groups that must be different."""
    reader, fits = approach.reader, list[tuple[int, ...]]()
    ways = approach.plan((meld,)).ways
    if any(decides_alone(way) for way in ways):
        return meld
    for shape in reader.shapes:
        if reader.may_absorb(shape, (meld,)):
            return meld
        for slots in map(merged, shape.cases if not (shape.concealed and meld.exposed) else ()):
            here = [
                number
                for number, slot in enumerate(slots)
                if (meld.group in slot.groups or meld.group in slot.meld_groups)
                and slot.exposed in (None, meld.exposed)
            ]
            if any(slots[number].different for number in here):
                return meld
            fits.append(tuple(here))
    return (meld.exposed and any(shape.concealed for shape in reader.shapes), tuple(fits))
