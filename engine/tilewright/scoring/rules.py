"""Rules: a ruleset that scores. The interface of scoring for programs and the command line."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Self, Unpack

from tilewright.base.arguments import WrongArgument, expect, plain, whole_number
from tilewright.base.memory import kept
from tilewright.base.problem import Problem, RulesetError
from tilewright.hands.listed import NEVER
from tilewright.hands.reading import Hand
from tilewright.hands.waits import best_discards, useful
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.load import load_data
from tilewright.language.vocabulary.case import Circumstances
from tilewright.scoring.case import read_case, read_seen
from tilewright.scoring.case_mistakes import CaseError, bounded
from tilewright.scoring.explain import Explanation, explain
from tilewright.scoring.image.engine import Engine
from tilewright.scoring.kernel.scores import KernelScores, ScoringImage, image_of
from tilewright.scoring.nearest import Nearest, nearest
from tilewright.scoring.plain.judge import PlainJudge
from tilewright.scoring.plain.scene import HandScene, Situation, open_tiles
from tilewright.scoring.quick import QuickScores
from tilewright.scoring.score import Score, show_number
from tilewright.scoring.scores import Scores
from tilewright.scoring.wildness import Now, shifts, wild_in, with_wild
from tilewright.tiles.notation import write_group, write_tile

if TYPE_CHECKING:
    from tilewright.scoring.batch import HandBatch, ScoreBatch
    from tilewright.scoring.columns import ManyScores

Name = str | PathLike[str]  # a bundled id, or a path
Number = int | Fraction
MOST_WILD = 100  # sets of wild tiles whose rules are kept


@dataclass(frozen=True, slots=True)
class Wait:
    """A tile that completes the hand: the copies left, the worth of the hand, or why it does not win (`reasons`: by
    language)."""

    code: str
    left: int
    value: Number | None
    reason: str | None
    reasons: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DiscardAdvice:
    """A tile to discard: the distance after it, and the tiles that then bring the hand nearer, with copies left."""

    code: str
    distance: int | None
    tiles: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Waits:
    """`distance`: tiles still missing, None if the hand can no longer make any form. A hand that waits has
    `tiles`; one that is further away `useful` ones, which bring it nearer, with copies left; a hand with a tile too
    many `discards`, best first."""

    distance: int | None
    unit: str
    tiles: tuple[Wait, ...] = ()
    useful: tuple[tuple[str, int], ...] = ()
    discards: tuple[DiscardAdvice, ...] = ()

    def __repr__(self) -> str:
        tiles, useful = (tuple(wait.code for wait in self.tiles), tuple(tile for tile, _ in self.useful))
        discards = tuple(discard.code for discard in self.discards)
        return f"Waits({self.distance} tiles away, {tiles=}, {useful=}, {discards=})"


@dataclass(frozen=True)
class ScoringRules:
    """A compiled ruleset with everything that scoring derives from it. `alike`: rules that score every hand alike, of
    which these use the tables and the kernel."""

    data: CompiledRuleset
    alike: "ScoringRules | None" = field(default=None, compare=False, repr=False, kw_only=True)

    def __getstate__(self) -> dict[str, CompiledRuleset]:
        """Pickled as the compiled ruleset; what follows from it is found again."""
        return {"data": self.data}

    def __deepcopy__(self, memo: object) -> Self:
        return self  # rules never change

    @cached_property
    def judge(self) -> PlainJudge:
        """What reads and judges single hands, step by step."""
        return PlainJudge(self.data)

    @cached_property
    def kernel(self) -> KernelScores | None:
        """What finds the best reading of a hand fast; None where the kernel does not know the ruleset."""
        if self.alike is not None:
            return self.alike.kernel
        image = image_of(self.data, self.made_image)
        return None if image is None else KernelScores(image, self.data, self.judge)

    def made_image(self) -> ScoringImage | None:
        """The image of the ruleset that the kernel needs."""
        from tilewright.scoring.image.flat import made_image  # imported here: it brings numpy

        return made_image(self.engine)

    @cached_property
    def engine(self) -> Engine:
        """The tables of hands."""
        return Engine(self.judge) if self.alike is None else self.alike.engine

    def step_by_step(self) -> Self:
        """The same rules without the kernel: for a few hands, of rules for which no image was made."""
        found = type(self)(self.data)
        found.__dict__.update(kernel=None)
        return found

    def as_on_card(self) -> Self:
        """The same rules, with tiles read and written in the letters of the card. Raises CaseError without a card."""
        found = next((form.card for form in self.data.forms if form.card is not None), None)
        if found is None or found.spelling is None:
            why = "has no card" if found is None else "has tiles whose codes are letters of its card"
            raise CaseError("no-card-notation", f"{self.data.id} {why}, so tiles have no notation of a card")
        return type(self)(replace(self.data, tiles=replace(self.data.tiles, spelling=found.spelling)))

    def score(
        self,
        hand: object,
        melds: Sequence[object] = (),
        win: str | None = None,
        **circumstances: Unpack[Circumstances],
    ) -> Score:
        """The score of one hand. Tiles are text (`222p 333s 88m EE`), without the winning tile. `circumstances`:
        `self_draw`, `seat_wind`, `flags` and the other keys of a case (docs/cases.md). Raises CaseError."""
        return self.score_case({"hand": hand, "melds": melds, "win_tile": win, **circumstances})

    def score_case(self, case: Mapping[str, Any]) -> Score:
        """The score of a case (docs/cases.md). Raises CaseError."""
        with bounded():
            there = self.at_table(case)
            situation = read_case(there.data, case)
            score = there.score_situation(situation)
            if score.win and situation.pays and there.scores.payments.asked.walked:
                there.scores.pay(situation, dict(score.values))  # refuses what the case would have to say
            return score

    def score_many(self, hands: "HandBatch") -> "ScoreBatch":
        """The scores of many won hands, in columns. Raises ValueError where a column does not fit the ruleset, or tiles
        that the table decides are wild."""
        from tilewright.scoring.batch import HandBatch

        expect("what is scored", hands, HandBatch, "a HandBatch, as batch() makes it")
        if self.shifts:
            raise ValueError(f"which tiles are wild in {self.data.id} depends on the table: score hands one by one")
        return self.many.score(hands)

    def explain_row(self, hands: "HandBatch", row: int) -> Explanation:
        """Every reading of one hand of a batch, and why each pattern counts or not. Raises WrongArgument for a row that
        there is not."""
        from tilewright.scoring.batch import HandBatch

        expect("what is explained", hands, HandBatch, "a row of a HandBatch, as batch() makes it")
        row = whole_number("row", row, 0)
        if row >= len(hands):
            raise WrongArgument(f"there is no row {row}: the batch has {len(hands)} hands, the first in row 0")
        with bounded():
            return explain(self.judge, hands.situation(row, self.data))

    def batch(self, cases: Iterable[Mapping[str, Any]]) -> "HandBatch":
        """The won hands of cases (docs/cases.md) as columns. Raises CaseError, and ValueError for what columns cannot
        hold."""
        from tilewright.scoring.batch import HandBatch

        if isinstance(cases, str | Mapping) or not isinstance(cases, Iterable):
            raise WrongArgument(f"cases are a list of mappings, not {cases!r:.40}")
        return HandBatch.of_situations([*self.read_rows(cases)], self.data)

    def read_rows(self, cases: Iterable[Mapping[str, Any]]) -> Iterator[Situation]:
        """The situations of cases. Raises CaseError with the number of the wrong one, from 0."""
        for row, case in enumerate(cases):
            try:
                yield read_case(self.data, case)
            except CaseError as error:
                message = f"row {row}: {error.message}"
                raise CaseError(error.code, message, error.hint, error.problem.place) from None

    @cached_property
    def quick(self) -> QuickScores:
        """Scoring of single hands by the kernel."""
        return QuickScores(self.scores, self.kernel)

    @cached_property
    def faces(self) -> tuple[str, ...]:
        """The code of each face of a tile, by its number in a batch."""
        return tuple(tile.code for tile in self.data.tiles.tiles)

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The tiles of each group, by its number in a batch."""
        return tuple(write_group(group.tiles, self.data.tiles) for group in self.data.groups.groups)

    @cached_property
    def many(self) -> "ManyScores":
        """The same, for many hands at once."""
        from tilewright.scoring.columns import ManyScores

        return ManyScores(self.judge, self.kernel)

    def score_situation(self, situation: Situation) -> Score:
        """The score of a hand that was already read."""
        quick = self.quick.score(situation)
        if quick is not None:
            return quick
        best = self.judge.best_with_scene(situation)
        return self.scores.no_score(situation) if best is None else self.scores.told(situation, *best)

    def wins(self, situation: Situation) -> bool:
        """Whether a hand that was already read is a form and reaches the minimum."""
        quick = self.quick.wins(situation)
        if quick is not None:
            return quick
        return self.judge.wins(situation)

    def explain(self, case: Mapping[str, Any]) -> Explanation:
        """Every reading of the case's hand, and why each pattern counts or not. Raises CaseError."""
        with bounded():
            there = self.at_table(case)
            return explain(there.judge, read_case(there.data, case))

    # --- wild tiles

    @cached_property
    def shifts(self) -> bool:
        """Which tiles are wild depends on the table."""
        return shifts(self.data)

    def at_table(self, case: Mapping[str, Any]) -> Self:
        """The rules with the tiles that are wild at the table of a case. Raises CaseError."""
        if not self.shifts:
            return self
        now, known = wild_in(self.data, case), self.with_wild
        if now not in known:
            kept(known, now, type(self)(with_wild(self.data, now)), MOST_WILD)
        return known[now]

    @cached_property
    def with_wild(self) -> dict[Now, Self]:
        """The same rules with other wild tiles."""
        return {}

    # --- results

    @cached_property
    def scores(self) -> Scores:
        """The scores of verdicts, and what wins pay."""
        return Scores(self.judge)

    # --- waits

    def waits(
        self,
        hand: object,
        melds: Sequence[object] = (),
        *,
        seen: object = "",
        **circumstances: Unpack[Circumstances],
    ) -> Waits:
        """The tiles that complete a hand, or the best discards of a hand with a tile too many. Raises CaseError."""
        with bounded():
            whole = {**circumstances, "hand": hand, "melds": melds, "winner": False}
            return self.at_table(whole).waits_of(whole, seen)

    def waits_of(self, case: Mapping[str, Any], seen: object) -> Waits:
        """The same of a case. Raises CaseError."""
        situation = read_case(self.data, case)
        seen_tiles = read_seen(self.data, situation, seen)
        situation = replace(situation, open_tiles=(*open_tiles(self.data, situation), *seen_tiles))
        self.expect_size(situation)
        left = self.copies_left(situation, seen_tiles)
        unit, distance = self.data.scoring.best, away(self.judge.distance(situation))
        size, full = self.judge.size(situation.hand), self.judge.full_sizes
        divides = self.data.seats.hands > 1 and size not in full and size + 1 not in full  # more than a hand
        if size in full:
            return Waits(distance, unit, discards=tuple(self.discards(situation, seen_tiles)))
        if distance == 1 and not divides:
            tiles = self.engine.waits(situation)
            return Waits(distance, unit, tuple(self.wait(situation, tile, left.get(tile, 0)) for tile in tiles))
        nearer = useful(self.judge.reader, situation.hand)
        return Waits(distance, unit, useful=tuple((write_tile(t, self.data.tiles), left.get(t, 0)) for t in nearer))

    def expect_size(self, situation: Situation) -> None:
        """Check that the hand is full, or one tile short; of a seat that makes several, that it is not more than all of
        them."""
        size, full = self.judge.size(situation.hand), self.judge.full_sizes
        if full and self.data.seats.hands > 1 and size <= max(full) * self.data.seats.hands:
            return
        if full and size not in full and size + 1 not in full:
            raise wrong_size(situation.hand, size, sorted({number for whole in full for number in (whole - 1, whole)}))

    def nearest(
        self,
        hand: object,
        melds: Sequence[object] = (),
        *,
        seen: object = "",
        limit: int | None = None,
        every: bool = False,
    ) -> Nearest:
        """The lines of the card that the hand is nearest to, each with its nearest hand (all of them if `every`).
        `seen`: visible tiles elsewhere. Raises CaseError."""
        limit = None if limit is None else whole_number("limit", limit, 0)
        situation = read_case(self.data, {"hand": hand, "melds": melds, "winner": False})
        self.expect_size(situation)
        return nearest(self.judge, situation.hand, read_seen(self.data, situation, seen), limit, every)

    def wait(self, situation: Situation, tile: int, left: int) -> Wait:
        """What the hand is worth if this tile completes it."""
        score = self.score_situation(replace(situation, won=True, hand=replace(situation.hand, win=tile)))
        return Wait(
            write_tile(tile, self.data.tiles), left, score.total if score.win else None, score.reason, score.reasons
        )

    def discards(self, situation: Situation, seen: Sequence[int]) -> Iterator[DiscardAdvice]:
        """The best discards of a hand with a tile too many, best first."""
        for choice in best_discards(self.judge.reader, situation.hand, seen):
            nearer = tuple((write_tile(tile, self.data.tiles), left) for tile, left in choice.useful)
            yield DiscardAdvice(write_tile(choice.tile, self.data.tiles), away(choice.distance), nearer)

    def copies_left(self, situation: Situation, seen: Sequence[int]) -> dict[int, int]:
        """Plain tile -> copies that are neither in the hand nor seen."""
        left: dict[int, int] = {}
        for tile in self.data.tiles.tiles:
            left[tile.plain] = left.get(tile.plain, 0) + tile.copies
        for face in (*HandScene(self.data, situation).faces, *seen):
            plain = self.data.tiles.tiles[face].plain
            left[plain] = max(0, left[plain] - 1)
        return left


