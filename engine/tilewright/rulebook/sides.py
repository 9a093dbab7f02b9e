"""Sides: a ruleset that is compared, with whatever options; and the normal form of its compiled parts.

Two parts with the same normal form mean the same: places, the order of sections, names of terms and letters, and the
order of operands that may be swapped do not matter. Of rulesets with different tiles, classes and templates are
compared by their names. Knows no sentences, and compares nothing.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache, cached_property
from typing import Any

from tilewright.base.problem import Place
from tilewright.language.compiled.ir import Apply, Const, HasGroups, Quantifier, Term, Var, Want
from tilewright.language.compiled.play import Step
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.documents.whole import MergedRuleset
from tilewright.language.load import Elaborated
from tilewright.play.rules import Rules
from tilewright.rulebook.book import abouts_of
from tilewright.rulebook.course_sentences import PlaySentences
from tilewright.rulebook.expressions import Sentences
from tilewright.rulebook.in_use import InUse
from tilewright.rulebook.writing import Teller
from tilewright.scoring.explain import describe_tiles

Options = tuple[tuple[str, str], ...]
Open = Callable[[Mapping[str, str]], Elaborated]  # the ruleset with these options besides its own; RulesetError
MOST_KEPT = 64


@dataclass(frozen=True)
class OpenSide:
    """A ruleset with some options, in both forms, and what writes its sentences."""

    whole: MergedRuleset
    rules: Rules
    teller: Teller
    play: PlaySentences | None
    used: InUse


@dataclass
class Side:
    """A ruleset to compare. `opens`: opens it; `name`: as the user names it."""

    name: str
    opens: Open
    language: str = "en"
    kept: dict[Options, OpenSide] = field(default_factory=dict)

    def under(self, options: Options = ()) -> OpenSide:
        """The ruleset with these options; the same ones are opened once. Raises RulesetError."""
        if options not in self.kept:
            if len(self.kept) >= MOST_KEPT:
                del self.kept[next(key for key in self.kept if key)]
            found = self.opens(dict(options))
            rules, say = Rules(found.data), Sentences(found.data, self.language, abouts_of(found.merged))
            play = None if found.data.play is None else PlaySentences(say, found.data.play)
            self.kept[options] = OpenSide(
                found.merged, rules, Teller(rules, found.merged, say), play, InUse(rules.data)
            )
        return self.kept[options]


# --- the normal form


Letters = Mapping[str, int]
JUNCTIONS = ("and", "or", "+", "*", "union")
SYMMETRIC = ("==", "!=", "is", "is_not")
FLIPPED = {">": "<", ">=": "<="}
NEGATED = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", "in": "not_in", "not_in": "in", "is": "is_not", "is_not": "is"}
SWAPPED = ("<", "<=")  # not a < b: b <= a
TILES = ("tile", "tiles")
NO_LETTERS: Letters = {}
UNSAID = frozenset({"place", "examples", "digest", "moves", "about"})  # of parts: mean nothing at the table
UNORDERED = frozenset({"excludes", "bars", "after"})


@dataclass
class NormalForm:
    """Makes normal forms of the parts of a ruleset. `by_name`: tiles and groups of templates by their names, for a
    ruleset with other tiles; `terms`: a term is its name, not its body. `ids`: of patterns that are called otherwise
    in the other ruleset."""

    data: CompiledRuleset
    by_name: bool = False
    terms: bool = False
    ids: Mapping[str, str] = field(default_factory=dict)

    def of(self, part: object, letters: Letters = NO_LETTERS) -> Hashable:
        """The normal form of a part, or of a mapping or sequence of them."""
        kind = type(part)
        if isinstance(part, str):
            return self.ids.get(part, part)
        if kind is Place:
            return None
        if (known := KNOWN.get(kind)) is not None:
            return known(self, part, letters)
        if is_dataclass(kind):
            return (kind.__name__, *self.fields_of(part, letters))
        if isinstance(part, Mapping):
            return frozenset((self.of(key), self.of(value, letters)) for key, value in part.items())
        if isinstance(part, list | tuple):
            return tuple(self.of(one, letters) for one in part)
        if isinstance(part, set | frozenset):
            return frozenset(self.of(one, letters) for one in part)
        assert isinstance(part, Hashable)
        return (kind.__name__, part) if isinstance(part, bool) else part

    def fields_of(self, part: Any, letters: Letters) -> Iterator[Hashable]:
        for name in said_in(part.__class__):
            value = getattr(part, name)
            yield self.of(frozenset(value) if name in UNORDERED else value, letters)

    # --- expressions

    def term(self, ir: Term, letters: Letters) -> Hashable:
        if self.terms:
            return "term", ir.name, self.of(ir.of, letters)
        body = self.of(ir.body, NO_LETTERS)
        return body if ir.of is None else ("of", body, self.of(ir.of, letters))

    def apply(self, ir: Apply, letters: Letters) -> Hashable:
        return self.operator(ir.op, [self.of(one, letters) for one in ir.args])

    def operator(self, op: str, args: list[Hashable]) -> Hashable:
        if op in JUNCTIONS:
            flat = [inner for one in args for inner in (one[2] if is_applied(one, op) else (one,))]  # type: ignore[index]
            return "apply", op, ordered(dict.fromkeys(flat) if op in ("and", "or", "union") else flat)
        if op in SYMMETRIC:
            return "apply", op, ordered(args)
        if op in FLIPPED:
            return "apply", FLIPPED[op], tuple(reversed(args))
        if op == "not":
            return self.negated(args[0])
        return "apply", op, tuple(args)

    def negated(self, form: Hashable) -> Hashable:
        """The form of `not`, moved inwards."""
        if not (isinstance(form, tuple) and form and form[0] == "apply"):
            return "apply", "not", (form,)
        _, op, args = form
        if op == "not":
            inner: Hashable = args[0]
            return inner
        if op in ("and", "or"):
            return self.operator("or" if op == "and" else "and", [self.negated(one) for one in args])
        if op in NEGATED:
            return "apply", NEGATED[op], tuple(reversed(args)) if op in SWAPPED else args
        return "apply", "not", (form,)

    def const(self, ir: Const, letters: Letters) -> Hashable:
        if ir.type in TILES and isinstance(ir.value, tuple):
            return "tiles", self.tiles(frozenset(int(one) for one in ir.value))
        return "const", ir.type, self.of(ir.value)

    def tiles(self, tiles: frozenset[int]) -> Hashable:
        return describe_tiles(tiles, self.data) if self.by_name else tiles

    def var(self, ir: Var, letters: Letters) -> Hashable:
        return "letter", len(letters) - letters[ir.name] if ir.name in letters else ir.name

    def quantifier(self, ir: Quantifier, letters: Letters) -> Hashable:
        inner = {**letters, ir.letter: len(letters)}
        return "quantifier", ir.op, self.of(ir.domain, letters), self.of(ir.body, inner)

    def has(self, ir: HasGroups, letters: Letters) -> Hashable:
        return "has", self.text_of(ir.text) if self.by_name else frozenset(self.of(one, letters) for one in ir.cases)

    def want(self, ir: Want, letters: Letters) -> Hashable:
        asked = (ir.count, ir.each, ir.exposed, ir.completed, ir.plain, ir.natural, ir.different)
        which = (ir.text,) if self.by_name else (ir.groups, ir.meld_groups, ir.tiles)
        return "want", *asked, *which, *(self.of(one, letters) for one in (ir.of, ir.unless, ir.start))

    def text_of(self, text: str) -> str:
        return " ".join(text.split())

    # --- the whole

    @cached_property
    def tile_box(self) -> Hashable:
        """The tiles and groups: what their numbers in expressions mean."""
        tiles = tuple((one.code, one.plain, one.suit, one.rank, one.marks) for one in self.data.tiles.tiles)
        return tiles, tuple(group.tiles for group in self.data.groups.groups)


@cache
def said_in(kind: type) -> tuple[str, ...]:
    """The names of the fields of a part that mean something."""
    unsaid = (*UNSAID, "path") if issubclass(kind, Step) else UNSAID
    return tuple(one.name for one in fields(kind) if one.name not in unsaid)


def is_applied(form: Hashable, op: str) -> bool:
    return isinstance(form, tuple) and form[:2] == ("apply", op)


def ordered(forms: Iterable[Hashable]) -> tuple[Hashable, ...]:
    return tuple(sorted(forms, key=text_of_form))


def text_of_form(form: Hashable) -> str:
    """The same text for equal forms: sets are written in order."""
    if isinstance(form, tuple):
        return f"({','.join(map(text_of_form, form))})"
    if isinstance(form, frozenset):
        return f"{{{','.join(sorted(map(text_of_form, form)))}}}"
    return repr(form)


KNOWN: Mapping[type, Callable[[NormalForm, object, Letters], Hashable]] = {
    Term: NormalForm.term,  # type: ignore[dict-item]
    Apply: NormalForm.apply,  # type: ignore[dict-item]
    Const: NormalForm.const,  # type: ignore[dict-item]
    Var: NormalForm.var,  # type: ignore[dict-item]
    Quantifier: NormalForm.quantifier,  # type: ignore[dict-item]
    HasGroups: NormalForm.has,  # type: ignore[dict-item]
    Want: NormalForm.want,  # type: ignore[dict-item]
}
