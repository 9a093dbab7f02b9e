"""Templates: a list of templates in, every choice of their letters out as a case of required groups.

Knows tiles, groups and the trees of templates. Knows no hand; words known only at the table stay expressions.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tilewright.base.spelling import closest, hint
from tilewright.hands.reading import Group, Groups
from tilewright.language.compiled.ir import Apply, Const, Ir, Var, Want, WantedCase
from tilewright.language.expressions.folding import as_tiles
from tilewright.language.expressions.syntax import ADJECTIVES
from tilewright.language.expressions.trees import Expression, NameOf, Span, Template, TemplateSpot
from tilewright.tiles.tileset import Suit, Tile, TileSet

MAX_CASES = 4_096
MAX_STEPS = 100_000  # choices tried while a list is unfolded
MAX_COUNT = 99
SINGLES = ("tile", "each")  # kinds of template that take tiles instead of groups
ANY_SUIT = "any"  # in place of a suit: whichever it is

Report = Callable[[str, str, Span, str | None], None]  # code, message, where in the template, hint
ClassOf = Callable[[Expression], Ir]  # tiles, or one tile
Letters = Mapping[tuple[str, str], object]  # (sort, letter) -> its value
Choices = Sequence[tuple[Letters, Want]]  # the possible wants of a template
Numbered = tuple[Letters, int, Want]  # the same with numbered wants


@dataclass(frozen=True, slots=True)
class TemplateLine:
    """A template with its reporting function. `outer`: letters of quantifiers around it, with their types."""

    tree: Template
    text: str
    report: Report
    class_of: ClassOf
    outer: Mapping[str, str] = field(default_factory=dict)


def unfold(lines: Sequence[TemplateLine], tiles: TileSet, groups: Groups) -> tuple[WantedCase, ...]:
    """Every case of a list of templates; mistakes go to the reports of the lines."""
    wanted = [choices_of(line, tiles, groups) for line in lines]
    if any(choices is None for choices in wanted):
        return ()
    check_letters(lines, [suit.id for suit in tiles.suits])
    cases = different_cases([choices for choices in wanted if choices is not None])
    if cases is None:
        lines[0].report(
            "too-many-cases",
            f"the letters of this list can be chosen in more than {MAX_CASES} ways",
            lines[0].tree.span,
            "give some of them a class, a rank or a suit, or make one group of several: `alike: 2`, `suits: different`",
        )
    return cases or ()


def different_cases(lines: Sequence[Choices]) -> tuple[WantedCase, ...] | None:
    """Every choice of letters, cases of the same wants in another order once; None if there are too many."""
    numbers: dict[Want, int] = {}
    numbered = [
        [(letters, numbers.setdefault(replace(want, text=""), len(numbers)), want) for letters, want in line]
        for line in lines
    ]
    cases: dict[tuple[int, ...], WantedCase] = {}
    for steps, wants in enumerate(combinations(numbered)):
        if wants is not None:
            cases.setdefault(tuple(sorted(number for number, _ in wants)), WantedCase(tuple(want for _, want in wants)))
        if steps > MAX_STEPS or len(cases) > MAX_CASES:
            return None
    return tuple(cases.values())


def is_empty(want: Want) -> bool:
    """Whether it is `each` of a class that has no tiles."""
    return want.each and not want.tiles


def without_empty(cases: Iterable[WantedCase]) -> tuple[WantedCase, ...]:
    """The cases without what is `each` of nothing."""
    rest = (tuple(want for want in case.wants if not is_empty(want)) for case in cases)
    return tuple(WantedCase(wants) for wants in rest if wants)


def with_tiles(cases: Iterable[WantedCase]) -> tuple[WantedCase, ...]:
    """The cases in which nothing is `each` of nothing."""
    return tuple(case for case in cases if not any(map(is_empty, case.wants)))


# --- letters


def letters_of(tree: Template) -> Iterator[tuple[str, str]]:
    """Sort and letter of every letter of a template."""
    if tree.place is not None and tree.place.letter:
        yield ("rank" if tree.suit else "tile", tree.place.letter)
    if tree.suit is not None:
        yield ("suit", tree.suit.id)
    if tree.step is not None and tree.step.letter:
        yield ("step", tree.step.letter)


def is_letter(text: str) -> bool:
    return len(text) == 1 and text.isalpha() and text.islower()


def check_letters(lines: Sequence[TemplateLine], suits: Iterable[str]) -> None:
    """Check that a letter is of one sort and has an effect: it occurs twice, or must differ from another."""
    known = set(suits)
    used = [
        (line, sort, letter)
        for line in lines
        for sort, letter in letters_of(line.tree)
        if is_letter(letter) and letter not in line.outer and letter not in known
    ]
    sorts: dict[str, str] = {}
    for line, sort, letter in used:
        if sorts.setdefault(letter, sort) != sort:
            line.report(
                "letter-of-two-sorts",
                f"{letter} is a {sorts[letter]} and a {sort} at once",
                line.tree.span,
                "use another letter for one of them",
            )
            return
    uses: Counter[tuple[str, str]] = Counter()
    for line, sort, letter in used:
        uses[sort, letter] += line.tree.count or 1
    alone = {
        letter for (sort, letter), count in uses.items() if count == 1 and sum(other == sort for other, _ in uses) == 1
    }
    for line in lines:
        lonely = next((letter for _, letter in letters_of(line.tree) if letter in alone), None)
        if lonely is not None:
            line.report(
                "lonely-letter",
                f"letter {lonely} appears once and has no effect",
                span_of(line.tree, lonely),
                "leave it out, or say `of` a class; a letter ties groups together",
            )


def span_of(tree: Template, letter: str) -> Span:
    """The first place of a letter."""
    spots = [spot.span for spot in (tree.place, tree.step) if spot is not None and spot.letter == letter]
    return spots[0] if spots or tree.suit is None else tree.suit.span


# --- what one template can be


def choices_of(line: TemplateLine, tiles: TileSet, groups: Groups) -> Choices | None:
    """Every way to read a template, or None after a mistake in it."""
    mistakes: list[bool] = []

    def report(code: str, message: str, span: Span, hint: str | None) -> None:
        mistakes.append(True)
        line.report(code, message, span, hint)

    reader = TemplateExpander(replace(line, report=report), tiles, groups)
    choices = reader.choices()
    return None if mistakes else choices


@dataclass(slots=True)
class TemplateExpander:
    """Reads one template."""

    line: TemplateLine
    tiles: TileSet
    groups: Groups

    @property
    def tree(self) -> Template:
        return self.line.tree

    def choices(self) -> Choices:
        kind = kind_named(self.tree.kind, self.groups.kinds, self.line.report)
        count = self.count()
        self.check_names()
        if kind is None:
            return ()
        allowed, of, unless = self.classes()
        base = Want(
            count,
            each=kind == "each",
            exposed=self.exposed(),
            completed="completed" in self.tree.adjectives,
            plain="plain" in self.tree.adjectives,
            natural="natural" in self.tree.adjectives,
            different="different" in self.tree.adjectives,
            of=of,
            unless=unless,
            text=self.line.text,
        )
        if kind in SINGLES:
            return self.single_wants(base, allowed)
        return self.group_wants(base, kind, allowed)

    def count(self) -> int:
        count = 1 if self.tree.count is None else self.tree.count
        if not 1 <= count <= MAX_COUNT:
            self.line.report("wrong-count", f"from 1 to {MAX_COUNT} groups can be asked for", self.tree.span, None)
        if self.tree.kind.id == "each" and self.tree.count is not None:
            self.line.report("wrong-count", "`each` is one of each tile and takes no number", self.tree.span, None)
        return min(max(count, 1), MAX_COUNT)

    def exposed(self) -> bool | None:
        states = [word for word in self.tree.adjectives if word in ("concealed", "exposed")]
        if len(states) > 1:
            self.line.report("wrong-template", "a group is concealed or exposed, not both", self.tree.span, None)
        return None if not states else states[0] == "exposed"

    def check_names(self) -> None:
        """Suits exist, and places are ranks or letters."""
        suit, place, step = self.tree.suit, self.tree.place, self.tree.step
        known = [*(one.id for one in self.tiles.suits), ANY_SUIT]
        if suit is not None and not is_letter(suit.id) and suit.id not in known:
            self.line.report("unknown-word", f"no suit is called {suit.id!r}", suit.span, hint(suit.id, known))
        for spot in (place, step):
            if spot is not None and spot.letter and not (is_letter(spot.letter) or self.tiles.by_code(spot.letter)):
                self.line.report(
                    "unknown-word",
                    f"a place is a rank or a letter, not {spot.letter!r}",
                    spot.span,
                    "a class comes after `of`",
                )
        if place is not None and place.letter in self.line.outer and (place.number or suit):
            self.line.report(
                "wrong-template", f"{place.letter} is bound outside and must be alone in a place", place.span, None
            )

    # --- classes

    def classes(self) -> tuple[frozenset[int] | None, Ir | None, Ir | None]:
        """The tiles of `of ... except ...` as far as known (None: all), and the words known only at the table."""
        classes = self.tree.classes
        if classes is None:
            return None, None, None
        of = [as_tiles(self.line.class_of(member)) for member in classes.members]
        unless = None if classes.unless is None else as_tiles(self.line.class_of(classes.unless))
        known = known_tiles(of)
        if known is None:
            return None, of[0] if len(of) == 1 else Apply("tiles", "union", tuple(of)), unless
        barred = frozenset() if unless is None else known_tiles([unless])
        return (known, None, unless) if barred is None else (known - barred, None, None)

    # --- groups

    def group_wants(self, base: Want, kind: str, allowed: frozenset[int] | None) -> list[tuple[Letters, Want]]:
        """A want for every choice of letters under which some group is found."""
        base, loose = self.bound_outside(base)
        found: dict[tuple[tuple[tuple[str, str], object], ...], tuple[set[int], set[int]]] = {}
        for group in self.groups.groups:
            melded = kind not in group.kinds
            if (melded and (kind not in group.meld_kinds or base.plain)) or not (
                allowed is None or allowed.issuperset(group.tiles)
            ):
                continue
            for letters in self.letters_of_group(group, loose):
                both = found.setdefault(tuple(sorted(letters.items(), key=repr)), (set(), set()))
                both[melded].add(group.index)
        alike = all(
            len(set(self.groups.groups[index].tiles)) == 1 for both in found.values() for some in both for index in some
        )
        base = as_class(base) if alike else base
        return [
            (dict(letters), replace(base, groups=frozenset(plain), meld_groups=frozenset(melded)))
            for letters, (plain, melded) in found.items()
        ]

    def bound_outside(self, base: Want) -> tuple[Want, bool]:
        """The condition for a place bound by an outer quantifier, checked at the table: where the group starts."""
        place = self.tree.place
        if place is None or place.letter is None or place.letter not in self.line.outer:
            return base, False
        return replace(base, start=Var("tile", place.letter)), True

    def letters_of_group(self, group: Group, loose: bool) -> Iterator[Letters]:
        """The letters with which this group is found; nothing if it never is."""
        suits = sorted(group.suits) if len(group.suits) > 1 else [group.suit]
        for suit in suits:
            letters = self.letters(self.tiles.tiles[group.start], suit, group.step, group.suits, loose)
            if letters is not None:
                yield letters

    def single_wants(self, base: Want, allowed: frozenset[int] | None) -> list[tuple[Letters, Want]]:
        """Wants of single tiles."""
        base, loose = self.bound_outside(base)
        found: dict[tuple[tuple[tuple[str, str], object], ...], set[int]] = {}
        for tile in self.tiles.tiles:
            if tile.plain != tile.index or not (allowed is None or tile.index in allowed):
                continue
            letters = self.letters(tile, tile.suit, None, frozenset(), loose)
            if letters is not None:
                found.setdefault(tuple(sorted(letters.items(), key=repr)), set()).add(tile.index)
        base = as_class(base)
        if base.each and not found:
            return [({}, base)]
        return [(dict(letters), replace(base, tiles=frozenset(members))) for letters, members in found.items()]

    def letters(
        self, start: Tile, suit: str | None, step: int | None, suits: frozenset[str], loose: bool
    ) -> Letters | None:
        """The letters that place, suit and step bind; None if they do not fit."""
        tree, bound = self.tree, dict[tuple[str, str], object]()
        if tree.suit is not None:
            if suit is None or not any(one.id == suit for one in self.tiles.suits):
                return None
            if is_letter(tree.suit.id) and not any(one.id == tree.suit.id for one in self.tiles.suits):
                bound["suit", tree.suit.id] = suit
            elif tree.suit.id not in (suit, ANY_SUIT):
                return None
        if tree.step is not None and not bind_number(bound, "step", tree.step, step):
            return None
        if tree.place is None or loose:
            return bound
        return bound if self.bind_place(bound, tree.place, start, suit) else None

    def bind_place(
        self, bound: dict[tuple[str, str], object], place: TemplateSpot, start: Tile, suit: str | None
    ) -> bool:
        """Bind the letter of a place so that the group starts here."""
        if place.letter is None:
            return start.rank == place.number
        if not is_letter(place.letter):
            tile = self.tiles.by_code(place.letter)
            return tile is not None and not place.number and tile.plain == start.index
        sort = "rank" if self.tree.suit else "tile"
        if sort == "rank" or place.number:
            rank = self.moved(start, suit, -place.number)
            if rank is None:
                return False
            bound[sort, place.letter] = rank if sort == "rank" else self.tile_at(start.family, rank)
            return bound[sort, place.letter] is not None
        bound["tile", place.letter] = start.index
        return True

    def moved(self, start: Tile, suit: str | None, distance: int) -> int | None:
        """The rank at a distance from that of a tile: in its suit, past the end only if it is cyclic."""
        found = next((one for one in self.tiles.suits if one.id == (suit or start.family)), None)
        if found is None or start.rank is None:
            return None
        if not distance:
            return start.rank
        return around(found, start.rank, distance) if found.cyclic else start.rank + distance

    def tile_at(self, family: str, rank: int) -> int | None:
        return next(
            (
                tile.index
                for tile in self.tiles.tiles
                if tile.family == family and tile.rank == rank and tile.plain == tile.index
            ),
            None,
        )


def around(suit: Suit, rank: int, distance: int) -> int | None:
    """The rank at a distance in a suit whose first rank follows its last."""
    if rank not in suit.ranks:
        return None
    return suit.ranks[(suit.ranks.index(rank) + distance) % len(suit.ranks)]


def bind_number(bound: dict[tuple[str, str], object], sort: str, spot: TemplateSpot, value: int | None) -> bool:
    """Bind a letter to a number minus its offset; a literal number must be equal."""
    if value is None:
        return False
    if spot.letter is None:
        return value == spot.number
    bound[sort, spot.letter] = value - spot.number
    return value - spot.number > 0


def kind_named(name: NameOf, kinds: Iterable[str], report: Report) -> str | None:
    """The kind that a word of a template names, in the singular or the plural."""
    known = {*kinds, *SINGLES}
    for one in (name.id, name.id.removesuffix("s")):
        if one in known:
            return one
    meant = hint(name.id.removesuffix("s"), known if closest(name.id, ADJECTIVES) is None else ADJECTIVES)
    report("unknown-word", f"no kind of group is called {name.id!r}", name.span, meant)
    return None


def as_class(want: Want) -> Want:
    """A group of identical tiles starts with a tile if it consists of it."""
    return replace(want, of=want.start, start=None) if want.start is not None and want.of is None else want


def known_tiles(classes: Sequence[Ir]) -> frozenset[int] | None:
    """All tiles of the classes together, if all of them are known now."""
    found: set[int] = set()
    for one in classes:
        if not isinstance(one, Const) or not isinstance(one.value, tuple):
            return None
        found.update(index for index in one.value if isinstance(index, int))
    return frozenset(found)


# --- lists


def combinations(lines: Sequence[Sequence[Numbered]]) -> Iterator[tuple[tuple[int, Want], ...] | None]:
    """The wants of every choice of letters: equal letters have equal values, different letters of a sort different
    ones. None for an impossible choice."""
    open_: list[tuple[Letters, tuple[tuple[int, Want], ...]]] = [({}, ())]
    while open_:
        bound, wants = open_.pop()
        if len(wants) == len(lines):
            yield wants
            continue
        found = []
        for letters, number, want in lines[len(wants)]:
            both = joined(bound, letters)
            if both is None:
                yield None
            else:
                found.append((both, (*wants, (number, want))))
        open_.extend(reversed(found))


def joined(bound: Letters, letters: Letters) -> Letters | None:
    """Both choices of letters combined, if they are consistent."""
    both = dict(bound)
    for (sort, letter), value in letters.items():
        if (sort, letter) in both:
            if both[sort, letter] != value:
                return None
        elif any(other == sort and taken == value for (other, _), taken in both.items()):
            return None
        both[sort, letter] = value
    return both


# --- without tiles


def check(lines: Sequence[TemplateLine], kinds: Iterable[str], suits: Iterable[str]) -> None:
    """The checks of templates that need no tiles: kinds, letters, and the words of classes."""
    known = tuple(kinds)
    found = [kind_named(line.tree.kind, known, line.report) for line in lines]
    if all(found):
        check_letters(lines, suits)
    for line in lines:
        classes = line.tree.classes
        for member in (*classes.members, classes.unless) if classes else ():
            if member is not None:
                line.class_of(member)
