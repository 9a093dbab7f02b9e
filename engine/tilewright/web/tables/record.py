"""The record of a table: its row and its seats as in the database, what it waits for, and what everybody has seen of
its hands. Knows no worker and no page.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tilewright.web.protocol.messages import setup_of
from tilewright.web.protocol.refusals import Text
from tilewright.web.protocol.replies import SeatInfo, TableInfo
from tilewright.web.storage import SeatRow, State, Store, TableRow
from tilewright.web.tables.pending import Pending
from tilewright.web.tables.seats import TableSeats

Plain = dict[str, Any]
EARLY = "early"  # stored with the setup of a table, and never sent: answers that wait for those of others


class TableRecord:
    """`worker`: the server that plays it; `result`: of the last hand that ended, which is `hand`; `scores`: of the
    players since then; `problem`: why the table is broken, or what went wrong in its game."""

    def __init__(self, store: Store, worker: str, row: TableRow, seats: Sequence[SeatRow]) -> None:
        self.store, self.worker, self.row = store, worker, row
        self.setup, self.seats = setup_of(row.setup), TableSeats(seats)
        self.pending = Pending(self.setup, self.seats)
        self.result: Plain | None = None
        self.hand, self.scores = 0, list(row.scores)
        self.problem: Text | None = None

    @property
    def code(self) -> str:
        return self.row.code

    @property
    def is_playing(self) -> bool:
        """Whether the game continues, whatever of it has been shown."""
        return self.row.state == "playing"

    @property
    def state(self) -> State:
        """The public state: a table is over when its end has been shown."""
        return "playing" if self.row.state == "over" and self.pending.has_more else self.row.state

    async def change(self, state: State, **fields: Any) -> None:
        """Change the state or other fields of the table, in the database first. Raises Conflict if another server plays
        it now."""
        self.row = await self.store.set_state(self.row.id, state, by=self.worker, **fields)

    @property
    def early(self) -> tuple[int, Mapping[int, dict[str, str]]]:
        """Answers that wait for those of others, by player, and how many lines the log has before them."""
        early = self.row.setup.get(EARLY)
        if not early:
            return 0, {}
        return early["lines"], {int(player): move for player, move in early["answers"].items()}

    async def keep_early(self, lines: int, answers: Mapping[int, dict[str, str]]) -> None:
        """Store the waiting answers, which the log does not have, for a server that takes over."""
        await self.change(self.row.state, setup={**self.row.setup, EARLY: {"lines": lines, "answers": answers}})

    def see(self, result: Plain) -> None:
        """Record a hand that has ended for everybody."""
        self.result, self.hand, self.scores = result, int(result["hand"]), list(result["scores"])


# --- public information


def info_of(row: TableRow, seats: list[SeatInfo]) -> TableInfo:
    """The public information about a table in the database."""
    return TableInfo(
        code=row.code,
        name=row.setup.get("name", ""),
        spec=public_spec(row.spec),
        setup={name: value for name, value in row.setup.items() if name != EARLY},
        state=row.state,
        seats=seats,
        digest=row.digest,
        next=row.next,
        created=row.created,
        host=False,
        me=None,
        hand=0,
        scores=list(row.scores),
        watching=0,
        problem=None,
    )


def public_spec(spec: Mapping[str, Any]) -> Plain:
    """A spec without its seed, and without the texts of strangers."""
    return {
        "ruleset": named(spec["ruleset"]),
        "mods": [named(mod) for mod in spec.get("mods") or ()],
        "options": public_options(spec.get("options") or {}),
        "hands": spec.get("hands"),
    }


def named(document: Mapping[str, Any]) -> Plain:
    options = document.get("options")
    found = {name: document[name] for name in ("id", "name") if name in document}
    return found | ({"options": public_options(options)} if options else {})


def public_options(options: Mapping[str, Any]) -> Plain:
    """Settings, with cards by their names alone."""
    return {name: named(value) if isinstance(value, dict) else value for name, value in options.items()}
