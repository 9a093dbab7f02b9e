"""Syntax: the text of an expression, template or span in, its tree out, or the one mistake in its syntax.

The grammar is `grammar.lark`, and `tilewright.language.expressions.trees` has what its rules become. Spans are offsets
in the text. Knows no name and no type. Length and depth are bounded before anything is parsed, so nothing here recurses
deep.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal, cast, get_args

from lark import Lark, Token, Tree, UnexpectedInput
from lark.exceptions import UnexpectedEOF, UnexpectedToken

from tilewright.base.grammar import parser_of
from tilewright.language.expressions.trees import (
    MAX_DIGITS,
    NOWHERE,
    And,
    Arithmetic,
    AttributeOf,
    Call,
    Choice,
    ClassList,
    Compare,
    Expression,
    Has,
    Identity,
    Member,
    NameOf,
    Negative,
    Not,
    NumberLiteral,
    Or,
    Picked,
    Power,
    Quantified,
    Range,
    Span,
    Template,
    TemplateSpot,
    TileCode,
)

GRAMMAR = Path(__file__).parent / "grammar.lark"
MAX_LENGTH = 2_000
MAX_DEPTH = 50
MAX_OPERANDS = 50  # of one sum, product or row of `and`s
MAX_KEPT = 4_096  # trees, as checking and compiling read the same texts
KEYWORDS = frozenset({"if", "else", "or", "and", "not", "in", "is", "for", "has"})

Mode = Literal["expression", "template", "span"]


class SyntaxMistake(Exception):
    """A mistake in a text, with its place and fix."""

    def __init__(self, message: str, span: Span, hint: str | None = None) -> None:
        self.message, self.span, self.hint = message, span, hint
        super().__init__(message)


# --- text to tree


@lru_cache(maxsize=MAX_KEPT)
def parse_expression(text: str) -> Expression:
    """The tree of an expression; raises SyntaxMistake."""
    return expression(parse(text, "expression"))


@lru_cache(maxsize=MAX_KEPT)
def parse_template(text: str) -> Template:
    """The tree of a template; raises SyntaxMistake."""
    return template(cast(Tree[Token], parse(text, "template")))


@lru_cache(maxsize=MAX_KEPT)
def parse_span(text: str) -> Range:
    """The tree of a span; raises SyntaxMistake."""
    tree = cast(Tree[Token], parse(text, "span"))
    ends = [expression(child) if child else None for child in tree.children]
    if tree.data == "exactly":
        return Range(ends[0], ends[0], span_of(tree))
    least, most = ends if tree.data == "from_to" else (None, ends[0])
    return Range(least, most, span_of(tree))


@cache
def grammar() -> Lark:
    """The parser, made when the first text is parsed."""
    return parser_of(GRAMMAR, *get_args(Mode))


def parse(text: str, mode: Mode) -> Tree[Token] | Token:
    """The tree of lark for a text. Raises SyntaxMistake."""
    check_bounds(text)
    try:
        return grammar().parse(text, start=mode)
    except UnexpectedInput as error:
        raise mistake(text, mode, error) from None


# --- bounds

SCAN = re.compile(
    r"\s+|(?P<word>[^\W\d]\w*)|(?P<number>\d+(?:\.\d+)?)\w*|(?P<sign>==|!=|<=|>=|\.\.|\*(?!\*)|/(?!/)|[-+%^<>(),.])"
)
FOREIGN = re.compile(r"&&|\|\||=>|=<|\*\*|//|.", re.S)


def check_bounds(text: str) -> None:
    """Reject texts that are too long, too deep or have invalid characters before parsing."""
    if len(text) > MAX_LENGTH:
        raise SyntaxMistake(
            f"an expression has at most {MAX_LENGTH} characters, this one {len(text)}",
            (0, len(text)),
            "give parts of it a name under `terms`",
        )
    hard, soft = [0], [0]  # nested until the bracket closes, and until the next comparison or `and`
    for match in scan(text):
        sign, word = match["sign"], match["word"]
        if sign == "(":
            hard.append(0)
            soft.append(0)
        elif sign == ")" and len(hard) > 1:
            hard.pop()
            soft.pop()
        elif sign and sign in "+-*/%^.":
            soft[-1] += 1
        elif sign or word in KEYWORDS:
            hard[-1] = 0 if sign == "," else hard[-1] + (word in ("not", "else"))
            soft[-1] = 0
        if sum(hard) + sum(soft) + len(hard) > MAX_DEPTH + 1:
            raise SyntaxMistake(
                f"expressions are nested at most {MAX_DEPTH} deep",
                match.span(),
                "give parts of it a name under `terms`",
            )
        if match["number"] and len(match["number"]) > MAX_DIGITS:
            raise SyntaxMistake(f"a number has at most {MAX_DIGITS} digits", match.span())


def scan(text: str) -> Iterator[re.Match[str]]:
    """The words, numbers and signs of a text; SyntaxMistake for a character of another language."""
    position = 0
    while position < len(text):
        match = SCAN.match(text, position)
        if match is None:
            raise foreign(text, position)
        yield match
        position = match.end()


def foreign(text: str, position: int) -> SyntaxMistake:
    match = FOREIGN.match(text, position)
    sign = match.group() if match else text[position]
    return SyntaxMistake(
        f"{sign!r} is not a character of this language", (position, position + len(sign)), hints().get(("sign", sign))
    )


# --- mistakes

ORDER = "the order is: number, `concealed` or the like, KIND, place, `in` suit, `by` step, `of` class"
HINTS: dict[str, tuple[tuple[Mode, str], ...]] = {
    "`==` asks whether two things are the same": (("expression", "a = b"),),
    "write `and`": (("expression", "a && b"), ("expression", "a & b")),
    "write `or`": (("expression", "a || b"), ("expression", "a | b")),
    "write `not`, or `!=` between two things": (("expression", "!a"), ("expression", "a !b")),
    "write `^` for a power": (("expression", "a ** b"),),
    "write `/`; numbers are exact": (("expression", "a // b"),),
    "write `<=`": (("expression", "a =< b"),),
    "write `>=`": (("expression", "a => b"),),
    "names are written without quotation marks; there are no texts": (
        ("expression", 'a == "b"'),
        ("expression", "a == 'b'"),
    ),
    "there are no lists here; name the tiles as a class": (
        ("expression", "a in [b]"),
        ("expression", "a in {b}"),
    ),
    "write `a if c else b`": (
        ("expression", "c ? a : b"),
        ("expression", "a : b"),
        ("expression", "a if b"),
        ("expression", "(a if b)"),
    ),
    "a comparison has two sides; join two of them with `and`": (
        ("expression", "1 < x < 3"),
        ("expression", "a == b == c"),
        ("expression", "a in b in c"),
        ("expression", "a < b in c"),
    ),
    "close the bracket": (("expression", "(a + b"), ("expression", "count(a for b in c"), ("expression", "has(a")),
    "no bracket is open here": (("expression", "a)"), ("expression", "(a))")),
    "something is missing after the sign": (
        ("expression", "a +"),
        ("expression", "a *"),
        ("expression", "a =="),
        ("expression", "a ^"),
        ("expression", "-"),
        ("expression", "(a +)"),
        ("expression", "a + * b"),
        ("expression", "a == == b"),
        ("expression", "a + == b"),
    ),
    "something is missing after the word": (
        ("expression", "a and"),
        ("expression", "a or"),
        ("expression", "not"),
        ("expression", "a in"),
        ("expression", "a is"),
        ("expression", "a if b else"),
        ("expression", "(a and)"),
        ("expression", "a and == b"),
    ),
    "something is missing before the sign": (("expression", "== a"), ("expression", "* a"), ("expression", "(== a)")),
    "a number follows the sign: `x+1`": (
        ("template", "sequence x+"),
        ("template", "sequence x+ in a"),
        ("template", "sequence x-"),
        ("template", "sequence x+y"),
    ),
    ORDER: (
        ("template", "concealed 3 triplets"),
        ("template", "triplet of winds in a"),
        ("template", "sequence in a n"),
        ("template", "triplet of winds by d"),
        ("template", "sequence by d in a"),
        ("template", "triplet 2 3"),
        ("template", "3 3 triplets"),
        ("template", "3 of winds"),
        ("template", "of winds"),
        ("template", "in a"),
    ),
    "join classes with `or`": (("template", "pair of winds and dragons"),),
    "make each template an entry of the list": (("template", "pair, triplet"), ("template", "pair and triplet")),
    "the template needs a kind of group": (("template", "3"), ("template", ""), ("template", "3 concealed")),
    "write `count(e for x in S)`": (
        ("expression", "count(e for x)"),
        ("expression", "count(e for in S)"),
        ("expression", "any(e for x, S)"),
    ),
    "only a word can follow a dot; a word with arguments needs none": (
        ("expression", "s.copies(t)"),
        ("expression", "s.5"),
        ("expression", "s."),
        ("expression", "s..t"),
    ),
    "groups are asked for in `has(...)`: `has(4 triplets)`": (
        ("expression", "contains(4 triplets)"),
        ("expression", "4 triplets == 1"),
    ),
    "of a tile, write `5s in hand`, or `copies(5s) > 1`": (
        ("expression", "hand contains 5s"),
        ("expression", "contains 5s"),
        ("expression", "has(5s)"),
        ("expression", "has(pair, 5s)"),
    ),
    "an expression is expected": (("expression", ""), ("expression", "()")),
    "a span is `4`, `2..8`, `3..` or `..8`": (
        ("span", "2-8"),
        ("span", "2 to 8"),
        ("span", ".."),
        ("span", ""),
        ("span", ">= 2"),
        ("span", "2..3..4"),
        ("span", "2...8"),
    ),
}


@cache
def hints() -> dict[tuple[str, ...], str]:
    """Hint by the signature of a mistake, learned from the broken examples."""
    found: dict[tuple[str, ...], str] = {}
    for hint, examples in HINTS.items():
        for mode, text in examples:
            if like := signature_of(text, mode):
                found.setdefault(like, hint)
    return found


def signature_of(text: str, mode: Mode) -> tuple[str, ...]:
    """The signature of a broken text."""
    position = 0
    while position < len(text):
        found = SCAN.match(text, position)
        if found is None:
            sign = FOREIGN.match(text, position)
            return ("sign", sign.group() if sign else "")
        position = found.end()
    try:
        grammar().parse(text, start=mode)
    except UnexpectedInput as error:
        return signature(text, mode, error)
    return ()  # found later in the tree, with its own hint


def signature(text: str, mode: Mode, error: UnexpectedInput) -> tuple[str, ...]:
    """Mode, the token before and the unexpected one; brackets count most."""
    at = len(text) if at_end(error) else min(error.pos_in_stream or 0, len(text))
    token = "$END" if at_end(error) else kind_of(text[at:], first=True)
    opened = depth_of(text)
    if token == "$END" and opened > 0:
        return (mode, "open")
    if token == ")" and depth_of(text[:at]) <= 0:
        return (mode, "closed")
    before = kind_of(text[:at], first=False)
    open_word = next((word for word in reversed(text[:at].split()) if word in ("if", "for")), "")
    return (mode, before, token, open_word) if token in (")", "$END") else (mode, before, token)


def at_end(error: UnexpectedInput) -> bool:
    return isinstance(error, UnexpectedEOF) or (isinstance(error, UnexpectedToken) and error.token.type == "$END")


def depth_of(text: str) -> int:
    return text.count("(") - text.count(")")


SORTS = {
    "+": "sign",
    "*": "sign",
    "/": "sign",
    "%": "sign",
    "^": "sign",
    "-": "sign",
    "==": "compare",
    "!=": "compare",
    "<": "compare",
    "<=": "compare",
    ">": "compare",
    ">=": "compare",
}
PARTS = KEYWORDS | {"of", "by", "except"}  # words that join the parts of a text
ADJECTIVES = ("concealed", "exposed", "completed", "plain", "natural", "different")


def kind_of(text: str, first: bool) -> str:
    """The kind of the first or last word, number or sign of a text."""
    tokens = [m for m in SCAN.finditer(text) if not m.group().isspace()]
    if not tokens:
        return "$END" if first else "$START"
    token = tokens[0 if first else -1]
    if token["sign"]:
        return SORTS.get(token["sign"], token["sign"])
    if token["number"]:
        return "number" if token.group() == token["number"] else "tile"
    if token.group() in PARTS:
        return token.group()
    return "adjective" if token.group() in ADJECTIVES else "name"


def mistake(text: str, mode: Mode, error: UnexpectedInput) -> SyntaxMistake:
    """The error of lark, in the author's terms."""
    at = len(text) if at_end(error) else min(error.pos_in_stream or 0, len(text))
    found = next((m.group() for m in SCAN.finditer(text, at) if not m.group().isspace()), "")
    found = found if not at_end(error) else ""
    hint = hints().get(signature(text, mode, error))
    if found in KEYWORDS and hint is None:
        hint = f"`{found}` is a word of the language and cannot be a name"
    if not found:
        return SyntaxMistake(
            f"the {mode} ends too early" if text.strip() else f"the {mode} is empty",
            (len(text.rstrip()), len(text.rstrip()) + 1),
            hint,
        )
    return SyntaxMistake(f"{found!r} is unexpected here", (at, at + len(found)), hint)