def wrong_size(hand: Hand, size: int, wanted: Sequence[int]) -> CaseError:
    """A hand of too few or too many tiles, `size` of them as forms count."""
    held = len(hand.tiles) + (hand.win is not None)
    where = (
        f"{held} in the hand and {size - held} in groups are {size} tiles" if hand.melds else f"{size} tiles are held"
    )
    others = sum(len(meld.tiles) for meld in hand.melds) != size - held
    hint = "a group counts as many tiles as the forms have for it" if others else None
    return CaseError("wrong-size", f"{where}; {' or '.join(map(str, wanted))} are needed", hint)


def away(distance: int) -> int | None:
    """The distance, None if it cannot be bridged."""
    return distance if distance < NEVER else None


def load(name: Name, options: Mapping[str, Any] | None = None, mods: Name | Sequence[Name] = ()) -> ScoringRules:
    """The rules of a bundled ruleset (by id) or of a file. Raises RulesetError with every problem."""
    return ScoringRules(data_of(name, options, mods))


def data_of(
    name: Name, options: Mapping[str, Any] | None, mods: Name | Sequence[Name], *, keep: bool = True
) -> CompiledRuleset:
    """The compiled ruleset, with options as Python values; kept in the cache if `keep`. Raises RulesetError."""
    given = {} if options is None else options
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        message = f"options are a mapping of names to values, not {given!r:.40}"
        raise RulesetError([Problem("wrong-setting", message, None, 'for instance {"flowers": True}')])
    several = () if mods is None else (mods,) if isinstance(mods, str | PathLike) else mods
    if not isinstance(several, Sequence):
        raise RulesetError([Problem("no-such-document", f"mods are a list of ids or paths, not {mods!r:.40}", None)])
    settings = {key: setting_text(value) for key, value in given.items()}
    return load_data(name_text("a ruleset", name), settings, [name_text("a mod", mod) for mod in several], keep=keep)


def name_text(what: str, name: object) -> str:
    """The id or the path. Raises RulesetError."""
    text = fspath(name) if isinstance(name, str | PathLike) else name
    if not isinstance(text, str):
        raise RulesetError([Problem("no-such-document", f"{what} is named by its id or path, not {name!r:.40}", None)])
    return text


def setting_text(value: Any) -> str:
    """An option's value as it would be typed."""
    value = plain(value)
    if isinstance(value, Fraction) and Fraction(show_number(value)) == value:
        return show_number(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


__all__ = ["CaseError", "ScoringRules", "Wait", "Waits", "load"]
