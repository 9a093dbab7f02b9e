"""Answers to the open question: of people, of their pressed buttons, and of bots. Each is held until it is
given to the game; if the game refuses one, another is found. And what people ask beside it: advice, which comes when it
is ready, keeps nobody waiting, and reveals nothing that the player has not been shown.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Collection, Coroutine, Sequence
from typing import Any

from tilewright.presentation.catalogue import translations
from tilewright.web.protocol import refusals
from tilewright.web.protocol.messages import Answer, AskHelp, Ready
from tilewright.web.protocol.moments import decoded
from tilewright.web.protocol.refusals import Refused, Text
from tilewright.web.protocol.replies import Client, GiveHelp
from tilewright.web.storage.rows import StoreError
from tilewright.web.tables.audience import Audience
from tilewright.web.tables.broadcast import is_allowed
from tilewright.web.tables.game import BotWorker, DurableGame
from tilewright.web.tables.inbox import BotAnswered
from tilewright.web.tables.pending import OpenQuestion, PendingAnswer, some_move
from tilewright.web.tables.record import TableRecord
from tilewright.web.tables.seats import STAND_IN
from tilewright.web.workers.pool import BadSpec, GameFailed, Illegal, NoWorkerFree, WorkerLost

LOG = logging.getLogger("tilewright")
SEED_BITS = 64  # of bots
MOST_REFUSED = 20  # answers of bots to one question
MOST_PREPARING = 3.0  # seconds that people wait for bots that get to know the rules


class Answers:
    """`keep`: stores the answers that the log does not have; `beside`: runs something that the table does not wait for;
    `happens`: reports that a bot has thought; `bot_seed`: nothing about the wall follows from it, unless the host chose
    both to play the same game again."""

    def __init__(
        self,
        record: TableRecord,
        audience: Audience,
        thinker: BotWorker,
        keep: Callable[[], Awaitable[None]],
        beside: Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]],
        happens: Callable[[BotAnswered], None],
    ) -> None:
        self.record, self.audience, self.thinker = record, audience, thinker
        self.seats, self.pending = record.seats, record.pending
        self.keep, self.beside, self.happens = keep, beside, happens
        self.bot_seed = secrets.randbits(SEED_BITS) if record.has_secret else int(record.row.spec.get("seed") or 0)

    # --- people

    async def answer(self, client: Client, player: int, message: Answer) -> None:
        """Take a player's answer; during a claim window it is stored, and stays secret. Raises Refused."""
        if self.record.state == "broken":
            raise refusals.broken(self.record.problem or refusals.went_wrong().message)
        question = self.pending.question
        if question is None or player not in question.open:
            raise refusals.stale() if message.seq < self.pending.seq else refusals.not_your_turn()
        if message.seq != question.seq:
            raise refusals.stale()
        if self.pending.hold is None:
            question.held[player] = PendingAnswer(message.move, client, message.id)
            return
        last = self.audience.last(player)
        if not is_allowed(decoded(last.view["question"]), message.move):
            raise refusals.no_such_move()
        question.held[player] = PendingAnswer(message.move, client)
        await self.keep()
        self.pending.stop_waiting_for(player)
        client.done(message.id, self.record.code)
        self.audience.show(str(player), last.answered(player))

    def ready(self, player: int, message: Ready) -> None:
        """A player wants to continue. Raises Refused."""
        question = self.pending.question
        if question is not None and player in question.open and message.seq == self.pending.seq:
            raise refusals.not_allowed("server.answer_first")
        if message.seq == self.pending.seq:
            self.pending.stop_waiting_for(player)

    # --- bots and buttons

    async def prepare_bots(self, asked: Collection[int]) -> None:
        """Let the bots of the table get to know its rules, which may take a second. If one of those who are `asked` is
        a bot, and people play, the game begins once they do, but no later than MOST_PREPARING."""
        bots = sorted({seat.bot for seat in self.seats.all if seat.bot is not None})
        if bots and self.record.is_playing:
            preparing = self.beside(self.prepare(bots))
            if self.seats.playing_people() and any(self.seats[player].bot is not None for player in asked):
                await asyncio.wait([preparing], timeout=MOST_PREPARING)

    async def prepare(self, bots: Sequence[str]) -> None:
        try:
            await self.thinker.prepare(bots, alone=not self.seats.playing_people())
        except Exception as error:  # when they are asked, the table finds out, too
            LOG.debug("table %s: its bots are not prepared: %s", self.record.row.id, error)

    def consider(self, now: float) -> None:
        """Answer for bots, for players with a pressed button that answers, and for those whose time is up."""
        question = self.pending.question
        if question is None or not self.audience.is_awake:
            return
        for player in question.open:
            due = self.pending.due_of(player)
            is_due = due is not None and now >= due
            if self.seats[player].bot is None and player in self.pending.buttons:
                if is_due:
                    question.held[player] = PendingAnswer(self.pending.buttons[player])
                    self.pending.stop_waiting_for(player)
            elif self.seats[player].bot is not None or is_due:
                self.have_answered(question, player, now)

    def have_answered(self, question: OpenQuestion, player: int, now: float) -> None:
        """Have a bot answer: it thinks first, and then takes its time."""
        if player in question.thought:
            due = self.pending.due_of(player)
            if due is None or now >= due:
                question.held[player] = PendingAnswer(question.thought[player] or self.anything(player))
        elif player not in question.thinking:
            question.thinking.add(player)
            self.beside(self.think(question.seq, player, self.seats[player].bot or STAND_IN))

    async def think(self, seq: int, player: int, bot: str) -> None:
        try:
            move = await self.thinker.choose(bot, player, self.bot_seed, alone=not self.seats.playing_people())
        except Exception as error:  # whatever the error, the others must not wait for ever
            if self.thinker.closed:
                return
            LOG.warning("table %s: no bot could answer: %s", self.record.row.id, error, exc_info=error)
            move = None
        self.happens(BotAnswered(seq, player, move))

    def hear(self, thought: BotAnswered) -> None:
        """Take a bot's answer, if the question is still the same."""
        question = self.pending.question
        if question is not None and question.seq == thought.seq:
            question.thinking.discard(thought.player)
            question.thought[thought.player] = thought.move

    def anything(self, player: int) -> dict[str, str]:
        """Any move, if no bot can find one."""
        return some_move(decoded(self.audience.last(player).view["question"]))

    # --- giving answers to the game

    def take_next(self) -> tuple[int, PendingAnswer] | None:
        """Take the next held answer for the game, in the order of players."""
        question = self.pending.question
        if question is None:
            return None
        player = next((player for player in question.players if player in question.held), None)
        return None if player is None else (player, question.held.pop(player))

    def refuse(self, player: int, held: PendingAnswer, reason: Text) -> None:
        """An answer was refused: ask the player again. Raises GameFailed."""
        question = self.pending.question
        assert question is not None
        question.refused += 1
        if question.refused > MOST_REFUSED:
            raise GameFailed(translations("server.no_answer_found"))
        if held.client is not None:
            held.client.refuse(refusals.illegal_move(reason), held.id, self.record.code)
            question.refused = 0
        elif player in self.pending.buttons and self.seats[player].bot is None:
            self.pending.forget_button(player)
        else:
            question.thought[player] = self.anything(player)


