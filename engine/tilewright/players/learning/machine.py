"""Tables that the machine of compiled play steps together, one row of an array of states each.

In: a plan and the compiled play of its rules. Kernels answer, play on and write what is seen; here matches begin and
end, and the host of a table serves what its machine asks for. A match that the machine cannot follow is played to its
end by `Match`."""

from collections.abc import Iterable, Sequence

import numpy as np

from tilewright.base.arrays import Array
from tilewright.play.compiled.host import Odd
from tilewright.play.compiled.kernel import layout as at
from tilewright.play.compiled.play import CompiledGame, CompiledPlay
from tilewright.play.model import HandResult
from tilewright.players.compiled.play import KernelPlayers
from tilewright.players.learning.kernel import layout as learn
from tilewright.players.learning.kernel.layout import KernelRules, KernelTables
from tilewright.players.learning.kernel.tables import first_illegal, step_tables
from tilewright.players.learning.known import FirstHands, copied_rows, known_of, most_ways, told_of
from tilewright.players.learning.matches import KeptMatch, MatchTable, Plan, Tables
from tilewright.players.learning.table import LearningTable
from tilewright.players.player import RANDOM
from tilewright.players.simulation.game import AnsweringBots

Points = tuple[float, ...]


class MachineTables:
    """Many tables. The next match of a table has its seed plus the number of tables. Raises NotSayable for what kernels
    do not play. `mine`: the tables that the machine plays now, `matches`: the others; `before`: what players had when
    points were last told, `told`: how many hands had ended then, `latest`: what they had after a hand that is yet to be
    told."""

    def __init__(self, plan: Plan, arrays: Tables, compiled: CompiledPlay) -> None:
        self.plan, self.arrays, self.compiled = plan, arrays, compiled
        self.names = [plan.others.get(player) for player in range(plan.players)]
        thinks = not {RANDOM}.issuperset(plan.others.values())
        self.others = KernelPlayers(compiled, set(plan.others.values())) if thinks else None
        kinds = [learn.LEARNER if name is None else learn.THINKER if thinks else learn.RANDOM for name in self.names]
        image, known = compiled.image, known_of(plan.spaces.observations, compiled.image, kinds)
        self.of_rules = KernelRules(image.numbers, image.forms, known)
        self.first_hands = FirstHands(plan.spaces.rules)
        self.settled = self.first_hands.settled if plan.hands == 1 else learn.NEVER
        self.opening: Array = np.zeros(0, np.int64)
        self.states: Array = np.tile(compiled.image.start, (plan.tables, 1))
        self.told_first = told_of(plan.spaces.observations)
        rows = len(copied_rows(plan.spaces.observations, image))
        self.notes: Array = np.zeros((plan.tables, known[learn.COPIES] + learn.COPY * rows), np.int64)
        copies = np.zeros((plan.tables, rows * (plan.spaces.observations.tiles + 1)), np.float32)
        self.scores = np.zeros((plan.tables, plan.players + 1))  # of seats and of the pot, without those of the states
        self.before = np.zeros((plan.tables, plan.players))
        ways: Array = np.zeros((plan.tables, most_ways(image)), np.int64)
        self.of_tables = KernelTables(self.states, self.notes, ways, copies, self.scores, self.before, *arrays.parts)
        self.latest, self.told = dict[int, Points](), [0] * plan.tables
        self.none: Array = np.zeros(plan.tables, np.int64)  # actions, where tables play on without
        self.mine: Array = np.arange(plan.tables)
        self.matches: dict[int, MatchTable] = {}
        self.games: dict[int, CompiledGame] = {}

    # --- steps

    def reset(self, seed: int) -> None:
        """Every table begins anew."""
        tables = range(self.plan.tables)
        self.matches.clear()
        self.latest.clear()
        self.choose_mine()
        self.clear(slice(None))
        self.play_on([number for number in tables if self.begin(number, seed + number)])

    def step(self, actions: Array) -> bool:
        """Step every table by its action. False, and nothing has changed, where one is illegal."""
        matches, mine = self.matches, self.mine
        if matches and first_illegal.run(self.arrays.masks, np.arange(self.plan.tables), actions) >= 0:
            return False
        stopped = self.run_on(mine, actions, True)
        if stopped < 0:
            return False
        if stopped or matches:
            self.go_on(actions, [*matches.items()], self.stopped(mine))
        if self.latest:
            self.tell_hands()
        return True

    def go_on(self, actions: Array, matches: list[tuple[int, MatchTable]], stopped: list[int]) -> None:
        """Do what tables have stopped for, and step those that `Match` plays."""
        going = [number for number in stopped if self.served(number)]
        for number, match in matches:
            match.act(int(actions[number]))
            if match.table.over and self.begin(number, match.table.seed + self.plan.tables):
                going.append(number)
        self.play_on(going)

    def tell_hands(self) -> None:
        """Tell of hands that have ended at tables where somebody has acted."""
        for number in [number for number in self.latest if self.notes[number, learn.ACTED]]:
            self.tell(number, self.latest.pop(number))
            self.told[number] = len(self.games[number].match.results)

    def play_on(self, going: list[int]) -> None:
        """Play on at these tables until each asks somebody who learns."""
        while going:
            tables = np.array(going, np.int64)
            going = []
            if self.run_on(tables, self.none, False):
                going = [number for number in self.stopped(tables) if self.served(number)]

    def run_on(self, tables: Array, actions: Array, acts: bool) -> int:
        """Have kernels step these tables, by actions or without. How many of them stopped before somebody was asked who
        learns; less than 0 where an action is illegal."""
        return step_tables.run(self.of_tables, self.of_rules, self.opening, tables, actions, acts)

    def stopped(self, tables: Array) -> list[int]:
        found: list[int] = tables[self.notes[tables, learn.STATUS] != at.ASK].tolist()
        return found

    def served(self, number: int) -> bool:
        """Do what a table has stopped for. Whether the machine plays on there."""
        status = self.notes[number, learn.STATUS]
        try:
            if status == at.HOST:
                game = self.game(number)
                game.host.serve()
                self.note_match(number, game)
                return True
            if status == learn.THINKS:
                return self.others_play(number)
            if status == at.ENDED:
                return self.end_hand(number)
        except Odd:
            pass
        return self.leave(number)

    def others_play(self, number: int) -> bool:
        """Have the others play on until a learner is asked, or the hand has ended. Whether the machine plays there.
        Raises Odd."""
        game = self.game(number)
        assert self.others is not None
        ended = self.others.play_hand(game, self.names, asked=True)
        self.note_match(number, game)
        if ended:
            return self.end_hand(number)
        self.notes[number, learn.OPEN] = 1
        return True

    def note_match(self, number: int, game: CompiledGame) -> None:
        """Note what follows where the match has been asked."""
        if game.follower.made is not None:
            self.notes[number, learn.SETTLED] = learn.NEVER
            self.note_scores(number)

    def game(self, number: int) -> CompiledGame:
        """The game of a table: another one where kernels have begun it."""
        game, seed = self.games[number], int(self.states[number, at.SEED])
        if game.follower.seed != seed:
            game = self.games[number] = self.new_game(number, seed)
            game.playing = True
        return game

    def new_game(self, number: int, seed: int) -> CompiledGame:
        """The game of a table at its first deal."""
        answers = AnsweringBots(self.plan.spaces.rules, seed, self.names).choose if self.others else None
        return self.compiled.game(seed, self.plan.hands, chooses=answers, state=self.states[number])

    # --- hands and matches

    def begin(self, number: int, seed: int) -> bool:
        """Begin a match. Whether the machine plays it."""
        if self.matches.pop(number, None) is not None:
            self.choose_mine()
            self.clear(number)
        game = self.games[number] = self.new_game(number, seed)
        self.told[number] = self.notes[number, : learn.SPOTS_TOLD] = 0
        try:
            self.deal(number)
        except Odd:
            return self.leave(number)
        self.before[number] = floats(game.follower.known_scores)[:-1]
        if self.compiled.knowledge.openings:
            self.opening = self.compiled.knowledge.openings[0].parts
            self.notes[number, learn.SETTLED] = self.settled
        return True

    def deal(self, number: int) -> None:
        """Deal the next hand. Raises Odd."""
        game = self.games[number]
        game.deal()
        made, rounds = game.follower.made, self.plan.spaces.observations.rounds
        self.notes[number, learn.ROUND_NOW] = 0 if made is None else min(made.round, rounds - 1)
        self.note_scores(number)

    def end_hand(self, number: int) -> bool:
        """End the hand, and deal the next. Whether the machine plays it. Raises Odd."""
        game = self.game(number)
        result = game.end()
        if game.over:
            self.latest.pop(number, None)
            if self.notes[number, learn.ACTED]:
                self.arrays.terminations[number] = True
                self.tell(number, self.final_points(game, result))
            return self.begin(number, game.follower.seed + self.plan.tables)
        if self.plan.reward == "hand":
            self.latest[number] = floats(result.scores)
        self.deal(number)
        return True

    def final_points(self, game: CompiledGame, result: HandResult) -> Points:
        """What players have after the match."""
        if game.ended_alone and self.first_hands.settles(result.scores):
            return floats(result.scores)
        return floats(game.match.scores)

    def tell(self, number: int, points: Points) -> None:
        """Tell each player what it has won since points were last told."""
        self.arrays.rewards[number] = points - self.before[number]
        self.before[number] = points

    def note_scores(self, number: int) -> None:
        """Note the scores that the match knows; what payments have added since is in the state."""
        if self.compiled.knowledge.asks_scores:
            return  # then all of them are there
        known, state = floats(self.games[number].follower.known_scores), self.states[number]
        players = state[at.PLAYER : at.PLAYER + self.plan.players].tolist()
        self.scores[number] = [*(known[player] for player in players), known[-1]]

    # --- matches that are kept

    def seed_of(self, number: int) -> int:
        """The seed of the match of a table."""
        match = self.matches.get(number)
        return int(self.states[number, at.SEED]) if match is None else match.table.seed

    def restore(self, kept: Sequence[KeptMatch]) -> None:
        """The matches of all tables, as they were; `Match` plays them to their ends."""
        self.latest.clear()
        self.matches = {n: MatchTable.of_kept(self.plan, self.arrays, n, one) for n, one in enumerate(kept)}
        self.choose_mine()

    # --- what the machine cannot follow

    def leave(self, number: int) -> bool:
        """Have `Match` play this match from now on, after the moves until now. Whether the machine plays there: only if
        that ends the match."""
        plan, game, notes = self.plan, self.game(number), self.notes[number]
        table = LearningTable(plan.spaces, game.follower.seed, plan.hands, plan.reward)
        for seat, move in game.moves:
            question = table.game.question(seat)
            assert question is not None
            table.game.answer(question.move_of(move))
        table.ask()
        for action in notes[learn.ACTIONS : learn.ACTIONS + notes[learn.CHOSEN]].tolist():
            table.act(action)
        if self.told[number]:
            table.scores, table.told = tuple(self.before[number].tolist()), self.told[number]
        match = self.matches[number] = MatchTable(plan, self.arrays, number, table)
        self.latest.pop(number, None)
        notes[learn.STATUS] = at.ASK
        if notes[learn.ACTED]:
            match.tell()
        else:
            match.look()
        self.choose_mine()
        return match.table.over and self.begin(number, game.follower.seed + plan.tables)

    def clear(self, tables: int | slice) -> None:
        """Clear what was observed, before kernels write it, who clear what they have written."""
        self.arrays.observations[tables] = 0
        self.notes[tables, learn.SPOTS_TOLD : learn.ACTIONS] = 0
        self.notes[tables, learn.LATEST_TOLD : learn.LATEST_TOLD + len(self.told_first)] = self.told_first

    def choose_mine(self) -> None:
        self.mine = np.array([number for number in range(self.plan.tables) if number not in self.matches], np.int64)


def floats(scores: Iterable[object]) -> Points:
    return tuple(map(float, scores))  # type: ignore[arg-type]