# --- lark's tree to ours


def span_of(node: Tree[Token] | Token) -> Span:
    if isinstance(node, Token):
        return (node.start_pos or 0, node.end_pos or 0)
    return (node.meta.start_pos, node.meta.end_pos) if not node.meta.empty else NOWHERE


def name(token: Any) -> NameOf:
    """A name; words that build expressions are not names."""
    if str(token) in KEYWORDS:
        raise reserved(token)
    return NameOf(str(token), span_of(token))


def reserved(token: Any) -> SyntaxMistake:
    return SyntaxMistake(
        f"{str(token)!r} is unexpected here",
        span_of(token),
        f"`{token}` is a word of the language and cannot be a name",
    )


def number(token: Any) -> int | Fraction:
    return Fraction(str(token)) if "." in token else int(token)


def whole_number(token: Any, what: str) -> int:
    """A number that has to be whole."""
    if "." in token:
        raise SyntaxMistake(f"{what} is a whole number", span_of(token))
    return int(token)


def expression(node: Any) -> Expression:
    """The dataclass of a rule."""
    at, parts = span_of(node), node.children
    match node.data:
        case "number":
            return NumberLiteral(number(parts[0]), at)
        case "tile":
            return TileCode(str(parts[0]), at)
        case "name":
            return name(parts[0])
        case "picked":
            names = tuple(name(part) for part in parts)
            return Picked(names[:-1], names[-1], at)
        case "call":
            return Call(name(parts[0]), tuple(expression(part) for part in parts[1:] if part is not None), at)
        case "quantified":
            return Quantified(name(parts[0]), expression(parts[1]), name(parts[2]), expression(parts[3]), at)
        case "has":
            return Has(tuple(template(part) for part in parts), at)
        case "asked":
            return AttributeOf(expression(parts[0]), tuple(name(part) for part in parts[1:]), at)
        case "negative":
            return Negative(expression(parts[0]), at)
        case "power":
            return Power(expression(parts[0]), expression(parts[1]), at)
        case "arithmetic":
            return Arithmetic(operands(parts[::2], at), tuple(map(str, parts[1::2])), at)
        case "compare":
            return Compare(expression(parts[0]), str(parts[1]), expression(parts[2]), at)
        case "member" | "not_member":
            return Member(expression(parts[0]), expression(parts[1]), node.data == "not_member", at)
        case "identity" | "not_identity":
            return Identity(expression(parts[0]), expression(parts[1]), node.data == "not_identity", at)
        case "not_":
            return Not(expression(parts[0]), at)
        case "both":
            return And(operands(parts, at), at)
        case "either":
            return Or(operands(parts, at), at)
        case _:
            then, test, other = map(expression, parts)
            return Choice(then, test, other, at)


