"""Regular expressions: an author's text in, an expression that can be matched safely out.

The only place that compiles and runs expressions of authors. Authors may be careless or hostile, so an expression is
bounded in length, runs under a time limit, and can be tested before use. Knows no mahjong.
"""

import re
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import regex

MAX_LENGTH = 500  # characters of an expression
TIME_LIMIT = 0.1  # seconds for one match
TRIAL_LIMIT = 0.05  # seconds for one match while an expression is tested; usual ones take 0.00001
TRIALS_LIMIT = 0.3  # seconds for all of them
TRIALS = 3  # how often a match runs into its limit before it is called slow
TRIAL_LENGTH = 40  # characters of the longest text it is tested on
TRIAL_SIGNS = 64  # different characters it is tested on
REMEMBERED = 65_536  # results
TRIAL_WORDS = 8  # strings of the expression that are appended
MAX_NESTED = 3  # nested repeated groups
TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(|\)[*+{]?", re.DOTALL)
SWITCHES = re.compile(r"\(\?(?=[a-zA-Z-])[a-zA-Z0-9]*(?:-[a-zA-Z]+)?[:)]")
SYNTAX = re.compile(
    r"\\[pPN]\{[^}]*\}|\\[gkL]<[^>]*>|\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|\{[^}]*\}|\(\?#[^)]*\)"
    r"|\(\?(?:P?<\w+>|P[=>&]\w+|<?[=!]|[:>|])|\(\*\w+\)|.",
    re.DOTALL,
)
MEMBERS = re.compile(r"\[:\^?\w+:\]|\\.|.-[^\]]|.", re.DOTALL)
STEERING = frozenset("()|.^$*+?")
STRANGER = "\uffff"  # a character that no text has

MESSAGES = {
    "missing )": "a '(' is never closed",
    "unbalanced parenthesis": "a ')' closes nothing",
    "unterminated character set": "a '[' is never closed",
    "nothing to repeat": "there is nothing here to repeat",
    "multiple repeat": "this repeats something that is repeated already",
    "bad escape": "unknown escape after '\\'",
    "bad character range": "this range of characters goes backwards",
    "unexpected end of pattern": "the expression ends too early",
}


class BadPattern(Exception):
    """A text is not a regular expression; with the reason and the offset."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


class TooSlow(Exception):
    """A match was given up after the time limit."""


@dataclass(frozen=True, slots=True)
class Regular:
    """A regular expression that can be compiled. Nothing but its text is stored, so it pickles."""

    text: str

    def fullmatch(self, text: str) -> bool:
        """Whether the expression matches the whole text; TooSlow when that takes too long."""
        return self.answer(text, anywhere=False)

    def search(self, text: str) -> bool:
        """Whether the expression matches somewhere in the text; TooSlow when that takes too long."""
        return self.answer(text, anywhere=True)

    def answer(self, text: str, *, anywhere: bool) -> bool:
        if (result := matched(self.text, text, anywhere)) is None:
            raise TooSlow(f"the expression '{self.text}' takes too long on '{text}'")
        return result


def compile_pattern(text: str) -> Regular:
    """Return the expression of a text, or raise BadPattern."""
    if len(text) > MAX_LENGTH:
        raise BadPattern(f"an expression may have {MAX_LENGTH} characters at the most", MAX_LENGTH)
    compiled(text)
    return Regular(text)


@lru_cache(maxsize=256)
def explodes(pattern: Regular, alphabet: str, longest: int = TRIAL_LENGTH, *, anywhere: bool = False) -> bool:
    """Whether the expression takes too long on some text of signs from the alphabet that nearly matches, as a whole or
    `anywhere`. Expressions that our matcher handles well, such as `(a+)+b`, do not."""
    if nested_repeats(pattern.text) > MAX_NESTED:
        return True
    signs, longest = "".join(dict.fromkeys(alphabet))[:TRIAL_SIGNS], min(longest, TRIAL_LENGTH)
    stop = time.process_time() + TRIALS_LIMIT
    for start, run, end in trials(pattern.text, signs):
        if stalls(pattern.text, (start + run * longest)[: longest - len(end)] + end + STRANGER, anywhere):
            return True
        if time.process_time() > stop:
            break
    return False


def nested_repeats(pattern: str) -> int:
    """The deepest nesting of repeated groups: 2 in `((a+)+)*`."""
    depths, deepest = [0], 0
    for token in TOKEN.findall(pattern):
        if token == "(":
            depths.append(0)
        elif token[0] == ")" and len(depths) > 1:
            inside = depths.pop() + (len(token) > 1)
            depths[-1] = max(depths[-1], inside)
            deepest = max(deepest, inside)
    return deepest


def stalls(pattern: str, text: str, anywhere: bool) -> bool:
    """Whether a match runs into the time limit, and again: the machine may have been busy with other work."""
    for _ in range(TRIALS):
        with suppress(TimeoutError):
            matcher(pattern, anywhere)(text, timeout=TRIAL_LIMIT)
            return False
    return True


def trials(pattern: str, signs: str) -> Iterator[tuple[str, str, str]]:
    """Texts on which bad expressions backtrack, as start, repeated part, and end, the likely ones first.

    Matchers give up at once if a string that the expression needs is missing, so its first string comes in front, and
    every string in it at the end. A character that nothing matches follows.
    """
    words = literals(pattern, signs)
    starts = list(dict.fromkeys(["", words[0] if words and pattern.startswith(words[0]) else ""]))
    for run in (signs, signs[::-1], *signs):
        yield from ((start, run, end) for start in starts for end in ("", *signs, *words))
    yield from ((starts[-1], one + other, "") for one in signs for other in signs)


def literals(pattern: str, signs: str) -> list[str]:
    """The literal strings in an expression, in order."""
    cut = "".join(sign if sign in signs else " " for sign in pattern)
    return list(dict.fromkeys(cut.split()))[:TRIAL_WORDS]


@lru_cache(maxsize=REMEMBERED)
def matched(pattern: str, text: str, anywhere: bool) -> bool | None:
    """Whether an expression matches a whole text, or somewhere in it; None if that takes too long."""
    try:
        return matcher(pattern, anywhere)(text, timeout=TIME_LIMIT) is not None
    except TimeoutError:
        return None


def matcher(pattern: str, anywhere: bool) -> Callable[..., object]:
    """The function that matches a whole text, or searches it."""
    return compiled(pattern).search if anywhere else compiled(pattern).fullmatch


def literal_signs(pattern: str) -> Iterator[tuple[int, str]]:
    """The characters that an expression names, each with its offset. Parts that stand for several (escapes, classes by
    name, the inner part of a range) and syntax (quantifiers, groups and their names) are skipped; an expression with
    switches such as `(?i)` names none, as they change what a character means."""
    if SWITCHES.search(pattern):
        return
    for token in SYNTAX.finditer(pattern):
        text = token.group()
        if text.startswith("[") and len(text) > 1:
            yield from (
                (token.start() + member.start(), member.group())
                for member in MEMBERS.finditer(text, 2 if text.startswith("[^") else 1, len(text) - 1)
                if len(member.group()) == 1
            )
        elif len(text) == 1 and text not in STEERING:
            yield token.start(), text


@lru_cache(maxsize=256)
def compiled(text: str) -> "regex.Pattern[str]":
    """The expression, ready to run; BadPattern if the text is not one."""
    import regex  # only few documents have expressions

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return regex.compile(text, cache_pattern=False)
    except regex.error as error:
        message, _, at = str(error).partition(" at position ")
        raise BadPattern(message_of(message), min(int(at.split()[0]) if at else 0, len(text))) from None
    except (RecursionError, OverflowError, MemoryError, ValueError, KeyError):
        raise BadPattern("this expression is too complicated", 0) from None


def message_of(message: str) -> str:
    """The matcher's error about an expression, in plain words if we have them."""
    return next((plain for start, plain in MESSAGES.items() if message.startswith(start)), message)
