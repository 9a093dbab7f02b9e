"""The table in lines: a view in, the lines for each seat and the middle out; and those of how a hand ended.

A hidden tile is shown as its back, a row that is all hidden as a number. Knows only the width of the screen.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain, zip_longest
from typing import Any

from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from tilewright.language.compiled.ruleset import Mark, Zone
from tilewright.play.model import HandResult, SeenMeld, Won
from tilewright.play.view import View
from tilewright.presentation.console import Row, folded, table
from tilewright.presentation.events import end_lines, points_lines, ranked_lines, round_lines
from tilewright.presentation.names import RulesetNames, is_named
from tilewright.presentation.scores import score_lines
from tilewright.scoring.score import show_number
from tilewright.terminal.session import GameSession

HAND, MELDS = "hand", "melds"
MOST_BOXES = 3  # next to each other
STATES = {"open": "dim", "dead": "red", "won": "bold green"}  # of a hand, and how its name is shown
INDENT = 4  # cells by which the second line of a seat is indented
GAP = "  "


@dataclass(frozen=True)
class SeatLines:
    """How the table looks in a view, in so many cells. `hands`: hands that are shown in addition to the view;
    `sorted_zones`: zones whose tiles are shown in the tile set's order."""

    names: RulesetNames
    view: View
    width: int
    hands: Mapping[int, Sequence[int | None]] = field(default_factory=dict)
    sorted_zones: frozenset[str] = frozenset()

    # --- the table

    def heading(self) -> Text:
        """Game, round, hand, and the hidden tiles in the middle."""
        view = self.view
        wind = view.round_wind
        named = self.names.faces.text(wind) if wind is not None else Text(str(view.round_number))
        parts = [
            Text(self.names.name_of(self.names.data.id, self.names.data.name), "bold"),
            self.level_text("round", named),
            self.level_text("hand", Text(str(view.hand_number))),
            *(Text(f"{self.zone_name(zone)} {len(tiles)}") for zone, tiles in self.hidden_zones()),
        ]
        if view.pot:
            parts.append(Text(self.names.say("terminal.pot", amount=show_number(view.pot))))
        return Text(" · ").join(parts)

    def level_text(self, level: str, number: Text) -> Text:
        return self.names.filled("table.level_number", "", level=Text(self.names.level(level)), number=number)

    def zone_name(self, zone: Zone) -> str:
        return spaced(self.names.name_of(zone.id, zone.name))

    def hidden_zones(self) -> Iterator[tuple[Zone, Sequence[int | None]]]:
        """Zones in the middle that are all hidden; an empty one if that matters."""
        for zone, tiles in self.zones_in_the_middle():
            if all(tile is None for tile in tiles) and (tiles or zone.when_empty):
                yield zone, tiles

    def zones_in_the_middle(self) -> Iterator[tuple[Zone, Sequence[int | None]]]:
        for zone in self.names.data.zones.values():
            if zone.of == "table":
                yield zone, self.in_order(zone, self.view.zone(zone.id))

    def in_order(self, zone: Zone, tiles: Sequence[int | None]) -> Sequence[int | None]:
        """The tiles of a zone in their order, or sorted if the player wants that."""
        if zone.id not in self.sorted_zones:
            return tiles
        places = {face: place for place, face in enumerate(self.names.data.tiles.order)}
        return sorted(tiles, key=lambda face: len(places) if face is None else places[face])

    def middle(self) -> list[Text]:
        """The visible tiles in the middle of the table, and its marks."""
        rows = [
            Text.assemble((f"{self.zone_name(zone)} ", "dim"), self.names.faces.row(tiles))
            for zone, tiles in self.zones_in_the_middle()
            if any(tile is not None for tile in tiles)
        ]
        if marks := list(self.marks("table", None)):
            rows.append(Text(GAP).join(marks))
        return [line for row in rows for line in self.fold(row, 0)]

    # --- seats

    def others(self) -> list[Text]:
        """The middle and every other seat, in turn order."""
        return [line for lines in (self.middle(), *map(self.seat, self.seats_after())) for line in lines]

    def seats_after(self) -> list[int]:
        """Every other seat, in turn order."""
        first, count = self.view.seat, self.names.data.seats.count
        return list(range(count)) if first is None else [(first + way) % count for way in range(1, count)]

    def boxes(self) -> Group:
        """The same in boxes, arranged as at the table: the next player is on the right."""
        seats = self.seats_after()[::-1]
        columns = min(len(seats), MOST_BOXES) if len(seats) != 2 * MOST_BOXES - 2 else MOST_BOXES - 1
        inside = self.width // columns - 4
        grid = Grid.grid(expand=True)
        for _ in range(columns):
            grid.add_column(ratio=1)
        for start in range(0, len(seats), columns):
            row = [self.box(seat, inside) for seat in seats[start : start + columns]]
            height = max(len(lines) for _, lines in row) + 2
            grid.add_row(
                *(
                    Panel(Text("\n").join(lines), title=title, title_align="left", height=height, border_style="dim")
                    for title, lines in row
                )
            )
        return Group(*self.middle(), grid)

    def box(self, seat: int, width: int) -> tuple[Text, list[Text]]:
        """The player, and everything else about the seat, in so many cells."""
        rows = [Text(GAP).join(self.state(seat)), Text(" ").join(self.melds(seat)), *self.zones_of(seat)]
        inside = replace(self, width=width)
        lines = [part for row in rows if row for part in inside.fold(row, 0)]
        return Text.assemble(self.turn_mark(seat), self.name(seat)), lines

    def seat(self, seat: int) -> list[Text]:
        """The player, its groups and its other tiles."""
        person = Text.assemble(self.turn_mark(seat), self.name(seat))
        lines = [Text(GAP).join([person, *self.state(seat), *self.melds(seat)])]
        if zones := self.zones_of(seat):
            lines.append(Text.assemble(" " * INDENT, Text(GAP).join(zones)))
        return [part for line in lines for part in self.fold(line, INDENT)]

    def turn_mark(self, seat: int) -> Text:
        """A sign if it is this seat's turn."""
        return Text("▶ " if self.view.turn == seat and not self.view.over else "  ", "bold yellow")

    def name(self, seat: int) -> Text:
        """The name of the seat and its player."""
        named = self.view.name(seat)
        wind = self.view.wind(seat)
        person = self.names.people.get(named, "")
        shown = self.names.faces.text(wind, "bold") if wind is not None else Text(named, "bold")
        return Text.assemble(shown, f" {person}".rstrip())

    def state(self, seat: int) -> Iterator[Text]:
        """Its score, how many tiles it holds, its marks."""
        yield Text(show_number(self.view.scores[seat]), "bold")
        if seat != self.view.seat:
            yield self.hand(self.hands.get(seat) or self.view.zone(HAND, seat))
        yield from self.marks("seat", seat)
        if seat not in self.view.playing:
            yield Text(self.names.say("table.out"), "red")
        if seat in self.view.winners and not self.made(seat):
            yield Text(self.names.say("terminal.won"), "bold green")

    def hand(self, hand: Sequence[int | None]) -> Text:
        """A hand of another seat: how many tiles, or the tiles if they are shown."""
        if all(face is None for face in hand):
            return Text(self.names.say("events.tiles", count=len(hand)), "dim")
        return self.names.faces.row(hand)

    def melds(self, seat: int) -> Iterator[Text]:
        """The groups on the table. Of a seat that makes several hands, each hand of which something is known: its
        groups, or all its tiles once it is won."""
        melds = self.view.melds(seat)
        if not (made := self.made(seat)):
            yield from map(self.meld, melds)
        for hand in made:
            number, state = hand["hand"], hand["state"]
            name = self.names.say(f"table.hand_{state}", number=number, total=hand.get("total"))
            lying = [self.meld(one) for one in melds if one.hand == number]
            lying += [Text.assemble(("[", "dim"), text, ("]", "dim")) for text in self.won_text(hand)]
            if lying or state != "open":
                yield Text(" ").join([Text(name, STATES[state]), *lying])

    def made(self, seat: int) -> list[dict[str, Any]]:
        """The hands of a seat that makes several."""
        return self.view.hands_of(seat) if self.names.data.seats.hands > 1 else []

    def won_text(self, hand: Mapping[str, Any]) -> list[Text]:
        """The groups of a hand that was won, and its other tiles."""
        faces, codes = self.names.faces, self.names.codes
        groups = [faces.together([codes[code] for code in group]) for group in hand.get("melds", ())]
        rest = [codes[code] for code in hand.get("tiles", ())]
        return [*groups, *([faces.row(rest)] if rest else [])]

    def meld(self, lying: SeenMeld) -> Text:
        """A group in brackets; in round ones if it is concealed."""
        left, right = ("[", "]") if lying.exposed else ("(", ")")
        return Text.assemble((left, "dim"), self.names.faces.together(lying.tiles), (right, "dim"))

    def zones_of(self, seat: int) -> list[Text]:
        """The other tiles of a seat. Hands that were won are shown as such."""
        found = []
        groups = [(*one.get("melds", ()), one.get("tiles", ())) for one in self.made(seat)]
        won = Counter(self.names.codes[code] for codes in chain(*groups) for code in codes)
        for zone in self.names.data.zones.values():
            tiles = self.view.zone(zone.id, seat) if zone.of == "seat" and zone.id not in (HAND, MELDS) else ()
            if tiles and Counter(tiles) != won:
                styles = {} if zone.id in self.sorted_zones else self.styles_of_discards(zone.id, seat)
                shown = self.tiles_or_number(self.in_order(zone, tiles), styles)
                found.append(Text.assemble((f"{self.zone_name(zone)} ", "dim"), shown))
        return found

    def styles_of_discards(self, zone: str, owner: int) -> dict[int, str]:
        """The styles of discards by their index in a zone: those drawn and discarded at once are dim, those that lie
        sideways italic."""
        lying = [
            (one, one.lies[2]) for one in self.view.discards if one.lies is not None and one.lies[:2] == (zone, owner)
        ]
        return {at: "dim " * one.just_drawn + "italic" * one.sideways for one, at in lying}

    def tiles_or_number(self, tiles: Sequence[int | None], styles: Mapping[int, str]) -> Text:
        if all(tile is None for tile in tiles):
            return Text(str(len(tiles)))
        faces = self.names.faces
        return Text(" ").join(faces.text(face, styles.get(at, "").strip()) for at, face in enumerate(tiles))

    # --- marks

    def marks(self, of: str, seat: int | None) -> Iterator[Text]:
        """The marks of a seat, or of the table, that have a name and may be seen."""
        for mark in self.names.data.marks.values():
            if mark.of == of and is_named(mark.id, mark.name) and (text := self.mark_text(mark, seat)):
                yield text

    def mark_text(self, mark: Mark, seat: int | None) -> Text | None:
        """The name of a mark that is set, and its value if that is more than a truth."""
        value = self.view.mark(mark.id, seat)
        name = Text(self.names.translated(mark.name), "magenta")
        if value is None or value is False or value == () or value == "":
            return None
        return name if value is True else Text.assemble(name, " ", self.value_text(mark.type, value))

    def value_text(self, kind: str, value: object) -> Text:
        if kind == "tiles" and isinstance(value, tuple):
            return self.names.faces.row(value)
        if kind in ("seat", "seats") and isinstance(value, int):
            return Text(self.view.name(value))
        return Text(show_number(value)) if isinstance(value, int | Fraction) else Text(spaced(str(value)))

    def fold(self, line: Text, indent: int) -> list[Text]:
        """The line, wrapped."""
        return folded(line, indent, self.width, Console(width=self.width))


