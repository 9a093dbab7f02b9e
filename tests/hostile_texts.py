"""Documents of strangers in which every text is markup."""

import json
from typing import Any

from tilewright.base.document import plain
from tilewright.language.load import load_elaborated

IMAGE = "<img src=x onerror=alert(1)>"  # that is not there, so that a page which takes it would say so
MARK = f"{IMAGE}\"'></title></style></svg>{IMAGE}"  # also where it is the value of an attribute
CARD = f"{MARK}\n“{MARK}”\n22 444 666 8888 DD X25 ({MARK})\n"
BROKEN_CARD = f"{CARD}{IMAGE}\n(about: {MARK})\n"


def ruleset_of(mark: str, id: str = "hostile", **more: Any) -> str:
    """A whole ruleset, all of whose names and sentences are this text, each with a number."""
    full = plain(load_elaborated("cantonese").merged.full)
    numbers = iter(range(1_000))

    def marked(value: Any) -> Any:
        if isinstance(value, dict) and "en" in value:
            return {"en": f"{mark} {next(numbers)}"}
        if isinstance(value, dict):
            return {key: marked(one) for key, one in value.items()}
        return [marked(one) for one in value] if isinstance(value, list) else value

    return json.dumps({**marked(full), "id": id, **more}, default=float)
