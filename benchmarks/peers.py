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
AT_ONCE = 200  # questions that wait for their answers together


def installed() -> bool:
    return PYTHON.exists()


def asked(script: str, questions: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    """Each question with the answer that a script beside this file gives to it in the peers' environment."""
    if not installed():
        sys.exit(f"no {PYTHON}: run `make .venv/peers/installed`")
    pipe = subprocess.PIPE
    with subprocess.Popen([PYTHON, HERE / script], stdin=pipe, stdout=pipe, encoding="utf-8") as peer:
        assert peer.stdin is not None and peer.stdout is not None
        for some in batches(questions):
            peer.stdin.writelines(f"{json.dumps(question)}\n" for question in some)
            peer.stdin.flush()
            for question in some:
                answer = peer.stdout.readline()
                if not answer:
                    raise RuntimeError(f"{script} has ended at {question}")
                yield question, json.loads(answer)
        peer.stdin.close()


def batches(questions: Iterable[Any]) -> Iterator[list[Any]]:
    some: list[Any] = []
    for question in questions:
        some.append(question)
        if len(some) == AT_ONCE:
            yield some
            some = []
    yield some
