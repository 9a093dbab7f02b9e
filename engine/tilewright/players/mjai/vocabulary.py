"""The vocabulary: which words of MJAI mean which offers, zones and marks of a ruleset.

It is data, `vocabulary.json`: the offers are those of the bundled rulesets that MJAI can say, and of rulesets made from
them. In: a compiled ruleset. Out: its vocabulary, or what the ruleset lacks.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.play.program.program import Program
from tilewright.tiles.notation import write_tile

HIDDEN = "?"
NONE = "none"
SEATS = (3, 4)


class NotInMjai(ValueError):
    """A ruleset that MJAI has no words for; the message says what it lacks."""


@dataclass(frozen=True)
class Vocabulary:
    """The words of MJAI for one ruleset. `offers`: the offer of each kind of move, and `kinds` the reverse; `faces`:
    the tile of each name, and `names` the reverse; `codes`: its code; `aside`: the tile that is set aside; `stick`: the
    worth of a deposit."""

    program: Program
    offers: Mapping[str, str]
    dora: str
    ura: str
    honba: str
    reasons: Mapping[str, str]
    ryukyoku_reason: str
    aside: str
    stick: int
    faces: Mapping[str, int]

    @cached_property
    def kinds(self) -> Mapping[str, str]:
        return {offer: kind for kind, offer in self.offers.items()}

    @cached_property
    def names(self) -> Mapping[int, str]:
        return {face: name for name, face in self.faces.items()}

    @cached_property
    def codes(self) -> Mapping[str, str]:
        """The code of the tile of each name."""
        return {name: self.program.code[face] for name, face in self.faces.items()}

    @cached_property
    def names_of_codes(self) -> Mapping[str, str]:
        return {code: name for name, code in self.codes.items()}


@cache
def words() -> Mapping[str, Any]:
    """The file as it is."""
    found: Mapping[str, Any] = json.loads(Path(__file__).with_name("vocabulary.json").read_text(encoding="utf-8"))
    return found


def expect_words(data: CompiledRuleset) -> None:
    """Raise NotInMjai if MJAI cannot tell of games under this ruleset."""
    said, play = words(), data.play
    offers = {} if play is None else play.offers
    missing = [f"the offer {said['moves'][kind]}" for kind in said["needed"] if said["moves"][kind] not in offers]
    missing += [f"the zone {said[zone]}" for zone in ("dora", "ura") if said[zone] not in data.zones]
    missing += [f"the mark {said['honba']}"] if said["honba"] not in data.marks else []
    missing += ["three or four seats"] if data.seats.count not in SEATS else []
    if missing:
        raise NotInMjai(f"{data.id} cannot be told in MJAI: it lacks {', '.join(missing)}")


def expect_followed(data: CompiledRuleset) -> None:
    """Raise NotInMjai if a table elsewhere cannot be followed under this ruleset."""
    expect_words(data)
    if data.seats.hands > 1:
        raise NotInMjai(f"{data.id} cannot be followed in MJAI: a seat may win one of its hands and play on")


def vocabulary_of(program: Program) -> Vocabulary:
    """The words for a ruleset. Raises NotInMjai."""
    data, said = program.data, words()
    expect_words(data)
    special = {code: name for name, code in said["tiles"].items()}
    codes = {face: write_tile(face, data.tiles) for face in data.tiles.order}
    return Vocabulary(
        program,
        {kind: offer for kind, offer in said["moves"].items() if offer in program.play.offers},
        said["dora"],
        said["ura"],
        said["honba"],
        said["reasons"],
        said["ryukyoku_reason"],
        said["aside"],
        said["stick"],
        {special.get(code, code): face for face, code in codes.items()},
    )
