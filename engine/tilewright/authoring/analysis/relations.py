"""Relations of patterns: what was seen in, those that never counted, imply each other, or whose worth does not go with
how rarely they come, out. Samples nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tilewright.authoring.analysis.seen import Seen
from tilewright.base.arrays import Array
from tilewright.base.problem import Place
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.lint.hands import impossible
from tilewright.players.simulation.estimates import Estimate, StandsOut, balance, declared, measure_of, share_of_trials

LEAST_SEEN = 20  # hands with a pattern, from which on what is in all of them is told
CHANCE = 1e-6  # an implication that is as likely by chance is not reported


@dataclass(frozen=True, slots=True)
class NeverFound:
    """A pattern that did not count in any sampled hand; `why` none can have it, where that is proven (in English)."""

    pattern: str
    place: Place | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Implied:
    """Each of the `hands` with a pattern also counts `other`; `mutual`: and the other way round, in all hands."""

    pattern: str
    other: str
    place: Place | None
    hands: int
    mutual: bool = False


@dataclass(frozen=True, slots=True)
class WorthAndRarity:
    """A pattern that stands out: its worth in `measure` and its share of hands that are like drawn, with its rank in
    both among `of` patterns of the measure, 1 for the dearest and for the rarest; and the patterns beside which it
    does."""

    id: str
    place: Place | None
    measure: str
    worth: float | None
    hands: int
    of_wins: Estimate | None
    worth_rank: int = 0
    rarity_rank: int = 0
    of: int = 0
    stands_out: StandsOut | None = None
    beside: tuple[str, ...] = ()


def never(data: CompiledRuleset, seen: Seen) -> Iterator[NeverFound]:
    """Patterns that no hand can have, or none had. Wild tiles make proofs impossible."""
    proves = not data.tiles.wild and not data.wild_when
    for pattern, count in zip(data.patterns, seen.all_counts.tolist(), strict=True):
        if count:
            continue
        why = impossible(pattern, data, () if pattern.everyone else data.forms) if proves else None
        if why or seen.total:
            yield NeverFound(pattern.id, pattern.place, why or "")


# --- implications


def implied(data: CompiledRuleset, seen: Seen) -> Iterator[Implied]:
    """Patterns that always come with another one. What follows from two others is left out."""
    implies = implications(seen)
    mutual = implies & implies.T
    strict = implies & ~mutual
    follows = (strict.astype(np.int64) @ strict.astype(np.int64)) > 0
    first = representatives(mutual)
    for one, pattern in enumerate(data.patterns):
        for other in np.flatnonzero(implies[one]).tolist():
            count = int(seen.all_counts[one])
            if mutual[one, other]:
                if first[one] == one and first[other] == one:
                    yield Implied(pattern.id, seen.ids[other], pattern.place, count, True)
            elif not follows[one, other] and first[one] == one and first[other] == other:
                yield Implied(pattern.id, seen.ids[other], pattern.place, count)


def implications(seen: Seen) -> Array:
    """Whether each hand with one pattern (row) has another (column), and that is no chance: hands near examples
    resemble each other, so they only speak against it."""
    counts, independent = seen.all_counts, seen.independent
    always = (seen.together == counts[:, None]) & (independent >= LEAST_SEEN)[:, None]
    shares = [seen.counts[sort] / count for sort, count in seen.hands.items() if count]
    likely = np.max([np.zeros(len(counts)), *shares], axis=0)
    by_chance = likely[None, :] ** independent[:, None].astype(float)
    np.fill_diagonal(always, False)
    return np.asarray(always & (by_chance < CHANCE))


def representatives(mutual: Array) -> list[int]:
    """The first of the patterns that each always comes with."""
    return [min([number, *np.flatnonzero(row).tolist()]) for number, row in enumerate(mutual)]


# --- worth and rarity


def out_of_line(data: CompiledRuleset, seen: Seen) -> Iterator[WorthAndRarity]:
    """The patterns that stand out among those seen, the most striking first."""
    known = list(figures(data, seen))
    found = [(one, balance(one, known)) for one in known]
    found.sort(key=lambda pair: -max(len(pair[1].commoner_and_dearer), len(pair[1].rarer_and_cheaper)))
    for one, beside in found:
        if beside.stands_out is not None:
            same = [other for other in known if other.measure == one.measure]
            rare = beside.stands_out == "rare_and_cheap"
            yield WorthAndRarity(
                *(one.id, one.place, one.measure, one.worth, one.hands, one.of_wins),
                rank([-(other.worth or 0) for other in same], -(one.worth or 0)),
                rank([other.hands for other in same], one.hands),
                len(same),
                beside.stands_out,
                beside.commoner_and_dearer if rare else beside.rarer_and_cheaper,
            )


def figures(data: CompiledRuleset, seen: Seen) -> Iterator[WorthAndRarity]:
    """The patterns with a written worth that counted in hands that are like drawn."""
    for pattern, count in zip(data.patterns, seen.counts["dealt"].tolist(), strict=True):
        measure = measure_of(pattern, data.scoring.best)
        worth = declared(pattern, measure)
        if count and worth is not None:
            share = share_of_trials(count, seen.hands["dealt"])
            yield WorthAndRarity(pattern.id, pattern.place, measure, worth, count, share)


def rank(numbers: Sequence[float], number: float) -> int:
    """The place of a number, 1 for the lowest; equal ones share it."""
    return 1 + sum(other < number for other in numbers)
