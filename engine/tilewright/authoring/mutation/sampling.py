"""Sampled hands: a ruleset in, cases for its hands out: those of its examples, the same a little changed, and hands of
its forms made at random.

The same seed gives the same cases. Scores nothing.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from random import Random
from typing import Any

from tilewright.hands.reading import Hand
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.scoring.case import read_case
from tilewright.scoring.case_hands import seat_names
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.rules import ScoringRules
from tilewright.tiles.notation import write_tile, write_tiles

Case = dict[str, Any]
CHANGES = 4  # of each example
MOST_FLAGS = 2


def sampled_cases(rules: ScoringRules, count: int, seed: int) -> Iterator[Case]:
    """Up to this many cases, which can be read, half of them near examples."""
    return islice(readable(rules, candidates(rules, count, Random(seed))), count)


def readable(rules: ScoringRules, cases: Iterable[Case]) -> Iterator[Case]:
    """The cases of won hands that can be read, each once."""
    seen = set[str]()
    for case in cases:
        with suppress(CaseError):
            there = rules.at_table(case)
            situation = read_case(there.data, case)
            if situation.won and (key := repr(case)) not in seen:
                seen.add(key)
                yield case


def candidates(rules: ScoringRules, count: int, random: Random) -> Iterator[Case]:
    written = [written_out(rules.data, case) for case in hands_of(rules.data)]
    near = [case for case in written if case is not None]
    random.shuffle(near)
    yield from near[: count // 2]
    for _ in range(CHANGES * count):
        if near and random.random() < 0.5:
            yield changed(rules.data, random.choice(near), random)
        elif made := made_up(rules, random):
            yield made


def hands_of(data: CompiledRuleset) -> Iterator[Mapping[str, Any]]:
    """The hands of examples and cases."""
    for pattern in data.patterns:
        yield from (example.case for example in pattern.examples)
    for entry in data.cases:
        if "hand" in entry.case and "play" not in entry.case and "options" not in entry.case:
            yield entry.case


def written_out(data: CompiledRuleset, case: Mapping[str, Any]) -> Case | None:
    """A case with its concealed tiles one by one; none if it cannot be read."""
    with suppress(CaseError):
        hand = read_case(data, case).hand
        rest = {key: value for key, value in case.items() if key not in ("hand", "win", "win_tile")}
        win = {} if hand.win is None else {"win_tile": write_tile(hand.win, data.tiles)}
        return {"hand": [write_tile(tile, data.tiles) for tile in hand.tiles], **win, **rest}
    return None


def changed(data: CompiledRuleset, case: Case, random: Random) -> Case:
    """A case with one or two small changes."""
    case = {**case, "hand": list(case["hand"])}
    for _ in range(random.choice((1, 1, 2))):
        random.choice((other_tile, other_win, other_draw, other_winds, other_flags))(data, case, random)
    return case


def other_tile(data: CompiledRuleset, case: Case, random: Random) -> None:
    """All copies of a tile, or one, become another tile."""
    codes = [tile.code for tile in data.tiles.tiles if tile.plain == tile.index]
    if not case["hand"]:
        return
    gone, new = random.choice(case["hand"]), random.choice(codes)
    if random.random() < 0.5:
        case["hand"] = [new if tile == gone else tile for tile in case["hand"]]
        case["win_tile"] = new if case.get("win_tile") == gone else case.get("win_tile")
    else:
        case["hand"][case["hand"].index(gone)] = new


def other_win(data: CompiledRuleset, case: Case, random: Random) -> None:
    if case["hand"] and case.get("win_tile"):
        at = random.randrange(len(case["hand"]))
        case["hand"][at], case["win_tile"] = case["win_tile"], case["hand"][at]


def other_draw(data: CompiledRuleset, case: Case, random: Random) -> None:
    case["self_draw"] = not case.get("self_draw")
    case.pop("discarder", None)


def other_winds(data: CompiledRuleset, case: Case, random: Random) -> None:
    winds = list(seat_names(data)[: data.seats.count])
    case["seat_wind"] = random.choice(winds)
    if not case.get("self_draw") and random.random() < 0.5:
        others = [wind for wind in winds if wind != case["seat_wind"]]
        case["discarder"] = random.choice(others)
    else:
        case.pop("discarder", None)


def other_flags(data: CompiledRuleset, case: Case, random: Random) -> None:
    names = [name for name, mark in data.marks.items() if mark.type == "truth"]
    flags = list(case.get("flags", ()))
    if flags and random.random() < 0.5:
        flags.remove(random.choice(flags))
    elif names and len(flags) < MOST_FLAGS:
        flags.append(random.choice(names))
    case["flags"] = list(dict.fromkeys(flags))


# --- hands made up


def made_up(rules: ScoringRules, random: Random) -> Case | None:
    """A hand of groups that fill a case of a form; none where cards or regular expressions make them."""
    data = rules.data
    shapes = [case for form in data.forms if form.shape.has_groups for case in form.shape.cases]
    if not shapes:
        return None
    hand: list[str] = []
    melds: list[dict[str, Any]] = []
    shape = random.choice((shapes[0], random.choice(shapes)))
    few = random.choice((20, 40, 1_000))
    for slot in shape:
        options = [data.groups.groups[group].tiles for group in sorted(slot.groups)[:few]]
        options += [(tile,) for tile in sorted(slot.tiles)]
        if not options:
            return None
        for tiles in random.choices(options, k=slot.count):
            codes = [data.tiles.tiles[tile].code for tile in tiles]
            if len(codes) > 2 and hand and random.random() < 0.25:
                melds.append({"tiles": " ".join(codes), "concealed": random.random() < 0.3})
            else:
                hand += codes
    random.shuffle(hand)
    case: Case = {"hand": hand[1:], "win_tile": hand[0]} | ({"melds": melds} if melds else {})
    for change in (other_draw, other_winds, other_flags):
        if random.random() < 0.5:
            change(data, case, random)
    return case


# --- written down


def compact(data: CompiledRuleset, case: Case, hand: Hand) -> Case:
    """The case as people write it: its tiles in short, nothing that says nothing."""
    short: Case = {"hand": write_tiles(hand.tiles, data.tiles)}
    return short | {key: value for key, value in case.items() if key != "hand" and value not in (None, [], False)}
