"""Fast and random players on kernels: hands of compiled play from the deal to the end, with the moves of the bots.

In: a compiled play and the names of its players. What kernels cannot decide for a ruleset raises NotSayable; what they
ask while they play (plans for new melds, tables of scoring, now and then whether a hand reaches the minimum) is
answered here by what the bots use."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tilewright.base.compute.arrays import Array
from tilewright.hands.distance.flat.ways import FlatWays, NotFlat
from tilewright.hands.reading import Hand, Meld
from tilewright.language.compiled.ir import Lookup
from tilewright.play.compiled.giving import Odd
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.play import CompiledGame, CompiledPlay
from tilewright.play.compiled.writer import NotSayable
from tilewright.play.offers.bars import bars_of_wins
from tilewright.play.offers.compile import own_tile
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.bots.effects import MELDS, Effect
from tilewright.players.bots.fast import minimum_of
from tilewright.players.bots.known_marks import KnownMarks
from tilewright.players.bots.position import Position, Unchanged, reader_of
from tilewright.players.bots.seeds import SeededChoices
from tilewright.players.bots.worth import HandValues
from tilewright.players.kernel import layout as bot
from tilewright.players.kernel.classes import classes_of
from tilewright.players.kernel.fast import play_on, spot_of
from tilewright.players.kernel.reaching import table_of
from tilewright.scoring.explain import shortfall_text
from tilewright.scoring.kernel import layout as scored
from tilewright.scoring.kernel.lone import LoneHands
from tilewright.scoring.kernel.scores import KernelScores
from tilewright.scoring.plain.walker import nodes

LEVELS = {"random": bot.RANDOM, "fast": bot.FAST}


class KernelPlayers:
    """Players of a compiled play, by its rules. Raises NotSayable."""

    def __init__(self, compiled: CompiledPlay) -> None:
        self.compiled, rules = compiled, compiled.rules
        self.reader = reader_of(Unchanged(rules))
        self.minimum = minimum_of(Unchanged(rules))
        self.hands = self.scored_hands(rules)
        self.wins, self.worths, self.generation = np.zeros(256, np.bool_), 0, 0
        self.ways = FlatWays(self.reader.approach)
        self.ways_without = {frozenset[int](): self.ways}  # of approaches without some tiles
        self.barred = dict[tuple[int, ...], frozenset[int]]()  # what bars a hand from winning, by marks
        self.plans = np.zeros(2 * bot.PLANS, np.int64)
        self.planned = 0
        self.state = np.zeros(bot.BOT, np.int64)
        self.known = np.array(self.what_is_known(), np.int64)

    def what_is_known(self) -> list[int]:
        """What kernels know of the ruleset. Raises NotSayable."""
        program, approach = self.compiled.program, self.reader.approach
        if program.has_seen_tiles or program.data.tiles.wild:
            raise NotSayable("fast players: tiles that are wild, or declare who sees them")
        try:
            self.ways.plan(())
        except NotFlat as error:
            raise NotSayable(f"fast players: {error}") from None
        numbers = [0] * bot.KNOWN
        numbers[bot.KINDS], numbers[bot.LARGEST] = program.first, approach.plan(()).largest
        numbers[bot.MINIMUM] = bot.NO_MINIMUM if self.minimum is None else bot.ASKS_KERNEL
        numbers[bot.SPECIALS] = int(self.hands.kernel.image[scored.SPECIALS]) if self.hands.specials else at.NONE
        numbers[bot.IN_SIGHT_AT] = at.NONE if self.hands.seen is None else self.hands.seen
        numbers[bot.EXPOSES] = int(self.hands.engine.exposes)
        for place, more in (
            (bot.EFFECTS, [self.effect_of(one.offer.id) for one in self.compiled.image.code.offerings]),
            (bot.SEEN, self.seen_rows()),
            (bot.COPIES, [approach.wild.copies[tile] for tile in range(program.first)]),
            (bot.CLASS_OF, classes_of(approach)),
            (bot.ORDER, sorted(range(program.first), key=approach.reader.place.__getitem__)),
            (bot.BARS, self.marks_of_bars()),
            (bot.MARKS, self.marks_of_tables()),
            (bot.ZONES, self.zones_of_hands()),
            (bot.IS_SPECIAL, [int(face in self.hands.specials) for face in range(program.first)]),
        ):
            numbers[place] = len(numbers)
            numbers += more
        if not program.bars_of_wins:
            numbers[bot.BARS] = at.NONE
        return numbers

    def effect_of(self, offer: str) -> int:
        """What an offer does, as bits."""
        effect = self.reader.effects.get(offer, Effect())
        of_own_tiles = own_tile(self.compiled.program.play.offers[offer]) is not None
        if effect.accuses or effect.swaps is not None or (of_own_tiles and not effect.discards):
            raise NotSayable(f"fast players: offers.{offer}")
        bits = (
            (effect.wins, bot.WINS),
            (effect.discards, bot.DISCARDS),
            (effect.melds, bot.MAKES_MELD),
            (effect.concealed, bot.IS_CONCEALED),
            (effect.draws, bot.DRAWS),
            (effect.sets_aside, bot.SETS_ASIDE),
            (effect.only_pledges, bot.ONLY_PLEDGES),
            (effect.pledges, bot.PLEDGES),
        )
        return sum(bit for holds, bit in bits if holds)

    def seen_rows(self) -> list[int]:
        """By row, the seats that see its tiles, as bits."""
        program, found = self.compiled.program, [bot.HIDDEN] * at.MOST_ROWS
        everyone = (1 << program.count) - 1
        for zone in program.data.zones.values():
            row, of_seat = self.compiled.image.code.writer.rows[zone.id]
            if zone.seen_by == "nobody" and zone.id == MELDS:
                raise NotSayable("fast players: melds that nobody sees")
            for seat in range(program.count if of_seat else 1) if zone.seen_by != "nobody" else ():
                own = {"everyone": everyone, "owner": 1 << seat}.get(zone.seen_by, everyone & ~(1 << seat))
                found[row + seat] = own
        return found

    def marks_of_tables(self) -> list[int]:
        """The marks that decide how a seat scores, each with whether it is of seats, after how many there are."""
        writer, marks = self.compiled.image.code.writer, self.compiled.program.data.marks
        lasting = KnownMarks(self.compiled.rules).lasting
        seen = [name for name in lasting if not marks[name].secret or marks[name].of == "seat"]
        return [len(seen), *(one for name in seen for one in (writer.marks[name], int(marks[name].of == "seat")))]

    def marks_of_bars(self) -> list[int]:
        """The marks that decide which tiles bar a hand from winning, each with whether it is of seats, after how many
        there are."""
        program, writer = self.compiled.program, self.compiled.image.code.writer
        words = [node for ir in bars_of_wins(program) for node in nodes(ir) if isinstance(node, Lookup)]
        names = dict.fromkeys(word.name for word in words if word.kind == "mark")
        others = [word.name for word in words if word.kind != "mark" and (word.kind, word.name) != ("zone", "hand")]
        marks = program.data.marks
        if others or len(names) > bot.MOST_BAR_MARKS or any(marks[name].type == "tiles" for name in names):
            raise NotSayable("fast players: tiles that bar a hand from winning by more than marks")
        if names and self.minimum is not None:
            raise NotSayable("fast players: tiles that bar a hand from winning, beside a minimum")
        return [len(names), *(one for name in names for one in (writer.marks[name], int(marks[name].of == "seat")))]

    def zones_of_hands(self) -> list[int]:
        """The zones that scoring asks about, after how many there are: row, whether of seats, column, whether open."""
        program, rows = self.compiled.program, self.compiled.image.code.writer.rows
        columns = dict(self.hands.zones)
        names = [*KnownMarks(self.compiled.rules).zones, *(("bonus",) if "bonus" in program.data.zones else ())]
        found = [len(names)]
        for name in names:
            row, of_seat = rows[name]
            is_open = name == "bonus" or program.data.zones[name].seen_by == "everyone"
            found += [row, int(of_seat), columns.get(name, at.NONE), int(is_open)]
        return found

    @staticmethod
    def scored_hands(rules: Rules) -> LoneHands:
        """The kernel of scoring for one hand after the other; the rules use it from now on, too. Raises NotSayable."""
        if not rules.quick.compile() or rules.quick.hands is None:
            raise NotSayable("hands that the scoring kernel does not know")
        return rules.quick.hands

    # --- playing

    def play_hand(self, game: CompiledGame, names: Sequence[str]) -> None:
        """Play the hand that has been dealt up to its end. Raises Odd."""
        state, image, ways = game.state, self.compiled.image, self.ways
        own = self.state
        own[bot.RESUMES : bot.PLAYERS] = 0
        wind = game.follower.round_wind
        own[bot.ROUND] = at.NONE if wind is None else wind
        own[bot.PLAYERS : bot.PLAYERS + len(names)] = [LEVELS[name] for name in names]
        run_on = play_on.now
        while True:
            status = run_on(
                state,
                image.numbers,
                image.forms,
                image.places,
                own,
                self.known,
                self.plans,
                ways.numbers.values,
                ways.rows.values,
                ways.places.values,
                self.scoring(),
                self.wins,
            )
            if status == at.HOST:
                game.host.serve()
            elif status == at.ASK:
                game.host.answer_step()
            elif status == bot.DECIDE:
                self.answer(game)
            elif status == at.ENDED:
                return
            else:
                raise Odd(f"the players stop at {int(state[at.AT])}: {int(state[at.PROBLEM])}")

    def scoring(self) -> tuple[Array, ...]:
        """What the kernel of scoring takes, as it is now."""
        kernel = self.hands.kernel
        if self.generation != kernel.generation:
            self.generation, self.worths = kernel.generation, 0
            self.state[bot.TABLES : bot.BOT] = 0
        if self.worths < len(kernel.worths):
            self.learn_worths(kernel)
        return self.hands.arguments

    def learn_worths(self, kernel: KernelScores) -> None:
        """Note which of the worths that scoring has met win with more than nothing."""
        best = self.compiled.rules.data.scoring.best
        new = [not shortfall_text(one.short) and one.values[best] > 0 for one in kernel.worths[self.worths :]]
        if len(kernel.worths) > len(self.wins):
            self.wins = np.concatenate([self.wins, np.zeros(len(kernel.worths), np.bool_)])
        self.wins[self.worths : len(kernel.worths)] = new
        self.worths = len(kernel.worths)

    def answer(self, game: CompiledGame) -> None:
        """Answer what the kernels ask. Raises Odd."""
        if self.state[bot.QUESTION] == bot.PLAN:
            self.make_plan(*map(int, self.state[bot.QUESTION + 1 : bot.QUESTION + 3]))
        elif self.state[bot.QUESTION] == bot.BARS_WINS:
            self.find_barred(game, int(self.state[bot.QUESTION + 2]))
        elif self.state[bot.QUESTION] == bot.TABLE:
            self.lay_table(game, int(self.state[bot.QUESTION + 1]))
        else:
            known = int(self.state[bot.ANSWERS])
            self.state[bot.ANSWERED + known] = self.reaches(game)
            self.state[bot.ANSWERS] += 1

    def find_barred(self, game: CompiledGame, seat: int) -> None:
        """Tell kernels which tiles bar a hand of the seat from winning."""
        start = int(self.known[bot.BARS])
        count = int(self.known[start])
        pairs = self.known[start + 1 : start + 1 + 2 * count].reshape(count, 2).tolist()
        marks = tuple(int(game.state[at.MARK + mark * at.MOST_SEATS + own * seat]) for mark, own in pairs)
        if marks not in self.barred:
            game.follower.follow()
            self.barred[marks] = View(game.match, seat).unwinnable
        tiles = self.barred[marks]
        if tiles not in self.ways_without:
            ways = self.ways
            without = self.reader.approach_without(tiles)
            self.ways_without[tiles] = FlatWays(without, ways.numbers, ways.rows, ways.places)
        spot = bot.BARRED + seat * bot.BARRED_ROW
        self.state[spot : spot + 2] = 1, sum(1 << tile for tile in tiles)
        self.state[spot + 2] = [*self.ways_without].index(tiles)
        self.state[spot + 3 : spot + 3 + count] = marks

    def make_plan(self, key: int, approach: int) -> None:
        groups = self.compiled.program.data.groups.groups
        count = int(self.state[bot.MELDS])
        laid = self.state[bot.MELDS + 1 : bot.MELDS + 1 + count].tolist()
        melds = tuple(Meld(one // 2, groups[one // 2].tiles, bool(one % 2)) for one in laid)
        try:
            place = [*self.ways_without.values()][approach].plan(melds)
        except NotFlat as error:
            raise Odd(str(error)) from None
        if 2 * self.planned >= bot.PLANS:
            self.plans[:], self.planned = 0, 0
        spot = spot_of.now(self.plans, key)
        self.plans[2 * spot : 2 * spot + 2] = key, place
        self.planned += 1

    def reaches(self, game: CompiledGame) -> bool:
        """Whether the hand with the group that is asked about is near one that reaches the minimum."""
        assert self.minimum is not None
        game.follower.follow()
        seat, number, concealed = self.state[bot.QUESTION + 2 : bot.QUESTION + 5].tolist()
        after = self.with_group(game, seat, number, bool(concealed))
        lots = SeededChoices(int(game.state[at.SEED]), 0, len(after.melds))
        minimum = replace(self.minimum, worth=HandValues(self.compiled.rules)).seen_from(View(game.match, seat))
        return minimum.is_near(self.reader.look(after), after, lots)

    def lay_table(self, game: CompiledGame, key: int) -> None:
        """Tell kernels the contexts of scoring of the seat that is asked about."""
        assert self.minimum is not None
        game.follower.follow()
        seat, number, concealed = self.state[bot.QUESTION + 2 : bot.QUESTION + 5].tolist()
        after = self.with_group(game, seat, number, bool(concealed))
        place = self.minimum.seen_from(View(game.match, seat)).context_of(after)
        place = replace(place, bonus=tuple(sorted(place.bonus)), zones=())
        hand = Hand((), after.melds, None, place.bonus)
        worth, kernel, state = self.minimum.worth, self.hands.kernel, self.state
        found = [kernel.context(worth.situation(hand, place, self_draw)) for self_draw in (False, True)]
        spot = table_of.now(state, key)
        if self.generation == kernel.generation:
            state[spot : spot + 3] = key, *found

    def with_group(self, game: CompiledGame, seat: int, number: int, concealed: bool) -> Position:
        """The position of a seat with a group that it may make."""
        program, match = self.compiled.program, game.match
        face, place = program.face, program.place
        made = game.follower.group(number, seat)
        assert made is not None
        melds = [
            Meld(one.group, tuple(face[tile] for tile in one.tiles), one.exposed, (), one.discarder)
            for one in match.zones[MELDS][seat]
        ]
        if number >> at.SOURCE_AT & 3 == at.GROWN_GROUP:
            del melds[number >> at.MELD_AT & 15]
        melds.append(Meld(made.group, tuple(face[tile] for tile in made.tiles), not concealed))
        tiles = [tile for tile in match.zones["hand"][seat] if tile not in made.tiles]
        bonus = tuple(face[tile] for tile in match.zones["bonus"][seat]) if "bonus" in match.zones else ()
        return Position(tuple(sorted((face[tile] for tile in tiles), key=place.__getitem__)), tuple(melds), bonus, {})
