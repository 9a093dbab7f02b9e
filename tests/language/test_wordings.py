"""Wordings: sentences of authors in the rulebook, and who is told that they are out of date."""

import re
from pathlib import Path

import pytest
from commands import run

from tilewright.language.check import problems_of
from tilewright.language.documents.companions import whole_text
from tilewright.language.documents.library import bundled_documents
from tilewright.language.documents.wordings import ANY_OPTIONS, OF, WORDED, described, wordings
from tilewright.language.elaborate import open_whole
from tilewright.rulebook.book import rulebook_of
from tilewright.rulebook.pages import markdown

pytestmark = pytest.mark.long

OWN = """\
tilewright: 1
kind: ruleset
id: own
name: {en: My game}
extends: standard
scoring: {measures: {points: {}}, best: points}
terms:
  rich: {is: score > 100, about: {en: It has much}}
  well_off: {is: rich and wall > 10}
options:
  pay: {number: 2, from: 1, to: 9}
  rate: {choice: low, of: {low: 1, high: 3}}
  unused: {number: 2, from: 1, to: 9}
actions:
  reward:
    name: {en: Reward}
    wording: {en: The rich get richer, zh: 富者愈富}
    wording_of: OF
    do:
      - {when: well_off and wall > pay * rate, settle: prize}
      - ask: {name: {en: How many?}, who: seat, choose: {wanted: {number: 0..3}}}
triggers:
  reward: {after: [pung], do: [{reward: {}}]}
payments:
  prize: {one: {from: others, to: seat, amount: unused}}
"""


def made(folder: Path, text: str) -> Path:
    path = folder / "own.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def now(folder: Path, text: str) -> str:
    whole = open_whole(str(made(folder, text.replace("    wording_of: OF\n", ""))))
    return described(whole, "actions", "reward").fingerprint()


SAME = {
    "its note": ("name: {en: Reward}", "name: {en: Prize}\n    about: {en: For the best}"),
    "the wording": ("richer", "more"),
    "the order of keys": (
        "{when: well_off and wall > pay * rate, settle: prize}",
        "{settle: prize, when: well_off and wall > pay * rate}",
    ),
    "the layout": ("wanted: {number: 0..3}", "wanted:\n          {number: 0..3}"),
    "what it does not use": ("extends: standard", "extends: standard\nmatch: {score: 100}"),
    "what a question is called": ("{en: How many?}", "{en: Which number?, ja: 何枚？}"),
    "that a question has no name": ("name: {en: How many?}, ", ""),
    "an option that it does not use": ("unused: {number: 2", "unused: {number: 3"),
    "what an option may be set to": ("pay: {number: 2, from: 1", "pay: {number: 2, from: 0"),
    "a choice that is not made": ("high: 3", "high: 4"),
}
OTHER = {
    "what it does": ("settle: prize}\n", "settle: prize}\n      - {when: rich, settle: prize}\n"),
    "when": ("{when: well_off and", "{unless: well_off and"),
    "a term that it uses": ("rich and wall > 10", "rich or wall > 10"),
    "a term inside a term": ("score > 100", "score > 200"),
    "what is asked": ("number: 0..3", "number: 0..2"),
    "the default of an option": ("pay: {number: 2", "pay: {number: 3"),
    "what a choice is worth": ("low: 1", "low: 2"),
}


@pytest.mark.parametrize("change", SAME.values(), ids=SAME)
def test_a_fingerprint_stays(change: tuple[str, str], tmp_path: Path) -> None:
    assert change[0] in OWN and now(tmp_path, OWN) == now(tmp_path, OWN.replace(*change))


@pytest.mark.parametrize("change", OTHER.values(), ids=OTHER)
def test_a_fingerprint_changes_with_what_is_described(change: tuple[str, str], tmp_path: Path) -> None:
    assert change[0] in OWN and now(tmp_path, OWN) != now(tmp_path, OWN.replace(*change))


def test_a_stale_wording_is_reported_until_it_is_confirmed(tmp_path: Path) -> None:
    """The rulebook has the derived sentence meanwhile."""
    text, change = OWN.replace("OF", now(tmp_path, OWN)), OTHER["a term inside a term"]
    path = made(tmp_path, text)
    assert [one.code for one in problems_of(path)] == []
    assert "The rich get richer." in markdown(rulebook_of(str(path)))
    assert "富者愈富。" in markdown(rulebook_of(str(path), {}, (), "zh"))
    path = made(tmp_path, text.replace(*change))
    [problem] = problems_of(path)
    assert (problem.code, problem.severity) == ("stale-wording", "warning")
    assert "The rich get richer" not in markdown(rulebook_of(str(path)))
    assert "0 values" not in run("check", str(path), "--update", "--yes").stdout
    assert [one.code for one in problems_of(path)] == []
    assert path.read_text(encoding="utf-8").count("wording_of:") == 1
    assert "The rich get richer." in markdown(rulebook_of(str(path)))


