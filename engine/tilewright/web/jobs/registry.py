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
    "workshop-check": ("workshop.checking", "check"),
    "workshop-complete": ("workshop.editing", "offers"),
    "workshop-describe": ("workshop.editing", "meaning"),
    "workshop-definition": ("workshop.editing", "declared"),
    "workshop-references": ("workshop.editing", "used"),
    "workshop-rename": ("workshop.editing", "renamed"),
    "workshop-format": ("workshop.editing", "laid_out"),
    "workshop-upgrade": ("workshop.editing", "upgraded"),
    "workshop-examples": ("workshop.trying", "examples"),
    "workshop-coverage": ("workshop.trying", "coverage"),
    "workshop-score": ("workshop.trying", "score"),
    "workshop-evaluate": ("workshop.trying", "evaluate"),
    "workshop-games": ("workshop.trying", "games"),
    "workshop-kind": ("workshop.checking", "shelved"),
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
