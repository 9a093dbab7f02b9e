"""The window: a session in full screen, played with keys and mouse. Knows the layout and the keys, but no rules."""

import asyncio
import os
import signal
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from threading import Timer
from time import monotonic
from typing import ClassVar

from rich.text import Text
from textual import events, work
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll

from tilewright.play.model import IllegalMove, Move
from tilewright.play.view import View
from tilewright.presentation.names import ActionEntry, main_entry
from tilewright.terminal.drawn_table import MOST_REFUSED, DrawnTable
from tilewright.terminal.seats import end_text, ended_lines, over_text, standing_lines
from tilewright.terminal.session import PASSING, GameNews, KeyedEntries, key_lines
from tilewright.terminal.widgets import HandWidget, Keys, Menu, PickPanel, TextPanel

GRACE = 3.0  # seconds for a window to close by itself
AT_ONCE = 0.1  # seconds between two checks of players who do not wait
LEAST_PACE, MOST_PACE = 0.05, 6.4
READING_TIME = 8  # times the pace: how long spectators see the end of a hand
READING_LEAST = 2.0  # seconds
ALWAYS = ("leave", "stop")
KEYS = (  # in the help of a player
    *(
        "step",
        "rack",
        "mark",
        "enter",
        "offers",
        "mouse",
        "hint",
        "waits",
        "nearest",
        "refused",
        "story",
        "buttons",
        "sort",
    ),
    *("tiles", "pace", "scroll", "leave"),
)
WATCHED = ("stop", "one_step", "hands", "story", "tiles", "pace", "scroll", "leave")  # in that of a spectator
FAILURES = (OSError,)


