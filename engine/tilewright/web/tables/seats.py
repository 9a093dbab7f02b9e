"""Seats: who has which seat, who is present, and who plays for whom. Knows no game."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from tilewright.web.protocol.replies import SeatInfo
from tilewright.web.storage.rows import Person, SeatRow

STAND_IN: Final = "fast"  # the bot that plays for a person


@dataclass
class Seat:
    """A seat: its row, its open pages, since when there are none, and whether a bot plays for its person."""

    row: SeatRow
    clients: set[str] = field(default_factory=set)
    left: float = 0.0
    taken_over: bool = False
    pressed: tuple[str, ...] = ()

    @property
    def is_persons(self) -> bool:
        """Whether the seat is a person's, present or away."""
        return self.row.kind == "person" and self.row.person is not None

    @property
    def is_free(self) -> bool:
        return self.row.kind == "person" and self.row.person is None

    @property
    def here(self) -> bool:
        return self.row.kind == "bot" or bool(self.clients)

    @property
    def bot(self) -> str | None:
        """The bot that answers; None if a person does."""
        if self.row.kind == "bot":
            return self.row.bot or STAND_IN
        return STAND_IN if self.taken_over or self.row.person is None else None

    def info(self) -> SeatInfo:
        """The public information about the seat."""
        return SeatInfo(
            player=self.row.player,
            kind=self.row.kind,
            bot=self.row.bot,
            name=self.row.name,
            taken=not self.is_free,
            here=self.here,
            played_by="person" if self.bot is None else "bot",
        )


class TableSeats:
    """All seats of a table, by player."""

    def __init__(self, rows: Sequence[SeatRow]) -> None:
        self.all = [Seat(row) for row in rows]

    def __getitem__(self, player: int) -> Seat:
        return self.all[player]

    def __len__(self) -> int:
        return len(self.all)

    def of_person(self, person: Person) -> int | None:
        """The player of a person."""
        return next((seat.row.player for seat in self.all if seat.is_persons and seat.row.person == person.id), None)

    def of_token(self, token_hash: str) -> int | None:
        """The player of a secret link."""
        return next(
            (seat.row.player for seat in self.all if seat.is_persons and seat.row.token_hash == token_hash), None
        )

    def replace(self, player: int, **fields: Any) -> SeatRow:
        """Replace a seat by one of another person or kind, without its pages."""
        self.all[player] = Seat(replace(self.all[player].row, **fields))
        return self.all[player].row

    @property
    def names(self) -> list[str]:
        """The names of players in a log."""
        return [seat.row.name or seat.row.bot or seat.row.kind for seat in self.all]

    @property
    def waits_for_nobody(self) -> bool:
        """Whether everybody expected is present."""
        return all(seat.row.kind == "bot" or (seat.is_persons and seat.clients) for seat in self.all)

    @property
    def taken_by_people(self) -> int:
        """How many people have a seat, present or away."""
        return sum(seat.is_persons for seat in self.all)

    @property
    def has_people(self) -> bool:
        """Whether a person has a seat, present or away."""
        return self.taken_by_people > 0

    @property
    def has_free(self) -> bool:
        return any(seat.is_free for seat in self.all)

    @property
    def people(self) -> int:
        """How many seats are for people, present or not."""
        return sum(seat.row.kind == "person" for seat in self.all)

    def playing_people(self) -> set[int]:
        """Present players who answer themselves."""
        return {player for player in self.answering_people() if self[player].clients}

    def answering_people(self) -> set[int]:
        """Players who answer themselves, present or not away for long."""
        return {seat.row.player for seat in self.all if seat.bot is None}
