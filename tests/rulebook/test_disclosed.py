"""What rules show to whom is listed, whatever their parts are called; bundled rules show what is known."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import ROOT

from tilewright.language.load import load_elaborated
from tilewright.presentation.catalogue import LANGUAGES
from tilewright.rulebook.changes import disclosed
from tilewright.rulebook.sides import OpenSide, Side

pytestmark = pytest.mark.long
HEAD = "tilewright: 1\nkind: mod\nid: mine\nname: {en: Red fives}\nfor: [riichi]\n"
CASES = yaml.safe_load((ROOT / "tests" / "data" / "disclosures.yaml").read_text(encoding="utf-8"))


def side(name: str, *mods: str, language: str = "en") -> OpenSide:
    return Side(name, lambda options: load_elaborated(name, options, mods), language).under()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["what"])
def test_a_mod_is_found_out(case: dict[str, Any], tmp_path: Path) -> None:
    mod = tmp_path / "mine.yaml"
    mod.write_text(HEAD + case["mod"], encoding="utf-8")
    found = disclosed(side("riichi", str(mod)), side("riichi"))
    assert [f"{one.text} [{', '.join(one.hidden)}]" for one in found] == case["shows"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_said_in_every_language(language: str) -> None:
    (line,) = disclosed(side("riichi", "futures", language=language), side("riichi", language=language))
    assert line.text and line.hidden and (language == "en" or not line.text.isascii())


def test_rules_by_themselves_are_listed_whole() -> None:
    lines = [one.text for one in disclosed(side("cantonese"))]
    assert "Wall: nobody sees these tiles" in lines
    assert "Hand: only their owner sees these tiles" in lines
