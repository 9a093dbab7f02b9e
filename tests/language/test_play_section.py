"""The play of rulesets, compiled: what comes out is what is written."""

import re
from collections.abc import Iterator, Set
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from games import MOSTLY_SOAKED, PLAYED, VARIED, mostly_soaked
from play_scenes import FOLDER

from tilewright.base.node import Mapping
from tilewright.base.problem import has_errors
from tilewright.language.compiled.ir import Apply, Conditional, Const, Ir, Lookup, PickedMembers, WordCall
from tilewright.language.compiled.play import (
    Button,
    Choose,
    Goal,
    Loop,
    MatchRules,
    Numbers,
    Offer,
    Phase,
    Play,
    Restriction,
    Step,
    StepBlock,
    Trigger,
    Use,
)
from tilewright.language.compiled.ruleset import CompiledRuleset, Mark, Zone, ZoneFill
from tilewright.language.documents.fields import section
from tilewright.language.documents.schema import verbs
from tilewright.language.documents.whole import MergedRuleset
from tilewright.language.elaborate import compile_with_problems, open_whole
from tilewright.language.lint.view import NOT_VERBS, names_below, steps_below
from tilewright.language.load import load_data
from tilewright.language.vocabulary.declare_steps import STEPS
from tilewright.language.vocabulary.steps import (
    Ask,
    Declare,
    Draw,
    Final,
    Finish,
    Go,
    Interrupt,
    MakeMeld,
    MoveTiles,
    Refund,
    Remember,
    Retire,
    Reveal,
    Roll,
    Settle,
    Shuffle,
    Swap,
)

TESTS = Path(__file__).parents[1]
DRAFTS = ("cantonese", "chinese_classical", "mcr", "riichi", "sichuan", "uzje", "zung_jung_plus")
MODS = (
    ("american", "stacks"),
    ("american", "zombie_blanks"),
    ("american", "cold_wall"),
    ("american", "open_hands"),
    ("cantonese", "futures"),
    ("drafts/riichi.yaml", "exercise"),
    ("drafts/riichi.yaml", "three_players"),
)
GAMES = [
    *((name, ()) for name in PLAYED),
    *((f"drafts/{name}.yaml", ()) for name in DRAFTS),
    *((name, (mod,)) for name, mod in MODS),
]
SEAT, HAND, WALL = Lookup("seat", "word", "seat"), Lookup("tiles", "zone", "hand"), Lookup("tiles", "zone", "wall")
TILE, GROUP = Lookup("tile", "choice", "tile"), Lookup("group", "word", "group")
EVERYONE = Lookup("seats", "word", "everyone")


@cache
def opened(name: str, mods: tuple[str, ...] = (), **settings: object) -> MergedRuleset:
    """A bundled ruleset, or a draft, as a whole; mods are drafts."""
    path = str(TESTS / name) if name.endswith(".yaml") else name
    return open_whole(path, settings, [str(TESTS / "drafts" / f"{mod}.yaml") for mod in mods])


@cache
def compiled(name: str, mods: tuple[str, ...] = (), **settings: object) -> CompiledRuleset:
    data, problems = compile_with_problems(opened(name, mods, **settings))
    assert data is not None and not has_errors(problems)
    return data


def play_of(name: str, *mods: str, **settings: object) -> Play:
    play = compiled(name, mods, **settings).play
    assert play is not None
    return play


def steps_in(part: object) -> Iterator[Step]:
    """Every step of a play, outer ones first."""
    if isinstance(part, Step):
        yield part
    if isinstance(part, tuple):
        for item in part:
            yield from steps_in(item)
    elif isinstance(part, dict):
        yield from steps_in(tuple(part.values()))
    elif is_dataclass(part):
        for one in fields(part):
            yield from steps_in(getattr(part, one.name))


def written(document: Mapping) -> Iterator[tuple[str, str]]:
    """The path and the verb of every step of a document."""
    for part in ("phases", "offers", "actions", "triggers"):
        for step, path in steps_below(section(document, part), (part,)):
            yield ".".join(path), next((key for key in step.entries if key not in NOT_VERBS), "")


def ruled_out(document: Mapping, options: Set[str]) -> tuple[str, ...]:
    """The paths of steps that options may rule out, with a dot behind."""
    found = (one for part in ("phases", "offers", "actions") for one in steps_below(section(document, part), (part,)))
    return tuple(".".join((*path, "")) for step, path in found if names_below(step.get("when")) & options)


