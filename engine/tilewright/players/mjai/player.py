"""Players that are programs speaking MJAI: what a seat sees is written in MJAI, and what they answer is its move.

Two dialects: `mjai:` sends all that has happened as one array, and gets one answer (as mjai.app and its package do);
`mjai-lines:` sends one event a line, each of which is answered (as the first server of MJAI did). What goes wrong is
treated as with programs that speak our own protocol (`tilewright.players.programs.process`).
"""

from typing import Any

from tilewright.play.model.moves import Move, Question
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.mjai.moves import barred_discards, move_of, possible_actions
from tilewright.players.mjai.vocabulary import vocabulary_of
from tilewright.players.mjai.writing import END_GAME, MjaiEvent, MjaiWriter, start_game
from tilewright.players.programs import process, protocol
from tilewright.players.programs.process import ChildProgram, ProcessPlayer, ProgramFailed, Report
from tilewright.players.programs.protocol import BadAnswer

MJAI = "mjai:"
MJAI_LINES = "mjai-lines:"


class MjaiPlayer(ProcessPlayer):
    """A player that is a program speaking MJAI. `in_lines`: an event a line. Raises NotInMjai for a ruleset that MJAI
    has no words for."""

    def __init__(
        self, command: str, rules: Rules, seed: int, report: Report | None = None, *, in_lines: bool = False
    ) -> None:
        self.words_of_mjai = vocabulary_of(rules.program)
        super().__init__(command, rules, seed, report)
        self.in_lines = in_lines
        self.writer: MjaiWriter | None = None
        self.read = 0  # events of the table

    def ended(self, view: View) -> None:
        """Tell the program how the hand ended."""
        if self._program is None or self._gone:
            return
        try:
            self._tell(self._program, self._caught_up(view).flush_hands())
        except BadAnswer as error:
            self._trouble(str(error))
        except ProgramFailed as error:
            self._trouble(f"{error}; the fast bot replaces it")
            self._stop()

    def close(self) -> None:
        """Notify the program of the end, and wait a little for it to exit."""
        if self._program is not None and not self._gone:
            self._program.send(END_GAME if self.in_lines else [END_GAME])
        self._stop()

    def _ask(self, view: View) -> Move:
        question = view.question
        assert question is not None
        program = self._started(view)
        answer = self._tell(program, self._news(view, question))
        return move_of(answer, question, view, self.words_of_mjai)

    def _started(self, view: View) -> ChildProgram:
        if self._program is None:
            assert view.seat is not None
            player = view.player(view.seat)
            self._program = ChildProgram([*self.words, str(player)] if not self.in_lines else self.words)
            self.writer = MjaiWriter(self.words_of_mjai, int(view.mark(self.words_of_mjai.honba)))
            names = [str(one) for one in range(view.seats)]
            try:
                self._tell(self._program, [start_game(player, names)], process.SECONDS_TO_START)
            except BadAnswer as error:
                raise ProgramFailed(str(error)) from None
        return self._program

    def _news(self, view: View, question: Question) -> list[MjaiEvent]:
        """What has happened since the last time; the last event with what may be answered to it."""
        writer = self._caught_up(view)
        if view.discarder is not None and view.tile is not None:
            writer.quad_to_rob(view.discarder, view.tile)
        news = writer.flush()
        if self.in_lines:
            news[-1] = asking(news[-1], question, view, self.words_of_mjai)
        return news

    def _caught_up(self, view: View) -> MjaiWriter:
        """The writer, with everything written that has happened."""
        assert self.writer is not None
        self.writer.take(view.events_since(self.read))
        self.read = view.event_count
        return self.writer

    def _tell(self, program: ChildProgram, news: list[MjaiEvent], seconds: float | None = None) -> dict[str, Any]:
        """Send events; the answer to the last of them. Raises BadAnswer and ProgramFailed."""
        seconds = self.seconds if seconds is None else seconds
        if not self.in_lines:
            program.send(news)
            return protocol.read(program.line(seconds))
        answer: dict[str, Any] = {}
        for event in news:
            program.send(event)
            answer = protocol.read(program.line(seconds))
        return answer


def asking(event: MjaiEvent, question: Question, view: View, words: Any) -> MjaiEvent:
    """An event with what the seat may answer to it."""
    barred = barred_discards(question, view, words)
    return {
        **event,
        "possible_actions": possible_actions(question, view, words),
        **({"cannot_dahai": barred} if barred else {}),
    }
