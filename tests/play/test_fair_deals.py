"""Fair deals: a hand is dealt from the seed whose hash stands before it; a log proves it, and names who cheats."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from hashlib import sha256
from itertools import islice
from pathlib import Path

import pytest
from budget import budget
from commands import run
from hypothesis import given, settings
from hypothesis import strategies as some

from tilewright.play.chance import FairDeal, HandSeed, TableSecret
from tilewright.play.log import Log, LogError, lines, read_log, sum_in, summed
from tilewright.play.match import Match
from tilewright.play.resume import all_disclosed, resume, verify
from tilewright.play.rules import load
from tilewright.play.view import View
from tilewright.players.bots.random_bot import RandomBot

pytestmark = pytest.mark.long

SECRET = TableSecret("5e" * 32)
HANDS = 3
HEX = "0123456789abcdef"


def play_on(game: Match, until: Callable[[Match], bool] = lambda game: game.over) -> Match:
    """The game, played at random until something is so."""
    bot = RandomBot(3)
    while not until(game):
        game.answer(bot.choose(View(game, game.asked[0])))
    return game


@cache
def played() -> Match:
    """A game of fair deals that is over."""
    return play_on(load("cantonese").game(SECRET, hands=HANDS))


def whole_log() -> list[str]:
    return list(lines(played(), ["Ann", "Bob", "Cleo", "Dan"]))


def logged(found: list[str]) -> Log:
    return read_log("game.jsonl", "".join(f"{line}\n" for line in found))


def events(found: list[str], kind: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The events of a kind in a log, each with the index of its line."""
    for at, line in enumerate(found):
        content = json.loads(line)
        if content.get("event") == kind:
            yield at, content


def changed(found: list[str], at: int, **fields: object) -> list[str]:
    """The log with one line changed, and every checksum from there on as it must be."""
    new, before = found[:at], sum_in(found[at - 1])
    for number, line in enumerate(found[at:], at):
        content = json.loads(line)
        del content["sum"]
        new.append(summed(content | fields if number == at else content, before))
        before = sum_in(new[-1])
    return new


# --- seeds


@given(some.text(HEX, min_size=64, max_size=64), some.integers(1, 1000), some.permutations(range(4)))
def test_a_hash_promises_one_seed_of_one_hand(secret: str, hand: int, players: list[int]) -> None:
    seed = TableSecret(secret).of_hand(hand)
    deal = FairDeal("d16e", hand, tuple(players), seed)
    others = [
        replace(deal, rules="d16f"),
        replace(deal, hand=hand + 1),
        replace(deal, players=tuple(reversed(players))),
        replace(deal, seed=TableSecret(secret).of_hand(hand + 1)),
        replace(deal, seed=HandSeed(seed.seed, seed.seed)),
        replace(deal, seed=HandSeed(seed.salt, seed.salt)),
    ]
    assert len({deal.hash, *(other.hash for other in others)}) == len(others) + 1
    assert secret not in repr(TableSecret(secret))
    assert seed.seed not in repr(deal) and seed.salt not in repr(deal)


def test_a_secret_is_of_256_bits_and_never_the_same() -> None:
    secrets = {TableSecret.new().secret for _ in range(100)}
    assert len(secrets) == 100
    assert all(len(bytes.fromhex(secret)) == 32 for secret in secrets)


def test_the_wall_follows_from_the_seed_alone() -> None:
    """All that is random in a hand: another salt changes no tile, another seed the whole wall."""

    class Fixed:
        def __init__(self, seed: HandSeed) -> None:
            self.seed = seed

        def of_hand(self, number: int) -> HandSeed:
            return self.seed

    def wall(seed: str, salt: str) -> list[int]:
        game = load("cantonese").game(Fixed(HandSeed(seed, salt)), hands=1)
        return list(game.zones["wall"][0])

    assert wall("a" * 64, "b" * 64) == wall("a" * 64, "c" * 64)
    assert wall("a" * 64, "b" * 64) != wall("b" * 64, "b" * 64)


def test_numbers_follow_from_the_seed_as_the_docs_say() -> None:
    """docs/tables.md, for whoever deals again with another program."""
    game = load("cantonese").game(SECRET, hands=HANDS)
    play_on(game, lambda game: game.hand_number == 1)
    seed, shuffle = SECRET.of_hand(2).seed, game.counter + 1
    blocks = [sha256(f"{seed}/1/{shuffle}/{block}".encode()).digest() for block in range(2)]
    numbers = [int.from_bytes(block[at : at + 4], "big") for block in blocks for at in range(0, 32, 4)]
    assert list(islice(game.stream(), 16)) == numbers


