"""A policy that learns Pocket by playing against itself: REINFORCE with numpy, in a minute of one core, or less.

    python examples/learning/learn.py --chart docs/learning.svg

After each round of games it plays hands against a random player that it does not learn from, in both seats, and prints
the points that it wins a hand. The chart is drawn from these.
"""

import argparse
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: threads would only wait for such small matrices

import numpy as np
from numpy.typing import NDArray

import tilewright
from tilewright.players.learning.vector import Tables, VectorTables

Rows = NDArray[np.float32]
RULES = Path(__file__).with_name("pocket.yaml")
TABLES, LEARNED, STEP = 64, 125, 0.02  # tables, hands before each step, and its size
TEXT, LINE, GRID = "light-dark(#222,#ddd)", "light-dark(#2b6f6b,#5fb3ac)", "light-dark(#ddd,#444)"
CONFIG = {
    "background": "transparent",
    "font": "sans-serif",
    "view": {"stroke": None},
    "title": {"color": TEXT, "fontSize": 14, "fontWeight": "normal"},
    "axis": {"labelColor": TEXT, "titleColor": TEXT, "gridColor": GRID, "domain": False, "tickColor": GRID},
}
EVALUATED = 1_000_000  # the first seed of the hands that only measure


@dataclass(frozen=True)
class Batch:
    """Actions of hands that are over: what was seen (n, size), allowed and likely (n, actions), chosen (n), and what
    the player that chose then won (n)."""

    seen: Rows
    likely: Rows
    chosen: NDArray[np.intp]
    won: Rows


class Policy:
    """How likely each action is: a linear function of the observation, over what the mask allows."""

    def __init__(self, size: int, actions: int, seed: int) -> None:
        self.size = size  # of the part of an observation that it looks at
        self.weights = np.zeros((size + 1, actions), np.float32)
        self.first, self.second, self.steps = np.zeros_like(self.weights), np.zeros_like(self.weights), 0
        self.lots = np.random.default_rng(seed)

    def likely(self, tables: Tables) -> Rows:
        """How likely each action is at each table."""
        values = tables.observations[:, : self.size] @ self.weights[:-1] + self.weights[-1]
        values = np.where(
            tables.masks, values - values.max(axis=1, where=tables.masks, initial=-1e9, keepdims=True), -1e9
        )
        shares: Rows = np.exp(values)
        shares /= shares.sum(axis=1, keepdims=True)
        return shares

    def choose(self, likely: Rows) -> NDArray[np.intp]:
        """An action for each table, by lot."""
        drawn = self.lots.random((len(likely), 1), np.float32) * (1 - 1e-6)
        chosen: NDArray[np.intp] = (likely.cumsum(axis=1) > drawn).argmax(axis=1)
        return chosen

    def learn(self, batch: Batch) -> None:
        """Make likelier what won more than the rest, by a step of Adam."""
        ahead = (batch.won - batch.won.mean()) / (batch.won.std() + 1e-6)
        slope = -batch.likely
        slope[np.arange(len(slope)), batch.chosen] += 1
        slope *= ahead[:, None] / len(slope)
        gradient = np.vstack([batch.seen.T @ slope, slope.sum(axis=0)])
        self.steps += 1
        self.first += 0.1 * (gradient - self.first)
        self.second += 0.001 * (gradient**2 - self.second)
        first, second = self.first / (1 - 0.9**self.steps), self.second / (1 - 0.999**self.steps)
        self.weights += STEP * first / (np.sqrt(second) + 1e-8)


def played(policy: Policy, tables: VectorTables, hands: int) -> Batch:
    """So many hands, or a few more, of the policy against itself. Hands that are not over are left out."""
    begun: list[list[tuple[Rows, Rows, int, int]]] = [[] for _ in range(tables.num_envs)]
    rows: list[tuple[Rows, Rows, int, float]] = []
    while hands > 0:
        now = tables.now
        likely = policy.likely(now)
        chosen = policy.choose(likely)
        after = tables.step(chosen)
        for table in range(tables.num_envs):
            seen, player = now.observations[table, : policy.size], int(now.players[table])
            begun[table].append((seen, likely[table], int(chosen[table]), player))
            if after.terminations[table]:
                rows += [
                    (seen, share, action, after.rewards[table, player]) for seen, share, action, player in begun[table]
                ]
                begun[table].clear()
                hands -= 1
    seen, shares, actions, won = zip(*rows, strict=True)
    return Batch(np.array(seen), np.array(shares), np.array(actions), np.array(won, np.float32))


