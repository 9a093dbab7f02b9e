"""Emblems: the shapes that a tile can be drawn with besides signs. A tile of a suit shows as many as its rank.

Knows no drawing and no rules.
"""

EMBLEMS = {
    "rings": "circles, as many as the rank",
    "sticks": "sticks, as many as the rank; a single one is a bird",
    "frame": "an empty frame",
    "blank": "nothing but a mark in the middle",
    "star": "a star",
    "blossom": "a blossom of five petals",
    "leaf": "a leaf",
    "diamond": "a diamond",
    "heart": "a heart",
    "drop": "a drop of water",
    "sun": "a sun",
    "moon": "a crescent",
    "bird": "a bird",
}

MOST_SIGNS = 4  # characters of a sign that stands for a tile
NUMERALS = "零一二三四五六七八九"
TEN = "十"


def numeral(number: int) -> str:
    """A Chinese numeral up to 99: 十六; larger numbers in digits."""
    if not 0 <= number < 100:
        return str(number)
    tens, ones = divmod(number, 10)
    before = "" if tens == 0 else TEN if tens == 1 else NUMERALS[tens] + TEN
    return before + (NUMERALS[ones] if ones or not tens else "")
