"""The careful player: weighs what a hand may become against how likely that is, and avoids dealing into other hands.
The strong player does so by weights that win more; it counts the places at the end of a match in its last hand, and
forecasts listed hands tile by tile.

They know the worth of hands only from the scoring of the ruleset, and which to aim for from trials.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import log

from tilewright.hands.distance.approach import Look
from tilewright.hands.listed import NEVER
from tilewright.play.model import Move
from tilewright.play.placements import bonuses, hands_of, winning_dealer_stays
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.bots.aims import Aim, aims_of, rounds_of
from tilewright.players.bots.danger import Danger, TileUses
from tilewright.players.bots.decision import Decision
from tilewright.players.bots.fast import FastJudge
from tilewright.players.bots.forecasts import CardForecast, CardOutlook, ListedDanger, ListedPromise, Times, times_of
from tilewright.players.bots.odds import (
    CAREFUL,
    MOST_OTHERS,
    STRONG,
    Placement,
    TurnsLeft,
    Weights,
    added,
    appeal,
    loss_placed,
    mean,
    prospect,
    together,
    usual,
    worth_placed,
)
from tilewright.players.bots.position import FormReader, Position, Unchanged, reader_of
from tilewright.players.bots.random_bot import SeededChoices, question_of
from tilewright.players.bots.worth import HandValues, KnownMarks, ScoringContext, wholes

MOST_AIMS = 3  # that are examined closely
PROMISING = 0.08  # of the best one
TARGETS, FEW_TARGETS = 6, 2  # whole hands that are scored; fewer if that is slow
MANY_GROUPS = 150
MOST_KNOWN = 20_000
PRIOR = 2.0  # weight of the mean, in whole hands, against those without a tile
PAID = 0.33  # of the worth of a listed hand: what dealing into it costs, besides the own hand


class CarefulBot:
    """Plays for worth and probability, and against danger."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self.seed = seed
        self.model = model_of(Unchanged(rules))

    def choose(self, view: View) -> Move:
        """The move that promises most."""
        question, lots = question_of(view, self.seed)
        return Decision(view, question, self.model.reader, self.judge(view), lots).move()

    def judge(self, view: View) -> "CarefulJudge":
        """What judges the positions of this moment."""
        return CarefulJudge(self.model, view, self.seed, self.model.careful)

    def ended(self, view: View) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Nothing to do."""


@lru_cache(maxsize=8)
def model_of(same: Unchanged[Rules]) -> "RulesModel":
    """What careful players know of a ruleset, computed once."""
    return RulesModel(same.rules)


@dataclass(frozen=True, eq=False)
class RulesModel:
    """What is known about a ruleset."""

    rules: Rules

    @cached_property
    def careful(self) -> Weights:
        """The weights of careful players."""
        return self.adapted(CAREFUL)

    @cached_property
    def strong(self) -> Weights:
        """The weights of strong players."""
        return self.adapted(STRONG)

    def adapted(self, weights: Weights) -> Weights:
        """The weights under this ruleset: the effort for the best aim is bounded, and `loss` is an effort, no longer a
        factor."""
        best = max((aim.worth for aim in self.aims), default=0.0)
        if best > self.usual > 0:
            weights = weights._replace(eager=min(weights.eager, log(weights.most_effort) / log(best / self.usual)))
        return weights._replace(loss=weights.loss * appeal(self.lost, weights))

    @cached_property
    def reader(self) -> FormReader:
        return reader_of(Unchanged(self.rules))

    @cached_property
    def worth(self) -> HandValues:
        return HandValues(self.rules)

    @cached_property
    def aims(self) -> tuple[Aim, ...]:
        return aims_of(self.rules)

    @cached_property
    def cards(self) -> tuple[CardOutlook, ...]:
        """The forms that list their hands."""
        judge = self.rules.judge.reader
        found = ((form.card, judge.rows(form.shape)) for form in self.rules.data.forms)
        return tuple(CardOutlook(self.reader, rows, card) for card, rows in found if rows is not None)

    @cached_property
    def known(self) -> "dict[object, tuple[CompleteHand, ...]]":
        """A cache of what aims are worth for hands."""
        return {}

    @cached_property
    def targets(self) -> int:
        """How many whole hands are scored to know what an aim is worth."""
        return FEW_TARGETS if len(self.rules.data.groups.groups) > MANY_GROUPS else TARGETS

    @cached_property
    def known_marks(self) -> KnownMarks:
        return KnownMarks(self.rules)

    @cached_property
    def special(self) -> bool:
        """Whether the worth of a tile may depend on its face, or on the table."""
        tiles = self.rules.data.tiles.tiles
        return bool(self.known_marks.zones) or any(tile.plain != tile.index for tile in tiles)

    @cached_property
    def uses(self) -> TileUses:
        rows = tuple(cards.rows for cards in self.cards)
        return TileUses(self.reader, rows, self.known_marks.pledged, self.known_marks.own_are_safe)

    @cached_property
    def usual(self) -> float:
        """The usual worth of hands."""
        worths = [aim.worth for aim in self.aims if aim.worth > 0] + [cards.usual for cards in self.cards]
        return min(worths, default=1.0)

    @cached_property
    def start(self) -> ScoringContext:
        """The table at the start."""
        return ScoringContext(0, next(iter(rounds_of(self.rules)), None), flags=self.known_marks.promised(()))

    @cached_property
    def shares(self) -> tuple[float, float]:
        """For each point of a hand: what its winner gains, and how much more the discarder pays than another seat."""
        return next((self.worth.shares(made, self.start) for aim in self.aims for made in aim.made), (3.0, 1.0))

    @cached_property
    def lost(self) -> float:
        """The worth that dealing into a hand loses."""
        gain, paid = self.shares
        return 2 * self.usual * max(paid, 0.0) / gain if gain > 0 else 0.0

    @cached_property
    def placement(self) -> Placement | None:
        """The places at the end of a match; None where they do not count."""
        program, gain = self.rules.program, self.shares[0]
        of_places = tuple(float(bonus) for bonus in bonuses(program))
        if not 2 <= len(of_places) <= MOST_OTHERS + 1 or gain <= 0:
            return None
        return Placement(of_places, hands_of(program), winning_dealer_stays(program), gain, self.usual)


@dataclass(frozen=True, eq=False)
class Prospect:
    """An aim, as seen from a hand. `worths`: the worth of some of the nearest whole hands."""

    aim: Aim
    look: Look
    worths: "tuple[CompleteHand, ...]"

    @cached_property
    def worth(self) -> float:
        """The worth of such hands."""
        return mean([one.worth for one in self.worths])


@dataclass(frozen=True)
class CompleteHand:
    """A whole hand. `tiles`: its plain tiles besides groups; `added`: the part of its worth that this table adds."""

    tiles: tuple[int, ...]
    worth: float
    added: float


class CarefulJudge:
    """Judges positions of one seat at one moment by their prospects."""

    def __init__(self, model: RulesModel, view: View, seed: int, weights: Weights) -> None:
        assert view.seat is not None
        self.model = model
        self.weights = weights
        self.view = view
        self.chance = (seed, view.player(view.seat), view.hand_number - 1)
        self.place = model.known_marks.place(view)
        self.barred: dict[int | None, bool] = {}
        thrown = sum(len(view.zone(zone, at)) for zone, at, _ in model.uses.claimable)
        seats = max(1, len(view.playing))
        others = [seat for seat in view.playing if seat != view.seat]
        threat = any(view.mark(name, seat) for name in model.known_marks.pledged for seat in others)
        self.clock = TurnsLeft(thrown // seats, model.reader.wall(view) // seats, threat)

    # --- questions

    def rank(self, position: Position) -> float:
        """The prospects of a position without a tile to discard."""
        promises = [self.promise(hope, hope.look, position) for hope in self.hopes(position)]
        promises += [one.promise(self.clock) for one in self.outlooks(position)]
        return together(promises, self.weights.best)

    def discard(self, position: Position, faces: Sequence[int]) -> tuple[int, float]:
        """The best of these tiles to discard, danger deducted."""
        hopes, outlooks = self.hopes(position), self.outlooks(position)
        danger, dangers = self.danger(position), self.dangers(hopes)
        plain = self.model.reader.plain
        ranks: dict[int, float] = {}
        for face in faces:
            promises = [self.promise_without(hope, face, position) for hope in hopes]
            promises += [one.promise(self.clock, plain[face]) for one in outlooks]
            ranks[face] = together(promises, self.weights.best) - danger.of(face) * dangers
        best = max(ranks, key=ranks.__getitem__)
        return best, ranks[best]

    def danger(self, position: Position) -> Danger:
        """What discards of this position may cost."""
        return Danger(self.model.uses, self.view, position, self.weights)

    def dangers(self, hopes: Sequence[Prospect]) -> float:
        """How much danger counts: a player who continues against a declared wait will discard such tiles again."""
        steps = max(0, hopes[0].look.at_least() - 1) if hopes and self.clock.threat else 0
        return 1 + self.weights.again * steps

    def better(self, one: float, other: float) -> bool:
        """Whether it is clearly better: a claim reveals the hand."""
        return one > other * self.weights.better

    def no_worse(self, one: float, other: float) -> bool:
        """Whether it is as good, near enough."""
        return one >= other * self.weights.no_worse

    def harmless(self, position: Position, face: int) -> bool:
        """Whether the hand is no further from its best prospects without the tile."""
        for hope in self.hopes(position)[:1]:
            return hope.look.without(face).at_least() <= hope.look.at_least()
        for one in self.outlooks(position):
            return one.is_harmless(self.model.reader.plain[face])
        return True

    def pledges(self, position: Position, marks: frozenset[str]) -> bool:
        """Whether the waiting hand is worth clearly more with the marks, enough to commit to them."""
        without = replace(self.place_of(position), flags=self.place.flags)
        counts = self.model.reader.look(position).roughly[1]
        worths = []
        for place in (without, replace(without, flags=without.flags | marks)):
            total, tiles = self.worth_of_waits([(tile, position.left[tile]) for tile in counts], position, place)
            worths.append(total * tiles)
        return worths[1] > self.weights.pledged * worths[0]

    def may_win(self, position: Position) -> bool:
        """Judge it by its worth."""
        return True

    def far(self, position: Position) -> bool:
        """Whether many tiles are missing."""
        return FastJudge(self.model.reader).far(position)

    # --- aims

    def hopes(self, position: Position) -> list[Prospect]:
        """The most promising aims."""
        unseen = self.unseen(position)
        found: list[tuple[float, int, Aim, Look]] = []
        for number, aim in enumerate(self.model.aims):
            look = aim.without(position.unwinnable, self.model.rules.data).look(position.hand)
            distance = look.at_least()
            if distance < NEVER:
                tiles = sum([position.left[tile] for tile in look.roughly[1] if position.left[tile] > 0])
                likely = prospect(distance, tiles, unseen, self.clock, self.claims(aim, position), self.weights)
                found.append((likely * appeal(self.counted(aim.worth), self.weights), -number, aim, look))
        found.sort(reverse=True)
        some = [one for one in found[:MOST_AIMS] if one[0] >= PROMISING * found[0][0] > 0]
        return [Prospect(aim, look, self.worths(look, position)) for _, _, aim, look in some]

    def place_of(self, position: Position) -> ScoringContext:
        """What the table adds to the worth of a position, and what the seat can still declare."""
        flags = self.place.flags | self.model.known_marks.promised(position.melds)
        return replace(self.place, bonus=position.bonus, flags=flags)

    def worths(self, look: Look, position: Position) -> tuple[CompleteHand, ...]:
        """The worth of a few of the nearest whole hands."""
        place = self.place_of(position)
        key = (id(look.approach), look.held, position.tiles, position.melds, place, self.chance)
        known = self.model.known
        if key not in known:
            if len(known) > MOST_KNOWN:
                known.clear()
            known[key] = tuple(self.some_worths(look, position, place))
        return known[key]

    def some_worths(self, look: Look, position: Position, place: ScoringContext) -> Iterator[CompleteHand]:
        """Random whole hands, with the faces that the hand has."""
        worth, elsewhere = self.model.worth.of, replace(place, zones=())
        for tiles, win in wholes(look, SeededChoices(*self.chance), self.model.targets):
            plain, melds = tuple(tiles), position.melds
            if self.model.special:
                held = self.model.reader.as_held(plain, position)
                found = worth(held, melds, win, place)
                yield CompleteHand((*plain, win), found, found - worth(plain, melds, win, elsewhere))
            else:
                yield CompleteHand((*plain, win), worth(plain, melds, win, place), 0.0)

    def worth_without(self, hope: Prospect, face: int, position: Position) -> float:
        """The worth of the aim without a tile: lower, the more the table adds for that tile."""
        if not self.model.special:
            return hope.worth
        plain = self.model.reader.plain
        alike = [one for one in position.tiles if plain[one] == plain[face]]
        if len(set(alike)) > 1:
            return mean([one.worth for one in self.worths(hope.look, position.without(face))])
        usually = mean([one.added for one in hope.worths])
        spared = [one.added for one in hope.worths if one.tiles.count(plain[face]) < len(alike)]
        return hope.worth - usually + (added(spared) + PRIOR * usually) / (len(spared) + PRIOR)

    def promise_without(self, hope: Prospect, face: int, position: Position) -> float:
        """The prospects of an aim after a discard."""
        after = hope.look.without(face)
        distance = after.at_least()
        worth = self.worth_without(hope, face, position) if distance != 1 else None
        if distance <= hope.look.at_least() or distance == 1:
            return self.promise(hope, after, position.without(face), worth)
        worth = hope.worth if worth is None else worth
        return self.likely(hope.aim, distance, usual(distance) * self.weights.set_back, position) * self.appeal(worth)

    def promise(self, hope: Prospect, look: Look, position: Position, worth: float | None = None) -> float:
        """The prospects of an aim: its worth (by default of the whole hands), weighted by probability."""
        distance, useful = look.roughly
        counts = [(tile, position.left[tile]) for tile in useful if position.left[tile] > 0]
        if distance == 1:
            return self.promise_of_waits(hope, counts, position)
        tiles = sum(count for _, count in counts)
        worth = hope.worth if worth is None else worth
        return self.likely(hope.aim, distance, tiles, position) * self.appeal(worth)

    def promise_of_waits(self, hope: Prospect, counts: list[tuple[int, int]], position: Position) -> float:
        """The prospects of a waiting hand: its worth with each winning tile."""
        worth, tiles = self.worth_of_waits(counts, position, self.place_of(position))
        return self.likely(hope.aim, 1, tiles, position) * self.appeal(worth) if tiles else 0.0

    def worth_of_waits(
        self, counts: list[tuple[int, int]], position: Position, place: ScoringContext
    ) -> tuple[float, int]:
        """The mean worth of a waiting hand, and how many tiles it may win with."""
        claimed, worth = not self.is_barred(position, counts), self.model.worth.of
        worths = [(worth(position.tiles, position.melds, tile, place, claimed), count) for tile, count in counts]
        tiles = sum(count for one, count in worths if one > 0 < count)
        return (added(one * count for one, count in worths if count > 0) / tiles if tiles else 0.0), tiles

    def is_barred(self, position: Position, counts: list[tuple[int, int]]) -> bool:
        """Whether the hand cannot win on a discard; asked of hands after a discard."""
        marks = self.model.known_marks
        if not marks.bars_claims:
            return False
        gone = list((Counter(self.view.hand) - Counter(position.tiles)).elements())
        if len(gone) > 1:
            return False
        face = gone[0] if gone else None
        if face is not None and marks.own_are_safe and any(t == self.model.reader.plain[face] for t, _ in counts):
            return True
        if face not in self.barred:
            self.barred[face] = bool(self.view.claims_barred(face))
        return self.barred[face]

    def likely(self, aim: Aim, distance: int, tiles: float, position: Position) -> float:
        claims = self.claims(aim, position)
        return prospect(distance, tiles, self.unseen(position), self.clock, claims, self.weights)

    def claims(self, aim: Aim, position: Position) -> float:
        """How many useful tiles come by claims and draws, for each draw."""
        if not aim.open_hand:
            return self.weights.draws
        costs = self.model.known_marks.costs_by_claims(position.melds)
        return self.weights.costly if costs else self.weights.claims

    def appeal(self, worth: float) -> float:
        """How much effort a hand deserves: for its worth, and to keep others from winning."""
        weights = self.weights
        return appeal(self.counted(worth) + weights.winning * self.model.usual, weights) if worth > 0 else 0.0

    def counted(self, worth: float) -> float:
        """What it counts to win a hand of this worth: its worth alone."""
        return worth

    def unseen(self, position: Position) -> int:
        """How many tiles the seat has not seen."""
        return max(1, sum(count for count in position.left.values() if count > 0))

    # --- cards

    def outlooks(self, position: Position) -> Sequence[ListedPromise]:
        """The prospects of cards for the position."""
        found = (cards.outlook(position, self.weights) for cards in self.model.cards)
        return [one for one in found if one is not None]


class StrongBot(CarefulBot):
    """Plays as the careful player does, with other weights and better forecasts."""

    def judge(self, view: View) -> "StrongJudge":
        """What judges the positions of this moment."""
        return StrongJudge(self.model, view, self.seed, self.model.strong)


@lru_cache(maxsize=8)
def forecasts_of(model: RulesModel) -> tuple[CardForecast, ...]:
    """The forms that list their hands."""
    if not model.cards:
        return ()
    return tuple(CardForecast(cards, model.worth, model.start) for cards in model.cards)


class StrongJudge(CarefulJudge):
    """Judges positions of one seat at one moment by their prospects."""

    last: tuple[Position, Sequence[ListedPromise]] | None = None

    @property
    def forecasts(self) -> tuple[CardForecast, ...]:
        return forecasts_of(self.model)

    def outlooks(self, position: Position) -> Sequence[ListedPromise]:
        """The prospects of cards for the position."""
        if self.last is None or self.last[0] is not position:
            found = (forecast.of(position, self.times, self.weights) for forecast in self.forecasts)
            self.last = position, [one for one in found if one is not None]
        return self.last[1]

    @cached_property
    def times(self) -> Times:
        """The turns that are left."""
        return times_of(self.clock, self.unseen(self.model.reader.position(self.view)))

    @cached_property
    def match(self) -> list[float]:
        """What it knows of its match (`placement`); nothing where places do not count yet, or only some hands are
        played."""
        placement, view = self.model.placement, self.view
        assert view.seat is not None
        played = (view.round_number - 1) * view.seats + view.dealership
        if placement is None or view.hands is not None or not placement.counts(played, view.seat):
            return [0.0]
        mine, *others = (float(view.scores[(view.seat + turn) % view.seats]) for turn in range(view.seats))
        return placement.known([mine - other for other in others])

    def counted(self, worth: float) -> float:
        """What it counts to win a hand of this worth, with what that makes of the places at the end of the match."""
        return worth_placed(self.match, 0, worth)

    def danger(self, position: Position) -> Danger:
        """What discards of this position may cost: whoever deals into a hand loses the own one, too."""
        if not self.forecasts:
            lost = loss_placed(self.match, 0, self.model.lost)
            weights = self.weights._replace(loss=STRONG.loss * appeal(lost, self.weights))
            return Danger(self.model.uses, self.view, position, weights)
        own = together([one.promise(self.clock) for one in self.outlooks(position)], self.weights.best)
        weights = self.weights._replace(loss=PAID * self.model.usual + own)
        return ListedDanger(self.model.uses, self.view, position, weights)
