"""Pages of problems: what the code of a problem means, why it is one, how to fix it, a wrong and a right example.

The pages are data: `KIND.json` beside this file, by code. Knows no document and finds no problem.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
KINDS: Mapping[str, str] = {  # in the order of the list
    "documents": "Documents: YAML and files",
    "rulesets": "Rulesets",
    "mods": "Mods, options and what is extended",
    "packs": "Packs",
    "cards": "Cards",
    "hands": "Hands, cases and plays",
    "logs": "Logs and simulated games",
}


@dataclass(frozen=True, slots=True)
class ProblemExample:
    """A wrong text and a right one. `tried`: how tests try them, `place`: in what; empty where a situation is shown
    that no text alone makes."""

    wrong: str
    right: str
    tried: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class ProblemPage:
    """What is said of a code."""

    code: str
    kind: str
    means: str
    why: str
    fix: str
    example: ProblemExample


@cache
def pages() -> Mapping[str, ProblemPage]:
    """Every page by its code, kind after kind, in alphabetical order."""
    return {page.code: page for kind in KINDS for page in pages_of(kind)}


def pages_of(kind: str) -> Iterator[ProblemPage]:
    found = json.loads((FOLDER / f"{kind}.json").read_text(encoding="utf-8"))
    for code, given in sorted(found.items()):
        example = ProblemExample(**given.pop("example"))
        yield ProblemPage(code, kind, **given, example=example)
