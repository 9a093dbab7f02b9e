"""Pending: what a table waits for: a moment that lasts, players who are asked, answers that are kept back. Knows no
clock."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tilewright.web.protocol.client import Client, text_of
from tilewright.web.protocol.messages import Id
from tilewright.web.tables.broadcast import ALL, NO_EVENTS, said_before
from tilewright.web.workers.pool import Beat

Plain = dict[str, Any]


@dataclass
class Hold:
    """A moment that lasts: a claim window, or a look at a result. It is over after a time, or when everybody for whom
    it waits wants to go on."""

    of: float
    until: float
    waits: set[int]
    is_pause: bool = False

    def is_over(self, now: float) -> bool:
        return now >= self.until or not self.waits


@dataclass(frozen=True)
class Held:
    """An answer that is not given yet, and who wants to know what comes of it."""

    move: Plain
    client: Client | None = None
    id: Id = None


@dataclass
class Question:
    """What players are asked. `hidden`: nobody is to know who else is asked; `since`: when it was told; `held`: answers
    that are kept back, `given`: those that the house has; `thought`: what bots would do."""

    seq: int
    players: tuple[int, ...]
    hidden: bool
    since: float
    held: dict[int, Held] = field(default_factory=dict)
    given: dict[int, Plain] = field(default_factory=dict)
    thought: dict[int, Plain | None] = field(default_factory=dict)
    thinking: set[int] = field(default_factory=set)
    refused: int = 0  # answers, one after the other

    @property
    def open(self) -> tuple[int, ...]:
        """Players who have not answered."""
        return tuple(player for player in self.players if player not in self.held and player not in self.given)

    def told_to(self, viewer: str) -> tuple[int, ...]:
        """Who is asked, as far as a viewer may know."""
        return tuple(player for player in self.open if not self.hidden or str(player) == viewer)


@dataclass(frozen=True)
class Moment:
    """A beat that is to be told, with the result of the hand that ended in it, and who answered before it."""

    beat: Beat
    result: Plain | None = None
    by: int | None = None


def claims_in(rest: Sequence[Moment]) -> Beat | None:
    """The question about a tile that has just come, if there is one: it comes next, and nothing happens before."""
    if len(rest) != 1:
        return None
    beat = rest[0].beat
    quiet = all(events == NO_EVENTS for events in beat.events.values())
    return beat if beat.asked and quiet and not beat.claim and not beat.ends else None


def is_open(beat: Beat) -> bool:
    """Everybody knows who is asked: it is their turn, or all who play are."""
    view = json.loads(beat.views[ALL])
    players = view["players"]
    playing = {players[seat] for seat in view["playing"]}
    return players.get(view["turn"]) in beat.asked or playing <= set(beat.asked)


def unasked(view: str) -> str:
    """A view of somebody who is not to know that others are asked."""
    return text_of(json.loads(view) | {"phase": "", "question": None, "refusals": []})


def some_move(view: str) -> Plain:
    """The last move that a question lists (a pass, where there is one), or the first tiles that it may be answered
    with."""
    question = json.loads(view)["question"]
    if question["moves"]:
        return dict(question["moves"][-1])
    pick = question["picks"][0]
    first = next(iter(pick.get("allowed", ())), " ".join(pick["tiles"][: pick["least"]]))
    return said_before(pick) | {pick["choose"]: first}
