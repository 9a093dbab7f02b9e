"""Loading: rulesets read and checked without a cache, and with one; the command's start; memory.

Each in a process of its own. `load` and `check` find an empty cache; `cached` and the commands a full one.
"""

import atexit
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial

from measuring import Contender, Group, Scale, command_seconds

RULESETS = ("mcr", "riichi", "american")
LOAD = "import sys, tilewright; tilewright.load(sys.argv[1])"
IMPORT = "import tilewright.play.rules"
SCORE = ("score", "zung_jung_plus", "--hand", "222p 333s 88m EE", "--meld", "444p", "--win", "E", "--json")
MEMORY = """
import resource, sys, tilewright
def taken(): return next(int(l.split()[1]) for l in open("/proc/self/status") if l.startswith("VmRSS")) / 1000
import tilewright.play.rules
before = taken()
rules = tilewright.load(sys.argv[1])
game = rules.game(1)
print(taken() - before)
"""


def groups(scale: Scale) -> Iterator[Group]:
    """The questions of this suite."""
    rounds = min(5, scale.rounds)
    commands = {f"load {id}": ("-c", LOAD, id) for id in RULESETS}
    commands |= {f"check {id}": ("-m", "tilewright", "check", id) for id in RULESETS}
    cold = [Contender(name, partial(without_cache, command)) for name, command in commands.items()]
    yield Group("cold", "without a cache", "s", cold, rounds=rounds)
    cache = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, cache, ignore_errors=True)
    warm = {
        "tilewright --help": ("-m", "tilewright", "--help"),
        "score of one hand": ("-m", "tilewright", *SCORE),
        "import tilewright.play.rules": ("-c", IMPORT),
        **{f"import, and load {id}": ("-c", f"{IMPORT}; {LOAD}", id) for id in RULESETS},
    }
    found = [
        Contender(name, lambda turn, command=command: command_seconds(command, TILEWRIGHT_CACHE=cache))
        for name, command in warm.items()
    ]
    yield Group("cached", "with a cache", "s", found, rounds=rounds)
    memory = [Contender(id, partial(megabytes, id)) for id in RULESETS]
    yield Group("memory", "a loaded ruleset and a game", "MB", memory, rounds=min(3, scale.rounds))


def without_cache(command: tuple[str, ...], turn: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        return command_seconds(command, TILEWRIGHT_CACHE=folder)


def megabytes(ruleset: str, turn: int) -> float:
    """What a ruleset takes beside the engine's own modules, resident."""
    done = subprocess.run([sys.executable, "-c", MEMORY, ruleset], capture_output=True, text=True, check=True)
    return float(done.stdout)