SETTINGS = ({"pay": "3"}, pytest.param({"rate": "high"}, marks=pytest.mark.soak))


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_another_setting_has_the_derived_sentences(settings: dict[str, str], tmp_path: Path) -> None:
    """Unless the author says that the wording holds with any."""
    path = made(tmp_path, OWN.replace("OF", now(tmp_path, OWN)))
    said = "The rich get richer."
    assert said in markdown(rulebook_of(str(path), {"unused": "3"}))
    assert said not in markdown(rulebook_of(str(path), settings))
    [wording] = [one for one in wordings(open_whole(str(path))) if one.id == "reward"]
    assert wording.options == ("pay", "rate") and wording.with_any.endswith(ANY_OPTIONS)
    path = made(tmp_path, OWN.replace("OF", wording.with_any))
    assert said in markdown(rulebook_of(str(path), settings)) and [one.code for one in problems_of(path)] == []
    path.write_text(path.read_text(encoding="utf-8").replace("wall > 10", "wall > 20"), encoding="utf-8")
    [problem] = problems_of(path)
    assert problem.code == "stale-wording" and problem.hint is not None and ANY_OPTIONS in problem.hint
    assert "wording_of: " in run("check", str(path), "--update", "--yes").stdout
    assert path.read_text(encoding="utf-8").count(ANY_OPTIONS) == 1 and not problems_of(path)


def test_whether_a_part_exists_is_not_what_it_is(tmp_path: Path) -> None:
    """An option that only removes the part leaves its wording alone."""
    was = "  reward: {after: [pung], do: [{reward: {}}]}"
    assert was in OWN
    now = "  reward: {wording: {en: Paid.}, if: pay > 1, after: [pung], do: [{when: wall > rate, settle: prize}]}"
    path = made(tmp_path, OWN.replace("    wording_of: OF\n", "").replace(was, now))
    [wording] = [one for one in wordings(open_whole(str(path))) if one.part == "triggers" and one.id == "reward"]
    assert wording.options == ("rate",)


def test_a_wording_without_a_fingerprint_is_told_and_warned_of(tmp_path: Path) -> None:
    path = made(tmp_path, OWN.replace("    wording_of: OF\n", ""))
    [problem] = problems_of(path)
    assert problem.code == "unpinned-wording" and problem.hint is not None and now(tmp_path, OWN) in problem.hint
    assert "if it holds whatever pay and rate are set to" in problem.hint
    assert "The rich get richer." in markdown(rulebook_of(str(path)))


def test_those_of_the_bundled_rulesets_fit() -> None:
    """In the document that has them; where a ruleset that extends it changes the part, the rulebook leaves them out."""
    found = {
        (path.stem, one.part, one.id): one
        for path in bundled_documents()
        if "wording_of" in whole_text(path)
        for one in wordings(open_whole(str(path)))
        if (of := one.node.get(OF)) is not None and Path(of.place.source.name).parent.resolve() == path.parent.resolve()
    }
    assert len(found) > 10 and {part for _, part, _ in found} <= {*WORDED, "payments"}
    assert all(one.of and not one.is_stale and {"en", "zh"} <= {*one.text} for one in found.values())
    charleston = found["american", "phases", "charleston"].text["en"]
    assert charleston in markdown(rulebook_of("american"))
    assert charleston not in markdown(rulebook_of("american", {}, ("no_charleston",)))


def test_a_wording_over_one_of_a_base_is_warned_of_where_it_stands(tmp_path: Path) -> None:
    """The fingerprint of the base is that of another part; once its own stands there, the rulebook says it."""
    text = "\n".join(
        [
            "{tilewright: 1, kind: ruleset, id: mine, name: Mine, extends: standard,",
            "scoring: {measures: {points: {}}, best: points},",
            "actions: {set_aside: {wording: {en: Mine.}, do: [{replacement: {}}]}}}",
        ]
    )
    path = made(tmp_path, text)
    [problem] = [one for one in problems_of(path) if one.code == "stale-wording"]
    assert problem.place is not None and problem.place.source.name == str(path) and problem.hint is not None
    of = re.findall(r"wording_of: (\w+)", problem.hint)[0]
    path = made(tmp_path, text.replace("{en: Mine.},", f"{{en: Mine.}}, wording_of: {of},"))
    assert [one.code for one in problems_of(path)] == [] and "Mine." in markdown(rulebook_of(str(path)))
