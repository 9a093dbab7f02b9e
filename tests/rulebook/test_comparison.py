"""Comparing rulesets: what means the same gives an empty diff, and what a hand or a game shows does not."""

import json
import random
import re
import subprocess
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from budget import budget
from commands import fails, run
from conftest import ROOT

from tilewright.authoring.mutants import Mutant, mutants
from tilewright.authoring.sampling import sampled_cases
from tilewright.base.problem import RulesetError
from tilewright.language.documents.library import path_of
from tilewright.language.elaborate import compile_with_problems, open_whole
from tilewright.language.load import Elaborated
from tilewright.play.log import lines
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.player import player_of
from tilewright.players.simulation.run import seed_of
from tilewright.presentation.catalogue import LANGUAGES
from tilewright.rulebook.changes import REST, TERMS
from tilewright.rulebook.compared_parts import SECTIONS
from tilewright.rulebook.comparison import Comparison, ComparisonPlan, compare
from tilewright.rulebook.comparison_lines import ComparisonLines
from tilewright.rulebook.differences import HANDS
from tilewright.rulebook.sides import Side
from tilewright.scoring.case_mistakes import CaseError

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("test_comparison")]  # riichi and sanma are compared once

RULESET = (ROOT / "tests" / "drafts" / "compared.yaml").read_text(encoding="utf-8")
SMALL = ComparisonPlan(hands=60, games=1)
BUNDLED = ("cantonese", "zung_jung", "sichuan", "mcr", "hong_kong", "riichi", "chinese_classical")


def side(path: Path | str) -> Side:
    def opens(options: Mapping[str, str]) -> Elaborated:
        whole = open_whole(str(path), options)
        data, problems = compile_with_problems(whole)
        assert data is not None, problems
        return Elaborated(whole, data)

    return Side(str(path), opens)


@pytest.fixture(scope="module")
def mine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("compared") / "mine.yaml"
    path.write_text(RULESET, encoding="utf-8")
    return path


def edited(mine: Path, tmp_path: Path, *edits: tuple[str, str]) -> Comparison:
    """The comparison of the ruleset with edits of it."""
    text = mine.read_text(encoding="utf-8")
    for was, now in edits:
        assert was in text
        text = text.replace(was, now, 1)
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return compare(unchanged(mine), side(path), SMALL)


@cache
def unchanged(path: Path) -> Side:
    """A ruleset that many are compared with, opened once."""
    return side(path)


def told(found: Comparison) -> str:
    return "\n".join(str(line) for line in ComparisonLines(found).lines())


# --- what means the same


SAME = (
    ("kind: ruleset\n", "kind: ruleset  # of ours\n\n"),
    ("worth: 1\n    when: self_draw", "when: self_draw\n    worth: 1"),
    ("when: self_draw and waits == 1", "when: 1 == waits and self_draw"),
    ("when: self_draw and waits == 1", "when: not (not self_draw or waits != 1)"),
    ("when: self_draw and waits == 1", "when: lone_draw"),
    ("when: {has: [3 sequences], self_draw: false}", "when: has(3 sequences) and not self_draw"),
    ("count(t in dragons for t in tiles) >= 2", "2 <= count(one in dragons for one in tiles)"),
    ("amount: points + 3", "amount: 3 + points"),
    ("excludes: [pairs, drawn]", "excludes: [drawn, pairs]"),
    ("cases:\n", "cases:\n  more: {hand: 234m 567p 88s 234s CC, win_tile: C, expect: {win: true}}\n"),
)


@pytest.mark.parametrize(("was", "now"), SAME)
def test_what_means_the_same_is_no_difference(mine: Path, tmp_path: Path, was: str, now: str) -> None:
    found = edited(mine, tmp_path, (was, now))
    assert not found.changes and not found.differs and found.verdict == "none"
    assert told(found) == "No difference for players"


# --- what a hand or a game shows

