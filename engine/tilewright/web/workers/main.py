"""A worker: a process that runs games and jobs. Requests and replies go over its stdin, a socket.

`python -m tilewright.web.workers.main FOLDER LIMITS`: a private folder, and its limits as JSON. Requests are served one
after another; each has a limit of processor time, after which the kernel ends the process. It exits when the server has
gone. Knows no server, no person and no database.

A job is plain data in, plain data or a text out, and may raise BadSpec. Its module is imported on first use, since most
workers do one kind of job.
"""

import faulthandler
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from errno import ENOMEM
from importlib import import_module
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any

import jsonschema_rs  # noqa: F401  # before memory is limited: a first document needs it
import msgspec
from msgspec import Raw

from tilewright.base.garbage import spare_what_stays
from tilewright.language.documents import library
from tilewright.play.chance import HandSeeds, TableSecret
from tilewright.play.log import LogError, read_log
from tilewright.play.match import Match
from tilewright.play.model import IllegalMove, move_json
from tilewright.play.resume import move_of, resume
from tilewright.play.rules import Rules
from tilewright.play.view import View
from tilewright.players.player import BOTS, Bot
from tilewright.presentation.catalogue import translations
from tilewright.presentation.rules_data import about_json
from tilewright.presentation.seat_advice import HELPS, help_json
from tilewright.web.jobs.session import WorkerSession
from tilewright.web.protocol.moments import GameStep
from tilewright.web.protocol.shape import json_bytes
from tilewright.web.protocol.spec import BadSpec, bad, keep_cache_apart, read_spec, rules_of
from tilewright.web.workers import wire
from tilewright.web.workers.wire import frame_of, packed, read_frame

Plain = dict[str, Any]
MEMORY = translations("server.table_memory")
TOO_DEEP = translations("server.table_too_deep")
FAILED = translations("server.table_failed")
OTHER_LOG = translations("server.table_other_log")


class GameWorker:
    """The games of this process, by the server's numbers; `known`: digests of rules that were read."""

    def __init__(self) -> None:
        self.known: set[str] = set()
        self.games: dict[int, WorkerTable] = {}

    def serve(self, request: wire.AnyRequest) -> wire.Reply:
        """The reply to a request."""
        try:
            return wire.Reply(found=Raw(json_bytes(self.do(request))))
        except BadSpec as error:
            return wire.Reply(problems=error.problems)
        except IllegalMove as error:
            return wire.Reply(illegal=dict(error.reason))
        except wire.GameFailed as error:
            return wire.Reply(broken=error.reason)
        except MemoryError:
            return wire.Reply(broken=MEMORY, leaves=True)
        except RecursionError:
            return wire.Reply(broken=TOO_DEEP)
        except Exception as error:
            if isinstance(error, OSError) and error.errno == ENOMEM:  # while cleaning up after a MemoryError
                return wire.Reply(broken=MEMORY, leaves=True)
            traceback.print_exc()
            return wire.Reply(broken=FAILED)

    def do(self, request: wire.AnyRequest) -> object:
        """The result of a request. Raises BadSpec, IllegalMove, GameFailed."""
        match request:
            case wire.OpenGame():
                return self.open(request)
            case wire.DescribeRules(table=table):
                return packed(about_json(self.games[table].rules))
            case wire.BeginGame(table=table):
                return self.games[table].opening()
            case wire.AnswerQuestion(table=table, player=player, move=move):
                return self.games[table].session.answer(player, move)
            case wire.PressButtons(table=table, player=player, buttons=buttons):
                return self.games[table].session.press(player, buttons)
            case wire.FollowLog(table=table, lines=lines):
                self.games[table].follow(lines)
            case wire.PrepareBots(table=table, bots=bots):
                self.games[table].prepare(bots)
            case wire.ChooseMove(table=table, bot=bot, player=player, seed=seed):
                return self.games[table].choose(bot, player, seed)
            case wire.Advise(table=table, what=what, player=player):
                return self.games[table].help(what, player)
            case wire.CloseGame(table=table):
                self.games.pop(table, None)
            case wire.DoJob(name=name, payload=payload, pack=pack):
                found = job_called(name)(payload)
                return packed(found) if pack else found
            case wire.CountGames():
                return len(self.games)
        return None

    def open(self, request: wire.OpenGame) -> wire.GameOpened:
        """A game of a spec, or of a log."""
        game = self.games[request.table] = WorkerTable(request)
        program = game.game.program
        digest = program.data.text_digest
        if digest not in self.known:
            self.known.add(digest)
            spare_what_stays()
        return wire.GameOpened(digest, program.count, tuple(program.names[:-1]))


