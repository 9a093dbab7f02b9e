"""Lint of the compiled play: in a small game, one text is replaced by another; the problem stands beside it."""

import re
from pathlib import Path

import pytest

from tilewright.language.check import problems_of

GAME = """\
tilewright: 1
kind: ruleset
id: game
name: Game
options: {few: {number: 1}}
tiles:
  copies: 4
  suits: {circles: {code: p, ranks: 1..9}, bamboos: {code: s, ranks: 1..9}}
groups: {pair: {alike: 2}, triplet: {alike: 3}, quad: {alike: 4, stands_for: triplet}, set: {any: [triplet]}}
forms: {regular: {groups: [4 sets, pair]}}
seats: {count: 4}
zones:
  wall: {of: table, seen_by: nobody, when_empty: done}
  rest: {of: table, seen_by: nobody, takes: {count: 4, end: back}, when_empty: done}
  pile: {of: table, seen_by: everyone, claimable: true}
  hand: {of: seat, seen_by: owner}
  melds: {of: seat, seen_by: everyone}
actions:
  replace: {do: [{draw: {from: rest}}]}
phases:
  deal: {do: [{shuffle: wall}, {for: seats, move: {count: 13, from: wall, to: hand}}], then: opening}
  opening: {who: dealer, offers: [win, go_on], then: {turns: dealer}}
  turns: {do: [{draw: 1}], then: act}
  act: {who: turn, offers: [win, kong, throw]}
  claims:
    who: others
    offers: [win, pung]
    otherwise: {turns: next(turn)}
  done: {then: end}
offers:
  win: {rank: 1, when: wins, do: [{declare: seat}, {settle: win}], then: done}
  go_on: {choose: {kept: {tiles: few, from: hand}}}
  kong: {choose: {group: {group: quad, from: hand}}, do: [{meld: group}, {replace: {}}], then: act}
  throw: {choose: {tile: {tiles: 1, from: hand}}, do: [{move: {tiles: tile, from: hand, to: pile}}], then: claims}
  pung: {rank: 2, group: triplet, do: [{meld: group}], then: {act: seat}}
scoring: {measures: {points: {}}, best: points}
payments:
  win:
    line: {from: losers, to: winner, amount: 2}
match:
  score: 0
"""
THROW = "[{move: {tiles: tile, from: hand, to: pile}}], then: claims}"
CASES = [
    ("id: game", "id: game"),
    # tiles go from a zone to a zone
    (
        "do: [{meld: group}, {replace: {}}]",
        "do: [{meld: group}, {move: {tiles: drawn, from: tiles, to: hand}}, {replace: {}}] # not-a-zone",
    ),
    ("{shuffle: wall}", "{shuffle: {tiles: circles, into: pile}}, {shuffle: wall}"),
    ("{shuffle: wall}", "{shuffle: wall}, {shuffle: {tiles: pile, into: others.hand}} # several-zones"),
    ("{draw: {from: rest}}", "{draw: {from: first(rest)}} # not-a-zone"),
    ("{draw: {from: rest}}", "{draw: {from: rest if hand == 0 else wall}}"),
    ("{draw: {from: rest}}", "{draw: {from: next(seat).hand}}", "no-when-empty@hand:"),
    ("hand: {of: seat,", "hand: {of: table,", "needs-zone@turns:"),
    ("wall: {of: table, seen_by: nobody, when_empty: done}", "wall: {of: table, seen_by: nobody} # no-when-empty"),
    (", takes: {count: 4, end: back}", "", "never-filled@replace: {do"),
    ("{draw: 1}", "{move: {count: 2, from: wall, to: wall}}, {draw: 1}"),  # the wall is cut
    ("{draw: 1}", "{move: {tiles: first(hand), from: hand, to: hand}}, {draw: 1} # does-nothing"),
    ("{draw: 1}", "{move: {tiles: next(seat).melds, from: next(seat).melds, to: melds}}, {draw: 1}"),
    ("{draw: 1}", "{move: {count: 1, from: wall, to: melds}}, {draw: 1} # not-a-group"),
    ("{draw: 1}", "{shuffle: {tiles: pile, into: melds}}, {draw: 1} # not-a-group"),
    ("{draw: 1}", "{swap: [drawn, first(pile)]}, {draw: 1}"),
    ("{draw: 1}", "{swap: [drawn, pile]}, {draw: 1} # not-one-tile"),
    # nothing is taken twice, or from where it is not
    (THROW, THROW.replace("}],", "}, {move: {tiles: tile, from: hand, to: rest}}],") + " # taken-twice"),
    (THROW, THROW.replace("}],", "}, {move: {tiles: tile, from: pile, to: rest}}],")),
    (THROW, THROW.replace("}],", "}, {when: hand == 3, move: {tiles: tile, from: hand, to: rest}}],")),
    (THROW, THROW.replace("}],", "}, {for: others, move: {tiles: tile, from: hand, to: rest}}],")),
    (THROW, THROW.replace("}],", "}, {do: [{move: {tiles: tile, from: hand, to: rest}}]}],") + " # taken-twice"),
    (THROW, THROW.replace("from: hand", "from: pile")),
    (THROW, THROW.replace("from: hand", "from: rest") + " # not-there"),
    (
        "[{meld: group}, {replace: {}}]",
        "[{meld: group}, {move: {tiles: group, from: hand, to: rest}}, {replace: {}}] # taken-twice",
    ),
    ("[{meld: group}, {replace: {}}]", "[{meld: group}, {move: {tiles: group, from: melds, to: rest}}, {replace: {}}]"),
    # the deal
    ("count: 13,", "count: 13 if hand == 1 else 12,"),
    ("count: 13,", "count: 17,", "unfillable-forms@forms:"),
    ("[4 sets, pair]", "[3 sets, pair] # unfillable-forms"),
    ("count: 13,", "count: 18,", "wall-too-small@tiles:"),
    ("for: seats, move: {count: 13", "for: {n: 1..6}, move: {count: 13", "wall-too-small@tiles:"),
    ("for: seats, move: {count: 13", "for: others, move: {count: 23", "wall-too-small@tiles:"),
    ("wall: {of", "wall: {keep: 17, of", "wall-too-small@tiles:"),
    ("{shuffle: wall}, ", "", "wall-too-small@wall:", "never-filled@deal:"),
    ("{for: seats, move: {count: 13", "{for: seats, replace: {}}, {for: seats, move: {count: 12"),
    (
        "{for: seats, move: {count: 13",
        "{for: seats, do: [{replace: {}}, {replace: {}}]}, {for: seats, move: {count: 1",
        "wall-too-small@rest:",
    ),
    ("{for: seats, move: {count: 13", "{when: hand == 1, for: seats, draw: 90}, {for: seats, move: {count: 13"),
    # choices
    ("{tiles: 1, from: hand}}, do", "{tiles: 2, least: 3, from: hand}}, do # never-chosen"),
    ("{tiles: 1, from: hand}}, do", "{tiles: 0, from: hand}}, do # never-chosen"),
    ("kept: {tiles: few,", "kept: {tiles: few + 1, least: few + 2,"),
    ("{tiles: 1, from: hand}}, do", "{tiles: hand - 13, least: 0, from: hand}}, do"),
    ("{group: quad, from: hand}", "{group: quad, from: hand, onto: triplet}"),
    ("{group: quad, from: hand}", "{group: quad, from: hand, onto: pair} # never-made"),
    ("quad: {alike: 4,", "quad: {alike: 5,", "never-made@kong: {choose"),
    (
        "group: triplet,",
        "group: many,",
        "never-made@pung: {rank",
        "triplet: {alike: 3}",
        "triplet: {alike: 3}, many: {alike: 5}",
    ),
    # who is asked
    ("offers: [win, go_on], then", "offers: [win, pung], otherwise # no-tile-in-question", "unused-offer@go_on:"),
    ("offers: [win, go_on], then", "do: [{draw: 1}], offers: [win, go_on, pung], then"),
    ("then: {act: seat}", "then: {opening: seat}"),
    ("opening: {who: dealer, offers", "opening: {offers # nobody-asked"),
    (
        "  claims:\n    who: others\n    offers: [win, pung]\n    otherwise",
        "  claims: # nobody-asked\n    then: done\n    otherwise",
        "unused-offer@pung:",
    ),
    ("offers: [win, go_on], then", "then", "nothing-asked@opening: {", "unused-offer@go_on:"),
    ("offers: [win, go_on], then", "offers: [], then", "unused-offer@go_on:"),
    ("offers: [win, go_on], then", "offers: [win], then # nothing-left", "unused-offer@go_on:"),
    ("offers: [win, go_on], then", "offers: [win], otherwise", "unused-offer@go_on:"),
    ("then: {act: seat}", "then: back # back-to-nowhere"),
    ("done: {then: end}", "done: {then: back} # back-to-nowhere", "cannot-end@deal:"),
    (
        "{draw: 1}",
        "{draw: 1}, {interrupt: ask_all}",
        "  done:",
        "  ask_all: {who: others, offers: [win], otherwise: back}\n  done:",
    ),
    (
        "then: {act: seat}",
        "then: {trap: seat}",
        "cannot-end@trap:",
        "  done:",
        "  trap: {who: turn, offers: [stay]}\n  done:",
        "  go_on:",
        "  stay: {then: trap}\n  go_on:",
    ),
    # payments
    ("from: losers, to: winner", "from: winner # pays-itself"),
    ("from: losers, to: winner", "from: seats, to: seats"),
    ("amount: 2", "amount: -2 # pays-backwards"),
    ("amount: 2", "amount: 2, times: -1 # pays-backwards"),
    ("amount: 2", "amount: few - 3"),
    ("amount: 2", "amount: 2, round_up: 0 # no-step"),
    ("from: losers, to: winner", "from: discarder, when: self_draw and hand > 1 # nobody-pays"),
    ("from: losers, to: winner", "from: discarder, when: not self_draw"),
    ("from: losers, to: winner", "from: 'those(s.score > payee.score for s in losers)' # not-yet"),
    ("from: losers, to: winner", "from: losers, to: payers # not-yet"),
    ("to: winner, amount: 2}", "to: pot, amount: 2} # pot-kept"),
    ("from: losers, to: winner", "from: pot, to: winner", "pot-empty@line:"),
    (
        "    line:",
        "    all: {from: pot, to: winner, amount: pot.score}\n    fee: {from: losers, to: pot, amount: 1}\n    line:",
    ),
    ("  win:\n    line", "  fine: {line: {from: seat, to: others, amount: 1}} # never-settled\n  win:\n    line"),
    ("score: 0", "seating: [[2, 1, 4, 3], [3, 4, 2, 1]]"),
    ("score: 0", "seating: [[2, 1, 4, 4]] # no-place"),
    ("score: 0", "seating: [[2, 1, 3]] # no-place"),
    ("score: 0", "placement: [2, 1, -1, -2]"),
    ("score: 0", "next_dealer: winners"),
    ("score: 0", "next_dealer: winner\n  dealer_stays: true", "never-passes@next_dealer:"),
    ("score: 0", "placement: [2.5, 1, -1, -2] # off-zero"),
    ("score: 0", "placement: [2, 0, -2] # off-zero"),
]


MARKER = re.compile(r" # ([a-z-]+)")


def made(case: tuple[str, ...]) -> tuple[str, list[tuple[str, int]]]:
    """The game with the changes of a case; code and line of each problem that is expected, in the order of lines."""
    texts = [one for one in case if not re.match("[a-z-]+@", one)]
    text = GAME
    for old, new in zip(texts[::2], texts[1::2], strict=True):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    lines = text.splitlines()
    expected = [(code, number) for number, line in enumerate(lines, 1) for code in MARKER.findall(line)]
    for code, _, words in (one.partition("@") for one in case if one not in texts):
        [number] = [number for number, line in enumerate(lines, 1) if line.strip().startswith(words)]
        expected.append((code, number))
    return MARKER.sub("", text), sorted(expected, key=lambda one: one[1])


@pytest.mark.parametrize("case", CASES, ids=[str(number) for number in range(len(CASES))])
def test_what_is_found(case: tuple[str, ...], tmp_path: Path) -> None:
    text, expected = made(case)
    path = tmp_path / "game.yaml"
    path.write_text(text, encoding="utf-8")
    assert [(one.code, one.place.line if one.place else 0) for one in problems_of(path)] == expected
