"""The page in a browser: rulebooks, the first game, moves as they are seen, frames while tiles travel.

By the clock, in a real Chromium without a window and with a server of its own on the same machine: nothing else should
run there. A round is a fresh person, but for rulebooks, which a warm server and a warm browser show again.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from measuring import ROOT, Contender, Group, Scale

from tilewright.authoring.open_rules import bundled

WIDE = {"width": 1280, "height": 800}
PLAY = ".cta .main"
LAID = ".hand-tile svg"
ANSWERS = 12  # of the person, in a round
DRAWN = 500  # ms until the tiles of a rulebook are drawn, too
PAUSE = 400  # ms between them
SHORT = 17.0  # ms of a frame, at 60 a second
KILO = 1000
SHOWN = """selector => new Promise(resolve => {
  const look = () => {
    const [opened] = performance.getEntriesByType('navigation');
    if (document.querySelector(selector)) requestAnimationFrame(() => resolve(performance.now() - opened.startTime));
    else requestAnimationFrame(look);
  };
  look();
})"""
# From a step, as the socket gives it, to the end of the frame that shows what it changed; the time between two frames
# during which something travels.
WATCH = """() => {
  const seen = (window.measured = { shown: [], frames: [] });
  let came = null;
  const { port1, port2 } = new MessageChannel(); // its messages follow the frame
  port1.onmessage = () => {
    if (came !== null) seen.shown.push(performance.now() - came);
    came = null;
  };
  new MutationObserver(() => {
    if (came !== null) requestAnimationFrame(() => port2.postMessage(null));
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  window.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', ({ data }) => {
        if (came === null && JSON.parse(data).say === 'step') came = performance.now();
      });
    }
  };
  let last = null;
  const frame = (now) => {
    const travels = document.querySelector('.flyer') !== null;
    if (travels && last !== null) seen.frames.push(now - last);
    last = travels ? now : null;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}"""
CLICKED = """([button, selector]) => new Promise(resolve => {
  const began = performance.now();
  const look = () => {
    if (document.querySelector(selector)) requestAnimationFrame(() => resolve(performance.now() - began));
    else requestAnimationFrame(look);
  };
  document.querySelector(button).click();
  look();
})"""


def groups(scale: Scale) -> Iterator[Group]:
    """The questions of this suite; none without a browser."""
    sys.path.append(str(ROOT / "tests"))
    try:
        from web_server import browser_path, browsing, serving
    except ModuleNotFoundError:
        return
    if browser_path() is None:
        return
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        server = stack.enter_context(serving(folder))
        browser = stack.enter_context(stack.enter_context(browsing()).used())
        yield from of_browser(Visits(browser, server.url, scale.of(ANSWERS)))


def of_browser(visits: "Visits") -> Iterator[Group]:
    ids = bundled("ruleset")
    shown = [Contender(id, partial(visits.rulebook, id)) for id in ids]
    yield Group("rulebooks", "rulebook pages shown again, by a warm server", "ms", shown)
    elements = [Contender(id, partial(visits.elements, id)) for id in ids]
    yield Group("elements", "elements of a rulebook before its sections are opened", "elements", elements, rounds=1)

    def figures(group: str, title: str, unit: str, **of: Callable[["FirstGame"], float]) -> Group:
        named = {name.replace("_", " "): partial(visits.figure, one) for name, one in of.items()}
        return Group(group, title, unit, [Contender(name, figure) for name, figure in named.items()])

    yield figures(
        "bytes",
        "from the first page to a laid table, as it is sent",
        "kB",
        requests=lambda game: game.requested / KILO,
        sockets=lambda game: game.said / KILO,
        together=lambda game: (game.requested + game.said) / KILO,
    )
    yield figures(
        "moves",
        "a first game",
        "ms",
        click_to_laid_table=lambda game: game.laid,
        message_to_shown_move=lambda game: median(game.shown),
        the_slowest_of_them=lambda game: max(game.shown),
        longest_frame_of_travels=lambda game: max(game.frames),
    )
    yield figures(
        "frames",
        f"frames while tiles travel, of at most {SHORT:.0f} ms",
        "%",
        frames=lambda game: 100 * sum(one <= SHORT for one in game.frames) / len(game.frames),
    )


@dataclass
class FirstGame:
    """The first game of a person. Bytes that came by requests and by the socket, until the table was laid; milliseconds
    from the click until then, from each step's message until it was shown, and between frames while tiles travel."""

    requested: int = 0
    said: int = 0
    laid: float = 0.0
    shown: list[float] = field(default_factory=list)
    frames: list[float] = field(default_factory=list)


@dataclass
class Visits:
    """Visits of a page; the first game of a round is played once for all questions. `answers`: of the person in it."""

    browser: Any
    url: str
    answers: int
    games: dict[int, FirstGame] = field(default_factory=dict)

    # --- rulebooks

    @cached_property
    def reader(self) -> Any:
        """A page that reads rulebooks."""
        return self.browser.new_context(locale="en-US", viewport=WIDE).new_page()

    def rulebook(self, id: str, turn: int) -> float:
        """Milliseconds until it is shown."""
        self.reader.goto(f"{self.url}/rules/{id}", wait_until="commit")
        shown: float = self.reader.evaluate(SHOWN, ".book details")
        return shown

    def elements(self, id: str, turn: int) -> float:
        self.rulebook(id, turn)
        self.reader.wait_for_timeout(DRAWN)
        count: float = self.reader.evaluate("document.querySelectorAll('#app *').length")
        return count

    # --- games

    def figure(self, of: Callable[[FirstGame], float], turn: int) -> float:
        if turn not in self.games:
            self.games[turn] = self.first_game()
        return of(self.games[turn])

    def first_game(self) -> FirstGame:
        """A fresh person opens the first page, plays now, and answers so often."""
        from test_web_table import CHOOSE

        context = self.browser.new_context(locale="en-US", viewport=WIDE, service_workers="block")
        page, game = context.new_page(), FirstGame()
        count_bytes(context.new_cdp_session(page), game)
        page.add_init_script(f"({WATCH})()")
        page.goto(self.url)
        page.wait_for_selector(".live .take")
        page.wait_for_load_state("networkidle")
        game.laid = page.evaluate(CLICKED, [PLAY, LAID])
        laid = replace(game)
        page.evaluate("measured.frames.length = measured.shown.length = 0")
        answered = 0
        while answered < self.answers and (place := page.evaluate(f"({CHOOSE})()")) != "result":
            if isinstance(place, list):
                page.mouse.click(*place)
                answered += 1
            page.wait_for_timeout(PAUSE)
        found = page.evaluate("measured")
        context.close()
        return replace(laid, shown=found["shown"] or [0.0], frames=found["frames"] or [0.0])


def count_bytes(session: Any, game: FirstGame) -> None:
    """Count in the game what the page is sent."""

    def came(message: Any) -> None:
        game.requested += message["encodedDataLength"]

    def said(message: Any) -> None:
        game.said += len(message["response"]["payloadData"].encode())

    session.send("Network.enable")
    session.on("Network.loadingFinished", came)
    session.on("Network.webSocketFrameReceived", said)
