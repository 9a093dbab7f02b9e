"""Logs: a match as lines of JSON, written and read; `tilewright.play.resume` plays them again.

The first line is the header: ruleset with the digest of its rules, options, mods, seed, layout. Every other line
is an event, in order: `answers` hold what the seats answered, `wall` the tiles that a function of the layout gave,
`deal_hash` and `deal_seed` what a fair hand was dealt from; the rest follows from them. Each line ends with a checksum
of itself and all lines before it. So a log proves itself: replayed, it must match byte for byte. A log that was cut
off anywhere is a match up to that place.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from hashlib import sha256
from typing import Any

from tilewright.base.arguments import expect
from tilewright.base.problem import Place, Problem, Source
from tilewright.play.chance import HandSeed
from tilewright.play.match import Match
from tilewright.play.model import Event
from tilewright.play.program import Program
from tilewright.scoring.score import json_number

ONE_SEED, FAIR_DEALS = 2, 3  # formats: a seed in the header, or one with each hand
MOST_LINES = 1_000_000
MOST_CHARACTERS = 100_000  # of a line
MOST_HANDS = 100_000


class LogError(Exception):
    """A log that cannot be read or played again; `problem` says where, why, and what to do."""

    def __init__(self, code: str, message: str, place: Place | None = None, hint: str | None = None) -> None:
        self.problem = Problem(code, message, place, hint)
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class LogHeader:
    """What was played. `players`: their names, by player, as the writer of the log calls them; `seed`:
    None if each hand has its own; `layout`: the starting position, without walls that a function gave."""

    ruleset: str
    digest: str
    seed: int | None
    options: Mapping[str, Any]
    mods: tuple[str, ...] = ()
    hands: int | None = None
    layout: Mapping[str, Any] | None = None
    players: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LoggedDeal:
    """What a log says about the deal of a hand: its number, who sits where from the dealer on, its hash, and its seed
    once it was disclosed. `line`: of the hand; `ended`: it has a result."""

    hand: int
    line: int
    players: tuple[Any, ...]
    hash: str | None = None
    seed: HandSeed | None = None
    seed_line: int = 0
    ended: bool = False


@dataclass(frozen=True, slots=True)
class Log:
    """A log that was read: its lines (without line ends), the header, and the answers of the others by their line.
    `walls`: those that a function gave, by the number of the hand; `deals`: of every hand. `rest`: the beginning of a
    line that was cut off."""

    name: str
    header: LogHeader
    lines: tuple[str, ...]
    answers: Mapping[int, Mapping[str, Any]]
    walls: Mapping[int, Any] = field(default_factory=dict)
    deals: tuple[LoggedDeal, ...] = ()
    rest: str = ""

    @property
    def breaks_off(self) -> bool:
        """Whether the log ends in a hand that has no result, but was disclosed: nobody will continue it."""
        return bool(self.deals) and self.deals[-1].seed is not None and not self.deals[-1].ended


# --- writing


class LogWriter:
    """Writes the lines of one game as it is played."""

    def __init__(self, game: Match, players: Sequence[str] = ()) -> None:
        self.program, self.done = game.program, 0
        self.sum = ""
        self.header = header_of(game, tuple(players))

    def first(self) -> str:
        """The header line."""
        header = self.header
        return self.line(
            {
                "tilewright": 1,
                "log": FAIR_DEALS if header.seed is None else ONE_SEED,
                "ruleset": header.ruleset,
                "digest": header.digest,
                "options": dict(header.options),
                "mods": list(header.mods),
                "seed": header.seed,
                "hands": header.hands,
                "layout": header.layout,
                "players": list(header.players),
            }
        )

    def more(self, game: Match) -> Iterator[str]:
        """The lines of the events since the last call."""
        for number in range(self.done, len(game.events)):
            yield self.line({"n": number + 1, **event_json(game.events[number], self.program)})
        self.done = len(game.events)

    def line(self, content: Mapping[str, Any]) -> str:
        """One line with its checksum."""
        line = summed(content, self.sum)
        self.sum = sum_in(line)
        return line


SUM = ',"sum":"'


def summed(content: Mapping[str, Any], before: str) -> str:
    """A line with its checksum. `before`: that of the line before it."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), default=number_json)
    return f'{text[:-1]}{SUM}{sha256((before + text).encode()).hexdigest()[:16]}"}}'


def sum_in(line: str) -> str:
    """The checksum of a line."""
    return line.rpartition(SUM)[2].removesuffix('"}')


def lines(game: Match, players: Sequence[str] = ()) -> Iterator[str]:
    """The log of a game so far."""
    writer = LogWriter(game, players)
    yield writer.first()
    yield from writer.more(game)


def header_of(game: Match, players: tuple[str, ...]) -> LogHeader:
    data, layout = game.program.data, None if game.layout is None else game.layout.written
    options = {name: plain_option(value) for name, value in data.options.items()}
    seed = game.seed if isinstance(game.seed, int) else None
    return LogHeader(data.id, game.digest, seed, options, data.mods, game.hands, layout, players)


