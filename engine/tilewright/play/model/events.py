"""Events: what happened at a table, in order. Frozen data; a view shows of each event what its seat may see.

A tile that is not public is shown to the seats in `seen_by`; everything else about an event is public, except what its
declaration in KINDS calls hidden or secret. The order of the log and the text of an event also follow from that
declaration (presentation/events.py, with the message `events.KIND` of the catalogue).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

Number = int | Fraction
Detail = tuple[tuple[str, Any], ...]
Seers = frozenset[int] | None  # seats that see something; None: everyone, spectators too


@dataclass(frozen=True, slots=True)
class Event:
    """`kind`: one of KINDS, or another step of play. `seat` did it or is affected. `tiles` are faces; `detail` is plain
    data by name, as the kind declares it. `seen_by`: who sees the tiles and the details called secret; None: everyone.
    `just_drawn`: the tile leaves the hand that has just drawn it; it follows from the events before, and is not logged.
    """

    kind: str
    seat: int | None = None
    tiles: tuple[int, ...] = ()
    detail: Detail = ()
    seen_by: Seers = None
    just_drawn: bool = False

    def get(self, name: str) -> Any:
        """The detail of this name; None if there is none."""
        return dict(self.detail).get(name)


# --- kinds

DetailType = Literal[
    "text",
    "number",
    "truth",
    "values",  # plain data of any shape
    "seat",
    "seats",
    "tiles",
    "place",  # ZONE, or ZONE@SEAT
    "places",
    "names",  # by language
    "answers",  # moves by seat
    "zone",
    "offer",
    "mark",
    "phase",
    "measure",
]


@dataclass(frozen=True, slots=True)
class EventKind:
    """What an event of a kind holds. `detail`: each detail, in the order of the log, with its type; `secret`: details
    for those who see the tiles; `hidden`: the whole event is for them; `routine`: everybody knows it anyway, so only a
    record shows it; `sound`: the sound it makes at a table."""

    name: str
    detail: Mapping[str, DetailType] = field(default_factory=dict)
    secret: frozenset[str] = frozenset()
    hidden: bool = False
    routine: bool = False
    sound: str = ""


ANSWERS = "answers"  # the kind that holds the answers, from which a log is replayed
KINDS: Mapping[str, EventKind] = {
    kind.name: kind
    for kind in (
        EventKind(
            "hand",
            {"number": "number", "round": "number", "dealership": "number", "players": "values", "scores": "values"},
            sound="deal",
        ),
        EventKind("deal_hash", {"hash": "text"}, routine=True),
        EventKind("deal_seed", {"seed": "text", "salt": "text"}, routine=True),
        EventKind("shuffle", {"zone": "zone", "tiles": "number"}, routine=True),
        EventKind("wall", {"wall": "values"}, hidden=True, routine=True),
        EventKind("layout", routine=True),
        EventKind(ANSWERS, {"to": "phase", "answers": "answers"}, hidden=True, routine=True),
        EventKind("take", {"offer": "offer"}),
        EventKind("draw", {"from": "place", "to": "place", "count": "number"}, sound="draw"),
        EventKind("move", {"from": "place", "to": "place", "count": "number"}, sound="discard"),
        EventKind("swap", {"places": "places"}, sound="claim"),
        EventKind(
            "meld",
            {"exposed": "truth", "stands_for": "tiles", "hand": "number"},
            secret=frozenset({"stands_for"}),
            sound="claim",
        ),
        EventKind("reveal"),
        EventKind("mark", {"name": "mark", "value": "values"}, hidden=True),
        EventKind("roll", {"name": "mark", "value": "values"}, hidden=True),
        EventKind("told", {"name": "names", "answers": "answers"}),
        EventKind("retire"),
        EventKind("finish", {"hand": "number"}),
        EventKind(
            "declare",
            {
                "self_draw": "truth",
                "discarder": "seat",
                "hand": "number",
                "total": "number",
                "unit": "measure",
                "values": "values",
                "patterns": "values",
                "reading": "values",
                "form": "text",
                "line": "text",
                "group": "text",
            },
            sound="win",
        ),
        EventKind(
            "pay",
            {"payments": "text", "line": "text", "from": "seat", "to": "seat", "amount": "number"},
        ),
        EventKind("problem", {"says": "text"}),
        EventKind("result", {"ended": "phase", "winners": "seats", "gains": "values"}, sound="over"),
        EventKind("over", {"scores": "values", "placement": "values"}, sound="over"),
    )
}


STEP = EventKind(  # a step without a kind of its own: any detail of steps
    "step",
    {
        "from": "place",
        "to": "place",
        "count": "number",
        "zone": "zone",
        "places": "places",
        "exposed": "truth",
        "stands_for": "tiles",
        "name": "mark",
        "value": "values",
    },
    secret=frozenset({"stands_for", "name", "value"}),
)


def kind_of(event: Event) -> EventKind:
    """What events of a kind hold."""
    return KINDS.get(event.kind, STEP)
