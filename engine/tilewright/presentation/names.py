"""Names: what a seat is asked and may answer, in the names of its ruleset and the language of the player.

Moves in, entries out: an entry is something to pick from a list or with a key. Knows no screen and no table.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from rich.text import Text

from tilewright.base.spelling import seen
from tilewright.language.compiled.play import Action, Choose, Offer, Phase, Play, Step, Trigger, every_step
from tilewright.language.compiled.ruleset import CompiledRuleset
from tilewright.language.vocabulary.declare_steps import held
from tilewright.language.vocabulary.step_fields import ChoicesField
from tilewright.play.model import ANSWER, PASS, Chosen, Move, Pick, Question, Refusal
from tilewright.presentation.catalogue import ENGLISH, chosen, pieces, say
from tilewright.presentation.tile_text import TerminalTiles
from tilewright.scoring.case_hands import seat_names
from tilewright.scoring.score import Number
from tilewright.tiles.notation import NotationError, parse_tiles, write_group, write_tile
from tilewright.tiles.tileset import Spelling, TileSet

if TYPE_CHECKING:
    from tilewright.play.view import View

Names = Mapping[str, str]  # language -> text
EntryKind = Literal["move", "tiles", "list", "pick"]

MOST_ENTRIES = 9  # each has a digit
PLACED = re.compile(r"(?P<tile>[^@=]+)(=(?P<stands>[^@]+))?(@(?P<seat>[^.]+)(\.(?P<meld>\d+))?)?")


@dataclass(frozen=True, slots=True)
class ActionEntry:
    """A possible action. move: at once; tiles: with one tile of the hand, a move for each; list: one of
    several moves; pick: with several tiles."""

    kind: EntryKind
    does: str
    label: Text
    moves: tuple[Move, ...] = ()
    pick: Pick | None = None

    @property
    def passes(self) -> bool:
        return self.does == PASS

    def of_tile(self, code: str) -> Move | None:
        """The move that chooses this tile of the hand."""
        return next((move for move in self.moves if move.choice and move.choice[-1][1] == code), None)


@dataclass(frozen=True)
class RulesetNames:
    """The names of a ruleset in a language. `people`: the player at each seat, by the name of the seat; `pictured`:
    whether tiles are drawn as pictures, if they have any; `spelling`: how tiles are typed and written, if not as in the
    ruleset."""

    data: CompiledRuleset
    language: str = ENGLISH
    people: Mapping[str, str] = field(default_factory=dict)
    pictured: bool = False
    spelling: Spelling | None = None

    def say(self, id: str, **slots: object) -> str:
        """A message of the catalogue."""
        return say(id, self.language, **slots)

    def translated(self, names: Names) -> str:
        """The text in the language of the player, else in English, else in any."""
        return seen(chosen(names, self.language))

    def name_of(self, id: str, names: Names) -> str:
        """The name of a thing; its id if it has none."""
        return self.translated(names) or id.replace("_", " ")

    def level(self, id: str) -> str:
        """The name of a part of a match."""
        return self.translated(self.play.match.levels.get(id, {})) or self.say(f"names.level_{id}")

    def measure(self, id: str) -> str:
        """The name of a measure inside a sentence."""
        name = self.translated(next((one.name for one in self.data.scoring.measures if one.id == id), {}))
        return name[:1].lower() + name[1:] if name else id

    def unit(self, id: str, number: Number) -> str:
        """The word behind a number of a measure."""
        return self.translated(unit_names(self.data, id, number)) or self.measure(id)

    def form(self, id: str) -> str:
        """The name of a form."""
        return self.translated(next((one.name for one in self.data.forms if one.id == id), {})) or id

    @cached_property
    def faces(self) -> TerminalTiles:
        """The faces of tiles, as text."""
        return TerminalTiles(self.tiles, self.pictured)

    @cached_property
    def tiles(self) -> TileSet:
        """The tiles, as they are spelled."""
        return self.data.tiles if self.spelling is None else replace(self.data.tiles, spelling=self.spelling)

    @cached_property
    def play(self) -> Play:
        return self.data.play or Play()

    @cached_property
    def codes(self) -> Mapping[str, int]:
        """Code -> tile."""
        return {tile.code: tile.index for tile in self.data.tiles.tiles}

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats, the dealer's first."""
        return seat_names(self.data)[: self.data.seats.count]

    # --- entries

    def entries(self, question: Question, hand: Iterable[str]) -> tuple[ActionEntry, ...]:
        """All possible answers, in the order of the question, seldom taken ones last; `hand`: own codes."""
        held = frozenset(hand)
        found = [self.entry(does, moves, held) for does, moves in by_offer(question.moves)]
        picks = [ActionEntry("pick", pick.does, self.pick_label(pick), pick=pick) for pick in question.picks]
        passes = [entry for entry in found if entry.passes]
        others = sorted((*(entry for entry in found if not entry.passes), *picks), key=self.is_rare)
        return (*self.spread(others, MOST_ENTRIES), *passes)

    def is_rare(self, entry: ActionEntry) -> bool:
        """Whether the offer is seldom taken."""
        offer = self.play.offers.get(entry.does)
        return offer is not None and offer.rare

    def entry(self, does: str, moves: Sequence[Move], held: frozenset[str]) -> ActionEntry:
        """The moves of one offer as an entry."""
        if self.is_of_tiles(moves, held):
            return ActionEntry("tiles", does, Text(self.offer_name(does)), tuple(moves))
        if len(moves) == 1:
            return ActionEntry("move", does, self.move_text(moves[0]), tuple(moves))
        return ActionEntry("list", does, Text(self.offer_name(does)), tuple(moves))

    def is_of_tiles(self, moves: Sequence[Move], held: frozenset[str]) -> bool:
        """Whether each move chooses one tile of the hand and nothing else."""
        return all(
            len(move.choice) == 1
            and move.choice[0][1] in held
            and self.kind_of(move.does, move.choice[0][0]) == "tiles"
            for move in moves
        )

    def spread(self, entries: Sequence[ActionEntry], room: int) -> Iterator[ActionEntry]:
        """Expand lists into single entries, the shortest first, as long as there is room."""
        used = len(entries)
        spread: set[int] = set()
        for place in sorted(range(len(entries)), key=lambda place: len(entries[place].moves)):
            if entries[place].kind == "list" and used + len(entries[place].moves) - 1 <= room:
                used += len(entries[place].moves) - 1
                spread.add(place)
        for place, entry in enumerate(entries):
            single = [ActionEntry("move", entry.does, self.move_text(move), (move,)) for move in entry.moves]
            yield from single if place in spread else [entry]

    # --- texts

    def question_text(self, question: Question, view: "View") -> Text:
        """The question of the table, with the tile and the seat it is about."""
        own_turn = question.phase and view.turn == view.seat
        asked = self.say("questions.your_turn") if own_turn else self.name_of(question.phase, question.name)
        text = Text(asked, "bold")
        if view.tile is None or view.discarder is None or not question.phase:
            return text
        discarder = Text(self.seat_text(view.name(view.discarder)))
        return self.filled("questions.claim", asked=text, tile=self.faces.text(view.tile), who=discarder)

    def filled(self, id: str, style: str = "dim", /, **slots: Text | None) -> Text:
        """A message of the catalogue, with a style between its blanks."""
        parts = pieces(id, self.language, slots)
        return Text.assemble(*((part, style) if isinstance(part, str) else part for part in parts if part is not None))

    def offer_name(self, does: str, asked: str = "") -> str:
        """The name of an offer; of an answer, what is `asked`."""
        if does == PASS:
            return self.say("questions.pass")
        if does == ANSWER:
            return asked or self.say("questions.answer")
        offer = self.play.offers.get(does)
        return self.name_of(does, offer.name if offer else {})

    def move_text(self, move: Move) -> Text:
        """The offer and its choices: `Kong 5555m`."""
        parts = [self.chosen_text(move.does, name, value) for name, value in move.choice]
        name = [] if move.does == ANSWER and parts else [Text(self.offer_name(move.does))]
        return Text(" ").join([*name, *parts])

    def choice_text(self, does: str, choice: Chosen) -> Text:
        return Text(" ").join(self.chosen_text(does, name, value) for name, value in choice)

    def pick_label(self, pick: Pick) -> Text:
        """`Pass 3 tiles`, after what was chosen before."""
        least = None if pick.least == pick.most else str(pick.least)
        count = self.say("questions.tiles", least=least, most=pick.most)
        name = self.say("questions.choose") if pick.does == ANSWER else self.offer_name(pick.does)
        before = [self.chosen_text(pick.does, name, value) for name, value in pick.before]
        return Text(" ").join([Text(name), *before, Text(count)])

    def refusal_text(self, refusal: Refusal) -> Text:
        """The refused move, and why."""
        wanted = [Text(self.offer_name(refusal.does)), self.choice_text(refusal.does, refusal.choice)]
        line = Text(" ").join(part for part in wanted if part)
        return Text.assemble(line, self.say("base.colon"), (self.translated(refusal.reason), "yellow"))

    def chosen_text(self, does: str, name: str, value: str) -> Text:
        """The choices, in the names of the table."""
        choose = self.choose_of(does, name)
        kind = choose.kind if choose else ""
        if kind == "flag" and choose is not None:
            question = self.translated(choose.question)
            answer = self.say(f"events.{value}") if value in ("yes", "no") else value
            return Text(f"{question}{self.say('base.colon')}{answer}" if question else answer)
        if kind == "seat":
            return Text(self.seat_text(value))
        if kind in ("number", "suit"):
            called = self.translated(choose.title) if choose is not None and choose.title else ""
            return Text(f"{called} {value}".strip().replace("_", " "))
        return self.tiles_text(value)

    def seat_text(self, seat: str) -> str:
        """A seat and its player."""
        return f"{seat} {self.people[seat]}" if seat in self.people else seat

    def tiles_text(self, value: str) -> Text:
        """Tiles of a choice: a group run together, single tiles with their place."""
        words = value.split()
        if len(words) > 1 and all(word in self.codes for word in words):
            return self.faces.together([self.codes[word] for word in words])
        return Text(" ").join(map(self.tile_text, words)) if words else self.filled("questions.none")

    def tile_text(self, word: str) -> Text:
        """A tile of a choice with what it stands for and its place."""
        found = PLACED.fullmatch(word)
        if found is None or found["tile"] not in self.codes:
            return Text(word)
        text = Text.assemble(self.faces.text(self.codes[found["tile"]]))
        if found["stands"] in self.codes:
            text.append("=", "dim").append_text(self.faces.text(self.codes[found["stands"]]))
        if found["seat"]:
            return self.filled("questions.lies", tile=text, seat=Text(found["seat"]), meld=text_of(found["meld"]))
        return text

    def group_text(self, text: str) -> str:
        """A group in the notation of the ruleset, as it is spelled."""
        return text if self.spelling is None else write_group(parse_tiles(text, self.data.tiles), self.tiles)

    def codes_of(self, text: str, free: Iterable[str]) -> list[str]:
        """The codes of the tiles that a player types, run together or not. A tile is one of those that are `free`, if
        one is written alike; whatever names no tile stays as it is."""
        left, words = list(free), text.split()
        if all(word in left for word in words):
            return words
        try:
            faces = parse_tiles(text, self.tiles)
        except NotationError:
            return words
        found = []
        for face in faces:
            sign = write_tile(face, self.tiles)
            alike = (code for code in left if code in self.codes and write_tile(self.codes[code], self.tiles) == sign)
            found.append(next(alike, self.data.tiles.tiles[face].code))
            if found[-1] in left:
                left.remove(found[-1])
        return found

    def face_of(self, word: str) -> int | None:
        """The tile that a choice names, whatever its place."""
        found = PLACED.fullmatch(word)
        return self.codes.get(found["tile"]) if found else None

    # --- choices

    def kind_of(self, does: str, name: str) -> str:
        """The kind of the choice with a name: tiles group form number seat suit flag."""
        choose = self.choose_of(does, name)
        return choose.kind if choose else ""

    def choose_of(self, does: str, name: str) -> Choose | None:
        """How the ruleset declares a choice of an offer, or of a question that a step asks."""
        offer = self.play.offers.get(does)
        found = offer.choose if offer else ()
        return next((choose for choose in found if choose.name == name), None) or self.asked.get(name)

    @cached_property
    def asked(self) -> Mapping[str, Choose]:
        """All choices of questions of steps, by name."""
        play = self.play
        parts: list[Phase | Offer | Action | Trigger] = [*play.phases.values(), *play.offers.values()]
        parts += [*play.actions.values(), *play.triggers]
        return {choose.name: choose for part in parts for step in every_step(part.do) for choose in chooses(step)}