CHANGED = (  # edits that are made together; the verdict; what is said
    (
        {
            "worth: 2\n    when: self_draw and": "worth: 3\n    when: self_draw and",
            "has(pair of dragons) or ": "",
            "name: Pairs\n": "name: Two alike\n",
            "amount: points + 3": "amount: points + 4",
        },
        "fix",
        [
            "worth: 3 points (was: 2 points)",
            *("through what is meant by Dragon hand", "Terms"),
            "name: Two alike (was: Pairs)",
            *("points + 4", "Payments"),
        ],
    ),
    (
        {"    worth: 1\n    when: self_draw\n": "    worth: 5\n    when: self_draw\n"},
        "breaking",
        ["worth: 5 points (was: 1 point)"],
    ),
    ({"dear: {flag: false": "dear: {flag: true"}, "breaking", ["Dear chows has another default", "default: yes"]),
    ({"  dragons:\n": "  many:\n"}, "breaking", ["its id is many and was dragons"]),
    (
        {
            "payments:\n": "  flush: {name: Flush, worth: 9, when: {suits: 1}}\npayments:\n",
            "label: Dear chows}": "label: Dear chows}\n  cheap: {flag: true}",
        },
        "addition",
        ["+ Flush: 9 points.", "(Flush 9)", "cheap"],
    ),
)


@pytest.mark.parametrize(("edits", "verdict", "said"), CHANGED)
def test_what_changes_is_said_in_the_words_of_the_ruleset(
    mine: Path, tmp_path: Path, edits: Mapping[str, str], verdict: str, said: list[str]
) -> None:
    found = edited(mine, tmp_path, *edits.items())
    assert found.differs and found.verdict == verdict, told(found)
    assert all(text in told(found) for text in said), told(found)


def test_a_note_alone_is_no_difference(mine: Path, tmp_path: Path) -> None:
    found = edited(mine, tmp_path, ("Any dragons, or", "Every dragon, or"))
    assert not found.differs and "Explained otherwise" in told(found) and "Every dragon" in told(found)


def test_another_wording_is_told_and_no_difference(mine: Path, tmp_path: Path) -> None:
    worded = "    name: Drawn\n    wording: Taken from the wall.\n"
    found = edited(mine, tmp_path, ("    name: Drawn\n", worded))
    assert not found.differs and "Explained otherwise" in told(found)
    assert "~ Drawn\n      wording: now: Taken from the wall." in told(found)
    (tmp_path / "worded.yaml").write_text(RULESET.replace("    name: Drawn\n", worded), encoding="utf-8")
    other = edited(tmp_path / "worded.yaml", tmp_path, ("Taken from", "Drawn from"))
    assert not other.differs and "wording: Drawn from the wall. (was: Taken from the wall.)" in told(other)


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("scoring: {", "forms: {regular: {wording: Said.}}\nscoring: {"),
        ("lone_draw: self_draw and waits == 1", "lone_draw: {is: self_draw and waits == 1, wording: Said.}"),
        ("all: {from", "all: {wording: Said., from"),
        ("scoring: {", "actions: {replacement: {wording: Said.}}\nscoring: {"),
        ("scoring: {", "phases: {act: {wording: Said.}}\nscoring: {"),
        ("scoring: {", "offers: {discard: {wording: Said.}}\nscoring: {"),
        ("scoring: {", "restrictions: {no_replacement: {wording: Said.}}\nscoring: {"),
        ("scoring: {", "triggers: {bonus_tile: {wording: Said.}}\nscoring: {"),
    ],
    ids=lambda edit: edit.split(":")[0],
)
def test_every_part_tells_of_another_wording(mine: Path, tmp_path: Path, was: str, now: str) -> None:
    found = edited(mine, tmp_path, (was, now))
    assert not found.differs and len(found.changes) == 1 and found.changes[0].is_note, told(found)
    assert re.search(r"^ *wording: .*Said\.", told(found), re.MULTILINE), told(found)


def test_a_stale_wording_is_gone(mine: Path, tmp_path: Path) -> None:
    was = "    name: Drawn\n    wording: Taken from the wall.\n    wording_of: aaaaaa\n"
    assert not edited(mine, tmp_path, ("    name: Drawn\n", was)).changes


def test_what_no_hand_shows_is_listed_and_no_difference(mine: Path, tmp_path: Path) -> None:
    found = edited(mine, tmp_path, ("in tiles) >= 2", "in tiles) > 1"))
    assert not found.differs and found.changes and found.scored > 60 and found.played == 1
    assert "No difference for players found in" in told(found) and "Written otherwise" in told(found)


