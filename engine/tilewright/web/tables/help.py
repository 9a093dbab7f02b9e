"""Help: advice for players who ask for it. It comes when it is ready, keeps nobody waiting, and reveals nothing that
the player has not been shown.
"""

import logging
from collections.abc import Callable, Coroutine
from typing import Any

from tilewright.web.protocol import refusals
from tilewright.web.protocol.client import Client
from tilewright.web.protocol.messages import AskHelp
from tilewright.web.protocol.refusals import Refused
from tilewright.web.protocol.replies import GiveHelp
from tilewright.web.storage import StoreError
from tilewright.web.tables.game import DurableGame
from tilewright.web.tables.record import TableRecord
from tilewright.web.workers.pool import BadSpec, GameFailed, Illegal, NoWorkerFree, WorkerLost

LOG = logging.getLogger("tilewright")


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
