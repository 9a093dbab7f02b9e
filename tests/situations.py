"""Kinds of situations in which problems come up: files with commands, calls, changed logs; and what is in the files.

A situation in, wrong or right, and a folder; the codes of the problems that are told out.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from commands import run_line

import tilewright
from tilewright.base.problem import RulesetError
from tilewright.play.cases import begun
from tilewright.play.chance import TableSecret
from tilewright.play.log import LogError, lines, read_log, sum_in, summed
from tilewright.play.resume import seeds_of
from tilewright.players.bots.random_bot import SeededChoices
from tilewright.presentation.problem_pages import pages
from tilewright.scoring.case_mistakes import CaseError

PRINTED = re.compile(
    r"title=([a-z0-9-]+)::|^(?:.*:\d+:\d+: |  )?(?:warning: |note: )?([a-z][a-z0-9-]+): |\"code\": \"([a-z0-9-]+)\"",
    re.M,
)
Files = Mapping[str, str | bytes]

HEAD = "tilewright: 1\nkind: {}\nid: {}\nname: Tried\n"
RULES = HEAD.format("ruleset", "mine") + "extends: standard\nscoring: {measures: {points: {}}, best: points}\n"
BASE = HEAD.format("base", "base")
HAND = '--hand "234m 567p 88s 234s CC" --win C'
CHECK_MINE = "tilewright check mine.yaml"
CARD = "My card\n“Lines”\n"
LINE = "FF 222 444 666 888 X25\n"
PAID = "payments: {{win: {{pay: {{from: losers, to: seat, amount: {}}}}}}}\n"
DRAWN = """patterns:
  drawn:
    name: Drawn
    worth: 1
    when: self_draw
    examples: [{hand: 234m 567p 88s 234s CC, win: C, self_draw: true, yes: true}]
"""


@dataclass(frozen=True, slots=True)
class Situation:
    """Files, and the command that is given among them, wrong and right. `shared`: files of both; without a command of
    its own the right one has that of the wrong one. `besides`: other codes that the wrong one gives."""

    wrong: Files
    right: Files
    command: str = CHECK_MINE
    right_command: str = ""
    shared: Files | None = None
    besides: frozenset[str] = frozenset()

    def codes(self, folder: Path, right: bool) -> set[str]:
        for name, content in {**(self.shared or {}), **(self.right if right else self.wrong)}.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return codes_said(folder, (self.right_command or self.command) if right else self.command)


def codes_said(folder: Path, command: str) -> set[str]:
    """The codes of the problems that commands print, given one after the other in a folder."""
    said = "".join(run_line(line, folder).stdout for line in command.splitlines())
    return {code for found in PRINTED.findall(said) for code in found if code in pages()}


def extending(base: str, id: str = "mine") -> str:
    """A ruleset that changes another."""
    return HEAD.format("ruleset", id) + f"extends: {base}\n"


def doubling(levels: int) -> str:
    """Actions that each use the next one twice."""
    uses = "".join(f"  a{n}: {{do: [{{a{n + 1}: {{}}}}, {{a{n + 1}: {{}}}}]}}\n" for n in range(levels))
    last = f"  a{levels}: {{do: [{{draw: {{}}}}]}}\n"
    return f"actions:\n{uses}{last}triggers: {{t: {{after: [discard], do: [{{a0: {{}}}}]}}}}\n"


def in_mine(wrong: str, right: str, more: str = RULES, **given: Any) -> Situation:
    """Sections of a ruleset that is checked."""
    return Situation({"mine.yaml": more + wrong}, {"mine.yaml": more + right}, **given)


def only_command(wrong: str, right: str) -> Situation:
    return Situation({}, {}, wrong, right)


def mod(id: str, more: str, target: str = "cantonese") -> str:
    return f"{HEAD.format('mod', id)}for: [{target}]\n{more}\n"


def chain(length: int, more: Callable[[int], str]) -> dict[str, str]:
    """Documents that name one another, one after the other."""
    return {f"d{number}.yaml": more(number) for number in range(length)}


def next_base(number: int) -> str:
    return HEAD.format("base", f"d{number}") + f"extends: d{number + 1}\n"


def needing(number: int) -> str:
    return mod(f"d{number}", f"needs: [d{number + 1}]")


# --- what is around a part


BASELINE = "tilewright check mine.yaml --baseline known.json"
POT = """patterns: {drawn: {name: Drawn, worth: 1, when: self_draw}}
payments: {win: {in: {from: others, to: pot, amount: 1}MORE}}
"""


ALONE = (
    HEAD.format("ruleset", "mine")
    + """tiles: {copies: 4, suits: {bamboos: {code: s, ranks: 1..9}}}
