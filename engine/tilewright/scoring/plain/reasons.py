"""Why a hand does not win, or no line of a card can be made: texts by language, as every text that people read.

The catalogue of messages is of a higher layer, for those who show scores; these come with the scores themselves.
"""

from collections.abc import Mapping

ENGLISH = "en"
Texts = Mapping[str, str]  # language -> text

SAID: Mapping[str, Texts] = {
    "lost": {"en": "did not win", "zh": "未和牌", "ja": "和了していない"},
    "no_form": {"en": "not a winning hand", "zh": "不成和牌牌型", "ja": "和了形でない"},
    "because": {"en": "{what}: {why}", "zh": "{what}：{why}", "ja": "{what}：{why}"},
    "both": {"en": "{one}; {other}", "zh": "{one}；{other}", "ja": "{one}；{other}"},
    "short": {
        "en": "below the minimum: {has} of {needs}",
        "zh": "未達起和：{needs}只有 {has}",
        "ja": "和了に足りない：{needs}のうち {has}",
    },
    "size": {"en": "{told}", "zh": "張數不符", "ja": "枚数が合わない"},
    "line_closed": {
        "en": "{line} is closed, and a group is exposed",
        "zh": "{line} 須門前清，但已有亮出的牌組",
        "ja": "{line} は門前に限るが、晒した面子がある",
    },
    "nearest": {
        "en": "the nearest line is {line}, which lacks {needs}",
        "zh": "最接近的是 {line}，尚缺 {needs}",
        "ja": "最も近いのは {line}、不足は {needs}",
    },
    "card_empty": {"en": "the card has no hands", "zh": "牌卡上沒有牌型", "ja": "カードに手がない"},
    "card_closed": {
        "en": "every hand is closed, and a group is exposed",
        "zh": "所有牌型都須門前清，但已有亮出的牌組",
        "ja": "どの手も門前に限るが、晒した面子がある",
    },
    "card_melds": {"en": "no hand has {groups}", "zh": "沒有牌型含有 {groups}", "ja": "{groups} を含む手がない"},
    "card_open_melds": {
        "en": "no hand that may be exposed has {groups}",
        "zh": "可亮出的牌型都不含 {groups}",
        "ja": "晒せる手に {groups} を含むものがない",
    },
    "card_lacks": {
        "en": "even the hand that lacks least {lack}",
        "zh": "最接近的牌型也{lack}",
        "ja": "最も近い手でも{lack}",
    },
    "lack_of": {
        "en": "needs {wanted} of {tile}, and {left} left",
        "zh": "需要 {wanted} 張 {tile}，只剩 {count} 張",
        "ja": "{tile} が{wanted}枚必要で、残りは{count}枚",
    },
    "lack_of_wild": {
        "en": "needs {wanted} wild {tiles}, and {left} left",
        "zh": "需要 {wanted} 張百搭，只剩 {count} 張",
        "ja": "万能牌が{wanted}枚必要で、残りは{count}枚",
    },
}


def said(id: str, **slots: object) -> dict[str, str]:
    """A reason in every language; a slot that has texts by language is filled with that of each."""
    return {language: text.format(**filled(slots, language)) for language, text in SAID[id].items()}


def filled(slots: Mapping[str, object], language: str) -> dict[str, object]:
    return {name: in_language(slot, language) if isinstance(slot, Mapping) else slot for name, slot in slots.items()}


def in_language(texts: Texts, language: str) -> str:
    return texts.get(language) or texts.get(ENGLISH) or next(iter(texts.values()), "")


def listed(reasons: list[dict[str, str]]) -> dict[str, str]:
    """Several reasons as one."""
    between = {"en": "; "}
    return (
        {one: between.get(one, "；").join(reason[one] for reason in reasons) for one in SAID["lost"]} if reasons else {}
    )