class WorkerTable:
    """One game with its rules, and the bots that think about it."""

    def __init__(self, request: wire.OpenGame) -> None:
        spec = read_spec(request.spec)
        self.rules = rules_of(spec, request.kept)
        seeds = None if request.secret is None else TableSecret(request.secret)
        if request.log:
            game, names = resumed(self.rules, request.log, seeds)
        else:
            seed = (spec.seed or 0) if seeds is None else seeds
            game, names = self.rules.game(seed, hands=spec.hands, pausing=True), request.players
        self.session = WorkerSession(game, names)
        self.log = request.log
        self.bots: dict[tuple[str, int], Bot] = {}

    @property
    def game(self) -> Match:
        return self.session.game

    def opening(self) -> GameStep:
        """The state of the table, after checking that the replay matches the log. Raises GameFailed."""
        known, self.log = tuple(self.log), ()
        step = self.session.opening(taken_up=bool(known))
        if step.lines[: len(known)] != known:
            raise wire.GameFailed(OTHER_LOG)
        return msgspec.structs.replace(step, lines=step.lines[len(known) :])

    def follow(self, lines: Sequence[str]) -> None:
        """Repeat here what was answered elsewhere. Raises GameFailed."""
        for line in lines:
            content = json.loads(line)
            if content.get("event") == "answers":
                self.go_on()
                try:
                    moves = [move_of(self.game, name, one) for name, one in content["answers"].items()]
                    self.game.answer_together(moves)
                except IllegalMove:
                    raise wire.GameFailed(OTHER_LOG) from None
        self.go_on()

    def go_on(self) -> None:
        """Play to the next question, or the end."""
        while not self.game.asked and not self.game.over:
            self.game.run()

    def prepare(self, names: Sequence[str]) -> None:
        """Have each bot choose a move in a game that nobody plays: with the first, it gets to know the rules, which may
        take a second."""
        for name in names:
            game = self.rules.game(0, hands=1)
            if game.asked:
                new_bot(name, self.rules, 0).choose(View(game, game.asked[0]))

    def choose(self, name: str, player: int, seed: int) -> Plain:
        """A bot's answer for a player. Raises IllegalMove if the player is not asked."""
        if (name, seed) not in self.bots:
            self.bots[name, seed] = new_bot(name, self.rules, seed)
        view = View(self.game, self.game.seat_of(player))
        if view.question is None:
            raise IllegalMove("this player is not asked")
        return dict(move_json(self.bots[name, seed].choose(view)))

    def help(self, what: str, player: int) -> Plain:
        """Advice for a player."""
        if what not in HELPS:
            raise bad(f"no help is called {what[:40]!r}")
        return help_json(self.rules, what, View(self.game, self.game.seat_of(player)))


def new_bot(name: str, rules: Rules, seed: int) -> Bot:
    """Raises BadSpec for a name that no bot has."""
    if name not in BOTS:
        raise bad(f"no bot is called {name[:40]!r}")
    return BOTS[name](rules, seed)


def resumed(rules: Rules, lines: Sequence[str], seeds: HandSeeds | None) -> tuple[Match, tuple[str, ...]]:
    """The game of a log, and its players. Raises GameFailed."""
    try:
        log = read_log("log", "".join(f"{line}\n" for line in lines))
        game = resume(log, rules, seeds)
    except LogError as error:
        traceback.print_exc()
        raise wire.GameFailed({**OTHER_LOG, "en": f"{OTHER_LOG['en']}: {error}"}) from None
    game.pausing = True
    return game, log.header.players


# --- the process


