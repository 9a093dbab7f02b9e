"""A house: the process in which tables are played and jobs are done. Requests and replies go over its stdin, a socket.

`python -m tilewright.web.workers.main FOLDER LIMITS`: a folder for it alone, and its limits as JSON. One request is
served after the other; each has a limit of processor time, after which the kernel ends the process. It ends by itself
when the server has gone. Knows no server, no person and no database.
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
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any

from tilewright.language.documents import library
from tilewright.play import course
from tilewright.play.game import Game
from tilewright.play.log import LogError, move_of, read_log, resume
from tilewright.play.moves import IllegalMove
from tilewright.play.rules import Rules
from tilewright.play.views import View, move_json
from tilewright.players.bots.bots import BOTS, Bot
from tilewright.presentation.advice.data import HELPS, help_json
from tilewright.presentation.catalogue import translations
from tilewright.presentation.rules_data import about_json
from tilewright.web.jobs.registry import job_called
from tilewright.web.jobs.session import Playing
from tilewright.web.protocol.spec import BadSpec, Spec, bad, keep_cache_apart, read_spec, rules_of
from tilewright.web.workers.wire import CutOff, frame_of, read_frame

Plain = dict[str, Any]
MEMORY = translations("server.table_memory")
TOO_DEEP = translations("server.table_too_deep")
FAILED = translations("server.table_failed")
OTHER_LOG = translations("server.table_other_log")


class Broken(Exception):
    """A table that cannot go on; `reason` by language."""

    def __init__(self, reason: Mapping[str, str]) -> None:
        self.reason = dict(reason)
        super().__init__(self.reason["en"])


class House:
    """The tables of this process, by the number that the server gives them."""

    def __init__(self) -> None:
        self.tables: dict[int, Table] = {}

    def serve(self, request: Plain) -> Plain:
        """The reply to a request: one of ok, bad, illegal, broken."""
        try:
            return {"ok": SERVED[request["do"]](self, request)}
        except BadSpec as error:
            return {"bad": list(error.problems)}
        except IllegalMove as error:
            return {"illegal": dict(error.reason)}
        except Broken as error:
            return {"broken": error.reason}
        except MemoryError:
            return {"broken": MEMORY, "leaves": True}
        except RecursionError:
            return {"broken": TOO_DEEP}
        except Exception:
            traceback.print_exc()
            return {"broken": FAILED}

    # --- tables

    def open(self, request: Plain) -> Plain:
        """A table of a spec, or of a log."""
        spec = read_spec(request["spec"])
        table = Table(spec, request["log"], request["players"])
        self.tables[request["table"]] = table
        program = table.game.program
        return {"digest": program.data.digest, "seats": program.count, "names": list(program.names[:-1])}

    def about(self, request: Plain) -> Plain:
        """What a page has to know of the rules."""
        return about_json(self.tables[request["table"]].rules)

    def opening(self, request: Plain) -> Plain:
        return self.tables[request["table"]].opening()

    def answer(self, request: Plain) -> Plain:
        return self.tables[request["table"]].playing.answer(request["player"], request["move"])

    def press(self, request: Plain) -> Plain:
        return self.tables[request["table"]].playing.press(request["player"], request["buttons"])

    def follow(self, request: Plain) -> None:
        self.tables[request["table"]].follow(request["lines"])

    def choose(self, request: Plain) -> Plain:
        return self.tables[request["table"]].choose(request["bot"], request["player"], request["seed"])

    def help(self, request: Plain) -> Plain:
        return self.tables[request["table"]].help(request["what"], request["player"])

    def close(self, request: Plain) -> None:
        self.tables.pop(request["table"], None)

    def job(self, request: Plain) -> Plain:
        """Work of a name, as some module of jobs knows it."""
        return job_called(request["name"])(request["payload"])

    def ping(self, request: Plain) -> int:
        """How many tables there are."""
        return len(self.tables)


Served = Callable[[House, Plain], Any]
SERVED: dict[str, Served] = {
    "open": House.open,
    "about": House.about,
    "opening": House.opening,
    "answer": House.answer,
    "press": House.press,
    "follow": House.follow,
    "choose": House.choose,
    "help": House.help,
    "close": House.close,
    "job": House.job,
    "ping": House.ping,
}


class Table:
    """One table: a game with its rules, and the bots that think about it."""

    def __init__(self, spec: Spec, log: Sequence[str], players: Sequence[str]) -> None:
        self.rules = rules_of(spec)
        game, names = resumed(self.rules, log) if log else (None, tuple(players))
        if game is None:
            game = self.rules.game(spec.seed, hands=spec.hands, pausing=True)
        self.playing = Playing(game, names)
        self.log = log
        self.bots: dict[tuple[str, int], Bot] = {}

    @property
    def game(self) -> Game:
        return self.playing.game

    def opening(self) -> Plain:
        """How the table stands, once what was logged is found to be what comes out. Raises Broken."""
        known, self.log = list(self.log), ()
        step = self.playing.opening(taken_up=bool(known))
        if step["lines"][: len(known)] != known:
            raise Broken(OTHER_LOG)
        return step | {"lines": step["lines"][len(known) :]}

    def follow(self, lines: Sequence[str]) -> None:
        """What was answered elsewhere is answered here. Raises Broken."""
        for line in lines:
            content = json.loads(line)
            if content.get("event") == "answers":
                self.go_on()
                try:
                    moves = [move_of(self.game, name, one) for name, one in content["answers"].items()]
                    self.game.answer_together(moves)
                except IllegalMove:
                    raise Broken(OTHER_LOG) from None
        self.go_on()

    def go_on(self) -> None:
        """To the next question, or the end."""
        while not self.game.asked and not self.game.over:
            course.run(self.game)

    def choose(self, name: str, player: int, seed: int) -> Plain:
        """What a bot answers for a player. Raises IllegalMove where it is asked nothing."""
        if name not in BOTS:
            raise bad(f"no bot is called {name[:40]!r}")
        if (name, seed) not in self.bots:
            self.bots[name, seed] = BOTS[name](self.rules, seed)
        view = View(self.game, self.game.seat_of(player))
        if view.question is None:
            raise IllegalMove("nothing is asked of this player")
        return dict(move_json(self.bots[name, seed].choose(view)))

    def help(self, what: str, player: int) -> Plain:
        """Advice for a player."""
        if what not in HELPS:
            raise bad(f"no help is called {what[:40]!r}")
        return help_json(self.rules, what, View(self.game, self.game.seat_of(player)))


def resumed(rules: Rules, lines: Sequence[str]) -> tuple[Game, tuple[str, ...]]:
    """The game of a log, and who plays it. Raises Broken."""
    try:
        log = read_log("log", "".join(f"{line}\n" for line in lines))
        game = resume(log, rules)
    except LogError as error:
        traceback.print_exc()
        raise Broken({**OTHER_LOG, "en": f"{OTHER_LOG['en']}: {error}"}) from None
    game.pausing = True
    return game, log.header.players


# --- the process


def main(arguments: Sequence[str]) -> None:
    """Serve until the server has gone."""
    folder, limits = Path(arguments[0]).resolve(), json.loads(arguments[1])
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(0), "wb")
    settle_in(folder, limits)
    waiting: SimpleQueue[Plain] = SimpleQueue()
    threading.Thread(target=hear, args=(requests, waiting, folder), daemon=True).start()
    house = House()
    while True:
        request = waiting.get()
        allow(request.get("seconds"))
        reply = house.serve(request)
        allow(None)
        with suppress(OSError):  # if the server has gone, `hear` notices
            replies.write(frame_of(reply))
            replies.flush()
        if reply.get("leaves"):
            os._exit(1)


def settle_in(folder: Path, limits: Plain) -> None:
    """Nothing is found or written but in the folder, with as much memory as there may be."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends us
    faulthandler.enable()
    os.chdir(folder)
    tempfile.tempdir = str(folder)
    if limits.get("strange"):
        keep_cache_apart(folder / "cache")
    library.confine(folder)
    os.nice(limits.get("nice", 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for what, name in ((resource.RLIMIT_AS, "memory"), (resource.RLIMIT_FSIZE, "file")):
        if limits.get(name):
            resource.setrlimit(what, (limits[name], limits[name]))


def hear(stream: IO[bytes], waiting: "SimpleQueue[Plain]", folder: Path) -> None:
    """Take requests as they come; without a server there is nothing left to do, and the last one clears away. Whatever
    else goes wrong here ends the process, too: it would never hear that the server has gone."""
    try:
        while True:
            waiting.put(read_frame(stream))
    except (CutOff, ValueError, OSError):
        pass
    except Exception:
        traceback.print_exc()
    shutil.rmtree(folder, ignore_errors=True)
    with suppress(OSError):
        folder.parent.rmdir()
    os._exit(0)


def allow(seconds: float | None) -> None:
    """So much processor time may be used from now on; then the kernel ends the process. None: any."""
    signal.setitimer(signal.ITIMER_PROF, seconds or 0.0)


if __name__ == "__main__":
    main(sys.argv[1:])
