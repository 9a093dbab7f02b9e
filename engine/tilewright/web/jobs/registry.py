"""The jobs of workers, by name, each with its function.

A job is plain data in, plain data or a text out, and may raise BadSpec. Its module is imported on first use, since
most workers do one kind of job.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from tilewright.web.protocol.spec import bad

Plain = dict[str, Any]
Job = Callable[[Plain], Plain | str]

JOBS: dict[str, tuple[str, str]] = {  # name -> module of this package, function
    "about": ("rules", "about"),
    "make": ("rules", "make"),
    "texts": ("rules", "texts"),
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
    "workshop-examples": ("workshop", "examples"),
    "workshop-coverage": ("workshop", "coverage"),
    "workshop-score": ("workshop", "score"),
    "workshop-evaluate": ("workshop", "evaluate"),
    "workshop-games": ("workshop", "games"),
    "workshop-kind": ("workshop", "shelved"),
    "bundled-outlines": ("shelf", "outlines"),
    "bundled-document": ("shelf", "bundled"),
    "bundled-begun": ("shelf", "begun"),
    "pack-read": ("shelf", "unpack"),
    "pack-write": ("shelf", "pack"),
    "about-rulesets": ("rules", "rulesets"),
    "about-rulebook": ("rules", "rulebook"),
    "own-rules": ("own_rules", "difference"),
    "score-card": ("rules", "score_card"),
    "faces": ("showcase", "faces"),
    "strips": ("showcase", "strips"),
    "showcase": ("showcase", "showcase"),
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