class TableWindow(DrawnTable):
    """A session in full screen, played."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)"),
        Binding("right", "step(1)"),
        Binding("home", "jump(0)"),
        Binding("end", "jump(-1)"),
        Binding("shift+left", "carry(-1)"),
        Binding("shift+right", "carry(1)"),
        Binding("up", "scroll(-1)"),
        Binding("down", "scroll(1)"),
        Binding("pageup", "scroll(-8)"),
        Binding("pagedown", "scroll(8)"),
        Binding("m,shift+up,shift+down", "change_rack"),
        Binding("space", "mark"),
        Binding("enter", "enter"),
        Binding("escape", "step_back"),
        Binding("question_mark", "help"),
        Binding("h", "hint"),
        Binding("w", "waits"),
        Binding("n", "nearest"),
        Binding("r", "refused"),
        Binding("l", "story"),
        Binding("b", "buttons"),
        Binding("s", "sort"),
        Binding("t", "tiles"),
        Binding("v", "hands"),
        Binding("plus,equals_sign", "pace(0.5)"),
        Binding("minus", "pace(2)"),
        Binding("q,ctrl+q", "leave"),
        Binding("ctrl+c", "stop", priority=True),
    ]

    def on_mount(self) -> None:
        for name in ("SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                with suppress(NotImplementedError, RuntimeError, ValueError):  # a loop may take none
                    asyncio.get_running_loop().add_signal_handler(getattr(signal, name), self.end)
        self.play()

    def end(self) -> None:
        """Leave on request from outside; without restoring the screen if that is gone."""
        last = Timer(GRACE, os._exit, (128 + signal.SIGINT,))
        last.daemon = True
        last.start()
        self.action_stop()

    # --- the game continues

    @work(exclusive=True)
    async def play(self) -> None:
        """Carry out the answers of others and wait for the player, to the end of the match."""
        while not self.session.over:
            self.ask()
            if self.asked is None and not self.manner.paused:
                await self.one_step()
                continue
            self.draw()
            self.wake.clear()
            await self.wake.wait()
        self.asked = None
        self.draw()
        over = over_text(self.session)
        await self.push_screen_wait(TextPanel(over, standing_lines(self.session)))
        self.show_message("terminal.over_leave", over=over)

    async def one_step(self) -> None:
        """The outcome of the next answer of others that has anything to show."""
        news: GameNews | None = GameNews()
        while news is not None and not news.lines:
            async with self.stepping:
                try:
                    news = await asyncio.to_thread(self.session.advance)
                except FAILURES as failure:
                    self.fail(failure)
                    return
        if news is not None:
            await self.show_news(news)

    def fail(self, failure: Exception) -> None:
        """The game cannot continue here: leave, and let the caller report it."""
        self.failure = failure
        self.exit("failed")

    async def show_news(self, news: GameNews) -> None:
        """Show the outcome of an answer, for long enough to be seen."""
        at_once = not self.manner.pace and monotonic() < self.drawn + AT_ONCE
        if news.ended is None and at_once:
            return
        self.ask()
        self.draw()
        if news.ended is not None:
            seconds = 0.0 if self.session.me is not None else max(READING_LEAST, READING_TIME * self.manner.pace)
            lines = ended_lines(news.ended, self.session)
            await self.push_screen_wait(TextPanel(end_text(self.session), lines, seconds=seconds))
        elif news.lines and self.manner.pace and self.asked is None:
            await asyncio.sleep(self.manner.pace)

    def ask(self) -> None:
        """Read the player's current question from the table."""
        before, self.view = self.view, self.session.view()
        view = self.view
        self.refused = view.refusals
        if view.hand_number != before.hand_number:
            self.row.sort(self.session.sorts)
        self.row.hold(view.hand, view.drawn, laid_down(view, self.names.data.seats.hands))
        question = None if self.session.over else self.session.question
        if question is None:
            self.asked = None
        elif self.asked is None or self.asked.question != question:
            self.notice = []
            entries = self.names.entries(question, map(self.row.code, self.row.order))
            self.asked = KeyedEntries(question, entries, main_entry(entries))
            self.leave_barred(self.asked.active)

    def leave_barred(self, entry: ActionEntry | None) -> None:
        """Move the cursor from a tile that may not be chosen to one that may."""
        if entry is not None and entry.kind == "tiles" and entry.of_tile(self.row.current or "") is None:
            free = [code for code in map(self.row.code, self.row.order) if entry.of_tile(code) is not None]
            self.row.jump_to(free[-1] if free else "")

    @work(exclusive=True, group="answer")
    async def do(self, move: Move) -> None:
        """Answer with a move."""
        try:
            news = self.session.answer(move)
        except IllegalMove as refused:
            self.show_notice(Text(self.names.translated(refused.reason), "yellow"))
            return
        except FAILURES as failure:
            self.fail(failure)
            return
        self.asked, self.notice = None, []
        await self.show_news(news)
        self.wake.set()

    # --- keys for the hand

    def action_step(self, by: int) -> None:
        asked = self.asked
        if asked is not None and asked.active is None and asked.entries:
            last = len(asked.entries)
            asked.cursor = (0 if by > 0 else last - 1) if asked.cursor is None else (asked.cursor + by) % last
        else:
            self.row.move_cursor(by)
        self.quiet()

    def action_jump(self, place: int) -> None:
        self.row.jump(place)
        self.quiet()

    def action_carry(self, by: int) -> None:
        self.row.carry(by)
        self.quiet()

    def action_change_rack(self) -> None:
        code, rack = self.row.current, self.row.change_rack()
        if code is None or rack is None:
            self.show_message("terminal.one_rack", "dim")
        else:
            tile = self.names.tile_text(code)
            self.show_notice(self.names.filled("table.on_rack", "dim", tile=tile, rack=Text(str(rack + 1))))

    def action_mark(self) -> None:
        if self.session.me is None:
            self.manner.paused = not self.manner.paused
            self.wake.set()
        elif self.asked is not None and self.asked.active is not None and self.asked.active.pick is not None:
            self.mark(self.row.cursor)
        self.quiet()

    def mark(self, place: int) -> None:
        """Mark a tile that may be chosen."""
        legal = self.asked.legal() if self.asked else None
        if legal is not None and not legal[self.row.code(self.row.order[place])]:
            self.show_message("terminal.not_markable", "yellow")
        else:
            self.row.mark(place)

    def action_enter(self) -> None:
        """Confirm the marked tiles, or do the entry at the cursor."""
        asked = self.asked
        if self.session.me is None and self.manner.paused:
            self.run_worker(self.one_step(), group="step")
        if asked is None:
            return
        if asked.active is not None:
            self.choose(asked.active)
        elif asked.cursor is not None:
            self.choose(asked.keys()[asked.cursor][1])
        else:
            self.show_message("terminal.choose_first", "yellow")

    def action_step_back(self) -> None:
        """Back to the usual action for tiles."""
        if self.asked is not None:
            self.asked.active, self.asked.cursor = main_entry(self.asked.entries), None
            self.row.marked = set()
        self.quiet()

    # --- doing something

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """On a table that is not visible, nothing can be done but leave."""
        return not self.is_small or action in ALWAYS

    def on_key(self, event: events.Key) -> None:
        """Digits choose actions, a letter passes."""
        if not self.is_small:
            self.press(event.key)

    def press(self, key: str) -> None:
        """Choose the entry of a key."""
        key = PASSING[0] if key.lower() in PASSING else key
        entry = dict(self.asked.keys()).get(key) if self.asked else None
        if entry is not None:
            self.choose(entry)

    def choose(self, entry: ActionEntry) -> None:
        """Do an action, once its tiles are chosen."""
        assert self.asked is not None
        if entry.kind == "move" or (entry.kind == "tiles" and len(entry.moves) == 1):
            self.do(entry.moves[0])
        elif entry.kind == "list":
            self.choose_from(entry)
        elif entry.pick is not None and not self.is_in_hand(entry):
            self.pick_from(entry)
        elif entry is not self.asked.active:
            self.asked.active, self.row.marked = entry, set()
            self.quiet()
        elif entry.pick is not None:
            chosen = self.row.chosen or [self.row.current or ""][: entry.pick.least == entry.pick.most == 1]
            self.do_pick(entry, chosen)
        else:
            self.do_with_tile(entry)

    def do_with_tile(self, entry: ActionEntry) -> None:
        """Do an action with the tile at the cursor, or show why it is not allowed."""
        code = self.row.current or ""
        move = entry.of_tile(code)
        if move is not None:
            self.do(move)
            return
        refused = [one for one in self.refused if one.does == entry.does]
        why = [one for one in refused if any(text == code for choice in one.choices for _, text in choice)]
        if why:
            self.show_notice(*map(self.names.refusal_text, why[:MOST_REFUSED]))
        else:
            self.show_message("terminal.not_this", "yellow")

    def do_pick(self, entry: ActionEntry, chosen: Sequence[str]) -> None:
        """Choose several tiles, if they are as many as needed."""
        pick = entry.pick
        assert pick is not None and self.asked is not None
        if not pick.least <= len(chosen) <= pick.most:
            asked = self.names.pick_label(pick).plain
            self.show_message("terminal.marked", "yellow", asked=asked, count=len(chosen))
        else:
            self.do(pick.move(self.asked.question.seat, list(chosen)))

    def is_in_hand(self, entry: ActionEntry) -> bool:
        """Whether every tile that may be chosen is in the own hand."""
        held = Counter(map(self.row.code, self.row.order))
        return entry.pick is not None and not Counter(entry.pick.tiles) - held

    @work(exclusive=True, group="panel")
    async def choose_from(self, entry: ActionEntry) -> None:
        """One of several moves, from a list."""
        texts = [self.names.move_text(move) for move in entry.moves]
        chosen = await self.push_screen_wait(Menu(entry.label.plain, texts, self.names.say("terminal.choose")))
        if chosen is not None:
            self.do(entry.moves[chosen])

    @work(exclusive=True, group="panel")
    async def pick_from(self, entry: ActionEntry) -> None:
        """Several tiles that are not all in the hand, from a list."""
        assert entry.pick is not None
        texts = [self.names.tile_text(tile) for tile in entry.pick.tiles]
        panel = PickPanel(self.names.pick_label(entry.pick).plain, texts, self.names.say("terminal.pick"))
        chosen = await self.push_screen_wait(panel)
        if chosen is not None:
            self.do_pick(entry, [entry.pick.tiles[place] for place in chosen])

    # --- mouse

    def on_hand_widget_clicked(self, event: HandWidget.Clicked) -> None:
        """The first click on a tile selects it, the second chooses it; if several are to be chosen, a click marks."""
        again = event.place == self.row.cursor
        self.row.jump(event.place)
        active = self.asked.active if self.asked else None
        if active is not None and active.pick is not None:
            self.mark(event.place)
        elif active is not None and again:
            self.choose(active)
            return
        self.quiet()

    async def on_keys_clicked(self, event: Keys.Clicked) -> None:
        """A click on a key acts as that key."""
        signs = {"?": "question_mark", "+": "plus", "-": "minus"}
        if event.key.lower() in PASSING or event.key.isdecimal():
            self.press(event.key)
        else:
            self.simulate_key(signs.get(event.key, event.key.lower()))

    def action_scroll(self, lines: int) -> None:
        self.part("#seats", VerticalScroll).scroll_relative(y=lines, animate=False)

    # --- advice

    @work(exclusive=True, group="advice")
    async def action_hint(self) -> None:
        """Show what a fast bot would do and move the cursor there."""
        if self.asked is None:
            self.show_message("terminal.not_asked", "dim")
            return
        self.show_message("terminal.thinking", "dim")
        move = await asyncio.to_thread(self.advice.hint, self.view)
        self.point_at(move)
        self.show_notice(self.names.filled("terminal.hint", "bold", move=self.names.move_text(move)))

    def point_at(self, move: Move) -> None:
        """Put the cursor, or the marks, on what a move chooses."""
        active = self.asked.active if self.asked else None
        if active is None or active.does != move.does or not move.choice:
            return
        chosen = move.choice[-1][1].split()
        if active.pick is not None and chosen:
            self.row.mark_all(chosen)
        elif len(chosen) == 1:
            self.row.jump_to(chosen[0])

    def action_waits(self) -> None:
        self.advise("table.waits", self.advice.waits)

    def action_nearest(self) -> None:
        if self.advice.has_cards:
            self.advise("table.nearest", self.advice.nearest)
        else:
            self.show_message("terminal.no_card", "yellow")

    @work(exclusive=True, group="advice")
    async def advise(self, heading: str, ask: Callable[[View], list[Text]]) -> None:
        """Show a panel of advice about the own hand."""
        if self.view.seat is None:
            return
        self.show_message("terminal.thinking", "dim")
        lines = await asyncio.to_thread(ask, self.view)
        self.quiet()
        await self.push_screen_wait(TextPanel(self.names.say(heading), lines))

    def action_refused(self) -> None:
        """Show everything that is refused, and why."""
        lines = [self.names.refusal_text(refusal) for refusal in self.refused]
        lines = lines or [Text(self.names.say("terminal.all_allowed"), "dim")]
        self.push_screen(TextPanel(self.names.say("table.why_not"), lines))

    def action_story(self) -> None:
        lines = self.session.story or [Text(self.names.say("terminal.nothing_yet"), "dim")]
        self.push_screen(TextPanel(self.names.say("terminal.story"), lines, at_end=True))

    def action_help(self) -> None:
        keys = KEYS if self.session.me is not None else WATCHED
        left_out = {"rack"} if self.names.data.seats.hands == 1 else set()
        lines = key_lines((f"terminal.key_{key}" for key in keys if key not in left_out), self.names)
        self.push_screen(TextPanel(self.names.say("base.keys"), lines))

    # --- preferences

    @work(exclusive=True, group="panel")
    async def action_buttons(self) -> None:
        """Switch the buttons that answer for the player."""
        session = self.session
        if not session.buttons or session.me is None:
            self.show_message("terminal.no_buttons", "dim")
            return
        while True:
            texts = [
                Text(f"{'[x]' if button.id in session.pressed else '[ ]'} {self.names.name_of(button.id, button.name)}")
                for button in session.buttons
            ]
            menu = Menu(self.names.say("terminal.buttons"), texts, self.names.say("terminal.choose"))
            chosen = await self.push_screen_wait(menu)
            if chosen is None:
                break
            self.session.press(session.buttons[chosen].id)
        self.row.sort(session.sorts)
        self.asked = None
        self.wake.set()

    def action_sort(self) -> None:
        """Sort the hand or stop sorting; with the game's button for it, if it has one."""
        self.session.sort(not self.row.is_sorted)
        self.row.sort(self.session.sorts)
        self.show_message("terminal.sorted" if self.session.sorts else "terminal.unsorted", "dim")

    def action_tiles(self) -> None:
        """Switch between pictures and letters for tiles."""
        self.session.word(replace(self.names, pictured=not self.names.pictured))
        self.asked = None
        self.ask()
        self.quiet()

    def action_hands(self) -> None:
        self.manner.hands_shown = not self.manner.hands_shown
        self.quiet()

    def action_pace(self, times: float) -> None:
        self.manner.pace = min(MOST_PACE, max(LEAST_PACE, (self.manner.pace or LEAST_PACE) * times))
        self.show_message("terminal.pace", "dim", seconds=f"{self.manner.pace:g}")

    # --- leaving

    @work(exclusive=True, group="panel")
    async def action_leave(self) -> None:
        """Leave, if the player confirms it."""
        if self.session.over or self.session.me is None:
            self.exit("left")
            return
        options = [Text(self.names.say("terminal.leave_yes")), Text(self.names.say("terminal.stay"))]
        menu = Menu(self.names.say("terminal.leave"), options, self.names.say("terminal.choose"))
        if await self.push_screen_wait(menu) == 0:
            self.exit("left")

    def action_stop(self) -> None:
        self.exit("stopped")


def laid_down(view: View, hands: int) -> tuple[int | None, ...]:
    """How many tiles the own hands have laid down, each; None for one that is finished or dead."""
    if view.seat is None or hands == 1:
        return (0,)
    open_hands, melds = view.open_hands(view.seat), view.melds(view.seat)
    laid = {number: sum(len(one.tiles) for one in melds if one.hand == number) for number in open_hands}
    return tuple(laid.get(number) for number in range(1, hands + 1))
