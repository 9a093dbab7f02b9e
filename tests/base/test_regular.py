"""Regular expressions of authors: ordinary ones run, broken ones say where, exploding ones are found out."""

import pickle

import pytest

from tilewright.base.regular import MAX_LENGTH, BadPattern, Regular, TooSlow, compile_pattern, explodes, literal_signs

ALPHABET = "0123456789mpsxafESWNZCFP+-"
ORDINARY = [
    "[0-9xa-f]+[ms][NESWZCFP]+",
    "CCC|FFF|PPP",
    "[1f]+p[ESWN]*",
    "(?:[0-9]+[mps])+[ESWN]*",
    ".*(111|222).*[ES]",
    r"(\d+m)?(\d+p)?(\d+s)?[ESWNCFP]*",
    "((1|2|3)+m)+",
    "",
    "123m",
    "(?=.*E).*(?=.*S).*",
    "([0-9]*[mps])*",
    "([0-9]+)+m",  # the rest: other matchers stumble
    "(.*)*x",
    "123m([0-9]+)+p",
    "(a+)+b",
    "(x+x+)+y",
    "([0-9]+)+$",
    "(a|a?)+",
    f"(1+1+)+2|{'1' * 60}",
]
EXPLODING = [
    "(1|1)*2",
    "123m([0-9]|[0-5])+p",
    "(1|11)+2",
    f"(1|1)*2|{'1' * 60}",
    "(" * 60 + "1" + "*)" * 60,
    "(1|(1|1))*([0-9]*)*m",
    "(?R)*1",
]
BROKEN = [("(", 1), ("a)", 1), ("[a", 2), ("*a", 0), ("a**", 2), ("\\q", 2), ("1" * (MAX_LENGTH + 1), MAX_LENGTH)]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary(text: str) -> None:
    assert not explodes(compile_pattern(text), ALPHABET)


@pytest.mark.long
@pytest.mark.parametrize("text", EXPLODING)
def test_exploding(text: str) -> None:
    assert explodes(compile_pattern(text), ALPHABET)


@pytest.mark.parametrize(("text", "offset"), BROKEN)
def test_broken(text: str, offset: int) -> None:
    with pytest.raises(BadPattern) as raised:
        compile_pattern(text)
    assert raised.value.offset == offset and raised.value.message


@pytest.mark.parametrize(
    "text",
    [
        "(" * 250 + ")" * 250,
        "a{99999999999}",
        "(?i",
        "(?P<a",
        "\\N{no}",
        "\\p{No}",
        "[[a]",
        "(?",
        "(?:a){e}b",
        "(?<=a+)b",
        "\\L<x>",
        "(?(1)a|b)",
        "a{2,1}",
    ],
)
def test_strange_ones_do_no_harm(text: str) -> None:
    try:
        explodes(compile_pattern(text), ALPHABET)
    except BadPattern as error:
        assert 0 <= error.offset <= len(text)


def test_matching() -> None:
    pattern = compile_pattern("[0-9]+m")
    assert pattern.fullmatch("123m") and not pattern.fullmatch("123m ") and not pattern.fullmatch("x123m")
    assert pickle.loads(pickle.dumps(pattern)) == pattern == Regular("[0-9]+m")


def test_searching() -> None:
    pattern = compile_pattern("CCC|FFF")
    assert pattern.search("123mCCCE") and not pattern.search("123mCCFF") and not pattern.fullmatch("123mCCCE")


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("CCC|F{3,4}", "CCCF"),
        ("[0-9xa-f]+[^mE][s-]", "xmEs-"),
        (r"(?P<suit>[mp])\1(?P=suit)\d\.", "mp"),
        (r"[[:alpha:]q](?#no)(?<!a)(?>b)", "qab"),
        ("(?i)abc", ""),
        ("(?i:a)bc", ""),
        ("]", "]"),
    ],
)
def test_characters_that_an_expression_names(text: str, signs: str) -> None:
    found = list(literal_signs(text))
    assert "".join(sign for _, sign in found) == signs and all(text[offset] == sign for offset, sign in found)


@pytest.mark.long
@pytest.mark.parametrize("text", ["123m([0-9]|[0-5])+p", "(1|11)+2", "(?R)*1"])
def test_exploding_where_it_is_searched(text: str) -> None:
    assert explodes(compile_pattern(text), ALPHABET, anywhere=True)


def test_slow_searches_are_given_up() -> None:
    with pytest.raises(TooSlow):
        compile_pattern("123m([0-9]|[0-5])+p").search("123m" + "1" * 40 + "!")


def test_slow_ones_are_given_up() -> None:
    pattern = compile_pattern("(1|1)*2")
    for _ in range(3):
        with pytest.raises(TooSlow):
            pattern.fullmatch("1" * 40 + "2!")
