"""`tilewright eval`: an expression or a condition in a hand, each part with its value, in each reading."""

import json

import pytest
from commands import fails, run

HAND = ("--hand", "123m 789p 99s EEE 44p", "--win", "4p")
SHOWN = {
    "count(t in terminals for t in tiles) >= 5": """\
  count(t in terminals for t in tiles) >= 5  no
    count(t in terminals for t in tiles)     4
      tiles                                  123m444789p99s EEE
      t = 1m: t in terminals                 yes
      t = 2m: t in terminals                 no
      t = 3m: t in terminals                 no
      t = 4p: t in terminals                 no
      t = 7p: t in terminals                 no
      t = 8p: t in terminals                 no
      t = 9p: t in terminals                 yes
      t = 9s: t in terminals                 yes
      t = E: t in terminals                  no
""",
    "{suits: 1, any: [concealed, {has: [pair of honours]}]}": """\
  {suits: 1, any: [concealed, {has: [pair of honours]}]}  no
    suits: 1                                              no
    any: [concealed, {has: [pair of honours]}]            yes
      concealed                                           yes
      {has: [pair of honours]}                            no
        has: [pair of honours]                            no
""",
    "8000 if han > 0 else fu / 7": """\
  8000 if han > 0 else fu / 7  40/7
    han > 0                    no
      han                      0
    fu / 7                     40/7
      fu                       40
""",
    "form": "  form  regular\n",
    "bonus": "  bonus  none\n",
    "dealer.melds": "  dealer.melds  none\n    dealer      E\n",
}


@pytest.mark.parametrize(("text", "lines"), SHOWN.items(), ids=SHOWN)
def test_every_part_is_shown_with_its_value(text: str, lines: str) -> None:
    shown = run("eval", "riichi", text, *HAND).stdout
    assert shown.partition("Four sets and a pair\n")[2] == lines


def test_a_term_is_shown_with_what_it_is() -> None:
    shown = run("eval", "riichi", "waits_on_orphans", "--hand", "19m19p19sESWNPFC", "--win", "C").stdout
    assert "  waits_on_orphans  " in shown and "    kinds >= 12 and all(t in majors for t in hand)  yes" in shown


def test_readings_in_which_it_differs_are_shown() -> None:
    shown = run("eval", "mcr", "has(3 triplets)", "--hand", "111222333m 45p 99s", "--win", "6p").stdout
    assert [line.split()[-1] for line in shown.splitlines() if "has(" in line] in (["no", "yes"], ["yes", "no"])
    found = json.loads(
        run("eval", "mcr", "has(3 triplets)", "--hand", "111222333m 45p 99s", "--win", "6p", "--json").stdout
    )
    assert [one["whole"]["value"] for one in found].count("yes") == 1
    assert found[0].keys() == {"reading", "form", "whole"} and found[0]["whole"]["text"] == "has(3 triplets)"


def test_a_hand_that_does_not_win_has_no_reading() -> None:
    shown = run("eval", "riichi", "hand", "--hand", "123m", "--not-won").stdout
    assert shown.splitlines()[1:] == ["  hand  123m"]


WRONG = {
    "wais == 3": ("the expression:1:1: unknown-word", "did you mean 'waits'?"),
    "{suit: 1}": ("the expression:1:2: unknown-key", "did you mean 'suits'?"),
    "{suits: 1, test: hand + }": ("syntax",),
    "{suits: ": ("bad-yaml",),
    "": ("the expression is empty",),
    "hand == dealer": ("cannot-compare",),
    "any(any(any(any(any(t in u for t in tiles) for u in tiles) for v in tiles) for w in tiles) for x in tiles)": (
        "too-",
    ),
}


@pytest.mark.parametrize(("text", "said"), WRONG.items(), ids=WRONG)
def test_mistakes_are_shown_where_they_are(text: str, said: tuple[str, ...]) -> None:
    fails(run("eval", "riichi", text, *HAND), 1, *said)


def test_a_hand_that_cannot_be_read() -> None:
    fails(run("eval", "riichi", "hand", "--hand", "123", "--win", "1m"), 1, "has no suit after it")