def operands(parts: list[Any], at: Span) -> tuple[Expression, ...]:
    if len(parts) > MAX_OPERANDS:
        raise SyntaxMistake(
            f"at most {MAX_OPERANDS} things are joined in a row", at, "give parts of it a name under `terms`"
        )
    return tuple(expression(part) for part in parts)


def template(tree: Tree[Token]) -> Template:
    """The dataclass of a template."""
    count, *rest = cast(list[Any], tree.children)
    adjectives = [part for part in rest if isinstance(part, Token) and part.type == "ADJECTIVE"]
    kind, place, suit, step, classes = rest[len(adjectives) :]
    if str(kind) in PARTS:
        raise SyntaxMistake(f"{str(kind)!r} is unexpected here", span_of(kind), ORDER)
    return Template(
        None if count is None else whole_number(count, "the number of groups"),
        tuple(map(str, adjectives)),
        name(kind),
        place and spot(place),
        suit and name(suit),
        step and spot(step),
        classes and classes_of(classes),
        span_of(tree),
    )


def spot(tree: Any) -> TemplateSpot:
    first, *offset = tree.children
    if first.type == "NUMBER":
        return TemplateSpot(None, whole_number(first, "a place"), span_of(tree))
    sign, count = offset if offset else (None, None)
    added = 0 if count is None else whole_number(count, "a distance")
    return TemplateSpot(name(first).id, -added if sign == "-" else added, span_of(tree))


def classes_of(tree: Any) -> ClassList:
    *members, unless = tree.children
    if wrong := next((m for m in [*members, unless] if m is not None and m.data == "picked"), None):
        raise SyntaxMistake(f"{str(wrong.children[1])!r} is unexpected here", span_of(wrong.children[1]), ORDER)
    return ClassList(tuple(expression(member) for member in members), unless and expression(unless), span_of(tree))
