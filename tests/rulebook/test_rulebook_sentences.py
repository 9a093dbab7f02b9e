"""What rulebooks say of the play and the payments: whole sentences, names in place of ids, nothing that never happens,
and notes in the language of the reader."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from test_rulebook import book

from tilewright.language.documents.options import presets_of
from tilewright.language.elaborate import open_whole
from tilewright.play.rules import load
from tilewright.presentation.catalogue import LANGUAGES
from tilewright.rulebook.book import rulebook_of
from tilewright.rulebook.clauses import keeps_letters, templates
from tilewright.rulebook.expressions import Sentences
from tilewright.rulebook.pages import markdown
from tilewright.rulebook.writing import BookBlock, Rulebook, Teller

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("rulebook")]

NEW = ["riichi", "sanma", "mcr", "sichuan", "hong_kong", "zung_jung"]
COURSE = ("deal", "turn", "claims", "ends", "hands", "words")
PLAYED = (*COURSE, "payments", "match")


@cache
def derived(id: str, language: str) -> Rulebook:
    """The rulebook without sentences of its authors."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Teller, "wordings", {})
        return rulebook_of(id, {}, (), language)


def every(blocks: tuple[BookBlock, ...]) -> Iterator[BookBlock]:
    for block in blocks:
        yield block
        yield from every(block.blocks)


def said(found: Rulebook, *sections: str | tuple[str, ...]) -> list[str]:
    """Every sentence of some sections."""
    wanted = {id for one in sections for id in ((one,) if isinstance(one, str) else one)}
    blocks = [block for one in found.sections if one.id in wanted for block in every(one.blocks)]
    return [text for block in blocks for text in (block.text, *block.items) if text]


