"""The sums of one game: its rows in, numbers by key out, of which every statistic is a ratio of two.

Games are independent of each other, the hands of one are not: statistics are made of the sums of games
(`estimates.py`). Over all games the sums are those of the tally. Knows no rules.

    hands won drawn draws decisions wins value moved            of the game; `moved`: points that changed hands
    ended.PHASE win.KIND pattern.ID offered.ID taken.ID         hands without a winner, wins, and offers
    seat.N.hands .wins .fed .gain                               of a seat, the dealer's first
    player.N.won                                                matches won by a player
    name.NAME.hands .gains .wins .fed .games .won .score        of all players of a name; the last three of matches
    matches long lead_changes behind last                       of a match that came to its end
    drawn_tiles.N.won .nobody, total.N                          for histograms: hands of a length, wins of a total
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tilewright.players.simulation.rows import GameRows, HandRow, WinRow
from tilewright.scoring.score import Number

Sums = dict[str, float]
HISTOGRAMS = ("drawn_tiles.", "total.")  # beginnings of keys of which only the sum over all games is wanted


def sums_of(game: GameRows, names: Sequence[str]) -> Sums:
    """The sums of a game between players of these names. Hands that ended before it broke off count; a match that
    broke off does not."""
    found = defaultdict[str, float](float)
    hands = [hand for hand in game.hands if hand.error is None]
    for hand in hands:
        for key, number in of_hand(hand, names):
            found[key] += float(number)
    if hands and game.failure is None:
        for key, amount in of_match(hands, names):
            found[key] += float(amount)
    return dict(found)


def of_hand(hand: HandRow, names: Sequence[str]) -> Iterator[tuple[str, Number]]:
    """What a hand adds."""
    yield "hands", 1
    yield "won" if hand.winners else "drawn", 1
    yield "draws", hand.draws
    yield "decisions", hand.decisions
    yield "moved", sum(gain for gain in hand.gains if gain > 0)
    yield f"drawn_tiles.{hand.draws}.{'won' if hand.winners else 'nobody'}", 1
    if not hand.winners:
        yield f"ended.{hand.ended}", 1
    for seat, player in enumerate(hand.seats):
        yield f"seat.{seat}.hands", 1
        yield f"seat.{seat}.gain", hand.gains[player]
        yield f"name.{names[player]}.hands", 1
        yield f"name.{names[player]}.gains", hand.gains[player]
    for win in hand.winners:
        yield from of_win(hand, win, names)
    for offer in hand.offers:
        yield f"offered.{offer.id}", offer.offered
        yield f"taken.{offer.id}", offer.taken


def of_win(hand: HandRow, win: WinRow, names: Sequence[str]) -> Iterator[tuple[str, Number]]:
    """What a winner of a hand adds."""
    yield "wins", 1
    yield "value", win.total
    yield f"win.{win.kind}", 1
    yield f"total.{float(win.total):g}", 1
    yield f"seat.{win.seat}.wins", 1
    yield f"name.{names[win.player]}.wins", 1
    if win.discarder is not None:
        yield f"seat.{hand.seats.index(win.discarder)}.fed", 1
        yield f"name.{names[win.discarder]}.fed", 1
    for pattern in win.patterns:
        yield f"pattern.{pattern.id}", 1


def of_match(hands: Sequence[HandRow], names: Sequence[str]) -> Iterator[tuple[str, Number | float]]:
    """What a match adds that came to its end. Players who share the highest score share the victory."""
    winners = best(hands[-1].scores)
    yield "matches", 1
    for player, name in enumerate(names):
        won = 1 / len(winners) if player in winners else 0
        yield f"player.{player}.won", won
        yield f"name.{name}.games", 1
        yield f"name.{name}.won", won
        yield f"name.{name}.score", hands[-1].scores[player]
    if len(hands) > 1:
        yield "long", 1
        yield "lead_changes", lead_changes(hands)
        half = hands[len(hands) // 2 - 1].scores
        yield "behind", sum(half[player] < max(half) for player in winners) / len(winners)
        yield "last", sum(half[player] == min(half) < max(half) for player in winners) / len(winners)


def best(scores: Sequence[Number]) -> list[int]:
    """The players with the highest score."""
    return [player for player, score in enumerate(scores) if score == max(scores)]


def lead_changes(hands: Sequence[HandRow]) -> int:
    """How often another player came to lead alone."""
    leading = [leaders[0] for hand in hands if len(leaders := best(hand.scores)) == 1]
    return sum(before != after for before, after in pairwise(leading))
