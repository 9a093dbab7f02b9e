"""Players on kernels: hands of compiled play from the deal to the end, with the moves of the bots.

In: a compiled play and the names of its players. What kernels cannot decide for a ruleset raises NotSayable; what they
ask while they play (plans for new melds, tables of scoring, what scoring meets for the first time) is answered here by
what the bots use."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from tilewright.base.arrays import Array
from tilewright.hands.distance.approach import Approach, Look
from tilewright.hands.distance.flat_ways import FlatWays, NotFlat
from tilewright.hands.needs import TooManyNeeds
from tilewright.hands.reading import Hand, Meld
from tilewright.play.compiled.host import Odd
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.play import CompiledGame, CompiledPlay
from tilewright.play.compiled.writing.writer import NotSayable
from tilewright.play.model import TableMeld
from tilewright.play.view import View
from tilewright.players.bots.careful import MOST_KNOWN, model_of
from tilewright.players.bots.effects import MELDS
from tilewright.players.bots.fast import Minimum
from tilewright.players.bots.odds import mean
from tilewright.players.bots.position import Position, Unchanged, reader_of
from tilewright.players.bots.random_bot import SeededChoices
from tilewright.players.bots.worth import HandValues, KnownMarks, ScoringContext, wholes
from tilewright.players.compiled.kernel import layout as bot
from tilewright.players.compiled.kernel.layout import Mind
from tilewright.players.compiled.kernel.seeing import spot_of
from tilewright.players.compiled.kernel.wholes import table_of
from tilewright.players.compiled.knowledge import Knowledge, classes_of, needed_by
from tilewright.players.compiled.moves import play_on
from tilewright.players.player import CAREFUL, FAST, RANDOM, STRONG
from tilewright.scoring.kernel.layout import ScoringArrays
from tilewright.scoring.kernel.scores import KernelScores
from tilewright.scoring.plain.scene import Situation

NO_SCORING = ScoringArrays.small()  # where no hand is scored
LEVELS = {RANDOM: bot.RANDOM, FAST: bot.FAST, CAREFUL: bot.CAREFUL, STRONG: bot.STRONG}
DIVIDING = {RANDOM: bot.RANDOM, FAST: bot.FAST, CAREFUL: bot.FAST, STRONG: bot.FAST}  # where seats make several hands


def no_targets() -> Array:
    """A list of nearest targets, of which none was found."""
    targets = np.zeros(bot.POOL + bot.MOST_TARGETS, np.int64)
    targets[bot.TARGETS_USED] = bot.POOL
    return targets


class KernelPlayers:
    """Players of a compiled play, by its rules; `names`: which ones there may be. Raises NotSayable."""

    def __init__(self, compiled: CompiledPlay, names: Collection[str] = (RANDOM, FAST)) -> None:
        self.compiled, rules = compiled, compiled.rules
        if rules.data.seats.hands > 1:
            names = {RANDOM, FAST}
        if rules.data.seats.hands > bot.MOST_DIVIDED:
            raise NotSayable("players on kernels: many hands of a seat")
        self.reader = reader_of(Unchanged(rules))
        self.model = None if {CAREFUL, STRONG}.isdisjoint(names) else model_of(Unchanged(rules))
        self.placement = self.model.placement if self.model is not None and STRONG in names else None
        self.marks, self.worth = KnownMarks(rules), HandValues(rules)
        self.hands = rules.quick.hands
        self.generation = 0
        self.ways = FlatWays(self.reader.approach)
        self.ways_of = {0: self.ways}  # of approaches, by number
        self.bars = [frozenset[int]()]  # sets of tiles that bar a hand from winning
        self.barred = dict[tuple[int, ...], frozenset[int]]()  # such a set, by the marks that decide it
        self.placed: tuple[object, tuple[tuple[Meld, ...], ScoringContext]] | None = None
        self.followed: tuple[object, ...] = ()
        self.plans = np.zeros(2 * bot.PLANS, np.int64)
        self.planned = self.laid = 0
        self.own = np.zeros(bot.BOT, np.int64)
        self.weights = dict[tuple[object, ...], float]()  # what aims are worth for hands, as far as asked
        self.targets = no_targets()
        self.nothing = np.zeros(0, np.int64)  # in the place of tables of wins
        self.add_classes(0)
        knowledge = Knowledge(compiled, self.reader, self.hands, bool(rules.data.scoring.minimum), self.model)
        self.known, self.reals = knowledge.numbers(), knowledge.reals()
        try:
            for number in range(1 + (0 if self.model is None else len(self.model.aims))):
                self.approach_ways(number).plan(())
        except NotFlat as error:
            raise NotSayable(f"players on kernels: {error}") from None

    # --- playing

    def play_hand(self, game: CompiledGame, names: Sequence[str | None], asked: bool = False) -> bool:
        """Play the hand that has been dealt, or go on with a question of it that is open (`asked`), up to its end or
        until a learner is asked, a player without a name. Whether it has ended. Raises Odd."""
        state, image, own = game.state, self.compiled.image, self.own
        own[bot.RESUMES] = asked
        own[bot.DECISION : bot.END_OF_DECISION] = 0
        wind = game.follower.round_wind
        own[bot.ROUND] = at.NONE if wind is None else wind
        levels = LEVELS if self.compiled.rules.data.seats.hands == 1 else DIVIDING
        own[bot.PLAYERS : bot.PLAYERS + len(names)] = [bot.LEARNER if name is None else levels[name] for name in names]
        own[bot.PLACES_COUNT] = self.places_count(game)
        if self.hands is not None:
            self.hands.kernel.forget_much()
        run_on, table = play_on.run, image.machine(state)
        while True:
            status = run_on(table, self.mind(game))
            if status == at.HOST:
                game.host.serve()
            elif status == at.ASK:
                game.host.answer_step()
            elif status == bot.DECIDE:
                self.answer(game)
            elif status == at.ENDED or status == bot.LEARNS:
                return bool(status == at.ENDED)
            else:
                raise Odd(f"the players stop at {int(state[at.AT])}: {int(state[at.PROBLEM])}")

    def places_count(self, game: CompiledGame) -> int:
        """The seats for which the places at the end of the match count in this hand, as bits."""
        if self.placement is None or game.follower.hands is not None:
            return 0
        everyone = self.compiled.program.everyone
        played = game.match.round * len(everyone) + game.match.dealership
        return sum(1 << seat for seat in everyone if self.placement.counts(played, seat))

    def mind(self, game: CompiledGame) -> Mind:
        """What players think with, as it is now."""
        ways, tables = self.ways.tables, self.compiled.knowledge.wins
        if tables is not None:
            tables.set_round(game.follower.round_wind)
        if self.hands is not None:
            self.keep_up(self.hands.kernel)
        if self.own[bot.PLACES_COUNT] and not self.compiled.knowledge.asks_scores:
            of_seats = [float(game.match.score_of(seat)) for seat in self.compiled.program.everyone]
            self.reals[bot.KNOWN_SCORES : bot.KNOWN_SCORES + len(of_seats)] = of_seats
        return Mind(
            self.own,
            self.reals,
            self.known,
            self.plans,
            ways.numbers.values,
            ways.rows.values,
            ways.places.values,
            self.targets,
            NO_SCORING if self.hands is None else self.hands.arguments,
            self.nothing if tables is None else tables.numbers,
        )

    def keep_up(self, kernel: KernelScores) -> None:
        """Forget the tables that scoring has forgotten."""
        if self.generation != kernel.generation:
            self.generation = kernel.generation
            self.forget_tables()

    def answer(self, game: CompiledGame) -> None:
        """Answer what the kernels ask. Raises Odd."""
        what, key, number = self.own[bot.QUESTION : bot.QUESTION + 3].tolist()
        if what == bot.PLAN and key:
            self.make_plan(key, number)
        elif what == bot.PLAN:
            self.add_classes(number)
        elif what == bot.TILES_BARRED:
            self.find_barred(game, number)
        elif what == bot.CLAIM_BARRED:
            self.find_claims_barred(game, number)
        elif what == bot.TABLE:
            self.lay_table(game, key, number)
        elif what == bot.SUIT_BARRED:
            self.find_suit_barred(key, number)
        elif what == bot.LEARN and self.hands is not None:
            self.hands.learn()
        else:
            worth = {bot.REACHES: self.reaches, bot.WEIGH: self.weighed, bot.VALUE: self.value}.get(what, self.scored)
            self.tell(worth(game, number))

    def follow(self, game: CompiledGame) -> None:
        """Bring the match in line with the machine, unless that was done for the question that is open."""
        key = game, *game.state[[at.MOVES, at.HAND_NUMBER]].tolist()
        if self.followed != key:
            self.followed = key
            game.follower.follow()

    # --- how far hands are

    def approach_ways(self, number: int) -> FlatWays:
        """The ways of an approach, by its number: for a set of tiles that bar a hand, to any form or to an aim."""
        if number not in self.ways_of:
            self.ways_of[number] = FlatWays(self.approach(number), self.ways.tables, self.ways.search)
        return self.ways_of[number]

    def approach(self, number: int) -> Approach:
        barred, aim = divmod(number, bot.OF_ONE_BAR)
        if not aim:
            return self.reader.approach_without(self.bars[barred])
        assert self.model is not None
        return self.model.aims[aim - 1].without(self.bars[barred], self.compiled.program.data)

    def add_classes(self, number: int) -> None:
        """Tell kernels the classes of melds of an approach. Raises Odd."""
        approach = self.approach_ways(number).approach
        classes = classes_of(approach)
        if max(classes) + 1 >= bot.MOST_CLASSES:
            raise Odd("many classes of melds")
        self.ways.numbers.add([0])  # a place is never 0
        self.own[bot.CLASSES + number] = self.ways.numbers.add(classes)
        self.own[bot.NEEDED + number] = needed_by(approach)

    def make_plan(self, key: int, number: int) -> None:
        """Tell kernels the plan of an approach for melds. Raises Odd."""
        groups = self.compiled.program.data.groups.groups
        count = int(self.own[bot.MELDS])
        laid = self.own[bot.MELDS + 1 : bot.MELDS + 1 + count].tolist()
        melds = tuple(Meld(one // 2, groups[one // 2].tiles, bool(one % 2)) for one in laid)
        try:
            place = self.approach_ways(number).plan(melds)
        except NotFlat as error:
            raise Odd(str(error)) from None
        if 2 * self.planned >= bot.PLANS:
            self.plans[:], self.planned = 0, 0
        spot = spot_of.run(self.plans, key)
        self.plans[2 * spot : 2 * spot + 2] = key, place
        self.planned += 1

    def find_barred(self, game: CompiledGame, seat: int) -> None:
        """Tell kernels which tiles bar a hand of the seat from winning. Raises Odd."""
        start = int(self.known[bot.BARS])
        count = int(self.known[start])
        pairs = self.known[start + 1 : start + 1 + 2 * count].reshape(count, 2).tolist()
        marks = tuple(int(game.state[at.MARK + mark * at.MOST_SEATS + own * seat]) for mark, own in pairs)
        if marks not in self.barred:
            self.follow(game)
            self.barred[marks] = View(game.match, seat).unwinnable
        tiles = self.barred[marks]
        spot = bot.BARRED + seat * bot.BARRED_ROW
        self.own[spot : spot + 3] = 1, sum(1 << tile for tile in tiles), self.bar_of(tiles)
        self.own[spot + 3 : spot + 3 + count] = marks

    def bar_of(self, tiles: frozenset[int]) -> int:
        """The number of tiles that bar a hand from winning. Raises Odd."""
        if tiles not in self.bars:
            self.bars.append(tiles)
        if len(self.bars) > bot.MOST_BARS:
            raise Odd("many sets of tiles that bar a hand from winning")
        return self.bars.index(tiles)

    def find_suit_barred(self, suit: int, bar: int) -> None:
        """Tell kernels the number of tiles that bar a hand from winning if those of a suit do, too. Raises Odd."""
        tiles, name = self.compiled.program.data.tiles, self.compiled.program.data.tiles.suits[suit].id
        given_up = frozenset(tile.plain for tile in tiles.tiles if tile.suit == name)
        self.own[bot.SUIT_BARS + bar * bot.MOST_SUITS + suit] = 1 + self.bar_of(self.bars[bar] | given_up)

    def find_claims_barred(self, game: CompiledGame, seat: int) -> None:
        """Tell kernels whether a seat that has discarded a face may not win on a discard."""
        face = int(self.own[bot.ASKED_FACE])
        self.follow(game)
        barred = View(game.match, seat).claims_barred(None if face < 0 else face)
        self.own[bot.CLAIMS_BARRED + face + 1] = 2 if barred else 1

    # --- what hands are worth

    def lay_table(self, game: CompiledGame, key: int, seat: int) -> None:
        """Tell kernels the contexts of scoring of the seat that is asked about, for claimed hands and drawn ones."""
        melds, place = self.place(game, seat)
        place = replace(place, bonus=tuple(sorted(place.bonus)), zones=())
        assert self.hands is not None
        hand, kernel, own = Hand((), melds, None, place.bonus), self.hands.kernel, self.own
        found = [kernel.context(self.worth.situation(hand, place, self_draw)) for self_draw in (False, True)]
        if 2 * self.laid >= bot.MOST_TABLES:
            self.forget_tables()
        spot = table_of.run(own, key)
        own[spot : spot + 3] = key, *found
        self.laid += 1

    def forget_tables(self) -> None:
        """Forget the contexts of scoring that kernels were told; a full table would be searched for ever."""
        self.own[bot.TABLES : bot.TABLES + 3 * bot.MOST_TABLES] = 0
        self.laid = 0

    def place(self, game: CompiledGame, seat: int) -> tuple[tuple[Meld, ...], ScoringContext]:
        """The melds of the position that is looked at, and what decides the worth of its hands besides them; kept while
        the same position is asked about."""
        own, state = self.own, game.state
        key = game, seat, *own[[bot.GROUP, bot.ASKED_VARIANT]].tolist(), *state[[at.MOVES, at.HAND_NUMBER]].tolist()
        if self.placed is None or self.placed[0] != key:
            self.placed = key, self.new_place(game, seat)
        return self.placed[1]

    def new_place(self, game: CompiledGame, seat: int) -> tuple[tuple[Meld, ...], ScoringContext]:
        own, face, follower = self.own, self.compiled.program.face, game.follower
        melds = self.melds(game, seat)
        if self.marks.lasting or self.marks.zones:
            self.follow(game)
            place = self.marks.place(View(game.match, seat))
        else:
            place = ScoringContext(seat, follower.round_wind)
        variant = int(own[bot.ASKED_VARIANT])
        if variant == bot.PROMISED:
            place = replace(place, flags=place.flags | self.marks.promised(melds))
        elif variant >= bot.DECLARED:
            offer = self.compiled.image.code.offerings[variant - bot.DECLARED].offer.id
            place = replace(place, flags=place.flags | self.reader.effects[offer].sets)
        bonus = follower.tiles("bonus", seat) if "bonus" in follower.writer.rows else ()
        return melds, replace(place, bonus=tuple(face[tile] for tile in bonus))

    def melds(self, game: CompiledGame, seat: int) -> tuple[Meld, ...]:
        """The melds of the position that is looked at."""
        own, face, follower = self.own, self.compiled.program.face, game.follower
        laid = list(follower.melds(seat)) if MELDS in follower.writer.rows else []
        melds = [meld_of(one, face, one.exposed, one.discarder) for one in laid]
        group, concealed, grown = int(own[bot.GROUP]), bool(own[bot.CONCEALED]), int(own[bot.GROWN])
        if grown >= 0:
            del melds[grown]
        if group >= 0:
            made = follower.chosen(group, seat, laid)
            assert made is not None
            melds.append(meld_of(made, face, not concealed))
        return tuple(melds)

    def asked_hand(self) -> tuple[tuple[int, ...], int]:
        """The faces that are scored, in their order, and the winning one."""
        first, program = int(self.own[bot.ASKED_TILES]), self.compiled.program
        counts = self.own[first : first + program.first].tolist()
        tiles = [face for face, count in enumerate(counts) for _ in range(count)]
        return tuple(sorted(tiles, key=program.place.__getitem__)), int(self.own[bot.ASKED_WIN])

    def asked_place(self, game: CompiledGame, seat: int) -> tuple[tuple[Meld, ...], ScoringContext]:
        """The melds of the position that is looked at, and what decides the worth of the hand that is scored."""
        melds, place = self.place(game, seat)
        return melds, place if self.own[bot.ASKED_ZONES] else replace(place, zones=())

    def situation(self, game: CompiledGame, seat: int) -> Situation:
        """The hand that is scored, as it would win."""
        (tiles, win), (melds, place) = self.asked_hand(), self.asked_place(game, seat)
        return self.worth.situation(Hand(tiles, melds, win, place.bonus), place, bool(self.own[bot.ASKED_DRAWN]))

    def tell(self, worth: float) -> None:
        """Tell kernels what they asked for. Raises Odd."""
        number = int(self.own[bot.WORTHS])
        if number == bot.MOST_WORTHS:
            raise Odd("many hands that the scoring kernel does not know")
        self.reals[bot.ANSWERED_WORTH + number] = worth
        self.own[bot.WORTHS] += 1

    def scored(self, game: CompiledGame, seat: int) -> float:
        """What a hand comes to that only the ordinary rules score."""
        return self.worth.total(self.situation(game, seat))

    # --- where the kernel of scoring knows no hand

    def value(self, game: CompiledGame, seat: int) -> float:
        """What a hand is worth to the seat."""
        (tiles, win), (melds, place) = self.asked_hand(), self.asked_place(game, seat)
        return self.worth.of(tiles, melds, win, place, not self.own[bot.ASKED_DRAWN])

    def look(self, melds: tuple[Meld, ...], which: int) -> Look:
        """The position that is looked at, queried for how far it is from any form, or (1 and more) from an aim."""
        held = self.own[bot.HELD : bot.HELD + self.compiled.program.first].tolist()
        tiles = tuple(tile for tile, count in enumerate(held) for _ in range(count))
        return self.approach(int(self.own[bot.BAR]) * bot.OF_ONE_BAR + which).look(Hand(tiles, melds))

    def reaches(self, game: CompiledGame, seat: int) -> float:
        """Whether the position is near a hand that reaches the minimum."""
        melds, place = self.place(game, seat)
        position, lots = Position((), melds, place.bonus, {}), SeededChoices(int(game.state[at.SEED]), 0, len(melds))
        try:
            return float(Minimum(self.worth, self.marks, place).is_near(self.look(melds, 0), position, lots))
        except TooManyNeeds:
            return 1.0

    def weighed(self, game: CompiledGame, seat: int) -> float:
        """What some of the nearest whole hands of an aim are worth."""
        assert self.model is not None
        melds, place = self.place(game, seat)
        chance = game.state[[at.SEED, at.PLAYER + seat, at.HAND_NUMBER]].tolist()
        aim, held = int(self.own[bot.QUESTION + 1]), self.own[bot.HELD : bot.HELD + self.compiled.program.first]
        key = aim, int(self.own[bot.BAR]), held.tobytes(), melds, place, *chance
        if key not in self.weights:
            if len(self.weights) > MOST_KNOWN:
                self.weights.clear()
            made = wholes(self.look(melds, 1 + aim), SeededChoices(*chance), self.model.targets)
            self.weights[key] = mean([self.worth.of(tuple(tiles), melds, win, place) for tiles, win in made])
        return self.weights[key]


def meld_of(one: TableMeld, face: Sequence[int], exposed: bool, discarder: int | None = None) -> Meld:
    """A group on the table, of faces."""
    wild = tuple((face[tile], stands) for tile, stands in one.wild)
    return Meld(one.group, tuple(face[tile] for tile in one.tiles), exposed, wild, discarder)
