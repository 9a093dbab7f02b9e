"""Words that differ: two texts in, the same two with the words marked that only one of them has. Knows no page.

Words are compared; in a script without spaces, signs. Texts that have little in common are marked as a whole.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from tilewright.rulebook.writing.blocks import Codes

SCRIPT = r"\u2e80-\uffef"  # Chinese and Japanese
TOKEN = re.compile(
    rf"[{SCRIPT}]|(?<!\w)[-−+]?\d+(?:[.,]\d+)*|\d+|[^\W\d{SCRIPT}]+(?:['’][^\W\d{SCRIPT}]+)*|\s+|.", re.DOTALL
)
WORD = re.compile(rf"\w|[{SCRIPT}]")
IN_SCRIPT = re.compile(rf"[{SCRIPT}]")
MOST_TOKENS = 2_000  # of two texts that are compared word by word
ALIKE = 0.45  # of the words of two texts: less is another text
SLIGHT = 3  # letters between marked words that are marked with them; a sign of script is two

Stretch = tuple[str, bool]


class MarkedText(str):
    """A text with marks. `stretches`: the text in pieces, each with whether it is marked."""

    stretches: tuple[Stretch, ...]

    def __new__(cls, stretches: Iterable[Stretch]) -> "MarkedText":
        kept = tuple(one for one in stretches if one[0])
        made = super().__new__(cls, "".join(text for text, _ in kept))
        made.stretches = kept
        return made


class MarkedCodes(tuple[str, ...]):
    """Tiles that are marked together."""


def words(texts: Iterable[str]) -> Counter[str]:
    """The words of texts, each with how often it is there."""
    return Counter(token for text in texts for token in TOKEN.findall(text) if WORD.match(token))


def likeness(one: Counter[str], other: Counter[str]) -> float:
    """How much of the words two texts have in common, from 0 to 1."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


def marked(old: str, new: str) -> tuple[str, str]:
    """Both texts with the words marked that only one of them has."""
    if old == new:
        return old, new
    before, after = TOKEN.findall(old), TOKEN.findall(new)
    if len(before) + len(after) > MOST_TOKENS or likeness(words([old]), words([new])) < ALIKE:
        return wholly(old), wholly(new)
    pieces = joined(pieces_of(before, after))
    return (
        MarkedText(stretch for was, _, same in pieces for stretch in tight(was, not same)),
        MarkedText(stretch for _, now, same in pieces for stretch in tight(now, not same)),
    )


def wholly(text: str) -> str:
    return MarkedText([(text, True)])


def pieces_of(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[str, str, bool]]:
    """Stretches of both in order, each with whether it is the same in both."""
    for tag, start, end, other_start, other_end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        yield "".join(before[start:end]), "".join(after[other_start:other_end]), tag == "equal"


def joined(pieces: Iterable[tuple[str, str, bool]]) -> list[tuple[str, str, bool]]:
    """The same without slight stretches between marked ones, which would be hard to read."""
    found = list(pieces)
    kept: list[tuple[str, str, bool]] = []
    for at, (was, now, same) in enumerate(found):
        same = same and not (0 < at < len(found) - 1 and is_slight(was))
        if kept and not kept[-1][2] and not same:
            kept[-1] = kept[-1][0] + was, kept[-1][1] + now, False
        else:
            kept.append((was, now, same))
    return kept


def is_slight(text: str) -> bool:
    return sum(2 if IN_SCRIPT.match(sign) else 1 for sign in text if sign.isalnum()) <= SLIGHT


def tight(text: str, is_marked: bool) -> Iterator[Stretch]:
    """A stretch, its mark without the spaces around it."""
    if not is_marked or not text.strip():
        yield text, False
        return
    core = text.strip()
    start = text.index(core)
    yield text[:start], False
    yield core, True
    yield text[start + len(core) :], False


def marked_groups(groups: Sequence[Codes], others: Sequence[Codes]) -> tuple[Codes, ...]:
    """Groups of tiles, those marked that the others do not have."""
    left = Counter(groups) - Counter(others)
    found: list[Codes] = []
    for codes in groups:
        found.append(MarkedCodes(codes) if left[codes] > 0 else codes)
        left[codes] -= 1
    return tuple(found)
