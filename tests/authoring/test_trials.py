"""Rules that are opened to be tried: those that score alike share their kernel, and a few hands need none."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tilewright.authoring import trials
from tilewright.authoring.findings import tried
from tilewright.authoring.new_documents import write_ruleset
from tilewright.authoring.open_rules import RulesChoice
from tilewright.authoring.trials import OpenedRules
from tilewright.language.documents.library import path_of
from tilewright.scoring.kernel.scores import ScoringImage
from tilewright.scoring.rules import ScoringRules

HONG_KONG = str(path_of("hong_kong", what="ruleset"))


@pytest.fixture(autouse=True)
def no_plain_rules() -> Iterator[None]:
    """No rules are open from tests before."""
    trials.MANY_RULES.clear()
    yield
    trials.MANY_RULES.clear()


@pytest.fixture
def images(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The rulesets whose images are made, which none are kept of."""
    made, make = list[str](), ScoringRules.made_image

    def made_image(rules: ScoringRules) -> ScoringImage | None:
        made.append(rules.data.id)
        return make(rules)

    monkeypatch.setattr(ScoringRules, "made_image", made_image)
    monkeypatch.setattr("tilewright.scoring.kernel.scores.recall_made", lambda data, kind: None)
    return made


def test_options_and_mods_that_change_no_score_use_the_image_of_the_ruleset(images: list[str]) -> None:
    plain = OpenedRules(HONG_KONG)
    rules, option, mod = (
        plain.rules(),
        plain.rules({"liability": "true"}),
        OpenedRules(HONG_KONG, ("futures",)).rules(),
    )
    assert rules.kernel is option.kernel is mod.kernel is not None
    assert images == ["hong_kong"]


def test_hands_of_other_options_are_scored_without_an_image(images: list[str]) -> None:
    assert OpenedRules(HONG_KONG).rules({"least_faan": "1"}).kernel is None
    assert images == []


def test_a_small_ruleset_is_checked_without_an_image(tmp_path: Path, images: list[str]) -> None:
    found = tried(write_ruleset("my_game", tmp_path), (), RulesChoice())
    assert not found.problems and sum(one.examples for one in found.outcomes) > 0
    assert images == []


@pytest.mark.parametrize(("worth", "found"), [(2, {"case-fails"}), (1, set())])
def test_a_mod_may_change_what_only_an_option_brings(tmp_path: Path, worth: int, found: set[str]) -> None:
    """Hands that the ruleset tries with this option are tried with the mod."""
    file = write_ruleset("my_game", tmp_path)
    text = file.read_text(encoding="utf-8").replace("\noptions:", "\noptions:\n  fed: {flag: false, label: Fed}")
    file.write_text(text.replace("\npatterns:", FED) + WITH_OPTION, encoding="utf-8")
    mod = tmp_path / "more.yaml"
    changes = f"change: {{patterns: {{fed: {{worth: {worth}}}}}}}"
    mod.write_text(f"tilewright: 2\nkind: mod\nid: more\nname: More\nfor: [my_game]\n{changes}\n")
    assert not tried(file, (), RulesChoice()).problems
    assert {one.code for one in tried(mod, (), RulesChoice()).problems} == found


FED = """
patterns:
  fed: {if: fed, name: Fed, worth: 1, when: {self_draw: false}}"""
WITH_OPTION = """
  fed_triplets:
    options: {fed: true}
    hand: 222m 777p EEE 55s CC
    win_tile: 5s
    expect: {total: 4, patterns: [all_triplets, fed]}
"""
