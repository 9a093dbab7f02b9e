"""Another program in an environment of its own: questions in, answers out, one line of JSON each.

The environment is `.venv/peers`, which the Makefile makes out of `peers.txt`; TILEWRIGHT_PEERS names another Python.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PYTHON = Path(os.environ.get("TILEWRIGHT_PEERS", HERE.parent / ".venv" / "peers" / "bin" / "python"))


def installed() -> bool:
    return PYTHON.exists()


def asked(script: str, questions: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    """Each question with the answer that a script beside this file gives to it in the peers' environment."""
    if not installed():
        sys.exit(f"no {PYTHON}: run `make .venv/peers/installed`")
    pipe = subprocess.PIPE
    with subprocess.Popen([PYTHON, HERE / script], stdin=pipe, stdout=pipe, encoding="utf-8") as peer:
        assert peer.stdin is not None and peer.stdout is not None
        for question in questions:  # one at a time: a pipe has room for few, and both sides would wait for the other
            peer.stdin.write(f"{json.dumps(question)}\n")
            peer.stdin.flush()
            answer = peer.stdout.readline()
            if not answer:
                raise RuntimeError(f"{script} has ended at {question}")
            yield question, json.loads(answer)
        peer.stdin.close()
