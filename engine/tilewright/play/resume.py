"""Logs replayed: lines in, the match out, or the first line that differs; and whether each hand was dealt from the seed
whose hash was published before it.

The seed of a hand that is not over is not in the log: such a log can be replayed up to that hand.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tilewright.base.arguments import expect
from tilewright.play.chance import DisclosedSeeds, FairDeal, HandSeeds, UndisclosedSeed
from tilewright.play.layout import TableLayout, read_layout
from tilewright.play.log import Log, LogError, LoggedDeal, is_whole, lines, place_of, read_log, sum_in, summed
from tilewright.play.match import Match
from tilewright.play.model import IllegalMove, Move
from tilewright.play.rules import Rules
from tilewright.scoring.case_mistakes import CaseError

SHOWN = 12  # characters of a hash, as in rulebooks


@dataclass(frozen=True, slots=True)
class LogDifference:
    """A line (from 1) whose replay differs from the log. None: there is no such line."""

    line: int
    expected: str | None
    found: str | None


def resume(log: Log, rules: Rules, seeds: HandSeeds | None = None) -> Match:
    """The game at the end of the log, with all its answers given again. `seeds`: those of fair deals, for who has
    them; else they are taken from the log, whose next hand cannot be dealt then. Raises LogError."""
    game = begun(log, rules, seeds)
    for number, answers in log.answers.items():
        give(log, game, number, answers)
    if log.breaks_off:
        game.disclose_deal()
    return game


def begun(log: Log, rules: Rules, seeds: HandSeeds | None = None, *, pausing: bool = False) -> Match:
    """The game before its first answer. Raises LogError, and WrongArgument for what is no log, or no rules. Logs of
    older versions have the digest of the texts of their rules."""
    expect("a log", log, Log, "what read_log() returns")
    expect("rules", rules, Rules, "what load() returns")
    place = place_of(log.name, 1, log.lines[0])
    if log.header.digest not in (rules.data.digest, rules.data.text_digest):
        raise LogError(
            "other-ruleset",
            f"the log was played by another version of {log.header.ruleset}, or with other options or mods:"
            f" its rules have the hash {log.header.digest[:SHOWN]}, these {rules.data.digest[:SHOWN]}",
            place,
            "give the ruleset, options and mods that it was played with",
        )
    try:
        seed = seeds if seeds is not None and log.header.seed is None else seeds_of(log)
        return Match(rules.program, seed, log.header.hands, layout_of(log, rules), True, pausing, log.header.digest)
    except UndisclosedSeed:
        raise LogError("undisclosed-deal", f"{log.name} has no hand whose seed was disclosed", place) from None
    except CaseError as error:
        raise LogError("bad-header", f"the layout of the log is wrong: {error}", place, error.hint) from None


def layout_of(log: Log, rules: Rules) -> TableLayout | None:
    """The starting layout; if a function gave the walls, hands after those of the log are shuffled from the seed.
    Raises CaseError."""
    if log.header.layout is None and not log.walls:
        return None
    layout = read_layout(rules, log.header.layout or {})
    return replace(layout, walls=lambda start: log.walls.get(start.hand)) if log.walls else layout


def give(log: Log, game: Match, number: int, answers: Mapping[str, Any]) -> None:
    """Give the seats' answers of one line. Raises LogError."""
    place = place_of(log.name, number, log.lines[number - 1])
    try:
        game.answer_together([move_of(game, name, answer) for name, answer in answers.items()])
    except CaseError as error:
        raise LogError("bad-wall", f"the wall of the next hand is wrong: {error}", place, error.hint) from None
    except IllegalMove as error:
        raise LogError("illegal-answer", f"this answer cannot be given here: {error}", place) from None
    except UndisclosedSeed:
        pass  # the log ends here


def move_of(game: Match, name: str, answer: Any) -> Move:
    """A move from its plain data. Raises IllegalMove."""
    names = game.program.names[:-1]
    if name not in names or not isinstance(answer, Mapping) or not isinstance(answer.get("move"), str):
        raise IllegalMove(f"{name!r} has no valid answer")
    choice = tuple((str(key), str(value)) for key, value in answer.items() if key != "move")
    return Move(names.index(name), answer["move"], choice)


