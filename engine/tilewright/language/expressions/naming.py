"""Naming: a name or a tile of an expression in, what it means in its place out, or the mistake.

Names are letters, words of a place, names of a whole and words of the language. Notes what was looked up, how late it
is decided and how much work it is. Knows no tree: `tilewright.language.expressions.lowering` lowers these.
"""

from collections.abc import Callable, Iterable
from collections.abc import Mapping as Map
from dataclasses import dataclass, field
from fractions import Fraction

from tilewright.base.node import Node, Scalar
from tilewright.base.problem import Place, Problem, Severity
from tilewright.base.spelling import hint
from tilewright.language.compiled import ir as typed
from tilewright.language.compiled.ir import Ir, names_tiles
from tilewright.language.documents.fields import items
from tilewright.language.documents.options import OptionSetting
from tilewright.language.expressions import folding, trees
from tilewright.language.expressions.folding import (
    GIVEN,
    MEMBERS,
    WANTED,
    as_tiles,
    asked_as,
    converted,
    listed,
    of_many,
    way_out,
)
from tilewright.language.expressions.scope import DIRECTIONS, Declared, Lookups, Scope
from tilewright.language.expressions.tile_classes import is_of_rank, span_of
from tilewright.language.expressions.trees import Span
from tilewright.language.vocabulary.declare import QUANTIFIERS, STRATA
from tilewright.language.vocabulary.words import WORDS

MAX_LOOPS = 4
MAX_COST = 10_000_000
ANY = typed.Const("any", 0)
SUITED = "suited"  # the class of every tile with a rank
SIZE = "compare the set itself with a number: `hand == 14`"
# Words that authors write for others that look different.
MEANT = {
    **dict.fromkeys(("size", "length", "len"), SIZE),
    **dict.fromkeys(("contains", "contain", "includes"), "write `5s in hand` of a tile, `has(4 triplets)` of groups"),
    **dict.fromkeys(("true", "false", "yes", "no"), "a truth stands alone: `concealed` or `not concealed`"),
    "closed": "did you mean 'concealed'?",
}


@dataclass(frozen=True, slots=True)
class TermBody:
    """A term once it is lowered: `highest` is the word of the highest stratum in it."""

    ir: Ir
    stratum: int = 0
    highest: str = ""
    loops: int = 0
    cost: int = 1
    depth: int = 1
    by_option: bool = False
    problems: tuple[Problem, ...] = ()