def measured(policy: Policy, rules: tilewright.Rules, hands: int, against: str) -> tuple[float, float]:
    """The points that the policy wins a hand against another player, half of the hands in each seat, and half of the
    interval that holds them in 95 of 100 cases."""
    won: list[float] = []
    for seat in (0, 1):
        tables = VectorTables(rules, TABLES, EVALUATED, others={1 - seat: against})
        left = np.full(TABLES, max(1, hands // 2 // TABLES))  # the same number at each table, as long hands count, too
        while left.any():
            after = tables.step(policy.choose(policy.likely(tables.now)))
            counted = after.terminations & (left > 0)
            won += after.rewards[counted, seat].tolist()
            left[counted] -= 1
    return float(np.mean(won)), float(1.96 * np.std(won) / np.sqrt(len(won)))


def rounds(count: int, hands: int, against: str, tested: int, seed: int) -> Iterator[tuple[int, float, float]]:
    """The hands played until then, and what the policy wins, before and after each round."""
    rules = tilewright.load(RULES)
    tables = VectorTables(rules, TABLES, seed)
    size = tables.spaces.observations.fields["discards"].start  # without the last field: it has faces by number
    policy = Policy(size, len(tables.spaces.actions), seed)
    yield 0, *measured(policy, rules, tested, against)
    for number in range(1, count + 1):
        for _ in range(max(1, hands // LEARNED)):
            policy.learn(played(policy, tables, LEARNED))
        yield number * hands, *measured(policy, rules, tested, against)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=16)
    parser.add_argument("--hands", type=int, default=250, help="that are learned from in a round")
    parser.add_argument("--tested", type=int, default=768, help="hands that measure after each round")
    parser.add_argument("--against", default="random", help="the player that measures: random, fast or careful")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--chart", type=Path, help="draw the points of each round into this file")
    asked = parser.parse_args(arguments)
    began, points = time.process_time(), list[tuple[int, float, float]]()
    for hands, won, sure in rounds(asked.rounds, asked.hands, asked.against, asked.tested, asked.seed):
        points.append((hands, won, sure))
        print(
            f"{hands:7,} hands  {won:+.2f} ± {sure:.2f} points a hand  {time.process_time() - began:5.0f} s", flush=True
        )
    if asked.chart is not None:
        asked.chart.write_text(chart(points, f"Points a hand against the {asked.against} player"), encoding="utf-8")


def chart(points: Sequence[tuple[int, float, float]], title: str) -> str:
    """The curve with its intervals as SVG, drawn by Vega-Lite, from the extra `report`."""
    import vl_convert

    rows = [{"hands": hands, "won": won, "low": won - sure, "high": won + sure} for hands, won, sure in points]
    across = {"field": "hands", "type": "quantitative", "title": "hands of its own", "axis": {"grid": False}}
    drawn: str = vl_convert.vegalite_to_svg(
        {
            "title": {"text": title, "anchor": "start"},
            "width": 620,
            "height": 240,
            "data": {"values": rows},
            "encoding": {"x": across},
            "layer": [
                {
                    "mark": {"type": "area", "opacity": 0.25, "color": LINE},
                    "encoding": {
                        "y": {"field": "low", "type": "quantitative", "title": "points a hand"},
                        "y2": {"field": "high"},
                    },
                },
                {"mark": {"type": "line", "color": LINE}, "encoding": {"y": {"field": "won", "type": "quantitative"}}},
            ],
            "config": CONFIG,
        },
        vl_version="v5.21",
    )
    return drawn.replace("<svg ", '<svg style="color-scheme: light dark" ', 1) + "\n"


if __name__ == "__main__":
    main()