# --- every ruleset


@pytest.mark.parametrize(("name", "mods"), mostly_soaked(GAMES, [one for one in GAMES if one[0] in VARIED or one[1]]))
def test_every_part_and_every_step_is_there(name: str, mods: tuple[str, ...]) -> None:
    document, data = opened(name, mods).document, compiled(name, mods)
    play = data.play
    assert play is not None
    for part, names in {
        "phases": list(play.phases),
        "offers": list(play.offers),
        "actions": list(play.actions),
        "restrictions": [one.id for one in play.restrictions],
        "triggers": [one.id for one in play.triggers],
        "buttons": [one.id for one in play.buttons],
        "zones": list(data.zones),
        "marks": list(data.marks),
    }.items():
        assert names == [id for id, node in section(document, part).items() if isinstance(node, Mapping)], part
    assert {offer for phase in play.phases.values() for offer in phase.offers} <= set(play.offers)
    steps = [(step.path, step.verb) for step in steps_in(play)]
    assert len(set(steps)) == len(steps)
    never = set(written(document)) - set(steps)
    assert set(steps) == set(written(document)) - never
    optional = ruled_out(document, frozenset(section(document, "options").entries))
    assert all(f"{path}.".startswith(optional) for path, _ in never)


def test_every_verb_of_the_schema_is_declared() -> None:
    assert [*STEPS] == verbs()


def test_without_a_deal_there_is_no_play(tmp_path: Path) -> None:
    text = (TESTS / "data" / "world.yaml").read_text(encoding="utf-8")
    (tmp_path / "world.yaml").write_text(text.replace("  deal:", "  begin:"), encoding="utf-8")
    data, problems = compile_with_problems(open_whole(str(tmp_path / "world.yaml")))
    assert data is not None and data.play is None and not problems


# --- a table that says everything in every way

FAMILIAR = """\
tilewright: 1
kind: ruleset
id: familiar
name: Familiar
extends: cantonese
"""


def familiar(text: str, folder: Path, **settings: object) -> tuple[CompiledRuleset | None, list[tuple[str, int]]]:
    """Cantonese and more; code and line of the problems."""
    path = folder / "familiar.yaml"
    path.write_text(FAMILIAR + text, encoding="utf-8")
    data, problems = compile_with_problems(open_whole(str(path), settings))
    return data, [(one.code, one.place.line) for one in problems if one.place]


def deal(steps: str, folder: Path, more: str = "") -> tuple[Step, ...]:
    """The steps of a deal as they are compiled."""
    data, problems = familiar(f"phases:\n  deal:\n    do: [{steps}]\n{more}", folder)
    assert data is not None and data.play is not None and not problems
    return data.play.phases["deal"].do


def zone(name: str, of: Ir | None = None) -> Lookup:
    return Lookup("groups" if name == "melds" else "tiles", "zone", name, of)


def number(value: int) -> Const:
    return Const("number", value)


def truth(value: bool) -> Const:
    return Const("truth", value)


