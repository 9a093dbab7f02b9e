"""Texts of strangers made visible: any text in, one whose control characters can be seen out."""

import re

HIDDEN = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)


def seen(text: str) -> str:
    """The text with invisible and control characters replaced. A tab becomes a space."""
    return HIDDEN.sub("\N{REPLACEMENT CHARACTER}", text).replace("\t", " ")