@dataclass(slots=True)
class Naming:
    """Finds what names in one text mean, and collects its problems. `bodies` finds the terms of a scope, lowered."""

    scope: Scope
    bodies: Callable[[Scope], Map[str, TermBody]]
    problems: list[Problem] = field(default_factory=list)
    text: Scalar | None = None
    start: int = 0  # of the text in the scalar
    bound: dict[str, str] = field(default_factory=dict)  # letters of quantifiers -> type
    domains: dict[str, Ir] = field(default_factory=dict)  # letters of quantifiers -> their domains
    loops: int = 0
    deepest: int = 0
    factor: int = 1
    cost: int = 0
    expensive: bool = False
    depth: int = 0
    stratum: int = 0
    highest: str = ""
    by_option: bool = False
    looked_up: Lookups = field(default_factory=Lookups)

    # --- names that are looked up

    def word(self, name: str) -> Declared | None:
        """The name of the whole that is so called."""
        found = self.looked_up.words[name] = self.scope.words.get(name)
        return found

    def setting(self, name: str) -> OptionSetting | None:
        """The setting of an option."""
        self.by_option = True
        found = self.looked_up.settings[name] = self.scope.settings.get(name)
        return found

    def body(self, name: str) -> TermBody | None:
        """A lowered term."""
        found = self.looked_up.terms[name] = self.bodies(self.scope).get(name)
        return found

    # --- problems

    def problem(
        self, code: str, message: str, place: Place | None, hint: str | None = None, severity: Severity = "error"
    ) -> typed.Const:
        found = Problem(code, message, place, hint, severity)
        if found not in self.problems:
            self.problems.append(found)
        return ANY

    def wrong(
        self, code: str, message: str, span: Span, hint: str | None = None, severity: Severity = "error"
    ) -> typed.Const:
        """A problem at some characters of the text."""
        place = None if self.text is None else self.text.at(span[0], max(1, span[1] - span[0]))
        return self.problem(code, message, place, hint, severity)

    def unknown(self, name: trees.NameOf, known: Iterable[str], what: str = "word") -> typed.Const:
        elsewhere = next((one for one in self.scope.declarations if one.name == name.id and one.owner), None)
        way_out = f"only {elsewhere.owner} has a word of this name" if elsewhere else None
        way_out = way_out or MEANT.get(name.id) or hint(name.id, known)
        if way_out and way_out.startswith("there is") and what == "word":
            way_out = None
        return self.wrong("unknown-word", f"unknown {what} {name.id!r}", name.span, way_out)

    def needs_for(self, name: trees.NameOf) -> Ir:
        return self.wrong("needs-for", f"{name.id}(...) needs `for`", name.span, f"write {name.id}(e for x in S)")

    # --- types and bounds

    def fit(self, ir: Ir, wanted: str, span: Span) -> Ir:
        fitted = converted(ir, wanted)
        if fitted is None:
            return self.wrong(
                "wrong-type",
                f"{WANTED[wanted]} is expected here, not {GIVEN.get(ir.type, ir.type)}",
                span,
                way_out(ir.type, wanted),
            )
        return fitted

    def look(self, word: str, stratum: int, span: Span, term: str = "") -> None:
        """Check that nothing uses something decided later."""
        if stratum > self.stratum:
            self.stratum, self.highest = stratum, word
        if stratum > STRATA.index(self.scope.limit):
            through = f", as {term} does" if term else ""
            is_sum = (STRATA[stratum], self.scope.limit) == ("measure", "reading")
            self.wrong(
                "looks-up",
                f"{self.scope.subject or 'this'} may not look at {word}{through}",
                span,
                "only the `when` of a pattern may, and then the pattern counts last"
                if is_sum
                else "that is decided only later",
            )

    def too_many_loops(self, span: Span) -> None:
        self.expensive = True  # one mistake, one problem
        self.wrong("too-deep", f"quantifiers are nested at most {MAX_LOOPS} deep, terms included", span)

    def check_cost(self, more: int, span: Span) -> None:
        """Check that every expression takes a bounded number of steps."""
        self.cost += more
        if self.cost > MAX_COST and not self.expensive:
            self.expensive = True
            self.wrong("too-much-work", "this may take too many steps", span, "nest fewer quantifiers over tiles")

    # --- names

    def is_suit(self, name: trees.NameOf) -> bool:
        declared = self.word(name.id)
        return declared is not None and declared.section == "suits" and name.id not in self.bound

    def name(self, name: trees.NameOf) -> Ir:
        """The meaning of a name here: a letter, a word of this place, a name of the whole, a word of the language."""
        if name.id in self.bound:
            type = self.bound[name.id]
            named = type == "tile" and bool(names_tiles(self.domains[name.id]))
            return typed.Var(type, name.id, named)
        if name.id in self.scope.letters:
            return typed.Lookup(self.scope.letters[name.id], "choice", name.id)
        if (declared := self.word(name.id)) is not None:
            return self.declared(declared, name, None)
        if name.id == SUITED:
            return self.tile_class(name.id)
        if name.id in DIRECTIONS:
            return typed.Const("direction", name.id)
        if name.id in QUANTIFIERS:
            return self.needs_for(name)
        if (word := WORDS.get(name.id)) is None:
            if (tile := self.tile_called(name.id)) is not None:
                return tile
            return self.unknown(name, self.visible())
        if word.takes:
            return self.wrong("wrong-arguments", f"{name.id} needs arguments", name.span, f"as in `{word.example}`")
        if "seat" not in word.of:
            return self.wrong(
                "wrong-type", f"{name.id} is asked of {listed(word.of)}", name.span, f"as in `{word.example}`"
            )
        self.look(word.name, STRATA.index(word.stratum), name.span)
        return typed.Lookup(word.type, "word", word.name)

    def visible(self) -> set[str]:
        return {*self.bound, *self.scope.visible(), *QUANTIFIERS, SUITED}

    def declared(self, declared: Declared, name: trees.NameOf, of: Ir | None) -> Ir:
        """A name of the whole, of given seats or of the default one."""
        match declared.kind:
            case "option":
                return self.option(declared, name)
            case "family" | "class" | "tile":
                return self.tiles_called(declared)
            case "term":
                return self.term(declared, name, of)
            case "measure":
                return self.measure(declared, name, of)
            case "zone" | "mark" | "choice":
                asked = of if declared.of == "seat" else None
                return typed.Lookup(of_many(declared.type, asked), declared.kind, declared.name, asked)
        return typed.Const("name", declared.name)

    def option(self, declared: Declared, name: trees.NameOf) -> Ir:
        setting = self.setting(declared.name)
        if declared.type == "list":
            return self.wrong(
                "wrong-type", f"{name.id} is worth a list; it can only be compared with its choices", name.span
            )
        value = (
            setting.worth.value
            if setting and isinstance(setting.worth, Scalar)
            else setting.chosen
            if setting
            else None
        )
        if declared.type == "truth":
            return folding.truth(bool(value))
        if declared.type == "name":
            return typed.Const("name", str(value))
        return typed.Const("number", value if isinstance(value, int | Fraction) else 0)

    def term(self, declared: Declared, name: trees.NameOf, of: Ir | None) -> Ir:
        body = self.body(declared.name)
        if body is None or body.ir.type == "any":
            return ANY
        self.look(body.highest, body.stratum, name.span, f"the term {declared.name}")
        self.deepest = max(self.deepest, self.loops + body.loops)
        self.check_cost(body.cost * self.factor, name.span)
        self.depth = max(self.depth, body.depth)
        self.by_option = self.by_option or body.by_option
        if self.loops + body.loops > MAX_LOOPS:
            self.too_many_loops(name.span)
        if isinstance(body.ir, typed.Const) and body.ir.type in ("truth", "number"):
            return body.ir
        return typed.Term(of_many(body.ir.type, of), declared.name, body.ir, of)

    def measure(self, declared: Declared, name: trees.NameOf, of: Ir | None) -> Ir:
        self.look(declared.name, STRATA.index("measure"), name.span)
        if self.scope.measures is not None and declared.name not in self.scope.measures:
            return self.wrong(
                "looks-up", f"{self.scope.subject} may look only at measures before it, not at {name.id}", name.span
            )
        return typed.Lookup("number", "measure", declared.name, of)

    # --- tiles

    def tile(self, tree: trees.TileCode) -> Ir:
        found = self.tile_called(tree.code)
        if found is not None:
            return found
        return self.wrong("unknown-tile", f"no tile is written {tree.code!r}", tree.span)

    def tile_called(self, code: str) -> typed.Const | None:
        """The tile of a code; without a tile set, whatever a suit may have is one."""
        if self.scope.tiles is None:
            return (
                typed.Const("tile", ())
                if code[-1:] in self.scope.suits and len(code) > 1 and code[:-1].isdigit()
                else None
            )
        tile = self.scope.tiles.by_code(code)
        index = tile.index if tile else self.scope.tiles.aliases.get(code)
        if index is None:
            return None
        found = self.scope.tiles.tiles[index]
        return typed.Const("tile", (index if found.marks else found.plain,))

    def tiles_called(self, declared: Declared) -> Ir:
        """The tiles of a code, family or class; none for what `if` removed."""
        if declared.kind == "tile":
            return self.tile_called(declared.name) or typed.Const("tile", ())
        return self.tile_class(declared.name)

    def tile_class(self, name: str) -> Ir:
        found = self.scope.tiles.classes.get(name) if self.scope.tiles else None
        if found is None:
            return typed.Const("tiles", ())
        words = [self.word_of_class(word) for word in found.words]
        return folding.apply("tiles", "union", typed.Const("tiles", tuple(sorted(found.tiles))), *words)

    def word_of_class(self, name: str) -> Ir:
        """Tiles known only at the table: a word, a mark or a term."""
        return self.fit(self.name(trees.NameOf(name)), "tiles", (0, 1))

    def classes(self, node: Node | None) -> tuple[Ir, ...]:
        """Each class of a list: names, codes and ranks. Unknown names are reported when names are linked."""
        return tuple(self.class_item(item) for item in items(node) if isinstance(item, Scalar))

    def class_item(self, item: Scalar) -> Ir:
        self.text = item
        name = item.text
        if name == SUITED:
            return self.tile_class(name)
        if (declared := self.word(name)) is not None and not isinstance(item.value, int):
            return as_tiles(self.declared(declared, trees.NameOf(name, (0, len(name))), None))
        if (tile := self.tile_called(name)) is not None and not isinstance(item.value, int):
            return as_tiles(tile)
        if (ranks := span_of(item)) is not None and self.scope.tiles is not None:
            return typed.Const(
                "tiles", tuple(tile.index for tile in self.scope.tiles.tiles if is_of_rank(tile, *ranks))
            )
        return self.word_of_class(name) if name in WORDS else typed.Const("tiles", ())

    # --- words after a dot, and what is on the table

    def lies(self, ir: Ir) -> bool:
        """Whether the tiles of an expression are physical ones on the table, not only kinds."""
        match ir:
            case typed.Lookup(kind="zone" | "choice"):
                return True
            case typed.Apply(op="tiles", args=(inner,)):
                return inner.type in ("group", "groups")
            case typed.Lookup(kind="word", name=name):
                return WORDS[name].lies
            case typed.Var(name=name):
                return name in self.domains and self.lies(self.domains[name])
            case typed.Term(body=body):
                return self.lies(body)
            case typed.WordCall(name="first", args=(members,)) | typed.Quantifier(op="those", domain=members):
                return self.lies(members)
            case typed.Conditional(then=then, other=other):
                return self.lies(then) and self.lies(other)
            case typed.Apply(op="union", args=args):
                return all(map(self.lies, args))
        return False

    def ask(self, of: Ir, name: trees.NameOf) -> Ir:
        """A word of a seat, of seats, of tiles or of groups."""
        declared, word = self.word(name.id), WORDS.get(name.id)
        follows = word is not None and word.leaves_name and of.type not in ("seat", "seats")
        if declared is not None and declared.kind in ("zone", "mark", "term", "measure", "choice") and not follows:
            if of.type not in ("seat", "seats"):
                return self.wrong(
                    "wrong-type", f"{name.id} is asked of a seat, not of {GIVEN.get(of.type, of.type)}", name.span
                )
            return self.of_one(self.declared(declared, name, of), of, name)
        if word is None:
            known = [one for one, two in WORDS.items() if not two.takes and asked_as(of, two)]
            if of.type in ("seat", "seats"):
                known += [
                    one
                    for one, two in self.scope.words.items()
                    if two.kind in ("zone", "mark", "term", "measure", "choice")
                ]
            return self.unknown(name, known)
        if word.takes:
            return self.wrong("wrong-arguments", f"{name.id} cannot follow a dot", name.span, f"as in `{word.example}`")
        asked = asked_as(of, word)
        if asked is None:
            return self.wrong(
                "wrong-type",
                f"{name.id} is asked of {listed(word.of)}, not of {GIVEN.get(of.type, of.type)}",
                name.span,
                f"write `{name.id}` alone, or ask a seat: `winner.{name.id}`" if "seat" in word.of else None,
            )
        self.look(word.name, STRATA.index(word.stratum), name.span)
        return self.of_one(typed.Lookup(of_many(word.type, asked), "word", word.name, asked), asked, name)

    def of_one(self, ir: Ir, of: Ir, name: trees.NameOf) -> Ir:
        """Several seats, or tiles, have no single number or truth."""
        if of.type in ("seats", "tiles") and ir.type in ("number", "truth", "name", "suit", "direction"):
            one = MEMBERS[of.type]
            return self.wrong(
                "wrong-type",
                f"{name.id} applies to one {one} at a time",
                name.span,
                f"as in any(s.{name.id} ... for s in S)" if one == "seat" else f"as in sum(t.{name.id} for t in S)",
            )
        return ir