ROUND = Lookup("seats", "word", "seats")
DEALER = Lookup("seat", "word", "dealer")
NEXT = WordCall("seat", "next", (SEAT,))
EMPTY = Apply("truth", "==", (Apply("number", "size", (WALL,)), number(0)))
DOES = {
    "do: [{draw: 1}]": StepBlock((Step("draw", Draw(number(1)), path="phases.deal.do.0.do.0"),)),
    "shuffle: wall": Shuffle(WALL),
    "shuffle: {tiles: discards, into: wall}": Shuffle(WALL, zone("discards")),
    "shuffle: {tiles: everyone.melds, into: wall}": Shuffle(WALL, zone("melds", EVERYONE)),
    "shuffle: {tiles: bamboos, into: wall}": Shuffle(WALL, Const("tiles", tuple(range(18, 27)))),
    "draw: 1": Draw(number(1)),
    "draw: wall - 4": Draw(Apply("number", "-", (Apply("number", "size", (WALL,)), number(4)))),
    "draw: {}": Draw(number(1)),
    "draw: {count: 2, from: bonus, end: back}": Draw(number(2), zone("bonus"), "back"),
    "move: {count: 3, from: wall, to: hand}": MoveTiles(WALL, HAND, count=number(3)),
    "move: {count: 3, of: [1, E], from: wall, end: random, to: next(seat).hand}": MoveTiles(
        WALL,
        zone("hand", NEXT),
        count=number(3),
        of=(Const("tiles", (0, 9, 18)), Const("tiles", (27,))),
        end="random",
    ),
    "move: {tiles: melds, from: melds, to: discards}": MoveTiles(zone("melds"), zone("discards"), zone("melds")),
    "move: {tiles: bonus, from: bonus if wall == 0 else melds, to: discards}": MoveTiles(
        Conditional(
            "tiles", Apply("truth", "==", (Apply("number", "size", (WALL,)), number(0))), zone("bonus"), zone("melds")
        ),
        zone("discards"),
        zone("bonus"),
    ),
    "swap: [tile, drawn]": Swap((Lookup("tile", "word", "tile"), Lookup("tile", "word", "drawn"))),
    "meld: group": MakeMeld(GROUP),
    "meld: {group: group, concealed: true, seen_by: seat}": MakeMeld(GROUP, True, SEAT),
    "reveal: hand": Reveal(HAND),
    "reveal: group": Reveal(GROUP),
    "reveal: {tiles: first(wall), to: next(seat)}": Reveal(WordCall("tile", "first", (WALL,)), NEXT),
    "mark: {first_draw: false}": Remember((("first_draw", truth(False)),)),
    "roll: {way: [right, left], pips: [1, 2]}": Roll(
        (
            ("way", (Const("direction", "right"), Const("direction", "left"))),
            ("pips", (number(1), number(2))),
        )
    ),
    "interrupt: rob": Interrupt("rob"),
    "declare: dealer": Declare(DEALER),
    "declare: {seat: dealer, tiles: hand}": Declare(DEALER, HAND),
    "declare: {tiles: hand}": Declare(SEAT, HAND),
    "retire: dealer": Retire(DEALER),
    "finish: 2": Finish(number(2)),
    "settle: win": Settle("win"),
    "refund: [win]": Refund(("win",)),
    "final: [win]": Final(("win",)),
    "go: exhausted": Go(Goal("exhausted")),
    "go: {act: next(seat)}": Go(Goal("act", NEXT)),
    "replacement: {}": Use("replacement"),
    "set_aside: {flower: first(hand)}": Use("set_aside", (("flower", WordCall("tile", "first", (HAND,))),)),
}


def test_verbs(tmp_path: Path) -> None:
    """All in one deal."""
    made = deal(", ".join(f"{{{step}}}" for step in DOES), tmp_path)
    for at, (step, does) in enumerate(DOES.items()):
        verb = step.partition(":")[0].replace("do", "")
        assert made[at] == Step(verb, does, path=f"phases.deal.do.{at}"), step


def test_every_verb_is_tried() -> None:
    """Here, or in a scene."""
    scenes = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.yaml"))
    tried = {step.partition(":")[0] for step in DOES} | {*re.findall(r"\b(\w+):", scenes)}
    assert {"do", *STEPS} - tried == set()


CHOOSES = {
    "{tiles: 3}": Choose("x", "tiles", "tiles", number(3), number(3), HAND),
    "{tiles: 3, least: 0, from: bonus, of: [E, bamboos], when: x.kinds == 1}": Choose(
        "x",
        "tiles",
        "tiles",
        number(3),
        number(0),
        zone("bonus"),
        (Const("tiles", (27,)), Const("tiles", tuple(range(18, 27)))),
        when=Apply(
            "truth",
            "==",
            (
                Apply("number", "size", (Lookup("tiles", "word", "kinds", Lookup("tiles", "choice", "x")),)),
                number(1),
            ),
        ),
    ),
    "{tiles: 1, from: everyone.melds}": Choose("x", "tiles", "tile", number(1), number(1), zone("melds", EVERYONE)),
    "{group: quad, from: hand, onto: triplet}": Choose(
        "x", "group", "group", source=HAND, group="quad", onto="triplet"
    ),
    "{group: quad, from: hand}": Choose("x", "group", "group", source=HAND, group="quad"),
    "{form: regular}": Choose("x", "form", "tiles", source=HAND, form="regular"),
    "{number: 0..3}": Choose("x", "number", "number", number(3), number(0)),
    "{number: 2..}": Choose("x", "number", "number", None, number(2)),
    "{number: 4}": Choose("x", "number", "number", number(4), number(4)),
    "{seat: others}": Choose("x", "seat", "seat", seats=Lookup("seats", "word", "others")),
    "{suit: true}": Choose("x", "suit", "suit"),
    "{flag: {en: Once more?}}": Choose("x", "flag", "truth", question={"en": "Once more?"}),
    "{flag: Once more?}": Choose("x", "flag", "truth", question={"en": "Once more?"}),
}