class TableHelp:
    """`helped`: pages that wait for advice; `questions`: those not worked on yet; `beside`: runs something that the
    table does not wait for."""

    def __init__(
        self, record: TableRecord, game: DurableGame, beside: Callable[[Coroutine[Any, Any, None]], object]
    ) -> None:
        self.record, self.pending, self.game, self.beside = record, record.pending, game, beside
        self.helped: set[str] = set()
        self.questions: list[tuple[Client, int, AskHelp]] = []

    def ask(self, client: Client, player: int, message: AskHelp) -> None:
        """A page asks for advice for its player. Raises Refused."""
        if not self.record.setup.help:
            raise refusals.not_allowed("server.no_help")
        if not self.record.is_playing:
            raise refusals.not_allowed("server.nothing_played")
        if self.pending.hold is not None and self.pending.hold.is_pause:
            raise refusals.not_allowed("server.hand_not_begun")
        if client.id in self.helped:
            raise refusals.too_fast()
        self.helped.add(client.id)
        self.questions.append((client, player, message))

    def give_advice(self) -> None:
        """Give advice, once the player has been shown all moments of the game."""
        for one in list(self.questions):
            client, player, message = one
            if not self.pending.is_ahead_of(player):
                self.questions.remove(one)
                self.beside(self.advise(client, player, message))

    async def advise(self, client: Client, player: int, message: AskHelp) -> None:
        code, known = self.record.code, self.game.known
        try:
            found = await self.game.thinker.help(message.what, player, client.address)
            if self.game.known != known and self.pending.is_ahead_of(player):
                client.refuse(refusals.stale(), message.id, code)
                return
            client.send(GiveHelp(code, message.what, found, id=message.id))
        except (Illegal, GameFailed) as error:
            client.refuse(Refused("not-allowed", error.reason, 403), message.id, code)
        except NoWorkerFree:
            client.refuse(refusals.too_fast(), message.id, code)
        except (BadSpec, WorkerLost, StoreError) as error:
            LOG.warning("table %s: no advice: %s", self.record.row.id, error)
            client.refuse(refusals.went_wrong(), message.id, code)
        finally:
            self.helped.discard(client.id)
