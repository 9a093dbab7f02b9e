"""The record of a table: its row and its seats as in the database, what it waits for, and what everybody has seen of
its hands. People take seats and leave them, and the host assigns the others; each change is in the database first.
Knows no worker and no page that is open.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from tilewright.web.protocol import refusals
from tilewright.web.protocol.limits import Misses
from tilewright.web.protocol.messages import SeatSetup, setup_of
from tilewright.web.protocol.refusals import Text
from tilewright.web.protocol.replies import Client, OwnDocument, SeatInfo, TableInfo
from tilewright.web.protocol.spec import CARD, MOST_NAME, own_documents, read_spec
from tilewright.web.storage.models import hashed
from tilewright.web.storage.rows import SeatRow, State, TableRow, clean_name
from tilewright.web.storage.store import Store
from tilewright.web.tables.pending import Pending
from tilewright.web.tables.seats import STAND_IN, Seat, TableSeats

Plain = dict[str, Any]
EARLY = "early"  # stored with the setup of a table, and never sent: answers that wait for those of others,
REMOVED = "removed"  # and the people who may not come back
HIDDEN = (EARLY, REMOVED)
MOST_CARD, MOST_LINE = 64, 500  # characters of an id and of a line; those of strangers' cards may be long
MOST_REMOVED = 100  # people; who removes more has to stop all watching


class TableRecord:
    """`worker`: the server that plays it; `result`: of the last hand that ended, which is `hand`; `scores`: of the
    players since then; `problem`: why the table is broken, or what went wrong in its game; `is_left`: this server
    cannot play it, and leaves it as it is in the database."""

    def __init__(self, store: Store, worker: str, row: TableRow, seats: Sequence[SeatRow]) -> None:
        self.store, self.worker, self.row = store, worker, row
        self.setup, self.seats = setup_of(row.setup), TableSeats(seats)
        self.pending = Pending(self.setup, self.seats)
        self.result: Plain | None = None
        self.hand, self.scores = 0, list(row.scores)
        self.problem: Text | None = None
        self.is_left = False

    @property
    def code(self) -> str:
        return self.row.code

    @property
    def is_playing(self) -> bool:
        """Whether the game continues, whatever of it has been shown."""
        return self.row.state == "playing" and not self.is_left

    @property
    def has_secret(self) -> bool:
        """Whether walls follow from a secret of the table. Where a seed was chosen, only who chose it may play, against
        bots."""
        return self.row.secret is not None

    @property
    def state(self) -> State:
        """The public state: a table is over when its end has been shown; one that cannot be played here is broken."""
        if self.is_left and self.row.state != "over":
            return "broken"
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

    async def allow(self, what: Literal["spectators", "chat"], on: bool) -> None:
        """Store whether others may watch, or players chat."""
        await self.change(self.row.state, setup={**self.row.setup, what: on})
        self.setup = setup_of(self.row.setup)

    async def remove(self, person: int) -> None:
        """Store that a person may not come back. Raises Refused where too many are removed already."""
        removed = self.row.setup.get(REMOVED, [])
        if len(removed) >= MOST_REMOVED:
            raise refusals.not_allowed("server.removed_many")
        await self.change(self.row.state, setup={**self.row.setup, REMOVED: [*removed, person]})

    async def keep_wins(self, results: Sequence[Plain]) -> None:
        """Store the lines of cards that people have won with; what a bot won for one of them is not theirs."""
        for result in results:
            for winner in result["winners"]:
                seat, line = self.seats[winner["player"]], winner["score"].get("line")
                if winner["card"] and line and seat.row.person is not None and seat.bot is None:
                    hand = f"{self.code}/{result['hand']}"
                    await self.store.add_win(seat.row.person, winner["card"][:MOST_CARD], line[:MOST_LINE], hand)

    def see(self, result: Plain) -> None:
        """Record a hand that has ended for everybody."""
        self.result, self.hand, self.scores = result, int(result["hand"]), list(result["scores"])


# --- public information


def info_of(row: TableRow, seats: list[SeatInfo], me: int | None = None, host: bool = False) -> TableInfo:
    """The public information about a table in the database. Who may not watch is not told where it continues."""
    may_see = me is not None or host or row.setup.get("spectators", True)
    own = own_rules(row.spec)
    return TableInfo(
        code=row.code,
        name=row.setup.get("name", ""),
        spec=public_spec(row.spec),
        setup={name: value for name, value in row.setup.items() if name not in HIDDEN},
        state=row.state,
        seats=seats,
        digest=row.digest,
        next=row.next if may_see else None,
        created=row.created,
        host=host,
        me=me,
        hand=0,
        scores=list(row.scores),
        watching=0,
        spectators=[],
        problem=None,
        own=own,
        fair=row.secret is not None and all(one.kind == CARD for one in own),
    )


def own_rules(spec: Mapping[str, Any]) -> list[OwnDocument]:
    """The documents of a stored spec that people wrote themselves."""
    return [OwnDocument(kind, clean_name(one.name, MOST_NAME)) for kind, one in own_documents(read_spec(spec))]


def is_removed(setup: Mapping[str, Any], person: int) -> bool:
    """Whether the host has removed a person from the table with this stored setup."""
    return person in setup.get(REMOVED, ())


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
    found = {"id": document["id"]} if "id" in document else {}
    found |= {"name": clean_name(document["name"], MOST_NAME)} if "name" in document else {}
    return found | ({"options": public_options(options)} if options else {})


def public_options(options: Mapping[str, Any]) -> Plain:
    """Settings, with cards by their names alone."""
    return {name: named(value) if isinstance(value, dict) else value for name, value in options.items()}


# --- seats


class SeatChanges:
    """The seats of a table, as in the database."""

    def __init__(self, record: TableRecord, misses: Misses) -> None:
        self.record, self.seats, self.misses = record, record.seats, misses

    def seat(self, player: int) -> Seat:
        """A seat of this table. Raises Refused."""
        if player >= len(self.seats):
            raise refusals.bad_message("server.seat_count", count=len(self.seats))
        return self.seats[player]

    def player_of(self, client: Client, token: str | None) -> int | None:
        """The player whose seat a page is to show: its person's, or that of a secret link. Raises Refused, if that seat
        has been given up in the game."""
        player = None if token is None else self.seats.of_token(hashed(token))
        if player is None and token is not None and self.record.row.state != "waiting":
            raise refusals.not_allowed("server.dead_seat_link")
        return self.seats.of_person(client.person) if player is None else player

    def check_host(self, client: Client) -> None:
        """Raises Refused."""
        if client.person.id != self.record.row.host:
            raise refusals.not_host()

    def check_take(self, client: Client, player: int, now: int | None) -> None:
        """Check that somebody with the seat `now`, or none, may take this one. Raises Refused."""
        state = self.record.row.state
        if not self.seats[player].is_free:
            raise refusals.seat_taken()
        if not self.record.has_secret and client.person.id != self.record.row.host:
            raise refusals.not_allowed("server.seed_was_chosen")
        if state in ("over", "broken") or self.record.is_left:
            raise refusals.not_allowed("server.table_over")
        if now is not None and state == "playing":
            raise refusals.not_allowed("server.keep_seat")

    async def check_invited(self, client: Client, code: str | None) -> None:
        """Check that somebody may take a free seat: everybody who knows the table while it waits or if it is public;
        in a private game, who has the host's invite code. Raises Refused."""
        row = self.record.row
        if row.state != "playing" or row.public:
            return
        found = await self.record.store.invited(code.upper()) if code else None
        is_wrong = found is None or found.id != row.id
        self.misses.count(is_wrong and bool(code), client.address, client.person)
        if is_wrong:
            raise refusals.not_invited()

    def check_set(self, player: int, kind: SeatSetup) -> None:
        """Check that the host may assign this seat: before the game, and later if no person has it. Raises Refused."""
        state = self.record.row.state
        if not self.record.has_secret and kind.kind == "person":
            raise refusals.not_allowed("server.seed_was_chosen")
        if state != "waiting" and (state != "playing" or self.seats[player].is_persons):
            raise refusals.not_allowed("server.game_begun")

    async def take(self, client: Client, player: int) -> None:
        """Give a free seat to a person."""
        person, token = client.person, self.token_hash(client, player)
        row = replace(self.seats[player].row, person=person.id, name=person.name, token_hash=token)
        self.seats.all[player] = Seat(await self.record.store.set_seat(row))

    async def free(self, player: int) -> None:
        """Free a seat. During a game a bot keeps it to the end, unless the host invites somebody, since a newcomer
        would see hidden tiles."""
        kind = {"kind": "bot", "bot": STAND_IN} if self.record.is_playing else {}
        row = self.seats.replace(player, person=None, name="", token_hash=None, **kind)
        await self.record.store.set_seat(row)

    async def change(self, player: int, kind: SeatSetup) -> None:
        """Change who is to have the seat."""
        row = self.seats.replace(player, kind=kind.kind, bot=kind.bot, person=None, name="", token_hash=None)
        await self.record.store.set_seat(row)

    async def fill(self) -> None:
        """Give all free seats to bots."""
        for seat in self.seats.all:
            if seat.is_free:
                await self.change(seat.row.player, SeatSetup("bot", STAND_IN))

    async def call(self, person: int, name: str) -> bool:
        """Rename a person. Returns whether one of the seats is theirs."""
        found = [seat for seat in self.seats.all if seat.is_persons and seat.row.person == person]
        called = [seat for seat in found if seat.row.name != name]
        for seat in called:
            seat.row = await self.record.store.set_seat(replace(seat.row, name=name))
        return bool(called)

    async def keep_token(self, client: Client, player: int) -> None:
        """Store the token of a person's seat."""
        row, token_hash = self.seats[player].row, self.token_hash(client, player)
        if row.person == client.person.id and row.token_hash != token_hash:
            self.seats[player].row = await self.record.store.set_seat(replace(row, token_hash=token_hash))

    def token_hash(self, client: Client, player: int) -> str:
        return hashed(client.seat_token(self.record.code, player))