@pytest.mark.parametrize(("choice", "made"), CHOOSES.items(), ids=CHOOSES)
def test_a_choice(choice: str, made: Choose, tmp_path: Path) -> None:
    """In a question and in an offer."""
    asks = f"{{ask: {{name: Which, who: everyone, choose: {{x: {choice}}}}}}}"
    text = f"phases:\n  deal:\n    do: [{asks}]\noffers:\n  one: {{choose: {{x: {choice}}}}}\n"
    data, problems = familiar(text, tmp_path)
    assert data is not None and data.play is not None and not problems
    assert data.play.phases["deal"].do[0].does == Ask(EVERYONE, (made,), {"en": "Which"})
    assert data.play.offers["one"] == Offer("one", {"en": "one"}, choose=(made,))


def test_later_choices_know_the_earlier_ones(tmp_path: Path) -> None:
    data, _ = familiar("offers:\n  one: {choose: {n: {number: 1..2}, x: {tiles: n, least: n - 1}}}\n", tmp_path)
    assert data is not None and data.play is not None
    n = Lookup("number", "choice", "n")
    least = Apply("number", "-", (n, number(1)))
    assert data.play.offers["one"].choose[1] == Choose("x", "tiles", "tiles", n, least, HAND)


LOOPS = {
    "for: seats, draw: 1": (Loop(ROUND),),
    "for: ready seats, draw: 1": (Loop(PickedMembers("seats", Lookup("truth", "mark", "ready"), ROUND)),),
    "for: {t: hand}, draw: 1": (Loop(HAND, "t"),),
    "for: {g: everyone.melds}, draw: 1": (Loop(zone("melds", EVERYONE), "g"),),
    "for: {n: 1..4}, draw: n": (Loop(Numbers(number(1), number(4)), "n"),),
    "for: {n: 2..most}, draw: n": (Loop(Numbers(number(2), number(3)), "n"),),
    "for: {n: '3'}, draw: n": (Loop(Numbers(number(3), number(3)), "n"),),
    "for: {way: [left, across]}, draw: 1": (Loop((Const("direction", "left"), Const("direction", "across")), "way"),),
}


@pytest.mark.parametrize(("step", "loops"), LOOPS.items(), ids=LOOPS)
def test_a_loop(step: str, loops: tuple[Loop, ...], tmp_path: Path) -> None:
    more = "options: {most: {number: 3}}\nmarks: {ready: {of: seat}}\n"
    (found,) = deal(f"{{{step}}}", tmp_path, more)
    assert found.loops == loops and isinstance(found.does, Draw)
    if "draw: n" in step:
        assert found.does.count == Lookup("number", "choice", "n")


DRAW = Draw(number(1))
WHENS = {
    "{when: wall == 0, draw: 1}": ((EMPTY, 0),),
    "{unless: wall == 0, draw: 1}": ((Apply("truth", "not", (EMPTY,)), 0),),
    "{when: self_draw, unless: wall == 0, draw: 1}": (
        (Apply("truth", "and", (Lookup("truth", "word", "self_draw"), Apply("truth", "not", (EMPTY,)))), 0),
    ),
    "{when: {test: wall == 0}, draw: 1}": ((EMPTY, 0),),
    "{when: wall == 0, draw: 1, else: [{draw: 2}, {draw: 3}]}": ((EMPTY, 2),),
    "{when: most == 3, draw: 1}": ((None, 0),),
    "{when: most == 4, draw: 1}": (),
    "{when: most == 4, draw: 1, else: [{draw: 2}]}": ((truth(False), 1),),
    "{if: most == 4, draw: 1}": (),
    "{if: most == 3, draw: 1}": ((None, 0),),
}


