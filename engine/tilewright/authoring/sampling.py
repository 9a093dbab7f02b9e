"""Sampled hands: a ruleset in; hands of it out, as cases one by one or dealt in columns.

Cases are those of its examples, the same a little changed, and hands of its forms made at random. Dealt hands are
complete: forms and groups come as often as their tiles are drawn, a chow of a suit more often than a pung; or narrow, a
few groups at a time, all alike often, so that rare hands come; their flags and zones are empty. The same seed gives the
same hands. Knows no patterns, scores nothing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from math import comb, factorial, log10, prod
from random import Random
from typing import Any

import numpy as np

from tilewright.base.arrays import Array
from tilewright.hands.reading import Hand, Shape, Slot
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.scoring.batch import NOBODY, HandBatch
from tilewright.scoring.case import read_case
from tilewright.scoring.case_hands import seat_names
from tilewright.scoring.case_mistakes import CaseError
from tilewright.scoring.rules import ScoringRules
from tilewright.tiles.notation import write_tile, write_tiles
from tilewright.tiles.tileset import Tile

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


# --- dealt hands

MELDED, EXPOSED, SELF_DRAWN = 0.25, 0.7, 0.4  # of groups that may be melded, of melds, of hands
SET_ASIDE, OFTEN, BONUS_SETS = 0.2, 0.7, 16  # of bonus tiles as they are drawn, and in narrow hands; at a time
CHUNK = 2_048  # hands dealt at a time
NARROW_CHUNKS = 8  # with other groups each, for every chunk that is like drawn
NARROW = (6, 12, 24)  # options of a slot
NARROW_PARTS = 8  # in each of which groups and tiles are others
SMALLEST_MELD = 3  # tiles


@dataclass(frozen=True)
class Options:
    """What may fill a slot, in rows: the tiles by face, the group (-1: a single tile), the odds of drawing it, and
    whether it `lies` only as a meld or `may_lie` as one."""

    faces: Array
    group: Array
    odds: Array
    lies: Array
    may_lie: Array

    def some(self, rows: Array) -> "Options":
        """These of them, all as likely."""
        even = np.ones(len(rows))
        return Options(self.faces[rows], self.group[rows], even, self.lies[rows], self.may_lie[rows])


@dataclass(frozen=True)
class DealtCase:
    """A case of a form: what may fill each slot, and how often hands of it are drawn, by the same scale for all."""

    slots: tuple[tuple[Slot, Options], ...]
    odds: float

    @property
    def richness(self) -> float:
        """How many different hands it has, as the number of digits."""
        return log10(10 + prod(1 if slot.each else len(options.group) ** slot.count for slot, options in self.slots))


@dataclass(frozen=True)
class Dealing:
    """Deals complete hands of a ruleset."""

    data: CompiledRuleset

    @cached_property
    def cases(self) -> tuple[DealtCase, ...]:
        """The cases of all forms that groups and tiles fill; none where cards or regular expressions make hands."""
        found = [
            self.case(form.shape, slots)
            for form in self.data.forms
            if form.shape.pick is None and form.shape.listed is None and form.matches is None
            for slots in form.shape.cases
        ]
        return tuple(case for case in found if case.odds > 0)

    def case(self, shape: Shape, slots: Sequence[Slot]) -> DealtCase:
        """A case with its odds; 0 where nothing fills a slot."""
        rows = tuple((slot, self.options(shape, slot)) for slot in slots)
        odds = 1.0
        for slot, options in rows:
            total = float(options.odds.sum())
            odds *= float(np.prod(options.odds)) if slot.each else total**slot.count / factorial(slot.count)
        return DealtCase(rows, odds)

    def options(self, shape: Shape, slot: Slot) -> Options:
        """What may fill a slot."""
        groups = sorted(slot.groups | slot.meld_groups)
        tiles = [self.data.groups.groups[group].tiles for group in groups]
        lies = [slot.exposed is True or group not in slot.groups for group in groups]
        may_lie = [not shape.concealed and slot.exposed is not False and len(one) >= SMALLEST_MELD for one in tiles]
        single = sorted(slot.tiles)
        faces = np.zeros((len(groups) + len(single), len(self.copies)), np.uint8)
        for row, held in enumerate([*tiles, *((tile,) for tile in single)]):
            for tile in held:
                faces[row, tile] += 1
        odds = [
            float(np.prod([comb(int(self.copies[face]), int(row[face])) for face in np.flatnonzero(row)]))
            for row in faces
        ]
        none = [False] * len(single)
        able = np.array(
            [*(not lying or may for lying, may in zip(lies, may_lie, strict=True)), *(True for _ in single)]
        )
        return Options(
            faces,
            np.array([*groups, *([NOBODY] * len(single))], np.int16),
            np.array(odds) * able,
            np.array([*lies, *none], bool),
            np.array([*may_lie, *none], bool),
        )

    @cached_property
    def copies(self) -> Array:
        """How many of each face there are; special tiles count as their plain ones."""
        tiles = self.data.tiles.tiles
        found = np.zeros(len(tiles), np.int64)
        for tile in tiles:
            found[tile.plain] += tile.copies
        return found

    @cached_property
    def bonus(self) -> tuple[int, ...]:
        """The faces that are set aside, if any are: those that no form has room for."""
        if "bonus" not in self.data.zones:
            return ()
        used = {
            face for case in self.cases for _, options in case.slots for face in np.flatnonzero(options.faces.any(0))
        }
        wild = {face for one in self.data.tiles.wild for face in one.tiles.tiles}
        return tuple(
            tile.index
            for tile in self.data.tiles.tiles
            if tile.copies and tile.plain not in used and tile.plain not in wild
        )

    # --- hands

    def batches(self, hands: int, random: np.random.Generator) -> Iterator[tuple[HandBatch, bool, int]]:
        """Batches that are like drawn and narrow ones, of about so many hands in all: whether it is narrow, and
        how many hands were tried up to it."""
        tried = 0
        while tried < hands and self.cases:
            for narrow in (False, *(True for _ in range(NARROW_CHUNKS))):
                size = min(CHUNK // NARROW_CHUNKS if narrow else CHUNK, hands - tried)
                tried += size
                if size:
                    yield self.deal(size, random, narrow=narrow), narrow, tried

    def deal(self, count: int, random: np.random.Generator, *, narrow: bool = False) -> HandBatch:
        """Up to this many hands of the cases: those that hold a tile more often than it exists are left out."""
        if narrow:
            rich = np.array([case.richness for case in self.cases])
            picked = random.choice(len(self.cases), NARROW_PARTS, p=rich / rich.sum())
            chosen, counts = picked, np.full(NARROW_PARTS, -(-count // NARROW_PARTS))
        else:
            odds = np.array([case.odds for case in self.cases])
            chosen, counts = np.arange(len(odds)), random.multinomial(count, odds / odds.sum())
        parts = [
            self.hands_of(self.cases[case], int(number), random, narrow)
            for case, number in zip(chosen.tolist(), counts.tolist(), strict=True)
            if number
        ]
        return self.batch(parts, random, OFTEN if narrow else SET_ASIDE)

    def hands_of(
        self, case: DealtCase, count: int, random: np.random.Generator, narrow: bool
    ) -> tuple[Array, Array, Array]:
        """Hands of a case that can exist: the concealed tiles by face, the melds, and all tiles by face."""
        size, theme = len(self.copies), self.theme(random)
        held, melds = np.zeros((count, size), np.int64), [np.zeros((count, 0), np.int16)]
        whole, fits = np.zeros((count, size), np.int64), np.ones(count, bool)
        for slot, every in case.slots:
            if slot.each:
                held += every.faces.sum(axis=0, dtype=np.int64)
                whole += every.faces.sum(axis=0, dtype=np.int64)
                continue
            options = narrowed(every, theme, random) if narrow else every
            picked = random.choice(len(options.group), (count, slot.count), p=options.odds / options.odds.sum())
            if slot.different:
                ordered = np.sort(picked, axis=1)
                fits &= (ordered[:, 1:] != ordered[:, :-1]).all(axis=1)
            lying = options.lies[picked] | (options.may_lie[picked] & (random.random(picked.shape) < MELDED))
            faces = options.faces[picked].astype(np.int64)
            whole += faces.sum(axis=1)
            held += (faces * ~lying[:, :, None]).sum(axis=1)
            melds.append(np.where(lying, options.group[picked], NOBODY).astype(np.int16))
        fits &= (whole <= self.copies).all(axis=1) & (held.sum(axis=1) > 0)
        return held[fits], np.concatenate(melds, axis=1)[fits], whole[fits]

    def batch(
        self, parts: Sequence[tuple[Array, Array, Array]], random: np.random.Generator, bonus: float
    ) -> HandBatch:
        """The hands of all cases, each with a winning tile, a seat and the rest of what a table says."""
        most = max((melds.shape[1] for _, melds, _ in parts), default=0)
        wide = [np.pad(melds, ((0, 0), (0, most - melds.shape[1])), constant_values=NOBODY) for _, melds, _ in parts]
        held, melds = np.concatenate([part[0] for part in parts]), np.concatenate(wide)
        count, seats, winds = len(held), self.data.seats.count, self.data.seats.winds
        at = (random.random(count) * held.sum(axis=1)).astype(np.int64)
        win = (held.cumsum(axis=1) > at[:, None]).argmax(axis=1)
        held[np.arange(count), win] -= 1
        seat = random.integers(0, seats, count)
        drawn = random.random(count) < SELF_DRAWN
        other = (seat + random.integers(1, max(seats, 2), count)) % seats
        return HandBatch.of(
            held,
            win,
            melds,
            random.random(melds.shape) < EXPOSED,
            bonus=self.set_aside(count, bonus, random),
            seat=seat,
            discarder=np.where(drawn | (other == seat), NOBODY, other),
            self_draw=drawn,
            round_wind=random.choice(np.array(winds), count) if winds else None,
        )

    def set_aside(self, count: int, share: float, random: np.random.Generator) -> Array:
        """Bonus tiles: in half of the hands none, in the others one of a few sets of this share of them."""
        tiles = self.data.tiles.tiles
        sets = np.zeros((2 * BONUS_SETS, len(tiles)), np.uint8)
        for face in self.bonus:
            sets[:BONUS_SETS, face] = random.binomial(tiles[face].copies, share, BONUS_SETS)
        return np.asarray(sets[random.integers(0, len(sets), count)])

    @cached_property
    def alike(self) -> tuple[Array, ...]:
        """Faces that have a family, a suit or a rank in common, each as truths."""
        tiles = self.data.tiles.tiles
        traits = dict.fromkeys(trait for tile in tiles for trait in traits_of(tile))
        return tuple(np.array([trait in traits_of(tile) for tile in tiles]) for trait in traits)

    def theme(self, random: np.random.Generator) -> Array:
        """The faces that narrow hands are made of: all, or those that have one of a few things in common."""
        if not self.alike or random.random() < 0.5:
            return np.ones(len(self.copies), bool)
        some = random.choice(len(self.alike), min(int(random.integers(1, 4)), len(self.alike)), replace=False)
        return np.asarray(np.any([self.alike[trait] for trait in some], axis=0))


def traits_of(tile: Tile) -> set[tuple[str, str | int]]:
    found: set[tuple[str, str | int]] = {("family", tile.family)}
    found |= set() if tile.suit is None else {("suit", tile.suit)}
    return found | (set() if tile.rank is None else {("rank", tile.rank)})


def narrowed(options: Options, theme: Array, random: np.random.Generator) -> Options:
    """A few options that can be dealt, of these faces if there are such."""
    able = np.flatnonzero(options.odds)
    fitting = able[~options.faces[able][:, ~theme].any(axis=1)]
    able = fitting if len(fitting) else able
    size = min(int(random.choice(NARROW)), len(able))
    return options.some(random.choice(able, size, replace=False))