groups: {pair: {alike: 2}}
forms: {regular: {groups: [7 pairs]}}
seats: {count: 2}
zones: {hand: {of: seat, seen_by: owner}}
scoring: {measures: {points: {}}, best: points}
"""
)
ASKING = """insert:
  - after: phases.deal.do.hands
    do: [{ask: {name: Keep, who: everyone, choose: {keep: {flag: Keep}}}}]
"""
PAIRS = """patterns:
  drawn:
    name: Drawn
    worth: 1
    when: self_draw
    examples: {}
"""
PAIRED = """
      - {hand: 1122334455667s, win: 7s, self_draw: true, yes: true}
      - {hand: 1122334455667s, win: 7s, yes: false}
  """
WILD = """tiles:
  unranked: {jokers: {codes: [J], copies: 20}}
  wild: {jokers: {tiles: [jokers], stands_for: [suited, honours], in: [triplet, sequence, pair]}}
"""
LETTERS = "cases: null\nforms: {{other: {{card: card{}}}}}\n"
SPARE = """zones: {{spare: {{of: table, seen_by: nobody{}}}}}
triggers: {{spare: {{after: [discard], do: [{{move: {{count: 1, from: spare, to: hand}}}}]}}}}
"""
CATEGORY = "cases: null\npatterns: {{no_jokers: {{examples: [], when: {{test: form.category != {}}}}}}}\n"
NAMES = """patterns:
  a: {{name: {{en: A, zh: 甲}}, worth: 1, when: self_draw}}
  b: {{name: {{en: B, zh: 乙}}, worth: 2, when: self_draw}}
  c: {{name: {{en: C, zh: 丙}}, worth: 3, when: self_draw}}
  d: {{name: {{en: D, {}: 丁}}, worth: 4, when: self_draw}}