@pytest.mark.parametrize(("step", "expected"), WHENS.items(), ids=WHENS)
def test_when(step: str, expected: tuple[tuple[Ir | None, int], ...], tmp_path: Path) -> None:
    found = deal(step, tmp_path, "options: {most: {number: 3}}\n")
    assert tuple((one.when, len(one.other)) for one in found) == expected
    assert all(one.does == DRAW for one in found)


LOOP_PROBLEMS = {
    "for: {n: 1..}, draw: n": ("open-loop", 8),
    "for: {n: ..4}, draw: n": ("open-loop", 8),
    "for: {n: 1..1000000000}, draw: n": ("long-loop", 8),
}


@pytest.mark.parametrize(("step", "problem"), LOOP_PROBLEMS.items(), ids=LOOP_PROBLEMS)
def test_a_loop_of_numbers_has_two_ends(step: str, problem: tuple[str, int], tmp_path: Path) -> None:
    more = "marks: {counted: {of: table, is: number}}\noptions: {half: {number: 0.5}}\n"
    assert familiar(f"phases:\n  deal:\n    do: [{{{step}}}]\n{more}", tmp_path) == (None, [problem])


TABLE = """\
seats: {names: [red, blue], order: clockwise, reversed: wall == 0}
zones:
  reserve: {of: table, seen_by: nobody, when_empty: exhausted, takes: {count: 14, end: back}, keep: 2, stacks: 7}
  stack: {of: seat, seen_by: nobody, takes: {count: wall - 4, from: reserve}}
marks:
  lucky: {of: table, is: tiles, secret: true, until: {own: [discard], any: [claims, draw]}}
triggers:
  lucky: {after: [draw, claims], unless: wall == 0, do: [{mark: {lucky: tile}}]}
match: {score: 100 * 2, rounds: [E, N], ends: wall == 0, placement: [10, -2.5], levels: {hand: deal, all: evening}}
"""


def test_the_table(tmp_path: Path) -> None:
    data, problems = familiar(TABLE, tmp_path)
    assert data is not None and data.play is not None and not problems
    assert data.seats.order == "clockwise" and data.seats.reversed == EMPTY and data.seats.names == ("red", "blue")
    takes = ZoneFill(number(14), "", "back")
    assert data.zones["reserve"] == Zone(
        "reserve",
        "table",
        "nobody",
        takes=takes,
        keep=number(2),
        when_empty="exhausted",
        stacks=number(7),
        name={"en": "reserve"},
    )
    rest = Apply("number", "-", (Apply("number", "size", (WALL,)), number(4)))
    assert data.zones["stack"].takes == ZoneFill(rest, "reserve", "front")
    assert data.marks["lucky"] == Mark(
        "lucky", "table", "tiles", {"en": "lucky"}, own=("discard",), any=("claims", "draw"), secret=True
    )
    does = Remember((("lucky", Lookup("tile", "word", "tile")),))
    step = Step("mark", does, path="triggers.lucky.do.0")
    assert data.play.triggers[-1] == Trigger("lucky", ("draw", "claims"), (step,), Apply("truth", "not", (EMPTY,)))
    match = data.play.match
    assert match.dealer_stays is not None
    assert replace(match, dealer_stays=None) == MatchRules(
        score=number(200),
        rounds=(27, 30),
        ends=EMPTY,
        placement=(number(10), Const("number", Fraction(-5, 2))),
        levels={"hand": {"en": "deal"}, "all": {"en": "evening"}},
    )


# --- what is written in rulesets


def test_a_discard() -> None:
    play = play_of("drafts/cantonese.yaml")
    step = Step("move", MoveTiles(HAND, zone("discards"), TILE), path="offers.discard.do.0")
    assert play.offers["discard"] == Offer(
        "discard",
        {"en": "Discard", "zh": "打"},
        choose=(Choose("tile", "tiles", "tile", number(1), number(1), HAND),),
        do=(step,),
        then=Goal("claims"),
    )
    turn = Lookup("seat", "word", "turn")
    claims = play.phases["claims"]
    assert claims == Phase(
        "claims",
        who=Lookup("seats", "word", "others"),
        offers=("win", "claimed_kong", "pung", "chow"),
        otherwise=Goal("new_turn", WordCall("seat", "next", (turn,))),
    )
    assert play.phases["rob"].otherwise == Goal("back")