def test_an_option_is_tried_where_the_usual_one_shows_nothing(mine: Path, tmp_path: Path) -> None:
    found = edited(mine, tmp_path, ("worth: 3 if dear else 2", "worth: 4 if dear else 2"))
    assert found.verdict == "breaking" and all(one.options == (("dear", "true"),) for one in found.hands)
    assert "with dear=true" in told(found) and "1 hand of the old examples and cases comes out otherwise" in told(found)


# --- small edits: the diff is empty exactly when nothing in the sample differs


def results(rules: Rules, cases: list[dict[str, object]]) -> list[str]:
    """What players see of hands: by another way than the comparison takes."""
    return [result(rules, case) for case in cases]


def result(rules: Rules, case: dict[str, object]) -> str:
    try:
        shown = rules.score_case(case).as_json()
    except CaseError as error:
        return error.message
    kept = {key: shown.get(key) for key in ("win", "total", "unit", "values", "payments", "called")}
    patterns = sorted(json.dumps(one, sort_keys=True) for one in shown["patterns"])
    return json.dumps({**kept, "patterns": patterns}, sort_keys=True)


def course(rules: Rules, seed: int) -> list[str]:
    """A game between random players, as the comparison plays it: every event, and what each seat could do."""
    game = rules.game(seed, hands=HANDS["random"])
    players = [player_of("random", rules, seed) for _ in range(rules.data.seats.count)]
    asked = list[str]()
    while not game.over:
        seat = game.asked[0]
        view = View(game, seat)
        assert view.question is not None
        asked.append(" ".join(sorted(map(repr, (*view.question.moves, *view.question.picks)))))
        game.answer(players[game.player(seat)].choose(view))
    return [*(re.sub(r',"sum":.*', "", line) for line in [*lines(game)][1:]), *asked]


def stated(rules: Rules) -> Iterator[dict[str, object]]:
    for pattern in rules.data.patterns:
        yield from (
            {("win_tile" if key == "win" else key): one for key, one in example.case.items()}
            for example in pattern.examples
        )
    yield from (
        dict(one.case) for one in rules.data.cases if "hand" in one.case and not {"play", "options"} & {*one.case}
    )


class EditedRuleset:
    """A ruleset and its small edits, compared with what hands and games show."""

    def __init__(self, path: str, plan: ComparisonPlan) -> None:
        self.path, self.plan = path, plan
        self.old = side(path)
        rules = self.old.under().rules
        self.mutants = list(mutants(self.old.under().whole))
        self.cases = [*stated(rules), *sampled_cases(rules, plan.hands, plan.seed)]
        self.was = results(rules, self.cases)
        self.courses = self.played(rules)

    def played(self, rules: Rules) -> list[list[str]]:
        """The games that the comparison samples: on others it need not say the same."""
        return [course(rules, seed_of(self.plan.seed, number)) for number in range(self.plan.games)]

    def with_edit(self, mutant: Mutant) -> Side:
        def opens(options: Mapping[str, str]) -> Elaborated:
            wanted = dict(options)
            if mutant.option:
                wanted.setdefault(mutant.option, mutant.becomes)
            whole = mutant.over(open_whole(self.path, wanted))
            data, problems = compile_with_problems(whole)
            if data is None:
                raise RulesetError(problems)
            return Elaborated(whole, data)

        return Side(self.path, opens)

    def holds(self, mutant: Mutant) -> bool | None:
        """Whether the diff is empty exactly if the hands and games come out as before; None for no ruleset."""
        new = self.with_edit(mutant)
        try:
            rules = new.under().rules
        except RulesetError:
            return None
        found = compare(self.old, new, self.plan)
        shows = results(rules, self.cases) != self.was or self.played(rules) != self.courses
        if shows:
            return found.differs and any(one.section != "rest" for one in found.changes)
        return not found.differs or found.is_shown or mutant.option != ""


@pytest.mark.slow
def test_the_diff_of_small_edits_is_empty_exactly_when_nothing_differs(mine: Path) -> None:
    edits = EditedRuleset(str(mine), ComparisonPlan(hands=30, games=1))
    chosen = random.Random(1).sample(edits.mutants, min(len(edits.mutants), budget(8)))
    outcomes = {f"{one.path}: {one.was} > {one.becomes}": edits.holds(one) for one in chosen}
    assert len(outcomes) >= 8 and False not in outcomes.values(), outcomes