SAID = [
    # who pays whom how much, where it is paid
    ("riichi", "en", COURSE, "the riichi stick is not on the table yet): the player pays 1000 to the pot."),
    (
        "riichi",
        "en",
        COURSE,
        "If there is somebody among those still playing (Nagashi mangan): settle Nagashi mangan",
    ),
    ("riichi", "zh", COURSE, "該家付 1000 給公池。"),
    # what was paid in plays of the ruleset
    ("riichi", "en", "payments", "For example: South, West and North each pay 1000 to East."),
    ("riichi", "zh", "payments", "例如：南、西及北各付 1000 給東。"),
    ("sichuan", "en", "payments", "For example: South pays 1 to West; South pays 8 to North."),
    ("sichuan", "en", COURSE, "The discarder pays 2 to the player."),
    ("sichuan", "en", COURSE, "what was paid is returned (Claimed kong, Concealed kong and Added kong)."),
    ("sichuan", "zh", COURSE, "結算查花豬。"),
    ("hong_kong", "en", COURSE, "For each of the winners: settle the win."),
    # one pays, several each pay
    (
        "sichuan",
        "en",
        "payments",
        "If the winning tile is self-drawn, the others each pay the points to the winner; otherwise the discarder",
    ),
    (
        "riichi",
        "en",
        "payments",
        "the discarder pays 100 × the number of other players to the winner; otherwise the losers each pay",
    ),
    (
        "riichi",
        "en",
        "payments",
        "The pot pays the score of the pot to the leader.",
    ),
    ("riichi", "en", "payments", "Those still playing (Noten) each pay 1000 ×"),
    ("mcr", "zh", "payments", "底分：未和者各付 8 給和者。"),
    # measures inside sentences
    ("cantonese", "en", "payments", "The losers each pay the hand score to the winner."),
    ("riichi", "en", "scoring", "Otherwise the larger of 30 and fu before rounding, rounded up"),
    # how often
    ("sanma", "en", "patterns", "It counts once for each of the norths set aside (nukidora)."),
    ("mcr", "zh", "patterns", "每有一張花牌計一次。"),
    ("mcr", "ja", "patterns", "花牌一枚ごとに一回数える。"),
    ("mcr", "en", "patterns", "every group includes one of the terminals and honours."),
    # what happens, in words
    (
        "riichi",
        "en",
        COURSE,
        "After claims, if nobody has won, and for each of those still playing: Riichi: continue with Abortive draw.",
    ),
    ("riichi", "en", COURSE, "fewer than 4 of the melds of that player are quads"),
    ("riichi", "en", COURSE, "nothing is in the melds of everyone"),
    ("mcr", "en", COURSE, "For each of the quads among the melds of everyone: everyone is shown it (show the kongs)."),
    ("sichuan", "en", COURSE, "a die decides: the right, the other side or the left"),
    ("sichuan", "en", COURSE, "If the number of players still in is 1: the hand is over."),
    (
        "hong_kong",
        "en",
        COURSE,
        "After a draw, if the tile just drawn is one of the bonus tiles: set aside the tile just drawn.",
    ),
    ("hong_kong", "zh", COURSE, "摸牌之後，若剛摸的牌是花牌之一：補花（剛摸的牌）。"),
    # what is remembered, if it has a name
    ("riichi", "en", COURSE, "From now on: Riichi."),
    ("riichi", "ja", COURSE, "これ以後：立直。"),
    ("sichuan", "en", COURSE, "For each player: Void suit becomes that suit."),
    ("sichuan", "zh", COURSE, "下局莊家變為：若同時宣告者的數目多於 1 則放銃者，否則同時宣告者中最先者。"),
    # what may be done
    ("riichi", "en", COURSE, "at least 9 of the different tiles are among the terminals and honours."),
    ("riichi", "en", COURSE, "for some tile of the hand: the hand without that tile: Tenpai"),
    (
        "riichi",
        "en",
        COURSE,
        "every tile of the hand with the group is among the tiles that complete the kind of the group",
    ),
    ("riichi", "zh", COURSE, "打（立直，且該牌不為剛摸的牌"),
    (
        "sichuan",
        "en",
        COURSE,
        "Making a group (Claims), if the tile in question is one of the void suit of the player: This suit",
    ),
    # what words mean
    ("riichi", "en", COURSE, "Noten: the hand waits for nothing."),
    ("sichuan", "zh", COURSE, "定缺：所缺的一門。"),
    ("zung_jung", "zh", COURSE, "包家：和者上次捨牌後首先打出該牌者。"),
    # how a match goes
    ("riichi", "en", "match", "otherwise the deal passes to the next player."),
    ("riichi", "en", "match", "The match ends if for some player: the score of that player is less than 0."),
    ("mcr", "en", "match", "After every hand the deal passes to the next player."),
    # what stands alone
    ("riichi", "en", "scoring", "Otherwise 8000"),
    ("riichi", "en", "tiles", "Among them: red 5 circles (0p)."),
    ("mcr", "en", "patterns", "the hand does not have a quad of t"),
    ("riichi", "en", "patterns", "The form is Four sets and a pair or Seven pairs, and all tiles are"),
    ("riichi", "zh", "patterns", "聽法為兩面"),
    # a number in Chinese has spaces around it, and none in Japanese; what is counted has its class in front
    ("riichi", "zh", "patterns", "有 2 組三元牌的刻子及三元牌的對子。"),
    ("riichi", "ja", "patterns", "三元牌の刻子2組と三元牌の対子がある。"),
    ("riichi", "zh", "hands", "么九牌各一張及一張么九牌。"),
    ("mcr", "ja", "patterns", "または同じ色で数が2ずつ上がる順子3組ごとに"),
    # seats of a game without winds
    ("sichuan", "zh", COURSE, "座位：東、南、西及北"),
    ("sichuan", "ja", COURSE, "席は東、南、西と北。"),
]


@pytest.mark.parametrize(("id", "language", "section", "words"), SAID)
def test_it_is_said(id: str, language: str, section: str | tuple[str, ...], words: str) -> None:
    assert any(words in text for text in said(derived(id, language), section))


NOT_SAID = [
    ("riichi", COURSE, "et aside"),  # there are no bonus tiles
    ("riichi", COURSE, "one of :"),
    ("sichuan", COURSE, "Automatic effects"),  # nothing does, but for marks without a name
    ("sichuan", "hands", "Run of seven"),  # no hand has one
    ("sichuan", "payments", "+ 0"),
    ("riichi", "payments", "the discarder each pay"),
    ("sichuan", "payments", "For example: S, W and N each pay 2"),  # that is what the line says
    ("riichi", "patterns", "exposed 0"),
]


@pytest.mark.parametrize(("id", "section", "words"), NOT_SAID)
def test_it_is_not_said(id: str, section: str | tuple[str, ...], words: str) -> None:
    assert not any(words in text for text in said(book(id), section))


@pytest.mark.parametrize("id", NEW)
def test_no_id_is_left(id: str) -> None:
    """Neither ids nor expressions in what is told of the play, in English; in Chinese not even a word of English."""
    for text in said(book(id), *PLAYED):
        assert not re.search(r"_|\w\.\w|\b(?!with|without)\w+\(\w+\)", text), text
    for text in said(book(id, "zh"), *PLAYED, "what", "tiles", "hands", "patterns", "scoring"):
        assert not re.search(r"[A-Za-z]{3}", text), text


