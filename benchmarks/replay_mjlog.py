"""Hands that people played, played again: `replay_mjlog.py FOLDER` reads the mjlog files in a folder (Tenhou's XML,
plain or gzip), lays out every hand, makes every move of it, and prints each that is not offered and each result that
differs. The exit code is 1 if there is any.

Logs are not shipped. Games of three are passed over.
"""

import argparse
import gzip
import re
import sys
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from tilewright import CaseError, IllegalMove, Rules, load
from tilewright.play.match import Match

MOST_BYTES = 8 << 20  # of a file, unpacked
MOST_SHOWN = 100  # differences that are printed
SUFFIXES = (".mjlog", ".xml", ".gz")
GZIP = b"\x1f\x8b"
SEATS = "ESWN"
DRAWS, DISCARDS = "TUVW", "DEFG"
MOVED = re.compile(r"([TUVWDEFG])(\d{1,3})")
NO_RED, NO_OPEN_SIMPLES, SOUTH, THREE = 0x02, 0x04, 0x08, 0x10  # bits of the type of a game
RED = {16: "0m", 52: "0p", 88: "0s"}
KINDS = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)] + ["E", "S", "W", "N", "P", "F", "C"]
ENDS = {"yao9": "aborted", "kaze4": "aborted", "reach4": "aborted", "ron3": "aborted", "kan4": "aborted"}
OTHERWISE = "exhausted"  # the phase that a hand without a winner ends with
COUNTERS, INDICATORS, HIDDEN = "honba", "dora_indicators", "ura_indicators"  # as the ruleset calls them


class Unreadable(Exception):
    """A file that is no mjlog, or none that can be played."""


class Differs(Exception):
    """What is not as in the log."""