def spaced(id: str) -> str:
    """An id as words."""
    return id.replace("_", " ")


# --- how a hand ended


def ended_lines(result: HandResult, session: GameSession) -> list[Text]:
    """How a hand ended: every win itemised, then what each player won or paid, and the scores."""
    program, names, labels = session.table.game.program, session.names, session.labels

    def tile_of(won: Won) -> str | None:
        return None if won.tile is None else program.code[program.face[won.tile]]

    lines: list[Text] = []
    for line, won in zip_longest(end_lines(result, session.teller, tile_of), result.won):
        lines.append(session.writer.text(line, "" if won else "bold"))
        lines += [*(score_lines(won.score, names, at_table=True) if won else ()), Text()]
    seats = [f"{seat} {labels[result.player(at)]}" for at, seat in enumerate(names.seats)]
    if names.data.seats.hands > 1 and (paid := payment_lines(result, names, seats)):
        lines += [*paid, Text()]
    lines += points_lines(result, seats)
    standing = round_lines(result, session.table.game.results, names, labels)
    return [*lines, *([Text(), *standing] if standing else [])]


def payment_lines(result: HandResult, names: RulesetNames, seats: Sequence[str]) -> list[Text]:
    """Every payment between seats as it was made, with what it was for. `seats`: with their players."""
    rows: list[Row] = []
    for paid in result.payments:
        if {paid.payer, paid.payee} <= set(range(len(seats))):
            why = names.translated(names.data.payment_names.get(paid.payments, {}).get(paid.line, {}))
            rows.append([f"{seats[paid.payer]} → {seats[paid.payee]}", show_number(paid.amount), Text(why, "dim")])
    return table(rows, frozenset({1}))


def standing_lines(session: GameSession) -> list[Text]:
    """The players in the order of their scores."""
    return ranked_lines(session.table.scores, session.labels, session.table.placement)


def over_text(session: GameSession) -> str:
    """The message that the match is over."""
    return session.names.say("table.level_over", level=session.names.level("all"))


def end_text(session: GameSession) -> str:
    """The heading at the end of a hand."""
    return session.names.say("terminal.end_of", level=session.names.level("hand"))