@pytest.mark.soak
@pytest.mark.timeout(7_200)
@pytest.mark.parametrize("id", BUNDLED)
def test_the_diff_of_a_thousand_edits(id: str) -> None:
    edits = EditedRuleset(str(path_of(id)), ComparisonPlan(hands=80, games=2))
    chosen = random.Random(1).sample(edits.mutants, min(len(edits.mutants), 200))
    wrong = [(one.path, one.was, one.becomes) for one in chosen if edits.holds(one) is False]
    assert not wrong


# --- every part


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_section_has_a_title(mine: Path, language: str) -> None:
    lines = ComparisonLines(Comparison(side(mine).under(), side(mine).under()), language)
    titles = [lines.title(section) for section in (*SECTIONS, TERMS, REST)]
    assert all(titles) and len({*titles}) == len(titles)


@pytest.mark.parametrize("language", LANGUAGES)
def test_games_that_differ_in_every_section_are_told(language: str) -> None:
    found = three_and_four_players()
    lines = "\n".join(str(line) for line in ComparisonLines(found, language).lines())
    assert {"tiles", "groups", "patterns", "phases", "offers", "restrictions", "match", "options", "terms"} <= {
        one.section for one in found.changes
    }
    assert all(one.name in lines for one in found.changes)


@cache
def three_and_four_players() -> Comparison:
    return compare(side("riichi"), side("sanma"), ComparisonPlan(hands=0, games=1))


# --- the command


def test_the_command_compares_with_mods_and_options() -> None:
    done = run("diff", "cantonese", "--mod", "seven_pairs", "--games", "1", "--hands", "20")
    assert done.returncode == 1 and "+ Seven pairs: 4 faan." in done.stdout and done.stdout.endswith("Addition\n")
    assert run("diff", "cantonese", "cantonese", "--games", "1", "--hands", "20").stdout.endswith(
        "No difference for players\n"
    )
    fails(run("diff", "cantonese"), 2, "nothing to compare with")
    fails(run("diff", "cantonese", "nosuch"), 2, "no ruleset is called")


def test_the_command_speaks_json_github_and_other_languages(mine: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(RULESET.replace("worth: 4", "worth: 5"), encoding="utf-8")
    given = ("diff", str(mine), str(path), "--games", "0", "--hands", "30")
    data = json.loads(run(*given, "--json").stdout)
    assert data["verdict"] == "breaking" and data["hands"] and data["changes"][0]["id"] == "dragons"
    github = run(*given, "--format", "github").stdout.splitlines()
    assert github[0].startswith("::notice title=Patterns%3A Many dragons::~ Many dragons worth: 5 points")
    assert github[-1].startswith("::warning title=tilewright diff::Breaking: ")
    assert "番種" in run(*given, "--lang", "zh").stdout and "役" in run(*given, "--lang", "ja").stdout


def test_the_command_fails_with_the_problems_of_a_ruleset(tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(RULESET.replace("when: self_draw\n", "when: self_drow\n"), encoding="utf-8")
    fails(run("diff", "cantonese", str(path)), 2, "unknown-word", "did you mean 'self_draw'?")


def test_a_file_is_compared_with_a_revision(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        who = ["-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True)

    (tmp_path / "clubs").mkdir()
    path = tmp_path / "clubs" / "mine.yaml"
    path.write_text(RULESET, encoding="utf-8")
    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "First")
    path.write_text(RULESET.replace("name: Pairs\n", "name: Two alike\n"), encoding="utf-8")
    done = run("diff", "--git", "HEAD", "clubs/mine.yaml", "--games", "0", "--hands", "0", cwd=tmp_path)
    assert done.returncode == 1 and "name: Two alike (was: Pairs)" in done.stdout and "mine.yaml (HEAD)" in done.stdout
    fails(run("diff", "--git", "nosuch", str(path)), 2, "there is no revision nosuch")
    fails(run("diff", "--git", "--output=x", str(path)), 2, "there is no revision")
    (tmp_path / "new.yaml").write_text(RULESET, encoding="utf-8")
    fails(run("diff", "--git", "HEAD", str(tmp_path / "new.yaml")), 2, "is not in revision HEAD")
