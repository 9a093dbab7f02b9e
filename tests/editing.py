"""Random edits of a text, as somebody makes them who types, pastes and deletes, in characters that count twice too."""

from random import Random

from lsprotocol import types

TYPED = (
    "a",
    "worth",
    ": ",
    "{",
    "}",
    "[",
    "]",
    "\n",
    "\n  ",
    "#",
    "'",
    '"',
    "- ",
    ",",
    "東",
    "🀄",
    "é",
    "\t",
    "|",
    ">",
    "&a",
    "\r\n",
)
MOST_DELETED = 40  # characters
MOST_PASTED = 300


def units(line: str) -> int:
    return len(line.encode("utf-16-le")) // 2


def random_edit(text: str, random: Random) -> tuple[types.TextDocumentContentChangePartial, str]:
    """An edit of a text, and the text after it."""
    start = random.randrange(len(text) + 1)
    end = start
    if random.random() < 0.4:
        end = min(len(text), start + random.randrange(MOST_DELETED))
    if random.random() < 0.1:
        at = random.randrange(len(text) + 1)
        new = text[at : at + random.randrange(MOST_PASTED)]
    else:
        new = random.choice(TYPED) if random.random() < 0.7 else ""
    while start and text[start - 1 : start + 1] == "\r\n":
        start -= 1
    while text[end - 1 : end + 1] == "\r\n":
        end += 1
    where = types.Range(position(text, start), position(text, end))
    return types.TextDocumentContentChangePartial(where, new), text[:start] + new + text[end:]


def position(text: str, offset: int) -> types.Position:
    """An offset as lines and UTF-16 units, from 0."""
    before = text[:offset].replace("\r\n", "\n ").replace("\r", "\n").split("\n")
    plain = text[:offset].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert len(before) == len(plain)
    return types.Position(len(plain) - 1, units(plain[-1]))