def verify(log: Log, rules: Rules) -> LogDifference | None:
    """The first line that differs when the log is replayed, up to a hand that was not disclosed; None if none does.
    Raises LogError."""
    log = disclosed_part(expect("a log", log, Log, "what read_log() returns"))
    try:
        game = resume(log, rules)
    except LogError as error:
        if error.problem.code != "illegal-answer" or error.problem.place is None:
            raise
        number = error.problem.place.line
        cut = replace(log, answers={n: a for n, a in log.answers.items() if n < number})
        game = resume(cut, rules)
    expected = list(lines(game, log.header.players))
    return first_difference(expected, log.lines) or rest_difference(expected, log, game.over)


def first_difference(expected: Iterable[str], found: Sequence[str]) -> LogDifference | None:
    """The first line that is not as expected. What follows the last answer may be cut off."""
    number = 0
    for number, line in enumerate(expected, 1):
        if number > len(found):
            return None
        if line != found[number - 1]:
            return LogDifference(number, line, found[number - 1])
    return LogDifference(number + 1, None, found[number]) if number < len(found) else None


def rest_difference(expected: Sequence[str], log: Log, over: bool) -> LogDifference | None:
    """The rest of a cut-off line, if it is not the beginning of the next line or of another answer."""
    number = len(log.lines)
    if number < len(expected):
        fits = expected[number].startswith(log.rest)
    else:
        head = f'{{"n":{number},"event":"answers"'
        fits = not over and head.startswith(log.rest[: len(head)]) and not is_whole(log.rest[:-1])
    return None if fits or not log.rest else LogDifference(number + 1, (*expected, None)[number], log.rest)


def seeds_of(log: Log) -> int | HandSeeds:
    """What the log says the hands were dealt from. Raises LogError for a hand that its hash did not promise, and for
    one whose seed is not disclosed."""
    if log.header.seed is not None:
        return log.header.seed
    check_deals(log)
    if (deal := undisclosed(log)) is not None:
        raise LogError(
            "undisclosed-deal",
            f"hand {deal.hand} is not over, so the log does not have its seed",
            place_of(log.name, deal.line, log.lines[deal.line - 1]),
            "only the server that deals can continue this game",
        )
    return DisclosedSeeds({deal.hand: deal.seed for deal in log.deals if deal.seed is not None})


def check_deals(log: Log) -> None:
    """Compare the seed of each hand with the hash that was published before it. Raises LogError."""
    for deal in log.deals:
        if deal.seed is None:
            continue
        hash = FairDeal(log.header.digest, deal.hand, deal.players, deal.seed).hash
        if not deal.seed.is_valid:
            why = "its seed and salt are not of 64 hexadecimal digits each"
        elif deal.hash is None:
            why = "no hash was published"
        elif hash != deal.hash:
            why = f"its seed and salt have the hash {hash[:16]}…, but {deal.hash[:16]}… was published"
        else:
            continue
        raise LogError(
            "broken-promise",
            f"hand {deal.hand} was not dealt as promised: {why}",
            place_of(log.name, deal.seed_line, log.lines[deal.seed_line - 1]),
            "either the server dealt other tiles than it had promised, or the log was changed",
        )


def undisclosed(log: Log) -> LoggedDeal | None:
    """The first hand whose seed is not in the log of fair deals."""
    if log.header.seed is not None:
        return None
    return next((deal for deal in log.deals if deal.seed is None), None)


def disclosed_part(log: Log) -> Log:
    """The log without the hand whose seed it does not have. Raises LogError if there is no other."""
    deal = undisclosed(log)
    if deal is None:
        return log
    if deal is log.deals[0]:
        seeds_of(log)
    return replace(
        log,
        lines=log.lines[: deal.line - 1],
        answers={number: answers for number, answers in log.answers.items() if number < deal.line},
        deals=tuple(known for known in log.deals if known.line < deal.line),
        rest="",
    )


def all_disclosed(lines: Sequence[str], seeds: HandSeeds) -> Sequence[str]:
    """The lines of a game that broke off, with one more that discloses the last hand, if they do not. Raises
    LogError."""
    log = read_log("log", "".join(f"{line}\n" for line in lines))
    deal = undisclosed(log)
    if deal is None:
        return lines
    seed = seeds.of_hand(deal.hand)
    content = {"n": len(lines), "event": "deal_seed", "seed": seed.seed, "salt": seed.salt}
    return (*lines, summed(content, sum_in(lines[-1])))