def named(id: str, names: Names | None) -> dict[str, str]:
    """The names of a thing; without any, its id in words."""
    given = dict(names or {})
    return {ENGLISH: in_words(id)} if not given or given == {ENGLISH: id} else given


def unit_names(data: CompiledRuleset, id: str, number: Number) -> dict[str, str]:
    """The word behind a number of a measure, by language; empty if the measure has none."""
    found = next((one.unit for one in data.scoring.measures if one.id == id), {})
    return {language: counted(text, number) for language, text in found.items()}


def counted(text: str, number: Number) -> str:
    """The form of a unit (`point|points`) for a number."""
    one, _, many = text.partition("|")
    return one if number == 1 else many or one


def in_words(id: str) -> str:
    """An id as words."""
    return id.replace("_", " ")


def is_named(id: str, names: Names) -> bool:
    """Whether a thing has a name of its own to show."""
    return bool(names) and set(names.values()) != {id}


def text_of(word: str | None) -> Text | None:
    return None if word is None else Text(word, "dim")


def by_offer(moves: Iterable[Move]) -> Iterator[tuple[str, list[Move]]]:
    """The moves of each offer, in the order of its first one."""
    found: dict[str, list[Move]] = {}
    for move in moves:
        found.setdefault(move.does, []).append(move)
    yield from found.items()


def chooses(step: Step) -> tuple[Choose, ...]:
    return tuple(one for _, choose in held(step.does, ChoicesField) for one in choose)


def main_entry(entries: Sequence[ActionEntry]) -> ActionEntry | None:
    """The default entry for tiles of the hand: the entry with most tiles, the last of equals; if nothing else can be
    done, the choice of several."""
    of_tiles = [entry for entry in entries if entry.kind == "tiles"]
    if of_tiles:
        return max(reversed(of_tiles), key=lambda entry: len(entry.moves))
    rest = [entry for entry in entries if not entry.passes]
    return rest[0] if len(rest) == 1 and rest[0].kind == "pick" else None