def plain_option(value: Any) -> Any:
    return number_json(value) if isinstance(value, Fraction) else value


def event_json(event: Event, program: Program) -> dict[str, Any]:
    """An event as plain data: seats by name, tiles as codes."""
    found: dict[str, Any] = {"event": event.kind}
    if event.seat is not None:
        found["seat"] = program.names[event.seat]
    if event.tiles:
        found["tiles"] = [program.code[face] for face in event.tiles]
    found |= dict(event.detail)
    if event.seen_by is not None:
        found["seen_by"] = [program.names[seat] for seat in sorted(event.seen_by)]
    return found


def number_json(value: Any) -> int | float:
    return json_number(value)


# --- reading


def read_log(name: str, text: str) -> Log:
    """A log from its text, of which the last line may be cut off. Raises LogError and WrongArgument."""
    expect("a log", text, str, "a text")
    expect("the name of a log", name, str, "a text")
    found = text.split("\n")
    cut = found.pop()  # text after the last line end is an incomplete line
    if is_whole(cut):
        found.append(cut)
        cut = ""
    if not found:
        raise LogError(
            "empty-log", f"{name} has no complete line", None, "a log is written by `tilewright play --log FILE`"
        )
    if len(found) > MOST_LINES:
        raise LogError("too-many-lines", f"{name} has more than {MOST_LINES:,} lines")
    contents = [content_of(name, number, line) for number, line in enumerate(found, 1)]
    answers = {
        number: content["answers"]
        for number, content in enumerate(contents, 1)
        if content.get("event") == "answers" and isinstance(content.get("answers"), dict)
    }
    header = read_header(name, found[0], contents[0])
    return Log(name, header, tuple(found), answers, walls_in(contents), tuple(deals_in(contents)), cut)


def walls_in(contents: Iterable[Mapping[str, Any]]) -> dict[int, Any]:
    """The walls that a function gave, by the number of the hand."""
    walls, hand = {}, 0
    for content in contents:
        hand += content.get("event") == "hand"
        if content.get("event") == "wall":
            walls[hand] = content.get("wall")
    return walls


def deals_in(contents: Iterable[Mapping[str, Any]]) -> Iterator[LoggedDeal]:
    """What a log says about the deal of each hand."""
    deal: LoggedDeal | None = None
    for number, content in enumerate(contents, 1):
        match content.get("event"):
            case "hand":
                if deal is not None:
                    yield deal
                players = content.get("players")
                sitting = tuple(players.values()) if isinstance(players, dict) else ()
                deal = LoggedDeal(1 if deal is None else deal.hand + 1, number, sitting)
            case "deal_hash" if deal is not None:
                deal = replace(deal, hash=str(content.get("hash")))
            case "deal_seed" if deal is not None:
                seed = HandSeed(str(content.get("seed")), str(content.get("salt")))
                deal = replace(deal, seed=seed, seed_line=number)
            case "result" if deal is not None:
                deal = replace(deal, ended=True)
    if deal is not None:
        yield deal


def is_whole(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def content_of(name: str, number: int, line: str) -> dict[str, Any]:
    """The content of one line. Raises LogError."""
    if len(line) > MOST_CHARACTERS:
        raise LogError(
            "long-line", f"a line of {len(line):,} characters is not an event", place_of(name, number, line[:100])
        )
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise LogError(
            "not-json", "this line is not a JSON object", place_of(name, number, line), "logs are JSON lines"
        )
    return content


def place_of(name: str, number: int, line: str) -> Place:
    return Place(Source(name, "\n" * (number - 1) + line[:200]), number, 1)


def read_header(name: str, line: str, content: Mapping[str, Any]) -> LogHeader:
    place = place_of(name, 1, line)
    if content.get("tilewright") != 1 or "log" not in content:
        raise LogError("not-a-log", f"{name} does not begin like a log", place, 'the first line has "log"')
    if content["log"] not in (ONE_SEED, FAIR_DEALS):
        message = f"the log is of format {content['log']}; this program reads {ONE_SEED} and {FAIR_DEALS}"
        raise LogError("other-format", message, place)
    seed = int if content["log"] == ONE_SEED else type(None)
    for key, kinds in {**KEYS, "seed": (seed,)}.items():
        if key not in content or not isinstance(content[key], kinds) or isinstance(content[key], bool):
            raise LogError("bad-header", f"the first line has no {key} as logs do", place)
    hands = content["hands"]
    if hands is not None and not 0 < hands <= MOST_HANDS:
        raise LogError("bad-header", f"a log is of 1 to {MOST_HANDS:,} hands", place)
    return LogHeader(
        content["ruleset"],
        content["digest"],
        content["seed"],
        content["options"],
        tuple(map(str, content["mods"])),
        hands,
        content["layout"],
        tuple(map(str, content["players"])),
    )


KEYS: dict[str, tuple[type, ...]] = {
    "ruleset": (str,),
    "digest": (str,),
    "options": (dict,),
    "mods": (list,),
    "hands": (int, type(None)),
    "layout": (dict, type(None)),
    "players": (list,),
}
