"""Golden games come out as they are written down, line by line; each has in it what its head says that it covers, and
between them they cover everything that they have to."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from games import PLAYED
from golden_games import files, head_of, parts, played

from tilewright.play.match import Match
from tilewright.play.model import Event

RIGHT, ACROSS, LEFT = 1, 2, 3  # how many seats further


# --- what is covered


def kinds(game: Match, kind: str) -> Iterator[Event]:
    return (event for event in game.events if event.kind == kind)


def takes(offer: str) -> Callable[[Match], bool]:
    """A seat took this offer."""
    return lambda game: any(event.get("offer") == offer for event in kinds(game, "take"))


def robs_a_kong(game: Match) -> bool:
    """What one seat makes into a kong is won by another."""
    return any(
        before.get("offer") in ("kong", "added_kong") and after.get("offer") == "win" and before.seat != after.seat
        for before, after in pairwise(kinds(game, "take"))
    )


def replaces_a_bonus_tile(game: Match) -> bool:
    """A tile goes to the bonus tiles of a seat, which then draws."""
    return any(
        str(before.get("to")).startswith("bonus@") and after.kind == "draw" and before.seat == after.seat
        for before, after in pairwise(event for event in game.events if event.kind in ("move", "draw"))
    )


def has_several_claims(game: Match) -> bool:
    """Two seats want one discard."""
    windows = (event.get("answers") for event in kinds(game, "answers") if event.get("to") == "claims")
    return any(sum(answer["move"] != "pass" for answer in answers.values()) > 1 for answers in windows)


def passes(game: Match) -> list[int]:
    """How far tiles went in each pass, in seats; a pass is over when they are looked at."""
    found: list[int] = []
    for event in kinds(game, "move"):
        origin, goal = str(event.get("from")).split("@"), str(event.get("to")).split("@")
        if goal[0] == "incoming":
            names = game.program.names
            found.append((names.index(goal[1]) - names.index(origin[1])) % game.program.count)
        elif (origin[0], goal[0]) == ("incoming", "hand"):
            found.append(0)
    ways = [way for way, before in zip(found, [0, *found], strict=False) if way and not before]
    return ways


def passes_on_unseen(game: Match) -> bool:
    """Tiles go on that were not looked at."""
    return any(
        str(e.get("from")).startswith("incoming") and str(e.get("to")).startswith("incoming") for e in moves(game)
    )


def moves(game: Match) -> Iterator[Event]:
    return kinds(game, "move")


def accuses(rightly: bool) -> Callable[[Match], bool]:
    """A seat calls a hand dead, and the other, or it itself, plays no more."""

    def ask(game: Match) -> bool:
        seats = (event for event in game.events if event.kind in ("take", "retire"))
        return any(
            before.get("offer") == "accuse" and after.kind == "retire" and (before.seat != after.seat) == rightly
            for before, after in pairwise(seats)
        )

    return ask


def dealer(stays: bool) -> Callable[[Match], bool]:
    """In the next hand the same player deals, or another."""
    return lambda game: any((before.dealer == after.dealer) == stays for before, after in pairwise(game.results))


def goes_on(game: Match) -> bool:
    """After a win others draw on in the same hand."""
    told = [event.kind for event in game.events if event.kind in ("declare", "draw", "result")]
    return ("declare", "draw") in pairwise(told)


def refunds(game: Match) -> bool:
    """What a seat was paid before it gives back."""
    return any(event.get("payments") == "refund" for event in kinds(game, "pay"))


def exchanges(game: Match) -> bool:
    """Tiles go from hand to hand."""
    return any(str(e.get("from")).startswith("hand") and str(e.get("to")).startswith("hand") for e in moves(game))


def is_a_match(game: Match) -> bool:
    """All rounds were played: it ended in the last one."""
    return game.hands is None and game.over and game.round == len(game.program.play.match.rounds) - 1


ITEMS: dict[str, Callable[[Match], bool]] = {
    "chow": takes("chow"),
    "pung": takes("pung"),
    "claimed kong": takes("claimed_kong"),
    "concealed kong": takes("kong"),
    "added kong": takes("added_kong"),
    "robbing a kong": robs_a_kong,
    "bonus replacement": replaces_a_bonus_tile,
    "exhaustion": lambda game: any(result.ended == "exhausted" for result in game.results),
    "several claims": has_several_claims,
    "first charleston": lambda game: passes(game)[:3] == [RIGHT, ACROSS, LEFT],
    "second charleston": lambda game: passes(game)[3:6] == [LEFT, ACROSS, RIGHT],
    "courtesy pass": lambda game: passes(game)[6:] == [ACROSS],
    "blind pass": passes_on_unseen,
    "exchange": lambda game: any(kinds(game, "swap")),
    "accused rightly": accuses(rightly=True),
    "accused wrongly": accuses(rightly=False),
    "dealer stays": dealer(stays=True),
    "dealer passes": dealer(stays=False),
    "full match": is_a_match,
    "goes on after a win": goes_on,
    "refund": refunds,
    "exchange of hands": exchanges,
}


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_golden_game(path: Path) -> None:
    head, text = parts(path)
    game, written = played(head, text)
    assert written == path.read_text(encoding="utf-8")
    assert head_of(head)["covers"] == [item for item, is_there in ITEMS.items() if is_there(game)]


def test_everything_is_covered() -> None:
    heads = [head_of(parts(path)[0]) for path in files()]
    assert {item for head in heads for item in head["covers"]} == set(ITEMS)
    assert {head["ruleset"] for head in heads} == set(PLAYED)
