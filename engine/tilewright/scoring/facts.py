"""Facts: the counted features of a reading in, the atoms of a plan out as the bits of one integer.

Atoms on the same counters form a cluster: generated source reads them, and a table remembers them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tilewright.language.compiled.ir import Ir
from tilewright.scoring.features import MOST, WIDTH
from tilewright.scoring.plan import (
    EachAtom,
    GroupAtom,
    HasAtom,
    NoneAtom,
    PlacesAtom,
    ScoringPlan,
    SomeAtom,
    TileAtom,
    WantCount,
    counts_in,
    dynamic,
    places,
    width,
)
from tilewright.scoring.tables import LookupTable

Read = Callable[[int, tuple[Any, ...]], int]
COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


@dataclass(frozen=True, slots=True)
class Cluster:
    """`mask`: the counters that its atoms look at. `dynamic`: they also look at classes that the table decides.
    `known`: their values by the masked sum, and, if dynamic, by the classes too."""

    mask: int
    dynamic: bool
    known: LookupTable[Any, int]


class Facts:
    """The place of each atom's value in the integer of facts, and the clusters that give them."""

    def __init__(self, plan: ScoringPlan) -> None:
        self.plan = plan
        self.at: dict[Ir | str, int] = {}
        bit = 0
        for key, atom in plan.atoms.items():
            self.at[key] = bit
            bit += width(atom)
        self.classes = class_questions(plan)
        self.clusters = [self.cluster(keys) for keys in together(plan)]
        self.tile_atoms = [(atom, self.at[key]) for key, atom in plan.atoms.items() if isinstance(atom, TileAtom)]
        self.of_tiles: LookupTable[int, int] = LookupTable(self.tile_facts)

    def tile_facts(self, bits: int) -> int:
        """The facts that the tiles of a hand decide."""
        return sum(holds(atom, bits) << at for atom, at in self.tile_atoms)

    def cluster(self, keys: list["Ir | str"]) -> Cluster:
        """The cluster of these atoms, its reader compiled."""
        names: dict[str, Any] = {}
        lines = ["def read(x, d):", "    a = 0"]
        mask, moves = 0, False
        for key in keys:
            atom = self.plan.atoms[key]
            assert not isinstance(atom, TileAtom)
            lines += self.reading(atom, self.at[key], names)
            moves = moves or dynamic(atom)
            for place in places(atom):
                mask |= MOST << place
        exec(compile("\n".join([*lines, "    return a"]), "<facts>", "exec"), names)
        read: Read = names["read"]
        return Cluster(
            mask, moves, LookupTable(lambda key: read(*key)) if moves else LookupTable(lambda key: read(key, ()))
        )

    # --- source

    def reading(self, atom: GroupAtom, at: int, names: dict[str, Any]) -> list[str]:
        """Lines that put the atom's value into `a`."""
        if isinstance(atom, EachAtom):
            exposed = "" if atom.exposed is None else f" | {self.count(atom.exposed, names)} << {at + WIDTH}"
            return [f"    a |= {self.count(atom.closed, names)} << {at}{exposed}"]
        if isinstance(atom, PlacesAtom):
            names["most_places"], names[f"c{at}"] = most_places, flat_cases(atom)
            return [f"    a |= most_places(x, c{at}) << {at}"]
        return [f"    if {self.truth(atom, names)}:", f"        a |= {1 << at}"]

    def truth(self, atom: HasAtom | NoneAtom | SomeAtom, names: dict[str, Any]) -> str:
        if isinstance(atom, NoneAtom | SomeAtom):
            return f"{'not ' if isinstance(atom, NoneAtom) else ''}x >> {atom.at} & {MOST}"
        cases = [
            " and ".join(f"{self.count(count, names)} >= {number}" for number, count in case) for case in atom.cases
        ]
        return " or ".join(f"({case})" for case in cases if case) or "False"

    def count(self, count: WantCount, names: dict[str, Any]) -> str:
        """The number of groups that meet a want."""
        if not count.tiles:
            return f"(x >> {count.at} & {MOST})"
        name = f"t{len(names)}"
        names[name] = LookupTable(lambda classes: counters_of(count.tiles, *classes))
        of, unless = ("None" if ir is None else f"d[{self.classes.index(ir)}]" for ir in (count.of, count.unless))
        return f"sum([x >> at & {MOST} for at in {name}[{of}, {unless}]])"


def counters_of(
    tiles: Iterable[tuple[int, int]], of: frozenset[int] | None, unless: frozenset[int] | None
) -> tuple[int, ...]:
    """The lowest bits of the counters of those tiles that are in one class and outside of another."""
    return tuple(at for tile, at in tiles if (of is None or tile in of) and (unless is None or tile not in unless))


def class_questions(plan: ScoringPlan) -> list[Ir]:
    """The classes that the table decides and atoms look at."""
    asked = (ir for atom in plan.atoms.values() for count in counts_in(atom) for ir in (count.of, count.unless))
    return list(dict.fromkeys(ir for ir in asked if ir is not None))


Needs = tuple[tuple[int, int], ...]  # (lowest bit of a counter, how many of it)


def flat_cases(atom: PlacesAtom) -> tuple[Needs, ...]:
    """What one place of each case takes."""
    return tuple(tuple((count.at, number) for number, count in case) for case in atom.cases)


def most_places(total: int, cases: tuple[Needs, ...]) -> int:
    """How many places fit together, each taking what its case needs."""
    possible = [case for case in cases if all(total >> at & MOST >= number for at, number in case)]
    best = 0
    for index, case in enumerate(possible):
        rest = total - sum(number << at for at, number in case)
        best = max(best, 1 + most_places(rest, tuple(possible[index:])))
    return best


def together(plan: ScoringPlan) -> list[list["Ir | str"]]:
    """Atoms in clusters: those of many cases with all that share a counter with them, those of one case all in one."""
    simple: list[Ir | str] = []
    parts: list[tuple[set[int], list[Ir | str]]] = []
    for key, atom in plan.atoms.items():
        if isinstance(atom, TileAtom):
            continue
        if not isinstance(atom, HasAtom | PlacesAtom) or len(atom.cases) == 1:
            simple.append(key)
            continue
        counters = set(places(atom))
        touched = [part for part in parts if not part[0].isdisjoint(counters)]
        parts = [part for part in parts if part not in touched]
        parts.append((counters.union(*(part[0] for part in touched)), [*(k for part in touched for k in part[1]), key]))
    return [keys for keys in (simple, *(part[1] for part in parts)) if keys]


def holds(atom: TileAtom, bits: int) -> bool:
    """Whether a fact of tiles is true."""
    if atom.op == "all":
        return bits & atom.bits == atom.bits
    if atom.op == "none":
        return not bits & atom.bits
    return COMPARE[atom.op]((bits & atom.bits).bit_count(), atom.number)