@pytest.mark.parametrize("id", ["mcr", "riichi", "zung_jung", "uzje"])
def test_a_family_is_told_once(id: str) -> None:
    """What a family means stands in one place, and each of its patterns names it."""
    data, told = load(id).data, said(book(id), "patterns")
    for family, keep in data.families.items():
        members = [one for one in data.patterns if one.family == family]
        name = data.family_names.get(family, {}).get("en", family.replace("_", " "))
        rules = [text for text in told if text.startswith(f"“{name}”:")]
        belongs = [text for text in told if f"It is one of “{name}”." in text]
        meant = family in data.sole or (keep != "all" and len(members) > 1)
        assert (len(rules), len(belongs)) == ((1, len(members)) if meant else (0, 0))


def test_a_preset_says_what_it_sets() -> None:
    ema = next(one for one in presets_of(open_whole("riichi").full) if one.id == "ema")
    told = next(text for text in said(book("riichi"), "choices") if text.startswith("EMA 2016"))
    assert told.count(";") == len(ema.options) - 1 and "Starting points: 30000" in told and "Abortive draws: no" in told


def test_a_preset_that_is_named_is_told() -> None:
    found = rulebook_of("hong_kong", {}, ("learning",))
    assert "Played with: Learning game with open hands and Open hands." in said(found, "what")


# --- documents of one's own

OWN = """\
tilewright: 1
kind: ruleset
id: own
name: {en: My game, zh: 我的麻將}
about: {en: Played at home, zh: 家中所玩, ja: 家の麻雀}
extends: cantonese
marks:
  lucky: {of: seat, about: {en: Has thrown a lucky tile, zh: 打過吉牌}}
terms:
  rich: {is: score > 100, about: {en: It has much, zh: 分數很高}}
actions:
  pay_up: {name: {en: Pay up, zh: 供款}, about: {en: Twice, zh: 兩次}, do: [{settle: fine}, {settle: fines}]}
triggers:
  lucky: {after: [discard], when: tile == C, do: [{mark: {lucky: true}}]}
  fine:  {after: [pung], when: lucky and rich, do: [{pay_up: {}}]}
patterns:
  one_suit: {about: {en: A beauty, zh: 美}}
payments:
  fine:  {one: {name: {en: Fine, zh: 罰款}, from: seat, to: others, amount: 2}}
  fines:
    one: {name: {en: First fine, zh: 先罰}, from: others, to: seat, amount: 1}
    two: {from: pot, to: seat, amount: 3, when: rich}
"""