def test_a_match_does_not_show_its_secret() -> None:
    assert "fair deals" in repr(played())
    assert SECRET.secret not in repr(played())


# --- what is published, and when


def test_the_hash_is_published_before_the_first_tile_and_the_seed_after_the_result() -> None:
    kinds = [event.kind for event in played().events]
    hands = [at for at, kind in enumerate(kinds) if kind == "hand"]
    assert len(hands) == HANDS
    for at, end in zip(hands, [*hands[1:], len(kinds)], strict=True):
        hand = kinds[at:end]
        assert hand[1] == "deal_hash"
        assert hand.count("deal_hash") == hand.count("deal_seed") == 1
        assert hand.index("deal_seed") == hand.index("result") + 1


@settings(max_examples=budget(30))
@given(some.integers(0, 3), some.integers(0, 10_000))
def test_no_view_and_no_log_of_an_open_hand_holds_its_seed(seat: int, answers: int) -> None:
    """Whatever a seat is shown and a log holds during hand 2 has the seed of hand 1, and none that is still to come."""
    game = play_on(load("cantonese").game(SECRET, hands=HANDS), lambda game: game.hand_number == 1)
    play_on(game, lambda game: game.hand_number != 1 or game.answers >= answers % 60)
    now = game.hand_number + 1
    view = View(game, seat)
    seen = [view.event(event) for event in game.events]
    told = json.dumps(view.to_json(), default=str) + repr(seen) + "".join(lines(game))
    assert SECRET.of_hand(1).seed in told
    for hand in range(now, HANDS + 1):
        assert SECRET.of_hand(hand).seed not in told
        assert SECRET.of_hand(hand).salt not in told
    assert SECRET.secret not in told


def test_a_game_of_one_seed_publishes_nothing() -> None:
    game = play_on(load("cantonese").game(7, hands=1))
    assert not {"deal_hash", "deal_seed"} & {event.kind for event in game.events}
    assert json.loads(next(lines(game)))["log"] == 2


# --- logs


def test_a_log_of_fair_deals_is_verified_without_the_secret() -> None:
    log = logged(whole_log())
    assert (log.header.seed, json.loads(log.lines[0])["log"]) == (None, 3)
    assert verify(log, load("cantonese")) is None
    assert resume(log, load("cantonese")).over


