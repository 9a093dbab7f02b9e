"""Actions: every move of a ruleset as one or more numbers below a fixed bound, and back.

An action is an offer with the tile or the group that it chooses first (`discard 5m`, `chow 3m 4m 5m`), `pass`, or a
word that goes on with a move: a tile, a seat, a suit, yes or no, a digit. Most moves are one action. A move of several
tiles is one action for each, in the order of the pick; `done` ends it where more may follow. Where only one action can
go on with a move, it is taken. Nothing here knows who learns.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tilewright.language.compiled.play import Choose, Play, Step, StepBlock
from tilewright.language.vocabulary.steps import Ask
from tilewright.play.legal_choices import listed
from tilewright.play.legality import MOST_LISTED
from tilewright.play.match import Match
from tilewright.play.model import ANSWER, PASS, Move, Pick
from tilewright.play.operations import OpenChoice
from tilewright.play.rules import Rules

Key = tuple[str | int, ...]  # what an action means: ("offer", "discard", 5), ("tile", 5), ("seat", 1), ("done",)
Ways = list["Way"]
Open = Mapping[int, Ways]  # what may be chosen: an action, and the ways that go on with it
MOST_KEPT = 100_000  # moves of which the actions are kept
DIGITS = 10


@dataclass(frozen=True, slots=True)
class Way:
    """Actions that lead to a move, or to where other ways begin."""

    actions: tuple[int, ...]
    then: Move | Callable[[], Ways]

    def after(self) -> "Way":
        """The way without its first action."""
        return Way(self.actions[1:], self.then)


class Actions:
    """The actions of a ruleset. `names`: of each action, as people may read it."""

    def __init__(self, rules: Rules) -> None:
        self.program = rules.program
        self.keys = tuple(dict.fromkeys(self.every()))
        self.numbers = {key: number for number, key in enumerate(self.keys)}
        self.faces = {code: face for face, code in enumerate(self.program.code[: self.program.first])}
        self.kept: dict[Move, tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self.keys)

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(map(self.name, self.keys))

    def name(self, key: Key) -> str:
        code, groups = self.program.code, self.program.data.groups.groups
        match key:
            case ("offer", str(offer), int(face)):
                return f"{offer} {code[face]}"
            case ("group", str(offer), int(group)):
                return " ".join((offer, *(code[tile] for tile in groups[group].tiles)))
            case ("tile", int(face)):
                return f"tile {code[face]}"
            case ("offer", str(offer)):
                return offer
        return " ".join(map(str, key))

    # --- which there are

    def every(self) -> Iterator[Key]:
        """Every action, by what it means."""
        yield (PASS,)
        for offer in self.program.play.offers.values():
            kind = offer.group or next((one.group for one in offer.choose[:1] if one.kind == "group"), "")
            if kind:
                yield from (("group", offer.id, group) for group in self.program.groups.groups_of(kind))
            elif offer.choose and offer.choose[0].type == "tile":
                yield from (("offer", offer.id, face) for face in self.in_the_box())
            else:
                yield ("offer", offer.id)
        yield from self.words()

    def in_the_box(self) -> Iterator[int]:
        return (tile.index for tile in self.program.data.tiles.tiles if tile.copies)

    def words(self) -> Iterator[Key]:
        """The words that some move needs after its offer, and those that tell any two moves apart."""
        later = [*later_choices(self.program.play)]
        kinds = {one.kind for one in later}
        if kinds & {"tiles", "form", "group"} or self.groups_differ():
            yield from (("tile", face) for face in self.in_the_box())
        if "suit" in kinds:
            yield from (("suit", suit.id) for suit in self.program.data.tiles.suits)
        if "flag" in kinds:
            yield from (("flag", text) for text in ("yes", "no"))
        yield from (("seat", away) for away in self.program.everyone)
        yield from (("digit", digit) for digit in range(DIGITS))
        yield ("done",)

    def groups_differ(self) -> bool:
        """Whether one group may be made of tiles that look different."""
        tiles = self.program.data.tiles
        return self.program.several_faces or bool(tiles.wild) or self.program.shifts

    # --- the actions of a question

    def choices(self, game: Match, seat: int) -> Open:
        """What a seat that is asked may do first. Raises ValueError where the table finds no move."""
        question = game.question(seat)
        if question is None or game.window is None:
            return {}
        asked = {} if game.window.ask is None else {one.name: one for one in game.window.ask.choose}
        ways = [Way(self.of_move(move, asked), move) for move in question.moves]
        for opened in game.window.choices[seat].picks:
            ways += self.of_pick(game, seat, opened, asked)
        if not ways:
            raise ValueError(f"no legal move was found for {game!r}")
        return begun(ways, self.digits, self.number("done"))

    def following(self, ways: Ways) -> "Open | Move":
        """What may be chosen next; the move, if only one is left."""
        while True:
            if len(ways) == 1 and isinstance(ways[0].then, Move):
                return ways[0].then
            found = begun(ways, self.digits, self.number("done"))
            if len(found) > 1:
                return found
            ways = next(iter(found.values()))

    def spelled(self, game: Match, move: Move) -> tuple[int, ...]:
        """The actions that make this move of a seat that is asked. Raises ValueError for a move that is not legal."""
        found, spelled = self.choices(game, move.seat), list[int]()
        asked = {} if game.window is None or game.window.ask is None else {c.name: c for c in game.window.ask.choose}
        words = iter(self.of_move(move, asked))
        while True:
            action = next(words, None)
            if action not in found:
                action = next((at for at, ways in found.items() if any(way.then == move for way in ways)), None)
            if action is None:
                break
            if len(found) > 1 or not spelled:
                spelled.append(action)
            ways = found[action]
            if len(ways) == 1 and isinstance(ways[0].then, Move):
                if ways[0].then == move:
                    return tuple(spelled)
                break
            found = begun(ways, self.digits, self.number("done"))
        raise ValueError(f"{move} is not a legal move")

    # --- the actions of a move

    def number(self, *key: str | int) -> int:
        return self.numbers[key]

    @cached_property
    def digits(self) -> tuple[int, ...]:
        return tuple(self.number("digit", digit) for digit in range(DIGITS))

    def of_move(self, move: Move, asked: Mapping[str, Choose]) -> tuple[int, ...]:
        """The actions of a complete move; moves that differ may have the same. `asked`: the choices of a question that
        a step asks, by name."""
        if asked:
            return self.of_choices(move, asked)
        known = self.kept.get(move)
        if known is None:
            if len(self.kept) >= MOST_KEPT:
                self.kept.clear()
            known = self.kept[move] = self.of_choices(move, {})
        return known

    def of_choices(self, move: Move, asked: Mapping[str, Choose]) -> tuple[int, ...]:
        found: list[int] = []
        if move.does == PASS:
            return (self.number(PASS),)
        if move.does == ANSWER:
            for name, text in move.choice:
                found += self.of_text(asked[name].kind, text, move.seat)
            return tuple(found)
        offer = self.program.play.offers[move.does]
        kinds = {one.name: one.kind for one in offer.choose} | ({"group": "group"} if offer.group else {})
        left = list(move.choice)
        if left and self.numbers.get(("offer", offer.id)) is None:
            name, text = left.pop(0)
            if kinds[name] == "group":
                found.append(self.number("group", offer.id, self.group_of(text)))
                left.insert(0, (name, text))
            else:
                found += [self.number("offer", offer.id, self.face_of(text)), *self.of_place(text, move.seat)]
        else:
            found.append(self.number("offer", offer.id))
        for name, text in left:
            found += self.of_text(kinds[name], text, move.seat)
        return tuple(found)

    def of_text(self, kind: str, text: str, seat: int) -> list[int]:
        """The actions of what is chosen."""
        match kind:
            case "number":
                return [self.digits[int(sign)] for sign in text if sign.isdecimal()]
            case "seat":
                return [self.seat_of(text, seat)]
            case "suit" | "flag":
                return [self.number(kind, text)]
            case "group" if ("tile", self.face_of(text.split()[0])) not in self.numbers:
                return []  # its tiles follow from the group
        return [action for word in text.split() for action in self.of_tile(word, seat)]

    def of_tile(self, word: str, seat: int) -> list[int]:
        """A tile and its place."""
        return [self.number("tile", self.face_of(word)), *self.of_place(word, seat)]

    def of_place(self, word: str, seat: int) -> list[int]:
        """The place that is written behind a tile: a seat, and the number of a group there."""
        _, _, place = word.partition("=")[0].partition("@")
        name, _, group = place.partition(".")
        return [self.seat_of(name, seat), *(self.digits[int(sign)] for sign in group)] if place else []

    def face_of(self, word: str) -> int:
        return self.faces[word.partition("=")[0].partition("@")[0]]

    def seat_of(self, name: str, seat: int) -> int:
        """A seat, by how far it is after the own one."""
        return self.number("seat", (self.program.names.index(name) - seat) % self.program.count)

    def group_of(self, text: str) -> int:
        """The group of tiles that is written so."""
        plain = self.program.plain
        codes = [word.partition("=")[2] or word for word in text.split()]
        return self.program.data.groups.by_tiles[tuple(sorted(plain[self.faces[code]] for code in codes))]

    # --- several tiles

    def of_pick(self, game: Match, seat: int, opened: OpenChoice, asked: Mapping[str, Choose]) -> Ways:
        """The ways of a described choice: tile by tile or, where a condition applies to the tiles together, the moves
        that the table lists."""
        pick = opened.pick
        if pick.asks:
            moves, _ = listed(game, opened, seat, MOST_LISTED)
            return [Way(self.of_move(move, asked), move) for move in moves]
        first = self.of_choices(Move(seat, pick.does, pick.before), asked)
        texts = tuple(dict.fromkeys(pick.tiles))
        counts = tuple(pick.tiles.count(text) for text in texts)
        return [Way(first, lambda: self.tiles_of(PartialPick(pick, seat, texts, counts), 0, ()))]

    def tiles_of(self, partial: "PartialPick", at: int, chosen: tuple[str, ...]) -> Ways:
        """The ways to go on with a pick: with the text of this number or one after it."""
        pick, found = partial.pick, Ways()
        if len(chosen) >= pick.least:
            found.append(Way((), pick.move(partial.seat, chosen)))
        left = partial.counts[at] - chosen.count(partial.texts[at]) if at < len(partial.texts) else 0
        rest = left + sum(partial.counts[at + 1 :])
        for number in range(at, len(partial.texts)):
            if len(chosen) >= pick.most or len(chosen) + rest < pick.least:
                break
            if left:
                then = self.going_on(partial, number, (*chosen, partial.texts[number]))
                found.append(Way(tuple(self.of_tile(partial.texts[number], partial.seat)), then))
            rest -= left
            left = partial.counts[number + 1] if number + 1 < len(partial.texts) else 0
        return found

    def going_on(self, partial: "PartialPick", at: int, chosen: tuple[str, ...]) -> Callable[[], Ways]:
        return lambda: self.tiles_of(partial, at, chosen)


@dataclass(frozen=True, slots=True)
class PartialPick:
    """A pick with its different texts, and how many there are of each."""

    pick: Pick
    seat: int
    texts: tuple[str, ...]
    counts: tuple[int, ...]


def begun(ways: Ways, digits: Sequence[int], done: int) -> Open:
    """The ways by their first action. Those that have ended go on with `done` and, where several have, a number."""
    going, ended = Ways(), Ways()
    todo = list(reversed(ways))
    while todo:
        way = todo.pop()
        if way.actions:
            going.append(way)
        elif isinstance(way.then, Move):
            ended.append(way)
        else:
            todo += reversed(way.then())
    width = len(str(len(ended) - 1)) if len(ended) > 1 else 0
    for number, way in enumerate(ended):
        signs = str(number).rjust(width, "0") if width else ""
        going.append(Way((done, *(digits[int(sign)] for sign in signs)), way.then))
    found: dict[int, Ways] = {}
    for way in going:
        found.setdefault(way.actions[0], []).append(way.after())
    return found


def later_choices(play: Play) -> Iterator[Choose]:
    """Every choice that is spelled after the first action of a move: those of questions, and all but the first tile or
    group of an offer."""
    for offer in play.offers.values():
        whole = bool(offer.choose) and not offer.group and offer.choose[0].type != "tile"
        yield from offer.choose if whole and offer.choose[0].kind != "group" else offer.choose[1:]
    for ask in questions([*steps_of(play)]):
        yield from ask.choose


def steps_of(play: Play) -> Iterator[Step]:
    """The steps of phases, offers, actions and triggers."""
    for part in (play.phases, play.offers, play.actions):
        yield from (step for one in part.values() for step in one.do)
    yield from (step for trigger in play.triggers for step in trigger.do)


def questions(steps: Sequence[Step]) -> Iterator[Ask]:
    """Every question in steps."""
    for step in steps:
        if isinstance(step.does, Ask):
            yield step.does
        elif isinstance(step.does, StepBlock):
            yield from questions(step.does.steps)
        yield from questions(step.other)
