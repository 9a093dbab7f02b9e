"""The look-up of a ruleset, written as Python source: the key of a hand in, its readings in simple forms out.

Blocks, forms and clusters of facts are few and known, so their loops are written out. Most of the time of scoring
one hand is spent here; `tables.py` and `facts.py` say what is looked up.
"""

from collections.abc import Callable, Sequence
from typing import Any

from tilewright.scoring.facts import Facts
from tilewright.scoring.tables import LONE, SUMS, LookupTables, MeldEntry, Sums

# key, tables of the blocks, entries of the melds, classes that the table decides -> the bits of the tiles, and for each
# reading the index of its form, its sum and its facts
Readings = list[tuple[int, int, int]]
LookUp = Callable[[int, Sequence[Any], Sequence[MeldEntry], tuple[Any, ...]], tuple[int, Readings]]
Totals = Callable[[int, list[Sums]], Sequence[int]]


def look_up_of(tables: LookupTables, facts: Facts, forms: Sequence[int], totals: Totals) -> LookUp:
    """The compiled look-up. `forms`: the index of each simple form among all forms."""
    names: dict[str, Any] = {"totals": totals, "of_tiles": facts.of_tiles}
    blocks = range(len(tables.blocks))
    lines = ["def look(key, t, melds, classes):"]
    for number, (at, mask, _) in enumerate(tables.without_win):
        lines.append(f"    e{number} = t[{number}][2][key >> {at} & {mask}]")
    lines += [
        f"    bits = {' | '.join(f'e{n}[0]' for n in blocks) or 0}",
        f"    shape = {' + '.join(f'e{n}[1]' for n in blocks) or 0}",
        "    for m in melds:",
        "        bits |= m[0]",
        "        shape += m[1]",
        "    facts = of_tiles[bits]",
        "    found = []",
    ]
    for number, index in enumerate(forms):
        lines += form_lines(number, index, tables, facts, names)
    exec(compile("\n".join([*lines, "    return bits, found"]), "<look-up>", "exec"), names)
    look: LookUp = names["look"]
    return look


def form_lines(number: int, index: int, tables: LookupTables, facts: Facts, names: dict[str, Any]) -> list[str]:
    """Lines that add the readings in one form to `found`."""
    blocks = range(len(tables.blocks))
    field, at = (1 << tables.width) - 1, tables.width * number
    clusters = []
    for place, cluster in enumerate(facts.clusters):
        names[f"c{place}"] = cluster.known
        key = f"x & {cluster.mask}, classes" if cluster.dynamic else f"x & {cluster.mask}"
        clusters.append(f" | c{place}[{key}]")
    rows = ", ".join(f"e{n}[{SUMS}]" for n in blocks)
    add = f"found.append(({index}, x, facts{''.join(clusters)}))"
    return [
        f"    filled = shape >> {at} & {field}",
        f"    if filled == {tables.targets[number]}:",
        f"        x = {' + '.join(f'e{n}[{LONE + number}]' for n in blocks) or 0}",
        "        for m in melds:",
        f"            x += m[{LONE + number}]",
        f"        {add}",
        f"    elif {tables.none} > filled >= {tables.several}:",
        f"        for x in totals({number}, [{rows}, *[m[{SUMS}] for m in melds]]):",
        f"            {add}",
    ]