TOLD = {
    "en": [
        ("what", "Played at home."),
        (COURSE, "After pung, if has thrown a lucky tile, and it has much: pay up."),
        (COURSE, "Twice."),
        (COURSE, "The player pays 2 to each of the others."),
        (COURSE, "Settle fines."),
        ("patterns", "A beauty."),
        ("payments", "Fine"),
        ("payments", "First fine: the others each pay 1 to the player."),
        ("payments", "If it has much, the pot pays 3 to the player."),
    ],
    "zh": [
        ("what", "家中所玩。"),
        (COURSE, "碰之後，若打過吉牌，且分數很高：供款。"),
        (COURSE, "兩次。"),
        (COURSE, "該家付 2 給其他家的每一家。"),
        ("patterns", "美。"),
        ("payments", "罰款"),
        ("payments", "先罰：其他家各付 1 給該家。"),
        ("payments", "若分數很高，公池付 3 給該家。"),
    ],
    "ja": [("what", "家の麻雀。"), (COURSE, "Twice."), ("patterns", "A beauty.")],
}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("own") / "own.yaml"
    path.write_text(OWN, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("language", TOLD)
def test_names_and_notes_are_in_the_language(own: str, language: str) -> None:
    found = rulebook_of(own, {}, (), language)
    for section, words in TOLD[language]:
        assert words in said(found, section)


def test_data_has_notes_by_language(own: str) -> None:
    data = load(own).data
    assert data.about == {"en": "Played at home", "zh": "家中所玩", "ja": "家の麻雀"}
    assert {"en": "A beauty", "zh": "美"} in [one.about for one in data.patterns]
    assert data.play is not None and data.play.actions["pay_up"].name == {"en": "Pay up", "zh": "供款"}
    assert data.payment_names["fines"] == {"one": {"en": "First fine", "zh": "先罰"}}


def test_headings_of_markdown_lie_below_each_other(own: str) -> None:
    lines = markdown(rulebook_of(own)).splitlines()
    heads = [line.split(" ", 1) for line in lines if line.startswith("#")]
    place = heads.index(["###", "In detail"])
    assert heads[place + 1][0] == "####" and ["####", "Pay up"] in heads
    assert ["####", "Win"] in heads  # an offer, below the phases of its chapter


RELATED = [  # groups of a condition, and the words for how they relate
    (["2 sequences x"], "2 identical sequences", False),
    (["2 sequences x", "2 sequences y"], "2 identical sequences, 2 times over", False),
    (["sequence n in a", "sequence n in b", "sequence n in c"], "the same sequence in 3 suits", False),
    (["triplet x", "triplet x+1", "triplet x+2"], "3 triplets in one suit, each 1 higher than the last", False),
    (
        ["sequence n in a", "sequence n+1 in b", "sequence n+2 in c"],
        "3 sequences in 3 suits, each 1 higher than the last",
        False,
    ),
    (
        ["sequence 1 in a", "sequence 4 in a", "sequence 7 in a"],
        "a sequence from 1, a sequence from 4 and a sequence from 7, all in one suit",
        False,
    ),
    (
        ["sequence 1 in a", "sequence 4 in b", "sequence 7 in c"],
        "a sequence from 1, a sequence from 4 and a sequence from 7, each in a different suit",
        False,
    ),
    # letters that these words do not have stay
    (
        ["triplet n in a", "triplet n in b", "pair n in c"],
        "a triplet of n, a triplet of n and a pair of n, each in a different suit",
        True,
    ),
    (["triplet x", "sequence x"], "a triplet of x and a sequence from x", True),
    (
        ["sequence x", "sequence x+1", "sequence x+3"],
        "a sequence from x, a sequence from x+1 and a sequence from x+3",
        True,
    ),
    (["sequence n in a", "sequence n+1 in a"], "a sequence from n and a sequence from n+1, all in one suit", True),
    # without letters they are a list
    (["2 triplets of dragons", "pair of dragons"], "2 triplets of dragons and a pair of dragons", False),
]


@pytest.mark.parametrize(("parts", "words", "lettered"), RELATED, ids=[words for _, words, _ in RELATED])
def test_groups_say_how_they_relate(parts: list[str], words: str, lettered: bool) -> None:
    say = Sentences(load("mcr").data)
    assert (templates(say, parts), keeps_letters(say, parts)) == (words, lettered)
    for language in LANGUAGES:
        assert templates(Sentences(load("mcr").data, language), parts)


PAYING = """tilewright: 1
kind: ruleset
id: paying
name: {en: Paying}
extends: standard
options: {shooter: {flag: false, label: {en: The discarder pays for all}}}
scoring: {measures: {points: {name: {en: Points}}}, best: points}
patterns: {a: {name: {en: A}, worth: 1 * (2 if self_draw else 3)}}
payments:
  win: {pay: {from: losers, amount: 1 * points + 0, instead: discarder if shooter and not self_draw else payer}}
"""


@pytest.mark.parametrize(
    ("shooter", "said"),
    [
        ("false", "The losers each pay the points to the winner."),
        (
            "true",
            "The losers each pay the points to the winner. "
            "If the winning tile comes from another player, the discarder pays instead.",
        ),
    ],
)
def test_who_pays_instead_is_said_case_by_case(shooter: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "paying.yaml"
    path.write_text(PAYING)
    text = markdown(rulebook_of(str(path), {"shooter": shooter}, ()))
    assert f"- {said}\n" in text and "1 ×" not in text


NOTING = (
    PAYING.replace("id: paying", "id: noting")
    + """
marks: {ready: {of: seat, name: {en: Ready}}, unnamed: {of: seat}}
triggers:
  unnamed: {after: [kong], do: [{mark: {unnamed: true}}]}
  some: {after: [pung], when: unnamed, do: [{mark: {ready: melds > 2, unnamed: false}}]}
  none: {after: [chow], when: ready, do: [{for: everyone, mark: {ready: false}}]}
"""
)


def test_marks_with_a_name_are_said(tmp_path: Path) -> None:
    path = tmp_path / "noting.yaml"
    path.write_text(NOTING)
    text = markdown(rulebook_of(str(path), {}, ()))
    assert "- After pung, if unnamed: from now on, only if the number of melds is more than 2: Ready.\n" in text
    assert "- After chow, if Ready: for each player: no longer: Ready.\n" in text
    assert "After concealed kong" not in text