"""
MORE = """offers: {{more: {{name: More, {}group: triplet, do: [{{meld: group}}], then: {{act: seat}}}}}}
phases: {{claims: {{offers: [win, pung, more]}}}}
"""
CARD_TILES = "1f 1g 22m J 444m 666m 88m"
CARD_HAND = f'--hand "{CARD_TILES}" --win 8m'
ADD = "tilewright pack pack -o club.zip\ntilewright add club.zip"
SCORES = "extends: standard\nscoring: {measures: {points: {}}, best: points}\n"
PACK_OTHER = f"{ADD}\nrm -r pack\ntilewright pack . -o other.zip\nrm -r packs tilewright.lock"
PACK = "publisher: riverside\nversion: {}\nlicense: CC0-1.0\n"
PUBLISHED = HEAD.format("ruleset", "club") + PACK.format("1.0.0") + SCORES
OTHER = PUBLISHED.replace("club", "other").replace("riverside", "hillside")
EXTENDING_CLUB = {"pack/club.yaml": PUBLISHED, "other.yaml": OTHER.replace(SCORES, "extends: riverside/club@^1\n")}


def groups(wrong: str, right: str) -> Situation:
    return in_mine(f"groups: {{{wrong}}}\n", f"groups: {{{right}}}\n", RULES)


def on_card(wrong: str, right: str) -> Situation:
    return in_mine(wrong, right, HEAD.format("ruleset", "mine") + "extends: american\n")


def card_yaml(wrong: str, right: str) -> Situation:
    head = HEAD.format("card", "c") + "groups:\n  A:\n    - "
    return Situation({"c.yaml": head + wrong + "\n"}, {"c.yaml": head + right + "\n"}, "tilewright card check c.yaml")


RIGHT_CASE = '{"hand": "234m 567p 88s 234s CC", "win_tile": "C", "expect": {"win": true}}\n'


def case_file(wrong: str) -> Situation:
    return Situation(
        {"cantonese.jsonl": wrong + "\n"}, {"cantonese.jsonl": RIGHT_CASE}, "tilewright check cantonese.jsonl"
    )


def layout(wrong: str, right: str, rules: str = RULES) -> Situation:
    return Situation(
        {"layout.yaml": f"{{{wrong}}}\n"},
        {"layout.yaml": f"{{{right}}}\n"},
        "tilewright play mine.yaml --watch --plain --hands 1 --layout layout.yaml",
        shared={"mine.yaml": rules},
    )


def added(wrong: str, right: str) -> Situation:
    """A pack that was added, which a ruleset extends; then something happens, and it is checked."""
    before = "tilewright pack pack -o club.zip\ntilewright add club.zip"
    return Situation(
        {},
        {},
        f"{before}\n{wrong}\n{CHECK_MINE}",
        f"{before}\n{CHECK_MINE}",
        shared={"pack/club.yaml": PUBLISHED, "mine.yaml": extending("riverside/club@^1")},
    )


@dataclass(frozen=True, slots=True)
class Calls:
    """What no command does, or what commands say without a code."""

    wrong: Callable[[Path], object]
    right: Callable[[Path], object]
    besides: frozenset[str] = frozenset()

    def codes(self, folder: Path, right: bool) -> set[str]:
        try:
            (self.right if right else self.wrong)(folder)
        except RulesetError as error:
            return {one.code for one in error.problems}
        except CaseError as error:
            return {error.code}
        except LogError as error:
            return {error.problem.code}
        return set()


def written(folder: Path, text: str) -> Path:
    (folder / "mine.yaml").write_text(text)
    return folder / "mine.yaml"


def begun_at(text: str, case: Mapping[str, Any]) -> Callable[[Path], object]:
    """A play that begins under rules."""
    return lambda folder: begun(tilewright.load(written(folder, text)), case)


def scored(text: str, hand: str, win: str) -> Callable[[Path], object]:
    return lambda folder: tilewright.load(written(folder, text)).score(hand, win=win)


# --- logs


@cache
def log() -> tuple[str, ...]:
    """The lines of a hand of Cantonese."""
    rules = tilewright.load("cantonese")
    game, number = rules.game(3, hands=1), 0
    while not game.over:
        question = game.question(game.asked[0])
        assert question is not None
        number += 1
        game.answer(SeededChoices(3, 0, number).move(question))
    return tuple(f"{line}\n" for line in lines(game, ("random",) * 4))


@dataclass(frozen=True, slots=True)
class ChangedLog:
    """A log with a change of its lines, and the log as it was, replayed."""

    change: Callable[[list[str]], list[str]]
    command: str = "tilewright replay game.jsonl --verify"
    besides: frozenset[str] = frozenset()

    def codes(self, folder: Path, right: bool) -> set[str]:
        (folder / "game.jsonl").write_text("".join(log() if right else self.change([*log()])))
        return codes_said(folder, self.command)


def with_head(**given: object) -> Callable[[list[str]], list[str]]:
    def change(rows: list[str]) -> list[str]:
        return [json.dumps({**json.loads(rows[0]), **given}) + "\n", *rows[1:]]

    return change


def fair(*, promised: bool = True, whole: bool = True) -> None:
    """Look into the log of a hand of fair deals, without its end or with another seed. Raises LogError."""
    game = tilewright.load("cantonese").game(TableSecret("5" * 64), hands=1)
    while whole and not game.over:
        question = game.question(game.asked[0])
        assert question is not None
        game.answer(SeededChoices(3, 0, game.answers).move(question))
    found = [json.loads(line) for line in lines(game, ("random",) * 4)]
    text, before = list[str](), ""
    for number, content in enumerate(found):
        content.pop("sum", None)
        if not promised and content.get("event") == "deal_seed":
            content["seed"] = content["seed"][::-1]
        text.append(summed(content, before) if number else json.dumps(content))
        before = sum_in(text[-1])
    seeds_of(read_log("game.jsonl", "".join(f"{line}\n" for line in text)))


# --- packs


def packed(wrong: str, right: str, name: str = "club") -> Situation:
    return Situation({f"pack/{name}.yaml": wrong}, {f"pack/{name}.yaml": right}, "tilewright pack pack")