@dataclass(frozen=True, slots=True)
class Played:
    """What a game is played by."""

    red: bool
    open_tanyao: bool
    south: bool

    @staticmethod
    def of(type: int) -> "Played":
        return Played(not type & NO_RED, not type & NO_OPEN_SIMPLES, bool(type & SOUTH))

    def code(self, tile: int) -> str:
        """A tile by its number, 0 to 135."""
        if not 0 <= tile < 4 * len(KINDS):
            raise Unreadable(f"there is no tile {tile}")
        return RED[tile] if self.red and tile in RED else KINDS[tile // 4]

    def codes(self, tiles: str) -> list[str]:
        return [self.code(int(tile)) for tile in tiles.split(",") if tile]


@dataclass(slots=True)
class Hand:
    """One hand: how it begins, and its tags in order."""

    played: Played
    start: Mapping[str, str]
    tags: list[ElementTree.Element] = field(default_factory=list)

    @property
    def dealer(self) -> int:
        return int(self.start["oya"])

    @property
    def numbers(self) -> list[int]:
        """Round with dealer, counters, sticks, two dice, indicator."""
        return [int(number) for number in self.start["seed"].split(",")]

    @property
    def name(self) -> str:
        number, counters, *_ = self.numbers
        return f"{SEATS[number // 4 % 4]}{number % 4 + 1}.{counters}"

    def seat(self, player: int) -> int:
        return (player - self.dealer) % 4


@cache
def rules_of(played: Played) -> Rules:
    """The rules; sticks that are left over stay where the log has them."""
    return load(
        "riichi",
        {
            "red_fives": 1 if played.red else 0,
            "open_tanyao": played.open_tanyao,
            "length": "south" if played.south else "east",
            "sticks_to_first": False,
        },
    )


# --- reading


def content_of(path: Path) -> bytes:
    """The XML in a file. Raises Unreadable."""
    with path.open("rb") as stream:
        data = stream.read(MOST_BYTES + 1)
    if data.startswith(GZIP):
        try:
            with gzip.open(path) as stream:
                data = stream.read(MOST_BYTES + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise Unreadable(f"it cannot be unpacked: {error}") from None
    if len(data) > MOST_BYTES:
        raise Unreadable(f"it is larger than {MOST_BYTES >> 20} MB")
    return data


def hands_of(data: bytes) -> list[Hand]:
    """The hands of a log. Raises Unreadable."""
    if b"<!" in data or b"\0" in data:
        raise Unreadable("it has declarations, which no mjlog has")  # nothing in it is expanded
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise Unreadable(f"it is no XML: {error}") from None
    if root.tag != "mjloggm":
        raise Unreadable(f"it begins with <{root.tag:.20}>, and not with <mjloggm>")
    type = next((int(tag.get("type", "")) for tag in root if tag.tag == "GO"), 0)
    if type & THREE:
        raise Unreadable("three play in it, which is passed over")
    hands: list[Hand] = []
    for tag in root:
        if tag.tag == "INIT":
            hands.append(Hand(Played.of(type), tag.attrib))
        elif hands:
            hands[-1].tags.append(tag)
    return hands


# --- a hand


def layout_of(hand: Hand) -> dict[str, Any]:
    """Where the hand begins, and which tiles come to whom."""
    played, (number, counters, sticks, _, _, indicator) = hand.played, hand.numbers
    came = [played.codes(hand.start[f"hai{player}"]) for player in range(4)]
    indicators, hidden = [played.code(indicator)], list[str]()
    for tag in hand.tags:
        moved = MOVED.fullmatch(tag.tag)
        if moved and moved[1] in DRAWS:
            came[DRAWS.index(moved[1])].append(played.code(int(moved[2])))
        elif tag.tag == "DORA":
            indicators.append(played.code(int(tag.attrib["hai"])))
        elif tag.tag == "AGARI":
            hidden = played.codes(tag.get("doraHaiUra", "")) or hidden
    scores = [int(score) * 100 for score in hand.start["ten"].split(",")]
    return {
        "round_wind": SEATS[number // 4],
        "dealer": SEATS[hand.dealer],
        "scores": {SEATS[hand.seat(player)]: score for player, score in enumerate(scores[:4])},
        "pot": 1000 * sticks,
        "marks": {COUNTERS: counters},
        "walls": [
            {
                "hands": {SEATS[hand.seat(player)]: tiles for player, tiles in enumerate(came)},
                "zones": {INDICATORS: indicators, HIDDEN: hidden},
            }
        ],
    }


@dataclass
class Replay:
    """A hand that is played again."""

    hand: Hand
    game: Match
    moves: int = 0
    wins: list[ElementTree.Element] = field(default_factory=list)

    def play(self) -> None:
        """Make every move, then compare the result. Raises Differs."""
        for tag in self.hand.tags:
            moved = MOVED.fullmatch(tag.tag)
            if moved and moved[1] in DRAWS:
                self.draw(DRAWS.index(moved[1]), self.hand.played.code(int(moved[2])))
            elif moved:
                tile = self.hand.played.code(int(moved[2]))
                self.make((self.hand.seat(DISCARDS.index(moved[1])), "discard", tile))
            elif tag.tag == "N":
                self.meld(int(tag.attrib["who"]), int(tag.attrib["m"]))
            elif tag.tag == "REACH" and tag.get("step") == "1":
                self.make((self.hand.seat(int(tag.attrib["who"])), "riichi", ""))
            elif tag.tag == "AGARI":
                self.wins.append(tag)
            elif tag.tag == "RYUUKYOKU":
                self.end_without_winner(tag)
        if self.wins:
            self.end_with_winners()
        elif not any(tag.tag == "RYUUKYOKU" for tag in self.hand.tags):
            raise Differs("the log says no result")

    # --- moves

    def draw(self, player: int, tile: str) -> None:
        """The seat has drawn this tile, after whoever is asked before has passed."""
        seat = self.hand.seat(player)
        self.pass_on()
        drawn = self.game.drawn[seat]
        found = "nothing" if drawn is None else self.game.program.code[drawn]
        if self.game.asked != (seat,) or found != tile:
            raise Differs(f"{SEATS[seat]} draws {tile}; here it has drawn {found}, and asked is {self.asked()}")

    def meld(self, player: int, code: int) -> None:
        does, tiles = read_meld(code)
        text = " ".join(self.hand.played.code(tile) for tile in tiles)
        self.make((self.hand.seat(player), does, text))

    def make(self, *moves: tuple[int, str, str]) -> None:
        """Make moves that are answers to one question, as soon as it is asked. Raises Differs."""
        why: IllegalMove | None = None
        while True:
            try:
                found = [self.game.move(does, *filter(None, [text]), seat=seat) for seat, does, text in moves]
                break
            except IllegalMove as error:
                why = why or error
                if not self.may_pass():
                    said = ", ".join(f"{SEATS[seat]} {does} {text}".rstrip() for seat, does, text in moves)
                    raise Differs(f"{said} is not offered: {why}") from None
                self.game.pass_all()
        window = self.game.window
        for move in found:
            self.game.answer(move)
        self.moves += len(found)
        if self.game.window is window and window is not None and not self.game.over:
            self.game.pass_all()

    def may_pass(self) -> bool:
        return self.game.window is not None and self.game.window.may_pass

    def pass_on(self) -> None:
        """Pass until somebody has to do something."""
        while self.may_pass():
            self.game.pass_all()

    def asked(self) -> str:
        return " and ".join(SEATS[seat] for seat in self.game.asked) or "nobody"

    # --- results

    def end_without_winner(self, tag: ElementTree.Element) -> None:
        kind = tag.get("type", "")
        if kind == "yao9" and self.game.asked:
            self.make((self.game.asked[0], "nine_terminals", ""))
        elif kind == "ron3":
            seats = [
                seat for seat in self.game.asked if any(move.does == "win" for move in self.game.legal_moves(seat))
            ]
            self.make(*((seat, "win", "") for seat in seats))
        else:
            self.pass_on()
        self.expect_end(ENDS.get(kind, OTHERWISE))
        self.expect_scores(tag)

    def end_with_winners(self) -> None:
        self.make(*((self.hand.seat(int(tag.attrib["who"])), "win", "") for tag in self.wins))
        self.expect_end("won")
        won = {one.seat: one.score for one in self.game.results[0].won}
        for tag in self.wins:
            seat = self.hand.seat(int(tag.attrib["who"]))
            if seat not in won:
                raise Differs(f"{SEATS[seat]} wins; here it does not")
            self.expect_score(seat, tag, won[seat].total, won[seat].values)
        self.expect_scores(self.wins[-1])

    def expect_end(self, phase: str) -> None:
        if not self.game.over:
            raise Differs(f"the hand ends ({phase}); here {self.asked()} is asked")
        if self.game.results[0].ended != phase:
            raise Differs(f"the hand ends with {phase}; here with {self.game.results[0].ended}")

    def expect_score(self, seat: int, tag: ElementTree.Element, total: Any, values: Mapping[str, Any]) -> None:
        """The winner has as many points, and below a yakuman as many fu and han."""
        fu, points, _ = (int(number) for number in tag.attrib["ten"].split(","))
        log, found = {"points": points}, {"points": total}
        if not tag.get("yakuman"):
            numbers = [int(number) for number in tag.get("yaku", "").split(",") if number]
            log |= {"fu": fu, "han": sum(numbers[1::2])}
            found |= {"fu": values["fu"], "han": values["han"]}
        if log != found:
            raise Differs(f"{SEATS[seat]} wins {told(log)}; here {told(found)}")

    def expect_scores(self, tag: ElementTree.Element) -> None:
        """Everyone has as many points after the hand."""
        numbers = [int(number) for number in tag.attrib["sc"].split(",")]
        log = [100 * (before + gain) for before, gain in zip(numbers[0:8:2], numbers[1:8:2], strict=True)]
        found = list(self.game.results[0].scores)
        if log != found:
            raise Differs(f"the scores are {log}; here {found}")


def told(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{value} {name}" for name, value in values.items())


def read_meld(code: int) -> tuple[str, list[int]]:
    """What a seat does, and the tiles of its group, by the number of a meld."""
    if code & 0x4:
        pattern = code >> 10
        lowest = pattern // 3 // 7 * 9 + pattern // 3 % 7
        return "chow", [4 * (lowest + at) + (code >> shift & 3) for at, shift in enumerate((3, 5, 7))]
    if code & 0x18:
        kind, apart = (code >> 9) // 3, code >> 5 & 3
        four = [4 * kind + copy for copy in range(4)]
        return ("pung", [t for t in four if t % 4 != apart]) if code & 0x8 else ("added_kong", four)
    if code & 0x20:
        raise Unreadable("a north is set aside, which games of four do not know")
    kind = (code >> 8) // 4
    return "claimed_kong" if code & 3 else "kong", [4 * kind + copy for copy in range(4)]


# --- all of them


@dataclass
class Summary:
    """What was counted."""

    files: int = 0
    passed_over: int = 0
    hands: int = 0
    moves: int = 0
    differences: list[str] = field(default_factory=list)


def replay_file(path: Path, summary: Summary) -> None:
    """Play the hands of a file again."""
    try:
        hands = hands_of(content_of(path))
    except (Unreadable, ValueError, KeyError, OSError) as error:
        summary.passed_over += 1
        print(f"{path}: {error}", file=sys.stderr)
        return
    summary.files += 1
    for hand in hands:
        try:
            replay_hand(hand, summary)
        except (Differs, Unreadable, CaseError, IllegalMove) as error:
            summary.differences.append(f"{path}: {hand.name}: {error}")
        except (ValueError, KeyError, IndexError) as error:
            summary.differences.append(f"{path}: a hand cannot be read: {error!r}")
        summary.hands += 1


def replay_hand(hand: Hand, summary: Summary) -> None:
    """Play a hand again. Raises Differs."""
    replay = Replay(hand, rules_of(hand.played).game(0, hands=1, layout=layout_of(hand)))
    try:
        replay.play()
    finally:
        summary.moves += replay.moves


def files_in(folder: Path) -> Iterator[Path]:
    if folder.is_file():
        yield folder
    yield from (path for path in sorted(folder.rglob("*")) if path.suffix in SUFFIXES and path.is_file())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the files are (*.mjlog, *.xml, *.gz), or one of them")
    folder = parser.parse_args().folder
    if not folder.exists():
        parser.error(f"there is no {folder}")
    summary = Summary()
    for path in files_in(folder):
        replay_file(path, summary)
    for difference in summary.differences[:MOST_SHOWN]:
        print(difference)
    if len(summary.differences) > MOST_SHOWN:
        print(f"... and {len(summary.differences) - MOST_SHOWN:,} more")
    passed = f", {summary.passed_over:,} passed over" if summary.passed_over else ""
    print(f"{summary.files:,} files{passed}, {summary.hands:,} hands, {summary.moves:,} moves,", end=" ")
    print(f"{len(summary.differences):,} differences")
    return 1 if summary.differences else 0


if __name__ == "__main__":
    sys.exit(main())
