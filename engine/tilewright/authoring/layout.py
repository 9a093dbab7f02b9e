"""YAML as people write it: values laid out in lines that are not too long, and a text with one value changed.

Also shortens the long lines of a text: what is in brackets goes on in further lines or becomes a block, a long text is
folded. Comments and the layout of what does not change stay. Knows mappings in blocks or in braces; no schema, no
rules.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.nodes import CollectionNode, MappingNode, Node, ScalarNode, SequenceNode

from tilewright.authoring.format import format_text
from tilewright.base.building import value_of

WIDTH = 120  # characters of a line
INDENT = 2
MOST_WRAPPED = 3  # lines of what is in brackets, or more with so many members in each; others are a block
MOST_JOINED = 4  # values of a block that fits in one line
ROUNDS = 6  # a shorter line may move others
INDICATORS = "-?:,[]{}#&*!|>'\"%@`"  # no plain text begins with one of these
ENDS_PLAIN = re.compile(r": |:$| #|[\n\t]|^ | $|^---|^\.\.\.")
ENDS_IN_BRACKETS = re.compile(r"[,\[\]{}]")
PLAIN_KEY = re.compile(r"\w+")  # keys are texts, whatever they look like
LINE_BREAK = re.compile(r"\s*\n\s*")

Path = tuple[str, ...]
Tree = Mapping[str, "str | Tree"]
Comments = Mapping[Path, Sequence[str]]
NONE: Comments = {}


# --- from values


def tree_lines(tree: Tree, column: int = 0, comments: Comments = NONE, path: Path = ()) -> Iterator[str]:
    """The lines of a tree of texts; a mapping of texts only, such as translations, in one line where it fits.
    `comments`: lines that stand above entries."""
    for key, value in tree.items():
        at = (*path, key)
        yield from (" " * column + line for line in comments.get(at, ()))
        yield from entry_lines(key, value, column, comments, at)


def entry_lines(key: str, value: "str | Tree", column: int, comments: Comments, path: Path) -> Iterator[str]:
    """The lines of an entry of a mapping."""
    start = f"{' ' * column}{key if PLAIN_KEY.fullmatch(key) else scalar(key)}:"
    if isinstance(value, str):
        yield from text_lines(start, value, column)
        return
    if is_flat(value):
        line = f"{start} {{{', '.join(f'{scalar(name)}: {in_brackets(text)}' for name, text in value.items())}}}"
        if len(line) <= WIDTH:
            yield line
            return
    yield start
    yield from tree_lines(value, column + INDENT, comments, path)


def is_flat(tree: Tree) -> bool:
    """Whether a mapping is a text beside its translation."""
    return "en" in tree and all(isinstance(value, str) for value in tree.values())


def in_brackets(text: object) -> str:
    return scalar(str(text), in_flow=True)


def text_lines(start: str, text: str, column: int) -> Iterator[str]:
    """The lines of a text behind the start of its line: behind it if that fits, otherwise folded below."""
    line = f"{start} {scalar(text)}"
    if len(line) <= WIDTH or not can_fold(text):
        yield line
        return
    yield f"{start} >-"
    yield from folded(text, column + INDENT)


def folded(text: str, column: int) -> Iterator[str]:
    """The lines of a folded text."""
    line = ""
    for word in text.split(" "):
        if line and column + len(line) + 1 + len(word) > WIDTH:
            yield " " * column + line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield " " * column + line


def can_fold(text: str) -> bool:
    """Whether a text is the same when it is folded."""
    return " " in text and "  " not in text and text == text.strip() and text.isprintable()


def scalar(text: str, in_flow: bool = False) -> str:
    """A text in one line, without quotes if it needs none."""
    if not text.isprintable():
        return json.dumps(text, ensure_ascii=False)
    plain = bool(text) and text[0] not in INDICATORS and not ENDS_PLAIN.search(text) and value_of(text) == text
    if plain and not (in_flow and ENDS_IN_BRACKETS.search(text)):
        return text
    return f'"{text}"' if not re.search(r'["\\]', text) else "'" + text.replace("'", "''") + "'"


# --- of a text


def with_short_lines(text: str) -> str:
    """The text, formatted, without lines that are too long, as far as that can be. Raises RulesetError if it is no
    document."""
    text = format_text(text)
    for _ in range(ROUNDS):
        changed = shortened(text)
        if changed == text:
            break
        text = format_text(changed)
    return text


def shortened(text: str) -> str:
    """The text with its long lines written anew."""
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    long = {number for number, line in enumerate(text.split("\n")) if len(line) > WIDTH}
    edits = list(entries_to_wrap(tree_of(text), text, starts, long)) if long else []
    for start, end, lines in sorted(edits, reverse=True):
        text = spliced(text, (start, end), "\n".join(lines))
    return text


Edit = tuple[int, int, list[str]]


def entries_to_wrap(node: Node, text: str, starts: Sequence[int], long: set[int]) -> Iterator[Edit]:
    """The innermost entries of blocks with lines that are too long: the characters of each, and its new lines."""
    if not isinstance(node, CollectionNode) or node.flow_style:
        return
    for item in node.value:
        key, value = item if isinstance(item, tuple) else (None, item)
        first = (key or value).start_mark.line
        last = max(first, value.end_mark.line - (value.end_mark.column == 0))
        if long.isdisjoint(range(first, last + 1)):
            continue
        if isinstance(value, CollectionNode) and not value.flow_style:
            yield from entries_to_wrap(value, text, starts, long)
            continue
        column = key.start_mark.column if key else value.start_mark.column - INDENT
        head = text[starts[first] + column : value.start_mark.index]
        folds = isinstance(value, ScalarNode) and value.style in ("|", ">")
        if folds or "\n" in head or has_comment(text, value):
            continue
        end = end_of(value)
        rest = text[end : end_of_line(text, end)]
        lines = wrapped(" " * column, head, value, text)
        if lines is None:
            continue
        if comment := rest.strip():
            lines = [*comment_lines(comment, column), *lines]
        begin = starts[first] + column
        if text[starts[first] : begin].strip():  # the first entry of an item of a list: `- key: ...`
            if comment:
                continue
            lines[0] = lines[0][column:]
            yield begin, end, lines
        else:
            yield starts[first], end + len(rest), lines


def with_short_blocks(text: str, paths: Collection[Path]) -> str:
    """The text with those of the mappings at these paths in one line that are short."""
    edits = list(blocks_to_join(tree_of(text), text, (), paths))
    for start, end, line in sorted(edits, reverse=True):
        text = spliced(text, (start, end), line)
    return text


def blocks_to_join(node: Node, text: str, path: Path, paths: Collection[Path]) -> Iterator[tuple[int, int, str]]:
    """The characters of short mappings behind their keys, and what becomes of them."""
    for key, value in node.value if isinstance(node, MappingNode) else ():
        at = (*path, key.value)
        if at not in paths or not isinstance(value, MappingNode) or (line := short(value, text)) is None:
            yield from blocks_to_join(value, text, at, paths)
        elif key.end_mark.column + len(line) <= WIDTH:
            yield key.end_mark.index, end_of(value), f": {line}"


def short(node: MappingNode, text: str) -> str | None:
    """A mapping of few values in one line; None if that would be long, or lose a comment."""
    start, end = node.start_mark.index, end_of(node)
    comment = "#" in text[start : end_of_line(text, end)] or "#" in text[text.rindex(":", 0, start) : start]
    if node.flow_style or len(node.value) > MOST_JOINED or comment:
        return None
    members = list[str]()
    for key, value in node.value:
        if isinstance(value, CollectionNode):
            if not value.flow_style:
                return None
            written = in_one_line(value, text)
        else:
            raw = text[value.start_mark.index : value.end_mark.index]
            written = scalar(value.value, in_flow=True) if ENDS_IN_BRACKETS.search(raw) or "\n" in raw else raw
        members.append(f"{in_one_line(key, text)}: {written}")
    return "{" + ", ".join(members) + "}"


def has_comment(text: str, value: Node) -> bool:
    """Whether there is a comment within brackets."""
    inside = text[value.start_mark.index : end_of(value)]
    return isinstance(value, CollectionNode) and any(" #" in line for line in inside.split("\n"))


def end_of_line(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found


def comment_lines(comment: str, column: int) -> list[str]:
    """A comment on lines of its own."""
    lines = folded(comment.lstrip("# "), column + 2)
    return [f"{' ' * column}# {line.strip()}" for line in lines]


def wrapped(indent: str, head: str, value: Node, text: str) -> list[str] | None:
    """An entry in several lines; None if it cannot be."""
    start = indent + head.rstrip() + (" " * (len(head) - len(head.rstrip())) or " ")
    if isinstance(value, ScalarNode):
        if not isinstance(value.value, str) or not can_fold(value.value):
            return None
        return [f"{indent}{head.strip()} >-", *folded(value.value, len(indent) + INDENT)]
    assert isinstance(value, CollectionNode)
    lines = lines_in_brackets(start, value, text)
    return lines or block(indent, head.strip(), value, text)


def lines_in_brackets(start: str, value: Node, text: str) -> list[str] | None:
    """A mapping or list in brackets, its further lines below the first value; None if that does not fit."""
    opening, closing = "{}" if isinstance(value, MappingNode) else "[]"
    column = len(start) + 1
    lines, line = list[str](), start + opening
    members = [member(item, text) for item in value.value]
    for number, one in enumerate(members):
        one += closing if number == len(members) - 1 else ","
        space = "" if line.endswith(opening) and len(line) == column else " "
        if len(line) + len(space) + len(one) > WIDTH and space:
            lines.append(line)
            line, space = " " * column, ""
        line += space + one
    lines.append(line)
    few = len(lines) <= max(MOST_WRAPPED, len(members) // MOST_WRAPPED)
    return lines if few and all(len(one) <= WIDTH for one in lines) else None


def member(item: "Node | tuple[Node, Node]", text: str) -> str:
    """A member of brackets in one line."""
    if isinstance(item, tuple):
        return f"{in_one_line(item[0], text)}: {in_one_line(item[1], text)}"
    return in_one_line(item, text)


def in_one_line(node: Node, text: str) -> str:
    """A node in one line, in brackets."""
    if isinstance(node, CollectionNode):
        opening, closing = "{}" if isinstance(node, MappingNode) else "[]"
        return opening + ", ".join(member(item, text) for item in node.value) + closing
    return LINE_BREAK.sub(" ", text[node.start_mark.index : node.end_mark.index])


def block(indent: str, head: str, value: Node, text: str) -> list[str]:
    """A mapping or a list without brackets, below its key or behind its dash."""
    lines = list[str]()
    inner = indent + " " * INDENT
    for item in value.value:
        key, node = item if isinstance(item, tuple) else (None, item)
        name = f"{in_one_line(key, text)}:" if key else "-"
        line = f"{inner}{name} {in_one_line(node, text)}"
        if isinstance(node, ScalarNode) and not isinstance(value, SequenceNode) and node.style == "'":
            line = f"{inner}{name} {scalar(node.value)}"  # what needed quotes in brackets
        made = [line] if len(line) <= WIDTH else wrapped(inner, f"{name} ", node, text) or [line]
        lines += made
    if head == "-" and lines:
        return [f"{indent}- {lines[0].strip()}", *lines[1:]]
    return [f"{indent}{head}", *lines]


# --- one value of a text

Span = tuple[int, int]
REST_OF_LINE = re.compile(r"[^\r\n]*")


def tree_of(text: str) -> Node:
    """The nodes of a text, with their places. Raises YAMLError."""
    tree: Node = YAML(typ="safe", pure=True).compose(text)
    return tree


def below(node: Node | None, path: Sequence[str]) -> Node | None:
    """The value at a path, if there is one."""
    for key in path:
        if not isinstance(node, MappingNode):
            return None
        node = next((value for name, value in node.value if name.value == key), None)
    return node


def end_of(node: Node) -> int:
    """Where a node ends: a block ends with the last value in it, not with the comments behind."""
    if isinstance(node, CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return end_of(last[1] if isinstance(last, tuple) else last)
    return int(node.end_mark.index)


def span_of(node: Node) -> Span:
    """The characters of a node."""
    return int(node.start_mark.index), end_of(node)


def written(tree: Node, value: Any) -> str:
    """A value in one line, as the text of a tree would have it: in JSON as JSON."""
    return json.dumps(value, ensure_ascii=False, default=float) if is_json(tree) else flow(value)


def is_json(tree: Node) -> bool:
    return isinstance(tree, MappingNode) and bool(tree.flow_style and tree.value and tree.value[0][0].style == '"')


def with_value(text: str, path: Sequence[str], value: str, blocks: int) -> str:
    """The text with a value at a path, as it is written. `blocks`: how many keys of the path open blocks, where they
    are missing in a block; the others stand in braces."""
    tree = node = tree_of(text)
    depth = 0
    while depth < len(path) and (inner := below(node, path[depth : depth + 1])) is not None:
        node, depth = inner, depth + 1
    missing, opened = path[depth:], min(max(blocks - depth, 0), len(path) - depth - 1)
    if not missing or not isinstance(node, MappingNode):
        space = " " if text[node.start_mark.index - 1 : node.start_mark.index] == ":" else ""
        return spliced(text, span_of(node), space + nested(tree, missing, value))
    if node.flow_style and not node.value:
        return spliced(text, (node.start_mark.index + 1, node.start_mark.index + 1), entry(tree, missing, value))
    if node.flow_style:
        end = end_of(node.value[-1][1])
        return spliced(text, (end, end), f", {entry(tree, missing, value)}")
    column, step = node.value[0][0].start_mark.column, indent_of(tree)
    lines = [f"{' ' * (column + step * level)}{key}:" for level, key in enumerate(missing[:opened])]
    lines.append(f"{' ' * (column + step * len(lines))}{entry(tree, missing[opened:], value)}")
    return with_lines(text, end_of(node), lines)


def spliced(text: str, span: Span, becomes: str) -> str:
    return text[: span[0]] + becomes + text[span[1] :]


def with_lines(text: str, end: int, lines: Sequence[str]) -> str:
    """The text with lines below the line in which a block ends; one that ends with a block of text ends below it."""
    ends = "\r\n" if "\r\n" in text else "\n"
    if text[end - 1 : end] == "\n":
        return spliced(text, (end, end), "".join(line + ends for line in lines))
    found = REST_OF_LINE.match(text, end)
    end = found.end() if found is not None else end
    return spliced(text, (end, end), "".join(ends + line for line in lines))


def entry(tree: Node, path: Sequence[str], value: str) -> str:
    """One entry of a mapping: a key, and what is below it in braces."""
    return f"{written(tree, path[0])}: {nested(tree, path[1:], value)}"


def nested(tree: Node, path: Sequence[str], value: str) -> str:
    return f"{{{entry(tree, path, value)}}}" if path else value


def indent_of(tree: Node) -> int:
    """How far the first block in a block is indented."""
    for _, inner in tree.value:
        if isinstance(inner, MappingNode) and not inner.flow_style and inner.value:
            return int(inner.value[0][0].start_mark.column) - int(tree.start_mark.column)
    return INDENT


# --- values in one line

PLAIN = re.compile(r"[A-Za-z0-9][\w .]*")
NOT_TEXT = re.compile(r"[\d.]+|true|false|null|0[xo]\w+|\d[\d.]*e\d+", re.IGNORECASE)


def flow(value: Any) -> str:
    """A value in one line of YAML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{flow(str(key))}: {flow(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, str):
        plain = PLAIN.fullmatch(value) and not NOT_TEXT.fullmatch(value)
        return value if plain else json.dumps(value, ensure_ascii=False)
    return json.dumps(value) if value is None or isinstance(value, bool | int | float) else str(value)
