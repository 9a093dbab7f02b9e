"""Plain: a game line by line. Events and possible actions are written to a stream, answers are read from another; for
screen readers, scripts and other programs. Knows no rule.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TextIO

from rich.text import Text

from tilewright.base.spelling import seen
from tilewright.play.model import PASS, IllegalMove, Move, Pick, Question
from tilewright.play.view import View
from tilewright.presentation.console import PLAIN_WIDTH, show
from tilewright.presentation.names import ActionEntry, RulesetNames, main_entry
from tilewright.presentation.seat_advice import Advice
from tilewright.terminal.seats import SeatLines, end_text, ended_lines, over_text, standing_lines
from tilewright.terminal.session import GameNews, GameSession, key_lines

LONGEST = 1_000  # characters of an answer
INDENT = "  "
HELPING = ("help", "?")
READY = "Your answer:"  # the line before an answer is read, if there is no prompt


class LeaveTable(Exception):
    """The player leaves, or the input ends."""


class Misread(Exception):
    """The player's line is not an answer; the message says why."""


@dataclass
class NumberedMoves:
    """The possible answers; the first has number 1."""

    question: Question
    entries: tuple[ActionEntry, ...]
    answers: list[Move | Pick] = field(default_factory=list)

    def number(self, answer: Move | Pick) -> str:
        """Add an answer and return its number."""
        self.answers.append(answer)
        return str(len(self.answers))