def test_a_game_is_resumed_with_the_same_walls() -> None:
    """Wherever the log ends, who has the secret goes on as if nothing had happened."""
    found = whole_log()
    answers = sorted(logged(found).answers)
    for cut in answers[:: max(1, len(answers) // budget(12))]:
        game = resume(logged(found[:cut]), load("cantonese"), SECRET)
        again = list(lines(game, ["Ann", "Bob", "Cleo", "Dan"]))
        assert found[: len(again)] == again
        assert len(again) >= cut


@pytest.mark.parametrize("field", ["seed", "salt"])
@pytest.mark.parametrize("hand", range(HANDS))
def test_another_seed_than_the_promised_one_is_named(field: str, hand: int, tmp_path: Path) -> None:
    """Even where every checksum is right: as a server writes it that deals other tiles than it has promised."""
    found = whole_log()
    at, content = list(events(found, "deal_seed"))[hand]
    other = content[field].translate(str.maketrans("01", "10"))
    forged = changed(found, at, **{field: other})
    with pytest.raises(LogError, match=f"hand {hand + 1} was not dealt as promised") as refused:
        verify(logged(forged), load("cantonese"))
    assert refused.value.problem.code == "broken-promise"
    assert refused.value.problem.place is not None
    assert refused.value.problem.place.line == at + 1
    file = tmp_path / "game.jsonl"
    file.write_text("".join(f"{line}\n" for line in forged), encoding="utf-8")
    done = run("replay", str(file), "--verify")
    assert done.returncode == 1
    assert "was not dealt as promised" in done.stderr


def test_one_hash_does_not_promise_two_seeds() -> None:
    """A seed and a salt that are cut elsewhere have the same hash, and another wall."""
    found = whole_log()
    at, content = next(events(found, "deal_seed"))
    seed, salt = content["seed"], content["salt"]
    log = logged(found)
    moved = HandSeed(f"{seed} {salt[:10]}", salt[11:])
    assert not moved.is_valid
    first, second = [
        FairDeal(log.header.digest, 1, log.deals[0].players, one)
        for one in (moved, HandSeed(seed, f"{salt[:10]} {salt[11:]}"))
    ]
    assert first.hash == second.hash
    forged = changed(found, at, seed=moved.seed, salt=moved.salt)
    forged = changed(forged, next(events(found, "deal_hash"))[0], hash=first.hash)
    with pytest.raises(LogError, match="hand 1 was not dealt as promised: its seed and salt are not of 64"):
        verify(logged(forged), load("cantonese"))


def test_another_hash_than_the_published_one_is_named() -> None:
    found = whole_log()
    at, _ = list(events(found, "deal_hash"))[1]
    with pytest.raises(LogError, match="hand 2 was not dealt as promised"):
        verify(logged(changed(found, at, hash="0" * 64)), load("cantonese"))


def test_a_hand_without_a_promise_is_named() -> None:
    found = whole_log()
    at, _ = next(events(found, "deal_hash"))
    with pytest.raises(LogError, match="no hash was published"):
        verify(logged([*found[:at], *found[at + 1 :]]), load("cantonese"))


def test_tiles_that_do_not_follow_from_the_promised_seed_are_found() -> None:
    """A promise that is kept by its words alone: hash, seed and salt fit, but the tiles are others."""
    found = whole_log()
    at, content = next((at, content) for at, content in events(found, "draw") if len(content["tiles"]) == 1)
    other = "1m" if content["tiles"] != ["1m"] else "9p"
    difference = verify(logged(changed(found, at, tiles=[other])), load("cantonese"))
    assert difference is not None
    assert difference.line == at + 1


# --- games that are not over


def test_a_log_is_valid_up_to_a_hand_that_is_not_disclosed(tmp_path: Path) -> None:
    found = whole_log()
    ends = [at for at, _ in events(found, "deal_seed")]
    part = found[: ends[1] + 6]
    assert verify(logged(part), load("cantonese")) is None
    with pytest.raises(LogError, match="hand 3 is not over"):
        resume(logged(part), load("cantonese"))
    with pytest.raises(LogError, match="hand 1 is not over"):
        verify(logged(found[: ends[0]]), load("cantonese"))
    with pytest.raises(LogError, match="no hand"):
        resume(logged(found[:1]), load("cantonese"))
    file = tmp_path / "game.jsonl"
    file.write_text("".join(f"{line}\n" for line in part), encoding="utf-8")
    done = run("replay", str(file), "--verify")
    assert done.returncode == 0
    assert "2 hands, each dealt from the seed that its hash had promised, to the end of hand 2" in done.stdout
    assert "hand 3 was not over" in done.stdout
    assert "hand 3 was not over" in run("replay", str(file)).stdout


@pytest.mark.parametrize("more", [1, 8, 40])
def test_a_game_that_broke_off_is_disclosed(more: int, tmp_path: Path) -> None:
    """The server adds the seed of the last hand to the log that it gives away: then all of it can be verified."""
    found = whole_log()
    (first, *_) = [at for at, _ in events(found, "deal_seed")]
    cut = next(line for line in sorted(logged(found).answers) if line > first + more)
    game = resume(logged(found[:cut]), load("cantonese"), SECRET)
    broken = list(lines(game, ["Ann", "Bob", "Cleo", "Dan"]))
    disclosed = list(all_disclosed(broken, SECRET))
    assert len(disclosed) == len(broken) + 1
    assert verify(logged(disclosed), load("cantonese")) is None
    file = tmp_path / "game.jsonl"
    file.write_text("".join(f"{line}\n" for line in disclosed), encoding="utf-8")
    assert run("replay", str(file), "--verify").returncode == 0
    with pytest.raises(LogError, match="hand 2 was not dealt as promised"):
        verify(logged(list(all_disclosed(broken, TableSecret.new()))), load("cantonese"))
    assert list(all_disclosed(found, SECRET)) == found


def test_the_terminal_does_not_continue_a_game_of_a_server(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text("".join(f"{line}\n" for line in whole_log()[:-20]), encoding="utf-8")
    done = run("play", "--plain", "--resume", str(file))
    assert done.returncode == 2
    assert "dealt by a server, which alone can continue it" in done.stderr


def test_the_verdict_lists_the_hashes(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text("".join(f"{line}\n" for line in whole_log()), encoding="utf-8")
    verdict = json.loads(run("replay", str(file), "--json").stdout)
    hashes = [content["hash"] for _, content in events(whole_log(), "deal_hash")]
    assert (verdict["verified"], verdict["deals"], verdict["undisclosed"]) == (True, hashes, None)
    assert f"Hash of the deal: {hashes[0]}" in run("replay", str(file)).stdout.replace("\n", "")