def main(arguments: Sequence[str]) -> None:
    """Serve until the server has gone."""
    folder, limits = Path(arguments[0]).resolve(), json.loads(arguments[1])
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(0), "wb")
    settle_in(folder, limits)
    waiting: SimpleQueue[wire.AnyRequest] = SimpleQueue()
    threading.Thread(target=hear, args=(requests, waiting, folder), daemon=True).start()
    worker = GameWorker()
    while True:
        request = waiting.get()
        allow(request.seconds)
        reply = worker.serve(request)
        allow(None)
        with suppress(OSError):  # if the server has gone, `hear` notices
            replies.write(frame_of(reply))
            replies.flush()
        if reply.leaves:
            os._exit(1)


def settle_in(folder: Path, limits: Plain) -> None:
    """Restrict the process to its folder and its limit of memory."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends its workers
    faulthandler.enable()
    os.chdir(folder)
    tempfile.tempdir = str(folder)
    if limits.get("untrusted"):
        keep_cache_apart(folder / "cache")
    library.confine(folder)
    os.nice(limits.get("nice", 0))
    with suppress(OSError):  # not on Linux
        Path("/proc/self/oom_score_adj").write_text(str(limits.get("oom", 0)), encoding="ascii")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for what, name in ((resource.RLIMIT_AS, "memory"), (resource.RLIMIT_FSIZE, "file")):
        if limits.get(name):
            resource.setrlimit(what, (limits[name], limits[name]))


def hear(stream: IO[bytes], waiting: "SimpleQueue[wire.AnyRequest]", folder: Path) -> None:
    """Read requests; when the server has gone, clean up and exit. Any other error here ends the process, too, since it
    would never notice that the server has gone."""
    try:
        while True:
            waiting.put(read_frame(stream, wire.REQUESTS))
    except (wire.CutOff, OSError):
        pass
    except Exception:
        traceback.print_exc()
    shutil.rmtree(folder, ignore_errors=True)
    with suppress(OSError):
        folder.parent.rmdir()
    os._exit(0)


def allow(seconds: float | None) -> None:
    """Limit the processor time from now on, after which the kernel ends the process. None: no limit."""
    signal.setitimer(signal.ITIMER_PROF, seconds or 0.0)


if __name__ == "__main__":
    main(sys.argv[1:])


# --- jobs


Job = Callable[[Plain], Plain | str]

JOBS: dict[str, tuple[str, str]] = {  # name -> module of `jobs`, function
    "about": ("rules", "about"),
    "make": ("rules", "make"),
    "texts": ("rules", "texts_of_rules"),
    "card-draw": ("cards", "draw"),
    "card-hands": ("cards", "hands"),
    "card-difficulty": ("cards", "difficulty"),
    "card-import": ("cards", "take_in"),
    "card-export": ("cards", "give_out"),
    "workshop-check": ("workshop", "check"),
    "workshop-complete": ("workshop", "offers"),
    "workshop-describe": ("workshop", "meaning"),
    "workshop-definition": ("workshop", "declared"),
    "workshop-references": ("workshop", "used"),
    "workshop-rename": ("workshop", "renamed"),
    "workshop-format": ("workshop", "laid_out"),
    "workshop-upgrade": ("workshop", "upgraded"),
    "workshop-examples": ("trying", "examples"),
    "workshop-coverage": ("trying", "coverage"),
    "workshop-score": ("trying", "score"),
    "workshop-evaluate": ("trying", "evaluate"),
    "workshop-games": ("trying", "games"),
    "workshop-kind": ("workshop", "shelved"),
    "bundled-outlines": ("workshop", "outlines"),
    "bundled-document": ("workshop", "bundled"),
    "bundled-begun": ("workshop", "begun"),
    "pack-read": ("workshop", "unpack"),
    "pack-write": ("workshop", "pack"),
    "about-rulesets": ("rules", "rulesets"),
    "about-rulebook": ("rules", "rulebook"),
    "own-rules": ("rules", "difference"),
    "score-card": ("rules", "score_card"),
    "faces": ("rules", "faces"),
    "strips": ("rules", "strips"),
    "showcase": ("rules", "showcase"),
    "replay-index": ("replays", "index"),
    "replay-steps": ("replays", "steps"),
}


def job_called(name: str) -> Job:
    """The function of the job with this name. Raises BadSpec for an unknown name."""
    if name not in JOBS:
        raise bad(f"no job is called {name[:40]!r}")
    module, function = JOBS[name]
    job: Job = getattr(import_module(f"tilewright.web.jobs.{module}"), function)
    return job