def test_an_added_kong() -> None:
    offer = play_of("drafts/cantonese.yaml").offers["added_kong"]
    group = Lookup("group", "choice", "group")
    assert offer.choose == (Choose("group", "group", "group", source=HAND, group="quad", onto="triplet"),)
    assert [step.does for step in offer.do] == [
        Remember((("robbing_kong", truth(True)),)),
        Interrupt("rob"),
        Remember((("robbing_kong", truth(False)),)),
        MakeMeld(group),
        Use("replacement"),
        Remember((("kong_replacement", truth(True)),)),
    ]
    assert offer.then == Goal("act") and offer.rank is None


def test_three_are_passed() -> None:
    data = compiled("drafts/american.yaml")
    assert data.play is not None
    action = data.play.actions["pass_three"]
    assert action.takes == (("way", "direction"), ("least", "number"))
    asked, moved, blind, taken = action.do
    naturals = Const("tiles", tuple(range(35)))
    given = Choose("given", "tiles", "tiles", number(3), Lookup("number", "choice", "least"), HAND, (naturals,))
    assert asked.does == Ask(EVERYONE, (given,), {"en": "Pass"}, secret=True)
    way = WordCall("seat", "towards", (Lookup("direction", "choice", "way"), SEAT))
    answer, incoming = Lookup("tiles", "choice", "given"), zone("incoming")
    assert moved.loops == (Loop(EVERYONE),) and isinstance(moved.does, StepBlock)
    assert moved.does.steps[0].does == MoveTiles(HAND, zone("incoming", way), answer)
    assert blind.loops == (Loop(Numbers(number(1), number(9)), "round_of_passing"),)
    assert isinstance(blind.does, StepBlock) and isinstance(blind.does.steps[0].does, StepBlock)
    (loop,) = blind.does.steps[0].loops
    assert isinstance(loop.members, PickedMembers) and loop.letter == ""
    assert blind.does.steps[0].does.steps[0].does == MoveTiles(
        incoming, zone("incoming", way), count=number(1), end="random"
    )
    assert taken == Step(
        "move", MoveTiles(incoming, HAND, incoming), loops=(Loop(EVERYONE),), path="actions.pass_three.do.3"
    )


def test_the_charleston() -> None:
    do = play_of("drafts/american.yaml").phases["charleston"].do
    assert [step.verb for step in do] == ["pass_three"] * 3 + ["ask", "", "courtesy_pass"]
    assert [dict(step.does.arguments) for step in do if isinstance(step.does, Use)] == [
        {"way": Const("direction", "right"), "least": number(3)},
        {"way": Const("direction", "across"), "least": number(3)},
        {"way": Const("direction", "left"), "least": number(0)},
        {},
    ]
    assert do[4].when is not None and isinstance(do[4].does, StepBlock) and len(do[4].does.steps) == 3


def test_an_exchange_looks_into_melds() -> None:
    joker = play_of("drafts/american.yaml").offers["exchange"].choose[1]
    assert joker.source == zone("melds", EVERYONE)
    stands_for = WordCall("tile", "stands_for", (Lookup("tile", "choice", "joker"),))
    assert joker.when == Apply("truth", "==", (stands_for, Lookup("tile", "choice", "given_tile")))


def test_restrictions_and_buttons_know_the_choices() -> None:
    play = play_of("drafts/riichi.yaml", "exercise")
    barred = {one.id: one for one in play.restrictions}
    assert barred["swap_call"] == Restriction(
        "swap_call",
        ("discard",),
        {"en": "What was just claimed may not be swapped out"},
        Apply("truth", "in", (TILE, Lookup("tiles", "mark", "barred"))),
    )
    buttons = {one.id: one for one in play.buttons}
    assert buttons["skip_chows"].declines == ("chow", "claims.meld") and buttons["skip_chows"].on
    assert buttons["winning"].takes == "win" and not buttons["winning"].on
    assert play_of("drafts/american.yaml").buttons[0] == Button("sort", {"en": "Sort"}, sorts="hand", on=True)


