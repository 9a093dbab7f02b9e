"""Ledger: every answer that a client sent, and what became of it; compared with the log of its table.

The log is replayed. Each question that was put to a person is matched with an answer to just that question: what was
acknowledged has to be in the log, once, and the log may have nothing that nobody sent.
"""

import heapq
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from tilewright.play.log import Log, read_log
from tilewright.play.match import Match
from tilewright.play.resume import begun, give, verify
from tilewright.play.rules import load
from tilewright.play.view import View

Plain = dict[str, Any]
Outcome = Literal["unknown", "acknowledged", "refused"]


@dataclass
class SentAnswer:
    """An answer of a person. `outcome`: unknown, if the connection was lost before the reply."""

    question: str
    move: str
    outcome: Outcome = "unknown"


@dataclass(frozen=True)
class Asked:
    """A question to a person in a log. `move`: the answer; None if others decided before it was given, or nobody has
    answered it yet."""

    question: str
    move: str | None


@dataclass
class Ledger:
    """The answers by table and player."""

    sent: dict[str, dict[int, list[SentAnswer]]] = field(default_factory=dict)

    def send(self, table: str, player: int, question: Plain, move: Plain) -> SentAnswer:
        entry = SentAnswer(plain(question), plain(move))
        self.sent.setdefault(table, {}).setdefault(player, []).append(entry)
        return entry

    def count(self, outcome: Outcome) -> int:
        return sum(one.outcome == outcome for table in self.sent.values() for all in table.values() for one in all)


@dataclass
class Findings:
    """What the logs say: `lost` and `doubled` answers and logs that do not `verify`, each in a line; `outranked`: those
    that others' answers made pointless."""

    logs: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    outranked: int = 0


def plain(question: Mapping[str, Any]) -> str:
    """The same text for the same question or move."""
    return json.dumps(question, sort_keys=True, ensure_ascii=False)


# --- comparing


def compare(table: str, ruleset: str, lines: Sequence[str], sent: Mapping[int, Sequence[SentAnswer]]) -> Findings:
    """What became of the answers that people sent to a table."""
    found = Findings(logs=1)
    log, rules = read_log(table, "\n".join(lines) + "\n"), load(ruleset)
    if (difference := verify(log, rules)) is not None:
        found.wrong.append(f"{table}: line {difference.line} of the log is not what its replay gives")
        return found
    asked = list(questions(log, begun(log, rules)))
    for player, answers in sent.items():
        own = [one for by, one in asked if by == player]
        match_answers(f"{table}, player {player}", own, [one for one in answers if one.outcome != "refused"], found)
    return found


def questions(log: Log, game: Match) -> Iterator[tuple[int, Asked]]:
    """Every question of a log, with the player who was asked."""
    for number, answers in log.answers.items():
        for seat in game.asked:
            answer = answers.get(game.program.names[seat])
            yield game.player(seat), Asked(question_of(game, seat), None if answer is None else plain(answer))
        give(log, game, number, answers)
    for seat in game.asked:
        yield game.player(seat), Asked(question_of(game, seat), None)


def question_of(game: Match, seat: int) -> str:
    return plain(View(game, seat).to_json()["question"])


def match_answers(who: str, asked: Sequence[Asked], sent: Sequence[SentAnswer], found: Findings) -> None:
    """Match questions with answers, both in order, so that as few as possible are lost or doubled."""
    for question, answer in matched(asked, sent):
        if question is None:
            assert answer is not None
            if answer.outcome == "acknowledged":
                found.lost.append(f"{who}: {answer.move} was acknowledged")
        elif answer is None:
            if question.move is not None:
                found.doubled.append(f"{who}: the log has {question.move}, which was not sent, or only once")
        elif question.move is None:
            found.outranked += answer.outcome == "acknowledged"


def matched(asked: Sequence[Asked], sent: Sequence[SentAnswer]) -> list[tuple[Asked | None, SentAnswer | None]]:
    """Pairs of a question and its answer, and what has no other half: the cheapest way through both lists (Dijkstra),
    where an acknowledged answer without a question costs one, and so does an answer of the log that nobody sent."""
    ways: dict[tuple[int, int], tuple[int, int] | None] = {}
    heap: list[tuple[int, int, tuple[int, int], tuple[int, int] | None]] = [(0, 0, (0, 0), None)]
    goal = (len(asked), len(sent))
    while goal not in ways:
        cost, _, at, before = heapq.heappop(heap)
        if at in ways:
            continue
        ways[at] = before
        i, j = at
        question, answer = (asked[i] if i < goal[0] else None), (sent[j] if j < goal[1] else None)
        if question is not None and answer is not None and is_answered_by(question, answer):
            heapq.heappush(heap, (cost, -i - j, (i + 1, j + 1), at))
        if question is not None:
            heapq.heappush(heap, (cost + (question.move is not None), -i - j, (i + 1, j), at))
        if answer is not None:
            heapq.heappush(heap, (cost + (answer.outcome == "acknowledged"), -i - j, (i, j + 1), at))
    pairs, at = [], goal
    while (before := ways[at]) is not None:
        (i, j), (k, m) = before, at
        pairs.append((asked[i] if k > i else None, sent[j] if m > j else None))
        at = before
    return pairs[::-1]


def is_answered_by(question: Asked, answer: SentAnswer) -> bool:
    return question.question == answer.question and question.move in (None, answer.move)
