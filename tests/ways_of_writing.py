"""The same document in every way that YAML knows: one text in, that text otherwise written out."""

import json
import re
from collections.abc import Callable

from tilewright.base.document import parse
from tilewright.base.node import plain
from tilewright.base.problem import Source

KIND = re.compile(r"^kind: (\w+)$", re.MULTILINE)
COMMENT = "# A house has many rules, and whoever wrote this one down has much to say before the first of them.\n"

Way = Callable[[str], str]


def with_kind(written: str) -> Way:
    """The document with its line of the kind in another way."""
    return lambda text: KIND.sub(lambda found: written.replace("KIND", found[1]), text, count=1)


def with_kind_last(text: str) -> str:
    """The document with its line of the kind at the end."""
    found = KIND.search(text)
    assert found is not None
    return f"{with_kind('# of a house')(text)}{found[0]}\n"


def as_json(text: str, indent: str | None = None) -> str:
    """The document as JSON."""
    return json.dumps(plain(parse(Source("", text))), ensure_ascii=False, indent=indent)


WAYS: dict[str, Way] = {
    "plain": str,
    "long header": lambda text: 80 * COMMENT + text,
    "long empty header": lambda text: 20_000 * "\n" + text,
    "begun and ended": lambda text: f"---\n{text}...\n",
    "byte order mark": lambda text: f"\ufeff{text}",
    "CR LF": lambda text: text.replace("\n", "\r\n"),
    "CR": lambda text: text.replace("\n", "\r"),
    "kind last": with_kind_last,
    "indented": lambda text: "".join(f"  {line}" for line in text.splitlines(keepends=True)),
    "folded": with_kind("kind: >-\n  KIND"),
    "literal": with_kind("kind: |-\n  KIND"),
    "anchored": with_kind("kind: &k KIND"),
    "alias": with_kind("source: &k KIND\nkind: *k"),
    "single quotes": with_kind("'kind': 'KIND'"),
    "double quotes": with_kind('"kind": "KIND"'),
    "escaped": with_kind('"k\\u0069nd": "KIND"'),
    "question mark": with_kind("? kind\n: KIND"),
    "next line": with_kind("kind:\n  KIND"),
    "spaced": with_kind("kind   :     KIND   # of a house"),
    "tab": with_kind("kind: KIND # of a\thouse"),
    "JSON": as_json,
    "JSON, kind last": lambda text: as_json(with_kind_last(text)),
    "JSON on lines": lambda text: as_json(with_kind_last(text), "  "),
    "JSON with tabs": lambda text: as_json(with_kind_last(text), "\t"),
    "JSON, escaped": lambda text: as_json(text).replace("tilewright", r"tile\u0077right").replace("kind", r"k\u0069nd"),
}