def test_options_are_folded() -> None:
    riichi = "drafts/riichi.yaml"
    assert play_of(riichi).offers["win"].most == number(3)
    assert play_of(riichi, several_winners="nearest").offers["win"].most == number(1)
    assert "nine_majors" in play_of(riichi).phases["act"].offers
    without = play_of(riichi, abortive_draws=False)
    assert "nine_majors" not in without.offers and "nine_majors" not in without.phases["act"].offers
    hidden = play_of("drafts/uzje.yaml", closed_quads="hidden").offers["kong"].do
    assert isinstance(hidden[0].does, MakeMeld) and hidden[0].does.seen_by == SEAT
    assert hidden[1].does == Interrupt("challenges") and hidden[1].when is not None


def test_rounds_are_those_whose_wind_is_there() -> None:
    rounds: tuple[tuple[str, dict[str, object], str], ...] = (
        ("drafts/cantonese.yaml", {}, "E S W N"),
        ("uzje", {}, "E S W N"),
        ("uzje", {"wind_set": "compressed"}, "H V H V"),
        ("drafts/sichuan.yaml", {}, ""),
    )
    for name, settings, codes in rounds:
        data = compiled(name, (), **settings)
        assert data.play is not None
        assert " ".join(data.tiles.tiles[tile].code for tile in data.play.match.rounds) == codes


# --- the digest


@pytest.mark.long
def test_the_digest_of_texts_is_of_every_character_and_of_options(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    here, there = tmp_path / "familiar.yaml", tmp_path / "elsewhere" / "other.yaml"
    here.write_bytes(FAMILIAR.encode())
    there.write_bytes(FAMILIAR.replace("\n", "\r\n").encode())
    digest = load_data(str(here)).text_digest
    assert len(digest) == 64 and load_data(str(there)).text_digest == digest
    assert load_data(str(here)).text_digest == digest  # from the cache
    assert load_data(str(here), {"flowers": True}).text_digest == load_data(str(here), {"flowers": "true"}).text_digest
    others = [
        load_data(str(here), {"flowers": not compiled("cantonese").options["flowers"]}),
        load_data(str(here), mods=[str(TESTS / "drafts" / "futures.yaml")]),
        load_data("cantonese"),
    ]
    here.write_bytes((FAMILIAR + "about: more\n").encode())
    others.append(load_data(str(here)))
    assert len({digest, *(one.text_digest for one in others)}) == 5


@pytest.mark.long
def test_the_digest_of_rules_is_not_of_what_only_people_read(tmp_path: Path) -> None:
    """Comments, names, notes, wordings, examples, cases, presets, the publication; nor of which document says it."""
    path = tmp_path / "familiar.yaml"

    def digest_with(more: str) -> str:
        path.write_text(FAMILIAR + more, encoding="utf-8")
        return load_data(str(path)).digest

    digest = digest_with("")
    for same in (
        "# a comment\n",
        "about: {en: More, ja: もっと}\n",
        "license: CC0-1.0\nauthors: [Ann]\n",
        "profile: {level: beginner, minutes: 30}\n",
        "presets: {short: {name: Short, options: {flowers: false}}}\n",
        "patterns: {self_drawn: {name: {en: Drawn, ja: 自摸}, about: A note}}\n",
        "cases: {one: {hand: 234m567p23488s CC, win_tile: C, expect: {values: {faan: 1}}}}\n",
        "options: {flowers: {label: With flowers}}\n",
    ):
        assert digest_with(same) == digest, same
    for other in ("patterns: {self_drawn: {worth: 3}}\n", "options: {flowers: {flag: false}}\n"):
        assert digest_with(other) != digest, other
    assert load_data(str(path)).text_digest != digest


def test_a_digest_is_also_of_the_card(tmp_path: Path) -> None:
    cards = [compiled("american", card=card).digest for card in ("basic1", "moon_gate")]
    path = tmp_path / "mine.txt"
    path.write_text("Mine\n\n“Hands”\nFF 222 444 666 888 X25\n", encoding="utf-8")
    mine = load_data("american", mods=[str(path)]).digest
    path.write_text("Mine\n\n“Hands”\nFF 222 444 666 888 X30\n", encoding="utf-8")
    assert len({*cards, mine, load_data("american", mods=[str(path)]).digest}) == 4


@pytest.mark.parametrize("name", MOSTLY_SOAKED)
def test_a_play_comes_whole_out_of_the_cache(name: str) -> None:
    first, second = load_data(name), load_data(name)
    assert first.play == second.play == compiled(name).play and first.digest == second.digest