@dataclass
class PlainTable:
    """A session between two streams."""

    session: GameSession
    advice: Advice
    source: TextIO = field(default_factory=lambda: sys.stdin)
    stream: TextIO = field(default_factory=lambda: sys.stdout)

    @property
    def names(self) -> RulesetNames:
        """The names and messages in the player's language."""
        return self.session.names

    def play(self) -> None:
        """Play until the match is over, or the player leaves."""
        self.show(self.state())
        try:
            while not self.session.over:
                question = self.session.question
                news = self.session.advance() if question is None else self.answered(question)
                if news is not None:
                    self.show_news(news)
        except LeaveTable:
            return
        self.show([Text(over_text(self.session), "bold"), *standing_lines(self.session)])

    def show_news(self, news: GameNews) -> None:
        """Show what happened, and the result of a hand that ended."""
        self.show(news.lines)
        if news.ended is not None:
            self.show(
                [
                    Text(),
                    Text(end_text(self.session), "bold"),
                    *ended_lines(news.ended, self.session),
                    Text(),
                ]
            )
            if not self.session.over:
                self.show(self.state())

    def show(self, lines: Iterable[Text | str]) -> None:
        show(lines, self.stream)
        self.stream.flush()

    def state(self) -> list[Text]:
        """The whole table."""
        view = self.session.view()
        seating = SeatLines(
            self.names,
            view,
            PLAIN_WIDTH,
            self.session.hands() if view.seat is None else {},
            self.session.sorted_zones,
        )
        own = [] if view.seat is None else seating.seat(view.seat)
        return [seating.heading(), *seating.others(), *own]

    # --- asking

    def answered(self, question: Question) -> GameNews:
        """Read the player's answer and return its outcome. Raises LeaveTable."""
        view = self.session.view()
        numbered = self.ask(question, view)
        while True:
            text = self.read()
            if (command := COMMANDS.get(text.split()[0] if text else "help")) is not None:
                command(self, text.split()[1:], view)
                continue
            try:
                return self.session.answer(self.move_of(text, numbered))
            except Misread as error:
                self.show([Text(str(error), "yellow")])
            except IllegalMove as refused:
                self.show([Text(self.names.translated(refused.reason), "yellow")])

    def ask(self, question: Question, view: View) -> NumberedMoves:
        """Write the question, the own tiles and all possible answers."""
        codes = [self.names.data.tiles.tiles[face].code for face in view.hand]
        numbered = NumberedMoves(question, self.names.entries(question, codes))
        drawn = None if view.drawn is None else Text.assemble(self.names.faces.text(view.drawn))
        self.show([self.names.filled("terminal.own_tiles", "", hand=self.names.faces.row(view.hand), drawn=drawn)])
        asked = self.names.filled("terminal.question", "", asked=self.names.question_text(question, view))
        self.show([asked, *self.answers(numbered)])
        self.show([INDENT + self.names.refusal_text(refusal).plain for refusal in view.refusals[:2]])
        return numbered

    def answers(self, numbered: NumberedMoves) -> Iterator[Text]:
        """A line for each possible action, with the number of every choice."""
        for entry in numbered.entries:
            if entry.pick is not None:
                tiles = Text(" ").join(map(self.names.tile_text, entry.pick.tiles))
                label = self.names.filled("terminal.of_tiles", "", asked=entry.label, tiles=tiles)
                yield Text.assemble(INDENT, (numbered.number(entry.pick), "bold"), " ", label)
            elif entry.kind == "move":
                yield Text.assemble(INDENT, (numbered.number(entry.moves[0]), "bold"), " ", entry.label)
            else:
                choices = [
                    Text.assemble((numbered.number(move), "bold"), " ", self.names.choice_text(move.does, move.choice))
                    for move in entry.moves
                ]
                yield Text.assemble(INDENT, entry.label, ": ", Text(", ").join(choices))

    def read(self) -> str:
        """A line of the player. Raises LeaveTable at the end of the stream."""
        self.stream.write("> " if self.source.isatty() else f"{READY}\n")
        self.stream.flush()
        line = self.source.readline(LONGEST)
        if not line:
            raise LeaveTable
        return line.strip()

    def move_of(self, text: str, numbered: NumberedMoves) -> Move:
        """The move that a line means. Raises Misread."""
        first, *rest = text.split()
        if first.lower() == PASS and (moves := [move for move in numbered.question.moves if move.does == PASS]):
            return moves[0]
        if first.isdecimal() and len(first) < 5:
            return self.numbered_move(int(first), rest, numbered)
        main = main_entry(numbered.entries)
        if main is None:
            raise self.misread("terminal.no_answer", text=shortened(text))
        if main.pick is not None:
            return self.picked(main.pick, text, numbered)
        choices = [move.choice[-1][1] for move in main.moves if move.choice]
        named = self.names.codes_of(text, choices)
        move = main.of_tile(named[0]) if len(named) == 1 else None
        if move is None:
            raise self.misread("terminal.cannot_choose", asked=main.label.plain, text=shortened(text))
        return move

    def numbered_move(self, number: int, rest: Sequence[str], numbered: NumberedMoves) -> Move:
        """The answer with this number, and the tiles after it."""
        if not 0 < number <= len(numbered.answers):
            raise self.misread("terminal.no_number", number=number, count=len(numbered.answers))
        answer = numbered.answers[number - 1]
        if isinstance(answer, Move):
            return answer
        return self.picked(answer, " ".join(rest), numbered)

    def picked(self, pick: Pick, text: str, numbered: NumberedMoves) -> Move:
        """The move that chooses these tiles, if they may be chosen and are as many as needed."""
        tiles = self.names.codes_of(text, pick.tiles)
        free = Counter(pick.tiles)
        free.subtract(tiles)
        label = self.names.pick_label(pick).plain
        if missing := [tile for tile in tiles if free[tile] < 0]:
            raise self.misread(
                "terminal.not_there", asked=label, tile=shortened(self.names.tile_text(missing[0]).plain)
            )
        if not pick.least <= len(tiles) <= pick.most:
            raise self.misread("terminal.named", asked=label, count=len(tiles))
        return pick.move(numbered.question.seat, tiles)

    def misread(self, id: str, **slots: object) -> Misread:
        """The error for a line that is not an answer."""
        return Misread(self.names.say(id, **slots))

    # --- commands

    def help(self, words: Sequence[str], view: View) -> None:
        known = ("number", "tile", PASS, *(word for word in COMMANDS if word not in HELPING))
        self.show(key_lines((f"terminal.word_{word}" for word in known), self.names, INDENT))

    def hint(self, words: Sequence[str], view: View) -> None:
        self.show([self.names.filled("terminal.hint", "", move=self.names.move_text(self.advice.hint(view)))])

    def waits(self, words: Sequence[str], view: View) -> None:
        self.show(self.advice.waits(view))

    def nearest(self, words: Sequence[str], view: View) -> None:
        self.show(self.advice.nearest(view))

    def why(self, words: Sequence[str], view: View) -> None:
        refused = [self.names.refusal_text(refusal) for refusal in view.refusals]
        self.show(refused or [self.names.say("terminal.all_allowed")])

    def table(self, words: Sequence[str], view: View) -> None:
        self.show(self.state())

    def story(self, words: Sequence[str], view: View) -> None:
        self.show(self.session.story)

    def buttons(self, words: Sequence[str], view: View) -> None:
        """Show the buttons; switch the one with the given number."""
        buttons = self.session.buttons
        if words and words[0].isdecimal() and 0 < int(words[0][:4]) <= len(buttons):
            self.session.press(buttons[int(words[0]) - 1].id)
        for number, button in enumerate(buttons, 1):
            id = "terminal.on" if button.id in self.session.pressed else "terminal.off"
            self.show([f"{INDENT}{number} {self.names.say(id, name=self.names.name_of(button.id, button.name))}"])
        self.show([] if buttons else [self.names.say("terminal.no_buttons")])

    def quit(self, words: Sequence[str], view: View) -> None:
        raise LeaveTable


COMMANDS: dict[str, Callable[[PlainTable, Sequence[str], View], None]] = {
    **dict.fromkeys(HELPING, PlainTable.help),
    "hint": PlainTable.hint,
    "waits": PlainTable.waits,
    "nearest": PlainTable.nearest,
    "why": PlainTable.why,
    "state": PlainTable.table,
    "log": PlainTable.story,
    "buttons": PlainTable.buttons,
    "quit": PlainTable.quit,
}


def shortened(text: str) -> str:
    """The player's text, shortened to a line."""
    return seen(text if len(text) <= 40 else f"{text[:39]}…")
