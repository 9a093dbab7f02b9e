"""Jobs about what may be played: a Spec in, plain data out. Run in a process for strangers' texts, with limits."""

from collections.abc import Callable, Mapping
from typing import Any

from tilewright.apps.web.about_rules import about_json
from tilewright.apps.web.spec import read_spec, rules_of

Plain = dict[str, Any]


def about(payload: Plain) -> Plain:
    """What a page has to know of the rules of `spec`. Raises BadSpec."""
    return about_json(rules_of(read_spec(payload.get("spec"))))


def make(payload: Plain) -> Plain:
    """Compile the rules of `spec`, so that others find them compiled. Raises BadSpec."""
    return {"digest": rules_of(read_spec(payload.get("spec"))).data.digest}


JOBS: Mapping[str, Callable[[Plain], Plain]] = {"about": about, "make": make}
