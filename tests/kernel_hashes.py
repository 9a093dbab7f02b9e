"""A hash of games and of scores for each ruleset, to compare two builds of kernels.

`python tests/kernel_hashes.py HANDS` plays so many hands by random and fast players, a few by careful ones, and scores
twenty times as many."""

import json
import sys
from hashlib import sha256

from bundled_mods import RULESETS
from random_hands import random_hands

from tilewright.play.compiled.host import Odd
from tilewright.play.rules import Rules, load
from tilewright.players.simulation.game import table_of
from tilewright.players.simulation.run import seed_of

PLAYERS = {"random": 1, "fast": 1, "careful": 5}  # one in so many hands


def main(hands: int) -> None:
    for id in RULESETS:
        rules = load(id)
        for name, part in PLAYERS.items():
            print(id, name, games(rules, name, -(-hands // part)), flush=True)
        if rules.quick.hands is not None:
            print(id, "scores", scores(rules, 20 * hands), flush=True)


def games(rules: Rules, name: str, hands: int) -> str:
    table, said = table_of(rules, [name]), sha256()
    names = [name] * rules.data.seats.count
    for number in range(hands):
        game = table.game(seed_of(5, number), names, 1)
        try:
            result = game.hand()
        except Odd as error:
            said.update(str(error).encode())
            continue
        won = [(one.seat, one.tile, one.score.as_json()) for one in result.won]
        said.update(json.dumps([game.moves, result.answers, result.draws, won], default=str).encode())
    return said.hexdigest()[:16]


def scores(rules: Rules, hands: int) -> str:
    said = sha256()
    for situation in random_hands(rules, hands, 3):
        said.update(json.dumps(rules.score_situation(situation).as_json(), default=str, sort_keys=True).encode())
    return said.hexdigest()[:16]


if __name__ == "__main__":
    main(int(sys.argv[1]))
