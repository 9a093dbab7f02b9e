"""Live: one table that this server plays. An actor: whatever happens to it comes one after the other, and its log is
in the database before anybody is told.

In: messages of pages, and time. Out: messages to pages, each with what its player may see. The engine is in a house,
bots think in another one. A table at which no page is open stands still.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Coroutine, Mapping
from dataclasses import replace
from typing import Any, Protocol

from tilewright.apps.web import sayings
from tilewright.apps.web.clients import Client
from tilewright.apps.web.happenings import Called, Gone, Happening, Said, Stop, Thought
from tilewright.apps.web.houses import BadSpec, Broken, Full, Housed, HouseLost, Houses, Illegal, Step
from tilewright.apps.web.pending import Held, Hold, Moment, Question, claims_in, is_open, some_move, unasked
from tilewright.apps.web.protocol import (
    Again,
    Answer,
    AtTable,
    Help,
    Id,
    Join,
    Leave,
    Press,
    Ready,
    SeatSetup,
    Set,
    Setup,
    Sit,
    Stand,
    Start,
    setup_of,
)
from tilewright.apps.web.requests import Refused, Text, by_language
from tilewright.apps.web.seating import STAND_IN, Seat, Seats
from tilewright.apps.web.settings import Settings
from tilewright.apps.web.store import SeatRow, State, Store, StoreError, TableRow, hashed
from tilewright.apps.web.table_info import EARLY, Raw, early_answers, info_of, table_text
from tilewright.apps.web.telling import ALL, NO_EVENTS, Late, Story, Times, Told, is_allowed
from tilewright.apps.web.thinking import Thinker

Plain = dict[str, Any]
LOG = logging.getLogger("tilewright")
MOST_REFUSED = 20  # answers of bots to one question
TRIES = 3  # to open a table again whose house was lost


class Host(Protocol):
    """The server, as its tables know it."""

    store: Store
    houses: Houses
    settings: Settings

    async def again(self, live: "Live", client: Client) -> str:
        """The code of a new table like this one."""

    def ended(self, live: "Live") -> None:
        """The table is not played here any more; `live.inbox` holds what was not done."""

    def changed(self, live: "Live") -> None:
        """What the lobby tells of the table is not so any more."""


class Live:
    """A table. `row` and `seats` are as in the database."""

    def __init__(self, host: Host, row: TableRow, seats: list[SeatRow], housed: Housed | None = None) -> None:
        self.host, self.row, self.seats = host, row, Seats(seats)
        self.setup: Setup = setup_of(row.setup)
        self.inbox: asyncio.Queue[Happening] = asyncio.Queue()
        self.clients: dict[str, tuple[Client, int | None]] = {}
        self.housed = housed
        self.thinker = Thinker(host.houses, dict(row.spec), self.lines)
        self.known = 0  # lines of the log
        self.seq = 0
        self.queue: deque[Moment] = deque()
        self.hold: Hold | None = None
        self.question: Question | None = None
        self.buttons: Mapping[int, Plain] = {}
        self.early: Mapping[int, Plain] = {}  # answers to the question that comes first
        self.story, self.late = Story(), Late(self.setup.spectator_delay)
        self.result: Plain | None = None  # of the last hand that ended,
        self.hand, self.scores = 0, list(row.scores)  # which is this one, and what players have since
        self.problem: Text | None = None
        self.empty_since = self.awake_since = time.monotonic()
        self.running: set[asyncio.Task[None]] = set()
        self.helped: set[str] = set()  # pages that wait for advice,
        self.questions: list[tuple[Client, int, Help]] = []  # and what is not thought about yet
        self.stopping = False
        self.leased = False  # the database has been asked since whether the table is played here
        self.failed: BaseException | None = None

    @property
    def code(self) -> str:
        return self.row.code

    async def lines(self) -> list[str]:
        return await self.host.store.lines(self.row.id)

    # --- the actor

    async def run(self) -> None:
        """Do what happens, until the table is put away. Ends with `failed` where something went wrong."""
        happening: Happening | None = None
        try:
            if self.row.state in ("playing", "over"):
                await self.guarded(self.open())
            await self.guarded(self.advance())
            while not self.stopping:
                happening = await self.next()
                if happening is not None:
                    await self.guarded(self.obey(happening))
                await self.guarded(self.advance())
                happening = None
        except Exception as error:
            LOG.warning("table %s failed", self.code, exc_info=error)
            self.failed = error
            if isinstance(happening, Said):
                happening.client.refuse(sayings.went_wrong(), happening.message.id, self.code)
        finally:
            await self.put_away()

    async def guarded(self, doing: Coroutine[Any, Any, None]) -> None:
        """Do something; rules that cannot be played on break the table, and nothing else."""
        try:
            await doing
        except Broken as error:
            await self.break_off(error.reason)
        except BadSpec as error:
            await self.break_off({"en": str(error)})

    async def next(self) -> Happening | None:
        """What happens next; None where it is only later."""
        if not self.inbox.empty():
            return self.inbox.get_nowait()
        try:
            return await asyncio.wait_for(self.inbox.get(), self.patience())
        except TimeoutError:
            return None

    def patience(self) -> float | None:
        """Seconds until something is to be done although nothing happens."""
        due = list(self.dues())
        return None if not due else max(0.0, min(due) - time.monotonic())

    def dues(self) -> list[float]:
        """When something is to be done."""
        if not self.clients:
            return [self.empty_since + self.host.settings.idle]
        found = [self.away_until(seat) for seat in self.seats.all if self.is_leaving(seat)]
        if self.hold is not None:
            found.append(self.hold.until)
        elif self.question is not None:
            found += [due for player in self.question.open if (due := self.due_of(player)) is not None]
        return found

    async def put_away(self) -> None:
        for task in self.running:
            task.cancel()
        for one in (self.thinker, self.housed):
            try:
                if one is not None:
                    await one.close()
            except Exception as error:
                LOG.debug("table %s was in a house that is gone: %s", self.code, error)
        self.host.ended(self)

    async def obey(self, happening: Happening) -> None:
        match happening:
            case Said(client, message):
                await self.listen(client, message)
            case Gone(client):
                self.detach(client)
            case Called(person, name):
                await self.call(person, name)
            case Thought(seq, player, move):
                if self.question is not None and self.question.seq == seq:
                    self.question.thinking.discard(player)
                    self.question.thought[player] = move
            case Stop():
                self.stopping = True

    async def listen(self, client: Client, message: AtTable) -> None:
        """A page says something; what is refused changes nothing."""
        try:
            await self.do(client, message)
        except Refused as refused:
            client.refuse(refused, message.id, self.code)
        except Full:
            client.refuse(sayings.full(), message.id, self.code)

    async def do(self, client: Client, message: AtTable) -> None:
        """Raises Refused."""
        if client.id not in self.clients and not isinstance(message, Join):
            raise sayings.not_joined()
        match message:
            case Join():
                await self.join(client, message)
            case Leave():
                self.detach(client)
                client.done(message.id, self.code)
            case Sit():
                await self.sit(client, message)
            case Stand():
                await self.stand(client, message)
            case Start():
                await self.start_now(client, message)
            case Set():
                await self.set_seat(client, message)
            case Again():
                await self.again(client, message)
            case Answer():
                self.answer(client, message)
            case Ready():
                self.ready(client, message)
            case Press():
                await self.press(client, message)
            case Help():
                self.help(client, message)

    # --- opening

    async def open(self) -> None:
        """Open the game in a house, as far as its log goes. Raises Broken, BadSpec, Full, HouseLost."""
        log = await self.lines()
        self.known = len(log)
        step = await self.opening(log)
        self.hand = step.hands_done - len(step.results)
        self.early = early_answers(self.row.setup, self.known)
        await self.take_in(step)

    async def opening(self, log: list[str]) -> Step:
        """The table as it stands, in a house. Raises Broken, BadSpec, Full, HouseLost."""
        for left in reversed(range(TRIES)):
            try:
                if self.housed is None:
                    self.housed = await self.open_house(log)
                return await self.housed.opening()
            except HouseLost:
                self.housed = None
                if not left:
                    raise  # the table is put away, and may be opened again later
        raise AssertionError

    async def open_house(self, log: list[str]) -> Housed:
        return await self.host.houses.open(dict(self.row.spec), log, players=self.seats.names)

    async def reopen(self) -> None:
        """The house was lost: the game goes on in another one, where it was, with what its log does not say: buttons,
        and answers to the question that is open."""
        self.housed = None
        step = await self.opening(await self.lines())
        await self.keep(step)
        assert self.housed is not None
        for player, move in (self.question.given if self.question is not None else {}).items():
            step = await self.housed.answer(player, move)
        for seat in self.seats.all:
            if seat.pressed:
                step = await self.housed.press(seat.row.player, seat.pressed)
        self.buttons = step.buttons

    async def start(self) -> None:
        """The game begins."""
        if self.housed is None:
            self.housed = await self.open_house([])
        self.row = await self.host.store.set_state(self.row.id, "playing")
        self.host.changed(self)
        try:
            await self.open()
        finally:
            self.tell_info()

    async def start_if_all_are_here(self) -> None:
        if self.row.state == "waiting" and self.seats.waits_for_nobody:
            await self.start()

    async def take_in(self, step: Step, by: int | None = None) -> None:
        """What came of an answer: into the database first, then into what is to be told."""
        await self.keep(step)
        results = iter(step.results)
        for beat in step.beats:
            if beat.only is None:
                self.queue.append(Moment(beat, next(results, None) if beat.ends else None, by))
                by = None
        self.buttons = step.buttons
        for result in results:
            self.see(result)  # of a table that was over when it was opened
        if step.problem is not None:
            self.problem = {"en": step.problem}
        if self.row.state == "playing" and (step.over or step.results):
            scores = step.results[-1]["scores"] if step.results else self.scores
            self.row = await self.host.store.set_state(self.row.id, "over" if step.over else "playing", scores=scores)
            self.host.changed(self)

    def see(self, result: Plain) -> None:
        """A hand has ended, and everybody knows."""
        self.result, self.hand, self.scores = result, int(result["hand"]), list(result["scores"])

    async def keep(self, step: Step) -> None:
        """The lines of a step, in the database. Raises Conflict where somebody else plays this table."""
        await self.host.store.add_lines(self.row.id, self.known, step.lines)
        self.thinker.add(self.known, step.lines)
        self.known += len(step.lines)
        self.late.answers += bool(step.lines)

    @property
    def state(self) -> State:
        """As everybody knows it: a table is over when its end has been told."""
        return "playing" if self.row.state == "over" and (self.queue or self.hold is not None) else self.row.state

    async def break_off(self, reason: Text) -> None:
        """The table cannot be played on."""
        LOG.warning("table %s is broken: %s", self.code, reason)
        self.problem, self.question, self.hold = reason, None, None
        self.queue.clear()
        self.row = await self.host.store.set_state(self.row.id, "broken")
        self.host.changed(self)
        self.tell_info()

    # --- going on

    async def advance(self) -> None:
        """Do all that can be done now: tell what is to be told, have those answer who do not think."""
        while True:
            now = time.monotonic()
            self.take_over_for_the_away(now)
            self.consider(now)
            if self.hold is not None:
                if not self.hold.is_over(now):
                    self.give_advice()
                    return
                self.hold = None
            if self.queue:
                self.tell_next(now)
            elif not await self.give_next():
                self.stopping |= self.is_idle(now)
                self.give_advice()
                return

    def is_idle(self, now: float) -> bool:
        """Nobody is here, and nobody comes: it may have taken long to open the table for who wants to join."""
        return not self.clients and self.inbox.empty() and now >= self.empty_since + self.host.settings.idle

    def tell_next(self, now: float) -> None:
        """Tell the next moment. Who may claim a tile is asked together with its coming, and everybody waits as long."""
        moment = self.queue.popleft()
        beat, views, asked = moment.beat, dict(moment.beat.views), moment.beat.asked
        if beat.claim and (claims := claims_in(self.queue)) is not None:
            self.queue.popleft()
            views |= {str(player): claims.views[str(player)] for player in claims.asked}
            asked = claims.asked
        self.seq += 1
        if moment.result is not None:
            self.see(moment.result)
        if beat.claim:
            self.hold_for(self.setup.claim_seconds, now, moment.by)
        elif beat.ends and self.row.state == "playing":
            self.hold_for(self.host.settings.pause, now, None, is_pause=True)
        hidden = bool(asked) and (beat.claim or not is_open(beat))
        if hidden and not beat.claim:
            views |= {viewer: unasked(view) for viewer, view in views.items() if viewer not in map(str, asked)}
        self.question = Question(self.seq, asked, hidden, now) if asked else None
        if self.question is not None:
            self.question.held |= {player: Held(move) for player, move in self.early.items() if player in asked}
            self.early = {}
        for viewer, view in views.items():
            self.tell(viewer, Told(self.seq, view, beat.events[viewer], self.asked_for(viewer), moment.result))
        if beat.ends or self.state == "over":
            self.tell_info()

    def hold_for(self, seconds: float, now: float, by: int | None, is_pause: bool = False) -> None:
        """A moment lasts until everybody who is here has seen it; who threw the tile has."""
        waits = self.seats.playing_people() - {by}
        self.hold = Hold(seconds, now + seconds, waits, is_pause) if seconds and waits else None

    def asked_for(self, viewer: str) -> tuple[int, ...]:
        return () if self.question is None else self.question.told_to(viewer)

    def consider(self, now: float) -> None:
        """Those answer who are bots, who have pressed a button that does, or whose time is up."""
        question = self.question
        if question is None or not self.clients:
            return
        for player in question.open:
            due = self.due_of(player)
            if self.seats[player].bot is None and player in self.buttons:
                if due is not None and now >= due:
                    question.held[player] = Held(self.buttons[player])
                    self.stop_waiting_for(player)
            elif self.seats[player].bot is not None or (due is not None and now >= due):
                self.have_answered(question, player, now)

    def have_answered(self, question: Question, player: int, now: float) -> None:
        """A bot answers: it thinks first, and then takes its time."""
        bot = self.seats[player].bot or STAND_IN
        if player in question.thought:
            due = self.due_of(player)
            if due is None or now >= due:
                question.held[player] = Held(question.thought[player] or self.anything(player))
        elif player not in question.thinking:
            question.thinking.add(player)
            self.run_beside(self.think(question.seq, player, bot))

    def due_of(self, player: int) -> float | None:
        """When a player has answered at the latest, or (a bot, a button) at the earliest."""
        assert self.question is not None
        since, hidden = self.question.since, self.question.hidden
        if self.seats[player].bot is not None:
            ready = player in self.question.thought
            return (since if hidden else since + self.setup.bot_seconds) if ready else None
        if player in self.buttons:
            return self.button_due(player, since) if hidden else since + min(self.setup.bot_seconds, 0.3)
        if self.setup.move_seconds is None or player in self.question.thinking:
            return None
        return since + self.setup.move_seconds + (self.setup.claim_seconds if hidden else 0.0)

    def button_due(self, player: int, since: float) -> float:
        """When a button answers a question of which nobody else knows: not before a claim window is over, from whose
        length others could tell that there was something to answer."""
        return since if self.hold is None or self.seats.playing_people() <= {player} else self.hold.until

    async def think(self, seq: int, player: int, bot: str) -> None:
        seed = int(self.row.spec.get("seed", 0))
        try:
            move = await self.thinker.choose(bot, player, seed)
        except Exception as error:  # whatever it is, the others do not wait for ever
            LOG.warning("table %s: no bot thinks: %s", self.code, error, exc_info=error)
            move = None
        self.inbox.put_nowait(Thought(seq, player, move))

    def anything(self, player: int) -> Plain:
        """A move, where no bot can think of one."""
        return some_move(self.story.last[str(player)].view)

    async def give_next(self) -> bool:
        """Give the house one of the answers that are there. Whether something came of it."""
        question = self.question
        if question is None:
            return False
        player = next((player for player in question.players if player in question.held), None)
        if player is None:
            return False
        held = question.held.pop(player)
        try:
            step = await self.answered(player, held.move)
        except Illegal as error:
            self.refuse(player, held, error.reason)
            return True
        question.given[player] = held.move
        if step.lines or step.over:
            self.question = None
        await self.take_in(step, by=player)
        if self.question is not None:
            await self.keep_early(question)
            self.tell_partly(question, player, step)
        if held.client is not None:
            held.client.done(held.id, self.code)
        return True

    async def keep_early(self, question: Question) -> None:
        """Answers that are not in the log before others have answered, too, in the database."""
        early = {"lines": self.known, "answers": question.given}
        self.row = await self.host.store.set_state(self.row.id, self.row.state, setup={**self.row.setup, EARLY: early})

    async def answered(self, player: int, move: Plain) -> Step:
        """What the house makes of an answer. Raises Illegal, Broken, HouseLost."""
        for left in reversed(range(TRIES)):
            assert self.housed is not None
            try:
                return await self.housed.answer(player, move)
            except HouseLost:
                if not left:
                    raise
                await self.reopen()
        raise AssertionError

    def refuse(self, player: int, held: Held, reason: Text) -> None:
        """An answer that cannot be given: the player is asked again. Raises Broken."""
        question = self.question
        assert question is not None
        question.refused += 1
        if question.refused > MOST_REFUSED:
            raise Broken({"en": "nobody finds an answer", "zh": "沒有可以回答的選擇"})
        if held.client is not None:
            held.client.refuse(sayings.illegal_move(reason), held.id, self.code)
            question.refused = 0
        elif player in self.buttons and self.seats[player].bot is None:
            self.buttons = {other: move for other, move in self.buttons.items() if other != player}
        else:
            question.thought[player] = self.anything(player)

    def tell_partly(self, question: Question, player: int, step: Step) -> None:
        """Somebody has answered before others did: the moment is the same, but for who is still asked."""
        for viewer, last in list(self.story.last.items()):
            if viewer == str(player):
                view = next((beat.views[viewer] for beat in step.beats if beat.only == player), last.view)
                self.tell(viewer, replace(last, view=view, events=NO_EVENTS, asked=question.told_to(viewer)))
            elif not question.hidden and viewer != ALL:
                self.tell(viewer, replace(last, events=NO_EVENTS, asked=question.told_to(viewer)))

    def take_over_for_the_away(self, now: float) -> None:
        """Bots play for people who have been away for too long, as long as others are here."""
        for seat in self.seats.all:
            if self.is_leaving(seat) and now >= self.away_until(seat):
                seat.taken_over = True
                self.stop_waiting_for(seat.row.player)
                self.tell_info()

    def is_leaving(self, seat: Seat) -> bool:
        """A person is away, and will be played for if nothing happens."""
        away = seat.is_persons and not seat.clients and not seat.taken_over
        return away and bool(self.clients) and self.row.state == "playing"

    def away_until(self, seat: Seat) -> float:
        return max(seat.left, self.awake_since) + self.setup.away_seconds

    def stop_waiting_for(self, player: int) -> None:
        if self.hold is not None:
            self.hold.waits.discard(player)

    # --- telling

    def tell(self, viewer: str, told: Told) -> None:
        """A moment to one viewer; to those who look on, later."""
        if viewer == ALL:
            self.late.add(told)
            self.tell_the_late()
            return
        self.story.tell(viewer, told)
        self.send(viewer, told)

    def tell_the_late(self) -> None:
        for told in self.late.due(self.state == "over"):
            self.story.tell(ALL, told)
            self.send(ALL, told)

    def send(self, viewer: str, told: Told) -> None:
        text = None
        for client, player in self.clients.values():
            if self.viewer(player) == viewer:
                text = text or told.text(self.code, self.times(viewer))
                client.send(text)

    def viewer(self, player: int | None) -> str | None:
        """As whom a page sees the table; None where it may not see it."""
        if player is not None:
            return str(player)
        return ALL if self.setup.spectators else None

    def times(self, viewer: str) -> Times:
        """What lasts now, for a viewer."""
        if viewer == ALL:
            return Times()
        now, hold = time.monotonic(), self.hold
        lasts = None if hold is None else (max(0, round((hold.until - now) * 1000)), round(hold.of * 1000))
        is_pause = hold is not None and hold.is_pause
        return Times(None if is_pause else lasts, lasts if is_pause else None, self.clock(viewer, now))

    def clock(self, viewer: str, now: float) -> tuple[int, int] | None:
        """Whose time to answer runs, and how long it still does."""
        question, seconds = self.question, self.setup.move_seconds
        if question is None or seconds is None:
            return None
        runs = [player for player in question.told_to(viewer) if self.seats[player].bot is None]
        player = int(viewer) if int(viewer) in runs else next(iter(runs), None)
        due = None if player is None else self.due_of(player)
        return None if player is None or due is None else (player, max(0, round((due - now) * 1000)))

    def tell_info(self) -> None:
        """Everybody is told how the table stands."""
        for client, player in self.clients.values():
            client.tell({"say": "info", "table": self.code, "info": self.info(client, player)})

    def info(self, client: Client | None = None, player: int | None = None) -> Plain:
        """How the table stands: TableInfo."""
        return info_of(self.row, [seat.to_json() for seat in self.seats.all]) | {
            "host": client is not None and client.person.id == self.row.host,
            "me": player,
            "state": self.state,
            "hand": self.hand + (self.state == "playing"),
            "scores": self.scores,
            "watching": sum(other is None for _, other in self.clients.values()),
            "problem": None if self.problem is None else dict(by_language(self.problem)),
        }

    def table(self, client: Client, id: Id = None) -> Plain:
        """The message `table`: all that a page needs to draw it."""
        player = self.clients[client.id][1]
        told = {"say": "table", **({} if id is None else {"id": id}), "table": self.code}
        return {
            **told,
            "info": self.info(client, player),
            "about_digest": self.row.digest,
            "token": None if player is None else self.token(client, player),
            "pressed": [] if player is None else list(self.seats[player].pressed),
            **self.seen(self.viewer(player)),
        }

    def seen(self, viewer: str | None) -> Plain:
        """The table as a viewer saw it last."""
        last = None if viewer is None else self.story.last.get(viewer)
        if last is None or viewer is None:
            return {"seq": 0, "view": None, "asked": [], "story": [], "result": None, **Times().to_json()}
        return {
            **{"seq": last.seq, "view": Raw(last.view), "asked": list(last.asked)},
            **{"story": self.story.events(viewer), "result": self.shown_result(last)},
            **self.times(viewer).to_json(),
        }

    def shown_result(self, last: Told) -> Plain | None:
        """The result that a page shows when it comes: of the moment, or of the end."""
        return self.result if self.state == "over" else last.result

    def token(self, client: Client, player: int) -> str | None:
        """The secret of the seat's link, for its person alone."""
        return client.seat_token(self.code, player) if self.is_own(client, player) else None

    def is_own(self, client: Client, player: int) -> bool:
        return self.seats[player].row.person == client.person.id

    # --- who is here

    async def join(self, client: Client, message: Join) -> None:
        """A page wants to be told of the table."""
        player = self.seats.of_person(client.person)
        if message.seat is not None:
            player = self.seats.of_token(hashed(message.seat))
            if player is None:
                raise sayings.not_allowed("this link gives no seat back", "這個連結已經不能取回座位")
        self.attach(client, player)
        if player is not None and self.is_own(client, player):
            await self.keep_token(client, player)
        client.send(table_text(self.table(client, message.id)))
        self.tell_info()
        await self.start_if_all_are_here()

    async def keep_token(self, client: Client, player: int) -> None:
        """The secret link of a seat is known to the database."""
        token_hash = hashed(client.seat_token(self.code, player))
        row = self.seats[player].row
        if row.token_hash != token_hash:
            self.seats[player].row = await self.host.store.set_seat(replace(row, token_hash=token_hash))

    def attach(self, client: Client, player: int | None) -> None:
        """A page is open at the table; whose seat it shows is played by its person again."""
        if not self.clients:
            self.awake_since = time.monotonic()
        self.unseat(client)
        self.clients[client.id] = (client, player)
        if player is not None:
            self.seats[player].clients.add(client.id)
            self.seats[player].taken_over = False
            if self.question is not None and player not in self.question.held:
                self.question.thought.pop(player, None)

    def detach(self, client: Client) -> None:
        if client.id in self.clients:
            self.unseat(client)
            del self.clients[client.id]
            if not self.clients:
                self.empty_since = time.monotonic()
            self.tell_info()

    def unseat(self, client: Client) -> None:
        """A page shows its seat no more."""
        _, player = self.clients.get(client.id, (client, None))
        if player is None:
            return
        seat = self.seats[player]
        seat.clients.discard(client.id)
        if not seat.clients:
            seat.left = time.monotonic()
            self.stop_waiting_for(player)

    async def call(self, person: int, name: str) -> None:
        """A person at this table is called otherwise."""
        for seat in self.seats.all:
            if seat.is_persons and seat.row.person == person and seat.row.name != name:
                seat.row = await self.host.store.set_seat(replace(seat.row, name=name))
                self.host.changed(self)
                self.tell_info()

    async def sit(self, client: Client, message: Sit) -> None:
        seat = self.seat(message.player)
        now = self.seats.of_person(client.person)
        if now != message.player:
            if seat.row.kind != "person" or not seat.is_free:
                raise sayings.seat_taken()
            if self.row.state in ("over", "broken"):
                raise sayings.not_allowed("this table is over", "這一桌已經結束")
            if now is not None and self.row.state == "playing":
                raise sayings.not_allowed("the game has begun: keep your seat", "遊戲已經開始，不能換座位")
            if now is not None:
                await self.give_up(now)
            await self.take_seat(client, message.player)
        self.attach_person(client.person.id)
        client.send(table_text(self.table(client, message.id)))
        self.host.changed(self)
        self.tell_info()
        await self.start_if_all_are_here()

    async def take_seat(self, client: Client, player: int) -> None:
        """A free seat belongs to a person."""
        person, token = client.person, hashed(client.seat_token(self.code, player))
        row = replace(self.seats[player].row, person=person.id, name=person.name, token_hash=token)
        self.seats.all[player] = Seat(await self.host.store.set_seat(row))

    def attach_person(self, person: int) -> None:
        """Every page of a person shows the seat that is the person's."""
        for client, _ in list(self.clients.values()):
            if client.person.id == person:
                self.attach(client, self.seats.of_person(client.person))

    def seat(self, player: int) -> Seat:
        """A seat of this table. Raises Refused."""
        if player >= len(self.seats):
            raise sayings.bad_message(f"this table has {len(self.seats)} seats", f"這一桌有 {len(self.seats)} 個座位")
        return self.seats[player]

    async def give_up(self, player: int) -> None:
        """A seat is free again; pages that showed it look on."""
        seen = list(self.seats[player].clients)
        row = self.seats.replace(player, person=None, name="", token_hash=None)
        await self.host.store.set_seat(row)
        await self.put_buttons(player, ())
        self.stop_waiting_for(player)
        for id in seen:
            self.clients[id] = (self.clients[id][0], None)

    async def stand(self, client: Client, message: Stand) -> None:
        player = self.seats.of_person(client.person)
        if player is None:
            raise sayings.not_seated()
        seen = [self.clients[id][0] for id in self.seats[player].clients]
        await self.give_up(player)
        for other in seen:
            other.send(table_text(self.table(other, message.id if other is client else None)))
        self.host.changed(self)
        self.tell_info()

    # --- what a host may do

    def check_host(self, client: Client) -> None:
        """Raises Refused."""
        if client.person.id != self.row.host:
            raise sayings.not_host()

    async def start_now(self, client: Client, message: Start) -> None:
        self.check_host(client)
        if self.row.state == "waiting":
            for seat in self.seats.all:
                if seat.is_free:
                    await self.change_seat(seat.row.player, SeatSetup("bot", STAND_IN))
            await self.start()
        client.done(message.id, self.code)

    async def set_seat(self, client: Client, message: Set) -> None:
        self.check_host(client)
        self.seat(message.player)
        if self.row.state != "waiting":
            raise sayings.not_allowed("the game has begun", "遊戲已經開始")
        if not self.seats[message.player].is_free and self.seats[message.player].is_persons:
            await self.give_up(message.player)
        await self.change_seat(message.player, message.seat)
        client.done(message.id, self.code)
        self.host.changed(self)
        self.tell_info()
        if any(seat.is_persons for seat in self.seats.all):
            await self.start_if_all_are_here()

    async def change_seat(self, player: int, kind: SeatSetup) -> None:
        """Somebody else is to sit there."""
        row = self.seats.replace(player, kind=kind.kind, bot=kind.bot, person=None, name="", token_hash=None)
        await self.host.store.set_seat(row)

    async def again(self, client: Client, message: Again) -> None:
        """A new table for the same people; who asks first makes it."""
        if self.clients[client.id][1] is None:
            raise sayings.not_seated()
        if self.state not in ("over", "broken"):
            raise sayings.not_allowed("this table is not over", "這一桌還沒有結束")
        if self.row.next is None:
            code = await self.host.again(self, client)
            self.row = await self.host.store.set_state(self.row.id, self.row.state, next=code)
        if message.id is not None:
            client.tell({"say": "again", "id": message.id, "table": self.code, "next": self.row.next})
        self.tell_info()

    # --- what players do

    def player_of(self, client: Client) -> int:
        """The player that a page shows. Raises Refused."""
        player = self.clients[client.id][1]
        if player is None:
            raise sayings.not_seated()
        return player

    def answer(self, client: Client, message: Answer) -> None:
        """A player answers; while a claim window lasts, nobody learns of it."""
        player = self.player_of(client)
        if self.row.state == "broken":
            raise sayings.broken(self.problem or sayings.went_wrong().message)
        question = self.question
        if question is None or player not in question.open:
            raise sayings.stale() if message.seq < self.seq else sayings.not_your_turn()
        if message.seq != question.seq:
            raise sayings.stale()
        last = self.story.last[str(player)]
        if self.hold is not None and not is_allowed(last.view, message.move):
            raise sayings.no_such_move()
        if self.hold is None:
            question.held[player] = Held(dict(message.move), client, message.id)
            return
        question.held[player] = Held(dict(message.move), client)
        self.stop_waiting_for(player)
        client.done(message.id, self.code)
        self.tell(str(player), last.answered(player))

    def ready(self, client: Client, message: Ready) -> None:
        """A player wants to go on."""
        player = self.player_of(client)
        if self.question is not None and player in self.question.open and message.seq == self.seq:
            raise sayings.not_allowed("you are asked: answer", "現在輪到你回答")
        if message.seq == self.seq:
            self.stop_waiting_for(player)
        client.done(message.id, self.code)

    async def press(self, client: Client, message: Press) -> None:
        await self.put_buttons(self.player_of(client), message.on)
        client.done(message.id, self.code)

    async def put_buttons(self, player: int, on: tuple[str, ...]) -> None:
        """These buttons of a seat are on, all others off."""
        self.seats[player].pressed = on
        if self.housed is not None and self.row.state == "playing":
            try:
                self.buttons = (await self.housed.press(player, on)).buttons
            except HouseLost:
                await self.reopen()

    # --- help

    def help(self, client: Client, message: Help) -> None:
        """Advice for a player; it comes when it has been thought of, and keeps nobody waiting."""
        player = self.player_of(client)
        if not self.setup.help:
            raise sayings.not_allowed("there is no help at this table", "這一桌沒有提示")
        if self.row.state != "playing":
            raise sayings.not_allowed("nothing is played", "遊戲沒有進行")
        if self.hold is not None and self.hold.is_pause:
            raise sayings.not_allowed("the next hand has not begun", "下一局還沒有開始")
        if client.id in self.helped:
            raise sayings.too_fast()
        self.helped.add(client.id)
        self.questions.append((client, player, message))

    def give_advice(self) -> None:
        """Who asked is advised, once the game is not ahead of what that player was told."""
        for one in list(self.questions):
            client, player, message = one
            if not self.is_ahead_of(player):
                self.questions.remove(one)
                self.run_beside(self.advise(client, player, message))

    def is_ahead_of(self, player: int) -> bool:
        """The game has gone on, or seems to: while a claim window lasts, only who may claim knows that it has not."""
        is_asked = self.question is not None and player in self.question.players
        return bool(self.queue) or (self.hold is not None and not is_asked)

    async def advise(self, client: Client, player: int, message: Help) -> None:
        told, known = {"say": "help", "table": self.code, "what": message.what}, self.known
        try:
            found = await self.thinker.help(message.what, player, client.lang)
            if self.known != known and self.is_ahead_of(player):
                client.refuse(sayings.stale(), message.id, self.code)
                return
            client.tell(told | ({} if message.id is None else {"id": message.id}) | {"found": found})
        except (Illegal, Broken) as error:
            client.refuse(sayings.not_allowed(str(error), error.reason.get("zh", str(error))), message.id, self.code)
        except (BadSpec, Full, HouseLost, StoreError) as error:
            LOG.warning("table %s: no advice: %s", self.code, error)
            client.refuse(sayings.went_wrong(), message.id, self.code)
        finally:
            self.helped.discard(client.id)

    def run_beside(self, doing: Coroutine[Any, Any, None]) -> None:
        """Something that takes long, and that the table does not wait for."""
        task = asyncio.create_task(doing)
        self.running.add(task)
        task.add_done_callback(self.running.discard)
