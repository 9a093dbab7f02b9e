"""Grammars: the parser of a grammar file.

Lark takes long to make the tables of a grammar, so they are stored next to it (tools/make_grammars.py writes them);
those of another grammar, or of another version of lark, are ignored.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

import lark
from lark.grammar import Rule
from lark.lexer import TerminalDef


def parser_of(file: Path, *start: str) -> lark.Lark:
    """The parser of a grammar with these start rules."""
    text = file.read_text(encoding="utf-8")
    tables = tables_of(file)
    if tables.is_file():
        kept = json.loads(tables.read_bytes(), object_pairs_hook=with_numbers)
        if kept["made_of"] == made_of(text, start):
            return lark.Lark.load(kept)
    return built(text, start)


def built(text: str, start: tuple[str, ...]) -> lark.Lark:
    return lark.Lark(text, parser="lalr", lexer="contextual", start=list(start), propagate_positions=True)


def tables_of(file: Path) -> Path:
    """The path of the tables of a grammar."""
    return file.with_suffix(".json")


def made_of(text: str, start: tuple[str, ...]) -> list[str]:
    """The fingerprint of the sources of tables."""
    return [lark.__version__, hashlib.sha256(text.encode()).hexdigest(), *start]


def write_tables(file: Path, *start: str) -> None:
    """Write the tables of a grammar."""
    text = file.read_text(encoding="utf-8")
    data, memo = built(text, start).memo_serialize([TerminalDef, Rule])
    kept = {"made_of": made_of(text, start), "data": data, "memo": memo}
    tables_of(file).write_text(json.dumps(kept, separators=(",", ":")) + "\n", encoding="utf-8")


def with_numbers(pairs: list[tuple[str, Any]]) -> dict[str | int, Any]:
    """A mapping with numeric keys, which JSON had turned into texts."""
    return {int(key) if key.isdecimal() else key: value for key, value in pairs}
