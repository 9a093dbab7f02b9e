"""The fair deals of a log: whether each hand was dealt from the seed whose hash was published before it.

The seed of a hand that is not over is not in the log: such a log can be replayed up to that hand.
"""

from collections.abc import Sequence
from dataclasses import replace

from tilewright.play.log import Log, LogError, LoggedDeal, place_of, read_log, sum_in, summed
from tilewright.play.model.deals import DisclosedSeeds, FairDeal, HandSeeds


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
