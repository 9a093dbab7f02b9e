"""Replaying: a log in; the game that was played out, as far as its lines are what was played, and what is wrong.

Knows no command.
"""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tilewright.authoring.open_rules import CannotBegin, Notation, RulesChoice, in_notation, open_rules
from tilewright.base.problem import Place, Problem, RulesetError, Source
from tilewright.language.documents.library import path_of
from tilewright.play.log import Log, LogError, LogWriter, place_of, read_log
from tilewright.play.match import Match
from tilewright.play.resume import begun, disclosed_part, give, undisclosed
from tilewright.play.rules import Rules
from tilewright.players.simulation.rows import HandRow, OfferCounts, Spots, row_of
from tilewright.presentation.console import show
from tilewright.presentation.record import GameRecord
from tilewright.scoring.rules import setting_text
from tilewright.terminal.saved_games import noted

STDIN = "-"
MOST_BYTES = 256_000_000  # of a log
NEAR = 30  # characters from a difference on that are quoted


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """The options of the command line. `rules`: the ruleset, if the log does not identify it; `until`: the
    event after which to stop."""

    file: str
    rules: str | None = None
    choices: RulesChoice = field(default_factory=RulesChoice)
    verify: bool = False
    until: int | None = None
    notation: Notation = "codes"


class WrongLine(Exception):
    """A line that differs from the game: `expected` was played, `found` is in the log; None is no line."""

    def __init__(self, problem: Problem, expected: str | None = None, found: str | None = None) -> None:
        self.problem, self.expected, self.found = problem, expected, found
        super().__init__(problem.message)


@dataclass
class Replayed:
    """The result: the game as far as it is valid, its hands, and the problem that ends it, if any. `undisclosed`: the
    number of the hand that could not be replayed, as the log does not have its seed."""

    file: str
    log: Log | None = None
    game: Match | None = None
    hands: list[HandRow] = field(default_factory=list)
    wrong: WrongLine | None = None
    undisclosed: int | None = None


def replayed(file: str, options: ReplayOptions | None = None, *, aloud: bool = False) -> Replayed:
    """A log replayed, as far as it is valid. Raises CannotBegin."""
    done = Replayed(file)
    try:
        replay_log(options or ReplayOptions(file, verify=True), done, aloud=aloud)
    except LogError as error:
        done.wrong = WrongLine(error.problem)
    except WrongLine as error:
        done.wrong = error
    return done


def replay_log(options: ReplayOptions, done: Replayed, *, aloud: bool) -> None:
    """Replay the log, and print the events if requested. Raises LogError, WrongLine."""
    text = text_of(options.file)
    log = done.log = read_log(options.file, text)
    rules = rules_of(log, options)
    spelling = in_notation(rules, options.notation).data.tiles.spelling
    spots: Spots = {}
    record: GameRecord | None = None
    offers = OfferCounts()
    for game in played_again(log, text, rules, offers):
        for result in game.results[len(done.hands) :]:
            last = game.over and result is game.results[-1]
            row = row_of(result, 0, log.header.seed, last, spots, rules.data, spelling, offers.rows())
            done.hands.append(row)
        done.game, spots = game, game.where
        if aloud:
            record = record or GameRecord(game, rules.data, log.header.players, spelling)
            show(record.more())
        if options.until is not None and len(game.events) >= options.until:
            break
    else:
        deal = undisclosed(log)
        done.undisclosed = None if deal is None else deal.hand
    if record is not None and not record.game.over:
        show(record.standing() if done.undisclosed is None else ["", cut_off(done.undisclosed)])


# --- replaying


def played_again(log: Log, text: str, rules: Rules, offers: OfferCounts) -> Iterator[Match]:
    """The game at each of its questions and at its end, with every line before verified; up to a hand whose seed was
    not disclosed. `offers` counts them. Raises LogError, WrongLine."""
    whole, log = log, disclosed_part(log)
    game = begun(log, rules)
    writer = LogWriter(game, log.header.players)
    number = compared(log, 0, [writer.first(), *writer.more(game)])
    yield game
    for at, answers in log.answers.items():
        if at != number + 1:
            raise not_wanted(log, number + 1, game)
        offers.see(game)
        give(log, game, at, answers)
        for answer in answers.values():
            offers.take(answer["move"])
        number = compared(log, number, writer.more(game))
        yield game
    if log.breaks_off:
        game.disclose_deal()
        number = compared(log, number, writer.more(game))
        yield game
    if number < len(log.lines):
        raise not_wanted(log, number + 1, game)
    if log is whole:
        expect_end(log, text)


