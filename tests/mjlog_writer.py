"""A game of riichi as an mjlog: what a server would have written of it. In: a game that is over. Out: XML.

Tiles get the numbers 0 to 135 in the order in which they are seen; of the yaku only the sum of han is told.
"""

from collections import Counter
from dataclasses import dataclass, field

from tilewright.play.match import Match
from tilewright.play.model import Event

DRAWS, DISCARDS = "TUVW", "DEFG"
KINDS = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)] + ["E", "S", "W", "N", "P", "F", "C"]
RED = {"0m": 16, "0p": 52, "0s": 88}
TYPES = {"aborted": "yao9"}


def mjlog(game: Match) -> str:
    """The whole log."""
    options = game.program.data.options
    type = 1 | (0 if options["red_fives"] else 2) | (0 if options["open_tanyao"] else 4)
    type |= 8 if options["length"] != "east" else 0
    writer = MjlogWriter(game)
    for event in game.events:
        writer.take(event)
    body = "\n".join(writer.lines)
    return f'<mjloggm ver="2.3">\n<GO type="{type}" lobby="0"/>\n<TAIKYOKU oya="0"/>\n{body}\n</mjloggm>\n'


@dataclass
class MjlogWriter:
    """Follows the events of a game."""

    game: Match
    lines: list[str] = field(default_factory=list)
    counters: int = 0

    def take(self, event: Event) -> None:
        handler = getattr(self, f"on_{event.kind}", None)
        if handler is not None:
            handler(event)

    # --- the hand

    def on_hand(self, event: Event) -> None:
        players = event.get("players")
        self.player = [players[name] for name in self.game.program.names[:-1]]  # of each seat
        self.number = 4 * (event.get("round") - 1) + event.get("dealership") - 1
        self.scores = list(event.get("scores"))
        self.held: dict[int, list[int]] = {player: [] for player in range(4)}
        self.used: Counter[str] = Counter()
        self.indicators: list[int] = []
        self.hidden: list[int] = []
        self.pungs: dict[tuple[int, int], int] = {}  # player, kind -> the number of the meld
        self.is_dealt = False
        self.offer, self.last, self.ready = "", (0, 0), set[int]()
        self.wins: list[tuple[Event, int]] = []

    def number_of(self, face: int) -> int:
        """The number of a tile that is seen for the first time."""
        code = self.game.program.code[face]
        self.used[code] += 1
        if code in RED:
            return RED[code]
        has_red = self.game.program.data.options["red_fives"] and code[0] == "5" and len(code) == 2
        return 4 * KINDS.index(code) + self.used[code] - (0 if has_red else 1)

    def begin(self) -> None:
        """The deal is over."""
        if self.is_dealt:
            return
        self.is_dealt = True
        hands = " ".join(f'hai{player}="{listed(self.held[player])}"' for player in range(4))
        seed = f"{self.number},{self.counters},{self.scores[4] // 1000},0,0,{self.indicators[0]}"
        ten = listed([score // 100 for score in self.scores[:4]])
        self.lines.append(f'<INIT seed="{seed}" ten="{ten}" oya="{self.player[0]}" {hands}/>')

    def on_mark(self, event: Event) -> None:
        if event.get("name") == "honba":
            self.counters = event.get("value")

    # --- tiles

    def on_draw(self, event: Event) -> None:
        self.begin()
        player = self.player[event.seat]
        tile = self.number_of(event.tiles[0])
        self.held[player].append(tile)
        self.lines.append(f"<{DRAWS[player]}{tile}/>")

    def on_move(self, event: Event) -> None:
        to, origin = event.get("to"), event.get("from")
        if to.startswith("hand@"):
            self.held[self.player[event.seat]] += [self.number_of(face) for face in event.tiles]
        elif to == "dora_indicators":
            self.indicators += [self.number_of(face) for face in event.tiles]
            if self.is_dealt:
                self.lines.append(f'<DORA hai="{self.indicators[-1]}"/>')
        elif to == "ura_indicators":
            self.hidden += [self.number_of(face) for face in event.tiles]
        elif origin.startswith("hand@"):
            player = self.player[event.seat]
            tile = self.take_out(player, self.game.program.code[event.tiles[0]])
            self.last = player, tile
            self.lines.append(f"<{DISCARDS[player]}{tile}/>")

    def take_out(self, player: int, code: str) -> int:
        """A tile of the player, the last that it drew if there are several alike."""
        tile = next(tile for tile in reversed(self.held[player]) if self.code(tile) == code)
        self.held[player].remove(tile)
        return tile

    def code(self, tile: int) -> str:
        red = {number: code for code, number in RED.items()}
        has_red = self.game.program.data.options["red_fives"]
        return red[tile] if has_red and tile in red else KINDS[tile // 4]

    # --- moves

    def on_take(self, event: Event) -> None:
        self.offer = event.get("offer")
        if self.offer == "riichi":
            self.ready.add(self.player[event.seat])
            self.lines.append(f'<REACH who="{self.player[event.seat]}" step="1"/>')
        elif self.offer == "nine_terminals":
            self.begin()

    def on_meld(self, event: Event) -> None:
        player, (fed, claimed) = self.player[event.seat], self.last
        codes = [self.game.program.code[face] for face in event.tiles]
        away = (fed - player) % 4
        if self.offer in ("chow", "pung", "claimed_kong"):
            codes.remove(self.code(claimed))
            tiles = sorted([claimed, *(self.take_out(player, code) for code in codes)])
            at, kind = tiles.index(claimed), tiles[0] // 4
        if self.offer == "chow":
            copies = sum(tile % 4 << shift for tile, shift in zip(tiles, (3, 5, 7), strict=True))
            meld = (kind // 9 * 7 + kind % 9) * 3 + at << 10 | copies | 4 | away
        elif self.offer == "pung":
            apart = next(copy for copy in range(4) if 4 * kind + copy not in tiles)
            meld = 3 * kind + at << 9 | apart << 5 | 8 | away
            self.pungs[player, kind] = meld
        elif self.offer == "claimed_kong":
            meld = claimed << 8 | away
        elif self.offer == "added_kong":
            kind = next(kind for owner, kind in self.pungs if owner == player and self.code(4 * kind + 3) in codes)
            self.held[player] = [tile for tile in self.held[player] if tile // 4 != kind]
            meld = self.pungs[player, kind] & ~0x8 | 0x10
        else:
            tiles = sorted(self.take_out(player, code) for code in codes)
            meld = tiles[0] << 8
        self.lines.append(f'<N who="{player}" m="{meld}" />')

    def on_pay(self, event: Event) -> None:
        if event.get("payments") == "stick":
            self.lines.append(f'<REACH who="{self.player[self.seat(event.get("from"))]}" step="2"/>')

    def seat(self, name: str) -> int:
        return self.game.program.names.index(name)

    # --- the end

    def on_declare(self, event: Event) -> None:
        fed = event.get("discarder")
        player = self.player[event.seat]
        self.wins.append((event, player if fed is None else self.player[self.seat(fed)]))

    def on_result(self, event: Event) -> None:
        gains = event.get("gains")
        scores: list[int] = []
        for player in range(4):
            name = self.game.program.names[self.player.index(player)]
            scores += [self.scores[player] // 100, gains[name] // 100]
        sc = listed(scores)
        for won, fed in self.wins:
            player, values = self.player[won.seat], won.get("values")
            hidden = f' doraHaiUra="{listed(self.hidden)}"' if player in self.ready else ""
            worth = 'yakuman="39"' if values["yakuman"] else f'yaku="0,{values["han"]}"'
            ten = f"{values['fu']},{won.get('total')},0"
            dora = f'doraHai="{listed(self.indicators)}"'
            self.lines.append(f'<AGARI who="{player}" fromWho="{fed}" ten="{ten}" {worth} {dora}{hidden} sc="{sc}"/>')
        if not self.wins:
            type = f' type="{TYPES[event.get("ended")]}"' if event.get("ended") in TYPES else ""
            self.lines.append(f'<RYUUKYOKU{type} sc="{sc}"/>')


def listed(numbers: list[int]) -> str:
    return ",".join(map(str, numbers))