def compared(log: Log, number: int, lines: Iterable[str]) -> int:
    """How many lines are valid, after `done` lines and these. Raises WrongLine for the first that is not."""
    for line in lines:
        number += 1
        if number > len(log.lines):
            message = f"line {number} is missing: {quoted(line, 0)} follows here"
            raise WrongLine(Problem("missing-line", message, end_of(log)), line)
        found = log.lines[number - 1]
        if found != line:
            raise changed(log, number, line, found)
    return number


def changed(log: Log, number: int, expected: str, found: str) -> WrongLine:
    """A line that differs from the one played, at the first different character."""
    pairs = enumerate(zip(expected, found, strict=False))
    at = next((at for at, (one, other) in pairs if one != other), min(len(expected), len(found)))
    message = f"line {number} is not what was played: {quoted(expected, at)} is expected here"
    return WrongLine(Problem("changed-line", message, at_line(log, number, at)), expected, found)


def not_wanted(log: Log, number: int, game: Match) -> WrongLine:
    """A line where the game does not continue, or only with an answer."""
    seats = " and ".join(game.program.names[seat] for seat in game.asked)
    why = "the game is over" if game.over else f"{seats} {'are' if len(game.asked) > 1 else 'is'} asked for an answer"
    message = f"line {number} does not follow from the game so far: {why} here"
    return WrongLine(Problem("extra-line", message, at_line(log, number, 0)), None, log.lines[number - 1])


def expect_end(log: Log, text: str) -> None:
    """The last line ends with a line end, and nothing follows. Raises WrongLine."""
    whole = "".join(f"{line}\n" for line in log.lines)
    if text == whole:
        return
    rest = text[len(whole) :]
    number = len(log.lines) + bool(rest)
    what = "is incomplete" if rest else "has no line end"
    hint = "a truncated log is valid up to there"
    place = Place(Source(log.name, text), number, 1 if rest else len(log.lines[-1]) + 1)
    raise WrongLine(Problem("cut-line", f"line {number} {what}", place, hint), None, rest or None)


def quoted(line: str, at: int) -> str:
    """A line from a character on."""
    return f"'{line[at : at + NEAR]}{'…' if len(line) > at + NEAR else ''}'" if line[at:] else "nothing more"


def at_line(log: Log, number: int, at: int) -> Place:
    """A character of a line."""
    return Place(Source(log.name, "\n" * (number - 1) + log.lines[number - 1]), number, at + 1)


def end_of(log: Log) -> Place:
    """The place after the last line."""
    return at_line(log, len(log.lines), len(log.lines[-1]))


# --- input


def text_of(file: str) -> str:
    """The text of a log; - is stdin. Raises LogError, CannotBegin."""
    if file == STDIN:
        content = sys.stdin.buffer.read(MOST_BYTES + 1)
    else:
        if not (path := Path(file)).exists() or path.is_dir():
            raise CannotBegin(f"there is no log {file}", "tilewright play and tilewright simulate --logs write them")
        with path.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise CannotBegin(f"{file} is too large for a log: more than {MOST_BYTES // 1_000_000} MB")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        number = content.count(b"\n", 0, error.start) + 1
        place = Place(Source(file, "\n" * (number - 1)), number, 1)
        raise LogError("not-utf-8", f"line {number} is not UTF-8", place, "logs are written as UTF-8") from None


def rules_of(log: Log, options: ReplayOptions) -> Rules:
    """The rules that were played: as named, as recorded next to the log, or as in the log, which may mean a document
    next to it. Raises LogError."""
    if options.rules is not None:
        return Rules(open_rules(options.rules, options.choices).data)
    header = log.header
    note = noted(Path(options.file)) if options.file != STDIN else None
    settings = {name: setting_text(value) for name, value in header.options.items()}
    try:
        if note is not None:
            return note.rules()
        folder = None if options.file == STDIN else Path(options.file).parent
        ruleset = str(path_of(header.ruleset, folder, what="ruleset"))
        return Rules(open_rules(ruleset, RulesChoice(settings, header.mods)).data)
    except (RulesetError, CannotBegin) as error:
        why = error.message if isinstance(error, CannotBegin) else error.problems[0].message
        named = " with ".join((header.ruleset, *header.mods))
        hint = "name the ruleset: --rules RULESET.yaml, with its --mod and --set"
        raise LogError(
            "unknown-ruleset", f"{named} cannot be opened: {why}", place_of(log.name, 1, log.lines[0]), hint
        ) from None


def cut_off(hand: int) -> str:
    """The sentence about a hand whose seed is not in the log."""
    return f"hand {hand} was not over, so the log does not have its seed, and it cannot be verified"
